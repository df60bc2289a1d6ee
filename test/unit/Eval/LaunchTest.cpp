//===- LaunchTest.cpp - launch programs -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requirements, questions about pointers, and launches.
//
//===----------------------------------------------------------------------===//

#include "EvalTestBase.h"

using namespace tilec;
using namespace tilec::eval;
using EK = ElementKind;

namespace {
class LaunchTest : public EvalTest {
protected:
  static constexpr const char *scale = R"(
    tile.kernel @scale_k(%A: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %n: i64, %by: f32) {
      %c2 = arith.constant 2 : i64
      %blocks = arith.ceildivsi %n, %c2 : i64
      tile.grid (%x) in (%blocks) threads(32) {
        %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
        tile.parallel (%i) in (2) {
          %base = arith.muli %x, %c2 : i64
          %at = arith.addi %base, %i : i64
          %v = tile.read %a[%at] : !tile.global<?xf32> -> f32
          %w = arith.mulf %v, %by : f32
          tile.write %w, %a[%at] : !tile.global<?xf32>
        }
      }
      tile.return
    }
    tile.entry @scale(%A: !tile.ptr<f32>, %n: i64, %by: f32) params [
        #tile.tensor_param<name = "A", element = f32, access = inout, extents = ["N"]>,
        #tile.scalar_param<name = "by", type = f32>] {
      %null = tile.ptr_null %A : !tile.ptr<f32>
      %true = arith.constant true
      %given = arith.xori %null, %true : i1
      tile.require %given, "A is null" kind <null>
      %aligned = tile.ptr_aligned %A, 16 : !tile.ptr<f32>
      tile.require %aligned, "A is not aligned to 16 bytes" kind <alignment>
      %c100 = arith.constant 100 : i64
      %few = arith.cmpi sle, %n, %c100 : i64
      tile.require %few, "N is {0}, at most {1}; by = {2}"(%n, %c100, %by : i64, i64, f32) kind <fact>
      %c2 = arith.constant 2 : i64
      %blocks = arith.ceildivsi %n, %c2 : i64
      tile.launch @scale_k grid(%blocks) args(%A, %n, %by : !tile.ptr<f32>, i64, f32)
      tile.return
    })";
};
} // namespace

TEST_F(LaunchTest, LaunchesWhatItRequires) {
  Tensor a(EK::F32, {1, 2, 3});
  Buffer buffer = a.buffer();
  buffer.address = 0x1000;
  EvalResult result = run(scale, "scale", {buffer, int64_t(3), 2.0});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(a.values(), (Values{2, 4, 6}));
}

TEST_F(LaunchTest, RefusesWithItsText) {
  Tensor a(EK::F32, {1, 2, 3});
  Buffer buffer = a.buffer();
  buffer.address = 0x1000;
  EvalResult result = run(scale, "scale", {buffer, int64_t(101), 0.5});
  EXPECT_EQ(result.kind, ErrorKind::Refused);
  EXPECT_EQ(result.describe(), "N is 101, at most 100; by = 0.5");
  buffer.address = 0x1004;
  EXPECT_EQ(run(scale, "scale", {buffer, int64_t(3), 0.5}).message, "A is not aligned to 16 bytes");
  Buffer null{nullptr, EK::F32, 0};
  EXPECT_EQ(run(scale, "scale", {null, int64_t(0), 0.5}).message, "A is null");
  EXPECT_EQ(a.values(), (Values{1, 2, 3}));
}

TEST_F(LaunchTest, EmptyGridSucceeds) {
  Tensor a(EK::F32, {1});
  Buffer buffer = a.buffer();
  buffer.address = 0x1000;
  EXPECT_TRUE(run(scale, "scale", {buffer, int64_t(0), 2.0}).succeeded());
  EXPECT_EQ(a.values(), (Values{1}));
}

TEST_F(LaunchTest, OverlapCountsBytes) {
  const char *text = R"(
    tile.kernel @p(%c: i1) {
      %one = arith.constant 1 : i64
      tile.grid (%x) in (%one) threads(32) { tile.print "overlap"(%c : i1) }
      tile.return
    }
    tile.entry @e(%A: !tile.ptr<f32>, %n: i64, %B: !tile.ptr<f32>, %m: i64) params [
        #tile.tensor_param<name = "A", element = f32, access = in, extents = ["N"]>,
        #tile.tensor_param<name = "B", element = f32, access = out, extents = ["M"]>] {
      %o = tile.overlap %A, %n, %B, %m : !tile.ptr<f32>, !tile.ptr<f32>
      %one = arith.constant 1 : i64
      tile.launch @p grid(%one) args(%o : i1)
      tile.return
    })";
  auto overlap = [&](uint64_t a, int64_t n, uint64_t b, int64_t m) {
    float data = 0;
    Buffer first{&data, EK::F32, 1, nullptr, a}, second{&data, EK::F32, 1, nullptr, b};
    return run(text, "e", {first, n, second, m}).printed == "overlap true\n";
  };
  EXPECT_TRUE(overlap(100, 8, 104, 4));
  EXPECT_FALSE(overlap(100, 4, 104, 4));
  EXPECT_TRUE(overlap(104, 4, 100, 5));
  EXPECT_FALSE(overlap(104, 4, 100, 4));
  EXPECT_FALSE(overlap(100, 0, 100, 4));
}

TEST_F(LaunchTest, GridOfLaunchAndKernelMustAgree) {
  EvalResult result = run(R"(
    tile.kernel @p(%n: i64) {
      tile.grid (%x) in (%n) threads(32) { }
      tile.return
    }
    tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
      %one = arith.constant 1 : i64
      tile.launch @p grid(%one) args(%n : i64)
      tile.return
    })",
                          "e", {int64_t(2)});
  EXPECT_EQ(result.message, "the launch program's grid has extent 1 in dimension 0, the kernel's 2");
}
