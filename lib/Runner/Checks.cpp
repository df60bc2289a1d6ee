//===- Checks.cpp - running the checks of a bundle ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parent never touches CUDA. A child runs checks one after the other and writes one line of JSON a result
// into a pipe; when it ends early, or is silent for too long and is killed, the check it was at has failed
// and a new child goes on behind it.
//
//===----------------------------------------------------------------------===//

#include "Json.h"
#include "Tensors.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilec;
using namespace tilec::runner;
using nlohmann::json;

CheckResult tilec::runner::runCheck(Cuda &cuda, const Bundle &bundle, const BundleCheck &check) {
  CheckResult result{check.name, check.entry, false, "", 0, ""};
  const ManifestEntry &entry = *bundle.manifest.findEntry(check.entry);
  const launch::Program *program =
      selectProgram(bundle.manifest, entry, cuda.capability(), result.target, result.detail);
  if (!program)
    return result;
  Tensors tensors(cuda, entry, check.arguments, check.seed);
  if (!tensors.upload()) {
    result.detail = cuda.error;
    return result;
  }
  LaunchResult launches = interpret(*program, tensors.arguments());
  if (!launches.failure.empty()) {
    result.detail = "the launch is refused: " + launches.failure;
    return result;
  }
  for (const KernelLaunch &launch : launches.launches)
    if (!cuda.launch(launch)) {
      result.detail = cuda.error;
      return result;
    }
  if (!cuda.synchronize()) {
    result.detail = cuda.error;
    return result;
  }
  result.detail = tensors.verify(check.expected, result.relativeError);
  result.passed = result.detail.empty();
  return result;
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

static bool writeLine(int pipe, const json &value) {
  std::string line = value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (size_t done = 0; done != line.size();) {
    ssize_t written = write(pipe, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR)
      return false;
    done += written > 0 ? static_cast<size_t>(written) : 0;
  }
  return true;
}

/// Relative errors may be infinite, which JSON cannot say.
static json realJson(double value) {
  return std::isfinite(value) ? json(value) : json(value > 0 ? "inf" : "nan");
}

/// Runs the checks of `wanted` from number `first` on.
static void runChild(const Bundle &bundle, const std::vector<const BundleCheck *> &wanted, size_t first,
                     int device, int pipe) {
  std::string error;
  std::unique_ptr<Cuda> cuda = Cuda::open(device, error);
  if (!cuda) {
    writeLine(pipe, {{"no_gpu", error}});
    return;
  }
  writeLine(
      pipe,
      {{"device", cuda->name()}, {"capability", cuda->capability()}, {"driver", cuda->driverVersion()}});
  std::string target;
  bool isLoaded = cuda->loadImage(bundle.image);
  for (size_t i = first; i != wanted.size() && !cuda->isLost; ++i) {
    CheckResult result{wanted[i]->name, wanted[i]->entry, false, "", 0, cuda->error};
    if (isLoaded)
      result = runCheck(*cuda, bundle, *wanted[i]);
    writeLine(pipe, {{"passed", result.passed},
                     {"target", result.target},
                     {"error", realJson(result.relativeError)},
                     {"detail", result.detail}});
  }
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

namespace {
/// Lines from a pipe, each within a time.
class LineReader {
public:
  explicit LineReader(int pipe) : pipe(pipe) {}

  enum class Status { Line, End, TimeOut };
  Status next(std::string &line, double seconds) {
    for (;;) {
      if (size_t end = buffer.find('\n'); end != std::string::npos) {
        line = buffer.substr(0, end);
        buffer.erase(0, end + 1);
        return Status::Line;
      }
      pollfd wait{pipe, POLLIN, 0};
      int ready = poll(&wait, 1, static_cast<int>(seconds * 1000));
      if (ready == 0)
        return Status::TimeOut;
      if (ready < 0 && errno == EINTR)
        continue;
      char bytes[4096];
      ssize_t got = read(pipe, bytes, sizeof bytes);
      if (got <= 0)
        return Status::End;
      buffer.append(bytes, static_cast<size_t>(got));
    }
  }

private:
  int pipe;
  std::string buffer;
};
} // namespace

static std::string describeEnd(int status) {
  if (WIFSIGNALED(status))
    return std::string("the process that ran it ended with signal ") + strsignal(WTERMSIG(status));
  return "the process that ran it ended with status " + std::to_string(WEXITSTATUS(status));
}

/// Runs checks from `results.size()` on in one child; adds at least one result unless there is no GPU.
static bool runInChild(const Bundle &bundle, const std::vector<const BundleCheck *> &wanted,
                       const RunOptions &options, DeviceInfo &device, std::vector<CheckResult> &results,
                       std::string &error) {
  int ends[2];
  if (pipe(ends) != 0) {
    error = std::string("cannot make a pipe: ") + strerror(errno);
    return false;
  }
  fflush(nullptr);
  pid_t child = fork();
  if (child < 0) {
    error = std::string("cannot start a process: ") + strerror(errno);
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (child == 0) {
    close(ends[0]);
    runChild(bundle, wanted, results.size(), options.device, ends[1]);
    _exit(0); // what the parent's objects would do at exit is the parent's business
  }
  close(ends[1]);
  LineReader reader(ends[0]);
  LineReader::Status status = LineReader::Status::Line;
  std::string line;
  while (results.size() != wanted.size() && error.empty() &&
         (status = reader.next(line, options.timeoutSeconds)) == LineReader::Status::Line) {
    std::string mistake;
    std::optional<json> value = parseJson(line, mistake);
    json answer = value ? std::move(*value) : json();
    JsonCursor root(answer, "the child's answer", mistake);
    if (root.has("no_gpu")) {
      error = root["no_gpu"].string();
    } else if (root.has("device")) {
      device = {root["device"].string(), static_cast<int>(root["capability"].integer()),
                static_cast<int>(root["driver"].integer())};
    } else {
      const BundleCheck &check = *wanted[results.size()];
      results.push_back({check.name, check.entry, root["passed"].integer() != 0, root["target"].string(),
                         root["error"].number(), root["detail"].string()});
    }
  }
  if (status == LineReader::Status::TimeOut)
    kill(child, SIGKILL);
  close(ends[0]);
  int ended = 0;
  while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
    ;
  if (status == LineReader::Status::Line)
    return error.empty();
  // A child that lost its context has said so in a result of its own and left.
  if (status == LineReader::Status::End && WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
    return true;
  const BundleCheck &check = *wanted[results.size()];
  std::string reason = describeEnd(ended);
  if (status == LineReader::Status::TimeOut) {
    char text[96];
    snprintf(text, sizeof text, "no answer within %g s; does the kernel hang?", options.timeoutSeconds);
    reason = text;
  }
  results.push_back({check.name, check.entry, false, "", 0, reason});
  return true;
}

std::optional<std::vector<CheckResult>> tilec::runner::runChecks(const Bundle &bundle,
                                                                 const RunOptions &options,
                                                                 DeviceInfo &device, std::string &error) {
  std::vector<const BundleCheck *> wanted;
  for (const BundleCheck &check : bundle.checks)
    if (check.name.find(options.filter) != std::string::npos)
      wanted.push_back(&check);
  std::vector<CheckResult> results;
  while (results.size() != wanted.size()) {
    size_t before = results.size();
    if (!runInChild(bundle, wanted, options, device, results, error))
      return std::nullopt;
    if (results.size() == before) // a child that does nothing and is well would be started for ever
      results.push_back({wanted[before]->name, wanted[before]->entry, false, "", 0,
                         "the process that ran it said nothing"});
  }
  return results;
}
