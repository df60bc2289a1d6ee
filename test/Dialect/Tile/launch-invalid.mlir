// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null
// The label above a case is the constraint of the op's description that it breaks.

// entry_c1
// expected-error @+1 {{has results: '() -> i64'}}
tile.entry @e() -> i64 params [] {
  tile.return
}

// -----

// entry_c2
// expected-error @+1 {{'params' must hold #tile.tensor_param and #tile.scalar_param, got "n"}}
tile.entry @e() params ["n"] {
  tile.return
}

// -----

// entry_c3
// expected-error @+1 {{has arguments ('!tile.ptr<f32>'), but its parameters are passed as ('!tile.ptr<f32>', 'i64', 'i64')}}
tile.entry @e(%A: !tile.ptr<f32>) params [
    #tile.tensor_param<name = "A", element = f32, access = in, extents = ["N"], strides = ["lda"]>] {
  tile.return
}

// -----

// require_c1
tile.entry @e() params [] {
  %true = arith.constant true
  // expected-error @+1 {{has no operand for placeholder '{0}'}}
  tile.require %true, "got {0}" kind <fact>
  tile.return
}

// -----

// ptr_aligned_c1
func.func @f(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{an alignment is a power of two, got 24}}
  %a = tile.ptr_aligned %p, 24 : !tile.ptr<f32>
  return
}

// -----

// launch_c1
tile.entry @e() params [] {
  // expected-error @+1 {{has a grid of 1 to 3 extents, got 0}}
  tile.launch @k grid()
  tile.return
}

// -----

// launch_c2
tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  // expected-error @+1 {{names no kernel: 'e'}}
  tile.launch @e grid(%n)
  tile.return
}

// -----

// launch_c3
tile.kernel @k(%n: i64, %m: i32) {
  tile.grid (%b) in (%n) threads(32) {
  }
  tile.return
}
tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  // expected-error @+1 {{passes ('i64'), but kernel 'k' takes ('i64', 'i32')}}
  tile.launch @k grid(%n) args(%n : i64)
  tile.return
}

// -----

// launch_c4
tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  // expected-error @+1 {{'cluster' must have 1 extents, got 2}}
  tile.launch @k grid(%n) {cluster = array<i64: 2, 1>}
  tile.return
}

// -----

// tensormap_c1
tile.entry @e(%A: !tile.ptr<f32>, %m: i64) params [
    #tile.tensor_param<name = "A", element = f32, access = in, extents = ["M"]>] {
  // expected-error @+1 {{has a box of rank 1, but 2 sizes and 2 strides}}
  %t = tile.tensormap %A sizes [%m, 64] strides [64, 1] box [64] swizzle <none> : !tile.ptr<f32>
  tile.return
}

// -----

// tensormap_c1
tile.entry @e(%A: !tile.ptr<f32>, %m: i64) params [
    #tile.tensor_param<name = "A", element = f32, access = in, extents = ["M"]>] {
  // expected-error @+1 {{has 1 to 5 dimensions, got 0}}
  %t = tile.tensormap %A sizes [] strides [] box [] swizzle <none> : !tile.ptr<f32>
  tile.return
}

// -----

// tensormap_c2
tile.entry @e(%A: !tile.ptr<f32>, %m: i64) params [
    #tile.tensor_param<name = "A", element = f32, access = in, extents = ["M"]>] {
  // expected-error @+1 {{each extent of the box is 1 to 256, got 512}}
  %t = tile.tensormap %A sizes [%m] strides [1] box [512] swizzle <none> : !tile.ptr<f32>
  tile.return
}

// -----

// tensormap_c3
tile.entry @e(%A: !tile.ptr<f32>, %m: i64) params [
    #tile.tensor_param<name = "A", element = f32, access = in, extents = ["M"]>] {
  // expected-error @+1 {{the last stride must be 1}}
  %t = tile.tensormap %A sizes [%m] strides [2] box [64] swizzle <none> : !tile.ptr<f32>
  tile.return
}

// -----

// tensormap_c4
func.func @f(%A: !tile.ptr<f32>) {
  // expected-error @+1 {{belongs in a 'tile.entry'}}
  %t = tile.tensormap %A sizes [64] strides [1] box [64] swizzle <none> : !tile.ptr<f32>
  return
}

// -----

// tensormap_c5
// The number that stands for a dynamic one, written out.
tile.entry @e(%A: !tile.ptr<f32>, %m: i64) params [
    #tile.tensor_param<name = "A", element = f32, access = in, extents = ["M"]>] {
  // expected-error @+1 {{has 1 dynamic sizes, but 0 operands for them}}
  %t = tile.tensormap %A sizes [-9223372036854775808] strides [1] box [64] swizzle <none> : !tile.ptr<f32>
  tile.return
}

// -----

// workspace_c1
func.func @f(%n: i64) {
  // expected-error @+1 {{belongs in a 'tile.entry'}}
  %w = tile.workspace %n : !tile.ptr<i32>
  return
}

// -----

// sm_count_c1
func.func @f() {
  // expected-error @+1 {{belongs in a 'tile.entry'}}
  %n = tile.sm_count
  return
}
