// Products of f4E2M1FN in CUDA Tile IR whose factors are scaled in blocks along K (MX and NVFP4): c = a·bᵀ.
// TYPES: f32
cuda_tile.module @scaled {
  // One power of two for 16 elements.
// CASE @mx16 grid=1 K=32: 2x16xi8=-50,-52,60,-49,97,98,94,-93,49,64,-77,32,-58,-124,-69,63,-13,-2,-97,66,-93,-8,5,-74,4,41,-72,-75,-89,103,-57,103 3x16xi8=-65,0,-8,104,-21,-69,114,115,111,106,15,-65,50,108,95,-83,-62,-50,82,69,64,78,-65,68,0,67,109,6,104,121,-118,77,-79,-34,68,-32,5,84,-12,19,-6,19,103,24,-29,32,-82,-122 2x2xi8=127,-128,-128,-126 3x2xi8=127,-128,125,-127,-128,126 out0 i32=2 i32=3 i32=32 i32=2 -> 2x3xf32=70,62.25,19,-1216.5,271,122
// CASE @mx16 grid=2x2 K=128: 20x64xi8=random:1:-128:127 24x64xi8=random:2:-128:127 20x8xi8=random:3:118:127 24x8xi8=random:4:118:127 out0 i32=20 i32=24 i32=128 i32=8 -> 20x24xf32
  entry @mx16(%a: !cuda_tile.tile<!cuda_tile.ptr<f4E2M1FN>>, %b: !cuda_tile.tile<!cuda_tile.ptr<f4E2M1FN>>, %sa: !cuda_tile.tile<!cuda_tile.ptr<f8E8M0FNU>>, %sb: !cuda_tile.tile<!cuda_tile.ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %blocks: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %at = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>
    %av = make_partition_view %at : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>>
    %bt = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>
    %bv = make_partition_view %bt : !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>, dim_map=[1, 0]>
    %sat = make_tensor_view %sa, shape = [%m, %blocks], strides = [%blocks, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>
    %sav = make_partition_view %sat : !cuda_tile.partition_view<tile=(16x4), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>>
    %sbt = make_tensor_view %sb, shape = [%n, %blocks], strides = [%blocks, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>
    %sbv = make_partition_view %sbt : !cuda_tile.partition_view<tile=(4x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>, dim_map=[1, 0]>
    %ct = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>
    %cv = make_partition_view %ct : !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>>
    %rows, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : !cuda_tile.tile<16x16xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (!cuda_tile.tile<16x16xf32>) {
      %al, %t0 = load_view_tko weak %av[%x, %l] : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>>, tile<i32> -> !cuda_tile.tile<16x64xf4E2M1FN>, token
      %bl, %t1 = load_view_tko weak %bv[%l, %y] : !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> !cuda_tile.tile<64x16xf4E2M1FN>, token
      %sal, %t2 = load_view_tko weak %sav[%x, %l] : !cuda_tile.partition_view<tile=(16x4), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>>, tile<i32> -> !cuda_tile.tile<16x4xf8E8M0FNU>, token
      %sbl, %t3 = load_view_tko weak %sbv[%l, %y] : !cuda_tile.partition_view<tile=(4x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> !cuda_tile.tile<4x16xf8E8M0FNU>, token
      %d = mmaf_scaled %al, %bl, %s, %sal, %sbl : !cuda_tile.tile<16x64xf4E2M1FN>, !cuda_tile.tile<64x16xf4E2M1FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x4xf8E8M0FNU>, !cuda_tile.tile<4x16xf8E8M0FNU>
      continue %d : !cuda_tile.tile<16x16xf32>
    }
    %t = store_view_tko weak %acc, %cv[%x, %y] : !cuda_tile.tile<16x16xf32>, !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>>, tile<i32> -> token
  }
  // One power of two for 32 elements.
// CASE @mx32 grid=1 K=32: 2x16xi8=-26,-44,-61,-82,114,45,-106,67,75,72,126,-61,95,87,-51,-38,-74,42,11,-22,14,-84,41,115,35,-120,81,72,-115,76,-81,-126 3x16xi8=81,45,8,-126,114,-126,-29,-96,-115,20,55,-123,81,-106,105,-23,-123,11,24,0,-10,-25,-45,-49,105,-89,70,-68,65,32,-40,21,-62,121,25,94,-123,14,-72,-86,23,105,91,-96,44,-113,118,32 2x1xi8=126,-126 3x1xi8=124,125,127 out0 i32=2 i32=3 i32=32 i32=1 -> 2x3xf32=2.90625,-5.15625,-2.75,-25.25,-41,-24
// CASE @mx32 grid=2x2 K=128: 20x64xi8=random:1:-128:127 24x64xi8=random:2:-128:127 20x4xi8=random:3:118:127 24x4xi8=random:4:118:127 out0 i32=20 i32=24 i32=128 i32=4 -> 20x24xf32
  entry @mx32(%a: !cuda_tile.tile<!cuda_tile.ptr<f4E2M1FN>>, %b: !cuda_tile.tile<!cuda_tile.ptr<f4E2M1FN>>, %sa: !cuda_tile.tile<!cuda_tile.ptr<f8E8M0FNU>>, %sb: !cuda_tile.tile<!cuda_tile.ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %blocks: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %at = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>
    %av = make_partition_view %at : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>>
    %bt = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>
    %bv = make_partition_view %bt : !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>, dim_map=[1, 0]>
    %sat = make_tensor_view %sa, shape = [%m, %blocks], strides = [%blocks, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>
    %sav = make_partition_view %sat : !cuda_tile.partition_view<tile=(16x2), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>>
    %sbt = make_tensor_view %sb, shape = [%n, %blocks], strides = [%blocks, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>
    %sbv = make_partition_view %sbt : !cuda_tile.partition_view<tile=(2x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>, dim_map=[1, 0]>
    %ct = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>
    %cv = make_partition_view %ct : !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>>
    %rows, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : !cuda_tile.tile<16x16xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (!cuda_tile.tile<16x16xf32>) {
      %al, %t0 = load_view_tko weak %av[%x, %l] : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>>, tile<i32> -> !cuda_tile.tile<16x64xf4E2M1FN>, token
      %bl, %t1 = load_view_tko weak %bv[%l, %y] : !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> !cuda_tile.tile<64x16xf4E2M1FN>, token
      %sal, %t2 = load_view_tko weak %sav[%x, %l] : !cuda_tile.partition_view<tile=(16x2), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>>, tile<i32> -> !cuda_tile.tile<16x2xf8E8M0FNU>, token
      %sbl, %t3 = load_view_tko weak %sbv[%l, %y] : !cuda_tile.partition_view<tile=(2x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E8M0FNU, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> !cuda_tile.tile<2x16xf8E8M0FNU>, token
      %d = mmaf_scaled %al, %bl, %s, %sal, %sbl : !cuda_tile.tile<16x64xf4E2M1FN>, !cuda_tile.tile<64x16xf4E2M1FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x2xf8E8M0FNU>, !cuda_tile.tile<2x16xf8E8M0FNU>
      continue %d : !cuda_tile.tile<16x16xf32>
    }
    %t = store_view_tko weak %acc, %cv[%x, %y] : !cuda_tile.tile<16x16xf32>, !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>>, tile<i32> -> token
  }
  // One f8E4M3FN for 16 elements.
// CASE @nv grid=1 K=32: 2x16xi8=-63,-112,121,66,-84,79,73,-47,4,39,16,-76,-61,30,112,-113,-32,34,-14,40,120,118,-2,44,-97,97,66,-118,73,-16,-15,56 3x16xi8=-10,-103,-18,62,-106,-14,-112,46,-114,108,38,66,-72,-124,-77,-9,-49,80,-16,-50,73,-67,-84,-93,-96,-54,99,-112,-72,-62,44,-37,24,56,-111,116,-40,106,-37,-64,38,-47,78,-7,65,-11,-83,-103 2x2xf8E4M3FN=1,3,3,3 3x2xf8E4M3FN=1,1.25,3,0.75,1,1.25 out0 i32=2 i32=3 i32=32 i32=2 -> 2x3xf32=-289.625,-65.8125,10.8125,221.0625,411.75,128.0625
// CASE @nv grid=2x2 K=128: 20x64xi8=random:1:-128:127 24x64xi8=random:2:-128:127 20x8xf8E4M3FN=random:3 24x8xf8E4M3FN=random:4 out0 i32=20 i32=24 i32=128 i32=8 -> 20x24xf32
  entry @nv(%a: !cuda_tile.tile<!cuda_tile.ptr<f4E2M1FN>>, %b: !cuda_tile.tile<!cuda_tile.ptr<f4E2M1FN>>, %sa: !cuda_tile.tile<!cuda_tile.ptr<f8E4M3FN>>, %sb: !cuda_tile.tile<!cuda_tile.ptr<f8E4M3FN>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %blocks: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %at = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>
    %av = make_partition_view %at : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>>
    %bt = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>
    %bv = make_partition_view %bt : !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>, dim_map=[1, 0]>
    %sat = make_tensor_view %sa, shape = [%m, %blocks], strides = [%blocks, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf8E4M3FN, strides=[?, 1]>
    %sav = make_partition_view %sat : !cuda_tile.partition_view<tile=(16x4), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E4M3FN, strides=[?, 1]>>
    %sbt = make_tensor_view %sb, shape = [%n, %blocks], strides = [%blocks, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf8E4M3FN, strides=[?, 1]>
    %sbv = make_partition_view %sbt : !cuda_tile.partition_view<tile=(4x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E4M3FN, strides=[?, 1]>, dim_map=[1, 0]>
    %ct = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>
    %cv = make_partition_view %ct : !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>>
    %rows, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : !cuda_tile.tile<16x16xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (!cuda_tile.tile<16x16xf32>) {
      %al, %t0 = load_view_tko weak %av[%x, %l] : !cuda_tile.partition_view<tile=(16x64), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>>, tile<i32> -> !cuda_tile.tile<16x64xf4E2M1FN>, token
      %bl, %t1 = load_view_tko weak %bv[%l, %y] : !cuda_tile.partition_view<tile=(64x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf4E2M1FN, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> !cuda_tile.tile<64x16xf4E2M1FN>, token
      %sal, %t2 = load_view_tko weak %sav[%x, %l] : !cuda_tile.partition_view<tile=(16x4), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E4M3FN, strides=[?, 1]>>, tile<i32> -> !cuda_tile.tile<16x4xf8E4M3FN>, token
      %sbl, %t3 = load_view_tko weak %sbv[%l, %y] : !cuda_tile.partition_view<tile=(4x16), padding_value = zero, !cuda_tile.tensor_view<?x?xf8E4M3FN, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> !cuda_tile.tile<4x16xf8E4M3FN>, token
      %d = mmaf_scaled %al, %bl, %s, %sal, %sbl : !cuda_tile.tile<16x64xf4E2M1FN>, !cuda_tile.tile<64x16xf4E2M1FN>, !cuda_tile.tile<16x16xf32>, !cuda_tile.tile<16x4xf8E4M3FN>, !cuda_tile.tile<4x16xf8E4M3FN>
      continue %d : !cuda_tile.tile<16x16xf32>
    }
    %t = store_view_tko weak %acc, %cv[%x, %y] : !cuda_tile.tile<16x16xf32>, !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>>, tile<i32> -> token
  }
}
