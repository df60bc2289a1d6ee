//===- OpsKernel.cpp - kernels and their grid -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, syntax and verifiers of tile.kernel, tile.grid and the terminators.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  Block &block = state.addRegion()->emplaceBlock();
  for (Type input : type.getInputs())
    block.addArgument(input, state.location);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

GridOp KernelOp::getGrid() {
  auto grids = getBody().front().getOps<GridOp>();
  return grids.empty() ? GridOp() : *grids.begin();
}

StringRef KernelOp::getArgName(unsigned index) {
  auto name = getArgAttrOfType<StringAttr>(index, kNameAttr);
  return name ? name.getValue() : StringRef();
}

//===----------------------------------------------------------------------===//
// GridOp
//===----------------------------------------------------------------------===//

void GridOp::build(OpBuilder &builder, OperationState &state, ValueRange extents, int64_t threads) {
  state.addOperands(extents);
  state.addAttribute(getThreadsAttrName(state.name), builder.getI64IntegerAttr(threads));
  Region *region = state.addRegion();
  Block &block = region->emplaceBlock();
  for (size_t i = 0; i < extents.size(); ++i)
    block.addArgument(builder.getI64Type(), state.location);
  ensureTerminator(*region, builder, state.location);
}

ParseResult GridOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> indices;
  SmallVector<OpAsmParser::UnresolvedOperand> extents;
  Builder &builder = parser.getBuilder();
  Type i64 = builder.getI64Type();
  int64_t threads = 0;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseArgumentList(indices, OpAsmParser::Delimiter::Paren) || parser.parseKeyword("in") ||
      parser.parseOperandList(extents, OpAsmParser::Delimiter::Paren) ||
      parser.resolveOperands(extents, i64, loc, result.operands) || parser.parseKeyword("threads") ||
      parser.parseLParen() || parser.parseInteger(threads) || parser.parseRParen() ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addAttribute(getThreadsAttrName(result.name), builder.getI64IntegerAttr(threads));
  for (OpAsmParser::Argument &index : indices)
    index.type = i64;
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, indices))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void GridOp::print(OpAsmPrinter &printer) {
  printer << " (" << getBlockIndices() << ") in (" << getExtents() << ") threads(" << getThreads() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getThreadsAttrName()});
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult KernelOp::verify() {
  if (getFunctionType().getNumResults() != 0) // kernel_c1
    return emitOpError() << "has results: " << getFunctionType();
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    if (!isa<PtrType, TensorMapType, FloatType>(type) && !type.isSignlessInteger()) // kernel_c4
      return emitOpError() << "argument " << index << " is no pointer, tensor map or scalar: " << type;
    if (isa<PtrType>(type) && !getArgAttr(index, kAccessAttr)) // kernel_c2
      return emitOpError() << "argument " << index << " is a pointer without '" << kAccessAttr << "'";
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  if (auto count = llvm::range_size(getBody().front().getOps<GridOp>()); count != 1) // kernel_c3
    return emitOpError() << "must hold exactly one 'tile.grid', got " << count;
  return success();
}

LogicalResult GridOp::verify() {
  size_t rank = getExtents().size();
  if (rank < 1 || rank > 3) // grid_c1
    return emitOpError() << "has 1 to 3 extents, got " << rank;
  auto indices = getBlockIndices();
  auto isI64 = [](BlockArgument index) { return index.getType().isSignlessInteger(64); };
  if (indices.size() != rank || !llvm::all_of(indices, isI64)) // grid_c2
    return emitOpError() << "with " << rank << " extents must have as many i64 block indices";
  if (int64_t threads = getThreads(); threads < 32 || threads > 1024 || threads % 32) // grid_c3
    return emitOpError() << "'threads' must be a multiple of 32 from 32 to 1024, got " << threads;
  if (std::optional<ArrayRef<int64_t>> cluster = getCluster()) { // grid_c4
    int64_t blocks = 1;
    for (int64_t extent : *cluster) {
      if (extent < 1 || extent > 16)
        return emitOpError() << "'cluster' must have extents from 1 to 16, got " << extent;
      blocks *= extent;
    }
    if (cluster->size() != rank)
      return emitOpError() << "'cluster' must have " << rank << " extents, got " << cluster->size();
    if (blocks > 16)
      return emitOpError() << "a cluster has at most 16 blocks, got " << blocks;
  }
  return success();
}

LogicalResult GridOp::verifyRegions() { return verifyPlainYield(*this, getRegion()); } // grid_c5

LogicalResult YieldOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (parent->getDialect() != (*this)->getDialect() || isa<FunctionOpInterface>(parent)) // yield_c1
    return emitOpError() << "ends the body of a 'tile' op, not of '" << parent->getName() << "'";
  return success();
}
