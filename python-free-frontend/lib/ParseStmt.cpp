//===- ParseStmt.cpp - blocks and simple statements ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block owns recovery: a statement that cannot be built is skipped and its list goes on. Blocks of
// statements whose head is broken are parsed all the same, for the errors in them.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Parser.h"

namespace tilec::frontend {

using namespace ast;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Blanks at the beginning of the line that holds `offset`.
static size_t getIndentation(llvm::StringRef text, uint32_t offset) {
  size_t lineBegin = text.rfind('\n', offset) + 1; // npos + 1 is 0
  return std::min(text.find_first_not_of(" \t", lineBegin), size_t(offset)) - lineBegin;
}

/// Remembers the first pair of braces whose indentation disagrees: if a '}' is missing, it is probably
/// theirs.
void Parser::noteBraces(const Token &open, const Token &close) {
  if (suspectBrace.range.isValid() || !close.startsLine)
    return;
  llvm::StringRef text = sources.getText(file->getId());
  if (getIndentation(text, close.range.begin) < getIndentation(text, open.range.begin))
    suspectBrace = open;
}

const BlockStmt *Parser::parseBlock(llvm::StringRef where) {
  if (!at(TokenKind::LBrace)) {
    error(DiagId::ExpectedToken, peek().range, "'{'", where, describeCurrent());
    return nullptr;
  }
  Bracket bracket(*this, TokenKind::LBrace);
  llvm::SmallVector<const Stmt *, 16> body;
  while (!at(TokenKind::RBrace)) {
    if (at(TokenKind::EndOfFile) || atDeclarationOnOwnLine()) {
      reportUnclosed(bracket.getToken(), "}");
      return nullptr;
    }
    if (consumeIf(TokenKind::Semicolon))
      continue;
    SourceRange begin = peek().range;
    if (const Stmt *stmt = parseStmt()) {
      body.push_back(stmt);
      continue;
    }
    skipStatement(begin);
  }
  Token closer = take();
  noteBraces(bracket.getToken(), closer);
  return file->create<BlockStmt>(bracket.getToken().range.through(closer.range), copy<const Stmt *>(body));
}

const Stmt *Parser::parseStmt() {
  const Token &token = peek();
  switch (token.kind) {
  case TokenKind::KwLet:
    return parseBinding<LetStmt>();
  case TokenKind::KwVar:
    return parseBinding<VarStmt>();
  case TokenKind::KwShared:
  case TokenKind::KwFragment:
    return parseTile();
  case TokenKind::KwFor:
    return parseFor();
  case TokenKind::KwIf:
    return parseIf();
  case TokenKind::KwWhile:
    return parseWhile();
  case TokenKind::KwReturn:
  case TokenKind::KwBreak:
  case TokenKind::KwContinue:
    return parseJump();
  case TokenKind::LBrace:
    return parseBlock("");
  case TokenKind::KwGrid:
    error(DiagId::MisplacedGrid, token.range);
    parseGrid();
    return nullptr;
  case TokenKind::KwConst: {
    error(DiagId::MisplacedDeclaration, token.range, token.text)
        .note("in a body it is written 'let NAME = value;'")
        .fixIt(token.range, "let");
    return parseBinding<LetStmt>();
  }
  case TokenKind::KwKernel:
  case TokenKind::KwFn:
    error(DiagId::MisplacedDeclaration, token.range, token.text);
    return nullptr;
  case TokenKind::PlusPlus:
  case TokenKind::MinusMinus: {
    Token op = take();
    if (at(TokenKind::Name) && peek(1).is(TokenKind::Semicolon))
      return reportIncrement(peek().range, op);
    error(DiagId::IncrementOperator, op.range, op.text);
    return nullptr;
  }
  case TokenKind::Name:
    return parseNameStmt();
  default:
    if (std::optional<ScalarKind> scalar = getScalarKind(token.kind))
      if (peek(1).is(TokenKind::Name))
        return parseForeignDeclaration(getSpelling(*scalar), "var ");
    return reportNoStatement();
  }
}

/// What stands here begins no statement.
const Stmt *Parser::reportNoStatement() {
  switch (peek().kind) {
  case TokenKind::RParen:
    error(DiagId::UnopenedBracket, peek().range, ")", "(");
    break;
  case TokenKind::RBracket:
    error(DiagId::UnopenedBracket, peek().range, "]", "[");
    break;
  case TokenKind::KwElse:
    error(DiagId::ExpectedStatement, peek().range, describeCurrent()).note("no 'if' block ends before it");
    break;
  case TokenKind::KwAs:
    error(DiagId::ExpectedStatement, peek().range, describeCurrent());
    break;
  default:
    error(DiagId::ExpectedStatement, peek().range, describeCurrent());
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Simple statements
//===----------------------------------------------------------------------===//

/// let and var, and const where it is an error: at the word.
template <typename Node> const Node *Parser::parseBinding() {
  Token word = take();
  Identifier name;
  bool foreign =
      at(TokenKind::Name) && peek(1).is(TokenKind::Name) && !getTypeForForeignName(peek().text).empty();
  if (foreign || (getScalarKind(peek().kind) && peek(1).is(TokenKind::Name))) { // let float x = 1;
    parseForeignDeclaration(foreign ? getTypeForForeignName(peek().text) : peek().text, /*newWord=*/"");
    return nullptr;
  }
  if (!expectName(name, "after '" + word.text.str() + "'"))
    return nullptr;
  std::optional<TypeName> type;
  if (consumeIf(TokenKind::Colon)) {
    type.emplace();
    if (!parseType(*type, "after ':'"))
      return nullptr;
    if (at(TokenKind::LBracket)) {
      error(DiagId::ExpectedToken, peek().range, "'='", "after a scalar's type", "'['")
          .note("a tile is declared 'shared " + name.text + ": TYPE[...];' or 'fragment " + name.text +
                ": TYPE[...];'");
      return nullptr;
    }
  }
  if (!at(TokenKind::Equal)) {
    error(DiagId::ExpectedToken, peek().range, "'='",
          "and a value for '" + name.text.take_front(40).str() + "'", describeCurrent());
    return nullptr;
  }
  take();
  const Expr *value = parseExpr("after '='");
  if (!value || !expectSemicolon("the value of '" + name.text.take_front(40).str() + "'"))
    return nullptr;
  return file->create<Node>(word.range.through(last.range), name, type, value);
}

template const LetStmt *Parser::parseBinding<LetStmt>();

/// `float x = 1;`, at the type. `newWord` takes its place.
const Stmt *Parser::parseForeignDeclaration(llvm::StringRef tileType, llvm::StringRef newWord) {
  Token type = take();
  Token name = take();
  error(DiagId::ForeignDeclaration, type.range)
      .note("it is written 'var " + name.text + ": " + tileType +
            " = value;', with 'let' where it does not change")
      .fixIt({type.range.file, type.range.begin, name.range.begin}, newWord)
      .fixIt(name.range.atEnd(), ": " + tileType);
  return nullptr;
}

const Stmt *Parser::parseTile() {
  Token word = take();
  TileSpace space = word.is(TokenKind::KwShared) ? TileSpace::Shared : TileSpace::Fragment;
  Identifier name;
  TypeName type;
  ExprList dims;
  if (!expectName(name, "for the tile") || !expect(TokenKind::Colon, "after the tile's name") ||
      !parseType(type, "after ':'") ||
      !parseExprList(TokenKind::LBracket, TokenKind::RBracket, "as an extent of the tile", dims))
    return nullptr;
  const Expr *init = nullptr;
  if (consumeIf(TokenKind::Equal)) {
    init = parseExpr("after '='");
    if (!init)
      return nullptr;
  }
  if (!expectSemicolon("the declaration of '" + name.text.take_front(40).str() + "'"))
    return nullptr;
  return file->create<TileStmt>(word.range.through(last.range), space, name, type, copy(dims), init);
}

/// `x++;` or `++x;` of a variable or element.
const Stmt *Parser::reportIncrement(SourceRange target, const Token &op) {
  std::string fixed = (sources.getText(target) + " " + op.text.take_front(1) + "= 1").str();
  error(DiagId::IncrementOperator, op.range, op.text)
      .note("it is written '" + fixed + ";'")
      .fixIt(target.through(op.range), fixed);
  return nullptr;
}

/// At a name: an assignment, a call, or a slip that begins with a name.
const Stmt *Parser::parseNameStmt() {
  const Token name = peek();
  const Token next = peek(1);
  if (next.is(TokenKind::LParen))
    return parseCallStmt();
  if (next.is(TokenKind::LBracket)) {
    take();
    const Expr *target = parseIndex({name.text, name.range});
    if (!target)
      return nullptr;
    if (at(TokenKind::PlusPlus) || at(TokenKind::MinusMinus))
      return reportIncrement(target->getRange(), peek());
    if (!checkPostfix(target))
      return nullptr;
    for (const IndexItem &item : llvm::cast<IndexExpr>(target)->getItems()) {
      if (item.kind == IndexItem::Kind::At)
        continue;
      error(DiagId::RegionAssigned, item.range)
          .note("fill(region, value) sets all its elements, copy(source, region) moves a tile there");
      return nullptr;
    }
    return finishAssignment(target);
  }
  if (next.is(TokenKind::PlusPlus) || next.is(TokenKind::MinusMinus))
    return reportIncrement(name.range, next);
  bool updates = (next.isName("max") || next.isName("min")) && peek(2).is(TokenKind::Equal);
  if (next.is(TokenKind::Name) && !updates) {
    llvm::StringRef tileType = getTypeForForeignName(name.text);
    if (!tileType.empty())
      return parseForeignDeclaration(tileType, "var ");
  }
  bool cannotFollow = next.is(TokenKind::Name) || next.is(TokenKind::LBrace) || next.is(TokenKind::Colon) ||
                      next.is(TokenKind::Less) || getWordKind(next.text) != TokenKind::Name;
  if (llvm::StringRef hint = getForeignWordHint(name.text); !hint.empty() && cannotFollow && !updates) {
    error(DiagId::ForeignWord, name.range, name.text, hint);
    return nullptr;
  }
  take();
  const Expr *target = checkPostfix(file->create<NameRef>(Identifier{name.text, name.range}));
  return target ? finishAssignment(target) : nullptr;
}

/// Behind the target: operator, value and ';'.
const Stmt *Parser::finishAssignment(const Expr *target) {
  SourceRange opRange = peek().range;
  AssignOp op;
  switch (peek().kind) {
  case TokenKind::Equal:
    op = AssignOp::Set;
    break;
  case TokenKind::PlusEqual:
    op = AssignOp::Add;
    break;
  case TokenKind::MinusEqual:
    op = AssignOp::Sub;
    break;
  case TokenKind::StarEqual:
    op = AssignOp::Mul;
    break;
  case TokenKind::SlashEqual:
    op = AssignOp::Div;
    break;
  case TokenKind::Percent:
  case TokenKind::Amp:
  case TokenKind::Pipe:
  case TokenKind::Caret:
  case TokenKind::LessLess:
  case TokenKind::GreaterGreater:
    if (peek(1).is(TokenKind::Equal) && peek(1).range.begin == peek().range.end) {
      llvm::StringRef written = sources.getText(target->getRange()).take_front(40);
      error(DiagId::OperatorAssignment, peek().range.through(peek(1).range), peek().text.str() + "=")
          .note("operator assignments are += -= *= /= max= min=; this one is written '" + written + " = " +
                written + " " + peek().text + " ...;'");
      return nullptr;
    }
    [[fallthrough]];
  default:
    if ((atName("max") || atName("min")) && peek(1).is(TokenKind::Equal)) {
      op = atName("max") ? AssignOp::Max : AssignOp::Min;
      take();
      opRange = opRange.through(peek().range);
      break;
    }
    error(DiagId::ExpectedToken, peek().range, "an assignment operator",
          "after '" + sources.getText(target->getRange()).take_front(40).str() + "'", describeCurrent());
    return nullptr;
  }
  take();
  const Expr *value = parseExpr("after '" + sources.getText(opRange).str() + "'");
  if (value && at(TokenKind::Equal)) {
    error(DiagId::AssignmentInExpression, peek().range).note("a statement assigns once");
    return nullptr;
  }
  if (!value || !expectSemicolon("the assignment"))
    return nullptr;
  return file->create<AssignStmt>(target->getRange().through(last.range), target, op, opRange, value);
}

const Stmt *Parser::parseCallStmt() {
  Token word = take();
  Bracket bracket(*this, TokenKind::LParen);
  ExprList args;
  llvm::SmallVector<NamedArg, 4> namedArgs;
  auto parseArgument = [&]() -> bool {
    bool isNan = at(TokenKind::KwNan);
    if ((at(TokenKind::Name) || isNan) && peek(1).is(TokenKind::Equal)) {
      Token name = take();
      take();
      const Expr *value = parseExpr("after '" + name.text.take_front(40).str() + " ='");
      if (value)
        namedArgs.push_back({{name.text, name.range}, value, name.range.through(last.range)});
      return value != nullptr;
    }
    if (!namedArgs.empty()) {
      error(DiagId::PositionalAfterNamed, peek().range)
          .note(namedArgs.back().range, "the named argument is here");
      return false;
    }
    const Expr *arg;
    if (at(TokenKind::String)) {
      Token string = take();
      arg = make<StringLiteral>({}, string.range, file->copy(llvm::StringRef(evaluateString(string.text))));
      if (at(TokenKind::String)) {
        error(DiagId::ExpectedToken, peek().range, "',' or ')'", "after a string", "another string")
            .note("strings are not joined");
        return false;
      }
    } else {
      arg = parseExpr("as an argument of '" + word.text.take_front(40).str() + "'");
    }
    if (!arg)
      return false;
    args.push_back(arg);
    return true;
  };
  if (!consumeIf(TokenKind::RParen) &&
      !parseList(bracket, TokenKind::RParen, "after the argument", parseArgument))
    return nullptr;
  SourceRange argsRange = bracket.getToken().range.through(last.range);
  if (at(TokenKind::LBracket) || at(TokenKind::Dot)) {
    error(DiagId::IndexedExpression, peek().range).note("a call statement has no value");
    return nullptr;
  }
  if (!expectSemicolon("the call of '" + word.text.take_front(40).str() + "'"))
    return nullptr;
  return file->create<CallStmt>(word.range.through(last.range), Identifier{word.text, word.range}, argsRange,
                                copy(args), copy(namedArgs));
}

/// return, break, continue
const Stmt *Parser::parseJump() {
  Token word = take();
  if (word.is(TokenKind::KwReturn)) {
    if (!inScalarFunction)
      error(DiagId::ReturnOutsideFunction, word.range)
          .note("a scalar fn is declared 'fn NAME(...) -> TYPE { ... }'");
    if (!inScalarFunction && consumeIf(TokenKind::Semicolon))
      return nullptr;
    const Expr *value = parseExpr("after 'return'");
    if (!value || !expectSemicolon("the value of 'return'"))
      return nullptr;
    return file->create<ReturnStmt>(word.range.through(last.range), value);
  }
  if (loopDepth == 0)
    error(DiagId::JumpOutsideLoop, word.range, word.text);
  if (!expectSemicolon("'" + word.text.str() + "'"))
    return nullptr;
  SourceRange range = word.range.through(last.range);
  if (word.is(TokenKind::KwBreak))
    return file->create<BreakStmt>(range);
  return file->create<ContinueStmt>(range);
}

} // namespace tilec::frontend
