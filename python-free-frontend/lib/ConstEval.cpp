//===- ConstEval.cpp - compile-time values and arithmetic ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are computed in 128 bits and then either checked (adapting) or wrapped (typed). Floats are
// computed in f64 and rounded to their type; one rounding through f64 is innocuous for + - * / of every
// narrower type (f64 has more than twice their digits plus two).
//
//===----------------------------------------------------------------------===//
#include "tilec/Frontend/ConstEval.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using llvm::APFloat;

namespace tilec::frontend {
namespace {

constexpr ExactInt kExactMin = -(ExactInt(1) << 63);
constexpr ExactInt kExactMax = (ExactInt(1) << 64) - 1;

const llvm::fltSemantics &semanticsOf(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return APFloat::IEEEhalf();
  case ScalarType::BF16:
    return APFloat::BFloat();
  case ScalarType::F32:
    return APFloat::IEEEsingle();
  case ScalarType::TF32:
    return APFloat::FloatTF32();
  case ScalarType::E4M3:
    return APFloat::Float8E4M3FN();
  case ScalarType::E5M2:
    return APFloat::Float8E5M2();
  default:
    return APFloat::IEEEdouble();
  }
}

bool saturates(ScalarType type) { return type == ScalarType::E4M3 || type == ScalarType::E5M2; }

double toDouble(APFloat value) {
  bool lost;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

llvm::APInt toAPInt(ExactInt value) {
  auto bits = static_cast<unsigned __int128>(value);
  uint64_t words[2] = {uint64_t(bits), uint64_t(bits >> 64)};
  return llvm::APInt(128, words);
}

/// An integer rounded once to `type`.
double roundInteger(ExactInt value, ScalarType type) {
  if (saturates(type)) // their largest values are small: f64 is exact there
    return roundTo(double(value), type);
  APFloat result(semanticsOf(type));
  result.convertFromAPInt(toAPInt(value), /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  return toDouble(result);
}

/// The low bits of `value` as an integer of `type`.
ExactInt wrap(ExactInt value, ScalarType type) {
  unsigned bits = valueBits(type);
  auto low = static_cast<unsigned __int128>(value) & ((static_cast<unsigned __int128>(1) << bits) - 1);
  if (isSigned(type) && (low >> (bits - 1)) != 0)
    return ExactInt(low) - (ExactInt(1) << bits);
  return ExactInt(low);
}

ConstValue makeTypedInt(ExactInt value, ScalarType type) {
  ConstValue result = ConstValue::makeInt(wrap(value, type));
  result.type = type;
  return result;
}

ConstValue makeTypedFloat(double value, ScalarType type) {
  ConstValue result = ConstValue::makeFloat(roundTo(value, type));
  result.type = type;
  return result;
}

/// The bits of a typed number in memory.
uint64_t bitsOf(const ConstValue &value) {
  if (value.isBool() || value.isInt())
    return uint64_t(value.integer);
  if (*value.type == ScalarType::TF32) { // the upper 19 bits of an f32
    float single = float(value.real);
    uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    return bits;
  }
  APFloat real(value.real);
  bool lost;
  real.convert(semanticsOf(*value.type), APFloat::rmNearestTiesToEven, &lost);
  return real.bitcastToAPInt().getZExtValue();
}

ExactInt floorDiv(ExactInt a, ExactInt b) {
  ExactInt quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

ConstResult evaluateBools(ConstOp op, bool a, bool b) {
  switch (op) {
  case ConstOp::Eq:
    return ConstValue::makeBool(a == b);
  case ConstOp::Ne:
  case ConstOp::Xor:
    return ConstValue::makeBool(a != b);
  case ConstOp::And:
    return ConstValue::makeBool(a && b);
  default:
    return ConstValue::makeBool(a || b);
  }
}

/// Comparisons of two numbers of one C++ type.
template <typename T> std::optional<bool> compare(ConstOp op, T a, T b) {
  switch (op) {
  case ConstOp::Eq:
    return a == b;
  case ConstOp::Ne:
    return a != b;
  case ConstOp::Lt:
    return a < b;
  case ConstOp::Le:
    return a <= b;
  case ConstOp::Gt:
    return a > b;
  case ConstOp::Ge:
    return a >= b;
  default:
    return std::nullopt;
  }
}

/// Shifts count bits of the type; exact integers have no width, so nothing falls off their left end.
ConstResult evaluateShift(ConstOp op, const ConstValue &lhs, ExactInt count) {
  ExactInt width = lhs.type ? valueBits(*lhs.type) : 127;
  bool outside = count < 0 || count >= width;
  ExactInt a = lhs.integer;
  if (op == ConstOp::Shr) {
    ExactInt result = outside ? (a < 0 ? -1 : 0) : (a >> int(count));
    return lhs.type ? makeTypedInt(result, *lhs.type) : ConstValue::makeInt(result);
  }
  if (lhs.type)
    return makeTypedInt(outside ? 0 : ExactInt(static_cast<unsigned __int128>(a) << int(count)), *lhs.type);
  if (count < 0 || a == 0)
    return ConstValue::makeInt(0);
  ExactInt result;
  if (count > 64 || __builtin_mul_overflow(a, ExactInt(1) << int(count), &result))
    return {ConstError::OutOfRange};
  if (!inExactRange(result))
    return {ConstError::OutOfRange, toString(result)};
  return ConstValue::makeInt(result);
}

ConstResult evaluateInts(ConstOp op, const ConstValue &lhs, const ConstValue &rhs) {
  ExactInt a = lhs.integer, b = rhs.integer, result = 0;
  if (auto truth = compare(op, a, b))
    return ConstValue::makeBool(*truth);
  bool overflow = false;
  switch (op) {
  case ConstOp::Add:
    result = a + b;
    break;
  case ConstOp::Sub:
    result = a - b;
    break;
  case ConstOp::Mul: {
    overflow = __builtin_mul_overflow(a, b, &result);
    if (overflow && lhs.type) // wrap modulo 2^128 and then to the type
      result = ExactInt(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
    break;
  }
  case ConstOp::And:
    result = a & b;
    break;
  case ConstOp::Or:
    result = a | b;
    break;
  case ConstOp::Xor:
    result = a ^ b;
    break;
  case ConstOp::Min:
    result = std::min(a, b);
    break;
  case ConstOp::Max:
    result = std::max(a, b);
    break;
  default:
    if (b == 0)
      return ConstError::DivisionByZero;
    if (op == ConstOp::Div)
      result = a / b;
    else if (op == ConstOp::Rem)
      result = a % b;
    else if (op == ConstOp::FloorDiv)
      result = floorDiv(a, b);
    else
      result = -floorDiv(-a, b);
  }
  if (lhs.type)
    return makeTypedInt(result, *lhs.type);
  if (overflow || !inExactRange(result))
    return {ConstError::OutOfRange, overflow ? std::string() : toString(result)};
  return ConstValue::makeInt(result);
}

ConstResult evaluateFloats(ConstOp op, const ConstValue &lhs, const ConstValue &rhs) {
  double a = lhs.real, b = rhs.real, result = 0;
  if (auto truth = compare(op, a, b))
    return ConstValue::makeBool(*truth);
  switch (op) {
  case ConstOp::Add:
    result = a + b;
    break;
  case ConstOp::Sub:
    result = a - b;
    break;
  case ConstOp::Mul:
    result = a * b;
    break;
  case ConstOp::Min:
    result = std::fmin(a, b);
    break;
  case ConstOp::Max:
    result = std::fmax(a, b);
    break;
  default:
    result = a / b;
  }
  return lhs.type ? makeTypedFloat(result, *lhs.type) : ConstValue::makeFloat(result);
}

} // namespace

std::string toString(ExactInt value) {
  llvm::SmallString<40> digits;
  toAPInt(value).toStringSigned(digits);
  return std::string(digits);
}

std::string formatReal(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  std::string text;
  if (value == std::trunc(value) && std::fabs(value) < 1e15) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
    return buffer;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    text = buffer;
    if (std::strtod(buffer, nullptr) == value)
      break;
  }
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

ConstValue ConstValue::makeType(ScalarType type) {
  ConstValue result;
  result.kind = Kind::Type;
  result.type = type;
  return result;
}

ConstValue ConstValue::makeBool(bool value) {
  ConstValue result;
  result.kind = Kind::Bool;
  result.integer = value;
  return result;
}

ConstValue ConstValue::makeInt(ExactInt value) {
  ConstValue result;
  result.integer = value;
  return result;
}

ConstValue ConstValue::makeFloat(double value) {
  ConstValue result;
  result.kind = Kind::Float;
  result.real = value;
  return result;
}

double ConstValue::asDouble() const { return isFloat() ? real : roundInteger(integer, ScalarType::F64); }

bool ConstValue::sameAs(const ConstValue &other) const {
  if (kind != other.kind || type != other.type || integer != other.integer)
    return false;
  return !isFloat() || real == other.real || (std::isnan(real) && std::isnan(other.real));
}

std::string format(const ConstValue &value) {
  switch (value.kind) {
  case ConstValue::Kind::Type:
    return spelling(*value.type).str();
  case ConstValue::Kind::Bool:
    return value.asBool() ? "true" : "false";
  case ConstValue::Kind::Int:
    return toString(value.integer);
  case ConstValue::Kind::Float:
    return formatReal(value.real);
  }
  return "";
}

std::string describeKind(const ConstValue &value) {
  if (value.isType())
    return "type";
  if (value.isBool())
    return "bool";
  if (value.type)
    return spelling(*value.type).str();
  return value.isInt() ? "integer" : "float";
}

ExactInt minOf(ScalarType type) { return isSigned(type) ? -(ExactInt(1) << (valueBits(type) - 1)) : 0; }
ExactInt maxOf(ScalarType type) { return (ExactInt(1) << (valueBits(type) - (isSigned(type) ? 1 : 0))) - 1; }
bool inExactRange(ExactInt value) { return value >= kExactMin && value <= kExactMax; }

double roundTo(double value, ScalarType type) {
  if (type == ScalarType::F64 || std::isnan(value))
    return value;
  if (saturates(type)) {
    double largest = toDouble(APFloat::getLargest(semanticsOf(type)));
    if (std::fabs(value) >= largest)
      return std::copysign(largest, value);
  }
  APFloat result(value);
  bool lost;
  result.convert(semanticsOf(type), APFloat::rmNearestTiesToEven, &lost);
  return toDouble(result);
}

std::optional<ConstValue> adapt(const ConstValue &value, ScalarType type) {
  ConstValue result;
  if (value.isType())
    return std::nullopt;
  if (value.isBool() || isBool(type)) {
    if (!value.isBool() || !isBool(type))
      return std::nullopt;
    return value;
  }
  if (isInteger(type)) {
    if (!value.isInt() || value.integer < minOf(type) || value.integer > maxOf(type))
      return std::nullopt;
    result = makeTypedInt(value.integer, type);
  } else {
    double rounded = value.isInt() ? roundInteger(value.integer, type) : roundTo(value.real, type);
    bool wasFinite = value.isInt() || std::isfinite(value.real);
    if (wasFinite && !std::isfinite(rounded))
      return std::nullopt;
    result = makeTypedFloat(rounded, type);
  }
  result.fromTarget = value.fromTarget;
  return result;
}

ConstValue convert(const ConstValue &value, ScalarType type) {
  ConstValue result;
  if (isBool(type)) {
    result = ConstValue::makeBool(value.isFloat() ? value.real != 0 : value.integer != 0);
  } else if (isInteger(type)) {
    ExactInt integer = value.integer;
    if (value.isFloat()) { // truncates and saturates, NaN gives 0
      double whole = std::trunc(value.real);
      if (std::isnan(whole))
        integer = 0;
      else if (whole <= double(minOf(type)))
        integer = minOf(type);
      else if (whole >= double(maxOf(type)))
        integer = maxOf(type);
      else
        integer = ExactInt(whole);
    }
    result = makeTypedInt(integer, type);
  } else {
    result = makeTypedFloat(value.isFloat() ? value.real : roundInteger(value.integer, type), type);
  }
  result.fromTarget = value.fromTarget;
  return result;
}

ConstValue bitcast(const ConstValue &value, ScalarType type) {
  uint64_t bits = bitsOf(value);
  ConstValue result;
  if (isInteger(type)) {
    result = makeTypedInt(ExactInt(bits), type);
  } else if (type == ScalarType::TF32) {
    uint32_t low = uint32_t(bits) & ~uint32_t(0x1fff); // its low 13 bits are ignored
    float single;
    std::memcpy(&single, &low, sizeof single);
    result = makeTypedFloat(single, type);
  } else {
    APFloat real(semanticsOf(type), llvm::APInt(storageBits(type), bits, false, /*implicitTrunc=*/true));
    result = ConstValue::makeFloat(toDouble(real)); // e5m2 infinities must not saturate here
    result.type = type;
  }
  result.fromTarget = value.fromTarget;
  return result;
}

ConstResult evaluate(ConstOp op, const ConstValue &lhs, const ConstValue &rhs) {
  ConstResult result = [&]() -> ConstResult {
    if (lhs.isType())
      return ConstValue::makeBool((*lhs.type == *rhs.type) == (op == ConstOp::Eq));
    if (lhs.isBool())
      return evaluateBools(op, lhs.asBool(), rhs.asBool());
    if (op == ConstOp::Shl || op == ConstOp::Shr)
      return evaluateShift(op, lhs, rhs.integer);
    return lhs.isInt() ? evaluateInts(op, lhs, rhs) : evaluateFloats(op, lhs, rhs);
  }();
  if (result.value)
    result.value->fromTarget = lhs.fromTarget || rhs.fromTarget;
  return result;
}

ConstResult evaluate(ConstUnaryOp op, const ConstValue &operand) {
  ConstValue result = operand;
  if (op == ConstUnaryOp::LogicalNot) {
    result.integer = !operand.asBool();
    return result;
  }
  if (operand.isFloat()) {
    result.real = op == ConstUnaryOp::Neg ? -operand.real : std::fabs(operand.real);
    return result;
  }
  if (op == ConstUnaryOp::BitNot)
    result.integer = -operand.integer - 1;
  else if (op == ConstUnaryOp::Neg || operand.integer < 0)
    result.integer = -operand.integer;
  if (operand.type)
    result.integer = wrap(result.integer, *operand.type);
  else if (!inExactRange(result.integer))
    return {ConstError::OutOfRange, toString(result.integer)};
  return result;
}

std::optional<ConstValue> parseConstant(llvm::StringRef text) {
  text = text.trim();
  if (text == "true" || text == "false")
    return ConstValue::makeBool(text == "true");
  if (auto type = parseScalarType(text))
    return ConstValue::makeType(*type);
  bool negative = text.consume_front("-");
  double sign = negative ? -1 : 1;
  if (text == "inf" || text == "nan")
    return ConstValue::makeFloat(sign * (text == "inf" ? double(INFINITY) : double(NAN)));
  if (text.empty() || (!llvm::isDigit(text[0]) && text[0] != '.') || text.back() == '_' ||
      text.contains("__"))
    return std::nullopt;
  std::string digits = text.str();
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  llvm::StringRef plain = digits;
  unsigned radix = 10;
  if (plain.consume_front("0x"))
    radix = 16;
  else if (plain.consume_front("0b"))
    radix = 2;
  llvm::APInt wide;
  if (!plain.getAsInteger(radix, wide)) {
    if (wide.getActiveBits() > 64 || (radix == 10 && plain.size() > 1 && plain[0] == '0'))
      return std::nullopt;
    ExactInt value = ExactInt(wide.getZExtValue());
    value = negative ? -value : value;
    if (!inExactRange(value))
      return std::nullopt;
    return ConstValue::makeInt(value);
  }
  if (radix != 10 || plain.find_first_not_of("0123456789.eE+-") != llvm::StringRef::npos)
    return std::nullopt;
  double real;
  if (plain.getAsDouble(real) || std::isinf(real))
    return std::nullopt;
  return ConstValue::makeFloat(sign * real);
}

} // namespace tilec::frontend
