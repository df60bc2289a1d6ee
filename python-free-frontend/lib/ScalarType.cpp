//===- ScalarType.cpp - element and scalar types of the language ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers from the table ScalarTypes.def.
//
//===----------------------------------------------------------------------===//
#include "tilec/Frontend/ScalarType.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend {
namespace {
struct Row {
  llvm::StringRef spelling;
  ScalarClass kind;
  unsigned valueBits, storageBits;
};
constexpr Row kRows[] = {
#define SCALAR_TYPE(Enum, Spelling, Kind, Bits, StorageBits) {Spelling, ScalarClass::Kind, Bits, StorageBits},
#include "tilec/Frontend/ScalarTypes.def"
};
const Row &row(ScalarType type) { return kRows[static_cast<unsigned>(type)]; }
} // namespace

llvm::StringRef spelling(ScalarType type) { return row(type).spelling; }

std::optional<ScalarType> parseScalarType(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<ScalarType>>(word)
#define SCALAR_TYPE(Enum, Spelling, Kind, Bits, StorageBits) .Case(Spelling, ScalarType::Enum)
#include "tilec/Frontend/ScalarTypes.def"
      .Case("index", ScalarType::I64)
      .Default(std::nullopt);
}

ScalarClass classOf(ScalarType type) { return row(type).kind; }
unsigned valueBits(ScalarType type) { return row(type).valueBits; }
unsigned storageBits(ScalarType type) { return row(type).storageBits; }

ScalarType loadedType(ScalarType type) {
  if (type == ScalarType::I4)
    return ScalarType::I8;
  if (type == ScalarType::U4)
    return ScalarType::U8;
  return type;
}

bool widensTo(ScalarType from, ScalarType to) {
  if (from == to)
    return true;
  if (isInteger(from))
    return classOf(from) == classOf(to) && valueBits(from) < valueBits(to);
  if (!isFloat(from) || !isFloat(to))
    return false;
  if (to == ScalarType::F64)
    return true;
  return to == ScalarType::F32 && from != ScalarType::F64;
}

} // namespace tilec::frontend
