//===- TwinsMemory.cpp - loads, stores and atomic updates -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pointer is operand 0 and may be anything where the predicate is false. Atomic updates are atomic on the
// host too: blocks run on several threads of it.
//
//===----------------------------------------------------------------------===//

#include "TwinValues.h"

using namespace tilec;
using namespace tilec::emu;

static bool isActive(const SingleCall &call) {
  return call.shape->predicate < 0 || call.operand<uint8_t>(call.shape->predicate);
}

/// The words; after a failed check zeros, after a false predicate the operands that follow it.
static void load(SingleCall &call) {
  const FormShape &shape = *call.shape;
  if (!isActive(call)) {
    for (unsigned i = 0; i < shape.words; ++i)
      call.setResult(i, call.slots[shape.predicate + 1 + i]);
    return;
  }
  const uint8_t *from = call.pointer(0);
  const bool may = call.read(from, shape.accessBytes());
  for (unsigned i = 0; i < shape.words; ++i) {
    uint64_t word = 0; // a byte is extended by zeros to the 16 bits of its register
    if (may)
      std::memcpy(&word, from + i * shape.wordBytes, shape.wordBytes);
    call.setResult(i, word);
  }
}

static void store(SingleCall &call) {
  const FormShape &shape = *call.shape;
  uint8_t *to = call.pointer(0);
  if (!isActive(call) || !call.write(to, shape.accessBytes()))
    return;
  const uint64_t *words = call.slots + (shape.predicate < 0 ? 1 : shape.predicate + 1);
  for (unsigned i = 0; i < shape.words; ++i)
    std::memcpy(to + i * shape.wordBytes, words + i, shape.wordBytes);
}

void twins::loadGlobal(SingleCall &call) { load(call); }
void twins::loadShared(SingleCall &call) { load(call); }
void twins::storeGlobal(SingleCall &call) { store(call); }
void twins::storeShared(SingleCall &call) { store(call); }

//===----------------------------------------------------------------------===//
// Atomic updates
//===----------------------------------------------------------------------===//

/// Replaces the word by a function of it and operand 2.
template <typename T, typename Function> static void update(SingleCall &call, Function function) {
  T *word = call.pointer<T>(0);
  if (!isActive(call) || !call.read(word, sizeof(T), AccessKind::Atomic) ||
      !call.write(word, sizeof(T), AccessKind::Atomic))
    return;
  const T operand = call.operand<T>(2);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, static_cast<T>(function(old, operand)), /*weak=*/true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

namespace {
template <typename T> T sum(T a, T b) { return a + b; }
template <typename T> T larger(T a, T b) { return a < b ? b : a; }
template <typename T> T smaller(T a, T b) { return a < b ? a : b; }
} // namespace

void twins::redAddB32(SingleCall &call) { update<uint32_t>(call, sum<uint32_t>); }
void twins::redAddB64(SingleCall &call) { update<uint64_t>(call, sum<uint64_t>); }
void twins::redMaxS32(SingleCall &call) { update<int32_t>(call, larger<int32_t>); }
void twins::redMaxU32(SingleCall &call) { update<uint32_t>(call, larger<uint32_t>); }
void twins::redMaxS64(SingleCall &call) { update<int64_t>(call, larger<int64_t>); }
void twins::redMaxU64(SingleCall &call) { update<uint64_t>(call, larger<uint64_t>); }
void twins::redMinS32(SingleCall &call) { update<int32_t>(call, smaller<int32_t>); }
void twins::redMinU32(SingleCall &call) { update<uint32_t>(call, smaller<uint32_t>); }
void twins::redMinS64(SingleCall &call) { update<int64_t>(call, smaller<int64_t>); }
void twins::redMinU64(SingleCall &call) { update<uint64_t>(call, smaller<uint64_t>); }

/// Global memory flushes subnormal operands and results to zero, shared memory keeps them (PTX ISA 9.7.13.7).
void twins::redAddF32(SingleCall &call) {
  const bool flushes = call.shape->form->id == PtxFormId::RedGlobalAddF32Pred;
  update<uint32_t>(call, [flushes](uint32_t a, uint32_t b) {
    float x = fromSlot<float>(a), y = fromSlot<float>(b);
    if (flushes)
      x = flush(x), y = flush(y);
    const float result = canonical(x + y);
    return static_cast<uint32_t>(toSlot(flushes ? flush(result) : result));
  });
}
void twins::redAddF64(SingleCall &call) {
  update<uint64_t>(call,
                   [](uint64_t a, uint64_t b) { return toSlot(fromSlot<double>(a) + fromSlot<double>(b)); });
}

// Rounded to double and then to 16 bits is rounded once: double has more than twice their digits.
void twins::redAddF16(SingleCall &call) {
  update<uint16_t>(call, [](uint16_t a, uint16_t b) {
    return roundF16(static_cast<double>(decodeF16(a)) + decodeF16(b));
  });
}
void twins::redAddBf16(SingleCall &call) {
  update<uint16_t>(call, [](uint16_t a, uint16_t b) {
    return roundBf16(static_cast<double>(decodeBF16(a)) + decodeBF16(b));
  });
}
