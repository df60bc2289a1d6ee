// What the language leaves undefined is an error at the operation.
//
// RUN: tile-opt %s --tile-eval-run --split-input-file --verify-diagnostics -o /dev/null

tile.kernel @unwritten(%n: i64) {
  %one = arith.constant 1 : i64
  tile.grid (%b) in (%one) threads(32) {
    %s = tile.shared : !tile.shared<4xf32>
    // expected-error@+1 {{read of an element that was never written: [0]}}
    %x = tile.read_scalar %s[%b] : !tile.shared<4xf32> -> f32
  }
  tile.return
}

// -----

tile.kernel @outside(%n: i64 {tile.name = "N"}) {
  %one = arith.constant 1 : i64
  tile.grid (%b) in (%one) threads(32) {
    %v = arith.constant 1.0 : f32
    %s = tile.shared : !tile.shared<4xf32>
    // expected-error@+1 {{index 37 of dimension 0 is outside [0, 4)}}
    tile.write_scalar %v, %s[%n] : !tile.shared<4xf32>
  }
  tile.return
}

// -----

tile.kernel @asserts(%n: i64 {tile.name = "N"}) {
  %one = arith.constant 1 : i64
  tile.grid (%b) in (%one) threads(32) {
    %odd = arith.cmpi eq, %n, %one : i64
    // expected-error-re@+1 {{errors.mlir:{{[0-9]+}}: assertion failed: N is one}}
    tile.assert %odd, "N is one"
  }
  tile.return
}

// -----

tile.kernel @deadlock(%n: i64) {
  %one = arith.constant 1 : i64
  tile.grid (%b) in (%one) threads(128) {
    %r = tile.ring depth(2) put <generic> get <generic> {name = "As"} : !tile.ring<2xf32>
    tile.roles
      role "producer" warps(1) registers(0) {
        tile.yield
      }
      role "consumer" warps(4) registers(0) {
        // expected-error@+1 {{role 'consumer' at}}
        %s = tile.ring.get %r : !tile.ring<2xf32> -> !tile.shared<2xf32>
        tile.ring.release %r, %s : !tile.ring<2xf32>, !tile.shared<2xf32>
        tile.yield
      }
  }
  tile.return
}

// -----

// Once parallels are cut, threads run what the layout covers: what is beyond would not run on a device.
module attributes {tile.stage = "schedule", tile.target = #tile.target<"sm_80">} {
  tile.kernel @uncovered(%n: i64 {tile.name = "N"}) attributes {tile.plan = #tile.plan<consumers = 1>} {
    %one = arith.constant 1 : i64
    tile.grid (%b) in (%one) threads(32) {
      // expected-error@+1 {{extent 37 of dimension 0 is more than the layout covers: 32}}
      tile.parallel (%i) in (%n) attributes {layout = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>} {
        tile.yield
      }
    }
    tile.return
  }
}
