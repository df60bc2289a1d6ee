//===- AsyncCopies.cpp - copies that go on by themselves ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async (PTX ISA 9.7.9.25.3): the data are there for the thread that issued the copy when it has waited
// for the copy's group, and for others when that thread has met them at a barrier after its wait. Until then
// the bytes belong to nobody: reading or writing them is a fault, whether the data are early or late. Both
// happen on a GPU, so a schedule chooses one.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include <cstring>

using namespace tilec::emu;

static void copyNow(const AsyncCopy &copy) {
  std::memcpy(copy.to, copy.from, copy.sourceBytes);
  std::memset(static_cast<char *>(copy.to) + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
}

void Block::finishCopy(const AsyncCopy &copy, Thread &thread) {
  if (launch.schedule.completion == Completion::Lazy)
    copyNow(copy);
  records.complete(copy.record, thread.clock.own);
}

void Block::commitCopies(Thread &thread) {
  thread.copyGroups.push_back(std::move(thread.openCopies));
  thread.openCopies.clear();
}

void Block::waitForCopies(Thread &thread, size_t groups, bool all) {
  while (thread.copyGroups.size() > groups) {
    for (const AsyncCopy &copy : thread.copyGroups.front())
      finishCopy(copy, thread);
    thread.copyGroups.pop_front();
  }
  if (!all)
    return;
  for (const AsyncCopy &copy : thread.openCopies)
    finishCopy(copy, thread);
  thread.openCopies.clear();
}

void Block::issueCopy(Thread &thread, uint32_t site, AsyncCopy copy) {
  // The source is read between here and the wait; what others may do to it meanwhile shows at the issue
  // already, since nothing but a later barrier orders it.
  if (copy.sourceBytes && !read(thread, site, copy.from, copy.sourceBytes, copy.bytes, 0))
    return;
  copy.record = records.makeAsync(thread.index, site);
  if (!writeAs(thread, site, copy.to, copy.bytes, copy.bytes, copy.record))
    return;
  if (launch.schedule.completion == Completion::Eager)
    copyNow(copy);
  thread.openCopies.push_back(copy);
}
