//===- Program.cpp - device code compiled for the host ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::emu;

/// The host, with those of its features that give the results of IEEE 754 and are in wide use. Conversions to
/// bf16 of AVX-512 flush subnormals, so nothing of it.
static Expected<orc::JITTargetMachineBuilder> describeHost() {
  Expected<orc::JITTargetMachineBuilder> host = orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  host->setCodeGenOptLevel(CodeGenOptLevel::Less);
  host->getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  if (host->getTargetTriple().isX86()) {
    StringMap<bool> has = sys::getHostCPUFeatures();
    host->setCPU("x86-64");
    SubtargetFeatures features;
    for (const char *name : {"sse4.2", "avx", "avx2", "f16c", "fma", "bmi", "bmi2", "lzcnt", "popcnt"})
      features.AddFeature(name, has.lookup(name));
    host->getFeatures() = features;
  }
  return host;
}

static Expected<std::shared_ptr<const Program>>
compileModule(std::unique_ptr<Module> module, std::unique_ptr<LLVMContext> context, const ArchInfo &arch) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<orc::JITTargetMachineBuilder> host = describeHost();
  if (!host)
    return host.takeError();
  Expected<DataLayout> layout = host->getDefaultDataLayoutForTarget();
  if (!layout)
    return layout.takeError();
  auto program = std::make_shared<Program>();
  program->arch = &arch;
  program->code = instrument(*module, host->getTargetTriple(), *layout);
  Expected<std::unique_ptr<orc::LLJIT>> jit =
      orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*host)).create();
  if (!jit)
    return jit.takeError();
  program->jit = std::move(*jit);
  if (Error failure = defineRuntime(*program->jit))
    return std::move(failure);
  if (Error failure = program->jit->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))))
    return std::move(failure);
  for (const KernelEntry &kernel : program->code.kernels) {
    Expected<orc::ExecutorAddr> address = program->jit->lookup(kernel.symbol);
    if (!address)
      return address.takeError();
    program->kernels[kernel.name] = {address->toPtr<KernelFunction>(), &kernel};
  }
  return program;
}

std::shared_ptr<const Program> emu::compile(std::unique_ptr<Module> module,
                                            std::unique_ptr<LLVMContext> context, const ArchInfo &arch,
                                            std::string &error) {
  Expected<std::shared_ptr<const Program>> program =
      compileModule(std::move(module), std::move(context), arch);
  if (program)
    return *program;
  error = toString(program.takeError());
  return nullptr;
}
