// RUN: tile-opt %s -tile-form-rings -split-input-file --tile-verify-stage-each | FileCheck %s
// RUN: tile-opt %s -tile-form-rings -tile-form-rings -split-input-file | FileCheck %s
// RUN: tile-opt %s -tile-form-rings -split-input-file --remarks-filter="tile-form-rings" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s -tile-form-rings -split-input-file --tile-eval -o /dev/null 2>&1 | count 0

// Each operand of a product gets a ring, with the conversion of what was loaded; what else uses the load keeps it. The
// depth is the plan's where it has one. A block without iterations puts nothing.
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [4, 1]>
#C = #tile.mma<acc, bits = 32, warps = [2, 2], reps = [1, 1]>
#S = #tile.strided<[36, 1]>
#mma = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>
// CHECK-LABEL: tile.kernel @product
// CHECK: %[[RA:.*]] = tile.ring depth(1) put <generic> get <matrix> {name = "As"} : !tile.ring<16x32xf16, #{{.*}}>
// CHECK-NEXT: tile.fragment
// CHECK-NEXT: %[[RB:.*]] = tile.ring depth(2) put <generic> get <matrix> {name = "Bs"}
// CHECK-NEXT: scf.for %[[K:[^ ]*]] =
// CHECK-NEXT: %[[AT:.*]] = arith.muli %[[K]],
// CHECK-NEXT: tile.ring.put %[[RA]] as %[[SLOT:.*]] : !tile.ring<16x32xf16, #{{[^{]*}}> {
// CHECK-NEXT: %[[F:.*]] = tile.load %{{.*}}[%{{.*}}, %[[AT]]] extents [16, 32] {in_bounds, tile.width = 4 : i64}
// CHECK-NEXT: %[[H:.*]] = tile.convert %[[F]]
// CHECK-NEXT: tile.store %[[H]], %[[SLOT]][%{{.*}}] extents [16, 32]
// CHECK-NEXT: }
// CHECK-NEXT: %[[G:.*]] = tile.load %{{.*}} extents [16, 32]
// CHECK-NEXT: tile.ring.put %[[RB]] as %[[SLOT:.*]] :
// CHECK-NEXT: %[[G2:.*]] = tile.load
// CHECK-NEXT: tile.store %[[G2]], %[[SLOT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[A:.*]] = tile.ring.get %[[RA]]
// CHECK-NEXT: %[[B:.*]] = tile.ring.get %[[RB]]
// CHECK-NEXT: tile.gemm %[[A]], %[[B]]
// CHECK-NEXT: tile.ring.release %[[RB]], %[[B]]
// CHECK-NEXT: tile.ring.release %[[RA]], %[[A]]
// CHECK-NEXT: tile.store %[[G]]
// CHECK-NOT: tile.shared
// REMARK: Ring {{.*}}Function=product {{.*}}Depth=1{{.*}}'As' is a ring of 1 slot, read by matrix instructions
// REMARK: Ring {{.*}}Function=product {{.*}}Depth=2{{.*}}'Bs' is a ring of 2 slots, read by matrix instructions
module attributes {tile.partial, tile.stage = "schedule"} {
  tile.kernel @product(%X: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.name = "X"},
                       %Y: !tile.ptr<f16> {tile.access = #tile.access<in>, tile.name = "Y"},
                       %Z: !tile.ptr<f16> {tile.access = #tile.access<out>, tile.name = "Z"},
                       %W: !tile.ptr<f32> {tile.access = #tile.access<out>, tile.name = "W"}, %n: i64)
      attributes {tile.plan = #tile.plan<consumers = 4, depths = {Bs = 2}>} {
    %one = arith.constant 1 : i64
    %x = tile.global %X sizes [16, 4096] strides [4096, 1] : !tile.ptr<f32> -> !tile.global<16x4096xf32>
    %y = tile.global %Y sizes [16, 4096] strides [4096, 1] : !tile.ptr<f16> -> !tile.global<16x4096xf16>
    %z = tile.global %Z sizes [16, 4096] strides [4096, 1] : !tile.ptr<f16> -> !tile.global<16x4096xf16>
    %w = tile.global %W sizes [16, 16] strides [16, 1] : !tile.ptr<f32> -> !tile.global<16x16xf32>
    tile.grid (%b) in (%one) threads(128) {
      %c0 = arith.constant 0 : i64
      %c32 = arith.constant 32 : i64
      %zero = arith.constant 0.0 : f32
      %as = tile.shared {name = "As"} : !tile.shared<16x32xf16, #S>
      %acc = tile.fragment %zero : !tile.fragment<16x16xf32, #C>
      %sum = scf.for %k = %c0 to %n step %one iter_args(%c = %acc) -> (!tile.fragment<16x16xf32, #C>) : i64 {
        %at = arith.muli %k, %c32 : i64
        %bs = tile.shared {name = "Bs"} : !tile.shared<16x32xf16, #S>
        %f = tile.load %x[%c0, %at] extents [16, 32] {in_bounds, tile.width = 4 : i64}
          : !tile.global<16x4096xf32> -> !tile.fragment<16x32xf32, #F>
        %h = tile.convert %f : !tile.fragment<16x32xf32, #F> -> !tile.fragment<16x32xf16, #F>
        tile.store %h, %as[%c0, %c0] extents [16, 32] : !tile.fragment<16x32xf16, #F> -> !tile.shared<16x32xf16, #S>
        %g = tile.load %y[%c0, %at] extents [16, 32] : !tile.global<16x4096xf16> -> !tile.fragment<16x32xf16, #F>
        tile.store %g, %bs[%c0, %c0] extents [16, 32] : !tile.fragment<16x32xf16, #F> -> !tile.shared<16x32xf16, #S>
        %d = tile.gemm %as, %bs acc(%c) {trans_b, instr = #mma} : !tile.shared<16x32xf16, #S>, !tile.shared<16x32xf16, #S>
          -> !tile.fragment<16x16xf32, #C>
        tile.store %g, %z[%c0, %at] extents [16, 32] : !tile.fragment<16x32xf16, #F> -> !tile.global<16x4096xf16>
        scf.yield %d : !tile.fragment<16x16xf32, #C>
      } {tile.stages = 3 : i64}
      tile.store %sum, %w[%c0, %c0] extents [16, 16] : !tile.fragment<16x16xf32, #C> -> !tile.global<16x16xf32>
    }
    tile.return
  }
}

// -----

// Readers under a condition, in a parallel and in an inner loop stand between get and release; a view of the tile in front
// of the loop becomes one of the slot, those among the readers stay where they are. Where a slot comes from may be in a
// table, follow from a loop-carried scalar and have a condition.
#F = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @readers
// CHECK: %[[R:.*]] = tile.ring depth(1) put <generic> get <generic> {name = "Xs"}
// CHECK-NEXT: scf.for
// CHECK: tile.ring.put %[[R]]
// CHECK: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: arith.muli
// CHECK-NEXT: %[[S:.*]] = tile.ring.get %[[R]]
// CHECK-NEXT: %[[V:.*]] = tile.subview %[[S]]
// CHECK-NEXT: tile.parallel
// CHECK: tile.read %[[V]]
// CHECK: tile.subview %[[S]]
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.subview %[[S]]
// CHECK: tile.load
// CHECK: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.ring.release %[[R]], %[[S]]
// CHECK-NEXT: arith.addi
// CHECK-NEXT: scf.yield
// CHECK: tile.stages
// REMARK: Ring {{.*}}Function=readers {{.*}}'Xs' is a ring of 1 slot, read by plain loads
module attributes {tile.partial, tile.stage = "schedule"} {
  tile.kernel @readers(%X: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.name = "X"},
                       %T: !tile.ptr<i64> {tile.access = #tile.access<in>, tile.name = "T"},
                       %Y: !tile.ptr<f32> {tile.access = #tile.access<out>, tile.name = "Y"}, %n: i64) {
    %one = arith.constant 1 : i64
    %x = tile.global %X sizes [4096] strides [1] : !tile.ptr<f32> -> !tile.global<4096xf32>
    %t = tile.global %T sizes [4096] strides [1] : !tile.ptr<i64> -> !tile.global<4096xi64>
    %y = tile.global %Y sizes [4096] strides [1] : !tile.ptr<f32> -> !tile.global<4096xf32>
    tile.grid (%b) in (%one) threads(32) {
      %c0 = arith.constant 0 : i64
      %c2 = arith.constant 2 : i64
      %c16 = arith.constant 16 : i64
      %c32 = arith.constant 32 : i64
      %xs = tile.shared {name = "Xs"} : !tile.shared<32xf32, #S>
      %view = tile.subview %xs[%c0] extents [32] : !tile.shared<32xf32, #S> -> !tile.shared<32xf32, #S>
      %end = scf.for %k = %c0 to %n step %one iter_args(%far = %c0) -> (i64) : i64 {
        %page = tile.read_scalar %t[%k] : !tile.global<4096xi64> -> i64
        %even = arith.remsi %k, %c2 : i64
        %odd = arith.cmpi eq, %even, %one : i64
        %at = scf.if %odd -> i64 {
          %sum = arith.addi %page, %far : i64
          scf.yield %sum : i64
        } else {
          scf.yield %page : i64
        }
        %f = tile.load %x[%at] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
        tile.store %f, %xs[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %to = arith.muli %k, %c32 : i64
        tile.parallel (%i) in (32) attributes {layout = #F} {
          %to_i = arith.addi %to, %i : i64
          %e = tile.read %view[%i] : !tile.shared<32xf32, #S> -> f32
          tile.write %e, %y[%to_i] : !tile.global<4096xf32>
        }
        %half = arith.addi %even, %c16 : i64
        %rest = tile.subview %xs[%half] extents [8] : !tile.shared<32xf32, #S> -> !tile.shared<8xf32, #S>
        scf.for %m = %c0 to %c2 step %one : i64 {
          scf.if %odd {
            %part = tile.subview %rest[%c0] extents [8] : !tile.shared<8xf32, #S> -> !tile.shared<8xf32, #S>
            %whole = tile.subview %xs[%m] extents [8] : !tile.shared<32xf32, #S> -> !tile.shared<8xf32, #S>
            %g = tile.load %part[%c0] extents [8] : !tile.shared<8xf32, #S> -> !tile.fragment<8xf32, #F>
            %h = tile.load %whole[%c0] extents [8] : !tile.shared<8xf32, #S> -> !tile.fragment<8xf32, #F>
            tile.store %g, %y[%to] extents [8] : !tile.fragment<8xf32, #F> -> !tile.global<4096xf32>
          }
        }
        %next = arith.addi %far, %c2 : i64
        scf.yield %next : i64
      } {tile.stages = 2 : i64}
    }
    tile.return
  }
}

// -----

// What stays a tile, and why.
#F = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
#S = #tile.strided<[1]>
// CHECK-LABEL: tile.kernel @stays
// CHECK-NOT: tile.ring
// CHECK: tile.return
// REMARK-DAG: NoRing {{.*}}'outside' stays one tile: the loop is not all that uses it
// REMARK-DAG: NoRing {{.*}}'before' stays one tile: an iteration reads it before it fills it
// REMARK-DAG: NoRing {{.*}}'part' stays one tile: an iteration does not begin with filling all of it
// REMARK-DAG: NoRing {{.*}}'element' stays one tile: an iteration does not begin with filling all of it
// REMARK-DAG: NoRing {{.*}}'condition' stays one tile: it is filled under a condition or in an inner loop
// REMARK-DAG: NoRing {{.*}}'unread' stays one tile: no iteration reads it
// REMARK-DAG: NoRing {{.*}}'again' stays one tile: an iteration writes it again
// REMARK-DAG: NoRing {{.*}}'computed' stays one tile: what fills it is computed
// REMARK-DAG: NoRing {{.*}}'copied' stays one tile: what fills it is computed
// REMARK-DAG: NoRing {{.*}}'early' stays one tile: what fills it is not loaded in the iteration
// REMARK-DAG: NoRing {{.*}}'written' stays one tile: the loop writes the tensor that it is filled from
// REMARK-DAG: NoRing {{.*}}'indirect' stays one tile: where it is filled from depends on what the loop computes
// REMARK-DAG: NoRing {{.*}}'carried' stays one tile: where it is filled from depends on what the loop computes
// REMARK-DAG: NoRing {{.*}}'nested' stays one tile: only a part of the iteration has it
// REMARK-NOT: 'plain'
// REMARK-NOT: 'const'
module attributes {tile.partial, tile.stage = "schedule"} {
  tile.kernel @stays(%X: !tile.ptr<f32> {tile.access = #tile.access<in>, tile.name = "X"},
                     %Y: !tile.ptr<f32> {tile.access = #tile.access<inout>, tile.name = "Y"},
                     %I: !tile.ptr<i64> {tile.access = #tile.access<inout>, tile.name = "I"}, %n: i64) {
    %one = arith.constant 1 : i64
    %x = tile.global %X sizes [4096] strides [1] : !tile.ptr<f32> -> !tile.global<4096xf32>
    %y = tile.global %Y sizes [4096] strides [1] : !tile.ptr<f32> -> !tile.global<4096xf32>
    %t = tile.global %I sizes [4096] strides [1] : !tile.ptr<i64> -> !tile.global<4096xi64>
    tile.grid (%b) in (%one) threads(32) {
      %c0 = arith.constant 0 : i64
      %c16 = arith.constant 16 : i64
      %v = arith.constant 1.0 : f32
      %e = tile.fragment %v : !tile.fragment<32xf32, #F>
      %hf = tile.fragment %v : !tile.fragment<16xf32, #F>
      %outside = tile.shared {name = "outside"} : !tile.shared<32xf32, #S>
      %before = tile.shared {name = "before"} : !tile.shared<32xf32, #S>
      %part = tile.shared {name = "part"} : !tile.shared<32xf32, #S>
      %element = tile.shared {name = "element"} : !tile.shared<1xf32, #S>
      %condition = tile.shared {name = "condition"} : !tile.shared<32xf32, #S>
      %unread = tile.shared {name = "unread"} : !tile.shared<32xf32, #S>
      %again = tile.shared {name = "again"} : !tile.shared<32xf32, #S>
      %computed = tile.shared {name = "computed"} : !tile.shared<32xf32, #S>
      %copied = tile.shared {name = "copied"} : !tile.shared<32xf32, #S>
      %early = tile.shared {name = "early"} : !tile.shared<32xf32, #S>
      %written = tile.shared {name = "written"} : !tile.shared<32xf32, #S>
      %indirect = tile.shared {name = "indirect"} : !tile.shared<32xf32, #S>
      %carried = tile.shared {name = "carried"} : !tile.shared<32xf32, #S>
      %plain = tile.shared {name = "plain"} : !tile.shared<32xf32, #S>
      %const = tile.shared {name = "const"} : !tile.shared<32xf32, #S>
      tile.store %e, %outside[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
      tile.store %e, %before[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
      tile.store %e, %const[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
      %g = tile.load %x[%c0] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
      // Not pipelined.
      scf.for %k = %c0 to %n step %one : i64 {
        %f = tile.load %x[%k] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
        tile.store %f, %plain[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %0 = tile.read_scalar %plain[%c0] : !tile.shared<32xf32, #S> -> f32
      }
      %last = scf.for %k = %c0 to %n step %one iter_args(%at = %c0) -> (i64) : i64 {
        %c = tile.read_scalar %const[%c0] : !tile.shared<32xf32, #S> -> f32
        %f = tile.load %x[%k] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
        %half = tile.load %x[%k] extents [16] : !tile.global<4096xf32> -> !tile.fragment<16xf32, #F>
        tile.store %f, %outside[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %o = tile.read_scalar %outside[%c0] : !tile.shared<32xf32, #S> -> f32
        %0 = tile.read_scalar %before[%c0] : !tile.shared<32xf32, #S> -> f32
        tile.store %f, %before[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        tile.store %half, %part[%c16] extents [16] : !tile.fragment<16xf32, #F> -> !tile.shared<32xf32, #S>
        %1 = tile.read_scalar %part[%c16] : !tile.shared<32xf32, #S> -> f32
        tile.write_scalar %v, %element[%c0] : !tile.shared<1xf32, #S>
        %2 = tile.read_scalar %element[%c0] : !tile.shared<1xf32, #S> -> f32
        %first = arith.cmpi eq, %k, %c0 : i64
        scf.if %first {
          tile.store %f, %condition[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
          // Its own place in the loop.
          %nested = tile.shared {name = "nested"} : !tile.shared<32xf32, #S>
          tile.store %f, %nested[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
          %n0 = tile.read_scalar %nested[%c0] : !tile.shared<32xf32, #S> -> f32
        }
        %3 = tile.read_scalar %condition[%c0] : !tile.shared<32xf32, #S> -> f32
        tile.store %f, %unread[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        tile.store %f, %again[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %4 = tile.read_scalar %again[%c0] : !tile.shared<32xf32, #S> -> f32
        tile.write_scalar %4, %again[%c16] : !tile.shared<32xf32, #S>
        tile.store %e, %computed[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %5 = tile.load %computed[%c0] extents [32] : !tile.shared<32xf32, #S> -> !tile.fragment<32xf32, #F>
        tile.store %5, %copied[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %6 = tile.read_scalar %copied[%c0] : !tile.shared<32xf32, #S> -> f32
        tile.store %g, %early[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %7 = tile.read_scalar %early[%c0] : !tile.shared<32xf32, #S> -> f32
        %h = tile.load %y[%k] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
        tile.store %h, %written[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %8 = tile.read_scalar %written[%c0] : !tile.shared<32xf32, #S> -> f32
        tile.write_scalar %8, %y[%k] : !tile.global<4096xf32>
        %where = tile.read_scalar %t[%k] : !tile.global<4096xi64> -> i64
        tile.write_scalar %k, %t[%c0] : !tile.global<4096xi64>
        %i = tile.load %x[%where] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
        tile.store %i, %indirect[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %9 = tile.read_scalar %indirect[%c0] : !tile.shared<32xf32, #S> -> f32
        %j = tile.load %x[%at] extents [32] : !tile.global<4096xf32> -> !tile.fragment<32xf32, #F>
        tile.store %j, %carried[%c0] extents [32] : !tile.fragment<32xf32, #F> -> !tile.shared<32xf32, #S>
        %10 = tile.read_scalar %carried[%c0] : !tile.shared<32xf32, #S> -> f32
        %11 = arith.fptosi %10 : f32 to i64
        scf.yield %11 : i64
      } {tile.stages = 2 : i64}
    }
    tile.return
  }
}
