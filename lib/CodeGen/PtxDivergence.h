//===- PtxDivergence.h - which PTX blocks only some threads reach ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conservative divergence analysis at warp level over the text of one function.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CODEGEN_PTXDIVERGENCE_H
#define TILEC_LIB_CODEGEN_PTXDIVERGENCE_H

#include "PtxText.h"

namespace tilec::ptx {

class Divergence {
public:
  explicit Divergence(const Function &function);
  /// Whether the guard of this instruction may differ between the threads of a warp.
  bool hasDivergentGuard(unsigned instr) const { return divergentGuards[instr]; }
  /// The branch that lets only some threads of a warp into `block`, or null.
  const Instr *cause(unsigned block) const { return causes[block]; }

private:
  /// What a register holds in the threads of a warp. TidX: base + lane with a base that is a multiple of 32
  /// and the same for all, which comparisons and shifts at multiples of 32 turn into a value of the whole
  /// warp.
  enum class Value : unsigned char { Unset, Uniform, TidX, Divergent };
  using State = std::vector<Value>; ///< by register

  static Value join(const State &state, llvm::ArrayRef<unsigned> registers);
  static Value transfer(const State &state, const Instr &instr);
  void visit(unsigned block);
  void flowInto(unsigned block, const State &state);
  void spread(unsigned block, const Instr &branch);

  const Function &function;
  std::vector<State> entries; ///< at the begin of each block; empty: not reached yet
  std::vector<const Instr *> causes;
  std::vector<bool> divergentGuards;
  std::vector<unsigned> postDominator;
  std::vector<bool> pending; ///< blocks to visit again
};

} // namespace tilec::ptx

#endif // TILEC_LIB_CODEGEN_PTXDIVERGENCE_H
