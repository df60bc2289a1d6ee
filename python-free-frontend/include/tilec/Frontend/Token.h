//===- Token.h - tokens of the language ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A token is a kind and a piece of the source text. Which kinds exist is a table, Token.def.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_FRONTEND_TOKEN_H
#define TILEC_FRONTEND_TOKEN_H

#include "tilec/Frontend/AST.h"
#include "tilec/Support/SourceManager.h"
#include "llvm/ADT/StringRef.h"

namespace tilec::frontend {

enum class TokenKind : uint8_t {
#define TILEC_TOKEN(Name, Description) Name,
#define TILEC_PUNCTUATION(Spelling, Name) Name,
#define TILEC_KEYWORD(Spelling, Name) Kw##Name,
#define TILEC_SCALAR_TYPE(Spelling, Name) Type##Name,
#include "tilec/Frontend/Token.def"
};

/// "Integer", "LParen", "KwFor", "TypeF16": for dumps.
llvm::StringRef getTokenKindName(TokenKind kind);
/// "(", "for", "f16"; empty for kinds whose spelling varies.
llvm::StringRef getFixedSpelling(TokenKind kind);
/// As a message names it: "'('", "a name", "the end of the file".
std::string describe(TokenKind kind);
/// The kind of a reserved word, else Name.
TokenKind getWordKind(llvm::StringRef word);
/// The type that a token kind is the word of.
std::optional<ScalarKind> getScalarKind(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  bool startsLine = false; ///< nothing but white space and comments before it on its line
  SourceRange range;
  llvm::StringRef text; ///< the bytes of `range`

  bool is(TokenKind k) const { return kind == k; }
  bool isName(llvm::StringRef word) const { return kind == TokenKind::Name && text == word; }
};

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_TOKEN_H
