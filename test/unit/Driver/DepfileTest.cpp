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

/// The rule, or the errors.
std::string make(llvm::StringRef target, llvm::ArrayRef<std::string> inputs) {
  SourceManager sources;
  CapturingDiagnosticConsumer captured;
  DiagnosticEngine diags(sources, captured);
  std::optional<std::string> rule = makeDepfile(target, inputs, diags);
  EXPECT_EQ(rule.has_value(), captured.diags.empty());
  std::string text = rule.value_or("");
  for (const Diagnostic &diag : captured.diags)
    text += getDiagInfo(diag.id).id.str() + " " + diag.message + "\n";
  return text;
}

TEST(Depfile, OneRuleWithAbsoluteInputs) {
  EXPECT_EQ(make("out.fatbin", {"/a/k.tile", "/b/common.tile"}),
            "out.fatbin: \\\n  /a/k.tile \\\n  /b/common.tile\n");
}

TEST(Depfile, EscapesWhatMakeWouldRead) {
  EXPECT_EQ(make("a b", {"/x y#z$w"}), "a\\ b: \\\n  /x\\ y\\#z$$w\n");
  // A backslash matters only before a blank.
  EXPECT_EQ(make("t", {"/a\\b", "/a\\ b"}), "t: \\\n  /a\\b \\\n  /a\\\\\\ b\n");
}

TEST(Depfile, StandardInputIsNoFile) { EXPECT_EQ(make("t", {"-"}), "t:\n"); }

TEST(Depfile, LineEndsAreRefused) {
  std::string message =
      "' cannot stand in a dependency file: make has no way to write a line end in a name\n";
  EXPECT_EQ(make("t", {"/a\nb"}), "TILE1037 '/a\nb" + message);
  EXPECT_EQ(make("t\r", {"/a"}), "TILE1037 't\r" + message);
}

} // namespace
} // namespace tilec
