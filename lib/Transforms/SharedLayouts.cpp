//===- SharedLayouts.cpp - where the elements of a shared tile are ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedLayouts.h"
#include "tilec/Layout/Choose.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {

using namespace tile;

/// Whether a matrix instruction reads the tile or a view of it.
static bool isMmaOperand(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    if (auto view = dyn_cast<SubviewOp>(user))
      return isMmaOperand(view.getResult());
    auto gemm = dyn_cast<GemmOp>(user);
    return gemm && gemm.getInstrAttr() && gemm.getInstrAttr().getNumWarps() > 0;
  });
}

/// Whether a view of the tile has fewer dimensions, which panels cannot have.
static bool hasThinView(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    auto view = dyn_cast<SubviewOp>(user);
    return view && (!view.getDrop().empty() || hasThinView(view.getResult()));
  });
}

static StridedAttr getRowMajor(MLIRContext *context, ArrayRef<int64_t> shape, int64_t pitch) {
  SmallVector<int64_t> strides(shape.size(), 1);
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= dim + 1 == shape.size() ? pitch : shape[dim];
  }
  return StridedAttr::get(context, strides);
}

static Attribute chooseLayout(SharedOp shared) {
  SharedType type = shared.getType();
  ArrayRef<int64_t> shape = type.getShape();
  MLIRContext *context = type.getContext();
  unsigned bits = storageBits(type.getElementType());
  if (shape.empty())
    return StridedAttr::get(context, ArrayRef<int64_t>());
  std::optional<Swizzle> pinned = shared.getSwizzle();
  bool canHavePanels = shape.size() == 2 && bits >= 8 && !hasThinView(shared);
  // A panel is at least 8 elements wide: the pattern exchanges chunks of 16 bytes within a row of the panel.
  if (pinned && *pinned != Swizzle::None && canHavePanels) {
    int64_t width = static_cast<int64_t>(*pinned) * 8 / bits;
    if (width >= 8)
      return PanelsAttr::get(context, width, *pinned);
  }
  if (!pinned && isMmaOperand(shared) && bits >= 8) {
    if (canHavePanels) {
      PanelChoice choice = choosePanel(shape[1], bits);
      if (choice.width >= 8)
        return PanelsAttr::get(context, choice.width, static_cast<Swizzle>(choice.swizzleBytes));
    }
    return getRowMajor(context, shape, choosePitch(shape.back(), bits));
  }
  return getRowMajor(context, shape, shape.back());
}

void assignSharedLayouts(KernelOp kernel) {
  kernel->walk<WalkOrder::PreOrder>([](Operation *op) {
    if (auto shared = dyn_cast<SharedOp>(op)) {
      SharedType type = shared.getType();
      if (!type.getLayout()) {
        auto layout = chooseLayout(shared);
        shared.getResult().setType(
            SharedType::get(type.getContext(), type.getShape(), type.getElementType(), layout));
        remark::passed(op->getLoc(), decision(op, "Layout", "tile-infer-layouts"))
            << (shared.getName() ? "'" + shared.getName()->str() + "'" : std::string("a shared tile")) +
                   " is stored as "
            << remark::add("{0}", Attribute(layout));
      }
    } else if (auto view = dyn_cast<SubviewOp>(op)) {
      SharedType type = view.getType();
      Attribute layout = cast<SharedType>(view.getBase().getType()).getLayout();
      if (type.getLayout() || !layout)
        return;
      // Panels are read of the root; strides are those of the dimensions that stay.
      if (auto strided = dyn_cast<StridedAttr>(layout)) {
        SmallVector<int64_t> strides;
        for (auto [dim, stride] : llvm::enumerate(strided.getStrides()))
          if (!llvm::is_contained(view.getDrop(), int64_t(dim)))
            strides.push_back(stride);
        layout = StridedAttr::get(type.getContext(), strides);
      }
      view.getResult().setType(SharedType::get(type.getContext(), type.getShape(), type.getElementType(), layout));
    }
  });
}

} // namespace tilec
