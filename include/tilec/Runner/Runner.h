//===- Runner.h - running a bundle on a GPU -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks and benchmarks of a bundle, by the driver API alone.
//
// A check fills the outputs with poison, puts canaries before and after every tensor, runs the launch program
// and the kernels, then looks at everything: canaries, inputs, outputs. Checks and benchmarks run in a child
// process, since one that faults or hangs ends CUDA for its process: the next gets a new one.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_RUNNER_RUNNER_H
#define TILEC_RUNNER_RUNNER_H

#include "tilec/Runner/Bundle.h"
#include "tilec/Runner/Cuda.h"

namespace tilec::runner {

struct RunOptions {
  int device = 0;
  double timeoutSeconds = 120; ///< of one check or benchmark
  unsigned rounds = 11;        ///< of a benchmark, 5 at least
  std::string filter;          ///< runs those whose name contains it
  bool printsToStderr = false; ///< what kernels print, as standard output holds JSON
};

struct DeviceInfo {
  std::string name;
  int capability = 0;
  int driverVersion = 0;
};

struct CheckResult {
  std::string name, entry;
  bool passed = false;
  std::string target;       ///< whose code ran: "sm_90a"
  double relativeError = 0; ///< largest of the outputs
  std::string detail;       ///< why it failed
};

struct BenchResult {
  std::string name, entry, target;
  bool passed = false; ///< ran, and its outputs are right where they are known
  bool verified = false;
  std::string detail;
  double milliseconds = 0,
         copyMilliseconds = 0; ///< medians of one launch, of one device copy of the same traffic
  double bytes = 0, flops = 0;
  unsigned rounds = 0, launchesPerRound = 0, bufferSets = 0;
  /// The buffers that the launches rotate through exceed the L2 cache four times.
  bool l2Cold = false;
  /// MHz, read in each round while our launches run: median and minimum. No value without NVML.
  std::optional<unsigned> smClock, smClockMin;

  /// 1: as fast as the copy.
  double ofCopy() const { return milliseconds > 0 ? copyMilliseconds / milliseconds : 0; }
};

/// Runs the checks. No value and `error`: there is no GPU, or no driver.
std::optional<std::vector<CheckResult>> runChecks(const Bundle &bundle, const RunOptions &options,
                                                  DeviceInfo &device, std::string &error);

/// Runs the benchmarks. No value and `error` as above.
std::optional<std::vector<BenchResult>> runBenches(const Bundle &bundle, const RunOptions &options,
                                                   DeviceInfo &device, std::string &error);

/// One check in this process, which a fault of the kernel may end as far as CUDA goes (device.isLost). The
/// image is loaded.
CheckResult runCheck(Device &device, const Bundle &bundle, const BundleCheck &check);

// Reports: a table for people, JSON for programs.
std::string checkTable(const std::vector<CheckResult> &results, const DeviceInfo &device);
std::string checkJson(const std::vector<CheckResult> &results, const DeviceInfo &device);
std::string benchTable(const std::vector<BenchResult> &results, const DeviceInfo &device);
std::string benchJson(const std::vector<BenchResult> &results, const DeviceInfo &device);

} // namespace tilec::runner

#endif // TILEC_RUNNER_RUNNER_H
