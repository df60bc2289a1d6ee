//===- Benches.cpp - timing the benchmarks of a bundle --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A figure is the median over rounds; in every round our launches and device copies that move as many bytes
// are timed one after the other, so that clocks and temperature are the same for both. Buffers are rotated
// until they exceed the L2 cache four times, as far as memory allows; the result says whether they do. Short
// launches are timed many to an event pair.
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "Json.h"
#include "Tensors.h"
#include <algorithm>

using namespace tilec;
using namespace tilec::runner;
using nlohmann::json;

static constexpr double roundMilliseconds = 2; // at least, where launches are short
static constexpr uint64_t mostSets = 16384;
static constexpr unsigned mostLaunches = 1000, warmups = 3, leastRounds = 5;

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
    if (!program || !addSet(entry, *program))
      return false;
    // What is left is for the rotation: half for our buffers, a quarter for the copies.
    uint64_t available;
    if (!cuda.freeBytes(available))
      return false;
    const Tensors &first = *sets.front();
    const uint64_t wanted = setsFor(first.bytes());
    const uint64_t fitting = 1 + available / 2 / std::max<uint64_t>(first.allocationBytes(), 1);
    while (sets.size() < std::min({wanted, fitting, mostSets}))
      if (!addSet(entry, *program))
        return false;
    result.bufferSets = static_cast<unsigned>(sets.size());
    result.l2Cold = sets.size() >= wanted;
    return prepareCopies(available / 4);
  }

  /// So many buffers of that size exceed the L2 cache four times.
  uint64_t setsFor(uint64_t bytes) const {
    return bytes ? std::max<uint64_t>(1, (4 * cuda.l2Bytes() + bytes - 1) / bytes) : 1;
  }

  bool addSet(const ManifestEntry &entry, const launch::Program &program) {
    sets.push_back(std::make_unique<Tensors>(cuda, entry, bench.arguments, bench.seed));
    Tensors &set = *sets.back();
    if (sets.size() == 1 ? !set.upload() : !set.upload(*sets.front()))
      return false;
    LaunchResult answer = interpret(program, set.arguments(), cuda.smCount());
    if (!answer.failure.empty()) {
      result.detail = "the launch is refused: " + answer.failure;
      return false;
    }
    launches.push_back(std::move(answer.launches));
    return true;
  }

  /// The copies move as many bytes as a launch, half in and half out, through pairs of buffers in at most
  /// `budget` bytes; what is larger than a pair is copied in pieces. They hold the data of an input: how much
  /// power a GPU draws, and so its clock, depends on the bits that it moves.
  bool prepareCopies(uint64_t budget) {
    const double traffic = bench.bytes > 0 ? bench.bytes : static_cast<double>(sets.front()->bytes());
    copyBytes = std::max<uint64_t>(static_cast<uint64_t>(traffic / 2) / 16 * 16, 16);
    pairBytes = std::clamp<uint64_t>(budget / 2 / 16 * 16, 16, copyBytes);
    const uint64_t pairs =
        std::clamp<uint64_t>(budget / (2 * pairBytes), 1, std::min(setsFor(2 * pairBytes), mostSets));
    std::vector<float> normal;
    std::string_view data = sets.front()->inputData();
    if (data.empty()) {
      normal.resize(1 << 20);
      check::generate(ElementKind::F32, normal.data(), 0, static_cast<int64_t>(normal.size()), bench.seed, 0);
      data = {reinterpret_cast<const char *>(normal.data()), normal.size() * sizeof(float)};
    }
    for (uint64_t i = 0; i != 2 * pairs; ++i) {
      if (!cuda.allocate(copies.emplace_back(), pairBytes))
        return false;
      for (uint64_t at = 0; at < pairBytes; at += data.size())
        if (!cuda.copyToDevice(copies.back() + at, data.data(),
                               std::min<uint64_t>(data.size(), pairBytes - at)))
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
    for (uint64_t left = copyBytes; left;) {
      const size_t pair = nextCopy++ % (copies.size() / 2);
      const uint64_t bytes = std::min(left, pairBytes);
      if (!cuda.copyOnDevice(copies[2 * pair], copies[2 * pair + 1], bytes))
        return false;
      left -= bytes;
    }
    return true;
  }

  /// Milliseconds of one of `count` calls in a row. With `clocks` the SM clock is read while they run.
  bool timeOf(bool (Bench::*call)(), unsigned count, double &milliseconds,
              std::vector<double> *clocks = nullptr) {
    if (!cuda.startTimer())
      return false;
    for (unsigned i = 0; i != count; ++i)
      if (!(this->*call)())
        return false;
    if (!cuda.stopTimer())
      return false;
    if (clocks)
      if (std::optional<unsigned> clock = cuda.smClock())
        clocks->push_back(*clock);
    if (!cuda.readTimer(milliseconds))
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
    (void)cuda.smClock(); // the first call takes longer than a round
    std::vector<double> ours, theirs, clocks;
    for (unsigned round = 0; round != rounds; ++round) {
      if (!timeOf(&Bench::launchOnce, result.launchesPerRound, ours.emplace_back(), &clocks) ||
          !timeOf(&Bench::copyOnce, countFor(copied), theirs.emplace_back()))
        return false;
    }
    if (!clocks.empty()) {
      result.smClock = static_cast<unsigned>(median(clocks));
      result.smClockMin = static_cast<unsigned>(*std::min_element(clocks.begin(), clocks.end()));
    }
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
  uint64_t copyBytes = 0, pairBytes = 0; ///< of one copy of the traffic, of one buffer
  size_t next = 0, nextCopy = 0;
};
} // namespace

static json toJson(const BenchResult &result) {
  return {{"passed", result.passed},
          {"verified", result.verified},
          {"target", result.target},
          {"detail", result.detail},
          {"milliseconds", realJson(result.milliseconds)},
          {"copy_milliseconds", realJson(result.copyMilliseconds)},
          {"launches_per_round", result.launchesPerRound},
          {"buffer_sets", result.bufferSets},
          {"l2_cold", result.l2Cold},
          {"sm_mhz", result.smClock.value_or(0)},
          {"sm_mhz_min", result.smClockMin.value_or(0)}};
}

static void fromJson(const json &value, BenchResult &result) {
  std::string mistake;
  JsonCursor root(value, "the child's answer", mistake);
  auto number = [&](const char *name) { return static_cast<unsigned>(root[name].integer(0, UINT32_MAX)); };
  result.passed = root["passed"].integer() != 0;
  result.verified = root["verified"].integer() != 0;
  result.target = root["target"].string();
  result.detail = root["detail"].string();
  result.milliseconds = root["milliseconds"].number();
  result.copyMilliseconds = root["copy_milliseconds"].number();
  result.launchesPerRound = number("launches_per_round");
  result.bufferSets = number("buffer_sets");
  result.l2Cold = root["l2_cold"].integer() != 0;
  if (unsigned clock = number("sm_mhz")) {
    result.smClock = clock;
    result.smClockMin = number("sm_mhz_min");
  }
}

std::optional<std::vector<BenchResult>> tilec::runner::runBenches(const Bundle &bundle,
                                                                  const RunOptions &options,
                                                                  DeviceInfo &device, std::string &error) {
  std::vector<const BundleBench *> wanted;
  for (const BundleBench &bench : bundle.benches)
    if (bench.name.find(options.filter) != std::string::npos)
      wanted.push_back(&bench);
  const unsigned rounds = std::max(options.rounds, leastRounds);
  auto run = [&](Cuda &cuda, size_t i) { return toJson(Bench(cuda, bundle, *wanted[i]).run(rounds)); };
  std::optional<std::vector<ItemAnswer>> answers =
      runInChildren(wanted.size(), bundle.image, options, run, device, error);
  if (!answers)
    return std::nullopt;
  std::vector<BenchResult> results;
  for (size_t i = 0; i != wanted.size(); ++i) {
    BenchResult &result = results.emplace_back();
    result.name = wanted[i]->name;
    result.entry = wanted[i]->entry;
    result.bytes = wanted[i]->bytes;
    result.flops = wanted[i]->flops;
    result.rounds = rounds;
    result.detail = (*answers)[i].failure;
    if (result.detail.empty())
      fromJson((*answers)[i].value, result);
  }
  return results;
}
