//===- Locator.cpp - from an element to its place ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gaussian elimination over F2 for the atom, a search with a bound for the digits.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Locator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tilec {

static constexpr Place allPlaces[] = {Place::Register, Place::Lane, Place::Warp, Place::Offset};

Echelon::Echelon(const Layout &layout) {
  for (Place place : allPlaces)
    for (auto [index, basis] : enumerate(layout.getBits(place))) {
      Coord vector = basis;
      Position inputs;
      inputs[place] = int64_t(1) << index;
      reduce(vector, inputs);
      const auto *first = find_if(vector, [](int64_t value) { return value != 0; });
      if (first == vector.end()) {
        redundant[place] |= int64_t(1) << index;
        continue;
      }
      unsigned dim = first - vector.begin();
      int64_t bit = int64_t(1) << Log2_64(*first);
      rows.push_back({std::move(vector), dim, bit, inputs});
    }
}

// Rows were reduced by earlier rows when they came, so one pass in that order clears every pivot: a later row
// has 0 in the pivots of the earlier ones.
void Echelon::reduce(Coord &vector, Position &inputs) const {
  for (const Row &row : rows) {
    if (!(vector[row.dim] & row.bit))
      continue;
    for (auto [value, other] : zip_equal(vector, row.vector))
      value ^= other;
    for (Place place : allPlaces)
      inputs[place] ^= row.inputs[place];
  }
}

std::optional<Position> Echelon::solve(Coord coord) const {
  Position inputs;
  reduce(coord, inputs);
  if (any_of(coord, [](int64_t value) { return value != 0; }))
    return std::nullopt;
  return inputs;
}

Locator::Locator(const Layout &layout) : echelon(layout), bounds(layout.getBounds()) {
  SmallVector<const LayoutFactor *, 4> factors;
  for (const LayoutFactor &factor : layout.getFactors())
    if (factor.step > 0)
      factors.push_back(&factor);
  llvm::sort(factors,
             [](const auto *a, const auto *b) { return std::pair(-a->step, a) < std::pair(-b->step, b); });
  for (const LayoutFactor *factor : factors)
    steps.push_back({*factor, 0});
  Coord left;
  for (int64_t bound : bounds)
    left.push_back(bound - 1);
  for (Step &step : steps) {
    left[step.factor.dim] -= (step.factor.size - 1) * step.factor.step;
    step.rest = left[step.factor.dim];
  }
}

std::optional<Position> Locator::locate(ArrayRef<int64_t> coord) const {
  for (auto [value, bound] : zip_equal(coord, bounds))
    if (value < 0 || value >= bound)
      return std::nullopt;
  return search(Coord(coord), steps);
}

std::optional<Position> Locator::search(Coord coord, ArrayRef<Step> left) const {
  if (left.empty())
    return echelon.solve(std::move(coord));
  const auto &[factor, rest] = left.front();
  // The largest digit that fits is nearly always the right one.
  int64_t value = coord[factor.dim];
  for (int64_t digit = std::min(factor.size - 1, value / factor.step); digit >= 0; --digit) {
    coord[factor.dim] = value - digit * factor.step;
    if (coord[factor.dim] > rest)
      break; // smaller digits leave even more
    if (std::optional<Position> position = search(coord, left.drop_front())) {
      (*position)[factor.place] += digit * factor.stride;
      return position;
    }
  }
  return std::nullopt;
}

} // namespace tilec
