//===- LayoutAttrTest.cpp - named layouts against the PTX ISA -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each named layout is compared, place by place, with the formula that the PTX ISA prints for it: the
// formulas here are written from the manual, the layouts from bits and factors.
//
//===----------------------------------------------------------------------===//

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilec::tile;
using tilec::Coord;
using tilec::Layout;
using tilec::Position;

namespace {

class LayoutAttrTest : public ::testing::Test {
protected:
  LayoutAttrTest() { context.loadDialect<TileDialect>(); }

  LayoutAttrInterface parse(StringRef text) {
    auto layout = dyn_cast_if_present<LayoutAttrInterface>(parseAttribute(text, &context));
    EXPECT_TRUE(layout) << text.str();
    return layout;
  }

  /// Every place of the layout holds the element that `formula(register, lane, warp)` says.
  void expectPlaces(StringRef text, int64_t registers, int64_t warps,
                    llvm::function_ref<Coord(int64_t, int64_t, int64_t)> formula) {
    Layout layout = parse(text).toLinear();
    ASSERT_EQ(layout.getNumRegisters(), registers) << text.str();
    ASSERT_EQ(layout.getNumWarps(), warps) << text.str();
    layout.forEachPlace([&](const Position &place, ArrayRef<int64_t> coord) {
      Coord want = formula(place.reg, place.lane, place.warp);
      ASSERT_EQ(Coord(coord), want) << text.str() << " register " << place.reg << " lane " << place.lane
                                    << " warp " << place.warp;
    });
  }

  MLIRContext context;
};

/// groupID and threadID_in_group of the PTX ISA.
int64_t group(int64_t lane) { return lane / 4; }
int64_t inGroup(int64_t lane) { return lane % 4; }

TEST_F(LayoutAttrTest, blockedIsTheLayoutOfItsName) {
  EXPECT_EQ(
      parse("#tile.blocked<vector = [1, 4], lanes = [1, 32], warps = [3, 1], reps = [2, 1]>").toLinear(),
      Layout::blocked({1, 4}, {1, 32}, {3, 1}, {2, 1}));
}

// "Matrix Fragments for mma.m16n8k16 with floating point type": C and D.
TEST_F(LayoutAttrTest, mmaAccumulator) {
  auto formula = [](int64_t i, int64_t lane, int64_t) {
    return Coord{i < 2 ? group(lane) : group(lane) + 8, inGroup(lane) * 2 + (i & 1)};
  };
  expectPlaces("#tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 1]>", 4, 1, formula);
}

// Warps divide m and n, repetitions follow: element (16w0 + …, 8w1 + …), then further by 32 rows and 16
// columns.
TEST_F(LayoutAttrTest, mmaAccumulatorOfManyWarps) {
  auto formula = [](int64_t i, int64_t lane, int64_t warp) {
    int64_t c = i % 4, rep = i / 4;
    return Coord{(c < 2 ? group(lane) : group(lane) + 8) + 16 * (warp / 3) + 32 * (rep / 2),
                 inGroup(lane) * 2 + (c & 1) + 8 * (warp % 3) + 24 * (rep % 2)};
  };
  expectPlaces("#tile.mma<acc, bits = 32, warps = [2, 3], reps = [2, 2]>", 16, 6, formula);
}

TEST_F(LayoutAttrTest, mmaA) {
  auto f16 = [](int64_t i, int64_t lane, int64_t) {
    bool upper = i < 2 || (i >= 4 && i < 6);
    return Coord{upper ? group(lane) : group(lane) + 8, inGroup(lane) * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  };
  expectPlaces("#tile.mma<a, bits = 16, warps = [1, 1], reps = [1, 1]>", 8, 1, f16);
  auto i8 = [](int64_t i, int64_t lane, int64_t) {
    bool upper = i < 4 || (i >= 8 && i < 12);
    return Coord{upper ? group(lane) : group(lane) + 8, inGroup(lane) * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
  };
  expectPlaces("#tile.mma<a, bits = 8, warps = [1, 1], reps = [1, 1]>", 16, 1, i8);
  auto tf32 = [](int64_t i, int64_t lane, int64_t) {
    return Coord{i == 0 || i == 2 ? group(lane) : group(lane) + 8, i < 2 ? inGroup(lane) : inGroup(lane) + 4};
  };
  expectPlaces("#tile.mma<a, bits = 32, warps = [1, 1], reps = [1, 1]>", 4, 1, tf32);
}

TEST_F(LayoutAttrTest, mmaB) {
  auto f16 = [](int64_t i, int64_t lane, int64_t) {
    return Coord{inGroup(lane) * 2 + (i & 1) + (i >= 2 ? 8 : 0), group(lane)};
  };
  expectPlaces("#tile.mma<b, bits = 16, warps = [1, 1], reps = [1, 1]>", 4, 1, f16);
  auto i8 = [](int64_t i, int64_t lane, int64_t) {
    return Coord{inGroup(lane) * 4 + (i & 3) + (i >= 4 ? 16 : 0), group(lane)};
  };
  expectPlaces("#tile.mma<b, bits = 8, warps = [1, 1], reps = [1, 1]>", 8, 1, i8);
  auto tf32 = [](int64_t i, int64_t lane, int64_t) {
    return Coord{i == 0 ? inGroup(lane) : inGroup(lane) + 4, group(lane)};
  };
  expectPlaces("#tile.mma<b, bits = 32, warps = [1, 1], reps = [1, 1]>", 2, 1, tf32);
}

// A warp of another n needs the same rows of A, one of another m the same columns of B.
TEST_F(LayoutAttrTest, mmaOperandsAreShared) {
  Layout a = parse("#tile.mma<a, bits = 16, warps = [2, 2], reps = [1, 1]>").toLinear();
  EXPECT_EQ(a.apply({0, 5, 0, 0}), a.apply({0, 5, 1, 0}));
  EXPECT_EQ(a.apply({0, 5, 2, 0}), (Coord{17, 2}));
  Layout b = parse("#tile.mma<b, bits = 16, warps = [2, 2], reps = [1, 1]>").toLinear();
  EXPECT_EQ(b.apply({0, 5, 0, 0}), b.apply({0, 5, 2, 0}));
  EXPECT_EQ(b.apply({0, 5, 1, 0}), (Coord{2, 9}));
}

// "Register Fragments for wgmma.mma_async.m64nNk…": D.
TEST_F(LayoutAttrTest, wgmmaAccumulator) {
  auto formula = [](int64_t i, int64_t lane, int64_t warp) {
    return Coord{warp * 16 + group(lane) + 8 * ((i / 2) % 2), 8 * (i / 4) + inGroup(lane) * 2 + i % 2};
  };
  expectPlaces("#tile.wgmma_acc<n = 8, warpgroups = [1, 1], reps = [1, 1]>", 4, 4, formula);
  expectPlaces("#tile.wgmma_acc<n = 24, warpgroups = [1, 1], reps = [1, 1]>", 12, 4, formula);
  expectPlaces("#tile.wgmma_acc<n = 256, warpgroups = [1, 1], reps = [1, 1]>", 128, 4, formula);
  // Three warpgroups below each other: warps count on.
  expectPlaces("#tile.wgmma_acc<n = 176, warpgroups = [3, 1], reps = [1, 1]>", 88, 12, formula);
}

TEST_F(LayoutAttrTest, wgmmaAccumulatorsBesideEachOther) {
  auto formula = [](int64_t i, int64_t lane, int64_t warp) {
    int64_t c = i % 32;
    return Coord{(warp % 4) * 16 + group(lane) + 8 * ((c / 2) % 2) + 64 * (i / 32),
                 8 * (c / 4) + inGroup(lane) * 2 + c % 2 + 64 * (warp / 4)};
  };
  expectPlaces("#tile.wgmma_acc<n = 64, warpgroups = [1, 2], reps = [2, 1]>", 64, 8, formula);
}

// "Register Fragments for wgmma.mma_async.m64nNk16": A.
TEST_F(LayoutAttrTest, wgmmaA) {
  auto formula = [](int64_t i, int64_t lane, int64_t warp) {
    int64_t a = i % 8;
    return Coord{warp * 16 + group(lane) + 8 * ((a / 2) % 2),
                 16 * (i / 8) + inGroup(lane) * 2 + a % 2 + (a >= 4 ? 8 : 0)};
  };
  expectPlaces("#tile.wgmma_a<bits = 16, warpgroups = [2, 1], reps = [1, 4]>", 32, 8, formula);
}

// Why a narrowed accumulator is an A operand without any exchange: attention's P.
TEST_F(LayoutAttrTest, accumulatorBecomesOperandInPlace) {
  Layout acc = parse("#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>").toLinear();
  Layout a = parse("#tile.wgmma_a<bits = 16, warpgroups = [2, 1], reps = [1, 8]>").toLinear();
  EXPECT_TRUE(a.sameThread(acc, {128, 128}));
  acc.forEachPlace(
      [&](const Position &place, ArrayRef<int64_t> coord) { ASSERT_EQ(Coord(coord), a.apply(place)); });
  EXPECT_FALSE(parse("#tile.wgmma_a<bits = 8, warpgroups = [2, 1], reps = [1, 4]>")
                   .toLinear()
                   .sameThread(acc, {128, 128}));
}

TEST_F(LayoutAttrTest, rowsOfAnAccumulator) {
  auto row = [](int64_t i, int64_t lane, int64_t warp) { return Coord{warp * 16 + group(lane) + 8 * i}; };
  expectPlaces("#tile.rows<#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>, axis = 1>", 2, 8,
               row);
  // The quad's parts are numbered: lane bits 0 and 1.
  auto part = [](int64_t i, int64_t lane, int64_t warp) {
    return Coord{warp * 16 + group(lane) + 8 * i, inGroup(lane)};
  };
  expectPlaces(
      "#tile.rows<#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>, axis = 1, parts = threads>", 2,
      8, part);
  // Columns: warps below each other hold the same column, lanes of other rows too.
  auto column = [](int64_t i, int64_t lane, int64_t) {
    return Coord{8 * (i / 2) + inGroup(lane) * 2 + i % 2};
  };
  expectPlaces("#tile.rows<#tile.wgmma_acc<n = 24, warpgroups = [1, 1], reps = [1, 1]>, axis = 0>", 6, 4,
               column);
}

// Parts that lie in warps as well: 4 lanes, then 3 warps.
TEST_F(LayoutAttrTest, partsOverWarps) {
  auto part = [](int64_t i, int64_t lane, int64_t warp) {
    return Coord{group(lane) + 8 * i, inGroup(lane) + 4 * (warp % 3)};
  };
  expectPlaces(
      "#tile.rows<#tile.mma<acc, bits = 32, warps = [1, 3], reps = [1, 2]>, axis = 1, parts = threads>", 2, 3,
      part);
}

// Warps alone are numbered: lanes of a quad hold the same part.
TEST_F(LayoutAttrTest, partsOfWarps) {
  auto part = [](int64_t i, int64_t lane, int64_t warp) { return Coord{group(lane) + 8 * i, warp % 3}; };
  expectPlaces(
      "#tile.rows<#tile.mma<acc, bits = 32, warps = [1, 3], reps = [1, 2]>, axis = 1, parts = warps>", 2, 3,
      part);
}

// A dimension of extent 1 in front, in the middle, behind.
TEST_F(LayoutAttrTest, unitDimension) {
  const std::string parent = "#tile.blocked<vector = [1, 2], lanes = [8, 4], warps = [3, 1], reps = [1, 2]>";
  Layout inner = parse(parent).toLinear();
  for (size_t axis : {0, 1, 2}) {
    Layout layout = parse("#tile.unit<" + parent + ", axis = " + std::to_string(axis) + ">").toLinear();
    inner.forEachPlace([&](const Position &position, ArrayRef<int64_t> coord) {
      Coord expected(coord);
      expected.insert(expected.begin() + axis, 0);
      EXPECT_EQ(layout.apply(position), expected);
    });
  }
}

// "Matrix Fragments for mma.m8n8k4 with .f64 floating point type".
TEST_F(LayoutAttrTest, mmaOf64Bits) {
  auto acc = [](int64_t i, int64_t lane, int64_t) { return Coord{group(lane), inGroup(lane) * 2 + i}; };
  expectPlaces("#tile.mma<acc, bits = 64, warps = [1, 1], reps = [1, 1]>", 2, 1, acc);
  auto a = [](int64_t, int64_t lane, int64_t) { return Coord{group(lane), inGroup(lane)}; };
  expectPlaces("#tile.mma<a, bits = 64, warps = [1, 1], reps = [1, 1]>", 1, 1, a);
  auto b = [](int64_t, int64_t lane, int64_t) { return Coord{inGroup(lane), group(lane)}; };
  expectPlaces("#tile.mma<b, bits = 64, warps = [1, 1], reps = [1, 1]>", 1, 1, b);
}

// The reduced layout of a blocked one covers what it should.
TEST_F(LayoutAttrTest, rowsCover) {
  for (int64_t axis : {0, 1}) {
    std::string text =
        "#tile.rows<#tile.blocked<vector = [2, 4], lanes = [4, 8], warps = [3, 2], reps = [2, 5]>, axis = " +
        std::to_string(axis) + ">";
    Layout rows = parse(text).toLinear();
    int64_t extent = axis == 1 ? 2 * 4 * 3 * 2 : 4 * 8 * 2 * 5;
    EXPECT_TRUE(rows.covers({extent})) << text;
    EXPECT_FALSE(rows.covers({extent + 1})) << text;
  }
}

// CUTLASS's Swizzle<B, 4, 3> on byte addresses, which is what the PTX ISA draws for the swizzling modes.
int64_t panelOffset(int64_t row, int64_t column, int64_t rows, int64_t width, unsigned swizzle,
                    unsigned bits) {
  int64_t panelBytes = ((rows + 7) / 8) * 8 * width * bits / 8;
  int64_t address = row * (width * bits / 8) + (column % width) * bits / 8;
  if (swizzle)
    address ^= ((address >> 7) & (swizzle / 16 - 1)) << 4;
  return (address + (column / width) * panelBytes) * 8 / bits;
}

TEST_F(LayoutAttrTest, panels) {
  struct Case {
    int64_t rows, columns, width;
    unsigned swizzle, bits;
  };
  for (Case c : {Case{128, 128, 64, 128, 16}, Case{96, 128, 64, 128, 16}, Case{13, 64, 64, 128, 16},
                 Case{64, 64, 32, 64, 16}, Case{64, 48, 16, 32, 16}, Case{40, 64, 32, 128, 32},
                 Case{64, 128, 128, 128, 8}, Case{24, 64, 64, 0, 16}}) {
    std::string text = "#tile.panels<" + std::to_string(c.width) + ", " +
                       (c.swizzle ? "sw" + std::to_string(c.swizzle) : std::string("none")) + ">";
    Layout layout = parse(text).toLinearFor({c.rows, c.columns}, c.bits);
    EXPECT_TRUE(layout.covers({c.rows, c.columns})) << text;
    for (int64_t row = 0; row < c.rows; ++row)
      for (int64_t column = 0; column < c.columns; ++column) {
        std::optional<Position> place = layout.locate({row, column});
        ASSERT_TRUE(place) << text << " " << row << " " << column;
        ASSERT_EQ(place->offset, panelOffset(row, column, c.rows, c.width, c.swizzle, c.bits))
            << text << " " << row << " " << column;
      }
  }
}

TEST_F(LayoutAttrTest, strided) {
  Layout layout = parse("#tile.strided<[72, 1, 576]>").toLinearFor({8, 64, 3}, 16);
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t j = 0; j < 64; ++j)
      for (int64_t k = 0; k < 3; ++k)
        ASSERT_EQ(layout.locate({i, j, k})->offset, 72 * i + j + 576 * k);
}

} // namespace
