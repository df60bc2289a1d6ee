//===- OffsetLookup.cpp - where in memory elements are ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table is filled from the atom outwards: each digit repeats what there is so far at its steps.
//
//===----------------------------------------------------------------------===//

#include "OffsetLookup.h"
#include "PlaceTables.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilec {

/// No tile has more elements: shared memory is smaller.
static constexpr int64_t kMaxTable = int64_t(1) << 20;

OffsetLookup::OffsetLookup(const Layout &memory) : locator(memory), bounds(memory.getBounds()) {
  int64_t total = 1;
  for (int64_t bound : bounds) {
    if (bound > kMaxTable / total)
      return;
    total *= bound;
  }
  if (!memory.hasFreeDigits())
    return;
  auto numberOf = [&](ArrayRef<int64_t> coord) {
    int64_t number = 0;
    for (auto [value, bound] : zip_equal(coord, bounds))
      number = number * bound + value;
    return number;
  };
  struct Entry {
    int64_t number, offset;
  };
  SmallVector<Coord, 0> atom = {Coord(bounds.size(), 0)};
  for (const Coord &basis : memory.getBits(Place::Offset))
    for (size_t index = 0, size = atom.size(); index < size; ++index) {
      Coord next = atom[index];
      for (auto [value, bit] : zip_equal(next, basis))
        value ^= bit;
      atom.push_back(std::move(next));
    }
  SmallVector<Entry, 0> entries;
  for (auto [offset, coord] : enumerate(atom))
    entries.push_back({numberOf(coord), int64_t(offset)});
  for (const LayoutFactor &factor : memory.getFactors()) {
    if (factor.place != Place::Offset)
      continue;
    Coord step(bounds.size(), 0);
    if (factor.step)
      step[factor.dim] = factor.step;
    int64_t stepNumber = numberOf(step);
    size_t size = entries.size();
    for (int64_t digit = 1; digit < factor.size; ++digit)
      for (size_t index = 0; index < size; ++index)
        entries.push_back(
            {entries[index].number + digit * stepNumber, entries[index].offset + digit * factor.stride});
  }
  table.assign(total, -1);
  for (const Entry &entry : entries)
    if (int64_t &offset = table[entry.number]; offset < 0 || entry.offset < offset)
      offset = entry.offset;
}

int64_t OffsetLookup::search(ArrayRef<int64_t> coord) const {
  std::optional<Position> position = locator.locate(coord);
  return position ? position->offset : -1;
}

} // namespace tilec
