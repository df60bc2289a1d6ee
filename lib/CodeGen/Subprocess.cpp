//===- Subprocess.cpp - runs a tool of the CUDA Toolkit safely ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard input, output and error are anonymous files in memory, so that no pipe can fill up and block, and
// nothing has to be polled but the process itself.
//
//===----------------------------------------------------------------------===//

#include "Subprocess.h"
#include "tilec/CodeGen/Toolchain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilec;
using llvm::StringRef;

/// Process groups of running tools, for killRunningTools. 0 is a free slot.
static std::atomic<pid_t> runningGroups[256];

namespace {
/// Private folders that exist, for killRunningTools. A path is written while its slot is Claimed and read
/// only while it is Live.
struct FolderSlot {
  enum State { Free, Claimed, Live };
  std::atomic<int> state;
  char path[1024];
};
} // namespace
static FolderSlot privateFolders[256];

/// Set for good by killRunningTools: what other threads start or make after that must not outlive it.
static std::atomic<bool> isEnding;

/// Deletes what is in an open folder, two levels of it: ptxas may make a folder of its own. getdents64, since
/// opendir allocates.
static void emptyFolder(int folder, bool isTop) {
  alignas(8) char entries[4096];
  for (bool deleted = true; deleted;) {
    deleted = false;
    lseek(folder, 0, SEEK_SET);
    for (long size; (size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;)
      for (long at = 0; at < size;) {
        // struct linux_dirent64: inode and offset of 8 bytes, the record's length, a type, the name
        unsigned short length;
        memcpy(&length, entries + at + 16, sizeof length);
        const char *name = entries + at + 19;
        at += length;
        if (!strcmp(name, ".") || !strcmp(name, ".."))
          continue;
        int inner = isTop ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        if (inner >= 0) {
          emptyFolder(inner, false);
          close(inner);
        }
        deleted |= unlinkat(folder, name, inner >= 0 ? AT_REMOVEDIR : 0) == 0;
      }
  }
}

static void removeFolder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return;
  emptyFolder(folder, true);
  close(folder);
  rmdir(path);
}

void tilec::killRunningTools() {
  int reason = errno;
  isEnding = true;
  for (std::atomic<pid_t> &group : runningGroups)
    if (pid_t id = group.load()) {
      kill(-id, SIGKILL);
      siginfo_t info; // it may be writing into its folder; its own thread shall have the status
      waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOWAIT);
    }
  for (FolderSlot &slot : privateFolders)
    if (slot.state == FolderSlot::Live)
      removeFolder(slot.path);
  errno = reason;
}

namespace {
/// Keeps a group in runningGroups as long as it may be killed.
class RegisteredGroup {
public:
  explicit RegisteredGroup(pid_t group) {
    for (std::atomic<pid_t> &candidate : runningGroups) {
      pid_t free = 0;
      if (candidate.compare_exchange_strong(free, group)) {
        slot = &candidate;
        break;
      }
    }
    if (isEnding)
      kill(-group, SIGKILL);
  }
  ~RegisteredGroup() {
    if (slot)
      slot->store(0);
  }

private:
  std::atomic<pid_t> *slot = nullptr;
};

/// An anonymous file in memory, not inherited by other children.
class MemoryFile {
public:
  explicit MemoryFile(const char *name) {
    int made = memfd_create(name, MFD_CLOEXEC);
    // Numbers 0 to 2 are free if our own caller closed them; they would get in each other's way in the child.
    fd = made < 0 ? made : fcntl(made, F_DUPFD_CLOEXEC, 3);
    if (made >= 0)
      close(made);
  }
  ~MemoryFile() {
    if (fd >= 0)
      close(fd);
  }
  bool write(StringRef bytes) {
    while (!bytes.empty()) {
      ssize_t written = ::write(fd, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return false;
      bytes = bytes.drop_front(written);
    }
    return lseek(fd, 0, SEEK_SET) == 0;
  }
  std::string read() const {
    struct stat info;
    std::string bytes;
    if (fstat(fd, &info) != 0)
      return bytes;
    bytes.resize(info.st_size);
    size_t done = 0;
    while (done < bytes.size()) {
      ssize_t got = pread(fd, bytes.data() + done, bytes.size() - done, done);
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        break;
      done += got;
    }
    bytes.resize(done);
    return bytes;
  }

  int fd = -1;
};
} // namespace

std::string RunResult::describe() const {
  switch (status) {
  case Status::Exited:
    return "exit status " + std::to_string(code);
  case Status::Signalled:
    return "killed by signal " + std::to_string(code);
  case Status::TimedOut:
    return "time limit exceeded";
  case Status::NotStarted:
    return std::string("could not be started: ") + std::strerror(code);
  }
  return {};
}

/// Waits for `pid`, which leads its own group, and kills the group when time is up.
static RunResult waitFor(pid_t pid, unsigned timeoutSeconds) {
  RunResult result;
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(timeoutSeconds);
  bool timedOut = false;
  int state = 0;
  while (true) {
    pid_t ended = waitpid(pid, &state, timedOut ? 0 : WNOHANG);
    if (ended == pid)
      break;
    if (ended < 0 && errno != EINTR) {
      result.code = errno;
      return result;
    }
    if (timedOut)
      continue;
    if (std::chrono::steady_clock::now() >= deadline) {
      timedOut = true;
      kill(-pid, SIGKILL);
      continue;
    }
    // A tool runs for 20 ms at least, so a millisecond more is not felt.
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, nullptr);
  }
  // What the tool itself may have left running.
  kill(-pid, SIGKILL);
  if (timedOut)
    result.status = RunResult::Status::TimedOut;
  else if (WIFEXITED(state)) {
    result.status = RunResult::Status::Exited;
    result.code = WEXITSTATUS(state);
  } else {
    result.status = RunResult::Status::Signalled;
    result.code = WTERMSIG(state);
  }
  return result;
}

std::string tilec::describeCommand(const RunRequest &request) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::sys::printArg(os, request.path, /*Quote=*/true);
  for (const std::string &argument : request.arguments) {
    std::string shown = argument;
    if (!request.tempDir.empty())
      for (size_t at; (at = shown.find(request.tempDir)) != std::string::npos;)
        shown.replace(at, request.tempDir.size(), "<temp>");
    os << ' ';
    llvm::sys::printArg(os, shown, /*Quote=*/true);
  }
  return text;
}

RunResult tilec::runTool(const RunRequest &request) {
  RunResult result;
  MemoryFile input("input"), output("output"), errors("errors");
  if (input.fd < 0 || output.fd < 0 || errors.fd < 0 || !input.write(request.input)) {
    result.code = errno;
    return result;
  }
  std::vector<char *> argv;
  argv.push_back(const_cast<char *>(request.path.c_str()));
  for (const std::string &argument : request.arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  // Nothing of the user's environment: NVCC_APPEND_FLAGS and its like change what the tools do.
  std::string temp = "TMPDIR=" + request.tempDir;
  char locale[] = "LC_ALL=C";
  char path[] = "PATH=/usr/bin:/bin";
  char *environment[] = {locale, path, request.tempDir.empty() ? nullptr : temp.data(), nullptr};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.fd, 0);
  posix_spawn_file_actions_adddup2(&actions, output.fd, 1);
  posix_spawn_file_actions_adddup2(&actions, errors.fd, 2);
  // ptxas looks for the files that `.file` names in its folder and writes their times into the cubin: it must
  // run where there are none.
  bool hasFolder = llvm::sys::path::is_absolute(request.tempDir);
  posix_spawn_file_actions_addchdir_np(&actions, hasFolder ? request.tempDir.c_str() : "/");
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A handler or mask of the driver's is no business of the tool.
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  int problem = posix_spawn(&pid, request.path.c_str(), &actions, &attributes, argv.data(), environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (problem != 0) {
    result.code = problem;
    return result;
  }
  {
    RegisteredGroup registered(pid);
    result = waitFor(pid, request.timeoutSeconds);
  }
  result.output = output.read();
  result.errors = errors.read();
  return result;
}

/// The folder gets its slot before it is made, so that no moment is left in which a signal forgets it.
PrivateDir::PrivateDir(StringRef parent) {
  llvm::SmallString<128> base(parent);
  if (parent.empty())
    llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, base);
  llvm::sys::fs::make_absolute(base);
  FolderSlot *claimed = nullptr;
  for (FolderSlot &candidate : privateFolders) {
    int free = FolderSlot::Free;
    if (candidate.state.compare_exchange_strong(free, FolderSlot::Claimed)) {
      claimed = &candidate;
      break;
    }
  }
  int problem = EEXIST;
  for (int attempt = 0; attempt != 100 && problem == EEXIST; ++attempt) {
    // 64 random bits: a name that exists is nobody's, so that deleting it by mistake is out of the question.
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random) {
      problem = errno;
      break;
    }
    llvm::SmallString<128> name(base);
    llvm::sys::path::append(name, ".tilec-" + llvm::utohexstr(random, /*LowerCase=*/true));
    if (claimed && name.size() < sizeof claimed->path) {
      memcpy(claimed->path, name.c_str(), name.size() + 1);
      claimed->state = FolderSlot::Live;
    }
    problem = mkdir(name.c_str(), 0700) == 0 ? 0 : errno;
    if (problem == 0)
      path = std::string(name);
    else if (claimed)
      claimed->state = FolderSlot::Claimed;
  }
  if (problem == 0) {
    slot = claimed;
    if (isEnding)
      removeFolder(path.c_str());
    return;
  }
  if (claimed)
    claimed->state = FolderSlot::Free;
  reason = "cannot make a temporary folder in '" + base.str().str() + "': " + std::strerror(problem);
}

PrivateDir::~PrivateDir() {
  if (isValid())
    llvm::sys::fs::remove_directories(path);
  if (slot)
    static_cast<FolderSlot *>(slot)->state = FolderSlot::Free;
}

bool tilec::readFile(StringRef path, std::string &bytes, std::string &problem) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer) {
    problem = buffer.getError().message();
    return false;
  }
  bytes = (*buffer)->getBuffer().str();
  return true;
}

bool tilec::writeFile(StringRef path, StringRef bytes, std::string &problem) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error, llvm::sys::fs::CD_CreateNew);
  if (!error) {
    stream << bytes;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  problem = error ? error.message() : "";
  return !error;
}
