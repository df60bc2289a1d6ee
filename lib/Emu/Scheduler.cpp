//===- Scheduler.cpp - who goes on, and what they wait for ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR has no points of reconvergence, so a collective instruction is executed when its lanes have come to
// it one by one: a `.aligned` one by all lanes of the warp, one with a mask by exactly those of the mask (PTX
// ISA 9.7.13 and 9.7.9.6: the same instruction, in convergence). Where that cannot happen any more, the
// kernel would hang or do something undefined on a GPU.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>
#include <numeric>

using namespace tilec::emu;

thread_local Thread *tilec::emu::currentThread = nullptr;

Block::Block(const LaunchInfo &launch, Worker &worker, uint64_t number)
    : launch(launch), log(*launch.sites), records(launch.threads), worker(worker), threads(launch.threads),
      random(launch.schedule.seed + number) {
  auto x = static_cast<uint64_t>(launch.grid[0]), y = static_cast<uint64_t>(launch.grid[1]);
  index = {static_cast<int64_t>(number % x), static_cast<int64_t>(number / x % y),
           static_cast<int64_t>(number / x / y)};
  name = llvm::formatv("block ({0}, {1}, {2})", index[0], index[1], index[2]);
  for (const LaunchInfo::SharedPlace &object : launch.sharedObjects) {
    Region &region = sharedRegions.emplace_back();
    region.base = reinterpret_cast<uint64_t>(worker.shared) + object.offset;
    region.bytes = object.bytes;
    region.tiles = object.isDynamic ? launch.sharedTiles : nullptr;
  }
  worker.sharedCells.assign(launch.sharedBytes, Cell());
  std::memset(worker.shared, 0xff, launch.sharedBytes); // NaN in every format: what is read unwritten spreads
  auto nothing = std::make_shared<const Knowledge>(launch.threads, 0);
  for (unsigned i = 0; i != launch.threads; ++i) {
    threads[i].block = this;
    threads[i].index = i;
    threads[i].clock.known = nothing;
  }
  warpOrder.resize((launch.threads + warpSize - 1) / warpSize);
  laneOrder.resize(warpSize);
  std::iota(warpOrder.begin(), warpOrder.end(), 0);
  std::iota(laneOrder.begin(), laneOrder.end(), 0);
  if (launch.schedule.order == Order::Reverse) {
    std::reverse(warpOrder.begin(), warpOrder.end());
    std::reverse(laneOrder.begin(), laneOrder.end());
  }
}

void Block::run() {
  for (Thread &thread : threads) {
    thread.fiber.start(
        worker.stacks.get(thread.index), // the launch made sure that it is there
        [](void *argument) {
          auto &self = *static_cast<Thread *>(argument);
          self.block->launch.kernel(self.block->launch.parameters.data());
          self.block->endThread(self);
        },
        &thread);
  }
  for (bool progress = true; progress;) {
    if (launch.schedule.order == Order::Seeded) {
      std::shuffle(warpOrder.begin(), warpOrder.end(), random);
      std::shuffle(laneOrder.begin(), laneOrder.end(), random);
    }
    progress = false;
    for (unsigned warp : warpOrder)
      progress |= runWarp(warp);
  }
  currentThread = nullptr;
  // Where a thread was stopped, what the others wait for is no news.
  bool isStuck = false;
  for (const Thread &thread : threads) {
    if (thread.state == Thread::State::Stopped)
      return;
    isStuck |= thread.state != Thread::State::Ended;
  }
  if (isStuck)
    reportStuck();
}

bool Block::runWarp(unsigned warp) {
  bool progress = false;
  for (;; progress = true) {
    bool ran = false;
    for (unsigned lane : laneOrder) {
      unsigned number = warp * warpSize + lane;
      if (number >= threads.size() || threads[number].state != Thread::State::Ready)
        continue;
      currentThread = &threads[number];
      threads[number].fiber.resume();
      ran = true;
    }
    if (!ran && !executeCollectives(warp))
      return progress;
  }
}

bool Block::executeCollectives(unsigned warp) {
  llvm::MutableArrayRef<Thread> lanes(threads);
  lanes = lanes.slice(warp * warpSize, std::min<size_t>(warpSize, lanes.size() - warp * warpSize));
  auto wholeWarp = static_cast<uint32_t>((uint64_t(1) << lanes.size()) - 1);
  uint32_t seen = 0;
  bool executed = false;
  for (Thread &first : lanes) {
    if (first.state != Thread::State::AtCollective || (seen >> first.lane() & 1))
      continue;
    auto wantedBy = [&](const Thread &thread) {
      return thread.shape->memberMask >= 0 ? static_cast<uint32_t>(thread.slots[thread.shape->memberMask])
                                           : wholeWarp;
    };
    uint32_t site = first.site, wanted = wantedBy(first), there = 0;
    for (Thread &other : lanes)
      if (other.state == Thread::State::AtCollective && other.site == site && wantedBy(other) == wanted)
        there |= uint32_t(1) << other.lane();
    seen |= there;
    if (there == wanted)
      executed |= executeCollective(warp, site, there);
  }
  return executed;
}

bool Block::executeCollective(unsigned warp, uint32_t siteNumber, uint32_t lanes) {
  WarpCall call;
  call.block = this;
  call.site = siteNumber;
  call.lanes = lanes;
  for (unsigned lane = 0; lane != warpSize; ++lane) {
    if (!call.hasLane(lane))
      continue;
    Thread &thread = threads[warp * warpSize + lane];
    call.shape = thread.shape;
    call.calls[lane] = {&thread, thread.shape, siteNumber, thread.slots};
  }
  getTwin(*call.shape->form).warp(call);
  for (unsigned lane = 0; lane != warpSize; ++lane)
    if (call.hasLane(lane) && call.calls[lane].thread->state == Thread::State::AtCollective)
      call.calls[lane].thread->state = Thread::State::Ready;
  return true;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

std::shared_ptr<const Knowledge> Block::join(llvm::ArrayRef<std::pair<unsigned, ThreadClock>> clocks) const {
  auto result = std::make_shared<Knowledge>(threads.size(), 0);
  const Knowledge *last = nullptr;
  for (auto &[thread, clock] : clocks) {
    if (clock.known.get() != last) // those that left the last barrier together share it
      for (size_t i = 0; i != result->size(); ++i)
        (*result)[i] = std::max((*result)[i], (*clock.known)[i]);
    last = clock.known.get();
  }
  for (auto &[thread, clock] : clocks)
    (*result)[thread] = std::max((*result)[thread], clock.own);
  return result;
}

void Block::arrive(WarpCall &call, const char *what, unsigned number, unsigned count, bool waits) {
  auto refuse = [&](const std::string &text, uint32_t other = 0) {
    for (unsigned lane = 0; lane != warpSize; ++lane) {
      if (!call.hasLane(lane))
        continue;
      Finding *finding = stop(*call.calls[lane].thread, FindingKind::Barrier, call.site, text);
      if (finding && other)
        log.note(*finding, other, "others wait here");
    }
  };
  for (unsigned lane = 0; lane != warpSize; ++lane)
    if (call.hasLane(lane) && call.shape->numOperands &&
        static_cast<uint32_t>(call.operand<uint32_t>(lane, 0)) != number)
      return refuse("the threads of a warp arrive at different barriers");
  if (number >= barriers.size())
    return refuse(llvm::formatv("{0} names barrier {1}; there are 16, from 0", what, number));
  if (count == 0 || count % warpSize)
    return refuse(llvm::formatv("{0} is for {1} threads, which is no multiple of 32", what, count));
  Barrier &barrier = barriers[number];
  if (barrier.arrived && barrier.count != count)
    return refuse(llvm::formatv("{0} is for {1} threads, while others wait at barrier {2} for {3}", what,
                                count, number, barrier.count),
                  barrier.site);
  barrier.count = count;
  barrier.site = call.site;
  for (unsigned lane = 0; lane != warpSize; ++lane) {
    if (!call.hasLane(lane))
      continue;
    Thread &thread = *call.calls[lane].thread;
    barrier.clocks.push_back({thread.index, thread.clock});
    ++barrier.arrived;
    ++thread.clock.own; // what follows is not part of what the others learn
    if (waits) {
      barrier.waiting.push_back(&thread);
      thread.barrier = number;
      thread.state = Thread::State::AtBarrier;
    }
  }
  if (barrier.arrived > barrier.count)
    return refuse(llvm::formatv("more than the {0} threads of barrier {1} arrived at it", count, number));
  if (barrier.arrived == barrier.count)
    complete(barrier);
}

void Block::complete(Barrier &barrier) {
  std::shared_ptr<const Knowledge> known = join(barrier.clocks);
  for (Thread *thread : barrier.waiting) {
    thread->clock.known = known;
    thread->state = Thread::State::Ready;
  }
  barrier = Barrier();
}

void Block::joinLanes(WarpCall &call) {
  llvm::SmallVector<std::pair<unsigned, ThreadClock>, 32> clocks;
  for (unsigned lane = 0; lane != warpSize; ++lane)
    if (call.hasLane(lane))
      clocks.push_back({call.calls[lane].thread->index, call.calls[lane].thread->clock});
  std::shared_ptr<const Knowledge> known = join(clocks);
  for (auto &[thread, clock] : clocks) {
    threads[thread].clock.known = known;
    ++threads[thread].clock.own;
  }
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

void Block::endThread(Thread &thread) {
  thread.state = Thread::State::Ended;
  auto report = [&](const AsyncCopy &copy) {
    uint32_t site = records[copy.record].site;
    log.add(FindingKind::NeverWaited, site, 0,
            describe(thread) + " ends without having waited for the copy that it started here");
  };
  for (const AsyncCopy &copy : thread.openCopies)
    report(copy);
  for (const std::vector<AsyncCopy> &group : thread.copyGroups)
    for (const AsyncCopy &copy : group)
      report(copy);
}

Finding *Block::stop(Thread &thread, FindingKind kind, uint32_t site, const std::string &text) {
  thread.state = Thread::State::Stopped;
  return log.add(kind, site, 0, text);
}

std::string Block::describe(const Thread &thread) const {
  return llvm::formatv("thread {0} of {1}", thread.index, name);
}

/// "threads 0 to 31 and 64", by number.
std::string Block::describeThreads(llvm::ArrayRef<const Thread *> some) const {
  std::string text = some.size() == 1 ? "thread" : "threads";
  for (size_t i = 0; i != some.size();) {
    size_t last = i;
    while (last + 1 != some.size() && some[last + 1]->index == some[last]->index + 1)
      ++last;
    text += (i ? ", " : " ") + std::to_string(some[i]->index);
    if (last != i)
      text += " to " + std::to_string(some[last]->index);
    i = last + 1;
  }
  return text;
}

void Block::reportStuckWarp(unsigned warp, Finding *&finding) {
  std::map<uint32_t, std::vector<const Thread *>> groups;
  std::vector<const Thread *> atBarrier, ended;
  for (unsigned i = warp * warpSize; i != std::min<size_t>(threads.size(), (warp + 1) * warpSize); ++i) {
    const Thread &thread = threads[i];
    if (thread.state == Thread::State::AtCollective)
      groups[thread.site].push_back(&thread);
    else
      (thread.state == Thread::State::AtBarrier ? atBarrier : ended).push_back(&thread);
  }
  if (groups.empty())
    return;
  auto &[firstSite, firstThreads] = *groups.begin();
  std::string form = firstThreads[0]->shape->form->name.str();
  std::string text =
      firstThreads[0]->shape->memberMask >= 0
          ? llvm::formatv("{0} of {1} wait here for the lanes of mask {2:x8}, which are not all at this "
                          "instruction ({3})",
                          describeThreads(firstThreads), name,
                          static_cast<uint32_t>(firstThreads[0]->slots[firstThreads[0]->shape->memberMask]),
                          form)
                .str()
          : llvm::formatv("{0} of {1} wait here for the rest of their warp, which must execute this "
                          "instruction with them ({2})",
                          describeThreads(firstThreads), name, form)
                .str();
  Finding *added = log.add(FindingKind::Divergence, firstSite, 0, text);
  if (!added)
    return;
  finding = added;
  for (auto &[site, group] : groups)
    if (site != firstSite)
      log.note(*finding, site, describeThreads(group) + " wait here");
  if (!atBarrier.empty())
    log.note(*finding, atBarrier[0]->site,
             describeThreads(atBarrier) + " wait at barrier " + std::to_string(atBarrier[0]->barrier));
  if (!ended.empty())
    log.note(*finding, 0, describeThreads(ended) + " have ended");
}

void Block::reportStuck() {
  Finding *finding = nullptr;
  for (unsigned warp = 0; warp != warpOrder.size(); ++warp)
    reportStuckWarp(warp, finding);
  if (finding)
    return;
  std::map<std::pair<unsigned, uint32_t>, std::vector<const Thread *>> groups;
  std::vector<const Thread *> ended;
  for (const Thread &thread : threads) {
    if (thread.state == Thread::State::AtBarrier)
      groups[{thread.barrier, thread.site}].push_back(&thread);
    else
      ended.push_back(&thread);
  }
  for (auto &[key, group] : groups) {
    const Barrier &barrier = barriers[key.first];
    std::string text = llvm::formatv("{0} of {1} wait at barrier {2}, where {3} of {4} threads arrived",
                                     describeThreads(group), name, key.first, barrier.arrived, barrier.count);
    if (!finding) {
      finding = log.add(FindingKind::Deadlock, key.second, 0, text);
      if (!finding)
        return;
      continue;
    }
    log.note(*finding, key.second, text);
  }
  if (!ended.empty())
    log.note(*finding, 0, describeThreads(ended) + " have ended");
}
