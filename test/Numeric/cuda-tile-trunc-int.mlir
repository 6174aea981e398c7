// Casts of integers of CUDA Tile IR to narrower ones.
// TYPES: i16:i8 i32:i8 i64:i8 i32:i16 i64:i16 i64:i32
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<!U>>
!SU = !cuda_tile.tensor_view<?x!U, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!U, strides=[1]>>
!XU = !cuda_tile.tile<8x!U>

cuda_tile.module @casts {
// CASE @trunci grid=1: 3xT=1,-1,100 out0 i32=3 -> 3xU=1,-1,100
// CASE @trunci [i16:i8,i32:i8] grid=1: 2xT=257,-129 out0 i32=2 -> 2xU=1,127
  entry @trunci(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = trunci %at : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
}
