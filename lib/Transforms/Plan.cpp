//===- Plan.cpp - tile-plan --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds every heuristic about roles, persistence and depths; so far there is one plan, in which all warps do
// the same, because nothing that is compiled yet waits for anything but memory.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEPLANPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

namespace {
struct TilePlanPass : impl::TilePlanPassBase<TilePlanPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    GridOp grid = kernel.getGrid();
    int64_t warps = grid.getThreads() / 32;
    if (auto plan = kernel->getAttrOfType<PlanAttr>(kPlanAttr)) {
      if (plan.getConsumers() != warps) {
        kernel.emitError() << "the plan has " << plan.getConsumers() << " consumer warps, the grid " << warps;
        signalPassFailure();
      }
      return;
    }
    StringRef reason = "no gemm: every warp moves and computes its own elements";
    MLIRContext *context = &getContext();
    kernel->setAttr(kPlanAttr,
                    PlanAttr::get(context, warps, ProducerKind::None, /*producer_warps=*/0, PlanMode::Uniform,
                                  /*persistent=*/false, /*rotate=*/0, DictionaryAttr(), grid.getRasterAttr(),
                                  StringAttr::get(context, reason)));
    remark::passed(kernel.getLoc(), decision(kernel, "Plan", "tile-plan"))
        << ("uniform plan: " + reason).str() << remark::metric("Warps", warps);
  }
};
} // namespace

} // namespace tilec
