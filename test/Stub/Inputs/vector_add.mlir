// What the importer makes of kernels/vector_add.tile, by hand.
module attributes {tile.stage = "tile"} {
  tile.kernel @vector_add_f32_kernel(%A: !tile.ptr<f32> {tile.access = #tile.access<in>},
                                     %B: !tile.ptr<f32> {tile.access = #tile.access<in>},
                                     %C: !tile.ptr<f32> {tile.access = #tile.access<out>}, %N: i64) {
    %c4096 = arith.constant 4096 : i64
    %blocks = arith.ceildivsi %N, %c4096 : i64
    tile.grid (%bx) in (%blocks) threads(256) {
      tile.yield
    }
    tile.return
  }
  tile.entry @vector_add_f32(%A: !tile.ptr<f32>, %A0: i64, %B: !tile.ptr<f32>, %B0: i64, %C: !tile.ptr<f32>, %C0: i64)
      params [#tile.tensor_param<name = "A", element = f32, access = in, extents = ["N"]>,
              #tile.tensor_param<name = "B", element = f32, access = in, extents = ["N"]>,
              #tile.tensor_param<name = "C", element = f32, access = out, extents = ["N"]>] {
    %c0 = arith.constant 0 : i64
    %c4 = arith.constant 4 : i64
    %c4096 = arith.constant 4096 : i64
    %limit = arith.constant 0x1fffffffffffffff : i64
    %true = arith.constant true
    %positive = arith.cmpi sge, %A0, %c0 : i64
    tile.require %positive, "A.extents[0] is {0}, less than 0"(%A0 : i64) kind <shape>
    %sameB = arith.cmpi eq, %B0, %A0 : i64
    tile.require %sameB, "N is {0} in A.extents[0] but {1} in B.extents[0]"(%A0, %B0 : i64, i64) kind <shape>
    %sameC = arith.cmpi eq, %C0, %A0 : i64
    tile.require %sameC, "N is {0} in A.extents[0] but {1} in C.extents[0]"(%A0, %C0 : i64, i64) kind <shape>
    %fits = arith.cmpi sle, %A0, %limit : i64
    tile.require %fits, "N is {0}: a tensor has more than 2^63 bytes"(%A0 : i64) kind <overflow>
    %some = arith.cmpi sgt, %A0, %c0 : i64
    scf.if %some {
      %nullA = tile.ptr_null %A : !tile.ptr<f32>
      %okA = arith.xori %nullA, %true : i1
      tile.require %okA, "A.data is null" kind <null>
      %nullB = tile.ptr_null %B : !tile.ptr<f32>
      %okB = arith.xori %nullB, %true : i1
      tile.require %okB, "B.data is null" kind <null>
      %nullC = tile.ptr_null %C : !tile.ptr<f32>
      %okC = arith.xori %nullC, %true : i1
      tile.require %okC, "C.data is null" kind <null>
    }
    %alignedA = tile.ptr_aligned %A, 4 : !tile.ptr<f32>
    tile.require %alignedA, "A.data is not aligned to 4 bytes" kind <alignment>
    %alignedC = tile.ptr_aligned %C, 4 : !tile.ptr<f32>
    tile.require %alignedC, "C.data is not aligned to 4 bytes" kind <alignment>
    %bytes = arith.muli %A0, %c4 : i64
    %overlapA = tile.overlap %C, %bytes, %A, %bytes : !tile.ptr<f32>, !tile.ptr<f32>
    %apartA = arith.xori %overlapA, %true : i1
    tile.require %apartA, "C and A overlap" kind <overlap>
    %blocks = arith.ceildivsi %A0, %c4096 : i64
    tile.launch @vector_add_f32_kernel grid(%blocks) args(%A, %B, %C, %A0 : !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>, i64)
    tile.return
  }
}
