//===- IndexAnalysis.h - what is known about indices ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear forms over the values of a kernel, what bounds them, and what divides them.
//
// A form equals the program's value modulo 2^64, because the arithmetic of both wraps; a proof is about its
// true value. If that is proved to be inside the range of an i64, it is the value at run time. What the
// program compares or divides is the value at run time, so facts come from exact forms only: those that
// cannot have wrapped for what their symbols' types, bounds and definitions allow. Symbols stand for their
// run-time value.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_INDEXANALYSIS_H
#define TILEC_TRANSFORMS_INDEXANALYSIS_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tilec::tile {

/// constant + sum of coefficient * symbol, in no particular order; coefficients are not 0.
class LinearForm {
public:
  LinearForm(int64_t constant = 0) : constant(constant) {}
  static LinearForm symbol(mlir::Value value) {
    LinearForm form;
    form.terms.push_back({value, 1});
    return form;
  }

  /// this += factor * other; false if a coefficient leaves the range of i64, and then `this` is unspecified.
  bool add(const LinearForm &other, int64_t factor = 1);
  /// this *= factor.
  bool scale(int64_t factor);

  int64_t getConstant() const { return constant; }
  llvm::ArrayRef<std::pair<mlir::Value, int64_t>> getTerms() const { return terms; }
  bool isConstant() const { return terms.empty(); }
  int64_t getCoefficient(mlir::Value symbol) const;
  /// The form without the terms of these symbols.
  LinearForm without(mlir::ValueRange symbols) const;
  /// Equal up to the constant.
  bool hasSameTerms(const LinearForm &other) const;
  friend bool operator==(const LinearForm &a, const LinearForm &b) {
    return a.constant == b.constant && a.hasSameTerms(b);
  }

private:
  int64_t constant;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> terms;
};

/// An access is in bounds iff 0 <= index < size for all of its checks.
struct BoundCheck {
  LinearForm index, size;
};

/// A tensor or window, followed to its parameter.
struct GlobalAccess {
  GlobalOp root;
  /// One a dimension of the root: the index there.
  llvm::SmallVector<LinearForm, 4> rootIndices;
  /// The root's extents and those of all windows between.
  llvm::SmallVector<BoundCheck, 4> checks;
};

class IndexAnalysis {
public:
  /// Valid while the kernel's loops, conditions and index arithmetic stay as they are.
  explicit IndexAnalysis(KernelOp kernel);

  /// An i64 value as a form; a symbol where it is not linear.
  LinearForm linearize(mlir::Value value) const;
  LinearForm linearize(mlir::OpFoldResult value) const;
  /// The same, but a symbol where the form may have wrapped: its true value is that at run time.
  LinearForm linearizeExactly(mlir::Value value) const;
  LinearForm linearizeExactly(mlir::OpFoldResult value) const;
  /// Whether the true value of the form is always inside the range of an i64.
  bool isExact(const LinearForm &form) const;

  /// The value (or form) is a multiple of 2^n for the n that is returned, at most 62.
  unsigned trailingZeros(mlir::Value value) const;
  unsigned trailingZeros(const LinearForm &form) const;

  /// Whether form >= 0 whenever `at` runs and all `assumed` are >= 0. False: not proved.
  bool isNonNegative(const LinearForm &form, mlir::Operation *at,
                     llvm::ArrayRef<LinearForm> assumed = {}) const;
  /// Whether both ends of a check hold whenever `at` runs.
  bool isInBounds(const BoundCheck &check, mlir::Operation *at) const;

  /// The access of an element (or of the region that begins there) of a tensor or window. Nothing if it does
  /// not lead to a `tile.global`, or forms overflow.
  std::optional<GlobalAccess> resolve(mlir::Value global, llvm::ArrayRef<LinearForm> indices) const;
  std::optional<GlobalAccess> resolve(mlir::Value global, mlir::ValueRange indices) const;

private:
  /// Both ends included; 128 bits hold what sums of products of i64 need here.
  struct Range {
    __int128 low, high;
  };
  /// What an i64 value may be, from its definition alone.
  Range getRange(mlir::Value value) const;
  Range computeRange(mlir::Value value) const;
  Range getRange(const LinearForm &form) const;

  /// Forms that are >= 0 and mention `symbol`, because of what it is.
  void appendBounds(mlir::Value symbol, llvm::SmallVectorImpl<LinearForm> &facts) const;
  /// Forms that are >= 0 because `at` runs.
  void appendGuards(mlir::Operation *at, llvm::SmallVectorImpl<LinearForm> &facts) const;
  void appendCondition(mlir::Value condition, bool isTrue, llvm::SmallVectorImpl<LinearForm> &facts) const;
  bool prove(LinearForm form, llvm::ArrayRef<LinearForm> guards, unsigned depth, unsigned &fuel) const;

  mutable KernelOp kernel;                            // MLIR's accessors are not const
  llvm::DenseMap<mlir::Value, unsigned> order;        // later definitions have higher numbers
  llvm::DenseMap<mlir::Value, unsigned> assumedZeros; // from assumed divisibility
  llvm::DenseSet<mlir::Value> extents;                // values that are an extent or a stride: not negative
  llvm::DenseSet<mlir::Value> sizes;                  // those that are an extent
  mutable llvm::DenseMap<mlir::Value, unsigned> zerosCache;
  mutable llvm::DenseMap<mlir::Value, Range> rangeCache;
};

} // namespace tilec::tile

#endif // TILEC_TRANSFORMS_INDEXANALYSIS_H
