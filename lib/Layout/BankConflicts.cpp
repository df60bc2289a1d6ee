//===- BankConflicts.cpp - what an access to shared memory costs ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All accesses of all warps are counted: with digits that are not powers of two no one of them stands for
// all.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/BankConflicts.h"
#include "OffsetLookup.h"
#include "PlaceTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilec {

int64_t countConflicts(ArrayRef<int64_t> addresses, unsigned vectorBytes) {
  assert(vectorBytes >= 1 && vectorBytes <= 16 && isPowerOf2_32(vectorBytes) && "not an access");
  size_t phaseLanes = vectorBytes <= 4 ? 32 : 128 / vectorBytes;
  int64_t conflicts = 0;
  for (; !addresses.empty(); addresses = addresses.drop_front(std::min(phaseLanes, addresses.size()))) {
    SmallVector<int64_t, 32> words;
    for (int64_t address : addresses.take_front(phaseLanes))
      for (int64_t byte = 0; address >= 0 && byte < vectorBytes; byte += 4)
        words.push_back((address + byte) / 4);
    llvm::sort(words);
    words.erase(llvm::unique(words), words.end());
    std::array<int64_t, 32> ofBank = {};
    for (int64_t word : words)
      ++ofBank[word % 32];
    conflicts += std::max<int64_t>(*max_element(ofBank), 1) - 1;
  }
  return conflicts;
}

namespace {

/// Byte addresses of the elements of a layout.
class Addresses {
public:
  Addresses(const Layout &layout, const Layout &memory, unsigned elementBits)
      : tables(layout), offsetOf(memory), elementBits(elementBits), coord(layout.getRank(), 0) {}

  /// In bits: elements may be smaller than a byte. -1 where there is no such element.
  int64_t bitOf(const Contribution &thread, int64_t reg) {
    for (unsigned dim = 0; dim < coord.size(); ++dim)
      coord[dim] = tables.getCoordinate(thread, Place::Register, reg, dim);
    int64_t offset = offsetOf[coord];
    return offset < 0 ? -1 : offset * elementBits;
  }

  PlaceTables tables;

private:
  OffsetLookup offsetOf;
  int64_t elementBits;
  Coord coord;
};

} // namespace

/// `registersOfVector` registers of a thread make up one access.
static std::optional<int64_t> bankConflicts(const Layout &layout, const Layout &memory, unsigned elementBits,
                                            unsigned vectorBytes, unsigned lanes, int64_t registersOfVector) {
  assert(layout.getRank() == memory.getRank() && "layouts of one tile have one rank");
  Addresses addresses(layout, memory, elementBits);
  const PlaceTables &tables = addresses.tables;
  lanes = std::min<int64_t>(lanes, tables.getCount(Place::Lane));
  int64_t most = 0;
  SmallVector<int64_t, 32> starts(lanes);
  for (int64_t warp = 0; warp < tables.getCount(Place::Warp); ++warp) {
    SmallVector<Contribution, 32> threads;
    for (int64_t lane = 0; lane < lanes; ++lane)
      threads.push_back(tables.getThread(lane, warp));
    for (int64_t reg = 0; reg < tables.getCount(Place::Register); reg += registersOfVector) {
      for (auto [thread, start] : zip_equal(threads, starts)) {
        int64_t first = addresses.bitOf(thread, reg);
        for (int64_t next = 1; next < registersOfVector; ++next) {
          int64_t bit = addresses.bitOf(thread, reg + next);
          if ((first < 0) != (bit < 0) || (first >= 0 && bit != first + next * elementBits))
            return std::nullopt;
        }
        if (first >= 0 && first % (vectorBytes * 8))
          return std::nullopt;
        start = first < 0 ? -1 : first / 8;
      }
      most = std::max(most, countConflicts(starts, vectorBytes));
    }
  }
  return most;
}

std::optional<int64_t> bankConflicts(const Layout &registers, const Layout &memory, unsigned elementBits,
                                     unsigned vectorBytes, unsigned lanes) {
  assert(vectorBytes * 8 >= elementBits && vectorBytes * 8 % elementBits == 0 &&
         "a vector is whole elements");
  int64_t registersOfVector = vectorBytes * 8 / elementBits;
  if (registers.getNumRegisters() % registersOfVector)
    return std::nullopt;
  return bankConflicts(registers, memory, elementBits, vectorBytes, lanes, registersOfVector);
}

std::optional<int64_t> bankConflicts(const MatrixLoad &load, const Layout &memory, unsigned elementBits) {
  return bankConflicts(load.rows, memory, elementBits, 16, 8 * load.count, 1);
}

} // namespace tilec
