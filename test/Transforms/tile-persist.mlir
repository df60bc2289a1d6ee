// RUN: tile-opt %s -tile-persist -canonicalize -cse | FileCheck %s
// RUN: tile-opt %s -tile-persist -tile-persist -canonicalize -cse | FileCheck %s

// The launch counts blocks without overflow and refuses more than the hardware takes; a second run changes nothing.
// CHECK-LABEL: tile.entry @e
// CHECK-DAG: %[[LIMIT:.*]] = arith.constant 2147483648 : i64
// CHECK-DAG: %[[MOST:.*]] = arith.constant 2147483647 : i64
// CHECK: %[[X0:.*]] = arith.maxsi %arg0,
// CHECK: %[[X:.*]] = arith.minsi %[[X0]], %[[LIMIT]]
// CHECK: %[[Y0:.*]] = arith.maxsi %arg1,
// CHECK: %[[Y:.*]] = arith.minsi %[[Y0]], %[[LIMIT]]
// CHECK: %[[XY:.*]] = arith.muli %[[X]], %[[Y]]
// CHECK: %[[TOTAL:.*]] = arith.minsi %[[XY]], %[[LIMIT]]
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[TOTAL]], %[[MOST]]
// CHECK: tile.require %[[FITS]], "the grid has more than 2147483647 blocks: {0} x {1}"(%arg0, %arg1 : i64, i64) kind <overflow>
// CHECK-NEXT: tile.launch @k grid(%[[TOTAL]]) args(%arg0, %arg1 : i64, i64) {threads = 64 : i64}
tile.entry @e(%x: i64, %y: i64) params [#tile.scalar_param<name = "x", type = i64>, #tile.scalar_param<name = "y", type = i64>] {
  // Another requirement in front of the launch does not look like the one that is missing.
  %c0 = arith.constant 0 : i64
  %ok = arith.cmpi sge, %x, %c0 : i64
  tile.require %ok, "x is negative" kind <fact>
  tile.launch @k grid(%x, %y) args(%x, %y : i64, i64)
  tile.return
}
// CHECK-LABEL: tile.kernel @k
// CHECK: tile.grid (%[[T:.*]]) in (%{{.*}}) threads(64) {
// CHECK-NEXT: %[[B:.*]]:2 = tile.decode %[[T]] in{{ ?}}(%arg0, %arg1) {raster = #tile.raster<panel = 4, order = row>}
// CHECK-NEXT: tile.print "block"(%[[B]]#0, %[[B]]#1 : i64, i64)
tile.kernel @k(%x: i64, %y: i64) {
  tile.grid (%bx, %by) in (%x, %y) threads(64) attributes {raster = #tile.raster<panel = 4, order = row>} {
    tile.print "block"(%bx, %by : i64, i64)
  }
  tile.return
}

// A cluster is one of the grid before: neither the grid nor its launch keeps it, and it does not depend on the rank.
// CHECK-LABEL: tile.entry @hinted
// CHECK: tile.launch @rows grid({{.*}}) args({{.*}}) {threads = 64 : i64}
// CHECK: tile.launch @row grid({{.*}}) args({{.*}}) {threads = 64 : i64}
// CHECK-LABEL: tile.kernel @rows
// CHECK: tile.grid ({{.*}}) in ({{.*}}) threads(64) {
// CHECK-LABEL: tile.kernel @row
// CHECK: tile.grid ({{.*}}) in ({{.*}}) threads(64) {
tile.entry @hinted(%x: i64, %y: i64) params [#tile.scalar_param<name = "x", type = i64>, #tile.scalar_param<name = "y", type = i64>] {
  tile.launch @rows grid(%x, %y) args(%x, %y : i64, i64) {cluster = array<i64: 2, 1>}
  tile.launch @row grid(%x) args(%x : i64) {cluster = array<i64: 2>}
  tile.return
}
tile.kernel @rows(%x: i64, %y: i64) {
  tile.grid (%bx, %by) in (%x, %y) threads(64) attributes {cluster = array<i64: 2, 1>} {
    tile.print "block"(%bx, %by : i64, i64)
  }
  tile.return
}
tile.kernel @row(%x: i64) {
  tile.grid (%b) in (%x) threads(64) attributes {cluster = array<i64: 2>} {
    tile.print "block"(%b : i64)
  }
  tile.return
}

// Requirements of the launcher in front of a launch are others than this one; a grid of rank 1 gets it too.
// CHECK-LABEL: tile.entry @guarded
// CHECK: tile.require %{{.*}}, "x must be positive"
// CHECK: tile.require %{{.*}}, "the grid has more than 2147483647 blocks: {0} x {1}"
// CHECK-NEXT: tile.launch @k grid(%{{[^,]*}}) args(%arg0, %arg1 : i64, i64) {threads = 64 : i64}
// CHECK: tile.require %{{.*}}, "too many" kind <overflow>
// CHECK: tile.require %{{.*}}, "the grid has more than 2147483647 blocks: {0}"
// CHECK-NEXT: tile.launch @l grid(
tile.entry @guarded(%x: i64, %y: i64) params [#tile.scalar_param<name = "x", type = i64>, #tile.scalar_param<name = "y", type = i64>] {
  %c0 = arith.constant 0 : i64
  %limit = arith.constant 2147483647 : i64
  %positive = arith.cmpi sgt, %x, %c0 : i64
  tile.require %positive, "x must be positive" kind <shape>
  tile.launch @k grid(%x, %y) args(%x, %y : i64, i64)
  %few = arith.cmpi sle, %y, %limit : i64
  tile.require %few, "too many" kind <overflow>
  tile.launch @l grid(%x) args(%x : i64)
  tile.return
}
tile.kernel @l(%x: i64) {
  tile.grid (%b) in (%x) threads(64) {
    tile.print "block"(%b : i64)
  }
  tile.return
}
