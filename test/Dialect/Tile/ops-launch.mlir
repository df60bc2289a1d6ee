// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// The launch program.

// CHECK-LABEL: tile.kernel @k
tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %W: !tile.ptr<i32> {tile.access = #tile.access<inout>}, %map: !tile.tensormap, %n: i64) {
  // CHECK: tile.grid (%{{.*}}) in (%{{.*}}) threads(128) {{{$}}
  tile.grid (%x) in (%n) threads(128) {
    // CHECK: tile.print "k"{{$}}
    tile.print "k"
  }
  tile.return
}

// CHECK-LABEL: tile.entry @empty
// CHECK-SAME: params []
tile.entry @empty() params [] {
  tile.return
}

// CHECK-LABEL: tile.entry @full
// CHECK-SAME: (%{{.*}}: !tile.ptr<f16>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i8)
// CHECK-SAME: params [#tile.tensor_param<name = "A", element = f16, access = inout, extents = ["M", "64"], strides = ["lda", "1"]>, #tile.scalar_param<name = "flag", type = ui8>]
// CHECK-SAME: attributes {tile.variant = "generic"}
tile.entry @full(%A: !tile.ptr<f16>, %m: i64, %k: i64, %lda: i64, %one: i64, %flag: i8) params [
    #tile.tensor_param<name = "A", element = f16, access = inout, extents = ["M", "64"], strides = ["lda", "1"]>,
    #tile.scalar_param<name = "flag", type = ui8>] attributes {tile.variant = "generic"} {
  // CHECK: %{{.*}} = tile.ptr_null %{{.*}} : !tile.ptr<f16>{{$}}
  %null = tile.ptr_null %A : !tile.ptr<f16>
  // CHECK: %{{.*}} = tile.ptr_aligned %{{.*}}, 16 : !tile.ptr<f16>{{$}}
  %aligned = tile.ptr_aligned %A, 16 : !tile.ptr<f16>
  // CHECK: %{{.*}} = tile.overlap %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<f16>, !tile.ptr<f16>{{$}}
  %shares = tile.overlap %A, %m, %A, %k : !tile.ptr<f16>, !tile.ptr<f16>
  // CHECK: tile.require %{{.*}}, "A must be a multiple of 16 bytes" kind <alignment>{{$}}
  tile.require %aligned, "A must be a multiple of 16 bytes" kind <alignment>
  // CHECK: tile.require %{{.*}}, "A is {0} by {1}"(%{{.*}}, %{{.*}} : i64, i8) kind <shape>{{$}}
  tile.require %shares, "A is {0} by {1}"(%m, %flag : i64, i8) kind <shape>
  // CHECK: tile.require %{{.*}}, "null" kind <null>{{$}}
  tile.require %null, "null" kind <null>
  // CHECK: tile.require %{{.*}}, "fact" kind <fact>{{$}}
  tile.require %null, "fact" kind <fact>
  // CHECK: tile.require %{{.*}}, "overflow" kind <overflow>{{$}}
  tile.require %null, "overflow" kind <overflow>
  // CHECK: tile.require %{{.*}}, "overlap" kind <overlap>{{$}}
  tile.require %null, "overlap" kind <overlap>
  // CHECK: tile.require %{{.*}}, "stride" kind <stride>{{$}}
  tile.require %null, "stride" kind <stride>
  // CHECK: %{{.*}} = tile.sm_count{{$}}
  %sms = tile.sm_count
  // CHECK: %{{.*}} = tile.workspace %{{.*}} {zero} : !tile.ptr<i32>{{$}}
  %w = tile.workspace %m {zero} : !tile.ptr<i32>
  // CHECK: %{{.*}} = tile.workspace %{{.*}} : !tile.ptr<f32>{{$}}
  %v = tile.workspace %m : !tile.ptr<f32>
  // CHECK: %{{.*}} = tile.tensormap %{{.*}} sizes [%{{.*}}, 64] strides [%{{.*}}, 1] box [128, 64] swizzle <sw128> : !tile.ptr<f16>{{$}}
  %map = tile.tensormap %A sizes [%m, 64] strides [%lda, 1] box [128, 64] swizzle <sw128> : !tile.ptr<f16>
  // CHECK: tile.launch @k grid(%{{.*}}) args(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<f16>, !tile.ptr<i32>, !tile.tensormap, i64) {cluster = array<i64: 2>, shared_bytes = 1024 : i64, threads = 384 : i64}{{$}}
  tile.launch @k grid(%m) args(%A, %w, %map, %m : !tile.ptr<f16>, !tile.ptr<i32>, !tile.tensormap, i64) {cluster = array<i64: 2>, shared_bytes = 1024 : i64, threads = 384 : i64}
  tile.return
}

// CHECK-LABEL: tile.kernel @none
tile.kernel @none() {
  %c1 = arith.constant 1 : i64
  // CHECK: tile.grid (%{{.*}}, %{{.*}}) in (%{{.*}}, %{{.*}}) threads(32) {{{$}}
  tile.grid (%x, %y) in (%c1, %c1) threads(32) {
    // CHECK: tile.print "none"{{$}}
    tile.print "none"
  }
  tile.return
}

// CHECK-LABEL: tile.entry @launch_none
tile.entry @launch_none(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  // CHECK: tile.launch @none grid(%{{.*}}, %{{.*}}, %{{.*}}){{$}}
  tile.launch @none grid(%n, %n, %n)
  tile.return
}
