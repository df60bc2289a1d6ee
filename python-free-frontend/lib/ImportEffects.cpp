//===- ImportEffects.cpp - what a statement assigns, and how it leaves ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bottom-up walk over statements. Expressions assign nothing that outlives them: what the body of an
// inlined fn assigns is its own.
//
//===----------------------------------------------------------------------===//
#include "ImportEffects.h"

namespace tilec::frontend {

using namespace hir;

void Effects::add(const Effects &other) {
  variables.insert_range(other.variables);
  fragments.insert_range(other.fragments);
  jumps |= other.jumps;
}

const Effects &EffectsAnalysis::of(const Stmt *stmt) {
  auto it = cache.find(stmt);
  if (it != cache.end())
    return *it->second;
  const Effects &result = storage.emplace_back(compute(stmt));
  cache[stmt] = &result;
  return result;
}

Effects EffectsAnalysis::of(llvm::ArrayRef<Stmt *> list) {
  Effects result;
  for (const Stmt *stmt : list)
    result.add(of(stmt));
  return result;
}

Effects EffectsAnalysis::compute(const Stmt *stmt) {
  Effects result;
  auto writes = [&](const Object *object) {
    if (object->kind == ObjectKind::Fragment)
      result.fragments.insert(object);
  };
  switch (stmt->kind) {
  case StmtKind::VarDecl:
    result.variables.insert(llvm::cast<VarDecl>(stmt)->variable);
    break;
  case StmtKind::TileDecl:
    writes(llvm::cast<TileDecl>(stmt)->tile);
    break;
  case StmtKind::Assign:
    result.variables.insert(llvm::cast<Assign>(stmt)->variable);
    break;
  case StmtKind::ElementWrite:
    writes(llvm::cast<ElementWrite>(stmt)->object);
    break;
  case StmtKind::ElementUpdate:
    writes(llvm::cast<ElementUpdate>(stmt)->object);
    break;
  case StmtKind::Copy:
    writes(llvm::cast<Copy>(stmt)->dest.object);
    break;
  case StmtKind::Gemm:
    writes(llvm::cast<Gemm>(stmt)->c);
    break;
  case StmtKind::Fill:
    writes(llvm::cast<Fill>(stmt)->target.object);
    break;
  case StmtKind::Reduce:
    writes(llvm::cast<Reduce>(stmt)->dest);
    break;
  case StmtKind::Scan:
    writes(llvm::cast<Scan>(stmt)->object);
    break;
  case StmtKind::Transpose:
    writes(llvm::cast<Transpose>(stmt)->dest);
    break;
  case StmtKind::For:
    result = of(llvm::cast<For>(stmt)->body);
    result.jumps &= ReturnJump;
    break;
  case StmtKind::While:
    result = of(llvm::cast<While>(stmt)->body);
    result.jumps &= ReturnJump;
    break;
  case StmtKind::Parallel:
    result = of(llvm::cast<Parallel>(stmt)->body);
    result.jumps = NoJump;
    break;
  case StmtKind::If:
    result = of(llvm::cast<If>(stmt)->thenBody);
    result.add(of(llvm::cast<If>(stmt)->elseBody));
    break;
  case StmtKind::Block:
    result = of(llvm::cast<Block>(stmt)->body);
    break;
  case StmtKind::InlineBlock:
    for (const StmtList &part : llvm::cast<InlineBlock>(stmt)->parts)
      result.add(of(part));
    if (llvm::cast<InlineBlock>(stmt)->isUnroll)
      result.jumps &= ReturnJump;
    break;
  case StmtKind::Break:
    result.jumps = BreakJump;
    break;
  case StmtKind::Continue:
    result.jumps = ContinueJump;
    break;
  case StmtKind::Return:
    result.jumps = ReturnJump;
    break;
  case StmtKind::WindowDecl:
  case StmtKind::ViewDecl:
  case StmtKind::ElementAtomic:
  case StmtKind::RegionAtomic:
  case StmtKind::Assume:
  case StmtKind::Assert:
  case StmtKind::Print:
    break;
  }
  return result;
}

bool EffectsAnalysis::alwaysJumps(llvm::ArrayRef<Stmt *> list) {
  return llvm::any_of(list, [](const Stmt *stmt) {
    if (auto *branch = llvm::dyn_cast<If>(stmt))
      return alwaysJumps(branch->thenBody) && alwaysJumps(branch->elseBody);
    if (auto *block = llvm::dyn_cast<Block>(stmt))
      return alwaysJumps(block->body);
    return llvm::isa<Break, Continue, Return>(stmt);
  });
}

} // namespace tilec::frontend
