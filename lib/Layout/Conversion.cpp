//===- Conversion.cpp - from one distributed layout to another --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By enumeration. A register of the target is one question: is there a register of the source such that all
// threads, or all lanes with one table, find their element in it?
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Conversion.h"
#include "PlaceTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilec {

bool ShuffleSource::isIdentity() const {
  return all_of(enumerate(lanes), [](auto pair) { return pair.index() == pair.value(); });
}

namespace {

class Planner {
public:
  Planner(const Layout &from, const Layout &to, ArrayRef<int64_t> extents)
      : source(from, extents), target(to, extents), numWarps(to.getNumWarps()) {
    int64_t total = 1;
    for (int64_t extent : extents)
      total *= extent;
    lanesOf.assign(total, 0);
  }

  std::optional<SmallVector<unsigned>> planRegisters() const;
  std::optional<SmallVector<ShuffleSource, 0>> planShuffles();

private:
  /// The number of the element in each place, -1 outside of the box.
  struct Elements {
    Elements(const Layout &layout, ArrayRef<int64_t> extents);
    int64_t at(int64_t warp, int64_t lane, int64_t reg) const {
      return numbers[(warp * numRegisters + reg) * 32 + lane];
    }
    /// Of the 32 lanes.
    ArrayRef<int64_t> of(int64_t warp, int64_t reg) const {
      return ArrayRef(numbers).slice((warp * numRegisters + reg) * 32, 32);
    }

    int64_t numRegisters;
    SmallVector<int64_t, 0> numbers;
  };

  bool isInSameThreads(int64_t reg, int64_t sourceReg) const;
  std::optional<ShuffleSource> findLanes(int64_t reg, int64_t sourceReg);

  Elements source, target;
  int64_t numWarps;
  SmallVector<uint32_t, 0> lanesOf; ///< scratch: the lanes that hold an element; all zero between uses
};

Planner::Elements::Elements(const Layout &layout, ArrayRef<int64_t> extents)
    : numRegisters(layout.getNumRegisters()) {
  PlaceTables tables(layout);
  for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp) {
    numbers.resize((warp + 1) * numRegisters * 32);
    for (int64_t lane = 0; lane < 32; ++lane) {
      Contribution thread = tables.getThread(lane, warp);
      for (int64_t reg = 0; reg < numRegisters; ++reg)
        numbers[(warp * numRegisters + reg) * 32 + lane] =
            tables.getIndex(thread, Place::Register, reg, extents);
    }
  }
}

bool Planner::isInSameThreads(int64_t reg, int64_t sourceReg) const {
  for (int64_t warp = 0; warp < numWarps; ++warp)
    for (auto [want, have] : zip_equal(target.of(warp, reg), source.of(warp, sourceReg)))
      if (want >= 0 && want != have)
        return false;
  return true;
}

std::optional<SmallVector<unsigned>> Planner::planRegisters() const {
  SmallVector<unsigned> registers;
  for (int64_t reg = 0; reg < target.numRegisters; ++reg) {
    auto candidates = seq<int64_t>(0, source.numRegisters);
    auto found = find_if(candidates, [&](int64_t candidate) { return isInSameThreads(reg, candidate); });
    if (found == candidates.end())
      return std::nullopt;
    registers.push_back(*found);
  }
  return registers;
}

/// The table with which every lane finds its element of `reg` in `sourceReg`; its own lane where that has it,
/// else the lowest.
std::optional<ShuffleSource> Planner::findLanes(int64_t reg, int64_t sourceReg) {
  std::array<uint32_t, 32> candidates;
  candidates.fill(~0u);
  for (int64_t warp = 0; warp < numWarps; ++warp) {
    ArrayRef<int64_t> have = source.of(warp, sourceReg), want = target.of(warp, reg);
    for (unsigned lane = 0; lane < 32; ++lane)
      if (have[lane] >= 0)
        lanesOf[have[lane]] |= uint32_t(1) << lane;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (want[lane] >= 0)
        candidates[lane] &= lanesOf[want[lane]];
    for (int64_t element : have)
      if (element >= 0)
        lanesOf[element] = 0;
    if (is_contained(candidates, 0u))
      return std::nullopt;
  }
  ShuffleSource shuffle{static_cast<unsigned>(sourceReg), {}};
  for (unsigned lane = 0; lane < 32; ++lane)
    shuffle.lanes[lane] = candidates[lane] >> lane & 1 ? lane : countr_zero(candidates[lane]);
  return shuffle;
}

std::optional<SmallVector<ShuffleSource, 0>> Planner::planShuffles() {
  SmallVector<ShuffleSource, 0> shuffles;
  for (int64_t reg = 0; reg < target.numRegisters; ++reg) {
    std::optional<ShuffleSource> shuffle;
    for (int64_t candidate = 0; candidate < source.numRegisters && !(shuffle && shuffle->isIdentity());
         ++candidate)
      if (std::optional<ShuffleSource> other = findLanes(reg, candidate);
          other && (!shuffle || other->isIdentity()))
        shuffle = other;
    if (!shuffle)
      return std::nullopt;
    shuffles.push_back(*shuffle);
  }
  return shuffles;
}

} // namespace

ConversionPlan planConversion(const Layout &from, const Layout &to, ArrayRef<int64_t> extents) {
  assert(from.getRank() == to.getRank() && "layouts of one tile have one rank");
  assert(from.getNumPlaces(Place::Lane) == 32 && to.getNumPlaces(Place::Lane) == 32 &&
         "not a warp's layouts");
  ConversionPlan plan;
  if (from.getNumWarps() != to.getNumWarps())
    return plan;
  auto sameDims = to_vector(seq<int>(0, to.getRank()));
  if (std::optional<SmallVector<unsigned>> registers = to.matchRegisters(from, sameDims)) {
    plan.kind = ConversionPlan::Kind::Registers;
    plan.registers = std::move(*registers);
    return plan;
  }
  Planner planner(from, to, extents);
  if (std::optional<SmallVector<unsigned>> registers = planner.planRegisters()) {
    plan.kind = ConversionPlan::Kind::Registers;
    plan.registers = std::move(*registers);
  } else if (std::optional<SmallVector<ShuffleSource, 0>> shuffles = planner.planShuffles()) {
    plan.kind = ConversionPlan::Kind::Shuffles;
    plan.shuffles = std::move(*shuffles);
  }
  return plan;
}

} // namespace tilec
