// RUN: tile-opt %s -tile-select-mma -split-input-file -verify-diagnostics | FileCheck %s

// Each triple of element types has its row; f32 has none, and what no extent fits is padded later.
module attributes {tile.target = #tile.target<"sm_80">} {
// CHECK-LABEL: tile.kernel @types
tile.kernel @types(%n: i64) {
  tile.grid (%b) in (%n) threads(128) {
    %h = tile.shared : !tile.shared<48x24xf16>
    %hb = tile.shared : !tile.shared<24x40xf16>
    // CHECK: tile.gemm {{.*}}instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>
    %c0 = tile.gemm %h, %hb : !tile.shared<48x24xf16>, !tile.shared<24x40xf16> -> !tile.fragment<48x40xf32>
    // CHECK: tile.gemm {{.*}}instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f16>
    %c1 = tile.gemm %h, %hb : !tile.shared<48x24xf16>, !tile.shared<24x40xf16> -> !tile.fragment<48x40xf16>
    %f = tile.shared : !tile.shared<16x16xf32>
    // CHECK: tile.gemm {{.*}}instr = #tile.instr<fma, m = 1, n = 1, k = 1, a = f32, b = f32, acc = f32>
    %c2 = tile.gemm %f, %f : !tile.shared<16x16xf32>, !tile.shared<16x16xf32> -> !tile.fragment<16x16xf32>
    %i = tile.shared : !tile.shared<32x32xi8>
    %u = tile.shared : !tile.shared<32x32xui8>
    // CHECK: tile.gemm {{.*}}instr = #tile.instr<mma, m = 16, n = 8, k = 32, a = i8, b = ui8, acc = i32>
    %c3 = tile.gemm %i, %u : !tile.shared<32x32xi8>, !tile.shared<32x32xui8> -> !tile.fragment<32x32xi32>
    %d = tile.shared : !tile.shared<8x8xf64>
    // CHECK: tile.gemm {{.*}}instr = #tile.instr<mma, m = 8, n = 8, k = 4, a = f64, b = f64, acc = f64>
    %c4 = tile.gemm %d, %d : !tile.shared<8x8xf64>, !tile.shared<8x8xf64> -> !tile.fragment<8x8xf64>
    %t = tile.shared : !tile.shared<16x8xtf32>
    // CHECK: tile.gemm {{.*}}instr = #tile.instr<mma, m = 16, n = 8, k = 8, a = tf32, b = tf32, acc = f32>
    %c5 = tile.gemm %t, %t {trans_b} : !tile.shared<16x8xtf32>, !tile.shared<16x8xtf32> -> !tile.fragment<16x16xf32>
    %q = tile.shared : !tile.shared<16x16xf8E4M3FN>
    // CHECK: tile.gemm {{.*}}instr = #tile.instr<fma, m = 1, n = 1, k = 1, a = f8E4M3FN, b = f8E4M3FN, acc = f32>
    %c6 = tile.gemm %q, %q : !tile.shared<16x16xf8E4M3FN>, !tile.shared<16x16xf8E4M3FN> -> !tile.fragment<16x16xf32>
  }
  tile.return
}
}

// -----

// A stays in registers, B does not; a transposed A does not either, and multiply-adds read memory alone.
module attributes {tile.target = #tile.target<"sm_90a">} {
// CHECK-LABEL: tile.kernel @operands
tile.kernel @operands(%n: i64, %v: f16, %w: f32) {
  tile.grid (%b) in (%n) threads(128) {
    // CHECK: %[[F:.*]] = tile.fragment
    %f = tile.fragment %v : !tile.fragment<32x32xf16>
    // CHECK: %[[B:.*]] = tile.shared {name = "B"} : !tile.shared<32x32xf16>
    // CHECK: tile.store %[[F]], %[[B]][%{{.*}}, %{{.*}}] extents [32, 32]
    // CHECK: tile.gemm %[[F]], %[[B]] {{.*}}mma
    %c0 = tile.gemm %f, %f : !tile.fragment<32x32xf16>, !tile.fragment<32x32xf16> -> !tile.fragment<32x32xf32>
    // CHECK: %[[A:.*]] = tile.shared {name = "A"} : !tile.shared<32x32xf16>
    // CHECK: tile.store %[[F]], %[[A]]
    // CHECK: %[[B2:.*]] = tile.shared {name = "B"}
    // CHECK: tile.gemm %[[A]], %[[B2]] {{.*}}trans_a
    %c1 = tile.gemm %f, %f {trans_a} : !tile.fragment<32x32xf16>, !tile.fragment<32x32xf16> -> !tile.fragment<32x32xf32>
    %g = tile.fragment %w : !tile.fragment<32x32xf32>
    // CHECK: %[[A3:.*]] = tile.shared {name = "A"} : !tile.shared<32x32xf32>
    // CHECK: %[[B3:.*]] = tile.shared {name = "B"} : !tile.shared<32x32xf32>
    // CHECK: tile.gemm %[[A3]], %[[B3]] {{.*}}fma
    %c2 = tile.gemm %g, %g : !tile.fragment<32x32xf32>, !tile.fragment<32x32xf32> -> !tile.fragment<32x32xf32>
  }
  tile.return
}
}

// -----

tile.kernel @no_target(%n: i64) {
  tile.grid (%b) in (%n) threads(128) {
    %h = tile.shared : !tile.shared<16x16xf16>
    // expected-error @+1 {{needs a target: set 'tile.target' on the module}}
    %c = tile.gemm %h, %h : !tile.shared<16x16xf16>, !tile.shared<16x16xf16> -> !tile.fragment<16x16xf32>
  }
  tile.return
}
