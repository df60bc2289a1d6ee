//===- StubPrint.cpp - prints stubs in tests ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stub printer alone, so that its tests need no back end: launch programs from .mlir files, the image
// from any file. `stub-print sm_80=a.mlir sm_90a=b.mlir --image=x.bin --header=s.h --source=s.c
// --manifest=s.json`.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Stub/Stub.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilec;

static cl::list<std::string> inputs(cl::Positional, cl::desc("TARGET=FILE..."), cl::OneOrMore);
static cl::opt<std::string> imageFile("image"), header("header"), source("source"), manifest("manifest"),
    nameSpace("namespace"), toolHash("tool-hash");
static cl::opt<bool> incbin("incbin");

static bool write(StringRef path, StringRef text) {
  if (path.empty())
    return true;
  if (path == "-") {
    outs() << text;
    return true;
  }
  std::error_code error;
  raw_fd_ostream os(path, error);
  os << text;
  return !error;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  mlir::DialectRegistry registry;
  registry
      .insert<mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect, tile::TileDialect>();
  mlir::MLIRContext context(registry);
  SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);

  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<stub::TargetModule> targets;
  for (StringRef input : inputs) {
    auto [name, path] = input.split('=');
    const ArchInfo *arch = ArchInfo::find(name);
    modules.push_back(mlir::parseSourceFile<mlir::ModuleOp>(path, &context));
    if (!arch || !modules.back())
      return 1;
    targets.push_back({arch, *modules.back(), {}});
  }
  std::string image = "not a fatbin";
  if (!imageFile.empty()) {
    auto buffer = MemoryBuffer::getFile(imageFile);
    if (!buffer)
      return 1;
    image = (*buffer)->getBuffer().str();
  }
  stub::Options options;
  options.headerName = sys::path::filename(header).str();
  options.imageName = imageFile.empty() ? "image.fatbin" : imageFile.getValue();
  options.nameSpace = nameSpace;
  options.incbin = incbin;
  options.tilecVersion = "0.0.0-test";
  options.inputs = {{"test.tile", "", ""}};
  options.tools = {{"ptxas", "13.0.88", toolHash}};
  mlir::FailureOr<stub::Model> model = stub::buildModel(targets, std::move(image), options);
  if (mlir::failed(model))
    return 1;
  bool written = write(header, stub::printHeader(*model, options)) &&
                 write(source, stub::printSource(*model, options)) &&
                 write(manifest, stub::printManifest(*model, options));
  return written ? 0 : 1;
}
