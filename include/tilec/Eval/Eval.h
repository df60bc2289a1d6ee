//===- Eval.h - the reference evaluator -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels and launch programs of the tile dialect on the CPU, at every stage up to `schedule`. It is the
// reference of `check … against`, so it does what LANGUAGE says and nothing cleverer: scalar arithmetic in
// the types written, gemm and reductions in f64 rounded once. What the language leaves undefined it reports
// with the place in the `.tile` file: reads of elements nobody wrote, indices outside a tile, false
// `assume`s.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_EVAL_EVAL_H
#define TILEC_EVAL_EVAL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "tilec/Check/Element.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tilec::eval {

/// A tensor in the caller's memory. The kernel's own extents and strides say how it is indexed; `elements` is
/// how many elements, without gaps, the memory has: a tensor that would reach beyond is an error.
struct Buffer {
  void *data = nullptr;
  ElementKind kind = ElementKind::F32;
  int64_t elements = 0;
  /// A byte an element: was it written? Null: all were. Reading one that was not is an error.
  uint8_t *init = nullptr;
  /// What the launch program sees as the pointer (alignment, overlap, null); 0: `data`.
  uint64_t address = 0;
};

/// An argument: a tensor for a `!tile.ptr`, an integer (or i1) or a float for a scalar. A float argument is
/// rounded to the parameter's type.
using Arg = std::variant<Buffer, int64_t, double>;

struct EvalOptions {
  /// Order of the iterations of a `parallel`, of the blocks, and of the roles. Results that differ mean that
  /// iterations conflict.
  enum class Order { Forward, Reverse };
  Order order = Order::Forward;
  /// Blocks that a persistent grid runs with.
  int64_t numSms = 1;
  bool checkUninitialised = true;
  /// If not empty: only these blocks (x, y, z) of every grid run. A sample of a large output.
  std::vector<std::array<int64_t, 3>> blocks;
  /// Trips of sequential loops before the run is given up; 0: no limit.
  uint64_t maxSteps = 0;
  /// If set: gives memory to a tensor argument (by its number) of a kernel that has less than the `elements`
  /// which the kernel's shape for it needs.
  std::function<Buffer(unsigned argument, int64_t elements)> allocate;
};

enum class ErrorKind {
  None,
  Refused,     ///< a requirement of the launch program does not hold; `message` is its text
  Assertion,   ///< `assert`; `message` is "file:line: assertion failed: text"
  Undefined,   ///< the program did something that has no meaning
  Deadlock,    ///< no role can go on
  Limit,       ///< maxSteps
  Unsupported, ///< the module has something the evaluator does not know, or the arguments do not fit
};

struct EvalResult {
  ErrorKind kind = ErrorKind::None;
  std::string message;
  /// Where, if `kind` is not None or Unsupported; a CallSiteLoc inside an inlined `fn`.
  std::optional<mlir::Location> location;
  /// The block that ran then.
  std::optional<std::array<int64_t, 3>> block;
  /// The output of `print`, in order, a line each.
  std::string printed;

  bool succeeded() const { return kind == ErrorKind::None; }
  /// `file:line:col: error: message`, a note for every caller of an inlined `fn`, and the block. Assertions
  /// and refusals are their text alone, as a launch on a device would give it.
  std::string describe() const;
};

struct Program;

/// Compiles the kernels of a module as they are asked for and keeps them. The module must not change
/// meanwhile.
class Evaluator {
public:
  explicit Evaluator(mlir::ModuleOp module);
  ~Evaluator();

  /// Runs the `tile.entry` or `tile.kernel` of that name. Arguments are those of its operation, in order.
  EvalResult run(llvm::StringRef symbol, llvm::ArrayRef<Arg> args, const EvalOptions &options = {});

  /// The program of a kernel or launch program, compiled on first use; null with `error` filled if it holds
  /// something the evaluator does not know.
  const Program *compile(mlir::Operation *function, EvalResult &error);
  mlir::ModuleOp getModule() const { return module; }

private:
  mlir::ModuleOp module;
  std::vector<std::pair<mlir::Operation *, std::unique_ptr<Program>>> programs;
};

/// The kind of a tile dialect element type (`ui8`, `tf32`, …). Fails for types no tensor has.
std::optional<ElementKind> elementKindOf(mlir::Type element);

} // namespace tilec::eval

#endif // TILEC_EVAL_EVAL_H
