// RUN: tile-opt %s -tile-chunk-parallels -canonicalize -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-chunk-parallels -tile-chunk-parallels -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: tile.kernel @dynamic
// CHECK: scf.for %[[C:.*]] = %{{.*}} to %arg1 step %[[STEP:.*]] : i64 {
// CHECK: %[[LEFT:.*]] = arith.subi %arg1, %[[C]]
// CHECK: %[[M:.*]] = arith.minsi %[[LEFT]], %[[STEP]]
// CHECK: tile.parallel (%[[J:.*]]) in (%[[M]])
// CHECK: %[[I:.*]] = arith.addi %[[C]], %[[J]]
// CHECK: tile.write %{{.*}}, %{{.*}}[%[[I]]]
tile.kernel @dynamic(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(64) {
    tile.parallel (%i) in (%n) attributes {layout = #tile.blocked<vector = [4], lanes = [32], warps = [2], reps = [1]>} {
      tile.write %v, %c[%i] : !tile.global<?xf32>
    }
  }
  tile.return
}

// -----

// Whole chunks stay static; a dimension that is covered gets no loop.
// CHECK-LABEL: tile.kernel @static
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: arith.minsi
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (2, 128)
tile.kernel @static(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
  %c = tile.global %C sizes [%n, 128] strides [128, 1] : !tile.ptr<f32> -> !tile.global<?x128xf32>
  tile.grid (%b) in (%n) threads(64) {
    tile.parallel (%i, %j) in (16, 128) attributes {layout = #tile.blocked<vector = [1, 4], lanes = [1, 32], warps = [2, 1], reps = [1, 1]>} {
      tile.write %v, %c[%i, %j] : !tile.global<?x128xf32>
    }
  }
  tile.return
}

// -----

// Rows of a fragment that the layout covers stay whole; the other index is cut.
// CHECK-LABEL: tile.kernel @rows
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK-NOT: scf.for
// CHECK: tile.parallel (%[[I:.*]], %[[J:.*]]) in (4, 64)
// CHECK: tile.read %{{.*}}[%[[I]]]
tile.kernel @rows(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64) {
  %c = tile.global %C sizes [4, 1024] strides [1024, 1] : !tile.ptr<f32> -> !tile.global<4x1024xf32>
  tile.grid (%b) in (%n) threads(64) {
    %f = tile.fragment : !tile.fragment<4xf32, #tile.rows<#tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [1, 2], reps = [4, 1]>, axis = 1>>
    tile.parallel (%i, %j) in (4, 1024) attributes {layout = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [1, 2], reps = [4, 1]>} {
      %x = tile.read %f[%i] : !tile.fragment<4xf32, #tile.rows<#tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [1, 2], reps = [4, 1]>, axis = 1>> -> f32
      tile.write %x, %c[%i, %j] : !tile.global<4x1024xf32>
    }
  }
  tile.return
}
