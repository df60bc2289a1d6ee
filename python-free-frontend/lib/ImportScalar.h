//===- ImportScalar.h - scalar arithmetic of the language as arith ops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows what every operator, conversion and function of LANGUAGE sections 3 and 5 means for every scalar
// type, and emits ops that are defined for all operands: no division by zero, no INT_MIN / -1, no shift
// beyond the width remains. Knows nothing of expressions or statements.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_LIB_IMPORTSCALAR_H
#define TILEC_FRONTEND_LIB_IMPORTSCALAR_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "tilec/Frontend/Hir.h"

namespace tilec::frontend {

/// The SSA type of a scalar: signless. I4 and U4 are no scalar types.
mlir::Type scalarType(ScalarType type, mlir::MLIRContext *context);
/// The element type of a tensor or tile: with signedness, `i4` signed and `ui4` unsigned.
mlir::Type elementType(ScalarType type, mlir::MLIRContext *context);

class ScalarBuilder {
public:
  /// Constants go to the top of `constants`, once each.
  ScalarBuilder(mlir::OpBuilder &builder, mlir::Block *constants, bool contract)
      : builder(builder), constantBlock(constants), contract(contract) {}

  mlir::OpBuilder &builder;
  /// The location of the ops that follow.
  mlir::Location loc = mlir::UnknownLoc::get(builder.getContext());

  mlir::Type type(ScalarType type) const { return scalarType(type, builder.getContext()); }

  //===--- Constants ---===//
  mlir::Value constant(mlir::TypedAttr value);
  mlir::Value constant(const hir::Const &value);
  /// The low bits of `value` as an integer of the type.
  mlir::Value integer(mlir::Type type, int64_t value);
  mlir::Value index(int64_t value) { return integer(builder.getI64Type(), value); }
  mlir::Value boolean(bool value) { return integer(builder.getI1Type(), value); }
  mlir::Value zero(mlir::Type type) { return constant(builder.getZeroAttr(type)); }
  /// The value of a constant i1 or i64, if it is one.
  static std::optional<int64_t> constantValue(mlir::Value value);
  static bool isTrue(mlir::Value value) { return constantValue(value).value_or(0) != 0; }
  static bool isFalse(mlir::Value value) { return constantValue(value).value_or(1) == 0; }

  //===--- Operators: operands of one language type (shifts: of two) ---===//
  mlir::Value unary(hir::UnaryOp op, ScalarType type, mlir::Value operand);
  /// Not for LogicalAnd and LogicalOr. `type` is that of `lhs`, `rhsType` that of a shift's count.
  mlir::Value binary(hir::BinaryOp op, ScalarType type, mlir::Value lhs, mlir::Value rhs, ScalarType rhsType);
  mlir::Value call(hir::Builtin function, ScalarType type, llvm::ArrayRef<mlir::Value> args);

  //===--- Conversions ---===//
  mlir::Value cast(mlir::Value value, ScalarType from, ScalarType to);
  mlir::Value bitcast(mlir::Value value, ScalarType from, ScalarType to);

  //===--- Building blocks ---===//
  mlir::Value logicalNot(mlir::Value value);
  mlir::Value logicalAnd(mlir::Value a, mlir::Value b);
  mlir::Value logicalOr(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value addI(mlir::Value a, mlir::Value b);
  mlir::Value subI(mlir::Value a, mlir::Value b);
  mlir::Value mulI(mlir::Value a, mlir::Value b);
  /// Unsigned division by what the caller knows not to be zero.
  mlir::Value divU(mlir::Value a, mlir::Value nonZero);

private:
  /// Creates an op and answers its result, or what it folds to.
  template <typename Op, typename... Args> mlir::Value make(Args &&...args);
  mlir::Value fold(mlir::Operation *op);
  mlir::arith::FastMathFlagsAttr contractFlags() const;

  mlir::Value shift(hir::BinaryOp op, ScalarType type, mlir::Value value, mlir::Value count,
                    ScalarType countType);
  /// `divisor`, but 1 where a division of `dividend` by it is undefined.
  mlir::Value safeDivisor(ScalarType type, mlir::Value dividend, mlir::Value divisor);
  mlir::Value floatFunction(hir::Builtin function, llvm::ArrayRef<mlir::Value> args);
  mlir::Value castFloatToFloat(mlir::Value value, ScalarType from, ScalarType to);
  mlir::Value castIntToFloat(mlir::Value value, bool isUnsigned, ScalarType to);
  /// A float that an op takes: tf32 and the 8-bit types as f32.
  mlir::Value computable(mlir::Value value, ScalarType from);

  mlir::Block *constantBlock;
  bool contract;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants; // typed attributes: the type is part of the key
  mlir::Operation *lastConstant = nullptr;
};

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_LIB_IMPORTSCALAR_H
