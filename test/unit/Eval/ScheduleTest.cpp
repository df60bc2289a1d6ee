//===- ScheduleTest.cpp - roles, rings, registers in flight ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stage `schedule` adds: correct programs in both orders of the roles, and one wrong program for every
// report.
//
//===----------------------------------------------------------------------===//

#include "EvalTestBase.h"

using namespace tilec;
using namespace tilec::eval;
using EK = ElementKind;

namespace {
class ScheduleTest : public EvalTest {
protected:
  /// A producer that puts `puts` rows of A into a ring of the given depth, and a consumer that runs `body`
  /// `gets` times with %s the slot and prints.
  static std::string pipeline(int depth, int puts, int gets, llvm::StringRef body) {
    return R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %puts = arith.constant )" +
           std::to_string(puts) + R"( : i64
    %gets = arith.constant )" +
           std::to_string(gets) + R"( : i64
    %a = tile.global %A sizes [8, 2] strides [2, 1] : !tile.ptr<f32> -> !tile.global<8x2xf32>
    %r = tile.ring depth()" +
           std::to_string(depth) + R"() put <generic> get <generic> {name = "As"} : !tile.ring<2xf32>
    tile.roles
      role "producer" warps(1) registers(0) {
        scf.for %i = %c0 to %puts step %c1 : i64 {
          tile.ring.put %r as %slot : !tile.ring<2xf32> {
            tile.copy %a[%i, %c0] extents [1, 2], %slot[%c0] extents [2] : !tile.global<8x2xf32> -> !tile.shared<2xf32>
          } loc("p.tile":5:1)
        }
        tile.yield
      }
      role "consumer" warps(4) registers(0) {
        scf.for %i = %c0 to %gets step %c1 : i64 {
          %s = tile.ring.get %r : !tile.ring<2xf32> -> !tile.shared<2xf32> loc("p.tile":7:1)
)" + body.str() +
           R"(
        }
        tile.yield
      })";
  }
  EvalResult runPipeline(const std::string &body, EvalOptions::Order order = EvalOptions::Order::Forward) {
    Tensor a(EK::F32, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    EvalOptions options;
    options.order = order;
    return runBlock("%A: !tile.ptr<f32> {tile.access = #tile.access<in>}", body, {a.buffer()}, options);
  }
  static constexpr const char *use = R"(
          %x = tile.read_scalar %s[%c1] : !tile.shared<2xf32> -> f32
          tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>
          tile.print "x"(%x : f32))";
};
} // namespace

TEST_F(ScheduleTest, RingsDeliverInOrder) {
  for (int depth : {1, 2, 8})
    for (auto order : {EvalOptions::Order::Forward, EvalOptions::Order::Reverse}) {
      EvalResult result = runPipeline(pipeline(depth, 4, 4, use), order);
      EXPECT_TRUE(result.succeeded()) << result.describe();
      EXPECT_EQ(result.printed, "x 1\nx 3\nx 5\nx 7\n");
    }
}

TEST_F(ScheduleTest, DeadlockNamesWhoWaitsForWhat) {
  EvalResult result = runPipeline(pipeline(2, 3, 4, use));
  EXPECT_EQ(result.kind, ErrorKind::Deadlock);
  EXPECT_EQ(result.message, "deadlock: role 'consumer' at p.tile:7 waits for a full slot of ring 'As'");
  // Nothing is released: the producer fills both slots, then both roles wait.
  result = runPipeline(pipeline(2, 8, 3, ""));
  EXPECT_EQ(result.kind, ErrorKind::Deadlock);
  EXPECT_EQ(result.message,
            "deadlock: role 'producer' at p.tile:5 waits for a free slot of ring 'As' (all 2 are "
            "full); role 'consumer' at p.tile:7 waits for a full slot of ring 'As'");
}

/// With nobody else to fill it, a get of an empty ring waits for ever.
TEST_F(ScheduleTest, DeadlockWithoutRoles) {
  EvalResult result = runPipeline(R"(
    %r = tile.ring depth(2) put <generic> get <generic> {name = "As"} : !tile.ring<2xf32>
    %s = tile.ring.get %r : !tile.ring<2xf32> -> !tile.shared<2xf32>
    tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>)");
  EXPECT_EQ(result.kind, ErrorKind::Deadlock);
  EXPECT_EQ(result.message, "a full slot of ring 'As' never comes");
}

TEST_F(ScheduleTest, ReadAfterReleaseIsReported) {
  EvalResult result = runPipeline(pipeline(2, 4, 4, R"(
          tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>
          %x = tile.read_scalar %s[%c1] : !tile.shared<2xf32> -> f32)"));
  EXPECT_EQ(result.kind, ErrorKind::Undefined);
  EXPECT_EQ(result.message, "read of an element that was never written: [1]");
}

TEST_F(ScheduleTest, ReleaseTwiceIsReported) {
  EvalResult result = runPipeline(pipeline(2, 4, 4, R"(
          tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>
          tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>)"));
  EXPECT_EQ(result.message, "a slot of ring 'As' is released out of order or twice");
}

TEST_F(ScheduleTest, PutMustWriteTheWholeSlot) {
  EvalResult result = runPipeline(R"(
    %c0 = arith.constant 0 : i64
    %v = arith.constant 1.0 : f32
    %r = tile.ring depth(2) put <generic> get <generic> {name = "As"} : !tile.ring<2xf32>
    tile.ring.put %r as %slot : !tile.ring<2xf32> {
      tile.fill %v, %slot[%c0] extents [1] : !tile.shared<2xf32>
    })");
  EXPECT_EQ(result.message, "the put into ring 'As' leaves element 1 of the slot unwritten");
}

/// Two consumers that take turns: each passes over the other's slots.
TEST_F(ScheduleTest, AdvancePassesOverTheOthersSlots) {
  const std::string consumer = R"(
        scf.for %i = %c0 to %c2 step %c1 : i64 {
          %s = tile.ring.get %r : !tile.ring<2xf32> -> !tile.shared<2xf32>
          %x = tile.read_scalar %s[%c1] : !tile.shared<2xf32> -> f32
          tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>
          tile.ring.advance %r, %c1 : !tile.ring<2xf32>
          tile.print "NAME"(%x : f32)
        }
        tile.yield
      })";
  auto named = [&](const char *name) {
    std::string text = consumer;
    return text.replace(text.find("NAME"), 4, name);
  };
  const std::string body = R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c4 = arith.constant 4 : i64
    %a = tile.global %A sizes [8, 2] strides [2, 1] : !tile.ptr<f32> -> !tile.global<8x2xf32>
    %r = tile.ring depth(2) put <generic> get <generic> {name = "As"} : !tile.ring<2xf32>
    tile.roles
      role "producer" warps(1) registers(0) {
        scf.for %i = %c0 to %c4 step %c1 : i64 {
          tile.ring.put %r as %slot : !tile.ring<2xf32> {
            tile.copy %a[%i, %c0] extents [1, 2], %slot[%c0] extents [2] : !tile.global<8x2xf32> -> !tile.shared<2xf32>
          }
        }
        tile.yield
      }
      role "a" warps(4) registers(0) {)" +
                           named("a") + R"(
      role "b" warps(4) registers(0) {
        tile.ring.advance %r, %c1 : !tile.ring<2xf32>)" +
                           named("b");
  for (auto order : {EvalOptions::Order::Forward, EvalOptions::Order::Reverse}) {
    EvalResult result = runPipeline(body, order);
    EXPECT_TRUE(result.succeeded()) << result.describe();
    std::string a, b;
    llvm::StringRef rest = result.printed;
    while (!rest.empty()) {
      auto [line, tail] = rest.split('\n');
      (line.starts_with("a") ? a : b) += line.str() + ";";
      rest = tail;
    }
    EXPECT_EQ(a, "a 1;a 5;");
    EXPECT_EQ(b, "b 3;b 7;");
  }
}

/// The slot's memory holds another tile until the release; what it held is gone.
TEST_F(ScheduleTest, BorrowedMemory) {
  EvalResult result = runPipeline(pipeline(1, 2, 2, R"(
          %x = tile.read_scalar %s[%c1] : !tile.shared<2xf32> -> f32
          %t = tile.ring.borrow %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32> -> !tile.shared<4xf16>
          %h = arith.truncf %x : f32 to f16
          tile.write_scalar %h, %t[%c0] : !tile.shared<4xf16>
          %y = tile.read_scalar %t[%c0] : !tile.shared<4xf16> -> f16
          tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>
          tile.print "y"(%y : f16))"));
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(result.printed, "y 1\ny 3\n");
  result = runPipeline(pipeline(1, 2, 2, R"(
          %t = tile.ring.borrow %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32> -> !tile.shared<4xf16>
          %x = tile.read_scalar %s[%c1] : !tile.shared<2xf32> -> f32
          tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>)"));
  EXPECT_EQ(result.message, "read of an element that was never written: [1]");
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

TEST_F(ScheduleTest, BarriersOrderRoles) {
  const std::string body = R"(
    %c0 = arith.constant 0 : i64
    %v = arith.constant 5.0 : f32
    %s = tile.shared : !tile.shared<1xf32>
    tile.roles
      role "reader" warps(4) registers(0) {
        tile.barrier WHICH
        %x = tile.read_scalar %s[%c0] : !tile.shared<1xf32> -> f32
        tile.print "x"(%x : f32)
        tile.yield
      }
      role "writer" warps(4) registers(0) {
        tile.write_scalar %v, %s[%c0] : !tile.shared<1xf32>
        tile.fence_proxy
        tile.barrier WHICH
        tile.yield
      })";
  for (const char *which : {"", "named(1) threads(256)"}) {
    std::string text = body;
    for (size_t at; (at = text.find("WHICH")) != std::string::npos;)
      text.replace(at, 5, which);
    for (auto order : {EvalOptions::Order::Forward, EvalOptions::Order::Reverse}) {
      EvalResult result = runPipeline(text, order);
      EXPECT_TRUE(result.succeeded()) << result.describe();
      EXPECT_EQ(result.printed, "x 5\n");
    }
  }
}

TEST_F(ScheduleTest, BarrierThatNobodyElseReaches) {
  EvalResult result = runPipeline(R"(
    tile.roles
      role "a" warps(4) registers(0) {
        tile.barrier named(2) threads(256) loc("p.tile":3:1)
        tile.yield
      }
      role "b" warps(4) registers(0) {
        tile.barrier named(3) threads(128)
        tile.yield
      })");
  EXPECT_EQ(result.kind, ErrorKind::Deadlock);
  EXPECT_EQ(result.message, "deadlock: role 'a' at p.tile:3 waits for the other threads at barrier 2");
}

//===----------------------------------------------------------------------===//
// Registers in flight
//===----------------------------------------------------------------------===//

namespace {
const char *const operands = R"(
    %c0 = arith.constant 0 : i64
    %two = arith.constant 2.0 : f16
    %s = tile.shared : !tile.shared<64x16xf16>
    tile.fill %two, %s[%c0, %c0] extents [64, 16] : !tile.shared<64x16xf16>
)";
} // namespace

TEST_F(ScheduleTest, ProductsInFlight) {
  EvalResult result = runPipeline(std::string(operands) + R"(
    %p = tile.gemm.start %s, %s {trans_b} : !tile.shared<64x16xf16>, !tile.shared<64x16xf16> -> !tile.pending<64x64xf32>
    %q = tile.gemm.start %s, %s acc(%p : !tile.pending<64x64xf32>) {trans_b}
      : !tile.shared<64x16xf16>, !tile.shared<64x16xf16> -> !tile.pending<64x64xf32>
    %v = arith.constant 3.0 : f32
    %e = tile.fragment %v : !tile.fragment<64xf32>
    %c, %e1 = tile.gemm.wait %q carry(%e) : !tile.pending<64x64xf32>, !tile.fragment<64xf32>
      -> !tile.fragment<64x64xf32>, !tile.fragment<64xf32>
    %x = tile.read_scalar %c[%c0, %c0] : !tile.fragment<64x64xf32> -> f32
    %y = tile.read_scalar %e1[%c0] : !tile.fragment<64xf32> -> f32
    tile.fill %two, %s[%c0, %c0] extents [64, 16] : !tile.shared<64x16xf16>
    tile.print "xy"(%x, %y : f32, f32))");
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(result.printed, "xy 128 3\n");
}

TEST_F(ScheduleTest, OperandsInFlightMustNotBeWritten) {
  const std::string start = std::string(operands) + R"(
    %p = tile.gemm.start %s, %s {trans_b} : !tile.shared<64x16xf16>, !tile.shared<64x16xf16> -> !tile.pending<64x64xf32>
)";
  const char *wait = R"(
    %c = tile.gemm.wait %p : !tile.pending<64x64xf32> -> !tile.fragment<64x64xf32>
)";
  for (const char *write : {"tile.fill %two, %s[%c0, %c0] extents [1, 1] : !tile.shared<64x16xf16>",
                            "tile.write_scalar %two, %s[%c0, %c0] : !tile.shared<64x16xf16>",
                            "tile.copy %s[%c0, %c0] extents [1, 1], %s[%c0, %c0] extents [1, 1] : "
                            "!tile.shared<64x16xf16> -> !tile.shared<64x16xf16>"}) {
    EvalResult result = runPipeline(start + write + wait);
    EXPECT_EQ(result.kind, ErrorKind::Undefined) << write;
    EXPECT_EQ(result.message, "write to a shared tile that a started gemm still reads") << write;
    EXPECT_TRUE(runPipeline(start + wait + write).succeeded());
  }
  // A wait for the reads alone lets the operands go.
  EXPECT_TRUE(runPipeline(start + R"(
    tile.gemm.wait_read %p : !tile.pending<64x64xf32>
    tile.fill %two, %s[%c0, %c0] extents [1, 1] : !tile.shared<64x16xf16>)" +
                          wait)
                  .succeeded());
}

TEST_F(ScheduleTest, SlotInFlightMustNotBeReleased) {
  const std::string body = R"(
    %c0 = arith.constant 0 : i64
    %two = arith.constant 2.0 : f16
    %r = tile.ring depth(1) put <generic> get <wgmma> {name = "Ks"} : !tile.ring<64x16xf16>
    tile.ring.put %r as %slot : !tile.ring<64x16xf16> {
      tile.fill %two, %slot[%c0, %c0] extents [64, 16] : !tile.shared<64x16xf16>
    }
    %s = tile.ring.get %r : !tile.ring<64x16xf16> -> !tile.shared<64x16xf16>
    %p = tile.gemm.start %s, %s {trans_b} : !tile.shared<64x16xf16>, !tile.shared<64x16xf16> -> !tile.pending<64x64xf32>
)";
  const std::string wait = "%c = tile.gemm.wait %p : !tile.pending<64x64xf32> -> !tile.fragment<64x64xf32>\n";
  const std::string release = "tile.ring.release %r, %s : !tile.ring<64x16xf16>, !tile.shared<64x16xf16>\n";
  EXPECT_TRUE(runPipeline(body + wait + release).succeeded());
  EXPECT_EQ(runPipeline(body + release + wait).message,
            "a slot of ring 'Ks' is released while something that was started still reads it");
}

/// A partial sum over the registers of each thread, and what is left of it: every element counts once.
TEST_F(ScheduleTest, PartialReductions) {
  EvalResult result = runPipeline(R"(
    %c0 = arith.constant 0 : i64
    %v = arith.constant 1.0 : f32
    %f = tile.fragment %v : !tile.fragment<128x64xf32, #tile.wgmma_acc<n = 64, warpgroups = [2, 1], reps = [1, 1]>>
    %p = tile.reduce <sum> %f axis 1 {parts = #tile.parts<threads>}
      : !tile.fragment<128x64xf32, #tile.wgmma_acc<n = 64, warpgroups = [2, 1], reps = [1, 1]>>
      -> !tile.fragment<128x4xf32, #tile.rows<#tile.wgmma_acc<n = 64, warpgroups = [2, 1], reps = [1, 1]>, axis = 1, parts = threads>>
    %s = tile.reduce <sum> %p axis 1
      : !tile.fragment<128x4xf32, #tile.rows<#tile.wgmma_acc<n = 64, warpgroups = [2, 1], reps = [1, 1]>, axis = 1, parts = threads>>
      -> !tile.fragment<128xf32, #tile.rows<#tile.wgmma_acc<n = 64, warpgroups = [2, 1], reps = [1, 1]>, axis = 1>>
    %x = tile.read_scalar %p[%c0, %c0]
      : !tile.fragment<128x4xf32, #tile.rows<#tile.wgmma_acc<n = 64, warpgroups = [2, 1], reps = [1, 1]>, axis = 1, parts = threads>> -> f32
    %y = tile.read_scalar %s[%c0]
      : !tile.fragment<128xf32, #tile.rows<#tile.wgmma_acc<n = 64, warpgroups = [2, 1], reps = [1, 1]>, axis = 1>> -> f32
    tile.print "xy"(%x, %y : f32, f32))");
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(result.printed, "xy 16 64\n");
}

TEST_F(ScheduleTest, BulkStores) {
  Tensor b = Tensor::out(EK::F32, 3);
  const std::string body = R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %v = arith.constant 4.0 : f32
    %g = tile.global %B sizes [3] strides [1] : !tile.ptr<f32> -> !tile.global<3xf32>
    %s = tile.shared : !tile.shared<4xf32>
    tile.fill %v, %s[%c0] extents [4] : !tile.shared<4xf32>
    %t = tile.bulk_store.start %s, %g[%c1] extents [4] : !tile.shared<4xf32> -> !tile.global<3xf32>
)";
  const std::string wait = "tile.bulk_store.wait_read %t\n";
  const std::string write = "tile.write_scalar %v, %s[%c0] : !tile.shared<4xf32>\n";
  const char *parameters = "%B: !tile.ptr<f32> {tile.access = #tile.access<out>}";
  EvalResult result = runBlock(parameters, body + wait + write, {b.buffer()});
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(b[1], 4);
  EXPECT_EQ(b[2], 4);
  EXPECT_EQ(b.init, (std::vector<uint8_t>{0, 1, 1}));
  EXPECT_EQ(runBlock(parameters, body + write + wait, {b.buffer()}).kind, ErrorKind::Undefined);
}

//===----------------------------------------------------------------------===//
// Persistent grids
//===----------------------------------------------------------------------===//

/// Every block index appears once, whatever the order.
TEST_F(ScheduleTest, DecodeIsABijection) {
  for (const char *options : {"", "{longest_first}", "{raster = #tile.raster<panel = 2, order = row>}",
                              "{raster = #tile.raster<panel = 2, order = column>}",
                              "{raster = #tile.raster<panel = 10, order = row>}"}) {
    EvalResult result = runBlock("%n: i64",
                                 std::string(R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %c5 = arith.constant 5 : i64
    scf.for %t = %c0 to %n step %c1 : i64 {
      %x, %y, %z = tile.decode %t in (%c5, %c3, %c2) )") +
                                     options + R"(
      tile.print "b"(%x, %y, %z : i64, i64, i64)
    })",
                                 {int64_t(30)});
    EXPECT_TRUE(result.succeeded()) << result.describe();
    std::set<std::string> seen;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(result.printed).split(lines, '\n', -1, false);
    EXPECT_EQ(lines.size(), 30u);
    for (llvm::StringRef line : lines)
      seen.insert(line.str());
    EXPECT_EQ(seen.size(), 30u) << options;
    for (int x = 0; x < 5; ++x)
      for (int y = 0; y < 3; ++y)
        for (int z = 0; z < 2; ++z)
          EXPECT_TRUE(
              seen.count("b " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z)));
  }
}

/// Panels of two rows: down the panel first.
TEST_F(ScheduleTest, DecodeWalksPanels) {
  EvalResult result = runBlock("%n: i64", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    scf.for %t = %c0 to %n step %c1 : i64 {
      %x, %y = tile.decode %t in (%c2, %c3) {raster = #tile.raster<panel = 2, order = row>}
      tile.print "b"(%x, %y : i64, i64)
    })",
                               {int64_t(6)});
  EXPECT_EQ(result.printed, "b 0 0\nb 0 1\nb 1 0\nb 1 1\nb 0 2\nb 1 2\n");
}

/// A persistent kernel gives the same result with any number of multiprocessors; its workspace starts at
/// zero.
TEST_F(ScheduleTest, PersistentLaunch) {
  const char *text = R"(
    tile.kernel @k(%A: !tile.ptr<i32> {tile.access = #tile.access<inout>}, %W: !tile.ptr<i32> {tile.access = #tile.access<inout>},
                   %tiles: i64, %ctas: i64) {
      tile.grid (%cta) in (%ctas) threads(32) {
        %a = tile.global %A sizes [7] strides [1] : !tile.ptr<i32> -> !tile.global<7xi32>
        %w = tile.global %W sizes [1] strides [1] : !tile.ptr<i32> -> !tile.global<1xi32>
        %c0 = arith.constant 0 : i64
        scf.for %t = %cta to %tiles step %ctas : i64 {
          %x = tile.decode %t in (%tiles) {longest_first}
          %v = arith.trunci %t : i64 to i32
          tile.write_scalar %v, %a[%x] : !tile.global<7xi32>
          tile.atomic <add> %v, %w[%c0] : !tile.global<1xi32>
        }
        %sum = tile.read_scalar %w[%c0] : !tile.global<1xi32> -> i32
        tile.print "sum"(%sum : i32)
      }
      tile.return
    }
    tile.entry @e(%A: !tile.ptr<i32>, %n: i64) params [
        #tile.tensor_param<name = "A", element = i32, access = inout, extents = ["N"]>] {
      %c4 = arith.constant 4 : i64
      %w = tile.workspace %c4 {zero} : !tile.ptr<i32>
      %sms = tile.sm_count
      %ctas = arith.minsi %sms, %n : i64
      tile.launch @k grid(%ctas) args(%A, %w, %n, %ctas : !tile.ptr<i32>, !tile.ptr<i32>, i64, i64)
      tile.return
    })";
  for (int64_t sms : {1, 3, 100}) {
    Tensor a(EK::I32, Values(7, -1));
    EvalOptions options;
    options.numSms = sms;
    EvalResult result = run(text, "e", {a.buffer(), int64_t(7)}, options);
    EXPECT_TRUE(result.succeeded()) << result.describe();
    EXPECT_EQ(a.values(), (Values{6, 5, 4, 3, 2, 1, 0}));
    EXPECT_TRUE(llvm::StringRef(result.printed).ends_with("sum 21\n")) << result.printed;
  }
}
