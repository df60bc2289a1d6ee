//===- TestModules.cpp - modules at stage `nvvm` for the tests ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TestModules.h.
//
//===----------------------------------------------------------------------===//

#include "TestModules.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tilec;

std::unique_ptr<mlir::MLIRContext> test::makeContext() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  registerCodeGenTranslations(registry);
  auto context = std::make_unique<mlir::MLIRContext>(registry);
  context->loadAllAvailableDialects();
  return context;
}

mlir::OwningOpRef<mlir::Operation *> test::parseModule(mlir::MLIRContext &context, llvm::StringRef text) {
  mlir::OwningOpRef<mlir::ModuleOp> top = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(top);
  if (!top)
    return {};
  mlir::gpu::GPUModuleOp op = *top->getOps<mlir::gpu::GPUModuleOp>().begin();
  op->remove();
  return op.getOperation();
}

llvm::StringRef test::vectorAdd() {
  return R"mlir(
gpu.module @vector_add {
  llvm.func @vector_add_f32(%a: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %b: !llvm.ptr<1> {llvm.noalias, llvm.readonly},
                            %c: !llvm.ptr<1> {llvm.noalias}, %n: i64)
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>} {
    %c4 = llvm.mlir.constant(4 : i64) : i64
    %c1024 = llvm.mlir.constant(1024 : i64) : i64
    %zero = llvm.mlir.constant(0 : i32) : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32 loc("kernels/vector_add.tile":4:9)
    %tx = nvvm.read.ptx.sreg.tid.x : i32 loc("kernels/vector_add.tile":5:14)
    %bx64 = llvm.zext %bx : i32 to i64
    %tx64 = llvm.zext %tx : i32 to i64
    %base = llvm.mul %bx64, %c1024 : i64 loc("kernels/vector_add.tile":6:15)
    %lane = llvm.mul %tx64, %c4 : i64 loc("kernels/vector_add.tile":6:15)
    %i = llvm.add %base, %lane : i64 loc("kernels/vector_add.tile":6:15)
    %end = llvm.add %i, %c4 : i64 loc("kernels/vector_add.tile":6:15)
    %in = llvm.icmp "sle" %end, %n : i64 loc("kernels/vector_add.tile":6:15)
    %pa = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc("kernels/vector_add.tile":6:38)
    %pb = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc("kernels/vector_add.tile":6:58)
    %pc = llvm.getelementptr %c[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc("kernels/vector_add.tile":6:13)
    %va = llvm.inline_asm "/* tile:25 */ @$5 ld.global.nc.L1::no_allocate.L2::256B.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3" %pa, %in, %zero, %zero, %zero, %zero : (!llvm.ptr<1>, i1, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)> loc("kernels/vector_add.tile":6:38)
    %vb = llvm.inline_asm "/* tile:25 */ @$5 ld.global.nc.L1::no_allocate.L2::256B.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3" %pb, %in, %zero, %zero, %zero, %zero : (!llvm.ptr<1>, i1, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)> loc("kernels/vector_add.tile":6:58)
    %a0 = llvm.extractvalue %va[0] : !llvm.struct<(i32, i32, i32, i32)>
    %a1 = llvm.extractvalue %va[1] : !llvm.struct<(i32, i32, i32, i32)>
    %a2 = llvm.extractvalue %va[2] : !llvm.struct<(i32, i32, i32, i32)>
    %a3 = llvm.extractvalue %va[3] : !llvm.struct<(i32, i32, i32, i32)>
    %b0 = llvm.extractvalue %vb[0] : !llvm.struct<(i32, i32, i32, i32)>
    %b1 = llvm.extractvalue %vb[1] : !llvm.struct<(i32, i32, i32, i32)>
    %b2 = llvm.extractvalue %vb[2] : !llvm.struct<(i32, i32, i32, i32)>
    %b3 = llvm.extractvalue %vb[3] : !llvm.struct<(i32, i32, i32, i32)>
    %fa0 = llvm.bitcast %a0 : i32 to f32
    %fa1 = llvm.bitcast %a1 : i32 to f32
    %fa2 = llvm.bitcast %a2 : i32 to f32
    %fa3 = llvm.bitcast %a3 : i32 to f32
    %fb0 = llvm.bitcast %b0 : i32 to f32
    %fb1 = llvm.bitcast %b1 : i32 to f32
    %fb2 = llvm.bitcast %b2 : i32 to f32
    %fb3 = llvm.bitcast %b3 : i32 to f32
    %s0 = llvm.fadd %fa0, %fb0 : f32 loc("kernels/vector_add.tile":6:52)
    %s1 = llvm.fadd %fa1, %fb1 : f32 loc("kernels/vector_add.tile":6:52)
    %s2 = llvm.fadd %fa2, %fb2 : f32 loc("kernels/vector_add.tile":6:52)
    %s3 = llvm.fadd %fa3, %fb3 : f32 loc("kernels/vector_add.tile":6:52)
    %i0 = llvm.bitcast %s0 : f32 to i32
    %i1 = llvm.bitcast %s1 : f32 to i32
    %i2 = llvm.bitcast %s2 : f32 to i32
    %i3 = llvm.bitcast %s3 : f32 to i32
    llvm.inline_asm has_side_effects "/* tile:55 */ @$1 st.global.v4.b32 [$0], {$2, $3, $4, $5};", "l,b,r,r,r,r" %pc, %in, %i0, %i1, %i2, %i3 : (!llvm.ptr<1>, i1, i32, i32, i32, i32) -> () loc("kernels/vector_add.tile":6:13)
    // The vector that N cuts: element by element.
    %one = llvm.mlir.constant(1 : i64) : i64
    %rest = llvm.icmp "slt" %i, %n : i64 loc("kernels/vector_add.tile":6:15)
    %true = llvm.mlir.constant(true) : i1
    %out = llvm.xor %in, %true : i1
    %cut = llvm.and %rest, %out : i1
    llvm.cond_br %cut, ^tail(%i : i64), ^done
  ^tail(%j: i64):
    %ta = llvm.getelementptr %a[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %tb = llvm.getelementptr %b[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %tc = llvm.getelementptr %c[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %ta : !llvm.ptr<1> -> f32 loc("kernels/vector_add.tile":6:38)
    %y = llvm.load %tb : !llvm.ptr<1> -> f32 loc("kernels/vector_add.tile":6:58)
    %z = llvm.fadd %x, %y : f32 loc("kernels/vector_add.tile":6:52)
    llvm.store %z, %tc : f32, !llvm.ptr<1> loc("kernels/vector_add.tile":6:13)
    %next = llvm.add %j, %one : i64
    %more = llvm.icmp "slt" %next, %n : i64
    llvm.cond_br %more, ^tail(%next : i64), ^done
  ^done:
    llvm.return loc("kernels/vector_add.tile":8:1)
  } loc("kernels/vector_add.tile":2:1)
})mlir";
}

const Toolchain *test::toolchain() {
  static const std::optional<Toolchain> found = [] {
    CodeGenLog log;
    return findToolchain(ToolSearch::fromEnvironment(), log);
  }();
  return found ? &*found : nullptr;
}

std::string test::text(const CodeGenLog &log) {
  std::string all;
  for (const CodeGenDiagnostic &diagnostic : log.diagnostics) {
    static constexpr const char *kinds[] = {"bug", "environment", "limit"};
    all += kinds[int(diagnostic.kind)];
    all += " " + diagnostic.pos.file + ":" + std::to_string(diagnostic.pos.line) + ":" +
           std::to_string(diagnostic.pos.column) + " " + diagnostic.message;
    for (const std::string &note : diagnostic.notes)
      all += " | " + note;
    all += "\n";
  }
  return all;
}

bool test::contains(const CodeGenLog &log, llvm::StringRef part) {
  return llvm::StringRef(text(log)).contains(part);
}
