// RUN: tile-opt %s --tile-verify-stage --split-input-file --verify-diagnostics -o /dev/null

// The label above a case is that of the rule in the table of StageVerifier.cpp.

// stage_s1
module attributes {tile.stage = "tile"} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{is of a dialect that kernels and launch programs do not use}}
      gpu.barrier
    }
    tile.return
  }
}

// -----

// stage_s2
module attributes {tile.stage = "tile"} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{has an index that is no i64: 'index'}}
      %i = arith.constant 0 : index
    }
    tile.return
  }
}

// -----

// stage_s3
module attributes {tile.stage = "tile"} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{has a type with a layout: '!tile.shared<8xf16, #tile.strided<[1]>>'}}
      %s = tile.shared : !tile.shared<8xf16, #tile.strided<[1]>>
    }
    tile.return
  }
}

// -----

// stage_s3
#one = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "tile"} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{has a layout: #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>}}
      tile.parallel (%i) in (32) attributes {layout = #one} {
      }
    }
    tile.return
  }
}

// -----

// stage_s4
module attributes {tile.stage = "tile"} {
  // expected-error @+1 {{has 'tile.plan'}}
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(32) {
    }
    tile.return
  }
}

// -----

// stage_s4
module attributes {tile.stage = "tile"} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{has 'offset'}}
      %s = tile.shared {offset = 0 : i64} : !tile.shared<8xf16>
    }
    tile.return
  }
}

// -----

// stage_s5
module attributes {tile.stage = "layout", tile.partial} {
  // expected-error @+1 {{has a type of stage schedule: '!tile.tensormap'}}
  tile.kernel @k(%n: i64, %m: !tile.tensormap) {
    tile.grid (%b) in (%n) threads(32) {
    }
    tile.return
  }
}

// -----

// stage_s6
module attributes {tile.stage = "layout", tile.partial} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{belongs to stage schedule}}
      tile.barrier
    }
    tile.return
  }
}

// -----

// stage_s7
module attributes {tile.stage = "layout"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{has a type without a layout: '!tile.fragment<8xf16>'}}
      %f = tile.fragment : !tile.fragment<8xf16>
    }
    tile.return
  }
}

// -----

// stage_s7
module attributes {tile.stage = "layout"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{has no layout}}
      tile.parallel (%i) in (32) {
      }
    }
    tile.return
  }
}

// -----

// stage_s8
#one = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "layout", tile.partial} {
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
      %f = tile.fragment : !tile.fragment<8xf16, #one>
      // expected-error @+1 {{has a layout that does not cover the extents: '!tile.fragment<33xf16}}
      %g = tile.fragment : !tile.fragment<33xf16, #one>
    }
    tile.return
  }
}

// -----

// stage_s9
#acc = #tile.wgmma_acc<n = 8, warpgroups = [1, 1], reps = [1, 1]>
#s = #tile.strided<[16, 1]>
module attributes {tile.stage = "layout"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 4>} {
    tile.grid (%b) in (%n) threads(128) {
      %a = tile.shared : !tile.shared<64x16xf16, #s>
      %bt = tile.shared : !tile.shared<8x16xf16, #s>
      // expected-error @+1 {{has no instruction}}
      %c = tile.gemm %a, %bt {trans_b} : !tile.shared<64x16xf16, #s>, !tile.shared<8x16xf16, #s>
        -> !tile.fragment<64x8xf32, #acc>
    }
    tile.return
  }
}

// -----

// stage_s10
module attributes {tile.stage = "layout"} {
  // expected-error @+1 {{has no 'tile.plan'}}
  tile.kernel @k(%n: i64) {
    tile.grid (%b) in (%n) threads(32) {
    }
    tile.return
  }
}

// -----

// stage_s11
#s = #tile.strided<[1]>
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(32) {
      // expected-error @+1 {{has no offset}}
      %s = tile.shared : !tile.shared<8xf16, #s>
      // expected-error @+1 {{has no offset}}
      %r = tile.ring depth(2) put <generic> get <generic> : !tile.ring<8xf16, #s>
    }
    tile.return
  }
}

// -----

// stage_s12
#s = #tile.strided<[1]>
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %n: i64)
      attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(32) {
      %g = tile.global %A sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
      %s = tile.shared {offset = 0 : i64} : !tile.shared<8xf16, #s>
      // expected-error @+1 {{by 'bulk' completes later, so it must be in a 'tile.ring.put'}}
      tile.copy %g[%b] extents [8], %s[%b] extents [8] {path = #tile.path<bulk>}
        : !tile.global<?xf16> -> !tile.shared<8xf16, #s>
    }
    tile.return
  }
}

// -----

// stage_s13
#acc = #tile.wgmma_acc<n = 8, warpgroups = [1, 1], reps = [1, 1]>
#s = #tile.strided<[16, 1]>
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 4>} {
    tile.grid (%b) in (%n) threads(128) {
      %a = tile.shared {offset = 0 : i64} : !tile.shared<64x16xf16, #s>
      %bt = tile.shared {offset = 2048 : i64} : !tile.shared<8x16xf16, #s>
      // expected-error @+1 {{must be a 'tile.gemm.start'}}
      %c = tile.gemm %a, %bt {trans_b, instr = #tile.instr<wgmma, m = 64, n = 8, k = 16, a = f16, b = f16, acc = f32>}
        : !tile.shared<64x16xf16, #s>, !tile.shared<8x16xf16, #s> -> !tile.fragment<64x8xf32, #acc>
    }
    tile.return
  }
}

// -----

// stage_s14
#acc = #tile.wgmma_acc<n = 8, warpgroups = [1, 1], reps = [1, 1]>
#s = #tile.strided<[16, 1]>
#w = #tile.instr<wgmma, m = 64, n = 8, k = 16, a = f16, b = f16, acc = f32>
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 4>} {
    tile.grid (%b) in (%n) threads(128) {
      %a = tile.shared {offset = 0 : i64} : !tile.shared<64x16xf16, #s>
      %bt = tile.shared {offset = 2048 : i64} : !tile.shared<8x16xf16, #s>
      %p = tile.gemm.start %a, %bt {trans_b, instr = #w}
        : !tile.shared<64x16xf16, #s>, !tile.shared<8x16xf16, #s> -> !tile.pending<64x8xf32, #acc>
      // expected-error @+1 {{registers in flight are consumed twice}}
      %q = scf.for %i = %n to %n step %n iter_args(%r = %p) -> (!tile.pending<64x8xf32, #acc>) : i64 {
        scf.yield %r : !tile.pending<64x8xf32, #acc>
      }
      %c = tile.gemm.wait %q : !tile.pending<64x8xf32, #acc> -> !tile.fragment<64x8xf32, #acc>
      %d = tile.gemm.wait %q : !tile.pending<64x8xf32, #acc> -> !tile.fragment<64x8xf32, #acc>
    }
    tile.return
  }
}

// -----

// stage_s15
#s = #tile.strided<[1]>
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(32) {
      %r = tile.ring depth(2) put <generic> get <generic> {offset = 0 : i64} : !tile.ring<8xf16, #s>
      // expected-error @+1 {{gets a slot that is never released}}
      %t = tile.ring.get %r : !tile.ring<8xf16, #s> -> !tile.shared<8xf16, #s>
    }
    tile.return
  }
}

// -----

// stage_s16
#acc = #tile.wgmma_acc<n = 8, warpgroups = [1, 1], reps = [1, 1]>
#s = #tile.strided<[16, 1]>
#w = #tile.instr<wgmma, m = 64, n = 8, k = 16, a = f16, b = f16, acc = f32>
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 4>} {
    tile.grid (%b) in (%n) threads(128) {
      %r = tile.ring depth(2) put <bulk> get <wgmma> {offset = 0 : i64} : !tile.ring<64x16xf16, #s>
      %bt = tile.shared {offset = 4096 : i64} : !tile.shared<8x16xf16, #s>
      %t = tile.ring.get %r : !tile.ring<64x16xf16, #s> -> !tile.shared<64x16xf16, #s>
      %p = tile.gemm.start %t, %bt {trans_b, instr = #w}
        : !tile.shared<64x16xf16, #s>, !tile.shared<8x16xf16, #s> -> !tile.pending<64x8xf32, #acc>
      // expected-error @+1 {{is before the wait for 'tile.gemm.start', which reads the slot}}
      tile.ring.release %r, %t : !tile.ring<64x16xf16, #s>, !tile.shared<64x16xf16, #s>
      %c = tile.gemm.wait %p : !tile.pending<64x8xf32, #acc> -> !tile.fragment<64x8xf32, #acc>
    }
    tile.return
  }
}

// -----

// stage_s17
#s = #tile.strided<[1]>
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64, %v: f16) attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(64) {
      // expected-error @+1 {{is put by two roles}}
      %r = tile.ring depth(2) put <generic> get <generic> {offset = 0 : i64} : !tile.ring<8xf16, #s>
      tile.roles
        role "a" warps(1) registers(0) {
          tile.ring.put %r as %slot : !tile.ring<8xf16, #s> {
            tile.fill %v, %slot[%b] extents [8] : !tile.shared<8xf16, #s>
          }
          tile.yield
        }
        role "b" warps(1) registers(0) {
          tile.ring.put %r as %slot : !tile.ring<8xf16, #s> {
            tile.fill %v, %slot[%b] extents [8] : !tile.shared<8xf16, #s>
          }
          tile.yield
        }
    }
    tile.return
  }
}

// -----

// stage_s18
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(64) {
      // expected-error @+1 {{has 1 warps in its roles, but the grid has 64 threads}}
      tile.roles
        role "a" warps(1) registers(0) {
          tile.yield
        }
    }
    tile.return
  }
}

// -----

// stage_s19
#one = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
module attributes {tile.stage = "schedule"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 1>} {
    tile.grid (%b) in (%n) threads(32) {
      tile.parallel (%i) in (%n) attributes {layout = #one} {
      }
      // expected-error @+1 {{has extents 64 that its layout does not cover}}
      tile.parallel (%i) in (64) attributes {layout = #one} {
      }
    }
    tile.return
  }
}
