//===- SemaTypes.cpp - types, common types and implicit conversion ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LANGUAGE section 3. A constant takes the type its context needs, everything else only widens; `unify` finds
// what operands have in common, `materialize` turns a value into an expression of a given type.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

std::optional<ScalarType> Value::type() const {
  if (kind == Kind::Runtime)
    return expr->type;
  if (kind != Kind::Constant || constant.isType())
    return std::nullopt;
  if (constant.isBool())
    return ScalarType::Bool;
  return constant.type;
}

namespace {
/// What the leaves of an adapting value are.
struct Leaves {
  bool ints = false, floats = false;
};

void collectLeaves(const Value &value, Leaves &leaves) {
  if (value.kind == Value::Kind::Adapt) {
    collectLeaves(value.tree->onTrue, leaves);
    collectLeaves(value.tree->onFalse, leaves);
  } else if (value.isConstant()) {
    leaves.ints |= value.constant.isInt();
    leaves.floats |= value.constant.isFloat();
  }
}

bool becomesF32(ScalarType type) {
  return type == ScalarType::TF32 || type == ScalarType::E4M3 || type == ScalarType::E5M2;
}

std::string listTypes(llvm::ArrayRef<ScalarType> types) {
  std::string text;
  for (size_t i = 0; i < types.size(); ++i) {
    if (i != 0)
      text += i + 1 == types.size() ? " and " : ", ";
    text += "'" + spelling(types[i]).str() + "'";
  }
  return text;
}
} // namespace

std::optional<ScalarType> Checker::resolveType(const ast::TypeName &type) {
  if (type.isScalar())
    return toScalarType(*type.scalar);
  if (auto found = lookupTypeParam(type.text))
    return found;
  if (const Symbol *symbol = lookup(type.text)) {
    if (symbol->kind != Symbol::Kind::Poison)
      error(DiagId::NotAType, type.range, type.text).note(symbol->range, "it is declared here");
    return std::nullopt;
  }
  std::vector<llvm::StringRef> candidates = visibleNames();
  for (unsigned i = 0; i <= unsigned(ScalarType::E5M2); ++i)
    candidates.push_back(spelling(ScalarType(i)));
  reportUnknown(DiagId::UnknownType, type.getIdentifier(), candidates);
  return std::nullopt;
}

std::optional<ScalarType> Checker::resolveScalarType(const ast::TypeName &type) {
  auto result = resolveType(type);
  if (result && isPacked(*result)) {
    error(DiagId::PackedScalar, type.range, spelling(*result))
        .note("its elements read as '" + spelling(loadedType(*result)).str() + "'");
    return std::nullopt;
  }
  return result;
}

hir::Expr *Checker::makeConstant(const ConstValue &value, ScalarType type, SourceRange range) {
  auto *result = make<hir::Const>(type, range);
  if (isFloat(type))
    result->real = value.isFloat() ? value.real : value.asDouble();
  else
    result->integer = int64_t(value.integer);
  return result;
}

hir::Expr *Checker::makeIndexConstant(int64_t value, SourceRange range) {
  return makeConstant(ConstValue::makeInt(value), ScalarType::I64, range);
}

hir::Expr *Checker::makeCast(hir::Expr *operand, ScalarType type, SourceRange range) {
  if (operand->type == type)
    return operand;
  return make<hir::Cast>(type, operand, range);
}

std::optional<ScalarType> Checker::defaultType(const Value &value) {
  if (auto type = value.type())
    return type;
  Leaves leaves;
  collectLeaves(value, leaves);
  return leaves.floats ? ScalarType::F32 : ScalarType::I64;
}

hir::Expr *Checker::materialize(const Value &value, ScalarType type, SourceRange range) {
  switch (value.kind) {
  case Value::Kind::Poison:
    return nullptr;
  case Value::Kind::Adapt: {
    const AdaptTree &tree = *value.tree;
    hir::Expr *a = materialize(tree.onTrue, type, range);
    hir::Expr *b = materialize(tree.onFalse, type, range);
    return a && b ? make<hir::Conditional>(tree.condition, a, b, tree.lazy, tree.range) : nullptr;
  }
  case Value::Kind::Runtime:
    if (widensTo(value.expr->type, type))
      return makeCast(value.expr, type, value.expr->range);
    break;
  case Value::Kind::Constant: {
    const ConstValue &constant = value.constant;
    if (constant.isType()) {
      error(DiagId::TypeMisplaced, range, spelling(*constant.type));
      return nullptr;
    }
    if (constant.isAdapting()) {
      if (auto adapted = adapt(constant, type))
        return makeConstant(*adapted, type, range);
      if (isBool(type))
        error(DiagId::NoConversion, range, describeKind(constant), "bool")
            .note("write a comparison, such as 'x != 0'");
      else if (constant.isFloat() && isInteger(type))
        error(DiagId::FloatForInteger, range, format(constant), spelling(type))
            .note("write '" + spelling(type).str() + "(…)' to truncate it");
      else if (isInteger(type))
        error(DiagId::ConstantDoesNotFit, range, format(constant), spelling(type), toString(minOf(type)),
              toString(maxOf(type)));
      else
        error(DiagId::FloatDoesNotFit, range, format(constant), spelling(type));
      return nullptr;
    }
    if (widensTo(*value.type(), type))
      return makeConstant(convert(constant, type), type, range);
    break;
  }
  }
  ScalarType from = *value.type();
  auto diag = error(DiagId::NoConversion, range, spelling(from), spelling(type));
  if (isBool(type))
    diag.note("write a comparison, such as 'x != 0'");
  else
    diag.note("write '" + spelling(type).str() + "(…)' for an explicit conversion");
  return nullptr;
}

hir::Expr *Checker::materializeDefault(const Value &value, SourceRange range) {
  if (value.isPoison())
    return nullptr;
  if (value.isType()) {
    error(DiagId::TypeMisplaced, range, spelling(*value.constant.type));
    return nullptr;
  }
  return materialize(value, *defaultType(value), range);
}

hir::Expr *Checker::materializeIndex(const Value &value, SourceRange range, llvm::StringRef what) {
  if (value.isPoison())
    return nullptr;
  if (value.isType())
    return materialize(value, ScalarType::I64, range);
  ScalarType type = *defaultType(value);
  if (value.isAdapting() && isInteger(type))
    return materialize(value, ScalarType::I64, range);
  if (!isInteger(type)) {
    error(DiagId::IntegerExpected, range, what, value.isAdapting() ? "float" : spelling(type))
        .note(isFloat(type) ? "write 'index(…)' to truncate it" : "write 'index(…)' to get 0 or 1");
    return nullptr;
  }
  if (value.isConstant())
    return makeConstant(convert(value.constant, ScalarType::I64), ScalarType::I64, range);
  return makeCast(value.expr, ScalarType::I64, value.expr->range);
}

bool Checker::rejectTypes(llvm::ArrayRef<Operand> operands) {
  bool rejected = false;
  for (const Operand &operand : operands)
    if (operand.value.isType()) {
      error(DiagId::TypeMisplaced, operand.range, spelling(*operand.value.constant.type));
      rejected = true;
    }
  return rejected;
}

std::optional<ScalarType> Checker::unify(llvm::ArrayRef<Operand> operands, bool promoteNarrow,
                                         SourceRange range, llvm::StringRef what, bool &adapting) {
  adapting = false;
  llvm::SmallVector<ScalarType, 3> types;
  Leaves leaves;
  for (const Operand &operand : operands) {
    if (operand.value.isPoison())
      return std::nullopt;
    if (auto type = operand.value.type()) {
      ScalarType shown = promoteNarrow && becomesF32(*type) ? ScalarType::F32 : *type;
      if (!llvm::is_contained(types, shown))
        types.push_back(shown);
    } else {
      collectLeaves(operand.value, leaves);
    }
  }
  if (types.empty()) {
    adapting = true;
    return leaves.floats ? ScalarType::F32 : ScalarType::I64;
  }
  for (ScalarType candidate : types)
    if (llvm::all_of(types, [&](ScalarType type) { return widensTo(type, candidate); })) {
      if (isBool(candidate) && (leaves.ints || leaves.floats)) {
        error(DiagId::MixedTypes, range, what, "'bool' and a number")
            .note("write 'x != 0' to get a bool, 'i32(b)' to get a number");
        return std::nullopt;
      }
      return candidate;
    }
  auto diag = error(DiagId::MixedTypes, range, what, listTypes(types));
  for (const Operand &operand : operands)
    if (auto type = operand.value.type())
      diag.highlight(operand.range);
  if (llvm::is_contained(types, ScalarType::Bool))
    diag.note("write 'x != 0' to get a bool, 'i32(b)' to get a number");
  else
    diag.note("convert one of them, for example with '" + spelling(types.front()).str() + "(…)'");
  return std::nullopt;
}

} // namespace tilec::frontend::sema
