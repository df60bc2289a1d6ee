//===- Draws.h - the choices of a seed --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SplitMix64 and integer arithmetic alone: a seed makes the same choices on every host. C++ does not say in
// which order the arguments of a call or the operands of + are evaluated, so no expression may draw twice.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_SMITH_DRAWS_H
#define TILEC_SMITH_DRAWS_H

#include "tilec/Check/Random.h"
#include <initializer_list>
#include <vector>

namespace tilec::smith {

class Draws {
public:
  explicit Draws(uint64_t seed) : state(check::mix(seed + 0x9e3779b97f4a7c15u)) {}

  /// From 0 to below n, which is at least 1.
  int64_t below(int64_t n) {
    state += 0x9e3779b97f4a7c15u;
    return static_cast<int64_t>((check::mix(state) >> 11) % static_cast<uint64_t>(n));
  }
  /// From lo to hi, both included.
  int64_t between(int64_t lo, int64_t hi) { return lo + below(hi - lo + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <typename T> T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<int64_t>(choices.size()))];
  }
  template <typename T> const T &pick(const std::vector<T> &choices) {
    return choices[static_cast<size_t>(below(static_cast<int64_t>(choices.size())))];
  }
  template <typename T> void shuffle(std::vector<T> &items) {
    for (size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<size_t>(below(static_cast<int64_t>(i)))]);
  }

private:
  uint64_t state;
};

} // namespace tilec::smith

#endif // TILEC_SMITH_DRAWS_H
