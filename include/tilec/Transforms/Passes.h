//===- Passes.h - passes over the tile dialect ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// createXxxPass() and registerTilecTransformsPasses(), generated from Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_PASSES_H
#define TILEC_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// The options of a remark about what `pass` decided on `op`: they name its kernel, so that a report can tell
/// variants apart.
inline mlir::remark::RemarkOpts decision(mlir::Operation *op, llvm::StringRef name, llvm::StringRef pass) {
  auto kernel = mlir::isa<tile::KernelOp>(op) ? mlir::cast<tile::KernelOp>(op) : op->getParentOfType<tile::KernelOp>();
  auto options = mlir::remark::RemarkOpts::name(name).category(pass);
  return kernel ? options.function(kernel.getSymName()) : options;
}

#define GEN_PASS_DECL
#include "tilec/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tilec/Transforms/Passes.h.inc"

} // namespace tilec

#endif // TILEC_TRANSFORMS_PASSES_H
