//===- TileTypes.cpp - types of the tile dialect --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types, the shared syntax `<4x?xf16, layout>` of the object types, and their verifiers.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::tile;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

bool tilec::tile::isElementType(Type element) {
  if (auto type = dyn_cast<IntegerType>(element)) {
    if (type.isSigned()) // signed elements are written without a sign: one spelling a type
      return false;
    unsigned width = type.getWidth();
    if (width == 1)
      return type.isSignless();
    return width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
  }
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, FloatTF32Type, Float8E4M3FNType,
             Float8E5M2Type>(element);
}

Type tilec::tile::loadedType(Type element) {
  auto type = dyn_cast<IntegerType>(element);
  if (!type)
    return element;
  return IntegerType::get(type.getContext(), type.getWidth() == 4 ? 8 : type.getWidth());
}

Type tilec::tile::loadedElement(Type object) {
  auto type = dyn_cast<ObjectTypeInterface>(object);
  return type ? loadedType(type.getElementType()) : object;
}

unsigned tilec::tile::storageBits(Type element) {
  if (element.isInteger(1))
    return 8;
  if (isa<FloatTF32Type>(element))
    return 32;
  return element.getIntOrFloatBitWidth();
}

bool tilec::tile::isUnsignedElement(Type element) { return element.isUnsignedInteger(); }

SmallVector<int64_t> tilec::tile::dropUnitExtents(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result;
  for (int64_t extent : shape)
    if (extent != 1)
      result.push_back(extent);
  return result;
}

//===----------------------------------------------------------------------===//
// Syntax and verifiers
//===----------------------------------------------------------------------===//

static LogicalResult verifyElement(EmitError emitError, Type element) {
  if (!isElementType(element))
    return emitError() << "element type of the language expected, got " << element;
  return success();
}

/// Largest object: offsets inside of one are 64-bit, tiles are far smaller.
static LogicalResult verifyStatic(EmitError emitError, ArrayRef<int64_t> shape, Type element) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent) || extent < 1)
      return emitError() << "a tile has constant extents from 1 up";
    if (llvm::MulOverflow(elements, extent, elements) || elements > (int64_t(1) << 31))
      return emitError() << "a tile of more than 2^31 elements";
  }
  return verifyElement(emitError, element);
}

static ParseResult parseShape(AsmParser &parser, SmallVectorImpl<int64_t> &shape, Type &element,
                              bool dynamic) {
  return failure(parser.parseLess() || parser.parseDimensionList(shape, dynamic) ||
                 parser.parseType(element));
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  printer << '<';
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
    printer << 'x';
  }
  printer << element;
}

template <typename T> static Type parseLaidOut(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  Attribute layout;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseShape(parser, shape, element, false))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<T>(loc, parser.getContext(), shape, element, layout);
}

template <typename T> static void printLaidOut(AsmPrinter &printer, T type) {
  printShape(printer, type.getShape(), type.getElementType());
  if (type.getLayout())
    printer << ", " << type.getLayout();
  printer << '>';
}

LogicalResult PtrType::verify(EmitError emitError, Type element) { return verifyElement(emitError, element); }

LogicalResult GlobalType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element) {
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) && extent < 0)
      return emitError() << "a tensor has extents from 0 up";
  return verifyElement(emitError, element);
}

Type GlobalType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseShape(parser, shape, element, true) || parser.parseGreater())
    return {};
  return parser.getChecked<GlobalType>(loc, parser.getContext(), shape, element);
}

void GlobalType::print(AsmPrinter &printer) const {
  printShape(printer, getShape(), getElementType());
  printer << '>';
}

LogicalResult SharedType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element, Attribute) {
  return verifyStatic(emitError, shape, element);
}
Type SharedType::parse(AsmParser &parser) { return parseLaidOut<SharedType>(parser); }
void SharedType::print(AsmPrinter &printer) const { printLaidOut(printer, *this); }

LogicalResult FragmentType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element, Attribute) {
  return verifyStatic(emitError, shape, element);
}
Type FragmentType::parse(AsmParser &parser) { return parseLaidOut<FragmentType>(parser); }
void FragmentType::print(AsmPrinter &printer) const { printLaidOut(printer, *this); }

LogicalResult FragRefType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element, Attribute) {
  return verifyStatic(emitError, shape, element);
}
Type FragRefType::parse(AsmParser &parser) { return parseLaidOut<FragRefType>(parser); }
void FragRefType::print(AsmPrinter &printer) const { printLaidOut(printer, *this); }

#include "tilec/Dialect/Tile/IR/TileTypeInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilec/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}
