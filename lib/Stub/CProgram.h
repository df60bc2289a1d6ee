//===- CProgram.h - a launch program as C ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the stub printer.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_STUB_CPROGRAM_H
#define TILEC_LIB_STUB_CPROGRAM_H

#include "tilec/Stub/Stub.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tilec::stub {

/// The functions of HostFunctions.inc that the printed programs call.
class HostFunctions {
public:
  /// Notes a call. Names that are not of the file are of <math.h> (fmaxf).
  void use(llvm::StringRef name);
  /// Notes a question for the number of multiprocessors, by a function of the templates.
  void useSmCount() { asksSmCount = true; }
  bool usesSmCount() const { return asksSmCount; }
  /// Their text, in the order of the file, what they need themselves included.
  std::string print() const;

private:
  llvm::SetVector<llvm::StringRef> used;
  bool asksSmCount = false;
};

/// One kernel as the stub launches it: symbol and configuration.
struct KernelUse {
  std::string variable; ///< of the stub
  std::string symbol;
  unsigned threads = 0;
  std::array<unsigned, 3> cluster = {1, 1, 1};
  unsigned sharedBytes = 0;
};

/// The kernels of all programs of a stub; equal configurations share one variable.
class KernelTable {
public:
  const KernelUse &get(const launch::Instruction &launch);
  const std::vector<KernelUse> &getAll() const { return kernels; }

private:
  std::vector<KernelUse> kernels;
};

/// The body of `tilec_status run(const <entry>_args *args, const call_info *call)`.
std::string printProgramBody(const Entry &entry, const launch::Program &program, HostFunctions &functions,
                             KernelTable &kernels);

/// `text` between double quotes; where it is a format of printf, '%' is doubled.
std::string quoteC(llvm::StringRef text, bool isFormat);

/// The text of a requirement as the message of an error can hold it: if it is too long with its values, the
/// longest stretch between two of them is cut in the middle, so that the values stay.
std::string fitMessage(llvm::StringRef text, llvm::StringRef entry, size_t values);

/// A constant of that type by its bits, as in Instruction.
std::string constantLiteral(launch::ValueType type, uint64_t bits);

} // namespace tilec::stub

#endif // TILEC_LIB_STUB_CPROGRAM_H
