//===- SemaRegions.cpp - regions, windows, views and access rights -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LANGUAGE section 6. A region operand is a bare name, a place whose extents come from the other operand, or
// a region that names its extents. Where a tile is wanted, a region of a shared tile becomes a view of it.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

//===----------------------------------------------------------------------===//
// Rights
//===----------------------------------------------------------------------===//

bool Checker::markRead(hir::Object *object, SourceRange range) {
  auto *tensor = llvm::dyn_cast<hir::Tensor>(rootOf(object));
  if (!tensor || tensor->access != hir::Access::Out)
    return true;
  error(DiagId::ReadOfOut, range, tensor->name)
      .note(tensor->range, "declare it 'inout' to read what it held");
  return false;
}

bool Checker::markWrite(hir::Object *object, SourceRange range) {
  auto *tensor = llvm::dyn_cast<hir::Tensor>(rootOf(object));
  if (!tensor || tensor->access != hir::Access::In)
    return true;
  error(DiagId::WriteOfInput, range, tensor->name)
      .note(tensor->range, "declare it 'out', or 'inout' if it is read too");
  return false;
}

void Checker::record(AccessKind kind, hir::Object *object, llvm::ArrayRef<hir::Expr *> indices,
                     SourceRange range) {
  if (parallel)
    parallel->accesses.push_back({kind, object, indices.vec(), range, guards});
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static std::vector<hir::Expr *> extentExprs(const hir::Object *object) {
  if (auto *tensor = llvm::dyn_cast<hir::Tensor>(object))
    return tensor->extents;
  std::vector<hir::Expr *> lengths;
  if (auto *window = llvm::dyn_cast<hir::Window>(object))
    for (const hir::ViewItem &item : window->items)
      if (item.length)
        lengths.push_back(item.length);
  return lengths;
}

bool Checker::checkItems(const ast::IndexExpr *expr, hir::Object *object, std::vector<hir::ViewItem> &items) {
  if (expr->getItems().size() != object->rank()) {
    error(DiagId::IndexCount, expr->getRange(), object->name, object->rank(), expr->getItems().size())
        .note(object->range, "'" + object->name + "' is declared here");
    return false;
  }
  bool ok = true;
  std::vector<int64_t> fixed = constantExtents(object);
  std::vector<hir::Expr *> lengths = extentExprs(object);
  for (size_t i = 0; i < expr->getItems().size(); ++i) {
    const ast::IndexItem &item = expr->getItems()[i];
    hir::ViewItem result;
    if (item.kind == ast::IndexItem::Kind::All) {
      result.offset = makeIndexConstant(0, item.range);
      result.length = lengths.empty() ? makeIndexConstant(fixed[i], item.range) : lengths[i];
    } else {
      result.offset = materializeIndex(checkExpr(item.start), item.start->getRange(), "an index");
      ok &= result.offset != nullptr;
    }
    if (item.kind == ast::IndexItem::Kind::Span) {
      result.length = materializeIndex(checkExpr(item.length), item.length->getRange(), "a length");
      ok &= result.length != nullptr;
    }
    items.push_back(result);
  }
  return ok;
}

RegionOperand Checker::checkRegion(const ast::Expr *expr, llvm::StringRef what) {
  RegionOperand operand;
  operand.range = expr->getRange();
  expr = ast::ignoreParens(expr);
  if (auto *name = llvm::dyn_cast<ast::NameRef>(expr)) {
    hir::Object *object = lookupObject(name->getIdentifier());
    if (!object)
      return operand;
    operand.object = object;
    operand.extents = constantExtents(object);
    operand.dropped.resize(operand.extents.size());
    for (size_t i = 0; i < operand.extents.size(); ++i)
      operand.offsets.push_back(makeIndexConstant(0, name->getRange()));
    return operand;
  }
  auto *index = llvm::dyn_cast<ast::IndexExpr>(expr);
  if (!index) {
    checkNames(expr);
    error(DiagId::RegionExpected, expr->getRange(), what)
        .note("name a tensor or tile, or a region such as 'A[i, j]'");
    return operand;
  }
  hir::Object *object = lookupObject(index->getBase());
  std::vector<hir::ViewItem> items;
  if (!object || !checkItems(index, object, items))
    return operand;
  operand.form = index->hasExtents() ? RegionOperand::Form::Extents : RegionOperand::Form::Start;
  operand.dropped.resize(items.size());
  bool ok = true;
  for (size_t i = 0; i < items.size(); ++i) {
    operand.offsets.push_back(items[i].offset);
    if (!items[i].length) {
      operand.extents.push_back(1);
      if (operand.hasExtents())
        operand.dropped.set(i);
      continue;
    }
    auto length = constantInt(items[i].length);
    const ast::IndexItem &item = index->getItems()[i];
    if (!length) {
      error(DiagId::RuntimeExtent, item.range)
          .note(item.kind == ast::IndexItem::Kind::All ? "name a constant extent with 'start +: n'"
                                                       : "the length of a region is a constant; a window "
                                                         "('let W = …') may have runtime lengths");
      ok = false;
    } else if (*length < 1) {
      error(DiagId::ExtentTooSmall, item.range, *length);
      ok = false;
    }
    operand.extents.push_back(length.value_or(1));
  }
  if (ok)
    operand.object = object;
  if (ok && operand.hasExtents())
    checkTileBounds(operand);
  return operand;
}

hir::Region Checker::makeRegion(const RegionOperand &operand) {
  hir::Region region;
  region.object = operand.object;
  region.offsets = operand.offsets;
  region.extents = operand.extents;
  region.dropped = operand.dropped;
  region.range = operand.range;
  return region;
}

/// Extents that are all known; else says how to name them.
bool Checker::requireExtents(const RegionOperand &operand, llvm::StringRef what) {
  if (!operand.object)
    return false;
  if (operand.form == RegionOperand::Form::Start) {
    error(DiagId::NeedsExtents, operand.range, what).note("name its extents with 'start +: n'");
    return false;
  }
  if (llvm::is_contained(operand.extents, -1)) {
    error(DiagId::RuntimeExtents, operand.range, operand.object->name)
        .note("name a region with 'start +: n' in each runtime dimension");
    return false;
  }
  if (llvm::is_contained(operand.extents, 0)) {
    error(DiagId::ExtentTooSmall, operand.range, 0);
    return false;
  }
  return true;
}

/// Gives `start` the extents of `other`, aligned to the last dimensions, the leading ones 1.
bool Checker::takeExtents(RegionOperand &start, const RegionOperand &other) {
  std::vector<int64_t> shape;
  for (size_t i = 0; i < other.extents.size(); ++i)
    if (!other.dropped.test(i))
      shape.push_back(other.extents[i]);
  size_t rank = start.offsets.size();
  size_t surplus = shape.size() > rank ? shape.size() - rank : 0;
  for (size_t i = 0; i < surplus; ++i)
    if (shape[i] != 1) {
      error(DiagId::ExtentsTooMany, start.range, start.object->name, rank, formatShape(shape))
          .note(other.range, "extents come from here")
          .note("name the extents with 'start +: n'");
      return false;
    }
  shape.erase(shape.begin(), shape.begin() + surplus);
  bool column = shape.size() >= 2 && shape.back() == 1 &&
                llvm::any_of(llvm::ArrayRef(shape).drop_back(), [](int64_t extent) { return extent > 1; });
  if (column)
    analyzer.error(DiagId::ColumnRegion, start.range, {DiagArg(formatShape(shape))})
        .note("write '+:' to say which dimension the elements lie along");
  start.extents.assign(rank, 1);
  std::copy(shape.begin(), shape.end(), start.extents.end() - shape.size());
  checkTileBounds(start);
  return true;
}

//===----------------------------------------------------------------------===//
// Views and windows
//===----------------------------------------------------------------------===//

hir::SharedView *Checker::makeView(ast::Identifier name, hir::Object *base, std::vector<hir::ViewItem> items,
                                   SourceRange range) {
  auto *decl = append<hir::ViewDecl>(range);
  auto *view = make<hir::SharedView>();
  view->name = name.text.str();
  view->element = base->element;
  view->range = name.range;
  view->id = nextObject++;
  view->base = base;
  for (const hir::ViewItem &item : items)
    if (item.length)
      view->extents.push_back(*constantInt(item.length));
  view->items = std::move(items);
  decl->view = view;
  return view;
}

hir::Object *Checker::checkTileOperand(const ast::Expr *expr, llvm::StringRef what) {
  RegionOperand operand = checkRegion(expr, what);
  if (!operand.object)
    return nullptr;
  hir::Object *object = operand.object;
  if (llvm::isa<hir::Tensor, hir::Window>(object)) {
    error(DiagId::TileExpected, operand.range, what, describe(object), object->name)
        .note("copy it to a tile first");
    return nullptr;
  }
  if (operand.form == RegionOperand::Form::Whole)
    return object;
  if (operand.form == RegionOperand::Form::Start) {
    error(DiagId::NeedsExtents, operand.range, what).note("name its extents with 'start +: n'");
    return nullptr;
  }
  if (object->kind == hir::ObjectKind::Fragment) {
    error(DiagId::FragmentRegion, operand.range, object->name)
        .note("copy the region to a fragment of its own; regions of fragments serve in copy, fill and clear");
    return nullptr;
  }
  std::vector<hir::ViewItem> items;
  for (size_t i = 0; i < operand.offsets.size(); ++i)
    items.push_back({operand.offsets[i], operand.dropped.test(i)
                                             ? nullptr
                                             : makeIndexConstant(operand.extents[i], operand.range)});
  return makeView({object->name, operand.range}, object, std::move(items), operand.range);
}

void Checker::declareWindow(const ast::LetStmt *stmt, const ast::IndexExpr *expr) {
  ast::Identifier name = stmt->getName();
  Symbol symbol = Symbol::poison(name.range);
  bool ok = true;
  if (stmt->getType()) {
    error(DiagId::TypedWindow, stmt->getType()->range, name.text).note("leave the type out");
    ok = false;
  }
  if (inPrologue) {
    error(DiagId::ElementInPrologue, expr->getRange()).note("declare the window in the grid's body");
    ok = false;
  } else if (rejectInScalarFn(stmt, "a window")) {
    ok = false;
  } else if (parallel) {
    error(DiagId::NotInParallel, stmt->getRange(), "a window").note("declare it before the loop");
    ok = false;
  }
  hir::Object *object = lookupObject(expr->getBase());
  if (object && object->kind == hir::ObjectKind::Fragment) {
    error(DiagId::WindowOfFragment, expr->getRange(), object->name)
        .note("copy the region to a fragment of its own");
    object = nullptr;
  }
  if (object && ok) {
    if (llvm::isa<hir::Tile, hir::SharedView>(object)) {
      RegionOperand operand = checkRegion(expr, "a window");
      if (operand.object) {
        std::vector<hir::ViewItem> items;
        for (size_t i = 0; i < operand.offsets.size(); ++i)
          items.push_back({operand.offsets[i], operand.dropped.test(i)
                                                   ? nullptr
                                                   : makeIndexConstant(operand.extents[i], operand.range)});
        symbol.kind = Symbol::Kind::Object;
        symbol.object = makeView(name, object, std::move(items), stmt->getRange());
      }
    } else {
      std::vector<hir::ViewItem> items;
      if (checkItems(expr, object, items)) {
        auto *decl = append<hir::WindowDecl>(stmt->getRange());
        auto *window = make<hir::Window>();
        window->name = name.text.str();
        window->element = object->element;
        window->range = name.range;
        window->id = nextObject++;
        window->base = object;
        window->items = std::move(items);
        decl->window = window;
        symbol.kind = Symbol::Kind::Object;
        symbol.object = window;
      }
    }
  }
  declare(name, symbol);
}

} // namespace tilec::frontend::sema
