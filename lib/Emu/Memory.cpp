//===- Memory.cpp - tensors, and what was done to them in a launch --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilec;
using namespace tilec::emu;

void Memory::add(const runner::TensorPlace &tensor) {
  Region &region = tensors.emplace_back();
  region.name = tensor.name;
  region.base = tensor.data;
  region.bytes = tensor.bytes;
  region.index = static_cast<unsigned>(tensors.size() - 1);
  region.kind = tensor.kind;
  region.granule = std::max(1u, elementInfo(tensor.kind).storageBits / 8);
  region.access = tensor.access;
  if (tensor.access == launch::Access::Out)
    region.isInitialised.assign(tensor.bytes / region.granule + 1, 0);
}

void Memory::remove(uint64_t address, uint64_t bytes) {
  // Their places in the list are names elsewhere, so the others stay where they are.
  for (Region &region : tensors)
    if (region.base - address < bytes)
      region.base = region.bytes = 0;
  while (!tensors.empty() && tensors.back().base == 0)
    tensors.pop_back();
}

const Region *Memory::find(uint64_t address, uint64_t bytes) const {
  for (const Region &region : tensors)
    if (region.contains(address, bytes))
      return &region;
  return nullptr;
}

const Region *Memory::findAny(uint64_t address, uint64_t bytes) const {
  for (const Region &region : tensors)
    if (region.bytes && address < region.base + region.bytes && region.base < address + bytes)
      return &region;
  return nullptr;
}

const Region *Memory::nearest(uint64_t address) const {
  const Region *best = nullptr;
  uint64_t least = uint64_t(1) << 32; // farther away it is no tensor's address that went wrong
  for (const Region &region : tensors) {
    uint64_t distance = address < region.base ? region.base - address : address - region.base;
    if (region.base && distance < least) {
      least = distance;
      best = &region;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Conflicts between blocks
//===----------------------------------------------------------------------===//

void LaunchCells::note(SideId mine, SideId other, unsigned region, uint64_t cell) {
  std::pair<uint32_t, uint32_t> key(
      std::minmax(sites[sides[mine].site].first, sites[sides[other].site].first));
  auto [place, isNew] = conflicts.try_emplace(key, Conflict{mine, other, region, cell, 0});
  // Blocks end in any order: what is told is the conflict of the first blocks and the first cell.
  Conflict &kept = place->second;
  auto rank = [&](const Conflict &conflict) {
    return std::tuple(conflict.region, conflict.cell,
                      std::minmax(sides[conflict.first].block, sides[conflict.second].block));
  };
  Conflict candidate{mine, other, region, cell, kept.count + 1};
  if (isNew || rank(candidate) < rank(kept))
    kept = candidate;
  else
    ++kept.count;
}

void LaunchCells::merge(LaunchCell &cell, SideId write, SideId update, SideId read, unsigned region,
                        uint64_t index) {
  using Kept = SideId[2];
  auto conflictWith = [&](SideId mine, const Kept &others) {
    for (SideId other : others)
      if (mine && other && sides[other].block != sides[mine].block)
        note(mine, other, region, index);
  };
  conflictWith(write, cell.written);
  conflictWith(write, cell.updated);
  conflictWith(write, cell.read);
  conflictWith(update, cell.written);
  conflictWith(update, cell.read);
  conflictWith(read, cell.written);
  conflictWith(read, cell.updated);
  auto keep = [&](Kept &kept, SideId side) {
    if (side)
      kept[kept[0] && sides[kept[0]].block != sides[side].block] = side;
  };
  keep(cell.written, write);
  keep(cell.updated, update);
  keep(cell.read, read);
}

void LaunchCells::add(uint64_t block, const std::string &blockName, const Pages<TensorCell> &blockCells,
                      const Records &records) {
  std::lock_guard<std::mutex> guard(lock);
  llvm::DenseMap<RecordId, SideId> known;
  auto sideOf = [&](RecordId id, const char *verb) -> SideId {
    if (!id)
      return 0;
    auto [place, isNew] = known.try_emplace(id, 0);
    if (isNew) {
      sides.push_back({block, blockName, records[id].site, records[id].thread, verb});
      place->second = static_cast<SideId>(sides.size() - 1);
    }
    return place->second;
  };
  blockCells.forEach([&](unsigned region, uint64_t first, const TensorCell *page) {
    uint64_t available;
    LaunchCell *launchCells = cells.find(region, first, available);
    for (uint64_t i = 0; i != Pages<TensorCell>::pageCells; ++i)
      if (page[i].written || page[i].updated || page[i].read)
        merge(launchCells[i], sideOf(page[i].written, "writes"), sideOf(page[i].updated, "updates"),
              sideOf(page[i].read, "reads"), region, first + i);
  });
}

void LaunchCells::finish(FindingLog &log) {
  for (auto &[sitePair, conflict] : conflicts) {
    const Side *first = &sides[conflict.first], *second = &sides[conflict.second];
    if (second->block > first->block)
      std::swap(first, second);
    const Region &region = memory[conflict.region];
    Finding *finding = log.add(
        FindingKind::Race, first->site, second->site,
        llvm::formatv("thread {0} of {1} {2} {3}, and thread {4} of {5} {6} it in the same launch",
                      first->thread, first->blockName, first->verb,
                      describePlace(region, region.base + conflict.cell * region.granule, region.granule),
                      second->thread, second->blockName, second->verb));
    if (!finding)
      continue;
    finding->count = conflict.count;
    log.note(*finding, second->site,
             llvm::formatv("{0} {1} here; nothing orders the blocks of a launch", second->blockName,
                           second->verb));
    finding->notes.push_back(
        {{},
         "the value there is now: " + describeValues(region, sites[first->site],
                                                     region.base + conflict.cell * region.granule,
                                                     region.granule)});
  }
  cells.forEach([&](unsigned region, uint64_t first, const LaunchCell *page) {
    std::vector<uint8_t> &initialised = memory[region].isInitialised;
    if (initialised.empty())
      return;
    for (uint64_t i = 0; i != Pages<LaunchCell>::pageCells; ++i)
      if (page[i].written[0] || page[i].updated[0])
        initialised[first + i] = 1;
  });
}
