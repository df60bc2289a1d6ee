//===- CodeGenLog.h - what code generation has to say ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Located messages and wall times of one code generation. The back end works on text and child processes as
// much as on MLIR, hence messages of its own kind; the driver prints them in the product's format and turns
// their kind into an exit status. One log a thread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CODEGEN_CODEGENLOG_H
#define TILEC_CODEGEN_CODEGENLOG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <chrono>
#include <string>
#include <vector>

namespace tilec {

/// A place in a `.tile` file. Lines and columns count from 1; line 0 means unknown.
struct SourcePos {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  bool isKnown() const { return line != 0; }
  bool operator==(const SourcePos &other) const = default;
};

struct CodeGenDiagnostic {
  enum class Kind {
    CompilerBug, ///< tilec made wrong code: exit status 70
    Environment, ///< a tool is missing or broken, a disk full: exit status 3
    Limit,       ///< a time or size limit was met: exit status 4
  };
  Kind kind;
  SourcePos pos;
  std::string message;            ///< lower case, no full stop, no "error: "
  std::vector<std::string> notes; ///< ways out, details
};

/// Wall time of one step, for --time-passes.
struct StepTime {
  std::string step; ///< "translate", "llvm", "ptx", "scan", "ptxas", "fatbinary"
  double seconds;
};

struct CodeGenLog {
  std::vector<CodeGenDiagnostic> diagnostics;
  std::vector<StepTime> times;
  /// Command lines of the tools that ran, quoted for a shell, for -v and -###. The private folder is written
  /// as <temp>.
  std::vector<std::string> commands;

  CodeGenDiagnostic &report(CodeGenDiagnostic::Kind kind, SourcePos pos, const llvm::Twine &message) {
    return diagnostics.emplace_back(CodeGenDiagnostic{kind, std::move(pos), message.str(), {}});
  }
};

/// Adds the life time of the object to a log.
class StepTimer {
public:
  StepTimer(CodeGenLog &log, llvm::StringRef step) : log(log), step(step.str()), start(Clock::now()) {}
  ~StepTimer() { log.times.push_back({step, std::chrono::duration<double>(Clock::now() - start).count()}); }
  StepTimer(const StepTimer &) = delete;
  StepTimer &operator=(const StepTimer &) = delete;

private:
  using Clock = std::chrono::steady_clock;
  CodeGenLog &log;
  std::string step;
  Clock::time_point start;
};

} // namespace tilec

#endif // TILEC_CODEGEN_CODEGENLOG_H
