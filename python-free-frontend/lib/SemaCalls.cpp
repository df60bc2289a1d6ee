//===- SemaCalls.cpp - built-in functions, fns and tile macros ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built-in functions come from Builtins.def. A fn is inlined: its body is checked anew for every call, in a
// scope of its own under the file that declares it, with its parameters bound to fresh variables, the
// caller's tiles, and the types and extents taken from them.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

namespace {
enum class Operands : uint8_t { Integer, Number, Float };

struct FunctionRow {
  llvm::StringRef spelling;
  hir::Builtin function;
  unsigned arity;
  Operands operands;
  llvm::StringRef parameters;
};

constexpr FunctionRow kFunctions[] = {
#define TILEC_FUNCTION(Spelling, Name, Arity, Class, Parameters)                                             \
  {Spelling, hir::Builtin::Name, Arity, Operands::Class, Parameters},
#include "tilec/Frontend/Builtins.def"
};

const FunctionRow *findFunction(llvm::StringRef name) {
  for (const FunctionRow &row : kFunctions)
    if (row.spelling == name)
      return &row;
  return nullptr;
}

unsigned rowOf(hir::Builtin function) {
  for (unsigned i = 0; i < std::size(kFunctions); ++i)
    if (kFunctions[i].function == function)
      return i;
  llvm_unreachable("every function has a row");
}

/// The operation on constants, for the functions that have one.
std::optional<ConstOp> constantOp(hir::Builtin function) {
  switch (function) {
  case hir::Builtin::CeilDiv:
    return ConstOp::CeilDiv;
  case hir::Builtin::FloorDiv:
    return ConstOp::FloorDiv;
  case hir::Builtin::Min:
    return ConstOp::Min;
  case hir::Builtin::Max:
    return ConstOp::Max;
  default:
    return std::nullopt;
  }
}

llvm::StringRef parametersOfSpecial(llvm::StringRef name) {
#define TILEC_FUNCTION_SPECIAL(Spelling, Parameters)                                                         \
  if (name == Spelling)                                                                                      \
    return Parameters;
#include "tilec/Frontend/Builtins.def"
  return "";
}

constexpr llvm::StringRef kFunctionNames[] = {
#define TILEC_FUNCTION(Spelling, Name, Arity, Class, Parameters) Spelling,
#define TILEC_FUNCTION_SPECIAL(Spelling, Parameters) Spelling,
#include "tilec/Frontend/Builtins.def"
};
} // namespace

llvm::ArrayRef<llvm::StringRef> builtinFunctionNames() { return kFunctionNames; }

bool isBuiltinName(llvm::StringRef name) {
  return llvm::is_contained(builtinFunctionNames(), name) ||
         llvm::is_contained(builtinStatementNames(), name);
}

bool Checker::checkArity(ast::Identifier callee, size_t got, size_t min, size_t max, SourceRange range,
                         llvm::StringRef parameters) {
  if (got >= min && got <= max)
    return true;
  std::string wanted = std::to_string(min);
  if (max > min)
    wanted = "at least " + wanted;
  error(DiagId::ArgumentCount, range, callee.text, wanted, got, min)
      .note("'" + callee.text + "(" + parameters + ")'");
  return false;
}

//===----------------------------------------------------------------------===//
// Built-in functions
//===----------------------------------------------------------------------===//

Value Checker::checkCall(const ast::CallExpr *expr) {
  ast::Identifier callee = expr->getCallee();
  if (auto type = lookupTypeParam(callee.text)) {
    if (expr->getArgs().size() != 1) {
      error(DiagId::ArgumentCount, expr->getRange(), callee.text, "1", expr->getArgs().size(), 1)
          .note("a conversion has one operand");
      return {};
    }
    return checkConversion(expr->getArgs()[0], *type, expr->getRange());
  }
  if (callee.text == "select")
    return checkSelect(expr);
  if (callee.text == "clamp")
    return checkClamp(expr);
  if (callee.text == "sizeof")
    return checkSizeof(expr);
  if (const FunctionRow *row = findFunction(callee.text))
    return checkBuiltin(expr, row - kFunctions);
  if (llvm::is_contained(builtinStatementNames(), callee.text)) {
    error(DiagId::StatementAsValue, callee.range, callee.text)
        .note("'" + callee.text + "' is a statement and has no value");
    return {};
  }
  if (const FileName *known = lookupFile(callee.text))
    if (llvm::isa<ast::Function>(known->decl))
      return checkFnCall(expr, *known);
  for (const ast::Expr *arg : expr->getArgs())
    checkExpr(arg);
  std::vector<llvm::StringRef> candidates(builtinFunctionNames().begin(), builtinFunctionNames().end());
  for (const auto &entry : file->names)
    if (llvm::isa<ast::Function>(entry.second.decl))
      candidates.push_back(entry.first());
  reportUnknown(DiagId::UnknownFunction, callee, candidates);
  return {};
}

Value Checker::checkBuiltin(const ast::CallExpr *expr, unsigned row) {
  const FunctionRow &info = kFunctions[row];
  std::vector<Operand> operands;
  for (const ast::Expr *arg : expr->getArgs())
    operands.push_back({checkExpr(arg), arg->getRange()});
  if (!checkArity(expr->getCallee(), operands.size(), info.arity, info.arity, expr->getRange(),
                  info.parameters))
    return {};
  return callBuiltin(row, std::move(operands), expr->getRange());
}

Value Checker::callBuiltin(unsigned row, std::vector<Operand> operands, SourceRange range) {
  const FunctionRow &info = kFunctions[row];
  if (rejectTypes(operands))
    return {};
  std::string what = "'" + info.spelling.str() + "'";
  bool adapting;
  auto type = unify(operands, /*promoteNarrow=*/true, range, what, adapting);
  if (!type)
    return {};
  if (adapting && info.operands == Operands::Float)
    type = ScalarType::F32; // an integer constant may become a float
  bool accepted = info.operands == Operands::Float     ? isFloat(*type)
                  : info.operands == Operands::Integer ? isInteger(*type)
                                                       : !isBool(*type);
  if (!accepted) {
    auto diag = error(DiagId::OperandType, range, info.spelling,
                      info.operands == Operands::Float     ? "floats"
                      : info.operands == Operands::Integer ? "integers"
                                                           : "numbers",
                      spelling(*type));
    if (info.operands == Operands::Float)
      diag.note("write 'f32(…)' to convert the operand");
    return {};
  }
  bool allConstant =
      llvm::all_of(operands, [](const Operand &operand) { return operand.value.isConstant(); });
  if (allConstant && (constantOp(info.function) || info.function == hir::Builtin::Abs)) {
    std::vector<ConstValue> values;
    for (const Operand &operand : operands) {
      ConstValue value = operand.value.constant;
      if (!adapting) {
        if (!materialize(operand.value, *type, operand.range))
          return {};
        value = convert(value, *type);
      } else if (isFloat(*type) && value.isInt()) {
        bool fromTarget = value.fromTarget;
        value = ConstValue::makeFloat(value.asDouble());
        value.fromTarget = fromTarget;
      }
      values.push_back(value);
    }
    if (auto op = constantOp(info.function))
      return fold(evaluate(*op, values[0], values[1]), range, operands[1].range);
    return fold(evaluate(ConstUnaryOp::Abs, values[0]), range, range);
  }
  std::vector<hir::Expr *> args;
  for (const Operand &operand : operands) {
    hir::Expr *arg = materialize(operand.value, *type, operand.range);
    if (!arg)
      return {};
    args.push_back(arg);
  }
  bool divides = info.function == hir::Builtin::CeilDiv || info.function == hir::Builtin::FloorDiv;
  if (divides && constantInt(args[1]) == 0) {
    error(DiagId::DivisionByZero, operands[1].range);
    return {};
  }
  bool asks = info.function == hir::Builtin::IsNan || info.function == hir::Builtin::IsInf;
  return Value(make<hir::Call>(info.function, asks ? ScalarType::Bool : *type, std::move(args), range));
}

Value Checker::minMax(bool isMax, const Operand &lhs, const Operand &rhs, SourceRange range) {
  return callBuiltin(rowOf(isMax ? hir::Builtin::Max : hir::Builtin::Min), {lhs, rhs}, range);
}

Value Checker::checkClamp(const ast::CallExpr *expr) {
  std::vector<Operand> operands;
  for (const ast::Expr *arg : expr->getArgs())
    operands.push_back({checkExpr(arg), arg->getRange()});
  if (!checkArity(expr->getCallee(), operands.size(), 3, 3, expr->getRange(), parametersOfSpecial("clamp")) ||
      rejectTypes(operands))
    return {};
  // All three take the widest of their types before min and max do.
  bool adapting;
  auto type = unify(operands, /*promoteNarrow=*/true, expr->getRange(), "'clamp'", adapting);
  if (!type)
    return {};
  bool allConstant =
      llvm::all_of(operands, [](const Operand &operand) { return operand.value.isConstant(); });
  if (!isBool(*type) && !allConstant)
    for (Operand &operand : operands) {
      hir::Expr *value = materialize(operand.value, *type, operand.range);
      if (!value)
        return {};
      operand.value = Value(value);
    }
  Operand upper{minMax(/*isMax=*/true, operands[0], operands[1], expr->getRange()), expr->getRange()};
  return minMax(/*isMax=*/false, upper, operands[2], expr->getRange());
}

Value Checker::checkSelect(const ast::CallExpr *expr) {
  std::vector<Operand> operands;
  for (const ast::Expr *arg : expr->getArgs())
    operands.push_back({checkExpr(arg), arg->getRange()});
  if (!checkArity(expr->getCallee(), operands.size(), 3, 3, expr->getRange(),
                  parametersOfSpecial("select")) ||
      !requireBool(operands[0], "the first operand of 'select'"))
    return {};
  const Value &condition = operands[0].value;
  if (condition.isConstant() && operands[1].value.isConstant() && operands[2].value.isConstant()) {
    if (rejectTypes({operands[1], operands[2]}))
      return {};
    bool adapting;
    auto type =
        unify({operands[1], operands[2]}, /*promoteNarrow=*/false, expr->getRange(), "'select'", adapting);
    if (!type)
      return {};
    Operand taken = operands[condition.constant.asBool() ? 1 : 2];
    if (adapting)
      return taken.value;
    if (!materialize(taken.value, *type, taken.range))
      return {};
    return convert(taken.value.constant, *type);
  }
  hir::Expr *test = materialize(condition, ScalarType::Bool, operands[0].range);
  return test ? makeChoice(test, operands[1], operands[2], /*lazy=*/false, expr->getRange(), "'select'")
              : Value();
}

Value Checker::checkSizeof(const ast::CallExpr *expr) {
  if (!checkArity(expr->getCallee(), expr->getArgs().size(), 1, 1, expr->getRange(),
                  parametersOfSpecial("sizeof")))
    return {};
  const ast::Expr *arg = expr->getArgs()[0];
  Value value = checkExpr(arg);
  if (value.isPoison())
    return {};
  if (!value.isType()) {
    error(DiagId::TypeExpected, arg->getRange(), "sizeof");
    return {};
  }
  ScalarType type = *value.constant.type;
  if (isPacked(type)) {
    error(DiagId::SizeofPacked, arg->getRange(), spelling(type));
    return {};
  }
  return ConstValue::makeInt(storageBits(type) / 8);
}

//===----------------------------------------------------------------------===//
// Functions of the program
//===----------------------------------------------------------------------===//

/// Inlined calls nest on the stack of whoever walks the tree: bounded, before anything overflows.
bool Checker::enterCall(SourceRange range) {
  constexpr size_t kMaxCalls = 64;
  constexpr unsigned kMaxDepth = 1000;
  if (calls.size() < kMaxCalls && depth < kMaxDepth)
    return true;
  error(DiagId::CallsTooDeep, range).note("every fn is inlined: flatten the innermost ones by hand");
  aborted = true;
  return false;
}

/// Binds a fn's type parameters from its arguments. Arguments that are constants alone give index or f32.
bool Checker::bindTypeParams(const ast::Function *fn, llvm::ArrayRef<Operand> scalars,
                             llvm::ArrayRef<hir::Object *> tiles, llvm::ArrayRef<SourceRange> ranges,
                             Scope &inner) {
  bool ok = true;
  for (const ast::Identifier &param : fn->getTypeParams()) {
    std::optional<ScalarType> bound, fallback;
    SourceRange boundAt;
    for (size_t i = 0; i < ranges.size(); ++i) {
      if (fn->getParams()[i].type.isScalar() || fn->getParams()[i].type.text != param.text)
        continue;
      std::optional<ScalarType> type;
      if (tiles[i])
        type = tiles[i]->element;
      else if (scalars[i].value.isAdapting())
        fallback = !fallback || *fallback == ScalarType::I64 ? defaultType(scalars[i].value) : fallback;
      else
        type = scalars[i].value.type();
      if (!type)
        continue;
      if (bound && *bound != *type) {
        error(DiagId::TypeParamConflict, ranges[i], param.text, spelling(*bound), spelling(*type))
            .note(boundAt, "'" + param.text + "' is '" + spelling(*bound) + "' here");
        ok = false;
      }
      bound = type;
      boundAt = ranges[i];
    }
    if (!bound)
      bound = fallback;
    if (!bound)
      return false; // said at the declaration: no parameter has that type
    inner.names[param.text] = Symbol{Symbol::Kind::Constant, param.range, ConstValue::makeType(*bound)};
  }
  return ok;
}

Value Checker::checkFnCall(const ast::CallExpr *expr, const FileName &known) {
  auto *fn = llvm::cast<ast::Function>(known.decl);
  std::vector<Operand> operands;
  bool ok = true;
  for (const ast::Expr *arg : expr->getArgs()) {
    operands.push_back({checkExpr(arg), arg->getRange()});
    ok &= !operands.back().value.isPoison();
  }
  if (fn->isMacro()) {
    error(DiagId::MacroAsValue, expr->getCallee().range, fn->getName().text)
        .note(fn->getName().range, "it has no '->': call it as a statement");
    return {};
  }
  std::string parameters = analyzer.text(fn->getParamsRange()).drop_front().drop_back().str();
  if (!checkArity(expr->getCallee(), operands.size(), fn->getParams().size(), fn->getParams().size(),
                  expr->getRange(), parameters))
    return {};
  if (rejectTypes(operands) || !ok || analyzer.isRecursive(fn) || !enterCall(expr->getRange()))
    return {};

  std::vector<SourceRange> ranges;
  for (const Operand &operand : operands)
    ranges.push_back(operand.range);
  Scope params;
  if (!bindTypeParams(fn, operands, std::vector<hir::Object *>(operands.size()), ranges, params))
    return {};

  // From here on names are the fn's: its file, no outer variables.
  auto *call = make<hir::InlineCall>(ScalarType::I64, expr->getRange());
  call->function = fn->getName().text.str();
  Scope *savedScope = scope;
  FileContext *savedFile = file;
  scope = nullptr;
  pushScope(params);
  file = known.owner;

  std::vector<ScalarType> types;
  for (const ast::FnParam &param : fn->getParams())
    if (auto type = resolveScalarType(param.type))
      types.push_back(*type);
  auto result = resolveScalarType(*fn->getReturnType());
  ok = types.size() == operands.size() && result;
  for (size_t i = 0; ok && i < operands.size(); ++i) {
    hir::Expr *arg = materialize(operands[i].value, types[i], operands[i].range);
    if (!arg) {
      ok = false;
      break;
    }
    const ast::Identifier &name = fn->getParams()[i].name;
    hir::Variable *variable = makeVariable(name, hir::VarKind::FnParam, types[i]);
    letValues[variable] = arg;
    call->params.push_back(variable);
    call->args.push_back(arg);
    ok &= declare(name, Symbol{Symbol::Kind::Variable, name.range, {}, variable, nullptr, true});
  }
  if (ok) {
    call->type = *result;
    calls.push_back({fn, expr->getRange()});
    auto savedReturn = returnType;
    LoopContext *savedLoop = loop;
    unsigned savedJumps = jumps, savedReturns = returns;
    const Guard *savedGuards = guards;
    bool savedGridBody = inGridBody;
    hir::StmtList *savedOut = out;
    returnType = result;
    loop = nullptr;
    inGridBody = false;
    bool falls = checkBlock(fn->getBody(), call->body);
    returnType = savedReturn;
    loop = savedLoop;
    jumps = savedJumps;
    returns = savedReturns;
    guards = savedGuards;
    inGridBody = savedGridBody;
    out = savedOut;
    if (falls && !aborted) {
      SourceRange body = fn->getBody()->getRange();
      error(DiagId::MissingReturn, SourceRange(body.file, body.end - 1, body.end), fn->getName().text);
      ok = false;
    }
    calls.pop_back();
  }
  scope = savedScope;
  file = savedFile;
  return ok && !aborted ? Value(call) : Value();
}

/// Binds names that stand alone as extents of a macro's tiles, then checks every extent.
bool Checker::bindExtents(const ast::Function *fn, llvm::ArrayRef<hir::Object *> tiles,
                          llvm::ArrayRef<SourceRange> ranges, Scope &inner) {
  llvm::StringMap<SourceRange> boundAt;
  for (size_t i = 0; i < tiles.size(); ++i) {
    if (!tiles[i])
      continue;
    std::vector<int64_t> extents = constantExtents(tiles[i]);
    for (size_t d = 0; d < extents.size(); ++d) {
      auto *ref = llvm::dyn_cast<ast::NameRef>(ast::ignoreParens(fn->getParams()[i].dims[d]));
      if (!ref || inner.names.count(ref->getName()))
        continue;
      if (const FileName *fixed = lookupFile(ref->getName()); fixed && llvm::isa<ast::Constant>(fixed->decl))
        continue;
      ConstValue extent = ConstValue::makeInt(extents[d]);
      inner.names[ref->getName()] = Symbol{Symbol::Kind::Constant, ref->getRange(), extent};
      boundAt[ref->getName()] = ranges[i];
    }
  }
  bool ok = true;
  for (size_t i = 0; i < tiles.size(); ++i) {
    if (!tiles[i])
      continue;
    std::vector<int64_t> extents = constantExtents(tiles[i]);
    for (size_t d = 0; d < extents.size(); ++d) {
      const ast::Expr *dim = fn->getParams()[i].dims[d];
      auto wanted = checkConstantInt(dim, "an extent", 1, int64_t(1) << 20);
      if (!wanted) {
        ok = false;
        continue;
      }
      if (*wanted == extents[d])
        continue;
      auto diag = error(DiagId::MacroExtent, ranges[i], fn->getParams()[i].name.text, d, extents[d],
                        analyzer.text(dim->getRange()), *wanted);
      if (auto *ref = llvm::dyn_cast<ast::NameRef>(ast::ignoreParens(dim));
          ref && boundAt.count(ref->getName()))
        diag.note(boundAt[ref->getName()], "'" + ref->getName() + "' is bound here");
      else
        diag.note(dim->getRange(), "the extent is declared here");
      ok = false;
    }
  }
  return ok;
}

void Checker::checkMacroCall(const ast::CallStmt *stmt, const FileName &known) {
  auto *fn = llvm::cast<ast::Function>(known.decl);
  ast::Identifier callee = stmt->getCallee();
  if (!fn->isMacro()) {
    error(DiagId::FunctionAsStatement, callee.range, callee.text)
        .note(fn->getName().range, "it returns a value: use it in an expression");
    return;
  }
  if (parallel) {
    error(DiagId::NotInParallel, stmt->getRange(), "a tile macro")
        .note("the body of 'parallel' is scalar statements: call it outside the loop");
    return;
  }
  for (const ast::NamedArg &named : stmt->getNamedArgs())
    error(DiagId::UnknownArgument, named.name.range, callee.text, named.name.text)
        .note("arguments of a fn are positional");
  if (!stmt->getNamedArgs().empty())
    return;
  std::string parameters = analyzer.text(fn->getParamsRange()).drop_front().drop_back().str();
  if (!checkArity(callee, stmt->getArgs().size(), fn->getParams().size(), fn->getParams().size(),
                  stmt->getRange(), parameters))
    return;

  bool ok = true;
  std::vector<Operand> scalars(stmt->getArgs().size());
  std::vector<hir::Object *> tiles(stmt->getArgs().size());
  std::vector<SourceRange> ranges;
  for (size_t i = 0; i < scalars.size(); ++i) {
    const ast::Expr *arg = stmt->getArgs()[i];
    const ast::FnParam &param = fn->getParams()[i];
    ranges.push_back(arg->getRange());
    if (!param.space) {
      scalars[i] = {checkExpr(arg), arg->getRange()};
      ok &= !scalars[i].value.isPoison() && !rejectTypes(scalars[i]);
      continue;
    }
    tiles[i] = checkTileOperand(arg, "'" + callee.text.str() + "'");
    if (!tiles[i]) {
      ok = false;
      continue;
    }
    bool isFragment = tiles[i]->kind == hir::ObjectKind::Fragment;
    if (isFragment != (*param.space == ast::TileSpace::Fragment)) {
      error(DiagId::MacroTileSpace, arg->getRange(), param.name.text, getSpelling(*param.space),
            describe(tiles[i]))
          .note(param.range, "the parameter is declared here");
      ok = false;
    } else if (tiles[i]->rank() != param.dims.size()) {
      error(DiagId::MacroRank, arg->getRange(), param.name.text, param.dims.size(), tiles[i]->rank())
          .note(param.range, "the parameter is declared here");
      ok = false;
    }
  }
  if (!ok || analyzer.isRecursive(fn) || !enterCall(stmt->getRange()))
    return;

  Scope params;
  if (!bindTypeParams(fn, scalars, tiles, ranges, params))
    return;
  auto *block = make<hir::InlineBlock>(stmt->getRange());
  block->macro = callee.text.str();
  block->parts.emplace_back();
  Scope *savedScope = scope;
  FileContext *savedFile = file;
  scope = nullptr;
  pushScope(params);
  file = known.owner;
  ok = bindExtents(fn, tiles, ranges, params);
  for (size_t i = 0; ok && i < tiles.size(); ++i) {
    const ast::FnParam &param = fn->getParams()[i];
    auto type = param.space ? resolveType(param.type) : resolveScalarType(param.type);
    if (!type) {
      ok = false;
      break;
    }
    if (tiles[i]) {
      if (tiles[i]->element != *type) {
        error(DiagId::MacroElement, ranges[i], param.name.text, spelling(*type), spelling(tiles[i]->element))
            .note(param.range, "the parameter is declared here");
        ok = false;
        break;
      }
      ok = declare(param.name, Symbol{Symbol::Kind::Object, param.name.range, {}, nullptr, tiles[i], false});
      continue;
    }
    hir::Expr *arg = materialize(scalars[i].value, *type, ranges[i]);
    if (!arg) {
      ok = false;
      break;
    }
    hir::Variable *variable = makeVariable(param.name, hir::VarKind::FnParam, *type);
    letValues[variable] = arg;
    block->params.push_back(variable);
    block->args.push_back(arg);
    ok = declare(param.name, Symbol{Symbol::Kind::Variable, param.name.range, {}, variable, nullptr, false});
  }
  if (ok) {
    calls.push_back({fn, stmt->getRange()});
    LoopContext *savedLoop = loop;
    unsigned savedJumps = jumps;
    const Guard *savedGuards = guards;
    bool savedGridBody = inGridBody;
    loop = nullptr;
    inGridBody = false;
    checkBlock(fn->getBody(), block->parts.front());
    loop = savedLoop;
    jumps = savedJumps;
    guards = savedGuards;
    inGridBody = savedGridBody;
    calls.pop_back();
    out->push_back(block);
  }
  scope = savedScope;
  file = savedFile;
}

} // namespace tilec::frontend::sema
