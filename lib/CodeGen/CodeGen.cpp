//===- CodeGen.cpp - from a gpu.module to checked PTX ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of stages `llvm` and `ptx` in their order, each timed.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/CodeGen.h"
#include "tilec/CodeGen/ScanPtx.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace tilec;

DeviceModule::DeviceModule() = default;
DeviceModule::DeviceModule(DeviceModule &&) = default;
DeviceModule &DeviceModule::operator=(DeviceModule &&) = default;
DeviceModule::~DeviceModule() = default;

/// Stage `llvm`: what llc gets.
static std::unique_ptr<llvm::Module> makeLLVM(mlir::Operation *gpuModule, llvm::LLVMContext &context,
                                              const ArchInfo &arch, llvm::TargetMachine &machine,
                                              const CodeGenOptions &options, CodeGenLog &log) {
  std::unique_ptr<llvm::Module> module;
  {
    StepTimer timer(log, "translate");
    module = translateToLLVM(gpuModule, context, machine, options.paths, log);
    if (!module || !markConvergent(*module, arch, log))
      return nullptr;
  }
  StepTimer timer(log, "llvm");
  optimizeLLVM(*module, machine);
  return module;
}

std::optional<DeviceModule> tilec::compileToLLVM(mlir::Operation *gpuModule, const ArchInfo &arch,
                                                 const CodeGenOptions &options, CodeGenLog &log) {
  DeviceModule result;
  result.context = std::make_unique<llvm::LLVMContext>();
  result.module = makeLLVM(gpuModule, *result.context, arch, *createTargetMachine(arch), options, log);
  if (!result.module)
    return std::nullopt;
  return result;
}

std::optional<DeviceImage> tilec::compileToPtx(mlir::Operation *gpuModule, const ArchInfo &arch,
                                               const CodeGenOptions &options, CodeGenLog &log) {
  DeviceImage image;
  image.arch = &arch;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(arch);
  std::unique_ptr<llvm::Module> module = makeLLVM(gpuModule, context, arch, *machine, options, log);
  if (!module)
    return std::nullopt;
  for (const llvm::Function &function : *module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel && !function.isDeclaration())
      image.kernels.push_back(function.getName().str());
  if (options.keepLLVM)
    image.llvm = printLLVM(*module);
  {
    StepTimer timer(log, "ptx");
    if (!emitPtx(*module, *machine, image.ptx, log))
      return std::nullopt;
  }
  StepTimer timer(log, "scan");
  ScanOptions scan;
  scan.forbidLocalMemory = options.forbidLocalMemory;
  if (!scanPtx(image.ptx, scan, log))
    return std::nullopt;
  return image;
}
