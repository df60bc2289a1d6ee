// RUN: tile-opt %s -tile-plan -verify-diagnostics

// expected-error@+1 {{the plan has 8 consumer warps, the grid 4}}
tile.kernel @wrong(%n: i64) attributes {tile.plan = #tile.plan<consumers = 8>} {
  tile.grid (%b) in (%n) threads(128) {
  }
  tile.return
}
