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

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

namespace {

/// An attribute that the dialect puts on ops or arguments of others, or that a pass leaves for a later one.
struct DiscardableAttr {
  StringLiteral name;
  StringLiteral must; // continues "must be "
  bool (*isValid)(Attribute);
};

} // namespace

template <typename T> static bool isA(Attribute attr) { return isa<T>(attr); }

static bool isPositive(Attribute attr) {
  auto number = dyn_cast<IntegerAttr>(attr);
  return number && number.getInt() >= 1;
}

static bool isPowerOfTwo(Attribute attr) {
  return isPositive(attr) && llvm::isPowerOf2_64(cast<IntegerAttr>(attr).getInt());
}

static bool isStage(Attribute attr) {
  auto stage = dyn_cast<StringAttr>(attr);
  return stage && llvm::is_contained({"tile", "layout", "schedule", "nvvm"}, stage.getValue());
}

static const DiscardableAttr opAttrs[] = {
    {kStageAttr, "\"tile\", \"layout\", \"schedule\" or \"nvvm\"", isStage},
    {kPartialAttr, "a unit attribute", isA<UnitAttr>},
    {kTargetAttr, "a #tile.target", isA<TargetAttr>},
    {kPlanAttr, "a #tile.plan", isA<PlanAttr>},
    {kSharedBytesAttr, "a positive integer", isPositive},
    {kStagesAttr, "a positive integer", isPositive},
    {"tile.variant", "a string", isA<StringAttr>},         // kernel: which facts it may rely on
    {"tile.in_bounds", "a unit attribute", isA<UnitAttr>}, // access: proved inside
    {"tile.width", "a positive integer", isPositive},      // access: elements that one instruction may move
    {"tile.guard", "a positive integer", isPositive},      // access: elements inside or outside together
    {"tile.chunk", "a unit attribute", isA<UnitAttr>},     // parallel: cut to what its layout covers
};

static const DiscardableAttr argAttrs[] = {
    {kNameAttr, "a string", isA<StringAttr>},
    {kAccessAttr, "a #tile.access", isA<AccessModeAttr>},
    {kAlignAttr, "a power of two", isPowerOfTwo},
    {"tile.divisible", "a positive integer", isPositive}, // the argument is a multiple of it
};

static LogicalResult verifyDiscardable(ArrayRef<DiscardableAttr> table, NamedAttribute attr,
                                       llvm::function_ref<InFlightDiagnostic()> emitError) {
  const auto *row =
      llvm::find_if(table, [&](const DiscardableAttr &row) { return row.name == attr.getName(); });
  if (row == table.end())
    return emitError() << "'" << attr.getName().getValue() << "' is no attribute of the dialect here";
  if (!row->isValid(attr.getValue()))
    return emitError() << "'" << row->name << "' must be " << row->must << ", got " << attr.getValue();
  return success();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  return verifyDiscardable(opAttrs, attr, [&] { return op->emitOpError(); });
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argIndex,
                                                    NamedAttribute attr) {
  return verifyDiscardable(argAttrs, attr,
                           [&] { return op->emitOpError() << "argument " << argIndex << ": "; });
}
