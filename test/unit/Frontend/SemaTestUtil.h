//===- SemaTestUtil.h - checking snippets ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An invalid snippet marks the place of its one error with '@', a character that the language does not have.
// The test fails on a second error too, since errors must not cascade.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_SEMATESTUTIL_H
#define TILEC_TEST_SEMATESTUTIL_H

#include "tilec/Frontend/Sema.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace tilec::frontend {

struct SemaResult {
  std::unique_ptr<hir::Program> program;
  std::vector<Diagnostic> diags;
  std::string text; // the diagnostics as printed
  std::string hir;  // the dump, if there is a program

  unsigned count(Severity severity) const {
    unsigned found = 0;
    for (const Diagnostic &diag : diags)
      found += diag.severity == severity;
    return found;
  }
};

inline SemaResult analyzeText(llvm::StringRef source, const SemaOptions &options = {}) {
  struct Both : DiagnosticConsumer {
    CapturingDiagnosticConsumer capture;
    std::string text;
    void handle(const Diagnostic &diag, const SourceManager &sources) override {
      capture.handle(diag, sources);
      llvm::raw_string_ostream os(text);
      TextDiagnosticPrinter(os, /*color=*/false).handle(diag, sources);
    }
  };
  SourceManager sources;
  Both consumer;
  DiagnosticEngine engine(sources, consumer);
  engine.setErrorLimit(0);
  SemaResult result;
  FileId file = sources.addText("test.tile", source);
  result.program = analyze(sources, file, options, engine);
  result.diags = consumer.capture.diags;
  result.text = consumer.text;
  if (result.program) {
    llvm::raw_string_ostream os(result.hir);
    hir::dumpHir(*result.program, os);
  }
  return result;
}

/// A kernel round statements. Its names: tensors A: T[M, K] (T = f16), I: i32[M], X: f32[64, 32], P: u4[64],
/// W: bool[M], out C: f32[M, K], inout D: f32[64], inout E: i32[64]; scalars s: f32, n: i32, c: bool, h: f16;
/// tiles S: shared f32[16, 8], F: fragment f32[16, 8], V: fragment f32[16], G: fragment i32[16];
/// block indices bx, by; compile-time BM = 16, BN = 8, FLAG = false.
inline std::string inKernel(llvm::StringRef body) {
  return ("kernel k<BM = 16, BN = 8, FLAG = false, type T = f16>(A: T[M, K], I: i32[M], X: f32[64, 32], P: "
          "u4[64],\n"
          "    W: bool[M], out C: f32[M, K], inout D: f32[64], inout E: i32[64], s: f32, n: i32, c: bool, h: "
          "f16)\n"
          "{ grid(ceildiv(M, BM), K, threads = 128) as (bx, by) {\n"
          "  shared S: f32[16, 8] = 0; fragment F: f32[16, 8] = 0; fragment V: f32[16] = 0; fragment G: "
          "i32[16] = 0;\n"
          "  fill(S, 0); fill(F, 0); fill(V, 0); fill(G, 0);\n" +
          body + "\n} }\n")
      .str();
}

/// The statements of `inKernel` as HIR, one a line, without indentation.
inline std::string bodyOf(const SemaResult &result) {
  size_t at = result.hir.find("fill(G#11, 0:i32)\n");
  if (at == std::string::npos)
    return "no body:\n" + result.text;
  std::string text;
  llvm::StringRef rest = llvm::StringRef(result.hir).substr(at).split('\n').second;
  while (!rest.empty()) {
    auto [line, tail] = rest.split('\n');
    text += line.drop_front(std::min<size_t>(line.size(), 4)).str() + "\n";
    rest = tail;
  }
  return text;
}

struct InvalidCase {
  const char *id;
  const char *message;
  std::string source; // with '@' in front of the place
};

inline void expectInvalid(const InvalidCase &test, const SemaOptions &options = {}) {
  std::string source = test.source;
  size_t marker = source.find('@');
  ASSERT_NE(marker, std::string::npos) << "no '@' in\n" << source;
  source.erase(marker, 1);
  llvm::StringRef before = llvm::StringRef(source).substr(0, marker);
  unsigned line = before.count('\n') + 1,
           column = marker - (before.rfind('\n') == llvm::StringRef::npos ? 0 : before.rfind('\n') + 1) + 1;
  SemaResult result = analyzeText(source, options);
  EXPECT_EQ(result.program, nullptr) << source;
  unsigned errors = 0;
  for (const Diagnostic &diag : result.diags) {
    if (diag.severity != Severity::Error)
      continue;
    if (++errors > 1)
      continue;
    EXPECT_EQ(getDiagInfo(diag.id).id.str(), test.id) << result.text;
    EXPECT_NE(diag.message.find(test.message), std::string::npos) << "want: " << test.message << '\n'
                                                                  << result.text;
    std::string place = "test.tile:" + std::to_string(line) + ":" + std::to_string(column) + ":";
    EXPECT_NE(result.text.find(place), std::string::npos) << "want it at " << place << '\n' << result.text;
  }
  EXPECT_EQ(errors, 1u) << source << result.text;
}

inline void expectInvalid(std::initializer_list<InvalidCase> tests) {
  for (const InvalidCase &test : tests)
    expectInvalid(test);
}

inline void expectValid(llvm::StringRef source, const SemaOptions &options = {}) {
  SemaResult result = analyzeText(source, options);
  EXPECT_NE(result.program, nullptr) << source.str() << result.text;
}

} // namespace tilec::frontend

#endif
