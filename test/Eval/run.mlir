// tile-eval-run prints what kernels and launch programs write; '_' is an element that nobody wrote.
//
// RUN: tile-opt %s --tile-eval-run='dims=N=6' -o /dev/null | FileCheck %s
// RUN: tile-opt %s --tile-eval-run='function=narrow_k dims=N=6' -o /dev/null | FileCheck %s --check-prefix=KERNEL
// RUN: tile-opt %s --tile-eval-run='dims=N=6 order=reverse data=one' -o /dev/null | FileCheck %s --check-prefix=REVERSE
// RUN: not tile-opt %s --tile-eval-run='dims=N=9' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not tile-opt %s --tile-eval-run='function=nobody' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: tile-opt %s --tile-eval-run='function=narrow_k dims=N=6,A=5:6' -o /dev/null | FileCheck %s --check-prefix=RANGE
// RUN: not tile-opt %s --tile-eval-run='dims=N=six' -o /dev/null 2>&1 | FileCheck %s --check-prefix=DIMS

// CHECK:      @narrow N = 6
// CHECK-NEXT: block 0
// CHECK-NEXT: block 1
// CHECK-NEXT: B: f16[8] 0 1 2 3 4 5 _ _
// KERNEL:      @narrow_k N = 6
// KERNEL:      B: f16[8] 0 1 2 3 4 5 _ _
// RANGE:      B: f16[8] 5 5 5 5 5 5 _ _
// REVERSE:      block 1
// REVERSE-NEXT: block 0
// REVERSE-NEXT: B: f16[8] 1 1 1 1 1 1 _ _
// REFUSED: error: N is at most 8, got 9
// NOBODY: error: there is no kernel or entry point to run
// DIMS: error: 'N=six' is not a name and a number
tile.kernel @narrow_k(%A: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.name = "A"},
                      %B: !tile.ptr<f16> {tile.access = #tile.access<out>, tile.name = "B"}, %n: i64 {tile.name = "N"}) {
  %c4 = arith.constant 4 : i64
  %blocks = arith.ceildivsi %n, %c4 : i64
  tile.grid (%b) in (%blocks) threads(32) {
    tile.print "block"(%b : i64)
    %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
    %out = tile.global %B sizes [8] strides [1] : !tile.ptr<f16> -> !tile.global<8xf16>
    %at = arith.muli %b, %c4 : i64
    tile.parallel (%i) in (4) {
      %k = arith.addi %at, %i : i64
      %inside = arith.cmpi slt, %k, %n : i64
      scf.if %inside {
        %x = tile.read %a[%k] : !tile.global<?xf32> -> f32
        %y = arith.truncf %x : f32 to f16
        tile.write %y, %out[%k] : !tile.global<8xf16>
      }
    }
  }
  tile.return
}

tile.entry @narrow(%A: !tile.ptr<f32>, %n: i64, %B: !tile.ptr<f16>, %m: i64) params [
    #tile.tensor_param<name = "A", element = f32, access = in, extents = ["N"]>,
    #tile.tensor_param<name = "B", element = f16, access = out, extents = ["8"]>] {
  %c4 = arith.constant 4 : i64
  %fits = arith.cmpi sle, %n, %m : i64
  tile.require %fits, "N is at most {1}, got {0}"(%n, %m : i64, i64) kind <fact>
  %blocks = arith.ceildivsi %n, %c4 : i64
  tile.launch @narrow_k grid(%blocks) args(%A, %B, %n : !tile.ptr<f32>, !tile.ptr<f16>, i64)
  tile.return
}
