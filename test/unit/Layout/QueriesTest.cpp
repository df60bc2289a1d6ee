//===- QueriesTest.cpp - questions about layouts against brute force --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every answer is compared with what enumerating all places says: for all extents 1 … 260 of one dimension
// and a list of shapes, for every family of layouts, with 1 to 32 warps.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::test;
using llvm::ArrayRef;

namespace {

/// Calls `check` for the distributed cases of all extents 1 … 260 and of all shapes.
template <typename Fn> void forAllTiles(unsigned seed, Fn &&check) {
  for (int64_t extent = 1; extent <= 260; ++extent)
    check({extent}, seed + extent);
  for (const Extents &shape : shapes)
    check(shape, seed + shape[0] * 1000 + shape[1]);
}

TEST(LayoutQueries, OneLayout) {
  forAllTiles(1, [](const Extents &extents, unsigned seed) {
    for (const Case &c : pick(distributedCases(extents, seed), extents.size() == 1 ? 2 : 6, seed))
      checkLayout(c);
    for (const Case &c : memoryCases(extents, seed))
      checkLayout(c);
  });
}

TEST(LayoutQueries, EveryWarpCountOfABlock) {
  for (int64_t warps = 1; warps <= 32; ++warps) {
    checkLayout({"blocked", Layout::blocked({2}, {32}, {warps}, {1}), {warps * 64}});
    checkLayout({"acc", mmaFragment(MatrixOperand::Acc, 32, {1, warps}, {1, 1}), {16, 8 * warps}});
    checkLayout({"a", mmaFragment(MatrixOperand::A, 16, {1, warps}, {1, 1}), {16, 16}});
  }
}

TEST(LayoutQueries, ForEachPlaceVisitsAllInOrder) {
  for (const Extents &shape : {Extents{7, 13}, Extents{24, 24}})
    for (const Case &c : distributedCases(shape, 5)) {
      Enumerated all(c.layout);
      int64_t next = 0;
      c.layout.forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
        ASSERT_EQ(position, (Position{next % all.numRegisters, next / all.numRegisters % 32,
                                      next / all.numRegisters / 32, 0}));
        ASSERT_EQ(coord, all.at(position.reg, position.warp * 32 + position.lane));
        ++next;
      });
      EXPECT_EQ(next, all.getNumPlaces()) << c.describe();
    }
  Layout padded = strided({3, 5}, {8, 1});
  std::vector<int64_t> offsets;
  padded.forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
    EXPECT_EQ(position.offset, coord[0] * 8 + coord[1]);
    offsets.push_back(position.offset);
  });
  EXPECT_EQ(offsets, (std::vector<int64_t>{0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 16, 17, 18, 19, 20}));
}

/// Registers n * k … n * k + n - 1 hold n elements in a row along `dim` from a multiple of n on, in all
/// threads.
bool holdsVectors(const Enumerated &all, int64_t n, unsigned dim) {
  for (int64_t reg = 0; reg < all.numRegisters; ++reg)
    for (int64_t thread = 0; thread < all.getNumThreads(); ++thread) {
      ArrayRef<int64_t> first = all.at(reg - reg % n, thread), coord = all.at(reg, thread);
      if (first[dim] % n != 0)
        return false;
      for (unsigned other = 0; other < coord.size(); ++other)
        if (coord[other] != first[other] + (other == dim ? reg % n : 0))
          return false;
    }
  return true;
}

TEST(LayoutQueries, VectorWidth) {
  auto check = [](const Case &c) {
    SCOPED_TRACE(c.describe());
    Enumerated all(c.layout);
    for (unsigned dim = 0; dim < c.layout.getRank(); ++dim) {
      int64_t best = 1;
      while (all.numRegisters % (2 * best) == 0 && holdsVectors(all, 2 * best, dim))
        best *= 2;
      EXPECT_EQ(c.layout.vectorWidth(dim), best) << "dimension " << dim;
    }
  };
  forAllTiles(2, [&](const Extents &extents, unsigned seed) {
    for (const Case &c : pick(distributedCases(extents, seed), extents.size() == 1 ? 2 : 8, seed))
      check(c);
  });
  // Runs made of digits, and ones that digits cut short.
  for (int64_t size : {2, 4, 6, 12, 16, 3})
    for (int64_t vector : {1, 2, 4})
      for (int64_t threadStep : {1, 2, 4, 8, 48}) {
        Layout layout(1);
        for (int64_t bit = 1; bit < vector; bit *= 2)
          layout.addBit(Place::Register, {bit});
        layout.addBit(Place::Lane, {threadStep * vector});
        layout.addFactor(size, 0, Place::Register, vector).addFactor(2, 0, Place::Register, size * vector);
        check({"digits", layout, {64}});
        check({"digits and warps", layout.addFactor(3, 0, Place::Warp, threadStep), {64}});
      }
}

/// A case and all its places.
struct Known : Case {
  explicit Known(Case c) : Case(std::move(c)), all(layout) {}
  Enumerated all;
};

std::vector<Known> know(const std::vector<Case> &cases) {
  return std::vector<Known>(cases.begin(), cases.end());
}

/// The answer of matchRegisters by comparing every pair of registers in all threads.
std::optional<llvm::SmallVector<unsigned>> matchByForce(const Enumerated &target, const Enumerated &source,
                                                        ArrayRef<int> dims) {
  int64_t threads = std::max(target.getNumThreads(), source.getNumThreads());
  auto agree = [&](int64_t reg, int64_t sourceReg) {
    for (int64_t thread = 0; thread < threads; ++thread) {
      const int64_t *mine = target.at(reg, thread % target.getNumThreads()).data();
      const int64_t *theirs = source.at(sourceReg, thread % source.getNumThreads()).data();
      for (size_t dim = 0; dim < dims.size(); ++dim)
        if (theirs[dim] != (dims[dim] < 0 ? 0 : mine[dims[dim]]))
          return false;
    }
    return true;
  };
  llvm::SmallVector<unsigned> match;
  for (int64_t reg = 0; reg < target.numRegisters; ++reg) {
    int64_t sourceReg = 0;
    while (sourceReg < source.numRegisters && !agree(reg, sourceReg))
      ++sourceReg;
    if (sourceReg == source.numRegisters)
      return std::nullopt;
    match.push_back(sourceReg);
  }
  return match;
}

void checkMatch(const Known &target, const Known &source, ArrayRef<int> dims, int &matches) {
  auto expected = matchByForce(target.all, source.all, dims);
  matches += expected.has_value();
  EXPECT_EQ(target.layout.matchRegisters(source.layout, dims), expected)
      << target.describe() << "\nfrom " << source.describe();
}

TEST(LayoutQueries, MatchRegistersInOneDimension) {
  int matches = 0;
  for (int64_t extent = 1; extent <= 260; ++extent) {
    std::vector<Known> cases = know(pick(distributedCases({extent}, extent), 3, extent));
    for (size_t index = 0; index < cases.size(); ++index)
      checkMatch(cases[index], cases[(index + extent) % cases.size()], {0}, matches);
  }
  EXPECT_GT(matches, 200);
}

// From a matrix to its rows and back: the shape of row statistics in an elementwise loop.
TEST(LayoutQueries, MatchRegistersOfRows) {
  for (int64_t extent = 1; extent <= 260; ++extent) {
    int64_t warps = 1 + extent % 8, reps = ceilDiv(extent, 16 * warps);
    Known matrix({"acc", mmaFragment(MatrixOperand::Acc, 32, {warps, 1}, {reps, 2}), {extent, 16}});
    Known rows({"rows", foldAxis(matrix.layout, 1, AxisParts::None), {extent}});
    int matches = 0;
    checkMatch(matrix, rows, {0}, matches);
    EXPECT_EQ(matches, 1) << "each thread holds the statistics of its rows";
    checkMatch(rows, matrix, {0, -1}, matches);
    checkMatch(matrix, rows, {1}, matches);
    EXPECT_EQ(matches, 1);
  }
}

TEST(LayoutQueries, MatchRegistersInTwoDimensions) {
  int matches = 0;
  for (const Extents &shape : shapes) {
    unsigned seed = shape[0] + shape[1];
    std::vector<Known> cases = know(pick(distributedCases(shape, seed), 7, seed));
    for (const Known &target : cases)
      for (const Known &source : cases) {
        checkMatch(target, source, {0, 1}, matches);
        checkMatch(target, source, {1, 0}, matches);
      }
    // The same threads, other numbers of the registers.
    for (const Known &target : cases) {
      Layout reversed(2);
      for (Place place : {Place::Register, Place::Lane, Place::Warp})
        for (size_t bits = target.layout.getBits(place).size(), bit = 0; bit < bits; ++bit)
          reversed.addBit(place,
                          target.layout.getBits(place)[place == Place::Register ? bits - 1 - bit : bit]);
      for (const LayoutFactor &factor : target.layout.getFactors())
        if (factor.place == Place::Warp)
          reversed.addFactor(factor.size, factor.dim, Place::Warp, factor.step);
      for (const LayoutFactor &factor : llvm::reverse(target.layout.getFactors()))
        if (factor.place == Place::Register)
          reversed.addFactor(factor.size, factor.dim, Place::Register, factor.step);
      int before = matches;
      checkMatch(target, Known({"reversed", reversed, shape}), {0, 1}, matches);
      EXPECT_EQ(matches, before + 1);
    }
  }
  EXPECT_GT(matches, 200);
}

// Registers whose bits meet those of lanes or warps: no part of the coordinate belongs to either alone.
TEST(LayoutQueries, MatchRegistersOfMixedBits) {
  std::vector<Known> layouts;
  for (int64_t mixed : {1, 3, 5, 7})
    for (int64_t warpBase : {0, 4, 6, 64}) {
      Layout layout(1);
      layout.addBit(Place::Register, {mixed}).addBit(Place::Register, {2});
      for (int64_t lane : {4, 1, 8, 16, 32})
        layout.addBit(Place::Lane, {lane});
      layout.addBit(Place::Warp, {warpBase}).addFactor(3, 0, Place::Warp, 1);
      layouts.push_back(Known({"mixed", layout, {64}}));
      layouts.push_back(Known({"mixed twice", layout.addFactor(2, 0, Place::Register, 0), {64}}));
    }
  int matches = 0;
  for (const Known &target : layouts)
    for (const Known &source : layouts)
      checkMatch(target, source, {0}, matches);
  EXPECT_GE(matches, 64);
}

bool sameThreadByForce(const Enumerated &target, const Enumerated &source, ArrayRef<int64_t> extents) {
  std::vector<int64_t> mine = target.numbers(extents), theirs = source.numbers(extents);
  std::vector<int64_t> lastHolder(product(extents), -1);
  for (int64_t thread = 0; thread < target.getNumThreads(); ++thread) {
    for (int64_t reg = 0; reg < source.numRegisters && thread < source.getNumThreads(); ++reg)
      if (int64_t number = theirs[reg * source.getNumThreads() + thread]; number >= 0)
        lastHolder[number] = thread;
    for (int64_t reg = 0; reg < target.numRegisters; ++reg)
      if (int64_t number = mine[reg * target.getNumThreads() + thread];
          number >= 0 && lastHolder[number] != thread)
        return false;
  }
  return true;
}

TEST(LayoutQueries, SameThread) {
  int same = 0;
  auto check = [&](const Known &target, const Known &source) {
    bool expected = sameThreadByForce(target.all, source.all, target.extents);
    same += expected;
    EXPECT_EQ(target.layout.sameThread(source.layout, target.extents), expected)
        << target.describe() << "\nfrom " << source.describe();
  };
  forAllTiles(3, [&](const Extents &extents, unsigned seed) {
    bool isLine = extents.size() == 1;
    std::vector<Known> cases = know(pick(distributedCases(extents, seed), isLine ? 2 : 5, seed));
    for (size_t index = 0; index < cases.size(); ++index) {
      const Known &c = cases[index];
      check(c, cases[(index + 1) % cases.size()]);
      if (isLine && (seed + index) % 4)
        continue;
      // The same threads with more registers.
      Known more({"more of " + c.name, Layout(c.layout).addFactor(3, 0, Place::Register, 1), c.extents});
      check(c, more);
      check(more, c);
    }
  });
  EXPECT_GT(same, 200);
}

/// Few bits and digits of any kind: holes, overlaps, bits that meet digits.
Layout makeOdd(Random &random) {
  unsigned rank = 1 + random.below(2);
  Layout layout(rank);
  auto basis = [&] {
    Coord coord(rank, 0);
    coord[random.below(rank)] = random.oneOf<int64_t>({0, 1, 1, 2, 2, 3, 4, 4, 6, 8, 16});
    return coord;
  };
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    for (int64_t bits = place == Place::Lane ? 5 : random.below(3); bits > 0; --bits)
      layout.addBit(place, basis());
  for (int64_t count = random.below(4); count > 0; --count)
    layout.addFactor(2 + random.below(4), random.below(rank), random.oneOf({Place::Register, Place::Warp}),
                     random.oneOf<int64_t>({0, 1, 2, 3, 4, 5, 8, 16}));
  return layout;
}

// Layouts that no compiler would make: the queries are exact all the same.
TEST(LayoutQueries, OddLayouts) {
  Random random(11);
  int covered = 0, matched = 0, same = 0, wide = 0;
  for (int round = 0; round < 600; ++round) {
    Known odd({"odd", makeOdd(random), {}});
    Coord bounds = odd.layout.getBounds();
    std::vector<int64_t> numbers = odd.all.numbers(bounds);
    std::vector<bool> held(product(bounds), false);
    for (int64_t number : numbers)
      held[number] = true;
    for (int tries = 0; tries < 8; ++tries) {
      odd.extents.clear();
      for (int64_t bound : bounds)
        odd.extents.push_back(1 + random.below(std::min<int64_t>(bound, 8) + 1));
      bool all = true;
      for (int64_t number = 0; number < product(odd.extents) && all; ++number) {
        int64_t inBounds = numberOf(coordOf(number, odd.extents), bounds);
        all = inBounds >= 0 && held[inBounds];
      }
      covered += all && product(odd.extents) > 1;
      ASSERT_EQ(odd.layout.covers(odd.extents), all) << odd.describe();
    }
    for (unsigned dim = 0; dim < bounds.size(); ++dim) {
      int64_t best = 1;
      while (odd.all.numRegisters % (2 * best) == 0 && holdsVectors(odd.all, 2 * best, dim))
        best *= 2;
      wide += best > 1;
      ASSERT_EQ(odd.layout.vectorWidth(dim), best) << odd.describe();
    }
    // Others with the same threads, or any.
    Layout other = makeOdd(random);
    if (random.oneIn(2) || other.getRank() != bounds.size()) {
      Layout similar(bounds.size());
      for (Place place : {Place::Lane, Place::Warp})
        for (const Coord &basis : odd.layout.getBits(place))
          similar.addBit(place, basis);
      for (const LayoutFactor &factor : odd.layout.getFactors())
        if (factor.place == Place::Warp)
          similar.addFactor(factor.size, factor.dim, Place::Warp, factor.step);
      for (const Coord &basis : odd.layout.getBits(Place::Register)) {
        unsigned dim = basis[0] ? 0 : bounds.size() - 1;
        if (random.oneIn(2))
          similar.addFactor(2, dim, Place::Register, basis[dim]);
      }
      for (const LayoutFactor &factor : odd.layout.getFactors())
        if (factor.place == Place::Register)
          similar.addFactor(factor.size + random.below(2), factor.dim, Place::Register, factor.step);
      other = similar;
    }
    Known another({"another", other, odd.extents});
    std::vector<int> dims;
    for (unsigned dim = 0; dim < bounds.size(); ++dim)
      dims.push_back(dim);
    for (auto [target, source] : {std::pair(&odd, &another), std::pair(&another, &odd)}) {
      checkMatch(*target, *source, dims, matched);
      bool expected = sameThreadByForce(target->all, source->all, odd.extents);
      same += expected;
      ASSERT_EQ(target->layout.sameThread(source->layout, odd.extents), expected)
          << target->describe() << "\nfrom " << source->describe();
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(covered, 400);
  EXPECT_GT(matched, 80);
  EXPECT_GT(same, 120);
  EXPECT_GT(wide, 8);
}

TEST(LayoutQueries, Compose) {
  int found = 0, refused = 0;
  auto check = [&](const Case &c, const Case &memory) {
    SCOPED_TRACE(c.describe() + "\nin " + memory.describe());
    // Element number -> offset, -1 where memory has no such element.
    Coord bounds = memory.layout.getBounds();
    std::vector<int64_t> offsets(product(bounds), -1);
    Enumerated places(memory.layout);
    for (size_t offset = 0; offset < places.memory.size(); ++offset)
      if (places.memory[offset])
        offsets[numberOf(*places.memory[offset], bounds)] = offset;
    if (!places.isMemory)
      offsets[0] = 0;
    auto offsetOf = [&](ArrayRef<int64_t> coord) {
      int64_t number = numberOf(coord, bounds);
      return number < 0 ? -1 : offsets[number];
    };
    // There is one candidate: what the bases and steps say. It has to be right everywhere.
    Layout candidate(1);
    bool exists = true;
    auto stepTo = [&](ArrayRef<int64_t> coord) {
      exists &= offsetOf(coord) >= 0;
      return std::max<int64_t>(offsetOf(coord), 0);
    };
    for (Place place : {Place::Register, Place::Lane, Place::Warp})
      for (const Coord &basis : c.layout.getBits(place))
        candidate.addBit(place, {stepTo(basis)});
    for (const LayoutFactor &factor : c.layout.getFactors()) {
      Coord step(c.layout.getRank(), 0);
      step[factor.dim] = factor.step;
      candidate.addStridedFactor(factor.size, 0, factor.place, factor.stride, stepTo(step));
    }
    Enumerated all(c.layout), composed(candidate);
    for (int64_t reg = 0; reg < all.numRegisters && exists; ++reg)
      for (int64_t thread = 0; thread < all.getNumThreads() && exists; ++thread)
        if (int64_t offset = offsetOf(all.at(reg, thread)); offset >= 0)
          exists = composed.at(reg, thread)[0] == offset;
    EXPECT_EQ(c.layout.compose(memory.layout), exists ? std::optional(candidate) : std::nullopt);
    (exists ? found : refused)++;
  };
  forAllTiles(4, [&](const Extents &extents, unsigned seed) {
    std::vector<Case> memories = memoryCases(extents, seed);
    std::vector<Case> cases = pick(distributedCases(extents, seed), extents.size() == 1 ? 1 : 3, seed);
    for (size_t index = 0; index < cases.size(); ++index)
      check(cases[index], memories[(index + seed) % memories.size()]);
  });
  EXPECT_GT(found, 120);
  EXPECT_GT(refused, 20);
}

} // namespace
