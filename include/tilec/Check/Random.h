//===- Random.h - the seeded inputs of a check ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input data of `check` and `bench`: a pure function of (seed, number of the tensor among the parameters,
// index of the element), so that any part of a tensor can be made again anywhere, in any order. Only integer
// arithmetic and single correctly rounded operations are used: the bytes are the same on every host. Needs
// nothing but the standard library (tile-runner has no LLVM).
//
// The generator. word(stream, k) = mix(stream + (k + 1) · 0x9e3779b97f4a7c15) with the finaliser of
// SplitMix64; stream = mix(mix(seed) ^ (tensor + 1)). An element takes the words 4·index … 4·index + 3.
//   - floats N(0, 1): the sixteen 16-bit pieces of the four words are added up, S; the value is
//     (S − 8·65535) · sqrt(12 / 16) / 65536 by one multiplication in double, then rounded to the type. Mean
//     0, variance 1, excess kurtosis −0.075, never beyond ±6.93.
//   - integers are uniform in −8 … 7, unsigned ones in 0 … 15, bools fair.
//   - a range [lo, hi) is uniform over its whole numbers, float tensors too; an empty one gives lo.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CHECK_RANDOM_H
#define TILEC_CHECK_RANDOM_H

#include "tilec/Check/Element.h"

namespace tilec::check {

inline uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The random words of one tensor.
class Stream {
public:
  Stream(uint64_t seed, uint64_t tensor) : state(mix(mix(seed) ^ (tensor + 1))) {}
  uint64_t word(uint64_t k) const { return mix(state + (k + 1) * 0x9e3779b97f4a7c15u); }

  /// The element's number if it is a float without a range.
  double normal(uint64_t index) const {
    int64_t sum = 0;
    for (unsigned w = 0; w < 4; ++w) {
      const uint64_t r = word(4 * index + w);
      sum += static_cast<int64_t>((r & 0xffff) + ((r >> 16) & 0xffff) + ((r >> 32) & 0xffff) + (r >> 48));
    }
    return static_cast<double>(sum - 8 * 65535) * (0.8660254037844386 / 65536); // a power of two: exact
  }

  /// Uniform in [lo, hi) by the high half of a 64×64-bit product; lo if the range is empty.
  int64_t uniform(uint64_t index, int64_t lo, int64_t hi) const {
    if (hi <= lo)
      return lo;
    const uint64_t span = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    const uint64_t r = word(4 * index);
    // The high half of r · span in 32-bit pieces: no 128-bit type is needed.
    const uint64_t rLow = r & 0xffffffffu, rHigh = r >> 32, sLow = span & 0xffffffffu, sHigh = span >> 32;
    const uint64_t middle = rHigh * sLow + ((rLow * sLow) >> 32);
    const uint64_t middle2 = rLow * sHigh + (middle & 0xffffffffu);
    const uint64_t high = rHigh * sHigh + (middle >> 32) + (middle2 >> 32);
    return static_cast<int64_t>(static_cast<uint64_t>(lo) + high);
  }

private:
  uint64_t state;
};

/// `tensor in range(lo, hi)`.
struct Range {
  int64_t lo = 0, hi = 0;
};

/// Writes elements first … first + count − 1 of tensor number `tensor` (its place among the parameters) to
/// `data`, which holds the tensor from element 0 on. `range` may be null.
inline void generate(ElementKind kind, void *data, int64_t first, int64_t count, uint64_t seed,
                     uint64_t tensor, const Range *range = nullptr) {
  const Stream stream(seed, tensor);
  const ElementInfo info = elementInfo(kind);
  for (int64_t i = first; i < first + count; ++i) {
    const uint64_t index = static_cast<uint64_t>(i);
    if (info.isFloat)
      storeFloat(kind, data, i,
                 range ? static_cast<double>(stream.uniform(index, range->lo, range->hi))
                       : stream.normal(index));
    else if (range)
      storeInteger(kind, data, i, stream.uniform(index, range->lo, range->hi));
    else if (kind == ElementKind::Bool)
      storeInteger(kind, data, i, static_cast<int64_t>(stream.word(4 * index) >> 63));
    else
      storeInteger(kind, data, i,
                   info.isSigned ? stream.uniform(index, -8, 8) : stream.uniform(index, 0, 16));
  }
}

/// What an element of an `out` holds before the kernel runs, little end first: a NaN in every float type,
/// with a payload that no arithmetic makes where the format has room for one, and an unlikely value in the
/// integers. Both sides of a comparison start alike, so what nobody writes compares equal.
constexpr uint64_t poisonBits(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
  case ElementKind::BF16:
    return 0xffa5;
  case ElementKind::TF32:
  case ElementKind::F32:
    return 0xffa5a5a5;
  case ElementKind::F64:
    return 0xffffa5a5a5a5a5a5;
  case ElementKind::E4M3:
    return 0xff; // its NaNs are 0x7f, which conversions make, and this
  case ElementKind::E5M2:
    return 0xfd;
  default: // two 4-bit elements share the byte
    return 0xa5a5a5a5a5a5a5a5;
  }
}

inline void poison(ElementKind kind, void *data, int64_t count) {
  const uint64_t bits = poisonBits(kind);
  const size_t each = elementInfo(kind).storageBits < 8 ? 1 : elementInfo(kind).storageBits / 8;
  const size_t bytes = static_cast<size_t>(storageBytes(kind, count));
  char *to = static_cast<char *>(data);
  for (size_t at = 0; at < bytes; at += each)
    std::memcpy(to + at, &bits, each);
}

/// Whether the element holds exactly the poison.
inline bool isPoison(ElementKind kind, const void *data, int64_t index) {
  const uint64_t bits = poisonBits(kind);
  const unsigned width = elementInfo(kind).storageBits;
  const char *from = static_cast<const char *>(data);
  if (width < 8) {
    const unsigned shift = (index & 1) ? 4 : 0;
    return ((static_cast<uint8_t>(from[index >> 1]) >> shift) & 15) == ((bits >> shift) & 15);
  }
  return std::memcmp(from + index * static_cast<int64_t>(width / 8), &bits, width / 8) == 0;
}

} // namespace tilec::check

#endif // TILEC_CHECK_RANDOM_H
