//===- ComputeTest.cpp - gemm, reductions, scans --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation on small tiles whose results are worked out by hand; each loads A, computes, stores to B.
//
//===----------------------------------------------------------------------===//

#include "EvalTestBase.h"

using namespace tilec;
using namespace tilec::eval;
using EK = ElementKind;

namespace {
class ComputeTest : public EvalTest {
protected:
  /// Loads `a` of the given shape as %f, runs `body`, which must define %r of type `result`, and answers it.
  Values compute(Tensor a, llvm::StringRef source, EK kind, int64_t count, llvm::StringRef result,
                 llvm::StringRef body, llvm::StringRef error = "") {
    Tensor b = Tensor::out(kind, count);
    auto elementOf = [](llvm::StringRef type) { return type.rsplit('x').second; };
    auto list = [](llvm::StringRef type, bool strides) {
      llvm::SmallVector<llvm::StringRef> parts;
      type.split(parts, 'x');
      parts.pop_back();
      std::string text;
      for (size_t d = 0; d < parts.size(); ++d) {
        int64_t value = 1, extent = 0;
        for (size_t e = strides ? d + 1 : d; e < (strides ? parts.size() : d + 1); ++e) {
          parts[e].getAsInteger(10, extent);
          value *= extent;
        }
        text += (d ? ", " : "") + std::to_string(value);
      }
      return text;
    };
    auto zeros = [&](llvm::StringRef type) {
      std::string text = "%c0";
      for (size_t d = 1; d < type.count('x'); ++d)
        text += ", %c0";
      return text;
    };
    std::string text =
        "%c0 = arith.constant 0 : i64\n%a = tile.global %A sizes [" + list(source, false) + "] strides [" +
        list(source, true) + "] : !tile.ptr<" + elementOf(source).str() + "> -> !tile.global<" +
        source.str() + ">\n%b = tile.global %B sizes [" + list(result, false) + "] strides [" +
        list(result, true) + "] : !tile.ptr<" + elementOf(result).str() + "> -> !tile.global<" +
        result.str() + ">\n%f = tile.load %a[" + zeros(source) + "] extents [" + list(source, false) +
        "] : !tile.global<" + source.str() + "> -> !tile.fragment<" + source.str() + ">\n" + body.str() +
        "\ntile.store %r, %b[" + zeros(result) + "] extents [" + list(result, false) + "] : !tile.fragment<" +
        result.str() + "> -> !tile.global<" + result.str() + ">";
    EvalResult outcome = runBlock("%A: !tile.ptr<" + elementOf(source).str() +
                                      "> {tile.access = #tile.access<in>}, %B: !tile.ptr<" +
                                      elementOf(result).str() + "> {tile.access = #tile.access<out>}",
                                  text, {a.buffer(), b.buffer()});
    if (error.empty())
      EXPECT_TRUE(outcome.succeeded()) << outcome.describe();
    else
      EXPECT_EQ(outcome.message, error);
    return b.values();
  }
};
const double inf = INFINITY, nan_ = NAN;
} // namespace

/// [1 2; 3 4] · [1 2; 3 4] and its transposed forms.
TEST_F(ComputeTest, GemmAndItsTransposes) {
  const Tensor a(EK::F16, {1, 2, 3, 4});
  auto product = [&](const char *flags) {
    return compute(a, "2x2xf16", EK::F32, 4, "2x2xf32",
                   std::string("%r = tile.gemm %f, %f ") + flags +
                       " : !tile.fragment<2x2xf16>, !tile.fragment<2x2xf16> -> !tile.fragment<2x2xf32>");
  };
  EXPECT_EQ(product(""), (Values{7, 10, 15, 22}));
  EXPECT_EQ(product("{trans_a}"), (Values{10, 14, 14, 20}));
  EXPECT_EQ(product("{trans_b}"), (Values{5, 11, 11, 25}));
  EXPECT_EQ(product("{trans_a, trans_b}"), (Values{7, 15, 10, 22}));
}

/// m, n and k all differ, one operand is a view into a larger shared tile, and the result accumulates.
TEST_F(ComputeTest, GemmOfAViewAccumulates) {
  EXPECT_EQ(
      compute(Tensor(EK::F32, {1, 2, 3, 4, 5, 6}), "2x3xf32", EK::F32, 8, "2x4xf32", R"(
    %c1 = arith.constant 1 : i64
    %v = arith.constant 10.0 : f32
    %s = tile.shared : !tile.shared<5x6xf32>
    tile.parallel (%i, %j) in (5, 6) {
      %k = arith.addi %i, %j : i64
      %x = arith.sitofp %k : i64 to f32
      tile.write %x, %s[%i, %j] : !tile.shared<5x6xf32>
    }
    %w = tile.subview %s[%c1, %c1] extents [3, 4] : !tile.shared<5x6xf32> -> !tile.shared<3x4xf32>
    %acc = tile.fragment %v : !tile.fragment<2x4xf32>
    %r = tile.gemm %f, %w acc(%acc) : !tile.fragment<2x3xf32>, !tile.shared<3x4xf32> -> !tile.fragment<2x4xf32>)"),
      // w[k, j] = k + j + 2; row 0: sum of (k+1)(k+j+2) = 20 + 6j, row 1: sum of (k+4)(k+j+2) = 47 + 15j.
      (Values{30, 36, 42, 48, 57, 72, 87, 102}));
}

/// 2048 + 1 + 1 in f64 rounds once to f16: 2050, while adding in f16 stays at 2048.
TEST_F(ComputeTest, GemmRoundsOnce) {
  EXPECT_EQ(compute(Tensor(EK::F16, {2048, 1, 1}), "1x3xf16", EK::F16, 1, "1x1xf16", R"(
    %v = arith.constant 1.0 : f16
    %ones = tile.fragment %v : !tile.fragment<3x1xf16>
    %r = tile.gemm %f, %ones : !tile.fragment<1x3xf16>, !tile.fragment<3x1xf16> -> !tile.fragment<1x1xf16>)"),
            (Values{2050}));
}

TEST_F(ComputeTest, GemmOfBytesWrapsInI32) {
  // u8 · i8: 255 · −128 three times.
  EXPECT_EQ(compute(Tensor(EK::U8, {255, 255, 255}), "1x3xui8", EK::I32, 1, "1x1xi32", R"(
    %v = arith.constant -128 : i8
    %m = arith.constant -2147483648 : i32
    %acc = tile.fragment %m : !tile.fragment<1x1xi32>
    %b2 = tile.fragment %v : !tile.fragment<3x1xi8>
    %r = tile.gemm %f, %b2 acc(%acc) : !tile.fragment<1x3xui8>, !tile.fragment<3x1xi8> -> !tile.fragment<1x1xi32>)"),
            (Values{2147483648.0 - 97920})); // −2^31 − 97920 wraps
}

TEST_F(ComputeTest, GemmOfEightBitFloats) {
  EXPECT_EQ(compute(Tensor(EK::E4M3, {1.5, 448}), "1x2xf8E4M3FN", EK::F32, 1, "1x1xf32", R"(
    %v = arith.constant 2.0 : f8E5M2
    %b2 = tile.fragment %v : !tile.fragment<2x1xf8E5M2>
    %r = tile.gemm %f, %b2 : !tile.fragment<1x2xf8E4M3FN>, !tile.fragment<2x1xf8E5M2> -> !tile.fragment<1x1xf32>)"),
            (Values{899}));
}

TEST_F(ComputeTest, GemmReportsUnwrittenOperands) {
  compute(Tensor(EK::F32, {1, 2}), "1x2xf32", EK::F32, 1, "1x1xf32", R"(
    %s = tile.shared : !tile.shared<2x1xf32>
    %v = arith.constant 1.0 : f32
    tile.write_scalar %v, %s[%c0, %c0] : !tile.shared<2x1xf32>
    %r = tile.gemm %f, %s : !tile.fragment<1x2xf32>, !tile.shared<2x1xf32> -> !tile.fragment<1x1xf32>)",
          "gemm reads an element that was never written: [1, 0]");
}

TEST_F(ComputeTest, ReductionsOfEachAxis) {
  const Tensor a(EK::F32, {1, -7, 3, 4, 5, -6});
  auto reduce = [&](const char *kind, int axis, int64_t count) {
    const std::string shape = std::to_string(count) + "xf32";
    return compute(a, "2x3xf32", EK::F32, count, shape,
                   std::string("%r = tile.reduce <") + kind + "> %f axis " + std::to_string(axis) +
                       " : !tile.fragment<2x3xf32> -> !tile.fragment<" + shape + ">");
  };
  EXPECT_EQ(reduce("sum", 1, 2), (Values{-3, 3}));
  EXPECT_EQ(reduce("sum", 0, 3), (Values{5, -2, -3}));
  EXPECT_EQ(reduce("max", 1, 2), (Values{3, 5}));
  EXPECT_EQ(reduce("min", 0, 3), (Values{1, -7, -6}));
  EXPECT_EQ(reduce("absmax", 1, 2), (Values{7, 6}));
  EXPECT_EQ(reduce("prod", 1, 2), (Values{-21, -120}));
}

TEST_F(ComputeTest, ReductionOfTheMiddleAxis) {
  EXPECT_EQ(
      compute(Tensor(EK::I32, {1, 2, 3, 4, 5, 6, 7, 8}), "2x2x2xi32", EK::I32, 4, "2x2xi32",
              "%r = tile.reduce <sum> %f axis 1 : !tile.fragment<2x2x2xi32> -> !tile.fragment<2x2xi32>"),
      (Values{4, 6, 12, 14}));
}

TEST_F(ComputeTest, ReductionAccumulates) {
  EXPECT_EQ(compute(Tensor(EK::F32, {1, 2, 3, 4}), "2x2xf32", EK::F32, 2, "2xf32", R"(
    %v = arith.constant 100.0 : f32
    %init = tile.fragment %v : !tile.fragment<2xf32>
    %r = tile.reduce <sum> %f axis 1 init(%init) : !tile.fragment<2x2xf32> -> !tile.fragment<2xf32>)"),
            (Values{103, 107}));
}

TEST_F(ComputeTest, ReductionAndNaN) {
  const Tensor a(EK::F32, {1, nan_, 3, nan_});
  EXPECT_EQ(compute(a, "2x2xf32", EK::F32, 2, "2xf32",
                    "%r = tile.reduce <max> %f axis 1 : !tile.fragment<2x2xf32> -> !tile.fragment<2xf32>"),
            (Values{1, 3}));
  const Values propagated = compute(
      a, "2x2xf32", EK::F32, 2, "2xf32",
      "%r = tile.reduce <max> %f axis 0 {nan_propagate} : !tile.fragment<2x2xf32> -> !tile.fragment<2xf32>");
  EXPECT_EQ(propagated[0], 3);
  EXPECT_TRUE(std::isnan(propagated[1]));
  // Nothing but NaN leaves the neutral element.
  EXPECT_EQ(compute(a, "2x2xf32", EK::F32, 2, "2xf32",
                    "%r = tile.reduce <max> %f axis 0 : !tile.fragment<2x2xf32> -> !tile.fragment<2xf32>")[1],
            -inf);
}

/// Sums of i8 wrap in the type of the result, which may be wider; extrema of unsigned compare as unsigned.
TEST_F(ComputeTest, IntegerReductions) {
  const Tensor a(EK::I8, {100, 100, 100, 1}), u(EK::U8, {200, 100, 3, 9});
  EXPECT_EQ(compute(a, "4xi8", EK::I8, 1, "1xi8", R"(
    %m = tile.reshape %f : !tile.fragment<4xi8> -> !tile.fragment<1x4xi8>
    %r = tile.reduce <sum> %m axis 1 : !tile.fragment<1x4xi8> -> !tile.fragment<1xi8>)"),
            (Values{45}));
  EXPECT_EQ(compute(a, "1x4xi8", EK::I32, 1, "1xi32",
                    "%r = tile.reduce <sum> %f axis 1 : !tile.fragment<1x4xi8> -> !tile.fragment<1xi32>"),
            (Values{301}));
  EXPECT_EQ(compute(u, "1x4xui8", EK::U8, 1, "1xui8",
                    "%r = tile.reduce <max> %f axis 1 : !tile.fragment<1x4xui8> -> !tile.fragment<1xui8>"),
            (Values{200}));
  EXPECT_EQ(compute(u, "1x4xui8", EK::U16, 1, "1xui16",
                    "%r = tile.reduce <sum> %f axis 1 : !tile.fragment<1x4xui8> -> !tile.fragment<1xui16>"),
            (Values{312}));
  EXPECT_EQ(compute(u, "1x4xui8", EK::U8, 1, "1xui8",
                    "%r = tile.reduce <min> %f axis 1 : !tile.fragment<1x4xui8> -> !tile.fragment<1xui8>"),
            (Values{3}));
}

/// f16 sums in f64: 2048 ones after 2048 would be lost one by one.
TEST_F(ComputeTest, FloatReductionRoundsOnce) {
  EXPECT_EQ(compute(Tensor(EK::F16, {2048, 1, 1, 1}), "1x4xf16", EK::F16, 1, "1xf16",
                    "%r = tile.reduce <sum> %f axis 1 : !tile.fragment<1x4xf16> -> !tile.fragment<1xf16>"),
            (Values{2052})); // 2051 is a tie and goes to even
}

TEST_F(ComputeTest, Scans) {
  const Tensor a(EK::F32, {1, 5, 2, 4, 3, 6});
  auto scan = [&](const char *text) {
    return compute(a, "2x3xf32", EK::F32, 6, "2x3xf32",
                   std::string("%r = tile.scan ") + text + " : !tile.fragment<2x3xf32>");
  };
  EXPECT_EQ(scan("<sum> %f axis 1"), (Values{1, 6, 8, 4, 7, 13}));
  EXPECT_EQ(scan("<sum> %f axis 1 {reverse}"), (Values{8, 7, 2, 13, 9, 6}));
  EXPECT_EQ(scan("<sum> %f axis 0"), (Values{1, 5, 2, 5, 8, 8}));
  EXPECT_EQ(scan("<max> %f axis 1"), (Values{1, 5, 5, 4, 4, 6}));
  EXPECT_EQ(scan("<max> %f axis 1 {reverse}"), (Values{5, 5, 2, 6, 6, 6}));
}

TEST_F(ComputeTest, ScanOfIntegersWraps) {
  EXPECT_EQ(compute(Tensor(EK::I8, {100, 100, 100}), "3xi8", EK::I8, 3, "3xi8",
                    "%r = tile.scan <sum> %f axis 0 : !tile.fragment<3xi8>"),
            (Values{100, -56, 44}));
}

TEST_F(ComputeTest, ReductionReportsUnwrittenElements) {
  compute(Tensor(EK::F32, {1}), "1xf32", EK::F32, 1, "1xf32", R"(
    %u = tile.fragment : !tile.fragment<1x4xf32>
    %r = tile.reduce <sum> %u axis 1 : !tile.fragment<1x4xf32> -> !tile.fragment<1xf32>)",
          "reduction reads an element that was never written: element 0");
}
