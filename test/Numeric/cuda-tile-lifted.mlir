// Kernels whose pointers and strides are assumed to be multiples of 16 bytes: on targets with TMA their views become
// arguments (--tile-gpu-lift-views). Products with either operand order, rasterized, persistent and batched; attention, with
// selected and added masks. Partial tiles on every axis.
// TYPES: bf16 f16
cuda_tile.module @lifted {
// CASE @matmul grid=3x2 K=104: 136x104xT=random:1 i32=136 i32=104 i32=104 i32=1 104x72xT=random:2 i32=104 i32=72 i32=72 i32=1 out0 i32=136 i32=72 i32=72 i32=1 -> 136x72xT
  entry @matmul(%a: tile<ptr<!T>>, %a_n0: tile<i32>, %a_n1: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %b: tile<ptr<!T>>, %b_n0: tile<i32>, %b_n1: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %c: tile<ptr<!T>>, %c_n0: tile<i32>, %c_n1: tile<i32>, %c_s0: tile<i32>, %c_s1: tile<i32>) {
    %a_p = assume div_by<16>, %a : tile<ptr<!T>>
    %a_n0_b = assume bounded<0, ?>, %a_n0 : tile<i32>
    %a_n0_k = assume div_by<1>, %a_n0_b : tile<i32>
    %a_n1_b = assume bounded<0, ?>, %a_n1 : tile<i32>
    %a_n1_k = assume div_by<8>, %a_n1_b : tile<i32>
    %a_s0_b = assume bounded<0, ?>, %a_s0 : tile<i32>
    %a_s0_k = assume div_by<8>, %a_s0_b : tile<i32>
    %a_view = make_tensor_view %a_p, shape = [%a_n0_k, %a_n1_k], strides = [%a_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %b_p = assume div_by<16>, %b : tile<ptr<!T>>
    %b_n0_b = assume bounded<0, ?>, %b_n0 : tile<i32>
    %b_n0_k = assume div_by<1>, %b_n0_b : tile<i32>
    %b_n1_b = assume bounded<0, ?>, %b_n1 : tile<i32>
    %b_n1_k = assume div_by<8>, %b_n1_b : tile<i32>
    %b_s0_b = assume bounded<0, ?>, %b_s0 : tile<i32>
    %b_s0_k = assume div_by<8>, %b_s0_b : tile<i32>
    %b_view = make_tensor_view %b_p, shape = [%b_n0_k, %b_n1_k], strides = [%b_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %c_p = assume div_by<16>, %c : tile<ptr<!T>>
    %c_n0_b = assume bounded<0, ?>, %c_n0 : tile<i32>
    %c_n0_k = assume div_by<1>, %c_n0_b : tile<i32>
    %c_n1_b = assume bounded<0, ?>, %c_n1 : tile<i32>
    %c_n1_k = assume div_by<8>, %c_n1_b : tile<i32>
    %c_s0_b = assume bounded<0, ?>, %c_s0 : tile<i32>
    %c_s0_k = assume div_by<8>, %c_s0_b : tile<i32>
    %c_view = make_tensor_view %c_p, shape = [%c_n0_k, %c_n1_k], strides = [%c_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %rows, %steps = get_index_space_shape %a_tiles : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : tile<64x64xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<64x64xf32>) {
      %at, %ak = load_view_tko weak %a_tiles[%x, %l] token = %root : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<64x32x!T>, token
      %bt, %bk = load_view_tko weak %b_tiles[%l, %y] token = %root : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<32x64x!T>, token
      %d = mmaf %at, %bt, %s : tile<64x32x!T>, tile<32x64x!T>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %r = ftof %acc : tile<64x64xf32> -> tile<64x64x!T>
    %ck = store_view_tko weak %r, %c_tiles[%x, %y] token = %root : tile<64x64x!T>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
// CASE @matmul_nt grid=3x2 K=104: 136x104xT=random:1 i32=136 i32=104 i32=104 i32=1 72x104xT=random:2 i32=72 i32=104 i32=104 i32=1 out0 i32=136 i32=72 i32=72 i32=1 -> 136x72xT
  entry @matmul_nt(%a: tile<ptr<!T>>, %a_n0: tile<i32>, %a_n1: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %b: tile<ptr<!T>>, %b_n0: tile<i32>, %b_n1: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %c: tile<ptr<!T>>, %c_n0: tile<i32>, %c_n1: tile<i32>, %c_s0: tile<i32>, %c_s1: tile<i32>) {
    %a_p = assume div_by<16>, %a : tile<ptr<!T>>
    %a_n0_b = assume bounded<0, ?>, %a_n0 : tile<i32>
    %a_n0_k = assume div_by<1>, %a_n0_b : tile<i32>
    %a_n1_b = assume bounded<0, ?>, %a_n1 : tile<i32>
    %a_n1_k = assume div_by<8>, %a_n1_b : tile<i32>
    %a_s0_b = assume bounded<0, ?>, %a_s0 : tile<i32>
    %a_s0_k = assume div_by<8>, %a_s0_b : tile<i32>
    %a_view = make_tensor_view %a_p, shape = [%a_n0_k, %a_n1_k], strides = [%a_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %b_p = assume div_by<16>, %b : tile<ptr<!T>>
    %b_n0_b = assume bounded<0, ?>, %b_n0 : tile<i32>
    %b_n0_k = assume div_by<1>, %b_n0_b : tile<i32>
    %b_n1_b = assume bounded<0, ?>, %b_n1 : tile<i32>
    %b_n1_k = assume div_by<8>, %b_n1_b : tile<i32>
    %b_s0_b = assume bounded<0, ?>, %b_s0 : tile<i32>
    %b_s0_k = assume div_by<8>, %b_s0_b : tile<i32>
    %b_view = make_tensor_view %b_p, shape = [%b_n0_k, %b_n1_k], strides = [%b_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %c_p = assume div_by<16>, %c : tile<ptr<!T>>
    %c_n0_b = assume bounded<0, ?>, %c_n0 : tile<i32>
    %c_n0_k = assume div_by<1>, %c_n0_b : tile<i32>
    %c_n1_b = assume bounded<0, ?>, %c_n1 : tile<i32>
    %c_n1_k = assume div_by<8>, %c_n1_b : tile<i32>
    %c_s0_b = assume bounded<0, ?>, %c_s0 : tile<i32>
    %c_s0_k = assume div_by<8>, %c_s0_b : tile<i32>
    %c_view = make_tensor_view %c_p, shape = [%c_n0_k, %c_n1_k], strides = [%c_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>, dim_map=[1, 0]>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %rows, %steps = get_index_space_shape %a_tiles : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : tile<64x64xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<64x64xf32>) {
      %at, %ak = load_view_tko weak %a_tiles[%x, %l] token = %root : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<64x32x!T>, token
      %bt, %bk = load_view_tko weak %b_tiles[%l, %y] token = %root : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> tile<32x64x!T>, token
      %d = mmaf %at, %bt, %s : tile<64x32x!T>, tile<32x64x!T>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %r = ftof %acc : tile<64x64xf32> -> tile<64x64x!T>
    %ck = store_view_tko weak %r, %c_tiles[%x, %y] token = %root : tile<64x64x!T>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
// CASE @raster grid=6 K=104: 136x104xT=random:1 i32=136 i32=104 i32=104 i32=1 104x72xT=random:2 i32=104 i32=72 i32=72 i32=1 out0 i32=136 i32=72 i32=72 i32=1 -> 136x72xT
  entry @raster(%a: tile<ptr<!T>>, %a_n0: tile<i32>, %a_n1: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %b: tile<ptr<!T>>, %b_n0: tile<i32>, %b_n1: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %c: tile<ptr<!T>>, %c_n0: tile<i32>, %c_n1: tile<i32>, %c_s0: tile<i32>, %c_s1: tile<i32>) {
    %a_p = assume div_by<16>, %a : tile<ptr<!T>>
    %a_n0_b = assume bounded<0, ?>, %a_n0 : tile<i32>
    %a_n0_k = assume div_by<1>, %a_n0_b : tile<i32>
    %a_n1_b = assume bounded<0, ?>, %a_n1 : tile<i32>
    %a_n1_k = assume div_by<8>, %a_n1_b : tile<i32>
    %a_s0_b = assume bounded<0, ?>, %a_s0 : tile<i32>
    %a_s0_k = assume div_by<8>, %a_s0_b : tile<i32>
    %a_view = make_tensor_view %a_p, shape = [%a_n0_k, %a_n1_k], strides = [%a_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %b_p = assume div_by<16>, %b : tile<ptr<!T>>
    %b_n0_b = assume bounded<0, ?>, %b_n0 : tile<i32>
    %b_n0_k = assume div_by<1>, %b_n0_b : tile<i32>
    %b_n1_b = assume bounded<0, ?>, %b_n1 : tile<i32>
    %b_n1_k = assume div_by<8>, %b_n1_b : tile<i32>
    %b_s0_b = assume bounded<0, ?>, %b_s0 : tile<i32>
    %b_s0_k = assume div_by<8>, %b_s0_b : tile<i32>
    %b_view = make_tensor_view %b_p, shape = [%b_n0_k, %b_n1_k], strides = [%b_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %c_p = assume div_by<16>, %c : tile<ptr<!T>>
    %c_n0_b = assume bounded<0, ?>, %c_n0 : tile<i32>
    %c_n0_k = assume div_by<1>, %c_n0_b : tile<i32>
    %c_n1_b = assume bounded<0, ?>, %c_n1 : tile<i32>
    %c_n1_k = assume div_by<8>, %c_n1_b : tile<i32>
    %c_s0_b = assume bounded<0, ?>, %c_s0 : tile<i32>
    %c_s0_k = assume div_by<8>, %c_s0_b : tile<i32>
    %c_view = make_tensor_view %c_p, shape = [%c_n0_k, %c_n1_k], strides = [%c_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %rows, %steps = get_index_space_shape %a_tiles : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %ms, %ns = get_index_space_shape %c_tiles : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %group = constant <i32: 2> : tile<i32>
    %width = muli %ns, %group : tile<i32>
    %gid = divi %x, %width signed : tile<i32>
    %first = muli %gid, %group : tile<i32>
    %left = subi %ms, %first : tile<i32>
    %size = mini %left, %group signed : tile<i32>
    %in = remi %x, %width signed : tile<i32>
    %im = remi %in, %size signed : tile<i32>
    %bi = addi %first, %im : tile<i32>
    %bj = divi %in, %size signed : tile<i32>
    %init = constant <f32: 0.0> : tile<64x64xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<64x64xf32>) {
      %at, %ak = load_view_tko weak %a_tiles[%bi, %l] token = %root : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<64x32x!T>, token
      %bt, %bk = load_view_tko weak %b_tiles[%l, %bj] token = %root : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<32x64x!T>, token
      %d = mmaf %at, %bt, %s : tile<64x32x!T>, tile<32x64x!T>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %r = ftof %acc : tile<64x64xf32> -> tile<64x64x!T>
    %ck = store_view_tko weak %r, %c_tiles[%bi, %bj] token = %root : tile<64x64x!T>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
// CASE @persistent grid=4 K=104: 136x104xT=random:1 i32=136 i32=104 i32=104 i32=1 104x136xT=random:2 i32=104 i32=136 i32=136 i32=1 out0 i32=136 i32=136 i32=136 i32=1 -> 136x136xT
  entry @persistent(%a: tile<ptr<!T>>, %a_n0: tile<i32>, %a_n1: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %b: tile<ptr<!T>>, %b_n0: tile<i32>, %b_n1: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %c: tile<ptr<!T>>, %c_n0: tile<i32>, %c_n1: tile<i32>, %c_s0: tile<i32>, %c_s1: tile<i32>) {
    %a_p = assume div_by<16>, %a : tile<ptr<!T>>
    %a_n0_b = assume bounded<0, ?>, %a_n0 : tile<i32>
    %a_n0_k = assume div_by<1>, %a_n0_b : tile<i32>
    %a_n1_b = assume bounded<0, ?>, %a_n1 : tile<i32>
    %a_n1_k = assume div_by<8>, %a_n1_b : tile<i32>
    %a_s0_b = assume bounded<0, ?>, %a_s0 : tile<i32>
    %a_s0_k = assume div_by<8>, %a_s0_b : tile<i32>
    %a_view = make_tensor_view %a_p, shape = [%a_n0_k, %a_n1_k], strides = [%a_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %b_p = assume div_by<16>, %b : tile<ptr<!T>>
    %b_n0_b = assume bounded<0, ?>, %b_n0 : tile<i32>
    %b_n0_k = assume div_by<1>, %b_n0_b : tile<i32>
    %b_n1_b = assume bounded<0, ?>, %b_n1 : tile<i32>
    %b_n1_k = assume div_by<8>, %b_n1_b : tile<i32>
    %b_s0_b = assume bounded<0, ?>, %b_s0 : tile<i32>
    %b_s0_k = assume div_by<8>, %b_s0_b : tile<i32>
    %b_view = make_tensor_view %b_p, shape = [%b_n0_k, %b_n1_k], strides = [%b_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %c_p = assume div_by<16>, %c : tile<ptr<!T>>
    %c_n0_b = assume bounded<0, ?>, %c_n0 : tile<i32>
    %c_n0_k = assume div_by<1>, %c_n0_b : tile<i32>
    %c_n1_b = assume bounded<0, ?>, %c_n1 : tile<i32>
    %c_n1_k = assume div_by<8>, %c_n1_b : tile<i32>
    %c_s0_b = assume bounded<0, ?>, %c_s0 : tile<i32>
    %c_s0_k = assume div_by<8>, %c_s0_b : tile<i32>
    %c_view = make_tensor_view %c_p, shape = [%c_n0_k, %c_n1_k], strides = [%c_s0_k, 1] : tile<i32> -> tensor_view<?x?x!T, strides=[?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>
    %rows, %steps = get_index_space_shape %a_tiles : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %ms, %ns = get_index_space_shape %c_tiles : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %all = muli %ms, %ns : tile<i32>
    %nb, %nb1, %nb2 = get_num_tile_blocks : tile<i32>
    for %t in (%x to %all, step %nb) : tile<i32> {
    %group = constant <i32: 2> : tile<i32>
    %width = muli %ns, %group : tile<i32>
    %gid = divi %t, %width signed : tile<i32>
    %first = muli %gid, %group : tile<i32>
    %left = subi %ms, %first : tile<i32>
    %size = mini %left, %group signed : tile<i32>
    %in = remi %t, %width signed : tile<i32>
    %im = remi %in, %size signed : tile<i32>
    %bi = addi %first, %im : tile<i32>
    %bj = divi %in, %size signed : tile<i32>
    %init = constant <f32: 0.0> : tile<64x64xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<64x64xf32>) {
      %at, %ak = load_view_tko weak %a_tiles[%bi, %l] token = %root : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<64x32x!T>, token
      %bt, %bk = load_view_tko weak %b_tiles[%l, %bj] token = %root : partition_view<tile=(32x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<32x64x!T>, token
      %d = mmaf %at, %bt, %s : tile<64x32x!T>, tile<32x64x!T>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %r = ftof %acc : tile<64x64xf32> -> tile<64x64x!T>
    %ck = store_view_tko weak %r, %c_tiles[%bi, %bj] token = %root : tile<64x64x!T>, partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
    }
  }
// CASE @batched grid=2x2x3 K=40: 3x72x40xT=random:1 i32=3 i32=72 i32=40 i32=2880 i32=40 i32=1 3x40x72xT=random:2 i32=3 i32=40 i32=72 i32=2880 i32=72 i32=1 out0 i32=3 i32=72 i32=72 i32=5184 i32=72 i32=1 -> 3x72x72xT
  entry @batched(%a: tile<ptr<!T>>, %a_n0: tile<i32>, %a_n1: tile<i32>, %a_n2: tile<i32>, %a_s0: tile<i32>, %a_s1: tile<i32>, %a_s2: tile<i32>, %b: tile<ptr<!T>>, %b_n0: tile<i32>, %b_n1: tile<i32>, %b_n2: tile<i32>, %b_s0: tile<i32>, %b_s1: tile<i32>, %b_s2: tile<i32>, %c: tile<ptr<!T>>, %c_n0: tile<i32>, %c_n1: tile<i32>, %c_n2: tile<i32>, %c_s0: tile<i32>, %c_s1: tile<i32>, %c_s2: tile<i32>) {
    %a_p = assume div_by<16>, %a : tile<ptr<!T>>
    %a_n0_b = assume bounded<0, ?>, %a_n0 : tile<i32>
    %a_n0_k = assume div_by<1>, %a_n0_b : tile<i32>
    %a_n1_b = assume bounded<0, ?>, %a_n1 : tile<i32>
    %a_n1_k = assume div_by<1>, %a_n1_b : tile<i32>
    %a_n2_b = assume bounded<0, ?>, %a_n2 : tile<i32>
    %a_n2_k = assume div_by<8>, %a_n2_b : tile<i32>
    %a_s0_b = assume bounded<0, ?>, %a_s0 : tile<i32>
    %a_s0_k = assume div_by<8>, %a_s0_b : tile<i32>
    %a_s1_b = assume bounded<0, ?>, %a_s1 : tile<i32>
    %a_s1_k = assume div_by<8>, %a_s1_b : tile<i32>
    %a_view = make_tensor_view %a_p, shape = [%a_n0_k, %a_n1_k, %a_n2_k], strides = [%a_s0_k, %a_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %b_p = assume div_by<16>, %b : tile<ptr<!T>>
    %b_n0_b = assume bounded<0, ?>, %b_n0 : tile<i32>
    %b_n0_k = assume div_by<1>, %b_n0_b : tile<i32>
    %b_n1_b = assume bounded<0, ?>, %b_n1 : tile<i32>
    %b_n1_k = assume div_by<1>, %b_n1_b : tile<i32>
    %b_n2_b = assume bounded<0, ?>, %b_n2 : tile<i32>
    %b_n2_k = assume div_by<8>, %b_n2_b : tile<i32>
    %b_s0_b = assume bounded<0, ?>, %b_s0 : tile<i32>
    %b_s0_k = assume div_by<8>, %b_s0_b : tile<i32>
    %b_s1_b = assume bounded<0, ?>, %b_s1 : tile<i32>
    %b_s1_k = assume div_by<8>, %b_s1_b : tile<i32>
    %b_view = make_tensor_view %b_p, shape = [%b_n0_k, %b_n1_k, %b_n2_k], strides = [%b_s0_k, %b_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %c_p = assume div_by<16>, %c : tile<ptr<!T>>
    %c_n0_b = assume bounded<0, ?>, %c_n0 : tile<i32>
    %c_n0_k = assume div_by<1>, %c_n0_b : tile<i32>
    %c_n1_b = assume bounded<0, ?>, %c_n1 : tile<i32>
    %c_n1_k = assume div_by<1>, %c_n1_b : tile<i32>
    %c_n2_b = assume bounded<0, ?>, %c_n2 : tile<i32>
    %c_n2_k = assume div_by<8>, %c_n2_b : tile<i32>
    %c_s0_b = assume bounded<0, ?>, %c_s0 : tile<i32>
    %c_s0_k = assume div_by<8>, %c_s0_b : tile<i32>
    %c_s1_b = assume bounded<0, ?>, %c_s1 : tile<i32>
    %c_s1_k = assume div_by<8>, %c_s1_b : tile<i32>
    %c_view = make_tensor_view %c_p, shape = [%c_n0_k, %c_n1_k, %c_n2_k], strides = [%c_s0_k, %c_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a_tiles = make_partition_view %a_view : partition_view<tile=(1x64x32), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %b_tiles = make_partition_view %b_view : partition_view<tile=(1x32x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %c_tiles = make_partition_view %c_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %batch, %rows, %steps = get_index_space_shape %a_tiles : partition_view<tile=(1x64x32), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : tile<64x64xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<64x64xf32>) {
      %a3, %ak = load_view_tko weak %a_tiles[%z, %x, %l] token = %root : partition_view<tile=(1x64x32), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x64x32x!T>, token
      %b3, %bk = load_view_tko weak %b_tiles[%z, %l, %y] token = %root : partition_view<tile=(1x32x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x32x64x!T>, token
      %at = reshape %a3 : tile<1x64x32x!T> -> tile<64x32x!T>
      %bt = reshape %b3 : tile<1x32x64x!T> -> tile<32x64x!T>
      %d = mmaf %at, %bt, %s : tile<64x32x!T>, tile<32x64x!T>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %r = ftof %acc : tile<64x64xf32> -> tile<64x64x!T>
    %r3 = reshape %r : tile<64x64x!T> -> tile<1x64x64x!T>
    %ck = store_view_tko weak %r3, %c_tiles[%z, %x, %y] token = %root : tile<1x64x64x!T>, partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> token
  }
// CASE @attention rounded grid=3x2 K=64: 2x136x64xT=random:1 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 2x136x64xT=random:2 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 2x136x64xT=random:3 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 out0 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 -> 2x136x64xT
  entry @attention(%q: tile<ptr<!T>>, %q_n0: tile<i32>, %q_n1: tile<i32>, %q_n2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %q_s2: tile<i32>, %k: tile<ptr<!T>>, %k_n0: tile<i32>, %k_n1: tile<i32>, %k_n2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %k_s2: tile<i32>, %v: tile<ptr<!T>>, %v_n0: tile<i32>, %v_n1: tile<i32>, %v_n2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %v_s2: tile<i32>, %o: tile<ptr<!T>>, %o_n0: tile<i32>, %o_n1: tile<i32>, %o_n2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %o_s2: tile<i32>) {
    %q_p = assume div_by<16>, %q : tile<ptr<!T>>
    %q_n0_b = assume bounded<0, ?>, %q_n0 : tile<i32>
    %q_n0_k = assume div_by<1>, %q_n0_b : tile<i32>
    %q_n1_b = assume bounded<0, ?>, %q_n1 : tile<i32>
    %q_n1_k = assume div_by<1>, %q_n1_b : tile<i32>
    %q_n2_b = assume bounded<0, ?>, %q_n2 : tile<i32>
    %q_n2_k = assume div_by<8>, %q_n2_b : tile<i32>
    %q_s0_b = assume bounded<0, ?>, %q_s0 : tile<i32>
    %q_s0_k = assume div_by<8>, %q_s0_b : tile<i32>
    %q_s1_b = assume bounded<0, ?>, %q_s1 : tile<i32>
    %q_s1_k = assume div_by<8>, %q_s1_b : tile<i32>
    %q_view = make_tensor_view %q_p, shape = [%q_n0_k, %q_n1_k, %q_n2_k], strides = [%q_s0_k, %q_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %k_p = assume div_by<16>, %k : tile<ptr<!T>>
    %k_n0_b = assume bounded<0, ?>, %k_n0 : tile<i32>
    %k_n0_k = assume div_by<1>, %k_n0_b : tile<i32>
    %k_n1_b = assume bounded<0, ?>, %k_n1 : tile<i32>
    %k_n1_k = assume div_by<1>, %k_n1_b : tile<i32>
    %k_n2_b = assume bounded<0, ?>, %k_n2 : tile<i32>
    %k_n2_k = assume div_by<8>, %k_n2_b : tile<i32>
    %k_s0_b = assume bounded<0, ?>, %k_s0 : tile<i32>
    %k_s0_k = assume div_by<8>, %k_s0_b : tile<i32>
    %k_s1_b = assume bounded<0, ?>, %k_s1 : tile<i32>
    %k_s1_k = assume div_by<8>, %k_s1_b : tile<i32>
    %k_view = make_tensor_view %k_p, shape = [%k_n0_k, %k_n1_k, %k_n2_k], strides = [%k_s0_k, %k_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %v_p = assume div_by<16>, %v : tile<ptr<!T>>
    %v_n0_b = assume bounded<0, ?>, %v_n0 : tile<i32>
    %v_n0_k = assume div_by<1>, %v_n0_b : tile<i32>
    %v_n1_b = assume bounded<0, ?>, %v_n1 : tile<i32>
    %v_n1_k = assume div_by<1>, %v_n1_b : tile<i32>
    %v_n2_b = assume bounded<0, ?>, %v_n2 : tile<i32>
    %v_n2_k = assume div_by<8>, %v_n2_b : tile<i32>
    %v_s0_b = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v_s0_k = assume div_by<8>, %v_s0_b : tile<i32>
    %v_s1_b = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v_s1_k = assume div_by<8>, %v_s1_b : tile<i32>
    %v_view = make_tensor_view %v_p, shape = [%v_n0_k, %v_n1_k, %v_n2_k], strides = [%v_s0_k, %v_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %o_p = assume div_by<16>, %o : tile<ptr<!T>>
    %o_n0_b = assume bounded<0, ?>, %o_n0 : tile<i32>
    %o_n0_k = assume div_by<1>, %o_n0_b : tile<i32>
    %o_n1_b = assume bounded<0, ?>, %o_n1 : tile<i32>
    %o_n1_k = assume div_by<1>, %o_n1_b : tile<i32>
    %o_n2_b = assume bounded<0, ?>, %o_n2 : tile<i32>
    %o_n2_k = assume div_by<8>, %o_n2_b : tile<i32>
    %o_s0_b = assume bounded<0, ?>, %o_s0 : tile<i32>
    %o_s0_k = assume div_by<8>, %o_s0_b : tile<i32>
    %o_s1_b = assume bounded<0, ?>, %o_s1 : tile<i32>
    %o_s1_k = assume div_by<8>, %o_s1_b : tile<i32>
    %o_view = make_tensor_view %o_p, shape = [%o_n0_k, %o_n1_k, %o_n2_k], strides = [%o_s0_k, %o_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>, dim_map=[0, 2, 1]>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %q3, %qk = load_view_tko weak %q_tiles[%y, %x, %zero] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x64x64x!T>, token
    %qm = reshape %q3 : tile<1x64x64x!T> -> tile<64x64x!T>
    %h0, %vsteps, %d0 = get_index_space_shape %v_tiles : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>> -> tile<i32>
    %scale = constant <f32: 0.18033688011112042> : tile<64x64xf32>
    %scalec = constant <f32: 0.18033688011112042> : tile<64x1xf32>
    %low = constant <f32: -1.0e30> : tile<64x1xf32>
    %lz = constant <f32: 0.0> : tile<64x1xf32>
    %oz = constant <f32: 0.0> : tile<64x64xf32>
    %sz = constant <f32: 0.0> : tile<64x64xf32>
    %hidden = constant <f32: -1.0e30> : tile<64x64xf32>
    %io = iota : tile<64xi32>
    %ior = reshape %io : tile<64xi32> -> tile<1x64xi32>
    %iow = broadcast %ior : tile<1x64xi32> -> tile<64x64xi32>
    %width = constant <i32: 64> : tile<i32>
    %sizer = reshape %k_n1_k : tile<i32> -> tile<1x1xi32>
    %sizew = broadcast %sizer : tile<1x1xi32> -> tile<64x64xi32>
    %mF, %lF, %oF = for %j in (%zero to %vsteps, step %one) : tile<i32> iter_values(%mi = %low, %li = %lz, %oi = %oz) -> (tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>) {
      %k3, %kk = load_view_tko weak %k_tiles[%y, %zero, %j] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x64x64x!T>, token
      %km = reshape %k3 : tile<1x64x64x!T> -> tile<64x64x!T>
      %s = mmaf %qm, %km, %sz : tile<64x64x!T>, tile<64x64x!T>, tile<64x64xf32>
      %start = muli %j, %width : tile<i32>
      %startr = reshape %start : tile<i32> -> tile<1x1xi32>
      %startw = broadcast %startr : tile<1x1xi32> -> tile<64x64xi32>
      %key = addi %iow, %startw : tile<64x64xi32>
      %there = cmpi less_than %key, %sizew, signed : tile<64x64xi32> -> tile<64x64xi1>
      %scaled = mulf %s, %scale : tile<64x64xf32>
      %masked = select %there, %scaled, %hidden : tile<64x64xi1>, tile<64x64xf32>
      %rmax = reduce %masked dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32> (%c: tile<f32>, %b: tile<f32>) {
        %w = maxf %c, %b : tile<f32>
        yield %w : tile<f32>
      }
      %rmaxc = reshape %rmax : tile<64xf32> -> tile<64x1xf32>
      %mn = maxf %mi, %rmaxc : tile<64x1xf32>
      %mw = broadcast %mn : tile<64x1xf32> -> tile<64x64xf32>
      %shifted = subf %masked, %mw : tile<64x64xf32>
      %p = exp2 %shifted : tile<64x64xf32>
      %rsum = reduce %p dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%c: tile<f32>, %b: tile<f32>) {
        %w = addf %c, %b : tile<f32>
        yield %w : tile<f32>
      }
      %rsumc = reshape %rsum : tile<64xf32> -> tile<64x1xf32>
      %md = subf %mi, %mn : tile<64x1xf32>
      %alpha = exp2 %md : tile<64x1xf32>
      %la = mulf %li, %alpha : tile<64x1xf32>
      %ln = addf %la, %rsumc : tile<64x1xf32>
      %alphaw = broadcast %alpha : tile<64x1xf32> -> tile<64x64xf32>
      %oa = mulf %oi, %alphaw : tile<64x64xf32>
      %v3, %vk = load_view_tko weak %v_tiles[%y, %j, %zero] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x64x64x!T>, token
      %vm = reshape %v3 : tile<1x64x64x!T> -> tile<64x64x!T>
      %pn = ftof %p : tile<64x64xf32> -> tile<64x64x!T>
      %on = mmaf %pn, %vm, %oa : tile<64x64x!T>, tile<64x64x!T>, tile<64x64xf32>
      continue %mn, %ln, %on : tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>
    }
    %lw = broadcast %lF : tile<64x1xf32> -> tile<64x64xf32>
    %res = divf %oF, %lw : tile<64x64xf32>
    %rn = ftof %res : tile<64x64xf32> -> tile<64x64x!T>
    %r3 = reshape %rn : tile<64x64x!T> -> tile<1x64x64x!T>
    %ok = store_view_tko weak %r3, %o_tiles[%y, %x, %zero] token = %root : tile<1x64x64x!T>, partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> token
  }
// CASE @attention_causal rounded grid=3x2 K=64: 2x136x64xT=random:1 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 2x136x64xT=random:2 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 2x136x64xT=random:3 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 out0 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 -> 2x136x64xT
  entry @attention_causal(%q: tile<ptr<!T>>, %q_n0: tile<i32>, %q_n1: tile<i32>, %q_n2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %q_s2: tile<i32>, %k: tile<ptr<!T>>, %k_n0: tile<i32>, %k_n1: tile<i32>, %k_n2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %k_s2: tile<i32>, %v: tile<ptr<!T>>, %v_n0: tile<i32>, %v_n1: tile<i32>, %v_n2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %v_s2: tile<i32>, %o: tile<ptr<!T>>, %o_n0: tile<i32>, %o_n1: tile<i32>, %o_n2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %o_s2: tile<i32>) {
    %q_p = assume div_by<16>, %q : tile<ptr<!T>>
    %q_n0_b = assume bounded<0, ?>, %q_n0 : tile<i32>
    %q_n0_k = assume div_by<1>, %q_n0_b : tile<i32>
    %q_n1_b = assume bounded<0, ?>, %q_n1 : tile<i32>
    %q_n1_k = assume div_by<1>, %q_n1_b : tile<i32>
    %q_n2_b = assume bounded<0, ?>, %q_n2 : tile<i32>
    %q_n2_k = assume div_by<8>, %q_n2_b : tile<i32>
    %q_s0_b = assume bounded<0, ?>, %q_s0 : tile<i32>
    %q_s0_k = assume div_by<8>, %q_s0_b : tile<i32>
    %q_s1_b = assume bounded<0, ?>, %q_s1 : tile<i32>
    %q_s1_k = assume div_by<8>, %q_s1_b : tile<i32>
    %q_view = make_tensor_view %q_p, shape = [%q_n0_k, %q_n1_k, %q_n2_k], strides = [%q_s0_k, %q_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %k_p = assume div_by<16>, %k : tile<ptr<!T>>
    %k_n0_b = assume bounded<0, ?>, %k_n0 : tile<i32>
    %k_n0_k = assume div_by<1>, %k_n0_b : tile<i32>
    %k_n1_b = assume bounded<0, ?>, %k_n1 : tile<i32>
    %k_n1_k = assume div_by<1>, %k_n1_b : tile<i32>
    %k_n2_b = assume bounded<0, ?>, %k_n2 : tile<i32>
    %k_n2_k = assume div_by<8>, %k_n2_b : tile<i32>
    %k_s0_b = assume bounded<0, ?>, %k_s0 : tile<i32>
    %k_s0_k = assume div_by<8>, %k_s0_b : tile<i32>
    %k_s1_b = assume bounded<0, ?>, %k_s1 : tile<i32>
    %k_s1_k = assume div_by<8>, %k_s1_b : tile<i32>
    %k_view = make_tensor_view %k_p, shape = [%k_n0_k, %k_n1_k, %k_n2_k], strides = [%k_s0_k, %k_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %v_p = assume div_by<16>, %v : tile<ptr<!T>>
    %v_n0_b = assume bounded<0, ?>, %v_n0 : tile<i32>
    %v_n0_k = assume div_by<1>, %v_n0_b : tile<i32>
    %v_n1_b = assume bounded<0, ?>, %v_n1 : tile<i32>
    %v_n1_k = assume div_by<1>, %v_n1_b : tile<i32>
    %v_n2_b = assume bounded<0, ?>, %v_n2 : tile<i32>
    %v_n2_k = assume div_by<8>, %v_n2_b : tile<i32>
    %v_s0_b = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v_s0_k = assume div_by<8>, %v_s0_b : tile<i32>
    %v_s1_b = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v_s1_k = assume div_by<8>, %v_s1_b : tile<i32>
    %v_view = make_tensor_view %v_p, shape = [%v_n0_k, %v_n1_k, %v_n2_k], strides = [%v_s0_k, %v_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %o_p = assume div_by<16>, %o : tile<ptr<!T>>
    %o_n0_b = assume bounded<0, ?>, %o_n0 : tile<i32>
    %o_n0_k = assume div_by<1>, %o_n0_b : tile<i32>
    %o_n1_b = assume bounded<0, ?>, %o_n1 : tile<i32>
    %o_n1_k = assume div_by<1>, %o_n1_b : tile<i32>
    %o_n2_b = assume bounded<0, ?>, %o_n2 : tile<i32>
    %o_n2_k = assume div_by<8>, %o_n2_b : tile<i32>
    %o_s0_b = assume bounded<0, ?>, %o_s0 : tile<i32>
    %o_s0_k = assume div_by<8>, %o_s0_b : tile<i32>
    %o_s1_b = assume bounded<0, ?>, %o_s1 : tile<i32>
    %o_s1_k = assume div_by<8>, %o_s1_b : tile<i32>
    %o_view = make_tensor_view %o_p, shape = [%o_n0_k, %o_n1_k, %o_n2_k], strides = [%o_s0_k, %o_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>, dim_map=[0, 2, 1]>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %q3, %qk = load_view_tko weak %q_tiles[%y, %x, %zero] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x64x64x!T>, token
    %qm = reshape %q3 : tile<1x64x64x!T> -> tile<64x64x!T>
    %h0, %vsteps, %d0 = get_index_space_shape %v_tiles : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>> -> tile<i32>
    %scale = constant <f32: 0.18033688011112042> : tile<64x64xf32>
    %scalec = constant <f32: 0.18033688011112042> : tile<64x1xf32>
    %low = constant <f32: -1.0e30> : tile<64x1xf32>
    %lz = constant <f32: 0.0> : tile<64x1xf32>
    %oz = constant <f32: 0.0> : tile<64x64xf32>
    %sz = constant <f32: 0.0> : tile<64x64xf32>
    %hidden = constant <f32: -1.0e30> : tile<64x64xf32>
    %io = iota : tile<64xi32>
    %ior = reshape %io : tile<64xi32> -> tile<1x64xi32>
    %iow = broadcast %ior : tile<1x64xi32> -> tile<64x64xi32>
    %width = constant <i32: 64> : tile<i32>
    %sizer = reshape %k_n1_k : tile<i32> -> tile<1x1xi32>
    %sizew = broadcast %sizer : tile<1x1xi32> -> tile<64x64xi32>
    %height = constant <i32: 64> : tile<i32>
    %above = muli %x, %height : tile<i32>
    %below = addi %above, %height : tile<i32>
    %reach = divi %below, %width signed rounding<positive_inf> : tile<i32>
    %csteps = mini %reach, %vsteps signed : tile<i32>
    %rio = iota : tile<64xi32>
    %ric = reshape %rio : tile<64xi32> -> tile<64x1xi32>
    %riw = broadcast %ric : tile<64x1xi32> -> tile<64x64xi32>
    %ar = reshape %above : tile<i32> -> tile<1x1xi32>
    %aw = broadcast %ar : tile<1x1xi32> -> tile<64x64xi32>
    %row = addi %riw, %aw : tile<64x64xi32>
    %mF, %lF, %oF = for %j in (%zero to %csteps, step %one) : tile<i32> iter_values(%mi = %low, %li = %lz, %oi = %oz) -> (tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>) {
      %k3, %kk = load_view_tko weak %k_tiles[%y, %zero, %j] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x64x64x!T>, token
      %km = reshape %k3 : tile<1x64x64x!T> -> tile<64x64x!T>
      %s = mmaf %qm, %km, %sz : tile<64x64x!T>, tile<64x64x!T>, tile<64x64xf32>
      %start = muli %j, %width : tile<i32>
      %startr = reshape %start : tile<i32> -> tile<1x1xi32>
      %startw = broadcast %startr : tile<1x1xi32> -> tile<64x64xi32>
      %key = addi %iow, %startw : tile<64x64xi32>
      %there = cmpi less_than %key, %sizew, signed : tile<64x64xi32> -> tile<64x64xi1>
      %past = cmpi less_than_or_equal %key, %row, signed : tile<64x64xi32> -> tile<64x64xi1>
      %seen = andi %there, %past : tile<64x64xi1>
      %scaled = mulf %s, %scale : tile<64x64xf32>
      %masked = select %seen, %scaled, %hidden : tile<64x64xi1>, tile<64x64xf32>
      %rmax = reduce %masked dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32> (%c: tile<f32>, %b: tile<f32>) {
        %w = maxf %c, %b : tile<f32>
        yield %w : tile<f32>
      }
      %rmaxc = reshape %rmax : tile<64xf32> -> tile<64x1xf32>
      %mn = maxf %mi, %rmaxc : tile<64x1xf32>
      %mw = broadcast %mn : tile<64x1xf32> -> tile<64x64xf32>
      %shifted = subf %masked, %mw : tile<64x64xf32>
      %p = exp2 %shifted : tile<64x64xf32>
      %rsum = reduce %p dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%c: tile<f32>, %b: tile<f32>) {
        %w = addf %c, %b : tile<f32>
        yield %w : tile<f32>
      }
      %rsumc = reshape %rsum : tile<64xf32> -> tile<64x1xf32>
      %md = subf %mi, %mn : tile<64x1xf32>
      %alpha = exp2 %md : tile<64x1xf32>
      %la = mulf %li, %alpha : tile<64x1xf32>
      %ln = addf %la, %rsumc : tile<64x1xf32>
      %alphaw = broadcast %alpha : tile<64x1xf32> -> tile<64x64xf32>
      %oa = mulf %oi, %alphaw : tile<64x64xf32>
      %v3, %vk = load_view_tko weak %v_tiles[%y, %j, %zero] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x64x64x!T>, token
      %vm = reshape %v3 : tile<1x64x64x!T> -> tile<64x64x!T>
      %pn = ftof %p : tile<64x64xf32> -> tile<64x64x!T>
      %on = mmaf %pn, %vm, %oa : tile<64x64x!T>, tile<64x64x!T>, tile<64x64xf32>
      continue %mn, %ln, %on : tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>
    }
    %lw = broadcast %lF : tile<64x1xf32> -> tile<64x64xf32>
    %res = divf %oF, %lw : tile<64x64xf32>
    %rn = ftof %res : tile<64x64xf32> -> tile<64x64x!T>
    %r3 = reshape %rn : tile<64x64x!T> -> tile<1x64x64x!T>
    %ok = store_view_tko weak %r3, %o_tiles[%y, %x, %zero] token = %root : tile<1x64x64x!T>, partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> token
  }
// CASE @attention_added rounded grid=3x2 K=64: 2x136x64xT=random:1 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 2x136x64xT=random:2 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 2x136x64xT=random:3 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 out0 i32=2 i32=136 i32=64 i32=8704 i32=64 i32=1 -> 2x136x64xT
  entry @attention_added(%q: tile<ptr<!T>>, %q_n0: tile<i32>, %q_n1: tile<i32>, %q_n2: tile<i32>, %q_s0: tile<i32>, %q_s1: tile<i32>, %q_s2: tile<i32>, %k: tile<ptr<!T>>, %k_n0: tile<i32>, %k_n1: tile<i32>, %k_n2: tile<i32>, %k_s0: tile<i32>, %k_s1: tile<i32>, %k_s2: tile<i32>, %v: tile<ptr<!T>>, %v_n0: tile<i32>, %v_n1: tile<i32>, %v_n2: tile<i32>, %v_s0: tile<i32>, %v_s1: tile<i32>, %v_s2: tile<i32>, %o: tile<ptr<!T>>, %o_n0: tile<i32>, %o_n1: tile<i32>, %o_n2: tile<i32>, %o_s0: tile<i32>, %o_s1: tile<i32>, %o_s2: tile<i32>) {
    %q_p = assume div_by<16>, %q : tile<ptr<!T>>
    %q_n0_b = assume bounded<0, ?>, %q_n0 : tile<i32>
    %q_n0_k = assume div_by<1>, %q_n0_b : tile<i32>
    %q_n1_b = assume bounded<0, ?>, %q_n1 : tile<i32>
    %q_n1_k = assume div_by<1>, %q_n1_b : tile<i32>
    %q_n2_b = assume bounded<0, ?>, %q_n2 : tile<i32>
    %q_n2_k = assume div_by<8>, %q_n2_b : tile<i32>
    %q_s0_b = assume bounded<0, ?>, %q_s0 : tile<i32>
    %q_s0_k = assume div_by<8>, %q_s0_b : tile<i32>
    %q_s1_b = assume bounded<0, ?>, %q_s1 : tile<i32>
    %q_s1_k = assume div_by<8>, %q_s1_b : tile<i32>
    %q_view = make_tensor_view %q_p, shape = [%q_n0_k, %q_n1_k, %q_n2_k], strides = [%q_s0_k, %q_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %k_p = assume div_by<16>, %k : tile<ptr<!T>>
    %k_n0_b = assume bounded<0, ?>, %k_n0 : tile<i32>
    %k_n0_k = assume div_by<1>, %k_n0_b : tile<i32>
    %k_n1_b = assume bounded<0, ?>, %k_n1 : tile<i32>
    %k_n1_k = assume div_by<1>, %k_n1_b : tile<i32>
    %k_n2_b = assume bounded<0, ?>, %k_n2 : tile<i32>
    %k_n2_k = assume div_by<8>, %k_n2_b : tile<i32>
    %k_s0_b = assume bounded<0, ?>, %k_s0 : tile<i32>
    %k_s0_k = assume div_by<8>, %k_s0_b : tile<i32>
    %k_s1_b = assume bounded<0, ?>, %k_s1 : tile<i32>
    %k_s1_k = assume div_by<8>, %k_s1_b : tile<i32>
    %k_view = make_tensor_view %k_p, shape = [%k_n0_k, %k_n1_k, %k_n2_k], strides = [%k_s0_k, %k_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %v_p = assume div_by<16>, %v : tile<ptr<!T>>
    %v_n0_b = assume bounded<0, ?>, %v_n0 : tile<i32>
    %v_n0_k = assume div_by<1>, %v_n0_b : tile<i32>
    %v_n1_b = assume bounded<0, ?>, %v_n1 : tile<i32>
    %v_n1_k = assume div_by<1>, %v_n1_b : tile<i32>
    %v_n2_b = assume bounded<0, ?>, %v_n2 : tile<i32>
    %v_n2_k = assume div_by<8>, %v_n2_b : tile<i32>
    %v_s0_b = assume bounded<0, ?>, %v_s0 : tile<i32>
    %v_s0_k = assume div_by<8>, %v_s0_b : tile<i32>
    %v_s1_b = assume bounded<0, ?>, %v_s1 : tile<i32>
    %v_s1_k = assume div_by<8>, %v_s1_b : tile<i32>
    %v_view = make_tensor_view %v_p, shape = [%v_n0_k, %v_n1_k, %v_n2_k], strides = [%v_s0_k, %v_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %o_p = assume div_by<16>, %o : tile<ptr<!T>>
    %o_n0_b = assume bounded<0, ?>, %o_n0 : tile<i32>
    %o_n0_k = assume div_by<1>, %o_n0_b : tile<i32>
    %o_n1_b = assume bounded<0, ?>, %o_n1 : tile<i32>
    %o_n1_k = assume div_by<1>, %o_n1_b : tile<i32>
    %o_n2_b = assume bounded<0, ?>, %o_n2 : tile<i32>
    %o_n2_k = assume div_by<8>, %o_n2_b : tile<i32>
    %o_s0_b = assume bounded<0, ?>, %o_s0 : tile<i32>
    %o_s0_k = assume div_by<8>, %o_s0_b : tile<i32>
    %o_s1_b = assume bounded<0, ?>, %o_s1 : tile<i32>
    %o_s1_k = assume div_by<8>, %o_s1_b : tile<i32>
    %o_view = make_tensor_view %o_p, shape = [%o_n0_k, %o_n1_k, %o_n2_k], strides = [%o_s0_k, %o_s1_k, 1] : tile<i32> -> tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %root = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %q_tiles = make_partition_view %q_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %k_tiles = make_partition_view %k_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>, dim_map=[0, 2, 1]>
    %v_tiles = make_partition_view %v_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %o_tiles = make_partition_view %o_view : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %q3, %qk = load_view_tko weak %q_tiles[%y, %x, %zero] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x64x64x!T>, token
    %qm = reshape %q3 : tile<1x64x64x!T> -> tile<64x64x!T>
    %h0, %vsteps, %d0 = get_index_space_shape %v_tiles : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>> -> tile<i32>
    %scale = constant <f32: 0.18033688011112042> : tile<64x64xf32>
    %scalec = constant <f32: 0.18033688011112042> : tile<64x1xf32>
    %low = constant <f32: -1.0e30> : tile<64x1xf32>
    %lz = constant <f32: 0.0> : tile<64x1xf32>
    %oz = constant <f32: 0.0> : tile<64x64xf32>
    %sz = constant <f32: 0.0> : tile<64x64xf32>
    %hidden = constant <f32: 0xFF800000> : tile<64x64xf32>
    %io = iota : tile<64xi32>
    %ior = reshape %io : tile<64xi32> -> tile<1x64xi32>
    %iow = broadcast %ior : tile<1x64xi32> -> tile<64x64xi32>
    %width = constant <i32: 64> : tile<i32>
    %sizer = reshape %k_n1_k : tile<i32> -> tile<1x1xi32>
    %sizew = broadcast %sizer : tile<1x1xi32> -> tile<64x64xi32>
    %height = constant <i32: 64> : tile<i32>
    %above = muli %x, %height : tile<i32>
    %below = addi %above, %height : tile<i32>
    %reach = divi %below, %width signed rounding<positive_inf> : tile<i32>
    %csteps = mini %reach, %vsteps signed : tile<i32>
    %rio = iota : tile<64xi32>
    %ric = reshape %rio : tile<64xi32> -> tile<64x1xi32>
    %riw = broadcast %ric : tile<64x1xi32> -> tile<64x64xi32>
    %ar = reshape %above : tile<i32> -> tile<1x1xi32>
    %aw = broadcast %ar : tile<1x1xi32> -> tile<64x64xi32>
    %row = addi %riw, %aw : tile<64x64xi32>
    %mF, %lF, %oF = for %j in (%zero to %csteps, step %one) : tile<i32> iter_values(%mi = %low, %li = %lz, %oi = %oz) -> (tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>) {
      %k3, %kk = load_view_tko weak %k_tiles[%y, %zero, %j] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x64x64x!T>, token
      %km = reshape %k3 : tile<1x64x64x!T> -> tile<64x64x!T>
      %s = mmaf %qm, %km, %sz : tile<64x64x!T>, tile<64x64x!T>, tile<64x64xf32>
      %start = muli %j, %width : tile<i32>
      %startr = reshape %start : tile<i32> -> tile<1x1xi32>
      %startw = broadcast %startr : tile<1x1xi32> -> tile<64x64xi32>
      %key = addi %iow, %startw : tile<64x64xi32>
      %there = cmpi less_than %key, %sizew, signed : tile<64x64xi32> -> tile<64x64xi1>
      %past = cmpi less_than_or_equal %key, %row, signed : tile<64x64xi32> -> tile<64x64xi1>
      %seen = andi %there, %past : tile<64x64xi1>
      %seenz = select %seen, %sz, %hidden : tile<64x64xi1>, tile<64x64xf32>
      %masked = addf %s, %seenz : tile<64x64xf32>
      %rmax = reduce %masked dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32> (%c: tile<f32>, %b: tile<f32>) {
        %w = maxf %c, %b : tile<f32>
        yield %w : tile<f32>
      }
      %rmaxc = reshape %rmax : tile<64xf32> -> tile<64x1xf32>
      %rscaled = mulf %rmaxc, %scalec : tile<64x1xf32>
      %mn = maxf %mi, %rscaled : tile<64x1xf32>
      %mw = broadcast %mn : tile<64x1xf32> -> tile<64x64xf32>
      %scaled = mulf %masked, %scale : tile<64x64xf32>
      %shifted = subf %scaled, %mw : tile<64x64xf32>
      %p = exp2 %shifted flush_to_zero : tile<64x64xf32>
      %rsum = reduce %p dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%c: tile<f32>, %b: tile<f32>) {
        %w = addf %c, %b : tile<f32>
        yield %w : tile<f32>
      }
      %rsumc = reshape %rsum : tile<64xf32> -> tile<64x1xf32>
      %md = subf %mi, %mn : tile<64x1xf32>
      %alpha = exp2 %md flush_to_zero : tile<64x1xf32>
      %la = mulf %li, %alpha : tile<64x1xf32>
      %ln = addf %la, %rsumc : tile<64x1xf32>
      %alphaw = broadcast %alpha : tile<64x1xf32> -> tile<64x64xf32>
      %oa = mulf %oi, %alphaw : tile<64x64xf32>
      %v3, %vk = load_view_tko weak %v_tiles[%y, %j, %zero] token = %root : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x64x64x!T>, token
      %vm = reshape %v3 : tile<1x64x64x!T> -> tile<64x64x!T>
      %pn = ftof %p : tile<64x64xf32> -> tile<64x64x!T>
      %on = mmaf %pn, %vm, %oa : tile<64x64x!T>, tile<64x64x!T>, tile<64x64xf32>
      continue %mn, %ln, %on : tile<64x1xf32>, tile<64x1xf32>, tile<64x64xf32>
    }
    %lw = broadcast %lF : tile<64x1xf32> -> tile<64x64xf32>
    %res = divf %oF, %lw : tile<64x64xf32>
    %rn = ftof %res : tile<64x64xf32> -> tile<64x64x!T>
    %r3 = reshape %rn : tile<64x64x!T> -> tile<1x64x64x!T>
    %ok = store_view_tko weak %r3, %o_tiles[%y, %x, %zero] token = %root : tile<1x64x64x!T>, partition_view<tile=(1x64x64), padding_value = zero, tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> token
  }
}
