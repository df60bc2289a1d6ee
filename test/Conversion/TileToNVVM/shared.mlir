// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file | FileCheck %s

// Rows with a gap: every constant ends up in the instruction, and eight halves are one access.
// CHECK-LABEL: llvm.mlir.global external @tilec_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.func @strided
// CHECK: %[[BASE:.*]] = llvm.mlir.addressof @tilec_shared : !llvm.ptr<3>
// CHECK: %[[TILE:.*]] = llvm.getelementptr %[[BASE]][2048]
// CHECK: %[[P:.*]] = llvm.getelementptr %[[TILE]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK: llvm.store %{{.*}}, %[[P]] {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][1152]
// CHECK: llvm.store %{{.*}}, %[[Q]] {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
#rows = #tile.blocked<vector = [1, 8], lanes = [4, 8], warps = [2, 1], reps = [2, 1]>
!S = !tile.shared<16x64xf16, #tile.strided<[72, 1]>>
!F = !tile.fragment<16x64xf16, #rows>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @strided(%n: i64, %v: f16) {
    %c0 = arith.constant 0 : i64
    tile.grid (%b) in (%n) threads(64) {
      %s = tile.shared {offset = 2048 : i64} : !S
      %f = tile.fragment %v : !F
      tile.store %f, %s[%c0, %c0] extents [16, 64] : !F -> !S
      tile.barrier
      %g = tile.load %s[%c0, %c0] extents [16, 64] : !S -> !F
    }
    tile.return
  }
}

// -----

// A swizzle of the common part is computed once; rows further by 8 are a constant.
// CHECK-LABEL: llvm.func @panels
// CHECK: %[[ROWS:.*]] = llvm.shl %{{.*}}, %{{.*}} : i32
// CHECK: %[[COLS:.*]] = llvm.shl %{{.*}}, %{{.*}} : i32
// CHECK: %[[MASKED:.*]] = llvm.and %[[ROWS]], %{{.*}} : i32
// CHECK: %[[FLIPS:.*]] = llvm.lshr %[[MASKED]], %{{.*}} : i32
// CHECK: %[[IN:.*]] = llvm.xor %[[COLS]], %[[FLIPS]] : i32
// CHECK: %[[AT:.*]] = llvm.add %[[IN]], %[[ROWS]] : i32
// CHECK: %[[P:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]]
// CHECK: llvm.store %{{.*}}, %[[P]] {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK-NOT: llvm.xor
// CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][1024]
// CHECK: llvm.store %{{.*}}, %[[Q]] {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
#rows = #tile.blocked<vector = [1, 8], lanes = [4, 8], warps = [2, 1], reps = [2, 1]>
!S = !tile.shared<16x64xf16, #tile.panels<64, sw128>>
!F = !tile.fragment<16x64xf16, #rows>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @panels(%n: i64, %v: f16) {
    %c0 = arith.constant 0 : i64
    tile.grid (%b) in (%n) threads(64) {
      %s = tile.shared {offset = 0 : i64} : !S
      %f = tile.fragment %v : !F
      tile.store %f, %s[%c0, %c0] extents [16, 64] : !F -> !S
    }
    tile.return
  }
}

// -----

// A region counts from its tile's begin, dropped dimensions too. What some threads do not hold is under a predicate.
// CHECK-LABEL: llvm.func @region
// CHECK: %[[E:.*]] = llvm.icmp "ult"
// CHECK: llvm.inline_asm has_side_effects "/* tile:67 */ @$1 st.shared.b32 [$0], $2;", "l,b,r" %{{.*}}, %[[E]], %{{.*}}
// CHECK: llvm.inline_asm has_side_effects "/* tile:62 */ @$2 ld.shared.b32 $0, [$1];", "=r,l,b,0" %{{.*}}, %[[E2:.*]], %{{.*}}
!S = !tile.shared<4x8x12xf32, #tile.strided<[96, 12, 1]>>
!V = !tile.shared<8x12xf32, #tile.strided<[12, 1]>>
!W = !tile.shared<12xf32, #tile.strided<[1]>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @region(%n: i64, %v: f32, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}) {
    %c0 = arith.constant 0 : i64
    %c2 = arith.constant 2 : i64
    %c = tile.global %C sizes [12] strides [1] : !tile.ptr<f32> -> !tile.global<12xf32>
    tile.grid (%b) in (%n) threads(32) {
      %s = tile.shared {offset = 0 : i64} : !S
      %r = tile.subview %s[%b, %c0, %c0] extents [1, 8, 12] drop [0] : !S -> !V
      %w = tile.subview %r[%c2, %c0] extents [1, 12] drop [0] : !V -> !W
      tile.parallel (%i) in (12) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>} {
        tile.write %v, %w[%i] : !W
      }
      tile.parallel (%i) in (12) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>} {
        %x = tile.read %w[%i] : !W -> f32
        tile.write %x, %c[%i] {in_bounds} : !tile.global<12xf32>
      }
      tile.write_scalar %v, %w[%c0] : !W
      %x = tile.read_scalar %w[%c2] : !W -> f32
    }
    tile.return
  }
}

// -----

// Every update counts: an instruction where there is one, else the word is swapped.
// CHECK-LABEL: llvm.func @updates
// CHECK: @$1 red.relaxed.cta.shared.add.f32 [$0], $2;
// CHECK: llvm.fneg
// CHECK: @$1 red.relaxed.cta.shared.add.f32 [$0], $2;
// CHECK: @$1 red.relaxed.cta.shared.max.u32 [$0], $2;
// CHECK: llvm.load %{{.*}} atomic syncscope("block") monotonic {alignment = 4 : i64} : !llvm.ptr<3> -> i32
// CHECK: llvm.fmul
// CHECK: llvm.cmpxchg %{{.*}} syncscope("block") monotonic monotonic : !llvm.ptr<3>, i32
// CHECK: llvm.intr.maxnum
// CHECK: llvm.cmpxchg %{{.*}} syncscope("block") monotonic monotonic : !llvm.ptr<3>, i32
// CHECK: llvm.inttoptr
// CHECK: llvm.load %{{.*}} atomic syncscope("block")
// CHECK: llvm.lshr
// CHECK: llvm.trunc %{{.*}} : i32 to i8
// CHECK: llvm.cmpxchg %{{.*}} syncscope("block") monotonic monotonic : !llvm.ptr<3>, i32
!S = !tile.shared<4xf32, #tile.strided<[1]>>
!U = !tile.shared<4xui32, #tile.strided<[1]>>
!B = !tile.shared<4xi8, #tile.strided<[1]>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @updates(%n: i64, %v: f32, %u: i32, %y: i8) {
    %c0 = arith.constant 0 : i64
    tile.grid (%b) in (%n) threads(32) {
      %s = tile.shared {offset = 0 : i64} : !S
      %t = tile.shared {offset = 16 : i64} : !U
      %q = tile.shared {offset = 32 : i64} : !B
      tile.parallel (%i) in (32) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>} {
        tile.update <add> %v, %s[%c0] : !S
        tile.update <sub> %v, %s[%c0] : !S
        tile.update <max> %u, %t[%c0] : !U
        tile.update <mul> %v, %s[%c0] : !S
        tile.atomic <max> %v, %s[%c0] : !S
        tile.update <add> %y, %q[%c0] : !B
      }
    }
    tile.return
  }
}

// -----

// Inside a condition of an element.
// CHECK-LABEL: llvm.func @elements
// CHECK: llvm.cond_br
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
// CHECK: llvm.store %{{.*}} {alignment = 2 : i64} : i16, !llvm.ptr<3>
!S = !tile.shared<32xbf16, #tile.strided<[1]>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @elements(%n: i64) {
    %c5 = arith.constant 5 : i64
    tile.grid (%b) in (%n) threads(32) {
      %s = tile.shared {offset = 0 : i64} : !S
      tile.parallel (%i) in (32) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>} {
        %low = arith.cmpi slt, %i, %c5 : i64
        scf.if %low {
          %j = arith.addi %i, %c5 : i64
          %x = tile.read %s[%j] : !S -> bf16
          tile.write %x, %s[%i] : !S
        }
      }
    }
    tile.return
  }
}
