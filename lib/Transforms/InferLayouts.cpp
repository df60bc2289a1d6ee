//===- InferLayouts.cpp - tile-infer-layouts ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise kernels need one layout a shape: then no statement exchanges data between threads. The layout
// follows the memory accesses of that shape: the widest vector that one of them can use, along the last
// dimension, lanes along it so that a warp's accesses are one piece of memory, then warps, then repetitions.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Remarks.h"
#include "tilec/Layout/Layout.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEINFERLAYOUTSPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

/// Elements of a thread in a parallel that could as well be a loop: four vectors in flight a tensor hide the
/// latency of memory at the occupancy such kernels have; more only costs registers.
static constexpr int64_t vectorsInFlight = 4;
static constexpr int64_t scalarsInFlight = 16;
/// Ops of an unrolled body, so that long bodies are not unrolled into code that no instruction cache holds.
static constexpr int64_t maxUnrolledOps = 2048;

namespace {
/// Vector, lanes, warps, repetitions a dimension.
struct Blocking {
  SmallVector<int64_t> vector, lanes, warps, reps;

  BlockedAttr toAttr(MLIRContext *context) const {
    return BlockedAttr::get(context, vector, lanes, warps, reps);
  }
};
} // namespace

/// Spreads 32 lanes and `warps` over `extents` (kDynamic: as much as there is), last dimension first.
static Blocking makeBlocking(ArrayRef<int64_t> extents, int64_t vectorWidth, int64_t warps) {
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
static int64_t limitVector(int64_t vector, ArrayRef<int64_t> extents, int64_t threads) {
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

static int64_t getWidth(Operation *op) {
  auto width = op->getAttrOfType<IntegerAttr>(kWidthAttr);
  return width ? width.getInt() : 1;
}

/// `blocking` of the shape without unit extents, for the shape with them.
static Blocking addUnitExtents(const Blocking &blocking, ArrayRef<int64_t> shape) {
  if (blocking.vector.size() == shape.size())
    return blocking;
  Blocking result;
  unsigned next = 0;
  for (int64_t extent : shape) {
    bool unit = extent == 1;
    result.vector.push_back(unit ? 1 : blocking.vector[next]);
    result.lanes.push_back(unit ? 1 : blocking.lanes[next]);
    result.warps.push_back(unit ? 1 : blocking.warps[next]);
    result.reps.push_back(unit ? 1 : blocking.reps[next]);
    next += !unit;
  }
  return result;
}

namespace {
struct TileInferLayoutsPass : impl::TileInferLayoutsPassBase<TileInferLayoutsPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    int64_t threads = kernel.getGrid().getThreads();

    // The widest access of each shape of fragments.
    llvm::MapVector<ArrayAttr, int64_t> vectors;
    Builder builder(&getContext());
    auto note = [&](ArrayRef<int64_t> shape, int64_t width) {
      SmallVector<int64_t> key = dropUnitExtents(shape);
      int64_t &vector = vectors.insert({builder.getI64ArrayAttr(key), 1}).first->second;
      vector = std::max(vector, width);
    };
    auto noteValue = [&](Value value) {
      if (auto type = dyn_cast<FragmentType>(value.getType()))
        note(type.getShape(), 1);
    };
    bool failed = false; // tile-check-supported lets no such program through
    kernel->walk([&](Operation *op) {
      llvm::for_each(op->getResults(), noteValue);
      for (Region &region : op->getRegions())
        llvm::for_each(region.getArguments(), noteValue);
      if (auto load = dyn_cast<LoadOp>(op))
        note(load.getExtents(), getWidth(op));
      if (auto store = dyn_cast<StoreOp>(op))
        note(store.getExtents(), getWidth(op));
      auto parallel = dyn_cast<ParallelOp>(op);
      if (parallel && usesFragments(parallel) && !getFragmentExtents(parallel)) {
        parallel.emitOpError("names elements of fragments that other iterations hold");
        failed = true;
        return;
      }
      if (parallel && usesFragments(parallel))
        for (Operation &access : parallel.getBody()->without_terminator())
          note(*getFragmentExtents(parallel), getWidth(&access));
    });
    if (failed)
      return signalPassFailure();
    llvm::MapVector<ArrayAttr, Blocking> layouts;
    for (auto &[key, vector] : vectors) {
      SmallVector<int64_t> shape =
          llvm::map_to_vector(key, [](Attribute extent) { return cast<IntegerAttr>(extent).getInt(); });
      if (shape.empty())
        shape.push_back(1);
      layouts[key] = makeBlocking(shape, limitVector(vector, shape, threads), threads / 32);
    }
    auto layoutOf = [&](ArrayRef<int64_t> shape) -> BlockedAttr {
      SmallVector<int64_t> key = dropUnitExtents(shape);
      Blocking blocking = layouts.lookup(builder.getI64ArrayAttr(key));
      // All extents are 1: the atom has one dimension, and the others follow it.
      if (key.empty()) {
        Blocking ones = makeBlocking(shape, 1, threads / 32);
        return ones.toAttr(&getContext());
      }
      return addUnitExtents(blocking, shape).toAttr(&getContext());
    };

    kernel->walk([&](ParallelOp parallel) {
      if (!parallel.getLayout())
        parallel.setLayoutAttr(usesFragments(parallel) ? layoutOf(*getFragmentExtents(parallel))
                                                       : chooseIteration(parallel, threads));
      remark::passed(parallel.getLoc(), decision(parallel, "Layout", "tile-infer-layouts"))
          << "indices are spread as " << remark::add("{0}", parallel.getLayoutAttr());
    });

    AttrTypeReplacer replacer;
    replacer.addReplacement([&](FragmentType type) -> std::pair<Type, WalkResult> {
      if (!type.getLayout())
        type = FragmentType::get(&getContext(), type.getShape(), type.getElementType(),
                                 layoutOf(type.getShape()));
      return {type, WalkResult::skip()};
    });
    replacer.addReplacement([&](FragRefType type) -> std::pair<Type, WalkResult> {
      if (!type.getLayout())
        type = FragRefType::get(&getContext(), type.getShape(), type.getElementType(),
                                layoutOf(type.getShape()));
      return {type, WalkResult::skip()};
    });
    replacer.recursivelyReplaceElementsIn(kernel, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

  /// A parallel without fragments: as many repetitions as keep enough accesses in flight.
  BlockedAttr chooseIteration(ParallelOp parallel, int64_t threads) {
    ArrayRef<int64_t> extents = parallel.getStaticExtents();
    int64_t vector = 1, ops = 0;
    bool hasLoop = false;
    for (Operation &op : parallel.getBody()->without_terminator())
      vector = std::max(vector, getWidth(&op));
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
    // A dynamic extent gets repetitions as if it were long; the innermost dimension first.
    int64_t left = std::max<int64_t>(elements / vector, 1);
    for (unsigned dim = extents.size(); dim-- > 0;) {
      int64_t &reps = blocking.reps[dim];
      bool isDynamic = ShapedType::isDynamic(extents[dim]);
      reps = isDynamic && dim == extents.size() - 1 ? left : std::min(reps, left);
      left = std::max<int64_t>(left / reps, 1);
    }
    return blocking.toAttr(&getContext());
  }
};
} // namespace

} // namespace tilec
