//===- CompileArith.cpp - the arith dialect -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar arithmetic. Floats of fewer than 32 bits are computed as f32 and rounded to their type after every
// operator: for + − × ÷ that equals one rounding, since 24 bits are at least twice the type's plus two.
//
//===----------------------------------------------------------------------===//

#include "CompileScalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

void eval::emitRound(Compiler &c, Location loc, const ScalarInfo &info, unsigned slot) {
  if (!info.isFloat || info.isDouble || info.kind == ElementKind::F32)
    return;
  c.emit(loc, {Opcode::RoundF, static_cast<uint16_t>(info.kind), slot, slot});
}

void eval::emitUnary(Compiler &c, Operation *op, UnaryFn fn) {
  const ScalarInfo info = Compiler::scalarInfo(op->getOperand(0).getType());
  const unsigned to = c.slotOf(op->getResult(0));
  c.emit(op->getLoc(), {info.isDouble ? Opcode::UnaryD : Opcode::UnaryF, static_cast<uint16_t>(fn), to,
                        c.slotOf(op->getOperand(0))});
  if (fn != UnaryFn::IsNaN && fn != UnaryFn::IsInf && fn != UnaryFn::IsFinite)
    emitRound(c, op->getLoc(), info, to);
}

void eval::emitBinary(Compiler &c, Operation *op, BinaryFn fn) {
  const ScalarInfo info = Compiler::scalarInfo(op->getResult(0).getType());
  const unsigned to = c.slotOf(op->getResult(0));
  c.emit(op->getLoc(), {info.isDouble ? Opcode::BinaryD : Opcode::BinaryF, static_cast<uint16_t>(fn), to,
                        c.slotOf(op->getOperand(0)), c.slotOf(op->getOperand(1))});
  emitRound(c, op->getLoc(), info, to);
}

/// An integer operator on canonical slots; an i1 is brought back to 0 or 1.
template <Opcode opcode> static LogicalResult integerOp(Compiler &c, Operation *op) {
  const ScalarInfo info = Compiler::scalarInfo(op->getResult(0).getType());
  const unsigned to = c.slotOf(op->getResult(0));
  c.emit(op->getLoc(), {opcode, static_cast<uint16_t>(info.shift()), to, c.slotOf(op->getOperand(0)),
                        c.slotOf(op->getOperand(1))});
  if (info.width == 1)
    c.emit(op->getLoc(), {Opcode::And1, 0, to, to});
  return success();
}

/// Signed maximum and minimum; of i1, true is −1.
template <Opcode opcode, Opcode ofBools> static LogicalResult signedExtremum(Compiler &c, Operation *op) {
  return Compiler::scalarInfo(op->getResult(0).getType()).width == 1 ? integerOp<ofBools>(c, op)
                                                                     : integerOp<opcode>(c, op);
}

template <Opcode opcode> static LogicalResult extendedMultiply(Compiler &c, Operation *op) {
  const ScalarInfo info = Compiler::scalarInfo(op->getResult(0).getType());
  const uint16_t shift = static_cast<uint16_t>(info.shift());
  const unsigned a = c.slotOf(op->getOperand(0)), b = c.slotOf(op->getOperand(1));
  c.emit(op->getLoc(), {Opcode::MulI, shift, c.slotOf(op->getResult(0)), a, b});
  c.emit(op->getLoc(), {opcode, shift, c.slotOf(op->getResult(1)), a, b});
  return success();
}

template <Opcode opcodeF, Opcode opcodeD> static LogicalResult floatOp(Compiler &c, Operation *op) {
  const ScalarInfo info = Compiler::scalarInfo(op->getResult(0).getType());
  const unsigned to = c.slotOf(op->getResult(0));
  Instr instr{info.isDouble ? opcodeD : opcodeF};
  instr.a = to;
  instr.b = c.slotOf(op->getOperand(0));
  if (op->getNumOperands() > 1)
    instr.c = c.slotOf(op->getOperand(1));
  c.emit(op->getLoc(), instr);
  emitRound(c, op->getLoc(), info, to);
  return success();
}

template <BinaryFn fn> static LogicalResult binaryFunction(Compiler &c, Operation *op) {
  emitBinary(c, op, fn);
  return success();
}

template <BinaryFn fn, Opcode opcodeF> static LogicalResult extremum(Compiler &c, Operation *op) {
  if (Compiler::scalarInfo(op->getResult(0).getType()).isDouble)
    return binaryFunction<fn>(c, op);
  c.emit(op->getLoc(),
         {opcodeF, 0, c.slotOf(op->getResult(0)), c.slotOf(op->getOperand(0)), c.slotOf(op->getOperand(1))});
  return success();
}

/// The single user of the operation's result if it is in the same block, else null.
static Operation *onlyUser(Operation *op) {
  if (!op->hasOneUse())
    return nullptr;
  Operation *user = *op->user_begin();
  return user->getBlock() == op->getBlock() ? user : nullptr;
}

static LogicalResult compileMulF(Compiler &c, Operation *op) {
  Operation *user = onlyUser(op);
  if (op->getResult(0).getType().isF32() && user && isa<arith::AddFOp>(user)) {
    c.deferred.insert(op);
    return success();
  }
  return floatOp<Opcode::MulF, Opcode::MulD>(c, op);
}

static LogicalResult compileAddF(Compiler &c, Operation *op) {
  Value sides[2] = {op->getOperand(0), op->getOperand(1)};
  for (unsigned i = 0; i < 2; ++i) {
    Operation *product = sides[i].getDefiningOp();
    if (!product || !c.deferred.erase(product))
      continue;
    // Of two products one is computed on its own.
    if (Operation *other = sides[1 - i].getDefiningOp(); other && c.deferred.erase(other))
      if (failed(floatOp<Opcode::MulF, Opcode::MulD>(c, other)))
        return failure();
    c.emit(op->getLoc(), {Opcode::MulAddF, 0, c.slotOf(op->getResult(0)), c.slotOf(product->getOperand(0)),
                          c.slotOf(product->getOperand(1)), c.slotOf(sides[1 - i])});
    return success();
  }
  return floatOp<Opcode::AddF, Opcode::AddD>(c, op);
}

//===----------------------------------------------------------------------===//
// Constants, comparisons, select
//===----------------------------------------------------------------------===//

static LogicalResult compileConstant(Compiler &c, Operation *op) {
  auto constant = cast<arith::ConstantOp>(op);
  if (auto integer = dyn_cast<IntegerAttr>(constant.getValue())) {
    const APInt value = integer.getValue();
    c.bindSlot(op->getResult(0),
               c.constant(value.getBitWidth() == 1 ? static_cast<int64_t>(value.getZExtValue())
                                                   : value.getSExtValue()));
    return success();
  }
  if (auto real = dyn_cast<FloatAttr>(constant.getValue())) {
    const ScalarInfo info = Compiler::scalarInfo(constant.getType());
    APFloat value = real.getValue();
    bool lossy = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    const double exact = value.convertToDouble();
    c.bindSlot(op->getResult(0),
               c.constant(info.isDouble ? slotOfDouble(exact) : slotOfFloat(static_cast<float>(exact))));
    return success();
  }
  return c.unsupported(op, "the evaluator knows constants of integers and floats only");
}

static LogicalResult compileCmpI(Compiler &c, Operation *op) {
  auto compare = cast<arith::CmpIOp>(op);
  if (Operation *user = onlyUser(op); user && fusesComparison(user, op)) {
    c.deferred.insert(op);
    return success();
  }
  unsigned a = c.slotOf(compare.getLhs()), b = c.slotOf(compare.getRhs());
  using P = arith::CmpIPredicate;
  const P predicate = compare.getPredicate();
  const bool isSigned =
      predicate == P::slt || predicate == P::sle || predicate == P::sgt || predicate == P::sge;
  bool swap = predicate == P::sgt || predicate == P::sge || predicate == P::ugt || predicate == P::uge;
  if (isSigned && Compiler::scalarInfo(compare.getLhs().getType()).width == 1)
    swap = !swap; // true is −1 there
  if (swap)
    std::swap(a, b);
  Opcode opcode = Opcode::CmpEq;
  switch (predicate) {
  case P::eq:
    opcode = Opcode::CmpEq;
    break;
  case P::ne:
    opcode = Opcode::CmpNe;
    break;
  case P::slt:
  case P::sgt:
    opcode = Opcode::CmpSlt;
    break;
  case P::sle:
  case P::sge:
    opcode = Opcode::CmpSle;
    break;
  case P::ult:
  case P::ugt:
    opcode = Opcode::CmpUlt;
    break;
  case P::ule:
  case P::uge:
    opcode = Opcode::CmpUle;
    break;
  }
  c.emit(op->getLoc(), {opcode, 0, c.slotOf(op->getResult(0)), a, b});
  return success();
}

static LogicalResult compileCmpF(Compiler &c, Operation *op) {
  auto compare = cast<arith::CmpFOp>(op);
  const bool isDouble = Compiler::scalarInfo(compare.getLhs().getType()).isDouble;
  c.emit(op->getLoc(), {isDouble ? Opcode::CmpD : Opcode::CmpF, static_cast<uint16_t>(compare.getPredicate()),
                        c.slotOf(op->getResult(0)), c.slotOf(compare.getLhs()), c.slotOf(compare.getRhs())});
  return success();
}

static LogicalResult compileSelect(Compiler &c, Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  const unsigned condition = c.slotOf(select.getCondition());
  if (Compiler::isObject(select.getType()))
    c.emit(op->getLoc(), {Opcode::SelectView, 0, c.viewOf(select.getResult()), condition,
                          c.viewOf(select.getTrueValue()), c.viewOf(select.getFalseValue())});
  else
    c.emit(op->getLoc(), {Opcode::Select, 0, c.slotOf(select.getResult()), condition,
                          c.slotOf(select.getTrueValue()), c.slotOf(select.getFalseValue())});
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Float to float: widening keeps the value, narrowing rounds once.
static LogicalResult convertFloat(Compiler &c, Operation *op) {
  const ScalarInfo from = Compiler::scalarInfo(op->getOperand(0).getType()),
                   to = Compiler::scalarInfo(op->getResult(0).getType());
  const unsigned source = c.slotOf(op->getOperand(0));
  if (from.isDouble == to.isDouble && (to.isDouble || to.kind == ElementKind::F32 || to.kind == from.kind)) {
    c.bindSlot(op->getResult(0), source); // the slot holds the value already
    return success();
  }
  const Opcode opcode = to.isDouble ? Opcode::FToD : from.isDouble ? Opcode::RoundD : Opcode::RoundF;
  c.emit(op->getLoc(), {opcode, static_cast<uint16_t>(to.kind), c.slotOf(op->getResult(0)), source});
  return success();
}

template <bool isUnsigned> static LogicalResult floatToInteger(Compiler &c, Operation *op) {
  const ScalarInfo from = Compiler::scalarInfo(op->getOperand(0).getType()),
                   to = Compiler::scalarInfo(op->getResult(0).getType());
  c.emit(op->getLoc(), {from.isDouble ? Opcode::DToI : Opcode::FToI, static_cast<uint16_t>(to.width),
                        c.slotOf(op->getResult(0)), c.slotOf(op->getOperand(0)), 0, isUnsigned});
  if (to.width == 1)
    c.emit(op->getLoc(), {Opcode::And1, 0, c.slotOf(op->getResult(0)), c.slotOf(op->getResult(0))});
  return success();
}

static LogicalResult compileTileCast(Compiler &c, Operation *op) {
  auto cast = llvm::cast<tile::CastOp>(op);
  if (isa<FloatType>(cast.getType()))
    return convertFloat(c, op);
  return cast.getIsUnsigned() ? floatToInteger<true>(c, op) : floatToInteger<false>(c, op);
}

template <bool isUnsigned> static LogicalResult integerToFloat(Compiler &c, Operation *op) {
  const ScalarInfo from = Compiler::scalarInfo(op->getOperand(0).getType()),
                   to = Compiler::scalarInfo(op->getResult(0).getType());
  unsigned source = c.slotOf(op->getOperand(0));
  const unsigned target = c.slotOf(op->getResult(0));
  uint16_t shift = static_cast<uint16_t>(from.shift());
  if (from.width == 1) {
    shift = 0;
    if (!isUnsigned) {
      const unsigned negated = c.newSlot();
      c.emit(op->getLoc(), {Opcode::Negate, 0, negated, source});
      source = negated;
    }
  }
  if (to.isDouble || to.kind == ElementKind::F32) {
    const Opcode opcode = to.isDouble ? (isUnsigned ? Opcode::UIToD : Opcode::SIToD)
                                      : (isUnsigned ? Opcode::UIToF : Opcode::SIToF);
    c.emit(op->getLoc(), {opcode, shift, target, source});
    return success();
  }
  if (isUnsigned && shift) {
    const unsigned extended = c.newSlot();
    c.emit(op->getLoc(), {Opcode::ZeroExtend, shift, extended, source});
    source = extended;
  }
  c.emit(op->getLoc(), {Opcode::IToKind, static_cast<uint16_t>(to.kind), target, source, isUnsigned});
  return success();
}

/// Signed extension: a canonical slot is extended already.
static LogicalResult compileExtSI(Compiler &c, Operation *op) {
  const ScalarInfo from = Compiler::scalarInfo(op->getOperand(0).getType());
  if (from.width == 1)
    c.emit(op->getLoc(), {Opcode::Negate, 0, c.slotOf(op->getResult(0)), c.slotOf(op->getOperand(0))});
  else
    c.bindSlot(op->getResult(0), c.slotOf(op->getOperand(0)));
  return success();
}

static LogicalResult compileExtUI(Compiler &c, Operation *op) {
  const ScalarInfo from = Compiler::scalarInfo(op->getOperand(0).getType());
  if (from.width == 1)
    c.bindSlot(op->getResult(0), c.slotOf(op->getOperand(0)));
  else
    c.emit(op->getLoc(), {Opcode::ZeroExtend, static_cast<uint16_t>(from.shift()), c.slotOf(op->getResult(0)),
                          c.slotOf(op->getOperand(0))});
  return success();
}

static LogicalResult compileTruncI(Compiler &c, Operation *op) {
  const ScalarInfo to = Compiler::scalarInfo(op->getResult(0).getType());
  c.emit(op->getLoc(), {to.width == 1 ? Opcode::And1 : Opcode::SignExtend, static_cast<uint16_t>(to.shift()),
                        c.slotOf(op->getResult(0)), c.slotOf(op->getOperand(0))});
  return success();
}

/// `index` and i64 are one type here.
template <bool isUnsigned> static LogicalResult compileIndexCast(Compiler &c, Operation *op) {
  const ScalarInfo from = Compiler::scalarInfo(op->getOperand(0).getType()),
                   to = Compiler::scalarInfo(op->getResult(0).getType());
  if (to.width < from.width)
    return compileTruncI(c, op);
  return isUnsigned ? compileExtUI(c, op) : compileExtSI(c, op);
}

static LogicalResult compileBitcast(Compiler &c, Operation *op) {
  std::optional<ElementKind> from = elementKindOf(op->getOperand(0).getType()),
                             to = elementKindOf(op->getResult(0).getType());
  if (!from || !to || elementInfo(*from).storageBits != elementInfo(*to).storageBits)
    return c.unsupported(op, "the evaluator knows bitcasts between types of equal storage size only");
  c.emit(op->getLoc(), {Opcode::Bitcast, static_cast<uint16_t>(*from), c.slotOf(op->getResult(0)),
                        c.slotOf(op->getOperand(0)), 0, static_cast<uint32_t>(*to)});
  return success();
}

void eval::addArithHandlers(HandlerTable &table) {
  table.add<arith::ConstantOp>(compileConstant);
  table.add<arith::AddIOp>(integerOp<Opcode::AddI>);
  table.add<arith::SubIOp>(integerOp<Opcode::SubI>);
  table.add<arith::MulIOp>(integerOp<Opcode::MulI>);
  table.add<arith::AndIOp>(integerOp<Opcode::AndI>);
  table.add<arith::OrIOp>(integerOp<Opcode::OrI>);
  table.add<arith::XOrIOp>(integerOp<Opcode::XorI>);
  table.add<arith::ShLIOp>(integerOp<Opcode::ShlI>);
  table.add<arith::ShRSIOp>(integerOp<Opcode::ShrSI>);
  table.add<arith::ShRUIOp>(integerOp<Opcode::ShrUI>);
  table.add<arith::DivSIOp>(integerOp<Opcode::DivSI>);
  table.add<arith::DivUIOp>(integerOp<Opcode::DivUI>);
  table.add<arith::RemSIOp>(integerOp<Opcode::RemSI>);
  table.add<arith::RemUIOp>(integerOp<Opcode::RemUI>);
  table.add<arith::CeilDivSIOp>(integerOp<Opcode::CeilDivSI>);
  table.add<arith::CeilDivUIOp>(integerOp<Opcode::CeilDivUI>);
  table.add<arith::FloorDivSIOp>(integerOp<Opcode::FloorDivSI>);
  table.add<arith::MaxSIOp>(signedExtremum<Opcode::MaxSI, Opcode::AndI>);
  table.add<arith::MinSIOp>(signedExtremum<Opcode::MinSI, Opcode::OrI>);
  table.add<arith::MaxUIOp>(integerOp<Opcode::MaxUI>);
  table.add<arith::MinUIOp>(integerOp<Opcode::MinUI>);
  table.add<arith::MulSIExtendedOp>(extendedMultiply<Opcode::MulHighSI>);
  table.add<arith::MulUIExtendedOp>(extendedMultiply<Opcode::MulHighUI>);
  table.add<arith::AddFOp>(compileAddF);
  table.add<arith::SubFOp>(floatOp<Opcode::SubF, Opcode::SubD>);
  table.add<arith::MulFOp>(compileMulF);
  table.add<arith::DivFOp>(floatOp<Opcode::DivF, Opcode::DivD>);
  table.add<arith::NegFOp>(floatOp<Opcode::NegF, Opcode::NegD>);
  table.add<arith::RemFOp>(binaryFunction<BinaryFn::Rem>);
  table.add<arith::MaxNumFOp>(extremum<BinaryFn::MaxNum, Opcode::MaxF>);
  table.add<arith::MinNumFOp>(extremum<BinaryFn::MinNum, Opcode::MinF>);
  table.add<arith::MaximumFOp>(binaryFunction<BinaryFn::Maximum>);
  table.add<arith::MinimumFOp>(binaryFunction<BinaryFn::Minimum>);
  table.add<arith::CmpIOp>(compileCmpI);
  table.add<arith::CmpFOp>(compileCmpF);
  table.add<arith::SelectOp>(compileSelect);
  table.add<arith::ExtFOp>(convertFloat);
  table.add<arith::TruncFOp>(convertFloat);
  table.add<arith::FPToSIOp>(floatToInteger<false>);
  table.add<arith::FPToUIOp>(floatToInteger<true>);
  table.add<arith::SIToFPOp>(integerToFloat<false>);
  table.add<arith::UIToFPOp>(integerToFloat<true>);
  table.add<arith::ExtSIOp>(compileExtSI);
  table.add<arith::ExtUIOp>(compileExtUI);
  table.add<arith::TruncIOp>(compileTruncI);
  table.add<arith::IndexCastOp>(compileIndexCast<false>);
  table.add<arith::IndexCastUIOp>(compileIndexCast<true>);
  table.add<arith::BitcastOp>(compileBitcast);
  table.add<tile::CastOp>(compileTileCast);
}
