// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file | FileCheck %s

#tile2 = #tile.blocked<vector = [1, 1], lanes = [8, 4], warps = [1, 1], reps = [1, 1]>
#row = #tile.rows<#tile2, axis = 1>

// Four lanes hold each element, one of them writes it, and it alone reads what it writes. What nobody writes all read.
// CHECK-LABEL: llvm.func @added
// CHECK: %[[OWNER:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK: llvm.load
// CHECK: llvm.inline_asm {{.*}}@$2 ld.global.b32 {{.*}} %{{.*}}, %[[OWNER]], %{{.*}} : (!llvm.ptr<1>, i1, i32) -> i32
// CHECK: llvm.inline_asm {{.*}}@$1 st.global.b32 {{.*}} %{{.*}}, %[[OWNER]], %{{.*}} : (!llvm.ptr<1>, i1, i32) -> ()
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @added(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f32> {tile.access = #tile.access<inout>}, %n: i64) {
    %a = tile.global %A sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
    %c = tile.global %C sizes [8] strides [1] : !tile.ptr<f32> -> !tile.global<8xf32>
    tile.grid (%b) in (%n) threads(32) {
      tile.parallel (%i) in (8) attributes {layout = #row} {
        %x = tile.read %a[%i] {in_bounds} : !tile.global<8xf32> -> f32
        %y = tile.read %c[%i] {in_bounds} : !tile.global<8xf32> -> f32
        %z = arith.addf %x, %y : f32
        tile.write %z, %c[%i] {in_bounds} : !tile.global<8xf32>
      }
    }
    tile.return
  }
}

// -----

#tile2 = #tile.blocked<vector = [1, 1], lanes = [8, 4], warps = [1, 1], reps = [1, 1]>
#row = #tile.rows<#tile2, axis = 1>

// A loop that waits for what it writes is the owner's, too.
// CHECK-LABEL: llvm.func @awaited
// CHECK: %[[OWNER:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br %[[OWNER]], ^bb[[LOOP:[0-9]+]], ^bb[[END:[0-9]+]]
// CHECK: ^bb[[LOOP]]:
// CHECK: ^bb[[END]]:
// CHECK-NEXT: llvm.return
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @awaited(%C: !tile.ptr<i32> {tile.access = #tile.access<inout>}, %n: i64, %v: i32) {
    %c = tile.global %C sizes [8] strides [1] : !tile.ptr<i32> -> !tile.global<8xi32>
    tile.grid (%b) in (%n) threads(32) {
      tile.parallel (%i) in (8) attributes {layout = #row} {
        scf.while : () -> () {
          %x = tile.read %c[%i] {in_bounds} : !tile.global<8xi32> -> i32
          %low = arith.cmpi slt, %x, %v : i32
          scf.condition(%low)
        } do {
          %x = tile.read %c[%i] {in_bounds} : !tile.global<8xi32> -> i32
          %y = arith.addi %x, %v : i32
          tile.write %y, %c[%i] {in_bounds} : !tile.global<8xi32>
          scf.yield
        }
      }
    }
    tile.return
  }
}
