//===- SemaTileOps.h - arguments of the built-in statements --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handlers of the built-in statements share.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_FRONTEND_SEMATILEOPS_H
#define TILEC_LIB_FRONTEND_SEMATILEOPS_H

#include "SemaImpl.h"

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

/// The word an argument such as `warps = square` holds; empty if it is none.
inline llvm::StringRef wordOf(const ast::Expr *expr) {
  if (auto *name = llvm::dyn_cast<ast::NameRef>(expr))
    return name->getName();
  return "";
}

inline bool isTile(const hir::Object *object) { return !llvm::isa<hir::Tensor, hir::Window>(object); }

} // namespace tilec::frontend::sema

#endif
