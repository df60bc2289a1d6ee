//===- Lexer.h - text to tokens --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens are made on demand. Every malformed piece of text is reported once, here; where the intention is
// clear the lexer answers the token that was meant, otherwise an Error token, which the parser does not
// report again.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_FRONTEND_LEXER_H
#define TILEC_FRONTEND_LEXER_H

#include "tilec/Frontend/Token.h"
#include "tilec/Support/Diagnostics.h"
#include <array>
#include <optional>

namespace tilec::frontend {

class Lexer {
public:
  /// Bytes of the longest name and of the longest number.
  static constexpr size_t maxWordBytes = 1024;

  /// Checks the encoding of the whole text at once; a text with many bad bytes is no text and has no tokens.
  Lexer(const SourceManager &sources, FileId file, DiagnosticEngine &diags);

  /// The next token; EndOfFile again and again at the end.
  Token next();
  /// The text ends within a block comment.
  bool endsInComment() const { return openComment; }
  /// Something was reported as an error so far.
  bool hadErrors() const { return errors; }

private:
  void checkEncoding();
  bool skipBlank(); ///< answers whether a line ended in it
  void skipBlockComment();
  Token lexWord();
  Token lexNumber();
  Token lexString();
  Token lexPunctuation();
  Token lexUnknown();

  char peek(size_t ahead = 0) const { return pos + ahead < text.size() ? text[pos + ahead] : '\0'; }
  Token make(TokenKind kind, size_t begin) const;
  SourceRange makeRange(size_t begin, size_t end) const { return {file, uint32_t(begin), uint32_t(end)}; }
  template <typename... Args> DiagnosticBuilder error(DiagId id, SourceRange range, Args &&...args) {
    errors = true;
    return diags.report(id, range, std::forward<Args>(args)...);
  }

  FileId file;
  llvm::StringRef text;
  DiagnosticEngine &diags;
  size_t pos = 0;
  bool errors = false;
  bool openComment = false;
};

/// The exact value of a well-formed INTEGER as {low, high} words; nothing if it needs more than 128 bits.
std::optional<std::array<uint64_t, 2>> evaluateInteger(llvm::StringRef spelling);
/// The value of a well-formed FLOAT, rounded to nearest even; nothing if it is too large for f64.
std::optional<double> evaluateFloat(llvm::StringRef spelling);
/// The bytes that a STRING stands for. Unknown escapes stay as they are written.
std::string evaluateString(llvm::StringRef spelling);

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_LEXER_H
