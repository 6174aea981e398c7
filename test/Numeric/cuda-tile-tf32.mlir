// Rounding to tf32: ten mantissa bits, ties to even or away from zero.
// TYPES: f32
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>

cuda_tile.module @casts {
// CASE @tf32_to_zero grid=1: 6xT=1,1.00146484375,-1.001953,3.4028234663852886e38,nan,-inf out0 i32=6 -> 6xT=1,1.0009765625,-1.0009765625,3.4011621342146535e38,nan,-inf
  entry @tf32_to_zero(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %t = ftof %at rounding<zero> : !X -> tile<8xtf32>
    %r = ftof %t : tile<8xtf32> -> !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @tf32 grid=1: 6xT=1,1.00048828125,1.00146484375,-1.0005,nan,inf out0 i32=6 -> 6xT=1,1,1.001953125,-1.0009765625,nan,inf
  entry @tf32(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %t = ftof %at : !X -> tile<8xtf32>
    %r = ftof %t : tile<8xtf32> -> !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
}
