//===- CheckTest.cpp - element formats, seeded inputs, the criterion ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats are compared with LLVM's APFloat, bit for bit; the generator and the criterion with numbers
// worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "tilec/Check/Compare.h"
#include "tilec/Check/Random.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace tilec;
using llvm::APFloat;

static double valueOf(const llvm::fltSemantics &semantics, uint64_t bits, unsigned width) {
  APFloat value(semantics, llvm::APInt(width, bits));
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToDouble();
}

static uint64_t rounded(const llvm::fltSemantics &semantics, double value) {
  APFloat number(value);
  bool lossy;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &lossy);
  return number.bitcastToAPInt().getZExtValue();
}

/// Every bit pattern of the 16-bit formats decodes to its value, and encodes back to itself.
TEST(ElementTest, DecodesEveryPattern) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t half = static_cast<uint16_t>(bits);
    const double f16 = valueOf(APFloat::IEEEhalf(), bits, 16), bf16 = valueOf(APFloat::BFloat(), bits, 16);
    if (f16 == f16) {
      EXPECT_EQ(decodeF16(half), f16) << bits;
      EXPECT_EQ(std::signbit(decodeF16(half)), std::signbit(f16)) << bits;
    } else {
      EXPECT_TRUE(std::isnan(decodeF16(half))) << bits;
    }
    EXPECT_TRUE(bf16 == decodeBF16(half) || (bf16 != bf16 && std::isnan(decodeBF16(half)))) << bits;
    EXPECT_EQ(encodeF16(decodeF16(half)), half);
    EXPECT_EQ(encodeBF16(decodeBF16(half)), half);
  }
  for (uint32_t bits = 0; bits < 0x100; ++bits) {
    const uint8_t byte = static_cast<uint8_t>(bits);
    const double e4m3 = valueOf(APFloat::Float8E4M3FN(), bits, 8),
                 e5m2 = valueOf(APFloat::Float8E5M2(), bits, 8);
    EXPECT_TRUE(e4m3 == decodeE4M3(byte) || (e4m3 != e4m3 && std::isnan(decodeE4M3(byte)))) << bits;
    EXPECT_TRUE(e5m2 == decodeE5M2(byte) || (e5m2 != e5m2 && std::isnan(decodeE5M2(byte)))) << bits;
  }
}

/// Rounding to nearest even: all values of the format, all midpoints between neighbours and what lies next to
/// them, and random doubles of every magnitude.
TEST(ElementTest, RoundsToNearestEven) {
  std::vector<double> samples;
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const double low = decodeF16(static_cast<uint16_t>(bits)),
                 high = decodeF16(static_cast<uint16_t>(bits + 1));
    const double middle = std::isinf(high) ? 65520.0 : (low + high) / 2;
    for (double sample : {low, middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e30)})
      samples.push_back(sample);
  }
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const double low = decodeBF16(static_cast<uint16_t>(bits)),
                 high = decodeBF16(static_cast<uint16_t>(bits + 1));
    const double middle = std::isinf(high) ? low * (1 + 1.0 / 512) : (low + high) / 2;
    for (double sample : {low, middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e300)})
      samples.push_back(sample);
  }
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 200000; ++i)
    samples.push_back(detail::bits<double>(random()));
  for (unsigned i = 0; i < 200000; ++i)
    samples.push_back(std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52,
                                 static_cast<int>(random() % 60) - 40));
  for (double sample : samples)
    for (double value : {sample, -sample}) {
      if (value != value)
        continue;
      EXPECT_EQ(encodeF16(value), rounded(APFloat::IEEEhalf(), value)) << value;
      EXPECT_EQ(encodeBF16(value), rounded(APFloat::BFloat(), value)) << value;
      const float f = static_cast<float>(value);
      EXPECT_EQ(encodeF16(f), rounded(APFloat::IEEEhalf(), f)) << f;
      EXPECT_EQ(encodeBF16(f), rounded(APFloat::BFloat(), f)) << f;
      const double tf32 = valueOf(APFloat::FloatTF32(), rounded(APFloat::FloatTF32(), value), 19);
      EXPECT_EQ(roundTF32(value), tf32) << value;
      const bool e4m3Saturates = std::fabs(value) > 448;
      EXPECT_EQ(encodeE4M3(value),
                e4m3Saturates ? (value < 0 ? 0xfe : 0x7e) : rounded(APFloat::Float8E4M3FN(), value))
          << value;
      const bool e5m2Saturates = std::fabs(value) > 57344;
      EXPECT_EQ(encodeE5M2(value),
                e5m2Saturates ? (value < 0 ? 0xfb : 0x7b) : rounded(APFloat::Float8E5M2(), value))
          << value;
    }
  EXPECT_EQ(encodeE4M3(std::nan("")), 0x7f);
  EXPECT_TRUE(std::isnan(decodeE5M2(encodeE5M2(std::nan("")))));
  EXPECT_EQ(decodeE4M3(encodeE4M3(INFINITY)), 448.0f);
  EXPECT_EQ(decodeE5M2(encodeE5M2(-INFINITY)), -57344.0f);
}

TEST(ElementTest, Tf32DropsLowBitsWhenRead) {
  EXPECT_EQ(truncateTF32(detail::bits<float>(0x3f801fffu)), 1.0f);
  EXPECT_TRUE(std::isnan(truncateTF32(detail::bits<float>(0x7f800001u))));
}

/// i4 and u4 lie two to a byte, the low nibble first.
TEST(ElementTest, PacksNibbles) {
  uint8_t bytes[2] = {0, 0};
  storeInteger(ElementKind::I4, bytes, 0, -3);
  storeInteger(ElementKind::I4, bytes, 1, 7);
  storeInteger(ElementKind::U4, bytes, 2, 21);
  EXPECT_EQ(bytes[0], 0x7d);
  EXPECT_EQ(bytes[1], 0x05);
  EXPECT_EQ(loadInteger(ElementKind::I4, bytes, 0), -3);
  EXPECT_EQ(loadInteger(ElementKind::U4, bytes, 0), 13);
  EXPECT_EQ(storageBytes(ElementKind::U4, 3), 2);
}

TEST(ElementTest, NamesAreTheLanguages) {
  for (unsigned i = 0; i < numElementKinds; ++i) {
    ElementKind kind;
    ASSERT_TRUE(parseElementKind(elementInfo(static_cast<ElementKind>(i)).name, kind));
    EXPECT_EQ(static_cast<unsigned>(kind), i);
  }
  ElementKind kind;
  EXPECT_TRUE(parseElementKind("index", kind) && kind == ElementKind::I64);
  EXPECT_FALSE(parseElementKind("f8", kind));
}

/// SplitMix64's finaliser, as its author prints the first output for state 0.
TEST(RandomTest, WordIsSplitMix) { EXPECT_EQ(check::mix(0x9e3779b97f4a7c15u), 0xe220a8397b1dcdafu); }

TEST(RandomTest, NormalHasTheMomentsOfOne) {
  const check::Stream stream(1, 0);
  double sum = 0, squares = 0, fourths = 0;
  const uint64_t n = 200000;
  for (uint64_t i = 0; i < n; ++i) {
    const double x = stream.normal(i);
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(squares / n, 1, 0.01);
  EXPECT_NEAR(fourths / n, 2.925, 0.05);
}

TEST(RandomTest, UniformStaysInRangeAndReachesItsEnds) {
  const check::Stream stream(7, 3);
  std::vector<int> seen(16);
  for (uint64_t i = 0; i < 4096; ++i) {
    const int64_t value = stream.uniform(i, -8, 8);
    ASSERT_TRUE(value >= -8 && value < 8);
    ++seen[static_cast<size_t>(value + 8)];
  }
  for (int count : seen)
    EXPECT_NEAR(count, 256, 80);
  EXPECT_EQ(stream.uniform(0, 5, 5), 5);
  EXPECT_EQ(stream.uniform(0, 5, 6), 5);
  const int64_t wide = stream.uniform(9, INT64_MIN, INT64_MAX);
  EXPECT_EQ(wide, static_cast<int64_t>(
                      static_cast<uint64_t>(INT64_MIN) +
                      static_cast<uint64_t>(
                          (static_cast<unsigned __int128>(stream.word(36)) * (UINT64_MAX)) >> 64)));
}

/// An element depends on seed, tensor and index only: any part can be made again.
TEST(RandomTest, PartsEqualTheWhole) {
  std::vector<float> whole(100), part(100);
  check::generate(ElementKind::F32, whole.data(), 0, 100, 42, 1);
  check::generate(ElementKind::F32, part.data(), 60, 40, 42, 1);
  EXPECT_TRUE(std::equal(whole.begin() + 60, whole.end(), part.begin() + 60));
  check::generate(ElementKind::F32, part.data(), 60, 40, 42, 2);
  EXPECT_FALSE(std::equal(whole.begin() + 60, whole.end(), part.begin() + 60));
}

/// The bytes of a check's inputs are a contract with bundles made earlier.
TEST(RandomTest, BytesNeverChange) {
  float f[3];
  int32_t i[3];
  check::generate(ElementKind::F32, f, 0, 3, 1, 0);
  check::generate(ElementKind::I32, i, 0, 3, 1, 1);
  const double scale = 0.8660254037844386 / 65536;
  const check::Stream stream(1, 0);
  for (unsigned k = 0; k < 3; ++k) {
    int64_t sum = -8 * 65535;
    for (unsigned w = 0; w < 4; ++w)
      for (unsigned shift = 0; shift < 64; shift += 16)
        sum += (stream.word(4 * k + w) >> shift) & 0xffff;
    EXPECT_EQ(f[k], static_cast<float>(static_cast<double>(sum) * scale));
  }
  for (int32_t value : i)
    EXPECT_TRUE(value >= -8 && value < 8);
}

TEST(RandomTest, RangesGiveWholeNumbersToFloatsToo) {
  float data[64];
  const check::Range range{3, 6};
  check::generate(ElementKind::F32, data, 0, 64, 1, 0, &range);
  for (float value : data)
    EXPECT_TRUE(value == 3 || value == 4 || value == 5);
}

TEST(CompareTest, RelativeErrorIsFrobenius) {
  const float want[] = {3, 4}, got[] = {3, 4.5f};
  const check::Comparison c = check::compare(ElementKind::F32, got, want, 2, 0.2);
  EXPECT_DOUBLE_EQ(c.relativeError, 0.1);
  EXPECT_TRUE(c.passed);
  EXPECT_FALSE(check::compare(ElementKind::F32, got, want, 2, 0.05).passed);
}

TEST(CompareTest, ZeroReferenceNeedsZero) {
  const float zero[] = {0, -0.0f}, small[] = {0, 1e-30f};
  EXPECT_TRUE(check::compare(ElementKind::F32, zero, zero, 2, 0).passed);
  EXPECT_DOUBLE_EQ(check::compare(ElementKind::F32, zero, zero, 2, 1e-3).relativeError, 0);
  EXPECT_FALSE(check::compare(ElementKind::F32, small, zero, 2, 1e-3).passed);
}

/// A few wrong elements of many pass the norm; the second criterion sees them.
TEST(CompareTest, OneElementFarOffFails) {
  std::vector<float> want(1000000, 1.0f), got = want;
  got[777] = 1.5f; // the norm is 5e-4
  const check::Comparison c = check::compare(ElementKind::F32, got.data(), want.data(), 1000000, 1e-3);
  EXPECT_LT(c.relativeError, 1e-3);
  EXPECT_FALSE(c.passed);
  EXPECT_EQ(c.firstFailing, 777);
  got[777] = 1.05f; // 0.05 <= 64 * 1e-3 * max(1, rms)
  EXPECT_TRUE(check::compare(ElementKind::F32, got.data(), want.data(), 1000000, 1e-3).passed);
}

TEST(CompareTest, NaNAndInfinityOnlyWhereWanted) {
  const float inf = INFINITY, nan = std::nanf("");
  const float want[] = {1, inf, nan, -inf};
  EXPECT_TRUE(check::compare(ElementKind::F32, want, want, 4, 0).passed);
  const float wrongSign[] = {1, -inf, nan, -inf}, missing[] = {1, inf, 2, -inf},
              extra[] = {nan, inf, nan, -inf};
  EXPECT_FALSE(check::compare(ElementKind::F32, wrongSign, want, 4, 1).passed);
  EXPECT_FALSE(check::compare(ElementKind::F32, missing, want, 4, 1).passed);
  EXPECT_FALSE(check::compare(ElementKind::F32, extra, want, 4, 1).passed);
}

TEST(CompareTest, ToleranceZeroIsEquality) {
  const int64_t want[] = {(int64_t(1) << 60) + 1}, got[] = {int64_t(1) << 60}; // equal as doubles
  EXPECT_TRUE(check::compare(ElementKind::I64, want, want, 1, 0).passed);
  const check::Comparison c = check::compare(ElementKind::I64, got, want, 1, 0);
  EXPECT_FALSE(c.passed);
  EXPECT_EQ(c.failing, 1);
  EXPECT_EQ(check::describe(c, 0), "relative error 0 <= 0; 1 element off, first [0]: got 1.1529215e+18, want "
                                   "1.1529215e+18");
}

TEST(CompareTest, ExtremeF64DoesNotOverflow) {
  const double want[] = {1e300, 1e300}, got[] = {1e300, 1.1e300};
  EXPECT_NEAR(check::compare(ElementKind::F64, got, want, 2, 1).relativeError, 0.1 / std::sqrt(2), 1e-12);
}

TEST(CompareTest, PoisonIsNaNInFloats) {
  for (unsigned i = 0; i != numElementKinds; ++i) {
    auto kind = static_cast<ElementKind>(i);
    uint64_t data[3] = {};
    check::poison(kind, data, 3);
    EXPECT_TRUE(check::isPoison(kind, data, 0) && check::isPoison(kind, data, 2)) << i;
    if (!elementInfo(kind).isFloat)
      continue;
    EXPECT_TRUE(std::isnan(loadFloat(kind, data, 2))) << i;
    storeFloat(kind, data, 1, NAN);
    EXPECT_FALSE(check::isPoison(kind, data, 1)) << i;
  }
}

TEST(CompareTest, StrayElements) {
  using Kind = check::Stray::Kind;
  float got[3], want[3];
  check::poison(ElementKind::F32, got, 3);
  check::poison(ElementKind::F32, want, 3);
  EXPECT_EQ(check::findStray(ElementKind::F32, got, want, 3, 0, true).kind, Kind::None);
  want[1] = NAN;
  check::Stray stray = check::findStray(ElementKind::F32, got, want, 3, 0, true);
  EXPECT_TRUE(stray.kind == Kind::NotWritten && stray.first == 1 && stray.count == 1);
  EXPECT_EQ(check::findStray(ElementKind::F32, got, want, 3, 0, false).kind, Kind::None);
  stray = check::findStray(ElementKind::F32, want, got, 3, 0, true);
  EXPECT_TRUE(stray.kind == Kind::Written && stray.first == 1);
  const uint8_t bools[] = {1, 0, 7}, good[] = {1, 0, 1};
  stray = check::findStray(ElementKind::Bool, bools, good, 3, 0, false);
  EXPECT_TRUE(stray.kind == Kind::NoBool && stray.first == 2);
  // Quantised data may hold the value that the poison is.
  const uint8_t bytes[] = {0xa5}, near[] = {0xa6};
  EXPECT_EQ(check::findStray(ElementKind::I8, bytes, near, 1, 0.1, true).kind, Kind::None);
  EXPECT_EQ(check::findStray(ElementKind::I8, bytes, near, 1, 0, true).kind, Kind::NotWritten);
}
