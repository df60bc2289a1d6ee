//===- CodeGen.h - from stage `nvvm` to PTX, cubin and fatbin -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver calls: compileToPtx, then assemble, then bundle. All three may run for different modules on
// different threads at once (the MLIR context must then have multithreading enabled); each call takes a log
// of its own. Outputs depend on inputs only: same bytes in, same bytes out.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CODEGEN_CODEGEN_H
#define TILEC_CODEGEN_CODEGEN_H

#include "tilec/CodeGen/CodeGenLog.h"
#include "tilec/CodeGen/EmitLLVM.h"
#include "tilec/CodeGen/Toolchain.h"
#include "tilec/Target/ArchInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace tilec {

struct CodeGenOptions {
  PathPrefixMap paths;            ///< for file names in `.loc`
  bool forbidLocalMemory = false; ///< a `.local` depot is a bug (shipped kernels)
  bool keepLLVM = false;          ///< fill DeviceImage::llvm
};

struct AssembleOptions {
  /// The folder for the private temporary folder, on the file system of the outputs; empty: the system's.
  std::string tempDir;
  unsigned optLevel = 3; ///< ptxas -O
  /// Leave the lines out of the cubins. ptxas keeps them whenever the PTX has them, and a copy of the PTX as
  /// well; the machine code is the same.
  bool stripLines = false;
  bool dryRun = false;           ///< only record the commands; images and fatbin stay empty
  unsigned timeoutSeconds = 300; ///< of wall time for one ptxas
  unsigned splitCompile = 2;     ///< threads of one ptxas when there is more than one kernel
};

/// What one kernel needs, as ptxas reports it.
struct KernelResources {
  std::string kernel;
  unsigned registers = 0;         ///< 32-bit registers a thread
  unsigned barriers = 0;          ///< named barriers a block
  unsigned stackBytes = 0;        ///< a thread
  unsigned spillStoreBytes = 0;   ///< a thread
  unsigned spillLoadBytes = 0;    ///< a thread
  unsigned staticSharedBytes = 0; ///< a block; dynamic shared memory is not in it
};

/// A message of ptxas that is no error. Codes C75xx say that wgmma was serialised: a failed schedule.
struct PtxasWarning {
  std::string code;   ///< "C7513", or empty
  std::string kernel; ///< empty if it names none
  SourcePos pos;      ///< the `.tile` line of the PTX line it names, if it names one
  std::string message;

  bool isSerialization() const { return llvm::StringRef(code).starts_with("C75"); }
};

/// The code of one target.
struct DeviceImage {
  const ArchInfo *arch = nullptr;
  std::string llvm;                       ///< optimised LLVM IR if asked for
  std::string ptx;                        ///< set by compileToPtx
  std::vector<std::string> kernels;       ///< entry points, in the order of the module
  std::string cubin;                      ///< set by assemble; empty for a PTX-only target
  std::vector<KernelResources> resources; ///< set by assemble, in the order of `kernels`
  std::vector<PtxasWarning> warnings;     ///< set by assemble
};

/// The LLVM IR of one target as llc gets it: what the emulator runs.
struct DeviceModule {
  DeviceModule();
  DeviceModule(DeviceModule &&);
  DeviceModule &operator=(DeviceModule &&);
  ~DeviceModule();
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// Translates and optimises one gpu.module for `arch`. Failures as below.
std::optional<DeviceModule> compileToLLVM(mlir::Operation *gpuModule, const ArchInfo &arch,
                                          const CodeGenOptions &options, CodeGenLog &log);

/// Translates, optimises, emits and scans one gpu.module for `arch`. On failure the reasons are in `log`
/// (and, for ops that have no translation, in MLIR's diagnostics).
std::optional<DeviceImage> compileToPtx(mlir::Operation *gpuModule, const ArchInfo &arch,
                                        const CodeGenOptions &options, CodeGenLog &log);

/// Runs ptxas on image.ptx. Success is exit status 0 *and* a whole ELF file for CUDA *and* every kernel in
/// it. The PTX of a PTX-only target is assembled too, for its lowest chip, so that it is known to be good;
/// that cubin is dropped.
bool assemble(DeviceImage &image, const Toolchain &tools, const AssembleOptions &options, CodeGenLog &log);

/// Wraps the images into one fatbin and checks that it is whole and holds each of them. Images must be
/// assembled; at most one cubin and one PTX for a target, since the driver picks one only.
std::optional<std::string> bundle(llvm::ArrayRef<DeviceImage> images, const Toolchain &tools,
                                  const AssembleOptions &options, CodeGenLog &log);

} // namespace tilec

#endif // TILEC_CODEGEN_CODEGEN_H
