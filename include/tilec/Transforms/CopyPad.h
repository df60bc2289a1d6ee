//===- CopyPad.h - the pad of a converting copy -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy pads with an element of its destination, a load with one of its source. Where the copy converts, the
// load's pad must be what converts to the copy's.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_COPYPAD_H
#define TILEC_TRANSFORMS_COPYPAD_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec::tile {

/// An element of the source of a copy with a pad that converts to that pad; null: there is none, or it is not
/// known. Elements of one type need no conversion, and their pad no constant: this is for the others.
mlir::TypedAttr findSourcePad(CopyOp copy);

/// Whether the elements of the two sides have different types.
bool isConverting(CopyOp copy);

} // namespace tilec::tile

#endif // TILEC_TRANSFORMS_COPYPAD_H
