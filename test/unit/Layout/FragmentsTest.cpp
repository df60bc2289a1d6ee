//===- FragmentsTest.cpp - the layouts of the hardware ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas of the PTX ISA that the tests of the named attributes do not compare, and what holds of whole
// families.
//
//===----------------------------------------------------------------------===//

#include "BruteForce.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::test;
using llvm::ArrayRef;

namespace {

// "Matrix Fragments for mma.m8n8k4 with .f64 floating point type".
TEST(Fragments, MmaOf64Bits) {
  auto check = [](MatrixOperand operand, int64_t registers, auto formula) {
    Layout layout = mmaFragment(operand, 64, {1, 1}, {1, 1});
    ASSERT_EQ(layout.getNumRegisters(), registers);
    layout.forEachPlace([&](const Position &place, ArrayRef<int64_t> coord) {
      EXPECT_EQ(Coord(coord), formula(place.reg, place.lane / 4, place.lane % 4));
    });
  };
  check(MatrixOperand::A, 1, [](int64_t, int64_t group, int64_t inGroup) { return Coord{group, inGroup}; });
  check(MatrixOperand::B, 1, [](int64_t, int64_t group, int64_t inGroup) { return Coord{inGroup, group}; });
  check(MatrixOperand::Acc, 2,
        [](int64_t i, int64_t group, int64_t inGroup) { return Coord{group, inGroup * 2 + i}; });
}

// Warps and repetitions tile the product: each element of C has one holder, those of A as many as warps
// divide n.
TEST(Fragments, WarpsAndRepetitionsTile) {
  for (unsigned bits : {8u, 16u, 32u, 64u})
    for (int64_t m : {1, 2, 3})
      for (int64_t n : {1, 2, 5}) {
        int64_t atom = bits == 64 ? 8 : 16, k = bits == 64 ? 4 : 256 / bits;
        Extents reps = {2, 3};
        Layout acc = mmaFragment(MatrixOperand::Acc, bits == 8 ? 32 : bits, {m, n}, reps);
        Layout a = mmaFragment(MatrixOperand::A, bits, {m, n}, reps);
        Layout b = mmaFragment(MatrixOperand::B, bits, {m, n}, reps);
        EXPECT_EQ(acc.getBounds(), (Coord{2 * atom * m, 3 * 8 * n}));
        EXPECT_EQ(a.getBounds(), (Coord{2 * atom * m, 3 * k}));
        EXPECT_EQ(b.getBounds(), (Coord{2 * k, 3 * 8 * n}));
        for (auto [layout, copies] : {std::pair(acc, int64_t(1)), std::pair(a, n), std::pair(b, m)}) {
          EXPECT_TRUE(layout.covers(layout.getBounds()));
          EXPECT_EQ(layout.getNumRegisters() * 32 * layout.getNumWarps(),
                    copies * product(layout.getBounds()));
          EXPECT_EQ(layout.getNumWarps(), m * n);
        }
      }
}

// A fold by warps: every lane of a warp that held a row holds its part, and warps beside each other are
// numbered.
TEST(Fragments, PartsOfWarps) {
  Layout parts = foldAxis(mmaFragment(MatrixOperand::Acc, 32, {2, 3}, {1, 2}), 1, AxisParts::Warps);
  ASSERT_EQ(parts.getNumRegisters(), 2);
  parts.forEachPlace([&](const Position &place, ArrayRef<int64_t> coord) {
    EXPECT_EQ(Coord(coord), (Coord{place.warp / 3 * 16 + place.lane / 4 + 8 * place.reg, place.warp % 3}));
  });
  EXPECT_EQ(parts.ownerPredicate().laneMask, 3);
}

// What is left of a line is one element, which all threads hold and one owns.
TEST(Fragments, FoldOfALine) {
  Layout one = foldAxis(Layout::blocked({2}, {32}, {3}, {4}), 0, AxisParts::None);
  EXPECT_EQ(one.getRank(), 0u);
  EXPECT_EQ(one.getNumRegisters(), 1);
  EXPECT_EQ(one.getNumWarps(), 3);
  EXPECT_TRUE(one.covers({}));
  OwnerPredicate owner = one.ownerPredicate();
  int owners = 0;
  one.forEachPlace([&](const Position &place, ArrayRef<int64_t>) { owners += owner.holds(place); });
  EXPECT_EQ(owners, 1);
  EXPECT_EQ(one.locate({}), Position());
  // Any layout of registers reads it in place.
  Layout matrix = Layout::blocked({1, 2}, {4, 8}, {3, 1}, {1, 1});
  EXPECT_EQ(matrix.matchRegisters(one, {}), (llvm::SmallVector<unsigned>{0, 0}));
}

// Panels of a chunk are 8 x 16 bytes after each other, the core matrices of wgmma without swizzle.
TEST(Fragments, PanelsOfChunks) {
  for (unsigned bits : {8u, 16u, 32u, 64u}) {
    int64_t chunk = 128 / bits;
    Layout memory = panels({24, 4 * chunk}, chunk, 0, bits);
    for (int64_t row = 0; row < 24; ++row)
      for (int64_t col = 0; col < 4 * chunk; ++col)
        ASSERT_EQ(memory.locate({row, col})->offset, (col / chunk * 24 + row) * chunk + col % chunk);
  }
}

} // namespace
