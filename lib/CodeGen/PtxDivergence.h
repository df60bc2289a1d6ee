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
  /// Whether the threads of a warp may hold different values in this register.
  bool isDivergent(unsigned reg) const {
    return values[reg] == Value::Divergent || values[reg] == Value::TidX;
  }
  /// The branch that lets only some threads of a warp into `block`, or null.
  const Instr *cause(unsigned block) const { return causes[block]; }

private:
  /// What a register holds in the threads of a warp. TidX: base + lane with a base that is a multiple of 32
  /// and the same for all, which comparisons and shifts at multiples of 32 turn into a value of the whole
  /// warp.
  enum class Value : unsigned char { Unset, Uniform, TidX, Divergent };

  Value ofOperand(llvm::StringRef operand) const;
  Value transfer(const Instr &instr) const;
  bool update(unsigned reg, Value value);
  void spread(unsigned block, const Instr &branch);

  const Function &function;
  llvm::StringMap<unsigned> numbers;
  std::vector<Value> values;
  std::vector<const Instr *> causes;
  std::vector<unsigned> postDominator;
  bool changed = false;
};

} // namespace tilec::ptx

#endif // TILEC_LIB_CODEGEN_PTXDIVERGENCE_H
