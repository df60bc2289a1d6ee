//===- SemaIndex.h - evaluating indices for proofs ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs about indices are searches for a witness: iterations are tried, and an error is reported only with
// one that exists. So nothing legal is ever rejected, whatever the evaluator does not understand.
//
// An index is evaluated to a linear form: an integer plus multiples of atoms. Loop variables that are being
// tried have values; everything else that is the same in all iterations (block indices, dimensions, elements
// nobody writes) is an atom, equal to itself.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_FRONTEND_SEMAINDEX_H
#define TILEC_LIB_FRONTEND_SEMAINDEX_H

#include "SemaImpl.h"

namespace tilec::frontend::sema {

struct LinearForm {
  std::map<unsigned, int64_t> terms; // atom -> coefficient, never 0
  int64_t constant = 0;
  bool isConcrete() const { return terms.empty(); }
  bool operator==(const LinearForm &) const = default;
};

class IndexEvaluator {
public:
  using LetValues = llvm::DenseMap<const hir::Variable *, hir::Expr *>;
  explicit IndexEvaluator(const LetValues &lets) : lets(lets) {}

  /// Variables with this id and above are unknown unless they have a value: they belong to the loop body.
  unsigned firstInnerVariable = ~0u;
  /// Objects that the loop writes: their elements are unknown.
  llvm::DenseSet<const hir::Object *> written;

  void setValue(const hir::Variable *variable, int64_t value) {
    values[variable] = value;
    memo.clear();
  }
  void clearValues() {
    values.clear();
    memo.clear();
  }
  std::optional<LinearForm> evaluate(const hir::Expr *expr);
  std::optional<bool> evaluateBool(const hir::Expr *expr);
  /// A variable that the atom stands for, or null for anything else.
  const hir::Variable *variableOf(unsigned atom) const { return atoms[atom].variable; }
  /// Variables that the atom is made of.
  llvm::ArrayRef<const hir::Variable *> mentions(unsigned atom) const { return atoms[atom].mentions; }
  /// Whether the atom contains anything but the given variables: then it never becomes a number.
  bool dependsOnlyOn(unsigned atom, const llvm::DenseSet<const hir::Variable *> &variables) const;

private:
  struct Atom {
    const hir::Variable *variable = nullptr;
    std::vector<const hir::Variable *> mentions;
    bool opaque = false; // contains elements or calls: never a number
  };
  std::optional<LinearForm> evaluateNode(const hir::Expr *expr);
  std::optional<LinearForm> evaluateBinary(const hir::Binary *binary);
  std::optional<LinearForm> makeAtom(std::string key, llvm::ArrayRef<const hir::Expr *> operands,
                                     bool opaque);
  LinearForm atomForm(const std::string &key, Atom atom);

  const LetValues &lets;
  llvm::DenseMap<const hir::Variable *, int64_t> values;
  llvm::DenseMap<const hir::Variable *, std::optional<LinearForm>> memo;
  std::map<std::string, unsigned> atomIds;
  std::vector<Atom> atoms;
  unsigned depth = 0;
};

/// Values of a variable worth trying: all of them where they are few, else those near the ends and near the
/// constants that its uses mention.
std::vector<int64_t> candidateValues(int64_t first, int64_t step, int64_t count, size_t limit,
                                     llvm::ArrayRef<int64_t> constants);
/// Integer constants inside an expression, through lets.
void collectConstants(const hir::Expr *expr, const IndexEvaluator::LetValues &lets,
                      llvm::SmallVectorImpl<int64_t> &constants);

} // namespace tilec::frontend::sema

#endif
