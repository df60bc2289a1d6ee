//===- LowerRings.cpp - tile-lower-rings -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring of one slot whose puts and gets all threads make by ordinary accesses is that slot: a put has waited
// until the slot was released, in program order, and what is left to order are accesses.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/Diagnostics.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILELOWERRINGSPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

/// What this version cannot lower of a ring, or nothing.
static std::string findObstacle(RingOp ring) {
  if (ring->getParentOfType<RolesOp>() ||
      llvm::any_of(ring->getUsers(), [](Operation *user) { return user->getParentOfType<RolesOp>(); }))
    return "a ring in roles";
  if (ring.getDepth() != 1)
    return "a ring of " + std::to_string(ring.getDepth()) + " slots";
  if (ring.getPut() != Path::Generic)
    return ("a ring put by " + stringifyPath(ring.getPut())).str();
  if (ring.getGet() != Path::Generic && ring.getGet() != Path::Matrix)
    return ("a ring got by " + stringifyPath(ring.getGet())).str();
  for (Operation *user : ring->getUsers())
    if (!isa<RingPutOp, RingGetOp, RingReleaseOp>(user))
      return ("'" + user->getName().getStringRef() + "'").str();
  return "";
}

static void lower(RingOp ring) {
  OpBuilder builder(ring);
  auto tile = SharedOp::create(builder, ring.getLoc(), slotType(ring.getType()), ring.getNameAttr(),
                               /*swizzle=*/nullptr, ring.getOffsetAttr());
  for (Operation *user : llvm::make_early_inc_range(ring->getUsers())) {
    if (auto put = dyn_cast<RingPutOp>(user)) {
      put.getSlot().replaceAllUsesWith(tile);
      Block *body = put.getBody();
      put->getBlock()->getOperations().splice(put->getIterator(), body->getOperations(), body->begin(),
                                              body->getTerminator()->getIterator());
    } else if (auto get = dyn_cast<RingGetOp>(user)) {
      get.getSlot().replaceAllUsesWith(tile);
    }
    user->erase();
  }
  ring->erase();
}

namespace {
struct TileLowerRingsPass : impl::TileLowerRingsPassBase<TileLowerRingsPass> {
  void runOnOperation() override {
    SmallVector<RingOp> rings;
    getOperation()->walk([&](RingOp ring) { rings.push_back(ring); });
    for (RingOp ring : rings) {
      std::string reason = findObstacle(ring);
      if (reason.empty()) {
        lower(ring);
        continue;
      }
      ring.emitError() << formatMessage(getDiagInfo(DiagId::NotSupportedYet).message, {DiagArg(reason)});
      signalPassFailure();
    }
  }
};
} // namespace

} // namespace tilec
