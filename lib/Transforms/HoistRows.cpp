//===- HoistRows.cpp - what a parallel computes alike along an index --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `o[i, j] * exp2(m_old[i] - m[i])` says exp2 once for every j. The part that depends on i alone becomes a
// parallel over i that gives a fragment, and the body reads the fragment's element. Where another parallel of
// the block computes the same part, it reads that element too.
//
// Why that is the same program: extents are constants of at least 1, so what stands at the top of the body is
// computed for every i anyway, and it reads only what nobody changes: fragments, which are values, and
// tensors that the kernel does not write. Under a condition only what is defined everywhere is taken.
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilec::tile {

/// Worth a fragment of its own: it takes many instructions, or a trip to memory. Integer divisions are not:
/// they make indices, and must stay where those are analysed.
static bool isCostly(Operation *op) {
  return isa<math::MathDialect>(op->getDialect()) ||
         isa<arith::DivFOp, arith::RemFOp, SigmoidOp, RcpOp>(op) ||
         (isa<ReadOp>(op) && isa<GlobalType>(cast<ReadOp>(op).getSource().getType()));
}

/// Whether an index of the parallel cannot leave `fragment` along a dimension of `extent`.
static bool isInside(Value index, int64_t extent, ParallelOp parallel) {
  for (auto [own, ownExtent] : llvm::zip_equal(parallel.getIndices(), parallel.getStaticExtents()))
    if (own == index)
      return ownExtent <= extent;
  std::optional<int64_t> constant = getConstantIntValue(index);
  return constant && *constant >= 0 && *constant < extent;
}

/// Whether `op` itself, what it contains aside, gives the same wherever it runs before the end of the
/// parallel; at places that the program may not reach, if `isConditional`.
static bool isMovable(Operation *op, bool isConditional, ParallelOp parallel) {
  auto read = dyn_cast<ReadOp>(op);
  if (!read)
    return isConditional ? isPure(op)
                         : op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(op);
  if (auto type = dyn_cast<FragmentType>(read.getSource().getType()))
    return !isConditional ||
           llvm::all_of(llvm::zip_equal(read.getIndices(), type.getShape()),
                        [&](auto pair) { return isInside(std::get<0>(pair), std::get<1>(pair), parallel); });
  // The condition may be there to save the access.
  return !isConditional && isa<GlobalType>(read.getSource().getType()) &&
         getAccessMode(read.getSource()) == AccessMode::In;
}

namespace {

/// The ops of a body that depend on a part of its indices, and those indices.
class RowOps {
public:
  explicit RowOps(ParallelOp parallel) : parallel(parallel) { collect(*parallel.getBody(), false); }

  /// The indices, as bits, if `op` is one.
  std::optional<unsigned> lookup(Operation *op) const {
    auto it = indices.find(op);
    return it == indices.end() ? std::nullopt : std::optional(it->second);
  }

  /// A value to compute in a parallel of its own: used by what is no row op, and worth it. Null: there is
  /// none.
  Value findRoot() const {
    for (auto [op, mask] : indices)
      for (Value result : op->getResults())
        if (mask != 0 && isElementType(result.getType()) && isUsedOutside(result) && isWorthIt(result))
          return result;
    return Value();
  }

private:
  void collect(Block &block, bool isConditional) {
    for (Operation &op : block.without_terminator()) {
      if (std::optional<unsigned> mask = getIndices(&op, isConditional))
        indices.insert({&op, *mask});
      else if (isa<scf::IfOp>(op))
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            collect(inner, true);
    }
  }

  /// The indices that `op`, with all that it contains, depends on; nothing if it is no row op.
  std::optional<unsigned> getIndices(Operation *op, bool isConditional) const {
    unsigned mask = 0;
    bool movable = !op->walk([&](Operation *inner) {
                        bool ends = inner->hasTrait<OpTrait::IsTerminator>();
                        return ends || isMovable(inner, isConditional, parallel) ? WalkResult::advance()
                                                                                 : WalkResult::interrupt();
                      }).wasInterrupted();
    auto depend = [&](Value value) {
      if (Operation *definition = value.getDefiningOp()) {
        if (!parallel->isProperAncestor(definition) || op->isAncestor(definition))
          return;
        std::optional<unsigned> own = lookup(definition);
        movable &= own.has_value();
        mask |= own.value_or(0);
      } else if (auto argument = cast<BlockArgument>(value); argument.getOwner() == parallel.getBody()) {
        movable &= argument.getArgNumber() < parallel.getRank();
        mask |= 1u << std::min(argument.getArgNumber(), parallel.getRank());
      } else if (Operation *owner = argument.getOwner()->getParentOp(); !op->isAncestor(owner)) {
        movable &= !parallel->isProperAncestor(owner); // a variable of a loop in the body
      }
    };
    op->walk([&](Operation *inner) { llvm::for_each(inner->getOperands(), depend); });
    return movable && isProperPart(mask) ? std::optional(mask) : std::nullopt;
  }

  /// Whether fewer iterations remain with these indices alone.
  bool isProperPart(unsigned mask) const {
    for (auto [number, extent] : llvm::enumerate(parallel.getStaticExtents()))
      if (extent > 1 && !(mask >> number & 1))
        return true;
    return false;
  }

  bool isUsedOutside(Value value) const {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      for (Operation *op = user; op != parallel; op = op->getParentOp())
        if (lookup(op))
          return false;
      return true;
    });
  }

  bool isWorthIt(Value value) const {
    SetVector<Operation *> slice = getSlice(value);
    return llvm::any_of(slice, [](Operation *op) {
      return op
          ->walk([](Operation *inner) {
            return isCostly(inner) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
    });
  }

public:
  /// The row ops that `value` is made of, in order.
  SetVector<Operation *> getSlice(Value value) const {
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitUsesFromAbove = false;
    options.filter = [&](Operation *op) { return lookup(op).has_value(); };
    (void)getBackwardSlice(value, &slice, options);
    return topologicalSort(slice);
  }

private:
  mutable ParallelOp parallel; // MLIR's accessors are not const
  llvm::MapVector<Operation *, unsigned> indices;
};

} // namespace

//===----------------------------------------------------------------------===//
// A parallel for a part
//===----------------------------------------------------------------------===//

/// Reads the element of `row` that belongs to the indices which `mask` names.
static Value readElement(OpBuilder &builder, Location loc, Value row, ArrayRef<Value> indices, Type type) {
  return ReadOp::create(builder, loc, type, row, indices, /*in_bounds=*/true);
}

static SmallVector<Value> selectIndices(ParallelOp parallel, unsigned mask) {
  SmallVector<Value> selected;
  for (auto [number, index] : llvm::enumerate(parallel.getIndices()))
    if (mask >> number & 1)
      selected.push_back(index);
  return selected;
}

/// Computes `value` of the body in a parallel of its own, before this one, which then reads it.
static ParallelOp hoist(Value value, const RowOps &rows, ParallelOp parallel) {
  unsigned mask = *rows.lookup(value.getDefiningOp());
  SmallVector<Value> indices = selectIndices(parallel, mask);
  SmallVector<int64_t> shape;
  for (auto [number, extent] : llvm::enumerate(parallel.getStaticExtents()))
    if (mask >> number & 1)
      shape.push_back(extent);

  Location loc = value.getLoc();
  OpBuilder builder(parallel);
  auto type = FragmentType::get(parallel.getContext(), shape, value.getType());
  Value nothing = FragmentOp::create(builder, loc, type, Value(), StringAttr());
  auto row = ParallelOp::create(builder, loc, getAsIndexOpFoldResult(parallel.getContext(), shape), nothing);
  OpBuilder body = OpBuilder::atBlockBegin(row.getBody());
  IRMapping mapping;
  mapping.map(indices, row.getIndices());
  for (Operation *op : rows.getSlice(value))
    body.clone(*op, mapping);
  WriteOp::create(body, loc, mapping.lookup(value), row.getRefs().front(), row.getIndices(),
                  /*in_bounds=*/true);

  builder.setInsertionPointAfter(value.getDefiningOp());
  value.replaceAllUsesWith(readElement(builder, loc, row.getResult(0), indices, value.getType()));
  return row;
}

//===----------------------------------------------------------------------===//
// The same part elsewhere
//===----------------------------------------------------------------------===//

namespace {
/// Whether a value of one body is a value of another, up to the names of their indices.
class SameValue {
public:
  SameValue(ParallelOp row, ParallelOp other) : row(row), other(other), renamed(row.getRank()) {}

  bool operator()(Value a, Value b) {
    if (a.getType() != b.getType())
      return false;
    if (auto index = dyn_cast<BlockArgument>(a); index && index.getOwner() == row.getBody()) {
      Value &known = renamed[index.getArgNumber()];
      const auto *own = llvm::find(other.getIndices(), b);
      if (own == other.getIndices().end() || (known ? known != b : llvm::is_contained(renamed, b)) ||
          other.getStaticExtents()[own - other.getIndices().begin()] !=
              row.getStaticExtents()[index.getArgNumber()])
        return false;
      known = b;
      return true;
    }
    Operation *definition = a.getDefiningOp(), *otherDefinition = b.getDefiningOp();
    if (!definition || !row->isProperAncestor(definition))
      return a == b;
    return otherDefinition && other->isProperAncestor(otherDefinition) && definition->getNumRegions() == 0 &&
           cast<OpResult>(a).getResultNumber() == cast<OpResult>(b).getResultNumber() &&
           OperationEquivalence::isEquivalentTo(
               definition, otherDefinition, [&](Value x, Value y) { return success((*this)(x, y)); },
               /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
  }

  /// The other body's names of the row's indices.
  ArrayRef<Value> getIndices() const { return renamed; }

private:
  ParallelOp row, other;
  SmallVector<Value> renamed;
};
} // namespace

/// Lets the other parallels of the block that compute what `row` computes read it. The first of them may
/// stand before `row`, which then moves there: it depends on nothing but what that one also uses.
static void reuse(ParallelOp row) {
  auto write = cast<WriteOp>(row.getBody()->getTerminator()->getPrevNode());
  Operation *made = write.getValue().getDefiningOp();
  for (auto other : llvm::make_early_inc_range(row->getBlock()->getOps<ParallelOp>())) {
    if (other == row || !isFreeToChange(other))
      continue;
    SmallVector<std::pair<Value, SmallVector<Value>>> found;
    other.getBody()->walk([&](Operation *op) {
      if (op->getName() != made->getName() || op->getNumResults() != made->getNumResults())
        return;
      SameValue same(row, other);
      Value value = op->getResult(cast<OpResult>(write.getValue()).getResultNumber());
      if (same(write.getValue(), value) && !llvm::is_contained(same.getIndices(), Value()))
        found.push_back({value, SmallVector<Value>(same.getIndices())});
    });
    if (found.empty())
      continue;
    if (other->isBeforeInBlock(row)) {
      row.getInits().front().getDefiningOp()->moveBefore(other);
      row->moveBefore(other);
    }
    for (auto &[value, indices] : found) {
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfter(value.getDefiningOp());
      value.replaceAllUsesWith(
          readElement(builder, value.getLoc(), row.getResult(0), indices, value.getType()));
    }
  }
}

void hoistRows(KernelOp kernel) {
  SmallVector<ParallelOp> worklist;
  kernel->walk([&](ParallelOp parallel) {
    // Without fragments it is a loop that later passes cut as they like; a fragment would tie it.
    if (isFreeToChange(parallel) && usesFragments(parallel) && parallel.getRank() < 32)
      worklist.push_back(parallel);
  });
  while (!worklist.empty()) {
    ParallelOp parallel = worklist.pop_back_val();
    for (;;) {
      RowOps rows(parallel);
      Value root = rows.findRoot();
      if (!root)
        break;
      ParallelOp row = hoist(root, rows, parallel);
      remark::passed(root.getLoc(), decision(row, "Row", "tile-simplify"))
          << ("depends on " + std::to_string(row.getRank()) + " of " + std::to_string(parallel.getRank()) +
              " indices: computed once for each, before the loop");
      reuse(row);
      worklist.push_back(row);
    }
  }
}

} // namespace tilec::tile
