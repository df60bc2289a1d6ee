//===- SelectCopies.cpp - tile-select-copies ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Region ops on tensors become elementwise ones first, so that one rule decides every access. A copy between
// tensors reads everything before it writes, which a load followed by a store says.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "tilec/Transforms/CopyPad.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILESELECTCOPIESPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

/// A parallel over the extents; `body` gets the element's indices in the region's object and, for the
/// fragment of the same region, without the unit extents.
static void createParallel(OpBuilder &builder, Location loc, ValueRange offsets, ArrayRef<int64_t> extents,
                           function_ref<void(ValueRange indices, ValueRange fragmentIndices)> body) {
  SmallVector<OpFoldResult> bounds;
  for (int64_t extent : dropUnitExtents(extents))
    bounds.push_back(builder.getI64IntegerAttr(extent));
  if (bounds.empty())
    bounds.push_back(builder.getI64IntegerAttr(1));
  auto parallel = ParallelOp::create(builder, loc, bounds);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parallel.getBody());
  SmallVector<Value> indices;
  unsigned next = 0;
  for (auto [offset, extent] : llvm::zip_equal(offsets, extents))
    indices.push_back(
        extent == 1 ? offset
                    : arith::AddIOp::create(builder, loc, offset, parallel.getIndices()[next++]).getResult());
  body(indices, ValueRange(parallel.getIndices()).take_front(next));
}

static void expandFill(FillOp fill) {
  OpBuilder builder(fill);
  createParallel(builder, fill.getLoc(), fill.getOffsets(), fill.getExtents(),
                 [&](ValueRange indices, ValueRange) {
                   WriteOp::create(builder, fill.getLoc(), fill.getValue(), fill.getDest(), indices);
                 });
  fill->erase();
}

static void expandAtomicTile(AtomicTileOp atomic) {
  OpBuilder builder(atomic);
  Location loc = atomic.getLoc();
  createParallel(builder, loc, atomic.getOffsets(), atomic.getExtents(),
                 [&](ValueRange indices, ValueRange fragmentIndices) {
                   Value value = atomic.getValue();
                   if (auto type = dyn_cast<FragmentType>(value.getType())) {
                     // The fragment may keep unit extents that the region drops, and the other way round.
                     SmallVector<Value> inFragment;
                     for (int64_t extent : type.getShape()) {
                       if (extent == 1) {
                         inFragment.push_back(arith::ConstantIntOp::create(builder, loc, 0, 64));
                       } else {
                         inFragment.push_back(fragmentIndices.front());
                         fragmentIndices = fragmentIndices.drop_front();
                       }
                     }
                     value = ReadOp::create(builder, loc, value, inFragment, /*in_bounds=*/true);
                   }
                   AtomicOp::create(builder, loc, atomic.getKind(), value, atomic.getDest(), indices);
                 });
  atomic->erase();
}

static void expandCopy(CopyOp copy) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  SmallVector<int64_t> shape = dropUnitExtents(copy.getSourceExtents());
  if (shape.empty())
    shape.push_back(1);
  Type from = cast<GlobalType>(copy.getSource().getType()).getElementType();
  Type to = cast<GlobalType>(copy.getDest().getType()).getElementType();
  Value pad = copy.getPad();
  if (pad && from != to)
    pad = arith::ConstantOp::create(builder, loc, findSourcePad(copy));
  Value fragment = LoadOp::create(builder, loc, FragmentType::get(copy.getContext(), shape, from),
                                  copy.getSource(), copy.getSourceOffsets(), copy.getSourceExtents(), pad);
  if (from != to)
    fragment = ConvertOp::create(builder, loc, FragmentType::get(copy.getContext(), shape, to), fragment);
  StoreOp::create(builder, loc, fragment, copy.getDest(), copy.getDestOffsets(), copy.getDestExtents());
  copy->erase();
}

/// Writes `value` to the region of `dest` that begins at `offsets`: every element's own thread does.
static void expandInsert(Operation *op, Value value, Value dest, ValueRange offsets,
                         ArrayRef<int64_t> extents) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto type = cast<FragmentType>(dest.getType());
  SmallVector<OpFoldResult> bounds;
  for (int64_t extent : type.getShape())
    bounds.push_back(builder.getI64IntegerAttr(extent));
  auto parallel = ParallelOp::create(builder, loc, bounds, dest);
  builder.setInsertionPointToStart(parallel.getBody());
  Value inside;
  for (auto [index, offset, extent] : llvm::zip_equal(parallel.getIndices(), offsets, extents)) {
    Value from = arith::SubIOp::create(builder, loc, index, offset);
    Value length = arith::ConstantIntOp::create(builder, loc, extent, 64);
    Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, from, length);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, here).getResult() : here;
  }
  auto branch = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  WriteOp::create(builder, loc, value, parallel.getRefs().front(), parallel.getIndices(), /*in_bounds=*/true);
  op->replaceAllUsesWith(parallel.getResults());
  op->erase();
}

namespace {
struct TileSelectCopiesPass : impl::TileSelectCopiesPassBase<TileSelectCopiesPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    kernel->walk([](Operation *op) {
      if (auto fill = dyn_cast<FillOp>(op); fill && isa<GlobalType>(fill.getDest().getType()))
        expandFill(fill);
      else if (auto atomic = dyn_cast<AtomicTileOp>(op);
               atomic && isa<GlobalType>(atomic.getDest().getType()))
        expandAtomicTile(atomic);
      else if (auto copy = dyn_cast<CopyOp>(op); copy && isa<GlobalType>(copy.getSource().getType()) &&
                                                 isa<GlobalType>(copy.getDest().getType()))
        expandCopy(copy);
      else if (auto insert = dyn_cast<InsertOp>(op))
        expandInsert(op, insert.getValue(), insert.getDest(), insert.getIndices(),
                     SmallVector<int64_t>(insert.getIndices().size(), 1));
      else if (auto insert = dyn_cast<InsertSliceOp>(op); insert && getUniformInit(insert.getValue()))
        expandInsert(op, getUniformInit(insert.getValue()), insert.getDest(), insert.getOffsets(),
                     insert.getExtents());
    });

    SmallVector<ParallelOp> parallels;
    kernel->walk([&](ParallelOp parallel) { parallels.push_back(parallel); });
    llvm::for_each(parallels, splitBeyondFragments);

    IndexAnalysis analysis(kernel);
    Builder builder(&getContext());
    kernel->walk([&](Operation *op) {
      std::optional<ElementAccess> access = ElementAccess::get(op);
      if (!access || isa<AtomicOp, ReadScalarOp, WriteScalarOp>(op))
        return;
      AccessWidth width = computeWidth(*access, analysis);
      if (width.elements > 1)
        op->setAttr(kWidthAttr, builder.getI64IntegerAttr(width.elements));
      if (width.guard > 1 && !isInBounds(op))
        op->setAttr(kGuardAttr, builder.getI64IntegerAttr(width.guard));
      auto options = decision(op, "Width", "tile-select-copies");
      unsigned bits = storageBits(access->getElementType());
      std::string text = access->writes ? "stores" : "loads";
      if (width.reason.empty())
        remark::passed(op->getLoc(), options)
            << text + " of 16 bytes" << remark::metric("Elements", width.elements);
      else
        remark::missed(op->getLoc(), options)
            << text + " of at most " + std::to_string(std::max<int64_t>(width.elements * bits / 8, 1)) +
                   " bytes: " + width.reason
            << remark::metric("Elements", width.elements);
    });
  }
};
} // namespace

} // namespace tilec
