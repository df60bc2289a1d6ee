//===- Choose.cpp - which layout a tile gets --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is small enough to try all candidates, so each choice is the order in which they are compared.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Choose.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <tuple>

namespace tilec {

WarpGrid chooseWarps(int64_t m, int64_t n, int64_t warps, int64_t instrM, int64_t instrN,
                     WarpDivision division) {
  assert(m >= 1 && n >= 1 && warps >= 1 && instrM >= 1 && instrN >= 1 && "nothing to divide");
  // Less is better: elements computed, the choice of `division`, warps beside each other.
  auto costOf = [&](const WarpGrid &grid) {
    int64_t rows = llvm::divideCeil(m, grid.m * instrM) * instrM; // of a warp
    int64_t cols = llvm::divideCeil(n, grid.n * instrN) * instrN;
    int64_t preference = division == WarpDivision::Square ? rows + cols
                         : division == WarpDivision::Rows ? grid.n
                                                          : grid.m;
    return std::tuple(rows * cols, preference, grid.n);
  };
  WarpGrid best{warps, 1};
  for (int64_t below = warps - 1; below >= 1; --below) {
    if (warps % below)
      continue;
    WarpGrid grid{below, warps / below};
    if (costOf(grid) < costOf(best))
      best = grid;
  }
  return best;
}

/// Elements of 16 bytes.
static int64_t elementsOfChunk(unsigned elementBits) {
  assert(elementBits >= 4 && elementBits <= 128 && llvm::isPowerOf2_32(elementBits) && "not an element");
  return 128 / elementBits;
}

PanelChoice choosePanel(int64_t cols, unsigned elementBits) {
  assert(cols >= 1 && "nothing to store");
  int64_t chunk = elementsOfChunk(elementBits);
  int64_t padded = llvm::alignTo(cols, chunk);
  unsigned panelBytes = 128;
  while (padded % (chunk * panelBytes / 16))
    panelBytes /= 2;
  return {chunk * panelBytes / 16, panelBytes == 16 ? 0 : panelBytes, padded};
}

int64_t choosePitch(int64_t cols, unsigned elementBits) {
  assert(cols >= 1 && "nothing to store");
  int64_t chunk = elementsOfChunk(elementBits);
  // Rows r and r + 1 start this many groups of 4 banks apart, of which there are 8: an odd number visits all.
  int64_t groups = llvm::divideCeil(cols, chunk) | 1;
  return groups * chunk;
}

} // namespace tilec
