//===- PtxasLogTest.cpp - reading ptxas's messages ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts as ptxas 13.0 printed them.
//
//===----------------------------------------------------------------------===//

#include "PtxasLog.h"
#include "gtest/gtest.h"

using namespace tilec;

namespace {

const char ptx[] = ".version 8.4\n"
                   ".target sm_90a\n"
                   ".address_size 64\n"
                   ".visible .entry k1(\n"
                   ")\n"
                   "{\n"
                   "\t.loc 1 5 3\n"
                   "\tbar.sync 0;\n"
                   "\tret;\n"
                   "}\n"
                   ".visible .entry k2()\n"
                   "{\n"
                   "\t.loc 1 20 3\n"
                   "\tret;\n"
                   "}\n"
                   "\t.file 1 \"k.tile\"\n";

PtxasReport read(llvm::StringRef text) { return readPtxasLog(text, PtxLineMap(ptx)); }

TEST(PtxasLog, Resources) {
  PtxasReport report = read(R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k2' for 'sm_80'
ptxas info    : Function properties for k2
    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads
ptxas info    : Used 168 registers, used 3 barriers, 16 bytes cumulative stack size, 1024 bytes smem, 360 bytes cmem[0]
ptxas info    : Compile time = 13.025 ms
ptxas info    : Compiling entry function 'k1' for 'sm_80'
ptxas info    : Function properties for k1
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 1 barriers, 360 bytes cmem[0]
ptxas info    : Compile time = 0.733 ms
)");
  ASSERT_EQ(report.resources.size(), 2u);
  const KernelResources &k2 = report.resources[0], &k1 = report.resources[1];
  EXPECT_EQ(k2.kernel, "k2");
  EXPECT_EQ(k2.registers, 168u);
  EXPECT_EQ(k2.barriers, 3u);
  EXPECT_EQ(k2.stackBytes, 16u);
  EXPECT_EQ(k2.spillStoreBytes, 24u);
  EXPECT_EQ(k2.spillLoadBytes, 32u);
  EXPECT_EQ(k2.staticSharedBytes, 1024u);
  EXPECT_EQ(k1.kernel, "k1");
  EXPECT_EQ(k1.registers, 8u);
  EXPECT_EQ(k1.staticSharedBytes, 0u);
  EXPECT_TRUE(report.errors.empty());
  EXPECT_TRUE(report.warnings.empty());
}

TEST(PtxasLog, ErrorsAreMappedThroughLoc) {
  PtxasReport report = read(R"(ptxas /tmp/x/tmpxft_1_stdin, line 8; error   : Unknown symbol '%r9'
ptxas error   : Entry function 'k2' uses too much shared data (0x493e0 bytes, 0xc000 max)
ptxas fatal   : Ptx assembly aborted due to errors
)");
  ASSERT_EQ(report.errors.size(), 2u);
  EXPECT_EQ(report.errors[0].message, "Unknown symbol '%r9'");
  EXPECT_EQ(report.errors[0].ptxLine, 8u);
  EXPECT_EQ(report.errors[0].kernel, "k1");
  EXPECT_EQ(report.errors[0].pos, (SourcePos{"k.tile", 5, 3}));
  EXPECT_EQ(report.errors[1].kernel, "k2");
  EXPECT_EQ(report.errors[1].pos, (SourcePos{"k.tile", 20, 3}));
}

TEST(PtxasLog, AFatalMessageAloneCounts) {
  PtxasReport report = read("ptxas fatal   : Unsupported .version 9.9; current version is '9.0'\n");
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_EQ(report.errors[0].message, "Unsupported .version 9.9; current version is '9.0'");
}

TEST(PtxasLog, SerializationOfWgmma) {
  PtxasReport report =
      read("ptxas info    : (C7519) Potential Performance Loss: wgmma.mma_async instructions are "
           "serialized due to insufficient register resources for the wgmma pipeline in the function "
           "'k1' around line 8\n"
           "ptxas warning : Local memory used for k2, size of stack frame: 8 bytes\n");
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_EQ(report.warnings[0].code, "C7519");
  EXPECT_TRUE(report.warnings[0].isSerialization());
  EXPECT_EQ(report.warnings[0].kernel, "k1");
  EXPECT_EQ(report.warnings[0].pos, (SourcePos{"k.tile", 5, 3}));
  EXPECT_EQ(report.warnings[1].code, "");
  EXPECT_FALSE(report.warnings[1].isSerialization());
  EXPECT_EQ(report.warnings[1].message, "Local memory used for k2, size of stack frame: 8 bytes");
}

TEST(PtxasLog, OtherTextIsIgnored) {
  PtxasReport report = read("hello\nerror : not ptxas's\n\nptxas\nptxas info\n    3 bytes stack frame\n");
  EXPECT_TRUE(report.errors.empty());
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_TRUE(report.resources.empty());
}

} // namespace
