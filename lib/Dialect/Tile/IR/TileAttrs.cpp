//===- TileAttrs.cpp - attributes of the tile dialect ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of attributes and the generated enumerations and storage.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::tile;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult RasterAttr::verify(EmitError emitError, int64_t panel, RasterOrder) {
  if (panel < 1)
    return emitError() << "a raster panel must be positive, got " << panel;
  return success();
}

static LogicalResult verifyTexts(EmitError emitError, ArrayAttr texts, StringRef what) {
  for (Attribute text : texts)
    if (!isa<StringAttr>(text))
      return emitError() << "'" << what << "' must hold strings, got " << text;
  return success();
}

LogicalResult TensorParamAttr::verify(EmitError emitError, StringRef name, Type element, AccessMode,
                                      ArrayAttr extents, ArrayAttr strides) {
  if (!isElementType(element))
    return emitError() << "'" << name << "' has no element type of the language: " << element;
  if (failed(verifyTexts(emitError, extents, "extents")))
    return failure();
  if (!strides)
    return success();
  if (failed(verifyTexts(emitError, strides, "strides")))
    return failure();
  if (!strides.empty() && strides.size() != extents.size())
    return emitError() << "'" << name << "' has " << extents.size() << " extents, but " << strides.size()
                       << " strides";
  return success();
}

LogicalResult ScalarParamAttr::verify(EmitError emitError, StringRef name, Type type) {
  if (!isElementType(type))
    return emitError() << "'" << name << "' has no scalar type of the language: " << type;
  return success();
}

#include "tilec/Dialect/Tile/IR/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tilec/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
}
