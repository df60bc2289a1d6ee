//===- WarpTest.cpp - twins of shuffles, votes and reductions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestCalls.h"
#include "gtest/gtest.h"
#include <functional>

using namespace tilec;
using namespace tilec::test;
using Id = PtxFormId;
namespace twins = tilec::emu::twins;

namespace {

/// Lane i has the value 100 + i; `source(lane)` is the lane whose value it must get.
void checkShuffle(Id id, emu::WarpTwin twin, uint32_t operand, uint32_t control,
                  std::function<unsigned(unsigned)> source) {
  Warp warp(id);
  for (unsigned lane = 0; lane < 32; ++lane) {
    warp.set(lane, 0, 0xffffffffu);
    warp.set(lane, 1, 100 + lane);
    warp.set(lane, 2, operand);
    warp.set(lane, 3, control);
  }
  warp.run(twin);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(warp.result(lane), 100 + source(lane))
        << PtxForm::get(id).name.str() << " " << operand << " lane " << lane;
}

constexpr uint32_t whole = 31, eights = 24 << 8 | 31, eightsUp = 24 << 8;

TEST(Warp, ShufflesOfTheWholeWarp) {
  checkShuffle(Id::ShflIdxB32, twins::shflIdxB32, 7, whole, [](unsigned) { return 7; });
  checkShuffle(Id::ShflIdxF32, twins::shflIdxF32, 39, whole, [](unsigned) { return 7; }); // 5 bits count
  for (unsigned distance : {0u, 1u, 5u, 16u, 31u}) {
    checkShuffle(Id::ShflBflyB32, twins::shflBflyB32, distance, whole,
                 [=](unsigned lane) { return lane ^ distance; });
    checkShuffle(Id::ShflBflyF32, twins::shflBflyF32, distance, whole,
                 [=](unsigned lane) { return lane ^ distance; });
    auto up = [=](unsigned lane) { return lane >= distance ? lane - distance : lane; };
    auto down = [=](unsigned lane) { return lane + distance < 32 ? lane + distance : lane; };
    checkShuffle(Id::ShflUpB32, twins::shflUpB32, distance, 0, up);
    checkShuffle(Id::ShflUpF32, twins::shflUpF32, distance, 0, up);
    checkShuffle(Id::ShflDownB32, twins::shflDownB32, distance, whole, down);
    checkShuffle(Id::ShflDownF32, twins::shflDownF32, distance, whole, down);
  }
}

TEST(Warp, ShufflesOfSegments) {
  checkShuffle(Id::ShflIdxB32, twins::shflIdxB32, 13, eights, [](unsigned lane) { return lane / 8 * 8 + 5; });
  checkShuffle(Id::ShflUpB32, twins::shflUpB32, 3, eightsUp,
               [](unsigned lane) { return lane % 8 >= 3 ? lane - 3 : lane; });
  checkShuffle(Id::ShflDownB32, twins::shflDownB32, 3, eights,
               [](unsigned lane) { return lane % 8 < 5 ? lane + 3 : lane; });
  // Across segments a butterfly may go down only.
  checkShuffle(Id::ShflBflyB32, twins::shflBflyB32, 8, eights,
               [](unsigned lane) { return lane & 8 ? lane ^ 8 : lane; });
}

/// A bound inside the segment.
TEST(Warp, ShufflesWithAClamp) {
  checkShuffle(Id::ShflIdxB32, twins::shflIdxB32, 6, 24 << 8 | 5, [](unsigned lane) { return lane; });
  checkShuffle(Id::ShflDownB32, twins::shflDownB32, 1, 20,
               [](unsigned lane) { return lane < 20 ? lane + 1 : lane; });
}

TEST(Warp, ShuffleFromALaneThatIsNotThere) {
  Warp warp(Id::ShflDownB32);
  warp.lanes = 0x0000000f;
  for (unsigned lane = 0; lane < 4; ++lane) {
    warp.set(lane, 0, warp.lanes);
    warp.set(lane, 1, 100 + lane);
    warp.set(lane, 2, 1u);
    warp.set(lane, 3, whole);
  }
  warp.run(twins::shflDownB32);
  EXPECT_EQ(warp.result(2), 103u);
  EXPECT_EQ(warp.result(3), 0xffffffffu);
  EXPECT_EQ(warp.slots[4][4], 0u); // lanes outside are left alone
}

/// All lanes in `lanes` get the same.
uint64_t uniform(Id id, emu::WarpTwin twin, uint32_t lanes, std::function<uint64_t(unsigned)> value) {
  Warp warp(id);
  warp.lanes = lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    warp.set(lane, 0, value(lane));
    warp.set(lane, 1, value(lane));
    warp.set(lane, warp.shape.memberMask, lanes);
  }
  warp.run(twin);
  std::optional<uint64_t> result;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (lanes >> lane & 1) {
      EXPECT_EQ(warp.result(lane), result.value_or(warp.result(lane)));
      result = warp.result(lane);
    } else {
      EXPECT_EQ(warp.result(lane), 0u);
    }
  }
  return *result;
}

TEST(Warp, Votes) {
  auto bits = [](uint32_t pattern) { return [=](unsigned lane) -> uint64_t { return pattern >> lane & 1; }; };
  for (uint32_t lanes : {0xffffffffu, 0x00ff00f0u, 0x80000000u})
    for (uint32_t pattern : {0u, 0xffffffffu, 0x00ff00f0u, 0x00100000u, 0x80000001u}) {
      const uint32_t votes = lanes & pattern;
      EXPECT_EQ(uniform(Id::VoteAll, twins::voteAll, lanes, bits(pattern)), votes == lanes);
      EXPECT_EQ(uniform(Id::VoteAny, twins::voteAny, lanes, bits(pattern)), votes != 0);
      EXPECT_EQ(uniform(Id::VoteUni, twins::voteUni, lanes, bits(pattern)), votes == lanes || votes == 0);
      EXPECT_EQ(uniform(Id::VoteBallot, twins::voteBallot, lanes, bits(pattern)), votes);
    }
}

TEST(Warp, Reductions) {
  auto big = [](unsigned lane) -> uint64_t {
    return lane == 3 ? 0x80000000u : lane == 9 ? 0x7fffffffu : lane;
  };
  EXPECT_EQ(uniform(Id::ReduxAddB32, twins::reduxAddB32, 0xffffffff,
                    [](unsigned lane) -> uint64_t { return 0xf0000000u + lane; }),
            31u * 32 / 2); // 32 * 0xf0000000 wraps to 0
  EXPECT_EQ(uniform(Id::ReduxAddB32, twins::reduxAddB32, 0x6, big), 3u);
  EXPECT_EQ(uniform(Id::ReduxMinS32, twins::reduxMinS32, 0xffffffff, big), 0x80000000u);
  EXPECT_EQ(uniform(Id::ReduxMaxS32, twins::reduxMaxS32, 0xffffffff, big), 0x7fffffffu);
  EXPECT_EQ(uniform(Id::ReduxMinU32, twins::reduxMinU32, 0xfffffffe, big), 1u);
  EXPECT_EQ(uniform(Id::ReduxMaxU32, twins::reduxMaxU32, 0xffffffff, big), 0x80000000u);
  EXPECT_EQ(uniform(Id::ReduxMaxS32, twins::reduxMaxS32, 0x8, big), 0x80000000u);
  EXPECT_EQ(uniform(Id::ReduxAndB32, twins::reduxAndB32, 0xe0, big), 4u); // 5 & 6 & 7
  EXPECT_EQ(uniform(Id::ReduxOrB32, twins::reduxOrB32, 0x16, big), 7u);
  EXPECT_EQ(uniform(Id::ReduxXorB32, twins::reduxXorB32, 0x70, big), 7u); // 4 ^ 5 ^ 6
}

} // namespace
