//===- Addresses.h - where the elements of an access are --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address arithmetic of reads, writes and atomics.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_ADDRESSES_H
#define TILEC_LIB_CONVERSION_TILETONVVM_ADDRESSES_H

#include "Emitter.h"

namespace tilec::lowering {

inline mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value) {
  return mlir::arith::ConstantIntOp::create(builder, loc, value, 64);
}

inline mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult value) {
  std::optional<int64_t> number = mlir::getConstantIntValue(value);
  return number ? createConstant(builder, loc, *number) : llvm::cast<mlir::Value>(value);
}

/// Where the elements of an access are. What they have in common is computed once; constants stay constants,
/// so that they end up in the instructions.
class Addresses {
public:
  virtual ~Addresses() = default;
  /// The number of an element from the view's pointer.
  virtual mlir::Value getIndex(unsigned element) = 0;
  /// Its address: of 4-bit elements that of the byte.
  virtual mlir::Value getPointer(unsigned element) = 0;
};

class GlobalAddresses : public Addresses {
public:
  GlobalAddresses(mlir::OpBuilder &builder, mlir::Location loc, const MemoryView &view,
                  llvm::ArrayRef<Spread> indices)
      : builder(builder), loc(loc), view(view), indices(indices), bits(tile::storageBits(view.element)) {
    linear = llvm::all_of(indices, [](const Spread &index) { return index.isUniform() || index.isAffine(); });
    if (linear)
      common = sum([](const Spread &index) { return index.getBase(); });
  }

  mlir::Value getIndex(unsigned element) override {
    auto [base, offset] = getParts(element);
    return offset ? mlir::arith::AddIOp::create(builder, loc, base, createConstant(builder, loc, offset))
                        .getResult()
                  : base;
  }

  mlir::Value getPointer(unsigned element) override {
    auto [base, offset] = getParts(element);
    if (bits < 8) {
      // Whole bytes only if the number is even, which the caller knows; otherwise any number's byte.
      mlir::Value byte =
          mlir::arith::ShRSIOp::create(builder, loc, getIndex(element), createConstant(builder, loc, 1));
      return gep(view.pointer, byte, builder.getI8Type());
    }
    mlir::Type unit = builder.getIntegerType(bits);
    mlir::Value &row = rows[base];
    if (!row)
      row = gep(view.pointer, base, unit);
    if (offset == 0)
      return row;
    return mlir::LLVM::GEPOp::create(
        builder, loc, view.pointer.getType(), builder.getI8Type(), row,
        llvm::ArrayRef<mlir::LLVM::GEPArg>{mlir::LLVM::GEPArg(static_cast<int32_t>(offset * (bits / 8)))});
  }

private:
  mlir::Value gep(mlir::Value pointer, mlir::Value index, mlir::Type unit) {
    return mlir::LLVM::GEPOp::create(builder, loc, pointer.getType(), unit, pointer,
                                     llvm::ArrayRef<mlir::LLVM::GEPArg>{index});
  }

  mlir::Value sum(llvm::function_ref<mlir::Value(const Spread &)> part) {
    mlir::Value total = view.offset;
    for (auto [dim, index] : llvm::zip_equal(view.dims, indices)) {
      mlir::Value value = part(index);
      if (mlir::getConstantIntValue(dim.stride) != 1)
        value = mlir::arith::MulIOp::create(builder, loc, value, materialize(builder, loc, dim.stride));
      total = total ? mlir::arith::AddIOp::create(builder, loc, total, value).getResult() : value;
    }
    return total ? total : createConstant(builder, loc, 0);
  }

  /// Element number = value + constant.
  std::pair<mlir::Value, int64_t> getParts(unsigned element) {
    if (!linear)
      return {sum([&](const Spread &index) { return index.get(builder, loc, element); }), 0};
    int64_t offset = 0;
    llvm::SmallVector<int64_t> steps; // along dimensions whose stride is known at run time only
    for (auto [dim, index] : llvm::zip_equal(view.dims, indices)) {
      std::optional<int64_t> stride = mlir::getConstantIntValue(dim.stride);
      steps.push_back(stride ? 0 : index.getOffset(element));
      offset += stride ? *stride * index.getOffset(element) : 0;
    }
    // An instruction's offset has 24 bits (SASS); beyond 31 the constant is no pointer offset of LLVM's op
    // either.
    if (std::abs(offset) >= (int64_t(1) << 26))
      return {mlir::arith::AddIOp::create(builder, loc, common, createConstant(builder, loc, offset)), 0};
    mlir::Value &base = bases[std::vector<int64_t>(steps.begin(), steps.end())];
    if (!base) {
      base = common;
      for (auto [dim, step] : llvm::zip_equal(view.dims, steps))
        if (step) {
          mlir::Value moved = mlir::arith::MulIOp::create(builder, loc, materialize(builder, loc, dim.stride),
                                                          createConstant(builder, loc, step));
          base = mlir::arith::AddIOp::create(builder, loc, base, moved);
        }
    }
    return {base, offset};
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const MemoryView &view;
  llvm::ArrayRef<Spread> indices;
  unsigned bits;
  bool linear;
  mlir::Value common;
  std::map<std::vector<int64_t>, mlir::Value> bases;
  llvm::DenseMap<mlir::Value, mlir::Value> rows;
};

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_ADDRESSES_H
