//===- MachineTest.cpp - what the emulator finds, and what it must not ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small kernels in LLVM IR, each with one fault of a kind, and beside it the same without: the finding must
// be there and alone, the right kernel must be clean, in every order.
//
//===----------------------------------------------------------------------===//

#include "tilec/Emu/Emulator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>
#include <set>

using namespace tilec;
using namespace tilec::emu;

namespace {

const char *prelude = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare void @llvm.trap()
declare i32 @vprintf(ptr, ptr)
declare float @llvm.maxnum.f32(float, float)
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.tile", directory: "")
!3 = distinct !DISubprogram(name: "k", file: !2, unit: !1, line: 1, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 11, column: 5, scope: !3)
!5 = !DILocation(line: 12, column: 9, scope: !3)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) !dbg !3 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own.in = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %own.out = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %own = getelementptr i32, ptr addrspace(3) @shared, i32 %tid
  %partner = xor i32 %tid, 32
  %other = getelementptr i32, ptr addrspace(3) @shared, i32 %partner
  %neighbour = xor i32 %tid, 1
  %next = getelementptr i32, ptr addrspace(3) @shared, i32 %neighbour
)";

/// A kernel of two tensors of 64 integers, in[i] = 100 + i, and what became of it.
class MachineTest : public testing::Test {
protected:
  struct Run {
    std::vector<Finding> findings;
    std::vector<int32_t> out;
    std::string error;
  };

  /// Runs the body in one order. 64 threads a block.
  Run run(const std::string &body, Schedule schedule = {}, unsigned blocks = 1,
          launch::Access outAccess = launch::Access::Out) {
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> module =
        llvm::parseAssemblyString(prelude + body + "\n}\n", problem, *context);
    Run result;
    if (!module) {
      ADD_FAILURE() << problem.getMessage().str() << " in line " << problem.getLineNo();
      return result;
    }
    std::shared_ptr<const Program> program =
        compile(std::move(module), std::move(context), *ArchInfo::find("sm_80"), result.error);
    if (!program) {
      ADD_FAILURE() << result.error;
      return result;
    }
    Machine machine(program, blocks);
    machine.setSchedule(schedule);
    std::vector<int32_t> in(64);
    std::iota(in.begin(), in.end(), 100);
    result.out.assign(64, -1);
    runner::DevicePointer tensors[2];
    runner::KernelLaunch launch;
    for (int i = 0; i != 2; ++i) {
      EXPECT_TRUE(machine.allocate(tensors[i], 256));
      machine.describe(
          {i ? "Out" : "In", tensors[i], 256, ElementKind::I32, i ? outAccess : launch::Access::In});
      launch.parameters.emplace_back(reinterpret_cast<const char *>(&tensors[i]), 8);
    }
    machine.copyToDevice(tensors[0], in.data(), 256);
    machine.copyToDevice(tensors[1], result.out.data(), 256);
    launch.kernel = "k";
    launch.grid = {blocks, 1, 1};
    launch.threads = 64;
    launch.sharedBytes = 512;
    if (!machine.launch(launch))
      result.error = machine.error;
    machine.copyToHost(result.out.data(), tensors[1], 256);
    result.findings = machine.takeFindings();
    return result;
  }

  static std::vector<FindingKind> kinds(const Run &run) {
    std::vector<FindingKind> all;
    for (const Finding &finding : run.findings)
      all.push_back(finding.kind);
    return all;
  }

  /// Clean in every order, and the result is right.
  void expectClean(const std::string &body, unsigned blocks = 1,
                   launch::Access outAccess = launch::Access::Out) {
    for (const Schedule &schedule : makeSchedules(6, 1)) {
      Run result = run(body, schedule, blocks, outAccess);
      EXPECT_EQ(result.error, "");
      for (const Finding &finding : result.findings)
        ADD_FAILURE() << schedule.describe() << ": " << finding.text;
    }
  }

  /// Findings of that kind alone in every order, one with a text that contains `text`.
  void expectFinding(const std::string &body, FindingKind kind, const std::string &text, unsigned blocks = 1,
                     launch::Access outAccess = launch::Access::Out) {
    for (Schedule schedule : makeSchedules(6, 1)) {
      schedule.loopLimit = 1000;
      Run result = run(body, schedule, blocks, outAccess);
      ASSERT_FALSE(result.findings.empty()) << schedule.describe();
      bool isThere = false;
      for (const Finding &finding : result.findings) {
        EXPECT_EQ(getFindingName(finding.kind), getFindingName(kind))
            << schedule.describe() << ": " << finding.text;
        isThere |= finding.text.find(text) != std::string::npos;
      }
      EXPECT_TRUE(isThere) << schedule.describe() << ": " << result.findings[0].text;
    }
  }
};

const std::string barrier = "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
const std::string storeOwn = "  store i32 %tid, ptr addrspace(3) %own\n";
const std::string end = "  ret void";

TEST_F(MachineTest, BarrierOrdersTheBlock) {
  expectClean(storeOwn + barrier +
              "  %v = load i32, ptr addrspace(3) %other\n"
              "  store i32 %v, ptr addrspace(1) %own.out\n" +
              end);
}

/// The numbers are right in forward order: warp 1 reads what warp 0 wrote before.
TEST_F(MachineTest, MissingBarrierIsARaceThoughTheNumbersAreRight) {
  std::string body = R"(
  store i32 %tid, ptr addrspace(3) %own, !dbg !4
  %second = icmp uge i32 %tid, 32
  br i1 %second, label %reads, label %done
reads:
  %v = load i32, ptr addrspace(3) %other, !dbg !5
  store i32 %v, ptr addrspace(1) %own.out
  br label %done
done:
  ret void)";
  Run forward = run(body);
  EXPECT_EQ(forward.out[40], 8);
  EXPECT_EQ(kinds(forward), std::vector<FindingKind>{FindingKind::Race});
  EXPECT_EQ(forward.findings[0].text,
            "thread 32 of block (0, 0, 0) reads 4 bytes at byte 0 of shared memory with "
            "nothing between this and the write by thread 0");
  EXPECT_EQ(forward.findings[0].count, 32u);
  EXPECT_TRUE(forward.findings[0].place == (SourcePos{"k.tile", 12, 9}));
  EXPECT_TRUE(forward.findings[0].notes[0].place == (SourcePos{"k.tile", 11, 5}));
  ASSERT_GE(forward.findings[0].notes.size(), 2u);
  EXPECT_EQ(forward.findings[0].notes[0].text, "thread 0 writes here");
  EXPECT_EQ(forward.findings[0].notes[1].text, "read: i32 0");
  // The other way round nothing has been written when it is read, and the write races with the read.
  Schedule reverse;
  reverse.order = Order::Reverse;
  EXPECT_EQ(kinds(run(body, reverse)),
            (std::vector<FindingKind>{FindingKind::Uninitialised, FindingKind::Race}));
}

TEST_F(MachineTest, WriteAfterReadNeedsABarrierToo) {
  std::string first = storeOwn + barrier + "  %v = load i32, ptr addrspace(3) %other\n";
  std::string second = "  store i32 %v, ptr addrspace(3) %own\n";
  expectFinding(first + second + end, FindingKind::Race, "the read by thread");
  expectClean(first + barrier + second + end);
}

TEST_F(MachineTest, TwoWritesOfTheSamePlace) {
  expectFinding("  store i32 %tid, ptr addrspace(3) @shared\n" + end, FindingKind::Race,
                "the write by thread");
}

TEST_F(MachineTest, WarpSyncOrdersAWarpAlone) {
  std::string sync = "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";
  expectClean(storeOwn + sync + "  %v = load i32, ptr addrspace(3) %next\n" + end);
  Run across = run(storeOwn + sync + "  %v = load i32, ptr addrspace(3) %other\n" + end);
  std::vector<FindingKind> found = kinds(across);
  EXPECT_NE(std::find(found.begin(), found.end(), FindingKind::Race), found.end());
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

const std::string copyOwn = "  call void asm sideeffect \"/* tile:80 */ cp.async.ca.shared.global [$0], "
                            "[$1], 4;\", \"l,l\"(ptr addrspace(3) "
                            "%own, ptr addrspace(1) %own.in)\n";
const std::string commit = "  call void asm sideeffect \"/* tile:86 */ cp.async.commit_group;\", \"\"()\n";
std::string wait(int groups) {
  std::string number = std::to_string(groups);
  return "  call void asm sideeffect \"/* tile:9" + number + " */ cp.async.wait_group " + number +
         ";\", \"\"()\n";
}
const std::string readOwn =
    "  %v = load i32, ptr addrspace(3) %own\n  store i32 %v, ptr addrspace(1) %own.out\n";

TEST_F(MachineTest, WaitedForCopiesAreThere) {
  std::string body = copyOwn + commit + wait(0) + readOwn + end;
  expectClean(body);
  for (Completion completion : {Completion::Eager, Completion::Lazy}) {
    Schedule schedule;
    schedule.completion = completion;
    EXPECT_EQ(run(body, schedule).out[5], 105);
  }
}

TEST_F(MachineTest, DataInFlight) {
  expectFinding(copyOwn + commit + readOwn + wait(0) + end, FindingKind::InFlight,
                "while a copy to it is in flight");
  // Late data are not there yet, early ones are.
  Schedule late, early;
  late.completion = Completion::Lazy;
  early.completion = Completion::Eager;
  EXPECT_EQ(run(copyOwn + commit + readOwn + wait(0) + end, early).out[5], 105);
  EXPECT_NE(run(copyOwn + commit + readOwn + wait(0) + end, late).out[5], 105);
}

TEST_F(MachineTest, WaitForAGroupLeavesLaterOnesInFlight) {
  std::string two = copyOwn + commit +
                    "  %far = getelementptr i32, ptr addrspace(3) %own, i32 64\n"
                    "  call void asm sideeffect \"/* tile:80 */ cp.async.ca.shared.global [$0], [$1], 4;\", "
                    "\"l,l\"(ptr addrspace(3) %far, ptr addrspace(1) %own.in)\n" +
                    commit + wait(1) + readOwn;
  expectClean(two + wait(0) + "  %w = load i32, ptr addrspace(3) %far\n" + end);
  expectFinding(two + "  %w = load i32, ptr addrspace(3) %far\n" + wait(0) + end, FindingKind::InFlight,
                "reads");
}

TEST_F(MachineTest, OthersNeedABarrierAfterTheWait) {
  std::string read = "  %v = load i32, ptr addrspace(3) %other\n";
  expectClean(copyOwn + commit + wait(0) + barrier + read + end);
  // A barrier before the wait is of no use to the others.
  Run result = run(copyOwn + commit + barrier + wait(0) + read + end);
  EXPECT_FALSE(result.findings.empty());
}

TEST_F(MachineTest, CopiesThatNobodyWaitsFor) {
  expectFinding(copyOwn + commit + end, FindingKind::NeverWaited, "ends without having waited");
  expectFinding(copyOwn + wait(0) + end, FindingKind::NeverWaited,
                "ends without having waited"); // not committed
}

TEST_F(MachineTest, ZeroFilledCopy) {
  std::string body =
      "  call void asm sideeffect \"/* tile:83 */ cp.async.ca.shared.global [$0], [$1], 4, $2;\", "
      "\"l,l,r\"(ptr addrspace(3) %own, ptr addrspace(1) %own.in, i32 0)\n" +
      commit + wait(0) + readOwn + end;
  expectClean(body);
  EXPECT_EQ(run(body).out[5], 0);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TEST_F(MachineTest, Uninitialised) {
  expectFinding("  %v = load i32, ptr addrspace(3) %own\n" + end, FindingKind::Uninitialised,
                "of shared memory");
  expectFinding("  %v = load i32, ptr addrspace(1) %own.out\n" + end, FindingKind::Uninitialised,
                "of 'Out', which nothing has written");
  expectClean("  %v = load i32, ptr addrspace(1) %own.out\n" + end, 1, launch::Access::InOut);
}

TEST_F(MachineTest, OutOfBounds) {
  expectFinding(
      "  %p = getelementptr i32, ptr addrspace(1) %own.in, i32 1\n  %v = load i32, ptr addrspace(1) %p\n" +
          end,
      FindingKind::OutOfBounds,
      "thread 63 of block (0, 0, 0) reads 4 bytes at byte 256 of 'In', which has 256");
  expectFinding(
      "  %p = getelementptr i32, ptr addrspace(1) %own.out, i32 -1\n  store i32 1, ptr addrspace(1) %p\n" +
          end,
      FindingKind::OutOfBounds, "thread 0 of block (0, 0, 0) writes 4 bytes at byte -4 of 'Out'");
  expectFinding(
      "  %p = getelementptr i8, ptr addrspace(3) %own, i32 260\n  store i32 1, ptr addrspace(3) %p\n" + end,
      FindingKind::OutOfBounds, "of shared memory");
  expectFinding("  %v = load i32, ptr addrspace(1) null\n" + end, FindingKind::OutOfBounds,
                "where no tensor is");
}

TEST_F(MachineTest, Misaligned) {
  expectFinding(
      "  %p = getelementptr i8, ptr addrspace(3) %own, i32 2\n  store i32 1, ptr addrspace(3) %p\n" + end,
      FindingKind::Misaligned, "no multiple of 4");
}

TEST_F(MachineTest, InputsAreNotWritten) {
  expectFinding("  store i32 1, ptr addrspace(1) %own.in\n" + end, FindingKind::ReadOnly, "an 'in' tensor");
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

TEST_F(MachineTest, BlocksConflict) {
  expectFinding("  store i32 1, ptr addrspace(1) %own.out\n" + end, FindingKind::Race, "in the same launch",
                3);
  expectClean("  store i32 1, ptr addrspace(1) %own.out\n" + end, 1);
}

TEST_F(MachineTest, AtomicsDoNotConflictWithEachOther) {
  std::string add =
      "  call void asm sideeffect \"/* tile:240 */ @$1 red.relaxed.gpu.global.add.u32 [$0], $2;\", "
      "\"l,b,r\"(ptr addrspace(1) %out, i1 true, i32 1)\n";
  expectClean(add + end, 3, launch::Access::InOut);
  EXPECT_EQ(run(add + end, {}, 3, launch::Access::InOut).out[0], -1 + 3 * 64);
  // Of the atomics that come before a plain access all count, not the last alone.
  expectFinding(add + "  %first = icmp eq i32 %tid, 0\n  br i1 %first, label %w, label %done\nw:\n"
                      "  store i32 1, ptr addrspace(1) %out\n  br label %done\ndone:\n  ret void",
                FindingKind::Race, "", 1, launch::Access::InOut);
}

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

TEST_F(MachineTest, Divergence) {
  std::string shuffle = "  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %tid, i32 1, i32 31)\n"
                        "  store i32 %s, ptr addrspace(1) %own.out\n";
  expectClean(shuffle + end);
  EXPECT_EQ(run(shuffle + end).out[6], 7);
  expectFinding("  %half = and i32 %tid, 16\n  %c = icmp eq i32 %half, 0\n  br i1 %c, label %some, label "
                "%done\nsome:\n" +
                    shuffle + "  br label %done\ndone:\n  ret void",
                FindingKind::Divergence,
                "threads 0 to 15 of block (0, 0, 0) wait here for the lanes of mask 0xffffffff");
}

TEST_F(MachineTest, Deadlock) {
  std::string body = "  %c = icmp ult i32 %tid, 32\n  br i1 %c, label %some, label %done\nsome:\n" + barrier +
                     "  br label %done\ndone:\n  ret void";
  expectFinding(body, FindingKind::Deadlock,
                "threads 0 to 31 of block (0, 0, 0) wait at barrier 0, where 32 of 64 threads arrived");
  EXPECT_EQ(run(body).findings[0].notes.back().text, "threads 32 to 63 have ended");
}

TEST_F(MachineTest, WrongBarriers) {
  expectFinding("  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 16)\n" + end, FindingKind::Barrier,
                "there are 16");
  expectFinding("  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 40)\n" + end,
                FindingKind::Barrier, "no multiple of 32");
}

/// One fault, one finding: where the others wait is a note of it.
TEST_F(MachineTest, BarriersOfDifferentCounts) {
  std::string body =
      "  %c = icmp ult i32 %tid, 32\n  br i1 %c, label %a, label %b\na:\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)\n  br label %done\n"
      "b:\n  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 96)\n"
      "  br label %done\ndone:\n  ret void";
  Run result = run(body);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].text, "this barrier is for 96 threads, while others wait at barrier 1 for 64");
  EXPECT_EQ(result.findings[0].count, 32u);
  EXPECT_EQ(result.findings[0].notes[0].text, "others wait here");
}

/// Warp 0 writes and arrives, warp 1 waits and reads; the other way round nothing orders the two.
TEST_F(MachineTest, NamedBarriers) {
  auto body = [](const char *writer, const char *reader) {
    return std::string("  %c = icmp ult i32 %tid, 32\n  br i1 %c, label %w, label %r\nw:\n") + storeOwn +
           "  call void @llvm.nvvm.barrier.cta." + writer +
           ".aligned.count(i32 1, i32 64)\n  br label %done\nr:\n" + "  call void @llvm.nvvm.barrier.cta." +
           reader + ".aligned.count(i32 1, i32 64)\n" +
           "  %v = load i32, ptr addrspace(3) %other\n  br label %done\ndone:\n  ret void";
  };
  expectClean(body("arrive", "sync"));
  EXPECT_FALSE(run(body("sync", "arrive")).findings.empty());
}

TEST_F(MachineTest, Ends) {
  expectFinding("  call void @llvm.trap()\n" + end, FindingKind::Trap, "executes a trap");
  expectFinding("  br label %loop\nloop:\n  br label %loop", FindingKind::Endless,
                "is still in this loop after 1000");
}

/// NVPTX has -0 below +0 in max; the host has not.
TEST_F(MachineTest, MaximumIsTheDevices) {
  Run result =
      run("  %m = call float @llvm.maxnum.f32(float -0.0, float 0.0)\n  %b = bitcast float %m to i32\n"
          "  store i32 %b, ptr addrspace(1) %own.out\n" +
          end);
  EXPECT_EQ(result.out[0], 0);
}

TEST_F(MachineTest, SeedsDecideTheOrder) {
  std::string body = "  store i32 %tid, ptr addrspace(1) %out\n" + end; // the last one wins
  std::set<int32_t> winners;
  for (uint64_t seed = 1; seed != 9; ++seed) {
    Schedule schedule;
    schedule.order = Order::Seeded;
    schedule.seed = seed;
    int32_t winner = run(body, schedule).out[0];
    EXPECT_EQ(winner, run(body, schedule).out[0]);
    winners.insert(winner);
  }
  EXPECT_GT(winners.size(), 2u);
}

TEST_F(MachineTest, LaunchesThatDoNotFit) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic problem;
  std::string error;
  auto module = llvm::parseAssemblyString(prelude + end + "\n}\n", problem, *context);
  Machine machine(compile(std::move(module), std::move(context), *ArchInfo::find("sm_80"), error), 1);
  runner::KernelLaunch launch;
  launch.kernel = "other";
  launch.threads = 32;
  EXPECT_FALSE(machine.launch(launch));
  EXPECT_EQ(machine.error, "the module has no kernel 'other'");
  launch.kernel = "k";
  EXPECT_FALSE(machine.launch(launch));
  EXPECT_EQ(machine.error, "the launch's parameters are not those of kernel 'k'");
  launch.parameters.assign(2, std::string(8, '\0'));
  launch.threads = 2048;
  EXPECT_FALSE(machine.launch(launch));
  launch.threads = 32;
  launch.sharedBytes = 200000;
  EXPECT_FALSE(machine.launch(launch));
  EXPECT_EQ(machine.error, "a block needs 200000 bytes of shared memory, sm_80 has 166912");
}

} // namespace
