//===- ArchInfoTest.cpp - the target table and the target list ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that the rest of the compiler counts on, and every way a target list can be wrong.
//
//===----------------------------------------------------------------------===//

#include "tilec/Target/ArchInfo.h"
#include "gtest/gtest.h"

using namespace tilec;

namespace {

std::string parse(llvm::StringRef text, TargetListError *error = nullptr) {
  llvm::SmallVector<const ArchInfo *> targets;
  TargetListError local;
  if (parseTargetList(text, targets, error ? *error : local)) {
    EXPECT_TRUE(targets.empty());
    return "failed";
  }
  std::string names;
  for (const ArchInfo *arch : targets)
    names += arch->name.str() + ";";
  return names;
}

TEST(ArchInfo, SizesOfTheProgrammingGuide) {
  EXPECT_EQ(ArchInfo::find("sm_80")->sharedPerBlock, 163u * 1024);
  EXPECT_EQ(ArchInfo::find("sm_86")->sharedPerBlock, 99u * 1024);
  EXPECT_EQ(ArchInfo::find("sm_89")->sharedPerBlock, 99u * 1024);
  EXPECT_EQ(ArchInfo::find("sm_90a")->sharedPerBlock, 227u * 1024);
  EXPECT_EQ(ArchInfo::find("sm_120")->sharedPerBlock, 99u * 1024);
  for (const ArchInfo &arch : ArchInfo::all())
    EXPECT_EQ(arch.sharedPerSm - arch.sharedPerBlock, 1024u) << arch.name.str();
}

TEST(ArchInfo, Features) {
  EXPECT_TRUE(ArchInfo::find("sm_80")->has(Feature::CpAsync));
  EXPECT_FALSE(ArchInfo::find("sm_80")->has(Feature::Fp8Cvt));
  EXPECT_FALSE(ArchInfo::find("sm_80")->has(Feature::Tma));
  EXPECT_TRUE(ArchInfo::find("sm_89")->has(Feature::Fp8Mma));
  EXPECT_TRUE(ArchInfo::find("sm_90a")->has(Feature::Wgmma));
  EXPECT_FALSE(ArchInfo::find("sm_120")->has(Feature::Wgmma));
  EXPECT_TRUE(ArchInfo::find("sm_120")->has(Feature::Tma));
  EXPECT_EQ(getFeatureName(Feature::CpAsync), "cp_async");
}

/// PTX that every newer GPU must run may use nothing that one of them lacks.
TEST(ArchInfo, PtxOnlyTargetIsALowerBound) {
  for (const ArchInfo &ptx : ArchInfo::all()) {
    if (!ptx.isPtxOnly())
      continue;
    for (const ArchInfo &arch : ArchInfo::all()) {
      if (arch.sm < ptx.sm)
        continue;
      EXPECT_LE(ptx.sharedPerBlock, arch.sharedPerBlock) << arch.name.str();
      EXPECT_LE(ptx.threadsPerSm, arch.threadsPerSm) << arch.name.str();
      EXPECT_EQ(ptx.features & ~arch.features, 0u) << arch.name.str();
    }
  }
}

TEST(ArchInfo, PtxAttribute) {
  EXPECT_EQ(ArchInfo::find("sm_90a")->ptxAttribute(), "+ptx84");
  EXPECT_TRUE(ArchInfo::find("compute_80")->isPtxOnly());
  EXPECT_FALSE(ArchInfo::find("sm_80")->isPtxOnly());
}

TEST(TargetList, Default) {
  std::string names;
  for (const ArchInfo *arch : defaultTargets())
    names += arch->name.str() + ";";
  EXPECT_EQ(names, "sm_80;sm_90a;compute_80;");
}

TEST(TargetList, Accepts) {
  EXPECT_EQ(parse("sm_80"), "sm_80;");
  EXPECT_EQ(parse(" sm_90a , compute_80,SM_80"), "sm_90a;compute_80;sm_80;");
  EXPECT_EQ(parse("sm_86,sm_86,a10"), "sm_86;");
  EXPECT_EQ(parse("H200,l40s"), "sm_90a;sm_89;");
}

TEST(TargetList, Refuses) {
  TargetListError error;
  EXPECT_EQ(parse("", &error), "failed");
  EXPECT_EQ(error.message, "empty name in target list ''");
  EXPECT_EQ(parse("sm_80,,sm_86", &error), "failed");
  EXPECT_EQ(error.message, "empty name in target list 'sm_80,,sm_86'");

  EXPECT_EQ(parse("sm_90", &error), "failed");
  EXPECT_EQ(error.message, "unknown target 'sm_90'");
  EXPECT_EQ(error.note, "did you mean 'sm_90a'? targets are sm_80, sm_86, sm_89, sm_90a, sm_120, compute_80");

  EXPECT_EQ(parse("sm80", &error), "failed");
  EXPECT_EQ(error.note.rfind("did you mean 'sm_80'?", 0), 0u) << error.note;

  EXPECT_EQ(parse("gfx942", &error), "failed");
  EXPECT_EQ(error.note.rfind("targets are", 0), 0u) << error.note;

  EXPECT_EQ(parse("sm_100a", &error), "failed");
  EXPECT_EQ(error.message, "target 'sm_100a' is not supported yet");
}

} // namespace
