//===- ImportControl.cpp - control flow to scf ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow becomes scf ops that yield what they assign. Jumps do not exist there:
//   - what follows a branch that always jumps moves into the other branch;
//   - otherwise the jump sets a flag, and what follows is guarded by it;
//   - a loop that can be left is an scf.while that asks the flags in its condition.
// A flag is carried out of a region only where somebody asks it (`Targets::needed`).
//
//===----------------------------------------------------------------------===//
#include "ImportBody.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilec::frontend {

using namespace mlir;

/// The iterations of a `for` as an upward count of i64.
struct LoopSpace {
  Value lo, hi, step; // step is positive
  /// The variable is `first + count * stride`; null: the count itself.
  Value first, stride;
};

//===----------------------------------------------------------------------===//
// Lists and jumps
//===----------------------------------------------------------------------===//

static SmallVector<hir::Stmt *> joined(ArrayRef<hir::Stmt *> first, ArrayRef<hir::Stmt *> second) {
  SmallVector<hir::Stmt *> list(first);
  list.append(second.begin(), second.end());
  return list;
}

/// What follows a jump is one region deeper than it. Beyond this depth it is not: passes recurse over
/// regions.
static constexpr unsigned kMaxRestDepth = 64;

void BodyImporter::importList(ArrayRef<hir::Stmt *> list) {
  for (; !list.empty(); list = list.drop_front()) {
    const hir::Stmt *stmt = list.front();
    ArrayRef<hir::Stmt *> rest = list.drop_front();
    unsigned jumps = effects.of(stmt).jumps;
    if (isa<hir::Break, hir::Continue, hir::Return>(stmt))
      return importStmt(stmt); // nothing reaches the rest
    if (jumps == NoJump || rest.empty()) {
      importStmt(stmt);
      continue;
    }
    if (auto *block = dyn_cast<hir::Block>(stmt))
      return importList(joined(block->body, rest));
    if (restDepth >= kMaxRestDepth)
      return importFlat(list);
    if (auto *branch = dyn_cast<hir::If>(stmt))
      return importIf(branch, rest);
    return importThenGuarded(jumps, stmt->range, [&] { importStmt(stmt); }, rest);
  }
}

static bool declaresReference(const hir::Stmt *stmt) {
  auto *decl = dyn_cast<hir::TileDecl>(stmt);
  return isa<hir::WindowDecl, hir::ViewDecl>(stmt) || (decl && decl->tile->kind == hir::ObjectKind::Shared);
}

/// Guards a list piece by piece, each up to a statement that may jump, instead of nesting. What a piece
/// declares for later ones is carried out of its region; references cannot be, so what follows one stays
/// inside.
void BodyImporter::importFlat(ArrayRef<hir::Stmt *> list) {
  unsigned all = effects.of(list).jumps;
  keepingUnaskedFlags(all, [&] {
    unsigned taken = NoJump;
    while (!list.empty()) {
      SourceRange range = list.front()->range;
      if (declaresReference(list.front())) {
        guard(taken, range, effects.of(list), [&] {
          importStmt(list.front());
          importList(list.drop_front());
        });
        return;
      }
      size_t size = 0;
      unsigned jumps = NoJump;
      for (; size < list.size() && !jumps && !declaresReference(list[size]); ++size)
        jumps = effects.of(list[size]).jumps;
      ArrayRef<hir::Stmt *> piece = list.take_front(size);
      list = list.drop_front(size);
      for (const hir::Stmt *stmt : piece)
        declarePlaceholder(stmt);
      unsigned asked = targets.needed;
      if (!list.empty())
        targets.needed |= all;
      guard(taken, range, effects.of(piece), [&] { importList(piece); });
      targets.needed = asked;
      taken |= jumps;
    }
  });
}

/// Gives a declared variable or fragment a slot ahead of its declaration. Its value there is never read.
void BodyImporter::declarePlaceholder(const hir::Stmt *stmt) {
  if (auto *decl = dyn_cast<hir::VarDecl>(stmt)) {
    at(decl->range);
    slots.define(decl->variable, scalars.zero(scalars.type(decl->variable->type)));
  } else if (auto *decl = dyn_cast<hir::TileDecl>(stmt)) {
    auto type = tile::FragmentType::get(builder.getContext(), decl->tile->extents, elementTypeOf(decl->tile));
    slots.define(decl->tile, tile::FragmentOp::create(builder, at(decl->range), type, /*init=*/Value(),
                                                      /*name=*/StringAttr()));
  }
}

/// Imports what may jump and, where it has not, the rest. Its flags are asked right behind it: if nobody else
/// asks them they are local to this place.
void BodyImporter::importThenGuarded(unsigned jumps, SourceRange range, Body body,
                                     ArrayRef<hir::Stmt *> rest) {
  keepingUnaskedFlags(jumps, [&] {
    unsigned asked = std::exchange(targets.needed, targets.needed | jumps);
    body();
    targets.needed = asked;
    guard(jumps, range, effects.of(rest), [&] { importList(rest); });
  });
}

/// Runs `body`, which asks the flags of some jumps itself, and forgets those that nobody asks behind it: the
/// region around does not carry them.
void BodyImporter::keepingUnaskedFlags(unsigned jumps, Body body) {
  SmallVector<std::pair<Key, Value>> restore;
  for (auto [jump, flag] : targets.flags())
    if (jumps & ~targets.needed & jump)
      restore.emplace_back(flag, slots.get(flag));
  body();
  for (auto [flag, value] : restore)
    slots.set(flag, value);
}

BodyImporter::Key BodyImporter::newFlag() {
  flags.push_back(0);
  return &flags.back();
}

Value BodyImporter::jumpTaken(unsigned jumps) {
  Value taken = scalars.boolean(false);
  for (auto [jump, flag] : targets.flags())
    if (jumps & jump)
      taken = scalars.logicalOr(taken, slots.get(flag));
  return taken;
}

void BodyImporter::importJump(const hir::Stmt *stmt) {
  if (auto *ret = dyn_cast<hir::Return>(stmt))
    slots.set(targets.result, importExpr(ret->value));
  at(stmt->range);
  unsigned jumps = effects.of(stmt).jumps;
  for (auto [jump, flag] : targets.flags())
    if (jumps & targets.needed & jump)
      slots.set(flag, scalars.boolean(true));
}

SmallVector<BodyImporter::Key> BodyImporter::carriedOut(const Effects &effects) const {
  SmallVector<Key> keys(effects.variables.begin(), effects.variables.end());
  if (!inParallel) // there fragments are references
    keys.append(effects.fragments.begin(), effects.fragments.end());
  for (auto [jump, flag] : targets.flags())
    if (effects.jumps & targets.needed & jump)
      keys.push_back(flag);
  if (effects.jumps & ReturnJump)
    keys.push_back(targets.result);
  return keys;
}

void BodyImporter::buildIf(SourceRange range, Value condition, const Effects &effects, Body thenBody,
                           Body elseBody) {
  SmallVector<Key> carried = carriedOut(effects);
  tile::buildIf<Key>(builder, at(range), condition, slots, carried, thenBody, elseBody);
}

/// Imports what runs only if none of the jumps was taken.
void BodyImporter::guard(unsigned jumps, SourceRange range, const Effects &effects, Body body) {
  at(range);
  Value taken = jumpTaken(jumps);
  if (ScalarBuilder::isTrue(taken))
    return;
  if (ScalarBuilder::isFalse(taken))
    return body();
  ++restDepth;
  buildIf(range, scalars.logicalNot(taken), effects, [&] {
    // In here the flags are known to be false, so that the next guard sees only jumps of the body.
    SmallVector<std::pair<Key, Value>> restore;
    for (auto [jump, flag] : targets.flags()) {
      if (!(jumps & jump))
        continue;
      if (!(effects.jumps & targets.needed & jump)) // not carried
        restore.emplace_back(flag, slots.get(flag));
      slots.set(flag, scalars.boolean(false));
    }
    body();
    for (auto [flag, value] : restore)
      slots.set(flag, value);
  });
  --restDepth;
}

/// `rest` is what follows if one of the branches may jump, and empty otherwise.
void BodyImporter::importIf(const hir::If *stmt, ArrayRef<hir::Stmt *> rest) {
  Value condition;
  withFreshNodes([&] { condition = importExpr(stmt->condition); });
  ArrayRef<hir::Stmt *> thenList = stmt->thenBody, elseList = stmt->elseBody;
  Effects both = effects.of(thenList);
  both.add(effects.of(elseList));

  bool thenEnds = EffectsAnalysis::alwaysJumps(thenList), elseEnds = EffectsAnalysis::alwaysJumps(elseList);
  bool guardRest = !rest.empty() && !thenEnds && !elseEnds;
  SmallVector<hir::Stmt *> longThen(thenList), longElse(elseList);
  llvm::SaveAndRestore<unsigned> depth(restDepth, restDepth + (rest.empty() ? 0 : 1));
  if (!rest.empty() && thenEnds != elseEnds) {
    auto &open = thenEnds ? longElse : longThen;
    open.append(rest.begin(), rest.end());
    both.add(effects.of(rest));
  }

  // `if c { break; }` and `if c { continue; }` need no region of their own.
  if (thenList.size() == 1 && isa<hir::Break, hir::Continue>(thenList.front()) && elseList.empty()) {
    unsigned jump = effects.of(thenList).jumps;
    at(stmt->range);
    if (targets.needed & jump) {
      slots.set(jump == BreakJump ? targets.breakFlag : targets.continueFlag, condition);
      if (!rest.empty())
        guard(jump, stmt->range, effects.of(rest), [&] { importList(rest); });
    } else if (!rest.empty()) {
      buildIf(stmt->range, scalars.logicalNot(condition), effects.of(rest), [&] { importList(rest); });
    }
    return;
  }

  Body elseBody = nullptr;
  auto importElse = [&] { importList(longElse); };
  if (!longElse.empty())
    elseBody = importElse;
  auto importBoth = [&] { buildIf(stmt->range, condition, both, [&] { importList(longThen); }, elseBody); };
  if (guardRest)
    importThenGuarded(both.jumps, stmt->range, importBoth, rest);
  else
    importBoth();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A constant positive step counts as written. Everything else becomes a number of iterations: scf.for takes
/// only positive steps, and unsigned 64-bit bounds are no i64. Down goes only what the program gives as a
/// constant: a runtime step whose value is negative runs nothing, even if it is known by now.
LoopSpace BodyImporter::importLoopSpace(const hir::For *loop) {
  ScalarType type = loop->variable->type;
  auto wide = [&](const hir::Expr *expr) {
    Value value = importExpr(expr);
    at(expr->range);
    ScalarType wideType = isSigned(type) ? ScalarType::I64 : ScalarType::U64;
    return scalars.cast(value, type, wideType);
  };
  Value lo = wide(loop->lo), hi = wide(loop->hi), step = wide(loop->step);
  at(loop->range);
  std::optional<int64_t> constantStep = ScalarBuilder::constantValue(step);
  if (constantStep && *constantStep > 0 && type != ScalarType::U64)
    return {lo, hi, step, Value(), Value()};

  using P = arith::CmpIPredicate;
  bool isSignedType = isSigned(type);
  bool down = isSignedType && llvm::isa<hir::Const>(loop->step) && *constantStep < 0;
  Value from = down ? hi : lo, to = down ? lo : hi;
  Value stride = down ? scalars.index(static_cast<int64_t>(0 - static_cast<uint64_t>(*constantStep))) : step;
  // Unsigned, the distance of any two bounds is right.
  Value runs = scalars.compare(isSignedType ? P::slt : P::ult, from, to);
  if (!down) {
    Value advances = scalars.compare(isSignedType ? P::sgt : P::ne, step, scalars.index(0));
    runs = scalars.logicalAnd(runs, advances);
    stride = scalars.select(runs, stride, scalars.index(1));
  }
  Value one = scalars.index(1);
  Value last = scalars.divU(scalars.subI(scalars.subI(to, from), one), stride);
  Value count = scalars.select(runs, scalars.addI(last, one), scalars.index(0));
  return {scalars.index(0), count, one, lo, step};
}

static Value variableAt(ScalarBuilder &scalars, const LoopSpace &space, Value count, ScalarType type) {
  Value value = count;
  if (space.stride)
    value = scalars.addI(space.first, scalars.mulI(count, space.stride));
  return scalars.cast(value, ScalarType::I64, type);
}

void BodyImporter::importFor(const hir::For *loop) {
  keepingUnaskedFlags(effects.of(loop).jumps, [&] { importForLoop(loop); });
}

void BodyImporter::importForLoop(const hir::For *loop) {
  LoopSpace space = importLoopSpace(loop);
  Effects body = effects.of(loop->body);
  unsigned exits = body.jumps & (BreakJump | ReturnJump);
  Targets outer = targets;
  size_t mark = slots.size();
  enterLoop(exits);
  SmallVector<Key> carried = carriedOut(body);
  auto importBody = [&](Value count) {
    at(loop->variable->range);
    slots.define(loop->variable, variableAt(scalars, space, count, loop->variable->type));
    importLoopBody(exits, loop->body);
  };

  Location loc = at(loop->range);
  Operation *op = nullptr;
  if (!exits) {
    op = tile::buildFor<Key>(builder, loc, space.lo, space.hi, space.step, slots, carried, importBody);
  } else {
    Key counter = newFlag();
    slots.define(counter, space.lo);
    carried.push_back(counter);
    auto condition = [&] {
      at(loop->range);
      Value more = scalars.compare(arith::CmpIPredicate::slt, slots.get(counter), space.hi);
      return scalars.logicalAnd(more, scalars.logicalNot(jumpTaken(exits)));
    };
    op = tile::buildWhile<Key>(builder, loc, slots, carried, condition, [&] {
      Value count = slots.get(counter);
      importBody(count);
      at(loop->range);
      slots.set(counter, scalars.addI(count, space.step));
    });
  }
  if (loop->loop == hir::LoopKind::Pipelined)
    op->setAttr(tile::kStagesAttr, builder.getI64IntegerAttr(loop->stages));
  targets = outer;
  slots.truncate(mark);
}

void BodyImporter::importWhile(const hir::While *loop) {
  keepingUnaskedFlags(effects.of(loop).jumps, [&] { importWhileLoop(loop); });
}

void BodyImporter::importWhileLoop(const hir::While *loop) {
  Effects body = effects.of(loop->body);
  unsigned exits = body.jumps & (BreakJump | ReturnJump);
  Targets outer = targets;
  size_t mark = slots.size();
  enterLoop(exits);
  SmallVector<Key> carried = carriedOut(body);
  auto evaluate = [&] { return inRegion([&] { return importExpr(loop->condition); }); };
  auto condition = [&]() -> Value {
    if (!exits)
      return evaluate();
    Location loc = at(loop->range);
    Value stays = scalars.logicalNot(jumpTaken(exits));
    if (isSpeculatable(loop->condition)) {
      Value more = evaluate();
      at(loop->range);
      return scalars.logicalAnd(stays, more);
    }
    auto branch = tile::detail::createIf(
        builder, loc, stays, builder.getI1Type(), [&]() -> tile::detail::Carried { return {evaluate()}; },
        [&]() -> tile::detail::Carried { return {scalars.boolean(false)}; });
    return branch.getResult(0);
  };
  tile::buildWhile<Key>(builder, at(loop->range), slots, carried, condition,
                        [&] { importLoopBody(exits, loop->body); });
  targets = outer;
  slots.truncate(mark);
}

/// Makes a loop the target of break and continue. `exits`: the jumps that leave it, whose flags its condition
/// asks.
void BodyImporter::enterLoop(unsigned exits) {
  targets.breakFlag = newFlag();
  targets.continueFlag = newFlag();
  targets.needed = exits;
  if (exits & BreakJump)
    slots.define(targets.breakFlag, scalars.boolean(false));
}

void BodyImporter::importLoopBody(unsigned exits, ArrayRef<hir::Stmt *> body) {
  // An iteration runs only if nothing has left the loop.
  for (auto [jump, flag] : targets.flags())
    if (exits & jump)
      slots.set(flag, scalars.boolean(false));
  slots.define(targets.continueFlag, scalars.boolean(false));
  importList(body);
}

void BodyImporter::importParallel(const hir::Parallel *loop) {
  SmallVector<OpFoldResult> extents =
      llvm::map_to_vector(loop->extents, [&](const hir::Expr *extent) { return importSize(extent); });
  Effects body = effects.of(loop->body);
  SmallVector<Key> updated = slots.present(body.fragments.getArrayRef());
  Location loc = at(loop->range);
  auto op = tile::ParallelOp::create(builder, loc, extents, slots.getAll(updated));

  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPoint(op.getBody()->getTerminator());
  auto outerSlots = slots;
  Targets outerTargets = std::exchange(targets, Targets());
  inParallel = true;
  for (auto [variable, extent, index] : llvm::zip_equal(loop->variables, extents, op.getIndices())) {
    at(variable->range);
    slots.define(variable, scalars.cast(index, ScalarType::I64, variable->type));
    if (std::optional<int64_t> constant = getConstantIntValue(extent))
      indexExtents[variable] = *constant;
  }
  for (auto [fragment, ref] : llvm::zip_equal(updated, op.getRefs()))
    slots.define(fragment, ref);
  targets.continueFlag = newFlag();
  slots.define(targets.continueFlag, scalars.boolean(false));
  importList(loop->body);
  inParallel = false;
  targets = outerTargets;
  slots = std::move(outerSlots);
  slots.setAll(updated, op.getResults());
}

//===----------------------------------------------------------------------===//
// Expanded loops and macros
//===----------------------------------------------------------------------===//

void BodyImporter::importInlineBlock(const hir::InlineBlock *block) {
  size_t mark = slots.size();
  if (block->isUnroll) {
    Targets outer = targets;
    targets.breakFlag = newFlag();
    targets.needed &= ReturnJump;
    slots.define(targets.breakFlag, scalars.boolean(false));
    keepingUnaskedFlags(effects.of(block).jumps, [&] { importParts(block->parts); });
    targets = outer;
  } else {
    SmallVector<Value> args = importExprs(block->args);
    for (auto [param, arg] : llvm::zip_equal(block->params, args))
      slots.define(param, arg);
    Location call = at(block->range);
    auto outer = std::exchange(caller, call);
    for (const hir::StmtList &part : block->parts)
      importList(part);
    caller = outer;
  }
  slots.truncate(mark);
}

/// The iterations of an unrolled loop. Break skips those that are left, continue the rest of its own.
void BodyImporter::importParts(ArrayRef<hir::StmtList> parts) {
  unsigned exits = NoJump;
  for (; !parts.empty(); parts = parts.drop_front()) {
    const hir::StmtList &part = parts.front();
    if (part.empty())
      continue;
    Effects partEffects = effects.of(part);
    size_t mark = slots.size();
    unsigned asked = targets.needed;
    if (parts.size() > 1) // by the guards of the parts that follow
      targets.needed |= BreakJump | ReturnJump;
    targets.continueFlag = newFlag();
    guard(exits, part.front()->range, partEffects, [&] {
      slots.define(targets.continueFlag, scalars.boolean(false));
      importList(part);
    });
    targets.needed = asked;
    slots.truncate(mark);
    exits |= partEffects.jumps & (BreakJump | ReturnJump);
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void BodyImporter::withFreshNodes(Body body) {
  auto outerNodes = std::exchange(evaluated, decltype(evaluated)());
  auto outerOrder = std::exchange(evaluationOrder, decltype(evaluationOrder)());
  body();
  evaluated = std::move(outerNodes);
  evaluationOrder = std::move(outerOrder);
}

void BodyImporter::importStmt(const hir::Stmt *stmt) {
  withFreshNodes([&] { importStmtNode(stmt); });
}

void BodyImporter::importStmtNode(const hir::Stmt *stmt) {
  switch (stmt->kind) {
  case hir::StmtKind::VarDecl: {
    auto *decl = cast<hir::VarDecl>(stmt);
    return slots.define(decl->variable, importExpr(decl->init));
  }
  case hir::StmtKind::Assign: {
    auto *assign = cast<hir::Assign>(stmt);
    return slots.set(assign->variable, importExpr(assign->value));
  }
  case hir::StmtKind::TileDecl:
    return importTileDecl(cast<hir::TileDecl>(stmt));
  case hir::StmtKind::WindowDecl:
    return importWindowDecl(cast<hir::WindowDecl>(stmt));
  case hir::StmtKind::ViewDecl:
    return importViewDecl(cast<hir::ViewDecl>(stmt));
  case hir::StmtKind::ElementWrite:
    return importElementWrite(cast<hir::ElementWrite>(stmt));
  case hir::StmtKind::ElementUpdate:
    return importElementUpdate(cast<hir::ElementUpdate>(stmt));
  case hir::StmtKind::ElementAtomic:
    return importElementAtomic(cast<hir::ElementAtomic>(stmt));
  case hir::StmtKind::Copy:
    return importCopy(cast<hir::Copy>(stmt));
  case hir::StmtKind::Gemm:
    return importGemm(cast<hir::Gemm>(stmt));
  case hir::StmtKind::Fill:
    return importFill(cast<hir::Fill>(stmt));
  case hir::StmtKind::Reduce:
    return importReduce(cast<hir::Reduce>(stmt));
  case hir::StmtKind::Scan:
    return importScan(cast<hir::Scan>(stmt));
  case hir::StmtKind::Transpose:
    return importTranspose(cast<hir::Transpose>(stmt));
  case hir::StmtKind::RegionAtomic:
    return importRegionAtomic(cast<hir::RegionAtomic>(stmt));
  case hir::StmtKind::For:
    return importFor(cast<hir::For>(stmt));
  case hir::StmtKind::Parallel:
    return importParallel(cast<hir::Parallel>(stmt));
  case hir::StmtKind::While:
    return importWhile(cast<hir::While>(stmt));
  case hir::StmtKind::If:
    return importIf(cast<hir::If>(stmt), {});
  case hir::StmtKind::Break:
  case hir::StmtKind::Continue:
  case hir::StmtKind::Return:
    return importJump(stmt);
  case hir::StmtKind::Block: {
    size_t mark = slots.size();
    importList(cast<hir::Block>(stmt)->body);
    return slots.truncate(mark);
  }
  case hir::StmtKind::InlineBlock:
    return importInlineBlock(cast<hir::InlineBlock>(stmt));
  case hir::StmtKind::Assume: {
    Value condition = importExpr(cast<hir::Assume>(stmt)->condition);
    tile::AssumeOp::create(builder, at(stmt->range), condition);
    return;
  }
  case hir::StmtKind::Assert: {
    Value condition = importExpr(cast<hir::Assert>(stmt)->condition);
    tile::AssertOp::create(builder, at(stmt->range), condition, cast<hir::Assert>(stmt)->text);
    return;
  }
  case hir::StmtKind::Print:
    return importPrint(cast<hir::Print>(stmt));
  }
  llvm_unreachable("unknown statement");
}

} // namespace tilec::frontend
