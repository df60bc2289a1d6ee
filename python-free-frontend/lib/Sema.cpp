//===- Sema.cpp - from a file's text to checked kernel instances ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the work: parse everything, declare names, evaluate constants and check fns, then instances:
// entry points, checks, benches, tuning spaces; at last the kernels that nothing used.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

namespace tilec::frontend {

namespace sema {

std::unique_ptr<hir::Program> Analyzer::run(FileId mainFile) {
  std::vector<FileContext *> stack;
  mainContext = loadFile(mainFile, stack);
  for (const auto &file : files)
    if (file->file->hasErrors())
      return nullptr; // what did not parse would cascade
  parseDefines();
  for (const auto &file : files)
    for (const ast::Decl *decl : file->file->getDecls())
      if (auto *constant = llvm::dyn_cast<ast::Constant>(decl))
        constantValue(constant, *file);
  checkFunctions();
  checkDefinesUsed();
  instantiateEntries();
  if (options.instantiateAllForChecks) {
    checkChecks();
    reportUnusedReplacements();
    checkBenches();
  }
  checkTunes();
  checkUnusedKernels();
  warnUnusedTiles();
  return diags.hasErrors() ? nullptr : std::move(program);
}

} // namespace sema

std::unique_ptr<hir::Program> analyze(SourceManager &sources, FileId mainFile, const SemaOptions &options,
                                      DiagnosticEngine &diags) {
  return sema::Analyzer(sources, options, diags).run(mainFile);
}

std::unique_ptr<hir::Program> analyze(SourceManager &sources, llvm::StringRef mainFile,
                                      const SemaOptions &options, DiagnosticEngine &diags) {
  FileId file = sources.loadFile(mainFile, diags);
  return file ? analyze(sources, file, options, diags) : nullptr;
}

} // namespace tilec::frontend
