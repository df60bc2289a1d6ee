//===- PlaceShared.cpp - tile-place-shared -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of a kernel are numbered in program order. A tile lives from its first use to its last one, and
// through all of a loop that uses it but does not allocate it: there one iteration's last use precedes the
// next one's first. Tiles that live at once get different bytes, the largest ones first, each in the first
// gap where it fits.
//
// Bytes that two tiles of one loop share cost a barrier in every iteration, so they do only where an SM would
// hold fewer blocks otherwise.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tilec/Support/Diagnostics.h"
#include "tilec/Target/ArchInfo.h"
#include "tilec/Transforms/Passes.h"
#include "tilec/Transforms/SharedMemory.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEPLACESHAREDPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

namespace {

/// Numbers of ops, both ends included.
struct Interval {
  unsigned begin = ~0u, end = 0;

  void add(const Interval &other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
  bool overlaps(const Interval &other) const { return begin <= other.end && other.begin <= end; }
};

/// A tile or ring and its place.
struct Tile {
  Value root;
  int64_t bytes, alignment;
  Interval life;
  int64_t offset = 0;
};

/// Large ones first, then in the order of the list.
template <typename Tiles> auto bySize(Tiles &&tiles) {
  SmallVector<decltype(&tiles.front())> order;
  for (auto &tile : tiles)
    order.push_back(&tile);
  llvm::sort(order,
             [](const Tile *a, const Tile *b) { return std::pair(-a->bytes, a) < std::pair(-b->bytes, b); });
  return order;
}

/// The places of one kernel's tiles.
class Placement {
public:
  /// `apart`: no two tiles that one loop uses share bytes.
  Placement(KernelOp kernel, bool apart) : apart(apart) {
    number(kernel);
    kernel.walk([&](Operation *op) {
      if (isa<SharedOp, RingOp>(op))
        tiles.push_back({op->getResult(0), getSharedBytes(op->getResult(0)),
                         getSharedAlignment(op->getResult(0)), lifeOf(op->getResult(0))});
    });
    SmallVector<Tile *> placed; // by offset
    for (Tile *tile : bySize(tiles)) {
      for (const Tile *other : placed)
        if (tile->life.overlaps(other->life) && tile->offset < other->offset + other->bytes &&
            other->offset < tile->offset + tile->bytes)
          tile->offset = llvm::alignTo(other->offset + other->bytes, tile->alignment);
      placed.insert(
          llvm::upper_bound(placed, tile, [](const Tile *a, const Tile *b) { return a->offset < b->offset; }),
          tile);
      total = std::max(total, tile->offset + tile->bytes);
    }
  }

  /// In program order.
  ArrayRef<Tile> getTiles() const { return tiles; }
  int64_t getTotal() const { return total; }

private:
  void number(Operation *op) {
    unsigned begin = next++;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        number(&inner);
    numbers[op] = {begin, next++};
  }

  Interval lifeOf(Value root) const {
    Operation *allocation = root.getDefiningOp();
    Interval life;
    for (Operation *user : getSharedUsers(root)) {
      life.add(numbers.lookup(user));
      // The iterations of a parallel run side by side, and in no order.
      for (Operation *parent = user->getParentOp(); !isa<KernelOp>(parent); parent = parent->getParentOp())
        if (isa<LoopLikeOpInterface, ParallelOp>(parent) && (apart || !parent->isAncestor(allocation)))
          life.add(numbers.lookup(parent));
    }
    if (life.begin > life.end) // nobody uses it
      life = numbers.lookup(allocation);
    return life;
  }

  bool apart;
  llvm::DenseMap<Operation *, Interval> numbers;
  unsigned next = 0;
  SmallVector<Tile> tiles;
  int64_t total = 0;
};

struct TilePlaceSharedPass : impl::TilePlaceSharedPassBase<TilePlaceSharedPass> {
  void runOnOperation() override {
    auto target = getOperation()->getAttrOfType<TargetAttr>(kTargetAttr);
    arch = target ? ArchInfo::find(target.getChip()) : nullptr;
    for (auto kernel : getOperation().getOps<KernelOp>())
      place(kernel);
    getOperation()->walk([](LaunchOp launch) {
      auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
      if (auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr))
        launch.setSharedBytesAttr(bytes);
      else
        launch.removeSharedBytesAttr();
    });
  }

  /// Blocks with that much shared memory that an SM holds, as far as that and their threads decide it. The
  /// system keeps 1 KiB of each (CUDA C++ Programming Guide, "Compute Capability 8.x").
  int64_t getResidentBlocks(KernelOp kernel, int64_t bytes) const {
    int64_t byThreads = int64_t(arch->threadsPerSm) / kernel.getGrid().getThreads();
    return std::min<int64_t>({arch->blocksPerSm, byThreads, arch->sharedPerSm / (bytes + 1024)});
  }

  Placement choosePlacement(KernelOp kernel) const {
    Placement shared(kernel, /*apart=*/false), apart(kernel, /*apart=*/true);
    bool costsBlocks =
        arch && (apart.getTotal() > int64_t(arch->sharedPerBlock) ||
                 getResidentBlocks(kernel, apart.getTotal()) < getResidentBlocks(kernel, shared.getTotal()));
    return costsBlocks ? shared : apart;
  }

  void place(KernelOp kernel) {
    Placement placement = choosePlacement(kernel);
    kernel->removeAttr(kSharedBytesAttr);
    if (placement.getTiles().empty())
      return;
    Builder builder(&getContext());
    std::string text;
    for (const Tile &tile : placement.getTiles()) {
      Operation *op = tile.root.getDefiningOp();
      IntegerAttr offset = builder.getI64IntegerAttr(tile.offset);
      if (auto shared = dyn_cast<SharedOp>(op))
        shared.setOffsetAttr(offset);
      else
        cast<RingOp>(op).setOffsetAttr(offset);
      text += (text.empty() ? "" : ", ") + describeShared(tile.root) + " " + std::to_string(tile.bytes) +
              " bytes at " + std::to_string(tile.offset);
    }
    kernel->setAttr(kSharedBytesAttr, builder.getI64IntegerAttr(placement.getTotal()));
    remark::passed(kernel.getLoc(), decision(kernel, "Placed", "tile-place-shared"))
        << text << remark::metric("Total", placement.getTotal());
    if (arch && placement.getTotal() > int64_t(arch->sharedPerBlock))
      refuse(kernel, placement);
  }

  /// Once for what is one place in the program: variants of a kernel have the same tiles.
  void refuse(KernelOp kernel, const Placement &placement) {
    signalPassFailure();
    SmallVector<const Tile *> order = bySize(placement.getTiles());
    if (!refused.insert(order.front()->root.getLoc()).second)
      return;
    std::string text = (kernel.getSymName() + " needs " + Twine(placement.getTotal()) +
                        " bytes, a block of " + arch->name + " has " + Twine(arch->sharedPerBlock))
                           .str();
    InFlightDiagnostic error =
        emitError(order.front()->root.getLoc())
        << formatMessage(getDiagInfo(DiagId::NotEnoughShared).message, {DiagArg(text)});
    for (const Tile *tile : order)
      error.attachNote(tile->root.getLoc())
          << describeShared(tile->root) << " takes " << tile->bytes << " bytes at " << tile->offset;
  }

  const ArchInfo *arch = nullptr;
  llvm::DenseSet<Location> refused;
};
} // namespace

} // namespace tilec
