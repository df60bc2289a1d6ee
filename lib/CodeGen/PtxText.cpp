//===- PtxText.cpp - PTX text as functions, blocks and instructions -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the characters cuts the text into statements (PTX ISA 4.1, 4.2); labels and branches then
// make the blocks.
//
//===----------------------------------------------------------------------===//

#include "PtxText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilec;
using namespace tilec::ptx;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;

static bool isNameChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%'; }

bool Instr::hasModifier(StringRef modifier) const {
  SmallVector<StringRef, 8> parts;
  opcode.split(parts, '.');
  return llvm::is_contained(llvm::drop_begin(parts), modifier);
}

/// The identifiers in an operand that may be registers: "[%rd1+8]" has "%rd1".
static void collectNames(StringRef operand, SmallVectorImpl<StringRef> &names) {
  for (size_t i = 0; i < operand.size();) {
    if (!isNameChar(operand[i])) {
      ++i;
      continue;
    }
    size_t begin = i;
    // Special registers have a dot inside: %tid.x.
    while (i < operand.size() && (isNameChar(operand[i]) || (operand[i] == '.' && operand[begin] == '%')))
      ++i;
    StringRef name = operand.slice(begin, i);
    if (!llvm::isDigit(name.front()) && name != "_")
      names.push_back(name);
  }
}

/// Instructions whose first operand is not a result.
static bool hasNoResult(const Instr &instr) {
  if (instr.is("bar.red") || instr.is("barrier.red") || instr.is("barrier.cta.red"))
    return false;
  if (instr.is("mbarrier"))
    return instr.is("mbarrier.init") || instr.is("mbarrier.inval") || instr.is("mbarrier.expect_tx") ||
           instr.is("mbarrier.complete_tx") ||
           (!instr.operands.empty() && instr.operands.front().starts_with("["));
  static constexpr StringRef names[] = {"applypriority",
                                        "bar",
                                        "barrier",
                                        "bra",
                                        "brx",
                                        "call",
                                        "clusterlaunchcontrol",
                                        "cp",
                                        "discard",
                                        "exit",
                                        "fence",
                                        "membar",
                                        "griddepcontrol",
                                        "multimem.red",
                                        "multimem.st",
                                        "nanosleep",
                                        "pmevent",
                                        "prefetch",
                                        "prefetchu",
                                        "red",
                                        "ret",
                                        "setmaxnreg",
                                        "st",
                                        "stmatrix",
                                        "sust",
                                        "tensormap",
                                        "trap",
                                        "wgmma"};
  return llvm::any_of(names, [&](StringRef name) { return instr.is(name); });
}

namespace {

class Parser {
public:
  explicit Parser(StringRef text) : text(text) {}
  Module run();

private:
  void skipBlanks();
  StringRef takeLine();
  StringRef takeUntil(StringRef ends);
  void parseDirective();
  void parseFunctionHeader();
  void parseInstruction();
  bool parseLabel();
  void finishFunction();
  void declareRegisters(StringRef declaration);
  unsigned registerNumber(StringRef name);

  StringRef text;
  size_t at = 0;
  unsigned line = 1;
  bool inFunction = false;
  Loc loc;
  Module module;
  /// Braces inside a function: inline PTX declares registers and labels of its own in them. The outermost one
  /// is the function's body.
  struct Scope {
    unsigned parent;
    llvm::StringMap<unsigned> registers;
    llvm::StringMap<unsigned> labels; ///< instruction index
  };
  std::vector<Scope> scopes;
  unsigned scope = 0;
  std::vector<unsigned> scopeOf; ///< by instruction
};

} // namespace

/// Blanks and comments.
void Parser::skipBlanks() {
  while (at < text.size()) {
    StringRef rest = text.substr(at);
    size_t length = 0;
    if (llvm::isSpace(rest.front()))
      length = 1;
    else if (rest.starts_with("//"))
      length = std::min(rest.find('\n'), rest.size());
    else if (rest.starts_with("/*"))
      length = rest.find("*/") == StringRef::npos ? rest.size() : rest.find("*/") + 2;
    else
      return;
    line += rest.take_front(length).count('\n');
    at += length;
  }
}

StringRef Parser::takeLine() {
  size_t end = std::min(text.find('\n', at), text.size());
  StringRef taken = text.slice(at, end);
  at = end;
  return taken.take_front(taken.find("//")).trim();
}

/// Takes up to one of `ends` outside strings, braces and parentheses, and the end itself.
StringRef Parser::takeUntil(StringRef ends) {
  size_t begin = at;
  unsigned nesting = 0;
  for (bool inString = false; at < text.size(); ++at) {
    char c = text[at];
    if (c == '\n')
      ++line;
    if (c == '"')
      inString = !inString;
    if (inString)
      continue;
    if (nesting == 0 && ends.contains(c))
      break;
    if (c == '{' || c == '(')
      ++nesting;
    else if ((c == '}' || c == ')') && nesting > 0)
      --nesting;
  }
  StringRef taken = text.slice(begin, at).trim();
  if (at < text.size())
    ++at;
  return taken;
}

/// ".reg .pred p, q" in inner braces; the names of the function's body need no declaration here.
void Parser::declareRegisters(StringRef declaration) {
  SmallVector<StringRef, 4> names;
  StringRef rest = declaration.drop_front(StringRef(".reg").size()).ltrim();
  rest = rest.drop_until(llvm::isSpace); // the type
  collectNames(rest, names);
  std::vector<StringRef> &all = module.functions.back().registers;
  for (StringRef name : names)
    if (scopes[scope].registers.try_emplace(name, all.size()).second)
      all.push_back(name);
}

unsigned Parser::registerNumber(StringRef name) {
  for (unsigned at = scope; at != 0; at = scopes[at].parent)
    if (auto known = scopes[at].registers.find(name); known != scopes[at].registers.end())
      return known->second;
  std::vector<StringRef> &all = module.functions.back().registers;
  auto [it, isNew] = scopes[0].registers.try_emplace(name, all.size());
  if (isNew)
    all.push_back(name);
  return it->second;
}

void Parser::parseFunctionHeader() {
  unsigned startLine = line;
  size_t begin = at;
  takeUntil("{;");
  if (text[std::min(at, text.size()) - 1] != '{')
    return; // a declaration
  StringRef header = text.slice(begin, at - 1);
  bool isEntry = header.contains(".entry");
  StringRef rest = header.split(isEntry ? ".entry" : ".func").second.ltrim();
  if (!isEntry && rest.starts_with("(")) // the result of a .func
    rest = rest.split(')').second.ltrim();
  Function function;
  function.name = rest.take_while(isNameChar);
  function.beginLine = startLine;
  module.functions.push_back(std::move(function));
  inFunction = true;
  loc = {};
  scopes.assign(1, Scope{0, {}, {}});
  scope = 0;
  scopeOf.clear();
}

void Parser::parseDirective() {
  StringRef rest = text.substr(at);
  auto startsWith = [&](StringRef name) {
    return rest.starts_with(name) && (rest.size() == name.size() || !isNameChar(rest[name.size()]));
  };
  if (startsWith(".loc")) {
    unsigned markLine = line;
    StringRef words = takeLine().drop_front(4);
    unsigned numbers[3];
    bool bad = false;
    for (unsigned &number : numbers) {
      words = words.ltrim();
      bad = bad || words.consumeInteger(10, number);
    }
    if (!bad && inFunction) {
      // LLVM writes line 0 for code without a location; the one before says more.
      if (numbers[1] != 0)
        loc = {numbers[0], numbers[1], numbers[2]};
      module.marks.push_back({markLine, unsigned(module.functions.size() - 1), loc});
    }
    return;
  }
  if (startsWith(".file")) {
    StringRef words = takeLine().drop_front(5).ltrim();
    unsigned number;
    if (words.consumeInteger(10, number))
      return;
    StringRef name = words.split('"').second.rsplit('"').first;
    if (number >= module.files.size())
      module.files.resize(number + 1);
    module.files[number] = name.str();
    return;
  }
  static constexpr StringRef headers[] = {".visible", ".weak", ".extern", ".entry", ".func", ".common"};
  if (!inFunction && llvm::any_of(headers, startsWith)) {
    StringRef statement = rest.take_front(rest.find_first_of("{;"));
    if (statement.contains(".entry") || statement.contains(".func"))
      return parseFunctionHeader();
    takeUntil(";");
    return;
  }
  static constexpr StringRef lines[] = {".version", ".target", ".address_size"};
  if (llvm::any_of(lines, startsWith)) {
    takeLine();
    return;
  }
  if (inFunction && startsWith(".local")) {
    Function &function = module.functions.back();
    function.localLine = line;
    // ".local .align 8 .b8 __local_depot0[24]"
    unsigned bytes = 0;
    if (!takeUntil(";").split('[').second.split(']').first.getAsInteger(10, bytes))
      function.localBytes += bytes;
    return;
  }
  bool isRegister = startsWith(".reg");
  StringRef statement = takeUntil(";");
  if (inFunction && isRegister && scope != 0)
    declareRegisters(statement);
}

bool Parser::parseLabel() {
  size_t end = at;
  while (end < text.size() && isNameChar(text[end]))
    ++end;
  if (end == at || end >= text.size() || text[end] != ':' || text.substr(end).starts_with("::"))
    return false;
  scopes[scope].labels[text.slice(at, end)] = module.functions.back().instrs.size();
  at = end + 1;
  return true;
}

void Parser::parseInstruction() {
  Instr instr;
  instr.line = line;
  instr.loc = loc;
  StringRef statement = takeUntil(";");
  if (statement.empty())
    return;
  if (statement.consume_front("@")) {
    statement.consume_front("!");
    StringRef guard = statement.take_while(isNameChar);
    instr.guard = registerNumber(guard);
    statement = statement.drop_front(guard.size()).ltrim();
  }
  instr.opcode = statement.take_until(llvm::isSpace);
  StringRef rest = statement.drop_front(instr.opcode.size()).trim();
  for (size_t i = 0, begin = 0, nesting = 0; i <= rest.size(); ++i) {
    if (i == rest.size() || (rest[i] == ',' && nesting == 0)) {
      if (StringRef operand = rest.slice(begin, i).trim(); !operand.empty())
        instr.operands.push_back(operand);
      begin = i + 1;
    } else if (rest[i] == '{' || rest[i] == '[' || rest[i] == '(') {
      ++nesting;
    } else if (nesting > 0 && (rest[i] == '}' || rest[i] == ']' || rest[i] == ')')) {
      --nesting;
    }
  }
  instr.hasResult = !hasNoResult(instr);
  SmallVector<StringRef, 8> names;
  for (StringRef operand : instr.operands) {
    names.clear();
    collectNames(operand, names);
    for (StringRef name : names)
      instr.registers.push_back(registerNumber(name));
    instr.registersEnd.push_back(instr.registers.size());
  }
  scopeOf.push_back(scope);
  module.functions.back().instrs.push_back(std::move(instr));
}

/// Cuts the instructions into blocks and links them.
void Parser::finishFunction() {
  Function &function = module.functions.back();
  function.endLine = line;
  inFunction = false;
  unsigned count = function.instrs.size();
  std::vector<bool> starts(count + 1, false);
  starts[0] = true;
  for (const Scope &one : scopes)
    for (const auto &label : one.labels)
      starts[label.second] = true;
  auto endsBlock = [](const Instr &instr) {
    return instr.is("bra") || instr.is("brx") || instr.is("ret") || instr.is("exit") || instr.is("trap");
  };
  for (unsigned i = 0; i < count; ++i)
    if (endsBlock(function.instrs[i]))
      starts[i + 1] = true;

  std::vector<unsigned> blockOf(count + 1, 0);
  for (unsigned i = 0; i < count; ++i) {
    if (starts[i]) {
      if (!function.blocks.empty())
        function.blocks.back().end = i;
      function.blocks.push_back({i, count, {}, false});
    }
    blockOf[i] = function.blocks.size() - 1;
  }
  auto endsAll = [](const Instr &instr) {
    return instr.is("call") && llvm::is_contained(instr.operands, "__assertfail");
  };
  for (auto [index, block] : llvm::enumerate(function.blocks)) {
    const Instr &last = function.instrs[block.end - 1];
    bool conditional = last.guard >= 0;
    if (last.is("brx")) {
      // It names a list of labels that is declared elsewhere: any label may be meant.
      for (const Scope &one : scopes)
        for (const auto &label : one.labels)
          if (label.second < count)
            block.successors.push_back(blockOf[label.second]);
      // StringMap has no order of its own worth keeping.
      llvm::sort(block.successors);
      conditional = false;
    } else if (last.is("bra")) {
      StringRef name = last.operands.empty() ? StringRef() : last.operands.front();
      unsigned at = scopeOf[block.end - 1];
      while (at != 0 && !scopes[at].labels.contains(name))
        at = scopes[at].parent;
      auto target = scopes[at].labels.find(name);
      if (target != scopes[at].labels.end() && target->second < count)
        block.successors.push_back(blockOf[target->second]);
    } else if (last.is("exit") || last.is("ret")) {
      block.exits =
          llvm::none_of(llvm::ArrayRef(function.instrs).slice(block.begin, block.end - block.begin), endsAll);
    } else if (!last.is("trap")) {
      conditional = true;
      block.exits = index + 1 == function.blocks.size();
    }
    if (conditional && index + 1 < function.blocks.size())
      block.successors.push_back(index + 1);
  }
}

Module Parser::run() {
  for (skipBlanks(); at < text.size(); skipBlanks()) {
    char c = text[at];
    if (c == '.') {
      parseDirective();
    } else if (!inFunction) {
      ++at; // not PTX as we print it; ptxas will say so
    } else if (c == '{') {
      ++at;
      scopes.push_back({scope, {}, {}});
      scope = scopes.size() - 1;
    } else if (c == '}') {
      ++at;
      if (scope == 0)
        finishFunction();
      else
        scope = scopes[scope].parent;
    } else if (!parseLabel()) {
      parseInstruction();
    }
  }
  if (inFunction)
    finishFunction();
  return std::move(module);
}

Module ptx::parse(StringRef text) { return Parser(text).run(); }

std::vector<unsigned> ptx::postDominators(const Function &function) {
  unsigned count = function.blocks.size();
  unsigned exit = count;
  std::vector<SmallVector<unsigned, 2>> predecessors(count + 1);
  for (auto [index, block] : llvm::enumerate(function.blocks)) {
    for (unsigned successor : block.successors)
      predecessors[successor].push_back(index);
    if (block.exits)
      predecessors[exit].push_back(index);
  }
  // Post-order of the reversed graph from the exit, then Cooper, Harvey and Kennedy's iteration.
  std::vector<unsigned> order, number(count + 1, ~0u);
  std::vector<std::pair<unsigned, unsigned>> stack = {{exit, 0}};
  std::vector<bool> seen(count + 1, false);
  seen[exit] = true;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next < predecessors[block].size()) {
      unsigned predecessor = predecessors[block][next++];
      if (!seen[predecessor]) {
        seen[predecessor] = true;
        stack.push_back({predecessor, 0});
      }
      continue;
    }
    number[block] = order.size();
    order.push_back(block);
    stack.pop_back();
  }
  std::vector<unsigned> dominator(count + 1, ~0u);
  dominator[exit] = exit;
  auto intersect = [&](unsigned a, unsigned b) {
    while (a != b) {
      while (number[a] < number[b])
        a = dominator[a];
      while (number[b] < number[a])
        b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned block : llvm::reverse(order)) {
      if (block == exit)
        continue;
      unsigned best = ~0u;
      auto meet = [&](unsigned successor) {
        if (number[successor] != ~0u && dominator[successor] != ~0u)
          best = best == ~0u ? successor : intersect(best, successor);
      };
      for (unsigned successor : function.blocks[block].successors)
        meet(successor);
      if (function.blocks[block].exits)
        meet(exit);
      if (best != dominator[block]) {
        dominator[block] = best;
        changed = true;
      }
    }
  }
  dominator.pop_back();
  for (unsigned &block : dominator)
    if (block == ~0u)
      block = exit;
  return dominator;
}
