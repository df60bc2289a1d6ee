// RUN: tile-opt %s -tile-simplify | FileCheck %s
// RUN: tile-opt %s --tile-eval -tile-simplify -o /dev/null
// RUN: tile-opt %s -tile-simplify --remarks-filter="tile-simplify" 2>&1 | FileCheck %s --check-prefix=REMARK

// What depends on no index is computed once; what reads memory or depends on an index stays.
// CHECK-LABEL: tile.kernel @hoist
// CHECK: tile.grid (%[[B:.*]]) in
// CHECK: %[[BASE:.*]] = arith.muli %[[B]], %{{.*}} : i64
// CHECK: tile.parallel (%[[I:.*]]) in (128)
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[BASE]], %[[I]] : i64
// CHECK-NEXT: %[[X:.*]] = tile.read %{{.*}}[%[[AT]]]
// CHECK-NEXT: tile.write %[[X]], %{{.*}}[%[[AT]]]
// REMARK: what depends on no index is computed once, before the loop
tile.kernel @hoist(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64) {
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i) in (128) {
      %c128 = arith.constant 128 : i64
      %base = arith.muli %b, %c128 : i64
      %at = arith.addi %base, %i : i64
      %base2 = arith.muli %b, %c128 : i64
      %at2 = arith.addi %base2, %i : i64
      %x = tile.read %a[%at] : !tile.global<?xf32> -> f32
      tile.write %x, %c[%at2] : !tile.global<?xf32>
    }
  }
  tile.return
}

// A division may have no result where the loop does not run, so it stays.
// CHECK-LABEL: tile.kernel @stays
// CHECK: tile.parallel
// CHECK-NEXT: arith.divsi
tile.kernel @stays(%C: !tile.ptr<i64> {tile.access = #tile.access<out>}, %n: i64, %d: i64) {
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<i64> -> !tile.global<?xi64>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i) in (%n) {
      %q = arith.divsi %n, %d : i64
      tile.write %q, %c[%i] : !tile.global<?xi64>
    }
  }
  tile.return
}

// An element that no index names is read once for the block, if the kernel does not write the tensor; a mark that it is
// in bounds holds only where the loop runs.
// CHECK-LABEL: tile.kernel @once
// CHECK: tile.read_scalar %[[A:.*]][%{{.*}}] : !tile.global<?xf32>
// CHECK: tile.parallel (%{{.*}}) in (%{{.*}}) {
// CHECK-NEXT: tile.read %[[A]][%{{.*}}] {in_bounds}
// CHECK-NEXT: tile.read %{{.*}} : !tile.global<?xf32>
tile.kernel @once(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %n: i64) {
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %last = arith.subi %n, %c1 : i64
    tile.parallel (%i) in (%n) {
      %x = tile.read %a[%b] : !tile.global<?xf32> -> f32
      %y = tile.read %a[%last] {in_bounds} : !tile.global<?xf32> -> f32
      %z = tile.read %c[%i] : !tile.global<?xf32> -> f32
      %s = arith.addf %x, %y : f32
      %t = arith.addf %s, %z : f32
      tile.write %t, %c[%i] : !tile.global<?xf32>
    }
  }
  tile.return
}

// A parallel without iterations goes, and its fragments stay as they were; the grid stays, empty or not.
// CHECK-LABEL: tile.kernel @none
// CHECK: tile.grid
// CHECK-NOT: tile.parallel
// CHECK: tile.store %[[F:.*]], %{{.*}}
// CHECK-LABEL: tile.kernel @empty
// CHECK: tile.grid
tile.kernel @none(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %less = arith.constant -3 : i64
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    %f = tile.fragment %v : !tile.fragment<32xf32>
    %g = tile.parallel (%i, %j) in (1, %less) updates(%r = %f : !tile.fragment<32xf32>) {
      tile.write %v, %r[%j] : !tile.fragref<32xf32>
    }
    tile.parallel (%i) in (0) {
      tile.write %v, %c[%i] : !tile.global<?xf32>
    }
    tile.store %g, %c[%c0] extents [32] : !tile.fragment<32xf32> -> !tile.global<?xf32>
  }
  tile.return
}
tile.kernel @empty(%n: i64) {
  tile.grid (%b) in (%n) threads(128) {
  }
  tile.return
}
