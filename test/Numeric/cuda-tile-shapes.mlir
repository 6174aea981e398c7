// Shapes of tiles of CUDA Tile IR.
// TYPES: f16 f32 f64

cuda_tile.module @shapes {
// CASE @cat grid=1: 2x4xT=1,2,3,4,5,6,7,8 2x4xT=11,12,13,14,15,16,17,18 out0 -> 2x8xT=1,2,3,4,11,12,13,14,5,6,7,8,15,16,17,18
  entry @cat(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %b: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %bs = make_tensor_view %b, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %bt, %bk = load_view_tko weak %bv[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %r = cat %at, %bt dim = 1 : tile<2x4x!T>, tile<2x4x!T> -> tile<2x8x!T>
    %ys = make_tensor_view %y, shape = [2, 8], strides = [8, 1] : !cuda_tile.tensor_view<2x8x!T, strides=[8, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x8), padding_value = zero, !cuda_tile.tensor_view<2x8x!T, strides=[8, 1]>>
    %yk = store_view_tko weak %r, %yv[%zero, %zero] : tile<2x8x!T>, !cuda_tile.partition_view<tile=(2x8), padding_value = zero, !cuda_tile.tensor_view<2x8x!T, strides=[8, 1]>>, tile<i32> -> token
  }
// CASE @extract grid=1: 4x4xT=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 out0 -> 2x2xT=9,10,13,14
  entry @extract(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [4, 4], strides = [4, 1] : !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>>, tile<i32> -> tile<4x4x!T>, token
    %one = constant <i32: 1> : tile<i32>
    %r = extract %at[%one, %zero] : tile<4x4x!T> -> tile<2x2x!T>
    %ys = make_tensor_view %y, shape = [2, 2], strides = [2, 1] : !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>
    %yk = store_view_tko weak %r, %yv[%zero, %zero] : tile<2x2x!T>, !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>, tile<i32> -> token
  }
// CASE @insert grid=1: 4x4xT=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 2x2xT=21,22,23,24 out0 -> 4x4xT=1,2,3,4,5,6,7,8,21,22,11,12,23,24,15,16
  entry @insert(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %b: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [4, 4], strides = [4, 1] : !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>>, tile<i32> -> tile<4x4x!T>, token
    %bs = make_tensor_view %b, shape = [2, 2], strides = [2, 1] : !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>
    %bt, %bk = load_view_tko weak %bv[%zero, %zero] : !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>, tile<i32> -> tile<2x2x!T>, token
    %one = constant <i32: 1> : tile<i32>
    %r = insert %bt, %at[%one, %zero] : tile<2x2x!T>, tile<4x4x!T>
    %ys = make_tensor_view %y, shape = [4, 4], strides = [4, 1] : !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>>
    %yk = store_view_tko weak %r, %yv[%zero, %zero] : tile<4x4x!T>, !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>>, tile<i32> -> token
  }
// CASE @permute grid=1: 2x4x2xT=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 out0 -> 2x2x4xT=1,3,5,7,9,11,13,15,2,4,6,8,10,12,14,16
  entry @permute(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4, 2], strides = [8, 2, 1] : !cuda_tile.tensor_view<2x4x2x!T, strides=[8, 2, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4x2), padding_value = zero, !cuda_tile.tensor_view<2x4x2x!T, strides=[8, 2, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero, %zero] : !cuda_tile.partition_view<tile=(2x4x2), padding_value = zero, !cuda_tile.tensor_view<2x4x2x!T, strides=[8, 2, 1]>>, tile<i32> -> tile<2x4x2x!T>, token
    %r = permute %at [2, 0, 1] : tile<2x4x2x!T> -> tile<2x2x4x!T>
    %ys = make_tensor_view %y, shape = [2, 2, 4], strides = [8, 4, 1] : !cuda_tile.tensor_view<2x2x4x!T, strides=[8, 4, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x2x4), padding_value = zero, !cuda_tile.tensor_view<2x2x4x!T, strides=[8, 4, 1]>>
    %yk = store_view_tko weak %r, %yv[%zero, %zero, %zero] : tile<2x2x4x!T>, !cuda_tile.partition_view<tile=(2x2x4), padding_value = zero, !cuda_tile.tensor_view<2x2x4x!T, strides=[8, 4, 1]>>, tile<i32> -> token
  }
// CASE @reshape_broadcast grid=1: 4xT=1,2,3,4 out0 -> 4x2xT=1,1,2,2,3,3,4,4
  entry @reshape_broadcast(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [4], strides = [1] : !cuda_tile.tensor_view<4x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>
    %at, %ak = load_view_tko weak %av[%zero] : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>, tile<i32> -> tile<4x!T>, token
    %c = reshape %at : tile<4x!T> -> tile<4x1x!T>
    %r = broadcast %c : tile<4x1x!T> -> tile<4x2x!T>
    %ys = make_tensor_view %y, shape = [4, 2], strides = [2, 1] : !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>>
    %yk = store_view_tko weak %r, %yv[%zero, %zero] : tile<4x2x!T>, !cuda_tile.partition_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>>, tile<i32> -> token
  }
// CASE @scalars grid=1: 1xT=7 out0 -> 2x2xT=7,7,7,7
  entry @scalars(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [1], strides = [1] : !cuda_tile.tensor_view<1x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(1), padding_value = zero, !cuda_tile.tensor_view<1x!T, strides=[1]>>
    %at, %ak = load_view_tko weak %av[%zero] : !cuda_tile.partition_view<tile=(1), padding_value = zero, !cuda_tile.tensor_view<1x!T, strides=[1]>>, tile<i32> -> tile<1x!T>, token
    %s = reshape %at : tile<1x!T> -> tile<!T>
    %l = reshape %s : tile<!T> -> tile<1x1x!T>
    %r = broadcast %l : tile<1x1x!T> -> tile<2x2x!T>
    %ys = make_tensor_view %y, shape = [2, 2], strides = [2, 1] : !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>
    %yk = store_view_tko weak %r, %yv[%zero, %zero] : tile<2x2x!T>, !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>, tile<i32> -> token
  }
// CASE @constants grid=1: 2x2xT=10,20,30,40 out0 -> 2x2xT=11,22,33,44
  entry @constants(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 2], strides = [2, 1] : !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>, tile<i32> -> tile<2x2x!T>, token
    %c = constant <!T: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2x!T>
    %r = addf %at, %c rounding<nearest_even> : tile<2x2x!T>
    %ys = make_tensor_view %y, shape = [2, 2], strides = [2, 1] : !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>
    %yk = store_view_tko weak %r, %yv[%zero, %zero] : tile<2x2x!T>, !cuda_tile.partition_view<tile=(2x2), padding_value = zero, !cuda_tile.tensor_view<2x2x!T, strides=[2, 1]>>, tile<i32> -> token
  }
}
