//===- Layout.h - which thread holds which element --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Layout maps places of the hardware to the coordinates of a tile. A place is (register, lane, warp) for a
// distributed tile, or an element offset for a tile in memory. The map is
//
//     coordinate = F2-linear atom (bits of the place's low part)  +  sum over factors (digit * step)
//
// The atom holds what is XOR-linear and a power of two: vectors, lanes, swizzles, matrix fragments. The
// factors hold what is not: 3 warps, 5 repetitions, panels of 96 rows. A factor is one digit of a mixed-radix
// number:
//
//     digit = (place / stride) % size,      coordinate[dim] += digit * step
//
// Memory may have gaps: there the part of the place that the next larger stride leaves over counts, and
// offsets that no digit reaches hold nothing.
//
//   example: 24 x 128 elements, vectors of 4, 32 lanes along dim 1, 3 warps along dim 0, 8 repetitions
//
//     register bits  (0,1) (0,2)              atom: 1 x 128
//     lane bits      (0,4) (0,8) … (0,64)
//     factor         size 3, dim 0, warp,     stride 1, step 1
//     factor         size 8, dim 0, register, stride 4, step 3
//
// A layout may cover more than the tile's extents (the rest is masked) and may own an element several times
// (a zero basis, or a factor of step 0). Plain C++ over LLVM's support library; depends on nothing else of
// ours.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LAYOUT_LAYOUT_H
#define TILEC_LAYOUT_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace tilec {

/// The parts of a place.
enum class Place : uint8_t { Register, Lane, Warp, Offset };
inline constexpr unsigned numPlaces = 4;
/// "register", "lane", "warp", "offset".
llvm::StringRef getPlaceName(Place place);

/// Coordinates of a tile's element, one a dimension.
using Coord = llvm::SmallVector<int64_t, 4>;

/// A place: which register of which lane of which warp, or which offset in memory. Unused parts are 0.
struct Position {
  int64_t reg = 0, lane = 0, warp = 0, offset = 0;

  int64_t &operator[](Place place);
  int64_t operator[](Place place) const { return const_cast<Position &>(*this)[place]; }
  friend bool operator==(const Position &, const Position &) = default;
};

/// One digit of the mixed-radix part.
struct LayoutFactor {
  int64_t size;   ///< values of the digit, at least 1
  unsigned dim;   ///< tile dimension it moves along; of no meaning where the step is 0
  Place place;    ///< Register, Warp or Offset; lanes are always in the atom
  int64_t stride; ///< digit = place % (next larger stride of the place) / stride
  int64_t step;   ///< elements along `dim` a digit; 0: the same elements again

  friend bool operator==(const LayoutFactor &, const LayoutFactor &) = default;
};

/// Exactly one holder of every element satisfies: all bits of the masks are 0 in its register, lane and warp
/// (masks cover the atom's bits only), and every digit listed is 0. This presumes that elements held several
/// times are so by zero or dependent bases and steps of 0, as everywhere in this project, not by digits that
/// reach into each other.
struct OwnerPredicate {
  int64_t registerMask = 0, laneMask = 0, warpMask = 0;
  llvm::SmallVector<LayoutFactor, 2> zeroDigits;

  bool isTrivial() const { return !registerMask && !laneMask && !warpMask && zeroDigits.empty(); }
  bool holds(const Position &position) const;
};

class Layout {
public:
  /// An atom without bits and without factors: the element at the origin.
  explicit Layout(unsigned rank) : rank(rank) {}

  /// \name Construction
  /// @{
  /// Appends the next higher bit of `place` to the atom. All bits precede all factors of the same place.
  Layout &addBit(Place place, llvm::ArrayRef<int64_t> basis);
  /// Appends a digit above everything `place` has so far: its stride is the place's size up to now.
  Layout &addFactor(int64_t size, unsigned dim, Place place, int64_t step);
  /// The same with a stride of its own, for memory with gaps.
  Layout &addStridedFactor(int64_t size, unsigned dim, Place place, int64_t stride, int64_t step);

  /// Vectors of `vector` elements, `lanes` and `warps` along each dimension, all of that `reps` times. The
  /// last dimension runs fastest everywhere. See checkBlocked for what is allowed.
  static Layout blocked(llvm::ArrayRef<int64_t> vector, llvm::ArrayRef<int64_t> lanes,
                        llvm::ArrayRef<int64_t> warps, llvm::ArrayRef<int64_t> reps);
  /// Why these do not make a blocked layout, or nothing: one length each; vector and lanes powers of two; 32
  /// lanes in all; 1 to 32 warps in all.
  static std::optional<std::string> checkBlocked(llvm::ArrayRef<int64_t> vector,
                                                 llvm::ArrayRef<int64_t> lanes, llvm::ArrayRef<int64_t> warps,
                                                 llvm::ArrayRef<int64_t> reps);
  /// Memory in row-major order without gaps.
  static Layout rowMajor(llvm::ArrayRef<int64_t> shape);
  /// @}

  /// \name Facts
  /// @{
  unsigned getRank() const { return rank; }
  /// Places of a kind: 2^bits of the atom times the factors.
  int64_t getNumPlaces(Place place) const;
  int64_t getNumRegisters() const { return getNumPlaces(Place::Register); }
  int64_t getNumWarps() const { return getNumPlaces(Place::Warp); }
  llvm::ArrayRef<Coord> getBits(Place place) const { return bits[static_cast<unsigned>(place)]; }
  llvm::ArrayRef<LayoutFactor> getFactors() const { return factors; }
  /// A box that holds all coordinates that occur; the smallest one unless bases depend on each other.
  Coord getBounds() const;
  /// Every combination of digits and bits occurs: no digit of a place reaches into the next one. Only memory
  /// with strides of its own may lack this; elements then lie on top of each other, and few answers make
  /// sense.
  bool hasFreeDigits() const;
  /// @}

  /// \name Queries
  /// @{
  /// The coordinates of a place that holds something.
  Coord apply(const Position &position) const;
  /// No element is at this offset: it lies between the digits of memory with gaps, or beyond its end.
  bool isGap(int64_t offset) const;
  /// The owner of an element (see ownerPredicate), or nothing. For many elements of one layout use a Locator.
  std::optional<Position> locate(llvm::ArrayRef<int64_t> coord) const;
  /// Every element of the box has a holder.
  bool covers(llvm::ArrayRef<int64_t> extents) const;
  /// Picks one of the places that hold the same element. Needed round everything that counts: stores with
  /// side effects, atomics, reductions, prints.
  OwnerPredicate ownerPredicate() const;
  /// Every thread that holds an element of the box under `this` holds it under `source` too, so that values
  /// get from `source` to `this` without any exchange between threads.
  bool sameThread(const Layout &source, llvm::ArrayRef<int64_t> extents) const;
  /// For each register of this layout the register of `source` in which the same thread holds the element
  /// whose coordinate d is coordinate dims[d] of this register's (0 where dims[d] < 0); the answer must be
  /// the same for all threads, and the first that fits is taken. Nothing if there is none: the elements have
  /// to move between threads. `dims` has an entry for each dimension of the source.
  std::optional<llvm::SmallVector<unsigned>> matchRegisters(const Layout &source,
                                                            llvm::ArrayRef<int> dims) const;
  /// The largest power of two n for which registers n*k … n*k+n-1 hold n elements in a row along `dim`, the
  /// first of them at a multiple of n.
  int64_t vectorWidth(unsigned dim) const;
  /// Calls `callback` for every place but gaps, warps slowest, registers (then offsets) fastest.
  void forEachPlace(llvm::function_ref<void(const Position &, llvm::ArrayRef<int64_t>)> callback) const;
  /// The layout that maps a distributed layout's places to offsets of `memory` (rank 1): where in memory each
  /// register belongs. Elements that `memory` does not have do not count. Nothing where that is not of this
  /// form, e.g. digits that straddle a panel; go by a Locator then.
  std::optional<Layout> compose(const Layout &memory) const;
  /// @}

  /// "register (0,1)(0,2) lane (0,4)… warp | 3:0 warp/1*1, 8:0 register/4*3": the bases of the atom, then
  /// size:dim place/stride*step of every factor.
  std::string str() const;
  void print(llvm::raw_ostream &os) const;

  friend bool operator==(const Layout &, const Layout &) = default;

private:
  unsigned rank;
  std::array<llvm::SmallVector<Coord, 6>, numPlaces> bits;
  llvm::SmallVector<LayoutFactor, 4> factors;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Layout &layout) {
  layout.print(os);
  return os;
}

} // namespace tilec

#endif // TILEC_LAYOUT_LAYOUT_H
