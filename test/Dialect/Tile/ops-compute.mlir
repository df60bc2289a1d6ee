// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Gemm, reductions and scalar functions.

#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 8]>
#parts = #tile.rows<#acc, axis = 1, parts = threads>

// CHECK-LABEL: func @gemms
func.func @gemms(%a: !tile.shared<128x32xf16>, %b: !tile.shared<32x64xf16>, %bt: !tile.shared<64x32xf16>, %fa: !tile.fragment<16x16xbf16>, %fb: !tile.fragment<16x8xbf16>, %c: !tile.fragment<128x64xf32>) {
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} : !tile.shared<128x32xf16>, !tile.shared<32x64xf16> -> !tile.fragment<128x64xf32>{{$}}
  %0 = tile.gemm %a, %b : !tile.shared<128x32xf16>, !tile.shared<32x64xf16> -> !tile.fragment<128x64xf32>
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} acc(%{{.*}}) {trans_b, warps = #tile.warps<rows>} : !tile.shared<128x32xf16>, !tile.shared<64x32xf16> -> !tile.fragment<128x64xf32>{{$}}
  %1 = tile.gemm %a, %bt acc(%c) {trans_b, warps = #tile.warps<rows>} : !tile.shared<128x32xf16>, !tile.shared<64x32xf16> -> !tile.fragment<128x64xf32>
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} {trans_a, trans_b, warps = #tile.warps<cols>} : !tile.shared<32x64xf16>, !tile.shared<64x32xf16> -> !tile.fragment<64x64xf16>{{$}}
  %2 = tile.gemm %b, %bt {trans_a, trans_b, warps = #tile.warps<cols>} : !tile.shared<32x64xf16>, !tile.shared<64x32xf16> -> !tile.fragment<64x64xf16>
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} {instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = bf16, b = bf16, acc = f32>, warps = #tile.warps<square>} : !tile.fragment<16x16xbf16>, !tile.fragment<16x8xbf16> -> !tile.fragment<16x8xf32>{{$}}
  %3 = tile.gemm %fa, %fb {instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = bf16, b = bf16, acc = f32>, warps = #tile.warps<square>} : !tile.fragment<16x16xbf16>, !tile.fragment<16x8xbf16> -> !tile.fragment<16x8xf32>
  return
}

// CHECK-LABEL: func @gemm_types
func.func @gemm_types(%f8: !tile.shared<8x8xf8E4M3FN>, %e5: !tile.shared<8x8xf8E5M2>, %i8: !tile.shared<8x8xi8>, %u8: !tile.shared<8x8xui8>, %t: !tile.shared<8x8xtf32>, %f: !tile.shared<8x8xf32>, %d: !tile.shared<8x8xf64>) {
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} : !tile.shared<8x8xf8E4M3FN>, !tile.shared<8x8xf8E5M2> -> !tile.fragment<8x8xf32>{{$}}
  %0 = tile.gemm %f8, %e5 : !tile.shared<8x8xf8E4M3FN>, !tile.shared<8x8xf8E5M2> -> !tile.fragment<8x8xf32>
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} : !tile.shared<8x8xi8>, !tile.shared<8x8xui8> -> !tile.fragment<8x8xi32>{{$}}
  %1 = tile.gemm %i8, %u8 : !tile.shared<8x8xi8>, !tile.shared<8x8xui8> -> !tile.fragment<8x8xi32>
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} : !tile.shared<8x8xtf32>, !tile.shared<8x8xtf32> -> !tile.fragment<8x8xf32>{{$}}
  %2 = tile.gemm %t, %t : !tile.shared<8x8xtf32>, !tile.shared<8x8xtf32> -> !tile.fragment<8x8xf32>
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} {instr = #tile.instr<fma, m = 1, n = 1, k = 1, a = f32, b = f32, acc = f32>} : !tile.shared<8x8xf32>, !tile.shared<8x8xf32> -> !tile.fragment<8x8xf32>{{$}}
  %3 = tile.gemm %f, %f {instr = #tile.instr<fma, m = 1, n = 1, k = 1, a = f32, b = f32, acc = f32>} : !tile.shared<8x8xf32>, !tile.shared<8x8xf32> -> !tile.fragment<8x8xf32>
  // CHECK: %{{.*}} = tile.gemm %{{.*}}, %{{.*}} : !tile.shared<8x8xf64>, !tile.shared<8x8xf64> -> !tile.fragment<8x8xf64>{{$}}
  %4 = tile.gemm %d, %d : !tile.shared<8x8xf64>, !tile.shared<8x8xf64> -> !tile.fragment<8x8xf64>
  return
}

// CHECK-LABEL: func @reductions
func.func @reductions(%f: !tile.fragment<128x64xf16>, %i: !tile.fragment<128xf16>, %v: !tile.fragment<8xi8>, %p: !tile.fragment<16x64xf32, #acc>) {
  // CHECK: %{{.*}} = tile.reduce <max> %{{.*}} axis 1 init(%{{.*}}) {nan_propagate} : !tile.fragment<128x64xf16> -> !tile.fragment<128xf16>{{$}}
  %0 = tile.reduce <max> %f axis 1 init(%i) {nan_propagate} : !tile.fragment<128x64xf16> -> !tile.fragment<128xf16>
  // CHECK: %{{.*}} = tile.reduce <min> %{{.*}} axis 0 : !tile.fragment<128x64xf16> -> !tile.fragment<64xf16>{{$}}
  %1 = tile.reduce <min> %f axis 0 : !tile.fragment<128x64xf16> -> !tile.fragment<64xf16>
  // CHECK: %{{.*}} = tile.reduce <sum> %{{.*}} axis 1 : !tile.fragment<128x64xf16> -> !tile.fragment<128xf32>{{$}}
  %2 = tile.reduce <sum> %f axis 1 : !tile.fragment<128x64xf16> -> !tile.fragment<128xf32>
  // CHECK: %{{.*}} = tile.reduce <absmax> %{{.*}} axis 1 : !tile.fragment<128x64xf16> -> !tile.fragment<128xf16>{{$}}
  %3 = tile.reduce <absmax> %f axis 1 : !tile.fragment<128x64xf16> -> !tile.fragment<128xf16>
  // CHECK: %{{.*}} = tile.reduce <prod> %{{.*}} axis 0 : !tile.fragment<8xi8> -> !tile.fragment<i32>{{$}}
  %4 = tile.reduce <prod> %v axis 0 : !tile.fragment<8xi8> -> !tile.fragment<i32>
  // CHECK: %{{.*}} = tile.reduce <sum> %{{.*}} axis 1 {parts = #tile.parts<threads>} : !tile.fragment<16x64xf32, #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 8]>> -> !tile.fragment<16x4xf32, #tile.rows<#tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 8]>, axis = 1, parts = threads>>{{$}}
  %8 = tile.reduce <sum> %p axis 1 {parts = #tile.parts<threads>} : !tile.fragment<16x64xf32, #acc> -> !tile.fragment<16x4xf32, #parts>
  // CHECK: %{{.*}} = tile.scan <sum> %{{.*}} axis 0 : !tile.fragment<128x64xf16>{{$}}
  %5 = tile.scan <sum> %f axis 0 : !tile.fragment<128x64xf16>
  // CHECK: %{{.*}} = tile.scan <max> %{{.*}} axis 1 {nan_propagate, reverse} : !tile.fragment<128x64xf16>{{$}}
  %6 = tile.scan <max> %f axis 1 {nan_propagate, reverse} : !tile.fragment<128x64xf16>
  // CHECK: %{{.*}} = tile.transpose %{{.*}} : !tile.fragment<128x64xf16> -> !tile.fragment<64x128xf16>{{$}}
  %7 = tile.transpose %f : !tile.fragment<128x64xf16> -> !tile.fragment<64x128xf16>
  return
}

// CHECK-LABEL: func @scalars
func.func @scalars(%v: f32, %d: f64) {
  // CHECK: %{{.*}} = tile.cast %{{.*}} : f32 -> i32{{$}}
  %0 = tile.cast %v : f32 -> i32
  // CHECK: %{{.*}} = tile.cast %{{.*}} {is_unsigned} : f64 -> i64{{$}}
  %1 = tile.cast %d {is_unsigned} : f64 -> i64
  // CHECK: %{{.*}} = tile.cast %{{.*}} : f32 -> f8E5M2{{$}}
  %2 = tile.cast %v : f32 -> f8E5M2
  // CHECK: %{{.*}} = tile.sigmoid %{{.*}} : f32{{$}}
  %3 = tile.sigmoid %v : f32
  // CHECK: %{{.*}} = tile.rcp %{{.*}} : f64{{$}}
  %4 = tile.rcp %d : f64
  return
}
