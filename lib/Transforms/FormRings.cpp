//===- FormRings.cpp - tile-form-rings ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared tile that each iteration of a 'pipelined' loop first fills and then only reads hands nothing from
// one iteration to the next, so the next may fill another slot while this one is read. Whether that is so is
// asked of the accesses; where a slot comes from must be known ahead of the iteration, and does not change
// while the loop runs.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"
#include "tilec/Transforms/SharedMemory.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEFORMRINGSPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

namespace {

/// An access of a tile, in program order.
struct TileAccess {
  Operation *op;
  Access access;
};

/// Makes one tile a ring, or says why it is none.
class RingFormer {
public:
  RingFormer(SharedOp tile, KernelOp kernel) : tile(tile), kernel(kernel) {}

  void run() {
    kernel.walk([&](AccessOpInterface op) {
      SmallVector<Access> list;
      op.getAccesses(list);
      for (const Access &access : list)
        if (isa<SharedType>(access.buffer().getType()) && getSharedRoot(access.buffer()) == tile.getResult())
          accesses.push_back({op, access});
    });
    for (const TileAccess &access : accesses)
      for (Operation *op = access.access.writes() ? access.op : nullptr; op && !loop; op = op->getParentOp())
        if (op->hasAttr(kStagesAttr))
          loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return;
    std::string reason = findObstacle();
    if (!reason.empty()) {
      remark::missed(tile.getLoc(), decision(tile, "NoRing", "tile-form-rings"))
          << describeShared(tile) + " stays one tile: " + reason;
      return;
    }
    form();
  }

private:
  /// Why the tile can be no ring, or nothing.
  std::string findObstacle() {
    if (loop->isProperAncestor(tile) && tile->getBlock() != loop.getBody())
      return "only a part of the iteration has it";
    auto isOutside = [&](const TileAccess &access) { return !loop->isAncestor(access.op); };
    const TileAccess &first = *llvm::find_if_not(accesses, isOutside);
    if (first.access.reads())
      return "an iteration reads it before it fills it";
    store = dyn_cast<StoreOp>(first.op);
    if (!store || store.getDest() != tile.getResult() || first.access.coverage != Coverage::Full)
      return "an iteration does not begin with filling all of it";
    if (store->getBlock() != loop.getBody())
      return "it is filled under a condition or in an inner loop";
    if (llvm::any_of(accesses, isOutside))
      return "the loop is not all that uses it";
    if (accesses.size() == 1)
      return "no iteration reads it";
    if (llvm::any_of(ArrayRef(accesses).drop_front(),
                     [](const TileAccess &access) { return access.access.writes(); }))
      return "an iteration writes it again";
    chain = {store};
    Value value = store.getValue();
    for (; auto convert = value.getDefiningOp<ConvertOp>(); value = convert.getSource())
      chain.push_back(convert);
    auto load = value.getDefiningOp<LoadOp>();
    if (!load || !isa<GlobalType>(load.getSource().getType()))
      return "what fills it is computed";
    chain.push_back(load);
    if (llvm::any_of(chain, [&](Operation *op) { return op->getBlock() != loop.getBody(); }))
      return "what fills it is not loaded in the iteration";
    if (isWritten(load.getSource()))
      return "the loop writes the tensor that it is filled from";
    if (!llvm::all_of(load->getOperands(), [&](Value operand) { return isKnownAhead(operand); }))
      return "where it is filled from depends on what the loop computes";
    return "";
  }

  /// Whether the loop writes a tensor.
  bool isWritten(Value tensor) {
    if (getAccessMode(tensor) == AccessMode::In)
      return false;
    BlockArgument pointer = getRootPointer(tensor);
    return loop
        ->walk([&](AccessOpInterface op) {
          SmallVector<Access> list;
          op.getAccesses(list);
          return llvm::any_of(list,
                              [&](const Access &access) {
                                return access.writes() && isa<GlobalType>(access.buffer().getType()) &&
                                       getRootPointer(access.buffer()) == pointer;
                              })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// A value that follows from the loop's variable, scalars and tensors that the loop does not write:
  /// somebody else could compute it for a later iteration.
  bool isKnownAhead(Value value) {
    if (!loop.getBodyRegion().isAncestor(value.getParentRegion()) || !visited.insert(value).second)
      return true;
    if (isa<FragmentType, SharedType>(value.getType()))
      return false;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      // Of the loop itself: what is inside of the ops of the slice is not looked up.
      if (argument == loop.getInductionVar())
        return true;
      OpOperand *init = loop.getTiedLoopInit(argument);
      return isKnownAhead(loop.getTiedLoopYieldedValue(argument)->get()) && isKnownAhead(init->get());
    }
    Operation *definition = value.getDefiningOp();
    return !definition
                ->walk([&](Operation *op) {
                  auto read = dyn_cast<ReadScalarOp>(op);
                  bool allowed =
                      read ? isa<GlobalType>(read.getSource().getType()) && !isWritten(read.getSource())
                           : op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(op);
                  for (Value operand : op->getOperands()) {
                    bool isInside = definition->isAncestor(operand.getParentBlock()->getParentOp());
                    allowed = allowed && (isInside || isKnownAhead(operand));
                  }
                  return allowed ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// The op of the loop's body that holds `op`.
  Operation *inBody(Operation *op) { return loop.getBody()->findAncestorOpInBlock(*op); }

  void form() {
    // What stands between get and release: reads, and views that are not in the body itself.
    Operation *first = nullptr, *last = nullptr;
    auto include = [&](Operation *op) {
      first = !first || op->isBeforeInBlock(first) ? op : first;
      last = !last || last->isBeforeInBlock(op) ? op : last;
    };
    SmallVector<Operation *> views; // of the body, or in front of the loop
    kernel.walk([&](SubviewOp view) {
      if (getSharedRoot(view) != tile.getResult())
        return;
      if (Operation *op = inBody(view); op && op != view)
        include(op);
      else
        views.push_back(view);
    });
    Path get = Path::Generic;
    for (const TileAccess &access : ArrayRef(accesses).drop_front()) {
      include(inBody(access.op));
      if (isa<GemmOp>(access.op))
        get = Path::Matrix;
    }

    OpBuilder builder(tile);
    if (loop->isProperAncestor(tile))
      builder.setInsertionPoint(loop);
    SharedType type = tile.getType();
    auto ring = RingOp::create(
        builder, tile.getLoc(),
        RingType::get(type.getContext(), type.getShape(), type.getElementType(), type.getLayout()),
        getDepth(), Path::Generic, get, /*readers=*/1, tile.getNameAttr(), /*offset=*/nullptr,
        /*barrier_offset=*/nullptr);
    remark::passed(tile.getLoc(), decision(tile, "Ring", "tile-form-rings"))
        << describeShared(tile) + " is a ring of " + std::to_string(ring.getDepth()) +
               (ring.getDepth() == 1 ? " slot" : " slots") + ", read by " +
               (get == Path::Matrix ? "matrix instructions" : "plain loads")
        << remark::metric("Depth", ring.getDepth());

    builder.setInsertionPoint(store);
    auto put = RingPutOp::create(builder, store.getLoc(), ring);
    builder.setInsertionPointToStart(put.getBody());
    IRMapping mapping;
    mapping.map(tile.getResult(), put.getSlot());
    for (Operation *op : llvm::reverse(chain))
      builder.clone(*op, mapping);
    for (Operation *op : chain) // others may use what was loaded
      if (op->use_empty())
        op->erase();

    builder.setInsertionPoint(first);
    auto slot = RingGetOp::create(builder, first->getLoc(), ring);
    for (Operation *view : views)
      if (view->getBlock() != first->getBlock() || view->isBeforeInBlock(first))
        view->moveBefore(first);
    builder.setInsertionPointAfter(last);
    RingReleaseOp::create(builder, last->getLoc(), ring, slot);
    tile.replaceAllUsesWith(slot.getSlot());
    tile->erase();
  }

  int64_t getDepth() {
    auto plan = kernel->getAttrOfType<PlanAttr>(kPlanAttr);
    auto depth = plan && plan.getDepths() && tile.getNameAttr()
                     ? plan.getDepths().getAs<IntegerAttr>(tile.getNameAttr())
                     : IntegerAttr();
    return depth ? depth.getInt() : 1;
  }

  SharedOp tile;
  KernelOp kernel;
  SmallVector<TileAccess> accesses;
  scf::ForOp loop;
  StoreOp store;
  SmallVector<Operation *> chain; // the store and what makes its value, the load last
  llvm::DenseSet<Value> visited;
};

struct TileFormRingsPass : impl::TileFormRingsPassBase<TileFormRingsPass> {
  void runOnOperation() override {
    SmallVector<SharedOp> tiles;
    getOperation()->walk([&](SharedOp tile) { tiles.push_back(tile); });
    for (SharedOp tile : tiles)
      RingFormer(tile, getOperation()).run();
  }
};
} // namespace

} // namespace tilec
