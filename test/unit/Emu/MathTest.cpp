//===- MathTest.cpp - twins of float functions ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special operands with the results that PTX ISA 9.7.3 prints in tables, known values, and maximum and
// minimum against an order of bit patterns.
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

constexpr uint32_t zero = 0, minusZero = 0x80000000, inf = 0x7f800000, minusInf = 0xff800000,
                   nan = 0x7fffffff, one = 0x3f800000, subnormal = 0x00000001, minusSubnormal = 0x80000001,
                   largest = 0x7f7fffff;

struct Case {
  Id id;
  emu::SingleTwin twin;
  uint32_t operand, result;
};

TEST(Math, SpecialOperands) {
  const Case cases[] = {{Id::Ex2Ftz, twins::ex2Ftz, minusInf, zero},
                        {Id::Ex2Ftz, twins::ex2Ftz, inf, inf},
                        {Id::Ex2Ftz, twins::ex2Ftz, 0x7f800001, nan},
                        {Id::Ex2Ftz, twins::ex2Ftz, subnormal, one},
                        {Id::Ex2Ftz, twins::ex2Ftz, 0xc3000000, zero}, // -128: the result would be subnormal
                        {Id::Ex2, twins::ex2, 0xc3000000, 0x00200000}, // 2^-128
                        {Id::Ex2, twins::ex2, 0x40400000, 0x41000000}, // 3: 8
                        {Id::Ex2, twins::ex2, 0x43000000, inf},        // 128
                        {Id::Lg2Ftz, twins::lg2Ftz, subnormal, minusInf},
                        {Id::Lg2Ftz, twins::lg2Ftz, minusSubnormal, minusInf},
                        {Id::Lg2, twins::lg2, subnormal, 0xc3150000}, // -149
                        {Id::Lg2, twins::lg2, minusSubnormal, nan},
                        {Id::Lg2, twins::lg2, minusZero, minusInf},
                        {Id::Lg2, twins::lg2, minusInf, nan},
                        {Id::Lg2, twins::lg2, inf, inf},
                        {Id::Lg2, twins::lg2, 0x41000000, 0x40400000}, // 8: 3
                        {Id::RcpFtz, twins::rcpFtz, minusSubnormal, minusInf},
                        {Id::RcpFtz, twins::rcpFtz, largest, zero},
                        {Id::RcpFtz, twins::rcpFtz, minusZero, minusInf},
                        {Id::Rcp, twins::rcp, largest, 0x00200000},
                        {Id::Rcp, twins::rcp, minusInf, minusZero},
                        {Id::Rcp, twins::rcp, 0x40800000, 0x3e800000},     // 4: 1/4
                        {Id::RcpRn, twins::rcpRn, 0x40400000, 0x3eaaaaab}, // 3
                        {Id::RcpRn, twins::rcpRn, 0xffc00001, nan},
                        {Id::RsqrtFtz, twins::rsqrtFtz, minusSubnormal, minusInf},
                        {Id::Rsqrt, twins::rsqrt, minusZero, minusInf},
                        {Id::Rsqrt, twins::rsqrt, minusSubnormal, nan},
                        {Id::Rsqrt, twins::rsqrt, inf, zero},
                        {Id::Rsqrt, twins::rsqrt, 0x40800000, 0x3f000000}, // 4: 1/2
                        {Id::SqrtFtz, twins::sqrtFtz, minusSubnormal, minusZero},
                        {Id::Sqrt, twins::sqrt, minusSubnormal, nan},
                        {Id::Sqrt, twins::sqrt, minusZero, minusZero},
                        {Id::SqrtRn, twins::sqrtRn, 0x40000000, 0x3fb504f3}, // 2
                        {Id::SqrtRn, twins::sqrtRn, 0xbf800000, nan},
                        {Id::Sin, twins::sin, inf, nan},
                        {Id::Sin, twins::sin, minusZero, minusZero},
                        {Id::Sin, twins::sin, 0x3fc90fdb, one}, // pi/2
                        {Id::Cos, twins::cos, minusInf, nan},
                        {Id::Cos, twins::cos, minusZero, one},
                        {Id::Tanh, twins::tanh, minusInf, 0xbf800000},
                        {Id::Tanh, twins::tanh, minusZero, minusZero},
                        {Id::Tanh, twins::tanh, 0xff800001, nan},
                        {Id::Tanh, twins::tanh, one, 0x3f42f7d6}};
  for (const Case &c : cases)
    EXPECT_EQ(runOne(c.id, c.twin, c.operand), c.result)
        << PtxForm::get(c.id).name.str() << " of " << std::hex << c.operand;
}

TEST(Math, Division) {
  auto approx = [](uint32_t a, uint32_t b) { return runOne(Id::DivFtz, twins::divFtz, a, b); };
  auto full = [](uint32_t a, uint32_t b) { return runOne(Id::DivFull, twins::divFull, a, b); };
  EXPECT_EQ(approx(0x40c00000, 0x40000000), 0x40400000u); // 6 / 2
  EXPECT_EQ(approx(one, 0x7e800000), 0x00800000u);        // 2^126, the last that is divided by
  EXPECT_EQ(approx(0x7e800000, 0x7e800001), zero);
  EXPECT_EQ(approx(0xfe800000, 0x7e800001), minusZero);
  EXPECT_EQ(approx(inf, 0x7e800001), nan);
  EXPECT_EQ(approx(one, minusSubnormal), minusInf);
  EXPECT_EQ(approx(subnormal, zero), nan);
  EXPECT_EQ(approx(0x00800000, 0x40000000), zero); // the quotient is subnormal
  EXPECT_EQ(approx(0x7f800001, one), nan);
  EXPECT_EQ(full(0x7e800000, 0x7e800001), 0x3f7ffffeu);
  EXPECT_EQ(full(0x00800000, 0x40000000), 0x00400000u);
  EXPECT_EQ(full(zero, zero), nan);
}

TEST(Math, Double) {
  EXPECT_EQ(runOne(Id::RcpRnF64, twins::rcpRnF64, 3.0), 0x3fd5555555555555u);
  EXPECT_EQ(runOne(Id::SqrtRnF64, twins::sqrtRnF64, 2.0), 0x3ff6a09e667f3bcdu);
  EXPECT_EQ(runOne(Id::RsqrtF64, twins::rsqrtF64, 2.0), 0x3fe6a09e667f3bcdu);
  EXPECT_EQ(runOne(Id::RsqrtF64, twins::rsqrtF64, -0.0), slot(-INFINITY + 0.0));
  EXPECT_EQ(runOne(Id::FmaxF64, twins::fmaxF64, -0.0, 0.0), slot(0.0));
  EXPECT_EQ(runOne(Id::FminF64, twins::fminF64, 0.0, -0.0), slot(-0.0));
  EXPECT_EQ(runOne(Id::FmaxF64, twins::fmaxF64, std::nan(""), -3.0), slot(-3.0));
  EXPECT_EQ(runOne(Id::FminF64, twins::fminF64, 7.0, std::nan("")), slot(7.0));
}

//===----------------------------------------------------------------------===//
// Maximum and minimum
//===----------------------------------------------------------------------===//

/// Of floats of `width` bits by their patterns: the order of sign and magnitude is that of the numbers, with
/// -0 below +0.
struct Order {
  unsigned width;
  uint32_t infinity;

  uint32_t sign() const { return 1u << (width - 1); }
  bool isNaN(uint32_t bits) const { return (bits & (sign() - 1)) > infinity; }
  int64_t key(uint32_t bits) const {
    const int64_t magnitude = bits & (sign() - 1);
    return bits & sign() ? -1 - magnitude : magnitude;
  }
  uint32_t choose(uint32_t a, uint32_t b, bool greater, bool nanWins) const {
    const uint32_t canonical = sign() - 1;
    if (isNaN(a) || isNaN(b))
      return nanWins || (isNaN(a) && isNaN(b)) ? canonical : isNaN(a) ? b : a;
    return (key(a) > key(b)) == greater ? a : b;
  }
};

struct Choice {
  Id id;
  emu::SingleTwin twin;
  bool greater, nanWins;
};

TEST(Math, ChoiceOfF32) {
  const Order order{32, inf};
  const uint32_t values[] = {zero, minusZero, subnormal, minusSubnormal, one,        0xbf800000, largest,
                             inf,  minusInf,  nan,       0xffffffff,     0x7f800001, 0x3f800001, 0xbf800001};
  const Choice choices[] = {{Id::FmaxF32, twins::fmaxF32, true, false},
                            {Id::FmaxNanF32, twins::fmaxNanF32, true, true},
                            {Id::FminF32, twins::fminF32, false, false},
                            {Id::FminNanF32, twins::fminNanF32, false, true}};
  for (const Choice &c : choices)
    for (uint32_t a : values)
      for (uint32_t b : values)
        EXPECT_EQ(runOne(c.id, c.twin, a, b), order.choose(a, b, c.greater, c.nanWins))
            << PtxForm::get(c.id).name.str() << std::hex << " " << a << " " << b;
}

/// All patterns against some, in both halves and both places.
void checkPairs(const Choice &c, const Order &order) {
  const uint32_t top = order.infinity,
                 others[] = {0,       0x8000,       1,       0x8001,       0x3c00, 0xbc01,
                             top - 1, top | 0x8000, top + 1, top | 0x8001, 0x7fff};
  for (uint32_t a = 0; a < 0x10000; ++a) {
    uint32_t b = others[a % std::size(others)], d = others[(a / 16 + 3) % std::size(others)];
    uint64_t expected = order.choose(a, b, c.greater, c.nanWins) | order.choose(d, a, c.greater, c.nanWins)
                                                                       << 16;
    ASSERT_EQ(runOne(c.id, c.twin, a | d << 16, b | a << 16), expected)
        << PtxForm::get(c.id).name.str() << std::hex << " " << a << " " << b << " " << d;
  }
}

TEST(Math, ChoiceOfPairs) {
  const Order f16{16, 0x7c00}, bf16{16, 0x7f80};
  checkPairs({Id::FmaxF16x2, twins::fmaxF16x2, true, false}, f16);
  checkPairs({Id::FmaxNanF16x2, twins::fmaxNanF16x2, true, true}, f16);
  checkPairs({Id::FminF16x2, twins::fminF16x2, false, false}, f16);
  checkPairs({Id::FminNanF16x2, twins::fminNanF16x2, false, true}, f16);
  checkPairs({Id::FmaxBf16x2, twins::fmaxBf16x2, true, false}, bf16);
  checkPairs({Id::FmaxNanBf16x2, twins::fmaxNanBf16x2, true, true}, bf16);
  checkPairs({Id::FminBf16x2, twins::fminBf16x2, false, false}, bf16);
  checkPairs({Id::FminNanBf16x2, twins::fminNanBf16x2, false, true}, bf16);
}

} // namespace
