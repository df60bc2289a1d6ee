// RUN: tile-opt %s --tile-pipeline="from=tile to=nvvm" --tile-verify-stage-each | FileCheck %s
// RUN: tile-opt %s --tile-pipeline="from=tile to=nvvm" -mlir-print-debuginfo > %t.mlir
// RUN: tilec --from=nvvm %t.mlir --target=sm_90a --emit=ptx -o - | FileCheck %s --check-prefix=PTX

// The whole way of a hand-written module. The aligned variant: all loads of both inputs, 16 bytes each and by the
// read-only path, then the sums, then the stores.
// CHECK: gpu.module @kernels
// CHECK-LABEL: llvm.func @add_kernel__aligned(
// CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{[a-z0-9]+}}: i64)
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>
// CHECK: llvm.cond_br %{{.*}}, ^bb1, ^bb2
// CHECK: ^bb1:
// CHECK-COUNT-8: llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NOT: llvm.load
// CHECK-COUNT-16: llvm.fadd
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// The tail: every element under its own predicate.
// CHECK: ^bb2:
// CHECK: llvm.inline_asm "/* tile:{{[0-9]+}} */ @$2 ld.global.nc.b32 $0, [$1];"
// CHECK: llvm.inline_asm has_side_effects "/* tile:{{[0-9]+}} */ @$1 st.global.b32 [$0], $2;"

// PTX-LABEL: .entry add_kernel__aligned(
// PTX-COUNT-8: ld.global.nc.v4.b32
// PTX-COUNT-4: st.global.v4.b32
module attributes {tile.stage = "tile", tile.target = #tile.target<"sm_90a">} {
  tile.entry @add(%A: !tile.ptr<f32>, %an: i64, %B: !tile.ptr<f32>, %bn: i64, %C: !tile.ptr<f32>, %cn: i64) params [
      #tile.tensor_param<name = "A", element = f32, access = in, extents = ["N"]>,
      #tile.tensor_param<name = "B", element = f32, access = in, extents = ["N"]>,
      #tile.tensor_param<name = "C", element = f32, access = out, extents = ["N"]>] {
    %c4096 = arith.constant 4096 : i64
    %blocks = arith.ceildivsi %an, %c4096 : i64
    tile.launch @add_kernel grid(%blocks) args(%A, %B, %C, %an : !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>, i64)
    tile.return
  }
  tile.kernel @add_kernel(%A: !tile.ptr<f32> {tile.name = "A", tile.access = #tile.access<in>},
                          %B: !tile.ptr<f32> {tile.name = "B", tile.access = #tile.access<in>},
                          %C: !tile.ptr<f32> {tile.name = "C", tile.access = #tile.access<out>},
                          %N: i64 {tile.name = "N"}) {
    %c4096 = arith.constant 4096 : i64
    %blocks = arith.ceildivsi %N, %c4096 : i64
    %a = tile.global %A sizes [%N] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
    %b = tile.global %B sizes [%N] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
    %c = tile.global %C sizes [%N] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
    tile.grid (%bx) in (%blocks) threads(256) {
      tile.parallel (%i) in (4096) {
        %base = arith.muli %bx, %c4096 : i64
        %at = arith.addi %base, %i : i64
        %x = tile.read %a[%at] : !tile.global<?xf32> -> f32
        %y = tile.read %b[%at] : !tile.global<?xf32> -> f32
        %z = arith.addf %x, %y : f32
        tile.write %z, %c[%at] : !tile.global<?xf32>
      }
    }
    tile.return
  }
}
