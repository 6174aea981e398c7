// Memory accesses of CUDA Tile IR: views, padding, rows by index, pointers.
// TYPES: f16 bf16 f32 f64

cuda_tile.module @memory {
  // dim_map: axis i of the tile is axis dim_map[i] of the tensor; indices follow the tile.
// CASE @transposed grid=1: 3x4xT=1,2,3,4,5,6,7,8,9,10,11,12 out0 -> 4x4xT=1,5,9,0,2,6,10,0,3,7,11,0,4,8,12,0
  entry @transposed(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [3, 4], strides = [4, 1] : !cuda_tile.tensor_view<3x4x!T, strides=[4, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<3x4x!T, strides=[4, 1]>, dim_map=[1, 0]>
    %t, %k = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<3x4x!T, strides=[4, 1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x4x!T>, token
    %ys = make_tensor_view %y, shape = [4, 4], strides = [4, 1] : !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>>
    %yk = store_view_tko weak %t, %yv[%zero, %zero] : tile<4x4x!T>, !cuda_tile.partition_view<tile=(4x4), padding_value = zero, !cuda_tile.tensor_view<4x4x!T, strides=[4, 1]>>, tile<i32> -> token
  }
// CASE @pad_neg_inf grid=1: 6xT=1,2,3,4,5,6 out0 -> 4xT=5,6,-inf,-inf
  entry @pad_neg_inf(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [6], strides = [1] : !cuda_tile.tensor_view<6x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4), padding_value = neg_inf, !cuda_tile.tensor_view<6x!T, strides=[1]>>
    %t, %k = load_view_tko weak %av[%one] : !cuda_tile.partition_view<tile=(4), padding_value = neg_inf, !cuda_tile.tensor_view<6x!T, strides=[1]>>, tile<i32> -> tile<4x!T>, token
    %ys = make_tensor_view %y, shape = [4], strides = [1] : !cuda_tile.tensor_view<4x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<4x!T>, !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @pad_pos_inf grid=1: 6xT=1,2,3,4,5,6 out0 -> 4xT=5,6,inf,inf
  entry @pad_pos_inf(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [6], strides = [1] : !cuda_tile.tensor_view<6x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4), padding_value = pos_inf, !cuda_tile.tensor_view<6x!T, strides=[1]>>
    %t, %k = load_view_tko weak %av[%one] : !cuda_tile.partition_view<tile=(4), padding_value = pos_inf, !cuda_tile.tensor_view<6x!T, strides=[1]>>, tile<i32> -> tile<4x!T>, token
    %ys = make_tensor_view %y, shape = [4], strides = [1] : !cuda_tile.tensor_view<4x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<4x!T>, !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @pad_nan grid=1: 6xT=1,2,3,4,5,6 out0 -> 4xT=5,6,nan,nan
  entry @pad_nan(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [6], strides = [1] : !cuda_tile.tensor_view<6x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4), padding_value = nan, !cuda_tile.tensor_view<6x!T, strides=[1]>>
    %t, %k = load_view_tko weak %av[%one] : !cuda_tile.partition_view<tile=(4), padding_value = nan, !cuda_tile.tensor_view<6x!T, strides=[1]>>, tile<i32> -> tile<4x!T>, token
    %ys = make_tensor_view %y, shape = [4], strides = [1] : !cuda_tile.tensor_view<4x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<4x!T>, !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @pad_neg_zero grid=1: 6xT=1,2,3,4,5,6 out0 -> 4xT=5,6,-0,-0
  entry @pad_neg_zero(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [6], strides = [1] : !cuda_tile.tensor_view<6x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4), padding_value = neg_zero, !cuda_tile.tensor_view<6x!T, strides=[1]>>
    %t, %k = load_view_tko weak %av[%one] : !cuda_tile.partition_view<tile=(4), padding_value = neg_zero, !cuda_tile.tensor_view<6x!T, strides=[1]>>, tile<i32> -> tile<4x!T>, token
    %ys = make_tensor_view %y, shape = [4], strides = [1] : !cuda_tile.tensor_view<4x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<4x!T>, !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @pad_zero grid=1: 6xT=1,2,3,4,5,6 out0 -> 4xT=5,6,0,0
  entry @pad_zero(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [6], strides = [1] : !cuda_tile.tensor_view<6x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<6x!T, strides=[1]>>
    %t, %k = load_view_tko weak %av[%one] : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<6x!T, strides=[1]>>, tile<i32> -> tile<4x!T>, token
    %ys = make_tensor_view %y, shape = [4], strides = [1] : !cuda_tile.tensor_view<4x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<4x!T>, !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>, tile<i32> -> token
  }
  // A strided view: tiles of 4 that start at every second element.
// CASE @steps grid=4: 7xT=1,2,3,4,5,6,7 out0 -> 16xT=1,2,3,4,3,4,5,6,5,6,7,0,7,0,0,0
  entry @steps(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [7], strides = [1] : !cuda_tile.tensor_view<7x!T, strides=[1]>
    %av = make_strided_view %as : !cuda_tile.strided_view<tile=(4), traversal_strides=[2], padding_value = zero, !cuda_tile.tensor_view<7x!T, strides=[1]>>
    %t, %k = load_view_tko weak %av[%i] : !cuda_tile.strided_view<tile=(4), traversal_strides=[2], padding_value = zero, !cuda_tile.tensor_view<7x!T, strides=[1]>>, tile<i32> -> tile<4x!T>, token
    %ys = make_tensor_view %y, shape = [16], strides = [1] : !cuda_tile.tensor_view<16x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<16x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%i] : tile<4x!T>, !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<16x!T, strides=[1]>>, tile<i32> -> token
  }
  // Rows by index; the other index is the first column.
// CASE @rows grid=1: 5x3xT=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 out0 -> 4x2xT=14,15,2,3,0,0,5,6
  entry @rows(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %rows = constant <i32: [4, 0, 9, 1]> : tile<4xi32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [5, 3], strides = [3, 1] : !cuda_tile.tensor_view<5x3x!T, strides=[3, 1]>
    %av = make_gather_scatter_view %as : !cuda_tile.gather_scatter_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<5x3x!T, strides=[3, 1]>, sparse_dim=0>
    %t, %k = load_view_tko weak %av[%rows, %one] : !cuda_tile.gather_scatter_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<5x3x!T, strides=[3, 1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x2x!T>, token
    %ys = make_tensor_view %y, shape = [4, 2], strides = [2, 1] : !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>>
    %yk = store_view_tko weak %t, %yv[%zero, %zero] : tile<4x2x!T>, !cuda_tile.partition_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>>, tile<i32> -> token
  }
// CASE @rows_stored grid=1: 4x2xT=1,2,3,4,5,6,7,8 out0 -> 5x3xT=0,3,4,0,7,8,0,0,0,0,0,0,0,1,2|0
  entry @rows_stored(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %rows = constant <i32: [4, 0, 9, 1]> : tile<4xi32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [4, 2], strides = [2, 1] : !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %zero] : !cuda_tile.partition_view<tile=(4x2), padding_value = zero, !cuda_tile.tensor_view<4x2x!T, strides=[2, 1]>>, tile<i32> -> tile<4x2x!T>, token
    %ys = make_tensor_view %y, shape = [5, 3], strides = [3, 1] : !cuda_tile.tensor_view<5x3x!T, strides=[3, 1]>
    %yv = make_gather_scatter_view %ys : !cuda_tile.gather_scatter_view<tile=(4x2), !cuda_tile.tensor_view<5x3x!T, strides=[3, 1]>, sparse_dim=0>
    %k = store_view_tko weak %at, %yv[%rows, %one] : tile<4x2x!T>, !cuda_tile.gather_scatter_view<tile=(4x2), !cuda_tile.tensor_view<5x3x!T, strides=[3, 1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
  }
  // Accesses through pointers, with a mask and a padding value.
// CASE @pointers grid=2: 13xT=1,2,3,4,5,6,7,8,9,10,11,12,13 out0 i32=13 -> 13xT=2,4,6,8,10,12,14,16,18,20,22,24,26
  entry @pointers(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %w = constant <i32: 8> : tile<i32>
    %s = muli %i, %w : tile<i32>
    %s1 = reshape %s : tile<i32> -> tile<1xi32>
    %sn = broadcast %s1 : tile<1xi32> -> tile<8xi32>
    %l = iota : tile<8xi32>
    %o = addi %l, %sn : tile<8xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nn = broadcast %n1 : tile<1xi32> -> tile<8xi32>
    %m = cmpi less_than %o, %nn, signed : tile<8xi32> -> tile<8xi1>
    %a1 = reshape %a : !cuda_tile.tile<!cuda_tile.ptr<!T>> -> tile<1xptr<!T>>
    %an = broadcast %a1 : tile<1xptr<!T>> -> tile<8xptr<!T>>
    %y1 = reshape %y : !cuda_tile.tile<!cuda_tile.ptr<!T>> -> tile<1xptr<!T>>
    %yn = broadcast %y1 : tile<1xptr<!T>> -> tile<8xptr<!T>>
    %ap = offset %an, %o : tile<8xptr<!T>>, tile<8xi32> -> tile<8xptr<!T>>
    %yp = offset %yn, %o : tile<8xptr<!T>>, tile<8xi32> -> tile<8xptr<!T>>
    %pad = constant <!T: 2.0> : tile<8x!T>
    %t, %tk = load_ptr_tko weak %ap, %m, %pad : tile<8xptr<!T>>, tile<8xi1>, tile<8x!T> -> tile<8x!T>, token
    %r = addf %t, %t rounding<nearest_even> : tile<8x!T>
    %sk = store_ptr_tko weak %yp, %r, %m : tile<8xptr<!T>>, tile<8x!T>, tile<8xi1> -> token
  }
// CASE @padding_of_its_own grid=1: 4xT=5,6,7,8 out0 -> 4xT=5,6,2,2
  entry @padding_of_its_own(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %l = iota : tile<4xi32>
    %two = constant <i32: 2> : tile<4xi32>
    %m = cmpi less_than %l, %two, signed : tile<4xi32> -> tile<4xi1>
    %a1 = reshape %a : !cuda_tile.tile<!cuda_tile.ptr<!T>> -> tile<1xptr<!T>>
    %an = broadcast %a1 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %ap = offset %an, %l : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %pad = constant <!T: 2.0> : tile<4x!T>
    %t, %tk = load_ptr_tko weak %ap, %m, %pad : tile<4xptr<!T>>, tile<4xi1>, tile<4x!T> -> tile<4x!T>, token
    %ys = make_tensor_view %y, shape = [4], strides = [1] : !cuda_tile.tensor_view<4x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<4x!T>, !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<4x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @one_element grid=1: 4xT=5,6,7,8 out0 -> 1xT=8
  entry @one_element(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %three = constant <i64: 3> : tile<i64>
    %p = offset %a, %three : tile<ptr<!T>>, tile<i64> -> tile<ptr<!T>>
    %t, %tk = load_ptr_tko relaxed device %p : tile<ptr<!T>> -> tile<!T>, token
    %sk = store_ptr_tko release device %y, %t token=%tk : tile<ptr<!T>>, tile<!T> -> token
  }
  // A view at a pointer with an offset.
// CASE @view_behind grid=1: 4xT=5,6,7,8 out0 -> 2xT=7,8
  entry @view_behind(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %n, %n1, %n2 = get_num_tile_blocks : tile<i32>
    %d = addi %n, %one : tile<i32>
    %p = offset %a, %d : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %ps = make_tensor_view %p, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %pv = make_partition_view %ps : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %t, %k = load_view_tko weak %pv[%zero] : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> tile<2x!T>, token
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
  // A pointer before its memory: the view that begins there is only accessed from its memory on.
// CASE @view_before grid=1: 4xT=5,6,7,8 out0 i32=-2 -> 2xT=5,6
  entry @view_before(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %d: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %p = offset %a, %d : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %ps = make_tensor_view %p, shape = [6], strides = [1] : !cuda_tile.tensor_view<6x!T, strides=[1]>
    %pv = make_partition_view %ps : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<6x!T, strides=[1]>>
    %t, %k = load_view_tko weak %pv[%one] : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<6x!T, strides=[1]>>, tile<i32> -> tile<2x!T>, token
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
// CASE @view_before_constant grid=1: 4xT=5,6,7,8 out0 -> 2xT=5,6
  entry @view_before_constant(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>) {
    %d = constant <i32: -2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %p = offset %a, %d : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %ps = make_tensor_view %p, shape = [6], strides = [1] : !cuda_tile.tensor_view<6x!T, strides=[1]>
    %pv = make_partition_view %ps : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<6x!T, strides=[1]>>
    %t, %k = load_view_tko weak %pv[%one] : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<6x!T, strides=[1]>>, tile<i32> -> tile<2x!T>, token
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %t, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
  // An optional argument: a view at address 0 that is not accessed.
// CASE @absent grid=1: 2xT=5,6 out0 i64=0 -> 2xT=5,6
// CASE @absent [f32] grid=1: 2xT=5,6 2xT=0 i64=64 -> error "reaches element 16 of a memory of 0"
  entry @absent(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %y: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %address: tile<i64>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <i64: 0> : tile<i64>
    %as = make_tensor_view %a, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %t, %k = load_view_tko weak %av[%zero] : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> tile<2x!T>, token
    %b = int_to_ptr %address : tile<i64> -> tile<ptr<!T>>
    %bs = make_tensor_view %b, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %has = cmpi not_equal %address, %none, signed : tile<i64> -> tile<i1>
    %r = if %has -> (tile<2x!T>) {
      %u, %uk = load_view_tko weak %bv[%zero] : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> tile<2x!T>, token
      %s = addf %t, %u : tile<2x!T>
      yield %s : tile<2x!T>
    } else {
      yield %t : tile<2x!T>
    }
    %ys = make_tensor_view %y, shape = [2], strides = [1] : !cuda_tile.tensor_view<2x!T, strides=[1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>
    %yk = store_view_tko weak %r, %yv[%zero] : tile<2x!T>, !cuda_tile.partition_view<tile=(2), padding_value = zero, !cuda_tile.tensor_view<2x!T, strides=[1]>>, tile<i32> -> token
  }
}
