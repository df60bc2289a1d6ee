//===- Child.cpp - work on the GPU in another process ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parent never touches CUDA. A child does items one after the other and writes one line of JSON an item
// into a pipe; when it ends early, or is silent for too long and is killed, the item it was at has failed and
// a new child goes on behind it.
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "Json.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilec;
using namespace tilec::runner;
using nlohmann::json;

json tilec::runner::realJson(double value) {
  if (std::isfinite(value))
    return value;
  return value != value ? "nan" : value > 0 ? "inf" : "-inf";
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

/// Does the items from number `first` on.
static void runChild(size_t first, size_t count, const std::string &image, int device, const ItemRunner &run,
                     int pipe) {
  std::string error;
  std::unique_ptr<Cuda> cuda = Cuda::open(device, error);
  if (!cuda) {
    writeLine(pipe, {{"no_gpu", error}});
    return;
  }
  writeLine(
      pipe,
      {{"device", cuda->name()}, {"capability", cuda->capability()}, {"driver", cuda->driverVersion()}});
  const std::string notLoaded = cuda->loadImage(image) ? "" : cuda->error;
  for (size_t i = first; i != count && !cuda->isLost; ++i) {
    cuda->error.clear();
    json answer = notLoaded.empty() ? json{{"value", run(*cuda, i)}} : json{{"failure", notLoaded}};
    if (!writeLine(pipe, answer))
      return;
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

/// Does items from `answers.size()` on in one child; adds at least one answer unless there is no GPU.
static bool runOneChild(size_t count, const std::string &image, const RunOptions &options,
                        const ItemRunner &run, DeviceInfo &device, std::vector<ItemAnswer> &answers,
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
    if (options.printsToStderr)
      dup2(STDERR_FILENO, STDOUT_FILENO);
    runChild(answers.size(), count, image, options.device, run, ends[1]);
    fflush(stdout); // the driver prints by way of the C library
    _exit(0); // what the parent's objects would do at exit is the parent's business
  }
  close(ends[1]);
  LineReader reader(ends[0]);
  LineReader::Status status = LineReader::Status::Line;
  std::string line;
  while (answers.size() != count && error.empty() &&
         (status = reader.next(line, options.timeoutSeconds)) == LineReader::Status::Line) {
    std::string mistake;
    std::optional<json> answer = parseJson(line, mistake);
    if (!answer)
      *(answer = json()) = json::object({{"failure", "the process that ran it wrote no JSON: " + mistake}});
    JsonCursor root(*answer, "the child's answer", mistake);
    if (root.has("no_gpu"))
      error = root["no_gpu"].string();
    else if (root.has("device"))
      device = {root["device"].string(), static_cast<int>(root["capability"].integer()),
                static_cast<int>(root["driver"].integer())};
    else if (root.has("failure"))
      answers.push_back({json(), root["failure"].string()});
    else
      answers.push_back({(*answer)["value"], ""});
  }
  if (status == LineReader::Status::TimeOut)
    kill(child, SIGKILL);
  close(ends[0]);
  int ended = 0;
  while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
    ;
  if (status == LineReader::Status::Line)
    return error.empty();
  // A child that lost its context has said so in an answer of its own and left.
  if (status == LineReader::Status::End && WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
    return true;
  std::string reason = describeEnd(ended);
  if (status == LineReader::Status::TimeOut) {
    char text[96];
    snprintf(text, sizeof text, "no answer within %g s; does the kernel hang?", options.timeoutSeconds);
    reason = text;
  }
  answers.push_back({json(), reason});
  return true;
}

std::optional<std::vector<ItemAnswer>> tilec::runner::runInChildren(size_t count, const std::string &image,
                                                                    const RunOptions &options,
                                                                    const ItemRunner &run, DeviceInfo &device,
                                                                    std::string &error) {
  std::vector<ItemAnswer> answers;
  while (answers.size() != count) {
    size_t before = answers.size();
    if (!runOneChild(count, image, options, run, device, answers, error))
      return std::nullopt;
    if (answers.size() == before) // a child that does nothing and is well would be started for ever
      answers.push_back({json(), "the process that ran it said nothing"});
  }
  return answers;
}
