//===- DiagnosticPrinters.cpp - diagnostics as text and as JSON ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text form shows the source line as a terminal would: a Snippet maps the bytes of a line to cells on the
// screen (tabs expanded, what cannot be shown escaped) and cuts a window round the caret, since a line may
// have millions of bytes.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace tilec {

namespace {

/// Bytes of the line shown before and after the first byte of interest, at most.
constexpr size_t windowBefore = 50, windowAfter = 90;
constexpr unsigned tabCells = 4;

/// Appends the character at `text[at]` as a terminal can show it; answers how many bytes it has and how many
/// cells it takes.
std::pair<unsigned, unsigned> appendShown(llvm::StringRef text, size_t at, std::string &out) {
  unsigned char c = text[at];
  if (c == '\t') {
    out.append(tabCells, ' ');
    return {1, tabCells};
  }
  if (c >= 0x20 && c < 0x7F) {
    out += char(c);
    return {1, 1};
  }
  if (c >= 0x80) {
    unsigned bytes = llvm::getNumBytesForUTF8(c);
    auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data()) + at;
    if (at + bytes <= text.size() && llvm::isLegalUTF8Sequence(begin, begin + bytes)) {
      llvm::StringRef character = text.substr(at, bytes);
      int cells = llvm::sys::unicode::columnWidthUTF8(character);
      if (cells > 0) {
        out += character;
        return {bytes, unsigned(cells)};
      }
    }
  }
  static const char digits[] = "0123456789ABCDEF";
  out += {'<', digits[c >> 4], digits[c & 15], '>'};
  return {1, 4};
}

/// Text that may hold anything as one line of printable characters.
std::string makePrintable(llvm::StringRef text) {
  std::string out;
  for (size_t at = 0; at < text.size();)
    at += appendShown(text, at, out).first;
  return out;
}

/// A window of one source line on the screen.
class Snippet {
public:
  Snippet(llvm::StringRef line, size_t focus) {
    first = focus > windowBefore ? focus - windowBefore : 0;
    last = std::min(line.size(), focus + windowAfter);
    while (first > 0 && isContinuation(line[first])) // do not cut a character in two
      --first;
    while (last < line.size() && isContinuation(line[last]))
      ++last;
    text = first > 0 ? "..." : "";
    unsigned cell = text.size();
    for (size_t at = first; at < last;) {
      auto [bytes, width] = appendShown(line, at, text);
      for (unsigned i = 0; i < bytes; ++i)
        cells.push_back(cell);
      at += bytes;
      cell += width;
    }
    cells.push_back(cell);
    if (last < line.size())
      text += "...";
  }

  llvm::StringRef getText() const { return text; }
  /// The cell where byte `at` of the line begins, the nearest one if the window does not hold it.
  unsigned getCell(size_t at) const { return cells[std::clamp(at, first, last) - first]; }
  bool contains(size_t at) const { return at >= first && at <= last; }

private:
  static bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

  size_t first, last; // bytes of the line
  std::string text;
  std::vector<unsigned> cells;
};

llvm::json::Object makePlace(SourceRange range, const SourceManager &sources) {
  if (!range.isValid())
    return {};
  LineColumn begin = sources.getLineColumn(range.getBegin()), end = sources.getLineColumn(range.getEnd());
  return llvm::json::Object({{"file", llvm::json::fixUTF8(sources.getName(range.file))},
                             {"line", begin.line},
                             {"col", begin.column},
                             {"end", llvm::json::Object{{"line", end.line}, {"col", end.column}}}});
}

} // namespace

void TextDiagnosticPrinter::printMessage(llvm::StringRef label, bool isError, SourceRange range,
                                         llvm::StringRef message, llvm::StringRef suffix,
                                         const SourceManager &sources) {
  auto paint = [&](llvm::raw_ostream::Colors c) {
    if (color)
      os.changeColor(c, /*Bold=*/true);
  };
  paint(llvm::raw_ostream::SAVEDCOLOR);
  if (range.isValid()) {
    LineColumn at = sources.getLineColumn(range.getBegin());
    os << makePrintable(sources.getName(range.file)) << ':' << at.line << ':' << at.column << ": ";
  } else {
    os << program << ": ";
  }
  paint(isError              ? llvm::raw_ostream::RED
        : label == "warning" ? llvm::raw_ostream::MAGENTA
                             : llvm::raw_ostream::CYAN);
  os << label << ": ";
  if (color)
    os.resetColor();
  os << makePrintable(message) << suffix << '\n';
}

void TextDiagnosticPrinter::printSnippet(SourceRange range, llvm::ArrayRef<SourceRange> highlights,
                                         llvm::ArrayRef<FixIt> fixIts, const SourceManager &sources) {
  if (!range.isValid())
    return;
  LineColumn at = sources.getLineColumn(range.getBegin());
  llvm::StringRef line = sources.getLine(range.file, at.line);
  size_t lineBegin = range.begin - (at.column - 1);
  Snippet snippet(line, at.column - 1);
  os << "  " << snippet.getText() << '\n';

  // ~~~~ under the part of each range that lies on this line and in the window, then the caret.
  std::string marks;
  auto mark = [&](size_t begin, size_t end, char c) {
    if (marks.size() < end)
      marks.resize(end, ' ');
    std::fill(marks.begin() + begin, marks.begin() + end, c);
  };
  auto underline = [&](SourceRange part) {
    if (part.file != range.file || part.end <= lineBegin || part.begin > lineBegin + line.size())
      return;
    size_t begin = part.begin > lineBegin ? part.begin - lineBegin : 0;
    mark(snippet.getCell(begin), snippet.getCell(std::min(part.end - lineBegin, line.size())), '~');
  };
  llvm::for_each(highlights, underline);
  underline(range);
  unsigned caret = snippet.getCell(at.column - 1);
  mark(caret, caret + 1, '^');
  if (color)
    os.changeColor(llvm::raw_ostream::GREEN, /*Bold=*/true);
  os << "  " << marks << '\n';
  if (color)
    os.resetColor();

  // What fix-its put on this line stands below the place where it goes.
  std::string insertions;
  for (const FixIt &fix : fixIts) {
    if (fix.range.file != range.file || fix.range.begin < lineBegin || fix.text.empty())
      continue;
    size_t begin = fix.range.begin - lineBegin;
    if (begin > line.size() || !snippet.contains(begin) || insertions.size() > snippet.getCell(begin))
      continue;
    insertions.resize(snippet.getCell(begin), ' ');
    insertions += makePrintable(fix.text);
  }
  if (!insertions.empty())
    os << "  " << insertions << '\n';
}

void TextDiagnosticPrinter::handle(const Diagnostic &diag, const SourceManager &sources) {
  const DiagInfo &info = getDiagInfo(diag.id);
  std::string suffix = " [" + info.id.str();
  if (!info.group.empty())
    suffix += (diag.promoted ? " -Werror=" : " -W") + info.group.str();
  suffix += ']';
  printMessage(getSeverityName(diag.severity), diag.severity == Severity::Error, diag.range, diag.message,
               suffix, sources);
  printSnippet(diag.range, diag.highlights, diag.fixIts, sources);
  for (const DiagNote &note : diag.notes) {
    // A note without a place is about the place of the diagnostic; the line is not shown again.
    printMessage("note", false, note.range.isValid() ? note.range : diag.range, note.message, "", sources);
    printSnippet(note.range, {}, {}, sources);
  }
}

void JsonDiagnosticPrinter::handle(const Diagnostic &diag, const SourceManager &sources) {
  const DiagInfo &info = getDiagInfo(diag.id);
  llvm::json::Object object = makePlace(diag.range, sources);
  object["id"] = info.id;
  object["severity"] = getSeverityName(diag.severity);
  if (!info.group.empty())
    object["group"] = info.group;
  object["message"] = llvm::json::fixUTF8(diag.message);
  llvm::json::Array notes;
  for (const DiagNote &note : diag.notes) {
    llvm::json::Object entry = makePlace(note.range, sources);
    entry["message"] = llvm::json::fixUTF8(note.message);
    notes.push_back(std::move(entry));
  }
  object["notes"] = std::move(notes);
  llvm::json::Array fixIts;
  for (const FixIt &fix : diag.fixIts)
    fixIts.push_back(llvm::json::Object{{"range", makePlace(fix.range, sources)},
                                        {"text", llvm::json::fixUTF8(fix.text)}});
  object["fixits"] = std::move(fixIts);
  os << llvm::json::Value(std::move(object)) << '\n';
}

} // namespace tilec
