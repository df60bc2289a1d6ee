//===- Parser.cpp - tokens, errors and recovery of the parser --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all rules share. One mistake gives one error: nothing is reported at a token that the lexer reported,
// nor twice at one place, and a bracket found open is reported once for the token that gave it away.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Parser.h"
#include "tilec/Frontend/Frontend.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend {

Parser::Parser(const SourceManager &sources, FileId id, DiagnosticEngine &diags)
    : sources(sources), diags(diags), lexer(sources, id, diags), file(std::make_unique<ast::File>(id)) {
  last.range = SourceRange(id, 0, 0);
}

std::unique_ptr<ast::File> parseFile(const SourceManager &sources, FileId file, DiagnosticEngine &diags) {
  return Parser(sources, file, diags).parse();
}

std::unique_ptr<ast::File> parseFile(SourceManager &sources, llvm::StringRef path, DiagnosticEngine &diags,
                                     SourceRange importedAt) {
  FileId file = sources.loadFile(path, diags, importedAt);
  return file ? parseFile(sources, file, diags) : nullptr;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

const Token &Parser::peek(unsigned n) {
  while (ahead.size() <= n) {
    Token token = lexer.next();
    if (stopped) { // an end of file where parsing stopped
      token = Token();
      token.range = last.range.atEnd();
    }
    ahead.push_back(token);
  }
  return ahead[n];
}

Token Parser::take() {
  last = peek();
  ahead.erase(ahead.begin());
  if (diags.isErrorLimitReached())
    stop();
  return last;
}

bool Parser::consumeIf(TokenKind kind) {
  if (!at(kind))
    return false;
  take();
  return true;
}

std::string Parser::describeCurrent() {
  const Token &token = peek();
  switch (token.kind) {
  case TokenKind::EndOfFile:
    return "the end of the file";
  case TokenKind::String:
    return "a string";
  case TokenKind::Name:
  case TokenKind::Integer:
  case TokenKind::Float: {
    constexpr size_t maxShown = 40;
    std::string shown = token.text.take_front(maxShown).str();
    return "'" + shown + (token.text.size() > maxShown ? "...'" : "'");
  }
  default:
    return describe(token.kind);
  }
}

void Parser::stop() {
  stopped = true;
  ahead.clear();
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

bool Parser::mayReport(SourceRange range) {
  failed = true;
  if (stopped || at(TokenKind::Error) || (at(TokenKind::EndOfFile) && lexer.endsInComment()) ||
      lastErrorAt == range.begin || unclosedAt == range.begin)
    return false;
  lastErrorAt = range.begin;
  return true;
}

bool Parser::expect(TokenKind kind, llvm::StringRef where) {
  if (consumeIf(kind))
    return true;
  error(DiagId::ExpectedToken, peek().range, describe(kind), where, describeCurrent());
  return false;
}

bool Parser::expectWord(llvm::StringRef word, llvm::StringRef where) {
  if (atName(word)) {
    take();
    return true;
  }
  auto diag = error(DiagId::ExpectedToken, peek().range, "'" + word.str() + "'", where, describeCurrent());
  if (at(TokenKind::Name) && peek().text.edit_distance(word) <= 2)
    diag.fixIt(peek().range, word);
  return false;
}

bool Parser::expectSemicolon(llvm::StringRef after) {
  if (consumeIf(TokenKind::Semicolon))
    return true;
  auto diag = error(DiagId::MissingSemicolon, last.range.atEnd(), after);
  // A new line or the end of the block means that only the ';' is missing.
  if (peek().startsLine || at(TokenKind::RBrace) || at(TokenKind::EndOfFile)) {
    diag.fixIt(last.range.atEnd(), ";");
    return true;
  }
  llvm::StringRef hint = at(TokenKind::Name) ? getForeignWordHint(peek().text) : "";
  if (!hint.empty())
    diag.note(peek().range, "'" + peek().text + "' does not exist: " + hint);
  return false;
}

bool Parser::expectName(ast::Identifier &name, llvm::StringRef what) {
  if (at(TokenKind::Name)) {
    Token token = take();
    name = {token.text, token.range};
    return true;
  }
  if (getWordKind(peek().text) != TokenKind::Name)
    error(DiagId::ReservedWordAsName, peek().range, peek().text);
  else
    error(DiagId::ExpectedToken, peek().range, "a name", what, describeCurrent());
  return false;
}

bool Parser::expectClose(const Bracket &bracket, TokenKind closer, llvm::StringRef where) {
  if (consumeIf(closer))
    return true;
  switch (peek().kind) {
  case TokenKind::EndOfFile:
  case TokenKind::Semicolon:
  case TokenKind::LBrace:
  case TokenKind::RBrace:
  case TokenKind::RBracket:
  case TokenKind::RParen:
    reportUnclosed(bracket.getToken(), getFixedSpelling(closer));
    return false;
  default:
    if (atDeclarationOnOwnLine()) {
      reportUnclosed(bracket.getToken(), getFixedSpelling(closer));
      return false;
    }
  }
  auto diag =
      error(DiagId::ExpectedToken, peek().range, "',' or " + describe(closer), where, describeCurrent());
  diag.note(bracket.getToken().range, "to match this '" + bracket.getToken().text + "'");
  return false;
}

void Parser::reportUnclosed(const Token &opener, llvm::StringRef closer) {
  failed = true;
  if (unclosedAt == peek().range.begin)
    return;
  unclosedAt = peek().range.begin;
  bool isBrace = opener.is(TokenKind::LBrace);
  // Of nested braces the one that is really open is rather one whose '}' stands at another indentation.
  bool hasSuspect = isBrace && suspectBrace.range.isValid() && suspectBrace.range.begin > opener.range.begin;
  const Token &shown = hasSuspect ? suspectBrace : opener;
  auto diag = error(DiagId::UnclosedBracket, shown.range, shown.text);
  std::string found =
      at(TokenKind::EndOfFile) ? "the file ends here" : "expected before this " + describeCurrent();
  diag.note(peek().range, "'" + closer + "' is missing: " + found);
  if (!isBrace)
    diag.fixIt(last.range.atEnd(), closer);
}

bool Parser::checkNesting(unsigned depth, SourceRange range, llvm::StringRef what) {
  if (depth <= maxNesting)
    return true;
  error(DiagId::NestedTooDeep, range, maxNesting, what);
  stop();
  return false;
}

Parser::Bracket::Bracket(Parser &parser, TokenKind opener) : parser(parser), token(parser.take()) {
  // Taking a token may reach the error limit: then the file has ended, whatever the caller saw ahead.
  assert((token.is(opener) || parser.stopped) && "the caller looked");
  (void)opener;
  if (++parser.openBrackets > maxNesting) {
    parser.error(DiagId::TooManyBrackets, token.range, maxNesting);
    parser.stop();
  }
}

Parser::Bracket::~Bracket() { --parser.openBrackets; }

//===----------------------------------------------------------------------===//
// Recovery
//===----------------------------------------------------------------------===//

bool Parser::atDeclaration() {
  const Token &token = peek();
  if (token.is(TokenKind::KwKernel) || token.is(TokenKind::KwFn) || token.is(TokenKind::KwConst))
    return true;
  if (!token.is(TokenKind::Name))
    return false;
  TokenKind next = peek(1).kind;
  llvm::StringRef word = peek().text;
  if (word == "oracle")
    return next == TokenKind::KwKernel;
  if (word == "import")
    return next == TokenKind::String;
  if (next != TokenKind::Name ||
      (peek(2).is(TokenKind::Equal) && (peek(1).text == "max" || peek(1).text == "min")))
    return false; // check max= 2; assigns
  word = peek().text;
  return word == "instantiate" || word == "tune" || word == "check" || word == "bench";
}

/// At the very beginning of a line, where nobody writes statements.
bool Parser::atDeclarationOnOwnLine() {
  uint32_t offset = peek().range.begin;
  return peek().startsLine && (offset == 0 || sources.getText(file->getId())[offset - 1] == '\n') &&
         atDeclaration();
}

static bool beginsStatement(TokenKind kind) {
  switch (kind) {
  case TokenKind::KwLet:
  case TokenKind::KwVar:
  case TokenKind::KwShared:
  case TokenKind::KwFragment:
  case TokenKind::KwFor:
  case TokenKind::KwIf:
  case TokenKind::KwWhile:
  case TokenKind::KwReturn:
  case TokenKind::KwBreak:
  case TokenKind::KwContinue:
  case TokenKind::KwGrid:
    return true;
  default:
    return false;
  }
}

/// Whether a construct that began at `begin` was broken but read through its ';' or '}': the next one
/// follows.
bool Parser::isReadThrough(SourceRange begin) {
  return peek().range != begin && (last.is(TokenKind::Semicolon) || last.is(TokenKind::RBrace));
}

/// To behind the next ';' or block of this statement list, or to where the next statement clearly begins. The
/// broken statement began at `begin`; at least one of its tokens is taken unless the list or file ends there.
void Parser::skipStatement(SourceRange begin) {
  if (isReadThrough(begin))
    return;
  if (peek().range == begin && beginsStatement(peek().kind))
    take();
  unsigned braces = 0;
  while (!at(TokenKind::EndOfFile) && !atDeclarationOnOwnLine()) {
    if (braces == 0) {
      if (consumeIf(TokenKind::Semicolon))
        return;
      if (at(TokenKind::RBrace) || (peek().startsLine && beginsStatement(peek().kind)))
        return;
    }
    if (at(TokenKind::LBrace))
      ++braces;
    bool closes = at(TokenKind::RBrace);
    take();
    if (closes && --braces == 0 && !at(TokenKind::KwElse))
      return;
  }
}

void Parser::skipDeclaration(SourceRange begin) {
  if (isReadThrough(begin))
    return;
  if (peek().range == begin)
    take();
  unsigned braces = 0;
  while (!at(TokenKind::EndOfFile) && !atDeclarationOnOwnLine()) {
    if (braces == 0 && (consumeIf(TokenKind::Semicolon) || (peek().startsLine && atDeclaration())))
      return;
    if (at(TokenKind::LBrace))
      ++braces;
    bool closes = at(TokenKind::RBrace) && braces > 0;
    take();
    if (closes && --braces == 0 && peek().startsLine)
      return;
  }
}

/// To the '{' of a statement whose head is broken; false if none comes.
bool Parser::skipToBlock() {
  while (!at(TokenKind::LBrace)) {
    if (at(TokenKind::EndOfFile) || at(TokenKind::Semicolon) || at(TokenKind::RBrace) ||
        atDeclarationOnOwnLine() || (peek().startsLine && beginsStatement(peek().kind)))
      return false;
    take();
  }
  return true;
}

/// Behind the closer of a broken list, if it comes before the next block or declaration.
void Parser::skipPast(TokenKind closer) {
  unsigned depth = 0;
  while (!at(TokenKind::EndOfFile) && !at(TokenKind::LBrace) && !at(TokenKind::RBrace) &&
         !at(TokenKind::Semicolon) && !atDeclarationOnOwnLine()) {
    bool opens = (closer == TokenKind::RParen && at(TokenKind::LParen)) ||
                 (closer == TokenKind::RBracket && at(TokenKind::LBracket));
    bool closes = at(closer);
    if (closer == TokenKind::Greater && at(TokenKind::LParen)) // a parameter list: '>' is missing
      return;
    take();
    depth += opens;
    if (closes && depth-- == 0)
      return;
  }
}

bool Parser::parseExprList(TokenKind opener, TokenKind closer, llvm::StringRef where,
                           List<const ast::Expr *> &exprs, SourceRange *range) {
  if (!at(opener)) {
    error(DiagId::ExpectedToken, peek().range, describe(opener), where, describeCurrent());
    return false;
  }
  Bracket bracket(*this, opener);
  bool ok = parseList(bracket, closer, "in the list", [&] {
    const ast::Expr *expr = parseExpr(where);
    exprs.push_back(expr);
    return expr != nullptr;
  });
  if (range)
    *range = bracket.getToken().range.through(last.range);
  return ok;
}

//===----------------------------------------------------------------------===//
// Words of other languages
//===----------------------------------------------------------------------===//

llvm::StringRef getTypeForForeignName(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("float", "f32")
      .Cases({"double", "float64"}, "f64")
      .Cases({"half", "__half", "half_t", "float16", "fp16"}, "f16")
      .Cases({"__nv_bfloat16", "nv_bfloat16", "bfloat16", "bfloat16_t"}, "bf16")
      .Cases({"float32", "fp32"}, "f32")
      .Cases({"tfloat32_t", "tfloat32"}, "tf32")
      .Cases({"__nv_fp8_e4m3", "float8_e4m3fn", "float_e4m3_t", "fp8"}, "e4m3")
      .Cases({"__nv_fp8_e5m2", "float8_e5m2", "float_e5m2_t"}, "e5m2")
      .Cases({"int", "int32_t", "int32", "signed"}, "i32")
      .Cases({"unsigned", "uint", "uint32_t", "uint32"}, "u32")
      .Cases({"char", "int8_t", "int8"}, "i8")
      .Cases({"uchar", "uint8_t", "uint8", "byte"}, "u8")
      .Cases({"short", "int16_t", "int16"}, "i16")
      .Cases({"ushort", "uint16_t", "uint16"}, "u16")
      .Cases({"long", "int64_t", "int64"}, "i64")
      .Cases({"ulong", "uint64_t", "uint64"}, "u64")
      .Cases({"size_t", "ptrdiff_t", "ssize_t"}, "index")
      .Default("");
}

llvm::StringRef getBuiltinForForeignName(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"fmax", "fmaxf", "__hmax"}, "max")
      .Cases({"fmin", "fminf", "__hmin"}, "min")
      .Cases({"fabs", "fabsf", "__habs"}, "abs")
      .Cases({"fmaf", "__fmaf_rn", "mad"}, "fma")
      .Cases({"__expf", "expf"}, "exp")
      .Cases({"__logf", "logf"}, "log")
      .Cases({"rsqrtf", "__frsqrt_rn"}, "rsqrt")
      .Cases({"atomicAdd", "atomicadd"}, "atomic_add")
      .Cases({"atomicMax", "atomicmax"}, "atomic_max")
      .Cases({"atomicMin", "atomicmin"}, "atomic_min")
      .Default("");
}

llvm::StringRef getForeignWordHint(llvm::StringRef word) {
  constexpr llvm::StringLiteral threads =
      "a program says what the whole block does; threads are the compiler's, elements are written in "
      "'for (i, j) in parallel(...)'";
  return llvm::StringSwitch<llvm::StringRef>(word)
      .Cases({"__syncthreads", "__syncwarp", "barrier", "syncthreads"},
             "every statement behaves as if the whole block ran it before the next one, so no barrier is "
             "written")
      .Cases({"threadIdx", "laneid", "warpSize"}, threads)
      .Cases({"blockIdx", "gridDim"}, "block indices are named by the grid: grid(...) as (bx, by)")
      .Case("blockDim", "the block's size is the 'threads' of the grid")
      .Cases({"__shared__", "__local__"},
             "tiles are declared 'shared NAME: TYPE[...];' or 'fragment NAME: TYPE[...];'")
      .Cases({"__global__", "__device__", "__host__", "void", "def", "func", "function"},
             "kernels are declared 'kernel NAME(...)', functions 'fn NAME(...)'")
      .Cases({"template", "typename"},
             "compile-time parameters stand between '<' and '>' after the kernel's name")
      .Cases({"struct", "class", "enum", "union", "typedef", "using", "namespace"},
             "there are scalars, tensors and tiles only")
      .Case("static", "constants are declared 'const NAME = value;'")
      .Cases({"include", "from"}, "other files are read by 'import \"file.tile\";'")
      .Case("elif", "it is written 'else if'")
      .Cases({"switch", "case", "goto", "do"}, "there are 'if', 'for' and 'while'")
      .Case("and", "it is written '&&'")
      .Case("or", "it is written '||'")
      .Case("not", "it is written '!'")
      .Cases({"True", "False"}, "truth values are 'true' and 'false'")
      .Cases({"auto", "val"}, "values are declared 'let NAME = value;', variables 'var NAME = value;'")
      .Default("");
}

} // namespace tilec::frontend
