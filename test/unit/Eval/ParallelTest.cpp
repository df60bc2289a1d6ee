//===- ParallelTest.cpp - grids, parallel loops, single elements ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order, own writes against other iterations' writes, updates, atomics, facts and the places of errors.
//
//===----------------------------------------------------------------------===//

#include "EvalTestBase.h"

using namespace tilec;
using namespace tilec::eval;
using EK = ElementKind;

namespace {
class ParallelTest : public EvalTest {
protected:
  static constexpr const char *out = "%B: !tile.ptr<f32> {tile.access = #tile.access<out>}";

  /// Runs `body` with %b a tensor of `count` floats and answers it.
  Values values(llvm::StringRef body, int64_t count, const EvalOptions &options = {}) {
    Tensor b = Tensor::out(EK::F32, count);
    const std::string n = std::to_string(count);
    EvalResult result =
        runBlock(out,
                 "%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n%b = tile.global %B sizes [" +
                     n + "] strides [1] : !tile.ptr<f32> -> !tile.global<" + n + "xf32>\n" + body.str(),
                 {b.buffer()}, options);
    EXPECT_TRUE(result.succeeded()) << result.describe();
    return b.values();
  }
};

/// %f = 0 1 2 3.
const char *const iota = R"(
    %u = tile.fragment : !tile.fragment<4xf32>
    %f = tile.parallel (%i) in (4) updates(%r = %u : !tile.fragment<4xf32>) {
      %x = arith.sitofp %i : i64 to f32
      tile.write %x, %r[%i] : !tile.fragref<4xf32>
    }
)";
const char *const storeG =
    "tile.store %g, %b[%c0] extents [4] : !tile.fragment<4xf32> -> !tile.global<4xf32>";
} // namespace

/// F[i] = F[(i + 1) % 4] rotates, in either order.
TEST_F(ParallelTest, RotationReadsOldValues) {
  const std::string body = std::string(iota) + R"(
    %c4 = arith.constant 4 : i64
    %g = tile.parallel (%i) in (4) updates(%r = %f : !tile.fragment<4xf32>) {
      %n = arith.addi %i, %c1 : i64
      %m = arith.remsi %n, %c4 : i64
      %x = tile.read %r[%m] : !tile.fragref<4xf32> -> f32
      tile.write %x, %r[%i] : !tile.fragref<4xf32>
    }
)" + storeG;
  EvalOptions reverse;
  reverse.order = EvalOptions::Order::Reverse;
  EXPECT_EQ(values(body, 4), (Values{1, 2, 3, 0}));
  EXPECT_EQ(values(body, 4, reverse), (Values{1, 2, 3, 0}));
}

/// An iteration sees its own write, also of another's element.
TEST_F(ParallelTest, OwnWritesAreSeen) {
  EXPECT_EQ(values(std::string(iota) + R"(
    %g = tile.parallel (%i) in (4) updates(%r = %f : !tile.fragment<4xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<4xf32> -> f32
      %y = arith.addf %x, %x : f32
      tile.write %y, %r[%i] : !tile.fragref<4xf32>
      %z = tile.read %r[%i] : !tile.fragref<4xf32> -> f32
      %w = arith.addf %z, %x : f32
      tile.write %w, %r[%i] : !tile.fragref<4xf32>
    }
)" + storeG,
                   4),
            (Values{0, 3, 6, 9}));
}

/// A fragment of another type and rank goes through the general path.
TEST_F(ParallelTest, OwnWritesOfAnyType) {
  Tensor b = Tensor::out(EK::BF16, 8);
  EvalResult result = runBlock("%B: !tile.ptr<bf16> {tile.access = #tile.access<out>}", R"(
    %c0 = arith.constant 0 : i64
    %b = tile.global %B sizes [2, 2, 2] strides [4, 2, 1] : !tile.ptr<bf16> -> !tile.global<2x2x2xbf16>
    %init = arith.constant 1.0 : bf16
    %u = tile.fragment %init : !tile.fragment<2x2x2xbf16>
    %g = tile.parallel (%i, %j, %k) in (2, 2, 2) updates(%r = %u : !tile.fragment<2x2x2xbf16>) {
      %x = tile.read %r[%k, %j, %i] : !tile.fragref<2x2x2xbf16> -> bf16
      %s = arith.addi %i, %k : i64
      %t = arith.sitofp %s : i64 to bf16
      %y = arith.addf %x, %t : bf16
      tile.write %y, %r[%i, %j, %k] : !tile.fragref<2x2x2xbf16>
      %z = tile.read %r[%i, %j, %k] : !tile.fragref<2x2x2xbf16> -> bf16
      tile.write %z, %b[%i, %j, %k] : !tile.global<2x2x2xbf16>
    })",
                               {b.buffer()});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b.values(), (Values{1, 2, 1, 2, 2, 3, 2, 3}));
}

/// A[i / 2] += i, all four iterations count; so does A[0] *= 2 on a shared tile.
TEST_F(ParallelTest, UpdatesAllCount) {
  const std::string body = R"(
    %c2 = arith.constant 2 : i64
    %ten = arith.constant 10.0 : f32
    %two = arith.constant 2.0 : f32
    %f = tile.fragment %ten : !tile.fragment<4xf32>
    %s = tile.shared : !tile.shared<2xf32>
    tile.fill %two, %s[%c0] extents [2] : !tile.shared<2xf32>
    %g = tile.parallel (%i) in (4) updates(%r = %f : !tile.fragment<4xf32>) {
      %h = arith.divsi %i, %c2 : i64
      %x = arith.sitofp %i : i64 to f32
      tile.update <add> %x, %r[%h] : !tile.fragref<4xf32>
      tile.update <mul> %two, %s[%c1] : !tile.shared<2xf32>
      tile.update <max> %x, %s[%c0] : !tile.shared<2xf32>
    }
    %p = tile.read_scalar %s[%c1] : !tile.shared<2xf32> -> f32
    %q = tile.read_scalar %s[%c0] : !tile.shared<2xf32> -> f32
    %k = tile.insert %p, %g[%c2] : !tile.fragment<4xf32>
    %c3 = arith.constant 3 : i64
    %l = tile.insert %q, %k[%c3] : !tile.fragment<4xf32>
    tile.store %l, %b[%c0] extents [4] : !tile.fragment<4xf32> -> !tile.global<4xf32>)";
  EXPECT_EQ(values(body, 4), (Values{11, 15, 32, 3}));
}

/// The second iteration of a pair must not take the first one's write for its own after many loops.
TEST_F(ParallelTest, StampsOfEarlierLoopsDoNotCount) {
  const std::string body = std::string(iota) + R"(
    %c3 = arith.constant 3 : i64
    %g = scf.for %t = %c0 to %c3 step %c1 iter_args(%v = %f) -> (!tile.fragment<4xf32>) : i64 {
      %w = tile.parallel (%i) in (4) updates(%r = %v : !tile.fragment<4xf32>) {
        %k = arith.subi %c3, %i : i64
        %x = tile.read %r[%k] : !tile.fragref<4xf32> -> f32
        tile.write %x, %r[%i] : !tile.fragref<4xf32>
      }
      scf.yield %w : !tile.fragment<4xf32>
    }
)" + storeG;
  EXPECT_EQ(values(body, 4), (Values{3, 2, 1, 0})); // reversed three times
}

/// Writes of one element by two iterations: one wins, the last in the run's order.
TEST_F(ParallelTest, ReverseOrderShowsConflicts) {
  const std::string body = R"(
    tile.parallel (%i) in (4) {
      %x = arith.sitofp %i : i64 to f32
      tile.write %x, %b[%c0] : !tile.global<1xf32>
    })";
  EvalOptions reverse;
  reverse.order = EvalOptions::Order::Reverse;
  EXPECT_EQ(values(body, 1), (Values{3}));
  EXPECT_EQ(values(body, 1, reverse), (Values{0}));
}

TEST_F(ParallelTest, RuntimeExtentsAndNoTrips) {
  EvalResult result = runBlock("%n: i64, %m: i64", R"(
    tile.parallel (%i, %j) in (%n, 2) {
      tile.print "ij"(%i, %j : i64, i64)
    }
    tile.parallel (%i, %j) in (2, %m) {
      tile.print "never"
    }
    tile.parallel (%i) in (%m) {
      tile.print "never"
    })",
                               {int64_t(2), int64_t(-1)});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(result.printed, "ij 0 0\nij 0 1\nij 1 0\nij 1 1\n");
}

/// The bounds rule for elements: reads give 0, writes and atomics do nothing, negative indices too.
TEST_F(ParallelTest, ElementsOutsideATensor) {
  Tensor b(EK::F32, {1, 2, 3});
  EvalResult result = runBlock("%B: !tile.ptr<f32> {tile.access = #tile.access<inout>}", R"(
    %c5 = arith.constant -5 : i64
    %c3 = arith.constant 3 : i64
    %v = arith.constant 9.0 : f32
    %b = tile.global %B sizes [3] strides [1] : !tile.ptr<f32> -> !tile.global<3xf32>
    %x = tile.read_scalar %b[%c5] : !tile.global<3xf32> -> f32
    %y = tile.read_scalar %b[%c3] : !tile.global<3xf32> -> f32
    tile.write_scalar %v, %b[%c3] : !tile.global<3xf32>
    tile.atomic <add> %v, %b[%c5] : !tile.global<3xf32>
    tile.print "xy"(%x, %y : f32, f32))",
                               {b.buffer()});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(result.printed, "xy 0 0\n");
  EXPECT_EQ(b.values(), (Values{1, 2, 3}));
}

TEST_F(ParallelTest, WrongInBoundsIsReported) {
  Tensor b(EK::F32, {1, 2, 3});
  EvalResult result = runBlock("%B: !tile.ptr<f32> {tile.access = #tile.access<inout>}", R"(
    %b = tile.global %B sizes [3] strides [1] : !tile.ptr<f32> -> !tile.global<3xf32>
    tile.parallel (%i) in (4) {
      %x = tile.read %b[%i] {in_bounds} : !tile.global<3xf32> -> f32
    })",
                               {b.buffer()});
  EXPECT_EQ(result.kind, ErrorKind::Undefined);
  EXPECT_EQ(result.message, "index 3 of dimension 0 is outside [0, 3), which was proved not to happen");
}

TEST_F(ParallelTest, IndexOutsideATile) {
  EvalResult result = runBlock("%n: i64", R"(
    %v = arith.constant 9.0 : f32
    %f = tile.fragment %v : !tile.fragment<2x3xf32>
    %x = tile.read_scalar %f[%block, %n] : !tile.fragment<2x3xf32> -> f32)",
                               {int64_t(3)});
  EXPECT_EQ(result.kind, ErrorKind::Undefined);
  EXPECT_EQ(result.message, "index 3 of dimension 1 is outside [0, 3)");
}

TEST_F(ParallelTest, UnwrittenFragmentElement) {
  EvalResult result = runBlock("%n: i64", R"(
    %v = arith.constant 9.0 : f32
    %u = tile.fragment : !tile.fragment<2x3xf32>
    %f = tile.parallel (%i, %j) in (2, %n) updates(%r = %u : !tile.fragment<2x3xf32>) {
      tile.write %v, %r[%i, %j] : !tile.fragref<2x3xf32>
    }
    tile.parallel (%i, %j) in (2, 3) {
      %x = tile.read %f[%i, %j] : !tile.fragment<2x3xf32> -> f32
    })",
                               {int64_t(2)});
  EXPECT_EQ(result.message, "read of an element that was never written: [0, 2]");
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

TEST_F(ParallelTest, BlocksRunInEitherOrderOrASample) {
  const char *text = R"(
    tile.kernel @k(%n: i64) {
      %c2 = arith.constant 2 : i64
      %gx = arith.muli %n, %c2 : i64
      tile.grid (%x, %y) in (%gx, %n) threads(32) {
        tile.print "b"(%x, %y : i64, i64)
      }
      tile.return
    })";
  EvalOptions options;
  EXPECT_EQ(run(text, "k", {int64_t(1)}).printed, "b 0 0\nb 1 0\n");
  options.order = EvalOptions::Order::Reverse;
  EXPECT_EQ(run(text, "k", {int64_t(1)}, options).printed, "b 1 0\nb 0 0\n");
  options.blocks = {{3, 1, 0}, {9, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(run(text, "k", {int64_t(2)}, options).printed, "b 3 1\nb 0 0\n");
  EXPECT_EQ(run(text, "k", {int64_t(0)}).printed, "");
  EXPECT_TRUE(run(text, "k", {int64_t(-1)}).succeeded());
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TEST_F(ParallelTest, AssertionsAreTheLanguagesText) {
  EvalResult result = runBlock("%c: i1", R"(
    tile.assert %c, "lengths ascend" loc("ragged.tile":17:5)
    tile.print "not reached")",
                               {int64_t(0)});
  EXPECT_EQ(result.kind, ErrorKind::Assertion);
  EXPECT_EQ(result.describe(), "ragged.tile:17: assertion failed: lengths ascend");
  EXPECT_EQ(result.printed, "");
}

TEST_F(ParallelTest, FalseAssumptionsNameTheirCallersAndBlock) {
  EvalResult result = run(R"(
    tile.kernel @k(%n: i64) {
      %c1 = arith.constant 1 : i64
      tile.grid (%x) in (%n) threads(32) {
        %ok = arith.cmpi slt, %x, %c1 : i64
        tile.assume %ok loc(callsite("common.tile":3:7 at callsite("mid.tile":9:1 at "k.tile":20:3)))
      }
      tile.return
    })",
                          "k", {int64_t(2)});
  EXPECT_EQ(result.describe(), "common.tile:3:7: error: this assumption does not hold\n"
                               "mid.tile:9:1: note: called from here\n"
                               "k.tile:20:3: note: called from here\n"
                               "common.tile:3:7: note: in block (1, 0, 0)");
}

TEST_F(ParallelTest, UnknownOperationsAreNamed) {
  context.allowUnregisteredDialects();
  EvalResult result = runBlock("%c: i1", R"(
    "foo.bar"() : () -> ())",
                               {int64_t(0)});
  EXPECT_EQ(result.kind, ErrorKind::Unsupported);
  EXPECT_EQ(result.message, "the evaluator does not know 'foo.bar'");
}
