//===- ObjectTest.cpp - tensors, tiles and moving regions -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds, windows, pads, conversions and unwritten elements, with numbers worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "EvalTestBase.h"

using namespace tilec;
using namespace tilec::eval;
using EK = ElementKind;

namespace {
using ObjectTest = EvalTest;
} // namespace

/// A 2x3 region at (1, 1) of a 2x3 tensor: everything outside is the pad.
TEST_F(ObjectTest, LoadPadsOutside) {
  Tensor a(EK::F32, {1, 2, 3, 4, 5, 6}), b = Tensor::out(EK::F32, 6);
  EvalResult result = runBlock("%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, "
                               "%B: !tile.ptr<f32> {tile.access = #tile.access<out>}, %pad: f32",
                               R"(
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %a = tile.global %A sizes [2, 3] strides [3, 1] : !tile.ptr<f32> -> !tile.global<2x3xf32>
    %b = tile.global %B sizes [2, 3] strides [3, 1] : !tile.ptr<f32> -> !tile.global<2x3xf32>
    %f = tile.load %a[%c1, %c1] extents [2, 3] pad(%pad) : !tile.global<2x3xf32> -> !tile.fragment<2x3xf32>
    tile.store %f, %b[%c0, %c0] extents [2, 3] : !tile.fragment<2x3xf32> -> !tile.global<2x3xf32>)",
                               {a.buffer(), b.buffer(), -9.0});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{5, 6, -9, -9, -9, -9}));
}

/// The same with a negative offset, no pad, and a store that hangs over on all sides.
TEST_F(ObjectTest, StoreOutsideDoesNothing) {
  Tensor a(EK::I16, {1, 2, 3, 4}), b(EK::I16, {10, 10, 10, 10});
  EvalResult result = runBlock("%A: !tile.ptr<i16> {tile.access = #tile.access<in>}, "
                               "%B: !tile.ptr<i16> {tile.access = #tile.access<inout>}",
                               R"(
    %m1 = arith.constant -1 : i64
    %a = tile.global %A sizes [2, 2] strides [2, 1] : !tile.ptr<i16> -> !tile.global<2x2xi16>
    %b = tile.global %B sizes [2, 2] strides [2, 1] : !tile.ptr<i16> -> !tile.global<2x2xi16>
    %f = tile.load %a[%m1, %m1] extents [4, 4] : !tile.global<2x2xi16> -> !tile.fragment<4x4xi16>
    %c0 = arith.constant 0 : i64
    tile.store %f, %b[%m1, %c0] extents [4, 4] : !tile.fragment<4x4xi16> -> !tile.global<2x2xi16>)",
                               {a.buffer(), b.buffer()});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  // Row 1 of the fragment is 0 1 2 0, row 2 is 0 3 4 0; they land on rows 0 and 1 from column 0 on.
  EXPECT_EQ(b.values(), (Values{0, 1, 0, 3}));
}

TEST_F(ObjectTest, StridedTensor) {
  Tensor a(EK::F32, {0, 1, 2, 3, 4, 5, 6, 7}), b = Tensor::out(EK::F32, 4);
  EvalResult result = runBlock("%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, "
                               "%B: !tile.ptr<f32> {tile.access = #tile.access<out>}, %ld: i64",
                               R"(
    %c0 = arith.constant 0 : i64
    %a = tile.global %A sizes [2, 2] strides [%ld, 2] : !tile.ptr<f32> -> !tile.global<2x2xf32>
    %b = tile.global %B sizes [4] strides [1] : !tile.ptr<f32> -> !tile.global<4xf32>
    %f = tile.load %a[%c0, %c0] extents [2, 2] : !tile.global<2x2xf32> -> !tile.fragment<2x2xf32>
    tile.parallel (%i, %j) in (2, 2) {
      %c2 = arith.constant 2 : i64
      %r = arith.muli %i, %c2 : i64
      %k = arith.addi %r, %j : i64
      %x = tile.read %f[%i, %j] : !tile.fragment<2x2xf32> -> f32
      tile.write %x, %b[%k] : !tile.global<4xf32>
    })",
                               {a.buffer(), b.buffer(), int64_t(5)});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{0, 2, 5, 7}));
}

TEST_F(ObjectTest, TensorMustFitItsMemory) {
  Tensor a(EK::F32, {0, 1, 2, 3});
  EvalResult result =
      runBlock("%A: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.name = \"A\"}, %n: i64", R"(
    %a = tile.global %A sizes [2, %n] strides [2, 1] : !tile.ptr<f32> -> !tile.global<2x?xf32>)",
               {a.buffer(), int64_t(3)});
  EXPECT_EQ(result.kind, ErrorKind::Unsupported);
  EXPECT_EQ(result.message, "tensor 'A' reaches beyond its 4 elements of memory");
}

/// A window starts outside its base and is longer than it; a window of a window narrows further.
TEST_F(ObjectTest, WindowsKeepBothBounds) {
  Tensor a(EK::F32, {1, 2, 3, 4, 5}), b = Tensor::out(EK::F32, 12);
  EvalResult result = runBlock("%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, "
                               "%B: !tile.ptr<f32> {tile.access = #tile.access<out>}, %len: i64",
                               R"(
    %m2 = arith.constant -2 : i64
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %c6 = arith.constant 6 : i64
    %a = tile.global %A sizes [5] strides [1] : !tile.ptr<f32> -> !tile.global<5xf32>
    %b = tile.global %B sizes [12] strides [1] : !tile.ptr<f32> -> !tile.global<12xf32>
    %w = tile.window %a[%m2] sizes [%len] : !tile.global<5xf32> -> !tile.global<?xf32>
    %f = tile.load %w[%c0] extents [6] : !tile.global<?xf32> -> !tile.fragment<6xf32>
    tile.store %f, %b[%c0] extents [6] : !tile.fragment<6xf32> -> !tile.global<12xf32>
    %v = tile.window %w[%c1] sizes [3] : !tile.global<?xf32> -> !tile.global<3xf32>
    %g = tile.load %v[%c0] extents [6] : !tile.global<3xf32> -> !tile.fragment<6xf32>
    tile.store %g, %b[%c6] extents [6] : !tile.fragment<6xf32> -> !tile.global<12xf32>)",
                               {a.buffer(), b.buffer(), int64_t(5)});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  // The window is [-2, 3) of a: 0 0 1 2 3, then its own end. Its window [1, 4): 0 1 2.
  EXPECT_EQ(b.values(), (Values{0, 0, 1, 2, 3, 0, 0, 1, 2, 0, 0, 0}));
}

TEST_F(ObjectTest, WindowDropsAndNegativeLengths) {
  Tensor a(EK::I32, {1, 2, 3, 4, 5, 6}), b = Tensor::out(EK::I32, 9);
  EvalResult result =
      runBlock("%A: !tile.ptr<i32> {tile.access = #tile.access<in>}, "
               "%B: !tile.ptr<i32> {tile.access = #tile.access<out>}, %outside: i64, %neg: i64",
               R"(
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %c3 = arith.constant 3 : i64
    %c6 = arith.constant 6 : i64
    %a = tile.global %A sizes [2, 3] strides [3, 1] : !tile.ptr<i32> -> !tile.global<2x3xi32>
    %b = tile.global %B sizes [9] strides [1] : !tile.ptr<i32> -> !tile.global<9xi32>
    %row = tile.window %a[%c1, %c0] sizes [1, 3] drop [0] : !tile.global<2x3xi32> -> !tile.global<3xi32>
    %f = tile.load %row[%c0] extents [3] : !tile.global<3xi32> -> !tile.fragment<3xi32>
    tile.store %f, %b[%c0] extents [3] : !tile.fragment<3xi32> -> !tile.global<9xi32>
    %none = tile.window %a[%outside, %c0] sizes [1, 3] drop [0] : !tile.global<2x3xi32> -> !tile.global<3xi32>
    %g = tile.load %none[%c0] extents [3] : !tile.global<3xi32> -> !tile.fragment<3xi32>
    tile.store %g, %b[%c3] extents [3] : !tile.fragment<3xi32> -> !tile.global<9xi32>
    %empty = tile.window %row[%c0] sizes [%neg] : !tile.global<3xi32> -> !tile.global<?xi32>
    %h = tile.load %empty[%c0] extents [3] : !tile.global<?xi32> -> !tile.fragment<3xi32>
    tile.store %h, %b[%c6] extents [3] : !tile.fragment<3xi32> -> !tile.global<9xi32>
    %v = arith.constant 77 : i32
    tile.write_scalar %v, %none[%c0] : !tile.global<3xi32>)",
               {a.buffer(), b.buffer(), int64_t(2), int64_t(-4)});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{4, 5, 6, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(a.values(), (Values{1, 2, 3, 4, 5, 6}));
}

TEST_F(ObjectTest, SharedTileAndItsViews) {
  Tensor b = Tensor::out(EK::F16, 6);
  EvalResult result = runBlock("%B: !tile.ptr<f16> {tile.access = #tile.access<out>}, %x: f16, %y: f16", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %s = tile.shared : !tile.shared<2x3x3xf16>
    tile.fill %x, %s[%c0, %c0, %c0] extents [2, 3, 3] : !tile.shared<2x3x3xf16>
    %v = tile.subview %s[%c1, %c1, %c0] extents [1, 2, 3] drop [0] : !tile.shared<2x3x3xf16> -> !tile.shared<2x3xf16>
    tile.write_scalar %y, %v[%c1, %c2] : !tile.shared<2x3xf16>
    %e = tile.read_scalar %s[%c1, %c2, %c2] : !tile.shared<2x3x3xf16> -> f16
    tile.print "e"(%e : f16)
    %b = tile.global %B sizes [2, 3] strides [3, 1] : !tile.ptr<f16> -> !tile.global<2x3xf16>
    tile.copy %v[%c0, %c0] extents [2, 3], %b[%c0, %c0] extents [2, 3] : !tile.shared<2x3xf16> -> !tile.global<2x3xf16>)",
                               {b.buffer(), 1.5, 7.0});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(result.printed, "e 7\n");
  EXPECT_EQ(b.values(), (Values{1.5, 1.5, 1.5, 1.5, 1.5, 7}));
}

/// S[0 +: 3] to S[1 +: 3]: everything is read before anything is written.
TEST_F(ObjectTest, CopyReadsBeforeItWrites) {
  Tensor b = Tensor::out(EK::I32, 4);
  EvalResult result = runBlock("%B: !tile.ptr<i32> {tile.access = #tile.access<out>}", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %s = tile.shared : !tile.shared<4xi32>
    tile.parallel (%i) in (4) {
      %v = arith.trunci %i : i64 to i32
      tile.write %v, %s[%i] : !tile.shared<4xi32>
    }
    tile.copy %s[%c0] extents [3], %s[%c1] extents [3] : !tile.shared<4xi32> -> !tile.shared<4xi32>
    %b = tile.global %B sizes [4] strides [1] : !tile.ptr<i32> -> !tile.global<4xi32>
    tile.copy %s[%c0] extents [4], %b[%c0] extents [4] : !tile.shared<4xi32> -> !tile.global<4xi32>)",
                               {b.buffer()});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{0, 0, 1, 2}));
}

/// Conversions of copies: f32 to i8 saturates, NaN is 0; the pad has the destination's type.
TEST_F(ObjectTest, CopyConverts) {
  Tensor a(EK::F32, {1.9, -1.9, 300, NAN}), b = Tensor::out(EK::I8, 6), c = Tensor::out(EK::E4M3, 4),
                                            d = Tensor::out(EK::Bool, 4), u(EK::U8, {200, 5, 0, 1}),
                                            e = Tensor::out(EK::F32, 4);
  EvalResult result =
      runBlock("%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, "
               "%B: !tile.ptr<i8> {tile.access = #tile.access<out>}, "
               "%C: !tile.ptr<f8E4M3FN> {tile.access = #tile.access<out>}, "
               "%D: !tile.ptr<i1> {tile.access = #tile.access<out>}, "
               "%U: !tile.ptr<ui8> {tile.access = #tile.access<in>}, "
               "%E: !tile.ptr<f32> {tile.access = #tile.access<out>}, %pad: i8",
               R"(
    %c0 = arith.constant 0 : i64
    %a = tile.global %A sizes [4] strides [1] : !tile.ptr<f32> -> !tile.global<4xf32>
    %b = tile.global %B sizes [6] strides [1] : !tile.ptr<i8> -> !tile.global<6xi8>
    %c = tile.global %C sizes [4] strides [1] : !tile.ptr<f8E4M3FN> -> !tile.global<4xf8E4M3FN>
    %d = tile.global %D sizes [4] strides [1] : !tile.ptr<i1> -> !tile.global<4xi1>
    %u = tile.global %U sizes [4] strides [1] : !tile.ptr<ui8> -> !tile.global<4xui8>
    %e = tile.global %E sizes [4] strides [1] : !tile.ptr<f32> -> !tile.global<4xf32>
    tile.copy %a[%c0] extents [6] pad(%pad), %b[%c0] extents [6] : !tile.global<4xf32> -> !tile.global<6xi8>
    tile.copy %a[%c0] extents [3], %c[%c0] extents [3] : !tile.global<4xf32> -> !tile.global<4xf8E4M3FN>
    tile.copy %u[%c0] extents [4], %d[%c0] extents [4] : !tile.global<4xui8> -> !tile.global<4xi1>
    tile.copy %u[%c0] extents [4], %e[%c0] extents [4] : !tile.global<4xui8> -> !tile.global<4xf32>)",
               {a.buffer(), b.buffer(), c.buffer(), d.buffer(), u.buffer(), e.buffer(), int64_t(-7)});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{1, -1, 127, 0, -7, -7}));
  EXPECT_EQ(c[0], 1.875);
  EXPECT_EQ(c[2], 288);
  EXPECT_EQ(d.values(), (Values{1, 1, 0, 1}));
  EXPECT_EQ(e.values(), (Values{200, 5, 0, 1}));
}

/// An infinity of e5m2 moves as it is, only conversions saturate.
TEST_F(ObjectTest, InfinityOfE5M2Moves) {
  Tensor b = Tensor::out(EK::E5M2, 3), c = Tensor::out(EK::F32, 3);
  EvalResult result = runBlock("%B: !tile.ptr<f8E5M2> {tile.access = #tile.access<out>}, "
                               "%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %x: f32",
                               R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %plus = arith.constant 124 : i8
    %minus = arith.constant -4 : i8
    %inf = arith.bitcast %plus : i8 to f8E5M2
    %neg = arith.bitcast %minus : i8 to f8E5M2
    %cast = tile.cast %x : f32 -> f8E5M2
    %f = tile.fragment %inf : !tile.fragment<3xf8E5M2>
    %g = tile.insert %neg, %f[%c1] : !tile.fragment<3xf8E5M2>
    %h = tile.insert %cast, %g[%c2] : !tile.fragment<3xf8E5M2>
    %b = tile.global %B sizes [3] strides [1] : !tile.ptr<f8E5M2> -> !tile.global<3xf8E5M2>
    %c = tile.global %C sizes [3] strides [1] : !tile.ptr<f32> -> !tile.global<3xf32>
    tile.store %h, %b[%c0] extents [3] : !tile.fragment<3xf8E5M2> -> !tile.global<3xf8E5M2>
    %wide = tile.convert %h : !tile.fragment<3xf8E5M2> -> !tile.fragment<3xf32>
    tile.store %wide, %c[%c0] extents [3] : !tile.fragment<3xf32> -> !tile.global<3xf32>)",
                               {b.buffer(), c.buffer(), double(INFINITY)});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{INFINITY, -INFINITY, 57344}));
  EXPECT_EQ(c.values(), (Values{INFINITY, -INFINITY, 57344}));
}

/// i4: two to a byte in tensors and tiles; a store keeps the low four bits.
TEST_F(ObjectTest, NibblesStayNibbles) {
  Tensor a(EK::I4, {-8, 7, 3, -1, 2}), b = Tensor::out(EK::U4, 5);
  EvalResult result = runBlock("%A: !tile.ptr<i4> {tile.access = #tile.access<in>}, "
                               "%B: !tile.ptr<ui4> {tile.access = #tile.access<out>}",
                               R"(
    %c0 = arith.constant 0 : i64
    %a = tile.global %A sizes [5] strides [1] : !tile.ptr<i4> -> !tile.global<5xi4>
    %b = tile.global %B sizes [5] strides [1] : !tile.ptr<ui4> -> !tile.global<5xui4>
    %f = tile.load %a[%c0] extents [5] : !tile.global<5xi4> -> !tile.fragment<5xi4>
    tile.parallel (%i) in (5) {
      %x = tile.read %f[%i] : !tile.fragment<5xi4> -> i8
      tile.write %x, %b[%i] : !tile.global<5xui4>
    })",
                               {a.buffer(), b.buffer()});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{8, 7, 3, 15, 2}));
}

TEST_F(ObjectTest, SlicesReshapeConvertTranspose) {
  Tensor a(EK::F32, {1, 2, 3, 4, 5, 6}), b = Tensor::out(EK::F16, 6);
  EvalResult result = runBlock("%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, "
                               "%B: !tile.ptr<f16> {tile.access = #tile.access<out>}",
                               R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %a = tile.global %A sizes [2, 3] strides [3, 1] : !tile.ptr<f32> -> !tile.global<2x3xf32>
    %b = tile.global %B sizes [3, 2] strides [2, 1] : !tile.ptr<f16> -> !tile.global<3x2xf16>
    %f = tile.load %a[%c0, %c0] extents [2, 3] : !tile.global<2x3xf32> -> !tile.fragment<2x3xf32>
    %row = tile.extract_slice %f[%c1, %c0] extents [1, 3] : !tile.fragment<2x3xf32> -> !tile.fragment<3xf32>
    %col = tile.reshape %row : !tile.fragment<3xf32> -> !tile.fragment<1x3xf32>
    %g = tile.insert_slice %col, %f[%c0, %c0] extents [1, 3] : !tile.fragment<1x3xf32> -> !tile.fragment<2x3xf32>
    %v = arith.constant 9.0 : f32
    %h = tile.insert %v, %g[%c1, %c1] : !tile.fragment<2x3xf32>
    %t = tile.transpose %h : !tile.fragment<2x3xf32> -> !tile.fragment<3x2xf32>
    %n = tile.convert %t : !tile.fragment<3x2xf32> -> !tile.fragment<3x2xf16>
    tile.store %n, %b[%c0, %c0] extents [3, 2] : !tile.fragment<3x2xf16> -> !tile.global<3x2xf16>
    %old = tile.read_scalar %f[%c0, %c0] : !tile.fragment<2x3xf32> -> f32
    tile.print "old"(%old : f32))",
                               {a.buffer(), b.buffer()});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{4, 4, 5, 9, 6, 6}));
  EXPECT_EQ(result.printed, "old 1\n"); // fragments are values
}

TEST_F(ObjectTest, AtomicsOnRegions) {
  Tensor a(EK::F32, {1, 2, 3, 4}), b(EK::U32, {5, 0, 4000000000, 7});
  EvalResult result = runBlock("%A: !tile.ptr<f32> {tile.access = #tile.access<inout>}, "
                               "%B: !tile.ptr<ui32> {tile.access = #tile.access<inout>}, %x: f32, %n: i32",
                               R"(
    %c0 = arith.constant 0 : i64
    %c2 = arith.constant 2 : i64
    %a = tile.global %A sizes [4] strides [1] : !tile.ptr<f32> -> !tile.global<4xf32>
    %b = tile.global %B sizes [4] strides [1] : !tile.ptr<ui32> -> !tile.global<4xui32>
    %f = tile.fragment %x : !tile.fragment<4xf32>
    tile.atomic_tile <add> %f, %a[%c2] extents [4] : !tile.fragment<4xf32> -> !tile.global<4xf32>
    tile.atomic_tile <max> %n, %b[%c0] extents [4] : i32 -> !tile.global<4xui32>
    tile.atomic <min> %x, %a[%c0] : !tile.global<4xf32>)",
                               {a.buffer(), b.buffer(), 0.5, int64_t(6)});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(a.values(), (Values{0.5, 2, 3.5, 4.5}));
  EXPECT_EQ(b.values(), (Values{6, 6, 4000000000, 7}));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(ObjectTest, RegionOutsideATile) {
  EvalResult result = runBlock("%at: i64", R"(
    %v = arith.constant 1.0 : f32
    %s = tile.shared : !tile.shared<8xf32>
    tile.fill %v, %s[%at] extents [6] : !tile.shared<8xf32>)",
                               {int64_t(6)});
  EXPECT_EQ(result.kind, ErrorKind::Undefined);
  EXPECT_EQ(result.message, "region [6, 12) of dimension 0 is outside [0, 8)");
}

TEST_F(ObjectTest, ViewOutsideItsTileFailsWhenTouched) {
  const char *body = R"(
    %c0 = arith.constant 0 : i64
    %v = arith.constant 1.0 : f32
    %s = tile.shared : !tile.shared<8xf32>
    %w = tile.subview %s[%at] extents [4] : !tile.shared<8xf32> -> !tile.shared<4xf32>
    tile.write_scalar %v, %w[%c0] : !tile.shared<4xf32>
    tile.print "first element is inside"
    tile.fill %v, %w[%c0] extents [4] : !tile.shared<4xf32>)";
  EvalResult result = runBlock("%at: i64", body, {int64_t(6)});
  EXPECT_EQ(result.kind, ErrorKind::Undefined);
  EXPECT_EQ(result.printed, "first element is inside\n");
  EXPECT_EQ(result.message, "region outside what it is a view of");
}

TEST_F(ObjectTest, WrongInBoundsIsReported) {
  Tensor a(EK::F32, {1, 2, 3});
  for (const char *access :
       {"%f = tile.load %a[%at] extents [2] {in_bounds} : !tile.global<3xf32> -> !tile.fragment<2xf32>",
        "tile.store %g, %a[%at] extents [2] {in_bounds} : !tile.fragment<2xf32> -> !tile.global<3xf32>"}) {
    const std::string body = std::string(R"(
    %v = arith.constant 1.0 : f32
    %g = tile.fragment %v : !tile.fragment<2xf32>
    %a = tile.global %A sizes [3] strides [1] : !tile.ptr<f32> -> !tile.global<3xf32>
    )") + access;
    const char *parameters = "%A: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %at: i64";
    EXPECT_TRUE(runBlock(parameters, body, {a.buffer(), int64_t(1)}).succeeded()) << access;
    EXPECT_EQ(runBlock(parameters, body, {a.buffer(), int64_t(2)}).message,
              "region [2, 4) of dimension 0 is outside [0, 3), which was proved not to happen");
  }
}

TEST_F(ObjectTest, UnwrittenElementsMayMoveButNotLeave) {
  Tensor b = Tensor::out(EK::F32, 4);
  const std::string body = R"(
    %c0 = arith.constant 0 : i64
    %v = arith.constant 1.0 : f32
    %b = tile.global %B sizes [4] strides [1] : !tile.ptr<f32> -> !tile.global<4xf32>
    %s = tile.shared : !tile.shared<4xf32>
    tile.fill %v, %s[%c0] extents [3] : !tile.shared<4xf32>
    %f = tile.load %s[%c0] extents [4] : !tile.shared<4xf32> -> !tile.fragment<4xf32>
    %g = tile.convert %f : !tile.fragment<4xf32> -> !tile.fragment<4xf16>
    %h = tile.convert %g : !tile.fragment<4xf16> -> !tile.fragment<4xf32>
    %three = tile.extract_slice %h[%c0] extents [3] : !tile.fragment<4xf32> -> !tile.fragment<3xf32>
    tile.store %three, %b[%c0] extents [3] : !tile.fragment<3xf32> -> !tile.global<4xf32>)";
  EvalResult result = runBlock("%B: !tile.ptr<f32> {tile.access = #tile.access<out>}", body, {b.buffer()});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(std::vector<uint8_t>(b.init), (std::vector<uint8_t>{1, 1, 1, 0}));
  result =
      runBlock("%B: !tile.ptr<f32> {tile.access = #tile.access<out>}",
               body + "tile.store %h, %b[%c0] extents [4] : !tile.fragment<4xf32> -> !tile.global<4xf32>",
               {b.buffer()});
  EXPECT_EQ(result.kind, ErrorKind::Undefined);
  EXPECT_EQ(result.message, "store of an element that was never written: element 3 of the region");
}

/// A shared tile's contents are gone each time its declaration runs.
TEST_F(ObjectTest, SharedTileStartsUnwrittenEachTime) {
  EvalResult result = runBlock("%n: i64", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %v = arith.constant 1.0 : f32
    scf.for %i = %c0 to %n step %c1 : i64 {
      %s = tile.shared : !tile.shared<4xf32>
      %first = arith.cmpi eq, %i, %c0 : i64
      scf.if %first {
        tile.write_scalar %v, %s[%c1] : !tile.shared<4xf32>
      }
      %x = tile.read_scalar %s[%c1] : !tile.shared<4xf32> -> f32
      tile.print "x"(%x : f32)
    })",
                               {int64_t(2)});
  EXPECT_EQ(result.kind, ErrorKind::Undefined);
  EXPECT_EQ(result.printed, "x 1\n");
  EXPECT_EQ(result.message, "read of an element that was never written: [1]");
}

TEST_F(ObjectTest, UncheckedRunsReadOn) {
  EvalOptions options;
  options.checkUninitialised = false;
  EvalResult result = runBlock("%n: i64", R"(
    %c0 = arith.constant 0 : i64
    %f = tile.fragment : !tile.fragment<4xf32>
    %x = tile.read_scalar %f[%c0] : !tile.fragment<4xf32> -> f32)",
                               {int64_t(2)}, options);
  EXPECT_TRUE(result.succeeded()) << result.describe();
}

TEST_F(ObjectTest, ArgumentsMustFit) {
  Tensor a(EK::F32, {1});
  const char *text = "tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %n: i64) {\n"
                     "tile.grid (%b) in (%n) threads(32) {\n}\ntile.return\n}";
  EXPECT_EQ(run(text, "k", {a.buffer()}).message, "'k' takes 2 arguments, got 1");
  EXPECT_EQ(run(text, "k", {a.buffer(), int64_t(1)}).message,
            "argument 0 of 'k' has elements of type f16, got f32");
  EXPECT_EQ(run(text, "k", {int64_t(1), int64_t(1)}).message, "argument 0 of 'k' is a tensor");
  EXPECT_EQ(run(text, "j", {}).message, "there is no kernel or entry point 'j'");
}
