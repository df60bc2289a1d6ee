//===- Compiler.cpp - operations to bytecode ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers, emission, and the walk over operations. What each operation means is in Compile*.cpp.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

static const HandlerTable &handlerTable() {
  static const HandlerTable table = [] {
    HandlerTable t;
    addArithHandlers(t);
    addMathHandlers(t);
    addControlHandlers(t);
    addObjectHandlers(t);
    addComputeHandlers(t);
    addParallelHandlers(t);
    addLaunchHandlers(t);
    addScheduleHandlers(t);
    return t;
  }();
  return table;
}

Compiler::Compiler(Evaluator &evaluator, Program &program)
    : evaluator(evaluator), program(program), table(handlerTable()) {}

LogicalResult Compiler::unsupported(Operation *op, const Twine &why) {
  if (error.empty()) {
    error = why.str();
    errorLocation = op->getLoc();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<ElementKind> eval::elementKindOf(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element)) {
    const bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return ElementKind::Bool;
    case 4:
      return isUnsigned ? ElementKind::U4 : ElementKind::I4;
    case 8:
      return isUnsigned ? ElementKind::U8 : ElementKind::I8;
    case 16:
      return isUnsigned ? ElementKind::U16 : ElementKind::I16;
    case 32:
      return isUnsigned ? ElementKind::U32 : ElementKind::I32;
    case 64:
      return isUnsigned ? ElementKind::U64 : ElementKind::I64;
    default:
      return std::nullopt;
    }
  }
  if (element.isF16())
    return ElementKind::F16;
  if (element.isBF16())
    return ElementKind::BF16;
  if (element.isTF32())
    return ElementKind::TF32;
  if (element.isF32())
    return ElementKind::F32;
  if (element.isF64())
    return ElementKind::F64;
  if (isa<Float8E4M3FNType>(element))
    return ElementKind::E4M3;
  if (isa<Float8E5M2Type>(element))
    return ElementKind::E5M2;
  return std::nullopt;
}

ScalarInfo Compiler::scalarInfo(Type type) {
  ScalarInfo info;
  if (isa<FloatType>(type)) {
    info.isFloat = true;
    info.kind = elementKindOf(type).value_or(ElementKind::F32);
    info.isDouble = info.kind == ElementKind::F64;
  } else if (auto integer = dyn_cast<IntegerType>(type)) {
    info.width = integer.getWidth();
  }
  return info;
}

bool Compiler::isObject(Type type) {
  return isa<tile::ObjectTypeInterface, tile::PtrType, tile::TokenType, tile::TensorMapType>(type);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

unsigned Compiler::newView(Type type) {
  View view;
  if (auto pointer = dyn_cast<tile::PtrType>(type)) {
    view.kind = *elementKindOf(pointer.getElementType());
    view.global = true;
  } else if (auto object = dyn_cast<tile::ObjectTypeInterface>(type)) {
    view.kind = *elementKindOf(object.getElementType());
    view.global = isa<tile::GlobalType>(type);
    view.rank = static_cast<uint8_t>(object.getRank());
    if (!view.global)
      setDenseShape(view, object.getShape());
  }
  program.views.push_back(view);
  return static_cast<unsigned>(program.views.size() - 1);
}

unsigned Compiler::slotOf(Value value) {
  auto [it, isNew] = slots.try_emplace(value, 0);
  if (isNew)
    it->second = newSlot();
  return it->second;
}

unsigned Compiler::viewOf(Value value) {
  if (auto it = views.find(value); it != views.end())
    return it->second;
  const unsigned view = newView(value.getType());
  views[value] = view;
  return view;
}

unsigned Compiler::stateOf(Value value) {
  auto [it, isNew] = statesOf.try_emplace(value, 0);
  if (isNew)
    it->second = newState();
  return it->second;
}

unsigned Compiler::constant(Slot value) {
  auto [it, isNew] = constants.try_emplace(value.u, 0);
  if (isNew) {
    it->second = newSlot();
    program.constants.push_back({it->second, value});
  }
  return it->second;
}

void Compiler::alias(Value value, Value other) {
  if (isObject(value.getType()))
    views[value] = viewOf(other);
  else
    slots[value] = slotOf(other);
}

SmallVector<uint32_t, 4> Compiler::slotsOf(ValueRange values) {
  SmallVector<uint32_t, 4> result;
  for (Value value : values)
    result.push_back(slotOf(value));
  return result;
}

uint32_t Compiler::indexList(ValueRange values) {
  const uint32_t first = static_cast<uint32_t>(program.indices.size());
  for (Value value : values)
    program.indices.push_back(slotOf(value));
  return first;
}

eval::Region Compiler::region(Value object, ValueRange offsets, ArrayRef<int64_t> extents) {
  eval::Region result;
  result.view = viewOf(object);
  result.offsets = slotsOf(offsets);
  result.extents.assign(extents.begin(), extents.end());
  return result;
}

eval::Region Compiler::wholeOf(Value object) {
  eval::Region result;
  result.view = viewOf(object);
  auto type = cast<tile::ObjectTypeInterface>(object.getType());
  result.extents.assign(type.getShape().begin(), type.getShape().end());
  result.offsets.assign(result.extents.size(), constant(int64_t(0)));
  return result;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

uint32_t Compiler::emit(Location loc, Instr instr) {
  program.code.push_back(instr);
  program.locations.push_back(loc);
  return here() - 1;
}

unsigned Compiler::addClosure(Closure closure) {
  program.closures.push_back(std::move(closure));
  return static_cast<unsigned>(program.closures.size() - 1);
}

void Compiler::call(Location loc, Closure closure) {
  Instr instr{Opcode::Call};
  instr.a = addClosure(std::move(closure));
  emit(loc, instr);
}

void Compiler::moveAll(Location loc, ValueRange from, ValueRange to) {
  struct Move {
    bool isView;
    uint32_t to, from;
  };
  SmallVector<Move> moves;
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    const bool isView = isObject(target.getType());
    const uint32_t t = isView ? viewOf(target) : slotOf(target), s = isView ? viewOf(source) : slotOf(source);
    if (t != s)
      moves.push_back({isView, t, s});
  }
  auto move = [&](bool isView, uint32_t t, uint32_t s) {
    Instr instr{isView ? Opcode::MoveView : Opcode::Move};
    instr.a = t;
    instr.b = s;
    emit(loc, instr);
  };
  // A source that an earlier move overwrites is saved first.
  for (size_t i = 0; i < moves.size(); ++i)
    for (size_t j = i + 1; j < moves.size(); ++j)
      if (moves[j].isView == moves[i].isView && moves[j].from == moves[i].to) {
        uint32_t saved;
        if (moves[j].isView) {
          program.views.push_back(program.views[moves[j].from]);
          saved = static_cast<uint32_t>(program.views.size() - 1);
        } else {
          saved = newSlot();
        }
        move(moves[j].isView, saved, moves[j].from);
        moves[j].from = saved;
      }
  for (const Move &m : moves)
    move(m.isView, m.to, m.from);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult Compiler::compileOp(Operation *op) {
  if (hoisted.contains(op))
    return success();
  Handler handler = table.lookup(op->getName().getStringRef());
  if (!handler)
    return unsupported(op, "the evaluator does not know '" + op->getName().getStringRef() + "'");
  return handler(*this, op);
}

LogicalResult Compiler::compileBody(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(compileOp(&op)))
      return failure();
  return success();
}

LogicalResult Compiler::hoistInvariants(mlir::Region &body) {
  for (Block &block : body)
    for (Operation &op : block) {
      if (hoisted.contains(&op))
        continue;
      if (isa<scf::SCFDialect>(op.getDialect()) || isa<tile::ParallelOp>(op)) {
        for (mlir::Region &nested : op.getRegions())
          if (failed(hoistInvariants(nested)))
            return failure();
        continue;
      }
      // None of these can fail or trap, so it does no harm to run one that the program would not have run.
      if (!isa<arith::ArithDialect>(op.getDialect()) ||
          !llvm::all_of(op.getOperands(), [&](Value operand) { return hasRegister(operand); }))
        continue;
      if (failed(compileOp(&op)))
        return failure();
      hoisted.insert(&op);
    }
  return success();
}

LogicalResult Compiler::compile(Operation *function) {
  auto callable = cast<FunctionOpInterface>(function);
  for (BlockArgument argument : callable.getArguments())
    program.arguments.push_back(isObject(argument.getType()) ? viewOf(argument) : slotOf(argument));
  if (failed(compileBody(callable.getFunctionBody().front())))
    return failure();
  emit(function->getLoc(), {Opcode::Halt});
  return success();
}
