//===- OpsCompute.cpp - gemm, reductions and scalar functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers and folders of the ops that compute with whole tiles.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<ObjectTypeInterface>(value.getType()).getShape();
}

int64_t GemmOp::getM() { return shapeOf(getA())[getTransA() ? 1 : 0]; }
int64_t GemmOp::getN() { return shapeOf(getB())[getTransB() ? 0 : 1]; }
int64_t GemmOp::getK() { return shapeOf(getA())[getTransA() ? 0 : 1]; }

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<TransposeOp>();
  return inner && inner.getSource().getType() == getType() ? inner.getSource() : Value();
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  auto value = dyn_cast_if_present<FloatAttr>(adaptor.getSource());
  if (!value)
    return {};
  APFloat number = value.getValue();
  bool isExact;
  if (auto type = dyn_cast<IntegerType>(getType())) {
    APSInt integer(type.getWidth(), getIsUnsigned());
    // Saturates, NaN gives 0: what the op means.
    number.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
    return IntegerAttr::get(type, integer);
  }
  return {};
}
