//===- Machine.cpp - launches, block by block --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cstring>
#include <new>
#include <thread>

using namespace tilec;
using namespace tilec::emu;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

std::string Schedule::describe() const {
  std::string text = order == Order::Forward   ? "forward order"
                     : order == Order::Reverse ? "reverse order"
                                               : "order drawn with seed " + std::to_string(seed);
  text += completion == Completion::Eager ? ", early copies" : ", late copies";
  return text + ", " + std::to_string(smCount) + (smCount == 1 ? " SM" : " SMs");
}

std::vector<Schedule> emu::makeSchedules(unsigned count, uint64_t seed) {
  std::vector<Schedule> schedules;
  for (unsigned i = 0; i != count; ++i) {
    Schedule &schedule = schedules.emplace_back();
    schedule.order = i == 0 ? Order::Forward : i == 1 ? Order::Reverse : Order::Seeded;
    // Late data hurt whoever does not wait, early data whoever still reads what was there.
    schedule.completion = i % 2 ? Completion::Eager : Completion::Lazy;
    schedule.smCount = i % 2 ? 1 : 3;
    schedule.seed = seed + i;
  }
  return schedules;
}

//===----------------------------------------------------------------------===//
// Machine
//===----------------------------------------------------------------------===//

struct Machine::Impl {
  std::shared_ptr<const Program> program;
  unsigned jobs = 1;
  Memory memory;
  Schedule schedule;
  FindingLog log;
  std::function<void(uint64_t, uint64_t)> progress;
  std::map<std::string, std::vector<SharedTile>> sharedTiles; ///< by kernel
  llvm::raw_ostream *printed = &llvm::outs();
  std::map<uint64_t, std::unique_ptr<char[]>> allocations; ///< by the aligned address
  std::map<uint64_t, uint64_t> sizes;
  std::vector<std::unique_ptr<Worker>> workers;

  Impl(std::shared_ptr<const Program> program, unsigned jobs)
      : program(program), jobs(jobs ? jobs : std::max(1u, std::thread::hardware_concurrency())),
        log(program->code.sites) {}

  std::string placeShared(LaunchInfo &info, unsigned dynamicBytes) const;
  /// False: no memory for the stacks.
  bool runBlocks(const LaunchInfo &info);
};

Machine::Machine(std::shared_ptr<const Program> program, unsigned jobs)
    : impl(std::make_unique<Impl>(std::move(program), jobs)) {}
Machine::~Machine() = default;

void Machine::setSchedule(const Schedule &schedule) { impl->schedule = schedule; }
std::vector<Finding> Machine::takeFindings() { return impl->log.take(); }
void Machine::setProgress(std::function<void(uint64_t, uint64_t)> callback) {
  impl->progress = std::move(callback);
}
void Machine::nameShared(const std::string &kernel, std::vector<SharedTile> tiles) {
  impl->sharedTiles[kernel] = std::move(tiles);
}
void Machine::setPrinting(llvm::raw_ostream *to) { impl->printed = to; }
int Machine::capability() const { return static_cast<int>(impl->program->arch->sm); }
unsigned Machine::smCount() const { return impl->schedule.smCount; }

/// Lays the shared variables out: those with a size first, then the launch's dynamic memory, with a gap
/// between any two so that running over the end of one is out of bounds. Answers why they do not fit, or
/// nothing.
std::string Machine::Impl::placeShared(LaunchInfo &info, unsigned dynamicBytes) const {
  constexpr unsigned gap = 64;
  uint64_t offset = gap, used = 0;
  for (const SharedObject &object : program->code.sharedObjects) {
    unsigned bytes = object.isDynamic ? dynamicBytes : object.bytes;
    offset = llvm::alignTo(offset, std::max(object.alignment, 16u));
    info.sharedObjects.push_back({static_cast<unsigned>(offset), bytes, object.isDynamic});
    offset += bytes + gap;
    used += bytes;
  }
  if (used > program->arch->sharedPerBlock || offset > sharedCapacity)
    return llvm::formatv("a block needs {0} bytes of shared memory, {1} has {2}", used, program->arch->name,
                         program->arch->sharedPerBlock);
  info.sharedBytes = static_cast<unsigned>(offset);
  return "";
}

bool Machine::Impl::runBlocks(const LaunchInfo &info) {
  uint64_t total = 1;
  for (int64_t extent : info.grid)
    total *= static_cast<uint64_t>(extent);
  LaunchCells cells(memory, program->code.sites);
  struct Result {
    std::unique_ptr<FindingLog> log;
    std::string output;
  };
  std::map<uint64_t, Result> results; // of blocks that said something
  std::mutex lock;
  std::atomic<uint64_t> next = 0, done = 0;
  unsigned count = static_cast<unsigned>(std::min<uint64_t>(jobs, total));
  while (workers.size() < count)
    workers.push_back(std::make_unique<Worker>());
  for (unsigned i = 0; i != count; ++i)
    if (!workers[i]->stacks.get(info.threads - 1))
      return false;
  auto work = [&](unsigned number) {
    for (uint64_t i = next++; i < total; i = next++) {
      // Blocks are handed out from the last one on where threads are, too.
      uint64_t index = info.schedule.order == Order::Reverse ? total - 1 - i : i;
      Block block(info, *workers[number], index);
      block.run();
      cells.add(index, block.name, block.tensorCells, block.records);
      uint64_t now = ++done;
      std::lock_guard<std::mutex> guard(lock);
      if (!block.log.isEmpty() || !block.output.empty())
        results[index] = {std::make_unique<FindingLog>(std::move(block.log)), std::move(block.output)};
      if (progress)
        progress(now, total);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < count; ++i)
    threads.emplace_back(work, i);
  work(0);
  for (std::thread &thread : threads)
    thread.join();
  for (auto &[index, result] : results) {
    if (printed)
      *printed << result.output;
    log.append(std::move(*result.log));
  }
  cells.finish(log);
  return true;
}

bool Machine::launch(const runner::KernelLaunch &launch) {
  auto place = impl->program->kernels.find(launch.kernel);
  if (place == impl->program->kernels.end()) {
    error = "the module has no kernel '" + launch.kernel + "'";
    return false;
  }
  auto &[function, entry] = place->second;
  LaunchInfo info;
  info.kernel = function;
  info.grid = launch.grid;
  info.threads = launch.threads;
  info.sites = &impl->program->code.sites;
  info.memory = &impl->memory;
  info.sharedTiles = &impl->sharedTiles[launch.kernel];
  info.schedule = impl->schedule;
  info.loopLimit = impl->schedule.loopLimit;
  bool fits = launch.parameters.size() == entry->parameterBytes.size();
  for (size_t i = 0; fits && i != launch.parameters.size(); ++i) {
    const std::string &bytes = launch.parameters[i];
    fits = bytes.size() == entry->parameterBytes[i] && bytes.size() <= 8;
    uint64_t slot = 0;
    std::memcpy(&slot, bytes.data(), std::min<size_t>(bytes.size(), 8));
    info.parameters.push_back(slot);
  }
  if (!fits) {
    error = "the launch's parameters are not those of kernel '" + launch.kernel + "'";
    return false;
  }
  if (launch.threads == 0 || launch.threads > maxThreadsPerBlock) {
    error = "a block of " + std::to_string(launch.threads) + " threads cannot be launched";
    return false;
  }
  error = impl->placeShared(info, launch.sharedBytes);
  if (!error.empty())
    return false;
  if (impl->runBlocks(info))
    return true;
  error = "no memory for the stacks of " + std::to_string(info.threads) + " threads";
  return false;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool Machine::freeBytes(uint64_t &bytes) {
  bytes = uint64_t(1) << 40; // an allocation that fails says so itself
  return true;
}

bool Machine::allocate(runner::DevicePointer &pointer, uint64_t bytes) {
  constexpr uint64_t alignment = 256; // as cuMemAlloc's
  std::unique_ptr<char[]> memory(new (std::nothrow) char[bytes + alignment]);
  if (!memory) {
    error = "no memory for " + std::to_string(bytes) + " bytes";
    return false;
  }
  pointer = llvm::alignTo(reinterpret_cast<uint64_t>(memory.get()), alignment);
  impl->allocations[pointer] = std::move(memory);
  impl->sizes[pointer] = bytes;
  return true;
}

void Machine::free(runner::DevicePointer pointer) {
  impl->memory.remove(pointer, impl->sizes[pointer]);
  impl->sizes.erase(pointer);
  impl->allocations.erase(pointer);
}

bool Machine::fill(runner::DevicePointer pointer, uint8_t value, uint64_t bytes) {
  std::memset(reinterpret_cast<void *>(pointer), value, bytes);
  return true;
}
bool Machine::copyToDevice(runner::DevicePointer to, const void *from, uint64_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return true;
}
bool Machine::copyToHost(void *to, runner::DevicePointer from, uint64_t bytes) {
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return true;
}
void Machine::describe(const runner::TensorPlace &tensor) { impl->memory.add(tensor); }
