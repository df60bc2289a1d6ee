//===- TileTypes.td - types --------------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the objects a program works on. Element types carry signedness; see `loadedType` in Tile.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILETYPES_TD
#define TILEC_DIALECT_TILE_IR_TILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tilec/Dialect/Tile/IR/TileDialect.td"
include "tilec/Dialect/Tile/IR/TileInterfaces.td"

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

// An object with a shape: printed `<4x?xf16>`, with a layout `<4x8xf16, #tile.…>`.
class Tile_ObjectType<string name, string typeMnemonic> : Tile_Type<name, typeMnemonic, [ObjectTypeInterface]> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class Tile_LaidOutType<string name, string typeMnemonic> : Tile_ObjectType<name, typeMnemonic> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"::mlir::Attribute">:$layout);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType), [{
    return $_get($_ctxt, shape, elementType, ::mlir::Attribute());
  }]>];
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "pointer of a tensor parameter";
  let description = "Only kernel and entry arguments have this type. It is aligned to an element.";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let genVerifyDecl = 1;
}

def Tile_GlobalType : Tile_ObjectType<"Global", "global"> {
  let summary = "tensor or window in global memory";
  let description = [{
    A read outside the bounds gives the pad value, a write there does nothing. `?` is an extent known at run
    time; every stride is, too.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
}

def Tile_SharedType : Tile_LaidOutType<"Shared", "shared"> {
  let summary = "shared tile";
  let description = "A reference to a tile in the block's shared memory, or to a view of one.";
}

def Tile_FragmentType : Tile_LaidOutType<"Fragment", "fragment"> {
  let summary = "fragment";
  let description = "A tile in registers, spread over the threads that execute the op. It is a value: no op changes it.";
}

def Tile_FragRefType : Tile_LaidOutType<"FragRef", "fragref"> {
  let summary = "fragment under update inside a `tile.parallel`";
  let description = "Only a block argument of `tile.parallel` has this type.";
}

//===----------------------------------------------------------------------===//
// Stage schedule
//===----------------------------------------------------------------------===//

def Tile_RingType : Tile_LaidOutType<"Ring", "ring"> {
  let summary = "ring of shared tiles";
  let description = "The shape, element type and layout are those of a slot; the depth belongs to `tile.ring`.";
}

def Tile_PendingType : Tile_LaidOutType<"Pending", "pending"> {
  let summary = "fragment in flight";
  let description = "The registers that a started gemm will fill. Only another start, as its accumulator, or a wait may use such a value, and only once.";
}

def Tile_GateType : Tile_Type<"Gate", "gate"> {
  let summary = "gate that groups of warps pass in turn";
}

def Tile_TokenType : Tile_Type<"Token", "token"> {
  let summary = "a bulk store that has started";
}

def Tile_TensorMapType : Tile_Type<"TensorMap", "tensormap"> {
  let summary = "descriptor of a tensor for bulk copies, made by the launch program";
}

def Tile_AnyTile : AnyTypeOf<[Tile_SharedType, Tile_FragmentType], "shared tile or fragment">;
def Tile_Memory : AnyTypeOf<[Tile_GlobalType, Tile_SharedType], "tensor or shared tile">;
def Tile_Readable : AnyTypeOf<[Tile_GlobalType, Tile_SharedType, Tile_FragmentType, Tile_FragRefType],
                              "tensor, shared tile or fragment">;
def Tile_Writable : AnyTypeOf<[Tile_GlobalType, Tile_SharedType, Tile_FragRefType],
                              "tensor, shared tile or fragment under update">;
def Tile_Updatable : AnyTypeOf<[Tile_SharedType, Tile_FragRefType], "shared tile or fragment under update">;
def Tile_Gate : Type<Tile_GateType.predicate, "gate", "::tilec::tile::GateType">, BuildableType<"$_builder.getType<::tilec::tile::GateType>()">;
def Tile_Token : Type<Tile_TokenType.predicate, "token", "::tilec::tile::TokenType">, BuildableType<"$_builder.getType<::tilec::tile::TokenType>()">;
def Tile_TensorMap : Type<Tile_TensorMapType.predicate, "tensor map", "::tilec::tile::TensorMapType">,
                     BuildableType<"$_builder.getType<::tilec::tile::TensorMapType>()">;
def Tile_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat], "scalar">;

#endif // TILEC_DIALECT_TILE_IR_TILETYPES_TD
