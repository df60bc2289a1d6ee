//===- EmitLLVMTest.cpp - translation, marking, optimising, PTX -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations up to `.loc`, refusal of calls outside the table, and that convergence keeps LLVM from
// duplicating what a warp must execute together.
//
//===----------------------------------------------------------------------===//

#include "TestModules.h"
#include "tilec/CodeGen/PtxForms.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"
#include <thread>

using namespace tilec;
using namespace tilec::test;

namespace {

const ArchInfo &arch(llvm::StringRef name) { return *ArchInfo::find(name); }

size_t occurrences(llvm::StringRef text, llvm::StringRef part) { return text.count(part); }

std::unique_ptr<llvm::Module> parseIR(llvm::LLVMContext &context, llvm::StringRef text) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str() << " in " << error.getLineContents().str();
  return module;
}

TEST(EmitLLVM, VectorAddForEveryTarget) {
  auto context = makeContext();
  auto module = parseModule(*context, vectorAdd());
  for (const ArchInfo &target : ArchInfo::all()) {
    CodeGenLog log;
    std::optional<DeviceImage> image = compileToPtx(*module, target, {}, log);
    ASSERT_TRUE(image) << text(log);
    EXPECT_EQ(image->kernels, std::vector<std::string>{"vector_add_f32"});
    llvm::StringRef ptx = image->ptx;
    EXPECT_TRUE(ptx.contains((".target " + target.llcCpu).str())) << image->ptx;
    EXPECT_TRUE(ptx.contains(".version " + std::to_string(target.ptxVersion / 10) + "." +
                             std::to_string(target.ptxVersion % 10)));
    EXPECT_TRUE(ptx.contains(".reqntid 256"));
    EXPECT_EQ(occurrences(ptx, "/* tile:25 */"), 2u);
    EXPECT_EQ(occurrences(ptx, "st.global.v4.b32"), 1u);
    EXPECT_FALSE(ptx.contains(".local"));
    // Not unrolled, not vectorised: one scalar tail.
    EXPECT_EQ(occurrences(ptx, "add.rn.f32"), 5u) << image->ptx;
  }
}

TEST(EmitLLVM, AccessesAreNaturallyAligned) {
  auto context = makeContext();
  auto module = parseModule(*context, R"mlir(
gpu.module @m {
  llvm.func @maximum(%a: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %a : !llvm.ptr<1> -> f64
    %y = llvm.intr.maxnum(%x, %x) : (f64, f64) -> f64
    %b = llvm.getelementptr %a[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f64
    %n = llvm.load %b : !llvm.ptr<1> -> i64
    llvm.store %y, %b : f64, !llvm.ptr<1>
    llvm.store %n, %a : i64, !llvm.ptr<1>
    llvm.return
  }
}
)mlir");
  CodeGenLog log;
  std::optional<DeviceImage> image = compileToPtx(*module, arch("sm_90a"), {}, log);
  ASSERT_TRUE(image) << text(log);
  llvm::StringRef ptx = image->ptx;
  EXPECT_EQ(occurrences(ptx, "ld.global.b64"), 2u) << image->ptx;
  EXPECT_EQ(occurrences(ptx, "st.global.b64"), 2u) << image->ptx;
  EXPECT_FALSE(ptx.contains("global.b32")) << image->ptx;
}

TEST(EmitLLVM, LocationsOfEveryKindReachThePtx) {
  auto context = makeContext();
  auto module = parseModule(*context, vectorAdd());
  CodeGenLog log;
  std::optional<DeviceImage> image = compileToPtx(*module, arch("sm_80"), {}, log);
  ASSERT_TRUE(image) << text(log);
  llvm::StringRef ptx = image->ptx;
  EXPECT_TRUE(ptx.contains(".file\t1 \"kernels/vector_add.tile\"")) << image->ptx;
  for (llvm::StringRef place : {"\t.loc\t1 6 38", "\t.loc\t1 6 52", "\t.loc\t1 6 13", "\t.loc\t1 8 1"})
    EXPECT_TRUE(ptx.contains(place)) << place.str() << "\n" << image->ptx;
  // Lines only: debug sections would name the host and change the cubin.
  EXPECT_FALSE(ptx.contains(".section")) << image->ptx;
  EXPECT_FALSE(ptx.contains(", debug"));
}

TEST(EmitLLVM, PathPrefixesAreMapped) {
  EXPECT_EQ(mapPathPrefix("/home/me/x/a.tile", {{"/home/me", "src"}}), "src/x/a.tile");
  EXPECT_EQ(mapPathPrefix("/home/me/a.tile", {{"/home/me/", ""}}), "a.tile");
  EXPECT_EQ(mapPathPrefix("/home/mealy/a.tile", {{"/home/me", "src"}}), "/home/mealy/a.tile");
  EXPECT_EQ(mapPathPrefix("a.tile", {{"b", "c"}, {"a.tile", "d"}}), "d");

  auto context = makeContext();
  auto module = parseModule(*context, vectorAdd());
  CodeGenLog log;
  CodeGenOptions options;
  options.paths = {{"kernels", "mapped"}};
  std::optional<DeviceImage> image = compileToPtx(*module, arch("sm_80"), options, log);
  ASSERT_TRUE(image) << text(log);
  EXPECT_TRUE(llvm::StringRef(image->ptx).contains("\"mapped/vector_add.tile\""));
  EXPECT_FALSE(llvm::StringRef(image->ptx).contains("kernels/"));
}

/// A call without a location would make LLVM's verifier refuse the module; an op of another file keeps its
/// own.
TEST(EmitLLVM, CallsAndImportedLines) {
  auto context = makeContext();
  auto module = parseModule(*context, R"(
gpu.module @m {
  llvm.func @helper(%x: i32) -> i32 attributes {no_inline} {
    %c = llvm.mlir.constant(7 : i32) : i32
    %y = llvm.mul %x, %c : i32 loc("lib.tile":3:5)
    llvm.return %y : i32
  } loc("lib.tile":2:1)
  llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
    %y = llvm.call @helper(%x) : (i32) -> i32
    %c = llvm.mlir.constant(3 : i32) : i32
    %z = llvm.xor %y, %c : i32 loc(callsite("lib.tile":9:2 at "main.tile":5:5))
    llvm.store %z, %p : i32, !llvm.ptr<1> loc("main.tile":6:5)
    llvm.return
  } loc("main.tile":4:1)
})");
  CodeGenLog log;
  std::optional<DeviceImage> image = compileToPtx(*module, arch("sm_80"), {}, log);
  ASSERT_TRUE(image) << text(log);
  EXPECT_TRUE(llvm::StringRef(image->ptx).contains("\"lib.tile\""));
  EXPECT_TRUE(llvm::StringRef(image->ptx).contains("\"main.tile\""));
  EXPECT_TRUE(llvm::StringRef(image->ptx).contains(" 6 5"));
  EXPECT_EQ(image->kernels, std::vector<std::string>{"k"});
}

TEST(EmitLLVM, SameBytesEveryTimeAndOnEveryThread) {
  auto context = makeContext();
  auto module = parseModule(*context, vectorAdd());
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string &result : texts)
    threads.emplace_back([&] {
      CodeGenLog log;
      if (std::optional<DeviceImage> image = compileToPtx(*module, arch("sm_90a"), {}, log))
        result = image->ptx;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(texts[0].empty());
  for (const std::string &result : texts)
    EXPECT_EQ(result, texts[0]);
}

TEST(EmitLLVM, WithinTheTimeBudget) {
  auto context = makeContext();
  auto module = parseModule(*context, vectorAdd());
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    CodeGenLog log;
    ASSERT_TRUE(compileToPtx(*module, arch("sm_80"), {}, log));
    std::vector<std::string> steps;
    double seconds = 0;
    for (const StepTime &time : log.times) {
      steps.push_back(time.step);
      seconds += time.seconds;
    }
    EXPECT_EQ(steps, (std::vector<std::string>{"translate", "llvm", "ptx", "scan"}));
    best = std::min(best, seconds);
  }
  EXPECT_LT(best, 0.1);
}

std::string compileBody(llvm::StringRef body, llvm::StringRef target = "sm_80") {
  auto context = makeContext();
  auto module = parseModule(*context, ("gpu.module @m {\n" + body + "\n}").str());
  CodeGenLog log;
  if (module && compileToPtx(*module, arch(target), {}, log))
    return "accepted";
  return text(log);
}

TEST(MarkConvergent, RefusesCallsOutsideTheTable) {
  EXPECT_EQ(compileBody(R"(
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "" : () -> () loc("a.tile":3:4)
    llvm.return
  } loc("a.tile":1:1))"),
            "bug a.tile:3:4 inline PTX 'wgmma.fence.sync.aligned;' is not an entry of the table of forms\n");
  // The tag alone is not enough: the text has to be the row's.
  EXPECT_EQ(
      compileBody(R"(
  llvm.func @k(%x: f32) attributes {nvvm.kernel} {
    %y = llvm.inline_asm "/* tile:116 */ tanh.approx.f32 $1, $0;", "=f,f" %x : (f32) -> f32 loc("a.tile":3:4)
    llvm.return
  } loc("a.tile":1:1))"),
      "bug a.tile:3:4 inline PTX '/* tile:116 */ tanh.approx.f32 $1, $0;' is not an entry of the table of "
      "forms\n");
  EXPECT_EQ(compileBody(R"(
  llvm.func @k(%x: f32) attributes {nvvm.kernel} {
    %y = llvm.inline_asm has_side_effects "/* tile:116 */ tanh.approx.f32 $0, $1;", "=f,f" %x : (f32) -> f32
    llvm.return
  } loc("a.tile":1:1))")
                .rfind("bug", 0),
            0u);
  EXPECT_EQ(
      compileBody(R"(
  llvm.func @k() attributes {nvvm.kernel} {
    %x = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.clock64"() : () -> i64 loc("a.tile":3:4)
    llvm.return
  } loc("a.tile":1:1))"),
      "bug a.tile:3:4 intrinsic 'llvm.nvvm.read.ptx.sreg.clock64' is not an entry of the table of forms\n");
  EXPECT_EQ(compileBody(R"(
  llvm.func @cosf(f32) -> f32
  llvm.func @k(%x: f32) attributes {nvvm.kernel} {
    %y = llvm.call @cosf(%x) : (f32) -> f32 loc("a.tile":3:4)
    llvm.return
  } loc("a.tile":1:1))"),
            "bug a.tile:3:4 external function 'cosf' is not an entry of the table of forms\n");
}

TEST(MarkConvergent, RefusesFormsThatTheTargetLacks) {
  llvm::StringRef body = R"(
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %y = llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%x, %x) : (f32, f32) -> i16 loc("a.tile":3:4)
    llvm.store %y, %p : i16, !llvm.ptr<1>
    llvm.return
  } loc("a.tile":1:1))";
  EXPECT_EQ(compileBody(body, "sm_80"),
            "bug a.tile:3:4 form 'CvtE4m3x2' needs feature 'fp8_cvt', which sm_80 lacks\n");
  EXPECT_EQ(compileBody(body, "sm_89"), "accepted");
}

/// Branching on a value that is constant in each predecessor invites LLVM to give each its own copy of the
/// block.
/// `-O3` does so with an asm that is not convergent, also ours (the control case), and our pipeline may not.
const char duplicationCase[] = R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i1 %c, ptr addrspace(1) %p) {
entry:
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr addrspace(1) %p
  br label %join
b:
  store volatile i32 2, ptr addrspace(1) %p
  br label %join
join:
  %which = phi i1 [ true, %a ], [ false, %b ]
  call void asm sideeffect "bar.sync 0;", ""()
  br i1 %which, label %x, label %y
x:
  store volatile i32 3, ptr addrspace(1) %p
  br label %end
y:
  store volatile i32 4, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
)";

size_t barriersAfter(bool convergent, bool ours) {
  llvm::LLVMContext context;
  auto module = parseIR(context, duplicationCase);
  auto machine = createTargetMachine(arch("sm_90a"));
  module->setDataLayout(machine->createDataLayout());
  if (convergent)
    for (llvm::BasicBlock &block : *module->getFunction("k"))
      for (llvm::Instruction &inst : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&inst))
          call->setConvergent();
  if (ours) {
    optimizeLLVM(*module, *machine);
  } else {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager callGraph;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(machine.get());
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(callGraph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, callGraph, modules);
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(*module, modules);
  }
  return occurrences(printLLVM(*module), "\"bar.sync 0;\"");
}

TEST(MarkConvergent, KeepsCollectivesSingle) {
  EXPECT_EQ(barriersAfter(/*convergent=*/false, /*ours=*/false), 2u)
      << "LLVM has become careful: simplify this";
  EXPECT_EQ(barriersAfter(/*convergent=*/true, /*ours=*/false), 1u);
  EXPECT_EQ(barriersAfter(/*convergent=*/true, /*ours=*/true), 1u);
}

/// Every form that several threads execute together is marked, every other asm is not.
TEST(MarkConvergent, MarksByTheTable) {
  llvm::LLVMContext context;
  auto module = parseIR(context, R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i1 %c, i32 %x, float %f) {
  %t = call float asm "/* tile:116 */ tanh.approx.f32 $0, $1;", "=f,f"(float %f)
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 0, i32 31)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void asm sideeffect "/* tile:57 */ @$1 st.global.b32 [$0], $2;", "l,b,r"(ptr addrspace(1) %p, i1 %c, i32 %s)
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)");
  CodeGenLog log;
  ASSERT_TRUE(markConvergent(*module, arch("sm_80"), log)) << text(log);
  std::vector<bool> convergent, writes;
  for (llvm::Instruction &inst : module->getFunction("k")->getEntryBlock())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&inst)) {
      convergent.push_back(call->isConvergent());
      writes.push_back(call->mayWriteToMemory());
    }
  EXPECT_EQ(convergent, (std::vector<bool>{false, true, true, false}));
  EXPECT_FALSE(writes[0]);
  EXPECT_TRUE(writes[3]);
}

/// Pure asm merges and disappears when unused; updates do neither.
TEST(OptimizeLLVM, PureFormsMerge) {
  llvm::LLVMContext context;
  auto module = parseIR(context, R"(
define ptx_kernel void @k(ptr addrspace(1) %p, float %f) {
  %a = call float asm "/* tile:116 */ tanh.approx.f32 $0, $1;", "=f,f"(float %f)
  %b = call float asm "/* tile:116 */ tanh.approx.f32 $0, $1;", "=f,f"(float %f)
  %unused = call float asm "/* tile:105 */ rcp.approx.f32 $0, $1;", "=f,f"(float %f)
  %s = fadd float %a, %b
  %i = bitcast float %s to i32
  call void asm sideeffect "/* tile:240 */ @$1 red.relaxed.gpu.global.add.u32 [$0], $2;", "l,b,r"(ptr addrspace(1) %p, i1 true, i32 %i)
  call void asm sideeffect "/* tile:240 */ @$1 red.relaxed.gpu.global.add.u32 [$0], $2;", "l,b,r"(ptr addrspace(1) %p, i1 true, i32 %i)
  ret void
}
)");
  auto machine = createTargetMachine(arch("sm_80"));
  module->setDataLayout(machine->createDataLayout());
  CodeGenLog log;
  ASSERT_TRUE(markConvergent(*module, arch("sm_80"), log)) << text(log);
  optimizeLLVM(*module, *machine);
  std::string ir = printLLVM(*module);
  EXPECT_EQ(occurrences(ir, "tile:116"), 1u) << ir;
  EXPECT_EQ(occurrences(ir, "tile:105"), 0u) << ir;
  EXPECT_EQ(occurrences(ir, "tile:240"), 2u) << ir;
}

TEST(OptimizeLLVM, LoopsStayAsTheyAre) {
  llvm::LLVMContext context;
  auto module = parseIR(context, R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, float %f) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %acc = phi float [ 0.0, %entry ], [ %sum, %body ]
  %go = icmp slt i32 %i, %n
  br i1 %go, label %body, label %exit
body:
  %t = call float asm "/* tile:116 */ tanh.approx.f32 $0, $1;", "=f,f"(float %acc)
  %sum = fadd float %acc, %t
  %next = add i32 %i, 1
  br label %head
exit:
  store float %acc, ptr addrspace(1) %p
  ret void
}
)");
  auto machine = createTargetMachine(arch("sm_80"));
  module->setDataLayout(machine->createDataLayout());
  CodeGenLog log;
  ASSERT_TRUE(markConvergent(*module, arch("sm_80"), log));
  optimizeLLVM(*module, *machine);
  std::string ptx;
  ASSERT_TRUE(emitPtx(*module, *machine, ptx, log)) << text(log);
  EXPECT_EQ(occurrences(ptx, "tanh.approx.f32"), 1u) << ptx;
}

TEST(EmitLLVM, KeepsLLVMOnDemand) {
  auto context = makeContext();
  auto module = parseModule(*context, vectorAdd());
  CodeGenLog log;
  CodeGenOptions options;
  options.keepLLVM = true;
  std::optional<DeviceImage> image = compileToPtx(*module, arch("sm_80"), options, log);
  ASSERT_TRUE(image);
  EXPECT_TRUE(llvm::StringRef(image->llvm).contains("define ptx_kernel void @vector_add_f32"));
  EXPECT_TRUE(llvm::StringRef(image->llvm).contains("target triple = \"nvptx64-nvidia-cuda\""));
}

} // namespace
