//===- FragmentIteration.h - how a parallel runs along its fragments --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of a fragment is held by one thread, so the iteration that names it must be that thread's: the
// indices of the parallel are those of the fragment, unit extents aside, and both have one layout.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_FRAGMENTITERATION_H
#define TILEC_TRANSFORMS_FRAGMENTITERATION_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include <optional>

namespace tilec::tile {

/// Whether it reads, writes or carries one.
bool usesFragments(ParallelOp parallel);

/// If an access of a fragment names the element of its own iteration: for each index of the parallel the
/// extent of the fragment along it, 1 where it runs along none (such an index has extent 1).
std::optional<llvm::SmallVector<int64_t>> matchIndices(mlir::Value fragment, mlir::ValueRange indices,
                                                       ParallelOp parallel);

/// The same for all fragments that the parallel uses; nothing if they differ, or one does not match.
std::optional<llvm::SmallVector<int64_t>> getFragmentExtents(ParallelOp parallel);

/// Makes the parallel no longer than its fragments. Iterations beyond name no element of them, if the program
/// is defined; where there may be such iterations, they become parallels of their own behind it.
void splitBeyondFragments(ParallelOp parallel);

/// The scalar that all elements of a fragment were made with, or null.
mlir::Value getUniformInit(mlir::Value fragment);

} // namespace tilec::tile

#endif // TILEC_TRANSFORMS_FRAGMENTITERATION_H
