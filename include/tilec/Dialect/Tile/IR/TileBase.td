//===- TileBase.td - what all op files share ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base class of the ops and the traits that more than one family uses.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEBASE_TD
#define TILEC_DIALECT_TILE_IR_TILEBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tilec/Dialect/Tile/IR/TileAttrs.td"
include "tilec/Dialect/Tile/IR/TileDialect.td"
include "tilec/Dialect/Tile/IR/TileInterfaces.td"
include "tilec/Dialect/Tile/IR/TileTypes.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_Layout : Attr<CPred<"::llvm::isa<::tilec::tile::LayoutAttrInterface>($_self)">, "layout"> {
  let storageType = "::tilec::tile::LayoutAttrInterface";
  let returnType = "::tilec::tile::LayoutAttrInterface";
  let convertFromStorage = "$_self";
}

def Tile_Instr : Attr<CPred<"::llvm::isa<::tilec::tile::MmaInstrAttrInterface>($_self)">, "matrix instruction"> {
  let storageType = "::tilec::tile::MmaInstrAttrInterface";
  let returnType = "::tilec::tile::MmaInstrAttrInterface";
  let convertFromStorage = "$_self";
}

// The scalar operand or result `scalar` has the type a read of an element of `object` gives.
class ScalarOf<string object, string scalar>
    : TypesMatchWith<"type of '" # scalar # "' is the loaded element type of '" # object # "'", object, scalar,
                     "::tilec::tile::loadedElement($_self)">;

// An op that touches memory: it lists its accesses, its memory effects follow from them.
class Tile_AccessOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([DeclareOpInterfaceMethods<AccessOpInterface>,
                                     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::tilec::tile::appendEffectsOfAccesses(*this, effects);
    }
  }];
}

// An op of stage schedule: StageVerifier.cpp refuses it earlier.
def ScheduleStageOp : NativeOpTrait<"ScheduleStageOp"> {
  let cppNamespace = "::tilec::tile";
}

// An op that starts work which completes later: it touches memory, and two alike are two pieces of work.
class Tile_StartOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([DeclareOpInterfaceMethods<AccessOpInterface>,
                                     DeclareOpInterfaceMethods<AsyncOpInterface, ["getCompletion"]>,
                                     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, ScheduleStageOp], traits)> {
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::tilec::tile::appendEffectsOfAccesses(*this, effects);
      ::tilec::tile::appendActionEffect(effects);
    }
    ::mlir::Value $cppClass::getCompletion() { return getResult(); }
  }];
}

// An op that acts on the world outside its operands (stops, prints): it is never dropped, moved or merged.
class Tile_ActionOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::tilec::tile::appendActionEffect(effects);
    }
  }];
}

#endif // TILEC_DIALECT_TILE_IR_TILEBASE_TD
