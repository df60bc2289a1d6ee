//===- Hir.cpp - the checked program ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of objects and regions.
//
//===----------------------------------------------------------------------===//
#include "tilec/Frontend/Hir.h"

namespace tilec::frontend::hir {

unsigned Object::rank() const {
  switch (kind) {
  case ObjectKind::Tensor:
    return static_cast<const Tensor *>(this)->extents.size();
  case ObjectKind::Shared:
  case ObjectKind::Fragment:
    return static_cast<const Tile *>(this)->extents.size();
  case ObjectKind::SharedView:
    return static_cast<const SharedView *>(this)->extents.size();
  case ObjectKind::Window: {
    unsigned kept = 0;
    for (const ViewItem &item : static_cast<const Window *>(this)->items)
      kept += item.length != nullptr;
    return kept;
  }
  }
  llvm_unreachable("unknown kind of object");
}

bool Region::isWhole() const {
  llvm::ArrayRef<int64_t> full;
  if (auto *tile = llvm::dyn_cast<Tile>(object))
    full = tile->extents;
  else if (auto *view = llvm::dyn_cast<SharedView>(object))
    full = view->extents;
  else
    return false;
  if (dropped.any() || llvm::ArrayRef<int64_t>(extents) != full)
    return false;
  for (const Expr *offset : offsets) {
    auto *constant = llvm::dyn_cast<Const>(offset);
    if (!constant || constant->integer != 0)
      return false;
  }
  return true;
}

std::vector<int64_t> Region::tileShape() const {
  std::vector<int64_t> shape;
  for (size_t i = 0; i < extents.size(); ++i)
    if (!dropped.test(i))
      shape.push_back(extents[i]);
  return shape;
}

} // namespace tilec::frontend::hir
