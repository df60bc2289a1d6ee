//===- DiagnosticsTest.cpp - the table and the engine ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which diagnostics are said, as what, and how often.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace tilec;

namespace {

struct Fixture {
  SourceManager sources;
  CapturingDiagnosticConsumer consumer;
  DiagnosticEngine diags{sources, consumer};
  FileId file = sources.addText("a.tile", std::string(1000, 'x'));
  SourceRange at(uint32_t offset) const { return {file, offset, offset + 1}; }
};

/// The first row of the table that is an on-by-default warning.
DiagId findWarning() {
  for (auto [index, info] : llvm::enumerate(getAllDiagInfos()))
    if (info.defaultSeverity == Severity::Warning)
      return DiagId(index);
  ADD_FAILURE() << "the table has no warning";
  return DiagId();
}

TEST(DiagnosticTable, IdsAreUniqueSortedAndWellFormed) {
  llvm::StringSet<> names;
  llvm::StringRef last;
  for (const DiagInfo &info : getAllDiagInfos()) {
    ASSERT_EQ(info.id.size(), 8u) << info.id.str();
    EXPECT_TRUE(info.id.starts_with("TILE")) << info.id.str();
    EXPECT_TRUE(llvm::all_of(info.id.drop_front(4), llvm::isDigit)) << info.id.str();
    EXPECT_LT(last, info.id) << "rows are sorted by number";
    last = info.id;
    EXPECT_TRUE(names.insert(info.name).second) << info.name.str();
  }
}

TEST(DiagnosticTable, MessagesFollowTheStyle) {
  for (const DiagInfo &info : getAllDiagInfos()) {
    SCOPED_TRACE(info.id.str());
    EXPECT_FALSE(info.message.empty());
    EXPECT_FALSE(info.message.ends_with(".")) << "no full stop";
    EXPECT_EQ(info.group.empty(),
              info.defaultSeverity == Severity::Error || info.defaultSeverity == Severity::Remark)
        << "warnings, and only they, have a group";
    llvm::StringRef group = info.group;
    EXPECT_TRUE(llvm::all_of(group, [](char c) { return llvm::isLower(c) || llvm::isDigit(c) || c == '-'; }));
    EXPECT_FALSE(group.starts_with("no-") || group.starts_with("error"))
        << "-W options could not be told apart";
  }
}

TEST(DiagnosticTable, PlaceholdersAreContiguous) {
  for (const DiagInfo &info : getAllDiagInfos()) {
    SCOPED_TRACE(info.id.str());
    unsigned seen = 0;
    for (size_t i = 0; i + 1 < info.message.size(); ++i) {
      if (info.message[i] != '%')
        continue;
      char c = info.message[++i];
      if (c == 's')
        c = info.message[++i];
      if (c == '%')
        continue;
      ASSERT_TRUE(llvm::isDigit(c));
      seen |= 1u << (c - '0');
    }
    EXPECT_EQ(seen & (seen + 1), 0u) << "arguments are numbered from %0 without gaps";
  }
}

TEST(DiagnosticTable, FormatMessage) {
  EXPECT_EQ(formatMessage("%0 name%s0 for %1 extent%s1, 100%%", {DiagArg(1), DiagArg(2u)}),
            "1 name for 2 extents, 100%");
  EXPECT_EQ(formatMessage("'%1' before '%0'", {DiagArg("a"), DiagArg(std::string("b%0"))}),
            "'b%0' before 'a'");
  EXPECT_EQ(formatMessage("%0", {DiagArg(llvm::APInt(128, -5, true))}), "-5");
  EXPECT_EQ(formatMessage("%0", {DiagArg(uint64_t(-1))}), "18446744073709551615");
}

TEST(DiagnosticEngine, ReportsWhenTheBuilderDies) {
  Fixture f;
  {
    auto diag = f.diags.report(DiagId::UnexpectedCharacter, f.at(3), "@");
    diag.note("why").note(f.at(5), "where").fixIt(f.at(3), "a").highlight(f.at(9));
    EXPECT_TRUE(f.consumer.diags.empty());
  }
  ASSERT_EQ(f.consumer.diags.size(), 1u);
  const Diagnostic &diag = f.consumer.diags[0];
  EXPECT_EQ(diag.message, "unexpected character '@'");
  EXPECT_EQ(diag.range, f.at(3));
  ASSERT_EQ(diag.notes.size(), 2u);
  EXPECT_FALSE(diag.notes[0].range.isValid());
  EXPECT_EQ(diag.notes[1].range, f.at(5));
  EXPECT_EQ(diag.fixIts[0].text, "a");
  EXPECT_EQ(diag.highlights[0], f.at(9));
  EXPECT_EQ(f.diags.getErrorCount(), 1u);
}

TEST(DiagnosticEngine, SaysThingsOnce) {
  Fixture f;
  for (int i = 0; i < 3; ++i) {
    f.diags.report(DiagId::NulByte, f.at(1));
    f.diags.report(DiagId::NulByte, f.at(2));
    f.diags.report(DiagId::UnexpectedCharacter, f.at(1), "@");
    f.diags.report(DiagId::UnexpectedCharacter, f.at(1), "$");
  }
  EXPECT_EQ(f.consumer.diags.size(), 4u);
  EXPECT_EQ(f.diags.getErrorCount(), 4u);
}

TEST(DiagnosticEngine, ErrorLimit) { // TILE1001
  Fixture f;
  for (uint32_t i = 0; i < 50; ++i)
    f.diags.report(DiagId::NulByte, f.at(i));
  ASSERT_EQ(f.consumer.diags.size(), 21u);
  EXPECT_EQ(getDiagInfo(f.consumer.diags.back().id).id, "TILE1001");
  EXPECT_EQ(f.consumer.diags.back().message, "too many errors, stopping after 20");
  EXPECT_EQ(f.diags.getErrorCount(), 20u);
  EXPECT_TRUE(f.diags.isErrorLimitReached());
}

TEST(DiagnosticEngine, ErrorLimitIsNotReachedByAsManyErrors) {
  Fixture f;
  f.diags.setErrorLimit(3);
  for (uint32_t i = 0; i < 3; ++i)
    f.diags.report(DiagId::NulByte, f.at(i));
  EXPECT_EQ(f.consumer.diags.size(), 3u);
  EXPECT_FALSE(f.diags.isErrorLimitReached());
}

TEST(DiagnosticEngine, NoErrorLimit) {
  Fixture f;
  f.diags.setErrorLimit(0);
  for (uint32_t i = 0; i < 500; ++i)
    f.diags.report(DiagId::NulByte, f.at(i));
  EXPECT_EQ(f.consumer.diags.size(), 500u);
}

TEST(DiagnosticEngine, WarningOptions) {
  DiagId warning = findWarning();
  std::string group = getDiagInfo(warning).group.str();
  struct Row {
    std::vector<std::string> options;
    Severity expected;
  };
  const Row rows[] = {
      {{}, Severity::Warning},
      {{"error"}, Severity::Error},
      {{"error", "no-error"}, Severity::Warning},
      {{"error=" + group}, Severity::Error},
      {{"error", "no-error=" + group}, Severity::Warning},
      {{"no-error=" + group, "error"}, Severity::Warning},
      {{"no-" + group}, Severity::Ignored},
      {{"no-" + group, group}, Severity::Warning},
      {{"no-" + group, "error=" + group}, Severity::Error},
      {{"error=" + group, "no-" + group}, Severity::Ignored},
      {{"no-" + group, "error"}, Severity::Ignored},
  };
  for (const Row &row : rows) {
    Fixture f;
    std::string shown;
    for (const std::string &option : row.options) {
      EXPECT_TRUE(f.diags.setWarningOption(option));
      shown += "-W" + option + " ";
    }
    EXPECT_EQ(f.diags.getSeverity(warning), row.expected) << shown;
    EXPECT_EQ(f.diags.getSeverity(DiagId::NulByte), Severity::Error) << "errors have no options";
  }
}

TEST(DiagnosticEngine, UnknownWarningGroup) {
  Fixture f;
  std::string group = getDiagInfo(findWarning()).group.str();
  std::string typo = group.substr(1);
  EXPECT_FALSE(f.diags.setWarningOption(typo));
  EXPECT_FALSE(f.diags.setWarningOption("no-" + typo));
  EXPECT_FALSE(f.diags.setWarningOption("error=" + typo));
  EXPECT_FALSE(f.diags.setWarningOption(""));
  EXPECT_EQ(DiagnosticEngine::suggestWarningGroup("no-" + typo), group);
  EXPECT_EQ(DiagnosticEngine::suggestWarningGroup("qqqqqqqqqqqqqqqq"), "");
}

} // namespace
