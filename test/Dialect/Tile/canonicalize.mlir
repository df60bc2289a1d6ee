// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

// What is the same, folds; what acts, stays. Each function returns or keeps what must survive.

// CHECK-LABEL: func @reshape_back
// CHECK-SAME: (%[[f:.*]]: !tile.fragment<128xf32>)
// CHECK-NEXT: return %[[f]]
func.func @reshape_back(%f: !tile.fragment<128xf32>) -> !tile.fragment<128xf32> {
  %a = tile.reshape %f : !tile.fragment<128xf32> -> !tile.fragment<128x1xf32>
  %b = tile.reshape %a : !tile.fragment<128x1xf32> -> !tile.fragment<128xf32>
  return %b : !tile.fragment<128xf32>
}

// CHECK-LABEL: func @reshape_same
// CHECK-NEXT: return
func.func @reshape_same(%f: !tile.fragment<128xf32>) -> !tile.fragment<128xf32> {
  %a = tile.reshape %f : !tile.fragment<128xf32> -> !tile.fragment<128xf32>
  return %a : !tile.fragment<128xf32>
}

// Two steps become one.
// CHECK-LABEL: func @reshape_chain
// CHECK-SAME: (%[[f:.*]]: !tile.fragment<128xf32>)
// CHECK-NEXT: %[[r:.*]] = tile.reshape %[[f]] : !tile.fragment<128xf32> -> !tile.fragment<1x128xf32>
// CHECK-NEXT: return %[[r]]
func.func @reshape_chain(%f: !tile.fragment<128xf32>) -> !tile.fragment<1x128xf32> {
  %a = tile.reshape %f : !tile.fragment<128xf32> -> !tile.fragment<128x1xf32>
  %b = tile.reshape %a : !tile.fragment<128x1xf32> -> !tile.fragment<1x128xf32>
  return %b : !tile.fragment<1x128xf32>
}

// CHECK-LABEL: func @convert_same
// CHECK-NEXT: return
func.func @convert_same(%f: !tile.fragment<8xf32>) -> !tile.fragment<8xf32> {
  %a = tile.convert %f : !tile.fragment<8xf32> -> !tile.fragment<8xf32>
  return %a : !tile.fragment<8xf32>
}

// Through a narrower type: not the same values.
// CHECK-LABEL: func @convert_narrow
// CHECK-COUNT-2: tile.convert
func.func @convert_narrow(%f: !tile.fragment<8xf32>) -> !tile.fragment<8xf32> {
  %a = tile.convert %f : !tile.fragment<8xf32> -> !tile.fragment<8xf16>
  %b = tile.convert %a : !tile.fragment<8xf16> -> !tile.fragment<8xf32>
  return %b : !tile.fragment<8xf32>
}

// CHECK-LABEL: func @transpose_twice
// CHECK-SAME: (%[[f:.*]]: !tile.fragment<8x4xf32>)
// CHECK-NEXT: return %[[f]]
func.func @transpose_twice(%f: !tile.fragment<8x4xf32>) -> !tile.fragment<8x4xf32> {
  %a = tile.transpose %f : !tile.fragment<8x4xf32> -> !tile.fragment<4x8xf32>
  %b = tile.transpose %a : !tile.fragment<4x8xf32> -> !tile.fragment<8x4xf32>
  return %b : !tile.fragment<8x4xf32>
}

// Float to integer truncates and saturates, NaN gives 0.
// CHECK-LABEL: func @cast
// CHECK-DAG: %[[a:.*]] = arith.constant -3 : i8
// CHECK-DAG: %[[b:.*]] = arith.constant 127 : i8
// CHECK-DAG: %[[c:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[d:.*]] = arith.constant 0 : i8
// CHECK-DAG: %[[e:.*]] = arith.constant -128 : i8
// CHECK: return %[[a]], %[[b]], %[[c]], %[[d]], %[[d]], %[[e]]
func.func @cast() -> (i8, i8, i8, i8, i8, i8) {
  %minus = arith.constant -3.9 : f32
  %large = arith.constant 1.0e10 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %minf = arith.constant 0xFF800000 : f32
  %a = tile.cast %minus : f32 -> i8
  %b = tile.cast %large : f32 -> i8
  %c = tile.cast %large {is_unsigned} : f32 -> i8
  %d = tile.cast %minus {is_unsigned} : f32 -> i8
  %e = tile.cast %nan : f32 -> i8
  %f = tile.cast %minf : f32 -> i8
  return %a, %b, %c, %d, %e, %f : i8, i8, i8, i8, i8, i8
}

// To f8 it rounds to nearest even and saturates; NaN stays NaN.
// CHECK-LABEL: func @cast_f8
// CHECK-DAG: %[[a:.*]] = arith.constant 4.480000e+02 : f8E4M3FN
// CHECK-DAG: %[[b:.*]] = arith.constant -5.734400e+04 : f8E5M2
// CHECK-DAG: %[[c:.*]] = arith.constant 1.000000e+00 : f8E4M3FN
// CHECK-DAG: %[[d:.*]] = arith.constant 0x7F : f8E4M3FN
// CHECK: return %[[a]], %[[b]], %[[c]], %[[d]]
func.func @cast_f8() -> (f8E4M3FN, f8E5M2, f8E4M3FN, f8E4M3FN) {
  %large = arith.constant 1.0e10 : f32
  %minf = arith.constant 0xFF800000 : f32
  %near = arith.constant 1.0625 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %a = tile.cast %large : f32 -> f8E4M3FN
  %b = tile.cast %minf : f32 -> f8E5M2
  %c = tile.cast %near : f32 -> f8E4M3FN
  %d = tile.cast %nan : f32 -> f8E4M3FN
  return %a, %b, %c, %d : f8E4M3FN, f8E5M2, f8E4M3FN, f8E4M3FN
}

// Unused values vanish, also a loop that only computes.
// CHECK-LABEL: func @unused
// CHECK-NEXT: return
func.func @unused(%p: !tile.ptr<f32>, %f: !tile.fragment<128xf32>, %n: i64, %v: f32) {
  %g = tile.global %p sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %a = tile.load %g[%n] extents [128] : !tile.global<?xf32> -> !tile.fragment<128xf32>
  %s = tile.shared : !tile.shared<128xf32>
  %h = tile.parallel (%i) in (128) updates(%r = %f : !tile.fragment<128xf32>) {
    tile.write %v, %r[%i] : !tile.fragref<128xf32>
  }
  return
}

// Writes, actions and allocations stay, in order; equal allocations are two.
// CHECK-LABEL: func @acts
// CHECK: %[[s:.*]] = tile.shared
// CHECK-NEXT: %[[t:.*]] = tile.shared
// CHECK-NEXT: tile.fill %{{.*}}, %[[s]]
// CHECK-NEXT: tile.fill %{{.*}}, %[[t]]
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.assert
// CHECK-NEXT: tile.print
// CHECK-NEXT: tile.parallel
// CHECK-NEXT: tile.atomic
func.func @acts(%g: !tile.global<?xf32>, %i: i64, %v: f32, %c: i1) {
  %s = tile.shared : !tile.shared<8xf32>
  %t = tile.shared : !tile.shared<8xf32>
  tile.fill %v, %s[%i] extents [8] : !tile.shared<8xf32>
  tile.fill %v, %t[%i] extents [8] : !tile.shared<8xf32>
  tile.barrier
  tile.barrier
  tile.assert %c, "c"
  tile.print "p"
  tile.parallel (%j) in (8) {
    tile.atomic <add> %v, %g[%j] : !tile.global<?xf32>
  }
  return
}

// A read is not merged with one before a write.
// CHECK-LABEL: func @reads
// CHECK: tile.read_scalar
// CHECK-NEXT: tile.write_scalar
// CHECK-NEXT: tile.read_scalar
// CHECK-NEXT: return
func.func @reads(%s: !tile.shared<8xf32>, %i: i64, %v: f32) -> (f32, f32, f32) {
  %a = tile.read_scalar %s[%i] : !tile.shared<8xf32> -> f32
  tile.write_scalar %v, %s[%i] : !tile.shared<8xf32>
  %b = tile.read_scalar %s[%i] : !tile.shared<8xf32> -> f32
  %c = tile.read_scalar %s[%i] : !tile.shared<8xf32> -> f32
  return %a, %b, %c : f32, f32, f32
}

// Two products that start alike are two.
// CHECK-LABEL: func @starts
// CHECK-COUNT-2: tile.gemm.start
func.func @starts(%a: !tile.shared<16x8xf16>, %b: !tile.shared<8x8xf16>)
    -> (!tile.fragment<16x8xf32>, !tile.fragment<16x8xf32>) {
  %p = tile.gemm.start %a, %b : !tile.shared<16x8xf16>, !tile.shared<8x8xf16> -> !tile.pending<16x8xf32>
  %q = tile.gemm.start %a, %b : !tile.shared<16x8xf16>, !tile.shared<8x8xf16> -> !tile.pending<16x8xf32>
  %c, %d = tile.gemm.wait %p, %q : !tile.pending<16x8xf32>, !tile.pending<16x8xf32>
    -> !tile.fragment<16x8xf32>, !tile.fragment<16x8xf32>
  return %c, %d : !tile.fragment<16x8xf32>, !tile.fragment<16x8xf32>
}
