//===- PlaceTables.h - a layout as tables -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For questions that have to look at all places: what each register, lane, warp and offset contributes to a
// coordinate, so that an element costs a few additions instead of a walk over bits and digits.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_LAYOUT_PLACETABLES_H
#define TILEC_LIB_LAYOUT_PLACETABLES_H

#include "tilec/Layout/Layout.h"

namespace tilec {

/// What one or several places together contribute: the atom's part joins others by XOR, the digits' part by
/// addition, so the parts of a thread are joined once for all its registers.
struct Contribution {
  Coord atom, digits;

  explicit Contribution(unsigned rank) : atom(rank, 0), digits(rank, 0) {}
};

class PlaceTables {
public:
  explicit PlaceTables(const Layout &layout);

  unsigned getRank() const { return rank; }
  int64_t getCount(Place place) const { return tables[static_cast<unsigned>(place)].count; }
  int64_t getNumThreads() const { return getCount(Place::Lane) * getCount(Place::Warp); }

  /// Lane and warp, the numbers taken modulo how many there are.
  Contribution getThread(int64_t lane, int64_t warp) const {
    Contribution thread(rank);
    join(thread, Place::Lane, lane % getCount(Place::Lane));
    join(thread, Place::Warp, warp % getCount(Place::Warp));
    return thread;
  }
  void join(Contribution &sum, Place place, int64_t value) const {
    const Table &table = tables[static_cast<unsigned>(place)];
    for (unsigned dim = 0; dim < rank; ++dim) {
      sum.atom[dim] ^= table.atom[value * rank + dim];
      sum.digits[dim] += table.digits[value * rank + dim];
    }
  }

  /// Coordinate `dim` of a register, or an offset, of a thread.
  int64_t getCoordinate(const Contribution &thread, Place place, int64_t value, unsigned dim) const {
    const Table &table = tables[static_cast<unsigned>(place)];
    size_t at = value * rank + dim;
    return (thread.atom[dim] ^ table.atom[at]) + thread.digits[dim] + table.digits[at];
  }
  /// The number of the element in row-major order of the box, or -1 outside of it.
  int64_t getIndex(const Contribution &thread, Place place, int64_t value,
                   llvm::ArrayRef<int64_t> extents) const {
    int64_t index = 0;
    for (unsigned dim = 0; dim < rank; ++dim) {
      int64_t coordinate = getCoordinate(thread, place, value, dim);
      if (coordinate >= extents[dim])
        return -1;
      index = index * extents[dim] + coordinate;
    }
    return index;
  }

private:
  struct Table {
    int64_t count = 1;
    llvm::SmallVector<int64_t, 0> atom, digits; ///< `rank` values a place
  };

  unsigned rank;
  std::array<Table, numPlaces> tables;
};

} // namespace tilec

#endif // TILEC_LIB_LAYOUT_PLACETABLES_H
