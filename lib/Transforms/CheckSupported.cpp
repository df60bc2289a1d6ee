//===- CheckSupported.cpp - tile-check-supported -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that later passes cannot compile yet is refused here, at its place in the program. A row of the
// two tables below goes when the op comes.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/Diagnostics.h"
#include "tilec/Transforms/CopyPad.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILECHECKSUPPORTEDPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

/// What the program calls an op that is not compiled yet, or empty.
static StringRef getUnsupportedName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<SharedOp, SubviewOp>([](auto) { return "a shared tile"; })
      .Case([](GemmOp) { return "gemm"; })
      .Case([](ReduceOp) { return "a reduction"; })
      .Case([](ScanOp) { return "a scan"; })
      .Case([](TransposeOp) { return "transpose"; })
      .Case([](ExtractSliceOp) { return "a region of a fragment"; })
      .Case([](InsertSliceOp insert) {
        return getUniformInit(insert.getValue()) ? "" : "a region of a fragment";
      })
      .Default([](Operation *) { return ""; });
}

static StringRef findReason(Operation *op) {
  if (StringRef name = getUnsupportedName(op); !name.empty())
    return name;
  auto checkElement = [&](Value object, ValueRange indices) -> StringRef {
    if (!isa<FragmentType, FragRefType>(object.getType()))
      return "";
    return matchIndices(object, indices, op->getParentOfType<ParallelOp>())
               ? ""
               : "an element of a fragment that another iteration holds";
  };
  if (auto read = dyn_cast<ReadOp>(op))
    return checkElement(read.getSource(), read.getIndices());
  if (auto write = dyn_cast<WriteOp>(op))
    return checkElement(write.getDest(), write.getIndices());
  if (auto update = dyn_cast<UpdateOp>(op))
    return checkElement(update.getDest(), update.getIndices());
  if (auto read = dyn_cast<ReadScalarOp>(op); read && isa<FragmentType>(read.getSource().getType()))
    return "reading one element of a fragment for the block";
  if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getPad() && isConverting(copy) && !findSourcePad(copy))
    return "a padded copy between tensors of different types whose pad the source's type does not hold";
  if (auto parallel = dyn_cast<ParallelOp>(op)) {
    if (!usesFragments(parallel) || getFragmentExtents(parallel))
      return "";
    // An access that does not match says so itself.
    bool accessesMatch =
        !parallel.getBody()
             ->walk([](Operation *inner) {
               return findReason(inner).empty() ? WalkResult::advance() : WalkResult::interrupt();
             })
             .wasInterrupted();
    return accessesMatch ? "fragments of different extents in one 'parallel'" : "";
  }
  return "";
}

namespace {
struct TileCheckSupportedPass : impl::TileCheckSupportedPassBase<TileCheckSupportedPass> {
  void runOnOperation() override {
    bool failed = false;
    getOperation()->walk([&](Operation *op) {
      StringRef reason = findReason(op);
      if (reason.empty())
        return;
      failed = true;
      op->emitError() << formatMessage(getDiagInfo(DiagId::NotSupportedYet).message, {DiagArg(reason)});
    });
    if (failed)
      signalPassFailure();
  }
};
} // namespace

} // namespace tilec
