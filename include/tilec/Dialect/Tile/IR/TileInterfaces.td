//===- TileInterfaces.td - interfaces -*- tablegen -*-===//
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

#endif // TILEC_DIALECT_TILE_IR_TILEINTERFACES_TD
