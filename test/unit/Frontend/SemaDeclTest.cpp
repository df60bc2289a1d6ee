//===- SemaDeclTest.cpp - declarations, instances, check, bench, tune, imports ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SemaTestUtil.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fstream>

using namespace tilec;
using namespace tilec::frontend;

/// A kernel with an empty grid.
static std::string emptyKernel(const std::string &head) {
  return "kernel " + head + " { grid(1, threads = 32) as (b) { } }\n";
}

static SemaOptions withDefines(std::vector<std::pair<std::string, std::string>> defines) {
  SemaOptions options;
  options.defines = std::move(defines);
  return options;
}

TEST(SemaDecl, Kernels) {
  for (const char *name : {"vector_add", "matmul", "matmul_bias_gelu", "softmax", "flash_attention"}) {
    SourceManager sources;
    CapturingDiagnosticConsumer consumer;
    DiagnosticEngine engine(sources, consumer);
    auto program =
        analyze(sources, std::string(TILEC_KERNELS_DIR "/") + name + ".tile", SemaOptions(), engine);
    ASSERT_NE(program, nullptr) << name;
    EXPECT_TRUE(consumer.diags.empty()) << name;
    EXPECT_FALSE(program->checks.empty()) << name;
    EXPECT_FALSE(program->benches.empty()) << name;
    EXPECT_EQ(program->files.size(), 1u);
    for (const hir::Kernel &kernel : program->kernels)
      EXPECT_FALSE(kernel.usesTarget) << name;
  }
}

TEST(SemaDecl, DimensionsAndStrides) {
  SemaResult result =
      analyzeText("const C4 = 4; kernel k<D = 8>(A: f32[M, D, C4 + 1, ceildiv(K, 128)] strides [lda, 40, 8, "
                  "1], B: f16[K, M], out O: f32[G + 1], Q: u8[G], s: f64)"
                  " where K % 8 == 0, lda >= M, s > 0, D == 8 { let q = M * 2; grid(q, K, lda, threads = 64, "
                  "cluster = (2, 1), persistent = true) as (x, y, z) { } }");
  EXPECT_EQ(result.hir,
            "entry k = k<D = 8>\n"
            "  param A#0: f32[M%0, 8, 5, ceildiv(K%1, 128)] strides [lda%3, 40, 8, 1]\n"
            "  param B#1: f16[K%1, M%0]\n"
            "  param out O#2: f32[(G%2 + 1)]\n"
            "  param Q#3: u8[G%2]\n"
            "  param s%4: f64\n"
            "  bind M%0 = A.extent(0)\n"
            "  bind K%1 = B.extent(0)\n"
            "  bind G%2 = Q.extent(0)\n"
            "  bind lda%3 = A.stride(0)\n"
            "  where ((K%1 % 8) == 0)\n"
            "  where (lda%3 >= M%0)\n"
            "  where (s%4 > 0.0:f64)\n"
            "  let q%5: i64 = (M%0 * 2)\n"
            "  grid(q%5, K%1, lda%3, threads = 64, cluster = (2, 1), persistent) as (x%6, y%7, z%8)\n")
      << result.text;
  expectInvalid({
      {"TILE0301", "unknown name 'K'", emptyKernel("k(A: f32[@K + 1])")},
      {"TILE0809", "scalar parameter 'n' is no dimension", emptyKernel("k(A: f32[@n], n: i32)")},
      {"TILE0809", "scalar parameter 'n' is no dimension", emptyKernel("k(n: i32, A: f32[@n])")},
      {"TILE0809", "scalar parameter 'n' is no dimension", emptyKernel("k(n: i32, A: f32[(@n + 1) * 2])")},
      {"TILE0810", "a dimension is negative: -1", emptyKernel("k(A: f32[@-1])")},
      {"TILE0810", "a stride is negative: -4", emptyKernel("k(A: f32[N, 4] strides [@-4, 1])")},
      {"TILE0811", "'A' has 2 dimensions but 1 stride", emptyKernel("k(A: f32[N, 4] @strides [4])")},
      {"TILE0812", "'A' of 'u4' elements has a last stride", emptyKernel("k(A: u4[N, 4] @strides [8, 2])")},
      {"TILE0405", "a dimension must be an integer", emptyKernel("k(A: f32[@1.5])")},
      {"TILE0813", "a dimension depends on 'target'", emptyKernel("k(A: f32[@target.sm])")},
      {"TILE0813", "a dimension depends on 'target'", emptyKernel("k<D = target.sm * 2>(A: f32[N, @D])")},
      {"TILE0813", "a fact depends on 'target'", emptyKernel("k(A: f32[N]) where @target.sm >= 80")},
      {"TILE0813", "a fact depends on 'target'", emptyKernel("k(A: f32[N]) where @N % target.sm == 0")},
      {"TILE0813", "a stride depends on 'target'",
       emptyKernel("k(A: f32[N, 2] strides [@N * target.sm, 1])")},
      {"TILE0736", "fact 'D == 9' is false", emptyKernel("k<D = 8>(A: f32[N]) where @D == 9")},
      {"TILE0404", "a fact must be a bool", emptyKernel("k(A: f32[N]) where @N")},
      {"TILE0814", "an element stands before the grid's body", emptyKernel("k(A: f32[N]) where @A[0] > 0")},
      {"TILE0814", "an element stands",
       "kernel k(A: f32[N]) { let x = @A[0]; grid(1, threads = 32) as (b) { } }"},
      {"TILE0814", "an element stands", "kernel k(A: i32[N]) { grid(@A[0], threads = 32) as (b) { } }"},
      {"TILE0304", "unknown type 'U'", emptyKernel("k(A: @U[N])")},
  });
}

TEST(SemaDecl, GridOptions) {
  auto grid = [](const std::string &options) {
    return "kernel k(A: f32[N]) { grid(N, " + options + ") as (b) { } }";
  };
  expectInvalid({
      {"TILE0714", "'grid' needs 'threads'",
       "kernel k(A: f32[N]) { @grid(N, persistent = true) as (b) { } }"},
      {"TILE0508", "'threads' is 16, outside of 32 to 1024", grid("threads = @16")},
      {"TILE0508", "'threads' is -1", grid("threads = @-1")},
      {"TILE0717", "'threads' is 100, not a multiple of 32", grid("threads = @100")},
      {"TILE0501", "'threads' must be a compile-time constant", grid("threads = @N")},
      {"TILE0405", "'threads' must be an integer", grid("threads = @32.0")},
      {"TILE0712", "'grid' has no argument 'thread'", grid("threads = 32, @thread = 3")},
      {"TILE0712", "'grid' has no argument 'blocks'", grid("threads = 32, @blocks = 3")},
      {"TILE0713", "'threads' is given twice", grid("threads = 32, @threads = 64")},
      {"TILE0716", "'threads' takes one value, got 2", grid("@threads = (32, 64)")},
      {"TILE0716", "'cluster' takes 1 to 3 values, got 4", grid("threads = 32, @cluster = (1, 1, 1, 1)")},
      {"TILE0508", "the number of blocks in a cluster is 64", grid("threads = 32, @cluster = (8, 8)")},
      {"TILE0508", "the number of blocks in a cluster is 12, outside of 1 to 8",
       grid("threads = 32, @cluster = (4, 3)")},
      {"TILE0508", "'cluster' is 9, outside of 1 to 8", grid("threads = 32, cluster = @9")},
      {"TILE0508", "'cluster' is 0, outside of 1 to 8", grid("threads = 32, cluster = (2, @0)")},
      {"TILE0501", "'cluster' must be a compile-time constant", grid("threads = 32, cluster = (@N, 1)")},
      {"TILE0404", "'persistent' must be a bool", grid("threads = 32, persistent = @1")},
      {"TILE0405", "a grid extent must be an integer",
       "kernel k(A: f32[N], s: f32) { grid(@s, threads = 32) as (b) { } }"},
  });
}

TEST(SemaDecl, Instances) {
  std::string kernel =
      "kernel k<A = 4, B = A * 2, F = 0.5, L = true, type T = f16>(X: T[A, N]) { grid(B, threads = 32) as "
      "(b) { var f = F; var l = L; } }\n"
      "kernel m<A: int, F: float, L: bool, type T>(X: T[A, N]) { grid(1, threads = 32) as (b) { } }\n";
  auto heads = [&](const SemaResult &result) {
    std::string text;
    llvm::StringRef rest = result.hir;
    while (!rest.empty()) {
      auto [line, tail] = rest.split('\n');
      if (!line.starts_with(" "))
        text += line.str() + "\n";
      rest = tail;
    }
    return text + result.text;
  };
  EXPECT_EQ(heads(analyzeText(kernel)), "entry k = k<A = 4, B = 8, F = 0.5, L = true, T = f16>\n");
  EXPECT_EQ(heads(analyzeText(kernel + "instantiate k<A = 3, T = bf16> as k3; instantiate k<F = 2, L = (1 == "
                                       "2)> as k4; instantiate m<A = 1, F = 1, L = false, T = u4> as m1;")),
            "entry k3 = k<A = 3, B = 6, F = 0.5, L = true, T = bf16>\n"
            "entry k4 = k<A = 4, B = 8, F = 2.0, L = false, T = f16>\n"
            "entry m1 = m<A = 1, F = 1.0, L = false, T = u4>\n");
  EXPECT_EQ(
      heads(analyzeText(kernel, withDefines({{"A", "5"}, {"T", "f32"}, {"L", "false"}, {"F", "1e-3"}}))),
      "entry k = k<A = 5, B = 10, F = 0.001, L = false, T = f32>\n"
      "entry m = m<A = 5, F = 0.001, L = false, T = f32>\n");
  EXPECT_EQ(heads(analyzeText(kernel + "instantiate k<A = 3> as q;",
                              withDefines({{"A", "5"}, {"A", "6"}, {"B", "1"}}))),
            "entry q = k<A = 3, B = 1, F = 0.5, L = true, T = f16>\n");
  // Checks share the entry's instance, or get one of their own.
  EXPECT_EQ(heads(analyzeText(kernel + "check k { N = 1 } against reference tolerance 0; check k<A = 9> { N "
                                       "= 2 } against reference tolerance 0;")),
            "entry k = k<A = 4, B = 8, F = 0.5, L = true, T = f16>\n"
            "kernel k__1 = k<A = 9, B = 18, F = 0.5, L = true, T = f16>\n"
            "check k {N = 1} against reference tolerance 0.0  // k { N = 1 }\n"
            "check k__1 {N = 2} against reference tolerance 0.0  // k<A = 9> { N = 2 }\n");
  SemaOptions entriesOnly;
  entriesOnly.instantiateAllForChecks = false;
  EXPECT_EQ(
      heads(analyzeText(kernel + "check k<A = 9> { N = 2 } against reference tolerance 0;", entriesOnly)),
      "entry k = k<A = 4, B = 8, F = 0.5, L = true, T = f16>\n");
  EXPECT_NE(analyzeText("kernel k<S = target.sm>(X: f32[N]) { grid(S, threads = 32) as (b) { } }")
                .hir.find("uses target"),
            std::string::npos);

  expectInvalid({
      {"TILE0803", "kernel 'k' has no compile-time parameter 'AA'", kernel + "instantiate k<@AA = 3> as q;"},
      {"TILE0803", "kernel 'k' has no compile-time parameter 'Q'", kernel + "instantiate k<@Q = 3> as q;"},
      {"TILE0713", "'A' is given twice", kernel + "instantiate k<A = 3, @A = 4> as q;"},
      {"TILE0804", "'A' is an integer, got 1.5", kernel + "instantiate k<A = @1.5> as q;"},
      {"TILE0804", "'A' is an integer, got f16", kernel + "instantiate k<A = @f16> as q;"},
      {"TILE0804", "'T' is a type, got 3", kernel + "instantiate k<T = @3> as q;"},
      {"TILE0804", "'L' is a bool, got 1", kernel + "instantiate k<L = @1> as q;"},
      {"TILE0804", "'F' is a float, got true", kernel + "instantiate k<F = @true> as q;"},
      {"TILE0805", "kernel 'm' needs a value for 'L'",
       kernel + "instantiate @m<A = 3, F = 1, T = f16> as q;"},
      {"TILE0501", "must be a compile-time constant", kernel + "instantiate k<A = @sqrt(2.0)> as q;"},
      {"TILE0301", "unknown name 'zz'", kernel + "instantiate k<A = @zz> as q;"},
      {"TILE0806", "second entry point named 'q'",
       kernel + "instantiate k as q; instantiate k<A = 3> as @q;"},
      {"TILE0806", "second entry point named 'p'",
       emptyKernel("p(X: f32[N])") + kernel + "instantiate k as @p;"},
      {"TILE0807", "entry point 'main' has a name that C or C++ reserves", emptyKernel("@main(X: f32[N])")},
      {"TILE0807", "entry point 'double'", kernel + "instantiate k as @double;"},
      {"TILE0807", "entry point '_x'", kernel + "instantiate k as @_x;"},
      {"TILE0807", "entry point 'a__b'", kernel + "instantiate k as @a__b;"},
      {"TILE0808", "oracle kernel 'o' cannot be an entry point",
       "oracle " + emptyKernel("o(X: f32[N])") + "instantiate @o as q;"},
      {"TILE0506", "division by zero", emptyKernel("k<A = 3, B = A / @0>(X: f32[N])")},
      {"TILE0304", "unknown type 'U'", emptyKernel("k<type T = @U>(X: T[N])")},
      {"TILE0306", "'A' is declared twice", emptyKernel("k<A = 3, @A = 4>(X: f32[N])")},
  });
  // What C reserves is fine for kernels that are instantiated under another name.
  expectValid(emptyKernel("select(X: f32[N])") + "instantiate select as my_select;");
}

TEST(SemaDecl, Defines) {
  std::string kernel = emptyKernel("k<BM = 4>(X: f32[N])");
  SemaResult result = analyzeText(kernel, withDefines({{"BN", "3"}}));
  EXPECT_NE(
      result.text.find("<command line>:1:1: error: no kernel has a compile-time parameter 'BN' [TILE0801]"),
      std::string::npos)
      << result.text;
  EXPECT_NE(result.text.find("did you mean '-D BM=…'?"), std::string::npos) << result.text;
  result = analyzeText(kernel, withDefines({{"BM", "x y"}}));
  EXPECT_NE(result.text.find("<command line>:1:4: error: malformed value 'x y' for 'BM' [TILE0802]"),
            std::string::npos)
      << result.text;
  result = analyzeText(kernel, withDefines({{"BM", "f16"}}));
  EXPECT_NE(result.text.find("<command line>:1:1: error: 'BM' is an integer, got f16 [TILE0804]"),
            std::string::npos)
      << result.text;
}

TEST(SemaDecl, Checks) {
  std::string kernel = "kernel k<D = 4, type T = f32>(A: T[M, D] strides [lda, 1], idx: i32[M], W: bool[M], "
                       "inout B: u8[G], out O: T[M], out P: i32[M], s: f32, n: i8, c: bool)\n"
                       "  where M % 2 == 0 { grid(1, threads = 32) as (b) { O[0] = 1; } }\n"
                       "oracle kernel o<D = 1, type T = f16, X = 2>(A: T[H, L] strides [p, q], idx: i32[H], "
                       "W: bool[H], inout B: u8[G2], out O: T[H], out P: i32[H], s: f32, n: i8, c: bool)\n"
                       "  { grid(1, threads = 32) as (b) { O[0] = 1; } }\n";
  std::string values =
      "{ M = 6, lda = 8, G = 3, s = 0.5, n = -3, c = true, idx in range(0, M - D), A in range(-1, 2.0) }";
  SemaResult result =
      analyzeText(kernel + "check k<D = 2> " + values + " against o<X = 5> tolerance 1e-3, P 0; bench k " +
                  values + " flops 2 * M * D * sizeof(T) bytes 1.5;");
  std::string tail = result.hir.substr(std::min(result.hir.find("check "), result.hir.size()));
  EXPECT_EQ(tail, "check k__1 {M = 6, G = 3, lda = 8, s = 0.5, n = -3, c = true, idx in range(0, 4), A in "
                  "range(-1, 2)} against o__1 {H = 6, L = 2, G2 = 3, p = 8, q = 1, s = 0.5, n = -3, c = true}"
                  " tolerance 0.001 P 0.0  // k<D = 2> " +
                      values +
                      "\n"
                      "bench k {M = 6, G = 3, lda = 8, s = 0.5, n = -3, c = true, idx in range(0, 2), A in "
                      "range(-1, 2)} flops 192.0 bytes 1.5  // k " +
                      values + "\n")
      << result.text << result.hir;
  EXPECT_NE(result.hir.find("kernel o__1 = o<D = 2, T = f32, X = 5> oracle"), std::string::npos)
      << result.hir;

  auto check = [&](const std::string &braces, const std::string &rest = "against reference tolerance 0") {
    return kernel + "check k { " + braces + " } " + rest + ";";
  };
  std::string rest = "lda = 8, G = 3, s = 1, n = 1, c = false";
  expectInvalid({
      {"TILE0817", "kernel 'k' needs a value for 'M'",
       kernel + "check k @{ " + rest + " } against reference tolerance 0;"},
      {"TILE0816", "no runtime dimension, stride or scalar 'MM'", check("M = 2, @MM = 3, " + rest)},
      {"TILE0816", "no runtime dimension, stride or scalar 'D'", check("M = 2, @D = 3, " + rest)},
      {"TILE0713", "'M' is given twice", check("M = 2, @M = 3, " + rest)},
      {"TILE0810", "'M' is negative: -2", check("M = @-2, " + rest)},
      {"TILE0503", "float constant 2.5 cannot become an 'i64'", check("M = @2.5, " + rest)},
      {"TILE0502", "constant 300 does not fit 'i8'",
       check("M = 2, lda = 8, G = 3, s = 1, n = @300, c = false")},
      {"TILE0401", "'integer' does not convert to 'bool'",
       check("M = 2, lda = 8, G = 3, s = 1, n = 1, c = @1")},
      {"TILE0301", "unknown name 'zz'", check("M = @zz, " + rest)},
      {"TILE0823", "these values violate 'M % 2 == 0'",
       kernel + "check k @{ M = 3, " + rest + " } against reference tolerance 0;"},
      {"TILE0818", "kernel 'k' has no tensor 'idxx'", check("M = 2, @idxx in range(0, 3), " + rest)},
      {"TILE0713", "'idx' is given twice", check("M = 2, idx in range(0, 3), @idx in range(0, 3), " + rest)},
      {"TILE0819", "'O' is 'out': it has no data to draw", check("M = 2, @O in range(0, 3), " + rest)},
      {"TILE0820", "'W' has bools, which have no range", check("M = 2, @W in range(0, 1), " + rest)},
      {"TILE0821", "range from 3 to 3 is empty", check("M = 2, @idx in range(3, 3), " + rest)},
      {"TILE0822", "range from 0 to 256 does not fit 'u8', the type of 'B'",
       check("M = 2, @B in range(0, 257), " + rest)},
      {"TILE0405", "a bound of 'range' must be an integer", check("M = 2, A in range(@0.5, 3), " + rest)},
      {"TILE0824", "the tolerance must be finite and not negative, got -1.0",
       check("M = 2, " + rest, "against reference tolerance @-1")},
      {"TILE0824", "got inf", check("M = 2, " + rest, "against reference tolerance @inf")},
      {"TILE0406", "the tolerance must be a number, not 'bool'",
       check("M = 2, " + rest, "against reference tolerance @true")},
      {"TILE0825", "kernel 'k' has no output 'A'",
       check("M = 2, " + rest, "against reference tolerance 0, @A 1")},
      {"TILE0713", "'O' is given twice", check("M = 2, " + rest, "against reference tolerance 0, O 1, @O 2")},
      {"TILE0305", "unknown kernel 'oo'", check("M = 2, " + rest, "against @oo tolerance 0")},
      {"TILE0305", "unknown kernel 'kk'", kernel + "check @kk { } against reference tolerance 0;"},
      {"TILE0305", "unknown kernel 'kk'", kernel + "bench @kk { };"},
      {"TILE0824", "'flops' must be finite and not negative",
       kernel + "bench k { M = 2, " + rest + " } flops @-1;"},
      {"TILE0301", "unknown name 'Z'", kernel + "bench k { M = 2, " + rest + " } flops @Z;"},
      {"TILE0803", "kernel 'o' has no compile-time parameter 'Z'",
       check("M = 2, " + rest, "against o<@Z = 2> tolerance 0")},
  });
  // Zero elements make an empty range harmless.
  expectValid(check("M = 0, idx in range(0, M), " + rest));

  std::string small = "kernel k(A: f32[M, 4], out O: f32[M]) { grid(1, threads = 32) as (b) { } }\n";
  auto against = [&](const std::string &oracle) {
    return small + "oracle " + emptyKernel(oracle) + "check k { M = 2 } against @o tolerance 0;";
  };
  expectValid(small + "oracle " + emptyKernel("o(A: f32[R, C], out O: f32[R])") +
              "check k { M = 2 } against o tolerance 0;");
  expectInvalid({
      {"TILE0826", "oracle 'o' has 1 parameter, kernel 'k' has 2", against("o(A: f32[M, 4])")},
      {"TILE0827", "its parameter 1 'B' is", against("o(B: f32[M, 4], out O: f32[M])")},
      {"TILE0827", "its parameter 1 'A' is a tensor of 'f16', rank 2, read",
       against("o(A: f16[M, 4], out O: f32[M])")},
      {"TILE0827", "its parameter 2 'O' is a tensor of 'f32', rank 1, 'inout'",
       against("o(A: f32[M, 4], inout O: f32[M])")},
      {"TILE0827", "its parameter 1 'A' is a tensor of 'f32', rank 1",
       against("o(A: f32[M], out O: f32[M])")},
      {"TILE0827", "its parameter 2 'O' is a scalar 'f32'", against("o(A: f32[M, 4], O: f32)")},
      {"TILE0828", "extent 1 of 'A' is 4, but oracle 'o' has 5", against("o(A: f32[M, 5], out O: f32[M])")},
      {"TILE0828", "extent 1 of 'A' is 4, but oracle 'o' has 2", against("o(A: f32[M, M], out O: f32[M])")},
      {"TILE0828", "extent 0 of 'O' is 2, but oracle 'o' has 3",
       against("o(A: f32[M, 4], out O: f32[M + 1])")},
  });
}

TEST(SemaDecl, Tunes) {
  std::string kernel = emptyKernel("k<BM = 4, BN = 8, F = 0.5, L = true, type T = f16>(X: T[N])");
  SemaResult result = analyzeText(kernel + "tune k { BM in [1, 2, 3]; T in [f16, bf16]; require BM * BN <= "
                                           "16; require T == f16 || BM == 1; L in [true]; F in [1, 0.5]; }");
  ASSERT_NE(result.program, nullptr) << result.text;
  ASSERT_EQ(result.program->tunes.size(), 1u);
  const hir::Tune &tune = result.program->tunes[0];
  EXPECT_EQ(tune.kernel, "k");
  EXPECT_EQ(tune.axes.size(), 4u);
  EXPECT_EQ(tune.axes[1].values, (std::vector<std::string>{"f16", "bf16"}));
  EXPECT_EQ(tune.legal,
            (std::vector<std::vector<unsigned>>{
                {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0, 1, 0, 1}, {1, 0, 0, 0}, {1, 0, 0, 1}}));
  result = analyzeText(kernel + "tune k { BM in [1, 2]; require BM > 2; }");
  EXPECT_NE(result.text.find("no combination of 'tune k' is legal [TILE0906"), std::string::npos)
      << result.text;
  expectInvalid({
      {"TILE0829", "second 'tune' of 'k'", kernel + "tune k { BM in [1]; } tune @k { BM in [2]; }"},
      {"TILE0803", "kernel 'k' has no compile-time parameter 'BX'", kernel + "tune k { @BX in [1]; }"},
      {"TILE0713", "'BM' is given twice", kernel + "tune k { BM in [1]; @BM in [2]; }"},
      {"TILE0830", "1 stands twice in the list of 'BM'", kernel + "tune k { BM in [1, @1]; }"},
      {"TILE0804", "'BM' is an integer, got f16", kernel + "tune k { @BM in [f16]; }"},
      {"TILE0404", "'require' must be a bool", kernel + "tune k { BM in [1]; require @BM; }"},
      {"TILE0501", "must be a compile-time constant", kernel + "tune k { BM in [@sqrt(1.0)]; }"},
      {"TILE0805", "kernel 'm' needs a value for 'Q'",
       emptyKernel("m<Q: int, R = 1>(X: f32[N])") + "tune @m { R in [1]; }"},
      {"TILE0831", "the search space has more than 100000 combinations",
       [&] {
         std::string list;
         for (int i = 0; i < 400; ++i)
           list += std::to_string(i) + ", ";
         return kernel + "tune @k { BM in [" + list + "]; BN in [" + list + "]; }";
       }()},
  });
}

TEST(SemaDecl, InstanceNotes) {
  SemaResult result =
      analyzeText("kernel k<A = 3>(X: f32[N]) { grid(1, threads = 32) as (b) { fragment F: f32[A] = 0; let x "
                  "= F[3]; } } instantiate k<A = 9> as a; instantiate k<A = 2> as c;");
  EXPECT_NE(result.text.find("in kernel 'k' with A = 2"), std::string::npos) << result.text;
  EXPECT_EQ(result.count(Severity::Error), 1u) << result.text;
}

//===----------------------------------------------------------------------===//
// Imports
//===----------------------------------------------------------------------===//

namespace {
class Imports : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tile-imports", root)); }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  std::string path(llvm::StringRef name) const {
    llvm::SmallString<128> full(root);
    llvm::sys::path::append(full, name);
    return full.str().str();
  }
  void write(llvm::StringRef name, llvm::StringRef text) {
    std::string full = path(name);
    ASSERT_FALSE(llvm::sys::fs::create_directories(llvm::sys::path::parent_path(full)));
    std::ofstream(full) << text.str();
  }
  /// Diagnostics of main.tile, with file names cut down to what is below the test's folder.
  std::string run(std::vector<std::string> includes = {}) {
    SourceManager sources;
    std::string text;
    llvm::raw_string_ostream os(text);
    TextDiagnosticPrinter printer(os, false);
    DiagnosticEngine engine(sources, printer);
    SemaOptions options;
    options.includePaths = std::move(includes);
    program = analyze(sources, path("main.tile"), options, engine);
    std::string prefix = (root + "/").str();
    for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
      text.erase(at, prefix.size());
    return text;
  }

  llvm::SmallString<128> root;
  std::unique_ptr<hir::Program> program;
};
} // namespace

TEST_F(Imports, BringConstsAndFns) {
  write("main.tile", "import \"lib/a.tile\"; import \"b.tile\"; import \"./lib/../lib/a.tile\";" +
                         inKernel("let x = twice(s) + one; for i in unroll(TWO) { }"));
  write("lib/a.tile", "import \"c.tile\"; fn twice(x: f32) -> f32 { return x * TWO; } kernel k(A: f32[N]) { "
                      "grid(wrong, threads = 3) as (b) { } } check zz { } against reference tolerance 0;");
  write("lib/c.tile", "const TWO = 2;");
  write("inc/b.tile", "const one = 1; const TWO2 = 2;");
  EXPECT_EQ(run({path("inc")}), "");
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->files.size(), 4u);
}

TEST_F(Imports, AFileSeesOnlyItsOwnImports) {
  write("main.tile", "const X = 1; import \"a.tile\";" + inKernel("let y = f(s);"));
  write("a.tile", "fn f(x: f32) -> f32 { return x + X; }");
  EXPECT_NE(run().find("a.tile:1:34: error: unknown name 'X' [TILE0301]"), std::string::npos) << run();
}

TEST_F(Imports, Missing) {
  write("main.tile", "import \"zz.tile\";");
  std::string text = run({path("inc")});
  EXPECT_NE(text.find("main.tile:1:8: error: cannot find the imported file 'zz.tile' [TILE0318]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("tried 'inc/zz.tile'"), std::string::npos) << text;
}

TEST_F(Imports, BesideComesBeforeIncludePaths) {
  write("main.tile", "import \"a.tile\"; const y = x + 0;" + inKernel("fragment Q: f32[y] = 0; fill(Q, 1);"));
  write("a.tile", "const x = 3;");
  write("inc/a.tile", "const x = true;");
  EXPECT_EQ(run({path("inc")}), "");
}

TEST_F(Imports, Cycle) {
  write("main.tile", "import \"a.tile\";");
  write("a.tile", "import \"main.tile\";");
  EXPECT_NE(run().find("a.tile:1:8: error: 'main.tile' imports itself [TILE0319]"), std::string::npos)
      << run();
  write("a.tile", "import \"a.tile\";");
  EXPECT_NE(run().find("a.tile:1:8: error: 'a.tile' imports itself [TILE0319]"), std::string::npos) << run();
}

TEST_F(Imports, Depth) {
  for (int i = 0; i < 300; ++i)
    write("f" + std::to_string(i) + ".tile", "import \"f" + std::to_string(i + 1) + ".tile\";");
  write("f300.tile", "");
  write("main.tile", "import \"f0.tile\";");
  EXPECT_NE(run().find("more than 256 files import one another [TILE0320]"), std::string::npos);
}

TEST_F(Imports, Clashes) {
  write("a.tile", "const x = 1;");
  write("b.tile", "const x = 2;");
  write("main.tile", "import \"a.tile\"; import \"b.tile\";");
  EXPECT_NE(run().find("main.tile:1:25: error: 'x' is declared twice in one scope [TILE0306]"),
            std::string::npos)
      << run();
  write("main.tile", "import \"a.tile\"; fn x(y: f32) -> f32 { return y; }");
  EXPECT_NE(run().find("main.tile:1:21: error: 'x' is declared twice in one scope [TILE0306]"),
            std::string::npos)
      << run();
}

TEST_F(Imports, SyntaxErrorsAndUnreadableFiles) {
  write("a.tile", "const = 1;");
  write("main.tile", "import \"a.tile\"; const y = q;");
  std::string text = run();
  EXPECT_NE(text.find("a.tile:1:7: error:"), std::string::npos) << text;
  EXPECT_EQ(text.find("TILE0301"), std::string::npos) << text;
  write("main.tile", "import \"dir\";");
  write("dir/x", "");
  EXPECT_NE(run().find("main.tile:1:8: error: cannot read"), std::string::npos) << run();
}

TEST_F(Imports, DimensionNamedLikeAnImportedConst) {
  write("a.tile", "const N = 8;");
  write("main.tile", "import \"a.tile\"; kernel k(A: f32[N]) { grid(1, threads = 32) as (b) { } }");
  EXPECT_NE(run().find("main.tile:1:34: warning: dimension 'N' is an imported const [TILE0905"),
            std::string::npos)
      << run();
  ASSERT_NE(program, nullptr);
  write("main.tile", "const N = 8; kernel k(A: f32[N]) { grid(1, threads = 32) as (b) { } }");
  EXPECT_EQ(run(), "");
}
