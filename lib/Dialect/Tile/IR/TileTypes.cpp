//===- TileTypes.cpp - types of the tile dialect --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types, the shared syntax `<4x?xf16, layout>` of the object types, and their verifiers.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "Verify.h"
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

int64_t tilec::tile::byteSize(ObjectTypeInterface type) {
  int64_t bits = storageBits(type.getElementType());
  for (int64_t extent : type.getShape())
    bits *= extent;
  return llvm::divideCeil(bits, 8);
}

SharedType tilec::tile::slotType(RingType ring) {
  return SharedType::get(ring.getContext(), ring.getShape(), ring.getElementType(), ring.getLayout());
}

FragmentType tilec::tile::fragmentOf(PendingType pending) {
  return FragmentType::get(pending.getContext(), pending.getShape(), pending.getElementType(),
                           pending.getLayout());
}

FragRefType tilec::tile::referenceTo(FragmentType fragment) {
  return FragRefType::get(fragment.getContext(), fragment.getShape(), fragment.getElementType(),
                          fragment.getLayout());
}

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }
static bool isInteger8(Type type) { return isa<IntegerType>(type) && type.getIntOrFloatBitWidth() == 8; }

bool tilec::tile::isGemmTypes(Type a, Type b, Type acc) {
  if (isFloat8(a) && isFloat8(b))
    return acc.isF32();
  if (isInteger8(a) && isInteger8(b))
    return acc.isSignlessInteger(32);
  if (a != b)
    return false;
  if (a.isF16())
    return acc.isF32() || acc.isF16();
  if (a.isBF16() || a.isTF32() || a.isF32())
    return acc.isF32();
  return a.isF64() && acc.isF64();
}

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

/// Whether the layout covers the extents is the stage verifier's question: it takes longer.
static LogicalResult verifyLaidOut(EmitError emitError, ArrayRef<int64_t> shape, Type element,
                                   Attribute layout, bool distributed) {
  if (failed(verifyStatic(emitError, shape, element)))
    return failure();
  if (!layout)
    return success();
  auto named = dyn_cast<LayoutAttrInterface>(layout);
  if (!named)
    return emitError() << "a layout expected, got " << layout;
  if (named.isDistributed() != distributed)
    return emitError() << layout << " says where " << (distributed ? "in memory" : "in registers")
                       << " an element is, but the type is " << (distributed ? "in registers" : "in memory");
  if (named.getLayoutRank() != shape.size())
    return emitError() << layout << " is for tiles of rank " << named.getLayoutRank()
                       << ", but the type has rank " << shape.size();
  if (!distributed && !named.toLinearFor(shape, storageBits(element)).hasFreeDigits())
    return emitError() << layout << " puts elements of " << str(shape) << " on top of each other";
  if (auto panels = dyn_cast<PanelsAttr>(layout)) {
    int64_t bytes = panels.getWidth() * storageBits(element) / 8;
    int64_t needed = std::max<int64_t>(16, static_cast<unsigned>(panels.getSwizzle()));
    if (bytes < needed)
      return emitError() << "a panel of " << panels.getWidth() << " columns of " << element << " has " << bytes
                         << " bytes, but '" << stringifySwizzle(panels.getSwizzle()) << "' needs " << needed;
  }
  return success();
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

LogicalResult SharedType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element,
                                 Attribute layout) {
  return verifyLaidOut(emitError, shape, element, layout, /*distributed=*/false);
}
Type SharedType::parse(AsmParser &parser) { return parseLaidOut<SharedType>(parser); }
void SharedType::print(AsmPrinter &printer) const { printLaidOut(printer, *this); }

LogicalResult FragmentType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element,
                                   Attribute layout) {
  return verifyLaidOut(emitError, shape, element, layout, /*distributed=*/true);
}
Type FragmentType::parse(AsmParser &parser) { return parseLaidOut<FragmentType>(parser); }
void FragmentType::print(AsmPrinter &printer) const { printLaidOut(printer, *this); }

LogicalResult FragRefType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element,
                                  Attribute layout) {
  return verifyLaidOut(emitError, shape, element, layout, /*distributed=*/true);
}
Type FragRefType::parse(AsmParser &parser) { return parseLaidOut<FragRefType>(parser); }
void FragRefType::print(AsmPrinter &printer) const { printLaidOut(printer, *this); }

LogicalResult RingType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element, Attribute layout) {
  return verifyLaidOut(emitError, shape, element, layout, /*distributed=*/false);
}
Type RingType::parse(AsmParser &parser) { return parseLaidOut<RingType>(parser); }
void RingType::print(AsmPrinter &printer) const { printLaidOut(printer, *this); }

LogicalResult PendingType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element,
                                  Attribute layout) {
  return verifyLaidOut(emitError, shape, element, layout, /*distributed=*/true);
}
Type PendingType::parse(AsmParser &parser) { return parseLaidOut<PendingType>(parser); }
void PendingType::print(AsmPrinter &printer) const { printLaidOut(printer, *this); }

#include "tilec/Dialect/Tile/IR/TileTypeInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilec/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}
