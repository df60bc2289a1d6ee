//===- Value.h - what the registers of the evaluator hold -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars live in 64-bit slots, objects with elements in views.
//
// Slots are canonical, so most instructions need not know a width: an integer narrower than 64 bits is sign
// extended (also an unsigned one: the order of canonical slots as uint64 is the order of the unsigned
// values), an i1 is 0 or 1, a float of 32 bits or fewer is the float of that value, an f64 a double.
//
// A view is a shape over elements that lie somewhere: in a caller's buffer (tensors) or in reference-counted
// storage (shared tiles, fragments). A fragment is a value: ops give a result fresh storage and share the
// rest, so moving one is cheap.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EVAL_VALUE_H
#define TILEC_LIB_EVAL_VALUE_H

#include "tilec/Check/Element.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <memory>

namespace tilec::eval {

union Slot {
  int64_t i;
  uint64_t u;
  double d;
  float f;
};

inline Slot slotOfInt(int64_t value) {
  Slot s;
  s.i = value;
  return s;
}
inline Slot slotOfFloat(float value) {
  Slot s;
  s.u = 0;
  s.f = value;
  return s;
}
inline Slot slotOfDouble(double value) {
  Slot s;
  s.d = value;
  return s;
}

/// Elements of a tile in their own types (i4 packed), with a byte an element that says whether it was
/// written; `init` is null where all were.
struct TileData : llvm::RefCountedBase<TileData> {
  TileData(ElementKind kind, int64_t count, bool initialised)
      : kind(kind), count(count), data(new uint8_t[static_cast<size_t>(storageBytes(kind, count)) + 1]) {
    if (!initialised) {
      init.reset(new uint8_t[static_cast<size_t>(count)]());
      std::memset(data.get(), 0xff, static_cast<size_t>(storageBytes(kind, count)));
    }
  }
  ElementKind kind;
  int64_t count;
  std::unique_ptr<uint8_t[]> data;
  std::unique_ptr<uint8_t[]> init;
  /// gemms that were started and not yet waited for and that read this tile: nobody may write it.
  unsigned readersInFlight = 0;
  /// Of registers in flight: the number of the start that made them, and the same until somebody takes them.
  uint64_t startedAs = 0, sequence = 0;
  /// The tile that borrows the memory of this slot of a ring.
  llvm::IntrusiveRefCntPtr<TileData> borrowed;
};
using TileRef = llvm::IntrusiveRefCntPtr<TileData>;

inline constexpr unsigned maxRank = 8;

struct Dim {
  int64_t size = 0;   ///< extent of the object
  int64_t lo = 0;     ///< first index that may be touched
  uint64_t valid = 0; ///< how many from there on
  int64_t stride = 0; ///< in elements
};

/// May element `index` be touched? The difference wraps for absurd indices, and is then too large.
inline bool isValid(const Dim &dim, int64_t index) {
  return static_cast<uint64_t>(index) - static_cast<uint64_t>(dim.lo) < dim.valid;
}

struct View {
  uint8_t *data = nullptr;
  uint8_t *init = nullptr; ///< null: every element was written
  int64_t offset = 0;      ///< of element (0, …, 0), in elements
  ElementKind kind = ElementKind::F32;
  uint8_t rank = 0;
  bool global = false; ///< the bounds rule applies; elsewhere an index out of bounds is an error
  bool dead = false;   ///< a window whose dropped index lies outside its base: nothing can be touched
  Dim dims[maxRank];
  TileRef owner;

  llvm::ArrayRef<Dim> shape() const { return {dims, rank}; }
  int64_t count() const {
    int64_t n = 1;
    for (const Dim &d : shape())
      n *= d.size;
    return n;
  }
  void bind(TileRef tile) {
    data = tile->data.get();
    init = tile->init.get();
    owner = std::move(tile);
  }
};

/// Sets a dense row-major shape.
inline void setDenseShape(View &view, llvm::ArrayRef<int64_t> extents) {
  view.rank = static_cast<uint8_t>(extents.size());
  int64_t stride = 1;
  for (unsigned d = view.rank; d-- > 0;) {
    view.dims[d] = {extents[d], 0, static_cast<uint64_t>(extents[d] > 0 ? extents[d] : 0), stride};
    stride *= extents[d];
  }
}

/// Sign-extends the low bits: `shift` is 64 minus the width.
inline int64_t signExtend(int64_t value, unsigned shift) {
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

inline Slot loadSlot(ElementKind kind, const uint8_t *data, int64_t index) {
  switch (kind) {
  case ElementKind::U8:
    return slotOfInt(detail::loadAt<int8_t>(data, index));
  case ElementKind::U16:
    return slotOfInt(detail::loadAt<int16_t>(data, index));
  case ElementKind::U32:
    return slotOfInt(detail::loadAt<int32_t>(data, index));
  case ElementKind::F16:
    return slotOfFloat(decodeF16(detail::loadAt<uint16_t>(data, index)));
  case ElementKind::BF16:
    return slotOfFloat(decodeBF16(detail::loadAt<uint16_t>(data, index)));
  case ElementKind::TF32:
    return slotOfFloat(truncateTF32(detail::loadAt<float>(data, index)));
  case ElementKind::F32:
    return slotOfFloat(detail::loadAt<float>(data, index));
  case ElementKind::F64:
    return slotOfDouble(detail::loadAt<double>(data, index));
  case ElementKind::E4M3:
    return slotOfFloat(decodeE4M3(detail::loadAt<uint8_t>(data, index)));
  case ElementKind::E5M2:
    return slotOfFloat(decodeE5M2(detail::loadAt<uint8_t>(data, index)));
  default:
    return slotOfInt(loadInteger(kind, data, index));
  }
}

inline void storeSlot(ElementKind kind, uint8_t *data, int64_t index, Slot value) {
  switch (kind) {
  case ElementKind::F16:
    return detail::storeAt<uint16_t>(data, index, encodeF16(value.f));
  case ElementKind::BF16:
    return detail::storeAt<uint16_t>(data, index, encodeBF16(value.f));
  case ElementKind::TF32:
    return detail::storeAt<float>(data, index, truncateTF32(value.f));
  case ElementKind::F32:
    return detail::storeAt<float>(data, index, value.f);
  case ElementKind::F64:
    return detail::storeAt<double>(data, index, value.d);
  // Values of the kind already: conversions saturate and make one NaN, moves keep infinities and all NaNs.
  case ElementKind::E4M3:
    return detail::storeAt<uint8_t>(data, index,
                                    std::isnan(value.f) ? std::signbit(value.f) ? 0xff : 0x7f
                                                        : encodeE4M3(value.f));
  case ElementKind::E5M2:
    return detail::storeAt<uint8_t>(data, index, static_cast<uint8_t>(encodeF16(value.f) >> 8));
  default:
    return storeInteger(kind, data, index, value.i);
  }
}

} // namespace tilec::eval

#endif // TILEC_LIB_EVAL_VALUE_H
