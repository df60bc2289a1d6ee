// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Layouts, the plan and instructions print as they are written; types carry layouts.

// CHECK-LABEL: func private @distributed
func.func private @distributed(
  // CHECK-SAME: !tile.fragment<8x128xf16, #tile.blocked<vector = [1, 4], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>>
  !tile.fragment<8x128xf16, #tile.blocked<vector = [1, 4], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>>,
  // CHECK-SAME: !tile.fragment<32x64xf32, #tile.mma<acc, bits = 32, warps = [2, 2], reps = [1, 4]>>
  !tile.fragment<32x64xf32, #tile.mma<acc, bits = 32, warps = [2, 2], reps = [1, 4]>>,
  // CHECK-SAME: !tile.fragment<32x16xf16, #tile.mma<a, bits = 16, warps = [2, 2], reps = [1, 1]>>
  !tile.fragment<32x16xf16, #tile.mma<a, bits = 16, warps = [2, 2], reps = [1, 1]>>,
  // CHECK-SAME: !tile.fragment<16x16xf16, #tile.mma<b, bits = 16, warps = [2, 2], reps = [1, 1]>>
  !tile.fragment<16x16xf16, #tile.mma<b, bits = 16, warps = [2, 2], reps = [1, 1]>>,
  // CHECK-SAME: !tile.pending<128x128xf32, #tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>>
  !tile.pending<128x128xf32, #tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>>,
  // CHECK-SAME: !tile.fragment<128x128xf16, #tile.wgmma_a<bits = 16, warpgroups = [2, 1], reps = [1, 8]>>
  !tile.fragment<128x128xf16, #tile.wgmma_a<bits = 16, warpgroups = [2, 1], reps = [1, 8]>>,
  // CHECK-SAME: !tile.fragref<128xf32, #tile.rows<#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>, axis = 1>>
  !tile.fragref<128xf32, #tile.rows<#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>, axis = 1>>,
  // CHECK-SAME: !tile.fragment<128x4xf32, #tile.rows<#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>, axis = 1, parts = threads>>
  !tile.fragment<128x4xf32, #tile.rows<#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>, axis = 1, parts = threads>>)

// CHECK-LABEL: func private @memory
func.func private @memory(
  // CHECK-SAME: !tile.shared<128x64xf16, #tile.panels<64, sw128>>
  !tile.shared<128x64xf16, #tile.panels<64, sw128>>,
  // CHECK-SAME: !tile.shared<128x64xf16, #tile.panels<64, none>>
  !tile.shared<128x64xf16, #tile.panels<64, none>>,
  // CHECK-SAME: !tile.ring<64x72xbf16, #tile.strided<[72, 1]>>
  !tile.ring<64x72xbf16, #tile.strided<[72, 1]>>)

// CHECK-LABEL: func private @elements
// CHECK-SAME: (!tile.global<0x?xi1>, !tile.global<f8E5M2>, !tile.ptr<ui64>, !tile.shared<3xui4>, !tile.fragment<i64>, !tile.gate, !tile.token, !tile.tensormap)
func.func private @elements(!tile.global<0x?xi1>, !tile.global<f8E5M2>, !tile.ptr<ui64>, !tile.shared<3xui4>,
                            !tile.fragment<i64>, !tile.gate, !tile.token, !tile.tensormap)

// CHECK-LABEL: func private @decisions
func.func private @decisions() attributes {
  // CHECK-SAME: a = #tile.plan<consumers = 8, producer = lane, producer_warps = 4, mode = pingpong, persistent = true, rotate = 1, depths = {Ks = 2 : i64, Vs = 2 : i64}, raster = <panel = 8, order = row>, reason = "two gemms a step">
  a = #tile.plan<consumers = 8, producer = lane, producer_warps = 4, mode = pingpong, persistent = true, rotate = 1,
                 depths = {Ks = 2, Vs = 2}, raster = #tile.raster<panel = 8, order = row>, reason = "two gemms a step">,
  // CHECK-SAME: b = #tile.plan<consumers = 4>
  b = #tile.plan<consumers = 4>,
  // CHECK-SAME: c = #tile.instr<fma, m = 1, n = 1, k = 1, a = f64, b = f64, acc = f64>
  c = #tile.instr<fma, m = 1, n = 1, k = 1, a = f64, b = f64, acc = f64>,
  // CHECK-SAME: d = #tile.instr<mma, m = 8, n = 8, k = 4, a = f64, b = f64, acc = f64>
  d = #tile.instr<mma, m = 8, n = 8, k = 4, a = f64, b = f64, acc = f64>,
  // CHECK-SAME: e = #tile.instr<wgmma, m = 64, n = 176, k = 32, a = f8E4M3FN, b = f8E5M2, acc = f32>
  e = #tile.instr<wgmma, m = 64, n = 176, k = 32, a = f8E4M3FN, b = f8E5M2, acc = f32>}
