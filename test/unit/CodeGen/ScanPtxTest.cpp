//===- ScanPtxTest.cpp - good and bad PTX ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-written PTX for every rule of tile-scan-ptx, each bad text beside a good one that differs in one
// thing.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/ScanPtx.h"
#include "TestModules.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::test;

namespace {

/// Wraps a body into a kernel that begins at PTX line 5; its `.loc` lines refer to k.tile.
std::string kernel(llvm::StringRef body) {
  return (".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(\n\t.param .u64 "
          "k_param_0)\n{\n" +
          body + "\n}\n\t.file 1 \"k.tile\"\n")
      .str();
}

std::string scan(llvm::StringRef body, bool forbidLocal = false) {
  CodeGenLog log;
  ScanOptions options;
  options.forbidLocalMemory = forbidLocal;
  bool good = scanPtx(kernel(body), options, log);
  EXPECT_EQ(good, log.diagnostics.empty());
  return log.diagnostics.empty() ? "good" : text(log);
}

TEST(ScanPtx, UniformBranchesAreFine) {
  EXPECT_EQ(scan(R"(
	ld.param.b32 %r1, [k_param_0];
	mov.u32 %r2, %ctaid.x;
	setp.lt.s32 %p1, %r2, %r1;
	@%p1 bra $L1;
	bar.sync 0;
$L1:
	bar.sync 0;
	ret;)"),
            "good");
}

TEST(ScanPtx, ThreadDependentBranch) {
  EXPECT_EQ(scan(R"(
	.loc 1 3 5
	mov.u32 %r1, %tid.x;
	ld.param.b32 %r2, [k_param_0];
	setp.lt.s32 %p1, %r1, %r2;
	@%p1 bra $L1;
	.loc 1 4 7
	bar.sync 0;
$L1:
	ret;)"),
            "bug k.tile:4:7 'bar.sync' is executed under a branch that may differ between the threads of a "
            "warp | line "
            "14 of the PTX of 'k' | the branch is at line 12 of the PTX, k.tile:3\n");
}

TEST(ScanPtx, AfterTheJoinAllIsWell) {
  EXPECT_EQ(scan(R"(
	mov.u32 %r1, %tid.x;
	and.b32 %r2, %r1, 1;
	setp.eq.b32 %p1, %r2, 0;
	@%p1 bra $L1;
	st.shared.b32 [sm], %r1;
$L1:
	bar.sync 0;
	ret;)"),
            "good");
}

/// A register that two sides of a divergent branch write differs between threads after the join.
TEST(ScanPtx, ValuesThatDependOnTheWayTaken) {
  llvm::StringRef body = R"(
	mov.u32 %r1, %SOURCE;
	and.b32 %r2, %r1, 1;
	setp.eq.b32 %p1, %r2, 0;
	mov.b32 %r3, 1;
	@%p1 bra $L1;
	mov.b32 %r3, 2;
$L1:
	setp.eq.b32 %p2, %r3, 2;
	@%p2 bra $L2;
	bar.sync 0;
$L2:
	ret;)";
  auto with = [&](llvm::StringRef source) {
    auto [head, tail] = body.split("%SOURCE");
    return (head + source + tail).str();
  };
  EXPECT_NE(scan(with("%tid.x")), "good");
  EXPECT_EQ(scan(with("%ctaid.x")), "good");
}

/// Threads leave the loop at different times: what comes inside it is divergent, what comes after is not.
TEST(ScanPtx, LoopsWithThreadDependentEnd) {
  EXPECT_NE(scan(R"(
	mov.u32 %r1, %tid.x;
$L1:
	bar.sync 0;
	add.s32 %r1, %r1, -1;
	setp.gt.s32 %p1, %r1, 0;
	@%p1 bra $L1;
	ret;)"),
            "good");
  EXPECT_EQ(scan(R"(
	mov.u32 %r1, %tid.x;
$L1:
	add.s32 %r1, %r1, -1;
	setp.gt.s32 %p1, %r1, 0;
	@%p1 bra $L1;
	bar.sync 0;
	ret;)"),
            "good");
}

TEST(ScanPtx, RolesOfWholeWarps) {
  auto role = [](llvm::StringRef compute) {
    return scan(("\tmov.u32 %r1, %tid.x;\n\t" + compute +
                 "\n\t@%p1 bra $L1;\n\tsetmaxnreg.inc.sync.aligned.u32 240;\n$L1:\n\tret;")
                    .str());
  };
  EXPECT_EQ(role("setp.lt.u32 %p1, %r1, 128;"), "good");
  EXPECT_EQ(role("setp.gt.u32 %p1, %r1, 127;"), "good");
  EXPECT_EQ(role("shr.u32 %r2, %r1, 7; setp.eq.b32 %p1, %r2, 0;"), "good");
  EXPECT_EQ(role("and.b32 %r2, %r1, 992; setp.eq.b32 %p1, %r2, 0;"), "good");
  EXPECT_EQ(role("and.b32 %r2, %r1, 127; shr.u32 %r3, %r2, 5; setp.eq.b32 %p1, %r3, 0;"), "good");
  EXPECT_EQ(role("add.s32 %r2, %r1, -128; setp.lt.u32 %p1, %r2, 64;"), "good");
  EXPECT_NE(role("setp.lt.u32 %p1, %r1, 100;"), "good");
  EXPECT_NE(role("setp.gt.u32 %p1, %r1, 128;"), "good");
  EXPECT_NE(role("setp.eq.u32 %p1, %r1, 0;"), "good");
  EXPECT_NE(role("shr.u32 %r2, %r1, 4; setp.eq.b32 %p1, %r2, 0;"), "good");
  EXPECT_NE(role("and.b32 %r2, %r1, 993; setp.eq.b32 %p1, %r2, 0;"), "good");
  EXPECT_NE(role("mov.u32 %r2, %laneid; setp.lt.u32 %p1, %r2, 32;"), "good");
}

TEST(ScanPtx, MemoryAndWarpResults) {
  auto test = [](llvm::StringRef compute) {
    return scan(
        ("\tld.param.b64 %rd1, [k_param_0];\n\tmov.u32 %r1, %tid.x;\n\tmul.wide.u32 %rd2, %r1, 4;\n\tadd.s64 "
         "%rd3, %rd1, %rd2;\n\t" +
         compute + "\n\tsetp.eq.b32 %p1, %r9, 0;\n\t@%p1 bra $L1;\n\tbar.sync 0;\n$L1:\n\tret;")
            .str());
  };
  EXPECT_EQ(test("ld.global.b32 %r9, [%rd1];"), "good");
  EXPECT_NE(test("ld.global.b32 %r9, [%rd3];"), "good");
  EXPECT_NE(test("ld.b32 %r9, [%rd1];"), "good");
  EXPECT_NE(test("ld.local.b32 %r9, [%rd1];"), "good");
  EXPECT_NE(test("atom.global.add.u32 %r9, [%rd1], 1;"), "good");
  EXPECT_EQ(test("shfl.sync.idx.b32 %r9|%p9, %r1, 0, 31, -1;"), "good");
  EXPECT_NE(test("shfl.sync.idx.b32 %r9|%p9, %r1, 0, 7199, -1;"), "good") << "segments of 4 lanes";
  EXPECT_NE(test("shfl.sync.idx.b32 %r9|%p9, %r1, %r1, 31, -1;"), "good");
  EXPECT_NE(test("shfl.sync.bfly.b32 %r9|%p9, %r1, 1, 31, -1;"), "good");
  EXPECT_EQ(test("redux.sync.add.s32 %r9, %r1, -1;"), "good");
  EXPECT_NE(test("{ .param .b32 retval0; call.uni (retval0), f, (); ld.param.b32 %r9, [retval0]; }"), "good");
  EXPECT_NE(test("@%p7 mov.b32 %r9, 1; setp.eq.u32 %p7, %r1, 3; @%p7 mov.b32 %r9, 2;"), "good");
}

/// Inline PTX has registers and labels of its own, with the same names in every copy.
TEST(ScanPtx, NamesInBraces) {
  llvm::StringRef waitLoop =
      "\t{\n\t.reg .pred P1;\n\tWAIT:\n\tmbarrier.try_wait.parity.shared.b64 P1, [sm], %r1;\n"
      "\t@P1 bra.uni DONE;\n\tbra.uni WAIT;\n\tDONE:\n\t}\n";
  auto test = [&](llvm::StringRef between) {
    return scan(("\tmov.u32 %r9, %ctaid.x;\n" + waitLoop + between +
                 "\tsetp.eq.b32 %p1, %r9, 0;\n\t@%p1 bra $L1;\n" + waitLoop + "\tbar.sync 0;\n$L1:\n" +
                 waitLoop + "\tret;")
                    .str());
  };
  EXPECT_EQ(test(""), "good");
  EXPECT_EQ(test("\t{ .reg .b32 %r9; mov.u32 %r9, %laneid; }\n"), "good");
  EXPECT_NE(test("\t{ .reg .b32 %r8; mov.u32 %r9, %laneid; }\n"), "good");
}

/// LLVM gives values of two roles the same register: what one role does to it is nothing to the other.
TEST(ScanPtx, OneRegisterInTwoRoles) {
  EXPECT_EQ(scan(R"(
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	setp.lt.u32 %p1, %r1, 128;
	@%p1 bra $PRODUCER;
$LOOP:
	bar.sync 1, 128;
	add.s32 %r2, %r2, -1;
	setp.gt.s32 %p2, %r2, 0;
	@%p2 bra $LOOP;
	bra.uni $END;
$PRODUCER:
	setp.ne.b32 %p3, %r1, 0;
	@%p3 bra $END;
$LOAD:
	add.s32 %r2, %r2, -1;
	setp.gt.s32 %p2, %r2, 0;
	@%p2 bra $LOAD;
$END:
	ret;)"),
            "good");
}

TEST(ScanPtx, ReportsAreFew) {
  std::string body = "\tmov.u32 %r1, %laneid;\n\tsetp.eq.u32 %p1, %r1, 0;\n\t@%p1 bra $L1;\n";
  for (int i = 0; i < 100; ++i)
    body += "\tbar.sync 0;\n";
  std::string messages = scan(body + "$L1:\n\tret;");
  EXPECT_EQ(llvm::StringRef(messages).count('\n'), 8u);
}

/// A warp exchange is fine among fewer threads if its mask says so.
TEST(ScanPtx, WarpExchanges) {
  auto test = [](llvm::StringRef exchange) {
    return scan(("\tmov.u32 %r1, %tid.x;\n\tsetp.eq.u32 %p1, %r1, 0;\n\t@%p1 bra $L1;\n\t" + exchange +
                 "\n$L1:\n\tret;")
                    .str());
  };
  EXPECT_NE(test("shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;"), "good");
  EXPECT_EQ(test("shfl.sync.bfly.b32 %r2, %r1, 1, 31, %r5;"), "good");
  EXPECT_NE(test("bar.warp.sync -1;"), "good");
  EXPECT_NE(test("vote.sync.ballot.b32 %r2, %p1, 0xffffffff;"), "good");
  EXPECT_NE(test("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r1,%r1,%r1}, "
                 "{%r1,%r1}, "
                 "{%f1,%f2,%f3,%f4};"),
            "good");
  EXPECT_EQ(test("st.shared.b32 [sm], %r1;"), "good");
}

TEST(ScanPtx, PredicatedCollective) {
  EXPECT_EQ(scan("\tmov.u32 %r1, %laneid;\n\tsetp.eq.u32 %p1, %r1, 0;\n\t@%p1 bar.sync 0;\n\tret;"),
            "bug :0:0 'bar.sync' has predicate '%p1', which may differ between the threads of a warp | line "
            "9 of the PTX "
            "of 'k'\n");
}

/// A failed assertion stops the kernel, so it does not make the rest divergent; an early return does.
TEST(ScanPtx, TrapsAndReturns) {
  auto test = [](llvm::StringRef end) {
    return scan(("\tmov.u32 %r1, %tid.x;\n\tsetp.eq.u32 %p1, %r1, 7;\n\t@%p1 bra $L1;\n\tbar.sync "
                 "0;\n\tret;\n$L1:\n" +
                 end)
                    .str());
  };
  EXPECT_EQ(test("\ttrap;\n"), "good");
  EXPECT_EQ(test("\t{ call.uni __assertfail, (p0); }\n\texit;\n"), "good");
  EXPECT_NE(test("\tret;\n"), "good");
  EXPECT_NE(test("\texit;\n"), "good");
  EXPECT_NE(scan("\tmov.u32 %r1, %tid.x;\n\tsetp.eq.u32 %p1, %r1, 7;\n\t@%p1 ret;\n\tbar.sync 0;\n\tret;"),
            "good");
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

const char start[] =
    "\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, "
    "0;\n";
const char startFromRegisters[] = "\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, "
                                  "{%r1, %r2, %r3, %r4}, %rd2, 1, 1, 1, 0;\n";
const char startOther[] =
    "\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f5, %f6, %f7, %f8}, %rd1, %rd2, 1, 1, 1, 0, 0;\n";
const char commit[] = "\twgmma.commit_group.sync.aligned;\n";
std::string wait(int pending) { return "\twgmma.wait_group.sync.aligned " + std::to_string(pending) + ";\n"; }

TEST(ScanPtx, AccumulatorsInFlight) {
  std::string use = "\t.loc 1 9 2\n\tadd.rn.f32 %f9, %f1, %f1;\n";
  EXPECT_EQ(scan(start + std::string(commit) + wait(0) + use + "\tret;"), "good");
  EXPECT_EQ(scan(start + std::string(commit) + use + wait(0) + "\tret;"),
            "bug k.tile:9:2 'add.rn.f32' reads register '%f1' of a wgmma that is still in flight | line 10 "
            "of the PTX of "
            "'k'\n");
  EXPECT_NE(scan(start + std::string(commit) + "\tmov.b32 %f2, 0;\n" + wait(0) + "\tret;"), "good");
  // Before the commit as well.
  EXPECT_NE(scan(start + use + commit + wait(0) + "\tret;"), "good");
  // Another wgmma may go on with the same accumulators.
  EXPECT_EQ(scan(start + std::string(start) + commit + wait(0) + use + "\tret;"), "good");
  // Addresses are read when the instruction starts.
  EXPECT_EQ(scan(start + std::string(commit) + "\tadd.s64 %rd1, %rd1, 2;\n" + wait(0) + "\tret;"), "good");
  EXPECT_NE(scan(start + std::string(commit) + "\tret;"), "good") << "never waited for";
}

TEST(ScanPtx, FragmentsOfAInFlight) {
  EXPECT_NE(scan(startFromRegisters + std::string(commit) + "\tmov.b32 %r3, 0;\n" + wait(0) + "\tret;"),
            "good");
  EXPECT_EQ(scan(startFromRegisters + std::string(commit) + wait(0) + "\tmov.b32 %r3, 0;\n\tret;"), "good");
}

TEST(ScanPtx, WaitNumbers) {
  std::string useFirst = "\tadd.rn.f32 %f9, %f1, %f1;\n", useSecond = "\tadd.rn.f32 %f9, %f5, %f5;\n";
  std::string two = std::string(start) + commit + startOther + commit;
  EXPECT_EQ(scan(two + wait(1) + useFirst + wait(0) + useSecond + "\tret;"), "good");
  EXPECT_NE(scan(two + wait(1) + useSecond + wait(0) + "\tret;"), "good");
  EXPECT_NE(scan(two + wait(2) + useFirst + wait(0) + "\tret;"), "good");
}

/// The state crosses back edges: the group of the trip before is still open at the loop's head.
TEST(ScanPtx, LoopsKeepGroupsOpen) {
  auto loop = [](llvm::StringRef head, llvm::StringRef tail) {
    return scan(("\tmov.b32 %r9, 0;\n$L1:\n" + head + start + commit + tail +
                 "\tadd.s32 %r9, %r9, 1;\n\tsetp.lt.s32 %p1, %r9, 8;\n\t@%p1 bra $L1;\n" + wait(0) + "\tret;")
                    .str());
  };
  EXPECT_EQ(loop("", ""), "good");
  EXPECT_NE(loop("\tmul.rn.f32 %f1, %f1, %f10;\n", ""), "good");
  EXPECT_EQ(loop("\tmul.rn.f32 %f1, %f1, %f10;\n", wait(0)), "good");
  // One way round the wait is enough.
  EXPECT_NE(loop("\tmul.rn.f32 %f1, %f1, %f10;\n", "\t@%p2 bra $L2;\n" + wait(0) + "$L2:\n"), "good");
}

TEST(ScanPtx, LocalMemory) {
  llvm::StringRef depot =
      "\t.local .align 8 .b8 __local_depot0[24];\n\t.loc 1 3 1\n\tmov.b32 %r1, 0;\n\tret;";
  EXPECT_EQ(scan(depot), "good");
  EXPECT_EQ(scan(depot, /*forbidLocal=*/true),
            "bug k.tile:3:1 kernel 'k' keeps 24 bytes a thread in local memory | line 7 of the PTX of 'k'\n");
  EXPECT_EQ(
      scan("\t.local .align 8 .b8 __local_depot0[24];\n\t{ call.uni (retval0), vprintf, (p0, p1); }\n\tret;",
           true),
      "good");
}

TEST(ScanPtx, AnyTextIsRead) {
  for (llvm::StringRef bad :
       {"", "}", "{", "@", "bra;", "bra", "\tbra $nowhere;", "brx.idx %r1, $t;", ".loc", ".loc 1",
        "wgmma.mma_async {", "wgmma.wait_group", "\"", "/*", "$L1:", "bar.sync 0", "mbarrier;"}) {
    scan(bad);
    CodeGenLog log;
    scanPtx(bad, {}, log);
    PtxLineMap lines(kernel(bad));
    lines.lookup(3);
  }
}

TEST(PtxLineMap, NearestLineAbove) {
  PtxLineMap lines(
      kernel("\t.loc 1 3 5\n\tmov.b32 %r1, 0;\n\tmov.b32 %r2, 0;\n\t.loc 1 0 0\n\tmov.b32 %r3, 0;\n\tret;"));
  EXPECT_EQ(lines.lookup(1), SourcePos());
  EXPECT_EQ(lines.lookup(6), SourcePos());
  EXPECT_EQ(lines.lookup(9), (SourcePos{"k.tile", 3, 5}));
  EXPECT_EQ(lines.lookup(11), (SourcePos{"k.tile", 3, 5}));
  EXPECT_EQ(lines.lookup(100), SourcePos());
  EXPECT_EQ(lines.functionAt(8), "k");
  EXPECT_EQ(lines.functionAt(100), "");
  EXPECT_EQ(lines.functionPos("k"), (SourcePos{"k.tile", 3, 5}));
  EXPECT_EQ(lines.functionPos("other"), SourcePos());
}

} // namespace
