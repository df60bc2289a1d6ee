// RUN: tile-opt %s -convert-tile-to-nvvm | FileCheck %s

// What an instruction computes well enough is one; a value that only becomes an f16 takes the short way; f16 division
// is that of f32, which rounds right.
// CHECK-LABEL: llvm.func @functions
// CHECK: "llvm.nvvm.ex2.approx.f32"
// CHECK: "llvm.nvvm.sqrt.approx.f"
// CHECK: "llvm.nvvm.rsqrt.approx.f"
// CHECK: "llvm.nvvm.div.full"
// CHECK: llvm.intr.fma
// CHECK: llvm.intr.floor
// exp for an f16: one multiplication, one instruction
// CHECK: %[[S:.*]] = llvm.fmul
// CHECK-NEXT: %[[E:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%[[S]])
// CHECK: llvm.fptrunc %[[E]] : f32 to f16
// exp in full: by polynomial, which is good to 1.4 ulp
// CHECK: "llvm.nvvm.fmax.nan.f"
// CHECK-COUNT-7: llvm.intr.fma
// CHECK-NOT: ex2
// CHECK: llvm.fdiv %{{.*}}, %{{.*}} : f32
// CHECK: "llvm.nvvm.sqrt.rn.d"
// Selecting f16 values is no function of f16.
// CHECK: %[[NAN:.*]] = llvm.fcmp "uno"
// CHECK-NOT: llvm.fpext
// CHECK: llvm.select %[[NAN]], %{{.*}}, %{{.*}} : i1, f16
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @functions(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %H: !tile.ptr<f16> {tile.access = #tile.access<out>},
                         %D: !tile.ptr<f64> {tile.access = #tile.access<out>}, %x: f32, %h: f16, %d: f64, %n: i64) {
    %c0 = arith.constant 0 : i64
    %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
    %gh = tile.global %H sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
    %gd = tile.global %D sizes [%n] strides [1] : !tile.ptr<f64> -> !tile.global<?xf64>
    tile.grid (%b) in (%n) threads(32) {
      %0 = math.exp2 %x : f32
      %1 = math.sqrt %0 : f32
      %2 = math.rsqrt %1 : f32
      %3 = arith.divf %2, %x : f32
      %4 = math.fma %3, %x, %x : f32
      %5 = math.floor %4 : f32
      tile.write_scalar %5, %c[%c0] : !tile.global<?xf32>
      %6 = math.exp %x : f32
      %7 = arith.truncf %6 : f32 to f16
      tile.write_scalar %7, %gh[%c0] : !tile.global<?xf16>
      %8 = math.exp %5 : f32
      tile.write_scalar %8, %c[%c0] : !tile.global<?xf32>
      %9 = arith.divf %h, %7 : f16
      tile.write_scalar %9, %gh[%c0] : !tile.global<?xf16>
      %10 = math.sqrt %d : f64
      tile.write_scalar %10, %gd[%c0] : !tile.global<?xf64>
      %11 = math.isnan %h : f16
      %12 = arith.select %11, %9, %h : f16
      tile.write_scalar %12, %gh[%c0] : !tile.global<?xf16>
    }
    tile.return
  }
}
