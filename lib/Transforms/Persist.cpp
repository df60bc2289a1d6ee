//===- Persist.cpp - tile-persist --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only gridDim.x may be large (2^31 - 1; y and z end at 65535, CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability"), so all grids become one-dimensional. Block numbers then fit 32
// bits, in which taking them apart costs a few instructions instead of a hundred.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEPERSISTPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

static constexpr int64_t maxBlocks = (int64_t(1) << 31) - 1;
static constexpr llvm::StringLiteral tooManyBlocks = "the grid has more than 2147483647 blocks:";

static Value createConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

/// The number of blocks, or something above maxBlocks where it is that; no intermediate result overflows.
static Value createTotal(OpBuilder &builder, Location loc, ValueRange extents) {
  Value zero = createConstant(builder, loc, 0), limit = createConstant(builder, loc, maxBlocks + 1);
  Value total;
  for (Value extent : extents) {
    Value count = arith::MaxSIOp::create(builder, loc, extent, zero);
    count = arith::MinSIOp::create(builder, loc, count, limit);
    if (total) {
      count = arith::MulIOp::create(builder, loc, total, count);
      count = arith::MinSIOp::create(builder, loc, count, limit);
    }
    total = count;
  }
  return total;
}

static void linearizeGrid(GridOp grid) {
  OpBuilder builder(grid);
  Location loc = grid.getLoc();
  SmallVector<Value> extents(grid.getExtents());
  Value total = createTotal(builder, loc, extents);
  grid.getExtentsMutable().assign(total);

  Block *body = grid.getBody();
  Value number = body->insertArgument(0u, builder.getI64Type(), loc);
  builder.setInsertionPointToStart(body);
  auto decode = DecodeOp::create(builder, loc, SmallVector<Type>(extents.size(), builder.getI64Type()),
                                 number, extents, /*longest_first=*/false, grid.getRasterAttr());
  grid.removeRasterAttr();
  for (Value index : decode.getIndices()) {
    body->getArgument(1).replaceAllUsesWith(index);
    body->eraseArgument(1);
  }
}

/// Whether the requirement in front of the launch is what linearizeLaunch puts there; the launcher's own
/// checks may stand there too.
static bool isLinear(LaunchOp launch) {
  auto require = dyn_cast_if_present<RequireOp>(launch->getPrevNode());
  if (!require || require.getKind() != GuardKind::Overflow || launch.getGrid().size() != 1)
    return false;
  auto fits = require.getCondition().getDefiningOp<arith::CmpIOp>();
  APInt limit;
  return fits && fits.getPredicate() == arith::CmpIPredicate::sle && fits.getLhs() == launch.getGrid()[0] &&
         matchPattern(fits.getRhs(), m_ConstantInt(&limit)) && limit == maxBlocks;
}

static void linearizeLaunch(LaunchOp launch) {
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  SmallVector<Value> extents(launch.getGrid());
  Value total = createTotal(builder, loc, extents);
  Value limit = createConstant(builder, loc, maxBlocks);
  Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, total, limit);
  std::string text = tooManyBlocks.str();
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    text += (dim ? " x {" : " {") + std::to_string(dim) + "}";
  RequireOp::create(builder, loc, fits, text, extents, GuardKind::Overflow);
  launch.getGridMutable().assign(total);
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  launch.setThreads(kernel.getGrid().getThreads());
}

namespace {
struct TilePersistPass : impl::TilePersistPassBase<TilePersistPass> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (auto grid = dyn_cast<GridOp>(op); grid && grid.getExtents().size() > 1) {
        remark::passed(grid.getLoc(), decision(grid, "Linear", "tile-persist"))
            << "blocks are numbered in one dimension, x fastest" << remark::metric("Rank", grid.getExtents().size());
        linearizeGrid(grid);
      }
      if (auto grid = dyn_cast<GridOp>(op); grid && grid.getCluster()) {
        remark::missed(grid.getLoc(), decision(grid, "NoCluster", "tile-persist"))
            << "the hint 'cluster' is not used: blocks run on their own";
        grid.removeClusterAttr();
      }
      if (auto launch = dyn_cast<LaunchOp>(op)) {
        launch.removeClusterAttr();
        if (!isLinear(launch))
          linearizeLaunch(launch);
      }
    });
  }
};
} // namespace

} // namespace tilec
