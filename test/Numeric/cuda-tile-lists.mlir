// Operands at addresses in memory: lists of arrays as cuTile passes them (address, sizes, strides of each; length), and
// tables of addresses.
// TYPES: bf16 f16
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!A = !cuda_tile.tile<!cuda_tile.ptr<i64>>
!M = !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
!W = !cuda_tile.partition_view<tile=(16x16), padding_value = zero, !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>>
!V = !cuda_tile.tensor_view<?x!T, strides=[1]>
!X = !cuda_tile.partition_view<tile=(64), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>

cuda_tile.module @lists {
  // Products of different sizes, one after the other; each block takes every third tile.
// CASE @grouped grid=3 K=37: list:3 19x37xT=random:1 5x1xT=random:3 33x20xT=random:5 list:3 37x21xT=random:2 1x6xT=random:4 20x9xT=random:6 list:3 out0 out1 out2 -> 19x21xT 5x6xT 33x9xT
// CASE @grouped grid=1: list:1 2x2xT=1,2,3,4 list:1 2x1xT=10,1 list:1 out0 -> 2x1xT=12,34
// CASE @grouped grid=2 K=16: list:1 16x16xT=random:1 list:1 16x16xT=random:2 list:1 out0 -> 16x16xT
// CASE @grouped grid=2: list:0 list:0 list:0 -> 1xi32
  entry @grouped(%as: !A, %count: tile<i32>, %bs: !A, %countB: tile<i32>, %cs: !A, %countC: tile<i32>) {
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
      %v_a = make_tensor_view %p_a, shape = [%a_m, %a_n], strides = [%a_s, 1] : tile<i32> -> !M
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
      %v_b = make_tensor_view %p_b, shape = [%b_m, %b_n], strides = [%b_s, 1] : tile<i32> -> !M
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
      %v_c = make_tensor_view %p_c, shape = [%c_m, %c_n], strides = [%c_s, 1] : tile<i32> -> !M
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
        %none = constant <f32: 0.0> : tile<16x16xf32>
        %sum = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %none) -> (tile<16x16xf32>) {
          %at2, %atk = load_view_tko weak %a[%i, %l] : !W, tile<i32> -> !cuda_tile.tile<16x16x!T>, token
          %bt, %btk = load_view_tko weak %b[%l, %j] : !W, tile<i32> -> !cuda_tile.tile<16x16x!T>, token
          %d = mmaf %at2, %bt, %s : !cuda_tile.tile<16x16x!T>, !cuda_tile.tile<16x16x!T>, tile<16x16xf32>
          continue %d : tile<16x16xf32>
        }
        %r = ftof %sum : tile<16x16xf32> -> !cuda_tile.tile<16x16x!T>
        %ck = store_view_tko weak %r, %c[%i, %j] : !cuda_tile.tile<16x16x!T>, !W, tile<i32> -> token
        %next = addi %t, %blocks : tile<i32>
        continue %next : tile<i32>
      }
      continue %rest, %stop : tile<i32>, tile<i32>
    }
  }
  // Addresses and row pitches that are multiples of 16 bytes.
// CASE @aligned grid=3 K=40: list:2 19x40xT=random:1 33x24xT=random:3 list:2 40x24xT=random:2 24x8xT=random:4 list:2 out0 out1 -> 19x24xT 33x8xT
  entry @aligned(%as: !A, %count: tile<i32>, %bs: !A, %countB: tile<i32>, %cs: !A, %countC: tile<i32>) {
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
        %none = constant <f32: 0.0> : tile<16x16xf32>
        %sum = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %none) -> (tile<16x16xf32>) {
          %at2, %atk = load_view_tko weak %a[%i, %l] : !W, tile<i32> -> !cuda_tile.tile<16x16x!T>, token
          %bt, %btk = load_view_tko weak %b[%l, %j] : !W, tile<i32> -> !cuda_tile.tile<16x16x!T>, token
          %d = mmaf %at2, %bt, %s : !cuda_tile.tile<16x16x!T>, !cuda_tile.tile<16x16x!T>, tile<16x16xf32>
          continue %d : tile<16x16xf32>
        }
        %r = ftof %sum : tile<16x16xf32> -> !cuda_tile.tile<16x16x!T>
        %ck = store_view_tko weak %r, %c[%i, %j] : !cuda_tile.tile<16x16x!T>, !W, tile<i32> -> token
        %next = addi %t, %blocks : tile<i32>
        continue %next : tile<i32>
      }
      continue %rest, %stop : tile<i32>, tile<i32>
    }
  }
  // Rows of any length, padded to multiples of 16 bytes: copies in units of 16 bytes end inside of one. The words of each
  // matrix are its address, rows, columns and pitch.
// CASE @padded grid=2x2 K=37: ptr:list:12 19x40xT=random:1 i64=19 i64=37 i64=40 37x24xT=random:2 i64=37 i64=21 i64=24 out0 i64=19 i64=21 i64=24 -> 19x24xT|0
// CASE @padded grid=1x1 K=5: ptr:list:12 3x8xT=random:1 i64=3 i64=5 i64=8 5x8xT=random:2 i64=5 i64=1 i64=8 out0 i64=3 i64=1 i64=8 -> 3x8xT|0
  entry @padded(%table: !A) {
    %i, %j, %zz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %ata = constant <i32: 0> : tile<i32>
    %o_ap = constant <i32: 0> : tile<i32>
    %i_ap = addi %ata, %o_ap : tile<i32>
    %q_ap = offset %table, %i_ap : !A, tile<i32> -> !A
    %w_ap, %k_ap = load_ptr_tko weak %q_ap : !A -> tile<i64>, token
    %o_am = constant <i32: 1> : tile<i32>
    %i_am = addi %ata, %o_am : tile<i32>
    %q_am = offset %table, %i_am : !A, tile<i32> -> !A
    %w_am, %k_am = load_ptr_tko weak %q_am : !A -> tile<i64>, token
    %o_an = constant <i32: 2> : tile<i32>
    %i_an = addi %ata, %o_an : tile<i32>
    %q_an = offset %table, %i_an : !A, tile<i32> -> !A
    %w_an, %k_an = load_ptr_tko weak %q_an : !A -> tile<i64>, token
    %o_as = constant <i32: 3> : tile<i32>
    %i_as = addi %ata, %o_as : tile<i32>
    %q_as = offset %table, %i_as : !A, tile<i32> -> !A
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
    %atb = constant <i32: 4> : tile<i32>
    %o_bp = constant <i32: 0> : tile<i32>
    %i_bp = addi %atb, %o_bp : tile<i32>
    %q_bp = offset %table, %i_bp : !A, tile<i32> -> !A
    %w_bp, %k_bp = load_ptr_tko weak %q_bp : !A -> tile<i64>, token
    %o_bm = constant <i32: 1> : tile<i32>
    %i_bm = addi %atb, %o_bm : tile<i32>
    %q_bm = offset %table, %i_bm : !A, tile<i32> -> !A
    %w_bm, %k_bm = load_ptr_tko weak %q_bm : !A -> tile<i64>, token
    %o_bn = constant <i32: 2> : tile<i32>
    %i_bn = addi %atb, %o_bn : tile<i32>
    %q_bn = offset %table, %i_bn : !A, tile<i32> -> !A
    %w_bn, %k_bn = load_ptr_tko weak %q_bn : !A -> tile<i64>, token
    %o_bs = constant <i32: 3> : tile<i32>
    %i_bs = addi %atb, %o_bs : tile<i32>
    %q_bs = offset %table, %i_bs : !A, tile<i32> -> !A
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
    %atc = constant <i32: 8> : tile<i32>
    %o_cp = constant <i32: 0> : tile<i32>
    %i_cp = addi %atc, %o_cp : tile<i32>
    %q_cp = offset %table, %i_cp : !A, tile<i32> -> !A
    %w_cp, %k_cp = load_ptr_tko weak %q_cp : !A -> tile<i64>, token
    %o_cm = constant <i32: 1> : tile<i32>
    %i_cm = addi %atc, %o_cm : tile<i32>
    %q_cm = offset %table, %i_cm : !A, tile<i32> -> !A
    %w_cm, %k_cm = load_ptr_tko weak %q_cm : !A -> tile<i64>, token
    %o_cn = constant <i32: 2> : tile<i32>
    %i_cn = addi %atc, %o_cn : tile<i32>
    %q_cn = offset %table, %i_cn : !A, tile<i32> -> !A
    %w_cn, %k_cn = load_ptr_tko weak %q_cn : !A -> tile<i64>, token
    %o_cs = constant <i32: 3> : tile<i32>
    %i_cs = addi %atc, %o_cs : tile<i32>
    %q_cs = offset %table, %i_cs : !A, tile<i32> -> !A
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
    %none = constant <f32: 0.0> : tile<16x16xf32>
    %sum = for %l in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %none) -> (tile<16x16xf32>) {
      %at2, %atk = load_view_tko weak %a[%i, %l] : !W, tile<i32> -> !cuda_tile.tile<16x16x!T>, token
      %bt, %btk = load_view_tko weak %b[%l, %j] : !W, tile<i32> -> !cuda_tile.tile<16x16x!T>, token
      %d = mmaf %at2, %bt, %s : !cuda_tile.tile<16x16x!T>, !cuda_tile.tile<16x16x!T>, tile<16x16xf32>
      continue %d : tile<16x16xf32>
    }
    %r = ftof %sum : tile<16x16xf32> -> !cuda_tile.tile<16x16x!T>
    %ck = store_view_tko weak %r, %c[%i, %j] : !cuda_tile.tile<16x16x!T>, !W, tile<i32> -> token
  }
  // y[g] = x[g] + z[g], of vectors of different lengths.
// CASE @add grid=3x2: list:3 3xT=1,2,3 70xT=1 1xT=5 list:3 3xT=10,20,30 70xT=2 1xT=6 list:3 out0 out1 out2 -> 3xT=11,22,33 70xT=3 1xT=11
  entry @add(%xs: !A, %xn: tile<i32>, %zs: !A, %zn: tile<i32>, %ys: !A, %yn: tile<i32>) {
    %g, %b, %zz = get_tile_block_id : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %at = muli %g, %three : tile<i32>
    %o_xp = constant <i32: 0> : tile<i32>
    %i_xp = addi %at, %o_xp : tile<i32>
    %q_xp = offset %xs, %i_xp : !A, tile<i32> -> !A
    %w_xp, %k_xp = load_ptr_tko weak %q_xp : !A -> tile<i64>, token
    %o_xm = constant <i32: 1> : tile<i32>
    %i_xm = addi %at, %o_xm : tile<i32>
    %q_xm = offset %xs, %i_xm : !A, tile<i32> -> !A
    %w_xm, %k_xm = load_ptr_tko weak %q_xm : !A -> tile<i64>, token
    %p_x = int_to_ptr %w_xp : tile<i64> -> !P
    %v_x = make_tensor_view %p_x, shape = [%w_xm], strides = [1] : tile<i64> -> !V
    %x = make_partition_view %v_x : !X
    %o_zp = constant <i32: 0> : tile<i32>
    %i_zp = addi %at, %o_zp : tile<i32>
    %q_zp = offset %zs, %i_zp : !A, tile<i32> -> !A
    %w_zp, %k_zp = load_ptr_tko weak %q_zp : !A -> tile<i64>, token
    %o_zm = constant <i32: 1> : tile<i32>
    %i_zm = addi %at, %o_zm : tile<i32>
    %q_zm = offset %zs, %i_zm : !A, tile<i32> -> !A
    %w_zm, %k_zm = load_ptr_tko weak %q_zm : !A -> tile<i64>, token
    %p_z = int_to_ptr %w_zp : tile<i64> -> !P
    %v_z = make_tensor_view %p_z, shape = [%w_zm], strides = [1] : tile<i64> -> !V
    %z = make_partition_view %v_z : !X
    %o_yp = constant <i32: 0> : tile<i32>
    %i_yp = addi %at, %o_yp : tile<i32>
    %q_yp = offset %ys, %i_yp : !A, tile<i32> -> !A
    %w_yp, %k_yp = load_ptr_tko weak %q_yp : !A -> tile<i64>, token
    %o_ym = constant <i32: 1> : tile<i32>
    %i_ym = addi %at, %o_ym : tile<i32>
    %q_ym = offset %ys, %i_ym : !A, tile<i32> -> !A
    %w_ym, %k_ym = load_ptr_tko weak %q_ym : !A -> tile<i64>, token
    %p_y = int_to_ptr %w_yp : tile<i64> -> !P
    %v_y = make_tensor_view %p_y, shape = [%w_ym], strides = [1] : tile<i64> -> !V
    %y = make_partition_view %v_y : !X
    %xt, %xk = load_view_tko weak %x[%b] : !X, tile<i32> -> !cuda_tile.tile<64x!T>, token
    %zt, %zk = load_view_tko weak %z[%b] : !X, tile<i32> -> !cuda_tile.tile<64x!T>, token
    %yt = addf %xt, %zt rounding<nearest_even> : !cuda_tile.tile<64x!T>
    %yk = store_view_tko weak %yt, %y[%b] : !cuda_tile.tile<64x!T>, !X, tile<i32> -> token
  }
  // Sums of rows at addresses in a table, and their lengths in another: all addresses of a block are loaded at once.
// CASE @sums grid=1: ptr:list:4 3xT=1,2,3 1xT=5 4xT=1,1,1,1 2xT=-1,1 4xi32=3,1,4,2 out0 -> 4xT=6,5,4,0
// CASE @sums grid=1: ptr:list:4 3xT=1,2,3 1xT=5 4xT=1,1,1,1 2xT=-1,1 4xi32=3,2,4,2 4xT -> error "leaves the memory of 1 elements"
  entry @sums(%rows: !A, %lengths: tile<ptr<i32>>, %y: !P) {
    %n = iota : tile<4xi32>
    %r1 = reshape %rows : !A -> tile<1xptr<i64>>
    %r4 = broadcast %r1 : tile<1xptr<i64>> -> tile<4xptr<i64>>
    %rs = offset %r4, %n : tile<4xptr<i64>>, tile<4xi32> -> tile<4xptr<i64>>
    %addresses, %k0 = load_ptr_tko weak %rs : tile<4xptr<i64>> -> tile<4xi64>, token
    %ps = int_to_ptr %addresses : tile<4xi64> -> !cuda_tile.tile<4x!cuda_tile.ptr<!T>>
    %l1 = reshape %lengths : tile<ptr<i32>> -> tile<1xptr<i32>>
    %l4 = broadcast %l1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %ls = offset %l4, %n : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %length, %k1 = load_ptr_tko weak %ls : tile<4xptr<i32>> -> tile<4xi32>, token
    %pc = reshape %ps : !cuda_tile.tile<4x!cuda_tile.ptr<!T>> -> !cuda_tile.tile<4x1x!cuda_tile.ptr<!T>>
    %pt = broadcast %pc : !cuda_tile.tile<4x1x!cuda_tile.ptr<!T>> -> !cuda_tile.tile<4x4x!cuda_tile.ptr<!T>>
    %nr = reshape %n : tile<4xi32> -> tile<1x4xi32>
    %nt = broadcast %nr : tile<1x4xi32> -> tile<4x4xi32>
    %pe = offset %pt, %nt : !cuda_tile.tile<4x4x!cuda_tile.ptr<!T>>, tile<4x4xi32> -> !cuda_tile.tile<4x4x!cuda_tile.ptr<!T>>
    %lc = reshape %length : tile<4xi32> -> tile<4x1xi32>
    %lt = broadcast %lc : tile<4x1xi32> -> tile<4x4xi32>
    %in = cmpi less_than %nt, %lt, signed : tile<4x4xi32> -> tile<4x4xi1>
    %none = constant <!T: 0.0> : !cuda_tile.tile<4x4x!T>
    %t, %k2 = load_ptr_tko weak %pe, %in, %none : !cuda_tile.tile<4x4x!cuda_tile.ptr<!T>>, tile<4x4xi1>, !cuda_tile.tile<4x4x!T> -> !cuda_tile.tile<4x4x!T>, token
    %sum = reduce %t dim=1 identities=[0.0 : !T] : !cuda_tile.tile<4x4x!T> -> !cuda_tile.tile<4x!T> (%e: !cuda_tile.tile<!T>, %acc: !cuda_tile.tile<!T>) {
      %s = addf %e, %acc rounding<nearest_even> : !cuda_tile.tile<!T>
      yield %s : !cuda_tile.tile<!T>
    }
    %y1 = reshape %y : !P -> !cuda_tile.tile<1x!cuda_tile.ptr<!T>>
    %y4 = broadcast %y1 : !cuda_tile.tile<1x!cuda_tile.ptr<!T>> -> !cuda_tile.tile<4x!cuda_tile.ptr<!T>>
    %ys = offset %y4, %n : !cuda_tile.tile<4x!cuda_tile.ptr<!T>>, tile<4xi32> -> !cuda_tile.tile<4x!cuda_tile.ptr<!T>>
    %k3 = store_ptr_tko weak %ys, %sum : !cuda_tile.tile<4x!cuda_tile.ptr<!T>>, !cuda_tile.tile<4x!T> -> token
  }
}
