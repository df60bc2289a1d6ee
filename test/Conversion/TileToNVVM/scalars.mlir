// RUN: tile-opt %s -convert-tile-to-nvvm | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: sed s/sm_80/sm_90a/ %s | tile-opt -convert-tile-to-nvvm | FileCheck %s --check-prefixes=CHECK,SM90

// f8 and tf32 are what LLVM knows: bytes and f32. Where there is no instruction, integer arithmetic.
// CHECK-LABEL: llvm.func @formats
// CHECK-SAME: i8, %{{.*}}: f32,
// SM80-NOT: e4m3
// SM90: "llvm.nvvm.e4m3x2.to.f16x2.rn"
// SM90: "llvm.nvvm.ff.to.e4m3x2.rn"
// Nearest even at bit 13, and a NaN stays one.
// CHECK: %[[HALF:.*]] = llvm.mlir.constant(4095 : i32)
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(-8192 : i32)
// CHECK: llvm.fcmp "uno"
// A float becomes an integer by saturation; 8 bits by a narrower range.
// CHECK: "llvm.nvvm.f2ui.rz"
// CHECK: llvm.intr.umin
// CHECK: llvm.trunc %{{.*}} : i32 to i8
// CHECK: "llvm.nvvm.f2ll.rz"
// CHECK: llvm.fcmp "uno"
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @formats(%Q: !tile.ptr<f8E4M3FN> {tile.access = #tile.access<inout>}, %T: !tile.ptr<tf32> {tile.access = #tile.access<out>},
                       %U: !tile.ptr<ui8> {tile.access = #tile.access<out>}, %L: !tile.ptr<i64> {tile.access = #tile.access<out>},
                       %q: f8E4M3FN, %t: tf32, %n: i64) {
    %c0 = arith.constant 0 : i64
    %gq = tile.global %Q sizes [%n] strides [1] : !tile.ptr<f8E4M3FN> -> !tile.global<?xf8E4M3FN>
    %gt = tile.global %T sizes [%n] strides [1] : !tile.ptr<tf32> -> !tile.global<?xtf32>
    %gu = tile.global %U sizes [%n] strides [1] : !tile.ptr<ui8> -> !tile.global<?xui8>
    %gl = tile.global %L sizes [%n] strides [1] : !tile.ptr<i64> -> !tile.global<?xi64>
    tile.grid (%b) in (%n) threads(32) {
      %x = arith.extf %q : f8E4M3FN to f32
      %y = tile.cast %x : f32 -> f8E4M3FN
      tile.write_scalar %y, %gq[%c0] : !tile.global<?xf8E4M3FN>
      %z = arith.truncf %x : f32 to tf32
      tile.write_scalar %z, %gt[%c0] : !tile.global<?xtf32>
      %u = tile.cast %x {is_unsigned} : f32 -> i8
      tile.write_scalar %u, %gu[%c0] : !tile.global<?xui8>
      %l = tile.cast %x : f32 -> i64
      tile.write_scalar %l, %gl[%c0] : !tile.global<?xi64>
    }
    tile.return
  }
}
