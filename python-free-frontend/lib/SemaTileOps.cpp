//===- SemaTileOps.cpp - the built-in statements ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which statements exist, how many operands they take and which named arguments, is in Builtins.def; here is
// what each of them demands of its operands (LANGUAGE sections 5 to 8).
//
//===----------------------------------------------------------------------===//
#include "SemaTileOps.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend::sema {

namespace {
enum class ArgKind : uint8_t { Value, Bool, Int, Word };

struct NamedRow {
  llvm::StringRef statement, name;
  ArgKind kind;
};
constexpr NamedRow kNamed[] = {
#define TILEC_NAMED_ARG(Statement, Spelling, Kind) {Statement, Spelling, ArgKind::Kind},
#include "tilec/Frontend/Builtins.def"
};

constexpr llvm::StringRef kStatementNames[] = {
#define TILEC_STATEMENT(Spelling, Handler, Min, Max, InParallel, Parameters) Spelling,
#include "tilec/Frontend/Builtins.def"
};
} // namespace

llvm::ArrayRef<llvm::StringRef> builtinStatementNames() { return kStatementNames; }

void Checker::checkCallStmt(const ast::CallStmt *stmt) {
  llvm::StringRef callee = stmt->getCallee().text;
  for (unsigned row = 0; row < std::size(kStatementNames); ++row)
    if (kStatementNames[row] == callee) {
      checkBuiltinStmt(stmt, row);
      return;
    }
  const FileName *known = lookupFile(callee);
  if (known && llvm::isa<ast::Function>(known->decl)) {
    if (!rejectInScalarFn(stmt, "a call statement"))
      checkMacroCall(stmt, *known);
    return;
  }
  if (llvm::is_contained(builtinFunctionNames(), callee)) {
    error(DiagId::FunctionAsStatement, stmt->getCallee().range, callee)
        .note(stmt->getCallee().range, "it returns a value: use it in an expression");
    return;
  }
  std::vector<llvm::StringRef> candidates(builtinStatementNames().begin(), builtinStatementNames().end());
  for (const auto &entry : file->names)
    if (llvm::isa<ast::Function>(entry.second.decl))
      candidates.push_back(entry.first());
  reportUnknown(DiagId::UnknownStatement, stmt->getCallee(), candidates);
}

void Checker::checkBuiltinStmt(const ast::CallStmt *stmt, unsigned row) {
  struct Row {
    void (Checker::*handler)(const ast::CallStmt *, const NamedArgs &);
    unsigned min, max;
    bool inParallel;
    llvm::StringRef parameters;
  };
  static constexpr Row rows[] = {
#define TILEC_STATEMENT(Spelling, Handler, Min, Max, InParallel, Parameters)                                 \
  {&Checker::check##Handler, Min, Max, InParallel, Parameters},
#include "tilec/Frontend/Builtins.def"
  };
  const Row &info = rows[row];
  llvm::StringRef callee = stmt->getCallee().text;
  if (rejectInScalarFn(stmt, "'" + callee.str() + "'"))
    return;
  if (parallel && !info.inParallel) {
    error(DiagId::NotInParallel, stmt->getRange(), "'" + callee.str() + "'")
        .note("the body of 'parallel' is scalar statements: write it outside of the loop");
    return;
  }
  if (!checkArity(stmt->getCallee(), stmt->getArgs().size(), info.min, info.max, stmt->getRange(),
                  info.parameters))
    return;

  NamedArgs named;
  llvm::SmallVector<llvm::StringRef, 4> known;
  for (const NamedRow &candidate : kNamed)
    if (candidate.statement == callee)
      known.push_back(candidate.name);
  for (const ast::NamedArg &arg : stmt->getNamedArgs()) {
    const NamedRow *found = nullptr;
    for (const NamedRow &candidate : kNamed)
      if (candidate.statement == callee && candidate.name == arg.name.text)
        found = &candidate;
    if (!found) {
      auto diag = error(DiagId::UnknownArgument, arg.name.range, callee, arg.name.text);
      llvm::StringRef suggestion = closest(arg.name.text, known);
      if (!suggestion.empty())
        diag.note(arg.name.range, "did you mean '" + suggestion + "'?").fixIt(arg.name.range, suggestion);
      else
        diag.note("'" + callee + "(" + info.parameters + ")'");
      named.ok = false;
      continue;
    }
    NamedArgs::Entry entry{arg.range, arg.value->getRange(), arg.value, {}, {}, {}};
    std::string what = "'" + arg.name.text.str() + "'";
    switch (found->kind) {
    case ArgKind::Value:
      entry.value = checkExpr(arg.value);
      break;
    case ArgKind::Bool:
      entry.truth = checkConstantBool(arg.value, what);
      named.ok &= entry.truth.has_value();
      break;
    case ArgKind::Int:
      // The statement knows the bounds.
      entry.integer = checkConstantInt(arg.value, what, std::numeric_limits<int64_t>::min(),
                                       std::numeric_limits<int64_t>::max());
      named.ok &= entry.integer.has_value();
      break;
    case ArgKind::Word:
      break;
    }
    auto [it, inserted] = named.entries.try_emplace(found->name, entry);
    if (!inserted) {
      error(DiagId::DuplicateArgument, arg.name.range, arg.name.text)
          .note(it->second.range, "it is given here before");
      named.ok = false;
    }
  }
  if (named.ok)
    (this->*info.handler)(stmt, named);
}

//===----------------------------------------------------------------------===//
// Moving data
//===----------------------------------------------------------------------===//

void Checker::checkCopy(const ast::CallStmt *stmt, const NamedArgs &named) {
  RegionOperand source = checkRegion(stmt->getArgs()[0], "'copy'");
  RegionOperand dest = checkRegion(stmt->getArgs()[1], "'copy'");
  if (!source.object || !dest.object)
    return;
  bool ok = markRead(source.object, source.range);
  ok &= markWrite(dest.object, dest.range);
  if (!source.hasExtents() && !dest.hasExtents()) {
    error(DiagId::NeedsExtents, source.range.through(dest.range), "'copy'")
        .note("one side names its extents with 'start +: n', or is a tile");
    return;
  }
  if (source.hasExtents() ? !requireExtents(source, "'copy'") : false)
    return;
  if (dest.hasExtents() ? !requireExtents(dest, "'copy'") : false)
    return;
  if (!source.hasExtents())
    ok &= takeExtents(source, dest);
  else if (!dest.hasExtents())
    ok &= takeExtents(dest, source);
  if (!ok)
    return;
  auto shapeOf = [](const RegionOperand &operand) { // without unit extents
    std::vector<int64_t> shape;
    for (int64_t extent : operand.extents)
      if (extent != 1)
        shape.push_back(extent);
    return shape;
  };
  if (shapeOf(source) != shapeOf(dest)) {
    error(DiagId::ExtentMismatch, stmt->getRange(), "copy", formatShape(source.extents),
          formatShape(dest.extents))
        .highlight(source.range)
        .highlight(dest.range)
        .note("extents, those of 1 left out, must be equal on both sides");
    return;
  }
  hir::Expr *padValue = nullptr;
  if (auto *pad = named.find("pad")) {
    if (isTile(source.object)) {
      error(DiagId::PadOfTile, pad->range, source.object->name)
          .note("tiles are never padded: leave 'pad' out");
      return;
    }
    padValue = checkElementValue(*pad->value, dest.object->element, pad->valueRange);
    if (!padValue)
      return;
  }
  auto *copy = append<hir::Copy>(stmt->getRange());
  copy->source = makeRegion(source);
  copy->dest = makeRegion(dest);
  copy->pad = padValue;
}

void Checker::checkFillOf(const ast::CallStmt *stmt, const ast::Expr *valueExpr) {
  llvm::StringRef callee = stmt->getCallee().text;
  RegionOperand target = checkRegion(stmt->getArgs()[0], "'" + callee.str() + "'");
  Value value = valueExpr ? checkExpr(valueExpr) : Value();
  if (!target.object || !markWrite(target.object, target.range) ||
      !requireExtents(target, "'" + callee.str() + "'"))
    return;
  ScalarType element = target.object->element;
  if (!valueExpr)
    value = isBool(element) ? ConstValue::makeBool(false) : ConstValue::makeInt(0);
  hir::Expr *expr =
      checkElementValue(value, element, valueExpr ? valueExpr->getRange() : stmt->getCallee().range);
  if (!expr)
    return;
  auto *fill = append<hir::Fill>(stmt->getRange());
  fill->target = makeRegion(target);
  fill->value = expr;
}

void Checker::checkFill(const ast::CallStmt *stmt, const NamedArgs &) {
  checkFillOf(stmt, stmt->getArgs()[1]);
}
void Checker::checkClear(const ast::CallStmt *stmt, const NamedArgs &) { checkFillOf(stmt, nullptr); }

void Checker::checkTranspose(const ast::CallStmt *stmt, const NamedArgs &) {
  hir::Object *source = checkTileOperand(stmt->getArgs()[0], "'transpose'");
  hir::Object *dest = checkTileOperand(stmt->getArgs()[1], "'transpose'");
  if (!source || !dest)
    return;
  for (size_t i = 0; i < 2; ++i) {
    hir::Object *object = i == 0 ? source : dest;
    if (object->rank() != 2) {
      error(DiagId::OperandRank, stmt->getArgs()[i]->getRange(), "transpose", "rank 2", object->rank());
      return;
    }
  }
  std::vector<int64_t> from = constantExtents(source), to = constantExtents(dest);
  if (from[0] != to[1] || from[1] != to[0]) {
    error(DiagId::TransposeMismatch, stmt->getRange(), formatShape(from), formatShape(to))
        .note("the second is the first with its extents exchanged");
    return;
  }
  auto *transpose = append<hir::Transpose>(stmt->getRange());
  transpose->source = source;
  transpose->dest = dest;
}

//===----------------------------------------------------------------------===//
// gemm
//===----------------------------------------------------------------------===//

namespace {
/// Whether `a · b` accumulates in `c` (LANGUAGE section 7).
bool isGemmCombination(ScalarType a, ScalarType b, ScalarType c) {
  auto isFp8 = [](ScalarType type) { return type == ScalarType::E4M3 || type == ScalarType::E5M2; };
  auto isByte = [](ScalarType type) { return type == ScalarType::I8 || type == ScalarType::U8; };
  if (isFp8(a) && isFp8(b))
    return c == ScalarType::F32;
  if (isByte(a) && isByte(b))
    return c == ScalarType::I32;
  if (a != b)
    return false;
  switch (a) {
  case ScalarType::F16:
    return c == ScalarType::F32 || c == ScalarType::F16;
  case ScalarType::BF16:
  case ScalarType::TF32:
  case ScalarType::F32:
    return c == ScalarType::F32;
  case ScalarType::F64:
    return c == ScalarType::F64;
  default:
    return false;
  }
}
} // namespace

void Checker::checkGemm(const ast::CallStmt *stmt, const NamedArgs &named) {
  hir::Object *operands[3];
  bool ok = true;
  for (size_t i = 0; i < 3; ++i) {
    operands[i] = checkTileOperand(stmt->getArgs()[i], "'gemm'");
    if (!operands[i]) {
      ok = false;
    } else if (operands[i]->rank() != 2) {
      error(DiagId::OperandRank, stmt->getArgs()[i]->getRange(), "gemm", "rank 2", operands[i]->rank())
          .note("a plain index drops its dimension: 'S[k, :, :]' of a tile of rank 3 has rank 2");
      ok = false;
    }
  }
  if (!ok)
    return;
  auto [a, b, c] = operands;
  SourceRange cRange = stmt->getArgs()[2]->getRange();
  if (c->kind != hir::ObjectKind::Fragment) {
    error(DiagId::GemmAccumulator, cRange, describe(c)).note(c->range, "declare the accumulator 'fragment'");
    return;
  }
  if (c == a || c == b) {
    error(DiagId::GemmAlias, cRange, c->name).note("accumulate in a fragment of its own");
    return;
  }
  bool transA = named.flag("trans_a"), transB = named.flag("trans_b");
  std::vector<int64_t> sa = constantExtents(a), sb = constantExtents(b), sc = constantExtents(c);
  int64_t m = sa[transA ? 1 : 0], k = sa[transA ? 0 : 1], kOfB = sb[transB ? 1 : 0], n = sb[transB ? 0 : 1];
  if (k != kOfB) {
    auto diag =
        error(DiagId::GemmInner, stmt->getRange(), k, a->name, transA ? 0 : 1, kOfB, b->name, transB ? 1 : 0);
    diag.highlight(stmt->getArgs()[0]->getRange()).highlight(stmt->getArgs()[1]->getRange());
    if (!transB && sb[1] == k)
      diag.note("'" + b->name + "' holds n x k: add 'trans_b = true'");
    else if (!transA && sa[0] == kOfB)
      diag.note("'" + a->name + "' holds k x m: add 'trans_a = true'");
    return;
  }
  if (sc[0] != m || sc[1] != n) {
    error(DiagId::GemmResult, cRange, c->name, formatShape(sc), formatShape({m, n}))
        .note(c->range, "the accumulator is declared here");
    return;
  }
  if (!isGemmCombination(a->element, b->element, c->element)) {
    error(DiagId::GemmTypes, stmt->getRange(), spelling(a->element), spelling(b->element),
          spelling(c->element))
        .note("f16 accumulates in f32 or f16; bf16, tf32, f32, e4m3 and e5m2 in f32; i8 and u8 in i32; f64 "
              "in f64");
    return;
  }
  hir::WarpShape warps = hir::WarpShape::Unset;
  if (auto *entry = named.find("warps")) {
    auto shape = llvm::StringSwitch<std::optional<hir::WarpShape>>(wordOf(entry->expr))
                     .Case("square", hir::WarpShape::Square)
                     .Case("rows", hir::WarpShape::Rows)
                     .Case("cols", hir::WarpShape::Cols)
                     .Default(std::nullopt);
    if (!shape) {
      error(DiagId::UnknownWord, entry->valueRange, "warps", "square, rows or cols");
      return;
    }
    warps = *shape;
  }
  auto *gemm = append<hir::Gemm>(stmt->getRange());
  gemm->a = a;
  gemm->b = b;
  gemm->c = c;
  gemm->transA = transA;
  gemm->transB = transB;
  gemm->warps = warps;
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

void Checker::checkReduce(const ast::CallStmt *stmt, const NamedArgs &named) {
  llvm::StringRef callee = stmt->getCallee().text;
  std::string quoted = "'" + callee.str() + "'";
  hir::Object *source = checkTileOperand(stmt->getArgs()[0], quoted);
  hir::Object *dest = checkTileOperand(stmt->getArgs()[1], quoted);
  if (!source || !dest)
    return;
  auto *axisArg = named.find("axis");
  if (!axisArg) {
    error(DiagId::MissingArgument, stmt->getArgsRange(), callee, "axis")
        .note("write 'axis = 0' to fold the first dimension");
    return;
  }
  int64_t rank = source->rank();
  if (*axisArg->integer < 0 || *axisArg->integer >= rank) {
    error(DiagId::AxisOutOfRange, axisArg->valueRange, *axisArg->integer, source->name, rank)
        .note("'axis' must be from 0 to " + llvm::Twine(rank - 1));
    return;
  }
  unsigned axis = *axisArg->integer;
  std::vector<int64_t> from = constantExtents(source), to = constantExtents(dest);
  std::vector<int64_t> kept = from, dropped = from;
  kept[axis] = 1;
  dropped.erase(dropped.begin() + axis);
  if (to != kept && (to != dropped || rank == 1)) {
    std::string wanted = rank == 1 ? formatShape(kept) : formatShape(dropped) + " or " + formatShape(kept);
    error(DiagId::ReduceShape, stmt->getArgs()[1]->getRange(), dest->name, formatShape(to), formatShape(from),
          axis, wanted)
        .note(dest->range, "'" + dest->name + "' is declared here");
    return;
  }
  if (isBool(source->element)) {
    error(DiagId::OperandType, stmt->getArgs()[0]->getRange(), callee, "numbers", "bool")
        .note("keep 0 and 1 in an integer tile");
    return;
  }
  if (!widensTo(source->element, dest->element)) {
    error(DiagId::ReduceTypes, stmt->getArgs()[1]->getRange(), spelling(source->element),
          spelling(dest->element))
        .note("the result has the operand's type or one that it widens to");
    return;
  }
  bool propagate = false;
  if (auto *nan = named.find("nan")) {
    llvm::StringRef word = wordOf(nan->expr);
    if (word != "propagate" && word != "ignore") {
      error(DiagId::UnknownWord, nan->valueRange, "nan", "propagate or ignore");
      return;
    }
    propagate = word == "propagate";
  }
  auto *reduce = append<hir::Reduce>(stmt->getRange());
  reduce->op = llvm::StringSwitch<hir::ReduceOp>(callee)
                   .Case("reduce_max", hir::ReduceOp::Max)
                   .Case("reduce_min", hir::ReduceOp::Min)
                   .Case("reduce_absmax", hir::ReduceOp::AbsMax)
                   .Case("reduce_prod", hir::ReduceOp::Prod)
                   .Default(hir::ReduceOp::Sum);
  reduce->source = source;
  reduce->dest = dest;
  reduce->axis = axis;
  reduce->accumulate = named.flag("accumulate");
  reduce->propagateNan = propagate;
}

void Checker::checkScan(const ast::CallStmt *stmt, const NamedArgs &named) {
  llvm::StringRef callee = stmt->getCallee().text;
  hir::Object *object = checkTileOperand(stmt->getArgs()[0], "'" + callee.str() + "'");
  if (!object)
    return;
  auto *axisArg = named.find("axis");
  if (!axisArg) {
    error(DiagId::MissingArgument, stmt->getArgsRange(), callee, "axis")
        .note("write 'axis = 0' to scan along the first dimension");
    return;
  }
  if (*axisArg->integer < 0 || *axisArg->integer >= object->rank()) {
    error(DiagId::AxisOutOfRange, axisArg->valueRange, *axisArg->integer, object->name, object->rank())
        .note("'axis' must be from 0 to " + llvm::Twine(object->rank() - 1));
    return;
  }
  if (isBool(object->element)) {
    error(DiagId::OperandType, stmt->getArgs()[0]->getRange(), callee, "numbers", "bool")
        .note("keep 0 and 1 in an integer tile");
    return;
  }
  auto *scan = append<hir::Scan>(stmt->getRange());
  scan->op = callee == "cumsum" ? hir::ScanOp::Sum : hir::ScanOp::Max;
  scan->object = object;
  scan->axis = *axisArg->integer;
  scan->reverse = named.flag("reverse");
}

} // namespace tilec::frontend::sema
