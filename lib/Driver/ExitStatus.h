//===- ExitStatus.h - from what was reported to an exit status --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A consumer in front of the printer that remembers which kind of error came first: scripts and build systems
// act on the status, so "your program is wrong", "your command line is wrong" and "the disk is full" differ.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DRIVER_EXITSTATUS_H
#define TILEC_LIB_DRIVER_EXITSTATUS_H

#include "tilec/Driver/Options.h"
#include "tilec/Support/Diagnostics.h"

namespace tilec {

/// The status that an error of this kind leads to.
ExitCode exitCodeOf(DiagId id);

class ExitStatusConsumer : public DiagnosticConsumer {
public:
  explicit ExitStatusConsumer(DiagnosticConsumer &next) : next(next) {}
  void handle(const Diagnostic &diag, const SourceManager &sources) override {
    if (diag.severity == Severity::Error && status == ExitOk)
      status = exitCodeOf(diag.id);
    next.handle(diag, sources);
  }
  /// ExitOk as long as no error was reported.
  ExitCode getStatus() const { return status; }

private:
  DiagnosticConsumer &next;
  ExitCode status = ExitOk;
};

} // namespace tilec

#endif
