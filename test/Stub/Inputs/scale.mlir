// Scalars of every passing convention, reserved names, a strided tensor, variants by a guard, a cluster, much shared
// memory. GRID is replaced by tests: launch programs that differ between targets.
module {
  tile.kernel @scale_fast(%X: !tile.ptr<bf16> {tile.access = #tile.access<inout>}, %n: i64, %h: f16, %k: bf16, %t: tf32,
                          %q: f8E4M3FN, %r: f8E5M2, %b: i1) {
    %one = arith.constant 1 : i64
    tile.grid (%bx) in (%one) threads(128) {
      tile.yield
    }
    tile.return
  }
  tile.kernel @scale_slow(%X: !tile.ptr<bf16> {tile.access = #tile.access<inout>}, %n: i64) {
    %one = arith.constant 1 : i64
    tile.grid (%bx) in (%one) threads(64) {
      tile.yield
    }
    tile.return
  }
  tile.entry @scale(%X: !tile.ptr<bf16>, %X0: i64, %X1: i64, %s0: i64, %s1: i64, %int: f16, %k: bf16, %t: tf32,
                    %q: f8E4M3FN, %r: f8E5M2, %not: i1, %u: i64)
      params [#tile.tensor_param<name = "X", element = bf16, access = inout, extents = ["M", "64"], strides = ["ld", "1"]>,
              #tile.scalar_param<name = "int", type = f16>, #tile.scalar_param<name = "k", type = bf16>,
              #tile.scalar_param<name = "t", type = tf32>, #tile.scalar_param<name = "q", type = f8E4M3FN>,
              #tile.scalar_param<name = "r", type = f8E5M2>, #tile.scalar_param<name = "not", type = i1>,
              #tile.scalar_param<name = "u", type = ui64>] {
    %c0 = arith.constant 0.0 : f16
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %grid = arith.constant GRID : i64
    %columns = arith.cmpi eq, %X1, %c64 : i64
    tile.require %columns, "X has {0} columns, not 64 (100% of the \"rows\" are {1}, u is {2})"(%X1, %X0, %u : i64, i64, i64) kind <shape>
    %unit = arith.cmpi eq, %s1, %c1 : i64
    tile.require %unit, "stride 1 of X is {0}, not 1 }"(%s1 : i64) kind <stride>
    %positive = arith.cmpf oge, %int, %c0 : f16
    tile.require %positive, "int is {0}, less than 0; not is {1}"(%int, %not : f16, i1) kind <fact>
    %rows = arith.ceildivsi %X0, %grid : i64
    scf.if %not {
      tile.launch @scale_fast grid(%rows, %c1) args(%X, %X0, %int, %k, %t, %q, %r, %not : !tile.ptr<bf16>, i64, f16, bf16, tf32, f8E4M3FN, f8E5M2, i1) {cluster = array<i64: 2, 1>, shared_bytes = 100000 : i64, threads = 160 : i64}
    } else {
      tile.launch @scale_slow grid(%rows) args(%X, %X0 : !tile.ptr<bf16>, i64)
    }
    tile.return
  }
}
