//===- SemaFlow.cpp - warnings about tiles ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks an instance in program order and keeps the set of tiles that something has written. A read of any
// other tile reads what happens to be there. A read that an `if` guards inside a loop which writes the tile
// later is left alone: `if k > 0 { use(S) } … copy(…, S)` is how one pipelines by hand.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend::sema {

namespace {
class TileFlow {
public:
  explicit TileFlow(Analyzer &analyzer) : analyzer(analyzer) {}

  void visit(const hir::StmtList &body) {
    for (const hir::Stmt *stmt : body)
      visit(stmt);
  }

  std::vector<hir::Tile *> declared;
  llvm::DenseSet<const hir::Tile *> used;

private:
  struct Pending {
    const hir::Tile *tile;
    SourceRange range;
  };
  /// A loop that is being walked.
  struct Loop {
    unsigned guards = 0; // ifs between the loop and the place
    llvm::DenseSet<const hir::Tile *> declared;
    std::vector<Pending> pending;
  };

  void warn(const hir::Tile *tile, SourceRange range) {
    if (!warned.insert(tile).second)
      return;
    analyzer.error(DiagId::ReadBeforeWrite, range, {DiagArg(tile->name)})
        .note(tile->range, "'" + tile->name + "' is declared here and holds anything")
        .note("fill it first, or give it an initial value: '= 0'");
  }

  void use(const hir::Object *object) {
    if (auto *tile = llvm::dyn_cast<hir::Tile>(object))
      used.insert(tile);
  }

  void read(hir::Object *object, SourceRange range) {
    object = rootOf(object);
    use(object);
    auto *tile = llvm::dyn_cast<hir::Tile>(object);
    if (!tile || written.contains(tile))
      return;
    for (Loop &loop : llvm::reverse(loops)) {
      if (loop.declared.contains(tile))
        break;
      if (loop.guards > 0) {
        loop.pending.push_back({tile, range});
        return;
      }
    }
    warn(tile, range);
  }

  void write(hir::Object *object) {
    object = rootOf(object);
    use(object);
    if (auto *tile = llvm::dyn_cast<hir::Tile>(object))
      written.insert(tile);
  }

  void visit(const hir::Expr *root) {
    llvm::SmallVector<const hir::Expr *, 16> stack;
    auto push = [&](const hir::Expr *expr) {
      if (expr)
        stack.push_back(expr);
    };
    push(root);
    while (!stack.empty()) {
      const hir::Expr *expr = stack.pop_back_val();
      if (auto *element = llvm::dyn_cast<hir::ElementRead>(expr)) {
        read(element->object, element->range);
        llvm::for_each(element->indices, push);
      } else if (auto *unary = llvm::dyn_cast<hir::Unary>(expr)) {
        push(unary->operand);
      } else if (auto *binary = llvm::dyn_cast<hir::Binary>(expr)) {
        push(binary->lhs);
        push(binary->rhs);
      } else if (auto *cast = llvm::dyn_cast<hir::Cast>(expr)) {
        push(cast->operand);
      } else if (auto *cast = llvm::dyn_cast<hir::Bitcast>(expr)) {
        push(cast->operand);
      } else if (auto *choice = llvm::dyn_cast<hir::Conditional>(expr)) {
        push(choice->condition);
        push(choice->onTrue);
        push(choice->onFalse);
      } else if (auto *call = llvm::dyn_cast<hir::Call>(expr)) {
        llvm::for_each(call->args, push);
      } else if (auto *call = llvm::dyn_cast<hir::InlineCall>(expr)) {
        llvm::for_each(call->args, push);
      }
    }
  }

  void visitOperand(const hir::Region &region) {
    for (const hir::Expr *offset : region.offsets)
      visit(offset);
  }

  template <typename Fn> void inLoop(Fn body) {
    loops.emplace_back();
    body();
    Loop loop = std::move(loops.back());
    loops.pop_back();
    for (const Pending &pending : loop.pending)
      if (!written.contains(pending.tile))
        warn(pending.tile, pending.range);
  }

  template <typename Fn> void guarded(Fn body) {
    if (!loops.empty())
      ++loops.back().guards;
    body();
    if (!loops.empty())
      --loops.back().guards;
  }

  void visit(const hir::Stmt *stmt);

  Analyzer &analyzer;
  llvm::DenseSet<const hir::Tile *> written, warned;
  std::vector<Loop> loops;
};

void TileFlow::visit(const hir::Stmt *stmt) {
  switch (stmt->kind) {
  case hir::StmtKind::VarDecl:
    visit(llvm::cast<hir::VarDecl>(stmt)->init);
    break;
  case hir::StmtKind::Assign:
    visit(llvm::cast<hir::Assign>(stmt)->value);
    break;
  case hir::StmtKind::TileDecl: {
    auto *decl = llvm::cast<hir::TileDecl>(stmt);
    declared.push_back(decl->tile);
    visit(decl->init);
    if (decl->init)
      written.insert(decl->tile);
    if (!loops.empty())
      loops.back().declared.insert(decl->tile);
    break;
  }
  case hir::StmtKind::WindowDecl:
    for (const hir::ViewItem &item : llvm::cast<hir::WindowDecl>(stmt)->window->items) {
      visit(item.offset);
      visit(item.length);
    }
    break;
  case hir::StmtKind::ViewDecl:
    for (const hir::ViewItem &item : llvm::cast<hir::ViewDecl>(stmt)->view->items)
      visit(item.offset);
    break;
  case hir::StmtKind::ElementWrite: {
    auto *element = llvm::cast<hir::ElementWrite>(stmt);
    for (const hir::Expr *index : element->indices)
      visit(index);
    visit(element->value);
    write(element->object);
    break;
  }
  case hir::StmtKind::ElementUpdate: {
    auto *element = llvm::cast<hir::ElementUpdate>(stmt);
    for (const hir::Expr *index : element->indices)
      visit(index);
    visit(element->value);
    read(element->object, element->range);
    write(element->object);
    break;
  }
  case hir::StmtKind::ElementAtomic: {
    auto *element = llvm::cast<hir::ElementAtomic>(stmt);
    for (const hir::Expr *index : element->indices)
      visit(index);
    visit(element->value);
    read(element->object, element->range);
    write(element->object);
    break;
  }
  case hir::StmtKind::Copy: {
    auto *copy = llvm::cast<hir::Copy>(stmt);
    visitOperand(copy->source);
    visitOperand(copy->dest);
    visit(copy->pad);
    read(copy->source.object, copy->source.range);
    write(copy->dest.object);
    break;
  }
  case hir::StmtKind::Gemm: {
    auto *gemm = llvm::cast<hir::Gemm>(stmt);
    read(gemm->a, gemm->range);
    read(gemm->b, gemm->range);
    read(gemm->c, gemm->range);
    write(gemm->c);
    break;
  }
  case hir::StmtKind::Fill: {
    auto *fill = llvm::cast<hir::Fill>(stmt);
    visitOperand(fill->target);
    visit(fill->value);
    write(fill->target.object);
    break;
  }
  case hir::StmtKind::Reduce: {
    auto *reduce = llvm::cast<hir::Reduce>(stmt);
    read(reduce->source, reduce->range);
    if (reduce->accumulate)
      read(reduce->dest, reduce->range);
    write(reduce->dest);
    break;
  }
  case hir::StmtKind::Scan:
    read(llvm::cast<hir::Scan>(stmt)->object, stmt->range);
    write(llvm::cast<hir::Scan>(stmt)->object);
    break;
  case hir::StmtKind::Transpose:
    read(llvm::cast<hir::Transpose>(stmt)->source, stmt->range);
    write(llvm::cast<hir::Transpose>(stmt)->dest);
    break;
  case hir::StmtKind::RegionAtomic: {
    auto *atomic = llvm::cast<hir::RegionAtomic>(stmt);
    visitOperand(atomic->target);
    visit(atomic->value);
    if (atomic->tile.object) {
      visitOperand(atomic->tile);
      read(atomic->tile.object, atomic->tile.range);
    }
    read(atomic->target.object, atomic->target.range);
    write(atomic->target.object);
    break;
  }
  case hir::StmtKind::For: {
    auto *loop = llvm::cast<hir::For>(stmt);
    visit(loop->lo);
    visit(loop->hi);
    visit(loop->step);
    inLoop([&] { visit(loop->body); });
    break;
  }
  case hir::StmtKind::Parallel: {
    auto *loop = llvm::cast<hir::Parallel>(stmt);
    for (const hir::Expr *extent : loop->extents)
      visit(extent);
    visit(loop->body);
    break;
  }
  case hir::StmtKind::While: {
    auto *loop = llvm::cast<hir::While>(stmt);
    visit(loop->condition);
    inLoop([&] { visit(loop->body); });
    break;
  }
  case hir::StmtKind::If: {
    auto *branch = llvm::cast<hir::If>(stmt);
    visit(branch->condition);
    guarded([&] {
      visit(branch->thenBody);
      visit(branch->elseBody);
    });
    break;
  }
  case hir::StmtKind::Break:
  case hir::StmtKind::Continue:
    break;
  case hir::StmtKind::Return:
    visit(llvm::cast<hir::Return>(stmt)->value);
    break;
  case hir::StmtKind::Block:
    visit(llvm::cast<hir::Block>(stmt)->body);
    break;
  case hir::StmtKind::InlineBlock: {
    auto *block = llvm::cast<hir::InlineBlock>(stmt);
    for (const hir::Expr *arg : block->args)
      visit(arg);
    for (const hir::StmtList &part : block->parts)
      visit(part);
    break;
  }
  case hir::StmtKind::Assume:
    visit(llvm::cast<hir::Assume>(stmt)->condition);
    break;
  case hir::StmtKind::Assert:
    visit(llvm::cast<hir::Assert>(stmt)->condition);
    break;
  case hir::StmtKind::Print:
    for (const hir::Expr *arg : llvm::cast<hir::Print>(stmt)->args)
      visit(arg);
    break;
  }
}
} // namespace

void warnAboutTiles(Analyzer &analyzer, hir::Kernel &kernel) {
  TileFlow flow(analyzer);
  flow.visit(kernel.body);
  for (hir::Tile *tile : flow.declared) {
    bool isUsed = flow.used.contains(tile);
    auto [it, inserted] =
        analyzer.tileUse.try_emplace({tile->range.file, tile->range.begin}, std::pair(tile, isUsed));
    it->second.second |= isUsed;
  }
}

void Analyzer::warnUnusedTiles() {
  for (const auto &[place, use] : tileUse)
    if (!use.second)
      error(DiagId::UnusedTile, use.first->range, {DiagArg(use.first->name)}).note("remove it");
}

} // namespace tilec::frontend::sema
