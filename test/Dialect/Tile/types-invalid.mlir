// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null

// expected-error @+1 {{element type of the language expected, got 'i7'}}
func.func @ptr_element(%a: !tile.ptr<i7>)

// -----

// Signed elements are spelled without a sign.
// expected-error @+1 {{element type of the language expected, got 'si32'}}
func.func @signed_element(%a: !tile.fragment<8xsi32>)

// -----

// expected-error @+1 {{element type of the language expected, got 'f8E4M3'}}
func.func @global_element(%a: !tile.global<?xf8E4M3>)

// -----

// expected-error @+1 {{element type of the language expected, got 'ui1'}}
func.func @bool_unsigned(%a: !tile.fragment<8xui1>)

// -----

// expected-error @+1 {{a tile has constant extents from 1 up}}
func.func @zero_extent(%a: !tile.shared<0x8xf16>)

// -----

// expected-error @+1 {{a tile of more than 2^31 elements}}
func.func @too_large(%a: !tile.fragment<65536x65536xf16>)

// -----

// expected-error @+1 {{a layout expected, got "rows"}}
func.func @no_layout(%a: !tile.fragment<8xf16, "rows">)

// -----

// expected-error @+1 {{#tile.strided<[1]> says where in memory an element is, but the type is in registers}}
func.func @memory_layout(%a: !tile.fragment<8xf16, #tile.strided<[1]>>)

// -----

#blocked = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
// expected-error @+1 {{says where in registers an element is, but the type is in memory}}
func.func @register_layout(%a: !tile.ring<8xf16, #blocked>)

// -----

// expected-error @+1 {{#tile.panels<64, sw128> is for tiles of rank 2, but the type has rank 1}}
func.func @layout_rank(%a: !tile.shared<64xf16, #tile.panels<64, sw128>>)

// -----

// expected-error @+1 {{lanes}}
func.func @blocked(%a: !tile.fragment<8xf16, #tile.blocked<vector = [1], lanes = [16], warps = [1], reps = [1]>>)

// -----

// expected-error @+1 {{'warps' must have 2 entries, got 1}}
func.func @mma_warps(%a: !tile.fragment<16x8xf16, #tile.mma<acc, bits = 32, warps = [1], reps = [1, 1]>>)

// -----

// expected-error @+1 {{'reps' must have entries from 1 to 1048576, got 0}}
func.func @mma_reps(%a: !tile.fragment<16x8xf16, #tile.mma<acc, bits = 32, warps = [1, 1], reps = [0, 1]>>)

// -----

// expected-error @+1 {{a block has at most 32 warps, got 64}}
func.func @mma_many(%a: !tile.fragment<16x8xf16, #tile.mma<acc, bits = 32, warps = [8, 8], reps = [1, 1]>>)

// -----

// expected-error @+1 {{accumulators have 16, 32 or 64 bits, got 8}}
func.func @mma_acc(%a: !tile.fragment<16x8xf16, #tile.mma<acc, bits = 8, warps = [1, 1], reps = [1, 1]>>)

// -----

// expected-error @+1 {{operands have 8, 16, 32 or 64 bits, got 4}}
func.func @mma_a(%a: !tile.fragment<16x8xf16, #tile.mma<a, bits = 4, warps = [1, 1], reps = [1, 1]>>)

// -----

// expected-error @+1 {{'n' must be a multiple of 8 from 8 to 256, got 12}}
func.func @wgmma_n(%a: !tile.fragment<64x8xf32, #tile.wgmma_acc<n = 12, warpgroups = [1, 1], reps = [1, 1]>>)

// -----

// expected-error @+1 {{operands have 8, 16 or 32 bits, got 4}}
func.func @wgmma_a(%a: !tile.fragment<64x8xf16, #tile.wgmma_a<bits = 4, warpgroups = [1, 1], reps = [1, 1]>>)

// -----

// expected-error @+1 {{the parent must be a layout of registers, got #tile.strided<[1]>}}
func.func @rows_parent(%a: !tile.fragment<64xf16, #tile.rows<#tile.strided<[1]>, axis = 0, parts = threads>>)

// -----

// expected-error @+1 {{the parent must be a layout of registers, got #tile.strided<[1]>}}
func.func @unit_parent(%a: !tile.fragment<64x1xf16, #tile.unit<#tile.strided<[1]>, axis = 1>>)

// -----

#row = #tile.blocked<vector = [1], lanes = [32], warps = [1], reps = [1]>
// expected-error @+1 {{'axis' must be 0 to 1, got 2}}
func.func @unit_axis(%a: !tile.fragment<64x1xf16, #tile.unit<#row, axis = 2>>)

// -----

#acc = #tile.wgmma_acc<n = 8, warpgroups = [1, 1], reps = [1, 1]>
// expected-error @+1 {{'axis' must be a dimension of #tile.wgmma_acc<n = 8, warpgroups = [1, 1], reps = [1, 1]>, got 2}}
func.func @rows_axis(%a: !tile.fragment<64xf16, #tile.rows<#acc, axis = 2>>)

// -----

// expected-error @+1 {{a panel is a power of two of columns wide, up to 1048576, got 24}}
func.func @panels(%a: !tile.shared<64x24xf16, #tile.panels<24, sw128>>)

// -----

// expected-error @+1 {{a panel of 8 columns of 'f16' has 16 bytes, but 'sw128' needs 128}}
func.func @panels_swizzle(%a: !tile.shared<64x24xf16, #tile.panels<8, sw128>>)

// -----

// expected-error @+1 {{a panel of 2 columns of 'f32' has 8 bytes, but 'none' needs 16}}
func.func @panels_chunk(%a: !tile.ring<64x24xf32, #tile.panels<2, none>>)

// -----

// expected-error @+1 {{#tile.strided<[4, 1]> puts elements of 4x8 on top of each other}}
func.func @strided_overlap(%a: !tile.shared<4x8xf16, #tile.strided<[4, 1]>>)

// -----

// expected-error @+1 {{strides are from 1 to 2147483648, got 0}}
func.func @strided(%a: !tile.shared<64xf16, #tile.strided<[0]>>)

// -----

// expected-error @+1 {{a raster panel must be positive, got 0}}
func.func private @raster() attributes {a = #tile.raster<panel = 0, order = row>}

// -----

// expected-error @+1 {{'A' has no element type of the language: 'index'}}
func.func private @tensor() attributes {a = #tile.tensor_param<name = "A", element = index, access = in, extents = []>}

// -----

// expected-error @+1 {{'extents' must hold strings, got 4 : i64}}
func.func private @extents() attributes {a = #tile.tensor_param<name = "A", element = f32, access = in, extents = [4]>}

// -----

// expected-error @+1 {{'A' has 1 extents, but 2 strides}}
func.func private @strides() attributes {a = #tile.tensor_param<name = "A", element = f32, access = in, extents = ["N"],
  strides = ["s", "1"]>}

// -----

// expected-error @+1 {{'s' has no scalar type of the language: 'index'}}
func.func private @scalar() attributes {a = #tile.scalar_param<name = "s", type = index>}

// -----

// expected-error @+1 {{a plan has 1 to 32 warps, got 30 consumers and 4 producers}}
func.func private @plan() attributes {a = #tile.plan<consumers = 30, producer = warps, producer_warps = 4, mode = cooperative>}

// -----

// expected-error @+1 {{a plan without a producer has no producer warps, one with a producer has some}}
func.func private @plan() attributes {a = #tile.plan<consumers = 4, producer = lane>}

// -----

// expected-error @+1 {{a uniform plan has no producer}}
func.func private @plan() attributes {a = #tile.plan<consumers = 4, producer = lane, producer_warps = 4>}

// -----

// expected-error @+1 {{'rotate' must not be negative, got -1}}
func.func private @plan() attributes {a = #tile.plan<consumers = 4, rotate = -1>}

// -----

// expected-error @+1 {{the depth of 'Ks' must be a positive integer, got 0 : i64}}
func.func private @plan() attributes {a = #tile.plan<consumers = 4, depths = {Ks = 0}>}

// -----

// expected-error @+1 {{no gemm multiplies 'f16' by 'bf16' into 'f32'}}
func.func private @instr() attributes {a = #tile.instr<fma, m = 1, n = 1, k = 1, a = f16, b = bf16, acc = f32>}

// -----

// expected-error @+1 {{'fma' has shape 1x1x1, got 2x1x1}}
func.func private @instr() attributes {a = #tile.instr<fma, m = 2, n = 1, k = 1, a = f16, b = f16, acc = f32>}

// -----

// expected-error @+1 {{'mma' has no shape 16x8x32 for 'f16'}}
func.func private @instr() attributes {a = #tile.instr<mma, m = 16, n = 8, k = 32, a = f16, b = f16, acc = f32>}

// -----

// expected-error @+1 {{'mma' has no f32 operands: tf32 it is}}
func.func private @instr() attributes {a = #tile.instr<mma, m = 16, n = 8, k = 8, a = f32, b = f32, acc = f32>}

// -----

// expected-error @+1 {{'wgmma' has no shape 64x12x16 for 'f16'}}
func.func private @instr() attributes {a = #tile.instr<wgmma, m = 64, n = 12, k = 16, a = f16, b = f16, acc = f32>}

// -----

// expected-error @+1 {{'wgmma' has no 'f32' operands}}
func.func private @instr() attributes {a = #tile.instr<wgmma, m = 64, n = 8, k = 8, a = f32, b = f32, acc = f32>}
