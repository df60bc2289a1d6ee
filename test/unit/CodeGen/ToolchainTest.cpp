//===- ToolchainTest.cpp - finding and running tools ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fake toolkits made of shell scripts: search order, versions, environment, time limit.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/Toolchain.h"
#include "FakeTools.h"
#include "Subprocess.h"
#include "TestModules.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilec;
using namespace tilec::test;

namespace {

TEST(Toolchain, RootsComeBeforeThePath) {
  FakeToolkit one("13.0.88"), two("12.8.61"), three("12.4.131");
  CodeGenLog log;
  auto found = findToolchain({one.root(), two.root(), three.bin()}, log);
  ASSERT_TRUE(found) << text(log);
  EXPECT_EQ(found->foundBy, "CUDAToolkit_ROOT");
  EXPECT_EQ(found->ptxas.path, one.bin() + "/ptxas");
  EXPECT_EQ(found->ptxas.version, "13.0.88");
  found = findToolchain({"", two.root(), three.bin()}, log);
  ASSERT_TRUE(found) << text(log);
  EXPECT_EQ(found->foundBy, "CUDA_HOME");
  EXPECT_EQ(found->fatbinary.version, "12.8.61");
  found = findToolchain({"", "", "/nonexistent:" + three.bin()}, log);
  ASSERT_TRUE(found) << text(log);
  EXPECT_EQ(found->foundBy, "PATH");
  EXPECT_EQ(found->ptxas.major, 12u);
  EXPECT_EQ(found->ptxas.minor, 4u);
  EXPECT_TRUE(log.diagnostics.empty());
}

/// A variable that points to nothing is a mistake of the user's, not a reason to take another toolkit.
TEST(Toolchain, ABrokenRootIsAnError) {
  FakeToolkit good("13.0.88");
  CodeGenLog log;
  EXPECT_FALSE(findToolchain({"/nonexistent", "", good.bin()}, log));
  EXPECT_TRUE(
      contains(log, "environment :0:0 no 'ptxas' in '/nonexistent/bin', to which CUDAToolkit_ROOT points"))
      << text(log);
}

TEST(Toolchain, MissingTools) {
  CodeGenLog log;
  EXPECT_FALSE(findToolchain({"", "", "/nonexistent:"}, log));
  EXPECT_TRUE(
      contains(log, "cannot find 'ptxas' by CUDAToolkit_ROOT, CUDA_HOME or PATH | install the CUDA Toolkit"))
      << text(log);
  FakeToolkit half("13.0.88");
  half.remove("fatbinary");
  log = {};
  EXPECT_FALSE(findToolchain({"", "", half.bin()}, log));
  EXPECT_TRUE(contains(log, "cannot find 'fatbinary', which belongs beside")) << text(log);
}

TEST(Toolchain, UnusableTools) {
  auto messageFor = [](llvm::StringRef script) {
    FakeToolkit kit("13.0.88");
    kit.write("ptxas", script);
    CodeGenLog log;
    EXPECT_FALSE(findToolchain({kit.root(), "", ""}, log));
    return text(log);
  };
  EXPECT_NE(messageFor("#!/bin/sh\nexit 3\n").find("does not work: exit status 3"), std::string::npos);
  EXPECT_NE(messageFor("#!/bin/sh\nkill -9 $$\n").find("does not work: killed by signal 9"),
            std::string::npos);
  EXPECT_NE(
      messageFor("#!/bin/sh\necho hello\n").find("is not the CUDA Toolkit's ptxas: it prints no version"),
      std::string::npos);
  EXPECT_NE(messageFor("#!/bin/sh\necho 'Cuda compilation tools, release 11.8, V11.8.89'\n")
                .find("is of CUDA 11.8.89, which is too old"),
            std::string::npos);
  EXPECT_NE(messageFor("no program").find("does not work"), std::string::npos);
}

TEST(Subprocess, NothingOfTheEnvironmentGetsThrough) {
  setenv("NVCC_APPEND_FLAGS", "--ptx", 1);
  RunRequest request;
  request.path = "/usr/bin/env";
  PrivateDir dir("");
  request.tempDir = dir.directory();
  RunResult result = runTool(request);
  EXPECT_TRUE(result.succeeded()) << result.describe();
  EXPECT_EQ(result.output, "LC_ALL=C\nPATH=/usr/bin:/bin\nTMPDIR=" + dir.directory() + "\n");
  unsetenv("NVCC_APPEND_FLAGS");
}

TEST(Subprocess, ArgumentsAreNotForAShell) {
  RunRequest request;
  request.path = "/bin/echo";
  request.arguments = {"$(touch PWN)", "`id`", "a b", "*"};
  EXPECT_EQ(runTool(request).output, "$(touch PWN) `id` a b *\n");
}

TEST(Subprocess, MuchInputAndOutput) {
  RunRequest request;
  request.path = "/bin/cat";
  request.input = std::string(5 << 20, 'x');
  EXPECT_EQ(runTool(request).output, request.input);
}

TEST(Subprocess, TimeLimitKillsTheWholeGroup) {
  auto start = std::chrono::steady_clock::now();
  RunRequest request;
  request.path = "/bin/sh";
  request.arguments = {"-c", "sleep 60 & sleep 60"};
  request.timeoutSeconds = 1;
  RunResult result = runTool(request);
  EXPECT_EQ(result.status, RunResult::Status::TimedOut);
  EXPECT_EQ(result.describe(), "time limit exceeded");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

/// In a process of its own: nothing runs any more after the call.
static void killRunningSleep() {
  RunResult result;
  std::thread runner([&] {
    RunRequest request;
    request.path = "/bin/sleep";
    request.arguments = {"60"};
    result = runTool(request);
  });
  auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  killRunningTools();
  runner.join();
  bool isSoon = std::chrono::steady_clock::now() - start < std::chrono::seconds(10);
  _exit(result.status == RunResult::Status::Signalled && result.code == SIGKILL && isSoon ? 7 : 1);
}

TEST(Subprocess, KillRunningTools) { EXPECT_EXIT(killRunningSleep(), testing::ExitedWithCode(7), ""); }

TEST(Subprocess, NotAProgram) {
  RunRequest request;
  request.path = "/nonexistent/tool";
  RunResult result = runTool(request);
  EXPECT_EQ(result.status, RunResult::Status::NotStarted);
  EXPECT_EQ(result.describe(), "could not be started: No such file or directory");
}

TEST(Subprocess, PrivateDirsVanish) {
  std::string path, problem;
  {
    PrivateDir dir("");
    ASSERT_TRUE(dir.isValid());
    path = dir.directory();
    EXPECT_TRUE(writeFile(dir.file("a"), "bytes", problem)) << problem;
    EXPECT_FALSE(writeFile(dir.file("a"), "bytes", problem)) << "no file of ours is written twice";
    std::string bytes;
    EXPECT_TRUE(readFile(dir.file("a"), bytes, problem));
    EXPECT_EQ(bytes, "bytes");
  }
  EXPECT_FALSE(llvm::sys::fs::exists(path));
  PrivateDir bad("/nonexistent");
  EXPECT_FALSE(bad.isValid());
  EXPECT_NE(bad.problem().find("cannot make a temporary folder in '/nonexistent'"), std::string::npos);
}

TEST(Toolchain, HashOfATool) {
  FakeToolkit kit("13.0.88");
  kit.write("ptxas", "abc");
  EXPECT_EQ(hashTool({kit.bin() + "/ptxas", "", 0, 0}),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); // FIPS 180-2, B.1
  EXPECT_EQ(hashTool({kit.bin() + "/absent", "", 0, 0}), "");
}

/// Nothing is left of a process that a signal ends while a tool runs: not the tool, not its folder.
TEST(Subprocess, SignalsLeaveNoFolders) {
  PrivateDir parent("");
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    pid_t child = fork();
    if (child == 0) {
      std::signal(signal, [](int) {
        killRunningTools();
        _exit(7);
      });
      PrivateDir first(parent.directory()), second(parent.directory());
      std::string problem;
      writeFile(first.file("image.cubin"), "bytes", problem);
      RunRequest request;
      request.path = "/bin/sh";
      request.tempDir = second.directory();
      request.arguments = {"-c", "cd $TMPDIR; mkdir inner; for i in 1 2 3 4 5 6 7 8 9; do echo > $i; echo > "
                                 "inner/$i; done; kill -" +
                                     std::to_string(signal) + " $PPID; while :; do echo > more; done"};
      runTool(request);
      _exit(8);
    }
    int state = 0;
    ASSERT_EQ(waitpid(child, &state, 0), child);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 7) << state;
    std::error_code error;
    llvm::sys::fs::directory_iterator left(parent.directory(), error);
    EXPECT_TRUE(left == llvm::sys::fs::directory_iterator()) << left->path();
  }
}

} // namespace
