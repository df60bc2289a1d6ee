//===- TileInterfaces.td - interfaces ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions that passes ask about types, attributes and ops, so that no pass switches over op names.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEINTERFACES_TD
#define TILEC_DIALECT_TILE_IR_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def ObjectTypeInterface : TypeInterface<"ObjectTypeInterface"> {
  let cppNamespace = "::tilec::tile";
  let description = "A type with extents and elements: tensors, shared tiles, fragments.";
  let methods = [
    InterfaceMethod<"Extents; `ShapedType::kDynamic` for one known at run time.",
                    "::llvm::ArrayRef<int64_t>", "getShape">,
    InterfaceMethod<"Element type, with signedness.", "::mlir::Type", "getElementType">,
    InterfaceMethod<"The layout, or null.", "::mlir::Attribute", "getLayout", (ins), "",
                    "return ::mlir::Attribute();">,
  ];
  let extraSharedClassDeclaration = [{
    int64_t getRank() const { return $_type.getShape().size(); }
  }];
}

def LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::tilec::tile";
  let description = "A named layout: what it is in terms of the one layout class.";
  let methods = [
    InterfaceMethod<[{
      The layout for a tile of that shape and element width in bits. Only layouts of memory look at either.
    }], "::tilec::Layout", "toLinearFor", (ins "::llvm::ArrayRef<int64_t>":$shape, "unsigned":$elementBits)>,
    InterfaceMethod<"True if it says which thread holds an element, false if where in memory it is.",
                    "bool", "isDistributed">,
    InterfaceMethod<"The rank of the tiles it is for.", "unsigned", "getLayoutRank">,
  ];
  let extraSharedClassDeclaration = [{
    /// The layout, of a distributed one.
    ::tilec::Layout toLinear() const { return $_attr.toLinearFor({}, 0); }
  }];
}

def MmaInstrAttrInterface : AttrInterface<"MmaInstrAttrInterface"> {
  let cppNamespace = "::tilec::tile";
  let description = "A matrix instruction: what it multiplies, where it takes operands from, when it is done.";
  let methods = [
    InterfaceMethod<"m, n and k of one instruction.", "::std::array<int64_t, 3>", "getInstrShape">,
    InterfaceMethod<"Element types of A, B and the accumulator.", "::std::array<::mlir::Type, 3>", "getInstrTypes">,
    InterfaceMethod<"Warps that execute it together; 0: it needs none.", "unsigned", "getNumWarps">,
    InterfaceMethod<"It can take that operand from shared memory.", "bool", "readsShared",
                    (ins "::tilec::tile::MmaOperand":$operand)>,
    InterfaceMethod<"It can take that operand from registers.", "bool", "readsFragment",
                    (ins "::tilec::tile::MmaOperand":$operand)>,
    InterfaceMethod<"It completes after it was issued, and reads through the async proxy.", "bool", "isAsync">,
  ];
}

def AccessOpInterface : OpInterface<"AccessOpInterface"> {
  let cppNamespace = "::tilec::tile";
  let description = [{
    What an op reads and writes: see `Access`. Memory effects follow from it, and rings, placement,
    synchronisation and the checkers ask nothing else about an op's memory.
  }];
  let methods = [
    InterfaceMethod<"Appends the accesses of this op, in the order in which it makes them.",
                    "void", "getAccesses", (ins "::llvm::SmallVectorImpl<::tilec::tile::Access> &":$accesses)>,
  ];
}

def LayoutConstraintOpInterface : OpInterface<"LayoutConstraintOpInterface"> {
  let cppNamespace = "::tilec::tile";
  let description = "How the layouts of an op's operands and results depend on each other.";
  let methods = [
    InterfaceMethod<"Appends what must hold between layouts; see `LayoutConstraint`.", "void", "getLayoutConstraints",
                    (ins "::llvm::SmallVectorImpl<::tilec::tile::LayoutConstraint> &":$constraints)>,
  ];
}

def AsyncOpInterface : OpInterface<"AsyncOpInterface"> {
  let cppNamespace = "::tilec::tile";
  let description = [{
    An op that starts work which completes later, or waits for some. Ring puts and gets are not among them: a ring keeps
    its own account.
  }];
  let methods = [
    InterfaceMethod<"The result that stands for the started work; null if the op starts none.",
                    "::mlir::Value", "getCompletion", (ins), "", "return ::mlir::Value();">,
    InterfaceMethod<"The completions that this op waits for.",
                    "::mlir::ValueRange", "getAwaited", (ins), "", "return ::mlir::ValueRange();">,
  ];
}

#endif // TILEC_DIALECT_TILE_IR_TILEINTERFACES_TD
