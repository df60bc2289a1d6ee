//===- Simplify.h - the parts of tile-simplify --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pass is made of, one file a part. A part either cleans up (patterns, at any stage) or changes
// which parallels there are (functions, before layouts are chosen: after that a parallel's shape is a
// decision).
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_TRANSFORMS_SIMPLIFY_H
#define TILEC_LIB_TRANSFORMS_SIMPLIFY_H

#include "mlir/IR/PatternMatch.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec::tile {

/// Accumulators that are zero, and what a loop carries for nobody (SimplifyValues.cpp).
void populateValuePatterns(mlir::RewritePatternSet &patterns);
/// Fragments under update: what is not written, not read, or written anyway (SimplifyUpdates.cpp).
void populateUpdatePatterns(mlir::RewritePatternSet &patterns);

/// Moves what parallels compute alike along an index into parallels without that index (HoistRows.cpp).
void hoistRows(KernelOp kernel);
/// Makes one parallel of two that work element by element on the same fragments (FuseParallels.cpp).
void fuseParallels(KernelOp kernel);

//===----------------------------------------------------------------------===//
// Questions about parallels (SimplifyUpdates.cpp)
//===----------------------------------------------------------------------===//

/// Whether rewrites may change its indices: no layout ties them, and it is known to run at least once.
bool isFreeToChange(ParallelOp parallel);

/// The reads, writes and updates of `object`, a fragment or reference, in the parallel's body, in order.
llvm::SmallVector<mlir::Operation *> getAccesses(mlir::Value object, ParallelOp parallel);
/// The indices of one of those.
mlir::ValueRange getIndices(mlir::Operation *access);

/// Whether different iterations name different elements with these indices: all are indices of the parallel
/// or constants, and every index of an extent other than 1 is among them.
bool isOwnElement(mlir::ValueRange indices, ParallelOp parallel);

/// Whether a read of an element gives exactly the value that was written: no bits are dropped on the way.
bool keepsValues(mlir::Type element);

} // namespace tilec::tile

#endif // TILEC_LIB_TRANSFORMS_SIMPLIFY_H
