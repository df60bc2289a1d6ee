//===- OpsParallel.cpp - elementwise loops and scalars of objects ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, syntax and verifiers of the elementwise loop and of the ops on single elements.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

//===----------------------------------------------------------------------===//
// ParallelOp
//===----------------------------------------------------------------------===//

/// The type a fragment under update has inside the loop.
static FragRefType refType(Type fragment) {
  auto type = cast<FragmentType>(fragment);
  return FragRefType::get(type.getContext(), type.getShape(), type.getElementType(), type.getLayout());
}

void ParallelOp::build(OpBuilder &builder, OperationState &state, ArrayRef<OpFoldResult> extents,
                       ValueRange inits) {
  SmallVector<Value> dynamicExtents;
  SmallVector<int64_t> staticExtents;
  dispatchIndexOpFoldResults(extents, dynamicExtents, staticExtents);
  state.addOperands(dynamicExtents);
  state.addOperands(inits);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setStaticExtents(builder.getDenseI64ArrayAttr(staticExtents));
  properties.operandSegmentSizes = {int32_t(dynamicExtents.size()), int32_t(inits.size())};
  state.addTypes(inits.getTypes());
  Region *region = state.addRegion();
  Block &block = region->emplaceBlock();
  for (size_t i = 0; i < extents.size(); ++i)
    block.addArgument(builder.getI64Type(), state.location);
  for (Type type : inits.getTypes())
    block.addArgument(refType(type), state.location);
  ensureTerminator(*region, builder, state.location);
}

SmallVector<OpFoldResult> ParallelOp::getMixedExtents() {
  Builder builder(getContext());
  return getMixedValues(getStaticExtents(), getExtents(), builder);
}

Speculation::Speculatability ParallelOp::getSpeculatability() {
  // Extents of zero or less run nothing, so only the body can object.
  return Speculation::RecursivelySpeculatable;
}

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> extents, inits;
  DenseI64ArrayAttr staticExtents;
  SmallVector<Type> types;
  Type i64 = parser.getBuilder().getI64Type();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren) || parser.parseKeyword("in") ||
      parseDynamicIndexList(parser, extents, staticExtents, nullptr, AsmParser::Delimiter::Paren))
    return failure();
  for (OpAsmParser::Argument &index : arguments)
    index.type = i64;
  auto parseUpdate = [&]() -> ParseResult {
    OpAsmParser::Argument &ref = arguments.emplace_back();
    FragmentType type;
    if (parser.parseArgument(ref) || parser.parseEqual() || parser.parseOperand(inits.emplace_back()) ||
        parser.parseColonType(type))
      return failure();
    ref.type = refType(type);
    types.push_back(type);
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("updates")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseUpdate))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.resolveOperands(extents, i64, loc, result.operands) ||
      parser.resolveOperands(inits, types, loc, result.operands))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.setStaticExtents(staticExtents);
  properties.operandSegmentSizes = {int32_t(extents.size()), int32_t(inits.size())};
  result.addTypes(types);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void ParallelOp::print(OpAsmPrinter &printer) {
  printer << " (" << getIndices() << ") in ";
  printDynamicIndexList(printer, *this, getExtents(), getStaticExtents(), TypeRange(),
                        AsmParser::Delimiter::Paren);
  if (!getInits().empty()) {
    printer << " updates(";
    llvm::interleaveComma(llvm::zip_equal(getRefs(), getInits()), printer, [&](auto pair) {
      auto [ref, init] = pair;
      printer << ref << " = " << init << " : " << init.getType();
    });
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getStaticExtentsAttrName(), getOperandSegmentSizesAttrName()});
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}
