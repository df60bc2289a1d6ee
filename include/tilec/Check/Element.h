//===- Element.h - element types of tensors as bytes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types a tensor can have, how each lies in memory, and its conversion to and from a number.
// Everything that looks at tensor data (the evaluator, the input generator, the comparison, tile-runner)
// goes through this header, so there is one definition of every format. It needs nothing but the standard
// library: tile-runner is built without LLVM.
//
// Formats: IEEE 754 binary16/32/64, bfloat16, TF32 (a binary32 whose low 13 bits are ignored when read and
// zero when written), E4M3 (the FN variant: no infinities, S.1111.111 is NaN) and E5M2 (PTX ISA 5.2.3
// "Alternate floating-point data formats"). i4/u4 lie two to a byte, the even index in the low nibble.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CHECK_ELEMENT_H
#define TILEC_CHECK_ELEMENT_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tilec {

enum class ElementKind : uint8_t {
  Bool,
  I4,
  U4,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F16,
  BF16,
  TF32,
  F32,
  F64,
  E4M3,
  E5M2
};
inline constexpr unsigned numElementKinds = 18;

/// What one needs to know about a kind: its spelling in the language, its bits in memory, its family.
struct ElementInfo {
  std::string_view name;
  unsigned storageBits;
  bool isFloat;
  bool isSigned; ///< of integers
};

constexpr ElementInfo elementInfo(ElementKind kind) {
  constexpr ElementInfo infos[numElementKinds] = {
      {"bool", 8, false, false}, {"i4", 4, false, true},    {"u4", 4, false, false},
      {"i8", 8, false, true},    {"u8", 8, false, false},   {"i16", 16, false, true},
      {"u16", 16, false, false}, {"i32", 32, false, true},  {"u32", 32, false, false},
      {"i64", 64, false, true},  {"u64", 64, false, false}, {"f16", 16, true, true},
      {"bf16", 16, true, true},  {"tf32", 32, true, true},  {"f32", 32, true, true},
      {"f64", 64, true, true},   {"e4m3", 8, true, true},   {"e5m2", 8, true, true}};
  return infos[static_cast<unsigned>(kind)];
}

/// The kind spelled `name` in the language ("index" is i64). False if there is none.
inline bool parseElementKind(std::string_view name, ElementKind &kind) {
  if (name == "index")
    name = "i64";
  for (unsigned i = 0; i < numElementKinds; ++i)
    if (elementInfo(static_cast<ElementKind>(i)).name == name) {
      kind = static_cast<ElementKind>(i);
      return true;
    }
  return false;
}

/// Bytes of `count` elements that lie without gaps.
constexpr int64_t storageBytes(ElementKind kind, int64_t count) {
  return (count * static_cast<int64_t>(elementInfo(kind).storageBits) + 7) / 8;
}

namespace detail {
template <typename To, typename From> To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

/// Rounds a finite or infinite double to a binary format with `ExponentBits` and `MantissaBits`, to nearest
/// even, and answers its bit pattern. All exponent bits set are infinity as in IEEE formats, or, if
/// `TopIsFinite`, numbers like others.
template <int ExponentBits, int MantissaBits, bool TopIsFinite = false> uint32_t roundToFormat(double value) {
  const uint64_t all = bits<uint64_t>(value);
  const uint32_t sign = static_cast<uint32_t>(all >> 63) << (ExponentBits + MantissaBits);
  const uint64_t magnitude = all & 0x7fffffffffffffffu;
  constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  constexpr uint32_t infinity = ((1u << ExponentBits) - 1) << MantissaBits;
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > bias + (TopIsFinite ? 1 : 0))
    return sign | infinity;
  // Integer with the format's last place at bit `shift`: rounding carries into the exponent by itself.
  uint64_t integer;
  int shift;
  if (exponent >= 1 - bias) {
    integer = (static_cast<uint64_t>(exponent + bias) << 52) | (magnitude & 0xfffffffffffffu);
    shift = 52 - MantissaBits;
  } else { // subnormal in the format; doubles that are subnormal themselves end as zero
    shift = 52 - MantissaBits + (1 - bias - exponent);
    if (shift > 53 || exponent == -1023)
      return sign;
    integer = (magnitude & 0xfffffffffffffu) | (uint64_t(1) << 52);
  }
  const uint64_t half = uint64_t(1) << (shift - 1), rest = integer & (2 * half - 1);
  uint64_t rounded = integer >> shift;
  if (rest > half || (rest == half && (rounded & 1)))
    ++rounded;
  return sign | static_cast<uint32_t>(rounded);
}
} // namespace detail

//===----------------------------------------------------------------------===//
// 16-bit and narrower floats
//===----------------------------------------------------------------------===//

/// Exact; keeps the payload of a NaN, so that encodeF16 gives the same bits back.
inline float decodeF16(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t magnitude = static_cast<uint32_t>(half & 0x7fff) << 13;
  if (magnitude >= 0x0f800000) // infinity, NaN
    return detail::bits<float>(sign | 0x70000000u | magnitude);
  // Scaling by 2^112 rebiases the exponent and normalises subnormals, exactly.
  const float scaled = detail::bits<float>(magnitude) * 0x1p112f;
  return detail::bits<float>(sign | detail::bits<uint32_t>(scaled));
}

inline uint16_t encodeF16(double value) {
  if (value != value)
    return 0x7fff;
  return static_cast<uint16_t>(detail::roundToFormat<5, 10>(value));
}
inline uint16_t encodeF16(float value) {
  const uint32_t all = detail::bits<uint32_t>(value);
  if ((all & 0x7fffffff) > 0x7f800000) { // NaN: the upper payload bits, one of them set
    const uint16_t payload = static_cast<uint16_t>((all >> 13) & 0x3ff);
    return static_cast<uint16_t>(((all >> 16) & 0x8000) | 0x7c00 | (payload ? payload : 0x200));
  }
  return static_cast<uint16_t>(detail::roundToFormat<5, 10>(value));
}

inline float decodeBF16(uint16_t half) { return detail::bits<float>(static_cast<uint32_t>(half) << 16); }

inline uint16_t encodeBF16(double value) {
  if (value != value)
    return 0x7fff;
  return static_cast<uint16_t>(detail::roundToFormat<8, 7>(value));
}
inline uint16_t encodeBF16(float value) {
  const uint32_t all = detail::bits<uint32_t>(value);
  if ((all & 0x7fffffff) > 0x7f800000) {
    const uint16_t upper = static_cast<uint16_t>(all >> 16);
    return (upper & 0x7f) ? upper : static_cast<uint16_t>(upper | 0x40);
  }
  return static_cast<uint16_t>((all + 0x7fff + ((all >> 16) & 1)) >> 16);
}

/// The tf32 value nearest to `value` (ties to even), as a float.
inline float roundTF32(double value) {
  if (value != value)
    return static_cast<float>(value);
  return detail::bits<float>(detail::roundToFormat<8, 10>(value) << 13);
}
/// What reading a stored tf32 gives: the low 13 bits do not exist.
inline float truncateTF32(float value) {
  const uint32_t all = detail::bits<uint32_t>(value);
  if ((all & 0x7fffffff) > 0x7f800000 && !(all & 0x007fe000)) // a NaN must not turn into an infinity
    return detail::bits<float>(all | 0x00400000);
  return detail::bits<float>(all & 0xffffe000u);
}

inline float decodeE4M3(uint8_t byte) {
  const unsigned magnitude = byte & 0x7f;
  float value;
  if (magnitude == 0x7f)
    value = detail::bits<float>(0x7fc00000u);
  else if (magnitude < 8)
    value = static_cast<float>(magnitude) * 0x1p-9f;
  else
    value = detail::bits<float>((magnitude << 20) + ((127u - 7u) << 23));
  return (byte & 0x80) ? -value : value;
}
/// Saturating: beyond ±448 (infinities too) gives ±448, NaN stays NaN.
inline uint8_t encodeE4M3(double value) {
  if (value != value)
    return 0x7f;
  if (std::fabs(value) > 448.0)
    return static_cast<uint8_t>(0x7e | (std::signbit(value) ? 0x80 : 0));
  return static_cast<uint8_t>(detail::roundToFormat<4, 3, true>(value));
}

inline float decodeE5M2(uint8_t byte) { return decodeF16(static_cast<uint16_t>(byte << 8)); }
/// Saturating: beyond ±57344 (infinities too) gives ±57344, NaN stays NaN.
inline uint8_t encodeE5M2(double value) {
  if (value != value)
    return 0x7f;
  if (std::fabs(value) > 57344.0)
    return static_cast<uint8_t>(0x7b | (std::signbit(value) ? 0x80 : 0));
  return static_cast<uint8_t>(detail::roundToFormat<5, 2>(value));
}

//===----------------------------------------------------------------------===//
// One element in memory, by index from the start of the data
//===----------------------------------------------------------------------===//

namespace detail {
template <typename T> T loadAt(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}
template <typename T> void storeAt(void *data, int64_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}
} // namespace detail

/// An element of an integer or bool kind; u64 as its bit pattern.
inline int64_t loadInteger(ElementKind kind, const void *data, int64_t index) {
  switch (kind) {
  case ElementKind::Bool:
    return detail::loadAt<uint8_t>(data, index) != 0;
  case ElementKind::I4:
  case ElementKind::U4: {
    const uint8_t byte = detail::loadAt<uint8_t>(data, index >> 1);
    const int nibble = (index & 1) ? byte >> 4 : byte & 15;
    return kind == ElementKind::I4 && nibble >= 8 ? nibble - 16 : nibble;
  }
  case ElementKind::I8:
    return detail::loadAt<int8_t>(data, index);
  case ElementKind::U8:
    return detail::loadAt<uint8_t>(data, index);
  case ElementKind::I16:
    return detail::loadAt<int16_t>(data, index);
  case ElementKind::U16:
    return detail::loadAt<uint16_t>(data, index);
  case ElementKind::I32:
    return detail::loadAt<int32_t>(data, index);
  case ElementKind::U32:
    return detail::loadAt<uint32_t>(data, index);
  case ElementKind::I64:
  case ElementKind::U64:
    return detail::loadAt<int64_t>(data, index);
  default:
    return 0;
  }
}

/// Keeps the low bits that fit; a bool is value != 0.
inline void storeInteger(ElementKind kind, void *data, int64_t index, int64_t value) {
  switch (kind) {
  case ElementKind::Bool:
    return detail::storeAt<uint8_t>(data, index, value != 0);
  case ElementKind::I4:
  case ElementKind::U4: {
    uint8_t byte = detail::loadAt<uint8_t>(data, index >> 1);
    byte = (index & 1) ? static_cast<uint8_t>((byte & 0x0f) | ((value & 15) << 4))
                       : static_cast<uint8_t>((byte & 0xf0) | (value & 15));
    return detail::storeAt<uint8_t>(data, index >> 1, byte);
  }
  case ElementKind::I8:
  case ElementKind::U8:
    return detail::storeAt<uint8_t>(data, index, static_cast<uint8_t>(value));
  case ElementKind::I16:
  case ElementKind::U16:
    return detail::storeAt<uint16_t>(data, index, static_cast<uint16_t>(value));
  case ElementKind::I32:
  case ElementKind::U32:
    return detail::storeAt<uint32_t>(data, index, static_cast<uint32_t>(value));
  case ElementKind::I64:
  case ElementKind::U64:
    return detail::storeAt<int64_t>(data, index, value);
  default:
    return;
  }
}

/// An element of a float kind, exactly.
inline double loadFloat(ElementKind kind, const void *data, int64_t index) {
  switch (kind) {
  case ElementKind::F16:
    return decodeF16(detail::loadAt<uint16_t>(data, index));
  case ElementKind::BF16:
    return decodeBF16(detail::loadAt<uint16_t>(data, index));
  case ElementKind::TF32:
    return truncateTF32(detail::loadAt<float>(data, index));
  case ElementKind::F32:
    return detail::loadAt<float>(data, index);
  case ElementKind::F64:
    return detail::loadAt<double>(data, index);
  case ElementKind::E4M3:
    return decodeE4M3(detail::loadAt<uint8_t>(data, index));
  case ElementKind::E5M2:
    return decodeE5M2(detail::loadAt<uint8_t>(data, index));
  default:
    return 0;
  }
}

/// Rounds once, to nearest even; e4m3 and e5m2 saturate.
inline void storeFloat(ElementKind kind, void *data, int64_t index, double value) {
  switch (kind) {
  case ElementKind::F16:
    return detail::storeAt<uint16_t>(data, index, encodeF16(value));
  case ElementKind::BF16:
    return detail::storeAt<uint16_t>(data, index, encodeBF16(value));
  case ElementKind::TF32:
    return detail::storeAt<float>(data, index, roundTF32(value));
  case ElementKind::F32:
    return detail::storeAt<float>(data, index, static_cast<float>(value));
  case ElementKind::F64:
    return detail::storeAt<double>(data, index, value);
  case ElementKind::E4M3:
    return detail::storeAt<uint8_t>(data, index, encodeE4M3(value));
  case ElementKind::E5M2:
    return detail::storeAt<uint8_t>(data, index, encodeE5M2(value));
  default:
    return;
  }
}

} // namespace tilec

#endif // TILEC_CHECK_ELEMENT_H
