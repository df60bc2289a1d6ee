//===- MarkConvergent.cpp - gives calls the attributes of their table row -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM may duplicate a call into two branches unless it is `convergent`, and MLIR's inline asm has no way to
// say so. Seen: `opt -O3` copied a wgmma `.aligned` into both sides of a thread-dependent branch. All
// knowledge comes from PtxForms.def; a call that is no row of it is refused, since nobody would know what it
// does.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/EmitLLVM.h"
#include "tilec/CodeGen/PtxForms.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;
using namespace tilec;

static SourcePos positionOf(const Instruction &inst) {
  if (const DILocation *loc = inst.getDebugLoc())
    return {loc->getFilename().str(), loc->getLine(), loc->getColumn()};
  return {};
}

/// Effects of an asm row on memory, as LLVM sees them. Only asm: intrinsics have theirs already.
static MemoryEffects memoryEffectsOf(const PtxForm &form) {
  switch (form.effects) {
  case PtxEffects::Pure:
    return MemoryEffects::none();
  case PtxEffects::ReadConst:
  case PtxEffects::Read:
    return MemoryEffects::argMemOnly(ModRefInfo::Ref);
  case PtxEffects::Write:
    return MemoryEffects::argMemOnly(ModRefInfo::Mod);
  case PtxEffects::ReadWrite:
    return MemoryEffects::argMemOnly(ModRefInfo::ModRef);
  case PtxEffects::Sync:
  case PtxEffects::Control:
    return MemoryEffects::unknown();
  }
  llvm_unreachable("unknown effects");
}

static void annotateAsm(CallInst &call, const PtxForm &form) {
  call.addFnAttr(Attribute::NoUnwind);
  if (form.effects != PtxEffects::Control)
    call.addFnAttr(Attribute::WillReturn);
  call.setMemoryEffects(memoryEffectsOf(form));
}

namespace {
/// The row of a call, or why it has none. Calls of functions with a body and of LLVM's own intrinsics need
/// none.
struct Lookup {
  const PtxForm *form = nullptr;
  std::string problem;
};
} // namespace

static Lookup lookUp(const CallInst &call) {
  if (const auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand())) {
    const PtxForm *form = PtxForm::findAsm(assembly->getAsmString());
    if (!form)
      return {nullptr,
              ("inline PTX '" + assembly->getAsmString() + "' is not an entry of the table of forms").str()};
    if (assembly->getConstraintString() != form->constraints() ||
        assembly->hasSideEffects() != form->hasSideEffectFlag())
      return {nullptr, ("inline PTX '" + assembly->getAsmString() + "' has constraints '" +
                        assembly->getConstraintString() + "' or a side effect flag that differ from form '" +
                        form->name + "' of the table")
                           .str()};
    return {form, ""};
  }
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return {nullptr, "indirect calls have no entry in the table of forms"};
  if (!callee->isDeclaration())
    return {};
  const PtxForm *form = PtxForm::findCallee(callee->getName());
  if (form || (callee->isIntrinsic() && !callee->getName().starts_with("llvm.nvvm.")))
    return {form, ""};
  return {nullptr, ((callee->isIntrinsic() ? "intrinsic '" : "external function '") + callee->getName() +
                    "' is not an entry of the table of forms")
                       .str()};
}

bool tilec::markConvergent(Module &module, const ArchInfo &arch, CodeGenLog &log) {
  bool good = true;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    // A body may contain anything; LLVM drops the attribute where it proves that it does not.
    function.setConvergent();
    function.setDoesNotThrow();
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&inst);
      if (!call)
        continue;
      Lookup found = lookUp(*call);
      if (found.problem.empty() && found.form && !found.form->isAvailableOn(arch))
        found.problem = ("form '" + found.form->name + "' needs feature '" +
                         getFeatureName(*found.form->needs) + "', which " + arch.name + " lacks")
                            .str();
      if (!found.problem.empty()) {
        log.report(CodeGenDiagnostic::Kind::CompilerBug, positionOf(inst), found.problem);
        good = false;
        continue;
      }
      if (!found.form) {
        if (const Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
          call->setConvergent();
        continue;
      }
      if (found.form->kind == PtxKind::Asm)
        annotateAsm(*call, *found.form);
      if (found.form->isConvergent())
        call->setConvergent();
    }
  }
  return good;
}
