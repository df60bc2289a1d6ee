//===- ParserLimitTest.cpp - nesting, size and hostile input ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// N14: each limit one below, at, and one above, and far beyond it, where only counting saves the stack.
//
//===----------------------------------------------------------------------===//

#include "ParseTestUtil.h"

using namespace tilec;
using namespace tilec::frontend;

namespace {

std::string repeat(llvm::StringRef text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

/// `make(n)` is a program with n levels: legal through the limit of 256, one error with this ID beyond.
template <typename Fn> void checkLimit(Fn make, llvm::StringRef id) {
  for (size_t depth : {1, 255, 256})
    EXPECT_EQ(Parsed(make(depth)).getReports(), "") << depth;
  for (size_t depth : {257, 1000, 1000000}) {
    std::string text = make(depth);
    if (text.size() > SourceManager::maxFileBytes)
      text = make(depth / 2);
    std::string reports = Parsed(text).getReports();
    EXPECT_EQ(llvm::StringRef(reports).count('\n'), 1u) << depth << '\n' << reports;
    EXPECT_TRUE(llvm::StringRef(reports).starts_with(id)) << depth << '\n' << reports;
  }
}

TEST(ParserLimits, Brackets) { // TILE0208
  checkLimit([](size_t n) { return "const A = " + repeat("(", n) + "1" + repeat(")", n) + ";"; }, "TILE0208");
  checkLimit([](size_t n) { return "const A = " + repeat("f(", n) + "1" + repeat(")", n) + ";"; },
             "TILE0208");
  checkLimit([](size_t n) { return "const A = " + repeat("a[", n) + "1" + repeat("]", n) + ";"; },
             "TILE0208");
  checkLimit([](size_t n) { return "const A = " + repeat("f32(", n) + "1" + repeat(")", n) + ";"; },
             "TILE0208");
  checkLimit([](size_t n) { return "fn f() " + repeat("{", n) + repeat("}", n); }, "TILE0208");
  checkLimit([](size_t n) { return "fn f() {" + repeat("if a {", n - 1) + repeat("}", n - 1) + "}"; },
             "TILE0208");
  checkLimit(
      [](size_t n) { return "fn f() {" + repeat("for i in range(1) {", n - 1) + repeat("}", n - 1) + "}"; },
      "TILE0208");
}

TEST(ParserLimits, OpenBracketsOnly) {
  for (const char *open : {"(",        "[",      "{",  "f(",  "a[",    "kernel k(", "fn f(a: shared f32[",
                           "<",        "k<",     "?",  "if ", "for (", "else ",     "check k {",
                           "tune k {", "grid(",  "-",  "!",   "}",     ")",         "]",
                           ";",        ",",      "a ", "1 ",  "let ",  "bitcast<",  "\"",
                           "'",        ".",      "+:", "=",   "==",    "++",        "kernel ",
                           "const ",   "import "}) {
    for (llvm::StringRef prefix :
         {"", "const A = ", "fn f() { ", "fn f() { a = ", "kernel k(", "check k { a = "}) {
      Parsed parsed(prefix.str() + repeat(open, 20000));
      bool empty = prefix.empty() && llvm::StringRef(open) == ";";
      EXPECT_EQ(parsed.file->hasErrors(), !empty) << prefix.str() << open;
      EXPECT_LE(parsed.consumer.diags.size(), 21u) << prefix.str() << open;
    }
  }
}

TEST(ParserLimits, UnaryOperators) { // TILE0209
  checkLimit([](size_t n) { return "const A = " + repeat("!", n) + "a;"; }, "TILE0209");
  checkLimit([](size_t n) { return "const A = " + repeat("- ", n) + "a;"; }, "TILE0209");
  // Across brackets too.
  EXPECT_EQ(Parsed("const A = " + repeat("!!(", 128) + "a" + repeat(")", 128) + ";").getReports(), "");
  EXPECT_EQ(Parsed("const A = " + repeat("!!(", 129) + "a" + repeat(")", 129) + ";").getReports(),
            "TILE0209 1:395 more than 256 nested unary operators\n");
}

TEST(ParserLimits, Conditionals) {
  checkLimit([](size_t n) { return "const A = " + repeat("a ? b : ", n) + "c;"; }, "TILE0209");
  checkLimit([](size_t n) { return "const A = " + repeat("a ? ", n) + "b" + repeat(" : c", n) + ";"; },
             "TILE0209");
}

TEST(ParserLimits, ElseIf) {
  checkLimit([](size_t n) { return "fn f() { if a { } " + repeat("else if a { } ", n) + "}"; }, "TILE0209");
}

TEST(ParserLimits, AllLimitsAtOnce) {
  std::string open = repeat("!(a ? ", 254), close = repeat(" : b)", 254);
  EXPECT_EQ(Parsed("const A = " + open + "c" + close + ";").getReports(), "");
}

/// A long sum is a deep tree: everything that walks it recursively relies on the limit.
TEST(ParserLimits, HeightOfExpressions) {
  EXPECT_EQ(Parsed("const A = a" + repeat(" + a", 1024) + ";").getReports(), "");
  for (size_t count : {1025, 1000000})
    EXPECT_EQ(Parsed("const A = a" + repeat(" + a", count) + "; const B = ;").getReports(),
              "TILE0209 1:11 more than 1024 nested expressions\n"
              "TILE0205 1:" +
                  std::to_string(11 + 1 + 4 * count + 2 + 10) +
                  " expected an expression after '=', found ';'\n");
  // A chain of comparisons is flat.
  EXPECT_EQ(Parsed("const A = a" + repeat(" < a", 100000) + ";").getReports(), "");
}

TEST(ParserLimits, LongListsAreFine) {
  EXPECT_EQ(Parsed("const A = f(" + repeat("a, ", 100000) + ");").getReports(), "");
  EXPECT_EQ(Parsed(repeat("const A = 1; ", 100000)).getReports(), "");
  EXPECT_EQ(Parsed("fn f() { " + repeat("a = 1; ", 100000) + "}").getReports(), "");
  EXPECT_EQ(Parsed("fn f() { " + repeat("if a { } ", 100000) + "}").getReports(), "");
}

/// The parser stops when nobody would see more.
TEST(ParserLimits, ErrorLimitStopsParsing) {
  Parsed parsed(repeat("const A = ;\n", 100000));
  EXPECT_EQ(parsed.consumer.diags.size(), 21u);
  EXPECT_TRUE(parsed.diags.isErrorLimitReached());
  EXPECT_TRUE(parsed.file->hasErrors());
}

/// The limit may be reached at any token, also between those that a rule looked at and those it takes.
TEST(ParserLimits, ErrorLimitAnywhere) {
  std::string statements =
      "Y[1] = exp2(x};\nY[5] = rsqrt(x);\nf(g(1), h[2], k = (3));\nfor (i, j) in parallel(2, 3) { }\n"
      "let a = bitcast<f32>(f32(b)[1]);\nif a { } else if b { }\nshared S: f32[1, 2] = 0;\n";
  for (unsigned limit = 1; limit != 40; ++limit) {
    Parsed parsed("kernel k(X f32[1]) { grid(1, threads = 32) as (b) {" + repeat(statements, 40), limit);
    EXPECT_LE(parsed.consumer.diags.size(), limit + 1) << limit;
    EXPECT_TRUE(parsed.file->hasErrors()) << limit;
  }
}

} // namespace
