//===- tile-opt.cpp - mlir-opt for the tile dialect -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a module of any stage, runs passes, writes it.
//
//===----------------------------------------------------------------------===//

#include "InitTile.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilec::registerStageDialects(registry);
  tilec::registerStagePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tile-opt: passes over the tile dialect\n", registry));
}
