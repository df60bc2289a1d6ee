//===- Tile.h - the tile dialect --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialect, types, attributes, ops and interfaces of the tile dialect, and the few questions about types
// that everybody asks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILE_H
#define TILEC_DIALECT_TILE_IR_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tilec/Dialect/Tile/IR/Access.h"
#include "tilec/Dialect/Tile/IR/LayoutConstraint.h"
#include "tilec/Layout/Layout.h"
#include <array>

#include "tilec/Dialect/Tile/IR/TileDialect.h.inc"
#include "tilec/Dialect/Tile/IR/TileEnums.h.inc"

#include "tilec/Dialect/Tile/IR/TileAttrInterfaces.h.inc"
#include "tilec/Dialect/Tile/IR/TileTypeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileTypes.h.inc"

#include "tilec/Dialect/Tile/IR/TileOpInterfaces.h.inc"

namespace tilec::tile {

/// Trait of the ops that exist at stage schedule only.
template <typename ConcreteOp>
class ScheduleStageOp : public mlir::OpTrait::TraitBase<ConcreteOp, ScheduleStageOp> {};

/// Names of the discardable attributes.
inline constexpr llvm::StringLiteral kStageAttr = "tile.stage";     // on the module
inline constexpr llvm::StringLiteral kPartialAttr = "tile.partial"; // on the module: see StageVerifier.h
inline constexpr llvm::StringLiteral kTargetAttr = "tile.target";   // on the module
inline constexpr llvm::StringLiteral kPlanAttr = "tile.plan";       // on the kernel
inline constexpr llvm::StringLiteral kSharedBytesAttr = "tile.shared_bytes"; // on the kernel, once placed
inline constexpr llvm::StringLiteral kStagesAttr = "tile.stages"; // on scf.for: 'pipelined', an upper limit
inline constexpr llvm::StringLiteral kNameAttr = "tile.name";     // on kernel arguments
inline constexpr llvm::StringLiteral kAccessAttr = "tile.access"; // on pointer arguments
inline constexpr llvm::StringLiteral kAlignAttr = "tile.align";   // on pointer arguments, bytes

/// True for the element types of the language: i4 i8 i16 i32 i64 and their unsigned forms, i1, f16 bf16 f32
/// f64 tf32 f8E4M3FN f8E5M2.
bool isElementType(mlir::Type element);

/// The SSA type of a read of an element: signless, i4/ui4 widened to i8.
mlir::Type loadedType(mlir::Type element);

/// loadedType of an object's element type; the type itself if it is no object.
mlir::Type loadedElement(mlir::Type object);

/// Bits that an element takes in memory: 8 for i1, 32 for tf32, 4 for i4.
unsigned storageBits(mlir::Type element);

/// True for ui4 … ui64.
bool isUnsignedElement(mlir::Type element);

/// Bytes of a shared tile, rows packed.
int64_t byteSize(ObjectTypeInterface type);

/// The slot of a ring as a shared tile, the fragment a pending value becomes, and the reference a fragment
/// under update becomes.
SharedType slotType(RingType ring);
FragmentType fragmentOf(PendingType pending);
FragRefType referenceTo(FragmentType fragment);

/// True for the triples of element types that a gemm accepts (LANGUAGE: f16·f16, bf16·bf16 -> f32, …).
bool isGemmTypes(mlir::Type a, mlir::Type b, mlir::Type acc);

/// `shape` without its unit extents.
llvm::SmallVector<int64_t> dropUnitExtents(llvm::ArrayRef<int64_t> shape);

} // namespace tilec::tile

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileOps.h.inc"

#endif // TILEC_DIALECT_TILE_IR_TILE_H
