// Casts of CUDA Tile IR that round down or up (13.4); widening is exact.
// TYPES: f64:f32 f16:f32 bf16:f64 f8E5M2:f16
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<!U>>
!SU = !cuda_tile.tensor_view<?x!U, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!U, strides=[1]>>
!XU = !cuda_tile.tile<8x!U>

cuda_tile.module @casts {
// CASE @down_and_up grid=1: 4xT=1,-2,0.5,1.75 out0 out1 i32=4 -> 4xU=1,-2,0.5,1.75 4xU=1,-2,0.5,1.75
// CASE @down_and_up grid=1: 3xT=inf,-inf,nan out0 out1 i32=3 -> 3xU=inf,-inf,nan 3xU=inf,-inf,nan
// CASE @down_and_up [f64:f32] grid=1: 4xT=16777217,-16777217,1e39,-1e39 out0 out1 i32=4 -> 4xU=16777216,-16777218,3.4028234663852886e38,-inf 4xU=16777218,-16777216,inf,-3.4028234663852886e38
// CASE @down_and_up [f64:f32] grid=1: 2xT=1e-46,-1e-46 out0 out1 i32=2 -> 2xU=0,-1.401298464324817e-45 2xU=1.401298464324817e-45,-0
// CASE @down_and_up [f16:f32] grid=1: 2xT=65504,-5.960464477539063e-08 out0 out1 i32=2 -> 2xU=65504,-5.960464477539063e-08 2xU=65504,-5.960464477539063e-08
  entry @down_and_up(%a: !P, %d: !PU, %u: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ds = make_tensor_view %d, shape = [%n], strides = [1] : tile<i32> -> !SU
    %dv = make_partition_view %ds : !VU
    %us = make_tensor_view %u, shape = [%n], strides = [1] : tile<i32> -> !SU
    %uv = make_partition_view %us : !VU
    %low = ftof %at rounding<negative_inf> : !X -> !XU
    %high = ftof %at rounding<positive_inf> : !X -> !XU
    %k = store_view_tko weak %low, %dv[%i] : !XU, !VU, tile<i32> -> token
    %l = store_view_tko weak %high, %uv[%i] : !XU, !VU, tile<i32> -> token
  }
}
