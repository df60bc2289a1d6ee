// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-debuginfo | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// Elementwise loops and the ops on elements.

#one = #tile.blocked<vector = [1, 2], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>

// CHECK-LABEL: func @loops
func.func @loops(%f: !tile.fragment<8x64xf32>, %g: !tile.fragment<8xi32>, %n: i64, %v: f32) {
  // CHECK: tile.parallel (%{{.*}}) in (%{{.*}}) {{{$}}
  tile.parallel (%i) in (%n) {
    // CHECK: tile.print "i"(%{{.*}} : i64){{$}}
    tile.print "i"(%i : i64)
  }
  // CHECK: %{{.*}} = tile.parallel (%{{.*}}, %{{.*}}) in (8, %{{.*}}) updates(%{{.*}} = %{{.*}} : !tile.fragment<8x64xf32>, %{{.*}} = %{{.*}} : !tile.fragment<8xi32>) {{{$}}
  %r:2 = tile.parallel (%i, %j) in (8, %n) updates(%a = %f : !tile.fragment<8x64xf32>, %b = %g : !tile.fragment<8xi32>) {
    // CHECK: %{{.*}} = tile.read %{{.*}}[%{{.*}}, %{{.*}}] : !tile.fragref<8x64xf32> -> f32{{$}}
    %x = tile.read %a[%i, %j] : !tile.fragref<8x64xf32> -> f32
    // CHECK: tile.write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] {in_bounds} : !tile.fragref<8x64xf32>{{$}}
    tile.write %x, %a[%i, %j] {in_bounds} : !tile.fragref<8x64xf32>
    // CHECK: %{{.*}} = tile.read %{{.*}}[%{{.*}}] : !tile.fragref<8xi32> -> i32{{$}}
    %y = tile.read %b[%i] : !tile.fragref<8xi32> -> i32
    // CHECK: tile.update <div> %{{.*}}, %{{.*}}[%{{.*}}] : !tile.fragref<8xi32>{{$}}
    tile.update <div> %y, %b[%i] : !tile.fragref<8xi32>
    tile.yield
  }
  // CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (8, 64) attributes {layout = #tile.blocked<vector = [1, 2], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>} {{{$}}
  tile.parallel (%i, %j) in (8, 64) attributes {layout = #one} {
    // CHECK: %{{.*}} = tile.read %{{.*}}[%{{.*}}, %{{.*}}] {in_bounds} : !tile.fragment<8x64xf32> -> f32{{$}}
    %x = tile.read %f[%i, %j] {in_bounds} : !tile.fragment<8x64xf32> -> f32
  }
  return
}

// CHECK-LABEL: func @elements
func.func @elements(%g: !tile.global<?x?xui8>, %s: !tile.shared<128xi4>, %b: !tile.global<?xi1>, %u: i8) {
  // CHECK: tile.parallel (%{{.*}}, %{{.*}}) in (8, 64) {{{$}}
  tile.parallel (%i, %j) in (8, 64) {
    // CHECK: %{{.*}} = tile.read %{{.*}}[%{{.*}}, %{{.*}}] : !tile.global<?x?xui8> -> i8{{$}}
    %x = tile.read %g[%i, %j] : !tile.global<?x?xui8> -> i8
    // CHECK: %{{.*}} = tile.read %{{.*}}[%{{.*}}] : !tile.shared<128xi4> -> i8{{$}}
    %y = tile.read %s[%i] : !tile.shared<128xi4> -> i8
    // CHECK: %{{.*}} = tile.read %{{.*}}[%{{.*}}] : !tile.global<?xi1> -> i1{{$}}
    %z = tile.read %b[%i] : !tile.global<?xi1> -> i1
    // CHECK: tile.write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tile.global<?x?xui8>{{$}}
    tile.write %x, %g[%i, %j] : !tile.global<?x?xui8>
    // CHECK: tile.write %{{.*}}, %{{.*}}[%{{.*}}] : !tile.shared<128xi4>{{$}}
    tile.write %y, %s[%i] : !tile.shared<128xi4>
    // CHECK: tile.update <add> %{{.*}}, %{{.*}}[%{{.*}}] : !tile.shared<128xi4>{{$}}
    tile.update <add> %y, %s[%i] : !tile.shared<128xi4>
    // CHECK: tile.update <sub> %{{.*}}, %{{.*}}[%{{.*}}] : !tile.shared<128xi4>{{$}}
    tile.update <sub> %y, %s[%i] : !tile.shared<128xi4>
    // CHECK: tile.update <mul> %{{.*}}, %{{.*}}[%{{.*}}] : !tile.shared<128xi4>{{$}}
    tile.update <mul> %y, %s[%i] : !tile.shared<128xi4>
    // CHECK: tile.update <max> %{{.*}}, %{{.*}}[%{{.*}}] : !tile.shared<128xi4>{{$}}
    tile.update <max> %y, %s[%i] : !tile.shared<128xi4>
    // CHECK: tile.update <min> %{{.*}}, %{{.*}}[%{{.*}}] {in_bounds} : !tile.shared<128xi4>{{$}}
    tile.update <min> %y, %s[%i] {in_bounds} : !tile.shared<128xi4>
    // CHECK: tile.assume %{{.*}}{{$}}
    tile.assume %z
    // CHECK: tile.assert %{{.*}}, "z"{{$}}
    tile.assert %z, "z"
    // CHECK: tile.print "element"(%{{.*}}, %{{.*}} : i8, i1) {is_unsigned = array<i1: true, false>}{{$}}
    tile.print "element"(%x, %z : i8, i1) {is_unsigned = array<i1: true, false>}
  }
  return
}

// CHECK-LABEL: func @block_wide
func.func @block_wide(%g: !tile.global<?xf16>, %s: !tile.shared<8x8xf64>, %f: !tile.fragment<8xtf32>, %i: i64, %h: f16, %d: f64, %t: tf32) {
  // CHECK: %{{.*}} = tile.read_scalar %{{.*}}[%{{.*}}] : !tile.global<?xf16> -> f16{{$}}
  %a = tile.read_scalar %g[%i] : !tile.global<?xf16> -> f16
  // CHECK: %{{.*}} = tile.read_scalar %{{.*}}[%{{.*}}, %{{.*}}] : !tile.shared<8x8xf64> -> f64{{$}}
  %b = tile.read_scalar %s[%i, %i] : !tile.shared<8x8xf64> -> f64
  // CHECK: %{{.*}} = tile.read_scalar %{{.*}}[%{{.*}}] : !tile.fragment<8xtf32> -> tf32{{$}}
  %c = tile.read_scalar %f[%i] : !tile.fragment<8xtf32> -> tf32
  // CHECK: tile.write_scalar %{{.*}}, %{{.*}}[%{{.*}}] : !tile.global<?xf16>{{$}}
  tile.write_scalar %h, %g[%i] : !tile.global<?xf16>
  // CHECK: tile.write_scalar %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !tile.shared<8x8xf64>{{$}}
  tile.write_scalar %d, %s[%i, %i] : !tile.shared<8x8xf64>
  // CHECK: %{{.*}} = tile.insert %{{.*}}, %{{.*}}[%{{.*}}] : !tile.fragment<8xtf32>{{$}}
  %e = tile.insert %t, %f[%i] : !tile.fragment<8xtf32>
  // CHECK: tile.atomic <add> %{{.*}}, %{{.*}}[%{{.*}}] : !tile.global<?xf16>{{$}}
  tile.atomic <add> %h, %g[%i] : !tile.global<?xf16>
  // CHECK: tile.print "block"{{$}}
  tile.print "block"
  return
}
