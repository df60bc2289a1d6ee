//===- Passes.h - from stage schedule to stage nvvm -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// createConvertTileToNVVMPass(), createTileFlattenLocationsPass() and registerTilecTileToNVVMPasses(),
// generated from Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CONVERSION_TILETONVVM_PASSES_H
#define TILEC_CONVERSION_TILETONVVM_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilec {

/// The name of the gpu.module that holds the kernels of a target.
inline constexpr llvm::StringLiteral kDeviceModuleName = "kernels";

#define GEN_PASS_DECL
#include "tilec/Conversion/TileToNVVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tilec/Conversion/TileToNVVM/Passes.h.inc"

} // namespace tilec

#endif // TILEC_CONVERSION_TILETONVVM_PASSES_H
