// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Roles, registers in flight, bulk stores, barriers.

// CHECK-LABEL: func @roles
func.func @roles(%n: i64) {
  // CHECK: %{{.*}} = tile.gate members(2){{$}}
  %g = tile.gate members(2)
  // CHECK: tile.roles{{$}}
  tile.roles
    role "producer" warps(4) registers(24) {
      // CHECK: tile.print "producer"{{$}}
      tile.print "producer"
      tile.yield
    }
    role "consumer" warps(8) registers(240) {
      // CHECK: tile.gate.enter %{{.*}}{{$}}
      tile.gate.enter %g
      // CHECK: tile.gate.leave %{{.*}}{{$}}
      tile.gate.leave %g
      tile.yield
    }
  // CHECK: tile.roles attributes {tile.variant = "one"}{{$}}
  tile.roles attributes {tile.variant = "one"}
    role "all" warps(1) registers(0) {
      tile.yield
    }
  return
}

// CHECK-LABEL: func @decode
func.func @decode(%t: i64, %x: i64, %y: i64) {
  // CHECK: %{{.*}} = tile.decode %{{.*}} in(%{{.*}}){{$}}
  %i = tile.decode %t in (%x)
  // CHECK: %{{.*}} = tile.decode %{{.*}} in(%{{.*}}, %{{.*}}) {longest_first, raster = #tile.raster<panel = 4, order = row>}{{$}}
  %j:2 = tile.decode %t in (%x, %y) {longest_first, raster = #tile.raster<panel = 4, order = row>}
  return
}

// CHECK-LABEL: func @in_flight
func.func @in_flight(%a: !tile.shared<64x32xf16>, %b: !tile.shared<32x64xf16>, %fa: !tile.fragment<64x32xf16>, %c: !tile.fragment<64x64xf32>, %v: f32, %s: i64) {
  // CHECK: %{{.*}} = tile.gemm.start %{{.*}}, %{{.*}} acc(%{{.*}} : !tile.fragment<64x64xf32>) {instr = #tile.instr<wgmma, m = 64, n = 64, k = 16, a = f16, b = f16, acc = f32>} : !tile.shared<64x32xf16>, !tile.shared<32x64xf16> -> !tile.pending<64x64xf32>{{$}}
  %p = tile.gemm.start %a, %b acc(%c : !tile.fragment<64x64xf32>) {instr = #tile.instr<wgmma, m = 64, n = 64, k = 16, a = f16, b = f16, acc = f32>} : !tile.shared<64x32xf16>, !tile.shared<32x64xf16> -> !tile.pending<64x64xf32>
  // CHECK: %{{.*}} = tile.gemm.start %{{.*}}, %{{.*}} acc(%{{.*}} : !tile.pending<64x64xf32>) : !tile.fragment<64x32xf16>, !tile.shared<32x64xf16> -> !tile.pending<64x64xf32>{{$}}
  %q = tile.gemm.start %fa, %b acc(%p : !tile.pending<64x64xf32>) : !tile.fragment<64x32xf16>, !tile.shared<32x64xf16> -> !tile.pending<64x64xf32>
  // CHECK: %{{.*}} = tile.gemm.start %{{.*}}, %{{.*}} {trans_a, trans_b} : !tile.shared<32x64xf16>, !tile.shared<64x32xf16> -> !tile.pending<64x64xf32>{{$}}
  %r = tile.gemm.start %b, %a {trans_a, trans_b} : !tile.shared<32x64xf16>, !tile.shared<64x32xf16> -> !tile.pending<64x64xf32>
  // CHECK: tile.gemm.wait_read %{{.*}} {outstanding = 2 : i64} : !tile.pending<64x64xf32>{{$}}
  tile.gemm.wait_read %p {outstanding = 2 : i64} : !tile.pending<64x64xf32>
  // CHECK: %{{.*}} = tile.gemm.wait %{{.*}}, %{{.*}} carry(%{{.*}}, %{{.*}}) {outstanding = 0 : i64} : !tile.pending<64x64xf32>, !tile.pending<64x64xf32>, !tile.fragment<64x32xf16>, i64 -> !tile.fragment<64x64xf32>, !tile.fragment<64x64xf32>, !tile.fragment<64x32xf16>, i64{{$}}
  %d:4 = tile.gemm.wait %q, %r carry(%fa, %s) {outstanding = 0 : i64} : !tile.pending<64x64xf32>, !tile.pending<64x64xf32>, !tile.fragment<64x32xf16>, i64 -> !tile.fragment<64x64xf32>, !tile.fragment<64x64xf32>, !tile.fragment<64x32xf16>, i64
  return
}

// CHECK-LABEL: func @passed_on
func.func @passed_on(%a: !tile.shared<64x32xf16>, %b: !tile.shared<32x64xf16>, %n: i64) {
  // CHECK: %{{.*}} = tile.gemm.start %{{.*}}, %{{.*}} : !tile.shared<64x32xf16>, !tile.shared<32x64xf16> -> !tile.pending<64x64xf32>{{$}}
  %p = tile.gemm.start %a, %b : !tile.shared<64x32xf16>, !tile.shared<32x64xf16> -> !tile.pending<64x64xf32>
  %q = scf.for %i = %n to %n step %n iter_args(%r = %p) -> (!tile.pending<64x64xf32>) : i64 {
    // CHECK: %{{.*}} = tile.gemm.start %{{.*}}, %{{.*}} acc(%{{.*}} : !tile.pending<64x64xf32>) : !tile.shared<64x32xf16>, !tile.shared<32x64xf16> -> !tile.pending<64x64xf32>{{$}}
    %s = tile.gemm.start %a, %b acc(%r : !tile.pending<64x64xf32>) : !tile.shared<64x32xf16>, !tile.shared<32x64xf16> -> !tile.pending<64x64xf32>
    // CHECK: tile.gemm.wait_read %{{.*}} : !tile.pending<64x64xf32>{{$}}
    tile.gemm.wait_read %r : !tile.pending<64x64xf32>
    scf.yield %s : !tile.pending<64x64xf32>
  }
  // CHECK: %{{.*}} = tile.gemm.wait %{{.*}} : !tile.pending<64x64xf32> -> !tile.fragment<64x64xf32>{{$}}
  %c = tile.gemm.wait %q : !tile.pending<64x64xf32> -> !tile.fragment<64x64xf32>
  return
}

// CHECK-LABEL: func @bulk
func.func @bulk(%s: !tile.shared<128x64xf16>, %g: !tile.global<?x64xf16>, %i: i64) {
  // CHECK: %{{.*}} = tile.bulk_store.start %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] {executor = #tile.executor<one_lane>} : !tile.shared<128x64xf16> -> !tile.global<?x64xf16>{{$}}
  %t = tile.bulk_store.start %s, %g[%i, %i] extents [128, 64] {executor = #tile.executor<one_lane>} : !tile.shared<128x64xf16> -> !tile.global<?x64xf16>
  // CHECK: %{{.*}} = tile.bulk_store.start %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] : !tile.shared<128x64xf16> -> !tile.global<?x64xf16>{{$}}
  %u = tile.bulk_store.start %s, %g[%i, %i] extents [128, 64] : !tile.shared<128x64xf16> -> !tile.global<?x64xf16>
  // CHECK: tile.bulk_store.wait_read %{{.*}}, %{{.*}}{{$}}
  tile.bulk_store.wait_read %t, %u
  // CHECK: tile.bulk_store.wait_read %{{.*}} {outstanding = 1 : i64}{{$}}
  tile.bulk_store.wait_read %u {outstanding = 1 : i64}
  return
}

// CHECK-LABEL: func @barriers
func.func @barriers() {
  // CHECK: tile.barrier{{$}}
  tile.barrier
  // CHECK: tile.barrier {reason = "As is overwritten"}{{$}}
  tile.barrier {reason = "As is overwritten"}
  // CHECK: tile.barrier named(3) threads(128){{$}}
  tile.barrier named(3) threads(128)
  // CHECK: tile.barrier named(4) threads(128) {per_group}{{$}}
  tile.barrier named(4) threads(128) {per_group}
  // CHECK: tile.fence_proxy{{$}}
  tile.fence_proxy
  // CHECK: tile.fence_proxy {reason = "Os is stored"}{{$}}
  tile.fence_proxy {reason = "Os is stored"}
  return
}
