//===- ImportEffects.h - what a statement assigns, and how it leaves ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the importer must know of a statement before it builds the region that holds it: the variables and
// fragments it assigns become results of the region's op, and its jumps become flags.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_LIB_IMPORTEFFECTS_H
#define TILEC_FRONTEND_LIB_IMPORTEFFECTS_H

#include "tilec/Frontend/Hir.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <deque>

namespace tilec::frontend {

enum Jump : unsigned { NoJump = 0, BreakJump = 1, ContinueJump = 2, ReturnJump = 4 };

struct Effects {
  /// Those declared inside are among them; normally they have no slot where the statement stands.
  llvm::SetVector<const void *> variables;
  llvm::SetVector<const void *> fragments;
  /// Jumps that leave the statement on some path: `Jump` bits, of the innermost enclosing targets.
  unsigned jumps = NoJump;

  void add(const Effects &other);
};

class EffectsAnalysis {
public:
  const Effects &of(const hir::Stmt *stmt);
  Effects of(llvm::ArrayRef<hir::Stmt *> list);
  /// Whether no path reaches the end of the list. May miss some.
  static bool alwaysJumps(llvm::ArrayRef<hir::Stmt *> list);

private:
  Effects compute(const hir::Stmt *stmt);

  llvm::DenseMap<const hir::Stmt *, const Effects *> cache;
  std::deque<Effects> storage;
};

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_LIB_IMPORTEFFECTS_H
