//===- ChooseTest.cpp - choices against all candidates ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every choice is compared with all others that were possible, judged by counting, not by the formula that
// made it.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Choose.h"
#include "gtest/gtest.h"
#include <set>
#include <string>

using namespace tilec;

namespace {

/// Rows that a warp computes when `warps` take instructions of `step` in turn until `extent` is covered.
int64_t partOf(int64_t extent, int64_t warps, int64_t step) {
  int64_t part = 0;
  while (part * warps < extent)
    part += step;
  return part;
}

TEST(Choose, WarpsWasteLeast) {
  const int64_t extents[] = {1, 7, 16, 24, 48, 64, 96, 128, 176, 229, 256};
  const int64_t steps[][2] = {{16, 8}, {8, 8}, {64, 8}, {64, 256}, {1, 1}};
  for (int64_t m : extents)
    for (int64_t n : extents)
      for (int64_t warps = 1; warps <= 32; ++warps)
        for (auto [stepM, stepN] : steps)
          for (auto division : {WarpDivision::Square, WarpDivision::Rows, WarpDivision::Cols}) {
            SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n) + ", " + std::to_string(warps) +
                         " warps of " + std::to_string(stepM) + "x" + std::to_string(stepN));
            WarpGrid chosen = chooseWarps(m, n, warps, stepM, stepN, division);
            ASSERT_EQ(chosen.m * chosen.n, warps);
            int64_t rows = partOf(m, chosen.m, stepM), cols = partOf(n, chosen.n, stepN);
            for (int64_t other = 1; other <= warps; ++other) {
              if (warps % other || other == chosen.m)
                continue;
              int64_t otherRows = partOf(m, other, stepM), otherCols = partOf(n, warps / other, stepN);
              ASSERT_LE(rows * cols, otherRows * otherCols);
              if (rows * cols < otherRows * otherCols)
                continue;
              if (division == WarpDivision::Rows)
                ASSERT_GT(chosen.m, other);
              else if (division == WarpDivision::Cols)
                ASSERT_LT(chosen.m, other);
              else if (rows + cols == otherRows + otherCols)
                ASSERT_GT(chosen.m, other);
              else
                ASSERT_LT(rows + cols, otherRows + otherCols);
            }
          }
}

TEST(Choose, WarpsOfOrdinaryTiles) {
  EXPECT_EQ(chooseWarps(128, 128, 4, 16, 8), (WarpGrid{2, 2}));
  EXPECT_EQ(chooseWarps(128, 256, 8, 16, 8), (WarpGrid{2, 4}));
  EXPECT_EQ(chooseWarps(64, 256, 8, 16, 8), (WarpGrid{2, 4})) << "among equals, rows";
  EXPECT_EQ(chooseWarps(128, 128, 8, 16, 8), (WarpGrid{4, 2}));
  EXPECT_EQ(chooseWarps(96, 64, 6, 16, 8), (WarpGrid{3, 2}));
  EXPECT_EQ(chooseWarps(128, 128, 4, 16, 8, WarpDivision::Rows), (WarpGrid{4, 1}));
  EXPECT_EQ(chooseWarps(128, 128, 4, 16, 8, WarpDivision::Cols), (WarpGrid{1, 4}));
  // Two of four warps would compute nothing: waste comes first.
  EXPECT_EQ(chooseWarps(32, 128, 4, 16, 8, WarpDivision::Rows), (WarpGrid{2, 2}));
}

TEST(Choose, PanelIsTheWidestThatDivides) {
  for (unsigned bits : {4u, 8u, 16u, 32u, 64u, 128u})
    for (int64_t cols = 1; cols <= 600; ++cols) {
      SCOPED_TRACE(std::to_string(cols) + " columns of " + std::to_string(bits) + " bits");
      PanelChoice panel = choosePanel(cols, bits);
      // The padded row is the first one of whole 16-byte chunks.
      int64_t padded = cols;
      while (padded * bits % 128)
        ++padded;
      ASSERT_EQ(panel.paddedCols, padded);
      int64_t bytes = panel.width * bits / 8;
      ASSERT_TRUE(bytes == 16 || bytes == 32 || bytes == 64 || bytes == 128);
      ASSERT_EQ(panel.swizzleBytes, bytes == 16 ? 0 : bytes);
      ASSERT_EQ(padded % panel.width, 0);
      if (bytes < 128)
        ASSERT_NE(padded % (2 * panel.width), 0) << "a wider one divides too";
    }
}

TEST(Choose, PanelsOfOrdinaryTiles) {
  EXPECT_EQ(choosePanel(128, 16), (PanelChoice{64, 128, 128}));
  EXPECT_EQ(choosePanel(32, 16), (PanelChoice{32, 64, 32}));
  EXPECT_EQ(choosePanel(48, 16), (PanelChoice{16, 32, 48}));
  EXPECT_EQ(choosePanel(72, 16), (PanelChoice{8, 0, 72}));
  EXPECT_EQ(choosePanel(13, 16), (PanelChoice{16, 32, 16}));
  EXPECT_EQ(choosePanel(128, 8), (PanelChoice{128, 128, 128}));
}

TEST(Choose, PitchIsTheSmallestWithoutConflicts) {
  for (unsigned bits : {4u, 8u, 16u, 32u, 64u, 128u})
    for (int64_t cols = 1; cols <= 600; ++cols) {
      auto isGood = [&](int64_t pitch) {
        std::set<int64_t> groups;
        for (int64_t row = 0; row < 8; ++row) {
          int64_t bit = row * pitch * bits;
          if (bit % 128)
            return false;
          groups.insert(bit / 128 % 8);
        }
        return groups.size() == 8;
      };
      int64_t pitch = cols;
      while (!isGood(pitch))
        ++pitch;
      ASSERT_EQ(choosePitch(cols, bits), pitch) << cols << " columns of " << bits << " bits";
    }
}

TEST(Choose, PitchesOfOrdinaryTiles) {
  EXPECT_EQ(choosePitch(64, 16), 72);
  EXPECT_EQ(choosePitch(72, 16), 72);
  EXPECT_EQ(choosePitch(128, 32), 132);
  EXPECT_EQ(choosePitch(1, 64), 2);
}

} // namespace
