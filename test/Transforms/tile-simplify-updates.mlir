// What parallels take and give: fragments that they need not take are left out.
// RUN: tile-opt %s -tile-simplify | FileCheck %s
// RUN: tile-opt %s --tile-eval -tile-simplify -o /dev/null

// An iteration reads what it has just written: the scalar itself. Only the last write of an element counts.
// CHECK-LABEL: tile.kernel @forward
// CHECK: tile.parallel (%[[I:.*]]) in (8) updates(%[[R:.*]] = %{{.*}} : !tile.fragment<8xf32>) {
// CHECK-NEXT: %[[X:.*]] = tile.read %{{.*}}[%[[I]]] : !tile.global
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: tile.write %[[Y]], %[[R]][%[[I]]]
// CHECK-NEXT: }
tile.kernel @forward(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.fragment %v : !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      %x = tile.read %a[%i] : !tile.global<8xf32> -> f32
      tile.write %x, %r[%i] : !tile.fragref<8xf32>
      %y = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %z = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %p = arith.mulf %y, %z : f32
      tile.write %p, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %g, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}

// Not forwarded: another index may be the same element, a condition may write or not, a narrower element drops bits.
// CHECK-LABEL: tile.kernel @opaque
// CHECK: tile.write %{{.*}}, %[[R:.*]][%[[I:.*]]] : !tile.fragref<8xf32>
// CHECK: tile.write %{{.*}}, %[[R]][%{{.*}}] : !tile.fragref<8xf32>
// CHECK: tile.read %[[R]][%[[I]]] : !tile.fragref<8xf32>
// CHECK: scf.if
// CHECK: tile.write
// CHECK: tile.read %[[R]][%[[I]]] : !tile.fragref<8xf32>
// CHECK: tile.write %{{.*}}, %[[T:.*]][%[[I]]] : !tile.fragref<8xi4>
// CHECK: tile.read %[[T]][%[[I]]] : !tile.fragref<8xi4>
tile.kernel @opaque(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c7 = arith.constant 7 : i64
  %c20 = arith.constant 20 : i8
  %zero = arith.constant 0.0 : f32
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [32] strides [1] : !tile.ptr<f32> -> !tile.global<32xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %t = tile.fragment : !tile.fragment<8xi4>
    %g:2 = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>, %rt = %t : !tile.fragment<8xi4>) {
      %x = tile.read %a[%i] : !tile.global<8xf32> -> f32
      %j = arith.subi %c7, %i : i64
      tile.write %x, %r[%i] : !tile.fragref<8xf32>
      %p = arith.addf %x, %x : f32
      tile.write %p, %r[%j] : !tile.fragref<8xf32>
      %y = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      tile.write %y, %c[%i] : !tile.global<32xf32>
      %positive = arith.cmpf ogt, %x, %zero : f32
      scf.if %positive {
        tile.write %zero, %r[%i] : !tile.fragref<8xf32>
      }
      %z = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %at8 = arith.addi %i, %c8 : i64
      tile.write %z, %c[%at8] : !tile.global<32xf32>
      %index = arith.trunci %i : i64 to i8
      %wide = arith.addi %index, %c20 : i8
      tile.write %wide, %rt[%i] : !tile.fragref<8xi4>
      %w = tile.read %rt[%i] : !tile.fragref<8xi4> -> i8
      %narrow = arith.sitofp %w : i8 to f32
      %at16 = arith.addi %at8, %c8 : i64
      tile.write %narrow, %c[%at16] : !tile.global<32xf32>
    }
  }
  tile.return
}

// A loop in the body comes back with what it wrote.
// CHECK-LABEL: tile.kernel @inner
// CHECK: tile.write
// CHECK: scf.for
// CHECK-NEXT: tile.read
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: tile.write
tile.kernel @inner(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %u = tile.fragment : !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %u : !tile.fragment<8xf32>) {
      %x = tile.read %a[%i] : !tile.global<8xf32> -> f32
      tile.write %x, %r[%i] : !tile.fragref<8xf32>
      scf.for %k = %c0 to %n step %c1 : i64 {
        %y = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
        %z = arith.mulf %y, %x : f32
        tile.write %z, %r[%i] : !tile.fragref<8xf32>
      }
    }
    tile.store %g, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}

// Nothing is written to %f, nobody wants %h, and %k copies %a's elements, so the store is of what was loaded.
// CHECK-LABEL: tile.kernel @idle
// CHECK: %[[F:.*]] = tile.load
// CHECK-NOT: tile.parallel
// CHECK: tile.store %[[F]]
tile.kernel @idle(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %u = tile.fragment : !tile.fragment<8xf32>
    %g:3 = tile.parallel (%i) in (8) updates(%rf = %f : !tile.fragment<8xf32>, %ru = %u : !tile.fragment<8xf32>, %rk = %u : !tile.fragment<8xf32>) {
      %x = tile.read %rf[%i] : !tile.fragref<8xf32> -> f32
      tile.write %v, %ru[%i] : !tile.fragref<8xf32>
      tile.write %x, %rk[%i] : !tile.fragref<8xf32>
    }
    tile.store %g#2, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}

// Every element is written: what was there does not matter, and an element of a filled fragment is the filling.
// CHECK-LABEL: tile.kernel @overwritten
// CHECK: %[[U:.*]] = tile.fragment : !tile.fragment<4x8xf32>
// CHECK: tile.parallel (%[[I:.*]], %[[J:.*]]) in (8, 4) updates(%[[R:.*]] = %[[U]] : !tile.fragment<4x8xf32>)
// CHECK-NEXT: tile.read %{{.*}}[%[[J]], %[[I]]] : !tile.global
// CHECK-NEXT: arith.mulf %{{.*}}, %arg2
// CHECK-NEXT: tile.write %{{.*}}, %[[R]][%[[J]], %[[I]]]
tile.kernel @overwritten(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %c = tile.global %C sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %filled = tile.fragment %v : !tile.fragment<4x8xf32>
    %g = tile.parallel (%i, %j) in (8, 4) updates(%r = %f : !tile.fragment<4x8xf32>) {
      %x = tile.read %a[%j, %i] : !tile.global<4x8xf32> -> f32
      %y = tile.read %filled[%j, %i] : !tile.fragment<4x8xf32> -> f32
      %p = arith.mulf %x, %y : f32
      tile.write %p, %r[%j, %i] : !tile.fragref<4x8xf32>
    }
    tile.store %g, %c[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
  }
  tile.return
}

// What was there matters: some elements are not written, not always, or another iteration reads them; an update adds
// to them.
// CHECK-LABEL: tile.kernel @kept
// CHECK: %[[F:.*]] = tile.load
// CHECK: tile.parallel (%{{.*}}) in (7) updates(%{{.*}} = %[[F]]
// CHECK: tile.parallel (%{{.*}}) in (8) updates(%{{.*}} = %[[F]]
// CHECK: tile.parallel (%{{.*}}) in (8) updates(%{{.*}} = %[[F]]
// CHECK: tile.parallel (%{{.*}}) in (8) updates(%{{.*}} = %[[F]]
tile.kernel @kept(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c7 = arith.constant 7 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %c24 = arith.constant 24 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [32] strides [1] : !tile.ptr<f32> -> !tile.global<32xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %some = tile.parallel (%i) in (7) updates(%r = %f : !tile.fragment<8xf32>) {
      tile.write %v, %r[%i] : !tile.fragref<8xf32>
    }
    %sometimes = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      %early = arith.cmpi slt, %i, %c7 : i64
      scf.if %early {
        tile.write %v, %r[%i] : !tile.fragref<8xf32>
      }
    }
    %rotated = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      %next = arith.addi %i, %c1 : i64
      %at = arith.remui %next, %c8 : i64
      tile.write %v, %r[%i] : !tile.fragref<8xf32>
      %x = tile.read %r[%at] : !tile.fragref<8xf32> -> f32
      tile.write %x, %r[%i] : !tile.fragref<8xf32>
    }
    %added = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      tile.update <add> %v, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %some, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<32xf32>
    tile.store %sometimes, %c[%c8] extents [8] : !tile.fragment<8xf32> -> !tile.global<32xf32>
    tile.store %rotated, %c[%c16] extents [8] : !tile.fragment<8xf32> -> !tile.global<32xf32>
    tile.store %added, %c[%c24] extents [8] : !tile.fragment<8xf32> -> !tile.global<32xf32>
  }
  tile.return
}
