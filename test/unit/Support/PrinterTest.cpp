//===- PrinterTest.cpp - diagnostics as text and JSON ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user sees, to the letter.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tilec;

namespace {

/// Reports through a printer into a string.
template <typename Printer> struct Printed {
  template <typename... Args>
  explicit Printed(llvm::StringRef text, Args &&...args)
      : os(out), printer(os, std::forward<Args>(args)...), file(sources.addText("a.tile", text)) {}

  SourceRange at(llvm::StringRef part) {
    size_t begin = sources.getText(file).find(part);
    EXPECT_NE(begin, llvm::StringRef::npos);
    return {file, uint32_t(begin), uint32_t(begin + part.size())};
  }

  std::string out;
  llvm::raw_string_ostream os;
  Printer printer;
  SourceManager sources;
  DiagnosticEngine diags{sources, printer};
  FileId file;
};
using Text = Printed<TextDiagnosticPrinter>;
using Json = Printed<JsonDiagnosticPrinter>;

TEST(TextPrinter, CaretRangeNotesAndFixIts) {
  Text t("let a = b;\nlet c = foo + 1;\n", false);
  t.diags.report(DiagId::UnexpectedCharacter, t.at("foo"), "x")
      .highlight(t.at("1"))
      .note(t.at("b"), "see here")
      .note("no place")
      .fixIt(t.at("foo"), "bar");
  EXPECT_EQ(t.out, "a.tile:2:9: error: unexpected character 'x' [TILE0112]\n"
                   "  let c = foo + 1;\n"
                   "          ^~~   ~\n"
                   "          bar\n"
                   "a.tile:1:9: note: see here\n"
                   "  let a = b;\n"
                   "          ^\n"
                   "a.tile:2:9: note: no place\n");
}

TEST(TextPrinter, WithoutLocation) {
  Text t("", false);
  t.diags.reportWithoutLocation(DiagId::CannotReadFile, "x", "y");
  EXPECT_EQ(t.out, "tilec: error: cannot read 'x': y [TILE1002]\n");
}

TEST(TextPrinter, SeveralLines) {
  Text t("a (b\nc) d\n", false);
  t.diags.report(DiagId::NulByte, t.at("(b\nc)"));
  EXPECT_EQ(t.out, "a.tile:1:3: error: NUL byte in the source text [TILE0101]\n"
                   "  a (b\n"
                   "    ^~\n");
}

TEST(TextPrinter, EndOfFile) {
  Text t("abc\n", false);
  t.diags.report(DiagId::NulByte, SourceRange(t.file, 4, 4));
  EXPECT_EQ(t.out, "a.tile:2:1: error: NUL byte in the source text [TILE0101]\n"
                   "  \n"
                   "  ^\n");
}

TEST(TextPrinter, TabsAndWideCharactersKeepTheCaretInPlace) {
  Text t("\tx\xE4\xBD\xA0 = @;\n", false); // one character of two cells
  t.diags.report(DiagId::NulByte, t.at("@"));
  EXPECT_EQ(t.out, "a.tile:1:9: error: NUL byte in the source text [TILE0101]\n"
                   "      x\xE4\xBD\xA0 = @;\n"
                   "            ^\n");
}

TEST(TextPrinter, ControlCharactersAndBadBytesAreEscaped) {
  Text t(llvm::StringRef("a\x1B[31m\xFF\0b @\n", 12), false);
  t.diags.report(DiagId::UnexpectedCharacter, t.at("@"), "\x1B[0m");
  EXPECT_EQ(t.out, "a.tile:1:11: error: unexpected character '<1B>[0m' [TILE0112]\n"
                   "  a<1B>[31m<FF><00>b @\n"
                   "                     ^\n");
}

TEST(TextPrinter, LongLinesAreCut) {
  std::string text(100000, 'y');
  text[50000] = '@';
  Text t(text, false);
  t.diags.report(DiagId::NulByte, t.at("@"));
  EXPECT_TRUE(llvm::StringRef(t.out).starts_with("a.tile:1:50001: error: "));
  EXPECT_LT(t.out.size(), 400u);
  auto [line, marks] = llvm::StringRef(t.out).split('\n').second.split('\n');
  EXPECT_EQ(line.find('@'), marks.find('^'));
  EXPECT_TRUE(line.starts_with("  ...y") && line.ends_with("y..."));
}

TEST(TextPrinter, LongRangesAreCut) {
  std::string text(100000, 'y');
  Text t(text, false);
  t.diags.report(DiagId::NulByte, SourceRange(t.file, 10, 90000));
  EXPECT_LT(t.out.size(), 400u);
}

TEST(TextPrinter, CutsBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "\xC3\xA9";
  for (uint32_t offset : {200u, 201u, 500u, 1999u}) {
    Text t(text, false);
    t.diags.report(DiagId::NulByte, SourceRange(t.file, offset, offset));
    EXPECT_EQ(t.out.find('<'), std::string::npos) << "half a character was shown";
  }
}

TEST(TextPrinter, Colour) {
  Text t("x", true);
  t.os.enable_colors(true);
  t.diags.report(DiagId::NulByte, t.at("x"));
  EXPECT_NE(t.out.find("\x1B["), std::string::npos);
}

TEST(TextPrinter, WarningsNameTheirOption) {
  for (size_t i = 0; i < getAllDiagInfos().size(); ++i) {
    const DiagInfo &info = getAllDiagInfos()[i];
    if (info.defaultSeverity != Severity::Warning)
      continue;
    for (bool werror : {false, true}) {
      Text t("x", false);
      if (werror)
        t.diags.setWarningOption("error");
      t.diags.report(DiagId(i), t.at("x"), "a", "b", "c", "d", "e", "f");
      EXPECT_NE(t.out.find(werror ? ": error: " : ": warning: "), std::string::npos);
      EXPECT_NE(t.out.find(" [" + info.id.str() + (werror ? " -Werror=" : " -W") + info.group.str() + "]\n"),
                std::string::npos)
          << t.out;
    }
  }
}

TEST(JsonPrinter, OneObjectALine) {
  Json j("let a = b;\nlet c = foo;\n");
  j.diags.report(DiagId::UnexpectedCharacter, j.at("foo"), "\xFF\"")
      .note(j.at("b"), "see here")
      .note("no place")
      .fixIt(j.at("foo").atEnd(), "bar");
  j.diags.reportWithoutLocation(DiagId::CannotReadFile, "x", "y");
  auto [first, rest] = llvm::StringRef(j.out).split('\n');
  auto parsed = llvm::json::parse(first);
  ASSERT_TRUE(bool(parsed));
  auto expected = llvm::json::parse(R"({
    "id": "TILE0112", "severity": "error", "file": "a.tile", "line": 2, "col": 9, "end": {"line": 2, "col": 12},
    "message": "unexpected character '\uFFFD\"'",
    "notes": [{"file": "a.tile", "line": 1, "col": 9, "end": {"line": 1, "col": 10}, "message": "see here"},
              {"message": "no place"}],
    "fixits": [{"range": {"file": "a.tile", "line": 2, "col": 12, "end": {"line": 2, "col": 12}}, "text": "bar"}]})");
  ASSERT_TRUE(bool(expected));
  EXPECT_EQ(*parsed, *expected);
  auto second = llvm::json::parse(rest.trim());
  ASSERT_TRUE(bool(second));
  EXPECT_EQ(second->getAsObject()->getString("id"), "TILE1002");
  EXPECT_EQ(second->getAsObject()->get("file"), nullptr);
}

} // namespace
