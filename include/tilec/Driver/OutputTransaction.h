//===- OutputTransaction.h - all files of a compilation or none -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the artefacts of one compilation and writes them together: every file goes to a private temporary
// file beside its place, is written and synced, and only when all of them are whole are they renamed, in the
// order in which they were added. A failure before that leaves every old file as it was; one in the middle of
// the renames puts the old files back. Temporary files are removed on every exit, signals included.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_DRIVER_OUTPUTTRANSACTION_H
#define TILEC_DRIVER_OUTPUTTRANSACTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilec {

class DiagnosticEngine;

class OutputTransaction {
public:
  /// "-" is standard output. Other names are files; devices (/dev/null) are written in place.
  void add(llvm::StringRef path, std::string bytes) { outputs.push_back({path.str(), std::move(bytes)}); }
  /// Whether two outputs are one file or an output is one of `inputs` (by device and inode where they exist);
  /// reported. Checked before anything is computed, on the names alone.
  static bool checkNames(llvm::ArrayRef<std::string> outputs, llvm::ArrayRef<std::string> inputs,
                         DiagnosticEngine &diags);
  /// Writes everything; false after a reported failure.
  bool commit(DiagnosticEngine &diags);

private:
  struct Output {
    std::string path, bytes;
  };
  std::vector<Output> outputs;
};

} // namespace tilec

#endif
