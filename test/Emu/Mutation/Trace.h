//===- Trace.h - what a program does, as far as anybody can tell -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that calls back at every block of code, or at every access and barrier. It knows nothing of the
// emulator's search for races and is the second opinion about mutants that nobody reported.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_EMU_MUTATION_TRACE_H
#define TILEC_TEST_EMU_MUTATION_TRACE_H

#include "llvm/IR/Module.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilec::mutation {

/// What is counted in a module: blocks of code, and what conditions and comparisons come to.
class Numbering {
public:
  explicit Numbering(llvm::Module &module);
  unsigned numberOf(const llvm::BasicBlock &block) const { return blocks.at(&block); }
  /// Of an instruction that has outcomes (see Outcome).
  unsigned numberOf(const llvm::Instruction &inst, unsigned outcome) const {
    return instructions.at(&inst) + outcome;
  }
  bool hasOutcomes(const llvm::Instruction &inst) const { return instructions.count(&inst); }

private:
  std::map<const llvm::BasicBlock *, unsigned> blocks;
  std::map<const llvm::Instruction *, unsigned> instructions;
};

void addVisits(llvm::Module &module, const Numbering &numbering);
/// The numbers that were met since the last call.
std::vector<unsigned> takeVisits();

void addTrace(llvm::Module &module);
struct Trace {
  /// Every synchronisation of every thread, and what is written where between two of them. Which thread
  /// writes, and what is read, does not count.
  uint64_t writes = 0;
  /// What is written to each element of a tensor, in order, and how often each is read.
  uint64_t tensors = 0;
  /// Two threads touched a byte between two barriers of the block, one of them wrote, and not both by an
  /// atomic.
  bool conflicts = false;
  /// Every synchronisation was a barrier of the whole block, so `conflicts` says all.
  bool isSimple = true;
};
/// Of what ran since the last call.
Trace takeTrace();

} // namespace tilec::mutation

#endif // TILEC_TEST_EMU_MUTATION_TRACE_H
