// A pipelined product at stage schedule: a producer fills two rings, a consumer keeps one product in flight and
// stores through borrowed memory. The result is A·Bᵀ whatever the order of the roles.
//
// RUN: tile-opt %s --tile-eval-run='dims=K=40 data=one' -o /dev/null | FileCheck %s
// RUN: tile-opt %s --tile-eval-run='dims=K=40 data=one order=reverse' -o /dev/null | FileCheck %s
// RUN: tile-opt %s --tile-eval-run='dims=K=0 data=one' -o /dev/null | FileCheck %s --check-prefix=EMPTY
// RUN: tile-opt %s --tile-eval --canonicalize --cse --loop-invariant-code-motion -o /dev/null

// CHECK: C: f32[4096]
// CHECK-SAME: {{^ 40( 40)*$}}
// EMPTY: C: f32[4096]
// EMPTY-SAME: {{^ 0( 0)*$}}
tile.kernel @matmul(%A: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.name = "A"},
                    %B: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.name = "B"},
                    %C: !tile.ptr<f32> {tile.access = #tile.access<out>, tile.name = "C"}, %k: i64 {tile.name = "K"}) {
  %one = arith.constant 1 : i64
  tile.grid (%b) in (%one) threads(128) {
    %c0 = arith.constant 0 : i64
    %c16 = arith.constant 16 : i64
    %zero = arith.constant 0.0 : f32
    %a = tile.global %A sizes [64, %k] strides [%k, 1] : !tile.ptr<f16> -> !tile.global<64x?xf16>
    %bt = tile.global %B sizes [64, %k] strides [%k, 1] : !tile.ptr<f16> -> !tile.global<64x?xf16>
    %c = tile.global %C sizes [64, 64] strides [64, 1] : !tile.ptr<f32> -> !tile.global<64x64xf32>
    %ra = tile.ring depth(2) put <bulk> get <wgmma> {name = "As"} : !tile.ring<64x16xf16>
    %rb = tile.ring depth(2) put <bulk> get <wgmma> {name = "Bs"} : !tile.ring<64x16xf16>
    %g = tile.gate members(2)
    tile.roles
      role "producer" warps(1) registers(0) {
        scf.for %i = %c0 to %k step %c16 : i64 {
          tile.ring.put %ra as %slot : !tile.ring<64x16xf16> {
            tile.copy %a[%c0, %i] extents [64, 16], %slot[%c0, %c0] extents [64, 16]
              : !tile.global<64x?xf16> -> !tile.shared<64x16xf16>
          }
          tile.ring.put %rb as %slot : !tile.ring<64x16xf16> {
            tile.copy %bt[%c0, %i] extents [64, 16], %slot[%c0, %c0] extents [64, 16]
              : !tile.global<64x?xf16> -> !tile.shared<64x16xf16>
          }
        }
        tile.yield
      }
      role "consumer" warps(4) registers(0) {
        %start = tile.fragment %zero : !tile.fragment<64x64xf32>
        %sum = scf.for %i = %c0 to %k step %c16 iter_args(%acc = %start) -> (!tile.fragment<64x64xf32>) : i64 {
          %sa = tile.ring.get %ra : !tile.ring<64x16xf16> -> !tile.shared<64x16xf16>
          %sb = tile.ring.get %rb : !tile.ring<64x16xf16> -> !tile.shared<64x16xf16>
          tile.gate.enter %g
          %p = tile.gemm.start %sa, %sb acc(%acc : !tile.fragment<64x64xf32>) {trans_b}
            : !tile.shared<64x16xf16>, !tile.shared<64x16xf16> -> !tile.pending<64x64xf32>
          tile.gate.leave %g
          %next = tile.gemm.wait %p : !tile.pending<64x64xf32> -> !tile.fragment<64x64xf32>
          tile.ring.release %ra, %sa : !tile.ring<64x16xf16>, !tile.shared<64x16xf16>
          tile.ring.release %rb, %sb : !tile.ring<64x16xf16>, !tile.shared<64x16xf16>
          scf.yield %next : !tile.fragment<64x64xf32>
        }
        %stage = tile.shared : !tile.shared<64x64xf32>
        tile.store %sum, %stage[%c0, %c0] extents [64, 64] : !tile.fragment<64x64xf32> -> !tile.shared<64x64xf32>
        tile.fence_proxy
        tile.barrier named(1) threads(128)
        %t = tile.bulk_store.start %stage, %c[%c0, %c0] extents [64, 64] : !tile.shared<64x64xf32> -> !tile.global<64x64xf32>
        tile.bulk_store.wait_read %t
        tile.yield
      }
  }
  tile.return
}
