//===- InitTile.h - what tile-opt and tile-lsp-server know ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One registration for both tools: what the editor accepts is what tile-opt accepts.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TOOLS_TILE_OPT_INITTILE_H
#define TILEC_TOOLS_TILE_OPT_INITTILE_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilec {

/// The dialects that occur at some stage.
void registerStageDialects(mlir::DialectRegistry &registry);

/// MLIR's clean-up passes and ours.
void registerStagePasses();

} // namespace tilec

#endif // TILEC_TOOLS_TILE_OPT_INITTILE_H
