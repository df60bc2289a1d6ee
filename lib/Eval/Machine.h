//===- Machine.h - runs bytecode ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one run of a program: slots, views, and what the closures keep between calls. `execute` runs
// a piece of code until its Halt, an error, or a closure that blocks (a ring operation of a role); it is
// re-entrant, which is how grids, roles and launches run their bodies.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EVAL_MACHINE_H
#define TILEC_LIB_EVAL_MACHINE_H

#include "Bytecode.h"
#include "tilec/Eval/Eval.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <deque>
#include <map>

namespace tilec::eval {

/// What a closure remembers between calls (rings, gates): one per object, made by its first operation.
struct State {
  virtual ~State() = default;
};

class Machine {
public:
  Machine(const Program &program, const EvalOptions &options, EvalResult &result);

  /// Runs from `pc` on; when blocked or failed `pc` is the instruction that did.
  Outcome execute(uint32_t &pc);

  Slot &slot(unsigned index) { return slots[index]; }
  View &view(unsigned index) { return views[index]; }
  bool isReverse() const { return options.order == EvalOptions::Order::Reverse; }

  /// Records the error of the instruction that runs now. Answers Outcome::Failed.
  Outcome fail(const llvm::Twine &message, ErrorKind kind = ErrorKind::Undefined);
  /// The location of the instruction that runs now.
  mlir::Location location() const { return program.locations[current]; }

  /// Fresh storage of a tile, all of which the caller writes, or none.
  TileRef allocate(ElementKind kind, int64_t count, bool initialised);
  /// Fresh storage that nobody has written, as far as this run checks that.
  TileRef allocateUnwritten(ElementKind kind, int64_t count);

  /// Storage of the tile in `view` that may be written without anybody else seeing it.
  /// Makes `view` the only owner of a copy if it is shared.
  void makeUnique(View &view);

  /// Offset in elements of the access whose indices are in the given slots. False if it is out of bounds;
  /// then `badDim` and `badIndex` say where.
  bool offsetOf(const View &view, const uint32_t *indexSlots, int64_t &offset, unsigned &badDim) const;
  Outcome failOutOfBounds(const View &view, const uint32_t *indexSlots, unsigned badDim);
  Outcome failUninitialised(const uint32_t *indexSlots, unsigned count);

  const Program &program;
  const EvalOptions &options;
  EvalResult &result;
  std::vector<std::unique_ptr<State>> states;
  std::vector<std::vector<uint32_t>> stamps;
  uint64_t stepsLeft;
  /// Counts ring operations that went through; a round of all roles without one is a deadlock.
  uint64_t progress = 0;
  int64_t blockIndex[3] = {0, 0, 0};
  bool inBlock = false;
  /// Extents that the launch program gave; empty: the kernel was run on its own.
  llvm::SmallVector<int64_t, 3> launchGrid;
  /// What the closure that answered Blocked waits for.
  std::string blockedOn;

  /// The role that runs: 0 outside of roles, else one plus its number.
  unsigned role = 0;
  /// Threads of each role, [0] of all.
  std::vector<int64_t> roleThreads;
  struct Barrier {
    int64_t arrived = 0; ///< threads
    uint64_t generation = 0;
    std::map<unsigned, uint64_t> waiting; ///< by role: the generation that it waits for to end
  };
  std::map<unsigned, Barrier> barriers;
  /// By role: gemms that were started, in order, and the shared tiles that they read until they are awaited.
  std::map<unsigned, std::deque<std::pair<uint64_t, llvm::SmallVector<TileRef, 2>>>> started;
  uint64_t lastStarted = 0;

private:
  std::vector<Slot> slots;
  std::vector<View> views;
  uint32_t current = 0;
};

/// The combination that an update or atomic makes, in the type of the element.
Slot combine(ElementKind kind, unsigned updateKind, Slot old, Slot value);

/// Makes `pointer`, the view of a `!tile.ptr`, point at a buffer. Its `offset` is the address as the launch
/// program sees it, its extent the buffer's elements, and `lo` of that dimension the number of the argument.
void bindBuffer(View &pointer, const Buffer &buffer, const EvalOptions &options);

/// `file:line` of a location, of the innermost callee where `fn`s were inlined.
std::string fileAndLine(mlir::Location loc);

} // namespace tilec::eval

#endif // TILEC_LIB_EVAL_MACHINE_H
