// Module globals of CUDA Tile IR: tables that are read, counters and locks that are written.
// TYPES: f32 i32 f16 f8E4M3FN i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<4x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(4), !cuda_tile.tensor_view<4x!T, strides=[1]>>

cuda_tile.module @globals {
  global @pairs alignment = 64 <f4E2M1FN: [0.5, 1.0, -6.0, 3.0]> : tile<4xf4E2M1FN>
  global @scales <f8E8M0FNU: [0.25, 8.0]> : tile<2xf8E8M0FNU>
  global @table alignment = 128 <i32: [10, 20, 30, 40]> : tile<4xi32>

  // Rows of a table, through a view and through pointers.
// CASE @read [i32] grid=1: out0 -> 4xi32=50,60,70,80
  entry @read(%y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %g = get_global @table : tile<ptr<i32>>
    %gs = make_tensor_view %g, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %gv = make_partition_view %gs : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %t, %k0 = load_view_tko weak %gv[%zero] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %three = constant <i32: 3> : tile<i32>
    %last = offset %g, %three : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %k1 = load_ptr_tko weak %last : tile<ptr<i32>> -> tile<i32>, token
    %v1 = reshape %v : tile<i32> -> tile<1xi32>
    %v4 = broadcast %v1 : tile<1xi32> -> tile<4xi32>
    %r = addi %t, %v4 : tile<4xi32>
    %ys = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %yv = make_partition_view %ys : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %k = store_view_tko weak %r, %yv[%zero] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
// CASE @again [i32] grid=1: out0 -> 4xi32=10,20,30,40
  entry @again(%y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %g = get_global @table : tile<ptr<i32>>
    %gs = make_tensor_view %g, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %gv = make_partition_view %gs : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %t, %k0 = load_view_tko weak %gv[%zero] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %ys = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %yv = make_partition_view %ys : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %k = store_view_tko weak %t, %yv[%zero] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
  // 4-bit types, and scales.
// CASE @small [f32] grid=1: out0 -> 4xf32=0.125,0.25,-48,24
  entry @small(%y: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %g = get_global @pairs : tile<ptr<f4E2M1FN>>
    %gs = make_tensor_view %g, shape = [4], strides = [1] : tensor_view<4xf4E2M1FN, strides=[1]>
    %gv = make_partition_view %gs : partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>
    %t, %k0 = load_view_tko weak %gv[%zero] : partition_view<tile=(4), tensor_view<4xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token
    %h = get_global @scales : tile<ptr<f8E8M0FNU>>
    %hs = make_tensor_view %h, shape = [2], strides = [1] : tensor_view<2xf8E8M0FNU, strides=[1]>
    %hv = make_partition_view %hs : partition_view<tile=(2), tensor_view<2xf8E8M0FNU, strides=[1]>>
    %s, %k1 = load_view_tko weak %hv[%zero] : partition_view<tile=(2), tensor_view<2xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<2xf8E8M0FNU>, token
    %tf = ftof %t : tile<4xf4E2M1FN> -> tile<4xf32>
    %sf = ftof %s : tile<2xf8E8M0FNU> -> tile<2xf32>
    %s2 = reshape %sf : tile<2xf32> -> tile<2x1xf32>
    %s4 = broadcast %s2 : tile<2x1xf32> -> tile<2x2xf32>
    %sr = reshape %s4 : tile<2x2xf32> -> tile<4xf32>
    %r = mulf %tf, %sr rounding<nearest_even> : tile<4xf32>
    %ys = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %yv = make_partition_view %ys : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %k = store_view_tko weak %r, %yv[%zero] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
  }
}
// One counter for all blocks, used as a ticket dispenser.
cuda_tile.module @counting {
  global private @counter <i32: 5> : tile<1xi32>
// CASE @tickets [i32] grid=4: out0 -> 12xi32=0,0,0,0,0,1,1,1,1,0,0,0|0,0,0,0,0,0,0,0,0,0,0,0
  entry @tickets(%y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %g = get_global @counter : tile<ptr<i32>>
    %t, %k0 = atomic_rmw_tko relaxed device %g, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %p = offset %y, %t : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %k = store_ptr_tko weak %p, %one : tile<ptr<i32>>, tile<i32> -> token
  }
}
