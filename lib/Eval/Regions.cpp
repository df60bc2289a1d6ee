//===- Regions.cpp - moving regions of objects ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region is walked row by row: its last dimension is a run of elements of which a stretch in the middle
// may be touched. Runs of equal kinds are moved as bytes.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "ScalarMath.h"
#include <algorithm>

using namespace tilec;
using namespace tilec::eval;

/// Bits of the scalar that a read of an integer kind gives.
static unsigned loadedBits(ElementKind kind) {
  const unsigned bits = elementInfo(kind).storageBits;
  return kind == ElementKind::Bool ? 1 : bits < 8 ? 8 : bits;
}

Slot eval::convertSlot(ElementKind from, ElementKind to, Slot value) {
  if (from == to)
    return value;
  const ElementInfo source = elementInfo(from), target = elementInfo(to);
  if (source.isFloat) {
    const double exact = from == ElementKind::F64 ? value.d : static_cast<double>(value.f);
    if (to == ElementKind::F64)
      return slotOfDouble(exact);
    if (target.isFloat)
      return slotOfFloat(from == ElementKind::F64 ? roundDouble(to, exact) : roundFloat(to, value.f));
    if (to == ElementKind::Bool)
      return slotOfInt(exact != 0);
    return slotOfInt(floatToInt(exact, loadedBits(to), !target.isSigned));
  }
  // The number that the slot stands for: unsigned ones lie sign extended.
  const unsigned shift = 64 - loadedBits(from);
  const int64_t number = source.isSigned ? value.i : static_cast<int64_t>((value.u << shift) >> shift);
  if (to == ElementKind::F64)
    return slotOfDouble(source.isSigned ? static_cast<double>(number)
                                        : static_cast<double>(static_cast<uint64_t>(number)));
  if (target.isFloat)
    return slotOfFloat(to == ElementKind::F32 ? source.isSigned
                                                    ? static_cast<float>(number)
                                                    : static_cast<float>(static_cast<uint64_t>(number))
                                              : intToKind(to, number, !source.isSigned));
  if (to == ElementKind::Bool)
    return slotOfInt(number != 0);
  return slotOfInt(signExtend(number, 64 - loadedBits(to)));
}

namespace {
/// One row of a region: elements first … last − 1 may be touched, element j lies at base + j · stride.
struct Row {
  int64_t linear; ///< of its element 0 in the region
  int64_t length, first, last;
  int64_t base, stride;
};
} // namespace

/// Reports a region that is not inside its object, which begins at `start`.
static Outcome failOutside(Machine &machine, const Region &region, const View &view, const int64_t *start) {
  const char *proved = region.inBounds ? ", which was proved not to happen" : "";
  for (unsigned d = 0; d < view.rank; ++d)
    if (start[d] < 0 || start[d] > view.dims[d].size - region.extents[d])
      return machine.fail("region [" + llvm::Twine(start[d]) + ", " +
                          llvm::Twine(static_cast<int64_t>(static_cast<uint64_t>(start[d]) +
                                                           static_cast<uint64_t>(region.extents[d]))) +
                          ") of dimension " + llvm::Twine(d) + " is outside [0, " +
                          llvm::Twine(view.dims[d].size) + ")" + proved);
  return machine.fail(llvm::Twine("region outside what it is a view of") + proved);
}

/// Calls `fn` for every row. Rows outside are an error but for tensors.
static Outcome forEachRow(Machine &machine, const Region &region,
                          llvm::function_ref<Outcome(const Row &)> fn) {
  View &view = machine.view(region.view);
  const unsigned rank = view.rank;
  int64_t start[maxRank], position[maxRank] = {};
  for (unsigned d = 0; d < rank; ++d)
    start[d] = machine.slot(region.offsets[d]).i;
  if (region.count() == 0)
    return Outcome::Ok;
  const int64_t length = rank ? region.extents[rank - 1] : 1;
  for (int64_t linear = 0;; linear += length) {
    Row row{linear, length, 0, length, view.offset, rank ? view.dims[rank - 1].stride : 1};
    bool inside = !view.dead;
    for (unsigned d = 0; d + 1 < rank; ++d) {
      // The sum wraps for absurd offsets; unsigned, so that it is defined, and the check then fails.
      const int64_t index =
          static_cast<int64_t>(static_cast<uint64_t>(start[d]) + static_cast<uint64_t>(position[d]));
      if (!isValid(view.dims[d], index))
        inside = false;
      else
        row.base += index * view.dims[d].stride;
    }
    if (rank) {
      const Dim &dim = view.dims[rank - 1];
      const int64_t hi = dim.lo + static_cast<int64_t>(dim.valid); // one past the last index
      const int64_t from = start[rank - 1];
      if (from >= hi || from < dim.lo - length) {
        row.first = row.last = 0;
      } else {
        row.first = std::clamp<int64_t>(dim.lo - from, 0, length);
        row.last = std::clamp<int64_t>(hi - from, row.first, length);
      }
      if (row.first < row.last)
        row.base += from * row.stride;
    }
    if (!inside)
      row.first = row.last = 0;
    if ((!view.global || region.inBounds) && (row.first != 0 || row.last != length))
      return failOutside(machine, region, view, start);
    const Outcome outcome = fn(row);
    if (outcome != Outcome::Ok)
      return outcome;
    unsigned d = rank ? rank - 1 : 0;
    while (d > 0 && ++position[d - 1] == region.extents[d - 1])
      position[--d] = 0;
    if (d == 0)
      return Outcome::Ok;
  }
}

template <typename T>
static void moveRun(const uint8_t *from, int64_t fromIndex, int64_t fromStride, uint8_t *to, int64_t toIndex,
                    int64_t toStride, int64_t count) {
  if (fromStride == 1 && toStride == 1) {
    std::memmove(to + toIndex * static_cast<int64_t>(sizeof(T)),
                 from + fromIndex * static_cast<int64_t>(sizeof(T)), static_cast<size_t>(count) * sizeof(T));
    return;
  }
  for (int64_t j = 0; j < count; ++j)
    tilec::detail::storeAt<T>(to, toIndex + j * toStride,
                              tilec::detail::loadAt<T>(from, fromIndex + j * fromStride));
}

/// Moves a run of elements of one kind as they are.
static void moveElements(ElementKind kind, const uint8_t *from, int64_t fromIndex, int64_t fromStride,
                         uint8_t *to, int64_t toIndex, int64_t toStride, int64_t count) {
  switch (elementInfo(kind).storageBits) {
  case 8:
    return moveRun<uint8_t>(from, fromIndex, fromStride, to, toIndex, toStride, count);
  case 16:
    return moveRun<uint16_t>(from, fromIndex, fromStride, to, toIndex, toStride, count);
  case 32:
    return moveRun<uint32_t>(from, fromIndex, fromStride, to, toIndex, toStride, count);
  case 64:
    return moveRun<uint64_t>(from, fromIndex, fromStride, to, toIndex, toStride, count);
  default:
    for (int64_t j = 0; j < count; ++j)
      storeInteger(kind, to, toIndex + j * toStride, loadInteger(kind, from, fromIndex + j * fromStride));
  }
}

/// Notes in `out` which elements of a run were never written.
static void moveInit(const uint8_t *init, int64_t index, int64_t stride, TileData &out, int64_t at,
                     int64_t count) {
  for (int64_t j = 0; j < count; ++j) {
    const bool written = !init || init[index + j * stride];
    if (!written && !out.init) {
      out.init.reset(new uint8_t[static_cast<size_t>(out.count)]);
      std::memset(out.init.get(), 1, static_cast<size_t>(out.count));
    }
    if (out.init)
      out.init[static_cast<size_t>(at + j)] = written;
  }
}

Outcome eval::gather(Machine &machine, const Region &region, ElementKind kind, Slot pad, TileRef &out) {
  const View &view = machine.view(region.view);
  out = machine.allocate(kind, region.count(), true);
  TileData &tile = *out;
  return forEachRow(machine, region, [&](const Row &row) {
    for (int64_t j = 0; j < row.first; ++j)
      storeSlot(kind, tile.data.get(), row.linear + j, pad);
    for (int64_t j = row.last; j < row.length; ++j)
      storeSlot(kind, tile.data.get(), row.linear + j, pad);
    const int64_t count = row.last - row.first, from = row.base + row.first * row.stride,
                  to = row.linear + row.first;
    if (kind == view.kind)
      moveElements(kind, view.data, from, row.stride, tile.data.get(), to, 1, count);
    else
      for (int64_t j = 0; j < count; ++j)
        storeSlot(kind, tile.data.get(), to + j,
                  convertSlot(view.kind, kind, loadSlot(view.kind, view.data, from + j * row.stride)));
    if (view.init)
      moveInit(view.init, from, row.stride, tile, to, count);
    return Outcome::Ok;
  });
}

Outcome eval::scatter(Machine &machine, const Region &region, const TileData &values) {
  View &view = machine.view(region.view);
  if (view.owner && view.owner->readersInFlight)
    return machine.fail("write to a shared tile that a started gemm still reads");
  return forEachRow(machine, region, [&](const Row &row) {
    const int64_t count = row.last - row.first, to = row.base + row.first * row.stride,
                  from = row.linear + row.first;
    moveElements(view.kind, values.data.get(), from, 1, view.data, to, row.stride, count);
    for (int64_t j = 0; j < count; ++j) {
      const bool written = !values.init || values.init[static_cast<size_t>(from + j)];
      if (view.global && !written)
        return machine.fail("store of an element that was never written: element " + llvm::Twine(from + j) +
                            " of the region");
      if (view.init)
        view.init[to + j * row.stride] = written;
    }
    return Outcome::Ok;
  });
}

Outcome eval::forEachElement(Machine &machine, const Region &region,
                             llvm::function_ref<Outcome(View &, int64_t, int64_t)> fn) {
  View &view = machine.view(region.view);
  return forEachRow(machine, region, [&](const Row &row) {
    for (int64_t j = row.first; j < row.last; ++j) {
      const Outcome outcome = fn(view, row.base + j * row.stride, row.linear + j);
      if (outcome != Outcome::Ok)
        return outcome;
    }
    return Outcome::Ok;
  });
}

TileRef eval::convertTile(Machine &machine, const TileData &source, ElementKind kind) {
  TileRef out = machine.allocate(kind, source.count, true);
  for (int64_t i = 0; i < source.count; ++i)
    storeSlot(kind, out->data.get(), i,
              convertSlot(source.kind, kind, loadSlot(source.kind, source.data.get(), i)));
  if (source.init)
    moveInit(source.init.get(), 0, 1, *out, 0, source.count);
  return out;
}
