//===- tile-opt.cpp - mlir-opt for the tile dialect -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a module of any stage, runs passes, writes it. With --tile-verify-stage-each the promises of the
// module's stage are checked after every pass, and a broken one fails the run.
//
//===----------------------------------------------------------------------===//

#include "InitTile.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tilec/Dialect/Tile/IR/StageVerifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static llvm::cl::opt<bool>
    verifyStageEach("tile-verify-stage-each",
                    llvm::cl::desc("Check what is true at the module's stage after each pass"));

int main(int argc, char **argv) {
  DialectRegistry registry;
  tilec::registerStageDialects(registry);
  tilec::registerStagePasses();

  llvm::InitLLVM init(argc, argv);
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, "tile-opt: passes over the tile dialect\n", registry);
  MlirOptMainConfig fromOptions = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = fromOptions;
  std::atomic<bool> stageBroken = false;
  if (verifyStageEach)
    config.setPassPipelineSetupFn([&](PassManager &manager) {
      manager.addInstrumentation(tilec::tile::createVerifyStageInstrumentation(&stageBroken));
      return fromOptions.setupPassPipeline(manager);
    });

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &message);
  std::unique_ptr<llvm::ToolOutputFile> output = input ? openOutputFile(outputName, &message) : nullptr;
  if (!output) {
    llvm::errs() << message << '\n';
    return 1;
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)) || stageBroken)
    return 1;
  output->keep();
  return 0;
}
