//===- PtxFormOps.h - creates LLVM dialect ops from the table of forms ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only way in which the conversion to stage `nvvm` makes inline PTX, intrinsic calls and calls of device
// functions, so that every one of them is an entry of PtxForms.def.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CODEGEN_PTXFORMOPS_H
#define TILEC_CODEGEN_PTXFORMOPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/ValueRange.h"
#include "tilec/CodeGen/PtxForms.h"

namespace tilec {

/// The MLIR (LLVM dialect) type of a signature's type; 2xf16 is vector<2xf16>.
mlir::Type getPtxMlirType(mlir::MLIRContext *context, PtxType type);

/// Creates the op of `id`: llvm.inline_asm, llvm.call_intrinsic or llvm.call. Operand types must be those of
/// the signature (asserted); the results have the signature's types, several are unpacked from the struct.
/// For an external function its declaration is added to the enclosing symbol table (the gpu.module) if it
/// lacks one.
llvm::SmallVector<mlir::Value> createPtxForm(mlir::OpBuilder &builder, mlir::Location loc, PtxFormId id,
                                             mlir::ValueRange operands);

/// The same for a form with exactly one result.
mlir::Value createPtxFormValue(mlir::OpBuilder &builder, mlir::Location loc, PtxFormId id,
                               mlir::ValueRange operands);

} // namespace tilec

#endif // TILEC_CODEGEN_PTXFORMOPS_H
