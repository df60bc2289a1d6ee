//===- Instrument.h - device code made ready for the host ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the module that llc would get into one that the host's JIT compiles:
//   - calls of instruction forms become calls of tilec_emu_call, loads and stores are announced before they
//   happen,
//     back edges of loops are counted;
//   - shared variables become addresses that the block has;
//   - every kernel gets an entry `NAME.emu(ptr)` that takes its parameters from an array of 8-byte slots;
//   - what only NVPTX knows (calling conventions, attributes, arithmetic that x86 lacks) goes.
// Which instruction a call is about it says by its number in the list of sites.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_INSTRUMENT_H
#define TILEC_LIB_EMU_INSTRUMENT_H

#include "Sites.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/TargetParser/Triple.h"

namespace llvm {
class Module;
}

namespace tilec::emu {

/// A variable in shared memory. The one without a size is the block's dynamic memory.
struct SharedObject {
  std::string name;
  unsigned bytes = 0, alignment = 1;
  bool isDynamic = false;
};

/// A kernel and the sizes of its parameters.
struct KernelEntry {
  std::string name, symbol;
  std::vector<unsigned> parameterBytes;
};

struct Instrumented {
  std::vector<Site> sites; ///< from number 1 on
  std::vector<SharedObject> sharedObjects;
  std::vector<KernelEntry> kernels;
};

Instrumented instrument(llvm::Module &module, const llvm::Triple &host, const llvm::DataLayout &layout);

// The functions that instrumented code calls; Runtime.cpp has them.
inline constexpr const char *runtimeCall = "tilec_emu_call";         ///< (i32 site, ptr slots)
inline constexpr const char *runtimeRead = "tilec_emu_read";         ///< (i32 site, ptr)
inline constexpr const char *runtimeWrite = "tilec_emu_write";       ///< (i32 site, ptr)
inline constexpr const char *runtimeExchange = "tilec_emu_exchange"; ///< (i32 site, ptr, i64 old, i64 new)
inline constexpr const char *runtimeShared = "tilec_emu_shared";     ///< (i32 object) -> ptr
inline constexpr const char *runtimeLoop = "tilec_emu_loop";         ///< (i32 site)
inline constexpr const char *runtimeFma16 = "tilec_emu_fma_f16";     ///< (i16, i16, i16) -> i16, of f16
inline constexpr const char *runtimeFmaBf16 = "tilec_emu_fma_bf16";

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_INSTRUMENT_H
