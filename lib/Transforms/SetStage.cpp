//===- SetStage.cpp - tile-set-stage ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two module attributes that the stage verifier goes by.
//
//===----------------------------------------------------------------------===//

#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILESETSTAGEPASS
#include "tilec/Transforms/Passes.h.inc"

namespace {
struct TileSetStagePass : impl::TileSetStagePassBase<TileSetStagePass> {
  using TileSetStagePassBase::TileSetStagePassBase;

  void runOnOperation() override {
    getOperation()->setAttr(tile::kStageAttr, StringAttr::get(&getContext(), stage));
    if (partial)
      getOperation()->setAttr(tile::kPartialAttr, UnitAttr::get(&getContext()));
    else
      getOperation()->removeAttr(tile::kPartialAttr);
  }
};
} // namespace

} // namespace tilec
