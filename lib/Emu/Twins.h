//===- Twins.h - what an instruction form does, on the host -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of PtxForms.def names its twin: the function here that does the same. A twin sees a call as slots
// of 64 bits: operands, then results, in the order of the row's signature. Floats and pairs of 16-bit
// elements are their bits (element 0 of a pair in the low half), i1 is 0 or 1, pointers are host addresses.
//
// A form that each thread executes for itself has `void twin(SingleCall &)`. What the threads of a warp
// execute together has `void twin(WarpCall &)`, which runs once, when all of them have arrived at the same
// instruction.
//
// Memory goes through `read` and `write` of the call, which check the access and say whether it may happen.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_TWINS_H
#define TILEC_LIB_EMU_TWINS_H

#include "tilec/CodeGen/PtxForms.h"
#include <cstring>
#include <type_traits>

namespace tilec::emu {

class Block;
struct Thread;

/// What twins ask of a form's signature, worked out once.
struct FormShape {
  const PtxForm *form = nullptr;
  unsigned numOperands = 0, numResults = 0;
  /// Of forms that access memory: the predicate's operand, or -1; the number of words and the bytes of each.
  int predicate = -1;
  unsigned words = 0, wordBytes = 0;
  /// The operand that is the mask of the lanes that take part, or -1: all lanes of the warp do.
  int memberMask = -1;

  unsigned numSlots() const { return numOperands + numResults; }
  unsigned accessBytes() const { return words * wordBytes; }
};

/// The value of a slot, and back. T is an integer, float or double no wider than the slot.
template <typename T> T fromSlot(uint64_t slot) {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8);
  T value;
  std::memcpy(&value, &slot, sizeof value); // the host is little-endian, which the JIT demands
  return value;
}
template <typename T> uint64_t toSlot(T value) {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8);
  uint64_t slot = 0;
  std::memcpy(&slot, &value, sizeof value);
  return slot;
}

/// How an access counts in the search for races.
enum class AccessKind : uint8_t { Plain, Atomic };

/// One thread's call.
struct SingleCall {
  Thread *thread = nullptr; ///< null where a twin without memory is run alone, by a test
  const FormShape *shape = nullptr;
  uint32_t site = 0;
  uint64_t *slots = nullptr;

  template <typename T> T operand(unsigned i) const { return fromSlot<T>(slots[i]); }
  template <typename T> void setResult(unsigned i, T value) const {
    slots[shape->numOperands + i] = toSlot(value);
  }
  template <typename T = uint8_t> T *pointer(unsigned i) const {
    return reinterpret_cast<T *>(static_cast<uintptr_t>(slots[i]));
  }
  /// Checks `bytes` at `from` or `to`: bounds, alignment to `bytes` if that is a power of two up to 16,
  /// initialisation, races. False: it must not happen, and the block stops after the call.
  bool read(const void *from, unsigned bytes, AccessKind kind = AccessKind::Plain) const;
  bool write(void *to, unsigned bytes, AccessKind kind = AccessKind::Plain) const;
};

/// A warp's call. Lanes that do not take part (outside `lanes`) have no slots.
struct WarpCall {
  Block *block = nullptr;
  const FormShape *shape = nullptr;
  uint32_t site = 0;
  uint32_t lanes = 0; ///< bit i: lane i takes part
  SingleCall calls[32];

  bool hasLane(unsigned lane) const { return lanes >> lane & 1; }
  template <typename T> T operand(unsigned lane, unsigned i) const { return calls[lane].operand<T>(i); }
  template <typename T> void setResult(unsigned lane, unsigned i, T value) const {
    calls[lane].setResult(i, value);
  }
};

using SingleTwin = void (*)(SingleCall &);
using WarpTwin = void (*)(WarpCall &);

/// The twins, one a row; of the two kinds the one that the row's `converges` asks for.
struct Twin {
  SingleTwin single = nullptr;
  WarpTwin warp = nullptr;
};
const Twin &getTwin(const PtxForm &form);
const FormShape &getShape(const PtxForm &form);

namespace twins {
using CallOfSingle = SingleCall;
using CallOfWarp = WarpCall;
using CallOfMembers = WarpCall;
using CallOfMembersLast = WarpCall;
using CallOfBlock = WarpCall;
#define TILEC_PTX_ASM(id, Enum, text, signature, effects, converges, needs, twin)                            \
  void twin(CallOf##converges &call);
#define TILEC_PTX_INTRINSIC(id, Enum, text, signature, effects, converges, needs, twin)                      \
  void twin(CallOf##converges &call);
#define TILEC_PTX_FUNCTION(id, Enum, text, signature, effects, converges, needs, twin)                       \
  void twin(CallOf##converges &call);
#include "tilec/CodeGen/PtxForms.def"
} // namespace twins

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_TWINS_H
