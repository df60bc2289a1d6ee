//===- ParseTestUtil.h - parsing snippets in tests -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text in, reports or a dump out.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_UNIT_FRONTEND_PARSETESTUTIL_H
#define TILEC_TEST_UNIT_FRONTEND_PARSETESTUTIL_H

#include "tilec/Frontend/Frontend.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <map>

namespace tilec::frontend {

/// A parsed text with what was reported about it.
struct Parsed {
  explicit Parsed(llvm::StringRef text, unsigned errorLimit = 20) {
    diags.setErrorLimit(errorLimit);
    id = sources.addText("t.tile", text);
    file = parseFile(sources, id, diags);
  }

  /// "TILE0202 1:7 expected ';' after …", one a line.
  std::string getReports() const {
    std::string out;
    llvm::raw_string_ostream os(out);
    for (const Diagnostic &diag : consumer.diags) {
      os << getDiagInfo(diag.id).id << ' ';
      if (diag.range.isValid()) {
        LineColumn at = sources.getLineColumn(diag.range.getBegin());
        os << at.line << ':' << at.column << ' ';
      }
      os << diag.message << '\n';
    }
    return out;
  }

  /// The text with every fix-it of the reports applied, from the back.
  std::string applyFixIts() const {
    std::multimap<uint32_t, FixIt, std::greater<>> fixes;
    for (const Diagnostic &diag : consumer.diags)
      for (const FixIt &fix : diag.fixIts)
        fixes.insert({fix.range.begin, fix});
    std::string text = sources.getText(id).str();
    for (const auto &[begin, fix] : fixes)
      text.replace(begin, fix.range.end - begin, fix.text);
    return text;
  }

  std::string dump() const {
    std::string out;
    llvm::raw_string_ostream os(out);
    dumpAst(*file, sources, os);
    return out;
  }

  SourceManager sources;
  CapturingDiagnosticConsumer consumer;
  DiagnosticEngine diags{sources, consumer};
  FileId id;
  std::unique_ptr<ast::File> file;
};

/// A kernel round statements.
inline std::string inBody(llvm::StringRef statements) {
  return ("kernel k(A: f32[N]) { grid(N, threads = 32) as (x) {\n" + statements + "\n}}").str();
}

} // namespace tilec::frontend

#endif // TILEC_TEST_UNIT_FRONTEND_PARSETESTUTIL_H
