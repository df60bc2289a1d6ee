//===- OpsRings.cpp - rings -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, syntax and verifiers of the ops on rings.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

//===----------------------------------------------------------------------===//
// RingOp
//===----------------------------------------------------------------------===//

void RingOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getResult(0), SharedMemory::get());
}

LogicalResult RingOp::verify() {
  if (int64_t(getDepth()) < 1 || int64_t(getReaders()) < 1) // ring_c1
    return emitOpError() << "'depth' and 'readers' must be positive, got " << int64_t(getDepth()) << " and "
                         << int64_t(getReaders());
  if (getPut() == Path::Matrix || getPut() == Path::Wgmma) // ring_c2
    return emitOpError() << "is put by 'generic', 'cp_async' or 'bulk', not by '" << stringifyPath(getPut())
                         << "'";
  if (getGet() == Path::CpAsync) // ring_c2
    return emitOpError() << "is got by 'generic', 'matrix', 'wgmma' or 'bulk', not by '"
                         << stringifyPath(getGet()) << "'";
  if (failed(verifyOffset(*this, "offset", getOffset(), 16))) // ring_c3
    return failure();
  return verifyOffset(*this, "barrier_offset", getBarrierOffset(), 8); // ring_c3
}

//===----------------------------------------------------------------------===//
// RingPutOp
//===----------------------------------------------------------------------===//

void RingPutOp::build(OpBuilder &builder, OperationState &state, Value ring, ExecutorAttr executor) {
  state.addOperands(ring);
  if (executor)
    state.addAttribute(getExecutorAttrName(state.name), executor);
  Region *region = state.addRegion();
  region->emplaceBlock().addArgument(slotType(cast<RingType>(ring.getType())), state.location);
  ensureTerminator(*region, builder, state.location);
}

ParseResult RingPutOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand ring;
  OpAsmParser::Argument slot;
  RingType type;
  if (parser.parseOperand(ring) || parser.parseKeyword("as") || parser.parseArgument(slot) ||
      parser.parseColonType(type) || parser.resolveOperand(ring, type, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  slot.type = slotType(type);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, slot))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void RingPutOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getRing() << " as " << getSlot() << " : " << getRing().getType();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

LogicalResult RingPutOp::verify() {
  auto arguments = getBody()->getArguments();
  SharedType expected = slotType(getRing().getType());
  if (arguments.size() != 1 || arguments[0].getType() != expected) // ring_put_c1
    return emitOpError() << "must have a body with one argument of type " << expected;
  return success();
}

LogicalResult RingPutOp::verifyRegions() {
  if (failed(verifyPlainYield(*this, getRegion()))) // ring_put_c3
    return failure();
  bool written = false;
  WalkResult result = getBody()->walk([&](Operation *op) {
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RingType>)) { // ring_put_c3
      op->emitOpError() << "works on a ring inside a 'tile.ring.put'";
      return WalkResult::interrupt();
    }
    auto accesses = dyn_cast<AccessOpInterface>(op);
    if (!accesses)
      return WalkResult::advance();
    SmallVector<Access> list;
    accesses.getAccesses(list);
    for (const Access &access : list) {
      if (access.buffer() != getSlot())
        continue;
      if (access.reads() && !written) { // ring_put_c2
        op->emitOpError() << "reads a slot that nothing has written";
        return WalkResult::interrupt();
      }
      written = true;
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (!written) // ring_put_c2
    return emitOpError() << "must write its slot";
  return success();
}

//===----------------------------------------------------------------------===//
// RingGetOp, RingReleaseOp, RingBorrowOp
//===----------------------------------------------------------------------===//

LogicalResult RingGetOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                          DictionaryAttr, OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  auto ring = operands.empty() ? RingType() : dyn_cast<RingType>(operands[0].getType());
  if (!ring)
    return failure();
  types.push_back(slotType(ring));
  return success();
}

LogicalResult RingGetOp::verify() {
  return verifySameType(*this, "the result", getSlot().getType(), "a slot",
                        slotType(getRing().getType())); // ring_get_c1
}

static LogicalResult verifyGot(Operation *op, Value ring, Value slot) {
  auto get = slot.getDefiningOp<RingGetOp>();
  if (!get || get.getRing() != ring)
    return op->emitOpError() << "needs a slot that a 'tile.ring.get' of the same ring gave";
  return success();
}

LogicalResult RingReleaseOp::verify() { return verifyGot(*this, getRing(), getSlot()); } // ring_release_c1

LogicalResult RingBorrowOp::verify() {
  if (failed(verifyGot(*this, getRing(), getSlot()))) // ring_borrow_c1
    return failure();
  int64_t bytes = byteSize(getType()), limit = byteSize(getSlot().getType());
  if (bytes > limit) // ring_borrow_c2
    return emitOpError() << "puts a tile of " << bytes << " bytes into a slot of " << limit;
  return success();
}
