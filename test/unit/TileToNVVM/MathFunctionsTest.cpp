//===- MathFunctionsTest.cpp - measured errors of the math functions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the algorithms of MathFunctions.h on the CPU over samples of all floats and compares with double. The
// hardware's approximations are right results that are off by up to their documented error, up or down.
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"
#include "MathFunctions64.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>

using namespace tilec::lowering;

namespace {

struct Cpu {
  using V = float;
  using I = int32_t;
  using L = uint64_t;
  using P = bool;

  /// -1, 0 or 1: which way the approximations are wrong.
  int bias = 0;
  V approximate(double exact, double relative) const {
    return static_cast<float>(exact * (1 + bias * relative));
  }

  V f(double x) { return static_cast<float>(x); }
  I i(int x) { return x; }
  V infinity() { return std::numeric_limits<float>::infinity(); }
  V nan() { return std::numeric_limits<float>::quiet_NaN(); }
  V add(V a, V b) { return a + b; }
  V sub(V a, V b) { return a - b; }
  V mul(V a, V b) { return a * b; }
  V fma(V a, V b, V c) { return std::fmaf(a, b, c); }
  V neg(V a) { return -a; }
  V abs(V a) { return std::fabs(a); }
  V trunc(V a) { return std::trunc(a); }
  V maxNaN(V a, V b) { return std::isnan(a) ? a : std::max(a, b); }
  V minNaN(V a, V b) { return std::isnan(a) ? a : std::min(a, b); }
  P lessThan(V a, V b) { return a < b; }
  P equal(V a, V b) { return a == b; }
  P notEqual(V a, V b) { return a != b; }
  P isNaN(V a) { return std::isnan(a); }
  P both(P a, P b) { return a && b; }
  P either(P a, P b) { return a || b; }
  P notP(P a) { return !a; }
  P same(P a, P b) { return a == b; }
  template <typename T> T select(P c, T a, T b) { return c ? a : b; }
  I bits(V a) { return std::bit_cast<int32_t>(a); }
  V fromBits(I a) { return std::bit_cast<float>(a); }
  I addI(I a, I b) { return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b)); }
  I subI(I a, I b) { return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b)); }
  I andI(I a, I b) { return a & b; }
  I orI(I a, I b) { return a | b; }
  I xorI(I a, I b) { return a ^ b; }
  I shlI(I a, int n) { return static_cast<int32_t>(static_cast<uint32_t>(a) << n); }
  I shrI(I a, int n) { return static_cast<int32_t>(static_cast<uint32_t>(a) >> n); }
  I sarI(I a, int n) { return a >> n; }
  P lessThanInt(I a, I b) { return a < b; }
  P equalInt(I a, I b) { return a == b; }
  I toInt(V a) { return subI(bits(a + 0x1.8p23f), bits(0x1.8p23f)); }
  V toFloat(I a) { return static_cast<float>(a); }
  V ex2(V a) { return approximate(std::exp2(static_cast<double>(a)), 0x1p-22); }
  V rcp(V a) { return approximate(1.0 / a, 0x1p-23); }
  V lg2(V a) { return static_cast<float>(std::log2(static_cast<double>(a))); }
  L widen(I a) { return static_cast<uint32_t>(a); }
  I lowerHalf(L a) { return static_cast<int32_t>(a); }
  L upperHalf(L a) { return a >> 32; }
  L mulL(L a, L b) { return a * b; }
  L addL(L a, L b) { return a + b; }
  L orL(L a, L b) { return a | b; }
  L shlL(L a, L n) { return a << n; }
  V scaleTurns(L a) {
    return static_cast<float>(static_cast<double>(static_cast<int64_t>(a)) * 0x1.921fb54442d18p-64);
  }
  I twoOverPi(I word) { return static_cast<int32_t>(twoOverPiWords[word]); }
  template <typename F> void ifRare(P condition, V &v, I &i, F body) {
    if (condition)
      body(v, i);
  }
};

/// Distance in units of the last place of the right result; specials must agree.
double errorInUlps(float got, double want) {
  if (std::isnan(want))
    return std::isnan(got) ? 0 : 1e9;
  float rounded = static_cast<float>(want);
  if (std::isinf(rounded) || std::isinf(got)) {
    if (got == rounded)
      return 0;
    // The largest floats may round either way.
    return std::isinf(got) && std::signbit(got) == std::signbit(want) && std::fabs(want) > 0x1.fffff8p127
               ? 1
               : 1e9;
  }
  int exponent = std::max(std::ilogb(want == 0 ? 0x1p-149 : want), -126);
  return std::fabs(got - want) / std::ldexp(1.0, exponent - 23);
}

template <typename F, typename R> double measure(const char *name, F function, R reference) {
  double worst = 0;
  float at = 0;
  // Every 501st bit pattern, a prime stride's worth of all floats, and all specials.
  for (uint64_t u = 0; u < (uint64_t(1) << 32); u += 501) {
    float x = std::bit_cast<float>(static_cast<uint32_t>(u));
    double error = errorInUlps(function(x), reference(static_cast<double>(x)));
    if (error > worst) {
      worst = error;
      at = x;
    }
  }
  for (uint32_t u : {0u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 1u, 0x80000001u, 0x7f7fffffu,
                     0xff7fffffu, 0x3f800000u, 0xbf800000u}) {
    float x = std::bit_cast<float>(u);
    double error = errorInUlps(function(x), reference(static_cast<double>(x)));
    EXPECT_LE(error, 2.0) << name << " of " << x << " gives " << function(x);
  }
  std::printf("%-10s %.2f ulp at %a\n", name, worst, at);
  return worst;
}

class MathFunctionsTest : public testing::TestWithParam<int> {};

TEST_P(MathFunctionsTest, ErrorsStayBelowTwoUlps) {
  Cpu cpu{GetParam()};
  MathFunctions<Cpu> m(cpu);
  EXPECT_LE(measure("exp", [&](float x) { return m.exp(x); }, [](double x) { return std::exp(x); }), 2.0);
  EXPECT_LE(measure("log", [&](float x) { return m.log(x); }, [](double x) { return std::log(x); }), 1.0);
  EXPECT_LE(measure("log2", [&](float x) { return m.log2(x); }, [](double x) { return std::log2(x); }), 1.5);
  EXPECT_LE(measure("tanh", [&](float x) { return m.tanh(x); }, [](double x) { return std::tanh(x); }), 2.0);
  EXPECT_LE(measure(
                "sigmoid", [&](float x) { return m.sigmoid(x); },
                [](double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }),
            2.0);
  EXPECT_LE(measure("erf", [&](float x) { return m.erf(x); }, [](double x) { return std::erf(x); }), 2.0);
  EXPECT_LE(measure("sin", [&](float x) { return m.sin(x); }, [](double x) { return std::sin(x); }), 2.0);
  EXPECT_LE(measure("cos", [&](float x) { return m.cos(x); }, [](double x) { return std::cos(x); }), 2.0);
  EXPECT_EQ(
      measure("round", [&](float x) { return m.round(x); }, [](double x) { return std::round(x); }), 0.0);
}

TEST_P(MathFunctionsTest, Powers) {
  Cpu cpu{GetParam()};
  MathFunctions<Cpu> m(cpu);
  std::mt19937 random(7);
  double worst = 0;
  float worstX = 0, worstY = 0;
  auto check = [&](float x, float y) {
    double error = errorInUlps(m.pow(x, y), std::pow(static_cast<double>(x), static_cast<double>(y)));
    if (error > worst) {
      worst = error;
      worstX = x;
      worstY = y;
    }
  };
  std::uniform_real_distribution<float> exponents(-150, 150), small(0.5f, 2.0f), integers(-20, 20);
  for (int k = 0; k < 2000000; ++k) {
    float x = std::bit_cast<float>(static_cast<uint32_t>(random()));
    check(x, exponents(random));
    check(x, std::trunc(integers(random)));
    check(small(random), exponents(random));
    // So that the result is neither 0 nor infinity.
    float base = std::fabs(x), limit = 126 / std::fabs(std::log2(base));
    check(base, limit * (small(random) - 1.25f));
  }
  const float specials[] = {0.0f,  -0.0f,       1.0f,        -1.0f,        2.0f,      -2.0f,      0.5f,
                            -0.5f, 3.0f,        -3.0f,       2.5f,         -2.5f,     INFINITY,   -INFINITY,
                            NAN,   16777215.0f, 16777216.0f, -16777217.0f, 0x1p-149f, -0x1p-149f, 3e38f};
  for (float x : specials)
    for (float y : specials) {
      double want = std::pow(static_cast<double>(x), static_cast<double>(y));
      EXPECT_LE(errorInUlps(m.pow(x, y), want), 2.0) << x << " ^ " << y << " gives " << m.pow(x, y);
      if (want == 0) {
        EXPECT_EQ(std::signbit(m.pow(x, y)), std::signbit(want)) << x << " ^ " << y;
      }
    }
  std::printf("pow        %.2f ulp at %a ^ %a\n", worst, worstX, worstY);
  EXPECT_LE(worst, 2.0);
}

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

struct Cpu64 {
  using V = double;
  using I = int64_t;
  using P = bool;

  V f(double x) { return x; }
  I i(int64_t x) { return x; }
  V infinity() { return std::numeric_limits<double>::infinity(); }
  V nan() { return std::numeric_limits<double>::quiet_NaN(); }
  V add(V a, V b) { return a + b; }
  V sub(V a, V b) { return a - b; }
  V mul(V a, V b) { return a * b; }
  V div(V a, V b) { return a / b; }
  V fma(V a, V b, V c) { return std::fma(a, b, c); }
  V neg(V a) { return -a; }
  V abs(V a) { return std::fabs(a); }
  V trunc(V a) { return std::trunc(a); }
  P lessThan(V a, V b) { return a < b; }
  P equal(V a, V b) { return a == b; }
  P notEqual(V a, V b) { return a != b; }
  P isNaN(V a) { return std::isnan(a); }
  P both(P a, P b) { return a && b; }
  P either(P a, P b) { return a || b; }
  P notP(P a) { return !a; }
  P same(P a, P b) { return a == b; }
  template <typename T> T select(P c, T a, T b) { return c ? a : b; }
  I bits(V a) { return std::bit_cast<int64_t>(a); }
  V fromBits(I a) { return std::bit_cast<double>(a); }
  static uint64_t u(I a) { return static_cast<uint64_t>(a); }
  I addI(I a, I b) { return static_cast<I>(u(a) + u(b)); }
  I subI(I a, I b) { return static_cast<I>(u(a) - u(b)); }
  I mulI(I a, I b) { return static_cast<I>(u(a) * u(b)); }
  I mulHigh(I a, I b) { return static_cast<I>(static_cast<unsigned __int128>(u(a)) * u(b) >> 64); }
  I minUnsigned(I a, I b) { return u(a) < u(b) ? a : b; }
  I andI(I a, I b) { return a & b; }
  I orI(I a, I b) { return a | b; }
  I xorI(I a, I b) { return a ^ b; }
  I shlI(I a, int n) { return static_cast<I>(u(a) << n); }
  I shrI(I a, int n) { return static_cast<I>(u(a) >> n); }
  I sarI(I a, int n) { return a >> n; }
  I shlBy(I a, I n) { return static_cast<I>(u(a) << n); }
  I shrBy(I a, I n) { return static_cast<I>(u(a) >> n); }
  P lessThanInt(I a, I b) { return a < b; }
  P equalInt(I a, I b) { return a == b; }
  P lessThanUnsigned(I a, I b) { return u(a) < u(b); }
  I fromP(P a) { return a; }
  V toFloat(I a) { return static_cast<double>(a); }
  V toFloatUnsigned(I a) { return static_cast<double>(u(a)); }
  I twoOverPi(I word) { return static_cast<I>(twoOverPiWords64[word]); }
  template <typename F> void ifRare(P condition, V &v, I &i, F body) {
    if (condition)
      body(v, i);
  }
};

double errorInUlps64(double got, long double want) {
  if (std::isnan(want))
    return std::isnan(got) ? 0 : 1e9;
  double rounded = static_cast<double>(want);
  if (std::isinf(rounded) || std::isinf(got))
    return got == rounded || std::fabs(want) > 0x1.fffffffffffep1023L ? 0 : 1e9;
  int exponent = std::max(std::ilogb(want == 0 ? 0x1p-1074L : want), -1022);
  return static_cast<double>(std::fabs(got - want) / std::ldexp(1.0L, exponent - 52));
}

TEST(MathFunctions64, ErrorsStayBelowThreeUlps) {
  Cpu64 cpu;
  MathFunctions64<Cpu64> m(cpu);
  std::mt19937_64 random(5);
  auto measure = [&](const char *name, auto function, auto reference) {
    double worst = 0, at = 0;
    auto check = [&](double x) {
      double error = errorInUlps64(function(x), reference(static_cast<long double>(x)));
      if (error > worst) {
        worst = error;
        at = x;
      }
    };
    std::uniform_real_distribution<double> wide(-800, 800), near(-3, 3);
    for (int k = 0; k < 200000; ++k) {
      check(std::bit_cast<double>(static_cast<uint64_t>(random())));
      check(wide(random));
      check(near(random));
    }
    for (double x :
         {0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -1e300, 5e-324, 1e22, cpu.infinity(), -cpu.infinity(), cpu.nan()})
      check(x);
    std::printf("%-10s %.2f ulp at %a\n", name, worst, at);
    return worst;
  };
  using L = long double;
  EXPECT_LE(measure("exp", [&](double x) { return m.exp(x); }, [](L x) { return std::exp(x); }), 2.0);
  EXPECT_LE(measure("exp2", [&](double x) { return m.exp2(x); }, [](L x) { return std::exp2(x); }), 2.0);
  EXPECT_LE(measure("log", [&](double x) { return m.log(x); }, [](L x) { return std::log(x); }), 2.0);
  EXPECT_LE(measure("log2", [&](double x) { return m.log2(x); }, [](L x) { return std::log2(x); }), 2.0);
  EXPECT_LE(measure("tanh", [&](double x) { return m.tanh(x); }, [](L x) { return std::tanh(x); }), 2.0);
  EXPECT_LE(measure(
                "sigmoid", [&](double x) { return m.sigmoid(x); },
                [](L x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }),
            3.0);
  EXPECT_LE(measure("erf", [&](double x) { return m.erf(x); }, [](L x) { return std::erf(x); }), 2.0);
  EXPECT_LE(measure("sin", [&](double x) { return m.sin(x); }, [](L x) { return std::sin(x); }), 3.0);
  EXPECT_LE(measure("cos", [&](double x) { return m.cos(x); }, [](L x) { return std::cos(x); }), 3.0);
  EXPECT_EQ(measure("round", [&](double x) { return m.round(x); }, [](L x) { return std::round(x); }), 0.0);
}

TEST(MathFunctions64, Powers) {
  Cpu64 cpu;
  MathFunctions64<Cpu64> m(cpu);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> small(0.5, 2.0), integers(-20, 20);
  double worst = 0;
  for (int k = 0; k < 300000; ++k) {
    double x = std::bit_cast<double>(static_cast<uint64_t>(random()));
    double limit = 1000 / std::fabs(std::log2(std::fabs(x)));
    for (auto [a, y] :
         {std::pair(std::fabs(x), limit * (small(random) - 1.25)), std::pair(x, std::trunc(integers(random))),
          std::pair(small(random), 1000 * (small(random) - 1.25))})
      worst = std::max(worst, errorInUlps64(m.pow(a, y), std::pow(static_cast<long double>(a),
                                                                  static_cast<long double>(y))));
  }
  std::printf("pow        %.2f ulp\n", worst);
  EXPECT_LE(worst, 2.0);
  const double specials[] = {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             2.0,
                             -2.0,
                             0.5,
                             -0.5,
                             3.0,
                             -3.0,
                             2.5,
                             -2.5,
                             INFINITY,
                             -INFINITY,
                             NAN,
                             9007199254740991.0,
                             9007199254740992.0,
                             -9007199254740993.0,
                             5e-324,
                             -5e-324,
                             3e300};
  for (double x : specials)
    for (double y : specials) {
      double want = std::pow(x, y), got = m.pow(x, y);
      EXPECT_LE(errorInUlps64(got, want), 2.0) << x << " ^ " << y << " gives " << got;
      if (want == 0) {
        EXPECT_EQ(std::signbit(got), std::signbit(want)) << x << " ^ " << y;
      }
    }
}

TEST(MathFunctions, OddFunctionsKeepTheSignOfZero) {
  Cpu cpu;
  MathFunctions<Cpu> m(cpu);
  for (float y : {m.sin(-0.0f), m.tanh(-0.0f), m.erf(-0.0f), m.round(-0.0f)})
    EXPECT_TRUE(y == 0 && std::signbit(y));
  Cpu64 cpu64;
  MathFunctions64<Cpu64> m64(cpu64);
  for (double y : {m64.sin(-0.0), m64.tanh(-0.0), m64.erf(-0.0), m64.round(-0.0)})
    EXPECT_TRUE(y == 0 && std::signbit(y));
}

INSTANTIATE_TEST_SUITE_P(Approximations, MathFunctionsTest, testing::Values(-1, 0, 1));

} // namespace
