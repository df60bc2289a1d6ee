// RUN: tile-opt %s -tile-select-copies -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-select-copies -split-input-file --remarks-filter="tile-select-copies" 2>&1 | FileCheck %s --check-prefix=REMARK

// The pointer's alignment, the row's length and the offset decide; a 16-byte access moves 8 elements of f16.
// CHECK-LABEL: tile.kernel @widths
// CHECK: tile.read %{{.*}} {tile.guard = 8 : i64, tile.width = 8 : i64}
// CHECK: tile.read %{{.*}} {tile.guard = 4 : i64, tile.width = 4 : i64}
// CHECK: tile.read %{{.*}} {tile.guard = 2 : i64, tile.width = 2 : i64}
// CHECK: tile.read %{{.*}}] : !tile.global
// CHECK: tile.read %{{.*}}] : !tile.global
// CHECK: tile.read %{{.*}}] : !tile.global
// REMARK-DAG: loads of 16 bytes
// REMARK-DAG: loads of at most 8 bytes: offsets and strides are multiples of 4 elements only
// REMARK-DAG: loads of at most 4 bytes: the pointer is aligned to 4 bytes only
// REMARK-DAG: loads of at most 2 bytes: no index of the loop is contiguous in it
// REMARK-DAG: loads of at most 2 bytes: it is in a loop or a condition
// REMARK-DAG: loads of at most 2 bytes: offsets and strides are multiples of 1 elements only
tile.kernel @widths(%A: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.align = 16 : i64},
                    %B: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.align = 4 : i64}, %n: i64, %m: i64 {tile.divisible = 4 : i64}, %c: i1) {
  %c64 = arith.constant 64 : i64
  %a = tile.global %A sizes [%n, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
  %a4 = tile.global %A sizes [%n, %m] strides [%m, 1] : !tile.ptr<f16> -> !tile.global<?x?xf16>
  %a1 = tile.global %A sizes [%n, %n] strides [%n, 1] : !tile.ptr<f16> -> !tile.global<?x?xf16>
  %b = tile.global %B sizes [%n, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
  tile.grid (%g) in (%n) threads(128) {
    tile.parallel (%i, %j) in (16, 64) {
      %row = arith.addi %g, %i : i64
      %0 = tile.read %a[%row, %j] : !tile.global<?x64xf16> -> f16
      %1 = tile.read %a4[%row, %j] : !tile.global<?x?xf16> -> f16
      %2 = tile.read %b[%row, %j] : !tile.global<?x64xf16> -> f16
      %twice = arith.addi %j, %j : i64
      %3 = tile.read %a[%row, %twice] : !tile.global<?x64xf16> -> f16
      %4 = tile.read %a1[%row, %j] : !tile.global<?x?xf16> -> f16
      scf.if %c {
        %5 = tile.read %a[%row, %j] : !tile.global<?x64xf16> -> f16
      }
    }
  }
  tile.return
}

// -----

// Region ops on tensors become elementwise ones.
// CHECK-LABEL: tile.kernel @regions
// CHECK: tile.parallel (%[[I:.*]]) in (32)
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[I]]
// CHECK: tile.write %{{.*}}, %{{.*}}[%{{.*}}, %[[AT]]] {tile.guard = 4 : i64, tile.width = 4 : i64}
// CHECK: tile.parallel (%[[J:.*]]) in (32)
// CHECK: %[[V:.*]] = tile.read %{{.*}}[%[[J]]] {in_bounds} : !tile.fragment<32xf32>
// CHECK: tile.atomic <add> %[[V]],
// CHECK: %[[F:.*]] = tile.load %{{.*}} extents [1, 32] {tile.guard = 4 : i64, tile.width = 4 : i64} : !tile.global<?x64xf32> -> !tile.fragment<32xf32>
// CHECK: %[[H:.*]] = tile.convert %[[F]]
// CHECK: tile.store %[[H]], %{{.*}} extents [1, 32] {tile.guard = 8 : i64, tile.width = 8 : i64}
tile.kernel @regions(%A: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.align = 16 : i64},
                     %C: !tile.ptr<f16> {tile.access = #tile.access<out>, tile.align = 16 : i64}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c32 = arith.constant 32 : i64
  %a = tile.global %A sizes [%n, 64] strides [64, 1] : !tile.ptr<f32> -> !tile.global<?x64xf32>
  %c = tile.global %C sizes [%n, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
  tile.grid (%b) in (%n) threads(128) {
    tile.fill %v, %a[%b, %c32] extents [1, 32] : !tile.global<?x64xf32>
    %f = tile.fragment %v : !tile.fragment<32xf32>
    tile.atomic_tile <add> %f, %a[%b, %c0] extents [1, 32] : !tile.fragment<32xf32> -> !tile.global<?x64xf32>
    tile.copy %a[%b, %c0] extents [1, 32], %c[%b, %c32] extents [1, 32] : !tile.global<?x64xf32> -> !tile.global<?x64xf16>
  }
  tile.return
}
