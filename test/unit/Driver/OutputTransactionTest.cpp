//===- OutputTransactionTest.cpp - all files or none ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every failure leaves the old files as they were and no temporary behind.
//
//===----------------------------------------------------------------------===//
#include "tilec/Driver/OutputTransaction.h"

#include "tilec/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilec {
namespace {

class OutputTransactionTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilec-transaction", path));
    folder = path.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string file(llvm::StringRef name) { return folder + "/" + name.str(); }
  std::string read(llvm::StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(file(name));
    return buffer ? (*buffer)->getBuffer().str() : "(none)";
  }
  void write(llvm::StringRef name, llvm::StringRef bytes) {
    OutputTransaction transaction;
    transaction.add(file(name), bytes.str());
    ASSERT_TRUE(transaction.commit(diags));
  }
  unsigned countFiles() {
    unsigned count = 0;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
      ++count;
    return count;
  }

  SourceManager sources;
  CapturingDiagnosticConsumer captured;
  DiagnosticEngine diags{sources, captured};
  std::string folder;
};

TEST_F(OutputTransactionTest, WritesAndReplaces) {
  write("a", "old");
  OutputTransaction transaction;
  transaction.add(file("a"), "new");
  transaction.add(file("b"), std::string("\0bytes", 6));
  EXPECT_TRUE(transaction.commit(diags));
  EXPECT_EQ(read("a"), "new");
  EXPECT_EQ(read("b"), std::string("\0bytes", 6));
  EXPECT_EQ(countFiles(), 2u);
}

TEST_F(OutputTransactionTest, HonoursTheUmask) {
  mode_t old = ::umask(027);
  write("a", "x");
  ::umask(old);
  struct stat st;
  ASSERT_EQ(::stat(file("a").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0640u);
}

TEST_F(OutputTransactionTest, AFailedWriteChangesNothing) {
  write("a", "old");
  OutputTransaction transaction;
  transaction.add(file("a"), "new");
  transaction.add(file("missing/b"), "b");
  EXPECT_FALSE(transaction.commit(diags));
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(countFiles(), 1u);
  ASSERT_EQ(captured.diags.size(), 1u);
  EXPECT_EQ(captured.diags[0].id, DiagId::CannotWriteFile);
}

TEST_F(OutputTransactionTest, AFullDeviceChangesNothing) {
  write("a", "old");
  OutputTransaction transaction;
  transaction.add(file("a"), "new");
  transaction.add("/dev/full", "b");
  EXPECT_FALSE(transaction.commit(diags));
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputTransactionTest, AFolderIsNoFile) {
  write("a", "old");
  ASSERT_FALSE(llvm::sys::fs::create_directory(file("b")));
  OutputTransaction transaction;
  transaction.add(file("a"), "new");
  transaction.add(file("b"), "b");
  EXPECT_FALSE(transaction.commit(diags));
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(countFiles(), 2u);
}

TEST_F(OutputTransactionTest, TheLongestNameWorks) {
  std::string name(255, 'n');
  write(name, "x");
  EXPECT_EQ(read(name), "x");
  OutputTransaction transaction;
  transaction.add(file(name + "n"), "x");
  EXPECT_FALSE(transaction.commit(diags));
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputTransactionTest, NamesOfOneFile) {
  write("a", "old");
  ASSERT_EQ(::symlink("a", file("link").c_str()), 0);
  auto clash = [&](std::vector<std::string> outputs, std::vector<std::string> inputs) {
    return !OutputTransaction::checkNames(outputs, inputs, diags);
  };
  EXPECT_FALSE(clash({file("a"), file("b")}, {file("c")}));
  EXPECT_TRUE(clash({file("a"), file("./a")}, {}));
  EXPECT_TRUE(clash({file("a"), file("link")}, {}));
  EXPECT_TRUE(clash({file("link")}, {file("a")}));
  EXPECT_FALSE(clash({"/dev/null", "/dev/null"}, {}));
  EXPECT_TRUE(clash({"-", "-"}, {}));
}

} // namespace
} // namespace tilec
