// RUN: tile-opt %s -tile-split-tails -cse -canonicalize -cse -split-input-file | FileCheck %s

// One comparison for three accesses of one extent; the lower end is proved.
// CHECK-LABEL: tile.kernel @add
// CHECK: %[[LAST:.*]] = arith.addi %{{.*}}, %c1023
// CHECK-NEXT: %[[FULL:.*]] = arith.cmpi slt, %[[LAST]], %arg2
// CHECK-NEXT: scf.if %[[FULL]] {
// CHECK: tile.read {{.*}} {in_bounds}
// CHECK: tile.write {{.*}} {in_bounds}
// CHECK: } else {
// CHECK: tile.read %{{.*}}] : !tile.global
// CHECK: tile.write %{{.*}}] : !tile.global
tile.kernel @add(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64) {
  %c1024 = arith.constant 1024 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(256) {
    %base = arith.muli %b, %c1024 : i64
    tile.parallel (%i) in (1024) attributes {layout = #tile.blocked<vector = [4], lanes = [32], warps = [8], reps = [1]>} {
      %at = arith.addi %base, %i : i64
      %x = tile.read %a[%at] : !tile.global<?xf32> -> f32
      tile.write %x, %c[%at] : !tile.global<?xf32>
    }
  }
  tile.return
}

// -----

// An offset of unknown sign needs both ends, and that the upper one has not wrapped. A dynamic extent becomes that of
// the layout.
// CHECK-LABEL: tile.kernel @offset
// CHECK-DAG: %[[LOW:.*]] = arith.cmpi sge, %arg2, %c0
// CHECK-DAG: %[[LAST:.*]] = arith.addi %arg2, %c255
// CHECK-DAG: %[[NOWRAP:.*]] = arith.cmpi sge, %[[LAST]], %c0
// CHECK-DAG: arith.cmpi slt, %[[LAST]], %arg1
// CHECK-DAG: arith.cmpi sgt, %arg3, %c255
// CHECK: scf.if
// CHECK: tile.parallel (%{{.*}}) in (256)
// CHECK: tile.write {{.*}} {in_bounds}
// CHECK: else
// CHECK: tile.parallel (%{{.*}}) in (%arg3)
tile.kernel @offset(%A: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %s: i64, %m: i64, %v: f32) {
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(256) {
    tile.parallel (%i) in (%m) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [8], reps = [1]>, tile.chunk} {
      %at = arith.addi %s, %i : i64
      tile.write %v, %a[%at] : !tile.global<?xf32>
    }
  }
  tile.return
}

// -----

// What depends on data is not split. A load and a store on one condition share a branch.
// CHECK-LABEL: tile.kernel @regions
// CHECK: tile.read %{{.*}}] {in_bounds} : !tile.global<256xi64>
// CHECK: tile.read %{{.*}}] : !tile.global<?xf32>
// CHECK: tile.write %{{.*}}] : !tile.global<?xf32>
// CHECK: %[[FULL:.*]] = arith.cmpi slt
// CHECK: scf.if %[[FULL]] {
// CHECK-NEXT: %[[X:.*]] = tile.load {{.*}} {in_bounds}
// CHECK-NEXT: tile.store %[[X]], {{.*}} {in_bounds}
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[Y:.*]] = tile.load
// CHECK-NEXT: tile.store %[[Y]]
// CHECK-NEXT: }
!F = !tile.fragment<256xf32, #tile.blocked<vector = [1], lanes = [32], warps = [8], reps = [1]>>
tile.kernel @regions(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %I: !tile.ptr<i64> {tile.access = #tile.access<in>}, %n: i64) {
  %c256 = arith.constant 256 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %idx = tile.global %I sizes [256] strides [1] : !tile.ptr<i64> -> !tile.global<256xi64>
  tile.grid (%b) in (%n) threads(256) {
    tile.parallel (%i) in (256) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [8], reps = [1]>} {
      %k = tile.read %idx[%i] : !tile.global<256xi64> -> i64
      %x = tile.read %a[%k] : !tile.global<?xf32> -> f32
      tile.write %x, %c[%k] : !tile.global<?xf32>
    }
    %base = arith.muli %b, %c256 : i64
    %f = tile.load %a[%base] extents [256] : !tile.global<?xf32> -> !F
    tile.store %f, %c[%base] extents [256] : !F -> !tile.global<?xf32>
  }
  tile.return
}
