// RUN: tile-opt %s -tile-insert-sync -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-insert-sync -tile-insert-sync -split-input-file | FileCheck %s

#L = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>

// The same index of the same layout stays with its thread; a neighbour's element is handed on.
// CHECK-LABEL: tile.kernel @neighbours
// CHECK: tile.parallel
// CHECK-NOT: tile.barrier
// CHECK: tile.parallel
// CHECK: tile.barrier {reason = "'X' is handed on"}
// CHECK-NEXT: tile.parallel
// CHECK-NOT: tile.barrier
tile.kernel @neighbours(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "X"}, %n: i64, %v: f32) {
  %c1 = arith.constant 1 : i64
  %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i) in (128) attributes {layout = #L} {
      tile.write %v, %x[%i] : !tile.global<?xf32>
    }
    tile.parallel (%i) in (128) attributes {layout = #L} {
      %y = tile.read %x[%i] : !tile.global<?xf32> -> f32
      tile.write %y, %x[%i] : !tile.global<?xf32>
    }
    tile.parallel (%i) in (128) attributes {layout = #L} {
      %j = arith.addi %i, %c1 : i64
      %y = tile.read %x[%j] : !tile.global<?xf32> -> f32
    }
  }
  tile.return
}

// -----

// What the kernel only reads needs nothing; scalars are written by one thread and read by all; a loop hands on to its
// next iteration unless each writes elsewhere.
#L = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
// CHECK-LABEL: tile.kernel @loops
// CHECK: tile.write_scalar
// CHECK: tile.barrier {reason = "'X' is handed on"}
// CHECK-NEXT: tile.read_scalar
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.parallel
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.parallel
// CHECK-NOT: tile.barrier
tile.kernel @loops(%A: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.name = "A"},
                   %X: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "X"},
                   %C: !tile.ptr<f32> {tile.access = #tile.access<out>, tile.name = "C"}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    tile.write_scalar %v, %x[%c0] : !tile.global<?xf32>
    %s = tile.read_scalar %x[%c0] : !tile.global<?xf32> -> f32
    scf.for %t = %c0 to %n step %c1 : i64 {
      tile.parallel (%i) in (128) attributes {layout = #L} {
        %at = arith.addi %i, %t : i64
        %y = tile.read %a[%at] : !tile.global<?xf32> -> f32
        tile.write %y, %x[%at] : !tile.global<?xf32>
      }
    }
    scf.for %t = %c0 to %n step %c128 : i64 {
      tile.parallel (%i) in (128) attributes {layout = #L} {
        %at = arith.addi %i, %t : i64
        tile.write %v, %c[%at] : !tile.global<?xf32>
      }
    }
  }
  tile.return
}
