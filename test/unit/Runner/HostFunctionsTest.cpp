//===- HostFunctionsTest.cpp ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that stub and interpreter share, against definitions that are independent of them: 128-bit
// arithmetic, and the element formats of Check/Element.h, which the evaluator uses.
//
//===----------------------------------------------------------------------===//

#include "tilec/Check/Element.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace host {
using std::isinf;
using std::isnan;
using std::signbit;
#include "tilec/Runner/HostFunctions.inc"
} // namespace host

using namespace tilec;

static const int64_t specials[] = {0,
                                   1,
                                   -1,
                                   2,
                                   -2,
                                   3,
                                   -3,
                                   7,
                                   63,
                                   64,
                                   4096,
                                   INT32_MAX,
                                   INT32_MIN,
                                   UINT32_MAX,
                                   INT64_MAX,
                                   INT64_MIN,
                                   INT64_MAX - 1,
                                   INT64_MIN + 1,
                                   int64_t(1) << 32,
                                   -(int64_t(1) << 32)};

static std::vector<int64_t> integers() {
  std::vector<int64_t> values(std::begin(specials), std::end(specials));
  std::mt19937_64 random(3);
  for (int i = 0; i != 200; ++i)
    values.push_back(static_cast<int64_t>(random()) >> (random() % 64));
  return values;
}

TEST(HostFunctions, SignedDivision) {
  for (int64_t a : integers())
    for (int64_t b : integers()) {
      if (b == 0) {
        EXPECT_EQ(host::safe_div(a, b), 0);
        EXPECT_EQ(host::safe_rem(a, b), 0);
        EXPECT_EQ(host::ceil_div(a, b), 0);
        EXPECT_EQ(host::floor_div(a, b), 0);
        continue;
      }
      __int128 quotient = __int128(a) / b, rest = __int128(a) % b;
      EXPECT_EQ(host::safe_div(a, b), static_cast<int64_t>(quotient));
      EXPECT_EQ(host::safe_rem(a, b), static_cast<int64_t>(rest));
      bool isNegative = (a < 0) != (b < 0);
      EXPECT_EQ(host::ceil_div(a, b), static_cast<int64_t>(quotient + (rest != 0 && !isNegative)))
          << a << " " << b;
      EXPECT_EQ(host::floor_div(a, b), static_cast<int64_t>(quotient - (rest != 0 && isNegative)))
          << a << " " << b;
    }
}

TEST(HostFunctions, ProductsAndUnsigned) {
  for (int64_t a : integers())
    for (int64_t b : integers()) {
      __int128 product = __int128(a) * b;
      EXPECT_EQ(host::wrap_mul(a, b), static_cast<int64_t>(product));
      EXPECT_EQ(host::mul_high(a, b), static_cast<int64_t>(product >> 64)) << a << " " << b;
      auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
      EXPECT_EQ(host::ceil_div_u(ua, ub),
                ub ? static_cast<uint64_t>((static_cast<unsigned __int128>(ua) + ub - 1) / ub) : 0);
      EXPECT_EQ(host::safe_div_u(ua, ub), ub ? ua / ub : 0);
      EXPECT_EQ(host::safe_rem_u(ua, ub), ub ? ua % ub : 0);
    }
}

TEST(HostFunctions, ShiftsBeyondTheWidth) {
  EXPECT_EQ(host::shift_left(1, 63), INT64_MIN);
  EXPECT_EQ(host::shift_left(1, 64), 0);
  EXPECT_EQ(host::shift_left(1, -1), 0);
  EXPECT_EQ(host::shift_right(-8, 64), -1);
  EXPECT_EQ(host::shift_right(-8, 2), -2);
  EXPECT_EQ(host::shift_right_u(UINT64_MAX, 64), 0u);
}

TEST(HostFunctions, TripCount) {
  EXPECT_EQ(host::trip_count(0, 10, 3), 4u);
  EXPECT_EQ(host::trip_count(0, 9, 3), 3u);
  EXPECT_EQ(host::trip_count(5, 5, 1), 0u);
  EXPECT_EQ(host::trip_count(0, 10, 0), 0u);
  EXPECT_EQ(host::trip_count(0, 10, -1), 0u);
  EXPECT_EQ(host::trip_count(INT64_MIN, INT64_MAX, 1), UINT64_MAX);
}

TEST(HostFunctions, Overlap) {
  auto at = [](uint64_t address) { return reinterpret_cast<const void *>(address); };
  EXPECT_TRUE(host::overlaps(at(100), 10, at(109), 10));
  EXPECT_FALSE(host::overlaps(at(100), 10, at(110), 10));
  EXPECT_TRUE(host::overlaps(at(109), 10, at(100), 10));
  EXPECT_FALSE(host::overlaps(at(110), 10, at(100), 10));
  EXPECT_FALSE(host::overlaps(at(100), 0, at(100), 10));
  EXPECT_FALSE(host::overlaps(at(100), 10, at(105), -1));
  EXPECT_TRUE(host::overlaps(at(UINT64_MAX - 4), INT64_MAX, at(UINT64_MAX - 2), 1));
}

/// Every encoding, and its neighbourhood: the halfway points and what lies one float beside them.
template <typename Bits, typename Encode, typename Value>
static void compareFormat(ElementKind kind, int bits, Encode encode, Value value) {
  for (uint32_t i = 0; i != uint32_t(1) << bits; ++i) {
    auto encoding = static_cast<Bits>(i);
    double want = loadFloat(kind, &encoding, 0);
    float got = value(encoding);
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got)) << i;
      continue;
    }
    EXPECT_EQ(got, want) << i;
    EXPECT_EQ(std::signbit(got), std::signbit(want)) << i;
    auto next = static_cast<Bits>(i + 1);
    double above = loadFloat(kind, &next, 0);
    if (std::isnan(above) || std::isinf(above) || std::isinf(want))
      above = want * 1.5;
    auto middle = static_cast<float>((want + above) / 2);
    for (float x : {static_cast<float>(want), middle, std::nextafter(middle, INFINITY),
                    std::nextafter(middle, -INFINITY)}) {
      Bits stored = 0;
      storeFloat(kind, &stored, 0, x);
      EXPECT_EQ(encode(x), stored) << x;
    }
  }
  for (float x : {INFINITY, -INFINITY, 1e30f, -1e30f, 1e-40f, 0.0f, -0.0f}) {
    Bits stored = 0;
    storeFloat(kind, &stored, 0, x);
    EXPECT_EQ(encode(x), stored) << x;
  }
}

TEST(HostFunctions, F16) { compareFormat<uint16_t>(ElementKind::F16, 16, host::f16_bits, host::f16_value); }
TEST(HostFunctions, BF16) {
  compareFormat<uint16_t>(ElementKind::BF16, 16, host::bf16_bits, host::bf16_value);
}
TEST(HostFunctions, E4M3) { compareFormat<uint8_t>(ElementKind::E4M3, 8, host::e4m3_bits, host::e4m3_value); }
TEST(HostFunctions, E5M2) { compareFormat<uint8_t>(ElementKind::E5M2, 8, host::e5m2_bits, host::e5m2_value); }

TEST(HostFunctions, NaNStaysNaN) {
  EXPECT_TRUE(std::isnan(host::round_f16(NAN)));
  EXPECT_TRUE(std::isnan(host::round_bf16(NAN)));
  EXPECT_TRUE(std::isnan(host::round_tf32(NAN)));
  EXPECT_TRUE(std::isnan(host::round_e4m3(NAN)));
  EXPECT_TRUE(std::isnan(host::round_e5m2(NAN)));
  // As the device's conversions do: one NaN of 16 bits and less, without the sign.
  for (uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
    EXPECT_EQ(host::f16_bits(host::f32_value(bits)), 0x7fff);
    EXPECT_EQ(host::bf16_bits(host::f32_value(bits)), 0x7fff);
    EXPECT_EQ(host::e4m3_bits(host::f32_value(bits)), 0x7f);
    EXPECT_EQ(host::e5m2_bits(host::f32_value(bits)), 0x7f);
  }
  // A payload in the low bits alone must not become an infinity.
  float low = host::f32_value(0x7f800001);
  EXPECT_TRUE(std::isnan(host::round_bf16(low)));
  EXPECT_TRUE(std::isnan(host::round_tf32(low)));
  EXPECT_TRUE(std::isnan(host::round_f16(low)));
}

TEST(HostFunctions, TF32) {
  std::mt19937 random(5);
  for (int i = 0; i != 100000; ++i) {
    float x = host::f32_value(static_cast<uint32_t>(random()));
    if (std::isnan(x))
      continue;
    float want = 0;
    storeFloat(ElementKind::TF32, &want, 0, x);
    EXPECT_EQ(host::round_tf32(x), want) << x;
  }
}

/// Through a float that was rounded to odd, a double or an integer is rounded once.
TEST(HostFunctions, RoundsOnceFromWiderTypes) {
  std::mt19937_64 random(7);
  for (int i = 0; i != 200000; ++i) {
    double x = std::ldexp(static_cast<double>(static_cast<int64_t>(random())),
                          static_cast<int>(random() % 90) - 110);
    if (i % 3 == 0) // next to a halfway point of f16 and bf16
      x = std::nextafter((1 + static_cast<double>(random() % 4096) / 4096) *
                             std::exp2(static_cast<int>(random() % 20) - 10),
                         i % 2 ? 1e9 : -1e9);
    uint16_t half = 0, brain = 0;
    storeFloat(ElementKind::F16, &half, 0, x);
    storeFloat(ElementKind::BF16, &brain, 0, x);
    EXPECT_EQ(host::f16_bits(host::odd_from_f64(x)), half) << x;
    EXPECT_EQ(host::bf16_bits(host::odd_from_f64(x)), brain) << x;
    auto n = static_cast<int64_t>(random() >> (random() % 64));
    if (i % 2)
      n = -n;
    // Exact in 128 bits: the nearest bf16 of an integer.
    __int128 magnitude = n < 0 ? -__int128(n) : __int128(n);
    int shift = 0;
    while (magnitude >> shift >= 256)
      ++shift;
    __int128 unit = __int128(1) << shift, low = magnitude / unit, rest = magnitude % unit;
    if (2 * rest > unit || (2 * rest == unit && low % 2))
      ++low;
    double want = static_cast<double>(static_cast<int64_t>(low)) * std::exp2(shift) * (n < 0 ? -1 : 1);
    EXPECT_EQ(host::round_bf16(host::odd_from_i64(n)), want) << n;
  }
}

TEST(HostFunctions, FloatToInteger) {
  EXPECT_EQ(host::float_to_int(NAN, 32), 0);
  EXPECT_EQ(host::float_to_int(1e30, 32), INT32_MAX);
  EXPECT_EQ(host::float_to_int(-1e30, 32), INT32_MIN);
  EXPECT_EQ(host::float_to_int(-1.9, 32), -1);
  EXPECT_EQ(host::float_to_int(127.9, 8), 127);
  EXPECT_EQ(host::float_to_int(128, 8), 127);
  EXPECT_EQ(host::float_to_int(9.3e18, 64), INT64_MAX);
  EXPECT_EQ(host::float_to_int(-9.3e18, 64), INT64_MIN);
  EXPECT_EQ(host::float_to_uint(NAN, 64), 0u);
  EXPECT_EQ(host::float_to_uint(-5, 64), 0u);
  EXPECT_EQ(host::float_to_uint(2e19, 64), UINT64_MAX);
  EXPECT_EQ(host::float_to_uint(1.8e19, 64), 18000000000000000000u);
  EXPECT_EQ(host::float_to_uint(255.9, 8), 255u);
  EXPECT_EQ(host::float_to_uint(256, 8), 255u);
}

TEST(HostFunctions, MaxIgnoresNaNAndOrdersZeros) {
  EXPECT_EQ(host::max_num_f32(NAN, 1), 1);
  EXPECT_EQ(host::max_num_f32(1, NAN), 1);
  EXPECT_TRUE(std::isnan(host::min_num_f32(NAN, NAN)));
  EXPECT_FALSE(std::signbit(host::max_num_f64(-0.0, 0.0)));
  EXPECT_FALSE(std::signbit(host::max_num_f64(0.0, -0.0)));
  EXPECT_TRUE(std::signbit(host::min_num_f64(0.0, -0.0)));
  EXPECT_TRUE(std::signbit(host::min_num_f64(-0.0, 0.0)));
  EXPECT_EQ(host::max_num_f64(2, 3), 3);
  EXPECT_EQ(host::min_num_f64(2, 3), 2);
}
