//===- Passes.h - the evaluator in tile-opt ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--tile-eval-run` runs kernels and launch programs of a module and prints what they computed: how tests see
// the meaning of a module. `--tile-eval` (an instrumentation) runs them before the first pass and after every
// pass, and names the first pass after which the module computes something else.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_EVAL_PASSES_H
#define TILEC_EVAL_PASSES_H

#include "mlir/Pass/PassInstrumentation.h"
#include <atomic>
#include <memory>
#include <string>

namespace tilec::eval {

/// Registers `tile-eval-run`.
void registerEvalPasses();

/// Compares the module with itself after every pass, on seeded inputs, by launch programs where it has some,
/// by kernels otherwise; both orders of iterations, and 3 and 1 multiprocessors. An instrumentation cannot
/// fail a pass: the first difference is an error at the function, and `*failed` is set. Passes nested in
/// others are told apart only if the context is single-threaded. `arguments` are sizes and scalars, `N=17`,
/// and data of tensors, `A=-8:8`; without any, three sets of sizes are tried.
std::unique_ptr<mlir::PassInstrumentation> createEvalInstrumentation(llvm::ArrayRef<std::string> arguments,
                                                                     std::atomic<bool> *failed);

} // namespace tilec::eval

#endif // TILEC_EVAL_PASSES_H
