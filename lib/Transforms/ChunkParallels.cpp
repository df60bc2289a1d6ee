//===- ChunkParallels.cpp - tile-chunk-parallels -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops round a parallel whose layout does not cover it, one a dimension. The parallel inside is over what is
// left of the last chunk, or over a whole chunk where that is known. Along an index of a fragment there is no
// chunk: each thread's registers are elements of certain iterations.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "tilec/Layout/Layout.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILECHUNKPARALLELSPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

static Value materialize(OpBuilder &builder, Location loc, OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return arith::ConstantIntOp::create(builder, loc, cast<IntegerAttr>(attribute).getInt(), 64);
  return cast<Value>(value);
}

namespace {
struct TileChunkParallelsPass : impl::TileChunkParallelsPassBase<TileChunkParallelsPass> {
  void runOnOperation() override {
    SmallVector<ParallelOp> parallels;
    getOperation()->walk([&](ParallelOp parallel) { parallels.push_back(parallel); });
    for (ParallelOp parallel : parallels)
      chunk(parallel);
  }

  static void chunk(ParallelOp parallel) {
    Coord covered = cast<LayoutAttrInterface>(parallel.getLayoutAttr()).toLinear().getBounds();
    SmallVector<OpFoldResult> extents = parallel.getMixedExtents();
    // Along fragments the layout covers all of them, and the parallel is no longer than that.
    SmallVector<bool> uncut = getUncutIndices(parallel);
    SmallVector<unsigned> dims;
    for (unsigned dim = 0; dim < extents.size(); ++dim) {
      std::optional<int64_t> extent = getConstantIntValue(extents[dim]);
      if (!uncut[dim] && (!extent || *extent > covered[dim]))
        dims.push_back(dim);
      assert((!uncut[dim] || !extent || *extent <= covered[dim]) && "threads hold no more of the fragment");
    }
    if (dims.empty() || parallel->hasAttr(kChunkAttr))
      return;
    remark::passed(parallel.getLoc(), decision(parallel, "Chunks", "tile-chunk-parallels"))
        << "a loop over chunks of what the threads hold at once" << remark::metric("Dimensions", dims.size());

    OpBuilder builder(parallel);
    Location loc = parallel.getLoc();
    IRMapping mapping;
    SmallVector<OpFoldResult> inner = extents;
    SmallVector<Value> starts(extents.size());
    for (unsigned dim : dims) {
      Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
      Value step = arith::ConstantIntOp::create(builder, loc, covered[dim], 64);
      Value extent = materialize(builder, loc, extents[dim]);
      auto loop = scf::ForOp::create(builder, loc, zero, extent, step);
      loop->setAttr(kChunkAttr, builder.getUnitAttr());
      builder.setInsertionPointToStart(loop.getBody());
      starts[dim] = loop.getInductionVar();
      std::optional<int64_t> constant = getConstantIntValue(extents[dim]);
      if (constant && *constant % covered[dim] == 0) {
        inner[dim] = builder.getI64IntegerAttr(covered[dim]);
      } else {
        Value left = arith::SubIOp::create(builder, loc, extent, starts[dim]);
        inner[dim] = arith::MinSIOp::create(builder, loc, left, step).getResult();
      }
    }
    auto chunked = ParallelOp::create(builder, loc, inner);
    chunked.setLayoutAttr(parallel.getLayoutAttr());
    chunked->setAttr(kChunkAttr, builder.getUnitAttr());
    builder.setInsertionPointToStart(chunked.getBody());
    for (auto [dim, index] : llvm::enumerate(parallel.getIndices())) {
      Value local = chunked.getIndices()[dim];
      mapping.map(index,
                  starts[dim] ? arith::AddIOp::create(builder, loc, starts[dim], local).getResult() : local);
    }
    for (Operation &op : parallel.getBody()->without_terminator())
      builder.clone(op, mapping);
    parallel->erase();
  }
};
} // namespace

} // namespace tilec
