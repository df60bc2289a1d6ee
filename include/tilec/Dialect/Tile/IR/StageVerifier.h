//===- StageVerifier.h - what is true at each stage -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module's `tile.stage` names the stage whose promises it keeps. The verifier checks them; the rules are a
// table in StageVerifier.cpp, each with a label that its test carries. A pass group that turns one stage into
// the next sets the new `tile.stage` together with `tile.partial` at its beginning and drops `tile.partial`
// at its end: while it is there, only what the stage forbids is checked, not yet what it demands.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_STAGEVERIFIER_H
#define TILEC_DIALECT_TILE_IR_STAGEVERIFIER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include <atomic>
#include <memory>

namespace tilec::tile {

/// Checks the rules of the module's stage on `op`, the module or something in it, and on all that it holds;
/// every broken one is a diagnostic. A module without `tile.stage` has no rules.
mlir::LogicalResult verifyStage(mlir::Operation *op);

/// `tile-verify-stage`: the same as a pass.
std::unique_ptr<mlir::Pass> createVerifyStagePass();
void registerVerifyStagePass();

/// Runs verifyStage after every pass on what the pass ran on, and says which pass broke a rule. An
/// instrumentation cannot fail a pass: `*failed` is set instead.
std::unique_ptr<mlir::PassInstrumentation> createVerifyStageInstrumentation(std::atomic<bool> *failed);

} // namespace tilec::tile

#endif // TILEC_DIALECT_TILE_IR_STAGEVERIFIER_H
