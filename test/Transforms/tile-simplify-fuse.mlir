// Two parallels that work element by element on the same fragments become one.
// RUN: tile-opt %s -tile-simplify | FileCheck %s
// RUN: tile-opt %s --tile-eval -tile-simplify -o /dev/null
// RUN: tile-opt %s -tile-simplify --remarks-filter="tile-simplify" 2>&1 | FileCheck %s --check-prefix=REMARK

// One changes what the other made, a third reads it beside its own. The sum of what is made in between is as before.
// CHECK-LABEL: tile.kernel @chain
// CHECK: %[[F:.*]] = tile.load
// CHECK: %[[ONE:.*]]:2 = tile.parallel (%[[I:.*]], %[[J:.*]]) in (4, 8) updates(%[[R:.*]] = %[[F]] : {{.*}}, %[[S:.*]] = %{{.*}}) {
// CHECK-NEXT: %[[X:.*]] = tile.read %[[R]][%[[I]], %[[J]]]
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[X]], %{{.*}}
// CHECK-NEXT: tile.write %[[A]], %[[R]][%[[I]], %[[J]]]
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[C:.*]] = arith.subf %[[B]], %[[A]]
// CHECK-NEXT: tile.write %[[C]], %[[S]][%[[I]], %[[J]]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.reduce <sum> %[[ONE]]#0
// CHECK-NOT: tile.parallel
// CHECK: tile.return
// REMARK: one loop with the loop before it that makes its fragments
tile.kernel @chain(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %D: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %c = tile.global %C sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %d = tile.global %D sizes [4] strides [1] : !tile.ptr<f32> -> !tile.global<4xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %u = tile.fragment : !tile.fragment<4x8xf32>
    %added = tile.parallel (%i, %j) in (4, 8) updates(%r = %f : !tile.fragment<4x8xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %y = arith.addf %x, %v : f32
      tile.write %y, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    %sum = tile.reduce <sum> %added axis 1 : !tile.fragment<4x8xf32> -> !tile.fragment<4xf32>
    %squared = tile.parallel (%i, %j) in (4, 8) updates(%r = %added : !tile.fragment<4x8xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %y = arith.mulf %x, %x : f32
      tile.write %y, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    %difference = tile.parallel (%i, %j) in (4, 8) updates(%r = %u : !tile.fragment<4x8xf32>) {
      %x = tile.read %squared[%i, %j] : !tile.fragment<4x8xf32> -> f32
      %y = tile.read %added[%i, %j] : !tile.fragment<4x8xf32> -> f32
      %z = arith.subf %x, %y : f32
      tile.write %z, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    tile.store %difference, %c[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
    tile.store %sum, %d[%c0] extents [4] : !tile.fragment<4xf32> -> !tile.global<4xf32>
  }
  tile.return
}

// Writes in conditions, of elements named in another order: with one reference both see what the iteration has.
// The store of another tensor between them is none of their business.
// CHECK-LABEL: tile.kernel @conditions
// CHECK: tile.store
// CHECK: tile.parallel
// CHECK: scf.if
// CHECK: scf.if
// CHECK-NOT: tile.parallel
// CHECK: tile.return
tile.kernel @conditions(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %D: !tile.ptr<f32> {tile.access = #tile.access<out>}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %c = tile.global %C sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %d = tile.global %D sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %g = tile.parallel (%j, %i) in (8, 4) updates(%r = %f : !tile.fragment<4x8xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %positive = arith.cmpf ogt, %x, %zero : f32
      scf.if %positive {
        tile.write %zero, %r[%i, %j] : !tile.fragref<4x8xf32>
      }
    }
    tile.store %f, %d[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
    %h = tile.parallel (%j, %i) in (8, 4) updates(%r = %g : !tile.fragment<4x8xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %isZero = arith.cmpf oeq, %x, %zero : f32
      scf.if %isZero {
        tile.write %one, %r[%i, %j] : !tile.fragref<4x8xf32>
      }
    }
    tile.store %h, %c[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
  }
  tile.return
}

// The first is wanted as it was, and does not write every element, so there is not always one to copy: two loops.
// CHECK-LABEL: tile.kernel @sometimes
// CHECK-COUNT-2: tile.parallel
tile.kernel @sometimes(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c = tile.global %C sizes [3, 4] strides [4, 1] : !tile.ptr<f32> -> !tile.global<3x4xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %u = tile.fragment : !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %u : !tile.fragment<8xf32>) {
      %early = arith.cmpi slt, %i, %c4 : i64
      scf.if %early {
        tile.write %v, %r[%i] : !tile.fragref<8xf32>
      }
    }
    %h = tile.parallel (%i) in (8) updates(%r = %g : !tile.fragment<8xf32>) {
      %late = arith.cmpi sge, %i, %c4 : i64
      scf.if %late {
        tile.write %v, %r[%i] : !tile.fragref<8xf32>
      }
    }
    %first = tile.extract_slice %g[%c0] extents [4] : !tile.fragment<8xf32> -> !tile.fragment<4xf32>
    %second = tile.extract_slice %h[%c4] extents [4] : !tile.fragment<8xf32> -> !tile.fragment<4xf32>
    tile.store %first, %c[%c0, %c0] extents [1, 4] : !tile.fragment<4xf32> -> !tile.global<3x4xf32>
    tile.store %second, %c[%c1, %c0] extents [1, 4] : !tile.fragment<4xf32> -> !tile.global<3x4xf32>
  }
  tile.return
}

// Another iteration's element, other places, a combined element, other extents, extents that are not constant, and a
// reduction on the way.
// CHECK-LABEL: tile.kernel @exchanged
// CHECK-COUNT-2: tile.parallel
// CHECK-LABEL: tile.kernel @transposed
// CHECK-COUNT-2: tile.parallel
// CHECK-LABEL: tile.kernel @combined
// CHECK-COUNT-2: tile.parallel
// CHECK-LABEL: tile.kernel @shorter
// CHECK-COUNT-2: tile.parallel
// CHECK-LABEL: tile.kernel @dynamic
// CHECK-COUNT-2: tile.parallel
// CHECK-LABEL: tile.kernel @reduced
// CHECK-COUNT-2: tile.parallel
tile.kernel @exchanged(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    %h = tile.parallel (%i) in (8) updates(%r = %g : !tile.fragment<8xf32>) {
      %next = arith.addi %i, %c1 : i64
      %at = arith.remui %next, %c8 : i64
      %x = tile.read %r[%at] : !tile.fragref<8xf32> -> f32
      tile.write %x, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %h, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}
tile.kernel @transposed(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [4, 4] strides [4, 1] : !tile.ptr<f32> -> !tile.global<4x4xf32>
  %c = tile.global %C sizes [4, 4] strides [4, 1] : !tile.ptr<f32> -> !tile.global<4x4xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0, %c0] extents [4, 4] : !tile.global<4x4xf32> -> !tile.fragment<4x4xf32>
    %u = tile.fragment : !tile.fragment<4x4xf32>
    %g = tile.parallel (%i, %j) in (4, 4) updates(%r = %f : !tile.fragment<4x4xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<4x4xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i, %j] : !tile.fragref<4x4xf32>
    }
    %h = tile.parallel (%i, %j) in (4, 4) updates(%r = %u : !tile.fragment<4x4xf32>) {
      %x = tile.read %g[%j, %i] : !tile.fragment<4x4xf32> -> f32
      %y = arith.addf %x, %v : f32
      tile.write %y, %r[%i, %j] : !tile.fragref<4x4xf32>
    }
    tile.store %h, %c[%c0, %c0] extents [4, 4] : !tile.fragment<4x4xf32> -> !tile.global<4x4xf32>
  }
  tile.return
}
tile.kernel @combined(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      tile.update <add> %v, %r[%i] : !tile.fragref<8xf32>
    }
    %h = tile.parallel (%i) in (8) updates(%r = %g : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %h, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}
tile.kernel @shorter(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    %h = tile.parallel (%i) in (7) updates(%r = %g : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.addf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %h, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}
tile.kernel @dynamic(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %m = arith.minsi %n, %c8 : i64
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (%m) updates(%r = %f : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    %h = tile.parallel (%i) in (%m) updates(%r = %g : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.addf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %h, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}
tile.kernel @reduced(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %c = tile.global %C sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %g = tile.parallel (%i, %j) in (4, 8) updates(%r = %f : !tile.fragment<4x8xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    %m = tile.reduce <max> %g axis 1 : !tile.fragment<4x8xf32> -> !tile.fragment<4xf32>
    %h = tile.parallel (%i, %j) in (4, 8) updates(%r = %g : !tile.fragment<4x8xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %y = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
      %z = arith.subf %x, %y : f32
      tile.write %z, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    tile.store %h, %c[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
  }
  tile.return
}

// Memory keeps its order: both touch a tensor that one writes; the store between them writes what the second reads;
// lines are printed, and assertions checked, in order.
// CHECK-LABEL: tile.kernel @both
// CHECK-COUNT-2: tile.parallel
// CHECK-LABEL: tile.kernel @between
// CHECK: tile.parallel
// CHECK: tile.store
// CHECK: tile.parallel
// CHECK: tile.store
// CHECK-LABEL: tile.kernel @printed
// CHECK-COUNT-2: tile.parallel
// CHECK-LABEL: tile.kernel @asserted
// CHECK-COUNT-2: tile.parallel
tile.kernel @both(%C: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %D: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c7 = arith.constant 7 : i64
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %d = tile.global %D sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %u = tile.fragment : !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %u : !tile.fragment<8xf32>) {
      %x = tile.read %c[%i] : !tile.global<8xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    %h = tile.parallel (%i) in (8) updates(%r = %g : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.addf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
      %j = arith.subi %c7, %i : i64
      tile.write %y, %c[%j] : !tile.global<8xf32>
    }
    tile.store %h, %d[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}
tile.kernel @between(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %D: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %d = tile.global %D sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %g, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
    %h = tile.parallel (%i) in (8) updates(%r = %g : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = tile.read %c[%i] : !tile.global<8xf32> -> f32
      %z = arith.addf %x, %y : f32
      tile.write %z, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %h, %d[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}
tile.kernel @printed(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.mulf %x, %v : f32
      tile.print "first"(%y : f32)
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    %h = tile.parallel (%i) in (8) updates(%r = %g : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %y = arith.addf %x, %v : f32
      tile.print "second"(%y : f32)
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    tile.store %h, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}
tile.kernel @asserted(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.load %a[%c0] extents [8] : !tile.global<8xf32> -> !tile.fragment<8xf32>
    %g = tile.parallel (%i) in (8) updates(%r = %f : !tile.fragment<8xf32>) {
      %x = tile.read %r[%i] : !tile.fragref<8xf32> -> f32
      %ordered = arith.cmpf ord, %x, %x : f32
      tile.assert %ordered, "a number"
      %y = arith.mulf %x, %v : f32
      tile.write %y, %r[%i] : !tile.fragref<8xf32>
    }
    tile.parallel (%i) in (8) {
      %x = tile.read %g[%i] : !tile.fragment<8xf32> -> f32
      tile.write %x, %c[%i] : !tile.global<8xf32>
    }
  }
  tile.return
}
