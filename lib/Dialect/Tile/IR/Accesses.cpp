//===- Accesses.cpp - what each op reads and writes -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AccessOpInterface of the ops, and memory effects, which follow from it. One table-like function an op: here
// one sees at a glance who touches what.
//
//===----------------------------------------------------------------------===//

#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

using Accesses = SmallVectorImpl<Access>;

/// The box at `offsets`; a tensor's box may stick out of the tensor, so such a write is no full overwrite.
/// A box that is all of a tile is one.
static Access box(OpOperand &operand, AccessKind kind, ValueRange offsets, ArrayRef<int64_t> extents) {
  Access access;
  access.operand = &operand;
  access.kind = kind;
  access.offsets = offsets;
  access.extents.assign(extents.begin(), extents.end());
  auto type = cast<ObjectTypeInterface>(operand.get().getType());
  if (isa<GlobalType>(operand.get().getType()))
    access.coverage = Coverage::May;
  else if (type.getShape() == extents)
    access.coverage = Coverage::Full; // any other offset than 0 would be outside
  return access;
}

/// All of a tile.
static Access whole(OpOperand &operand, AccessKind kind = AccessKind::Read) {
  Access access;
  access.operand = &operand;
  access.kind = kind;
  access.coverage = Coverage::Full;
  return access;
}

/// One element.
static Access element(OpOperand &operand, AccessKind kind, ValueRange indices) {
  SmallVector<int64_t> ones(indices.size(), 1);
  Access access = box(operand, kind, indices, ones);
  if (access.coverage == Coverage::Full && operand.getOwner()->getParentOfType<ParallelOp>())
    access.coverage = Coverage::Must; // a guard may hide it
  return access;
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

void LoadOp::getAccesses(Accesses &accesses) {
  accesses.push_back(box(getSourceMutable(), AccessKind::Read, getOffsets(), getExtents()));
}

void StoreOp::getAccesses(Accesses &accesses) {
  accesses.push_back(whole(getValueMutable()));
  accesses.push_back(box(getDestMutable(), AccessKind::Write, getOffsets(), getExtents()));
  accesses.back().executor = getExecutor().value_or(Executor::All);
}

void CopyOp::getAccesses(Accesses &accesses) {
  // A bulk or cp_async copy stands in a ring's put: the ring says when it is done.
  for (Access access : {box(getSourceMutable(), AccessKind::Read, getSourceOffsets(), getSourceExtents()),
                        box(getDestMutable(), AccessKind::Write, getDestOffsets(), getDestExtents())}) {
    access.proxy = getPath() == Path::Bulk ? Proxy::Async : Proxy::Generic;
    accesses.push_back(access);
  }
}

void FillOp::getAccesses(Accesses &accesses) {
  accesses.push_back(box(getDestMutable(), AccessKind::Write, getOffsets(), getExtents()));
}

void AtomicTileOp::getAccesses(Accesses &accesses) {
  if (isa<FragmentType>(getValue().getType()))
    accesses.push_back(whole(getValueMutable()));
  accesses.push_back(box(getDestMutable(), AccessKind::Update, getOffsets(), getExtents()));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void ReadOp::getAccesses(Accesses &accesses) {
  accesses.push_back(element(getSourceMutable(), AccessKind::Read, getIndices()));
}

void WriteOp::getAccesses(Accesses &accesses) {
  accesses.push_back(element(getDestMutable(), AccessKind::Write, getIndices()));
}

void UpdateOp::getAccesses(Accesses &accesses) {
  accesses.push_back(element(getDestMutable(), AccessKind::Update, getIndices()));
}

void AtomicOp::getAccesses(Accesses &accesses) {
  accesses.push_back(element(getDestMutable(), AccessKind::Update, getIndices()));
}

void ReadScalarOp::getAccesses(Accesses &accesses) {
  accesses.push_back(element(getSourceMutable(), AccessKind::Read, getIndices()));
}

void WriteScalarOp::getAccesses(Accesses &accesses) {
  accesses.push_back(element(getDestMutable(), AccessKind::Write, getIndices()));
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

void GemmOp::getAccesses(Accesses &accesses) {
  accesses.push_back(whole(getAMutable()));
  accesses.push_back(whole(getBMutable()));
}

/// Async reads of shared operands, until the product has been waited for. A warpgroup reads its own rows of
/// A.
void GemmStartOp::getAccesses(Accesses &accesses) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable()}) {
    Access &access = accesses.emplace_back(whole(*operand));
    access.until = getResult();
    if (!isa<SharedType>(operand->get().getType()))
      continue;
    access.proxy = Proxy::Async;
    if (operand == &getAMutable())
      access.executor = Executor::OwnRows;
  }
}

void BulkStoreStartOp::getAccesses(Accesses &accesses) {
  for (Access access :
       {whole(getSourceMutable()), box(getDestMutable(), AccessKind::Write, getOffsets(), getExtents())}) {
    access.proxy = Proxy::Async;
    access.until = getResult();
    access.executor = getExecutor().value_or(Executor::All);
    accesses.push_back(access);
  }
}

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

void tilec::tile::appendEffectsOfAccesses(Operation *op, EffectList &effects) {
  SmallVector<Access> accesses;
  cast<AccessOpInterface>(op).getAccesses(accesses);
  for (const Access &access : accesses) {
    SideEffects::Resource *resource = nullptr;
    Type type = access.buffer().getType();
    if (isa<GlobalType>(type))
      resource = GlobalMemory::get();
    else if (isa<SharedType>(type))
      resource = SharedMemory::get();
    else if (isa<FragRefType>(type))
      resource = FragmentMemory::get();
    if (!resource)
      continue;
    if (access.reads())
      effects.emplace_back(MemoryEffects::Read::get(), access.operand, resource);
    if (access.writes())
      effects.emplace_back(MemoryEffects::Write::get(), access.operand, resource);
  }
}

void tilec::tile::appendActionEffect(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void SharedOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getResult(0), SharedMemory::get());
}

void ParallelOp::getEffects(EffectList &effects) {
  // What the body does, but for the references, which nobody outside sees.
  for (Operation &op : getBody()->without_terminator()) {
    std::optional<SmallVector<MemoryEffects::EffectInstance>> nested = getEffectsRecursively(&op);
    if (!nested) {
      appendActionEffect(effects);
      return;
    }
    for (MemoryEffects::EffectInstance &effect : *nested) {
      Value value = effect.getValue();
      if (!value || value.getParentRegion() == nullptr || !getRegion().isAncestor(value.getParentRegion()))
        effects.push_back(effect);
    }
  }
}
