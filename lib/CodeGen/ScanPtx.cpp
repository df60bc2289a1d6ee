//===- ScanPtx.cpp - last look at the PTX before ptxas --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three checks a function: collectives against the divergence analysis, registers in flight by a forward data
// flow over wgmma groups, local memory. A register in flight is one that a wgmma.mma_async names
// (accumulators, A fragments) until a wait has retired its group (PTX ISA 9.7.15.7).
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/ScanPtx.h"
#include "PtxDivergence.h"
#include "PtxText.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilec;
using namespace tilec::ptx;
using llvm::BitVector;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

namespace {

class Scanner {
public:
  Scanner(const Module &module, const Function &function, CodeGenLog &log)
      : module(module), function(function), log(log) {}

  void checkCollectives();
  void checkRegistersInFlight();
  void checkLocalMemory();
  bool good() const { return found == 0; }

private:
  /// One mistake shows at many instructions; the first ones tell enough.
  static constexpr unsigned maxReports = 8;

  void report(const Instr &instr, const Twine &message, llvm::ArrayRef<std::string> notes = {}) {
    if (++found > maxReports)
      return;
    CodeGenDiagnostic &diagnostic =
        log.report(CodeGenDiagnostic::Kind::CompilerBug, module.position(instr.loc), message);
    diagnostic.notes.push_back(
        ("line " + Twine(instr.line) + " of the PTX of '" + function.name + "'").str());
    llvm::append_range(diagnostic.notes, notes);
  }

  const Module &module;
  const Function &function;
  CodeGenLog &log;
  unsigned found = 0;
};

/// Registers in flight: of the group being built first, then of committed groups, the newest first.
struct Flight {
  SmallVector<BitVector, 4> groups;

  bool join(const Flight &other) {
    bool changed = false;
    for (auto [index, group] : llvm::enumerate(other.groups)) {
      if (index >= groups.size()) {
        groups.resize(index + 1);
        changed = true; // depth matters even where a group is empty
      }
      BitVector merged = groups[index];
      merged |= group;
      changed |= merged != groups[index];
      groups[index] = std::move(merged);
    }
    return changed;
  }
  bool holds(unsigned reg) const {
    return llvm::any_of(groups,
                        [&](const BitVector &group) { return reg < group.size() && group.test(reg); });
  }
  bool empty() const {
    return llvm::all_of(groups, [](const BitVector &group) { return group.none(); });
  }
};

} // namespace

/// Whether all threads of a warp must execute `instr` together.
static bool isCollective(const Instr &instr) {
  if (instr.hasModifier("aligned") || instr.is("bar.sync") || instr.is("bar.arrive") || instr.is("bar.red"))
    return true;
  // With a member mask of their own these are fine for fewer threads; the mask is the last operand.
  if (instr.is("shfl.sync") || instr.is("vote.sync") || instr.is("redux.sync") || instr.is("match") ||
      instr.is("bar.warp.sync"))
    return !instr.operands.empty() &&
           (instr.operands.back() == "-1" || instr.operands.back().equals_insensitive("0xffffffff"));
  return false;
}

void Scanner::checkCollectives() {
  if (llvm::none_of(function.instrs, isCollective))
    return;
  Divergence divergence(function);
  for (auto [index, block] : llvm::enumerate(function.blocks)) {
    for (unsigned i = block.begin; i < block.end; ++i) {
      const Instr &instr = function.instrs[i];
      if (!isCollective(instr))
        continue;
      if (const Instr *branch = divergence.cause(index)) {
        SourcePos pos = module.position(branch->loc);
        std::string note = "the branch is at line " + std::to_string(branch->line) + " of the PTX";
        if (pos.isKnown())
          note += ", " + pos.file + ":" + std::to_string(pos.line);
        report(instr,
               "'" + instr.opcode +
                   "' is executed under a branch that may differ between the threads of a warp",
               note);
      } else if (divergence.hasDivergentGuard(i)) {
        report(instr, "'" + instr.opcode + "' has predicate '" + function.registers[instr.guard] +
                          "', which may differ between the threads of a warp");
      }
    }
  }
}

void Scanner::checkRegistersInFlight() {
  auto isStart = [](const Instr &instr) { return instr.is("wgmma.mma_async"); };
  if (llvm::none_of(function.instrs, isStart))
    return;
  unsigned registers = function.registers.size();

  // Accumulators are the first operand, A fragments the second one if it is a list.
  auto registersOf = [&](const Instr &instr) {
    BitVector result(registers);
    for (unsigned index : {0, 1})
      if (index < instr.operands.size() && instr.operands[index].starts_with("{"))
        for (unsigned reg : instr.registersOf(index))
          result.set(reg);
    return result;
  };

  auto walk = [&](const Block &block, Flight state, bool reporting) {
    if (state.groups.empty())
      state.groups.resize(1, BitVector(registers));
    for (unsigned i = block.begin; i < block.end; ++i) {
      const Instr &instr = function.instrs[i];
      if (isStart(instr)) {
        state.groups.front() |= registersOf(instr);
        continue;
      }
      if (instr.is("wgmma.commit_group")) {
        state.groups.insert(state.groups.begin(), BitVector(registers));
        // A wait names at most 7 groups; older ones count as the oldest of these.
        if (state.groups.size() > 9) {
          BitVector oldest = state.groups.pop_back_val();
          state.groups.back() |= oldest;
        }
        continue;
      }
      if (instr.is("wgmma.wait_group")) {
        unsigned pending = 0;
        if (instr.operands.empty() || instr.operands.front().getAsInteger(0, pending))
          pending = 0;
        if (state.groups.size() > pending + 1)
          state.groups.resize(pending + 1);
        continue;
      }
      if (!reporting)
        continue;
      auto touched = [&](llvm::ArrayRef<unsigned> regs) {
        for (unsigned reg : regs)
          if (state.holds(reg))
            return function.registers[reg];
        return StringRef();
      };
      if (StringRef reg = touched(instr.uses()); !reg.empty())
        report(instr,
               "'" + instr.opcode + "' reads register '" + reg + "' of a wgmma that is still in flight");
      else if (StringRef reg = touched(instr.defs()); !reg.empty())
        report(instr,
               "'" + instr.opcode + "' writes register '" + reg + "' of a wgmma that is still in flight");
      if ((instr.is("ret") || instr.is("exit")) && !state.empty())
        report(instr, "the kernel ends while a wgmma is still in flight");
    }
    return state;
  };

  std::vector<Flight> in(function.blocks.size());
  std::vector<bool> reached(function.blocks.size(), false);
  SmallVector<unsigned, 16> work = {0};
  reached[0] = true;
  while (!work.empty()) {
    unsigned index = work.pop_back_val();
    Flight out = walk(function.blocks[index], in[index], /*reporting=*/false);
    for (unsigned successor : function.blocks[index].successors) {
      bool changed = in[successor].join(out);
      if (changed || !reached[successor]) {
        reached[successor] = true;
        work.push_back(successor);
      }
    }
  }
  for (auto [index, block] : llvm::enumerate(function.blocks))
    if (reached[index])
      walk(block, in[index], /*reporting=*/true);
}

void Scanner::checkLocalMemory() {
  if (function.localBytes == 0)
    return;
  bool talks = llvm::any_of(function.instrs, [](const Instr &instr) {
    return instr.is("call") && (llvm::is_contained(instr.operands, "vprintf") ||
                                llvm::is_contained(instr.operands, "__assertfail"));
  });
  if (talks)
    return;
  Instr place;
  place.line = function.localLine;
  if (!function.instrs.empty())
    place.loc = function.instrs.front().loc;
  report(place, "kernel '" + function.name + "' keeps " + Twine(function.localBytes) +
                    " bytes a thread in local memory");
}

bool tilec::scanPtx(StringRef text, const ScanOptions &options, CodeGenLog &log) {
  Module module = parse(text);
  bool good = true;
  for (const Function &function : module.functions) {
    if (function.blocks.empty())
      continue;
    Scanner scanner(module, function, log);
    scanner.checkCollectives();
    scanner.checkRegistersInFlight();
    if (options.forbidLocalMemory)
      scanner.checkLocalMemory();
    good &= scanner.good();
  }
  return good;
}

PtxLineMap::PtxLineMap(StringRef text) {
  Module module = parse(text);
  for (const Function &function : module.functions)
    functions.push_back({function.name.str(), function.beginLine, function.endLine});
  for (const Module::Mark &mark : module.marks)
    if (SourcePos pos = module.position(mark.loc); pos.isKnown())
      entries.push_back({mark.line, mark.function, std::move(pos)});
}

SourcePos PtxLineMap::lookup(unsigned line) const {
  auto after =
      llvm::upper_bound(entries, line, [](unsigned line, const Entry &entry) { return line < entry.line; });
  if (after == entries.begin())
    return {};
  const Entry &entry = *std::prev(after);
  return line <= functions[entry.function].end ? entry.pos : SourcePos();
}

StringRef PtxLineMap::functionAt(unsigned line) const {
  for (const Range &range : functions)
    if (range.begin <= line && line <= range.end)
      return range.name;
  return {};
}

SourcePos PtxLineMap::functionPos(StringRef name) const {
  for (const Entry &entry : entries)
    if (functions[entry.function].name == name)
      return entry.pos;
  return {};
}
