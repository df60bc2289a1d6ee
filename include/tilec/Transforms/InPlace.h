//===- InPlace.h - memory that a parallel changes in place -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where several threads hold an element of an iteration, one of them, its owner, writes to memory. Another
// one that reads what is written there may come before or after it, so only the owner may read, too, and
// whatever follows from the read stays with it. What ends in a fragment cannot: all holders need the value.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_INPLACE_H
#define TILEC_TRANSFORMS_INPLACE_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/DenseSet.h"

namespace tilec::tile {

/// The reads of a parallel from memory that it writes as well, and what becomes of them.
class InPlaceReads {
public:
  explicit InPlaceReads(ParallelOp parallel);

  /// Whether a value that is read ends in a fragment, so that no two threads may hold an iteration.
  bool reachFragments() const {
    return llvm::any_of(reads, [&](mlir::Operation *read) { return needed.contains(read); });
  }
  /// Whether only the owner may run the op: it is such a read, or something with regions that may wait for
  /// one.
  bool isForOwner(mlir::Operation *op) const {
    return !reads.empty() && !needed.contains(op) && (op->getNumRegions() > 0 || reads.contains(op));
  }

private:
  void need(mlir::Value value);
  void need(mlir::Operation *op);

  ParallelOp parallel;
  llvm::DenseSet<mlir::Operation *> reads;
  llvm::DenseSet<mlir::Operation *> needed; // by fragments that the parallel changes
};

} // namespace tilec::tile

#endif // TILEC_TRANSFORMS_INPLACE_H
