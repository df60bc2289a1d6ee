//===- Fiber.h - threads that take turns ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack of its own and a switch, by Boost.Context. The lower interface is used, not boost::context::fiber:
// a block that ends early drops its fibers where they are, and that one would unwind them through code
// without unwind tables.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_FIBER_H
#define TILEC_LIB_EMU_FIBER_H

#include <cstddef>
#include <memory>
#include <vector>

namespace tilec::emu {

/// Stacks of one size with a guard page below each, used again and again.
class Stacks {
public:
  /// The most a frame of a kernel has: spilled fragments of a large tile take 100 KiB.
  static constexpr size_t bytes = size_t(1) << 20;

  Stacks() = default;
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;
  ~Stacks();
  /// The upper end of stack `index`; null if there is no memory.
  char *get(size_t index);

private:
  std::vector<char *> stacks;
};

class Fiber {
public:
  using Function = void (*)(void *argument);

  /// Ready to run `function` on that stack; what it did before is dropped.
  void start(char *stackTop, Function function, void *argument);
  /// Runs until the fiber yields or its function returns. Not from within a fiber.
  void resume();
  /// Back to whoever resumed this fiber, which is the one that runs.
  void yield();

private:
  struct Entry;
  void *context = nullptr, *resumer = nullptr;
  Function function = nullptr;
  void *argument = nullptr;
  char *top = nullptr;
};

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_FIBER_H
