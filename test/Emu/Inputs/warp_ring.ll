; C = A - 2 * B, in rows of 64 that are turned round: a warp copies with cp.async and hands on by named barriers, the
; other computes. Of 640 elements a block has 5 rows. Stage s of two is at byte 512 * s: a row of A, then one of B.
; Barrier 1 + s says that stage s is full, barrier 3 + s that it is empty; both are for 64 threads, of which one warp
; arrives and the other waits. The last row is copied 4 bytes at a time, the two floats of each pair exchanged, and
; waited for with wait_all.
;
; The numbers that are right are in HandWritten.cpp.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@stages = external addrspace(3) global [0 x i8], align 1024

define ptx_kernel void @warp_ring(ptr addrspace(1) %A, ptr addrspace(1) %B, ptr addrspace(1) %C) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %lane = and i32 %tid, 31
  %first = mul i32 %block, 320
  %lane_byte = shl i32 %lane, 3
  %lane_offset = zext i32 %lane_byte to i64
  %copies = icmp ult i32 %tid, 32
  br i1 %copies, label %produce, label %consume

; Two floats a lane of each tensor.
produce:
  %row = phi i32 [ 0, %entry ], [ %row_next, %handed_on ]
  %stage = and i32 %row, 1
  %old = icmp sge i32 %row, 2
  br i1 %old, label %wait_empty, label %fill

wait_empty:
  %empty = add i32 %stage, 3
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %empty, i32 64)
  br label %fill

fill:
  %row_start = shl i32 %row, 6
  %lane_start = shl i32 %lane, 1
  %in_block = add i32 %row_start, %lane_start
  %index = add i32 %in_block, %first
  %index_word = zext i32 %index to i64
  %a_from = getelementptr float, ptr addrspace(1) %A, i64 %index_word
  %b_from = getelementptr float, ptr addrspace(1) %B, i64 %index_word
  %stage_byte = shl i32 %stage, 9
  %stage_offset = zext i32 %stage_byte to i64
  %stage_place = getelementptr i8, ptr addrspace(3) @stages, i64 %stage_offset
  %a_to = getelementptr i8, ptr addrspace(3) %stage_place, i64 %lane_offset
  %b_to = getelementptr i8, ptr addrspace(3) %a_to, i64 256
  %is_last = icmp eq i32 %row, 4
  br i1 %is_last, label %words, label %pairs

pairs:
  call void asm sideeffect "/* tile:81 */ cp.async.ca.shared.global [$0], [$1], 8;", "l,l"(ptr addrspace(3) %a_to, ptr addrspace(1) %a_from)
  call void asm sideeffect "/* tile:81 */ cp.async.ca.shared.global [$0], [$1], 8;", "l,l"(ptr addrspace(3) %b_to, ptr addrspace(1) %b_from)
  call void asm sideeffect "/* tile:86 */ cp.async.commit_group;", ""()
  call void asm sideeffect "/* tile:90 */ cp.async.wait_group 0;", ""()
  br label %handed_on

words:
  %a_to_1 = getelementptr i8, ptr addrspace(3) %a_to, i64 4
  %b_to_1 = getelementptr i8, ptr addrspace(3) %b_to, i64 4
  %a_from_1 = getelementptr i8, ptr addrspace(1) %a_from, i64 4
  %b_from_1 = getelementptr i8, ptr addrspace(1) %b_from, i64 4
  call void asm sideeffect "/* tile:80 */ cp.async.ca.shared.global [$0], [$1], 4;", "l,l"(ptr addrspace(3) %a_to, ptr addrspace(1) %a_from_1)
  call void asm sideeffect "/* tile:80 */ cp.async.ca.shared.global [$0], [$1], 4;", "l,l"(ptr addrspace(3) %a_to_1, ptr addrspace(1) %a_from)
  call void asm sideeffect "/* tile:80 */ cp.async.ca.shared.global [$0], [$1], 4;", "l,l"(ptr addrspace(3) %b_to, ptr addrspace(1) %b_from_1)
  call void asm sideeffect "/* tile:80 */ cp.async.ca.shared.global [$0], [$1], 4;", "l,l"(ptr addrspace(3) %b_to_1, ptr addrspace(1) %b_from)
  call void asm sideeffect "/* tile:87 */ cp.async.wait_all;", ""()
  br label %handed_on

handed_on:
  %full = add i32 %stage, 1
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 %full, i32 64)
  %row_next = add i32 %row, 1
  %more = icmp slt i32 %row_next, 5
  br i1 %more, label %produce, label %end

consume:
  %c_row = phi i32 [ 0, %entry ], [ %c_row_next, %consume ]
  %c_stage = and i32 %c_row, 1
  %c_full = add i32 %c_stage, 1
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %c_full, i32 64)
  ; The row is turned round: the pair of lane 31 - lane, its two elements exchanged.
  %mirror = xor i32 %lane, 31
  %mirror_byte = shl i32 %mirror, 3
  %mirror_offset = zext i32 %mirror_byte to i64
  %c_stage_byte = shl i32 %c_stage, 9
  %c_stage_offset = zext i32 %c_stage_byte to i64
  %c_stage_place = getelementptr i8, ptr addrspace(3) @stages, i64 %c_stage_offset
  %a_place = getelementptr i8, ptr addrspace(3) %c_stage_place, i64 %mirror_offset
  %b_place = getelementptr i8, ptr addrspace(3) %a_place, i64 256
  %a = load <2 x float>, ptr addrspace(3) %a_place, align 8
  %b = load <2 x float>, ptr addrspace(3) %b_place, align 8
  %c_empty = add i32 %c_stage, 3
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 %c_empty, i32 64)
  %b_twice = fadd <2 x float> %b, %b
  %pair = fsub <2 x float> %a, %b_twice
  %turned = shufflevector <2 x float> %pair, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %c_row_start = shl i32 %c_row, 6
  %c_lane_start = shl i32 %lane, 1
  %c_in_block = add i32 %c_row_start, %c_lane_start
  %c_index = add i32 %c_in_block, %first
  %c_word = zext i32 %c_index to i64
  %c_place = getelementptr float, ptr addrspace(1) %C, i64 %c_word
  store <2 x float> %turned, ptr addrspace(1) %c_place, align 8
  %c_row_next = add i32 %c_row, 1
  %c_more = icmp slt i32 %c_row_next, 5
  br i1 %c_more, label %consume, label %end

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)

attributes #0 = { "nvvm.reqntid"="64,1,1" }
