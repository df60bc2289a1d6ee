//===- Regions.h - moving regions of objects ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every op that moves elements is a gather (a region of an object to dense storage), a scatter (back) or
// both. Elements that were never written move as such: only a use, or a store to global memory, is an error.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EVAL_REGIONS_H
#define TILEC_LIB_EVAL_REGIONS_H

#include "Machine.h"

namespace tilec::eval {

/// Part of an object: its view and the slots of the offsets are known when the op is compiled.
struct Region {
  unsigned view = 0;
  llvm::SmallVector<uint32_t, 4> offsets;
  llvm::SmallVector<int64_t, 4> extents;
  bool inBounds = false; ///< somebody proved that it lies inside: otherwise is an error
  int64_t count() const {
    int64_t n = 1;
    for (int64_t e : extents)
      n *= e;
    return n;
  }
};

/// The value of a slot of kind `from` as one of kind `to`, converted as LANGUAGE section 3 says.
Slot convertSlot(ElementKind from, ElementKind to, Slot value);

/// Reads a region into fresh dense storage of `kind`. Where the bounds rule says so the element is `pad`, a
/// slot of that kind.
Outcome gather(Machine &machine, const Region &region, ElementKind kind, Slot pad, TileRef &out);

/// Writes dense storage, of the kind of the region's object, to the region. Where the bounds rule says so
/// nothing is written.
Outcome scatter(Machine &machine, const Region &region, const TileData &values);

/// Calls `fn(offset)` for every element of the region that may be touched; `linear` counts all its elements.
Outcome forEachElement(Machine &machine, const Region &region,
                       llvm::function_ref<Outcome(View &, int64_t offset, int64_t linear)> fn);

/// All elements of `source` converted to `kind`.
TileRef convertTile(Machine &machine, const TileData &source, ElementKind kind);

} // namespace tilec::eval

#endif // TILEC_LIB_EVAL_REGIONS_H
