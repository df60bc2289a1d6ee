//===- CompileLaunch.cpp - launch programs --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's part of an entry point: requirements, questions about pointers, launches. A pointer's view holds
// its address as the launch program sees it in `offset`.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

static LogicalResult compileRequire(Compiler &c, Operation *op) {
  auto require = cast<tile::RequireOp>(op);
  SmallVector<std::pair<ScalarInfo, uint32_t>, 4> operands;
  for (Value value : require.getArgs())
    operands.push_back({Compiler::scalarInfo(value.getType()), c.slotOf(value)});
  const unsigned refusal = c.addClosure([operands, text = require.getText().str()](Machine &m) {
    std::string message;
    for (size_t i = 0; i < text.size(); ++i) {
      const size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
      unsigned number = 0;
      if (close == std::string::npos || StringRef(text).slice(i + 1, close).getAsInteger(10, number) ||
          number >= operands.size()) {
        message += text[i];
        continue;
      }
      message += formatScalar(operands[number].first, false, m.slot(operands[number].second));
      i = close;
    }
    return m.fail(message, ErrorKind::Refused);
  });
  c.emit(op->getLoc(), {Opcode::CallIfNot, 0, c.slotOf(require.getCondition()), refusal});
  return success();
}

static LogicalResult compilePtrAligned(Compiler &c, Operation *op) {
  auto aligned = cast<tile::PtrAlignedOp>(op);
  const unsigned pointer = c.viewOf(aligned.getPtr()), to = c.slotOf(aligned.getResult());
  const uint64_t alignment = aligned.getAlignment();
  c.call(op->getLoc(), [=](Machine &m) {
    m.slot(to).i = static_cast<uint64_t>(m.view(pointer).offset) % alignment == 0;
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compilePtrNull(Compiler &c, Operation *op) {
  auto null = cast<tile::PtrNullOp>(op);
  const unsigned pointer = c.viewOf(null.getPtr()), to = c.slotOf(null.getResult());
  c.call(op->getLoc(), [=](Machine &m) {
    m.slot(to).i = m.view(pointer).offset == 0;
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileOverlap(Compiler &c, Operation *op) {
  auto overlap = cast<tile::OverlapOp>(op);
  const unsigned lhs = c.viewOf(overlap.getLhs()), rhs = c.viewOf(overlap.getRhs());
  const unsigned lhsBytes = c.slotOf(overlap.getLhsBytes()), rhsBytes = c.slotOf(overlap.getRhsBytes());
  const unsigned to = c.slotOf(overlap.getResult());
  c.call(op->getLoc(), [=](Machine &m) {
    const uint64_t a = static_cast<uint64_t>(m.view(lhs).offset),
                   b = static_cast<uint64_t>(m.view(rhs).offset);
    const int64_t aBytes = m.slot(lhsBytes).i, bBytes = m.slot(rhsBytes).i;
    m.slot(to).i = aBytes > 0 && bBytes > 0 &&
                   (a <= b ? b - a < static_cast<uint64_t>(aBytes) : a - b < static_cast<uint64_t>(bBytes));
    return Outcome::Ok;
  });
  return success();
}

static LogicalResult compileLaunch(Compiler &c, Operation *op) {
  auto launch = cast<tile::LaunchOp>(op);
  auto kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(op, launch.getKernelAttr());
  if (!kernel)
    return c.unsupported(op, "there is no kernel '" + launch.getKernel() + "'");
  const auto extents = c.slotsOf(launch.getGrid());
  SmallVector<std::pair<bool, uint32_t>, 8> arguments; // is it a pointer; its view or slot
  for (Value argument : launch.getArgs()) {
    const bool isPointer = Compiler::isObject(argument.getType());
    arguments.push_back({isPointer, isPointer ? c.viewOf(argument) : c.slotOf(argument)});
  }
  Evaluator &evaluator = c.evaluator;
  c.call(op->getLoc(), [=, &evaluator](Machine &m) {
    SmallVector<int64_t, 3> grid;
    for (uint32_t slot : extents)
      grid.push_back(m.slot(slot).i);
    if (llvm::any_of(grid, [](int64_t extent) { return extent <= 0; }))
      return Outcome::Ok;
    const Program *program = evaluator.compile(kernel, m.result);
    if (!program)
      return Outcome::Failed;
    Machine device(*program, m.options, m.result);
    device.launchGrid = grid;
    for (auto [from, to] : llvm::zip_equal(arguments, program->arguments)) {
      if (!from.first)
        device.slot(to) = m.slot(from.second);
      else
        device.view(to) = m.view(from.second);
    }
    uint32_t pc = 0;
    return device.execute(pc);
  });
  return success();
}

void eval::addLaunchHandlers(HandlerTable &table) {
  table.add<tile::LaunchOp>(compileLaunch);
  table.add<tile::OverlapOp>(compileOverlap);
  table.add<tile::PtrAlignedOp>(compilePtrAligned);
  table.add<tile::PtrNullOp>(compilePtrNull);
  table.add<tile::RequireOp>(compileRequire);
}
