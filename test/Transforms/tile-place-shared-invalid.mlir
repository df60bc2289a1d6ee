// RUN: not tile-opt %s -tile-place-shared 2>&1 | FileCheck %s

// More than the target's blocks have (TILE1107): said at the largest tile, once for all variants of a kernel, with what
// each tile takes. What is never alive at once does not add up.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [1, 1]>
#S = #tile.strided<[128, 1]>
#loc = loc("k.tile":7:16)
// CHECK: mlir:[[#@LINE+11]]:{{[0-9]+}}: error: not enough shared memory: k needs 114688 bytes, a block of sm_86 has 101376
// CHECK: mlir:[[#@LINE+10]]:{{[0-9]+}}: note: 'Bs' takes 81920 bytes at 0
// CHECK: mlir:[[#@LINE+8]]:{{[0-9]+}}: note: 'As' takes 32768 bytes at 81920
// CHECK: k.tile:7:16: error: not enough shared memory: v needs 114688 bytes, a block of sm_86 has 101376
// CHECK: k.tile:7:16: note: 'Bs' takes 114688 bytes at 0
// CHECK-NOT: error
module attributes {tile.target = #tile.target<"sm_86">} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(128) {
      %c0 = arith.constant 0 : i64
      %a = tile.shared {name = "As"} : !tile.shared<64x128xf32, #S>
      %b0 = tile.shared {name = "Bs"} : !tile.shared<160x128xf32, #S>
      %x = tile.load %a[%c0, %c0] extents [4, 32] : !tile.shared<64x128xf32, #S> -> !tile.fragment<4x32xf32, #F>
      %y = tile.load %b0[%c0, %c0] extents [4, 32] : !tile.shared<160x128xf32, #S> -> !tile.fragment<4x32xf32, #F>
      %z = tile.load %a[%c0, %c0] extents [4, 32] : !tile.shared<64x128xf32, #S> -> !tile.fragment<4x32xf32, #F>
    }
    tile.return
  }
  tile.kernel @fits(%n: i64) {
    tile.grid (%b) in (%n) threads(128) {
      %c0 = arith.constant 0 : i64
      %a = tile.shared {name = "As"} : !tile.shared<64x128xf32, #S>
      %b0 = tile.shared {name = "Bs"} : !tile.shared<160x128xf32, #S>
      %x = tile.load %a[%c0, %c0] extents [4, 32] : !tile.shared<64x128xf32, #S> -> !tile.fragment<4x32xf32, #F>
      %y = tile.load %b0[%c0, %c0] extents [4, 32] : !tile.shared<160x128xf32, #S> -> !tile.fragment<4x32xf32, #F>
    }
    tile.return
  }
  tile.kernel @v(%n: i64) {
    tile.grid (%b) in (%n) threads(128) {
      %b0 = tile.shared {name = "Bs"} : !tile.shared<224x128xf32, #S> loc(#loc)
    }
    tile.return
  }
  tile.kernel @v__aligned(%n: i64) {
    tile.grid (%b) in (%n) threads(128) {
      %b0 = tile.shared {name = "Bs"} : !tile.shared<224x128xf32, #S> loc(#loc)
    }
    tile.return
  }
}
