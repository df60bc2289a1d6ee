//===- SemaTileOps.cpp - the built-in statements ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which statements exist, how many operands they take and which named arguments, is in Builtins.def; here is
// what each of them demands of its operands (LANGUAGE sections 5 to 8).
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend::sema {

/// Arguments by name, each evaluated once, in the kind that the table gives.
struct Checker::NamedArgs {
  struct Entry {
    SourceRange range;
    SourceRange valueRange;
    const ast::Expr *expr = nullptr;
    std::optional<int64_t> integer;
    std::optional<bool> truth;
    std::optional<Value> value;
  };
  std::map<llvm::StringRef, Entry> entries;
  bool ok = true;

  const Entry *find(llvm::StringRef name) const {
    auto it = entries.find(name);
    return it == entries.end() ? nullptr : &it->second;
  }
  bool flag(llvm::StringRef name) const {
    const Entry *entry = find(name);
    return entry && entry->truth.value_or(false);
  }
};

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

/// The word an argument such as `warps = square` holds; empty if it is none.
llvm::StringRef wordOf(const ast::Expr *expr) {
  if (auto *name = llvm::dyn_cast<ast::NameRef>(expr))
    return name->getName();
  return "";
}

bool isTile(const hir::Object *object) { return !llvm::isa<hir::Tensor, hir::Window>(object); }
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
      entry.integer = checkConstantInt(arg.value, what, 0, maxOf(ScalarType::I64));
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
    error(DiagId::ExtentMismatch, stmt->getRange(), "copy", formatShape(source.extents), formatShape(dest.extents))
        .highlight(source.range)
        .highlight(dest.range)
        .note("extents, those of 1 left out, must be equal on both sides");
    return;
  }
  hir::Expr *padValue = nullptr;
  if (auto *pad = named.find("pad")) {
    if (isTile(source.object)) {
      error(DiagId::PadOfTile, pad->range, source.object->name).note("tiles are never padded: leave 'pad' out");
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

void Checker::checkFill(const ast::CallStmt *stmt, const NamedArgs &) { checkFillOf(stmt, stmt->getArgs()[1]); }
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
    auto diag = error(DiagId::GemmInner, stmt->getRange(), k, a->name, transA ? 0 : 1, kOfB, b->name,
                      transB ? 1 : 0);
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
    error(DiagId::GemmTypes, stmt->getRange(), spelling(a->element), spelling(b->element), spelling(c->element))
        .note("f16 accumulates in f32 or f16; bf16, tf32, f32, e4m3 and e5m2 in f32; i8 and u8 in i32; f64 in f64");
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
  if (*axisArg->integer >= rank) {
    error(DiagId::AxisOutOfRange, axisArg->valueRange, *axisArg->integer, source->name, rank);
    return;
  }
  unsigned axis = *axisArg->integer;
  std::vector<int64_t> from = constantExtents(source), to = constantExtents(dest);
  std::vector<int64_t> kept = from, dropped = from;
  kept[axis] = 1;
  dropped.erase(dropped.begin() + axis);
  if (to != kept && (to != dropped || rank == 1)) {
    std::string wanted = rank == 1 ? formatShape(kept) : formatShape(dropped) + " or " + formatShape(kept);
    error(DiagId::ReduceShape, stmt->getArgs()[1]->getRange(), dest->name, formatShape(to), formatShape(from), axis,
          wanted)
        .note(dest->range, "'" + dest->name + "' is declared here");
    return;
  }
  if (isBool(source->element)) {
    error(DiagId::OperandType, stmt->getArgs()[0]->getRange(), callee, "numbers", "bool")
        .note("keep 0 and 1 in an integer tile");
    return;
  }
  if (!widensTo(source->element, dest->element)) {
    error(DiagId::ReduceTypes, stmt->getArgs()[1]->getRange(), spelling(source->element), spelling(dest->element))
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
  if (*axisArg->integer >= object->rank()) {
    error(DiagId::AxisOutOfRange, axisArg->valueRange, *axisArg->integer, object->name, object->rank());
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

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

void Checker::checkAtomic(const ast::CallStmt *stmt, const NamedArgs &) {
  llvm::StringRef callee = stmt->getCallee().text;
  std::string quoted = "'" + callee.str() + "'";
  const ast::Expr *target = ast::ignoreParens(stmt->getArgs()[0]);
  const ast::Expr *operand = ast::ignoreParens(stmt->getArgs()[1]);
  hir::AtomicOp op = llvm::StringSwitch<hir::AtomicOp>(callee)
                         .Case("atomic_max", hir::AtomicOp::Max)
                         .Case("atomic_min", hir::AtomicOp::Min)
                         .Default(hir::AtomicOp::Add);
  auto checkDest = [&](hir::Object *object, SourceRange range) {
    if (object->kind == hir::ObjectKind::Fragment) {
      error(DiagId::AtomicOnFragment, range, object->name)
          .note("use 'op=' on an element in 'parallel', or a shared tile");
      return false;
    }
    switch (object->element) {
    case ScalarType::I32:
    case ScalarType::U32:
    case ScalarType::I64:
    case ScalarType::U64:
    case ScalarType::F16:
    case ScalarType::BF16:
    case ScalarType::F32:
    case ScalarType::F64:
      break;
    default:
      error(DiagId::AtomicType, range, spelling(object->element))
          .note("atomics work on i32, u32, i64, u64, f16, bf16, f32 and f64");
      return false;
    }
    return markWrite(object, range) && markRead(object, range);
  };

  // A tile as the second operand makes the first a region: a bare name of one, or something with extents.
  bool tileOperand = false;
  if (auto *index = llvm::dyn_cast<ast::IndexExpr>(operand)) {
    tileOperand = index->hasExtents();
  } else if (auto *name = llvm::dyn_cast<ast::NameRef>(operand)) {
    const Symbol *symbol = lookup(name->getName());
    tileOperand = symbol && symbol->kind == Symbol::Kind::Object;
  }
  auto *targetIndex = llvm::dyn_cast<ast::IndexExpr>(target);
  bool element = !tileOperand && targetIndex && !targetIndex->hasExtents();

  if (element) {
    hir::Object *object = lookupObject(targetIndex->getBase());
    std::vector<hir::Expr *> indices;
    bool ok = object && checkIndices(targetIndex, object, indices);
    Value value = checkExpr(operand);
    if (!ok || !checkDest(object, target->getRange()))
      return;
    hir::Expr *expr = materialize(value, object->element, operand->getRange());
    if (!expr)
      return;
    auto *atomic = append<hir::ElementAtomic>(stmt->getRange());
    atomic->object = object;
    atomic->indices = std::move(indices);
    atomic->op = op;
    atomic->value = expr;
    return;
  }
  if (parallel) {
    error(DiagId::AtomicRegionInParallel, target->getRange()).note("name one element, or move it out of the loop");
    return;
  }
  RegionOperand dest = checkRegion(target, quoted);
  if (!tileOperand) {
    Value value = checkExpr(operand);
    if (!dest.object || !checkDest(dest.object, dest.range) || !requireExtents(dest, quoted))
      return;
    hir::Expr *expr = materialize(value, dest.object->element, operand->getRange());
    if (!expr)
      return;
    auto *atomic = append<hir::RegionAtomic>(stmt->getRange());
    atomic->target = makeRegion(dest);
    atomic->op = op;
    atomic->value = expr;
    return;
  }
  RegionOperand tile = checkRegion(operand, quoted);
  if (!dest.object || !tile.object || !checkDest(dest.object, dest.range))
    return;
  if (!isTile(tile.object)) {
    error(DiagId::TileExpected, tile.range, quoted, describe(tile.object), tile.object->name)
        .note("copy it to a tile first");
    return;
  }
  if (tile.object->kind == hir::ObjectKind::Fragment && tile.form != RegionOperand::Form::Whole) {
    error(DiagId::FragmentRegion, tile.range, tile.object->name)
        .note("copy the region to a fragment of its own; regions of fragments serve in copy, fill and clear");
    return;
  }
  if (!requireExtents(tile, quoted))
    return;
  if (dest.hasExtents() ? !requireExtents(dest, quoted) : !takeExtents(dest, tile))
    return;
  auto shapeOf = [](const RegionOperand &region) {
    std::vector<int64_t> shape;
    for (int64_t extent : region.extents)
      if (extent != 1)
        shape.push_back(extent);
    return shape;
  };
  if (shapeOf(dest) != shapeOf(tile)) {
    error(DiagId::ExtentMismatch, stmt->getRange(), callee, formatShape(dest.extents), formatShape(tile.extents))
        .note("extents, those of 1 left out, must be equal on both sides");
    return;
  }
  ScalarType from = loadedType(tile.object->element);
  if (!widensTo(from, dest.object->element)) {
    error(DiagId::NoConversion, tile.range, spelling(from), spelling(dest.object->element))
        .note("copy it to a tile of '" + spelling(dest.object->element) + "' first");
    return;
  }
  auto *atomic = append<hir::RegionAtomic>(stmt->getRange());
  atomic->target = makeRegion(dest);
  atomic->op = op;
  atomic->tile = makeRegion(tile);
}

//===----------------------------------------------------------------------===//
// Hints, facts and output
//===----------------------------------------------------------------------===//

void Checker::checkRasterize(const ast::CallStmt *stmt, const NamedArgs &named) {
  if (!inGridBody || !calls.empty()) {
    error(DiagId::RasterizePlace, stmt->getRange()).note("write it directly in the grid's body");
    return;
  }
  auto *panel = named.find("panel");
  if (!panel) {
    error(DiagId::MissingArgument, stmt->getArgsRange(), "rasterize", "panel").note("write 'panel = 8'");
    return;
  }
  if (*panel->integer < 1 || *panel->integer > (1 << 20)) {
    error(DiagId::ValueOutOfRange, panel->valueRange, "'panel'", *panel->integer, 1, 1 << 20);
    return;
  }
  if (kernel->raster.panel != 0) {
    error(DiagId::RasterizeTwice, stmt->getRange()).note("one 'rasterize' a kernel");
    return;
  }
  if (auto *order = named.find("order")) {
    llvm::StringRef word = wordOf(order->expr);
    if (word != "row" && word != "column") {
      error(DiagId::UnknownWord, order->valueRange, "order", "row or column");
      return;
    }
    kernel->raster.columnOrder = word == "column";
  }
  kernel->raster.panel = *panel->integer;
}

void Checker::checkLayout(const ast::CallStmt *stmt, const NamedArgs &named) {
  RegionOperand operand = checkRegion(stmt->getArgs()[0], "'layout'");
  if (!operand.object)
    return;
  auto *tile = llvm::dyn_cast<hir::Tile>(operand.object);
  if (!tile || tile->kind != hir::ObjectKind::Shared || operand.form != RegionOperand::Form::Whole) {
    error(DiagId::LayoutOperand, operand.range).note("name a whole shared tile");
    return;
  }
  auto *swizzle = named.find("swizzle");
  if (!swizzle) {
    error(DiagId::MissingArgument, stmt->getArgsRange(), "layout", "swizzle")
        .note("write 'swizzle = none', 32, 64 or 128");
    return;
  }
  std::optional<hir::Swizzle> value;
  if (wordOf(swizzle->expr) == "none") {
    value = hir::Swizzle::None;
  } else {
    auto bytes = checkConstant(swizzle->expr, "'swizzle'");
    if (!bytes)
      return;
    if (bytes->isInt())
      value = bytes->integer == 32    ? std::optional(hir::Swizzle::B32)
              : bytes->integer == 64  ? std::optional(hir::Swizzle::B64)
              : bytes->integer == 128 ? std::optional(hir::Swizzle::B128)
                                      : std::nullopt;
  }
  if (!value) {
    error(DiagId::UnknownWord, swizzle->valueRange, "swizzle", "none, 32, 64 or 128");
    return;
  }
  if (tile->swizzle != hir::Swizzle::Unset && tile->swizzle != *value) {
    error(DiagId::LayoutConflict, stmt->getRange(), tile->name).note("a tile has one layout");
    return;
  }
  tile->swizzle = *value;
}

void Checker::checkAssume(const ast::CallStmt *stmt, const NamedArgs &) {
  Operand condition{checkExpr(stmt->getArgs()[0]), stmt->getArgs()[0]->getRange()};
  if (!requireBool(condition, "the operand of 'assume'"))
    return;
  if (condition.value.isConstant()) {
    if (!condition.value.constant.asBool())
      error(DiagId::FalseFact, condition.range, "assumption", analyzer.text(condition.range));
    return;
  }
  auto *assume = append<hir::Assume>(stmt->getRange());
  assume->condition = condition.value.expr;
  pushGuard({Guard::Kind::Condition, nullptr, condition.value.expr, true});
}

std::optional<std::string> Checker::checkText(const ast::Expr *expr, llvm::StringRef callee) {
  if (auto *text = llvm::dyn_cast<ast::StringLiteral>(expr))
    return text->getValue().str();
  error(DiagId::TextExpected, expr->getRange(), callee).note("write it in double quotes");
  return std::nullopt;
}

void Checker::checkAssert(const ast::CallStmt *stmt, const NamedArgs &) {
  Operand condition{checkExpr(stmt->getArgs()[0]), stmt->getArgs()[0]->getRange()};
  auto text = checkText(stmt->getArgs()[1], "assert");
  if (!requireBool(condition, "the operand of 'assert'") || !text)
    return;
  hir::Expr *expr = materialize(condition.value, ScalarType::Bool, condition.range);
  auto *result = append<hir::Assert>(stmt->getRange());
  result->condition = expr;
  result->text = *text;
  pushGuard({Guard::Kind::Condition, nullptr, expr, true});
}

void Checker::checkPrint(const ast::CallStmt *stmt, const NamedArgs &) {
  auto text = checkText(stmt->getArgs()[0], "print");
  std::vector<hir::Expr *> args;
  bool ok = text.has_value();
  for (const ast::Expr *arg : stmt->getArgs().drop_front()) {
    hir::Expr *value = materializeDefault(checkExpr(arg), arg->getRange());
    ok &= value != nullptr;
    args.push_back(value);
  }
  if (!ok)
    return;
  auto *print = append<hir::Print>(stmt->getRange());
  print->text = *text;
  print->args = std::move(args);
}

} // namespace tilec::frontend::sema
