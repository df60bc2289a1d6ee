//===- ScalarOps.h - scalar ops of the kernel in the function ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tf32 travels as an f32 whose low 13 bits are 0, f8 as an i8: LLVM knows neither. Ops that make or take
// them, and tile.cast, are written out here; every other scalar op is copied.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_SCALAROPS_H
#define TILEC_LIB_CONVERSION_TILETONVVM_SCALAROPS_H

#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Target/ArchInfo.h"

namespace tilec::lowering {

/// tf32 -> f32, f8 -> i8, others as they are.
mlir::Type convertScalarType(mlir::Type type);

/// An op of the same kind and attributes over other operands; its regions are empty.
mlir::Operation *createLike(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands,
                            mlir::TypeRange types);

/// Writes a scalar op without regions over converted operands. Fails if it is none.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> emitScalarOp(mlir::OpBuilder &builder, mlir::Operation *op,
                                                             mlir::ValueRange operands, const ArchInfo &arch);

/// What the language means by a conversion between element types, on converted values of their loaded types.
mlir::Value convertElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type from,
                           mlir::Type to, const ArchInfo &arch);

/// What an element keeps of an integer of its loaded type: all of it, or four bits with their sign.
mlir::Value wrapToElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          mlir::Type element);

/// Integer division that is defined for every divisor.
mlir::Value createSafeDivision(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs,
                               bool isUnsigned);

/// An element of a fragment or of memory after `kind` with a value of its loaded type. (Combine.cpp)
mlir::Value combineElements(mlir::OpBuilder &builder, mlir::Location loc, tile::UpdateKind kind,
                            mlir::Value old, mlir::Value value, mlir::Type element, const ArchInfo &arch);

/// f32 (finite or not) to f8: nearest even, saturating, NaN stays.
mlir::Value encodeF8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type,
                     const ArchInfo &arch);
/// f8 in an i8 to f32, exactly.
mlir::Value decodeF8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type,
                     const ArchInfo &arch);
/// f32 to an f32 with 10 bits of mantissa, nearest even.
mlir::Value roundToTf32(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
/// f64 to f32, rounded to odd: a further rounding to a format of at most 22 bits is then right.
mlir::Value roundToOddF32(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_SCALAROPS_H
