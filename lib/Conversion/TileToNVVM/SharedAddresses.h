//===- SharedAddresses.h - where the elements of a shared tile are ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte offsets of a shared tile, in 32 bits. A coordinate is a value plus a constant, and as much of the
// constant as possible ends up in the instruction:
//
//   strided: all of it, times the stride
//   panels:  whole panels and whole groups of 8 rows. What is left flips bits of the address if the value has
//            none of its bits, since a swizzle is linear over XOR; otherwise the address is computed anew
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_SHAREDADDRESSES_H
#define TILEC_LIB_CONVERSION_TILETONVVM_SHAREDADDRESSES_H

#include "Addresses.h"

namespace tilec::lowering {

/// How the bytes of a shared tile follow from coordinates: #tile.strided or #tile.panels (PTX ISA, "Shared
/// memory matrix layout").
struct SharedForm {
  SharedForm(tile::SharedType root);

  bool isPanels() const { return width != 0; }
  /// The dimension along which neighbours are neighbours in memory, or nothing.
  std::optional<unsigned> contiguousDim() const;

  unsigned bits;                         // of an element
  llvm::SmallVector<int64_t, 4> strides; // strided: in elements
  int64_t width = 0;                     // panels: columns of one
  int64_t rowBytes = 0, panelBytes = 0, panels = 0;
  int64_t mask = 0; // of the bits of the row that are XORed into the bits three places below
};

/// A coordinate along a dimension of the whole tile: a value (null: 0), i64 or i32, plus a constant.
struct SharedCoord {
  mlir::Value base;
  int64_t constant = 0;
};
using SharedCoords = llvm::SmallVector<SharedCoord, 4>;

/// Addresses in one tile. What several have in common is computed once.
class SharedTile {
public:
  SharedTile(mlir::OpBuilder &builder, mlir::Location loc, const MemoryView &view, int64_t threads)
      : builder(builder), loc(loc), view(view), form(view.root), threads(threads) {}

  const SharedForm &getForm() const { return form; }
  /// Coordinates of the whole tile from those of the view.
  SharedCoords toRoot(llvm::ArrayRef<SharedCoord> coords);
  mlir::Value getPointer(llvm::ArrayRef<SharedCoord> root);
  /// The number of an element from the view's pointer, i64; strided only.
  mlir::Value getIndex(llvm::ArrayRef<SharedCoord> root);
  /// The largest power of two, at most `limit`, of which the contiguous coordinate and everything else in the
  /// address are multiples, in elements.
  unsigned getAlignment(llvm::ArrayRef<SharedCoord> root, unsigned limit);

private:
  struct Base {
    mlir::Value bytes;
    uint64_t bits; // that may be set in it
  };
  mlir::Value toI32(mlir::Value value);
  mlir::Value number(int64_t value) { return mlir::arith::ConstantIntOp::create(builder, loc, value, 32); }
  mlir::Value add(mlir::Value value, int64_t constant);
  mlir::Value times(mlir::Value value, int64_t factor);
  uint64_t possible(mlir::Value value) const;
  mlir::Value sum(mlir::Value a, mlir::Value b);
  mlir::Value getStrided(llvm::ArrayRef<SharedCoord> root, int64_t &constant);
  const Base &getPanelBase(mlir::Value row, mlir::Value col);
  mlir::Value getPanel(llvm::ArrayRef<SharedCoord> root, int64_t &constant);
  mlir::Value offsetBy(mlir::Value bytes, int64_t constant);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const MemoryView &view;
  SharedForm form;
  int64_t threads;
  llvm::DenseMap<mlir::Value, mlir::Value> narrowed;
  std::map<std::pair<const void *, const void *>, mlir::Value> coordSums;
  std::map<std::vector<const void *>, mlir::Value> sums;
  std::map<std::pair<const void *, int64_t>, mlir::Value> moved;
  std::map<std::pair<const void *, const void *>, Base> bases;
  std::map<std::tuple<const void *, const void *, int64_t>, mlir::Value> flipped;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers;
};

/// The elements of an access to a shared tile.
class SharedAddresses : public Addresses {
public:
  SharedAddresses(mlir::OpBuilder &builder, mlir::Location loc, const MemoryView &view,
                  llvm::ArrayRef<Spread> indices, int64_t threads)
      : builder(builder), loc(loc), indices(indices), tile(builder, loc, view, threads) {}

  mlir::Value getIndex(unsigned element) override { return tile.getIndex(getCoords(element)); }
  mlir::Value getPointer(unsigned element) override { return tile.getPointer(getCoords(element)); }
  /// Neighbours, at most `width`, that are one aligned piece of memory in every group of so many of `count`
  /// elements. `trusted`: what is not constant is known to be aligned to `width`.
  unsigned getRun(unsigned count, unsigned width, bool trusted);

private:
  SharedCoords getCoords(unsigned element);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::ArrayRef<Spread> indices;
  SharedTile tile;
  std::map<unsigned, SharedCoords> coords; // by element
};

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_SHAREDADDRESSES_H
