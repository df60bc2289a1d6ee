//===- SimplifyUpdates.cpp - fragments under update --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parallel takes a fragment and gives a new one. Here it loses the fragments that it need not take: because
// it changes nothing in them, because nobody wants the result, or because it writes every element anyway. For
// that an element that an iteration wrote and reads again must be the scalar that it is.
//
// Everything rests on the meaning of a reference: an iteration sees its own writes in order, and elements
// that others write as they were before the loop.
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilec::tile {

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static bool runsAtLeastOnce(ParallelOp parallel) {
  return llvm::all_of(parallel.getStaticExtents(), [](int64_t extent) { return extent >= 1; });
}

bool isFreeToChange(ParallelOp parallel) { return !parallel.getLayout() && runsAtLeastOnce(parallel); }

/// The object that an op of a body accesses by element, or null.
static Value getObject(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([](ReadOp read) { return read.getSource(); })
      .Case<WriteOp, UpdateOp>([](auto write) { return write.getDest(); })
      .Default([](Operation *) { return Value(); });
}

ValueRange getIndices(Operation *access) {
  return llvm::TypeSwitch<Operation *, ValueRange>(access).Case<ReadOp, WriteOp, UpdateOp>(
      [](auto op) { return ValueRange(op.getIndices()); });
}

SmallVector<Operation *> getAccesses(Value object, ParallelOp parallel) {
  SmallVector<Operation *> accesses;
  parallel.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (getObject(op) == object)
      accesses.push_back(op);
  });
  return accesses;
}

bool isOwnElement(ValueRange indices, ParallelOp parallel) {
  for (Value index : indices)
    if (!llvm::is_contained(parallel.getIndices(), index) && !matchPattern(index, m_Constant()))
      return false;
  for (auto [index, extent] : llvm::zip_equal(parallel.getIndices(), parallel.getStaticExtents()))
    if (extent != 1 && !llvm::is_contained(indices, index))
      return false;
  return true;
}

bool keepsValues(Type element) { return !isa<FloatTF32Type>(element) && storageBits(element) >= 8; }

/// Whether the iterations together name every element of `object` with these indices.
static bool coversAll(ValueRange indices, Value object, ParallelOp parallel) {
  ArrayRef<int64_t> shape = cast<ObjectTypeInterface>(object.getType()).getShape();
  llvm::SmallBitVector used(parallel.getRank());
  for (auto [index, extent] : llvm::zip_equal(indices, shape)) {
    if (extent == 1)
      continue;
    const auto *own = llvm::find(parallel.getIndices(), index);
    unsigned number = own - parallel.getIndices().begin();
    if (number == parallel.getRank() || parallel.getStaticExtents()[number] != extent || used.test(number))
      return false;
    used.set(number);
  }
  return runsAtLeastOnce(parallel);
}

static bool isFor(Value object, Operation *op) { return getObject(op) == object; }

/// Whether `op` or something in it writes or updates an element of `reference`.
static bool mayChange(Value reference, Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        return isFor(reference, inner) && !isa<ReadOp>(inner) ? WalkResult::interrupt()
                                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isUninitialised(Value fragment) {
  auto made = fragment.getDefiningOp<FragmentOp>();
  return made && !made.getInit();
}

//===----------------------------------------------------------------------===//
// Elements within an iteration
//===----------------------------------------------------------------------===//

namespace {

/// The scalar that all elements of a fragment are, if it was made so.
Value getFilling(Value fragment) {
  auto made = fragment.getDefiningOp<FragmentOp>();
  return made && keepsValues(made.getType().getElementType()) ? made.getInit() : Value();
}

/// An element of a filled fragment is what it was filled with.
template <typename Read> struct ReadFilled : OpRewritePattern<Read> {
  using OpRewritePattern<Read>::OpRewritePattern;

  LogicalResult matchAndRewrite(Read read, PatternRewriter &rewriter) const override {
    Value filling = getFilling(read.getSource());
    if (!filling)
      return failure();
    rewriter.replaceOp(read, filling);
    return success();
  }
};

/// A read of an element that the same iteration has just written, or read, is that scalar: an iteration sees
/// its own writes in program order, and nobody else's.
class ForwardElements : public OpRewritePattern<ParallelOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ParallelOp parallel, PatternRewriter &rewriter) const override {
    if (parallel.getInits().empty())
      return failure();
    Known known;
    for (auto [reference, init] : llvm::zip_equal(parallel.getRefs(), parallel.getInits()))
      known.push_back({reference, {}, getFilling(init)});
    bool changed = false;
    forward(*parallel.getBody(), known, changed, rewriter);
    return success(changed);
  }

private:
  /// What is known of one reference: the scalars of some elements, and the one that all are while it is
  /// untouched.
  struct Reference {
    Value reference;
    SmallVector<std::pair<SmallVector<Value>, Value>> elements;
    Value filling;

    void forget() {
      elements.clear();
      filling = Value();
    }
  };
  using Known = SmallVector<Reference>;

  static void forward(Block &block, Known &known, bool &changed, PatternRewriter &rewriter) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.getNumRegions() != 0) {
        // A loop may come back with what it wrote; a branch starts with what is known here.
        Known inside = known;
        for (auto [within, behind] : llvm::zip_equal(inside, known))
          if (mayChange(behind.reference, &op)) {
            behind.forget();
            if (!isa<scf::IfOp>(op))
              within.forget();
          }
        for (Region &region : op.getRegions())
          for (Block &inner : region) {
            Known own = inside;
            forward(inner, own, changed, rewriter);
          }
        continue;
      }
      auto *entry = llvm::find_if(known, [&](Reference &entry) { return isFor(entry.reference, &op); });
      if (entry == known.end())
        continue;
      SmallVector<Value> indices(getIndices(&op));
      auto read = dyn_cast<ReadOp>(op);
      if (!read) {
        // Another index may name the same element.
        entry->forget();
        if (auto write = dyn_cast<WriteOp>(op);
            write && keepsValues(cast<FragRefType>(write.getDest().getType()).getElementType()))
          entry->elements.push_back({indices, write.getValue()});
        continue;
      }
      auto *element = llvm::find_if(entry->elements, [&](auto &element) { return element.first == indices; });
      Value value = element != entry->elements.end() ? element->second : entry->filling;
      if (!value) {
        entry->elements.push_back({indices, read.getResult()});
        continue;
      }
      rewriter.replaceOp(read, value);
      changed = true;
    }
  }
};

/// A write goes if the same iteration overwrites it before anybody could read it.
struct DropOverwritten : OpRewritePattern<WriteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WriteOp write, PatternRewriter &rewriter) const override {
    if (!isa<FragRefType>(write.getDest().getType()))
      return failure();
    for (Operation *op = write->getNextNode(); op; op = op->getNextNode()) {
      if (auto later = dyn_cast<WriteOp>(op);
          later && later.getDest() == write.getDest() && later.getIndices() == write.getIndices()) {
        rewriter.eraseOp(write);
        return success();
      }
      // A condition may overwrite it or not, and what is read may be this element.
      bool isSeen = op->walk([&](Operation *inner) {
                        return isFor(write.getDest(), inner) && !isa<WriteOp>(inner) ? WalkResult::interrupt()
                                                                                     : WalkResult::advance();
                      }).wasInterrupted();
      if (isSeen)
        return failure();
    }
    return failure();
  }
};

//===----------------------------------------------------------------------===//
// Fragments that a parallel takes
//===----------------------------------------------------------------------===//

/// Leaves out the fragments in `dropped`, whose references and results nobody uses any more.
void dropUpdates(ParallelOp parallel, const llvm::BitVector &dropped, PatternRewriter &rewriter) {
  SmallVector<Value> inits, results;
  for (auto [number, init] : llvm::enumerate(parallel.getInits()))
    if (!dropped.test(number))
      inits.push_back(init);
  auto smaller = ParallelOp::create(rewriter, parallel.getLoc(), parallel.getMixedExtents(), inits);
  smaller.setLayoutAttr(parallel.getLayoutAttr());
  smaller->setDiscardableAttrs(parallel->getDiscardableAttrDictionary());
  llvm::BitVector arguments(parallel.getRank());
  arguments.resize(parallel.getBody()->getNumArguments());
  for (unsigned number : dropped.set_bits())
    arguments.set(parallel.getRank() + number);
  parallel.getBody()->eraseArguments(arguments);
  rewriter.eraseBlock(smaller.getBody());
  rewriter.inlineRegionBefore(parallel.getRegion(), smaller.getRegion(), smaller.getRegion().end());
  unsigned next = 0;
  for (auto [number, result] : llvm::enumerate(parallel.getResults()))
    if (!dropped.test(number))
      rewriter.replaceAllUsesWith(result, smaller.getResult(next++));
  rewriter.eraseOp(parallel);
}

/// A fragment that is not written is the same after the loop, and one that nobody reads afterwards, nor in
/// the loop, need not be written.
struct DropUpdates : OpRewritePattern<ParallelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ParallelOp parallel, PatternRewriter &rewriter) const override {
    llvm::BitVector dropped(parallel.getInits().size());
    for (auto [number, reference] : llvm::enumerate(parallel.getRefs())) {
      SmallVector<Operation *> accesses = getAccesses(reference, parallel);
      Value init = parallel.getInits()[number], result = parallel.getResult(number);
      if (llvm::all_of(accesses, llvm::IsaPred<ReadOp>)) {
        for (Operation *read : accesses)
          rewriter.modifyOpInPlace(read, [&] { cast<ReadOp>(read).getSourceMutable().assign(init); });
        rewriter.replaceAllUsesWith(result, init);
        dropped.set(number);
      } else if (result.use_empty() && llvm::none_of(accesses, llvm::IsaPred<ReadOp>)) {
        for (Operation *access : accesses)
          rewriter.eraseOp(access);
        dropped.set(number);
      }
    }
    if (dropped.none())
      return failure();
    dropUpdates(parallel, dropped, rewriter);
    return success();
  }
};

/// A fragment whose every element is written, before the iteration that writes it reads it and without
/// another one reading it, may hold anything before. That frees what held it: a loop need not carry it.
struct ForgetOverwrittenInit : OpRewritePattern<ParallelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ParallelOp parallel, PatternRewriter &rewriter) const override {
    bool changed = false;
    for (auto [number, reference] : llvm::enumerate(parallel.getRefs())) {
      Value init = parallel.getInits()[number];
      SmallVector<Operation *> accesses = getAccesses(reference, parallel);
      if (isUninitialised(init) || accesses.empty() || !isa<WriteOp>(accesses.front()) ||
          accesses.front()->getBlock() != parallel.getBody())
        continue;
      ValueRange indices = getIndices(accesses.front());
      // A read at other indices is of another iteration's element, and an update combines with what was
      // there.
      auto agrees = [&](Operation *access) {
        return isa<WriteOp>(access) || (isa<ReadOp>(access) && getIndices(access) == indices);
      };
      if (!coversAll(indices, reference, parallel) || !llvm::all_of(accesses, agrees))
        continue;
      rewriter.setInsertionPoint(parallel);
      Value nothing = FragmentOp::create(rewriter, init.getLoc(), init.getType(), Value(), StringAttr());
      rewriter.modifyOpInPlace(parallel,
                               [&, number = number] { parallel.getInitsMutable()[number].set(nothing); });
      changed = true;
    }
    return success(changed);
  }
};

/// A fragment made by copying another element by element is that other one.
struct CopiedFragment : OpRewritePattern<ParallelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ParallelOp parallel, PatternRewriter &rewriter) const override {
    bool changed = false;
    for (auto [reference, result] : llvm::zip_equal(parallel.getRefs(), parallel.getResults())) {
      SmallVector<Operation *> accesses = getAccesses(reference, parallel);
      auto write = accesses.size() == 1 ? dyn_cast<WriteOp>(accesses.front()) : WriteOp();
      auto read = write ? write.getValue().getDefiningOp<ReadOp>() : ReadOp();
      if (result.use_empty() || !read || read.getSource().getType() != result.getType() ||
          write->getBlock() != parallel.getBody() || read.getIndices() != write.getIndices() ||
          !coversAll(write.getIndices(), reference, parallel))
        continue;
      rewriter.replaceAllUsesWith(result, read.getSource());
      changed = true;
    }
    return success(changed);
  }
};

} // namespace

void populateUpdatePatterns(RewritePatternSet &patterns) {
  patterns.add<ReadFilled<ReadOp>, ReadFilled<ReadScalarOp>, ForwardElements, DropOverwritten, DropUpdates,
               ForgetOverwrittenInit, CopiedFragment>(patterns.getContext());
}

} // namespace tilec::tile
