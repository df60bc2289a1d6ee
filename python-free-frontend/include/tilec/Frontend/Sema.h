//===- Sema.h - from a file's text to checked kernel instances -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one entry point of semantic analysis: parses a file and what it imports, checks everything LANGUAGE.md
// says statically, and instantiates every kernel that an entry point, a `check` or a `bench` uses.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_SEMA_H
#define TILEC_FRONTEND_SEMA_H

#include "tilec/Frontend/Hir.h"
#include "tilec/Support/Diagnostics.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilec::frontend {

struct SemaOptions {
  int targetSm = 90;                                        ///< target.sm
  int64_t targetSharedBytes = 232448;                       ///< target.shared_bytes: what one block may have
  std::vector<std::pair<std::string, std::string>> defines; ///< -D NAME=value
  std::vector<std::string> includePaths;                    ///< -I, in order
  /// Instantiate what only `check` and `bench` use. Without, those declarations are checked for names alone
  /// and Program::checks and benches stay empty.
  bool instantiateAllForChecks = true;
  /// Replace the integer values of these names in every `check` that has them.
  std::vector<std::pair<std::string, int64_t>> checkValues;
  /// HIR nodes one kernel instance may have; more is an error at the loop or call that grew it.
  unsigned maxNodesPerKernel = 1000000;
};

/// Reads, parses and checks `mainFile` ("-" is standard input). Null after an error; every error was
/// reported.
std::unique_ptr<hir::Program> analyze(SourceManager &sources, llvm::StringRef mainFile,
                                      const SemaOptions &options, DiagnosticEngine &diags);

/// The same for a file that `sources` holds already; imports are searched beside the file's name.
std::unique_ptr<hir::Program> analyze(SourceManager &sources, FileId mainFile, const SemaOptions &options,
                                      DiagnosticEngine &diags);

} // namespace tilec::frontend

#endif
