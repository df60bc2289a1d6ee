//===- SourceManagerTest.cpp - loading files, lines and columns ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions and the limits of what counts as a source file.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/SourceManager.h"
#include "tilec/Support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tilec;

namespace {

/// A folder that goes away with the test.
class TempDir {
public:
  TempDir() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("tilec-test", path)); }
  ~TempDir() { llvm::sys::fs::remove_directories(path); }
  std::string write(llvm::StringRef name, llvm::StringRef text) {
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << text;
    EXPECT_FALSE(error);
    return file.str().str();
  }
  std::string getPath() const { return path.str().str(); }

private:
  llvm::SmallString<128> path;
};

struct Fixture {
  SourceManager sources;
  CapturingDiagnosticConsumer consumer;
  DiagnosticEngine diags{sources, consumer};
  std::string only() {
    if (consumer.diags.size() != 1)
      return std::to_string(consumer.diags.size()) + " diagnostics";
    return getDiagInfo(consumer.diags[0].id).id.str() + " " + consumer.diags[0].message;
  }
};

TEST(SourceManager, LinesAndColumnsCountBytesFromOne) {
  SourceManager sources;
  FileId file = sources.addText("a.tile", "ab\n\nx\xC3\xA9y\r\nlast");
  EXPECT_EQ(sources.getLineColumn({file, 0}), (LineColumn{1, 1}));
  EXPECT_EQ(sources.getLineColumn({file, 2}), (LineColumn{1, 3}));
  EXPECT_EQ(sources.getLineColumn({file, 3}), (LineColumn{2, 1}));
  EXPECT_EQ(sources.getLineColumn({file, 7}), (LineColumn{3, 4}));
  EXPECT_EQ(sources.getLineColumn({file, 14}), (LineColumn{4, 5}));
  EXPECT_EQ(sources.getLineCount(file), 4u);
  EXPECT_EQ(sources.getLine(file, 1), "ab");
  EXPECT_EQ(sources.getLine(file, 2), "");
  EXPECT_EQ(sources.getLine(file, 3), "x\xC3\xA9y");
  EXPECT_EQ(sources.getLine(file, 4), "last");
}

TEST(SourceManager, ByteOrderMarkIsDropped) {
  SourceManager sources;
  FileId file = sources.addText("a.tile", "\xEF\xBB\xBFkernel");
  EXPECT_EQ(sources.getText(file), "kernel");
}

TEST(SourceManager, TextsDoNotMove) {
  SourceManager sources;
  llvm::StringRef first = sources.getText(sources.addText("a", "short"));
  for (int i = 0; i < 100; ++i)
    sources.addText("b", "more");
  EXPECT_EQ(first, "short");
}

TEST(SourceManager, Ranges) {
  SourceRange a(1, 4, 6), b(1, 10, 12);
  EXPECT_EQ(a.through(b), SourceRange(1, 4, 12));
  EXPECT_EQ(a.through(SourceRange()), a);
  EXPECT_EQ(SourceRange().through(b), b);
  EXPECT_EQ(a.atEnd(), SourceRange(1, 6, 6));
  EXPECT_FALSE(SourceRange().isValid());
}

TEST(SourceManager, LoadsFilesAndTellsThemApart) {
  TempDir dir;
  Fixture f;
  std::string path = dir.write("a.tile", "const A = 1;");
  FileId first = f.sources.loadFile(path, f.diags), again = f.sources.loadFile(path, f.diags);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(f.sources.getText(first), "const A = 1;");
  EXPECT_EQ(f.sources.getName(first), path);
  EXPECT_EQ(*f.sources.getUniqueId(first), *f.sources.getUniqueId(again));
  EXPECT_NE(*f.sources.getUniqueId(first),
            *f.sources.getUniqueId(f.sources.loadFile(dir.write("b.tile", "const A = 1;"), f.diags)));
  EXPECT_TRUE(f.consumer.diags.empty());
}

TEST(SourceManager, UnreadableFiles) { // TILE1002
  TempDir dir;
  Fixture missing;
  EXPECT_EQ(missing.sources.loadFile(dir.getPath() + "/none.tile", missing.diags), 0u);
  EXPECT_EQ(missing.only(),
            "TILE1002 cannot read '" + dir.getPath() + "/none.tile': no such file or directory");

  Fixture folder;
  EXPECT_EQ(folder.sources.loadFile(dir.getPath(), folder.diags), 0u);
  EXPECT_EQ(folder.only(), "TILE1002 cannot read '" + dir.getPath() + "': is a directory");

  Fixture nul;
  EXPECT_EQ(nul.sources.loadFile(llvm::StringRef("a\0b", 3), nul.diags), 0u);
  EXPECT_TRUE(llvm::StringRef(nul.only()).starts_with("TILE1002"));
}

TEST(SourceManager, LimitOfFileSize) { // TILE1003
  TempDir dir;
  Fixture f;
  std::string text(SourceManager::maxFileBytes, ' ');
  EXPECT_NE(f.sources.loadFile(dir.write("max.tile", text), f.diags), 0u);
  EXPECT_TRUE(f.consumer.diags.empty());
  std::string path = dir.write("more.tile", text + ' ');
  EXPECT_EQ(f.sources.loadFile(path, f.diags), 0u);
  EXPECT_EQ(f.only(), "TILE1003 '" + path + "' is larger than 16777216 bytes, the limit for a source file");
}

TEST(SourceManager, EndlessDevicesAreRefused) { // TILE1003
  Fixture f;
  EXPECT_EQ(f.sources.loadFile("/dev/zero", f.diags), 0u);
  EXPECT_TRUE(llvm::StringRef(f.only()).starts_with("TILE1003 '/dev/zero' is larger"));
}

TEST(SourceManager, ErrorsStandAtTheImport) {
  Fixture f;
  FileId file = f.sources.addText("a.tile", "import \"none.tile\";");
  f.sources.loadFile("/nonexistent/none.tile", f.diags, {file, 7, 18});
  ASSERT_EQ(f.consumer.diags.size(), 1u);
  EXPECT_EQ(f.consumer.diags[0].range, SourceRange(file, 7, 18));
}

} // namespace
