// Products on views whose addresses the kernel reads, in tiles that a producer copies: it encodes their descriptors.
// TYPES: bf16 f16
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!A = !cuda_tile.tile<!cuda_tile.ptr<i64>>
!M = !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
!W = !cuda_tile.partition_view<tile=(64x64), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>

cuda_tile.module @made {
  // One product after the other; each block takes every third tile. Sums of no, few and many tiles; blocks without a tile of a
  // group.
// CASE @groups grid=3 K=200: list:4 70x200xT=random:1 1x8xT=random:3 5x64xT=random:5 130x72xT=random:7 list:4 200x136xT=random:2 8x8xT=random:4 64x72xT=random:6 72x64xT=random:8 list:4 out0 out1 out2 out3 -> 70x136xT 1x8xT 5x72xT 130x64xT
// CASE @groups grid=1 K=40: list:3 19x40xT=random:1 64x8xT=random:3 33x24xT=random:5 list:3 40x24xT=random:2 8x72xT=random:4 24x8xT=random:6 list:3 out0 out1 out2 -> 19x24xT 64x72xT 33x8xT
// CASE @groups grid=40 K=64: list:2 64x64xT=random:1 128x64xT=random:3 list:2 64x128xT=random:2 64x64xT=random:4 list:2 out0 out1 -> 64x128xT 128x64xT
  entry @groups(%as: !A, %count: tile<i32>, %bs: !A, %countB: tile<i32>, %cs: !A, %countC: tile<i32>) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %blocks, %by, %bz = get_num_tile_blocks : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %last, %end = for %g in (%zero to %count, step %one) : tile<i32> iter_values(%tile = %x, %begin = %zero) -> (tile<i32>, tile<i32>) {
      %at = muli %g, %five : tile<i32>
      %o_ap = constant <i32: 0> : tile<i32>
      %i_ap = addi %at, %o_ap : tile<i32>
      %q_ap = offset %as, %i_ap : !A, tile<i32> -> !A
      %w_ap, %k_ap = load_ptr_tko weak %q_ap : !A -> tile<i64>, token
      %o_am = constant <i32: 1> : tile<i32>
      %i_am = addi %at, %o_am : tile<i32>
      %q_am = offset %as, %i_am : !A, tile<i32> -> !A
      %w_am, %k_am = load_ptr_tko weak %q_am : !A -> tile<i64>, token
      %o_an = constant <i32: 2> : tile<i32>
      %i_an = addi %at, %o_an : tile<i32>
      %q_an = offset %as, %i_an : !A, tile<i32> -> !A
      %w_an, %k_an = load_ptr_tko weak %q_an : !A -> tile<i64>, token
      %o_as = constant <i32: 3> : tile<i32>
      %i_as = addi %at, %o_as : tile<i32>
      %q_as = offset %as, %i_as : !A, tile<i32> -> !A
      %w_as, %k_as = load_ptr_tko weak %q_as : !A -> tile<i64>, token
      %p_a = int_to_ptr %w_ap : tile<i64> -> !P
      %t_am = trunci %w_am : tile<i64> -> tile<i32>
      %a_m = assume bounded<0, ?>, %t_am : tile<i32>
      %t_an = trunci %w_an : tile<i64> -> tile<i32>
      %a_n = assume bounded<0, ?>, %t_an : tile<i32>
      %t_as = trunci %w_as : tile<i64> -> tile<i32>
      %a_s = assume bounded<0, ?>, %t_as : tile<i32>
      %d_a = assume div_by<16>, %p_a : !P
      %e_a = assume div_by<8>, %a_s : tile<i32>
      %v_a = make_tensor_view %d_a, shape = [%a_m, %a_n], strides = [%e_a, 1] : tile<i32> -> !M
      %a = make_partition_view %v_a : !W
      %o_bp = constant <i32: 0> : tile<i32>
      %i_bp = addi %at, %o_bp : tile<i32>
      %q_bp = offset %bs, %i_bp : !A, tile<i32> -> !A
      %w_bp, %k_bp = load_ptr_tko weak %q_bp : !A -> tile<i64>, token
      %o_bm = constant <i32: 1> : tile<i32>
      %i_bm = addi %at, %o_bm : tile<i32>
      %q_bm = offset %bs, %i_bm : !A, tile<i32> -> !A
      %w_bm, %k_bm = load_ptr_tko weak %q_bm : !A -> tile<i64>, token
      %o_bn = constant <i32: 2> : tile<i32>
      %i_bn = addi %at, %o_bn : tile<i32>
      %q_bn = offset %bs, %i_bn : !A, tile<i32> -> !A
      %w_bn, %k_bn = load_ptr_tko weak %q_bn : !A -> tile<i64>, token
      %o_bs = constant <i32: 3> : tile<i32>
      %i_bs = addi %at, %o_bs : tile<i32>
      %q_bs = offset %bs, %i_bs : !A, tile<i32> -> !A
      %w_bs, %k_bs = load_ptr_tko weak %q_bs : !A -> tile<i64>, token
      %p_b = int_to_ptr %w_bp : tile<i64> -> !P
      %t_bm = trunci %w_bm : tile<i64> -> tile<i32>
      %b_m = assume bounded<0, ?>, %t_bm : tile<i32>
      %t_bn = trunci %w_bn : tile<i64> -> tile<i32>
      %b_n = assume bounded<0, ?>, %t_bn : tile<i32>
      %t_bs = trunci %w_bs : tile<i64> -> tile<i32>
      %b_s = assume bounded<0, ?>, %t_bs : tile<i32>
      %d_b = assume div_by<16>, %p_b : !P
      %e_b = assume div_by<8>, %b_s : tile<i32>
      %v_b = make_tensor_view %d_b, shape = [%b_m, %b_n], strides = [%e_b, 1] : tile<i32> -> !M
      %b = make_partition_view %v_b : !W
      %o_cp = constant <i32: 0> : tile<i32>
      %i_cp = addi %at, %o_cp : tile<i32>
      %q_cp = offset %cs, %i_cp : !A, tile<i32> -> !A
      %w_cp, %k_cp = load_ptr_tko weak %q_cp : !A -> tile<i64>, token
      %o_cm = constant <i32: 1> : tile<i32>
      %i_cm = addi %at, %o_cm : tile<i32>
      %q_cm = offset %cs, %i_cm : !A, tile<i32> -> !A
      %w_cm, %k_cm = load_ptr_tko weak %q_cm : !A -> tile<i64>, token
      %o_cn = constant <i32: 2> : tile<i32>
      %i_cn = addi %at, %o_cn : tile<i32>
      %q_cn = offset %cs, %i_cn : !A, tile<i32> -> !A
      %w_cn, %k_cn = load_ptr_tko weak %q_cn : !A -> tile<i64>, token
      %o_cs = constant <i32: 3> : tile<i32>
      %i_cs = addi %at, %o_cs : tile<i32>
      %q_cs = offset %cs, %i_cs : !A, tile<i32> -> !A
      %w_cs, %k_cs = load_ptr_tko weak %q_cs : !A -> tile<i64>, token
      %p_c = int_to_ptr %w_cp : tile<i64> -> !P
      %t_cm = trunci %w_cm : tile<i64> -> tile<i32>
      %c_m = assume bounded<0, ?>, %t_cm : tile<i32>
      %t_cn = trunci %w_cn : tile<i64> -> tile<i32>
      %c_n = assume bounded<0, ?>, %t_cn : tile<i32>
      %t_cs = trunci %w_cs : tile<i64> -> tile<i32>
      %c_s = assume bounded<0, ?>, %t_cs : tile<i32>
      %d_c = assume div_by<16>, %p_c : !P
      %e_c = assume div_by<8>, %c_s : tile<i32>
      %v_c = make_tensor_view %d_c, shape = [%c_m, %c_n], strides = [%e_c, 1] : tile<i32> -> !M
      %c = make_partition_view %v_c : !W
      %rows, %steps = get_index_space_shape %a : !W -> tile<i32>
      %deep, %columns = get_index_space_shape %b : !W -> tile<i32>
      %tiles = muli %rows, %columns : tile<i32>
      %stop = addi %begin, %tiles : tile<i32>
      %rest = loop iter_values(%t = %tile) : tile<i32> -> tile<i32> {
        %isOver = cmpi greater_than_or_equal %t, %stop, signed : tile<i32> -> tile<i1>
        if %isOver {
          break %t : tile<i32>
        }
        %u = subi %t, %begin : tile<i32>
        %i = divi %u, %columns signed rounding<negative_inf> : tile<i32>
        %j = remi %u, %columns signed : tile<i32>
        %none = constant <f32: 0.0> : tile<64x64xf32>
        %sum = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %none) -> (tile<64x64xf32>) {
          %at2, %atk = load_view_tko weak %a[%i, %l] : !W, tile<i32> -> !cuda_tile.tile<64x64x!T>, token
          %bt, %btk = load_view_tko weak %b[%l, %j] : !W, tile<i32> -> !cuda_tile.tile<64x64x!T>, token
          %d = mmaf %at2, %bt, %s : !cuda_tile.tile<64x64x!T>, !cuda_tile.tile<64x64x!T>, tile<64x64xf32>
          continue %d : tile<64x64xf32>
        }
        %r = ftof %sum : tile<64x64xf32> -> !cuda_tile.tile<64x64x!T>
        %ck = store_view_tko weak %r, %c[%i, %j] : !cuda_tile.tile<64x64x!T>, !W, tile<i32> -> token
        %next = addi %t, %blocks : tile<i32>
        continue %next : tile<i32>
      }
      continue %rest, %stop : tile<i32>, tile<i32>
    }
  }

  // Rows first[g] to first[g + 1] - 1 of x by the matrix of group g, which a block of the group multiplies.
// CASE @ragged grid=3x2 K=136: 150x136xT=random:1 3x136x72xT=random:2 4xi32=0,70,70,150 i32=136 i32=72 out0 -> 150x72xT
  entry @ragged(%x: !P, %w: !P, %first: !cuda_tile.tile<!cuda_tile.ptr<i32>>, %k: tile<i32>, %n: tile<i32>, %y: !P) {
    %g, %j, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %k8 = assume div_by<8>, %k : tile<i32>
    %n8 = assume div_by<8>, %n : tile<i32>
    %q0 = offset %first, %g : !cuda_tile.tile<!cuda_tile.ptr<i32>>, tile<i32> -> !cuda_tile.tile<!cuda_tile.ptr<i32>>
    %begin, %t0 = load_ptr_tko weak %q0 : !cuda_tile.tile<!cuda_tile.ptr<i32>> -> tile<i32>, token
    %g1 = addi %g, %one : tile<i32>
    %q1 = offset %first, %g1 : !cuda_tile.tile<!cuda_tile.ptr<i32>>, tile<i32> -> !cuda_tile.tile<!cuda_tile.ptr<i32>>
    %end, %t1 = load_ptr_tko weak %q1 : !cuda_tile.tile<!cuda_tile.ptr<i32>> -> tile<i32>, token
    %rows = subi %end, %begin : tile<i32>
    %ox = muli %begin, %k8 : tile<i32>
    %px = offset %x, %ox : !P, tile<i32> -> !P
    %ax = assume div_by<16>, %px : !P
    %size = muli %k8, %n8 : tile<i32>
    %ow = muli %g, %size : tile<i32>
    %pw = offset %w, %ow : !P, tile<i32> -> !P
    %aw = assume div_by<16>, %pw : !P
    %oy = muli %begin, %n8 : tile<i32>
    %py = offset %y, %oy : !P, tile<i32> -> !P
    %vx = make_tensor_view %ax, shape = [%rows, %k8], strides = [%k8, 1] : tile<i32> -> !M
    %tx = make_partition_view %vx : !W
    %vw = make_tensor_view %aw, shape = [%k8, %n8], strides = [%n8, 1] : tile<i32> -> !M
    %tw = make_partition_view %vw : !W
    %vy = make_tensor_view %py, shape = [%rows, %n8], strides = [%n8, 1] : tile<i32> -> !M
    %ty = make_partition_view %vy : !W
    %tiles, %steps = get_index_space_shape %tx : !W -> tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    for %i in (%zero to %tiles, step %one) : tile<i32> {
      %sum = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %none) -> (tile<64x64xf32>) {
        %xt, %kx = load_view_tko weak %tx[%i, %l] : !W, tile<i32> -> !cuda_tile.tile<64x64x!T>, token
        %wt, %kw = load_view_tko weak %tw[%l, %j] : !W, tile<i32> -> !cuda_tile.tile<64x64x!T>, token
        %d = mmaf %xt, %wt, %s : !cuda_tile.tile<64x64x!T>, !cuda_tile.tile<64x64x!T>, tile<64x64xf32>
        continue %d : tile<64x64xf32>
      }
      %r = ftof %sum : tile<64x64xf32> -> !cuda_tile.tile<64x64x!T>
      %ky = store_view_tko weak %r, %ty[%i, %j] : !cuda_tile.tile<64x64x!T>, !W, tile<i32> -> token
    }
  }
}
