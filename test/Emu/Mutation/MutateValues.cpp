//===- MutateValues.cpp - registers, shuffles and arithmetic -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutators.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

void mutation::exchangeRegisters(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    const PtxForm *form = formOf(inst);
    if (!form || (!form->twin.starts_with("mma") && !form->twin.starts_with("ldMatrix")))
      return;
    // Neighbouring operands of one type: registers of A, of B, of C.
    auto &call = cast<CallInst>(inst);
    for (unsigned i = 1; i < call.arg_size(); ++i) {
      Value *first = call.getArgOperand(i - 1), *second = call.getArgOperand(i);
      if (first != second && first->getType() == second->getType())
        places.push_back(
            {&inst,
             "operands " + std::to_string(i - 1) + " and " + std::to_string(i) + ": " + textOf(inst),
             [&call, i] { call.getOperandUse(i - 1).swap(call.getOperandUse(i)); },
             {},
             {}});
    }
    SmallVector<ExtractValueInst *> results;
    for (User *user : inst.users())
      if (auto *extract = dyn_cast<ExtractValueInst>(user))
        results.push_back(extract);
    for (size_t i = 1; i < results.size(); ++i) {
      ExtractValueInst *a = results[i - 1], *b = results[i];
      if (a->getIndices() == b->getIndices() || a->getType() != b->getType())
        continue;
      places.push_back({&inst,
                        "results " + std::to_string(a->getIndices()[0]) + " and " +
                            std::to_string(b->getIndices()[0]) + ": " + textOf(inst),
                        [&inst, a, b] {
                          auto extract = [&](ExtractValueInst *old, unsigned index) {
                            return IRBuilder<>(inst.getNextNode()).CreateExtractValue(&inst, index);
                          };
                          Value *x = extract(a, b->getIndices()[0]), *y = extract(b, a->getIndices()[0]);
                          a->replaceAllUsesWith(x);
                          b->replaceAllUsesWith(y);
                        },
                        {},
                        {}});
    }
  });
}

void mutation::changeShuffle(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    const PtxForm *form = formOf(inst);
    if (!form || !form->twin.starts_with("shfl"))
      return;
    auto add = [&](unsigned operand, Constant *other) {
      places.push_back(
          {&inst,
           "operand " + std::to_string(operand) + " becomes " + textOf(*other) + ": " + textOf(inst),
           [&inst, operand, other] { inst.setOperand(operand, other); },
           {},
           {}});
    };
    if (auto *members = dyn_cast<ConstantInt>(inst.getOperand(0)))
      add(0, shifted(members, -1)); // without lane 0
    if (auto *distance = dyn_cast<ConstantInt>(inst.getOperand(2))) {
      add(2, ConstantInt::get(distance->getType(), distance->getZExtValue() * 2 % 32));
      add(2, ConstantInt::get(distance->getType(), distance->getZExtValue() / 2));
    }
    if (auto *clamp = dyn_cast<ConstantInt>(inst.getOperand(3)))
      add(3, ConstantInt::get(clamp->getType(), clamp->getZExtValue() >> 1 & 15)); // half as far
  });
}

void mutation::changeOperation(Function &kernel, Places &places) {
  auto replaceBy = [](Instruction &inst, Value *value) {
    value->takeName(&inst);
    inst.replaceAllUsesWith(value);
    inst.eraseFromParent();
  };
  forEachInstruction(kernel, [&](Instruction &inst) {
    unsigned opcode = inst.getOpcode();
    if (opcode == Instruction::FAdd || opcode == Instruction::FSub) {
      places.push_back({&inst,
                        "+ and - exchanged: " + textOf(inst),
                        [&inst, opcode, replaceBy] {
                          IRBuilder<> builder(&inst);
                          Value *a = inst.getOperand(0), *b = inst.getOperand(1);
                          replaceBy(inst, opcode == Instruction::FAdd ? builder.CreateFSub(a, b)
                                                                      : builder.CreateFAdd(a, b));
                        },
                        {},
                        {}});
      return;
    }
    if (opcode == Instruction::FMul || opcode == Instruction::FDiv) {
      places.push_back({&inst,
                        "* and / exchanged: " + textOf(inst),
                        [&inst, opcode, replaceBy] {
                          IRBuilder<> builder(&inst);
                          Value *a = inst.getOperand(0), *b = inst.getOperand(1);
                          replaceBy(inst, opcode == Instruction::FMul ? builder.CreateFDiv(a, b)
                                                                      : builder.CreateFMul(a, b));
                        },
                        {},
                        {}});
      return;
    }
    auto *call = dyn_cast<CallInst>(&inst);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->isIntrinsic())
      return;
    Intrinsic::ID other = Intrinsic::not_intrinsic;
    switch (callee->getIntrinsicID()) {
    case Intrinsic::maxnum:
      other = Intrinsic::minnum;
      break;
    case Intrinsic::minnum:
      other = Intrinsic::maxnum;
      break;
    case Intrinsic::maximum:
      other = Intrinsic::minimum;
      break;
    case Intrinsic::minimum:
      other = Intrinsic::maximum;
      break;
    case Intrinsic::smax:
      other = Intrinsic::smin;
      break;
    case Intrinsic::smin:
      other = Intrinsic::smax;
      break;
    case Intrinsic::umax:
      other = Intrinsic::umin;
      break;
    case Intrinsic::umin:
      other = Intrinsic::umax;
      break;
    case Intrinsic::fma:
      places.push_back(
          {&inst,
           "summand negated: " + textOf(inst),
           [call] { call->setArgOperand(2, IRBuilder<>(call).CreateFNeg(call->getArgOperand(2))); },
           {},
           {}});
      return;
    default:
      return;
    }
    places.push_back({&inst,
                      "max and min exchanged: " + textOf(inst),
                      [call, other] {
                        call->setCalledFunction(
                            Intrinsic::getOrInsertDeclaration(call->getModule(), other, call->getType()));
                      },
                      {},
                      {}});
  });
}

void mutation::exchangeAxes(Function &kernel, Places &places) {
  DenseMap<std::pair<Value *, Value *>, BinaryOperator *> divisions;
  forEachInstruction(kernel, [&](Instruction &inst) {
    const PtxForm *form = formOf(inst);
    if (form && (form->twin.starts_with("ctaId") || form->twin.starts_with("nCtaId"))) {
      // x y z are numbered in this order.
      for (const char *axis : {"X", "Y", "Z"}) {
        std::string twin = (form->twin.drop_back() + axis).str();
        if (form->twin == twin)
          continue;
        const PtxForm *other =
            PtxForm::find(form->number() - static_cast<unsigned>(form->twin.back() - axis[0]));
        places.push_back({&inst,
                          "becomes " + other->name.str(),
                          [&inst, other] {
                            auto &call = cast<CallInst>(inst);
                            call.setCalledFunction(
                                calleeOf(*other, *inst.getModule(), call.getFunctionType()));
                          },
                          {},
                          {}});
      }
      return;
    }
    // A grid of several axes is launched along one: quotient and remainder are two of them.
    auto *division = dyn_cast<BinaryOperator>(&inst);
    if (!division ||
        (division->getOpcode() != Instruction::UDiv && division->getOpcode() != Instruction::URem))
      return;
    auto [place, isNew] = divisions.try_emplace({division->getOperand(0), division->getOperand(1)}, division);
    if (isNew || place->second->getOpcode() == division->getOpcode())
      return;
    BinaryOperator *other = place->second;
    places.push_back({&inst,
                      "quotient and remainder exchanged: " + textOf(inst),
                      [division, other] {
                        auto redo = [](BinaryOperator *old) {
                          IRBuilder<> builder(old);
                          Value *a = old->getOperand(0), *b = old->getOperand(1);
                          old->replaceAllUsesWith(old->getOpcode() == Instruction::UDiv
                                                      ? builder.CreateURem(a, b)
                                                      : builder.CreateUDiv(a, b));
                        };
                        redo(division);
                        redo(other);
                      },
                      {},
                      {}});
  });
}

/// Another start: 0 becomes 1, -inf becomes 0, n becomes n + 1.
static Constant *changedStart(Constant *start) {
  Type *type = start->getType();
  if (type->isIntegerTy() && isa<ConstantInt>(start))
    return shifted(start, 1);
  const auto *splat = type->isVectorTy() ? start->getSplatValue() : start;
  const auto *number = dyn_cast_or_null<ConstantFP>(splat);
  if (!number)
    return nullptr;
  APFloat value = number->getValueAPF();
  return ConstantFP::get(type, value.isZero()                        ? 1.0
                               : value.isInfinity() || value.isNaN() ? 0.0
                                                                     : value.convertToDouble() + 1);
}

void mutation::changeStart(Function &kernel, Places &places) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  forEachInstruction(kernel, [&](Instruction &inst) {
    if (auto *phi = dyn_cast<PHINode>(&inst)) {
      Loop *loop = loops.getLoopFor(inst.getParent());
      if (!loop || loop->getHeader() != inst.getParent())
        return;
      for (unsigned i = 0; i != phi->getNumIncomingValues(); ++i) {
        auto *start = dyn_cast<Constant>(phi->getIncomingValue(i));
        if (loop->contains(phi->getIncomingBlock(i)) || !start)
          continue;
        if (Constant *other = changedStart(start))
          places.push_back({&inst,
                            textOf(*start) + " becomes " + textOf(*other) + ": " + textOf(inst),
                            [phi, i, other] { phi->setIncomingValue(i, other); },
                            {},
                            {}});
      }
      return;
    }
    const PtxForm *form = formOf(inst);
    if (!form || !form->twin.starts_with("mma"))
      return;
    auto &call = cast<CallInst>(inst);
    for (unsigned i = 0; i != call.arg_size(); ++i)
      if (auto *start = dyn_cast<Constant>(call.getArgOperand(i)))
        if (Constant *other = changedStart(start))
          places.push_back(
              {&inst,
               "operand " + std::to_string(i) + " becomes " + textOf(*other) + ": " + textOf(inst),
               [&call, i, other] { call.setArgOperand(i, other); },
               {},
               {}});
  });
}
