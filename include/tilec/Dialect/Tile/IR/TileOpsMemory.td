//===- TileOpsMemory.td - objects and moving them ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, windows, shared tiles and fragments, and the ops that move regions of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEOPSMEMORY_TD
#define TILEC_DIALECT_TILE_IR_TILEOPSMEMORY_TD

include "tilec/Dialect/Tile/IR/TileBase.td"

// Wording that several ops share: `extents` has an entry for each dimension of the memory object; the other side
// has the same extents once unit ones are dropped on both sides.

def Tile_GlobalOp : Tile_Op<"global", [Pure, AttrSizedOperandSegments]> {
  let summary = "a tensor behind a pointer";
  let description = [{
    A tensor of the given extents and strides (in elements). Element (i, j) is at `ptr + i·stride0 + j·stride1`.

    Constraints:
    - `global_c1`: there are a size and a stride for each dimension of the result
    - `global_c2`: static sizes equal the result's extents, dynamic ones are `?` there
    - `global_c3`: the result has the pointer's element type
    - `global_c4`: static strides are not negative
    - `global_c5`: there is an operand for each dynamic size and stride

    `map` is the launch program's descriptor of the tensor, for bulk copies of it.

    Example:
    ```mlir
    tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %m: i64) {
      tile.grid (%b) in (%m) threads(128) {
        %g = tile.global %A sizes [%m, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PtrType:$ptr, Variadic<I64>:$sizes, Variadic<I64>:$strides,
                       Optional<Tile_TensorMap>:$map,
                       DenseI64ArrayAttr:$static_sizes, DenseI64ArrayAttr:$static_strides);
  let results = (outs Tile_GlobalType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                                 "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides,
                                 CArg<"::mlir::Value", "{}">:$map)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides();
  }];
  let assemblyFormat = [{
    $ptr `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    `strides` custom<DynamicIndexList>($strides, $static_strides) (`map` `(` $map^ `)`)? attr-dict
    `:` qualified(type($ptr)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_WindowOp : Tile_Op<"window", [Pure, AttrSizedOperandSegments]> {
  let summary = "a part of a tensor, with bounds of its own";
  let description = [{
    Starts at `offsets` and has `sizes`, one a dimension of the base. A dimension in `drop` has size 1 and vanishes.
    An element of the window can be read iff it is inside the window and inside the base; if a dropped offset is
    outside the base, nothing can. A negative size is 0.

    Constraints:
    - `window_c1`: there are an offset and a size for each dimension of the base
    - `window_c2`: `drop` lists dimensions of the base, in ascending order
    - `window_c3`: a dropped dimension has the static size 1
    - `window_c4`: the result has the sizes that are not dropped, and the base's element type
    - `window_c5`: there is an operand for each dynamic size

    Example:
    ```mlir
    tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %m: i64) {
      tile.grid (%b) in (%m) threads(128) {
        %c0 = arith.constant 0 : i64
        %g = tile.global %A sizes [%m, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
        %row = tile.window %g[%b, %c0] sizes [1, 64] drop [0] : !tile.global<?x64xf16> -> !tile.global<64xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_GlobalType:$base, Variadic<I64>:$offsets, Variadic<I64>:$sizes,
                       DenseI64ArrayAttr:$static_sizes, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$drop);
  let results = (outs Tile_GlobalType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$base, "::mlir::ValueRange":$offsets,
                                 "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                                 CArg<"::llvm::ArrayRef<int64_t>", "{}">:$drop)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
  let assemblyFormat = [{
    $base `[` $offsets `]` `sizes` custom<DynamicIndexList>($sizes, $static_sizes) (`drop` $drop^)? attr-dict
    `:` qualified(type($base)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_SharedOp : Tile_Op<"shared", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "allocate a shared tile";
  let description = [{
    A tile in shared memory that lives until the enclosing block ends. Its contents are unspecified each time the op
    runs. `swizzle` pins its layout, `name` is the program's, `offset` its place in the block's shared memory in bytes.

    Constraints:
    - `shared_c1`: `offset` is not negative and a multiple of 16

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %s = tile.shared {name = "As"} : !tile.shared<128x32xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name, OptionalAttr<Tile_SwizzleAttr>:$swizzle,
                       OptionalAttr<I64Attr>:$offset);
  let results = (outs Tile_SharedType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, CArg<"::llvm::StringRef", "{}">:$name)>];
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_SubviewOp : Tile_Op<"subview", [Pure]> {
  let summary = "a region of a shared tile, as a tile";
  let description = [{
    Refers to the `extents` that begin at `offsets`; a dimension in `drop` has extent 1 and vanishes. Any offset is
    allowed; a region outside the tile is undefined when it is accessed.

    Constraints:
    - `subview_c1`: there are an offset and an extent for each dimension of the base
    - `subview_c2`: `drop` lists dimensions of extent 1, in ascending order
    - `subview_c3`: the result has the extents that are not dropped, and the base's element type
    - `subview_c4`: no extent is larger than the base's

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %c0 = arith.constant 0 : i64
        %c1 = arith.constant 1 : i64
        %s = tile.shared : !tile.shared<2x128x32xf16>
        %v = tile.subview %s[%c1, %c0, %c0] extents [1, 128, 32] drop [0]
          : !tile.shared<2x128x32xf16> -> !tile.shared<128x32xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_SharedType:$base, Variadic<I64>:$offsets, DenseI64ArrayAttr:$extents,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$drop);
  let results = (outs Tile_SharedType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$base, "::mlir::ValueRange":$offsets,
                                 "::llvm::ArrayRef<int64_t>":$extents,
                                 CArg<"::llvm::ArrayRef<int64_t>", "{}">:$drop)>];
  let assemblyFormat = [{
    $base `[` $offsets `]` `extents` $extents (`drop` $drop^)? attr-dict
    `:` qualified(type($base)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_FragmentOp : Tile_Op<"fragment", [Pure]> {
  let summary = "a fragment, uninitialised or filled";
  let description = [{
    Without `init` the elements are uninitialised: reading one before something defines it is an error that the
    evaluator reports.

    Constraints:
    - `fragment_c1`: `init` has the loaded element type of the result

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %u = tile.fragment : !tile.fragment<128x128xf32>
        %f = tile.fragment %v {name = "acc"} : !tile.fragment<128x128xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Optional<Tile_Scalar>:$init, OptionalAttr<StrAttr>:$name);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = "($init^)? attr-dict `:` custom<WithElement>(ref($init), type($init), type($result))";
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_AccessOp<"load", [AttrSizedOperandSegments]> {
  let summary = "read a region into a fragment";
  let description = [{
    `result[i, j] = source[offset0 + i, offset1 + j]`; outside a tensor's bounds the result is `pad`, 0 unless given.
    Outside a shared tile it is undefined. Elements are not converted. `in_bounds` says that the region was proved to
    be inside, `path` how the data moves.

    Constraints:
    - `load_c1`: there are an offset and a positive extent for each dimension of the source
    - `load_c2`: the result's extents are `extents`, unit ones dropped on both sides
    - `load_c3`: the result has the source's element type
    - `load_c4`: `pad` is given for a tensor source only
    - `load_c5`: `pad` has the loaded element type of the source

    Example:
    ```mlir
    tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<in>}, %m: i64, %v: f16) {
      tile.grid (%b) in (%m) threads(128) {
        %g = tile.global %A sizes [%m, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
        %c0 = arith.constant 0 : i64
        %f = tile.load %g[%b, %c0] extents [128, 32] pad(%v) : !tile.global<?x64xf16> -> !tile.fragment<128x32xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Memory:$source, Variadic<I64>:$offsets, Optional<Tile_Scalar>:$pad,
                       DenseI64ArrayAttr:$extents, UnitAttr:$in_bounds, OptionalAttr<Tile_PathAttr>:$path);
  let results = (outs Tile_FragmentType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source, "::mlir::ValueRange":$offsets,
                                 "::llvm::ArrayRef<int64_t>":$extents, CArg<"::mlir::Value", "{}">:$pad)>];
  let assemblyFormat = [{
    $source `[` $offsets `]` `extents` $extents (`pad` `(` $pad^ `)`)? attr-dict
    `:` custom<WithElement>(ref($pad), type($pad), type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_AccessOp<"store"> {
  let summary = "write a fragment to a region";
  let description = [{
    `dest[offset0 + i, offset1 + j] = value[i, j]`; outside a tensor's bounds nothing is written, outside a shared
    tile it is undefined. Elements are not converted. `executor` says which threads write which part.

    Constraints:
    - `store_c1`: there are an offset and a positive extent for each dimension of the destination
    - `store_c2`: the value's extents are `extents`, unit ones dropped on both sides
    - `store_c3`: the value has the destination's element type

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f16) {
      tile.grid (%b) in (%n) threads(128) {
        %c0 = arith.constant 0 : i64
        %s = tile.shared : !tile.shared<128x32xf16>
        %f = tile.fragment %v : !tile.fragment<128x32xf16>
        tile.store %f, %s[%c0, %c0] extents [128, 32] : !tile.fragment<128x32xf16> -> !tile.shared<128x32xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_FragmentType:$value, Tile_Memory:$dest, Variadic<I64>:$offsets,
                       DenseI64ArrayAttr:$extents, UnitAttr:$in_bounds, OptionalAttr<Tile_PathAttr>:$path,
                       OptionalAttr<Tile_ExecutorAttr>:$executor);
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$dest, "::mlir::ValueRange":$offsets,
                                 "::llvm::ArrayRef<int64_t>":$extents)>];
  let assemblyFormat = [{
    $value `,` $dest `[` $offsets `]` `extents` $extents attr-dict
    `:` qualified(type($value)) `->` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_AccessOp<"copy", [AttrSizedOperandSegments]> {
  let summary = "copy a region of memory to another, converting elements";
  let description = [{
    Reads everything before it writes. Outside a source tensor's bounds it reads `pad` (of the destination's element
    type, 0 unless given), outside a destination tensor's bounds it writes nothing. Elements are converted as the
    language writes conversions: floats round to nearest even, float to integer saturates with NaN giving 0, to
    f8 it saturates, integers keep the low bits. `path` says how the data moves.

    Constraints:
    - `copy_c1`: each side has an offset and a positive extent for each of its dimensions
    - `copy_c2`: both sides have the same extents once unit ones are dropped
    - `copy_c3`: `pad` is given for a tensor source only
    - `copy_c4`: `pad` has the loaded element type of the destination
    - `copy_c5`: a `cp_async` or `bulk` path goes from a tensor to a shared tile of the same element type

    Example:
    ```mlir
    tile.kernel @k(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %m: i64) {
      tile.grid (%b) in (%m) threads(128) {
        %c0 = arith.constant 0 : i64
        %g = tile.global %A sizes [%m, 64] strides [64, 1] : !tile.ptr<f32> -> !tile.global<?x64xf32>
        %s = tile.shared : !tile.shared<128x32xf16>
        tile.copy %g[%b, %c0] extents [128, 32], %s[%c0, %c0] extents [128, 32]
          : !tile.global<?x64xf32> -> !tile.shared<128x32xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Memory:$source, Variadic<I64>:$source_offsets, Optional<Tile_Scalar>:$pad,
                       Tile_Memory:$dest, Variadic<I64>:$dest_offsets,
                       DenseI64ArrayAttr:$source_extents, DenseI64ArrayAttr:$dest_extents,
                       OptionalAttr<Tile_PathAttr>:$path);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$sourceOffsets,
                                 "::llvm::ArrayRef<int64_t>":$sourceExtents, "::mlir::Value":$dest,
                                 "::mlir::ValueRange":$destOffsets, "::llvm::ArrayRef<int64_t>":$destExtents,
                                 CArg<"::mlir::Value", "{}">:$pad)>];
  let assemblyFormat = [{
    $source `[` $source_offsets `]` `extents` $source_extents (`pad` `(` $pad^ `)`)? `,`
    $dest `[` $dest_offsets `]` `extents` $dest_extents attr-dict
    `:` qualified(type($source)) `->` custom<WithElement>(ref($pad), type($pad), type($dest))
  }];
  let hasVerifier = 1;
}

def Tile_FillOp : Tile_AccessOp<"fill", [ScalarOf<"dest", "value">]> {
  let summary = "set every element of a region";
  let description = [{
    Outside a tensor's bounds nothing is written.

    Constraints:
    - `fill_c1`: there are an offset and a positive extent for each dimension of the destination

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f16) {
      tile.grid (%b) in (%n) threads(128) {
        %c0 = arith.constant 0 : i64
        %s = tile.shared : !tile.shared<128x32xf16>
        tile.fill %v, %s[%c0, %c0] extents [128, 32] : !tile.shared<128x32xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Scalar:$value, Tile_Memory:$dest, Variadic<I64>:$offsets, DenseI64ArrayAttr:$extents);
  let assemblyFormat = "$value `,` $dest `[` $offsets `]` `extents` $extents attr-dict `:` qualified(type($dest))";
  let hasVerifier = 1;
}

def Tile_ExtractSliceOp : Tile_Op<"extract_slice", [NoMemoryEffect]> {
  let summary = "a region of a fragment, as a fragment";
  let description = [{
    `result[i, j] = source[offset0 + i, offset1 + j]`. A region outside the source is undefined.

    Constraints:
    - `extract_slice_c1`: there are an offset and a positive extent for each dimension of the source
    - `extract_slice_c2`: the result's extents are `extents`, unit ones dropped on both sides
    - `extract_slice_c3`: the result has the source's element type
    - `extract_slice_c4`: no extent is larger than the source's

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %c0 = arith.constant 0 : i64
        %f = tile.fragment %v : !tile.fragment<128x64xf32>
        %s = tile.extract_slice %f[%c0, %c0] extents [16, 1] : !tile.fragment<128x64xf32> -> !tile.fragment<16xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_FragmentType:$source, Variadic<I64>:$offsets, DenseI64ArrayAttr:$extents);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` `extents` $extents attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_InsertSliceOp : Tile_Op<"insert_slice", [DeclareOpInterfaceMethods<LayoutConstraintOpInterface>, NoMemoryEffect, AllTypesMatch<["dest", "result"]>]> {
  let summary = "a fragment with a region replaced";
  let description = [{
    `result` is `dest` but for `result[offset0 + i, offset1 + j] = value[i, j]`. A region outside it is undefined.

    Constraints:
    - `insert_slice_c1`: there are an offset and a positive extent for each dimension of the destination
    - `insert_slice_c2`: the value's extents are `extents`, unit ones dropped on both sides
    - `insert_slice_c3`: the value has the destination's element type
    - `insert_slice_c4`: no extent is larger than the destination's

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %c0 = arith.constant 0 : i64
        %f = tile.fragment %v : !tile.fragment<128x64xf32>
        %s = tile.fragment %v : !tile.fragment<16xf32>
        %g = tile.insert_slice %s, %f[%c0, %c0] extents [16, 1] : !tile.fragment<16xf32> -> !tile.fragment<128x64xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_FragmentType:$value, Tile_FragmentType:$dest, Variadic<I64>:$offsets,
                       DenseI64ArrayAttr:$extents);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = [{
    $value `,` $dest `[` $offsets `]` `extents` $extents attr-dict
    `:` qualified(type($value)) `->` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [DeclareOpInterfaceMethods<LayoutConstraintOpInterface>, Pure]> {
  let summary = "a fragment with unit extents added or removed";
  let description = [{
    Element by element in row-major order: no element moves.

    Constraints:
    - `reshape_c1`: both fragments have the same extents once unit ones are dropped
    - `reshape_c2`: both fragments have the same element type

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128xf32>
        %g = tile.reshape %f : !tile.fragment<128xf32> -> !tile.fragment<128x1xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_FragmentType:$source);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ConvertOp : Tile_Op<"convert", [Pure]> {
  let summary = "a fragment with another element type or layout";
  let description = [{
    Elements are converted as `tile.copy` does; the layout may change as well.

    Constraints:
    - `convert_c1`: both fragments have the same extents

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128x64xf32>
        %g = tile.convert %f : !tile.fragment<128x64xf32> -> !tile.fragment<128x64xf16>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_FragmentType:$source);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_AtomicTileOp : Tile_AccessOp<"atomic_tile"> {
  let summary = "atomic update of every element of a region";
  let description = [{
    Each element of the region inside the bounds is updated once: by the fragment's element, or by the scalar.
    Relaxed, device scope.

    Constraints:
    - `atomic_tile_c1`: there are an offset and a positive extent for each dimension of the destination
    - `atomic_tile_c2`: a fragment's extents are `extents`, unit ones dropped on both sides
    - `atomic_tile_c3`: the value has the destination's element type (a scalar its loaded type)
    - `atomic_tile_c4`: the element type is i32, ui32, i64, ui64, f16, bf16, f32 or f64

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %c0 = arith.constant 0 : i64
        %s = tile.shared : !tile.shared<128xf32>
        tile.atomic_tile <add> %v, %s[%c0] extents [128] : f32 -> !tile.shared<128xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_AtomicKindAttr:$kind, AnyTypeOf<[Tile_FragmentType, Tile_Scalar]>:$value,
                       Tile_Memory:$dest, Variadic<I64>:$offsets, DenseI64ArrayAttr:$extents);
  let assemblyFormat = [{
    $kind $value `,` $dest `[` $offsets `]` `extents` $extents attr-dict
    `:` type($value) `->` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

#endif // TILEC_DIALECT_TILE_IR_TILEOPSMEMORY_TD
