//===- MutateSync.cpp - barriers, waits and commits ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutators.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

static unsigned lineOf(const Instruction &inst) {
  return inst.getDebugLoc() ? inst.getDebugLoc().getLine() : 0;
}

/// Adds the lines of accesses that a path from `from` reaches before another barrier, or behind that, too.
/// Where threads arrive at a barrier for others to go on, paths go on there. Constant memory needs no order.
static void addLines(Instruction &from, bool backward, bool crossesBarriers, std::set<unsigned> &lines) {
  SmallPtrSet<BasicBlock *, 16> seen;
  SmallVector<BasicBlock *> open;
  auto add = [&](BasicBlock *block) {
    if (seen.insert(block).second)
      open.push_back(block);
  };
  // False at a barrier: the path ends.
  auto visit = [&](Instruction &inst) {
    if (&inst == &from || (isBlockBarrier(inst) && !crossesBarriers))
      return false;
    const PtxForm *form = formOf(inst);
    if (form && form->id == PtxFormId::BarArriveCount)
      forEachInstruction(*inst.getFunction(), [&](Instruction &other) {
        const PtxForm *otherForm = formOf(other);
        if (otherForm && otherForm->id == PtxFormId::BarSyncCount)
          add(other.getParent());
      });
    std::optional<Access> access = accessOf(inst);
    if (access && !access->isConstant)
      lines.insert(lineOf(inst));
    return true;
  };
  auto goOn = [&](BasicBlock *block) {
    if (backward)
      for (BasicBlock *next : predecessors(block))
        add(next);
    else
      for (BasicBlock *next : successors(block))
        add(next);
  };
  bool isOpen = true;
  if (backward) {
    for (Instruction *inst = from.getPrevNode(); inst && isOpen; inst = inst->getPrevNode())
      isOpen = visit(*inst);
  } else {
    for (Instruction *inst = from.getNextNode(); inst && isOpen; inst = inst->getNextNode())
      isOpen = visit(*inst);
  }
  if (isOpen)
    goOn(from.getParent());
  while (!open.empty()) {
    BasicBlock *block = open.pop_back_val();
    isOpen = backward ? all_of(reverse(*block), visit) : all_of(*block, visit);
    if (isOpen)
      goOn(block);
  }
}

static std::set<unsigned> sidesOf(Instruction &inst, bool crossesBarriers = false) {
  std::set<unsigned> lines;
  if (isBlockBarrier(inst) && formOf(inst)->id != PtxFormId::BarSync)
    return lines; // it counts its threads: without it others wait for ever, and nothing races
  addLines(inst, /*backward=*/true, crossesBarriers, lines);
  addLines(inst, /*backward=*/false, crossesBarriers, lines);
  return lines;
}

void mutation::dropBarrier(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    if (isBlockBarrier(inst))
      places.push_back({&inst, "dropped", [&inst] { inst.eraseFromParent(); }, sidesOf(inst), {}});
  });
}

void mutation::moveBarrier(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    if (!isBlockBarrier(inst))
      return;
    // A barrier of some warps hands on shared memory; one of all, tensors as well.
    bool isNamed = cast<CallInst>(inst).arg_size() == 2;
    auto isAccess = [&](const Instruction &other) {
      std::optional<Access> access = accessOf(other);
      return access && !access->isConstant &&
             (!isNamed || other.getOperand(access->pointer)->getType()->getPointerAddressSpace() == 3);
    };
    auto add = [&](Instruction *access, bool isAfter) {
      places.push_back({&inst,
                        (isAfter ? "moved behind " : "moved before ") + textOf(*access),
                        [&inst, access, isAfter] {
                          if (isAfter)
                            inst.moveAfter(access);
                          else
                            inst.moveBefore(access->getIterator());
                        },
                        sidesOf(inst),
                        {}});
    };
    for (Instruction *next = inst.getNextNode(); next && !isSync(*next); next = next->getNextNode())
      if (isAccess(*next)) {
        add(next, /*isAfter=*/true);
        break;
      }
    for (Instruction *last = inst.getPrevNode(); last && !isSync(*last); last = last->getPrevNode())
      if (isAccess(*last)) {
        // Its operands must be there already.
        if (all_of(inst.operands(), [&](Value *operand) {
              auto *made = dyn_cast<Instruction>(operand);
              return !made || made->getParent() != inst.getParent() || made->comesBefore(last);
            }))
          add(last, /*isAfter=*/false);
        break;
      }
  });
}

static unsigned threadsOf(const Function &kernel) {
  unsigned threads = 0;
  kernel.getFnAttribute("nvvm.reqntid").getValueAsString().split(',').first.getAsInteger(10, threads);
  return threads;
}

void mutation::spoilBarrier(Function &kernel, Places &places) {
  unsigned threads = threadsOf(kernel);
  forEachInstruction(kernel, [&](Instruction &inst) {
    if (!isBlockBarrier(inst))
      return;
    auto &call = cast<CallInst>(inst);
    if (call.arg_size() == 2) {
      places.push_back({&inst,
                        "one barrier further",
                        [&call] {
                          IRBuilder<> builder(&call);
                          call.setArgOperand(0,
                                             builder.CreateAdd(call.getArgOperand(0), builder.getInt32(1)));
                        },
                        {},
                        {}});
      for (int warps : {1, -1})
        places.push_back({&inst,
                          warps > 0 ? "for a warp more" : "for a warp less",
                          [&call, warps] {
                            IRBuilder<> builder(&call);
                            call.setArgOperand(
                                1, builder.CreateAdd(call.getArgOperand(1), builder.getInt32(32 * warps)));
                          },
                          {},
                          {}});
      return;
    }
    // Another number for everybody would do the same: each warp gets its own.
    if (threads > 32)
      places.push_back({&inst,
                        "each warp at its own barrier",
                        [&call] {
                          IRBuilder<> builder(&call);
                          FunctionCallee tid = calleeOf(PtxForm::get(PtxFormId::TidX), *call.getModule(),
                                                        FunctionType::get(builder.getInt32Ty(), false));
                          call.setArgOperand(
                              0, builder.CreateAnd(builder.CreateLShr(builder.CreateCall(tid), 5), 15));
                        },
                        {},
                        {}});
    places.push_back(
        {&inst,
         "barrier 16",
         [&call] { call.setArgOperand(0, ConstantInt::get(call.getArgOperand(0)->getType(), 16)); },
         {},
         {}});
    for (int warps : {1, -1})
      places.push_back(
          {&inst,
           warps > 0 ? "for a warp more" : "for a warp less",
           [&call, threads, warps] {
             IRBuilder<> builder(&call);
             Type *word = builder.getInt32Ty();
             FunctionCallee counted = calleeOf(PtxForm::get(PtxFormId::BarSyncCount), *call.getModule(),
                                               FunctionType::get(builder.getVoidTy(), {word, word}, false));
             builder.CreateCall(counted, {call.getArgOperand(0),
                                          builder.getInt32(threads + static_cast<unsigned>(32 * warps))});
             call.eraseFromParent();
           },
           {},
           {}});
  });
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

static bool isWait(const PtxForm &form) {
  return form.twin == "cpAsyncWait" || form.twin == "cpAsyncWaitAll";
}

void mutation::dropWait(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    const PtxForm *form = formOf(inst);
    if (form && isWait(*form))
      places.push_back({&inst, "dropped", [&inst] { inst.eraseFromParent(); }, sidesOf(inst, true), {}});
  });
}

void mutation::shortenWait(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    const PtxForm *form = formOf(inst);
    if (!form || !isWait(*form) || form->id == PtxFormId::CpAsyncWait7)
      return;
    // Wait0 … Wait7 are numbered in this order.
    const PtxForm *next = form->id == PtxFormId::CpAsyncWaitAll ? &PtxForm::get(PtxFormId::CpAsyncWait1)
                                                                : PtxForm::find(form->number() + 1);
    places.push_back({&inst,
                      "becomes " + next->text.str(),
                      [&inst, next] {
                        auto &call = cast<CallInst>(inst);
                        call.setCalledFunction(calleeOf(*next, *inst.getModule(), call.getFunctionType()));
                      },
                      sidesOf(inst, true),
                      {}});
  });
}

void mutation::dropCommit(Function &kernel, Places &places) {
  forEachInstruction(kernel, [&](Instruction &inst) {
    const PtxForm *form = formOf(inst);
    if (form && form->id == PtxFormId::CpAsyncCommit)
      places.push_back({&inst, "dropped", [&inst] { inst.eraseFromParent(); }, sidesOf(inst, true), {}});
  });
}
