//===- TileOpsRings.td - rings -----------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring is a shared tile of several slots that is filled asynchronously. Indices, phases and group numbers do not
// appear: tile-lower-rings threads them through the control flow of each role.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEOPSRINGS_TD
#define TILEC_DIALECT_TILE_IR_TILEOPSRINGS_TD

include "tilec/Dialect/Tile/IR/TileBase.td"

class Tile_RingActionOp<string mnemonic, list<Trait> traits = []>
    : Tile_ActionOp<"ring." # mnemonic, !listconcat([ScheduleStageOp], traits)>;

def Tile_RingOp : Tile_Op<"ring", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, ScheduleStageOp]> {
  let summary = "allocate a ring of shared tiles";
  let description = [{
    `depth` slots of the ring type's shape. A slot goes round: `put` fills it, `get` waits until it is full, `release`
    gives it back, and puts, gets and releases each take the slots in order. `put` and `get` name the path by which a slot is filled and
    read, which decides how the two are synchronised; `readers` is how many executors release each slot. `offset` is the
    place in the block's shared memory, `barrier_offset` that of its barrier objects, in bytes.

    Constraints:
    - `ring_c1`: `depth` and `readers` are positive
    - `ring_c2`: a ring is put by `generic`, `cp_async` or `bulk`, and got by `generic`, `matrix`, `wgmma` or `bulk`
    - `ring_c3`: `offset` is not negative and a multiple of 16, `barrier_offset` of 8

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %r = tile.ring depth(3) put <bulk> get <wgmma> {name = "Ks", readers = 2 : i64}
          : !tile.ring<128x64xf16, #tile.panels<64, sw128>>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins I64Attr:$depth, Tile_PathAttr:$put, Tile_PathAttr:$get,
                       DefaultValuedAttr<I64Attr, "1">:$readers, OptionalAttr<StrAttr>:$name,
                       OptionalAttr<I64Attr>:$offset, OptionalAttr<I64Attr>:$barrier_offset);
  let results = (outs Tile_RingType:$result);
  let assemblyFormat = [{
    `depth` `(` $depth `)` `put` $put `get` $get attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_RingPutOp : Tile_RingActionOp<"put", [SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "fill the next slot of a ring";
  let description = [{
    Waits until the slot is free, then runs the body, which overwrites all of it; the slot is full once everything the
    body started has completed. `executor` says who runs the body: for a bulk copy one elected lane.

    Constraints:
    - `ring_put_c1`: the body has one argument, a shared tile of the slot's shape, element type and layout
    - `ring_put_c2`: the body writes the slot, and reads nothing of it before
    - `ring_put_c3`: the body holds no other op on rings and ends in a `tile.yield` without operands

    Example:
    ```mlir
    tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %c0 = arith.constant 0 : i64
        %g = tile.global %A sizes [%n, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
        %r = tile.ring depth(3) put <bulk> get <wgmma> : !tile.ring<128x64xf16>
        tile.ring.put %r as %slot : !tile.ring<128x64xf16> attributes {executor = #tile.executor<one_lane>} {
          tile.copy %g[%b, %c0] extents [128, 64], %slot[%c0, %c0] extents [128, 64] {path = #tile.path<bulk>}
            : !tile.global<?x64xf16> -> !tile.shared<128x64xf16>
        }
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_RingType:$ring, OptionalAttr<Tile_ExecutorAttr>:$executor);
  let regions = (region SizedRegion<1>:$region);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$ring, CArg<"::tilec::tile::ExecutorAttr", "{}">:$executor)>];
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getSlot() { return getBody()->getArgument(0); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_RingGetOp : Tile_RingActionOp<"get", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "wait for the next slot of a ring";
  let description = [{
    Waits until the slot is full and gives it. It stays the reader's until it is released.

    Constraints:
    - `ring_get_c1`: the result is a shared tile of the slot's shape, element type and layout

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %r = tile.ring depth(3) put <bulk> get <wgmma> : !tile.ring<128x64xf16>
        %s = tile.ring.get %r : !tile.ring<128x64xf16> -> !tile.shared<128x64xf16>
        tile.ring.release %r, %s : !tile.ring<128x64xf16>, !tile.shared<128x64xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_RingType:$ring);
  let results = (outs Tile_SharedType:$slot);
  let assemblyFormat = "$ring attr-dict `:` qualified(type($ring)) `->` qualified(type($slot))";
  let hasVerifier = 1;
}

def Tile_RingReleaseOp : Tile_RingActionOp<"release"> {
  let summary = "give a slot back";
  let description = [{
    The reader has read the slot; the next round of puts may overwrite it. What reads the slot asynchronously
    must have been waited for.

    Constraints:
    - `ring_release_c1`: the slot comes from a `tile.ring.get` of the same ring

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %r = tile.ring depth(3) put <bulk> get <wgmma> : !tile.ring<128x64xf16>
        %s = tile.ring.get %r : !tile.ring<128x64xf16> -> !tile.shared<128x64xf16>
        tile.ring.release %r, %s : !tile.ring<128x64xf16>, !tile.shared<128x64xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_RingType:$ring, Tile_SharedType:$slot);
  let assemblyFormat = "$ring `,` $slot attr-dict `:` qualified(type($ring)) `,` qualified(type($slot))";
  let hasVerifier = 1;
}

def Tile_RingAdvanceOp : Tile_RingActionOp<"advance"> {
  let summary = "skip slots of a ring";
  let description = [{
    The executing role passes over the next `count` slots, which belong to others: in ping-pong the other group's.

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %r = tile.ring depth(3) put <bulk> get <wgmma> : !tile.ring<128x64xf16>
        tile.ring.advance %r, %n : !tile.ring<128x64xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_RingType:$ring, I64:$count);
  let assemblyFormat = "$ring `,` $count attr-dict `:` qualified(type($ring))";
}

def Tile_RingBorrowOp : Tile_RingActionOp<"borrow"> {
  let summary = "use the memory of a slot for another tile";
  let description = [{
    Until the slot is released its memory holds another tile; what the slot held is dead.

    Constraints:
    - `ring_borrow_c1`: the slot comes from a `tile.ring.get` of the same ring
    - `ring_borrow_c2`: the tile takes no more bytes than the slot

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %r = tile.ring depth(3) put <bulk> get <wgmma> : !tile.ring<128x64xf16>
        %s = tile.ring.get %r : !tile.ring<128x64xf16> -> !tile.shared<128x64xf16>
        %t = tile.ring.borrow %r, %s : !tile.ring<128x64xf16>, !tile.shared<128x64xf16> -> !tile.shared<64x64xf32>
        tile.ring.release %r, %s : !tile.ring<128x64xf16>, !tile.shared<128x64xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_RingType:$ring, Tile_SharedType:$slot);
  let results = (outs Tile_SharedType:$result);
  let assemblyFormat = [{
    $ring `,` $slot attr-dict `:` qualified(type($ring)) `,` qualified(type($slot)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // TILEC_DIALECT_TILE_IR_TILEOPSRINGS_TD
