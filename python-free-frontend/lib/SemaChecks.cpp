//===- SemaChecks.cpp - check and bench ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both give every runtime dimension, stride and scalar of one instance a constant. A check also matches the
// oracle's parameters against the kernel's and binds the oracle's dimensions from the extents.
//
//===----------------------------------------------------------------------===//
#include "SemaIndex.h"

#include <cmath>

namespace tilec::frontend::sema {

/// What check and bench have in common.
class CheckBuilder {
public:
  CheckBuilder(Analyzer &analyzer, FileContext &file) : analyzer(analyzer), checker(analyzer, file) {}

  hir::Kernel *findInstance(ast::Identifier name, const ast::CompileArgs &args, GivenArgs &given) {
    const FileName *known = analyzer.findKernel(name);
    if (!known)
      return nullptr;
    decl = llvm::cast<ast::Kernel>(known->decl);
    analyzer.used.insert(decl);
    if (!analyzer.evaluateArgs(decl, args, *known->owner, given))
      return nullptr;
    KernelRequest request{decl, known->owner, given, name.range};
    if (!analyzer.resolveCompileArgs(request, compileValues))
      return nullptr;
    return kernel = analyzer.getInstance(request, "");
  }

  /// `replacements`: values that the caller of the analysis gives instead, by name. Those that were used are added to
  /// `replaced`.
  bool checkValues(llvm::ArrayRef<ast::CheckValue> values, SourceRange valuesRange,
                   llvm::ArrayRef<std::pair<std::string, int64_t>> replacements = {});
  bool checkRanges(llvm::ArrayRef<ast::CheckValue> values);
  bool checkFacts(SourceRange range);
  std::optional<double> formula(const ast::Expr *expr, llvm::StringRef what);
  std::string textOf(ast::Identifier name, const ast::CompileArgs &args, SourceRange valuesRange);

  /// The value of a dimension, stride or fact of the kernel, now that its variables have values.
  std::optional<int64_t> evaluate(const hir::Expr *expr, const std::vector<hir::NamedValue> &with,
                                  const hir::Kernel &of) {
    IndexEvaluator evaluator(noLets);
    auto set = [&](const hir::Variable *variable) {
      for (const hir::NamedValue &value : with)
        if (value.name == variable->name && !isFloat(value.type))
          evaluator.setValue(variable, value.integer);
    };
    for (const hir::Binding &binding : of.bindings)
      set(binding.variable);
    for (const hir::Param &param : of.params)
      if (param.scalar)
        set(param.scalar);
    auto form = evaluator.evaluate(expr);
    if (!form || !form->isConcrete())
      return std::nullopt;
    return form->constant;
  }

  Analyzer &analyzer;
  Checker checker;
  Scope scope;
  const ast::Kernel *decl = nullptr;
  hir::Kernel *kernel = nullptr;
  std::vector<ConstValue> compileValues;
  std::vector<hir::NamedValue> values;
  std::vector<hir::DataRange> ranges;
  std::vector<std::pair<std::string, int64_t>> replaced;

private:
  std::vector<std::pair<std::string, ScalarType>> wanted() const {
    std::vector<std::pair<std::string, ScalarType>> names;
    for (const hir::Binding &binding : kernel->bindings)
      names.push_back({binding.variable->name, ScalarType::I64});
    for (const hir::Param &param : kernel->params)
      if (param.scalar)
        names.push_back({param.scalar->name, param.scalar->type});
    return names;
  }
  IndexEvaluator::LetValues noLets;
};

bool CheckBuilder::checkValues(llvm::ArrayRef<ast::CheckValue> given, SourceRange valuesRange,
                               llvm::ArrayRef<std::pair<std::string, int64_t>> replacements) {
  // Formulas and data ranges may use the compile-time values and what the braces give.
  for (size_t i = 0; i < compileValues.size(); ++i)
    scope.names.try_emplace(
        decl->getCompileParams()[i].name.text,
        Symbol{Symbol::Kind::Constant, decl->getCompileParams()[i].name.range, compileValues[i]});
  checker.pushScope(scope);
  bool ok = true;
  auto names = wanted();
  std::vector<llvm::StringRef> candidates;
  for (const auto &[name, type] : names)
    candidates.push_back(name);
  llvm::StringMap<SourceRange> seen;
  std::map<std::string, hir::NamedValue> results;
  std::vector<std::pair<std::string, ConstValue>> bound;
  for (const ast::CheckValue &value : given) {
    if (value.isDataRange())
      continue;
    auto [it, inserted] = seen.try_emplace(value.name.text, value.name.range);
    if (!inserted) {
      analyzer.error(DiagId::DuplicateArgument, value.name.range, {DiagArg(value.name.text)})
          .note(it->second, "it is given here before");
      ok = false;
      continue;
    }
    auto constant = checker.checkConstant(value.value, "a value");
    auto name = llvm::find_if(names, [&](const auto &entry) { return entry.first == value.name.text; });
    if (name == names.end()) {
      auto diag = analyzer.error(DiagId::UnknownValue, value.name.range,
                                 {DiagArg(kernel->sourceName), DiagArg(value.name.text)});
      llvm::StringRef suggestion = closest(value.name.text, candidates);
      bool compileTime = llvm::any_of(decl->getCompileParams(), [&](const ast::CompileParam &param) {
        return param.name.text == value.name.text;
      });
      bool isTensor = llvm::any_of(kernel->params, [&](const hir::Param &param) {
        return param.tensor && param.tensor->access != hir::Access::Out &&
               param.tensor->name == value.name.text;
      });
      if (isTensor)
        diag.note("'" + value.name.text + "' is a tensor: give its data as '" + value.name.text +
                  " in range(lo, hi)'");
      else if (compileTime)
        diag.note("'" + value.name.text + "' is a compile-time parameter: give it between '<' and '>'");
      else if (!suggestion.empty())
        diag.note(value.name.range, "did you mean '" + suggestion + "'?").fixIt(value.name.range, suggestion);
      ok = false;
      continue;
    }
    if (!constant) {
      ok = false;
      continue;
    }
    for (const auto &replacement : replacements)
      if (replacement.first == name->first && !isFloat(name->second)) {
        constant = ConstValue::makeInt(replacement.second);
        replaced.push_back(replacement);
      }
    hir::Expr *expr = checker.materialize(Value(*constant), name->second, value.value->getRange());
    if (!expr) {
      ok = false;
      continue;
    }
    auto *literal = llvm::cast<hir::Const>(expr);
    bool isScalar = llvm::any_of(kernel->params, [&](const hir::Param &param) {
      return param.scalar && param.scalar->name == name->first;
    });
    if (!isScalar && literal->integer < 0) {
      analyzer.error(DiagId::NegativeDimension, value.value->getRange(),
                     {DiagArg("'" + name->first + "'"), DiagArg(literal->integer)});
      ok = false;
      continue;
    }
    results[name->first] = {name->first, name->second, literal->integer, literal->real};
    bound.push_back({name->first, *constant});
  }
  for (const auto &[name, type] : names) {
    if (results.count(name)) {
      values.push_back(results[name]);
    } else if (!seen.count(name)) {
      analyzer.error(DiagId::MissingValue, valuesRange, {DiagArg(kernel->sourceName), DiagArg(name)})
          .note("add '" + name + " = …'");
      ok = false;
    }
  }
  for (const auto &[name, constant] : bound)
    scope.names[name] = Symbol{Symbol::Kind::Constant, seen[name], constant};
  // What was wrong is poison to the formulas.
  for (const ast::CheckValue &value : given)
    scope.names.try_emplace(value.name.text, Symbol::poison(value.name.range));
  return ok;
}

bool CheckBuilder::checkRanges(llvm::ArrayRef<ast::CheckValue> given) {
  bool ok = true;
  llvm::StringMap<SourceRange> seen;
  for (const ast::CheckValue &value : given) {
    if (!value.isDataRange())
      continue;
    auto [it, inserted] = seen.try_emplace(value.name.text, value.name.range);
    if (!inserted) {
      analyzer.error(DiagId::DuplicateArgument, value.name.range, {DiagArg(value.name.text)})
          .note(it->second, "it is given here before");
      ok = false;
      continue;
    }
    const hir::Tensor *tensor = nullptr;
    std::vector<llvm::StringRef> candidates;
    for (const hir::Param &param : kernel->params)
      if (param.tensor) {
        candidates.push_back(param.tensor->name);
        if (param.tensor->name == value.name.text)
          tensor = param.tensor;
      }
    if (!tensor) {
      auto diag = analyzer.error(DiagId::UnknownTensor, value.name.range,
                                 {DiagArg(kernel->sourceName), DiagArg(value.name.text)});
      llvm::StringRef suggestion = closest(value.name.text, candidates);
      if (!suggestion.empty())
        diag.note(value.name.range, "did you mean '" + suggestion + "'?").fixIt(value.name.range, suggestion);
      ok = false;
      continue;
    }
    if (tensor->access == hir::Access::Out) {
      analyzer.error(DiagId::RangeOfOut, value.name.range, {DiagArg(tensor->name)})
          .note("an 'out' starts poisoned");
      ok = false;
      continue;
    }
    if (isBool(tensor->element)) {
      analyzer.error(DiagId::RangeOfBool, value.name.range, {DiagArg(tensor->name)})
          .note("bools are drawn fair");
      ok = false;
      continue;
    }
    auto bound = [&](const ast::Expr *expr) -> std::optional<ConstValue> {
      auto constant = checker.checkConstant(expr, "a bound of 'range'");
      if (constant && constant->isFloat() && isFloat(tensor->element) &&
          constant->real == std::floor(constant->real) && std::fabs(constant->real) < 1e18)
        return ConstValue::makeInt(ExactInt(constant->real));
      if (constant && !constant->isInt()) {
        analyzer
            .error(DiagId::IntegerExpected, expr->getRange(),
                   {DiagArg("a bound of 'range'"), DiagArg(describeKind(*constant))})
            .note("whole numbers are drawn, for float tensors too");
        return std::nullopt;
      }
      return constant;
    };
    auto lo = bound(value.low), hi = bound(value.high);
    if (!lo || !hi) {
      ok = false;
      continue;
    }
    int64_t elements = 1;
    for (const hir::Expr *extent : tensor->extents)
      elements = evaluate(extent, values, *kernel).value_or(1) == 0 ? 0 : elements;
    if (lo->integer >= hi->integer && elements != 0) {
      analyzer
          .error(DiagId::EmptyRange, value.range,
                 {DiagArg(toString(lo->integer)), DiagArg(toString(hi->integer))})
          .note("the upper bound is not drawn: it must be above the lower one");
      ok = false;
      continue;
    }
    if (isInteger(tensor->element) && lo->integer < hi->integer &&
        (lo->integer < minOf(tensor->element) || hi->integer - 1 > maxOf(tensor->element))) {
      analyzer.error(DiagId::RangeDoesNotFit, value.range,
                     {DiagArg(toString(lo->integer)), DiagArg(toString(hi->integer - 1)),
                      DiagArg(spelling(tensor->element)), DiagArg(tensor->name)});
      ok = false;
      continue;
    }
    hir::DataRange range;
    range.tensor = tensor->name;
    range.lo = lo->asDouble();
    range.hi = hi->asDouble();
    range.loInt = int64_t(lo->integer);
    range.hiInt = int64_t(hi->integer);
    ranges.push_back(range);
  }
  return ok;
}

bool CheckBuilder::checkFacts(SourceRange range) {
  for (const hir::Fact &fact : kernel->facts)
    if (auto truth = evaluate(fact.condition, values, *kernel); truth && *truth == 0) {
      analyzer.error(DiagId::ViolatedFact, range, {DiagArg(fact.text)})
          .note(fact.condition->range, "the kernel states it here");
      return false;
    }
  return true;
}

std::optional<double> CheckBuilder::formula(const ast::Expr *expr, llvm::StringRef what) {
  auto value = checker.checkConstantReal(expr, what);
  if (value && !(*value >= 0 && std::isfinite(*value))) {
    analyzer.error(DiagId::NegativeQuantity, expr->getRange(), {DiagArg(what), DiagArg(formatReal(*value))});
    return std::nullopt;
  }
  return value;
}

/// The call on one line: `matmul<BM = 64> { M = 256, N = 192 }`.
std::string CheckBuilder::textOf(ast::Identifier name, const ast::CompileArgs &args,
                                 SourceRange valuesRange) {
  std::string text = name.text.str();
  auto append = [&](SourceRange range) {
    bool blank = false;
    for (char c : analyzer.text(range)) {
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        blank = true;
        continue;
      }
      if (blank)
        text += ' ';
      blank = false;
      text += c;
    }
  };
  if (args.range.isValid() && !args.args.empty())
    append(args.range);
  text += ' ';
  append(valuesRange);
  return text;
}

namespace {
llvm::StringRef accessWord(hir::Access access) {
  return access == hir::Access::In ? "read" : access == hir::Access::Out ? "'out'" : "'inout'";
}

std::string signatureOf(const hir::Param &param) {
  if (param.scalar)
    return "a scalar '" + spelling(param.scalar->type).str() + "'";
  return "a tensor of '" + spelling(param.tensor->element).str() + "', rank " +
         std::to_string(param.tensor->rank()) + ", " + accessWord(param.tensor->access).str();
}

bool sameSignature(const hir::Param &a, const hir::Param &b) {
  if ((a.tensor != nullptr) != (b.tensor != nullptr) || a.name() != b.name())
    return false;
  if (a.scalar)
    return a.scalar->type == b.scalar->type;
  return a.tensor->element == b.tensor->element && a.tensor->rank() == b.tensor->rank() &&
         a.tensor->access == b.tensor->access;
}
} // namespace

/// Matches the oracle's signature and computes its values from the tested kernel's.
static bool bindOracle(Analyzer &analyzer, CheckBuilder &tested, hir::Kernel &oracle, SourceRange range,
                       std::vector<hir::NamedValue> &values) {
  const hir::Kernel &kernel = *tested.kernel;
  if (kernel.params.size() != oracle.params.size()) {
    analyzer
        .error(DiagId::OracleParamCount, range,
               {DiagArg(oracle.sourceName), DiagArg(oracle.params.size()), DiagArg(kernel.sourceName),
                DiagArg(kernel.params.size())})
        .note(oracle.range, "the oracle is declared here");
    return false;
  }
  for (size_t i = 0; i < kernel.params.size(); ++i)
    if (!sameSignature(kernel.params[i], oracle.params[i])) {
      analyzer
          .error(DiagId::OracleParam, range,
                 {DiagArg(oracle.sourceName), DiagArg(i + 1), DiagArg(oracle.params[i].name()),
                  DiagArg(signatureOf(oracle.params[i])), DiagArg(kernel.sourceName),
                  DiagArg(kernel.params[i].name()), DiagArg(signatureOf(kernel.params[i]))})
          .note(oracle.range, "the oracle is declared here")
          .note("an oracle has the kernel's parameters: names, order, directions, types and ranks");
      return false;
    }
  // Dimensions stand alone somewhere: bind those first, then compare every extent.
  auto extentsOf = [&](const hir::Tensor *tensor) {
    std::vector<int64_t> extents;
    for (const hir::Expr *extent : tensor->extents)
      extents.push_back(tested.evaluate(extent, tested.values, kernel).value_or(-1));
    return extents;
  };
  for (const hir::Binding &binding : oracle.bindings) {
    const hir::Tensor *tensor = kernel.params[binding.param].tensor;
    std::vector<int64_t> extents = extentsOf(tensor);
    int64_t value = extents[binding.axis];
    if (binding.isStride) {
      if (!tensor->strides.empty()) {
        value = tested.evaluate(tensor->strides[binding.axis], tested.values, kernel).value_or(0);
      } else {
        value = 1;
        for (size_t d = binding.axis + 1; d < extents.size(); ++d)
          value *= extents[d];
      }
    }
    values.push_back({binding.variable->name, ScalarType::I64, value, 0});
  }
  for (const hir::Param &param : kernel.params)
    if (param.scalar)
      for (const hir::NamedValue &value : tested.values)
        if (value.name == param.scalar->name)
          values.push_back(value);
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    if (!kernel.params[i].tensor)
      continue;
    std::vector<int64_t> extents = extentsOf(kernel.params[i].tensor);
    for (size_t d = 0; d < extents.size(); ++d) {
      auto theirs = tested.evaluate(oracle.params[i].tensor->extents[d], values, oracle);
      if (!theirs || *theirs == extents[d])
        continue;
      analyzer
          .error(DiagId::OracleExtent, range,
                 {DiagArg(kernel.params[i].name()), DiagArg(d), DiagArg(extents[d]),
                  DiagArg(oracle.sourceName), DiagArg(*theirs)})
          .note(oracle.params[i].tensor->range, "the oracle declares it here");
      return false;
    }
  }
  return true;
}

void Analyzer::checkChecks() {
  for (const ast::Decl *decl : mainContext->file->getDecls()) {
    auto *check = llvm::dyn_cast<ast::Check>(decl);
    if (!check)
      continue;
    CheckBuilder builder(*this, *mainContext);
    GivenArgs given, oracleGiven;
    hir::Kernel *kernel = builder.findInstance(check->getKernel(), check->getArgs(), given);
    const FileName *oracleName = nullptr;
    if (!check->isAgainstReference()) {
      oracleName = findKernel(check->getOracle());
      if (oracleName)
        used.insert(llvm::cast<ast::Kernel>(oracleName->decl));
    }
    if (!kernel)
      continue;
    bool ok = builder.checkValues(check->getValues(), check->getValuesRange(), options.checkValues);
    ok = ok && builder.checkRanges(check->getValues());
    hir::Check result;
    result.range = check->getRange();
    result.text = builder.textOf(check->getKernel(), check->getArgs(), check->getValuesRange());
    for (const auto &[name, value] : builder.replaced) {
      result.text += (&name == &builder.replaced.front().first ? " with " : ", ") + name + " = " + std::to_string(value);
      replacedValues.insert(name);
    }
    result.kernel = kernel;

    // Tolerances may use what the formulas may.
    auto tolerance = builder.formula(check->getTolerance(), "the tolerance");
    ok &= tolerance.has_value();
    result.tolerances.push_back({"", tolerance.value_or(0)});
    for (const ast::OutputTolerance &output : check->getOutputTolerances()) {
      auto value = builder.formula(output.value, "the tolerance");
      const hir::Tensor *tensor = nullptr;
      std::vector<llvm::StringRef> candidates;
      for (const hir::Param &param : kernel->params)
        if (param.tensor && param.tensor->access != hir::Access::In) {
          candidates.push_back(param.tensor->name);
          if (param.tensor->name == output.name.text)
            tensor = param.tensor;
        }
      if (!tensor) {
        auto diag = error(DiagId::ToleranceOfInput, output.name.range,
                          {DiagArg(kernel->sourceName), DiagArg(output.name.text)});
        llvm::StringRef suggestion = closest(output.name.text, candidates);
        if (!suggestion.empty())
          diag.note(output.name.range, "did you mean '" + suggestion + "'?")
              .fixIt(output.name.range, suggestion);
      }
      bool twice = llvm::any_of(result.tolerances, [&](const hir::OutputTolerance &other) {
        return other.tensor == output.name.text;
      });
      if (twice)
        error(DiagId::DuplicateArgument, output.name.range, {DiagArg(output.name.text)})
            .note("one tolerance an output");
      ok &= value && tensor && !twice;
      result.tolerances.push_back({output.name.text.str(), value.value_or(0)});
    }
    ok = ok && builder.checkFacts(check->getValuesRange());

    if (oracleName) {
      auto *oracleDecl = llvm::cast<ast::Kernel>(oracleName->decl);
      bool argsOk = evaluateArgs(oracleDecl, check->getOracleArgs(), *mainContext, oracleGiven);
      // Inherited: what the tested kernel has by the same name, unless it is given.
      for (size_t i = 0; i < builder.compileValues.size(); ++i)
        for (const ast::CompileParam &param : oracleDecl->getCompileParams())
          if (param.name.text == builder.decl->getCompileParams()[i].name.text)
            oracleGiven.try_emplace(param.name.text.str(),
                                    GivenArg{builder.compileValues[i], check->getOracle().range});
      KernelRequest request{oracleDecl, oracleName->owner, oracleGiven, check->getOracle().range};
      result.oracle = argsOk ? getInstance(request, "") : nullptr;
      ok = ok && result.oracle &&
           bindOracle(*this, builder, *result.oracle, check->getOracle().range, result.oracleValues);
    } else if (!check->isAgainstReference()) {
      ok = false;
    }
    if (!ok)
      continue;
    result.values = std::move(builder.values);
    result.ranges = std::move(builder.ranges);
    program->checks.push_back(std::move(result));
  }
}

void Analyzer::reportUnusedReplacements() {
  for (const auto &[name, value] : options.checkValues)
    if (!replacedValues.count(name))
      diags.reportWithoutLocation(DiagId::ShapeUnknownName, name);
}

void Analyzer::checkBenches() {
  for (const ast::Decl *decl : mainContext->file->getDecls()) {
    auto *bench = llvm::dyn_cast<ast::Bench>(decl);
    if (!bench)
      continue;
    CheckBuilder builder(*this, *mainContext);
    GivenArgs given;
    hir::Kernel *kernel = builder.findInstance(bench->getKernel(), bench->getArgs(), given);
    if (!kernel)
      continue;
    bool ok = builder.checkValues(bench->getValues(), bench->getValuesRange());
    ok = ok && builder.checkRanges(bench->getValues());
    hir::Bench result;
    result.range = bench->getRange();
    result.text = builder.textOf(bench->getKernel(), bench->getArgs(), bench->getValuesRange());
    result.kernel = kernel;
    for (auto [expr, what, slot] : {std::tuple(bench->getFlops(), "'flops'", &result.flops),
                                    std::tuple(bench->getBytes(), "'bytes'", &result.bytes)})
      if (expr) {
        auto value = builder.formula(expr, what);
        ok &= value.has_value();
        *slot = value.value_or(0);
      }
    ok = ok && builder.checkFacts(bench->getValuesRange());
    if (!ok)
      continue;
    result.values = std::move(builder.values);
    result.ranges = std::move(builder.ranges);
    program->benches.push_back(std::move(result));
  }
}

} // namespace tilec::frontend::sema
