//===- Facts.h - what is known of a value -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interval and whether the value is a whole number. Whole numbers within the exact range of every type
// that they pass through are added and multiplied without rounding, so a program of them has one result in
// whatever order it is computed, and is checked with tolerance 0. Everything else carries an error class,
// whose tolerance the outputs get.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_SMITH_FACTS_H
#define TILEC_SMITH_FACTS_H

#include "tilec/Check/Element.h"
#include <algorithm>
#include <string>

namespace tilec::smith {

using Kind = ElementKind;

/// Beyond it an interval says nothing.
inline constexpr int64_t huge = int64_t(1) << 62;

struct Facts {
  int64_t lo = 0, hi = 0;
  bool whole = true;
  unsigned error = 0; ///< 0: exact; else the class of the coarsest rounding on the way

  int64_t magnitude() const { return std::max(-lo, hi); }
  bool within(const Facts &o) const {
    return lo >= o.lo && hi <= o.hi && (whole || !o.whole) && error <= o.error;
  }
};

inline bool isFloat(Kind k) { return elementInfo(k).isFloat; }
inline bool isInteger(Kind k) { return !isFloat(k) && k != Kind::Bool; }
inline bool isSigned(Kind k) { return elementInfo(k).isSigned; }
inline int64_t bitsOf(Kind k) { return elementInfo(k).storageBits; }
inline bool isPacked(Kind k) { return k == Kind::I4 || k == Kind::U4; }

/// The type in which operators compute on elements of this one.
Kind computeKind(Kind k);
/// Sums of floats are made in f32 or wider, of integers in their own type.
inline Kind accumulatorOf(Kind k) { return !isFloat(k) || k == Kind::F64 ? k : Kind::F32; }
/// Whole numbers up to it are exact; integers wrap and are always.
int64_t exactLimit(Kind k);
/// Every value of the type that a conversion can make.
Facts rangeOf(Kind k);
/// The error class of results in this type, 1 the finest.
unsigned errorOf(Kind k);
/// A check's tolerance for an error class, as the language writes it.
const char *toleranceOf(unsigned error);

int64_t times(int64_t a, int64_t b);
int64_t plus(int64_t a, int64_t b);
Facts sum(const Facts &a, const Facts &b);
Facts product(const Facts &a, const Facts &b);
Facts hull(const Facts &a, const Facts &b);
/// The sum of up to `count` such values, none included.
Facts total(const Facts &a, int64_t count);
Facts symmetric(int64_t magnitude);
/// Integers that leave their type wrap; floats are left as they are.
Facts wrapped(const Facts &f, Kind k);
/// After a written conversion between compute types or element types.
Facts converted(const Facts &f, Kind to);

} // namespace tilec::smith

#endif // TILEC_SMITH_FACTS_H
