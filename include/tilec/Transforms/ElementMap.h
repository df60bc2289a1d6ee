//===- ElementMap.h - which thread touches which element --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of a tensor that a statement touches, as a function of the coordinates of its layout (the
// indices of a parallel, the elements of a fragment) and of the loops round it. A layout says which thread
// has which coordinates, so two accesses stay within threads if an element that both touch has the same
// coordinates in both.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_ELEMENTMAP_H
#define TILEC_TRANSFORMS_ELEMENTMAP_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilec/Transforms/GlobalAccess.h"

namespace tilec::tile {

class ElementMap {
public:
  /// The map of `access`, which is in `statement` (a parallel, or a load or store itself). Nothing if a
  /// dimension of it depends on something else than coordinates, loops and what never changes.
  static std::optional<ElementMap> get(const ElementAccess &access, mlir::Operation *statement,
                                       const IndexAnalysis &analysis);

  /// Whether each element that both touch, whenever each of them runs, is touched by one thread in both.
  /// False: not proved.
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

  mlir::Attribute layout;
  llvm::SmallVector<int64_t> ranges; // of the coordinates: 0 … range
  llvm::SmallVector<Dim, 4> dims;    // of the tensor
  GlobalOp root;
};

} // namespace tilec::tile

#endif // TILEC_TRANSFORMS_ELEMENTMAP_H
