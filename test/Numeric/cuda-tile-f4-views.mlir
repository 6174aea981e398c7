// Views of f4E2M1FN in CUDA Tile IR: two elements per byte along the axis of stride 1.
// TYPES: f32
!F = !cuda_tile.tile<!cuda_tile.ptr<f4E2M1FN>>
!O = !cuda_tile.tile<!cuda_tile.ptr<f32>>
!M = !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>
!C = !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[1, ?]>
!W = !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>
!X = !cuda_tile.tile<4x8xf32>
!FX = !cuda_tile.tile<4x8xf4E2M1FN>
!WV = !cuda_tile.partition_view<tile=(4x8), padding_value = zero, !W>

cuda_tile.module @f4_views {
  // Copies m x n elements, with partial tiles.
// CASE @rows grid=2x2: 5x5xi8=random:1:-128:127 out0 i32=5 i32=10 -> 5x10xf32
// CASE @rows grid=1x1: 2x2xi8=0x10,0x32,0x54,0x76 out0 i32=2 i32=4 -> 2x4xf32=0,0.5,1,1.5,2,3,4,6
  entry @rows(%a: !F, %y: !O, %m: tile<i32>, %n: tile<i32>) {
    %i, %j, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !M
    %av = make_partition_view %as : partition_view<tile=(4x8), padding_value = zero, !M>
    %at, %ak = load_view_tko weak %av[%i, %j] : partition_view<tile=(4x8), padding_value = zero, !M>, tile<i32> -> !FX, token
    %r = ftof %at : !FX -> !X
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !W
    %yv = make_partition_view %ys : !WV
    %k = store_view_tko weak %r, %yv[%i, %j] : !X, !WV, tile<i32> -> token
  }
  // The packed axis first, through a dim_map.
// CASE @columns grid=2x2: 6x5xi8=random:2:-128:127 out0 i32=10 i32=6 -> 10x6xf32
// CASE @columns grid=1x1: 2x2xi8=0x10,0x32,0x54,0x76 out0 i32=4 i32=2 -> 4x2xf32=0,2,0.5,3,1,4,1.5,6
  entry @columns(%a: !F, %y: !O, %m: tile<i32>, %n: tile<i32>) {
    %i, %j, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [1, %m] : tile<i32> -> !C
    %av = make_partition_view %as : partition_view<tile=(8x4), padding_value = zero, !C, dim_map=[0, 1]>
    %at, %ak = load_view_tko weak %av[%i, %j] : partition_view<tile=(8x4), padding_value = zero, !C>, tile<i32> -> tile<8x4xf4E2M1FN>, token
    %r = ftof %at : tile<8x4xf4E2M1FN> -> tile<8x4xf32>
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !W
    %yv = make_partition_view %ys : partition_view<tile=(8x4), padding_value = zero, !W>
    %k = store_view_tko weak %r, %yv[%i, %j] : tile<8x4xf32>, partition_view<tile=(8x4), padding_value = zero, !W>, tile<i32> -> token
  }
// CASE @transposed grid=2x2: 6x5xi8=random:3:-128:127 out0 i32=6 i32=10 -> 10x6xf32
// CASE @transposed grid=1x1: 2x2xi8=0x10,0x32,0x54,0x76 out0 i32=2 i32=4 -> 4x2xf32=0,2,0.5,3,1,4,1.5,6
  entry @transposed(%a: !F, %y: !O, %m: tile<i32>, %n: tile<i32>) {
    %i, %j, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !M
    %av = make_partition_view %as : partition_view<tile=(8x4), padding_value = zero, !M, dim_map=[1, 0]>
    %at, %ak = load_view_tko weak %av[%i, %j] : partition_view<tile=(8x4), padding_value = zero, !M, dim_map=[1, 0]>, tile<i32> -> tile<8x4xf4E2M1FN>, token
    %r = ftof %at : tile<8x4xf4E2M1FN> -> tile<8x4xf32>
    %ys = make_tensor_view %y, shape = [%n, %m], strides = [%m, 1] : tile<i32> -> !W
    %yv = make_partition_view %ys : partition_view<tile=(8x4), padding_value = zero, !W>
    %k = store_view_tko weak %r, %yv[%i, %j] : tile<8x4xf32>, partition_view<tile=(8x4), padding_value = zero, !W>, tile<i32> -> token
  }
  // Tiles in steps of four columns, and rows by index.
// CASE @steps grid=3 : 4x8xi8=random:4:-128:127 out0 -> 12x8xf32
  entry @steps(%a: !F, %y: !O) {
    %i, %j, %i2 = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [4, 16], strides = [16, 1] : tensor_view<4x16xf4E2M1FN, strides=[16, 1]>
    %av = make_strided_view %as : strided_view<tile=(4x8), traversal_strides=[4, 4], padding_value = zero, tensor_view<4x16xf4E2M1FN, strides=[16, 1]>>
    %at, %ak = load_view_tko weak %av[%zero, %i] : strided_view<tile=(4x8), traversal_strides=[4, 4], padding_value = zero, tensor_view<4x16xf4E2M1FN, strides=[16, 1]>>, tile<i32> -> !FX, token
    %r = ftof %at : !FX -> !X
    %ys = make_tensor_view %y, shape = [12, 8], strides = [8, 1] : tensor_view<12x8xf32, strides=[8, 1]>
    %yv = make_partition_view %ys : partition_view<tile=(4x8), tensor_view<12x8xf32, strides=[8, 1]>>
    %k = store_view_tko weak %r, %yv[%i, %zero] : !X, partition_view<tile=(4x8), tensor_view<12x8xf32, strides=[8, 1]>>, tile<i32> -> token
  }
// CASE @gathered grid=1: 5x8xi8=random:5:-128:127 4xi32=4,0,3,3 out0 i32=2 -> 4x8xf32
  entry @gathered(%a: !F, %at: tile<ptr<i32>>, %y: !O, %first: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %ids = make_tensor_view %at, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %idv = make_partition_view %ids : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %rows, %ik = load_view_tko weak %idv[%zero] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %as = make_tensor_view %a, shape = [5, 16], strides = [16, 1] : tensor_view<5x16xf4E2M1FN, strides=[16, 1]>
    %av = make_gather_scatter_view %as : gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<5x16xf4E2M1FN, strides=[16, 1]>, sparse_dim = 0>
    %t, %ak = load_view_tko weak %av[%rows, %first] : gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<5x16xf4E2M1FN, strides=[16, 1]>, sparse_dim = 0>, tile<4xi32>, tile<i32> -> !FX, token
    %r = ftof %t : !FX -> !X
    %ys = make_tensor_view %y, shape = [4, 8], strides = [8, 1] : tensor_view<4x8xf32, strides=[8, 1]>
    %yv = make_partition_view %ys : partition_view<tile=(4x8), tensor_view<4x8xf32, strides=[8, 1]>>
    %k = store_view_tko weak %r, %yv[%zero, %zero] : !X, partition_view<tile=(4x8), tensor_view<4x8xf32, strides=[8, 1]>>, tile<i32> -> token
  }
  // Stores drop elements outside the view; sizes and tile counts are in elements.
// CASE @stored grid=2x2: 5x10xf32=random:6:-7:7 out0 i32=5 i32=10 -> 5x5xi8
  entry @stored(%a: !O, %y: !F, %m: tile<i32>, %n: tile<i32>) {
    %i, %j, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !W
    %av = make_partition_view %as : !WV
    %at, %ak = load_view_tko weak %av[%i, %j] : !WV, tile<i32> -> !X, token
    %r = ftof %at : !X -> !FX
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !M
    %yv = make_partition_view %ys : partition_view<tile=(4x8), !M>
    %k = store_view_tko weak %r, %yv[%i, %j] : !FX, partition_view<tile=(4x8), !M>, tile<i32> -> token
  }
// CASE @sizes grid=1: 5x5xi8=random:1:-128:127 out0 i32=5 i32=10 -> 4xi32=5,10,2,2
  entry @sizes(%a: !F, %y: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !M
    %av = make_partition_view %as : partition_view<tile=(4x8), padding_value = zero, !M>
    %s0, %s1 = get_tensor_shape %as : !M -> tile<i32>
    %t0, %t1 = get_index_space_shape %av : partition_view<tile=(4x8), padding_value = zero, !M> -> tile<i32>
    %r0 = reshape %s0 : tile<i32> -> tile<1xi32>
    %r1 = reshape %s1 : tile<i32> -> tile<1xi32>
    %r2 = reshape %t0 : tile<i32> -> tile<1xi32>
    %r3 = reshape %t1 : tile<i32> -> tile<1xi32>
    %c0 = cat %r0, %r1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %c1 = cat %r2, %r3 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %c = cat %c0, %c1 dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>
    %ys = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %yv = make_partition_view %ys : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %k = store_view_tko weak %c, %yv[%zero] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
// CASE @odd grid=1: 5x5xi8=random:1:-128:127 5x9xf32=0 i32=5 i32=9 -> error "promises a multiple of 2, found 9"
  entry @odd(%a: !F, %y: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %i, %j, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !M
    %av = make_partition_view %as : partition_view<tile=(4x8), padding_value = zero, !M>
    %at, %ak = load_view_tko weak %av[%i, %j] : partition_view<tile=(4x8), padding_value = zero, !M>, tile<i32> -> !FX, token
    %r = ftof %at : !FX -> !X
    %ys = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !W
    %yv = make_partition_view %ys : !WV
    %k = store_view_tko weak %r, %yv[%i, %j] : !X, !WV, tile<i32> -> token
  }
}
