//===- SemaNames.cpp - checking names alone ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and fns that nothing uses, and the untaken side of a constant condition, are checked for names
// only: every name must be declared, every function must exist. Local declarations become Poison symbols, so
// the same scopes serve here and in the full check.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

void Checker::checkNames(const ast::Expr *expr) {
  auto useName = [&](ast::Identifier name) {
    if (!lookup(name.text) && !lookupFile(name.text))
      reportUnknown(DiagId::UnknownName, name, visibleNames());
  };
  auto useType = [&](const ast::TypeName &type) {
    if (!type.isScalar() && !lookup(type.text))
      reportUnknown(DiagId::UnknownType, type.getIdentifier(), visibleNames());
  };
  llvm::SmallVector<const ast::Expr *, 16> stack{expr};
  while (!stack.empty()) {
    const ast::Expr *top = stack.pop_back_val();
    switch (top->getKind()) {
    case ast::Expr::Kind::NameRef:
      useName(llvm::cast<ast::NameRef>(top)->getIdentifier());
      break;
    case ast::Expr::Kind::Bitcast:
      useType(llvm::cast<ast::BitcastExpr>(top)->getType());
      break;
    case ast::Expr::Kind::Call: {
      auto *call = llvm::cast<ast::CallExpr>(top);
      llvm::StringRef callee = call->getCallee().text;
      const FileName *known = lookupFile(callee);
      if (!lookup(callee) && !llvm::is_contained(builtinFunctionNames(), callee) &&
          !(known && llvm::isa<ast::Function>(known->decl))) {
        std::vector<llvm::StringRef> candidates(builtinFunctionNames().begin(), builtinFunctionNames().end());
        for (const auto &entry : file->names)
          if (llvm::isa<ast::Function>(entry.second.decl))
            candidates.push_back(entry.first());
        reportUnknown(DiagId::UnknownFunction, call->getCallee(), candidates);
      }
      break;
    }
    case ast::Expr::Kind::Index:
      useName(llvm::cast<ast::IndexExpr>(top)->getBase());
      break;
    case ast::Expr::Kind::Target:
      checkTarget(llvm::cast<ast::TargetExpr>(top));
      break;
    default:
      break;
    }
    forEachOperand(top, [&](const ast::Expr *operand) { stack.push_back(operand); });
  }
}

void Checker::checkNames(const ast::Stmt *stmt) {
  if (kernel) // dead code of an instance: it costs time in every iteration that is expanded
    countNodes(1);
  auto useType = [&](const ast::TypeName &type) {
    if (!type.isScalar() && !lookup(type.text))
      reportUnknown(DiagId::UnknownType, type.getIdentifier(), visibleNames());
  };
  auto declareLocal = [&](ast::Identifier name) { declare(name, Symbol::poison(name.range)); };
  switch (stmt->getKind()) {
  case ast::Stmt::Kind::Let:
  case ast::Stmt::Kind::Var: {
    auto *let = llvm::dyn_cast<ast::LetStmt>(stmt);
    auto *var = llvm::dyn_cast<ast::VarStmt>(stmt);
    if (auto type = let ? let->getType() : var->getType())
      useType(*type);
    checkNames(let ? let->getValue() : var->getValue());
    declareLocal(let ? let->getName() : var->getName());
    break;
  }
  case ast::Stmt::Kind::Tile: {
    auto *tile = llvm::cast<ast::TileStmt>(stmt);
    useType(tile->getType());
    for (const ast::Expr *dim : tile->getDims())
      checkNames(dim);
    if (tile->getInit())
      checkNames(tile->getInit());
    declareLocal(tile->getName());
    break;
  }
  case ast::Stmt::Kind::Assign:
    checkNames(llvm::cast<ast::AssignStmt>(stmt)->getTarget());
    checkNames(llvm::cast<ast::AssignStmt>(stmt)->getValue());
    break;
  case ast::Stmt::Kind::Call: {
    auto *call = llvm::cast<ast::CallStmt>(stmt);
    const FileName *known = lookupFile(call->getCallee().text);
    bool isFn = known && llvm::isa<ast::Function>(known->decl);
    if (!isFn && !llvm::is_contained(builtinStatementNames(), call->getCallee().text))
      reportUnknown(DiagId::UnknownStatement, call->getCallee(), builtinStatementNames());
    for (const ast::Expr *arg : call->getArgs())
      checkNames(arg);
    for (const ast::NamedArg &named : call->getNamedArgs())
      if (!llvm::isa<ast::NameRef>(named.value)) // words such as `square` are no names
        checkNames(named.value);
    break;
  }
  case ast::Stmt::Kind::For: {
    auto *loopStmt = llvm::cast<ast::ForStmt>(stmt);
    for (const ast::Expr *arg : loopStmt->getArgs())
      checkNames(arg);
    if (loopStmt->getStages())
      checkNames(loopStmt->getStages());
    Scope inner;
    pushScope(inner);
    for (const ast::Identifier &name : loopStmt->getNames())
      declareLocal(name);
    checkNames(loopStmt->getBody());
    popScope();
    break;
  }
  case ast::Stmt::Kind::If: {
    auto *branch = llvm::cast<ast::IfStmt>(stmt);
    checkNames(branch->getCondition());
    checkNames(branch->getThen());
    if (branch->getElse())
      checkNames(branch->getElse());
    break;
  }
  case ast::Stmt::Kind::While:
    checkNames(llvm::cast<ast::WhileStmt>(stmt)->getCondition());
    checkNames(llvm::cast<ast::WhileStmt>(stmt)->getBody());
    break;
  case ast::Stmt::Kind::Return:
    checkNames(llvm::cast<ast::ReturnStmt>(stmt)->getValue());
    break;
  case ast::Stmt::Kind::Break:
  case ast::Stmt::Kind::Continue:
    break;
  case ast::Stmt::Kind::Block: {
    Scope inner;
    pushScope(inner);
    for (const ast::Stmt *child : llvm::cast<ast::BlockStmt>(stmt)->getBody())
      checkNames(child);
    popScope();
    break;
  }
  case ast::Stmt::Kind::Grid: {
    auto *grid = llvm::cast<ast::GridStmt>(stmt);
    for (const ast::Expr *extent : grid->getExtents())
      checkNames(extent);
    for (const ast::GridOption &option : grid->getOptions())
      for (const ast::Expr *value : option.values)
        checkNames(value);
    Scope inner;
    pushScope(inner);
    for (const ast::Identifier &name : grid->getNames())
      declareLocal(name);
    checkNames(grid->getBody());
    popScope();
    break;
  }
  }
}

void Checker::checkKernelNames(const ast::Kernel *decl) {
  Scope params, body;
  pushScope(params);
  for (const ast::CompileParam &param : decl->getCompileParams()) {
    if (param.value)
      checkNames(param.value);
    declare(param.name, Symbol::poison(param.name.range));
  }
  for (const ast::Param &param : decl->getParams())
    if (!param.type.isScalar() && !lookup(param.type.text))
      reportUnknown(DiagId::UnknownType, param.type.getIdentifier(), visibleNames());
  collectDimNames(decl, params);
  for (const ast::Param &param : decl->getParams()) {
    declare(param.name, Symbol::poison(param.name.range));
    for (const ast::Expr *dim : param.dims)
      checkNames(dim);
    for (const ast::Expr *stride : param.strides)
      checkNames(stride);
  }
  for (const ast::Expr *fact : decl->getWhere())
    checkNames(fact);
  pushScope(body);
  for (const ast::LetStmt *let : decl->getLets())
    checkNames(let);
  checkNames(decl->getGrid());
  popScope();
  popScope();
}

void Checker::checkFunctionNames(const ast::Function *decl) {
  Scope params;
  pushScope(params);
  for (const ast::Identifier &type : decl->getTypeParams())
    declare(type, Symbol::poison(type.range));
  auto useType = [&](const ast::TypeName &type) {
    if (!type.isScalar() && !lookup(type.text))
      reportUnknown(DiagId::UnknownType, type.getIdentifier(), visibleNames());
  };
  for (const ast::FnParam &param : decl->getParams()) {
    useType(param.type);
    for (const ast::Expr *dim : param.dims) // a name that stands alone is bound from the argument
      if (auto *ref = llvm::dyn_cast<ast::NameRef>(ast::ignoreParens(dim)))
        if (!lookup(ref->getName()) && !lookupFile(ref->getName()))
          scope->names[ref->getName()] = Symbol::poison(ref->getRange());
  }
  for (const ast::FnParam &param : decl->getParams()) {
    for (const ast::Expr *dim : param.dims)
      checkNames(dim);
    declare(param.name, Symbol::poison(param.name.range));
  }
  if (auto type = decl->getReturnType())
    useType(*type);
  checkNames(decl->getBody());
  popScope();
}

} // namespace tilec::frontend::sema
