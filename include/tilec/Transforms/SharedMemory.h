//===- SharedMemory.h - tiles in shared memory and their places -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a shared tile is a view of, how many bytes that takes, and where it is.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_SHAREDMEMORY_H
#define TILEC_TRANSFORMS_SHAREDMEMORY_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include <optional>
#include <string>

namespace tilec::tile {

/// The result of the `tile.shared` or `tile.ring` that a shared tile is a view or a slot of. Null if it came
/// another way.
mlir::Value getSharedRoot(mlir::Value tile);

/// The ops that use the memory of a `tile.shared` or `tile.ring`, views included.
llvm::SmallVector<mlir::Operation *> getSharedUsers(mlir::Value root);

/// "'As'", or "a shared tile" where the program gave no name. For a tile, a ring or a view.
std::string describeShared(mlir::Value tile);

/// What a tile or the slots of a ring need, where everything has a layout: whole 32-bit words.
int64_t getSharedBytes(mlir::Value root);
/// Of their first byte.
int64_t getSharedAlignment(mlir::Value root);
/// The bytes before the first one, if that is decided.
std::optional<int64_t> getSharedOffset(mlir::Value root);

} // namespace tilec::tile

#endif // TILEC_TRANSFORMS_SHAREDMEMORY_H
