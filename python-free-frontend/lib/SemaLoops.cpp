//===- SemaLoops.cpp - for loops of all four kinds ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unroll` is expanded here, so that its variable is a constant in every iteration.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

namespace {
/// Whether a `break` of this very loop, or a `return`, stands in its body.
bool mayStopEarly(const ast::Stmt *stmt, bool outermost = true) {
  switch (stmt->getKind()) {
  case ast::Stmt::Kind::Break:
    return outermost;
  case ast::Stmt::Kind::Return:
    return true;
  case ast::Stmt::Kind::Block:
    return llvm::any_of(llvm::cast<ast::BlockStmt>(stmt)->getBody(),
                        [&](const ast::Stmt *child) { return mayStopEarly(child, outermost); });
  case ast::Stmt::Kind::If: {
    auto *branch = llvm::cast<ast::IfStmt>(stmt);
    return mayStopEarly(branch->getThen(), outermost) ||
           (branch->getElse() && mayStopEarly(branch->getElse(), outermost));
  }
  case ast::Stmt::Kind::For:
    return mayStopEarly(llvm::cast<ast::ForStmt>(stmt)->getBody(), false);
  case ast::Stmt::Kind::While:
    return mayStopEarly(llvm::cast<ast::WhileStmt>(stmt)->getBody(), false);
  default:
    return false;
  }
}

/// Whether every path through `body` ends in a return (or, `byBreak`, in a return or break of its loop).
bool leaves(const hir::StmtList &body, bool byBreak) {
  if (body.empty())
    return false;
  const hir::Stmt *last = body.back();
  if (auto *block = llvm::dyn_cast<hir::Block>(last))
    return leaves(block->body, byBreak);
  if (auto *branch = llvm::dyn_cast<hir::If>(last))
    return leaves(branch->thenBody, byBreak) && leaves(branch->elseBody, byBreak);
  return llvm::isa<hir::Return>(last) || (byBreak && llvm::isa<hir::Break>(last));
}

/// How often lo, lo + step, … runs before it reaches hi.
ExactInt tripCount(ExactInt lo, ExactInt hi, ExactInt step) {
  if (step > 0)
    return lo < hi ? (hi - lo + step - 1) / step : 0;
  return lo > hi ? (lo - hi - step - 1) / -step : 0;
}
} // namespace

bool Checker::checkFor(const ast::ForStmt *stmt) {
  bool savedGridBody = inGridBody;
  inGridBody = false;
  bool falls = true;
  switch (stmt->getLoop()) {
  case ast::LoopKind::Range:
  case ast::LoopKind::Pipelined:
    falls = checkSequential(stmt);
    break;
  case ast::LoopKind::Unroll:
    falls = checkUnroll(stmt);
    break;
  case ast::LoopKind::Parallel:
    falls = checkParallel(stmt);
    break;
  }
  inGridBody = savedGridBody;
  return falls;
}

bool Checker::checkSequential(const ast::ForStmt *stmt) {
  bool pipelined = stmt->getLoop() == ast::LoopKind::Pipelined;
  bool ok = true;
  if (pipelined) {
    if (rejectInScalarFn(stmt, "'pipelined'"))
      ok = false;
    else if (parallel) {
      error(DiagId::NotInParallel, stmt->getLoopRange(), "'pipelined'").note("use 'range' there");
      ok = false;
    }
  }
  auto *result = make<hir::For>(stmt->getRange());
  result->loop = pipelined ? hir::LoopKind::Pipelined : hir::LoopKind::Range;
  llvm::ArrayRef<const ast::Expr *> args = stmt->getArgs();
  hir::Expr *values[3] = {};
  for (size_t i = 0; i < args.size(); ++i) {
    values[i] =
        materializeIndex(checkExpr(args[i]), args[i]->getRange(), i == 2 ? "the step" : "a loop bound");
    ok &= values[i] != nullptr;
  }
  SourceRange head = stmt->getLoopRange();
  result->lo = args.size() > 1 ? values[0] : makeIndexConstant(0, head);
  result->hi = args.size() > 1 ? values[1] : values[0];
  result->step = args.size() > 2 ? values[2] : makeIndexConstant(1, head);
  if (ok && constantInt(result->step) == 0) {
    error(DiagId::ZeroStep, args[2]->getRange());
    ok = false;
  }
  if (pipelined) {
    auto stages = checkConstantInt(stmt->getStages(), "'stages'", 1, 1 << 20);
    ok &= stages.has_value();
    result->stages = stages.value_or(1);
  }

  Scope inner;
  pushScope(inner);
  result->variable = makeVariable(stmt->getNames()[0], hir::VarKind::Loop, ScalarType::I64);
  declare(stmt->getNames()[0], Symbol{Symbol::Kind::Variable, {}, {}, result->variable});
  const Guard *savedGuards = guards;
  auto lo = constantInt(result->lo), hi = constantInt(result->hi), step = constantInt(result->step);
  if (ok && lo && hi && step) {
    ExactInt count = tripCount(*lo, *hi, *step);
    if (mayStopEarly(stmt->getBody()))
      count = std::min<ExactInt>(count, 1); // only the first iteration is certain
    Guard guard{Guard::Kind::Loop};
    guard.variable = result->variable;
    guard.first = *lo;
    guard.step = *step;
    guard.count = int64_t(std::min<ExactInt>(count, ExactInt(1) << 62));
    pushGuard(guard);
  } else if (ok && step) { // the body runs if the first value is one
    auto *runs = make<hir::Binary>(*step > 0 ? hir::BinaryOp::Lt : hir::BinaryOp::Gt, ScalarType::Bool,
                                   result->lo, result->hi, head);
    pushGuard({Guard::Kind::Condition, nullptr, runs, true});
  } else {
    pushGuard({Guard::Kind::Opaque});
  }
  LoopContext context{LoopContext::Kind::Sequential, loop};
  unsigned savedJumps = jumps;
  loop = &context;
  checkBlock(stmt->getBody(), result->body);
  loop = context.parent;
  jumps = savedJumps;
  guards = savedGuards;
  popScope();
  if (ok)
    out->push_back(result);
  return true;
}

bool Checker::checkUnroll(const ast::ForStmt *stmt) {
  llvm::ArrayRef<const ast::Expr *> args = stmt->getArgs();
  ExactInt values[3] = {0, 0, 1};
  bool ok = true, fromTarget = false;
  for (size_t i = 0; i < args.size(); ++i) {
    auto value = checkConstant(args[i], "an argument of 'unroll'");
    if (value && !value->isInt()) {
      error(DiagId::IntegerExpected, args[i]->getRange(), "an argument of 'unroll'", describeKind(*value));
      value.reset();
    }
    ok &= value.has_value();
    if (value) {
      values[args.size() == 1 ? 1 : i] = value->integer;
      fromTarget |= value->fromTarget;
    }
  }
  if (ok && values[2] == 0) {
    error(DiagId::ZeroStep, args[2]->getRange());
    ok = false;
  }
  ast::Identifier name = stmt->getNames()[0];
  ExactInt count = ok ? tripCount(values[0], values[1], values[2]) : 0;
  if (count == 0) { // never runs, or unknown: its names are all that can be said about
    Scope inner;
    pushScope(inner);
    declare(name, Symbol::poison(name.range));
    checkNames(stmt->getBody());
    popScope();
    return true;
  }
  auto *result = make<hir::InlineBlock>(stmt->getRange());
  result->isUnroll = true;
  SourceRange savedExpanding = expanding;
  if (!expanding.isValid())
    expanding = stmt->getLoopRange();
  LoopContext context{LoopContext::Kind::Unroll, loop};
  unsigned savedJumps = jumps;
  const Guard *savedGuards = guards;
  loop = &context;
  bool returnsAlways = false;
  for (ExactInt i = 0; i < count && !aborted; ++i) {
    countNodes(1);
    Scope inner;
    pushScope(inner);
    ConstValue index = ConstValue::makeInt(values[0] + i * values[2]);
    index.fromTarget = fromTarget;
    declare(name, Symbol{Symbol::Kind::Constant, {}, index});
    unsigned before = jumps, beforeReturns = returns;
    hir::StmtList part;
    context.hasContinue = false;
    checkBlock(stmt->getBody(), part);
    popScope();
    result->parts.push_back(std::move(part));
    returnsAlways = !context.hasContinue && leaves(result->parts.back(), /*byBreak=*/false);
    if (returnsAlways || (!context.hasContinue && leaves(result->parts.back(), /*byBreak=*/true)))
      break; // later iterations never run
    if (jumps != before || returns != beforeReturns)
      pushGuard({Guard::Kind::Opaque});
  }
  loop = context.parent;
  jumps = savedJumps;
  guards = savedGuards;
  expanding = savedExpanding;
  out->push_back(result);
  return context.hasBreak || !returnsAlways;
}

bool Checker::checkParallel(const ast::ForStmt *stmt) {
  if (rejectInScalarFn(stmt, "'parallel'"))
    return true;
  if (parallel) {
    error(DiagId::NotInParallel, stmt->getLoopRange(), "'parallel'")
        .note("give the outer loop more variables, or use 'range' inside");
    return true;
  }
  auto *result = make<hir::Parallel>(stmt->getRange());
  bool ok = true;
  for (const ast::Expr *arg : stmt->getArgs()) {
    hir::Expr *extent = materializeIndex(checkExpr(arg), arg->getRange(), "an extent of 'parallel'");
    ok &= extent != nullptr;
    result->extents.push_back(extent);
  }
  ParallelContext context;
  context.range = stmt->getRange();
  context.outer = guards;
  const Guard *savedGuards = guards;
  Scope inner;
  pushScope(inner);
  parallel = &context;
  for (size_t i = 0; i < stmt->getNames().size(); ++i) {
    ast::Identifier name = stmt->getNames()[i];
    hir::Variable *variable = makeVariable(name, hir::VarKind::Loop, ScalarType::I64);
    declare(name, Symbol{Symbol::Kind::Variable, {}, {}, variable});
    result->variables.push_back(variable);
    auto extent = constantInt(result->extents[i]);
    Guard guard{Guard::Kind::Parallel};
    guard.variable = variable;
    guard.count = extent ? std::max<int64_t>(*extent, 0) : -1;
    pushGuard(guard);
  }
  context.variables = result->variables;
  LoopContext loopContext{LoopContext::Kind::Parallel, loop};
  unsigned savedJumps = jumps;
  loop = &loopContext;
  checkBlock(stmt->getBody(), result->body);
  loop = loopContext.parent;
  jumps = savedJumps;
  guards = savedGuards;
  popScope();
  parallel = nullptr;
  if (ok && !aborted)
    checkConflicts(context);
  if (ok)
    out->push_back(result);
  return true;
}

} // namespace tilec::frontend::sema
