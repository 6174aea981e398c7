// Reductions and scans of CUDA Tile IR, by name and by region.
// TYPES: f16 f32 f64

cuda_tile.module @reductions {
// CASE @sum grid=1 K=4: 2x4xT=1,2,-3,4,0.5,0,7,-8 out0 -> 2xT=4,-0.5
  entry @sum(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %m = reduce %at dim=1 identities=[0.0 : !T] : tile<2x4x!T> -> tile<2x!T> (%e: tile<!T>, %x: tile<!T>) {
      %c = addf %x, %e rounding<nearest_even> : tile<!T>
      yield %c : tile<!T>
    }
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %m, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @product grid=1 K=4: 2x4xT=1,2,-3,4,0.5,0,7,-8 out0 -> 2xT=-24,-0
  entry @product(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %m = reduce %at dim=1 identities=[1.0 : !T] : tile<2x4x!T> -> tile<2x!T> (%e: tile<!T>, %x: tile<!T>) {
      %c = mulf %x, %e rounding<nearest_even> : tile<!T>
      yield %c : tile<!T>
    }
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %m, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @max grid=1: 2x4xT=1,2,-3,4,0.5,0,7,-8 out0 -> 2xT=4,7
  entry @max(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %m = reduce %at dim=1 identities=[-1.0e4 : !T] : tile<2x4x!T> -> tile<2x!T> (%e: tile<!T>, %x: tile<!T>) {
      %c = maxf %x, %e : tile<!T>
      yield %c : tile<!T>
    }
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %m, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
// Branches are allowed in a region.
// CASE @branch grid=1: 2x4xT=1,2,-3,4,0.5,0,7,-8 out0 -> 2xT=4,7
  entry @branch(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %m = reduce %at dim=1 identities=[0.0 : !T] : tile<2x4x!T> -> tile<2x!T> (%e: tile<!T>, %x: tile<!T>) {
      %c = cmpf greater_than ordered %x, %e : tile<!T> -> tile<i1>
      %w = if %c -> (tile<!T>) {
        yield %x : tile<!T>
      } else {
        yield %e : tile<!T>
      }
      yield %w : tile<!T>
    }
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %m, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @min grid=1: 2x4xT=1,2,-3,4,0.5,0,7,-8 out0 -> 2xT=-3,-8
// CASE @min grid=1: 2x4xT=1,2,nan,4,5,6,7,8 out0 -> 2xT=nan,5
  entry @min(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %m = reduce %at dim=1 identities=[1.0e4 : !T] : tile<2x4x!T> -> tile<2x!T> (%e: tile<!T>, %x: tile<!T>) {
      %c = minf %e, %x propagate_nan : tile<!T>
      yield %c : tile<!T>
    }
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %m, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @where_max grid=1: 8xT=1,5,2,9,3,-1,8,0 out0 -> 2xT=9,3
  entry @where_max(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : !cuda_tile.tensor_view<8x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<8x!T, strides=[1]>>
    %at, %ak = load_view_tko weak %av[%zero] : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<8x!T, strides=[1]>>, tile<i32> -> tile<8x!T>, token
    %i = iota : tile<8xi32>
    %m, %w = reduce %at, %i dim=0 identities=[-1.0e4 : !T, 0 : i32] : tile<8x!T>, tile<8xi32> -> tile<!T>, tile<i32> (%e: tile<!T>, %x: tile<!T>, %j: tile<i32>, %k: tile<i32>) {
      %c = cmpf greater_than ordered %e, %x : tile<!T> -> tile<i1>
      %v = select %c, %e, %x : tile<i1>, tile<!T>
      %p = select %c, %j, %k : tile<i1>, tile<i32>
      yield %v, %p : tile<!T>, tile<i32>
    }
    %f = itof %w signed rounding<nearest_even> : tile<i32> -> tile<!T>
    %ml = reshape %m : tile<!T> -> tile<1x!T>
    %fl = reshape %f : tile<!T> -> tile<1x!T>
    %r = cat %ml, %fl dim = 0 : tile<1x!T>, tile<1x!T> -> tile<2x!T>
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %r, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @scan grid=1 K=4: 2x4xT=1,2,-3,4,0.5,0,7,-8 out0 -> 2x4xT=1,3,0,4,0.5,0.5,7.5,-0.5
  entry @scan(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %m = scan %at dim=1 reverse=false identities=[0.0 : !T] : tile<2x4x!T> -> tile<2x4x!T> (%e: tile<!T>, %x: tile<!T>) {
      %c = addf %x, %e rounding<nearest_even> : tile<!T>
      yield %c : tile<!T>
    }
    %ys = make_tensor_view %y, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %yk = store_view_tko weak %m, %yv[%zero, %zero] : tile<2x4x!T>, !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> token
  }
// CASE @scan_reverse grid=1 K=4: 2x4xT=1,2,-3,4,0.5,0,7,-8 out0 -> 2x4xT=4,3,1,4,-0.5,-1,-1,-8
  entry @scan_reverse(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<2x4x!T>, token
    %m = scan %at dim=1 reverse=true identities=[0.0 : !T] : tile<2x4x!T> -> tile<2x4x!T> (%e: tile<!T>, %x: tile<!T>) {
      %c = addf %x, %e rounding<nearest_even> : tile<!T>
      yield %c : tile<!T>
    }
    %ys = make_tensor_view %y, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %yk = store_view_tko weak %m, %yv[%zero, %zero] : tile<2x4x!T>, !cuda_tile.partition_view<tile=(2x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> token
  }
  // h[j] = a[j]·h[j - 1] + x[j]: the first argument of the region is the earlier one.
// CASE @scan_order grid=1 K=4: 2x4xT=2,0.5,2,1,1,2,-3,4 out0 -> 1x4xT=1,2.5,2,6
  entry @scan_order(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [2, 4], strides = [4, 1] : !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(1x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(1x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<1x4x!T>, token
    %xt, %xk = load_view_tko weak %av[%one, %zero] : !cuda_tile.partition_view<tile=(1x4), padding_value = zero, !cuda_tile.tensor_view<2x4x!T, strides=[4, 1]>>, tile<i32> -> tile<1x4x!T>, token
    %m, %h = scan %at, %xt dim=1 reverse=false identities=[1.0 : !T, 0.0 : !T] : tile<1x4x!T>, tile<1x4x!T> -> tile<1x4x!T>, tile<1x4x!T> (%f0: tile<!T>, %f: tile<!T>, %h0: tile<!T>, %x: tile<!T>) {
      %c = mulf %f0, %f rounding<nearest_even> : tile<!T>
      %p = mulf %f, %h0 rounding<nearest_even> : tile<!T>
      %s = addf %p, %x rounding<nearest_even> : tile<!T>
      yield %c, %s : tile<!T>, tile<!T>
    }
    %ys = make_tensor_view %y, shape = [1, 4], strides = [4, 1] : !cuda_tile.tensor_view<1x4x!T, strides=[4, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(1x4), padding_value = zero, !cuda_tile.tensor_view<1x4x!T, strides=[4, 1]>>
    %yk = store_view_tko weak %h, %yv[%zero, %zero] : tile<1x4x!T>, !cuda_tile.partition_view<tile=(1x4), padding_value = zero, !cuda_tile.tensor_view<1x4x!T, strides=[4, 1]>>, tile<i32> -> token
  }
}
