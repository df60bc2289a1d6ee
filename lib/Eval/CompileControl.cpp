//===- CompileControl.cpp - sequential control flow -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scf.for, scf.if, scf.while: jumps, and moves of what regions yield. Results of a loop live where its
// carried values do.
//
//===----------------------------------------------------------------------===//

#include "CompileScalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

bool eval::fusesComparison(Operation *user, Operation *comparison) {
  if (!isa<scf::IfOp>(user))
    return false;
  using P = arith::CmpIPredicate;
  auto compare = cast<arith::CmpIOp>(comparison);
  if (Compiler::scalarInfo(compare.getLhs().getType()).width == 1)
    return false;
  switch (compare.getPredicate()) {
  case P::eq:
  case P::ne:
  case P::slt:
  case P::sle:
  case P::sgt:
  case P::sge:
    return true;
  default:
    return false;
  }
}

/// A jump that is taken if the condition does not hold; its target is patched later.
static uint32_t emitJumpIfNot(Compiler &c, Location loc, Value condition) {
  Operation *definition = condition.getDefiningOp();
  if (!definition || !c.deferred.erase(definition))
    return c.emit(loc, {Opcode::JumpIfNot, 0, c.slotOf(condition)});
  auto compare = cast<arith::CmpIOp>(definition);
  unsigned a = c.slotOf(compare.getLhs()), b = c.slotOf(compare.getRhs());
  using P = arith::CmpIPredicate;
  Opcode opcode = Opcode::JumpIfNotEq;
  switch (compare.getPredicate()) {
  case P::ne:
    opcode = Opcode::JumpIfNotNe;
    break;
  case P::sgt:
    std::swap(a, b);
    [[fallthrough]];
  case P::slt:
    opcode = Opcode::JumpIfNotLt;
    break;
  case P::sge:
    std::swap(a, b);
    [[fallthrough]];
  case P::sle:
    opcode = Opcode::JumpIfNotLe;
    break;
  default:
    break;
  }
  return c.emit(loc, {opcode, 0, a, b});
}

static void patchJump(Compiler &c, uint32_t jump, uint32_t target) {
  Instr &instr = c.at(jump);
  if (instr.op == Opcode::JumpIfNot)
    instr.b = target;
  else if (instr.op == Opcode::Jump)
    instr.a = target;
  else
    instr.c = target;
}

static LogicalResult compileIf(Compiler &c, Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  const uint32_t toElse = emitJumpIfNot(c, op->getLoc(), branch.getCondition());
  if (failed(c.compileBody(*branch.thenBlock())))
    return failure();
  c.moveAll(op->getLoc(), branch.thenYield().getOperands(), branch.getResults());
  if (!branch.elseBlock()) {
    patchJump(c, toElse, c.here());
    return success();
  }
  const uint32_t toEnd = c.emit(op->getLoc(), {Opcode::Jump});
  patchJump(c, toElse, c.here());
  if (failed(c.compileBody(*branch.elseBlock())))
    return failure();
  c.moveAll(op->getLoc(), branch.elseYield().getOperands(), branch.getResults());
  patchJump(c, toEnd, c.here());
  return success();
}

static LogicalResult compileFor(Compiler &c, Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  if (loop.getUnsignedCmp())
    return c.unsupported(op, "the evaluator knows loops over signed ranges only");
  const unsigned lower = c.slotOf(loop.getLowerBound()), upper = c.slotOf(loop.getUpperBound()),
                 step = c.slotOf(loop.getStep());
  if (!loop.getConstantStep() || !loop.getConstantStep()->isStrictlyPositive())
    c.call(op->getLoc(), [=](Machine &m) {
      if (m.slot(step).i <= 0 && m.slot(lower).i < m.slot(upper).i)
        return m.fail("loop step must be positive, got " + Twine(m.slot(step).i));
      return Outcome::Ok;
    });
  if (failed(c.hoistInvariants(loop.getRegion())))
    return failure();
  for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    c.alias(result, argument);
  c.moveAll(op->getLoc(), loop.getInitArgs(), loop.getRegionIterArgs());
  const unsigned index = c.slotOf(loop.getInductionVar());
  const uint32_t begin = c.emit(op->getLoc(), {Opcode::LoopBegin, 0, index, lower, upper});
  const uint32_t body = c.here();
  if (failed(c.compileBody(*loop.getBody())))
    return failure();
  c.moveAll(op->getLoc(), loop.getYieldedValues(), loop.getRegionIterArgs());
  c.emit(op->getLoc(), {Opcode::LoopNext, 0, index, step, upper, body});
  c.at(begin).d = c.here();
  return success();
}

static LogicalResult compileWhile(Compiler &c, Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  for (mlir::Region &region : op->getRegions())
    if (failed(c.hoistInvariants(region)))
      return failure();
  c.moveAll(op->getLoc(), loop.getInits(), loop.getBeforeArguments());
  const uint32_t start = c.here();
  if (failed(c.compileBody(*loop.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  const uint32_t leave = c.emit(op->getLoc(), {Opcode::JumpIfNot, 0, c.slotOf(condition.getCondition())});
  c.moveAll(op->getLoc(), condition.getArgs(), loop.getAfterArguments());
  if (failed(c.compileBody(*loop.getAfterBody())))
    return failure();
  c.moveAll(op->getLoc(), loop.getYieldOp().getOperands(), loop.getBeforeArguments());
  c.emit(op->getLoc(), {Opcode::JumpBack, 0, start});
  patchJump(c, leave, c.here());
  c.moveAll(op->getLoc(), condition.getArgs(), loop.getResults());
  return success();
}

void eval::addControlHandlers(HandlerTable &table) {
  table.add<scf::ForOp>(compileFor);
  table.add<scf::IfOp>(compileIf);
  table.add<scf::WhileOp>(compileWhile);
}
