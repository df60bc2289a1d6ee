//===- Mutators.cpp - the table of mutators, and what they share --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutators.h"
#include "Twins.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

ArrayRef<Mutator> mutation::getMutators() {
  static constexpr Mutator table[] = {
      {"barrier-dropped", "a barrier of the block is not there", dropBarrier, true, false},
      {"barrier-moved", "a barrier stands on the other side of a neighbouring access", moveBarrier, true,
       false},
      {"barrier-wrong", "a barrier has another number, or is for a warp more or less", spoilBarrier, false,
       false},
      {"wait-dropped", "asynchronous copies are not waited for", dropWait, true, false},
      {"wait-short", "one group of copies too many may be in flight after a wait", shortenWait, true, false},
      {"commit-dropped", "copies go into the next group", dropCommit, true, false},
      {"stage", "shared memory of the neighbouring tile or stage", changeStage, false, false},
      {"swizzle", "a shift, mask or xor in an address of shared memory by one bit", changeSwizzle, false,
       false},
      {"index", "a constant in an index of a tensor by one", changeIndex, false, false},
      {"address", "a load or store one element or one access beside its place", changeAddress, false, false},
      {"store-dropped", "a store is not there", dropStore, false, true},
      {"store-exchanged", "a store writes its neighbour's value", exchangeStored, false, false},
      {"transpose", "ldmatrix with .trans or without", changeTranspose, false, false},
      {"atomic", "an atomic update is not there, or its value is another", changeAtomic, false, false},
      {"bound", "a mask off by one", changeBound, false, false},
      {"predicate-true", "what happens under a condition happens always", forceTrue, false, false},
      {"predicate-false", "what happens under a condition never happens", forceFalse, false, false},
      {"trip-count", "a loop runs once more or once less", changeTrips, false, true},
      {"pad", "another value where a mask is false, or the two sides of a choice exchanged", changePad, false,
       true},
      {"registers", "two registers of a fragment exchanged", exchangeRegisters, false, false},
      {"shuffle", "a shuffle with another distance, clamp or member mask", changeShuffle, false, false},
      {"operation", "a sum becomes a difference, a maximum a minimum", changeOperation, false, false},
      {"grid-axes", "two axes of the grid exchanged", exchangeAxes, false, false},
      {"start", "an accumulator or a counter starts with another value", changeStart, false, false},
  };
  return table;
}

const PtxForm *mutation::formOf(const Instruction &inst) {
  const auto *call = dyn_cast<CallInst>(&inst);
  if (!call)
    return nullptr;
  if (const auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return PtxForm::findAsm(assembly->getAsmString());
  const Function *callee = call->getCalledFunction();
  return callee && callee->isDeclaration() ? PtxForm::findCallee(callee->getName()) : nullptr;
}

FunctionCallee mutation::calleeOf(const PtxForm &form, Module &module, FunctionType *type) {
  if (form.kind == PtxKind::Asm)
    return {type, InlineAsm::get(type, form.taggedText(), form.constraints(), form.hasSideEffectFlag())};
  return module.getOrInsertFunction(form.text, type);
}

std::optional<Access> mutation::accessOf(const Instruction &inst) {
  const DataLayout &layout = inst.getDataLayout();
  auto bytesOf = [&](Type *type) {
    return static_cast<unsigned>(layout.getTypeStoreSize(type).getFixedValue());
  };
  auto isVisible = [](const Value *pointer) {
    unsigned space = pointer->getType()->getPointerAddressSpace();
    return space == 1 || space == 3;
  };
  Access access;
  if (const auto *load = dyn_cast<LoadInst>(&inst)) {
    access.pointer = load->getPointerOperandIndex();
    access.bytes = bytesOf(load->getType());
    access.reads = true;
    access.isConstant = load->hasMetadata(LLVMContext::MD_invariant_load);
    access.isAtomic = load->isAtomic();
    return isVisible(load->getPointerOperand()) ? std::optional(access) : std::nullopt;
  }
  if (const auto *store = dyn_cast<StoreInst>(&inst)) {
    access.pointer = store->getPointerOperandIndex();
    access.bytes = bytesOf(store->getValueOperand()->getType());
    access.writes = true;
    access.isAtomic = store->isAtomic();
    return isVisible(store->getPointerOperand()) ? std::optional(access) : std::nullopt;
  }
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(inst)) {
    access.pointer = 0;
    access.bytes = bytesOf(isa<AtomicRMWInst>(inst) ? inst.getType() : inst.getOperand(1)->getType());
    access.reads = access.writes = access.isAtomic = true;
    return access;
  }
  const PtxForm *form = formOf(inst);
  if (!form || form->effects == PtxEffects::Pure || form->effects == PtxEffects::Sync ||
      form->effects == PtxEffects::Control)
    return std::nullopt;
  const emu::FormShape &shape = emu::getShape(*form);
  access.predicate = shape.predicate;
  access.bytes = shape.accessBytes();
  access.isConstant = form->effects == PtxEffects::ReadConst;
  access.reads = form->effects != PtxEffects::Write;
  access.writes = form->effects == PtxEffects::Write || form->effects == PtxEffects::ReadWrite;
  access.isAtomic = form->effects == PtxEffects::ReadWrite && form->twin.starts_with("red");
  return access;
}

Value *mutation::conditionOf(Instruction &inst) {
  if (auto *branch = dyn_cast<BranchInst>(&inst))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  if (isa<SelectInst>(inst))
    return inst.getOperand(0)->getType()->isIntegerTy(1) ? inst.getOperand(0) : nullptr;
  std::optional<Access> access = accessOf(inst);
  return access && access->predicate >= 0 ? inst.getOperand(static_cast<unsigned>(access->predicate))
                                          : nullptr;
}

bool mutation::isBlockBarrier(const Instruction &inst) {
  const PtxForm *form = formOf(inst);
  return form && (form->id == PtxFormId::BarSync || form->id == PtxFormId::BarSyncCount ||
                  form->id == PtxFormId::BarArriveCount);
}

bool mutation::isSync(const Instruction &inst) {
  const PtxForm *form = formOf(inst);
  return form && (form->effects == PtxEffects::Sync || form->effects == PtxEffects::Control);
}

Constant *mutation::shifted(Value *constant, int64_t delta) {
  return ConstantInt::getSigned(constant->getType(), cast<ConstantInt>(constant)->getSExtValue() + delta,
                                /*ImplicitTrunc=*/true);
}

std::string mutation::textOf(const Value &value) {
  std::string text;
  raw_string_ostream(text) << value;
  StringRef line = StringRef(text).trim();
  return line.take_front(line.find(", !dbg")).take_front(160).str();
}
