//===- Passes.td - passes over the tile dialect -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In pipeline order; lib/Driver/Pipelines.cpp strings them together. A def TilexxxPass lives in
// lib/Transforms/xxx.cpp and is tested by test/Transforms/<argument>.mlir. Decisions are remarks whose category
// is the pass argument.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TRANSFORMS_PASSES_TD
#define TILEC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

def TileSetStagePass : Pass<"tile-set-stage", "::mlir::ModuleOp"> {
  let summary = "Say which stage a module is at";
  let description = [{
    Sets `tile.stage`. The passes between two stages run at the later one, marked `tile.partial`: then the stage
    verifier checks what the stage forbids but not yet what it demands.

    Requires: nothing. Ensures: `tile.stage` is `stage`; `tile.partial` is there iff asked for.

    Before: `module attributes {tile.stage = "tile"}` After, with `stage=layout partial`:
    `module attributes {tile.partial, tile.stage = "layout"}`
  }];
  let options = [
    Option<"stage", "stage", "std::string", "\"tile\"", "The stage's name">,
    Option<"partial", "partial", "bool", "false", "Passes of the stage are still to come">
  ];
}

//===----------------------------------------------------------------------===//
// Stage tile
//===----------------------------------------------------------------------===//

def TileSimplifyPass : Pass<"tile-simplify", "::tilec::tile::KernelOp"> {
  let summary = "Clean up, and make parallels few and cheap";
  let description = [{
    Canonicalises and removes common subexpressions. Accumulators that are zero, fragments that a loop carries for
    nobody, and fragments under update that a parallel does not change, overwrites whole, or changes for nobody go.
    Elements that an iteration reads after it wrote them become scalars.

    Moves ops of a `tile.parallel` body that depend on none of its indices in front of it, if running them once is as
    good as running them per index: pure ops, and reads of tensors that the kernel only reads. A parallel with a
    constant extent of 0 or less goes.

    Where a parallel has constant extents and no layout yet:
    - a part of its body that depends on some of the indices and is worth it (a division, a function or a read of a
      tensor) moves to a parallel over those indices, whose fragment the body reads; other parallels that compute the
      same part read it too;
    - two parallels become one if the second reads and changes the first's fragments at the iteration's own elements.

    Requires: stage tile, or a later one. Ensures: the same program; no op of a parallel body's top level is pure and
    independent of the indices. Leaves loops in bodies alone.

    Before:
    ```mlir
    tile.parallel (%i, %j) in (128, 64) updates(%r = %o : !tile.fragment<128x64xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<128x64xf32> -> f32
      %m = tile.read %f[%i] : !tile.fragment<128xf32> -> f32
      %e = math.exp2 %m : f32
      %y = arith.mulf %x, %e : f32
      tile.write %y, %r[%i, %j] : !tile.fragref<128x64xf32>
    }
    ```
    After:
    ```mlir
    %u = tile.fragment : !tile.fragment<128xf32>
    %row = tile.parallel (%i) in (128) updates(%r = %u : !tile.fragment<128xf32>) {
      %m = tile.read %f[%i] : !tile.fragment<128xf32> -> f32
      %e = math.exp2 %m : f32
      tile.write %e, %r[%i] {in_bounds} : !tile.fragref<128xf32>
    }
    tile.parallel (%i, %j) in (128, 64) updates(%r = %o : !tile.fragment<128x64xf32>) {
      %x = tile.read %r[%i, %j] : !tile.fragref<128x64xf32> -> f32
      %e = tile.read %row[%i] {in_bounds} : !tile.fragment<128xf32> -> f32
      %y = arith.mulf %x, %e : f32
      tile.write %y, %r[%i, %j] : !tile.fragref<128x64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileProveBoundsPass : Pass<"tile-prove-bounds", "::tilec::tile::KernelOp"> {
  let summary = "Mark accesses to tensors that cannot be out of bounds";
  let description = [{
    Writes every index as a linear form over block indices, loop variables, parallel indices, dimensions and
    scalars, bounds it with what is known about those (loop bounds, grid extents, `where` facts, dominating
    conditions) and sets `in_bounds` where both ends hold in every dimension, windows included (`tile.in_bounds` on
    ops that have no such attribute). A copy between tensors is marked if both sides are inside.

    Requires: stage tile. Ensures: an access so marked is inside its tensor whenever it runs. Changes nothing else.

    Before, where `%i` runs to `%n`:
    ```mlir
    %x = tile.read %g[%i] : !tile.global<?xf32> -> f32
    ```
    After:
    ```mlir
    %x = tile.read %g[%i] {in_bounds} : !tile.global<?xf32> -> f32
    ```
  }];
}

def TileMakeVariantsPass : Pass<"tile-make-variants", "::mlir::ModuleOp"> {
  let summary = "Give kernels a variant for aligned pointers and divisible rows";
  let description = [{
    A kernel whose accesses could be wider if every pointer were a multiple of 16 bytes and every row of every
    tensor were too gets a second function, `<name>__aligned`, whose arguments carry `tile.align` and
    `tile.divisible`. The launch program tests the same facts and takes it where they hold. The original stays as
    the generic variant.

    Requires: stage tile. Ensures: at most 3 variants a kernel (here 2); each launch of a kernel with variants is
    guarded. Leaves kernels alone that gain nothing.

    Before:
    ```mlir
    tile.launch @k grid(%g) args(%A, %n : !tile.ptr<f32>, i64)
    ```
    After:
    ```mlir
    %a = tile.ptr_aligned %A, 16 : !tile.ptr<f32>
    scf.if %a {
      tile.launch @k__aligned grid(%g) args(%A, %n : !tile.ptr<f32>, i64)
    } else {
      tile.launch @k grid(%g) args(%A, %n : !tile.ptr<f32>, i64)
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Stage layout
//===----------------------------------------------------------------------===//

def TilePlanPass : Pass<"tile-plan", "::tilec::tile::KernelOp"> {
  let summary = "Decide how the warps of a kernel share its work";
  let description = [{
    Writes the kernel's `tile.plan`; every later pass reads it, and no other pass holds a heuristic about roles,
    persistence or depths. Plans so far are uniform: all warps do the same, and a ring has one slot. Gemms whose program
    does not say how warps divide them get `warps`: rows where a product becomes the operand of another, else square.

    Requires: no plan that disagrees with the grid. Ensures: every kernel has a plan. A plan that is there stays.

    Before: `tile.kernel @k() {…}` After: `tile.kernel @k() attributes {tile.plan = #tile.plan<…>} {…}`
  }];
}

def TileSelectCopiesPass : Pass<"tile-select-copies", "::tilec::tile::KernelOp"> {
  let summary = "Choose the width of every access to a tensor";
  let description = [{
    First brings whole-region ops into the forms that have layouts: `tile.fill` and `tile.atomic_tile` become a
    `tile.parallel`, `tile.copy` becomes a load, a convert and a store, and an element or a region of a fragment that
    gets a scalar becomes a `tile.parallel` with a condition. A parallel that may have more
    iterations than the fragments it names is cut there: the iterations beyond name no element of them.

    Then sets `tile.width = n` on loads, stores and element accesses: n elements in a row, at most 16 bytes, that
    one instruction may move if a thread holds them: they are contiguous along one index of the iteration, and
    pointer, strides and offsets are proved to be multiples of n elements. `tile.guard = m` says that m neighbours are
    inside the tensor or outside it together, so that one predicate serves them.

    Requires: tile-prove-bounds has run where its marks are wanted. Ensures: every access to a tensor that can be
    wider than one element has a `tile.width`; tile-infer-layouts reports what it becomes.

    Before: `tile.read %g[%at] : …` After: `tile.read %g[%at] {tile.width = 4 : i64} : …`
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileSelectMmaPass : Pass<"tile-select-mma", "::tilec::tile::KernelOp"> {
  let summary = "Choose the instruction of every gemm";
  let description = [{
    Sets `instr` on every `tile.gemm`: the first row of MmaInstrs.def with its element types that the target has, else
    scalar multiply-adds. An operand that the instruction cannot take from registers (B; A if it is transposed; both of
    multiply-adds) is stored to a shared tile first. An instruction that is there stays.

    Requires: `tile.target` on the module. Ensures: every gemm has an instruction; fragments are A operands of `mma`,
    not transposed.

    Before: `%d = tile.gemm %a, %b acc(%c) : !tile.shared<64x16xf16>, !tile.fragment<16x64xf16> -> …`
    After:
    ```mlir
    %s = tile.shared {name = "B"} : !tile.shared<16x64xf16>
    tile.store %b, %s[%c0, %c0] extents [16, 64] : …
    %d = tile.gemm %a, %s acc(%c) {instr = #tile.instr<mma, m = 16, n = 8, k = 16, a = f16, b = f16, acc = f32>} : …
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileInferLayoutsPass : Pass<"tile-infer-layouts", "::tilec::tile::KernelOp"> {
  let summary = "Choose which thread holds which element";
  let description = [{
    Gives every fragment, every shared tile and every `tile.parallel` a layout. Fragments that must have one layout
    (what a loop carries, what an op changes in place) are one class. Accumulators and A operands of gemms get what
    their instruction holds; from there layouts spread to whatever is computed element by element with them, and to the
    rows that reductions leave. The rest gets blocked layouts, the largest tiles first: vectors as wide as the accesses
    to memory, lanes along the contiguous dimension, then warps, and the rest is repeated. Shared tiles that matrix
    instructions read get swizzled panels, others row-major order. A parallel that changes no fragment covers as much as
    keeps a few vectors of a thread in flight, and the rows of fragments that it reads if they are few: the rest is left
    to `tile-chunk-parallels`. Where an op needs another layout
    than its operand has, a `tile.convert` is put in front.

    Requires: tile-select-copies, tile-select-mma. Ensures: every type that can have a layout has one.

    Before: `tile.parallel (%i) in (4096) {…}`
    After: `tile.parallel (%i) in (4096) {…} {layout = #tile.blocked<vector = [4], lanes = [32], warps = [8], reps = [4]>}`
  }];
}

def TileMaterializeExchangesPass : Pass<"tile-materialize-exchanges", "::tilec::tile::KernelOp"> {
  let summary = "Send through shared memory what threads need of each other";
  let description = [{
    A fragment op that needs elements which another thread holds becomes a `tile.shared`, a store into it and loads or
    reads from it: changes of layout, transpositions, regions of fragments, single elements, folds across warps, and in
    parallels every access to an element that the thread of the iteration does not hold. An iteration still sees its own
    writes, and other iterations' elements as they were before the loop.

    Requires: layouts. Ensures: stage layout; no fragment op moves data between threads but reductions, which do within
    warps, and gemms.

    Before: `%x = tile.read %f[%next] : !tile.fragment<128xf32, …> -> f32`
    After:
    ```mlir
    %s = tile.shared : !tile.shared<128xf32, #tile.strided<[1]>>
    tile.store %f, %s[%c0] extents [128] : …
    tile.parallel … { %x = tile.read %s[%next] : !tile.shared<128xf32, #tile.strided<[1]>> -> f32 … }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Stage schedule
//===----------------------------------------------------------------------===//

def TilePersistPass : Pass<"tile-persist", "::mlir::ModuleOp"> {
  let summary = "Make the launch one-dimensional and within the hardware's limits";
  let description = [{
    Grids of rank 2 and 3 become a grid over a linear number that the body takes apart, x fastest; the launches
    follow. Each launch program requires that the number of blocks is at most 2^31 - 1. The hint `cluster` speaks of
    the grid before and is dropped: a launch by clusters fails where the number of blocks is not a multiple.

    Requires: stage layout. Ensures: every grid and launch has one extent and no `cluster`.

    Before:
    ```mlir
    tile.grid (%x, %y) in (%gx, %gy) threads(128) { … }
    ```
    After:
    ```mlir
    tile.grid (%t) in (%total) threads(128) { %x, %y = tile.decode %t in (%gx, %gy) … }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileFormRingsPass : Pass<"tile-form-rings", "::tilec::tile::KernelOp"> {
  let summary = "Make rings of the shared tiles that each iteration of a pipelined loop fills";
  let description = [{
    A `tile.shared` becomes a `tile.ring` where, in a loop with `tile.stages`, each iteration first fills all of it from
    a tensor and then only reads it: the first access is a `tile.store` of the whole tile, directly in the loop's body;
    what it stores is loaded there from a tensor that the loop does not write, and perhaps converted; all others
    are reads, and all are in the loop. Where the load reads from follows from the loop's variable and scalars that
    are known ahead. The depth is the plan's of that name, else 1. Tiles that fail a condition stay, and a remark says
    which one it was.

    Requires: stage layout. Ensures: the same program; load, conversion and store of such a tile are the body of its
    put, its readers stand between a get and a release in the loop's body.

    Before:
    ```mlir
    %a = tile.shared {name = "As"} : !tile.shared<128x32xf16, #S>
    scf.for %k = … {
      %f = tile.load %g[%m, %at] extents [128, 32] : …
      tile.store %f, %a[%c0, %c0] extents [128, 32] : …
      %next = tile.gemm %a, %b acc(%c) : …
    } {tile.stages = 3 : i64}
    ```
    After:
    ```mlir
    %r = tile.ring depth(1) put <generic> get <matrix> {name = "As"} : !tile.ring<128x32xf16, #S>
    scf.for %k = … {
      tile.ring.put %r as %slot : !tile.ring<128x32xf16, #S> {
        %f = tile.load %g[%m, %at] extents [128, 32] : …
        tile.store %f, %slot[%c0, %c0] extents [128, 32] : …
      }
      %s = tile.ring.get %r : …
      %next = tile.gemm %s, %b acc(%c) : …
      tile.ring.release %r, %s : …
    } {tile.stages = 3 : i64}
    ```
  }];
}

def TileChunkParallelsPass : Pass<"tile-chunk-parallels", "::tilec::tile::KernelOp"> {
  let summary = "Cut parallels into what their layout covers";
  let description = [{
    A `tile.parallel` with more indices than its layout covers, or with an extent that is known at run time, becomes
    loops over chunks. An index along which it names fragments is not cut: their registers are elements of certain
    iterations. tile-materialize-exchanges has left only such as the layout reaches.

    Requires: every parallel has a layout. Ensures: a parallel's static extents are covered by its layout, a dynamic
    one is at most what the layout covers.

    Before:
    ```mlir
    tile.parallel (%i) in (%n) { f(%i) } {layout = L covering 1024}
    ```
    After:
    ```mlir
    scf.for %c = 0 to %n step 1024 {
      %m = min(1024, %n - %c)
      tile.parallel (%j) in (%m) { f(%c + %j) } {layout = L}
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileSplitTailsPass : Pass<"tile-split-tails", "::tilec::tile::KernelOp"> {
  let summary = "Separate blocks whose accesses are all in bounds from those at an edge";
  let description = [{
    Where the accesses of a `tile.parallel`, a load or a store are in bounds under a condition that is the same for
    the whole block, two versions are made: one for full blocks, in which these accesses are marked and dynamic
    extents are static, and the original one.

    Requires: tile-chunk-parallels. Ensures: the same program.

    Before:
    ```mlir
    tile.parallel (%i) in (4096) { … tile.read %g[%base + %i] … }
    ```
    After:
    ```mlir
    %full = %base + 4096 <= %n
    scf.if %full {
      tile.parallel (%i) in (4096) { … tile.read %g[%base + %i] {in_bounds} … }
    } else {
      tile.parallel (%i) in (4096) { … tile.read %g[%base + %i] … }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TilePlaceSharedPass : Pass<"tile-place-shared", "::mlir::ModuleOp"> {
  let summary = "Give every shared tile its place in the block's shared memory";
  let description = [{
    Sets the `offset` of each `tile.shared` and `tile.ring`, in bytes. A tile lives from its first use to its last one,
    and through all of a loop or parallel that uses it but does not allocate it; tiles that never live at once may
    share bytes, which is why barriers come later. Tiles of one loop do so only where an SM of the target would hold
    fewer blocks otherwise, because that takes a barrier an iteration. Layouts say how many bytes a tile takes, swizzles what its place is
    a multiple of. The sum is `tile.shared_bytes` of the kernel and `shared_bytes` of its launches.

    Requires: layouts; nothing that is asynchronous outside of rings. Ensures: tiles that live at once have no byte in
    common; the module's `tile.target`, if it has one, gives a block that many bytes. More is an error that names every
    tile.

    Before:
    ```mlir
    %a = tile.shared {name = "As"} : !tile.shared<128x32xf16, #tile.panels<32, sw64>>
    %b = tile.shared {name = "Bs"} : !tile.shared<32x128xf16, #tile.panels<64, sw128>>
    ```
    After, where both are used in one loop:
    ```mlir
    %a = tile.shared {name = "As", offset = 0 : i64} : !tile.shared<128x32xf16, #tile.panels<32, sw64>>
    %b = tile.shared {name = "Bs", offset = 8192 : i64} : !tile.shared<32x128xf16, #tile.panels<64, sw128>>
    ```
  }];
}

def TileLowerRingsPass : Pass<"tile-lower-rings", "::tilec::tile::KernelOp"> {
  let summary = "Turn rings into tiles and accesses";
  let description = [{
    A ring of one slot that is put by `generic` and got by `generic` or `matrix`, outside of roles, becomes a
    `tile.shared` with its name and place: the bodies of the puts stand for them, gets are the tile, releases vanish.
    Other rings are an error.

    This runs before tile-insert-sync because that pass alone owns the barriers: it sees what fills a slot and what
    reads it as the accesses they are, together with all others, so that one barrier serves several tiles.

    Requires: tile-place-shared. Ensures: no rings.

    Before:
    ```mlir
    %r = tile.ring depth(1) put <generic> get <matrix> {name = "As", offset = 0 : i64} : !tile.ring<128x32xf16, #S>
    tile.ring.put %r as %slot : !tile.ring<128x32xf16, #S> {
      tile.store %f, %slot[%c0, %c0] extents [128, 32] : …
    }
    %s = tile.ring.get %r : …
    %d = tile.gemm %s, %b acc(%c) : …
    tile.ring.release %r, %s : …
    ```
    After:
    ```mlir
    %a = tile.shared {name = "As", offset = 0 : i64} : !tile.shared<128x32xf16, #S>
    tile.store %f, %a[%c0, %c0] extents [128, 32] : …
    %d = tile.gemm %a, %b acc(%c) : …
    ```
  }];
}

def TileInsertSyncPass : Pass<"tile-insert-sync", "::tilec::tile::KernelOp"> {
  let summary = "Insert the barriers between statements that hand data from thread to thread";
  let description = [{
    Statements run in program order for the whole block. Two statements that touch the same tensor or shared tile, or
    two tiles with bytes in common, one of them writing, are separated by a `tile.barrier` unless it is proved that they
    touch different elements, or that each element that both touch is one thread's in both. A fragment's layout says
    which threads those are; whoever reads an operand of a gemm or an element for the block is any thread. Updates by
    one operation are atomic and need no order. The chunks of one parallel are one statement.

    Requires: layouts; tile-place-shared, because tiles that share bytes conflict as well; no rings, whose order
    tile-lower-rings has left to this pass. Ensures: no such pair without a barrier on every path between them; without
    any one of the barriers that it inserted there would be such a pair. Idempotent: it counts the barriers that are
    there.

    Before:
    ```mlir
    scf.for %k = … {
      tile.store %f, %a[%c0, %c0] extents [128, 32] : …
      %next = tile.gemm %a, %b acc(%c) : …
    }
    ```
    After:
    ```mlir
    scf.for %k = … {
      tile.barrier {reason = "'As' is overwritten after gemm read it"}
      tile.store %f, %a[%c0, %c0] extents [128, 32] : …
      tile.barrier {reason = "'As' is read by gemm after it was written"}
      %next = tile.gemm %a, %b acc(%c) : …
    }
    ```
  }];
}

#endif // TILEC_TRANSFORMS_PASSES_TD
