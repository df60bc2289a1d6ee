//===- SemaTune.cpp - tune ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes are compile-time parameters; every combination for which all `require`s hold is legal. Parameters that
// are no axis have the value they have otherwise: -D or the default.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

void Analyzer::checkTunes() {
  constexpr size_t kMaxCombinations = 100000;
  std::map<const ast::Kernel *, SourceRange> seen;
  for (const ast::Decl *decl : mainContext->file->getDecls()) {
    auto *tune = llvm::dyn_cast<ast::Tune>(decl);
    if (!tune)
      continue;
    const FileName *known = findKernel(tune->getKernel());
    if (!known)
      continue;
    auto *kernel = llvm::cast<ast::Kernel>(known->decl);
    auto [it, inserted] = seen.try_emplace(kernel, tune->getKernel().range);
    if (!inserted) {
      error(DiagId::DuplicateTune, tune->getKernel().range, {DiagArg(kernel->getName().text)})
          .note(it->second, "the first one is here");
      continue;
    }
    bool ok = true;
    hir::Tune result;
    result.range = tune->getRange();
    result.kernel = kernel->getName().text.str();
    std::vector<std::vector<ConstValue>> choices;
    std::vector<SourceRange> choiceRanges;
    size_t combinations = 1;
    std::vector<llvm::StringRef> params;
    for (const ast::CompileParam &param : kernel->getCompileParams())
      params.push_back(param.name.text);
    for (const ast::TuneItem &item : tune->getItems()) {
      if (item.isRequire())
        continue;
      llvm::StringRef name = item.name.text;
      if (!llvm::is_contained(params, name)) {
        auto diag = error(DiagId::UnknownCompileParam, item.name.range,
                          {DiagArg(kernel->getName().text), DiagArg(name)});
        llvm::StringRef suggestion = closest(name, params);
        if (!suggestion.empty())
          diag.note(item.name.range, "did you mean '" + suggestion + "'?").fixIt(item.name.range, suggestion);
        else
          diag.note(kernel->getName().range, "the kernel is declared here");
        ok = false;
        continue;
      }
      if (llvm::any_of(result.axes, [&](const hir::TuneAxis &axis) { return axis.name == name; })) {
        error(DiagId::DuplicateArgument, item.name.range, {DiagArg(name)}).note("one list a parameter");
        ok = false;
        continue;
      }
      hir::TuneAxis axis;
      axis.name = name.str();
      choices.emplace_back();
      choiceRanges.push_back(item.name.range);
      for (const ast::Expr *choice : item.choices) {
        Checker checker(*this, *mainContext);
        auto value = checker.checkCompileValue(choice);
        ok &= value.has_value();
        if (!value)
          continue;
        if (llvm::is_contained(axis.values, format(*value))) {
          error(DiagId::DuplicateChoice, choice->getRange(), {DiagArg(format(*value)), DiagArg(name)})
              .note("every value once");
          ok = false;
        }
        axis.values.push_back(format(*value));
        choices.back().push_back(*value);
      }
      combinations =
          std::min(combinations * std::max<size_t>(choices.back().size(), 1), kMaxCombinations + 1);
      result.axes.push_back(std::move(axis));
    }
    if (combinations > kMaxCombinations) {
      error(DiagId::TuneTooLarge, tune->getKernel().range, {DiagArg(kMaxCombinations)})
          .note("leave out values, or fix a parameter");
      ok = false;
    }
    if (!ok)
      continue;

    std::vector<unsigned> position(choices.size(), 0);
    bool failed = false;
    while (!failed) {
      KernelRequest request{kernel, known->owner, {}, tune->getKernel().range};
      for (size_t i = 0; i < choices.size(); ++i)
        request.args[result.axes[i].name] = {choices[i][position[i]], choiceRanges[i]};
      std::vector<ConstValue> values;
      if (!resolveCompileArgs(request, values)) {
        failed = true;
        break;
      }
      Checker checker(*this, *mainContext);
      Scope scope;
      for (size_t i = 0; i < values.size(); ++i)
        scope.names.try_emplace(
            kernel->getCompileParams()[i].name.text,
            Symbol{Symbol::Kind::Constant, kernel->getCompileParams()[i].name.range, values[i]});
      checker.pushScope(scope);
      bool legal = true;
      for (const ast::TuneItem &item : tune->getItems()) {
        if (!item.isRequire())
          continue;
        auto truth = checker.checkConstantBool(item.require, "'require'");
        if (!truth) {
          failed = true;
          break;
        }
        legal &= *truth;
      }
      checker.popScope();
      if (failed)
        break;
      if (legal)
        result.legal.push_back(position);
      size_t i = choices.size(); // row-major: the last axis runs fastest
      while (i > 0 && ++position[i - 1] == choices[i - 1].size())
        position[--i] = 0;
      if (i == 0)
        break;
    }
    if (failed)
      continue;
    if (result.legal.empty())
      error(DiagId::EmptyTune, tune->getKernel().range, {DiagArg(kernel->getName().text)})
          .note("the 'require's exclude every one of them for this target");
    program->tunes.push_back(std::move(result));
  }
}

} // namespace tilec::frontend::sema
