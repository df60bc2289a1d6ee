// RUN: tile-opt %s -tile-infer-layouts -split-input-file | FileCheck %s

// Vectors of the widest access, lanes along the contiguous dimension, a few vectors in flight; a dynamic extent is
// taken for a long one.
// CHECK-LABEL: tile.kernel @iterations
// CHECK: in (4096) attributes {layout = #tile.blocked<vector = [8], lanes = [32], warps = [8], reps = [2]>}
// CHECK: in (16, 64) attributes {layout = #tile.blocked<vector = [1, 4], lanes = [2, 16], warps = [8, 1], reps = [1, 1]>}
// CHECK: in (%{{.*}}, %{{.*}}) attributes {layout = #tile.blocked<vector = [1, 4], lanes = [1, 32], warps = [1, 8], reps = [1, 4]>}
// CHECK: in (100) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [8], reps = [1]>}
tile.kernel @iterations(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %n: i64) {
  %a = tile.global %A sizes [%n, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
  tile.grid (%b) in (%n) threads(256) {
    tile.parallel (%i) in (4096) {
      %x = tile.read %a[%b, %i] {tile.width = 8 : i64} : !tile.global<?x64xf16> -> f16
    }
    tile.parallel (%i, %j) in (16, 64) {
      %x = tile.read %a[%i, %j] {tile.width = 8 : i64} : !tile.global<?x64xf16> -> f16
    }
    tile.parallel (%i, %j) in (%n, %n) {
      %x = tile.read %a[%i, %j] {tile.width = 4 : i64} : !tile.global<?x64xf16> -> f16
    }
    tile.parallel (%i) in (100) {
      %x = tile.read %a[%b, %i] {tile.width = 8 : i64} : !tile.global<?x64xf16> -> f16
    }
  }
  tile.return
}

// -----

// Fragments of one shape share a layout, with or without unit extents, and a parallel that names them takes it.
// CHECK-LABEL: tile.kernel @fragments
// CHECK: tile.load {{.*}} -> !tile.fragment<1024xf16, #tile.blocked<vector = [8], lanes = [32], warps = [3], reps = [2]>>
// CHECK: tile.reshape {{.*}} -> !tile.fragment<1024x1xf16, #tile.blocked<vector = [8, 1], lanes = [32, 1], warps = [3, 1], reps = [2, 1]>>
// CHECK: tile.parallel (%{{.*}}) in (100) updates(%[[R:.*]] = %{{.*}} : !tile.fragment<1024xf16, #tile.blocked<vector = [8], lanes = [32], warps = [3], reps = [2]>>) attributes {layout = #tile.blocked<vector = [8], lanes = [32], warps = [3], reps = [2]>}
// CHECK: tile.read %[[R]][%{{.*}}] : !tile.fragref<1024xf16, #tile.blocked<vector = [8], lanes = [32], warps = [3], reps = [2]>>
// CHECK: scf.for {{.*}} -> (!tile.fragment<1024xf16, #tile.blocked<vector = [8], lanes = [32], warps = [3], reps = [2]>>)
tile.kernel @fragments(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
  tile.grid (%b) in (%n) threads(96) {
    %f = tile.load %a[%c0] extents [1024] {tile.width = 8 : i64} : !tile.global<?xf16> -> !tile.fragment<1024xf16>
    %r1 = tile.reshape %f : !tile.fragment<1024xf16> -> !tile.fragment<1024x1xf16>
    %g = tile.parallel (%i) in (100) updates(%r = %f : !tile.fragment<1024xf16>) {
      %x = tile.read %r[%i] : !tile.fragref<1024xf16> -> f16
      tile.write %x, %r[%i] : !tile.fragref<1024xf16>
    }
    %l = scf.for %k = %c0 to %n step %c1 iter_args(%h = %g) -> (!tile.fragment<1024xf16>) : i64 {
      scf.yield %h : !tile.fragment<1024xf16>
    }
  }
  tile.return
}

// -----

// A choice is one fragment with what it chooses from, and so is what a parallel makes of it.
// CHECK-LABEL: tile.kernel @choice
// CHECK: tile.load {{.*}} -> !tile.fragment<64xf16, #[[L:.*]]>
// CHECK: tile.fragment %{{.*}} : !tile.fragment<64xf16, #[[L]]>
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : !tile.fragment<64xf16, #[[L]]>
// CHECK-NOT: tile.convert
tile.kernel @choice(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %n: i64, %v: f16) {
  %c0 = arith.constant 0 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
  tile.grid (%b) in (%n) threads(32) {
    %f = tile.load %a[%c0] extents [64] {tile.width = 2 : i64} : !tile.global<?xf16> -> !tile.fragment<64xf16>
    %g = tile.fragment %v : !tile.fragment<64xf16>
    %first = arith.cmpi eq, %b, %c0 : i64
    %h = arith.select %first, %f, %g : !tile.fragment<64xf16>
    tile.parallel (%i) in (64) {
      %x = tile.read %h[%i] : !tile.fragment<64xf16> -> f16
    }
  }
  tile.return
}

// -----

// Rows are in several threads, and a parallel over them as well: where it changes memory in place, one of these acts. What
// it read before goes to a fragment in the second, which all need, so that one is spread without copies.
#tile2 = #tile.blocked<vector = [1, 1], lanes = [8, 4], warps = [1, 1], reps = [1, 1]>
!F = !tile.fragment<8x4xf32, #tile2>
// CHECK-LABEL: tile.kernel @in_place
// CHECK: tile.parallel {{.*}} in (8) attributes {layout = #tile.rows<#[[T:.*]], axis = 1>}
// CHECK: %[[C:.*]] = tile.convert %{{.*}} : !tile.fragment<8xf32, #tile.rows<#[[T]], axis = 1>> -> !tile.fragment<8xf32, #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>>
// CHECK: %[[P:.*]] = tile.parallel {{.*}} updates(%{{.*}} = %[[C]] : {{.*}} attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>}
// CHECK: tile.convert %[[P]] : {{.*}} -> !tile.fragment<8xf32, #tile.rows<#[[T]], axis = 1>>
tile.kernel @in_place(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %a = tile.global %A sizes [8, 4] strides [4, 1] : !tile.ptr<f32> -> !tile.global<8x4xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%n) threads(32) {
    %f = tile.load %a[%c0, %c0] extents [8, 4] : !tile.global<8x4xf32> -> !F
    %r = tile.reduce <sum> %f axis 1 : !F -> !tile.fragment<8xf32>
    tile.parallel (%i) in (8) {
      %x = tile.read %c[%i] : !tile.global<8xf32> -> f32
      %y = tile.read %r[%i] : !tile.fragment<8xf32> -> f32
      %z = arith.addf %x, %y : f32
      tile.write %z, %c[%i] : !tile.global<8xf32>
    }
    %s = tile.parallel (%i) in (8) updates(%q = %r : !tile.fragment<8xf32>) {
      %x = tile.read %c[%i] : !tile.global<8xf32> -> f32
      %y = tile.read %q[%i] : !tile.fragref<8xf32> -> f32
      %z = arith.addf %x, %y : f32
      tile.write %z, %c[%i] : !tile.global<8xf32>
      tile.write %x, %q[%i] : !tile.fragref<8xf32>
    }
    tile.store %s, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}

// -----

// A chain of products: accumulators and the A operand follow the instruction, rows follow the accumulator, and the
// narrowed product becomes the operand without leaving its thread. Tiles that matrix instructions read are swizzled.
#instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>
// CHECK-LABEL: tile.kernel @chain
// CHECK: tile.shared {name = "Q"} : !tile.shared<64x64xf16, #tile.panels<64, sw128>>
// CHECK: tile.shared {name = "K"} : !tile.shared<48x64xf16, #tile.panels<64, sw128>>
// CHECK: tile.shared {name = "V"} : !tile.shared<48x40xf16, #tile.panels<8, none>>
// CHECK: tile.gemm {{.*}} -> !tile.fragment<64x48xf32, #tile.mma<acc, bits = 32, warps = [4, 1], reps = [1, 6]>>
// CHECK: tile.reduce {{.*}} -> !tile.fragment<64xf32, #tile.rows<#tile.mma<acc, bits = 32, warps = [4, 1], reps = [1, 6]>, axis = 1>>
// CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (64, 48) {{.*}} attributes {layout = #tile.mma<acc, bits = 32, warps = [4, 1], reps = [1, 6]>}
// CHECK: tile.convert {{.*}} -> !tile.fragment<64x48xf16, #tile.mma<a, bits = 16, warps = [4, 1], reps = [1, 3]>>
// CHECK: tile.gemm {{.*}} -> !tile.fragment<64x40xf32, #tile.mma<acc, bits = 32, warps = [4, 1], reps = [1, 5]>>
tile.kernel @chain(%n: i64) {
  tile.grid (%b) in (%n) threads(128) {
    %q = tile.shared {name = "Q"} : !tile.shared<64x64xf16>
    %k = tile.shared {name = "K"} : !tile.shared<48x64xf16>
    %v = tile.shared {name = "V"} : !tile.shared<48x40xf16>
    %s = tile.gemm %q, %k {trans_b, warps = #tile.warps<rows>, instr = #instr}
      : !tile.shared<64x64xf16>, !tile.shared<48x64xf16> -> !tile.fragment<64x48xf32>
    %m = tile.reduce <max> %s axis 1 : !tile.fragment<64x48xf32> -> !tile.fragment<64xf32>
    %e = tile.parallel (%i, %j) in (64, 48) updates(%r = %s : !tile.fragment<64x48xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<64x48xf32> -> f32
      %y = tile.read %m[%i] : !tile.fragment<64xf32> -> f32
      %z = arith.subf %x, %y : f32
      tile.write %z, %r[%i, %j] : !tile.fragref<64x48xf32>
    }
    %p = tile.convert %e : !tile.fragment<64x48xf32> -> !tile.fragment<64x48xf16>
    %o = tile.gemm %p, %v {warps = #tile.warps<rows>, instr = #instr}
      : !tile.fragment<64x48xf16>, !tile.shared<48x40xf16> -> !tile.fragment<64x40xf32>
  }
  tile.return
}

// -----

// Where two wishes cannot both hold, a conversion stands in front: the sum of two products that divide the warps in
// different ways. A view has the strides of the dimensions that stay; what the program pins is pinned.
#instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>
// CHECK-LABEL: tile.kernel @conflict
// CHECK: tile.shared : !tile.shared<2x64x64xf16, #tile.strided<[4608, 72, 1]>>
// CHECK: tile.subview {{.*}} -> !tile.shared<64x64xf16, #tile.strided<[72, 1]>>
// CHECK: tile.shared {swizzle = #tile.swizzle<sw64>} : !tile.shared<64x64xf16, #tile.panels<32, sw64>>
// CHECK: %[[R:.*]] = tile.gemm {{.*}} -> !tile.fragment<64x64xf32, #tile.mma<acc, bits = 32, warps = [4, 1], reps = [1, 8]>>
// CHECK: %[[C:.*]] = tile.gemm {{.*}} -> !tile.fragment<64x64xf32, #tile.mma<acc, bits = 32, warps = [1, 4], reps = [4, 2]>>
// CHECK: %[[D:.*]] = tile.convert %[[C]] : {{.*}} -> !tile.fragment<64x64xf32, #tile.mma<acc, bits = 32, warps = [4, 1], reps = [1, 8]>>
// CHECK: tile.parallel {{.*}} updates(%{{.*}} = %[[R]] :
// CHECK: tile.read %[[D]]
tile.kernel @conflict(%n: i64) {
  %c0 = arith.constant 0 : i64
  tile.grid (%b) in (%n) threads(128) {
    %both = tile.shared : !tile.shared<2x64x64xf16>
    %a = tile.subview %both[%b, %c0, %c0] extents [1, 64, 64] drop [0] : !tile.shared<2x64x64xf16> -> !tile.shared<64x64xf16>
    %s = tile.shared {swizzle = #tile.swizzle<sw64>} : !tile.shared<64x64xf16>
    %x = tile.gemm %a, %s {warps = #tile.warps<rows>, instr = #instr}
      : !tile.shared<64x64xf16>, !tile.shared<64x64xf16> -> !tile.fragment<64x64xf32>
    %y = tile.gemm %a, %s {warps = #tile.warps<cols>, instr = #instr}
      : !tile.shared<64x64xf16>, !tile.shared<64x64xf16> -> !tile.fragment<64x64xf32>
    %z = tile.parallel (%i, %j) in (64, 64) updates(%r = %x : !tile.fragment<64x64xf32>) {
      %u = tile.read %r[%i, %j] : !tile.fragref<64x64xf32> -> f32
      %v = tile.read %y[%i, %j] : !tile.fragment<64x64xf32> -> f32
      %w = arith.addf %u, %v : f32
      tile.write %w, %r[%i, %j] : !tile.fragref<64x64xf32>
    }
  }
  tile.return
}

// -----

// Few rows of a fragment are covered by the iteration that names them. Where there are too many the threads stand for
// other rows in every chunk, so nothing is converted for them: tile-materialize-exchanges puts the rows in shared
// memory. A fragment longer than the loop that names it does not take the loop's layout.
// CHECK-LABEL: tile.kernel @rows
// CHECK: in (4, 4096) attributes {layout = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [1, 4], reps = [4, 4]>}
// CHECK: %[[MANY:.*]] = tile.load {{.*}} -> !tile.fragment<64xf32, #tile.blocked<
// CHECK-NOT: tile.convert
// CHECK: in (64, 64) attributes {layout = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [2, 2], reps = [16, 1]>}
// CHECK: tile.read %[[MANY]]
// CHECK: tile.fragment %{{.*}} : !tile.fragment<64xf32, #tile.blocked<
tile.kernel @rows(%F: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %f = tile.global %F sizes [64] strides [1] : !tile.ptr<f32> -> !tile.global<64xf32>
  %c = tile.global %C sizes [64, 4096] strides [4096, 1] : !tile.ptr<f32> -> !tile.global<64x4096xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %few = tile.load %f[%c0] extents [4] : !tile.global<64xf32> -> !tile.fragment<4xf32>
    tile.parallel (%i, %j) in (4, 4096) {
      %x = tile.read %few[%i] : !tile.fragment<4xf32> -> f32
      tile.write %x, %c[%i, %j] : !tile.global<64x4096xf32>
    }
    %many = tile.load %f[%c0] extents [64] : !tile.global<64xf32> -> !tile.fragment<64xf32>
    tile.parallel (%i, %j) in (64, 64) {
      %x = tile.read %many[%i] : !tile.fragment<64xf32> -> f32
      tile.write %x, %c[%i, %j] : !tile.global<64x4096xf32>
    }
    %zero = arith.constant 0.0 : f32
    %long = tile.fragment %zero : !tile.fragment<64xf32>
    %matrix = tile.fragment %zero : !tile.fragment<32x64xf32>
    %sum = tile.parallel (%i, %j) in (32, 64) updates(%m = %matrix : !tile.fragment<32x64xf32>) {
      %x = tile.read %long[%i] : !tile.fragment<64xf32> -> f32
      tile.write %x, %m[%i, %j] : !tile.fragref<32x64xf32>
    }
  }
  tile.return
}
