//===- ProveBounds.cpp - tile-prove-bounds -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks what IndexAnalysis can prove. For a region both corners are checked.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEPROVEBOUNDSPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

/// The first check that is not proved for these indices; -1: all are.
static int findUnproved(const ElementAccess &access, ArrayRef<LinearForm> indices, const IndexAnalysis &analysis) {
  std::optional<GlobalAccess> resolved = analysis.resolve(access.global, indices);
  if (!resolved)
    return 0;
  for (auto [number, check] : llvm::enumerate(resolved->checks))
    if (!analysis.isInBounds(check, access.op))
      return number;
  return -1;
}

/// The same for the element, or for the corner `extents - 1` away.
static int findUnproved(const ElementAccess &access, bool lastCorner, const IndexAnalysis &analysis) {
  SmallVector<LinearForm, 4> indices, values;
  for (auto [dim, index] : llvm::enumerate(access.indices)) {
    indices.push_back(analysis.linearize(index));
    values.push_back(analysis.linearizeExactly(index));
    if (lastCorner && !indices.back().add(LinearForm(access.extents[dim] - 1)))
      return dim;
  }
  int unproved = findUnproved(access, indices, analysis);
  // A condition on a sum that may wrap says nothing about its parts, but what it says about the sum will do.
  if (unproved >= 0 && !lastCorner && access.extents.empty() && findUnproved(access, values, analysis) < 0)
    return -1;
  return unproved;
}

namespace {
struct TileProveBoundsPass : impl::TileProveBoundsPassBase<TileProveBoundsPass> {
  void runOnOperation() override {
    IndexAnalysis analysis(getOperation());
    getOperation()->walk([&](Operation *op) {
      std::optional<ElementAccess> access = ElementAccess::get(op);
      if (!access || isInBounds(op))
        return;
      int unproved = findUnproved(*access, false, analysis);
      if (unproved < 0 && !access->extents.empty())
        unproved = findUnproved(*access, true, analysis);
      if (unproved < 0) {
        setInBounds(op);
        remark::passed(op->getLoc(), decision(op, "InBounds", "tile-prove-bounds"))
            << "never out of bounds";
      } else {
        remark::missed(op->getLoc(), decision(op, "Guarded", "tile-prove-bounds"))
            << "may be out of bounds: guarded" << remark::metric("Check", unproved);
      }
    });
  }
};
} // namespace

} // namespace tilec
