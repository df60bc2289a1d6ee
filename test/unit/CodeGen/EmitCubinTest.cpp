//===- EmitCubinTest.cpp - from PTX to a fatbin, and every way to fail ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hand-written vector add goes to a fatbin for every target; then tools misbehave in the ways that were
// seen of real ones.
//
//===----------------------------------------------------------------------===//

#include "FakeTools.h"
#include "ImageCheck.h"
#include "TestModules.h"
#include "tilec/CodeGen/CodeGen.h"
#include "gtest/gtest.h"
#include <chrono>
#include <sys/mount.h>

using namespace tilec;
using namespace tilec::test;

namespace {

class EmitCubin : public ::testing::Test {
protected:
  void SetUp() override {
    if (!toolchain())
      GTEST_SKIP() << "no CUDA Toolkit";
    context = makeContext();
    module = parseModule(*context, vectorAdd());
  }

  DeviceImage compile(llvm::StringRef target = "sm_80") {
    CodeGenLog log;
    std::optional<DeviceImage> image = compileToPtx(*module, *ArchInfo::find(target), {}, log);
    EXPECT_TRUE(image) << text(log);
    return std::move(*image);
  }

  /// Assembles with a toolkit whose ptxas does `body`; returns the messages.
  std::string assembleWith(llvm::StringRef body, unsigned timeoutSeconds = 30) {
    FakeToolkit kit("13.0.88");
    kit.writeBody("ptxas", body);
    CodeGenLog log;
    auto tools = findToolchain({kit.root(), "", ""}, log);
    EXPECT_TRUE(tools) << text(log);
    DeviceImage image = compile();
    AssembleOptions options;
    options.timeoutSeconds = timeoutSeconds;
    EXPECT_FALSE(assemble(image, *tools, options, log));
    EXPECT_TRUE(image.cubin.empty());
    return text(log);
  }

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::Operation *> module;
};

/// The integration test: five chips and PTX into one file.
TEST_F(EmitCubin, VectorAddToFatbin) {
  std::vector<DeviceImage> images;
  for (const char *target : {"sm_80", "sm_86", "sm_89", "sm_90a", "sm_120", "compute_80"}) {
    images.push_back(compile(target));
    DeviceImage &image = images.back();
    CodeGenLog log;
    ASSERT_TRUE(assemble(image, *toolchain(), {}, log)) << text(log);
    EXPECT_EQ(image.cubin.empty(), image.arch->isPtxOnly());
    ASSERT_EQ(image.resources.size(), 1u);
    EXPECT_EQ(image.resources[0].kernel, "vector_add_f32");
    EXPECT_GE(image.resources[0].registers, 8u);
    EXPECT_LE(image.resources[0].registers, 64u);
    EXPECT_EQ(image.resources[0].spillStoreBytes, 0u);
    EXPECT_EQ(image.resources[0].staticSharedBytes, 0u);
    EXPECT_TRUE(image.warnings.empty());
    ASSERT_EQ(log.times.size(), 1u);
    EXPECT_EQ(log.times[0].step, "ptxas");
    EXPECT_GT(log.times[0].seconds, 0);
  }
  CodeGenLog log;
  std::optional<std::string> fatbin = bundle(images, *toolchain(), {}, log);
  ASSERT_TRUE(fatbin) << text(log);
  EXPECT_EQ(checkFatbin(*fatbin, {{80, false, images[0].cubin},
                                  {86, false, images[1].cubin},
                                  {89, false, images[2].cubin},
                                  {90, false, images[3].cubin},
                                  {120, false, images[4].cubin},
                                  {80, true, ""}}),
            "");

  // Bytes out depend on bytes in only: not on the folder, not on the time.
  PrivateDir elsewhere("");
  AssembleOptions options;
  options.tempDir = elsewhere.directory();
  for (DeviceImage &image : images) {
    std::string before = image.cubin;
    ASSERT_TRUE(assemble(image, *toolchain(), options, log));
    EXPECT_EQ(image.cubin, before);
  }
  std::optional<std::string> again = bundle(images, *toolchain(), options, log);
  ASSERT_TRUE(again);
  EXPECT_TRUE(*again == *fatbin);
}

TEST_F(EmitCubin, SeveralKernelsInOneImage) {
  auto two = parseModule(*context, R"(
gpu.module @two {
  llvm.func @first(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
    llvm.store %x, %p : i32, !llvm.ptr<1> loc("k.tile":2:3)
    llvm.return
  } loc("k.tile":1:1)
  llvm.func @second(%p: !llvm.ptr<1>, %x: i64) attributes {nvvm.kernel} {
    llvm.store %x, %p : i64, !llvm.ptr<1> loc("k.tile":5:3)
    llvm.return
  } loc("k.tile":4:1)
})");
  CodeGenLog log;
  std::optional<DeviceImage> image = compileToPtx(*two, *ArchInfo::find("sm_80"), {}, log);
  ASSERT_TRUE(image) << text(log);
  ASSERT_TRUE(assemble(*image, *toolchain(), {}, log)) << text(log);
  EXPECT_EQ(image->kernels, (std::vector<std::string>{"first", "second"}));
  ASSERT_EQ(image->resources.size(), 2u);
  EXPECT_EQ(image->resources[1].kernel, "second");
  std::string before = image->cubin;
  ASSERT_TRUE(assemble(*image, *toolchain(), {}, log));
  EXPECT_EQ(image->cubin, before) << "split compilation must not change bytes";
}

TEST_F(EmitCubin, LinesCanBeLeftOut) {
  DeviceImage image = compile();
  CodeGenLog log;
  ASSERT_TRUE(assemble(image, *toolchain(), {}, log));
  std::string with = image.cubin;
  EXPECT_TRUE(llvm::StringRef(with).contains("vector_add.tile"));
  AssembleOptions options;
  options.stripLines = true;
  ASSERT_TRUE(assemble(image, *toolchain(), options, log)) << text(log);
  EXPECT_FALSE(llvm::StringRef(image.cubin).contains("vector_add.tile"));
  EXPECT_LT(image.cubin.size(), with.size());
  // Errors are located all the same.
  size_t at = image.ptx.find("add.rn.f32");
  ASSERT_NE(at, std::string::npos);
  image.ptx.replace(at, 10, "foo.rn.f32");
  EXPECT_FALSE(assemble(image, *toolchain(), options, log));
  EXPECT_TRUE(contains(log, "bug kernels/vector_add.tile:6:52 ptxas rejects")) << text(log);
}

TEST_F(EmitCubin, BadPtxIsABugWithATileLine) {
  DeviceImage image = compile();
  size_t at = image.ptx.find("add.rn.f32");
  ASSERT_NE(at, std::string::npos);
  image.ptx.replace(at, 10, "foo.rn.f32");
  CodeGenLog log;
  EXPECT_FALSE(assemble(image, *toolchain(), {}, log));
  EXPECT_TRUE(
      contains(log, "bug kernels/vector_add.tile:6:52 ptxas rejects the code of kernel 'vector_add_f32' for "
                    "sm_80: Not a name of any known instruction: 'foo'"))
      << text(log);
  EXPECT_FALSE(contains(log, "tmpxft")) << text(log);
}

TEST_F(EmitCubin, AKernelThatIsMissing) {
  DeviceImage image = compile();
  image.kernels.push_back("other");
  CodeGenLog log;
  EXPECT_FALSE(assemble(image, *toolchain(), {}, log));
  EXPECT_TRUE(contains(log, "kernel 'other' is missing")) << text(log);
}

TEST_F(EmitCubin, ExitStatusZeroIsNoProof) {
  std::string good = (toolchain()->ptxas.path + " \"$@\"");
  EXPECT_NE(assembleWith("exit 0").find("environment kernels/vector_add.tile"), std::string::npos);
  EXPECT_NE(assembleWith("exit 0").find("ptxas wrote no cubin: No such file or directory"),
            std::string::npos);
  EXPECT_NE(assembleWith(": > \"$out\"").find("its cubin is damaged: not an ELF file"), std::string::npos);
  EXPECT_NE(assembleWith("echo hello > \"$out\"").find("its cubin is damaged"), std::string::npos);
  // What a full disk leaves: the front part of the right file.
  std::string truncated =
      assembleWith(good + "; head -c 2048 \"$out\" > \"$out.part\"; mv \"$out.part\" \"$out\"; exit 0");
  EXPECT_NE(truncated.find("its cubin is damaged"), std::string::npos) << truncated;
  EXPECT_NE(truncated.find("may be full"), std::string::npos) << truncated;
  // An ELF file of the host.
  EXPECT_NE(assembleWith("cp /bin/true \"$out\"").find("not for CUDA"), std::string::npos);
}

TEST_F(EmitCubin, FailingTools) {
  EXPECT_NE(assembleWith("echo 'cannot' >&2; exit 9").find("failed: exit status 9"), std::string::npos);
  EXPECT_NE(assembleWith("kill -11 $$").find("failed: killed by signal 11"), std::string::npos);
  // A message of a form that we do not know is not passed on.
  EXPECT_EQ(assembleWith("echo 'cannot' >&2; exit 9").find("cannot"), std::string::npos);
}

TEST_F(EmitCubin, HangingToolsAreKilled) {
  auto start = std::chrono::steady_clock::now();
  std::string message = assembleWith("sleep 60", /*timeoutSeconds=*/1);
  EXPECT_EQ(message.rfind("limit kernels/vector_add.tile:", 0), 0u) << message;
  EXPECT_NE(message.find("ptxas did not finish in 1 s"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(EmitCubin, OldTools) {
  FakeToolkit kit("12.4.131");
  CodeGenLog log;
  auto tools = findToolchain({kit.root(), "", ""}, log);
  ASSERT_TRUE(tools);
  DeviceImage image = compile("sm_120");
  EXPECT_FALSE(assemble(image, *tools, {}, log));
  EXPECT_TRUE(contains(log, "target 'sm_120' needs CUDA 12.8")) << text(log);
}

TEST_F(EmitCubin, NoTemporaryFolder) {
  DeviceImage image = compile();
  CodeGenLog log;
  AssembleOptions options;
  options.tempDir = "/nonexistent";
  EXPECT_FALSE(assemble(image, *toolchain(), options, log));
  EXPECT_TRUE(contains(log, "environment :0:0 cannot make a temporary folder in '/nonexistent'"))
      << text(log);
}

/// Leaves nothing behind, whatever happens.
TEST_F(EmitCubin, TheTemporaryFolderIsEmptyAfterwards) {
  PrivateDir folder("");
  AssembleOptions options;
  options.tempDir = folder.directory();
  CodeGenLog log;
  DeviceImage image = compile();
  EXPECT_TRUE(assemble(image, *toolchain(), options, log));
  image.ptx = "broken";
  EXPECT_FALSE(assemble(image, *toolchain(), options, log));
  std::error_code error;
  EXPECT_EQ(llvm::sys::fs::directory_iterator(folder.directory(), error),
            llvm::sys::fs::directory_iterator());
}

TEST_F(EmitCubin, DamagedFatbins) {
  DeviceImage image = compile();
  CodeGenLog log;
  ASSERT_TRUE(assemble(image, *toolchain(), {}, log));
  auto bundleWith = [&](llvm::StringRef body) {
    FakeToolkit kit("13.0.88");
    kit.writeBody("fatbinary", body);
    CodeGenLog log;
    auto tools = findToolchain({kit.root(), "", ""}, log);
    AssembleOptions options;
    options.timeoutSeconds = 2;
    EXPECT_FALSE(bundle(image, *tools, options, log));
    return text(log);
  };
  std::string good = toolchain()->fatbinary.path + " \"$@\"";
  EXPECT_NE(bundleWith("exit 0").find("fatbinary wrote no file"), std::string::npos);
  EXPECT_NE(bundleWith("exit 1").find("failed: exit status 1"), std::string::npos);
  EXPECT_NE(bundleWith("sleep 60").find("limit :0:0 fatbinary did not finish in 2 s"), std::string::npos);
  EXPECT_NE(bundleWith("echo hello > \"$out\"").find("its file is damaged: not a fatbin"), std::string::npos);
  EXPECT_NE(bundleWith(good + "; head -c 1000 \"$out\" > \"$out.part\"; mv \"$out.part\" \"$out\"")
                .find("its file is damaged: the fatbin's size is 1000 bytes"),
            std::string::npos);
}

/// A real full disk: a file system of 16 KiB.
TEST_F(EmitCubin, FullDisk) {
  PrivateDir folder("");
  if (mount("tmpfs", folder.directory().c_str(), "tmpfs", 0, "size=16k") != 0)
    GTEST_SKIP() << "needs the right to mount";
  // Enough kernels that the cubin does not fit.
  std::string source = "gpu.module @many {\n";
  for (int i = 0; i < 40; ++i)
    source +=
        "llvm.func @k" + std::to_string(i) +
        "(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {\n"
        "  llvm.store %x, %p : i32, !llvm.ptr<1> loc(\"k.tile\":2:3)\n  llvm.return\n} loc(\"k.tile\":1:1)\n";
  auto many = parseModule(*context, source + "}");
  CodeGenLog log;
  std::optional<DeviceImage> image = compileToPtx(*many, *ArchInfo::find("sm_80"), {}, log);
  EXPECT_TRUE(image) << text(log);
  AssembleOptions options;
  options.tempDir = folder.directory();
  if (image) {
    EXPECT_FALSE(assemble(*image, *toolchain(), options, log));
    EXPECT_EQ(text(log).rfind("environment k.tile:1:1 ptxas", 0), 0u) << text(log);
    EXPECT_TRUE(contains(log, "may be full")) << text(log);
  }
  umount(folder.directory().c_str());
}

} // namespace
