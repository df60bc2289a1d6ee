//===- ImportExpr.cpp - expressions to scalar ops ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node becomes one value, however many parents share it. What the program evaluates only on one side of a
// `?:`, `&&` or `||` goes into an scf.if, unless evaluating it always is legal and cheap: then it is plain
// arithmetic, which every later pass understands better.
//
//===----------------------------------------------------------------------===//
#include "ImportBody.h"

namespace tilec::frontend {

using namespace mlir;

Location BodyImporter::at(SourceRange range) {
  Location loc = UnknownLoc::get(builder.getContext());
  if (range.isValid()) {
    LineColumn position = sources.getLineColumn(range.getBegin());
    loc = FileLineColLoc::get(builder.getContext(), sources.getPortableName(range.file), position.line,
                              position.column);
  }
  scalars.loc = caller ? Location(CallSiteLoc::get(loc, *caller)) : loc;
  return scalars.loc;
}

Value BodyImporter::inRegion(llvm::function_ref<Value()> body) {
  size_t known = evaluationOrder.size();
  Value result = body();
  while (evaluationOrder.size() > known)
    evaluated.erase(evaluationOrder.pop_back_val());
  return result;
}

/// A binary operator that evaluates both sides.
static bool isArithmetic(const hir::Expr *expr) {
  auto *binary = dyn_cast<hir::Binary>(expr);
  return binary && binary->op != hir::BinaryOp::LogicalAnd && binary->op != hir::BinaryOp::LogicalOr;
}

Value BodyImporter::importExpr(const hir::Expr *expr) {
  if (auto *ref = dyn_cast<hir::VarRef>(expr))
    return slots.get(ref->variable);
  if (auto *constant = dyn_cast<hir::Const>(expr)) {
    at(expr->range);
    return scalars.constant(*constant);
  }
  if (Value known = evaluated.lookup(expr))
    return known;
  Value value = isArithmetic(expr) ? importArithmetic(expr) : importNode(expr);
  evaluated[expr] = value;
  evaluationOrder.push_back(expr);
  return value;
}

/// A chain `a + b + …` is as deep as the program writes it: its left spine is walked in a loop.
Value BodyImporter::importArithmetic(const hir::Expr *expr) {
  SmallVector<const hir::Binary *> spine;
  for (; isArithmetic(expr) && !evaluated.contains(expr); expr = spine.back()->lhs)
    spine.push_back(cast<hir::Binary>(expr));
  Value value = importExpr(expr);
  for (const hir::Binary *binary : llvm::reverse(spine)) {
    Value rhs = importExpr(binary->rhs);
    at(binary->range);
    value = scalars.binary(binary->op, binary->lhs->type, value, rhs, binary->rhs->type);
    evaluated[binary] = value;
    evaluationOrder.push_back(binary);
  }
  return value;
}

SmallVector<Value> BodyImporter::importExprs(ArrayRef<hir::Expr *> exprs) {
  return llvm::map_to_vector(exprs, [&](const hir::Expr *expr) { return importExpr(expr); });
}

OpFoldResult BodyImporter::importSize(const hir::Expr *expr) {
  Value value = importExpr(expr);
  if (std::optional<int64_t> constant = ScalarBuilder::constantValue(value))
    return builder.getIndexAttr(*constant);
  return value;
}

Value BodyImporter::importNode(const hir::Expr *expr) {
  switch (expr->kind) {
  case hir::ExprKind::Const:
  case hir::ExprKind::VarRef:
    break;
  case hir::ExprKind::Unary: {
    auto *unary = cast<hir::Unary>(expr);
    Value operand = importExpr(unary->operand);
    at(expr->range);
    return scalars.unary(unary->op, unary->operand->type, operand);
  }
  case hir::ExprKind::Binary:
    return importLazyLogic(cast<hir::Binary>(expr));
  case hir::ExprKind::Cast: {
    const hir::Expr *operand = cast<hir::Cast>(expr)->operand;
    Value value = importExpr(operand);
    at(expr->range);
    return scalars.cast(value, operand->type, expr->type);
  }
  case hir::ExprKind::Bitcast: {
    const hir::Expr *operand = cast<hir::Bitcast>(expr)->operand;
    Value value = importExpr(operand);
    at(expr->range);
    return scalars.bitcast(value, operand->type, expr->type);
  }
  case hir::ExprKind::Conditional:
    return importConditional(cast<hir::Conditional>(expr));
  case hir::ExprKind::Call: {
    auto *call = cast<hir::Call>(expr);
    SmallVector<Value> args = importExprs(call->args);
    at(expr->range);
    return scalars.call(call->function, call->args.front()->type, args);
  }
  case hir::ExprKind::ElementRead:
    return importElementRead(cast<hir::ElementRead>(expr));
  case hir::ExprKind::InlineCall:
    return importInlineCall(cast<hir::InlineCall>(expr));
  }
  llvm_unreachable("unknown expression");
}

//===----------------------------------------------------------------------===//
// Lazy operators
//===----------------------------------------------------------------------===//

/// The operands of nested operators of one kind, left to right: && and || are associative.
static SmallVector<const hir::Expr *> flatten(const hir::Expr *expr, hir::BinaryOp op) {
  SmallVector<const hir::Expr *> terms, pending{expr};
  while (!pending.empty()) {
    expr = pending.pop_back_val();
    auto *binary = dyn_cast<hir::Binary>(expr);
    if (binary && binary->op == op)
      pending.append({binary->rhs, binary->lhs});
    else
      terms.push_back(expr);
  }
  return terms;
}

/// Deeper nests of scf.if than this are cut; every pass recurses over regions.
static constexpr size_t kTermsOfARegion = 32;

Value BodyImporter::importLazyLogic(const hir::Binary *expr) {
  SmallVector<const hir::Expr *> all = flatten(expr, expr->op);
  bool isAnd = expr->op == hir::BinaryOp::LogicalAnd;
  ArrayRef<const hir::Expr *> terms = all;
  Value result = scalars.boolean(isAnd);
  while (!terms.empty()) {
    result = importLogicTerms(result, terms.take_front(kTermsOfARegion), isAnd);
    terms = terms.drop_front(std::min(kTermsOfARegion, terms.size()));
  }
  return result;
}

/// `result` and the terms. The first term that may not be evaluated always opens an scf.if that holds the
/// rest. So a node shared by neighbouring terms (`a < b < c`) is visible in the later one.
Value BodyImporter::importLogicTerms(Value result, ArrayRef<const hir::Expr *> terms, bool isAnd) {
  for (; !terms.empty(); terms = terms.drop_front()) {
    if (isAnd ? ScalarBuilder::isFalse(result) : ScalarBuilder::isTrue(result))
      return result;
    bool isNeutral = isAnd ? ScalarBuilder::isTrue(result) : ScalarBuilder::isFalse(result);
    if (!isNeutral && !isSpeculatable(terms.front()))
      break;
    Value term = importExpr(terms.front());
    at(terms.front()->range);
    result = isAnd ? scalars.logicalAnd(result, term) : scalars.logicalOr(result, term);
  }
  if (terms.empty())
    return result;

  Location loc = at(terms.front()->range);
  auto evaluate = [&]() -> tile::detail::Carried {
    return {inRegion([&] { return importLogicTerms(scalars.boolean(isAnd), terms, isAnd); })};
  };
  auto decided = [&]() -> tile::detail::Carried { return {scalars.boolean(!isAnd)}; };
  auto branch =
      tile::detail::createIf(builder, loc, result, builder.getI1Type(),
                             isAnd ? tile::detail::BodyFn(evaluate) : tile::detail::BodyFn(decided),
                             isAnd ? tile::detail::BodyFn(decided) : tile::detail::BodyFn(evaluate));
  return branch.getResult(0);
}

Value BodyImporter::importConditional(const hir::Conditional *expr) {
  Value condition = importExpr(expr->condition);
  if (expr->lazy && ScalarBuilder::constantValue(condition))
    return importExpr(ScalarBuilder::isTrue(condition) ? expr->onTrue : expr->onFalse);
  if (!expr->lazy || (isSpeculatable(expr->onTrue) && isSpeculatable(expr->onFalse))) {
    Value onTrue = importExpr(expr->onTrue), onFalse = importExpr(expr->onFalse);
    at(expr->range);
    return scalars.select(condition, onTrue, onFalse);
  }
  auto side = [&](const hir::Expr *value) {
    return [this, value]() -> tile::detail::Carried { return {inRegion([&] { return importExpr(value); })}; };
  };
  Location loc = at(expr->range);
  auto branch = tile::detail::createIf(builder, loc, condition, scalars.type(expr->type), side(expr->onTrue),
                                       side(expr->onFalse));
  return branch.getResult(0);
}

/// A few cycles: what a branch would cost.
static constexpr int kSpeculationBudget = 12;

bool BodyImporter::isSpeculatable(const hir::Expr *expr) const {
  int budget = kSpeculationBudget;
  return spend(expr, budget);
}

bool BodyImporter::spend(const hir::Expr *expr, int &budget) const {
  if (evaluated.contains(expr))
    return true;
  auto take = [&](int cycles) { return (budget -= cycles) >= 0; };
  auto spendAll = [&](ArrayRef<hir::Expr *> exprs) {
    return llvm::all_of(exprs, [&](const hir::Expr *operand) { return spend(operand, budget); });
  };
  auto divisionCost = [](const hir::Expr *divisor) {
    return isFloat(divisor->type) || isa<hir::Const>(divisor) ? 6 : kSpeculationBudget;
  };
  switch (expr->kind) {
  case hir::ExprKind::Const:
  case hir::ExprKind::VarRef:
    return true;
  case hir::ExprKind::Unary:
    return take(1) && spend(cast<hir::Unary>(expr)->operand, budget);
  case hir::ExprKind::Binary: {
    auto *binary = cast<hir::Binary>(expr);
    bool divides = binary->op == hir::BinaryOp::Div || binary->op == hir::BinaryOp::Rem;
    return take(divides ? divisionCost(binary->rhs) : 1) && spend(binary->lhs, budget) &&
           spend(binary->rhs, budget);
  }
  case hir::ExprKind::Cast:
    return take(1) && spend(cast<hir::Cast>(expr)->operand, budget);
  case hir::ExprKind::Bitcast:
    return take(1) && spend(cast<hir::Bitcast>(expr)->operand, budget);
  case hir::ExprKind::Conditional: {
    auto *conditional = cast<hir::Conditional>(expr);
    return take(1) && spend(conditional->condition, budget) && spend(conditional->onTrue, budget) &&
           spend(conditional->onFalse, budget);
  }
  case hir::ExprKind::Call: {
    auto *call = cast<hir::Call>(expr);
    switch (call->function) {
    case hir::Builtin::CeilDiv:
    case hir::Builtin::FloorDiv:
      return take(divisionCost(call->args[1])) && spendAll(call->args);
    case hir::Builtin::Min:
    case hir::Builtin::Max:
    case hir::Builtin::Abs:
    case hir::Builtin::Fma:
    case hir::Builtin::Floor:
    case hir::Builtin::Ceil:
    case hir::Builtin::Trunc:
    case hir::Builtin::IsNan:
    case hir::Builtin::IsInf:
      return take(1) && spendAll(call->args);
    case hir::Builtin::Exp2:
    case hir::Builtin::Rcp:
    case hir::Builtin::Rsqrt:
      return take(6) && spendAll(call->args);
    default:
      return false;
    }
  }
  case hir::ExprKind::ElementRead:
    return take(1) && isReadInsideFragment(cast<hir::ElementRead>(expr));
  case hir::ExprKind::InlineCall: {
    auto *call = cast<hir::InlineCall>(expr);
    auto *result = call->body.size() == 1 ? dyn_cast<hir::Return>(call->body.front()) : nullptr;
    return result && spendAll(call->args) && spend(result->value, budget);
  }
  }
  llvm_unreachable("unknown expression");
}

/// Elements of a fragment at plain parallel indices are registers. Any other read may be outside of the tile,
/// where only the program's condition keeps it from being undefined, or costs a trip through memory.
bool BodyImporter::isReadInsideFragment(const hir::ElementRead *read) const {
  if (!inParallel || read->object->kind != hir::ObjectKind::Fragment)
    return false;
  auto *fragment = cast<hir::Tile>(read->object);
  return llvm::all_of_zip(read->indices, fragment->extents, [&](const hir::Expr *index, int64_t extent) {
    if (auto *constant = dyn_cast<hir::Const>(index))
      return 0 <= constant->integer && constant->integer < extent;
    auto *ref = dyn_cast<hir::VarRef>(index);
    auto it = ref ? indexExtents.find(ref->variable) : indexExtents.end();
    return it != indexExtents.end() && it->second <= extent;
  });
}

//===----------------------------------------------------------------------===//
// Elements and calls
//===----------------------------------------------------------------------===//

Value BodyImporter::importElementRead(const hir::ElementRead *expr) {
  Value object = slots.get(expr->object);
  SmallVector<Value> indices = importExprs(expr->indices);
  Location loc = at(expr->range);
  if (inParallel)
    return tile::ReadOp::create(builder, loc, object, indices);
  return tile::ReadScalarOp::create(builder, loc, object, indices);
}

Value BodyImporter::importInlineCall(const hir::InlineCall *expr) {
  SmallVector<Value> args = importExprs(expr->args);
  Location callLoc = at(expr->range);
  auto savedCaller = std::exchange(caller, callLoc);
  size_t mark = slots.size();
  auto savedTargets = std::exchange(targets, Targets());
  targets.returnFlag = newFlag();
  targets.result = newFlag();
  // What no path sets is never read; the sweep removes the constant.
  slots.define(targets.result, scalars.zero(scalars.type(expr->type)));
  slots.define(targets.returnFlag, scalars.boolean(false));
  for (auto [param, arg] : llvm::zip_equal(expr->params, args))
    slots.define(param, arg);
  importList(expr->body);
  Value result = slots.get(targets.result);
  slots.truncate(mark);
  targets = savedTargets;
  caller = savedCaller;
  at(expr->range);
  return result;
}

} // namespace tilec::frontend
