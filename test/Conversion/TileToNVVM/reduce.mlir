// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file | FileCheck %s

// A tree over the registers of a row, then a butterfly over the four lanes that share it; the rows take each step
// together. Nothing but NaN gives the neutral element.
// CHECK-LABEL: llvm.func @rows
// CHECK-COUNT-6: llvm.intr.maxnum
// CHECK-NOT: llvm.intr.maxnum
// CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"(%{{.*}}, %{{.*}}, %[[ONE:.*]], %{{.*}})
// CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"
// CHECK-COUNT-2: llvm.intr.maxnum
// CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"
// CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"
// CHECK-COUNT-2: llvm.intr.maxnum
// CHECK-NOT: shfl
// CHECK: %[[LEAST:.*]] = llvm.mlir.constant(0xFF800000 : f32)
// CHECK: llvm.intr.maxnum(%{{.*}}, %[[LEAST]])
#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 2]>
!F = !tile.fragment<16x16xf32, #acc>
!M = !tile.fragment<16xf32, #tile.rows<#acc, axis = 1>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @rows(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !F
      %m = tile.reduce <max> %f axis 1 : !F -> !M
    }
    tile.return
  }
}

// -----

// NaN wins where it is asked for, and the old value is folded in at the end.
// CHECK-LABEL: llvm.func @propagates
// CHECK: llvm.intr.minimum
// CHECK: shfl.sync.bfly
// CHECK: llvm.intr.minimum
// CHECK: shfl.sync.bfly
// CHECK: llvm.intr.minimum
// CHECK: llvm.intr.minimum(%[[OLD:.*]], %{{.*}})
#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 1]>
!F = !tile.fragment<16x8xf32, #acc>
!M = !tile.fragment<16xf32, #tile.rows<#acc, axis = 1>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @propagates(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !F
      %i = tile.fragment %v : !M
      %m = tile.reduce <min> %f axis 1 init(%i) {nan_propagate} : !F -> !M
    }
    tile.return
  }
}

// -----

// Of 32 lanes the first 20 hold an element: the others bring the neutral one. Halves are summed in f32 and rounded once.
// CHECK-LABEL: llvm.func @narrow
// CHECK: %[[WIDE:.*]] = llvm.fpext %{{.*}} : f16 to f32
// CHECK: %[[END:.*]] = llvm.mlir.constant(20 : i32)
// CHECK: %[[IN:.*]] = llvm.icmp "ult" %{{.*}}, %[[END]]
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
// CHECK: llvm.select %[[IN]], %[[WIDE]], %[[ZERO]]
// CHECK-COUNT-5: shfl.sync.bfly.f32
// CHECK: llvm.fptrunc %{{.*}} : f32 to f16
// CHECK-NOT: llvm.fptrunc
#line = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [1, 1], reps = [1, 1]>
!F = !tile.fragment<1x20xf16, #line>
!M = !tile.fragment<1xf16, #tile.rows<#line, axis = 1>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @narrow(%n: i64, %v: f16) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !F
      %m = tile.reduce <sum> %f axis 1 : !F -> !M
    }
    tile.return
  }
}

// -----

// A whole warp folds integers by one instruction; they wrap in the result's type.
// CHECK-LABEL: llvm.func @integers
// CHECK: llvm.sext %{{.*}} : i8 to i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.redux.sync.add"
// CHECK-NOT: shfl
// CHECK: llvm.trunc %{{.*}} : i32 to i16
#line = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [1, 1], reps = [1, 1]>
!F = !tile.fragment<1x32xi8, #line>
!M = !tile.fragment<1xi16, #tile.rows<#line, axis = 1>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @integers(%n: i64, %v: i8) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !F
      %m = tile.reduce <sum> %f axis 1 : !F -> !M
    }
    tile.return
  }
}

// -----

// 64 bits are exchanged as two words.
// CHECK-LABEL: llvm.func @doubles
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.i32"
// CHECK: llvm.bitcast %{{.*}} : i64 to f64
// CHECK: llvm.fmul %{{.*}}, %{{.*}} : f64
// CHECK-NOT: shfl
#pairs = #tile.blocked<vector = [1, 1], lanes = [16, 2], warps = [1, 1], reps = [1, 1]>
!F = !tile.fragment<16x2xf64, #pairs>
!M = !tile.fragment<16xf64, #tile.rows<#pairs, axis = 1>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @doubles(%n: i64, %v: f64) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !F
      %m = tile.reduce <prod> %f axis 1 : !F -> !M
    }
    tile.return
  }
}

// -----

// A fold that stops at threads exchanges nothing; one that stops at warps leaves a part for each of them.
// CHECK-LABEL: llvm.func @parts
// CHECK: llvm.fadd
// CHECK-NOT: shfl
// CHECK: llvm.fadd
// CHECK-COUNT-2: shfl.sync.bfly.f32
// CHECK-NOT: shfl
#wide = #tile.blocked<vector = [1, 2], lanes = [8, 4], warps = [1, 2], reps = [1, 1]>
!F = !tile.fragment<8x16xf32, #wide>
!T = !tile.fragment<8x8xf32, #tile.rows<#wide, axis = 1, parts = threads>>
!W = !tile.fragment<8x2xf32, #tile.rows<#wide, axis = 1, parts = warps>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @parts(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(64) {
      %f = tile.fragment %v : !F
      %t = tile.reduce <sum> %f axis 1 {parts = #tile.parts<threads>} : !F -> !T
      %w = tile.reduce <sum> %f axis 1 {parts = #tile.parts<warps>} : !F -> !W
    }
    tile.return
  }
}
