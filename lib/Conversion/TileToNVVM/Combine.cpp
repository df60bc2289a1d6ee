//===- Combine.cpp - an element and a value become one ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `tile.update` computes, on converted values, for fragments and memory alike.
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

static Value combineFloats(OpBuilder &builder, Location loc, UpdateKind kind, Value old, Value value) {
  switch (kind) {
  case UpdateKind::Add:
    return arith::AddFOp::create(builder, loc, old, value);
  case UpdateKind::Sub:
    return arith::SubFOp::create(builder, loc, old, value);
  case UpdateKind::Mul:
    return arith::MulFOp::create(builder, loc, old, value);
  case UpdateKind::Div:
    return arith::DivFOp::create(builder, loc, old, value);
  case UpdateKind::Max:
    return arith::MaxNumFOp::create(builder, loc, old, value);
  case UpdateKind::Min:
    return arith::MinNumFOp::create(builder, loc, old, value);
  }
  llvm_unreachable("unknown kind of update");
}

static Value combineIntegers(OpBuilder &builder, Location loc, UpdateKind kind, Value old, Value value,
                             bool isUnsigned) {
  switch (kind) {
  case UpdateKind::Add:
    return arith::AddIOp::create(builder, loc, old, value);
  case UpdateKind::Sub:
    return arith::SubIOp::create(builder, loc, old, value);
  case UpdateKind::Mul:
    return arith::MulIOp::create(builder, loc, old, value);
  case UpdateKind::Div:
    return createSafeDivision(builder, loc, old, value, isUnsigned);
  case UpdateKind::Max:
    return isUnsigned ? arith::MaxUIOp::create(builder, loc, old, value).getResult()
                      : arith::MaxSIOp::create(builder, loc, old, value).getResult();
  case UpdateKind::Min:
    return isUnsigned ? arith::MinUIOp::create(builder, loc, old, value).getResult()
                      : arith::MinSIOp::create(builder, loc, old, value).getResult();
  }
  llvm_unreachable("unknown kind of update");
}

Value combineElements(OpBuilder &builder, Location loc, UpdateKind kind, Value old, Value value, Type element,
                      const ArchInfo &arch) {
  if (!isa<FloatType>(element)) {
    Value next = combineIntegers(builder, loc, kind, old, value, isUnsignedElement(element));
    return wrapToElement(builder, loc, next, element);
  }
  // Formats without arithmetic of their own compute in f32.
  Type f32 = builder.getF32Type();
  bool viaF32 = storageBits(element) == 8 || isa<FloatTF32Type>(element);
  if (viaF32) {
    old = convertElement(builder, loc, old, element, f32, arch);
    value = convertElement(builder, loc, value, element, f32, arch);
  }
  Value next = combineFloats(builder, loc, kind, old, value);
  return viaF32 ? convertElement(builder, loc, next, f32, element, arch) : next;
}

} // namespace tilec::lowering
