//===- ParseStmt.cpp - statements and the grid -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block owns recovery: a statement that cannot be built is skipped and its list goes on. Blocks of
// statements whose head is broken are parsed all the same, for the errors in them.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Parser.h"
#include "llvm/ADT/StringSwitch.h"

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
    skipStatement();
    if (peek().range == begin && !at(TokenKind::RBrace) && !at(TokenKind::EndOfFile) &&
        !atDeclarationOnOwnLine())
      take(); // always onwards
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
    auto diag = error(DiagId::IncrementOperator, op.range, op.text);
    if (at(TokenKind::Name) && peek(1).is(TokenKind::Semicolon)) {
      std::string fixed = (peek().text + " " + op.text.take_front(1) + "= 1").str();
      diag.note("it is written '" + fixed + ";'").fixIt(op.range.through(peek().range), fixed);
    }
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

/// At a name: an assignment, a call, or a slip that begins with a name.
const Stmt *Parser::parseNameStmt() {
  const Token name = peek();
  const Token next = peek(1);
  if (next.is(TokenKind::LParen))
    return parseCallStmt();
  if (next.is(TokenKind::LBracket)) {
    take();
    const Expr *target = checkPostfix(parseIndex({name.text, name.range}));
    if (!target)
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
  if (next.is(TokenKind::PlusPlus) || next.is(TokenKind::MinusMinus)) {
    std::string fixed = (name.text + " " + next.text.take_front(1) + "= 1").str();
    error(DiagId::IncrementOperator, next.range, next.text)
        .note("it is written '" + fixed + ";'")
        .fixIt(name.range.through(next.range), fixed);
    return nullptr;
  }
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
    if (at(TokenKind::PlusPlus) || at(TokenKind::MinusMinus)) {
      error(DiagId::IncrementOperator, peek().range, peek().text);
      return nullptr;
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

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// `if` with all its `else if`, in a loop: the chain is as long as the nesting limit at most, but blocks nest
/// in it.
const Stmt *Parser::parseIf() {
  struct Arm {
    SourceRange begin;
    const Expr *condition;
    const BlockStmt *block;
  };
  llvm::SmallVector<Arm, 4> arms;
  const BlockStmt *otherwise = nullptr;
  bool complete = true;
  unsigned outerDepth = elseIfDepth;
  while (true) {
    Token word = take();
    const Expr *condition = parseCondition("after 'if'");
    if (!condition && !skipToBlock()) {
      elseIfDepth = outerDepth;
      return nullptr;
    }
    const BlockStmt *block = parseBlock("after the condition of 'if'");
    complete &= condition && block;
    if (!block && !at(TokenKind::KwElse)) {
      elseIfDepth = outerDepth;
      return nullptr;
    }
    arms.push_back({word.range, condition, block});
    if (atName("elif")) {
      error(DiagId::ForeignWord, peek().range, "elif", getForeignWordHint("elif"))
          .fixIt(peek().range, "else if");
      complete = false;
      continue;
    }
    if (!consumeIf(TokenKind::KwElse))
      break;
    if (!at(TokenKind::KwIf)) {
      otherwise = parseBlock("after 'else'");
      complete &= otherwise != nullptr;
      break;
    }
    if (!checkNesting(++elseIfDepth, peek().range, "'else if'"))
      break;
  }
  elseIfDepth = outerDepth;
  if (!complete)
    return nullptr;
  SourceRange end = last.range;
  const Stmt *stmt = otherwise;
  for (const Arm &arm : llvm::reverse(arms))
    stmt = file->create<IfStmt>(arm.begin.through(end), arm.condition, arm.block, stmt);
  return stmt;
}

const Stmt *Parser::parseWhile() {
  Token word = take();
  const Expr *condition = parseCondition("after 'while'");
  if (!condition && !skipToBlock())
    return nullptr;
  Nesting loop(loopDepth);
  const BlockStmt *body = parseBlock("after the condition of 'while'");
  if (!condition || !body)
    return nullptr;
  return file->create<WhileStmt>(word.range.through(body->getRange()), condition, body);
}

const Stmt *Parser::parseFor() {
  Token word = take();
  llvm::SmallVector<Identifier, 4> names;
  LoopKind loop = LoopKind::Range;
  SourceRange loopRange;
  ExprList args;
  const Expr *stages = nullptr;
  bool ok = parseForHead(names, loop, loopRange, args, stages);
  if (!ok && !skipToBlock())
    return nullptr;
  Nesting nesting(loopDepth);
  const BlockStmt *body = parseBlock("after the head of 'for'");
  if (!ok || !body)
    return nullptr;
  return file->create<ForStmt>(word.range.through(body->getRange()), copy(names), loop, loopRange, copy(args),
                               stages, body);
}

/// From the names through the closing parenthesis of the loop.
bool Parser::parseForHead(List<Identifier> &names, LoopKind &loop, SourceRange &loopRange, ExprList &args,
                          const Expr *&stages) {
  bool parens = at(TokenKind::LParen);
  auto parseLoopName = [&] {
    names.emplace_back();
    return expectName(names.back(), "for the loop variable");
  };
  if (parens) {
    TokenKind second = peek(1).kind, third = peek(2).kind;
    if ((getScalarKind(second) || second == TokenKind::KwVar || second == TokenKind::KwLet ||
         second == TokenKind::Name) &&
        (third == TokenKind::Name || third == TokenKind::Equal)) { // for (int i = 0; …
      error(DiagId::CStyleFor, peek().range).note("it is written 'for i in range(lo, hi, step) { ... }'");
      Bracket bracket(*this, TokenKind::LParen);
      while (!at(TokenKind::LBrace) && !at(TokenKind::RBrace) && !at(TokenKind::EndOfFile) &&
             !atDeclarationOnOwnLine())
        take(); // its semicolons separate no statements
      return false;
    }
    Bracket bracket(*this, TokenKind::LParen);
    if (!parseList(bracket, TokenKind::RParen, "after the loop variable", parseLoopName))
      return false;
  } else if (!parseLoopName()) {
    return false;
  }
  SourceRange namesRange = names.front().range.through(names.back().range);
  if (!expect(TokenKind::KwIn, "after the loop variable"))
    return false;

  std::optional<LoopKind> kind =
      llvm::StringSwitch<std::optional<LoopKind>>(at(TokenKind::Name) ? peek().text : "")
          .Case("range", LoopKind::Range)
          .Case("unroll", LoopKind::Unroll)
          .Case("pipelined", LoopKind::Pipelined)
          .Case("parallel", LoopKind::Parallel)
          .Default(std::nullopt);
  if (!kind) {
    if (at(TokenKind::Name))
      error(DiagId::UnknownLoop, peek().range, peek().text.take_front(40));
    else
      error(DiagId::ExpectedToken, peek().range, "range, unroll, pipelined or parallel", "after 'in'",
            describeCurrent());
    return false;
  }
  loop = *kind;
  llvm::StringRef word = getSpelling(loop);
  Token wordToken = take();
  if (!at(TokenKind::LParen)) {
    error(DiagId::ExpectedToken, peek().range, "'('", "after '" + word.str() + "'", describeCurrent());
    return false;
  }
  Bracket bracket(*this, TokenKind::LParen);
  bool ok = parseList(bracket, TokenKind::RParen, "after the bound", [&] {
    if (atName("stages") && peek(1).is(TokenKind::Equal)) {
      SourceRange range = take().range;
      take();
      if (loop != LoopKind::Pipelined) {
        error(DiagId::MisplacedStages, range, word);
        return false;
      }
      if (stages) {
        error(DiagId::ExpectedToken, range, "')'", "after 'stages'", "a second 'stages'");
        return false;
      }
      stages = parseExpr("after 'stages ='");
      return stages != nullptr;
    }
    if (stages) {
      error(DiagId::PositionalAfterNamed, peek().range).note("'stages' comes last");
      return false;
    }
    args.push_back(parseExpr("as a bound of '" + word.str() + "'"));
    return args.back() != nullptr;
  });
  if (!ok)
    return false;
  loopRange = wordToken.range.through(last.range);

  switch (loop) {
  case LoopKind::Range:
  case LoopKind::Unroll:
    if (args.size() > 3) {
      error(DiagId::LoopArgumentCount, loopRange, word, "1 to 3", args.size())
          .note("they are (hi), (lo, hi) or (lo, hi, step)");
      return false;
    }
    break;
  case LoopKind::Pipelined:
    if (args.empty() || args.size() > 2) {
      error(DiagId::LoopArgumentCount, loopRange, word, "1 or 2", args.size())
          .note("they are (hi, stages = n) or (lo, hi, stages = n)");
      return false;
    }
    if (!stages) {
      error(DiagId::StagesMissing, loopRange).fixIt(args.back()->getRange().atEnd(), ", stages = 2");
      return false;
    }
    break;
  case LoopKind::Parallel:
    if (names.size() != args.size()) {
      error(DiagId::LoopNameCount, namesRange, names.size(), args.size())
          .note(loopRange, "as many names as extents are needed");
      return false;
    }
    return true;
  }
  if (parens) {
    error(DiagId::ExpectedToken, namesRange, "one name without parentheses", "before 'in " + word.str() + "'",
          "'('")
        .note("only 'parallel' takes names in parentheses");
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

const GridStmt *Parser::parseGrid() {
  Token word = take();
  ExprList extents;
  llvm::SmallVector<GridOption, 4> options;
  llvm::SmallVector<Identifier, 4> names;
  SourceRange headRange;
  bool ok = parseGridHead(extents, options, names, headRange);
  if (!ok && !skipToBlock())
    return nullptr;
  const BlockStmt *body = parseBlock("after the head of the grid");
  if (!ok || !body)
    return nullptr;
  return file->create<GridStmt>(word.range.through(body->getRange()), word.range.through(headRange),
                                copy(extents), copy(options), copy(names), body);
}

bool Parser::parseGridHead(ExprList &extents, List<GridOption> &options, List<Identifier> &names,
                           SourceRange &range) {
  if (!at(TokenKind::LParen)) {
    error(DiagId::ExpectedToken, peek().range, "'('", "after 'grid'", describeCurrent());
    return false;
  }
  {
    Bracket bracket(*this, TokenKind::LParen);
    bool ok = parseList(bracket, TokenKind::RParen, "after the extent or option", [&] {
      if (at(TokenKind::Name) && peek(1).is(TokenKind::Equal)) {
        options.emplace_back();
        return parseGridOption(options.back());
      }
      if (!options.empty()) {
        error(DiagId::PositionalAfterNamed, peek().range).note("a grid's extents come before its options");
        return false;
      }
      extents.push_back(parseExpr("as an extent of the grid"));
      return extents.back() != nullptr;
    });
    if (!ok)
      return false;
    range = bracket.getToken().range.through(last.range);
  }
  bool ok = true;
  if (extents.empty() || extents.size() > 3) {
    error(DiagId::GridExtentCount, extents.empty() ? range : extents[3]->getRange(), extents.size());
    ok = false;
  } else if (options.empty()) {
    error(DiagId::GridOptionMissing, range).fixIt(extents.back()->getRange().atEnd(), ", threads = 128");
    ok = false;
  }
  if (!expect(TokenKind::KwAs, "after 'grid(...)'"))
    return false;
  if (!at(TokenKind::LParen)) {
    auto diag = error(DiagId::ExpectedToken, peek().range, "'('", "after 'as'", describeCurrent());
    diag.note("block indices stand in parentheses, a single one too: as (x)");
    if (at(TokenKind::Name) && peek(1).is(TokenKind::LBrace))
      diag.fixIt(peek().range.atBegin(), "(").fixIt(peek().range.atEnd(), ")");
    return false;
  }
  Bracket bracket(*this, TokenKind::LParen);
  if (!parseList(bracket, TokenKind::RParen, "after the block index", [&] {
        names.emplace_back();
        return expectName(names.back(), "for the block index");
      }))
    return false;
  if (ok && names.size() != extents.size()) {
    error(DiagId::LoopNameCount, bracket.getToken().range.through(last.range), names.size(), extents.size())
        .note(range, "as many names as extents are needed");
    ok = false;
  }
  return ok;
}

/// NAME '=' Expr, or NAME '=' '(' Expr ',' … ')'.
bool Parser::parseGridOption(GridOption &option) {
  Token name = take();
  take();
  option.name = {name.text, name.range};
  std::string where = "after '" + name.text.take_front(40).str() + " ='";
  ExprList values;
  if (!at(TokenKind::LParen)) {
    values.push_back(parseExpr(where));
    if (!values.back())
      return false;
  } else {
    // Only the token behind the first expression tells a tuple from an expression that begins with '('.
    const Expr *first = nullptr;
    SourceRange range;
    {
      Bracket bracket(*this, TokenKind::LParen);
      first = parseCondition("after '('");
      if (!first)
        return false;
      values.push_back(first);
      if (at(TokenKind::Comma) && peek(1).is(TokenKind::RParen)) {
        error(DiagId::TrailingComma, peek().range, "a single value in parentheses").fixIt(peek().range, "");
        take();
      }
      if (consumeIf(TokenKind::Comma)) {
        if (!parseList(bracket, TokenKind::RParen, "after the value", [&] {
              values.push_back(parseExpr("as a value of '" + name.text.take_front(40).str() + "'"));
              return values.back() != nullptr;
            }))
          return false;
      } else if (!expectClose(bracket, TokenKind::RParen, "after the value")) {
        return false;
      }
      range = bracket.getToken().range.through(last.range);
    }
    if (values.size() == 1) {
      const Expr *paren = make<ParenExpr>({first}, range, first);
      const Expr *value = paren ? checkPostfix(paren) : nullptr;
      value = value ? parseOperators(1, where, value) : nullptr;
      value = value ? finishConditional(value, where) : nullptr;
      if (!value)
        return false;
      values.front() = value;
    }
  }
  option.values = copy<const Expr *>(values);
  option.range = name.range.through(last.range);
  return true;
}

} // namespace tilec::frontend
