//===- LayoutConstraint.h - how layouts depend on each other ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an op demands of the layouts of its operands and results. Layout inference propagates constraints and
// puts a `tile.convert` where two cannot both hold; it asks nothing else about an op.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_LAYOUTCONSTRAINT_H
#define TILEC_DIALECT_TILE_IR_LAYOUTCONSTRAINT_H

#include "mlir/IR/Value.h"

namespace tilec::tile {

enum class MmaOperand : uint32_t;

struct LayoutConstraint {
  enum Kind {
    Same,       // both have the same layout
    Iteration,  // the fragment has the layout of the op's iteration space
    Reduced,    // `to` has what a reduction of `from` along `axis` leaves
    Transposed, // `to` has the layout of `from` with dimensions swapped
    Reshaped,   // `to` has the layout of `from` with unit dimensions added or dropped
    Instr       // `to` is that operand of the op's matrix instruction
  };
  Kind kind;
  mlir::Value from; // null for Iteration and Instr
  mlir::Value to;
  int64_t axis = 0;        // Reduced
  MmaOperand operand = {}; // Instr
};

} // namespace tilec::tile

#endif // TILEC_DIALECT_TILE_IR_LAYOUTCONSTRAINT_H
