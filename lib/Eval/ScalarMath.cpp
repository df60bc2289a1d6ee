//===- ScalarMath.cpp - functions of floats -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions behind UnaryF/D, BinaryF/D and CmpF/D, and the combinations of updates and atomics.
//
//===----------------------------------------------------------------------===//

#include "ScalarMath.h"
#include "Machine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tilec;
using namespace tilec::eval;

double eval::unary(UnaryFn fn, double x) {
  switch (fn) {
  case UnaryFn::Abs:
    return std::fabs(x);
  case UnaryFn::Ceil:
    return std::ceil(x);
  case UnaryFn::Cos:
    return std::cos(x);
  case UnaryFn::Erf:
    return std::erf(x);
  case UnaryFn::Exp:
    return std::exp(x);
  case UnaryFn::Exp2:
    return std::exp2(x);
  case UnaryFn::Expm1:
    return std::expm1(x);
  case UnaryFn::Floor:
    return std::floor(x);
  case UnaryFn::Log:
    return std::log(x);
  case UnaryFn::Log10:
    return std::log10(x);
  case UnaryFn::Log1p:
    return std::log1p(x);
  case UnaryFn::Log2:
    return std::log2(x);
  case UnaryFn::Rcp:
    return 1.0 / x;
  case UnaryFn::Round:
    return std::round(x);
  case UnaryFn::RoundEven:
    return std::nearbyint(x);
  case UnaryFn::Rsqrt:
    return 1.0 / std::sqrt(x);
  case UnaryFn::Sigmoid:
    return 1.0 / (1.0 + std::exp(-x));
  case UnaryFn::Sin:
    return std::sin(x);
  case UnaryFn::Sqrt:
    return std::sqrt(x);
  case UnaryFn::Tan:
    return std::tan(x);
  case UnaryFn::Tanh:
    return std::tanh(x);
  case UnaryFn::Trunc:
    return std::trunc(x);
  case UnaryFn::Sinh:
    return std::sinh(x);
  case UnaryFn::Cosh:
    return std::cosh(x);
  case UnaryFn::Atan:
    return std::atan(x);
  case UnaryFn::Asin:
    return std::asin(x);
  case UnaryFn::Acos:
    return std::acos(x);
  case UnaryFn::Cbrt:
    return std::cbrt(x);
  case UnaryFn::IsNaN:
  case UnaryFn::IsInf:
  case UnaryFn::IsFinite:
    break;
  }
  llvm_unreachable("predicates have no float result");
}

double eval::binary(BinaryFn fn, double a, double b) {
  switch (fn) {
  case BinaryFn::Rem:
    return std::fmod(a, b);
  case BinaryFn::MaxNum:
    return std::fmax(a, b);
  case BinaryFn::MinNum:
    return std::fmin(a, b);
  case BinaryFn::Maximum:
    if (a != a || b != b)
      return std::numeric_limits<double>::quiet_NaN();
    return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
  case BinaryFn::Minimum:
    if (a != a || b != b)
      return std::numeric_limits<double>::quiet_NaN();
    return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
  case BinaryFn::CopySign:
    return std::copysign(a, b);
  case BinaryFn::Pow:
    return std::pow(a, b);
  case BinaryFn::Atan2:
    return std::atan2(a, b);
  }
  llvm_unreachable("all functions are handled");
}

bool eval::compareFloats(unsigned predicate, double a, double b) {
  const bool unordered = a != a || b != b;
  switch (predicate) {
  case 0:
    return false;
  case 1:
    return a == b; // oeq
  case 2:
    return a > b; // ogt
  case 3:
    return a >= b; // oge
  case 4:
    return a < b; // olt
  case 5:
    return a <= b; // ole
  case 6:
    return !unordered && a != b; // one
  case 7:
    return !unordered; // ord
  case 8:
    return unordered || a == b; // ueq
  case 9:
    return unordered || a > b; // ugt
  case 10:
    return unordered || a >= b; // uge
  case 11:
    return unordered || a < b; // ult
  case 12:
    return unordered || a <= b; // ule
  case 13:
    return a != b; // une
  case 14:
    return unordered; // uno
  default:
    return true;
  }
}

namespace {
// The numbers of tile::UpdateKind; an atomic's kind is mapped to one of them.
enum { Add, Sub, Mul, Div, Max, Min };

template <typename T> T combineFloat(unsigned kind, T old, T value) {
  switch (kind) {
  case Add:
    return old + value;
  case Sub:
    return old - value;
  case Mul:
    return old * value;
  case Div:
    return old / value;
  case Max:
    return std::fmax(old, value);
  default:
    return std::fmin(old, value);
  }
}
} // namespace

Slot eval::combine(ElementKind kind, unsigned update, Slot old, Slot value) {
  const ElementInfo info = elementInfo(kind);
  if (kind == ElementKind::F64)
    return slotOfDouble(combineFloat(update, old.d, value.d));
  if (info.isFloat) // one operator in f32, rounded to the type: as the language's own operators
    return slotOfFloat(roundFloat(kind, combineFloat(update, old.f, value.f)));
  const unsigned width = info.storageBits < 8 || kind == ElementKind::Bool ? 8 : info.storageBits;
  const unsigned shift = 64 - width;
  const uint64_t oldLow = (old.u << shift) >> shift, valueLow = (value.u << shift) >> shift;
  int64_t result = 0;
  switch (update) {
  case Add:
    result = static_cast<int64_t>(old.u + value.u);
    break;
  case Sub:
    result = static_cast<int64_t>(old.u - value.u);
    break;
  case Mul:
    result = static_cast<int64_t>(old.u * value.u);
    break;
  case Div:
    result =
        info.isSigned ? divideSigned(old.i, value.i) : static_cast<int64_t>(valueLow ? oldLow / valueLow : 0);
    break;
  case Max:
    result = (info.isSigned ? old.i > value.i : oldLow > valueLow) ? old.i : value.i;
    break;
  default:
    result = (info.isSigned ? old.i < value.i : oldLow < valueLow) ? old.i : value.i;
    break;
  }
  return slotOfInt(signExtend(result, shift));
}
