// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file | FileCheck %s

// An iteration over rows and columns reads the row's value from the one register that holds it.
// CHECK-LABEL: llvm.func @row_value
// CHECK: %[[M:.*]] = llvm.insertelement %arg1
// CHECK-DAG: %[[M0:.*]] = llvm.extractelement %{{.*}}[%{{.*}}] : vector<2xf32>
// CHECK-DAG: %[[M1:.*]] = llvm.extractelement %{{.*}}[%{{.*}}] : vector<2xf32>
// CHECK: llvm.fsub %{{.*}}, %[[A:.*]] : f32
// CHECK: llvm.fsub %{{.*}}, %[[A]] : f32
// CHECK: llvm.fsub %{{.*}}, %[[B:.*]] : f32
// CHECK: llvm.fsub %{{.*}}, %[[B]] : f32
#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 1]>
#row = #tile.rows<#acc, axis = 1>
!F = !tile.fragment<16x8xf32, #acc>
!M = !tile.fragment<16xf32, #row>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @row_value(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !F
      %m = tile.fragment %v : !M
      %g = tile.parallel (%i, %j) in (16, 8) updates(%r = %f : !F) attributes {layout = #acc} {
        %x = tile.read %r[%i, %j] : !tile.fragref<16x8xf32, #acc> -> f32
        %y = tile.read %m[%i] : !M -> f32
        %z = arith.subf %x, %y : f32
        tile.write %z, %r[%i, %j] : !tile.fragref<16x8xf32, #acc>
      }
    }
    tile.return
  }
}

// -----

// A shorter iteration leaves the registers that it does not name.
// CHECK-LABEL: llvm.func @shorter
// CHECK: %[[X0:.*]] = llvm.extractelement %{{.*}} : vector<4xf32>
// CHECK: %[[X1:.*]] = llvm.extractelement %{{.*}} : vector<4xf32>
// CHECK: %[[X2:.*]] = llvm.extractelement %{{.*}} : vector<4xf32>
// CHECK: %[[X3:.*]] = llvm.extractelement %{{.*}} : vector<4xf32>
// CHECK: %[[Y0:.*]] = llvm.fadd %[[X0]], %arg1
// CHECK: %[[Y1:.*]] = llvm.fadd %[[X1]], %arg1
// CHECK: llvm.insertelement %[[Y0]]
// CHECK: llvm.insertelement %[[Y1]]
// CHECK: llvm.insertelement %[[X2]]
// CHECK: llvm.insertelement %[[X3]]
#whole = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [4]>
#half = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [2]>
!F = !tile.fragment<128xf32, #whole>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @shorter(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !F
      %g = tile.parallel (%i) in (64) updates(%r = %f : !F) attributes {layout = #half} {
        tile.update <add> %v, %r[%i] : !tile.fragref<128xf32, #whole>
      }
    }
    tile.return
  }
}

// -----

// Updates of one element by several iterations of a thread all count, one after the other.
// CHECK-LABEL: llvm.func @all_count
// CHECK: %[[X:.*]] = llvm.extractelement %{{.*}} : vector<1xf32>
// CHECK: %[[Y:.*]] = llvm.fadd %[[X]], %arg1
// CHECK: %[[Z:.*]] = llvm.fadd %[[Y]], %arg1
// CHECK: llvm.insertelement %[[Z]]
#tile2 = #tile.blocked<vector = [1, 2], lanes = [32, 1], warps = [1, 1], reps = [1, 1]>
#row = #tile.rows<#tile2, axis = 1>
!M = !tile.fragment<32xf32, #row>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @all_count(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !M
      %g = tile.parallel (%i, %j) in (32, 2) updates(%r = %f : !M) attributes {layout = #tile2} {
        tile.update <add> %v, %r[%i] : !tile.fragref<32xf32, #row>
      }
    }
    tile.return
  }
}

// -----

// The same under a condition, element by element.
// CHECK-LABEL: llvm.func @conditions
// CHECK: llvm.cond_br
// CHECK: llvm.fadd
// CHECK: llvm.br ^[[JOIN:.*]](
// CHECK: ^[[JOIN]](%[[FIRST:.*]]: f32):
// CHECK: llvm.cond_br
// CHECK: llvm.fadd %{{.*}}, %arg1
#tile2 = #tile.blocked<vector = [1, 2], lanes = [32, 1], warps = [1, 1], reps = [1, 1]>
#row = #tile.rows<#tile2, axis = 1>
!M = !tile.fragment<32xf32, #row>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @conditions(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !M
      %g = tile.parallel (%i, %j) in (32, 2) updates(%r = %f : !M) attributes {layout = #tile2} {
        %c = arith.cmpi slt, %i, %n : i64
        scf.if %c {
          tile.update <add> %v, %r[%i] : !tile.fragref<32xf32, #row>
        }
      }
    }
    tile.return
  }
}
