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
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <csignal>
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

/// A name beside `path` that nothing has: random, not the process id, which several compilations in containers
/// may share. It does not contain the output's name, which may already be as long as names may be.
std::string freshSibling(llvm::StringRef path) {
  llvm::SmallString<128> model(llvm::sys::path::parent_path(path)), name;
  llvm::sys::path::append(model, ".tilec-%%%%%%%%%%%%%%%%");
  fs::createUniquePath(model, name, /*MakeAbsolute=*/false);
  return name.str().str();
}

bool writeTemp(const std::string &path, llvm::StringRef bytes, Pending &pending, DiagnosticEngine &diags) {
  struct stat st;
  bool exists = ::stat(path.c_str(), &st) == 0;
  if (exists && S_ISDIR(st.st_mode))
    return report(diags, path, EISDIR);
  // A link to a file stays a link: what it names is replaced.
  llvm::SmallString<128> target;
  pending.path = exists && !fs::real_path(path, target) ? target.str().str() : path;
  int fd = -1;
  for (int tries = 0; fd < 0 && tries != 8; ++tries) {
    pending.temp = freshSibling(pending.path);
    fd = ::open(pending.temp.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  if (fd < 0) {
    pending.temp.clear();
    return report(diags, path, errno);
  }
  llvm::sys::RemoveFileOnSignal(pending.temp);
  int error = writeAll(fd, bytes);
  if (!error && exists && ::fchmod(fd, st.st_mode & 0777) != 0)
    error = errno;
  if (!error && ::fsync(fd) != 0)
    error = errno;
  if (::close(fd) != 0 && !error)
    error = errno;
  return error ? report(diags, path, error) : true;
}

/// Keeps the old file under another name until all renames are done: a second link, or where links are refused
/// the file itself, moved. False (errno) if there is an old file that cannot be kept.
bool keepOld(Pending &pending) {
  std::string backup = freshSibling(pending.path);
  if (::link(pending.path.c_str(), backup.c_str()) != 0) {
    if (errno == ENOENT)
      return true;
    if (::rename(pending.path.c_str(), backup.c_str()) != 0)
      return false;
  }
  pending.backup = backup;
  return true;
}

/// SIGINT, SIGTERM and SIGHUP wait for the life time of this: the renames take milliseconds, and half of them
/// would leave files of two compilations.
class SignalsHeld {
public:
  SignalsHeld() {
    sigset_t set;
    sigemptyset(&set);
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
      sigaddset(&set, signal);
    pthread_sigmask(SIG_BLOCK, &set, &old);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &old, nullptr); }

private:
  sigset_t old;
};

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
      if (!file.backup.empty() && file.renamed)
        ::unlink(file.backup.c_str());
      llvm::sys::DontRemoveFileOnSignal(file.temp);
    }
  });

  for (Output &output : outputs) {
    if (output.path == "-" || isWrittenInPlace(output.path))
      continue;
    pending.emplace_back();
    if (!writeTemp(output.path, output.bytes, pending.back(), diags))
      return false;
  }
  // Streams last but before the renames: when they fail, no file has changed.
  for (Output &output : outputs)
    if ((output.path == "-" || isWrittenInPlace(output.path)) &&
        !writeInPlace(output.path, output.bytes, diags))
      return false;

  SignalsHeld held;
  for (Pending &file : pending) {
    if (keepOld(file) && ::rename(file.temp.c_str(), file.path.c_str()) == 0) {
      file.renamed = true;
      continue;
    }
    int error = errno;
    for (Pending &done : pending) {
      if (!done.backup.empty()) {
        if (::rename(done.backup.c_str(), done.path.c_str()) == 0)
          done.backup.clear();
      } else if (done.renamed) {
        ::unlink(done.path.c_str()); // there was none before
      }
    }
    return report(diags, file.path, error);
  }
  // So that a power cut finds all of the new names or none, as far as one folder goes.
  llvm::StringSet<> folders;
  for (Pending &file : pending) {
    llvm::StringRef folder = llvm::sys::path::parent_path(file.path);
    if (!folders.insert(folder).second)
      continue;
    int fd = ::open(folder.empty() ? "." : folder.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
      ::fsync(fd);
      ::close(fd);
    }
  }
  return true;
}

} // namespace tilec
