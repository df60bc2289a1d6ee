// RUN: tile-opt %s --split-input-file --verify-diagnostics -o /dev/null
// The label above a case is the constraint of the op's description that it breaks.

// parallel_c1
func.func @f() {
  // expected-error @+1 {{has 1 to 8 extents, got 9}}
  tile.parallel (%a, %b, %c, %d, %e, %g, %h, %i, %j) in (1, 1, 1, 1, 1, 1, 1, 1, 1) {
  }
  return
}

// -----

// parallel_c2
func.func @f() {
  // expected-error @+1 {{must have 2 i64 indices and 0 references in its body}}
  tile.parallel (%i) in (8, 8) {
  }
  return
}

// -----

// parallel_c3
func.func @f(%a: !tile.fragment<8xf32>) {
  // expected-error @+1 {{updates ('!tile.fragment<8xf32>'), but returns ('!tile.fragment<8xf16>')}}
  %r = "tile.parallel"(%a) <{static_extents = array<i64: 8>, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%i: i64, %ref: !tile.fragref<8xf32>):
    tile.yield
  }) : (!tile.fragment<8xf32>) -> !tile.fragment<8xf16>
  return
}

// -----

// parallel_c3
func.func @f(%a: !tile.fragment<8xf32>) {
  // expected-error @+1 {{updates a '!tile.fragment<8xf32>', but its body has a '!tile.fragref<8xf16>'}}
  %r = "tile.parallel"(%a) <{static_extents = array<i64: 8>, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%i: i64, %ref: !tile.fragref<8xf16>):
    tile.yield
  }) : (!tile.fragment<8xf32>) -> !tile.fragment<8xf32>
  return
}

// -----

// parallel_c4
func.func @f() {
  tile.parallel (%i) in (8) {
    // expected-error @+1 {{is no scalar op and cannot be in a 'tile.parallel'}}
    %s = tile.shared : !tile.shared<8xf32>
  }
  return
}

// -----

// parallel_c4
func.func @f(%a: !tile.fragment<8xf32>, %c: i1) {
  tile.parallel (%i) in (8) {
    // expected-error @+1 {{is no scalar op and cannot be in a 'tile.parallel'}}
    %s = arith.select %c, %a, %a : !tile.fragment<8xf32>
  }
  return
}

// -----

// parallel_c5
func.func @f(%v: f32) {
  // expected-error @+1 {{must end its body in a 'tile.yield' without operands}}
  tile.parallel (%i) in (8) {
    tile.yield %v : f32
  }
  return
}

// -----

// parallel_c6
func.func @f() {
  // expected-error @+1 {{of rank 1 cannot have the layout #tile.panels<64, sw128>}}
  tile.parallel (%i) in (8) attributes {layout = #tile.panels<64, sw128>} {
  }
  return
}

// -----

// parallel_c7
// The number that stands for a dynamic one, written out.
func.func @f() {
  // expected-error @+1 {{has 1 dynamic extents, but 0 operands for them}}
  tile.parallel (%i) in (-9223372036854775808) {
  }
  return
}

// -----

// read_c1
func.func @f(%s: !tile.shared<8x8xf32>) {
  tile.parallel (%i) in (8) {
    // expected-error @+1 {{has 1 indices, but the object has rank 2}}
    %x = tile.read %s[%i] : !tile.shared<8x8xf32> -> f32
  }
  return
}

// -----

// read_c2
func.func @f(%s: !tile.shared<8xf32>, %i: i64) {
  // expected-error @+1 {{must be inside a 'tile.parallel'}}
  %x = tile.read %s[%i] : !tile.shared<8xf32> -> f32
  return
}

// -----

func.func @read_type(%s: !tile.shared<8xui8>) {
  tile.parallel (%i) in (8) {
    // expected-error @+1 {{type of 'result' is the loaded element type of 'source'}}
    %x = tile.read %s[%i] : !tile.shared<8xui8> -> i32
  }
  return
}

// -----

// write_c1
func.func @f(%s: !tile.shared<8x8xf32>, %v: f32) {
  tile.parallel (%i) in (8) {
    // expected-error @+1 {{has 1 indices, but the object has rank 2}}
    tile.write %v, %s[%i] : !tile.shared<8x8xf32>
  }
  return
}

// -----

// write_c2
func.func @f(%s: !tile.shared<8xf32>, %i: i64, %v: f32) {
  // expected-error @+1 {{must be inside a 'tile.parallel'}}
  tile.write %v, %s[%i] : !tile.shared<8xf32>
  return
}

// -----

// update_c1
func.func @f(%s: !tile.shared<8xf32>, %v: f32) {
  tile.parallel (%i) in (8) {
    // expected-error @+1 {{has 2 indices, but the object has rank 1}}
    tile.update <max> %v, %s[%i, %i] : !tile.shared<8xf32>
  }
  return
}

// -----

// update_c2
func.func @f(%s: !tile.shared<8xf32>, %i: i64, %v: f32) {
  // expected-error @+1 {{must be inside a 'tile.parallel'}}
  tile.update <max> %v, %s[%i] : !tile.shared<8xf32>
  return
}

// -----

// atomic_c1
func.func @f(%g: !tile.global<?xf32>, %v: f32) {
  // expected-error @+1 {{has 0 indices, but the object has rank 1}}
  tile.atomic <add> %v, %g[] : !tile.global<?xf32>
  return
}

// -----

// atomic_c2
func.func @f(%g: !tile.global<?xi16>, %i: i64, %v: i16) {
  // expected-error @+1 {{no atomics on elements of type 'i16'}}
  tile.atomic <add> %v, %g[%i] : !tile.global<?xi16>
  return
}

// -----

// read_scalar_c1
func.func @f(%a: !tile.fragment<8xf32>, %i: i64) {
  // expected-error @+1 {{has 2 indices, but the object has rank 1}}
  %x = tile.read_scalar %a[%i, %i] : !tile.fragment<8xf32> -> f32
  return
}

// -----

// read_scalar_c2
func.func @f(%s: !tile.shared<8xf32>) {
  tile.parallel (%i) in (8) {
    // expected-error @+1 {{must not be inside a 'tile.parallel'}}
    %x = tile.read_scalar %s[%i] : !tile.shared<8xf32> -> f32
  }
  return
}

// -----

// write_scalar_c1
func.func @f(%s: !tile.shared<8xf32>, %i: i64, %v: f32) {
  // expected-error @+1 {{has 2 indices, but the object has rank 1}}
  tile.write_scalar %v, %s[%i, %i] : !tile.shared<8xf32>
  return
}

// -----

// write_scalar_c2
func.func @f(%s: !tile.shared<8xf32>, %v: f32) {
  tile.parallel (%i) in (8) {
    // expected-error @+1 {{must not be inside a 'tile.parallel'}}
    tile.write_scalar %v, %s[%i] : !tile.shared<8xf32>
  }
  return
}

// -----

// insert_c1
func.func @f(%a: !tile.fragment<8xf32>, %i: i64, %v: f32) {
  // expected-error @+1 {{has 2 indices, but the object has rank 1}}
  %b = tile.insert %v, %a[%i, %i] : !tile.fragment<8xf32>
  return
}

// -----

// print_c1
func.func @f(%i: i64) {
  // expected-error @+1 {{'is_unsigned' must have 1 entries, got 2}}
  tile.print "i"(%i : i64) {is_unsigned = array<i1: true, false>}
  return
}
