//===- Layout.cpp - which thread holds which element ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algebra of layouts. The idea to keep in mind: in the atom, coordinates add by XOR, and every question
// about it is Gaussian elimination over a few bits; outside it, coordinates add as integers, and every
// question is about digits. Bits are always eliminated in the order register, lane, warp, offset, so that
// "which of several holders is the owner" has one answer everywhere.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <map>

using namespace llvm;

namespace tilec {

StringRef getPlaceName(Place place) {
  static constexpr StringRef names[] = {"register", "lane", "warp", "offset"};
  return names[static_cast<unsigned>(place)];
}

int64_t &Position::operator[](Place place) {
  switch (place) {
  case Place::Register:
    return reg;
  case Place::Lane:
    return lane;
  case Place::Warp:
    return warp;
  case Place::Offset:
    break;
  }
  return offset;
}

bool OwnerPredicate::holds(const Position &position) const {
  if ((position.reg & registerMask) || (position.lane & laneMask) || (position.warp & warpMask))
    return false;
  return all_of(zeroDigits, [&](const LayoutFactor &factor) {
    return position[factor.place] / factor.stride % factor.size == 0;
  });
}

static constexpr Place allPlaces[] = {Place::Register, Place::Lane, Place::Warp, Place::Offset};

static void xorInto(Coord &value, ArrayRef<int64_t> other) {
  for (auto [v, o] : zip_equal(value, other))
    v ^= o;
}

static bool isZero(ArrayRef<int64_t> value) {
  return all_of(value, [](int64_t v) { return v == 0; });
}

namespace {

/// A basis of vectors over F2 in echelon form, each with the set of input bits it is the XOR of.
class Echelon {
public:
  /// Adds vector number `index`; false if it lies in the span of what is there.
  bool add(Coord vector, unsigned index) {
    uint64_t inputs = uint64_t(1) << index;
    reduce(vector, inputs);
    if (isZero(vector))
      return false;
    rows.push_back({vector, inputs});
    return true;
  }

  /// The input bits whose XOR is `vector`, or nothing.
  std::optional<uint64_t> solve(ArrayRef<int64_t> vector) const {
    Coord rest(vector);
    uint64_t inputs = 0;
    reduce(rest, inputs);
    if (!isZero(rest))
      return std::nullopt;
    return inputs;
  }

private:
  struct Row {
    Coord vector;
    uint64_t inputs;
    // The pivot: highest bit of the first coordinate that is not 0.
    std::pair<unsigned, int64_t> pivot() const {
      unsigned dim = 0;
      while (vector[dim] == 0)
        ++dim;
      return {dim, int64_t(1) << Log2_64(vector[dim])};
    }
  };

  // Rows were reduced by earlier rows when they came, so one pass in that order clears every pivot: a later
  // row has 0 in the pivots of the earlier ones.
  void reduce(Coord &vector, uint64_t &inputs) const {
    for (const Row &row : rows) {
      auto [dim, bit] = row.pivot();
      if (vector[dim] & bit) {
        xorInto(vector, row.vector);
        inputs ^= row.inputs;
      }
    }
  }

  SmallVector<Row, 16> rows;
};

} // namespace

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

Layout &Layout::addBit(Place place, ArrayRef<int64_t> basis) {
  assert(basis.size() == rank && "a basis has one coordinate a dimension");
  assert(none_of(factors, [&](const LayoutFactor &factor) { return factor.place == place; }) &&
         "the bits of a place precede its factors");
  bits[static_cast<unsigned>(place)].emplace_back(basis);
  return *this;
}

Layout &Layout::addFactor(int64_t size, unsigned dim, Place place, int64_t step) {
  return addStridedFactor(size, dim, place, getNumPlaces(place), step);
}

Layout &Layout::addStridedFactor(int64_t size, unsigned dim, Place place, int64_t stride, int64_t step) {
  assert(size >= 1 && dim < rank && stride >= 1 && step >= 0 && "malformed factor");
  assert(place != Place::Lane && "lanes are always in the atom");
  if (size > 1)
    factors.push_back({size, dim, place, stride, step});
  return *this;
}

std::optional<std::string> Layout::checkBlocked(ArrayRef<int64_t> vector, ArrayRef<int64_t> lanes,
                                                ArrayRef<int64_t> warps, ArrayRef<int64_t> reps) {
  size_t rank = vector.size();
  if (rank == 0 || lanes.size() != rank || warps.size() != rank || reps.size() != rank)
    return "'vector', 'lanes', 'warps' and 'reps' need the same number of values, at least 1";
  int64_t numLanes = 1, numWarps = 1, numRegisters = 1;
  for (size_t d = 0; d < rank; ++d) {
    for (int64_t value : {vector[d], lanes[d], warps[d], reps[d]})
      if (value < 1 || value > (int64_t(1) << 20))
        return "value " + std::to_string(value) + " is not in 1 … 1048576";
    if (!isPowerOf2_64(vector[d]) || !isPowerOf2_64(lanes[d]))
      return "'vector' and 'lanes' of dimension " + std::to_string(d) + " need powers of two, got " +
             std::to_string(vector[d]) + " and " + std::to_string(lanes[d]);
    numLanes *= lanes[d];
    numWarps *= warps[d];
    numRegisters *= vector[d] * reps[d];
    if (numLanes > 32 || numWarps > 32 || numRegisters > (int64_t(1) << 20))
      break;
  }
  if (numLanes != 32)
    return "'lanes' need 32 in all, got " + std::to_string(numLanes);
  if (numWarps > 32)
    return "'warps' need 1 to 32 in all, got " + std::to_string(numWarps);
  if (numRegisters > (int64_t(1) << 20))
    return std::string("more than 1048576 elements a thread");
  return std::nullopt;
}

Layout Layout::blocked(ArrayRef<int64_t> vector, ArrayRef<int64_t> lanes, ArrayRef<int64_t> warps,
                       ArrayRef<int64_t> reps) {
  assert(!checkBlocked(vector, lanes, warps, reps) && "not a blocked layout");
  unsigned rank = vector.size();
  Layout layout(rank);
  Coord extent(rank, 1);
  auto addBits = [&](Place place, ArrayRef<int64_t> counts) {
    for (unsigned dim = rank; dim-- > 0;)
      for (int64_t bit = 1; bit < counts[dim]; bit *= 2) {
        Coord basis(rank, 0);
        basis[dim] = extent[dim] * bit;
        layout.addBit(place, basis);
      }
    for (unsigned dim = 0; dim < rank; ++dim)
      extent[dim] *= counts[dim];
  };
  auto addFactors = [&](Place place, ArrayRef<int64_t> counts) {
    for (unsigned dim = rank; dim-- > 0;)
      layout.addFactor(counts[dim], dim, place, extent[dim]);
    for (unsigned dim = 0; dim < rank; ++dim)
      extent[dim] *= counts[dim];
  };
  addBits(Place::Register, vector);
  addBits(Place::Lane, lanes);
  addFactors(Place::Warp, warps);
  addFactors(Place::Register, reps);
  return layout;
}

Layout Layout::rowMajor(ArrayRef<int64_t> shape) {
  Layout layout(shape.size());
  for (unsigned dim = shape.size(); dim-- > 0;)
    layout.addFactor(shape[dim], dim, Place::Offset, 1);
  return layout;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

int64_t Layout::getNumPlaces(Place place) const {
  int64_t count = int64_t(1) << getBits(place).size();
  for (const LayoutFactor &factor : factors)
    if (factor.place == place)
      count = std::max(count, factor.stride * factor.size);
  return count;
}

Coord Layout::getBounds() const {
  // The OR of all bases is the largest value of the atom where its bits are independent, else an upper limit.
  Coord bounds(rank, 0);
  for (Place place : allPlaces)
    for (const Coord &basis : getBits(place))
      for (unsigned dim = 0; dim < rank; ++dim)
        bounds[dim] |= basis[dim];
  for (const LayoutFactor &factor : factors)
    bounds[factor.dim] += (factor.size - 1) * factor.step;
  for (int64_t &bound : bounds)
    ++bound;
  return bounds;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

Coord Layout::apply(const Position &position) const {
  Coord coord(rank, 0);
  for (Place place : allPlaces)
    for (auto [index, basis] : enumerate(getBits(place)))
      if (position[place] >> index & 1)
        xorInto(coord, basis);
  for (const LayoutFactor &factor : factors)
    coord[factor.dim] += position[factor.place] / factor.stride % factor.size * factor.step;
  return coord;
}

std::optional<Position> Layout::solveAtom(ArrayRef<int64_t> target) const {
  Echelon echelon;
  SmallVector<PlaceBit, 24> names;
  for (Place place : allPlaces)
    for (auto [index, basis] : enumerate(getBits(place))) {
      echelon.add(basis, names.size());
      names.push_back({place, static_cast<unsigned>(index)});
    }
  std::optional<uint64_t> inputs = echelon.solve(target);
  if (!inputs)
    return std::nullopt;
  Position position;
  for (auto [number, name] : enumerate(names))
    if (*inputs >> number & 1)
      position[name.place] |= int64_t(1) << name.index;
  return position;
}

std::optional<Position> Layout::locateFrom(ArrayRef<int64_t> coord, ArrayRef<unsigned> order) const {
  if (order.empty())
    return solveAtom(coord);
  const LayoutFactor &factor = factors[order.front()];
  // Steps come in descending order, so the largest digit that fits is nearly always the right one.
  int64_t first = std::min(factor.size - 1, coord[factor.dim] / factor.step);
  for (int64_t digit = first; digit >= 0; --digit) {
    Coord rest(coord);
    rest[factor.dim] -= digit * factor.step;
    if (std::optional<Position> position = locateFrom(rest, order.drop_front())) {
      (*position)[factor.place] += digit * factor.stride;
      return position;
    }
  }
  return std::nullopt;
}

std::optional<Position> Layout::locate(ArrayRef<int64_t> coord) const {
  assert(coord.size() == rank && "one coordinate a dimension");
  Coord bounds = getBounds();
  for (unsigned dim = 0; dim < rank; ++dim)
    if (coord[dim] < 0 || coord[dim] >= bounds[dim])
      return std::nullopt;
  SmallVector<unsigned> order;
  for (unsigned index = 0; index < factors.size(); ++index)
    if (factors[index].step > 0)
      order.push_back(index);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-factors[a].step, a) < std::pair(-factors[b].step, b);
  });
  return locateFrom(coord, order);
}

bool Layout::covers(ArrayRef<int64_t> extents) const {
  assert(extents.size() == rank && "one extent a dimension");
  int64_t total = 1;
  for (int64_t extent : extents)
    total *= extent;
  if (total <= 0)
    return true;
  Coord bounds = getBounds();
  for (unsigned dim = 0; dim < rank; ++dim)
    if (bounds[dim] < extents[dim])
      return false;
  // Count the distinct elements of the box that have a holder.
  SmallVector<bool, 0> seen(total, false);
  int64_t count = 0;
  forEachPlace([&](const Position &, ArrayRef<int64_t> coord) {
    int64_t index = 0;
    for (unsigned dim = 0; dim < rank; ++dim) {
      if (coord[dim] >= extents[dim])
        return;
      index = index * extents[dim] + coord[dim];
    }
    count += !seen[index];
    seen[index] = true;
  });
  return count == total;
}

OwnerPredicate Layout::ownerPredicate() const {
  OwnerPredicate owner;
  Echelon echelon;
  unsigned number = 0;
  for (Place place : allPlaces)
    for (auto [index, basis] : enumerate(getBits(place))) {
      // A bit that lower ones can make up for is redundant: owners have it 0.
      if (echelon.add(basis, number++))
        continue;
      int64_t mask = int64_t(1) << index;
      if (place == Place::Register)
        owner.registerMask |= mask;
      else if (place == Place::Lane)
        owner.laneMask |= mask;
      else if (place == Place::Warp)
        owner.warpMask |= mask;
    }
  for (const LayoutFactor &factor : factors)
    if (factor.step == 0)
      owner.zeroDigits.push_back(factor);
  return owner;
}

bool Layout::sameThread(const Layout &source, ArrayRef<int64_t> extents) const {
  assert(source.rank == rank && "layouts of one tile have one rank");
  if (*this == source)
    return true;
  // All holders of each element under `source`, then every holder under `this` must be among them. A thread
  // is warp * 32 + lane.
  int64_t total = 1;
  for (int64_t extent : extents)
    total *= extent;
  if (total <= 0)
    return true;
  auto indexOf = [&](ArrayRef<int64_t> coord) -> int64_t {
    int64_t index = 0;
    for (unsigned dim = 0; dim < rank; ++dim) {
      if (coord[dim] >= extents[dim])
        return -1;
      index = index * extents[dim] + coord[dim];
    }
    return index;
  };
  SmallVector<SmallVector<int32_t, 1>, 0> holders(total);
  source.forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
    if (int64_t index = indexOf(coord); index >= 0)
      holders[index].push_back(position.warp * 32 + position.lane);
  });
  bool same = true;
  forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
    int64_t index = indexOf(coord);
    if (index >= 0 && !is_contained(holders[index], position.warp * 32 + position.lane))
      same = false;
  });
  return same;
}

/// Bits of the coordinates that a place's atom may set, one mask a dimension.
static Coord atomMask(const Layout &layout, Place place) {
  Coord mask(layout.getRank(), 0);
  for (const Coord &basis : layout.getBits(place))
    for (auto [m, b] : zip_equal(mask, basis))
      m |= b;
  return mask;
}

std::optional<SmallVector<unsigned>> Layout::matchRegisters(const Layout &source, ArrayRef<int> dims) const {
  assert(dims.size() == source.rank && "an entry for each dimension of the source");
  auto project = [&](ArrayRef<int64_t> coord) {
    Coord projected;
    for (int dim : dims)
      projected.push_back(dim < 0 ? 0 : coord[dim]);
    return projected;
  };
  int64_t numLanes = std::max(getNumPlaces(Place::Lane), source.getNumPlaces(Place::Lane));
  int64_t numWarps = std::max(getNumWarps(), source.getNumWarps());
  // Where the registers' bits meet no bits of lanes and warps, coordinates are a part that the register gives
  // plus one that the thread gives, and the two are compared on their own. Elsewhere every thread is asked.
  auto isSplit = [](const Layout &layout) {
    Coord reg = atomMask(layout, Place::Register), lane = atomMask(layout, Place::Lane),
          warp = atomMask(layout, Place::Warp);
    for (unsigned dim = 0; dim < layout.rank; ++dim)
      if (reg[dim] & (lane[dim] | warp[dim]))
        return false;
    return true;
  };
  bool split = isSplit(*this) && isSplit(source);
  auto agree = [&](int64_t reg, int64_t sourceReg, int64_t lane, int64_t warp) {
    return project(apply({reg, lane, warp, 0})) == source.apply({sourceReg, lane, warp, 0});
  };
  if (split)
    for (int64_t warp = 0; warp < numWarps; ++warp)
      for (int64_t lane = 0; lane < numLanes; ++lane) {
        // Lanes are bits of the atom alone, so powers of two speak for all of them in one warp.
        if (warp > 0 && !isPowerOf2_64(lane) && lane != 0)
          continue;
        Coord mine = project(apply({0, lane, warp, 0})), zero = project(apply(Position()));
        Coord theirs = source.apply({0, lane, warp, 0});
        if (mine != theirs || zero != source.apply(Position()))
          return std::nullopt;
      }
  std::map<SmallVector<int64_t, 4>, SmallVector<unsigned, 2>> holders; // by the coordinate in thread 0
  for (int64_t reg = 0; reg < source.getNumRegisters(); ++reg)
    holders[source.apply({reg, 0, 0, 0})].push_back(reg);
  SmallVector<unsigned> match;
  for (int64_t reg = 0; reg < getNumRegisters(); ++reg) {
    auto found = holders.find(project(apply({reg, 0, 0, 0})));
    if (found == holders.end())
      return std::nullopt;
    auto fits = [&](unsigned sourceReg) {
      for (int64_t warp = 0; warp < numWarps && !split; ++warp)
        for (int64_t lane = 0; lane < numLanes; ++lane)
          if (!agree(reg, sourceReg, lane, warp))
            return false;
      return true;
    };
    auto chosen = find_if(found->second, fits);
    if (chosen == found->second.end())
      return std::nullopt;
    match.push_back(*chosen);
  }
  return match;
}

int64_t Layout::vectorWidth(unsigned dim) const {
  int64_t width = 1;
  for (const Coord &basis : getBits(Place::Register)) {
    Coord expected(rank, 0);
    expected[dim] = width;
    if (basis != expected)
      break;
    width *= 2;
  }
  // The start of a vector is a multiple of n only if nothing else moves by less.
  auto limit = [&](int64_t step) {
    if (step)
      width = std::min(width, step & -step);
  };
  for (Place place : allPlaces)
    for (auto [index, basis] : enumerate(getBits(place)))
      if (place != Place::Register || (int64_t(1) << index) >= width)
        limit(basis[dim]);
  for (const LayoutFactor &factor : factors)
    if (factor.dim == dim)
      limit(factor.step);
  return width;
}

void Layout::forEachPlace(function_ref<void(const Position &, ArrayRef<int64_t>)> callback) const {
  Position position;
  for (position.warp = 0; position.warp < getNumPlaces(Place::Warp); ++position.warp)
    for (position.lane = 0; position.lane < getNumPlaces(Place::Lane); ++position.lane)
      for (position.reg = 0; position.reg < getNumPlaces(Place::Register); ++position.reg)
        for (position.offset = 0; position.offset < getNumPlaces(Place::Offset); ++position.offset)
          callback(position, apply(position));
}

std::optional<Layout> Layout::compose(const Layout &memory) const {
  assert(memory.rank == rank && "layouts of one tile have one rank");
  auto offsetOf = [&](ArrayRef<int64_t> coord) -> std::optional<int64_t> {
    std::optional<Position> position = memory.locate(coord);
    return position ? std::optional(position->offset) : std::nullopt;
  };
  Layout result(1);
  for (Place place : allPlaces)
    for (const Coord &basis : getBits(place)) {
      std::optional<int64_t> offset = offsetOf(basis);
      if (!offset)
        return std::nullopt;
      result.addBit(place, {*offset});
    }
  for (const LayoutFactor &factor : factors) {
    Coord coord(rank, 0);
    coord[factor.dim] = factor.step;
    std::optional<int64_t> offset = offsetOf(coord);
    if (!offset)
      return std::nullopt;
    result.addStridedFactor(factor.size, 0, factor.place, factor.stride, *offset);
  }
  // The candidate is right where bits and digits go through `memory` without carries; whether they do is
  // settled by looking at all places.
  bool right = true;
  forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
    if (!right)
      return;
    if (std::optional<int64_t> offset = offsetOf(coord))
      right = result.apply(position)[0] == *offset;
  });
  return right ? std::optional(std::move(result)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void Layout::print(raw_ostream &os) const {
  ListSeparator words(" ");
  for (Place place : allPlaces) {
    if (getBits(place).empty())
      continue;
    os << words << getPlaceName(place) << ' ';
    for (const Coord &basis : getBits(place)) {
      os << '(';
      interleave(basis, os, ",");
      os << ')';
    }
  }
  if (factors.empty())
    return;
  os << words << '|';
  ListSeparator commas(",");
  for (const LayoutFactor &factor : factors)
    os << commas << ' ' << factor.size << ':' << factor.dim << ' ' << getPlaceName(factor.place) << '/'
       << factor.stride << '*' << factor.step;
}

std::string Layout::str() const {
  std::string text;
  raw_string_ostream os(text);
  print(os);
  return text;
}

} // namespace tilec
