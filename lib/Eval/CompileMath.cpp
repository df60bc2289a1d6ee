//===- CompileMath.cpp - the math dialect ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of floats: computed in f64, rounded to f32 and then, for narrower types, to the type.
//
//===----------------------------------------------------------------------===//

#include "CompileScalar.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

template <UnaryFn fn> static LogicalResult unaryFunction(Compiler &c, Operation *op) {
  emitUnary(c, op, fn);
  return success();
}

template <BinaryFn fn> static LogicalResult binaryFunction(Compiler &c, Operation *op) {
  emitBinary(c, op, fn);
  return success();
}

static LogicalResult compileFma(Compiler &c, Operation *op) {
  const ScalarInfo info = Compiler::scalarInfo(op->getResult(0).getType());
  const unsigned to = c.slotOf(op->getResult(0));
  c.emit(op->getLoc(), {info.isDouble ? Opcode::FmaD : Opcode::FmaF, 0, to, c.slotOf(op->getOperand(0)),
                        c.slotOf(op->getOperand(1)), c.slotOf(op->getOperand(2))});
  emitRound(c, op->getLoc(), info, to);
  return success();
}

static LogicalResult compileAbsI(Compiler &c, Operation *op) {
  const ScalarInfo info = Compiler::scalarInfo(op->getResult(0).getType());
  c.emit(op->getLoc(), {Opcode::AbsI, static_cast<uint16_t>(info.shift()), c.slotOf(op->getResult(0)),
                        c.slotOf(op->getOperand(0))});
  return success();
}

void eval::addMathHandlers(HandlerTable &table) {
  table.add<math::AbsFOp>(unaryFunction<UnaryFn::Abs>);
  table.add<math::AbsIOp>(compileAbsI);
  table.add<math::AcosOp>(unaryFunction<UnaryFn::Acos>);
  table.add<math::AsinOp>(unaryFunction<UnaryFn::Asin>);
  table.add<math::AtanOp>(unaryFunction<UnaryFn::Atan>);
  table.add<math::Atan2Op>(binaryFunction<BinaryFn::Atan2>);
  table.add<math::CbrtOp>(unaryFunction<UnaryFn::Cbrt>);
  table.add<math::CeilOp>(unaryFunction<UnaryFn::Ceil>);
  table.add<math::CopySignOp>(binaryFunction<BinaryFn::CopySign>);
  table.add<math::CosOp>(unaryFunction<UnaryFn::Cos>);
  table.add<math::CoshOp>(unaryFunction<UnaryFn::Cosh>);
  table.add<math::ErfOp>(unaryFunction<UnaryFn::Erf>);
  table.add<math::ExpOp>(unaryFunction<UnaryFn::Exp>);
  table.add<math::Exp2Op>(unaryFunction<UnaryFn::Exp2>);
  table.add<math::ExpM1Op>(unaryFunction<UnaryFn::Expm1>);
  table.add<math::FloorOp>(unaryFunction<UnaryFn::Floor>);
  table.add<math::FmaOp>(compileFma);
  table.add<math::IsFiniteOp>(unaryFunction<UnaryFn::IsFinite>);
  table.add<math::IsInfOp>(unaryFunction<UnaryFn::IsInf>);
  table.add<math::IsNaNOp>(unaryFunction<UnaryFn::IsNaN>);
  table.add<math::LogOp>(unaryFunction<UnaryFn::Log>);
  table.add<math::Log10Op>(unaryFunction<UnaryFn::Log10>);
  table.add<math::Log1pOp>(unaryFunction<UnaryFn::Log1p>);
  table.add<math::Log2Op>(unaryFunction<UnaryFn::Log2>);
  table.add<math::PowFOp>(binaryFunction<BinaryFn::Pow>);
  table.add<math::RoundOp>(unaryFunction<UnaryFn::Round>);
  table.add<math::RoundEvenOp>(unaryFunction<UnaryFn::RoundEven>);
  table.add<math::RsqrtOp>(unaryFunction<UnaryFn::Rsqrt>);
  table.add<math::SinOp>(unaryFunction<UnaryFn::Sin>);
  table.add<math::SinhOp>(unaryFunction<UnaryFn::Sinh>);
  table.add<math::SqrtOp>(unaryFunction<UnaryFn::Sqrt>);
  table.add<math::TanOp>(unaryFunction<UnaryFn::Tan>);
  table.add<math::TanhOp>(unaryFunction<UnaryFn::Tanh>);
  table.add<math::TruncOp>(unaryFunction<UnaryFn::Trunc>);
  table.add<tile::RcpOp>(unaryFunction<UnaryFn::Rcp>);
  table.add<tile::SigmoidOp>(unaryFunction<UnaryFn::Sigmoid>);
}
