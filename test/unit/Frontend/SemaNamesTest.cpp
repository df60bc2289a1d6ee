//===- SemaNamesTest.cpp - names, scopes, fns and constants ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SemaTestUtil.h"

using namespace tilec;
using namespace tilec::frontend;

TEST(SemaNames, Unknown) {
  expectInvalid({
      {"TILE0301", "unknown name 'x'", inKernel("let y = @x + 1;")},
      {"TILE0301", "unknown name 'Q'", inKernel("let y = @Q[0];")},
      {"TILE0301", "unknown name 'z'", inKernel("@z = 1;")},
      {"TILE0301", "unknown name 'lenght'", inKernel("let length = n; let y = @lenght;")},
      {"TILE0302", "unknown function 'expp'", inKernel("let y = @expp(s);")},
      {"TILE0303", "unknown statement 'copyy'", inKernel("@copyy(S, F);")},
      {"TILE0304", "unknown type 'U'", inKernel("let y: @U = 1;")},
      {"TILE0305", "unknown kernel 'kk'", inKernel("") + "instantiate @kk as x;"},
      {"TILE0305", "unknown kernel 'kk'", inKernel("") + "tune @kk { }"},
      {"TILE0316", "'target' has no field 'smm'", inKernel("let y = target.@smm;")},
      {"TILE0309", "'s' is not a kernel", inKernel("") + "const s = 1; instantiate @s as x;"},
      {"TILE0308", "'n' is not a type", inKernel("let y: @n = 1;")},
  });
}

TEST(SemaNames, UnknownIsSaidOnce) {
  expectInvalid(
      {{"TILE0301", "unknown name 'q'",
        inKernel("let a = @q; let b = q + 1; for i in range(q) { F[q, 0] = q; }")},
       {"TILE0304", "unknown type 'U'", inKernel("let a: @U = 1; var b: U = 2; fragment R: U[3];")}});
}

TEST(SemaNames, Suggestions) {
  SemaResult result = analyzeText(inKernel("let length = n; let y = lenght;"));
  EXPECT_NE(result.text.find("did you mean 'length'?"), std::string::npos) << result.text;
  result = analyzeText(inKernel("gem(S, S, F);"));
  EXPECT_NE(result.text.find("did you mean 'gemm'?"), std::string::npos) << result.text;
  result = analyzeText(inKernel("let y = sqt(s);"));
  EXPECT_NE(result.text.find("did you mean 'sqrt'?"), std::string::npos) << result.text;
  result = analyzeText(inKernel("let y: f23 = 1;"));
  EXPECT_NE(result.text.find("did you mean 'f32'?"), std::string::npos) << result.text;
}

TEST(SemaNames, Duplicates) {
  expectInvalid({
      {"TILE0306", "'x' is declared twice", inKernel("let x = n; let @x = 2;")},
      {"TILE0306", "'F' is declared twice", inKernel("fragment @F: f32[4];")},
      {"TILE0306", "'A' is declared twice",
       "kernel k(A: f32[N], @A: f32[N]) { grid(1, threads = 32) as (b) { } }"},
      {"TILE0306", "'A' is declared twice",
       "kernel k(A: f32[N], B: f32[@A]) { grid(1, threads = 32) as (b) { } }"},
      {"TILE0306", "'N' is declared twice", "kernel k<N = 3>(@N: f32) { grid(1, threads = 32) as (b) { } }"},
      {"TILE0306", "'b' is declared twice",
       "kernel k(A: f32[N]) { grid(1, 1, threads = 32) as (b, @b) { } }"},
      {"TILE0306", "'k' is declared twice",
       "const k = 1; kernel @k(A: f32[N]) { grid(1, threads = 32) as (b) { } }"},
      {"TILE0306", "'x' is declared twice", "fn f(x: f32, @x: f32) -> f32 { return x; }"},
      {"TILE0306", "'i' is declared twice", inKernel("for (i, @i) in parallel(16, 8) { let z = F[0, 0]; }")},
      {"TILE0307", "'max' is a built-in", "fn @max(a: f32) -> f32 { return a; }"},
      {"TILE0307", "'copy' is a built-in", "fn @copy(a: fragment f32[R]) { fill(a, 0); }"},
  });
  // An inner block hides an outer name, and variables hide no function.
  expectValid(inKernel(
      "let x = n; { let x = 2.0; let y = x * s; } let max = 3; let z = max(max, n); let exp = exp(s);"));
  expectValid(inKernel("{ let F = n; for S in range(3) { let V = S; } }"));
}

TEST(SemaNames, Kinds) {
  expectInvalid({
      {"TILE0310", "'F' is a fragment and has no value", inKernel("let y = @F;")},
      {"TILE0310", "'A' is a tensor and has no value", inKernel("let y = @A + 1;")},
      {"TILE0310", "'k' is a kernel", inKernel("let y = @k;")},
      {"TILE0310", "'f' is a fn", "fn f(x: f32) -> f32 { return x; }" + inKernel("let y = @f;")},
      {"TILE0311", "'n' is a scalar and has no elements", inKernel("let y = @n[0];")},
      {"TILE0311", "'BM' is a constant", inKernel("let y = @BM[0];")},
      {"TILE0311", "'T' is a type", inKernel("let y = @T[0];")},
      {"TILE0311", "'Z' is a constant", "const Z = 1;" + inKernel("let y = @Z[0];")},
      {"TILE0312", "'n' is a scalar parameter", inKernel("@n = 1;")},
      {"TILE0312", "'M' is a runtime dimension", inKernel("@M = 1;")},
      {"TILE0312", "'bx' is a block index", inKernel("@bx = 1;")},
      {"TILE0312", "'x' is a 'let'", inKernel("let x = n; @x = 1;")},
      {"TILE0312", "'x' is a constant", inKernel("let x = 1; @x = 1;")},
      {"TILE0312", "'F' is a fragment", inKernel("@F = 0;")},
      {"TILE0312", "'Z' is a const", "const Z = 1;" + inKernel("@Z = 1;")},
      {"TILE0312", "'i' is a loop variable", inKernel("for i in range(4) { @i = 1; }")},
      {"TILE0312", "'lda' is a runtime stride",
       "kernel k(A: f32[N, 4] strides [lda, 1]) { grid(1, threads = 32) as (b) { @lda = 1; } }"},
      {"TILE0312", "'x' is a scalar parameter",
       "fn f(x: f32) -> f32 { @x = 1; return x; }" + inKernel("let y = f(s);")},
      {"TILE0313", "'m' is a tile macro",
       "fn m(a: fragment f32[R]) { fill(a, 0); }" + inKernel("let y = @m(n);")},
      {"TILE0314", "'fill' is a statement", inKernel("let y = @fill(n, n);")},
      {"TILE0315", "'f' is a function", "fn f(x: f32) -> f32 { return x; }" + inKernel("@f(s);")},
      {"TILE0315", "'sqrt' is a function", inKernel("@sqrt(s);")},
  });
}

TEST(SemaNames, UnusedKernelsAreCheckedForNames) {
  // `N: int` has no value, so nothing instantiates it: types are not looked at, names are.
  std::string head = "kernel k<N: int, type T = f16>(A: T[M, N], out C: T[M, N], s: f32) "
                     "{ let q = M; grid(M, threads = N, cluster = (2, 1)) as (b) { ";
  expectValid(
      head +
      "let x = s + true; var y: i32 = 1.5; fragment F: T[N, 3] = 0; F[b] = bitcast<T>(x); "
      "for i in pipelined(3, stages = 2) { while i < 3 { break; } } if x < y <= 3 { copy(A, F); } else { } "
      "for (i, j) in parallel(3, 4) { C[i, j] = -T(x) + max(s, 1) + target.sm; continue; } "
      "reduce_max(F, F, axis = 0, nan = propagate); let W = A[0 +: 3, :]; x = c1 ? f16(1) : inf; } }"
      "const c1 = 1;");
  expectInvalid({
      {"TILE0301", "unknown name 'zz'", head + "let x = @zz; } }"},
      {"TILE0301", "unknown name 'zz'", head + "copy(A, @zz); } }"},
      {"TILE0301", "unknown name 'zz'", head + "if true { let y = @zz[0, 1]; } } }"},
      {"TILE0302", "unknown function 'zz'", head + "let x = @zz(1); } }"},
      {"TILE0303", "unknown statement 'zz'", head + "@zz(1); } }"},
      {"TILE0304", "unknown type 'zz'", head + "let x: @zz = 1; } }"},
      {"TILE0304", "unknown type 'zz'", head + "let x = bitcast<@zz>(1); } }"},
      {"TILE0304", "unknown type 'zz'", head + "fragment x: @zz[4]; } }"},
      {"TILE0304", "unknown type 'zz'", "kernel k<N: int>(A: @zz[N]) { grid(1, threads = 32) as (b) { } }"},
      {"TILE0306", "'x' is declared twice", head + "let x = 1; let @x = 2; } }"},
      {"TILE0316", "no field 'zz'", head + "let x = target.@zz; } }"},
      {"TILE0301", "unknown name 'zz'", "fn f(x: f32) -> f32 { return @zz; }"},
      {"TILE0304", "unknown type 'zz'", "fn f(x: @zz) -> f32 { return x; }"},
      {"TILE0301", "unknown name 'zz'", "fn f(x: fragment f32[R, R * @zz]) { fill(x, R); }"},
  });
}

TEST(SemaNames, UntakenSidesAreCheckedForNames) {
  expectValid(inKernel("if FLAG { let x: i32 = 1.5; fill(F, true); } else { let y = n; }"));
  expectValid(inKernel(
      "let x = FLAG ? S + 1 : n; let y = FLAG && s; let z = !FLAG || s; while FLAG { let w = 1 + true; }"));
  expectValid(inKernel("if sizeof(T) == 4 { gemm(S, S, S); } else if T == bf16 { F = 3; } else { }"));
  expectInvalid({
      {"TILE0301", "unknown name 'q'", inKernel("if FLAG { let x = @q; }")},
      {"TILE0301", "unknown name 'q'", inKernel("let x = FLAG ? @q : n;")},
      {"TILE0301", "unknown name 'q'", inKernel("let x = FLAG && @q;")},
      {"TILE0301", "unknown name 'q'", inKernel("for i in unroll(0) { let x = @q; }")},
      {"TILE0301", "unknown name 'q'", inKernel("let x = 3 < 2 < @q;")},
  });
}

TEST(SemaNames, Recursion) {
  expectInvalid({
      {"TILE0317", "'f' calls 'f'", "fn f(x: f32) -> f32 { return x > 0 ? @f(x - 1) : 0; }"},
      {"TILE0317", "'m' calls 'm'", "fn m(a: fragment f32[R]) { @m(a); }" + inKernel("m(V);")},
  });
  SemaResult result =
      analyzeText("fn f(x: f32) -> f32 { return g(x); } fn g(x: f32) -> f32 { return f(x); }" +
                  inKernel("let y = f(s);"));
  EXPECT_EQ(result.count(Severity::Error), 2u) << result.text; // one at each call
}

TEST(SemaNames, Constants) {
  expectInvalid({
      {"TILE0507", "const 'a' depends on itself", "const @a = a + 1;"},
      {"TILE0501", "must be a compile-time constant", "const a = @sqrt(2.0);"},
      {"TILE0408", "type 'f16' is no value here", "const a = @f16;"},
      {"TILE0505", "is outside of", "const a = @18446744073709551615 + 1;"},
      {"TILE0505", "18446744073709551616", "const a = @18446744073709551616;"},
      {"TILE0505", "is outside of", "const a = @1 << 64;"},
      {"TILE0505", "is outside of", "const a = @-9223372036854775808 - 1;"},
      {"TILE0505", "is outside of", "const a = @18446744073709551615 * 18446744073709551615;"},
      {"TILE0506", "division by zero", "const a = 1 / @0;"},
      {"TILE0506", "division by zero", "const a = ceildiv(1, @0);"},
      {"TILE0506", "division by zero", "const a = 1 % @(2 - 2);"},
  });
  EXPECT_EQ(analyzeText("const a = b; const b = a;").count(Severity::Error), 1u);
  expectValid("const a = b + 1; const b = 2; const c = 18446744073709551615; const d = -9223372036854775808;"
              "const e = c - 1; const f = inf; const g = 1.0 / 0; const h = c > d ? 1 : 0;");
}

TEST(SemaNames, DefaultsAndFunctionsSeeOnlyTheirOwn) {
  // A fn sees file-level names and its own, not those of the caller.
  expectInvalid({{"TILE0301", "unknown name 'y'",
                  "fn f(x: f32) -> f32 { return x + @y; }" + inKernel("let y = s; let z = f(s);")}});
  expectInvalid({{"TILE0301", "unknown name 'B'",
                  "kernel k<A = @B, B = 3>(X: f32[N]) { grid(1, threads = 32) as (b) { } }"}});
}
