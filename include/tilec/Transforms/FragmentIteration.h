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

/// An access of a fragment, or of one under update, in the body of a parallel.
struct FragmentAccess {
  mlir::Operation *op;
  mlir::OpOperand *fragment;
  mlir::ValueRange indices;

  static std::optional<FragmentAccess> get(mlir::Operation *op);
};

/// For each dimension of the fragment the index of the parallel that runs along it, -1 where its extent is 1;
/// each index runs along one at most. Nothing if the access is not of this form.
using Projection = llvm::SmallVector<int, 4>;
std::optional<Projection> getProjection(mlir::Value fragment, mlir::ValueRange indices, ParallelOp parallel);

/// Whether each iteration names an element of its own.
bool isInjective(llvm::ArrayRef<int> projection, ParallelOp parallel);

/// An access that each thread can make on its own, if layouts allow it: it reads by a projection, or changes
/// elements that no other iteration names.
std::optional<Projection> getOwnProjection(const FragmentAccess &access, ParallelOp parallel);

/// Whether every element of a box has a holder; dynamic extents do not count.
bool reaches(mlir::Attribute layout, llvm::ArrayRef<int64_t> extents);

/// Whether the layout of the parallel reaches every iteration along the indices that an access of this
/// projection names. Where it does not, the parallel is to be cut, and its threads stand for other elements
/// in every chunk.
bool reachesAlong(const FragmentAccess &access, llvm::ArrayRef<int> projection, ParallelOp parallel);

/// The indices that must not be cut into chunks: fragments are named along them, or are under update.
llvm::SmallVector<bool> getUncutIndices(ParallelOp parallel);

/// The registers of a fragment of layout `fragment` for those of an iteration of layout `iteration`; nothing
/// if elements have to move between threads. See Layout::matchRegisters.
std::optional<llvm::SmallVector<unsigned>> matchRegisters(mlir::Attribute iteration, mlir::Attribute fragment,
                                                          llvm::ArrayRef<int> projection);

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
