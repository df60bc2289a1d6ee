// RUN: tile-opt %s -convert-tile-to-nvvm -split-input-file -verify-diagnostics

// expected-error@+1 {{the module names no target: set 'tile.target'}}
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
    }
    tile.return
  }
}

// -----

// expected-error@+1 {{unknown target 'sm_12'}}
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_12">} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
    }
    tile.return
  }
}

// -----

module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error@+1 {{has no lowering to stage nvvm}}
      %s = tile.shared {offset = 0 : i64} : !tile.shared<32xf32, #tile.strided<[1]>>
    }
    tile.return
  }
}
