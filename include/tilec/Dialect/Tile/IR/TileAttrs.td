//===- TileAttrs.td - attributes of stage tile -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations and attributes that the program itself states. Layouts, and what the compiler decides, have files
// of their own: TileLayouts.td, TilePlan.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEATTRS_TD
#define TILEC_DIALECT_TILE_IR_TILEATTRS_TD

include "tilec/Dialect/Tile/IR/TileAttrBase.td"
include "tilec/Dialect/Tile/IR/TileLayouts.td"
include "tilec/Dialect/Tile/IR/TilePlan.td"

def Tile_Access : Tile_Enum<"AccessMode", "how a kernel uses a tensor parameter", [
  I32EnumAttrCase<"In", 0, "in">, I32EnumAttrCase<"Out", 1, "out">, I32EnumAttrCase<"InOut", 2, "inout">]>;
def Tile_AccessAttr : Tile_EnumAttr<Tile_Access, "access">;

def Tile_GuardKind : Tile_Enum<"GuardKind", "what a launch requirement is about", [
  I32EnumAttrCase<"Shape", 0, "shape">, I32EnumAttrCase<"Fact", 1, "fact">, I32EnumAttrCase<"Null", 2, "null">,
  I32EnumAttrCase<"Alignment", 3, "alignment">, I32EnumAttrCase<"Overflow", 4, "overflow">,
  I32EnumAttrCase<"Overlap", 5, "overlap">, I32EnumAttrCase<"Stride", 6, "stride">]>;
def Tile_GuardKindAttr : Tile_EnumAttr<Tile_GuardKind, "guard_kind">;

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "operation of an atomic", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">]>;
def Tile_AtomicKindAttr : Tile_EnumAttr<Tile_AtomicKind, "atomic_kind">;

def Tile_UpdateKind : Tile_Enum<"UpdateKind", "operation of an element update", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">, I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Div", 3, "div">, I32EnumAttrCase<"Max", 4, "max">, I32EnumAttrCase<"Min", 5, "min">]>;
def Tile_UpdateKindAttr : Tile_EnumAttr<Tile_UpdateKind, "update_kind">;

def Tile_ReduceKind : Tile_Enum<"ReduceKind", "operation of a reduction", [
  I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Min", 1, "min">, I32EnumAttrCase<"Sum", 2, "sum">,
  I32EnumAttrCase<"AbsMax", 3, "absmax">, I32EnumAttrCase<"Prod", 4, "prod">]>;
def Tile_ReduceKindAttr : Tile_EnumAttr<Tile_ReduceKind, "reduce_kind">;

def Tile_ScanKind : Tile_Enum<"ScanKind", "operation of a scan", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">]>;
def Tile_ScanKindAttr : Tile_EnumAttr<Tile_ScanKind, "scan_kind">;

def Tile_WarpPolicy : Tile_Enum<"WarpPolicy", "how the warps divide a gemm's result", [
  I32EnumAttrCase<"Square", 0, "square">, I32EnumAttrCase<"Rows", 1, "rows">, I32EnumAttrCase<"Cols", 2, "cols">]>;
def Tile_WarpPolicyAttr : Tile_EnumAttr<Tile_WarpPolicy, "warps">;

def Tile_TargetAttr : Tile_Attr<"Target", "target"> {
  let summary = "the chip a module is compiled for";
  let parameters = (ins StringRefParameter<>:$chip);
  let assemblyFormat = "`<` $chip `>`";
}

def Tile_TensorParamAttr : Tile_Attr<"TensorParam", "tensor_param"> {
  let summary = "a tensor parameter of an entry point, as declared";
  let description = [{
    `extents` and `strides` are the declared expressions as text, in declared order; `strides` is empty for a
    contiguous tensor. The launch ABI of the parameter is its pointer, an i64 an extent, an i64 a stride.
  }];
  let parameters = (ins StringRefParameter<>:$name, "::mlir::Type":$element, EnumParameter<Tile_Access>:$access,
                        "::mlir::ArrayAttr":$extents, OptionalParameter<"::mlir::ArrayAttr">:$strides);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_ScalarParamAttr : Tile_Attr<"ScalarParam", "scalar_param"> {
  let summary = "a scalar parameter of an entry point, as declared";
  let parameters = (ins StringRefParameter<>:$name, "::mlir::Type":$type);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // TILEC_DIALECT_TILE_IR_TILEATTRS_TD
