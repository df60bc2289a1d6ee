//===- ElementMap.h - which thread touches which element --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of a tensor or shared tile that a statement touches, as a function of the coordinates of its
// layout (the indices of a parallel, the elements of a fragment) and of the loops round it. A layout says
// which thread has which coordinates, so two accesses stay within threads if an element that both touch has
// the same coordinates in both, and these one thread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_ELEMENTMAP_H
#define TILEC_TRANSFORMS_ELEMENTMAP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilec/Transforms/GlobalAccess.h"

namespace tilec::tile {

class ElementMap {
public:
  /// The map of `access`, which is in `statement` (a parallel, or the op itself). Nothing if its buffer does
  /// not lead to a tensor or a shared tile, or the dimensions of a region are not those of its fragment.
  static std::optional<ElementMap> get(const Access &access, mlir::Operation *statement,
                                       const IndexAnalysis &analysis);

  /// Whether no element is touched by both, whenever each of them runs. False: not proved.
  static bool isDisjoint(const ElementMap &a, const ElementMap &b, const IndexAnalysis &analysis);
  /// Whether each element that both touch, one of them writing, whenever each of them runs, is touched by one
  /// thread only. False: not proved.
  static bool isSameThread(const ElementMap &a, const ElementMap &b, const IndexAnalysis &analysis);

private:
  /// A loop whose variable takes the values first, first + step, … for a `first` that never changes.
  struct Loop {
    mlir::scf::ForOp op;
    LinearForm first;
    int64_t step;
    std::optional<int64_t> range; // between its values, at most; nothing: unknown
  };
  struct Dim {
    LinearForm fixed;                       // of values that never change
    llvm::SmallVector<int64_t> coordinates; // a coefficient each
    llvm::SmallVector<std::pair<Loop, int64_t>, 2> loops;
    bool known = true; // otherwise it says nothing
  };

  /// Equal coordinates are one thread's.
  static bool hasSameHolders(const ElementMap &a, const ElementMap &b);

  mlir::Value root;                  // the tensor or shared tile
  LayoutAttrInterface layout;        // of the coordinates; null: any thread may touch any element
  bool hasOneHolder = false;         // the layout gives each of them to one thread
  bool writes;                       // where several threads hold an element, all read it and one writes it
  llvm::SmallVector<int64_t> ranges; // of the coordinates: 0 … range
  llvm::SmallVector<Dim, 4> dims;    // of the root
};

} // namespace tilec::tile

#endif // TILEC_TRANSFORMS_ELEMENTMAP_H
