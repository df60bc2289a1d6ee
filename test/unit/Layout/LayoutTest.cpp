//===- LayoutTest.cpp - layouts one by one ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one has to know about layouts, by examples whose answers were worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace tilec;
using namespace tilec::test;
using llvm::ArrayRef;

namespace {

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
  checkLayout({"replicated", layout, {16}});
}

// Two lane bits with one basis: the pair differs from the single bit only by a redundant one.
TEST(Layout, DependentBasesHaveOneOwner) {
  Layout layout(1);
  layout.addBit(Place::Register, {1}).addBit(Place::Register, {2});
  for (int64_t basis : {3, 4, 7, 8, 16})
    layout.addBit(Place::Lane, {basis});
  EXPECT_EQ(layout.ownerPredicate().laneMask, 0b101);
  checkLayout({"dependent", layout, {32}});
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

// Larger than the table of offsets goes: the same answers, element by element.
TEST(Layout, ComposeWithMemoryLargerThanATile) {
  Layout layout = Layout::blocked({1, 4}, {1, 32}, {3, 1}, {2, 2});
  std::optional<Layout> composed = layout.compose(Layout::rowMajor({2048, 1024}));
  ASSERT_TRUE(composed);
  layout.forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
    ASSERT_EQ(composed->apply(position)[0], coord[0] * 1024 + coord[1]);
  });
}

// Rows of 8 every 4 elements lie on top of each other: no offset is the second half of one row alone.
TEST(Layout, OverlappingMemoryIsNone) {
  Layout memory = strided({4, 8}, {4, 1});
  EXPECT_FALSE(memory.hasFreeDigits());
  EXPECT_FALSE(memory.covers({4, 8}));
  EXPECT_TRUE(memory.covers({4, 4}));
  EXPECT_TRUE(strided({4, 8}, {9, 1}).hasFreeDigits());
  EXPECT_TRUE(strided({4, 8}, {9, 1}).covers({4, 8}));
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
