//===- OptimizeLLVM.cpp - our own short LLVM pipeline ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not -O3: unrolling, rotation, pipelining and vector widths are decided by our own passes, which LLVM would
// undo or repeat (it unrolled a small wgmma loop five times over). What is left for LLVM is address
// arithmetic, dead code, equal expressions and loop-invariant ones. The list is the whole policy; keep it
// readable.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/EmitLLVM.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace tilec;

static FunctionPassManager buildPipeline() {
  // Neither sinking nor hoisting of common code: both move loads and asm of two branches together, against
  // the order in which our passes issued them. Lookup tables and switches do not occur.
  SimplifyCFGOptions simple;
  simple.hoistCommonInsts(false).sinkCommonInsts(false).needCanonicalLoops(true);

  FunctionPassManager pipeline;
  pipeline.addPass(SROAPass(SROAOptions::PreserveCFG)); // fragments kept in structs and small arrays
  pipeline.addPass(InferAddressSpacesPass());           // generic pointers back to global and shared
  pipeline.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  pipeline.addPass(InstCombinePass());
  pipeline.addPass(SimplifyCFGPass(simple));
  pipeline.addPass(GVNPass());
  pipeline.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  pipeline.addPass(InstCombinePass());
  pipeline.addPass(SimplifyCFGPass(simple));
  pipeline.addPass(ADCEPass());
  return pipeline;
}

void tilec::optimizeLLVM(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);

  ModulePassManager pipeline;
  pipeline.addPass(AlwaysInlinerPass());
  pipeline.addPass(createModuleToFunctionPassAdaptor(buildPipeline()));
  pipeline.addPass(GlobalDCEPass()); // declarations of intrinsics that are no longer called
  pipeline.run(module, modules);
}
