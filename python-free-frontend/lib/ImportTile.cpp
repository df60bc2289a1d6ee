//===- ImportTile.cpp - from the checked program to the tile dialect -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the module and tidies what the import of a kernel leaves: fragments overwritten before they are read,
// constants that folding replaced, subexpressions that the program writes more than once.
//
//===----------------------------------------------------------------------===//
#include "tilec/Frontend/ImportTile.h"

#include "ImportProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

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
  while (program.symbols.contains(name))
    name += "_";
  return name;
}

/// Erases what is dead and merges what is equal: `by * BM` written twice is one value.
static void tidy(Operation *root) {
  // Users come after what they use, so one walk backwards suffices.
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
  IRRewriter rewriter(root->getContext());
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
}

OwningOpRef<ModuleOp> importTile(const hir::Program &program, const SourceManager &sources,
                                 MLIRContext &context, const ImportOptions &options) {
  DialectRegistry registry;
  registerImportDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<arith::ArithDialect, math::MathDialect, scf::SCFDialect, tile::TileDialect>();

  Location loc = UnknownLoc::get(&context);
  if (sources.getFileCount() > 0)
    loc = FileLineColLoc::get(&context, sources.getPortableName(1), 1, 1);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder(&context);
  (*module)->setAttr(tile::kStageAttr, builder.getStringAttr("tile"));
  if (options.target)
    (*module)->setAttr(tile::kTargetAttr, tile::TargetAttr::get(&context, *options.target));

  builder.setInsertionPointToEnd(module->getBody());
  ImportContext importContext{program, sources, options};
  for (const hir::Kernel &kernel : program.kernels) {
    if (options.entriesOnly &&
        (!kernel.isEntry || (!options.symbols.empty() && !options.symbols.count(kernel.symbol))))
      continue;
    tidy(importKernel(importContext, builder, kernel));
    if (kernel.isEntry)
      tidy(importLaunch(importContext, builder, kernel));
  }
  return module;
}

} // namespace tilec::frontend
