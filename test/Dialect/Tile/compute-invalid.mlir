// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null
// The label above a case is the constraint of the op's description that it breaks.

// gemm_c1
func.func @f(%a: !tile.shared<8xf16>, %b: !tile.shared<8x8xf16>) {
  // expected-error @+1 {{multiplies tiles of rank 2, got 8, 8x8 and 8x8}}
  %c = tile.gemm %a, %b : !tile.shared<8xf16>, !tile.shared<8x8xf16> -> !tile.fragment<8x8xf32>
  return
}

// -----

// gemm_c2
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<32x8xf16>) {
  // expected-error @+1 {{needs equal inner extents, got 8 of 'a' and 32 of 'b'}}
  %c = tile.gemm %a, %b : !tile.shared<16x8xf16>, !tile.shared<32x8xf16> -> !tile.fragment<16x8xf32>
  return
}

// -----

// gemm_c3
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<32x8xf16>) {
  // expected-error @+1 {{gives 16x32, but the result is 16x8}}
  %c = tile.gemm %a, %b {trans_b} : !tile.shared<16x8xf16>, !tile.shared<32x8xf16> -> !tile.fragment<16x8xf32>
  return
}

// -----

// gemm_c4
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<8x8xbf16>) {
  // expected-error @+1 {{cannot multiply 'f16' by 'bf16' into 'f32'}}
  %c = tile.gemm %a, %b : !tile.shared<16x8xf16>, !tile.shared<8x8xbf16> -> !tile.fragment<16x8xf32>
  return
}

// -----

// gemm_c5
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<8x8xf16>, %d: !tile.fragment<16x8xf16>) {
  // expected-error @+1 {{'acc' has type '!tile.fragment<16x8xf16>', but the result has type '!tile.fragment<16x8xf32>'}}
  %c = "tile.gemm"(%a, %b, %d) : (!tile.shared<16x8xf16>, !tile.shared<8x8xf16>, !tile.fragment<16x8xf16>)
    -> !tile.fragment<16x8xf32>
  return
}

// -----

// gemm_c6
func.func @f(%a: !tile.fragment<16x16xf16>, %b: !tile.fragment<16x8xf16>) {
  // expected-error @+1 {{multiplies 'f16' by 'f16' into 'f32', but #tile.instr<mma, m = 16, n = 8, k = 16, a = bf16, b = bf16, acc = f32> does not}}
  %c = tile.gemm %a, %b {instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = bf16, b = bf16, acc = f32>}
    : !tile.fragment<16x16xf16>, !tile.fragment<16x8xf16> -> !tile.fragment<16x8xf32>
  return
}

// -----

// gemm_c7
func.func @f(%a: !tile.fragment<64x16xf16>, %b: !tile.fragment<16x8xf16>) {
  // expected-error @+1 {{'b' is in registers, where #tile.instr<wgmma, m = 64, n = 8, k = 16, a = f16, b = f16, acc = f32> cannot take it from}}
  %c = tile.gemm %a, %b {instr = #tile.instr<wgmma, m = 64, n = 8, k = 16, a = f16, b = f16, acc = f32>}
    : !tile.fragment<64x16xf16>, !tile.fragment<16x8xf16> -> !tile.fragment<64x8xf32>
  return
}

// -----

// reduce_c1
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{'axis' must be a dimension of a tile of rank 2, got 2}}
  %r = tile.reduce <sum> %a axis 2 : !tile.fragment<16x8xf32> -> !tile.fragment<16xf32>
  return
}

// -----

// reduce_c2
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{leaves 8, but the result is 16}}
  %r = tile.reduce <sum> %a axis 0 : !tile.fragment<16x8xf32> -> !tile.fragment<16xf32>
  return
}

// -----

// reduce_c3
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{cannot fold elements of type 'f32' into 'f16'}}
  %r = tile.reduce <sum> %a axis 1 : !tile.fragment<16x8xf32> -> !tile.fragment<16xf16>
  return
}

// -----

// reduce_c3
func.func @f(%a: !tile.fragment<16x8xui8>) {
  // expected-error @+1 {{cannot fold elements of type 'ui8' into 'i32'}}
  %r = tile.reduce <sum> %a axis 1 : !tile.fragment<16x8xui8> -> !tile.fragment<16xi32>
  return
}

// -----

// reduce_c4
func.func @f(%a: !tile.fragment<16x8xf16>, %i: !tile.fragment<16xf16>) {
  // expected-error @+1 {{'init' has type '!tile.fragment<16xf16>', but the result has type '!tile.fragment<16xf32>'}}
  %r = "tile.reduce"(%a, %i) <{axis = 1 : i64, kind = #tile.reduce_kind<sum>}>
    : (!tile.fragment<16x8xf16>, !tile.fragment<16xf16>) -> !tile.fragment<16xf32>
  return
}

// -----

// reduce_c5
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{'nan_propagate' goes with max, min and absmax, not with 'sum'}}
  %r = tile.reduce <sum> %a axis 1 {nan_propagate} : !tile.fragment<16x8xf32> -> !tile.fragment<16xf32>
  return
}

// -----

// reduce_c2
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{leaves 16x1, but the result is 16}}
  %r = tile.reduce <sum> %a axis 1 {parts = #tile.parts<threads>} : !tile.fragment<16x8xf32> -> !tile.fragment<16xf32>
  return
}

// -----

// reduce_c6
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{with 'parts' has no 'init', and a result with the parts of the source's layout}}
  %r = tile.reduce <sum> %a axis 1 {parts = #tile.parts<threads>} : !tile.fragment<16x8xf32> -> !tile.fragment<16x4xf32>
  return
}

// -----

// scan_c1
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{'axis' must be a dimension of a tile of rank 2, got -1}}
  %r = tile.scan <sum> %a axis -1 : !tile.fragment<16x8xf32>
  return
}

// -----

// transpose_c1
func.func @f(%a: !tile.fragment<16xf32>) {
  // expected-error @+1 {{transposes tiles of rank 2, got 16}}
  %r = tile.transpose %a : !tile.fragment<16xf32> -> !tile.fragment<16xf32>
  return
}

// -----

// transpose_c2
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{gives 8x16, but the result is 16x8}}
  %r = tile.transpose %a : !tile.fragment<16x8xf32> -> !tile.fragment<16x8xf32>
  return
}

// -----

// transpose_c3
func.func @f(%a: !tile.fragment<16x8xf32>) {
  // expected-error @+1 {{an element of the source has type 'f32', but of the result has type 'f16'}}
  %r = tile.transpose %a : !tile.fragment<16x8xf32> -> !tile.fragment<8x16xf16>
  return
}

// -----

// cast_c1
func.func @f(%v: f32) {
  // expected-error @+1 {{converts a float to an integer, f8E4M3FN or f8E5M2, not to 'f16'}}
  %r = tile.cast %v : f32 -> f16
  return
}

// -----

// cast_c2
func.func @f(%v: f32) {
  // expected-error @+1 {{'is_unsigned' goes with an integer result, got 'f8E5M2'}}
  %r = tile.cast %v {is_unsigned} : f32 -> f8E5M2
  return
}
