//===- SemaKernel.cpp - the signature and grid of a kernel instance ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dimension name that nothing else declares is a runtime dimension; the first tensor that has it alone in a
// dimension binds it. Expressions of such names are dimensions too, checked by the launcher.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

/// Reports a use of target.* since `usesTarget` was reset, and restores it.
void Checker::rejectTarget(bool usedBefore, SourceRange range, llvm::StringRef where) {
  if (usesTarget)
    error(DiagId::TargetInSignature, range, where)
        .note("one header serves every target: use a compile-time parameter with a fixed default");
  usesTarget |= usedBefore;
}

/// Declares the runtime dimensions and strides: names that stand alone where they are first used and that
/// neither a compile-time parameter nor a const declares.
void Checker::collectDimNames(const ast::Kernel *decl, Scope &names) {
  auto isParam = [&](llvm::StringRef name) -> const ast::Param * {
    for (const ast::Param &param : decl->getParams())
      if (param.name.text == name)
        return &param;
    return nullptr;
  };
  auto visit = [&](const ast::Expr *expr, unsigned param, unsigned axis, bool isStride) {
    auto *ref = llvm::dyn_cast<ast::NameRef>(ast::ignoreParens(expr));
    if (!ref || names.names.count(ref->getName()))
      return;
    if (const FileName *known = lookupFile(ref->getName()); known && llvm::isa<ast::Constant>(known->decl)) {
      if (known->imported)
        analyzer.error(DiagId::ImportedDimension, ref->getRange(), {DiagArg(ref->getName())})
            .note(known->range, "the const is declared here")
            .note("rename one of them: a dimension that no const names is a runtime dimension");
      return;
    }
    if (const ast::Param *other = isParam(ref->getName())) {
      if (other->isTensor)
        error(DiagId::DuplicateName, ref->getRange(), ref->getName())
            .note(other->name.range, "a parameter has that name");
      else
        error(DiagId::ScalarDimension, ref->getRange(), ref->getName())
            .note("a dimension is a constant or a name of its own, such as 'N'");
      Symbol clash = Symbol::poison(ref->getRange());
      clash.reported = true;
      names.names[ref->getName()] = clash;
      return;
    }
    Symbol symbol = Symbol::poison(ref->getRange());
    if (kernel) {
      symbol.kind = Symbol::Kind::Variable;
      symbol.variable = makeVariable(ref->getIdentifier(),
                                     isStride ? hir::VarKind::Stride : hir::VarKind::Dim, ScalarType::I64);
      kernel->bindings.push_back({symbol.variable, param, axis, isStride});
    }
    names.names[ref->getName()] = symbol;
  };
  for (unsigned i = 0; i < decl->getParams().size(); ++i)
    for (unsigned axis = 0; axis < decl->getParams()[i].dims.size(); ++axis)
      visit(decl->getParams()[i].dims[axis], i, axis, false);
  for (unsigned i = 0; i < decl->getParams().size(); ++i)
    for (unsigned axis = 0; axis < decl->getParams()[i].strides.size(); ++axis)
      visit(decl->getParams()[i].strides[axis], i, axis, true);
}

/// A dimension or stride as an i64 expression.
hir::Expr *Checker::checkDimension(const ast::Expr *expr, bool isStride) {
  llvm::StringRef what = isStride ? "a stride" : "a dimension";
  bool usedBefore = std::exchange(usesTarget, false);
  hir::Expr *result = materializeIndex(checkExpr(expr), expr->getRange(), what);
  rejectTarget(usedBefore, expr->getRange(), what);
  if (!result)
    return nullptr;
  // Runtime names are dimensions and strides: a scalar parameter declared before is none.
  llvm::SmallVector<const ast::Expr *, 8> stack{expr};
  while (!stack.empty()) {
    const ast::Expr *part = stack.pop_back_val();
    if (auto *ref = llvm::dyn_cast<ast::NameRef>(part)) {
      const Symbol *symbol = lookup(ref->getName());
      if (!symbol || symbol->kind != Symbol::Kind::Variable || symbol->variable->kind != hir::VarKind::Param)
        continue;
      error(DiagId::ScalarDimension, ref->getRange(), ref->getName())
          .note("a dimension is a constant or a name of its own, such as 'N'");
      return nullptr;
    }
    forEachOperand(part, [&](const ast::Expr *operand) { stack.push_back(operand); });
  }
  if (auto constant = constantInt(result); constant && *constant < 0) {
    error(DiagId::NegativeDimension, expr->getRange(), what, *constant);
    return nullptr;
  }
  return result;
}

bool Checker::checkSignature(const ast::Kernel *decl) {
  constexpr size_t kMaxRank = 8;
  bool ok = true;
  inSignature = true;
  collectDimNames(decl, *scope);
  for (const ast::Param &param : decl->getParams()) {
    if (!param.isTensor) {
      auto type = resolveScalarType(param.type);
      Symbol symbol = Symbol::poison(param.name.range);
      if (type) {
        symbol.kind = Symbol::Kind::Variable;
        symbol.variable = makeVariable(param.name, hir::VarKind::Param, *type);
        kernel->params.push_back({nullptr, symbol.variable});
      }
      ok &= type.has_value();
      declare(param.name, symbol);
      continue;
    }
    auto type = resolveType(param.type);
    auto *tensor = make<hir::Tensor>();
    tensor->name = param.name.text.str();
    tensor->range = param.name.range;
    tensor->id = nextObject++;
    tensor->access = param.access == ast::Param::Access::Out     ? hir::Access::Out
                     : param.access == ast::Param::Access::InOut ? hir::Access::InOut
                                                                 : hir::Access::In;
    bool tensorOk = type.has_value();
    if (type)
      tensor->element = *type;
    if (param.dims.size() > kMaxRank) {
      error(DiagId::RankTooLarge, param.dimsRange, param.dims.size(), kMaxRank);
      tensorOk = false;
    }
    for (const ast::Expr *dim : param.dims) {
      tensor->extents.push_back(checkDimension(dim, /*isStride=*/false));
      tensorOk &= tensor->extents.back() != nullptr;
    }
    if (param.hasStrides && param.strides.size() != param.dims.size()) {
      error(DiagId::StrideCount, param.stridesRange, param.name.text, param.dims.size(),
            param.strides.size());
      tensorOk = false;
    }
    for (const ast::Expr *stride : param.strides) {
      tensor->strides.push_back(checkDimension(stride, /*isStride=*/true));
      tensorOk &= tensor->strides.back() != nullptr;
    }
    if (tensorOk && isPacked(tensor->element) && param.hasStrides &&
        constantInt(tensor->strides.back()) != 1) {
      error(DiagId::PackedStride, param.stridesRange, param.name.text, spelling(tensor->element))
          .note("two elements share a byte: the last stride is 1");
      tensorOk = false;
    }
    Symbol symbol = Symbol::poison(param.name.range);
    if (tensorOk) {
      symbol.kind = Symbol::Kind::Object;
      symbol.object = tensor;
      kernel->params.push_back({tensor, nullptr});
    }
    ok &= tensorOk;
    declare(param.name, symbol);
  }
  checkFacts(decl);
  inSignature = false;
  return ok && !hadError;
}

void Checker::checkFacts(const ast::Kernel *decl) {
  for (const ast::Expr *expr : decl->getWhere()) {
    bool usedBefore = std::exchange(usesTarget, false);
    Operand fact{checkExpr(expr), expr->getRange()};
    rejectTarget(usedBefore, expr->getRange(), "a fact");
    if (!requireBool(fact, "a fact"))
      continue;
    if (fact.value.isConstant()) {
      if (!fact.value.constant.asBool())
        error(DiagId::FalseFact, expr->getRange(), "fact", analyzer.text(expr->getRange()));
      continue;
    }
    kernel->facts.push_back({fact.value.expr, analyzer.text(expr->getRange()).str()});
  }
}

/// What every target with clusters has (CUDA C++ Programming Guide, "Thread Block Clusters").
static constexpr int64_t maxClusterBlocks = 8;

bool Checker::checkGridOptions(const ast::GridStmt *grid) {
  static const llvm::StringRef known[] = {
#define TILEC_GRID_OPTION(Spelling) Spelling,
#include "tilec/Frontend/Builtins.def"
  };
  bool ok = true;
  std::map<llvm::StringRef, SourceRange> seen;
  for (const ast::GridOption &option : grid->getOptions()) {
    llvm::StringRef name = option.name.text;
    if (!llvm::is_contained(known, name)) {
      auto diag = error(DiagId::UnknownArgument, option.name.range, "grid", name);
      llvm::StringRef suggestion = closest(name, known);
      if (!suggestion.empty())
        diag.note(option.name.range, "did you mean '" + suggestion + "'?")
            .fixIt(option.name.range, suggestion);
      else
        diag.note("the options are threads, cluster and persistent");
      ok = false;
      continue;
    }
    auto [it, inserted] = seen.try_emplace(name, option.range);
    if (!inserted) {
      error(DiagId::DuplicateArgument, option.name.range, name).note(it->second, "it is given here before");
      ok = false;
      continue;
    }
    if (name != "cluster" && option.values.size() != 1) {
      error(DiagId::OptionCount, option.range, name, "one value", option.values.size());
      ok = false;
      continue;
    }
    if (name == "threads") {
      auto threads = checkConstantInt(option.values[0], "'threads'", 32, 1024);
      if (threads && *threads % 32 != 0) {
        error(DiagId::ThreadCount, option.values[0]->getRange(), *threads)
            .note("a warp has 32 threads: " + llvm::Twine((*threads + 31) / 32 * 32) +
                  " is the next multiple");
        threads.reset();
      }
      ok &= threads.has_value();
      kernel->threads = threads.value_or(0);
    } else if (name == "persistent") {
      auto persistent = checkConstantBool(option.values[0], "'persistent'");
      ok &= persistent.has_value();
      kernel->persistent = persistent.value_or(false);
    } else {
      if (option.values.size() > 3) {
        error(DiagId::OptionCount, option.range, name, "1 to 3 values", option.values.size());
        ok = false;
        continue;
      }
      int64_t blocks = 1;
      for (const ast::Expr *value : option.values) {
        auto extent = checkConstantInt(value, "'cluster'", 1, maxClusterBlocks);
        ok &= extent.has_value();
        kernel->cluster.push_back(extent.value_or(1));
        blocks *= extent.value_or(1);
      }
      if (blocks > maxClusterBlocks) {
        error(DiagId::ValueOutOfRange, option.range, "the number of blocks in a cluster", blocks, 1,
              maxClusterBlocks);
        ok = false;
      }
    }
  }
  if (!seen.count("threads")) {
    error(DiagId::MissingArgument, grid->getHeadRange(), "grid", "threads").note("write 'threads = 128'");
    ok = false;
  }
  return ok;
}

bool Checker::checkGrid(const ast::GridStmt *grid) {
  bool ok = true;
  for (const ast::Expr *extent : grid->getExtents()) {
    hir::Expr *value = materializeIndex(checkExpr(extent), extent->getRange(), "a grid extent");
    ok &= value != nullptr;
    kernel->gridExtents.push_back(value);
  }
  ok &= checkGridOptions(grid);
  inPrologue = false;
  Scope indices;
  pushScope(indices);
  for (const ast::Identifier &name : grid->getNames()) {
    hir::Variable *variable = makeVariable(name, hir::VarKind::Block, ScalarType::I64);
    declare(name, Symbol{Symbol::Kind::Variable, {}, {}, variable});
    // Every block runs, so to the proofs a constant extent is that of a loop.
    size_t dim = kernel->blockIndices.size();
    std::optional<int64_t> extent;
    if (dim < kernel->gridExtents.size() && kernel->gridExtents[dim])
      extent = constantInt(kernel->gridExtents[dim]);
    if (extent) {
      Guard guard{Guard::Kind::Loop};
      guard.variable = variable;
      guard.count = std::max<int64_t>(*extent, 0);
      pushGuard(guard);
    }
    kernel->blockIndices.push_back(variable);
  }
  inGridBody = true;
  checkBlock(grid->getBody(), kernel->body);
  inGridBody = false;
  guards = nullptr;
  popScope();
  return ok;
}

bool Checker::checkKernel(const ast::Kernel *decl, llvm::ArrayRef<ConstValue> compileValues,
                          hir::Kernel &result) {
  kernel = &result;
  kernelDecl = decl;
  result.sourceName = decl->getName().text.str();
  result.range = decl->getName().range;
  result.isOracle = decl->isOracle();
  Scope params, body;
  pushScope(params);
  for (size_t i = 0; i < compileValues.size(); ++i) {
    const ast::CompileParam &param = decl->getCompileParams()[i];
    result.compileArgs.push_back({param.name.text.str(), format(compileValues[i])});
    declare(param.name, Symbol{Symbol::Kind::Constant, {}, compileValues[i]});
  }
  bool ok = checkSignature(decl);
  if (ok) {
    pushScope(body);
    inPrologue = true;
    out = &result.prologue;
    for (const ast::LetStmt *let : decl->getLets())
      checkLet(let);
    ok = checkGrid(decl->getGrid());
    popScope();
  }
  popScope();
  result.usesTarget = usesTarget;
  return ok && !hadError && !aborted;
}

} // namespace tilec::frontend::sema
