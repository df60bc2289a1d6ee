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

// -----

// An index without a parallel's variable, or with a sum of two, names an element from more than one iteration.
#L = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>
// CHECK-LABEL: tile.kernel @not_injective
// CHECK: tile.write %{{.*}}, %{{.*}}[%[[I:.*]]] : !tile.global<?xf32>
// CHECK: tile.barrier
// CHECK-NEXT: tile.parallel
// CHECK: tile.barrier
// CHECK-NEXT: tile.parallel
// CHECK: tile.barrier
// CHECK-NEXT: tile.parallel
tile.kernel @not_injective(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "X"}, %n: i64, %v: f32) {
  %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
      tile.write %v, %x[%i] : !tile.global<?xf32>
    }
    tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
      %y = tile.read %x[%i] : !tile.global<?xf32> -> f32
    }
    tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
      %at = arith.addi %i, %j : i64
      tile.write %v, %x[%at] : !tile.global<?xf32>
    }
    tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
      %at = arith.addi %i, %j : i64
      %y = tile.read %x[%at] : !tile.global<?xf32> -> f32
    }
  }
  tile.return
}

// -----

// A mixed-radix number is injective; so is what one dimension lacks and another one has.
#L = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>
// CHECK-LABEL: tile.kernel @injective
// CHECK-NOT: handed on
tile.kernel @injective(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "X"},
                       %Y: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "Y"}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c32 = arith.constant 32 : i64
  %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %y = tile.global %Y sizes [%n, %n] strides [%n, 1] : !tile.ptr<f32> -> !tile.global<?x?xf32>
  tile.grid (%b) in (%n) threads(128) {
    %base = arith.muli %b, %n : i64
    tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
      %row = arith.muli %i, %c32 : i64
      %sum = arith.addi %row, %j : i64
      %at = arith.addi %sum, %base : i64
      tile.write %v, %x[%at] : !tile.global<?xf32>
      tile.write %v, %y[%at, %j] : !tile.global<?x?xf32>
    }
    tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
      %row = arith.muli %i, %c32 : i64
      %sum = arith.addi %row, %j : i64
      %at = arith.addi %sum, %base : i64
      %0 = tile.read %x[%at] : !tile.global<?xf32> -> f32
      %1 = tile.read %y[%at, %j] : !tile.global<?x?xf32> -> f32
    }
    tile.barrier {reason = "by hand"}
    // Two loops with the same values.
    scf.for %k = %c0 to %c32 step %c8 : i64 {
      tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
        %row = arith.addi %k, %i : i64
        tile.write %v, %y[%row, %j] : !tile.global<?x?xf32>
      }
    }
    scf.for %k = %c0 to %n step %c8 : i64 {
      tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
        %row = arith.addi %k, %i : i64
        %0 = tile.read %y[%row, %j] : !tile.global<?x?xf32> -> f32
        tile.write %0, %y[%row, %j] : !tile.global<?x?xf32>
      }
    }
    tile.barrier {reason = "by hand"}
    // Planes, whatever moves inside them.
    scf.for %k = %c0 to %n step %c1 : i64 {
      tile.parallel (%i, %j) in (8, 32) attributes {layout = #L} {
        %row = arith.muli %i, %c32 : i64
        %sum = arith.addi %row, %j : i64
        %at = arith.addi %sum, %k : i64
        tile.write %v, %y[%k, %at] : !tile.global<?x?xf32>
      }
    }
  }
  tile.return
}

// -----

// What a body computes from a loop round it, and a loop that begins somewhere else each time.
#L = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
// CHECK-LABEL: tile.kernel @moved
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.parallel
// CHECK: tile.barrier {reason = "by hand"}
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.parallel
tile.kernel @moved(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "X"}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    scf.for %k = %c0 to %n step %c1 : i64 {
      tile.parallel (%i) in (128) attributes {layout = #L} {
        %sum = arith.addi %i, %k : i64
        %at = arith.remsi %sum, %c128 : i64
        tile.write %v, %x[%at] : !tile.global<?xf32>
      }
    }
    tile.barrier {reason = "by hand"}
    scf.for %k = %c0 to %n step %c1 : i64 {
      scf.for %m = %k to %n step %c128 : i64 {
        tile.parallel (%i) in (128) attributes {layout = #L} {
          %at = arith.addi %i, %m : i64
          tile.write %v, %x[%at] : !tile.global<?xf32>
        }
      }
    }
  }
  tile.return
}

// -----

// A load and a store of one region, of a transposed one, and of one that a parallel wrote.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [8, 1]>
// CHECK-LABEL: tile.kernel @regions
// CHECK: tile.load
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.parallel
// CHECK-NOT: tile.barrier
// CHECK: tile.load
tile.kernel @regions(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "X"}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %x = tile.global %X sizes [64, 64, 64] strides [4096, 64, 1] : !tile.ptr<f32> -> !tile.global<64x64x64xf32>
  tile.grid (%b) in (%n) threads(128) {
    %f = tile.load %x[%c0, %c0, %c0] extents [32, 32, 1] : !tile.global<64x64x64xf32> -> !tile.fragment<32x32xf32, #F>
    tile.store %f, %x[%c0, %c0, %c0] extents [32, 32, 1] : !tile.fragment<32x32xf32, #F> -> !tile.global<64x64x64xf32>
    tile.store %f, %x[%c0, %c0, %c0] extents [1, 32, 32] : !tile.fragment<32x32xf32, #F> -> !tile.global<64x64x64xf32>
    tile.parallel (%i, %j) in (32, 32) attributes {layout = #F} {
      tile.write %v, %x[%i, %j, %c0] : !tile.global<64x64x64xf32>
    }
    %g = tile.load %x[%c0, %c0, %c0] extents [32, 32, 1] : !tile.global<64x64x64xf32> -> !tile.fragment<32x32xf32, #F>
  }
  tile.return
}

// -----

// Windows: the loop's variable is another dimension's than the fragment's, or the same.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>
// CHECK-LABEL: tile.kernel @windows
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.store
// CHECK: tile.barrier {reason = "by hand"}
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
tile.kernel @windows(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "X"}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %x = tile.global %X sizes [8, 64, 64] strides [4096, 64, 1] : !tile.ptr<f32> -> !tile.global<8x64x64xf32>
  tile.grid (%b) in (%n) threads(128) {
    %f = tile.fragment %v : !tile.fragment<8x32xf32, #F>
    scf.for %k = %c0 to %c8 step %c1 : i64 {
      %w = tile.window %x[%k, %c0, %c0] sizes [1, 64, 64] drop [0] : !tile.global<8x64x64xf32> -> !tile.global<64x64xf32>
      tile.store %f, %w[%k, %c0] extents [8, 32] : !tile.fragment<8x32xf32, #F> -> !tile.global<64x64xf32>
    }
    tile.barrier {reason = "by hand"}
    %w = tile.window %x[%c0, %c0, %c0] sizes [1, 64, 64] drop [0] : !tile.global<8x64x64xf32> -> !tile.global<64x64xf32>
    scf.for %k = %c0 to %c8 step %c1 : i64 {
      tile.store %f, %w[%k, %c0] extents [8, 32] : !tile.fragment<8x32xf32, #F> -> !tile.global<64x64xf32>
    }
  }
  tile.return
}

// -----

// A while loop is left after its condition, which all threads have to read first.
// CHECK-LABEL: tile.kernel @leave
// CHECK: scf.while
// CHECK: tile.barrier
// CHECK-NEXT: tile.read_scalar
// CHECK: } do {
// CHECK: tile.barrier
// CHECK-NEXT: tile.write_scalar
// CHECK: tile.barrier
// CHECK-NEXT: tile.write_scalar
tile.kernel @leave(%X: !tile.ptr<i32> {tile.access = #tile.access<inout>, tile.name = "X"}, %n: i64, %v: i32) {
  %c0 = arith.constant 0 : i64
  %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<i32> -> !tile.global<?xi32>
  tile.grid (%b) in (%n) threads(128) {
    scf.while : () -> () {
      %s = tile.read_scalar %x[%c0] : !tile.global<?xi32> -> i32
      %more = arith.cmpi slt, %s, %v : i32
      scf.condition(%more)
    } do {
      tile.write_scalar %v, %x[%c0] : !tile.global<?xi32>
      scf.yield
    }
    tile.write_scalar %v, %x[%c0] : !tile.global<?xi32>
  }
  tile.return
}

// -----

// Chunks of one parallel have no order among each other, and one barrier in front orders all of them; rows that
// overlap in memory are handed on whatever their indices.
#L = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
// CHECK-LABEL: tile.kernel @chunks
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.parallel
// CHECK: tile.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.parallel
// CHECK: tile.parallel
// CHECK: tile.barrier
// CHECK-NEXT: tile.parallel
tile.kernel @chunks(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "X"},
                    %Y: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "Y"}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c128 = arith.constant 128 : i64
  %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %y = tile.global %Y sizes [%n, 128] strides [100, 1] : !tile.ptr<f32> -> !tile.global<?x128xf32>
  tile.grid (%b) in (%n) threads(128) {
    scf.for %k = %c0 to %n step %c128 : i64 {
      tile.parallel (%i) in (128) attributes {layout = #L, tile.chunk} {
        %at = arith.addi %k, %i : i64
        %back = arith.subi %n, %at : i64
        %0 = tile.read %x[%back] : !tile.global<?xf32> -> f32
        tile.write %0, %x[%at] : !tile.global<?xf32>
      }
    } {tile.chunk}
    scf.for %k = %c0 to %n step %c128 : i64 {
      tile.parallel (%i) in (128) attributes {layout = #L, tile.chunk} {
        %at = arith.addi %k, %i : i64
        tile.write %v, %x[%at] : !tile.global<?xf32>
      }
    } {tile.chunk}
    tile.parallel (%i) in (128) attributes {layout = #L} {
      tile.write %v, %y[%c0, %i] : !tile.global<?x128xf32>
    }
    tile.parallel (%i) in (128) attributes {layout = #L} {
      %0 = tile.read %y[%c0, %i] : !tile.global<?x128xf32> -> f32
    }
  }
  tile.return
}
