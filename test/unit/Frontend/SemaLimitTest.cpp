//===- SemaLimitTest.cpp - programs that are large or deep ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long chains of declarations end neither on the stack nor in quadratic time: each of these programs takes
// well under a second, and took minutes or crashed where a chain was followed recursively or once a member.
//
//===----------------------------------------------------------------------===//

#include "SemaTestUtil.h"

namespace tilec::frontend {
namespace {

std::string repeat(unsigned count, llvm::function_ref<std::string(unsigned)> text) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += text(i);
  return result;
}

TEST(SemaLimits, ChainsOfConsts) {
  constexpr unsigned length = 20000;
  auto link = [](unsigned i) {
    return "const a" + std::to_string(i) + " = a" + std::to_string(i + 1) + " + 1;\n";
  };
  std::string end = "const a" + std::to_string(length) + " = 0;\n";
  SemaResult result = analyzeText(repeat(length, link) + end + inKernel("let x: i32 = a0; E[0] = x;"));
  EXPECT_NE(result.hir.find(std::to_string(length) + ":i32"), std::string::npos) << result.text;

  std::string cycle = "const a" + std::to_string(length) + " = a0;\n";
  EXPECT_EQ(analyzeText(repeat(length, link) + cycle).count(Severity::Error), 1u);
  // Every const leads back to the first, too.
  auto tangle = [](unsigned i) {
    return "const a" + std::to_string(i) + " = a" + std::to_string(i + 1) + " + a0;\n";
  };
  EXPECT_GE(analyzeText(repeat(2000, tangle) + "const a2000 = a0;\n").count(Severity::Error), 1u);
}

TEST(SemaLimits, UntakenSidesMayLeadBack) {
  SemaResult result =
      analyzeText("const a = true ? 1 : b; const b = a + 1;" + inKernel("let x: i32 = b; E[0] = x;"));
  EXPECT_NE(result.program, nullptr) << result.text;
}

TEST(SemaLimits, ChainsOfFunctions) {
  constexpr unsigned length = 20000;
  auto link = [](unsigned i) {
    return "fn g" + std::to_string(i) + "(x: f32) -> f32 { return g" + std::to_string(i + 1) + "(x); }\n";
  };
  auto last = [](llvm::StringRef value) {
    return "fn g" + std::to_string(length) + "(x: f32) -> f32 { return " + value.str() + "; }\n";
  };
  EXPECT_NE(analyzeText(repeat(length, link) + last("x")).program, nullptr);
  // One cycle of 20,001: an error for each.
  SemaResult result = analyzeText(repeat(length, link) + last("g0(x)"));
  EXPECT_EQ(result.count(Severity::Error), length + 1);
}

TEST(SemaLimits, RecursionIsNamedOnlyWhereItIs) {
  SemaResult result = analyzeText("fn a(x: f32) -> f32 { return b(x); }"
                                  "fn b(x: f32) -> f32 { return c(x) + d(x); }"
                                  "fn c(x: f32) -> f32 { return b(x); }"
                                  "fn d(x: f32) -> f32 { return e(x); }"
                                  "fn e(x: f32) -> f32 { return d(x) + 1; }");
  for (const char *message : {"'b' calls 'c'", "'c' calls 'b'", "'d' calls 'e'", "'e' calls 'd'"})
    EXPECT_NE(result.text.find(message), std::string::npos) << message << '\n' << result.text;
  EXPECT_EQ(result.count(Severity::Error), 4u) << result.text;
}

TEST(SemaLimits, ManyInstances) {
  constexpr unsigned count = 1000;
  SemaResult result = analyzeText(
      "kernel k<A: int>(out Y: i32[N]) { grid(1, threads = 32) as (b) { Y[b] = A; } }\n" +
      repeat(count, [](unsigned i) {
        return "check k<A = " + std::to_string(i) + "> { N = 1 } against reference tolerance 0;\n";
      }));
  ASSERT_NE(result.program, nullptr) << result.text;
  EXPECT_EQ(result.program->kernels.size(), count);
  llvm::StringSet<> symbols; // no name twice
  for (const hir::Kernel &kernel : result.program->kernels)
    EXPECT_TRUE(symbols.insert(kernel.symbol).second) << kernel.symbol;
}

} // namespace
} // namespace tilec::frontend
