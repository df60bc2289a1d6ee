//===- TwinValues.h - the number rules that twins share -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NaNs have one bit pattern on the device whatever went in (PTX ISA 9.0, 9.7.3 and 9.7.4): all bits set but
// the sign. Hosts keep a payload, so every twin that computes a float ends in one of these functions.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_TWINVALUES_H
#define TILEC_LIB_EMU_TWINVALUES_H

#include "Twins.h"
#include "tilec/Check/Element.h"

namespace tilec::emu {

inline constexpr uint32_t canonicalNaN = 0x7fffffff;
inline constexpr uint16_t canonicalNaN16 = 0x7fff; ///< of f16 and of bf16

inline float canonical(float value) { return value == value ? value : fromSlot<float>(canonicalNaN); }

/// Rounded once to f32. Hosts round to nearest even, as the device does.
inline float roundF32(double value) { return canonical(static_cast<float>(value)); }
inline uint16_t roundF16(double value) { return value == value ? encodeF16(value) : canonicalNaN16; }
inline uint16_t roundBf16(double value) { return value == value ? encodeBF16(value) : canonicalNaN16; }

/// .ftz: subnormal numbers become zero and keep their sign.
inline float flush(float value) { return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value; }

/// Pairs of 16 bits in a register: element 0 is the low half.
inline uint16_t lowHalf(uint32_t pair) { return static_cast<uint16_t>(pair); }
inline uint16_t highHalf(uint32_t pair) { return static_cast<uint16_t>(pair >> 16); }
inline uint32_t makePair(uint16_t low, uint16_t high) { return low | static_cast<uint32_t>(high) << 16; }

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_TWINVALUES_H
