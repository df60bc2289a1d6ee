//===- Diagnostics.h - errors, warnings and how they are shown -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a user is told about his program goes through a DiagnosticEngine:
//
//   diags.report(DiagId::UnknownName, nameRange, name)
//       .note(declRange, "'" + other + "' is declared here")
//       .fixIt(nameRange, other);
//
// What can be said is a table, Diagnostics.def. The engine decides whether it is said (warning options, error
// limit, duplicates); a DiagnosticConsumer decides how (text with a caret, JSON, captured by a test).
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_SUPPORT_DIAGNOSTICS_H
#define TILEC_SUPPORT_DIAGNOSTICS_H

#include "tilec/Support/SourceManager.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <string>
#include <type_traits>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tilec {

/// Ignored is a warning that is off until its -Wname is given.
enum class Severity : uint8_t { Ignored, Remark, Warning, Error };

llvm::StringRef getSeverityName(Severity severity);

/// One row of Diagnostics.def each.
enum class DiagId : uint16_t {
#define TILEC_DIAG(Number, Name, DefaultSeverity, Group, Message) Name,
#include "tilec/Support/Diagnostics.def"
};

/// The row of a diagnostic, as text.
struct DiagInfo {
  llvm::StringRef id;   ///< "TILE0123": stable, in documents and in tests
  llvm::StringRef name; ///< "UnknownName"
  Severity defaultSeverity;
  llvm::StringRef group;   ///< name for -Wname; empty for errors
  llvm::StringRef message; ///< with %0 … %9 and %s0 … %s9, see formatMessage
};
const DiagInfo &getDiagInfo(DiagId id);
/// All rows, in the order of the table.
llvm::ArrayRef<DiagInfo> getAllDiagInfos();

/// An argument of a message: text, an integer, or an APInt (printed signed).
class DiagArg {
public:
  DiagArg(llvm::StringRef text) : text(text) {}
  DiagArg(const char *text) : text(text) {}
  DiagArg(std::string text) : text(std::move(text)) {}
  DiagArg(const llvm::Twine &text) : text(text.str()) {}
  DiagArg(const llvm::APInt &value);
  template <typename T>
    requires std::is_integral_v<T>
  DiagArg(T value) : text(std::to_string(value)) {}

  std::string text;
};

/// %0 … %9 become the arguments, %s0 becomes "s" unless argument 0 is "1", %% becomes %.
std::string formatMessage(llvm::StringRef format, llvm::ArrayRef<DiagArg> args);

struct FixIt {
  SourceRange range; ///< what is replaced; empty to insert
  std::string text;  ///< empty to delete
};

struct DiagNote {
  SourceRange range; ///< may be invalid: a note without a place
  std::string message;
};

/// A diagnostic as a consumer sees it.
struct Diagnostic {
  DiagId id = {};
  Severity severity = Severity::Error; ///< after -Werror and the like
  bool promoted = false;               ///< a warning that -Werror made an error
  SourceRange range;                   ///< invalid: no place in a source file
  std::string message;
  llvm::SmallVector<SourceRange, 1> highlights; ///< further ranges that get ~~~~
  llvm::SmallVector<DiagNote, 2> notes;
  llvm::SmallVector<FixIt, 1> fixIts;
};

class DiagnosticConsumer {
public:
  virtual ~DiagnosticConsumer();
  virtual void handle(const Diagnostic &diag, const SourceManager &sources) = 0;
};

/// `file:line:col: error: message [TILE0123]`, the source line, a caret, notes.
class TextDiagnosticPrinter : public DiagnosticConsumer {
public:
  /// `program` stands in front of diagnostics that have no place: "tilec: error: …".
  TextDiagnosticPrinter(llvm::raw_ostream &os, bool color, std::string program = "tilec")
      : os(os), color(color), program(std::move(program)) {}
  void handle(const Diagnostic &diag, const SourceManager &sources) override;

private:
  void printMessage(llvm::StringRef label, bool isError, SourceRange range, llvm::StringRef message,
                    llvm::StringRef suffix, const SourceManager &sources);
  void printSnippet(SourceRange range, llvm::ArrayRef<SourceRange> highlights, llvm::ArrayRef<FixIt> fixIts,
                    const SourceManager &sources);

  llvm::raw_ostream &os;
  bool color;
  std::string program;
};

/// One JSON object a line: id, severity, group, file, line, col, end {line, col}, message,
/// notes [{file, line, col, end, message}], fixits [{range {file, line, col, end}, text}].
class JsonDiagnosticPrinter : public DiagnosticConsumer {
public:
  explicit JsonDiagnosticPrinter(llvm::raw_ostream &os) : os(os) {}
  void handle(const Diagnostic &diag, const SourceManager &sources) override;

private:
  llvm::raw_ostream &os;
};

/// Keeps what was reported.
class CapturingDiagnosticConsumer : public DiagnosticConsumer {
public:
  void handle(const Diagnostic &diag, const SourceManager &sources) override { diags.push_back(diag); }

  std::vector<Diagnostic> diags;
};

/// A diagnostic under construction; it is reported when this dies, at the end of the full expression.
class DiagnosticBuilder {
public:
  DiagnosticBuilder(class DiagnosticEngine &engine, Diagnostic diag)
      : engine(&engine), diag(std::move(diag)) {}
  DiagnosticBuilder(DiagnosticBuilder &&other) : engine(other.engine), diag(std::move(other.diag)) {
    other.engine = nullptr;
  }
  DiagnosticBuilder(const DiagnosticBuilder &) = delete;
  DiagnosticBuilder &operator=(DiagnosticBuilder &&) = delete;
  ~DiagnosticBuilder();
  /// One that takes everything and reports nothing.
  static DiagnosticBuilder makeDropped() { return DiagnosticBuilder(); }

  DiagnosticBuilder &note(SourceRange range, const llvm::Twine &message) {
    diag.notes.push_back({range, message.str()});
    return *this;
  }
  DiagnosticBuilder &note(const llvm::Twine &message) { return note(SourceRange(), message); }
  DiagnosticBuilder &highlight(SourceRange range) {
    diag.highlights.push_back(range);
    return *this;
  }
  /// Replaces `range` by `text`.
  DiagnosticBuilder &fixIt(SourceRange range, const llvm::Twine &text) {
    diag.fixIts.push_back({range, text.str()});
    return *this;
  }

private:
  DiagnosticBuilder() = default;

  class DiagnosticEngine *engine = nullptr;
  Diagnostic diag;
};

class DiagnosticEngine {
public:
  /// Both must outlive the engine.
  DiagnosticEngine(const SourceManager &sources, DiagnosticConsumer &consumer)
      : sources(sources), consumer(consumer) {}

  /// Reports a row of the table at a range, the arguments in the order of its %0, %1, …
  template <typename... Args> DiagnosticBuilder report(DiagId id, SourceRange range, Args &&...args) {
    return makeBuilder(id, range, {DiagArg(std::forward<Args>(args))...});
  }
  /// Reports something that has no place in a source file (command line, output files).
  template <typename... Args> DiagnosticBuilder reportWithoutLocation(DiagId id, Args &&...args) {
    return makeBuilder(id, SourceRange(), {DiagArg(std::forward<Args>(args))...});
  }

  /// `option` is what follows -W: "error", "no-error", "error=NAME", "no-error=NAME", "NAME", "no-NAME".
  /// Later ones win over earlier ones of the same NAME. False if there is no such group; nothing is changed
  /// then.
  bool setWarningOption(llvm::StringRef option);
  /// The group that setWarningOption did not find most resembles this one, or "".
  static llvm::StringRef suggestWarningGroup(llvm::StringRef option);
  /// How a diagnostic would be reported now; Ignored: not at all.
  Severity getSeverity(DiagId id) const;

  /// After `limit` errors one more line says so and everything further is dropped. 0 is no limit.
  void setErrorLimit(unsigned limit) { errorLimit = limit; }
  /// True after that line: nothing reported from here on would be seen.
  bool isErrorLimitReached() const { return limitReached; }

  unsigned getErrorCount() const { return errorCount; }
  unsigned getWarningCount() const { return warningCount; }
  bool hasErrors() const { return errorCount != 0; }
  const SourceManager &getSources() const { return sources; }

private:
  friend class DiagnosticBuilder;
  DiagnosticBuilder makeBuilder(DiagId id, SourceRange range, llvm::SmallVector<DiagArg, 4> args);
  void emit(Diagnostic &diag);

  struct GroupState {
    bool enabled = true;
    bool enabledSet = false;
    bool error = false;
    bool errorSet = false;
  };

  const SourceManager &sources;
  DiagnosticConsumer &consumer;
  llvm::StringMap<GroupState> groups;
  bool warningsAsErrors = false;
  unsigned errorLimit = 20;
  unsigned errorCount = 0;
  unsigned warningCount = 0;
  bool limitReached = false;
  llvm::StringSet<> reported; // keys of what was said already: AST parts are checked once per instance
};

} // namespace tilec

#endif // TILEC_SUPPORT_DIAGNOSTICS_H
