//===- EmulatedCheck.h - the checks of a program on the emulator -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the compiled kernels of every target on the host, each check in several schedules, and reports what
// the emulator found as diagnostics at the lines of the program.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DRIVER_EMULATEDCHECK_H
#define TILEC_LIB_DRIVER_EMULATEDCHECK_H

#include "BundleBuilder.h"
#include "Compilation.h"
#include "tilec/Emu/Emulator.h"

namespace tilec {

/// What became of a check on one target.
struct EmulatedOutcome {
  std::string target;
  bool passed = false;
  double relativeError = 0;
  unsigned schedules = 0; ///< that ran; less than asked for after a failure
  double seconds = 0;
  std::string detail; ///< why it failed
  std::vector<emu::Finding> findings;
};

class EmulatedChecks {
public:
  EmulatedChecks(const Options &options, SourceManager &sources, DiagnosticEngine &diags,
                 Compilation &compilation)
      : options(options), sources(sources), diags(diags), compilation(compilation) {}

  /// Compiles for every target. False after errors.
  bool prepare();
  /// Runs a check on a target, by its place among the compilation's.
  EmulatedOutcome run(size_t target, const frontend::hir::Check &check, const CheckData &data,
                      const TensorBytes &want);

private:
  struct Target {
    explicit Target(uint64_t seed) : builder(seed) {}
    const ArchInfo *arch = nullptr;
    BundleBuilder builder; // of one check at a time: a bundle of all would hold all tensors
    std::shared_ptr<const emu::Program> program;
    std::map<std::string, std::vector<emu::SharedTile>> sharedTiles; // by kernel
  };
  EmulatedOutcome runOn(const Target &target, const runner::Bundle &bundle);
  void report(const emu::Finding &finding, const Target &target, const emu::Schedule &schedule,
              unsigned number);
  void clearProgress();
  void showProgress(llvm::StringRef name, uint64_t done, uint64_t total);

  const Options &options;
  SourceManager &sources;
  DiagnosticEngine &diags;
  Compilation &compilation;
  std::vector<Target> targets;
  double lastProgress = 0;
  bool isProgressShown = false;
};

} // namespace tilec

#endif
