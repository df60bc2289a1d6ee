//===- CompileObjects.cpp - objects and moving them -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, windows, shared tiles, fragments; loads, stores, copies, fills, slices. All of them are closures
// over views and regions.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

/// The slots of a mixed list of static and dynamic numbers.
static SmallVector<uint32_t, 4> mixedSlots(Compiler &c, ArrayRef<OpFoldResult> values) {
  SmallVector<uint32_t, 4> slots;
  for (OpFoldResult value : values) {
    if (auto attr = dyn_cast<Attribute>(value))
      slots.push_back(c.constant(cast<IntegerAttr>(attr).getInt()));
    else
      slots.push_back(c.slotOf(cast<Value>(value)));
  }
  return slots;
}

static int64_t countOf(Type type) {
  int64_t count = 1;
  for (int64_t extent : cast<tile::ObjectTypeInterface>(type).getShape())
    count *= extent;
  return count;
}

/// Slot of the optional pad value, or of a zero: +0 and 0 are all zero bits in a slot.
static unsigned padSlot(Compiler &c, Value pad) { return pad ? c.slotOf(pad) : c.constant(int64_t(0)); }

static LogicalResult compileGlobal(Compiler &c, Operation *op) {
  auto global = cast<tile::GlobalOp>(op);
  const unsigned pointer = c.viewOf(global.getPtr()), to = c.viewOf(global.getResult());
  const auto sizes = mixedSlots(c, global.getMixedSizes()), strides = mixedSlots(c, global.getMixedStrides());
  StringRef name;
  if (auto argument = dyn_cast<BlockArgument>(global.getPtr()))
    if (auto kernel = dyn_cast<tile::KernelOp>(argument.getOwner()->getParentOp()))
      name = kernel.getArgName(argument.getArgNumber());
  c.call(op->getLoc(), [=, name = name.str()](Machine &m) {
    View &view = m.view(to);
    bool empty = false, tooLarge = false;
    int64_t last = 0; // offset of the last element
    for (unsigned d = 0; d < sizes.size(); ++d) {
      const int64_t size = std::max<int64_t>(m.slot(sizes[d]).i, 0), stride = m.slot(strides[d]).i;
      if (stride < 0)
        return m.fail("stride " + Twine(d) + " of tensor '" + name + "' is negative: " + Twine(stride));
      view.dims[d] = {size, 0, static_cast<uint64_t>(size), stride};
      int64_t reach;
      if (size == 0)
        empty = true;
      else if (__builtin_mul_overflow(size - 1, stride, &reach) || __builtin_add_overflow(last, reach, &last))
        tooLarge = true;
    }
    View &memory = m.view(pointer);
    if (!empty && !tooLarge && last >= memory.dims[0].size && m.options.allocate)
      bindBuffer(memory, m.options.allocate(static_cast<unsigned>(memory.dims[0].lo), last + 1), m.options);
    if (!empty && (tooLarge || last >= memory.dims[0].size))
      return m.fail("tensor '" + name + "' reaches beyond its " + Twine(memory.dims[0].size) +
                        " elements of memory",
                    ErrorKind::Unsupported);
    view.data = memory.data;
    view.init = memory.init;
    view.offset = 0;
    return Outcome::Ok;
  });
  return success();
}

/// Makes `view` a part of `base`: an element is valid where it is inside both. A dropped index outside the
/// base leaves nothing valid.
static void narrow(View &view, const View &base, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> drop) {
  view.data = base.data;
  view.init = base.init;
  view.owner = base.owner;
  view.offset = base.offset;
  view.dead = base.dead;
  unsigned kept = 0;
  for (unsigned d = 0; d < base.rank; ++d) {
    const Dim &from = base.dims[d];
    if (llvm::is_contained(drop, static_cast<int64_t>(d))) {
      if (!isValid(from, offsets[d]))
        view.dead = true;
      else
        view.offset += offsets[d] * from.stride;
      continue;
    }
    const int64_t size = std::max<int64_t>(sizes[d], 0);
    Dim &dim = view.dims[kept++];
    dim = {size, 0, 0, from.stride};
    // Valid indices i: 0 <= i < size and lo <= offset + i < lo + valid of the base; 128 bits cannot overflow.
    const __int128 lo = std::max<__int128>(0, static_cast<__int128>(from.lo) - offsets[d]);
    const __int128 hi = std::min<__int128>(size, static_cast<__int128>(from.lo) +
                                                     static_cast<__int128>(from.valid) - offsets[d]);
    if (lo < hi) {
      dim.lo = static_cast<int64_t>(lo);
      dim.valid = static_cast<uint64_t>(hi - lo);
      view.offset += offsets[d] * from.stride;
    } else {
      view.dead = true; // empty in one dimension, empty in all; the offset may then be anything
    }
  }
  view.rank = static_cast<uint8_t>(kept);
}

static LogicalResult compileWindow(Compiler &c, Operation *op) {
  auto window = cast<tile::WindowOp>(op);
  const unsigned base = c.viewOf(window.getBase()), to = c.viewOf(window.getResult());
  const auto offsets = c.slotsOf(window.getOffsets()), sizes = mixedSlots(c, window.getMixedSizes());
  const SmallVector<int64_t> drop(window.getDrop());
  c.call(op->getLoc(), [=](Machine &m) {
    SmallVector<int64_t, 8> o, s;
    for (unsigned d = 0; d < offsets.size(); ++d) {
      o.push_back(m.slot(offsets[d]).i);
      s.push_back(m.slot(sizes[d]).i);
    }
    narrow(m.view(to), m.view(base), o, s, drop);
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileSubview(Compiler &c, Operation *op) {
  auto subview = cast<tile::SubviewOp>(op);
  const unsigned base = c.viewOf(subview.getBase()), to = c.viewOf(subview.getResult());
  const auto offsets = c.slotsOf(subview.getOffsets());
  const SmallVector<int64_t> extents(subview.getExtents()), drop(subview.getDrop());
  c.call(op->getLoc(), [=](Machine &m) {
    SmallVector<int64_t, 8> o;
    for (uint32_t slot : offsets)
      o.push_back(m.slot(slot).i);
    narrow(m.view(to), m.view(base), o, extents, drop);
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileShared(Compiler &c, Operation *op) {
  auto shared = cast<tile::SharedOp>(op);
  const unsigned to = c.viewOf(shared.getResult());
  const int64_t count = countOf(shared.getType());
  c.call(op->getLoc(), [=](Machine &m) {
    m.view(to).bind(m.allocateUnwritten(m.view(to).kind, count));
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileFragment(Compiler &c, Operation *op) {
  auto fragment = cast<tile::FragmentOp>(op);
  const unsigned to = c.viewOf(fragment.getResult());
  const int64_t count = countOf(fragment.getType());
  if (!fragment.getInit()) {
    c.call(op->getLoc(), [=](Machine &m) {
      m.view(to).bind(m.allocateUnwritten(m.view(to).kind, count));
      return Outcome::Ok;
    });
    return success();
  }
  const unsigned value = c.slotOf(fragment.getInit());
  c.call(op->getLoc(), [=](Machine &m) {
    View &view = m.view(to);
    TileRef tile = m.allocate(view.kind, count, true);
    for (int64_t i = 0; i < count; ++i)
      storeSlot(view.kind, tile->data.get(), i, m.slot(value));
    view.bind(std::move(tile));
    return Outcome::Ok;
  });
  return success();
}

/// result = region, elements as they are.
static void emitGather(Compiler &c, Location loc, const eval::Region &from, Value result, unsigned pad) {
  const unsigned to = c.viewOf(result);
  c.call(loc, [=](Machine &m) {
    TileRef tile;
    const Outcome outcome = gather(m, from, m.view(to).kind, m.slot(pad), tile);
    if (outcome == Outcome::Ok)
      m.view(to).bind(std::move(tile));
    return outcome;
  });
}

static LogicalResult compileLoad(Compiler &c, Operation *op) {
  auto load = cast<tile::LoadOp>(op);
  eval::Region from = c.region(load.getSource(), load.getOffsets(), load.getExtents());
  from.inBounds = load.getInBounds();
  emitGather(c, op->getLoc(), from, load.getResult(), padSlot(c, load.getPad()));
  return success();
}

static LogicalResult compileExtractSlice(Compiler &c, Operation *op) {
  auto slice = cast<tile::ExtractSliceOp>(op);
  emitGather(c, op->getLoc(), c.region(slice.getSource(), slice.getOffsets(), slice.getExtents()),
             slice.getResult(), padSlot(c, Value()));
  return success();
}

static LogicalResult compileStore(Compiler &c, Operation *op) {
  auto store = cast<tile::StoreOp>(op);
  eval::Region to = c.region(store.getDest(), store.getOffsets(), store.getExtents());
  to.inBounds = store.getInBounds();
  const unsigned value = c.viewOf(store.getValue());
  c.call(op->getLoc(), [=](Machine &m) { return scatter(m, to, *m.view(value).owner); });
  return success();
}

static LogicalResult compileInsertSlice(Compiler &c, Operation *op) {
  auto insert = cast<tile::InsertSliceOp>(op);
  const unsigned value = c.viewOf(insert.getValue()), dest = c.viewOf(insert.getDest());
  const eval::Region to = c.region(insert.getResult(), insert.getOffsets(), insert.getExtents());
  c.call(op->getLoc(), [=](Machine &m) {
    View &result = m.view(to.view);
    result = m.view(dest);
    m.makeUnique(result);
    const TileRef source = m.view(value).owner;
    if (source->init && !result.owner->init) { // unwritten elements may come in
      result.owner->init.reset(new uint8_t[static_cast<size_t>(result.owner->count)]);
      std::memset(result.owner->init.get(), 1, static_cast<size_t>(result.owner->count));
      result.init = result.owner->init.get();
    }
    return scatter(m, to, *source);
  });
  return success();
}

static LogicalResult compileCopy(Compiler &c, Operation *op) {
  auto copy = cast<tile::CopyOp>(op);
  const eval::Region from = c.region(copy.getSource(), copy.getSourceOffsets(), copy.getSourceExtents()),
                     to = c.region(copy.getDest(), copy.getDestOffsets(), copy.getDestExtents());
  const unsigned pad = padSlot(c, copy.getPad());
  c.call(op->getLoc(), [=](Machine &m) {
    TileRef tile;
    const Outcome outcome = gather(m, from, m.view(to.view).kind, m.slot(pad), tile);
    return outcome == Outcome::Ok ? scatter(m, to, *tile) : outcome;
  });
  return success();
}

static LogicalResult compileFill(Compiler &c, Operation *op) {
  auto fill = cast<tile::FillOp>(op);
  const eval::Region to = c.region(fill.getDest(), fill.getOffsets(), fill.getExtents());
  const unsigned value = c.slotOf(fill.getValue());
  c.call(op->getLoc(), [=](Machine &m) {
    const View &view = m.view(to.view);
    if (view.owner && view.owner->readersInFlight)
      return m.fail("write to a shared tile that a started gemm still reads");
    return forEachElement(m, to, [&](View &view, int64_t offset, int64_t) {
      storeSlot(view.kind, view.data, offset, m.slot(value));
      if (view.init)
        view.init[offset] = 1;
      return Outcome::Ok;
    });
  });
  return success();
}

static LogicalResult compileReshape(Compiler &c, Operation *op) {
  auto reshape = cast<tile::ReshapeOp>(op);
  const unsigned from = c.viewOf(reshape.getSource()), to = c.viewOf(reshape.getResult());
  c.call(op->getLoc(), [=](Machine &m) {
    m.view(to).bind(m.view(from).owner);
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileConvert(Compiler &c, Operation *op) {
  auto convert = cast<tile::ConvertOp>(op);
  const unsigned from = c.viewOf(convert.getSource()), to = c.viewOf(convert.getResult());
  c.call(op->getLoc(), [=](Machine &m) {
    const View &source = m.view(from);
    View &result = m.view(to);
    result.bind(source.kind == result.kind ? source.owner : convertTile(m, *source.owner, result.kind));
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileAtomicTile(Compiler &c, Operation *op) {
  auto atomic = cast<tile::AtomicTileOp>(op);
  const eval::Region to = c.region(atomic.getDest(), atomic.getOffsets(), atomic.getExtents());
  const unsigned kind = updateOfAtomic(atomic.getKind());
  const bool isTile = Compiler::isObject(atomic.getValue().getType());
  const unsigned value = isTile ? c.viewOf(atomic.getValue()) : c.slotOf(atomic.getValue());
  c.call(op->getLoc(), [=](Machine &m) {
    const View &target = m.view(to.view);
    if (target.owner && target.owner->readersInFlight)
      return m.fail("write to a shared tile that a started gemm still reads");
    return forEachElement(m, to, [&](View &view, int64_t offset, int64_t linear) {
      Slot operand = isTile ? Slot() : m.slot(value);
      if (isTile) {
        const TileData &tile = *m.view(value).owner;
        if (tile.init && !tile.init[static_cast<size_t>(linear)])
          return m.fail("atomic update by an element that was never written: element " + Twine(linear));
        operand = loadSlot(tile.kind, tile.data.get(), linear);
      }
      if (view.init && !view.init[offset])
        return m.fail("atomic update of an element that was never written: element " + Twine(linear) +
                      " of the region");
      storeSlot(view.kind, view.data, offset,
                combine(view.kind, kind, loadSlot(view.kind, view.data, offset), operand));
      return Outcome::Ok;
    });
  });
  return success();
}

void eval::addObjectHandlers(HandlerTable &table) {
  table.add<tile::AtomicTileOp>(compileAtomicTile);
  table.add<tile::ConvertOp>(compileConvert);
  table.add<tile::CopyOp>(compileCopy);
  table.add<tile::ExtractSliceOp>(compileExtractSlice);
  table.add<tile::FillOp>(compileFill);
  table.add<tile::FragmentOp>(compileFragment);
  table.add<tile::GlobalOp>(compileGlobal);
  table.add<tile::InsertSliceOp>(compileInsertSlice);
  table.add<tile::LoadOp>(compileLoad);
  table.add<tile::ReshapeOp>(compileReshape);
  table.add<tile::SharedOp>(compileShared);
  table.add<tile::StoreOp>(compileStore);
  table.add<tile::SubviewOp>(compileSubview);
  table.add<tile::WindowOp>(compileWindow);
}
