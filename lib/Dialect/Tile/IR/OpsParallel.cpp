//===- OpsParallel.cpp - elementwise loops and scalars of objects ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, syntax and verifiers of the elementwise loop and of the ops on single elements.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

//===----------------------------------------------------------------------===//
// ParallelOp
//===----------------------------------------------------------------------===//

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
    block.addArgument(referenceTo(cast<FragmentType>(type)), state.location);
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
    ref.type = referenceTo(type);
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

/// An element of a tensor is always defined: outside the bounds it is 0 or nothing. One of a tile must be
/// inside.
static Speculation::Speculatability speculatability(Value object, bool inBounds) {
  return inBounds || isa<GlobalType>(object.getType()) ? Speculation::Speculatable
                                                       : Speculation::NotSpeculatable;
}

Speculation::Speculatability ReadOp::getSpeculatability() {
  return speculatability(getSource(), getInBounds());
}
Speculation::Speculatability WriteOp::getSpeculatability() {
  return speculatability(getDest(), getInBounds());
}
Speculation::Speculatability UpdateOp::getSpeculatability() {
  return speculatability(getDest(), getInBounds());
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult ParallelOp::verify() {
  if (getRank() < 1 || getRank() > 8) // parallel_c1
    return emitOpError() << "has 1 to 8 extents, got " << getRank();
  if (failed(verifyDynamic(*this, "extent", getStaticExtents(), getExtents()))) // parallel_c7
    return failure();
  auto arguments = getBody()->getArguments();
  auto isI64 = [](BlockArgument index) { return index.getType().isSignlessInteger(64); };
  if (arguments.size() != getRank() + getInits().size() || !llvm::all_of(getIndices(), isI64)) // parallel_c2
    return emitOpError() << "must have " << getRank() << " i64 indices and " << getInits().size()
                         << " references in its body";
  if (getInits().getTypes() != getResultTypes()) // parallel_c3
    return emitOpError() << "updates (" << getInits().getTypes() << "), but returns (" << getResultTypes()
                         << ")";
  if (LayoutAttrInterface layout = getLayoutAttr())
    if (!layout.isDistributed() || layout.getLayoutRank() != getRank()) // parallel_c6
      return emitOpError() << "of rank " << getRank() << " cannot have the layout " << layout;
  for (auto [ref, init] : llvm::zip_equal(getRefs(), getInits()))
    if (ref.getType() != referenceTo(cast<FragmentType>(init.getType()))) // parallel_c3
      return emitOpError() << "updates a " << init.getType() << ", but its body has a " << ref.getType();
  return success();
}

/// Ops that may stand in a parallel body: those on elements and on scalars, and control flow over them.
static bool isScalarOp(Operation *op) {
  if (isa<ReadOp, WriteOp, UpdateOp>(op))
    return true; // the only ones that take a fragment or a reference
  if (isa<TileDialect>(op->getDialect()) &&
      !isa<AtomicOp, CastOp, SigmoidOp, RcpOp, AssumeOp, AssertOp, PrintOp, YieldOp>(op))
    return false;
  auto isTile = [](Type type) { return isa<FragmentType, FragRefType, PendingType>(type); };
  return llvm::none_of(op->getOperandTypes(), isTile) && llvm::none_of(op->getResultTypes(), isTile);
}

LogicalResult ParallelOp::verifyRegions() {
  if (failed(verifyPlainYield(*this, getRegion()))) // parallel_c5
    return failure();
  WalkResult result = getBody()->walk([&](Operation *op) {
    if (isScalarOp(op))
      return WalkResult::advance();
    op->emitOpError() << "is no scalar op and cannot be in a 'tile.parallel'"; // parallel_c4
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyPlace(Operation *op, bool inside) {
  if (bool(op->getParentOfType<ParallelOp>()) != inside)
    return op->emitOpError() << (inside ? "must be" : "must not be") << " inside a 'tile.parallel'";
  return success();
}

LogicalResult ReadOp::verify() {
  if (failed(verifyIndices(*this, getIndices(), getSource().getType()))) // read_c1
    return failure();
  return verifyPlace(*this, /*inside=*/true); // read_c2
}

LogicalResult WriteOp::verify() {
  if (failed(verifyIndices(*this, getIndices(), getDest().getType()))) // write_c1
    return failure();
  return verifyPlace(*this, /*inside=*/true); // write_c2
}

LogicalResult UpdateOp::verify() {
  if (failed(verifyIndices(*this, getIndices(), getDest().getType()))) // update_c1
    return failure();
  return verifyPlace(*this, /*inside=*/true); // update_c2
}

LogicalResult ReadScalarOp::verify() {
  if (failed(verifyIndices(*this, getIndices(), getSource().getType()))) // read_scalar_c1
    return failure();
  return verifyPlace(*this, /*inside=*/false); // read_scalar_c2
}

LogicalResult WriteScalarOp::verify() {
  if (failed(verifyIndices(*this, getIndices(), getDest().getType()))) // write_scalar_c1
    return failure();
  return verifyPlace(*this, /*inside=*/false); // write_scalar_c2
}

LogicalResult InsertOp::verify() {
  return verifyIndices(*this, getIndices(), getDest().getType()); // insert_c1
}

LogicalResult PrintOp::verify() {
  std::optional<ArrayRef<bool>> flags = getIsUnsigned();
  if (flags && flags->size() != getArgs().size()) // print_c1
    return emitOpError() << "'is_unsigned' must have " << getArgs().size() << " entries, got "
                         << flags->size();
  return success();
}
