// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null
// The label above a case is the constraint of the op's description that it breaks.

// kernel_c1
// expected-error @+1 {{has results: '(i64) -> i64'}}
tile.kernel @k(%n: i64) -> i64 {
  tile.grid (%b) in (%n) threads(32) {
  }
  tile.return
}

// -----

// kernel_c2
// expected-error @+1 {{argument 0 is a pointer without 'tile.access'}}
tile.kernel @k(%A: !tile.ptr<f32>, %n: i64) {
  tile.grid (%b) in (%n) threads(32) {
  }
  tile.return
}

// -----

// kernel_c3
// expected-error @+1 {{must hold exactly one 'tile.grid', got 0}}
tile.kernel @k(%n: i64) {
  tile.return
}

// -----

// kernel_c4
// expected-error @+1 {{argument 0 is no pointer, tensor map or scalar: '!tile.fragment<8xf32>'}}
tile.kernel @k(%f: !tile.fragment<8xf32>, %n: i64) {
  tile.grid (%b) in (%n) threads(32) {
  }
  tile.return
}

// -----

// grid_c1
tile.kernel @k(%n: i64) {
  // expected-error @+1 {{has 1 to 3 extents, got 4}}
  tile.grid (%x, %y, %z, %w) in (%n, %n, %n, %n) threads(32) {
  }
  tile.return
}

// -----

// grid_c2
tile.kernel @k(%n: i64) {
  // expected-error @+1 {{with 2 extents must have as many i64 block indices}}
  tile.grid (%x) in (%n, %n) threads(32) {
  }
  tile.return
}

// -----

// grid_c3
tile.kernel @k(%n: i64) {
  // expected-error @+1 {{'threads' must be a multiple of 32 from 32 to 1024, got 48}}
  tile.grid (%x) in (%n) threads(48) {
  }
  tile.return
}

// -----

// grid_c4
tile.kernel @k(%n: i64) {
  // expected-error @+1 {{'cluster' must have 1 extents, got 2}}
  tile.grid (%x) in (%n) threads(32) attributes {cluster = array<i64: 2, 2>} {
  }
  tile.return
}

// -----

// grid_c4
tile.kernel @k(%n: i64) {
  // expected-error @+1 {{'cluster' must have extents from 1 to 16, got 0}}
  tile.grid (%x) in (%n) threads(32) attributes {cluster = array<i64: 0>} {
  }
  tile.return
}

// -----

// grid_c4
tile.kernel @k(%n: i64) {
  // expected-error @+1 {{a cluster has at most 16 blocks, got 32}}
  tile.grid (%x, %y) in (%n, %n) threads(32) attributes {cluster = array<i64: 8, 4>} {
  }
  tile.return
}

// -----

// grid_c5
tile.kernel @k(%n: i64) {
  // expected-error @+1 {{must end its body in a 'tile.yield' without operands}}
  tile.grid (%x) in (%n) threads(32) {
    tile.yield %x : i64
  }
  tile.return
}

// -----

func.func @grid_parent(%n: i64) {
  // expected-error @+1 {{expects parent op 'tile.kernel'}}
  tile.grid (%x) in (%n) threads(32) {
  }
  return
}

// -----

// yield_c1
func.func @f(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{ends the body of a 'tile' op, not of 'scf.if'}}
    tile.yield
  }
  return
}

// -----

func.func @return_parent() {
  // expected-error @+1 {{expects parent op to be one of 'tile.kernel, tile.entry'}}
  tile.return
}

// -----

// expected-error @+1 {{'tile.stage' must be "tile", "layout", "schedule" or "nvvm", got "ptx"}}
module attributes {tile.stage = "ptx"} {
}

// -----

// expected-error @+1 {{'tile.target' must be a #tile.target, got "sm_80"}}
module attributes {tile.target = "sm_80"} {
}

// -----

func.func @stages(%n: i64) {
  // expected-error @+1 {{'tile.stages' must be a positive integer, got 0 : i64}}
  scf.for %i = %n to %n step %n : i64 {
  } {tile.stages = 0 : i64}
  return
}

// -----

// expected-error @+1 {{argument 0: 'tile.access' must be a #tile.access, got "in"}}
tile.kernel @k(%A: !tile.ptr<f32> {tile.access = "in"}, %n: i64) {
  tile.grid (%b) in (%n) threads(32) {
  }
  tile.return
}

// -----

// expected-error @+1 {{argument 0: 'tile.align' must be a power of two, got 12 : i64}}
tile.kernel @k(%A: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.align = 12 : i64}, %n: i64) {
  tile.grid (%b) in (%n) threads(32) {
  }
  tile.return
}

// -----

// expected-error @+1 {{argument 0: 'tile.name' must be a string, got 1 : i64}}
tile.kernel @k(%n: i64 {tile.name = 1 : i64}) {
  tile.grid (%b) in (%n) threads(32) {
  }
  tile.return
}

// -----

// expected-error @+1 {{'tile.stages' must be a positive integer, got "two"}}
func.func private @f() attributes {tile.stages = "two"}

// -----

// expected-error @+1 {{'tile.plan' must be a #tile.plan, got "uniform"}}
func.func private @f() attributes {tile.plan = "uniform"}

// -----

// expected-error @+1 {{'tile.stagse' is no attribute of the dialect here}}
module attributes {tile.stagse = "tile"} {
}

// -----

// expected-error @+1 {{argument 0: 'tile.stage' is no attribute of the dialect here}}
func.func private @f(i64 {tile.stage = "tile"})
