//===- Spread.cpp - values of all elements of a thread ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turning the forms of a Spread into each other. Nothing is cached: equal code that this makes twice is
// merged by LLVM, and a cache would have to know what dominates what.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;

namespace tilec::lowering {

Type Spread::getType() const {
  switch (kind) {
  case Kind::Uniform:
  case Kind::Affine:
    return base.getType();
  case Kind::Values:
    return parts.front().getType();
  case Kind::Pairs:
    break;
  }
  return cast<VectorType>(parts.front().getType()).getElementType();
}

static Value createI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Value Spread::get(OpBuilder &builder, Location loc, unsigned element) const {
  switch (kind) {
  case Kind::Uniform:
    return base;
  case Kind::Affine: {
    if (offsets[element] == 0)
      return base;
    Value offset = arith::ConstantIntOp::create(builder, loc, offsets[element], 64);
    return arith::AddIOp::create(builder, loc, base, offset);
  }
  case Kind::Values:
    return parts[element];
  case Kind::Pairs:
    break;
  }
  return LLVM::ExtractElementOp::create(builder, loc, parts[element / 2],
                                        createI32(builder, loc, element % 2));
}

Spread Spread::select(OpBuilder &builder, Location loc, ArrayRef<unsigned> elements) const {
  if (isUniform())
    return *this;
  if (isAffine())
    return affine(base, llvm::map_to_vector(elements, [&](unsigned element) { return offsets[element]; }));
  auto isPair = [&](unsigned k) { return elements[k] % 2 == 0 && elements[k + 1] == elements[k] + 1; };
  bool wholePairs = isPairs() && elements.size() % 2 == 0;
  for (unsigned k = 0; k < elements.size() && wholePairs; k += 2)
    wholePairs = isPair(k);
  SmallVector<Value> selected;
  for (unsigned k = 0; k < elements.size(); k += wholePairs ? 2 : 1)
    selected.push_back(wholePairs ? parts[elements[k] / 2] : get(builder, loc, elements[k]));
  return wholePairs ? pairs(std::move(selected)) : values(std::move(selected));
}

Value Spread::getPair(OpBuilder &builder, Location loc, unsigned pair) const {
  if (isPairs())
    return parts[pair];
  auto type = VectorType::get({2}, getType());
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (unsigned half = 0; half < 2; ++half)
    vector = LLVM::InsertElementOp::create(builder, loc, vector, get(builder, loc, 2 * pair + half),
                                           createI32(builder, loc, half));
  return vector;
}

} // namespace tilec::lowering
