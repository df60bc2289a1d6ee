//===- Compiler.h - operations to bytecode --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles one `tile.kernel` or `tile.entry`. Every operation has a handler in a table, filled by one
// function per family (Compile*.cpp); a handler emits instructions, or a closure that works on whole tiles.
//
// Three things are done for speed, none of which changes what is computed: scalar arithmetic that does not
// depend on a loop is emitted in front of it, a product that only a sum uses becomes one instruction with it
// (rounded twice still), and a comparison that only a branch uses is part of the branch.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EVAL_COMPILER_H
#define TILEC_LIB_EVAL_COMPILER_H

#include "Bytecode.h"
#include "Machine.h"
#include "Regions.h"
#include "mlir/IR/Operation.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <unordered_map>

namespace tilec::eval {

class Compiler;
using Handler = llvm::LogicalResult (*)(Compiler &, mlir::Operation *);

class HandlerTable {
public:
  template <typename Op> void add(Handler handler) { handlers[Op::getOperationName()] = handler; }
  Handler lookup(llvm::StringRef name) const { return handlers.lookup(name); }

private:
  llvm::StringMap<Handler> handlers;
};

void addArithHandlers(HandlerTable &table);
void addMathHandlers(HandlerTable &table);
void addControlHandlers(HandlerTable &table);
void addObjectHandlers(HandlerTable &table);
void addComputeHandlers(HandlerTable &table);
void addParallelHandlers(HandlerTable &table);
void addLaunchHandlers(HandlerTable &table);
void addScheduleHandlers(HandlerTable &table);

/// How a scalar type lies in a slot.
struct ScalarInfo {
  bool isFloat = false;
  bool isDouble = false;
  ElementKind kind = ElementKind::F32; ///< of floats
  unsigned width = 64;                 ///< of integers
  unsigned shift() const { return 64 - width; }
};

/// The number of the update (tile::UpdateKind) that an atomic makes.
unsigned updateOfAtomic(tile::AtomicKind kind);

/// A scalar as `print` writes it.
std::string formatScalar(const ScalarInfo &info, bool isUnsigned, Slot value);

class Compiler {
public:
  /// `evaluator` gives the programs of kernels that a launch program launches.
  Compiler(Evaluator &evaluator, Program &program);
  /// Compiles `function`, a kernel or an entry. On failure `error` and `errorLocation` say what and where.
  llvm::LogicalResult compile(mlir::Operation *function);

  std::string error;
  std::optional<mlir::Location> errorLocation;
  Evaluator &evaluator;
  Program &program;

  /// Answers failure and records why; the first reason stands.
  llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &why);

  // Registers. A value gets its register when it is first defined or used.
  unsigned newSlot() { return program.numSlots++; }
  unsigned newView(mlir::Type type);
  unsigned slotOf(mlir::Value value);
  unsigned viewOf(mlir::Value value);
  unsigned constant(Slot value);
  unsigned constant(int64_t value) { return constant(slotOfInt(value)); }
  /// `value` from now on is what the register of `other` holds.
  void alias(mlir::Value value, mlir::Value other);
  void bindSlot(mlir::Value value, unsigned slot) { slots[value] = slot; }
  void bindView(mlir::Value value, unsigned view) { views[value] = view; }
  bool hasRegister(mlir::Value value) const { return slots.contains(value) || views.contains(value); }
  unsigned newState() { return program.numStates++; }
  /// The state of a ring or gate: a number of Machine::states.
  unsigned stateOf(mlir::Value value);
  void bindState(mlir::Value value, unsigned state) { statesOf[value] = state; }

  // Emission.
  uint32_t here() const { return static_cast<uint32_t>(program.code.size()); }
  uint32_t emit(mlir::Location loc, Instr instr);
  Instr &at(uint32_t position) { return program.code[position]; }
  void call(mlir::Location loc, Closure closure);
  unsigned addClosure(Closure closure);
  /// The values `from` become the values of the registers of `to`, all at once.
  void moveAll(mlir::Location loc, mlir::ValueRange from, mlir::ValueRange to);
  /// Slots of the values, as the index table or a Region wants them.
  llvm::SmallVector<uint32_t, 4> slotsOf(mlir::ValueRange values);
  uint32_t indexList(mlir::ValueRange values);
  Region region(mlir::Value object, mlir::ValueRange offsets, llvm::ArrayRef<int64_t> extents);
  /// All of an object with static extents.
  Region wholeOf(mlir::Value object);

  llvm::LogicalResult compileOp(mlir::Operation *op);
  /// All operations of the block but its terminator.
  llvm::LogicalResult compileBody(mlir::Block &block);
  /// Emits what a loop's body computes from outside values alone. Must run before the loop's block arguments
  /// get registers.
  llvm::LogicalResult hoistInvariants(mlir::Region &body);

  static ScalarInfo scalarInfo(mlir::Type type);
  static bool isObject(mlir::Type type);

  /// Operations whose only user computes them itself.
  llvm::DenseSet<mlir::Operation *> deferred;

private:
  const HandlerTable &table;
  llvm::DenseMap<mlir::Value, unsigned> slots, views, statesOf;
  std::unordered_map<uint64_t, unsigned> constants; // any key may occur, -1 too
  llvm::DenseSet<mlir::Operation *> hoisted;
};

} // namespace tilec::eval

#endif // TILEC_LIB_EVAL_COMPILER_H
