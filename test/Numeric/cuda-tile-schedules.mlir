// How blocks share the work of matmuls in CUDA Tile IR: parts of the depth under locks, by tickets and as a stream, tiles
// from a counter, half of a symmetric result.
// TYPES: f32
!Rows = !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
!Heads = !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>

cuda_tile.module @schedules {
  // A matmul whose depth is divided among the blocks of z; each adds its part under the lock of the tile.
// CASE @split_locked grid=2x2x3 K=64: 5x21xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125,1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125 21x7xf32=1.25,0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875,1.25,0.875,0.5,-1,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0.125,0.75,0.875,1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0.125,1.75,-0.75,-1.875,-0.375,0.875,-0.875,-1.875,0.375,-1.375,0.125,0.875,-0.75,0.75,-0.25,2,0.625,-0.25,-0.5,-0.125,1.125,-0.25,-0.5,1.875,0.75,-1.875,-1.875,0.125,1.75,0.125,-0.5,0.75,1.5,0.75,0.875,-1.375,-0.25,-1.25,-0.25,1.75,-0.5,0.625,-0.375,1.75,-2,1.75,0.75,-1.375,-1.125,1,-0.5,1.75,-0.625,1.375,0.625,-1.375,1.125,1.625,1.125,-1.375,-0.75,-0.75,-1,-1.875,-0.875,1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125,-0.375,0.25 out0 out1 i32=5 i32=21 i32=7 -> 5x7xf32=2,4.21875,11.828125,5.78125,1.078125,6,-8.1875,3.015625,-2.75,-9.109375,-15.421875,-3.578125,3.25,4.984375,-3.875,-9.984375,1.046875,0.0625,11.90625,-1.71875,-4.984375,-4.03125,7.578125,6.671875,-6.1875,10.1875,-10.609375,-11.5625,-5.796875,8.03125,-0.78125,-7.140625,-0.46875,-2.375,-5.609375|0 4xi32=0|0
  entry @split_locked(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %c: tile<ptr<!T>>, %locks: tile<ptr<i32>>, %m: tile<i32>, %k: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !Rows
    %a_t = make_partition_view %a_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %b_v = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %b_t = make_partition_view %b_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %c_v = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %c_t = make_partition_view %c_v : partition_view<tile=(4x4), !Rows>
    %n1, %n2 = get_index_space_shape %a_t : partition_view<tile=(4x4), padding_value = zero, !Rows> -> tile<i32>
    %v = divi %n2, %nz signed rounding<positive_inf> : tile<i32>
    %v1 = muli %bz, %v : tile<i32>
    %v2 = addi %v1, %v : tile<i32>
    %v3 = mini %v2, %n2 signed : tile<i32>
    %c1 = constant <f32: 0.0> : tile<4x4xf32>
    %c2 = constant <i32: 1> : tile<i32>
    %l = for %i in (%v1 to %v3, step %c2) : tile<i32> iter_values(%it = %c1) -> (tile<4x4xf32>) {
      %x, %k1 = load_view_tko weak %a_t[%bx, %i] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
      %x1, %k2 = load_view_tko weak %b_t[%i, %by] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
      %d = mmaf %x, %x1, %it : tile<4x4x!T>, tile<4x4x!T>, tile<4x4xf32>
      continue %d : tile<4x4xf32>
    }
    %v4 = muli %bx, %ny : tile<i32>
    %v5 = addi %v4, %by : tile<i32>
    %p = offset %locks, %v5 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %c3 = constant <i32: 0> : tile<i32>
    %k3 = make_token : token
    %l1 = loop iter_values(%it1 = %k3) : token -> token {
      %old, %k4 = atomic_cas_tko acquire device %p, %c3, %c2 token=%it1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %p1 = cmpi equal %old, %c3, signed : tile<i32> -> tile<i1>
      if %p1 {
        break %k4 : token
      }
      continue %k4 : token
    }
    %x2, %k5 = load_view_tko weak %c_t[%bx, %by] token = %l1 : partition_view<tile=(4x4), !Rows>, tile<i32> -> tile<4x4x!T>, token
    %v6 = addf %x2, %l : tile<4x4x!T>
    %k6 = store_view_tko weak %v6, %c_t[%bx, %by] token = %k5 : tile<4x4x!T>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
    %old1, %k7 = atomic_rmw_tko release device %p, xchg, %c3 token=%k6 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
  // The last block of a tile to finish, by a ticket, sums the parts of all, in their order.
// CASE @split_last grid=2x2x3 K=64: 5x21xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125,1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125 21x7xf32=1.25,0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875,1.25,0.875,0.5,-1,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0.125,0.75,0.875,1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0.125,1.75,-0.75,-1.875,-0.375,0.875,-0.875,-1.875,0.375,-1.375,0.125,0.875,-0.75,0.75,-0.25,2,0.625,-0.25,-0.5,-0.125,1.125,-0.25,-0.5,1.875,0.75,-1.875,-1.875,0.125,1.75,0.125,-0.5,0.75,1.5,0.75,0.875,-1.375,-0.25,-1.25,-0.25,1.75,-0.5,0.625,-0.375,1.75,-2,1.75,0.75,-1.375,-1.125,1,-0.5,1.75,-0.625,1.375,0.625,-1.375,1.125,1.625,1.125,-1.375,-0.75,-0.75,-1,-1.875,-0.875,1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125,-0.375,0.25 out0 out1 out2 i32=5 i32=21 i32=7 -> 5x7xf32=2,4.21875,11.828125,5.78125,1.078125,6,-8.1875,3.015625,-2.75,-9.109375,-15.421875,-3.578125,3.25,4.984375,-3.875,-9.984375,1.046875,0.0625,11.90625,-1.71875,-4.984375,-4.03125,7.578125,6.671875,-6.1875,10.1875,-10.609375,-11.5625,-5.796875,8.03125,-0.78125,-7.140625,-0.46875,-2.375,-5.609375 3x8x8xf32 4xi32=3|0
  entry @split_last(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %c: tile<ptr<!T>>, %parts: tile<ptr<!T>>, %tickets: tile<ptr<i32>>, %m: tile<i32>, %k: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !Rows
    %a_t = make_partition_view %a_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %b_v = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %b_t = make_partition_view %b_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %c_v = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %c_t = make_partition_view %c_v : partition_view<tile=(4x4), !Rows>
    %n1, %n2 = get_index_space_shape %a_t : partition_view<tile=(4x4), padding_value = zero, !Rows> -> tile<i32>
    %v = divi %n2, %nz signed rounding<positive_inf> : tile<i32>
    %v1 = muli %bz, %v : tile<i32>
    %v2 = addi %v1, %v : tile<i32>
    %v3 = mini %v2, %n2 signed : tile<i32>
    %c1 = constant <f32: 0.0> : tile<4x4xf32>
    %c2 = constant <i32: 1> : tile<i32>
    %l = for %i in (%v1 to %v3, step %c2) : tile<i32> iter_values(%it = %c1) -> (tile<4x4xf32>) {
      %x, %k1 = load_view_tko weak %a_t[%bx, %i] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
      %x1, %k2 = load_view_tko weak %b_t[%i, %by] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
      %d = mmaf %x, %x1, %it : tile<4x4x!T>, tile<4x4x!T>, tile<4x4xf32>
      continue %d : tile<4x4xf32>
    }
    %parts_v = make_tensor_view %parts, shape = [%nz, 8, 8], strides = [64, 8, 1] : tile<i32> -> tensor_view<?x8x8x!T, strides=[64, 8, 1]>
    %parts_t = make_partition_view %parts_v : partition_view<tile=(1x4x4), tensor_view<?x8x8x!T, strides=[64, 8, 1]>>
    %r = reshape %l : tile<4x4xf32> -> tile<1x4x4xf32>
    %k3 = store_view_tko weak %r, %parts_t[%bz, %bx, %by] : tile<1x4x4xf32>, partition_view<tile=(1x4x4), tensor_view<?x8x8x!T, strides=[64, 8, 1]>>, tile<i32> -> token
    %v4 = muli %bx, %ny : tile<i32>
    %v5 = addi %v4, %by : tile<i32>
    %p = offset %tickets, %v5 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %k4 = atomic_rmw_tko acq_rel device %p, add, %c2 token=%k3 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %v6 = subi %nz, %c2 : tile<i32>
    %p1 = cmpi equal %old, %v6, signed : tile<i32> -> tile<i1>
    if %p1 {
      %c3 = constant <i32: 0> : tile<i32>
      %l1 = for %i1 in (%c3 to %nz, step %c2) : tile<i32> iter_values(%it1 = %c1) -> (tile<4x4xf32>) {
        %x2, %k5 = load_view_tko weak %parts_t[%i1, %bx, %by] token = %k4 : partition_view<tile=(1x4x4), tensor_view<?x8x8x!T, strides=[64, 8, 1]>>, tile<i32> -> tile<1x4x4x!T>, token
        %r1 = reshape %x2 : tile<1x4x4x!T> -> tile<4x4x!T>
        %v7 = addf %it1, %r1 : tile<4x4xf32>
        continue %v7 : tile<4x4xf32>
      }
      %k6 = store_view_tko weak %l1, %c_t[%bx, %by] : tile<4x4xf32>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
    }
  }
  // Each block computes an equal share of the steps of all tiles, which begin and end inside tiles; parts are added by atomics.
// CASE @stream grid=3 K=64: 5x21xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125,1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125 21x7xf32=1.25,0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875,1.25,0.875,0.5,-1,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0.125,0.75,0.875,1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0.125,1.75,-0.75,-1.875,-0.375,0.875,-0.875,-1.875,0.375,-1.375,0.125,0.875,-0.75,0.75,-0.25,2,0.625,-0.25,-0.5,-0.125,1.125,-0.25,-0.5,1.875,0.75,-1.875,-1.875,0.125,1.75,0.125,-0.5,0.75,1.5,0.75,0.875,-1.375,-0.25,-1.25,-0.25,1.75,-0.5,0.625,-0.375,1.75,-2,1.75,0.75,-1.375,-1.125,1,-0.5,1.75,-0.625,1.375,0.625,-1.375,1.125,1.625,1.125,-1.375,-0.75,-0.75,-1,-1.875,-0.875,1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125,-0.375,0.25 out0 i32=5 i32=21 i32=7 -> 5x7xf32=2,4.21875,11.828125,5.78125,1.078125,6,-8.1875,3.015625,-2.75,-9.109375,-15.421875,-3.578125,3.25,4.984375,-3.875,-9.984375,1.046875,0.0625,11.90625,-1.71875,-4.984375,-4.03125,7.578125,6.671875,-6.1875,10.1875,-10.609375,-11.5625,-5.796875,8.03125,-0.78125,-7.140625,-0.46875,-2.375,-5.609375|0
  entry @stream(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %c: tile<ptr<!T>>, %m: tile<i32>, %k: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !Rows
    %a_t = make_partition_view %a_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %b_v = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %b_t = make_partition_view %b_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %c_v = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %c_t = make_partition_view %c_v : partition_view<tile=(4x4), !Rows>
    %n1, %n2 = get_index_space_shape %a_t : partition_view<tile=(4x4), padding_value = zero, !Rows> -> tile<i32>
    %n3, %n4 = get_index_space_shape %c_t : partition_view<tile=(4x4), !Rows> -> tile<i32>
    %v = muli %n3, %n4 : tile<i32>
    %v1 = muli %v, %n2 : tile<i32>
    %v2 = divi %v1, %nx signed rounding<positive_inf> : tile<i32>
    %v3 = muli %bx, %v2 : tile<i32>
    %v4 = addi %v3, %v2 : tile<i32>
    %v5 = muli %n3, %n4 : tile<i32>
    %v6 = muli %v5, %n2 : tile<i32>
    %v7 = mini %v4, %v6 signed : tile<i32>
    loop iter_values(%it = %v3) : tile<i32> {
      %p = cmpi greater_than_or_equal %it, %v7, signed : tile<i32> -> tile<i1>
      if %p {
        break
      }
      %v8 = divi %it, %n2 signed : tile<i32>
      %v9 = remi %it, %n2 signed : tile<i32>
      %v10 = subi %v7, %it : tile<i32>
      %v11 = addi %v9, %v10 : tile<i32>
      %v12 = mini %n2, %v11 signed : tile<i32>
      %v13 = divi %v8, %n4 signed : tile<i32>
      %v14 = remi %v8, %n4 signed : tile<i32>
      %c1 = constant <f32: 0.0> : tile<4x4xf32>
      %c2 = constant <i32: 1> : tile<i32>
      %l = for %i in (%v9 to %v12, step %c2) : tile<i32> iter_values(%it1 = %c1) -> (tile<4x4xf32>) {
        %x, %k1 = load_view_tko weak %a_t[%v13, %i] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
        %x1, %k2 = load_view_tko weak %b_t[%i, %v14] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
        %d = mmaf %x, %x1, %it1 : tile<4x4x!T>, tile<4x4x!T>, tile<4x4xf32>
        continue %d : tile<4x4xf32>
      }
      %k3 = atomic_red_view_tko relaxed device %c_t[%v13, %v14], addf, %l : tile<4x4xf32>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
      %v15 = subi %v12, %v9 : tile<i32>
      %v16 = addi %it, %v15 : tile<i32>
      continue %v16 : tile<i32>
    }
  }
  // Persistent blocks that draw the next tile from a counter.
// CASE @tickets grid=3 K=64: 5x21xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125,1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125 21x7xf32=1.25,0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875,1.25,0.875,0.5,-1,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0.125,0.75,0.875,1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0.125,1.75,-0.75,-1.875,-0.375,0.875,-0.875,-1.875,0.375,-1.375,0.125,0.875,-0.75,0.75,-0.25,2,0.625,-0.25,-0.5,-0.125,1.125,-0.25,-0.5,1.875,0.75,-1.875,-1.875,0.125,1.75,0.125,-0.5,0.75,1.5,0.75,0.875,-1.375,-0.25,-1.25,-0.25,1.75,-0.5,0.625,-0.375,1.75,-2,1.75,0.75,-1.375,-1.125,1,-0.5,1.75,-0.625,1.375,0.625,-1.375,1.125,1.625,1.125,-1.375,-0.75,-0.75,-1,-1.875,-0.875,1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125,-0.375,0.25 out0 out1 i32=5 i32=21 i32=7 -> 5x7xf32=2,4.21875,11.828125,5.78125,1.078125,6,-8.1875,3.015625,-2.75,-9.109375,-15.421875,-3.578125,3.25,4.984375,-3.875,-9.984375,1.046875,0.0625,11.90625,-1.71875,-4.984375,-4.03125,7.578125,6.671875,-6.1875,10.1875,-10.609375,-11.5625,-5.796875,8.03125,-0.78125,-7.140625,-0.46875,-2.375,-5.609375 1xi32=7|0
  entry @tickets(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %c: tile<ptr<!T>>, %next: tile<ptr<i32>>, %m: tile<i32>, %k: tile<i32>, %n: tile<i32>) {
    %a_v = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !Rows
    %a_t = make_partition_view %a_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %b_v = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %b_t = make_partition_view %b_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %c_v = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %c_t = make_partition_view %c_v : partition_view<tile=(4x4), !Rows>
    %n1, %n2 = get_index_space_shape %a_t : partition_view<tile=(4x4), padding_value = zero, !Rows> -> tile<i32>
    %n3, %n4 = get_index_space_shape %c_t : partition_view<tile=(4x4), !Rows> -> tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    loop {
      %old, %k1 = atomic_rmw_tko relaxed device %next, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %v = muli %n3, %n4 : tile<i32>
      %p = cmpi greater_than_or_equal %old, %v, signed : tile<i32> -> tile<i1>
      if %p {
        break
      }
      %v1 = divi %old, %n4 signed : tile<i32>
      %v2 = remi %old, %n4 signed : tile<i32>
      %c2 = constant <i32: 0> : tile<i32>
      %c3 = constant <f32: 0.0> : tile<4x4xf32>
      %l = for %i in (%c2 to %n2, step %c1) : tile<i32> iter_values(%it = %c3) -> (tile<4x4xf32>) {
        %x, %k2 = load_view_tko weak %a_t[%v1, %i] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
        %x1, %k3 = load_view_tko weak %b_t[%i, %v2] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
        %d = mmaf %x, %x1, %it : tile<4x4x!T>, tile<4x4x!T>, tile<4x4xf32>
        continue %d : tile<4x4xf32>
      }
      %k4 = store_view_tko weak %l, %c_t[%v1, %v2] : tile<4x4xf32>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
      continue
    }
  }
  // a·aᵀ: blocks below the diagonal return, the others store a tile and its mirror image.
// CASE @symmetric grid=2x2 K=64: 5x21xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125,1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125 out0 i32=5 i32=21 -> 5x5xf32=34.703125,-7.796875,-4.078125,1.640625,-5.375,-7.796875,29.4375,-8.28125,-5.25,-3.953125,-4.078125,-8.28125,25.90625,1.859375,10.890625,1.640625,-5.25,1.859375,37.390625,12.890625,-5.375,-3.953125,10.890625,12.890625,27.34375
  entry @symmetric(%a: tile<ptr<!T>>, %c: tile<ptr<!T>>, %m: tile<i32>, %k: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %p = cmpi greater_than %bx, %by, signed : tile<i32> -> tile<i1>
    if %p {
      return
    }
    %a_v = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !Rows
    %a_t = make_partition_view %a_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %a_v1 = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !Rows
    %a__t = make_partition_view %a_v1 : partition_view<tile=(4x4), padding_value = zero, !Rows, dim_map=[1, 0]>
    %c_v = make_tensor_view %c, shape = [%m, %m], strides = [%m, 1] : tile<i32> -> !Rows
    %c_t = make_partition_view %c_v : partition_view<tile=(4x4), !Rows>
    %n, %n1 = get_index_space_shape %a_t : partition_view<tile=(4x4), padding_value = zero, !Rows> -> tile<i32>
    %c1 = constant <f32: 0.0> : tile<4x4xf32>
    %c2 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c2 to %n1, step %c3) : tile<i32> iter_values(%it = %c1) -> (tile<4x4xf32>) {
      %x, %k1 = load_view_tko weak %a_t[%bx, %i] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
      %x1, %k2 = load_view_tko weak %a__t[%i, %by] : partition_view<tile=(4x4), padding_value = zero, !Rows, dim_map=[1, 0]>, tile<i32> -> tile<4x4x!T>, token
      %d = mmaf %x, %x1, %it : tile<4x4x!T>, tile<4x4x!T>, tile<4x4xf32>
      continue %d : tile<4x4xf32>
    }
    %k3 = store_view_tko weak %l, %c_t[%bx, %by] : tile<4x4xf32>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
    %t = permute %l [1, 0] : tile<4x4xf32> -> tile<4x4xf32>
    %k4 = store_view_tko weak %t, %c_t[%by, %bx] : tile<4x4xf32>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
  }
  // silu(a·b)·(a·b2): two sums in one loop.
// CASE @gated grid=2x2 K=512: 5x21xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125,1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125 21x7xf32=1.25,0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875,1.25,0.875,0.5,-1,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0.125,0.75,0.875,1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0.125,1.75,-0.75,-1.875,-0.375,0.875,-0.875,-1.875,0.375,-1.375,0.125,0.875,-0.75,0.75,-0.25,2,0.625,-0.25,-0.5,-0.125,1.125,-0.25,-0.5,1.875,0.75,-1.875,-1.875,0.125,1.75,0.125,-0.5,0.75,1.5,0.75,0.875,-1.375,-0.25,-1.25,-0.25,1.75,-0.5,0.625,-0.375,1.75,-2,1.75,0.75,-1.375,-1.125,1,-0.5,1.75,-0.625,1.375,0.625,-1.375,1.125,1.625,1.125,-1.375,-0.75,-0.75,-1,-1.875,-0.875,1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125,-0.375,0.25 21x7xf32=2,-0.125,0.5,0.125,1.25,-1,-1.625,0.75,1.625,1.25,2,-1,-0.875,2,-1.875,1.5,-0.625,-2,-0.875,-0.625,-0.875,1.75,-1.125,-1.625,0.5,1.75,-1.25,-1.625,-0.125,-0.5,0.125,-1.75,-1.25,2,1.5,-1.875,-1.5,1.5,0.5,2,2,-0.5,0.125,1.5,2,1.75,2,-0.125,0.125,-0.5,1.5,-1,1.25,-1.125,1.125,1.5,0.5,-1.5,-0.125,1.375,-1.5,-0.375,0.375,-1.125,-0.875,0.875,-0.875,0.125,-1,1.625,-0.25,-1.25,1.125,1.875,-0.75,-0.25,-0.75,1.375,2,1.125,0.625,1.25,-0.5,0.75,0.5,-1.375,0.875,-1.875,0.625,1.625,1.5,-1.875,1,0.625,0.25,2,-1.5,-1.125,-0.25,-1.25,-1.375,0.125,0.125,-1.75,-0.625,0.125,-1,1.375,0.125,1.125,-0.875,2,1.875,0.5,-1.375,0.125,-1.625,-0.625,1.375,-1.5,0.125,-1.875,-1.375,0.125,-1.375,-0.25,-1.5,0.125,-1.125,1.625,-2,0.625,1.25,0.125,-1,-1.75,-0.125,-1.125,-0.75,0.125,-1.625,-0.625,-0.5,0.375,0.375,-0.375,0.25 out0 i32=5 i32=21 i32=7 -> 5x7xf32=-7.7895491583668965,9.224592957673929,64.13014731307086,-65.9196940502473,5.656156184962114,-18.610120124234037,0.017215112532900385,-0.8534325138471971,-0.4492415954416039,0.004408261015179495,-4.244401119191405e-05,0.4344291138178453,-3.7153165441562503,-11.44801634288178,-0.4074810110332451,-0.0026329523581816567,-0.7990847238614576,-0.19184686317428606,-46.136407417041674,0.5593569046011146,-0.03811662711156634,-1.0195677405960029,26.746572514900866,20.302665504584866,-0.08228007650147018,-92.32074399441751,-0.0032815608052729024,-0.0016521941478982358,-0.24709898474059974,-4.767004736296592,-1.015910576450549,0.03276817017239668,1.0656503218866715,-0.5273813863423344,-0.26648380657280474
  entry @gated(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %b2: tile<ptr<!T>>, %c: tile<ptr<!T>>, %m: tile<i32>, %k: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !Rows
    %a_t = make_partition_view %a_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %b_v = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %b_t = make_partition_view %b_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %c_v = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %c_t = make_partition_view %c_v : partition_view<tile=(4x4), !Rows>
    %b2_v = make_tensor_view %b2, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %b2_t = make_partition_view %b2_v : partition_view<tile=(4x4), padding_value = zero, !Rows>
    %n1, %n2 = get_index_space_shape %a_t : partition_view<tile=(4x4), padding_value = zero, !Rows> -> tile<i32>
    %c1 = constant <f32: 0.0> : tile<4x4xf32>
    %c2 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 1> : tile<i32>
    %l, %l1 = for %i in (%c2 to %n2, step %c3) : tile<i32> iter_values(%it = %c1, %it1 = %c1) -> (tile<4x4xf32>, tile<4x4xf32>) {
      %x, %k1 = load_view_tko weak %a_t[%bx, %i] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
      %x1, %k2 = load_view_tko weak %b_t[%i, %by] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
      %d = mmaf %x, %x1, %it : tile<4x4x!T>, tile<4x4x!T>, tile<4x4xf32>
      %x2, %k3 = load_view_tko weak %b2_t[%i, %by] : partition_view<tile=(4x4), padding_value = zero, !Rows>, tile<i32> -> tile<4x4x!T>, token
      %d1 = mmaf %x, %x2, %it1 : tile<4x4x!T>, tile<4x4x!T>, tile<4x4xf32>
      continue %d, %d1 : tile<4x4xf32>, tile<4x4xf32>
    }
    %c4 = constant <f32: 1.0> : tile<4x4xf32>
    %v = negf %l : tile<4x4xf32>
    %v1 = exp %v : tile<4x4xf32>
    %v2 = addf %c4, %v1 : tile<4x4xf32>
    %v3 = divf %l, %v2 : tile<4x4xf32>
    %v4 = mulf %v3, %l1 : tile<4x4xf32>
    %k4 = store_view_tko weak %v4, %c_t[%bx, %by] : tile<4x4xf32>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
  }
  // A batch whose second factor has a stride of 0, given by the launch.
// CASE @shared_factor grid=2x2x2 K=64: 2x5x21xf32=1.5,2,-0.625,0.125,0.75,-1.875,0.125,-1.75,-2,-1.875,2,-0.5,2,1.75,-0.125,1.5,-1.25,1.375,1.875,1.125,2,0.375,-0.375,-0.25,0.625,-0.5,-1,1.125,0.75,-1.625,-1,-2,-1.5,0.125,1.375,-0.75,-1.625,-1.375,1,2,0.25,-0.125,0.25,-1.75,1.625,-0.625,-0.75,0.125,1.5,-2,0.125,0.875,0.625,0.5,-0.125,-1.75,0.375,-0.375,0.75,-0.625,-2,0.625,1,-1.375,1.75,0.125,2,-0.5,-0.125,2,-2,-1.375,0.125,-1.375,-0.875,1.125,-1.75,1.125,-1.875,0.375,0.375,-0.25,-1.375,-0.875,1,0.5,1.875,-0.875,0.25,-0.875,-1.75,2,1.375,2,-1,2,-1.875,-0.25,-1.375,-1.875,-1.75,-1,0.875,-1.25,1,1.5,-1.625,-1.875,-0.125,1.875,0.125,-2,1.625,-1.5,2,-1.375,-1.5,1.75,0.125,-1.5,0.125,-0.125,-0.375,-0.25,1.625,1.875,1,-1.5,1.75,0.25,-1.75,-0.5,-1.5,-0.875,0.625,0.125,0.375,-1,-2,1.75,-1.625,1.875,0.125,-1.25,-0.375,1.875,0.25,0.25,1.625,1.625,1.625,-1.125,-0.5,0.375,-1.375,1.75,-1.875,0.25,1.625,-1.5,2,1.5,0.125,1,-0.375,-0.375,-1.5,-1.375,-0.875,0.125,0.875,-1,2,0.125,-1.125,0.875,-0.25,1.875,1.875,1.125,-1.875,-0.75,-2,1.875,1.5,1.125,0.375,-0.875,1.25,0.75,1,0.5,-1.125,0.625,-2,0.5,0.625,1.125,-1.125,-0.5,-2,0.25,0.125,0.875,-1.5,1.125,1,-1.5,0.875,1.375 21x7xf32=1.25,0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875,1.25,0.875,0.5,-1,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0.125,0.75,0.875,1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0.125,1.75,-0.75,-1.875,-0.375,0.875,-0.875,-1.875,0.375,-1.375,0.125,0.875,-0.75,0.75,-0.25,2,0.625,-0.25,-0.5,-0.125,1.125,-0.25,-0.5,1.875,0.75,-1.875,-1.875,0.125,1.75,0.125,-0.5,0.75,1.5,0.75,0.875,-1.375,-0.25,-1.25,-0.25,1.75,-0.5,0.625,-0.375,1.75,-2,1.75,0.75,-1.375,-1.125,1,-0.5,1.75,-0.625,1.375,0.625,-1.375,1.125,1.625,1.125,-1.375,-0.75,-0.75,-1,-1.875,-0.875,1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125,-0.375,0.25 out0 i32=2 i32=5 i32=21 i32=7 i32=0 -> 2x5x7xf32=-1,-3.578125,-6.78125,-18.96875,-0.515625,6.859375,9.78125,-4.265625,-7.5625,4.78125,-10.78125,8.09375,1.203125,3.8125,7.5625,-3.859375,-4.5,0.890625,-12.359375,0.484375,-3.453125,0.53125,-8.296875,0.34375,-9.453125,10.171875,4.703125,5.0625,-2.4375,6.234375,2.0625,10.640625,11.71875,-10.515625,-8.890625,-2.359375,9.5625,4.75,-7.203125,-1.765625,-7.578125,-11.1875,5,-5.78125,0.078125,8.40625,-12.328125,7.75,2.671875,1.859375,-3.953125,6.671875,8.734375,4.828125,8.5625,12.859375,-8.46875,-2.171875,-1.84375,10.109375,1.296875,-6.875,-0.59375,1.640625,0.78125,8.546875,-14.46875,5.765625,-5.9375,-0.78125
  entry @shared_factor(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %c: tile<ptr<!T>>, %q: tile<i32>, %m: tile<i32>, %k: tile<i32>, %n: tile<i32>, %step: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %v = muli %k, %m : tile<i32>
    %a_v = make_tensor_view %a, shape = [%q, %m, %k], strides = [%v, %k, 1] : tile<i32> -> !Heads
    %a_t = make_partition_view %a_v : partition_view<tile=(1x4x4), padding_value = zero, !Heads>
    %b_v = make_tensor_view %b, shape = [%q, %k, %n], strides = [%step, %n, 1] : tile<i32> -> !Heads
    %b_t = make_partition_view %b_v : partition_view<tile=(1x4x4), padding_value = zero, !Heads>
    %v1 = muli %n, %m : tile<i32>
    %c_v = make_tensor_view %c, shape = [%q, %m, %n], strides = [%v1, %n, 1] : tile<i32> -> !Heads
    %c_t = make_partition_view %c_v : partition_view<tile=(1x4x4), !Heads>
    %n1, %n2, %n3 = get_index_space_shape %a_t : partition_view<tile=(1x4x4), padding_value = zero, !Heads> -> tile<i32>
    %c1 = constant <f32: 0.0> : tile<1x4x4xf32>
    %c2 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c2 to %n3, step %c3) : tile<i32> iter_values(%it = %c1) -> (tile<1x4x4xf32>) {
      %x, %k1 = load_view_tko weak %a_t[%bz, %bx, %i] : partition_view<tile=(1x4x4), padding_value = zero, !Heads>, tile<i32> -> tile<1x4x4x!T>, token
      %x1, %k2 = load_view_tko weak %b_t[%bz, %i, %by] : partition_view<tile=(1x4x4), padding_value = zero, !Heads>, tile<i32> -> tile<1x4x4x!T>, token
      %d = mmaf %x, %x1, %it : tile<1x4x4x!T>, tile<1x4x4x!T>, tile<1x4x4xf32>
      continue %d : tile<1x4x4xf32>
    }
    %k3 = store_view_tko weak %l, %c_t[%bz, %bx, %by] : tile<1x4x4xf32>, partition_view<tile=(1x4x4), !Heads>, tile<i32> -> token
  }
}
