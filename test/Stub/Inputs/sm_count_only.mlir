// The device is asked, but nothing is launched.
tile.entry @fits(%n: i64) params [#tile.scalar_param<name = "n", type = i64>] {
  %sms = tile.sm_count
  %ok = arith.cmpi sle, %n, %sms : i64
  tile.require %ok, "n is {0}, but the device has {1} multiprocessors"(%n, %sms : i64, i64) kind <fact>
  tile.return
}
