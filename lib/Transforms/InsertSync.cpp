//===- InsertSync.cpp - tile-insert-sync -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the statements of a block in program order with the accesses since the last barrier in hand. An
// access that conflicts with one of them gets a barrier in front. Loops are walked until the set at their
// start no longer grows; all control flow outside of parallels is uniform, so a barrier may stand anywhere in
// it. ElementMap.h knows which conflicts stay within threads.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "tilec/Transforms/ElementMap.h"
#include "tilec/Transforms/Passes.h"
#include <map>

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
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        visitWhile(loop, pending);
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        visitFor(loop, pending);
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

  void visitFor(scf::ForOp loop, Pending &pending) {
    if (loop->hasAttr(kChunkAttr)) {
      // The chunks of a parallel are its iterations, which have no order: one barrier in front will do.
      visitStatement(loop, pending);
      return;
    }
    // The accesses of one iteration are pending at the start of the next.
    for (size_t before = ~size_t(0); before != pending.size();) {
      before = pending.size();
      Pending inside = pending;
      visit(*loop.getBody(), inside);
      merge(pending, inside);
    }
  }

  void visitWhile(scf::WhileOp loop, Pending &pending) {
    // It is left after its condition, whose accesses are pending at the start of its body and behind it.
    Pending exit;
    for (size_t before = ~size_t(0); before != pending.size();) {
      before = pending.size();
      exit = pending;
      visit(*loop.getBeforeBody(), exit);
      Pending inside = exit;
      visit(*loop.getAfterBody(), inside);
      merge(pending, inside);
    }
    pending = std::move(exit);
  }

  void visitStatement(Operation *statement, Pending &pending) {
    Pending accesses;
    statement->walk([&](Operation *op) {
      std::optional<ElementAccess> access = ElementAccess::get(op);
      if (!access || getAccessMode(access->global) == AccessMode::In)
        return;
      ParallelOp parallel = access->getParallel();
      accesses.push_back(
          {op, parallel ? parallel : op, getRootPointer(access->global), access->writes, isa<AtomicOp>(op)});
    });
    for (const TensorAccess &later : accesses)
      for (const TensorAccess &earlier : pending)
        if (conflicts(earlier, later)) {
          OpBuilder builder(statement);
          std::string reason = ("'" + kernel.getArgName(later.root.getArgNumber()) + "' is handed on").str();
          BarrierOp::create(builder, statement->getLoc(), reason);
          remark::passed(statement->getLoc(), decision(statement, "Barrier", "tile-insert-sync"))
              << reason + " from an earlier statement";
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

  /// Each thread touches, in both, elements of its own.
  bool sameThread(const TensorAccess &a, const TensorAccess &b) {
    bool aOnce = isa<WriteScalarOp, AtomicOp>(a.statement), bOnce = isa<WriteScalarOp, AtomicOp>(b.statement);
    if (aOnce && bOnce)
      return true; // one and the same thread
    const std::optional<ElementMap> &x = mapOf(a), &y = mapOf(b);
    return x && y && ElementMap::isSameThread(*x, *y, analysis);
  }

  const std::optional<ElementMap> &mapOf(const TensorAccess &access) {
    auto [it, isNew] = maps.try_emplace(access.op);
    if (isNew)
      it->second = ElementMap::get(*ElementAccess::get(access.op), access.statement, analysis);
    return it->second;
  }

  mutable KernelOp kernel; // MLIR's accessors are not const
  IndexAnalysis analysis;
  std::map<Operation *, std::optional<ElementMap>> maps;
};

struct TileInsertSyncPass : impl::TileInsertSyncPassBase<TileInsertSyncPass> {
  void runOnOperation() override { SyncInserter(getOperation()).run(); }
};
} // namespace

} // namespace tilec
