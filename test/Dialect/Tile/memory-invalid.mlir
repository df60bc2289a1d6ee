// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null
// The label above a case is the constraint of the op's description that it breaks.

// global_c1
func.func @f(%p: !tile.ptr<f16>) {
  // expected-error @+1 {{has 1 sizes and 1 strides, but the result has rank 2}}
  %g = tile.global %p sizes [64] strides [1] : !tile.ptr<f16> -> !tile.global<64x64xf16>
  return
}

// -----

// global_c2
func.func @f(%p: !tile.ptr<f16>) {
  // expected-error @+1 {{has sizes 64x32, but the result is 64x?}}
  %g = tile.global %p sizes [64, 32] strides [32, 1] : !tile.ptr<f16> -> !tile.global<64x?xf16>
  return
}

// -----

// global_c3
func.func @f(%p: !tile.ptr<f16>) {
  // expected-error @+1 {{an element of the pointer has type 'f16', but of the result has type 'f32'}}
  %g = tile.global %p sizes [64] strides [1] : !tile.ptr<f16> -> !tile.global<64xf32>
  return
}

// -----

// global_c4
func.func @f(%p: !tile.ptr<f16>) {
  // expected-error @+1 {{strides are not negative, got -1}}
  %g = tile.global %p sizes [64] strides [-1] : !tile.ptr<f16> -> !tile.global<64xf16>
  return
}

// -----

// global_c5
// The number that stands for a dynamic one, written out.
func.func @f(%p: !tile.ptr<f16>, %n: i64) {
  // expected-error @+1 {{has 1 dynamic strides, but 0 operands for them}}
  %g = tile.global %p sizes [%n] strides [-9223372036854775808] : !tile.ptr<f16> -> !tile.global<?xf16>
  return
}

// -----

// global_c5
func.func @f(%p: !tile.ptr<f16>, %n: i64) {
  // expected-error @+1 {{has 1 dynamic sizes, but 0 operands for them}}
  %g = tile.global %p sizes [-9223372036854775808] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
  return
}

// -----

// window_c5
func.func @f(%g: !tile.global<?xf16>, %i: i64) {
  // expected-error @+1 {{has 1 dynamic sizes, but 0 operands for them}}
  %w = tile.window %g[%i] sizes [-9223372036854775808] : !tile.global<?xf16> -> !tile.global<?xf16>
  return
}

// -----

// window_c1
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{has 1 offsets and 2 sizes, but the base has rank 2}}
  %w = tile.window %g[%i] sizes [8, 64] : !tile.global<?x64xf16> -> !tile.global<8x64xf16>
  return
}

// -----

// window_c2
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{'drop' must list dimensions below 2 in ascending order, got 0}}
  %w = tile.window %g[%i, %i] sizes [1, 1] drop [1, 0] : !tile.global<?x64xf16> -> !tile.global<f16>
  return
}

// -----

// window_c3
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{drops dimension 0, whose size is not 1}}
  %w = tile.window %g[%i, %i] sizes [2, 64] drop [0] : !tile.global<?x64xf16> -> !tile.global<64xf16>
  return
}

// -----

// window_c4
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{keeps sizes 8x64, but the result is 64}}
  %w = tile.window %g[%i, %i] sizes [8, 64] : !tile.global<?x64xf16> -> !tile.global<64xf16>
  return
}

// -----

// window_c4
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{an element of the base has type 'f16', but of the result has type 'f32'}}
  %w = tile.window %g[%i, %i] sizes [8, 64] : !tile.global<?x64xf16> -> !tile.global<8x64xf32>
  return
}

// -----

// shared_c1
func.func @f() {
  // expected-error @+1 {{'offset' must be a multiple of 16 from 0 up, got 8}}
  %s = tile.shared {offset = 8 : i64} : !tile.shared<8xf16>
  return
}

// -----

// subview_c1
func.func @f(%s: !tile.shared<128x32xf16>, %i: i64) {
  // expected-error @+1 {{has 1 offsets and 2 extents, but the base has rank 2}}
  %v = tile.subview %s[%i] extents [16, 32] : !tile.shared<128x32xf16> -> !tile.shared<16x32xf16>
  return
}

// -----

// subview_c2
func.func @f(%s: !tile.shared<128x32xf16>, %i: i64) {
  // expected-error @+1 {{drops dimension 0, whose extent is not 1}}
  %v = tile.subview %s[%i, %i] extents [16, 32] drop [0] : !tile.shared<128x32xf16> -> !tile.shared<32xf16>
  return
}

// -----

// subview_c3
func.func @f(%s: !tile.shared<128x32xf16>, %i: i64) {
  // expected-error @+1 {{keeps extents 16x32, but the result is 32}}
  %v = tile.subview %s[%i, %i] extents [16, 32] : !tile.shared<128x32xf16> -> !tile.shared<32xf16>
  return
}

// -----

// subview_c3
func.func @f(%s: !tile.shared<128x32xf16>, %i: i64) {
  // expected-error @+1 {{an element of the base has type 'f16', but of the result has type 'bf16'}}
  %v = tile.subview %s[%i, %i] extents [16, 32] : !tile.shared<128x32xf16> -> !tile.shared<16x32xbf16>
  return
}

// -----

// subview_c4
func.func @f(%s: !tile.shared<128x32xf16>, %i: i64) {
  // expected-error @+1 {{takes a region 16x64 of a tile 128x32}}
  %v = tile.subview %s[%i, %i] extents [16, 64] : !tile.shared<128x32xf16> -> !tile.shared<16x64xf16>
  return
}

// -----

// fragment_c1
func.func @f(%v: f16) {
  // expected-error @+1 {{'init' has type 'f16', but a loaded element has type 'f32'}}
  %a = "tile.fragment"(%v) : (f16) -> !tile.fragment<8xf32>
  return
}

// -----

// load_c1
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{has 1 offsets and 2 extents, but the source has rank 2}}
  %a = tile.load %g[%i] extents [8, 64] : !tile.global<?x64xf16> -> !tile.fragment<8x64xf16>
  return
}

// -----

// load_c1
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{has extent 0, but extents are positive}}
  %a = tile.load %g[%i, %i] extents [0, 64] : !tile.global<?x64xf16> -> !tile.fragment<8x64xf16>
  return
}

// -----

// load_c2
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{the region is 8x64, but the result is 64x8}}
  %a = tile.load %g[%i, %i] extents [8, 64] : !tile.global<?x64xf16> -> !tile.fragment<64x8xf16>
  return
}

// -----

// load_c3
func.func @f(%g: !tile.global<?x64xf16>, %i: i64) {
  // expected-error @+1 {{an element of the source has type 'f16', but of the result has type 'f32'}}
  %a = tile.load %g[%i, %i] extents [8, 64] : !tile.global<?x64xf16> -> !tile.fragment<8x64xf32>
  return
}

// -----

// load_c4
func.func @f(%s: !tile.shared<8xf16>, %i: i64, %v: f16) {
  // expected-error @+1 {{has a 'pad', but reads no tensor}}
  %a = tile.load %s[%i] extents [8] pad(%v) : !tile.shared<8xf16> -> !tile.fragment<8xf16>
  return
}

// -----

// load_c5
func.func @f(%g: !tile.global<?xf16>, %i: i64, %v: f32) {
  // expected-error @+1 {{'pad' has type 'f32', but a loaded element has type 'f16'}}
  %a = "tile.load"(%g, %i, %v) <{extents = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1>}>
    : (!tile.global<?xf16>, i64, f32) -> !tile.fragment<8xf16>
  return
}

// -----

// store_c1
func.func @f(%a: !tile.fragment<8xf16>, %s: !tile.shared<8xf16>, %i: i64) {
  // expected-error @+1 {{has 2 offsets and 1 extents, but the destination has rank 1}}
  tile.store %a, %s[%i, %i] extents [8] : !tile.fragment<8xf16> -> !tile.shared<8xf16>
  return
}

// -----

// store_c2
func.func @f(%a: !tile.fragment<8xf16>, %s: !tile.shared<16xf16>, %i: i64) {
  // expected-error @+1 {{the region is 16, but the value is 8}}
  tile.store %a, %s[%i] extents [16] : !tile.fragment<8xf16> -> !tile.shared<16xf16>
  return
}

// -----

// store_c3
func.func @f(%a: !tile.fragment<8xf32>, %s: !tile.shared<8xf16>, %i: i64) {
  // expected-error @+1 {{an element of the value has type 'f32', but of the destination has type 'f16'}}
  tile.store %a, %s[%i] extents [8] : !tile.fragment<8xf32> -> !tile.shared<8xf16>
  return
}

// -----

// copy_c1
func.func @f(%g: !tile.global<?xf16>, %s: !tile.shared<8xf16>, %i: i64) {
  // expected-error @+1 {{has 1 offsets and 2 extents, but the source has rank 1}}
  tile.copy %g[%i] extents [8, 1], %s[%i] extents [8] : !tile.global<?xf16> -> !tile.shared<8xf16>
  return
}

// -----

// copy_c1
func.func @f(%g: !tile.global<?xf16>, %s: !tile.shared<8xf16>, %i: i64) {
  // expected-error @+1 {{has 0 offsets and 1 extents, but the destination has rank 1}}
  tile.copy %g[%i] extents [8], %s[] extents [8] : !tile.global<?xf16> -> !tile.shared<8xf16>
  return
}

// -----

// copy_c2
func.func @f(%g: !tile.global<?xf16>, %s: !tile.shared<8xf16>, %i: i64) {
  // expected-error @+1 {{the source's region is 4, but the destination's is 8}}
  tile.copy %g[%i] extents [4], %s[%i] extents [8] : !tile.global<?xf16> -> !tile.shared<8xf16>
  return
}

// -----

// copy_c3
func.func @f(%s: !tile.shared<8xf16>, %i: i64, %v: f16) {
  // expected-error @+1 {{has a 'pad', but reads no tensor}}
  tile.copy %s[%i] extents [8] pad(%v), %s[%i] extents [8] : !tile.shared<8xf16> -> !tile.shared<8xf16>
  return
}

// -----

// copy_c4
func.func @f(%g: !tile.global<?xf16>, %s: !tile.shared<8xf32>, %i: i64, %v: f16) {
  // expected-error @+1 {{'pad' has type 'f16', but a loaded element has type 'f32'}}
  "tile.copy"(%g, %i, %v, %s, %i) <{source_extents = array<i64: 8>, dest_extents = array<i64: 8>,
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!tile.global<?xf16>, i64, f16, !tile.shared<8xf32>, i64) -> ()
  return
}

// -----

// copy_c5
func.func @f(%g: !tile.global<?xf16>, %s: !tile.shared<8xf32>, %i: i64) {
  // expected-error @+1 {{by 'bulk' goes from a tensor to a shared tile of its element type}}
  tile.copy %g[%i] extents [8], %s[%i] extents [8] {path = #tile.path<bulk>} : !tile.global<?xf16> -> !tile.shared<8xf32>
  return
}

// -----

// fill_c1
func.func @f(%g: !tile.global<?xf16>, %i: i64, %v: f16) {
  // expected-error @+1 {{has extent -4, but extents are positive}}
  tile.fill %v, %g[%i] extents [-4] : !tile.global<?xf16>
  return
}

// -----

// extract_slice_c1
func.func @f(%a: !tile.fragment<8x4xf16>, %i: i64) {
  // expected-error @+1 {{has 2 offsets and 1 extents, but the source has rank 2}}
  %b = tile.extract_slice %a[%i, %i] extents [4] : !tile.fragment<8x4xf16> -> !tile.fragment<4xf16>
  return
}

// -----

// extract_slice_c2
func.func @f(%a: !tile.fragment<8x4xf16>, %i: i64) {
  // expected-error @+1 {{the region is 2x4, but the result is 4}}
  %b = tile.extract_slice %a[%i, %i] extents [2, 4] : !tile.fragment<8x4xf16> -> !tile.fragment<4xf16>
  return
}

// -----

// extract_slice_c3
func.func @f(%a: !tile.fragment<8x4xf16>, %i: i64) {
  // expected-error @+1 {{an element of the source has type 'f16', but of the result has type 'f32'}}
  %b = tile.extract_slice %a[%i, %i] extents [1, 4] : !tile.fragment<8x4xf16> -> !tile.fragment<4xf32>
  return
}

// -----

// extract_slice_c4
func.func @f(%a: !tile.fragment<8x4xf16>, %i: i64) {
  // expected-error @+1 {{takes a region 1x8 of a tile 8x4}}
  %b = tile.extract_slice %a[%i, %i] extents [1, 8] : !tile.fragment<8x4xf16> -> !tile.fragment<8xf16>
  return
}

// -----

// insert_slice_c1
func.func @f(%a: !tile.fragment<8x4xf16>, %b: !tile.fragment<4xf16>, %i: i64) {
  // expected-error @+1 {{has 1 offsets and 2 extents, but the destination has rank 2}}
  %c = tile.insert_slice %b, %a[%i] extents [1, 4] : !tile.fragment<4xf16> -> !tile.fragment<8x4xf16>
  return
}

// -----

// insert_slice_c2
func.func @f(%a: !tile.fragment<8x4xf16>, %b: !tile.fragment<4xf16>, %i: i64) {
  // expected-error @+1 {{the region is 2x4, but the value is 4}}
  %c = tile.insert_slice %b, %a[%i, %i] extents [2, 4] : !tile.fragment<4xf16> -> !tile.fragment<8x4xf16>
  return
}

// -----

// insert_slice_c3
func.func @f(%a: !tile.fragment<8x4xf16>, %b: !tile.fragment<4xbf16>, %i: i64) {
  // expected-error @+1 {{an element of the value has type 'bf16', but of the destination has type 'f16'}}
  %c = tile.insert_slice %b, %a[%i, %i] extents [1, 4] : !tile.fragment<4xbf16> -> !tile.fragment<8x4xf16>
  return
}

// -----

// insert_slice_c4
func.func @f(%a: !tile.fragment<8x4xf16>, %b: !tile.fragment<8xf16>, %i: i64) {
  // expected-error @+1 {{takes a region 1x8 of a tile 8x4}}
  %c = tile.insert_slice %b, %a[%i, %i] extents [1, 8] : !tile.fragment<8xf16> -> !tile.fragment<8x4xf16>
  return
}

// -----

// reshape_c1
func.func @f(%a: !tile.fragment<8x4xf16>) {
  // expected-error @+1 {{the source is 8x4, but the result is 32}}
  %b = tile.reshape %a : !tile.fragment<8x4xf16> -> !tile.fragment<32xf16>
  return
}

// -----

// reshape_c2
func.func @f(%a: !tile.fragment<8xf16>) {
  // expected-error @+1 {{an element of the source has type 'f16', but of the result has type 'i16'}}
  %b = tile.reshape %a : !tile.fragment<8xf16> -> !tile.fragment<8x1xi16>
  return
}

// -----

// convert_c1
func.func @f(%a: !tile.fragment<8xf16>) {
  // expected-error @+1 {{the source is 8, but the result is 8x1}}
  %b = tile.convert %a : !tile.fragment<8xf16> -> !tile.fragment<8x1xf32>
  return
}

// -----

// atomic_tile_c1
func.func @f(%g: !tile.global<?xf32>, %v: f32) {
  // expected-error @+1 {{has 0 offsets and 1 extents, but the destination has rank 1}}
  tile.atomic_tile <add> %v, %g[] extents [8] : f32 -> !tile.global<?xf32>
  return
}

// -----

// atomic_tile_c2
func.func @f(%g: !tile.global<?xf32>, %a: !tile.fragment<4xf32>, %i: i64) {
  // expected-error @+1 {{the region is 8, but the value is 4}}
  tile.atomic_tile <add> %a, %g[%i] extents [8] : !tile.fragment<4xf32> -> !tile.global<?xf32>
  return
}

// -----

// atomic_tile_c3
func.func @f(%g: !tile.global<?xf32>, %a: !tile.fragment<8xf16>, %i: i64) {
  // expected-error @+1 {{an element of the value has type 'f16', but of the destination has type 'f32'}}
  tile.atomic_tile <add> %a, %g[%i] extents [8] : !tile.fragment<8xf16> -> !tile.global<?xf32>
  return
}

// -----

// atomic_tile_c3
func.func @f(%g: !tile.global<?xf32>, %v: f16, %i: i64) {
  // expected-error @+1 {{the value has type 'f16', but a loaded element has type 'f32'}}
  tile.atomic_tile <add> %v, %g[%i] extents [8] : f16 -> !tile.global<?xf32>
  return
}

// -----

// atomic_tile_c4
func.func @f(%g: !tile.global<?xi8>, %v: i8, %i: i64) {
  // expected-error @+1 {{no atomics on elements of type 'i8'}}
  tile.atomic_tile <add> %v, %g[%i] extents [8] : i8 -> !tile.global<?xi8>
  return
}
