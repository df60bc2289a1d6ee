// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file | FileCheck %s

// Both operands have k in a row: matrices of whole rows. B of a step comes first, two pieces at once, then A. The second
// step is 32 bytes further, which flips one bit of the swizzled address.
// CHECK-LABEL: llvm.func @along_k
// CHECK: %[[B:.*]] = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"(%[[PB:.*]]) : (!llvm.ptr<3>)
// CHECK: %[[A:.*]] = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
// CHECK-SAME: (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32)
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
// CHECK: %[[BIT:.*]] = llvm.mlir.constant(32 : i32)
// CHECK-NEXT: llvm.xor %{{.*}}, %[[BIT]]
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
// CHECK-NOT: llvm.call_intrinsic
#acc = #tile.mma<acc, bits = 32, warps = [2, 1], reps = [1, 2]>
!A = !tile.shared<32x32xf16, #tile.panels<32, sw64>>
!B = !tile.shared<16x32xf16, #tile.panels<32, sw64>>
!C = !tile.fragment<32x16xf32, #acc>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @along_k(%n: i64) {
    tile.grid (%b) in (%n) threads(64) {
      %a = tile.shared {offset = 0 : i64} : !A
      %bt = tile.shared {offset = 2048 : i64} : !B
      %c = tile.gemm %a, %bt {trans_b, instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>} : !A, !B -> !C
    }
    tile.return
  }
}

// -----

// Operands that lie across k are transposed as they are loaded.
// CHECK-LABEL: llvm.func @across_k
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3"
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3"
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.bf16"
// CHECK-SAME: (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32)
#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 1]>
!A = !tile.shared<16x16xbf16, #tile.strided<[24, 1]>>
!B = !tile.shared<16x8xbf16, #tile.strided<[8, 1]>>
!C = !tile.fragment<16x8xf32, #acc>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @across_k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      %at = tile.shared {offset = 0 : i64} : !A
      %w = tile.shared {offset = 1024 : i64} : !B
      %c = tile.gemm %at, %w {trans_a, instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = bf16, b = bf16, acc = f32>} : !A, !B -> !C
    }
    tile.return
  }
}

// -----

// Rows that are not whole multiples of 16 bytes are read word by word, columns beyond the tile inside of it, and what is
// beyond k is zero in both operands: k = 5 ends in the second pair of the third lane's word.
// CHECK-LABEL: llvm.func @ends
// CHECK: llvm.mlir.constant(7 : i32)
// CHECK-NEXT: %[[G:.*]] = llvm.and
// CHECK-NEXT: %[[LAST:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: llvm.intr.umin(%[[G]], %[[LAST]])
// CHECK-NOT: ldmatrix
// CHECK: %[[WORD:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
// CHECK: %[[HALF:.*]] = llvm.mlir.constant(65535 : i32)
// CHECK: %[[CUT:.*]] = llvm.and %{{.*}}, %[[HALF]]
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: %[[IS:.*]] = llvm.icmp "eq" %{{.*}}, %[[FOUR]]
// CHECK: %[[ONE:.*]] = llvm.select %[[IS]], %[[CUT]]
// CHECK: %[[FIVE:.*]] = llvm.mlir.constant(5 : i32)
// CHECK: %[[IN:.*]] = llvm.icmp "ult" %{{.*}}, %[[FIVE]]
// CHECK: llvm.select %[[IN]], %[[ONE]], %{{.*}} : i1, i32
// CHECK: llvm.icmp "eq"
// CHECK: llvm.icmp "ult"
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f16.f16"
// CHECK-NOT: llvm.nvvm.mma
#acc = #tile.mma<acc, bits = 16, warps = [1, 1], reps = [1, 1]>
!A = !tile.shared<16x5xf16, #tile.strided<[6, 1]>>
!B = !tile.shared<3x5xf16, #tile.strided<[6, 1]>>
!C = !tile.fragment<16x3xf16, #acc>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @ends(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      %a = tile.shared {offset = 0 : i64} : !A
      %bt = tile.shared {offset = 1024 : i64} : !B
      %c = tile.gemm %a, %bt {trans_b, instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f16>} : !A, !B -> !C
    }
    tile.return
  }
}

// -----

// Bytes across k have no transposing load: a word is put together.
// CHECK-LABEL: llvm.func @bytes
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.s8.u8"
#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 1]>
!A = !tile.shared<16x32xi8, #tile.panels<32, sw32>>
!B = !tile.shared<32x8xui8, #tile.strided<[8, 1]>>
!C = !tile.fragment<16x8xi32, #acc>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @bytes(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      %a = tile.shared {offset = 0 : i64} : !A
      %w = tile.shared {offset = 1024 : i64} : !B
      %c = tile.gemm %a, %w {instr = #tile.instr<mma, m = 16, n = 8, k = 32, a = i8, b = ui8, acc = i32>} : !A, !B -> !C
    }
    tile.return
  }
}

// -----

// An accumulator becomes an operand: no element moves, pairs are rounded together.
// CHECK-LABEL: llvm.func @chain
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rn"
// CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3"
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
// CHECK-NOT: ldmatrix
#p = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 2]>
#a = #tile.mma<a, bits = 16, warps = [1, 1], reps = [1, 1]>
#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 1]>
!P = !tile.fragment<16x16xf32, #p>
!A = !tile.fragment<16x16xf16, #a>
!B = !tile.shared<8x16xf16, #tile.panels<16, sw32>>
!C = !tile.fragment<16x8xf32, #acc>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @chain(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %p = tile.fragment %v : !P
      %a = tile.convert %p : !P -> !A
      %bt = tile.shared {offset = 0 : i64} : !B
      %c = tile.fragment %v : !C
      %d = tile.gemm %a, %bt acc(%c) {trans_b, instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>} : !A, !B -> !C
    }
    tile.return
  }
}

// -----

// f64 has pieces of 8 x 8 x 4, one element a lane.
// CHECK-LABEL: llvm.func @doubles
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> f64
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> f64
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m8n8k4.row.col.f64"({{.*}}) : (f64, f64, f64, f64)
#acc = #tile.mma<acc, bits = 64, warps = [1, 1], reps = [1, 1]>
!A = !tile.shared<8x4xf64, #tile.strided<[4, 1]>>
!B = !tile.shared<4x8xf64, #tile.strided<[8, 1]>>
!C = !tile.fragment<8x8xf64, #acc>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @doubles(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      %a = tile.shared {offset = 0 : i64} : !A
      %w = tile.shared {offset = 1024 : i64} : !B
      %c = tile.gemm %a, %w {instr = #tile.instr<mma, m = 8, n = 8, k = 4, a = f64, b = f64, acc = f64>} : !A, !B -> !C
    }
    tile.return
  }
}

// -----

// Many steps are a loop over four of them, here 16 times; what is left over follows it: 65 steps of 8 products.
// CHECK-LABEL: llvm.func @long
// CHECK: %[[END:.*]] = llvm.mlir.constant(1024 : i32)
// CHECK: %[[BY:.*]] = llvm.mlir.constant(64 : i32)
// CHECK: llvm.icmp "slt" %{{.*}}, %[[END]]
// CHECK: llvm.cond_br
// CHECK-COUNT-32: llvm.nvvm.mma.m16n8k16
// CHECK: llvm.add %{{.*}}, %[[BY]]
// CHECK: llvm.br
// CHECK-COUNT-8: llvm.nvvm.mma.m16n8k16
// CHECK-NOT: llvm.nvvm.mma
#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [2, 4]>
!A = !tile.shared<32x1040xf16, #tile.panels<64, sw128>>
!B = !tile.shared<32x1040xf16, #tile.panels<64, sw128>>
!C = !tile.fragment<32x32xf32, #acc>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_90a">} {
  tile.kernel @long(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      %a = tile.shared {offset = 0 : i64} : !A
      %bt = tile.shared {offset = 69632 : i64} : !B
      %c = tile.gemm %a, %bt {trans_b, instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>} : !A, !B -> !C
    }
    tile.return
  }
}

// -----

// Multiply-add: four steps of k at once, one access a row of A; in f32, rounded once at the end.
// CHECK-LABEL: llvm.func @multiply_add
// CHECK: %[[C:.*]] = llvm.fpext %{{.*}} : f16 to f32
// CHECK: llvm.cond_br
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
// CHECK: llvm.fpext %{{.*}} : f16 to f32
// CHECK-COUNT-4: llvm.intr.fma(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, f32, f32) -> f32
// CHECK: llvm.br
// CHECK: llvm.fptrunc %{{.*}} : f32 to f16
#acc = #tile.blocked<vector = [1, 1], lanes = [4, 8], warps = [1, 1], reps = [1, 1]>
!A = !tile.shared<4x8xf16, #tile.strided<[8, 1]>>
!B = !tile.shared<8x8xf16, #tile.strided<[8, 1]>>
!C = !tile.fragment<4x8xf16, #acc>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @multiply_add(%n: i64, %v: f16) {
    tile.grid (%b) in (%n) threads(32) {
      %a = tile.shared {offset = 0 : i64} : !A
      %w = tile.shared {offset = 64 : i64} : !B
      %c = tile.fragment %v : !C
      %d = tile.gemm %a, %w acc(%c) {instr = #tile.instr<fma, m = 1, n = 1, k = 1, a = f16, b = f16, acc = f16>} : !A, !B -> !C
    }
    tile.return
  }
}
