// Casts of integers of CUDA Tile IR to floating-point numbers, to the nearest, ties to even.
// TYPES: i8:f16 i16:f16 i32:f16 i64:f16 i8:bf16 i16:bf16 i32:bf16 i64:bf16 i8:f32 i16:f32 i32:f32 i64:f32 i8:f64 i16:f64 i32:f64 i64:f64 i8:f8E4M3FN i16:f8E4M3FN i32:f8E4M3FN i64:f8E4M3FN
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<!U>>
!SU = !cuda_tile.tensor_view<?x!U, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!U, strides=[1]>>
!XU = !cuda_tile.tile<8x!U>

cuda_tile.module @casts {
// CASE @itof grid=1: 5xT=1,-1,0,7,-8 out0 i32=5 -> 5xU=1,-1,0,7,-8
// CASE @itof [i32:f32,i64:f32] grid=1: 2xT=16777217,16777219 out0 i32=2 -> 2xU=16777216,16777220
  entry @itof(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = itof %at signed : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
// CASE @itof_unsigned grid=1: 3xT=1,0,7 out0 i32=3 -> 3xU=1,0,7
// CASE @itof_unsigned [i8:f16,i8:bf16,i8:f32,i8:f64] grid=1: 1xT=-1 out0 i32=1 -> 1xU=255
  entry @itof_unsigned(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = itof %at unsigned : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
}
