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

// -----

// Two warps share a row: what they have must meet in shared memory.
#wide = #tile.blocked<vector = [1, 2], lanes = [8, 4], warps = [1, 2], reps = [1, 1]>
!F = !tile.fragment<8x16xf32, #wide>
!M = !tile.fragment<8xf32, #tile.rows<#wide, axis = 1>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(64) {
      %f = tile.fragment %v : !F
      // expected-error@+1 {{has no lowering to stage nvvm: several warps share a row}}
      %m = tile.reduce <sum> %f axis 1 : !F -> !M
    }
    tile.return
  }
}

// -----

#lanes = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [2]>
#vectors = #tile.blocked<vector = [2], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %v: f32) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment %v : !tile.fragment<64xf32, #vectors>
      // expected-error@+1 {{has no lowering to stage nvvm: it needs an exchange between threads}}
      %g = tile.convert %f : !tile.fragment<64xf32, #vectors> -> !tile.fragment<64xf32, #lanes>
    }
    tile.return
  }
}

// -----

// The result is spread as multiply-add would have it.
#acc = #tile.blocked<vector = [1, 1], lanes = [4, 8], warps = [1, 1], reps = [4, 1]>
!A = !tile.shared<16x16xf16, #tile.strided<[16, 1]>>
!B = !tile.shared<16x8xf16, #tile.strided<[8, 1]>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      %a = tile.shared {offset = 0 : i64} : !A
      %w = tile.shared {offset = 1024 : i64} : !B
      // expected-error@+1 {{has no lowering to stage nvvm: no mma.sync multiplies these types into this layout}}
      %c = tile.gemm %a, %w {instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>} : !A, !B -> !tile.fragment<16x8xf32, #acc>
    }
    tile.return
  }
}

// -----

#acc = #tile.mma<acc, bits = 32, warps = [1, 1], reps = [1, 1]>
#rows = #tile.blocked<vector = [1, 8], lanes = [16, 2], warps = [1, 1], reps = [1, 1]>
!A = !tile.fragment<16x16xf16, #rows>
!B = !tile.shared<16x8xf16, #tile.strided<[8, 1]>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %v: f16) {
    tile.grid (%b) in (%n) threads(32) {
      %a = tile.fragment %v : !A
      %w = tile.shared {offset = 1024 : i64} : !B
      // expected-error@+1 {{has no lowering to stage nvvm: an operand has another layout than the instruction}}
      %c = tile.gemm %a, %w {instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>} : !A, !B -> !tile.fragment<16x8xf32, #acc>
    }
    tile.return
  }
}

// -----

!S = !tile.shared<32xf32, #tile.strided<[1]>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %c: i1) {
    tile.grid (%b) in (%n) threads(32) {
      %s = tile.shared {offset = 0 : i64} : !S
      %t = tile.shared {offset = 128 : i64} : !S
      // expected-error@+1 {{has no lowering to stage nvvm: what it chooses is in memory}}
      %u = scf.if %c -> (!S) {
        scf.yield %s : !S
      } else {
        scf.yield %t : !S
      }
    }
    tile.return
  }
}

// -----

!S = !tile.shared<32xf32, #tile.strided<[1]>>
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @k(%n: i64, %c: i1) {
    tile.grid (%b) in (%n) threads(32) {
      %s = tile.shared {offset = 0 : i64} : !S
      %t = tile.shared {offset = 128 : i64} : !S
      // expected-error@+1 {{has no lowering to stage nvvm: what it chooses is in memory}}
      %u = arith.select %c, %s, %t : !S
    }
    tile.return
  }
}
