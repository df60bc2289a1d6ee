//===- Interpreter.h - running a launch program ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the printed stub does, without a compiler: evaluates a launch program for given arguments and answers
// which kernels it would launch. The arithmetic is HostFunctions.inc, the same text that stubs contain.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_RUNNER_INTERPRETER_H
#define TILEC_RUNNER_INTERPRETER_H

#include "tilec/Runner/LaunchProgram.h"
#include <string>
#include <vector>

namespace tilec::runner {

/// A value of a launch program: integers (sign-extended; a bool is 0 or 1) and pointers in `integer`, floats,
/// which hold a value of their type, in `real`.
struct Value {
  int64_t integer = 0;
  double real = 0;
};

/// One kernel launch. A grid with an extent of zero or less is not among the answers.
struct KernelLaunch {
  std::string kernel;
  std::array<int64_t, 3> grid = {1, 1, 1};
  unsigned threads = 0;
  std::array<unsigned, 3> cluster = {1, 1, 1};
  unsigned sharedBytes = 0;
  std::vector<std::string> parameters; ///< the bytes of each, in the kernel's types
};

struct LaunchResult {
  std::vector<KernelLaunch> launches;
  std::string failure; ///< the text of the requirement that does not hold, with its values; empty: none
};

/// Runs the program for a device with so many multiprocessors. Scalars of narrow float types are rounded to
/// them first, as the stub does.
LaunchResult interpret(const launch::Program &program, std::vector<Value> args, unsigned smCount);

} // namespace tilec::runner

#endif // TILEC_RUNNER_INTERPRETER_H
