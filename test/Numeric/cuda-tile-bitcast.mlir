// Bitcasts of CUDA Tile IR.
// TYPES: f32:i32 f16:i16 bf16:i16 f64:i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<!U>>
!SU = !cuda_tile.tensor_view<?x!U, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!U, strides=[1]>>
!XU = !cuda_tile.tile<8x!U>

cuda_tile.module @casts {
// CASE @bitcast [f32:i32] grid=1: 3xT=1,-0,inf out0 i32=3 -> 3xU=1065353216,-2147483648,2139095040
// CASE @bitcast [f16:i16] grid=1: 1xT=1 out0 i32=1 -> 1xU=15360
// CASE @bitcast [bf16:i16] grid=1: 1xT=1 out0 i32=1 -> 1xU=16256
  entry @bitcast(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = bitcast %at : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
}
