// RUN: tile-opt %s -tile-lower-rings -verify-diagnostics

// Each ring that cannot be lowered is named by what it has (TILE1106).
#S = #tile.strided<[1]>
tile.kernel @k(%n: i64) {
  tile.grid (%b) in (%n) threads(64) {
    // expected-error @+1 {{not supported by this version: a ring of 2 slots}}
    %0 = tile.ring depth(2) put <generic> get <generic> : !tile.ring<32xf32, #S>
    // expected-error @+1 {{not supported by this version: a ring put by bulk}}
    %1 = tile.ring depth(1) put <bulk> get <generic> : !tile.ring<32xf32, #S>
    // expected-error @+1 {{not supported by this version: a ring got by wgmma}}
    %2 = tile.ring depth(1) put <generic> get <wgmma> : !tile.ring<32xf32, #S>
    // expected-error @+1 {{not supported by this version: 'tile.ring.advance'}}
    %3 = tile.ring depth(1) put <generic> get <generic> : !tile.ring<32xf32, #S>
    tile.ring.advance %3, %n : !tile.ring<32xf32, #S>
    // expected-error @+1 {{not supported by this version: a ring in roles}}
    %4 = tile.ring depth(1) put <generic> get <generic> : !tile.ring<32xf32, #S>
    tile.roles
      role "producer" warps(1) registers(0) {
        tile.ring.advance %4, %n : !tile.ring<32xf32, #S>
        tile.yield
      }
      role "consumer" warps(1) registers(0) {
        // expected-error @+1 {{not supported by this version: a ring in roles}}
        %5 = tile.ring depth(1) put <generic> get <generic> : !tile.ring<32xf32, #S>
        tile.yield
      }
  }
  tile.return
}
