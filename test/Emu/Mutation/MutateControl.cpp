//===- MutateControl.cpp - masks, branches and loops ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutators.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

namespace {
/// Where a condition decides something.
struct Condition {
  Instruction *inst;
  unsigned operand;
  bool isLoopExit;
};
} // namespace

/// Predicates of accesses, conditions of branches and of choices.
static std::vector<Condition> conditionsOf(Function &kernel) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  std::vector<Condition> conditions;
  forEachInstruction(kernel, [&](Instruction &inst) {
    if (auto *branch = dyn_cast<BranchInst>(&inst); branch && branch->isConditional()) {
      Loop *loop = loops.getLoopFor(inst.getParent());
      conditions.push_back({&inst, 0, loop && loop->isLoopExiting(inst.getParent())});
    } else if (isa<SelectInst>(inst) && inst.getOperand(0)->getType()->isIntegerTy(1)) {
      conditions.push_back({&inst, 0, false});
    } else if (std::optional<Access> access = accessOf(inst); access && access->predicate >= 0) {
      conditions.push_back({&inst, static_cast<unsigned>(access->predicate), false});
    }
  });
  return conditions;
}

/// The comparisons that a condition is made of.
static void addComparisons(Value *condition, SetVector<ICmpInst *> &comparisons) {
  if (auto *compare = dyn_cast<ICmpInst>(condition)) {
    if (compare->getOperand(0)->getType()->isIntegerTy())
      comparisons.insert(compare);
    return;
  }
  auto *inst = dyn_cast<Instruction>(condition);
  if (!inst || !inst->getType()->isIntegerTy(1) || !isa<BinaryOperator, SelectInst>(inst))
    return;
  for (Value *operand : inst->operands())
    addComparisons(operand, comparisons);
}

/// < and <= exchanged, or the bound one further. Only where a thread compares two numbers so close that it
/// matters.
static void addBounds(ICmpInst *compare, Places &places) {
  ICmpInst::Predicate predicate = compare->getPredicate();
  auto matters = [&](int64_t delta) -> std::vector<unsigned> {
    if (compare->isEquality())
      return {Equal, delta > 0 ? MoreByOne : LessByOne};
    // a < b and a >= b turn where b passes a, a <= b and a > b where it passes a - 1.
    bool turnsAbove = ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate);
    if (delta > 0)
      return {turnsAbove ? Equal : MoreByOne};
    return {turnsAbove ? LessByOne : Equal};
  };
  if (compare->isRelational()) {
    ICmpInst::Predicate other = ICmpInst::isStrictPredicate(predicate)
                                    ? ICmpInst::getNonStrictPredicate(predicate)
                                    : ICmpInst::getStrictPredicate(predicate);
    places.push_back({compare,
                      textOf(*compare) + " becomes " + ICmpInst::getPredicateName(other).str(),
                      [compare, other] { compare->setPredicate(other); },
                      {},
                      {Equal}});
  }
  for (int64_t delta : {1, -1})
    places.push_back({compare,
                      textOf(*compare) + (delta > 0 ? " + 1" : " - 1"),
                      [compare, delta] {
                        IRBuilder<> builder(compare);
                        Value *bound = compare->getOperand(1);
                        compare->setOperand(
                            1, builder.CreateAdd(bound, ConstantInt::getSigned(bound->getType(), delta)));
                        compare->setSameSign(false);
                      },
                      {},
                      matters(delta)});
}

static void collectBounds(Function &kernel, bool ofLoops, Places &places) {
  SetVector<ICmpInst *> comparisons;
  for (const Condition &condition : conditionsOf(kernel))
    if (condition.isLoopExit == ofLoops)
      addComparisons(condition.inst->getOperand(condition.operand), comparisons);
  for (ICmpInst *compare : comparisons)
    addBounds(compare, places);
}

void mutation::changeBound(Function &kernel, Places &places) {
  collectBounds(kernel, /*ofLoops=*/false, places);
}
void mutation::changeTrips(Function &kernel, Places &places) {
  collectBounds(kernel, /*ofLoops=*/true, places);
}

static void force(Function &kernel, bool value, Places &places) {
  for (const Condition &condition : conditionsOf(kernel)) {
    Value *old = condition.inst->getOperand(condition.operand);
    if (isa<Constant>(old) || condition.isLoopExit)
      continue;
    places.push_back({condition.inst,
                      std::string(value ? "always: " : "never: ") + textOf(*condition.inst),
                      [condition, value] {
                        Value *old = condition.inst->getOperand(condition.operand);
                        condition.inst->setOperand(condition.operand,
                                                   ConstantInt::getBool(old->getType(), value));
                      },
                      {},
                      {value ? Failed : Held}});
  }
}
void mutation::forceTrue(Function &kernel, Places &places) { force(kernel, true, places); }
void mutation::forceFalse(Function &kernel, Places &places) { force(kernel, false, places); }

void mutation::changePad(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    if (isa<SelectInst>(inst) && inst.getOperand(1) != inst.getOperand(2)) {
      places.push_back({&inst,
                        "sides exchanged: " + textOf(inst),
                        [&inst] { inst.getOperandUse(1).swap(inst.getOperandUse(2)); },
                        {},
                        {Failed, Held}});
      return;
    }
    std::optional<Access> access = accessOf(inst);
    if (!access || access->predicate < 0 || access->writes)
      return;
    for (auto i = static_cast<unsigned>(access->predicate) + 1; i != cast<CallInst>(inst).arg_size(); ++i)
      if (auto *pad = dyn_cast<ConstantInt>(inst.getOperand(i)))
        // A NaN in every format of floats, two to a word or one; of integers another number.
        places.push_back({&inst,
                          "pad " + std::to_string(i) + " of " + textOf(inst),
                          [&inst, i, pad] {
                            inst.setOperand(i,
                                            ConstantInt::get(pad->getType(),
                                                             pad->getBitWidth() == 32 ? 0x7fff7fff : 0x7fff));
                          },
                          {},
                          {Failed}});
  });
}
