//===- Block.h - one block of threads --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads are fibers of one thread of the host. A fiber runs until its thread waits: for the other lanes of
// its warp, at a barrier. When no lane of a warp can go on, the lanes that stand at the same instruction
// execute it together, if they are those that must; see Scheduler.cpp. Accesses are checked as they happen
// (Accesses.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_BLOCK_H
#define TILEC_LIB_EMU_BLOCK_H

#include "Fiber.h"
#include "Memory.h"
#include <array>
#include <atomic>
#include <deque>
#include <random>

namespace tilec::emu {

using KernelFunction = void (*)(const uint64_t *parameters);

/// A copy that a thread issued: where to, where from, and what of it is real data; the rest becomes 0.
struct AsyncCopy {
  void *to = nullptr;
  const void *from = nullptr;
  unsigned bytes = 0, sourceBytes = 0;
  RecordId record = 0;
};

struct Thread {
  enum class State : uint8_t { Ready, AtCollective, AtBarrier, Ended, Stopped };

  Block *block = nullptr;
  unsigned index = 0; ///< in the block
  Fiber fiber;
  State state = State::Ready;
  /// Where it waits: the instruction, its slots, the barrier's number.
  const FormShape *shape = nullptr;
  uint32_t site = 0;
  uint64_t *slots = nullptr;
  unsigned barrier = 0;
  ThreadClock clock;
  uint64_t loops = 0; ///< iterations of loops so far
  std::vector<AsyncCopy> openCopies;
  std::deque<std::vector<AsyncCopy>> copyGroups; ///< the oldest first

  unsigned warp() const { return index / warpSize; }
  unsigned lane() const { return index % warpSize; }
};

/// What every block of a launch has in common.
struct LaunchInfo {
  KernelFunction kernel = nullptr;
  std::vector<uint64_t> parameters;
  std::array<int64_t, 3> grid = {1, 1, 1};
  unsigned threads = 0;
  unsigned sharedBytes = 0; ///< dynamic and static together
  struct SharedPlace {
    unsigned offset, bytes;
    bool isDynamic;
  };
  std::vector<SharedPlace> sharedObjects;               ///< one a shared variable of the module
  const std::vector<SharedTile> *sharedTiles = nullptr; ///< in the dynamic one
  const std::vector<Site> *sites = nullptr;
  Memory *memory = nullptr;
  Schedule schedule;
  mutable std::atomic<uint64_t> loopLimit = 0; ///< of a thread; falls when one was endless
};

/// What blocks that run one after another on the same core use again.
class Worker {
public:
  Worker();
  ~Worker();
  Stacks stacks;
  char *shared = nullptr; ///< sharedCapacity bytes from a multiple of that on
  std::vector<Cell> sharedCells;

private:
  void *arena = nullptr;
};

class Block {
public:
  Block(const LaunchInfo &launch, Worker &worker, uint64_t number);

  void run();

  const LaunchInfo &launch;
  std::array<int64_t, 3> index; ///< in the grid
  FindingLog log;
  Records records;
  Pages<TensorCell> tensorCells;
  std::string name;   ///< "block (1, 0, 0)"
  std::string output; ///< what its threads print

  // For instrumented code and twins.
  void *sharedObject(unsigned number) const;
  /// A thread reads or writes; false: the access must not happen.
  bool read(Thread &thread, uint32_t site, const void *from, unsigned bytes, unsigned alignment,
            uint8_t flags);
  bool write(Thread &thread, uint32_t site, void *to, unsigned bytes, unsigned alignment, uint8_t flags);
  /// A compare-and-swap of the whole word: some of it is an element that now has a value, and which is not
  /// known.
  void settle(Thread &thread, uint32_t site, const void *word, unsigned bytes);
  void issueCopy(Thread &thread, uint32_t site, AsyncCopy copy);
  void commitCopies(Thread &thread);
  /// Waits until at most `groups` are in flight; with `all`, for copies that were not committed, too.
  void waitForCopies(Thread &thread, size_t groups, bool all);
  /// The lanes of a call arrive at a barrier, and wait there if `waits`.
  void arrive(WarpCall &call, const char *what, unsigned barrier, unsigned count, bool waits);
  /// The lanes of a call learn what each of them knows.
  void joinLanes(WarpCall &call);
  void endThread(Thread &thread);
  /// The thread goes no further; the block ends when the others cannot either. The finding if it is new.
  Finding *stop(Thread &thread, FindingKind kind, uint32_t site, const std::string &text);
  std::string describe(const Thread &thread) const;
  const Site &site(uint32_t number) const { return (*launch.sites)[number]; }

private:
  struct Barrier {
    unsigned count = 0, arrived = 0;
    uint32_t site = 0;
    std::vector<std::pair<unsigned, ThreadClock>> clocks; ///< of the arrivals
    std::vector<Thread *> waiting;
  };
  struct Place {
    const Region *region = nullptr;
    uint64_t offset = 0;

    uint64_t address() const { return region->base + offset; }
  };

  // Scheduler.cpp
  bool runWarp(unsigned warp);
  bool executeCollectives(unsigned warp);
  bool executeCollective(unsigned warp, uint32_t site, uint32_t lanes);
  void complete(Barrier &barrier);
  std::shared_ptr<const Knowledge> join(llvm::ArrayRef<std::pair<unsigned, ThreadClock>> clocks) const;
  void reportStuck();
  void reportStuckWarp(unsigned warp, Finding *&finding);
  std::string describeThreads(llvm::ArrayRef<const Thread *> some) const;

  // Accesses.cpp
  std::string outsideShared(uint64_t address) const;
  /// Finds the region; of an atomic access to a word that only reaches into one, `bytes` becomes that part.
  bool locate(Thread &thread, uint32_t site, const void *address, unsigned &bytes, unsigned alignment,
              bool isWrite, uint8_t flags, Place &place);
  template <typename F> void visitCells(const Place &place, unsigned bytes, F function);
  bool writeAs(Thread &thread, uint32_t site, void *to, unsigned bytes, unsigned alignment, RecordId record);
  /// The accesses that `thread` makes now and `other` conflict.
  void reportConflict(Thread &thread, RecordId mine, bool isWrite, RecordId other, bool otherIsWrite,
                      const Place &place, unsigned bytes);
  void finishCopy(const AsyncCopy &copy, Thread &thread);

  Worker &worker;
  std::vector<Region> sharedRegions;
  std::vector<Thread> threads;
  std::vector<unsigned> warpOrder, laneOrder;
  std::array<Barrier, namedBarriersPerBlock> barriers;
  std::mt19937_64 random;
};

/// The thread whose fiber runs on this thread of the host.
extern thread_local Thread *currentThread;

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_BLOCK_H
