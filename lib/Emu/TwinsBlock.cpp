//===- TwinsBlock.cpp - forms that concern the block, and the end of a thread ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "HostText.h"

using namespace tilec;
using namespace tilec::emu;

// Special registers. Blocks have one dimension of threads.
void twins::tidX(SingleCall &call) { call.setResult<uint32_t>(0, call.thread->index); }
void twins::tidY(SingleCall &call) { call.setResult<uint32_t>(0, 0); }
void twins::tidZ(SingleCall &call) { call.setResult<uint32_t>(0, 0); }
void twins::nTidX(SingleCall &call) { call.setResult<uint32_t>(0, call.thread->block->launch.threads); }
void twins::nTidY(SingleCall &call) { call.setResult<uint32_t>(0, 1); }
void twins::nTidZ(SingleCall &call) { call.setResult<uint32_t>(0, 1); }
void twins::laneId(SingleCall &call) { call.setResult<uint32_t>(0, call.thread->lane()); }

static void setBlockIndex(SingleCall &call, unsigned axis) {
  call.setResult(0, static_cast<uint32_t>(call.thread->block->index[axis]));
}
static void setGridExtent(SingleCall &call, unsigned axis) {
  call.setResult(0, static_cast<uint32_t>(call.thread->block->launch.grid[axis]));
}
void twins::ctaIdX(SingleCall &call) { setBlockIndex(call, 0); }
void twins::ctaIdY(SingleCall &call) { setBlockIndex(call, 1); }
void twins::ctaIdZ(SingleCall &call) { setBlockIndex(call, 2); }
void twins::nCtaIdX(SingleCall &call) { setGridExtent(call, 0); }
void twins::nCtaIdY(SingleCall &call) { setGridExtent(call, 1); }
void twins::nCtaIdZ(SingleCall &call) { setGridExtent(call, 2); }

// Barriers (PTX ISA 9.7.13.1).
static unsigned anyLane(const WarpCall &call) { return static_cast<unsigned>(__builtin_ctz(call.lanes)); }

void twins::barSync(WarpCall &call) {
  call.block->arrive(call, "this barrier", call.operand<uint32_t>(anyLane(call), 0),
                     call.block->launch.threads,
                     /*waits=*/true);
}
void twins::barSyncCount(WarpCall &call) {
  unsigned lane = anyLane(call);
  call.block->arrive(call, "this barrier", call.operand<uint32_t>(lane, 0), call.operand<uint32_t>(lane, 1),
                     /*waits=*/true);
}
void twins::barArriveCount(WarpCall &call) {
  unsigned lane = anyLane(call);
  call.block->arrive(call, "this arrival", call.operand<uint32_t>(lane, 0), call.operand<uint32_t>(lane, 1),
                     /*waits=*/false);
}
void twins::warpSync(WarpCall &call) { call.block->joinLanes(call); }

// Fences order a thread's accesses for those that it synchronises with by other means; barriers here order
// all, and relaxed atomics nothing, so there is nothing to do.
void twins::memBarCta(SingleCall &) {}
void twins::memBarGpu(SingleCall &) {}

// Asynchronous copies.
void twins::cpAsync(SingleCall &call) {
  unsigned bytes = call.shape->accessBytes();
  unsigned source = call.shape->numOperands > 2 ? call.operand<uint32_t>(2) : bytes;
  if (source > bytes) {
    call.thread->block->stop(*call.thread, FindingKind::OutOfBounds, call.site,
                             "a copy of " + std::to_string(bytes) + " bytes is to read " +
                                 std::to_string(source));
    return;
  }
  call.thread->block->issueCopy(*call.thread, call.site, {call.pointer(0), call.pointer(1), bytes, source});
}
void twins::cpAsyncCommit(SingleCall &call) { call.thread->block->commitCopies(*call.thread); }
void twins::cpAsyncWait(SingleCall &call) {
  // "cp.async.wait_group 2;": the number is part of the instruction.
  llvm::StringRef number = call.shape->form->text.drop_back().rsplit(' ').second;
  size_t groups = 0;
  number.getAsInteger(10, groups);
  call.thread->block->waitForCopies(*call.thread, groups, /*all=*/false);
}
void twins::cpAsyncWaitAll(SingleCall &call) {
  call.thread->block->waitForCopies(*call.thread, 0, /*all=*/true);
}

// Ends.
void twins::trap(SingleCall &call) {
  call.thread->block->stop(*call.thread, FindingKind::Trap, call.site,
                           call.thread->block->describe(*call.thread) + " executes a trap");
}
void twins::exit(SingleCall &call) { call.thread->block->endThread(*call.thread); }
void twins::assertFail(SingleCall &call) {
  call.thread->block->stop(*call.thread, FindingKind::Trap, call.site,
                           call.thread->block->describe(*call.thread) +
                               ": assertion failed: " + call.pointer<const char>(0));
}
void twins::vprintf(SingleCall &call) {
  std::string text = formatDevice(call.pointer<const char>(0), call.pointer<const char>(1));
  call.thread->block->output += text;
  call.setResult(0, static_cast<int32_t>(text.size()));
}
