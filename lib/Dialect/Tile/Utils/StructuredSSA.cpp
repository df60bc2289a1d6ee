//===- StructuredSSA.cpp - mutable slots as SSA values -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates and extends scf.if, scf.for and scf.while; which slots their operands and results stand for is the
// callers' business (see the header).
//
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/Utils/StructuredSSA.h"

namespace tilec::tile::detail {

using namespace mlir;

scf::IfOp createIf(OpBuilder &builder, Location loc, Value condition, TypeRange types, BodyFn thenBody,
                   BodyFn elseBody) {
  auto op = scf::IfOp::create(builder, loc, types, condition, /*addThenBlock=*/true,
                              /*addElseBlock=*/static_cast<bool>(elseBody));
  auto fill = [&](Block *block, BodyFn body) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    Carried values = body();
    builder.setInsertionPointToEnd(block);
    scf::YieldOp::create(builder, loc, values);
  };
  fill(op.thenBlock(), thenBody);
  if (elseBody)
    fill(op.elseBlock(), elseBody);
  return op;
}

scf::ForOp createFor(OpBuilder &builder, Location loc, Value lo, Value hi, Value step, ValueRange inits,
                     llvm::function_ref<Carried(Value, ValueRange)> body) {
  return scf::ForOp::create(builder, loc, lo, hi, step, inits,
                            [&](OpBuilder &, Location, Value index, ValueRange args) {
                              Carried values = body(index, args);
                              scf::YieldOp::create(builder, loc, values);
                            });
}

scf::WhileOp createWhile(OpBuilder &builder, Location loc, ValueRange inits,
                         llvm::function_ref<Value(ValueRange)> condition,
                         llvm::function_ref<Carried(ValueRange)> body) {
  return scf::WhileOp::create(
      builder, loc, inits.getTypes(), inits,
      [&](OpBuilder &, Location, ValueRange args) {
        Value more = condition(args);
        scf::ConditionOp::create(builder, loc, more, args);
      },
      [&](OpBuilder &, Location, ValueRange args) {
        Carried values = body(args);
        scf::YieldOp::create(builder, loc, values);
      });
}

/// Appends operands to a block's scf.yield.
static void appendToYield(RewriterBase &rewriter, Block *block, ValueRange values) {
  Operation *yield = block->getTerminator();
  rewriter.modifyOpInPlace(yield, [&] { yield->insertOperands(yield->getNumOperands(), values); });
}

/// Moves attributes and the results' uses from `from` to `to`, which has further results, and erases `from`.
static void takeOver(RewriterBase &rewriter, Operation *from, Operation *to) {
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  rewriter.replaceAllUsesWith(from->getResults(), to->getResults().take_front(from->getNumResults()));
  rewriter.eraseOp(from);
}

static SmallVector<Type> appended(TypeRange first, TypeRange second) {
  SmallVector<Type> types(first.begin(), first.end());
  types.append(second.begin(), second.end());
  return types;
}

static SmallVector<Value> appended(ValueRange first, ValueRange second) {
  SmallVector<Value> values(first.begin(), first.end());
  values.append(second.begin(), second.end());
  return values;
}

scf::IfOp extendIf(RewriterBase &rewriter, scf::IfOp op, TypeRange types,
                   llvm::function_ref<Carried(Block *)> branch) {
  Location loc = op.getLoc();
  auto extended = scf::IfOp::create(rewriter, loc, appended(op.getResultTypes(), types), op.getCondition(),
                                    /*addThenBlock=*/false, /*addElseBlock=*/false);
  extended.getThenRegion().takeBody(op.getThenRegion());
  extended.getElseRegion().takeBody(op.getElseRegion());
  if (extended.getElseRegion().empty()) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.createBlock(&extended.getElseRegion());
    scf::YieldOp::create(rewriter, loc);
  }
  for (Block *block : {extended.thenBlock(), extended.elseBlock()})
    appendToYield(rewriter, block, branch(block));
  takeOver(rewriter, op, extended);
  return extended;
}

/// Adds block arguments of the values' types.
static ValueRange addArguments(Block *block, ValueRange inits, Location loc) {
  unsigned first = block->getNumArguments();
  for (Value init : inits)
    block->addArgument(init.getType(), loc);
  return block->getArguments().drop_front(first);
}

scf::ForOp extendFor(RewriterBase &rewriter, scf::ForOp op, ValueRange inits,
                     llvm::function_ref<Carried(Block *, ValueRange)> body) {
  Location loc = op.getLoc();
  auto extended =
      scf::ForOp::create(rewriter, loc, op.getLowerBound(), op.getUpperBound(), op.getStep(),
                         appended(op.getInitArgs(), inits), /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  extended.getRegion().takeBody(op.getRegion());
  Block *block = extended.getBody();
  ValueRange args = addArguments(block, inits, loc);
  appendToYield(rewriter, block, body(block, args));
  takeOver(rewriter, op, extended);
  return extended;
}

scf::WhileOp extendWhile(RewriterBase &rewriter, scf::WhileOp op, ValueRange inits,
                         llvm::function_ref<Carried(Block *, ValueRange)> region) {
  Location loc = op.getLoc();
  TypeRange types = inits.getTypes();
  auto extended = scf::WhileOp::create(rewriter, loc, appended(op.getResultTypes(), types),
                                       appended(op.getInits(), inits));
  extended.getBefore().takeBody(op.getBefore());
  extended.getAfter().takeBody(op.getAfter());

  Block *before = extended.getBeforeBody();
  ValueRange beforeArgs = addArguments(before, inits, loc);
  Carried kept = region(before, beforeArgs);
  scf::ConditionOp condition = extended.getConditionOp();
  rewriter.modifyOpInPlace(condition, [&] { condition.getArgsMutable().append(kept); });

  Block *after = extended.getAfterBody();
  ValueRange afterArgs = addArguments(after, inits, loc);
  appendToYield(rewriter, after, region(after, afterArgs));
  takeOver(rewriter, op, extended);
  return extended;
}

} // namespace tilec::tile::detail
