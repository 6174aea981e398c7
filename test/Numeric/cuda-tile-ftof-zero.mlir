// Narrowing casts of CUDA Tile IR that round towards zero (13.4). Values that are too large become the largest number.
// TYPES: f64:f32 f64:f16 f64:bf16 f32:f16 f32:bf16 f16:bf16 bf16:f16
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<!U>>
!SU = !cuda_tile.tensor_view<?x!U, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!U, strides=[1]>>
!XU = !cuda_tile.tile<8x!U>

cuda_tile.module @casts {
// CASE @to_zero grid=1: 5xT=1,-2,0.5,0,1.75 out0 i32=5 -> 5xU=1,-2,0.5,0,1.75
// CASE @to_zero grid=1: 3xT=inf,-inf,nan out0 i32=3 -> 3xU=inf,-inf,nan
// CASE @to_zero [f64:f32] grid=1: 6xT=16777219,-16777219,1e39,-1e39,1e-46,-1e-46 out0 i32=6 -> 6xU=16777218,-16777218,3.4028234663852886e38,-3.4028234663852886e38,0,-0
// CASE @to_zero [f64:f16,f32:f16] grid=1: 5xT=2051,-2051,65536,-65536,1e-9 out0 i32=5 -> 5xU=2050,-2050,65504,-65504,0
// CASE @to_zero [f64:bf16,f32:bf16,f16:bf16] grid=1: 3xT=259,-259,257 out0 i32=3 -> 3xU=258,-258,256
// CASE @to_zero [bf16:f16] grid=1: 2xT=65536,-1e30 out0 i32=2 -> 2xU=65504,-65504
  entry @to_zero(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftof %at rounding<zero> : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
}
