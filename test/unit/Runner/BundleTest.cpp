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
  EXPECT_EQ(storageSpan({int64_t(1) << 60}, {}), std::nullopt);
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
    EXPECT_EQ(validate(manifest, name, arguments, expected, text), text.empty());
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
