//===- FormCases.h - operands for every form ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a GPU and the twins are given, so that their results can be compared: a pure function of the row.
//
// A case is a warp. Each of its 32 threads has the form's operands as slots of 64 bits (lib/Emu/Twins.h),
// with pointers as offsets. Forms that access memory have, for each warp, 512 bytes of global and behind them
// 512 bytes of shared memory. Writes of different lanes do not meet.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_EMU_RECORD_FORMCASES_H
#define TILEC_TEST_EMU_RECORD_FORMCASES_H

#include "tilec/CodeGen/PtxForms.h"
#include <string_view>
#include <vector>

namespace tilec::record {

/// Forms that give nothing to compare, by twin.
struct NotRecorded {
  std::string_view twin, reason;
};
inline constexpr NotRecorded notRecorded[] = {
    {"tidX", "special register"},
    {"tidY", "special register"},
    {"tidZ", "special register"},
    {"nTidX", "special register"},
    {"nTidY", "special register"},
    {"nTidZ", "special register"},
    {"ctaIdX", "special register"},
    {"ctaIdY", "special register"},
    {"ctaIdZ", "special register"},
    {"nCtaIdX", "special register"},
    {"nCtaIdY", "special register"},
    {"nCtaIdZ", "special register"},
    {"laneId", "special register"},
    {"cpAsyncCommit", "waits; every copy's kernel has it"},
    {"cpAsyncWait", "waits"},
    {"cpAsyncWaitAll", "waits; every copy's kernel has it"},
    {"barSync", "barrier"},
    {"barSyncCount", "barrier"},
    {"barArriveCount", "barrier"},
    {"warpSync", "barrier"},
    {"memBarCta", "barrier"},
    {"memBarGpu", "barrier"},
    {"trap", "ends the program"},
    {"exit", "ends the thread"},
    {"vprintf", "writes to the host"},
    {"assertFail", "ends the program"},
};
constexpr bool isRecorded(std::string_view twin) {
  for (const NotRecorded &entry : notRecorded)
    if (entry.twin == twin)
      return false;
  return true;
}

/// Forms whose results may differ from the device's. A result is near enough if it differs by at most `ulp`
/// last places of its type, by `absolute`, or, of a sum of products, by `ofMagnitudes` times the sum of its
/// terms' magnitudes. The bounds are what an H200 needs for the operands drawn here, and within what PTX ISA
/// 9.0, 9.7.3, allows.
struct Tolerance {
  std::string_view twin;
  uint64_t ulp;
  double absolute, ofMagnitudes = 0;
};
const Tolerance *findTolerance(std::string_view twin);

inline constexpr unsigned globalBytes = 512, sharedBytes = 512, memoryBytes = globalBytes + sharedBytes;

struct FormCases {
  const PtxForm *form = nullptr;
  unsigned warps = 0, numOperands = 0, numResults = 0;
  std::vector<uint64_t> operands; ///< of thread 0, of thread 1, …
  std::vector<uint8_t> memory;    ///< memoryBytes a warp, or empty

  unsigned threads() const { return 32 * warps; }
};

FormCases drawCases(const PtxForm &form);

} // namespace tilec::record

#endif // TILEC_TEST_EMU_RECORD_FORMCASES_H
