//===- TileLayouts.cpp - named layouts as tilec::Layout -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be written of each named layout; what it means is built in lib/Layout, which knows no MLIR.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Layout/Fragments.h"

using namespace mlir;
using namespace tilec::tile;
using tilec::Layout;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// Above what any tile needs; sums and products of a few of them are far from overflow.
static constexpr int64_t kMaxEntry = int64_t(1) << 20, kMaxStride = int64_t(1) << 31;

/// Lists of one length, every entry positive.
static LogicalResult verifyList(EmitError emitError, StringRef name, ArrayRef<int64_t> list, size_t length) {
  if (list.size() != length)
    return emitError() << "'" << name << "' must have " << length << " entries, got " << list.size();
  for (int64_t entry : list)
    if (entry < 1 || entry > kMaxEntry)
      return emitError() << "'" << name << "' must have entries from 1 to " << kMaxEntry << ", got " << entry;
  return success();
}

static LogicalResult verifyWarps(EmitError emitError, int64_t warps) {
  if (warps > 32)
    return emitError() << "a block has at most 32 warps, got " << warps;
  return success();
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

static LogicalResult verifyOperandBits(EmitError emitError, unsigned bits, StringRef widths) {
  if (bits != 8 && bits != 16 && bits != 32)
    return emitError() << "operands have " << widths << " bits, got " << bits;
  return success();
}

static tilec::MatrixOperand toMatrixOperand(MmaOperand operand) {
  switch (operand) {
  case MmaOperand::Acc:
    return tilec::MatrixOperand::Acc;
  case MmaOperand::A:
    return tilec::MatrixOperand::A;
  case MmaOperand::B:
    return tilec::MatrixOperand::B;
  }
  llvm_unreachable("unknown operand");
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
  return tilec::mmaFragment(toMatrixOperand(getOperand()), getBits(), getWarps(), getReps());
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
  return tilec::wgmmaAccumulator(getN(), getWarpgroups(), getReps());
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
  return tilec::wgmmaOperandA(getBits(), getWarpgroups(), getReps());
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

static tilec::AxisParts toAxisParts(Parts parts) {
  switch (parts) {
  case Parts::None:
    return tilec::AxisParts::None;
  case Parts::Warps:
    return tilec::AxisParts::Warps;
  case Parts::Threads:
    return tilec::AxisParts::Threads;
  }
  llvm_unreachable("unknown parts");
}

Layout RowsAttr::toLinearFor(ArrayRef<int64_t>, unsigned) const {
  return tilec::foldAxis(cast<LayoutAttrInterface>(getParent()).toLinear(), getAxis(),
                         toAxisParts(getParts()));
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
  return tilec::insertUnitDim(cast<LayoutAttrInterface>(getParent()).toLinear(), getAxis());
}

bool UnitDimAttr::isDistributed() const { return true; }
unsigned UnitDimAttr::getLayoutRank() const {
  return cast<LayoutAttrInterface>(getParent()).getLayoutRank() + 1;
}

//===----------------------------------------------------------------------===//
// PanelsAttr, StridedAttr
//===----------------------------------------------------------------------===//

LogicalResult PanelsAttr::verify(EmitError emitError, int64_t width, Swizzle) {
  if (width < 1 || width > kMaxEntry || !llvm::isPowerOf2_64(width))
    return emitError() << "a panel is a power of two of columns wide, up to " << kMaxEntry << ", got "
                       << width;
  return success();
}

Layout PanelsAttr::toLinearFor(ArrayRef<int64_t> shape, unsigned elementBits) const {
  return tilec::panels(shape, getWidth(), static_cast<unsigned>(getSwizzle()), elementBits);
}

bool PanelsAttr::isDistributed() const { return false; }
unsigned PanelsAttr::getLayoutRank() const { return 2; }

LogicalResult StridedAttr::verify(EmitError emitError, ArrayRef<int64_t> strides) {
  for (int64_t stride : strides)
    if (stride < 1 || stride > kMaxStride)
      return emitError() << "strides are from 1 to " << kMaxStride << ", got " << stride;
  return success();
}

Layout StridedAttr::toLinearFor(ArrayRef<int64_t> shape, unsigned) const {
  return tilec::strided(shape, getStrides());
}

bool StridedAttr::isDistributed() const { return false; }
unsigned StridedAttr::getLayoutRank() const { return getStrides().size(); }
