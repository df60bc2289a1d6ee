//===- tile-lsp-server.cpp - editor support for the stages' text ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's language server over the dialects that tile-opt knows: diagnostics of our verifiers, definitions and
// uses, hover, bytecode viewing.
//
//===----------------------------------------------------------------------===//

#include "../tile-opt/InitTile.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilec::registerStageDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
