//===- Choose.h - which layout a tile gets ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small choices behind a layout, as functions of sizes alone: how warps divide a matrix, which panel and
// swizzle, or which padded pitch, a tile in shared memory gets. No costs of a chip beyond the 32 banks of 4
// bytes of shared memory; whoever weighs one whole layout against another does that elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LAYOUT_CHOOSE_H
#define TILEC_LAYOUT_CHOOSE_H

#include <cstdint>

namespace tilec {

/// What the warps that divide a matrix are to do where several divisions waste equally little.
enum class WarpDivision : uint8_t {
  Square, ///< the perimeter of a warp's part is least: it loads the fewest operands
  Rows,   ///< as many warps as possible below each other
  Cols,   ///< as many warps as possible beside each other
};

/// Warps below each other and beside each other.
struct WarpGrid {
  int64_t m = 1, n = 1;

  friend bool operator==(const WarpGrid &, const WarpGrid &) = default;
};

/// Divides an m x n matrix among `warps`, each of which works in steps of instrM x instrN. The product of the
/// result is `warps`. The elements computed beyond m x n are least; `division` decides among equals, and
/// where that leaves two, the one with more warps below each other (a row then stays within a warp).
WarpGrid chooseWarps(int64_t m, int64_t n, int64_t warps, int64_t instrM, int64_t instrN,
                     WarpDivision division = WarpDivision::Square);

/// A tile in shared memory cut into panels of `width` columns. `swizzleBytes` is the width of the XOR pattern
/// (PTX ISA, "Swizzling modes"): 0 (none), 32, 64 or 128.
struct PanelChoice {
  int64_t width = 0;
  unsigned swizzleBytes = 0;
  int64_t paddedCols = 0; ///< columns of all panels together: a multiple of `width`, at least the tile's

  friend bool operator==(const PanelChoice &, const PanelChoice &) = default;
};

/// The widest panel of 128, 64, 32 or 16 bytes that divides a row, padded to a multiple of 16 bytes, with the
/// swizzle of its width. An element has 4 to 128 bits, a power of two.
PanelChoice choosePanel(int64_t cols, unsigned elementBits);

/// The smallest pitch, in elements, of at least `cols` for which rows start at multiples of 16 bytes and any
/// 8 rows in a row start in different groups of 4 banks, so that 8 accesses of 16 bytes down a column (a row
/// address each of an `ldmatrix`) go without conflicts.
int64_t choosePitch(int64_t cols, unsigned elementBits);

} // namespace tilec

#endif // TILEC_LAYOUT_CHOOSE_H
