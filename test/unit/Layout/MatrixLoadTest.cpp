//===- MatrixLoadTest.cpp - ldmatrix carried out ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction is carried out on a memory of element numbers, as the PTX ISA describes it, and what each
// lane gets is compared with what the fragment's layout says it holds.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/MatrixLoad.h"
#include "BruteForce.h"
#include "tilec/Layout/Choose.h"
#include "tilec/Layout/Locator.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::test;
using llvm::ArrayRef;

namespace {

/// Memory with rows along `dim` in pieces of 16 bytes: a padded pitch, or panels where rows are dimension 1.
std::vector<Layout> memoriesFor(ArrayRef<int64_t> shape, unsigned dim, unsigned bits) {
  std::vector<Layout> memories;
  int64_t pitch = choosePitch(shape[dim], bits);
  memories.push_back(strided(shape, dim == 1 ? Extents{pitch, 1} : Extents{1, pitch}));
  if (dim == 1) {
    PanelChoice panel = choosePanel(shape[1], bits);
    memories.push_back(panels(shape, panel.width, panel.swizzleBytes, bits));
  }
  return memories;
}

/// Carries a plan out in all memories that it is for.
void carryOut(const Layout &fragment, unsigned dim, unsigned bits, const MatrixLoad &load) {
  SCOPED_TRACE(fragment.str() + " along " + std::to_string(dim) + ", " + std::to_string(bits) + " bits");
  int64_t perResult = 32 / bits, rowElements = 128 / bits;
  ASSERT_EQ(load.perResult, perResult);
  int64_t count = load.count;
  int64_t instructions = load.rows.getNumRegisters(), warps = fragment.getNumWarps();
  ASSERT_EQ(instructions * count * perResult, fragment.getNumRegisters());
  ASSERT_EQ(load.rows.getNumWarps(), warps);
  Coord shape = fragment.getBounds();
  Enumerated all(fragment);

  for (const Layout &memory : memoriesFor(shape, dim, bits)) {
    SCOPED_TRACE(memory.str());
    std::vector<int64_t> contents(memory.getNumPlaces(Place::Offset) + rowElements, -1);
    Locator locator(memory);
    for (int64_t number = 0; number < product(shape); ++number)
      contents[locator.locate(coordOf(number, shape))->offset] = number;
    for (int64_t warp = 0; warp < warps; ++warp)
      for (int64_t instruction = 0; instruction < instructions; ++instruction) {
        // What each lane addresses.
        int64_t address[32];
        for (int64_t lane = 0; lane < 32; ++lane) {
          std::optional<Position> place = locator.locate(load.rows.apply({instruction, lane, warp, 0}));
          ASSERT_TRUE(place);
          address[lane] = place->offset;
          ASSERT_EQ(place->offset % rowElements, 0) << "16 bytes at a multiple of 16";
          if (lane >= 8 * count)
            ASSERT_EQ(address[lane], address[lane % (8 * count)]);
        }
        for (int64_t lane = 0; lane < 32; ++lane)
          for (int64_t result = 0; result < count; ++result)
            for (int64_t element = 0; element < perResult; ++element) {
              int64_t row = lane / 4, column = lane % 4 * perResult + element;
              if (load.transposed) {
                row = lane % 4 * 2 + element;
                column = lane / 4;
              }
              int64_t got = contents[address[8 * result + row] + column];
              int64_t reg = (instruction * count + result) * perResult + element;
              ASSERT_EQ(got, numberOf(all.at(reg, warp * 32 + lane), shape))
                  << "register " << reg << " of lane " << lane << " of warp " << warp;
            }
      }
  }
}

void carryOut(const Layout &fragment, unsigned dim, unsigned bits, unsigned count, bool transposed) {
  std::optional<MatrixLoad> load = planMatrixLoad(fragment, dim, bits);
  ASSERT_TRUE(load) << fragment.str();
  EXPECT_EQ(load->count, count) << fragment.str();
  EXPECT_EQ(load->transposed, transposed) << fragment.str();
  carryOut(fragment, dim, bits, *load);
}

const Extents warpGrids[] = {{1, 1}, {2, 2}, {3, 1}, {1, 3}, {5, 1}};
const Extents repeats[] = {{1, 1}, {1, 2}, {2, 1}, {3, 1}, {1, 3}, {2, 4}, {3, 2}};

TEST(MatrixLoad, OperandsOfMma) {
  for (const Extents &warps : warpGrids)
    for (const Extents &reps : repeats)
      for (unsigned bits : {8u, 16u, 32u}) {
        Layout a = mmaFragment(MatrixOperand::A, bits, warps, reps);
        Layout b = mmaFragment(MatrixOperand::B, bits, warps, reps);
        // B has two 32-bit registers an instruction; four make an x4 where the next digit of the fragment is
        // even.
        unsigned countB = reps[1] % 2 == 0 || (reps[1] == 1 && reps[0] % 2 == 0) ? 4 : 2;
        carryOut(a, 1, bits, 4, false);
        carryOut(b, 0, bits, countB, false);
        if (bits == 16) {
          carryOut(a, 0, bits, 4, true);
          carryOut(b, 1, bits, countB, true);
        } else {
          EXPECT_FALSE(planMatrixLoad(a, 0, bits)) << "only 16-bit matrices are transposed";
          EXPECT_FALSE(planMatrixLoad(b, 1, bits));
        }
      }
}

// Stores of narrowed accumulators, and attention's P from shared memory.
TEST(MatrixLoad, AccumulatorsAndWgmma) {
  for (const Extents &warps : warpGrids)
    for (const Extents &reps : repeats) {
      Layout acc = mmaFragment(MatrixOperand::Acc, 16, warps, reps);
      unsigned count = reps[1] % 2 == 0 || (reps[1] == 1 && reps[0] % 2 == 0) ? 4 : 2;
      carryOut(acc, 1, 16, count, false);
      carryOut(acc, 0, 16, count, true);
      if (warps != Extents{1, 1} && reps != Extents{2, 1})
        continue;
      carryOut(wgmmaOperandA(16, warps, reps), 1, 16, 4, false);
      carryOut(wgmmaAccumulator(16, warps, reps), 1, 16, 4, false);
    }
}

// Fragments that are nearly those of the instruction: either there is no plan, or it is right.
TEST(MatrixLoad, OddFragments) {
  Random random(7);
  int planned = 0, refused = 0;
  for (int round = 0; round < 250; ++round) {
    unsigned bits = random.oneOf({8u, 16u, 32u});
    int64_t packed = 32 / bits;
    bool swapped = random.oneIn(3);
    auto at = [&](int64_t row, int64_t col) { return swapped ? Coord{col, row} : Coord{row, col}; };
    Layout fragment(2);
    for (int64_t bit = 1; bit < packed; bit *= 2)
      fragment.addBit(Place::Register, at(0, bit));
    auto other = [&] {
      return at(random.oneOf<int64_t>({0, 0, 8, 16, 24}), random.oneOf<int64_t>({0, 4 * packed, 2, 16, 32}));
    };
    while (random.oneIn(2) && fragment.getNumRegisters() < 16)
      fragment.addBit(Place::Register, other());
    for (int64_t word : {1, 2})
      fragment.addBit(Place::Lane, random.oneIn(20) ? other() : at(0, word * packed));
    for (int64_t row : {1, 2, 4})
      fragment.addBit(Place::Lane, random.oneIn(20) ? other() : at(row, 0));
    if (random.oneIn(2))
      fragment.addBit(Place::Warp, other());
    for (Place place : {Place::Warp, Place::Register, Place::Register})
      if (random.oneIn(2))
        fragment.addFactor(1 + random.below(6), random.below(2), place,
                           random.oneOf<int64_t>({0, 4, 8, 8, 16, 16, 24, 32, 40}));
    for (unsigned dim : {0u, 1u}) {
      std::optional<MatrixLoad> load = planMatrixLoad(fragment, dim, bits);
      ++(load ? planned : refused);
      if (load)
        carryOut(fragment, dim, bits, *load);
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(planned, 60);
  EXPECT_GT(refused, 100);
}

TEST(MatrixLoad, RefusesOtherLayouts) {
  EXPECT_FALSE(planMatrixLoad(mmaFragment(MatrixOperand::A, 64, {1, 1}, {1, 1}), 1, 64));
  // f32 accumulators have two elements in a row in two registers.
  EXPECT_FALSE(planMatrixLoad(mmaFragment(MatrixOperand::Acc, 32, {1, 1}, {1, 1}), 1, 32));
  EXPECT_FALSE(planMatrixLoad(Layout::blocked({1, 8}, {8, 4}, {1, 1}, {1, 1}), 1, 16));
  // Rows of 8 columns, but warps step by 4.
  Layout shifted(2);
  shifted.addBit(Place::Register, {0, 1}).addBit(Place::Lane, {0, 2}).addBit(Place::Lane, {0, 4});
  for (int64_t row : {1, 2, 4})
    shifted.addBit(Place::Lane, {row, 0});
  EXPECT_TRUE(planMatrixLoad(shifted, 1, 16));
  EXPECT_FALSE(planMatrixLoad(Layout(shifted).addFactor(2, 1, Place::Warp, 4), 1, 16));
}

} // namespace
