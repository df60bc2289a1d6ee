//===- OpsSchedule.cpp - roles, registers in flight, barriers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, syntax and verifiers of what the stage schedule adds besides rings.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tilec::tile;

//===----------------------------------------------------------------------===//
// RolesOp
//===----------------------------------------------------------------------===//

void RolesOp::build(OpBuilder &builder, OperationState &state, ArrayRef<StringRef> names,
                    ArrayRef<int64_t> warps, ArrayRef<int64_t> registers) {
  state.addAttribute(getNamesAttrName(state.name), builder.getStrArrayAttr(names));
  state.addAttribute(getWarpsAttrName(state.name), builder.getDenseI64ArrayAttr(warps));
  state.addAttribute(getRegistersAttrName(state.name), builder.getDenseI64ArrayAttr(registers));
  for (size_t i = 0; i < names.size(); ++i) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(state.addRegion());
    YieldOp::create(builder, state.location);
  }
}

ParseResult RolesOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Attribute> names;
  SmallVector<int64_t> warps, registers;
  Builder &builder = parser.getBuilder();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  while (succeeded(parser.parseOptionalKeyword("role"))) {
    std::string name;
    if (parser.parseString(&name) || parser.parseKeyword("warps") || parser.parseLParen() ||
        parser.parseInteger(warps.emplace_back()) || parser.parseRParen() ||
        parser.parseKeyword("registers") || parser.parseLParen() ||
        parser.parseInteger(registers.emplace_back()) || parser.parseRParen() ||
        parser.parseRegion(*result.addRegion()))
      return failure();
    names.push_back(builder.getStringAttr(name));
  }
  result.addAttribute(getNamesAttrName(result.name), builder.getArrayAttr(names));
  result.addAttribute(getWarpsAttrName(result.name), builder.getDenseI64ArrayAttr(warps));
  result.addAttribute(getRegistersAttrName(result.name), builder.getDenseI64ArrayAttr(registers));
  return success();
}

void RolesOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getNamesAttrName(), getWarpsAttrName(), getRegistersAttrName()});
  printer.increaseIndent();
  for (unsigned role = 0; role < getRoles().size(); ++role) {
    printer.printNewline();
    printer << "role ";
    printer.printString(getName(role));
    printer << " warps(" << getWarps()[role] << ") registers(" << getRegisters()[role] << ") ";
    printer.printRegion(getRoles()[role]);
  }
  printer.decreaseIndent();
}

StringRef RolesOp::getName(unsigned role) { return cast<StringAttr>(getNames()[role]).getValue(); }

unsigned RolesOp::getRoleOf(Operation *op) {
  for (auto [role, region] : llvm::enumerate(getRoles()))
    if (region.isAncestor(op->getParentRegion()))
      return role;
  llvm_unreachable("the op is in no role of these");
}

LogicalResult RolesOp::verify() {
  size_t count = getRoles().size();
  if (count == 0 || getNames().size() != count || getWarps().size() != count ||
      getRegisters().size() != count)
    return emitOpError() << "with " << count
                         << " roles must have as many names, warps and registers"; // roles_c1
  llvm::StringSet<> names;
  int64_t total = 0;
  for (unsigned role = 0; role < count; ++role) {
    StringRef name = getName(role);
    if (name.empty() || !names.insert(name).second) // roles_c2
      return emitOpError() << "must have different names that are not empty, got '" << name << "'";
    int64_t warps = getWarps()[role], registers = getRegisters()[role];
    if (warps < 1 || (total += warps) > 32) // roles_c3
      return emitOpError() << "must have 1 to 32 warps in all, at least one a role";
    if (registers != 0 && (registers < 24 || registers > 256 || registers % 8)) // roles_c4
      return emitOpError() << "registers must be 0, or a multiple of 8 from 24 to 256, got " << registers;
    // setmaxnreg is executed by whole warpgroups (PTX ISA, "setmaxnreg").
    if (registers != 0 && warps % 4) // roles_c3
      return emitOpError() << "role '" << name << "' sets registers, so its warps come in fours, got "
                           << warps;
  }
  if ((*this)->getParentOfType<RolesOp>()) // roles_c7
    return emitOpError() << "must not be inside another 'tile.roles'";
  return success();
}

LogicalResult RolesOp::verifyRegions() {
  for (Region &region : getRoles()) {
    if (failed(verifyPlainYield(*this, region))) // roles_c6
      return failure();
    WalkResult result = region.walk([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        if (region.isAncestor(operand.getParentRegion()))
          continue;
        bool slot = operand.getDefiningOp<RingGetOp>() || operand.getDefiningOp<RingBorrowOp>();
        if (slot || isa<FragmentType, FragRefType, PendingType, TokenType>(operand.getType())) { // roles_c5
          op->emitOpError() << "uses a " << operand.getType() << " from outside its role";
          return WalkResult::interrupt();
        }
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Gates
//===----------------------------------------------------------------------===//

void GateOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getResult(0), SharedMemory::get());
}

LogicalResult GateOp::verify() {
  if (int64_t members = getMembers(); members < 2) // gate_c1
    return emitOpError() << "must have at least 2 members, got " << members;
  return success();
}

LogicalResult GateEnterOp::verify() {
  for (Operation *op = (*this)->getNextNode(); op; op = op->getNextNode())
    if (auto leave = dyn_cast<GateLeaveOp>(op); leave && leave.getGate() == getGate())
      return success();
  return emitOpError() << "must be followed by a 'tile.gate.leave' of the gate in its block"; // gate_enter_c1
}

LogicalResult GateLeaveOp::verify() {
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode())
    if (auto enter = dyn_cast<GateEnterOp>(op); enter && enter.getGate() == getGate())
      return success();
  return emitOpError() << "must follow a 'tile.gate.enter' of the gate in its block"; // gate_leave_c1
}

//===----------------------------------------------------------------------===//
// DecodeOp
//===----------------------------------------------------------------------===//

LogicalResult DecodeOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, ValueRange operands,
                                         DictionaryAttr, OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &types) {
  if (operands.empty())
    return failure();
  types.assign(operands.size() - 1, IntegerType::get(context, 64));
  return success();
}

LogicalResult DecodeOp::verify() {
  if (getExtents().empty() || getExtents().size() > 3) // decode_c1
    return emitOpError() << "has 1 to 3 extents, got " << getExtents().size();
  if (getIndices().size() != getExtents().size()) // decode_c2
    return emitOpError() << "has " << getExtents().size() << " extents, but " << getIndices().size()
                         << " results";
  return success();
}

//===----------------------------------------------------------------------===//
// GemmStartOp
//===----------------------------------------------------------------------===//

void GemmStartOp::build(OpBuilder &builder, OperationState &state, Type result, Value a, Value b, Value acc) {
  build(builder, state, result, a, b, acc, /*trans_a=*/nullptr, /*trans_b=*/nullptr, /*instr=*/nullptr);
}

LogicalResult GemmStartOp::verify() {
  PendingType type = getType();
  ArrayRef<int64_t> a = shapeOf(getA()), b = shapeOf(getB());
  if (a.size() != 2 || b.size() != 2 || type.getRank() != 2) // gemm_start_c1
    return emitOpError() << "multiplies tiles of rank 2, got " << str(a) << ", " << str(b) << " and "
                         << str(type.getShape());
  int64_t product[] = {a[getTransA() ? 1 : 0], b[getTransB() ? 0 : 1]};
  if (a[getTransA() ? 0 : 1] != b[getTransB() ? 1 : 0] ||
      type.getShape() != ArrayRef(product)) // gemm_start_c2
    return emitOpError() << "cannot multiply " << str(a) << " by " << str(b) << " into "
                         << str(type.getShape());
  if (!isGemmTypes(elementOf(getA()), elementOf(getB()), type.getElementType())) // gemm_start_c3
    return emitOpError() << "cannot multiply " << elementOf(getA()) << " by " << elementOf(getB()) << " into "
                         << type.getElementType();
  if (Value acc = getAcc()) { // gemm_start_c4
    auto pending = dyn_cast<PendingType>(acc.getType());
    Type fragment = pending ? Type(fragmentOf(pending)) : acc.getType();
    if (failed(verifySameType(*this, "'acc', waited for,", fragment, "the result", fragmentOf(type))))
      return failure();
  }
  MmaInstrAttrInterface instr = getInstrAttr();
  if (failed(verifyInstrTypes(*this, instr, getA(), getB(), type.getElementType())) ||
      failed(verifyInstrOperands(*this, instr, getA(), getB()))) // gemm_start_c5
    return failure();
  if (instr && !instr.isAsync()) // gemm_start_c7
    return emitOpError() << instr << " completes at once: 'tile.gemm' it is";
  return verifyConsumedOnce(getResult(), [&] { return emitOpError(); }); // gemm_start_c6
}

LogicalResult tilec::tile::verifyConsumedOnce(Value pending,
                                              llvm::function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<Operation *> consumers;
  for (OpOperand &use : pending.getUses()) {
    Operation *user = use.getOwner();
    if (isa<GemmWaitReadOp>(user))
      continue;
    bool passes = user->getName().getDialectNamespace() == "scf";
    bool accumulates = isa<GemmStartOp>(user) && cast<GemmStartOp>(user).getAcc() == pending;
    auto wait = dyn_cast<GemmWaitOp>(user);
    bool waits = wait && use.getOperandNumber() < wait.getPending().size();
    if (!passes && !accumulates && !waits)
      return emitError() << "registers in flight are used by '" << user->getName() << "'";
    for (Operation *other : consumers)
      if (!insideMutuallyExclusiveRegions(user, other))
        return emitError() << "registers in flight are consumed twice, by '" << other->getName()
                           << "' and by '" << user->getName() << "'";
    consumers.push_back(user);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// GemmWaitOp, GemmWaitReadOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyOutstanding(Operation *op, std::optional<int64_t> outstanding) {
  if (outstanding && *outstanding < 0)
    return op->emitOpError() << "'outstanding' must not be negative, got " << *outstanding;
  return success();
}

LogicalResult GemmWaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                           DictionaryAttr, OpaqueProperties properties, RegionRange,
                                           SmallVectorImpl<Type> &types) {
  size_t pending = properties.as<Properties *>()->operandSegmentSizes[0];
  for (auto [index, operand] : llvm::enumerate(operands)) {
    auto type = dyn_cast<PendingType>(operand.getType());
    types.push_back(index < pending && type ? Type(fragmentOf(type)) : operand.getType());
  }
  return success();
}

ParseResult GemmWaitOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> pending, carry;
  SmallVector<Type> types;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(pending) ||
      (succeeded(parser.parseOptionalKeyword("carry")) &&
       parser.parseOperandList(carry, OpAsmParser::Delimiter::Paren)) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonTypeList(types) ||
      parser.parseArrow() || parser.parseTypeList(result.types))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {int32_t(pending.size()),
                                                                 int32_t(carry.size())};
  pending.append(carry);
  return parser.resolveOperands(pending, types, loc, result.operands);
}

void GemmWaitOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPending();
  if (!getCarry().empty())
    printer << " carry(" << getCarry() << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(), {getOperandSegmentSizesAttrName()});
  printer << " : " << getOperandTypes() << " -> " << getResultTypes();
}

LogicalResult GemmWaitOp::verify() {
  if (getPending().empty()) // gemm_wait_c1
    return emitOpError() << "has nothing to wait for";
  SmallVector<Type> expected;
  for (Value pending : getPending())
    expected.push_back(fragmentOf(cast<PendingType>(pending.getType())));
  llvm::append_range(expected, getCarry().getTypes());
  if (TypeRange(expected) != getResultTypes()) // gemm_wait_c2
    return emitOpError() << "returns (" << TypeRange(expected) << "), but has results (" << getResultTypes()
                         << ")";
  for (Type type : getCarry().getTypes())
    if (!isa<FragmentType, IntegerType, FloatType>(type)) // gemm_wait_c3
      return emitOpError() << "carries fragments and scalars, got " << type;
  return verifyOutstanding(*this, getOutstanding()); // gemm_wait_c4
}

ValueRange GemmWaitOp::getAwaited() { return getPending(); }

LogicalResult GemmWaitReadOp::verify() {
  if (getPending().empty()) // gemm_wait_read_c1
    return emitOpError() << "has nothing to wait for";
  return verifyOutstanding(*this, getOutstanding()); // gemm_wait_read_c2
}

ValueRange GemmWaitReadOp::getAwaited() { return getPending(); }

//===----------------------------------------------------------------------===//
// BulkStoreStartOp, BulkStoreWaitReadOp
//===----------------------------------------------------------------------===//

LogicalResult BulkStoreStartOp::verify() {
  if (failed(verifyBox(*this, "destination", getOffsets(), getExtents(),
                       getDest().getType()))) // bulk_store_start_c1
    return failure();
  if (failed(verifySameExtents(*this, "the region", getExtents(), "the source",
                               shapeOf(getSource())))) // bulk_store_start_c2
    return failure();
  if (failed(verifySameType(*this, "an element of the source", elementOf(getSource()), "of the destination",
                            elementOf(getDest())))) // bulk_store_start_c3
    return failure();
  if (getResult().use_empty()) // bulk_store_start_c4
    return emitOpError() << "is never waited for";
  return success();
}

LogicalResult BulkStoreWaitReadOp::verify() {
  if (getTokens().empty()) // bulk_store_wait_read_c1
    return emitOpError() << "has nothing to wait for";
  return verifyOutstanding(*this, getOutstanding()); // bulk_store_wait_read_c2
}

ValueRange BulkStoreWaitReadOp::getAwaited() { return getTokens(); }

//===----------------------------------------------------------------------===//
// BarrierOp
//===----------------------------------------------------------------------===//

void BarrierOp::build(OpBuilder &builder, OperationState &state, StringRef reason) {
  build(builder, state, TypeRange(), /*named=*/nullptr, /*threads=*/nullptr, /*per_group=*/nullptr,
        reason.empty() ? StringAttr() : builder.getStringAttr(reason));
}

LogicalResult BarrierOp::verify() {
  if (getNamed().has_value() != getThreads().has_value()) // barrier_c1
    return emitOpError() << "'named' and 'threads' come together";
  if (getPerGroup() && getThreads().value_or(0) != 128) // barrier_c3
    return emitOpError() << "'per_group' goes with 128 threads";
  if (!getNamed())
    return success();
  if (int64_t number = *getNamed(); number < 1 || number > 15) // barrier_c2
    return emitOpError() << "the number must be 1 to 15, got " << number;
  if (int64_t threads = *getThreads(); threads < 32 || threads > 1024 || threads % 32) // barrier_c2
    return emitOpError() << "'threads' must be a multiple of 32 from 32 to 1024, got " << threads;
  return success();
}

//===----------------------------------------------------------------------===//
// WorkspaceOp
//===----------------------------------------------------------------------===//

void WorkspaceOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getResult(0), GlobalMemory::get());
}
