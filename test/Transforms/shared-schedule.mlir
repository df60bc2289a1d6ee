// Programs with shared memory through all of stage schedule: it holds after every pass, and what they compute stays.
//
// RUN: tile-opt %s --tile-pipeline="from=layout to=schedule" -split-input-file --tile-verify-stage-each | FileCheck %s
// RUN: tile-opt %s --tile-pipeline="from=layout to=schedule" -split-input-file --tile-eval -o /dev/null 2>&1 | count 0

// A product whose blocks at the edges are guarded: both operands live in rings of one slot, which become tiles again; each
// load is there guarded and not. Two barriers an iteration; the epilogue goes through memory that was the operands'.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [8, 1]>
#C = #tile.mma<acc, bits = 32, warps = [2, 2], reps = [1, 2]>
#P = #tile.panels<32, sw64>
#S = #tile.strided<[36, 1]>
#mma = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>
// CHECK-LABEL: tile.kernel @product
// CHECK-SAME: tile.shared_bytes = 4608 : i64
// CHECK-NOT: tile.ring
// CHECK-DAG: %[[A:.*]] = tile.shared {name = "As", offset = 0 : i64}
// CHECK-DAG: %[[B:.*]] = tile.shared {name = "Bs", offset = 2048 : i64}
// CHECK-DAG: %[[E:.*]] = tile.shared {name = "Cs", offset = 0 : i64}
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: %[[FA:.*]] = scf.if
// CHECK: tile.load {{.*}} {in_bounds}
// CHECK: } else {
// CHECK: tile.load
// CHECK: }
// CHECK-NEXT: tile.barrier {reason = "'As' is overwritten after gemm read it"}
// CHECK-NEXT: tile.store %[[FA]], %[[A]]
// CHECK-NOT: tile.barrier
// CHECK: tile.store %{{.*}}, %[[B]]
// CHECK-NEXT: tile.barrier {reason = "'As' is read by gemm after it was written"}
// CHECK-NEXT: tile.gemm %[[A]], %[[B]]
// CHECK-NEXT: scf.yield
// CHECK: tile.barrier {reason = "'Cs' takes the place of 'As'"}
// CHECK-NEXT: tile.store %{{.*}}, %[[E]]
// CHECK-NEXT: tile.barrier {reason = "'Cs' is read after it was written"}
// CHECK-NEXT: tile.load %[[E]]
// CHECK-NOT: tile.barrier
// CHECK: tile.return
// CHECK: tile.launch @product {{.*}} {shared_bytes = 4608 : i64, threads = 128 : i64}
module attributes {tile.stage = "layout", tile.target = #tile.target<"sm_80">} {
  tile.kernel @product(%X: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.name = "X"},
                       %Y: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.name = "Y"},
                       %Z: !tile.ptr<f32> {tile.access = #tile.access<out>, tile.name = "Z"},
                       %m: i64, %k: i64, %n: i64) attributes {tile.plan = #tile.plan<consumers = 4>} {
    %c32 = arith.constant 32 : i64
    %x = tile.global %X sizes [%m, %k] strides [%k, 1] : !tile.ptr<f16> -> !tile.global<?x?xf16>
    %y = tile.global %Y sizes [%n, %k] strides [%k, 1] : !tile.ptr<f16> -> !tile.global<?x?xf16>
    %z = tile.global %Z sizes [%m, %n] strides [%n, 1] : !tile.ptr<f32> -> !tile.global<?x?xf32>
    %gx = arith.ceildivsi %n, %c32 : i64
    %gy = arith.ceildivsi %m, %c32 : i64
    tile.grid (%bx, %by) in (%gx, %gy) threads(128) {
      %c0 = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %zero = arith.constant 0.0 : f32
      %as = tile.shared {name = "As"} : !tile.shared<32x32xf16, #P>
      %bs = tile.shared {name = "Bs"} : !tile.shared<32x32xf16, #P>
      %cs = tile.shared {name = "Cs"} : !tile.shared<32x32xf32, #S>
      %acc = tile.fragment %zero : !tile.fragment<32x32xf32, #C>
      %steps = arith.ceildivsi %k, %c32 : i64
      %row = arith.muli %by, %c32 : i64
      %col = arith.muli %bx, %c32 : i64
      %sum = scf.for %i = %c0 to %steps step %one iter_args(%c = %acc) -> (!tile.fragment<32x32xf32, #C>) : i64 {
        %at = arith.muli %i, %c32 : i64
        %f = tile.load %x[%row, %at] extents [32, 32] : !tile.global<?x?xf16> -> !tile.fragment<32x32xf16, #F>
        tile.store %f, %as[%c0, %c0] extents [32, 32] : !tile.fragment<32x32xf16, #F> -> !tile.shared<32x32xf16, #P>
        %g = tile.load %y[%col, %at] extents [32, 32] : !tile.global<?x?xf16> -> !tile.fragment<32x32xf16, #F>
        tile.store %g, %bs[%c0, %c0] extents [32, 32] : !tile.fragment<32x32xf16, #F> -> !tile.shared<32x32xf16, #P>
        %d = tile.gemm %as, %bs acc(%c) {trans_b, instr = #mma} : !tile.shared<32x32xf16, #P>, !tile.shared<32x32xf16, #P>
          -> !tile.fragment<32x32xf32, #C>
        scf.yield %d : !tile.fragment<32x32xf32, #C>
      } {tile.stages = 3 : i64}
      tile.store %sum, %cs[%c0, %c0] extents [32, 32] : !tile.fragment<32x32xf32, #C> -> !tile.shared<32x32xf32, #S>
      %out = tile.load %cs[%c0, %c0] extents [32, 32] : !tile.shared<32x32xf32, #S> -> !tile.fragment<32x32xf32, #F>
      tile.store %out, %z[%row, %col] extents [32, 32] : !tile.fragment<32x32xf32, #F> -> !tile.global<?x?xf32>
    }
    tile.return
  }
  tile.entry @e(%X: !tile.ptr<f16>, %x0: i64, %x1: i64, %Y: !tile.ptr<f16>, %y0: i64, %y1: i64, %Z: !tile.ptr<f32>,
                %z0: i64, %z1: i64) params [
      #tile.tensor_param<name = "X", element = f16, access = in, extents = ["M", "K"]>,
      #tile.tensor_param<name = "Y", element = f16, access = in, extents = ["N", "K"]>,
      #tile.tensor_param<name = "Z", element = f32, access = out, extents = ["M", "N"]>] {
    %c32 = arith.constant 32 : i64
    %gx = arith.ceildivsi %z1, %c32 : i64
    %gy = arith.ceildivsi %z0, %c32 : i64
    tile.launch @product grid(%gx, %gy) args(%X, %Y, %Z, %x0, %x1, %y0 : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i64, i64, i64)
    tile.return
  }
}

// -----

// Parallels on shared tiles, longer than their layout covers, of a length known at run time, and with sums of what several
// iterations name; scalars of a tile, and a loop that goes on while one of them says so.
#L = #tile.blocked<vector = [1], lanes = [32], warps = [2], reps = [1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @parallels
// The chunks of one parallel are one statement: the barriers are round their loops.
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: } {tile.chunk}
// CHECK: tile.barrier {reason = "'Xs' is read by parallel after it was written"}
// CHECK-NEXT: scf.for
// CHECK-NOT: tile.barrier
// CHECK: } {tile.chunk}
// CHECK: scf.while
// CHECK: tile.barrier {reason = "'Sum' is read after it was written"}
// CHECK-NEXT: tile.read_scalar
// CHECK: } do {
// CHECK: tile.barrier {reason = "'Sum' is updated after it was read"}
// CHECK-NEXT: tile.parallel
// CHECK: tile.update
// CHECK-NOT: tile.barrier
// CHECK: tile.return
module attributes {tile.stage = "layout"} {
  tile.kernel @parallels(%X: !tile.ptr<i32> {tile.access = #tile.access<in>, tile.name = "X"},
                         %Y: !tile.ptr<i32> {tile.access = #tile.access<out>, tile.name = "Y"}, %n: i64)
      attributes {tile.plan = #tile.plan<consumers = 2>} {
    %one = arith.constant 1 : i64
    %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<i32> -> !tile.global<?xi32>
    %y = tile.global %Y sizes [%n] strides [1] : !tile.ptr<i32> -> !tile.global<?xi32>
    tile.grid (%b) in (%one) threads(64) {
      %c0 = arith.constant 0 : i64
      %c199 = arith.constant 199 : i64
      %zero = arith.constant 0 : i32
      %two = arith.constant 2 : i32
      %most = arith.constant 1000 : i32
      %xs = tile.shared {name = "Xs"} : !tile.shared<200xi32, #S>
      %sum = tile.shared {name = "Sum"} : !tile.shared<2xi32, #S>
      tile.write_scalar %zero, %sum[%c0] : !tile.shared<2xi32, #S>
      tile.parallel (%i) in (200) attributes {layout = #L} {
        %v = tile.read %x[%i] : !tile.global<?xi32> -> i32
        tile.write %v, %xs[%i] : !tile.shared<200xi32, #S>
      }
      tile.parallel (%i) in (%n) attributes {layout = #L} {
        %back = arith.subi %c199, %i : i64
        %v = tile.read %xs[%back] : !tile.shared<200xi32, #S> -> i32
        tile.write %v, %y[%i] : !tile.global<?xi32>
      }
      scf.while : () -> () {
        %s = tile.read_scalar %sum[%c0] : !tile.shared<2xi32, #S> -> i32
        %more = arith.cmpi slt, %s, %most : i32
        scf.condition(%more)
      } do {
        tile.parallel (%i) in (64) attributes {layout = #L} {
          tile.update <add> %two, %sum[%c0] : !tile.shared<2xi32, #S>
        }
        scf.yield
      }
      %s = tile.read_scalar %sum[%c0] : !tile.shared<2xi32, #S> -> i32
      tile.write_scalar %s, %y[%c0] : !tile.global<?xi32>
    }
    tile.return
  }
}
