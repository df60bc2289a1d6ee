; C[16, 32] = A[16, 36] * B[36, 32] in f32, a block for 16 columns, by a ring of three stages that cp.async fills two
; iterations ahead: one wait and one barrier an iteration. Stage s has a tile of A (16 rows of 8) at byte 1024 * s
; and one of B (8 rows of 16) 512 bytes after it. Rows of K past the 36th are filled with zeros. A warp copies A,
; the other B, 16 bytes a thread; a thread computes four neighbours of a row of C.
;
; The numbers that are right are in HandWritten.cpp.

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@ring = external addrspace(3) global [0 x i8], align 1024

define ptx_kernel void @ring_gemm(ptr addrspace(1) %A, ptr addrspace(1) %B, ptr addrspace(1) %C) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ; What the thread copies of a tile: chunk `lane` of 32.
  %lane = and i32 %tid, 31
  %copies_a = icmp ult i32 %tid, 32
  %a_row = lshr i32 %lane, 1
  %a_half = and i32 %lane, 1
  %a_column = shl i32 %a_half, 2
  %a_start = mul i32 %a_row, 36
  %a_from = add i32 %a_start, %a_column
  %b_row = lshr i32 %lane, 2
  %b_quarter = and i32 %lane, 3
  %b_column = shl i32 %b_quarter, 2
  %b_start = shl i32 %b_row, 5
  %b_block = shl i32 %block, 4
  %b_in_row = add i32 %b_block, %b_column
  %b_from = add i32 %b_start, %b_in_row
  %from_index = select i1 %copies_a, i32 %a_from, i32 %b_from
  %from_base = select i1 %copies_a, ptr addrspace(1) %A, ptr addrspace(1) %B
  %from_word = sext i32 %from_index to i64
  %from = getelementptr float, ptr addrspace(1) %from_base, i64 %from_word
  ; Floats that the source moves on by in a tile, and the row of K at which the chunk begins.
  %step = select i1 %copies_a, i32 8, i32 256
  %k_first = select i1 %copies_a, i32 %a_column, i32 %b_row
  %to_byte = shl i32 %tid, 4
  %to_word = zext i32 %to_byte to i64
  %to = getelementptr i8, ptr addrspace(3) @ring, i64 %to_word
  ; What it computes.
  %row = lshr i32 %tid, 2
  %quarter = and i32 %tid, 3
  %column = shl i32 %quarter, 2
  %row_byte = shl i32 %row, 5
  %column_byte = shl i32 %column, 2
  %b_read = add i32 %column_byte, 512
  br label %fill

; Tiles 0 and 1.
fill:
  %t = phi i32 [ 0, %entry ], [ %t_next, %fill ]
  %fill_step = mul i32 %t, %step
  %fill_word = sext i32 %fill_step to i64
  %fill_from = getelementptr float, ptr addrspace(1) %from, i64 %fill_word
  %fill_byte = shl i32 %t, 10
  %fill_offset = zext i32 %fill_byte to i64
  %fill_to = getelementptr i8, ptr addrspace(3) %to, i64 %fill_offset
  call void asm sideeffect "/* tile:82 */ cp.async.cg.shared.global [$0], [$1], 16;", "l,l"(ptr addrspace(3) %fill_to, ptr addrspace(1) %fill_from)
  call void asm sideeffect "/* tile:86 */ cp.async.commit_group;", ""()
  %t_next = add i32 %t, 1
  %fill_more = icmp slt i32 %t_next, 2
  br i1 %fill_more, label %fill, label %loop

loop:
  %tile = phi i32 [ 0, %fill ], [ %tile_next, %computed ]
  %sum = phi <4 x float> [ zeroinitializer, %fill ], [ %sum_next, %computed ]
  call void asm sideeffect "/* tile:91 */ cp.async.wait_group 1;", ""()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ; Everybody is past the tile before: its stage takes the one after next.
  %ahead = add i32 %tile, 2
  %is_there = icmp slt i32 %ahead, 5
  br i1 %is_there, label %refill, label %refilled

refill:
  %ahead_step = mul i32 %ahead, %step
  %ahead_word = sext i32 %ahead_step to i64
  %ahead_from = getelementptr float, ptr addrspace(1) %from, i64 %ahead_word
  %ahead_stage = urem i32 %ahead, 3
  %ahead_byte = shl i32 %ahead_stage, 10
  %ahead_offset = zext i32 %ahead_byte to i64
  %ahead_to = getelementptr i8, ptr addrspace(3) %to, i64 %ahead_offset
  %ahead_k = shl i32 %ahead, 3
  %k = add i32 %ahead_k, %k_first
  %has_k = icmp slt i32 %k, 36
  %bytes = select i1 %has_k, i32 16, i32 0
  call void asm sideeffect "/* tile:85 */ cp.async.cg.shared.global [$0], [$1], 16, $2;", "l,l,r"(ptr addrspace(3) %ahead_to, ptr addrspace(1) %ahead_from, i32 %bytes)
  br label %refilled

refilled:
  call void asm sideeffect "/* tile:86 */ cp.async.commit_group;", ""()
  %stage = urem i32 %tile, 3
  %stage_byte = shl i32 %stage, 10
  %a_byte = add i32 %stage_byte, %row_byte
  %a_word = zext i32 %a_byte to i64
  %a_place = getelementptr i8, ptr addrspace(3) @ring, i64 %a_word
  %b_byte = add i32 %stage_byte, %b_read
  %b_word = zext i32 %b_byte to i64
  %b_place = getelementptr i8, ptr addrspace(3) @ring, i64 %b_word
  br label %inner

inner:
  %i = phi i32 [ 0, %refilled ], [ %i_next, %inner ]
  %partial = phi <4 x float> [ %sum, %refilled ], [ %partial_next, %inner ]
  %i_word = zext i32 %i to i64
  %a_address = getelementptr float, ptr addrspace(3) %a_place, i64 %i_word
  %a = load float, ptr addrspace(3) %a_address, align 4
  %b_line = shl i32 %i, 6
  %b_offset = zext i32 %b_line to i64
  %b_address = getelementptr i8, ptr addrspace(3) %b_place, i64 %b_offset
  %b = load <4 x float>, ptr addrspace(3) %b_address, align 16
  %a_one = insertelement <4 x float> poison, float %a, i64 0
  %a_four = shufflevector <4 x float> %a_one, <4 x float> poison, <4 x i32> zeroinitializer
  %product = fmul <4 x float> %a_four, %b
  %partial_next = fadd <4 x float> %partial, %product
  %i_next = add i32 %i, 1
  %i_more = icmp slt i32 %i_next, 8
  br i1 %i_more, label %inner, label %computed

computed:
  %sum_next = phi <4 x float> [ %partial_next, %inner ]
  %tile_next = add i32 %tile, 1
  %more = icmp slt i32 %tile_next, 5
  br i1 %more, label %loop, label %store

store:
  %c_row = shl i32 %row, 5
  %c_in_row = add i32 %b_block, %column
  %c_index = add i32 %c_row, %c_in_row
  %c_word = zext i32 %c_index to i64
  %c_place = getelementptr float, ptr addrspace(1) %C, i64 %c_word
  store <4 x float> %sum_next, ptr addrspace(1) %c_place, align 16
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

attributes #0 = { "nvvm.reqntid"="64,1,1" }
