//===- Driver.cpp - the tilec command --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command line, then one of the commands, under a crash guard: whatever happens, a user sees a diagnostic and
// one of the documented exit statuses.
//
//===----------------------------------------------------------------------===//
#include "tilec/Driver/Driver.h"

#include "CheckCommand.h"
#include "CompileCommand.h"
#include "ExitStatus.h"
#include "LayoutCommand.h"
#include "Version.h"
#include "tilec/CodeGen/Toolchain.h"
#include "tilec/Driver/Options.h"
#include "tilec/Support/Diagnostics.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace tilec {
namespace {

/// Deeply nested input must not end on the stack of whoever started us: the work runs on a thread of its own.
constexpr unsigned kStackBytes = 64u << 20;

bool wantsColor(const DiagnosticOptions &options) {
  return options.color == ColorMode::Always ||
         (options.color == ColorMode::Auto && llvm::sys::Process::StandardErrHasColors());
}

void listTargets(llvm::raw_ostream &os) {
  for (const ArchInfo &arch : ArchInfo::all())
    if (arch.selectable)
      os << arch.name << (arch.isPtxOnly() ? "  PTX" : "  machine code") << ", " << arch.sharedPerBlock
         << " bytes of shared memory a block\n";
}

int runCommand(llvm::ArrayRef<const char *> argv, SourceManager &sources, DiagnosticEngine &diags,
               ExitStatusConsumer &status) {
  Options options;
  if (!parseOptions(argv, options, diags)) {
    return status.getStatus() == ExitOk ? ExitUsage : status.getStatus();
  }
  if (options.help) {
    printHelp(llvm::outs(), options.command);
    return ExitOk;
  }
  if (options.version) {
    printVersion(llvm::outs());
    return ExitOk;
  }
  if (options.listTargets) {
    listTargets(llvm::outs());
    return ExitOk;
  }
  int result = ExitInternal;
  switch (options.command) {
  case Command::Compile:
    result = runCompile(options, sources, diags);
    break;
  case Command::Check:
    result = runCheck(options, sources, diags);
    break;
  case Command::Layout:
    result = runLayout(options, sources, diags);
    break;
  }
  // A stream that failed would end the program at its destruction, as if that were our fault.
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    diags.reportWithoutLocation(DiagId::CannotWriteFile, "standard output",
                                llvm::StringRef(llvm::outs().error().message()).lower());
    llvm::outs().clear_error();
  }
  // What was reported first says best what went wrong.
  return status.getStatus() != ExitOk ? static_cast<int>(status.getStatus()) : result;
}

/// Lets the crash handlers run where the stack itself is what ran out: on a stack of their own, on this
/// thread.
void handleStackOverflow() {
  static char handlerStack[64 * 1024];
  stack_t stack = {};
  stack.ss_sp = handlerStack;
  stack.ss_size = sizeof(handlerStack);
  ::sigaltstack(&stack, nullptr);
  for (int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction action;
    ::sigaction(signal, nullptr, &action);
    action.sa_flags |= SA_ONSTACK;
    ::sigaction(signal, &action, nullptr);
  }
}

/// A standard stream that is closed would get the next file that is opened, an output say, and diagnostics
/// would go there. Reading and writing them stays an error, but diagnostics are then for nobody.
void fillStandardStreams() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) // open gives the lowest number that is free
      (void)!::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

/// LLVM's fatal errors and bad allocations end here instead of printing raw text and aborting.
void handleFatalError(void *, const char *reason, bool) {
  llvm::errs() << "tilec: error: internal error of tilec: " << reason << " [TILE1103]\n";
  llvm::sys::RunInterruptHandlers(); // removes temporary files
  killRunningTools();
  std::_Exit(ExitInternal);
}

void handleInterrupt(int signal) {
  killRunningTools();
  llvm::sys::RunInterruptHandlers();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

} // namespace

int runTilec(llvm::ArrayRef<const char *> argv) {
  fillStandardStreams();
  std::signal(SIGPIPE, SIG_IGN); // a closed pipe is a failed write with a message
  std::signal(SIGINT, handleInterrupt);
  std::signal(SIGTERM, handleInterrupt);
  std::signal(SIGHUP, handleInterrupt);
  llvm::install_fatal_error_handler(handleFatalError);
  llvm::install_bad_alloc_error_handler(handleFatalError);

  SourceManager sources;
  DiagnosticOptions look = scanDiagnosticOptions(argv);
  TextDiagnosticPrinter text(llvm::errs(), wantsColor(look));
  JsonDiagnosticPrinter json(llvm::errs());
  ExitStatusConsumer status(look.json ? static_cast<DiagnosticConsumer &>(json) : text);
  DiagnosticEngine diags(sources, status);

  int result = ExitInternal;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  bool survived = guard.RunSafelyOnThread(
      [&] {
        handleStackOverflow();
        result = runCommand(argv, sources, diags, status);
      },
      kStackBytes);
  if (survived) {
    llvm::errs().clear_error(); // diagnostics that nobody can read do not change the status
    return result;
  }
  llvm::sys::RunInterruptHandlers();
  killRunningTools();
  llvm::errs() << "tilec: error: internal error of tilec: it crashed on this input [TILE1103]\n"
               << "tilec: note: please report the program and the command line:";
  for (const char *arg : argv)
    llvm::errs() << " '" << arg << "'";
  llvm::errs() << "\n";
  std::_Exit(ExitInternal); // destructors of a broken state are not to be trusted
}

} // namespace tilec
