//===- CompileSchedule.cpp - roles, rings, registers in flight ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constructs of stage `schedule`. Roles are coroutines: the code of a role runs until a ring or barrier
// operation cannot go on, then the next role runs; the operation is simply tried again later. If no role can
// go on, that is a deadlock, reported with what each waits for.
//
// Asynchrony is evaluated at once, and what makes it observable is checked instead: the operands of a started
// gemm and the tile of a started bulk store must not be written or released until the wait. A put gets fresh
// storage, and a slot that is released loses its contents, so that reading it too late is a read of elements
// nobody wrote.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "TileMath.h"
#include <map>

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// 0 outside of roles, else one plus the number of the region.
static unsigned roleOf(Operation *op) {
  for (Operation *parent = op; Operation *next = parent->getParentOp(); parent = next)
    if (auto roles = dyn_cast<tile::RolesOp>(next))
      return roles.getRoleOf(op) + 1;
  return 0;
}

static LogicalResult compileRoles(Compiler &c, Operation *op) {
  auto roles = cast<tile::RolesOp>(op);
  struct Role {
    std::string name;
    uint32_t start;
    int64_t threads;
  };
  SmallVector<Role, 4> list;
  const uint32_t over = c.emit(op->getLoc(), {Opcode::Jump});
  for (auto [number, body] : llvm::enumerate(roles.getRoles())) {
    list.push_back(
        {roles.getName(static_cast<unsigned>(number)).str(), c.here(), roles.getWarps()[number] * 32});
    if (failed(c.compileBody(body.front())))
      return failure();
    c.emit(op->getLoc(), {Opcode::Halt});
  }
  c.at(over).a = c.here();
  c.call(op->getLoc(), [list](Machine &m) {
    SmallVector<uint32_t, 4> position;
    SmallVector<bool, 4> done(list.size(), false);
    m.roleThreads.assign(1, 0);
    for (const Role &role : list) {
      position.push_back(role.start);
      m.roleThreads.push_back(role.threads);
      m.roleThreads[0] += role.threads;
    }
    m.barriers.clear();
    for (size_t running = list.size(); running > 0;) {
      const uint64_t before = m.progress;
      std::string waits;
      for (size_t turn = 0; turn < list.size(); ++turn) {
        const size_t number = m.isReverse() ? list.size() - 1 - turn : turn;
        if (done[number])
          continue;
        m.role = static_cast<unsigned>(number) + 1;
        const Outcome outcome = m.execute(position[number]);
        m.role = 0;
        if (outcome == Outcome::Failed)
          return outcome;
        if (outcome == Outcome::Ok) {
          done[number] = true;
          --running;
          ++m.progress;
          continue;
        }
        waits += (waits.empty() ? "" : "; ") +
                 ("role '" + list[number].name + "' at " +
                  fileAndLine(m.program.locations[position[number]]) + " waits for ") +
                 m.blockedOn;
      }
      if (running > 0 && m.progress == before)
        return m.fail("deadlock: " + waits, ErrorKind::Deadlock);
    }
    return Outcome::Ok;
  });
  return success();
}

/// Barriers order roles among each other; within a role everything happens in order anyway.
static LogicalResult compileBarrier(Compiler &c, Operation *op) {
  auto barrier = cast<tile::BarrierOp>(op);
  if (roleOf(op) == 0)
    return success();
  const unsigned number = barrier.getNamed() ? static_cast<unsigned>(*barrier.getNamed()) : 0;
  const int64_t wanted = barrier.getThreads() ? static_cast<int64_t>(*barrier.getThreads()) : 0;
  c.call(op->getLoc(), [=](Machine &m) {
    const int64_t all = wanted ? wanted : m.roleThreads[0], mine = m.roleThreads[m.role];
    if (all <= mine)
      return Outcome::Ok;
    Machine::Barrier &b = m.barriers[number];
    if (auto waiting = b.waiting.find(m.role); waiting != b.waiting.end()) {
      if (waiting->second == b.generation) {
        m.blockedOn = "the other threads at barrier " + std::to_string(number);
        return Outcome::Blocked;
      }
      b.waiting.erase(waiting);
      return Outcome::Ok;
    }
    ++m.progress; // arriving is progress, even if it does not end the wait
    b.arrived += mine;
    if (b.arrived >= all) {
      b.arrived = 0;
      ++b.generation;
      return Outcome::Ok;
    }
    b.waiting[m.role] = b.generation;
    m.blockedOn = "the other threads at barrier " + std::to_string(number);
    return Outcome::Blocked;
  });
  return success();
}

static LogicalResult compileNothing(Compiler &, Operation *) { return success(); }

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

namespace {
struct Ring : State {
  struct Cursor {
    int64_t put = 0, get = 0, release = 0;
  };
  std::string name;
  int64_t depth = 1;
  SmallVector<unsigned, 2> readers; ///< the roles that get slots
  std::map<unsigned, Cursor> cursors;
  std::map<int64_t, TileRef> full; ///< by the number of the round

  /// Rounds below this one have been released by every reader.
  int64_t released() {
    int64_t least = INT64_MAX;
    for (unsigned reader : readers)
      least = std::min(least, cursors[reader].release);
    return readers.empty() ? 0 : least;
  }
  /// Takes the contents from slots that nobody reads any more.
  void drop() {
    for (auto it = full.begin(); it != full.end() && it->first < released(); it = full.erase(it))
      forget(*it->second);
  }
  static void forget(TileData &tile) {
    std::memset(tile.data.get(), 0xff, static_cast<size_t>(storageBytes(tile.kind, tile.count)));
    if (tile.init) // views point at it: it stays where it is
      std::memset(tile.init.get(), 0, static_cast<size_t>(tile.count));
  }
};
} // namespace

static Ring &ringAt(Machine &m, unsigned state) { return static_cast<Ring &>(*m.states[state]); }

/// "ring 'Ks'".
static std::string ringName(const Ring &ring) { return "ring '" + ring.name + "'"; }

static LogicalResult compileRing(Compiler &c, Operation *op) {
  auto ring = cast<tile::RingOp>(op);
  const unsigned state = c.stateOf(ring.getResult());
  SmallVector<unsigned, 2> readers;
  for (Operation *user : ring.getResult().getUsers())
    if (isa<tile::RingGetOp>(user) && !llvm::is_contained(readers, roleOf(user)))
      readers.push_back(roleOf(user));
  c.call(op->getLoc(), [=, depth = static_cast<int64_t>(ring.getDepth()),
                        name = ring.getName().value_or("ring").str()](Machine &m) {
    auto fresh = std::make_unique<Ring>();
    fresh->name = name;
    fresh->depth = depth;
    fresh->readers = readers;
    m.states[state] = std::move(fresh);
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compilePut(Compiler &c, Operation *op) {
  auto put = cast<tile::RingPutOp>(op);
  const unsigned state = c.stateOf(put.getRing()), slot = c.viewOf(put.getSlot());
  int64_t count = 1;
  for (int64_t extent : cast<tile::SharedType>(put.getSlot().getType()).getShape())
    count *= extent;
  c.call(op->getLoc(), [=](Machine &m) {
    Ring &ring = ringAt(m, state);
    const int64_t round = ring.cursors[m.role].put;
    if (round - ring.depth >= ring.released()) {
      m.blockedOn = "a free slot of " + ringName(ring) + " (all " + std::to_string(ring.depth) + " are full)";
      return Outcome::Blocked;
    }
    ++m.progress;
    m.view(slot).bind(m.allocateUnwritten(m.view(slot).kind, count));
    return Outcome::Ok;
  });
  if (failed(c.compileBody(*put.getBody())))
    return failure();
  c.call(op->getLoc(), [=](Machine &m) {
    Ring &ring = ringAt(m, state);
    const TileRef tile = m.view(slot).owner;
    for (int64_t i = 0; i < count && m.options.checkUninitialised; ++i)
      if (!tile->init[static_cast<size_t>(i)])
        return m.fail("the put into " + ringName(ring) + " leaves element " + Twine(i) +
                      " of the slot unwritten");
    const int64_t round = ring.cursors[m.role].put++;
    if (!ring.full.try_emplace(round, tile).second)
      return m.fail("slot " + Twine(round % ring.depth) + " of " + ringName(ring) + " is filled twice");
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileGet(Compiler &c, Operation *op) {
  auto get = cast<tile::RingGetOp>(op);
  const unsigned state = c.stateOf(get.getRing()), to = c.viewOf(get.getSlot());
  c.call(op->getLoc(), [=](Machine &m) {
    Ring &ring = ringAt(m, state);
    Ring::Cursor &cursor = ring.cursors[m.role];
    auto it = ring.full.find(cursor.get);
    if (it == ring.full.end()) {
      m.blockedOn = "a full slot of " + ringName(ring);
      return Outcome::Blocked;
    }
    ++m.progress;
    ++cursor.get;
    m.view(to).bind(it->second);
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileRelease(Compiler &c, Operation *op) {
  auto release = cast<tile::RingReleaseOp>(op);
  const unsigned state = c.stateOf(release.getRing()), slot = c.viewOf(release.getSlot());
  c.call(op->getLoc(), [=](Machine &m) {
    Ring &ring = ringAt(m, state);
    Ring::Cursor &cursor = ring.cursors[m.role];
    const TileRef tile = m.view(slot).owner;
    auto it = ring.full.find(cursor.release);
    if (it == ring.full.end() || it->second != tile || cursor.release >= cursor.get)
      return m.fail("a slot of " + ringName(ring) + " is released out of order or twice");
    if (tile->readersInFlight || (tile->borrowed && tile->borrowed->readersInFlight))
      return m.fail("a slot of " + ringName(ring) +
                    " is released while something that was started still reads it");
    ++m.progress;
    ++cursor.release;
    ring.drop();
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileAdvance(Compiler &c, Operation *op) {
  auto advance = cast<tile::RingAdvanceOp>(op);
  const unsigned state = c.stateOf(advance.getRing()), count = c.slotOf(advance.getCount());
  // The slots are passed over in the directions in which the role uses the ring.
  bool puts = false, gets = false;
  for (Operation *user : advance.getRing().getUsers())
    if (roleOf(user) == roleOf(op)) {
      puts |= isa<tile::RingPutOp>(user);
      gets |= isa<tile::RingGetOp>(user);
    }
  c.call(op->getLoc(), [=](Machine &m) {
    Ring &ring = ringAt(m, state);
    const int64_t n = m.slot(count).i;
    if (n < 0)
      return m.fail(ringName(ring) + " is advanced by " + Twine(n));
    Ring::Cursor &cursor = ring.cursors[m.role];
    if (gets && cursor.release != cursor.get)
      return m.fail(ringName(ring) + " is advanced while a slot is still held");
    if (puts)
      cursor.put += n;
    if (gets) {
      cursor.get += n;
      cursor.release += n;
    }
    ++m.progress;
    ring.drop();
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileBorrow(Compiler &c, Operation *op) {
  auto borrow = cast<tile::RingBorrowOp>(op);
  const unsigned slot = c.viewOf(borrow.getSlot()), to = c.viewOf(borrow.getResult());
  c.call(op->getLoc(), [=](Machine &m) {
    TileData &tile = *m.view(slot).owner;
    if (tile.readersInFlight)
      return m.fail("a slot is borrowed while something that was started still reads it");
    Ring::forget(tile);
    View &view = m.view(to);
    view.bind(m.allocateUnwritten(view.kind, view.count()));
    tile.borrowed = view.owner;
    return Outcome::Ok;
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Registers in flight
//===----------------------------------------------------------------------===//

/// The reads of everything that the running role started up to number `last` are over.
static void endReads(Machine &m, uint64_t last) {
  auto &started = m.started[m.role];
  while (!started.empty() && started.front().first <= last) {
    for (const TileRef &tile : started.front().second)
      --tile->readersInFlight;
    started.pop_front();
  }
}

static LogicalResult compileGemmStart(Compiler &c, Operation *op) {
  auto start = cast<tile::GemmStartOp>(op);
  const unsigned a = c.viewOf(start.getA()), b = c.viewOf(start.getB()), to = c.viewOf(start.getResult());
  const std::optional<unsigned> acc =
      start.getAcc() ? std::optional<unsigned>(c.viewOf(start.getAcc())) : std::nullopt;
  const bool accInFlight = acc && isa<tile::PendingType>(start.getAcc().getType());
  auto left = cast<tile::ObjectTypeInterface>(start.getA().getType()).getShape();
  auto result = cast<tile::ObjectTypeInterface>(start.getResult().getType()).getShape();
  const GemmShape shape{result[0], result[1], left[start.getTransA() ? 0 : 1], start.getTransA(),
                        start.getTransB()};
  SmallVector<unsigned, 2> memory; // operands that are read until the wait
  for (Value operand : {start.getA(), start.getB()})
    if (isa<tile::SharedType>(operand.getType()))
      memory.push_back(c.viewOf(operand));
  c.call(op->getLoc(), [=](Machine &m) {
    const TileRef sum = acc ? m.view(*acc).owner : TileRef();
    if (accInFlight && sum->sequence == 0)
      return m.fail("registers in flight are used twice");
    TileRef product;
    const Outcome outcome = gemm(m, m.view(a), m.view(b), sum.get(), shape, m.view(to).kind, product);
    if (outcome != Outcome::Ok)
      return outcome;
    if (accInFlight)
      sum->sequence = 0;
    product->sequence = product->startedAs = ++m.lastStarted;
    SmallVector<TileRef, 2> reads;
    for (unsigned view : memory) {
      ++m.view(view).owner->readersInFlight;
      reads.push_back(m.view(view).owner);
    }
    m.started[m.role].emplace_back(product->sequence, std::move(reads));
    m.view(to).bind(std::move(product));
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileGemmWait(Compiler &c, Operation *op) {
  auto wait = cast<tile::GemmWaitOp>(op);
  for (auto [value, result] : llvm::zip_equal(wait.getCarry(), wait.getCarried()))
    c.alias(result, value);
  SmallVector<std::pair<unsigned, unsigned>, 2> pairs;
  for (auto [pending, fragment] : llvm::zip_equal(wait.getPending(), wait.getFragments()))
    pairs.push_back({c.viewOf(pending), c.viewOf(fragment)});
  c.call(op->getLoc(), [=](Machine &m) {
    uint64_t last = 0;
    for (auto [pending, fragment] : pairs) {
      const TileRef tile = m.view(pending).owner;
      if (tile->sequence == 0)
        return m.fail("registers in flight are used twice");
      last = std::max(last, tile->sequence);
      tile->sequence = 0;
      m.view(fragment).bind(tile);
    }
    endReads(m, last);
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileGemmWaitRead(Compiler &c, Operation *op) {
  auto wait = cast<tile::GemmWaitReadOp>(op);
  // A later start may have taken the accumulator over: what counts is the number it was started as.
  SmallVector<unsigned, 2> pending;
  for (Value value : wait.getPending())
    pending.push_back(c.viewOf(value));
  c.call(op->getLoc(), [=](Machine &m) {
    uint64_t last = 0;
    for (unsigned view : pending)
      last = std::max(last, m.view(view).owner->startedAs);
    endReads(m, last);
    return Outcome::Ok;
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Bulk stores
//===----------------------------------------------------------------------===//

static LogicalResult compileBulkStoreStart(Compiler &c, Operation *op) {
  auto store = cast<tile::BulkStoreStartOp>(op);
  const eval::Region from = c.wholeOf(store.getSource()),
                     to = c.region(store.getDest(), store.getOffsets(), store.getExtents());
  const unsigned token = c.viewOf(store.getResult());
  c.call(op->getLoc(), [=](Machine &m) {
    TileRef tile;
    Outcome outcome = gather(m, from, m.view(from.view).kind, slotOfInt(0), tile);
    if (outcome == Outcome::Ok)
      outcome = scatter(m, to, *tile);
    if (outcome == Outcome::Ok) {
      m.view(token).owner = m.view(from.view).owner;
      ++m.view(token).owner->readersInFlight;
    }
    return outcome;
  });
  return success();
}

static LogicalResult compileBulkStoreWaitRead(Compiler &c, Operation *op) {
  SmallVector<unsigned, 2> tokens;
  for (Value token : cast<tile::BulkStoreWaitReadOp>(op).getTokens())
    tokens.push_back(c.viewOf(token));
  c.call(op->getLoc(), [=](Machine &m) {
    for (unsigned token : tokens) {
      if (m.view(token).owner)
        --m.view(token).owner->readersInFlight;
      m.view(token).owner = nullptr; // waiting again is harmless
    }
    return Outcome::Ok;
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Persistent grids and the launch program
//===----------------------------------------------------------------------===//

static LogicalResult compileDecode(Compiler &c, Operation *op) {
  auto decode = cast<tile::DecodeOp>(op);
  const unsigned number = c.slotOf(decode.getTile());
  const auto extents = c.slotsOf(decode.getExtents()), results = c.slotsOf(decode.getIndices());
  const bool longestFirst = decode.getLongestFirst();
  int64_t panel = 0;
  bool byColumns = false;
  if (std::optional<tile::RasterAttr> raster = decode.getRaster()) {
    panel = raster->getPanel();
    byColumns = raster->getOrder() == tile::RasterOrder::Column;
  }
  c.call(op->getLoc(), [=](Machine &m) {
    int64_t size[3] = {1, 1, 1}, index[3];
    for (unsigned d = 0; d < extents.size(); ++d)
      size[d] = m.slot(extents[d]).i;
    const int64_t tile = m.slot(number).i;
    if (size[0] <= 0 || size[1] <= 0 || size[2] <= 0 || tile < 0 || tile / size[0] / size[1] / size[2] > 0)
      return m.fail("tile number " + Twine(tile) + " is not in the grid");
    const int64_t inPlane = tile % (size[0] * size[1]);
    index[2] = tile / (size[0] * size[1]);
    if (panel <= 0) {
      index[0] = inPlane % size[0];
      index[1] = inPlane / size[0];
    } else { // panels of rows (columns): across the panel first
      const unsigned across = byColumns ? 0 : 1, along = 1 - across;
      const int64_t start = inPlane / (panel * size[along]) * panel,
                    height = std::min(panel, size[across] - start);
      const int64_t inPanel = inPlane - start * size[along];
      index[across] = start + inPanel % height;
      index[along] = inPanel / height;
    }
    if (longestFirst)
      index[0] = size[0] - 1 - index[0];
    for (unsigned d = 0; d < results.size(); ++d)
      m.slot(results[d]).i = index[d];
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileSmCount(Compiler &c, Operation *op) {
  const unsigned to = c.slotOf(op->getResult(0));
  c.call(op->getLoc(), [=](Machine &m) {
    m.slot(to).i = m.options.numSms;
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileWorkspace(Compiler &c, Operation *op) {
  auto workspace = cast<tile::WorkspaceOp>(op);
  const unsigned to = c.viewOf(workspace.getResult()), bytes = c.slotOf(workspace.getBytes());
  const bool zero = workspace.getZero();
  c.call(op->getLoc(), [=](Machine &m) {
    View &view = m.view(to);
    const int64_t elements = std::max<int64_t>(m.slot(bytes).i, 0) * 8 / elementInfo(view.kind).storageBits;
    TileRef tile = m.allocate(view.kind, elements, zero);
    if (zero)
      std::memset(tile->data.get(), 0, static_cast<size_t>(storageBytes(view.kind, elements)));
    view.bind(std::move(tile));
    view.offset = static_cast<int64_t>(reinterpret_cast<uintptr_t>(view.data));
    view.rank = 1;
    view.dims[0].size = elements;
    return Outcome::Ok;
  });
  return success();
}

/// A descriptor is its tensor's pointer here.
static LogicalResult compileTensorMap(Compiler &c, Operation *op) {
  auto map = cast<tile::TensorMapOp>(op);
  c.emit(op->getLoc(), {Opcode::MoveView, 0, c.viewOf(map.getResult()), c.viewOf(map.getPtr())});
  return success();
}

void eval::addScheduleHandlers(HandlerTable &table) {
  table.add<tile::BarrierOp>(compileBarrier);
  table.add<tile::BulkStoreStartOp>(compileBulkStoreStart);
  table.add<tile::BulkStoreWaitReadOp>(compileBulkStoreWaitRead);
  table.add<tile::DecodeOp>(compileDecode);
  table.add<tile::FenceProxyOp>(compileNothing);
  table.add<tile::GateEnterOp>(compileNothing); // a gate orders for speed, it changes no result
  table.add<tile::GateLeaveOp>(compileNothing);
  table.add<tile::GateOp>(compileNothing);
  table.add<tile::GemmStartOp>(compileGemmStart);
  table.add<tile::GemmWaitOp>(compileGemmWait);
  table.add<tile::GemmWaitReadOp>(compileGemmWaitRead);
  table.add<tile::RingAdvanceOp>(compileAdvance);
  table.add<tile::RingBorrowOp>(compileBorrow);
  table.add<tile::RingGetOp>(compileGet);
  table.add<tile::RingOp>(compileRing);
  table.add<tile::RingPutOp>(compilePut);
  table.add<tile::RingReleaseOp>(compileRelease);
  table.add<tile::RolesOp>(compileRoles);
  table.add<tile::SmCountOp>(compileSmCount);
  table.add<tile::TensorMapOp>(compileTensorMap);
  table.add<tile::WorkspaceOp>(compileWorkspace);
}
