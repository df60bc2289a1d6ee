//===- tile-opt.cpp - mlir-opt for the tile dialect -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a module of any stage, runs passes, writes it. With --tile-verify-stage-each the promises of the
// module's stage are checked after every pass, and a broken one fails the run; with --tile-eval the module is
// run on the CPU after every pass, and the first pass that changes what it computes fails the run.
//
//===----------------------------------------------------------------------===//

#include "InitTile.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tilec/Dialect/Tile/IR/StageVerifier.h"
#include "tilec/Eval/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static llvm::cl::opt<bool>
    verifyStageEach("tile-verify-stage-each",
                    llvm::cl::desc("Check what is true at the module's stage after each pass"));

static llvm::cl::opt<bool> evalEach(
    "tile-eval",
    llvm::cl::desc("Evaluate the module after each pass and name the first that changes what it computes"));

static llvm::cl::list<std::string> evalArguments(
    "tile-eval-args", llvm::cl::CommaSeparated,
    llvm::cl::desc(
        "For --tile-eval: sizes and scalars 'N=17,s=0.5' and whole numbers that tensors hold, 'A=-8:8'"));

int main(int argc, char **argv) {
  DialectRegistry registry;
  tilec::registerStageDialects(registry);
  tilec::registerStagePasses();

  llvm::InitLLVM init(argc, argv);
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, "tile-opt: passes over the tile dialect\n", registry);
  MlirOptMainConfig fromOptions = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = fromOptions;
  std::atomic<bool> stageBroken = false, meaningChanged = false;
  if (verifyStageEach || evalEach)
    config.setPassPipelineSetupFn([&](PassManager &manager) {
      if (verifyStageEach)
        manager.addInstrumentation(tilec::tile::createVerifyStageInstrumentation(&stageBroken));
      if (evalEach) {
        manager.getContext()->disableMultithreading(); // tell nested passes apart
        manager.addInstrumentation(tilec::eval::createEvalInstrumentation(evalArguments, &meaningChanged));
      }
      return fromOptions.setupPassPipeline(manager);
    });

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &message);
  std::unique_ptr<llvm::ToolOutputFile> output = input ? openOutputFile(outputName, &message) : nullptr;
  if (!output) {
    llvm::errs() << message << '\n';
    return 1;
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)) || stageBroken || meaningChanged)
    return 1;
  output->keep();
  return 0;
}
