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
