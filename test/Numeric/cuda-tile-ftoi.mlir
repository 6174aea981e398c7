// Casts of floating-point numbers of CUDA Tile IR to integers, towards zero.
// TYPES: f16:i8 f16:i16 f16:i32 f16:i64 bf16:i8 bf16:i16 bf16:i32 bf16:i64 f32:i8 f32:i16 f32:i32 f32:i64 f64:i8 f64:i16 f64:i32 f64:i64 f8E4M3FN:i8 f8E4M3FN:i16 f8E4M3FN:i32 f8E4M3FN:i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<!U>>
!SU = !cuda_tile.tensor_view<?x!U, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!U, strides=[1]>>
!XU = !cuda_tile.tile<8x!U>

cuda_tile.module @casts {
// CASE @ftoi grid=1: 5xT=1.5,-1.5,0,7,-8 out0 i32=5 -> 5xU=1,-1,0,7,-8
  entry @ftoi(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftoi %at signed : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
// CASE @ftoi_unsigned grid=1: 3xT=1.5,0,7 out0 i32=3 -> 3xU=1,0,7
  entry @ftoi_unsigned(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftoi %at unsigned : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
// CASE @saturating [f16:i8,bf16:i8,f32:i8,f64:i8] grid=1: 5xT=1.5,nan,1000,-inf,-128.5 out0 i32=5 -> 5xU=1,0,127,-128,-128
// CASE @saturating [f32:i32,f64:i32] grid=1: 3xT=3e9,-3e9,nan out0 i32=3 -> 3xU=2147483647,-2147483648,0
  entry @saturating(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftoi %at signed saturating : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
// CASE @saturating_unsigned [f16:i8,bf16:i8,f32:i8,f64:i8] grid=1: 4xT=1.5,nan,1000,-3 out0 i32=4 -> 4xU=1,0,-1,0
  entry @saturating_unsigned(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftoi %at unsigned saturating : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
}
