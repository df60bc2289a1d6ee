//===- Mutators.h - changes that a compiler's mistake could make ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutator finds the places of a kernel where it can change something. Each place is one mutant: applying it
// changes the module that holds it, once. Places that could not change anything (two operands that are the
// same value exchanged) are not offered.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_EMU_MUTATION_MUTATORS_H
#define TILEC_TEST_EMU_MUTATION_MUTATORS_H

#include "tilec/CodeGen/PtxForms.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tilec::mutation {

struct Place {
  llvm::Instruction *at = nullptr;
  std::string what; ///< "icmp slt becomes sle", for the list of survivors
  std::function<void()> apply;
  /// Of a change that lets two accesses race: the lines of those before and of those after the place.
  std::set<unsigned> sides;
  /// What `at`, a condition or a comparison, must come to for some thread: see Outcome. Empty: it must be
  /// executed.
  std::vector<unsigned> outcomes;
};

/// Of the predicate, the branch or the choice of an instruction: Failed, Held. Of a comparison of integers:
/// by how much the first is larger.
enum Outcome : unsigned { Failed = 0, Held = 1, LessByOne = 0, Equal = 1, MoreByOne = 2, FarApart = 3 };
/// The condition that an instruction depends on, or null.
llvm::Value *conditionOf(llvm::Instruction &inst);

using Places = std::vector<Place>;

struct Mutator {
  const char *name;
  const char *description;
  void (*collect)(llvm::Function &kernel, Places &places);
  /// What it takes away orders accesses: a finding must name one of the two.
  bool isRace;
  /// It may change what is idle, and is without effect if the tensors' elements that are read, written and
  /// what is written stay the same: another value, a NaN where there is one, in elements that are masked off;
  /// a store to shared memory that only they would be read from; a round of a loop whose accesses are all
  /// masked off.
  bool isIdle;
};
llvm::ArrayRef<Mutator> getMutators();

// MutateSync.cpp
void dropBarrier(llvm::Function &kernel, Places &places);
void moveBarrier(llvm::Function &kernel, Places &places);
void spoilBarrier(llvm::Function &kernel, Places &places);
void dropWait(llvm::Function &kernel, Places &places);
void shortenWait(llvm::Function &kernel, Places &places);
void dropCommit(llvm::Function &kernel, Places &places);
// MutateMemory.cpp
void changeStage(llvm::Function &kernel, Places &places);
void changeSwizzle(llvm::Function &kernel, Places &places);
void changeIndex(llvm::Function &kernel, Places &places);
void changeAddress(llvm::Function &kernel, Places &places);
void dropStore(llvm::Function &kernel, Places &places);
void exchangeStored(llvm::Function &kernel, Places &places);
void changeTranspose(llvm::Function &kernel, Places &places);
void changeAtomic(llvm::Function &kernel, Places &places);
// MutateControl.cpp
void changeBound(llvm::Function &kernel, Places &places);
void forceTrue(llvm::Function &kernel, Places &places);
void forceFalse(llvm::Function &kernel, Places &places);
void changeTrips(llvm::Function &kernel, Places &places);
void changePad(llvm::Function &kernel, Places &places);
// MutateValues.cpp
void exchangeRegisters(llvm::Function &kernel, Places &places);
void changeShuffle(llvm::Function &kernel, Places &places);
void changeOperation(llvm::Function &kernel, Places &places);
void exchangeAxes(llvm::Function &kernel, Places &places);
void changeStart(llvm::Function &kernel, Places &places);

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

/// The form that an instruction is, or null.
const PtxForm *formOf(const llvm::Instruction &inst);
/// A declaration of an intrinsic or the asm of a form, with the type of `like`.
llvm::FunctionCallee calleeOf(const PtxForm &form, llvm::Module &module, llvm::FunctionType *type);

/// An access of memory that other threads see.
struct Access {
  unsigned pointer = 0; ///< the operand
  int predicate = -1;   ///< the operand, or -1
  unsigned bytes = 0;
  bool reads = false, writes = false, isAtomic = false;
  bool isConstant = false; ///< of memory that nobody writes
};
std::optional<Access> accessOf(const llvm::Instruction &inst);
bool isBlockBarrier(const llvm::Instruction &inst);
/// A barrier, a wait, a commit, an end.
bool isSync(const llvm::Instruction &inst);

template <typename F> void forEachInstruction(llvm::Function &function, F visit) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &inst : block)
      visit(inst);
}

/// A constant of the integer's type, changed by `delta`.
llvm::Constant *shifted(llvm::Value *constant, int64_t delta);
/// "%12 = add …" without its debug location.
std::string textOf(const llvm::Value &value);

} // namespace tilec::mutation

#endif // TILEC_TEST_EMU_MUTATION_MUTATORS_H
