//===- MatrixLoad.cpp - fragments by ldmatrix and stmatrix ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of a fragment are dealt out anew: those that count words within a row disappear, those that count
// rows become the low three lane bits of the address, the lowest register bits or digits that are left the
// upper two (which matrix), and the others count instructions.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/MatrixLoad.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilec {

namespace {

/// The fragment's register bits and digits from the lowest up, as what is left of them while they are dealt
/// out.
struct Digits {
  ArrayRef<Coord> bits;
  SmallVector<LayoutFactor, 4> factors;
};

} // namespace

/// Bases that are 1, 2, 4 … times `first` along `dim`.
static bool isRun(ArrayRef<Coord> bases, unsigned dim, int64_t first) {
  return all_of(bases, [&](const Coord &basis) {
    Coord expected(basis.size(), 0);
    expected[dim] = first;
    first *= 2;
    return basis == expected;
  });
}

/// The next binary digit of the registers, if it joins `taken` by XOR as well as by addition: no bit of its
/// step is in use by the atom, nor by a digit taken before.
static std::optional<Coord> takeBinaryDigit(Digits &digits, Coord &taken) {
  if (!digits.bits.empty()) {
    Coord basis = digits.bits.front();
    digits.bits = digits.bits.drop_front();
    return basis;
  }
  if (digits.factors.empty())
    return std::nullopt;
  LayoutFactor &factor = digits.factors.front();
  if (factor.size % 2 || (factor.step & taken[factor.dim]))
    return std::nullopt;
  Coord basis(taken.size(), 0);
  basis[factor.dim] = factor.step;
  taken[factor.dim] |= factor.step;
  factor.size /= 2;
  factor.step *= 2;
  if (factor.size == 1)
    digits.factors.erase(digits.factors.begin());
  return basis;
}

std::optional<MatrixLoad> planMatrixLoad(const Layout &fragment, unsigned contiguousDim,
                                         unsigned elementBits) {
  assert(contiguousDim < fragment.getRank() && "no such dimension");
  if ((elementBits != 8 && elementBits != 16 && elementBits != 32) ||
      fragment.getBits(Place::Lane).size() != 5)
    return std::nullopt;
  unsigned perResult = 32 / elementBits, wordBits = Log2_32(perResult);
  int64_t rowElements = 128 / elementBits;
  ArrayRef<Coord> lanes = fragment.getBits(Place::Lane);
  Digits digits{fragment.getBits(Place::Register), {}};
  if (digits.bits.size() < wordBits)
    return std::nullopt;
  ArrayRef<Coord> word = digits.bits.take_front(wordBits);
  digits.bits = digits.bits.drop_front(wordBits);

  // Which bits count elements of a row, and which rows.
  bool transposed = false;
  SmallVector<Coord, 3> rows;
  if (isRun(word, contiguousDim, 1) && isRun(lanes.take_front(2), contiguousDim, perResult)) {
    append_range(rows, lanes.drop_front(2));
  } else if (elementBits == 16 && isRun(lanes.drop_front(2), contiguousDim, 1)) {
    transposed = true;
    rows.push_back(word.front());
    append_range(rows, lanes.take_front(2));
  } else {
    return std::nullopt;
  }

  // Rows must start at multiples of 16 bytes.
  auto isAligned = [&](ArrayRef<int64_t> basis) { return basis[contiguousDim] % rowElements == 0; };
  if (!all_of(rows, isAligned) || !all_of(digits.bits, isAligned) ||
      !all_of(fragment.getBits(Place::Warp), isAligned))
    return std::nullopt;
  Coord atom(fragment.getRank(), 0);
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    for (const Coord &basis : fragment.getBits(place))
      for (auto [value, bit] : zip_equal(atom, basis))
        value |= bit;
  for (const LayoutFactor &factor : fragment.getFactors()) {
    if (factor.step && factor.dim == contiguousDim && factor.step % rowElements)
      return std::nullopt;
    if (factor.place == Place::Register)
      digits.factors.push_back(factor);
  }

  SmallVector<Coord, 2> matrices;
  while (matrices.size() < 2)
    if (std::optional<Coord> basis = takeBinaryDigit(digits, atom))
      matrices.push_back(*basis);
    else
      break;

  MatrixLoad load{1u << matrices.size(), transposed, perResult, Layout(fragment.getRank())};
  for (const Coord &basis : digits.bits)
    load.rows.addBit(Place::Register, basis);
  for (const Coord &basis : rows)
    load.rows.addBit(Place::Lane, basis);
  matrices.resize(2, Coord(fragment.getRank(), 0));
  for (const Coord &basis : matrices)
    load.rows.addBit(Place::Lane, basis);
  for (const Coord &basis : fragment.getBits(Place::Warp))
    load.rows.addBit(Place::Warp, basis);
  for (const LayoutFactor &factor : fragment.getFactors())
    if (factor.place == Place::Warp)
      load.rows.addFactor(factor.size, factor.dim, Place::Warp, factor.step);
  for (const LayoutFactor &factor : digits.factors)
    load.rows.addFactor(factor.size, factor.dim, Place::Register, factor.step);
  return load;
}

} // namespace tilec
