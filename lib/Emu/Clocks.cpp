//===- Clocks.cpp - what happened before what ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clocks.h"
#include <limits>

using namespace tilec::emu;

Records::Records(unsigned threads) : cache(size_t(threads) * cacheSize) {}

RecordId Records::get(unsigned thread, Time time, uint32_t site, uint8_t flags) {
  RecordId &slot = cache[size_t(thread) * cacheSize + site % cacheSize];
  const Record &last = records[slot];
  if (slot && last.site == site && last.time == time && last.flags == flags)
    return slot;
  records.push_back({site, time, static_cast<uint16_t>(thread), flags});
  return slot = static_cast<RecordId>(records.size() - 1);
}

RecordId Records::makeAsync(unsigned thread, uint32_t site) {
  records.push_back({site, std::numeric_limits<Time>::max(), static_cast<uint16_t>(thread),
                     static_cast<uint8_t>(Record::Async | Record::InFlight)});
  return static_cast<RecordId>(records.size() - 1);
}

void Records::complete(RecordId id, Time time) {
  records[id].flags &= static_cast<uint8_t>(~Record::InFlight);
  records[id].time = time;
}

ReadSetId Records::intern(RecordId read, ReadSetId rest) {
  auto [place, isNew] = interned.try_emplace({read, rest}, 0);
  if (isNew) {
    nodes.push_back({read, rest});
    place->second = static_cast<ReadSetId>(nodes.size() - 1);
  }
  return place->second;
}

ReadSetId Records::addRead(ReadSetId set, RecordId read, unsigned thread, const ThreadClock &clock) {
  if (!set)
    return intern(read, 0);
  if (nodes[set].read == read)
    return set;
  // A thread's knowledge changes only together with its own time, which the record has: so the answer depends
  // on the set and the record alone.
  auto [place, isNew] = additions.try_emplace({read, set}, 0);
  if (!isNew)
    return place->second;
  llvm::SmallVector<RecordId, 16> kept;
  bool isThere = false, keepsAll = true;
  forEachRead(set, [&](RecordId old) {
    isThere |= old == read;
    // Of one thread the reads at a time are told apart by their places in the program only: one says it all.
    if (old == read || !isBefore(old, thread, clock))
      kept.push_back(old);
    else
      keepsAll = false;
  });
  ReadSetId result = set;
  if (!keepsAll) {
    result = 0;
    for (RecordId old : llvm::reverse(kept))
      result = intern(old, result);
  }
  if (!isThere)
    result = intern(read, result);
  return additions[{read, set}] = result;
}

RecordId Records::findUnordered(ReadSetId set, unsigned thread, const ThreadClock &clock, bool atomic) const {
  for (; set; set = nodes[set].rest)
    if (records[nodes[set].read].has(Record::Atomic) == atomic && !isBefore(nodes[set].read, thread, clock))
      return nodes[set].read;
  return 0;
}
