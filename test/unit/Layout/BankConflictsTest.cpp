//===- BankConflictsTest.cpp - wavefronts counted ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conflicts are counted again word by word, and the layouts that exist in order to have none are asked.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/BankConflicts.h"
#include "BruteForce.h"
#include "tilec/Layout/Choose.h"
#include "gtest/gtest.h"
#include <set>

using namespace tilec;
using namespace tilec::test;

namespace {

TEST(BankConflicts, OfAddresses) {
  auto lanes = [](int64_t stride, int64_t count = 32) {
    std::vector<int64_t> addresses;
    for (int64_t lane = 0; lane < count; ++lane)
      addresses.push_back(lane * stride);
    return addresses;
  };
  EXPECT_EQ(countConflicts(lanes(4), 4), 0);
  EXPECT_EQ(countConflicts(lanes(8), 4), 1) << "two words in every second bank";
  EXPECT_EQ(countConflicts(lanes(128), 4), 31);
  EXPECT_EQ(countConflicts(lanes(0), 4), 0) << "one word for all";
  EXPECT_EQ(countConflicts(lanes(2), 2), 0);
  EXPECT_EQ(countConflicts(lanes(1), 1), 0);
  EXPECT_EQ(countConflicts(lanes(8), 8), 0) << "two phases, each all banks once";
  EXPECT_EQ(countConflicts(lanes(16), 8), 2) << "each phase twice";
  EXPECT_EQ(countConflicts(lanes(16), 16), 0);
  EXPECT_EQ(countConflicts(lanes(128), 16), 28) << "four phases of 8 lanes, one bank group";
  EXPECT_EQ(countConflicts(lanes(144), 16), 0);
  EXPECT_EQ(countConflicts(std::vector<int64_t>(32, -1), 4), 0) << "nobody";
  std::vector<int64_t> few(32, -1);
  few[3] = 0;
  few[31] = 128;
  EXPECT_EQ(countConflicts(few, 4), 1);
  EXPECT_EQ(countConflicts(few, 8), 0) << "in different phases";
}

/// The same question, by the definition: words of each phase, by bank.
std::optional<int64_t> conflictsByForce(const Layout &registers, const Layout &memory, unsigned bits,
                                        unsigned bytes, unsigned lanes) {
  Enumerated all(registers), places(memory);
  Coord bounds = memory.getBounds();
  std::vector<int64_t> offsetOf(product(bounds), -1);
  for (size_t offset = 0; offset < places.memory.size(); ++offset)
    if (places.memory[offset])
      offsetOf[numberOf(*places.memory[offset], bounds)] = offset;
  int64_t vector = bytes * 8 / bits, most = 0;
  if (all.numRegisters % vector)
    return std::nullopt;
  for (int64_t warp = 0; warp < all.numWarps; ++warp)
    for (int64_t reg = 0; reg < all.numRegisters; reg += vector) {
      std::set<int64_t> words[4][32]; // of each bank in each phase
      for (int64_t lane = 0; lane < lanes; ++lane) {
        std::vector<int64_t> offsets;
        for (int64_t next = 0; next < vector; ++next) {
          int64_t number = numberOf(all.at(reg + next, warp * 32 + lane), bounds);
          offsets.push_back(number < 0 ? -1 : offsetOf[number]);
          if ((offsets[next] < 0) != (offsets[0] < 0) ||
              (offsets[0] >= 0 && offsets[next] != offsets[0] + next))
            return std::nullopt;
        }
        if (offsets[0] < 0)
          continue;
        int64_t start = offsets[0] * bits / 8;
        if (start % bytes)
          return std::nullopt;
        int64_t phase = bytes == 16 ? lane / 8 : bytes == 8 ? lane / 16 : 0;
        for (int64_t byte = start; byte < start + bytes; byte += std::min(bytes, 4u))
          words[phase][byte / 4 % 32].insert(byte / 4);
      }
      int64_t conflicts = 0;
      for (auto &banks : words) {
        size_t wavefronts = 1;
        for (auto &bank : banks)
          wavefronts = std::max(wavefronts, bank.size());
        conflicts += wavefronts - 1;
      }
      most = std::max(most, conflicts);
    }
  return most;
}

TEST(BankConflicts, OfLayouts) {
  int none = 0, some = 0, impossible = 0;
  auto check = [&](const Case &c, const Case &memory, unsigned bits, unsigned bytes, unsigned lanes) {
    std::optional<int64_t> expected = conflictsByForce(c.layout, memory.layout, bits, bytes, lanes);
    ++(!expected ? impossible : *expected ? some : none);
    EXPECT_EQ(bankConflicts(c.layout, memory.layout, bits, bytes, lanes), expected)
        << c.describe() << "\nin " << memory.describe() << "\n"
        << bits << " bits, " << bytes << " bytes";
  };
  auto checkTile = [&](const Extents &extents, unsigned seed) {
    std::vector<Case> memories = memoryCases(extents, seed);
    std::vector<Case> cases = pick(distributedCases(extents, seed), extents.size() == 1 ? 1 : 8, seed);
    for (size_t index = 0; index < cases.size(); ++index) {
      unsigned bytes = 2u << (index + seed) % 4, bits = index % 2 ? 16 : 8 * std::min(bytes, 4u);
      const Case &memory = memories[(index + seed / 4) % memories.size()];
      check(cases[index], memory, bits, bytes, index % 3 ? 32 : 1 + seed % 32);
    }
  };
  for (int64_t extent = 1; extent <= 260; ++extent)
    checkTile({extent}, extent);
  for (const Extents &shape : shapes)
    if (product(shape) <= 5000)
      checkTile(shape, shape[0]);
  EXPECT_GT(none, 100);
  EXPECT_GT(some, 20);
  EXPECT_GT(impossible, 100);
}

// What swizzles and padded pitches are for: the rows of an ldmatrix fall into different banks.
TEST(BankConflicts, ChosenMemoryHasNone) {
  for (unsigned bits : {8u, 16u, 32u}) {
    Layout a = mmaFragment(MatrixOperand::A, bits, {1, 1}, {2, 1});
    for (int64_t cols = 256 / bits; cols <= 520; cols += 256 / bits) {
      SCOPED_TRACE(std::to_string(cols) + " columns of " + std::to_string(bits) + " bits");
      std::optional<MatrixLoad> load = planMatrixLoad(a, 1, bits);
      ASSERT_TRUE(load);
      Extents shape = {32, cols};
      PanelChoice panel = choosePanel(cols, bits);
      EXPECT_EQ(bankConflicts(*load, panels(shape, panel.width, panel.swizzleBytes, bits), bits), 0);
      EXPECT_EQ(bankConflicts(*load, strided(shape, {choosePitch(cols, bits), 1}), bits), 0);
    }
  }
  std::optional<MatrixLoad> load = planMatrixLoad(mmaFragment(MatrixOperand::A, 16, {1, 1}, {1, 4}), 1, 16);
  EXPECT_EQ(bankConflicts(*load, Layout::rowMajor({16, 64}), 16), 28)
      << "8 rows of 128 bytes in one bank group";
  EXPECT_EQ(bankConflicts(*load, panels({16, 64}, 64, 0, 16), 16), 28);
  EXPECT_EQ(bankConflicts(*load, panels({16, 64}, 64, 32, 16), 16), 12) << "two of the groups take turns";
}

// Transposed loads read 8 rows down as well.
TEST(BankConflicts, ChosenMemoryHasNoneTransposed) {
  std::optional<MatrixLoad> load = planMatrixLoad(mmaFragment(MatrixOperand::B, 16, {1, 2}, {2, 4}), 1, 16);
  ASSERT_TRUE(load);
  EXPECT_TRUE(load->transposed);
  EXPECT_EQ(bankConflicts(*load, panels({32, 64}, 64, 128, 16), 16), 0);
  EXPECT_EQ(bankConflicts(*load, strided({32, 64}, {72, 1}), 16), 0);
  EXPECT_EQ(bankConflicts(*load, Layout::rowMajor({32, 64}), 16), 28);
}

} // namespace
