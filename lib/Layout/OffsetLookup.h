//===- OffsetLookup.h - where in memory elements are ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Locator for questions that look at most elements of a tile in memory: a table, unless the memory is
// larger than any tile.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_LAYOUT_OFFSETLOOKUP_H
#define TILEC_LIB_LAYOUT_OFFSETLOOKUP_H

#include "tilec/Layout/Locator.h"

namespace tilec {

class OffsetLookup {
public:
  explicit OffsetLookup(const Layout &memory);

  /// The offset of an element, -1 if there is none.
  int64_t operator[](llvm::ArrayRef<int64_t> coord) const {
    int64_t number = 0;
    for (size_t dim = 0; dim < bounds.size(); ++dim) {
      if (coord[dim] >= bounds[dim])
        return -1;
      number = number * bounds[dim] + coord[dim];
    }
    return table.empty() ? search(coord) : table[number];
  }

private:
  int64_t search(llvm::ArrayRef<int64_t> coord) const;

  Locator locator;
  Coord bounds;
  llvm::SmallVector<int64_t, 0> table; ///< by the element's number in the bounds
};

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_OFFSETLOOKUP_H
