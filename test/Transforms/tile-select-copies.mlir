// RUN: tile-opt %s -tile-select-copies -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-select-copies -tile-infer-layouts -split-input-file --remarks-filter="tile-infer-layouts" 2>&1 | FileCheck %s --check-prefix=REMARK

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

// -----

// A copy's pad becomes the load's: an element of the source that converts to it.
// CHECK-LABEL: tile.kernel @pads
// CHECK: tile.load %{{.*}} extents [64] pad(%{{.*}}) : !tile.global<?xf16>
// CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f16
// CHECK: tile.load %{{.*}} extents [64] pad(%[[HALF]]) : !tile.global<?xf16>
// CHECK: %[[SEVEN:.*]] = arith.constant -7 : i8
// CHECK: tile.load %{{.*}} extents [64] pad(%[[SEVEN]]) : !tile.global<?xi8>
tile.kernel @pads(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %I: !tile.ptr<i8> {tile.access = #tile.access<in>},
                  %H: !tile.ptr<f16> {tile.access = #tile.access<out>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>},
                  %n: i64, %p: f16) {
  %c0 = arith.constant 0 : i64
  %half = arith.constant 0.5 : f32
  %seven = arith.constant -7.0 : f32
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
  %i = tile.global %I sizes [%n] strides [1] : !tile.ptr<i8> -> !tile.global<?xi8>
  %h = tile.global %H sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(32) {
    tile.copy %a[%c0] extents [64] pad(%p), %h[%c0] extents [64] : !tile.global<?xf16> -> !tile.global<?xf16>
    tile.copy %a[%c0] extents [64] pad(%half), %c[%c0] extents [64] : !tile.global<?xf16> -> !tile.global<?xf32>
    tile.copy %i[%c0] extents [64] pad(%seven), %c[%c0] extents [64] : !tile.global<?xi8> -> !tile.global<?xf32>
  }
  tile.return
}

// -----

// Only the last moving dimension of a region can be contiguous.
// CHECK-LABEL: tile.kernel @hankel
// CHECK: tile.load %{{.*}} extents [64, 64] {in_bounds} :
// CHECK: tile.load %{{.*}} extents [1, 64] {in_bounds, tile.width = 4 : i64} :
// CHECK: tile.load %{{.*}} extents [64, 1] {in_bounds, tile.width = 4 : i64} :
// CHECK: tile.load %{{.*}} extents [64, 64] {in_bounds} :
tile.kernel @hankel(%A: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.align = 16 : i64}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %a = tile.global %A sizes [64, 64] strides [1, 1] : !tile.ptr<f32> -> !tile.global<64x64xf32>
  %t = tile.global %A sizes [64, 64] strides [1, 64] : !tile.ptr<f32> -> !tile.global<64x64xf32>
  tile.grid (%b) in (%n) threads(32) {
    %0 = tile.load %a[%c0, %c0] extents [64, 64] {in_bounds} : !tile.global<64x64xf32> -> !tile.fragment<64x64xf32>
    %1 = tile.load %a[%c0, %c0] extents [1, 64] {in_bounds} : !tile.global<64x64xf32> -> !tile.fragment<64xf32>
    %2 = tile.load %t[%c0, %c0] extents [64, 1] {in_bounds} : !tile.global<64x64xf32> -> !tile.fragment<64xf32>
    %3 = tile.load %t[%c0, %c0] extents [64, 64] {in_bounds} : !tile.global<64x64xf32> -> !tile.fragment<64x64xf32>
  }
  tile.return
}

// -----

// An element or region of a fragment is written by the iterations that hold it.
// CHECK-LABEL: tile.kernel @insert
// CHECK: %[[F:.*]] = tile.fragment
// CHECK: %[[G:.*]] = tile.parallel (%[[I:.*]]) in (64) updates(%[[R:.*]] = %[[F]] : !tile.fragment<64xf32>)
// CHECK-NEXT: %[[FROM:.*]] = arith.subi %[[I]], %arg1
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-NEXT: %[[HERE:.*]] = arith.cmpi ult, %[[FROM]], %[[ONE]]
// CHECK-NEXT: scf.if %[[HERE]] {
// CHECK-NEXT: tile.write %{{.*}}, %[[R]][%[[I]]] {in_bounds}
// CHECK: tile.parallel (%{{.*}}) in (64) updates(%{{.*}} = %[[G]] : !tile.fragment<64xf32>)
// CHECK: arith.constant 8 : i64
// CHECK-NOT: tile.insert
tile.kernel @insert(%A: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(32) {
    %f = tile.fragment %v : !tile.fragment<64xf32>
    %g = tile.insert %v, %f[%n] : !tile.fragment<64xf32>
    %s = tile.fragment %v : !tile.fragment<8xf32>
    %h = tile.insert_slice %s, %g[%n] extents [8] : !tile.fragment<8xf32> -> !tile.fragment<64xf32>
    tile.store %h, %a[%c0] extents [64] : !tile.fragment<64xf32> -> !tile.global<?xf32>
  }
  tile.return
}

// -----

// Iterations beyond the fragment name none of its elements: they become a parallel without it. Where every iteration
// names one there are none.
// CHECK-LABEL: tile.kernel @beyond
// CHECK: tile.parallel (%{{.*}}) in (64) updates
// CHECK: tile.write
// CHECK: tile.write
// CHECK: tile.parallel (%[[J:.*]]) in (36) {
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[J]], %{{.*}} : i64
// CHECK-NOT: fragref
// CHECK: tile.write %arg2, %{{.*}}[%[[AT]]]
// CHECK-NOT: tile.write
// CHECK: %[[SHORT:.*]] = arith.minsi %arg1, %[[C64:.*]] : i64
// CHECK: %[[LONG:.*]] = arith.maxsi %arg1, %[[C64]] : i64
// CHECK: %[[REST:.*]] = arith.subi %[[LONG]], %[[C64]] : i64
// CHECK: tile.parallel (%{{.*}}) in (%[[SHORT]]) {
// CHECK: tile.read %{{.*}} : !tile.fragment<64xf32> -> f32
// CHECK: tile.parallel (%{{.*}}) in (%[[REST]]) {
// CHECK-NOT: fragment
// CHECK: tile.parallel (%{{.*}}) in (%arg1) {
// CHECK-NOT: tile.parallel
tile.kernel @beyond(%A: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32, %c: i1) {
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(32) {
    %f = tile.fragment %v : !tile.fragment<64xf32>
    %g = tile.parallel (%i) in (100) updates(%r = %f : !tile.fragment<64xf32>) {
      scf.if %c {
        tile.write %v, %r[%i] : !tile.fragref<64xf32>
      }
      tile.write %v, %a[%i] : !tile.global<?xf32>
    }
    tile.parallel (%i) in (%n) {
      scf.if %c {
        %x = tile.read %g[%i] : !tile.fragment<64xf32> -> f32
        tile.write %x, %a[%i] : !tile.global<?xf32>
      }
    }
    tile.parallel (%i) in (%n) {
      %x = tile.read %g[%i] : !tile.fragment<64xf32> -> f32
      tile.write %x, %a[%i] : !tile.global<?xf32>
    }
  }
  tile.return
}

// -----

// What was proved of a whole region holds for its elements, and a pad that is never read goes.
// CHECK-LABEL: tile.kernel @inside
// CHECK: tile.load %{{.*}}[%{{.*}}] extents [64] {in_bounds
// CHECK: tile.store %{{.*}} extents [64] : !tile.fragment<64xf32> -> !tile.shared<64xf32>
// CHECK: tile.store %{{.*}} extents [64] {in_bounds
// CHECK: tile.parallel
// CHECK: tile.write %{{.*}} {in_bounds
// CHECK: tile.parallel
// CHECK: tile.atomic {{.*}} {tile.in_bounds
tile.kernel @inside(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [64] strides [1] : !tile.ptr<f32> -> !tile.global<64xf32>
  %c = tile.global %C sizes [64] strides [1] : !tile.ptr<f32> -> !tile.global<64xf32>
  tile.grid (%b) in (%c1) threads(32) {
    %s = tile.shared : !tile.shared<64xf32>
    tile.copy %a[%c0] extents [64] pad(%v), %s[%c0] extents [64] {tile.in_bounds} : !tile.global<64xf32> -> !tile.shared<64xf32>
    tile.copy %s[%c0] extents [64], %c[%c0] extents [64] {tile.in_bounds} : !tile.shared<64xf32> -> !tile.global<64xf32>
    tile.fill %v, %c[%c0] extents [64] {tile.in_bounds} : !tile.global<64xf32>
    tile.atomic_tile <add> %v, %c[%c0] extents [64] {tile.in_bounds} : f32 -> !tile.global<64xf32>
  }
  tile.return
}
