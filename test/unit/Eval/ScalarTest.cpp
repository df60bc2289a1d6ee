//===- ScalarTest.cpp - scalar arithmetic of the evaluator ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test computes with block-wide scalars and reads the results from what `print` wrote.
//
//===----------------------------------------------------------------------===//

#include "EvalTestBase.h"

using namespace tilec;
using namespace tilec::eval;

namespace {
class ScalarTest : public EvalTest {
protected:
  /// What the body prints, given scalar parameters.
  std::string print(llvm::StringRef parameters, llvm::StringRef body, llvm::ArrayRef<Arg> args) {
    EvalResult result = runBlock(parameters, body, args);
    EXPECT_TRUE(result.succeeded()) << result.describe();
    return result.printed;
  }
};
} // namespace

TEST_F(ScalarTest, IntegersWrapInTheirWidth) {
  EXPECT_EQ(print("%a: i8, %b: i8", R"(
    %s = arith.addi %a, %b : i8
    %p = arith.muli %a, %b : i8
    %d = arith.subi %b, %a : i8
    tile.print "r"(%s, %p, %d, %s : i8, i8, i8, i8) {is_unsigned = array<i1: false, false, false, true>})",
                  {int64_t(100), int64_t(60)}),
            "r -96 112 -40 160\n");
}

TEST_F(ScalarTest, DivisionHasNoTrap) {
  EXPECT_EQ(print("%a: i32, %z: i32, %m: i32", R"(
    %q = arith.divsi %a, %z : i32
    %w = arith.divsi %a, %m : i32
    %r = arith.remsi %a, %m : i32
    tile.print "r"(%q, %w, %r : i32, i32, i32))",
                  {int64_t(INT32_MIN), int64_t(0), int64_t(-1)}),
            "r 0 -2147483648 0\n");
}

TEST_F(ScalarTest, CeilAndFloorDivisionOfNegatives) {
  EXPECT_EQ(print("%a: i64, %b: i64, %c: i64, %d: i64", R"(
    %0 = arith.ceildivsi %a, %b : i64
    %1 = arith.floordivsi %c, %d : i64
    %2 = arith.divsi %c, %d : i64
    %3 = arith.remsi %c, %d : i64
    tile.print "r"(%0, %1, %2, %3 : i64, i64, i64, i64))",
                  {int64_t(7), int64_t(-3), int64_t(-7), int64_t(3)}),
            "r -2 -3 -2 -1\n");
}

TEST_F(ScalarTest, UnsignedOperatorsSeeUnsignedValues) {
  EXPECT_EQ(print("%a: i8, %b: i8", R"(
    %q = arith.divui %a, %b : i8
    %r = arith.remui %a, %b : i8
    %m = arith.maxui %a, %b : i8
    %n = arith.minui %a, %b : i8
    %lt = arith.cmpi ult, %a, %b : i8
    %w = arith.extui %a : i8 to i32
    %s = arith.extsi %a : i8 to i32
    tile.print "r"(%q, %r, %m, %n, %lt, %w, %s : i8, i8, i8, i8, i1, i32, i32)
      {is_unsigned = array<i1: true, true, true, true, false, false, false>})",
                  {int64_t(200), int64_t(7)}),
            "r 28 4 200 7 false 200 -56\n");
}

TEST_F(ScalarTest, ShiftsOutsideTheWidthShiftEverythingOut) {
  EXPECT_EQ(print("%a: i8, %n: i8, %m: i8", R"(
    %0 = arith.shli %a, %n : i8
    %1 = arith.shrsi %a, %n : i8
    %2 = arith.shrui %a, %m : i8
    %3 = arith.shrsi %a, %m : i8
    tile.print "r"(%0, %1, %2, %3 : i8, i8, i8, i8))",
                  {int64_t(-128), int64_t(8), int64_t(3)}),
            "r 0 -1 16 -16\n");
}

TEST_F(ScalarTest, BoolsAreZeroAndOneAndMinusOneWhenSigned) {
  EXPECT_EQ(print("%a: i1, %b: i1", R"(
    %s = arith.extsi %a : i1 to i32
    %u = arith.extui %a : i1 to i32
    %x = arith.xori %a, %b : i1
    %p = arith.addi %a, %a : i1
    %lt = arith.cmpi slt, %a, %b : i1
    %f = arith.uitofp %a : i1 to f32
    %g = arith.sitofp %a : i1 to f32
    tile.print "r"(%s, %u, %x, %p, %lt, %f, %g : i32, i32, i1, i1, i1, f32, f32))",
                  {int64_t(1), int64_t(0)}),
            "r -1 1 true false true 1 -1\n");
}

/// 2048 + 1 is a tie in f16 and goes to even; bf16 has 8 bits of mantissa.
TEST_F(ScalarTest, NarrowFloatsRoundEveryOperator) {
  EXPECT_EQ(print("%a: f16, %b: f16, %c: bf16, %d: bf16", R"(
    %0 = arith.addf %a, %b : f16
    %1 = arith.addf %0, %b : f16
    %2 = arith.addf %c, %d : bf16
    %3 = arith.mulf %a, %a : f16
    tile.print "r"(%0, %1, %2, %3 : f16, f16, bf16, f16))",
                  {2048.0, 1.0, 256.0, 1.0}),
            "r 2048 2048 256 inf\n");
}

/// a · b + c is rounded twice unless it is an fma: (1 + 2^-12)² − 1 keeps the last bit only in the fma.
TEST_F(ScalarTest, ProductsAreNotContracted) {
  EXPECT_EQ(print("%a: f32, %c: f32", R"(
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %p, %c : f32
    %q = arith.mulf %a, %a : f32
    %t = arith.addf %c, %q : f32
    %f = math.fma %a, %a, %c : f32
    tile.print "r"(%s, %t, %f : f32, f32, f32))",
                  {1.0 + 0x1p-12, -1.0}),
            "r 0.00048828125 0.00048828125 0.000488340855\n");
}

TEST_F(ScalarTest, SumOfTwoProducts) {
  EXPECT_EQ(print("%a: f32, %b: f32", R"(
    %p = arith.mulf %a, %a : f32
    %q = arith.mulf %b, %b : f32
    %s = arith.addf %p, %q : f32
    tile.print "r"(%s : f32))",
                  {3.0, 4.0}),
            "r 25\n");
}

TEST_F(ScalarTest, ConversionsToIntegersSaturate) {
  EXPECT_EQ(print("%big: f32, %neg: f32, %nan: f32", R"(
    %0 = tile.cast %big : f32 -> i32
    %1 = tile.cast %neg : f32 -> i32
    %2 = tile.cast %nan : f32 -> i32
    %3 = tile.cast %big {is_unsigned} : f32 -> i8
    %4 = tile.cast %neg {is_unsigned} : f32 -> i8
    %c = arith.constant -1.9 : f32
    %5 = tile.cast %c : f32 -> i8
    %6 = tile.cast %big {is_unsigned} : f32 -> i64
    tile.print "r"(%0, %1, %2, %3, %4, %5, %6 : i32, i32, i32, i8, i8, i8, i64)
      {is_unsigned = array<i1: false, false, false, true, true, false, true>})",
                  {1e30, -1e30, std::nan("")}),
            "r 2147483647 -2147483648 0 255 0 -1 18446744073709551615\n");
}

/// A conversion makes one NaN of 16 bits and less, without the sign; what only moves keeps its bits.
TEST_F(ScalarTest, ConversionsMakeOneNaN) {
  EXPECT_EQ(print("%nan: f32", R"(
    %bits = arith.constant 0xFFC01000 : f32
    %0 = arith.truncf %bits : f32 to f16
    %1 = arith.truncf %bits : f32 to bf16
    %2 = tile.cast %bits : f32 -> f8E4M3FN
    %3 = tile.cast %bits : f32 -> f8E5M2
    %4 = arith.bitcast %0 : f16 to i16
    %5 = arith.bitcast %1 : bf16 to i16
    %6 = arith.bitcast %2 : f8E4M3FN to i8
    %7 = arith.bitcast %3 : f8E5M2 to i8
    tile.print "r"(%4, %5, %6, %7 : i16, i16, i8, i8)
    %c = arith.constant 0xFE : i8
    %d = arith.bitcast %c : i8 to f8E5M2
    %e = arith.bitcast %d : f8E5M2 to i8
    %f = arith.constant 0xFF : i8
    %g = arith.bitcast %f : i8 to f8E4M3FN
    %h = arith.bitcast %g : f8E4M3FN to i8
    tile.print "r"(%e, %h : i8, i8))",
                  {std::nan("")}),
            "r 32767 32767 127 127\nr -2 -1\n");
}

TEST_F(ScalarTest, ConversionsToEightBitFloatsSaturate) {
  EXPECT_EQ(print("%a: f32, %inf: f32", R"(
    %0 = tile.cast %a : f32 -> f8E4M3FN
    %1 = tile.cast %inf : f32 -> f8E4M3FN
    %2 = tile.cast %inf : f32 -> f8E5M2
    %3 = arith.extf %0 : f8E4M3FN to f32
    %4 = arith.extf %1 : f8E4M3FN to f32
    %5 = arith.extf %2 : f8E5M2 to f32
    tile.print "r"(%3, %4, %5 : f32, f32, f32))",
                  {1.3, INFINITY}),
            "r 1.25 448 57344\n");
}

TEST_F(ScalarTest, TruncationRoundsOnce) {
  // 1 + 2^-11 + 2^-40 is above the tie in f16 although f32 rounds it to the tie.
  EXPECT_EQ(print("%a: f64, %b: f32", R"(
    %0 = arith.truncf %a : f64 to f16
    %1 = arith.truncf %b : f32 to tf32
    %2 = arith.extf %1 : tf32 to f32
    %3 = arith.extf %0 : f16 to f64
    tile.print "r"(%3, %2 : f64, f32))",
                  {1.0 + 0x1p-11 + 0x1p-40, 1.0 + 0x1p-11 + 0x1p-12}),
            "r 1.0009765625 1.00097656\n");
}

/// 2^60 + 2^52 + 1 lies above a tie of bf16 that a double in between would round to.
TEST_F(ScalarTest, IntegersRoundOnce) {
  EXPECT_EQ(print("%a: i64, %u: i64", R"(
    %0 = arith.sitofp %a : i64 to bf16
    %1 = arith.uitofp %u : i64 to f32
    %2 = arith.sitofp %a : i64 to f64
    tile.print "r"(%0, %1, %2 : bf16, f32, f64))",
                  {(int64_t(1) << 60) + (int64_t(1) << 52) + 1, int64_t(-1)}),
            "r 1.1619287e+18 1.84467441e+19 1.1574251042342175e+18\n");
}

TEST_F(ScalarTest, MaxIgnoresNaN) {
  EXPECT_EQ(print("%a: f32, %nan: f32", R"(
    %0 = arith.maxnumf %a, %nan : f32
    %1 = arith.minnumf %nan, %a : f32
    %2 = arith.maximumf %a, %nan : f32
    %3 = math.isnan %2 : f32
    tile.print "r"(%0, %1, %3 : f32, f32, i1))",
                  {-2.0, std::nan("")}),
            "r -2 -2 true\n");
}

TEST_F(ScalarTest, FunctionsRoundOnce) {
  EXPECT_EQ(print("%a: f32", R"(
    %0 = math.exp %a : f32
    %1 = math.rsqrt %a : f32
    %2 = tile.sigmoid %a : f32
    %3 = tile.rcp %a : f32
    %4 = math.round %a : f32
    %5 = math.tanh %a : f32
    %6 = math.exp2 %a : f32
    tile.print "r"(%0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, f32, f32))",
                  {2.5}),
            "r 12.1824942 0.632455528 0.924141824 0.400000006 3 0.986614287 5.65685415\n");
}

TEST_F(ScalarTest, FloatComparisonsKnowNaN) {
  EXPECT_EQ(print("%a: f32, %nan: f32", R"(
    %0 = arith.cmpf olt, %a, %nan : f32
    %1 = arith.cmpf ult, %a, %nan : f32
    %2 = arith.cmpf une, %nan, %nan : f32
    %3 = arith.cmpf oge, %a, %a : f32
    tile.print "r"(%0, %1, %2, %3 : i1, i1, i1, i1))",
                  {1.0, std::nan("")}),
            "r false true true true\n");
}

TEST_F(ScalarTest, BitcastKeepsBits) {
  EXPECT_EQ(print("%a: f16, %b: i32", R"(
    %0 = arith.bitcast %a : f16 to i16
    %1 = arith.bitcast %b : i32 to f32
    %2 = arith.bitcast %1 : f32 to i32
    tile.print "r"(%0, %1, %2 : i16, f32, i32))",
                  {-1.0, int64_t(0x40490fdb)}),
            "r -17408 3.14159274 1078530011\n");
}

TEST_F(ScalarTest, PrintWritesTheLanguagesFormats) {
  EXPECT_EQ(print("%a: f32, %d: f64, %u: i64, %b: i1", R"(
    tile.print "no scalars"
    tile.print "all"(%a, %d, %u, %u, %b : f32, f64, i64, i64, i1)
      {is_unsigned = array<i1: false, false, false, true, false>})",
                  {0.1, 0.1, int64_t(-1), int64_t(1)}),
            "no scalars\nall 0.100000001 0.10000000000000001 -1 18446744073709551615 true\n");
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

TEST_F(ScalarTest, ForCarriesValues) {
  EXPECT_EQ(print("%n: i64", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (i64, i64) : i64 {
      %s = arith.addi %a, %b : i64
      scf.yield %b, %s : i64, i64
    }
    tile.print "fib"(%r#0, %r#1 : i64, i64))",
                  {int64_t(10)}),
            "fib 55 89\n");
}

/// The yielded values are the loop's own arguments, exchanged.
TEST_F(ScalarTest, ForExchangesItsArguments) {
  EXPECT_EQ(print("%n: i64", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1, %c = %c2) -> (i64, i64, i64) : i64 {
      scf.yield %b, %c, %a : i64, i64, i64
    }
    tile.print "r"(%r#0, %r#1, %r#2 : i64, i64, i64))",
                  {int64_t(4)}),
            "r 1 2 0\n");
}

TEST_F(ScalarTest, ForOfNoTripsGivesItsInits) {
  EXPECT_EQ(print("%n: i64", R"(
    %c1 = arith.constant 1 : i64
    %c5 = arith.constant 5 : i64
    %r = scf.for %i = %c5 to %n step %c1 iter_args(%a = %c1) -> (i64) : i64 {
      scf.yield %i : i64
    }
    tile.print "r"(%r : i64))",
                  {int64_t(5)}),
            "r 1\n");
}

TEST_F(ScalarTest, NestedIfAndWhile) {
  // Collatz: steps from 27 to 1.
  EXPECT_EQ(print("%n: i64", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %r:2 = scf.while (%x = %n, %k = %c0) : (i64, i64) -> (i64, i64) {
      %more = arith.cmpi ne, %x, %c1 : i64
      scf.condition(%more) %x, %k : i64, i64
    } do {
    ^bb0(%x: i64, %k: i64):
      %odd = arith.remsi %x, %c2 : i64
      %isOdd = arith.cmpi eq, %odd, %c1 : i64
      %y = scf.if %isOdd -> (i64) {
        %t = arith.muli %x, %c3 : i64
        %u = arith.addi %t, %c1 : i64
        scf.yield %u : i64
      } else {
        %h = arith.divsi %x, %c2 : i64
        scf.yield %h : i64
      }
      %k1 = arith.addi %k, %c1 : i64
      scf.yield %y, %k1 : i64, i64
    }
    tile.print "steps"(%r#0, %r#1 : i64, i64))",
                  {int64_t(27)}),
            "steps 1 111\n");
}

TEST_F(ScalarTest, EveryComparisonThatABranchTakesOver) {
  EXPECT_EQ(print("%a: i64, %b: i64", R"(
    %0 = arith.cmpi eq, %a, %b : i64
    scf.if %0 { tile.print "eq" }
    %1 = arith.cmpi ne, %a, %b : i64
    scf.if %1 { tile.print "ne" }
    %2 = arith.cmpi slt, %a, %b : i64
    scf.if %2 { tile.print "slt" }
    %3 = arith.cmpi sle, %a, %b : i64
    scf.if %3 { tile.print "sle" }
    %4 = arith.cmpi sgt, %a, %b : i64
    scf.if %4 { tile.print "sgt" }
    %5 = arith.cmpi sge, %a, %b : i64
    scf.if %5 { tile.print "sge" }
    %6 = arith.cmpi ugt, %a, %b : i64
    scf.if %6 { tile.print "ugt" })",
                  {int64_t(-1), int64_t(1)}),
            "ne\nslt\nsle\nugt\n");
}

/// A comparison that a loop does not change is computed once; its branch still takes place in every trip.
TEST_F(ScalarTest, InvariantComparisonInALoop) {
  EXPECT_EQ(print("%n: i64", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i64) : i64 {
      %big = arith.cmpi sgt, %n, %c1 : i64
      %v = scf.if %big -> (i64) {
        %t = arith.addi %n, %c1 : i64
        %u = arith.addi %a, %t : i64
        scf.yield %u : i64
      } else {
        scf.yield %a : i64
      }
      scf.yield %v : i64
    }
    tile.print "r"(%r : i64))",
                  {int64_t(3)}),
            "r 12\n");
}

TEST_F(ScalarTest, StepMustBePositive) {
  EvalResult result = runBlock("%n: i64, %s: i64", R"(
    %c0 = arith.constant 0 : i64
    scf.for %i = %c0 to %n step %s : i64 { tile.print "trip" })",
                               {int64_t(3), int64_t(0)});
  EXPECT_EQ(result.kind, ErrorKind::Undefined);
  EXPECT_EQ(result.message, "loop step must be positive, got 0");
}

TEST_F(ScalarTest, GivesUpAfterTheStepLimit) {
  EvalOptions options;
  options.maxSteps = 1000;
  EvalResult result = runBlock("%n: i64", R"(
    scf.while : () -> () {
      %t = arith.constant true
      scf.condition(%t)
    } do {
      scf.yield
    })",
                               {int64_t(3)}, options);
  EXPECT_EQ(result.kind, ErrorKind::Limit);
}
