//===- ConstEval.h - compile-time values and arithmetic --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile-time value is a type, a bool, an integer or a float. Numbers come in two flavours: *adapting*
// ones (literals and everything computed from them: exact integers, f64 floats) take the type their context
// needs; *typed* ones (`f16(1)`, `let x: f16 = 1;`) behave as a value of that type at run time would, wrap
// and rounding included. Nothing here reports: callers turn ConstError into a located diagnostic.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_CONSTEVAL_H
#define TILEC_FRONTEND_CONSTEVAL_H

#include "tilec/Frontend/ScalarType.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class APInt;
}

namespace tilec::frontend {

/// Wide enough to compute with and then check the limits -2^63 … 2^64-1.
using ExactInt = __int128;

std::string toString(ExactInt value);
/// The shortest text that reads back as `value` ("inf", "nan" and "-inf" too; whole numbers get ".0").
std::string formatReal(double value);

struct ConstValue {
  enum class Kind : uint8_t { Type, Bool, Int, Float };

  Kind kind = Kind::Int;
  std::optional<ScalarType> type; // Type: the type; Int and Float: of a typed constant
  ExactInt integer = 0;           // Bool: 0 or 1
  double real = 0;
  bool fromTarget = false; // computed from target.*

  static ConstValue makeType(ScalarType type);
  static ConstValue makeBool(bool value);
  static ConstValue makeInt(ExactInt value);
  static ConstValue makeFloat(double value);

  bool isType() const { return kind == Kind::Type; }
  bool isBool() const { return kind == Kind::Bool; }
  bool isInt() const { return kind == Kind::Int; }
  bool isFloat() const { return kind == Kind::Float; }
  bool isNumber() const { return isInt() || isFloat(); }
  /// A number that takes the type of its context.
  bool isAdapting() const { return isNumber() && !type; }
  bool asBool() const { return integer != 0; }
  /// The value of an Int or Float as a double, rounded to nearest even.
  double asDouble() const;
  /// Same kind, type and value (NaN equals NaN).
  bool sameAs(const ConstValue &other) const;
};

/// As -D accepts it: "128", "0.5", "true", "f16".
std::string format(const ConstValue &value);
/// "integer", "float", "truth value", "type" or the name of a typed constant's type.
std::string describeKind(const ConstValue &value);

enum class ConstError : uint8_t { OutOfRange, DivisionByZero };

/// A value or the reason why there is none.
struct ConstResult {
  std::optional<ConstValue> value;
  ConstError error = ConstError::OutOfRange;
  std::string text; // OutOfRange: the exact result, where it is known

  ConstResult(ConstValue value) : value(value) {}
  ConstResult(ConstError error, std::string text = "") : error(error), text(std::move(text)) {}
  explicit operator bool() const { return value.has_value(); }
};

enum class ConstOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  And,
  Or,
  Xor,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  CeilDiv,
  FloorDiv,
  Min,
  Max
};
enum class ConstUnaryOp : uint8_t { Neg, BitNot, LogicalNot, Abs };

/// Limits of a type's integers ([-2^63, 2^64-1] for the exact ones).
ExactInt minOf(ScalarType integerType);
ExactInt maxOf(ScalarType integerType);
bool inExactRange(ExactInt value);

/// `value` rounded to what `type` holds; e4m3 and e5m2 saturate.
double roundTo(double value, ScalarType type);

/// The implicit step from an adapting number to `type` (bool and types: only to themselves). None if the
/// value does not fit: an integer outside the range, a float where an integer is needed, a finite float that
/// becomes infinite.
std::optional<ConstValue> adapt(const ConstValue &value, ScalarType type);

/// The written conversion `type(value)`; `value` is no type.
ConstValue convert(const ConstValue &value, ScalarType type);

/// `bitcast<type>(value)`; `value` is typed and as wide as `type`.
ConstValue bitcast(const ConstValue &value, ScalarType type);

/// Operands have been unified: both adapting of one kind, both typed of one type, both bools. A shift takes
/// any integer on the right. Comparisons give bools.
ConstResult evaluate(ConstOp op, const ConstValue &lhs, const ConstValue &rhs);
ConstResult evaluate(ConstUnaryOp op, const ConstValue &operand);

/// `text` as a value of -D: an integer, float, bool or type.
std::optional<ConstValue> parseConstant(llvm::StringRef text);

} // namespace tilec::frontend

#endif
