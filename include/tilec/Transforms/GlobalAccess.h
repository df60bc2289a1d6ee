//===- GlobalAccess.h - accesses to tensors and their width -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One view of everything that touches a tensor element by element: reads, writes and atomics of a parallel,
// loads and stores of fragments, scalars of the block. What passes decide about such an op is kept in its
// attributes: `in_bounds` (an op's own, or `tile.in_bounds`) and `tile.width`.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_GLOBALACCESS_H
#define TILEC_TRANSFORMS_GLOBALACCESS_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Transforms/IndexAnalysis.h"
#include <string>

namespace tilec::tile {

inline constexpr llvm::StringLiteral kWidthAttr = "tile.width";
inline constexpr llvm::StringLiteral kGuardAttr = "tile.guard";
inline constexpr llvm::StringLiteral kInBoundsAttr = "tile.in_bounds";
/// On a parallel: it is cut to what its layout covers; on a loop: its iterations are chunks of one parallel.
inline constexpr llvm::StringLiteral kChunkAttr = "tile.chunk";
inline constexpr llvm::StringLiteral kDivisibleAttr = "tile.divisible";

/// Bytes that the widest load and store of all targets move (PTX ISA 9.7.9.8, .v4.b32).
inline constexpr int64_t maxAccessBytes = 16;

/// An op that touches elements of a tensor in global memory, at `indices`; `extents` is empty for one
/// element.
struct ElementAccess {
  mlir::Operation *op;
  mlir::Value global;
  mlir::ValueRange indices;
  llvm::ArrayRef<int64_t> extents;
  bool reads, writes;

  /// Nothing if the op does not access a tensor in this way (copies and fills are not elementwise yet).
  static std::optional<ElementAccess> get(mlir::Operation *op);
  /// The element's type, with signedness.
  mlir::Type getElementType() const;
  /// The innermost parallel around the op, or null.
  ParallelOp getParallel() const { return op->getParentOfType<ParallelOp>(); }
};

/// The same, and what ops on whole regions touch that are not elementwise yet: both sides of a copy, fills and
/// atomics.
llvm::SmallVector<ElementAccess, 2> getTensorAccesses(mlir::Operation *op);

bool isInBounds(mlir::Operation *access);
void setInBounds(mlir::Operation *access);

/// The argument that a tensor or window leads to.
mlir::BlockArgument getRootPointer(mlir::Value global);
/// What the kernel does with it: in, out or inout.
AccessMode getAccessMode(mlir::Value global);

/// How many elements one instruction may move for this access, and why not more; how many are inside
/// together.
struct AccessWidth {
  int64_t elements = 1;
  std::string reason;
  int64_t guard = 1;
};
AccessWidth computeWidth(const ElementAccess &access, const IndexAnalysis &indices);

} // namespace tilec::tile

#endif // TILEC_TRANSFORMS_GLOBALACCESS_H
