//===- SemaRegionsTest.cpp - regions, windows, bounds, tile operations ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SemaTestUtil.h"

using namespace tilec;
using namespace tilec::frontend;

/// The HIR of statements in the usual kernel.
static std::string hirOf(const std::string &body) { return bodyOf(analyzeText(inKernel(body))); }

TEST(SemaRegions, CopyShapes) {
  auto copyOf = [](const std::string &body) {
    std::string text = hirOf(body);
    return text.substr(text.find("copy("));
  };
  EXPECT_EQ(copyOf("copy(X[bx * 16, 8], S);"), "copy(X#2[(bx%6 * 16) +: 16, 8 +: 8], S#8)\n");
  EXPECT_EQ(copyOf("copy(V, C[bx, 4]);"), "copy(V#10, C#5[bx%6 +: 1, 4 +: 16])\n");
  EXPECT_EQ(copyOf("copy(X[bx +: 16, 0 +: 8], S);"), "copy(X#2[bx%6 +: 16, 0 +: 8], S#8)\n");
  EXPECT_EQ(copyOf("fragment R: f32[32]; copy(X[bx, :], R);"), "copy(X#2[bx%6, 0 +: 32], R#12)\n");
  EXPECT_EQ(copyOf("fragment R: f32[64, 32]; copy(X, R);"), "copy(X#2[0 +: 64, 0 +: 32], R#12)\n");
  EXPECT_EQ(copyOf("fragment R: f32[1, 1, 8]; copy(R, C[bx, 0]);"), "copy(R#12, C#5[bx%6 +: 1, 0 +: 8])\n");
  EXPECT_EQ(copyOf("fragment R: f16[16, 1]; copy(V, R);"), "copy(V#10, R#12)\n");
  EXPECT_EQ(copyOf("copy(A[bx, by], S, pad = -1);"),
            "copy(A#0[bx%6 +: 16, by%7 +: 8], S#8, pad = -1.0:f32)\n");
  EXPECT_EQ(copyOf("copy(F[4 +: 4, 2 +: 2], S[0, 0]);"), "copy(F#9[4 +: 4, 2 +: 2], S#8[0 +: 4, 0 +: 2])\n");
  EXPECT_EQ(copyOf("copy(S[2, :], F[3, 0 +: 8]);"), "copy(S#8[2, 0 +: 8], F#9[3, 0 +: 8])\n");
  EXPECT_EQ(copyOf("shared Q: u4[8]; copy(P[bx], Q);"), "copy(P#3[bx%6 +: 8], Q#12)\n");
}

TEST(SemaRegions, CopyErrors) {
  expectInvalid({
      {"TILE0601", "'X' has 2 dimensions, got 1 index expression", inKernel("copy(@X[0], S);")},
      {"TILE0601", "'F' has 2 dimensions, got 3", inKernel("let x = @F[0, 0, 0];")},
      {"TILE0604", "operand of 'copy' must be a tensor, a tile", inKernel("copy(@n + 1, S);")},
      {"TILE0605", "a region is no value", inKernel("let x = 1 + @F[0 +: 2, 0];")},
      {"TILE0607", "operand of 'copy' has no extents", inKernel("copy(@X[0, 0], C[0, 0]);")},
      {"TILE0607", "operand of 'fill' has no extents", inKernel("fill(@D[0], 0);")},
      {"TILE0607", "operand of 'clear' has no extents", inKernel("clear(@S[0, 0]);")},
      {"TILE0607", "operand of 'gemm' has no extents",
       inKernel("fragment R: f32[8, 8]; gemm(@S[0, 0], F, R);")},
      {"TILE0608", "the length of a region must be a compile-time constant",
       inKernel("copy(X[0, @0 +: n], V);")},
      {"TILE0608", "the length of a region", inKernel("copy(A[0, @:], V);")},
      {"TILE0609", "'A' has extents that are known only at run time", inKernel("copy(@A, S);")},
      {"TILE0609", "'C' has extents", inKernel("fill(@C, 0);")},
      {"TILE0610", "extent 0 is less than 1", inKernel("copy(X[0, @0 +: 0], V);")},
      {"TILE0610", "extent -3 is less than 1", inKernel("fragment Q: f32[@-3];")},
      {"TILE0611", "'D' has 1 dimension and cannot take the extents [16, 8]", inKernel("copy(S, @D[0]);")},
      {"TILE0612", "'copy' between different extents, [16, 8] and [16]", inKernel("@copy(S, V);")},
      {"TILE0612", "'copy' between different extents, [16, 8] and [8, 16]",
       inKernel("fragment R: f32[8, 16]; @copy(S, R);")},
      {"TILE0612", "'copy' between different extents", inKernel("@copy(X[0 +: 8, 0 +: 16], S);")},
      {"TILE0616", "'pad' for the tile 'S'", inKernel("copy(S, F, @pad = 0);")},
      {"TILE0401", "'f32' does not convert to 'i32'", inKernel("copy(I[0], G, pad = @s);")},
      {"TILE0707", "'X' is only read", inKernel("copy(S, @X[0, 0]);")},
      {"TILE0708", "'C' is 'out' and cannot be read", inKernel("copy(@C[0, 0], S);")},
      {"TILE0708", "'C' is 'out' and cannot be read", inKernel("let W = C[0 +: 4, :]; let x = @W[0, 0];")},
      {"TILE0707", "'A' is only read", inKernel("let W = A[0 +: 4, :]; @W[0, 0] = 1;")},
  });
}

TEST(SemaRegions, Windows) {
  std::string text = hirOf(std::string("let W = A[I[bx] +: n, :]; let U = W[1, 2 +: 5]; let x = U[0];"
                                       "let R = S[4 +: 4, :]; let Z = R[1, 2 +: 2];"
                                       "copy(W[bx, 0], F); copy(U, C[0, 0]); fill(R, 1); fill(Z, 2);"));
  EXPECT_EQ(text, "window W#12 = A#0[i64(I#1[bx%6]) +: i64(n%3), 0 +: K%1]\n"
                  "window U#13 = W#12[1, 2 +: 5]\n"
                  "let x%8: f16 = U#13[0]\n"
                  "view R#14 = S#8[4 +: 4, 0 +: 8]\n"
                  "view Z#15 = R#14[1, 2 +: 2]\n"
                  "copy(W#12[bx%6 +: 16, 0 +: 8], F#9)\n"
                  "copy(U#13[0 +: 5], C#5[0 +: 1, 0 +: 5])\n"
                  "fill(R#14, 1.0:f32)\n"
                  "fill(Z#15, 2.0:f32)\n");
  expectInvalid({
      {"TILE0614", "a window of fragment 'F'", inKernel("let W = @F[0 +: 4, :];")},
      {"TILE0615", "window 'W' has a type", inKernel("let W: @f32 = A[0 +: 4, :];")},
      {"TILE0608", "the length of a region", inKernel("let W = S[@0 +: n, :];")},
      {"TILE0701", "a window cannot stand inside 'parallel'",
       inKernel("for i in parallel(4) { @let W = A[i +: 4, :]; }")},
      {"TILE0601", "'A' has 2 dimensions", inKernel("let W = @A[0 +: 4];")},
      {"TILE0609", "'W' has extents that are known only at run time",
       inKernel("let W = A[0 +: n, 0]; copy(@W, V);")},
      {"TILE0814", "an element stands before the grid's body",
       "kernel k(A: f32[N]) { let W = @A[0 +: 4]; grid(1, threads = 32) as (b) { } }"},
  });
}

TEST(SemaRegions, TileOperands) {
  EXPECT_EQ(hirOf("shared Q: f16[3, 16, 8] = 0; fragment R: f32[16, 16] = 0; gemm(Q[bx % 3, :, :], Q[1, :, "
                  ":], R, trans_b = true);"),
            "shared Q#12: f16[3, 16, 8] = 0.0:f16\n"
            "fragment R#13: f32[16, 16] = 0.0:f32\n"
            "view Q#14 = Q#12[(bx%6 % 3), 0 +: 16, 0 +: 8]\n"
            "view Q#15 = Q#12[1, 0 +: 16, 0 +: 8]\n"
            "gemm(Q#14, Q#15, R#13, trans_b)\n");
  expectInvalid({
      {"TILE0606", "'X' is a tensor", inKernel("reduce_sum(@X, V, axis = 1);")},
      {"TILE0613", "a region of fragment 'F' cannot stand for a tile",
       inKernel("reduce_sum(@F[0, :], V, axis = 0);")},
      {"TILE0618", "tile [2048, 1024] has more than 1048576 elements",
       inKernel("shared Q: f32[@2048, 1024];")},
      {"TILE0618", "has more than", inKernel("shared Q: f32[@4294967296, 4294967296];")},
      {"TILE0617", "rank 9 is more than 8", inKernel("shared Q: f32[@1, 1, 1, 1, 1, 1, 1, 1, 1];")},
      {"TILE0617", "rank 9 is more than 8",
       "kernel k(A: f32@[1, 1, 1, 1, 1, 1, 1, 1, N]) { grid(1, threads = 32) as (b) { } }"},
      {"TILE0502", "constant 8 does not fit 'i4', which holds -8 to 7", inKernel("shared Q: i4[8] = @8;")},
      {"TILE0502", "constant 16 does not fit 'u4'", inKernel("shared Q: u4[8] = 0; Q[0] = @c ? 1 : 16;")},
      {"TILE0502", "constant 16 does not fit 'u4'", inKernel("shared Q: u4[8]; fill(Q, @16);")},
  });
  expectValid(inKernel("shared Q: u4[7] = 15; fragment R: u4[1, 3] = u8(n); shared Z: bool[3] = true; "
                       "clear(Z); fill(R, u8(300));"));
}

TEST(SemaRegions, Bounds) {
  expectInvalid({
      {"TILE0602", "index 16 is out of bounds for dimension 0 of 'F' (16)", inKernel("let x = F[@16, 0];")},
      {"TILE0602", "index -1 is out of bounds for dimension 1 of 'F' (8)", inKernel("F[0, @-1] = 0;")},
      {"TILE0602", "index 64 is out of bounds for dimension 0 of 'X' (64)", inKernel("let x = X[@64, 0];")},
      {"TILE0602", "index -1 is out of bounds for dimension 0 of 'A' (not negative)",
       inKernel("let x = A[@-1, 0];")},
      {"TILE0602", "index 4 is out of bounds for dimension 0 of 'W' (4)",
       inKernel("let W = A[bx +: 4, :]; let x = W[@4, 0];")},
      {"TILE0602", "index 4 is out of bounds for dimension 0 of 'R' (4)",
       inKernel("let R = S[bx +: 4, :]; let x = R[@4, 0];")},
      {"TILE0602", "index 16 is out of bounds", inKernel("for i in parallel(16) { V[i] = V[@i + 1]; }")},
      {"TILE0602", "out of bounds", inKernel("for i in parallel(17) { V[@i] = 0; }")},
      {"TILE0602", "index -1 is out of bounds",
       inKernel("for i in parallel(16) { let k = i - 1; V[i] = V[@k]; }")},
      {"TILE0602", "index 8 is out of bounds",
       inKernel("for (i, j) in parallel(16, 8) { F[i, j] = F[j, @i]; }")},
      {"TILE0602", "index 16 is out of bounds",
       inKernel("for i in parallel(16) { if i < 15 || i == 15 { V[i] = V[@i + 1]; } }")},
      {"TILE0602", "index 16 is out of bounds", inKernel("for i in range(16) { let x = V[@i + 1]; }")},
      {"TILE0602", "index 16 is out of bounds", inKernel("for i in range(0, 100, 16) { let x = V[@i]; }")},
      {"TILE0602", "out of bounds", inKernel("for i in range(15, -2, -1) { let x = V[@i]; }")},
      {"TILE0602", "index 20 is out of bounds",
       inKernel("for i in parallel(100000) { if i == 20 { V[@i] = 0; } }")},
      {"TILE0602", "out of bounds",
       inKernel("for (i, j, k) in parallel(100, 100, 100) { let x = V[@i + j + k]; }")},
      // A condition that has nothing to do with the index does not save it.
      {"TILE0602", "index 16 is out of bounds",
       inKernel("for k in range(n) { for i in parallel(16) { V[i] = V[@i + 1]; } }")},
      {"TILE0602", "index 16 is out of bounds",
       inKernel("if c { for i in parallel(16) { V[i] = V[@i + 1]; } }")},
      {"TILE0602", "index 16 is out of bounds",
       inKernel("while s > 0 { for k in pipelined(K, stages = 2) { for i in parallel(16) { let x = V[@i + "
                "1]; } } }")},
      {"TILE0602", "index 16 is out of bounds",
       inKernel("for i in parallel(16) { for k in range(i) { let x = V[@i + 1]; } }")},
      {"TILE0602", "index 16 is out of bounds",
       inKernel("for (i, j) in parallel(16, n) { if j < 3 { let x = V[@i + 1]; } }")},
      {"TILE0603", "region from 6 to 12 is out of bounds for dimension 0 of 'Q' (8)",
       inKernel("shared Q: f32[8] = 0; fragment R: f32[6]; copy(@Q[6 +: 6], R);")},
      {"TILE0603", "region from 8 to 24 is out of bounds",
       inKernel("for k in range(2) { copy(@S[k * 8, 0], C[0 +: 16, 0 +: 8]); }")},
      {"TILE0603", "region from -1 to 3", inKernel("fill(@S[-1 +: 4, :], 0);")},
      {"TILE0603", "region from 12 to 20", inKernel("for k in range(4) { fill(@S[k * 4 +: 8, :], 0); }")},
      {"TILE0603", "region from 14 to 18", inKernel("let R = @S[14 +: 4, :];")},
  });
}

TEST(SemaRegions, BoundsCountGuards) {
  expectValid(
      inKernel("for i in parallel(16) { if i + 1 < 16 { V[i] = V[i + 1]; } }"
               "for i in parallel(16) { V[i] = i + 1 < 16 ? V[i + 1] : 0; }"
               "for i in parallel(16) { let ok = i < 15; if ok && V[i + 1] > 0 { V[i] = 1; } }"
               "for i in parallel(16) { if i >= 15 { continue; } V[i] = V[i + 1]; }"
               "for i in parallel(16) { V[i] = V[(i + 1) % 16] + V[15 - i]; }"
               "for i in parallel(16) { assume(i < n); V[i] = 1; }"
               "for i in parallel(n) { V[i] = 0; }"
               "for i in parallel(16) { var t = i; t += 1; if t < 16 { let x = V[i + 1]; } }"
               "for i in parallel(16) { if G[i] < 3 { let x = V[i + 1]; } }"
               "for i in parallel(16) { for k in range(15 - i) { let x = V[i + 1]; } }"
               "for i in parallel(16) { for k in range(8) { if k == 3 { if i > 3 { continue; } else if c { "
               "continue; } } "
               "  let x = V[i + 9 + k]; } }"
               "for i in range(4, 0) { let x = V[i + 20]; }"
               "for i in parallel(16) { if 3 > 4 || i < 15 { let x = V[i + 1]; } }"
               "for i in range(n) { let x = V[i]; }"
               "for i in range(20) { if i == n { break; } let x = V[i]; }"
               "for i in range(20) { let x = V[i]; if x > 0 { break; } }"
               "for i in parallel(100000) { if i < 16 { V[i] = 0; } }"
               "for i in parallel(20) { for k in range(20) { if 0 <= i - k < 16 { let x = V[i - k]; } } }"
               "while c { let x = V[n]; break; }"
               "for i in unroll(20) { if i < 16 { let x = V[i]; } }"
               "let x = A[M, K + 5]; copy(X[60, 30], S); copy(X[-5, 0], S); copy(S, C[M, K]);"));
}

TEST(SemaRegions, Gemm) {
  std::string tiles = "shared P1: f16[16, 8] = 0; shared P2: f16[8, 4] = 0; fragment R: f32[16, 4] = 0;";
  expectValid(inKernel(
      tiles +
      "gemm(P1, P2, R); gemm(P1, P2, R, warps = square); gemm(P1, P2, R, warps = rows, trans_a = false);"));
  expectInvalid({
      {"TILE0718", "'gemm' needs tiles of rank 2, got rank 1", inKernel("gemm(S, @V, F);")},
      {"TILE0719", "the accumulator of 'gemm' must be a fragment, not a shared tile",
       inKernel("gemm(S, F, @S);")},
      {"TILE0720", "'F' is both an operand and the accumulator", inKernel("gemm(F, S, @F);")},
      {"TILE0721", "equal inner extents, got 8 ('S' dimension 1) and 16 ('S' dimension 0)",
       inKernel("fragment R: f32[16, 8]; @gemm(S, S, R);")},
      {"TILE0722", "accumulator 'F' is [16, 8], the product is [16, 4]",
       inKernel(tiles + "gemm(P1, P2, @F);")},
      {"TILE0723", "no 'gemm' of 'f16' and 'f16' that accumulates in 'f64'",
       inKernel(tiles + "fragment R2: f64[16, 4]; @gemm(P1, P2, R2);")},
      {"TILE0723", "no 'gemm' of 'f32' and 'f16'",
       inKernel("shared P1: f32[16, 8]; shared P2: f16[8, 4]; fragment R: f32[16, 4]; @gemm(P1, P2, R);")},
      {"TILE0715", "'warps' is one of square, rows or cols",
       inKernel(tiles + "gemm(P1, P2, R, warps = @cubes);")},
      {"TILE0712", "'gemm' has no argument 'transb'", inKernel(tiles + "gemm(P1, P2, R, @transb = true);")},
      {"TILE0713", "'trans_b' is given twice",
       inKernel(tiles + "gemm(P1, P2, R, trans_b = false, @trans_b = false);")},
      {"TILE0404", "'trans_b' must be a bool", inKernel(tiles + "gemm(P1, P2, R, trans_b = @1);")},
      {"TILE0501", "'trans_b' must be a compile-time constant",
       inKernel(tiles + "gemm(P1, P2, R, trans_b = @c);")},
  });
  const char *good[][3] = {{"f16", "f16", "f32"},   {"f16", "f16", "f16"}, {"bf16", "bf16", "f32"},
                           {"tf32", "tf32", "f32"}, {"f32", "f32", "f32"}, {"e4m3", "e5m2", "f32"},
                           {"i8", "u8", "i32"},     {"u8", "u8", "i32"},   {"f64", "f64", "f64"}};
  for (auto &types : good)
    expectValid(inKernel(std::string("shared L: ") + types[0] + "[5, 3] = 0; shared R: " + types[1] +
                         "[3, 7] = 0; fragment Q: " + types[2] + "[5, 7] = 0; gemm(L, R, Q);"));
  const char *bad[][3] = {{"i32", "i32", "i32"}, {"bf16", "bf16", "bf16"}, {"i8", "i8", "f32"},
                          {"u4", "u4", "i32"},   {"tf32", "f32", "f32"},   {"e4m3", "e4m3", "f16"},
                          {"f64", "f64", "f32"}};
  for (auto &types : bad)
    expectInvalid({{"TILE0723", "there is no 'gemm'",
                    inKernel(std::string("shared L: ") + types[0] + "[5, 3] = 0; shared R: " + types[1] +
                             "[3, 7] = 0; fragment Q: " + types[2] + "[5, 7] = 0; @gemm(L, R, Q);")}});
}

TEST(SemaRegions, GemmHints) {
  SemaResult result = analyzeText(inKernel(
      "shared L: f16[16, 8] = 0; shared R: f16[4, 8] = 0; fragment Q: f32[16, 4] = 0; gemm(L, R, Q);"));
  EXPECT_NE(result.text.find("add 'trans_b = true'"), std::string::npos) << result.text;
  result = analyzeText(inKernel(
      "shared L: f16[8, 16] = 0; shared R: f16[8, 4] = 0; fragment Q: f32[16, 4] = 0; gemm(L, R, Q);"));
  EXPECT_NE(result.text.find("add 'trans_a = true'"), std::string::npos) << result.text;
}

TEST(SemaRegions, Reductions) {
  EXPECT_EQ(hirOf("reduce_max(F, V, axis = 1, accumulate = true, nan = propagate); fragment R: f32[1] = 0; "
                  "reduce_sum(V, R, axis = 0);"
                  "fragment Q: f64[16, 1]; reduce_prod(F, Q, axis = 1, nan = ignore); reduce_min(S, V, axis "
                  "= 1); reduce_absmax(S[:, 0 +: 4], V, axis = 1);"
                  "cumsum(F, axis = 0); cummax(S, axis = 1, reverse = true);"),
            "reduce_max(F#9, V#10, axis = 1, accumulate, propagate)\n"
            "fragment R#12: f32[1] = 0.0:f32\n"
            "reduce_sum(V#10, R#12, axis = 0)\n"
            "fragment Q#13: f64[16, 1]\n"
            "reduce_prod(F#9, Q#13, axis = 1)\n"
            "reduce_min(S#8, V#10, axis = 1)\n"
            "view S#14 = S#8[0 +: 16, 0 +: 4]\n"
            "reduce_absmax(S#14, V#10, axis = 1)\n"
            "cumsum(F#9, axis = 0)\n"
            "cummax(S#8, axis = 1, reverse)\n");
  expectInvalid({
      {"TILE0714", "'reduce_sum' needs 'axis'", inKernel("reduce_sum@(F, V);")},
      {"TILE0714", "'cumsum' needs 'axis'", inKernel("cumsum@(F);")},
      {"TILE0724", "axis 2 of 'F', which has rank 2", inKernel("reduce_sum(F, V, axis = @2);")},
      {"TILE0724", "axis 1 of 'V', which has rank 1", inKernel("cumsum(V, axis = @1);")},
      {"TILE0724", "axis -1 of 'F', which has rank 2", inKernel("reduce_sum(F, V, axis = @-1);")},
      {"TILE0724", "axis -1 of 'F', which has rank 2", inKernel("cumsum(F, axis = @-1);")},
      {"TILE0725", "result 'V' is [16], but folding axis 0 of [16, 8] gives [8] or [1, 8]",
       inKernel("reduce_sum(F, @V, axis = 0);")},
      {"TILE0725", "gives [1]", inKernel("reduce_sum(V, @V, axis = 0);")},
      {"TILE0726", "a fold of 'f32' does not go into 'i32'", inKernel("reduce_sum(F, @G, axis = 1);")},
      {"TILE0403", "'reduce_sum' takes numbers, not 'bool'",
       inKernel("shared Q: bool[4] = true; fragment R: bool[1]; reduce_sum(@Q, R, axis = 0);")},
      {"TILE0403", "'cumsum' takes numbers, not 'bool'",
       inKernel("shared Q: bool[4] = true; cumsum(@Q, axis = 0);")},
      {"TILE0715", "'nan' is one of propagate or ignore",
       inKernel("reduce_max(F, V, axis = 1, nan = @keep);")},
      {"TILE0404", "'accumulate' must be a bool", inKernel("reduce_max(F, V, axis = 1, accumulate = @1);")},
  });
}

TEST(SemaRegions, Transpose) {
  EXPECT_EQ(hirOf("shared Q: f16[8, 16]; transpose(F, Q); transpose(S[0 +: 4, :], S[0 +: 8, 0 +: 4]);"),
            "shared Q#12: f16[8, 16]\ntranspose(F#9, Q#12)\nview S#13 = S#8[0 +: 4, 0 +: 8]\nview S#14 = "
            "S#8[0 +: 8, 0 +: 4]\n"
            "transpose(S#13, S#14)\n");
  expectInvalid({
      {"TILE0718", "'transpose' needs tiles of rank 2, got rank 1", inKernel("transpose(F, @V);")},
      {"TILE0727", "'transpose' from [16, 8] to [16, 8]", inKernel("@transpose(F, S);")},
  });
}

TEST(SemaRegions, Atomics) {
  EXPECT_EQ(hirOf("atomic_add(D[bx], s); atomic_max(E[n], 3); atomic_min(S[0, 1], h); atomic_add(D[bx * 16], "
                  "V); atomic_add(D[0 +: 4], 1);"
                  "atomic_add(S, F); atomic_max(D, s); atomic_add(D[0 +: 8], S[0, :]); for i in parallel(16) "
                  "{ atomic_add(D[i], V[i]); }"),
            "atomic_add(D#6[bx%6], s%2)\n"
            "atomic_max(E#7[i64(n%3)], 3:i32)\n"
            "atomic_min(S#8[0, 1], f32(h%5))\n"
            "atomic_add(D#6[(bx%6 * 16) +: 16], V#10)\n"
            "atomic_add(D#6[0 +: 4], 1.0:f32)\n"
            "atomic_add(S#8, F#9)\n"
            "atomic_max(D#6[0 +: 64], s%2)\n"
            "atomic_add(D#6[0 +: 8], S#8[0, 0 +: 8])\n"
            "for (i%8) in parallel(16)\n"
            "  atomic_add(D#6[i%8], V#10[i%8])\n");
  expectInvalid({
      {"TILE0728", "atomic on fragment 'V'", inKernel("atomic_add(@V[0], 1);")},
      {"TILE0729", "there are no atomics on 'u8'", inKernel("shared Q: u8[4] = 0; atomic_add(@Q[0], 1);")},
      {"TILE0730", "atomic on a region inside 'parallel'",
       inKernel("for i in parallel(4) { atomic_add(@D[0 +: 4], 1); }")},
      {"TILE0708", "'C' is 'out' and cannot be read", inKernel("atomic_add(@C[0, 0], 1);")},
      {"TILE0707", "'X' is only read", inKernel("atomic_add(@X[0, 0], 1);")},
      {"TILE0401", "'f32' does not convert to 'i32'", inKernel("atomic_add(E[0], @s);")},
      {"TILE0401", "'f32' does not convert to 'i32'", inKernel("atomic_add(E[0], @V);")},
      {"TILE0401", "'f32' does not convert to 'i32'", inKernel("atomic_add(E[0 +: 4], @s);")},
      {"TILE0612", "'atomic_add' between different extents, [8] and [16]",
       inKernel("@atomic_add(D[0 +: 8], V);")},
      {"TILE0613", "a region of fragment 'V'", inKernel("atomic_add(D[0], @V[0 +: 4]);")},
      {"TILE0606", "'X' is a tensor", inKernel("atomic_add(D[0], @X);")},
      {"TILE0611", "'D' has 1 dimension and cannot take", inKernel("atomic_add(@D[0], F);")},
  });
}

TEST(SemaRegions, LayoutAndRasterize) {
  SemaResult result = analyzeText(inKernel("rasterize(panel = 4, order = column); layout(S, swizzle = 64); "
                                           "shared Q: f16[4] = 0; layout(Q, swizzle = none);"));
  EXPECT_NE(result.hir.find("panel = 4 column"), std::string::npos) << result.hir << result.text;
  EXPECT_NE(result.hir.find("shared S#8: f32[16, 8] swizzle 64"), std::string::npos) << result.hir;
  EXPECT_NE(result.hir.find("swizzle none"), std::string::npos) << result.hir;
  expectInvalid({
      {"TILE0731", "'rasterize' stands only directly", inKernel("if c { @rasterize(panel = 4); }")},
      {"TILE0731", "'rasterize' stands only directly", inKernel("{ @rasterize(panel = 4); }")},
      {"TILE0731", "'rasterize' stands only directly",
       inKernel("for i in range(3) { @rasterize(panel = 4); }")},
      {"TILE0731", "'rasterize' stands only directly",
       "fn m(a: fragment f32[R]) { @rasterize(panel = 4); fill(a, 0); }" + inKernel("m(V);")},
      {"TILE0732", "second 'rasterize'", inKernel("rasterize(panel = 4); @rasterize(panel = 4);")},
      {"TILE0714", "'rasterize' needs 'panel'", inKernel("rasterize@(order = row);")},
      {"TILE0508", "'panel' is 0", inKernel("rasterize(panel = @0);")},
      {"TILE0508", "'panel' is -1, outside of 1 to 1048576", inKernel("rasterize(panel = @-1);")},
      {"TILE0715", "'order' is one of row or column", inKernel("rasterize(panel = 1, order = @col);")},
      {"TILE0733", "operand of 'layout' must be a shared tile", inKernel("layout(@F, swizzle = 32);")},
      {"TILE0733", "operand of 'layout' must be a shared tile",
       inKernel("layout(@S[0 +: 4, :], swizzle = 32);")},
      {"TILE0714", "'layout' needs 'swizzle'", inKernel("layout@(S);")},
      {"TILE0715", "'swizzle' is one of none, 32, 64 or 128", inKernel("layout(S, swizzle = @48);")},
      {"TILE0734", "'S' has another layout already",
       inKernel("layout(S, swizzle = 32); @layout(S, swizzle = 64);")},
  });
}
