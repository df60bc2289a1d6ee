//===- TileDialect.cpp - registration and discardable attributes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers everything, materialises constants, and checks the attributes that the dialect puts on ops and
// arguments of others.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

#include "tilec/Dialect/Tile/IR/TileDialect.cpp.inc"

#include "tilec/Dialect/Tile/IR/TileOpInterfaces.cpp.inc"

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerTileDialectOperations(this);
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kStageAttr) {
    auto stage = dyn_cast<StringAttr>(attr.getValue());
    if (!stage || !llvm::is_contained({"tile", "layout", "schedule", "nvvm"}, stage.getValue()))
      return op->emitOpError() << "'" << name
                               << "' must be \"tile\", \"layout\", \"schedule\" or \"nvvm\", got "
                               << attr.getValue();
    return success();
  }
  if (name == kTargetAttr) {
    if (!isa<TargetAttr>(attr.getValue()))
      return op->emitOpError() << "'" << name << "' must be a #tile.target, got " << attr.getValue();
    return success();
  }
  if (name == kStagesAttr) {
    auto stages = dyn_cast<IntegerAttr>(attr.getValue());
    if (!stages || stages.getInt() < 1)
      return op->emitOpError() << "'" << name << "' must be a positive integer, got " << attr.getValue();
    return success();
  }
  return success();
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argIndex,
                                                    NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kNameAttr && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError() << "'" << name << "' of argument " << argIndex << " must be a string, got "
                             << attr.getValue();
  if (name == kAccessAttr && !isa<AccessModeAttr>(attr.getValue()))
    return op->emitOpError() << "'" << name << "' of argument " << argIndex << " must be a #tile.access, got "
                             << attr.getValue();
  if (name == kAlignAttr) {
    auto align = dyn_cast<IntegerAttr>(attr.getValue());
    if (!align || align.getInt() < 1 || !llvm::isPowerOf2_64(align.getInt()))
      return op->emitOpError() << "'" << name << "' of argument " << argIndex
                               << " must be a power of two, got " << attr.getValue();
  }
  return success();
}
