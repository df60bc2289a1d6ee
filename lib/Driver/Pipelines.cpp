//===- Pipelines.cpp - the passes of every stage ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// buildStage is the whole compiler between import and LLVM, in order. Everything else here is about running
// it.
//
//===----------------------------------------------------------------------===//

#include "tilec/Driver/Pipelines.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tilec/Conversion/TileToNVVM/Passes.h"
#include "tilec/Dialect/Tile/IR/StageVerifier.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {

void buildStage(OpPassManager &manager, Stage stage) {
  auto setStage = [&](bool partial) {
    manager.addPass(createTileSetStagePass({stageName(stage).str(), partial}));
  };
  auto onKernels = [&](std::unique_ptr<Pass> pass) {
    manager.addNestedPass<tile::KernelOp>(std::move(pass));
  };

  switch (stage) {
  case Stage::Tile:
    setStage(/*partial=*/false);
    onKernels(createTileSimplifyPass());
    onKernels(createTileProveBoundsPass());
    manager.addPass(createTileMakeVariantsPass());
    return;

  case Stage::Layout:
    setStage(/*partial=*/true);
    onKernels(createTilePlanPass());
    onKernels(createTileSelectCopiesPass());
    onKernels(createTileSelectMmaPass());
    onKernels(createTileInferLayoutsPass());
    onKernels(createTileMaterializeExchangesPass());
    setStage(/*partial=*/false);
    return;

  case Stage::Schedule:
    setStage(/*partial=*/true);
    manager.addPass(createTilePersistPass());
    onKernels(createTileFormRingsPass());
    onKernels(createTileChunkParallelsPass());
    onKernels(createTileSplitTailsPass());
    onKernels(createTileSimplifyPass()); // merges what was split on one condition
    manager.addPass(createTilePlaceSharedPass());
    onKernels(createTileLowerRingsPass());
    onKernels(createTileInsertSyncPass());
    manager.addPass(createCanonicalizerPass()); // of the launch programs too
    manager.addPass(createCSEPass());
    setStage(/*partial=*/false);
    return;

  case Stage::Nvvm:
    manager.addPass(createConvertTileToNVVMPass());
    manager.addPass(createTileFlattenLocationsPass());
    return;

  default:
    return; // the front end and the back end run no passes over modules
  }
}

void buildPipeline(OpPassManager &manager, Stage from, Stage to) {
  for (Stage stage : {Stage::Tile, Stage::Layout, Stage::Schedule, Stage::Nvvm})
    if ((stage > from || stage == Stage::Tile) && stage >= from && stage <= to)
      buildStage(manager, stage);
}

namespace {
struct StageRange : PassPipelineOptions<StageRange> {
  Option<std::string> from{*this, "from", llvm::cl::desc("The stage of the input"), llvm::cl::init("tile")};
  Option<std::string> to{*this, "to", llvm::cl::desc("The stage of the output"), llvm::cl::init("nvvm")};
};
} // namespace

void registerTilePipelines() {
  registerTilecTransformsPasses();
  registerTilecTileToNVVMPasses();
  PassPipelineRegistration<StageRange>("tile-pipeline", "The passes from one stage to another",
                                       [](OpPassManager &manager, const StageRange &range) {
                                         std::optional<Stage> from = parseStage(range.from),
                                                              to = parseStage(range.to);
                                         if (from && to)
                                           buildPipeline(manager, *from, *to);
                                       });
}

void registerPipelineDialects(DialectRegistry &registry) {
  registry.insert<tile::TileDialect, arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect,
                  LLVM::LLVMDialect, math::MathDialect, NVVM::NVVMDialect, scf::SCFDialect>();
}

LogicalResult runStage(ModuleOp module, Stage stage, const PipelineOptions &options) {
  MLIRContext *context = module.getContext();
  if (options.arch && !module->hasAttr(tile::kTargetAttr))
    module->setAttr(tile::kTargetAttr, tile::TargetAttr::get(context, options.arch->name));
  PassManager manager(context, ModuleOp::getOperationName());
  std::atomic<bool> stageBroken = false;
  if (options.verifyStages)
    manager.addInstrumentation(tile::createVerifyStageInstrumentation(&stageBroken));
  buildStage(manager, stage);
  return success(succeeded(manager.run(module)) && !stageBroken);
}

LogicalResult checkStage(ModuleOp module, Stage stage) {
  auto attribute = module->getAttrOfType<StringAttr>(tile::kStageAttr);
  if (!attribute)
    return module.emitError() << "the module has no '" << tile::kStageAttr << "', expected stage '"
                              << stageName(stage) << "'";
  if (attribute.getValue() != stageName(stage))
    return module.emitError() << "the module is at stage '" << attribute.getValue() << "', expected '"
                              << stageName(stage) << "'";
  if (module->hasAttr(tile::kPartialAttr))
    return module.emitError() << "the module was written in the middle of stage '" << stageName(stage) << "'";
  return tile::verifyStage(module);
}

Operation *deviceModule(ModuleOp module) {
  auto modules = module.getOps<gpu::GPUModuleOp>();
  return modules.empty() ? nullptr : *modules.begin();
}

} // namespace tilec
