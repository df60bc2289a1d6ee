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
    if (!token.text.empty())
      os << ' ';
    for (char c : token.text) // strings may hold a tab or CR, malformed tokens anything
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
        os << "\\x" << llvm::hexdigit(c >> 4) << llvm::hexdigit(c & 15);
      else
        os << c;
    os << '\n';
    if (token.is(TokenKind::EndOfFile))
      return;
  }
}

} // namespace tilec::frontend
