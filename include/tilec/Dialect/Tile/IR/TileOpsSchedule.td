//===- TileOpsSchedule.td - roles, registers in flight, barriers --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stage schedule adds besides rings.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEOPSSCHEDULE_TD
#define TILEC_DIALECT_TILE_IR_TILEOPSSCHEDULE_TD

include "tilec/Dialect/Tile/IR/TileBase.td"

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def Tile_RolesOp : Tile_Op<"roles", [NoRegionArguments, RecursiveMemoryEffects, ScheduleStageOp, SingleBlock]> {
  let summary = "groups of warps that run different programs at once";
  let description = [{
    Each region is the program of one role: `warps` warps with `registers` registers a thread (0: as many as the kernel
    has). The roles start together and the op ends when all have. Roles share tensors, shared tiles, rings, gates and
    scalars from outside; registers do not cross. The layout of a fragment ranges over the warps of its role.

    Constraints:
    - `roles_c1`: there is a name, a number of warps and of registers for each region, and at least one region
    - `roles_c2`: names are different and not empty
    - `roles_c3`: there are 1 to 32 warps in all; where registers are set, warps come in fours
    - `roles_c4`: registers are 0, or a multiple of 8 from 24 to 256
    - `roles_c5`: no fragment, reference, slot, token or register in flight from outside is used in a role
    - `roles_c6`: each region ends in a `tile.yield` without operands
    - `roles_c7`: roles are not nested

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %r = tile.ring depth(3) put <bulk> get <wgmma> : !tile.ring<128x64xf16>
        tile.roles
          role "producer" warps(4) registers(24) {
            tile.ring.advance %r, %n : !tile.ring<128x64xf16>
            tile.yield
          }
          role "consumer" warps(8) registers(240) {
            tile.yield
          }
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins StrArrayAttr:$names, DenseI64ArrayAttr:$warps, DenseI64ArrayAttr:$registers);
  let regions = (region VariadicRegion<SizedRegion<1>>:$roles);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::ArrayRef<::llvm::StringRef>":$names, "::llvm::ArrayRef<int64_t>":$warps,
                                 "::llvm::ArrayRef<int64_t>":$registers)>];
  let extraClassDeclaration = [{
    /// The role that `op` is in, as an index of this op's regions.
    unsigned getRoleOf(::mlir::Operation *op);
    ::llvm::StringRef getName(unsigned role);
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_GateOp : Tile_Op<"gate", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, ScheduleStageOp]> {
  let summary = "a gate that groups of warps pass in turn";
  let description = [{
    `members` groups pass the gate in turn, 0 first. It orders, it protects nothing: leaving it out changes no result.

    Constraints:
    - `gate_c1`: there are at least 2 members

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(256) {
        %g = tile.gate members(2)
        tile.gate.enter %g
        tile.gate.leave %g
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins I64Attr:$members);
  let results = (outs Tile_Gate:$result);
  let assemblyFormat = "`members` `(` $members `)` attr-dict";
  let hasVerifier = 1;
}

def Tile_GateEnterOp : Tile_ActionOp<"gate.enter", [ScheduleStageOp]> {
  let summary = "wait for one's turn at a gate";
  let description = [{
    The executing group waits until the group before it has left `gate`.

    Constraints:
    - `gate_enter_c1`: a `tile.gate.leave` of the same gate follows in the same block

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(256) {
        %g = tile.gate members(2)
        tile.gate.enter %g
        tile.gate.leave %g
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Gate:$gate);
  let assemblyFormat = "$gate attr-dict";
  let hasVerifier = 1;
}

def Tile_GateLeaveOp : Tile_ActionOp<"gate.leave", [ScheduleStageOp]> {
  let summary = "pass the turn on";
  let description = [{
    The executing group lets the next one into `gate`.

    Constraints:
    - `gate_leave_c1`: a `tile.gate.enter` of the same gate is before it in the same block

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(256) {
        %g = tile.gate members(2)
        tile.gate.enter %g
        tile.gate.leave %g
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Gate:$gate);
  let assemblyFormat = "$gate attr-dict";
  let hasVerifier = 1;
}

def Tile_DecodeOp : Tile_Op<"decode", [DeclareOpInterfaceMethods<InferTypeOpInterface>, Pure, ScheduleStageOp]> {
  let summary = "block indices of a linear tile number";
  let description = [{
    Takes `tile`, from 0 below the product of the extents, to the index of a block: x fastest, or in the order of `raster`.
    With `longest_first` the first dimension runs from its end, where a causal kernel's long rows are. Each block
    has one number.

    Constraints:
    - `decode_c1`: there are 1 to 3 extents
    - `decode_c2`: there is a result for each extent

    Example:
    ```mlir
    tile.kernel @k(%t: i64, %gx: i64, %gy: i64) {
      tile.grid (%b) in (%t) threads(128) {
        %x, %y = tile.decode %b in (%gx, %gy) {longest_first}
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins I64:$tile, Variadic<I64>:$extents, UnitAttr:$longest_first, OptionalAttr<Tile_RasterAttr>:$raster);
  let results = (outs Variadic<I64>:$indices);
  let assemblyFormat = "$tile `in` `(` $extents `)` attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Registers in flight
//===----------------------------------------------------------------------===//

def Tile_GemmStartOp : Tile_StartOp<"gemm.start", [DeclareOpInterfaceMethods<LayoutConstraintOpInterface>]> {
  let summary = "start a matrix product";
  let description = [{
    What `tile.gemm` computes, later: the result is in flight until a `tile.gemm.wait` returns it. `acc` is a fragment or
    what another start left in flight; without it the product starts at zero. Operands in shared memory are read until
    the wait.

    Constraints:
    - `gemm_start_c1`: both operands and the result have rank 2
    - `gemm_start_c2`: the inner extents are equal, the result has the outer ones
    - `gemm_start_c3`: the element types are an accepted triple
    - `gemm_start_c4`: `acc` has the result's shape, element type and layout
    - `gemm_start_c5`: `instr` multiplies these element types and can take each operand from where it is
    - `gemm_start_c6`: only a start, as its accumulator, a wait, or an op of `scf` that passes it on uses the result,
      and only once on any path
    - `gemm_start_c7`: `instr`, if given, completes asynchronously

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %a = tile.shared : !tile.shared<128x64xf16>
        %bt = tile.shared : !tile.shared<128x64xf16>
        %p = tile.gemm.start %a, %bt {trans_b} : !tile.shared<128x64xf16>, !tile.shared<128x64xf16>
          -> !tile.pending<128x128xf32>
        %q = tile.gemm.start %a, %bt acc(%p : !tile.pending<128x128xf32>) {trans_b}
          : !tile.shared<128x64xf16>, !tile.shared<128x64xf16> -> !tile.pending<128x128xf32>
        %c = tile.gemm.wait %q : !tile.pending<128x128xf32> -> !tile.fragment<128x128xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_AnyTile:$a, Tile_AnyTile:$b, Optional<AnyTypeOf<[Tile_FragmentType, Tile_PendingType]>>:$acc,
                       UnitAttr:$trans_a, UnitAttr:$trans_b, OptionalAttr<Tile_Instr>:$instr);
  let results = (outs Tile_PendingType:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$a, "::mlir::Value":$b,
                                 CArg<"::mlir::Value", "{}">:$acc)>];
  let assemblyFormat = [{
    $a `,` $b (`acc` `(` $acc^ `:` qualified(type($acc)) `)`)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_GemmWaitOp : Tile_ActionOp<"gemm.wait", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<AsyncOpInterface, ["getAwaited"]>,
                                                  DeclareOpInterfaceMethods<InferTypeOpInterface>, ScheduleStageOp]> {
  let summary = "wait for registers in flight";
  let description = [{
    Waits until the products in `pending` are done, and all that started before them, and returns them as fragments.
    `carry` values come back unchanged: what uses them afterwards cannot rise above the wait. Fragments that the awaited
    products read stay in registers until here. `outstanding`, set last, is how many later groups may still be in flight.

    Constraints:
    - `gemm_wait_c1`: there is something to wait for
    - `gemm_wait_c2`: the results are the pending values as fragments, then the carried values
    - `gemm_wait_c3`: `carry` holds fragments and scalars
    - `gemm_wait_c4`: `outstanding` is not negative

    Example:
    ```mlir
    tile.kernel @k(%n: i64, %v: f32) {
      tile.grid (%b) in (%n) threads(128) {
        %a = tile.shared : !tile.shared<128x64xf16>
        %p = tile.gemm.start %a, %a {trans_b} : !tile.shared<128x64xf16>, !tile.shared<128x64xf16>
          -> !tile.pending<128x128xf32>
        %e = tile.fragment %v : !tile.fragment<128xf32>
        %c, %e1 = tile.gemm.wait %p carry(%e) : !tile.pending<128x128xf32>, !tile.fragment<128xf32>
          -> !tile.fragment<128x128xf32>, !tile.fragment<128xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_PendingType>:$pending, Variadic<AnyType>:$carry, OptionalAttr<I64Attr>:$outstanding);
  let results = (outs Variadic<AnyType>:$results);
  let extraClassDeclaration = [{
    ::mlir::ResultRange getFragments() { return getResults().take_front(getPending().size()); }
    ::mlir::ResultRange getCarried() { return getResults().drop_front(getPending().size()); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_GemmWaitReadOp : Tile_ActionOp<"gemm.wait_read", [DeclareOpInterfaceMethods<AsyncOpInterface, ["getAwaited"]>, ScheduleStageOp]> {
  let summary = "wait until a product in flight has read its operands";
  let description = [{
    Waits until the products in `pending`, and all that started before them, have read their operands in shared memory. Their
    accumulators may meanwhile be in flight again under a later start, so this is the one use of a pending value that
    does not consume it.

    Constraints:
    - `gemm_wait_read_c1`: there is something to wait for
    - `gemm_wait_read_c2`: `outstanding` is not negative

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %a = tile.shared : !tile.shared<128x64xf16>
        %p = tile.gemm.start %a, %a {trans_b} : !tile.shared<128x64xf16>, !tile.shared<128x64xf16>
          -> !tile.pending<128x128xf32>
        %q = tile.gemm.start %a, %a acc(%p : !tile.pending<128x128xf32>) {trans_b}
          : !tile.shared<128x64xf16>, !tile.shared<128x64xf16> -> !tile.pending<128x128xf32>
        tile.gemm.wait_read %p : !tile.pending<128x128xf32>
        %c = tile.gemm.wait %q : !tile.pending<128x128xf32> -> !tile.fragment<128x128xf32>
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_PendingType>:$pending, OptionalAttr<I64Attr>:$outstanding);
  let assemblyFormat = "$pending attr-dict `:` qualified(type($pending))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Bulk stores
//===----------------------------------------------------------------------===//

def Tile_BulkStoreStartOp : Tile_StartOp<"bulk_store.start"> {
  let summary = "start a bulk store of a shared tile";
  let description = [{
    `dest[offset0 + i, offset1 + j] = source[i, j]`, later and through the async proxy; outside the tensor's bounds nothing
    is written. The tile is read until a `tile.bulk_store.wait_read`.

    Constraints:
    - `bulk_store_start_c1`: there are an offset and a positive extent for each dimension of the destination
    - `bulk_store_start_c2`: the source's extents are `extents`, unit ones dropped on both sides
    - `bulk_store_start_c3`: both have the same element type
    - `bulk_store_start_c4`: the token is waited for

    Example:
    ```mlir
    tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<out>}, %n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %c0 = arith.constant 0 : i64
        %g = tile.global %A sizes [%n, 64] strides [64, 1] : !tile.ptr<f16> -> !tile.global<?x64xf16>
        %s = tile.shared : !tile.shared<128x64xf16>
        %t = tile.bulk_store.start %s, %g[%b, %c0] extents [128, 64] {executor = #tile.executor<one_lane>}
          : !tile.shared<128x64xf16> -> !tile.global<?x64xf16>
        tile.bulk_store.wait_read %t
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_SharedType:$source, Tile_GlobalType:$dest, Variadic<I64>:$offsets, DenseI64ArrayAttr:$extents,
                       OptionalAttr<Tile_ExecutorAttr>:$executor);
  let results = (outs Tile_Token:$result);
  let assemblyFormat = [{
    $source `,` $dest `[` $offsets `]` `extents` $extents attr-dict
    `:` qualified(type($source)) `->` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

def Tile_BulkStoreWaitReadOp : Tile_ActionOp<"bulk_store.wait_read", [DeclareOpInterfaceMethods<AsyncOpInterface, ["getAwaited"]>, ScheduleStageOp]> {
  let summary = "wait until bulk stores have read their tiles";
  let description = [{
    Waits until the stores behind `tokens`, and all that started before them, have read their tiles, which may then be
    overwritten. What they write becomes visible with the end of the kernel. `outstanding`, set last, is how many later
    groups may still be reading.

    Constraints:
    - `bulk_store_wait_read_c1`: there is something to wait for
    - `bulk_store_wait_read_c2`: `outstanding` is not negative

    Example:
    ```mlir
    tile.kernel @k(%A: !tile.ptr<f16> {tile.access = #tile.access<out>}, %n: i64) {
      tile.grid (%b) in (%n) threads(128) {
        %g = tile.global %A sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
        %s = tile.shared : !tile.shared<128xf16>
        %t = tile.bulk_store.start %s, %g[%b] extents [128] : !tile.shared<128xf16> -> !tile.global<?xf16>
        tile.bulk_store.wait_read %t
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Token>:$tokens, OptionalAttr<I64Attr>:$outstanding);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

def Tile_BarrierOp : Tile_ActionOp<"barrier", [ScheduleStageOp]> {
  let summary = "wait for the threads of the block, or of a group";
  let description = [{
    All threads of the block wait for each other, and see each other's writes; with `named` only `threads` threads, through the
    hardware's barrier of that number; with `per_group` each warpgroup has one of its own, numbered from `named` on.
    `reason` says which accesses it separates.

    Constraints:
    - `barrier_c1`: `named` and `threads` come together
    - `barrier_c2`: the number is 1 to 15 (0 is the block's), `threads` a multiple of 32 from 32 to 1024
    - `barrier_c3`: `per_group` goes with 128 threads

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(256) {
        tile.barrier {reason = "As is overwritten"}
        tile.barrier named(1) threads(128)
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$named, OptionalAttr<I64Attr>:$threads, UnitAttr:$per_group,
                       OptionalAttr<StrAttr>:$reason);
  let builders = [OpBuilder<(ins CArg<"::llvm::StringRef", "{}">:$reason)>];
  let assemblyFormat = "(`named` `(` $named^ `)`)? (`threads` `(` $threads^ `)`)? attr-dict";
  let hasVerifier = 1;
}

def Tile_FenceProxyOp : Tile_ActionOp<"fence_proxy", [ScheduleStageOp]> {
  let summary = "order this thread's writes to shared memory before the async proxy's accesses";
  let description = [{
    PTX ISA, `fence.proxy.async`: executed by the writers, before the barrier or arrival that tells the others.

    Example:
    ```mlir
    tile.kernel @k(%n: i64) {
      tile.grid (%b) in (%n) threads(256) {
        tile.fence_proxy {reason = "Os is stored in bulk"}
      }
      tile.return
    }
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Launch program
//===----------------------------------------------------------------------===//

def Tile_TensorMapOp : Tile_Op<"tensormap", [AttrSizedOperandSegments, Pure, ScheduleStageOp]> {
  let summary = "descriptor of a tensor for bulk copies";
  let description = [{
    CUDA driver API, `cuTensorMapEncodeTiled`: the tensor's extents and strides (in elements, the last one 1), the box that
    one copy moves, and the swizzle of the shared tile.

    Constraints:
    - `tensormap_c1`: there are a size and a stride for each dimension of the box, 1 to 5 of them
    - `tensormap_c2`: each extent of the box is 1 to 256
    - `tensormap_c3`: the last stride is 1
    - `tensormap_c4`: the op is in a `tile.entry`
    - `tensormap_c5`: there is an operand for each dynamic size and stride

    Example:
    ```mlir
    tile.entry @e(%A: !tile.ptr<f16>, %m: i64) params [
        #tile.tensor_param<name = "A", element = f16, access = in, extents = ["M"]>] {
      %map = tile.tensormap %A sizes [%m, 64] strides [64, 1] box [128, 64] swizzle <sw128> : !tile.ptr<f16>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PtrType:$ptr, Variadic<I64>:$sizes, Variadic<I64>:$strides, DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides, DenseI64ArrayAttr:$box, Tile_SwizzleAttr:$swizzle);
  let results = (outs Tile_TensorMap:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                                 "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides, "::llvm::ArrayRef<int64_t>":$box,
                                 "::tilec::tile::Swizzle":$swizzle)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides();
  }];
  let assemblyFormat = [{
    $ptr `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    `strides` custom<DynamicIndexList>($strides, $static_strides) `box` $box `swizzle` $swizzle attr-dict
    `:` qualified(type($ptr))
  }];
  let hasVerifier = 1;
}

def Tile_WorkspaceOp : Tile_Op<"workspace", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, ScheduleStageOp]> {
  let summary = "a part of the launch's workspace";
  let description = [{
    `bytes` bytes of device memory that the caller provides; all zero when the kernel starts if `zero` is set. Parts follow
    each other, each aligned to 256 bytes.

    Constraints:
    - `workspace_c1`: the op is in a `tile.entry`

    Example:
    ```mlir
    tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
      %w = tile.workspace %n {zero} : !tile.ptr<i32>
      tile.return
    }
    ```
  }];
  let arguments = (ins I64:$bytes, UnitAttr:$zero);
  let results = (outs Tile_PtrType:$result);
  let assemblyFormat = "$bytes attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_SmCountOp : Tile_Op<"sm_count", [Pure, ScheduleStageOp]> {
  let summary = "number of multiprocessors of the device";
  let description = [{
    The device that the launch goes to, asked when it is made.

    Constraints:
    - `sm_count_c1`: the op is in a `tile.entry`

    Example:
    ```mlir
    tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
      %sms = tile.sm_count
      tile.return
    }
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // TILEC_DIALECT_TILE_IR_TILEOPSSCHEDULE_TD
