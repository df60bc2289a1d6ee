// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file | FileCheck %s

// What a fragment of i4 or u4 gets keeps four bits, whoever writes it: its value at the start, a conversion, a write
// of every iteration or of some, an update.
// CHECK-LABEL: llvm.func @four_bits
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i8) : i8
// CHECK: %[[HIGH:.*]] = llvm.shl %arg2, %[[FOUR]] : i8
// CHECK: llvm.ashr %[[HIGH]], %[[FOUR]] : i8
// CHECK: llvm.shl %arg2
// CHECK: llvm.lshr
// CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %arg2 : i8
// CHECK: llvm.shl %[[SUM]]
// CHECK: llvm.ashr
// CHECK: llvm.shl %{{.*}} : i8
// CHECK: llvm.ashr
// CHECK: llvm.cond_br
// CHECK: llvm.shl %{{.*}} : i8
// CHECK: llvm.ashr
// CHECK: llvm.trunc %{{.*}} : i32 to i8
// CHECK: llvm.shl
// CHECK: llvm.ashr
#L = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @four_bits(%A: !tile.ptr<i8> {tile.access = #tile.access<in>}, %I: !tile.ptr<i32> {tile.access = #tile.access<in>},
                         %v: i8, %C: !tile.ptr<i4> {tile.access = #tile.access<out>}, %c: i1) {
    %one = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %a = tile.global %A sizes [32] strides [1] : !tile.ptr<i8> -> !tile.global<32xi8>
    %i32 = tile.global %I sizes [32] strides [1] : !tile.ptr<i32> -> !tile.global<32xi32>
    %out = tile.global %C sizes [32] strides [1] : !tile.ptr<i4> -> !tile.global<32xi4>
    tile.grid (%b) in (%one) threads(32) {
      %f = tile.fragment %v : !tile.fragment<32xi4, #L>
      %u = tile.fragment %v : !tile.fragment<32xui4, #L>
      %g = tile.parallel (%i) in (32) updates(%r = %f : !tile.fragment<32xi4, #L>) attributes {layout = #L} {
        tile.update <add> %v, %r[%i] : !tile.fragref<32xi4, #L>
        %x = tile.read %a[%i] {in_bounds} : !tile.global<32xi8> -> i8
        tile.write %x, %r[%i] : !tile.fragref<32xi4, #L>
        scf.if %c {
          %y = arith.addi %x, %v : i8
          tile.write %y, %r[%i] : !tile.fragref<32xi4, #L>
        }
      }
      %w = tile.load %i32[%c0] extents [32] {in_bounds} : !tile.global<32xi32> -> !tile.fragment<32xi32, #L>
      %n = tile.convert %w : !tile.fragment<32xi32, #L> -> !tile.fragment<32xi4, #L>
      tile.store %g, %out[%c0] extents [32] {in_bounds} : !tile.fragment<32xi4, #L> -> !tile.global<32xi4>
      tile.store %n, %out[%c0] extents [32] {in_bounds} : !tile.fragment<32xi4, #L> -> !tile.global<32xi4>
    }
    tile.return
  }
}

// -----

// Updates of formats without arithmetic of their own are in f32, and rounded once.
// CHECK-LABEL: llvm.func @rounded
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : f32
// CHECK: llvm.and %{{.*}}, %{{.*}} : i32
// CHECK: llvm.fmul %{{.*}}, %{{.*}} : f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
#L = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_90a">} {
  tile.kernel @rounded(%C: !tile.ptr<tf32> {tile.access = #tile.access<out>}, %D: !tile.ptr<f8E4M3FN> {tile.access = #tile.access<out>},
                       %v: tf32, %w: f8E4M3FN) {
    %one = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %c = tile.global %C sizes [32] strides [1] : !tile.ptr<tf32> -> !tile.global<32xtf32>
    %d = tile.global %D sizes [32] strides [1] : !tile.ptr<f8E4M3FN> -> !tile.global<32xf8E4M3FN>
    tile.grid (%b) in (%one) threads(32) {
      %f = tile.fragment %v : !tile.fragment<32xtf32, #L>
      %h = tile.fragment %w : !tile.fragment<32xf8E4M3FN, #L>
      %g:2 = tile.parallel (%i) in (32) updates(%r = %f : !tile.fragment<32xtf32, #L>, %s = %h : !tile.fragment<32xf8E4M3FN, #L>) attributes {layout = #L} {
        tile.update <add> %v, %r[%i] : !tile.fragref<32xtf32, #L>
        tile.update <mul> %w, %s[%i] : !tile.fragref<32xf8E4M3FN, #L>
      }
      tile.store %g#0, %c[%c0] extents [32] {in_bounds} : !tile.fragment<32xtf32, #L> -> !tile.global<32xtf32>
      tile.store %g#1, %d[%c0] extents [32] {in_bounds} : !tile.fragment<32xf8E4M3FN, #L> -> !tile.global<32xf8E4M3FN>
    }
    tile.return
  }
}

// -----

// What atomics of the kernel change is read relaxed, element by element, also under a guard; other tensors are not.
// What is written is no noalias argument: LLVM would carry its elements across barriers.
// CHECK-LABEL: llvm.func @changing
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64}, %arg1: !llvm.ptr<1> {llvm.align = 4 : i64},
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}
// CHECK-COUNT-4: llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.cond_br
// CHECK: llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
#V = #tile.blocked<vector = [4], lanes = [32], warps = [1], reps = [1]>
#L = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @changing(%X: !tile.ptr<i32> {tile.access = #tile.access<inout>}, %Y: !tile.ptr<i32> {tile.access = #tile.access<inout>},
                        %A: !tile.ptr<i32> {tile.access = #tile.access<in>}, %n: i64, %v: i32) {
    %one = arith.constant 1 : i64
    %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<i32> -> !tile.global<?xi32>
    %y = tile.global %Y sizes [128] strides [1] : !tile.ptr<i32> -> !tile.global<128xi32>
    %a = tile.global %A sizes [128] strides [1] : !tile.ptr<i32> -> !tile.global<128xi32>
    tile.grid (%b) in (%one) threads(32) {
      tile.parallel (%i) in (128) attributes {layout = #V} {
        %0 = tile.read %x[%i] {in_bounds, tile.width = 4 : i64} : !tile.global<?xi32> -> i32
        %1 = tile.read %y[%i] {in_bounds, tile.width = 4 : i64} : !tile.global<128xi32> -> i32
        %2 = tile.read %a[%i] {in_bounds, tile.width = 4 : i64} : !tile.global<128xi32> -> i32
        %3 = arith.addi %0, %1 : i32
        %4 = arith.addi %3, %2 : i32
        tile.write %4, %y[%i] {in_bounds} : !tile.global<128xi32>
      }
      tile.parallel (%i) in (32) attributes {layout = #L} {
        %0 = tile.read %x[%i] : !tile.global<?xi32> -> i32
        tile.write %0, %y[%i] {in_bounds} : !tile.global<128xi32>
        tile.atomic <add> %v, %x[%i] : !tile.global<?xi32>
      }
    }
    tile.return
  }
}

// -----

// A value that nobody defined is still one value: a branch on it goes one way. So is what an iteration that does not
// exist would compute.
// CHECK-LABEL: llvm.func @unwritten
// CHECK: %[[ANY:.*]] = llvm.mlir.poison : vector<2xi32>
// CHECK: llvm.freeze %[[ANY]] : vector<2xi32>
// CHECK-NOT: llvm.mlir.poison : i32
#L = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [2]>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @unwritten(%C: !tile.ptr<i32> {tile.access = #tile.access<out>}, %v: i32, %n: i64) {
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i32
    %c = tile.global %C sizes [64] strides [1] : !tile.ptr<i32> -> !tile.global<64xi32>
    tile.grid (%b) in (%one) threads(32) {
      %f = tile.fragment : !tile.fragment<64xi32, #L>
      tile.parallel (%i) in (%n) attributes {layout = #L} {
        %x = tile.read %f[%i] : !tile.fragment<64xi32, #L> -> i32
        %more = arith.cmpi sgt, %x, %zero : i32
        %y = scf.if %more -> i32 {
          scf.yield %x : i32
        } else {
          scf.yield %v : i32
        }
        %fine = arith.cmpi slt, %y, %v : i32
        tile.assert %fine, "small"
      }
    }
    tile.return
  }
}
