//===- Children.cpp - work in processes of its own -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Children.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilec::mutation;
using Clock = std::chrono::steady_clock;

namespace {
struct Child {
  size_t index;
  pid_t process;
  int pipe;
  Clock::time_point end;
};
} // namespace

static Child start(size_t index, double seconds, const std::function<std::string(size_t)> &work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return {index, -1, -1, {}};
  pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    std::string text = work(index);
    for (size_t at = 0; at < text.size();) {
      ssize_t written = write(ends[1], text.data() + at, text.size() - at);
      if (written <= 0)
        _exit(1);
      at += static_cast<size_t>(written);
    }
    _exit(0); // no destructors: the parent still owns what they would touch
  }
  close(ends[1]);
  return {index, process, ends[0],
          Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))};
}

static void finish(Child &child, Answer &answer, bool isLate) {
  if (isLate)
    kill(child.process, SIGKILL);
  close(child.pipe);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR)
    continue;
  if (isLate)
    answer.failure = "does not end";
  else if (WIFSIGNALED(status))
    answer.failure = std::string("ended by ") + strsignal(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    answer.failure = "exit status " + std::to_string(WEXITSTATUS(status));
}

std::vector<Answer> tilec::mutation::runInChildren(size_t count, unsigned jobs, double seconds,
                                                   const std::function<std::string(size_t)> &work) {
  std::vector<Answer> answers(count);
  std::vector<Child> running;
  for (size_t next = 0; next != count || !running.empty();) {
    while (next != count && running.size() < jobs) {
      Child child = start(next++, seconds, work);
      if (child.process < 0)
        answers[child.index].failure = "no process for it";
      else
        running.push_back(child);
    }
    std::vector<pollfd> polls;
    for (const Child &child : running)
      polls.push_back({child.pipe, POLLIN, 0});
    poll(polls.data(), polls.size(), 100);
    for (size_t i = running.size(); i-- != 0;) {
      Child &child = running[i];
      bool isOver = false;
      if (polls[i].revents) {
        char buffer[4096];
        ssize_t got = read(child.pipe, buffer, sizeof buffer);
        if (got > 0)
          answers[child.index].text.append(buffer, static_cast<size_t>(got));
        isOver = got <= 0;
      }
      bool isLate = !isOver && Clock::now() > child.end;
      if (!isOver && !isLate)
        continue;
      finish(child, answers[child.index], isLate);
      running.erase(running.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  return answers;
}
