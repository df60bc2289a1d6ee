//===- MatrixLoad.h - fragments by ldmatrix and stmatrix --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA, "Warp-level matrix load instruction: ldmatrix" (and stmatrix, its mirror image): 1, 2 or 4
// matrices of 8 rows of 16 bytes. Lane 8q + j addresses row j of matrix q; register q of lane 4g + t then
// holds 32-bit word t of row g, or, transposed, 16-bit element g of rows 2t and 2t + 1.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LAYOUT_MATRIXLOAD_H
#define TILEC_LAYOUT_MATRIXLOAD_H

#include "tilec/Layout/Layout.h"

namespace tilec {

struct MatrixLoad {
  unsigned count;     ///< matrices an instruction moves: 1, 2 or 4
  bool transposed;    ///< .trans
  unsigned perResult; ///< registers of the fragment in one of the instruction's 32-bit registers
  /// Whose registers are instructions: instruction i moves registers i * count * perResult … of the fragment,
  /// and lane l of each warp addresses the 16 bytes that start at this element. Lanes from 8 * count on
  /// repeat those below them; the instruction ignores them.
  Layout rows;
};

/// How to move a whole fragment with elements of `elementBits`, whose 16-byte pieces along `contiguousDim`
/// are contiguous and aligned in memory (as in panels, or strided with a pitch of whole pieces). The most
/// matrices an instruction that divide the fragment. Nothing if lanes and registers are not those of an
/// ldmatrix.
std::optional<MatrixLoad> planMatrixLoad(const Layout &fragment, unsigned contiguousDim,
                                         unsigned elementBits);

} // namespace tilec

#endif // TILEC_LAYOUT_MATRIXLOAD_H
