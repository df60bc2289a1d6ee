// RUN: tile-opt %s --loop-invariant-code-motion | FileCheck %s

// A loop over elements that only computes leaves a loop that does not change its operands; one that reads what the
// loop writes stays, and so does what may be undefined.

// CHECK-LABEL: func @hoist
// CHECK: tile.parallel
// CHECK: scf.for
func.func @hoist(%f: !tile.fragment<128xf32>, %v: f32, %n: i64) -> !tile.fragment<128xf32> {
  %r = scf.for %k = %n to %n step %n iter_args(%c = %f) -> (!tile.fragment<128xf32>) : i64 {
    %h = tile.parallel (%i) in (128) updates(%a = %f : !tile.fragment<128xf32>) {
      %w = arith.mulf %v, %v : f32
      tile.write %w, %a[%i] {in_bounds} : !tile.fragref<128xf32>
    }
    scf.yield %h : !tile.fragment<128xf32>
  }
  return %r : !tile.fragment<128xf32>
}

// An index that is not proved inside may be undefined, and the loop may run no iteration.
// CHECK-LABEL: func @unproved
// CHECK: scf.for
// CHECK: tile.parallel
func.func @unproved(%f: !tile.fragment<128xf32>, %v: f32, %n: i64) -> !tile.fragment<128xf32> {
  %r = scf.for %k = %n to %n step %n iter_args(%c = %f) -> (!tile.fragment<128xf32>) : i64 {
    %h = tile.parallel (%i) in (128) updates(%a = %f : !tile.fragment<128xf32>) {
      tile.write %v, %a[%i] : !tile.fragref<128xf32>
    }
    scf.yield %h : !tile.fragment<128xf32>
  }
  return %r : !tile.fragment<128xf32>
}

// CHECK-LABEL: func @keep
// CHECK: scf.for
// CHECK: tile.parallel
func.func @keep(%s: !tile.shared<128xf32>, %f: !tile.fragment<128xf32>, %v: f32, %n: i64) -> !tile.fragment<128xf32> {
  %r = scf.for %k = %n to %n step %n iter_args(%c = %f) -> (!tile.fragment<128xf32>) : i64 {
    %h = tile.parallel (%i) in (128) updates(%a = %f : !tile.fragment<128xf32>) {
      %w = tile.read %s[%i] : !tile.shared<128xf32> -> f32
      tile.write %w, %a[%i] : !tile.fragref<128xf32>
    }
    tile.write_scalar %v, %s[%k] : !tile.shared<128xf32>
    scf.yield %h : !tile.fragment<128xf32>
  }
  return %r : !tile.fragment<128xf32>
}

// CHECK-LABEL: func @slice
// CHECK: scf.for
// CHECK: tile.extract_slice
func.func @slice(%f: !tile.fragment<128xf32>, %n: i64) {
  scf.for %k = %n to %n step %n : i64 {
    %s = tile.extract_slice %f[%n] extents [16] : !tile.fragment<128xf32> -> !tile.fragment<16xf32>
    %x = tile.read_scalar %s[%n] : !tile.fragment<16xf32> -> f32
    tile.print "x"(%x : f32)
  }
  return
}
