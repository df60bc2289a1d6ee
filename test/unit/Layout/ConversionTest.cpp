//===- ConversionTest.cpp - plans carried out -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each plan is carried out on the numbers of the elements, and each refusal of a cheaper one is checked
// against all plans there could be.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Conversion.h"
#include "BruteForce.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace tilec;
using namespace tilec::test;
using llvm::ArrayRef;

namespace {

/// Element numbers by register, warp and lane.
struct Values {
  Values(const Layout &layout, ArrayRef<int64_t> extents) : all(layout), numbers(all.numbers(extents)) {}
  int64_t at(int64_t reg, int64_t warp, int64_t lane) const {
    return numbers[(reg * all.numWarps + warp) * 32 + lane];
  }

  Enumerated all;
  std::vector<int64_t> numbers;
};

bool registerFits(const Values &from, int64_t source, const Values &to, int64_t reg) {
  for (int64_t warp = 0; warp < to.all.numWarps; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      if (int64_t want = to.at(reg, warp, lane); want >= 0 && want != from.at(source, warp, lane))
        return false;
  return true;
}

bool tableFits(const Values &from, int64_t source, int64_t fromLane, const Values &to, int64_t reg,
               int64_t lane) {
  for (int64_t warp = 0; warp < to.all.numWarps; ++warp)
    if (int64_t want = to.at(reg, warp, lane); want >= 0 && want != from.at(source, warp, fromLane))
      return false;
  return true;
}

template <typename Fn> bool someRegister(const Values &from, Fn &&fits) {
  for (int64_t source = 0; source < from.all.numRegisters; ++source)
    if (fits(source))
      return true;
  return false;
}

/// Register `reg` of `to` can be had by a shuffle of one register of `from`.
bool hasShuffle(const Values &from, const Values &to, int64_t reg) {
  return someRegister(from, [&](int64_t source) {
    for (int64_t lane = 0; lane < 32; ++lane) {
      bool found = false;
      for (int64_t fromLane = 0; fromLane < 32 && !found; ++fromLane)
        found = tableFits(from, source, fromLane, to, reg, lane);
      if (!found)
        return false;
    }
    return true;
  });
}

ConversionPlan::Kind check(const Layout &fromLayout, const Layout &toLayout, ArrayRef<int64_t> extents) {
  SCOPED_TRACE("from " + fromLayout.str() + "\nto " + toLayout.str());
  ConversionPlan plan = planConversion(fromLayout, toLayout, extents);
  Values from(fromLayout, extents), to(toLayout, extents);
  size_t numRegisters = to.all.numRegisters;
  EXPECT_EQ(plan.registers.size(), plan.kind == ConversionPlan::Kind::Registers ? numRegisters : 0);
  EXPECT_EQ(plan.shuffles.size(), plan.kind == ConversionPlan::Kind::Shuffles ? numRegisters : 0);
  if (from.all.numWarps != to.all.numWarps) {
    EXPECT_EQ(plan.kind, ConversionPlan::Kind::Shared);
    return plan.kind;
  }
  for (size_t reg = 0; reg < plan.registers.size(); ++reg)
    EXPECT_TRUE(registerFits(from, plan.registers[reg], to, reg)) << "register " << reg;
  for (size_t reg = 0; reg < plan.shuffles.size(); ++reg) {
    const ShuffleSource &shuffle = plan.shuffles[reg];
    bool isIdentity = true;
    for (int64_t lane = 0; lane < 32; ++lane) {
      EXPECT_TRUE(tableFits(from, shuffle.source, shuffle.lanes[lane], to, reg, lane));
      isIdentity &= shuffle.lanes[lane] == lane;
    }
    EXPECT_EQ(shuffle.isIdentity(), isIdentity);
    // No shuffle where the thread has it already.
    if (!isIdentity)
      EXPECT_FALSE(someRegister(from, [&](int64_t source) { return registerFits(from, source, to, reg); }));
  }
  // What is dearer has no cheaper alternative.
  if (plan.kind != ConversionPlan::Kind::Registers) {
    bool allFit = true;
    for (size_t reg = 0; reg < numRegisters; ++reg)
      allFit &= someRegister(from, [&](int64_t source) { return registerFits(from, source, to, reg); });
    EXPECT_FALSE(allFit) << "no exchange is needed";
  }
  if (plan.kind == ConversionPlan::Kind::Shared) {
    bool allFit = true;
    for (size_t reg = 0; reg < numRegisters && allFit; ++reg)
      allFit = hasShuffle(from, to, reg);
    EXPECT_FALSE(allFit) << "shuffles would do";
  }
  return plan.kind;
}

TEST(Conversion, BetweenAllFamilies) {
  int counts[3] = {0, 0, 0};
  for (int64_t extent = 1; extent <= 260; ++extent) {
    std::vector<Case> cases = distributedCases({extent}, extent);
    for (size_t index = extent % 6; index < cases.size(); index += 6)
      ++counts[int(check(cases[index].layout, cases[(index + extent) % cases.size()].layout, {extent}))];
  }
  for (const Extents &shape : shapes) {
    unsigned seed = shape[0] + 7 * shape[1];
    std::vector<Case> cases = pick(distributedCases(shape, seed), 4, seed);
    for (const Case &from : cases)
      for (const Case &to : cases)
        ++counts[int(check(from.layout, to.layout, shape))];
  }
  for (int count : counts)
    EXPECT_GT(count, 10) << testing::PrintToString(counts);
}

// The bits of lanes in another order, and those of registers too: every register comes from one other.
TEST(Conversion, PermutedLanes) {
  unsigned order[] = {0, 1, 2, 3, 4};
  int64_t bases[] = {4, 8, 16, 32, 64};
  int shuffles = 0;
  do {
    Layout from(1), to(1);
    from.addBit(Place::Register, {1}).addBit(Place::Register, {2});
    to.addBit(Place::Register, {2}).addBit(Place::Register, {1});
    for (unsigned bit = 0; bit < 5; ++bit) {
      from.addBit(Place::Lane, {bases[bit]});
      to.addBit(Place::Lane, {bases[order[bit]]});
    }
    for (Layout *layout : {&from, &to})
      layout->addFactor(3, 0, Place::Warp, 128).addFactor(2, 0, Place::Register, 384);
    shuffles += check(from, to, {700}) == ConversionPlan::Kind::Shuffles;
  } while (std::next_permutation(std::begin(order), std::end(order)));
  EXPECT_EQ(shuffles, 119) << "all but the identity";
}

// Attention's P: narrowed, the accumulator is an A operand as it is.
TEST(Conversion, AccumulatorBecomesOperand) {
  Layout acc = mmaFragment(MatrixOperand::Acc, 32, {4, 1}, {1, 8});
  Layout a16 = mmaFragment(MatrixOperand::A, 16, {4, 1}, {1, 4});
  EXPECT_EQ(check(acc, a16, {64, 64}), ConversionPlan::Kind::Registers);
  EXPECT_EQ(check(wgmmaAccumulator(64, {2, 1}, {1, 1}), wgmmaOperandA(16, {2, 1}, {1, 4}), {128, 64}),
            ConversionPlan::Kind::Registers);
  // Four elements of a lane come from two registers of two lanes.
  EXPECT_EQ(check(acc, mmaFragment(MatrixOperand::A, 8, {4, 1}, {1, 2}), {64, 64}),
            ConversionPlan::Kind::Shared);
  EXPECT_EQ(check(acc, Layout::blocked({1, 8}, {4, 8}, {4, 1}, {4, 1}), {64, 64}),
            ConversionPlan::Kind::Shared);
}

// A column that every lane of a quad holds, handed to the lanes of another order.
TEST(Conversion, ReplicatedRowsGoByShuffle) {
  Layout rows = foldAxis(mmaFragment(MatrixOperand::Acc, 32, {2, 1}, {1, 2}), 1, AxisParts::None);
  Layout other(1);
  for (int64_t basis : {1, 2, 4, 0, 0})
    other.addBit(Place::Lane, {basis});
  other.addFactor(2, 0, Place::Warp, 16).addFactor(2, 0, Place::Register, 8);
  EXPECT_EQ(check(rows, other, {32}), ConversionPlan::Kind::Shuffles);
  ConversionPlan plan = planConversion(rows, other, {32});
  EXPECT_EQ(plan.shuffles[0].source, 0u);
  EXPECT_EQ(plan.shuffles[0].lanes[1], 4);
  EXPECT_EQ(plan.shuffles[1].source, 1u);
}

// Registers outside of the tile come from anywhere.
TEST(Conversion, OnlyTheTileCounts) {
  Layout four = Layout::blocked({1}, {32}, {1}, {4}), two = Layout::blocked({1}, {32}, {1}, {2});
  EXPECT_FALSE(four.matchRegisters(two, {0}));
  EXPECT_EQ(check(two, four, {50}), ConversionPlan::Kind::Registers);
  EXPECT_EQ(planConversion(two, four, {50}).registers, (llvm::SmallVector<unsigned>{0, 1, 0, 0}));
  EXPECT_EQ(check(two, four, {65}), ConversionPlan::Kind::Shared);
}

} // namespace
