//===- TestCalls.h - calls of twins without a machine ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs twins on slots, and stands in for the machine's check of accesses: it records them, and refuses them
// if told so.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_UNIT_EMU_TESTCALLS_H
#define TILEC_UNIT_EMU_TESTCALLS_H

#include "Twins.h"
#include <array>
#include <bit>
#include <vector>

namespace tilec::test {

struct Access {
  const void *at;
  unsigned bytes;
  bool isWrite;
  emu::AccessKind kind;
  bool operator==(const Access &) const = default;
};
/// What twins asked for since the last clear. Not for several threads.
extern std::vector<Access> accesses;
extern bool recordsAccesses, refusesAccesses;

template <typename T> uint64_t slot(T value) { return emu::toSlot(value); }
inline uint64_t slot(void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }
inline float f32(uint32_t bits) { return std::bit_cast<float>(bits); }

/// The results of one call.
template <typename... Ts> std::vector<uint64_t> run(PtxFormId id, emu::SingleTwin twin, Ts... operands) {
  const emu::FormShape &shape = emu::getShape(PtxForm::get(id));
  std::vector<uint64_t> slots = {slot(operands)...};
  slots.resize(shape.numSlots(), 0xdeadbeefdeadbeef); // a result that is not written is seen
  emu::SingleCall call;
  call.shape = &shape;
  call.slots = slots.data();
  twin(call);
  return {slots.begin() + shape.numOperands, slots.end()};
}
template <typename... Ts> uint64_t runOne(PtxFormId id, emu::SingleTwin twin, Ts... operands) {
  return run(id, twin, operands...).at(0);
}

/// The slots of a warp; after `run`, each lane's results are behind its operands.
struct Warp {
  const emu::FormShape &shape;
  uint32_t lanes = 0xffffffff;
  std::array<std::vector<uint64_t>, 32> slots;

  explicit Warp(PtxFormId id) : shape(emu::getShape(PtxForm::get(id))) {
    for (auto &lane : slots)
      lane.assign(shape.numSlots(), 0);
  }
  template <typename T> void set(unsigned lane, unsigned operand, T value) {
    slots[lane].at(operand) = slot(value);
  }
  void run(emu::WarpTwin twin) {
    emu::WarpCall call;
    call.shape = &shape;
    call.lanes = lanes;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) {
        for (unsigned i = 0; i < shape.numResults; ++i)
          slots[lane][shape.numOperands + i] = 0xdeadbeefdeadbeef;
        call.calls[lane].shape = &shape;
        call.calls[lane].slots = slots[lane].data();
      }
    twin(call);
  }
  uint64_t result(unsigned lane, unsigned i = 0) const { return slots[lane].at(shape.numOperands + i); }
};

} // namespace tilec::test

#endif // TILEC_UNIT_EMU_TESTCALLS_H
