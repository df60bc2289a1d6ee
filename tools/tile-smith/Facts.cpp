//===- Facts.cpp - what is known of a value -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts.h"

using namespace tilec;
using namespace tilec::smith;

Kind smith::computeKind(Kind k) {
  switch (k) {
  case Kind::I4:
    return Kind::I8;
  case Kind::U4:
    return Kind::U8;
  case Kind::TF32:
  case Kind::E4M3:
  case Kind::E5M2:
    return Kind::F32;
  default:
    return k;
  }
}

int64_t smith::exactLimit(Kind k) {
  switch (k) {
  case Kind::F16:
  case Kind::TF32:
    return 1 << 11;
  case Kind::BF16:
    return 1 << 8;
  case Kind::F32:
    return 1 << 24;
  case Kind::F64:
    return int64_t(1) << 53;
  case Kind::E4M3:
    return 1 << 4;
  case Kind::E5M2:
    return 1 << 3;
  default:
    return huge;
  }
}

Facts smith::rangeOf(Kind k) {
  switch (k) {
  case Kind::F16:
    return symmetric(65504);
  case Kind::E4M3:
    return symmetric(448);
  case Kind::E5M2:
    return symmetric(57344);
  case Kind::Bool:
    return {0, 1};
  case Kind::I64:
    return symmetric(huge);
  case Kind::U64:
    return {0, huge};
  default:
    break;
  }
  if (isFloat(k))
    return symmetric(huge);
  const int64_t span = int64_t(1) << bitsOf(k);
  return isSigned(k) ? Facts{-span / 2, span / 2 - 1} : Facts{0, span - 1};
}

unsigned smith::errorOf(Kind k) {
  switch (k) {
  case Kind::F64:
    return 1;
  case Kind::F32:
    return 2;
  case Kind::F16:
  case Kind::TF32:
    return 3;
  case Kind::BF16:
    return 4;
  case Kind::E4M3:
    return 5;
  case Kind::E5M2:
    return 6;
  default:
    return 0;
  }
}

const char *smith::toleranceOf(unsigned error) {
  static constexpr const char *tolerances[] = {"0", "1e-9", "1e-4", "5e-3", "3e-2", "2e-1", "4e-1"};
  return tolerances[error];
}

int64_t smith::times(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  const bool negative = (a < 0) != (b < 0);
  const int64_t x = std::abs(a), y = std::abs(b);
  const int64_t result = x > huge / y ? huge : x * y;
  return negative ? -result : result;
}

int64_t smith::plus(int64_t a, int64_t b) { return std::clamp(a + b, -huge, huge); }

static Facts combined(const Facts &a, const Facts &b, int64_t lo, int64_t hi) {
  return {lo, hi, a.whole && b.whole, std::max(a.error, b.error)};
}

Facts smith::sum(const Facts &a, const Facts &b) {
  return combined(a, b, plus(a.lo, b.lo), plus(a.hi, b.hi));
}

Facts smith::product(const Facts &a, const Facts &b) {
  const auto [lo, hi] =
      std::minmax({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)});
  return combined(a, b, lo, hi);
}

Facts smith::hull(const Facts &a, const Facts &b) {
  return combined(a, b, std::min(a.lo, b.lo), std::max(a.hi, b.hi));
}

Facts smith::total(const Facts &a, int64_t count) {
  return combined(a, a, std::min<int64_t>(0, times(a.lo, count)), std::max<int64_t>(0, times(a.hi, count)));
}

Facts smith::symmetric(int64_t magnitude) { return {-magnitude, magnitude}; }

Facts smith::wrapped(const Facts &f, Kind k) {
  if (isFloat(k) || f.within(rangeOf(k)))
    return f;
  return rangeOf(k);
}

Facts smith::converted(const Facts &f, Kind to) {
  if (!isFloat(to))
    return wrapped(f, to);
  Facts result = f;
  const int64_t most = rangeOf(to).hi;
  if (f.magnitude() > exactLimit(to)) { // rounds, perhaps up
    result.lo = plus(f.lo, f.lo / 4);
    result.hi = plus(f.hi, f.hi / 4);
  }
  result.lo = std::max(result.lo, -most);
  result.hi = std::min(result.hi, most);
  if (f.error) // data that nothing was computed from round alike everywhere
    result.error = std::max(result.error, errorOf(to));
  return result;
}
