// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null
// The label above a case is the constraint of the op's description that it breaks.

// roles_c1
func.func @f() {
  // expected-error @+1 {{with 0 roles must have as many names, warps and registers}}
  tile.roles
  return
}

// -----

// roles_c1
func.func @f() {
  // expected-error @+1 {{with 1 roles must have as many names, warps and registers}}
  "tile.roles"() <{names = ["a"], warps = array<i64: 4>, registers = array<i64>}> ({
    tile.yield
  }) : () -> ()
  return
}

// -----

// roles_c2
func.func @f() {
  // expected-error @+1 {{must have different names that are not empty, got 'a'}}
  tile.roles role "a" warps(4) registers(0) {
    tile.yield
  } role "a" warps(4) registers(0) {
    tile.yield
  }
  return
}

// -----

// roles_c3
func.func @f() {
  // expected-error @+1 {{must have 1 to 32 warps in all, at least one a role}}
  tile.roles role "a" warps(30) registers(0) {
    tile.yield
  } role "b" warps(4) registers(0) {
    tile.yield
  }
  return
}

// -----

// roles_c3
func.func @f() {
  // expected-error @+1 {{role 'a' sets registers, so its warps come in fours, got 2}}
  tile.roles role "a" warps(2) registers(24) {
    tile.yield
  }
  return
}

// -----

// roles_c4
func.func @f() {
  // expected-error @+1 {{registers must be 0, or a multiple of 8 from 24 to 256, got 20}}
  tile.roles role "a" warps(4) registers(20) {
    tile.yield
  }
  return
}

// -----

// roles_c5
func.func @f(%a: !tile.fragment<8xf32>) {
  tile.roles role "a" warps(4) registers(0) {
    // expected-error @+1 {{uses a '!tile.fragment<8xf32>' from outside its role}}
    %b = tile.convert %a : !tile.fragment<8xf32> -> !tile.fragment<8xf16>
    tile.yield
  }
  return
}

// -----

// roles_c5
func.func @f(%r: !tile.ring<8xf16>, %i: i64, %v: f16) {
  %s = tile.ring.get %r : !tile.ring<8xf16> -> !tile.shared<8xf16>
  tile.roles role "a" warps(4) registers(0) {
    // expected-error @+1 {{uses a '!tile.shared<8xf16>' from outside its role}}
    tile.fill %v, %s[%i] extents [8] : !tile.shared<8xf16>
    tile.yield
  }
  return
}

// -----

// roles_c6
func.func @f(%i: i64) {
  // expected-error @+1 {{must end its body in a 'tile.yield' without operands}}
  tile.roles role "a" warps(4) registers(0) {
    tile.yield %i : i64
  }
  return
}

// -----

// roles_c7
func.func @f() {
  tile.roles role "a" warps(4) registers(0) {
    // expected-error @+1 {{must not be inside another 'tile.roles'}}
    tile.roles role "b" warps(4) registers(0) {
      tile.yield
    }
    tile.yield
  }
  return
}

// -----

// gate_c1
func.func @f() {
  // expected-error @+1 {{must have at least 2 members, got 1}}
  %g = tile.gate members(1)
  return
}

// -----

// gate_enter_c1
func.func @f(%g: !tile.gate) {
  // expected-error @+1 {{must be followed by a 'tile.gate.leave' of the gate in its block}}
  tile.gate.enter %g
  return
}

// -----

// gate_leave_c1
func.func @f(%g: !tile.gate, %h: !tile.gate) {
  tile.gate.enter %g
  tile.gate.leave %g
  // expected-error @+1 {{must follow a 'tile.gate.enter' of the gate in its block}}
  tile.gate.leave %h
  return
}

// -----

// decode_c1
func.func @f(%t: i64) {
  // expected-error @+1 {{has 1 to 3 extents, got 4}}
  %a, %b, %c, %d = tile.decode %t in (%t, %t, %t, %t)
  return
}

// -----

// decode_c2
func.func @f(%t: i64) {
  // expected-error @+1 {{has 2 extents, but 1 results}}
  %a = "tile.decode"(%t, %t, %t) : (i64, i64, i64) -> i64
  return
}

// -----

// barrier_c1
func.func @f() {
  // expected-error @+1 {{'named' and 'threads' come together}}
  tile.barrier named(1)
  return
}

// -----

// barrier_c2
func.func @f() {
  // expected-error @+1 {{the number must be 1 to 15, got 16}}
  tile.barrier named(16) threads(128)
  return
}

// -----

// barrier_c2
func.func @f() {
  // expected-error @+1 {{'threads' must be a multiple of 32 from 32 to 1024, got 100}}
  tile.barrier named(1) threads(100)
  return
}

// -----

// barrier_c3
func.func @f() {
  // expected-error @+1 {{'per_group' goes with 128 threads}}
  tile.barrier named(1) threads(256) {per_group}
  return
}
