//===- OutputTransaction.cpp - all files of a compilation or none ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX calls rather than raw_fd_ostream: every step (open, write, fsync, close, rename) must be checked and
// named with its file, and old files must survive all of their failures.
//
//===----------------------------------------------------------------------===//
#include "tilec/Driver/OutputTransaction.h"

#include "tilec/Support/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = llvm::sys::fs;

namespace tilec {
namespace {

bool report(DiagnosticEngine &diags, llvm::StringRef path, int error) {
  std::string reason = std::strerror(error); // messages are lower case
  reason[0] = llvm::toLower(reason[0]);
  diags.reportWithoutLocation(DiagId::CannotWriteFile, path, reason);
  return false;
}

/// Writes all bytes; an errno value, 0 on success.
int writeAll(int fd, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno;
    bytes = bytes.drop_front(n);
  }
  return 0;
}

/// Devices, pipes and terminals cannot be replaced by a rename.
bool isWrittenInPlace(const std::string &path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

bool writeInPlace(const std::string &path, llvm::StringRef bytes, DiagnosticEngine &diags) {
  bool isStdout = path == "-";
  int fd = isStdout ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return report(diags, path, errno);
  int error = writeAll(fd, bytes);
  if (!isStdout && ::close(fd) != 0 && !error)
    error = errno;
  return error ? report(diags, isStdout ? "standard output" : path, error) : true;
}

/// A file that is written but not yet in its place.
struct Pending {
  std::string path, temp;
  std::string backup; // a second link to the old file, while renames go on
  bool renamed = false;
};

std::string siblingName(llvm::StringRef path, llvm::StringRef suffix) {
  llvm::SmallString<128> name(llvm::sys::path::parent_path(path));
  // The name does not contain the output's: that may already be as long as names may be.
  llvm::sys::path::append(name, ".tilec-" + llvm::Twine(::getpid()) + suffix);
  return name.str().str();
}

bool writeTemp(const std::string &path, llvm::StringRef bytes, unsigned index, Pending &pending,
               DiagnosticEngine &diags) {
  struct stat st;
  if (::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode))
    return report(diags, path, EISDIR);
  pending.path = path;
  pending.temp = siblingName(path, "-" + std::to_string(index) + ".tmp");
  ::unlink(pending.temp.c_str()); // left by a killed process of the same number
  int fd = ::open(pending.temp.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) {
    pending.temp.clear();
    return report(diags, path, errno);
  }
  llvm::sys::RemoveFileOnSignal(pending.temp);
  int error = writeAll(fd, bytes);
  if (!error && ::fsync(fd) != 0)
    error = errno;
  if (::close(fd) != 0 && !error)
    error = errno;
  return error ? report(diags, path, error) : true;
}

} // namespace

bool OutputTransaction::checkNames(llvm::ArrayRef<std::string> outputs, llvm::ArrayRef<std::string> inputs,
                                   DiagnosticEngine &diags) {
  // Outputs need not exist, their folders do: those are compared for real, links and dots resolved.
  auto resolved = [](llvm::StringRef path) {
    llvm::SmallString<128> folder, parent(llvm::sys::path::parent_path(path));
    if (fs::real_path(parent.empty() ? llvm::StringRef(".") : parent.str(), folder))
      folder = parent;
    llvm::sys::path::append(folder, llvm::sys::path::filename(path));
    return folder;
  };
  auto same = [&](const std::string &a, const std::string &b) {
    if (isWrittenInPlace(a) || isWrittenInPlace(b))
      return false;
    return resolved(a) == resolved(b) || fs::equivalent(a, b);
  };
  for (size_t i = 0; i != outputs.size(); ++i) {
    for (size_t k = 0; k != i; ++k)
      if (same(outputs[i], outputs[k])) {
        diags.reportWithoutLocation(DiagId::OutputTwice, outputs[i]);
        return false;
      }
    for (const std::string &input : inputs)
      if (outputs[i] != "-" && input != "-" && same(outputs[i], input)) {
        diags.reportWithoutLocation(DiagId::OutputIsInput, outputs[i]);
        return false;
      }
  }
  return true;
}

bool OutputTransaction::commit(DiagnosticEngine &diags) {
  std::vector<Pending> pending;
  llvm::scope_exit cleanUp([&] {
    for (Pending &file : pending) {
      if (!file.renamed && !file.temp.empty())
        ::unlink(file.temp.c_str());
      if (!file.backup.empty())
        ::unlink(file.backup.c_str());
      llvm::sys::DontRemoveFileOnSignal(file.temp);
    }
  });

  for (Output &output : outputs) {
    if (output.path == "-" || isWrittenInPlace(output.path))
      continue;
    pending.emplace_back();
    if (!writeTemp(output.path, output.bytes, pending.size(), pending.back(), diags))
      return false;
  }
  // Streams last but before the renames: when they fail, no file has changed.
  for (Output &output : outputs)
    if ((output.path == "-" || isWrittenInPlace(output.path)) &&
        !writeInPlace(output.path, output.bytes, diags))
      return false;

  for (auto [index, file] : llvm::enumerate(pending)) {
    std::string backup = siblingName(file.path, "-" + std::to_string(index) + ".old");
    ::unlink(backup.c_str());
    if (::link(file.path.c_str(), backup.c_str()) == 0) // fails where there is no old file
      file.backup = backup;
    if (::rename(file.temp.c_str(), file.path.c_str()) == 0) {
      file.renamed = true;
      continue;
    }
    int error = errno;
    for (Pending &done : pending) {
      if (!done.renamed)
        continue;
      if (done.backup.empty())
        ::unlink(done.path.c_str());
      else if (::rename(done.backup.c_str(), done.path.c_str()) == 0)
        done.backup.clear();
    }
    return report(diags, file.path, error);
  }
  return true;
}

} // namespace tilec
