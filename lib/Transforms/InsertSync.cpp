//===- InsertSync.cpp - tile-insert-sync -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the statements of a block in program order with the accesses since the last barrier in hand. An
// access that conflicts with one of them gets a barrier in front. Loops are walked until the set at their
// start no longer grows; all control flow outside of parallels is uniform, so a barrier may stand anywhere in
// it.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEINSERTSYNCPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

namespace {

/// One access of a statement to a tensor.
struct TensorAccess {
  Operation *op;        // the access
  Operation *statement; // the parallel it is in, or itself
  BlockArgument root;
  bool writes, atomic;

  friend bool operator==(const TensorAccess &a, const TensorAccess &b) { return a.op == b.op; }
};
using Pending = SmallVector<TensorAccess>;

class SyncInserter {
public:
  SyncInserter(KernelOp kernel) : kernel(kernel), analysis(kernel) {}

  void run() {
    Pending pending;
    visit(*kernel.getGrid().getBody(), pending);
  }

private:
  static void merge(Pending &into, const Pending &other) {
    for (const TensorAccess &access : other)
      if (!llvm::is_contained(into, access))
        into.push_back(access);
  }

  void visit(Block &block, Pending &pending) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<BarrierOp>(op)) {
        pending.clear();
      } else if (isa<ParallelOp>(op) || op.getNumRegions() == 0) {
        visitStatement(&op, pending);
      } else if (isa<LoopLikeOpInterface>(op)) {
        // The accesses of one iteration are pending at the start of the next.
        for (size_t before = ~size_t(0); before != pending.size();) {
          before = pending.size();
          Pending inside = pending;
          for (Region &region : op.getRegions())
            visit(region.front(), inside);
          merge(pending, inside);
        }
      } else {
        Pending before = pending, after;
        for (Region &region : op.getRegions()) {
          Pending inside = before;
          if (!region.empty())
            visit(region.front(), inside);
          merge(after, inside);
        }
        pending = std::move(after);
      }
    }
  }

  void visitStatement(Operation *statement, Pending &pending) {
    Pending accesses;
    statement->walk([&](Operation *op) {
      std::optional<ElementAccess> access = ElementAccess::get(op);
      if (!access || getAccessMode(access->global) == AccessMode::In)
        return;
      accesses.push_back({op, statement, getRootPointer(access->global), access->writes, isa<AtomicOp>(op)});
    });
    for (const TensorAccess &later : accesses)
      for (const TensorAccess &earlier : pending)
        if (conflicts(earlier, later)) {
          OpBuilder builder(statement);
          std::string reason = ("'" + kernel.getArgName(later.root.getArgNumber()) + "' is handed on").str();
          BarrierOp::create(builder, statement->getLoc(), reason);
          remark::passed(statement->getLoc(),
                         remark::RemarkOpts::name("Barrier").category("tile-insert-sync"))
              << reason << " from an earlier statement";
          pending = accesses;
          return;
        }
    merge(pending, accesses);
  }

  bool conflicts(const TensorAccess &earlier, const TensorAccess &later) {
    if (earlier.root != later.root || (!earlier.writes && !later.writes) || (earlier.atomic && later.atomic))
      return false;
    return !sameThread(earlier, later);
  }

  /// Each thread touches, in both, the same elements of its own, in program order.
  bool sameThread(const TensorAccess &a, const TensorAccess &b) {
    bool aOnce = isa<WriteScalarOp, AtomicOp>(a.statement), bOnce = isa<WriteScalarOp, AtomicOp>(b.statement);
    if (aOnce && bOnce)
      return true; // one and the same thread
    Attribute layout = layoutOf(a.statement);
    if (!layout || layout != layoutOf(b.statement))
      return false;
    SmallVector<LinearForm, 4> aIndices = indicesOf(a), bIndices = indicesOf(b);
    if (aIndices.size() != bIndices.size())
      return false;
    for (auto [x, y] : llvm::zip_equal(aIndices, bIndices))
      if (!(x == rename(y, b.statement, a.statement)) || !isInvariant(x, a, b))
        return disjoint(a, b);
    return true;
  }

  static Attribute layoutOf(Operation *statement) {
    if (auto parallel = dyn_cast<ParallelOp>(statement))
      return parallel.getLayoutAttr();
    if (auto load = dyn_cast<LoadOp>(statement))
      return load.getType().getLayout();
    if (auto store = dyn_cast<StoreOp>(statement))
      return store.getValue().getType().getLayout();
    return Attribute();
  }

  SmallVector<LinearForm, 4> indicesOf(const TensorAccess &access) const {
    std::optional<ElementAccess> element = ElementAccess::get(access.op);
    std::optional<GlobalAccess> resolved = analysis.resolve(element->global, element->indices);
    return resolved ? resolved->rootIndices : SmallVector<LinearForm, 4>();
  }

  /// A form over the indices of one parallel, over those of another.
  static LinearForm rename(const LinearForm &form, Operation *from, Operation *to) {
    auto source = dyn_cast<ParallelOp>(from), target = dyn_cast<ParallelOp>(to);
    if (!source || !target || source.getRank() != target.getRank())
      return form;
    LinearForm result(form.getConstant());
    for (auto [symbol, coefficient] : form.getTerms()) {
      auto iv = llvm::find(source.getIndices(), symbol);
      Value name =
          iv == source.getIndices().end() ? symbol : target.getIndices()[iv - source.getIndices().begin()];
      (void)result.add(LinearForm::symbol(name), coefficient);
    }
    return result;
  }

  /// Whether the form means the same in both statements: a symbol that a loop round them changes does not,
  /// once the second is reached in a later iteration.
  bool isInvariant(const LinearForm &form, const TensorAccess &a, const TensorAccess &b) const {
    return llvm::all_of(form.getTerms(), [&](auto term) {
      Operation *definer = term.first.getParentBlock()->getParentOp();
      if (definer == a.statement || definer == b.statement)
        return true;
      for (Operation *op = definer; op && op != kernel; op = op->getParentOp())
        if (isa<LoopLikeOpInterface>(op))
          return false;
      return true;
    });
  }

  /// The same element in different iterations of a loop, which steps over more than one of them spans.
  bool disjoint(const TensorAccess &a, const TensorAccess &b) {
    auto loop = dyn_cast<scf::ForOp>(a.statement->getParentOp());
    APInt step;
    if (a.statement != b.statement || indicesOf(a) != indicesOf(b) || !loop ||
        !matchPattern(loop.getStep(), m_ConstantInt(&step)))
      return false;
    std::optional<ElementAccess> element = ElementAccess::get(a.op);
    for (auto [dim, index] : llvm::enumerate(indicesOf(a))) {
      int64_t span = element->extents.empty() ? 0 : element->extents[dim] - 1;
      bool known = true;
      auto parallel = dyn_cast<ParallelOp>(a.statement);
      for (auto [symbol, coefficient] : index.getTerms()) {
        if (symbol == loop.getInductionVar())
          continue;
        Operation *definer = symbol.getParentBlock()->getParentOp();
        if (parallel && definer == parallel) {
          auto iv = llvm::find(parallel.getIndices(), symbol);
          int64_t extent = iv == parallel.getIndices().end()
                               ? ShapedType::kDynamic
                               : parallel.getStaticExtents()[iv - parallel.getIndices().begin()];
          // A chunk's dynamic extent is at most the loop's step.
          if (ShapedType::isDynamic(extent))
            extent = step.getSExtValue();
          span += std::abs(coefficient) * (extent - 1);
        } else if (loop->isProperAncestor(definer) || definer == loop) {
          known = false;
        }
      }
      if (known && std::abs(index.getCoefficient(loop.getInductionVar())) * step.getSExtValue() > span)
        return true;
    }
    return false;
  }

  mutable KernelOp kernel; // MLIR's accessors are not const
  IndexAnalysis analysis;
};

struct TileInsertSyncPass : impl::TileInsertSyncPassBase<TileInsertSyncPass> {
  void runOnOperation() override { SyncInserter(getOperation()).run(); }
};
} // namespace

} // namespace tilec
