//===- OpsGenerated.2.cpp - generated op bodies, shard 2 --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only generated code: it compiles slowly, so nothing written by hand is here.
//
//===----------------------------------------------------------------------===//

#include "Parsing.h"
#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

#define GET_OP_DEFS_2
#include "tilec/Dialect/Tile/IR/TileOps.cpp.inc"
