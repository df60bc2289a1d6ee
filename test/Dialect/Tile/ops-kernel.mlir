// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Kernels, grids and their terminators.

module attributes {tile.stage = "tile", tile.target = #tile.target<"sm_90a">} {
  // CHECK-LABEL: tile.kernel @arguments
  tile.kernel @arguments(%A: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.align = 16 : i64, tile.name = "A"}, %B: !tile.ptr<ui8> {tile.access = #tile.access<inout>}, %n: i64 {tile.name = "N"}, %s: f32, %b: i1) {
    // CHECK: tile.grid (%{{.*}}) in (%{{.*}}) threads(128) {{{$}}
    tile.grid (%x) in (%n) threads(128) {
      tile.yield
    }
    tile.return
  }

  // CHECK-LABEL: tile.kernel private @grid
  tile.kernel private @grid(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %gx: i64, %gy: i64, %gz: i64) attributes {tile.variant = "all_facts"} {
    // CHECK: tile.grid (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}, %{{.*}}) threads(1024) attributes {cluster = array<i64: 2, 1, 1>, persistent, raster = #tile.raster<panel = 10, order = column>} {{{$}}
    tile.grid (%x, %y, %z) in (%gx, %gy, %gz) threads(1024) attributes {cluster = array<i64: 2, 1, 1>, persistent, raster = #tile.raster<panel = 10, order = column>} {
      // CHECK: tile.print "block"{{$}}
      tile.print "block"
    }
    tile.return
  }

  // CHECK-LABEL: tile.kernel @stages
  tile.kernel @stages(%n: i64) {
    // CHECK: tile.grid (%{{.*}}) in (%{{.*}}) threads(32) {{{$}}
    tile.grid (%x) in (%n) threads(32) {
      %c1 = arith.constant 1 : i64
      // CHECK: scf.for {{.*}} : i64 {
      // CHECK: } {tile.stages = 3 : i64}
      scf.for %i = %c1 to %n step %c1 : i64 {
      } {tile.stages = 3 : i64}
    }
    tile.return
  }
}
