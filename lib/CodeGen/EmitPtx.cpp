//===- EmitPtx.cpp - llc in process ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the NVPTX target machine of a row of Arch.def and runs its code generator. One machine serves one
// module on one thread.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/EmitLLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace llvm;
using namespace tilec;

static void initializeNvptx() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

std::unique_ptr<TargetMachine> tilec::createTargetMachine(const ArchInfo &arch) {
  initializeNvptx();
  Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    report_fatal_error(Twine("LLVM was built without NVPTX: ") + error);
  // Standard contraction: `a * b + c` becomes one instruction where the op's own flag says so, and nowhere
  // else.
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(triple, arch.llcCpu, arch.ptxAttribute(),
                                                                    options, Reloc::PIC_, std::nullopt,
                                                                    CodeGenOptLevel::Default));
}

namespace {
/// Collects what the back end complains about, which would otherwise be printed and end the process.
class DiagnosticCollector : public DiagnosticHandler {
public:
  explicit DiagnosticCollector(CodeGenLog &log, bool &failed) : log(log), failed(failed) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    std::string text;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    SourcePos pos;
    if (const auto *located = dyn_cast<DiagnosticInfoUnsupported>(&info);
        located && located->isLocationAvailable())
      pos = {located->getLocation().getRelativePath().str(), located->getLocation().getLine(),
             located->getLocation().getColumn()};
    log.report(CodeGenDiagnostic::Kind::CompilerBug, pos, "the NVPTX back end rejected the module: " + text);
    failed = true;
    return true;
  }

private:
  CodeGenLog &log;
  bool &failed;
};
} // namespace

bool tilec::emitPtx(Module &module, TargetMachine &machine, std::string &ptx, CodeGenLog &log) {
  bool failed = false;
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<DiagnosticCollector>(log, failed));

  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  bool unsupported = machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile);
  if (unsupported)
    report_fatal_error("NVPTX cannot emit assembly");
  passes.run(module);

  context.setDiagnosticHandler(std::move(previous));
  ptx = std::string(text);
  // LLVM opens this section for every module with locations; empty as it is, it would mark a debug build.
  constexpr StringRef emptySection = "\t.section\t.debug_macinfo\t{\t}\n";
  if (size_t at = ptx.find(emptySection); at != std::string::npos)
    ptx.erase(at, emptySection.size());
  return !failed;
}
