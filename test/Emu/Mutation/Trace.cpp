//===- Trace.cpp - what a program does, as far as anybody can tell -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "Block.h"
#include "Mutators.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include <map>

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

//===----------------------------------------------------------------------===//
// Called by traced code
//===----------------------------------------------------------------------===//

namespace {
enum AccessFlag : uint32_t { Reads = 1, Writes = 2, Atomic = 4, Row = 8, Async = 16, Unchanging = 32 };

/// Who touched a byte since the last barrier.
struct Touch {
  static constexpr int nobody = -1, several = -2;
  int reader = nobody, writer = nobody, updater = nobody;
};

struct Hash {
  uint64_t value = 0x9e3779b97f4a7c15;

  Hash &add(uint64_t more) {
    value ^= more;
    value *= 0xff51afd7ed558ccd;
    value ^= value >> 32;
    return *this;
  }
};

struct ThreadTrace {
  Hash synchronisations;
  unsigned barriers = 0, numSynchronisations = 0;
  /// Where the words of the store at hand go.
  uint64_t place = 0;
  unsigned bytesLeft = 0;
  uint32_t flags = 0;
};

struct Tracer {
  std::vector<bool> visited;
  /// By the number of the block of threads and the thread.
  std::map<std::pair<uint64_t, unsigned>, ThreadTrace> threads;
  /// By the block, the number of barriers before, the byte.
  DenseMap<std::pair<uint64_t, uint64_t>, Touch> touches;
  /// What was written: by the block and the number of synchronisations before, and the place; tensors by the
  /// place.
  DenseMap<std::pair<uint64_t, uint64_t>, Hash> writes;
  DenseMap<uint64_t, Hash> tensorWrites;
  uint64_t tensorReads = 0;
  Trace trace;
} tracer;
} // namespace

static uint64_t numberOf(const emu::Block &block) {
  return static_cast<uint64_t>((block.index[2] * 1024 + block.index[1]) * 1024 + block.index[0]);
}
static ThreadTrace &traceOf(const emu::Thread &thread) {
  return tracer.threads[{numberOf(*thread.block), thread.index}];
}

/// The same in every run: the offset in shared memory, or the tensor and the offset in it.
static uint64_t placeOf(const emu::Thread &thread, const void *pointer) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  const emu::LaunchInfo &launch = thread.block->launch;
  if (!launch.sharedObjects.empty()) {
    auto shared = reinterpret_cast<uint64_t>(thread.block->sharedObject(0)) / emu::sharedCapacity;
    if (address / emu::sharedCapacity == shared)
      return address % emu::sharedCapacity;
  }
  const emu::Region *region = launch.memory->find(address, 1);
  return region ? uint64_t(region->index + 1) << 48 | (address - region->base) : address;
}

static void touch(const emu::Thread &thread, uint64_t place, unsigned bytes, uint32_t flags) {
  ThreadTrace &trace = traceOf(thread);
  auto me = static_cast<int>(thread.index);
  auto isOther = [&](int who) { return who != Touch::nobody && who != me; };
  auto note = [&](int &who) { who = who == Touch::nobody || who == me ? me : Touch::several; };
  for (unsigned i = 0; i != bytes; ++i) {
    Touch &byte = tracer.touches[{numberOf(*thread.block) << 32 | trace.barriers, place + i}];
    bool isPlain = !(flags & Atomic);
    if (isOther(byte.writer) || (isPlain && isOther(byte.updater)) ||
        ((flags & Writes) && isOther(byte.reader)))
      tracer.trace.conflicts = true;
    note(!isPlain ? byte.updater : flags & Writes ? byte.writer : byte.reader);
  }
}

extern "C" {
void tile_mutate_visit(uint32_t number) {
  if (tracer.visited.size() <= number)
    tracer.visited.resize(number + 1);
  tracer.visited[number] = true;
}

void tile_mutate_access(uint32_t flags, const void *pointer, uint32_t bytes, uint32_t isActive) {
  const emu::Thread &thread = *emu::currentThread;
  if (!isActive || ((flags & Row) && thread.lane() >= (flags >> 8)))
    return;
  uint64_t place = placeOf(thread, pointer);
  if (flags & Async)
    tracer.trace.isSimple = false;
  if (flags & Unchanging) {
    for (unsigned i = 0; i != bytes; ++i)
      tracer.tensorReads += Hash().add(place + i).value;
    return;
  }
  touch(thread, place, bytes, flags);
  if ((flags & Reads) && place >= emu::sharedCapacity)
    for (unsigned i = 0; i != bytes; ++i)
      tracer.tensorReads += Hash().add(place + i).value;
  ThreadTrace &trace = traceOf(thread);
  trace.place = place;
  trace.bytesLeft = flags & Writes ? bytes : 0;
  trace.flags = flags;
}

void tile_mutate_value(uint32_t value, uint32_t isActive) {
  if (!isActive)
    return;
  const emu::Thread &thread = *emu::currentThread;
  ThreadTrace &trace = traceOf(thread);
  if (!trace.bytesLeft) { // an operand of a synchronisation
    trace.synchronisations.add(value);
    return;
  }
  uint64_t part = static_cast<uint64_t>(trace.flags & ~uint32_t(Reads)) << 32 | value;
  auto note = [&](Hash &hash) {
    if (trace.flags & Atomic)
      hash.value += Hash().add(part).value; // in any order
    else
      hash.add(part);
  };
  note(tracer.writes[{numberOf(*thread.block) << 32 | trace.numSynchronisations, trace.place}]);
  if (trace.place >= emu::sharedCapacity)
    note(tracer.tensorWrites[trace.place]);
  unsigned step = std::min(4u, trace.bytesLeft);
  trace.place += step;
  trace.bytesLeft -= step;
}

void tile_mutate_sync(uint32_t form) {
  ThreadTrace &trace = traceOf(*emu::currentThread);
  trace.synchronisations.add(form);
  trace.bytesLeft = 0;
  ++trace.numSynchronisations;
  auto id = static_cast<PtxFormId>(form);
  if (id == PtxFormId::BarSync)
    ++trace.barriers;
  else if (id != PtxFormId::MemBarCta && id != PtxFormId::MemBarGpu)
    tracer.trace.isSimple = false;
}
}

std::vector<unsigned> mutation::takeVisits() {
  std::vector<unsigned> numbers;
  for (unsigned i = 0; i != tracer.visited.size(); ++i)
    if (tracer.visited[i])
      numbers.push_back(i);
  tracer.visited.clear();
  return numbers;
}

Trace mutation::takeTrace() {
  Trace trace = tracer.trace;
  // Sums: the order of a table says nothing.
  for (auto &[key, thread] : tracer.threads)
    trace.writes += Hash().add(key.first).add(key.second).add(thread.synchronisations.value).value;
  for (auto &[key, hash] : tracer.writes)
    trace.writes += Hash().add(key.first).add(key.second).add(hash.value).value;
  trace.tensors = tracer.tensorReads;
  for (auto &[place, hash] : tracer.tensorWrites)
    trace.tensors += Hash().add(place).add(hash.value).value;
  tracer = Tracer();
  return trace;
}

//===----------------------------------------------------------------------===//
// Code that calls
//===----------------------------------------------------------------------===//

Numbering::Numbering(Module &module) {
  unsigned number = 0;
  for (Function &function : module)
    for (BasicBlock &block : function) {
      blocks[&block] = number++;
      for (Instruction &inst : block) {
        auto *compare = dyn_cast<ICmpInst>(&inst);
        if ((!compare || !compare->getOperand(0)->getType()->isIntegerTy()) && !conditionOf(inst))
          continue;
        instructions[&inst] = number;
        number += 4;
      }
    }
}

void mutation::addVisits(Module &module, const Numbering &numbering) {
  IRBuilder<> builder(module.getContext());
  Type *word = builder.getInt32Ty();
  FunctionCallee visit = module.getOrInsertFunction("tile_mutate_visit", builder.getVoidTy(), word);
  auto addOutcome = [&](Instruction &inst) {
    builder.SetInsertPoint(&inst);
    Value *outcome;
    if (Value *condition = conditionOf(inst)) {
      outcome = builder.CreateZExt(condition, word);
    } else {
      Value *distance = builder.CreateSub(inst.getOperand(0), inst.getOperand(1));
      Value *moved = builder.CreateAdd(distance, ConstantInt::get(distance->getType(), 1)); // LessByOne is 0
      Value *isNear = builder.CreateICmpULT(moved, ConstantInt::get(distance->getType(), FarApart));
      outcome =
          builder.CreateSelect(isNear, builder.CreateZExtOrTrunc(moved, word), builder.getInt32(FarApart));
    }
    builder.CreateCall(visit, {builder.CreateAdd(outcome, builder.getInt32(numbering.numberOf(inst, 0)))});
  };
  for (Function &function : module)
    for (BasicBlock &block : function) {
      std::vector<Instruction *> all;
      for (Instruction &inst : block)
        if (numbering.hasOutcomes(inst))
          all.push_back(&inst);
      builder.SetInsertPoint(&block, block.getFirstInsertionPt());
      builder.CreateCall(visit, {builder.getInt32(numbering.numberOf(block))});
      for (Instruction *inst : all)
        addOutcome(*inst);
    }
}

namespace {
class TraceWriter {
public:
  explicit TraceWriter(Module &module)
      : module(module), builder(module.getContext()), word(builder.getInt32Ty()) {
    Type *none = builder.getVoidTy();
    accessFunction =
        module.getOrInsertFunction("tile_mutate_access", none, word, builder.getPtrTy(), word, word);
    valueFunction = module.getOrInsertFunction("tile_mutate_value", none, word, word);
    syncFunction = module.getOrInsertFunction("tile_mutate_sync", none, word);
  }

  void add(Instruction &inst) {
    builder.SetInsertPoint(&inst);
    if (std::optional<Access> access = accessOf(inst))
      return addAccess(inst, *access);
    if (!isSync(inst))
      return;
    builder.CreateCall(syncFunction, {builder.getInt32(formOf(inst)->number())});
    for (Value *operand : cast<CallInst>(inst).args())
      if (!operand->getType()->isPointerTy())
        addValue(operand, builder.getInt32(1));
  }

private:
  void addAccess(Instruction &inst, const Access &access) {
    const PtxForm *form = formOf(inst);
    uint32_t flags = (access.reads ? Reads : 0) | (access.writes ? Writes : 0) |
                     (access.isAtomic ? Atomic : 0) | (access.isConstant ? Unchanging : 0);
    if (form && form->twin.starts_with("ldMatrix")) // lanes that give the address of a row
      flags |= Row | static_cast<uint32_t>(8 * std::max<size_t>(1, form->signature().results.size())) << 8;
    if (form && form->twin == "cpAsync")
      flags |= Async;
    Value *isActive =
        access.predicate < 0
            ? builder.getInt32(1)
            : builder.CreateZExt(inst.getOperand(static_cast<unsigned>(access.predicate)), word);
    builder.CreateCall(accessFunction,
                       {builder.getInt32(flags),
                        builder.CreateAddrSpaceCast(inst.getOperand(access.pointer), builder.getPtrTy()),
                        builder.getInt32(access.bytes), isActive});
    if (!access.writes)
      return;
    unsigned count = isa<CallInst>(inst) ? cast<CallInst>(inst).arg_size() : inst.getNumOperands();
    for (unsigned i = 0; i != count; ++i)
      if (i != access.pointer && static_cast<int>(i) != access.predicate &&
          !inst.getOperand(i)->getType()->isPointerTy())
        addValue(inst.getOperand(i), isActive);
  }

  void addValue(Value *value, Value *isActive) {
    auto bits =
        static_cast<unsigned>(module.getDataLayout().getTypeSizeInBits(value->getType()).getFixedValue());
    Value *whole = builder.CreateBitCast(value, builder.getIntNTy(bits));
    for (unsigned at = 0; at < bits; at += 32)
      builder.CreateCall(valueFunction,
                         {builder.CreateZExtOrTrunc(builder.CreateLShr(whole, at), word), isActive});
  }

  Module &module;
  IRBuilder<> builder;
  Type *word;
  FunctionCallee accessFunction, valueFunction, syncFunction;
};
} // namespace

void mutation::addTrace(Module &module) {
  TraceWriter writer(module);
  for (Function &function : module) {
    std::vector<Instruction *> all;
    forEachInstruction(function, [&](Instruction &inst) { all.push_back(&inst); });
    for (Instruction *inst : all)
      writer.add(*inst);
  }
}
