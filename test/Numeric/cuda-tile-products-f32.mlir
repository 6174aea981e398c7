// Products of f32 as producers of CUDA Tile IR write them: split-K, tf32.
// TYPES: f32
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>

cuda_tile.module @products {
  // c += a·b, with K split over the third axis of the grid.
// CASE @matmul_split grid=1x1x3 K=4: 3x4xT=1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25 4x5xT=0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0,0.25,-2,-0.875,1.25,0.875,0.5,-1 out0 i32=3 i32=5 i32=4 -> 3x5xT=4.859375,-2.75,-1.765625,-1.484375,-6.171875,0.5,-2.609375,-0.078125,0.625,-4.34375,-2.46875,-0.71875,1,1.1875,-2.875|0
// CASE @matmul_split grid=3x2x2 K=37: 35x37xT=random:1 37x19xT=random:2 out0 i32=35 i32=19 i32=37 -> 35x19xT|0
  entry @matmul_split(%a: !P, %b: !P, %c: !P, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %bs = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %cs = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %cv = make_partition_view %cs : !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %s0, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %nx, %ny, %parts = get_num_tile_blocks : tile<i32>
    %init = constant <f32: 0.0> : tile<16x16xf32>
    %acc = for %l in (%zz to %steps, step %parts) : tile<i32> iter_values(%s = %init) -> (tile<16x16xf32>) {
      %at, %atk = load_view_tko weak %av[%x, %l] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
      %bt, %btk = load_view_tko weak %bv[%l, %yy] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
      %d = mmaf %at, %bt, %s : tile<16x16x!T>, tile<16x16x!T>, tile<16x16xf32>
      continue %d : tile<16x16xf32>
    }
    %ck = atomic_red_view_tko relaxed device %cv[%x, %yy], addf, %acc : tile<16x16xf32>, !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // c = a·b in tf32.
// CASE @matmul_tf32 grid=1x1 K=4: 3x4xT=1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25 4x5xT=0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0,0.25,-2,-0.875,1.25,0.875,0.5,-1 out0 i32=3 i32=5 i32=4 -> 3x5xT=4.859375,-2.75,-1.765625,-1.484375,-6.171875,0.5,-2.609375,-0.078125,0.625,-4.34375,-2.46875,-0.71875,1,1.1875,-2.875
  entry @matmul_tf32(%a: !P, %b: !P, %c: !P, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %bs = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %cs = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %cv = make_partition_view %cs : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %s0, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : tile<16x16xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<16x16xf32>) {
      %at, %atk = load_view_tko weak %av[%x, %l] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
      %bt, %btk = load_view_tko weak %bv[%l, %yy] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
      %a32 = ftof %at : tile<16x16x!T> -> tile<16x16xtf32>
      %b32 = ftof %bt : tile<16x16x!T> -> tile<16x16xtf32>
      %d = mmaf %a32, %b32, %s : tile<16x16xtf32>, tile<16x16xtf32>, tile<16x16xf32>
      continue %d : tile<16x16xf32>
    }
    %ck = store_view_tko weak %acc, %cv[%x, %yy] : tile<16x16x!T>, !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
}
