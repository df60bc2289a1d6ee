//===- Blocking.h - blocked layouts from sizes --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes along the contiguous dimension so that a warp's accesses are one piece of memory, then warps, and the
// rest is repeated.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_TRANSFORMS_BLOCKING_H
#define TILEC_LIB_TRANSFORMS_BLOCKING_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Vector, lanes, warps, repetitions a dimension.
struct Blocking {
  llvm::SmallVector<int64_t> vector, lanes, warps, reps;

  tile::BlockedAttr toAttr(mlir::MLIRContext *context) const {
    return tile::BlockedAttr::get(context, vector, lanes, warps, reps);
  }
};

/// Spreads 32 lanes and `warps` over `extents` (kDynamic: as much as there is), last dimension first.
Blocking makeBlocking(llvm::ArrayRef<int64_t> extents, int64_t vectorWidth, int64_t warps);

/// The vector of at most that width that keeps all threads busy.
int64_t limitVector(int64_t vector, llvm::ArrayRef<int64_t> extents, int64_t threads);

/// For the accumulator of scalar multiply-adds: a patch of up to 4 x 4 elements a thread, so that an element
/// of an operand serves several products.
Blocking makePatches(int64_t rows, int64_t cols, int64_t warps);

/// What a thread runs at once of a parallel that changes no fragment: as many repetitions as keep enough
/// accesses in flight, and the rows of fragments that it names if they are few. The rest is left to
/// tile-chunk-parallels.
Blocking chooseIteration(tile::ParallelOp parallel, int64_t threads);

/// `tile.width` of an access, 1 without.
int64_t getAccessWidth(mlir::Operation *op);

} // namespace tilec

#endif // TILEC_LIB_TRANSFORMS_BLOCKING_H
