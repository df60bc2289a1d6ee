//===- TwinsWarp.cpp - shuffles, votes and reductions of a warp -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.0, 9.7.9.6 (shfl.sync), 9.7.13.10 (vote.sync), 9.7.13.13 (redux.sync). Values travel as their 32
// bits.
//
//===----------------------------------------------------------------------===//

#include "Twins.h"

using namespace tilec;
using namespace tilec::emu;

namespace {
/// The lane that `lane` reads, given its segment's first and last lane and the operand; it may lie outside
/// the bound, which the second function tells.
struct Idx {
  static int source(int lane, int operand, int segment, int first) { return first | (operand & ~segment); }
  static bool isInside(int source, int bound) { return source <= bound; }
};
struct Bfly {
  static int source(int lane, int operand, int segment, int first) { return lane ^ operand; }
  static bool isInside(int source, int bound) { return source <= bound; }
};
struct Down {
  static int source(int lane, int operand, int segment, int first) { return lane + operand; }
  static bool isInside(int source, int bound) { return source <= bound; }
};
struct Up {
  static int source(int lane, int operand, int segment, int first) { return lane - operand; }
  static bool isInside(int source, int bound) { return source >= bound; }
};

/// What reading a lane that does not take part gives, which is undefined: a NaN, and no likely integer.
constexpr uint32_t undefinedValue = 0xffffffff;

template <typename Mode> void shuffle(WarpCall &call) {
  uint32_t values[32], results[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    values[lane] = call.hasLane(lane) ? call.operand<uint32_t>(lane, 1) : undefinedValue;
  for (int lane = 0; lane < 32; ++lane) {
    if (!call.hasLane(lane))
      continue;
    const int operand = call.operand<uint32_t>(lane, 2) & 31;
    const auto control = call.operand<uint32_t>(lane, 3);
    const int clamp = control & 31, segment = control >> 8 & 31;
    const int first = lane & segment, bound = first | (clamp & ~segment);
    const int source = Mode::source(lane, operand, segment, first);
    // Who reads beyond the bound keeps the own value.
    results[lane] = values[Mode::isInside(source, bound) ? source & 31 : lane];
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.hasLane(lane))
      call.setResult(lane, 0, results[lane]);
}

template <typename T> void giveAll(WarpCall &call, T result) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.hasLane(lane))
      call.setResult(lane, 0, result);
}

uint32_t ballot(const WarpCall &call) {
  uint32_t bits = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.hasLane(lane))
      bits |= call.operand<uint32_t>(lane, 1) << lane;
  return bits;
}

/// Operand 0 is the value, as in redux.sync and unlike in the other intrinsics.
template <typename T, typename Function> void reduce(WarpCall &call, T neutral, Function function) {
  T result = neutral;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.hasLane(lane))
      result = function(result, call.operand<T>(lane, 0));
  giveAll(call, result);
}
} // namespace

void twins::shflIdxB32(WarpCall &call) { shuffle<Idx>(call); }
void twins::shflIdxF32(WarpCall &call) { shuffle<Idx>(call); }
void twins::shflBflyB32(WarpCall &call) { shuffle<Bfly>(call); }
void twins::shflBflyF32(WarpCall &call) { shuffle<Bfly>(call); }
void twins::shflUpB32(WarpCall &call) { shuffle<Up>(call); }
void twins::shflUpF32(WarpCall &call) { shuffle<Up>(call); }
void twins::shflDownB32(WarpCall &call) { shuffle<Down>(call); }
void twins::shflDownF32(WarpCall &call) { shuffle<Down>(call); }

void twins::voteAll(WarpCall &call) { giveAll(call, ballot(call) == call.lanes); }
void twins::voteAny(WarpCall &call) { giveAll(call, ballot(call) != 0); }
void twins::voteUni(WarpCall &call) {
  const uint32_t bits = ballot(call);
  giveAll(call, bits == 0 || bits == call.lanes);
}
void twins::voteBallot(WarpCall &call) { giveAll(call, ballot(call)); }

void twins::reduxAddB32(WarpCall &call) {
  reduce<uint32_t>(call, 0, [](uint32_t a, uint32_t b) { return a + b; });
}
void twins::reduxMinS32(WarpCall &call) {
  reduce<int32_t>(call, INT32_MAX, [](int32_t a, int32_t b) { return a < b ? a : b; });
}
void twins::reduxMaxS32(WarpCall &call) {
  reduce<int32_t>(call, INT32_MIN, [](int32_t a, int32_t b) { return a < b ? b : a; });
}
void twins::reduxMinU32(WarpCall &call) {
  reduce<uint32_t>(call, UINT32_MAX, [](uint32_t a, uint32_t b) { return a < b ? a : b; });
}
void twins::reduxMaxU32(WarpCall &call) {
  reduce<uint32_t>(call, 0, [](uint32_t a, uint32_t b) { return a < b ? b : a; });
}
void twins::reduxAndB32(WarpCall &call) {
  reduce<uint32_t>(call, UINT32_MAX, [](uint32_t a, uint32_t b) { return a & b; });
}
void twins::reduxOrB32(WarpCall &call) {
  reduce<uint32_t>(call, 0, [](uint32_t a, uint32_t b) { return a | b; });
}
void twins::reduxXorB32(WarpCall &call) {
  reduce<uint32_t>(call, 0, [](uint32_t a, uint32_t b) { return a ^ b; });
}
