// What has no meaning on the host is refused at its place, and so are targets that do not agree.
// RUN: split-file %s %t
// RUN: not stub-print sm_80=%t/op.mlir 2>&1 | FileCheck --check-prefix=OP %s
// RUN: not stub-print sm_80=%t/type.mlir 2>&1 | FileCheck --check-prefix=TYPE %s
// RUN: not stub-print sm_80=%t/param.mlir 2>&1 | FileCheck --check-prefix=PARAM %s
// RUN: not stub-print sm_80=%t/extended.mlir 2>&1 | FileCheck --check-prefix=EXTENDED %s
// RUN: not stub-print sm_80=%t/one.mlir sm_90a=%t/two.mlir 2>&1 | FileCheck --check-prefix=PARAMS %s
// RUN: not stub-print sm_80=%t/one.mlir sm_90a=%t/none.mlir 2>&1 | FileCheck --check-prefix=COUNT %s

//--- op.mlir
// OP: op.mlir:3:8: error: 'math.ctpop' cannot be computed by the launcher
tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  %x = math.ctpop %n : i64
  tile.return
}
//--- type.mlir
// TYPE: type.mlir:3:8: error: a launch program has no values of type 'index'
tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  %x = arith.constant 1 : index
  tile.return
}
//--- param.mlir
// PARAM: param.mlir:2:1: error: parameter 'n' cannot be passed as 'i4'
tile.entry @e(%n: i8) params [#tile.scalar_param<name = "n", type = i4>] {
  tile.return
}
//--- extended.mlir
// EXTENDED: extended.mlir:3:{{.*}} error: 'arith.mulsi_extended' of the launcher is for i64
tile.entry @e(%n: i32) params [#tile.scalar_param<name = "n", type = i32>] {
  %x, %y = arith.mulsi_extended %n, %n : i32
  tile.return
}
//--- one.mlir
tile.entry @e(%n: i32) params [#tile.scalar_param<name = "n", type = i32>] {
  tile.return
}
//--- two.mlir
// PARAMS: two.mlir:2:1: error: the targets 'sm_80' and 'sm_90a' differ in the entry point 'e'
tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  tile.return
}
//--- none.mlir
// COUNT: none.mlir:{{.*}} error: the target 'sm_90a' has 0 entry points, 'sm_80' has 1
module {
}
