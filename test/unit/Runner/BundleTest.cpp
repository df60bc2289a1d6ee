//===- BundleTest.cpp -----------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage of tensors, and what a bundle may hold. Bundles that run are in test/Runner.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Bundle.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::runner;

TEST(Bundle, StorageSpan) {
  EXPECT_EQ(storageSpan({3, 4}, {}), 12);
  EXPECT_EQ(storageSpan({3, 4}, {10, 1}), 24);
  EXPECT_EQ(storageSpan({3, 4}, {0, 1}), 4);
  EXPECT_EQ(storageSpan({0, 4}, {10, 1}), 0);
  EXPECT_EQ(storageSpan({}, {}), 1);
  EXPECT_EQ(storageSpan({-1}, {}), std::nullopt);
  EXPECT_EQ(storageSpan({2}, {-1}), std::nullopt);
  EXPECT_EQ(storageSpan({int64_t(1) << 40, int64_t(1) << 40}, {}), std::nullopt);
  EXPECT_EQ(storageSpan({int64_t(1) << 56}, {}), int64_t(1) << 56);
  EXPECT_EQ(storageSpan({(int64_t(1) << 56) + 1}, {}), std::nullopt);
}

namespace {
class BundleValidation : public testing::Test {
protected:
  BundleValidation() {
    ManifestEntry &entry = manifest.entries.emplace_back();
    entry.name = "e";
    entry.params.resize(2);
    entry.params[0] = {true, "A", launch::findElementType("i4"), launch::Access::Out, {"N"}, {}};
    entry.params[1] = {false, "s", launch::findElementType("f32"), launch::Access::In, {}, {}};
    arguments.resize(2);
    arguments[0].name = "A";
    arguments[0].extents = {5};
    arguments[1].name = "s";
    expected = {{"A", 0, {{2, 3, std::string(2, 'x')}}}};
  }
  std::string error() {
    std::string text;
    BundleCheck check{"check", name, 1, arguments, expected};
    EXPECT_EQ(validate(manifest, check, text), text.empty());
    return text;
  }
  std::string benchError(double bytes, double flops) {
    std::string text;
    BundleBench bench{"bench", name, 1, arguments, expected, bytes, flops};
    EXPECT_EQ(validate(manifest, bench, text), text.empty());
    return text;
  }

  Manifest manifest;
  std::string name = "e";
  std::vector<Argument> arguments;
  std::vector<Expected> expected;
};
} // namespace

TEST_F(BundleValidation, Good) { EXPECT_EQ(error(), ""); }

TEST_F(BundleValidation, Entry) {
  name = "f";
  EXPECT_EQ(error(), "entry point 'f': the manifest has none of that name");
}

TEST_F(BundleValidation, Arguments) {
  std::vector<Argument> all = arguments;
  arguments.pop_back();
  EXPECT_EQ(error(), "entry point 'e': has 2 parameters, not 1");
  arguments = all;
  arguments[0].name = "B";
  EXPECT_EQ(error(), "entry point 'e': parameter 0 is 'A', not 'B'");
  arguments = all;
  arguments[0].extents = {5, 5};
  EXPECT_EQ(error(), "entry point 'e': 'A' has another number of extents or strides");
  arguments = all;
  arguments[0].extents = {-5};
  EXPECT_EQ(error(), "entry point 'e': the extents or strides of 'A' are negative or too large");
}

TEST_F(BundleValidation, Expected) {
  expected[0].name = "s";
  EXPECT_EQ(error(), "entry point 'e': 's' is no output");
  expected[0].name = "A";
  const char *outside = "entry point 'e': a block of 'A' is not inside the tensor or has another size";
  for (ExpectedBlock block : {ExpectedBlock{4, 2, "x"}, ExpectedBlock{-2, 2, "x"}, ExpectedBlock{0, 2, "xx"},
                              ExpectedBlock{1, 2, "x"}, ExpectedBlock{INT64_MAX - 1, 2, "x"}}) {
    expected[0].blocks = {block};
    EXPECT_EQ(error(), outside) << block.start;
  }
}

/// A check that expects nothing, or no number as the tolerance, would pass whatever the kernel does.
TEST_F(BundleValidation, Silent) {
  std::vector<Expected> all = expected;
  expected.clear();
  EXPECT_EQ(error(), "entry point 'e': nothing is expected of the output 'A'");
  EXPECT_EQ(benchError(1, 1), "");
  expected = all;
  for (std::vector<ExpectedBlock> blocks :
       {std::vector<ExpectedBlock>(), std::vector<ExpectedBlock>{{2, 0, ""}}}) {
    expected[0].blocks = blocks;
    EXPECT_EQ(error(), "entry point 'e': no element of 'A' is expected");
  }
  arguments[0].extents = {0};
  expected[0].blocks.clear();
  EXPECT_EQ(error(), "");
  expected.clear();
  EXPECT_EQ(error(), "");
  arguments[0].extents = {5};
  expected = {all[0], all[0]};
  EXPECT_EQ(error(), "entry point 'e': 'A' is expected twice");
  expected = all;
  for (double tolerance : {-1.0, double(NAN), double(INFINITY)}) {
    expected[0].tolerance = tolerance;
    EXPECT_EQ(error(), "entry point 'e': the tolerance of 'A' is not a finite number from 0 on");
  }
}

TEST_F(BundleValidation, Bench) {
  EXPECT_EQ(benchError(1e9, 0), "");
  const char *wrong = "entry point 'e': the bytes or flops of a launch are not in 0 to 1e18";
  EXPECT_EQ(benchError(-1, 0), wrong);
  EXPECT_EQ(benchError(0, NAN), wrong);
  EXPECT_EQ(benchError(1e19, 0), wrong);
}
