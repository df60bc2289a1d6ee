//===- OpsCompute.cpp - gemm, reductions and scalar functions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers and folders of the ops that compute with whole tiles.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

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
  bool isExact, losesInfo;
  if (auto type = dyn_cast<IntegerType>(getType())) {
    APSInt integer(type.getWidth(), getIsUnsigned());
    // Saturates, NaN gives 0: what the op means.
    number.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
    return IntegerAttr::get(type, integer);
  }
  auto type = cast<FloatType>(getType());
  bool isNaN = number.isNaN(), isNegative = number.isNegative();
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  if (!isNaN && !number.isFinite())
    number = APFloat::getLargest(type.getFloatSemantics(), isNegative);
  return FloatAttr::get(type, number);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

void GemmOp::build(OpBuilder &builder, OperationState &state, Type result, Value a, Value b, Value acc) {
  build(builder, state, result, a, b, acc, /*trans_a=*/nullptr, /*trans_b=*/nullptr, /*warps=*/nullptr,
        /*instr=*/nullptr);
}

LogicalResult GemmOp::verify() {
  if (shapeOf(getA()).size() != 2 || shapeOf(getB()).size() != 2 || getType().getRank() != 2) // gemm_c1
    return emitOpError() << "multiplies tiles of rank 2, got " << str(shapeOf(getA())) << ", "
                         << str(shapeOf(getB())) << " and " << str(getType().getShape());
  if (int64_t other = shapeOf(getB())[getTransB() ? 1 : 0]; getK() != other) // gemm_c2
    return emitOpError() << "needs equal inner extents, got " << getK() << " of 'a' and " << other
                         << " of 'b'";
  int64_t product[] = {getM(), getN()};
  if (getType().getShape() != ArrayRef(product)) // gemm_c3
    return emitOpError() << "gives " << str(product) << ", but the result is " << str(getType().getShape());
  if (!isGemmTypes(elementOf(getA()), elementOf(getB()), elementOf(getType()))) // gemm_c4
    return emitOpError() << "cannot multiply " << elementOf(getA()) << " by " << elementOf(getB()) << " into "
                         << elementOf(getType());
  if (getAcc() &&
      failed(verifySameType(*this, "'acc'", getAcc().getType(), "the result", getType()))) // gemm_c5
    return failure();
  MmaInstrAttrInterface instr = getInstrAttr();
  if (failed(verifyInstrTypes(*this, instr, getA(), getB(), elementOf(getType())))) // gemm_c6
    return failure();
  return verifyInstrOperands(*this, instr, getA(), getB()); // gemm_c7
}

static LogicalResult verifyAxis(Operation *op, int64_t axis, Value source) {
  int64_t rank = shapeOf(source).size();
  if (axis < 0 || axis >= rank)
    return op->emitOpError() << "'axis' must be a dimension of a tile of rank " << rank << ", got " << axis;
  return success();
}

/// The type itself, or a wider one of its kind that has all of its values.
static bool isSameOrWider(Type from, Type to) {
  if (from == to)
    return true;
  auto fromInt = dyn_cast<IntegerType>(from), toInt = dyn_cast<IntegerType>(to);
  if (fromInt && toInt)
    return fromInt.getSignedness() == toInt.getSignedness() && fromInt.getWidth() < toInt.getWidth();
  return isa<FloatType>(from) && isa<FloatType>(to) && (to.isF64() || (to.isF32() && !from.isF64()));
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getSource()))) // reduce_c1
    return failure();
  SmallVector<int64_t> expected(shapeOf(getSource()));
  if (getParts().value_or(Parts::None) != Parts::None)
    expected[getAxis()] =
        getType().getRank() == int64_t(expected.size()) ? getType().getShape()[getAxis()] : 1;
  else
    expected.erase(expected.begin() + getAxis());
  if (ArrayRef(expected) != getType().getShape()) // reduce_c2
    return emitOpError() << "leaves " << str(expected) << ", but the result is " << str(getType().getShape());
  if (!isSameOrWider(elementOf(getSource()), elementOf(getType()))) // reduce_c3
    return emitOpError() << "cannot fold elements of type " << elementOf(getSource()) << " into "
                         << elementOf(getType());
  if (getInit() &&
      failed(verifySameType(*this, "'init'", getInit().getType(), "the result", getType()))) // reduce_c4
    return failure();
  if (getNanPropagate() && (getKind() == ReduceKind::Sum || getKind() == ReduceKind::Prod)) // reduce_c5
    return emitOpError() << "'nan_propagate' goes with max, min and absmax, not with '"
                         << stringifyReduceKind(getKind()) << "'";
  Parts partsLeft = getParts().value_or(Parts::None);
  if (partsLeft == Parts::None)
    return success();
  Attribute layout = cast<FragmentType>(getSource().getType()).getLayout();
  Attribute parts = layout ? RowsAttr::get(getContext(), layout, getAxis(), partsLeft) : Attribute();
  if (getInit() || !parts || getType().getLayout() != parts) // reduce_c6
    return emitOpError()
           << "with 'parts' has no 'init', and a result with the parts of the source's layout";
  return success();
}

LogicalResult ScanOp::verify() {
  return verifyAxis(*this, getAxis(), getSource()); // scan_c1
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getSource());
  if (shape.size() != 2) // transpose_c1
    return emitOpError() << "transposes tiles of rank 2, got " << str(shape);
  int64_t swapped[] = {shape[1], shape[0]};
  if (getType().getShape() != ArrayRef(swapped)) // transpose_c2
    return emitOpError() << "gives " << str(swapped) << ", but the result is " << str(getType().getShape());
  return verifySameType(*this, "an element of the source", elementOf(getSource()), "of the result",
                        elementOf(getType())); // transpose_c3
}

LogicalResult CastOp::verify() {
  bool toInteger = isa<IntegerType>(getType());
  if (!toInteger && !isa<Float8E4M3FNType, Float8E5M2Type>(getType())) // cast_c1
    return emitOpError() << "converts a float to an integer, f8E4M3FN or f8E5M2, not to " << getType();
  if (getIsUnsigned() && !toInteger) // cast_c2
    return emitOpError() << "'is_unsigned' goes with an integer result, got " << getType();
  return success();
}
