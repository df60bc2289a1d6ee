//===- GlobalAccess.cpp - accesses to tensors and their width ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The width of an access follows from three facts: along which index of the iteration addresses are
// contiguous, what the pointer is a multiple of, and what everything else in the address is a multiple of.
// The index of the iteration itself does not count: layouts let a thread hold aligned groups of it.
//
//===----------------------------------------------------------------------===//

#include "tilec/Transforms/GlobalAccess.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilec::tile {

std::optional<ElementAccess> ElementAccess::get(Operation *op) {
  using Result = std::optional<ElementAccess>;
  Result access =
      llvm::TypeSwitch<Operation *, Result>(op)
          .Case<ReadOp, ReadScalarOp>(
              [](auto op) { return ElementAccess{op, op.getSource(), op.getIndices(), {}, true, false}; })
          .Case<WriteOp, WriteScalarOp>(
              [](auto op) { return ElementAccess{op, op.getDest(), op.getIndices(), {}, false, true}; })
          .Case([](AtomicOp op) { return ElementAccess{op, op.getDest(), op.getIndices(), {}, true, true}; })
          .Case([](LoadOp op) {
            return ElementAccess{op, op.getSource(), op.getOffsets(), op.getExtents(), true, false};
          })
          .Case([](StoreOp op) {
            return ElementAccess{op, op.getDest(), op.getOffsets(), op.getExtents(), false, true};
          })
          .Default([](Operation *) { return std::nullopt; });
  if (access && !isa<GlobalType>(access->global.getType()))
    return std::nullopt;
  return access;
}

SmallVector<ElementAccess, 2> getTensorAccesses(Operation *op) {
  SmallVector<ElementAccess, 2> tensors;
  if (std::optional<ElementAccess> access = ElementAccess::get(op))
    tensors.push_back(*access);
  else if (auto copy = dyn_cast<CopyOp>(op))
    tensors = {{op, copy.getSource(), copy.getSourceOffsets(), copy.getSourceExtents(), true, false},
               {op, copy.getDest(), copy.getDestOffsets(), copy.getDestExtents(), false, true}};
  else if (auto fill = dyn_cast<FillOp>(op))
    tensors = {{op, fill.getDest(), fill.getOffsets(), fill.getExtents(), false, true}};
  else if (auto atomic = dyn_cast<AtomicTileOp>(op))
    tensors = {{op, atomic.getDest(), atomic.getOffsets(), atomic.getExtents(), true, true}};
  llvm::erase_if(tensors,
                 [](const ElementAccess &access) { return !isa<GlobalType>(access.global.getType()); });
  return tensors;
}

Type ElementAccess::getElementType() const { return cast<GlobalType>(global.getType()).getElementType(); }

bool isInBounds(Operation *access) {
  return llvm::TypeSwitch<Operation *, bool>(access)
      .Case<ReadOp, WriteOp, LoadOp, StoreOp>([](auto op) { return op.getInBounds(); })
      .Default([](Operation *op) { return op->hasAttr(kInBoundsAttr); });
}

void setInBounds(Operation *access) {
  llvm::TypeSwitch<Operation *>(access)
      .Case<ReadOp, WriteOp, LoadOp, StoreOp>([](auto op) { op.setInBounds(true); })
      .Default([](Operation *op) { op->setAttr(kInBoundsAttr, UnitAttr::get(op->getContext())); });
}

BlockArgument getRootPointer(Value global) {
  while (auto window = global.getDefiningOp<WindowOp>())
    global = window.getBase();
  return cast<BlockArgument>(global.getDefiningOp<GlobalOp>().getPtr());
}

AccessMode getAccessMode(Value global) {
  BlockArgument pointer = getRootPointer(global);
  auto kernel = cast<KernelOp>(pointer.getOwner()->getParentOp());
  return kernel.getArgAttrOfType<AccessModeAttr>(pointer.getArgNumber(), kAccessAttr).getValue();
}

/// Multiples of 2^n elements, for the address of everything but the contiguous index.
static unsigned addressZeros(const GlobalAccess &access, ArrayRef<LinearForm> rest,
                             const IndexAnalysis &indices) {
  unsigned zeros = 62;
  GlobalOp root = access.root;
  for (auto [form, stride] : llvm::zip_equal(rest, root.getMixedStrides())) {
    LinearForm step = indices.linearize(stride);
    zeros = std::min(zeros, indices.trailingZeros(form) + indices.trailingZeros(step));
  }
  return zeros;
}

static bool hasUnitStride(GlobalOp root, unsigned dim) {
  std::optional<int64_t> stride = getConstantIntValue(root.getMixedStrides()[dim]);
  return stride == 1;
}

AccessWidth computeWidth(const ElementAccess &access, const IndexAnalysis &indices) {
  std::optional<GlobalAccess> resolved = indices.resolve(access.global, access.indices);
  if (!resolved)
    return {1, "its address is not a linear form"};
  GlobalOp root = resolved->root;
  unsigned rank = resolved->rootIndices.size();

  // Find the contiguous dimension and what remains of the indices without the iteration. A comparison with an
  // extent has one answer for all of an aligned group if both sides are multiples of the group.
  SmallVector<LinearForm, 4> rest;
  unsigned zeros = 62, guardZeros = 30;
  bool contiguous = false;
  auto compare = [&](const LinearForm &index, const LinearForm &size) {
    guardZeros = std::min({guardZeros, indices.trailingZeros(index), indices.trailingZeros(size)});
  };
  if (!access.extents.empty()) {
    rest = resolved->rootIndices;
    unsigned last = access.extents.size();
    for (auto [dim, extent] : llvm::enumerate(access.extents))
      last = extent == 1 ? last : dim;
    for (auto [dim, extent] : llvm::enumerate(access.extents)) {
      if (extent == 1)
        continue;
      // Which dimension of the root does this one move along? Step it by one and see.
      SmallVector<LinearForm, 4> stepped;
      for (Value index : access.indices)
        stepped.push_back(indices.linearize(index));
      if (!stepped[dim].add(LinearForm(1)))
        return {1, "its address is not a linear form"};
      std::optional<GlobalAccess> next = indices.resolve(access.global, stepped);
      for (unsigned rootDim = 0; rootDim < rank; ++rootDim) {
        LinearForm difference = next->rootIndices[rootDim];
        if (!difference.add(resolved->rootIndices[rootDim], -1))
          return {1, "its address is not a linear form"};
        if (!difference.isConstant() || difference.getConstant() != 1)
          continue;
        // Layouts have vectors along the last dimension only; every other one steps from vector to vector.
        if (dim == last && hasUnitStride(root, rootDim)) {
          contiguous = true;
          for (auto [check, other] : llvm::zip_equal(resolved->checks, next->checks))
            if (!(check.index == other.index))
              compare(check.index, check.size);
        } else
          zeros = std::min(zeros, indices.trailingZeros(indices.linearize(root.getMixedStrides()[rootDim])));
      }
    }
    if (!contiguous)
      return {1, "no dimension of the region is contiguous"};
  } else {
    ParallelOp parallel = access.getParallel();
    if (!parallel)
      return {1, "it is one element for the block"};
    if (access.op->getParentOp() != parallel)
      return {1, "it is in a loop or a condition"};
    ValueRange ivs = parallel.getIndices();
    Value along;
    for (unsigned dim = 0; dim < rank; ++dim) {
      const LinearForm &index = resolved->rootIndices[dim];
      if (hasUnitStride(root, dim))
        for (Value iv : ivs)
          if (index.getCoefficient(iv) == 1)
            along = iv;
      rest.push_back(index);
    }
    if (!along)
      return {1, "no index of the loop is contiguous in it"};
    for (unsigned dim = 0; dim < rank; ++dim) {
      for (auto [symbol, coefficient] : rest[dim].getTerms())
        if (symbol == along && !(hasUnitStride(root, dim) && coefficient == 1))
          return {1, "the contiguous index also moves another dimension"};
      rest[dim] = rest[dim].without(along);
    }
    for (const BoundCheck &check : resolved->checks)
      if (check.index.getCoefficient(along) != 0)
        compare(check.index.without(along), check.size);
  }
  zeros = std::min(zeros, addressZeros(*resolved, rest, indices));

  unsigned bits = storageBits(access.getElementType());
  int64_t widest = maxAccessBytes * 8 / bits;
  BlockArgument pointer = getRootPointer(access.global);
  auto kernel = cast<KernelOp>(pointer.getOwner()->getParentOp());
  int64_t align = std::max<int64_t>(bits / 8, 1);
  if (auto attribute = kernel.getArgAttrOfType<IntegerAttr>(pointer.getArgNumber(), kAlignAttr))
    align = std::max(align, attribute.getInt());
  int64_t byPointer = align * 8 / bits;
  int64_t byAddress = int64_t(1) << std::min(zeros, 30u);
  int64_t elements = std::min({widest, byPointer, byAddress});
  AccessWidth width{elements, "", std::min(elements, int64_t(1) << guardZeros)};
  if (elements == widest)
    return width;
  if (byPointer <= byAddress)
    width.reason = "the pointer is aligned to " + std::to_string(align) + " bytes only";
  else
    width.reason = "offsets and strides are multiples of " + std::to_string(elements) + " elements only";
  return width;
}

} // namespace tilec::tile
