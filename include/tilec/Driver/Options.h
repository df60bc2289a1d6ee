//===- Options.h - the command line of tilec --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command line asks for, as plain data. Parsing reports every mistake through the DiagnosticEngine;
// exit status 2 follows. No environment variable adds options.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_DRIVER_OPTIONS_H
#define TILEC_DRIVER_OPTIONS_H

#include "tilec/Driver/Stage.h"
#include "tilec/Target/ArchInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tilec {

class DiagnosticEngine;

/// Exit statuses, documented in docs/cli.md.
enum ExitCode : int {
  ExitOk = 0,
  ExitInput = 1,       ///< an error in the input
  ExitUsage = 2,       ///< a bad command line
  ExitEnvironment = 3, ///< a tool missing, a disk full, no permission, no GPU
  ExitLimit = 4,       ///< a time or size limit
  ExitInternal = 70,   ///< a bug of tilec
};

enum class Command { Compile, Check, Layout };
enum class CheckDevice { Default, Reference, Emulator, Gpu };
enum class ColorMode { Auto, Always, Never };

struct Options {
  Command command = Command::Compile;
  std::string input; // "-": standard input; of Command::Layout the layout itself

  // Outputs. Empty: not wanted.
  std::string output, header, source, manifest;
  std::vector<Stage> emit;
  std::optional<Stage> from;
  std::string nameSpace;
  bool printOutputs = false;
  std::optional<std::string> saveTemps; // folder; "" beside the outputs

  llvm::SmallVector<const ArchInfo *> targets; // never empty
  bool targetsGiven = false;
  bool listTargets = false;

  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> includePaths;
  bool contract = true;

  bool writeDepfile = false;
  std::string depfile, depTarget;

  bool jsonDiagnostics = false;
  ColorMode color = ColorMode::Auto;

  bool report = false, timePasses = false, verbose = false, dryRun = false, verifyStages = false;
  unsigned jobs = 0; // 0: the cores
  unsigned ptxasTimeoutSeconds = 300;
  bool help = false, version = false;

  CheckDevice device = CheckDevice::Default;
  std::string filter;
  bool json = false;
  uint64_t seed = 1;
  std::vector<std::pair<std::string, int64_t>> checkValues; // that replace those of the checks
  unsigned schedules = 4; // of the emulator, a check
  std::string bundle;

  std::string shape; // as written; empty: not given
  unsigned elementBits = 16;
  bool svg = false;
};

/// How diagnostics are to look; read before the others so that mistakes in them are shown that way.
struct DiagnosticOptions {
  bool json = false;
  ColorMode color = ColorMode::Auto;
};
DiagnosticOptions scanDiagnosticOptions(llvm::ArrayRef<const char *> argv);

/// Parses argv (argv[0] is skipped), `@file` expanded, and applies warning options and the error limit to the
/// engine. False after an error.
bool parseOptions(llvm::ArrayRef<const char *> argv, Options &options, DiagnosticEngine &diags);

void printHelp(llvm::raw_ostream &os, Command command);

} // namespace tilec

#endif
