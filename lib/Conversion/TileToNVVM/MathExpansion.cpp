//===- MathExpansion.cpp - functions as ops ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function is which algorithm or instruction. f16 and bf16 compute in f32 and round once. A value whose
// every use is a conversion to a 16-bit or narrower float needs only that accuracy, and takes the short way.
//
//===----------------------------------------------------------------------===//

#include "MathExpansion.h"
#include "MathBuilder.h"
#include "MathFunctions.h"
#include "MathFunctions64.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilec::lowering {

template <typename T> Value MathBuilder::readTable(StringRef name, ArrayRef<T> table, Value index) {
  auto module = builder.getBlock()->getParentOp()->getParentOfType<gpu::GPUModuleOp>();
  Type element = builder.getIntegerType(8 * sizeof(T));
  if (!module.lookupSymbol(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(element, table.size());
    auto values =
        DenseElementsAttr::get(RankedTensorType::get({static_cast<int64_t>(table.size())}, element), table);
    LLVM::GlobalOp::create(top, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name, values);
  }
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, name);
  Value address = LLVM::GEPOp::create(builder, loc, pointer, element, base, ArrayRef<LLVM::GEPArg>{index});
  return LLVM::LoadOp::create(builder, loc, element, address);
}

Value MathBuilder32::twoOverPi(Value word) {
  return readTable<uint32_t>("tilec_two_over_pi", twoOverPiWords, widen(word));
}

Value MathBuilder64::twoOverPi(Value word) {
  return readTable<uint64_t>("tilec_two_over_pi_64", twoOverPiWords64, word);
}

Value MathBuilder32::scaleTurns(Value turns) {
  Type f64 = builder.getF64Type();
  Value value = arith::SIToFPOp::create(builder, loc, f64, turns);
  Value scale = arith::ConstantFloatOp::create(builder, loc, builder.getF64Type(),
                                               llvm::APFloat(0x1.921fb54442d18p-64));
  return arith::TruncFOp::create(builder, loc, type, arith::MulFOp::create(builder, loc, value, scale));
}

/// The bits of precision that are enough: the most that a user of the result keeps.
static unsigned getNeededBits(Operation *op) {
  unsigned bits = op->use_empty() ? 24 : 0;
  for (Operation *user : op->getUsers()) {
    auto type = isa<arith::TruncFOp, tile::CastOp>(user) ? dyn_cast<FloatType>(user->getResult(0).getType())
                                                         : FloatType();
    bits = std::max(bits, type ? llvm::APFloat::semanticsPrecision(type.getFloatSemantics()) : 24u);
  }
  return bits;
}

static Value expandF32(OpBuilder &builder, Operation *op, ValueRange x, unsigned neededBits) {
  MathBuilder32 b(builder, op->getLoc());
  MathFunctions<MathBuilder32> m(b);
  auto form = [&](PtxFormId id) { return createPtxFormValue(builder, op->getLoc(), id, x); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) {
        return neededBits <= 11 ? b.ex2(b.mul(x[0], b.f(0x1.715476p+0))) : m.exp(x[0]);
      })
      .Case([&](math::Exp2Op) { return form(PtxFormId::Ex2); })
      .Case([&](math::LogOp) { return m.log(x[0]); })
      .Case([&](math::Log2Op) { return m.log2(x[0]); })
      .Case([&](math::SqrtOp) { return form(PtxFormId::Sqrt); })
      .Case([&](math::RsqrtOp) { return form(PtxFormId::Rsqrt); })
      .Case([&](math::TanhOp) { return neededBits <= 8 ? form(PtxFormId::Tanh) : m.tanh(x[0]); })
      .Case([&](math::ErfOp) { return m.erf(x[0]); })
      .Case([&](math::SinOp) { return m.sin(x[0]); })
      .Case([&](math::CosOp) { return m.cos(x[0]); })
      .Case([&](math::PowFOp) { return m.pow(x[0], x[1]); })
      .Case([&](math::RoundOp) { return m.round(x[0]); })
      .Case([&](tile::SigmoidOp) { return m.sigmoid(x[0]); })
      .Case([&](tile::RcpOp) { return form(PtxFormId::Rcp); })
      .Case([&](arith::DivFOp) { return form(PtxFormId::DivFull); })
      .Default([](Operation *) { return Value(); });
}

static Value expandF64(OpBuilder &builder, Operation *op, ValueRange x) {
  MathBuilder64 b(builder, op->getLoc());
  MathFunctions64<MathBuilder64> m(b);
  auto form = [&](PtxFormId id, ValueRange operands) {
    return createPtxFormValue(builder, op->getLoc(), id, operands);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return m.exp(x[0]); })
      .Case([&](math::Exp2Op) { return m.exp2(x[0]); })
      .Case([&](math::LogOp) { return m.log(x[0]); })
      .Case([&](math::Log2Op) { return m.log2(x[0]); })
      .Case([&](math::SqrtOp) { return form(PtxFormId::SqrtRnF64, x); })
      .Case([&](math::RsqrtOp) { return b.div(b.f(1.0), form(PtxFormId::SqrtRnF64, x)); })
      .Case([&](math::TanhOp) { return m.tanh(x[0]); })
      .Case([&](math::ErfOp) { return m.erf(x[0]); })
      .Case([&](math::SinOp) { return m.sin(x[0]); })
      .Case([&](math::CosOp) { return m.cos(x[0]); })
      .Case([&](math::PowFOp) { return m.pow(x[0], x[1]); })
      .Case([&](math::RoundOp) { return m.round(x[0]); })
      .Case([&](tile::SigmoidOp) { return m.sigmoid(x[0]); })
      .Case([&](tile::RcpOp) { return form(PtxFormId::RcpRnF64, x); })
      .Default([](Operation *) { return Value(); });
}

Value expandMath(OpBuilder &builder, Operation *op, ValueRange operands, const ArchInfo &arch) {
  if (op->getNumResults() != 1)
    return {};
  Location loc = op->getLoc();
  auto type = dyn_cast<FloatType>(op->getResult(0).getType());
  if (isa<math::IsNaNOp, math::IsInfOp>(op)) {
    Value x = operands[0];
    auto predicate = arith::CmpFPredicate::UNO;
    if (isa<math::IsInfOp>(op)) {
      auto own = cast<FloatType>(x.getType());
      x = math::AbsFOp::create(builder, loc, x);
      Value infinity =
          arith::ConstantFloatOp::create(builder, loc, own, llvm::APFloat::getInf(own.getFloatSemantics()));
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, infinity);
    }
    return arith::CmpFOp::create(builder, loc, predicate, x, x);
  }
  if (!type)
    return {};
  if (type.isF32())
    return expandF32(builder, op, operands, getNeededBits(op));
  if (type.isF64())
    return expandF64(builder, op, operands);
  bool isFunction =
      isa<math::MathDialect>(op->getDialect()) || isa<tile::SigmoidOp, tile::RcpOp, arith::DivFOp>(op);
  if (isFunction && (type.isF16() || type.isBF16())) {
    Type f32 = builder.getF32Type();
    SmallVector<Value> wide;
    for (Value operand : operands)
      wide.push_back(arith::ExtFOp::create(builder, loc, f32, operand));
    Value result;
    if (isa<arith::DivFOp>(
            op)) // an operator: rounds as if exact, which the correctly rounded f32 quotient does
      result = arith::DivFOp::create(builder, loc, wide[0], wide[1]);
    else
      result = expandF32(builder, op, wide, type.isF16() ? 11 : 8);
    return result ? arith::TruncFOp::create(builder, loc, type, result).getResult() : Value();
  }
  return {};
}

} // namespace tilec::lowering
