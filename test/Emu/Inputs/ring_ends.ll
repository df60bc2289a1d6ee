; C[t] = the sum of A[tile][63 - t] * B[tile][t] over six tiles of 64 floats, for each of two blocks: a ring of four
; stages whose first three copies and last three waits are written out, as a compiler that unrolls both ends of a loop
; leaves them. Stage s is at byte 512 * s: a tile of A, then one of B. The first half warp copies A, the second B; the
; others have empty groups.
;
; The numbers that are right are in HandWritten.cpp.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@ring = external addrspace(3) global [0 x i8], align 1024

define ptx_kernel void @ring_ends(ptr addrspace(1) %A, ptr addrspace(1) %B, ptr addrspace(1) %C) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %copies = icmp ult i32 %tid, 32
  %copies_a = icmp ult i32 %tid, 16
  %chunk = and i32 %tid, 15
  %chunk_start = shl i32 %chunk, 2
  %block_start = mul i32 %block, 384
  %from_index = add i32 %block_start, %chunk_start
  %from_word = zext i32 %from_index to i64
  %from_base = select i1 %copies_a, ptr addrspace(1) %A, ptr addrspace(1) %B
  %from = getelementptr float, ptr addrspace(1) %from_base, i64 %from_word
  %to_byte = shl i32 %tid, 4
  %to_word = zext i32 %to_byte to i64
  %to = getelementptr i8, ptr addrspace(3) @ring, i64 %to_word
  %mirror = xor i32 %tid, 63
  %a_byte = shl i32 %mirror, 2
  %a_word = zext i32 %a_byte to i64
  %a_in = getelementptr i8, ptr addrspace(3) @ring, i64 %a_word
  %b_byte = shl i32 %tid, 2
  %b_word = zext i32 %b_byte to i64
  %b_in = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @ring, i64 256), i64 %b_word
  br i1 %copies, label %copy0, label %copied0

copy0:
  call void asm sideeffect "/* tile:82 */ cp.async.cg.shared.global [$0], [$1], 16;", "l,l"(ptr addrspace(3) %to, ptr addrspace(1) %from)
  br label %copied0

copied0:
  call void asm sideeffect "/* tile:86 */ cp.async.commit_group;", ""()
  br i1 %copies, label %copy1, label %copied1

copy1:
  %from1 = getelementptr float, ptr addrspace(1) %from, i64 64
  %to1 = getelementptr i8, ptr addrspace(3) %to, i64 512
  call void asm sideeffect "/* tile:82 */ cp.async.cg.shared.global [$0], [$1], 16;", "l,l"(ptr addrspace(3) %to1, ptr addrspace(1) %from1)
  br label %copied1

copied1:
  call void asm sideeffect "/* tile:86 */ cp.async.commit_group;", ""()
  br i1 %copies, label %copy2, label %copied2

copy2:
  %from2 = getelementptr float, ptr addrspace(1) %from, i64 128
  %to2 = getelementptr i8, ptr addrspace(3) %to, i64 1024
  call void asm sideeffect "/* tile:82 */ cp.async.cg.shared.global [$0], [$1], 16;", "l,l"(ptr addrspace(3) %to2, ptr addrspace(1) %from2)
  br label %copied2

copied2:
  call void asm sideeffect "/* tile:86 */ cp.async.commit_group;", ""()
  br label %loop

loop:
  %tile = phi i32 [ 0, %copied2 ], [ %tile_next, %refilled ]
  %sum = phi float [ 0.0, %copied2 ], [ %sum_next, %refilled ]
  call void asm sideeffect "/* tile:92 */ cp.async.wait_group 2;", ""()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %copies, label %refill, label %refilled

refill:
  %ahead = add i32 %tile, 3
  %ahead_start = shl i32 %ahead, 6
  %ahead_word = zext i32 %ahead_start to i64
  %ahead_from = getelementptr float, ptr addrspace(1) %from, i64 %ahead_word
  %ahead_stage = and i32 %ahead, 3
  %ahead_byte = shl i32 %ahead_stage, 9
  %ahead_offset = zext i32 %ahead_byte to i64
  %ahead_to = getelementptr i8, ptr addrspace(3) %to, i64 %ahead_offset
  call void asm sideeffect "/* tile:82 */ cp.async.cg.shared.global [$0], [$1], 16;", "l,l"(ptr addrspace(3) %ahead_to, ptr addrspace(1) %ahead_from)
  br label %refilled

refilled:
  call void asm sideeffect "/* tile:86 */ cp.async.commit_group;", ""()
  %stage_byte = shl i32 %tile, 9
  %stage_offset = zext i32 %stage_byte to i64
  %a_place = getelementptr i8, ptr addrspace(3) %a_in, i64 %stage_offset
  %b_place = getelementptr i8, ptr addrspace(3) %b_in, i64 %stage_offset
  %a = load float, ptr addrspace(3) %a_place, align 4
  %b = load float, ptr addrspace(3) %b_place, align 4
  %product = fmul float %a, %b
  %sum_next = fadd float %sum, %product
  %tile_next = add i32 %tile, 1
  %more = icmp slt i32 %tile_next, 3
  br i1 %more, label %loop, label %drain

; Tiles 3, 4 and 5, in stages 3, 0 and 1.
drain:
  call void asm sideeffect "/* tile:92 */ cp.async.wait_group 2;", ""()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a_place3 = getelementptr i8, ptr addrspace(3) %a_in, i64 1536
  %b_place3 = getelementptr i8, ptr addrspace(3) %b_in, i64 1536
  %a3 = load float, ptr addrspace(3) %a_place3, align 4
  %b3 = load float, ptr addrspace(3) %b_place3, align 4
  %product3 = fmul float %a3, %b3
  %sum3 = fadd float %sum_next, %product3
  call void asm sideeffect "/* tile:91 */ cp.async.wait_group 1;", ""()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a4 = load float, ptr addrspace(3) %a_in, align 4
  %b4 = load float, ptr addrspace(3) %b_in, align 4
  %product4 = fmul float %a4, %b4
  %sum4 = fadd float %sum3, %product4
  call void asm sideeffect "/* tile:90 */ cp.async.wait_group 0;", ""()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a_place5 = getelementptr i8, ptr addrspace(3) %a_in, i64 512
  %b_place5 = getelementptr i8, ptr addrspace(3) %b_in, i64 512
  %a5 = load float, ptr addrspace(3) %a_place5, align 4
  %b5 = load float, ptr addrspace(3) %b_place5, align 4
  %product5 = fmul float %a5, %b5
  %sum5 = fadd float %sum4, %product5
  %c_block = shl i32 %block, 6
  %c_index = add i32 %c_block, %tid
  %c_word = zext i32 %c_index to i64
  %c_place = getelementptr float, ptr addrspace(1) %C, i64 %c_word
  store float %sum5, ptr addrspace(1) %c_place, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

attributes #0 = { "nvvm.reqntid"="64,1,1" }
