//===- Verify.h - checks that several ops share -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each returns failure after a diagnostic on the op. The callers carry the labels of the constraints.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_DIALECT_TILE_IR_VERIFY_H
#define TILEC_LIB_DIALECT_TILE_IR_VERIFY_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec::tile {

/// "128x64".
std::string str(llvm::ArrayRef<int64_t> shape);

/// An offset and a positive extent for each dimension of `object`, which the diagnostic calls `what`.
mlir::LogicalResult verifyBox(mlir::Operation *op, llvm::StringRef what, mlir::ValueRange offsets,
                              llvm::ArrayRef<int64_t> extents, mlir::Type object);

/// No extent is larger than the object's.
mlir::LogicalResult verifyFits(mlir::Operation *op, llvm::ArrayRef<int64_t> extents, mlir::Type object);

/// Both shapes are equal once unit extents are dropped.
mlir::LogicalResult verifySameExtents(mlir::Operation *op, llvm::StringRef whatA, llvm::ArrayRef<int64_t> a,
                                      llvm::StringRef whatB, llvm::ArrayRef<int64_t> b);

/// Both types are equal.
mlir::LogicalResult verifySameType(mlir::Operation *op, llvm::StringRef whatA, mlir::Type a,
                                   llvm::StringRef whatB, mlir::Type b);

/// An index for each dimension of `object`.
mlir::LogicalResult verifyIndices(mlir::Operation *op, mlir::ValueRange indices, mlir::Type object);

/// There is an operand for each dynamic one of `values`, and no other.
mlir::LogicalResult verifyDynamic(mlir::Operation *op, llvm::StringRef what, llvm::ArrayRef<int64_t> values,
                                  mlir::ValueRange operands);

/// `drop` lists dimensions below `rank` in ascending order.
mlir::LogicalResult verifyDrop(mlir::Operation *op, llvm::ArrayRef<int64_t> drop, size_t rank);

/// `offset`, in bytes, is not negative and a multiple of `alignment`.
mlir::LogicalResult verifyOffset(mlir::Operation *op, llvm::StringRef name, std::optional<int64_t> offset,
                                 int64_t alignment);

/// The region ends in a tile.yield without operands.
mlir::LogicalResult verifyPlainYield(mlir::Operation *op, mlir::Region &region);

/// The instruction, if there is one, multiplies these element types (f32 may be rounded to tf32).
mlir::LogicalResult verifyInstrTypes(mlir::Operation *op, MmaInstrAttrInterface instr, mlir::Value a,
                                     mlir::Value b, mlir::Type acc);

/// The instruction, if there is one, takes each operand from where it is.
mlir::LogicalResult verifyInstrOperands(mlir::Operation *op, MmaInstrAttrInterface instr, mlir::Value a,
                                        mlir::Value b);

/// A value in flight is used by starts (as accumulator), waits and what passes it on, and once on any path.
mlir::LogicalResult verifyConsumedOnce(mlir::Value pending,
                                       llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Element type of an object.
mlir::Type elementOf(mlir::Value object);
mlir::Type elementOf(mlir::Type object);
llvm::ArrayRef<int64_t> shapeOf(mlir::Value object);

} // namespace tilec::tile

#endif // TILEC_LIB_DIALECT_TILE_IR_VERIFY_H
