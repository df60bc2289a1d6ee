//===- Parsing.h - custom directives of the assembly formats ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives that generated parsers call: types that follow from another type are not written twice.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_DIALECT_TILE_IR_PARSING_H
#define TILEC_LIB_DIALECT_TILE_IR_PARSING_H

#include "mlir/IR/OpImplementation.h"
#include <optional>

namespace tilec::tile {

using OptionalOperand = std::optional<mlir::OpAsmParser::UnresolvedOperand>;

/// Writes one object type; the optional scalar has its loaded element type.
mlir::ParseResult parseWithElement(mlir::OpAsmParser &parser, OptionalOperand scalar, mlir::Type &scalarType,
                                   mlir::Type &objectType);
void printWithElement(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value scalar,
                      mlir::Type scalarType, mlir::Type objectType);

/// Writes one type; the optional operand has it too.
mlir::ParseResult parseWithSame(mlir::OpAsmParser &parser, OptionalOperand operand, mlir::Type &operandType,
                                mlir::Type &type);
void printWithSame(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value operand,
                   mlir::Type operandType, mlir::Type type);

/// `[1, 2]`, in attributes.
mlir::FailureOr<llvm::SmallVector<int64_t>> parseI64List(mlir::AsmParser &parser);
void printI64List(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> values);

} // namespace tilec::tile

#endif // TILEC_LIB_DIALECT_TILE_IR_PARSING_H
