//===- Parsing.cpp - custom directives of the assembly formats ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Parsing.h. An operand that is absent leaves its type null, and the generated parser resolves nothing.
//
//===----------------------------------------------------------------------===//

#include "Parsing.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;

ParseResult tilec::tile::parseWithElement(OpAsmParser &parser, OptionalOperand scalar, Type &scalarType,
                                          Type &objectType) {
  if (parser.parseType(objectType))
    return failure();
  if (scalar)
    scalarType = loadedElement(objectType);
  return success();
}

void tilec::tile::printWithElement(OpAsmPrinter &printer, Operation *, Value, Type, Type objectType) {
  printer << objectType;
}

ParseResult tilec::tile::parseWithSame(OpAsmParser &parser, OptionalOperand operand, Type &operandType,
                                       Type &type) {
  if (parser.parseType(type))
    return failure();
  if (operand)
    operandType = type;
  return success();
}

void tilec::tile::printWithSame(OpAsmPrinter &printer, Operation *, Value, Type, Type type) {
  printer << type;
}

FailureOr<SmallVector<int64_t>> tilec::tile::parseI64List(AsmParser &parser) {
  SmallVector<int64_t> values;
  auto parseOne = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  return values;
}

void tilec::tile::printI64List(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << '[';
  llvm::interleaveComma(values, printer);
  printer << ']';
}
