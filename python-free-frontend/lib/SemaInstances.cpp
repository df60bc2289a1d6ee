//===- SemaInstances.cpp - which kernels are instantiated, with what values ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile-time value comes from `<…>`, else (for an oracle) from the tested kernel, else from -D, else from
// the default. Equal values share one instance; every entry point has its own.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

//===----------------------------------------------------------------------===//
// -D
//===----------------------------------------------------------------------===//

void Analyzer::parseDefines() {
  for (const auto &[name, text] : options.defines) {
    // The option's text is a source of its own, so that errors have a place to point at.
    FileId file = sources.addText("<command line>", name + "=" + text + "\n");
    SourceRange nameRange(file, 0, name.size());
    SourceRange valueRange(file, name.size() + 1, name.size() + 1 + text.size());
    auto value = parseConstant(text);
    if (!value) {
      error(DiagId::MalformedDefine, valueRange, {DiagArg(text), DiagArg(name)})
          .note("write '-D " + name + "=128', '0.5', 'true' or a type such as 'f16'");
      continue;
    }
    auto same = llvm::find_if(
        defines, [&, wanted = llvm::StringRef(name)](const Define &define) { return define.name == wanted; });
    if (same != defines.end())
      *same = {name, *value, nameRange}; // the last one counts
    else
      defines.push_back({name, *value, nameRange});
  }
}

void Analyzer::checkDefinesUsed() {
  std::vector<llvm::StringRef> candidates;
  llvm::StringMap<bool> known;
  for (const ast::Decl *decl : mainContext->file->getDecls())
    if (auto *kernel = llvm::dyn_cast<ast::Kernel>(decl))
      for (const ast::CompileParam &param : kernel->getCompileParams())
        if (known.try_emplace(param.name.text, true).second)
          candidates.push_back(param.name.text);
  for (const Define &define : defines) {
    if (known.count(define.name))
      continue;
    auto diag = error(DiagId::UnknownDefine, define.range, {DiagArg(define.name)});
    llvm::StringRef suggestion = closest(define.name, candidates);
    if (!suggestion.empty())
      diag.note("did you mean '-D " + suggestion + "=…'?");
  }
}

//===----------------------------------------------------------------------===//
// Values of an instance
//===----------------------------------------------------------------------===//

bool Analyzer::evaluateArgs(const ast::Kernel *kernel, const ast::CompileArgs &args, FileContext &file,
                            GivenArgs &result) {
  bool ok = true;
  std::vector<llvm::StringRef> names;
  for (const ast::CompileParam &param : kernel->getCompileParams())
    names.push_back(param.name.text);
  for (const ast::CompileArg &arg : args.args) {
    Checker checker(*this, file);
    auto value = checker.checkCompileValue(arg.value);
    ok &= value.has_value();
    if (!llvm::is_contained(names, arg.name.text)) {
      auto diag = error(DiagId::UnknownCompileParam, arg.name.range,
                        {DiagArg(kernel->getName().text), DiagArg(arg.name.text)});
      llvm::StringRef suggestion = closest(arg.name.text, names);
      if (!suggestion.empty())
        diag.note(arg.name.range, "did you mean '" + suggestion + "'?").fixIt(arg.name.range, suggestion);
      else
        diag.note(kernel->getName().range, "the kernel is declared here");
      ok = false;
      continue;
    }
    if (!value)
      continue;
    auto [it, inserted] = result.try_emplace(arg.name.text.str(), GivenArg{*value, arg.value->getRange()});
    if (!inserted) {
      error(DiagId::DuplicateArgument, arg.name.range, {DiagArg(arg.name.text)})
          .note(it->second.range, "it is given here before");
      ok = false;
    }
  }
  return ok;
}

namespace {
/// `value` as the kind a compile-time parameter has; none if it is of another.
std::optional<ConstValue> convertTo(ConstValue value, ConstValue::Kind kind) {
  if (value.isNumber())
    value.type.reset(); // parameters adapt, whatever gave them their value
  if (value.kind == kind)
    return value;
  if (value.isInt() && kind == ConstValue::Kind::Float) {
    ConstValue result = ConstValue::makeFloat(value.asDouble());
    result.fromTarget = value.fromTarget;
    return result;
  }
  return std::nullopt;
}

llvm::StringRef nameOf(ConstValue::Kind kind) {
  switch (kind) {
  case ConstValue::Kind::Type:
    return "a type";
  case ConstValue::Kind::Bool:
    return "a bool";
  case ConstValue::Kind::Int:
    return "an integer";
  case ConstValue::Kind::Float:
    return "a float";
  }
  llvm_unreachable("unknown kind");
}
} // namespace

bool Analyzer::resolveCompileArgs(const KernelRequest &request, std::vector<ConstValue> &values) {
  const ast::Kernel *decl = request.kernel;
  Checker checker(*this, *request.file);
  Scope names;
  checker.pushScope(names);
  bool ok = true;
  for (const ast::CompileParam &param : decl->getCompileParams()) {
    // The default gives the kind even where it does not give the value.
    std::optional<ConstValue> byDefault;
    std::optional<ConstValue::Kind> kind;
    auto given = request.args.find(param.name.text);
    auto define = llvm::find_if(defines, [&](const Define &d) { return d.name == param.name.text; });
    bool overridden = given != request.args.end() || define != defines.end();
    switch (param.kind) {
    case ast::CompileParam::Kind::Default:
      byDefault = checker.checkConstant(param.value, "a default");
      if (byDefault)
        kind = byDefault->kind;
      else
        ok = false;
      break;
    case ast::CompileParam::Kind::Int:
      kind = ConstValue::Kind::Int;
      break;
    case ast::CompileParam::Kind::Float:
      kind = ConstValue::Kind::Float;
      break;
    case ast::CompileParam::Kind::Bool:
      kind = ConstValue::Kind::Bool;
      break;
    case ast::CompileParam::Kind::Type:
      kind = ConstValue::Kind::Type;
      if (param.defaultType) {
        if (auto type = checker.resolveType(*param.defaultType))
          byDefault = ConstValue::makeType(*type);
        else
          ok = false;
      }
      break;
    }
    std::optional<ConstValue> value = byDefault;
    SourceRange where = param.range;
    if (given != request.args.end()) {
      value = given->second.value;
      where = given->second.range;
    } else if (define != defines.end()) {
      value = define->value;
      where = define->range;
    }
    if (value && kind) {
      auto converted = convertTo(*value, *kind);
      if (!converted)
        error(DiagId::CompileArgKind, where,
              {DiagArg(param.name.text), DiagArg(nameOf(*kind)), DiagArg(format(*value))})
            .note(param.range, "the parameter is declared here");
      value = converted;
    } else if (!value && !overridden && ok) {
      error(DiagId::MissingCompileArg, request.range,
            {DiagArg(decl->getName().text), DiagArg(param.name.text)})
          .note(param.range, "it has no default")
          .note("write '<" + param.name.text + " = …>' or '-D " + param.name.text + "=…'");
    }
    Symbol symbol = Symbol::poison(param.name.range);
    if (value) {
      symbol.kind = Symbol::Kind::Constant;
      symbol.constant = *value;
      values.push_back(*value);
    } else {
      ok = false;
    }
    names.names.try_emplace(param.name.text, symbol);
  }
  checker.popScope();
  return ok;
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

std::string Analyzer::uniqueSymbol(llvm::StringRef base) {
  unsigned &last = symbolCounts[base];
  while (true) {
    std::string symbol = (base + "__" + llvm::Twine(++last)).str();
    if (!entryNames.count(symbol) && !program->symbols.contains(symbol))
      return symbol;
  }
}

hir::Kernel *Analyzer::getInstance(const KernelRequest &request, llvm::StringRef symbol) {
  used.insert(request.kernel);
  std::vector<ConstValue> values;
  if (!resolveCompileArgs(request, values))
    return nullptr;
  std::string key = request.kernel->getName().text.str();
  for (const ConstValue &value : values)
    key += "|" + format(value);
  if (failedInstances.count(key))
    return nullptr;
  auto it = instances.find(key);
  if (symbol.empty() && it != instances.end())
    return it->second;
  hir::Kernel kernel;
  Checker checker(*this, *request.file);
  if (!checker.checkKernel(request.kernel, values, kernel)) {
    failedInstances.insert(key);
    return nullptr;
  }
  kernel.isEntry = !symbol.empty();
  kernel.symbol = symbol.empty() ? uniqueSymbol(kernel.sourceName) : symbol.str();
  program->symbols.insert(kernel.symbol);
  program->kernels.push_back(std::move(kernel));
  hir::Kernel *result = &program->kernels.back();
  warnAboutTiles(*this, *result);
  instances.try_emplace(key, result);
  return result;
}

void Analyzer::checkEntryName(ast::Identifier name, bool isDefault) {
  auto [it, inserted] = entryNames.try_emplace(name.text.str(), name.range);
  if (!inserted)
    error(DiagId::DuplicateEntry, name.range, {DiagArg(name.text)})
        .note(it->second, "the first one is named here")
        .note("name it with 'instantiate … as'");
  if (isReservedEntryName(name.text)) {
    auto diag = error(DiagId::ReservedEntryName, name.range, {DiagArg(name.text)});
    if (isDefault)
      diag.note("write 'instantiate " + name.text + " as " + name.text + "_kernel;'");
    else
      diag.note("choose another name after 'as'");
  }
}

void Analyzer::instantiateEntries() {
  struct Entry {
    KernelRequest request;
    std::string symbol;
  };
  std::vector<Entry> entries;
  llvm::DenseSet<const ast::Kernel *> named;
  for (const ast::Decl *decl : mainContext->file->getDecls())
    if (auto *instantiate = llvm::dyn_cast<ast::Instantiate>(decl))
      if (auto it = mainContext->names.find(instantiate->getKernel().text); it != mainContext->names.end())
        if (auto *kernel = llvm::dyn_cast<ast::Kernel>(it->second.decl))
          named.insert(kernel);

  // In the order of the text: a kernel without `instantiate` stands where it is declared.
  for (const ast::Decl *decl : mainContext->file->getDecls()) {
    if (auto *kernel = llvm::dyn_cast<ast::Kernel>(decl)) {
      auto it = mainContext->names.find(kernel->getName().text);
      if (it == mainContext->names.end() || it->second.decl != kernel || kernel->isOracle() ||
          named.contains(kernel))
        continue;
      bool complete = llvm::all_of(kernel->getCompileParams(), [&](const ast::CompileParam &param) {
        return param.value || param.defaultType ||
               llvm::any_of(defines, [&](const Define &d) { return d.name == param.name.text; });
      });
      if (!complete)
        continue;
      checkEntryName(kernel->getName(), /*isDefault=*/true);
      entries.push_back({{kernel, mainContext, {}, kernel->getName().range}, kernel->getName().text.str()});
      continue;
    }
    auto *instantiate = llvm::dyn_cast<ast::Instantiate>(decl);
    if (!instantiate)
      continue;
    const FileName *known = findKernel(instantiate->getKernel());
    if (!known)
      continue;
    auto *kernel = llvm::cast<ast::Kernel>(known->decl);
    if (kernel->isOracle()) {
      error(DiagId::OracleEntry, instantiate->getKernel().range, {DiagArg(kernel->getName().text)})
          .note(kernel->getName().range, "drop 'oracle' to make it an entry point");
      continue;
    }
    checkEntryName(instantiate->getName(), /*isDefault=*/false);
    KernelRequest request{kernel, mainContext, {}, instantiate->getKernel().range};
    used.insert(kernel);
    if (evaluateArgs(kernel, instantiate->getArgs(), *mainContext, request.args))
      entries.push_back({std::move(request), instantiate->getName().text.str()});
  }
  for (const Entry &entry : entries)
    getInstance(entry.request, entry.symbol);
}

void Analyzer::checkUnusedKernels() {
  for (const ast::Decl *decl : mainContext->file->getDecls())
    if (auto *kernel = llvm::dyn_cast<ast::Kernel>(decl); kernel && !used.contains(kernel)) {
      Checker checker(*this, *mainContext);
      checker.checkKernelNames(kernel);
    }
}

} // namespace tilec::frontend::sema
