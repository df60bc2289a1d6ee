//===- CompileScalar.h - helpers of the scalar handlers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handlers of arith, math and control flow share.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EVAL_COMPILESCALAR_H
#define TILEC_LIB_EVAL_COMPILESCALAR_H

#include "Compiler.h"

namespace tilec::eval {

/// Rounds the float in `slot` to its type if that has fewer than 32 bits.
void emitRound(Compiler &c, mlir::Location loc, const ScalarInfo &info, unsigned slot);
void emitUnary(Compiler &c, mlir::Operation *op, UnaryFn fn);
void emitBinary(Compiler &c, mlir::Operation *op, BinaryFn fn);

/// Does `user` (an scf.if) compute its condition `comparison` itself?
bool fusesComparison(mlir::Operation *user, mlir::Operation *comparison);

} // namespace tilec::eval

#endif // TILEC_LIB_EVAL_COMPILESCALAR_H
