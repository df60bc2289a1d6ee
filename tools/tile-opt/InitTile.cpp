//===- InitTile.cpp - what tile-opt and tile-lsp-server know --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InitTile.h. Dialects one by one, not all of MLIR's: a static build links only these.
//
//===----------------------------------------------------------------------===//

#include "InitTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tilec/Dialect/Tile/IR/StageVerifier.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Eval/Passes.h"
#include "tilec/Driver/Pipelines.h"

void tilec::registerStageDialects(mlir::DialectRegistry &registry) {
  registry.insert<tile::TileDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::func::FuncDialect, mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect>();
}

void tilec::registerStagePasses() {
  mlir::registerTransformsPasses();
  tile::registerVerifyStagePass();
  eval::registerEvalPasses();
  registerTilePipelines();
}
