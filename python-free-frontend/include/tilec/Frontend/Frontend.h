//===- Frontend.h - what the compiler calls of the front end ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to syntax tree. The rest of the front end (imports, names, types, instances) starts from the File.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_FRONTEND_FRONTEND_H
#define TILEC_FRONTEND_FRONTEND_H

#include "tilec/Frontend/AST.h"
#include "tilec/Support/Diagnostics.h"
#include "tilec/Support/SourceManager.h"

namespace tilec::frontend {

/// Reads and parses a file. Null if it cannot be read (reported, at `importedAt` where that is valid);
/// otherwise a tree, with File::hasErrors if anything in it was reported as an error.
std::unique_ptr<ast::File> parseFile(SourceManager &sources, llvm::StringRef path, DiagnosticEngine &diags,
                                     SourceRange importedAt = {});

/// Parses a file that `sources` holds already.
std::unique_ptr<ast::File> parseFile(const SourceManager &sources, FileId file, DiagnosticEngine &diags);

/// One token a line: its range as line:col-line:col, kind, spelling. Lexical errors are reported.
void dumpTokens(const SourceManager &sources, FileId file, DiagnosticEngine &diags, llvm::raw_ostream &os);

/// An indented tree, one node a line with its range.
void dumpAst(const ast::File &file, const SourceManager &sources, llvm::raw_ostream &os);

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_FRONTEND_H
