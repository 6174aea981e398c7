// Products of f8 in CUDA Tile IR whose factors are scaled in blocks of 32 along K (MX).
// TYPES: f8E4M3FN f8E5M2
cuda_tile.module @scaled {
  // c = a·bᵀ, blocks of 32 with one scale.
// CASE @mx grid=1 K=32: 2x32xT=0.5,-0.5,1,-1.5,-1,2,-1,0.5,3,-1.5,2,0,-1.5,-1,1,1,-1,0,-1,2,1,-1.5,3,-1,0,3,-1.5,3,3,1,-1.5,0,-1.5,2,-0.5,0.25,1,-0.5,2,-1,3,0.25,2,-0.5,-1,3,3,0,0.5,-1,2,-1,3,-1.5,3,0,1.25,2,1,0.5,1.25,3,1.25,0.5 3x32xT=0.25,0,-0.5,0,-1,3,0.25,2,1.25,0.5,1.25,0.25,3,-1,-1,2,1,-0.5,0.5,-0.5,1.25,1,-1.5,-1,2,3,0.5,0.5,0.5,3,1.25,3,1.25,-1,-1,0.25,1.25,-1,-1.5,0.25,3,1.25,0.25,1,0.5,-1.5,1.25,0.5,-0.5,3,-1,1.25,-1.5,0,0.25,-0.5,0,1,1,1.25,-1,-0.5,1.25,1,2,0.25,-0.5,1,2,0.25,1,0.5,1,0,-0.5,-1,-0.5,-0.5,0,0,-1.5,1.25,3,-0.5,0.25,0.25,-1.5,-0.5,1,2,0.5,3,3,0.5,-0.5,2 2x1xi8=-128,-127 3x1xi8=-127,-127,124 out0 i32=2 i32=3 i32=32 i32=1 -> 2x3xf32=132,95,4.4375,245,-65,8.0625
// CASE @mx grid=2x2 K=128: 20x128xT=random:1 24x128xT=random:2 20x4xi8=random:3:118:127 24x4xi8=random:4:118:127 out0 i32=20 i32=24 i32=128 i32=4 -> 20x24xf32
  // Scales at both ends of the range.
// CASE @mx grid=1 K=32: 1x32xT=0.0625 1x32xT=0.015625 1x1xi8=0 1x1xi8=0xFE out0 i32=1 i32=1 i32=32 i32=1 -> 1x1xf32=0.03125
  entry @mx(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %b: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %sa: !cuda_tile.tile<!cuda_tile.ptr<f8E8M0FNU>>, %sb: !cuda_tile.tile<!cuda_tile.ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %blocks: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %at = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %at : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %bt = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %bv = make_partition_view %bt : !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>, dim_map=[1, 0]>
    %sat = make_tensor_view %sa, shape = [%m, %blocks], strides = [%blocks, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>
    %sav = make_partition_view %sat : !cuda_tile.partition_view<tile=(16x2), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>>
    %sbt = make_tensor_view %sb, shape = [%n, %blocks], strides = [%blocks, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>
    %sbv = make_partition_view %sbt : !cuda_tile.partition_view<tile=(2x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>, dim_map=[1, 0]>
    %ct = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>
    %cv = make_partition_view %ct : !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>>
    %rows, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : !cuda_tile.tile<16x16xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (!cuda_tile.tile<16x16xf32>) {
      %al, %t0 = load_view_tko weak %av[%x, %l] : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> !cuda_tile.tile<16x64x!T>, token
      %bl, %t1 = load_view_tko weak %bv[%l, %y] : !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> !cuda_tile.tile<64x16x!T>, token
      %sal, %t2 = load_view_tko weak %sav[%x, %l] : !cuda_tile.partition_view<tile=(16x2), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>>, tile<i32> -> !cuda_tile.tile<16x2xf8E8M0FNU>, token
      %sbl, %t3 = load_view_tko weak %sbv[%l, %y] : !cuda_tile.partition_view<tile=(2x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> !cuda_tile.tile<2x16xf8E8M0FNU>, token
      %d = mmaf_scaled %al, %bl, %s, %sal, %sbl : !cuda_tile.tile<16x64x!T>, !cuda_tile.tile<64x16x!T>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>
      continue %d : !cuda_tile.tile<16x16xf32>
    }
    %t = store_view_tko weak %acc, %cv[%x, %y] : !cuda_tile.tile<16x16xf32>, !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>>, tile<i32> -> token
  }
  // A batch of two, accumulated.
// CASE @batch grid=1 K=32: 2x4x32xT=random:5 2x32x4xT=random:6 2x4x1xi8=random:7:120:127 2x1x4xi8=random:8:120:127 2x4x4xf32=random:9 out0 -> 2x4x4xf32
  entry @batch(%a: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %b: !cuda_tile.tile<!cuda_tile.ptr<!T>>, %sa: tile<ptr<f8E8M0FNU>>, %sb: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %at = make_tensor_view %a, shape = [2, 4, 32], strides = [128, 32, 1] : !cuda_tile.tensor_view<2x4x32x!T, strides=[128, 32, 1]>
    %av = make_partition_view %at : !cuda_tile.partition_view<tile=(2x4x32), !cuda_tile.tensor_view<2x4x32x!T, strides=[128, 32, 1]>>
    %bt = make_tensor_view %b, shape = [2, 32, 4], strides = [128, 4, 1] : !cuda_tile.tensor_view<2x32x4x!T, strides=[128, 4, 1]>
    %bv = make_partition_view %bt : !cuda_tile.partition_view<tile=(2x32x4), !cuda_tile.tensor_view<2x32x4x!T, strides=[128, 4, 1]>>
    %sat = make_tensor_view %sa, shape = [2, 4, 1], strides = [4, 1, 1] : tensor_view<2x4x1xf8E8M0FNU, strides=[4, 1, 1]>
    %sav = make_partition_view %sat : partition_view<tile=(2x4x1), tensor_view<2x4x1xf8E8M0FNU, strides=[4, 1, 1]>>
    %sbt = make_tensor_view %sb, shape = [2, 1, 4], strides = [4, 4, 1] : tensor_view<2x1x4xf8E8M0FNU, strides=[4, 4, 1]>
    %sbv = make_partition_view %sbt : partition_view<tile=(2x1x4), tensor_view<2x1x4xf8E8M0FNU, strides=[4, 4, 1]>>
    %ct = make_tensor_view %c, shape = [2, 4, 4], strides = [16, 4, 1] : tensor_view<2x4x4xf32, strides=[16, 4, 1]>
    %cv = make_partition_view %ct : partition_view<tile=(2x4x4), tensor_view<2x4x4xf32, strides=[16, 4, 1]>>
    %yt = make_tensor_view %y, shape = [2, 4, 4], strides = [16, 4, 1] : tensor_view<2x4x4xf32, strides=[16, 4, 1]>
    %yv = make_partition_view %yt : partition_view<tile=(2x4x4), tensor_view<2x4x4xf32, strides=[16, 4, 1]>>
    %al, %t0 = load_view_tko weak %av[%zero, %zero, %zero] : !cuda_tile.partition_view<tile=(2x4x32), !cuda_tile.tensor_view<2x4x32x!T, strides=[128, 32, 1]>>, tile<i32> -> !cuda_tile.tile<2x4x32x!T>, token
    %bl, %t1 = load_view_tko weak %bv[%zero, %zero, %zero] : !cuda_tile.partition_view<tile=(2x32x4), !cuda_tile.tensor_view<2x32x4x!T, strides=[128, 4, 1]>>, tile<i32> -> !cuda_tile.tile<2x32x4x!T>, token
    %sal, %t2 = load_view_tko weak %sav[%zero, %zero, %zero] : partition_view<tile=(2x4x1), tensor_view<2x4x1xf8E8M0FNU, strides=[4, 1, 1]>>, tile<i32> -> tile<2x4x1xf8E8M0FNU>, token
    %sbl, %t3 = load_view_tko weak %sbv[%zero, %zero, %zero] : partition_view<tile=(2x1x4), tensor_view<2x1x4xf8E8M0FNU, strides=[4, 4, 1]>>, tile<i32> -> tile<2x1x4xf8E8M0FNU>, token
    %cl, %t4 = load_view_tko weak %cv[%zero, %zero, %zero] : partition_view<tile=(2x4x4), tensor_view<2x4x4xf32, strides=[16, 4, 1]>>, tile<i32> -> tile<2x4x4xf32>, token
    %d = mmaf_scaled %al, %bl, %cl, %sal, %sbl : !cuda_tile.tile<2x4x32x!T>, !cuda_tile.tile<2x32x4x!T>, tile<2x4x4xf32>, tile<2x4x1xf8E8M0FNU>, tile<2x1x4xf8E8M0FNU>
    %t5 = store_view_tko weak %d, %yv[%zero, %zero, %zero] : tile<2x4x4xf32>, partition_view<tile=(2x4x4), tensor_view<2x4x4xf32, strides=[16, 4, 1]>>, tile<i32> -> token
  }
}
