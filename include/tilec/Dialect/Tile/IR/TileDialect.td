//===- TileDialect.td - the tile dialect -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself. One dialect serves the stages `tile`, `layout` and `schedule`; the module attribute
// `tile.stage` says which of them a module is at, and StageVerifier.cpp says what is true there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEDIALECT_TD
#define TILEC_DIALECT_TILE_IR_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tilec::tile";
  let summary = "What a thread block does, tile by tile, and how it is spread over threads";
  let description = [{
    A module goes through three stages with the same ops:

    - `tile`: the program as written, in SSA form, without layouts;
    - `layout`: every fragment and shared tile has a layout, every gemm an instruction;
    - `schedule`: rings, roles, pending registers, barriers and shared memory offsets are explicit.

    Scalars are upstream `arith`, `math` and `scf` on signless types; an index is an `i64`. Element types of
    tiles and tensors carry signedness (`ui8`), a read gives the signless type (`i8`).
    Fragments are values: an op never changes one, it returns a new one.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // TILEC_DIALECT_TILE_IR_TILEDIALECT_TD
