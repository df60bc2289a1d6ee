//===- Passes.td - from stage schedule to stage nvvm -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversion and the pass that prepares locations for LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CONVERSION_TILETONVVM_PASSES_TD
#define TILEC_CONVERSION_TILETONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileToNVVMPass : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into device functions in the llvm dialect";
  let description = [{
    Every `tile.kernel` becomes an `llvm.func` of the one `gpu.module @kernels`: the program of one thread. A fragment is
    a vector of the elements that the thread holds, a `tile.parallel` is unrolled over them, each access is the
    widest instruction its `tile.width` allows. The launch programs are dropped: they were printed at stage schedule.

    Every instruction that LLVM has no op for is an entry of tilec/CodeGen/PtxForms.def.

    Requires: stage schedule; the module's `tile.target`. Ensures: only `gpu`, `llvm` and `nvvm` ops.

    Before:
    ```mlir
    tile.kernel @k(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64) { … }
    ```
    After:
    ```mlir
    gpu.module @kernels {
      llvm.func @k(%C: !llvm.ptr<1>, %n: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>} { … }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

def TileFlattenLocationsPass : Pass<"tile-flatten-locations", "::mlir::ModuleOp"> {
  let summary = "Give every op one line of one file";
  let description = [{
    LLVM turns a fused location into line 0. A fused location becomes its first part that has a line, a named one
    what it names; the chain of a `callsite` stays. An op without a line gets that of the op before it.

    Requires: stage nvvm. Ensures: locations are `file:line:col` or `callsite` of such. Changes nothing else.
  }];
}

#endif // TILEC_CONVERSION_TILETONVVM_PASSES_TD
