//===- TileOpsLaunch.td - the launch program ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host does for one entry point: checks, then launches. Printed as stub and manifest, interpreted by the
// evaluator and the emulator.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEOPSLAUNCH_TD
#define TILEC_DIALECT_TILE_IR_TILEOPSLAUNCH_TD

include "tilec/Dialect/Tile/IR/TileBase.td"

def Tile_EntryOp : Tile_Op<"entry", [AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
                                     SingleBlock]> {
  let summary = "launch program of an entry point";
  let description = [{
    The host's part of an entry point: integer arithmetic on the arguments, `scf.if`, requirements and launches.
    Arguments are in ABI order: for each tensor its pointer, an i64 an extent (constant ones too), an i64 a declared
    stride; for each scalar its loaded type.

    Constraints:
    - `entry_c1`: the function has no results
    - `entry_c2`: `params` holds tensor_param and scalar_param attributes only
    - `entry_c3`: the arguments are those of `params`, in ABI order

    Example:
    ```mlir
    tile.entry @scale(%A: !tile.ptr<f32>, %n: i64, %by: f32) params [
        #tile.tensor_param<name = "A", element = f32, access = inout, extents = ["N"]>,
        #tile.scalar_param<name = "by", type = f32>] {
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, ArrayAttr:$params,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type, "::mlir::ArrayAttr":$params)>];
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_RequireOp : Tile_ActionOp<"require"> {
  let summary = "refuse the launch unless a condition holds";
  let description = [{
    If the condition is false the launch program ends here and answers the text; `{0}`, `{1}` … stand for the
    operands. Nothing has been launched before the last requirement.

    Constraints:
    - `require_c1`: a placeholder of the text names an operand

    Example:
    ```mlir
    tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
      %c8 = arith.constant 8 : i64
      %ok = arith.cmpi sge, %n, %c8 : i64
      tile.require %ok, "n must be at least 8, got {0}"(%n : i64) kind <fact>
      tile.return
    }
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$text, Variadic<Tile_Scalar>:$args, Tile_GuardKindAttr:$kind);
  let assemblyFormat = "$condition `,` $text (`(` $args^ `:` type($args) `)`)? `kind` $kind attr-dict";
  let hasVerifier = 1;
}

def Tile_PtrAlignedOp : Tile_Op<"ptr_aligned", [Pure]> {
  let summary = "is a pointer a multiple of some bytes";
  let description = [{
    True iff the address is a multiple of `alignment` bytes.

    Constraints:
    - `ptr_aligned_c1`: the alignment is a power of two

    Example:
    ```mlir
    tile.entry @e(%A: !tile.ptr<f16>, %n: i64) params [
        #tile.tensor_param<name = "A", element = f16, access = in, extents = ["N"]>] {
      %ok = tile.ptr_aligned %A, 16 : !tile.ptr<f16>
      tile.require %ok, "A is not aligned to 16 bytes" kind <alignment>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PtrType:$ptr, I64Attr:$alignment);
  let results = (outs I1:$result);
  let assemblyFormat = "$ptr `,` $alignment attr-dict `:` qualified(type($ptr))";
  let hasVerifier = 1;
}

def Tile_PtrNullOp : Tile_Op<"ptr_null", [Pure]> {
  let summary = "is a pointer null";
  let description = [{
    True iff the pointer is null.

    Example:
    ```mlir
    tile.entry @e(%A: !tile.ptr<f16>, %n: i64) params [
        #tile.tensor_param<name = "A", element = f16, access = in, extents = ["N"]>] {
      %null = tile.ptr_null %A : !tile.ptr<f16>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PtrType:$ptr);
  let results = (outs I1:$result);
  let assemblyFormat = "$ptr attr-dict `:` qualified(type($ptr))";
}

def Tile_OverlapOp : Tile_Op<"overlap", [Pure]> {
  let summary = "do two ranges of bytes share one";
  let description = [{
    True iff `[lhs, lhs + lhs_bytes)` and `[rhs, rhs + rhs_bytes)` intersect; an empty range shares nothing.

    Example:
    ```mlir
    tile.entry @e(%A: !tile.ptr<f16>, %n: i64) params [
        #tile.tensor_param<name = "A", element = f16, access = in, extents = ["N"]>] {
      %o = tile.overlap %A, %n, %A, %n : !tile.ptr<f16>, !tile.ptr<f16>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PtrType:$lhs, I64:$lhs_bytes, Tile_PtrType:$rhs, I64:$rhs_bytes);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $lhs `,` $lhs_bytes `,` $rhs `,` $rhs_bytes attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))
  }];
}

def Tile_LaunchOp : Tile_ActionOp<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>, AttrSizedOperandSegments]> {
  let summary = "launch a kernel";
  let description = [{
    Launches `kernel` with a grid of 1 to 3 extents. Launches nothing and succeeds if an extent is zero or negative.
    `threads` counts all threads of a block, `cluster` the blocks of a cluster, `shared_bytes` the dynamic shared
    memory; they are known once the schedule is.

    Constraints:
    - `launch_c1`: the grid has 1 to 3 extents
    - `launch_c2`: `kernel` names a `tile.kernel`
    - `launch_c3`: the arguments have the kernel's argument types
    - `launch_c4`: `cluster` has an entry an extent

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
      }
      tile.return
    }
    tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
      tile.launch @k grid(%n) args(%n : i64) {threads = 128 : i64}
      tile.return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<I64>:$grid, Variadic<AnyType>:$args,
                       OptionalAttr<I64Attr>:$threads, OptionalAttr<DenseI64ArrayAttr>:$cluster,
                       OptionalAttr<I64Attr>:$shared_bytes);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$kernel, "::mlir::ValueRange":$grid, "::mlir::ValueRange":$args)>];
  let assemblyFormat = "$kernel `grid` `(` $grid `)` (`args` `(` $args^ `:` type($args) `)`)? attr-dict";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECT_TILE_IR_TILEOPSLAUNCH_TD
