//===- SemaAtomics.cpp - atomic_add, atomic_max, atomic_min ---------------- ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An atomic works on one element or, with a tile or extents, on a region. It reads and writes.
//
//===----------------------------------------------------------------------===//
#include "SemaTileOps.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend::sema {

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
    error(DiagId::AtomicRegionInParallel, target->getRange())
        .note("name one element, or move it out of the loop");
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
    error(DiagId::ExtentMismatch, stmt->getRange(), callee, formatShape(dest.extents),
          formatShape(tile.extents))
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

} // namespace tilec::frontend::sema
