//===- Compare.h - is this output right? ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The criterion of `check … tolerance t` (LANGUAGE section 4) for one output tensor:
//   - NaN and ±infinity where and only where wanted; those elements count no further;
//   - relative Frobenius error ‖got − want‖ / ‖want‖ ≤ t, where 0/0 is 0;
//   - no element off by more than 64 · t · max(|want|, rms(want)): the norm alone lets a few elements be
//     completely wrong in a large tensor;
//   - tolerance 0: every element equal (==, so −0 is 0), or both NaN.
// Before that, findStray looks at the bits: an element that nobody wrote must not pass for a value that
// happens to be as good (a NaN, or true). Needs nothing but the standard library (tile-runner has no LLVM).
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CHECK_COMPARE_H
#define TILEC_CHECK_COMPARE_H

#include "tilec/Check/Random.h"
#include <cstdio>
#include <string>

namespace tilec::check {

struct Comparison {
  bool passed = true;
  double relativeError = 0;  ///< Frobenius, over the finite elements
  int64_t failing = 0;       ///< elements that break a rule of their own (placement, bound, equality)
  int64_t firstFailing = -1; ///< its index, −1: none
  double got = 0, want = 0;  ///< of the first failing element
  double largestRatio = 0;   ///< largest |got − want| / max(|want|, rms(want))
  int64_t largestIndex = -1; ///< where that is
};

namespace detail {
inline double numberAt(ElementKind kind, const void *data, int64_t index) {
  if (elementInfo(kind).isFloat)
    return loadFloat(kind, data, index);
  const int64_t value = loadInteger(kind, data, index);
  return kind == ElementKind::U64 ? static_cast<double>(static_cast<uint64_t>(value))
                                  : static_cast<double>(value);
}

/// Equal as the language's == has it, or both NaN. 64-bit integers do not go through a double.
inline bool sameElement(ElementKind kind, const void *got, const void *want, int64_t index) {
  if (!elementInfo(kind).isFloat)
    return loadInteger(kind, got, index) == loadInteger(kind, want, index);
  const double g = loadFloat(kind, got, index), w = loadFloat(kind, want, index);
  return g == w || (g != g && w != w);
}
} // namespace detail

/// Compares `count` elements that lie without gaps.
inline Comparison compare(ElementKind kind, const void *got, const void *want, int64_t count,
                          double tolerance) {
  Comparison result;
  auto fail = [&](int64_t index, double g, double w) {
    if (result.firstFailing < 0) {
      result.firstFailing = index;
      result.got = g;
      result.want = w;
    }
    ++result.failing;
    result.passed = false;
  };
  // Norms by a running scale, so that f64 data near the limits neither overflows nor vanishes.
  double scale = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double w = std::fabs(detail::numberAt(kind, want, i)),
                 g = std::fabs(detail::numberAt(kind, got, i));
    if (std::isfinite(w) && w > scale)
      scale = w;
    if (std::isfinite(w) && std::isfinite(g) && g > scale)
      scale = g;
  }
  if (scale == 0)
    scale = 1;
  double errorSquares = 0, wantSquares = 0;
  int64_t finite = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double g = detail::numberAt(kind, got, i), w = detail::numberAt(kind, want, i);
    if (!std::isfinite(g) || !std::isfinite(w)) {
      if (!(g == w || (g != g && w != w)))
        fail(i, g, w);
      continue;
    }
    const double error = g / scale - w / scale, size = w / scale;
    errorSquares += error * error;
    wantSquares += size * size;
    ++finite;
  }
  if (errorSquares > 0)
    result.relativeError = wantSquares > 0 ? std::sqrt(errorSquares / wantSquares) : INFINITY;
  const double rms = finite ? std::sqrt(wantSquares / static_cast<double>(finite)) * scale : 0;
  for (int64_t i = 0; i < count; ++i) {
    const double g = detail::numberAt(kind, got, i), w = detail::numberAt(kind, want, i);
    if (!std::isfinite(g) || !std::isfinite(w))
      continue;
    const double error = std::fabs(g - w), size = std::fmax(std::fabs(w), rms);
    const double ratio = error == 0 ? 0 : size > 0 ? error / size : INFINITY;
    if (ratio > result.largestRatio) {
      result.largestRatio = ratio;
      result.largestIndex = i;
    }
    if (tolerance == 0 ? !detail::sameElement(kind, got, want, i) : ratio > 64 * tolerance)
      fail(i, g, w);
  }
  if (result.relativeError > tolerance)
    result.passed = false;
  return result;
}

/// Elements whose bits are wrong whatever number they stand for.
struct Stray {
  enum class Kind { None, NotWritten, Written, NoBool };
  Kind kind = Kind::None; ///< of the first
  int64_t first = -1, count = 0;
};

/// Looks for elements that hold the poison on one side only, and for bools that are neither 0 nor 1. With
/// `startsPoisoned` false (an `inout`) only for the latter. In an integer that may be off by a tolerance the
/// poison is a value like others, and the comparison decides.
inline Stray findStray(ElementKind kind, const void *got, const void *want, int64_t count, double tolerance,
                       bool startsPoisoned) {
  const bool isBool = kind == ElementKind::Bool;
  if (!isBool && !elementInfo(kind).isFloat && tolerance != 0)
    return {};
  Stray result;
  auto note = [&](int64_t index, Stray::Kind what) {
    if (result.count++ == 0) {
      result.first = index;
      result.kind = what;
    }
  };
  // Two 4-bit elements share a byte of a sample, so one of them may be there without having been written.
  const bool mayBeExtra = elementInfo(kind).storageBits < 8;
  for (int64_t i = 0; i < count; ++i) {
    const bool gotPoison = startsPoisoned && isPoison(kind, got, i),
               wantPoison = startsPoisoned && isPoison(kind, want, i);
    if (gotPoison != wantPoison && !(mayBeExtra && wantPoison))
      note(i, gotPoison ? Stray::Kind::NotWritten : Stray::Kind::Written);
    else if (isBool && !gotPoison && static_cast<const uint8_t *>(got)[i] > 1)
      note(i, Stray::Kind::NoBool);
  }
  return result;
}

/// One line for a report: "relative error 0.0123 > 0.001; 3 elements off, first [17]: got 1, want 2".
inline std::string describe(const Comparison &c, double tolerance) {
  char text[256];
  int used = std::snprintf(text, sizeof(text), "relative error %.3g %s %.3g", c.relativeError,
                           c.relativeError > tolerance ? ">" : "<=", tolerance);
  if (c.failing && used > 0 && used < static_cast<int>(sizeof(text)))
    std::snprintf(text + used, sizeof(text) - static_cast<size_t>(used),
                  "; %lld element%s off, first [%lld]: got %.9g, want %.9g",
                  static_cast<long long>(c.failing), c.failing == 1 ? "" : "s",
                  static_cast<long long>(c.firstFailing), c.got, c.want);
  return text;
}

} // namespace tilec::check

#endif // TILEC_CHECK_COMPARE_H
