//===- ParseExpr.cpp - expressions -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binary operators are reduced from an explicit stack by precedence and unary ones collected in a loop, so
// the machine's stack grows only with brackets and `?:`, whose number is bounded.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Parser.h"
#include "llvm/ADT/STLExtras.h"

namespace tilec::frontend {

using namespace ast;

namespace {
/// The levels of GRAMMAR section 4, loosest first.
enum Precedence : unsigned {
  NoOperator = 0,
  OrLevel,
  AndLevel,
  BitOrLevel,
  BitXorLevel,
  BitAndLevel,
  EqualityLevel,
  RelationLevel,
  ShiftLevel,
  SumLevel,
  ProductLevel,
};

struct OperatorInfo {
  Precedence precedence = NoOperator;
  BinaryOp op = BinaryOp::Add;
};
} // namespace

static OperatorInfo getOperator(const Token &token) {
  switch (token.kind) {
  case TokenKind::PipePipe:
    return {OrLevel, BinaryOp::Or};
  case TokenKind::AmpAmp:
    return {AndLevel, BinaryOp::And};
  case TokenKind::Pipe:
    return {BitOrLevel, BinaryOp::BitOr};
  case TokenKind::Caret:
    return {BitXorLevel, BinaryOp::BitXor};
  case TokenKind::Amp:
    return {BitAndLevel, BinaryOp::BitAnd};
  case TokenKind::EqualEqual:
    return {EqualityLevel, BinaryOp::Equal};
  case TokenKind::ExclaimEqual:
    return {EqualityLevel, BinaryOp::NotEqual};
  case TokenKind::Less:
    return {RelationLevel, BinaryOp::Less};
  case TokenKind::LessEqual:
    return {RelationLevel, BinaryOp::LessEqual};
  case TokenKind::Greater:
    return {RelationLevel, BinaryOp::Greater};
  case TokenKind::GreaterEqual:
    return {RelationLevel, BinaryOp::GreaterEqual};
  case TokenKind::LessLess:
    return {ShiftLevel, BinaryOp::Shl};
  case TokenKind::GreaterGreater:
    return {ShiftLevel, BinaryOp::Shr};
  case TokenKind::Plus:
    return {SumLevel, BinaryOp::Add};
  case TokenKind::Minus:
    return {SumLevel, BinaryOp::Sub};
  case TokenKind::Star:
    return {ProductLevel, BinaryOp::Mul};
  case TokenKind::Slash:
    return {ProductLevel, BinaryOp::Div};
  case TokenKind::Percent:
    return {ProductLevel, BinaryOp::Rem};
  case TokenKind::Name: // a slip of those who come from Python; two names in a row are never an expression
    if (token.text == "and")
      return {AndLevel, BinaryOp::And};
    if (token.text == "or")
      return {OrLevel, BinaryOp::Or};
    return {};
  default:
    return {};
  }
}

static bool isUpward(BinaryOp op) { return op == BinaryOp::Less || op == BinaryOp::LessEqual; }

bool Parser::setHeight(Expr &node, llvm::ArrayRef<const Expr *> children) {
  unsigned height = 0;
  for (const Expr *child : children)
    height = std::max(height, child->getHeight() + 1);
  if (height > Expr::maxHeight) {
    error(DiagId::NestedTooDeep, node.getRange().atBegin(), Expr::maxHeight, "expressions")
        .note("name parts of it with 'let' or 'const'");
    return false;
  }
  node.height = height;
  return true;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

const Expr *Parser::parseExpr(llvm::StringRef where) {
  const Expr *expr = parseOperators(OrLevel, where);
  return expr ? finishConditional(expr, where) : nullptr;
}

/// Behind an operand: `? a : b` if it follows.
const Expr *Parser::finishConditional(const Expr *condition, llvm::StringRef where) {
  if (!at(TokenKind::Question))
    return condition;
  Nesting nesting(conditionalDepth);
  if (!checkNesting(conditionalDepth, peek().range, "'?:'"))
    return nullptr;
  Token question = take();
  const Expr *whenTrue = parseExpr("after '?'");
  if (!whenTrue)
    return nullptr;
  if (!at(TokenKind::Colon)) {
    error(DiagId::ExpectedToken, peek().range, "':'", "after the second operand of '?:'", describeCurrent())
        .note(question.range, "to match this '?'");
    return nullptr;
  }
  take();
  const Expr *whenFalse = parseExpr("after ':'");
  if (!whenFalse)
    return nullptr;
  return make<ConditionalExpr>({condition, whenTrue, whenFalse},
                               condition->getRange().through(whenFalse->getRange()), question.range,
                               condition, whenTrue, whenFalse);
}

/// An expression where a single '=' is a slip for '=='.
const Expr *Parser::parseCondition(llvm::StringRef where) {
  const Expr *expr = parseExpr(where);
  if (!expr || !at(TokenKind::Equal))
    return expr;
  error(DiagId::AssignmentInExpression, peek().range).note("'==' compares").fixIt(peek().range, "==");
  take();
  return parseExpr("after '='") ? expr : nullptr; // the error keeps the tree from being used
}

/// A value between '<' and '>': a Shift expression, so that the first '>' closes the list (N3).
const Expr *Parser::parseCompileValue() {
  const Expr *value = parseOperators(ShiftLevel, "as the value");
  if (!value)
    return nullptr;
  unsigned precedence = getOperator(peek()).precedence;
  if ((precedence != NoOperator && !at(TokenKind::Greater)) || at(TokenKind::Question)) {
    error(DiagId::CompileValueNeedsParens, peek().range, peek().text)
        .highlight(value->getRange())
        .note("the first '>' outside parentheses ends the list");
    return nullptr;
  }
  return value;
}

const Expr *Parser::parseOperators(unsigned minPrecedence, llvm::StringRef where, const Expr *first) {
  struct Pending {
    OperatorInfo info;
    SourceRange range;
  };
  llvm::SmallVector<const Expr *, 8> operands;
  llvm::SmallVector<Pending, 8> operators;

  // Makes one node of the topmost operator, or of a whole run of comparisons.
  auto reduce = [&]() -> bool {
    size_t count = 1;
    while (operators.back().info.precedence == RelationLevel && count < operators.size() &&
           operators[operators.size() - count - 1].info.precedence == RelationLevel)
      ++count;
    auto tail = llvm::ArrayRef(operands).take_back(count + 1);
    auto ops = llvm::ArrayRef(operators).take_back(count);
    SourceRange range = tail.front()->getRange().through(tail.back()->getRange());
    const Expr *node;
    if (count == 1) {
      node = make<BinaryExpr>(tail, range, ops[0].info.op, ops[0].range, tail[0], tail[1]);
    } else {
      llvm::SmallVector<ChainExpr::Link, 4> links;
      for (auto [op, rhs] : llvm::zip_equal(ops, tail.drop_front()))
        links.push_back({op.info.op, op.range, rhs});
      node = make<ChainExpr>(tail, range, tail[0], copy(links));
    }
    operands.truncate(operands.size() - count - 1);
    operators.truncate(operators.size() - count);
    operands.push_back(node);
    return node != nullptr;
  };

  if (!first)
    first = parseUnary(where);
  if (!first)
    return nullptr;
  operands.push_back(first);
  while (true) {
    OperatorInfo info = getOperator(peek());
    if (info.precedence == NoOperator || info.precedence < minPrecedence)
      break;
    // `x %= 2` and the like: the operator is not the mistake.
    if (peek(1).is(TokenKind::Equal) && peek(1).range.begin == peek().range.end &&
        info.precedence != AndLevel && info.precedence != OrLevel)
      break;
    if (at(TokenKind::Name))
      error(DiagId::ForeignWord, peek().range, peek().text, getForeignWordHint(peek().text))
          .fixIt(peek().range, getSpelling(info.op));
    while (!operators.empty() && operators.back().info.precedence >= info.precedence) {
      if (info.precedence == RelationLevel && operators.back().info.precedence == RelationLevel) {
        if (isUpward(info.op) != isUpward(operators.back().info.op))
          error(DiagId::MixedChain, peek().range).highlight(operators.back().range);
        break; // a chain grows
      }
      if (info.precedence == EqualityLevel && operators.back().info.precedence == EqualityLevel)
        error(DiagId::ChainedEquality, peek().range)
            .highlight(operators.back().range)
            .note("compare with '&&', or write parentheses to compare truth values");
      if (!reduce())
        return nullptr;
    }
    Token op = take();
    const Expr *operand = parseUnary("after '" + op.text.str() + "'");
    if (!operand)
      return nullptr;
    operators.push_back({info, op.range});
    operands.push_back(operand);
  }
  while (!operators.empty())
    if (!reduce())
      return nullptr;
  return operands.front();
}

const Expr *Parser::parseUnary(llvm::StringRef where) {
  struct Prefix {
    UnaryOp op;
    SourceRange range;
  };
  llvm::SmallVector<Prefix, 4> prefixes;
  std::string afterOperator;
  while (true) {
    const Token &token = peek();
    if (token.is(TokenKind::Minus)) {
      prefixes.push_back({UnaryOp::Negate, token.range});
    } else if (token.is(TokenKind::Exclaim)) {
      prefixes.push_back({UnaryOp::Not, token.range});
    } else if (token.is(TokenKind::Tilde)) {
      prefixes.push_back({UnaryOp::Complement, token.range});
    } else if (token.is(TokenKind::Plus)) {
      error(DiagId::UnaryPlus, token.range).fixIt(token.range, "");
    } else if (token.is(TokenKind::PlusPlus) || token.is(TokenKind::MinusMinus)) {
      auto diag = error(DiagId::IncrementOperator, token.range, token.text);
      if (token.is(TokenKind::MinusMinus))
        diag.note("a double negation is written '- -' or '-(-x)'");
    } else if (token.isName("not") && peek(1).is(TokenKind::Name) && !peek(1).isName("bytes")) {
      error(DiagId::ForeignWord, token.range, token.text, getForeignWordHint(token.text))
          .fixIt(token.range, "!");
    } else {
      break;
    }
    if (!checkNesting(unaryDepth + prefixes.size(), peek().range, "unary operators"))
      return nullptr;
    afterOperator = "after '" + peek().text.str() + "'";
    where = afterOperator;
    take();
  }
  unaryDepth += prefixes.size();
  const Expr *expr = parsePrimary(where);
  unaryDepth -= prefixes.size();
  for (const Prefix &prefix : llvm::reverse(prefixes)) {
    if (!expr)
      return nullptr;
    expr = make<UnaryExpr>({expr}, prefix.range.through(expr->getRange()), prefix.op, prefix.range, expr);
  }
  return expr;
}

//===----------------------------------------------------------------------===//
// Primaries
//===----------------------------------------------------------------------===//

const Expr *Parser::parsePrimary(llvm::StringRef where) {
  const Token &token = peek();
  if (getScalarKind(token.kind))
    return checkPostfix(parseConversion());
  switch (token.kind) {
  case TokenKind::Integer: {
    Token number = take();
    auto words = evaluateInteger(number.text);
    return make<IntegerLiteral>({}, number.range, (*words)[0], (*words)[1]);
  }
  case TokenKind::Float: {
    Token number = take();
    return make<FloatLiteral>({}, number.range, *evaluateFloat(number.text));
  }
  case TokenKind::KwInf:
    return make<FloatLiteral>({}, take().range, std::numeric_limits<double>::infinity());
  case TokenKind::KwNan:
    return make<FloatLiteral>({}, take().range, std::numeric_limits<double>::quiet_NaN());
  case TokenKind::KwTrue:
    return make<BoolLiteral>({}, take().range, true);
  case TokenKind::KwFalse:
    return make<BoolLiteral>({}, take().range, false);
  case TokenKind::Name:
    return checkPostfix(parseNamePrimary());
  case TokenKind::LParen:
    return checkPostfix(parseParens());
  case TokenKind::KwBitcast:
    return checkPostfix(parseBitcast());
  case TokenKind::String:
    error(DiagId::StringInExpression, token.range);
    return nullptr;
  default:
    error(DiagId::ExpectedExpression, token.range, where, describeCurrent());
    return nullptr;
  }
}

const Expr *Parser::parseNamePrimary() {
  Token token = take();
  Identifier name = {token.text, token.range};
  if (at(TokenKind::LParen)) {
    Bracket bracket(*this, TokenKind::LParen);
    ExprList args;
    if (consumeIf(TokenKind::RParen))
      return make<CallExpr>({}, name.range.through(last.range), name, llvm::ArrayRef<const Expr *>());
    bool ok = parseList(bracket, TokenKind::RParen, "after the argument", [&] {
      args.push_back(parseExpr("as an argument"));
      if (args.back() && at(TokenKind::Equal)) {
        error(DiagId::AssignmentInExpression, peek().range)
            .note("the arguments of a function have no names")
            .note("'==' compares");
        return false;
      }
      return args.back() != nullptr;
    });
    if (!ok)
      return nullptr;
    return make<CallExpr>(args, name.range.through(last.range), name, copy(args));
  }
  if (at(TokenKind::LBracket))
    return parseIndex(name);
  if (name.text == "target" && at(TokenKind::Dot)) {
    take();
    Identifier field;
    if (!expectName(field, "after 'target.'"))
      return nullptr;
    return make<TargetExpr>({}, token.range.through(field.range), field);
  }
  NameRef *node = file->create<NameRef>(name);
  return setHeight(*node, {}) ? node : nullptr;
}

/// NAME '[' … ']'; at the bracket.
const Expr *Parser::parseIndex(Identifier base) {
  llvm::SmallVector<IndexItem, 4> items;
  auto parseItems = [&] {
    Bracket bracket(*this, TokenKind::LBracket);
    return parseList(bracket, TokenKind::RBracket, "after the index", [&] {
      items.emplace_back();
      return parseIndexItem(items.back());
    });
  };
  if (!parseItems())
    return nullptr;
  while (at(TokenKind::LBracket)) { // A[i][j]
    error(DiagId::IndexedExpression, peek().range)
        .note("all indices stand between one pair of brackets: NAME[i, j]")
        .fixIt(last.range.through(peek().range), ", ");
    if (!parseItems())
      return nullptr;
  }
  ExprList children;
  for (const IndexItem &item : items) {
    if (item.start)
      children.push_back(item.start);
    if (item.length)
      children.push_back(item.length);
  }
  return make<IndexExpr>(children, base.range.through(last.range), base, copy(items));
}

bool Parser::parseIndexItem(IndexItem &item) {
  SourceRange begin = peek().range;
  if (consumeIf(TokenKind::Colon)) {
    item.kind = IndexItem::Kind::All;
    item.range = begin;
    if (at(TokenKind::Comma) || at(TokenKind::RBracket))
      return true;
    error(DiagId::ExpectedToken, peek().range, "',' or ']'", "after ':'", describeCurrent())
        .note("a part of a dimension is written START +: LENGTH");
    return false;
  }
  item.kind = IndexItem::Kind::At;
  item.start = parseExpr("as an index");
  if (!item.start)
    return false;
  if (at(TokenKind::Colon)) {
    error(DiagId::ExpectedToken, peek().range, "'+:'", "after the start of a range", "':'")
        .note("a part of a dimension is written START +: LENGTH");
    return false;
  }
  if (consumeIf(TokenKind::PlusColon)) {
    item.kind = IndexItem::Kind::Span;
    item.length = parseExpr("after '+:'");
    if (!item.length)
      return false;
  }
  item.range = begin.through(last.range);
  return true;
}

/// '(' Expr ')': the operand of a conversion. No trailing comma (N7).
const Expr *Parser::parseSingleOperand(llvm::StringRef what, SourceRange &range) {
  Bracket bracket(*this, TokenKind::LParen);
  const Expr *operand = parseCondition("after '('");
  if (!operand)
    return nullptr;
  if (at(TokenKind::Comma)) {
    if (peek(1).is(TokenKind::RParen)) {
      error(DiagId::TrailingComma, peek().range, what).fixIt(peek().range, "");
      take();
    } else {
      error(DiagId::ExpectedToken, peek().range, "')'", "after " + what.str(), describeCurrent())
          .note(bracket.getToken().range, "to match this '('");
      return nullptr;
    }
  }
  if (!at(TokenKind::RParen) && getOperator(peek()).precedence == NoOperator && !at(TokenKind::Semicolon) &&
      !at(TokenKind::LBrace) && !at(TokenKind::RBrace) && !at(TokenKind::RBracket) &&
      !at(TokenKind::EndOfFile)) {
    error(DiagId::ExpectedToken, peek().range, "')'", "after " + what.str(), describeCurrent())
        .note(bracket.getToken().range, "to match this '('");
    return nullptr;
  }
  if (!expectClose(bracket, TokenKind::RParen, "after " + what.str()))
    return nullptr;
  range = bracket.getToken().range.through(last.range);
  return operand;
}

const Expr *Parser::parseParens() {
  SourceRange range;
  const Expr *inner = parseSingleOperand("the expression in parentheses", range);
  return inner ? make<ParenExpr>({inner}, range, inner) : nullptr;
}

/// ScalarType or ScalarType '(' Expr ')'.
const Expr *Parser::parseConversion() {
  Token word = take();
  ScalarKind type = *getScalarKind(word.kind);
  if (!at(TokenKind::LParen))
    return make<TypeExpr>({}, word.range, type);
  SourceRange range;
  const Expr *operand = parseSingleOperand("the operand of a conversion", range);
  if (!operand)
    return nullptr;
  return make<ConversionExpr>({operand}, word.range.through(range), word.range, type, operand);
}

const Expr *Parser::parseBitcast() {
  Token word = take();
  if (!at(TokenKind::Less)) {
    error(DiagId::ExpectedToken, peek().range, "'<'", "after 'bitcast'", describeCurrent())
        .note("it is written bitcast<TYPE>(value)");
    return nullptr;
  }
  take();
  TypeName type;
  if (!parseType(type, "after 'bitcast<'"))
    return nullptr;
  if (at(TokenKind::Comma) && peek(1).is(TokenKind::Greater)) {
    error(DiagId::TrailingComma, peek().range, "the type of a bitcast").fixIt(peek().range, "");
    take();
  }
  if (!expect(TokenKind::Greater, "after the type of a bitcast"))
    return nullptr;
  if (!at(TokenKind::LParen)) {
    error(DiagId::ExpectedToken, peek().range, "'('", "after 'bitcast<...>'", describeCurrent());
    return nullptr;
  }
  SourceRange range;
  const Expr *operand = parseSingleOperand("the operand of a bitcast", range);
  return operand ? make<BitcastExpr>({operand}, word.range.through(range), type, operand) : nullptr;
}

/// What C lets follow an operand and this language does not.
const Expr *Parser::checkPostfix(const Expr *expr) {
  if (!expr)
    return nullptr;
  if (at(TokenKind::LBracket)) {
    error(DiagId::IndexedExpression, peek().range)
        .highlight(expr->getRange())
        .note("give the value a name first, or index the tile or tensor itself");
    return nullptr;
  }
  if (at(TokenKind::Dot)) {
    const auto *name = llvm::dyn_cast<NameRef>(expr);
    auto diag = error(DiagId::MemberAccess, peek().range,
                      name ? "'" + name->getName().take_front(40).str() + "'" : std::string("an expression"));
    llvm::StringRef hint = name ? getForeignWordHint(name->getName()) : "";
    if (!hint.empty())
      diag.note(expr->getRange(), "'" + name->getName() + "' does not exist: " + hint);
    return nullptr;
  }
  if (at(TokenKind::PlusPlus) || at(TokenKind::MinusMinus)) {
    error(DiagId::IncrementOperator, peek().range, peek().text)
        .note("a variable is changed by a statement of its own: 'x += 1;'");
    take();
    if (at(TokenKind::Name) || at(TokenKind::Integer) || at(TokenKind::Float) || at(TokenKind::LParen))
      return nullptr; // a++b: two operators were meant
  }
  return expr;
}

bool Parser::parseType(TypeName &type, llvm::StringRef where) {
  const Token &token = peek();
  std::optional<ScalarKind> scalar = getScalarKind(token.kind);
  if (!scalar && !token.is(TokenKind::Name)) {
    error(DiagId::ExpectedToken, token.range, "a type", where, describeCurrent());
    return false;
  }
  if (!scalar && !llvm::is_contained(typeParams, token.text)) {
    llvm::StringRef meant = getTypeForForeignName(token.text);
    if (!meant.empty()) {
      error(DiagId::ForeignType, token.range, token.text)
          .note("its name is '" + meant + "' here")
          .fixIt(token.range, meant);
      scalar = getScalarKind(getWordKind(meant));
    }
  }
  Token word = take();
  type = {scalar, word.text, word.range};
  return true;
}

} // namespace tilec::frontend
