//===- Queries.cpp - questions about whole layouts --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are asked of every value of a kernel. Each goes by the algebra of bits and digits where that settles
// it, which is nearly always, and looks at all places (by table) where it does not: the answer is exact
// either way.
//
//===----------------------------------------------------------------------===//

#include "OffsetLookup.h"
#include "PlaceTables.h"
#include "tilec/Layout/Layout.h"
#include "tilec/Layout/Locator.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilec {

static constexpr Place allPlaces[] = {Place::Register, Place::Lane, Place::Warp, Place::Offset};

static int64_t numElements(ArrayRef<int64_t> extents) {
  int64_t total = 1;
  for (int64_t extent : extents)
    total *= extent;
  return total;
}

/// Bits of the coordinates that some bases of a place, or of all places, may set: one mask a dimension.
static Coord atomMask(const Layout &layout, ArrayRef<Place> places = allPlaces) {
  Coord mask(layout.getRank(), 0);
  for (Place place : places)
    for (const Coord &basis : layout.getBits(place))
      for (auto [m, b] : zip_equal(mask, basis))
        m |= b;
  return mask;
}

//===----------------------------------------------------------------------===//
// covers, ownerPredicate
//===----------------------------------------------------------------------===//

/// The extents of the box that the layout fills from the origin, if it fills one: the atom is a box, and
/// digits are free. The element just beyond the box along any dimension has no holder.
static std::optional<Coord> filledBox(const Layout &layout) {
  Coord reach = atomMask(layout);
  unsigned numBits = 0;
  for (int64_t mask : reach) {
    if (mask & (mask + 1))
      return std::nullopt; // not 0…01…1
    numBits += Log2_64(mask + 1);
  }
  if (Echelon(layout).getRank() != numBits || !layout.hasFreeDigits())
    return std::nullopt;
  SmallVector<const LayoutFactor *, 4> factors;
  for (const LayoutFactor &factor : layout.getFactors())
    factors.push_back(&factor);
  llvm::sort(factors,
             [](const auto *a, const auto *b) { return std::pair(a->step, a) < std::pair(b->step, b); });
  for (int64_t &extent : reach)
    ++extent;
  for (const LayoutFactor *factor : factors)
    // Copies that touch or overlap lengthen the run. A hole stays: the steps to come are longer still.
    if (factor->step && factor->step <= reach[factor->dim])
      reach[factor->dim] += (factor->size - 1) * factor->step;
  return reach;
}

bool Layout::covers(ArrayRef<int64_t> extents) const {
  assert(extents.size() == rank && "one extent a dimension");
  int64_t total = numElements(extents);
  if (total <= 0)
    return true;
  if (std::optional<Coord> box = filledBox(*this))
    return all_of(zip_equal(extents, *box), [](auto pair) { return std::get<0>(pair) <= std::get<1>(pair); });
  int64_t places = 1;
  for (Place place : allPlaces)
    places *= getNumPlaces(place);
  if (places < total)
    return false;
  // Count the distinct elements of the box that have a holder.
  BitVector seen(total);
  forEachPlace([&](const Position &, ArrayRef<int64_t> coord) {
    int64_t index = 0;
    for (unsigned dim = 0; dim < rank; ++dim) {
      if (coord[dim] >= extents[dim])
        return;
      index = index * extents[dim] + coord[dim];
    }
    seen.set(index);
  });
  return seen.all();
}

OwnerPredicate Layout::ownerPredicate() const {
  OwnerPredicate owner;
  Echelon echelon(*this);
  const Position &redundant = echelon.getRedundant();
  owner.registerMask = redundant.reg;
  owner.laneMask = redundant.lane;
  owner.warpMask = redundant.warp;
  for (const LayoutFactor &factor : factors)
    if (factor.step == 0)
      owner.zeroDigits.push_back(factor);
  return owner;
}

//===----------------------------------------------------------------------===//
// matchRegisters, sameThread
//===----------------------------------------------------------------------===//

/// The registers' bits meet no bits of lanes and warps: a coordinate is a part that the register gives plus
/// one that the thread gives.
static bool isSplit(const Layout &layout) {
  Coord reg = atomMask(layout, Place::Register), thread = atomMask(layout, {Place::Lane, Place::Warp});
  return none_of(zip_equal(reg, thread), [](auto pair) { return std::get<0>(pair) & std::get<1>(pair); });
}

namespace {

/// The question of matchRegisters: coordinate d of `source` is coordinate dims[d] of `target`.
class RegisterMatch {
public:
  RegisterMatch(const Layout &target, const Layout &source, ArrayRef<int> dims)
      : target(target), source(source), dims(dims), split(isSplit(target) && isSplit(source)),
        lanes(std::max(this->target.getCount(Place::Lane), this->source.getCount(Place::Lane))),
        warps(std::max(this->target.getCount(Place::Warp), this->source.getCount(Place::Warp))),
        bounds(source.getBounds()) {}

  std::optional<SmallVector<unsigned>> find() const;

private:
  int64_t getTarget(const Contribution &thread, int64_t reg, unsigned dim) const {
    return dims[dim] < 0 ? 0 : target.getCoordinate(thread, Place::Register, reg, dims[dim]);
  }
  bool agree(const Contribution &mine, int64_t reg, const Contribution &theirs, int64_t sourceReg) const {
    for (unsigned dim = 0; dim < dims.size(); ++dim)
      if (getTarget(mine, reg, dim) != source.getCoordinate(theirs, Place::Register, sourceReg, dim))
        return false;
    return true;
  }
  template <typename Fn> bool allThreads(Fn &&holds) const {
    for (int64_t warp = 0; warp < warps; ++warp)
      for (int64_t lane = 0; lane < lanes; ++lane)
        if (!holds(target.getThread(lane, warp), source.getThread(lane, warp)))
          return false;
    return true;
  }

  PlaceTables target, source;
  ArrayRef<int> dims;
  bool split;
  int64_t lanes, warps;
  Coord bounds; ///< of the source
};

std::optional<SmallVector<unsigned>> RegisterMatch::find() const {
  // Thread 0 contributes nothing, so where parts are separate those of the threads have to be equal, and
  // registers that agree in thread 0 agree everywhere.
  if (split && !allThreads([&](const Contribution &mine, const Contribution &theirs) {
        return agree(mine, 0, theirs, 0);
      }))
    return std::nullopt;

  // By the element that thread 0 holds. Stable: the lowest register comes first.
  Contribution mine = target.getThread(0, 0), theirs = source.getThread(0, 0);
  using Holder = std::pair<int64_t, unsigned>;
  SmallVector<Holder, 0> holders;
  for (int64_t reg = 0; reg < source.getCount(Place::Register); ++reg)
    holders.push_back({source.getIndex(theirs, Place::Register, reg, bounds), reg});
  llvm::sort(holders);

  SmallVector<unsigned> match;
  for (int64_t reg = 0; reg < target.getCount(Place::Register); ++reg) {
    int64_t index = 0;
    for (unsigned dim = 0; dim < dims.size() && index >= 0; ++dim) {
      int64_t value = getTarget(mine, reg, dim);
      index = value < bounds[dim] ? index * bounds[dim] + value : -1;
    }
    const Holder *found = lower_bound(holders, Holder(index, 0)), *end = holders.end();
    while (!split && found != end && found->first == index &&
           !allThreads([&](const Contribution &mine, const Contribution &theirs) {
             return agree(mine, reg, theirs, found->second);
           }))
      ++found;
    if (index < 0 || found == end || found->first != index)
      return std::nullopt;
    match.push_back(found->second);
  }
  return match;
}

} // namespace

std::optional<SmallVector<unsigned>> Layout::matchRegisters(const Layout &source, ArrayRef<int> dims) const {
  assert(dims.size() == source.rank && "an entry for each dimension of the source");
  assert(all_of(dims, [&](int dim) { return dim < int(rank); }) && "no such dimension");
  return RegisterMatch(*this, source, dims).find();
}

bool Layout::sameThread(const Layout &source, ArrayRef<int64_t> extents) const {
  assert(source.rank == rank && "layouts of one tile have one rank");
  int64_t total = numElements(extents);
  if (*this == source || total <= 0)
    return true;
  int64_t lanes = getNumPlaces(Place::Lane), warps = getNumWarps();
  int64_t sourceLanes = source.getNumPlaces(Place::Lane), sourceWarps = source.getNumWarps();
  if (lanes <= sourceLanes && warps <= sourceWarps &&
      matchRegisters(source, llvm::to_vector(llvm::seq<int>(0, rank))))
    return true;

  // Registers may correspond in another way in each thread, or some of them may be outside of the box.
  PlaceTables mine(*this), theirs(source);
  SmallVector<int32_t, 0> lastHolder(total, -1);
  for (int64_t warp = 0; warp < warps; ++warp)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int32_t thread = warp * lanes + lane;
      if (warp < sourceWarps && lane < sourceLanes) {
        Contribution part = theirs.getThread(lane, warp);
        for (int64_t reg = 0; reg < theirs.getCount(Place::Register); ++reg)
          if (int64_t index = theirs.getIndex(part, Place::Register, reg, extents); index >= 0)
            lastHolder[index] = thread;
      }
      Contribution part = mine.getThread(lane, warp);
      for (int64_t reg = 0; reg < mine.getCount(Place::Register); ++reg)
        if (int64_t index = mine.getIndex(part, Place::Register, reg, extents);
            index >= 0 && lastHolder[index] != thread)
          return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// vectorWidth, compose
//===----------------------------------------------------------------------===//

int64_t Layout::vectorWidth(unsigned dim) const {
  // The registers from 0 on that hold a run: the first bits, and if those are all, the first digits. Whatever
  // else moves along `dim` must not move the start of a vector off its multiples.
  int64_t run = 1;
  int64_t alignment = 0; // the OR of all other steps: its lowest bit is what they have in common
  bool inRun = true;
  for (Place place : allPlaces)
    for (const Coord &basis : getBits(place)) {
      Coord next(rank, 0);
      next[dim] = run;
      inRun &= place == Place::Register && basis == next;
      if (inRun)
        run *= 2;
      else
        alignment |= basis[dim];
    }
  inRun = run == int64_t(1) << getBits(Place::Register).size();
  SmallVector<const LayoutFactor *, 4> digits;
  for (const LayoutFactor &factor : factors)
    digits.push_back(&factor);
  llvm::sort(digits,
             [](const auto *a, const auto *b) { return std::pair(a->stride, a) < std::pair(b->stride, b); });
  for (const LayoutFactor *factor : digits) {
    bool isRegister = factor->place == Place::Register;
    inRun &= !isRegister || (factor->dim == dim && factor->step == run);
    if (isRegister && inRun)
      run *= factor->size;
    else if (factor->dim == dim)
      alignment |= factor->step;
  }
  // Vectors of a power of two must not straddle two runs.
  alignment |= run;
  return alignment & -alignment;
}

std::optional<Layout> Layout::compose(const Layout &memory) const {
  assert(memory.rank == rank && "layouts of one tile have one rank");
  assert(getNumPlaces(Place::Offset) == 1 && "not a distributed layout");
  OffsetLookup offsetOf(memory);
  // What the bases and steps say.
  Layout result(1);
  for (Place place : allPlaces)
    for (const Coord &basis : getBits(place)) {
      int64_t offset = offsetOf[basis];
      if (offset < 0)
        return std::nullopt;
      result.addBit(place, {offset});
    }
  for (const LayoutFactor &factor : factors) {
    Coord coord(rank, 0);
    if (factor.step)
      coord[factor.dim] = factor.step;
    int64_t offset = offsetOf[coord];
    if (offset < 0)
      return std::nullopt;
    result.addStridedFactor(factor.size, 0, factor.place, factor.stride, offset);
  }
  // It is right where bits and digits go through `memory` without carries; whether they do is settled by
  // looking at all places.
  PlaceTables offsets(result), mine(*this);
  Coord coord(rank, 0);
  for (int64_t warp = 0; warp < getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < getNumPlaces(Place::Lane); ++lane) {
      Contribution thread = mine.getThread(lane, warp), base = offsets.getThread(lane, warp);
      for (int64_t reg = 0; reg < getNumRegisters(); ++reg) {
        for (unsigned dim = 0; dim < rank; ++dim)
          coord[dim] = mine.getCoordinate(thread, Place::Register, reg, dim);
        int64_t offset = offsetOf[coord];
        if (offset >= 0 && offset != offsets.getCoordinate(base, Place::Register, reg, 0))
          return std::nullopt;
      }
    }
  return result;
}

} // namespace tilec
