//===- FormResults.cpp - what forms gave ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormResults.h"
#include "Twins.h"
#include "tilec/Check/Element.h"

using namespace tilec;
using namespace tilec::emu;
using namespace tilec::record;

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

static Twin makeTwin(SingleTwin function) { return {function, nullptr}; }
static Twin makeTwin(WarpTwin function) { return {nullptr, function}; }

/// What a copy has done once it was waited for. The machine's own twin only starts it.
static void modelOfCopy(SingleCall &call) {
  const unsigned bytes = call.shape->accessBytes();
  const unsigned count = call.shape->numOperands > 2 ? call.operand<uint32_t>(2) : bytes;
  std::memset(call.pointer(0), 0, bytes);
  std::memcpy(call.pointer(0), call.pointer(1), count);
}

/// The twins that need no machine. What is not recorded is not referred to, so it need not be linked.
static Twin twinOf(const PtxForm &form) {
  if (form.twin == "cpAsync")
    return makeTwin(&modelOfCopy);
#define TILEC_PTX_TWIN(id, Enum, text, signature, effects, converges, needs, twin)                           \
  if constexpr (isRecorded(#twin) && std::string_view(#twin) != "cpAsync")                                   \
    if (form.number() == id)                                                                                 \
      return makeTwin(&twins::twin);
#define TILEC_PTX_ASM(...) TILEC_PTX_TWIN(__VA_ARGS__)
#define TILEC_PTX_INTRINSIC(...) TILEC_PTX_TWIN(__VA_ARGS__)
#define TILEC_PTX_FUNCTION(...) TILEC_PTX_TWIN(__VA_ARGS__)
#include "tilec/CodeGen/PtxForms.def"
#undef TILEC_PTX_TWIN
  return {};
}

FormResults record::runTwins(const FormCases &cases) {
  const Twin twin = twinOf(*cases.form);
  const FormShape &shape = getShape(*cases.form);
  const PtxSignature signature = cases.form->signature();
  FormResults all;
  all.memory = cases.memory;
  all.results.resize(size_t(cases.threads()) * cases.numResults);
  std::vector<uint64_t> slots(32 * shape.numSlots());
  for (unsigned warp = 0; warp < cases.warps; ++warp) {
    WarpCall call;
    call.shape = &shape;
    call.lanes = 0xffffffff;
    if (shape.memberMask >= 0) // the same in all lanes
      call.lanes = cases.operands[size_t(32) * warp * cases.numOperands + shape.memberMask];
    for (unsigned lane = 0; lane < 32; ++lane) {
      uint64_t *own = slots.data() + lane * shape.numSlots();
      for (unsigned i = 0; i < cases.numOperands; ++i) {
        own[i] = cases.operands[(size_t(32) * warp + lane) * cases.numOperands + i];
        const uint64_t base = reinterpret_cast<uintptr_t>(all.memory.data()) + uint64_t(warp) * memoryBytes;
        if (signature.operands[i].kind == PtxType::GlobalPtr)
          own[i] += base;
        else if (signature.operands[i].kind == PtxType::SharedPtr)
          own[i] += base + globalBytes;
      }
      std::fill(own + shape.numOperands, own + shape.numSlots(), 0);
      call.calls[lane].shape = &shape;
      call.calls[lane].slots = own;
      if (twin.single)
        twin.single(call.calls[lane]);
    }
    if (twin.warp)
      twin.warp(call);
    for (unsigned lane = 0; lane < 32; ++lane)
      std::copy_n(slots.data() + lane * shape.numSlots() + shape.numOperands, shape.numResults,
                  all.results.begin() + (size_t(32) * warp + lane) * shape.numResults);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

void record::unifyNaNs(const PtxForm &form, FormResults &all) {
  const PtxSignature signature = form.signature();
  for (size_t i = 0; i < all.results.size(); ++i)
    if (signature.results[i % signature.results.size()].kind == PtxType::F64 &&
        (all.results[i] & ~(UINT64_C(1) << 63)) > 0x7ff0000000000000)
      all.results[i] = 0x7fffffffffffffff;
}

uint64_t record::hashOf(const FormResults &all) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&hash](uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (uint64_t word : all.results)
    for (unsigned i = 0; i < 8; ++i)
      add(static_cast<uint8_t>(word >> 8 * i));
  for (uint8_t byte : all.memory)
    add(byte);
  return hash;
}

/// `valueA` and `valueB` are what the patterns of `width` bits mean.
static uint64_t distance(double absolute, unsigned width, uint64_t a, uint64_t b, double valueA,
                         double valueB) {
  if (valueA != valueA && valueB != valueB)
    return 0;
  if (std::isfinite(valueA) != std::isfinite(valueB) || (valueA != valueA) != (valueB != valueB))
    return UINT64_MAX;
  if (valueA == valueB || std::fabs(valueA - valueB) <= absolute)
    return 0;
  // Patterns without the sign count the numbers from zero on.
  const uint64_t sign = UINT64_C(1) << (width - 1), fromZeroA = a & (sign - 1), fromZeroB = b & (sign - 1);
  if ((a & sign) != (b & sign))
    return fromZeroA + fromZeroB;
  return fromZeroA > fromZeroB ? fromZeroA - fromZeroB : fromZeroB - fromZeroA;
}

std::vector<uint64_t> record::sumMagnitudes(const FormCases &cases, const Tolerance &tolerance) {
  if (tolerance.ofMagnitudes == 0)
    return std::vector<uint64_t>(size_t(cases.threads()) * cases.numResults);
  // The same products without signs. Registers of bf16 and tf32 are i32.
  const uint64_t signs = cases.form->twin == "mmaTf32F32" ? 0x80000000 : 0x80008000;
  const PtxSignature signature = cases.form->signature();
  FormCases positive = cases;
  for (size_t i = 0; i < positive.operands.size(); ++i) {
    const bool isFactor = signature.operands[i % cases.numOperands].kind != PtxType::F32;
    positive.operands[i] &= ~(isFactor ? signs : 0x80000000);
  }
  return runTwins(positive).results;
}

uint64_t record::distance(const PtxForm &form, const Tolerance &tolerance, unsigned result, uint64_t a,
                          uint64_t b, uint64_t magnitude) {
  double absolute = tolerance.absolute;
  switch (form.signature().results[result].kind) {
  case PtxType::F32:
    if (tolerance.ofMagnitudes != 0 && std::isfinite(fromSlot<float>(magnitude)))
      absolute = tolerance.ofMagnitudes * fromSlot<float>(magnitude);
    return ::distance(absolute, 32, a, b, fromSlot<float>(a), fromSlot<float>(b));
  case PtxType::F64:
    return ::distance(absolute, 64, a, b, fromSlot<double>(a), fromSlot<double>(b));
  case PtxType::F16x2: {
    auto ofHalf = [&](uint16_t x, uint16_t y) {
      return ::distance(absolute, 16, x, y, decodeF16(x), decodeF16(y));
    };
    return std::max(ofHalf(static_cast<uint16_t>(a), static_cast<uint16_t>(b)),
                    ofHalf(static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(b >> 16)));
  }
  default:
    return a == b ? 0 : UINT64_MAX;
  }
}

size_t record::sampleStride(const FormResults &all) { return std::max<size_t>(1, all.results.size() / 41); }
