//===- SemaExpr.cpp - names, operators and constants ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every expression becomes a Value: a constant where all its parts are, else HIR of a definite type. Chains of
// binary operators are walked along their left spine without recursion, since a line may hold 10^4 of them.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

#include "llvm/ADT/SmallString.h"

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

const hir::Expr *firstRuntimeLeaf(const hir::Expr *expr) {
  llvm::SmallVector<const hir::Expr *, 16> stack{expr};
  while (!stack.empty()) {
    const hir::Expr *top = stack.pop_back_val();
    if (llvm::isa<hir::VarRef, hir::ElementRead, hir::Call, hir::InlineCall>(top))
      return top;
    if (auto *unary = llvm::dyn_cast<hir::Unary>(top))
      stack.push_back(unary->operand);
    else if (auto *cast = llvm::dyn_cast<hir::Cast>(top))
      stack.push_back(cast->operand);
    else if (auto *cast = llvm::dyn_cast<hir::Bitcast>(top))
      stack.push_back(cast->operand);
    else if (auto *binary = llvm::dyn_cast<hir::Binary>(top))
      stack.append({binary->rhs, binary->lhs});
    else if (auto *choice = llvm::dyn_cast<hir::Conditional>(top))
      stack.append({choice->onFalse, choice->onTrue, choice->condition});
  }
  return nullptr;
}

llvm::StringRef describeVariable(hir::VarKind kind) {
  switch (kind) {
  case hir::VarKind::Let:
  case hir::VarKind::Var:
    return "a variable";
  case hir::VarKind::Loop:
    return "a loop variable";
  case hir::VarKind::Block:
    return "a block index";
  case hir::VarKind::Param:
    return "a scalar parameter";
  case hir::VarKind::Dim:
    return "a runtime dimension";
  case hir::VarKind::Stride:
    return "a runtime stride";
  case hir::VarKind::FnParam:
    return "a parameter of a fn";
  }
  llvm_unreachable("unknown kind");
}
} // namespace

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

std::optional<ConstValue> Checker::requireConstant(const Value &value, SourceRange range, llvm::StringRef what) {
  if (value.isPoison())
    return std::nullopt;
  if (value.isType()) {
    error(DiagId::TypeMisplaced, range, spelling(*value.constant.type));
    return std::nullopt;
  }
  if (value.isConstant())
    return value.constant;
  auto diag = error(DiagId::NotConstant, range, what);
  const hir::Expr *leaf = value.kind == Value::Kind::Adapt ? value.tree->condition : value.expr;
  leaf = firstRuntimeLeaf(leaf);
  if (auto *ref = llvm::dyn_cast_or_null<hir::VarRef>(leaf))
    diag.note(ref->range, "'" + ref->variable->name + "' is " + describeVariable(ref->variable->kind) +
                              ", known only at run time");
  else if (auto *read = llvm::dyn_cast_or_null<hir::ElementRead>(leaf))
    diag.note(read->range, "an element of '" + read->object->name + "' is known only at run time");
  else if (leaf)
    diag.note(leaf->range, "calls other than ceildiv, floordiv, min, max, abs, clamp and select are made at run "
                           "time");
  return std::nullopt;
}

std::optional<ConstValue> Checker::checkConstant(const ast::Expr *expr, llvm::StringRef what) {
  return requireConstant(checkExpr(expr), expr->getRange(), what);
}

std::optional<int64_t> Checker::checkConstantInt(const ast::Expr *expr, llvm::StringRef what, int64_t lo,
                                                 int64_t hi) {
  auto value = checkConstant(expr, what);
  if (!value)
    return std::nullopt;
  if (!value->isInt()) {
    error(DiagId::IntegerExpected, expr->getRange(), what, describeKind(*value));
    return std::nullopt;
  }
  if (value->integer < lo || value->integer > hi) {
    error(DiagId::ValueOutOfRange, expr->getRange(), what, toString(value->integer), lo, hi);
    return std::nullopt;
  }
  return int64_t(value->integer);
}

std::optional<bool> Checker::checkConstantBool(const ast::Expr *expr, llvm::StringRef what) {
  auto value = checkConstant(expr, what);
  if (!value)
    return std::nullopt;
  if (!value->isBool()) {
    error(DiagId::BoolExpected, expr->getRange(), what, describeKind(*value)).note("write 'true' or 'false'");
    return std::nullopt;
  }
  return value->asBool();
}

std::optional<double> Checker::checkConstantReal(const ast::Expr *expr, llvm::StringRef what) {
  auto value = checkConstant(expr, what);
  if (!value)
    return std::nullopt;
  if (!value->isNumber()) {
    error(DiagId::NumberExpected, expr->getRange(), what, describeKind(*value));
    return std::nullopt;
  }
  return value->asDouble();
}

std::optional<ConstValue> Checker::checkCompileValue(const ast::Expr *expr) {
  Value value = checkExpr(expr);
  if (value.isType())
    return value.constant;
  return requireConstant(value, expr->getRange(), "a compile-time argument");
}

Value Checker::fold(ConstResult result, SourceRange range, SourceRange operandRange) {
  if (result)
    return *result.value;
  if (result.error == ConstError::DivisionByZero)
    error(DiagId::DivisionByZero, operandRange);
  else if (result.text.empty())
    error(DiagId::ConstantOverflow, range, "");
  else
    error(DiagId::ConstantOverflow, range, " " + result.text);
  return {};
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Value Checker::checkExpr(const ast::Expr *expr) {
  if (aborted)
    return {};
  switch (expr->getKind()) {
  case ast::Expr::Kind::IntegerLiteral: {
    llvm::APInt wide = llvm::cast<ast::IntegerLiteral>(expr)->getValue();
    if (wide.getActiveBits() > 64) {
      llvm::SmallString<40> digits;
      wide.toStringUnsigned(digits);
      error(DiagId::ConstantOverflow, expr->getRange(), " " + digits.str().str());
      return {};
    }
    return ConstValue::makeInt(ExactInt(wide.getZExtValue()));
  }
  case ast::Expr::Kind::FloatLiteral:
    return ConstValue::makeFloat(llvm::cast<ast::FloatLiteral>(expr)->getValue());
  case ast::Expr::Kind::BoolLiteral:
    return ConstValue::makeBool(llvm::cast<ast::BoolLiteral>(expr)->getValue());
  case ast::Expr::Kind::StringLiteral:
    error(DiagId::StringInExpression, expr->getRange()); // print("a", "b")
    return {};
  case ast::Expr::Kind::NameRef:
    return checkName(llvm::cast<ast::NameRef>(expr));
  case ast::Expr::Kind::Paren:
    return checkExpr(llvm::cast<ast::ParenExpr>(expr)->getInner());
  case ast::Expr::Kind::Type:
    return ConstValue::makeType(toScalarType(llvm::cast<ast::TypeExpr>(expr)->getType()));
  case ast::Expr::Kind::Conversion: {
    auto *conversion = llvm::cast<ast::ConversionExpr>(expr);
    return checkConversion(conversion->getOperand(), toScalarType(conversion->getType()), expr->getRange());
  }
  case ast::Expr::Kind::Bitcast:
    return checkBitcast(llvm::cast<ast::BitcastExpr>(expr));
  case ast::Expr::Kind::Call:
    return checkCall(llvm::cast<ast::CallExpr>(expr));
  case ast::Expr::Kind::Index:
    return checkElement(llvm::cast<ast::IndexExpr>(expr));
  case ast::Expr::Kind::Target:
    return checkTarget(llvm::cast<ast::TargetExpr>(expr));
  case ast::Expr::Kind::Unary:
    return checkUnary(llvm::cast<ast::UnaryExpr>(expr));
  case ast::Expr::Kind::Binary:
    return checkBinaryChain(llvm::cast<ast::BinaryExpr>(expr));
  case ast::Expr::Kind::Chain:
    return checkChain(llvm::cast<ast::ChainExpr>(expr));
  case ast::Expr::Kind::Conditional:
    return checkConditional(llvm::cast<ast::ConditionalExpr>(expr));
  }
  llvm_unreachable("unknown expression");
}

Value Checker::checkName(const ast::NameRef *name) {
  llvm::StringRef text = name->getName();
  if (const Symbol *symbol = lookup(text)) {
    switch (symbol->kind) {
    case Symbol::Kind::Poison:
      return {};
    case Symbol::Kind::Constant:
      usesTarget |= symbol->constant.fromTarget;
      return symbol->constant;
    case Symbol::Kind::Variable:
      return Value(make<hir::VarRef>(symbol->variable, name->getRange()));
    case Symbol::Kind::Object:
      error(DiagId::NotAValue, name->getRange(), text, describe(symbol->object))
          .note("name an element, such as '" + text + "[…]'");
      return {};
    }
  }
  if (const FileName *known = lookupFile(text)) {
    if (auto *constant = llvm::dyn_cast<ast::Constant>(known->decl)) {
      auto value = analyzer.constantValue(constant, *known->owner);
      if (!value)
        return {};
      usesTarget |= value->fromTarget;
      return *value;
    }
    error(DiagId::NotAValue, name->getRange(), text,
          llvm::isa<ast::Kernel>(known->decl) ? "a kernel" : "a fn")
        .note(known->range, "it is declared here");
    return {};
  }
  reportUnknown(DiagId::UnknownName, name->getIdentifier(), visibleNames());
  return {};
}

Value Checker::checkTarget(const ast::TargetExpr *expr) {
  llvm::StringRef field = expr->getField().text;
  ConstValue value = ConstValue::makeInt(field == "sm" ? ExactInt(analyzer.options.targetSm)
                                                       : ExactInt(analyzer.options.targetSharedBytes));
  static const llvm::StringRef fields[] = {
#define TILEC_TARGET_FIELD(Spelling) Spelling,
#include "tilec/Frontend/Builtins.def"
  };
  if (!llvm::is_contained(fields, field)) {
    reportUnknown(DiagId::UnknownTargetField, expr->getField(), fields);
    return {};
  }
  value.fromTarget = true;
  usesTarget = true;
  return value;
}

Value Checker::checkElement(const ast::IndexExpr *expr) {
  hir::Object *object = lookupObject(expr->getBase());
  if (!object) {
    for (const ast::IndexItem &item : expr->getItems())
      for (const ast::Expr *part : {item.start, item.length})
        if (part)
          checkExpr(part);
    return {};
  }
  if (expr->hasExtents()) {
    error(DiagId::RegionAsValue, expr->getRange())
        .note("a region with '+:' or ':' is an operand of copy and the like, or the whole value of a 'let'");
    return {};
  }
  std::vector<hir::Expr *> indices;
  bool ok = checkIndices(expr, object, indices);
  if (inPrologue || inSignature) {
    error(DiagId::ElementInPrologue, expr->getRange())
        .note("the launcher computes this: use dimensions, strides, scalars and constants");
    return {};
  }
  if (!markRead(object, expr->getRange()) || !ok)
    return {};
  record(AccessKind::Read, object, indices, expr->getRange());
  return Value(make<hir::ElementRead>(object, std::move(indices), expr->getRange()));
}

bool Checker::checkIndices(const ast::IndexExpr *expr, hir::Object *object, std::vector<hir::Expr *> &indices) {
  bool ok = true;
  std::vector<SourceRange> ranges;
  for (const ast::IndexItem &item : expr->getItems()) {
    Value value = checkExpr(item.start);
    hir::Expr *index = materializeIndex(value, item.range, "an index");
    ok &= index != nullptr;
    indices.push_back(index);
    ranges.push_back(item.range);
  }
  if (indices.size() != object->rank()) {
    error(DiagId::IndexCount, expr->getRange(), object->name, object->rank(), indices.size())
        .note(object->range, "'" + object->name + "' is declared here");
    return false;
  }
  if (ok)
    checkElementBounds(object, indices, ranges);
  return ok;
}

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
  ScalarType resultType = widensTo(type, ScalarType::F32) && type != ScalarType::F16 &&
                                  type != ScalarType::BF16
                              ? ScalarType::F32
                              : type;
  if (value.isConstant()) {
    if (value.constant.type && isFloat(type))
      value.constant = convert(value.constant, resultType);
    return fold(evaluate(complement ? ConstUnaryOp::BitNot : ConstUnaryOp::Neg, value.constant), range, range);
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
  std::string got = type ? spelling(*type).str()
                         : operand.value.isConstant() ? describeKind(operand.value.constant) : "a number";
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

Value Checker::checkChain(const ast::ChainExpr *expr) {
  // a <= b < c is a <= b && b < c. Expressions are pure, so b stands in both comparisons.
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
  return poison ? Value() : result.value;
}

Value Checker::makeChoice(hir::Expr *condition, const Operand &a, const Operand &b, bool lazy, SourceRange range,
                          llvm::StringRef what) {
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
    Value value = checkExpr(taken ? expr->getTrue() : expr->getFalse());
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

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value Checker::checkConversion(const ast::Expr *operandExpr, ScalarType type, SourceRange range) {
  Value value = checkExpr(operandExpr);
  if (isPacked(type)) {
    error(DiagId::PackedScalar, range, spelling(type))
        .note("a store to a tensor or tile of '" + spelling(type) + "' keeps the low four bits");
    return {};
  }
  if (value.isPoison() || rejectTypes(Operand{value, operandExpr->getRange()}))
    return {};
  if (value.isConstant())
    return convert(value.constant, type);
  if (value.kind == Value::Kind::Adapt) {
    Value a = value.tree->onTrue, b = value.tree->onFalse;
    hir::Expr *operand = materializeDefault(value, operandExpr->getRange());
    if (!operand)
      return {};
    // Both sides are constants: convert them exactly instead of through the default type.
    if (a.isConstant() && b.isConstant())
      return Value(make<hir::Conditional>(value.tree->condition,
                                          makeConstant(convert(a.constant, type), type, range),
                                          makeConstant(convert(b.constant, type), type, range),
                                          value.tree->lazy, range));
    value = Value(operand);
  }
  return Value(makeCast(value.expr, type, range));
}

Value Checker::checkBitcast(const ast::BitcastExpr *expr) {
  auto type = resolveScalarType(expr->getType());
  const ast::Expr *inner = expr->getOperand();
  Operand operand{checkExpr(inner), inner->getRange()};
  if (!type || operand.value.isPoison() || rejectTypes(operand))
    return {};
  if (isBool(*type)) {
    error(DiagId::BitcastToBool, expr->getRange()).note("write 'x != 0'");
    return {};
  }
  unsigned bits = storageBits(*type);
  if (operand.value.isAdapting() && operand.value.isConstant()) {
    // The context needs a number of the same size: a float as itself, an integer unsigned where it can be.
    const ConstValue &constant = operand.value.constant;
    static const ScalarType candidates[] = {ScalarType::U8,  ScalarType::I8,  ScalarType::U16, ScalarType::I16,
                                            ScalarType::U32, ScalarType::I32, ScalarType::U64, ScalarType::I64,
                                            ScalarType::F16, ScalarType::F32, ScalarType::F64};
    for (ScalarType candidate : candidates)
      if (storageBits(candidate) == bits && isFloat(candidate) == constant.isFloat())
        if (auto adapted = adapt(constant, candidate)) {
          operand.value = *adapted;
          break;
        }
  }
  ScalarType from = *defaultType(operand.value);
  if (storageBits(from) != bits) {
    error(DiagId::BitcastSize, expr->getRange(), spelling(from), storageBits(from), spelling(*type), bits);
    return {};
  }
  if (operand.value.isConstant() && !operand.value.isAdapting())
    return bitcast(operand.value.constant, *type);
  hir::Expr *value = materializeDefault(operand.value, operand.range);
  return value ? Value(make<hir::Bitcast>(*type, value, expr->getRange())) : Value();
}

} // namespace tilec::frontend::sema
