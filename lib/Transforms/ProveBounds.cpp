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

static std::string nameOf(Value global) {
  BlockArgument pointer = getRootPointer(global);
  auto kernel = cast<KernelOp>(pointer.getOwner()->getParentOp());
  return ("'" + kernel.getArgName(pointer.getArgNumber()) + "'").str();
}

/// What the first check is about that is not proved for these indices; nothing: all are.
static std::optional<std::string> findUnproved(const ElementAccess &access, ArrayRef<LinearForm> indices,
                                               const IndexAnalysis &analysis) {
  std::optional<GlobalAccess> resolved = analysis.resolve(access.global, indices);
  if (!resolved)
    return nameOf(access.global);
  // The tensor's own dimensions come last.
  size_t numOfWindows = resolved->checks.size() - resolved->rootIndices.size();
  for (auto [number, check] : llvm::enumerate(resolved->checks))
    if (!analysis.isInBounds(check, access.op))
      return number < numOfWindows
                 ? "a window of " + nameOf(access.global)
                 : "dimension " + std::to_string(number - numOfWindows) + " of " + nameOf(access.global);
  return std::nullopt;
}

/// The same for the element, or for the corner `extents - 1` away.
static std::optional<std::string> findUnproved(const ElementAccess &access, bool lastCorner,
                                               const IndexAnalysis &analysis) {
  SmallVector<LinearForm, 4> indices, values;
  for (auto [dim, index] : llvm::enumerate(access.indices)) {
    indices.push_back(analysis.linearize(index));
    values.push_back(analysis.linearizeExactly(index));
    if (lastCorner && !indices.back().add(LinearForm(access.extents[dim] - 1)))
      return nameOf(access.global);
  }
  std::optional<std::string> unproved = findUnproved(access, indices, analysis);
  // A condition on a sum that may wrap says nothing about its parts, but what it says about the sum will do.
  if (unproved && !lastCorner && access.extents.empty() && !findUnproved(access, values, analysis))
    return std::nullopt;
  return unproved;
}

namespace {
struct TileProveBoundsPass : impl::TileProveBoundsPassBase<TileProveBoundsPass> {
  void runOnOperation() override {
    IndexAnalysis analysis(getOperation());
    getOperation()->walk([&](Operation *op) {
      SmallVector<ElementAccess, 2> tensors = getTensorAccesses(op);
      if (tensors.empty() || isInBounds(op))
        return;
      std::string names;
      for (const ElementAccess &access : tensors) {
        std::optional<std::string> unproved = findUnproved(access, false, analysis);
        if (!unproved && !access.extents.empty())
          unproved = findUnproved(access, true, analysis);
        if (unproved) {
          remark::missed(op->getLoc(), decision(op, "Guarded", "tile-prove-bounds"))
              << "may be outside " + *unproved + ": checked";
          return;
        }
        names += (names.empty() ? "" : " and ") + nameOf(access.global);
      }
      setInBounds(op);
      remark::passed(op->getLoc(), decision(op, "InBounds", "tile-prove-bounds"))
          << "always inside " + names + ": no check";
    });
  }
};
} // namespace

} // namespace tilec
