//===- Draw.h - layouts to look at ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout as a grid with a cell for each element of a tile: which register of which thread holds it, or at
// which offset in memory it is and in which bank. docs/layouts.md says how to read one.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LAYOUT_DRAW_H
#define TILEC_LAYOUT_DRAW_H

#include "tilec/Layout/Layout.h"

namespace tilec {

/// What is drawn.
struct LayoutPicture {
  std::string title;
  Layout layout;
  llvm::SmallVector<int64_t> extents;
  bool isMemory;        ///< offsets, else threads and registers
  unsigned elementBits; ///< of memory: banks are 4 bytes wide
};

/// Facts about the layout in a few lines, then the grid as text. Of a large tile the first rows and columns.
void drawText(const LayoutPicture &picture, llvm::raw_ostream &os);
/// The same as an SVG picture, a colour for each thread or bank. Room for more than the text has, but not for
/// all of the largest tiles.
void drawSvg(const LayoutPicture &picture, llvm::raw_ostream &os);

} // namespace tilec

#endif // TILEC_LAYOUT_DRAW_H
