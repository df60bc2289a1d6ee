// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null
// The label above a case is the constraint of the op's description that it breaks.

// gemm_start_c1
func.func @f(%a: !tile.shared<8xf16>, %b: !tile.shared<8x8xf16>) {
  // expected-error @+1 {{multiplies tiles of rank 2, got 8, 8x8 and 8x8}}
  %p = tile.gemm.start %a, %b : !tile.shared<8xf16>, !tile.shared<8x8xf16> -> !tile.pending<8x8xf32>
  return
}

// -----

// gemm_start_c2
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<32x8xf16>) {
  // expected-error @+1 {{cannot multiply 16x8 by 32x8 into 16x32}}
  %p = tile.gemm.start %a, %b : !tile.shared<16x8xf16>, !tile.shared<32x8xf16> -> !tile.pending<16x32xf32>
  return
}

// -----

// gemm_start_c3
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<8x32xf16>) {
  // expected-error @+1 {{cannot multiply 'f16' by 'f16' into 'i32'}}
  %p = tile.gemm.start %a, %b : !tile.shared<16x8xf16>, !tile.shared<8x32xf16> -> !tile.pending<16x32xi32>
  return
}

// -----

// gemm_start_c4
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<8x32xf16>, %c: !tile.fragment<32x16xf32>) {
  // expected-error @+1 {{'acc', waited for, has type '!tile.fragment<32x16xf32>', but the result has type '!tile.fragment<16x32xf32>'}}
  %p = tile.gemm.start %a, %b acc(%c : !tile.fragment<32x16xf32>)
    : !tile.shared<16x8xf16>, !tile.shared<8x32xf16> -> !tile.pending<16x32xf32>
  return
}

// -----

// gemm_start_c5
func.func @f(%a: !tile.shared<64x16xf16>, %b: !tile.fragment<16x8xf16>) {
  // expected-error @+1 {{'b' is in registers, where #tile.instr<wgmma, m = 64, n = 8, k = 16, a = f16, b = f16, acc = f32> cannot take it from}}
  %p = tile.gemm.start %a, %b {instr = #tile.instr<wgmma, m = 64, n = 8, k = 16, a = f16, b = f16, acc = f32>}
    : !tile.shared<64x16xf16>, !tile.fragment<16x8xf16> -> !tile.pending<64x8xf32>
  return
}

// -----

// gemm_start_c6
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<8x32xf16>) -> !tile.pending<16x32xf32> {
  // expected-error @+1 {{registers in flight are used by 'func.return'}}
  %p = tile.gemm.start %a, %b : !tile.shared<16x8xf16>, !tile.shared<8x32xf16> -> !tile.pending<16x32xf32>
  return %p : !tile.pending<16x32xf32>
}

// -----

// gemm_start_c6
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<8x32xf16>) {
  // expected-error @+1 {{registers in flight are consumed twice, by 'tile.gemm.wait' and by 'tile.gemm.wait'}}
  %p = tile.gemm.start %a, %b : !tile.shared<16x8xf16>, !tile.shared<8x32xf16> -> !tile.pending<16x32xf32>
  %c = tile.gemm.wait %p : !tile.pending<16x32xf32> -> !tile.fragment<16x32xf32>
  %d = tile.gemm.wait %p : !tile.pending<16x32xf32> -> !tile.fragment<16x32xf32>
  return
}

// -----

// On two sides of a condition it is consumed once.
func.func @f(%a: !tile.shared<16x8xf16>, %b: !tile.shared<8x32xf16>, %if: i1) {
  %p = tile.gemm.start %a, %b : !tile.shared<16x8xf16>, !tile.shared<8x32xf16> -> !tile.pending<16x32xf32>
  scf.if %if {
    %c = tile.gemm.wait %p : !tile.pending<16x32xf32> -> !tile.fragment<16x32xf32>
  } else {
    %d = tile.gemm.wait %p : !tile.pending<16x32xf32> -> !tile.fragment<16x32xf32>
  }
  return
}

// -----

// gemm_start_c7
func.func @f(%a: !tile.fragment<16x16xf16>, %b: !tile.fragment<16x8xf16>) {
  // expected-error @+1 {{#tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32> completes at once: 'tile.gemm' it is}}
  %p = tile.gemm.start %a, %b {instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>}
    : !tile.fragment<16x16xf16>, !tile.fragment<16x8xf16> -> !tile.pending<16x8xf32>
  return
}

// -----

// gemm_wait_c1
func.func @f(%v: f32) {
  // expected-error @+1 {{has nothing to wait for}}
  %w = "tile.gemm.wait"(%v) <{operandSegmentSizes = array<i32: 0, 1>}> : (f32) -> f32
  return
}

// -----

// gemm_wait_c2
func.func @f(%p: !tile.pending<16x8xf32>) {
  // expected-error @+1 {{returns ('!tile.fragment<16x8xf32>'), but has results ('!tile.fragment<8x16xf32>')}}
  %c = tile.gemm.wait %p : !tile.pending<16x8xf32> -> !tile.fragment<8x16xf32>
  return
}

// -----

// gemm_wait_c3
func.func @f(%p: !tile.pending<16x8xf32>, %s: !tile.shared<8xf16>) {
  // expected-error @+1 {{carries fragments and scalars, got '!tile.shared<8xf16>'}}
  %c, %d = tile.gemm.wait %p carry(%s) : !tile.pending<16x8xf32>, !tile.shared<8xf16>
    -> !tile.fragment<16x8xf32>, !tile.shared<8xf16>
  return
}

// -----

// gemm_wait_c4
func.func @f(%p: !tile.pending<16x8xf32>) {
  // expected-error @+1 {{'outstanding' must not be negative, got -1}}
  %c = tile.gemm.wait %p {outstanding = -1 : i64} : !tile.pending<16x8xf32> -> !tile.fragment<16x8xf32>
  return
}

// -----

// gemm_wait_read_c1
func.func @f() {
  // expected-error @+1 {{has nothing to wait for}}
  "tile.gemm.wait_read"() : () -> ()
  return
}

// -----

// gemm_wait_read_c2
func.func @f(%p: !tile.pending<16x8xf32>) {
  // expected-error @+1 {{'outstanding' must not be negative, got -2}}
  tile.gemm.wait_read %p {outstanding = -2 : i64} : !tile.pending<16x8xf32>
  return
}

// -----

// bulk_store_start_c1
func.func @f(%s: !tile.shared<8xf16>, %g: !tile.global<?xf16>) {
  // expected-error @+1 {{has 0 offsets and 1 extents, but the destination has rank 1}}
  %t = tile.bulk_store.start %s, %g[] extents [8] : !tile.shared<8xf16> -> !tile.global<?xf16>
  return
}

// -----

// bulk_store_start_c2
func.func @f(%s: !tile.shared<8xf16>, %g: !tile.global<?xf16>, %i: i64) {
  // expected-error @+1 {{the region is 16, but the source is 8}}
  %t = tile.bulk_store.start %s, %g[%i] extents [16] : !tile.shared<8xf16> -> !tile.global<?xf16>
  return
}

// -----

// bulk_store_start_c3
func.func @f(%s: !tile.shared<8xf16>, %g: !tile.global<?xf32>, %i: i64) {
  // expected-error @+1 {{an element of the source has type 'f16', but of the destination has type 'f32'}}
  %t = tile.bulk_store.start %s, %g[%i] extents [8] : !tile.shared<8xf16> -> !tile.global<?xf32>
  return
}

// -----

// bulk_store_start_c4
func.func @f(%s: !tile.shared<8xf16>, %g: !tile.global<?xf16>, %i: i64) {
  // expected-error @+1 {{is never waited for}}
  %t = tile.bulk_store.start %s, %g[%i] extents [8] : !tile.shared<8xf16> -> !tile.global<?xf16>
  return
}

// -----

// bulk_store_wait_read_c1
func.func @f() {
  // expected-error @+1 {{has nothing to wait for}}
  "tile.bulk_store.wait_read"() : () -> ()
  return
}

// -----

// bulk_store_wait_read_c2
func.func @f(%t: !tile.token) {
  // expected-error @+1 {{'outstanding' must not be negative, got -1}}
  tile.bulk_store.wait_read %t {outstanding = -1 : i64}
  return
}
