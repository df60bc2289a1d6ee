//===- TileAttrBase.td - base classes of attributes --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the dialect's enumerations and attributes are printed, and the few that several files use.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEATTRBASE_TD
#define TILEC_DIALECT_TILE_IR_TILEATTRBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "tilec/Dialect/Tile/IR/TileDialect.td"
include "tilec/Dialect/Tile/IR/TileInterfaces.td"

class Tile_Enum<string name, string what, list<I32EnumAttrCase> cases> : I32EnumAttr<name, what, cases> {
  let cppNamespace = "::tilec::tile";
  let genSpecializedAttr = 0;
}

// Prints as `<case>` in an op and as `#tile.mnemonic<case>` elsewhere.
class Tile_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<Tile_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Tile_Swizzle : Tile_Enum<"Swizzle", "XOR pattern of a shared tile, by the bytes of its row", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"B32", 32, "sw32">,
  I32EnumAttrCase<"B64", 64, "sw64">, I32EnumAttrCase<"B128", 128, "sw128">]>;
def Tile_SwizzleAttr : Tile_EnumAttr<Tile_Swizzle, "swizzle">;

def Tile_RasterOrder : Tile_Enum<"RasterOrder", "direction in which a raster panel runs", [
  I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Column", 1, "column">]>;

def Tile_RasterAttr : Tile_Attr<"Raster", "raster"> {
  let summary = "order of the blocks: panels of `panel` rows (or columns) are walked one after the other";
  let parameters = (ins "int64_t":$panel, EnumParameter<Tile_RasterOrder>:$order);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // TILEC_DIALECT_TILE_IR_TILEATTRBASE_TD
