//===- MemoryTest.cpp - twins of loads, stores and atomics ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestCalls.h"
#include "gtest/gtest.h"
#include <thread>

using namespace tilec;
using namespace tilec::test;
using Id = PtxFormId;
using emu::AccessKind;
using Slots = std::vector<uint64_t>;
namespace twins = tilec::emu::twins;

namespace {

class Memory : public ::testing::Test {
protected:
  void SetUp() override { accesses.clear(); }
  void TearDown() override {
    refusesAccesses = false;
    recordsAccesses = true;
  }
  alignas(16) uint32_t words[4] = {0x83828180, 0x87868584, 0x8b8a8988, 0x8f8e8d8c};
  void *at(unsigned byte) { return reinterpret_cast<uint8_t *>(words) + byte; }
};

TEST_F(Memory, Loads) {
  EXPECT_EQ(run(Id::LdNcV4B32, twins::loadGlobal, at(0)),
            (Slots{0x83828180, 0x87868584, 0x8b8a8988, 0x8f8e8d8c}));
  EXPECT_EQ(run(Id::LdNcStreamV2B32, twins::loadGlobal, at(8)), (Slots{0x8b8a8988, 0x8f8e8d8c}));
  EXPECT_EQ(run(Id::LdNcB16, twins::loadGlobal, at(6)), Slots{0x8786});
  EXPECT_EQ(run(Id::LdNcStreamB8, twins::loadGlobal, at(5)), Slots{0x85});
  EXPECT_EQ(accesses, (std::vector<Access>{{at(0), 16, false, AccessKind::Plain},
                                           {at(8), 8, false, AccessKind::Plain},
                                           {at(6), 2, false, AccessKind::Plain},
                                           {at(5), 1, false, AccessKind::Plain}}));
  EXPECT_EQ(run(Id::LdSharedB8Pred, twins::loadShared, at(3), true, uint16_t(7)), Slots{0x83});
  EXPECT_EQ(run(Id::LdGlobalV2B32Pred, twins::loadGlobal, at(0), true, 1u, 2u),
            (Slots{0x83828180, 0x87868584}));
}

TEST_F(Memory, LoadsThatDoNotHappen) {
  EXPECT_EQ(run(Id::LdGlobalV4B32Pred, twins::loadGlobal, at(1), false, 1u, 2u, 3u, 4u), (Slots{1, 2, 3, 4}));
  EXPECT_EQ(run(Id::LdSharedB16Pred, twins::loadShared, at(1), false, uint16_t(9)), Slots{9});
  EXPECT_TRUE(accesses.empty());
  refusesAccesses = true;
  EXPECT_EQ(run(Id::LdNcV2B32, twins::loadGlobal, static_cast<void *>(nullptr)), (Slots{0, 0}));
  EXPECT_EQ(accesses.size(), 1u);
}

TEST_F(Memory, Stores) {
  run(Id::StStreamB8, twins::storeGlobal, at(1), uint16_t(0xff11));
  EXPECT_EQ(words[0], 0x83821180u);
  run(Id::StSharedB16Pred, twins::storeShared, at(2), true, uint16_t(0x2222));
  EXPECT_EQ(words[0], 0x22221180u);
  run(Id::StStreamV2B32, twins::storeGlobal, at(0), 5u, 6u);
  EXPECT_EQ(words[0], 5u);
  EXPECT_EQ(words[1], 6u);
  EXPECT_EQ(words[2], 0x8b8a8988u);
  run(Id::StGlobalV4B32Pred, twins::storeGlobal, at(0), true, 10u, 11u, 12u, 13u);
  EXPECT_EQ(words[3], 13u);
  EXPECT_EQ(accesses, (std::vector<Access>{{at(1), 1, true, AccessKind::Plain},
                                           {at(2), 2, true, AccessKind::Plain},
                                           {at(0), 8, true, AccessKind::Plain},
                                           {at(0), 16, true, AccessKind::Plain}}));
}

TEST_F(Memory, StoresThatDoNotHappen) {
  run(Id::StGlobalB32Pred, twins::storeGlobal, at(0), false, 1u);
  EXPECT_TRUE(accesses.empty());
  refusesAccesses = true;
  run(Id::StStreamB32, twins::storeGlobal, at(0), 1u);
  run(Id::RedGlobalAddB32Pred, twins::redAddB32, at(0), true, 1u);
  EXPECT_EQ(words[0], 0x83828180u);
}

/// The word after an update.
template <typename T> uint64_t after(Id id, emu::SingleTwin twin, T word, T operand, bool predicate = true) {
  alignas(16) T memory[2] = {word, word};
  accesses.clear();
  run(id, twin, static_cast<void *>(memory), predicate, operand);
  if (predicate)
    EXPECT_EQ(accesses, (std::vector<Access>{{memory, sizeof(T), false, AccessKind::Atomic},
                                             {memory, sizeof(T), true, AccessKind::Atomic}}));
  else
    EXPECT_TRUE(accesses.empty());
  EXPECT_EQ(slot(memory[1]), slot(word)); // its neighbour
  return slot(memory[0]);
}

TEST_F(Memory, AtomicIntegers) {
  EXPECT_EQ(after(Id::RedGlobalAddB32Pred, twins::redAddB32, 0xffffffffu, 2u), 1u);
  EXPECT_EQ(after(Id::RedSharedAddB64Pred, twins::redAddB64, ~UINT64_C(0), UINT64_C(2)), 1u);
  EXPECT_EQ(after(Id::RedGlobalMaxS32Pred, twins::redMaxS32, -5, 3), 3u);
  EXPECT_EQ(after(Id::RedGlobalMaxU32Pred, twins::redMaxU32, 0xfffffffbu, 3u), 0xfffffffbu);
  EXPECT_EQ(after(Id::RedGlobalMinS32Pred, twins::redMinS32, -5, 3), slot(-5));
  EXPECT_EQ(after(Id::RedGlobalMinU32Pred, twins::redMinU32, 0xfffffffbu, 3u), 3u);
  EXPECT_EQ(after(Id::RedSharedMaxS64Pred, twins::redMaxS64, INT64_C(-5), INT64_C(3)), 3u);
  EXPECT_EQ(after(Id::RedSharedMaxU64Pred, twins::redMaxU64, ~UINT64_C(4), UINT64_C(3)), ~UINT64_C(4));
  EXPECT_EQ(after(Id::RedSharedMinS64Pred, twins::redMinS64, INT64_C(5), INT64_C(-3)), ~UINT64_C(2));
  EXPECT_EQ(after(Id::RedSharedMinU64Pred, twins::redMinU64, ~UINT64_C(4), UINT64_C(3)), 3u);
  EXPECT_EQ(after(Id::RedSharedMinU64Pred, twins::redMinU64, ~UINT64_C(4), UINT64_C(3), false), ~UINT64_C(4));
}

TEST_F(Memory, AtomicFloats) {
  auto f16 = [](uint16_t a, uint16_t b) { return after(Id::RedGlobalAddF16Pred, twins::redAddF16, a, b); };
  EXPECT_EQ(f16(0x3c00, 0x3c00), 0x4000u);
  EXPECT_EQ(f16(0x3c00, 0x1000), 0x3c00u); // 1 + 2^-11: half a last place, to even
  EXPECT_EQ(f16(0x3c01, 0x1000), 0x3c02u);
  EXPECT_EQ(f16(0x0001, 0x0001), 0x0002u); // subnormal
  EXPECT_EQ(f16(0x7bff, 0x7bff), 0x7c00u);
  EXPECT_EQ(f16(0x7c00, 0xfc00), 0x7fffu);
  auto bf16 = [](uint16_t a, uint16_t b) { return after(Id::RedSharedAddBf16Pred, twins::redAddBf16, a, b); };
  EXPECT_EQ(bf16(0x3f80, 0x3f80), 0x4000u);
  EXPECT_EQ(bf16(0x3f80, 0x3b80), 0x3f80u); // 1 + 2^-8
  EXPECT_EQ(bf16(0x3f80, 0x3b81), 0x3f81u);
  EXPECT_EQ(bf16(0x0001, 0x0001), 0x0002u);
  EXPECT_EQ(after(Id::RedGlobalAddF32Pred, twins::redAddF32, 1.5f, 2.25f), slot(3.75f));
  EXPECT_EQ(after(Id::RedGlobalAddF32Pred, twins::redAddF32, f32(0x80000001), 0.0f), 0u);
  EXPECT_EQ(after(Id::RedGlobalAddF32Pred, twins::redAddF32, f32(0x00800001), f32(0x80800000)), 0u);
  EXPECT_EQ(after(Id::RedSharedAddF32Pred, twins::redAddF32, f32(0x00000001), 0.0f), 1u);
  EXPECT_EQ(after(Id::RedGlobalAddF64Pred, twins::redAddF64, 1.5, 0x1p-52), slot(1.5 + 0x1p-52));
}

TEST_F(Memory, UpdatesOfSeveralThreadsAllCount) {
  recordsAccesses = false;
  alignas(4) uint16_t halves[2] = {0, 0x3c00};
  uint32_t sum = 0;
  auto work = [&] {
    for (unsigned i = 0; i < 500; ++i) {
      run(Id::RedGlobalAddF16Pred, twins::redAddF16, static_cast<void *>(halves), true, uint16_t(0x3c00));
      run(Id::RedGlobalAddB32Pred, twins::redAddB32, static_cast<void *>(&sum), true, 3u);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sum, 6000u);
  EXPECT_EQ(halves[0], 0x67d0u); // 2000: whole numbers up to 2048 are exact
  EXPECT_EQ(halves[1], 0x3c00u);
}

} // namespace
