// RUN: tile-opt %s -tile-lower-rings --tile-verify-stage-each | FileCheck %s
// RUN: tile-opt %s -tile-lower-rings --tile-eval -o /dev/null 2>&1 | count 0

// The tile has the ring's name, type and place; puts are their bodies, gets the tile, also those of another block: here the
// first slot is put in front of the loop, and each iteration, which may be none, puts the next one behind its reads.
#F = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @ahead
// CHECK: %[[X:.*]] = tile.shared {name = "Xs", offset = 256 : i64} : !tile.shared<32xf32, #[[S:.*]]>
// CHECK-NEXT: %[[F:.*]] = tile.load
// CHECK-NEXT: tile.store %[[F]], %[[X]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[V:.*]] = tile.subview %[[X]]
// CHECK-NEXT: %[[E:.*]] = tile.read_scalar %[[V]]
// CHECK-NEXT: tile.write_scalar %[[E]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi
// CHECK-NEXT: %[[G:.*]] = tile.load %{{.*}}[%[[NEXT]]]
// CHECK-NEXT: %[[C:.*]] = tile.convert %[[G]]
// CHECK-NEXT: tile.store %[[C]], %[[X]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[L:.*]] = tile.load %[[X]]
// CHECK-NEXT: tile.store %[[L]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
module attributes {tile.partial, tile.stage = "schedule"} {
  tile.kernel @ahead(%X: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.name = "X"},
                     %Y: !tile.ptr<f32> {tile.access = #tile.access<out>, tile.name = "Y"}, %n: i64)
      attributes {tile.plan = #tile.plan<consumers = 1>, tile.shared_bytes = 384 : i64} {
    %one = arith.constant 1 : i64
    %x = tile.global %X sizes [4096] strides [1] : !tile.ptr<f32> -> !tile.global<4096xf32>
    %y = tile.global %Y sizes [4096] strides [1] : !tile.ptr<f32> -> !tile.global<4096xf32>
    tile.grid (%b) in (%one) threads(32) {
      %c0 = arith.constant 0 : i64
      %c32 = arith.constant 32 : i64
      %r = tile.ring depth(1) put <generic> get <generic> {name = "Xs", offset = 256 : i64} : !tile.ring<32xf32, #S>
      tile.ring.put %r as %slot : !tile.ring<32xf32, #S> {
        %f = tile.load %x[%c0] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
        tile.store %f, %slot[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
      }
      scf.for %k = %c0 to %n step %one : i64 {
        %s = tile.ring.get %r : !tile.ring<32xf32, #S> -> !tile.shared<32xf32, #S>
        %view = tile.subview %s[%c0] extents [16] : !tile.shared<32xf32, #S> -> !tile.shared<16xf32, #S>
        %e = tile.read_scalar %view[%c0] : !tile.shared<16xf32, #S> -> f32
        tile.write_scalar %e, %y[%k] : !tile.global<4096xf32>
        tile.ring.release %r, %s : !tile.ring<32xf32, #S>, !tile.shared<32xf32, #S>
        %next = arith.addi %k, %one : i64
        tile.ring.put %r as %slot : !tile.ring<32xf32, #S> {
          %f = tile.load %x[%next] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
          %c = tile.convert %f : !tile.fragment<32xf32, #F> -> !tile.fragment<32xf32, #F>
          tile.store %c, %slot[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        }
      }
      %s = tile.ring.get %r : !tile.ring<32xf32, #S> -> !tile.shared<32xf32, #S>
      %l = tile.load %s[%c0] extents [32] : !tile.shared<32xf32, #S> -> !tile.fragment<32xf32, #F>
      tile.store %l, %y[%n] extents [32] : !tile.fragment<32xf32, #F> -> !tile.global<4096xf32>
      tile.ring.release %r, %s : !tile.ring<32xf32, #S>, !tile.shared<32xf32, #S>
    }
    tile.return
  }
}
