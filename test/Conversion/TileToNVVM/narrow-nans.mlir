// Conversions make one NaN, without the sign, by software (sm_80) as by the instruction. LLVM folds the software's.
// RUN: tilec %s --from=schedule --target=sm_80 --emit=llvm -o - | FileCheck %s

// CHECK-LABEL: @nans
// CHECK: st.global.b8 {{.*}} i16 127)
// CHECK: st.global.b8 {{.*}} i16 127)
// CHECK: st.global.b8 {{.*}} i16 127)
// CHECK: st.global.b8 {{.*}} i16 127)
// The sign of a number stays: -1, and below the least number.
// CHECK: st.global.b8 {{.*}} i16 184)
// CHECK: st.global.b8 {{.*}} i16 188)
// CHECK: st.global.b8 {{.*}} i16 128)
// CHECK: st.global.b8 {{.*}} i16 128)
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @nans(%Q: !tile.ptr<f8E4M3FN> {tile.access = #tile.access<out>}, %R: !tile.ptr<f8E5M2> {tile.access = #tile.access<out>}) attributes {tile.plan = #tile.plan<consumers = 1>} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %q = tile.global %Q sizes [4] strides [1] : !tile.ptr<f8E4M3FN> -> !tile.global<4xf8E4M3FN>
    %r = tile.global %R sizes [4] strides [1] : !tile.ptr<f8E5M2> -> !tile.global<4xf8E5M2>
    tile.grid (%b) in (%c1) threads(32) {
      %nan = arith.constant 0xFFC00000 : f32
      %low = arith.constant 0x7F800001 : f32
      %one = arith.constant -1.0 : f32
      %small = arith.constant -1.0e-30 : f32
      %q0 = tile.cast %nan : f32 -> f8E4M3FN
      %r0 = tile.cast %nan : f32 -> f8E5M2
      %q1 = tile.cast %low : f32 -> f8E4M3FN
      %r1 = tile.cast %low : f32 -> f8E5M2
      %q2 = tile.cast %one : f32 -> f8E4M3FN
      %r2 = tile.cast %one : f32 -> f8E5M2
      %q3 = tile.cast %small : f32 -> f8E4M3FN
      %r3 = tile.cast %small : f32 -> f8E5M2
      tile.write_scalar %q0, %q[%c0] {in_bounds} : !tile.global<4xf8E4M3FN>
      tile.write_scalar %r0, %r[%c0] {in_bounds} : !tile.global<4xf8E5M2>
      tile.write_scalar %q1, %q[%c1] {in_bounds} : !tile.global<4xf8E4M3FN>
      tile.write_scalar %r1, %r[%c1] {in_bounds} : !tile.global<4xf8E5M2>
      tile.write_scalar %q2, %q[%c2] {in_bounds} : !tile.global<4xf8E4M3FN>
      tile.write_scalar %r2, %r[%c2] {in_bounds} : !tile.global<4xf8E5M2>
      tile.write_scalar %q3, %q[%c3] {in_bounds} : !tile.global<4xf8E4M3FN>
      tile.write_scalar %r3, %r[%c3] {in_bounds} : !tile.global<4xf8E5M2>
    }
    tile.return
  }
}
