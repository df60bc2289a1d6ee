//===- Conversion.h - from one distributed layout to another ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the values of a fragment get from where one layout has them to where another wants them, by the
// cheapest means that does it: other names for the same registers, shuffles within each warp, shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LAYOUT_CONVERSION_H
#define TILEC_LAYOUT_CONVERSION_H

#include "tilec/Layout/Layout.h"

namespace tilec {

/// Where a register comes from in a shuffle: register `source` of lane lanes[l], for each lane l, in every
/// warp.
struct ShuffleSource {
  unsigned source = 0;
  std::array<uint8_t, 32> lanes = {};

  /// Every lane reads its own register: no shuffle is needed.
  bool isIdentity() const;
};

struct ConversionPlan {
  enum class Kind : uint8_t {
    Registers, ///< `registers[r]` of the source is register r, in every thread
    Shuffles,  ///< `shuffles[r]` gives register r; each is one `shfl.sync.idx` a 32-bit word
    Shared,    ///< through shared memory: every element is written by a holder and read by all
  };
  Kind kind = Kind::Shared;
  llvm::SmallVector<unsigned> registers;
  llvm::SmallVector<ShuffleSource, 0> shuffles;
};

/// How the elements of the box get from `from` to `to`. Registers that hold nothing of the box in any thread
/// get whatever register 0 has. Both have 32 lanes; a different number of warps always goes through shared
/// memory.
ConversionPlan planConversion(const Layout &from, const Layout &to, llvm::ArrayRef<int64_t> extents);

} // namespace tilec

#endif // TILEC_LAYOUT_CONVERSION_H
