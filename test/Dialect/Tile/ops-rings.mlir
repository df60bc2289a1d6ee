// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Rings.

// CHECK-LABEL: func @rings
func.func @rings(%g: !tile.global<?x64xf16>, %i: i64, %v: f16) {
  // CHECK: %{{.*}} = tile.ring depth(3) put <bulk> get <wgmma> {barrier_offset = 64 : i64, name = "Ks", offset = 1024 : i64, readers = 2 : i64} : !tile.ring<128x64xf16, #tile.panels<64, sw128>>{{$}}
  %r = tile.ring depth(3) put <bulk> get <wgmma> {barrier_offset = 64 : i64, name = "Ks", offset = 1024 : i64, readers = 2 : i64} : !tile.ring<128x64xf16, #tile.panels<64, sw128>>
  // CHECK: %{{.*}} = tile.ring depth(1) put <generic> get <bulk> : !tile.ring<128x64xf16>{{$}}
  %q = tile.ring depth(1) put <generic> get <bulk> : !tile.ring<128x64xf16>
  // CHECK: %{{.*}} = tile.ring depth(2) put <cp_async> get <matrix> : !tile.ring<128x64xf16>{{$}}
  %c = tile.ring depth(2) put <cp_async> get <matrix> : !tile.ring<128x64xf16>
  // CHECK: tile.ring.put %{{.*}} as %{{.*}} : !tile.ring<128x64xf16, #tile.panels<64, sw128>> attributes {executor = #tile.executor<one_lane>} {{{$}}
  tile.ring.put %r as %slot : !tile.ring<128x64xf16, #tile.panels<64, sw128>> attributes {executor = #tile.executor<one_lane>} {
    // CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64], %{{.*}}[%{{.*}}, %{{.*}}] extents [128, 64] {path = #tile.path<bulk>} : !tile.global<?x64xf16> -> !tile.shared<128x64xf16, #tile.panels<64, sw128>>{{$}}
    tile.copy %g[%i, %i] extents [128, 64], %slot[%i, %i] extents [128, 64] {path = #tile.path<bulk>} : !tile.global<?x64xf16> -> !tile.shared<128x64xf16, #tile.panels<64, sw128>>
  }
  // CHECK: tile.ring.put %{{.*}} as %{{.*}} : !tile.ring<128x64xf16> {{{$}}
  tile.ring.put %q as %slot : !tile.ring<128x64xf16> {
    // CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (128, 64) {{{$}}
    tile.parallel (%x, %y) in (128, 64) {
      // CHECK: tile.write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tile.shared<128x64xf16>{{$}}
      tile.write %v, %slot[%x, %y] : !tile.shared<128x64xf16>
    }
  }
  // CHECK: %{{.*}} = tile.ring.get %{{.*}} : !tile.ring<128x64xf16, #tile.panels<64, sw128>> -> !tile.shared<128x64xf16, #tile.panels<64, sw128>>{{$}}
  %s = tile.ring.get %r : !tile.ring<128x64xf16, #tile.panels<64, sw128>> -> !tile.shared<128x64xf16, #tile.panels<64, sw128>>
  // CHECK: %{{.*}} = tile.ring.borrow %{{.*}}, %{{.*}} : !tile.ring<128x64xf16, #tile.panels<64, sw128>>, !tile.shared<128x64xf16, #tile.panels<64, sw128>> -> !tile.shared<64x64xf32>{{$}}
  %t = tile.ring.borrow %r, %s : !tile.ring<128x64xf16, #tile.panels<64, sw128>>, !tile.shared<128x64xf16, #tile.panels<64, sw128>> -> !tile.shared<64x64xf32>
  // CHECK: tile.ring.release %{{.*}}, %{{.*}} : !tile.ring<128x64xf16, #tile.panels<64, sw128>>, !tile.shared<128x64xf16, #tile.panels<64, sw128>>{{$}}
  tile.ring.release %r, %s : !tile.ring<128x64xf16, #tile.panels<64, sw128>>, !tile.shared<128x64xf16, #tile.panels<64, sw128>>
  // CHECK: tile.ring.advance %{{.*}}, %{{.*}} : !tile.ring<128x64xf16>{{$}}
  tile.ring.advance %c, %i : !tile.ring<128x64xf16>
  return
}
