//===- ImportTile.cpp - from the checked program to the tile dialect -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the module and sweeps away what the import of a kernel leaves dead: fragments overwritten before they
// are read, constants that folding replaced, results nobody uses.
//
//===----------------------------------------------------------------------===//
#include "tilec/Frontend/ImportTile.h"

#include "ImportProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilec::frontend {

using namespace mlir;

void registerImportDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, math::MathDialect, scf::SCFDialect, tile::TileDialect>();
}

std::string getKernelSymbol(const hir::Program &program, const hir::Kernel &kernel) {
  if (!kernel.isEntry)
    return kernel.symbol;
  // A program may have an entry point of that name.
  std::string name = kernel.symbol + "_kernel";
  while (llvm::any_of(program.kernels, [&](const hir::Kernel &other) { return other.symbol == name; }))
    name += "_";
  return name;
}

/// Users come after what they use, so one walk backwards suffices.
static void eraseDeadOps(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

OwningOpRef<ModuleOp> importTile(const hir::Program &program, const SourceManager &sources,
                                 MLIRContext &context, const ImportOptions &options) {
  DialectRegistry registry;
  registerImportDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<arith::ArithDialect, math::MathDialect, scf::SCFDialect, tile::TileDialect>();

  Location loc = UnknownLoc::get(&context);
  if (sources.getFileCount() > 0)
    loc = FileLineColLoc::get(&context, sources.getName(1), 1, 1);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder(&context);
  (*module)->setAttr(tile::kStageAttr, builder.getStringAttr("tile"));
  if (options.target)
    (*module)->setAttr(tile::kTargetAttr, tile::TargetAttr::get(&context, *options.target));

  builder.setInsertionPointToEnd(module->getBody());
  ImportContext importContext{program, sources, options};
  for (const hir::Kernel &kernel : program.kernels) {
    if (!kernel.isEntry && options.entriesOnly)
      continue;
    eraseDeadOps(importKernel(importContext, builder, kernel));
    if (kernel.isEntry)
      eraseDeadOps(importLaunch(importContext, builder, kernel));
  }
  return module;
}

} // namespace tilec::frontend
