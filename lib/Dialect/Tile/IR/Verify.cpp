//===- Verify.cpp - checks that several ops share -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Verify.h.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

using namespace mlir;
using namespace tilec::tile;

std::string tilec::tile::str(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << '?';
        else
          os << extent;
      },
      "x");
  return text.empty() ? "scalar" : text;
}

Type tilec::tile::elementOf(Type object) { return cast<ObjectTypeInterface>(object).getElementType(); }
Type tilec::tile::elementOf(Value object) { return elementOf(object.getType()); }
ArrayRef<int64_t> tilec::tile::shapeOf(Value object) {
  return cast<ObjectTypeInterface>(object.getType()).getShape();
}

LogicalResult tilec::tile::verifyBox(Operation *op, StringRef what, ValueRange offsets,
                                     ArrayRef<int64_t> extents, Type object) {
  size_t rank = cast<ObjectTypeInterface>(object).getRank();
  if (offsets.size() != rank || extents.size() != rank)
    return op->emitOpError() << "has " << offsets.size() << " offsets and " << extents.size()
                             << " extents, but the " << what << " has rank " << rank;
  for (int64_t extent : extents)
    if (extent < 1)
      return op->emitOpError() << "has extent " << extent << ", but extents are positive";
  return success();
}

LogicalResult tilec::tile::verifyFits(Operation *op, ArrayRef<int64_t> extents, Type object) {
  ArrayRef<int64_t> shape = cast<ObjectTypeInterface>(object).getShape();
  for (auto [extent, limit] : llvm::zip_equal(extents, shape))
    if (extent > limit)
      return op->emitOpError() << "takes a region " << str(extents) << " of a tile " << str(shape);
  return success();
}

LogicalResult tilec::tile::verifySameExtents(Operation *op, StringRef whatA, ArrayRef<int64_t> a,
                                             StringRef whatB, ArrayRef<int64_t> b) {
  if (dropUnitExtents(a) != dropUnitExtents(b))
    return op->emitOpError() << whatA << " is " << str(a) << ", but " << whatB << " is " << str(b);
  return success();
}

LogicalResult tilec::tile::verifySameType(Operation *op, StringRef whatA, Type a, StringRef whatB, Type b) {
  if (a != b)
    return op->emitOpError() << whatA << " has type " << a << ", but " << whatB << " has type " << b;
  return success();
}

LogicalResult tilec::tile::verifyIndices(Operation *op, ValueRange indices, Type object) {
  size_t rank = cast<ObjectTypeInterface>(object).getRank();
  if (indices.size() != rank)
    return op->emitOpError() << "has " << indices.size() << " indices, but the object has rank " << rank;
  return success();
}

LogicalResult tilec::tile::verifyDynamic(Operation *op, StringRef what, ArrayRef<int64_t> values,
                                         ValueRange operands) {
  size_t dynamic = llvm::count_if(values, ShapedType::isDynamic);
  if (dynamic != operands.size())
    return op->emitOpError() << "has " << dynamic << " dynamic " << what << "s, but " << operands.size()
                             << " operands for them";
  return success();
}

LogicalResult tilec::tile::verifyDrop(Operation *op, ArrayRef<int64_t> drop, size_t rank) {
  int64_t last = -1;
  for (int64_t dimension : drop) {
    if (dimension <= last || dimension >= int64_t(rank))
      return op->emitOpError() << "'drop' must list dimensions below " << rank << " in ascending order, got "
                               << dimension;
    last = dimension;
  }
  return success();
}

LogicalResult tilec::tile::verifyOffset(Operation *op, StringRef name, std::optional<int64_t> offset,
                                        int64_t alignment) {
  if (offset && (*offset < 0 || *offset % alignment))
    return op->emitOpError() << "'" << name << "' must be a multiple of " << alignment << " from 0 up, got "
                             << *offset;
  return success();
}

LogicalResult tilec::tile::verifyPlainYield(Operation *op, Region &region) {
  auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
  if (!yield || yield.getNumOperands() != 0)
    return op->emitOpError() << "must end its body in a 'tile.yield' without operands";
  return success();
}

LogicalResult tilec::tile::verifyInstrTypes(Operation *op, MmaInstrAttrInterface instr, Value a, Value b,
                                            Type acc) {
  if (!instr)
    return success();
  auto fits = [](Type element, Type instrType) {
    return element == instrType || (element.isF32() && instrType.isTF32());
  };
  auto [instrA, instrB, instrAcc] = instr.getInstrTypes();
  if (!fits(elementOf(a), instrA) || !fits(elementOf(b), instrB) || acc != instrAcc)
    return op->emitOpError() << "multiplies " << elementOf(a) << " by " << elementOf(b) << " into " << acc
                             << ", but " << instr << " does not";
  return success();
}

LogicalResult tilec::tile::verifyInstrOperands(Operation *op, MmaInstrAttrInterface instr, Value a, Value b) {
  if (!instr)
    return success();
  auto check = [&](Value value, MmaOperand operand) -> LogicalResult {
    bool shared = isa<SharedType>(value.getType());
    if (shared ? instr.readsShared(operand) : instr.readsFragment(operand))
      return success();
    return op->emitOpError() << "'" << stringifyMmaOperand(operand) << "' is in "
                             << (shared ? "shared memory" : "registers") << ", where " << instr
                             << " cannot take it from";
  };
  if (failed(check(a, MmaOperand::A)))
    return failure();
  return check(b, MmaOperand::B);
}
