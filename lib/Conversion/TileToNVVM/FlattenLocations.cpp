//===- FlattenLocations.cpp - tile-flatten-locations ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's debug locations hold one line and a chain of calls. Everything else MLIR can say about a place is
// reduced to that here, once, so that passes may fuse locations without thinking about it.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Location.h"
#include "tilec/Conversion/TileToNVVM/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEFLATTENLOCATIONSPASS
#include "tilec/Conversion/TileToNVVM/Passes.h.inc"

/// A FileLineColLoc or a CallSiteLoc of two flat ones; null if there is no line anywhere.
static LocationAttr flatten(LocationAttr loc) {
  if (auto line = dyn_cast<FileLineColRange>(loc))
    return FileLineColLoc::get(line.getContext(), line.getFilename().getValue(), line.getStartLine(),
                               line.getStartColumn());
  if (auto name = dyn_cast<NameLoc>(loc))
    return flatten(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    LocationAttr callee = flatten(call.getCallee()), caller = flatten(call.getCaller());
    if (callee && caller)
      return CallSiteLoc::get(callee, caller);
    return callee ? callee : caller;
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (LocationAttr flat = flatten(part))
        return flat;
  return {};
}

namespace {
struct TileFlattenLocationsPass : impl::TileFlattenLocationsPassBase<TileFlattenLocationsPass> {
  void runOnOperation() override {
    // Ops without a line are part of what the op before them does.
    LocationAttr last = flatten(getOperation()->getLoc());
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (LocationAttr flat = flatten(op->getLoc()))
        last = flat;
      if (last)
        op->setLoc(last);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (LocationAttr flat = flatten(argument.getLoc()))
              argument.setLoc(flat);
            else if (last)
              argument.setLoc(last);
    });
  }
};
} // namespace

} // namespace tilec
