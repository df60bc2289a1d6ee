//===- ReportAccesses.cpp - what accesses to memory become ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction moves what the tensor allows (tile-select-copies) and what a thread holds in a row
// (tile-infer-layouts): only with layouts is it known how wide it is.
//
//===----------------------------------------------------------------------===//

#include "ReportAccesses.h"
#include "mlir/IR/Remarks.h"
#include "tilec/Layout/Layout.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"
#include "tilec/Transforms/SharedMemory.h"

using namespace mlir;

namespace tilec {

using namespace tile;

static std::string describe(Value object) {
  if (isa<GlobalType>(object.getType())) {
    BlockArgument pointer = getRootPointer(object);
    return ("'" + cast<KernelOp>(pointer.getOwner()->getParentOp()).getArgName(pointer.getArgNumber()) + "'")
        .str();
  }
  return isa<SharedType>(object.getType()) ? describeShared(object) : "a fragment";
}

namespace {
/// Both ends of a copy that became a load and a store, conversions aside.
struct CopyEnds {
  Value from, to;

  explicit CopyEnds(Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      from = load.getSource();
      to = load.getResult();
      while (to.hasOneUse() && isa<ConvertOp>(*to.user_begin()))
        to = to.user_begin()->getResult(0);
      if (auto store = to.hasOneUse() ? dyn_cast<StoreOp>(*to.user_begin()) : StoreOp())
        to = store.getDest();
    } else {
      auto store = cast<StoreOp>(op);
      to = store.getDest();
      from = store.getValue();
      while (auto convert = from.getDefiningOp<ConvertOp>())
        from = convert.getSource();
      if (auto load = from.getDefiningOp<LoadOp>())
        from = load.getSource();
    }
  }
  std::string str() const {
    bool isInMemory = !isa<FragmentType>(from.getType()) && !isa<FragmentType>(to.getType());
    return describe(from) + " to " + describe(to) + (isInMemory ? " through registers" : "");
  }
};
} // namespace

/// Elements in a row that a thread holds along the last dimension, the only one that layouts have vectors
/// along.
static int64_t getHeldWidth(Operation *op) {
  Attribute layout;
  ArrayRef<int64_t> extents;
  if (isa<LoadOp, StoreOp>(op)) {
    auto store = dyn_cast<StoreOp>(op);
    auto type = cast<FragmentType>(store ? store.getValue().getType() : op->getResult(0).getType());
    layout = type.getLayout();
    extents = type.getShape();
  } else if (auto parallel = op->getParentOfType<ParallelOp>()) {
    layout = parallel.getLayoutAttr();
    extents = parallel.getStaticExtents();
  }
  unsigned dim = extents.size();
  while (dim > 0 && extents[dim - 1] == 1)
    --dim;
  return dim > 0 && layout ? cast<LayoutAttrInterface>(layout).toLinear().vectorWidth(dim - 1) : 1;
}

static std::string describeChecks(int64_t elements, int64_t guard, bool isInBounds) {
  if (isInBounds)
    return "no checks";
  if (elements == 1)
    return "each element checked";
  return guard >= elements ? "each vector checked" : "every " + std::to_string(guard) + " elements checked";
}

static void reportAccess(const ElementAccess &access, const IndexAnalysis &analysis) {
  Operation *op = access.op;
  bool isCopy = isa<LoadOp, StoreOp>(op);
  AccessWidth width = computeWidth(access, analysis);
  int64_t held = getHeldWidth(op), elements = std::min(width.elements, held);
  int64_t bytes = std::max<int64_t>(elements * storageBits(access.getElementType()) / 8, 1);
  std::string text = isCopy
                         ? CopyEnds(op).str() + ", " + describeChecks(elements, width.guard, isInBounds(op))
                         : describe(access.global);
  text += access.writes ? ": stores" : ": loads";
  auto options = decision(op, isCopy ? "Copy" : "Access", "tile-infer-layouts");
  if (elements < width.elements)
    remark::missed(op->getLoc(), options)
        << text + " of at most " + std::to_string(bytes) + " bytes: in its layout a thread holds " +
               (held == 1 ? "no neighbours" : std::to_string(held) + " neighbours only")
        << remark::metric("Elements", elements);
  else if (!width.reason.empty())
    remark::missed(op->getLoc(), options)
        << text + " of at most " + std::to_string(bytes) + " bytes: " + width.reason
        << remark::metric("Elements", elements);
  else
    remark::passed(op->getLoc(), options)
        << text + " of " + std::to_string(bytes) + " bytes" << remark::metric("Elements", elements);
}

/// A load from shared memory or a store to it. Where the other end is in memory too, the access to the tensor
/// says it, or the load.
static void reportShared(Operation *op) {
  CopyEnds ends(op);
  if (isa<LoadOp>(op) ? isa<GlobalType>(ends.to.getType()) : !isa<FragmentType>(ends.from.getType()))
    return;
  remark::passed(op->getLoc(), decision(op, "Copy", "tile-infer-layouts"))
      << ends.str() + ": as wide as the layouts of both allow";
}

void reportAccesses(KernelOp kernel) {
  IndexAnalysis analysis(kernel);
  kernel->walk([&](Operation *op) {
    std::optional<ElementAccess> access = ElementAccess::get(op);
    if (!access && isa<LoadOp, StoreOp>(op))
      reportShared(op);
    else if (access && !isa<AtomicOp, ReadScalarOp, WriteScalarOp>(op))
      reportAccess(*access, analysis);
  });
}

} // namespace tilec
