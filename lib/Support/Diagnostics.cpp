//===- Diagnostics.cpp - the diagnostics table and engine ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what is said: severity by the warning options, duplicates, the error limit.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

namespace tilec {

static constexpr DiagInfo diagTable[] = {
#define TILEC_DIAG(Number, Name, DefaultSeverity, Group, Message)                                            \
  {"TILE" #Number, #Name, Severity::DefaultSeverity, Group, Message},
#include "tilec/Support/Diagnostics.def"
};

const DiagInfo &getDiagInfo(DiagId id) { return diagTable[unsigned(id)]; }

llvm::ArrayRef<DiagInfo> getAllDiagInfos() { return diagTable; }

llvm::StringRef getSeverityName(Severity severity) {
  switch (severity) {
  case Severity::Ignored:
    return "ignored";
  case Severity::Remark:
    return "remark";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("unknown severity");
}

DiagArg::DiagArg(const llvm::APInt &value) {
  llvm::SmallString<40> digits;
  value.toStringSigned(digits);
  text = std::string(digits);
}

std::string formatMessage(llvm::StringRef format, llvm::ArrayRef<DiagArg> args) {
  std::string result;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      result += format[i];
      continue;
    }
    char next = ++i < format.size() ? format[i] : '\0';
    if (next == '%') {
      result += '%';
      continue;
    }
    bool plural = next == 's';
    if (plural)
      next = ++i < format.size() ? format[i] : '\0';
    unsigned index = unsigned(next - '0');
    assert(index < args.size() && "the message names an argument that was not given");
    if (!plural)
      result += args[index].text;
    else if (args[index].text != "1")
      result += 's';
  }
  return result;
}

DiagnosticConsumer::~DiagnosticConsumer() = default;

DiagnosticBuilder::~DiagnosticBuilder() {
  if (engine)
    engine->emit(diag);
}

/// Calls `fn` with the name of every warning group in the table, repeatedly where rows share one.
template <typename Fn> static void forEachGroup(Fn fn) {
  for (const DiagInfo &info : diagTable)
    if (!info.group.empty())
      fn(info.group);
}

/// The NAME in an option as setWarningOption takes it.
static llvm::StringRef getGroupName(llvm::StringRef option) {
  if (!option.consume_front("error=") && !option.consume_front("no-error="))
    option.consume_front("no-");
  return option;
}

bool DiagnosticEngine::setWarningOption(llvm::StringRef option) {
  if (option == "error" || option == "no-error") {
    warningsAsErrors = option == "error";
    return true;
  }
  llvm::StringRef name = getGroupName(option);
  bool known = false;
  forEachGroup([&](llvm::StringRef group) { known |= group == name; });
  if (!known)
    return false;
  GroupState &group = groups[name];
  if (option.starts_with("error=") || option.starts_with("no-error=")) {
    group.errorSet = true;
    group.error = option.starts_with("error=");
    if (group.error)
      group.enabledSet = group.enabled = true;
  } else {
    group.enabledSet = true;
    group.enabled = !option.starts_with("no-");
  }
  return true;
}

llvm::StringRef DiagnosticEngine::suggestWarningGroup(llvm::StringRef option) {
  llvm::StringRef name = getGroupName(option), best;
  unsigned bestDistance = name.size() / 3 + 1; // more edits than that is another word
  forEachGroup([&](llvm::StringRef group) {
    unsigned distance = name.edit_distance(group, /*AllowReplacements=*/true, bestDistance);
    if (distance < bestDistance || (distance == bestDistance && best.empty())) {
      bestDistance = distance;
      best = group;
    }
  });
  return best;
}

Severity DiagnosticEngine::getSeverity(DiagId id) const {
  const DiagInfo &info = getDiagInfo(id);
  if (info.group.empty())
    return info.defaultSeverity;
  Severity severity = info.defaultSeverity;
  auto it = groups.find(info.group);
  GroupState group = it == groups.end() ? GroupState() : it->second;
  if (group.enabledSet) {
    if (!group.enabled)
      return Severity::Ignored;
    if (severity == Severity::Ignored)
      severity = Severity::Warning;
  }
  if (severity == Severity::Warning && (group.errorSet ? group.error : warningsAsErrors))
    return Severity::Error;
  return severity;
}

DiagnosticBuilder DiagnosticEngine::makeBuilder(DiagId id, SourceRange range,
                                                llvm::SmallVector<DiagArg, 4> args) {
  Diagnostic diag;
  diag.id = id;
  diag.range = range;
  diag.message = formatMessage(getDiagInfo(id).message, args);
  diag.severity = getSeverity(id);
  diag.promoted = diag.severity == Severity::Error && getDiagInfo(id).defaultSeverity != Severity::Error;
  return DiagnosticBuilder(*this, std::move(diag));
}

void DiagnosticEngine::emit(Diagnostic &diag) {
  if (diag.severity == Severity::Ignored || limitReached)
    return;
  std::string key;
  llvm::raw_string_ostream(key) << unsigned(diag.id) << ' ' << diag.range.file << ' ' << diag.range.begin
                                << ' ' << diag.range.end << ' ' << diag.message;
  if (!reported.insert(key).second)
    return;
  if (diag.severity == Severity::Error) {
    if (errorLimit != 0 && errorCount == errorLimit) {
      limitReached = true;
      Diagnostic last;
      last.id = DiagId::TooManyErrors;
      last.severity = Severity::Error;
      last.message = formatMessage(getDiagInfo(last.id).message, {DiagArg(errorLimit)});
      consumer.handle(last, sources);
      return;
    }
    ++errorCount;
  } else if (diag.severity == Severity::Warning) {
    ++warningCount;
  }
  consumer.handle(diag, sources);
}

} // namespace tilec
