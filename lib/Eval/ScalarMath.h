//===- ScalarMath.h - what scalar instructions compute --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic where C++ has no answer (overflow, division by zero, saturation) or several. Functions of f32
// are computed in double and rounded by the caller: within half an ulp of right, far inside LANGUAGE's 2.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EVAL_SCALARMATH_H
#define TILEC_LIB_EVAL_SCALARMATH_H

#include "Bytecode.h"
#include <cmath>
#include <limits>

namespace tilec::eval {

/// Division by zero has any value in the language; 0 here. INT_MIN / -1 wraps.
inline int64_t divideSigned(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return static_cast<int64_t>(-static_cast<uint64_t>(a));
  return a / b;
}
inline int64_t ceilDivideSigned(int64_t a, int64_t b) {
  const int64_t q = divideSigned(a, b);
  return b != 0 && b != -1 && a % b != 0 && ((a < 0) == (b < 0)) ? q + 1 : q;
}
inline int64_t floorDivideSigned(int64_t a, int64_t b) {
  const int64_t q = divideSigned(a, b);
  return b != 0 && b != -1 && a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q;
}

inline bool isPredicate(UnaryFn fn) {
  return fn == UnaryFn::IsNaN || fn == UnaryFn::IsInf || fn == UnaryFn::IsFinite;
}
inline bool unaryPredicate(UnaryFn fn, double x) {
  return fn == UnaryFn::IsNaN ? x != x : fn == UnaryFn::IsInf ? std::isinf(x) : std::isfinite(x);
}
double unary(UnaryFn fn, double x);
double binary(BinaryFn fn, double a, double b);

/// The predicates of arith.cmpf, by their numbers there.
bool compareFloats(unsigned predicate, double a, double b);

/// The nearest value of a kind of at most 32 bits (ties to even; e4m3 and e5m2 saturate), as a float. To 16 bits
/// and less there is one NaN, as on the device: no sign and all ones.
inline float roundDouble(ElementKind kind, double value) {
  switch (kind) {
  case ElementKind::F16:
    return decodeF16(encodeF16(value));
  case ElementKind::BF16:
    return decodeBF16(encodeBF16(value));
  case ElementKind::TF32:
    return roundTF32(value);
  case ElementKind::E4M3:
    return decodeE4M3(encodeE4M3(value));
  case ElementKind::E5M2:
    return decodeE5M2(encodeE5M2(value));
  default:
    return static_cast<float>(value);
  }
}
inline float roundFloat(ElementKind kind, float value) {
  switch (kind) {
  case ElementKind::F16:
    return value != value ? decodeF16(0x7fff) : decodeF16(encodeF16(value));
  case ElementKind::BF16:
    return value != value ? decodeBF16(0x7fff) : decodeBF16(encodeBF16(value));
  default:
    return roundDouble(kind, value);
  }
}

/// Truncates and saturates to an integer of `bits`, canonical; NaN gives 0.
inline int64_t floatToInt(double value, unsigned bits, bool isUnsigned) {
  if (value != value)
    return 0;
  if (isUnsigned) {
    if (value <= -1.0)
      return 0;
    const double limit = std::ldexp(1.0, static_cast<int>(bits));
    const uint64_t all = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    const uint64_t truncated = value >= limit ? all : value < 0 ? 0 : static_cast<uint64_t>(value);
    return bits == 1 ? static_cast<int64_t>(truncated)
                     : signExtend(static_cast<int64_t>(truncated), 64 - bits);
  }
  const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
  const int64_t max = static_cast<int64_t>((uint64_t(1) << (bits - 1)) - 1);
  if (value >= limit)
    return max;
  if (value <= -limit)
    return -max - 1;
  return static_cast<int64_t>(value);
}

/// An integer rounded once to a kind of at most 32 bits. Above 2^53 the conversion to double is to odd, so
/// that the second rounding cannot be fooled by the first.
inline float intToKind(ElementKind kind, int64_t value, bool isUnsigned) {
  const bool negative = !isUnsigned && value < 0;
  uint64_t magnitude = negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (magnitude >> 53) {
    const int drop = 11 - __builtin_clzll(magnitude);
    const uint64_t lost = magnitude & ((uint64_t(1) << drop) - 1);
    magnitude = (magnitude >> drop) << drop;
    if (lost)
      magnitude |= uint64_t(1) << drop;
  }
  const double exact = static_cast<double>(magnitude);
  return roundDouble(kind, negative ? -exact : exact);
}

/// The bits of a slot of kind `from` as a slot of kind `to`; both have the same storage size.
inline Slot bitcastSlot(ElementKind from, ElementKind to, Slot value) {
  uint8_t bytes[8] = {};
  if (from == ElementKind::TF32)
    tilec::detail::storeAt<float>(bytes, 0, value.f);
  else
    storeSlot(from, bytes, 0, value);
  return loadSlot(to, bytes, 0);
}

} // namespace tilec::eval

#endif // TILEC_LIB_EVAL_SCALARMATH_H
