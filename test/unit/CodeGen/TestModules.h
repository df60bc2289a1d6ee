//===- TestModules.h - modules at stage `nvvm` for the tests --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context with the dialects of stage `nvvm`, a hand-written vector add, and the toolchain of this machine.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_UNIT_CODEGEN_TESTMODULES_H
#define TILEC_UNIT_CODEGEN_TESTMODULES_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "tilec/CodeGen/CodeGen.h"

namespace tilec::test {

/// Registers the dialects and translations once a context.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Parses a gpu.module; null (and a test failure) if it does not parse.
mlir::OwningOpRef<mlir::Operation *> parseModule(mlir::MLIRContext &context, llvm::StringRef text);

/// C = A + B in f32: 256 threads, 16-byte vectors, any N.
llvm::StringRef vectorAdd();

/// The toolchain of this machine; null if there is none, and then tests that need it are skipped.
const Toolchain *toolchain();

/// All messages of a log, one a line: "kind file:line:column message | note | note".
std::string text(const CodeGenLog &log);

/// Whether any message contains `part`.
bool contains(const CodeGenLog &log, llvm::StringRef part);

} // namespace tilec::test

#endif // TILEC_UNIT_CODEGEN_TESTMODULES_H
