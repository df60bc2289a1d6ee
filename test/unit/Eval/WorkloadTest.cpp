//===- WorkloadTest.cpp - made-up arguments, passes compared --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes that satisfy a launch program, and the instrumentation that names the first wrong pass.
//
//===----------------------------------------------------------------------===//

#include "tilec/Eval/Workload.h"
#include "EvalTestBase.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "tilec/Eval/Passes.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

namespace {
class WorkloadTest : public EvalTest {
protected:
  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(static_cast<bool>(module));
  }
  std::optional<Workload> make(StringRef symbol, const WorkloadOptions &options = {}) {
    return Workload::make(SymbolTable::lookupSymbolIn(*module, symbol), options, error);
  }
  std::string error;

  /// B[i] = A[i] + 1 for i < N; the launch program wants B to have 2 · N extents, and N even.
  static constexpr const char *increment = R"(
    tile.kernel @k(%A: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.name = "A"},
                   %B: !tile.ptr<f32> {tile.access = #tile.access<out>, tile.name = "B"}, %n: i64 {tile.name = "N"}) {
      %one = arith.constant 1 : i64
      tile.grid (%x) in (%one) threads(32) {
        %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
        %b = tile.global %B sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
        tile.parallel (%i) in (%n) {
          %v = tile.read %a[%i] : !tile.global<?xf32> -> f32
          %c = arith.constant 1.0 : f32
          %w = arith.addf %v, %c : f32
          tile.write %w, %b[%i] : !tile.global<?xf32>
        }
      }
      tile.return
    })";
  static constexpr const char *entry = R"(
    tile.entry @e(%A: !tile.ptr<f32>, %n: i64, %B: !tile.ptr<f32>, %m: i64) params [
        #tile.tensor_param<name = "A", element = f32, access = in, extents = ["N"]>,
        #tile.tensor_param<name = "B", element = f32, access = out, extents = ["2 * N"]>] {
      %c2 = arith.constant 2 : i64
      %c0 = arith.constant 0 : i64
      %twice = arith.muli %n, %c2 : i64
      %same = arith.cmpi eq, %m, %twice : i64
      tile.require %same, "B has {0} elements"(%m : i64) kind <shape>
      %rest = arith.remsi %n, %c2 : i64
      %even = arith.cmpi eq, %rest, %c0 : i64
      tile.require %even, "N is odd" kind <fact>
      %one = arith.constant 1 : i64
      tile.launch @k grid(%one) args(%A, %B, %n : !tile.ptr<f32>, !tile.ptr<f32>, i64)
      tile.return
    })";
};

/// Replaces every float constant 1.0 by `value`, once there is something to replace.
struct ReplaceOne : PassWrapper<ReplaceOne, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReplaceOne)
  explicit ReplaceOne(float value) : value(value) {}
  StringRef getArgument() const override { return value == 1.0f ? "test-harmless" : "test-wrong"; }
  void runOnOperation() override {
    getOperation().walk([&](arith::ConstantOp op) {
      if (op.getType().isF32())
        op.setValueAttr(FloatAttr::get(op.getType(), value));
    });
  }
  float value;
};
} // namespace

TEST_F(WorkloadTest, ExtentsThatAreExpressionsFollowFromTheLaunchProgram) {
  parse(std::string(increment) + entry);
  WorkloadOptions options;
  options.values["N"] = 4;
  options.data = DataSource::Iota;
  std::optional<Workload> workload = make("e", options);
  ASSERT_TRUE(workload) << error;
  EXPECT_EQ(workload->sizes(), "N = 4");
  Evaluator evaluator(*module);
  WorkloadOutputs outputs = workload->run(evaluator, {});
  EXPECT_TRUE(outputs.result.succeeded()) << outputs.result.describe();
  const WorkloadTensor &b = outputs.tensors[1];
  EXPECT_EQ(b.extents, (std::vector<int64_t>{8}));
  EXPECT_EQ(b.init, (std::vector<uint8_t>{1, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(loadFloat(b.kind, b.data.data(), 3), 4);
  EXPECT_TRUE(std::isnan(loadFloat(b.kind, b.data.data(), 4))); // poison
}

TEST_F(WorkloadTest, RaggedSizesMayBeRefused) {
  parse(std::string(increment) + entry);
  Evaluator evaluator(*module);
  WorkloadOptions options;
  std::vector<ErrorKind> kinds;
  for (options.sizeSet = 0; options.sizeSet < numSizeSets; ++options.sizeSet)
    kinds.push_back(make("e", options)->run(evaluator, {}).result.kind);
  EXPECT_EQ(kinds, (std::vector<ErrorKind>{ErrorKind::Refused, ErrorKind::None, ErrorKind::Refused}));
}

TEST_F(WorkloadTest, KernelsGetMemoryWhenTheyGiveItAShape) {
  parse(increment);
  WorkloadOptions options;
  options.values["N"] = 3;
  Evaluator evaluator(*module);
  WorkloadOutputs outputs = make("k", options)->run(evaluator, {});
  EXPECT_TRUE(outputs.result.succeeded()) << outputs.result.describe();
  EXPECT_EQ(outputs.tensors[0].elements, 3);
  EXPECT_EQ(outputs.tensors[1].init, (std::vector<uint8_t>{1, 1, 1}));
}

/// Two shapes of one pointer, the second larger: the kernel is run again with the memory it needs.
TEST_F(WorkloadTest, KernelsMayReshapeAPointer) {
  parse(R"(
    tile.kernel @k(%A: !tile.ptr<i32> {tile.access = #tile.access<out>, tile.name = "A"}) {
      %one = arith.constant 1 : i64
      tile.grid (%x) in (%one) threads(32) {
        %c0 = arith.constant 0 : i64
        %v = arith.constant 7 : i32
        %small = tile.global %A sizes [2] strides [1] : !tile.ptr<i32> -> !tile.global<2xi32>
        %large = tile.global %A sizes [4] strides [1] : !tile.ptr<i32> -> !tile.global<4xi32>
        tile.fill %v, %small[%c0] extents [4] : !tile.global<2xi32>
      }
      tile.return
    })");
  Evaluator evaluator(*module);
  WorkloadOutputs outputs = make("k")->run(evaluator, {});
  EXPECT_TRUE(outputs.result.succeeded()) << outputs.result.describe();
  EXPECT_EQ(outputs.tensors[0].init, (std::vector<uint8_t>{1, 1, 0, 0}));
}

TEST_F(WorkloadTest, NamesTheFirstWrongPass) {
  for (const std::string &text : {std::string(increment), std::string(increment) + entry}) {
    parse(text);
    std::vector<std::string> messages;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      messages.push_back(diagnostic.str());
      for (Diagnostic &note : diagnostic.getNotes())
        messages.push_back(note.str());
    });
    std::atomic<bool> failed = false;
    PassManager manager(&context);
    manager.addInstrumentation(createEvalInstrumentation({}, &failed));
    manager.addPass(std::make_unique<ReplaceOne>(1.0f));
    manager.addPass(std::make_unique<ReplaceOne>(1.5f));
    manager.addPass(std::make_unique<ReplaceOne>(3.0f));
    EXPECT_TRUE(succeeded(manager.run(*module)));
    EXPECT_TRUE(failed);
    ASSERT_EQ(messages.size(), 3u);
    const std::string symbol = text == increment ? "k" : "e";
    EXPECT_EQ(messages[0], "after pass 'test-wrong' '" + symbol + "' computes something else");
    EXPECT_TRUE(StringRef(messages[1]).starts_with("'B': relative error ")) << messages[1];
    EXPECT_TRUE(StringRef(messages[2]).starts_with("with N = ")) << messages[2];
  }
}

TEST_F(WorkloadTest, RightPassesPass) {
  parse(increment);
  std::atomic<bool> failed = false;
  PassManager manager(&context);
  manager.addInstrumentation(createEvalInstrumentation({}, &failed));
  manager.addPass(std::make_unique<ReplaceOne>(1.0f));
  EXPECT_TRUE(succeeded(manager.run(*module)));
  EXPECT_FALSE(failed);
}

/// What cannot be evaluated is said, so that nobody takes silence for a comparison.
TEST_F(WorkloadTest, SaysWhatItDoesNotEvaluate) {
  std::string refusing = std::string(increment) + entry;
  refusing.replace(refusing.find("arith.cmpi eq, %rest, %c0"), 25, "arith.cmpi slt, %n, %c0 ");
  for (auto [text, remark] :
       {std::pair(refusing, "not evaluated: the launch program refuses every size that was tried"),
        std::pair(std::string(R"(
        tile.kernel @k(%n: i64 {tile.name = "N"}) {
          tile.grid (%x) in (%n) threads(32) {
            %u = tile.fragment : !tile.fragment<4xf32>
            %v = tile.read_scalar %u[%x] : !tile.fragment<4xf32> -> f32
          }
          tile.return
        })"),
                  "not evaluated with N = 37: ")}) {
    parse(text);
    std::vector<std::string> messages;
    ScopedDiagnosticHandler handler(&context,
                                    [&](Diagnostic &diagnostic) { messages.push_back(diagnostic.str()); });
    std::atomic<bool> failed = false;
    PassManager manager(&context);
    manager.addInstrumentation(createEvalInstrumentation({}, &failed));
    manager.addPass(std::make_unique<ReplaceOne>(1.5f));
    EXPECT_TRUE(succeeded(manager.run(*module)));
    EXPECT_FALSE(failed);
    ASSERT_FALSE(messages.empty());
    EXPECT_TRUE(StringRef(messages.front()).starts_with(remark)) << messages.front();
  }
}

TEST_F(WorkloadTest, DifferencesAreDescribed) {
  WorkloadOutputs want, got;
  WorkloadTensor tensor;
  tensor.name = "C";
  tensor.kind = ElementKind::I32;
  tensor.elements = 1;
  tensor.data = {1, 0, 0, 0};
  tensor.init = {1};
  want.tensors = got.tensors = {tensor};
  EXPECT_EQ(compareOutputs(got, want), "");
  want.result.printed = "a\nb\n";
  got.result.printed = "b\na\n"; // blocks have no order
  EXPECT_EQ(compareOutputs(got, want), "");
  got.result.printed = "b\n";
  EXPECT_EQ(compareOutputs(got, want), "it prints other lines");
  got.tensors[0].init = {0};
  EXPECT_EQ(compareOutputs(got, want), "element 0 of 'C' is not written any more");
  got.tensors[0].data = {2, 0, 0, 0};
  EXPECT_EQ(compareOutputs(got, want), "'C': relative error 1 > 0; 1 element off, first [0]: got 2, want 1");
  got.result.kind = ErrorKind::Assertion;
  got.result.message = "k.tile:3: assertion failed: x";
  EXPECT_EQ(compareOutputs(got, want), "k.tile:3: assertion failed: x");
}
