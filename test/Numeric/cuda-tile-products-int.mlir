// Products of 8-bit integers of CUDA Tile IR, signed and unsigned.
// TYPES: i32
!A = !cuda_tile.tile<!cuda_tile.ptr<i8>>
!Y = !cuda_tile.tile<!cuda_tile.ptr<!T>>

cuda_tile.module @integer_products {
  // Rows of a times a constant, added to constants: the CPU adds the products of a row across lanes.
// CASE @rows grid=1: 4x8xi8=77,-38,1,1,-1,-9,-1,-66,2,0,-128,2,-1,-1,-1,126,1,-4,2,-1,-128,127,-59,-128,-5,0,-128,-1,2,-128,0,0 out0 -> 4x4xT=8708,8709,8710,8711,7165,7166,7167,7168,7638,7639,7640,7641,5360,5361,5362,5363
  entry @rows(%a: !A, %y: !Y) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [4, 8], strides = [8, 1] : tensor_view<4x8xi8, strides=[8, 1]>
    %av = make_partition_view %as : partition_view<tile=(4x8), tensor_view<4x8xi8, strides=[8, 1]>>
    %t, %k = load_view_tko weak %av[%zero, %zero] : partition_view<tile=(4x8), tensor_view<4x8xi8, strides=[8, 1]>>, tile<i32> -> tile<4x8xi8>, token
    %b = constant <i8: 7> : tile<8x4xi8>
    %c = constant <i32: [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]> : tile<4x4xi32>
    %d = mmai %t, %b, %c unsigned signed : tile<4x8xi8>, tile<8x4xi8>, tile<4x4xi32>
    %ys = make_tensor_view %y, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xi32, strides=[4, 1]>
    %yv = make_partition_view %ys : partition_view<tile=(4x4), tensor_view<4x4xi32, strides=[4, 1]>>
    %yk = store_view_tko weak %d, %yv[%zero, %zero] : tile<4x4xi32>, partition_view<tile=(4x4), tensor_view<4x4xi32, strides=[4, 1]>>, tile<i32> -> token
  }
  // Every combination of signs.
// CASE @signed_signed grid=1: 16x32xi8=random:1 32x16xi8=random:2 out0 -> 16x16xT
  entry @signed_signed(%a: !A, %b: !A, %y: !Y) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi8, strides=[32, 1]>
    %av = make_partition_view %as : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>
    %t, %tk = load_view_tko weak %av[%zero, %zero] : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>, tile<i32> -> tile<16x32xi8>, token
    %bs = make_tensor_view %b, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xi8, strides=[16, 1]>
    %bv = make_partition_view %bs : partition_view<tile=(32x16), tensor_view<32x16xi8, strides=[16, 1]>>
    %u, %uk = load_view_tko weak %bv[%zero, %zero] : partition_view<tile=(32x16), tensor_view<32x16xi8, strides=[16, 1]>>, tile<i32> -> tile<32x16xi8>, token
    // 7·x reaches both ends of the range.
    %seven = constant <i8: 7> : tile<16x32xi8>
    %x = muli %t, %seven : tile<16x32xi8>
    %five = constant <i8: 5> : tile<32x16xi8>
    %z = muli %u, %five : tile<32x16xi8>
    %c = constant <i32: -3> : tile<16x16xi32>
    %d = mmai %x, %z, %c signed signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
    %ys = make_tensor_view %y, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xi32, strides=[16, 1]>
    %yv = make_partition_view %ys : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16, 1]>>
    %yk = store_view_tko weak %d, %yv[%zero, %zero] : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16, 1]>>, tile<i32> -> token
  }
// CASE @signed_unsigned grid=1: 16x32xi8=random:1 32x16xi8=random:2 out0 -> 16x16xT
  entry @signed_unsigned(%a: !A, %b: !A, %y: !Y) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi8, strides=[32, 1]>
    %av = make_partition_view %as : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>
    %t, %tk = load_view_tko weak %av[%zero, %zero] : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>, tile<i32> -> tile<16x32xi8>, token
    %bs = make_tensor_view %b, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xi8, strides=[16, 1]>
    %bv = make_partition_view %bs : partition_view<tile=(32x16), tensor_view<32x16xi8, strides=[16, 1]>>
    %u, %uk = load_view_tko weak %bv[%zero, %zero] : partition_view<tile=(32x16), tensor_view<32x16xi8, strides=[16, 1]>>, tile<i32> -> tile<32x16xi8>, token
    // 7·x reaches both ends of the range.
    %seven = constant <i8: 7> : tile<16x32xi8>
    %x = muli %t, %seven : tile<16x32xi8>
    %five = constant <i8: 5> : tile<32x16xi8>
    %z = muli %u, %five : tile<32x16xi8>
    %c = constant <i32: -3> : tile<16x16xi32>
    %d = mmai %x, %z, %c signed unsigned : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
    %ys = make_tensor_view %y, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xi32, strides=[16, 1]>
    %yv = make_partition_view %ys : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16, 1]>>
    %yk = store_view_tko weak %d, %yv[%zero, %zero] : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16, 1]>>, tile<i32> -> token
  }
// CASE @unsigned_signed grid=1: 16x32xi8=random:1 32x16xi8=random:2 out0 -> 16x16xT
  entry @unsigned_signed(%a: !A, %b: !A, %y: !Y) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi8, strides=[32, 1]>
    %av = make_partition_view %as : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>
    %t, %tk = load_view_tko weak %av[%zero, %zero] : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>, tile<i32> -> tile<16x32xi8>, token
    %bs = make_tensor_view %b, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xi8, strides=[16, 1]>
    %bv = make_partition_view %bs : partition_view<tile=(32x16), tensor_view<32x16xi8, strides=[16, 1]>>
    %u, %uk = load_view_tko weak %bv[%zero, %zero] : partition_view<tile=(32x16), tensor_view<32x16xi8, strides=[16, 1]>>, tile<i32> -> tile<32x16xi8>, token
    // 7·x reaches both ends of the range.
    %seven = constant <i8: 7> : tile<16x32xi8>
    %x = muli %t, %seven : tile<16x32xi8>
    %five = constant <i8: 5> : tile<32x16xi8>
    %z = muli %u, %five : tile<32x16xi8>
    %c = constant <i32: -3> : tile<16x16xi32>
    %d = mmai %x, %z, %c unsigned signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
    %ys = make_tensor_view %y, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xi32, strides=[16, 1]>
    %yv = make_partition_view %ys : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16, 1]>>
    %yk = store_view_tko weak %d, %yv[%zero, %zero] : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16, 1]>>, tile<i32> -> token
  }
// CASE @unsigned_unsigned grid=1: 16x32xi8=random:1 32x16xi8=random:2 out0 -> 16x16xT
  entry @unsigned_unsigned(%a: !A, %b: !A, %y: !Y) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi8, strides=[32, 1]>
    %av = make_partition_view %as : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>
    %t, %tk = load_view_tko weak %av[%zero, %zero] : partition_view<tile=(16x32), tensor_view<16x32xi8, strides=[32, 1]>>, tile<i32> -> tile<16x32xi8>, token
    %bs = make_tensor_view %b, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xi8, strides=[16, 1]>
    %bv = make_partition_view %bs : partition_view<tile=(32x16), tensor_view<32x16xi8, strides=[16, 1]>>
    %u, %uk = load_view_tko weak %bv[%zero, %zero] : partition_view<tile=(32x16), tensor_view<32x16xi8, strides=[16, 1]>>, tile<i32> -> tile<32x16xi8>, token
    // 7·x reaches both ends of the range.
    %seven = constant <i8: 7> : tile<16x32xi8>
    %x = muli %t, %seven : tile<16x32xi8>
    %five = constant <i8: 5> : tile<32x16xi8>
    %z = muli %u, %five : tile<32x16xi8>
    %c = constant <i32: -3> : tile<16x16xi32>
    %d = mmai %x, %z, %c unsigned unsigned : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
    %ys = make_tensor_view %y, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xi32, strides=[16, 1]>
    %yv = make_partition_view %ys : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16, 1]>>
    %yk = store_view_tko weak %d, %yv[%zero, %zero] : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16, 1]>>, tile<i32> -> token
  }
}
