//===- Subject.h - a program that is mutated -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program compiled for one target, as llc would get it, with what it is run on: the checks of a `.tile`
// file, or the launch and the expected numbers of a module written by hand (HandWritten.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_EMU_MUTATION_SUBJECT_H
#define TILEC_TEST_EMU_MUTATION_SUBJECT_H

#include "tilec/CodeGen/CodeGen.h"
#include "tilec/Emu/Emulator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace tilec::mutation {

class Subject {
public:
  virtual ~Subject() = default;
  virtual size_t numChecks() const = 0;
  /// Runs one check in the machine's schedule: why the numbers are wrong or the launch failed, or nothing.
  virtual std::string runCheck(emu::Machine &machine, size_t check) const = 0;

  std::string name; ///< "memory.tile for sm_80"
  const ArchInfo *arch = nullptr;
  DeviceModule device;
};

/// Null after errors, which are on standard error.
std::unique_ptr<Subject> makeTileSubject(llvm::StringRef file, const ArchInfo &arch);
std::unique_ptr<Subject> makeHandWrittenSubject(llvm::StringRef file, const ArchInfo &arch);

} // namespace tilec::mutation

#endif // TILEC_TEST_EMU_MUTATION_SUBJECT_H
