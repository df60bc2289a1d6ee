//===- MlirDiagnostics.cpp - MLIR's diagnostics as ours -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations of operations name a file, a line and a column; the SourceManager has that file, because the
// importer (or the MLIR reader) made the locations from it.
//
//===----------------------------------------------------------------------===//
#include "MlirDiagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

namespace tilec {
namespace {

/// The first file position in a location, its call chain appended to `callers`.
mlir::FileLineColLoc filePosition(mlir::Location loc, llvm::SmallVectorImpl<mlir::Location> &callers) {
  if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(loc))
    return file;
  if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(loc)) {
    callers.push_back(call.getCaller());
    return filePosition(call.getCallee(), callers);
  }
  if (auto name = mlir::dyn_cast<mlir::NameLoc>(loc))
    return filePosition(name.getChildLoc(), callers);
  if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc))
    for (mlir::Location part : fused.getLocations())
      if (mlir::FileLineColLoc found = filePosition(part, callers))
        return found;
  return {};
}

SourceRange rangeOf(mlir::FileLineColLoc loc, const SourceManager &sources) {
  return loc ? tilec::rangeOf(loc.getFilename().getValue(), loc.getLine(), loc.getColumn(), sources)
             : SourceRange();
}

} // namespace

SourceRange rangeOf(llvm::StringRef name, unsigned line, unsigned column, const SourceManager &sources) {
  for (FileId file = 1; file <= sources.getFileCount(); ++file) {
    if (sources.getPortableName(file) != name || line == 0 || line > sources.getLineCount(file))
      continue;
    llvm::StringRef text = sources.getLine(file, line);
    size_t offset = std::min<size_t>(column ? column - 1 : 0, text.size());
    llvm::StringRef word =
        text.drop_front(offset).take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    uint32_t begin = text.data() - sources.getText(file).data() + offset;
    return {file, begin, begin + static_cast<uint32_t>(word.size())};
  }
  return {};
}

SourceRange rangeOf(mlir::Location loc, const SourceManager &sources) {
  llvm::SmallVector<mlir::Location> callers;
  return rangeOf(filePosition(loc, callers), sources);
}

std::string plainMlirText(std::string text) {
  llvm::StringRef rest(text);
  if (rest.starts_with("failed to parse Tile_"))
    return "";
  // "expected ::tilec::tile::Swizzle to be one of: none, sw32"
  if (rest.consume_front("expected ::tilec::"))
    if (size_t at = rest.find(" to be one of:"); at != llvm::StringRef::npos)
      return "expected " + rest.drop_front(at + strlen(" to be ")).str();
  if (rest.consume_front("duplicate or unknown struct parameter name: "))
    return "'" + rest.str() + "' is unknown here, or was given before";
  if (rest.starts_with("unbalanced '") && rest.ends_with("' character in pretty dialect name"))
    return "the '" + rest.substr(strlen("unbalanced '"), 1).str() + "' has no partner";
  return text;
}

MlirDiagnosticHandler::MlirDiagnosticHandler(mlir::MLIRContext &context, DiagnosticEngine &diags,
                                             std::mutex &lock)
    : diags(diags), lock(lock), scope(&context, [this](mlir::Diagnostic &diag) { handle(diag); }) {}

/// The errors of passes that have rows of their own: their text begins as the row does.
static constexpr DiagId kPassErrors[] = {DiagId::NotSupportedYet, DiagId::NotEnoughShared};

void MlirDiagnosticHandler::handle(mlir::Diagnostic &diag) {
  DiagId id;
  std::string text = diag.str();
  switch (diag.getSeverity()) {
  case mlir::DiagnosticSeverity::Error:
    id = DiagId::BackEndError;
    text = plainMlirText(std::move(text));
    if (text.empty())
      return;
    for (DiagId row : kPassErrors)
      if (llvm::StringRef rest(text); rest.consume_front(getDiagInfo(row).message.drop_back(2))) {
        id = row;
        text = rest.str();
        break;
      }
    break;
  case mlir::DiagnosticSeverity::Warning:
    id = DiagId::BackEndWarning;
    break;
  case mlir::DiagnosticSeverity::Remark: // collected by the remark engine
  case mlir::DiagnosticSeverity::Note:   // attached to others
    return;
  }
  std::lock_guard<std::mutex> guard(lock);
  const SourceManager &sources = diags.getSources();
  llvm::SmallVector<mlir::Location> callers;
  mlir::FileLineColLoc position = filePosition(diag.getLocation(), callers);
  SourceRange range = rangeOf(position, sources);
  bool elsewhere = !range.isValid() && sources.getFileCount() != 0;
  if (elsewhere) // MLIR text that names the file it was made from, or nothing
    range = SourceRange(1, 0, 0);
  DiagnosticBuilder builder = diags.report(id, range, text);
  if (elsewhere && position)
    builder.note(SourceRange(), "the operation comes from " + position.getFilename().str() + ":" +
                                    std::to_string(position.getLine()) + ":" +
                                    std::to_string(position.getColumn()));
  constexpr size_t maxCallers = 16;
  for (size_t i = 0; i < std::min(callers.size(), maxCallers);
       ++i) // filePosition appends the callers of callers
    builder.note(rangeOf(filePosition(callers[i], callers), sources), "inlined here");
  for (mlir::Diagnostic &note : diag.getNotes())
    builder.note(rangeOf(note.getLocation(), sources), note.str());
}

} // namespace tilec
