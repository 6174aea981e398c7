// f4E2M1FN in CUDA Tile IR: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, packed two per byte in memory.
// TYPES: f32 f64 f16 bf16 f8E4M3FN f8E5M2
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<16x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(16), padding_value = zero, !cuda_tile.tensor_view<16x!T, strides=[1]>>
!X = !cuda_tile.tile<16x!T>
!F = !cuda_tile.tile<!cuda_tile.ptr<f4E2M1FN>>
!FS = !cuda_tile.tensor_view<16xf4E2M1FN, strides=[1]>
!FV = !cuda_tile.partition_view<tile=(16), padding_value = zero, !cuda_tile.tensor_view<16xf4E2M1FN, strides=[1]>>
!FX = !cuda_tile.tile<16xf4E2M1FN>

cuda_tile.module @f4 {
// CASE @decode grid=1: 8xi8=0x10,0x32,0x54,0x76,0x98,0xBA,0xDC,0xFE out0 -> 16xT=0,0.5,1,1.5,2,3,4,6,-0.0,-0.5,-1,-1.5,-2,-3,-4,-6
  entry @decode(%a: !F, %y: !P) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [16], strides = [1] : !FS
    %av = make_partition_view %as : !FV
    %at, %ak = load_view_tko weak %av[%i] : !FV, tile<i32> -> !FX, token
    %ys = make_tensor_view %y, shape = [16], strides = [1] : !S
    %yv = make_partition_view %ys : !V
    %r = ftof %at : !FX -> !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
  // Ties go to the even neighbour, values above 6 to 6.
// CASE @encode grid=1: 16xT=0,0.25,0.75,1.25,1.75,2.5,3.5,5,-0.0,-0.25,-0.75,-1.25,-1.75,-2.5,-3.5,-5 out0 -> 8xi8=0x00,0x22,0x44,0x66,0x88,0xAA,0xCC,0xEE
// CASE @encode grid=1: 16xT=0.125,0.5,1,1.5,2,3,4,6,7,8,48,nan,-6,-7,-0.5,-0.125 out0 -> 8xi8=0x10,0x32,0x54,0x76,0x77,0x77,0xFF,0x89
// CASE @encode [f32,f64] grid=1: 16xT=0.2501,0.2499,0.7501,0.7499,1.2501,1.249,1.751,1.749,2.501,2.499,3.502,3.498,5.004,4.99,inf,-inf out0 -> 8xi8=0x01,0x12,0x23,0x34,0x45,0x56,0x67,0xF7
// CASE @encode [f64] grid=1: 16xT=0.25000000000001,0.74999999999999,1.25000000000001,1.74999999999999,2.50000000000001,3.49999999999999,5.00000000000001,1e-300,1e300,-1e300,0,0,0,0,0,0 out0 -> 8xi8=0x11,0x33,0x55,0x07,0xF7,0,0,0
  entry @encode(%a: !P, %y: !F) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [16], strides = [1] : !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [16], strides = [1] : !FS
    %yv = make_partition_view %ys : !FV
    %r = ftof %at : !X -> !FX
    %k = store_view_tko weak %r, %yv[%i] : !FX, !FV, tile<i32> -> token
  }
  // Conversion from and to integers, and constants.
// CASE @integers [f32] grid=1: 8xi32=-9,-6,-5,-2,0,1,5,7 out0 -> 8xi32=-6,-6,-4,-2,0,1,4,6
  entry @integers(%a: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %av = make_partition_view %as : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %at, %ak = load_view_tko weak %av[%i] : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %ys = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %yv = make_partition_view %ys : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %f = itof %at signed : tile<8xi32> -> tile<8xf4E2M1FN>
    %r = ftoi %f signed : tile<8xf4E2M1FN> -> tile<8xi32>
    %k = store_view_tko weak %r, %yv[%i] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
  }
// CASE @constants [f32,bf16] grid=1: out0 -> 16xT=1.5,-6,0,0.5,1.5,-6,0,0.5,2,2,2,2,2,2,2,2
  entry @constants(%y: !P) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %four = constant <f4E2M1FN: [1.5, -6.0, 0.0, 0.5]> : tile<4xf4E2M1FN>
    %eight = cat %four, %four dim = 0 : tile<4xf4E2M1FN>, tile<4xf4E2M1FN> -> tile<8xf4E2M1FN>
    %twos = constant <f4E2M1FN: 2.0> : tile<8xf4E2M1FN>
    %all = cat %eight, %twos dim = 0 : tile<8xf4E2M1FN>, tile<8xf4E2M1FN> -> !FX
    %ys = make_tensor_view %y, shape = [16], strides = [1] : !S
    %yv = make_partition_view %ys : !V
    %r = ftof %all : !FX -> !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
  // Bytes of two f4 values each.
// CASE @bytes [f32] grid=1: 8xi8=0x10,0x32,0x54,0x76,0x98,0xBA,0xDC,0xFE out0 -> 8xi8=0x90,0xB2,0xD4,0xF6,0x18,0x3A,0x5C,0x7E
  entry @bytes(%a: tile<ptr<i8>>, %y: tile<ptr<i8>>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %av = make_partition_view %as : partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>
    %at, %ak = load_view_tko weak %av[%i] : partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>, tile<i32> -> tile<8xi8>, token
    %u = unpack %at : tile<8xi8> -> !FX
    %w = ftof %u : !FX -> tile<16xf32>
    // Negates every second value.
    %n = iota : tile<16xi32>
    %one = constant <i32: 1> : tile<16xi32>
    %odd = andi %n, %one : tile<16xi32>
    %isOdd = cmpi equal %odd, %one, signed : tile<16xi32> -> tile<16xi1>
    %minus = negf %w : tile<16xf32>
    %s = select %isOdd, %minus, %w : tile<16xi1>, tile<16xf32>
    %f = ftof %s : tile<16xf32> -> !FX
    %p = pack %f : !FX -> tile<8xi8>
    %ys = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %yv = make_partition_view %ys : partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>
    %k = store_view_tko weak %p, %yv[%i] : tile<8xi8>, partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>, tile<i32> -> token
  }
}
