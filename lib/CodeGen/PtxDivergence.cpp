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

Divergence::Value Divergence::ofOperand(StringRef operand) const {
  SmallVector<StringRef, 4> names;
  collectNames(operand, names);
  Value result = Value::Uniform;
  for (StringRef name : names) {
    Value value = Value::Uniform;
    static constexpr StringRef perThread[] = {
        "%tid.y",   "%tid.z",    "%laneid",      "%warpid",         "%smid",          "%clock",
        "%clock64", "%clock_hi", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"};
    if (name == "%tid.x")
      value = Value::TidX;
    else if (llvm::is_contained(perThread, name) || name.starts_with("%lanemask_"))
      value = Value::Divergent;
    else if (auto it = numbers.find(name); it != numbers.end() && values[it->second] != Value::Unset)
      value = values[it->second];
    // An address or vector of several registers is only TidX if it is nothing else.
    if (value == Value::TidX && names.size() > 1)
      value = Value::Divergent;
    result = std::max(result, value);
  }
  return result;
}

Divergence::Value Divergence::transfer(const Instr &instr) const {
  // What the hardware makes the same for the whole warp, whatever goes in.
  if (instr.is("vote") || instr.is("redux") || instr.is("bar.red") || instr.is("barrier.cta.red"))
    return Value::Uniform;
  if (instr.is("shfl.sync.idx") && instr.operands.size() >= 4 && instr.operands[3] == "31" &&
      ofOperand(instr.operands[2]) == Value::Uniform)
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
  for (StringRef operand : llvm::drop_begin(instr.operands))
    value = std::max(value, ofOperand(operand));
  if (!instr.guard.empty() && ofOperand(instr.guard) != Value::Uniform)
    return Value::Divergent;
  if (value != Value::TidX)
    return value;

  // base + lane stays so, becomes a value of the warp, or is lost.
  if (instr.is("mov") || instr.is("cvt"))
    return Value::TidX;
  if (instr.operands.size() < 3 || ofOperand(instr.operands[1]) != Value::TidX)
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

bool Divergence::update(unsigned reg, Value value) {
  Value old = values[reg];
  // Two definitions of different kinds have nothing in common.
  Value joined = old == Value::Unset || old == value ? value : Value::Divergent;
  values[reg] = joined;
  return joined != old;
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
      changed = true;
    }
    llvm::append_range(work, function.blocks[next].successors);
  }
}

Divergence::Divergence(const Function &function)
    : function(function), values(function.registers.size(), Value::Unset),
      causes(function.blocks.size(), nullptr), postDominator(postDominators(function)) {
  for (auto [number, name] : llvm::enumerate(function.registers))
    numbers[name] = number;
  do {
    changed = false;
    for (auto [index, block] : llvm::enumerate(function.blocks)) {
      for (unsigned i = block.begin; i < block.end; ++i) {
        const Instr &instr = function.instrs[i];
        if (instr.defs.empty())
          continue;
        Value value = causes[index] ? Value::Divergent : transfer(instr);
        for (unsigned reg : instr.defs)
          changed |= update(reg, value);
      }
      if (block.end == block.begin)
        continue;
      const Instr &last = function.instrs[block.end - 1];
      bool divergent = !last.guard.empty() && ofOperand(last.guard) != Value::Uniform;
      if (last.is("brx"))
        divergent |= ofOperand(last.operands.front()) != Value::Uniform;
      if (divergent)
        spread(index, last);
    }
  } while (changed);
}
