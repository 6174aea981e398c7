// Casts of floats of CUDA Tile IR to one bit: all but zeros become 1, unless the cast saturates.
// TYPES: f16 bf16 f32 f64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<i1>>
!SU = !cuda_tile.tensor_view<?xi1, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<?xi1, strides=[1]>>

cuda_tile.module @casts {
// CASE @unsigned_bit grid=1: 7xT=0,1,0.5,-0.0,1.75,-6,nan out0 i32=7 -> 7xi1=0,1,1,0,1,1,1
  entry @unsigned_bit(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftoi %at unsigned : !X -> tile<8xi1>
    %k = store_view_tko weak %r, %yv[%i] : tile<8xi1>, !VU, tile<i32> -> token
  }
// CASE @signed_bit grid=1: 6xT=0,-1,0.5,-0.0,-1.75,7 out0 i32=6 -> 6xi1=0,1,1,0,1,1
  entry @signed_bit(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftoi %at signed : !X -> tile<8xi1>
    %k = store_view_tko weak %r, %yv[%i] : tile<8xi1>, !VU, tile<i32> -> token
  }
// CASE @saturated_bit grid=1: 7xT=0,1,0.5,-0.0,1.75,-6,nan out0 i32=7 -> 7xi1=0,1,0,0,1,0,0
  entry @saturated_bit(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftoi %at unsigned saturating : !X -> tile<8xi1>
    %k = store_view_tko weak %r, %yv[%i] : tile<8xi1>, !VU, tile<i32> -> token
  }
}
