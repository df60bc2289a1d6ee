//===- InitTile.cpp - what tile-opt and tile-lsp-server know --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InitTile.h. What the compiler's pipelines know, and `func` for tests that need no kernel.
//
//===----------------------------------------------------------------------===//

#include "InitTile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tilec/Dialect/Tile/IR/StageVerifier.h"
#include "tilec/Driver/Pipelines.h"
#include "tilec/Eval/Passes.h"

void tilec::registerStageDialects(mlir::DialectRegistry &registry) {
  registerPipelineDialects(registry);
  registry.insert<mlir::func::FuncDialect>();
}

void tilec::registerStagePasses() {
  mlir::registerTransformsPasses();
  tile::registerVerifyStagePass();
  eval::registerEvalPasses();
  registerTilePipelines();
}
