//===- Runtime.cpp - what instrumented code calls ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions here run on the fiber of `currentThread`. One whose thread was stopped does not come back:
// its fiber yields and is never resumed.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "tilec/Check/Element.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include <cmath>

using namespace llvm;
using namespace tilec;
using namespace tilec::emu;

static void leaveIfOver(Thread &thread) {
  while (thread.state == Thread::State::Stopped || thread.state == Thread::State::Ended)
    thread.fiber.yield();
}

static void access(uint32_t number, void *pointer, bool isWrite) {
  Thread &thread = *currentThread;
  const Site &site = thread.block->site(number);
  uint8_t flags = site.kind == Site::Kind::Atomic ? Record::Atomic : 0;
  if (isWrite)
    thread.block->write(thread, number, pointer, site.bytes, site.alignment, flags);
  else
    thread.block->read(thread, number, pointer, site.bytes, site.alignment, flags);
  leaveIfOver(thread);
}
static void runtimeReadImpl(uint32_t site, void *pointer) { access(site, pointer, /*isWrite=*/false); }
static void runtimeWriteImpl(uint32_t site, void *pointer) { access(site, pointer, /*isWrite=*/true); }

static void runtimeExchangeImpl(uint32_t number, uint8_t *pointer, uint64_t old, uint64_t wanted) {
  Thread &thread = *currentThread;
  const Site &site = thread.block->site(number);
  uint64_t changed = old ^ wanted;
  thread.block->settle(thread, number, pointer, site.bytes);
  leaveIfOver(thread);
  if (!changed)
    return;
  unsigned first = static_cast<unsigned>(llvm::countr_zero(changed)) / 8,
           last = (63 - static_cast<unsigned>(llvm::countl_zero(changed))) / 8;
  thread.block->write(thread, number, pointer + first, last - first + 1, 1, Record::Atomic);
  leaveIfOver(thread);
}

static void runtimeCallImpl(uint32_t number, uint64_t *slots) {
  Thread &thread = *currentThread;
  const FormShape &shape = *thread.block->site(number).shape;
  if (SingleTwin twin = getTwin(*shape.form).single) {
    SingleCall call{&thread, &shape, number, slots};
    twin(call);
  } else {
    thread.state = Thread::State::AtCollective;
    thread.shape = &shape;
    thread.site = number;
    thread.slots = slots;
    thread.fiber.yield();
  }
  leaveIfOver(thread);
}

static void *runtimeSharedImpl(uint32_t object) { return currentThread->block->sharedObject(object); }

static void runtimeLoopImpl(uint32_t site) {
  Thread &thread = *currentThread;
  const LaunchInfo &launch = thread.block->launch;
  if (++thread.loops < launch.loopLimit.load(std::memory_order_relaxed))
    return;
  launch.loopLimit = launch.schedule.loopLimit / 100;
  thread.block->stop(thread, FindingKind::Endless, site,
                     thread.block->describe(thread) + " is still in this loop after " +
                         std::to_string(thread.loops) + " iterations");
  leaveIfOver(thread);
}

//===----------------------------------------------------------------------===//
// Arithmetic that the host's code generator leaves to functions
//===----------------------------------------------------------------------===//

/// a * b + c, rounded to odd: a second rounding, to at most 51 bits, then is as if it were the first (Boldo
/// and Melquiond, 2008). The product of two numbers of 24 bits is exact.
static double fmaOdd(double a, double b, double c) {
  double product = a * b, sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  double back = sum - product, error = (product - (sum - back)) + (c - back); // Knuth's TwoSum
  uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return error == 0 || (bits & 1) ? sum : std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

static uint16_t fmaF16(uint16_t a, uint16_t b, uint16_t c) {
  return encodeF16(fmaOdd(decodeF16(a), decodeF16(b), decodeF16(c)));
}
static uint16_t fmaBf16(uint16_t a, uint16_t b, uint16_t c) {
  return encodeBF16(fmaOdd(decodeBF16(a), decodeBF16(b), decodeBF16(c)));
}

/// Values of the 16-bit types as the host's functions take and give them.
template <typename T> static T fromBits(uint16_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T> static uint16_t toBits(T value) {
  uint16_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
static float extendHalf(_Float16 value) { return decodeF16(toBits(value)); }
static _Float16 truncateToHalf(float value) { return fromBits<_Float16>(encodeF16(value)); }
static _Float16 truncateDoubleToHalf(double value) { return fromBits<_Float16>(encodeF16(value)); }
static __bf16 truncateToBf16(float value) { return fromBits<__bf16>(encodeBF16(value)); }
static __bf16 truncateDoubleToBf16(double value) { return fromBits<__bf16>(encodeBF16(value)); }

Error emu::defineRuntime(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                          JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  };
  add(runtimeRead, runtimeReadImpl);
  add(runtimeWrite, runtimeWriteImpl);
  add(runtimeExchange, runtimeExchangeImpl);
  add(runtimeCall, runtimeCallImpl);
  add(runtimeShared, runtimeSharedImpl);
  add(runtimeLoop, runtimeLoopImpl);
  add(runtimeFma16, fmaF16);
  add(runtimeFmaBf16, fmaBf16);
  // Where the host has no instruction for it; names of compiler-rt.
  add("__extendhfsf2", extendHalf);
  add("__truncsfhf2", truncateToHalf);
  add("__truncdfhf2", truncateDoubleToHalf);
  add("__truncsfbf2", truncateToBf16);
  add("__truncdfbf2", truncateDoubleToBf16);
  if (Error failure = jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
    return failure;
  // memcpy, fmaf and the like.
  auto process =
      orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  return Error::success();
}
