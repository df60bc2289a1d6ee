//===- SelectCopies.cpp - tile-select-copies ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Region ops become elementwise ones first, so that one rule decides every access. A copy reads everything
// before it writes, which a load followed by a store says.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/PatternMatch.h"
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
  createParallel(
      builder, fill.getLoc(), fill.getOffsets(), fill.getExtents(), [&](ValueRange indices, ValueRange) {
        WriteOp::create(builder, fill.getLoc(), fill.getValue(), fill.getDest(), indices, isInBounds(fill));
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
                   auto each =
                       AtomicOp::create(builder, loc, atomic.getKind(), value, atomic.getDest(), indices);
                   if (isInBounds(atomic))
                     setInBounds(each);
                 });
  atomic->erase();
}

/// A converting copy whose pad no source element converts to. What is outside reads as 0 with one pad and as 1
/// with another, which nothing inside does.
static Value padConverted(OpBuilder &builder, CopyOp copy, Value converted, ArrayRef<int64_t> shape, Type from) {
  Location loc = copy.getLoc();
  Type loaded = loadedType(from), wide = from;
  if (isa<FloatType>(from) && !from.isF64())
    wide = builder.getF32Type(); // compares any float
  Type compared = loadedType(wide);
  auto number = [&](Type type, int64_t value) -> Value {
    if (auto floatType = dyn_cast<FloatType>(type))
      return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(floatType, value));
    return arith::ConstantIntOp::create(builder, loc, type, value);
  };
  SmallVector<Value> witnesses, wanted;
  for (int64_t pad : {0, 1}) {
    Value witness = LoadOp::create(builder, loc, FragmentType::get(copy.getContext(), shape, from),
                                   copy.getSource(), copy.getSourceOffsets(), copy.getSourceExtents(),
                                   number(loaded, pad));
    if (wide != from)
      witness = ConvertOp::create(builder, loc, FragmentType::get(copy.getContext(), shape, wide), witness);
    witnesses.push_back(witness);
    wanted.push_back(number(compared, pad));
  }
  SmallVector<OpFoldResult> extents;
  for (int64_t extent : shape)
    extents.push_back(builder.getI64IntegerAttr(extent));
  auto parallel = ParallelOp::create(builder, loc, extents, converted);
  OpBuilder body = OpBuilder::atBlockBegin(parallel.getBody());
  ValueRange indices = parallel.getIndices();
  Value outside;
  for (auto [witness, pad] : llvm::zip_equal(witnesses, wanted)) {
    Value element = ReadOp::create(body, loc, witness, indices, /*in_bounds=*/true);
    Value equal = isa<FloatType>(compared)
                      ? arith::CmpFOp::create(body, loc, arith::CmpFPredicate::OEQ, element, pad).getResult()
                      : arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, element, pad).getResult();
    outside = outside ? arith::AndIOp::create(body, loc, outside, equal).getResult() : equal;
  }
  Value ref = parallel.getRefs().front();
  Value inside = ReadOp::create(body, loc, ref, indices, /*in_bounds=*/true);
  Value value = arith::SelectOp::create(body, loc, outside, copy.getPad(), inside);
  WriteOp::create(body, loc, value, ref, indices, /*in_bounds=*/true);
  return parallel.getResult(0);
}

static void expandCopy(CopyOp copy) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  SmallVector<int64_t> shape = dropUnitExtents(copy.getSourceExtents());
  if (shape.empty())
    shape.push_back(1);
  Type from = cast<ObjectTypeInterface>(copy.getSource().getType()).getElementType();
  Type to = cast<ObjectTypeInterface>(copy.getDest().getType()).getElementType();
  // What is always inside needs no pad.
  Value pad = isInBounds(copy) ? Value() : copy.getPad();
  TypedAttr sourcePad = pad && from != to ? findSourcePad(copy) : TypedAttr();
  bool padsLater = pad && from != to && !sourcePad;
  if (pad && from != to)
    pad = sourcePad ? arith::ConstantOp::create(builder, loc, sourcePad).getResult() : Value();
  auto load = LoadOp::create(builder, loc, FragmentType::get(copy.getContext(), shape, from),
                             copy.getSource(), copy.getSourceOffsets(), copy.getSourceExtents(), pad);
  load.setInBounds(isInBounds(copy) && isa<GlobalType>(copy.getSource().getType()));
  Value fragment = load;
  if (from != to)
    fragment = ConvertOp::create(builder, loc, FragmentType::get(copy.getContext(), shape, to), fragment);
  if (padsLater)
    fragment = padConverted(builder, copy, fragment, shape, from);
  auto store =
      StoreOp::create(builder, loc, fragment, copy.getDest(), copy.getDestOffsets(), copy.getDestExtents());
  store.setInBounds(isInBounds(copy) && isa<GlobalType>(copy.getDest().getType()));
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
      if (auto fill = dyn_cast<FillOp>(op))
        expandFill(fill);
      else if (auto atomic = dyn_cast<AtomicTileOp>(op))
        expandAtomicTile(atomic);
      else if (auto copy = dyn_cast<CopyOp>(op))
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
    });
  }
};
} // namespace

} // namespace tilec
