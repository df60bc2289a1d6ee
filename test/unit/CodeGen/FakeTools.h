//===- FakeTools.h - toolkits made of shell scripts -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA Toolkit of which tests write the programs: they answer --version and do what the test says.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_UNIT_CODEGEN_FAKETOOLS_H
#define TILEC_UNIT_CODEGEN_FAKETOOLS_H

#include "Subprocess.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

namespace tilec::test {

class FakeToolkit {
public:
  explicit FakeToolkit(llvm::StringRef version) : dir(""), version(version.str()) {
    llvm::sys::fs::create_directory(bin());
    writeBody("ptxas", "exit 0");
    writeBody("fatbinary", "exit 0");
  }
  std::string root() const { return dir.directory(); }
  std::string bin() const { return dir.directory() + "/bin"; }
  void remove(llvm::StringRef tool) { llvm::sys::fs::remove(bin() + "/" + tool.str()); }
  /// The whole text of a tool.
  void write(llvm::StringRef tool, llvm::StringRef script) {
    remove(tool);
    std::string path = bin() + "/" + tool.str(), problem;
    EXPECT_TRUE(writeFile(path, script, problem)) << problem;
    llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all);
  }
  /// What a tool does except for --version; `$out` is the file after -o or --create=.
  void writeBody(llvm::StringRef tool, llvm::StringRef body) {
    write(tool, "#!/bin/sh\n"
                "if [ \"$1\" = --version ]; then\n"
                "  echo 'Cuda compilation tools, release x, V" +
                    version +
                    "'; exit 0\n"
                    "fi\n"
                    "out=; previous=\n"
                    "for argument in \"$@\"; do\n"
                    "  case $argument in --create=*) out=${argument#--create=};; esac\n"
                    "  [ \"$previous\" = -o ] && out=$argument\n"
                    "  previous=$argument\n"
                    "done\n" +
                    body.str() + "\n");
  }

private:
  PrivateDir dir;
  std::string version;
};

} // namespace tilec::test

#endif // TILEC_UNIT_CODEGEN_FAKETOOLS_H
