// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file | FileCheck %s

!F = !tile.fragment<64xf32, #tile.blocked<vector = [1], lanes = [32], warps = [2], reps = [1]>>
!R = !tile.fragref<64xf32, #tile.blocked<vector = [1], lanes = [32], warps = [2], reps = [1]>>
#L = #tile.blocked<vector = [1], lanes = [32], warps = [2], reps = [1]>

// A fragment is a vector of what the thread holds; a loop carries it. An element that a condition writes is the
// condition's result.
// CHECK-LABEL: llvm.func @carried
// CHECK: llvm.br ^bb[[HEAD:[0-9]+]](%{{.*}}, %[[INIT:.*]] : i64, vector<1xf32>)
// CHECK: ^bb[[HEAD]](%{{.*}}: i64, %[[F:.*]]: vector<1xf32>):
// CHECK: %[[X:.*]] = llvm.extractelement %[[F]]
// CHECK: llvm.cond_br %{{.*}}, ^bb[[THEN:[0-9]+]], ^bb[[ELSE:[0-9]+]]
// CHECK: ^bb[[THEN]]:
// CHECK: %[[Y:.*]] = llvm.fadd %[[X]],
// CHECK: llvm.br ^bb[[JOIN:[0-9]+]](%[[Y]] : f32)
// CHECK: ^bb[[ELSE]]:
// CHECK: llvm.br ^bb[[JOIN]](%[[X]] : f32)
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @carried(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c = tile.global %C sizes [64] strides [1] : !tile.ptr<f32> -> !tile.global<64xf32>
    tile.grid (%b) in (%n) threads(64) {
      %f = tile.fragment %v : !F
      %g = scf.for %k = %c0 to %n step %c1 iter_args(%h = %f) -> (!F) : i64 {
        %p = tile.parallel (%i) in (64) updates(%r = %h : !F) attributes {layout = #L} {
          %low = arith.cmpi slt, %i, %k : i64
          scf.if %low {
            %x = tile.read %r[%i] : !R -> f32
            %y = arith.addf %x, %v : f32
            tile.write %y, %r[%i] : !R
          }
        }
        scf.yield %p : !F
      }
      tile.store %g, %c[%c0] extents [64] {in_bounds} : !F -> !tile.global<64xf32>
    }
    tile.return
  }
}

// -----

// An element that does not exist must not loop on values that nobody defined: the loop stands under its existence.
#L = #tile.blocked<vector = [1], lanes = [32], warps = [2], reps = [1]>
// CHECK-LABEL: llvm.func @exists
// CHECK: %[[E:.*]] = llvm.icmp "ult" %{{.*}} : i32
// CHECK: llvm.cond_br %[[E]], ^bb[[THEN:[0-9]+]],
// CHECK: ^bb[[THEN]]:
// CHECK: llvm.br ^bb[[HEAD:[0-9]+]](
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @exists(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %a = tile.global %A sizes [40, %n] strides [%n, 1] : !tile.ptr<f32> -> !tile.global<40x?xf32>
    %c = tile.global %C sizes [40] strides [1] : !tile.ptr<f32> -> !tile.global<40xf32>
    tile.grid (%b) in (%n) threads(64) {
      tile.parallel (%i) in (40) attributes {layout = #L} {
        %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %v) -> (f32) : i64 {
          %x = tile.read %a[%i, %k] {in_bounds} : !tile.global<40x?xf32> -> f32
          %y = arith.addf %t, %x : f32
          scf.yield %y : f32
        }
        tile.write %s, %c[%i] {in_bounds} : !tile.global<40xf32>
      }
    }
    tile.return
  }
}

// -----

// Block numbers are taken apart in 32 bits, x fastest.
// CHECK-LABEL: llvm.func @decode
// CHECK: %[[T:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.x"()
// CHECK: llvm.urem %{{.*}}, %[[GX:.*]] : i32
// CHECK: llvm.udiv %{{.*}}, %[[GX]] : i32
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @decode(%C: !tile.ptr<i64> {tile.access = #tile.access<out>}, %t: i64, %gx: i64, %gy: i64) {
    %c = tile.global %C sizes [%gx] strides [1] : !tile.ptr<i64> -> !tile.global<?xi64>
    tile.grid (%b) in (%t) threads(32) {
      %x, %y = tile.decode %b in (%gx, %gy)
      tile.write_scalar %y, %c[%x] : !tile.global<?xi64>
    }
    tile.return
  }
}

// -----

// The place and the text of an assertion; every percent sign of a text is doubled. A print is made by one thread.
// CHECK-DAG: llvm.mlir.global internal constant @tilec_text{{[0-9]+}}("{{.*}}control.mlir:{{[0-9]+}}: assertion failed: 100%% sure\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @tilec_text{{[0-9]+}}("at %llu %.9g %s\0A\00")
// CHECK-LABEL: llvm.func @effects
// CHECK: llvm.call @vprintf
// CHECK: llvm.call_intrinsic "llvm.trap"
// CHECK: llvm.call @vprintf
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @effects(%n: i64, %c: i1, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      tile.assert %c, "100% sure"
      tile.print "at"(%b, %v, %c : i64, f32, i1) {is_unsigned = array<i1: true, false, false>}
      tile.barrier
    }
    tile.return
  }
}

// -----

// A choice between two fragments is one between the vectors.
!F = !tile.fragment<64xf32, #tile.blocked<vector = [2], lanes = [32], warps = [1], reps = [1]>>
// CHECK-LABEL: llvm.func @chosen
// CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, vector<2xf32>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @chosen(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64, %v: f32, %w: f32) {
    %c0 = arith.constant 0 : i64
    %c = tile.global %C sizes [64] strides [1] : !tile.ptr<f32> -> !tile.global<64xf32>
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !F
      %g = tile.fragment %w : !F
      %first = arith.cmpi eq, %b, %c0 : i64
      %h = arith.select %first, %f, %g : !F
      tile.store %h, %c[%c0] extents [64] {in_bounds} : !F -> !tile.global<64xf32>
    }
    tile.return
  }
}
