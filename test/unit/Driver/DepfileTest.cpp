//===- DepfileTest.cpp - dependency files -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quoting as GNU make reads it.
//
//===----------------------------------------------------------------------===//
#include "Depfile.h"

#include <gtest/gtest.h>

namespace tilec {
namespace {

TEST(Depfile, OneRuleWithAbsoluteInputs) {
  EXPECT_EQ(makeDepfile("out.fatbin", {"/a/k.tile", "/b/common.tile"}),
            "out.fatbin: \\\n  /a/k.tile \\\n  /b/common.tile\n");
}

TEST(Depfile, EscapesWhatMakeWouldRead) {
  EXPECT_EQ(makeDepfile("a b", {"/x y#z$w"}), "a\\ b: \\\n  /x\\ y\\#z$$w\n");
  // A backslash matters only before a blank.
  EXPECT_EQ(makeDepfile("t", {"/a\\b", "/a\\ b"}), "t: \\\n  /a\\b \\\n  /a\\\\\\ b\n");
}

TEST(Depfile, StandardInputIsNoFile) { EXPECT_EQ(makeDepfile("t", {"-"}), "t:\n"); }

} // namespace
} // namespace tilec
