//===- SemaExpr.cpp - names, conversions and constants ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every expression becomes a Value: a constant where all its parts are, else HIR of a definite type.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

#include "llvm/ADT/SmallString.h"

namespace tilec::frontend::sema {

namespace {
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

std::optional<ConstValue> Checker::requireConstant(const Value &value, SourceRange range,
                                                   llvm::StringRef what) {
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
    diag.note(leaf->range,
              "calls other than ceildiv, floordiv, min, max, abs, clamp and select are made at run "
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
  ++depth;
  Value value = checkExprKind(expr);
  --depth;
  return value;
}

Value Checker::checkExprKind(const ast::Expr *expr) {
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

bool Checker::checkIndices(const ast::IndexExpr *expr, hir::Object *object,
                           std::vector<hir::Expr *> &indices) {
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
      return Value(make<hir::Conditional>(
          value.tree->condition, makeConstant(convert(a.constant, type), type, range),
          makeConstant(convert(b.constant, type), type, range), value.tree->lazy, range));
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
    static const ScalarType candidates[] = {
        ScalarType::U8,  ScalarType::I8,  ScalarType::U16, ScalarType::I16, ScalarType::U32, ScalarType::I32,
        ScalarType::U64, ScalarType::I64, ScalarType::F16, ScalarType::F32, ScalarType::F64};
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
