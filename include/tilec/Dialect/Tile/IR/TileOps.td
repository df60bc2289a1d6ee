//===- TileOps.td - all ops --------------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEOPS_TD
#define TILEC_DIALECT_TILE_IR_TILEOPS_TD

include "tilec/Dialect/Tile/IR/TileOpsCompute.td"
include "tilec/Dialect/Tile/IR/TileOpsKernel.td"
include "tilec/Dialect/Tile/IR/TileOpsLaunch.td"
include "tilec/Dialect/Tile/IR/TileOpsMemory.td"
include "tilec/Dialect/Tile/IR/TileOpsParallel.td"
include "tilec/Dialect/Tile/IR/TileOpsRings.td"
include "tilec/Dialect/Tile/IR/TileOpsSchedule.td"

#endif // TILEC_DIALECT_TILE_IR_TILEOPS_TD
