// Casts between floating-point types of CUDA Tile IR, to the nearest, ties to even.
// TYPES: f16:bf16 f16:f32 f16:f64 f16:f8E4M3FN f16:f8E5M2 bf16:f16 bf16:f32 bf16:f64 bf16:f8E4M3FN bf16:f8E5M2 f32:f16 f32:bf16 f32:f64 f32:f8E4M3FN f32:f8E5M2 f64:f16 f64:bf16 f64:f32 f64:f8E4M3FN f64:f8E5M2 f8E4M3FN:f16 f8E4M3FN:bf16 f8E4M3FN:f32 f8E4M3FN:f64 f8E4M3FN:f8E5M2 f8E5M2:f16 f8E5M2:bf16 f8E5M2:f32 f8E5M2:f64 f8E5M2:f8E4M3FN
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!PU = !cuda_tile.tile<!cuda_tile.ptr<!U>>
!SU = !cuda_tile.tensor_view<?x!U, strides=[1]>
!VU = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!U, strides=[1]>>
!XU = !cuda_tile.tile<8x!U>

cuda_tile.module @casts {
// CASE @ftof grid=1: 5xT=1,-2,0.5,0,1.75 out0 i32=5 -> 5xU=1,-2,0.5,0,1.75
// CASE @ftof [f32:f16] grid=1: 3xT=2049,2051,65520 out0 i32=3 -> 3xU=2048,2052,inf
// CASE @ftof [f32:bf16,f64:bf16] grid=1: 2xT=257,259 out0 i32=2 -> 2xU=256,260
  entry @ftof(%a: !P, %y: !PU, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !SU
    %yv = make_partition_view %ys : !VU
    %r = ftof %at : !X -> !XU
    %k = store_view_tko weak %r, %yv[%i] : !XU, !VU, tile<i32> -> token
  }
}
