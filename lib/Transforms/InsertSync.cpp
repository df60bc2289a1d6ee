//===- InsertSync.cpp - tile-insert-sync -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the statements of a block in program order with the accesses since the last barrier in hand. An
// access that conflicts with one of them gets a barrier in front. All control flow outside of parallels is
// uniform, so a barrier may stand anywhere in it.
//
// A loop gets the barriers that its iterations need among each other first: it is walked until the accesses
// at its start no longer grow. If what came before it still conflicts with something inside, one barrier in
// front of the loop is better than one in every iteration. In the end each barrier is tried: the ones that
// later ones made needless go. ElementMap.h knows which conflicts stay within threads.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tilec/Transforms/ElementMap.h"
#include "tilec/Transforms/Passes.h"
#include "tilec/Transforms/SharedMemory.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEINSERTSYNCPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

namespace {

/// One access of a statement to memory that threads share.
struct MemoryAccess {
  Operation *op;        // the access
  Operation *statement; // the parallel it is in, or itself
  Value buffer;         // the tensor, tile or view that it names
  Value root;           // a pointer, a `tile.shared`, or null: any shared memory
  AccessKind kind;
  std::optional<ElementMap> map;

  bool reads() const { return kind != AccessKind::Write; }
  bool writes() const { return kind != AccessKind::Read; }
  bool isShared() const { return isa<SharedType>(buffer.getType()); }
};

/// Numbers of accesses.
using Pending = llvm::SmallSetVector<unsigned, 16>;

/// What a barrier separates.
struct Conflict {
  unsigned earlier, later;
};

class SyncInserter {
public:
  SyncInserter(KernelOp kernel) : kernel(kernel), analysis(kernel) {}

  void run() {
    Block &body = *kernel.getGrid().getBody();
    Pending pending;
    inserting = true;
    visit(body, pending);
    inserting = false;
    // Where a barrier in a loop and one round it do the same, the outer one stays.
    llvm::sort(inserted, [](const Inserted &a, const Inserted &b) {
      return std::pair(-a.depth, a.number) < std::pair(-b.depth, b.number);
    });
    llvm::erase_if(inserted, [&](const Inserted &barrier) {
      ignored = barrier.op;
      bool isNeeded = findConflict([&] {
                        Pending none;
                        visit(body, none);
                      }).has_value();
      ignored = nullptr;
      if (!isNeeded)
        barrier.op->erase();
      return !isNeeded;
    });
    for (const Inserted &barrier : inserted)
      remark::passed(barrier.op->getLoc(), decision(barrier.op, "Barrier", "tile-insert-sync"))
          << barrier.op.getReason()->str();
  }

private:
  struct Inserted {
    mutable BarrierOp op; // MLIR's accessors are not const
    int depth;            // of loops round it
    size_t number;
  };

  static int depthOf(Operation *op) {
    int depth = 0;
    for (; op; op = op->getParentOp())
      depth += isa<LoopLikeOpInterface>(op);
    return depth;
  }

  static void merge(Pending &into, const Pending &other) { into.insert_range(other); }

  //===--------------------------------------------------------------------===//
  // Walking
  //===--------------------------------------------------------------------===//

  /// The first conflict that a walk meets, without inserting anything.
  std::optional<Conflict> findConflict(llvm::function_ref<void()> walk) {
    bool before = std::exchange(inserting, false);
    found.reset();
    walk();
    inserting = before;
    return std::exchange(found, std::nullopt);
  }

  void visit(Block &block, Pending &pending) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (found)
        return;
      if (auto barrier = dyn_cast<BarrierOp>(op)) {
        if (!barrier.getNamed() && barrier != ignored) // the others are not for all threads
          pending.clear();
      } else if (isa<ParallelOp>(op) || op.getNumRegions() == 0 || op.hasAttr(kChunkAttr)) {
        // The chunks of a parallel are its iterations, which have no order: one barrier in front will do.
        visitStatement(&op, pending);
      } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
        visitLoop(&op, pending);
      } else {
        Pending before = pending, after;
        for (Region &region : op.getRegions()) {
          Pending inside = before;
          if (!region.empty())
            visit(region.front(), inside);
          merge(after, inside);
        }
        pending = std::move(after);
      }
    }
  }

  void visitLoop(Operation *loop, Pending &pending) {
    if (inserting) {
      Pending carried;
      iterate(loop, carried);
      Pending start = pending;
      merge(start, carried);
      if (std::optional<Conflict> conflict = findConflict([&] { iterate(loop, start); })) {
        insertBarrier(loop, *conflict);
        pending.clear();
      }
      merge(pending, carried);
    }
    // What is left when it ends; it has the barriers that it needs.
    bool before = std::exchange(inserting, false);
    pending = iterate(loop, pending);
    inserting = before;
    assert((!inserting || !found) && "a loop lacks a barrier");
  }

  /// Lets the accesses of one iteration be pending at the start of the next, until `start` no longer grows.
  /// Returns what is pending behind the loop.
  Pending iterate(Operation *loop, Pending &start) {
    auto whileLoop = dyn_cast<scf::WhileOp>(loop);
    Pending exit;
    for (size_t before = ~size_t(0); before != start.size() && !found;) {
      before = start.size();
      Pending inside = start;
      if (whileLoop) {
        // It is left after its condition, whose accesses are pending at the start of its body and behind it.
        visit(*whileLoop.getBeforeBody(), inside);
        exit = inside;
      }
      visit(whileLoop ? *whileLoop.getAfterBody() : *cast<scf::ForOp>(loop).getBody(), inside);
      merge(start, inside);
    }
    return whileLoop ? exit : start;
  }

  void visitStatement(Operation *statement, Pending &pending) {
    ArrayRef<unsigned> touched = accessesOf(statement);
    for (unsigned later : touched)
      for (unsigned earlier : pending) {
        if (!conflicts(earlier, later))
          continue;
        if (!inserting) {
          found = Conflict{earlier, later};
          return;
        }
        insertBarrier(statement, {earlier, later});
        pending.clear();
        pending.insert_range(touched);
        return;
      }
    pending.insert_range(touched);
  }

  void insertBarrier(Operation *op, Conflict conflict) {
    OpBuilder builder(op);
    auto barrier =
        BarrierOp::create(builder, accesses[conflict.later].statement->getLoc(), reasonFor(conflict));
    inserted.push_back({barrier, depthOf(barrier), inserted.size()});
  }

  //===--------------------------------------------------------------------===//
  // Accesses
  //===--------------------------------------------------------------------===//

  ArrayRef<unsigned> accessesOf(Operation *statement) {
    auto [it, isNew] = byStatement.try_emplace(statement);
    if (!isNew)
      return it->second;
    statement->walk([&](AccessOpInterface op) {
      SmallVector<Access> list;
      op.getAccesses(list);
      for (const Access &access : list) {
        Value buffer = access.buffer();
        bool isGlobal = isa<GlobalType>(buffer.getType());
        if ((!isGlobal && !isa<SharedType>(buffer.getType())) ||
            (isGlobal && getAccessMode(buffer) == AccessMode::In))
          continue;
        auto parallel = op->getParentOfType<ParallelOp>();
        Operation *part = parallel ? parallel : op;
        it->second.push_back(accesses.size());
        accesses.push_back({op, part, buffer, isGlobal ? getRootPointer(buffer) : getSharedRoot(buffer),
                            access.kind, ElementMap::get(access, part, analysis)});
      }
    });
    return it->second;
  }

  bool conflicts(unsigned earlier, unsigned later) {
    auto [it, isNew] = known.try_emplace({earlier, later});
    if (isNew)
      it->second = decide(accesses[earlier], accesses[later]);
    return it->second;
  }

  bool decide(const MemoryAccess &a, const MemoryAccess &b) const {
    if (a.isShared() != b.isShared() || (!a.writes() && !b.writes()) || commute(a, b))
      return false;
    if (a.root != b.root || !a.root)
      return a.isShared() && shareBytes(a.root, b.root);
    auto runsOnce = [](const MemoryAccess &access) {
      return isa<WriteScalarOp, AtomicOp>(access.statement); // always by the same thread
    };
    if (runsOnce(a) && runsOnce(b))
      return false;
    return !a.map || !b.map ||
           !(ElementMap::isDisjoint(*a.map, *b.map, analysis) ||
             ElementMap::isSameThread(*a.map, *b.map, analysis));
  }

  /// Atomic updates by one operation give the same in any order.
  static bool commute(const MemoryAccess &a, const MemoryAccess &b) {
    return a.kind == AccessKind::Update && b.kind == AccessKind::Update &&
           a.op->getInherentAttr("kind") == b.op->getInherentAttr("kind");
  }

  /// Whether two tiles have a byte in common; a null one may be any.
  static bool shareBytes(Value a, Value b) {
    if (!a || !b)
      return true;
    std::optional<int64_t> atA = getSharedOffset(a), atB = getSharedOffset(b);
    return atA && atB && *atA < *atB + getSharedBytes(b) && *atB < *atA + getSharedBytes(a);
  }

  //===--------------------------------------------------------------------===//
  // Reasons
  //===--------------------------------------------------------------------===//

  std::string describe(const MemoryAccess &access) {
    if (access.isShared())
      return describeShared(access.buffer);
    return ("'" + kernel.getArgName(cast<BlockArgument>(access.root).getArgNumber()) + "'").str();
  }

  /// "gemm" for an access by an op that the program writes under that name, else nothing.
  static StringRef nameOf(const MemoryAccess &access) {
    return isa<GemmOp, ParallelOp>(access.statement) ? access.statement->getName().stripDialect() : "";
  }

  std::string reasonFor(Conflict conflict) {
    const MemoryAccess &earlier = accesses[conflict.earlier], &later = accesses[conflict.later];
    std::string text = describe(later);
    if (earlier.root != later.root)
      return text + " takes the place of " + describe(earlier);
    if (!later.writes()) {
      text += " is read";
      if (StringRef name = nameOf(later); !name.empty())
        text += (" by " + name).str();
      return text + " after it was written";
    }
    text += later.kind == AccessKind::Update ? " is updated" : " is overwritten";
    if (earlier.writes())
      return text + " after it was written";
    StringRef name = nameOf(earlier);
    return text + (name.empty() ? " after it was read" : (" after " + name + " read it").str());
  }

  mutable KernelOp kernel; // MLIR's accessors are not const
  IndexAnalysis analysis;
  std::vector<MemoryAccess> accesses;
  std::map<Operation *, SmallVector<unsigned>> byStatement;
  std::map<std::pair<unsigned, unsigned>, bool> known; // conflicts of earlier and later
  SmallVector<Inserted> inserted;

  bool inserting = false;
  std::optional<Conflict> found; // while nothing is inserted
  BarrierOp ignored;
};

struct TileInsertSyncPass : impl::TileInsertSyncPassBase<TileInsertSyncPass> {
  void runOnOperation() override { SyncInserter(getOperation()).run(); }
};
} // namespace

} // namespace tilec
