//===- InPlace.cpp - memory that a parallel changes in place -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilec/Transforms/InPlace.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/SharedMemory.h"

using namespace mlir;

namespace tilec::tile {

/// Null: any shared memory.
static Value getRoot(Value object) {
  return isa<GlobalType>(object.getType()) ? Value(getRootPointer(object)) : getSharedRoot(object);
}

InPlaceReads::InPlaceReads(ParallelOp parallel) : parallel(parallel) {
  llvm::DenseSet<Value> written;
  SmallVector<Operation *> changes; // of fragments
  auto add = [&](Operation *op, Value dest) {
    if (isa<FragRefType>(dest.getType()))
      changes.push_back(op);
    else
      written.insert(getRoot(dest));
  };
  parallel->walk([&](Operation *op) {
    if (auto write = dyn_cast<WriteOp>(op))
      add(op, write.getDest());
    else if (auto update = dyn_cast<UpdateOp>(op))
      add(op, update.getDest());
    else if (auto atomic = dyn_cast<AtomicOp>(op))
      add(op, atomic.getDest());
  });
  if (written.empty())
    return;
  parallel->walk([&](ReadOp read) {
    Value source = read.getSource();
    if (!isa<GlobalType, SharedType>(source.getType()))
      return;
    bool isShared = isa<SharedType>(source.getType());
    Value root = getRoot(source);
    if (written.contains(root) || (isShared && written.contains(Value())) || (isShared && !root))
      reads.insert(read);
  });
  if (reads.empty())
    return;
  for (Operation *change : changes)
    need(change);
}

void InPlaceReads::need(Value value) {
  if (Operation *op = value.getDefiningOp()) {
    if (!parallel->isProperAncestor(op))
      return;
    need(op);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      need(branch.thenYield().getOperand(number));
      need(branch.elseYield().getOperand(number));
    }
    return;
  }
  Operation *owner = cast<BlockArgument>(value).getOwner()->getParentOp();
  if (parallel->isProperAncestor(owner))
    need(owner);
}

void InPlaceReads::need(Operation *op) {
  if (!needed.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    need(operand);
  // How often a loop runs, and what it carries, may be all that it does.
  if (!isa<scf::IfOp>(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value operand : block.getTerminator()->getOperands())
          need(operand);
  if (Operation *parent = op->getParentOp(); parent != parallel)
    need(parent);
}

} // namespace tilec::tile
