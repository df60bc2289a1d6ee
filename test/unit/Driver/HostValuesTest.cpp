//===- HostValuesTest.cpp - shapes of a check's tensors ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of kernels that the front end read.
//
//===----------------------------------------------------------------------===//
#include "HostValues.h"

#include "tilec/Frontend/Sema.h"
#include <gtest/gtest.h>

namespace tilec {
namespace {

using namespace frontend;

class HostValuesTest : public testing::Test {
protected:
  /// The tensor shapes of the first check of a program.
  std::optional<std::vector<TensorShape>> shapesOf(llvm::StringRef text) {
    FileId file = sources.addText("test.tile", text);
    program = analyze(sources, file, SemaOptions(), diags);
    if (!program || program->checks.empty()) {
      ADD_FAILURE() << (captured.diags.empty() ? "no check" : captured.diags[0].message);
      return std::nullopt;
    }
    return tensorShapes(*program->checks[0].kernel, program->checks[0].values);
  }

  SourceManager sources;
  CapturingDiagnosticConsumer captured;
  DiagnosticEngine diags{sources, captured};
  std::unique_ptr<hir::Program> program;
};

TEST_F(HostValuesTest, ContiguousAndStrided) {
  auto shapes = shapesOf("kernel k(A: f16[M, 8], B: i4[M, ceildiv(K, 3), K] , out C: f32[K, M] strides [ld, 1]) {"
                         "  grid(M, threads = 32) as (i) { C[0, i] = f32(A[i, 0]); } }"
                         "check k { M = 5, K = 7, ld = 9 } against reference tolerance 0;");
  ASSERT_TRUE(shapes.has_value());
  ASSERT_EQ(shapes->size(), 3u);
  EXPECT_EQ((*shapes)[0].extents, (std::vector<int64_t>{5, 8}));
  EXPECT_EQ((*shapes)[0].strides, (std::vector<int64_t>{8, 1}));
  EXPECT_EQ((*shapes)[0].memoryElements, 40);
  EXPECT_EQ((*shapes)[1].extents, (std::vector<int64_t>{5, 3, 7}));
  EXPECT_EQ((*shapes)[1].kind, ElementKind::I4);
  EXPECT_EQ((*shapes)[2].strides, (std::vector<int64_t>{9, 1}));
  EXPECT_EQ((*shapes)[2].memoryElements, 6 * 9 + 4 + 1);
}

TEST_F(HostValuesTest, EmptyTensorsHaveNoMemory) {
  auto shapes = shapesOf("kernel k(A: f32[M, N], out C: f32[M]) {"
                         "  grid(M, threads = 32) as (i) { C[i] = A[i, 0]; } }"
                         "check k { M = 5, N = 0 } against reference tolerance 0;");
  ASSERT_TRUE(shapes.has_value());
  EXPECT_EQ((*shapes)[0].memoryElements, 0);
}

TEST_F(HostValuesTest, TooLargeIsNone) {
  EXPECT_FALSE(shapesOf("kernel k(A: f32[M, N], out C: f32[M]) {"
                        "  grid(M, threads = 32) as (i) { C[i] = A[i, 0]; } }"
                        "check k { M = 1 << 40, N = 1 << 40 } against reference tolerance 0;")
                   .has_value());
}

} // namespace
} // namespace tilec
