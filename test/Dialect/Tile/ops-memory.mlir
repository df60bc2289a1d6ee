// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Objects and what moves them.

// CHECK-LABEL: func @objects
func.func @objects(%p: !tile.ptr<f16>, %q: !tile.ptr<ui4>, %map: !tile.tensormap, %m: i64, %s: i64, %v: f32, %u: i8, %b: i1) {
  // CHECK: %{{.*}} = tile.global %{{.*}} sizes [%{{.*}}, 64] strides [%{{.*}}, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>{{$}}
  %g = tile.global %p sizes [%m, 64] strides [%s, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
  // CHECK: %{{.*}} = tile.global %{{.*}} sizes [8] strides [0] map(%{{.*}}) : !tile.ptr<ui4> -> !tile.global<8xui4>{{$}}
  %h = tile.global %q sizes [8] strides [0] map(%map) : !tile.ptr<ui4> -> !tile.global<8xui4>
  // CHECK: %{{.*}} = tile.window %{{.*}}[%{{.*}}, %{{.*}}] sizes [%{{.*}}, 32] : !tile.global<?x64xf16> -> !tile.global<?x32xf16>{{$}}
  %w = tile.window %g[%m, %s] sizes [%m, 32] : !tile.global<?x64xf16> -> !tile.global<?x32xf16>
  // CHECK: %{{.*}} = tile.window %{{.*}}[%{{.*}}, %{{.*}}] sizes [1, %{{.*}}] drop [0] : !tile.global<?x64xf16> -> !tile.global<?xf16>{{$}}
  %r = tile.window %g[%m, %s] sizes [1, %s] drop [0] : !tile.global<?x64xf16> -> !tile.global<?xf16>
  // CHECK: %{{.*}} = tile.window %{{.*}}[%{{.*}}, %{{.*}}] sizes [1, 1] drop [0, 1] : !tile.global<?x64xf16> -> !tile.global<f16>{{$}}
  %e = tile.window %g[%m, %s] sizes [1, 1] drop [0, 1] : !tile.global<?x64xf16> -> !tile.global<f16>
  // CHECK: %{{.*}} = tile.shared : !tile.shared<3x128x32xf16>{{$}}
  %t = tile.shared : !tile.shared<3x128x32xf16>
  // CHECK: %{{.*}} = tile.shared {name = "As", offset = 1024 : i64, swizzle = #tile.swizzle<sw64>} : !tile.shared<128x32xi1>{{$}}
  %t1 = tile.shared {name = "As", offset = 1024 : i64, swizzle = #tile.swizzle<sw64>} : !tile.shared<128x32xi1>
  // CHECK: %{{.*}} = tile.subview %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] extents [1, 16, 32] drop [0] : !tile.shared<3x128x32xf16> -> !tile.shared<16x32xf16>{{$}}
  %a = tile.subview %t[%m, %s, %m] extents [1, 16, 32] drop [0] : !tile.shared<3x128x32xf16> -> !tile.shared<16x32xf16>
  // CHECK: %{{.*}} = tile.subview %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] extents [1, 16, 32] : !tile.shared<3x128x32xf16> -> !tile.shared<1x16x32xf16>{{$}}
  %c = tile.subview %t[%m, %s, %m] extents [1, 16, 32] : !tile.shared<3x128x32xf16> -> !tile.shared<1x16x32xf16>
  // CHECK: %{{.*}} = tile.fragment : !tile.fragment<229xf32>{{$}}
  %f0 = tile.fragment : !tile.fragment<229xf32>
  // CHECK: %{{.*}} = tile.fragment %{{.*}} {name = "acc"} : !tile.fragment<96x24xf32>{{$}}
  %f1 = tile.fragment %v {name = "acc"} : !tile.fragment<96x24xf32>
  // CHECK: %{{.*}} = tile.fragment %{{.*}} : !tile.fragment<8xui8>{{$}}
  %f2 = tile.fragment %u : !tile.fragment<8xui8>
  // CHECK: %{{.*}} = tile.fragment %{{.*}} : !tile.fragment<8xi4>{{$}}
  %f3 = tile.fragment %u : !tile.fragment<8xi4>
  // CHECK: %{{.*}} = tile.fragment %{{.*}} : !tile.fragment<8xi1>{{$}}
  %f4 = tile.fragment %b : !tile.fragment<8xi1>
  return
}

// CHECK-LABEL: func @moves
func.func @moves(%g: !tile.global<?x64xf16>, %s: !tile.shared<128x64xf16>, %c: !tile.shared<128x64xf32>, %i: i64, %v: f16, %w: f32) {
  // CHECK: %{{.*}} = tile.load %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] : !tile.global<?x64xf16> -> !tile.fragment<128x64xf16>{{$}}
  %a = tile.load %g[%i, %i] extents [128, 64] : !tile.global<?x64xf16> -> !tile.fragment<128x64xf16>
  // CHECK: %{{.*}} = tile.load %{{.*}}[%{{.*}}, %{{.*}}] extents [1, 64] pad(%{{.*}}) {in_bounds} : !tile.global<?x64xf16> -> !tile.fragment<64xf16>{{$}}
  %b = tile.load %g[%i, %i] extents [1, 64] pad(%v) {in_bounds} : !tile.global<?x64xf16> -> !tile.fragment<64xf16>
  // CHECK: %{{.*}} = tile.load %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] {path = #tile.path<matrix>} : !tile.shared<128x64xf16> -> !tile.fragment<128x64xf16>{{$}}
  %d = tile.load %s[%i, %i] extents [128, 64] {path = #tile.path<matrix>} : !tile.shared<128x64xf16> -> !tile.fragment<128x64xf16>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] : !tile.fragment<128x64xf16> -> !tile.global<?x64xf16>{{$}}
  tile.store %a, %g[%i, %i] extents [128, 64] : !tile.fragment<128x64xf16> -> !tile.global<?x64xf16>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] {executor = #tile.executor<own_rows>, in_bounds, path = #tile.path<matrix>} : !tile.fragment<128x64xf16> -> !tile.shared<128x64xf16>{{$}}
  tile.store %a, %s[%i, %i] extents [128, 64] {executor = #tile.executor<own_rows>, in_bounds, path = #tile.path<matrix>} : !tile.fragment<128x64xf16> -> !tile.shared<128x64xf16>
  // CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] pad(%{{.*}}), %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] : !tile.global<?x64xf16> -> !tile.shared<128x64xf32>{{$}}
  tile.copy %g[%i, %i] extents [128, 64] pad(%w), %c[%i, %i] extents [128, 64] : !tile.global<?x64xf16> -> !tile.shared<128x64xf32>
  // CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64], %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] {path = #tile.path<cp_async>} : !tile.global<?x64xf16> -> !tile.shared<128x64xf16>{{$}}
  tile.copy %g[%i, %i] extents [128, 64], %s[%i, %i] extents [128, 64] {path = #tile.path<cp_async>} : !tile.global<?x64xf16> -> !tile.shared<128x64xf16>
  // CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}] extents [1, 64], %{{.*}}[%{{.*}}, %{{.*}}] extents [64, 1] : !tile.shared<128x64xf16> -> !tile.global<?x64xf16>{{$}}
  tile.copy %s[%i, %i] extents [1, 64], %g[%i, %i] extents [64, 1] : !tile.shared<128x64xf16> -> !tile.global<?x64xf16>
  // CHECK: tile.fill %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] extents [4, 4] : !tile.global<?x64xf16>{{$}}
  tile.fill %v, %g[%i, %i] extents [4, 4] : !tile.global<?x64xf16>
  // CHECK: tile.fill %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] : !tile.shared<128x64xf32>{{$}}
  tile.fill %w, %c[%i, %i] extents [128, 64] : !tile.shared<128x64xf32>
  return
}

// CHECK-LABEL: func @fragments
func.func @fragments(%f: !tile.fragment<128x64xf32>, %r: !tile.fragment<64xf32>, %i: i64) {
  // CHECK: %{{.*}} = tile.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] extents [1, 64] : !tile.fragment<128x64xf32> -> !tile.fragment<64xf32>{{$}}
  %a = tile.extract_slice %f[%i, %i] extents [1, 64] : !tile.fragment<128x64xf32> -> !tile.fragment<64xf32>
  // CHECK: %{{.*}} = tile.insert_slice %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] extents [1, 64] : !tile.fragment<64xf32> -> !tile.fragment<128x64xf32>{{$}}
  %b = tile.insert_slice %r, %f[%i, %i] extents [1, 64] : !tile.fragment<64xf32> -> !tile.fragment<128x64xf32>
  // CHECK: %{{.*}} = tile.reshape %{{.*}} : !tile.fragment<64xf32> -> !tile.fragment<1x64x1xf32>{{$}}
  %c = tile.reshape %r : !tile.fragment<64xf32> -> !tile.fragment<1x64x1xf32>
  // CHECK: %{{.*}} = tile.convert %{{.*}} : !tile.fragment<128x64xf32> -> !tile.fragment<128x64xf8E4M3FN>{{$}}
  %d = tile.convert %f : !tile.fragment<128x64xf32> -> !tile.fragment<128x64xf8E4M3FN>
  return
}

// CHECK-LABEL: func @atomics
func.func @atomics(%g: !tile.global<?xbf16>, %s: !tile.shared<128xui32>, %f: !tile.fragment<128xui32>, %i: i64, %v: bf16, %u: i32) {
  // CHECK: tile.atomic_tile <add> %{{.*}}, %{{.*}}[%{{.*}}] extents [8] : bf16 -> !tile.global<?xbf16>{{$}}
  tile.atomic_tile <add> %v, %g[%i] extents [8] : bf16 -> !tile.global<?xbf16>
  // CHECK: tile.atomic_tile <max> %{{.*}}, %{{.*}}[%{{.*}}] extents [128] : !tile.fragment<128xui32> -> !tile.shared<128xui32>{{$}}
  tile.atomic_tile <max> %f, %s[%i] extents [128] : !tile.fragment<128xui32> -> !tile.shared<128xui32>
  // CHECK: tile.atomic <min> %{{.*}}, %{{.*}}[%{{.*}}] : !tile.shared<128xui32>{{$}}
  tile.atomic <min> %u, %s[%i] : !tile.shared<128xui32>
  return
}
