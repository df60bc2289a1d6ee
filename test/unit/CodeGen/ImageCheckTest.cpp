//===- ImageCheckTest.cpp - whole and damaged images ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every truncation of a real cubin and fatbin is found; so are a few lies in their headers.
//
//===----------------------------------------------------------------------===//

#include "ImageCheck.h"
#include "TestModules.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::test;

namespace {

class ImageCheck : public ::testing::Test {
protected:
  void SetUp() override {
    if (!toolchain())
      GTEST_SKIP() << "no CUDA Toolkit";
    auto context = makeContext();
    auto module = parseModule(*context, vectorAdd());
    CodeGenLog log;
    for (const char *target : {"sm_80", "compute_80"}) {
      std::optional<DeviceImage> image = compileToPtx(*module, *ArchInfo::find(target), {}, log);
      ASSERT_TRUE(image && assemble(*image, *toolchain(), {}, log)) << text(log);
      images.push_back(*image);
    }
    std::optional<std::string> made = bundle(images, *toolchain(), {}, log);
    ASSERT_TRUE(made) << text(log);
    fatbin = *made;
    cubin = images[0].cubin;
    expected = {{80, false, cubin}, {80, true, ""}};
  }

  std::vector<DeviceImage> images;
  std::string cubin, fatbin;
  std::vector<ExpectedImage> expected;
};

TEST_F(ImageCheck, EveryTruncationOfACubin) {
  EXPECT_EQ(checkCubin(cubin, {"vector_add_f32"}), "");
  EXPECT_EQ(checkCubin(cubin, {}), "");
  EXPECT_EQ(checkCubin(cubin, {"vector_add_f32", "x"}), "kernel 'x' is missing");
  for (size_t size = 0; size < cubin.size(); ++size)
    ASSERT_NE(checkCubin(llvm::StringRef(cubin).take_front(size), {}), "") << size;
}

/// Whatever a byte says, the check neither crashes nor reads outside; the sanitiser build looks on.
TEST_F(ImageCheck, EveryByteOfTheTablesWrong) {
  for (size_t at = 0; at < cubin.size(); ++at) {
    std::string bad = cubin;
    bad[at] = ~bad[at];
    checkCubin(bad, {"vector_add_f32"});
  }
  for (size_t at = 0; at < 256; ++at) {
    std::string bad = fatbin;
    bad[at] = ~bad[at];
    checkFatbin(bad, expected);
  }
}

TEST_F(ImageCheck, WrongMachine) {
  std::string bad = cubin;
  llvm::support::endian::write16le(bad.data() + 18, 62);
  EXPECT_EQ(checkCubin(bad, {}), "ELF file for machine 62, not for CUDA");
}

TEST_F(ImageCheck, Fatbins) {
  EXPECT_EQ(checkFatbin(fatbin, expected), "");
  for (size_t size = 0; size < fatbin.size(); ++size)
    ASSERT_NE(checkFatbin(llvm::StringRef(fatbin).take_front(size), expected), "") << size;
  EXPECT_NE(checkFatbin(fatbin + "x", expected), "");
  EXPECT_EQ(checkFatbin(fatbin, {{80, false, cubin}}), "the fatbin holds more images than expected");
  EXPECT_EQ(checkFatbin(fatbin, {{80, true, ""}, {80, false, cubin}}), "the PTX for sm_80 is missing");
  EXPECT_EQ(checkFatbin(fatbin, {{90, false, cubin}, {80, true, ""}}), "the cubin for sm_90 is missing");
  EXPECT_EQ(checkFatbin(fatbin, {{80, false, cubin}, {80, true, ""}, {90, true, ""}}),
            "the PTX for sm_90 is missing");
  std::string other = cubin;
  other.back() = ~other.back();
  EXPECT_EQ(checkFatbin(fatbin, {{80, false, other}, {80, true, ""}}),
            "the cubin for sm_80 differs from the one that ptxas wrote");
}

} // namespace
