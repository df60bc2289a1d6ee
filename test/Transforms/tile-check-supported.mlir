// RUN: tile-opt %s -tile-check-supported -split-input-file -verify-diagnostics

tile.kernel @shared(%n: i64, %v: f32) {
  tile.grid (%b) in (%n) threads(128) {
    // expected-error@+1 {{not supported by this version: a shared tile}}
    %s = tile.shared : !tile.shared<128xf32>
  }
  tile.return
}

// -----

// Every refused op of a module is reported, not the first one.
tile.kernel @several(%n: i64, %v: f32) {
  tile.grid (%b) in (%n) threads(128) {
    %f = tile.fragment %v : !tile.fragment<128x64xf32>
    // expected-error@+1 {{not supported by this version: a reduction}}
    %m = tile.reduce <max> %f axis 1 : !tile.fragment<128x64xf32> -> !tile.fragment<128xf32>
    // expected-error@+1 {{not supported by this version: a scan}}
    %s = tile.scan <sum> %f axis 0 : !tile.fragment<128x64xf32>
    // expected-error@+1 {{not supported by this version: transpose}}
    %t = tile.transpose %f : !tile.fragment<128x64xf32> -> !tile.fragment<64x128xf32>
    // expected-error@+1 {{not supported by this version: reading one element of a fragment for the block}}
    %x = tile.read_scalar %m[%b] : !tile.fragment<128xf32> -> f32
  }
  tile.return
}

// -----

// An element of a fragment is only read where it is held.
tile.kernel @rotate(%n: i64, %v: f32) {
  %c1 = arith.constant 1 : i64
  tile.grid (%b) in (%n) threads(128) {
    %f = tile.fragment %v : !tile.fragment<128xf32>
    %g = tile.parallel (%i) in (128) updates(%r = %f : !tile.fragment<128xf32>) {
      %j = arith.addi %i, %c1 : i64
      // expected-error@+1 {{not supported by this version: an element of a fragment that another iteration holds}}
      %x = tile.read %r[%j] : !tile.fragref<128xf32> -> f32
      tile.write %x, %r[%i] : !tile.fragref<128xf32>
    }
  }
  tile.return
}

// -----

tile.kernel @mixed(%n: i64, %v: f32) {
  tile.grid (%b) in (%n) threads(128) {
    %f = tile.fragment %v : !tile.fragment<128xf32>
    %h = tile.fragment %v : !tile.fragment<256xf32>
    // expected-error@+1 {{not supported by this version: fragments of different extents in one 'parallel'}}
    tile.parallel (%i) in (128) {
      %x = tile.read %f[%i] : !tile.fragment<128xf32> -> f32
      %y = tile.read %h[%i] : !tile.fragment<256xf32> -> f32
    }
  }
  tile.return
}

// -----

tile.kernel @padded(%A: !tile.ptr<f32> {tile.access = #tile.access<in>}, %C: !tile.ptr<f16> {tile.access = #tile.access<out>}, %n: i64, %p: f16) {
  %c0 = arith.constant 0 : i64
  %a = tile.global %A sizes [%n] strides [1] : !tile.ptr<f32> -> !tile.global<?xf32>
  %c = tile.global %C sizes [%n] strides [1] : !tile.ptr<f16> -> !tile.global<?xf16>
  tile.grid (%b) in (%n) threads(128) {
    // expected-error@+1 {{not supported by this version: a padded copy between tensors of different types}}
    tile.copy %a[%c0] extents [128] pad(%p), %c[%c0] extents [128] : !tile.global<?xf32> -> !tile.global<?xf16>
  }
  tile.return
}
