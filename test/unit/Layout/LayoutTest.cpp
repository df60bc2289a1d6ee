//===- LayoutTest.cpp - layouts against brute force -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every query is compared with what enumerating all places says: for all extents 1 … 260 of one dimension and
// a list of two-dimensional shapes, with warp counts that are not powers of two, replication and swizzles.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Layout.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace tilec;
using llvm::ArrayRef;

namespace {

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

using Key = std::vector<int64_t>;
Key keyOf(ArrayRef<int64_t> coord) { return Key(coord.begin(), coord.end()); }

/// element -> all its holders, in the order of the enumeration.
std::map<Key, std::vector<Position>> holdersOf(const Layout &layout) {
  std::map<Key, std::vector<Position>> holders;
  layout.forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
    EXPECT_EQ(keyOf(layout.apply(position)), keyOf(coord));
    holders[keyOf(coord)].push_back(position);
  });
  return holders;
}

bool insideBox(const Key &coord, ArrayRef<int64_t> extents) {
  for (size_t d = 0; d < coord.size(); ++d)
    if (coord[d] >= extents[d])
      return false;
  return true;
}

/// What must hold of any layout over a box it covers.
void checkAgainstBruteForce(const Layout &layout, ArrayRef<int64_t> extents, const std::string &what) {
  SCOPED_TRACE(what + ": " + layout.str());
  auto holders = holdersOf(layout);
  int64_t total = 1, found = 0;
  for (int64_t extent : extents)
    total *= extent;
  for (auto &[coord, positions] : holders)
    found += insideBox(coord, extents);
  EXPECT_EQ(layout.covers(extents), found == total);

  OwnerPredicate owner = layout.ownerPredicate();
  Coord bounds = layout.getBounds();
  for (auto &[coord, positions] : holders) {
    EXPECT_TRUE(insideBox(coord, bounds));
    std::vector<Position> owners;
    for (const Position &position : positions)
      if (owner.holds(position))
        owners.push_back(position);
    ASSERT_EQ(owners.size(), 1u) << "every element has one owner";
    std::optional<Position> located = layout.locate(coord);
    ASSERT_TRUE(located);
    EXPECT_EQ(*located, owners.front());
  }
  EXPECT_EQ(owner.isTrivial(), [&] {
    for (auto &[coord, positions] : holders)
      if (positions.size() != 1)
        return false;
    return true;
  }());

  for (unsigned dim = 0; dim < layout.getRank(); ++dim) {
    // Brute force: the largest n whose groups of n registers are n aligned consecutive elements.
    int64_t best = 1;
    for (int64_t n = 2; layout.getNumRegisters() % n == 0; n *= 2) {
      bool good = true;
      layout.forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
        Position first = position;
        first.reg -= position.reg % n;
        Coord start = layout.apply(first);
        if (start[dim] % n != 0)
          good = false;
        start[dim] += position.reg % n;
        if (keyOf(start) != keyOf(coord))
          good = false;
      });
      if (!good)
        break;
      best = n;
    }
    EXPECT_EQ(layout.vectorWidth(dim), best);
  }
}

TEST(Layout, BlockedCoversEveryExtentOfOneDimension) {
  for (int64_t extent = 1; extent <= 260; ++extent)
    for (int64_t vector : {1, 4}) {
      int64_t warps = 1 + extent % 7;
      int64_t reps = ceilDiv(extent, vector * 32 * warps);
      Layout layout = Layout::blocked({vector}, {32}, {warps}, {reps});
      EXPECT_EQ(layout.getNumWarps(), warps);
      EXPECT_EQ(layout.getNumRegisters(), vector * reps);
      EXPECT_TRUE(layout.covers({extent}));
      EXPECT_FALSE(layout.covers({vector * 32 * warps * reps + 1}));
      checkAgainstBruteForce(layout, {extent}, "extent " + std::to_string(extent));
    }
}

TEST(Layout, BlockedCoversShapesOfTwoDimensions) {
  struct Case {
    int64_t shape[2], vector[2], lanes[2], warps[2];
  };
  const Case cases[] = {{{1, 1}, {1, 1}, {1, 32}, {1, 1}},    {{3, 5}, {1, 1}, {4, 8}, {1, 1}},
                        {{24, 128}, {1, 4}, {1, 32}, {3, 1}}, {{16, 448}, {1, 8}, {2, 16}, {1, 3}},
                        {{128, 48}, {1, 8}, {8, 4}, {4, 1}},  {{33, 17}, {2, 2}, {4, 8}, {2, 3}},
                        {{96, 64}, {1, 8}, {4, 8}, {5, 1}},   {{7, 229}, {1, 1}, {1, 32}, {1, 7}},
                        {{64, 2}, {4, 1}, {32, 1}, {1, 1}},   {{12, 100}, {1, 2}, {2, 16}, {6, 2}},
                        {{160, 24}, {1, 8}, {8, 4}, {12, 1}}, {{2, 2048}, {1, 8}, {1, 32}, {1, 8}}};
  for (const Case &c : cases) {
    int64_t reps[2];
    for (int d = 0; d < 2; ++d)
      reps[d] = ceilDiv(c.shape[d], c.vector[d] * c.lanes[d] * c.warps[d]);
    Layout layout = Layout::blocked(c.vector, c.lanes, c.warps, reps);
    EXPECT_TRUE(layout.covers(c.shape));
    checkAgainstBruteForce(layout, c.shape, std::to_string(c.shape[0]) + "x" + std::to_string(c.shape[1]));
  }
}

TEST(Layout, EveryWarpCountOfABlock) {
  for (int64_t warps = 1; warps <= 32; ++warps)
    checkAgainstBruteForce(Layout::blocked({2}, {32}, {warps}, {1}), {warps * 64},
                           std::to_string(warps) + " warps");
}

// A vector of rows, held once a column by 4 lanes and by each of 3 warps: the shape of a row maximum.
TEST(Layout, ReplicationHasOneOwner) {
  Layout layout(1);
  layout.addBit(Place::Lane, {0}).addBit(Place::Lane, {0});
  layout.addBit(Place::Lane, {1}).addBit(Place::Lane, {2}).addBit(Place::Lane, {4});
  layout.addFactor(3, 0, Place::Warp, 0).addFactor(2, 0, Place::Register, 8);
  OwnerPredicate owner = layout.ownerPredicate();
  EXPECT_EQ(owner.laneMask, 3);
  ASSERT_EQ(owner.zeroDigits.size(), 1u);
  EXPECT_EQ(owner.zeroDigits[0].place, Place::Warp);
  EXPECT_TRUE(layout.covers({16}));
  checkAgainstBruteForce(layout, {16}, "replicated");
}

// Two lane bits with one basis: the pair differs from the single bit only by a redundant one.
TEST(Layout, DependentBasesHaveOneOwner) {
  Layout layout(1);
  layout.addBit(Place::Register, {1}).addBit(Place::Register, {2});
  for (int64_t basis : {3, 4, 7, 8, 16})
    layout.addBit(Place::Lane, {basis});
  EXPECT_EQ(layout.ownerPredicate().laneMask, 0b101);
  checkAgainstBruteForce(layout, {32}, "dependent");
}

TEST(Layout, RowMajorMemory) {
  Layout memory = Layout::rowMajor({3, 5});
  EXPECT_EQ(memory.getNumPlaces(Place::Offset), 15);
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j)
      EXPECT_EQ(memory.locate({i, j})->offset, i * 5 + j);
  EXPECT_FALSE(memory.locate({3, 0}));
  EXPECT_FALSE(memory.locate({0, -1}));
}

// 96 x 128 of 16-bit elements as two panels of 64 columns, 128-byte swizzle: the panel stride is two bits of
// an address, which is why memory needs integer strides.
Layout makePanels() {
  Layout memory(2);
  for (int64_t bit = 1; bit < 8; bit *= 2)
    memory.addBit(Place::Offset, {0, bit});
  for (int64_t bit = 1; bit < 8; bit *= 2)
    memory.addBit(Place::Offset, {0, 8 * bit});
  for (int64_t bit = 1; bit < 8; bit *= 2)
    memory.addBit(Place::Offset, {bit, 8 * bit});
  return memory.addFactor(12, 0, Place::Offset, 8).addFactor(2, 1, Place::Offset, 64);
}

TEST(Layout, PanelsWithSwizzle) {
  Layout memory = makePanels();
  EXPECT_EQ(memory.getNumPlaces(Place::Offset), 96 * 128);
  EXPECT_TRUE(memory.covers({96, 128}));
  std::set<int64_t> offsets;
  for (int64_t i = 0; i < 96; ++i)
    for (int64_t j = 0; j < 128; ++j) {
      // PTX ISA, "Swizzling modes": bits 4-6 of the address are XORed with bits 7-9.
      int64_t plain = (j / 64) * 96 * 64 + i * 64 + j % 64;
      int64_t want = plain ^ ((plain >> 6 & 7) << 3);
      EXPECT_EQ(memory.locate({i, j})->offset, want);
      offsets.insert(want);
    }
  EXPECT_EQ(offsets.size(), 96u * 128u);
}

TEST(Layout, ComposeGivesTheOffsetOfEveryRegister) {
  // The swizzle's 8 x 64 lie in the atom; a repetition by 32 columns would carry into it.
  Layout swizzled(2);
  for (int64_t column : {1, 2, 4, 32})
    swizzled.addBit(Place::Register, {0, column});
  for (int64_t column : {8, 16})
    swizzled.addBit(Place::Lane, {0, column});
  for (int64_t row : {1, 2, 4})
    swizzled.addBit(Place::Lane, {row, 0});
  swizzled.addFactor(3, 0, Place::Warp, 8)
      .addFactor(2, 1, Place::Register, 64)
      .addFactor(4, 0, Place::Register, 24);
  Layout blocked = Layout::blocked({1, 8}, {4, 8}, {3, 1}, {8, 2});
  auto check = [](const Layout &layout, const Layout &memory) {
    std::optional<Layout> composed = layout.compose(memory);
    ASSERT_TRUE(composed);
    layout.forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
      EXPECT_EQ(composed->apply(position)[0], memory.locate(coord)->offset);
    });
    EXPECT_EQ(composed->vectorWidth(0), 8);
  };
  check(blocked, Layout::rowMajor({96, 128}));
  check(swizzled, Layout::rowMajor({96, 128}));
  check(swizzled, makePanels());
  EXPECT_FALSE(blocked.compose(makePanels()));
}

// Repetitions of 48 columns straddle panels of 64: no digit of the result says where they go.
TEST(Layout, ComposeRefusesWhatIsNotALayout) {
  Layout layout = Layout::blocked({1, 2}, {4, 8}, {2, 3}, {1, 2});
  ASSERT_EQ(layout.getBounds()[1], 96);
  EXPECT_FALSE(layout.compose(makePanels()));
}

TEST(Layout, SameThread) {
  Layout vectors = Layout::blocked({4}, {32}, {4}, {2});
  Layout pairs = Layout::blocked({2}, {32}, {4}, {4});
  EXPECT_TRUE(vectors.sameThread(vectors, {1024}));
  EXPECT_FALSE(pairs.sameThread(vectors, {1024}));
  // Elements 0 and 1 are held by thread 0 under both.
  EXPECT_TRUE(pairs.sameThread(vectors, {2}));
  EXPECT_FALSE(pairs.sameThread(vectors, {4}));

  // Everybody holds everything: reading from there needs no exchange, the other way round does.
  Layout replicated(1);
  for (int bit = 0; bit < 5; ++bit)
    replicated.addBit(Place::Lane, {0});
  replicated.addFactor(4, 0, Place::Warp, 0).addFactor(16, 0, Place::Register, 1);
  EXPECT_TRUE(vectors.sameThread(replicated, {16}));
  EXPECT_FALSE(replicated.sameThread(vectors, {16}));
}

TEST(Layout, CheckBlockedNamesTheReason) {
  EXPECT_FALSE(Layout::checkBlocked({1, 8}, {4, 8}, {3, 1}, {8, 2}));
  EXPECT_EQ(*Layout::checkBlocked({1}, {4, 8}, {3, 1}, {8, 2}),
            "'vector', 'lanes', 'warps' and 'reps' need the same number of values, at least 1");
  EXPECT_EQ(*Layout::checkBlocked({}, {}, {}, {}),
            "'vector', 'lanes', 'warps' and 'reps' need the same number of values, at least 1");
  EXPECT_EQ(*Layout::checkBlocked({3}, {32}, {1}, {1}),
            "'vector' and 'lanes' of dimension 0 need powers of two, got 3 and 32");
  EXPECT_EQ(*Layout::checkBlocked({1}, {16}, {1}, {1}), "'lanes' need 32 in all, got 16");
  EXPECT_EQ(*Layout::checkBlocked({1}, {32}, {33}, {1}), "'warps' need 1 to 32 in all, got 33");
  EXPECT_EQ(*Layout::checkBlocked({1}, {32}, {0}, {1}), "value 0 is not in 1 … 1048576");
  EXPECT_EQ(*Layout::checkBlocked({2}, {32}, {1}, {1 << 20}), "more than 1048576 elements a thread");
}

TEST(Layout, Text) {
  EXPECT_EQ(Layout::blocked({1, 4}, {1, 32}, {3, 1}, {8, 1}).str(),
            "register (0,1)(0,2) lane (0,4)(0,8)(0,16)(0,32)(0,64) | 3:0 warp/1*1, 8:0 register/4*3");
  EXPECT_EQ(Layout::rowMajor({2, 3}).str(), "| 3:1 offset/1*1, 2:0 offset/3*1");
  EXPECT_EQ(Layout(2).str(), "");
}

} // namespace
