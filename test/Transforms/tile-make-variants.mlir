// RUN: tile-opt %s -tile-make-variants -split-input-file | FileCheck %s

// Only what widens an access is asked for: both pointers, and that the rows are multiples of 8 elements. %m is not.
// CHECK-LABEL: tile.entry @rows
// CHECK: %[[A:.*]] = tile.ptr_aligned %{{.*}}, 16
// CHECK: %[[REST:.*]] = arith.remsi %arg2, %c8
// CHECK: %[[ROWS:.*]] = arith.cmpi eq, %[[REST]]
// CHECK: %[[AROWS:.*]] = arith.andi %[[A]], %[[ROWS]]
// CHECK: %[[C:.*]] = tile.ptr_aligned %arg3, 16
// CHECK: %[[ALL:.*]] = arith.andi %[[AROWS]], %[[C]]
// CHECK-NOT: arith.remsi
// CHECK: scf.if %[[ALL]] {
// CHECK-NEXT: tile.launch @rows_kernel__aligned grid(
// CHECK-NEXT: } else {
// CHECK-NEXT: tile.launch @rows_kernel grid(
// CHECK: tile.kernel @rows_kernel(
// CHECK-SAME: tile.variant = "generic"
// CHECK: tile.kernel @rows_kernel__aligned(
// CHECK-SAME: tile.align = 16 : i64
// CHECK-SAME: tile.align = 16 : i64
// CHECK-SAME: %{{.*}}: i64 {tile.name = "M"}, %{{.*}}: i64 {tile.divisible = 8 : i64, tile.name = "N"}
// CHECK-SAME: tile.variant = "aligned"
tile.entry @rows(%A: !tile.ptr<f16>, %m: i64, %n: i64, %C: !tile.ptr<f16>, %m2: i64, %n2: i64) params [
    #tile.tensor_param<name = "A", element = f16, access = in, extents = ["M", "N"]>,
    #tile.tensor_param<name = "C", element = f16, access = out, extents = ["M", "N"]>] {
  tile.launch @rows_kernel grid(%m) args(%A, %C, %m, %n : !tile.ptr<f16>, !tile.ptr<f16>, i64, i64)
  tile.return
}
tile.kernel @rows_kernel(%A: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.name = "A"},
                         %C: !tile.ptr<f16> {tile.access = #tile.access<out>, tile.name = "C"},
                         %M: i64 {tile.name = "M"}, %N: i64 {tile.name = "N"}) {
  %a = tile.global %A sizes [%M, %N] strides [%N, 1] : !tile.ptr<f16> -> !tile.global<?x?xf16>
  %c = tile.global %C sizes [%M, %N] strides [%N, 1] : !tile.ptr<f16> -> !tile.global<?x?xf16>
  tile.grid (%b) in (%M) threads(128) {
    tile.parallel (%i) in (%N) {
      %x = tile.read %a[%b, %i] : !tile.global<?x?xf16> -> f16
      tile.write %x, %c[%b, %i] : !tile.global<?x?xf16>
    }
  }
  tile.return
}

// -----

// A copy is wider if its tensor's rows are aligned; what the result is added to atomically need not be.
// CHECK-LABEL: tile.kernel @staged(
// CHECK-LABEL: tile.kernel @staged__aligned
// CHECK-SAME: %{{[^:]*}}: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.align = 16 : i64}
// CHECK-SAME: %{{[^:]*}}: !tile.ptr<f16> {tile.access = #tile.access<inout>}
// CHECK-SAME: %{{[^:]*}}: i64 {tile.divisible = 8 : i64}
tile.entry @s(%A: !tile.ptr<f16>, %m: i64, %k: i64, %C: !tile.ptr<f16>, %n: i64) params [#tile.tensor_param<name = "A", element = f16, access = in, extents = ["M", "K"]>, #tile.tensor_param<name = "C", element = f16, access = inout, extents = ["64"]>] {
  %c1 = arith.constant 1 : i64
  tile.launch @staged grid(%c1) args(%A, %C, %m, %k : !tile.ptr<f16>, !tile.ptr<f16>, i64, i64)
  tile.return
}
tile.kernel @staged(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %C: !tile.ptr<f16> {tile.access = #tile.access<inout>}, %m: i64, %k: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %v = arith.constant 1.0 : f16
  %a = tile.global %A sizes [%m, %k] strides [%k, 1] : !tile.ptr<f16> -> !tile.global<?x?xf16>
  %c = tile.global %C sizes [64] strides [1] : !tile.ptr<f16> -> !tile.global<64xf16>
  tile.grid (%b) in (%c1) threads(128) {
    %s = tile.shared : !tile.shared<64x64xf16>
    tile.copy %a[%c0, %c64] extents [64, 64], %s[%c0, %c0] extents [64, 64] : !tile.global<?x?xf16> -> !tile.shared<64x64xf16>
    tile.atomic_tile <add> %v, %c[%c0] extents [64] : f16 -> !tile.global<64xf16>
  }
  tile.return
}

// -----

// A gather gains nothing from alignment.
// CHECK-LABEL: tile.kernel @gather
// CHECK-NOT: tile.variant
// CHECK-NOT: __aligned
tile.entry @g(%A: !tile.ptr<i64>, %n: i64) params [#tile.tensor_param<name = "A", element = i64, access = in, extents = ["N"]>] {
  tile.launch @gather grid(%n) args(%A, %n : !tile.ptr<i64>, i64)
  tile.return
}
tile.kernel @gather(%A: !tile.ptr<i64> {tile.access = #tile.access<in>}, %n: i64) {
  %c3 = arith.constant 3 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<i64> -> !tile.global<?xi64>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i) in (128) {
      %at = arith.muli %i, %c3 : i64
      %k = tile.read %a[%at] : !tile.global<?xi64> -> i64
    }
  }
  tile.return
}

// -----

// Nor does a kernel that nobody launches.
// CHECK-LABEL: tile.kernel @oracle
// CHECK-NOT: __aligned
tile.kernel @oracle(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %n: i64) {
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i) in (128) {
      %x = tile.read %a[%i] : !tile.global<?xf32> -> f32
    }
  }
  tile.return
}
