//===- ReportAccesses.h - what accesses to memory become ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILEC_LIB_TRANSFORMS_REPORTACCESSES_H
#define TILEC_LIB_TRANSFORMS_REPORTACCESSES_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// A remark for each copy and each access to a tensor of a kernel that has layouts: the path, how often it is
/// compared with the bounds, how wide its instructions are and why they are not wider.
void reportAccesses(tile::KernelOp kernel);

} // namespace tilec

#endif // TILEC_LIB_TRANSFORMS_REPORTACCESSES_H
