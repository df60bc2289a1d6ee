#S = #tile.strided<[128, 1]>
#F = #tile.blocked<vector = [1, 1], lanes = [1, 32], warps = [4, 1], reps = [32, 4]>
module attributes {tile.stage = "layout"} {
  tile.kernel @k(%n: i64) attributes {tile.plan = #tile.plan<consumers = 4>} {
    tile.grid (%b) in (%n) threads(128) {
      %c0 = arith.constant 0 : i64
      %one = arith.constant 1.0 : f32
      %f = tile.fragment %one : !tile.fragment<128x128xf32, #F>
      %a = tile.shared {name = "As"} : !tile.shared<128x128xf32, #S>
      %c = tile.shared {name = "Cs"} : !tile.shared<300x128xf32, #S>
      tile.store %f, %a[%c0, %c0] extents [128, 128] : !tile.fragment<128x128xf32, #F> -> !tile.shared<128x128xf32, #S>
      tile.store %f, %c[%c0, %c0] extents [128, 128] : !tile.fragment<128x128xf32, #F> -> !tile.shared<300x128xf32, #S>
      %g = tile.load %a[%c0, %c0] extents [128, 128] : !tile.shared<128x128xf32, #S> -> !tile.fragment<128x128xf32, #F>
      tile.store %g, %c[%c0, %c0] extents [128, 128] : !tile.fragment<128x128xf32, #F> -> !tile.shared<300x128xf32, #S>
    }
    tile.return
  }
  tile.entry @e(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
    tile.launch @k grid(%n) args(%n : i64)
    tile.return
  }
}
