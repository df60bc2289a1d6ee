//===- Subprocess.h - runs a tool of the CUDA Toolkit safely --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No shell, no inherited environment, no inherited files, a time limit, a process group of its own. LLVM's
// ExecuteAndWait has neither a standard input from memory nor the group.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CODEGEN_SUBPROCESS_H
#define TILEC_LIB_CODEGEN_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilec {

struct RunRequest {
  std::string path;                   ///< absolute
  std::vector<std::string> arguments; ///< without argv[0]
  std::string input;                  ///< standard input
  std::string tempDir;                ///< becomes TMPDIR, if not empty
  unsigned timeoutSeconds = 300;
};

struct RunResult {
  enum class Status { Exited, Signalled, TimedOut, NotStarted };
  Status status = Status::NotStarted;
  int code = 0;       ///< exit status, signal number, or errno
  std::string output; ///< standard output
  std::string errors; ///< standard error

  bool succeeded() const { return status == Status::Exited && code == 0; }
  /// "exit status 3", "killed by signal 9", …
  std::string describe() const;
};

/// The command line as a shell would take it, with the private folder as <temp>.
std::string describeCommand(const RunRequest &request);

/// Runs a program to its end. The environment is LC_ALL=C, PATH of the system, and TMPDIR.
RunResult runTool(const RunRequest &request);

/// A folder that only we can read, deleted with everything in it at the end of the object's life, and by
/// killRunningTools.
class PrivateDir {
public:
  /// Makes the folder inside `parent` (the system's temporary folder if empty). Check isValid.
  explicit PrivateDir(llvm::StringRef parent);
  ~PrivateDir();
  PrivateDir(const PrivateDir &) = delete;
  PrivateDir &operator=(const PrivateDir &) = delete;

  bool isValid() const { return !path.empty(); }
  const std::string &problem() const { return reason; }
  const std::string &directory() const { return path; }
  std::string file(llvm::StringRef name) const { return path + "/" + name.str(); }

private:
  std::string path;
  std::string reason;
  void *slot = nullptr; ///< where killRunningTools finds it; null if there were too many
};

/// Reads a whole file; false with errno's text in `problem`.
bool readFile(llvm::StringRef path, std::string &bytes, std::string &problem);
/// Writes a whole new file, checking every step, the close included.
bool writeFile(llvm::StringRef path, llvm::StringRef bytes, std::string &problem);

} // namespace tilec

#endif // TILEC_LIB_CODEGEN_SUBPROCESS_H
