//===- TileOpsCompute.td - gemm, reductions and scalar functions --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that compute with whole tiles, and the scalar functions that arith and math lack.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEOPSCOMPUTE_TD
#define TILEC_DIALECT_TILE_IR_TILEOPSCOMPUTE_TD

include "tilec/Dialect/Tile/IR/TileBase.td"

def Tile_GemmOp : Tile_AccessOp<"gemm", [DeclareOpInterfaceMethods<LayoutConstraintOpInterface>]> {
  let summary = "matrix product of two tiles";
  let description = [{
    `result = acc + op(a)·op(b)`, where op transposes if `trans_a` (`trans_b`) is set; without `acc` it starts at
    zero. `warps` is the program's wish for how the warps divide the result. Accepted types: equal f16 or bf16 to
    f32, f16 to f16, tf32 or f32 to f32, f8 in any mix to f32, i8/ui8 in any mix to i32, f64 to f64.

    Constraints:
    - `gemm_c1`: both operands and the result have rank 2
    - `gemm_c2`: the inner extents are equal
    - `gemm_c3`: the result has the outer extents
    - `gemm_c4`: the element types are an accepted triple
    - `gemm_c5`: `acc` has the result's type
    - `gemm_c6`: `instr` multiplies these element types
    - `gemm_c7`: `instr` can take each operand from where it is

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %a = tile.shared : !tile.shared<128x32xf16>
        %bt = tile.shared : !tile.shared<64x32xf16>
        %c = tile.gemm %a, %bt {trans_b} : !tile.shared<128x32xf16>, !tile.shared<64x32xf16>
          -> !tile.fragment<128x64xf32>
        %d = tile.gemm %a, %bt acc(%c) {trans_b, warps = #tile.warps<rows>}
          : !tile.shared<128x32xf16>, !tile.shared<64x32xf16> -> !tile.fragment<128x64xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_AnyTile:$a, Tile_AnyTile:$b, Optional<Tile_FragmentType>:$acc, UnitAttr:$trans_a,
                       UnitAttr:$trans_b, OptionalAttr<Tile_WarpPolicyAttr>:$warps,
                       OptionalAttr<Tile_Instr>:$instr);
  let results = (outs Tile_FragmentType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$a, "::mlir::Value":$b,
                                 CArg<"::mlir::Value", "{}">:$acc)>];
  let extraClassDeclaration = [{
    /// Extents of the product: result is m x n, the inner extent is k.
    int64_t getM(); int64_t getN(); int64_t getK();
  }];
  let assemblyFormat = [{
    $a `,` $b (`acc` `(` $acc^ `)`)? attr-dict `:` qualified(type($a)) `,` qualified(type($b))
    `->` custom<WithSame>(ref($acc), type($acc), type($result))
  }];
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [DeclareOpInterfaceMethods<LayoutConstraintOpInterface>, Pure]> {
  let summary = "fold a fragment along an axis";
  let description = [{
    `result[..] = init[..] op source[.., 0, ..] op source[.., 1, ..] op …`; without `init` it starts at the
    operation's neutral element. Every element counts once, in any association. `max` and `min` ignore NaN unless
    `nan_propagate`. Floats accumulate in f32 or wider and round once, integers wrap in the result's type.

    Constraints:
    - `reduce_c1`: `axis` is a dimension of the source
    - `reduce_c2`: the result has the source's extents without that of `axis`; with `parts`, with the number of parts
      in its place
    - `reduce_c3`: the result has the source's element type, or a wider one of its kind
    - `reduce_c4`: `init` has the result's type
    - `reduce_c5`: `nan_propagate` goes with max, min and absmax
    - `reduce_c6`: with `parts` there is no `init`, the source has a layout, and the result's is what `#tile.rows<…,
      parts = …>` makes of it

    With `parts` the fold stops early: over the registers of each thread (`threads`), or of each warp (`warps`).
    Dimension `axis` of the result numbers the threads or warps that share a row, each of which holds the part it has.
    Reducing the result again gives the whole.

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128x64xf32>
        %m = tile.reduce <max> %f axis 1 : !tile.fragment<128x64xf32> -> !tile.fragment<128xf32>
        %m2 = tile.reduce <max> %f axis 1 init(%m) {nan_propagate}
          : !tile.fragment<128x64xf32> -> !tile.fragment<128xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_FragmentType:$source, Optional<Tile_FragmentType>:$init,
                       I64Attr:$axis, UnitAttr:$nan_propagate, OptionalAttr<Tile_PartsAttr>:$parts);
  let results = (outs Tile_FragmentType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::tilec::tile::ReduceKind":$kind, "::mlir::Value":$source,
                                 "::mlir::Value":$init, "int64_t":$axis, "bool":$nanPropagate), [{
    build($_builder, $_state, result, kind, source, init, axis, nanPropagate, PartsAttr());
  }]>];
  let assemblyFormat = [{
    $kind $source `axis` $axis (`init` `(` $init^ `)`)? attr-dict
    `:` qualified(type($source)) `->` custom<WithSame>(ref($init), type($init), type($result))
  }];
  let hasVerifier = 1;
}

def Tile_ScanOp : Tile_Op<"scan", [AllTypesMatch<["source", "result"]>, DeclareOpInterfaceMethods<LayoutConstraintOpInterface>, Pure]> {
  let summary = "inclusive scan of a fragment along an axis";
  let description = [{
    `result[.., i, ..] = source[.., 0, ..] op … op source[.., i, ..]`, from the other end if `reverse`.

    Constraints:
    - `scan_c1`: `axis` is a dimension of the source

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128x64xf32>
        %s = tile.scan <sum> %f axis 0 {reverse} : !tile.fragment<128x64xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_ScanKindAttr:$kind, Tile_FragmentType:$source, I64Attr:$axis, UnitAttr:$reverse,
                       UnitAttr:$nan_propagate);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = "$kind $source `axis` $axis attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [DeclareOpInterfaceMethods<LayoutConstraintOpInterface>, Pure]> {
  let summary = "swap the two dimensions of a fragment";
  let description = [{
    `result[j, i] = source[i, j]`.

    Constraints:
    - `transpose_c1`: the source has rank 2
    - `transpose_c2`: the result has the source's extents, swapped
    - `transpose_c3`: the result has the source's element type

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %f = tile.fragment %v : !tile.fragment<128x64xf32>
        %t = tile.transpose %f : !tile.fragment<128x64xf32> -> !tile.fragment<64x128xf32>
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

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "a scalar conversion that arith cannot say";
  let description = [{
    Float to integer truncates and saturates, NaN gives 0; the integer is unsigned if `is_unsigned`. Float to
    f8E4M3FN or f8E5M2 rounds to nearest even and saturates, infinities too; NaN stays NaN. Everything else is an
    `arith` op.

    Constraints:
    - `cast_c1`: the operand is a float, the result an integer, f8E4M3FN or f8E5M2
    - `cast_c2`: `is_unsigned` goes with an integer result

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %i = tile.cast %v {is_unsigned} : f32 -> i8
        %q = tile.cast %v : f32 -> f8E4M3FN
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins AnyFloat:$source, UnitAttr:$is_unsigned);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

class Tile_FloatFunction<string mnemonic> : Tile_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyFloat:$source);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Tile_SigmoidOp : Tile_FloatFunction<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
  let description = [{
    `result = 1 / (1 + exp(-source))`, in the type of the operand.

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %s = tile.sigmoid %v : f32
      }
      tile.return
    }
    ```
  }];
}

def Tile_RcpOp : Tile_FloatFunction<"rcp"> {
  let summary = "1 / x, to 2^-22 relative in f32";
  let description = [{
    `result = 1 / source`, in the type of the operand.

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %r = tile.rcp %v : f32
      }
      tile.return
    }
    ```
  }];
}

#endif // TILEC_DIALECT_TILE_IR_TILEOPSCOMPUTE_TD
