// Products as producers of CUDA Tile IR write them: plain, transposed, persistent, batched, attention. Sums are f32.
// TYPES: bf16 f16
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>

cuda_tile.module @products {
  // c = a·b.
// CASE @matmul grid=1x1 K=4: 3x4xT=1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25 4x5xT=0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0,0.25,-2,-0.875,1.25,0.875,0.5,-1 out0 i32=3 i32=5 i32=4 -> 3x5xT=4.859375,-2.75,-1.765625,-1.484375,-6.171875,0.5,-2.609375,-0.078125,0.625,-4.34375,-2.46875,-0.71875,1,1.1875,-2.875
// CASE @matmul grid=3x2 K=37: 35x37xT=random:1 37x19xT=random:2 out0 i32=35 i32=19 i32=37 -> 35x19xT
  entry @matmul(%a: !P, %b: !P, %c: !P, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
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
      %d = mmaf %at, %bt, %s : tile<16x16x!T>, tile<16x16x!T>, tile<16x16xf32>
      continue %d : tile<16x16xf32>
    }
    %r = ftof %acc : tile<16x16xf32> -> tile<16x16x!T>
    %ck = store_view_tko weak %r, %cv[%x, %yy] : tile<16x16x!T>, !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // c = a·bᵀ, with b read through a dim_map.
// CASE @matmul_transposed grid=1x1 K=4: 3x4xT=1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25 5x4xT=0.75,-0.625,1.875,-0.875,1,-0.875,-0.625,1.25,-0.25,-0.25,0,0.875,-0.875,-0.25,0.25,0.5,-1.375,-2,-2,-1 out0 i32=3 i32=5 i32=4 -> 3x5xT=4.859375,-2.75,-1.765625,-1.484375,-6.171875,0.5,-2.609375,-0.078125,0.625,-4.34375,-2.46875,-0.71875,1,1.1875,-2.875
// CASE @matmul_transposed grid=3x2 K=37: 35x37xT=random:1 19x37xT=random:2 out0 i32=35 i32=19 i32=37 -> 35x19xT
  entry @matmul_transposed(%a: !P, %b: !P, %c: !P, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %as = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %bs = make_tensor_view %b, shape = [%n, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>, dim_map=[1, 0]>
    %cs = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %cv = make_partition_view %cs : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %s0, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : tile<16x16xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<16x16xf32>) {
      %at, %atk = load_view_tko weak %av[%x, %l] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
      %bt, %btk = load_view_tko weak %bv[%l, %yy] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x16x!T>, token
      %d = mmaf %at, %bt, %s : tile<16x16x!T>, tile<16x16x!T>, tile<16x16xf32>
      continue %d : tile<16x16xf32>
    }
    %r = ftof %acc : tile<16x16xf32> -> tile<16x16x!T>
    %ck = store_view_tko weak %r, %cv[%x, %yy] : tile<16x16x!T>, !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
  // The same with persistent blocks, in groups of two rows of tiles.
// CASE @matmul_persistent grid=2 K=4: 3x4xT=1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25 4x5xT=0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0,0.25,-2,-0.875,1.25,0.875,0.5,-1 out0 i32=3 i32=5 i32=4 -> 3x5xT=4.859375,-2.75,-1.765625,-1.484375,-6.171875,0.5,-2.609375,-0.078125,0.625,-4.34375,-2.46875,-0.71875,1,1.1875,-2.875
// CASE @matmul_persistent grid=4 K=37: 85x37xT=random:1 37x39xT=random:2 out0 i32=85 i32=39 i32=37 -> 85x39xT
  entry @matmul_persistent(%a: !P, %b: !P, %c: !P, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
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
    %nb, %nb1, %nb2 = get_num_tile_blocks : tile<i32>
    %ms, %ns = get_index_space_shape %cv : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %all = muli %ms, %ns : tile<i32>
    %group = constant <i32: 2> : tile<i32>
    for %t in (%x to %all, step %nb) : tile<i32> {
      %width = muli %ns, %group : tile<i32>
      %gid = divi %t, %width signed : tile<i32>
      %first = muli %gid, %group : tile<i32>
      %left = subi %ms, %first : tile<i32>
      %size = mini %left, %group signed : tile<i32>
      %in = remi %t, %width signed : tile<i32>
      %im = remi %in, %size signed : tile<i32>
      %bi = addi %first, %im : tile<i32>
      %bj = divi %in, %size signed : tile<i32>
      %init = constant <f32: 0.0> : tile<16x16xf32>
      %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<16x16xf32>) {
        %at, %atk = load_view_tko weak %av[%bi, %l] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
        %bt, %btk = load_view_tko weak %bv[%l, %bj] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
        %d = mmaf %at, %bt, %s : tile<16x16x!T>, tile<16x16x!T>, tile<16x16xf32>
        continue %d : tile<16x16xf32>
      }
      %r = ftof %acc : tile<16x16xf32> -> tile<16x16x!T>
      %ck = store_view_tko weak %r, %cv[%bi, %bj] : tile<16x16x!T>, !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
    }
  }
  // A batch of products; tiles have size 1 along the batch axis.
// CASE @matmul_batched grid=1x1x2 K=4: 2x3x4xT=1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5 2x4x5xT=0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0,0.25,-2,-0.875,1.25,0.875,0.5,-1,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0,0.75,0.875 out0 i32=2 i32=3 i32=5 i32=4 -> 2x3x5xT=4.859375,-2.75,-1.765625,-1.484375,-6.171875,0.5,-2.609375,-0.078125,0.625,-4.34375,-2.46875,-0.71875,1,1.1875,-2.875,-4.921875,2.328125,1.984375,0.15625,-0.453125,-3.640625,-0.171875,-1.828125,-5.71875,-3.765625,-0.390625,-3.46875,4.265625,-1.5,-2.78125
// CASE @matmul_batched grid=2x2x3 K=37: 3x21x37xT=random:1 3x37x19xT=random:2 out0 i32=3 i32=21 i32=19 i32=37 -> 3x21x19xT
  entry @matmul_batched(%a: !P, %b: !P, %c: !P, %q: tile<i32>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %mk = muli %m, %k : tile<i32>
    %kn = muli %k, %n : tile<i32>
    %mn = muli %m, %n : tile<i32>
    %as = make_tensor_view %a, shape = [%q, %m, %k], strides = [%mk, %k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %av = make_partition_view %as : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %bs = make_tensor_view %b, shape = [%q, %k, %n], strides = [%kn, %n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %cs = make_tensor_view %c, shape = [%q, %m, %n], strides = [%mn, %n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %cv = make_partition_view %cs : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %sq, %s0, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>> -> tile<i32>
    %init = constant <f32: 0.0> : tile<1x16x16xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %init) -> (tile<1x16x16xf32>) {
      %at, %atk = load_view_tko weak %av[%zz, %x, %l] : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x16x16x!T>, token
      %bt, %btk = load_view_tko weak %bv[%zz, %l, %yy] : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x16x16x!T>, token
      %d = mmaf %at, %bt, %s : tile<1x16x16x!T>, tile<1x16x16x!T>, tile<1x16x16xf32>
      continue %d : tile<1x16x16xf32>
    }
    %r = ftof %acc : tile<1x16x16xf32> -> tile<1x16x16x!T>
    %ck = store_view_tko weak %r, %cv[%zz, %x, %yy] : tile<1x16x16x!T>, !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> token
  }
  // Attention, one head per block of the second axis, keys in a loop.
// CASE @attention [f32] grid=1x2 K=4: 2x3x4xT=1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0,1.75,-0.75,-1.875,-0.375,0.875,-0.875,-1.875,0.375,-1.375,0,0.875 2x3x4xT=-0.75,0.75,-0.25,2,0.625,-0.25,-0.5,-0.125,1.125,-0.25,-0.5,1.875,0.75,-1.875,-1.875,0.125,1.75,0,-0.5,0.75,1.5,0.75,0.875,-1.375 2x3x4xT=-0.25,-1.25,-0.25,1.75,-0.5,0.625,-0.375,1.75,-2,1.75,0.75,-1.375,-1.125,1,-0.5,1.75,-0.625,1.375,0.625,-1.375,1.125,1.625,1.125,-1.375 out0 i32=2 i32=3 i32=4 -> 2x3x4xT=-1.362907168875388,0.9348337048296553,0.33465198255040873,-0.15184261164683793,-1.0198775341786768,0.46240020707812873,0.11722443647768888,0.49639466072162114,-0.8438757678922795,0.14744938739713714,0.019102647867741605,0.8065991136435311,0.38208656455175877,1.4692088082292938,0.7520720446444641,-0.8637869015489688,0.12883445800487062,1.3981281072085088,0.5667966189678454,-0.5045033712568981,-0.6004278859653119,1.2247562936727432,0.13458116528804723,0.20776185047865714
// CASE @attention rounded grid=3x2 K=37: 2x37x16xT=random:1 2x37x16xT=random:2 2x37x16xT=random:3 out0 i32=2 i32=37 i32=16 -> 2x37x16xT
  entry @attention(%q: !P, %k: !P, %v: !P, %o: !P, %h: tile<i32>, %s: tile<i32>, %d: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sd = muli %s, %d : tile<i32>
    %qs = make_tensor_view %q, shape = [%h, %s, %d], strides = [%sd, %d, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %qv = make_partition_view %qs : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %ks = make_tensor_view %k, shape = [%h, %s, %d], strides = [%sd, %d, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %kv = make_partition_view %ks : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %vs = make_tensor_view %v, shape = [%h, %s, %d], strides = [%sd, %d, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %vv = make_partition_view %vs : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %os = make_tensor_view %o, shape = [%h, %s, %d], strides = [%sd, %d, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>
    %ov = make_partition_view %os : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>
    %q3, %q3k = load_view_tko weak %qv[%yy, %x, %zero] : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x16x16x!T>, token
    %qt = reshape %q3 : tile<1x16x16x!T> -> tile<16x16x!T>
    %h0, %steps, %d0 = get_index_space_shape %kv : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>> -> tile<i32>
    %m0 = constant <f32: -1.0e30> : tile<16x1xf32>
    %l0 = constant <f32: 0.0> : tile<16x1xf32>
    %o0 = constant <f32: 0.0> : tile<16x16xf32>
    %z0 = constant <f32: 0.0> : tile<16x16xf32>
    %sc0 = constant <f32: 0.25> : tile<f32>
    %sc = constant <f32: 0.25> : tile<16x16xf32>
    %bw = constant <i32: 16> : tile<i32>
    %io = iota : tile<16xi32>
    %sn1 = reshape %s : tile<i32> -> tile<1x1xi32>
    %sn = broadcast %sn1 : tile<1x1xi32> -> tile<16x16xi32>
    %ninf = constant <f32: -1.0e30> : tile<16x16xf32>
    %mF, %lF, %oF = for %j in (%zero to %steps, step %one) : tile<i32> iter_values(%mi = %m0, %li = %l0, %oi = %o0) -> (tile<16x1xf32>, tile<16x1xf32>, tile<16x16xf32>) {
      %k3, %k3k = load_view_tko weak %kv[%yy, %j, %zero] : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x16x16x!T>, token
      %kt = reshape %k3 : tile<1x16x16x!T> -> tile<16x16x!T>
      %ktt = permute %kt [1, 0] : tile<16x16x!T> -> tile<16x16x!T>
      %s1 = mmaf %qt, %ktt, %z0 : tile<16x16x!T>, tile<16x16x!T>, tile<16x16xf32>
      %s2 = mulf %s1, %sc rounding<nearest_even> : tile<16x16xf32>
      %first = muli %j, %bw : tile<i32>
      %f1 = reshape %first : tile<i32> -> tile<1xi32>
      %fb = broadcast %f1 : tile<1xi32> -> tile<16xi32>
      %at = addi %io, %fb : tile<16xi32>
      %at1 = reshape %at : tile<16xi32> -> tile<1x16xi32>
      %atb = broadcast %at1 : tile<1x16xi32> -> tile<16x16xi32>
      %ok = cmpi less_than %atb, %sn, signed : tile<16x16xi32> -> tile<16x16xi1>
      %s3 = select %ok, %s2, %ninf : tile<16x16xi1>, tile<16x16xf32>
      %mx = reduce %s3 dim=1 identities=[-1.0e30 : f32] : tile<16x16xf32> -> tile<16xf32> (%e: tile<f32>, %a_: tile<f32>) {
        %c = maxf %a_, %e : tile<f32>
        yield %c : tile<f32>
      }
      %mx1 = reshape %mx : tile<16xf32> -> tile<16x1xf32>
      %mn = maxf %mi, %mx1 : tile<16x1xf32>
      %mb = broadcast %mn : tile<16x1xf32> -> tile<16x16xf32>
      %p0 = subf %s3, %mb rounding<nearest_even> : tile<16x16xf32>
      %p = exp %p0 : tile<16x16xf32>
      %al0 = subf %mi, %mn rounding<nearest_even> : tile<16x1xf32>
      %al = exp %al0 : tile<16x1xf32>
      %ps = reduce %p dim=1 identities=[0.0 : f32] : tile<16x16xf32> -> tile<16xf32> (%e: tile<f32>, %a_: tile<f32>) {
        %c = addf %a_, %e rounding<nearest_even> : tile<f32>
        yield %c : tile<f32>
      }
      %ps1 = reshape %ps : tile<16xf32> -> tile<16x1xf32>
      %ln = fma %li, %al, %ps1 rounding<nearest_even> : tile<16x1xf32>
      %alb = broadcast %al : tile<16x1xf32> -> tile<16x16xf32>
      %osc = mulf %oi, %alb rounding<nearest_even> : tile<16x16xf32>
      %v3, %v3k = load_view_tko weak %vv[%yy, %j, %zero] : !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> tile<1x16x16x!T>, token
      %vt = reshape %v3 : tile<1x16x16x!T> -> tile<16x16x!T>
      %pt = ftof %p : tile<16x16xf32> -> tile<16x16x!T>
      %on = mmaf %pt, %vt, %osc : tile<16x16x!T>, tile<16x16x!T>, tile<16x16xf32>
      continue %mn, %ln, %on : tile<16x1xf32>, tile<16x1xf32>, tile<16x16xf32>
    }
    %lb = broadcast %lF : tile<16x1xf32> -> tile<16x16xf32>
    %of = divf %oF, %lb rounding<nearest_even> : tile<16x16xf32>
    %oc = ftof %of : tile<16x16xf32> -> tile<16x16x!T>
    %o3 = reshape %oc : tile<16x16x!T> -> tile<1x16x16x!T>
    %ok = store_view_tko weak %o3, %ov[%yy, %x, %zero] : tile<1x16x16x!T>, !cuda_tile.partition_view<tile=(1x16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>>, tile<i32> -> token
  }
}
