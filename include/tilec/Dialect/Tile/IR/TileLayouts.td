//===- TileLayouts.td - layouts ----------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named layouts. Each answers with a tilec::Layout, on which all algebra is done; the names are for reading.
// Distributed layouts say which register of which thread holds an element, the others where in memory it is.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILELAYOUTS_TD
#define TILEC_DIALECT_TILE_IR_TILELAYOUTS_TD

include "tilec/Dialect/Tile/IR/TileAttrBase.td"

class Tile_LayoutAttr<string name, string mnemonic>
    : Tile_Attr<name, mnemonic, [DeclareAttrInterfaceMethods<LayoutAttrInterface>]> {
  let genVerifyDecl = 1;
}

class Tile_I64List<string what> : ArrayRefParameter<"int64_t", what> {
  let parser = "::tilec::tile::parseI64List($_parser)";
  let printer = "::tilec::tile::printI64List($_printer, $_self)";
}

def Tile_BlockedAttr : Tile_LayoutAttr<"Blocked", "blocked"> {
  let summary = "vectors, lanes, warps and repetitions along each dimension";
  let description = [{
    A thread holds `vector` elements in a row along each dimension, `lanes` threads and `warps` warps follow each
    other, and all of that is repeated `reps` times. The last dimension runs fastest.

    Example: `#tile.blocked<vector = [1, 4], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>`
  }];
  let parameters = (ins Tile_I64List<"elements of a vector">:$vector, Tile_I64List<"threads of a warp">:$lanes,
                        Tile_I64List<"warps">:$warps, Tile_I64List<"repetitions">:$reps);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_MmaOperand : Tile_Enum<"MmaOperand", "which matrix of a matrix instruction", [
  I32EnumAttrCase<"Acc", 0, "acc">, I32EnumAttrCase<"A", 1, "a">, I32EnumAttrCase<"B", 2, "b">]>;

def Tile_MmaAttr : Tile_LayoutAttr<"Mma", "mma"> {
  let summary = "fragment of `mma.sync` m16n8 or m8n8";
  let description = [{
    PTX ISA, "Matrix fragments for mma.m16n8k…". The atom is 16x8 for `acc`, 16 x 256 bits for `a`, 256 bits x 8 for
    `b`; `bits` is the width of an element. With 64 bits it is m8n8k4: 8x8 for `acc`, 8x4 for `a`, 4x8 for `b`. `warps` divide the gemm's m and n (a warp of another n holds the same A),
    `reps` repeats the atom along the fragment's two dimensions.

    Example: `#tile.mma<acc, bits = 32, warps = [2, 2], reps = [2, 4]>`
  }];
  let parameters = (ins EnumParameter<Tile_MmaOperand>:$operand, "unsigned":$bits, Tile_I64List<"m and n">:$warps,
                        Tile_I64List<"rows and columns">:$reps);
  let assemblyFormat = "`<` $operand `,` struct($bits, $warps, $reps) `>`";
}

def Tile_WgmmaAccAttr : Tile_LayoutAttr<"WgmmaAcc", "wgmma_acc"> {
  let summary = "accumulator of `wgmma` m64nN";
  let description = [{
    PTX ISA, "Register fragments and shared memory matrix layouts", matrix D: a warpgroup holds 64 rows, `n` columns.
    `warpgroups` divide m and n, `reps` repeats along both.

    Example: `#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>`
  }];
  let parameters = (ins "int64_t":$n, Tile_I64List<"m and n">:$warpgroups, Tile_I64List<"m and n">:$reps);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_WgmmaAAttr : Tile_LayoutAttr<"WgmmaA", "wgmma_a"> {
  let summary = "A operand of `wgmma` in registers";
  let description = [{
    PTX ISA, the same chapter, matrix A: 64 rows, 256 bits of k. `warpgroups` divide m and n (those of another n hold
    the same A), `reps` repeats along m and k. For 16-bit elements its element (i, k) is where `wgmma_acc` has it, so a
    narrowed accumulator becomes an A operand without any exchange.

    Example: `#tile.wgmma_a<bits = 16, warpgroups = [2, 1], reps = [1, 8]>`
  }];
  let parameters = (ins "unsigned":$bits, Tile_I64List<"m and n">:$warpgroups, Tile_I64List<"m and k">:$reps);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_Parts : Tile_Enum<"Parts", "what is left of an axis that was folded", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Warps", 1, "warps">, I32EnumAttrCase<"Threads", 2, "threads">]>;
def Tile_PartsAttr : Tile_EnumAttr<Tile_Parts, "parts">;

def Tile_RowsAttr : Tile_LayoutAttr<"Rows", "rows"> {
  let summary = "what a reduction leaves of a layout";
  let description = [{
    The layout of the parent without dimension `axis`: every thread that held elements of a row holds the row's value.
    With `parts` the dimension stays and numbers who holds a part: `threads` after a reduction over registers only (a
    quad of lanes: extent 4), `warps` after one over the registers and lanes of each warp.

    Example: `#tile.rows<#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>, axis = 1, parts = none>`
  }];
  let parameters = (ins "::mlir::Attribute":$parent, "int64_t":$axis, DefaultValuedParameter<"::tilec::tile::Parts", "::tilec::tile::Parts::None">:$parts);
  let assemblyFormat = "`<` $parent `,` struct($axis, $parts) `>`";
}

def Tile_UnitDimAttr : Tile_LayoutAttr<"UnitDim", "unit"> {
  let summary = "a layout with a dimension of extent 1 put in";
  let description = [{
    The layout of the parent for the extents without dimension `axis`, which has extent 1.

    Example: `#tile.unit<#tile.rows<#tile.mma<acc, bits = 32, warps = [4, 1], reps = [2, 8]>, axis = 1>, axis = 1>`
  }];
  let parameters = (ins "::mlir::Attribute":$parent, "int64_t":$axis);
  let assemblyFormat = "`<` $parent `,` struct($axis) `>`";
}

def Tile_PanelsAttr : Tile_LayoutAttr<"Panels", "panels"> {
  let summary = "shared tile as panels of some columns, swizzled";
  let description = [{
    The tile is cut into panels of `width` columns; a panel is stored row by row, its 16-byte chunks exchanged by an XOR
    with the row (PTX ISA, "Shared memory matrix layout", swizzling modes), in groups of 8 rows. Panels follow each other.

    Example: `#tile.panels<64, sw128>`
  }];
  let parameters = (ins "int64_t":$width, EnumParameter<Tile_Swizzle>:$swizzle);
  let assemblyFormat = "`<` $width `,` $swizzle `>`";
}

def Tile_StridedAttr : Tile_LayoutAttr<"Strided", "strided"> {
  let summary = "shared tile with a stride, in elements, for each dimension";
  let description = [{
    Example: `#tile.strided<[72, 1]>`
  }];
  let parameters = (ins Tile_I64List<"elements">:$strides);
  let assemblyFormat = "`<` $strides `>`";
}

#endif // TILEC_DIALECT_TILE_IR_TILELAYOUTS_TD
