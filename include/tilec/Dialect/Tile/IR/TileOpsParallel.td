//===- TileOpsParallel.td - elementwise loops and scalars of objects --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise loop and the ops that read and write single elements, inside and outside of it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEOPSPARALLEL_TD
#define TILEC_DIALECT_TILE_IR_TILEOPSPARALLEL_TD

include "tilec/Dialect/Tile/IR/TileBase.td"

def Tile_ParallelOp : Tile_Op<"parallel", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<ConditionallySpeculatable>,
                                           DeclareOpInterfaceMethods<LayoutConstraintOpInterface>,
                                           DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                           SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "run a scalar body for every index, in no order";
  let description = [{
    The body runs once for each index below the extents. Fragments that it changes enter through `updates` and leave
    as results; inside they are references, which only `tile.read`, `tile.write` and `tile.update` use. An iteration
    sees its own writes in program order, and elements that other iterations write as they were before the loop.
    If two iterations write an element, one of the values wins; every `tile.update` counts. Values from
    outside may be used freely. `layout` says which thread runs which index, once layouts are known.

    Constraints:
    - `parallel_c1`: there are 1 to 8 extents
    - `parallel_c2`: the body has an i64 argument an extent, then a reference for each fragment under update
    - `parallel_c3`: results and references have the shape, element type and layout of the fragments under update
    - `parallel_c4`: the body holds only scalar ops: no op makes or takes a fragment but to read an element, none allocates
    - `parallel_c5`: the body ends in a `tile.yield` without operands
    - `parallel_c6`: `layout` is one of registers, of the loop's rank
    - `parallel_c7`: there is an operand for each dynamic extent

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128x64xf32>
        %g = tile.parallel (%i, %j) in (128, %n) updates(%r = %f : !tile.fragment<128x64xf32>) {
          %x = tile.read %r[%i, %j] : !tile.fragref<128x64xf32> -> f32
          %y = arith.mulf %x, %v : f32
          tile.write %y, %r[%i, %j] : !tile.fragref<128x64xf32>
        }
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Variadic<I64>:$extents, DenseI64ArrayAttr:$static_extents, Variadic<Tile_FragmentType>:$inits,
                       OptionalAttr<Tile_Layout>:$layout);
  let results = (outs Variadic<Tile_FragmentType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::ArrayRef<::mlir::OpFoldResult>":$extents, CArg<"::mlir::ValueRange", "{}">:$inits)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedExtents();
    unsigned getRank() { return getStaticExtents().size(); }
    /// The indices, then the references to the fragments under update.
    ::mlir::Block::BlockArgListType getIndices() { return getBody()->getArguments().take_front(getRank()); }
    ::mlir::Block::BlockArgListType getRefs() { return getBody()->getArguments().drop_front(getRank()); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

class Tile_ElementOp<string mnemonic, list<Trait> traits = []> : Tile_AccessOp<mnemonic, traits> {
  let hasVerifier = 1;
}

// Of a parallel body: may run where the program does not run it, if it cannot be undefined there.
class Tile_BodyOp<string mnemonic, list<Trait> traits = []>
    : Tile_ElementOp<mnemonic, !listconcat([DeclareOpInterfaceMethods<ConditionallySpeculatable>], traits)>;

def Tile_ReadOp : Tile_BodyOp<"read", [ScalarOf<"source", "result">]> {
  let summary = "read an element, in a parallel body";
  let description = [{
    Outside a tensor's bounds the result is 0. Outside a tile it is undefined; `in_bounds` says that it was proved
    not to happen. A reference gives this iteration's own earlier write, else the value before the loop.

    Constraints:
    - `read_c1`: there is an index for each dimension of the source
    - `read_c2`: the op is inside a `tile.parallel`

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128xf32>
        %s = tile.shared : !tile.shared<128xf32>
        tile.parallel (%i) in (128) {
          %x = tile.read %f[%i] {in_bounds} : !tile.fragment<128xf32> -> f32
          tile.write %x, %s[%i] : !tile.shared<128xf32>
        }
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Readable:$source, Variadic<I64>:$indices, UnitAttr:$in_bounds);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` qualified(type($source)) `->` type($result)";
}

def Tile_WriteOp : Tile_BodyOp<"write", [ScalarOf<"dest", "value">]> {
  let summary = "write an element, in a parallel body";
  let description = [{
    Outside a tensor's bounds nothing is written; outside a tile it is undefined.

    Constraints:
    - `write_c1`: there is an index for each dimension of the destination
    - `write_c2`: the op is inside a `tile.parallel`

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %s = tile.shared : !tile.shared<128xf32>
        tile.parallel (%i) in (128) {
          tile.write %v, %s[%i] : !tile.shared<128xf32>
        }
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Scalar:$value, Tile_Writable:$dest, Variadic<I64>:$indices, UnitAttr:$in_bounds);
  let assemblyFormat = "$value `,` $dest `[` $indices `]` attr-dict `:` qualified(type($dest))";
}

def Tile_UpdateOp : Tile_BodyOp<"update", [ScalarOf<"dest", "value">]> {
  let summary = "combine a value into an element, in a parallel body";
  let description = [{
    `dest[i] = dest[i] op value`. Every iteration that names the element counts, in no order.

    Constraints:
    - `update_c1`: there is an index for each dimension of the destination
    - `update_c2`: the op is inside a `tile.parallel`

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %s = tile.shared : !tile.shared<4xf32>
        %c0 = arith.constant 0 : i64
        tile.parallel (%i) in (128) {
          tile.update <add> %v, %s[%c0] : !tile.shared<4xf32>
        }
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_UpdateKindAttr:$kind, Tile_Scalar:$value, Tile_Updatable:$dest, Variadic<I64>:$indices,
                       UnitAttr:$in_bounds);
  let assemblyFormat = "$kind $value `,` $dest `[` $indices `]` attr-dict `:` qualified(type($dest))";
}

def Tile_AtomicOp : Tile_ElementOp<"atomic", [ScalarOf<"dest", "value">]> {
  let summary = "atomic update of an element";
  let description = [{
    Inside a `tile.parallel` once an iteration, outside once a block. Outside a tensor's bounds nothing happens.
    Relaxed, device scope; no result.

    Constraints:
    - `atomic_c1`: there is an index for each dimension of the destination
    - `atomic_c2`: the element type is i32, ui32, i64, ui64, f16, bf16, f32 or f64

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %s = tile.shared : !tile.shared<4xf32>
        %c0 = arith.constant 0 : i64
        tile.atomic <max> %v, %s[%c0] : !tile.shared<4xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, Tile_Scalar:$value, Tile_Memory:$dest, Variadic<I64>:$indices);
  let assemblyFormat = "$kind $value `,` $dest `[` $indices `]` attr-dict `:` qualified(type($dest))";
}

def Tile_ReadScalarOp : Tile_ElementOp<"read_scalar", [ScalarOf<"source", "result">]> {
  let summary = "read an element once for the block";
  let description = [{
    All threads, and all roles, get the same value. Outside a tensor's bounds it is 0.

    Constraints:
    - `read_scalar_c1`: there is an index for each dimension of the source
    - `read_scalar_c2`: the op is not inside a `tile.parallel`

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128xf32>
        %x = tile.read_scalar %f[%b] : !tile.fragment<128xf32> -> f32
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tile_GlobalType, Tile_SharedType, Tile_FragmentType]>:$source,
                       Variadic<I64>:$indices);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` qualified(type($source)) `->` type($result)";
}

def Tile_WriteScalarOp : Tile_ElementOp<"write_scalar", [ScalarOf<"dest", "value">]> {
  let summary = "write an element once for the block";
  let description = [{
    `dest[indices] = value`, by one thread. Outside a tensor's bounds nothing is written; outside a tile it is undefined.

    Constraints:
    - `write_scalar_c1`: there is an index for each dimension of the destination
    - `write_scalar_c2`: the op is not inside a `tile.parallel`

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %s = tile.shared : !tile.shared<128xf32>
        tile.write_scalar %v, %s[%b] : !tile.shared<128xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Scalar:$value, Tile_Memory:$dest, Variadic<I64>:$indices);
  let assemblyFormat = "$value `,` $dest `[` $indices `]` attr-dict `:` qualified(type($dest))";
}

def Tile_InsertOp : Tile_Op<"insert", [DeclareOpInterfaceMethods<LayoutConstraintOpInterface>, NoMemoryEffect, AllTypesMatch<["dest", "result"]>, ScalarOf<"dest", "value">]> {
  let summary = "a fragment with one element replaced";
  let description = [{
    `result` is `dest`, but for `result[indices] = value`. An index outside is undefined.

    Constraints:
    - `insert_c1`: there is an index for each dimension of the fragment

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128xf32>
        %g = tile.insert %v, %f[%b] : !tile.fragment<128xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Scalar:$value, Tile_FragmentType:$dest, Variadic<I64>:$indices);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = "$value `,` $dest `[` $indices `]` attr-dict `:` qualified(type($dest))";
  let hasVerifier = 1;
}

def Tile_AssumeOp : Tile_ActionOp<"assume"> {
  let summary = "a fact the compiler may rely on";
  let description = [{
    Undefined behaviour if the condition is false; the evaluator stops.

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %c: i1) {
      tile.grid (%b) in (%n) threads(128) {
        tile.assume %c
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

def Tile_AssertOp : Tile_ActionOp<"assert"> {
  let summary = "stop the launch unless a condition holds";
  let description = [{
    Prints `file:line: assertion failed: text`, from the op's location, and stops.

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %c: i1) {
      tile.grid (%b) in (%n) threads(128) {
        tile.assert %c, "lengths ascend"
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$text);
  let assemblyFormat = "$condition `,` $text attr-dict";
}

def Tile_PrintOp : Tile_ActionOp<"print"> {
  let summary = "print a line";
  let description = [{
    The text as it stands, then each scalar after a blank; once a block, or once an iteration of a `tile.parallel`.
    `is_unsigned` has an entry an operand.

    Constraints:
    - `print_c1`: `is_unsigned` has an entry an operand

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        tile.print "block"(%b, %v : i64, f32) {is_unsigned = array<i1: true, false>}
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins StrAttr:$text, Variadic<Tile_Scalar>:$args, OptionalAttr<DenseBoolArrayAttr>:$is_unsigned);
  let assemblyFormat = "$text (`(` $args^ `:` type($args) `)`)? attr-dict";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECT_TILE_IR_TILEOPSPARALLEL_TD
