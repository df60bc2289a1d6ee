//===- Clocks.h - what happened before what -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks of the threads of a block (Mattern 1989), kept as FastTrack does (Flanagan and Freund, PLDI
// 2009): an access is a record with its thread's own time, and it happened before a thread's present if that
// thread has heard of this time. Threads that left the same barrier know the same, so they share one vector
// and differ only in their own time: a barrier costs a step a thread, not a step a pair.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_CLOCKS_H
#define TILEC_LIB_EMU_CLOCKS_H

#include "tilec/Emu/Emulator.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace tilec::emu {

using Time = uint32_t;

/// What is known of every thread's time.
using Knowledge = std::vector<Time>;

/// A thread's vector clock.
struct ThreadClock {
  Time own = 1; ///< of its accesses now; moves on at every synchronisation
  std::shared_ptr<const Knowledge> known;
};

/// One access, or several of the same instruction by the same thread at the same time.
struct Record {
  enum Flag : uint8_t { Atomic = 1, Async = 2, InFlight = 4 };
  uint32_t site = 0;
  Time time = 0;
  uint16_t thread = 0;
  uint8_t flags = 0;

  bool has(Flag flag) const { return flags & flag; }
};

using RecordId = uint32_t;  ///< 0: no access
using ReadSetId = uint32_t; ///< 0: no reads

/// The records of one block, and sets of them. Sets are interned: bytes that were read alike share one.
class Records {
public:
  explicit Records(unsigned threads);

  /// A write that happened before everything: it says that there is a value, and conflicts with nothing.
  static constexpr RecordId quiet = 1;

  RecordId get(unsigned thread, Time time, uint32_t site, uint8_t flags);
  /// A record that nothing else shares, since its flags will change.
  RecordId makeAsync(unsigned thread, uint32_t site);
  /// The copy of `id` is over, as of that time of its thread.
  void complete(RecordId id, Time time);
  const Record &operator[](RecordId id) const { return records[id]; }

  /// Whether the access is over and known to the thread.
  bool isBefore(RecordId id, unsigned thread, const ThreadClock &clock) const {
    const Record &record = records[id];
    if (record.flags & Record::InFlight)
      return false;
    return record.thread == thread || record.time <= (*clock.known)[record.thread];
  }

  /// The set with one more read; reads that happened before it are left out, since whatever comes after the
  /// new one comes after them.
  ReadSetId addRead(ReadSetId set, RecordId read, unsigned thread, const ThreadClock &clock);
  /// An access of the set that did not happen before the thread's present, or 0; among the atomic ones, or
  /// among the others.
  RecordId findUnordered(ReadSetId set, unsigned thread, const ThreadClock &clock, bool atomic) const;
  RecordId lastRead(ReadSetId set) const { return nodes[set].read; }
  /// Calls function(RecordId) for each read.
  template <typename F> void forEachRead(ReadSetId set, F function) const {
    for (; set; set = nodes[set].rest)
      function(nodes[set].read);
  }

private:
  struct Node {
    RecordId read = 0;
    ReadSetId rest = 0;
  };
  /// The last record that a thread got for each of a few sites.
  static constexpr unsigned cacheSize = 16;

  ReadSetId intern(RecordId read, ReadSetId rest);

  std::vector<Record> records{2};
  std::vector<RecordId> cache;
  std::vector<Node> nodes{1};
  llvm::DenseMap<std::pair<RecordId, ReadSetId>, ReadSetId> interned, additions;
};

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_CLOCKS_H
