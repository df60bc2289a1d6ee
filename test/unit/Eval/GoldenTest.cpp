//===- GoldenTest.cpp - the five programs against f64 ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shipped kernels and their oracles, through the front end and their launch programs, against outputs
// that nothing of ours made (test/golden/make_golden.py), in both orders of iterations. Each runs with its
// default parameters and with small tiles, so that loops have several trips. So is the attention kernel that
// is written out at stage schedule.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tilec/Check/Compare.h"
#include "tilec/Check/Random.h"
#include "tilec/Eval/Eval.h"
#include "tilec/Frontend/ImportTile.h"
#include "tilec/Frontend/Sema.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::eval;
using EK = ElementKind;

namespace {
struct Param {
  EK kind;
  std::vector<int64_t> extents;
};

class GoldenTest : public ::testing::Test {
protected:
  GoldenTest() {
    mlir::DialectRegistry registry;
    frontend::registerImportDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Imports a shipped program with more declarations behind it.
  void load(llvm::StringRef file, llvm::StringRef more) {
    auto buffer = llvm::MemoryBuffer::getFile((TILEC_KERNELS_DIR "/" + file).str());
    ASSERT_TRUE(static_cast<bool>(buffer)) << file.str();
    std::string text = ((*buffer)->getBuffer() + more).str();
    for (size_t at; (at = text.find("oracle kernel")) != std::string::npos;)
      text.erase(at, 7); // oracles are instantiated below, too
    DiagnosticEngine engine(sources, errors);
    FileId id = sources.addText(file, text);
    auto program = frontend::analyze(sources, id, frontend::SemaOptions(), engine);
    ASSERT_TRUE(program != nullptr) << (errors.diags.empty() ? "" : errors.diags.front().message);
    frontend::ImportOptions options;
    options.entriesOnly = false;
    module = frontend::importTile(*program, sources, context, options);
    ASSERT_TRUE(static_cast<bool>(module));
    evaluator = std::make_unique<Evaluator>(*module);
  }

  /// Runs entry point or kernel `symbol` on seeded inputs; the last parameter is the output. Extents are
  /// arguments of an entry point's tensors; `more` follows them.
  void expect(llvm::StringRef symbol, const std::vector<Param> &params, bool isEntry,
              const std::vector<Arg> &more, llvm::StringRef golden, double tolerance) {
    auto file = llvm::MemoryBuffer::getFile((TILEC_TEST_DIR "/golden/" + golden + ".bin").str());
    ASSERT_TRUE(static_cast<bool>(file)) << golden.str();
    for (auto order : {EvalOptions::Order::Forward, EvalOptions::Order::Reverse}) {
      std::vector<std::vector<uint8_t>> data;
      std::vector<uint8_t> init;
      std::vector<Arg> args;
      for (const auto &[number, param] : llvm::enumerate(params)) {
        int64_t count = 1;
        for (int64_t extent : param.extents)
          count *= extent;
        data.emplace_back(static_cast<size_t>(storageBytes(param.kind, count)));
        const bool isOutput = number + 1 == params.size();
        if (isOutput)
          init.assign(static_cast<size_t>(count), 0);
        else
          check::generate(param.kind, data.back().data(), 0, count, 1, number);
        args.push_back(Buffer{data.back().data(), param.kind, count, isOutput ? init.data() : nullptr,
                              uint64_t(number + 1) << 40});
        if (isEntry)
          args.insert(args.end(), param.extents.begin(), param.extents.end());
      }
      args.insert(args.end(), more.begin(), more.end());
      EvalOptions options;
      options.order = order;
      EvalResult result = evaluator->run(symbol, args, options);
      ASSERT_TRUE(result.succeeded()) << result.describe();
      const int64_t count = static_cast<int64_t>(init.size());
      ASSERT_EQ((*file)->getBufferSize(), init.size() * sizeof(double));
      EXPECT_EQ(llvm::count(init, 0), 0) << "not everything was written";
      std::vector<double> got;
      for (int64_t i = 0; i < count; ++i)
        got.push_back(loadFloat(params.back().kind, data.back().data(), i));
      const check::Comparison c =
          check::compare(EK::F64, got.data(), (*file)->getBufferStart(), count, tolerance);
      EXPECT_TRUE(c.passed) << symbol.str() << ": " << check::describe(c, tolerance);
    }
  }

  SourceManager sources;
  CapturingDiagnosticConsumer errors;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<Evaluator> evaluator;
};

// f16 outputs are rounded once: a relative error of at most 2^-11 an element, half of that in the norm.
constexpr double halfRounding = 4e-4;
} // namespace

TEST_F(GoldenTest, VectorAdd) {
  load("vector_add.tile", "instantiate vector_add<BLOCK = 16> as small;");
  for (const char *symbol : {"vector_add_f32", "small"})
    expect(symbol, {{EK::F32, {37}}, {EK::F32, {37}}, {EK::F32, {37}}}, true, {}, "vector_add", 4e-8);
}

TEST_F(GoldenTest, Matmul) {
  load("matmul.tile", "instantiate matmul<BM = 16, BN = 8, BK = 4> as small;\n"
                      "instantiate matmul_naive<> as naive;");
  for (const char *symbol : {"matmul_f16", "small", "naive"})
    expect(symbol, {{EK::F16, {17, 23}}, {EK::F16, {23, 19}}, {EK::F16, {17, 19}}}, true, {}, "matmul",
           halfRounding);
}

TEST_F(GoldenTest, MatmulBiasGelu) {
  load("matmul_bias_gelu.tile", "instantiate matmul_bias_gelu<BM = 16, BN = 8, BK = 4> as small;\n"
                                "instantiate matmul_bias_gelu<> as whole;");
  for (const char *symbol : {"whole", "small"})
    expect(symbol, {{EK::F16, {9, 14}}, {EK::F16, {21, 14}}, {EK::F16, {21}}, {EK::F16, {9, 21}}}, true, {},
           "matmul_bias_gelu", halfRounding);
}

TEST_F(GoldenTest, Softmax) {
  load("softmax.tile", "instantiate softmax<ROWS = 2, COLS = 32> as small;\ninstantiate softmax<> as whole;");
  for (const char *symbol : {"whole", "small"})
    expect(symbol, {{EK::F16, {3, 70}}, {EK::F16, {3, 70}}}, true, {}, "softmax", halfRounding);
}

/// The probabilities are rounded to f16 before the second product, hence the wider tolerance of the kernel.
TEST_F(GoldenTest, FlashAttention) {
  load("flash_attention.tile",
       "instantiate flash_attention<D = 16> as whole;\n"
       "instantiate flash_attention<BM = 4, BN = 4, D = 16> as small;\n"
       "instantiate attention_naive<D = 16> as naive;\n"
       "instantiate flash_attention<BM = 4, BN = 4, D = 16, CAUSAL = true> as small_causal;\n"
       "instantiate attention_naive<D = 16, CAUSAL = true> as naive_causal;");
  auto params = [](int64_t s, int64_t l) {
    return std::vector<Param>{{EK::F16, {1, 2, s, 16}},
                              {EK::F16, {1, 2, l, 16}},
                              {EK::F16, {1, 2, l, 16}},
                              {EK::F16, {1, 2, s, 16}}};
  };
  expect("naive", params(5, 7), true, {0.25}, "attention", halfRounding);
  expect("naive_causal", params(7, 5), true, {0.25}, "attention_causal", halfRounding);
  std::vector<Param> d128 = {{EK::F16, {1, 1, 3, 128}},
                             {EK::F16, {1, 1, 300, 128}},
                             {EK::F16, {1, 1, 300, 128}},
                             {EK::F16, {1, 1, 3, 128}}};
  expect("flash_attention_f16", d128, true, {0.0883883}, "attention_d128", 1e-3);
  expect("whole", params(5, 7), true, {0.25}, "attention", 1e-3);
  expect("small", params(5, 7), true, {0.25}, "attention", 1e-3);
  expect("small_causal", params(7, 5), true, {0.25}, "attention_causal", 1e-3);
}

/// The attention kernel as it is at stage schedule: a producer, rings, rotated loops, registers in flight,
/// sums in parts, borrowed memory, persistent blocks. Three blocks of keys, the last one ragged.
TEST_F(GoldenTest, FlashAttentionAtStageSchedule) {
  module =
      mlir::parseSourceFile<mlir::ModuleOp>(TILEC_TEST_DIR "/Dialect/Tile/attention-schedule.mlir", &context);
  ASSERT_TRUE(static_cast<bool>(module));
  evaluator = std::make_unique<Evaluator>(*module);
  expect("flash_attention_f16",
         {{EK::F16, {1, 1, 3, 128}},
          {EK::F16, {1, 1, 300, 128}},
          {EK::F16, {1, 1, 300, 128}},
          {EK::F16, {1, 1, 3, 128}}},
         true, {0.0883883}, "attention_d128", 1e-3);
}
