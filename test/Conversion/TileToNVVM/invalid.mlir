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
      // expected-error@+1 {{has no lowering to stage nvvm: it has no place in shared memory}}
      %s = tile.shared : !tile.shared<32xf32, #tile.strided<[1]>>
    }
    tile.return
  }
}

// -----

module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error@+1 {{has no lowering to stage nvvm: rows of 64 bytes are not swizzled by 32}}
      %s = tile.shared {offset = 0 : i64} : !tile.shared<32x32xf16, #tile.panels<32, sw32>>
    }
    tile.return
  }
}

// -----

#lanes = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !tile.fragment<32xf32, #lanes>
      // expected-error@+1 {{has no lowering to stage nvvm: the element is in a register}}
      %x = tile.read_scalar %f[%b] : !tile.fragment<32xf32, #lanes> -> f32
    }
    tile.return
  }
}

// -----

// Neighbours are in other threads.
#lanes = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
#vectors = #tile.blocked<vector = [2], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !tile.fragment<64xf32, #vectors>
      tile.parallel (%i) in (32) attributes {layout = #lanes} {
        // expected-error@+1 {{has no lowering to stage nvvm: the thread of an iteration does not hold the element of the fragment}}
        %x = tile.read %f[%i] : !tile.fragment<64xf32, #vectors> -> f32
      }
    }
    tile.return
  }
}

// -----

// Each lane has other columns of a row, and all of them hold the row's value.
#tile2 = #tile.blocked<vector = [1, 1], lanes = [8, 4], warps = [1, 1], reps = [1, 1]>
#row = #tile.rows<#tile2, axis = 1>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !tile.fragment<8xf32, #row>
      %g = tile.parallel (%i, %j) in (8, 4) updates(%r = %f : !tile.fragment<8xf32, #row>) attributes {layout = #tile2} {
        // expected-error@+1 {{has no lowering to stage nvvm: threads that hold one element of the fragment run different iterations}}
        tile.update <add> %v, %r[%i] : !tile.fragref<8xf32, #row>
      }
    }
    tile.return
  }
}

// -----

// The columns of a row are registers of one thread.
#tile2 = #tile.blocked<vector = [1, 4], lanes = [32, 1], warps = [1, 1], reps = [1, 1]>
#row = #tile.rows<#tile2, axis = 1>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !tile.fragment<32xf32, #row>
      %g = tile.parallel (%i, %j) in (32, 4) updates(%r = %f : !tile.fragment<32xf32, #row>) attributes {layout = #tile2} {
        // expected-error@+1 {{has no lowering to stage nvvm: several iterations of a thread change one element of the fragment}}
        tile.write %v, %r[%i] : !tile.fragref<32xf32, #row>
      }
    }
    tile.return
  }
}
