//===- MlirDiagnosticsTest.cpp - MLIR's diagnostics as ours ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places, notes and call chains (TILE1101, TILE1102, TILE1106, TILE1107).
//
//===----------------------------------------------------------------------===//
#include "MlirDiagnostics.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

namespace tilec {
namespace {

class MlirDiagnosticsTest : public testing::Test {
protected:
  mlir::Location at(unsigned line, unsigned column) {
    return mlir::FileLineColLoc::get(&context, "k.tile", line, column);
  }
  LineColumn placeOf(SourceRange range) { return sources.getLineColumn(range.getBegin()); }

  SourceManager sources;
  CapturingDiagnosticConsumer captured;
  DiagnosticEngine diags{sources, captured};
  mlir::MLIRContext context;
  std::mutex lock;
  FileId file = sources.addText("k.tile", "kernel k\n  copy(A, B);\nend");
  MlirDiagnosticHandler handler{context, diags, lock};
};

TEST_F(MlirDiagnosticsTest, ErrorsKeepPlaceAndNotes) {
  mlir::InFlightDiagnostic error = mlir::emitError(at(2, 3), "no path for this copy");
  error.attachNote(at(1, 1)) << "in this kernel";
  error.report();
  ASSERT_EQ(captured.diags.size(), 1u);
  const Diagnostic &diag = captured.diags[0];
  EXPECT_EQ(diag.id, DiagId::BackEndError);
  EXPECT_EQ(diag.message, "no path for this copy");
  EXPECT_EQ(placeOf(diag.range), (LineColumn{2, 3}));
  EXPECT_EQ(sources.getText(diag.range), "copy");
  ASSERT_EQ(diag.notes.size(), 1u);
  EXPECT_EQ(diag.notes[0].message, "in this kernel");
}

TEST_F(MlirDiagnosticsTest, InlinedPlacesNameTheCallers) {
  mlir::emitError(mlir::CallSiteLoc::get(at(3, 1), at(2, 3)), "wrong");
  ASSERT_EQ(captured.diags.size(), 1u);
  EXPECT_EQ(placeOf(captured.diags[0].range), (LineColumn{3, 1}));
  ASSERT_EQ(captured.diags[0].notes.size(), 1u);
  EXPECT_EQ(placeOf(captured.diags[0].notes[0].range), (LineColumn{2, 3}));
}

TEST_F(MlirDiagnosticsTest, WarningsAndErrorsOfPasses) {
  mlir::emitWarning(at(2, 3), "slow");
  mlir::emitError(at(2, 3), "not supported by this version: a reduction");
  mlir::emitError(at(2, 3), "not enough shared memory: k needs 2 bytes");
  mlir::emitRemark(at(2, 3), "dropped");
  ASSERT_EQ(captured.diags.size(), 3u);
  EXPECT_EQ(captured.diags[0].id, DiagId::BackEndWarning);
  EXPECT_EQ(captured.diags[1].id, DiagId::NotSupportedYet);
  EXPECT_EQ(captured.diags[1].message, "not supported by this version: a reduction");
  EXPECT_EQ(captured.diags[2].id, DiagId::NotEnoughShared);
  EXPECT_EQ(captured.diags[2].message, "not enough shared memory: k needs 2 bytes");
}

TEST_F(MlirDiagnosticsTest, UnknownPlacesAreTheFilesBegin) {
  mlir::emitError(mlir::UnknownLoc::get(&context), "a");
  mlir::emitError(mlir::FileLineColLoc::get(&context, "other", 4, 7), "b");
  mlir::emitError(at(99, 1), "c");
  ASSERT_EQ(captured.diags.size(), 3u);
  for (const Diagnostic &diag : captured.diags)
    EXPECT_EQ(placeOf(diag.range), (LineColumn{1, 1}));
  EXPECT_TRUE(captured.diags[0].notes.empty());
  ASSERT_EQ(captured.diags[1].notes.size(), 1u);
  EXPECT_EQ(captured.diags[1].notes[0].message, "the operation comes from other:4:7");
}

TEST_F(MlirDiagnosticsTest, LongCallChainsAreCut) {
  mlir::Location loc = at(3, 1);
  for (int i = 0; i != 500; ++i)
    loc = mlir::CallSiteLoc::get(loc, at(2, 3));
  mlir::emitError(loc, "wrong");
  ASSERT_EQ(captured.diags.size(), 1u);
  EXPECT_EQ(captured.diags[0].notes.size(), 16u);
}

} // namespace
} // namespace tilec
