//===- SourceManager.h - source texts and positions in them --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owns the text of every source file of a compilation. A position is a file number and a byte offset; lines
// and columns are computed only when something is printed. Texts never move, so tokens and AST nodes may keep
// StringRefs into them for as long as the SourceManager lives.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_SUPPORT_SOURCEMANAGER_H
#define TILEC_SUPPORT_SOURCEMANAGER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace tilec {

class DiagnosticEngine;

/// Number of a source file in its SourceManager, from 1. 0 is no file.
using FileId = uint32_t;

/// A byte position in a source file. A default-constructed one is "nowhere".
struct SourceLoc {
  FileId file = 0;
  uint32_t offset = 0;

  bool isValid() const { return file != 0; }
  bool operator==(const SourceLoc &) const = default;
};

/// The bytes [begin, end) of one source file. Empty ranges are points (an insertion, the end of the file).
struct SourceRange {
  FileId file = 0;
  uint32_t begin = 0;
  uint32_t end = 0;

  SourceRange() = default;
  SourceRange(FileId file, uint32_t begin, uint32_t end) : file(file), begin(begin), end(end) {}
  explicit SourceRange(SourceLoc loc) : file(loc.file), begin(loc.offset), end(loc.offset) {}

  bool isValid() const { return file != 0; }
  SourceLoc getBegin() const { return {file, begin}; }
  SourceLoc getEnd() const { return {file, end}; }
  /// The empty ranges just before and just after this one: where a fix-it inserts.
  SourceRange atBegin() const { return {file, begin, begin}; }
  SourceRange atEnd() const { return {file, end, end}; }
  /// From the beginning of this range to the end of `last`, both of the same file. An invalid side is
  /// ignored.
  SourceRange through(SourceRange last) const;
  bool operator==(const SourceRange &) const = default;
};

/// A position as people read it. Both count from 1; columns count bytes.
struct LineColumn {
  unsigned line = 0;
  unsigned column = 0;
  bool operator==(const LineColumn &) const = default;
};

class SourceManager {
public:
  /// The largest source file that is accepted, in bytes (offsets are 32 bits wide, and nobody writes more).
  static constexpr uint64_t maxFileBytes = 16u << 20;

  /// Adds a text under a name that diagnostics show. A byte-order mark in front is dropped, and columns of
  /// the first line count from behind it. The text must not be longer than maxFileBytes.
  FileId addText(llvm::StringRef name, llvm::StringRef text);

  /// Reads a file ("-" is standard input, shown as <stdin>). Answers 0 after an error (unreadable, a folder,
  /// too large), reported at `importedAt` or, where that is invalid, without a location. Every call reads
  /// anew; whoever resolves imports compares getUniqueId.
  FileId loadFile(llvm::StringRef path, DiagnosticEngine &diags, SourceRange importedAt = {});

  unsigned getFileCount() const { return files.size(); }
  llvm::StringRef getName(FileId file) const { return get(file).name; }
  llvm::StringRef getText(FileId file) const { return get(file).text; }
  /// The name that goes into outputs, which must not depend on where the sources lie or how the command line
  /// spelt them: relative to the folder of the first file, or without any folder; characters that PTX cannot
  /// quote become '_'.
  std::string getPortableName(FileId file) const;
  /// Device and inode, for files that loadFile read from a disk.
  std::optional<llvm::sys::fs::UniqueID> getUniqueId(FileId file) const { return get(file).uniqueId; }

  LineColumn getLineColumn(SourceLoc loc) const;
  unsigned getLineCount(FileId file) const { return get(file).lineStarts.size(); }
  /// Line `line` (from 1) without its line feed and the CR before it.
  llvm::StringRef getLine(FileId file, unsigned line) const;
  /// The bytes of a range.
  llvm::StringRef getText(SourceRange range) const;

private:
  struct File {
    std::string name;
    std::string text;
    std::vector<uint32_t> lineStarts;
    std::optional<llvm::sys::fs::UniqueID> uniqueId;
  };
  const File &get(FileId file) const;

  std::deque<File> files; // a deque: texts must not move
};

} // namespace tilec

#endif // TILEC_SUPPORT_SOURCEMANAGER_H
