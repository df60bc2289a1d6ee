//===- ScalarOps.cpp - scalar ops of the kernel in the function -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats that LLVM does not know, in integer arithmetic where a target has no instruction. Roundings to
// nearest even add half of the last place, less one if that place is even; below the normal range of the
// format a float addition of a large constant does the same, because its sum has exactly the wanted last
// place.
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "MathExpansion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "tilec/CodeGen/PtxFormOps.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;

namespace tilec::lowering {

static bool isF8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }
static bool isTf32(Type type) { return isa<FloatTF32Type>(type); }

Type convertScalarType(Type type) {
  if (isTf32(type))
    return Float32Type::get(type.getContext());
  if (isF8(type))
    return IntegerType::get(type.getContext(), 8);
  return type;
}

Operation *createLike(OpBuilder &builder, Operation *op, ValueRange operands, TypeRange types) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  return builder.create(state);
}

namespace {

/// Short names for what these conversions are made of.
struct Code {
  OpBuilder &builder;
  Location loc;

  Value integer(int64_t value, unsigned bits = 32) const {
    return arith::ConstantIntOp::create(builder, loc, value, bits);
  }
  Value real(double value) const {
    return arith::ConstantFloatOp::create(builder, loc, builder.getF32Type(),
                                          llvm::APFloat(static_cast<float>(value)));
  }
  Value bits(Value value) const {
    return arith::BitcastOp::create(builder, loc,
                                    builder.getIntegerType(value.getType().getIntOrFloatBitWidth()), value);
  }
  Value toF32(Value value) const {
    return arith::BitcastOp::create(builder, loc, builder.getF32Type(), value);
  }
  Value isNaN(Value value) const {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
  }
  Value select(Value condition, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  template <typename Op> Value op(Value a, Value b) const { return Op::create(builder, loc, a, b); }
  template <typename Op> Value cast(Type type, Value value) const {
    return type == value.getType() ? value : Op::create(builder, loc, type, value).getResult();
  }
  Type i(unsigned width) const { return builder.getIntegerType(width); }
  Type f32() const { return builder.getF32Type(); }

  /// u + (half a unit of bit `place`, less one if that bit is even): then cutting below `place` rounds to
  /// even.
  Value addHalf(Value u, unsigned place) const {
    Value odd = op<arith::AndIOp>(op<arith::ShRUIOp>(u, integer(place)), integer(1));
    Value sum = op<arith::AddIOp>(u, integer((int64_t(1) << (place - 1)) - 1));
    return op<arith::AddIOp>(sum, odd);
  }
};

} // namespace

Value createSafeDivision(OpBuilder &builder, Location loc, Value lhs, Value rhs, bool isUnsigned) {
  Code code{builder, loc};
  unsigned width = lhs.getType().getIntOrFloatBitWidth();
  Value zero = code.integer(0, width), one = code.integer(1, width);
  Value undefined = code.compare(arith::CmpIPredicate::eq, rhs, zero);
  if (isUnsigned)
    return code.op<arith::DivUIOp>(lhs, code.select(undefined, one, rhs));
  // The least integer by -1 does not fit either; dividing by 1 gives the wrapped result.
  Value least = code.integer(llvm::APInt::getSignedMinValue(width).getSExtValue(), width);
  Value wraps = code.op<arith::AndIOp>(code.compare(arith::CmpIPredicate::eq, lhs, least),
                                       code.compare(arith::CmpIPredicate::eq, rhs, code.integer(-1, width)));
  undefined = code.op<arith::OrIOp>(undefined, wraps);
  return code.op<arith::DivSIOp>(lhs, code.select(undefined, one, rhs));
}

Value wrapToElement(OpBuilder &builder, Location loc, Value value, Type element) {
  if (tile::storageBits(element) != 4)
    return value;
  Code code{builder, loc};
  Value four = code.integer(4, 8), high = code.op<arith::ShLIOp>(value, four);
  return tile::isUnsignedElement(element) ? code.op<arith::ShRUIOp>(high, four)
                                          : code.op<arith::ShRSIOp>(high, four);
}

Value roundToTf32(OpBuilder &builder, Location loc, Value value) {
  Code code{builder, loc};
  Value u = code.bits(value);
  Value rounded = code.op<arith::AndIOp>(code.addHalf(u, 13), code.integer(int32_t(0xffffe000)));
  // A NaN whose mantissa is in the low bits must not become infinity.
  Value nan = code.op<arith::OrIOp>(code.op<arith::AndIOp>(u, code.integer(int32_t(0xffffe000))),
                                    code.integer(0x400000));
  return code.toF32(code.select(code.isNaN(value), nan, rounded));
}

Value roundToOddF32(OpBuilder &builder, Location loc, Value value) {
  Code code{builder, loc};
  Value nearest = code.cast<arith::TruncFOp>(code.f32(), value);
  Value back = code.cast<arith::ExtFOp>(value.getType(), nearest);
  Value u = code.bits(nearest);
  // Towards zero: one step back if rounding went away from it. Then the last bit says that something was cut.
  auto magnitude = [&](Value v) -> Value { return math::AbsFOp::create(builder, loc, v); };
  Value away =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, magnitude(back), magnitude(value));
  Value exact = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UEQ, back, value);
  Value truncated = code.op<arith::SubIOp>(u, code.cast<arith::ExtUIOp>(code.i(32), away));
  Value odd = code.op<arith::OrIOp>(truncated, code.integer(1));
  return code.toF32(code.select(exact, u, odd));
}

Value encodeF8(OpBuilder &builder, Location loc, Value value, Type type, const ArchInfo &arch) {
  Code code{builder, loc};
  bool isE4M3 = isa<Float8E4M3FNType>(type);
  const PtxForm &form = PtxForm::get(isE4M3 ? PtxFormId::CvtE4m3x2 : PtxFormId::CvtE5m2x2);
  if (form.isAvailableOn(arch)) {
    Value pair = createPtxFormValue(builder, loc, form.id, {code.real(0), value});
    return code.cast<arith::TruncIOp>(code.i(8), pair);
  }
  unsigned mantissa = isE4M3 ? 3 : 2, bias = isE4M3 ? 7 : 15;
  double largest = isE4M3 ? 448 : 57344;
  unsigned place = 23 - mantissa;
  Value u = code.bits(value);
  Value sign = code.op<arith::AndIOp>(code.op<arith::ShRUIOp>(u, code.integer(24)), code.integer(0x80));
  Value magnitude = math::AbsFOp::create(builder, loc, value);
  magnitude = arith::MinNumFOp::create(builder, loc, magnitude, code.real(largest)); // a NaN goes its own way
  Value m = code.bits(magnitude);
  Value normal = code.op<arith::SubIOp>(code.op<arith::ShRUIOp>(code.addHalf(m, place), code.integer(place)),
                                        code.integer((127 - bias) << mantissa));
  // Below the least normal number the last place is worth 2^(1 - bias - mantissa).
  int exponent = 1 - static_cast<int>(bias) - static_cast<int>(mantissa) + 23;
  double magic = std::ldexp(1.0, exponent);
  Value sum = arith::AddFOp::create(builder, loc, magnitude, code.real(magic));
  Value subnormal = code.op<arith::SubIOp>(code.bits(sum), code.bits(code.real(magic)));
  Value isSmall = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, magnitude,
                                        code.real(std::ldexp(1.0, 1 - static_cast<int>(bias))));
  Value result = code.select(isSmall, subnormal, normal);
  // As the instruction does: one NaN, without the sign.
  result = code.select(code.isNaN(value), code.integer(0x7f), code.op<arith::OrIOp>(result, sign));
  return code.cast<arith::TruncIOp>(code.i(8), result);
}

Value decodeF8(OpBuilder &builder, Location loc, Value value, Type type, const ArchInfo &arch) {
  Code code{builder, loc};
  bool isE4M3 = isa<Float8E4M3FNType>(type);
  Value byte = code.cast<arith::ExtUIOp>(code.i(16), value);
  Type f16 = builder.getF16Type();
  if (!isE4M3) {
    // e5m2 is the upper half of an f16.
    Value half =
        arith::BitcastOp::create(builder, loc, f16, code.op<arith::ShLIOp>(byte, code.integer(8, 16)));
    return code.cast<arith::ExtFOp>(code.f32(), half);
  }
  if (PtxForm::get(PtxFormId::CvtF16x2FromE4m3x2).isAvailableOn(arch)) {
    Value pair = createPtxFormValue(builder, loc, PtxFormId::CvtF16x2FromE4m3x2, {byte});
    Value half = LLVM::ExtractElementOp::create(builder, loc, pair, code.integer(0));
    return code.cast<arith::ExtFOp>(code.f32(), half);
  }
  // Exponent and mantissa where an f16 has them; the difference of the biases, 8, is a factor of 256.
  Value magnitude =
      code.op<arith::ShLIOp>(code.op<arith::AndIOp>(byte, code.integer(0x7f, 16)), code.integer(7, 16));
  Value sign =
      code.op<arith::ShLIOp>(code.op<arith::AndIOp>(byte, code.integer(0x80, 16)), code.integer(8, 16));
  Value half = arith::BitcastOp::create(builder, loc, f16, code.op<arith::OrIOp>(magnitude, sign));
  Value scaled =
      arith::MulFOp::create(builder, loc, code.cast<arith::ExtFOp>(code.f32(), half), code.real(256));
  Value isNaN = code.compare(arith::CmpIPredicate::eq, magnitude, code.integer(0x7f << 7, 16));
  return code.select(isNaN, code.toF32(code.integer(0x7fc00000)), scaled);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// A value of `from` as one of LLVM's own types, exactly.
static Value toNative(Code code, Value value, Type from, const ArchInfo &arch) {
  return isF8(from) ? decodeF8(code.builder, code.loc, value, from, arch) : value;
}

static Value floatToFloat(Code code, Value value, Type from, Type to, const ArchInfo &arch) {
  if (from == to)
    return value;
  value = toNative(code, value, from, arch);
  Type now = value.getType();
  if (isF8(to) || isTf32(to)) {
    // f32 holds every format but f64, which is rounded once because rounding to odd keeps what decides.
    if (now.isF64())
      value = roundToOddF32(code.builder, code.loc, value);
    else
      value = code.cast<arith::ExtFOp>(code.f32(), value);
    return isF8(to) ? encodeF8(code.builder, code.loc, value, to, arch)
                    : roundToTf32(code.builder, code.loc, value);
  }
  unsigned have = now.getIntOrFloatBitWidth(), want = to.getIntOrFloatBitWidth();
  if (now == to)
    return value;
  if (have == want) // f16 and bf16: through f32, which holds both
    return code.cast<arith::TruncFOp>(to, code.cast<arith::ExtFOp>(code.f32(), value));
  if (have < want)
    return code.cast<arith::ExtFOp>(to, value);
  if (now.isF64() && to.isBF16())
    value = roundToOddF32(code.builder, code.loc, value);
  return code.cast<arith::TruncFOp>(to, value);
}

static Value floatToInteger(Code code, Value value, Type from, Type to, bool isUnsigned,
                            const ArchInfo &arch) {
  value = toNative(code, value, from, arch);
  if (!value.getType().isF64())
    value = code.cast<arith::ExtFOp>(code.f32(), value);
  unsigned width = to.getIntOrFloatBitWidth();
  bool isDouble = value.getType().isF64(), isWide = width == 64;
  PtxFormId form = isDouble ? (isWide ? (isUnsigned ? PtxFormId::CvtU64FromF64 : PtxFormId::CvtS64FromF64)
                                      : (isUnsigned ? PtxFormId::CvtU32FromF64 : PtxFormId::CvtS32FromF64))
                            : (isWide ? (isUnsigned ? PtxFormId::CvtU64FromF32 : PtxFormId::CvtS64FromF32)
                                      : (isUnsigned ? PtxFormId::CvtU32FromF32 : PtxFormId::CvtS32FromF32));
  Value result = createPtxFormValue(code.builder, code.loc, form, {value});
  if (isDouble || isWide) // the instruction gives the sign bit for NaN
    result = code.select(code.isNaN(value), code.integer(0, isWide ? 64 : 32), result);
  if (width < 32) {
    auto limit = [&](const llvm::APInt &bound) {
      return code.integer(isUnsigned ? static_cast<int64_t>(bound.getZExtValue()) : bound.getSExtValue());
    };
    if (isUnsigned) {
      result = code.op<arith::MinUIOp>(result, limit(llvm::APInt::getMaxValue(width)));
    } else {
      result = code.op<arith::MinSIOp>(result, limit(llvm::APInt::getSignedMaxValue(width)));
      result = code.op<arith::MaxSIOp>(result, limit(llvm::APInt::getSignedMinValue(width)));
    }
    result = code.cast<arith::TruncIOp>(to, result);
  }
  return result;
}

static Value integerToFloat(Code code, Value value, Type to, bool isUnsigned, const ArchInfo &arch) {
  auto convert = [&](Type type) -> Value {
    return isUnsigned ? arith::UIToFPOp::create(code.builder, code.loc, type, value).getResult()
                      : arith::SIToFPOp::create(code.builder, code.loc, type, value).getResult();
  };
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (!isF8(to) && !isTf32(to) && !to.isBF16())
    return convert(to);
  // Through a float that holds the integer, or rounds it to odd.
  Value exact;
  if (width <= 16) {
    exact = convert(code.f32());
  } else {
    Type f64 = code.builder.getF64Type();
    if (width == 64) {
      // More than 53 bits: fold what is below bit 11 into that bit (rounding to odd), which leaves 53.
      Value low = code.op<arith::AndIOp>(value, code.integer(0x7ff, 64));
      Value high = code.op<arith::AndIOp>(value, code.integer(~int64_t(0x7ff), 64));
      Value sticky = code.select(code.compare(arith::CmpIPredicate::ne, low, code.integer(0, 64)),
                                 code.op<arith::OrIOp>(high, code.integer(0x800, 64)), high);
      Value shifted = isUnsigned ? code.op<arith::ShRUIOp>(value, code.integer(53, 64))
                                 : code.op<arith::ShRSIOp>(value, code.integer(53, 64));
      Value fits = code.compare(arith::CmpIPredicate::eq, shifted, code.integer(0, 64));
      if (!isUnsigned)
        fits = code.op<arith::OrIOp>(fits,
                                     code.compare(arith::CmpIPredicate::eq, shifted, code.integer(-1, 64)));
      value = code.select(fits, value, sticky);
    }
    exact = roundToOddF32(code.builder, code.loc, convert(f64));
  }
  return floatToFloat(code, exact, code.f32(), to, arch);
}

Value convertElement(OpBuilder &builder, Location loc, Value value, Type from, Type to,
                     const ArchInfo &arch) {
  Code code{builder, loc};
  if (from == to)
    return value;
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  Type target = convertScalarType(tile::loadedType(to));
  if (fromFloat && toFloat)
    return floatToFloat(code, value, from, to, arch);
  if (to.isInteger(1)) { // x != 0
    if (fromFloat) {
      Value native = toNative(code, value, from, arch);
      Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(native.getType(), 0));
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, native, zero);
    }
    return code.compare(arith::CmpIPredicate::ne, value,
                        code.integer(0, value.getType().getIntOrFloatBitWidth()));
  }
  if (fromFloat) {
    bool isUnsigned = tile::isUnsignedElement(to);
    Value result = floatToInteger(code, value, from, target, isUnsigned, arch);
    if (tile::storageBits(to) == 4) { // saturates at the four bits
      result = isUnsigned ? code.op<arith::MinUIOp>(result, code.integer(15, 8))
                          : code.op<arith::MaxSIOp>(code.op<arith::MinSIOp>(result, code.integer(7, 8)),
                                                    code.integer(-8, 8));
    }
    return result;
  }
  bool isUnsigned = tile::isUnsignedElement(from) || from.isInteger(1);
  if (toFloat)
    return integerToFloat(code, value, to, isUnsigned, arch);
  unsigned have = value.getType().getIntOrFloatBitWidth(), want = target.getIntOrFloatBitWidth();
  if (have < want)
    value = isUnsigned ? code.cast<arith::ExtUIOp>(target, value) : code.cast<arith::ExtSIOp>(target, value);
  else
    value = code.cast<arith::TruncIOp>(target, value);
  return wrapToElement(builder, loc, value, to);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static Value emitConstant(OpBuilder &builder, arith::ConstantOp op) {
  auto number = dyn_cast<FloatAttr>(op.getValue());
  if (!number || (!isF8(op.getType()) && !isTf32(op.getType())))
    return builder.clone(*op)->getResult(0);
  llvm::APInt bits = number.getValue().bitcastToAPInt();
  if (isF8(op.getType()))
    return arith::ConstantIntOp::create(builder, op.getLoc(), bits.getSExtValue(), 8);
  // tf32 is the upper 19 bits of an f32.
  llvm::APFloat value = number.getValue();
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return arith::ConstantFloatOp::create(builder, op.getLoc(), builder.getF32Type(), value);
}

FailureOr<SmallVector<Value>> emitScalarOp(OpBuilder &builder, Operation *op, ValueRange operands,
                                           const ArchInfo &arch) {
  if (op->getNumRegions() != 0 || op->getNumResults() == 0)
    return failure();
  Code code{builder, op->getLoc()};
  auto one = [](Value value) { return FailureOr<SmallVector<Value>>(SmallVector<Value>{value}); };
  Type from = op->getNumOperands() ? op->getOperand(0).getType() : Type();
  Type to = op->getResult(0).getType();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return one(emitConstant(builder, constant));
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return one(floatToFloat(code, operands[0], from, to, arch));
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return one(integerToFloat(code, operands[0], to, isa<arith::UIToFPOp>(op), arch));
  if (auto cast = dyn_cast<tile::CastOp>(op)) {
    if (isa<FloatType>(to))
      return one(floatToFloat(code, operands[0], from, to, arch));
    return one(floatToInteger(code, operands[0], from, to, cast.getIsUnsigned(), arch));
  }
  if (isa<arith::BitcastOp>(op) && (isF8(from) || isF8(to) || isTf32(from) || isTf32(to))) {
    Value value = operands[0];
    Type target = convertScalarType(to);
    if (isTf32(to)) { // the low bits are ignored
      value = code.cast<arith::BitcastOp>(code.i(32), value);
      value = code.op<arith::AndIOp>(value, code.integer(int32_t(0xffffe000)));
    }
    return one(code.cast<arith::BitcastOp>(target, value));
  }
  if (Value result = expandMath(builder, op, operands, arch))
    return one(result);
  // What is left works on the representation as on the type: selections, and everything on LLVM's own types.
  bool known =
      isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) || isa<tile::SigmoidOp, tile::RcpOp>(op);
  auto isForeign = [](Type type) { return isF8(type) || isTf32(type); };
  if (!known ||
      (!isa<arith::SelectOp>(op) && (llvm::any_of(op->getOperandTypes(), isForeign) || isForeign(to))))
    return failure();
  SmallVector<Type> types = llvm::map_to_vector(op->getResultTypes(), convertScalarType);
  return SmallVector<Value>(createLike(builder, op, operands, types)->getResults());
}

} // namespace tilec::lowering
