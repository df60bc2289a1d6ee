//===- TwinsMath.cpp - functions of floats --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Approximations are computed in double and rounded once: a twin is at least as near to the exact value as
// the device. What they give at zero, infinity, NaN and beyond the domain is PTX ISA 9.0, 9.7.3, and falls
// out of IEEE arithmetic unless a comment says otherwise.
//
//===----------------------------------------------------------------------===//

#include "TwinValues.h"
#include <limits>

using namespace tilec;
using namespace tilec::emu;

namespace {
template <typename Function> void mapF32(SingleCall &call, Function function) {
  call.setResult(0, roundF32(function(static_cast<double>(call.operand<float>(0)))));
}
template <typename Function> void mapFlushedF32(SingleCall &call, Function function) {
  call.setResult(0, flush(roundF32(function(static_cast<double>(flush(call.operand<float>(0)))))));
}

double exactRcp(double x) { return 1.0 / x; }
double exactRsqrt(double x) { return 1.0 / std::sqrt(x); } // of -0: minus infinity
double exactSqrt(double x) { return std::sqrt(x); }
double exactEx2(double x) { return std::exp2(x); }
double exactLg2(double x) { return std::log2(x); }
} // namespace

void twins::ex2Ftz(SingleCall &call) { mapFlushedF32(call, exactEx2); }
void twins::ex2(SingleCall &call) { mapF32(call, exactEx2); }
void twins::lg2Ftz(SingleCall &call) { mapFlushedF32(call, exactLg2); }
void twins::lg2(SingleCall &call) { mapF32(call, exactLg2); }
void twins::rcpFtz(SingleCall &call) { mapFlushedF32(call, exactRcp); }
void twins::rcp(SingleCall &call) { mapF32(call, exactRcp); }
void twins::rcpRn(SingleCall &call) { call.setResult(0, canonical(1.0f / call.operand<float>(0))); }
void twins::rsqrtFtz(SingleCall &call) { mapFlushedF32(call, exactRsqrt); }
void twins::rsqrt(SingleCall &call) { mapF32(call, exactRsqrt); }
void twins::sqrtFtz(SingleCall &call) { mapFlushedF32(call, exactSqrt); }
void twins::sqrt(SingleCall &call) { mapF32(call, exactSqrt); }
void twins::sqrtRn(SingleCall &call) { call.setResult(0, canonical(std::sqrt(call.operand<float>(0)))); }
void twins::sin(SingleCall &call) {
  mapF32(call, [](double x) { return std::sin(x); });
}
void twins::cos(SingleCall &call) {
  mapF32(call, [](double x) { return std::cos(x); });
}
void twins::tanh(SingleCall &call) {
  mapF32(call, [](double x) { return std::tanh(x); });
}

/// The product with an approximate reciprocal, which is zero for divisors above 2^126.
void twins::divFtz(SingleCall &call) {
  const float a = flush(call.operand<float>(0)), b = flush(call.operand<float>(1));
  const double quotient = std::fabs(b) > 0x1p126f ? a * std::copysign(0.0, static_cast<double>(b))
                                                  : static_cast<double>(a) / static_cast<double>(b);
  const bool isNaN = a != a || b != b;
  call.setResult(0, flush(roundF32(isNaN ? std::numeric_limits<double>::quiet_NaN() : quotient)));
}
void twins::divFull(SingleCall &call) {
  call.setResult(0, roundF32(static_cast<double>(call.operand<float>(0)) / call.operand<float>(1)));
}

void twins::rcpRnF64(SingleCall &call) { call.setResult(0, 1.0 / call.operand<double>(0)); }
void twins::sqrtRnF64(SingleCall &call) { call.setResult(0, std::sqrt(call.operand<double>(0))); }
void twins::rsqrtF64(SingleCall &call) {
  call.setResult(0, static_cast<double>(1.0L / std::sqrt(static_cast<long double>(call.operand<double>(0)))));
}

//===----------------------------------------------------------------------===//
// Maximum and minimum: -0 is less than +0; a NaN loses against a number, or, `Nan`, wins.
//===----------------------------------------------------------------------===//

namespace {
template <typename T> T maximum(T a, T b) { return a > b || (a == b && !std::signbit(a)) ? a : b; }
template <typename T> T minimum(T a, T b) { return a < b || (a == b && std::signbit(a)) ? a : b; }

template <bool Nan, typename T, typename Function> T choose(T a, T b, Function function) {
  if (a != a || b != b)
    return Nan ? std::numeric_limits<T>::quiet_NaN() : a != a ? b : a;
  return function(a, b);
}

template <bool Nan, typename Function> void chooseF32(SingleCall &call, Function function) {
  call.setResult(0, canonical(choose<Nan>(call.operand<float>(0), call.operand<float>(1), function)));
}

/// The choice among floats gives one of the operands, so encoding it is exact.
template <bool Nan, float Decode(uint16_t), uint16_t Round(double), typename Function>
void choosePair(SingleCall &call, Function function) {
  const auto a = call.operand<uint32_t>(0), b = call.operand<uint32_t>(1);
  auto element = [&](uint16_t x, uint16_t y) {
    return Round(static_cast<double>(choose<Nan>(Decode(x), Decode(y), function)));
  };
  call.setResult(0, makePair(element(lowHalf(a), lowHalf(b)), element(highHalf(a), highHalf(b))));
}
template <bool Nan, typename Function> void chooseF16x2(SingleCall &call, Function function) {
  choosePair<Nan, decodeF16, roundF16>(call, function);
}
template <bool Nan, typename Function> void chooseBf16x2(SingleCall &call, Function function) {
  choosePair<Nan, decodeBF16, roundBf16>(call, function);
}
} // namespace

void twins::fmaxF32(SingleCall &call) { chooseF32<false>(call, maximum<float>); }
void twins::fmaxNanF32(SingleCall &call) { chooseF32<true>(call, maximum<float>); }
void twins::fminF32(SingleCall &call) { chooseF32<false>(call, minimum<float>); }
void twins::fminNanF32(SingleCall &call) { chooseF32<true>(call, minimum<float>); }
void twins::fmaxF16x2(SingleCall &call) { chooseF16x2<false>(call, maximum<float>); }
void twins::fmaxNanF16x2(SingleCall &call) { chooseF16x2<true>(call, maximum<float>); }
void twins::fminF16x2(SingleCall &call) { chooseF16x2<false>(call, minimum<float>); }
void twins::fminNanF16x2(SingleCall &call) { chooseF16x2<true>(call, minimum<float>); }
void twins::fmaxBf16x2(SingleCall &call) { chooseBf16x2<false>(call, maximum<float>); }
void twins::fmaxNanBf16x2(SingleCall &call) { chooseBf16x2<true>(call, maximum<float>); }
void twins::fminBf16x2(SingleCall &call) { chooseBf16x2<false>(call, minimum<float>); }
void twins::fminNanBf16x2(SingleCall &call) { chooseBf16x2<true>(call, minimum<float>); }

// Which NaN comes out of f64 is open (PTX ISA 9.7.3).
void twins::fmaxF64(SingleCall &call) {
  call.setResult(0, choose<false>(call.operand<double>(0), call.operand<double>(1), maximum<double>));
}
void twins::fminF64(SingleCall &call) {
  call.setResult(0, choose<false>(call.operand<double>(0), call.operand<double>(1), minimum<double>));
}
