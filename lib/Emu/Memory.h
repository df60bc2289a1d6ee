//===- Memory.h - tensors, and what was done to them in a launch ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region is a tensor, or a block's shared memory: an access lies inside of one or is out of bounds. For
// each piece of a region (an element of a tensor, a byte of shared memory) a cell says who wrote it last and
// who read it since.
//
// A block keeps cells of its own while it runs; at its end those of tensors are compared with what other
// blocks did in the same launch. Nothing orders two blocks of a launch, so any two accesses of the same
// element from two blocks conflict unless both read or both are atomic. This way what is found does not
// depend on which core ran which block when.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_MEMORY_H
#define TILEC_LIB_EMU_MEMORY_H

#include "Clocks.h"
#include "Findings.h"
#include "tilec/Runner/Device.h"
#include <mutex>

namespace tilec::emu {

/// Shared memory begins at a multiple of this, which exceeds what any block has: the low bits of an address
/// are the offset in it.
inline constexpr uint64_t sharedCapacity = uint64_t(1) << 18;

struct Region {
  std::string name; ///< of a tensor; empty: shared memory
  uint64_t base = 0, bytes = 0;
  unsigned index = 0;
  unsigned granule = 1; ///< bytes of a cell
  ElementKind kind = ElementKind::U8;
  launch::Access access = launch::Access::InOut;
  const std::vector<SharedTile> *tiles = nullptr; ///< of shared memory: what lies where
  /// Tensors: whether a cell was written before the launch; empty: all were.
  std::vector<uint8_t> isInitialised;

  bool isShared() const { return name.empty(); }
  bool contains(uint64_t address, uint64_t size) const {
    return address >= base && size <= bytes && address - base <= bytes - size;
  }
  bool wasWritten(uint64_t cell) const { return isInitialised.empty() || isInitialised[cell]; }
};

/// Who wrote a piece of memory last, and who read it since. Atomic updates are both: those that nothing
/// orders may all still conflict with what comes, so they stay among the reads.
struct Cell {
  RecordId write = 0;
  ReadSetId reads = 0;

  bool operator==(const Cell &) const = default;
};

/// A piece of a tensor, with the first access of each kind by the block, which another block may conflict
/// with.
struct TensorCell {
  Cell cell;
  RecordId written = 0, updated = 0, read = 0; ///< plainly; atomically; plainly
};

/// Cells of tensors, in pages that come into being when they are touched.
template <typename T> class Pages {
public:
  static constexpr uint64_t pageCells = 512;

  /// The cells from `cell` on, as many as the page has left.
  T *find(unsigned region, uint64_t cell, uint64_t &available) {
    uint64_t number = cell / pageCells;
    available = pageCells - cell % pageCells;
    if (region == lastRegion && number == lastNumber)
      return last + cell % pageCells;
    std::unique_ptr<T[]> &page = pages[{region, number}];
    if (!page)
      page = std::make_unique<T[]>(pageCells);
    lastRegion = region;
    lastNumber = number;
    last = page.get();
    return last + cell % pageCells;
  }
  /// Calls function(region, first cell, page) for every page, in the order of addresses.
  template <typename F> void forEach(F function) const {
    std::vector<std::pair<std::pair<unsigned, uint64_t>, T *>> sorted;
    for (auto &[key, page] : pages)
      sorted.push_back({key, page.get()});
    std::sort(sorted.begin(), sorted.end());
    for (auto &[key, page] : sorted)
      function(key.first, key.second * pageCells, page);
  }

private:
  llvm::DenseMap<std::pair<unsigned, uint64_t>, std::unique_ptr<T[]>> pages;
  unsigned lastRegion = ~0u;
  uint64_t lastNumber = 0;
  T *last = nullptr;
};

/// The tensors of a machine, by address.
class Memory {
public:
  void add(const runner::TensorPlace &tensor);
  /// Forgets the tensors that lie in these bytes.
  void remove(uint64_t address, uint64_t bytes);
  /// The tensor that holds all those bytes, or null.
  const Region *find(uint64_t address, uint64_t bytes) const;
  /// The first tensor that has any of those bytes, or null.
  const Region *findAny(uint64_t address, uint64_t bytes) const;
  /// The tensor nearest to the address, or null: for a report.
  const Region *nearest(uint64_t address) const;
  Region &operator[](unsigned index) { return tensors[index]; }
  const Region &operator[](unsigned index) const { return tensors[index]; }

private:
  std::vector<Region> tensors;
};

/// What the blocks of one launch did to tensors, as far as another block may conflict with it.
class LaunchCells {
public:
  LaunchCells(Memory &memory, const std::vector<Site> &sites) : memory(memory), sites(sites) {}

  /// Adds a block that ended, in any order and from any thread.
  void add(uint64_t block, const std::string &blockName, const Pages<TensorCell> &cells,
           const Records &records);
  /// The launch is over: what was written is initialised; conflicts between blocks go to `log`.
  void finish(FindingLog &log);

private:
  struct Side {
    uint64_t block = 0;
    std::string blockName;
    uint32_t site = 0;
    uint16_t thread = 0;
    const char *verb = "";
  };
  using SideId = uint32_t; ///< 0: none
  /// Two of each kind, of two blocks: enough to conflict with any third.
  struct LaunchCell {
    SideId written[2] = {0, 0}, updated[2] = {0, 0}, read[2] = {0, 0};
  };
  struct Conflict {
    SideId first, second;
    unsigned region;
    uint64_t cell, count;
  };

  void note(SideId mine, SideId other, unsigned region, uint64_t cell);
  void merge(LaunchCell &cell, SideId write, SideId update, SideId read, unsigned region, uint64_t index);

  Memory &memory;
  const std::vector<Site> &sites;
  std::mutex lock;
  std::vector<Side> sides{1};
  Pages<LaunchCell> cells;
  /// By the two sites: one report for each pair of lines.
  std::map<std::pair<uint32_t, uint32_t>, Conflict> conflicts;
};

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_MEMORY_H
