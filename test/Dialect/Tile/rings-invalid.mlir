// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null
// The label above a case is the constraint of the op's description that it breaks.

// ring_c1
func.func @f() {
  // expected-error @+1 {{'depth' and 'readers' must be positive, got 0 and 1}}
  %r = tile.ring depth(0) put <bulk> get <wgmma> : !tile.ring<8xf16>
  return
}

// -----

// ring_c2
func.func @f() {
  // expected-error @+1 {{is put by 'generic', 'cp_async' or 'bulk', not by 'wgmma'}}
  %r = tile.ring depth(2) put <wgmma> get <wgmma> : !tile.ring<8xf16>
  return
}

// -----

// ring_c2
func.func @f() {
  // expected-error @+1 {{is got by 'generic', 'matrix', 'wgmma' or 'bulk', not by 'cp_async'}}
  %r = tile.ring depth(2) put <bulk> get <cp_async> : !tile.ring<8xf16>
  return
}

// -----

// ring_c3
func.func @f() {
  // expected-error @+1 {{'offset' must be a multiple of 16 from 0 up, got -16}}
  %r = tile.ring depth(2) put <bulk> get <wgmma> {offset = -16 : i64} : !tile.ring<8xf16>
  return
}

// -----

// ring_c3
func.func @f() {
  // expected-error @+1 {{'barrier_offset' must be a multiple of 8 from 0 up, got 4}}
  %r = tile.ring depth(2) put <bulk> get <wgmma> {barrier_offset = 4 : i64} : !tile.ring<8xf16>
  return
}

// -----

// ring_put_c1
func.func @f(%r: !tile.ring<8xf16>) {
  // expected-error @+1 {{must have a body with one argument of type '!tile.shared<8xf16>'}}
  "tile.ring.put"(%r) ({
  ^bb0(%slot: !tile.shared<16xf16>):
    tile.yield
  }) : (!tile.ring<8xf16>) -> ()
  return
}

// -----

// ring_put_c2
func.func @f(%r: !tile.ring<8xf16>) {
  // expected-error @+1 {{must write its slot}}
  tile.ring.put %r as %slot : !tile.ring<8xf16> {
  }
  return
}

// -----

// ring_put_c2
func.func @f(%r: !tile.ring<8xf16>, %v: f16, %i: i64) {
  tile.ring.put %r as %slot : !tile.ring<8xf16> {
    // expected-error @+1 {{reads a slot that nothing has written}}
    %a = tile.load %slot[%i] extents [8] : !tile.shared<8xf16> -> !tile.fragment<8xf16>
    tile.fill %v, %slot[%i] extents [8] : !tile.shared<8xf16>
  }
  return
}

// -----

// ring_put_c3
func.func @f(%r: !tile.ring<8xf16>, %q: !tile.ring<8xf16>, %v: f16, %i: i64) {
  tile.ring.put %r as %slot : !tile.ring<8xf16> {
    // expected-error @+1 {{works on a ring inside a 'tile.ring.put'}}
    tile.ring.advance %q, %i : !tile.ring<8xf16>
    tile.fill %v, %slot[%i] extents [8] : !tile.shared<8xf16>
  }
  return
}

// -----

// ring_put_c3
func.func @f(%r: !tile.ring<8xf16>, %v: f16, %i: i64) {
  // expected-error @+1 {{must end its body in a 'tile.yield' without operands}}
  tile.ring.put %r as %slot : !tile.ring<8xf16> {
    tile.fill %v, %slot[%i] extents [8] : !tile.shared<8xf16>
    tile.yield %v : f16
  }
  return
}

// -----

// ring_get_c1
func.func @f(%r: !tile.ring<8xf16>) {
  // expected-error @+1 {{the result has type '!tile.shared<4xf16>', but a slot has type '!tile.shared<8xf16>'}}
  %s = tile.ring.get %r : !tile.ring<8xf16> -> !tile.shared<4xf16>
  return
}

// -----

// ring_release_c1
func.func @f(%r: !tile.ring<8xf16>, %q: !tile.ring<8xf16>) {
  %s = tile.ring.get %r : !tile.ring<8xf16> -> !tile.shared<8xf16>
  // expected-error @+1 {{needs a slot that a 'tile.ring.get' of the same ring gave}}
  tile.ring.release %q, %s : !tile.ring<8xf16>, !tile.shared<8xf16>
  return
}

// -----

// ring_borrow_c1
func.func @f(%r: !tile.ring<8xf16>, %s: !tile.shared<8xf16>) {
  // expected-error @+1 {{needs a slot that a 'tile.ring.get' of the same ring gave}}
  %t = tile.ring.borrow %r, %s : !tile.ring<8xf16>, !tile.shared<8xf16> -> !tile.shared<4xf16>
  return
}

// -----

// ring_borrow_c2
func.func @f(%r: !tile.ring<8xf16>) {
  %s = tile.ring.get %r : !tile.ring<8xf16> -> !tile.shared<8xf16>
  // expected-error @+1 {{puts a tile of 32 bytes into a slot of 16}}
  %t = tile.ring.borrow %r, %s : !tile.ring<8xf16>, !tile.shared<8xf16> -> !tile.shared<8xf32>
  return
}
