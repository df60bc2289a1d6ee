//===- OpsMemory.cpp - objects and moving them -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, verifiers and folders of tensors, windows, shared tiles, fragments and what moves them.
//
//===----------------------------------------------------------------------===//

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
                     ArrayRef<OpFoldResult> strides) {
  SmallVector<Value> dynamicSizes, dynamicStrides;
  SmallVector<int64_t> staticSizes, staticStrides;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
  Type result =
      GlobalType::get(builder.getContext(), staticSizes, cast<PtrType>(ptr.getType()).getElementType());
  build(builder, state, result, ptr, dynamicSizes, dynamicStrides, staticSizes, staticStrides);
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
  build(builder, state, result, source, offsets, pad, builder.getDenseI64ArrayAttr(extents));
}

void CopyOp::build(OpBuilder &builder, OperationState &state, Value source, ValueRange sourceOffsets,
                   ArrayRef<int64_t> sourceExtents, Value dest, ValueRange destOffsets,
                   ArrayRef<int64_t> destExtents, Value pad) {
  build(builder, state, TypeRange(), source, sourceOffsets, pad, dest, destOffsets,
        builder.getDenseI64ArrayAttr(sourceExtents), builder.getDenseI64ArrayAttr(destExtents));
}

//===----------------------------------------------------------------------===//
// ReshapeOp, ConvertOp
//===----------------------------------------------------------------------===//

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<ReshapeOp>()) {
    if (inner.getSource().getType() == getType())
      return inner.getSource();
  }
  return {};
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getSource().getType() == getType() ? getSource() : Value();
}
