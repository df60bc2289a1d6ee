//===- Plan.cpp - tile-plan --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds every heuristic about roles, persistence, depths and the division of products among warps; so far there
// is one plan, in which all warps do the same and every ring has one slot.
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

/// The division of the kernel's products among its warps, and why. Where a product becomes the operand of
/// another, a warp that holds whole rows hands them on in its registers, and rows' maxima and sums stay in it.
static std::pair<WarpPolicy, StringRef> choosePolicy(ArrayRef<GemmOp> gemms) {
  bool chained = llvm::any_of(gemms, [](GemmOp gemm) { return isa<FragmentType>(gemm.getA().getType()); });
  if (chained)
    return {WarpPolicy::Rows, "a product is the operand of another: warps hold whole rows"};
  return {WarpPolicy::Square, "gemm: warps hold parts that are as square as possible"};
}

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
    SmallVector<GemmOp> gemms;
    kernel->walk([&](GemmOp gemm) { gemms.push_back(gemm); });
    StringRef reason = "no gemm: every warp moves and computes its own elements";
    if (!gemms.empty()) {
      WarpPolicy policy;
      std::tie(policy, reason) = choosePolicy(gemms);
      for (GemmOp gemm : gemms)
        if (!gemm.getWarps())
          gemm.setWarps(policy);
    }
    MLIRContext *context = &getContext();
    kernel->setAttr(kPlanAttr,
                    PlanAttr::get(context, warps, ProducerKind::None, /*producer_warps=*/0, PlanMode::Uniform,
                                  /*persistent=*/false, /*rotate=*/0, DictionaryAttr(), grid.getRasterAttr(),
                                  StringAttr::get(context, reason)));
    remark::passed(kernel.getLoc(), decision(kernel, "Plan", "tile-plan"))
        << ("all warps do the same work: " + reason).str() << remark::metric("Warps", warps);
  }
};
} // namespace

} // namespace tilec
