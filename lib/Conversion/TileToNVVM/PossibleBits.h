//===- PossibleBits.h - which bits of an index can be set --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about integers of the function that is being written: enough to see that an index is a
// multiple of 8, or that adding a constant to it carries nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_POSSIBLEBITS_H
#define TILEC_LIB_CONVERSION_TILETONVVM_POSSIBLEBITS_H

#include "mlir/IR/Value.h"
#include <cstdint>

namespace tilec::lowering {

/// Every bit that may be set in a value of at most 64 bits; null, which stands for 0, has none. Bits above
/// the type's width say nothing. `threads` bounds the thread's number.
uint64_t getPossibleBits(mlir::Value value, int64_t threads);

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_POSSIBLEBITS_H
