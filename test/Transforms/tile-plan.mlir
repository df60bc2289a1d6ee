// RUN: tile-opt %s -tile-plan -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-plan -split-input-file --remarks-filter="tile-plan" 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: tile.kernel @plain
// CHECK-SAME: tile.plan = #tile.plan<consumers = 3, reason = "no gemm: every warp moves and computes its own elements">
// REMARK: all warps do the same work: no gemm
tile.kernel @plain(%n: i64) {
  tile.grid (%b) in (%n) threads(96) {
  }
  tile.return
}

// -----

// A plan that somebody pinned stays.
// CHECK-LABEL: tile.kernel @pinned
// CHECK-SAME: reason = "mine"
tile.kernel @pinned(%n: i64) attributes {tile.plan = #tile.plan<consumers = 4, reason = "mine">} {
  tile.grid (%b) in (%n) threads(128) {
  }
  tile.return
}
