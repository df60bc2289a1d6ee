//===- TwinsConvert.cpp - conversions and byte permutation ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.0, 9.7.9.21 (cvt) and 9.7.9.7 (prmt). Two-element conversions put their first operand into the
// upper half.
//
//===----------------------------------------------------------------------===//

#include "TwinValues.h"
#include <limits>

using namespace tilec;
using namespace tilec::emu;

//===----------------------------------------------------------------------===//
// To narrower floats
//===----------------------------------------------------------------------===//

// Results have 13 low bits of zero. PTX leaves NaNs open; as measured on an H200, .rna only clears the low
// bits where the exponent is all ones, which makes infinities of NaNs without other bits, and .rn gives one
// NaN.
static constexpr uint32_t tf32Mask = 0xffffe000;

/// Ties away from zero: half a last place is added to the magnitude, and the carry does the rest.
void twins::cvtTf32Rna(SingleCall &call) {
  const uint32_t bits = call.operand<uint32_t>(0);
  const bool isFinite = (bits & 0x7fffffff) < 0x7f800000;
  call.setResult(0, (isFinite ? bits + 0x1000 : bits) & tf32Mask);
}
void twins::cvtTf32Rn(SingleCall &call) {
  const auto value = call.operand<float>(0);
  call.setResult(0,
                 value == value ? static_cast<uint32_t>(toSlot(roundTF32(value))) : canonicalNaN & tf32Mask);
}

void twins::cvtF16x2(SingleCall &call) {
  call.setResult(0, makePair(roundF16(call.operand<float>(1)), roundF16(call.operand<float>(0))));
}
void twins::cvtBf16x2(SingleCall &call) {
  call.setResult(0, makePair(roundBf16(call.operand<float>(1)), roundBf16(call.operand<float>(0))));
}

static uint16_t makeBytes(uint8_t low, uint8_t high) { return static_cast<uint16_t>(low | high << 8); }

void twins::cvtE4m3x2(SingleCall &call) {
  call.setResult(0, makeBytes(encodeE4M3(call.operand<float>(1)), encodeE4M3(call.operand<float>(0))));
}
void twins::cvtE5m2x2(SingleCall &call) {
  call.setResult(0, makeBytes(encodeE5M2(call.operand<float>(1)), encodeE5M2(call.operand<float>(0))));
}
void twins::cvtE4m3x2FromF16x2(SingleCall &call) {
  const auto pair = call.operand<uint32_t>(0);
  call.setResult(0, makeBytes(encodeE4M3(decodeF16(lowHalf(pair))), encodeE4M3(decodeF16(highHalf(pair)))));
}
void twins::cvtE5m2x2FromF16x2(SingleCall &call) {
  const auto pair = call.operand<uint32_t>(0);
  call.setResult(0, makeBytes(encodeE5M2(decodeF16(lowHalf(pair))), encodeE5M2(decodeF16(highHalf(pair)))));
}

// Every e4m3 and e5m2 is an f16.
void twins::cvtF16x2FromE4m3x2(SingleCall &call) {
  const auto bytes = call.operand<uint16_t>(0);
  call.setResult(0, makePair(roundF16(decodeE4M3(static_cast<uint8_t>(bytes))),
                             roundF16(decodeE4M3(static_cast<uint8_t>(bytes >> 8)))));
}
void twins::cvtF16x2FromE5m2x2(SingleCall &call) {
  const auto bytes = call.operand<uint16_t>(0);
  call.setResult(0, makePair(roundF16(decodeE5M2(static_cast<uint8_t>(bytes))),
                             roundF16(decodeE5M2(static_cast<uint8_t>(bytes >> 8)))));
}

//===----------------------------------------------------------------------===//
// To integers
//===----------------------------------------------------------------------===//

/// Truncates and saturates; `nan` is what a NaN gives.
template <typename To> static void toInteger(SingleCall &call, double value, To nan) {
  using Limits = std::numeric_limits<To>;
  // The first number beyond is a power of two; the largest integer itself may be no double.
  const double beyond = std::ldexp(1.0, Limits::digits);
  const double least = Limits::is_signed ? -beyond : 0.0;
  To result;
  if (value != value)
    result = nan;
  else if (value >= beyond)
    result = Limits::max();
  else if (value <= least)
    result = Limits::min();
  else
    result = static_cast<To>(value);
  call.setResult(0, result);
}

static constexpr uint32_t top32 = 0x80000000;
static constexpr uint64_t top64 = 0x8000000000000000;

void twins::cvtS32FromF32(SingleCall &call) { toInteger<int32_t>(call, call.operand<float>(0), 0); }
void twins::cvtU32FromF32(SingleCall &call) { toInteger<uint32_t>(call, call.operand<float>(0), 0); }
void twins::cvtS64FromF32(SingleCall &call) {
  toInteger<int64_t>(call, call.operand<float>(0), static_cast<int64_t>(top64));
}
void twins::cvtU64FromF32(SingleCall &call) { toInteger<uint64_t>(call, call.operand<float>(0), top64); }
void twins::cvtS32FromF64(SingleCall &call) {
  toInteger<int32_t>(call, call.operand<double>(0), static_cast<int32_t>(top32));
}
void twins::cvtU32FromF64(SingleCall &call) { toInteger<uint32_t>(call, call.operand<double>(0), top32); }
void twins::cvtS64FromF64(SingleCall &call) {
  toInteger<int64_t>(call, call.operand<double>(0), static_cast<int64_t>(top64));
}
void twins::cvtU64FromF64(SingleCall &call) { toInteger<uint64_t>(call, call.operand<double>(0), top64); }

/// Byte i of the result is the one of the eight bytes of both operands that nibble i of the selector names;
/// its top bit asks for the byte's sign in all eight bits instead.
void twins::prmt(SingleCall &call) {
  const uint64_t bytes = call.operand<uint32_t>(0) | static_cast<uint64_t>(call.operand<uint32_t>(1)) << 32;
  const auto selector = call.operand<uint32_t>(2);
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint32_t nibble = selector >> 4 * i & 15;
    uint32_t byte = bytes >> 8 * (nibble & 7) & 0xff;
    if (nibble & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  call.setResult(0, result);
}
