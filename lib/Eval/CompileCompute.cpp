//===- CompileCompute.cpp - gemm, reductions, scans, transpose ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that compute with whole tiles, as closures over TileMath.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "TileMath.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

static LogicalResult compileGemm(Compiler &c, Operation *op) {
  auto product = cast<tile::GemmOp>(op);
  const unsigned a = c.viewOf(product.getA()), b = c.viewOf(product.getB()),
                 to = c.viewOf(product.getResult());
  const std::optional<unsigned> acc =
      product.getAcc() ? std::optional<unsigned>(c.viewOf(product.getAcc())) : std::nullopt;
  const GemmShape shape{product.getM(), product.getN(), product.getK(), product.getTransA(),
                        product.getTransB()};
  c.call(op->getLoc(), [=](Machine &m) {
    TileRef result;
    const TileRef sum = acc ? m.view(*acc).owner : TileRef();
    const Outcome outcome = gemm(m, m.view(a), m.view(b), sum.get(), shape, m.view(to).kind, result);
    if (outcome == Outcome::Ok)
      m.view(to).bind(std::move(result));
    return outcome;
  });
  return success();
}

static AxisShape axisShape(Type type, int64_t axis) {
  AxisShape shape{1, 1, 1};
  for (auto [d, extent] : llvm::enumerate(cast<tile::ObjectTypeInterface>(type).getShape())) {
    int64_t &part = static_cast<int64_t>(d) < axis    ? shape.outer
                    : static_cast<int64_t>(d) == axis ? shape.length
                                                      : shape.inner;
    part *= extent;
  }
  return shape;
}

static LogicalResult compileReduce(Compiler &c, Operation *op) {
  auto reduction = cast<tile::ReduceOp>(op);
  const unsigned from = c.viewOf(reduction.getSource()), to = c.viewOf(reduction.getResult());
  const std::optional<unsigned> init =
      reduction.getInit() ? std::optional<unsigned>(c.viewOf(reduction.getInit())) : std::nullopt;
  const AxisShape shape = axisShape(reduction.getSource().getType(), reduction.getAxis());
  // Which elements a thread holds is its layout's business; as every element counts once, any split will do.
  const int64_t parts = reduction.getParts().value_or(tile::Parts::None) != tile::Parts::None
                            ? cast<tile::FragmentType>(reduction.getType()).getShape()[reduction.getAxis()]
                            : 1;
  const Fold fold = static_cast<Fold>(reduction.getKind());
  const bool propagate = reduction.getNanPropagate();
  c.call(op->getLoc(), [=](Machine &m) {
    TileRef result;
    const TileRef start = init ? m.view(*init).owner : TileRef();
    const Outcome outcome =
        reduce(m, *m.view(from).owner, shape, parts, fold, propagate, start.get(), m.view(to).kind, result);
    if (outcome == Outcome::Ok)
      m.view(to).bind(std::move(result));
    return outcome;
  });
  return success();
}

static LogicalResult compileScan(Compiler &c, Operation *op) {
  auto prefix = cast<tile::ScanOp>(op);
  const unsigned from = c.viewOf(prefix.getSource()), to = c.viewOf(prefix.getResult());
  const AxisShape shape = axisShape(prefix.getSource().getType(), prefix.getAxis());
  const Fold fold = prefix.getKind() == tile::ScanKind::Sum ? Fold::Sum : Fold::Max;
  const bool propagate = prefix.getNanPropagate(), reverse = prefix.getReverse();
  c.call(op->getLoc(), [=](Machine &m) {
    TileRef result;
    const Outcome outcome = scan(m, *m.view(from).owner, shape, fold, propagate, reverse, result);
    if (outcome == Outcome::Ok)
      m.view(to).bind(std::move(result));
    return outcome;
  });
  return success();
}

static LogicalResult compileTranspose(Compiler &c, Operation *op) {
  auto transpose = cast<tile::TransposeOp>(op);
  const unsigned to = c.viewOf(transpose.getResult());
  const unsigned from = c.viewOf(transpose.getSource());
  // A gather through a view whose dimensions are swapped.
  eval::Region swapped = c.wholeOf(transpose.getSource());
  std::swap(swapped.extents[0], swapped.extents[1]);
  swapped.view = c.newView(transpose.getSource().getType());
  c.call(op->getLoc(), [=](Machine &m) {
    View &view = m.view(swapped.view);
    view = m.view(from);
    std::swap(view.dims[0], view.dims[1]);
    TileRef tile;
    const Outcome outcome = gather(m, swapped, view.kind, slotOfInt(0), tile);
    if (outcome == Outcome::Ok)
      m.view(to).bind(std::move(tile));
    return outcome;
  });
  return success();
}

void eval::addComputeHandlers(HandlerTable &table) {
  table.add<tile::GemmOp>(compileGemm);
  table.add<tile::ReduceOp>(compileReduce);
  table.add<tile::ScanOp>(compileScan);
  table.add<tile::TransposeOp>(compileTranspose);
}
