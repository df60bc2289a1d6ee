//===- OpsGenerated.3.cpp - generated op bodies, shard 3 --------*- C++ -*-===//
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

#define GET_OP_DEFS_3
#include "tilec/Dialect/Tile/IR/TileOps.cpp.inc"
