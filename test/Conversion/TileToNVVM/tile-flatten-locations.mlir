// RUN: tile-opt %s -tile-flatten-locations -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// One line of one file, or a chain of calls of such: anything else is line 0 to LLVM.
// CHECK: llvm.mlir.constant(1 : i32) : i32 loc("a.tile":3:4)
// CHECK: llvm.mlir.constant(2 : i32) : i32 loc("a.tile":5:6)
// CHECK: llvm.mlir.constant(3 : i32) : i32 loc(callsite("b.tile":7:8 at "a.tile":9:10))
// A line of its own, or that of the op before.
// CHECK: llvm.mlir.constant(4 : i32) : i32 loc(callsite("b.tile":7:8 at "a.tile":9:10))
// CHECK: llvm.return loc("a.tile":11:12)
llvm.func @f() {
  %0 = llvm.mlir.constant(1 : i32) : i32 loc(fused["a.tile":3:4, "a.tile":30:40])
  %1 = llvm.mlir.constant(2 : i32) : i32 loc("name"("a.tile":5:6))
  %2 = llvm.mlir.constant(3 : i32) : i32 loc(callsite(fused["b.tile":7:8, "c.tile":1:1] at "a.tile":9:10))
  %3 = llvm.mlir.constant(4 : i32) : i32 loc(unknown)
  llvm.return loc("a.tile":11:12)
}
