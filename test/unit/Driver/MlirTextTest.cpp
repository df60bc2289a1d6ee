//===- MlirTextTest.cpp - hostile MLIR text --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each limit at and one beyond it (TILE0209, TILE1101), and what looks like nesting and is none.
//
//===----------------------------------------------------------------------===//
#include "MlirText.h"

#include <gtest/gtest.h>

namespace tilec {
namespace {

std::string repeat(llvm::StringRef text, unsigned count) {
  std::string result;
  for (unsigned i = 0; i != count; ++i)
    result += text;
  return result;
}

/// The message with its place, or "" for a text that may be parsed.
std::string check(llvm::StringRef text) {
  SourceManager sources;
  CapturingDiagnosticConsumer captured;
  DiagnosticEngine diags{sources, captured};
  bool good = checkMlirText(sources.addText("x.mlir", text), diags);
  EXPECT_EQ(good, captured.diags.empty());
  if (captured.diags.empty())
    return "";
  LineColumn at = sources.getLineColumn(captured.diags[0].range.getBegin());
  return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + captured.diags[0].message;
}

const std::string tooDeep = "more than 1024 nested brackets and signs";

TEST(MlirText, Brackets) {
  for (llvm::StringRef bracket : {"(", "[", "{", "<"}) {
    EXPECT_EQ(check(repeat(bracket, maxMlirNesting)), "");
    EXPECT_EQ(check("\n" + repeat(bracket, maxMlirNesting + 1)), "2:1025 " + tooDeep);
  }
  EXPECT_EQ(check(repeat("({[<>]})\n", 5000)), "");
  EXPECT_EQ(check(repeat("(a < b) ", 5000)), "") << "a comparison is no bracket beyond its parentheses";
  EXPECT_EQ(check(repeat("() -> ", 5000)), "");
  EXPECT_EQ(check("\"" + repeat("\\\"(", 5000) + "\""), "") << "strings";
  EXPECT_EQ(check("// " + repeat("(", 5000)), "") << "comments";
}

TEST(MlirText, Signs) {
  EXPECT_EQ(check("(" + repeat("-", maxMlirNesting - 1)), "");
  EXPECT_EQ(check("(" + repeat("- ", maxMlirNesting)), "1:2048 " + tooDeep);
  EXPECT_EQ(check(repeat("-//\n", maxMlirNesting + 1)), "1025:1 " + tooDeep);
  EXPECT_EQ(check(repeat("-1 ", 5000)), "");
}

TEST(MlirText, AliasesCountWhereTheyAreUsed) {
  std::string chain = "#a0 = [1]\n";
  for (int i = 1; i != 3000; ++i)
    chain += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + "]\n";
  EXPECT_EQ(check(chain), "1025:11 " + tooDeep); // #a1023, which has 1024 brackets, in one more
  std::string tree = "#a0 = [1]\n";
  for (int i = 1; i != 30; ++i)
    tree +=
        "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + ", #a" + std::to_string(i - 1) + "]\n";
  EXPECT_EQ(check(tree), "21:15 the alias '#a19' makes this one longer than 1048576 aliases, written out");
  // As tilec writes locations: flat, and each used often.
  std::string flat = "#l = loc(\"x\":1:1)\n";
  for (int i = 0; i != 3000; ++i)
    flat += "#l" + std::to_string(i) + " = loc(callsite(#l at #l))\nfoo loc(#l" + std::to_string(i) + ")\n";
  EXPECT_EQ(check(flat), "");
}

TEST(MlirText, BytecodeIsNoText) {
  EXPECT_EQ(check("ML\xefR\x01"), "1:1 this is MLIR bytecode; --from reads MLIR text");
}

} // namespace
} // namespace tilec
