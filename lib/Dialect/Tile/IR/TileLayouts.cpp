//===- TileLayouts.cpp - named layouts as tilec::Layout -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each named layout states its map in the terms of Layout.h: first the bits of the atom, then the factors.
// The comments draw which row and column a register and a lane hold; the sources are chapters of the PTX ISA.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;
using tilec::Coord;
using tilec::Layout;
using tilec::Place;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// Lists of one length, every entry positive.
static LogicalResult verifyList(EmitError emitError, StringRef name, ArrayRef<int64_t> list, size_t length) {
  if (list.size() != length)
    return emitError() << "'" << name << "' must have " << length << " entries, got " << list.size();
  for (int64_t entry : list)
    if (entry < 1)
      return emitError() << "'" << name << "' must have positive entries, got " << entry;
  return success();
}

static LogicalResult verifyWarps(EmitError emitError, int64_t warps) {
  if (warps > 32)
    return emitError() << "a block has at most 32 warps, got " << warps;
  return success();
}

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
// BlockedAttr
//===----------------------------------------------------------------------===//

LogicalResult BlockedAttr::verify(EmitError emitError, ArrayRef<int64_t> vector, ArrayRef<int64_t> lanes,
                                  ArrayRef<int64_t> warps, ArrayRef<int64_t> reps) {
  if (std::optional<std::string> reason = Layout::checkBlocked(vector, lanes, warps, reps))
    return emitError() << *reason;
  return success();
}

Layout BlockedAttr::toLinearFor(ArrayRef<int64_t>, unsigned) const {
  return Layout::blocked(getVector(), getLanes(), getWarps(), getReps());
}

bool BlockedAttr::isDistributed() const { return true; }
unsigned BlockedAttr::getLayoutRank() const { return getVector().size(); }

//===----------------------------------------------------------------------===//
// MmaAttr, WgmmaAccAttr, WgmmaAAttr
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
static void addOperand64(Layout &layout, MmaOperand operand) {
  bool isAcc = operand == MmaOperand::Acc, isB = operand == MmaOperand::B;
  if (isAcc)
    layout.addBit(Place::Register, {0, 1});
  for (int64_t t : {1, 2})
    layout.addBit(Place::Lane, isAcc ? Coord{0, 2 * t} : isB ? Coord{t, 0} : Coord{0, t});
  for (int64_t g : {1, 2, 4})
    layout.addBit(Place::Lane, isB ? Coord{0, g} : Coord{g, 0});
}

static LogicalResult verifyOperandBits(EmitError emitError, unsigned bits, StringRef widths) {
  if (bits != 8 && bits != 16 && bits != 32)
    return emitError() << "operands have " << widths << " bits, got " << bits;
  return success();
}

LogicalResult MmaAttr::verify(EmitError emitError, MmaOperand operand, unsigned bits, ArrayRef<int64_t> warps,
                              ArrayRef<int64_t> reps) {
  if (failed(verifyList(emitError, "warps", warps, 2)) || failed(verifyList(emitError, "reps", reps, 2)) ||
      failed(verifyWarps(emitError, warps[0] * warps[1])))
    return failure();
  if (bits == 64)
    return success();
  if (operand != MmaOperand::Acc)
    return verifyOperandBits(emitError, bits, "8, 16, 32 or 64");
  if (bits != 16 && bits != 32)
    return emitError() << "accumulators have 16, 32 or 64 bits, got " << bits;
  return success();
}

Layout MmaAttr::toLinearFor(ArrayRef<int64_t>, unsigned) const {
  Layout layout(2);
  ArrayRef<int64_t> warps = getWarps(), reps = getReps();
  if (getBits() == 64) {
    addOperand64(layout, getOperand());
    bool isA = getOperand() == MmaOperand::A, isB = getOperand() == MmaOperand::B;
    addGroups(layout, warps, isB ? 0 : 8, isA ? 0 : 8);
    addRepetitions(layout, reps, isB ? 4 : 8 * warps[0], isA ? 4 : 8 * warps[1]);
    return layout;
  }
  int64_t packed = 32 / getBits();
  switch (getOperand()) {
  case MmaOperand::Acc:
    addAccumulator(layout);
    addGroups(layout, warps, 16, 8);
    addRepetitions(layout, reps, 16 * warps[0], 8 * warps[1]);
    break;
  case MmaOperand::A: // the same for the warps of another n
    addOperandA(layout, packed);
    addGroups(layout, warps, 16, 0);
    addRepetitions(layout, reps, 16 * warps[0], 8 * packed);
    break;
  case MmaOperand::B: // the same for the warps of another m
    addOperandB(layout, packed);
    addGroups(layout, warps, 0, 8);
    addRepetitions(layout, reps, 8 * packed, 8 * warps[1]);
    break;
  }
  return layout;
}

bool MmaAttr::isDistributed() const { return true; }
unsigned MmaAttr::getLayoutRank() const { return 2; }

LogicalResult WgmmaAccAttr::verify(EmitError emitError, int64_t n, ArrayRef<int64_t> warpgroups,
                                   ArrayRef<int64_t> reps) {
  if (n < 8 || n > 256 || n % 8)
    return emitError() << "'n' must be a multiple of 8 from 8 to 256, got " << n;
  if (failed(verifyList(emitError, "warpgroups", warpgroups, 2)) ||
      failed(verifyList(emitError, "reps", reps, 2)))
    return failure();
  return verifyWarps(emitError, 4 * warpgroups[0] * warpgroups[1]);
}

Layout WgmmaAccAttr::toLinearFor(ArrayRef<int64_t>, unsigned) const {
  Layout layout(2);
  ArrayRef<int64_t> warpgroups = getWarpgroups(), reps = getReps();
  addAccumulator(layout);
  layout.addBit(Place::Warp, {16, 0}).addBit(Place::Warp, {32, 0}); // warp w of a group holds rows 16w …
  if (getN() > 8)
    layout.addFactor(getN() / 8, 1, Place::Register, 8);
  addGroups(layout, warpgroups, 64, getN());
  addRepetitions(layout, reps, 64 * warpgroups[0], getN() * warpgroups[1]);
  return layout;
}

bool WgmmaAccAttr::isDistributed() const { return true; }
unsigned WgmmaAccAttr::getLayoutRank() const { return 2; }

LogicalResult WgmmaAAttr::verify(EmitError emitError, unsigned bits, ArrayRef<int64_t> warpgroups,
                                 ArrayRef<int64_t> reps) {
  if (failed(verifyOperandBits(emitError, bits, "8, 16 or 32")) ||
      failed(verifyList(emitError, "warpgroups", warpgroups, 2)) ||
      failed(verifyList(emitError, "reps", reps, 2)))
    return failure();
  return verifyWarps(emitError, 4 * warpgroups[0] * warpgroups[1]);
}

Layout WgmmaAAttr::toLinearFor(ArrayRef<int64_t>, unsigned) const {
  Layout layout(2);
  int64_t packed = 32 / getBits();
  ArrayRef<int64_t> warpgroups = getWarpgroups();
  addOperandA(layout, packed);
  layout.addBit(Place::Warp, {16, 0}).addBit(Place::Warp, {32, 0});
  addGroups(layout, warpgroups, 64, 0);
  addRepetitions(layout, getReps(), 64 * warpgroups[0], 8 * packed);
  return layout;
}

bool WgmmaAAttr::isDistributed() const { return true; }
unsigned WgmmaAAttr::getLayoutRank() const { return 2; }

//===----------------------------------------------------------------------===//
// RowsAttr
//===----------------------------------------------------------------------===//

LogicalResult RowsAttr::verify(EmitError emitError, Attribute parent, int64_t axis, Parts) {
  auto layout = dyn_cast<LayoutAttrInterface>(parent);
  if (!layout || !layout.isDistributed())
    return emitError() << "the parent must be a layout of registers, got " << parent;
  if (axis < 0 || axis >= layout.getLayoutRank())
    return emitError() << "'axis' must be a dimension of " << parent << ", got " << axis;
  return success();
}

Layout RowsAttr::toLinearFor(ArrayRef<int64_t>, unsigned) const {
  Layout parent = cast<LayoutAttrInterface>(getParent()).toLinear();
  size_t axis = getAxis();
  bool keepsAxis = getParts() != Parts::None;
  Layout layout(keepsAxis ? parent.getRank() : parent.getRank() - 1);
  // A thread keeps one register an element of the result: register bits and digits along the axis vanish.
  // Lanes and warps along it hold the same value, or are numbered along the axis.
  auto isNumbered = [&](Place place) {
    return getParts() == Parts::Threads || (getParts() == Parts::Warps && place == Place::Warp);
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
  for (const tilec::LayoutFactor &factor : parent.getFactors()) {
    bool along = factor.dim == axis && factor.step != 0;
    if (along && factor.place == Place::Register)
      continue;
    unsigned dim = factor.dim;
    int64_t step = factor.step;
    if (along) {
      step = isNumbered(factor.place) ? part : 0;
      part *= isNumbered(factor.place) ? factor.size : 1;
    }
    if (layout.getRank() == 0) {
      // A scalar, which all of them hold: bits have no dimension that they would have to name.
      for (int64_t count = 1; count < factor.size; count *= 2)
        layout.addBit(factor.place, {});
      continue;
    }
    if (!keepsAxis && dim >= axis && dim > 0)
      --dim;
    layout.addFactor(factor.size, dim, factor.place, step);
  }
  return layout;
}

bool RowsAttr::isDistributed() const { return true; }
unsigned RowsAttr::getLayoutRank() const {
  unsigned rank = cast<LayoutAttrInterface>(getParent()).getLayoutRank();
  return getParts() != Parts::None ? rank : rank - 1;
}

//===----------------------------------------------------------------------===//
// UnitDimAttr
//===----------------------------------------------------------------------===//

LogicalResult UnitDimAttr::verify(EmitError emitError, Attribute parent, int64_t axis) {
  auto layout = dyn_cast<LayoutAttrInterface>(parent);
  if (!layout || !layout.isDistributed())
    return emitError() << "the parent must be a layout of registers, got " << parent;
  if (axis < 0 || axis > layout.getLayoutRank())
    return emitError() << "'axis' must be 0 to " << layout.getLayoutRank() << ", got " << axis;
  return success();
}

Layout UnitDimAttr::toLinearFor(ArrayRef<int64_t>, unsigned) const {
  Layout parent = cast<LayoutAttrInterface>(getParent()).toLinear();
  size_t axis = getAxis();
  Layout layout(parent.getRank() + 1);
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    for (Coord basis : parent.getBits(place)) {
      basis.insert(basis.begin() + axis, 0);
      layout.addBit(place, basis);
    }
  for (const tilec::LayoutFactor &factor : parent.getFactors())
    layout.addStridedFactor(factor.size, factor.dim + (factor.dim >= axis), factor.place, factor.stride,
                            factor.step);
  return layout;
}

bool UnitDimAttr::isDistributed() const { return true; }
unsigned UnitDimAttr::getLayoutRank() const { return cast<LayoutAttrInterface>(getParent()).getLayoutRank() + 1; }

//===----------------------------------------------------------------------===//
// PanelsAttr, StridedAttr
//===----------------------------------------------------------------------===//

LogicalResult PanelsAttr::verify(EmitError emitError, int64_t width, Swizzle) {
  if (width < 8 || !llvm::isPowerOf2_64(width))
    return emitError() << "a panel is a power of two of columns wide, from 8 up, got " << width;
  return success();
}

Layout PanelsAttr::toLinearFor(ArrayRef<int64_t> shape, unsigned elementBits) const {
  // An offset's low bits are the column in a panel, the next three the row in a group of 8. The XOR takes
  // bits 7.. of the byte address to bits 4..: those bits move the 16-byte chunk as well.
  Layout layout(2);
  int64_t width = getWidth();
  int64_t bytes = static_cast<int64_t>(getSwizzle());
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

bool PanelsAttr::isDistributed() const { return false; }
unsigned PanelsAttr::getLayoutRank() const { return 2; }

LogicalResult StridedAttr::verify(EmitError emitError, ArrayRef<int64_t> strides) {
  for (int64_t stride : strides)
    if (stride < 1)
      return emitError() << "strides must be positive, got " << stride;
  return success();
}

Layout StridedAttr::toLinearFor(ArrayRef<int64_t> shape, unsigned) const {
  Layout layout(shape.size());
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(getStrides()[a], a) < std::pair(getStrides()[b], b);
  });
  for (unsigned dim : order)
    layout.addStridedFactor(shape[dim], dim, Place::Offset, getStrides()[dim], 1);
  return layout;
}

bool StridedAttr::isDistributed() const { return false; }
unsigned StridedAttr::getLayoutRank() const { return getStrides().size(); }
