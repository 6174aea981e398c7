// Tiles as bytes and back in CUDA Tile IR, and block-local memory.
// TYPES: f16 bf16 f32 f64 i16 i32 i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<8x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<8x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>

cuda_tile.module @bytes {
// CASE @scratch grid=1: 8xT=1,2,3,-4,5,6,7,8 out0 -> 8xT=1,2,3,-4,5,6,7,8
  entry @scratch(%a: !P, %y: !P) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : !cuda_tile.tensor_view<8x!T, strides=[1]>
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %p = alloca num_elem = 8, alignment = 16 : !P
    %n = iota : tile<8xi32>
    %q1 = reshape %p : !P -> !cuda_tile.tile<1x!cuda_tile.ptr<!T>>
    %q8 = broadcast %q1 : !cuda_tile.tile<1x!cuda_tile.ptr<!T>> -> !cuda_tile.tile<8x!cuda_tile.ptr<!T>>
    %q = offset %q8, %n : !cuda_tile.tile<8x!cuda_tile.ptr<!T>>, tile<8xi32> -> !cuda_tile.tile<8x!cuda_tile.ptr<!T>>
    %k0 = store_ptr_tko weak %q, %at : !cuda_tile.tile<8x!cuda_tile.ptr<!T>>, !X -> token
    %v, %k1 = load_ptr_tko weak %q token=%k0 : !cuda_tile.tile<8x!cuda_tile.ptr<!T>> -> !X, token
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !cuda_tile.tensor_view<8x!T, strides=[1]>
    %yv = make_partition_view %ys : !V
    %k = store_view_tko weak %v, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @shared_scratch grid=1: 8xT=1,2,3,-4,5,6,7,8 out0 -> 8xT=1,2,3,-4,5,6,7,8
  entry @shared_scratch(%a: !P, %y: !P) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : !cuda_tile.tensor_view<8x!T, strides=[1]>
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %p = alloca num_elem = 8, alignment = 16 global : !P
    %n = iota : tile<8xi32>
    %q1 = reshape %p : !P -> !cuda_tile.tile<1x!cuda_tile.ptr<!T>>
    %q8 = broadcast %q1 : !cuda_tile.tile<1x!cuda_tile.ptr<!T>> -> !cuda_tile.tile<8x!cuda_tile.ptr<!T>>
    %q = offset %q8, %n : !cuda_tile.tile<8x!cuda_tile.ptr<!T>>, tile<8xi32> -> !cuda_tile.tile<8x!cuda_tile.ptr<!T>>
    %k0 = store_ptr_tko weak %q, %at : !cuda_tile.tile<8x!cuda_tile.ptr<!T>>, !X -> token
    %v, %k1 = load_ptr_tko weak %q token=%k0 : !cuda_tile.tile<8x!cuda_tile.ptr<!T>> -> !X, token
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !cuda_tile.tensor_view<8x!T, strides=[1]>
    %yv = make_partition_view %ys : !V
    %k = store_view_tko weak %v, %yv[%i] : !X, !V, tile<i32> -> token
  }
}
