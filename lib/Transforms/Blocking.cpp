//===- Blocking.cpp - blocked layouts from sizes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Blocking.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilec {

using namespace tile;

/// Elements of a thread in a parallel that could as well be a loop: four vectors in flight a tensor hide the
/// latency of memory at the occupancy such kernels have; more only costs registers.
static constexpr int64_t vectorsInFlight = 4;
static constexpr int64_t scalarsInFlight = 16;
/// Ops of an unrolled body, so that long bodies are not unrolled into code that no instruction cache holds.
static constexpr int64_t maxUnrolledOps = 2048;

/// Spreads 32 lanes and `warps` over `extents` (kDynamic: as much as there is), last dimension first.
Blocking makeBlocking(ArrayRef<int64_t> extents, int64_t vectorWidth, int64_t warps) {
  unsigned rank = extents.size();
  Blocking blocking;
  blocking.vector.assign(rank, 1);
  blocking.lanes.assign(rank, 1);
  blocking.warps.assign(rank, 1);
  blocking.reps.assign(rank, 1);
  blocking.vector.back() = vectorWidth;
  // What is left of each dimension, in units of what is already spread.
  auto left = [&](unsigned dim) {
    int64_t extent =
        ShapedType::isDynamic(extents[dim]) ? int64_t(1) << 40 : std::max<int64_t>(extents[dim], 1);
    return static_cast<int64_t>(
        llvm::divideCeil(extent, blocking.vector[dim] * blocking.lanes[dim] * blocking.warps[dim]));
  };
  int64_t lanesLeft = 32;
  for (unsigned dim = rank; dim-- > 0 && lanesLeft > 1;) {
    // In dimension 0 the rest goes anyway: idle lanes are masked.
    int64_t lanes = dim == 0 ? lanesLeft : std::min<int64_t>(lanesLeft, llvm::PowerOf2Ceil(left(dim)));
    blocking.lanes[dim] = lanes;
    lanesLeft /= lanes;
  }
  int64_t warpsLeft = warps;
  for (unsigned dim = rank; dim-- > 0 && warpsLeft > 1;) {
    int64_t count = warpsLeft;
    if (dim != 0)
      while (count > left(dim) || warpsLeft % count != 0)
        --count;
    blocking.warps[dim] = count;
    warpsLeft /= count;
  }
  for (unsigned dim = 0; dim < rank; ++dim)
    if (!ShapedType::isDynamic(extents[dim]))
      blocking.reps[dim] = left(dim);
  return blocking;
}

/// The vector that keeps all threads busy.
int64_t limitVector(int64_t vector, ArrayRef<int64_t> extents, int64_t threads) {
  int64_t total = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent))
      return vector;
    total *= extent;
  }
  int64_t innermost = extents.back();
  while (vector > 1 && (total < vector * threads || vector > innermost))
    vector /= 2;
  return vector;
}

int64_t getAccessWidth(Operation *op) {
  auto width = op->getAttrOfType<IntegerAttr>(kWidthAttr);
  return width ? width.getInt() : 1;
}

Blocking makePatches(int64_t rows, int64_t cols, int64_t warps) {
  int64_t threads = 32 * warps;
  return makeBlocking({rows, cols}, limitVector(4, {rows, cols}, threads), warps);
}

Blocking chooseIteration(tile::ParallelOp parallel, int64_t threads) {
  ArrayRef<int64_t> extents = parallel.getStaticExtents();
  int64_t vector = 1, ops = 0;
  bool hasLoop = false;
  for (Operation &op : parallel.getBody()->without_terminator())
    vector = std::max(vector, getAccessWidth(&op));
  parallel->walk([&](Operation *op) {
    ++ops;
    hasLoop |= isa<LoopLikeOpInterface>(op);
  });
  vector = limitVector(vector, extents, threads);
  Blocking blocking = makeBlocking(extents, vector, threads / 32);
  int64_t elements = vector > 1 ? vectorsInFlight * vector : scalarsInFlight;
  elements = std::min(elements, std::max<int64_t>(maxUnrolledOps / ops, 1));
  if (hasLoop)
    elements = std::min<int64_t>(elements, std::max<int64_t>(vector, 4));
  int64_t left = std::max<int64_t>(elements / vector, 1);
  // Rows of a fragment stay in registers if there is room for all of those that the iterations name.
  SmallVector<bool> uncut = getUncutIndices(parallel);
  int64_t rows = 1;
  for (auto [dim, reps] : llvm::enumerate(blocking.reps))
    rows *= uncut[dim] ? reps : 1;
  bool keepsRows = rows <= left;
  if (keepsRows)
    left /= rows;
  // A dynamic extent gets repetitions as if it were long; the innermost dimension first.
  for (unsigned dim = extents.size(); dim-- > 0;) {
    int64_t &reps = blocking.reps[dim];
    bool isDynamic = ShapedType::isDynamic(extents[dim]);
    if (keepsRows && uncut[dim] && !isDynamic)
      continue;
    reps = isDynamic && dim == extents.size() - 1 ? left : std::min(reps, left);
    left = std::max<int64_t>(left / reps, 1);
  }
  return blocking;
}

} // namespace tilec
