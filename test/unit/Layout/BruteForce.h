//===- BruteForce.h - layouts enumerated by their definition ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the layout library compare its answers with: the element of every place, computed from
// the bits and digits as Layout.h defines them and by none of the library's code, and the cases to ask about.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_UNIT_LAYOUT_BRUTEFORCE_H
#define TILEC_TEST_UNIT_LAYOUT_BRUTEFORCE_H

#include "tilec/Layout/Fragments.h"
#include "tilec/Layout/Layout.h"
#include <map>
#include <string>
#include <vector>

namespace tilec::test {

using Extents = std::vector<int64_t>;

inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

inline int64_t product(llvm::ArrayRef<int64_t> extents) {
  int64_t total = 1;
  for (int64_t extent : extents)
    total *= extent;
  return total;
}

/// Number of the element in row-major order of the box, -1 outside of it.
inline int64_t numberOf(llvm::ArrayRef<int64_t> coord, llvm::ArrayRef<int64_t> extents) {
  int64_t number = 0;
  for (size_t dim = 0; dim < coord.size(); ++dim) {
    if (coord[dim] >= extents[dim])
      return -1;
    number = number * extents[dim] + coord[dim];
  }
  return number;
}

/// The inverse of numberOf.
inline Coord coordOf(int64_t number, llvm::ArrayRef<int64_t> extents) {
  Coord coord(extents.size(), 0);
  for (size_t dim = extents.size(); dim-- > 0; number /= extents[dim])
    coord[dim] = number % extents[dim];
  return coord;
}

/// The element of every place of a layout: threads (warp * 32 + lane) and registers, or offsets of memory.
struct Enumerated {
  explicit Enumerated(const Layout &layout);

  int64_t getNumThreads() const { return numWarps * 32; }
  int64_t getNumPlaces() const { return numRegisters * numWarps * 32; }
  llvm::ArrayRef<int64_t> at(int64_t reg, int64_t thread) const {
    return {coords.data() + (reg * getNumThreads() + thread) * rank, rank};
  }
  /// The numbers in a box of what all places hold, [register][thread].
  std::vector<int64_t> numbers(llvm::ArrayRef<int64_t> extents) const;

  size_t rank;
  bool isMemory;
  int64_t numRegisters, numWarps;
  std::vector<int64_t> coords;              ///< [register][thread][dimension], of distributed layouts
  std::vector<std::optional<Coord>> memory; ///< [offset]; nothing in a gap
};

/// A small generator of our own: the cases are the same everywhere.
class Random {
public:
  explicit Random(unsigned seed) : state(seed * 2654435761u + 12345) {}
  int64_t below(int64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
  }
  template <typename T> T oneOf(std::initializer_list<T> list) { return list.begin()[below(list.size())]; }
  bool oneIn(int64_t n) { return below(n) == 0; }

private:
  uint64_t state;
};

struct Case {
  std::string name;
  Layout layout;
  Extents extents;

  std::string describe() const;
};

/// `count` of the cases, others for another seed.
std::vector<Case> pick(std::vector<Case> cases, size_t count, unsigned seed);

/// Distributed layouts for a tile of these extents, every family that has that rank. `seed` varies vectors,
/// warps (1 to 32) and how the warps divide the tile; some cases cover less than the tile.
std::vector<Case> distributedCases(llvm::ArrayRef<int64_t> extents, unsigned seed);
/// The same for memory.
std::vector<Case> memoryCases(llvm::ArrayRef<int64_t> extents, unsigned seed);

/// What concerns one layout alone: bounds, coverage, owners, the inverse.
void checkLayout(const Case &c);

/// The shapes of rank 2 that are tried.
inline const Extents shapes[] = {{1, 1},    {7, 13},   {16, 8},   {24, 24},   {3, 229},  {229, 3}, {33, 17},
                                 {48, 104}, {12, 100}, {96, 128}, {128, 128}, {64, 256}, {2, 2048}};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_LAYOUT_BRUTEFORCE_H
