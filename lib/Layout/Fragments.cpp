//===- Fragments.cpp - the layouts of the hardware --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is stated in the terms of Layout.h: first the bits of the atom, then the factors. The comments draw
// which row and column a register and a lane hold.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Fragments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilec {

/// Repeats what `layout` has so far along both dimensions, in registers, the second dimension first.
static void addRepetitions(Layout &layout, ArrayRef<int64_t> reps, int64_t rows, int64_t cols) {
  if (reps[1] > 1)
    layout.addFactor(reps[1], 1, Place::Register, cols);
  if (reps[0] > 1)
    layout.addFactor(reps[0], 0, Place::Register, rows);
}

/// `groups[1]` runs fastest. A step of 0 along a dimension: the groups along it hold the same elements.
static void addGroups(Layout &layout, ArrayRef<int64_t> groups, int64_t rows, int64_t cols) {
  if (groups[1] > 1)
    layout.addFactor(groups[1], 1, Place::Warp, cols);
  if (groups[0] > 1)
    layout.addFactor(groups[0], 0, Place::Warp, rows);
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

/// The 16 x 8 accumulator of a warp: c0 c1 are columns 2t, 2t+1 of row g, c2 c3 of row g + 8, for lane = 4g +
/// t.
static void addAccumulator(Layout &layout) {
  layout.addBit(Place::Register, {0, 1}).addBit(Place::Register, {8, 0});
  layout.addBit(Place::Lane, {0, 2}).addBit(Place::Lane, {0, 4});
  layout.addBit(Place::Lane, {1, 0}).addBit(Place::Lane, {2, 0}).addBit(Place::Lane, {4, 0});
}

/// The A operand of a warp, 16 rows x 256 bits: a 32-bit register holds `packed` elements in a row; registers
/// are (row g), (row g + 8), then the same 128 bits further.
static void addOperandA(Layout &layout, int64_t packed) {
  for (int64_t bit = 1; bit < packed; bit *= 2)
    layout.addBit(Place::Register, {0, bit});
  layout.addBit(Place::Register, {8, 0}).addBit(Place::Register, {0, 4 * packed});
  layout.addBit(Place::Lane, {0, packed}).addBit(Place::Lane, {0, 2 * packed});
  layout.addBit(Place::Lane, {1, 0}).addBit(Place::Lane, {2, 0}).addBit(Place::Lane, {4, 0});
}

/// The B operand of a warp, 256 bits x 8 columns: registers hold `packed` elements down a column.
static void addOperandB(Layout &layout, int64_t packed) {
  for (int64_t bit = 1; bit < packed; bit *= 2)
    layout.addBit(Place::Register, {bit, 0});
  layout.addBit(Place::Register, {4 * packed, 0});
  layout.addBit(Place::Lane, {packed, 0}).addBit(Place::Lane, {2 * packed, 0});
  layout.addBit(Place::Lane, {0, 1}).addBit(Place::Lane, {0, 2}).addBit(Place::Lane, {0, 4});
}

/// m8n8k4 of f64: A is (row g, k t), B (k t, column g), the accumulator has columns 2t, 2t + 1 of row g.
static void addOperand64(Layout &layout, MatrixOperand operand) {
  bool isAcc = operand == MatrixOperand::Acc, isB = operand == MatrixOperand::B;
  if (isAcc)
    layout.addBit(Place::Register, {0, 1});
  for (int64_t t : {1, 2})
    layout.addBit(Place::Lane, isAcc ? Coord{0, 2 * t} : isB ? Coord{t, 0} : Coord{0, t});
  for (int64_t g : {1, 2, 4})
    layout.addBit(Place::Lane, isB ? Coord{0, g} : Coord{g, 0});
}

Layout mmaFragment(MatrixOperand operand, unsigned bits, ArrayRef<int64_t> warps, ArrayRef<int64_t> reps) {
  assert((bits == 8 || bits == 16 || bits == 32 || bits == 64) && "no such fragment");
  Layout layout(2);
  if (bits == 64) {
    addOperand64(layout, operand);
    bool isA = operand == MatrixOperand::A, isB = operand == MatrixOperand::B;
    addGroups(layout, warps, isB ? 0 : 8, isA ? 0 : 8);
    addRepetitions(layout, reps, isB ? 4 : 8 * warps[0], isA ? 4 : 8 * warps[1]);
    return layout;
  }
  int64_t packed = 32 / bits;
  switch (operand) {
  case MatrixOperand::Acc:
    addAccumulator(layout);
    addGroups(layout, warps, 16, 8);
    addRepetitions(layout, reps, 16 * warps[0], 8 * warps[1]);
    break;
  case MatrixOperand::A: // the same for the warps of another n
    addOperandA(layout, packed);
    addGroups(layout, warps, 16, 0);
    addRepetitions(layout, reps, 16 * warps[0], 8 * packed);
    break;
  case MatrixOperand::B: // the same for the warps of another m
    addOperandB(layout, packed);
    addGroups(layout, warps, 0, 8);
    addRepetitions(layout, reps, 8 * packed, 8 * warps[1]);
    break;
  }
  return layout;
}

Layout wgmmaAccumulator(int64_t n, ArrayRef<int64_t> warpgroups, ArrayRef<int64_t> reps) {
  assert(n >= 8 && n % 8 == 0 && "no such accumulator");
  Layout layout(2);
  addAccumulator(layout);
  layout.addBit(Place::Warp, {16, 0}).addBit(Place::Warp, {32, 0}); // warp w of a group holds rows 16w …
  if (n > 8)
    layout.addFactor(n / 8, 1, Place::Register, 8);
  addGroups(layout, warpgroups, 64, n);
  addRepetitions(layout, reps, 64 * warpgroups[0], n * warpgroups[1]);
  return layout;
}

Layout wgmmaOperandA(unsigned bits, ArrayRef<int64_t> warpgroups, ArrayRef<int64_t> reps) {
  assert((bits == 8 || bits == 16 || bits == 32) && "no such operand");
  Layout layout(2);
  int64_t packed = 32 / bits;
  addOperandA(layout, packed);
  layout.addBit(Place::Warp, {16, 0}).addBit(Place::Warp, {32, 0});
  addGroups(layout, warpgroups, 64, 0);
  addRepetitions(layout, reps, 64 * warpgroups[0], 8 * packed);
  return layout;
}

//===----------------------------------------------------------------------===//
// Folds, dimensions of extent 1
//===----------------------------------------------------------------------===//

Layout foldAxis(const Layout &parent, unsigned axis, AxisParts parts) {
  assert(axis < parent.getRank() && "no such dimension");
  bool keepsAxis = parts != AxisParts::None;
  Layout layout(keepsAxis ? parent.getRank() : parent.getRank() - 1);
  // A thread keeps one register an element of the result: register bits and digits along the axis vanish.
  // Lanes and warps along it hold the same value, or are numbered along the axis.
  auto isNumbered = [&](Place place) {
    return parts == AxisParts::Threads || (parts == AxisParts::Warps && place == Place::Warp);
  };
  int64_t part = 1;
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    for (const Coord &bit : parent.getBits(place)) {
      Coord basis = bit;
      bool along = bit[axis] != 0;
      if (along && place == Place::Register)
        continue;
      if (keepsAxis) {
        basis[axis] = along && isNumbered(place) ? part : 0;
        part *= along && isNumbered(place) ? 2 : 1;
      } else {
        basis.erase(basis.begin() + axis);
      }
      layout.addBit(place, basis);
    }
  for (const LayoutFactor &factor : parent.getFactors()) {
    bool along = factor.dim == axis && factor.step != 0;
    if (along && factor.place == Place::Register)
      continue;
    unsigned dim = factor.dim;
    int64_t step = factor.step;
    if (along) {
      step = isNumbered(factor.place) ? part : 0;
      part *= isNumbered(factor.place) ? factor.size : 1;
    }
    if (!keepsAxis && dim >= axis && dim > 0)
      --dim;
    layout.addFactor(factor.size, dim, factor.place, step);
  }
  return layout;
}

Layout insertUnitDim(const Layout &parent, unsigned axis) {
  assert(axis <= parent.getRank() && "no such dimension");
  Layout layout(parent.getRank() + 1);
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    for (Coord basis : parent.getBits(place)) {
      basis.insert(basis.begin() + axis, 0);
      layout.addBit(place, basis);
    }
  for (const LayoutFactor &factor : parent.getFactors()) {
    // A scalar's factors, all of step 0, name no dimension.
    unsigned dim = parent.getRank() == 0 ? 0 : factor.dim + (factor.dim >= axis);
    layout.addStridedFactor(factor.size, dim, factor.place, factor.stride, factor.step);
  }
  return layout;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

Layout panels(ArrayRef<int64_t> shape, int64_t width, unsigned swizzleBytes, unsigned elementBits) {
  assert(shape.size() == 2 && isPowerOf2_64(width) && "no such panels");
  // An offset's low bits are the column in a panel, the next three the row in a group of 8. The XOR takes
  // bits 7.. of the byte address to bits 4..: those bits move the 16-byte chunk as well.
  Layout layout(2);
  int64_t bytes = swizzleBytes;
  auto bitsOf = [&](int64_t elements) { return elements * int64_t(elementBits); };
  auto basis = [&](int64_t row, int64_t column, int64_t elements) {
    Coord coord = {row, column};
    int64_t address = bitsOf(elements) / 8; // the weight of this bit of the offset, in bytes
    if (bytes && address >= 128 && address < 128 * (bytes / 16))
      coord[1] ^= (address / 8) * 8 / elementBits; // 2^(7+j) bytes moves 2^(4+j) bytes of column
    return coord;
  };
  for (int64_t column = 1; column < width; column *= 2)
    layout.addBit(Place::Offset, basis(0, column, column));
  for (int64_t row = 1; row < 8; row *= 2)
    layout.addBit(Place::Offset, basis(row, 0, row * width));
  int64_t rows = llvm::divideCeil(shape[0], 8), panels = llvm::divideCeil(shape[1], width);
  if (rows > 1)
    layout.addFactor(rows, 0, Place::Offset, 8);
  if (panels > 1)
    layout.addFactor(panels, 1, Place::Offset, width);
  return layout;
}

Layout strided(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  assert(shape.size() == strides.size() && "a stride each");
  Layout layout(shape.size());
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  llvm::sort(order,
             [&](unsigned a, unsigned b) { return std::pair(strides[a], a) < std::pair(strides[b], b); });
  for (unsigned dim : order)
    layout.addStridedFactor(shape[dim], dim, Place::Offset, strides[dim], 1);
  return layout;
}

} // namespace tilec
