//===- ConvertTest.cpp - twins of conversions -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrow formats are checked whole: every number, every midpoint between neighbours and the floats next to
// it.
//
//===----------------------------------------------------------------------===//

#include "TestCalls.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace tilec;
using namespace tilec::test;
using Id = PtxFormId;
namespace twins = tilec::emu::twins;

namespace {

/// A format by its parameters; `largest` is the pattern of the largest number.
struct Format {
  int exponentBits, mantissaBits;
  uint32_t largest;

  uint32_t sign() const { return 1u << (exponentBits + mantissaBits); }
  /// The magnitude that a pattern without sign means; the one after the largest too.
  double value(uint32_t bits) const {
    const int bias = (1 << (exponentBits - 1)) - 1, exponent = static_cast<int>(bits >> mantissaBits);
    const double mantissa = bits & ((1u << mantissaBits) - 1), one = 1u << mantissaBits;
    return exponent ? std::ldexp(one + mantissa, exponent - bias - mantissaBits)
                    : std::ldexp(mantissa, 1 - bias - mantissaBits);
  }
};
constexpr Format f16{5, 10, 0x7bff}, bf16{8, 7, 0x7f7f}, e4m3{4, 3, 0x7e}, e5m2{5, 2, 0x7b},
    tf32{8, 10, 0x3fbff};

/// `convert` is the conversion of one float to a pattern.
template <typename Function>
void checkRounding(const Format &format, Function convert, bool saturates, bool awayFromZero = false) {
  const uint32_t overflow = saturates ? format.largest : format.largest + 1;
  for (uint32_t bits = 0; bits <= format.largest; ++bits) {
    const double value = format.value(bits), next = format.value(bits + 1);
    const uint32_t above = bits == format.largest ? overflow : bits + 1;
    ASSERT_EQ(convert(static_cast<float>(value)), bits);
    ASSERT_EQ(convert(static_cast<float>(-value)), bits | format.sign());
    const float middle = static_cast<float>((value + next) / 2);
    ASSERT_EQ(static_cast<double>(middle), (value + next) / 2) << "the midpoint is no float";
    const uint32_t tie = awayFromZero || bits % 2 ? above : bits;
    ASSERT_EQ(convert(middle), tie) << bits;
    ASSERT_EQ(convert(-middle), tie | format.sign()) << bits;
    ASSERT_EQ(convert(std::nextafterf(middle, 0.0f)), bits) << bits;
    ASSERT_EQ(convert(std::nextafterf(middle, INFINITY)), above) << bits;
  }
  EXPECT_EQ(convert(INFINITY), overflow);
  EXPECT_EQ(convert(-INFINITY), overflow | format.sign());
  EXPECT_EQ(convert(3e38f), format.exponentBits == 8 ? convert(3e38f) : overflow);
}

/// Both places of a two-element conversion: `first` goes up.
template <unsigned Bits> auto both(Id id, emu::SingleTwin twin) {
  return [=](float value) {
    const uint64_t up = runOne(id, twin, value, 0.0f), down = runOne(id, twin, 0.0f, value);
    EXPECT_EQ(up, down << Bits);
    return static_cast<uint32_t>(down);
  };
}

TEST(Convert, ToHalves) {
  checkRounding(f16, both<16>(Id::CvtF16x2, twins::cvtF16x2), false);
  checkRounding(bf16, both<16>(Id::CvtBf16x2, twins::cvtBf16x2), false);
  EXPECT_EQ(runOne(Id::CvtF16x2, twins::cvtF16x2, 1.0f, 2.0f), 0x3c004000u);
  EXPECT_EQ(runOne(Id::CvtBf16x2, twins::cvtBf16x2, 1.0f, 2.0f), 0x3f804000u);
  for (uint32_t bits : {0x7f800001u, 0xff800001u, 0xffffffffu, 0x7fc00000u}) {
    EXPECT_EQ(runOne(Id::CvtF16x2, twins::cvtF16x2, bits, 0.0f), 0x7fff0000u);
    EXPECT_EQ(runOne(Id::CvtBf16x2, twins::cvtBf16x2, 0.0f, bits), 0x7fffu);
  }
}

TEST(Convert, ToFp8) {
  checkRounding(e4m3, both<8>(Id::CvtE4m3x2, twins::cvtE4m3x2), true);
  checkRounding(e5m2, both<8>(Id::CvtE5m2x2, twins::cvtE5m2x2), true);
  EXPECT_EQ(runOne(Id::CvtE4m3x2, twins::cvtE4m3x2, 1.0f, f32(0xffc00000)), 0x387fu);
  EXPECT_EQ(runOne(Id::CvtE5m2x2, twins::cvtE5m2x2, f32(0xff800001), 1.0f), 0x7f3cu);
}

/// All f16, against the conversion of the same number as a float.
TEST(Convert, ToFp8FromF16) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint32_t magnitude = bits & 0x7fff;
    float value = magnitude > 0x7c00 ? NAN : magnitude == 0x7c00 ? INFINITY : float(f16.value(magnitude));
    if (bits & 0x8000)
      value = -value;
    ASSERT_EQ(runOne(Id::CvtE4m3x2FromF16x2, twins::cvtE4m3x2FromF16x2, bits | 0x3c000000),
              runOne(Id::CvtE4m3x2, twins::cvtE4m3x2, 1.0f, value));
    ASSERT_EQ(runOne(Id::CvtE5m2x2FromF16x2, twins::cvtE5m2x2FromF16x2, bits << 16 | 0x3c00),
              runOne(Id::CvtE5m2x2, twins::cvtE5m2x2, value, 1.0f));
  }
}

TEST(Convert, FromFp8) {
  auto expected = [](const Format &format, uint32_t bits) -> uint64_t {
    const uint32_t magnitude = bits & 0x7f, sign = bits & 0x80 ? 0x8000 : 0;
    if (magnitude > format.largest)
      return &format == &e5m2 && magnitude == 0x7c ? sign | 0x7c00 : 0x7fff;
    uint32_t half = 0; // the f16 of that value
    while (f16.value(half) != format.value(magnitude))
      ++half;
    return sign | half;
  };
  for (uint32_t bits = 0; bits < 0x100; ++bits) {
    const uint16_t pair = static_cast<uint16_t>(bits | (bits ^ 0xff) << 8);
    EXPECT_EQ(runOne(Id::CvtF16x2FromE4m3x2, twins::cvtF16x2FromE4m3x2, pair),
              expected(e4m3, bits) | expected(e4m3, bits ^ 0xff) << 16);
    EXPECT_EQ(runOne(Id::CvtF16x2FromE5m2x2, twins::cvtF16x2FromE5m2x2, pair),
              expected(e5m2, bits) | expected(e5m2, bits ^ 0xff) << 16);
  }
}

TEST(Convert, ToTf32) {
  auto narrow = [](Id id, emu::SingleTwin twin) {
    return [=](float value) {
      const uint64_t bits = runOne(id, twin, value);
      EXPECT_EQ(bits & 0x1fff, 0u);
      return static_cast<uint32_t>(bits >> 13);
    };
  };
  checkRounding(tf32, narrow(Id::CvtTf32Rn, twins::cvtTf32Rn), false);
  checkRounding(tf32, narrow(Id::CvtTf32Rna, twins::cvtTf32Rna), false, /*awayFromZero=*/true);
  // Infinities and NaNs, as an H200 converts them.
  struct Case {
    uint32_t operand, rn, rna;
  };
  const Case cases[] = {{0x7f800000, 0x7f800000, 0x7f800000}, {0xff800000, 0xff800000, 0xff800000},
                        {0x7f800001, 0x7fffe000, 0x7f800000}, {0xff800001, 0x7fffe000, 0xff800000},
                        {0x7fffffff, 0x7fffe000, 0x7fffe000}, {0xffffffff, 0x7fffe000, 0xffffe000},
                        {0xffdaa8f3, 0x7fffe000, 0xffdaa000}, {0x7f7fffff, 0x7f800000, 0x7f800000}};
  for (const Case &c : cases) {
    EXPECT_EQ(runOne(Id::CvtTf32Rn, twins::cvtTf32Rn, c.operand), c.rn) << std::hex << c.operand;
    EXPECT_EQ(runOne(Id::CvtTf32Rna, twins::cvtTf32Rna, c.operand), c.rna) << std::hex << c.operand;
  }
}

TEST(Convert, ToIntegers) {
  struct Case {
    double value;
    int32_t s32;
    uint32_t u32;
    int64_t s64;
    uint64_t u64;
  };
  const Case cases[] = {{0.99, 0, 0, 0, 0},
                        {-0.99, 0, 0, 0, 0},
                        {-1.5, -1, 0, -1, 0},
                        {2147483520.0, 2147483520, 2147483520, 2147483520, 2147483520},
                        {0x1p31, INT32_MAX, 0x80000000, INT64_C(0x80000000), 0x80000000},
                        {-0x1p31, INT32_MIN, 0, INT32_MIN, 0},
                        {-2147483904.0, INT32_MIN, 0, INT64_C(-2147483904), 0},
                        {0x1p32, INT32_MAX, UINT32_MAX, INT64_C(1) << 32, UINT64_C(1) << 32},
                        {0x1p63, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_C(1) << 63},
                        {-0x1p63, INT32_MIN, 0, INT64_MIN, 0},
                        {0x1.fffffep63, INT32_MAX, UINT32_MAX, INT64_MAX, 0xffffff0000000000},
                        {0x1p64, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX},
                        {INFINITY, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX},
                        {-INFINITY, INT32_MIN, 0, INT64_MIN, 0}};
  for (const Case &c : cases) {
    const float f = static_cast<float>(c.value);
    EXPECT_EQ(runOne(Id::CvtS32FromF32, twins::cvtS32FromF32, f), slot(c.s32)) << c.value;
    EXPECT_EQ(runOne(Id::CvtU32FromF32, twins::cvtU32FromF32, f), slot(c.u32)) << c.value;
    EXPECT_EQ(runOne(Id::CvtS64FromF32, twins::cvtS64FromF32, f), slot(c.s64)) << c.value;
    EXPECT_EQ(runOne(Id::CvtU64FromF32, twins::cvtU64FromF32, f), slot(c.u64)) << c.value;
    EXPECT_EQ(runOne(Id::CvtS32FromF64, twins::cvtS32FromF64, c.value), slot(c.s32)) << c.value;
    EXPECT_EQ(runOne(Id::CvtU32FromF64, twins::cvtU32FromF64, c.value), slot(c.u32)) << c.value;
    EXPECT_EQ(runOne(Id::CvtS64FromF64, twins::cvtS64FromF64, c.value), slot(c.s64)) << c.value;
    EXPECT_EQ(runOne(Id::CvtU64FromF64, twins::cvtU64FromF64, c.value), slot(c.u64)) << c.value;
  }
  const double quiet = std::nan("");
  const float single = std::nanf("");
  EXPECT_EQ(runOne(Id::CvtS32FromF32, twins::cvtS32FromF32, single), 0u);
  EXPECT_EQ(runOne(Id::CvtU32FromF32, twins::cvtU32FromF32, single), 0u);
  EXPECT_EQ(runOne(Id::CvtS64FromF32, twins::cvtS64FromF32, single), UINT64_C(1) << 63);
  EXPECT_EQ(runOne(Id::CvtU64FromF32, twins::cvtU64FromF32, single), UINT64_C(1) << 63);
  EXPECT_EQ(runOne(Id::CvtS32FromF64, twins::cvtS32FromF64, quiet), 0x80000000u);
  EXPECT_EQ(runOne(Id::CvtU32FromF64, twins::cvtU32FromF64, quiet), 0x80000000u);
  EXPECT_EQ(runOne(Id::CvtS64FromF64, twins::cvtS64FromF64, quiet), UINT64_C(1) << 63);
  EXPECT_EQ(runOne(Id::CvtU64FromF64, twins::cvtU64FromF64, quiet), UINT64_C(1) << 63);
}

TEST(Convert, Prmt) {
  auto prmt = [](uint32_t a, uint32_t b, uint32_t selector) {
    return runOne(Id::Prmt, twins::prmt, a, b, selector);
  };
  EXPECT_EQ(prmt(0x33221100, 0x77665544, 0x3210), 0x33221100u);
  EXPECT_EQ(prmt(0x33221100, 0x77665544, 0x7654), 0x77665544u);
  EXPECT_EQ(prmt(0x33221100, 0x77665544, 0x5410), 0x55441100u);
  EXPECT_EQ(prmt(0x33221100, 0x77665544, 0x0123), 0x00112233u);
  EXPECT_EQ(prmt(0x80007f00, 0xff000001, 0xfb9c), 0xffff0000u); // the signs of bytes 4, 1, 3, 7
  EXPECT_EQ(prmt(0x33221100, 0x77665544, 0xabcd7654), 0x77665544u);
}

} // namespace
