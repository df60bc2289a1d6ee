//===- SemaMutationTest.cpp - programs broken at random ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The five programs and one that has every construct, with words exchanged for others of their kind, so that
// most mutants parse and break in meaning. Each is accepted, or rejected with located errors; none crashes.
// The seed is fixed.
//
//===----------------------------------------------------------------------===//
#include "SemaTestUtil.h"
#include "tilec/Frontend/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace tilec;
using namespace tilec::frontend;

namespace {
struct Word {
  std::string text; // with the white space in front of it
  TokenKind kind;
};

std::vector<Word> wordsOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
  SourceManager sources;
  CapturingDiagnosticConsumer consumer;
  DiagnosticEngine diags(sources, consumer);
  Lexer lexer(sources, sources.addText("t", buffer ? (*buffer)->getBuffer() : ""), diags);
  std::vector<Word> words;
  for (Token token = lexer.next(); !token.is(TokenKind::EndOfFile); token = lexer.next())
    words.push_back({(token.startsLine ? "\n" : " ") + token.text.str(), token.kind});
  return words;
}

bool isInteresting(const Word &word) {
  char first = word.text[1];
  return llvm::isAlnum(first) || llvm::StringRef("+-*/%<>&|!~").contains(first);
}
} // namespace

TEST(SemaMutation, MutantsAreAcceptedOrRejectedWithALocation) {
  std::vector<std::vector<Word>> programs;
  std::vector<Word> pool;
  for (const char *name : {"vector_add", "matmul", "matmul_bias_gelu", "softmax", "flash_attention",
                           "../test/Frontend/Sema/everything", "../test/Frontend/Sema/everything"}) {
    programs.push_back(wordsOf(std::string(TILEC_KERNELS_DIR "/") + name + ".tile"));
    pool.insert(pool.end(), programs.back().begin(), programs.back().end());
  }
  std::mt19937 random(20250301); // mt19937 and % give the same numbers everywhere
  unsigned accepted = 0, broken = 0;
  for (int mutant = 0; mutant < 150; ++mutant) {
    std::vector<Word> words = programs[random() % programs.size()];
    for (unsigned count = 1 + random() % 2; count != 0; --count) {
      size_t at = random() % words.size(), other = random() % pool.size();
      for (int tries = 0; tries < 50 && !isInteresting(words[at]); ++tries)
        at = random() % words.size();
      for (int tries = 0; tries < 200 && pool[other].kind != words[at].kind; ++tries)
        other = random() % pool.size();
      if (random() % 20 == 0)
        words.erase(words.begin() + at);
      else
        words[at] = pool[other];
    }
    std::string text;
    for (const Word &word : words)
      text += word.text;
    SemaResult result = analyzeText(text);
    EXPECT_EQ(result.program == nullptr, result.count(Severity::Error) != 0) << mutant << text;
    for (const Diagnostic &diag : result.diags)
      EXPECT_TRUE(diag.range.isValid()) << mutant << ' ' << diag.message;
    accepted += result.program != nullptr;
    broken += !result.diags.empty() && getDiagInfo(result.diags[0].id).id >= "TILE03";
  }
  EXPECT_GE(accepted, 10u);
  EXPECT_GE(broken, 60u) << "most mutants should break in meaning, not in syntax";
}
