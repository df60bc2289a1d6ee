//===- MlirDiagnostics.h - MLIR's diagnostics as ours ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes and verifiers report through MLIR. This handler hands their errors and warnings to the
// DiagnosticEngine with the place in the `.tile` file that the operation came from, so that they look like
// every other diagnostic; the call chain of an inlined fn becomes notes. Remarks are collected for --report.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DRIVER_MLIRDIAGNOSTICS_H
#define TILEC_LIB_DRIVER_MLIRDIAGNOSTICS_H

#include "tilec/Support/Diagnostics.h"
#include "mlir/IR/Diagnostics.h"
#include <mutex>

namespace tilec {

/// The source range of an MLIR location: its line and column in a file that `sources` knows, from there to the
/// end of the word. Invalid if it has none.
SourceRange rangeOf(mlir::Location loc, const SourceManager &sources);
/// The same for a line and column (from 1) of a file by its name.
SourceRange rangeOf(llvm::StringRef file, unsigned line, unsigned column, const SourceManager &sources);

/// What MLIR's parser reports, without the names of its classes. Empty for what only says that an error
/// before was one: there it adds nothing.
std::string plainMlirText(std::string text);

class MlirDiagnosticHandler {
public:
  /// `lock` guards `diags` where several contexts report at once.
  MlirDiagnosticHandler(mlir::MLIRContext &context, DiagnosticEngine &diags, std::mutex &lock);

private:
  void handle(mlir::Diagnostic &diag);

  DiagnosticEngine &diags;
  std::mutex &lock;
  mlir::ScopedDiagnosticHandler scope;
};

} // namespace tilec

#endif
