//===- SharedAddresses.cpp - where the elements of a shared tile are --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header for the idea.
//
//===----------------------------------------------------------------------===//

#include "SharedAddresses.h"
#include "PossibleBits.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

SharedForm::SharedForm(SharedType root) : bits(storageBits(root.getElementType())) {
  if (auto strided = dyn_cast<StridedAttr>(root.getLayout())) {
    strides.assign(strided.getStrides().begin(), strided.getStrides().end());
    return;
  }
  auto layout = cast<PanelsAttr>(root.getLayout());
  width = layout.getWidth();
  rowBytes = width * bits / 8;
  panelBytes = llvm::alignTo(root.getShape()[0], 8) * rowBytes;
  panels = llvm::divideCeil(root.getShape()[1], width);
  // 128-byte swizzle: bits 9..7 are XORed into 6..4; 64 bytes: 8..7 into 5..4; 32 bytes: 7 into 4.
  int64_t swizzle = static_cast<int64_t>(layout.getSwizzle());
  mask = swizzle ? 128 * (swizzle / 16 - 1) : 0;
}

std::optional<unsigned> SharedForm::contiguousDim() const {
  if (isPanels())
    return 1;
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (stride == 1)
      return dim;
  return std::nullopt;
}

/// Takes constants out of a sum.
static SharedCoord peel(Value value, int64_t constant) {
  while (value) {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return {Value(), constant + number.getSExtValue()};
    auto sum = value.getDefiningOp<arith::AddIOp>();
    if (!sum)
      break;
    if (matchPattern(sum.getRhs(), m_ConstantInt(&number)))
      value = sum.getLhs();
    else if (matchPattern(sum.getLhs(), m_ConstantInt(&number)))
      value = sum.getRhs();
    else
      break;
    constant += number.getSExtValue();
  }
  return {value, constant};
}

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

uint64_t SharedTile::possible(Value value) const { return getPossibleBits(value, threads); }

Value SharedTile::toI32(Value value) {
  if (!value || value.getType().isInteger(32))
    return value;
  Value &narrow = narrowed[value];
  if (narrow)
    return narrow;
  auto extended = value.getDefiningOp<arith::ExtUIOp>();
  if (extended && extended.getIn().getType().isInteger(32))
    return narrow = extended.getIn();
  return narrow = arith::TruncIOp::create(builder, loc, builder.getI32Type(), value);
}

Value SharedTile::sum(Value a, Value b) {
  return !a ? b : !b ? a : arith::AddIOp::create(builder, loc, a, b).getResult();
}

Value SharedTile::add(Value value, int64_t constant) {
  if (constant == 0)
    return value;
  Value &result = moved[{value ? value.getAsOpaquePointer() : nullptr, constant}];
  if (!result)
    result = sum(value, number(constant));
  return result;
}

Value SharedTile::times(Value value, int64_t factor) {
  if (!value || factor == 1)
    return value;
  if (llvm::isPowerOf2_64(factor))
    return arith::ShLIOp::create(builder, loc, value, number(llvm::Log2_64(factor)));
  return arith::MulIOp::create(builder, loc, value, number(factor));
}

SharedCoords SharedTile::toRoot(ArrayRef<SharedCoord> coords) {
  SharedCoords root;
  for (Value origin : view.origin)
    root.push_back(peel(origin, 0));
  for (auto [dim, coord] : llvm::zip_equal(view.dims, coords)) {
    SharedCoord &at = root[dim.rootDim];
    SharedCoord own = peel(coord.base, coord.constant);
    at.constant += own.constant;
    if (!at.base || !own.base) {
      at.base = at.base ? at.base : own.base;
      continue;
    }
    Value &total = coordSums[{at.base.getAsOpaquePointer(), own.base.getAsOpaquePointer()}];
    if (!total)
      total = sum(toI32(at.base), toI32(own.base));
    at.base = total;
  }
  for (SharedCoord &coord : root)
    coord.base = toI32(coord.base);
  return root;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Elements from the tile's begin: what is not constant.
Value SharedTile::getStrided(ArrayRef<SharedCoord> root, int64_t &constant) {
  std::vector<const void *> key;
  for (auto [coord, stride] : llvm::zip_equal(root, form.strides)) {
    constant += coord.constant * stride;
    key.push_back(coord.base ? coord.base.getAsOpaquePointer() : nullptr);
  }
  auto [it, isNew] = sums.try_emplace(std::move(key), Value());
  if (isNew)
    for (auto [coord, stride] : llvm::zip_equal(root, form.strides))
      it->second = sum(it->second, times(coord.base, stride));
  return it->second;
}

const SharedTile::Base &SharedTile::getPanelBase(Value row, Value col) {
  auto key = [](Value value) { return value ? value.getAsOpaquePointer() : nullptr; };
  auto [it, isNew] = bases.try_emplace({key(row), key(col)}, Base{Value(), 0});
  if (!isNew)
    return it->second;
  Value rowBytes = times(row, form.rowBytes), panel, inRow = col;
  if (col && form.panels > 1) {
    inRow = arith::AndIOp::create(builder, loc, col, number(form.width - 1));
    panel = arith::ShRUIOp::create(builder, loc, col, number(llvm::Log2_64(form.width)));
  }
  Value bytes = times(inRow, form.bits / 8);
  if (row && form.mask) {
    Value flips = arith::AndIOp::create(builder, loc, rowBytes, number(form.mask));
    flips = arith::ShRUIOp::create(builder, loc, flips, number(3));
    bytes = bytes ? arith::XOrIOp::create(builder, loc, bytes, flips).getResult() : flips;
  }
  bytes = sum(sum(bytes, rowBytes), times(panel, form.panelBytes));
  it->second = {bytes, possible(bytes)};
  return it->second;
}

/// The tile's bytes at coordinates without `constant` of them.
Value SharedTile::getPanel(ArrayRef<SharedCoord> root, int64_t &constant) {
  auto [row, rowConstant] = root[0];
  auto [col, colConstant] = root[1];
  // Groups of 8 rows and panels repeat the pattern. In a single panel a column is not taken apart, and the
  // base may be outside without the constant: 7 - j.
  int64_t group = llvm::divideFloorSigned(rowConstant, 8),
          panel = form.panels > 1 ? llvm::divideFloorSigned(colConstant, form.width) : 0;
  constant += group * 8 * form.rowBytes + panel * form.panelBytes;
  rowConstant -= group * 8;
  colConstant -= panel * form.width;
  auto meets = [&](Value base, int64_t bits) { return (possible(base) & static_cast<uint64_t>(bits)) != 0; };
  if (meets(row, rowConstant)) {
    row = add(row, rowConstant);
    rowConstant = 0;
  }
  if (meets(col, colConstant)) {
    col = add(col, colConstant);
    colConstant = 0;
  }
  const Base &base = getPanelBase(row, col);
  int64_t flips = rowConstant * form.rowBytes + colConstant * form.bits / 8;
  flips ^= (flips & form.mask) >> 3;
  // Where the base has no bit, setting one is an addition.
  constant += flips & ~static_cast<int64_t>(base.bits);
  flips &= static_cast<int64_t>(base.bits);
  if (!flips)
    return base.bytes;
  auto key = [](Value value) { return value ? value.getAsOpaquePointer() : nullptr; };
  Value &bytes = flipped[{key(row), key(col), flips}];
  if (!bytes)
    bytes = arith::XOrIOp::create(builder, loc, base.bytes, number(flips));
  return bytes;
}

Value SharedTile::offsetBy(Value bytes, int64_t constant) {
  Value pointer = view.pointer;
  Type byte = builder.getI8Type();
  if (bytes) {
    Value &moved = pointers[bytes];
    if (!moved)
      moved =
          LLVM::GEPOp::create(builder, loc, pointer.getType(), byte, pointer, ArrayRef<LLVM::GEPArg>{bytes});
    pointer = moved;
  }
  if (!constant)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), byte, pointer,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(constant)});
}

Value SharedTile::getPointer(ArrayRef<SharedCoord> root) {
  int64_t constant = 0;
  if (form.isPanels()) {
    Value bytes = getPanel(root, constant);
    return offsetBy(bytes, constant);
  }
  if (form.bits < 8) {
    Value index = add(getStrided(root, constant), constant);
    return offsetBy(index ? arith::ShRUIOp::create(builder, loc, index, number(1)).getResult() : index, 0);
  }
  Value elements = getStrided(root, constant);
  Value &bytes = moved[{elements ? elements.getAsOpaquePointer() : nullptr, INT64_MIN}];
  if (!bytes)
    bytes = times(elements, form.bits / 8);
  return offsetBy(bytes, constant * form.bits / 8);
}

Value SharedTile::getIndex(ArrayRef<SharedCoord> root) {
  int64_t constant = 0;
  Value elements = getStrided(root, constant);
  elements = add(elements, constant);
  if (!elements)
    elements = number(0);
  return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), elements);
}

unsigned SharedTile::getAlignment(ArrayRef<SharedCoord> root, unsigned limit) {
  std::optional<unsigned> contiguous = form.contiguousDim();
  uint64_t bits = limit;
  for (auto [dim, coord] : llvm::enumerate(root)) {
    // Chunks of 16 bytes stay together in a panel, whatever the row.
    if (form.isPanels() && dim != contiguous)
      continue;
    uint64_t stride = form.isPanels() ? 1 : form.strides[dim];
    bits |= possible(coord.base) * stride | static_cast<uint64_t>(coord.constant) * stride;
  }
  return bits & -bits;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

SharedCoords SharedAddresses::getCoords(unsigned element) {
  auto [it, isNew] = coords.try_emplace(element);
  if (isNew) {
    SharedCoords own;
    for (const Spread &index : indices) {
      bool linear = index.isUniform() || index.isAffine();
      own.push_back(linear ? SharedCoord{index.getBase(), index.getOffset(element)}
                           : SharedCoord{index.get(builder, loc, element), 0});
    }
    it->second = tile.toRoot(own);
  }
  return it->second;
}

unsigned SharedAddresses::getRun(unsigned count, unsigned width, bool trusted) {
  const SharedForm &form = tile.getForm();
  std::optional<unsigned> contiguous = form.contiguousDim();
  if (!contiguous)
    return 1;
  if (form.isPanels())
    width = std::min<unsigned>(width, std::min<int64_t>(form.width, 128 / form.bits));
  auto isRun = [&](unsigned run) {
    if (count % run)
      return false;
    for (unsigned element = 0; element < count; ++element) {
      unsigned first = element - element % run;
      SharedCoords start = getCoords(first), here = getCoords(element);
      for (unsigned dim = 0; dim < start.size(); ++dim) {
        int64_t moved = here[dim].constant - start[dim].constant;
        if (here[dim].base != start[dim].base || moved != (dim == *contiguous ? element - first : 0))
          return false;
      }
      if (element != first)
        continue;
      if (trusted)
        for (SharedCoord &coord : start)
          coord.base = Value();
      if (tile.getAlignment(start, run) < run)
        return false;
    }
    return true;
  };
  unsigned run = llvm::bit_floor(std::min(width, count));
  while (run > 1 && !isRun(run))
    run /= 2;
  return run;
}

} // namespace tilec::lowering
