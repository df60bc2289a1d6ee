//===- DumpTokens.cpp - tokens as text -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilec --emit=tokens: one token a line.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Frontend.h"
#include "tilec/Frontend/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tilec::frontend {

void dumpTokens(const SourceManager &sources, FileId file, DiagnosticEngine &diags, llvm::raw_ostream &os) {
  Lexer lexer(sources, file, diags);
  while (!diags.isErrorLimitReached()) {
    Token token = lexer.next();
    LineColumn begin = sources.getLineColumn(token.range.getBegin());
    LineColumn end = sources.getLineColumn(token.range.getEnd());
    os << begin.line << ':' << begin.column << '-' << end.line << ':' << end.column << ' '
       << getTokenKindName(token.kind);
    if (!token.text.empty()) {
      os << ' ';
      llvm::printEscapedString(token.text, os);
    }
    os << '\n';
    if (token.is(TokenKind::EndOfFile))
      return;
  }
}

} // namespace tilec::frontend
