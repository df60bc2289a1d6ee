//===- TilePlan.td - what the compiler decides -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of a kernel, the instruction of a gemm, the path of a copy, and who executes an op.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_TILEPLAN_TD
#define TILEC_DIALECT_TILE_IR_TILEPLAN_TD

include "tilec/Dialect/Tile/IR/TileAttrBase.td"
include "tilec/Dialect/Tile/IR/TileLayouts.td"

def Tile_ProducerKind : Tile_Enum<"ProducerKind", "who fills the rings", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Lane", 1, "lane">, I32EnumAttrCase<"Warps", 2, "warps">]>;
def Tile_PlanMode : Tile_Enum<"PlanMode", "how the consumers share the work", [
  I32EnumAttrCase<"Uniform", 0, "uniform">, I32EnumAttrCase<"Cooperative", 1, "cooperative">,
  I32EnumAttrCase<"PingPong", 2, "pingpong">]>;

def Tile_PlanAttr : Tile_Attr<"Plan", "plan"> {
  let summary = "all decisions about roles, persistence and depths of one kernel";
  let description = [{
    `consumers` and `producer_warps` count warps. `uniform` kernels have no producer. `depths` are the rings' depths by
    name, `rotate` the iterations that a loop's second half lags behind, `reason` what `--report` prints.

    Example: `#tile.plan<consumers = 8, producer = lane, producer_warps = 4, mode = cooperative, persistent = true,
    rotate = 1, depths = {Ks = 2, Vs = 2}, reason = "two gemms a step">`
  }];
  let parameters = (ins "int64_t":$consumers,
                        DefaultValuedParameter<"::tilec::tile::ProducerKind", "::tilec::tile::ProducerKind::None">:$producer,
                        DefaultValuedParameter<"int64_t", "0">:$producer_warps,
                        DefaultValuedParameter<"::tilec::tile::PlanMode", "::tilec::tile::PlanMode::Uniform">:$mode,
                        DefaultValuedParameter<"bool", "false">:$persistent,
                        DefaultValuedParameter<"int64_t", "0">:$rotate,
                        OptionalParameter<"::mlir::DictionaryAttr">:$depths,
                        OptionalParameter<"::tilec::tile::RasterAttr">:$raster,
                        OptionalParameter<"::mlir::StringAttr">:$reason);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_InstrKind : Tile_Enum<"InstrKind", "family of a matrix instruction", [
  I32EnumAttrCase<"Fma", 0, "fma">, I32EnumAttrCase<"Mma", 1, "mma">, I32EnumAttrCase<"Wgmma", 2, "wgmma">]>;

def Tile_InstrAttr : Tile_Attr<"Instr", "instr", [DeclareAttrInterfaceMethods<MmaInstrAttrInterface>]> {
  let summary = "the matrix instruction of a gemm";
  let description = [{
    `fma` is scalar multiply-add (any shape: 1x1x1), `mma` is `mma.sync` of one warp (a shared
    operand is loaded piece by piece, with `ldmatrix` where that fits), `wgmma` is `wgmma.mma_async` of one
    warpgroup, which reads B and possibly A from shared memory and completes later.

    Example: `#tile.instr<wgmma, m = 64, n = 128, k = 16, a = f16, b = f16, acc = f32>`
  }];
  let parameters = (ins EnumParameter<Tile_InstrKind>:$kind, "int64_t":$m, "int64_t":$n, "int64_t":$k,
                        "::mlir::Type":$a, "::mlir::Type":$b, "::mlir::Type":$acc);
  let assemblyFormat = "`<` $kind `,` struct($m, $n, $k, $a, $b, $acc) `>`";
  let genVerifyDecl = 1;
}

// all: every thread of the role. own_rows: each warpgroup the rows that are its own. own_elements: each thread what
// its layout gives it. one_lane: one elected lane. group_lane: one lane of each warpgroup, for the group's rows.
def Tile_Executor : Tile_Enum<"Executor", "which threads of a role make an access", [
  I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"OwnRows", 1, "own_rows">,
  I32EnumAttrCase<"OwnElements", 2, "own_elements">, I32EnumAttrCase<"OneLane", 3, "one_lane">,
  I32EnumAttrCase<"GroupLane", 4, "group_lane">]>;
def Tile_ExecutorAttr : Tile_EnumAttr<Tile_Executor, "executor">;

def Tile_Path : Tile_Enum<"Path", "how data moves", [
  I32EnumAttrCase<"Generic", 0, "generic">, I32EnumAttrCase<"CpAsync", 1, "cp_async">,
  I32EnumAttrCase<"Bulk", 2, "bulk">, I32EnumAttrCase<"Matrix", 3, "matrix">, I32EnumAttrCase<"Wgmma", 4, "wgmma">]>;
def Tile_PathAttr : Tile_EnumAttr<Tile_Path, "path">;

#endif // TILEC_DIALECT_TILE_IR_TILEPLAN_TD
