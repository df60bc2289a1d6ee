//===- SemaStmt.cpp - scalar statements and control flow ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every statement answers whether control can leave at its end; what follows one that cannot is unreachable.
// A conditional jump makes a fact of its condition for the statements behind it (`if i >= n { continue; }`),
// which is what the bounds proofs count as a guard.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

bool Checker::checkBlock(const ast::BlockStmt *block, hir::StmtList &list) {
  ++depth;
  Scope inner;
  pushScope(inner);
  hir::StmtList *savedOut = out;
  const Guard *savedGuards = guards;
  out = &list;
  bool falls = checkStatements(block->getBody());
  out = savedOut;
  guards = savedGuards;
  popScope();
  --depth;
  return falls;
}

/// Whether control never passes a statement, whatever the constants in it are.
static bool alwaysLeaves(const ast::Stmt *stmt) {
  switch (stmt->getKind()) {
  case ast::Stmt::Kind::Break:
  case ast::Stmt::Kind::Continue:
  case ast::Stmt::Kind::Return:
    return true;
  case ast::Stmt::Kind::Block:
    return llvm::any_of(llvm::cast<ast::BlockStmt>(stmt)->getBody(), alwaysLeaves);
  case ast::Stmt::Kind::If: {
    auto *branch = llvm::cast<ast::IfStmt>(stmt);
    return branch->getElse() && alwaysLeaves(branch->getThen()) && alwaysLeaves(branch->getElse());
  }
  case ast::Stmt::Kind::While:
    return llvm::isa<ast::BoolLiteral>(llvm::cast<ast::WhileStmt>(stmt)->getCondition());
  default:
    return false;
  }
}

bool Checker::checkStatements(llvm::ArrayRef<const ast::Stmt *> body) {
  bool falls = true, warned = false, leaves = false;
  for (const ast::Stmt *stmt : body) {
    if (aborted)
      return true;
    if (!falls) {
      // Dead for these constants: names are all that counts. Behind `if i == 3 { continue; }` in an unrolled
      // loop that is no mistake.
      if (leaves && !warned)
        analyzer.error(DiagId::UnreachableCode, stmt->getRange(), {});
      warned = true;
      checkNames(stmt);
      continue;
    }
    unsigned oldJumps = jumps, oldReturns = returns;
    size_t oldSize = out->size();
    bool ends = !checkStmt(stmt);
    falls &= !ends;
    leaves = ends && alwaysLeaves(stmt);
    if (jumps == oldJumps && returns == oldReturns)
      continue;
    // Something in there may leave: what follows runs only if it did not.
    auto *branch = out->size() > oldSize ? llvm::dyn_cast<hir::If>(out->back()) : nullptr;
    bool simple = branch && llvm::isa<ast::IfStmt>(stmt) && branch->thenBody.size() == 1 &&
                  branch->elseBody.empty() &&
                  llvm::isa<hir::Break, hir::Continue, hir::Return>(branch->thenBody.front());
    if (simple)
      pushGuard({Guard::Kind::Condition, nullptr, branch->condition, false});
    else
      pushGuard({Guard::Kind::Opaque});
  }
  return falls;
}

bool Checker::rejectInScalarFn(const ast::Stmt *stmt, llvm::StringRef what) {
  if (!returnType)
    return false;
  error(DiagId::NotInScalarFn, stmt->getRange(), what)
      .note("a fn with '->' holds let, var, assignments, if, while, range, unroll and return");
  return true;
}

bool Checker::checkStmt(const ast::Stmt *stmt) {
  switch (stmt->getKind()) {
  case ast::Stmt::Kind::Let:
    checkLet(llvm::cast<ast::LetStmt>(stmt));
    return true;
  case ast::Stmt::Kind::Var:
    checkVar(llvm::cast<ast::VarStmt>(stmt));
    return true;
  case ast::Stmt::Kind::Tile:
    checkTile(llvm::cast<ast::TileStmt>(stmt));
    return true;
  case ast::Stmt::Kind::Assign:
    checkAssign(llvm::cast<ast::AssignStmt>(stmt));
    return true;
  case ast::Stmt::Kind::Call:
    checkCallStmt(llvm::cast<ast::CallStmt>(stmt));
    return true;
  case ast::Stmt::Kind::For:
    return checkFor(llvm::cast<ast::ForStmt>(stmt));
  case ast::Stmt::Kind::If:
    return checkIf(llvm::cast<ast::IfStmt>(stmt));
  case ast::Stmt::Kind::While:
    return checkWhile(llvm::cast<ast::WhileStmt>(stmt));
  case ast::Stmt::Kind::Return:
    return checkReturn(llvm::cast<ast::ReturnStmt>(stmt));
  case ast::Stmt::Kind::Break:
  case ast::Stmt::Kind::Continue:
    return checkBreak(stmt, stmt->getKind() == ast::Stmt::Kind::Break);
  case ast::Stmt::Kind::Block: {
    auto *block = make<hir::Block>(stmt->getRange());
    bool savedGridBody = inGridBody;
    inGridBody = false;
    bool falls = checkBlock(llvm::cast<ast::BlockStmt>(stmt), block->body);
    inGridBody = savedGridBody;
    out->push_back(block);
    return falls;
  }
  case ast::Stmt::Kind::Grid:
    return true; // the grammar has it outside of statements only
  }
  llvm_unreachable("unknown statement");
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void Checker::checkLet(const ast::LetStmt *stmt) {
  ast::Identifier name = stmt->getName();
  const ast::Expr *init = stmt->getValue();
  if (auto *index = llvm::dyn_cast<ast::IndexExpr>(init); index && index->hasExtents()) {
    declareWindow(stmt, index);
    return;
  }
  Value value = checkExpr(init);
  std::optional<ScalarType> type;
  if (stmt->getType()) {
    type = resolveScalarType(*stmt->getType());
    if (!type)
      value = {};
  }
  Symbol symbol = Symbol::poison(name.range);
  if (value.isType()) {
    error(DiagId::TypeMisplaced, init->getRange(), spelling(*value.constant.type));
  } else if (value.isConstant()) {
    ConstValue constant = value.constant;
    bool fits = !type || materialize(value, *type, init->getRange());
    if (fits) {
      if (type && !isBool(*type)) {
        auto adapted = constant.isAdapting() ? adapt(constant, *type) : std::nullopt;
        constant = adapted ? *adapted : convert(constant, *type);
      }
      symbol.kind = Symbol::Kind::Constant;
      symbol.constant = constant;
    }
  } else if (!value.isPoison()) {
    hir::Expr *expr =
        type ? materialize(value, *type, init->getRange()) : materializeDefault(value, init->getRange());
    if (expr) {
      auto *decl = append<hir::VarDecl>(stmt->getRange());
      decl->variable = makeVariable(name, hir::VarKind::Let, expr->type);
      decl->init = expr;
      letValues[decl->variable] = expr;
      symbol.kind = Symbol::Kind::Variable;
      symbol.variable = decl->variable;
    }
  }
  declare(name, symbol);
}

void Checker::checkVar(const ast::VarStmt *stmt) {
  ast::Identifier name = stmt->getName();
  const ast::Expr *init = stmt->getValue();
  Value value = checkExpr(init);
  std::optional<ScalarType> type;
  Symbol symbol = Symbol::poison(name.range);
  if (stmt->getType()) {
    type = resolveScalarType(*stmt->getType());
    if (!type) {
      declare(name, symbol);
      return;
    }
  }
  hir::Expr *expr =
      type ? materialize(value, *type, init->getRange()) : materializeDefault(value, init->getRange());
  if (expr) {
    auto *decl = append<hir::VarDecl>(stmt->getRange());
    decl->variable = makeVariable(name, hir::VarKind::Var, expr->type);
    decl->init = expr;
    symbol.kind = Symbol::Kind::Variable;
    symbol.variable = decl->variable;
  }
  declare(name, symbol);
}

void Checker::checkTile(const ast::TileStmt *stmt) {
  ast::Identifier name = stmt->getName();
  Symbol symbol = Symbol::poison(name.range);
  bool ok = !rejectInScalarFn(stmt, "a tile");
  if (ok && parallel) {
    error(DiagId::NotInParallel, stmt->getRange(), "a tile").note("declare it before the loop");
    ok = false;
  }
  auto type = resolveType(stmt->getType());
  std::vector<int64_t> extents;
  constexpr int64_t kMaxElements = int64_t(1) << 20;
  constexpr size_t kMaxRank = 8;
  ExactInt elements = 1;
  bool extentsOk = true;
  for (const ast::Expr *dim : stmt->getDims()) {
    auto value = checkConstant(dim, "an extent of a tile");
    if (value && !value->isInt()) {
      error(DiagId::IntegerExpected, dim->getRange(), "an extent of a tile", describeKind(*value));
      value.reset();
    } else if (value && value->integer < 1) {
      error(DiagId::ExtentTooSmall, dim->getRange(), toString(value->integer));
      value.reset();
    }
    extentsOk &= value.has_value();
    if (!value)
      continue;
    ExactInt extent = std::min<ExactInt>(value->integer, kMaxElements + 1);
    elements = std::min<ExactInt>(elements * extent, ExactInt(1) << 62);
    extents.push_back(int64_t(std::min<ExactInt>(value->integer, maxOf(ScalarType::I64))));
  }
  SourceRange dims = stmt->getDims().front()->getRange().through(stmt->getDims().back()->getRange());
  if (extentsOk && stmt->getDims().size() > kMaxRank) {
    error(DiagId::RankTooLarge, dims, stmt->getDims().size(), kMaxRank);
    extentsOk = false;
  } else if (extentsOk && elements > kMaxElements) {
    error(DiagId::TileTooLarge, dims, formatShape(extents), kMaxElements)
        .note("process it in smaller pieces, in a loop or by more blocks");
    extentsOk = false;
  }
  hir::Expr *init = nullptr;
  if (stmt->getInit()) {
    Value value = checkExpr(stmt->getInit());
    if (type) {
      init = checkElementValue(value, *type, stmt->getInit()->getRange());
      ok &= init != nullptr;
    }
  }
  if (ok && type && extentsOk) {
    auto *decl = append<hir::TileDecl>(stmt->getRange());
    auto *tile = make<hir::Tile>(stmt->getSpace() == ast::TileSpace::Shared);
    tile->name = name.text.str();
    tile->element = *type;
    tile->range = name.range;
    tile->id = nextObject++;
    tile->extents = extents;
    decl->tile = tile;
    decl->init = init;
    symbol.kind = Symbol::Kind::Object;
    symbol.object = tile;
  }
  declare(name, symbol);
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

hir::Expr *Checker::checkElementValue(const Value &value, ScalarType element, SourceRange range) {
  ScalarType loaded = loadedType(element);
  if (isPacked(element) && value.kind == Value::Kind::Adapt &&
      (!checkElementValue(value.tree->onTrue, element, range) ||
       !checkElementValue(value.tree->onFalse, element, range)))
    return nullptr;
  if (isPacked(element) && value.isConstant() && value.constant.isInt() && value.constant.isAdapting() &&
      (value.constant.integer < minOf(element) || value.constant.integer > maxOf(element))) {
    error(DiagId::ConstantDoesNotFit, range, format(value.constant), spelling(element),
          toString(minOf(element)), toString(maxOf(element)));
    return nullptr;
  }
  return materialize(value, loaded, range);
}

void Checker::checkAssign(const ast::AssignStmt *stmt) {
  const ast::Expr *target = ast::ignoreParens(stmt->getTarget());
  if (auto *index = llvm::dyn_cast<ast::IndexExpr>(target))
    checkElementAssign(stmt, index);
  else
    checkScalarAssign(stmt, llvm::cast<ast::NameRef>(target)->getIdentifier());
}

namespace {
std::optional<ast::BinaryOp> binaryOf(ast::AssignOp op) {
  switch (op) {
  case ast::AssignOp::Add:
    return ast::BinaryOp::Add;
  case ast::AssignOp::Sub:
    return ast::BinaryOp::Sub;
  case ast::AssignOp::Mul:
    return ast::BinaryOp::Mul;
  case ast::AssignOp::Div:
    return ast::BinaryOp::Div;
  default:
    return std::nullopt;
  }
}

hir::UpdateOp updateOf(ast::AssignOp op) {
  switch (op) {
  case ast::AssignOp::Sub:
    return hir::UpdateOp::Sub;
  case ast::AssignOp::Mul:
    return hir::UpdateOp::Mul;
  case ast::AssignOp::Div:
    return hir::UpdateOp::Div;
  case ast::AssignOp::Max:
    return hir::UpdateOp::Max;
  case ast::AssignOp::Min:
    return hir::UpdateOp::Min;
  default:
    return hir::UpdateOp::Add;
  }
}
} // namespace

void Checker::checkScalarAssign(const ast::AssignStmt *stmt, ast::Identifier name) {
  Operand rhs{checkExpr(stmt->getValue()), stmt->getValue()->getRange()};
  const Symbol *symbol = lookup(name.text);
  if (!symbol) {
    if (const FileName *known = lookupFile(name.text))
      error(DiagId::NotAssignable, name.range, name.text,
            llvm::isa<ast::Constant>(known->decl) ? "a const" : "no variable")
          .note(known->range, "it is declared here");
    else
      reportUnknown(DiagId::UnknownName, name, visibleNames());
    return;
  }
  if (symbol->kind == Symbol::Kind::Poison)
    return;
  hir::Variable *variable = symbol->variable;
  if (symbol->kind == Symbol::Kind::Object) {
    error(DiagId::NotAssignable, name.range, name.text, describe(symbol->object))
        .note("use 'fill(" + name.text + ", v)' for all of it, '" + name.text + "[…] = v' for an element");
    return;
  }
  if (symbol->kind == Symbol::Kind::Constant || variable->kind != hir::VarKind::Var) {
    llvm::StringRef what = "a constant";
    if (symbol->kind == Symbol::Kind::Variable)
      what = variable->kind == hir::VarKind::Let      ? "a 'let'"
             : variable->kind == hir::VarKind::Loop   ? "a loop variable"
             : variable->kind == hir::VarKind::Block  ? "a block index"
             : variable->kind == hir::VarKind::Dim    ? "a runtime dimension"
             : variable->kind == hir::VarKind::Stride ? "a runtime stride"
                                                      : "a scalar parameter";
    auto diag = error(DiagId::NotAssignable, name.range, name.text, what);
    diag.note(symbol->range, "it is declared here");
    if (what == "a 'let'" || what == "a constant")
      diag.note("declare it with 'var' to assign it");
    else
      diag.note("copy it to a 'var' to change it");
    return;
  }
  if (parallel && !symbol->inParallel) {
    error(DiagId::OuterAssignment, name.range, name.text)
        .note(symbol->range, "it is declared outside of the loop, here")
        .note("collect the values in a tile and reduce it, or use 'op=' on an element of a tile");
    return;
  }
  Operand result = rhs;
  if (stmt->getOp() != ast::AssignOp::Set) {
    Operand old{Value(make<hir::VarRef>(variable, name.range)), name.range};
    if (auto op = binaryOf(stmt->getOp()))
      result = {binary(*op, stmt->getOpRange(), old, rhs, stmt->getRange(), getSpelling(stmt->getOp())),
                rhs.range};
    else
      result = {minMax(stmt->getOp() == ast::AssignOp::Max, old, rhs, stmt->getRange()), rhs.range};
  }
  hir::Expr *value = materialize(result.value, variable->type, result.range);
  if (!value)
    return;
  auto *assign = append<hir::Assign>(stmt->getRange());
  assign->variable = variable;
  assign->value = value;
}

void Checker::checkElementAssign(const ast::AssignStmt *stmt, const ast::IndexExpr *target) {
  hir::Object *object = lookupObject(target->getBase());
  std::vector<hir::Expr *> indices;
  bool ok = object && checkIndices(target, object, indices);
  Operand rhs{checkExpr(stmt->getValue()), stmt->getValue()->getRange()};
  if (!ok || !markWrite(object, target->getRange()))
    return;
  ScalarType element = object->element, loaded = loadedType(element);
  bool isTile = !llvm::isa<hir::Tensor, hir::Window>(object);
  ast::AssignOp op = stmt->getOp();
  if (op == ast::AssignOp::Set) {
    record(AccessKind::Write, object, indices, target->getRange());
    hir::Expr *value = checkElementValue(rhs.value, element, rhs.range);
    if (!value)
      return;
    auto *write = append<hir::ElementWrite>(stmt->getRange());
    write->object = object;
    write->indices = std::move(indices);
    write->value = value;
    return;
  }
  if (!markRead(object, target->getRange()) || rhs.value.isPoison())
    return;
  // The old value and the operand take a common type, which must be one the element takes back.
  auto *read = make<hir::ElementRead>(object, indices, target->getRange());
  Operand old{Value(read), target->getRange()}, combined;
  if (auto op2 = binaryOf(op))
    combined = {binary(*op2, stmt->getOpRange(), old, rhs, stmt->getRange(), getSpelling(op)), rhs.range};
  else
    combined = {minMax(op == ast::AssignOp::Max, old, rhs, stmt->getRange()), rhs.range};
  hir::Expr *value = materialize(combined.value, loaded, rhs.range);
  if (!value)
    return;
  if (parallel && isTile) {
    record(AccessKind::Update, object, indices, target->getRange());
    auto *update = append<hir::ElementUpdate>(stmt->getRange());
    update->object = object;
    update->indices = std::move(indices);
    update->op = updateOf(op);
    update->value = materialize(rhs.value, loaded, rhs.range);
    return;
  }
  record(AccessKind::Read, object, indices, target->getRange());
  record(AccessKind::Write, object, indices, target->getRange());
  auto *write = append<hir::ElementWrite>(stmt->getRange());
  write->object = object;
  write->indices = std::move(indices);
  write->value = value;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

bool Checker::checkIf(const ast::IfStmt *stmt) {
  Operand condition{checkExpr(stmt->getCondition()), stmt->getCondition()->getRange()};
  bool savedGridBody = inGridBody;
  inGridBody = false;
  bool ok = requireBool(condition, "the condition of 'if'");
  if (ok && condition.value.isConstant()) {
    bool taken = condition.value.constant.asBool();
    if (!taken)
      checkNames(stmt->getThen());
    else if (stmt->getElse())
      checkNames(stmt->getElse());
    bool falls = true;
    const ast::Stmt *side = taken ? stmt->getThen() : stmt->getElse();
    if (auto *block = llvm::dyn_cast_or_null<ast::BlockStmt>(side)) {
      auto *result = make<hir::Block>(side->getRange());
      falls = checkBlock(block, result->body);
      out->push_back(result);
    } else if (side) {
      falls = checkIf(llvm::cast<ast::IfStmt>(side));
    }
    inGridBody = savedGridBody;
    return falls;
  }
  auto *result = make<hir::If>(stmt->getRange());
  result->condition = condition.value.expr;
  const Guard *savedGuards = guards;
  auto pushCondition = [&](bool polarity) {
    if (ok)
      pushGuard({Guard::Kind::Condition, nullptr, result->condition, polarity});
    else
      pushGuard({Guard::Kind::Opaque});
  };
  pushCondition(true);
  bool falls = checkBlock(stmt->getThen(), result->thenBody);
  guards = savedGuards;
  if (!stmt->getElse()) {
    falls = true;
  } else {
    pushCondition(false);
    bool elseFalls;
    if (auto *block = llvm::dyn_cast<ast::BlockStmt>(stmt->getElse())) {
      elseFalls = checkBlock(block, result->elseBody);
    } else {
      Scope inner;
      pushScope(inner);
      hir::StmtList *savedOut = out;
      out = &result->elseBody;
      elseFalls = checkIf(llvm::cast<ast::IfStmt>(stmt->getElse()));
      out = savedOut;
      popScope();
    }
    falls |= elseFalls;
    guards = savedGuards;
  }
  inGridBody = savedGridBody;
  if (ok)
    out->push_back(result);
  return falls;
}

bool Checker::checkWhile(const ast::WhileStmt *stmt) {
  Operand condition{checkExpr(stmt->getCondition()), stmt->getCondition()->getRange()};
  bool ok = requireBool(condition, "the condition of 'while'");
  bool constant = ok && condition.value.isConstant();
  if (constant && !condition.value.constant.asBool()) {
    checkNames(stmt->getBody());
    return true;
  }
  auto *result = make<hir::While>(stmt->getRange());
  if (ok)
    result->condition = materialize(condition.value, ScalarType::Bool, condition.range);
  const Guard *savedGuards = guards;
  bool savedGridBody = inGridBody;
  unsigned savedJumps = jumps;
  inGridBody = false;
  if (ok && !constant)
    pushGuard({Guard::Kind::Condition, nullptr, result->condition, true});
  LoopContext context{LoopContext::Kind::Sequential, loop};
  loop = &context;
  checkBlock(stmt->getBody(), result->body);
  loop = context.parent;
  jumps = savedJumps; // they stay inside
  inGridBody = savedGridBody;
  guards = savedGuards;
  if (ok)
    out->push_back(result);
  return !constant || context.hasBreak;
}

bool Checker::checkReturn(const ast::ReturnStmt *stmt) {
  Value value = checkExpr(stmt->getValue());
  ++returns;
  if (!returnType)
    return false; // the parser has said so
  auto *result = append<hir::Return>(stmt->getRange());
  result->value = materialize(value, *returnType, stmt->getValue()->getRange());
  return false;
}

bool Checker::checkBreak(const ast::Stmt *stmt, bool isBreak) {
  if (!loop)
    return true; // the parser has said so
  if (isBreak && loop->kind == LoopContext::Kind::Parallel) {
    error(DiagId::BreakOfParallel, stmt->getRange())
        .note("its iterations run in no order: 'continue' ends one of them");
    return true;
  }
  ++jumps;
  if (isBreak) {
    loop->hasBreak = true;
    append<hir::Break>(stmt->getRange());
  } else {
    loop->hasContinue = true;
    append<hir::Continue>(stmt->getRange());
  }
  return false;
}

} // namespace tilec::frontend::sema
