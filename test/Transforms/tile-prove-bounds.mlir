// RUN: tile-opt %s -tile-prove-bounds -split-input-file | FileCheck %s

// A loop to the extent stays inside; one past it, or one before the start, does not.
// CHECK-LABEL: tile.kernel @loop
// CHECK: tile.read %{{.*}}[%{{.*}}] {in_bounds}
// CHECK: tile.read %{{.*}}[%{{.*}}] : !tile.global
// CHECK: tile.read %{{.*}}[%{{.*}}] : !tile.global
tile.kernel @loop(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %n: i64) {
  %c1 = arith.constant 1 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i) in (%n) {
      %x = tile.read %a[%i] : !tile.global<?xf32> -> f32
      %j = arith.addi %i, %c1 : i64
      %y = tile.read %a[%j] : !tile.global<?xf32> -> f32
      %k = arith.subi %i, %c1 : i64
      %z = tile.read %a[%k] : !tile.global<?xf32> -> f32
    }
  }
  tile.return
}

// -----

// ceildiv(n, 128) blocks of 128: inside only if n is known to be a multiple of 128.
// CHECK-LABEL: tile.kernel @blocks
// CHECK: tile.read %{{.*}}[%{{.*}}] : !tile.global
tile.kernel @blocks(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %n: i64) {
  %c128 = arith.constant 128 : i64
  %g = arith.ceildivsi %n, %c128 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%g) threads(128) {
    %base = arith.muli %b, %c128 : i64
    tile.parallel (%i) in (128) {
      %at = arith.addi %base, %i : i64
      %x = tile.read %a[%at] : !tile.global<?xf32> -> f32
    }
  }
  tile.return
}
// CHECK-LABEL: tile.kernel @multiple
// CHECK: tile.read %{{.*}}[%{{.*}}] {in_bounds}
tile.kernel @multiple(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c128 = arith.constant 128 : i64
  %g = arith.ceildivsi %n, %c128 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%g) threads(128) {
    %rest = arith.remsi %n, %c128 : i64
    %fact = arith.cmpi eq, %rest, %c0 : i64
    tile.assume %fact
    %base = arith.muli %b, %c128 : i64
    tile.parallel (%i) in (128) {
      %at = arith.addi %base, %i : i64
      %x = tile.read %a[%at] : !tile.global<?xf32> -> f32
    }
  }
  tile.return
}

// -----

// A condition is a fact in its branch, and its negation in the other; both ends are needed.
// CHECK-LABEL: tile.kernel @guards
// CHECK: scf.if
// CHECK: tile.read %{{.*}} {in_bounds}
// CHECK: else
// CHECK: tile.read %{{.*}} : !tile.global
// CHECK: scf.if
// CHECK: tile.read %{{.*}} : !tile.global
tile.kernel @guards(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %n: i64, %s: i64) {
  %c0 = arith.constant 0 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    tile.parallel (%i) in (128) {
      %at = arith.addi %i, %s : i64
      %low = arith.cmpi sge, %at, %c0 : i64
      %high = arith.cmpi slt, %at, %n : i64
      %both = arith.andi %low, %high : i1
      scf.if %both {
        %x = tile.read %a[%at] : !tile.global<?xf32> -> f32
      } else {
        %x = tile.read %a[%at] : !tile.global<?xf32> -> f32
      }
      scf.if %high {
        %x = tile.read %a[%at] : !tile.global<?xf32> -> f32
      }
    }
  }
  tile.return
}

// -----

// Windows have bounds of their own; a region needs both corners.
// CHECK-LABEL: tile.kernel @regions
// CHECK: tile.load %{{.*}} {in_bounds}
// CHECK: tile.load %{{.*}} extents [8, 32] :
// CHECK: tile.load %{{.*}} extents [8, 16] :
tile.kernel @regions(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %a = tile.global %A sizes [64, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<64x64xf16>
  tile.grid (%b) in (%c8) threads(128) {
    %row = arith.muli %b, %c8 : i64
    %f = tile.load %a[%row, %c0] extents [8, 64] : !tile.global<64x64xf16> -> !tile.fragment<8x64xf16>
    %c40 = arith.constant 40 : i64
    %g = tile.load %a[%row, %c40] extents [8, 32] : !tile.global<64x64xf16> -> !tile.fragment<8x32xf16>
    %w = tile.window %a[%row, %c0] sizes [8, %n] : !tile.global<64x64xf16> -> !tile.global<8x?xf16>
    %h = tile.load %w[%c0, %c0] extents [8, 16] : !tile.global<8x?xf16> -> !tile.fragment<8x16xf16>
  }
  tile.return
}

// -----

// Unsigned remainders and masks have ranges; a signed one only if its operand has a sign.
// CHECK-LABEL: tile.kernel @ranges
// CHECK: tile.read %{{.*}} {in_bounds}
// CHECK: tile.read %{{.*}} {in_bounds}
// CHECK: tile.read %{{.*}} {in_bounds}
// CHECK: tile.read %{{.*}} : !tile.global
tile.kernel @ranges(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %s: i64) {
  %c1 = arith.constant 1 : i64
  %c15 = arith.constant 15 : i64
  %c16 = arith.constant 16 : i64
  %a = tile.global %A sizes [16] strides [1] : !tile.ptr<f32> -> !tile.global<16xf32>
  tile.grid (%b) in (%c1) threads(128) {
    tile.parallel (%i) in (128) {
      %u = arith.remui %s, %c16 : i64
      %x = tile.read %a[%u] : !tile.global<16xf32> -> f32
      %m = arith.andi %s, %c15 : i64
      %y = tile.read %a[%m] : !tile.global<16xf32> -> f32
      %r = arith.remsi %i, %c16 : i64
      %z = tile.read %a[%r] : !tile.global<16xf32> -> f32
      %q = arith.remsi %s, %c16 : i64
      %w = tile.read %a[%q] : !tile.global<16xf32> -> f32
    }
  }
  tile.return
}

// -----

// A sum that may wrap says nothing about its parts; a sum of what has bounds says it.
// CHECK-LABEL: tile.kernel @wraps
// CHECK: tile.read_scalar %{{.*}}[%{{.*}}] : !tile.global
// CHECK: tile.read_scalar %{{.*}} {tile.in_bounds}
// CHECK: tile.read_scalar %{{.*}} {tile.in_bounds}
// CHECK: tile.read_scalar %{{.*}}[%{{.*}}] : !tile.global
tile.kernel @wraps(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %n: i64, %p: i64, %q: i32) {
  %c0 = arith.constant 0 : i64
  %c3 = arith.constant 3 : i64
  %c7 = arith.constant 7 : i64
  %c8 = arith.constant 8 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  tile.grid (%b) in (%n) threads(128) {
    // p >= 0 and p + 8 <= n, where p + 8 may have wrapped.
    %p8 = arith.addi %p, %c8 : i64
    %p7 = arith.addi %p, %c7 : i64
    %low = arith.cmpi sge, %p, %c0 : i64
    %high = arith.cmpi sle, %p8, %n : i64
    %both = arith.andi %low, %high : i1
    scf.if %both {
      %x = tile.read_scalar %a[%p7] : !tile.global<?xf32> -> f32
    }
    // 8 <= p + 8 <= n: the value that is compared is the index plus 1.
    %low8 = arith.cmpi sge, %p8, %c8 : i64
    %both8 = arith.andi %low8, %high : i1
    scf.if %both8 {
      %x = tile.read_scalar %a[%p7] : !tile.global<?xf32> -> f32
    }
    // An i32 plus 8 does not wrap.
    %w = arith.extsi %q : i32 to i64
    %w8 = arith.addi %w, %c8 : i64
    %w7 = arith.addi %w, %c7 : i64
    %lowW = arith.cmpi sge, %w, %c0 : i64
    %highW = arith.cmpi sle, %w8, %n : i64
    %bothW = arith.andi %lowW, %highW : i1
    scf.if %bothW {
      %x = tile.read_scalar %a[%w7] : !tile.global<?xf32> -> f32
    }
    // A quotient is that of the wrapped sum.
    %t = arith.muli %p, %c8 : i64
    %d = arith.divsi %t, %c8 : i64
    %lowT = arith.cmpi sge, %t, %c0 : i64
    %highT = arith.cmpi slt, %d, %n : i64
    %bothT = arith.andi %lowT, %highT : i1
    scf.if %bothT {
      %x = tile.read_scalar %a[%p] : !tile.global<?xf32> -> f32
    }
  }
  tile.return
}

// -----

// The block indices of a grid that was made linear are below its extents.
// CHECK-LABEL: tile.kernel @decoded
// CHECK: tile.read_scalar %{{.*}} {tile.in_bounds}
tile.kernel @decoded(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %m: i64, %n: i64, %t: i64) {
  %a = tile.global %A sizes [%m, %n] strides [%n, 1] : !tile.ptr<f32> -> !tile.global<?x?xf32>
  tile.grid (%b) in (%t) threads(128) {
    %x:2 = tile.decode %b in (%n, %m)
    %v = tile.read_scalar %a[%x#1, %x#0] : !tile.global<?x?xf32> -> f32
  }
  tile.return
}

// -----

// Copies, fills and atomics of regions: every tensor must be inside whole. With K a multiple of the tile the last tile
// of a row ends with it; the rows may not.
// CHECK-LABEL: tile.kernel @copies
// CHECK: scf.for
// CHECK: tile.copy {{.*}} {tile.in_bounds} : !tile.global<64x?xf16> -> !tile.shared<64x32xf16>
// CHECK: tile.copy {{.*}}extents [64, 32] : !tile.global<?x?xf16>
// CHECK: tile.copy {{.*}}extents [64, 33] : !tile.global<64x?xf16>
// CHECK: tile.copy {{.*}}extents [64, 32] : !tile.global<64x?xf16> -> !tile.global<?x?xf16>
// CHECK: tile.copy {{.*}} {tile.in_bounds} : !tile.shared<64x32xf16> -> !tile.global<64x?xf16>
// CHECK: tile.fill {{.*}} {tile.in_bounds} : !tile.global<64x?xf16>
// CHECK: tile.fill {{.*}}extents [64, 64] : !tile.global<64x?xf16>
// CHECK: tile.atomic_tile {{.*}} {tile.in_bounds} : f16
tile.kernel @copies(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %C: !tile.ptr<f16> {tile.access = #tile.access<inout>},
                    %D: !tile.ptr<f16> {tile.access = #tile.access<inout>}, %m: i64, %k: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %v = arith.constant 1.0 : f16
  %a = tile.global %A sizes [64, %k] strides [%k, 1] : !tile.ptr<f16> -> !tile.global<64x?xf16>
  %c = tile.global %C sizes [%m, %k] strides [%k, 1] : !tile.ptr<f16> -> !tile.global<?x?xf16>
  %d = tile.global %D sizes [64, %k] strides [%k, 1] : !tile.ptr<f16> -> !tile.global<64x?xf16>
  %gx = arith.ceildivsi %m, %c64 : i64
  tile.grid (%b) in (%gx) threads(128) {
    %rest = arith.remsi %k, %c32 : i64
    %whole = arith.cmpi eq, %rest, %c0 : i64
    tile.assume %whole
    %row = arith.muli %b, %c64 : i64
    %s = tile.shared : !tile.shared<64x32xf16>
    %t = tile.shared : !tile.shared<64x33xf16>
    %n = arith.ceildivsi %k, %c32 : i64
    scf.for %ko = %c0 to %n step %c1 : i64 {
      %at = arith.muli %ko, %c32 : i64
      tile.copy %a[%c0, %at] extents [64, 32], %s[%c0, %c0] extents [64, 32] : !tile.global<64x?xf16> -> !tile.shared<64x32xf16>
      tile.copy %c[%row, %at] extents [64, 32], %s[%c0, %c0] extents [64, 32] : !tile.global<?x?xf16> -> !tile.shared<64x32xf16>
      tile.copy %a[%c0, %at] extents [64, 33], %t[%c0, %c0] extents [64, 33] : !tile.global<64x?xf16> -> !tile.shared<64x33xf16>
      tile.copy %a[%c0, %at] extents [64, 32], %c[%row, %at] extents [64, 32] : !tile.global<64x?xf16> -> !tile.global<?x?xf16>
      tile.copy %s[%c0, %c0] extents [64, 32], %d[%c0, %at] extents [64, 32] : !tile.shared<64x32xf16> -> !tile.global<64x?xf16>
      tile.fill %v, %d[%c0, %at] extents [64, 32] : !tile.global<64x?xf16>
      tile.fill %v, %d[%c0, %at] extents [64, 64] : !tile.global<64x?xf16>
      tile.atomic_tile <add> %v, %d[%c0, %at] extents [64, 32] : f16 -> !tile.global<64x?xf16>
    }
  }
  tile.return
}
