//===- MutationTest.cpp - the kernels, and the kernels broken at random ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The normative programs parse; with tokens deleted, doubled or swapped they parse or are rejected with
// located errors, and never crash. The seed is fixed, so a failure is reproduced by its number.
//
//===----------------------------------------------------------------------===//

#include "ParseTestUtil.h"
#include "tilec/Frontend/Lexer.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace tilec;
using namespace tilec::frontend;

namespace {

const char *const kernels[] = {"vector_add", "matmul", "matmul_bias_gelu", "softmax", "flash_attention"};

std::string readKernel(llvm::StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile((TILEC_KERNELS_DIR "/" + name + ".tile").str());
  EXPECT_TRUE(bool(buffer)) << name.str();
  return buffer ? (*buffer)->getBuffer().str() : "";
}

TEST(Kernels, ParseAndDump) {
  for (const char *name : kernels) {
    Parsed parsed(readKernel(name));
    EXPECT_EQ(parsed.getReports(), "") << name;
    std::string dump = parsed.dump();
    EXPECT_NE(dump.find("  Kernel <"), std::string::npos) << name;
    EXPECT_EQ(dump, Parsed(readKernel(name)).dump()) << "the same every time";
  }
}

std::vector<std::string> getTokens(llvm::StringRef text) {
  SourceManager sources;
  CapturingDiagnosticConsumer consumer;
  DiagnosticEngine diags(sources, consumer);
  Lexer lexer(sources, sources.addText("t", text), diags);
  std::vector<std::string> tokens;
  for (Token token = lexer.next(); !token.is(TokenKind::EndOfFile); token = lexer.next())
    tokens.push_back((token.startsLine ? "\n" : " ") + token.text.str());
  return tokens;
}

TEST(Kernels, MutantsAreParsedOrRejectedWithALocation) {
  std::mt19937 random(20250101); // mt19937 and % give the same numbers everywhere
  unsigned rejected = 0, total = 0;
  for (const char *name : kernels) {
    const std::vector<std::string> original = getTokens(readKernel(name));
    for (int mutant = 0; mutant < 200; ++mutant, ++total) {
      std::vector<std::string> tokens = original;
      for (unsigned count = 1 + random() % 3; count != 0; --count) {
        size_t at = random() % tokens.size(), other = random() % tokens.size();
        switch (random() % 4) {
        case 0:
          tokens.erase(tokens.begin() + at);
          break;
        case 1:
          tokens.insert(tokens.begin() + at, tokens[at]);
          break;
        case 2:
          std::swap(tokens[at], tokens[other]);
          break;
        case 3:
          tokens.insert(tokens.begin() + at, tokens[other]);
          break;
        }
      }
      std::string text;
      for (const std::string &token : tokens)
        text += token;
      Parsed parsed(text);
      EXPECT_EQ(parsed.file->hasErrors(), !parsed.consumer.diags.empty()) << name << ' ' << mutant;
      EXPECT_LE(parsed.consumer.diags.size(), 20u) << name << ' ' << mutant << " cascades\n" << text;
      for (const Diagnostic &diag : parsed.consumer.diags)
        EXPECT_TRUE(diag.range.isValid() && diag.range.end <= text.size()) << name << ' ' << mutant;
      rejected += parsed.file->hasErrors();
      parsed.dump();
    }
  }
  EXPECT_EQ(total, 1000u);
  EXPECT_GT(rejected, total / 2) << "most mutants are no programs";
}

/// Bytes instead of tokens.
TEST(Kernels, ByteMutants) {
  std::mt19937 random(7);
  for (const char *name : kernels) {
    const std::string original = readKernel(name);
    for (int mutant = 0; mutant < 100; ++mutant) {
      std::string text = original;
      for (unsigned count = 1 + random() % 8; count != 0; --count) {
        size_t at = random() % text.size();
        if (random() % 2)
          text[at] = char(random());
        else
          text.erase(at, 1 + random() % 5);
      }
      Parsed parsed(text);
      EXPECT_EQ(parsed.file->hasErrors(), !parsed.consumer.diags.empty()) << name << ' ' << mutant;
      parsed.dump();
    }
  }
}

/// Every prefix of a program, as an editor sees it.
TEST(Kernels, Prefixes) {
  const std::string text = readKernel("flash_attention");
  for (size_t length = 0; length < text.size(); length += 3) {
    Parsed parsed(llvm::StringRef(text).take_front(length));
    EXPECT_LE(parsed.consumer.diags.size(), 3u) << parsed.getReports();
  }
}

} // namespace
