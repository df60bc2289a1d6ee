//===- PtxasLog.cpp - reads what ptxas prints -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms of the lines (ptxas 12.4 to 13.0):
//   ptxas info    : Compiling entry function 'k' for 'sm_80'
//   ptxas info    : Function properties for k
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 8 registers, used 1 barriers, 1024 bytes smem, 360 bytes cmem[0]
//   ptxas info    : (C7519) Potential Performance Loss: wgmma.mma_async … in the function 'k' [around line 7]
//   ptxas warning : …
//   ptxas FILE, line 10; error   : Unknown symbol '%r9'
//   ptxas error   : Entry function 'k2' uses too much shared data (0x493e0 bytes, 0xc000 max)
//   ptxas fatal   : Ptx assembly aborted due to errors
//
//===----------------------------------------------------------------------===//

#include "PtxasLog.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilec;
using llvm::SmallVector;
using llvm::StringRef;

/// The text between the first pair of quotes after `before`, or empty.
static StringRef quotedAfter(StringRef text, StringRef before) {
  size_t at = text.find(before);
  if (at == StringRef::npos)
    return {};
  return text.substr(at + before.size()).split('\'').second.split('\'').first;
}

/// The number right after `before`, or 0.
static unsigned numberAfter(StringRef text, StringRef before) {
  size_t at = text.find(before);
  unsigned number = 0;
  if (at == StringRef::npos)
    return 0;
  StringRef rest = text.substr(at + before.size()).ltrim();
  return rest.consumeInteger(10, number) ? 0 : number;
}

/// The number right before `after`, or 0: "1024 bytes smem".
static unsigned numberBefore(StringRef text, StringRef after) {
  size_t at = text.find(after);
  if (at == StringRef::npos)
    return 0;
  StringRef head = text.take_front(at).rtrim();
  unsigned number = 0;
  size_t begin = head.find_last_not_of("0123456789");
  head.substr(begin == StringRef::npos ? 0 : begin + 1).getAsInteger(10, number);
  return number;
}

/// The kernel that a message names, or empty.
static std::string kernelIn(StringRef message) {
  for (StringRef before : {"function ", "Function ", "function, "})
    if (StringRef name = quotedAfter(message, before); !name.empty())
      return name.str();
  return {};
}

namespace {
struct Line {
  enum Severity { Info, Warning, Error, Fatal, Other } severity = Other;
  unsigned ptxLine = 0;
  StringRef message;
};
} // namespace

static Line splitLine(StringRef text) {
  Line line;
  if (!text.starts_with("ptxas"))
    return line;
  for (auto [word, severity] : {std::pair("info ", Line::Info), std::pair("warning ", Line::Warning),
                                std::pair("error ", Line::Error), std::pair("fatal ", Line::Fatal)}) {
    // The word stands first, or after "FILE, line N;".
    size_t at = text.find(word);
    if (at == StringRef::npos)
      continue;
    StringRef head = text.take_front(at).rtrim(), tail = text.substr(at + StringRef(word).size()).ltrim();
    if (!tail.consume_front(":") || !(head == "ptxas" || head.ends_with(";")))
      continue;
    line.severity = severity;
    line.message = tail.trim();
    line.ptxLine = numberAfter(head, ", line ");
    return line;
  }
  return line;
}

PtxasReport tilec::readPtxasLog(StringRef text, const PtxLineMap &lines) {
  PtxasReport report;
  KernelResources *current = nullptr;
  auto resourcesOf = [&](StringRef kernel) {
    for (KernelResources &known : report.resources)
      if (known.kernel == kernel)
        return &known;
    report.resources.emplace_back().kernel = kernel.str();
    return &report.resources.back();
  };
  auto positionOf = [&](unsigned ptxLine, StringRef kernel) {
    SourcePos pos = ptxLine ? lines.lookup(ptxLine) : SourcePos();
    return pos.isKnown() ? pos : lines.functionPos(kernel);
  };
  SmallVector<StringRef, 32> rows;
  text.split(rows, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef row : rows) {
    StringRef trimmed = row.trim();
    if (trimmed.contains("bytes stack frame") && current) {
      current->stackBytes = numberBefore(trimmed, " bytes stack frame");
      current->spillStoreBytes = numberBefore(trimmed, " bytes spill stores");
      current->spillLoadBytes = numberBefore(trimmed, " bytes spill loads");
      continue;
    }
    Line line = splitLine(trimmed);
    StringRef message = line.message;
    if (line.severity == Line::Error || line.severity == Line::Fatal) {
      // "aborted due to errors" repeats that there were some.
      if (line.severity == Line::Fatal && !report.errors.empty())
        continue;
      PtxasError error{message.str(), line.ptxLine, kernelIn(message), {}};
      if (error.kernel.empty() && line.ptxLine)
        error.kernel = lines.functionAt(line.ptxLine).str();
      error.pos = positionOf(line.ptxLine, error.kernel);
      report.errors.push_back(std::move(error));
      continue;
    }
    if (line.severity == Line::Info) {
      if (StringRef kernel = quotedAfter(message, "Compiling entry function "); !kernel.empty()) {
        current = resourcesOf(kernel);
        continue;
      }
      if (message.consume_front("Function properties for ")) {
        // Device functions that we do not call by name have properties too.
        auto known = llvm::find_if(report.resources,
                                   [&](const KernelResources &one) { return one.kernel == message; });
        current = known == report.resources.end() ? nullptr : &*known;
        continue;
      }
      if (message.starts_with("Used ")) {
        if (!current)
          continue;
        current->registers = numberAfter(message, "Used ");
        current->barriers = numberAfter(message, ", used ");
        current->staticSharedBytes = numberBefore(message, " bytes smem");
        continue;
      }
      if (!message.starts_with("("))
        continue; // gmem, compile time, overrides
    }
    if (line.severity == Line::Other)
      continue;
    PtxasWarning warning;
    if (message.starts_with("(")) {
      warning.code = message.drop_front().split(')').first.str();
      message = message.split(')').second.trim();
    }
    warning.message = message.str();
    warning.kernel = kernelIn(message);
    unsigned ptxLine = line.ptxLine ? line.ptxLine : numberAfter(message, "around line ");
    if (warning.kernel.empty() && ptxLine)
      warning.kernel = lines.functionAt(ptxLine).str();
    warning.pos = positionOf(ptxLine, warning.kernel);
    report.warnings.push_back(std::move(warning));
  }
  return report;
}
