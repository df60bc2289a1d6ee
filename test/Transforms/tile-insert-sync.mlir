// RUN: tile-opt %s -tile-insert-sync -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-insert-sync -tile-insert-sync -split-input-file | FileCheck %s

#L = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>

// The same index of the same layout stays with its thread; a neighbour's element is handed on.
// CHECK-LABEL: tile.kernel @neighbours
// CHECK: tile.parallel
// CHECK-NOT: tile.barrier
// CHECK: tile.parallel
// CHECK: tile.barrier {reason = "'X' is read {{.*}}after it was written"}
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
// CHECK: tile.barrier {reason = "'X' is read {{.*}}after it was written"}
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
// CHECK-NOT: after it was
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

// -----

// A product: two barriers an iteration, none before the first or behind the last one beyond those. The next loop's first
// barrier is its own, and what is between two of them needs no third.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [16, 1]>
#C = #tile.mma<acc, bits = 32, warps = [2, 2], reps = [2, 4]>
#S = #tile.panels<32, sw64>
#mma = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>
// CHECK-LABEL: tile.kernel @product
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.load
// CHECK-NEXT: tile.barrier {reason = "'As' is overwritten after gemm read it"}
// CHECK-NEXT: tile.store
// CHECK-NOT: tile.barrier
// CHECK: tile.store
// CHECK-NEXT: tile.barrier {reason = "'As' is read by gemm after it was written"}
// CHECK-NEXT: tile.gemm
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: tile.barrier {reason = "'As' is overwritten after gemm read it"}
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier {reason = "'As' is read by gemm after it was written"}
// CHECK-NEXT: tile.gemm
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @product(%X: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.name = "X"}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %x = tile.global %X sizes [64, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<64x64xf16>
  tile.grid (%b) in (%n) threads(128) {
    %as = tile.shared {name = "As", offset = 0 : i64} : !tile.shared<64x32xf16, #S>
    %bs = tile.shared {name = "Bs", offset = 4096 : i64} : !tile.shared<64x32xf16, #S>
    %acc = tile.fragment %zero : !tile.fragment<64x64xf32, #C>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%c = %acc) -> (!tile.fragment<64x64xf32, #C>) : i64 {
      %f = tile.load %x[%c0, %k] extents [64, 32] : !tile.global<64x64xf16> -> !tile.fragment<64x32xf16, #F>
      tile.store %f, %as[%c0, %c0] extents [64, 32] : !tile.fragment<64x32xf16, #F> -> !tile.shared<64x32xf16, #S>
      %g = tile.load %x[%c0, %k] extents [64, 32] : !tile.global<64x64xf16> -> !tile.fragment<64x32xf16, #F>
      tile.store %g, %bs[%c0, %c0] extents [64, 32] : !tile.fragment<64x32xf16, #F> -> !tile.shared<64x32xf16, #S>
      %d = tile.gemm %as, %bs acc(%c) {trans_b, instr = #mma} : !tile.shared<64x32xf16, #S>, !tile.shared<64x32xf16, #S>
        -> !tile.fragment<64x64xf32, #C>
      scf.yield %d : !tile.fragment<64x64xf32, #C>
    }
    %more = scf.for %k = %c0 to %n step %c1 iter_args(%c = %sum) -> (!tile.fragment<64x64xf32, #C>) : i64 {
      %f = tile.load %x[%k, %k] extents [64, 32] : !tile.global<64x64xf16> -> !tile.fragment<64x32xf16, #F>
      tile.store %f, %as[%c0, %c0] extents [64, 32] : !tile.fragment<64x32xf16, #F> -> !tile.shared<64x32xf16, #S>
      %d = tile.gemm %as, %bs acc(%c) {trans_b, instr = #mma} : !tile.shared<64x32xf16, #S>, !tile.shared<64x32xf16, #S>
        -> !tile.fragment<64x64xf32, #C>
      scf.yield %d : !tile.fragment<64x64xf32, #C>
    }
  }
  tile.return
}

// -----

// A fragment that comes back to the threads that stored it needs no barrier, under another name of the layout either.
// Another layout, another place or threads that share an element do.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [8, 1]>
#R = #tile.rows<#tile.blocked<vector = [1, 1, 1], lanes = [1, 32, 1], warps = [4, 1, 1], reps = [8, 1, 2]>, axis = 2, parts = none>
#T = #tile.blocked<vector = [1, 1], lanes = [32, 1], warps = [1, 4], reps = [1, 8]>
#D = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [8, 2]>
#W = #tile.rows<#tile.blocked<vector = [1, 1, 1], lanes = [1, 32, 1], warps = [2, 1, 2], reps = [16, 1, 1]>, axis = 2, parts = none>
#S = #tile.strided<[36, 1]>
// CHECK-LABEL: tile.kernel @fragments
// CHECK: tile.store %[[F:.*]], %{{.*}} : !tile.fragment<32x32xf32
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.parallel
// CHECK: tile.barrier {reason = "'Xs' is read after it was written"}
// CHECK-NEXT: %[[T:.*]] = tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.barrier {reason = "'Xs' is overwritten after it was read"}
// CHECK-NEXT: tile.store %[[T]]
// CHECK-NEXT: tile.barrier {reason = "'Xs' is overwritten after it was written"}
// CHECK-NEXT: tile.store %[[F]]
// CHECK-NEXT: tile.barrier {reason = "'Xs' is read after it was written"}
// CHECK-NEXT: %[[W:.*]] = tile.load
// CHECK-NEXT: tile.barrier {reason = "'Xs' is overwritten after it was read"}
// CHECK-NEXT: tile.store %[[W]]
// CHECK-NEXT: tile.barrier {reason = "'Xs' is read after it was written"}
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.barrier {reason = "'Ys' is overwritten after it was read"}
// CHECK-NEXT: tile.store
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @fragments(%n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  tile.grid (%b) in (%n) threads(128) {
    %xs = tile.shared {name = "Xs"} : !tile.shared<32x32xf32, #S>
    %ys = tile.shared {name = "Ys"} : !tile.shared<33x32xf32, #S>
    %f = tile.fragment %v : !tile.fragment<32x32xf32, #F>
    tile.store %f, %xs[%c0, %c0] extents [32, 32] : !tile.fragment<32x32xf32, #F> -> !tile.shared<32x32xf32, #S>
    %0 = tile.load %xs[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #F>
    %1 = tile.load %xs[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #R>
    tile.parallel (%i, %j) in (32, 32) attributes {layout = #F} {
      %x = tile.read %xs[%i, %j] : !tile.shared<32x32xf32, #S> -> f32
      tile.write %x, %xs[%i, %j] : !tile.shared<32x32xf32, #S>
    }
    // Columns instead of rows.
    %2 = tile.load %xs[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #T>
    %3 = tile.load %xs[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #F>
    tile.store %2, %xs[%c0, %c0] extents [32, 32] : !tile.fragment<32x32xf32, #T> -> !tile.shared<32x32xf32, #S>
    tile.store %f, %xs[%c0, %c0] extents [32, 32] : !tile.fragment<32x32xf32, #F> -> !tile.shared<32x32xf32, #S>
    // Two warps hold each element: both read it, one writes it.
    %4 = tile.load %xs[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #W>
    tile.store %4, %xs[%c0, %c0] extents [32, 32] : !tile.fragment<32x32xf32, #W> -> !tile.shared<32x32xf32, #S>
    %5 = tile.load %xs[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #W>
    // A copy within shared memory reads everything before it writes; here each row goes to another warp's.
    %6 = tile.load %ys[%c0, %c0] extents [32, 32] : !tile.shared<33x32xf32, #S> -> !tile.fragment<32x32xf32, #F>
    tile.store %6, %ys[%c1, %c0] extents [32, 32] : !tile.fragment<32x32xf32, #F> -> !tile.shared<33x32xf32, #S>
  }
  tile.return
}

// -----

// Boxes that have no element in common have no order, through views and in parallels neither; bytes are not split between
// threads.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [4, 1]>
#T = #tile.blocked<vector = [1, 1], lanes = [32, 1], warps = [1, 4], reps = [1, 8]>
#L = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
#S = #tile.strided<[32, 1]>
#P = #tile.strided<[1024, 32, 1]>
// CHECK-LABEL: tile.kernel @boxes
// CHECK: tile.store
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.barrier {reason = "'Xs' is read after it was written"}
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.parallel
// CHECK-NOT: tile.barrier
// CHECK: tile.parallel
// CHECK-NOT: tile.barrier
// CHECK: tile.read
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier {reason = "'Xs' is read by parallel after it was written"}
// CHECK-NEXT: tile.parallel
// CHECK: tile.store
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.barrier {reason = "'Ps' is read after it was written"}
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier {reason = "'Is' is overwritten after it was written"}
// CHECK-NEXT: tile.store
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @boxes(%n: i64, %v: f32, %w: i8) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c15 = arith.constant 15 : i64
  %c16 = arith.constant 16 : i64
  tile.grid (%b) in (%n) threads(128) {
    %xs = tile.shared {name = "Xs"} : !tile.shared<64x32xf32, #S>
    %ps = tile.shared {name = "Ps"} : !tile.shared<2x32x32xf32, #P>
    %is = tile.shared {name = "Is"} : !tile.shared<32x32xi4, #S>
    %f = tile.fragment %v : !tile.fragment<16x32xf32, #F>
    %g = tile.fragment %w : !tile.fragment<16x32xi4, #F>
    %top = tile.subview %xs[%c0, %c0] extents [32, 32] : !tile.shared<64x32xf32, #S> -> !tile.shared<32x32xf32, #S>
    tile.store %f, %top[%c0, %c0] extents [16, 32] : !tile.fragment<16x32xf32, #F> -> !tile.shared<32x32xf32, #S>
    %0 = tile.load %xs[%c16, %c0] extents [32, 32] : !tile.shared<64x32xf32, #S> -> !tile.fragment<32x32xf32, #T>
    %1 = tile.load %xs[%c15, %c0] extents [32, 32] : !tile.shared<64x32xf32, #S> -> !tile.fragment<32x32xf32, #T>
    tile.parallel (%i) in (15) attributes {layout = #L} {
      tile.write %v, %xs[%i, %c0] : !tile.shared<64x32xf32, #S>
    }
    tile.parallel (%i) in (64) attributes {layout = #L} {
      %back = arith.subi %c15, %i : i64
      %x = tile.read %xs[%back, %c1] : !tile.shared<64x32xf32, #S> -> f32
    }
    tile.parallel (%i) in (15) attributes {layout = #L} {
      %y = tile.read %xs[%c0, %i] : !tile.shared<64x32xf32, #S> -> f32
    }
    // Planes, whichever block this is.
    %even = arith.remui %b, %c15 : i64
    %odd = arith.addi %even, %c1 : i64
    %p0 = tile.subview %ps[%even, %c0, %c0] extents [1, 32, 32] drop [0] : !tile.shared<2x32x32xf32, #P> -> !tile.shared<32x32xf32, #S>
    %p1 = tile.subview %ps[%odd, %c0, %c0] extents [1, 32, 32] drop [0] : !tile.shared<2x32x32xf32, #P> -> !tile.shared<32x32xf32, #S>
    tile.store %f, %p0[%c0, %c0] extents [16, 32] : !tile.fragment<16x32xf32, #F> -> !tile.shared<32x32xf32, #S>
    %2 = tile.load %p1[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #T>
    %3 = tile.load %p0[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #T>
    tile.store %g, %is[%c0, %c0] extents [16, 32] : !tile.fragment<16x32xi4, #F> -> !tile.shared<32x32xi4, #S>
    tile.store %g, %is[%c16, %c0] extents [16, 32] : !tile.fragment<16x32xi4, #F> -> !tile.shared<32x32xi4, #S>
  }
  tile.return
}

// -----

// Scalars: one thread writes, all read. Updates by one operation have no order, those by two do. Barriers of some of the
// threads order nothing here.
#L = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @scalars
// CHECK: tile.write_scalar
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: tile.barrier named(1) threads(64)
// CHECK-NEXT: tile.barrier {reason = "'Xs' is read after it was written"}
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: tile.barrier {reason = "'Xs' is overwritten after it was read"}
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: tile.barrier {reason = "'Xs' is read by parallel after it was written"}
// CHECK-NEXT: tile.parallel
// CHECK: tile.barrier {reason = "'Xs' is updated after parallel read it"}
// CHECK-NEXT: tile.parallel
// CHECK-NOT: tile.barrier
// CHECK: tile.parallel
// CHECK: tile.barrier {reason = "'Xs' is updated after it was written"}
// CHECK-NEXT: tile.parallel
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @scalars(%n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  tile.grid (%b) in (%n) threads(128) {
    %xs = tile.shared {name = "Xs"} : !tile.shared<4xf32, #S>
    tile.write_scalar %v, %xs[%c0] : !tile.shared<4xf32, #S>
    tile.write_scalar %v, %xs[%b] : !tile.shared<4xf32, #S>
    tile.barrier named(1) threads(64)
    %0 = tile.read_scalar %xs[%c0] : !tile.shared<4xf32, #S> -> f32
    tile.write_scalar %v, %xs[%c0] : !tile.shared<4xf32, #S>
    %1 = tile.read_scalar %xs[%c1] : !tile.shared<4xf32, #S> -> f32
    tile.parallel (%i) in (128) attributes {layout = #L} {
      %x = tile.read %xs[%c0] : !tile.shared<4xf32, #S> -> f32
    }
    tile.parallel (%i) in (128) attributes {layout = #L} {
      tile.update <add> %v, %xs[%c0] : !tile.shared<4xf32, #S>
    }
    tile.parallel (%i) in (128) attributes {layout = #L} {
      tile.update <add> %v, %xs[%c0] : !tile.shared<4xf32, #S>
    }
    tile.parallel (%i) in (128) attributes {layout = #L} {
      tile.update <max> %v, %xs[%c0] : !tile.shared<4xf32, #S>
    }
  }
  tile.return
}

// -----

// Tiles that share bytes conflict as if they were one; those next to each other do not.
#F = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @places
// CHECK: tile.store
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier {reason = "'Zs' takes the place of 'Xs'"}
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.load
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @places(%n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  tile.grid (%b) in (%n) threads(128) {
    %xs = tile.shared {name = "Xs", offset = 0 : i64} : !tile.shared<128xf32, #S>
    %ys = tile.shared {name = "Ys", offset = 512 : i64} : !tile.shared<128xf32, #S>
    %zs = tile.shared {name = "Zs", offset = 496 : i64} : !tile.shared<4xf32, #S>
    %f = tile.fragment %v : !tile.fragment<128xf32, #F>
    %g = tile.fragment %v : !tile.fragment<4xf32, #F>
    tile.store %f, %xs[%c0] extents [128] : !tile.fragment<128xf32, #F> -> !tile.shared<128xf32, #S>
    %0 = tile.load %xs[%c0] extents [128] : !tile.shared<128xf32, #S> -> !tile.fragment<128xf32, #F>
    tile.store %0, %ys[%c0] extents [128] : !tile.fragment<128xf32, #F> -> !tile.shared<128xf32, #S>
    tile.store %g, %zs[%c0] extents [4] : !tile.fragment<4xf32, #F> -> !tile.shared<4xf32, #S>
    %1 = tile.load %zs[%c0] extents [4] : !tile.shared<4xf32, #S> -> !tile.fragment<4xf32, #F>
  }
  tile.return
}

// -----

// What a loop only reads is handed on in front of it, once; where the loop has a barrier of its own that comes first, that
// one will do. A loop that may run no iteration leaves what was before it in order with what follows.
#F = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @fronts
// CHECK: tile.store
// CHECK-NEXT: tile.barrier {reason = "'Xs' is read after it was written"}
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: }
// CHECK-NEXT: tile.store
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier {reason = "'Ys' is read after it was written"}
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: scf.while
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: scf.condition
// CHECK-NEXT: } do {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.barrier {reason = "'Ws' is overwritten after it was read"}
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.read_scalar
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @fronts(%n: i64, %v: f32, %i: i1) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %f = tile.fragment %v : !tile.fragment<128xf32, #F>
  tile.grid (%b) in (%n) threads(128) {
    %xs = tile.shared {name = "Xs"} : !tile.shared<128xf32, #S>
    %ys = tile.shared {name = "Ys"} : !tile.shared<128xf32, #S>
    %zs = tile.shared {name = "Zs"} : !tile.shared<128xf32, #S>
    %vs = tile.shared {name = "Vs"} : !tile.shared<1xi1, #S>
    %ws = tile.shared {name = "Ws"} : !tile.shared<1xi1, #S>
    tile.store %f, %xs[%c0] extents [128] : !tile.fragment<128xf32, #F> -> !tile.shared<128xf32, #S>
    scf.for %k = %c0 to %n step %c1 : i64 {
      %x = tile.read_scalar %xs[%k] : !tile.shared<128xf32, #S> -> f32
    }
    tile.store %f, %ys[%c0] extents [128] : !tile.fragment<128xf32, #F> -> !tile.shared<128xf32, #S>
    scf.for %k = %c0 to %n step %c1 : i64 {
      tile.write_scalar %v, %zs[%k] : !tile.shared<128xf32, #S>
      %y = tile.read_scalar %ys[%k] : !tile.shared<128xf32, #S> -> f32
      %z = tile.read_scalar %zs[%k] : !tile.shared<128xf32, #S> -> f32
    }
    %y = tile.read_scalar %ys[%c0] : !tile.shared<128xf32, #S> -> f32
    tile.write_scalar %i, %vs[%c0] : !tile.shared<1xi1, #S>
    scf.while : () -> () {
      %more = tile.read_scalar %vs[%c0] : !tile.shared<1xi1, #S> -> i1
      scf.condition(%more)
    } do {
      scf.yield
    }
    scf.for %k = %c0 to %n step %c1 : i64 {
      tile.write_scalar %i, %ws[%c0] : !tile.shared<1xi1, #S>
      scf.for %m = %c0 to %n step %c1 : i64 {
        %w = tile.read_scalar %ws[%c0] : !tile.shared<1xi1, #S> -> i1
      }
    }
  }
  tile.return
}

// -----

// What the next iteration needs may also do for what looked like a pair of its own at first: 'Xs' is read behind the
// barrier of 'Ys', and two are enough.
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @needless
// CHECK: scf.for
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: tile.barrier {reason = "'Ys' is read after it was written"}
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: tile.barrier {reason = "'Zs' is read after it was written"}
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: }
tile.kernel @needless(%n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  tile.grid (%b) in (%n) threads(128) {
    %xs = tile.shared {name = "Xs"} : !tile.shared<1xf32, #S>
    %ys = tile.shared {name = "Ys"} : !tile.shared<1xf32, #S>
    %zs = tile.shared {name = "Zs"} : !tile.shared<1xf32, #S>
    scf.for %k = %c0 to %n step %c1 : i64 {
      tile.write_scalar %v, %xs[%c0] : !tile.shared<1xf32, #S>
      %y = tile.read_scalar %ys[%c0] : !tile.shared<1xf32, #S> -> f32
      %x = tile.read_scalar %xs[%c0] : !tile.shared<1xf32, #S> -> f32
      tile.write_scalar %v, %zs[%c0] : !tile.shared<1xf32, #S>
      %z = tile.read_scalar %zs[%c0] : !tile.shared<1xf32, #S> -> f32
      tile.write_scalar %v, %ys[%c0] : !tile.shared<1xf32, #S>
    }
  }
  tile.return
}
