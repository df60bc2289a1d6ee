//===- TileOpsKernel.td - kernels and their grid -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device function, the grid of blocks in it, and the terminators.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEOPSKERNEL_TD
#define TILEC_DIALECT_TILE_IR_TILEOPSKERNEL_TD

include "tilec/Dialect/Tile/IR/TileBase.td"

def Tile_KernelOp : Tile_Op<"kernel", [AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
                                       SingleBlock]> {
  let summary = "device function";
  let description = [{
    One entry point (or one variant of it) on the device. Arguments: a pointer for each tensor parameter, then the
    runtime dimensions and strides, then the scalars. The body computes values that the host can compute too, then
    holds exactly one `tile.grid`.

    Argument attributes: `tile.name` (the name in the program), on pointers `tile.access` and `tile.align`, the
    proved alignment of the pointer in bytes (absent: an element).

    Constraints:
    - `kernel_c1`: the function has no results
    - `kernel_c2`: every pointer argument has a `tile.access`
    - `kernel_c3`: the body holds exactly one `tile.grid`
    - `kernel_c4`: an argument is a pointer, a tensor map or a scalar

    Example:
    ```mlir
    tile.kernel @clear(%C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %n: i64) {
      %c128 = arith.constant 128 : i64
      %zero = arith.constant 0.0 : f32
      %blocks = arith.ceildivsi %n, %c128 : i64
      tile.grid (%b) in (%blocks) threads(128) {
        %g = tile.global %C sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
        %at = arith.muli %b, %c128 : i64
        tile.fill %zero, %g[%at] extents [128] : !tile.global<?xf32>
        tile.yield
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let extraClassDeclaration = [{
    /// FunctionOpInterface: a kernel always has a body.
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    /// The grid of the kernel.
    ::tilec::tile::GridOp getGrid();
    /// The name that the program gives argument `index`, or empty.
    ::llvm::StringRef getArgName(unsigned index);
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_GridOp : Tile_Op<"grid", [HasParent<"KernelOp">,
                                   SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "run the body once per block";
  let description = [{
    The body runs once for each index below the extents, in any order, each time by a block of `threads` threads
    (the compiler may add warps of its own). A zero or negative extent runs nothing. `cluster`, `persistent` and
    `raster` never change results.

    Constraints:
    - `grid_c1`: there are 1 to 3 extents
    - `grid_c2`: the body has one i64 argument an extent
    - `grid_c3`: `threads` is a multiple of 32 from 32 to 1024
    - `grid_c4`: `cluster` has a positive entry an extent, at most 16 blocks in all
    - `grid_c5`: the body ends in a `tile.yield` without operands

    Example:
    ```mlir
    tile.kernel @twice(%gx: i64, %gy: i64) {
      tile.grid (%bx, %by) in (%gx, %gy) threads(256) attributes {cluster = array<i64: 2, 1>, persistent,
                                                                  raster = #tile.raster<panel = 10, order = row>} {
        tile.print "block"(%bx, %by : i64, i64)
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Variadic<I64>:$extents, I64Attr:$threads, OptionalAttr<DenseI64ArrayAttr>:$cluster,
                       UnitAttr:$persistent, OptionalAttr<Tile_RasterAttr>:$raster);
  let regions = (region SizedRegion<1>:$region);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$extents, "int64_t":$threads)>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The block indices, x first.
    ::mlir::Block::BlockArgListType getBlockIndices() { return getBody()->getArguments(); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "end a region";
  let description = [{
    Ends the body of an op with a region. Which operands it takes is a constraint of that op.

    Constraints:
    - `yield_c1`: the parent is an op of this dialect that has a body

    Example:
    ```mlir
    tile.kernel @nothing(%n: i64) {
      tile.grid (%b) in (%n) threads(32) {
        tile.yield
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$results);
  let builders = [OpBuilder<(ins), [{ /* no operands */ }]>];
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
  let hasVerifier = 1;
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, ParentOneOf<["KernelOp", "EntryOp"]>, ReturnLike, Terminator]> {
  let summary = "end a kernel or a launch program";
  let description = [{
    Ends the body. There is nothing to return.

    Example:
    ```mlir
    tile.entry @nothing() params [] {
      tile.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TILEC_DIALECT_TILE_IR_TILEOPSKERNEL_TD
