//===- OpsLaunch.cpp - the launch program ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, syntax and verifiers of the host's part of an entry point.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

//===----------------------------------------------------------------------===//
// EntryOp
//===----------------------------------------------------------------------===//

void EntryOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                    ArrayAttr params) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addAttribute(getParamsAttrName(state.name), params);
  Block &block = state.addRegion()->emplaceBlock();
  for (Type input : type.getInputs())
    block.addArgument(input, state.location);
}

ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  ArrayAttr params;
  Builder &builder = parser.getBuilder();
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(parser, /*allowVariadic=*/false, arguments,
                                                                   isVariadic, resultTypes, resultAttrs) ||
      parser.parseKeyword("params") || parser.parseAttribute(params) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<Type> argumentTypes;
  for (const OpAsmParser::Argument &argument : arguments)
    argumentTypes.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes)));
  result.addAttribute(getParamsAttrName(result.name), params);
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, resultAttrs,
                                            getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void EntryOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(printer, *this, getArgumentTypes(), /*isVariadic=*/false,
                                                  getResultTypes());
  printer << " params " << getParams();
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getFunctionTypeAttrName(), getParamsAttrName(), getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

void LaunchOp::build(OpBuilder &builder, OperationState &state, StringRef kernel, ValueRange grid,
                     ValueRange args) {
  build(builder, state, TypeRange(), FlatSymbolRefAttr::get(builder.getContext(), kernel), grid, args,
        /*threads=*/nullptr, /*cluster=*/nullptr, /*shared_bytes=*/nullptr);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel) // launch_c2
    return emitOpError() << "names no kernel: '" << getKernel() << "'";
  if (TypeRange(kernel.getArgumentTypes()) != getArgs().getTypes()) // launch_c3
    return emitOpError() << "passes (" << getArgs().getTypes() << "), but kernel '" << getKernel()
                         << "' takes (" << kernel.getArgumentTypes() << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// TensorMapOp
//===----------------------------------------------------------------------===//

void TensorMapOp::build(OpBuilder &builder, OperationState &state, Value ptr, ArrayRef<OpFoldResult> sizes,
                        ArrayRef<OpFoldResult> strides, ArrayRef<int64_t> box, Swizzle swizzle) {
  SmallVector<Value> dynamicSizes, dynamicStrides;
  SmallVector<int64_t> staticSizes, staticStrides;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
  build(builder, state, builder.getType<TensorMapType>(), ptr, dynamicSizes, dynamicStrides, staticSizes,
        staticStrides, box, swizzle);
}

SmallVector<OpFoldResult> TensorMapOp::getMixedSizes() {
  Builder builder(getContext());
  return getMixedValues(getStaticSizes(), getSizes(), builder);
}

SmallVector<OpFoldResult> TensorMapOp::getMixedStrides() {
  Builder builder(getContext());
  return getMixedValues(getStaticStrides(), getStrides(), builder);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult EntryOp::verify() {
  if (getFunctionType().getNumResults() != 0) // entry_c1
    return emitOpError() << "has results: " << getFunctionType();
  SmallVector<Type> expected;
  Type i64 = IntegerType::get(getContext(), 64);
  for (Attribute param : getParams()) {
    if (auto tensor = dyn_cast<TensorParamAttr>(param)) {
      expected.push_back(PtrType::get(getContext(), tensor.getElement()));
      expected.append(tensor.getExtents().size() + (tensor.getStrides() ? tensor.getStrides().size() : 0),
                      i64);
    } else if (auto scalar = dyn_cast<ScalarParamAttr>(param)) {
      expected.push_back(loadedType(scalar.getType()));
    } else { // entry_c2
      return emitOpError() << "'params' must hold #tile.tensor_param and #tile.scalar_param, got " << param;
    }
  }
  if (ArrayRef(expected) != getArgumentTypes()) // entry_c3
    return emitOpError() << "has arguments (" << getArgumentTypes() << "), but its parameters are passed as ("
                         << TypeRange(expected) << ")";
  return success();
}

LogicalResult RequireOp::verify() {
  StringRef text = getText();
  for (size_t at = text.find('{'); at != StringRef::npos; at = text.find('{', at + 1)) { // require_c1
    StringRef number = text.substr(at + 1).take_until([](char c) { return c == '}'; });
    unsigned index;
    if (number.getAsInteger(10, index) || index >= getArgs().size())
      return emitOpError() << "has no operand for placeholder '{" << number << "}'";
  }
  return success();
}

LogicalResult PtrAlignedOp::verify() {
  if (int64_t alignment = getAlignment(); alignment < 1 || !llvm::isPowerOf2_64(alignment)) // ptr_aligned_c1
    return emitOpError() << "an alignment is a power of two, got " << alignment;
  return success();
}

LogicalResult LaunchOp::verify() {
  if (getGrid().empty() || getGrid().size() > 3) // launch_c1
    return emitOpError() << "has a grid of 1 to 3 extents, got " << getGrid().size();
  std::optional<ArrayRef<int64_t>> cluster = getCluster();
  if (cluster && cluster->size() != getGrid().size()) // launch_c4
    return emitOpError() << "'cluster' must have " << getGrid().size() << " extents, got " << cluster->size();
  return success();
}

/// The launch program is run by the host: what needs the host is nowhere else.
static LogicalResult verifyInEntry(Operation *op) {
  if (!op->getParentOfType<EntryOp>())
    return op->emitOpError() << "belongs in a 'tile.entry'";
  return success();
}

LogicalResult TensorMapOp::verify() {
  if (failed(verifyInEntry(*this))) // tensormap_c4
    return failure();
  size_t rank = getBox().size();
  if (rank < 1 || rank > 5) // tensormap_c1
    return emitOpError() << "has 1 to 5 dimensions, got " << rank;
  if (getStaticSizes().size() != rank || getStaticStrides().size() != rank) // tensormap_c1
    return emitOpError() << "has a box of rank " << rank << ", but " << getStaticSizes().size()
                         << " sizes and " << getStaticStrides().size() << " strides";
  if (failed(verifyDynamic(*this, "size", getStaticSizes(), getSizes())) ||
      failed(verifyDynamic(*this, "stride", getStaticStrides(), getStrides()))) // tensormap_c5
    return failure();
  for (int64_t extent : getBox())
    if (extent < 1 || extent > 256) // tensormap_c2
      return emitOpError() << "each extent of the box is 1 to 256, got " << extent;
  if (getStaticStrides().back() != 1) // tensormap_c3
    return emitOpError() << "the last stride must be 1";
  return success();
}

LogicalResult WorkspaceOp::verify() { return verifyInEntry(*this); } // workspace_c1

LogicalResult SmCountOp::verify() { return verifyInEntry(*this); } // sm_count_c1
