//===- SemaImports.cpp - imported files --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file sees its own names and the consts and fns of what it imports, directly or not. Every file is read
// once, whatever paths lead to it.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tilec::frontend::sema {

namespace {
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The first place where the imported file exists, or empty.
std::string findImport(llvm::StringRef name, llvm::StringRef importer,
                       const std::vector<std::string> &includePaths, std::vector<std::string> &tried) {
  if (path::is_absolute(name)) {
    tried.push_back(name.str());
    return fs::exists(name) ? name.str() : "";
  }
  std::vector<std::string> folders;
  folders.push_back(importer == "<stdin>" ? "" : path::parent_path(importer).str());
  folders.insert(folders.end(), includePaths.begin(), includePaths.end());
  for (const std::string &folder : folders) {
    llvm::SmallString<256> candidate(folder);
    path::append(candidate, name);
    tried.push_back(candidate.str().str());
    if (fs::exists(candidate))
      return candidate.str().str();
  }
  return "";
}
} // namespace

FileContext *Analyzer::loadFile(FileId id, std::vector<FileContext *> &stack) {
  auto owned = std::make_unique<FileContext>();
  FileContext *context = owned.get();
  files.push_back(std::move(owned));
  context->path = sources.getName(id).str();
  context->file = parseFile(sources, id, diags);
  program->files.push_back(context->path);
  declareNames(*context);
  stack.push_back(context);
  for (const ast::Decl *decl : context->file->getDecls()) {
    auto *import = llvm::dyn_cast<ast::Import>(decl);
    if (!import)
      continue;
    std::vector<std::string> tried;
    std::string found = findImport(import->getPath(), context->path, options.includePaths, tried);
    if (found.empty()) {
      auto diag = error(DiagId::MissingImport, import->getPathRange(), {DiagArg(import->getPath())});
      for (const std::string &place : tried)
        diag.note("tried '" + place + "'");
      continue;
    }
    fs::UniqueID unique;
    FileContext *imported = nullptr;
    if (!fs::getUniqueID(found, unique))
      for (const auto &other : files)
        if (auto otherId = sources.getUniqueId(other->file ? other->file->getId() : id);
            otherId && *otherId == unique)
          imported = other.get();
    if (imported && llvm::is_contained(stack, imported)) {
      auto diag = error(DiagId::ImportCycle, import->getPathRange(), {DiagArg(import->getPath())});
      for (auto it = llvm::find(stack, imported); it != stack.end(); ++it)
        diag.note("'" + (*it)->path + "' is being imported");
      continue;
    }
    if (!imported) {
      constexpr size_t kMaxDepth = 256;
      if (stack.size() >= kMaxDepth) {
        error(DiagId::ImportDepth, import->getPathRange(), {DiagArg(kMaxDepth)});
        continue;
      }
      FileId importedId = sources.loadFile(found, diags, import->getPathRange());
      if (!importedId)
        continue;
      imported = loadFile(importedId, stack);
    }
    for (const auto &entry : imported->names) {
      if (llvm::isa<ast::Kernel>(entry.second.decl))
        continue;
      FileName name = entry.second;
      name.imported = true;
      auto [it, inserted] = context->names.try_emplace(entry.first(), name);
      if (inserted || it->second.decl == name.decl)
        continue;
      // Point into this file: at its own declaration, else at the import that brings the second one.
      SourceRange range = it->second.imported ? import->getPathRange() : it->second.range;
      error(DiagId::DuplicateName, range, {DiagArg(entry.first())})
          .note(name.range, "'" + entry.first() + "' is declared here")
          .note(it->second.imported ? it->second.range : import->getPathRange(),
                it->second.imported ? "and here" : "and brought in by this import");
    }
  }
  stack.pop_back();
  return context;
}

} // namespace tilec::frontend::sema
