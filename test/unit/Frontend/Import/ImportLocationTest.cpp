//===- ImportLocationTest.cpp - every op knows its line -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports source texts and looks at the locations of the ops.
//
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Frontend/ImportTile.h"
#include "tilec/Frontend/Sema.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilec::frontend;
namespace tile = tilec::tile;

namespace {

class ImportLocationTest : public testing::Test {
protected:
  void import(tilec::FileId file) {
    std::string text;
    llvm::raw_string_ostream os(text);
    tilec::TextDiagnosticPrinter printer(os, /*color=*/false);
    tilec::DiagnosticEngine diags(sources, printer);
    program = analyze(sources, file, SemaOptions(), diags);
    ASSERT_TRUE(program) << text;
    ImportOptions options;
    options.entriesOnly = false;
    module = importTile(*program, sources, context, options);
  }

  /// "file:line:col", or "callee < caller" for inlined code; empty for anything else.
  static std::string describe(Location loc) {
    if (auto file = dyn_cast<FileLineColLoc>(loc))
      return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn()))
          .str();
    if (auto call = dyn_cast<CallSiteLoc>(loc)) {
      std::string callee = describe(call.getCallee()), caller = describe(call.getCaller());
      return callee.empty() || caller.empty() ? "" : callee + " < " + caller;
    }
    return "";
  }

  template <typename Op> std::vector<std::string> locationsOf() {
    std::vector<std::string> result;
    module->walk([&](Op op) { result.push_back(describe(op.getLoc())); });
    return result;
  }

  MLIRContext context;
  tilec::SourceManager sources;
  std::unique_ptr<hir::Program> program;
  OwningOpRef<ModuleOp> module;
};

using Locations = std::vector<std::string>;

TEST_F(ImportLocationTest, OpsStandAtTheirExpressions) {
  import(sources.addText("x.tile", R"(kernel k(X: f32[N], out Y: f32[N]) {
  grid(1, threads = 32) as (b) {
    for i in parallel(32) {
      Y[i] = exp(X[i]) + 1.0;
    }
  }
}
)"));
  EXPECT_EQ(locationsOf<tile::KernelOp>(), (Locations{"x.tile:1:8"}));
  EXPECT_EQ(locationsOf<tile::ParallelOp>(), (Locations{"x.tile:3:5"}));
  EXPECT_EQ(locationsOf<tile::ReadOp>(), (Locations{"x.tile:4:18"}));
  EXPECT_EQ(locationsOf<math::ExpOp>(), (Locations{"x.tile:4:14"}));
  EXPECT_EQ(locationsOf<tile::WriteOp>(), (Locations{"x.tile:4:7"}));
}

TEST_F(ImportLocationTest, InlinedCodeKnowsItsCalls) {
  import(sources.addText("x.tile", R"(fn inner(x: f32) -> f32 { return exp(x); }
fn outer(x: f32) -> f32 { return inner(x) * 2.0; }
fn apply(f: fragment f32[N]) {
  for i in parallel(N) { f[i] = outer(f[i]); }
}
kernel k(out Y: f32[32]) {
  grid(1, threads = 32) as (b) {
    fragment f: f32[32] = 1.0;
    apply(f);
    copy(f, Y);
  }
}
)"));
  EXPECT_EQ(locationsOf<tile::ParallelOp>(), (Locations{"x.tile:4:3 < x.tile:9:5"}));
  EXPECT_EQ(locationsOf<math::ExpOp>(), (Locations{"x.tile:1:34 < x.tile:2:34 < x.tile:4:33 < x.tile:9:5"}));
  // What the caller writes belongs to the caller.
  EXPECT_EQ(locationsOf<tile::ReadOp>(), (Locations{"x.tile:4:39 < x.tile:9:5"}));
  EXPECT_EQ(locationsOf<tile::StoreOp>(), (Locations{"x.tile:10:5"}));
}

TEST_F(ImportLocationTest, EveryOpOfEveryKernelHasALine) {
  for (StringRef name : {"vector_add", "matmul", "matmul_bias_gelu", "softmax", "flash_attention"}) {
    std::string path = (TILEC_KERNELS_DIR "/" + name + ".tile").str();
    std::string text;
    llvm::raw_string_ostream os(text);
    tilec::TextDiagnosticPrinter printer(os, /*color=*/false);
    tilec::DiagnosticEngine diags(sources, printer);
    tilec::FileId file = sources.loadFile(path, diags);
    ASSERT_NE(file, 0u) << text;
    import(file);
    module->walk([&](Operation *op) {
      EXPECT_NE(describe(op->getLoc()), "") << path << ": " << op->getName().getStringRef().str();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            EXPECT_NE(describe(argument.getLoc()), "")
                << path << ": argument of " << op->getName().getStringRef().str();
    });
  }
}

} // namespace
