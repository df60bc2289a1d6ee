//===- MathBuilder.h - the operations of the math functions, as ops ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The builders over which MathFunctions.h and MathFunctions64.h are instantiated to write arith ops and PTX
// forms. None of the ops has fast-math flags: nothing may contract them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_MATHBUILDER_H
#define TILEC_LIB_CONVERSION_TILETONVVM_MATHBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilec/CodeGen/PtxFormOps.h"

namespace tilec::lowering {

/// What f32 and f64 have in common. `V` of the algorithms has `type`, `bitsType` has its width.
class MathBuilder {
public:
  using V = mlir::Value;
  using I = mlir::Value;
  using L = mlir::Value;
  using P = mlir::Value;

  MathBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::FloatType type)
      : builder(builder), loc(loc), type(type), bitsType(builder.getIntegerType(type.getWidth())) {}

  V f(double x) {
    llvm::APFloat value(x);
    bool losesInfo;
    value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return mlir::arith::ConstantFloatOp::create(builder, loc, type, value);
  }
  V infinity() { return constantFloat(llvm::APFloat::getInf(type.getFloatSemantics())); }
  V nan() { return constantFloat(llvm::APFloat::getQNaN(type.getFloatSemantics())); }

  V add(V a, V b) { return mlir::arith::AddFOp::create(builder, loc, a, b); }
  V sub(V a, V b) { return mlir::arith::SubFOp::create(builder, loc, a, b); }
  V mul(V a, V b) { return mlir::arith::MulFOp::create(builder, loc, a, b); }
  V fma(V a, V b, V c) { return mlir::math::FmaOp::create(builder, loc, a, b, c); }
  V neg(V a) { return mlir::arith::NegFOp::create(builder, loc, a); }
  V abs(V a) { return mlir::math::AbsFOp::create(builder, loc, a); }
  V trunc(V a) { return mlir::math::TruncOp::create(builder, loc, a); }
  P lessThan(V a, V b) { return compare(mlir::arith::CmpFPredicate::OLT, a, b); }
  P equal(V a, V b) { return compare(mlir::arith::CmpFPredicate::OEQ, a, b); }
  P notEqual(V a, V b) { return compare(mlir::arith::CmpFPredicate::UNE, a, b); }
  P isNaN(V a) { return compare(mlir::arith::CmpFPredicate::UNO, a, a); }
  P both(P a, P b) { return mlir::arith::AndIOp::create(builder, loc, a, b); }
  P either(P a, P b) { return mlir::arith::OrIOp::create(builder, loc, a, b); }
  P notP(P a) { return mlir::arith::XOrIOp::create(builder, loc, a, integer(1, 1)); }
  P same(P a, P b) { return compareInt(mlir::arith::CmpIPredicate::eq, a, b); }
  V select(P condition, V a, V b) { return mlir::arith::SelectOp::create(builder, loc, condition, a, b); }

  I bits(V a) { return mlir::arith::BitcastOp::create(builder, loc, bitsType, a); }
  V fromBits(I a) { return mlir::arith::BitcastOp::create(builder, loc, type, a); }
  I addI(I a, I b) { return mlir::arith::AddIOp::create(builder, loc, a, b); }
  I subI(I a, I b) { return mlir::arith::SubIOp::create(builder, loc, a, b); }
  I andI(I a, I b) { return mlir::arith::AndIOp::create(builder, loc, a, b); }
  I orI(I a, I b) { return mlir::arith::OrIOp::create(builder, loc, a, b); }
  I xorI(I a, I b) { return mlir::arith::XOrIOp::create(builder, loc, a, b); }
  I shlI(I a, int n) { return mlir::arith::ShLIOp::create(builder, loc, a, integerLike(n, a)); }
  I shrI(I a, int n) { return mlir::arith::ShRUIOp::create(builder, loc, a, integerLike(n, a)); }
  I sarI(I a, int n) { return mlir::arith::ShRSIOp::create(builder, loc, a, integerLike(n, a)); }
  P lessThanInt(I a, I b) { return compareInt(mlir::arith::CmpIPredicate::slt, a, b); }
  P equalInt(I a, I b) { return compareInt(mlir::arith::CmpIPredicate::eq, a, b); }
  V toFloat(I a) { return mlir::arith::SIToFPOp::create(builder, loc, type, a); }

  /// Values that a rare condition replaces.
  template <typename F> void ifRare(P condition, V &v, I &i, F body) {
    auto branch =
        mlir::scf::IfOp::create(builder, loc, mlir::TypeRange{v.getType(), i.getType()}, condition, true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    mlir::scf::YieldOp::create(builder, loc, mlir::ValueRange{v, i});
    builder.setInsertionPointToStart(branch.thenBlock());
    body(v, i);
    mlir::scf::YieldOp::create(builder, loc, mlir::ValueRange{v, i});
    v = branch.getResult(0);
    i = branch.getResult(1);
  }

protected:
  V constantFloat(const llvm::APFloat &value) {
    return mlir::arith::ConstantFloatOp::create(builder, loc, type, value);
  }
  I integer(int64_t value, unsigned width) {
    return mlir::arith::ConstantIntOp::create(builder, loc, value, width);
  }
  I integerLike(int64_t value, I other) { return integer(value, other.getType().getIntOrFloatBitWidth()); }
  P compare(mlir::arith::CmpFPredicate predicate, V a, V b) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  P compareInt(mlir::arith::CmpIPredicate predicate, I a, I b) {
    return mlir::arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  V form(PtxFormId id, mlir::ValueRange operands) { return createPtxFormValue(builder, loc, id, operands); }

  /// A word of a constant table of the module, which is made at its first use.
  template <typename T> V readTable(llvm::StringRef name, llvm::ArrayRef<T> table, I index);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::FloatType type;
  mlir::IntegerType bitsType;
};

/// f32.
class MathBuilder32 : public MathBuilder {
public:
  MathBuilder32(mlir::OpBuilder &builder, mlir::Location loc)
      : MathBuilder(builder, loc, builder.getF32Type()) {}

  I i(int x) { return integer(x, 32); }
  V maxNaN(V a, V b) { return form(PtxFormId::FmaxNanF32, {a, b}); }
  V minNaN(V a, V b) { return form(PtxFormId::FminNanF32, {a, b}); }
  /// Of a float that is an integer below 2^22: the low bits of its sum with 1.5 * 2^23.
  I toInt(V a) { return subI(bits(add(a, f(0x1.8p23))), i(0x4b400000)); }
  V ex2(V a) { return form(PtxFormId::Ex2, a); }
  V rcp(V a) { return form(PtxFormId::Rcp, a); }
  V lg2(V a) { return form(PtxFormId::Lg2, a); }

  L widen(I a) { return mlir::arith::ExtUIOp::create(builder, loc, builder.getI64Type(), a); }
  I lowerHalf(L a) { return mlir::arith::TruncIOp::create(builder, loc, builder.getI32Type(), a); }
  L upperHalf(L a) { return mlir::arith::ShRUIOp::create(builder, loc, a, integer(32, 64)); }
  L mulL(L a, L b) { return mlir::arith::MulIOp::create(builder, loc, a, b); }
  L addL(L a, L b) { return addI(a, b); }
  L orL(L a, L b) { return orI(a, b); }
  L shlL(L a, int n) { return shlI(a, n); }
  L shlL(L a, L n) { return mlir::arith::ShLIOp::create(builder, loc, a, n); }
  V scaleTurns(L a);
  I twoOverPi(I word);
};

/// f64.
class MathBuilder64 : public MathBuilder {
public:
  MathBuilder64(mlir::OpBuilder &builder, mlir::Location loc)
      : MathBuilder(builder, loc, builder.getF64Type()) {}

  I i(int64_t x) { return integer(x, 64); }
  V div(V a, V b) { return mlir::arith::DivFOp::create(builder, loc, a, b); }
  I mulI(I a, I b) { return mlir::arith::MulIOp::create(builder, loc, a, b); }
  I mulHigh(I a, I b) { return mlir::arith::MulUIExtendedOp::create(builder, loc, a, b).getHigh(); }
  I minUnsigned(I a, I b) { return mlir::arith::MinUIOp::create(builder, loc, a, b); }
  I shlBy(I a, I n) { return mlir::arith::ShLIOp::create(builder, loc, a, n); }
  I shrBy(I a, I n) { return mlir::arith::ShRUIOp::create(builder, loc, a, n); }
  P lessThanUnsigned(I a, I b) { return compareInt(mlir::arith::CmpIPredicate::ult, a, b); }
  I fromP(P a) { return mlir::arith::ExtUIOp::create(builder, loc, bitsType, a); }
  V toFloatUnsigned(I a) { return mlir::arith::UIToFPOp::create(builder, loc, type, a); }
  I twoOverPi(I word);
};

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_MATHBUILDER_H
