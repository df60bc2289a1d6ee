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

// -----

// A runtime extent along a fragment's dimension becomes that dimension's, wherever there are unit extents.
// CHECK-LABEL: tile.kernel @unit_extents
// CHECK: %[[FULL:.*]] = arith.cmpi sgt, %arg1, %c63_i64 : i64
// CHECK: scf.if %[[FULL]]
// CHECK: tile.parallel (%{{.*}}) in (64) updates
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (1, 64) updates
// CHECK: } else {
// CHECK: tile.parallel (%{{.*}}) in (%arg1) updates
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (1, %arg1) updates
#L = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [2]>
#U = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [1, 1], reps = [1, 2]>
tile.kernel @unit_extents(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c = tile.global %C sizes [64] strides [1] : !tile.ptr<f32> -> !tile.global<64xf32>
  tile.grid (%b) in (%n) threads(32) {
    %f = tile.fragment %v : !tile.fragment<1x64xf32, #U>
    %g = tile.parallel (%i) in (%n) updates(%r = %f : !tile.fragment<1x64xf32, #U>) attributes {layout = #L} {
      tile.write %v, %r[%c0, %i] : !tile.fragref<1x64xf32, #U>
    }
    %h = tile.parallel (%j, %i) in (1, %n) updates(%r = %g : !tile.fragment<1x64xf32, #U>) attributes {layout = #U} {
      tile.write %v, %r[%c0, %i] : !tile.fragref<1x64xf32, #U>
    }
    tile.store %h, %c[%c0] extents [64] : !tile.fragment<1x64xf32, #U> -> !tile.global<64xf32>
  }
  tile.return
}

// -----

// A corner that may have wrapped proves nothing alone: both corners are compared at both ends, even where one is known.
// CHECK-LABEL: tile.kernel @wraps
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %arg2, %{{.*}} : i64
// CHECK: %[[HIGH:.*]] = arith.addi %arg2, %c127_i64 : i64
// CHECK: arith.cmpi sge, %[[HIGH]], %{{.*}} : i64
// CHECK: arith.cmpi slt, %[[HIGH]], %arg1 : i64
// CHECK: %[[HIGHEST:.*]] = arith.addi %{{.*}}, %c127_i64 : i64
// CHECK-NEXT: %[[FULL:.*]] = arith.cmpi slt, %[[HIGHEST]], %arg1 : i64
// CHECK-NEXT: scf.if
// CHECK: scf.if %[[FULL]]
#B = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
tile.kernel @wraps(%A: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %p: i64, %q: i32, %v: f32) {
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i) in (128) attributes {layout = #B} {
      %at = arith.addi %p, %i : i64
      tile.write %v, %a[%at] : !tile.global<?xf32>
    }
    %w = arith.extui %q : i32 to i64
    tile.parallel (%i) in (128) attributes {layout = #B} {
      %at = arith.addi %w, %i : i64
      tile.write %v, %a[%at] : !tile.global<?xf32>
    }
  }
  tile.return
}
