//===- OpsMemory.cpp - objects and moving them ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, verifiers and folders of tensors, windows, shared tiles, fragments and what moves them.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

/// The extents that remain when the dimensions in `drop` vanish.
static SmallVector<int64_t> dropDimensions(ArrayRef<int64_t> extents, ArrayRef<int64_t> drop) {
  SmallVector<int64_t> result;
  for (auto [dimension, extent] : llvm::enumerate(extents))
    if (!llvm::is_contained(drop, int64_t(dimension)))
      result.push_back(extent);
  return result;
}

//===----------------------------------------------------------------------===//
// GlobalOp
//===----------------------------------------------------------------------===//

void GlobalOp::build(OpBuilder &builder, OperationState &state, Value ptr, ArrayRef<OpFoldResult> sizes,
                     ArrayRef<OpFoldResult> strides, Value map) {
  SmallVector<Value> dynamicSizes, dynamicStrides;
  SmallVector<int64_t> staticSizes, staticStrides;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
  Type result =
      GlobalType::get(builder.getContext(), staticSizes, cast<PtrType>(ptr.getType()).getElementType());
  build(builder, state, result, ptr, dynamicSizes, dynamicStrides, map, staticSizes, staticStrides);
}

SmallVector<OpFoldResult> GlobalOp::getMixedSizes() {
  Builder builder(getContext());
  return getMixedValues(getStaticSizes(), getSizes(), builder);
}

SmallVector<OpFoldResult> GlobalOp::getMixedStrides() {
  Builder builder(getContext());
  return getMixedValues(getStaticStrides(), getStrides(), builder);
}

//===----------------------------------------------------------------------===//
// WindowOp
//===----------------------------------------------------------------------===//

void WindowOp::build(OpBuilder &builder, OperationState &state, Value base, ValueRange offsets,
                     ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> drop) {
  SmallVector<Value> dynamicSizes;
  SmallVector<int64_t> staticSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  Type result = GlobalType::get(builder.getContext(), dropDimensions(staticSizes, drop),
                                cast<GlobalType>(base.getType()).getElementType());
  build(builder, state, result, base, offsets, dynamicSizes, staticSizes, drop);
}

SmallVector<OpFoldResult> WindowOp::getMixedSizes() {
  Builder builder(getContext());
  return getMixedValues(getStaticSizes(), getSizes(), builder);
}

//===----------------------------------------------------------------------===//
// SubviewOp
//===----------------------------------------------------------------------===//

void SubviewOp::build(OpBuilder &builder, OperationState &state, Value base, ValueRange offsets,
                      ArrayRef<int64_t> extents, ArrayRef<int64_t> drop) {
  Type result = SharedType::get(builder.getContext(), dropDimensions(extents, drop),
                                cast<SharedType>(base.getType()).getElementType());
  build(builder, state, result, base, offsets, extents, drop);
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Type result, Value source, ValueRange offsets,
                   ArrayRef<int64_t> extents, Value pad) {
  build(builder, state, result, source, offsets, pad, builder.getDenseI64ArrayAttr(extents),
        /*in_bounds=*/nullptr, /*path=*/nullptr);
}

void CopyOp::build(OpBuilder &builder, OperationState &state, Value source, ValueRange sourceOffsets,
                   ArrayRef<int64_t> sourceExtents, Value dest, ValueRange destOffsets,
                   ArrayRef<int64_t> destExtents, Value pad) {
  build(builder, state, TypeRange(), source, sourceOffsets, pad, dest, destOffsets,
        builder.getDenseI64ArrayAttr(sourceExtents), builder.getDenseI64ArrayAttr(destExtents),
        /*path=*/nullptr);
}

void StoreOp::build(OpBuilder &builder, OperationState &state, Value value, Value dest, ValueRange offsets,
                    ArrayRef<int64_t> extents) {
  build(builder, state, TypeRange(), value, dest, offsets, builder.getDenseI64ArrayAttr(extents),
        /*in_bounds=*/nullptr, /*path=*/nullptr, /*executor=*/nullptr);
}

//===----------------------------------------------------------------------===//
// ReshapeOp, ConvertOp
//===----------------------------------------------------------------------===//

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto inner = getSource().getDefiningOp<ReshapeOp>();
  if (!inner)
    return {};
  if (inner.getSource().getType() == getType())
    return inner.getSource();
  getSourceMutable().assign(inner.getSource()); // two steps become one
  return getResult();
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getSource().getType() == getType() ? getSource() : Value();
}

//===----------------------------------------------------------------------===//
// Verifiers: objects
//===----------------------------------------------------------------------===//

LogicalResult GlobalOp::verify() {
  size_t rank = getType().getRank();
  if (getStaticSizes().size() != rank || getStaticStrides().size() != rank) // global_c1
    return emitOpError() << "has " << getStaticSizes().size() << " sizes and " << getStaticStrides().size()
                         << " strides, but the result has rank " << rank;
  if (getStaticSizes() != getType().getShape()) // global_c2
    return emitOpError() << "has sizes " << str(getStaticSizes()) << ", but the result is "
                         << str(getType().getShape());
  if (failed(verifyDynamic(*this, "size", getStaticSizes(), getSizes())) ||
      failed(verifyDynamic(*this, "stride", getStaticStrides(), getStrides()))) // global_c5
    return failure();
  if (failed(verifySameType(*this, "an element of the pointer", getPtr().getType().getElementType(),
                            "of the result", elementOf(getType())))) // global_c3
    return failure();
  for (int64_t stride : getStaticStrides())
    if (!ShapedType::isDynamic(stride) && stride < 0) // global_c4
      return emitOpError() << "strides are not negative, got " << stride;
  return success();
}

LogicalResult WindowOp::verify() {
  size_t rank = getBase().getType().getRank();
  if (getOffsets().size() != rank || getStaticSizes().size() != rank) // window_c1
    return emitOpError() << "has " << getOffsets().size() << " offsets and " << getStaticSizes().size()
                         << " sizes, but the base has rank " << rank;
  if (failed(verifyDynamic(*this, "size", getStaticSizes(), getSizes()))) // window_c5
    return failure();
  if (failed(verifyDrop(*this, getDrop(), rank))) // window_c2
    return failure();
  for (int64_t dimension : getDrop())
    if (getStaticSizes()[dimension] != 1) // window_c3
      return emitOpError() << "drops dimension " << dimension << ", whose size is not 1";
  SmallVector<int64_t> kept = dropDimensions(getStaticSizes(), getDrop());
  if (ArrayRef(kept) != getType().getShape()) // window_c4
    return emitOpError() << "keeps sizes " << str(kept) << ", but the result is "
                         << str(getType().getShape());
  return verifySameType(*this, "an element of the base", elementOf(getBase()), "of the result",
                        elementOf(getType())); // window_c4
}

void SharedOp::build(OpBuilder &builder, OperationState &state, Type result, StringRef name) {
  build(builder, state, result, name.empty() ? StringAttr() : builder.getStringAttr(name), SwizzleAttr(),
        IntegerAttr());
}

LogicalResult SharedOp::verify() { return verifyOffset(*this, "offset", getOffset(), 16); } // shared_c1

LogicalResult SubviewOp::verify() {
  if (failed(verifyBox(*this, "base", getOffsets(), getExtents(), getBase().getType()))) // subview_c1
    return failure();
  if (failed(verifyDrop(*this, getDrop(), getExtents().size()))) // subview_c2
    return failure();
  for (int64_t dimension : getDrop())
    if (getExtents()[dimension] != 1) // subview_c2
      return emitOpError() << "drops dimension " << dimension << ", whose extent is not 1";
  SmallVector<int64_t> kept = dropDimensions(getExtents(), getDrop());
  if (ArrayRef(kept) != getType().getShape()) // subview_c3
    return emitOpError() << "keeps extents " << str(kept) << ", but the result is "
                         << str(getType().getShape());
  if (failed(verifySameType(*this, "an element of the base", elementOf(getBase()), "of the result",
                            elementOf(getType())))) // subview_c3
    return failure();
  return verifyFits(*this, getExtents(), getBase().getType()); // subview_c4
}

LogicalResult FragmentOp::verify() {
  if (!getInit())
    return success();
  return verifySameType(*this, "'init'", getInit().getType(), "a loaded element",
                        loadedElement(getType())); // fragment_c1
}

//===----------------------------------------------------------------------===//
// Verifiers: moving
//===----------------------------------------------------------------------===//

static LogicalResult verifyPad(Operation *op, Value pad, Value source) {
  if (pad && !isa<GlobalType>(source.getType()))
    return op->emitOpError() << "has a 'pad', but reads no tensor";
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyBox(*this, "source", getOffsets(), getExtents(), getSource().getType()))) // load_c1
    return failure();
  if (failed(verifySameExtents(*this, "the region", getExtents(), "the result",
                               getType().getShape()))) // load_c2
    return failure();
  if (failed(verifySameType(*this, "an element of the source", elementOf(getSource()), "of the result",
                            elementOf(getType())))) // load_c3
    return failure();
  if (failed(verifyPad(*this, getPad(), getSource()))) // load_c4
    return failure();
  if (!getPad())
    return success();
  return verifySameType(*this, "'pad'", getPad().getType(), "a loaded element",
                        loadedElement(getSource().getType())); // load_c5
}

LogicalResult StoreOp::verify() {
  if (failed(verifyBox(*this, "destination", getOffsets(), getExtents(), getDest().getType()))) // store_c1
    return failure();
  if (failed(verifySameExtents(*this, "the region", getExtents(), "the value",
                               shapeOf(getValue())))) // store_c2
    return failure();
  return verifySameType(*this, "an element of the value", elementOf(getValue()), "of the destination",
                        elementOf(getDest())); // store_c3
}

LogicalResult CopyOp::verify() {
  if (failed(verifyBox(*this, "source", getSourceOffsets(), getSourceExtents(), getSource().getType())) ||
      failed(verifyBox(*this, "destination", getDestOffsets(), getDestExtents(),
                       getDest().getType()))) // copy_c1
    return failure();
  if (failed(verifySameExtents(*this, "the source's region", getSourceExtents(), "the destination's",
                               getDestExtents()))) // copy_c2
    return failure();
  if (failed(verifyPad(*this, getPad(), getSource()))) // copy_c3
    return failure();
  if (getPad() && failed(verifySameType(*this, "'pad'", getPad().getType(), "a loaded element",
                                        loadedElement(getDest().getType())))) // copy_c4
    return failure();
  Path path = getPath().value_or(Path::Generic);
  if ((path == Path::Bulk || path == Path::CpAsync) &&
      (!isa<GlobalType>(getSource().getType()) || !isa<SharedType>(getDest().getType()) ||
       elementOf(getSource()) != elementOf(getDest()))) // copy_c5
    return emitOpError() << "by '" << stringifyPath(path)
                         << "' goes from a tensor to a shared tile of its element type";
  return success();
}

LogicalResult FillOp::verify() {
  return verifyBox(*this, "destination", getOffsets(), getExtents(), getDest().getType()); // fill_c1
}

LogicalResult ExtractSliceOp::verify() {
  if (failed(verifyBox(*this, "source", getOffsets(), getExtents(),
                       getSource().getType()))) // extract_slice_c1
    return failure();
  if (failed(verifySameExtents(*this, "the region", getExtents(), "the result",
                               getType().getShape()))) // extract_slice_c2
    return failure();
  if (failed(verifySameType(*this, "an element of the source", elementOf(getSource()), "of the result",
                            elementOf(getType())))) // extract_slice_c3
    return failure();
  return verifyFits(*this, getExtents(), getSource().getType()); // extract_slice_c4
}

LogicalResult InsertSliceOp::verify() {
  if (failed(verifyBox(*this, "destination", getOffsets(), getExtents(),
                       getDest().getType()))) // insert_slice_c1
    return failure();
  if (failed(verifySameExtents(*this, "the region", getExtents(), "the value",
                               shapeOf(getValue())))) // insert_slice_c2
    return failure();
  if (failed(verifySameType(*this, "an element of the value", elementOf(getValue()), "of the destination",
                            elementOf(getDest())))) // insert_slice_c3
    return failure();
  return verifyFits(*this, getExtents(), getDest().getType()); // insert_slice_c4
}

LogicalResult ReshapeOp::verify() {
  if (failed(verifySameExtents(*this, "the source", shapeOf(getSource()), "the result",
                               getType().getShape()))) // reshape_c1
    return failure();
  return verifySameType(*this, "an element of the source", elementOf(getSource()), "of the result",
                        elementOf(getType())); // reshape_c2
}

LogicalResult ConvertOp::verify() {
  if (shapeOf(getSource()) != getType().getShape()) // convert_c1
    return emitOpError() << "the source is " << str(shapeOf(getSource())) << ", but the result is "
                         << str(getType().getShape());
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers: atomics
//===----------------------------------------------------------------------===//

/// Element types that atomics exist for.
static LogicalResult verifyAtomicElement(Operation *op, Value dest) {
  Type element = elementOf(dest);
  bool allowed = isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
  if (auto type = dyn_cast<IntegerType>(element))
    allowed = type.getWidth() == 32 || type.getWidth() == 64;
  if (!allowed)
    return op->emitOpError() << "no atomics on elements of type " << element;
  return success();
}

LogicalResult AtomicTileOp::verify() {
  if (failed(verifyBox(*this, "destination", getOffsets(), getExtents(),
                       getDest().getType()))) // atomic_tile_c1
    return failure();
  if (failed(verifyAtomicElement(*this, getDest()))) // atomic_tile_c4
    return failure();
  auto fragment = dyn_cast<FragmentType>(getValue().getType());
  if (!fragment)
    return verifySameType(*this, "the value", getValue().getType(), "a loaded element",
                          loadedElement(getDest().getType())); // atomic_tile_c3
  if (failed(verifySameExtents(*this, "the region", getExtents(), "the value",
                               fragment.getShape()))) // atomic_tile_c2
    return failure();
  return verifySameType(*this, "an element of the value", fragment.getElementType(), "of the destination",
                        elementOf(getDest())); // atomic_tile_c3
}

LogicalResult AtomicOp::verify() {
  if (failed(verifyIndices(*this, getIndices(), getDest().getType()))) // atomic_c1
    return failure();
  return verifyAtomicElement(*this, getDest()); // atomic_c2
}
