//===- Fiber.cpp - threads that take turns ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"
#include <boost/context/detail/fcontext.hpp>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILEC_FIBERS_WITH_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#endif

using namespace tilec::emu;
namespace context = boost::context::detail;

Stacks::~Stacks() {
  for (char *stack : stacks)
    munmap(stack, bytes);
}

char *Stacks::get(size_t index) {
  while (stacks.size() <= index) {
    void *stack =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
      return nullptr;
    mprotect(stack, static_cast<size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE);
    stacks.push_back(static_cast<char *>(stack));
  }
  return stacks[index] + bytes;
}

namespace {
/// What AddressSanitizer must know of a switch: it keeps the bounds of the stack that runs.
struct Switch {
#ifdef TILEC_FIBERS_WITH_ASAN
  void *fake = nullptr;
  Switch(const void *bottom, size_t size) { __sanitizer_start_switch_fiber(&fake, bottom, size); }
  void finish(const void **bottom, size_t *size) { __sanitizer_finish_switch_fiber(fake, bottom, size); }
#else
  Switch(const void *, size_t) {}
  void finish(const void **, size_t *) {}
#endif
};
thread_local const void *mainBottom = nullptr;
thread_local size_t mainSize = 0;
} // namespace

struct Fiber::Entry {
  static void run(context::transfer_t from) {
    auto *fiber = static_cast<Fiber *>(from.data);
    fiber->resumer = from.fctx;
#ifdef TILEC_FIBERS_WITH_ASAN
    __sanitizer_finish_switch_fiber(nullptr, &mainBottom, &mainSize);
#endif
    fiber->function(fiber->argument);
    for (;;) // never resumed again
      fiber->yield();
  }
};

void Fiber::start(char *stackTop, Function newFunction, void *newArgument) {
  function = newFunction;
  argument = newArgument;
  top = stackTop;
  context = context::make_fcontext(stackTop, Stacks::bytes, Entry::run);
}

void Fiber::resume() {
  Switch change(top - Stacks::bytes, Stacks::bytes);
  context::transfer_t back = context::jump_fcontext(context, this);
  change.finish(nullptr, nullptr);
  context = back.fctx;
}

void Fiber::yield() {
  Switch change(mainBottom, mainSize);
  context::transfer_t back = context::jump_fcontext(resumer, nullptr);
  change.finish(&mainBottom, &mainSize);
  resumer = back.fctx;
}
