//===- LayoutConstraints.cpp - how layouts depend on each other -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LayoutConstraintOpInterface of the ops: a table of equations.
//
//===----------------------------------------------------------------------===//

#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

using Constraints = SmallVectorImpl<LayoutConstraint>;

void InsertSliceOp::getLayoutConstraints(Constraints &constraints) {
  constraints.push_back({LayoutConstraint::Same, getDest(), getResult()});
}

void InsertOp::getLayoutConstraints(Constraints &constraints) {
  constraints.push_back({LayoutConstraint::Same, getDest(), getResult()});
}

void ReshapeOp::getLayoutConstraints(Constraints &constraints) {
  constraints.push_back({LayoutConstraint::Reshaped, getSource(), getResult()});
}

void ParallelOp::getLayoutConstraints(Constraints &constraints) {
  // A fragment that the body reads or writes elsewhere is exchanged: only those under update are tied.
  for (auto [init, result] : llvm::zip_equal(getInits(), getResults())) {
    constraints.push_back({LayoutConstraint::Same, init, result});
    constraints.push_back({LayoutConstraint::Iteration, Value(), result});
  }
}

void ReduceOp::getLayoutConstraints(Constraints &constraints) {
  constraints.push_back({LayoutConstraint::Reduced, getSource(), getResult(), int64_t(getAxis())});
  if (getInit())
    constraints.push_back({LayoutConstraint::Same, getInit(), getResult()});
}

void ScanOp::getLayoutConstraints(Constraints &constraints) {
  constraints.push_back({LayoutConstraint::Same, getSource(), getResult()});
}

void TransposeOp::getLayoutConstraints(Constraints &constraints) {
  constraints.push_back({LayoutConstraint::Transposed, getSource(), getResult()});
}

template <typename GemmLike> static void appendGemm(GemmLike op, Constraints &constraints) {
  auto instr = [&](Value value, MmaOperand operand) {
    if (!isa<SharedType>(value.getType()))
      constraints.push_back({LayoutConstraint::Instr, Value(), value, 0, operand});
  };
  instr(op.getA(), MmaOperand::A);
  instr(op.getB(), MmaOperand::B);
  instr(op.getResult(), MmaOperand::Acc);
  if (op.getAcc())
    constraints.push_back({LayoutConstraint::Same, op.getAcc(), op.getResult()});
}

void GemmOp::getLayoutConstraints(Constraints &constraints) { appendGemm(*this, constraints); }
void GemmStartOp::getLayoutConstraints(Constraints &constraints) { appendGemm(*this, constraints); }
