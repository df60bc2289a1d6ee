//===- MutateMemory.cpp - where is read and written, and what ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutators.h"
#include "Twins.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

static constexpr unsigned globalSpace = 1, sharedSpace = 3;

static unsigned spaceOf(const Instruction &inst, const Access &access) {
  return inst.getOperand(access.pointer)->getType()->getPointerAddressSpace();
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The bytes from the start of shared memory where a constant pointer points, if it is one.
static std::optional<int64_t> sharedOffset(const Value *pointer, GlobalVariable *&object) {
  auto *constant = dyn_cast<Constant>(pointer);
  if (!constant || !pointer->getType()->isPointerTy() ||
      pointer->getType()->getPointerAddressSpace() != sharedSpace)
    return std::nullopt;
  const auto *gep = dyn_cast<GEPOperator>(constant);
  const Value *base = gep ? gep->getPointerOperand() : constant;
  object = dyn_cast<GlobalVariable>(const_cast<Value *>(base));
  if (!object)
    return std::nullopt;
  APInt offset(object->getDataLayout().getIndexTypeSizeInBits(object->getType()), 0);
  if (gep && !gep->accumulateConstantOffset(object->getDataLayout(), offset))
    return std::nullopt;
  return offset.getSExtValue();
}

/// Tiles and stages begin at constants from the start of shared memory: one becomes its neighbour.
void mutation::changeStage(Function &kernel, Places &places) {
  struct Use {
    Instruction *inst;
    unsigned operand;
    int64_t offset;
  };
  std::vector<Use> uses;
  std::set<int64_t> offsets;
  GlobalVariable *object = nullptr;
  forEachInstruction(kernel, [&](Instruction &inst) {
    for (unsigned i = 0; i != inst.getNumOperands(); ++i)
      if (std::optional<int64_t> offset = sharedOffset(inst.getOperand(i), object)) {
        uses.push_back({&inst, i, *offset});
        offsets.insert(*offset);
      }
  });
  for (const Use &use : uses) {
    auto here = offsets.find(use.offset);
    auto add = [&](int64_t other) {
      places.push_back(
          {use.inst,
           "shared memory from byte " + std::to_string(other) + " instead of " + std::to_string(use.offset),
           [use, other, object] {
             Type *byte = Type::getInt8Ty(object->getContext());
             Type *word = Type::getInt64Ty(object->getContext());
             use.inst->setOperand(use.operand, ConstantExpr::getGetElementPtr(
                                                   byte, object, ConstantInt::getSigned(word, other)));
           },
           {},
           {}});
    };
    if (here != offsets.begin())
      add(*std::prev(here));
    if (std::next(here) != offsets.end())
      add(*std::next(here));
  }
}

/// Integer operations with a constant that addresses in a space are computed with.
static SetVector<BinaryOperator *> addressOperations(Function &kernel, unsigned space) {
  SetVector<Value *> slice;
  forEachInstruction(kernel, [&](Instruction &inst) {
    std::optional<Access> access = accessOf(inst);
    if (access && spaceOf(inst, *access) == space)
      slice.insert(inst.getOperand(access->pointer));
  });
  SetVector<BinaryOperator *> found;
  for (size_t i = 0; i != slice.size(); ++i) { // grows
    auto *inst = dyn_cast<Instruction>(slice[i]);
    if (!inst || isa<PHINode, CallInst, LoadInst>(inst))
      continue;
    if (auto *operation = dyn_cast<BinaryOperator>(inst);
        operation && isa<ConstantInt>(operation->getOperand(1)))
      found.insert(operation);
    for (Value *operand : inst->operands())
      slice.insert(operand);
  }
  return found;
}

void mutation::changeSwizzle(Function &kernel, Places &places) {
  for (BinaryOperator *operation : addressOperations(kernel, sharedSpace)) {
    auto *constant = cast<ConstantInt>(operation->getOperand(1));
    auto add = [&](Constant *other) {
      places.push_back({operation,
                        textOf(*operation) + ": " + textOf(*other),
                        [operation, other] {
                          operation->setOperand(1, other);
                          operation->dropPoisonGeneratingFlags(); // what they promise may not hold any more
                        },
                        {},
                        {}});
    };
    auto addValue = [&](const APInt &value) {
      if (!value.isZero())
        add(ConstantInt::get(constant->getType(), value));
    };
    switch (operation->getOpcode()) {
    case Instruction::Shl:
    case Instruction::LShr:
      add(shifted(constant, 1));
      addValue(constant->getValue() - 1);
      break;
    case Instruction::Xor:
    case Instruction::And:
      addValue(constant->getValue().shl(1));
      addValue(constant->getValue().lshr(1));
      break;
    default:
      break;
    }
  }
}

void mutation::changeIndex(Function &kernel, Places &places) {
  for (BinaryOperator *operation : addressOperations(kernel, globalSpace)) {
    Value *constant = operation->getOperand(1);
    for (int64_t delta : {1, -1}) {
      Constant *other = shifted(constant, delta);
      // x * 0, x << -1, x / 0: what no one would write.
      if (operation->getOpcode() != Instruction::Add &&
          (other->isNullValue() || cast<ConstantInt>(other)->isNegative()))
        continue;
      places.push_back({operation,
                        textOf(*operation) + ": " + textOf(*other),
                        [operation, other] {
                          operation->setOperand(1, other);
                          operation->dropPoisonGeneratingFlags();
                        },
                        {},
                        {}});
    }
  }
}

void mutation::changeAddress(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    std::optional<Access> access = accessOf(inst);
    if (!access)
      return;
    const PtxForm *form = formOf(inst);
    unsigned element = form ? emu::getShape(*form).wordBytes
                            : access->bytes / std::max(1u, [&]() -> unsigned {
                                auto *type = dyn_cast<FixedVectorType>(
                                    isa<StoreInst>(inst) ? inst.getOperand(0)->getType() : inst.getType());
                                return type ? type->getNumElements() : 1;
                              }());
    unsigned operand = access->pointer;
    for (int64_t delta : {int64_t(element), -int64_t(access->bytes)})
      places.push_back({&inst,
                        (delta > 0 ? "+" : "") + std::to_string(delta) + " bytes: " + textOf(inst),
                        [&inst, operand, delta] {
                          IRBuilder<> builder(&inst);
                          inst.setOperand(operand,
                                          builder.CreateGEP(builder.getInt8Ty(), inst.getOperand(operand),
                                                            builder.getInt64(static_cast<uint64_t>(delta))));
                        },
                        {},
                        {}});
  });
}

//===----------------------------------------------------------------------===//
// What is written
//===----------------------------------------------------------------------===//

/// The operands of a store that are its values.
static SmallVector<unsigned, 4> storedOperands(const Instruction &inst) {
  if (isa<StoreInst>(inst))
    return {0};
  std::optional<Access> access = accessOf(inst);
  SmallVector<unsigned, 4> operands;
  if (isa<CallInst>(inst) && access && access->writes && !access->reads)
    for (unsigned i = 0; i != cast<CallInst>(inst).arg_size(); ++i)
      if (i != access->pointer && static_cast<int>(i) != access->predicate)
        operands.push_back(i);
  return operands;
}

void mutation::dropStore(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    if (accessOf(inst) && !storedOperands(inst).empty())
      places.push_back({&inst, "dropped: " + textOf(inst), [&inst] { inst.eraseFromParent(); }, {}, {}});
  });
}

void mutation::exchangeStored(Function &kernel, Places &places) {
  for (BasicBlock &block : kernel) {
    Instruction *last = nullptr;
    for (Instruction &inst : block) {
      SmallVector<unsigned, 4> operands = storedOperands(inst);
      if (!accessOf(inst) || operands.empty())
        continue;
      auto add = [&](Instruction &first, unsigned a, Instruction &second, unsigned b) {
        Value *x = first.getOperand(a), *y = second.getOperand(b);
        if (x == y || x->getType() != y->getType())
          return;
        // A value that comes into being between the two stores cannot be stored by the first: both get the
        // second's.
        bool isLate = &first != &second && isa<Instruction>(y) &&
                      cast<Instruction>(y)->getParent() == first.getParent() &&
                      first.comesBefore(cast<Instruction>(y));
        places.push_back({&second,
                          (isLate ? "stores what the one before stores: " : "exchanged: ") + textOf(second),
                          [&first, a, &second, b, x, y, isLate] {
                            if (!isLate)
                              first.setOperand(a, y);
                            second.setOperand(b, x);
                          },
                          {},
                          {}});
      };
      for (size_t i = 1; i < operands.size(); ++i)
        add(inst, operands[i - 1], inst, operands[i]);
      if (last)
        add(*last, storedOperands(*last)[0], inst, operands[0]);
      last = &inst;
    }
  }
}

void mutation::changeTranspose(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    const PtxForm *form = formOf(inst);
    if (!form || !form->twin.starts_with("ldMatrix"))
      return;
    bool isTrans = form->twin == "ldMatrixTrans";
    // X1, X2, X4, then the same transposed.
    const PtxForm *other = PtxForm::find(isTrans ? form->number() - 3 : form->number() + 3);
    places.push_back({&inst,
                      "becomes " + other->name.str(),
                      [&inst, other] {
                        auto &call = cast<CallInst>(inst);
                        call.setCalledFunction(calleeOf(*other, *inst.getModule(), call.getFunctionType()));
                      },
                      {},
                      {}});
  });
}

void mutation::changeAtomic(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    std::optional<Access> access = accessOf(inst);
    if (!access || !access->isAtomic || !access->writes || !inst.use_empty())
      return;
    places.push_back({&inst, "dropped", [&inst] { inst.eraseFromParent(); }, {}, {}});
    unsigned operand = isa<AtomicRMWInst>(inst) ? 1 : static_cast<unsigned>(access->predicate) + 1;
    if (isa<AtomicCmpXchgInst>(inst) || (!isa<AtomicRMWInst>(inst) && access->predicate < 0))
      return;
    places.push_back({&inst,
                      "its value doubled",
                      [&inst, operand] {
                        IRBuilder<> builder(&inst);
                        Value *value = inst.getOperand(operand);
                        inst.setOperand(operand, value->getType()->isFloatingPointTy()
                                                     ? builder.CreateFAdd(value, value)
                                                     : builder.CreateAdd(value, value));
                      },
                      {},
                      {}});
  });
}
