//===- PtxDivergence.cpp - which PTX blocks only some threads reach -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers go up a lattice of four values until nothing changes. A branch on a divergent predicate makes
// every block up to its post-dominator divergent, and every register written there too: after the join it
// differs between the threads that came by and those that did not.
//
//===----------------------------------------------------------------------===//

#include "PtxDivergence.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilec;
using namespace tilec::ptx;
using llvm::SmallVector;
using llvm::StringRef;

static std::optional<int64_t> immediate(StringRef operand) {
  int64_t number;
  uint64_t bits;
  if (!operand.getAsInteger(0, number))
    return number;
  if (!operand.getAsInteger(0, bits))
    return static_cast<int64_t>(bits);
  return std::nullopt;
}

/// Whether `instr` compares base + lane with a constant such that all lanes of a warp agree.
static bool comparesWholeWarps(const Instr &instr) {
  if (instr.operands.size() < 3)
    return false;
  std::optional<int64_t> bound = immediate(instr.operands[2]);
  if (!bound)
    return false;
  int64_t lane = *bound & 31;
  if (instr.hasModifier("lt") || instr.hasModifier("ge") || instr.hasModifier("lo") ||
      instr.hasModifier("hs"))
    return lane == 0;
  if (instr.hasModifier("le") || instr.hasModifier("gt") || instr.hasModifier("ls") ||
      instr.hasModifier("hi"))
    return lane == 31;
  return false;
}

/// The value of an operand with these registers.
Divergence::Value Divergence::join(const State &state, llvm::ArrayRef<unsigned> registers) {
  Value result = Value::Uniform;
  for (unsigned reg : registers)
    result = std::max(result, state[reg]);
  // An address or vector of several registers is only TidX if it is nothing else.
  return result == Value::TidX && registers.size() > 1 ? Value::Divergent : result;
}

Divergence::Value Divergence::transfer(const State &state, const Instr &instr) {
  // What the hardware makes the same for the whole warp, whatever goes in.
  if (instr.is("vote") || instr.is("redux") || instr.is("bar.red") || instr.is("barrier.cta.red"))
    return Value::Uniform;
  if (instr.is("shfl.sync.idx") && instr.operands.size() >= 4 && instr.operands[3] == "31" &&
      join(state, instr.registersOf(2)) == Value::Uniform)
    return Value::Uniform;
  if (instr.is("atom") || instr.is("elect") || instr.is("match") || instr.is("activemask") ||
      instr.is("mbarrier") || instr.is("call"))
    return Value::Divergent;
  bool load = instr.is("ld") || instr.is("ldu");
  if (load) {
    // Local memory is each thread's own, a generic address may be local, and what a call returns is unknown.
    bool shared = instr.hasModifier("param") || instr.hasModifier("const") || instr.hasModifier("global") ||
                  instr.opcode.contains(".shared");
    if (!shared || (instr.hasModifier("param") && instr.operands.back().starts_with("[retval")))
      return Value::Divergent;
  }
  Value value = Value::Uniform;
  for (unsigned index = 1; index < instr.operands.size(); ++index)
    value = std::max(value, join(state, instr.registersOf(index)));
  if (instr.guard >= 0 && state[instr.guard] > Value::Uniform)
    return Value::Divergent;
  if (value != Value::TidX)
    return value;

  // base + lane stays so, becomes a value of the warp, or is lost.
  if (instr.is("mov") || instr.is("cvt"))
    return Value::TidX;
  if (instr.operands.size() < 3 || join(state, instr.registersOf(1)) != Value::TidX)
    return Value::Divergent;
  std::optional<int64_t> constant = immediate(instr.operands[2]);
  if (instr.is("setp") && comparesWholeWarps(instr))
    return Value::Uniform;
  if (!constant)
    return Value::Divergent;
  if ((instr.is("shr") && *constant >= 5) || (instr.is("bfe") && *constant >= 5))
    return Value::Uniform;
  if (instr.is("div") && *constant > 0 && *constant % 32 == 0)
    return Value::Uniform;
  if (instr.is("and"))
    return (*constant & 31) == 0 ? Value::Uniform : (*constant & 31) == 31 ? Value::TidX : Value::Divergent;
  if ((instr.is("add") || instr.is("sub")) && (*constant & 31) == 0)
    return Value::TidX;
  return Value::Divergent;
}

/// Marks the blocks that a divergent `branch` at the end of `block` leads into, up to where all threads meet.
void Divergence::spread(unsigned block, const Instr &branch) {
  SmallVector<unsigned, 8> work = llvm::to_vector<8>(function.blocks[block].successors);
  std::vector<bool> seen(function.blocks.size(), false);
  while (!work.empty()) {
    unsigned next = work.pop_back_val();
    if (next == postDominator[block] || seen[next])
      continue;
    seen[next] = true;
    if (!causes[next]) {
      causes[next] = &branch;
      pending[next] = true;
    }
    llvm::append_range(work, function.blocks[next].successors);
  }
}

/// Special registers that differ between the threads of a warp, or between two reads.
static bool isPerThread(StringRef name) {
  static constexpr StringRef names[] = {"%tid.y",       "%tid.z",          "%laneid",        "%warpid",
                                        "%smid",        "%clock",          "%clock64",       "%clock_hi",
                                        "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"};
  return llvm::is_contained(names, name) || name.starts_with("%lanemask_");
}

void Divergence::flowInto(unsigned block, const State &state) {
  State &entry = entries[block];
  if (entry.empty()) {
    entry = state;
    pending[block] = true;
    return;
  }
  for (auto [old, value] : llvm::zip(entry, state)) {
    // Two ways here that bring different kinds have nothing in common.
    Value joined = value == Value::Unset                 ? old
                   : old == Value::Unset || old == value ? value
                                                         : Value::Divergent;
    if (joined != old) {
      old = joined;
      pending[block] = true;
    }
  }
}

void Divergence::visit(unsigned index) {
  const Block &block = function.blocks[index];
  State state = entries[index];
  for (unsigned i = block.begin; i < block.end; ++i) {
    const Instr &instr = function.instrs[i];
    divergentGuards[i] = instr.guard >= 0 && state[instr.guard] > Value::Uniform;
    if (instr.defs().empty())
      continue;
    Value value = causes[index] ? Value::Divergent : transfer(state, instr);
    for (unsigned reg : instr.defs()) {
      // Without its guard the instruction leaves the old value.
      bool kept = instr.guard >= 0 && state[reg] != Value::Unset && state[reg] != value;
      state[reg] = kept ? Value::Divergent : value;
    }
  }
  unsigned lastIndex = block.end - 1;
  const Instr &last = function.instrs[lastIndex];
  if (divergentGuards[lastIndex] || (last.is("brx") && join(state, last.registersOf(0)) > Value::Uniform))
    spread(index, last);
  for (unsigned successor : block.successors)
    flowInto(successor, state);
}

Divergence::Divergence(const Function &function)
    : function(function), entries(function.blocks.size()), causes(function.blocks.size(), nullptr),
      divergentGuards(function.instrs.size(), false), postDominator(postDominators(function)),
      pending(function.blocks.size(), false) {
  State start(function.registers.size(), Value::Unset);
  for (auto [number, name] : llvm::enumerate(function.registers)) {
    if (name == "%tid.x")
      start[number] = Value::TidX;
    else if (isPerThread(name))
      start[number] = Value::Divergent;
  }
  flowInto(0, start);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned block = 0; block < function.blocks.size(); ++block) {
      if (!pending[block] || entries[block].empty())
        continue;
      pending[block] = false;
      visit(block);
      changed = true;
    }
  }
}
