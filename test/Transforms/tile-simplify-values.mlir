// Zero accumulators, and what loops carry for nobody.
// RUN: tile-opt %s -tile-simplify | FileCheck %s
// RUN: tile-opt %s --tile-eval -tile-simplify -o /dev/null

// gemm acc(zeros) is gemm, in floats and integers; -0 and other values stay: -0 + -0 is -0.
// CHECK-LABEL: tile.kernel @accumulator
// CHECK: tile.gemm %{{.*}}, %{{.*}} : !tile.shared<16x8xf16>
// CHECK: tile.gemm %{{.*}}, %{{.*}} acc(%{{.*}}) : !tile.shared<16x8xf16>
// CHECK: tile.gemm %{{.*}}, %{{.*}} acc(%{{.*}}) : !tile.shared<16x8xf16>
// CHECK: tile.gemm %{{.*}}, %{{.*}} {trans_a, warps = #tile.warps<rows>} : !tile.shared<8x16xi8>
tile.kernel @accumulator(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %D: !tile.ptr<i32> {tile.access = #tile.access<out>}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c48 = arith.constant 48 : i64
  %i8 = arith.constant 3 : i8
  %f16 = arith.constant 5.0e-1 : f16
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0 : i32
  %c = tile.global %C sizes [48, 16] strides [16, 1] : !tile.ptr<f32> -> !tile.global<48x16xf32>
  %d = tile.global %D sizes [16, 16] strides [16, 1] : !tile.ptr<i32> -> !tile.global<16x16xi32>
  tile.grid (%b) in (%c1) threads(128) {
    %s = tile.shared : !tile.shared<16x8xf16>
    %t = tile.shared : !tile.shared<8x16xf16>
    %u = tile.shared : !tile.shared<8x16xi8>
    tile.fill %f16, %s[%c0, %c0] extents [16, 8] : !tile.shared<16x8xf16>
    tile.fill %f16, %t[%c0, %c0] extents [8, 16] : !tile.shared<8x16xf16>
    tile.fill %i8, %u[%c0, %c0] extents [8, 16] : !tile.shared<8x16xi8>
    %f0 = tile.fragment %zero : !tile.fragment<16x16xf32>
    %f1 = tile.fragment %minus : !tile.fragment<16x16xf32>
    %f2 = tile.fragment %one : !tile.fragment<16x16xf32>
    %f3 = tile.fragment %none : !tile.fragment<16x16xi32>
    %g0 = tile.gemm %s, %t acc(%f0) : !tile.shared<16x8xf16>, !tile.shared<8x16xf16> -> !tile.fragment<16x16xf32>
    %g1 = tile.gemm %s, %t acc(%f1) : !tile.shared<16x8xf16>, !tile.shared<8x16xf16> -> !tile.fragment<16x16xf32>
    %g2 = tile.gemm %s, %t acc(%f2) : !tile.shared<16x8xf16>, !tile.shared<8x16xf16> -> !tile.fragment<16x16xf32>
    %g3 = tile.gemm %u, %u acc(%f3) {trans_a, warps = #tile.warps<rows>} : !tile.shared<8x16xi8>, !tile.shared<8x16xi8> -> !tile.fragment<16x16xi32>
    %c16 = arith.constant 16 : i64
    %c32 = arith.constant 32 : i64
    tile.store %g0, %c[%c0, %c0] extents [16, 16] : !tile.fragment<16x16xf32> -> !tile.global<48x16xf32>
    tile.store %g1, %c[%c16, %c0] extents [16, 16] : !tile.fragment<16x16xf32> -> !tile.global<48x16xf32>
    tile.store %g2, %c[%c32, %c0] extents [16, 16] : !tile.fragment<16x16xf32> -> !tile.global<48x16xf32>
    tile.store %g3, %d[%c0, %c0] extents [16, 16] : !tile.fragment<16x16xi32> -> !tile.global<16x16xi32>
  }
  tile.return
}

// A loop carries `sum` for the store. The product of its own old value, which nobody reads, goes; so does what a
// parallel overwrites in every iteration.
// CHECK-LABEL: tile.kernel @carried
// CHECK: scf.for %{{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (!tile.fragment<8xf32>)
// CHECK-NOT: arith.mulf
// CHECK: tile.return
tile.kernel @carried(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %f = tile.fragment %v : !tile.fragment<8xf32>
    %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %f, %idle = %f, %temporary = %f)
        -> (!tile.fragment<8xf32>, !tile.fragment<8xf32>, !tile.fragment<8xf32>) : i64 {
      %i1 = tile.parallel (%i) in (8) updates(%x = %idle : !tile.fragment<8xf32>) {
        %old = tile.read %x[%i] : !tile.fragref<8xf32> -> f32
        %new = arith.mulf %old, %v : f32
        tile.write %new, %x[%i] : !tile.fragref<8xf32>
      }
      %t1 = tile.parallel (%i) in (8) updates(%x = %temporary : !tile.fragment<8xf32>) {
        %e = tile.read %a[%k] : !tile.global<?xf32> -> f32
        tile.write %e, %x[%i] : !tile.fragref<8xf32>
      }
      %s1 = tile.parallel (%i) in (8) updates(%x = %sum : !tile.fragment<8xf32>) {
        %old = tile.read %x[%i] : !tile.fragref<8xf32> -> f32
        %e = tile.read %t1[%i] : !tile.fragment<8xf32> -> f32
        %new = arith.addf %old, %e : f32
        tile.write %new, %x[%i] : !tile.fragref<8xf32>
      }
      scf.yield %s1, %i1, %t1 : !tile.fragment<8xf32>, !tile.fragment<8xf32>, !tile.fragment<8xf32>
    }
    tile.store %r#0, %c[%c0] extents [8] : !tile.fragment<8xf32> -> !tile.global<8xf32>
  }
  tile.return
}

// What is printed, or feeds another value that is wanted, stays carried.
// CHECK-LABEL: tile.kernel @wanted
// CHECK: scf.for %{{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}, %{{[^,]*}} = %{{[^,]*}}, %{{[^,]*}} = %{{[^,]*}})
// CHECK: tile.print
tile.kernel @wanted(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c = tile.global %C sizes [1] strides [1] : !tile.ptr<f32> -> !tile.global<1xf32>
  tile.grid (%b) in (%c1) threads(128) {
    %r:3 = scf.for %k = %c0 to %c3 step %c1 iter_args(%sum = %v, %printed = %v, %added = %v) -> (f32, f32, f32) : i64 {
      tile.print "value"(%printed : f32)
      %p1 = arith.mulf %printed, %v : f32
      %a1 = arith.mulf %added, %v : f32
      %s1 = arith.addf %sum, %a1 : f32
      scf.yield %s1, %p1, %a1 : f32, f32, f32
    }
    tile.write_scalar %r#0, %c[%c0] : !tile.global<1xf32>
  }
  tile.return
}
