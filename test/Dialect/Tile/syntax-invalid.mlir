// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null

// Parsers written by hand: what is missing is named where it is missing.

tile.kernel @k(%n: i64) {
  // expected-error @+1 {{expected 'in'}}
  tile.grid (%b) threads(32) {
  }
}

// -----

tile.kernel @k(%n: i64) {
  // expected-error @+1 {{expected 'threads'}}
  tile.grid (%b) in (%n) {
  }
}

// -----

// expected-error @+1 {{expected 'params'}}
tile.entry @e(%n: i64) {
}

// -----

func.func @f(%n: i64) {
  // expected-error @+1 {{use of undeclared SSA value name}}
  tile.parallel (%i) in (8) updates(%r = %nothing : !tile.fragment<8xf32>) {
  }
}

// -----

func.func @f(%n: !tile.shared<8xf32>) {
  // expected-error @+1 {{invalid kind of type specified}}
  tile.parallel (%i) in (8) updates(%r = %n : !tile.shared<8xf32>) {
  }
}

// -----

func.func @f(%r: !tile.ring<8xf16>) {
  // expected-error @+1 {{expected 'as'}}
  tile.ring.put %r : !tile.ring<8xf16> {
  }
}

// -----

func.func @f() {
  // expected-error @+1 {{expected 'warps'}}
  tile.roles role "a" registers(24) {
  }
}

// -----

func.func @f(%p: !tile.pending<8x8xf32>) {
  // expected-error @+1 {{expected '->'}}
  %c = tile.gemm.wait %p : !tile.pending<8x8xf32>
}

// -----

func.func @f(%p: !tile.pending<8x8xf32>) {
  // expected-error @+1 {{number of operands and types do not match: got 1 operands and 2 types}}
  %c = tile.gemm.wait %p : !tile.pending<8x8xf32>, f32 -> !tile.fragment<8x8xf32>
}

// -----

// A type that is no object where the scalar's type follows from it.
func.func @f(%v: f32) {
  // expected-error @+1 {{result #0 must be fragment, but got 'f32'}}
  %c = tile.fragment %v : f32
  return
}

// -----

func.func @f(%v: f32, %i: i64) {
  tile.parallel (%j) in (8) {
    // expected-error @+1 {{operand #0 must be tensor, shared tile or fragment, but got 'f32'}}
    %c = tile.read %v[%i] : f32 -> f32
  }
  return
}

// -----

// expected-error @+1 {{expected '>'}}
func.func private @f(!tile.fragment<8xf32 #tile.strided<[1]>>)

// -----

// expected-error @+2 {{expected '['}}
// expected-error @+1 {{failed to parse Tile_StridedAttr parameter 'strides'}}
func.func private @f(!tile.shared<8xf32, #tile.strided<1>>)
