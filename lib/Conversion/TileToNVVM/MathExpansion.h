//===- MathExpansion.h - functions as ops -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes out the functions that no instruction computes as the language wants them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_MATHEXPANSION_H
#define TILEC_LIB_CONVERSION_TILETONVVM_MATHEXPANSION_H

#include "mlir/IR/Builders.h"
#include "tilec/Target/ArchInfo.h"

namespace tilec::lowering {

/// The value of a math op, tile.sigmoid, tile.rcp or arith.divf over f16, bf16, f32 or f64; null if `op`
/// needs no expansion, because LLVM has an instruction for it.
mlir::Value expandMath(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands,
                       const ArchInfo &arch);

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_MATHEXPANSION_H
