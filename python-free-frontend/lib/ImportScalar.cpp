//===- ImportScalar.cpp - scalar arithmetic of the language as arith ops -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each question of LANGUAGE sections 3 and 5. Ops are folded as they are made, so constants
// cost nothing and guards against constant operands vanish.
//
//===----------------------------------------------------------------------===//
#include "ImportScalar.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec::frontend {

using namespace mlir;
using hir::BinaryOp;
using hir::Builtin;
using hir::UnaryOp;

Type scalarType(ScalarType type, MLIRContext *context) {
  assert(!isPacked(type) && "packed types are element types only");
  Type element = elementType(type, context);
  return element.isUnsignedInteger() ? IntegerType::get(context, element.getIntOrFloatBitWidth()) : element;
}

Type elementType(ScalarType type, MLIRContext *context) {
  Builder builder(context);
  switch (type) {
  case ScalarType::F16:
    return builder.getF16Type();
  case ScalarType::BF16:
    return builder.getBF16Type();
  case ScalarType::F32:
    return builder.getF32Type();
  case ScalarType::F64:
    return builder.getF64Type();
  case ScalarType::TF32:
    return builder.getTF32Type();
  case ScalarType::E4M3:
    return builder.getType<Float8E4M3FNType>();
  case ScalarType::E5M2:
    return builder.getType<Float8E5M2Type>();
  default:
    return IntegerType::get(context, valueBits(type),
                            classOf(type) == ScalarClass::Unsigned ? IntegerType::Unsigned
                                                                   : IntegerType::Signless);
  }
}

//===----------------------------------------------------------------------===//
// Constants and folding
//===----------------------------------------------------------------------===//

Value ScalarBuilder::constant(TypedAttr value) {
  Value &slot = constants[value];
  if (slot)
    return slot;
  OpBuilder::InsertionGuard guard(builder);
  if (lastConstant)
    builder.setInsertionPointAfter(lastConstant);
  else
    builder.setInsertionPointToStart(constantBlock);
  lastConstant = arith::ConstantOp::create(builder, loc, value);
  return slot = lastConstant->getResult(0);
}

Value ScalarBuilder::integer(Type type, int64_t value) {
  unsigned bits = type.getIntOrFloatBitWidth();
  return constant(builder.getIntegerAttr(type, APInt(64, static_cast<uint64_t>(value)).sextOrTrunc(bits)));
}

Value ScalarBuilder::constant(const hir::Const &value) {
  if (isFloat(value.type))
    return constant(builder.getFloatAttr(type(value.type), value.real));
  return integer(type(value.type), value.integer);
}

std::optional<int64_t> ScalarBuilder::constantValue(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getBitWidth() == 1 ? constant.getZExtValue() : constant.getSExtValue();
}

Value ScalarBuilder::fold(Operation *op) {
  SmallVector<OpFoldResult> results;
  bool folded = succeeded(op->fold(results));
  if (folded && results.empty()) // only moved a constant to the right
    folded = succeeded(op->fold(results));
  if (!folded || results.empty())
    return op->getResult(0);
  auto value = dyn_cast<Value>(results.front());
  if (!value) {
    auto attr = dyn_cast<TypedAttr>(cast<Attribute>(results.front()));
    if (!attr)
      return op->getResult(0);
    value = constant(attr);
  }
  op->erase();
  return value;
}

template <typename Op, typename... Args> Value ScalarBuilder::make(Args &&...args) {
  return fold(Op::create(builder, loc, std::forward<Args>(args)...));
}

arith::FastMathFlagsAttr ScalarBuilder::contractFlags() const {
  return arith::FastMathFlagsAttr::get(builder.getContext(), contract ? arith::FastMathFlags::contract
                                                                      : arith::FastMathFlags::none);
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

Value ScalarBuilder::logicalNot(Value value) {
  // The inverse comparison reads better than an exclusive or; the other one is dead and swept away.
  if (auto compareOp = value.getDefiningOp<arith::CmpIOp>())
    return compare(arith::invertPredicate(compareOp.getPredicate()), compareOp.getLhs(), compareOp.getRhs());
  return make<arith::XOrIOp>(value, boolean(true));
}

Value ScalarBuilder::logicalAnd(Value a, Value b) { return make<arith::AndIOp>(a, b); }
Value ScalarBuilder::logicalOr(Value a, Value b) { return make<arith::OrIOp>(a, b); }
Value ScalarBuilder::select(Value condition, Value a, Value b) {
  return make<arith::SelectOp>(condition, a, b);
}
Value ScalarBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return make<arith::CmpIOp>(predicate, a, b);
}
Value ScalarBuilder::addI(Value a, Value b) { return make<arith::AddIOp>(a, b); }
Value ScalarBuilder::subI(Value a, Value b) { return make<arith::SubIOp>(a, b); }
Value ScalarBuilder::mulI(Value a, Value b) { return make<arith::MulIOp>(a, b); }
Value ScalarBuilder::divU(Value a, Value nonZero) { return make<arith::DivUIOp>(a, nonZero); }

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value ScalarBuilder::unary(UnaryOp op, ScalarType type, Value operand) {
  switch (op) {
  case UnaryOp::Neg:
    return isFloat(type) ? make<arith::NegFOp>(operand) : subI(zero(operand.getType()), operand);
  case UnaryOp::LogicalNot:
    return logicalNot(operand);
  case UnaryOp::BitNot:
    return make<arith::XOrIOp>(operand, integer(operand.getType(), -1));
  }
  llvm_unreachable("unknown unary operator");
}

static arith::CmpIPredicate integerPredicate(BinaryOp op, bool isSignedType) {
  using P = arith::CmpIPredicate;
  switch (op) {
  case BinaryOp::Eq:
    return P::eq;
  case BinaryOp::Ne:
    return P::ne;
  case BinaryOp::Lt:
    return isSignedType ? P::slt : P::ult;
  case BinaryOp::Le:
    return isSignedType ? P::sle : P::ule;
  case BinaryOp::Gt:
    return isSignedType ? P::sgt : P::ugt;
  case BinaryOp::Ge:
    return isSignedType ? P::sge : P::uge;
  default:
    llvm_unreachable("no comparison");
  }
}

static arith::CmpFPredicate floatPredicate(BinaryOp op) {
  using P = arith::CmpFPredicate;
  switch (op) {
  case BinaryOp::Eq:
    return P::OEQ;
  case BinaryOp::Ne:
    return P::UNE; // NaN differs from everything
  case BinaryOp::Lt:
    return P::OLT;
  case BinaryOp::Le:
    return P::OLE;
  case BinaryOp::Gt:
    return P::OGT;
  case BinaryOp::Ge:
    return P::OGE;
  default:
    llvm_unreachable("no comparison");
  }
}

Value ScalarBuilder::binary(BinaryOp op, ScalarType type, Value lhs, Value rhs, ScalarType rhsType) {
  bool isFloatType = isFloat(type), isSignedType = isSigned(type);
  switch (op) {
  case BinaryOp::Add:
    return isFloatType ? make<arith::AddFOp>(lhs, rhs, contractFlags()) : addI(lhs, rhs);
  case BinaryOp::Sub:
    return isFloatType ? make<arith::SubFOp>(lhs, rhs, contractFlags()) : subI(lhs, rhs);
  case BinaryOp::Mul:
    return isFloatType ? make<arith::MulFOp>(lhs, rhs, contractFlags()) : mulI(lhs, rhs);
  case BinaryOp::Div:
    if (isFloatType)
      return make<arith::DivFOp>(lhs, rhs);
    rhs = safeDivisor(type, lhs, rhs);
    return isSignedType ? make<arith::DivSIOp>(lhs, rhs) : divU(lhs, rhs);
  case BinaryOp::Rem:
    rhs = safeDivisor(type, lhs, rhs);
    return isSignedType ? make<arith::RemSIOp>(lhs, rhs) : make<arith::RemUIOp>(lhs, rhs);
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return shift(op, type, lhs, rhs, rhsType);
  case BinaryOp::And:
    return logicalAnd(lhs, rhs);
  case BinaryOp::Or:
    return logicalOr(lhs, rhs);
  case BinaryOp::Xor:
    return make<arith::XOrIOp>(lhs, rhs);
  case BinaryOp::LogicalAnd:
  case BinaryOp::LogicalOr:
    break;
  default:
    if (isFloatType)
      return make<arith::CmpFOp>(floatPredicate(op), lhs, rhs);
    return compare(integerPredicate(op, isSignedType), lhs, rhs);
  }
  llvm_unreachable("lazy operators are no arithmetic");
}

/// Division by 0 gives any value, INT_MIN / -1 wraps. 1 as divisor does both: x / 1 is INT_MIN, x % 1 is 0.
Value ScalarBuilder::safeDivisor(ScalarType type, Value dividend, Value divisor) {
  Type ssaType = divisor.getType();
  std::optional<int64_t> constant = constantValue(divisor);
  if (constant && *constant != 0 && (*constant != -1 || !isSigned(type)))
    return divisor;
  using P = arith::CmpIPredicate;
  Value bad = compare(P::eq, divisor, integer(ssaType, 0));
  if (isSigned(type)) {
    APInt min = APInt::getSignedMinValue(ssaType.getIntOrFloatBitWidth());
    Value overflows = logicalAnd(compare(P::eq, divisor, integer(ssaType, -1)),
                                 compare(P::eq, dividend, integer(ssaType, min.getSExtValue())));
    bad = logicalOr(bad, overflows);
  }
  return select(bad, integer(ssaType, 1), divisor);
}

/// A count outside the width, negative ones included, shifts every bit out: 0, or the sign in every bit.
Value ScalarBuilder::shift(BinaryOp op, ScalarType type, Value value, Value count, ScalarType countType) {
  Type ssaType = value.getType(), countSsaType = count.getType();
  int64_t width = ssaType.getIntOrFloatBitWidth();
  bool arithmetic = op == BinaryOp::Shr && isSigned(type);
  auto toValueType = [&](Value inRange) { // counts below the width survive any change of width
    return cast(inRange, countType, type);
  };
  // Comparing without sign puts negative counts outside, too. Every width fits into every type.
  if (arithmetic) {
    Value clamped = make<arith::MinUIOp>(count, integer(countSsaType, width - 1));
    return make<arith::ShRSIOp>(value, toValueType(clamped));
  }
  Value inside = compare(arith::CmpIPredicate::ult, count, integer(countSsaType, width));
  if (isFalse(inside))
    return zero(ssaType);
  Value masked = count;
  if (!constantValue(count)) // widths are powers of two
    masked = logicalAnd(count, integer(countSsaType, width - 1));
  masked = toValueType(masked);
  Value shifted =
      op == BinaryOp::Shl ? make<arith::ShLIOp>(value, masked) : make<arith::ShRUIOp>(value, masked);
  return select(inside, shifted, zero(ssaType));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value ScalarBuilder::call(Builtin function, ScalarType type, ArrayRef<Value> args) {
  bool isFloatType = isFloat(type), isSignedType = isSigned(type);
  Value a = args[0], b = args.size() > 1 ? args[1] : Value();
  switch (function) {
  case Builtin::CeilDiv:
    b = safeDivisor(type, a, b);
    return isSignedType ? make<arith::CeilDivSIOp>(a, b) : make<arith::CeilDivUIOp>(a, b);
  case Builtin::FloorDiv:
    b = safeDivisor(type, a, b);
    return isSignedType ? make<arith::FloorDivSIOp>(a, b) : divU(a, b);
  case Builtin::Min:
    if (isFloatType)
      return make<arith::MinNumFOp>(a, b);
    return isSignedType ? make<arith::MinSIOp>(a, b) : make<arith::MinUIOp>(a, b);
  case Builtin::Max:
    if (isFloatType)
      return make<arith::MaxNumFOp>(a, b);
    return isSignedType ? make<arith::MaxSIOp>(a, b) : make<arith::MaxUIOp>(a, b);
  case Builtin::Abs:
    if (isFloatType)
      return make<math::AbsFOp>(a);
    return isSignedType ? make<math::AbsIOp>(a) : a;
  case Builtin::IsNan:
    return math::IsNaNOp::create(builder, loc, a);
  case Builtin::IsInf:
    return math::IsInfOp::create(builder, loc, a);
  default:
    break;
  }
  if (type != ScalarType::F16 && type != ScalarType::BF16)
    return floatFunction(function, args);
  // 16-bit floats compute in f32 and round once.
  SmallVector<Value> wide =
      llvm::map_to_vector(args, [&](Value arg) { return cast(arg, type, ScalarType::F32); });
  return cast(floatFunction(function, wide), ScalarType::F32, type);
}

/// Not folded: the host's math library is not the device's.
Value ScalarBuilder::floatFunction(Builtin function, ArrayRef<Value> args) {
  Value a = args[0];
  switch (function) {
  case Builtin::Exp:
    return math::ExpOp::create(builder, loc, a);
  case Builtin::Exp2:
    return math::Exp2Op::create(builder, loc, a);
  case Builtin::Log:
    return math::LogOp::create(builder, loc, a);
  case Builtin::Log2:
    return math::Log2Op::create(builder, loc, a);
  case Builtin::Sqrt:
    return math::SqrtOp::create(builder, loc, a);
  case Builtin::Rsqrt:
    return math::RsqrtOp::create(builder, loc, a);
  case Builtin::Rcp:
    return tile::RcpOp::create(builder, loc, a);
  case Builtin::Tanh:
    return math::TanhOp::create(builder, loc, a);
  case Builtin::Sigmoid:
    return tile::SigmoidOp::create(builder, loc, a);
  case Builtin::Erf:
    return math::ErfOp::create(builder, loc, a);
  case Builtin::Sin:
    return math::SinOp::create(builder, loc, a);
  case Builtin::Cos:
    return math::CosOp::create(builder, loc, a);
  case Builtin::Pow:
    return math::PowFOp::create(builder, loc, a, args[1]);
  case Builtin::Fma:
    return math::FmaOp::create(builder, loc, a, args[1], args[2]);
  case Builtin::Floor:
    return math::FloorOp::create(builder, loc, a);
  case Builtin::Ceil:
    return math::CeilOp::create(builder, loc, a);
  case Builtin::Round:
    return math::RoundOp::create(builder, loc, a);
  case Builtin::Trunc:
    return math::TruncOp::create(builder, loc, a);
  default:
    llvm_unreachable("no function of floats");
  }
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static bool isFloat8(ScalarType type) { return type == ScalarType::E4M3 || type == ScalarType::E5M2; }

Value ScalarBuilder::computable(Value value, ScalarType from) {
  if (from == ScalarType::TF32 || isFloat8(from))
    return make<arith::ExtFOp>(builder.getF32Type(), value);
  return value;
}

Value ScalarBuilder::cast(Value value, ScalarType from, ScalarType to) {
  from = loadedType(from);
  to = loadedType(to);
  if (from == to)
    return value;
  Type target = type(to);
  bool fromUnsigned = !isSigned(from); // bool counts as unsigned: 0 or 1

  if (isBool(to)) {
    if (!isFloat(from))
      return compare(arith::CmpIPredicate::ne, value, zero(value.getType()));
    value = computable(value, from);
    return make<arith::CmpFOp>(arith::CmpFPredicate::UNE, value, zero(value.getType()));
  }
  if (isFloat(to))
    return isFloat(from) ? castFloatToFloat(value, from, to) : castIntToFloat(value, fromUnsigned, to);

  if (isFloat(from)) {
    value = castFloatToFloat(value, from, from == ScalarType::F64 ? ScalarType::F64 : ScalarType::F32);
    return make<tile::CastOp>(target, value, /*is_unsigned=*/!isSigned(to));
  }
  unsigned fromBits = value.getType().getIntOrFloatBitWidth(), toBits = target.getIntOrFloatBitWidth();
  if (fromBits == toBits)
    return value;
  if (fromBits > toBits)
    return make<arith::TruncIOp>(target, value);
  return fromUnsigned ? make<arith::ExtUIOp>(target, value) : make<arith::ExtSIOp>(target, value);
}

/// Rounds at most once. Between formats of which neither holds the other (f16, bf16, tf32, the 8-bit ones)
/// the way leads over f32, which holds them all.
Value ScalarBuilder::castFloatToFloat(Value value, ScalarType from, ScalarType to) {
  if (from == to)
    return value;
  Type target = type(to);
  if (widensTo(from, to) || (isFloat8(from) && (to == ScalarType::F16 || to == ScalarType::BF16)))
    return make<arith::ExtFOp>(target, value);
  if (from != ScalarType::F32 && from != ScalarType::F64)
    value = make<arith::ExtFOp>(builder.getF32Type(), value);
  if (isFloat8(to))
    return make<tile::CastOp>(target, value, /*is_unsigned=*/false);
  return make<arith::TruncFOp>(target, value);
}

Value ScalarBuilder::castIntToFloat(Value value, bool isUnsigned, ScalarType to) {
  // What f32 rounds is beyond 2^24, where the 8-bit types have saturated: two steps round once.
  Type target = isFloat8(to) ? builder.getF32Type() : type(to);
  Value result = isUnsigned ? make<arith::UIToFPOp>(target, value) : make<arith::SIToFPOp>(target, value);
  return isFloat8(to) ? castFloatToFloat(result, ScalarType::F32, to) : result;
}

Value ScalarBuilder::bitcast(Value value, ScalarType from, ScalarType to) {
  if (from == to)
    return value;
  // Bool is a byte of 0 or 1, tf32 is four bytes whose low 13 bits are ignored when read, zero when written.
  if (isBool(from)) {
    value = make<arith::ExtUIOp>(builder.getI8Type(), value);
  } else if (from == ScalarType::TF32) {
    value = make<arith::ExtFOp>(builder.getF32Type(), value);
  }
  if (isBool(to)) {
    if (isFloat(from))
      value = make<arith::BitcastOp>(builder.getI8Type(), value);
    return compare(arith::CmpIPredicate::ne, value, zero(value.getType()));
  }
  if (to == ScalarType::TF32) {
    Type i32 = builder.getI32Type();
    if (value.getType() != i32)
      value = make<arith::BitcastOp>(i32, value);
    value = logicalAnd(value, integer(i32, ~int64_t(0x1fff)));
    value = make<arith::BitcastOp>(builder.getF32Type(), value);
    return make<arith::TruncFOp>(type(to), value);
  }
  Type target = type(to);
  return value.getType() == target ? value : make<arith::BitcastOp>(target, value);
}

} // namespace tilec::frontend
