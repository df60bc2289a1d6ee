//===- ScalarType.h - element and scalar types of the language -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar types of LANGUAGE section 3 and the questions asked about them. One row a type in
// ScalarTypes.def; `index` is another name of i64 and does not exist here.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_SCALARTYPE_H
#define TILEC_FRONTEND_SCALARTYPE_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tilec::frontend {

enum class ScalarType : uint8_t {
#define SCALAR_TYPE(Enum, Spelling, Kind, Bits, StorageBits) Enum,
#include "tilec/Frontend/ScalarTypes.def"
};

enum class ScalarClass : uint8_t { Bool, Signed, Unsigned, Float };

/// How the language writes it ("f16").
llvm::StringRef spelling(ScalarType type);
/// The type a word names; `index` gives i64. None for other words.
std::optional<ScalarType> parseScalarType(llvm::StringRef word);

ScalarClass classOf(ScalarType type);
inline bool isFloat(ScalarType type) { return classOf(type) == ScalarClass::Float; }
inline bool isInteger(ScalarType type) {
  return classOf(type) == ScalarClass::Signed || classOf(type) == ScalarClass::Unsigned;
}
inline bool isSigned(ScalarType type) { return classOf(type) == ScalarClass::Signed; }
inline bool isBool(ScalarType type) { return type == ScalarType::Bool; }

/// Bits of the value: 4 for i4, 19 for tf32 (sign, 8 exponent, 10 mantissa), 1 for bool.
unsigned valueBits(ScalarType type);
/// Bits in memory: 8 for bool, 32 for tf32, 4 for i4/u4 (two to a byte, low nibble first).
unsigned storageBits(ScalarType type);
inline bool isPacked(ScalarType type) { return storageBits(type) < 8; }

/// The type a scalar read from an element of `type` has: i8/u8 for i4/u4, itself otherwise.
ScalarType loadedType(ScalarType type);

/// Whether `from` converts to `to` implicitly (equal types included): integers widen inside one
/// signedness, f16/bf16/e4m3/e5m2/tf32 to f32, every float to f64.
bool widensTo(ScalarType from, ScalarType to);

} // namespace tilec::frontend

#endif
