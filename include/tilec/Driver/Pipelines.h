//===- Pipelines.h - the passes of every stage ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole way from stage `tile` to stage `nvvm`, as pass pipelines that tilec and tile-opt share.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DRIVER_PIPELINES_H
#define TILEC_DRIVER_PIPELINES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "tilec/Driver/Stage.h"
#include "tilec/Target/ArchInfo.h"

namespace tilec {

/// The passes of one stage: from the end of the stage before to the end of this one. Stages are Tile (the
/// program as imported is cleaned up in place), Layout, Schedule and Nvvm.
void buildStage(mlir::OpPassManager &manager, Stage stage);
/// The stages after `from` up to `to`; from Tile, the passes of Tile are among them.
void buildPipeline(mlir::OpPassManager &manager, Stage from, Stage to);
/// `--tile-pipeline="from=tile to=nvvm"`, and every pass by its argument.
void registerTilePipelines();

struct PipelineOptions {
  const ArchInfo *arch = nullptr; ///< becomes the module's target if it has none
  bool verifyStages = false;      ///< check what is true at the stage after every pass
};

/// All dialects of every stage.
void registerPipelineDialects(mlir::DialectRegistry &registry);
/// Runs the passes of one stage. Errors are reported at their places.
mlir::LogicalResult runStage(mlir::ModuleOp module, Stage stage, const PipelineOptions &options);
/// Whether a module that somebody hands in is at that stage and keeps its promises; a located error if not.
mlir::LogicalResult checkStage(mlir::ModuleOp module, Stage stage);
/// At stage nvvm, the gpu.module with the kernels; null if there are none.
mlir::Operation *deviceModule(mlir::ModuleOp module);

} // namespace tilec

#endif // TILEC_DRIVER_PIPELINES_H
