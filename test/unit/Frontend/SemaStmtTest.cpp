//===- SemaStmtTest.cpp - statements, loops, parallel, fns, warnings ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SemaTestUtil.h"

using namespace tilec;
using namespace tilec::frontend;

static std::string hirOf(const std::string &body, const std::string &before = "") {
  return bodyOf(analyzeText(before + inKernel(body)));
}

TEST(SemaStmt, Assignments) {
  EXPECT_EQ(hirOf("var x: f32 = 0; x += h; x max= 3; F[1, 2] = x; F[0, 0] -= 1; D[3] /= 2; E[0] min= n; let "
                  "y = D[n];"),
            "var x%8: f32 = 0.0:f32\n"
            "x%8 = (x%8 + f32(h%5))\n"
            "x%8 = max(x%8, 3.0:f32)\n"
            "F#9[1, 2] = x%8\n"
            "F#9[0, 0] = (F#9[0, 0] - 1.0:f32)\n"
            "D#6[3] = (D#6[3] / 2.0:f32)\n"
            "E#7[0] = min(E#7[0], n%3)\n"
            "let y%9: f32 = D#6[i64(n%3)]\n");
  expectInvalid({
      {"TILE0707", "'X' is only read", inKernel("@X[0, 0] = 1;")},
      {"TILE0708", "'C' is 'out' and cannot be read", inKernel("@C[0, 0] += 1;")},
      {"TILE0708", "'C' is 'out' and cannot be read", inKernel("let x = @C[0, 0];")},
      {"TILE0401", "'f32' does not convert to 'i32'", inKernel("E[0] = @s;")},
      {"TILE0502", "constant 99 does not fit 'u4'", inKernel("shared Q: u4[4]; Q[0] = @99;")},
      {"TILE0402", "'+=' have no common type", inKernel("E[0] @+= s;")},
  });
}

TEST(SemaStmt, ControlFlow) {
  EXPECT_EQ(hirOf("for i in range(n) { if i == 3 { continue; } else if c { break; } } for j in range(8, 0, "
                  "-2) { } while c { break; }"
                  "for k in pipelined(2, K, stages = 4) { { let x = k; } }"),
            "for i%8 in range(0, i64(n%3), 1)\n"
            "  if (i%8 == 3)\n"
            "    continue\n"
            "  else\n"
            "    if c%4\n"
            "      break\n"
            "for j%9 in range(8, 0, -2)\n"
            "while c%4\n"
            "  break\n"
            "for k%10 in pipelined(2, K%1, 1, stages = 4)\n"
            "  block\n"
            "    let x%11: i64 = k%10\n");
  expectInvalid({
      {"TILE0706", "the step of a loop is 0", inKernel("for i in range(0, 4, @0) { }")},
      {"TILE0706", "the step of a loop is 0", inKernel("for i in unroll(0, 4, @1 - 1) { }")},
  });
}

TEST(SemaStmt, Unroll) {
  expectValid(inKernel("for i in unroll(20) { if i >= 16 { continue; } V[i] = 0; }"));
  EXPECT_EQ(hirOf("for i in unroll(3, 0, -1) { if i == 2 { continue; } F[i, 0] = i; if n == i { break; } }"),
            "unroll\n"
            "  part\n"
            "    F#9[3, 0] = 3.0:f32\n"
            "    if (n%3 == 3:i32)\n"
            "      break\n"
            "  part\n"
            "    block\n"
            "      continue\n"
            "  part\n"
            "    F#9[1, 0] = 1.0:f32\n"
            "    if (n%3 == 1:i32)\n"
            "      break\n");
}

TEST(SemaStmt, UnrollSkipsDeadSides) {
  std::string text =
      hirOf("for i in unroll(4) { let x = F[i, i * 2]; fragment Q: f32[i + 1] = x; if i == 2 { break; } }");
  EXPECT_NE(text.find("fragment Q#14: f32[3]"), std::string::npos) << text;
  EXPECT_EQ(text.find("f32[4]"), std::string::npos) << text; // nothing follows a certain break
}

TEST(SemaStmt, SizeLimit) {
  SemaOptions small;
  small.maxNodesPerKernel = 1000;
  expectInvalid(
      {"TILE0737", "expands to more than 1000 nodes", inKernel("for i in @unroll(100000) { F[0, 0] = i; }")},
      small);
  expectInvalid(
      {"TILE0737", "expands to more than 1000 nodes", inKernel("for i in @unroll(1000000000000) { }")},
      small);
  expectInvalid({"TILE0737", "expands to more than 1000 nodes",
                 "fn a(x: f32) -> f32 { return x * x + x * x; } fn b(x: f32) -> f32 { return a(x) + a(x) + "
                 "a(x) + a(x); }"
                 "fn d(x: f32) -> f32 { return b(x) + b(x) + b(x) + b(x); } fn e(x: f32) -> f32 { return "
                 "d(x) + d(x) + d(x) + d(x) + d(x) + d(x); }" +
                     inKernel("let y = @e(s) + e(s);")},
                small);
  expectInvalid({"TILE0737", "expands to more than 1000 nodes",
                 [] {
                   std::string body;
                   for (int i = 0; i < 400; ++i)
                     body += "fill(F, 0);";
                   std::string source = inKernel(body);
                   return source.insert(source.find("k<"), "@");
                 }()},
                small);
}

TEST(SemaStmt, CallDepth) {
  std::string fns = "fn q0(x: f32) -> f32 { return x; }";
  for (int i = 1; i <= 100; ++i)
    fns += "fn q" + std::to_string(i) + "(x: f32) -> f32 { return " + (i == 64 ? "@" : "") + "q" +
           std::to_string(i - 1) + "(x); }";
  std::string shallow = fns;
  shallow.erase(shallow.find('@'), 1);
  expectValid(shallow + inKernel("let y = q60(s);"));
  std::string deep = fns;
  size_t at = deep.find('@');
  deep.erase(at, 1);
  at = deep.find("fn q37(x: f32) -> f32 { return ") + strlen("fn q37(x: f32) -> f32 { return ");
  expectInvalid({{"TILE0738", "nested too deep", deep.insert(at, "@") + inKernel("let y = q100(s);")}});
  // Every level is as deep as the parser lets it be.
  std::string wide = "fn g0(x: f32) -> f32 { return x; }";
  for (int i = 1; i <= 60; ++i)
    wide += "fn g" + std::to_string(i) + "(x: f32) -> f32 { return " + std::string(200, '(') + "g" +
            std::to_string(i - 1) + "(x)" + std::string(200, ')') + "; }";
  SemaResult result = analyzeText(wide + inKernel("let y = g60(s);"));
  EXPECT_EQ(result.count(Severity::Error), 1u) << result.text.substr(0, 500);
}

TEST(SemaStmt, ChainsEvaluateOnce) {
  EXPECT_EQ(hirOf("let y = 0 <= n + 1 < bx;"),
            "let y%9: bool = (operand%8: i32 = (n%3 + 1:i32)) -> bool {\n"
            "    return ((0:i32 <= operand%8) && (i64(operand%8) < bx%6))\n"
            "  }\n");
  std::string nested = "n + 1";
  for (int i = 0; i < 60; ++i) // 2^60 nodes if the middle were written twice
    nested = "i32(0 < " + nested + " < 3) + 1";
  expectValid(inKernel("let y = " + nested + ";"));
}

TEST(SemaStmt, LongExpressions) {
  std::string sum = "n";
  for (int i = 0; i < 900; ++i) // the parser's limit is 1024
    sum += " + 1";
  SemaResult result = analyzeText(inKernel("let x = " + sum + "; let y = 1" + sum.substr(1) + ";"));
  EXPECT_EQ(result.count(Severity::Error), 0u) << result.text.substr(result.text.rfind("error:"), 200);
}

TEST(SemaStmt, ScalarFunctions) {
  EXPECT_EQ(hirOf("let y = relu(h); let z = twice(n);",
                  "const two = 2; fn relu<type T>(x: T) -> T { if x > 0 { return x; } else { return 0; } }"
                  "fn twice(x: i64) -> i64 { var r = x; for i in range(two) { r += x; if r > 9 { return r; } "
                  "} return r * two; }"),
            "let y%9: f16 = relu(x%8: f16 = h%5) -> f16 {\n"
            "    if (x%8 > 0.0:f16)\n"
            "      return x%8\n"
            "    else\n"
            "      return 0.0:f16\n"
            "  }\n"
            "let z%13: i64 = twice(x%10: i64 = i64(n%3)) -> i64 {\n"
            "    var r%11: i64 = x%10\n"
            "    for i%12 in range(0, 2, 1)\n"
            "      r%11 = (r%11 + x%10)\n"
            "      if (r%11 > 9)\n"
            "        return r%11\n"
            "    return (r%11 * 2)\n"
            "  }\n");
  std::string relu =
      "fn relu<type T>(x: T) -> T { return max(x, 0); } fn both<type T>(x: T, y: T) -> T { return x + y; }";
  EXPECT_NE(hirOf("let y = relu(3);", relu).find("-> i64"), std::string::npos);
  EXPECT_NE(hirOf("let y = relu(3.0);", relu).find("-> f32"), std::string::npos);
  EXPECT_NE(hirOf("let y = both(3, h);", relu).find("-> f16"), std::string::npos);
  EXPECT_NE(hirOf("let y = both(3, 1.5);", relu).find("-> f32"), std::string::npos);
  EXPECT_NE(hirOf("let y = both(i8(3), 4);", relu).find("-> i8"), std::string::npos);
  expectValid("fn w(x: i32) -> i32 { while true { if x > 3 { return x; } } }"
              "fn u(x: i32) -> i32 { for i in unroll(3) { if i == 1 { return x; } } }"
              "fn t(x: f32) -> f32 { if sizeof(f16) == 2 { return x; } }" +
              inKernel("let y = w(n) + u(n); let z = t(s);"));
  expectInvalid({
      {"TILE0703", "fn 'f' can end without a 'return'",
       "fn f(x: f32) -> f32 { if x > 0 { return x; } @}" + inKernel("let y = f(s);")},
      {"TILE0703", "fn 'f' can end without a 'return'",
       "fn f(x: f32) -> f32 { while true { break; } @}" + inKernel("let y = f(s);")},
      {"TILE0703", "fn 'f' can end without a 'return'",
       "fn f(x: i32) -> i32 { for i in unroll(3) { if x > i { return x; } } @}" + inKernel("let y = f(n);")},
      {"TILE0702", "a tile cannot stand in a scalar fn",
       "fn f(x: f32) -> f32 { @fragment Q: f32[3]; return x; }" + inKernel("let y = f(s);")},
      {"TILE0702", "'parallel' cannot stand in a scalar fn",
       "fn f(x: f32) -> f32 { @for i in parallel(3) { } return x; }" + inKernel("let y = f(s);")},
      {"TILE0702", "'pipelined' cannot stand in a scalar fn",
       "fn f(x: f32) -> f32 { @for i in pipelined(3, stages = 1) { } return x; }" +
           inKernel("let y = f(s);")},
      {"TILE0702", "'print' cannot stand in a scalar fn",
       "fn f(x: f32) -> f32 { @print(\"x\"); return x; }" + inKernel("let y = f(s);")},
      {"TILE0702", "a call statement cannot stand",
       "fn m(a: fragment f32[R]) { fill(a, 0); } fn f(x: f32) -> f32 { @m(x); return x; }" +
           inKernel("let y = f(s);")},
      {"TILE0414", "type parameter 'T' is both 'f32' and 'f16'", relu + inKernel("let y = both(s, @h);")},
      {"TILE0415", "no parameter of 'f' has the type 'T'", "fn f<type @T>(x: f32) -> f32 { return x; }"},
      {"TILE0815", "scalar fn 'f' takes a tile 'a'", "fn f(@a: fragment f32[R]) -> f32 { return 0; }"},
      {"TILE0401", "'f32' does not convert to 'f16'",
       "fn f(x: f16) -> f16 { return x; }" + inKernel("let y = f(@s);")},
      {"TILE0401", "'f32' does not convert to 'f16'",
       "fn f(x: f32) -> f16 { return @x; }" + inKernel("let y = f(s);")},
  });
}

TEST(SemaStmt, TileMacros) {
  std::string macro = "fn rescale<type T>(acc: fragment T[R, C], s: fragment f32[R], k: T) {"
                      "  for (i, j) in parallel(R, C) { acc[i, j] = acc[i, j] * T(s[i]) + k; } }"
                      "fn load(q: shared f32[8]) { fill(q, sizeof(f16)); } const EIGHT = 8; fn fix(a: "
                      "fragment f32[EIGHT * 2, EIGHT]) { clear(a); }";
  EXPECT_EQ(hirOf("rescale(F, V, 1); load(S[bx, :]); fix(F);", macro),
            "macro rescale(k%8: f32 = 1.0:f32)\n"
            "  part\n"
            "    for (i%9, j%10) in parallel(16, 8)\n"
            "      F#9[i%9, j%10] = ((F#9[i%9, j%10] * V#10[i%9]) + k%8)\n"
            "view S#12 = S#8[bx%6, 0 +: 8]\n"
            "macro load()\n"
            "  part\n"
            "    fill(S#12, 2.0:f32)\n"
            "macro fix()\n"
            "  part\n"
            "    fill(F#9, 0.0:f32)\n");
  expectInvalid({
      {"TILE0416", "'acc' takes a fragment tile, got a shared tile", macro + inKernel("rescale(@S, V, 1);")},
      {"TILE0416", "'q' takes a shared tile, got a fragment", macro + inKernel("load(@V);")},
      {"TILE0417", "'acc' has rank 2, got a tile of rank 1", macro + inKernel("rescale(@V, V, 1);")},
      {"TILE0418", "extent 0 of 's' is 8, but 'R' is 16",
       macro + inKernel("fragment Q: f32[8] = 0; rescale(F, @Q, 1);")},
      {"TILE0418", "extent 0 of 'q' is 3, but '8' is 8", macro + inKernel("load(@S[0, 0 +: 3]);")},
      {"TILE0419", "'s' takes elements of type 'f32', got 'i32'", macro + inKernel("rescale(F, @G, 1);")},
      {"TILE0414", "type parameter 'T' is both 'f32' and 'f16'", macro + inKernel("rescale(F, V, @h);")},
      {"TILE0413", "'rescale' takes 3 arguments, got 2", macro + inKernel("@rescale(F, V);")},
      {"TILE0712", "'load' has no argument 'q'", macro + inKernel("load(@q = S);")},
      {"TILE0701", "a tile macro cannot stand inside 'parallel'",
       macro + inKernel("for i in parallel(3) { @fix(F); }")},
      {"TILE0606", "'X' is a tensor", macro + inKernel("fix(@X);")},
      {"TILE0301", "unknown name 'bx'", "fn m(a: fragment f32[R]) { fill(a, @bx); }" + inKernel("m(V);")},
  });
  SemaResult result = analyzeText("fn m(a: fragment f32[R]) { a[0] = true; }" + inKernel("m(V);"));
  EXPECT_NE(result.text.find("in this call of 'm'"), std::string::npos) << result.text;
}

TEST(SemaStmt, Parallel) {
  EXPECT_EQ(hirOf("var t = 0.5; for (i, j) in parallel(16, 8) { var a = F[i, j] + t; if a > 0 { continue; } "
                  "while a < 3 { a += 1; break; }"
                  "for k in range(4) { a += S[i, k]; } for u in unroll(2) { a += V[i]; } F[i, j] = a; "
                  "assert(a > 0, \"x\\n\"); print(\"y\", i, a, c); }"),
            "var t%8: f32 = 0.5:f32\n"
            "for (i%9, j%10) in parallel(16, 8)\n"
            "  var a%11: f32 = (F#9[i%9, j%10] + t%8)\n"
            "  if (a%11 > 0.0:f32)\n"
            "    continue\n"
            "  while (a%11 < 3.0:f32)\n"
            "    a%11 = (a%11 + 1.0:f32)\n"
            "    break\n"
            "  for k%12 in range(0, 4, 1)\n"
            "    a%11 = (a%11 + S#8[i%9, k%12])\n"
            "  unroll\n"
            "    part\n"
            "      a%11 = (a%11 + V#10[i%9])\n"
            "    part\n"
            "      a%11 = (a%11 + V#10[i%9])\n"
            "  F#9[i%9, j%10] = a%11\n"
            "  assert((a%11 > 0.0:f32), \"x\\n\")\n"
            "  print(\"y\", i%9, a%11, c%4)\n");
  expectInvalid({
      {"TILE0701", "'parallel' cannot stand inside 'parallel'",
       inKernel("for i in parallel(4) { for j in @parallel(4) { } }")},
      {"TILE0701", "'pipelined' cannot stand inside 'parallel'",
       inKernel("for i in parallel(4) { for j in @pipelined(4, stages = 2) { } }")},
      {"TILE0701", "a tile cannot stand inside 'parallel'",
       inKernel("for i in parallel(4) { @fragment Q: f32[3]; }")},
      {"TILE0701", "'copy' cannot stand inside 'parallel'",
       inKernel("for i in parallel(4) { @copy(S, F); }")},
      {"TILE0704", "'break' of a 'parallel' loop",
       inKernel("for i in parallel(4) { if i == 2 { @break; } }")},
      {"TILE0705", "'t' is assigned inside 'parallel' but declared outside",
       inKernel("var t = 0; for i in parallel(4) { @t = 1; }")},
      {"TILE0705", "'t' is assigned inside 'parallel'",
       inKernel("var t = 0; for i in parallel(4) { @t += i; }")},
  });
}

TEST(SemaStmt, ParallelConflicts) {
  expectInvalid({
      {"TILE0709", "iterations (i = 0) and (i = 1) write the same element of 'S'",
       inKernel("for i in parallel(4) { @S[0, 0] = 1; }")},
      {"TILE0709", "write the same element of 'V'",
       inKernel("for (i, j) in parallel(16, 8) { @V[i] = F[i, j]; }")},
      {"TILE0709", "write the same element of 'C'", inKernel("for i in parallel(4) { @C[bx, by] = 1; }")},
      {"TILE0709", "write the same element of 'D'", inKernel("for i in parallel(n) { @D[bx] = 1; }")},
      {"TILE0709", "write the same element of 'D'", inKernel("for i in parallel(4) { @D[bx] += 1; }")},
      {"TILE0709", "write the same element of 'D'", inKernel("for i in parallel(64) { @D[i / 2] = 1; }")},
      {"TILE0709", "write the same element of 'V'",
       inKernel("for i in parallel(16) { V[i] = 1; @V[(i + 1) % 16] = 2; }")},
      {"TILE0709", "write the same element of 'V'",
       inKernel("for i in parallel(16) { for k in range(4) { @V[k] = 1; } }")},
      {"TILE0709", "write the same element of 'V'",
       inKernel("for i in parallel(16) { if i > 3 { @V[3] = 1; } }")},
      {"TILE0709", "write the same element of 'V'",
       inKernel("for i in parallel(16) { let k = i % 8; @V[k] = 1; }")},
      {"TILE0709", "write the same element of 'V'",
       inKernel("for i in parallel(16) { V[i] = 0; @V[0] += 1; }")},
      {"TILE0710", "iteration (i = 0) reads the element of 'S' that iteration (i = 1) writes",
       inKernel("for i in parallel(15) { S[i, 0] = @S[i + 1, 0]; }")},
      {"TILE0710", "reads the element of 'S'",
       inKernel("for i in parallel(16) { S[i, 0] = @S[(i + 1) % 16, 0]; }")},
      {"TILE0710", "reads the element of 'S'",
       inKernel("for (i, j) in parallel(8, 8) { S[i, j] = @S[j, i]; }")},
      {"TILE0710", "reads the element of 'D'",
       inKernel("for i in parallel(16) { D[bx * 16 + i] = @D[bx * 16 + i + 1]; }")},
      {"TILE0710", "reads the element of 'S'",
       inKernel("for (i, j) in parallel(16, 8) { S[i, j] = S[i, j] - @S[i, 0]; }")},
      {"TILE0710", "reads the element of 'D'",
       "kernel k(inout D: f32[N]) { grid(1, threads = 32) as (b) { for i in parallel(100000) { D[i] = @D[i + "
       "5000]; } } }"},
      {"TILE0711", "'V' is read in the 'parallel' loop that updates it",
       inKernel("for (i, j) in parallel(16, 8) { V[i] += F[i, j] * @V[i]; }")},
      {"TILE0711", "'V' is read in the 'parallel' loop that updates it",
       inKernel("for (i, j) in parallel(16, 8) { V[j] += 1; let x = @V[i]; }")},
  });
  expectValid(inKernel("for i in parallel(16) { V[i] = V[(i + 1) % 16]; }" // fragments see old values
                       "for (i, j) in parallel(8, 8) { F[i, j] = F[j, i] + F[0, 0]; }"
                       "for i in parallel(16) { if i == 3 { V[0] = 1; } }"
                       "for (i, j) in parallel(16, 1) { V[i] = F[i, j]; }"
                       "for (i, j) in parallel(16, 8) { if j == 0 { V[i] = F[i, j]; } }"
                       "for (i, j) in parallel(16, 8) { V[i] += F[i, j]; G[j] max= 3; }"
                       "for i in parallel(16) { S[i, 0] = S[i, 0] + S[i, 1]; }"
                       "for i in parallel(16) { V[G[i]] = 1; }"
                       "for i in parallel(16) { E[I[i]] = 1; }"
                       "for i in parallel(16) { for k in range(8) { S[i, k] = S[i, 7 - k]; } }"
                       "for i in parallel(16) { V[15 - i] = 1; }"
                       "for (i, j) in parallel(16, 4) { D[i * 4 + j] = 1; }"
                       "for i in parallel(16) { V[0] += 1; let x = V[1]; }"
                       "for i in parallel(n) { if i == 0 { D[0] = 1; } }"
                       "for i in parallel(16) { var k = i; k += 1; V[k % 16] = 1; }"
                       "for i in parallel(16) { if s > 0 { V[0] = 1; } }"
                       "for i in parallel(16) { let old = S[i, 0]; S[i, 0] = old + 1; }"));
}

TEST(SemaStmt, FactsAndOutput) {
  EXPECT_EQ(hirOf("assume(n > 0); assume(3 > 2); assert(n > 0, \"a \\\"b\\\"\"); assert(false, \"never\"); "
                  "print(\"v\", n, 1, 0.5, c);"),
            "assume((n%3 > 0:i32))\n"
            "assert((n%3 > 0:i32), \"a \\\"b\\\"\")\n"
            "assert(false, \"never\")\n"
            "print(\"v\", n%3, 1, 0.5:f32, c%4)\n");
  expectInvalid({
      {"TILE0736", "assumption '1 > 2' is false", inKernel("assume(@1 > 2);")},
      {"TILE0735", "'assert' needs a text", inKernel("assert(c, @n);")},
      {"TILE0735", "'print' needs a text", inKernel("print(@n);")},
      {"TILE0404", "the operand of 'assume' must be a bool", inKernel("assume(@n);")},
      {"TILE0404", "the operand of 'assert' must be a bool", inKernel("assert(@n, \"x\");")},
  });
}

//===----------------------------------------------------------------------===//
// Warnings
//===----------------------------------------------------------------------===//

static std::string warningsOf(const std::string &source) {
  SemaResult result = analyzeText(source);
  EXPECT_EQ(result.count(Severity::Error), 0u) << result.text;
  std::string ids;
  for (const Diagnostic &diag : result.diags)
    ids += getDiagInfo(diag.id).id.str() + " " + diag.message + "\n";
  return ids;
}

TEST(SemaWarnings, UnusedTiles) {
  EXPECT_EQ(warningsOf(inKernel("shared Q: f32[4]; fragment R: f32[4] = 0;")),
            "TILE0901 tile 'Q' is never used\nTILE0901 tile 'R' is never used\n");
  // Used in one instance is used.
  EXPECT_EQ(
      warningsOf(
          "kernel k<FLAG = false>(out C: f32[N]) { grid(1, threads = 32) as (b) { fragment R: f32[4] = 0;"
          "if FLAG { copy(R, C[0]); } } } instantiate k as a; instantiate k<FLAG = true> as b2;"),
      "");
}

TEST(SemaWarnings, ReadBeforeWrite) {
  std::string message = "TILE0902 tile 'Q' is read before anything is written to it\n";
  EXPECT_EQ(warningsOf(inKernel("fragment Q: f32[16, 8]; copy(Q, S);")), message);
  EXPECT_EQ(warningsOf(inKernel("fragment Q: f32[16]; reduce_sum(F, Q, axis = 1, accumulate = true);")),
            message);
  EXPECT_EQ(warningsOf(inKernel(
                "shared L: f16[16, 8] = 0; shared R: f16[8, 4] = 0; fragment Q: f32[16, 4]; gemm(L, R, Q);")),
            message);
  EXPECT_EQ(warningsOf(inKernel("fragment Q: f32[16]; for i in parallel(16) { V[i] = Q[i]; }")), message);
  EXPECT_EQ(warningsOf(inKernel("fragment Q: f32[16]; for i in parallel(16) { Q[i] += V[i]; }")), message);
  EXPECT_EQ(warningsOf(inKernel("shared Q: f32[16]; let R = Q[0 +: 4]; copy(R, C[0, 0]);")), message);
  EXPECT_EQ(warningsOf(inKernel("shared Q: f32[16]; cumsum(Q, axis = 0);")), message);
  EXPECT_EQ(warningsOf(inKernel("shared Q: f32[16, 8]; fragment R: f32[8, 16]; transpose(Q, R);")), message);
  EXPECT_EQ(warningsOf(inKernel("shared Q: f32[16]; atomic_add(Q[0], 1);")), message);
  EXPECT_EQ(warningsOf(inKernel("shared Q: f32[16]; atomic_add(D[0], Q);")), message);
  EXPECT_EQ(
      warningsOf(inKernel("for k in range(3) { fragment Q: f32[16]; if k > 0 { copy(Q, V); } copy(V, Q); }")),
      message);
  EXPECT_EQ(warningsOf(inKernel("fragment Q: f32[16]; for k in range(3) { if k > 0 { copy(Q, V); } }")),
            message);
  EXPECT_EQ(warningsOf(inKernel(
                "fragment Q: f32[16]; while Q[0] > 0 { print(\"x\", select(c, -Q[1], f32(Q[2] > 0))); }")),
            message);
  EXPECT_EQ(
      warningsOf(inKernel(
          "fragment Q: f32[16]; for k in range(3) { if k > 0 { copy(Q, V); } copy(V, Q); }"
          "fragment R: f32[16]; if c { fill(R, 0); } copy(R, V); shared Z: i32[2]; Z[0] = n; let y = Z[1];")),
      "");
}

TEST(SemaWarnings, UnreachableCode) {
  std::string message = "TILE0903 this is never reached\n";
  EXPECT_EQ(warningsOf(inKernel("for i in range(3) { break; let x = n; let y = n; }")), message);
  EXPECT_EQ(warningsOf(inKernel("for i in range(3) { if c { continue; } else { break; } fill(F, 0); }")),
            message);
  EXPECT_EQ(warningsOf(inKernel("while true { } fill(F, 0);")), message);
  EXPECT_EQ(
      warningsOf("fn f(x: f32) -> f32 { return x; return 1; }" + inKernel("let y = f(s); let z = f(1);")),
      message);
  EXPECT_EQ(
      warningsOf(inKernel(
          "while true { if c { break; } } fill(F, 0); for i in range(3) { if c { break; } let y = i; }")),
      "");
}

TEST(SemaWarnings, Columns) {
  EXPECT_EQ(warningsOf(inKernel("fragment Q: f32[20, 1] = 0; copy(Q, C[bx, 0]);")),
            "TILE0904 extents [20, 1] make this a column of a tensor\n");
  EXPECT_EQ(warningsOf(inKernel("fragment Q: f32[20, 1] = 0; copy(Q, C[bx +: 20, 0]); fragment R: f32[1, 1] "
                                "= 0; copy(R, C[bx, 0]);")),
            "");
}
