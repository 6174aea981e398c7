// Products whose operands are determined at run time: groups by addresses in memory, experts selected per row.
// TYPES: bf16 f16
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!A = !cuda_tile.tile<!cuda_tile.ptr<i64>>

cuda_tile.module @chosen {
  // Two products of different sizes. A list has, for each, the addresses of a [m, k], b [k, n] and c [m, n] and the sizes.
  // Each block writes the list itself, in place of the launch, and looks up its product and tile there.
// CASE @grouped grid=6 K=37: 19x37xT=random:1 37x21xT=random:2 out0 33x20xT=random:3 20x9xT=random:4 out1 -> 19x21xT 33x9xT
  entry @grouped(%a0: !P, %b0: !P, %c0: !P, %a1: !P, %b1: !P, %c1: !P) {
    %x, %yy, %zz = get_tile_block_id : tile<i32>
    %list = alloca num_elem = 16, alignment = 16 : !A
    %n = iota : tile<16xi32>
    %l1 = reshape %list : !A -> tile<1xptr<i64>>
    %l16 = broadcast %l1 : tile<1xptr<i64>> -> tile<16xptr<i64>>
    %slots = offset %l16, %n : tile<16xptr<i64>>, tile<16xi32> -> tile<16xptr<i64>>
    %words0 = constant <i64: [0, 0, 0, 19, 21, 37, 0, 0, 0, 0, 0, 33, 9, 20, 0, 0]> : tile<16xi64>
    %at_a0 = constant <i32: 0> : tile<16xi32>
    %is_a0 = cmpi equal %n, %at_a0, signed : tile<16xi32> -> tile<16xi1>
    %int_a0 = ptr_to_int %a0 : !P -> tile<i64>
    %one_a0 = reshape %int_a0 : tile<i64> -> tile<1xi64>
    %all_a0 = broadcast %one_a0 : tile<1xi64> -> tile<16xi64>
    %words_a0 = select %is_a0, %all_a0, %words0 : tile<16xi1>, tile<16xi64>
    %at_b0 = constant <i32: 1> : tile<16xi32>
    %is_b0 = cmpi equal %n, %at_b0, signed : tile<16xi32> -> tile<16xi1>
    %int_b0 = ptr_to_int %b0 : !P -> tile<i64>
    %one_b0 = reshape %int_b0 : tile<i64> -> tile<1xi64>
    %all_b0 = broadcast %one_b0 : tile<1xi64> -> tile<16xi64>
    %words_b0 = select %is_b0, %all_b0, %words_a0 : tile<16xi1>, tile<16xi64>
    %at_c0 = constant <i32: 2> : tile<16xi32>
    %is_c0 = cmpi equal %n, %at_c0, signed : tile<16xi32> -> tile<16xi1>
    %int_c0 = ptr_to_int %c0 : !P -> tile<i64>
    %one_c0 = reshape %int_c0 : tile<i64> -> tile<1xi64>
    %all_c0 = broadcast %one_c0 : tile<1xi64> -> tile<16xi64>
    %words_c0 = select %is_c0, %all_c0, %words_b0 : tile<16xi1>, tile<16xi64>
    %at_a1 = constant <i32: 8> : tile<16xi32>
    %is_a1 = cmpi equal %n, %at_a1, signed : tile<16xi32> -> tile<16xi1>
    %int_a1 = ptr_to_int %a1 : !P -> tile<i64>
    %one_a1 = reshape %int_a1 : tile<i64> -> tile<1xi64>
    %all_a1 = broadcast %one_a1 : tile<1xi64> -> tile<16xi64>
    %words_a1 = select %is_a1, %all_a1, %words_c0 : tile<16xi1>, tile<16xi64>
    %at_b1 = constant <i32: 9> : tile<16xi32>
    %is_b1 = cmpi equal %n, %at_b1, signed : tile<16xi32> -> tile<16xi1>
    %int_b1 = ptr_to_int %b1 : !P -> tile<i64>
    %one_b1 = reshape %int_b1 : tile<i64> -> tile<1xi64>
    %all_b1 = broadcast %one_b1 : tile<1xi64> -> tile<16xi64>
    %words_b1 = select %is_b1, %all_b1, %words_a1 : tile<16xi1>, tile<16xi64>
    %at_c1 = constant <i32: 10> : tile<16xi32>
    %is_c1 = cmpi equal %n, %at_c1, signed : tile<16xi32> -> tile<16xi1>
    %int_c1 = ptr_to_int %c1 : !P -> tile<i64>
    %one_c1 = reshape %int_c1 : tile<i64> -> tile<1xi64>
    %all_c1 = broadcast %one_c1 : tile<1xi64> -> tile<16xi64>
    %words_c1 = select %is_c1, %all_c1, %words_b1 : tile<16xi1>, tile<16xi64>
    %k0 = store_ptr_tko weak %slots, %words_c1 : tile<16xptr<i64>>, tile<16xi64> -> token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %eight = constant <i32: 8> : tile<i32>
    %blocks, %by, %bz = get_num_tile_blocks : tile<i32>
    %first = addi %x, %zero : tile<i32>
    %last = for %g in (%zero to %two, step %one) : tile<i32> iter_values(%tile = %first) -> (tile<i32>) {
      %base = muli %g, %eight : tile<i32>
      %o_a = constant <i32: 0> : tile<i32>
      %s_a = addi %base, %o_a : tile<i32>
      %q_a = offset %list, %s_a : !A, tile<i32> -> !A
      %w_a, %wk_a = load_ptr_tko weak %q_a token=%k0 : !A -> tile<i64>, token
      %p_a = int_to_ptr %w_a : tile<i64> -> !P
      %o_b = constant <i32: 1> : tile<i32>
      %s_b = addi %base, %o_b : tile<i32>
      %q_b = offset %list, %s_b : !A, tile<i32> -> !A
      %w_b, %wk_b = load_ptr_tko weak %q_b token=%k0 : !A -> tile<i64>, token
      %p_b = int_to_ptr %w_b : tile<i64> -> !P
      %o_c = constant <i32: 2> : tile<i32>
      %s_c = addi %base, %o_c : tile<i32>
      %q_c = offset %list, %s_c : !A, tile<i32> -> !A
      %w_c, %wk_c = load_ptr_tko weak %q_c token=%k0 : !A -> tile<i64>, token
      %p_c = int_to_ptr %w_c : tile<i64> -> !P
      %o_m = constant <i32: 3> : tile<i32>
      %s_m = addi %base, %o_m : tile<i32>
      %q_m = offset %list, %s_m : !A, tile<i32> -> !A
      %w_m, %wk_m = load_ptr_tko weak %q_m token=%k0 : !A -> tile<i64>, token
      %d_m = trunci %w_m : tile<i64> -> tile<i32>
      %o_n = constant <i32: 4> : tile<i32>
      %s_n = addi %base, %o_n : tile<i32>
      %q_n = offset %list, %s_n : !A, tile<i32> -> !A
      %w_n, %wk_n = load_ptr_tko weak %q_n token=%k0 : !A -> tile<i64>, token
      %d_n = trunci %w_n : tile<i64> -> tile<i32>
      %o_k = constant <i32: 5> : tile<i32>
      %s_k = addi %base, %o_k : tile<i32>
      %q_k = offset %list, %s_k : !A, tile<i32> -> !A
      %w_k, %wk_k = load_ptr_tko weak %q_k token=%k0 : !A -> tile<i64>, token
      %d_k = trunci %w_k : tile<i64> -> tile<i32>
      %as = make_tensor_view %p_a, shape = [%d_m, %d_k], strides = [%d_k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
      %av = make_partition_view %as : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
      %bs = make_tensor_view %p_b, shape = [%d_k, %d_n], strides = [%d_n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
      %bv = make_partition_view %bs : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
      %cs = make_tensor_view %p_c, shape = [%d_m, %d_n], strides = [%d_n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
      %cv = make_partition_view %cs : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
      %rows, %steps = get_index_space_shape %av : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
      %rows2, %columns = get_index_space_shape %cv : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
      %tiles = muli %rows, %columns : tile<i32>
      %rest = loop iter_values(%t = %tile) : tile<i32> -> tile<i32> {
        %isOver = cmpi greater_than_or_equal %t, %tiles, signed : tile<i32> -> tile<i1>
        if %isOver {
          %left = subi %t, %tiles : tile<i32>
          break %left : tile<i32>
        }
        %i = divi %t, %columns signed rounding<zero> : tile<i32>
        %j = remi %t, %columns signed : tile<i32>
        %none = constant <f32: 0.0> : tile<16x16xf32>
        %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %none) -> (tile<16x16xf32>) {
          %at, %atk = load_view_tko weak %av[%i, %l] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
          %bt, %btk = load_view_tko weak %bv[%l, %j] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
          %d = mmaf %at, %bt, %s : tile<16x16x!T>, tile<16x16x!T>, tile<16x16xf32>
          continue %d : tile<16x16xf32>
        }
        %r = ftof %acc : tile<16x16xf32> -> tile<16x16x!T>
        %ck = store_view_tko weak %r, %cv[%i, %j] : tile<16x16x!T>, !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
        %next = addi %t, %blocks : tile<i32>
        continue %next : tile<i32>
      }
      continue %rest : tile<i32>
    }
  }
  // y[r] = x[ids[r]]·w[expert of the block of r]: groups of 16 rows share an expert and are padded with ids beyond x.
// CASE @experts grid=3x2 K=21: 9x21xT=random:1 3x21x19xT=random:2 48xi32=0,3,5,8,9,9,9,9,9,9,9,9,9,9,9,9,1,2,4,6,7,9,9,9,9,9,9,9,9,9,9,9,8,7,6,5,4,3,2,1,0,9,9,9,9,9,9,9 3xi32=2,0,1 out0 i32=9 i32=21 i32=19 i32=48 -> 48x19xT
  entry @experts(%x: !P, %w: !P, %ids: tile<ptr<i32>>, %expert: tile<ptr<i32>>, %y: !P, %m: tile<i32>, %k: tile<i32>, %n: tile<i32>, %r: tile<i32>) {
    %bi, %bj, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sixteen = constant <i32: 16> : tile<i32>
    %is = make_tensor_view %ids, shape = [%r], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %iv = make_partition_view %is : partition_view<tile=(16), tensor_view<?xi32, strides=[1]>>
    %rows, %rk = load_view_tko weak %iv[%bi] : partition_view<tile=(16), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
    %ep = offset %expert, %bi : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %e, %ek = load_ptr_tko weak %ep : tile<ptr<i32>> -> tile<i32>, token
    %kn = muli %k, %n : tile<i32>
    %far = muli %e, %kn : tile<i32>
    %we = offset %w, %far : !P, tile<i32> -> !P
    %xs = make_tensor_view %x, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %xv = make_gather_scatter_view %xs : !cuda_tile.gather_scatter_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>, sparse_dim=0>
    %ws = make_tensor_view %we, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %wv = make_partition_view %ws : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %ys = make_tensor_view %y, shape = [%r, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
    %yv = make_partition_view %ys : !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
    %steps, %columns = get_index_space_shape %wv : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>> -> tile<i32>
    %none = constant <f32: 0.0> : tile<16x16xf32>
    %acc = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %none) -> (tile<16x16xf32>) {
      %at = muli %l, %sixteen : tile<i32>
      %xt, %xk = load_view_tko weak %xv[%rows, %at] : !cuda_tile.gather_scatter_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x16x!T>, token
      %wt, %wk = load_view_tko weak %wv[%l, %bj] : !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> tile<16x16x!T>, token
      %d = mmaf %xt, %wt, %s : tile<16x16x!T>, tile<16x16x!T>, tile<16x16xf32>
      continue %d : tile<16x16xf32>
    }
    %out = ftof %acc : tile<16x16xf32> -> tile<16x16x!T>
    %ck = store_view_tko weak %out, %yv[%bi, %bj] : tile<16x16x!T>, !cuda_tile.partition_view<tile=(16x16), !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>, tile<i32> -> token
  }
}
