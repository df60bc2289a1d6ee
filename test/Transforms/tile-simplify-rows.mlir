// What a parallel computes alike along an index becomes a parallel without that index.
// RUN: tile-opt %s -tile-simplify | FileCheck %s
// RUN: tile-opt %s --tile-eval -tile-simplify -o /dev/null
// RUN: tile-opt %s -tile-simplify --remarks-filter="tile-simplify" 2>&1 | FileCheck %s --check-prefix=REMARK

// The exponential depends on i alone. Another parallel over i computes it too, earlier: both read one fragment, which
// is made with the one that it depends on.
// CHECK-LABEL: tile.kernel @rescale
// CHECK: %[[MAX:.*]] = tile.reduce <max>
// CHECK: %[[U:.*]] = tile.fragment : !tile.fragment<4xf32>
// CHECK: %[[ROWS:.*]]:2 = tile.parallel (%[[I:.*]]) in (4) updates(%[[L:.*]] = %[[MAX]] : {{.*}}, %[[R:.*]] = %[[U]] :
// CHECK: %[[NEW:.*]] = arith.maxnumf
// CHECK: tile.write %[[NEW]], %[[L]][%[[I]]]
// CHECK: %[[OLD:.*]] = tile.read %[[MAX]][%[[I]]]
// CHECK: %[[DIFF:.*]] = arith.subf %[[OLD]], %[[NEW]]
// CHECK-NEXT: %[[EXP:.*]] = math.exp2 %[[DIFF]]
// CHECK-NEXT: tile.write %[[EXP]], %[[R]][%[[I]]] {in_bounds}
// CHECK-NOT: math.exp2
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (4, 8)
// CHECK: tile.reduce
// CHECK: tile.parallel (%[[J:.*]]) in (4)
// CHECK: tile.read %[[ROWS]]#1[%[[J]]] {in_bounds}
// CHECK: tile.parallel (%[[K:.*]], %{{.*}}) in (4, 8)
// CHECK: tile.read %[[ROWS]]#1[%[[K]]] {in_bounds}
// CHECK-NOT: math.exp2
// CHECK: tile.return
// REMARK: depends on 1 of 2 indices: computed once for each, before the loop
tile.kernel @rescale(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %D: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %c = tile.global %C sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %d = tile.global %D sizes [4] strides [1] : !tile.ptr<f32> -> !tile.global<4xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %x = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %m = tile.reduce <max> %x axis 1 : !tile.fragment<4x8xf32> -> !tile.fragment<4xf32>
    %limited = tile.parallel (%i) in (4) updates(%r = %m : !tile.fragment<4xf32>) {
      %e = tile.read %r[%i] : !tile.fragref<4xf32> -> f32
      %f = arith.maxnumf %e, %v : f32
      tile.write %f, %r[%i] : !tile.fragref<4xf32>
    }
    %probabilities = tile.parallel (%i, %j) in (4, 8) updates(%r = %x : !tile.fragment<4x8xf32>) {
      %e = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %f = tile.read %limited[%i] : !tile.fragment<4xf32> -> f32
      %p = arith.subf %e, %f : f32
      tile.write %p, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    %sums = tile.reduce <sum> %probabilities axis 1 : !tile.fragment<4x8xf32> -> !tile.fragment<4xf32>
    %sum = tile.parallel (%i) in (4) updates(%r = %sums : !tile.fragment<4xf32>) {
      %s = tile.read %r[%i] : !tile.fragref<4xf32> -> f32
      %old = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
      %new = tile.read %limited[%i] : !tile.fragment<4xf32> -> f32
      %difference = arith.subf %old, %new : f32
      %exp = math.exp2 %difference : f32
      %p = arith.mulf %s, %exp : f32
      tile.write %p, %r[%i] : !tile.fragref<4xf32>
    }
    %o = tile.parallel (%i, %j) in (4, 8) updates(%r = %x : !tile.fragment<4x8xf32>) {
      %e = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %old = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
      %new = tile.read %limited[%i] : !tile.fragment<4xf32> -> f32
      %difference = arith.subf %old, %new : f32
      %exp = math.exp2 %difference : f32
      %p = arith.mulf %e, %exp : f32
      tile.write %p, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    tile.store %o, %c[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
    tile.store %sum, %d[%c0] extents [4] : !tile.fragment<4xf32> -> !tile.global<4xf32>
  }
  tile.return
}

// A tensor is read once for each j, with what is made of the element; an element that depends on no index is read
// for the block. The index arithmetic stays where it is used.
// CHECK-LABEL: tile.kernel @bias
// CHECK: %[[SCALE:.*]] = tile.read_scalar %{{.*}}[%{{.*}}]
// CHECK: %[[ROW:.*]] = tile.parallel (%[[J:.*]]) in (8)
// CHECK-NEXT: %[[AT:.*]] = arith.addi %{{.*}}, %[[J]]
// CHECK-NEXT: %[[X:.*]] = tile.read %{{.*}}[%[[AT]]] : !tile.global<?xf16> -> f16
// CHECK-NEXT: %[[Y:.*]] = arith.extf %[[X]]
// CHECK-NEXT: %[[Z:.*]] = arith.mulf %[[Y]], %[[SCALE]]
// CHECK-NEXT: tile.write %[[Z]]
// CHECK: tile.parallel (%[[I:.*]], %[[K:.*]]) in (4, 8)
// CHECK-NEXT: tile.read
// CHECK-NEXT: tile.read %[[ROW]][%[[K]]] {in_bounds}
// CHECK-NEXT: arith.addf
// CHECK-NEXT: tile.write
tile.kernel @bias(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %B: !tile.ptr<f16> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c8 = arith.constant 8 : i64
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %bias = tile.global %B sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
  %c = tile.global %C sizes [2, 4, 8] strides [32, 8, 1] : !tile.ptr<f32> -> !tile.global<2x4x8xf32>
  tile.grid (%b) in (%c2) threads(128) {
    %x = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %base = arith.muli %b, %c8 : i64
    %o = tile.parallel (%i, %j) in (4, 8) updates(%r = %x : !tile.fragment<4x8xf32>) {
      %e = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %at = arith.addi %base, %j : i64
      %h = tile.read %bias[%at] : !tile.global<?xf16> -> f16
      %f = arith.extf %h : f16 to f32
      %scale = tile.read %a[%b, %c1] : !tile.global<4x8xf32> -> f32
      %scaled = arith.mulf %f, %scale : f32
      %p = arith.addf %e, %scaled : f32
      tile.write %p, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    tile.store %o, %c[%b, %c0, %c0] extents [1, 4, 8] : !tile.fragment<4x8xf32> -> !tile.global<2x4x8xf32>
  }
  tile.return
}

// With three indices the part that depends on two is computed in a parallel over those, and the part of it that
// depends on one in a parallel over that one; a choice of the row's goes as a whole.
// CHECK-LABEL: tile.kernel @ranks
// CHECK: tile.parallel (%{{.*}}) in (2)
// CHECK: scf.if
// CHECK: math.exp
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (2, 3)
// CHECK-NOT: math.exp
// CHECK: math.log
// CHECK: tile.parallel (%{{.*}}, %{{.*}}, %{{.*}}) in (2, 3, 5)
// CHECK-NOT: math.log
// CHECK: tile.return
tile.kernel @ranks(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [2, 3, 5] strides [15, 5, 1] : !tile.ptr<f32> -> !tile.global<2x3x5xf32>
  %c = tile.global %C sizes [2, 3, 5] strides [15, 5, 1] : !tile.ptr<f32> -> !tile.global<2x3x5xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %x = tile.load %a[%c0, %c0, %c0] extents [2, 3, 5] : !tile.global<2x3x5xf32> -> !tile.fragment<2x3x5xf32>
    %m2 = tile.reduce <max> %x axis 2 : !tile.fragment<2x3x5xf32> -> !tile.fragment<2x3xf32>
    %m1 = tile.reduce <max> %m2 axis 1 : !tile.fragment<2x3xf32> -> !tile.fragment<2xf32>
    %o = tile.parallel (%i, %j, %k) in (2, 3, 5) updates(%r = %x : !tile.fragment<2x3x5xf32>) {
      %e = tile.read %r[%i, %j, %k] : !tile.fragref<2x3x5xf32> -> f32
      %f = tile.read %m1[%i] : !tile.fragment<2xf32> -> f32
      %large = arith.cmpf ogt, %f, %v : f32
      %g = scf.if %large -> f32 {
        %exp = math.exp %f : f32
        scf.yield %exp : f32
      } else {
        scf.yield %v : f32
      }
      %h = tile.read %m2[%i, %j] : !tile.fragment<2x3xf32> -> f32
      %q = arith.mulf %h, %g : f32
      %abs = math.absf %q : f32
      %log = math.log %abs : f32
      %p = arith.addf %e, %log : f32
      tile.write %p, %r[%i, %j, %k] : !tile.fragref<2x3x5xf32>
    }
    tile.store %o, %c[%c0, %c0, %c0] extents [2, 3, 5] : !tile.fragment<2x3x5xf32> -> !tile.global<2x3x5xf32>
  }
  tile.return
}

// The same function of other elements is another value; where it is the same, a loop in front reads it too.
// CHECK-LABEL: tile.kernel @alike
// CHECK: tile.parallel (%{{.*}}) in (4)
// CHECK: math.exp2
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (4, 4)
// CHECK: math.exp2
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (4, 4)
// CHECK-NOT: math.exp2
// CHECK: tile.return
tile.kernel @alike(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %a = tile.global %A sizes [4, 4] strides [4, 1] : !tile.ptr<f32> -> !tile.global<4x4xf32>
  %c = tile.global %C sizes [3, 4, 4] strides [16, 4, 1] : !tile.ptr<f32> -> !tile.global<3x4x4xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %x = tile.load %a[%c0, %c0] extents [4, 4] : !tile.global<4x4xf32> -> !tile.fragment<4x4xf32>
    %m = tile.reduce <max> %x axis 1 : !tile.fragment<4x4xf32> -> !tile.fragment<4xf32>
    %w = tile.reduce <sum> %x axis 1 : !tile.fragment<4x4xf32> -> !tile.fragment<4xf32>
    %first = tile.parallel (%i) in (4) updates(%r = %w : !tile.fragment<4xf32>) {
      %f = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
      %g = tile.read %w[%i] : !tile.fragment<4xf32> -> f32
      %p = arith.mulf %f, %g : f32
      %exp = math.exp2 %p : f32
      tile.write %exp, %r[%i] : !tile.fragref<4xf32>
    }
    %second = tile.parallel (%i, %j) in (4, 4) updates(%r = %x : !tile.fragment<4x4xf32>) {
      %e = tile.read %r[%i, %j] : !tile.fragref<4x4xf32> -> f32
      %f = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
      %g = tile.read %w[%j] : !tile.fragment<4xf32> -> f32
      %p = arith.mulf %f, %g : f32
      %exp = math.exp2 %p : f32
      %q = arith.addf %e, %exp : f32
      tile.write %q, %r[%i, %j] : !tile.fragref<4x4xf32>
    }
    tile.store %first, %c[%c0, %c0, %c0] extents [1, 1, 4] : !tile.fragment<4xf32> -> !tile.global<3x4x4xf32>
    tile.store %second, %c[%c1, %c0, %c0] extents [1, 4, 4] : !tile.fragment<4x4xf32> -> !tile.global<3x4x4xf32>
    %third = tile.parallel (%i, %j) in (4, 4) updates(%r = %x : !tile.fragment<4x4xf32>) {
      %e = tile.read %r[%i, %j] : !tile.fragref<4x4xf32> -> f32
      %f = tile.read %m[%j] : !tile.fragment<4xf32> -> f32
      %g = tile.read %w[%j] : !tile.fragment<4xf32> -> f32
      %p = arith.mulf %f, %g : f32
      %exp = math.exp2 %p : f32
      %q = arith.addf %e, %exp : f32
      tile.write %q, %r[%i, %j] : !tile.fragref<4x4xf32>
    }
    tile.store %third, %c[%c2, %c0, %c0] extents [1, 4, 4] : !tile.fragment<4x4xf32> -> !tile.global<3x4x4xf32>
  }
  tile.return
}

// Under a condition a function of elements that are there is taken; a read of a tensor, which the condition may be
// there to save, and one of a fragment that may be left, are not.
// CHECK-LABEL: tile.kernel @conditions
// CHECK: tile.parallel (%{{.*}}) in (4)
// CHECK: math.exp
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (4, 8)
// CHECK-NOT: math.exp %
// CHECK: scf.if
// CHECK: tile.read %{{.*}} : !tile.global
// CHECK: math.exp2
// CHECK: math.log
tile.kernel @conditions(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %c = tile.global %C sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %x = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %m = tile.reduce <max> %x axis 1 : !tile.fragment<4x8xf32> -> !tile.fragment<4xf32>
    %half = tile.extract_slice %m[%c0] extents [2] : !tile.fragment<4xf32> -> !tile.fragment<2xf32>
    %o = tile.parallel (%i, %j) in (4, 8) updates(%r = %x : !tile.fragment<4x8xf32>) {
      %e = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %large = arith.cmpf ogt, %e, %v : f32
      %early = arith.cmpi slt, %i, %c2 : i64
      %both = arith.andi %large, %early : i1
      scf.if %both {
        %f = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
        %exp = math.exp %f : f32
        %g = tile.read %a[%c0, %i] : !tile.global<4x8xf32> -> f32
        %i2 = arith.muli %i, %c2 : i64
        %h = tile.read %m[%i2] : !tile.fragment<4xf32> -> f32
        %exp2 = math.exp2 %h : f32
        %s = arith.addf %exp, %g : f32
        %t = arith.addf %s, %exp2 : f32
        %k = tile.read %half[%i] : !tile.fragment<2xf32> -> f32
        %log = math.log %k : f32
        %p = arith.addf %t, %log : f32
        tile.write %p, %r[%i, %j] : !tile.fragref<4x8xf32>
      }
    }
    tile.store %o, %c[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
  }
  tile.return
}

// A row may be the result of an op with regions; one of the same name in another parallel may have no results.
// CHECK-LABEL: tile.kernel @branches
// CHECK: tile.parallel (%{{.*}}) in (4)
// CHECK: math.exp
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (4, 8)
// CHECK-NOT: math.exp
// CHECK: tile.return
tile.kernel @branches(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %c = tile.global %C sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %x = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %m = tile.reduce <max> %x axis 1 : !tile.fragment<4x8xf32> -> !tile.fragment<4xf32>
    %o = tile.parallel (%i, %j) in (4, 8) updates(%r = %x : !tile.fragment<4x8xf32>) {
      %e = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %f = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
      %early = arith.cmpi slt, %i, %c2 : i64
      %s = scf.if %early -> f32 {
        %exp = math.exp %f : f32
        scf.yield %exp : f32
      } else {
        scf.yield %f : f32
      }
      %p = arith.addf %e, %s : f32
      tile.write %p, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    %q = tile.parallel (%i, %j) in (4, 8) updates(%r = %o : !tile.fragment<4x8xf32>) {
      %early = arith.cmpi slt, %j, %c2 : i64
      scf.if %early {
        %f = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
        tile.write %f, %r[%i, %j] : !tile.fragref<4x8xf32>
      }
    }
    tile.store %q, %c[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
  }
  tile.return
}

// These stay: a sum costs less than a fragment; a loop's variable is no index; an element that the loop itself
// writes, or that the kernel writes, is not the same at all times; an extent that is not known may be 0; and without
// fragments the parallel is a loop that is cut elsewhere.
// CHECK-LABEL: tile.kernel @stays
// CHECK-NOT: in (4)
// CHECK: tile.return
tile.kernel @stays(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %a = tile.global %A sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  %c = tile.global %C sizes [4, 8] strides [8, 1] : !tile.ptr<f32> -> !tile.global<4x8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %x = tile.load %a[%c0, %c0] extents [4, 8] : !tile.global<4x8xf32> -> !tile.fragment<4x8xf32>
    %m = tile.reduce <max> %x axis 1 : !tile.fragment<4x8xf32> -> !tile.fragment<4xf32>
    %o = tile.parallel (%i, %j) in (4, 8) updates(%r = %x : !tile.fragment<4x8xf32>) {
      %e = tile.read %r[%i, %j] : !tile.fragref<4x8xf32> -> f32
      %f = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
      %g = arith.addf %f, %f : f32
      %s = scf.for %k = %c0 to %c3 step %c1 iter_args(%sum = %g) -> f32 : i64 {
        %index = arith.sitofp %k : i64 to f32
        %exp = math.exp %index : f32
        %next = arith.addf %sum, %exp : f32
        %scaled = arith.mulf %next, %e : f32
        scf.yield %scaled : f32
      }
      %first = tile.read %r[%i, %c0] : !tile.fragref<4x8xf32> -> f32
      %exp2 = math.exp2 %first : f32
      %written = tile.read %c[%i, %c0] : !tile.global<4x8xf32> -> f32
      %p = arith.addf %s, %exp2 : f32
      %q = arith.addf %p, %written : f32
      tile.write %q, %r[%i, %j] : !tile.fragref<4x8xf32>
    }
    tile.store %o, %c[%c0, %c0] extents [4, 8] : !tile.fragment<4x8xf32> -> !tile.global<4x8xf32>
    %some = arith.minsi %n, %c4 : i64
    tile.parallel (%i, %j) in (%some, 8) {
      %e = tile.read %m[%i] : !tile.fragment<4xf32> -> f32
      %exp = math.exp %e : f32
      tile.write %exp, %c[%i, %j] : !tile.global<4x8xf32>
    }
    tile.parallel (%i, %j) in (4, 8) {
      %e = tile.read %a[%i, %c0] : !tile.global<4x8xf32> -> f32
      %exp = math.exp %e : f32
      tile.write %exp, %c[%i, %j] : !tile.global<4x8xf32>
    }
  }
  tile.return
}
