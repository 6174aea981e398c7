// Integer casts of CUDA Tile IR to wider and narrower types, and between floats and bits.
// TYPES: i8:i16 i8:i32 i8:i64 i16:i32 i16:i64 i32:i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<!U>>
!SU = !cuda_tile.tensor_view<?x!U, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!U, strides=[1]>>
!XU = !cuda_tile.tile<8x!U>

cuda_tile.module @casts {
// CASE @exti grid=1: 4xT=1,-1,127,-128 out0 i32=4 -> 4xU=1,-1,127,-128
// CASE @exti grid=2: 13xT=random:1 out0 i32=13 -> 13xU
  entry @exti(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = exti %at signed : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
// CASE @exti_unsigned [i8:i16,i8:i32,i8:i64] grid=1: 3xT=1,-1,127 out0 i32=3 -> 3xU=1,255,127
// CASE @exti_unsigned [i16:i32] grid=1: 2xT=1,-1 out0 i32=2 -> 2xU=1,65535
// CASE @exti_unsigned [i32:i64] grid=1: 2xT=1,-1 out0 i32=2 -> 2xU=1,4294967295
  entry @exti_unsigned(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = exti %at unsigned : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
}
