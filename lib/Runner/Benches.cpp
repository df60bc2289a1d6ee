//===- Benches.cpp - timing the benchmarks of a bundle --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A figure is the median over rounds; in every round our launches and device copies that move as many bytes
// are timed one after the other, so that clocks and temperature are the same for both. Buffers are rotated
// until they exceed the L2 cache four times. Short launches are timed many to an event pair.
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"
#include <algorithm>

using namespace tilec;
using namespace tilec::runner;

static constexpr double roundMilliseconds = 2; // at least, where launches are short
static constexpr unsigned mostSets = 64, mostLaunches = 1000, warmups = 3;

static double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  size_t middle = times.size() / 2;
  return times.size() % 2 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
}

namespace {
/// One benchmark: its buffer sets, the launches into each, and the buffers of the copy.
class Bench {
public:
  Bench(Cuda &cuda, const Bundle &bundle, const BundleBench &bench)
      : cuda(cuda), bundle(bundle), bench(bench) {}
  ~Bench() {
    for (DevicePointer buffer : copies)
      if (!cuda.isLost)
        cuda.free(buffer);
  }

  BenchResult run(unsigned rounds) {
    result.name = bench.name;
    result.entry = bench.entry;
    result.bytes = bench.bytes;
    result.flops = bench.flops;
    result.rounds = rounds;
    if (prepare() && time(rounds))
      finish();
    if (result.detail.empty())
      result.detail = cuda.error;
    result.passed = result.detail.empty();
    return result;
  }

private:
  bool prepare() {
    const ManifestEntry &entry = *bundle.manifest.findEntry(bench.entry);
    const launch::Program *program =
        selectProgram(bundle.manifest, entry, cuda.capability(), result.target, result.detail);
    if (!program)
      return false;
    do {
      sets.push_back(std::make_unique<Tensors>(cuda, entry, bench.arguments, bench.seed));
      if (!sets.back()->upload())
        return false;
      LaunchResult answer = interpret(*program, sets.back()->arguments());
      if (!answer.failure.empty()) {
        result.detail = "the launch is refused: " + answer.failure;
        return false;
      }
      launches.push_back(std::move(answer.launches));
    } while (sets.size() < mostSets && sets.size() * sets.front()->bytes() < 4 * cuda.l2Bytes());
    result.bufferSets = static_cast<unsigned>(sets.size());
    copyBytes = static_cast<uint64_t>(bench.bytes > 0 ? bench.bytes / 2
                                                      : static_cast<double>(sets.front()->bytes()) / 2);
    copyBytes = std::max<uint64_t>(copyBytes / 16 * 16, 16);
    for (size_t i = 0; i != 2 * sets.size(); ++i) {
      if (!cuda.allocate(copies.emplace_back(), copyBytes))
        return false;
      if (!cuda.fill(copies.back(), static_cast<uint8_t>(i), copyBytes))
        return false;
    }
    return true;
  }

  bool launchOnce() {
    for (const KernelLaunch &launch : launches[next++ % launches.size()])
      if (!cuda.launch(launch))
        return false;
    return true;
  }

  bool copyOnce() {
    size_t set = nextCopy++ % sets.size();
    return cuda.copyOnDevice(copies[2 * set], copies[2 * set + 1], copyBytes);
  }

  /// Milliseconds of one of `count` calls in a row.
  bool timeOf(bool (Bench::*call)(), unsigned count, double &milliseconds) {
    if (!cuda.startTimer())
      return false;
    for (unsigned i = 0; i != count; ++i)
      if (!(this->*call)())
        return false;
    if (!cuda.stopTimer(milliseconds))
      return false;
    milliseconds /= count;
    return true;
  }

  static unsigned countFor(double milliseconds) {
    if (milliseconds <= 0)
      return mostLaunches;
    return static_cast<unsigned>(std::clamp(roundMilliseconds / milliseconds, 1.0, double(mostLaunches)));
  }

  bool time(unsigned rounds) {
    double once = 0, copied = 0;
    if (!timeOf(&Bench::launchOnce, warmups, once) || !timeOf(&Bench::launchOnce, warmups, once) ||
        !timeOf(&Bench::copyOnce, warmups, copied) || !timeOf(&Bench::copyOnce, warmups, copied))
      return false;
    result.launchesPerRound = countFor(once);
    std::vector<double> ours, theirs;
    for (unsigned round = 0; round != rounds; ++round) {
      if (!timeOf(&Bench::launchOnce, result.launchesPerRound, ours.emplace_back()) ||
          !timeOf(&Bench::copyOnce, countFor(copied), theirs.emplace_back()))
        return false;
    }
    result.smClock = cuda.smClock();
    result.milliseconds = median(ours);
    result.copyMilliseconds = median(theirs);
    return cuda.synchronize();
  }

  /// In-place kernels have run many times over their data, so only plain outputs can be verified.
  void finish() {
    double relativeError = 0;
    result.verified = !bench.expected.empty();
    result.detail = sets.front()->verify(bench.expected, relativeError);
  }

  Cuda &cuda;
  const Bundle &bundle;
  const BundleBench &bench;
  BenchResult result;
  std::vector<std::unique_ptr<Tensors>> sets;
  std::vector<std::vector<KernelLaunch>> launches;
  std::vector<DevicePointer> copies;
  uint64_t copyBytes = 0;
  size_t next = 0, nextCopy = 0;
};
} // namespace

std::optional<std::vector<BenchResult>> tilec::runner::runBenches(const Bundle &bundle,
                                                                  const RunOptions &options,
                                                                  DeviceInfo &device, std::string &error) {
  std::unique_ptr<Cuda> cuda = Cuda::open(options.device, error);
  if (!cuda)
    return std::nullopt;
  device = {cuda->name(), cuda->capability(), cuda->driverVersion()};
  bool isLoaded = cuda->loadImage(bundle.image);
  std::vector<BenchResult> results;
  for (const BundleBench &bench : bundle.benches) {
    if (bench.name.find(options.filter) == std::string::npos)
      continue;
    if (isLoaded && !cuda->isLost) {
      cuda->error.clear();
      results.push_back(Bench(*cuda, bundle, bench).run(std::max(options.rounds, 1u)));
    } else {
      results.emplace_back();
      results.back().name = bench.name;
      results.back().entry = bench.entry;
      results.back().detail = cuda->error;
    }
  }
  return results;
}
