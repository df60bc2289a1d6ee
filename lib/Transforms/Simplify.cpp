//===- Simplify.cpp - tile-simplify ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's folds and common subexpressions with ours for fragments, then loop-invariant code motion out of
// parallels. A parallel is no loop to upstream, because its iterations have no order; for code that depends
// on none of its indices that makes no difference.
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILESIMPLIFYPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

/// A read of a tensor that the kernel only reads gives the same at any time, and it is defined everywhere. A
/// mark that it is in bounds holds where the parallel runs at all, so then it must.
static bool isFixedRead(Operation *op, ParallelOp parallel) {
  auto read = dyn_cast<ReadOp>(op);
  return read && isa<GlobalType>(read.getSource().getType()) &&
         getAccessMode(read.getSource()) == AccessMode::In &&
         (!read.getInBounds() || isFreeToChange(parallel));
}

/// Moves what depends on no index in front of the parallel. Such an op runs even where the parallel has no
/// iterations, so it must be free of effects and of undefined behaviour.
static unsigned hoistInvariants(ParallelOp parallel) {
  unsigned count = 0;
  for (Operation &op : llvm::make_early_inc_range(parallel.getBody()->without_terminator())) {
    bool invariant = llvm::all_of(op.getOperands(), [&](Value operand) {
      return !parallel.getBodyRegion().isAncestor(operand.getParentRegion());
    });
    if (!invariant)
      continue;
    if (isFixedRead(&op, parallel)) {
      auto read = cast<ReadOp>(op);
      OpBuilder builder(parallel);
      auto once =
          ReadScalarOp::create(builder, op.getLoc(), read.getType(), read.getSource(), read.getIndices());
      if (read.getInBounds())
        setInBounds(once);
      read.replaceAllUsesWith(once.getResult());
      read.erase();
    } else if (op.getNumRegions() == 0 && isPure(&op)) {
      op.moveBefore(parallel);
    } else {
      continue;
    }
    ++count;
  }
  return count;
}

/// A parallel without iterations leaves its fragments as they are.
static void eraseEmpty(ParallelOp parallel) {
  bool isEmpty = llvm::any_of(parallel.getMixedExtents(), [](OpFoldResult extent) {
    std::optional<int64_t> constant = getConstantIntValue(extent);
    return constant && *constant <= 0;
  });
  if (!isEmpty)
    return;
  parallel->replaceAllUsesWith(parallel.getInits());
  parallel->erase();
}

namespace {
struct TileSimplifyPass : impl::TileSimplifyPassBase<TileSimplifyPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(set, context);
    populateValuePatterns(set);
    populateUpdatePatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // Some patterns look for two uses of one value, so equal values become one first.
    getOperation()->walk(eraseEmpty);
    if (failed(cleanUp()))
      return signalPassFailure();
    getOperation()->walk([&](ParallelOp parallel) {
      if (unsigned count = hoistInvariants(parallel))
        remark::passed(parallel.getLoc(), decision(parallel, "Hoisted", "tile-simplify"))
            << "what depends on no index is computed once, before the loop" << remark::metric("Ops", count);
    });
    hoistRows(getOperation());
    fuseParallels(getOperation());
    if (failed(cleanUp()))
      return signalPassFailure();
  }

  /// Leaves the operation with equal values merged, so that bodies that are alike are.
  LogicalResult cleanUp() {
    IRRewriter rewriter(&getContext());
    auto mergeEqual = [&] {
      DominanceInfo dominance(getOperation());
      eliminateCommonSubExpressions(rewriter, dominance, getOperation());
    };
    mergeEqual();
    LogicalResult done = applyPatternsGreedily(getOperation(), patterns);
    mergeEqual();
    return done;
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

} // namespace tilec
