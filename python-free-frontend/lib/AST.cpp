//===- AST.cpp - syntax tree: spellings and small helpers ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words and symbols that the enumerations of the tree stand for.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/AST.h"
#include "llvm/ADT/STLExtras.h"

namespace tilec::frontend {

llvm::StringRef getSpelling(ScalarKind kind) {
  static constexpr llvm::StringRef spellings[] = {
#define TILEC_SCALAR_TYPE(Spelling, Name) Spelling,
#include "tilec/Frontend/Token.def"
  };
  return spellings[unsigned(kind)];
}

namespace ast {

llvm::StringRef getSpelling(UnaryOp op) {
  static constexpr llvm::StringRef spellings[] = {"-", "!", "~"};
  return spellings[unsigned(op)];
}

llvm::StringRef getSpelling(BinaryOp op) {
  static constexpr llvm::StringRef spellings[] = {"+", "-", "*",  "/", "%",  "<<", ">>", "&",  "|",
                                                  "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
  return spellings[unsigned(op)];
}

llvm::StringRef getSpelling(TileSpace space) { return space == TileSpace::Shared ? "shared" : "fragment"; }

llvm::StringRef getSpelling(AssignOp op) {
  static constexpr llvm::StringRef spellings[] = {"=", "+=", "-=", "*=", "/=", "max=", "min="};
  return spellings[unsigned(op)];
}

llvm::StringRef getSpelling(LoopKind kind) {
  static constexpr llvm::StringRef spellings[] = {"range", "unroll", "pipelined", "parallel"};
  return spellings[unsigned(kind)];
}

const Expr *ignoreParens(const Expr *expr) {
  while (const auto *paren = llvm::dyn_cast<ParenExpr>(expr))
    expr = paren->getInner();
  return expr;
}

bool IndexExpr::hasExtents() const {
  return llvm::any_of(items, [](const IndexItem &item) { return item.kind != IndexItem::Kind::At; });
}

} // namespace ast
} // namespace tilec::frontend
