// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file | FileCheck %s

#V8 = #tile.blocked<vector = [8], lanes = [32], warps = [1], reps = [1]>

// 16-bit elements travel in pairs, from the load to the store.
// CHECK-LABEL: llvm.func @halves
// CHECK: %[[V:.*]] = llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: %[[W:.*]] = llvm.extractelement %[[V]]
// CHECK: %[[P:.*]] = llvm.bitcast %{{.*}} : i32 to vector<2xf16>
// CHECK-COUNT-4: llvm.fadd %{{.*}}, %{{.*}} : vector<2xf16>
// CHECK: llvm.bitcast %{{.*}} : vector<2xf16> to i32
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @halves(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %C: !tile.ptr<f16> {tile.access = #tile.access<out>}, %n: i64) {
    %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
    %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
    tile.grid (%b) in (%n) threads(32) {
      tile.parallel (%i) in (256) attributes {layout = #V8} {
        %x = tile.read %a[%i] {in_bounds, tile.width = 8 : i64} : !tile.global<?xf16> -> f16
        %y = arith.addf %x, %x : f16
        tile.write %y, %c[%i] {in_bounds, tile.width = 8 : i64} : !tile.global<?xf16>
      }
    }
    tile.return
  }
}

// -----

// A group that is inside or outside together moves under one predicate, with the pad in every place of its words.
// CHECK-LABEL: llvm.func @guarded
// CHECK: %[[IN:.*]] = llvm.icmp "ult"
// CHECK: llvm.inline_asm "/* tile:{{[0-9]+}} */ @$5 ld.global.nc.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3" %{{.*}}, %[[IN]], %[[PAD:.*]], %[[PAD]], %[[PAD]], %[[PAD]]
// CHECK: llvm.inline_asm has_side_effects "/* tile:{{[0-9]+}} */ @$1 st.global.v4.b32 [$0], {$2, $3, $4, $5};"
!F = !tile.fragment<256xf16, #tile.blocked<vector = [8], lanes = [32], warps = [1], reps = [1]>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @guarded(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %C: !tile.ptr<f16> {tile.access = #tile.access<out>}, %n: i64, %v: f16) {
    %c0 = arith.constant 0 : i64
    %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
    %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.load %a[%c0] extents [256] pad(%v) {tile.guard = 8 : i64, tile.width = 8 : i64} : !tile.global<?xf16> -> !F
      tile.store %f, %c[%c0] extents [256] {tile.guard = 8 : i64, tile.width = 8 : i64} : !F -> !tile.global<?xf16>
    }
    tile.return
  }
}

// -----

// More threads than elements: those that hold none are masked. The first 100 of 128 exist.
// CHECK-LABEL: llvm.func @extents
// CHECK: %[[C:.*]] = llvm.mlir.constant(100 : i32)
// CHECK: %[[E:.*]] = llvm.icmp "ult" %{{.*}}, %[[C]] : i32
// CHECK: st.global.b32 [$0], $2;", "l,b,r" %{{.*}}, %[[E]],
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @extents(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
    %one = arith.constant 1 : i64
    %c = tile.global %C sizes [100] strides [1] : !tile.ptr<f32> -> !tile.global<100xf32>
    tile.grid (%b) in (%one) threads(128) {
      tile.parallel (%i) in (100) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [4], reps = [1]>} {
        tile.write %v, %c[%i] {in_bounds} : !tile.global<100xf32>
      }
    }
    tile.return
  }
}

// -----

// Windows: an index is tested against the window and against what it is a window of; the dropped one as well.
// CHECK-LABEL: llvm.func @window
// CHECK: %[[ROW:.*]] = llvm.icmp "ult" %{{.*}}, %arg1 : i64
// CHECK: llvm.intr.smax(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// CHECK-COUNT-2: llvm.icmp "ult"
// CHECK: @$2 ld.global.nc.b32
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @window(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %n: i64, %m: i64, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}) {
    %a = tile.global %A sizes [%n, 64] strides [64, 1] : !tile.ptr<f32> -> !tile.global<?x64xf32>
    %c = tile.global %C sizes [32] strides [1] : !tile.ptr<f32> -> !tile.global<32xf32>
    tile.grid (%b) in (%n) threads(32) {
      %w = tile.window %a[%b, %m] sizes [1, %m] drop [0] : !tile.global<?x64xf32> -> !tile.global<?xf32>
      tile.parallel (%i) in (32) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>} {
        %x = tile.read %w[%i] : !tile.global<?xf32> -> f32
        tile.write %x, %c[%i] {in_bounds} : !tile.global<32xf32>
      }
    }
    tile.return
  }
}

// -----

// Bytes that are whole are stored; half a byte is swapped into its word, whatever others do to the word meanwhile.
// CHECK-LABEL: llvm.func @nibbles
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK: llvm.load %{{.*}} atomic syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic : !llvm.ptr<1>, i32
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @nibbles(%C: !tile.ptr<i4> {tile.access = #tile.access<out>}, %v: i8) {
    %one = arith.constant 1 : i64
    %c = tile.global %C sizes [256] strides [1] : !tile.ptr<i4> -> !tile.global<256xi4>
    tile.grid (%b) in (%one) threads(32) {
      tile.parallel (%i) in (256) attributes {layout = #tile.blocked<vector = [8], lanes = [32], warps = [1], reps = [1]>} {
        tile.write %v, %c[%i] {in_bounds, tile.width = 8 : i64} : !tile.global<256xi4>
      }
      tile.parallel (%i) in (32) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>} {
        tile.write %v, %c[%i] {in_bounds} : !tile.global<256xi4>
      }
    }
    tile.return
  }
}

// -----

// Atomics without result are reductions where the hardware has one, a loop of LLVM's elsewhere.
// CHECK-LABEL: llvm.func @atomics
// CHECK: @$1 red.relaxed.gpu.global.add.f32 [$0], $2;
// CHECK: @$1 red.relaxed.gpu.global.max.u32 [$0], $2;
// CHECK: llvm.atomicrmw fmax %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, f32
// CHECK: llvm.atomicrmw fadd %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, bf16
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @atomics(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %U: !tile.ptr<ui32> {tile.access = #tile.access<inout>},
                       %B: !tile.ptr<bf16> {tile.access = #tile.access<inout>}, %v: f32, %u: i32, %w: bf16, %n: i64) {
    %c0 = arith.constant 0 : i64
    %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
    %y = tile.global %U sizes [%n] strides [1] : !tile.ptr<ui32> -> !tile.global<?xui32>
    %z = tile.global %B sizes [%n] strides [1] : !tile.ptr<bf16> -> !tile.global<?xbf16>
    tile.grid (%b) in (%n) threads(32) {
      tile.parallel (%i) in (32) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>} {
        tile.atomic <add> %v, %x[%c0] : !tile.global<?xf32>
        tile.atomic <max> %u, %y[%c0] : !tile.global<?xui32>
        tile.atomic <max> %v, %x[%c0] : !tile.global<?xf32>
        tile.atomic <add> %w, %z[%c0] : !tile.global<?xbf16>
      }
    }
    tile.return
  }
}

// -----

// What atomics of other blocks may change is read once and handed round.
// CHECK-LABEL: llvm.mlir.global internal @tilec_broadcast() {addr_space = 3 : i32, alignment = 8 : i64} : i64
// CHECK: llvm.func @once
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
// CHECK: llvm.nvvm.barrier.cta.sync.aligned.all
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @once(%X: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %n: i64) {
    %c0 = arith.constant 0 : i64
    %x = tile.global %X sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
    tile.grid (%b) in (%n) threads(64) {
      %v = tile.read_scalar %x[%c0] {tile.in_bounds} : !tile.global<?xf32> -> f32
      tile.atomic <add> %v, %x[%c0] : !tile.global<?xf32>
    }
    tile.return
  }
}
