// A grid by the number of multiprocessors, asked twice; one that is asked on one path only; one without a launch.
tile.kernel @work(%sms: i64) {
  tile.grid (%bx) in (%sms) threads(32) {
    tile.yield
  }
  tile.return
}
tile.entry @persistent(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %some = arith.cmpi sgt, %n, %c0 : i64
  tile.require %some, "n is {0}"(%n : i64) kind <fact>
  %first = tile.sm_count
  %second = tile.sm_count
  %wave = arith.muli %second, %c2 : i64
  %blocks = arith.minsi %n, %wave : i64
  tile.launch @work grid(%blocks) args(%first : i64)
  tile.return
}
tile.entry @nested(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  %c2 = arith.constant 2 : i64
  %many = arith.cmpi sgt, %n, %c2 : i64
  %blocks = scf.if %many -> (i64) {
    %sms = tile.sm_count
    scf.yield %sms : i64
  } else {
    scf.yield %n : i64
  }
  tile.launch @work grid(%blocks) args(%blocks : i64)
  tile.return
}
