// RUN: tile-opt %s --tile-verify-stage -o %t.mlir
// RUN: tile-opt %t.mlir --tile-verify-stage | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o %t.generic.mlir
// RUN: diff %t.mlir %t.generic.mlir
// RUN: tile-opt %s --emit-bytecode | tile-opt -o %t.bytecode.mlir
// RUN: diff %t.mlir %t.bytecode.mlir
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt -o %t.debuginfo.mlir
// RUN: diff %t.mlir %t.debuginfo.mlir
// RUN: tile-opt %s --tile-verify-stage-each --canonicalize --cse --loop-invariant-code-motion | FileCheck %s

// Flash attention, D = BM = BN = 128, f16, not causal, at stage schedule for sm_90a: a producer lane, two consumer
// warpgroups, Q·Kᵀ of one block in flight with P·V of the block before, the last block masked, row sums kept in
// four parts a row until the end, O staged in Q's slot, persistent blocks.
//
// It survives canonicalisation, CSE and code motion: what is in flight, held or ordered is visible to them.

// CHECK-LABEL: tile.kernel @flash_attention
// CHECK: tile.roles
// CHECK: role "producer" warps(4) registers(24)
// CHECK: scf.for
// CHECK: tile.ring.put %[[rq:.*]] as
// CHECK: scf.for
// CHECK: tile.ring.put %[[rk:.*]] as
// CHECK: tile.ring.put %[[rv:.*]] as
// CHECK: role "consumer" warps(8) registers(240)
// CHECK: %[[qs:.*]] = tile.ring.get %[[rq]]
// CHECK: scf.if
// The prologue.
// CHECK: tile.ring.get %[[rk]]
// CHECK: tile.gemm.start %[[qs]]
// CHECK: tile.gemm.wait
// The plain part of the rotated loop: both products in flight at once.
// CHECK: scf.for
// CHECK: tile.ring.get %[[rk]]
// CHECK: tile.gate.enter
// CHECK: tile.gemm.start %[[qs]]
// CHECK: tile.ring.get %[[rv]]
// CHECK: tile.gemm.start
// CHECK: tile.gate.leave
// CHECK: tile.gemm.wait
// CHECK: tile.ring.release %[[rk]]
// CHECK: tile.reduce <max>
// CHECK: tile.gemm.wait {{.*}} carry
// CHECK: tile.ring.release %[[rv]]
// CHECK: tile.convert
// The masked part, and the last P·V.
// CHECK: scf.for
// CHECK: arith.select
// CHECK: tile.gemm.wait {{.*}} carry
// CHECK: tile.gemm.start
// CHECK: tile.gemm.wait
// CHECK: } else {
// CHECK: tile.ring.borrow %[[rq]], %[[qs]]
// CHECK: tile.bulk_store.start
// CHECK: tile.bulk_store.wait_read
// CHECK-NEXT: tile.ring.release %[[rq]], %[[qs]]
// CHECK-LABEL: tile.entry @flash_attention_f16
// CHECK: tile.launch @flash_attention

#acc = #tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>
#a = #tile.wgmma_a<bits = 16, warpgroups = [2, 1], reps = [1, 8]>
#row = #tile.rows<#acc, axis = 1>
#parts = #tile.rows<#acc, axis = 1, parts = threads>
#panels = #tile.panels<64, sw128>
#wgmma = #tile.instr<wgmma, m = 64, n = 128, k = 16, a = f16, b = f16, acc = f32>
!S = !tile.fragment<128x128xf32, #acc>
!SRef = !tile.fragref<128x128xf32, #acc>
!P = !tile.fragment<128x128xf16, #a>
!O = !tile.fragment<128x128xf16, #acc>
!R = !tile.fragment<128xf32, #row>
!RRef = !tile.fragref<128xf32, #row>
!R4 = !tile.fragment<128x4xf32, #parts>
!R4Ref = !tile.fragref<128x4xf32, #parts>
!pS = !tile.pending<128x128xf32, #acc>
!T = !tile.shared<128x128xf16, #panels>
!ring = !tile.ring<128x128xf16, #panels>
!G = !tile.global<?x?x?x128xf16>

module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_90a">} {
  tile.kernel @flash_attention(
      %Qp: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.align = 16 : i64, tile.name = "Q"},
      %Kp: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.align = 16 : i64, tile.name = "K"},
      %Vp: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.align = 16 : i64, tile.name = "V"},
      %Op: !tile.ptr<f16> {tile.access = #tile.access<out>, tile.align = 16 : i64, tile.name = "O"},
      %mapQ: !tile.tensormap, %mapK: !tile.tensormap, %mapV: !tile.tensormap, %mapO: !tile.tensormap,
      %B: i64, %H: i64, %S: i64, %L: i64, %blocks: i64, %scale: f32)
      attributes {tile.plan = #tile.plan<consumers = 8, producer = lane, producer_warps = 4, mode = pingpong,
                  persistent = true, rotate = 1, depths = {Qs = 1, Ks = 2, Vs = 2},
                  reason = "two gemms a step, softmax between them">} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c128 = arith.constant 128 : i64
    %log2e = arith.constant 1.44269502 : f32
    %zero = arith.constant 0.0 : f32
    %minf = arith.constant 0xFF800000 : f32
    %lowest = arith.constant -1.0e30 : f32
    %scale2 = arith.mulf %scale, %log2e : f32
    %nq = arith.ceildivsi %S, %c128 : i64
    %nk = arith.ceildivsi %L, %c128 : i64
    %full = arith.floordivsi %L, %c128 : i64
    %nqh = arith.muli %nq, %H : i64
    %tiles = arith.muli %nqh, %B : i64
    %sD = arith.muli %S, %c128 : i64
    %lD = arith.muli %L, %c128 : i64
    %hsD = arith.muli %H, %sD : i64
    %hlD = arith.muli %H, %lD : i64
    tile.grid (%cta) in (%blocks) threads(384) attributes {persistent} {
      %Q = tile.global %Qp sizes [%B, %H, %S, 128] strides [%hsD, %sD, 128, 1] map(%mapQ) : !tile.ptr<f16> -> !G
      %K = tile.global %Kp sizes [%B, %H, %L, 128] strides [%hlD, %lD, 128, 1] map(%mapK) : !tile.ptr<f16> -> !G
      %V = tile.global %Vp sizes [%B, %H, %L, 128] strides [%hlD, %lD, 128, 1] map(%mapV) : !tile.ptr<f16> -> !G
      %O = tile.global %Op sizes [%B, %H, %S, 128] strides [%hsD, %sD, 128, 1] map(%mapO) : !tile.ptr<f16> -> !G
      %rq = tile.ring depth(1) put <bulk> get <wgmma> {name = "Qs", readers = 2 : i64, offset = 0 : i64, barrier_offset = 163840 : i64} : !ring
      %rk = tile.ring depth(2) put <bulk> get <wgmma> {name = "Ks", readers = 2 : i64, offset = 32768 : i64, barrier_offset = 163856 : i64} : !ring
      %rv = tile.ring depth(2) put <bulk> get <wgmma> {name = "Vs", readers = 2 : i64, offset = 98304 : i64, barrier_offset = 163888 : i64} : !ring
      %gate = tile.gate members(2)
      tile.roles
        role "producer" warps(4) registers(24) {
          // One elected lane: the puts, and the control they need.
          scf.for %t = %cta to %tiles step %blocks : i64 {
            %bx, %h, %b = tile.decode %t in (%nq, %H, %B) {longest_first}
            %q0 = arith.muli %bx, %c128 : i64
            tile.ring.put %rq as %slot : !ring attributes {executor = #tile.executor<one_lane>} {
              tile.copy %Q[%b, %h, %q0, %c0] extents [1, 1, 128, 128], %slot[%c0, %c0] extents [128, 128] {path = #tile.path<bulk>} : !G -> !T
            }
            scf.for %kv = %c0 to %nk step %c1 : i64 {
              %k0 = arith.muli %kv, %c128 : i64
              tile.ring.put %rk as %slot : !ring attributes {executor = #tile.executor<one_lane>} {
                tile.copy %K[%b, %h, %k0, %c0] extents [1, 1, 128, 128], %slot[%c0, %c0] extents [128, 128] {path = #tile.path<bulk>} : !G -> !T
              }
              tile.ring.put %rv as %slot : !ring attributes {executor = #tile.executor<one_lane>} {
                tile.copy %V[%b, %h, %k0, %c0] extents [1, 1, 128, 128], %slot[%c0, %c0] extents [128, 128] {path = #tile.path<bulk>} : !G -> !T
              }
            }
          }
          tile.yield
        }
        role "consumer" warps(8) registers(240) {
          // Layouts of all fragments range over these 8 warps.
          scf.for %t = %cta to %tiles step %blocks : i64 {
            %bx, %h, %b = tile.decode %t in (%nq, %H, %B) {longest_first}
            %q0 = arith.muli %bx, %c128 : i64
            %qs = tile.ring.get %rq : !ring -> !T
            %o0 = tile.fragment %zero : !S
            %m0 = tile.fragment %lowest : !R
            %l0 = tile.fragment %zero : !R4
            %some = arith.cmpi sgt, %nk, %c0 : i64
            %o9, %l9 = scf.if %some -> (!S, !R4) {
              // Prologue: the first half of block 0, masked, for it may be the last one.
              %k0 = tile.ring.get %rk : !ring -> !T
              %s0p = tile.gemm.start %qs, %k0 {instr = #wgmma, trans_b} : !T, !T -> !pS
              %s0 = tile.gemm.wait %s0p {outstanding = 0 : i64} : !pS -> !S
              tile.ring.release %rk, %k0 : !ring, !T
              %k0_0 = arith.muli %c0, %c128 : i64
              %sm_0 = tile.parallel (%i, %j) in (128, 128) updates(%r = %s0 : !S) attributes {layout = #acc} {
                %x = tile.read %r[%i, %j] {in_bounds} : !SRef -> f32
                %key = arith.addi %k0_0, %j : i64
                %in = arith.cmpi slt, %key, %L : i64
                %y = arith.select %in, %x, %minf : f32
                tile.write %y, %r[%i, %j] {in_bounds} : !SRef
              }
              %mx_0 = tile.reduce <max> %sm_0 axis 1 : !S -> !R
              %mn_0 = tile.parallel (%i) in (128) updates(%r = %m0 : !R) attributes {layout = #row} {
                %old = tile.read %r[%i] {in_bounds} : !RRef -> f32
                %x = tile.read %mx_0[%i] {in_bounds} : !R -> f32
                %y = arith.mulf %x, %scale2 : f32
                %z = arith.maxnumf %old, %y : f32
                tile.write %z, %r[%i] {in_bounds} : !RRef
              }
              %al_0 = tile.parallel (%i) in (128) updates(%r = %m0 : !R) attributes {layout = #row} {
                %old = tile.read %r[%i] {in_bounds} : !RRef -> f32
                %new = tile.read %mn_0[%i] {in_bounds} : !R -> f32
                %d = arith.subf %old, %new : f32
                %y = math.exp2 %d : f32
                tile.write %y, %r[%i] {in_bounds} : !RRef
              }
              %e_0 = tile.parallel (%i, %j) in (128, 128) updates(%r = %sm_0 : !S) attributes {layout = #acc} {
                %x = tile.read %r[%i, %j] {in_bounds} : !SRef -> f32
                %n = tile.read %mn_0[%i] {in_bounds} : !R -> f32
                %neg = arith.negf %n : f32
                %d = math.fma %x, %scale2, %neg : f32
                %y = math.exp2 %d : f32
                tile.write %y, %r[%i, %j] {in_bounds} : !SRef
              }
              %ps_0 = tile.reduce <sum> %e_0 axis 1 {parts = #tile.parts<threads>} : !S -> !R4
              %ln_0 = tile.parallel (%i, %q) in (128, 4) updates(%r = %l0 : !R4) attributes {layout = #parts} {
                %old = tile.read %r[%i, %q] {in_bounds} : !R4Ref -> f32
                %a = tile.read %al_0[%i] {in_bounds} : !R -> f32
                %x = tile.read %ps_0[%i, %q] {in_bounds} : !R4 -> f32
                %y = math.fma %old, %a, %x : f32
                tile.write %y, %r[%i, %q] {in_bounds} : !R4Ref
              }
              %p0 = tile.convert %e_0 : !S -> !P
              %mid = arith.maxsi %full, %c1 : i64
              // The rotated loop, split after rotation: all that is in flight crosses the seam in registers.
              %u:4 = scf.for %kv = %c1 to %mid step %c1 iter_args(%o = %o0, %m = %mn_0, %l = %ln_0, %p = %p0) -> (!S, !R, !R4, !P) : i64 {
                %ks = tile.ring.get %rk : !ring -> !T
                tile.gate.enter %gate
                %sp = tile.gemm.start %qs, %ks {instr = #wgmma, trans_b} : !T, !T -> !pS
                %vs = tile.ring.get %rv : !ring -> !T
                %op = tile.gemm.start %p, %vs acc(%o : !S) {instr = #wgmma} : !P, !T -> !pS
                tile.gate.leave %gate
                // Numbered late: one later group, P·V, may still be in flight.
                %s = tile.gemm.wait %sp {outstanding = 1 : i64} : !pS -> !S
                tile.ring.release %rk, %ks : !ring, !T
                %mx_u = tile.reduce <max> %s axis 1 : !S -> !R
                %mn_u = tile.parallel (%i) in (128) updates(%r = %m : !R) attributes {layout = #row} {
                  %old = tile.read %r[%i] {in_bounds} : !RRef -> f32
                  %x = tile.read %mx_u[%i] {in_bounds} : !R -> f32
                  %y = arith.mulf %x, %scale2 : f32
                  %z = arith.maxnumf %old, %y : f32
                  tile.write %z, %r[%i] {in_bounds} : !RRef
                }
                %al_u = tile.parallel (%i) in (128) updates(%r = %m : !R) attributes {layout = #row} {
                  %old = tile.read %r[%i] {in_bounds} : !RRef -> f32
                  %new = tile.read %mn_u[%i] {in_bounds} : !R -> f32
                  %d = arith.subf %old, %new : f32
                  %y = math.exp2 %d : f32
                  tile.write %y, %r[%i] {in_bounds} : !RRef
                }
                %e_u = tile.parallel (%i, %j) in (128, 128) updates(%r = %s : !S) attributes {layout = #acc} {
                  %x = tile.read %r[%i, %j] {in_bounds} : !SRef -> f32
                  %n = tile.read %mn_u[%i] {in_bounds} : !R -> f32
                  %neg = arith.negf %n : f32
                  %d = math.fma %x, %scale2, %neg : f32
                  %y = math.exp2 %d : f32
                  tile.write %y, %r[%i, %j] {in_bounds} : !SRef
                }
                %ps_u = tile.reduce <sum> %e_u axis 1 {parts = #tile.parts<threads>} : !S -> !R4
                %ln_u = tile.parallel (%i, %q) in (128, 4) updates(%r = %l : !R4) attributes {layout = #parts} {
                  %old = tile.read %r[%i, %q] {in_bounds} : !R4Ref -> f32
                  %a = tile.read %al_u[%i] {in_bounds} : !R -> f32
                  %x = tile.read %ps_u[%i, %q] {in_bounds} : !R4 -> f32
                  %y = math.fma %old, %a, %x : f32
                  tile.write %y, %r[%i, %q] {in_bounds} : !R4Ref
                }
                // The pack of the next P must not rise above this wait: %e is carried.
                %od, %ed = tile.gemm.wait %op carry(%e_u) {outstanding = 0 : i64} : !pS, !S -> !S, !S
                tile.ring.release %rv, %vs : !ring, !T
                %on = tile.parallel (%i, %j) in (128, 128) updates(%r = %od : !S) attributes {layout = #acc} {
                  %x = tile.read %r[%i, %j] {in_bounds} : !SRef -> f32
                  %a = tile.read %al_u[%i] {in_bounds} : !R -> f32
                  %y = arith.mulf %x, %a : f32
                  tile.write %y, %r[%i, %j] {in_bounds} : !SRef
                }
                %pn = tile.convert %ed : !S -> !P
                scf.yield %on, %mn_u, %ln_u, %pn : !S, !R, !R4, !P
              }
              %w:4 = scf.for %kv = %mid to %nk step %c1 iter_args(%o = %u#0, %m = %u#1, %l = %u#2, %p = %u#3) -> (!S, !R, !R4, !P) : i64 {
                %ks = tile.ring.get %rk : !ring -> !T
                tile.gate.enter %gate
                %sp = tile.gemm.start %qs, %ks {instr = #wgmma, trans_b} : !T, !T -> !pS
                %vs = tile.ring.get %rv : !ring -> !T
                %op = tile.gemm.start %p, %vs acc(%o : !S) {instr = #wgmma} : !P, !T -> !pS
                tile.gate.leave %gate
                // Numbered late: one later group, P·V, may still be in flight.
                %s = tile.gemm.wait %sp {outstanding = 1 : i64} : !pS -> !S
                tile.ring.release %rk, %ks : !ring, !T
                %k0_w = arith.muli %kv, %c128 : i64
                %sm_w = tile.parallel (%i, %j) in (128, 128) updates(%r = %s : !S) attributes {layout = #acc} {
                  %x = tile.read %r[%i, %j] {in_bounds} : !SRef -> f32
                  %key = arith.addi %k0_w, %j : i64
                  %in = arith.cmpi slt, %key, %L : i64
                  %y = arith.select %in, %x, %minf : f32
                  tile.write %y, %r[%i, %j] {in_bounds} : !SRef
                }
                %mx_w = tile.reduce <max> %sm_w axis 1 : !S -> !R
                %mn_w = tile.parallel (%i) in (128) updates(%r = %m : !R) attributes {layout = #row} {
                  %old = tile.read %r[%i] {in_bounds} : !RRef -> f32
                  %x = tile.read %mx_w[%i] {in_bounds} : !R -> f32
                  %y = arith.mulf %x, %scale2 : f32
                  %z = arith.maxnumf %old, %y : f32
                  tile.write %z, %r[%i] {in_bounds} : !RRef
                }
                %al_w = tile.parallel (%i) in (128) updates(%r = %m : !R) attributes {layout = #row} {
                  %old = tile.read %r[%i] {in_bounds} : !RRef -> f32
                  %new = tile.read %mn_w[%i] {in_bounds} : !R -> f32
                  %d = arith.subf %old, %new : f32
                  %y = math.exp2 %d : f32
                  tile.write %y, %r[%i] {in_bounds} : !RRef
                }
                %e_w = tile.parallel (%i, %j) in (128, 128) updates(%r = %sm_w : !S) attributes {layout = #acc} {
                  %x = tile.read %r[%i, %j] {in_bounds} : !SRef -> f32
                  %n = tile.read %mn_w[%i] {in_bounds} : !R -> f32
                  %neg = arith.negf %n : f32
                  %d = math.fma %x, %scale2, %neg : f32
                  %y = math.exp2 %d : f32
                  tile.write %y, %r[%i, %j] {in_bounds} : !SRef
                }
                %ps_w = tile.reduce <sum> %e_w axis 1 {parts = #tile.parts<threads>} : !S -> !R4
                %ln_w = tile.parallel (%i, %q) in (128, 4) updates(%r = %l : !R4) attributes {layout = #parts} {
                  %old = tile.read %r[%i, %q] {in_bounds} : !R4Ref -> f32
                  %a = tile.read %al_w[%i] {in_bounds} : !R -> f32
                  %x = tile.read %ps_w[%i, %q] {in_bounds} : !R4 -> f32
                  %y = math.fma %old, %a, %x : f32
                  tile.write %y, %r[%i, %q] {in_bounds} : !R4Ref
                }
                // The pack of the next P must not rise above this wait: %e is carried.
                %od, %ed = tile.gemm.wait %op carry(%e_w) {outstanding = 0 : i64} : !pS, !S -> !S, !S
                tile.ring.release %rv, %vs : !ring, !T
                %on = tile.parallel (%i, %j) in (128, 128) updates(%r = %od : !S) attributes {layout = #acc} {
                  %x = tile.read %r[%i, %j] {in_bounds} : !SRef -> f32
                  %a = tile.read %al_w[%i] {in_bounds} : !R -> f32
                  %y = arith.mulf %x, %a : f32
                  tile.write %y, %r[%i, %j] {in_bounds} : !SRef
                }
                %pn = tile.convert %ed : !S -> !P
                scf.yield %on, %mn_w, %ln_w, %pn : !S, !R, !R4, !P
              }
              // Epilogue: the second half of the last block.
              %vz = tile.ring.get %rv : !ring -> !T
              %oz = tile.gemm.start %w#3, %vz acc(%w#0 : !S) {instr = #wgmma} : !P, !T -> !pS
              %of = tile.gemm.wait %oz {outstanding = 0 : i64} : !pS -> !S
              tile.ring.release %rv, %vz : !ring, !T
              scf.yield %of, %w#2 : !S, !R4
            } else {
              scf.yield %o0, %l0 : !S, !R4
            }
            // The quad's sum, deferred to here.
            %sum = tile.reduce <sum> %l9 axis 1 : !R4 -> !R
            %out = tile.parallel (%i, %j) in (128, 128) updates(%r = %o9 : !S) attributes {layout = #acc} {
              %x = tile.read %r[%i, %j] {in_bounds} : !SRef -> f32
              %d = tile.read %sum[%i] {in_bounds} : !R -> f32
              %some_key = arith.cmpf ogt, %d, %zero : f32
              %inv = tile.rcp %d : f32
              %y = arith.mulf %x, %inv : f32
              %z = arith.select %some_key, %y, %zero : f32
              tile.write %z, %r[%i, %j] {in_bounds} : !SRef
            }
            %half = tile.convert %out : !S -> !O
            // O is staged in Q's slot: each warpgroup writes the rows that only its own products have read.
            %stage = tile.ring.borrow %rq, %qs : !ring, !T -> !T
            tile.store %half, %stage[%c0, %c0] extents [128, 128] {executor = #tile.executor<own_rows>, path = #tile.path<matrix>} : !O -> !T
            tile.fence_proxy {reason = "Os is stored in bulk"}
            tile.barrier named(1) threads(128) {per_group, reason = "all rows of the group are in Os"}
            %tok = tile.bulk_store.start %stage, %O[%b, %h, %q0, %c0] extents [1, 1, 128, 128] {executor = #tile.executor<group_lane>} : !T -> !G
            tile.bulk_store.wait_read %tok
            tile.ring.release %rq, %qs : !ring, !T
          }
          tile.yield
        }
    }
    tile.return
  }

  tile.entry @flash_attention_f16(
      %Q: !tile.ptr<f16>, %B: i64, %H: i64, %S: i64, %D: i64, %K: !tile.ptr<f16>, %B1: i64, %H1: i64, %L: i64, %D1: i64,
      %V: !tile.ptr<f16>, %B2: i64, %H2: i64, %L1: i64, %D2: i64, %O: !tile.ptr<f16>, %B3: i64, %H3: i64, %S1: i64, %D3: i64,
      %scale: f32) params [
        #tile.tensor_param<name = "Q", element = f16, access = in, extents = ["B", "H", "S", "128"]>,
        #tile.tensor_param<name = "K", element = f16, access = in, extents = ["B", "H", "L", "128"]>,
        #tile.tensor_param<name = "V", element = f16, access = in, extents = ["B", "H", "L", "128"]>,
        #tile.tensor_param<name = "O", element = f16, access = out, extents = ["B", "H", "S", "128"]>,
        #tile.scalar_param<name = "scale", type = f32>] {
    %c128 = arith.constant 128 : i64
    %sameL = arith.cmpi eq, %L, %L1 : i64
    tile.require %sameL, "K and V differ in 'L': {0} and {1}"(%L, %L1 : i64, i64) kind <shape>
    %aligned = tile.ptr_aligned %Q, 16 : !tile.ptr<f16>
    tile.require %aligned, "Q must be aligned to 16 bytes" kind <alignment>
    %nq = arith.ceildivsi %S, %c128 : i64
    %nqh = arith.muli %nq, %H : i64
    %tiles = arith.muli %nqh, %B : i64
    %sms = tile.sm_count
    %blocks = arith.minsi %tiles, %sms : i64
    %sD = arith.muli %S, %c128 : i64
    %lD = arith.muli %L, %c128 : i64
    %hsD = arith.muli %H, %sD : i64
    %hlD = arith.muli %H, %lD : i64
    %mapQ = tile.tensormap %Q sizes [%B, %H, %S, 128] strides [%hsD, %sD, 128, 1] box [1, 1, 128, 64] swizzle <sw128> : !tile.ptr<f16>
    %mapK = tile.tensormap %K sizes [%B, %H, %L, 128] strides [%hlD, %lD, 128, 1] box [1, 1, 128, 64] swizzle <sw128> : !tile.ptr<f16>
    %mapV = tile.tensormap %V sizes [%B, %H, %L, 128] strides [%hlD, %lD, 128, 1] box [1, 1, 128, 64] swizzle <sw128> : !tile.ptr<f16>
    %mapO = tile.tensormap %O sizes [%B, %H, %S, 128] strides [%hsD, %sD, 128, 1] box [1, 1, 64, 64] swizzle <sw128> : !tile.ptr<f16>
    tile.launch @flash_attention grid(%blocks) args(%Q, %K, %V, %O, %mapQ, %mapK, %mapV, %mapO, %B, %H, %S, %L, %blocks, %scale
      : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f16>, !tile.tensormap, !tile.tensormap, !tile.tensormap,
        !tile.tensormap, i64, i64, i64, i64, i64, f32) {shared_bytes = 163920 : i64, threads = 384 : i64}
    tile.return
  }
}
