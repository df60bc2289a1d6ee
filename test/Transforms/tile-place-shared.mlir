// RUN: tile-opt %s -tile-place-shared -split-input-file --tile-verify-stage-each | FileCheck %s
// RUN: tile-opt %s -tile-place-shared -tile-place-shared -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-place-shared -split-input-file --remarks-filter="tile-place-shared" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Two tiles of one loop live side by side, the one that needs it at a multiple of 1024; the epilogue's takes their place.
// The kernel and its launches say how many bytes that is; a kernel without shared tiles says nothing.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [32, 1]>
#G = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [8, 4]>
#C = #tile.mma<acc, bits = 32, warps = [2, 2], reps = [4, 8]>
#A = #tile.panels<32, sw64>
#B = #tile.panels<64, sw128>
#S = #tile.strided<[136, 1]>
#mma = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>
// CHECK-LABEL: tile.kernel @product
// CHECK-SAME: tile.shared_bytes = 69632 : i64
// CHECK: tile.shared {name = "As", offset = 0 : i64}
// CHECK: tile.shared {name = "Bs", offset = 8192 : i64}
// CHECK: tile.shared {name = "Cs", offset = 0 : i64}
// CHECK-LABEL: tile.kernel @plain
// CHECK-NOT: tile.shared_bytes
// CHECK-LABEL: tile.entry @e
// CHECK: tile.launch @product {{.*}} {shared_bytes = 69632 : i64, threads = 128 : i64}
// CHECK: tile.launch @plain {{.*}} {threads = 128 : i64}
// REMARK: Placed {{.*}}Function=product
// REMARK-SAME: 'As' 8192 bytes at 0, 'Bs' 8192 bytes at 8192, 'Cs' 69632 bytes at 0
// REMARK-SAME: Total=69632
module attributes {tile.partial, tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @product(%X: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.name = "X"},
                       %Y: !tile.ptr<f32> {tile.access = #tile.access<out>, tile.name = "Y"}, %n: i64) {
    %one = arith.constant 1 : i64
    %x = tile.global %X sizes [128, 128] strides [128, 1] : !tile.ptr<f16> -> !tile.global<128x128xf16>
    %y = tile.global %Y sizes [128, 128] strides [128, 1] : !tile.ptr<f32> -> !tile.global<128x128xf32>
    tile.grid (%b) in (%one) threads(128) {
      %c0 = arith.constant 0 : i64
      %zero = arith.constant 0.0 : f32
      %as = tile.shared {name = "As"} : !tile.shared<128x32xf16, #A>
      %bs = tile.shared {name = "Bs"} : !tile.shared<32x128xf16, #B>
      %cs = tile.shared {name = "Cs"} : !tile.shared<128x128xf32, #S>
      %acc = tile.fragment %zero : !tile.fragment<128x128xf32, #C>
      %sum = scf.for %k = %c0 to %n step %one iter_args(%c = %acc) -> (!tile.fragment<128x128xf32, #C>) : i64 {
        %f = tile.load %x[%c0, %c0] extents [128, 32] : !tile.global<128x128xf16> -> !tile.fragment<128x32xf16, #F>
        tile.store %f, %as[%c0, %c0] extents [128, 32] : !tile.fragment<128x32xf16, #F> -> !tile.shared<128x32xf16, #A>
        %g = tile.load %x[%c0, %c0] extents [32, 128] : !tile.global<128x128xf16> -> !tile.fragment<32x128xf16, #G>
        tile.store %g, %bs[%c0, %c0] extents [32, 128] : !tile.fragment<32x128xf16, #G> -> !tile.shared<32x128xf16, #B>
        %d = tile.gemm %as, %bs acc(%c) {instr = #mma} : !tile.shared<128x32xf16, #A>, !tile.shared<32x128xf16, #B>
          -> !tile.fragment<128x128xf32, #C>
        scf.yield %d : !tile.fragment<128x128xf32, #C>
      }
      tile.store %sum, %cs[%c0, %c0] extents [128, 128] : !tile.fragment<128x128xf32, #C> -> !tile.shared<128x128xf32, #S>
      %out = tile.load %cs[%c0, %c0] extents [128, 128] : !tile.shared<128x128xf32, #S> -> !tile.fragment<128x128xf32, #C>
      tile.store %out, %y[%c0, %c0] extents [128, 128] : !tile.fragment<128x128xf32, #C> -> !tile.global<128x128xf32>
    }
    tile.return
  }
  tile.kernel @plain(%n: i64) {
    tile.grid (%b) in (%n) threads(128) {
    }
    tile.return
  }
  tile.entry @e(%X: !tile.ptr<f16>, %Y: !tile.ptr<f32>, %n: i64) params [
      #tile.tensor_param<name = "X", element = f16, access = in, extents = []>,
      #tile.tensor_param<name = "Y", element = f32, access = out, extents = []>,
      #tile.scalar_param<name = "n", type = i64>] {
    tile.launch @product grid(%n) args(%X, %Y, %n : !tile.ptr<f16>, !tile.ptr<f32>, i64) {threads = 128 : i64}
    tile.launch @plain grid(%n) args(%n : i64) {threads = 128 : i64}
    tile.return
  }
}

// -----

// In a loop's body tiles that are allocated there live from first to last use of one iteration, those from outside
// through all of it, and so do those of a loop in a loop; two loops in a row share. A view is a use of its tile. Side by
// side the tiles of the loop would not fit.
#F = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [64]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @lives
// CHECK-SAME: tile.shared_bytes = 163840 : i64
module attributes {tile.partial, tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @lives(%n: i64) {
    tile.grid (%b) in (%n) threads(128) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %v = arith.constant 1.0 : f32
      %f = tile.fragment %v : !tile.fragment<8192xf32, #F>
      // The two outer ones are used one after the other, but the next iteration stores the first again.
      // CHECK: {name = "out0", offset = 0 : i64}
      %out0 = tile.shared {name = "out0"} : !tile.shared<8192xf32, #S>
      // CHECK: {name = "out1", offset = 32768 : i64}
      %out1 = tile.shared {name = "out1"} : !tile.shared<8192xf32, #S>
      scf.for %i = %c0 to %n step %c1 : i64 {
        tile.store %f, %out0[%c0] extents [8192] : !tile.fragment<8192xf32, #F> -> !tile.shared<8192xf32, #S>
        %0 = tile.load %out0[%c0] extents [8192] : !tile.shared<8192xf32, #S> -> !tile.fragment<8192xf32, #F>
        tile.store %0, %out1[%c0] extents [8192] : !tile.fragment<8192xf32, #F> -> !tile.shared<8192xf32, #S>
        // CHECK: {name = "in0", offset = 65536 : i64}
        %in0 = tile.shared {name = "in0"} : !tile.shared<8192xf32, #S>
        tile.store %f, %in0[%c0] extents [8192] : !tile.fragment<8192xf32, #F> -> !tile.shared<8192xf32, #S>
        %2 = tile.load %in0[%c0] extents [8192] : !tile.shared<8192xf32, #S> -> !tile.fragment<8192xf32, #F>
        // CHECK: {name = "in1", offset = 65536 : i64}
        %in1 = tile.shared {name = "in1"} : !tile.shared<8192xf32, #S>
        // CHECK: {name = "in2", offset = 98304 : i64}
        %in2 = tile.shared {name = "in2"} : !tile.shared<8192xf32, #S>
        // CHECK: {name = "viewed", offset = 131072 : i64}
        %viewed = tile.shared {name = "viewed"} : !tile.shared<8192xf32, #S>
        %view = tile.subview %viewed[%c0] extents [8192] : !tile.shared<8192xf32, #S> -> !tile.shared<8192xf32, #S>
        scf.while : () -> () {
          %4 = tile.read_scalar %in1[%c0] : !tile.shared<8192xf32, #S> -> f32
          %5 = arith.cmpf ogt, %4, %v : f32
          scf.condition(%5)
        } do {
          tile.store %2, %in2[%c0] extents [8192] : !tile.fragment<8192xf32, #F> -> !tile.shared<8192xf32, #S>
          %6 = tile.load %in2[%c0] extents [8192] : !tile.shared<8192xf32, #S> -> !tile.fragment<8192xf32, #F>
          tile.store %6, %in1[%c0] extents [8192] : !tile.fragment<8192xf32, #F> -> !tile.shared<8192xf32, #S>
          scf.yield
        }
        // CHECK: {name = "in3", offset = 65536 : i64}
        %in3 = tile.shared {name = "in3"} : !tile.shared<8192xf32, #S>
        tile.store %f, %in3[%c0] extents [8192] : !tile.fragment<8192xf32, #F> -> !tile.shared<8192xf32, #S>
        %3 = tile.load %view[%c0] extents [8192] : !tile.shared<8192xf32, #S> -> !tile.fragment<8192xf32, #F>
      }
      // What a parallel reads and writes lives at once, though one line is behind the other.
      // CHECK: {name = "read", offset = 0 : i64}
      %read = tile.shared {name = "read"} : !tile.shared<8192xf32, #S>
      // CHECK: {name = "written", offset = 32768 : i64}
      %written = tile.shared {name = "written"} : !tile.shared<8192xf32, #S>
      scf.for %i = %c0 to %n step %c1 : i64 {
        %read0 = tile.load %read[%c0] extents [8192] : !tile.shared<8192xf32, #S> -> !tile.fragment<8192xf32, #F>
      }
      tile.parallel (%i) in (8192) attributes {layout = #F} {
        %x = tile.read %read[%i] : !tile.shared<8192xf32, #S> -> f32
        tile.write %x, %written[%i] : !tile.shared<8192xf32, #S>
      }
      // CHECK: {name = "unused", offset = 0 : i64}
      %unused = tile.shared {name = "unused"} : !tile.shared<16xi4, #S>
    }
    tile.return
  }
}

// -----

// Where they do, and as many blocks have room as before, tiles of one loop share nothing, so that they need no order.
#F = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @apart
// CHECK: {name = "in0", offset = 0 : i64}
// CHECK: {name = "in1", offset = 512 : i64}
// CHECK: {name = "behind", offset = 0 : i64}
// Here 3 blocks instead of 2 have room.
// CHECK-LABEL: tile.kernel @together
// CHECK: {name = "in0", offset = 0 : i64}
// CHECK: {name = "in1", offset = 0 : i64}
module attributes {tile.partial, tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @apart(%n: i64) {
    tile.grid (%b) in (%n) threads(128) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      scf.for %i = %c0 to %n step %c1 : i64 {
        %in0 = tile.shared {name = "in0"} : !tile.shared<128xf32, #S>
        %0 = tile.load %in0[%c0] extents [128] : !tile.shared<128xf32, #S> -> !tile.fragment<128xf32, #F>
        %in1 = tile.shared {name = "in1"} : !tile.shared<128xf32, #S>
        %1 = tile.load %in1[%c0] extents [128] : !tile.shared<128xf32, #S> -> !tile.fragment<128xf32, #F>
      }
      %behind = tile.shared {name = "behind"} : !tile.shared<128xf32, #S>
      %2 = tile.load %behind[%c0] extents [128] : !tile.shared<128xf32, #S> -> !tile.fragment<128xf32, #F>
    }
    tile.return
  }
  tile.kernel @together(%n: i64) {
    tile.grid (%b) in (%n) threads(128) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      scf.for %i = %c0 to %n step %c1 : i64 {
        %in0 = tile.shared {name = "in0"} : !tile.shared<12800xf32, #S>
        %0 = tile.load %in0[%c0] extents [128] : !tile.shared<12800xf32, #S> -> !tile.fragment<128xf32, #F>
        %in1 = tile.shared {name = "in1"} : !tile.shared<6400xf32, #S>
        %1 = tile.load %in1[%c0] extents [128] : !tile.shared<6400xf32, #S> -> !tile.fragment<128xf32, #F>
      }
    }
    tile.return
  }
}

// -----

// Sizes are what layouts take: padded rows, rows in groups of 8 and whole panels, two 4-bit elements a byte, bools a
// byte, and then whole words: small elements are updated by compare-and-swap of the word around them. Tiles from 128 bytes up begin at multiples of 128, others at multiples of 16, swizzled ones at the period of
// their pattern; all of a ring's slots do.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [1, 1], reps = [1, 1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @sizes
// CHECK-SAME: tile.shared_bytes = 17016 : i64
// REMARK: Placed {{.*}}Function=sizes
// REMARK-SAME: 'panels' 13312 bytes at 0, 'small' 16 bytes at 16976, 'pitch' 2304 bytes at 13312, a shared tile 8 bytes at 16992,
// REMARK-SAME: 'bools' 8 bytes at 17008, 'sw32' 1024 bytes at 15616, 'ring' 324 bytes at 16640
module attributes {tile.partial, tile.stage = "schedule"} {
  tile.kernel @sizes(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %panels = tile.shared {name = "panels"} : !tile.shared<100x40xf16, #tile.panels<32, sw64>>
      %small = tile.shared {name = "small"} : !tile.shared<8xf16, #S>
      %pitch = tile.shared {name = "pitch"} : !tile.shared<16x64xf16, #tile.strided<[72, 1]>>
      %4 = tile.shared : !tile.shared<3x5xi4, #tile.strided<[5, 1]>>
      %bools = tile.shared {name = "bools"} : !tile.shared<7xi1, #S>
      %sw32 = tile.shared {name = "sw32"} : !tile.shared<32x16xf16, #tile.panels<16, sw32>>
      %ring = tile.ring depth(3) put <generic> get <generic> {name = "ring"} : !tile.ring<50xf16, #S>
      scf.for %i = %c0 to %n step %c1 : i64 {
        %a = tile.load %panels[%c0, %c0] extents [1, 32] : !tile.shared<100x40xf16, #tile.panels<32, sw64>> -> !tile.fragment<1x32xf16, #F>
        %b0 = tile.read_scalar %small[%c0] : !tile.shared<8xf16, #S> -> f16
        %c = tile.read_scalar %pitch[%c0, %c0] : !tile.shared<16x64xf16, #tile.strided<[72, 1]>> -> f16
        %d = tile.read_scalar %4[%c0, %c0] : !tile.shared<3x5xi4, #tile.strided<[5, 1]>> -> i8
        %e = tile.read_scalar %bools[%c0] : !tile.shared<7xi1, #S> -> i1
        %f = tile.read_scalar %sw32[%c0, %c0] : !tile.shared<32x16xf16, #tile.panels<16, sw32>> -> f16
        %s = tile.ring.get %ring : !tile.ring<50xf16, #S> -> !tile.shared<50xf16, #S>
        tile.ring.release %ring, %s : !tile.ring<50xf16, #S>, !tile.shared<50xf16, #S>
      }
    }
    tile.return
  }
}
