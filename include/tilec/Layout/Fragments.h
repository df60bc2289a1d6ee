//===- Fragments.h - the layouts of the hardware ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts that instructions prescribe, and those of tiles in shared memory. Sources are chapters of the PTX
// ISA: "Matrix fragments for mma.m16n8k…", "Register fragments and shared memory matrix layouts" of wgmma,
// "Shared memory matrix layout" with its swizzling modes. Where a matrix is repeated, the second dimension
// runs faster than the first, registers faster than warps.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LAYOUT_FRAGMENTS_H
#define TILEC_LAYOUT_FRAGMENTS_H

#include "tilec/Layout/Layout.h"

namespace tilec {

/// Which matrix of a matrix instruction: D and C, A, B.
enum class MatrixOperand : uint8_t { Acc, A, B };

/// Fragment of `mma.sync` m16n8 with elements of 8, 16 or 32 bits, or of m8n8k4 with 64. The atom is 16x8 for
/// Acc, 16 x 256 bits for A, 256 bits x 8 for B; with 64 bits 8x8, 8x4 and 4x8. `warps` divide the product's
/// m and n (a warp of another n holds the same A), `reps` repeats along the fragment's two dimensions.
Layout mmaFragment(MatrixOperand operand, unsigned bits, llvm::ArrayRef<int64_t> warps,
                   llvm::ArrayRef<int64_t> reps);

/// Accumulator of `wgmma` m64nN: a warpgroup holds 64 rows and `n` columns, a multiple of 8. `warpgroups`
/// divide m and n, `reps` repeats along both.
Layout wgmmaAccumulator(int64_t n, llvm::ArrayRef<int64_t> warpgroups, llvm::ArrayRef<int64_t> reps);

/// A operand of `wgmma` in registers: 64 rows, 256 bits of k. `warpgroups` divide m and n (those of another n
/// hold the same A), `reps` repeats along m and k.
Layout wgmmaOperandA(unsigned bits, llvm::ArrayRef<int64_t> warpgroups, llvm::ArrayRef<int64_t> reps);

/// What is left of an axis that was folded.
enum class AxisParts : uint8_t {
  None,    ///< nothing: every thread that held elements of a row holds the row's value
  Warps,   ///< a part for each warp that held some of it, in all its lanes that did
  Threads, ///< a part for each thread that did
};

/// What a fold along `axis` leaves of a layout. Without parts the axis is gone, else it numbers who holds
/// one.
Layout foldAxis(const Layout &parent, unsigned axis, AxisParts parts);

/// The layout with a dimension of extent 1 put in before dimension `axis`, or after the last one.
Layout insertUnitDim(const Layout &parent, unsigned axis);

/// Memory of rows x columns, cut into panels of `width` columns that follow each other: each is stored row by
/// row, in groups of 8 rows, its 16-byte chunks exchanged by an XOR with the row. `swizzleBytes` is the width
/// of the XOR pattern: 0 (none), 32, 64 or 128.
Layout panels(llvm::ArrayRef<int64_t> shape, int64_t width, unsigned swizzleBytes, unsigned elementBits);

/// Memory with a stride, in elements, for each dimension.
Layout strided(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides);

} // namespace tilec

#endif // TILEC_LAYOUT_FRAGMENTS_H
