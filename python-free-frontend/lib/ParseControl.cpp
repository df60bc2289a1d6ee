//===- ParseControl.cpp - if, loops and the grid ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements with blocks. A block whose head is broken is parsed all the same, for the errors in it.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend {

using namespace ast;

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
