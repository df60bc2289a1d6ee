//===- CopyPad.cpp - the pad of a converting copy ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts the constant the wrong way round and sees whether that was exact.
//
//===----------------------------------------------------------------------===//

#include "tilec/Transforms/CopyPad.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace tilec::tile {

static Type getElement(Value object) { return cast<ObjectTypeInterface>(object.getType()).getElementType(); }

bool isConverting(CopyOp copy) { return getElement(copy.getSource()) != getElement(copy.getDest()); }

/// The bits that an element of an integer type has; a bool has one.
static unsigned getIntegerBits(Type element) { return element.isInteger(1) ? 1 : storageBits(element); }

/// The element of `type` that holds the integer, which is wide enough to have a sign.
static TypedAttr makeInteger(const llvm::APSInt &value, Type type) {
  unsigned bits = getIntegerBits(type);
  bool isUnsigned = isUnsignedElement(type) || bits == 1;
  llvm::APSInt narrow(value.trunc(bits), isUnsigned);
  if (!llvm::APSInt::isSameValue(narrow, value))
    return {};
  Type loaded = loadedType(type);
  return IntegerAttr::get(loaded, narrow.extOrTrunc(loaded.getIntOrFloatBitWidth()));
}

TypedAttr findSourcePad(CopyOp copy) {
  Type from = getElement(copy.getSource()), to = getElement(copy.getDest());
  Attribute pad;
  if (!copy.getPad() || !matchPattern(copy.getPad(), m_Constant(&pad)))
    return {};
  constexpr unsigned wide = 80; // holds every integer, and the integers among the floats that fit any
  if (auto number = dyn_cast<FloatAttr>(pad)) {
    llvm::APFloat value = number.getValue();
    if (auto type = dyn_cast<FloatType>(from)) {
      bool losesInfo = false;
      value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      return losesInfo ? FloatAttr() : FloatAttr::get(type, value);
    }
    llvm::APSInt integer(wide, /*isUnsigned=*/false);
    bool isExact = false;
    value.convertToInteger(integer, llvm::APFloat::rmTowardZero, &isExact);
    return isExact && !(value.isZero() && value.isNegative()) ? makeInteger(integer, from) : TypedAttr();
  }
  auto number = dyn_cast<IntegerAttr>(pad);
  if (!number)
    return {};
  llvm::APSInt integer(number.getValue(), isUnsignedElement(to) || to.isInteger(1));
  integer = integer.extend(wide);
  integer.setIsSigned(true);
  auto type = dyn_cast<FloatType>(from);
  if (!type)
    return makeInteger(integer, from);
  llvm::APFloat value(type.getFloatSemantics());
  llvm::APFloat::opStatus status =
      value.convertFromAPInt(integer, /*IsSigned=*/true, llvm::APFloat::rmNearestTiesToEven);
  return status == llvm::APFloat::opOK ? FloatAttr::get(type, value) : FloatAttr();
}

} // namespace tilec::tile
