//===- SimplifyValues.cpp - zero accumulators, idle loop values -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fragment is registers, so one that holds nothing of use is worth removing wherever it flows.
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilec::tile {

namespace {

/// gemm acc(zeros) is gemm. Only +0: a product that is -0 would leave an accumulator of -0 as it is.
struct DropZeroAccumulator : OpRewritePattern<GemmOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GemmOp gemm, PatternRewriter &rewriter) const override {
    auto acc = gemm.getAcc() ? gemm.getAcc().getDefiningOp<FragmentOp>() : FragmentOp();
    if (!acc || !acc.getInit() ||
        !(matchPattern(acc.getInit(), m_PosZeroFloat()) || matchPattern(acc.getInit(), m_Zero())))
      return failure();
    rewriter.modifyOpInPlace(gemm, [&] { gemm.getAccMutable().clear(); });
    return success();
  }
};

/// What a loop carries from iteration to iteration only to compute it anew, and nobody reads behind the loop,
/// may as well stay what it was. Upstream then removes it: it removes what is yielded unchanged.
struct StopIdleCarry : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    bool changed = false;
    for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
      if (!loop.getResult(number).use_empty() || yield.getOperand(number) == carried ||
          !reachesOnly(carried, yield, number))
        continue;
      rewriter.modifyOpInPlace(
          yield, [&, number = number, carried = carried] { yield.setOperand(number, carried); });
      changed = true;
    }
    return success(changed);
  }

  /// Whether everything computed from `value` in the block of `yield` ends in its operand `number`, without
  /// effects on the way.
  static bool reachesOnly(Value value, scf::YieldOp yield, unsigned number) {
    SmallVector<Value> worklist{value};
    llvm::SmallPtrSet<Operation *, 8> seen;
    while (!worklist.empty())
      for (OpOperand &use : worklist.pop_back_val().getUses()) {
        Operation *user = yield->getBlock()->findAncestorOpInBlock(*use.getOwner());
        if (user == yield) {
          if (use.getOperandNumber() != number)
            return false;
        } else if (!isMemoryEffectFree(user)) {
          return false;
        } else if (seen.insert(user).second) {
          llvm::append_range(worklist, user->getResults());
        }
      }
    return true;
  }
};

} // namespace

void populateValuePatterns(RewritePatternSet &patterns) {
  patterns.add<DropZeroAccumulator, StopIdleCarry>(patterns.getContext());
}

} // namespace tilec::tile
