//===- SharedLayouts.h - where the elements of a shared tile are ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILEC_LIB_TRANSFORMS_SHAREDLAYOUTS_H
#define TILEC_LIB_TRANSFORMS_SHAREDLAYOUTS_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Gives every shared tile of the kernel, and every view of one, a layout: swizzled panels to what matrix
/// instructions read, row-major order to the rest, and what the program pinned to the others.
void assignSharedLayouts(tile::KernelOp kernel);

} // namespace tilec

#endif // TILEC_LIB_TRANSFORMS_SHAREDLAYOUTS_H
