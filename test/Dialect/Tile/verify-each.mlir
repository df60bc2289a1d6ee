// RUN: %status 1 tile-opt %s --tile-verify-stage-each --canonicalize --cse -o %t 2>&1 | FileCheck %s
// RUN: tile-opt %s --canonicalize --cse -o %t
// RUN: tile-opt %s --tile-verify-stage-each -o %t

// Each pass after which a promise of the stage is broken is named, and the run fails; without passes nothing is
// checked.

// CHECK: error: 'tile.shared' op has a type with a layout
// CHECK: remark: after pass 'canonicalize'
// CHECK: error: 'tile.shared' op has a type with a layout
// CHECK: remark: after pass 'cse'

module attributes {tile.stage = "tile"} {
  tile.kernel @k(%n: i64, %v: f16) {
    %c0 = arith.constant 0 : i64
    tile.grid (%b) in (%n) threads(32) {
      %s = tile.shared : !tile.shared<8xf16, #tile.strided<[1]>>
      tile.fill %v, %s[%c0] extents [8] : !tile.shared<8xf16, #tile.strided<[1]>>
    }
    tile.return
  }
}
