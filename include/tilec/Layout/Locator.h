//===- Locator.h - from an element to its place -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse of a layout, prepared once for many questions: digits are tried from the largest step down,
// what is left is solved in the atom by elimination.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LAYOUT_LOCATOR_H
#define TILEC_LAYOUT_LOCATOR_H

#include "tilec/Layout/Layout.h"

namespace tilec {

/// The bases of an atom in echelon form over F2. Bits are eliminated in the order register, lane, warp,
/// offset, low ones first, so that "which of several holders is the owner" has one answer everywhere.
class Echelon {
public:
  explicit Echelon(const Layout &layout);

  /// The bits that make up `coord`, redundant ones 0, or nothing.
  std::optional<Position> solve(Coord coord) const;
  /// The bits that lower ones can make up for.
  const Position &getRedundant() const { return redundant; }
  /// 2 to this power elements are in the atom.
  unsigned getRank() const { return rows.size(); }

private:
  struct Row {
    Coord vector;
    unsigned dim; ///< the pivot: the highest bit of the first coordinate that is not 0
    int64_t bit;
    Position inputs; ///< the vector is the XOR of the bases of these bits
  };
  void reduce(Coord &vector, Position &inputs) const;

  llvm::SmallVector<Row, 16> rows;
  Position redundant;
};

/// Answers Layout::locate for many coordinates of one layout.
class Locator {
public:
  explicit Locator(const Layout &layout);
  std::optional<Position> locate(llvm::ArrayRef<int64_t> coord) const;

private:
  struct Step {
    LayoutFactor factor;
    int64_t rest; ///< the largest coordinate along its dimension that the steps after it and the atom reach
  };
  std::optional<Position> search(Coord coord, llvm::ArrayRef<Step> left) const;

  Echelon echelon;
  Coord bounds;
  llvm::SmallVector<Step, 4> steps;
};

} // namespace tilec

#endif // TILEC_LAYOUT_LOCATOR_H
