//===- SourceManager.cpp - source texts and positions in them --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading is bounded: a device or a pipe that never ends is refused after maxFileBytes like a large file.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/SourceManager.h"
#include "tilec/Support/Diagnostics.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cassert>
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace tilec {

SourceRange SourceRange::through(SourceRange last) const {
  if (!isValid())
    return last;
  if (!last.isValid())
    return *this;
  assert(file == last.file && "a range lies in one file");
  return {file, std::min(begin, last.begin), std::max(end, last.end)};
}

const SourceManager::File &SourceManager::get(FileId file) const {
  assert(file != 0 && file <= files.size() && "no such source file");
  return files[file - 1];
}

FileId SourceManager::addText(llvm::StringRef name, llvm::StringRef text) {
  assert(text.size() <= maxFileBytes && "the caller checks the size");
  text.consume_front("\xEF\xBB\xBF");
  File &file = files.emplace_back();
  file.name = name.str();
  file.text = text.str();
  file.lineStarts.push_back(0);
  for (size_t at = text.find('\n'); at != llvm::StringRef::npos; at = text.find('\n', at + 1))
    file.lineStarts.push_back(at + 1);
  return files.size();
}

FileId SourceManager::loadFile(llvm::StringRef path, DiagnosticEngine &diags, SourceRange importedAt) {
  namespace fs = llvm::sys::fs;
  bool isStdin = path == "-";
  llvm::StringRef shown = isStdin ? llvm::StringRef("<stdin>") : path;
  auto fail = [&](std::error_code error) -> FileId {
    diags.report(DiagId::CannotReadFile, importedAt, shown, llvm::StringRef(error.message()).lower());
    return 0;
  };

  fs::file_t handle = fs::getStdinHandle();
  std::optional<fs::UniqueID> uniqueId;
  if (!isStdin) {
    if (path.contains('\0')) // the system would open what stands before it
      return fail(std::make_error_code(std::errc::invalid_argument));
    llvm::Expected<fs::file_t> opened = fs::openNativeFileForRead(path);
    if (!opened)
      return fail(llvm::errorToErrorCode(opened.takeError()));
    handle = *opened;
  }

  auto read = [&]() -> FileId {
    fs::file_status status;
    if (!isStdin) {
      if (std::error_code error = fs::status(handle, status))
        return fail(error);
      if (status.type() == fs::file_type::directory_file)
        return fail(std::make_error_code(std::errc::is_a_directory));
      uniqueId = status.getUniqueID();
    }
    std::string text;
    constexpr size_t chunkBytes = 64 << 10;
    while (true) {
      size_t old = text.size();
      text.resize(old + chunkBytes);
      llvm::Expected<size_t> count = fs::readNativeFile(handle, {text.data() + old, chunkBytes});
      if (!count)
        return fail(llvm::errorToErrorCode(count.takeError()));
      text.resize(old + *count);
      if (*count == 0)
        break;
      if (text.size() > maxFileBytes) {
        diags.report(DiagId::FileTooLarge, importedAt, shown, maxFileBytes);
        return 0;
      }
    }
    FileId file = addText(shown, text);
    files.back().uniqueId = uniqueId;
    return file;
  };
  FileId file = read();
  if (!isStdin)
    fs::closeFile(handle);
  return file;
}

std::string SourceManager::getPortableName(FileId file) const {
  llvm::StringRef name = get(file).name;
  llvm::StringRef folder = llvm::sys::path::parent_path(get(1).name);
  llvm::StringRef rest = name;
  if (!folder.empty() && rest.consume_front(folder) && rest.consume_front("/") && !rest.starts_with("."))
    name = rest;
  else if (folder.empty() ? name.starts_with("/") || name.starts_with(".") : true)
    name = llvm::sys::path::filename(name);
  std::string portable = name.str();
  for (char &c : portable)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '_';
  return llvm::json::fixUTF8(portable);
}

LineColumn SourceManager::getLineColumn(SourceLoc loc) const {
  const File &file = get(loc.file);
  auto after = std::upper_bound(file.lineStarts.begin(), file.lineStarts.end(), loc.offset);
  return {unsigned(after - file.lineStarts.begin()), loc.offset - *std::prev(after) + 1};
}

llvm::StringRef SourceManager::getLine(FileId file, unsigned line) const {
  const File &source = get(file);
  assert(line >= 1 && line <= source.lineStarts.size() && "no such line");
  llvm::StringRef rest = llvm::StringRef(source.text).substr(source.lineStarts[line - 1]);
  return rest.take_until([](char c) { return c == '\n'; }).rtrim('\r');
}

llvm::StringRef SourceManager::getText(SourceRange range) const {
  return getText(range.file).slice(range.begin, range.end);
}

} // namespace tilec
