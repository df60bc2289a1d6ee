//===- Layout.cpp - which thread holds which element ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction, facts about single places, text. In the atom coordinates add by XOR, outside it as integers.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Layout.h"
#include "PlaceTables.h"
#include "tilec/Layout/Locator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

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
  assert(size >= 1 && stride >= 1 && step >= 0 && "malformed factor");
  assert((dim < rank || (rank == 0 && step == 0)) && "no such dimension");
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
    if (factor.step)
      bounds[factor.dim] += (factor.size - 1) * factor.step;
  for (int64_t &bound : bounds)
    ++bound;
  return bounds;
}

bool Layout::hasFreeDigits() const {
  for (Place place : allPlaces) {
    SmallVector<std::pair<int64_t, int64_t>, 4> digits; // stride, size
    for (const LayoutFactor &factor : factors)
      if (factor.place == place)
        digits.push_back({factor.stride, factor.size});
    llvm::sort(digits);
    int64_t reach = int64_t(1) << getBits(place).size();
    for (auto [stride, size] : digits) {
      if (stride < reach)
        return false;
      reach = stride * size;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Takes a place apart: calls `digit` for each factor of the place, the largest stride first, and returns
/// what is left for the atom. In a gap a digit is not below its factor's size, or the rest not in the atom.
static int64_t takeApart(const Layout &layout, Place place, int64_t value,
                         function_ref<void(const LayoutFactor &, int64_t)> digit) {
  SmallVector<const LayoutFactor *, 4> factors;
  for (const LayoutFactor &factor : reverse(layout.getFactors()))
    if (factor.place == place)
      factors.insert(find_if(factors, [&](auto *other) { return other->stride < factor.stride; }), &factor);
  for (const LayoutFactor *factor : factors) {
    digit(*factor, value / factor->stride);
    value %= factor->stride;
  }
  return value;
}

Coord Layout::apply(const Position &position) const {
  Coord coord(rank, 0), atom(rank, 0);
  for (Place place : allPlaces) {
    int64_t rest = takeApart(*this, place, position[place], [&](const LayoutFactor &factor, int64_t digit) {
      if (factor.step)
        coord[factor.dim] += digit % factor.size * factor.step;
    });
    for (auto [index, basis] : enumerate(getBits(place)))
      if (rest >> index & 1)
        for (auto [value, bit] : zip_equal(atom, basis))
          value ^= bit;
  }
  for (auto [value, low] : zip_equal(coord, atom))
    value += low;
  return coord;
}

bool Layout::isGap(int64_t offset) const {
  if (offset < 0)
    return true;
  bool beyond = false;
  int64_t rest = takeApart(*this, Place::Offset, offset, [&](const LayoutFactor &factor, int64_t digit) {
    beyond |= digit >= factor.size;
  });
  return beyond || rest >> getBits(Place::Offset).size();
}

void Layout::forEachPlace(function_ref<void(const Position &, ArrayRef<int64_t>)> callback) const {
  PlaceTables tables(*this);
  Position position;
  Coord coord(rank, 0);
  auto visit = [&](const Contribution &others, Place place) {
    for (unsigned dim = 0; dim < rank; ++dim)
      coord[dim] = tables.getCoordinate(others, place, position[place], dim);
    callback(position, coord);
  };
  bool hasOffsets = tables.getCount(Place::Offset) > 1;
  for (position.warp = 0; position.warp < tables.getCount(Place::Warp); ++position.warp)
    for (position.lane = 0; position.lane < tables.getCount(Place::Lane); ++position.lane) {
      Contribution thread = tables.getThread(position.lane, position.warp);
      for (position.reg = 0; position.reg < tables.getCount(Place::Register); ++position.reg) {
        if (!hasOffsets) {
          visit(thread, Place::Register);
          continue;
        }
        Contribution rest = thread;
        tables.join(rest, Place::Register, position.reg);
        for (position.offset = 0; position.offset < tables.getCount(Place::Offset); ++position.offset)
          if (!isGap(position.offset))
            visit(rest, Place::Offset);
      }
    }
}

std::optional<Position> Layout::locate(ArrayRef<int64_t> coord) const {
  assert(coord.size() == rank && "one coordinate a dimension");
  return Locator(*this).locate(coord);
}

PlaceTables::PlaceTables(const Layout &layout) : rank(layout.getRank()) {
  for (Place place : allPlaces) {
    Table &table = tables[static_cast<unsigned>(place)];
    table.count = layout.getNumPlaces(place);
    table.atom.assign(table.count * rank, 0);
    table.digits.assign(table.count * rank, 0);
    for (int64_t value = 0; value < table.count; ++value) {
      int64_t at = value * rank;
      int64_t rest = takeApart(layout, place, value, [&](const LayoutFactor &factor, int64_t digit) {
        if (factor.step)
          table.digits[at + factor.dim] += digit % factor.size * factor.step;
      });
      for (auto [index, basis] : enumerate(layout.getBits(place)))
        if (rest >> index & 1)
          for (unsigned dim = 0; dim < rank; ++dim)
            table.atom[at + dim] ^= basis[dim];
    }
  }
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
