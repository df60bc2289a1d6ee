//===- SemaOperators.cpp - operators ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands find a common type and then are folded, if constant, or become a node. Chains of binary operators
// are walked along their left spine without recursion.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

using hir::BinaryOp;

namespace {
struct OpInfo {
  BinaryOp hir;
  ConstOp constant;
  enum Class : uint8_t { Arithmetic, Integers, Shift, Bits, Ordering, Equality, Logical } kind;
};

OpInfo infoOf(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add:
    return {BinaryOp::Add, ConstOp::Add, OpInfo::Arithmetic};
  case ast::BinaryOp::Sub:
    return {BinaryOp::Sub, ConstOp::Sub, OpInfo::Arithmetic};
  case ast::BinaryOp::Mul:
    return {BinaryOp::Mul, ConstOp::Mul, OpInfo::Arithmetic};
  case ast::BinaryOp::Div:
    return {BinaryOp::Div, ConstOp::Div, OpInfo::Arithmetic};
  case ast::BinaryOp::Rem:
    return {BinaryOp::Rem, ConstOp::Rem, OpInfo::Integers};
  case ast::BinaryOp::Shl:
    return {BinaryOp::Shl, ConstOp::Shl, OpInfo::Shift};
  case ast::BinaryOp::Shr:
    return {BinaryOp::Shr, ConstOp::Shr, OpInfo::Shift};
  case ast::BinaryOp::BitAnd:
    return {BinaryOp::And, ConstOp::And, OpInfo::Bits};
  case ast::BinaryOp::BitOr:
    return {BinaryOp::Or, ConstOp::Or, OpInfo::Bits};
  case ast::BinaryOp::BitXor:
    return {BinaryOp::Xor, ConstOp::Xor, OpInfo::Bits};
  case ast::BinaryOp::Less:
    return {BinaryOp::Lt, ConstOp::Lt, OpInfo::Ordering};
  case ast::BinaryOp::LessEqual:
    return {BinaryOp::Le, ConstOp::Le, OpInfo::Ordering};
  case ast::BinaryOp::Greater:
    return {BinaryOp::Gt, ConstOp::Gt, OpInfo::Ordering};
  case ast::BinaryOp::GreaterEqual:
    return {BinaryOp::Ge, ConstOp::Ge, OpInfo::Ordering};
  case ast::BinaryOp::Equal:
    return {BinaryOp::Eq, ConstOp::Eq, OpInfo::Equality};
  case ast::BinaryOp::NotEqual:
    return {BinaryOp::Ne, ConstOp::Ne, OpInfo::Equality};
  case ast::BinaryOp::And:
    return {BinaryOp::LogicalAnd, ConstOp::And, OpInfo::Logical};
  case ast::BinaryOp::Or:
    return {BinaryOp::LogicalOr, ConstOp::Or, OpInfo::Logical};
  }
  llvm_unreachable("unknown operator");
}

/// Whether operands of this type may stand at an operator of that class.
bool accepts(OpInfo::Class kind, ScalarType type) {
  switch (kind) {
  case OpInfo::Arithmetic:
  case OpInfo::Ordering:
    return !isBool(type);
  case OpInfo::Integers:
  case OpInfo::Shift:
    return isInteger(type);
  case OpInfo::Bits:
    return isInteger(type) || isBool(type);
  case OpInfo::Equality:
  case OpInfo::Logical:
    return true;
  }
  llvm_unreachable("unknown class");
}

llvm::StringRef wanted(OpInfo::Class kind) {
  switch (kind) {
  case OpInfo::Integers:
  case OpInfo::Shift:
    return "integers";
  case OpInfo::Bits:
    return "integers or bools";
  default:
    return "numbers";
  }
}
} // namespace

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Checker::checkUnary(const ast::UnaryExpr *expr) {
  Value value = checkExpr(expr->getOperand());
  SourceRange range = expr->getRange();
  if (value.isPoison() || rejectTypes({{value, expr->getOperand()->getRange()}}))
    return {};
  ast::UnaryOp op = expr->getOp();
  ScalarType type = *defaultType(value);
  if (op == ast::UnaryOp::Not) {
    if (!requireBool({value, expr->getOperand()->getRange()}, "the operand of '!'"))
      return {};
    if (value.isConstant())
      return fold(evaluate(ConstUnaryOp::LogicalNot, value.constant), range, range);
    return Value(make<hir::Unary>(hir::UnaryOp::LogicalNot, value.expr, range));
  }
  bool complement = op == ast::UnaryOp::Complement;
  if (complement ? !isInteger(type) : isBool(type)) {
    auto diag = error(DiagId::OperandType, range, getSpelling(op), complement ? "integers" : "numbers",
                      spelling(type));
    if (isBool(type))
      diag.note("write '!' to negate a bool");
    return {};
  }
  ScalarType resultType =
      widensTo(type, ScalarType::F32) && type != ScalarType::F16 && type != ScalarType::BF16 ? ScalarType::F32
                                                                                             : type;
  if (value.isConstant()) {
    if (value.constant.type && isFloat(type))
      value.constant = convert(value.constant, resultType);
    return fold(evaluate(complement ? ConstUnaryOp::BitNot : ConstUnaryOp::Neg, value.constant), range,
                range);
  }
  hir::Expr *operand = materialize(value, resultType, range);
  if (!operand)
    return {};
  return Value(make<hir::Unary>(complement ? hir::UnaryOp::BitNot : hir::UnaryOp::Neg, operand, range));
}

bool Checker::requireBool(const Operand &operand, llvm::StringRef what) {
  if (operand.value.isPoison() || rejectTypes(operand))
    return false;
  auto type = operand.value.type();
  if (type && isBool(*type))
    return true;
  std::string got = type                         ? spelling(*type).str()
                    : operand.value.isConstant() ? describeKind(operand.value.constant)
                                                 : "a number";
  error(DiagId::BoolExpected, operand.range, what, got).note("write a comparison, such as 'x != 0'");
  return false;
}

Value Checker::checkBinaryChain(const ast::BinaryExpr *expr) {
  llvm::SmallVector<const ast::BinaryExpr *, 8> spine;
  const ast::Expr *leaf = expr;
  while (auto *binary = llvm::dyn_cast<ast::BinaryExpr>(leaf)) {
    spine.push_back(binary);
    leaf = binary->getLhs();
  }
  Operand lhs{checkExpr(leaf), leaf->getRange()};
  for (const ast::BinaryExpr *node : llvm::reverse(spine))
    lhs = {checkBinaryStep(node, lhs), node->getRange()};
  return lhs.value;
}

Value Checker::checkBinaryStep(const ast::BinaryExpr *expr, const Operand &lhs) {
  if (infoOf(expr->getOp()).kind == OpInfo::Logical)
    return checkLogical(expr, lhs);
  Operand rhs{checkExpr(expr->getRhs()), expr->getRhs()->getRange()};
  return binary(expr->getOp(), expr->getOpRange(), lhs, rhs, expr->getRange());
}

Value Checker::binary(ast::BinaryOp op, SourceRange opRange, const Operand &lhs, const Operand &rhs,
                      SourceRange range, llvm::StringRef shown) {
  OpInfo info = infoOf(op);
  if (shown.empty())
    shown = getSpelling(op);
  if (lhs.value.isPoison() || rhs.value.isPoison())
    return {};
  if (info.kind == OpInfo::Equality && lhs.value.isType() && rhs.value.isType())
    return *evaluate(info.constant, lhs.value.constant, rhs.value.constant).value;
  if (rejectTypes({lhs, rhs}))
    return {};
  std::string what = "'" + shown.str() + "'";
  bool bothConstant = lhs.value.isConstant() && rhs.value.isConstant();

  auto rejectClass = [&](ScalarType type, SourceRange where) {
    if (accepts(info.kind, type))
      return false;
    auto diag = error(DiagId::OperandType, where, shown, wanted(info.kind), spelling(type));
    if (isBool(type))
      diag.note("write 'i32(b)' to get 0 or 1");
    else if (info.kind == OpInfo::Integers)
      diag.note("write 'x - y * trunc(x / y)' for the remainder of floats");
    return true;
  };

  if (info.kind == OpInfo::Shift) {
    ScalarType left = *defaultType(lhs.value), right = *defaultType(rhs.value);
    if (rejectClass(left, lhs.range) || rejectClass(right, rhs.range))
      return {};
    if (bothConstant)
      return fold(evaluate(info.constant, lhs.value.constant, rhs.value.constant), range, rhs.range);
    hir::Expr *a = materialize(lhs.value, left, lhs.range);
    bool large = rhs.value.isConstant() && rhs.value.constant.integer > maxOf(ScalarType::I64);
    hir::Expr *b = materialize(rhs.value, large ? ScalarType::U64 : right, rhs.range);
    return a && b ? Value(make<hir::Binary>(info.hir, left, a, b, range)) : Value();
  }

  bool adapting;
  auto type = unify({lhs, rhs}, /*promoteNarrow=*/true, opRange, what, adapting);
  if (!type || rejectClass(*type, opRange))
    return {};
  if (bothConstant) {
    ConstValue a = lhs.value.constant, b = rhs.value.constant;
    if (adapting) {
      if (isFloat(*type)) {
        a = a.isInt() ? ConstValue::makeFloat(a.asDouble()) : a;
        b = b.isInt() ? ConstValue::makeFloat(b.asDouble()) : b;
        a.fromTarget = lhs.value.constant.fromTarget;
        b.fromTarget = rhs.value.constant.fromTarget;
      }
    } else if (!isBool(*type)) {
      if (!materialize(lhs.value, *type, lhs.range) || !materialize(rhs.value, *type, rhs.range))
        return {};
      a = convert(a, *type);
      b = convert(b, *type);
    }
    return fold(evaluate(info.constant, a, b), range, rhs.range);
  }
  hir::Expr *a = materialize(lhs.value, *type, lhs.range);
  hir::Expr *b = materialize(rhs.value, *type, rhs.range);
  if (!a || !b)
    return {};
  if ((op == ast::BinaryOp::Div || op == ast::BinaryOp::Rem) && isInteger(*type))
    if (constantInt(b) == 0) {
      error(DiagId::DivisionByZero, rhs.range);
      return {};
    }
  bool comparison = info.kind == OpInfo::Ordering || info.kind == OpInfo::Equality;
  return Value(make<hir::Binary>(info.hir, comparison ? ScalarType::Bool : *type, a, b, range));
}

Value Checker::logicalAnd(const Operand &lhs, const Operand &rhs, SourceRange range) {
  if (lhs.value.isPoison() || rhs.value.isPoison())
    return {};
  if (lhs.value.isConstant())
    return lhs.value.constant.asBool() ? rhs.value : lhs.value;
  if (rhs.value.isConstant() && rhs.value.constant.asBool())
    return lhs.value;
  hir::Expr *b = materialize(rhs.value, ScalarType::Bool, rhs.range);
  return Value(make<hir::Binary>(BinaryOp::LogicalAnd, ScalarType::Bool, lhs.value.expr, b, range));
}

Value Checker::checkLogical(const ast::BinaryExpr *expr, const Operand &lhs) {
  bool isAnd = expr->getOp() == ast::BinaryOp::And;
  std::string what = "the operand of '" + getSpelling(expr->getOp()).str() + "'";
  bool lhsOk = requireBool(lhs, what);
  if (lhsOk && lhs.value.isConstant() && lhs.value.constant.asBool() != isAnd) {
    checkNames(expr->getRhs()); // the side that is never evaluated
    return lhs.value;
  }
  const Guard *saved = guards;
  if (lhsOk && lhs.value.kind == Value::Kind::Runtime)
    pushGuard({Guard::Kind::Condition, nullptr, lhs.value.expr, isAnd});
  Operand rhs{checkExpr(expr->getRhs()), expr->getRhs()->getRange()};
  guards = saved;
  if (!requireBool(rhs, what) || !lhsOk)
    return {};
  if (isAnd)
    return logicalAnd(lhs, rhs, expr->getRange());
  if (lhs.value.isConstant())
    return rhs.value;
  if (rhs.value.isConstant() && !rhs.value.constant.asBool())
    return lhs.value;
  hir::Expr *b = materialize(rhs.value, ScalarType::Bool, rhs.range);
  return Value(make<hir::Binary>(BinaryOp::LogicalOr, ScalarType::Bool, lhs.value.expr, b, expr->getRange()));
}

/// Whether an expression may be shared: nothing to compute, so no tree grows by hanging it in twice.
static bool isTrivial(const hir::Expr *expr) {
  if (auto *cast = llvm::dyn_cast<hir::Cast>(expr))
    expr = cast->operand;
  return llvm::isa<hir::VarRef, hir::Const>(expr);
}

Value Checker::checkChain(const ast::ChainExpr *expr) {
  // a <= b < c is a <= b && b < c, where b is evaluated once and c only if a <= b: what is no plain variable
  // becomes one of an inlined call, which returns before it where the comparisons so far do not hold.
  std::vector<hir::Variable *> params;
  std::vector<hir::Expr *> args;
  hir::StmtList body;
  auto giveBack = [&](hir::Expr *value) {
    auto *back = make<hir::Return>(expr->getRange());
    back->value = value;
    return back;
  };
  size_t remaining = expr->getLinks().size();
  Operand left{checkExpr(expr->getFirst()), expr->getFirst()->getRange()};
  Operand result{ConstValue::makeBool(true), expr->getRange()};
  bool poison = false;
  const Guard *saved = guards;
  for (const ast::ChainExpr::Link &link : expr->getLinks()) {
    if (result.value.isConstant() && !result.value.constant.asBool()) {
      checkNames(link.rhs);
      continue;
    }
    Operand right{checkExpr(link.rhs), link.rhs->getRange()};
    if (--remaining != 0 && right.value.kind == Value::Kind::Runtime && !isTrivial(right.value.expr)) {
      bool isAlwaysRead = result.value.isConstant() && body.empty();
      hir::Variable *variable =
          makeVariable({"operand", right.range}, isAlwaysRead ? hir::VarKind::FnParam : hir::VarKind::Let,
                       right.value.expr->type);
      letValues[variable] = right.value.expr;
      if (isAlwaysRead) {
        params.push_back(variable);
        args.push_back(right.value.expr);
      } else {
        auto *leave = make<hir::If>(expr->getRange());
        leave->condition = make<hir::Unary>(hir::UnaryOp::LogicalNot,
                                            materialize(result.value, ScalarType::Bool, result.range), result.range);
        leave->thenBody.push_back(
            giveBack(materialize(ConstValue::makeBool(false), ScalarType::Bool, expr->getRange())));
        body.push_back(leave);
        result = {ConstValue::makeBool(true), expr->getRange()};
        auto *declaration = make<hir::VarDecl>(right.range);
        declaration->variable = variable;
        declaration->init = right.value.expr;
        body.push_back(declaration);
      }
      right.value = Value(make<hir::VarRef>(variable, right.range));
    }
    SourceRange range = left.range.through(right.range);
    Operand step{binary(link.op, link.opRange, left, right, range), range};
    poison |= step.value.isPoison();
    if (!poison) {
      result = {logicalAnd(result, step, result.range.through(range)), expr->getRange()};
      if (step.value.kind == Value::Kind::Runtime)
        pushGuard({Guard::Kind::Condition, nullptr, step.value.expr, true});
    }
    left = right;
  }
  guards = saved;
  if (poison)
    return {};
  if (body.empty() && (params.empty() || result.value.isConstant()))
    return result.value;
  auto *call = make<hir::InlineCall>(ScalarType::Bool, expr->getRange());
  call->params = std::move(params);
  call->args = std::move(args);
  call->body = std::move(body);
  call->body.push_back(giveBack(materialize(result.value, ScalarType::Bool, expr->getRange())));
  return Value(call);
}

Value Checker::makeChoice(hir::Expr *condition, const Operand &a, const Operand &b, bool lazy,
                          SourceRange range, llvm::StringRef what) {
  if (a.value.isPoison() || b.value.isPoison() || rejectTypes({a, b}))
    return {};
  bool adapting;
  auto type = unify({a, b}, /*promoteNarrow=*/false, range, what, adapting);
  if (!type)
    return {};
  if (adapting) {
    adaptTrees.push_back({condition, a.value, b.value, lazy, range});
    return Value(&adaptTrees.back());
  }
  hir::Expr *onTrue = materialize(a.value, *type, a.range);
  hir::Expr *onFalse = materialize(b.value, *type, b.range);
  return onTrue && onFalse ? Value(make<hir::Conditional>(condition, onTrue, onFalse, lazy, range)) : Value();
}

Value Checker::checkConditional(const ast::ConditionalExpr *expr) {
  Operand condition{checkExpr(expr->getCondition()), expr->getCondition()->getRange()};
  bool ok = requireBool(condition, "the condition of '?:'");
  if (ok && condition.value.isConstant()) {
    bool taken = condition.value.constant.asBool();
    checkNames(taken ? expr->getFalse() : expr->getTrue());
    const ast::Expr *side = taken ? expr->getTrue() : expr->getFalse();
    Value value = checkExpr(side);
    if (rejectTypes(Operand{value, side->getRange()}))
      return {};
    if (value.isConstant())
      value.constant.fromTarget |= condition.value.constant.fromTarget;
    return value;
  }
  const Guard *saved = guards;
  if (ok)
    pushGuard({Guard::Kind::Condition, nullptr, condition.value.expr, true});
  Operand a{checkExpr(expr->getTrue()), expr->getTrue()->getRange()};
  guards = saved;
  if (ok)
    pushGuard({Guard::Kind::Condition, nullptr, condition.value.expr, false});
  Operand b{checkExpr(expr->getFalse()), expr->getFalse()->getRange()};
  guards = saved;
  if (!ok)
    return {};
  return makeChoice(condition.value.expr, a, b, /*lazy=*/true, expr->getRange(), "'?:'");
}

} // namespace tilec::frontend::sema
