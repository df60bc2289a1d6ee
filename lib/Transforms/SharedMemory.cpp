//===- SharedMemory.cpp - tiles in shared memory and their places -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts say how many places a tile takes, padding included; swizzles say what its address must be a
// multiple of, because they exchange bits of the address.
//
//===----------------------------------------------------------------------===//

#include "tilec/Transforms/SharedMemory.h"

using namespace mlir;

namespace tilec::tile {

/// What mbarriers, bulk copies and 16-byte accesses need (PTX ISA, "cp.async.bulk").
static constexpr int64_t leastAlignment = 16;
/// Elements of fewer bytes are updated by compare-and-swap of the word around them, which must be all theirs.
static constexpr int64_t wordBytes = 4;
/// Of tiles that fill it: all 32 banks in one row, the least alignment of bulk tensor copies.
static constexpr int64_t rowAlignment = 128;

Value getSharedRoot(Value tile) {
  while (true) {
    if (auto slot = dyn_cast<BlockArgument>(tile)) {
      auto put = dyn_cast<RingPutOp>(slot.getOwner()->getParentOp());
      return put ? put.getRing() : Value();
    }
    Operation *definition = tile.getDefiningOp();
    if (auto view = dyn_cast<SubviewOp>(definition))
      tile = view.getBase();
    else if (auto get = dyn_cast<RingGetOp>(definition))
      return get.getRing();
    else if (auto borrow = dyn_cast<RingBorrowOp>(definition))
      return borrow.getRing();
    else
      return isa<SharedOp, RingOp>(definition) ? tile : Value();
  }
}

SmallVector<Operation *> getSharedUsers(Value root) {
  SmallVector<Value> views = {root};
  SmallVector<Operation *> users;
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i].getUsers()) {
      users.push_back(user);
      if (auto put = dyn_cast<RingPutOp>(user))
        views.push_back(put.getSlot());
      for (Value result : user->getResults())
        if (isa<SharedType>(result.getType()))
          views.push_back(result);
    }
  return users;
}

std::string describeShared(Value tile) {
  Value root = getSharedRoot(tile);
  Operation *op = root ? root.getDefiningOp() : nullptr;
  StringAttr name;
  if (auto shared = dyn_cast_if_present<SharedOp>(op))
    name = shared.getNameAttr();
  else if (auto ring = dyn_cast_if_present<RingOp>(op))
    name = ring.getNameAttr();
  return name ? ("'" + name.getValue() + "'").str() : "a shared tile";
}

int64_t getSharedBytes(Value root) {
  auto type = cast<ObjectTypeInterface>(root.getType());
  unsigned bits = storageBits(type.getElementType());
  Layout layout = cast<LayoutAttrInterface>(type.getLayout()).toLinearFor(type.getShape(), bits);
  int64_t bytes = llvm::divideCeil(layout.getNumPlaces(Place::Offset) * int64_t(bits), 8);
  if (auto ring = root.getDefiningOp<RingOp>())
    bytes += (int64_t(ring.getDepth()) - 1) * llvm::alignTo(bytes, getSharedAlignment(root));
  return llvm::alignTo(bytes, wordBytes);
}

int64_t getSharedAlignment(Value root) {
  auto type = cast<ObjectTypeInterface>(root.getType());
  if (auto panels = dyn_cast_if_present<PanelsAttr>(type.getLayout()))
    if (panels.getSwizzle() != Swizzle::None)
      return 8 * static_cast<int64_t>(panels.getSwizzle()); // the pattern repeats after 8 rows
  return byteSize(type) >= rowAlignment ? rowAlignment : leastAlignment;
}

std::optional<int64_t> getSharedOffset(Value root) {
  std::optional<uint64_t> offset;
  if (auto shared = root.getDefiningOp<SharedOp>())
    offset = shared.getOffset();
  else if (auto ring = root.getDefiningOp<RingOp>())
    offset = ring.getOffset();
  return offset ? std::optional(int64_t(*offset)) : std::nullopt;
}

} // namespace tilec::tile
