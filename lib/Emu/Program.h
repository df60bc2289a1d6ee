//===- Program.h - compiled device code on the host -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_PROGRAM_H
#define TILEC_LIB_EMU_PROGRAM_H

#include "Block.h"
#include "Instrument.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace tilec::emu {

class Program {
public:
  const ArchInfo *arch = nullptr;
  Instrumented code;
  std::map<std::string, std::pair<KernelFunction, const KernelEntry *>> kernels;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// Defines the functions that instrumented code calls.
llvm::Error defineRuntime(llvm::orc::LLJIT &jit);

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_PROGRAM_H
