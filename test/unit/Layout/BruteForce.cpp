//===- BruteForce.cpp - layouts enumerated by their definition --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slow on purpose: it is what everything else is measured against.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"
#include "tilec/Layout/Locator.h"
#include "gtest/gtest.h"
#include <algorithm>

using llvm::ArrayRef;

namespace tilec::test {

namespace {

/// What a place contributes: the atom's part joins those of other places by XOR, the digits' part by
/// addition.
struct Part {
  Coord atom, digits;
  bool isGap = false;
};

Part partOf(const Layout &layout, Place place, int64_t value) {
  Part part{Coord(layout.getRank(), 0), Coord(layout.getRank(), 0)};
  // Digits from the largest stride down; each leaves a remainder, the last one that for the atom.
  std::vector<LayoutFactor> factors;
  for (const LayoutFactor &factor : layout.getFactors())
    if (factor.place == place)
      factors.push_back(factor);
  std::sort(factors.begin(), factors.end(), [](auto &a, auto &b) { return a.stride > b.stride; });
  for (const LayoutFactor &factor : factors) {
    part.isGap |= value / factor.stride >= factor.size;
    if (factor.step)
      part.digits[factor.dim] += value / factor.stride % factor.size * factor.step;
    value %= factor.stride;
  }
  ArrayRef<Coord> bits = layout.getBits(place);
  part.isGap |= value >= int64_t(1) << bits.size();
  for (size_t bit = 0; bit < bits.size(); ++bit)
    for (unsigned dim = 0; dim < layout.getRank() && value >> bit & 1; ++dim)
      part.atom[dim] ^= bits[bit][dim];
  return part;
}

} // namespace

Enumerated::Enumerated(const Layout &layout)
    : rank(layout.getRank()),
      isMemory(layout.getNumPlaces(Place::Offset) > 1 || layout.getBits(Place::Lane).empty()),
      numRegisters(layout.getNumRegisters()), numWarps(layout.getNumWarps()) {
  if (isMemory) {
    for (int64_t offset = 0; offset < layout.getNumPlaces(Place::Offset); ++offset) {
      Part part = partOf(layout, Place::Offset, offset);
      for (size_t dim = 0; dim < rank; ++dim)
        part.atom[dim] += part.digits[dim];
      memory.push_back(part.isGap ? std::optional<Coord>() : part.atom);
    }
    return;
  }
  std::vector<Part> lanes, warps;
  for (int64_t lane = 0; lane < 32; ++lane)
    lanes.push_back(partOf(layout, Place::Lane, lane));
  for (int64_t warp = 0; warp < numWarps; ++warp)
    warps.push_back(partOf(layout, Place::Warp, warp));
  coords.resize(getNumPlaces() * rank);
  int64_t *next = coords.data();
  for (int64_t reg = 0; reg < numRegisters; ++reg) {
    Part own = partOf(layout, Place::Register, reg);
    for (const Part &warp : warps)
      for (const Part &lane : lanes)
        for (size_t dim = 0; dim < rank; ++dim)
          *next++ = (own.atom[dim] ^ lane.atom[dim] ^ warp.atom[dim]) + own.digits[dim] + warp.digits[dim];
  }
}

std::vector<int64_t> Enumerated::numbers(ArrayRef<int64_t> extents) const {
  std::vector<int64_t> result(getNumPlaces());
  const int64_t *coord = coords.data();
  for (int64_t &number : result)
    for (size_t dim = 0; dim < rank; ++dim, ++coord)
      number = number < 0 || *coord >= extents[dim] ? -1 : number * extents[dim] + *coord;
  return result;
}

std::string Case::describe() const {
  std::string text = name + " for";
  for (int64_t extent : extents)
    text += " " + std::to_string(extent);
  return text + ": " + layout.str();
}

std::vector<Case> pick(std::vector<Case> cases, size_t count, unsigned seed) {
  if (count >= cases.size())
    return cases;
  std::rotate(cases.begin(), cases.begin() + seed * count % cases.size(), cases.end());
  cases.erase(cases.begin() + count, cases.end());
  return cases;
}

void checkLayout(const Case &c) {
  SCOPED_TRACE(c.describe());
  const Layout &layout = c.layout;
  Coord bounds = layout.getBounds();
  int64_t box = product(bounds);
  ASSERT_LT(box, 1 << 22);
  Enumerated all(layout);
  OwnerPredicate owner = layout.ownerPredicate();
  Locator locator(layout);

  // How many hold each element of the bounds, how many owners it has, and which.
  std::vector<int> holders(box, 0), owners(box, 0);
  std::vector<Position> ownerOf(box);
  auto visit = [&](const Position &position, int64_t number) {
    ASSERT_GE(number, 0) << "outside of the bounds";
    ++holders[number];
    if (owner.holds(position)) {
      ++owners[number];
      ownerOf[number] = position;
    }
  };
  if (all.isMemory) {
    for (size_t offset = 0; offset < all.memory.size(); ++offset) {
      EXPECT_EQ(layout.isGap(offset), !all.memory[offset]);
      if (all.memory[offset])
        visit({0, 0, 0, int64_t(offset)}, numberOf(*all.memory[offset], bounds));
    }
    EXPECT_TRUE(layout.isGap(-1));
    EXPECT_TRUE(layout.isGap(all.memory.size()));
  } else {
    std::vector<int64_t> numbers = all.numbers(bounds);
    const int64_t *number = numbers.data();
    for (int64_t reg = 0; reg < all.numRegisters; ++reg)
      for (int64_t thread = 0; thread < all.getNumThreads(); ++thread)
        visit({reg, thread % 32, thread / 32, 0}, *number++);
  }

  bool heldOnce = true;
  for (int64_t number = 0; number < box; ++number) {
    // All of a small one, a sample of others.
    bool isAsked = number % (1 + box / 500) == 0;
    if (holders[number] == 0) {
      if (isAsked)
        ASSERT_FALSE(locator.locate(coordOf(number, bounds)));
      continue;
    }
    heldOnce &= holders[number] == 1;
    ASSERT_EQ(owners[number], 1);
    if (isAsked) {
      std::optional<Position> located = locator.locate(coordOf(number, bounds));
      ASSERT_TRUE(located);
      ASSERT_EQ(*located, ownerOf[number]);
      ASSERT_EQ(layout.apply(*located), coordOf(number, bounds));
    }
  }
  EXPECT_EQ(owner.isTrivial(), heldOnce);

  // The tile, one more along each dimension, all of the bounds.
  std::vector<Extents> boxes = {c.extents, Extents(bounds.begin(), bounds.end())};
  for (size_t dim = 0; dim < c.extents.size(); ++dim) {
    boxes.push_back(c.extents);
    ++boxes.back()[dim];
    boxes.push_back(boxes[1]);
    ++boxes.back()[dim];
  }
  for (const Extents &extents : boxes) {
    bool expected = true;
    int64_t total = product(extents);
    for (int64_t number = 0; number < total && expected; ++number) {
      int64_t inBounds = numberOf(coordOf(number, extents), bounds);
      expected = inBounds >= 0 && holders[inBounds] > 0;
    }
    EXPECT_EQ(layout.covers(extents), expected) << testing::PrintToString(extents);
  }
}

namespace {

/// `count` divided into two factors.
std::pair<int64_t, int64_t> split(int64_t count, Random &random) {
  std::vector<int64_t> divisors;
  for (int64_t divisor = 1; divisor <= count; ++divisor)
    if (count % divisor == 0)
      divisors.push_back(divisor);
  int64_t first = divisors[random.below(divisors.size())];
  return {first, count / first};
}

} // namespace

std::vector<Case> distributedCases(ArrayRef<int64_t> extents, unsigned seed) {
  Random random(seed);
  std::vector<Case> cases;
  Extents box(extents.begin(), extents.end());
  auto add = [&](std::string name, Layout layout) {
    cases.push_back({std::move(name), std::move(layout), box});
  };
  // Repetitions that cover `extent` by parts of `part`; now and then one too few.
  auto repsFor = [&](int64_t extent, int64_t part) {
    int64_t reps = ceilDiv(extent, part);
    return reps > 1 && random.oneIn(8) ? reps - 1 : reps;
  };
  int64_t warps = 1 + random.below(32);
  // Large tiles on few warps are many registers and say little more.
  while (product(extents) / (warps * 32) > 64)
    warps = 1 + random.below(32);

  if (extents.size() == 1) {
    for (int64_t vector : {int64_t(1), random.oneOf<int64_t>({2, 4, 8})})
      add("blocked", Layout::blocked({vector}, {32}, {warps}, {repsFor(extents[0], vector * 32 * warps)}));
    // The rows, and the columns, of matrices.
    auto [m, n] = split(warps, random);
    add("rows of mma", foldAxis(mmaFragment(MatrixOperand::Acc, 32, {m, n}, {repsFor(extents[0], 16 * m), 2}),
                                1, AxisParts::None));
    add("columns of mma",
        foldAxis(mmaFragment(MatrixOperand::Acc, 32, {m, n}, {2, repsFor(extents[0], 8 * n)}), 0,
                 AxisParts::None));
    int64_t groups = 1 + random.below(8);
    add("rows of wgmma", foldAxis(wgmmaAccumulator(8 * (1 + random.below(4)), {groups, 1},
                                                   {repsFor(extents[0], 64 * groups), 1}),
                                  1, AxisParts::None));
    add("rows of blocked", foldAxis(Layout::blocked({1, 2}, {4, 8}, {m, n}, {repsFor(extents[0], 4 * m), 2}),
                                    1, AxisParts::None));
    // Everybody holds everything.
    Layout copies(1);
    for (int bit = 0; bit < 5; ++bit)
      copies.addBit(Place::Lane, {0});
    copies.addFactor(warps, 0, Place::Warp, 0)
        .addFactor(std::min<int64_t>(extents[0], 48), 0, Place::Register, 1);
    add("copies", copies);
    return cases;
  }

  int64_t rows = extents[0], cols = extents[1];
  auto addBlocked = [&](int64_t vr, int64_t vc, int64_t lanes, int64_t wr, int64_t wc) {
    add("blocked", Layout::blocked({vr, vc}, {32 / lanes, lanes}, {wr, wc},
                                   {repsFor(rows, vr * 32 / lanes * wr), repsFor(cols, vc * lanes * wc)}));
  };
  auto [m, n] = split(warps, random);
  addBlocked(1, random.oneOf<int64_t>({1, 2, 4, 8}), random.oneOf<int64_t>({1, 4, 8, 16, 32}), m, n);
  std::tie(m, n) = split(warps, random);
  addBlocked(random.oneOf<int64_t>({1, 2, 4}), random.oneOf<int64_t>({1, 4}),
             random.oneOf<int64_t>({2, 8, 32}), m, n);
  std::tie(m, n) = split(warps, random);
  for (unsigned bits : {8u, 16u, 32u, 64u}) {
    int64_t atom = bits == 64 ? 8 : 16, k = bits == 64 ? 4 : 256 / bits;
    std::string suffix = std::to_string(bits);
    if (bits != 8)
      add("acc" + suffix,
          mmaFragment(MatrixOperand::Acc, bits, {m, n}, {repsFor(rows, atom * m), repsFor(cols, 8 * n)}));
    add("a" + suffix,
        mmaFragment(MatrixOperand::A, bits, {m, n}, {repsFor(rows, atom * m), repsFor(cols, k)}));
    add("b" + suffix, mmaFragment(MatrixOperand::B, bits, {m, n}, {repsFor(rows, k), repsFor(cols, 8 * n)}));
  }
  auto [gm, gn] = split(1 + random.below(8), random);
  int64_t part = 8 * (1 + random.below(8));
  Layout accumulator = wgmmaAccumulator(part, {gm, gn}, {repsFor(rows, 64 * gm), repsFor(cols, part * gn)});
  add("wgmma_acc", accumulator);
  unsigned bits = random.oneOf({8u, 16u, 32u});
  add("wgmma_a", wgmmaOperandA(bits, {gm, gn}, {repsFor(rows, 64 * gm), repsFor(cols, 256 / bits)}));
  // Parts of a fold: the axis counts who holds one.
  unsigned axis = random.below(2);
  add("parts of warps", foldAxis(accumulator, axis, AxisParts::Warps));
  add("parts of threads", foldAxis(accumulator, axis, AxisParts::Threads));
  return cases;
}

std::vector<Case> memoryCases(ArrayRef<int64_t> extents, unsigned seed) {
  Random random(seed);
  std::vector<Case> cases;
  Extents box(extents.begin(), extents.end());
  auto add = [&](std::string name, Layout layout) {
    cases.push_back({std::move(name), std::move(layout), box});
  };
  add("row major", Layout::rowMajor(extents));
  if (extents.size() == 1) {
    add("strided", strided(extents, {1 + random.below(5)}));
    return cases;
  }
  add("pitch", strided(extents, {extents[1] + random.below(9), 1}));
  add("column major", strided(extents, {1, extents[0] + random.below(9)}));
  for (unsigned swizzle : {0u, 32u, 64u, 128u}) {
    unsigned bits = random.oneOf({8u, 16u, 32u});
    add("panels", panels(extents, std::max(16u, swizzle) * 8 / bits, swizzle, bits));
  }
  return cases;
}

} // namespace tilec::test
