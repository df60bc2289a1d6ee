//===- EmitLLVM.h - from a gpu.module to optimised LLVM IR and PTX --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of stages `llvm` and `ptx`, one function each. The driver normally calls compileToPtx
// (CodeGen.h), which runs them in order; the emulator takes the module that optimizeLLVM leaves, which is
// what llc sees.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CODEGEN_EMITLLVM_H
#define TILEC_CODEGEN_EMITLLVM_H

#include "mlir/Support/LLVM.h"
#include "tilec/CodeGen/CodeGenLog.h"
#include "tilec/Target/ArchInfo.h"
#include <memory>
#include <utility>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class Operation;
} // namespace mlir

namespace tilec {

/// Registers the translations that translateToLLVM needs (builtin, gpu, llvm, nvvm). Call it once on the
/// registry of every context; extending a context later is not thread-safe.
void registerCodeGenTranslations(mlir::DialectRegistry &registry);

/// Replaces path prefixes in file names: the first pair whose `first` is a prefix ending at a path component.
using PathPrefixMap = std::vector<std::pair<std::string, std::string>>;
std::string mapPathPrefix(llvm::StringRef path, const PathPrefixMap &map);

/// The NVPTX target machine of `arch`; also initialises LLVM's NVPTX back end, once. Never null.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const ArchInfo &arch);

/// Translates one gpu.module of llvm and nvvm ops to LLVM IR with triple and data layout. Does not change
/// `gpuModule`. Every instruction whose op has a file location carries a debug location: functions get the
/// debug scopes that LLVM needs for `.loc` lines here, file names are those of the locations, mapped; no
/// working directory enters. Returns null after a report to `log` (or by MLIR's diagnostics, for ops that
/// cannot be translated).
std::unique_ptr<llvm::Module> translateToLLVM(mlir::Operation *gpuModule, llvm::LLVMContext &context,
                                              llvm::TargetMachine &machine, const PathPrefixMap &paths,
                                              CodeGenLog &log);

/// mark-convergent: checks that every inline asm, nvvm intrinsic and external function is a row of
/// PtxForms.def that `arch` has, and gives each call the attributes of its row: `convergent` for what several
/// threads execute together (MLIR's inline asm lacks it, so LLVM would duplicate it into divergent branches),
/// memory effects for the rest. Must run before any LLVM pass. Returns false after reports.
bool markConvergent(llvm::Module &module, const ArchInfo &arch, CodeGenLog &log);

/// Our own short pipeline: cleans up, merges, hoists. No unrolling, vectorisation, rotation or jump
/// threading.
void optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine);

/// Runs llc's passes in process. The module is used up: it may be changed by code generation.
bool emitPtx(llvm::Module &module, llvm::TargetMachine &machine, std::string &ptx, CodeGenLog &log);

/// The textual LLVM IR, for --emit=llvm.
std::string printLLVM(const llvm::Module &module);

} // namespace tilec

#endif // TILEC_CODEGEN_EMITLLVM_H
