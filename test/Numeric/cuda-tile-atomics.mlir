// Atomic updates of CUDA Tile IR.
// TYPES: i32 i64

cuda_tile.module @atomics {
// CASE @add grid=3: out0 -> 4xT=3,4,5,6|0,1,2,3
  entry @add(%y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %one = constant <!T: 1> : tile<4x!T>
    %l = iota : tile<4xi32>
    %y1 = reshape %y : !cuda_tile.tile<!cuda_tile.ptr<!T>> -> tile<1xptr<!T>>
    %yn = broadcast %y1 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %p = offset %yn, %l : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %old, %k = atomic_rmw_tko relaxed device %p, add, %one : tile<4xptr<!T>>, tile<4x!T> -> tile<4x!T>, token
  }
// CASE @swap grid=1: out0 -> 4xT=0,8,2,10|0,1,2,1
  entry @swap(%y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %want = constant <!T: [1, 1, 1, 1]> : tile<4x!T>
    %new = constant <!T: [7, 8, 9, 10]> : tile<4x!T>
    %l = iota : tile<4xi32>
    %y1 = reshape %y : !cuda_tile.tile<!cuda_tile.ptr<!T>> -> tile<1xptr<!T>>
    %yn = broadcast %y1 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %p = offset %yn, %l : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %old, %k = atomic_cas_tko acq_rel device %p, %want, %new : tile<4xptr<!T>>, tile<4x!T> -> tile<4x!T>, token
  }
  // The part of a tile outside the tensor is ignored.
// CASE @add_to_view grid=2: out0 -> 3x3xT=1,2,0,3,4,0,1,2,0|0
  entry @add_to_view(%y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <!T: [[1, 2], [3, 4]]> : tile<2x2x!T>
    %ys = make_tensor_view %y, shape = [3, 3], strides = [3, 1] : !cuda_tile.tensor_view<3x3x!T, strides=[3, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x2), !cuda_tile.tensor_view<3x3x!T, strides=[3, 1]>>
    %k = atomic_red_view_tko relaxed device %yv[%i, %zero], add, %one : tile<2x2x!T>, !cuda_tile.partition_view<tile=(2x2), !cuda_tile.tensor_view<3x3x!T, strides=[3, 1]>>, tile<i32> -> token
  }
  // Each block waits for the one before it.
// CASE @wait_for_the_block_before grid=3: out0 -> 4xT=5,6,7,8|5,0,0,0
  entry @wait_for_the_block_before(%y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %zero = constant <!T: 0> : tile<!T>
    %one = constant <!T: 1> : tile<!T>
    %next = constant <i32: 1> : tile<i32>
    %from = offset %y, %i : !cuda_tile.tile<!cuda_tile.ptr<!T>>, tile<i32> -> !cuda_tile.tile<!cuda_tile.ptr<!T>>
    %to = offset %from, %next : !cuda_tile.tile<!cuda_tile.ptr<!T>>, tile<i32> -> !cuda_tile.tile<!cuda_tile.ptr<!T>>
    %t = make_token : token
    %x, %seen = loop iter_values(%k = %t) : token -> tile<!T>, token {
      %v, %read = load_ptr_tko acquire device %from token=%k : !cuda_tile.tile<!cuda_tile.ptr<!T>> -> tile<!T>, token
      %there = cmpi not_equal %v, %zero, signed : tile<!T> -> tile<i1>
      if %there {
        break %v, %read : tile<!T>, token
      }
      continue %read : token
    }
    %more = addi %x, %one : tile<!T>
    %done = store_ptr_tko release device %to, %more token=%seen : !cuda_tile.tile<!cuda_tile.ptr<!T>>, tile<!T> -> token
  }
}
