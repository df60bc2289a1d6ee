//===- Tile.td - the whole dialect, for documentation and tools --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILE_TD
#define TILEC_DIALECT_TILE_IR_TILE_TD

include "tilec/Dialect/Tile/IR/TileAttrs.td"
include "tilec/Dialect/Tile/IR/TileDialect.td"
include "tilec/Dialect/Tile/IR/TileInterfaces.td"
include "tilec/Dialect/Tile/IR/TileOps.td"
include "tilec/Dialect/Tile/IR/TileTypes.td"

#endif // TILEC_DIALECT_TILE_IR_TILE_TD
