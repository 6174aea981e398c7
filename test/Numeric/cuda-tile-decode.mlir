// Attention of one token in CUDA Tile IR: keys in parts, in pages, in a window.
// TYPES: f32

cuda_tile.module @decode {
  // Attention of one token, its keys divided among the blocks of y: parts and their sums. Two query heads share the keys.
// CASE @split_keys grid=2x2 K=16: 2x2x4xf32=-0.875,-0.25,-0.75,-0.25,0.75,-0.375,-0.625,0.25,-0.875,-0.625,-1,-0.5,-0.625,0.375,-1,-0.75 2x11x4xf32=-0.25,0.5,-0.5,0.125,0.375,0.375,0.875,-0.625,-0.625,0.875,0.75,0.875,0.875,0.125,-0.75,-0.5,-0.625,0.25,0.125,0.875,-0.375,1,-1,-0.25,1,0.375,-0.5,-1,1,0.125,-0.75,0.125,1,0.375,-0.375,0.375,-0.125,1,0.25,-0.125,-0.25,-0.125,0.5,-0.125,-0.25,1,0.875,0.375,-1,-1,0.125,0.875,0.125,-0.25,0.375,0.75,0.375,0.375,-0.75,-0.125,-0.625,-0.125,0.875,-0.25,0.25,-0.25,0.875,-1,0.875,0.375,-0.75,-0.625,0.5,-0.25,0.875,-0.375,0.625,0.25,-0.75,0.5,0.75,0.5,-0.75,-0.375,-0.375,-0.5,-1,-0.5 2x11x4xf32=0.75,-0.5,0.875,0.375,-0.5,-0.5,-1,-1,-0.625,1,-0.5,0.625,-0.25,-0.25,-1,0.125,-0.25,0.125,1,-0.125,0.25,0.125,0.625,-0.5,-0.875,0.375,0.75,1,0.625,1,-0.5,-0.5,1,1,-1,0.75,-0.375,-1,-0.5,-0.375,-0.5,0.875,-0.625,-0.875,0.25,1,1,0.875,-0.625,-0.875,-0.125,-0.25,0.125,-0.875,-0.625,1,0.75,-1,-0.75,0.75,0.25,1,1,-0.25,0.125,0.75,1,0.875,1,-0.125,1,0.125,-0.25,0.75,-0.5,0.625,-0.625,0.5,0.75,0.25,-0.75,-0.125,0.625,-0.75,-0.25,0.125,-0.625,-0.5 out0 out1 out2 i32=2 i32=11 -> 2x2x2x4xf32 2x2x2xf32 2x2x2xf32
  entry @split_keys(%q: tile<ptr<!T>>, %k: tile<ptr<!T>>, %v: tile<ptr<!T>>, %o: tile<ptr<!T>>, %mx: tile<ptr<!T>>, %sm: tile<ptr<!T>>, %h: tile<i32>, %t: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_v = make_tensor_view %q, shape = [%h, 2, 4], strides = [8, 4, 1] : tile<i32> -> tensor_view<?x2x4x!T, strides=[8, 4, 1]>
    %q_t = make_partition_view %q_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x2x4x!T, strides=[8, 4, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x, %k1 = load_view_tko weak %q_t[%bx, %c, %c] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x2x4x!T, strides=[8, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
    %r = reshape %x : tile<1x2x4x!T> -> tile<2x4x!T>
    %c1 = constant <i32: 4> : tile<i32>
    %v1 = muli %t, %c1 : tile<i32>
    %k_v = make_tensor_view %k, shape = [%h, %t, 4], strides = [%v1, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %k_t = make_partition_view %k_v : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %v2 = muli %t, %c1 : tile<i32>
    %v_v = make_tensor_view %v, shape = [%h, %t, 4], strides = [%v2, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %v_t = make_partition_view %v_v : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %n, %n1, %n2 = get_index_space_shape %k_t : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>> -> tile<i32>
    %c2 = constant <i32: 1> : tile<i32>
    %v3 = addi %n1, %c2 : tile<i32>
    %c3 = constant <i32: 2> : tile<i32>
    %v4 = divi %v3, %c3 signed : tile<i32>
    %v5 = muli %by, %v4 : tile<i32>
    %v6 = addi %v5, %v4 : tile<i32>
    %v7 = mini %v6, %n1 signed : tile<i32>
    %c4 = constant <f32: -1.0e+30> : tile<2xf32>
    %c5 = constant <f32: 0.0> : tile<2xf32>
    %c6 = constant <f32: 0.0> : tile<2x4xf32>
    %l, %l1, %l2 = for %i in (%v5 to %v7, step %c2) : tile<i32> iter_values(%it = %c4, %it1 = %c5, %it2 = %c6) -> (tile<2xf32>, tile<2xf32>, tile<2x4xf32>) {
      %x1, %k2 = load_view_tko weak %k_t[%bx, %i, %c] : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x4x4x!T>, token
      %r1 = reshape %x1 : tile<1x4x4x!T> -> tile<4x4x!T>
      %x2, %k3 = load_view_tko weak %v_t[%bx, %i, %c] : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x4x4x!T>, token
      %r2 = reshape %x2 : tile<1x4x4x!T> -> tile<4x4x!T>
      %io = iota : tile<4xi32>
      %v8 = muli %i, %c1 : tile<i32>
      %r3 = reshape %v8 : tile<i32> -> tile<1xi32>
      %b = broadcast %r3 : tile<1xi32> -> tile<4xi32>
      %v9 = addi %io, %b : tile<4xi32>
      %r4 = reshape %t : tile<i32> -> tile<1xi32>
      %b1 = broadcast %r4 : tile<1xi32> -> tile<4xi32>
      %p = cmpi less_than %v9, %b1, signed : tile<4xi32> -> tile<4xi1>
      %t1 = permute %r1 [1, 0] : tile<4x4x!T> -> tile<4x4x!T>
      %d = mmaf %r, %t1, %c6 : tile<2x4x!T>, tile<4x4x!T>, tile<2x4xf32>
      %c7 = constant <f32: 0.5> : tile<2x4xf32>
      %v10 = mulf %d, %c7 : tile<2x4xf32>
      %r5 = reshape %p : tile<4xi1> -> tile<1x4xi1>
      %c8 = constant <f32: -1.0e+30> : tile<2x4xf32>
      %b2 = broadcast %r5 : tile<1x4xi1> -> tile<2x4xi1>
      %w = select %b2, %v10, %c8 : tile<2x4xi1>, tile<2x4xf32>
      %s = reduce %w dim=1 identities=[0xFF800000 : f32] : tile<2x4xf32> -> tile<2xf32> (%acc: tile<f32>, %el: tile<f32>) {
        %u = maxf %acc, %el : tile<f32>
        yield %u : tile<f32>
      }
      %v11 = maxf %it, %s : tile<2xf32>
      %r6 = reshape %p : tile<4xi1> -> tile<1x4xi1>
      %r7 = reshape %v11 : tile<2xf32> -> tile<2x1xf32>
      %b3 = broadcast %r7 : tile<2x1xf32> -> tile<2x4xf32>
      %v12 = subf %w, %b3 : tile<2x4xf32>
      %v13 = exp %v12 : tile<2x4xf32>
      %b4 = broadcast %r6 : tile<1x4xi1> -> tile<2x4xi1>
      %w1 = select %b4, %v13, %c6 : tile<2x4xi1>, tile<2x4xf32>
      %v14 = subf %it, %v11 : tile<2xf32>
      %v15 = exp %v14 : tile<2xf32>
      %v16 = mulf %it1, %v15 : tile<2xf32>
      %s1 = reduce %w1 dim=1 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32> (%acc1: tile<f32>, %el1: tile<f32>) {
        %u1 = addf %acc1, %el1 : tile<f32>
        yield %u1 : tile<f32>
      }
      %v17 = addf %v16, %s1 : tile<2xf32>
      %r8 = reshape %v15 : tile<2xf32> -> tile<2x1xf32>
      %b5 = broadcast %r8 : tile<2x1xf32> -> tile<2x4xf32>
      %v18 = mulf %it2, %b5 : tile<2x4xf32>
      %d1 = mmaf %w1, %r2, %v18 : tile<2x4xf32>, tile<4x4x!T>, tile<2x4xf32>
      continue %v11, %v17, %d1 : tile<2xf32>, tile<2xf32>, tile<2x4xf32>
    }
    %c9 = constant <i32: 8> : tile<i32>
    %v19 = muli %h, %c9 : tile<i32>
    %o_v = make_tensor_view %o, shape = [2, %h, 2, 4], strides = [%v19, 8, 4, 1] : tile<i32> -> tensor_view<2x?x2x4x!T, strides=[?, 8, 4, 1]>
    %o_t = make_partition_view %o_v : partition_view<tile=(1x1x2x4), tensor_view<2x?x2x4x!T, strides=[?, 8, 4, 1]>>
    %r9 = reshape %l2 : tile<2x4xf32> -> tile<1x1x2x4xf32>
    %k4 = store_view_tko weak %r9, %o_t[%by, %bx, %c, %c] : tile<1x1x2x4xf32>, partition_view<tile=(1x1x2x4), tensor_view<2x?x2x4x!T, strides=[?, 8, 4, 1]>>, tile<i32> -> token
    %v20 = muli %h, %c3 : tile<i32>
    %mx_v = make_tensor_view %mx, shape = [2, %h, 2], strides = [%v20, 2, 1] : tile<i32> -> tensor_view<2x?x2x!T, strides=[?, 2, 1]>
    %mx_t = make_partition_view %mx_v : partition_view<tile=(1x1x2), tensor_view<2x?x2x!T, strides=[?, 2, 1]>>
    %r10 = reshape %l : tile<2xf32> -> tile<1x1x2xf32>
    %k5 = store_view_tko weak %r10, %mx_t[%by, %bx, %c] : tile<1x1x2xf32>, partition_view<tile=(1x1x2), tensor_view<2x?x2x!T, strides=[?, 2, 1]>>, tile<i32> -> token
    %v21 = muli %h, %c3 : tile<i32>
    %sm_v = make_tensor_view %sm, shape = [2, %h, 2], strides = [%v21, 2, 1] : tile<i32> -> tensor_view<2x?x2x!T, strides=[?, 2, 1]>
    %sm_t = make_partition_view %sm_v : partition_view<tile=(1x1x2), tensor_view<2x?x2x!T, strides=[?, 2, 1]>>
    %r11 = reshape %l1 : tile<2xf32> -> tile<1x1x2xf32>
    %k6 = store_view_tko weak %r11, %sm_t[%by, %bx, %c] : tile<1x1x2xf32>, partition_view<tile=(1x1x2), tensor_view<2x?x2x!T, strides=[?, 2, 1]>>, tile<i32> -> token
  }
  // Combines the parts.
// CASE @combine_keys grid=2 K=16: 2x2x2x4xf32=-0.1396484375,0.7041015625,0.8935546875,-0.0234375,-0.251953125,1.0361328125,-0.140625,0.0517578125,0.7958984375,-0.49609375,0.912109375,1.599609375,1.685546875,-0.1103515625,1.369140625,2.12890625,-0.1298828125,0.6806640625,-1.7861328125,-0.681640625,0.5849609375,0.9794921875,-1.5322265625,0.1513671875,-0.755859375,0.2529296875,-0.123046875,-0.69921875,-1.10546875,0.291015625,0.205078125,-0.908203125 2x2x2xf32=0.4453125,0.6015625,0.46875,0.40625,-0.046875,0.46875,0.9453125,0.7109375 2x2x2xf32=5.0869140625,4.8935546875,4.5712890625,4.8671875,2.6123046875,1.9423828125,1.7333984375,2.2255859375 out0 i32=2 -> 2x2x4xf32=-0.03277248515602046,0.16759715407957052,-0.029666788108618163,-0.06584833735246962,0.03946640931661252,0.2871854556724173,-0.22478102168728134,0.02794801878634651,-0.05723700734635602,-0.012052629494104697,0.09696334195562294,0.0643078912493611,0.023626683565556184,0.036056443616490484,0.20889754801093277,0.11377804547846965
  entry @combine_keys(%o: tile<ptr<!T>>, %mx: tile<ptr<!T>>, %sm: tile<ptr<!T>>, %y: tile<ptr<!T>>, %h: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c = constant <i32: 2> : tile<i32>
    %v = muli %h, %c : tile<i32>
    %mx_v = make_tensor_view %mx, shape = [2, %h, 2], strides = [%v, 2, 1] : tile<i32> -> tensor_view<2x?x2x!T, strides=[?, 2, 1]>
    %mx_t = make_partition_view %mx_v : partition_view<tile=(2x1x2), padding_value = zero, tensor_view<2x?x2x!T, strides=[?, 2, 1]>>
    %c1 = constant <i32: 0> : tile<i32>
    %x, %k = load_view_tko weak %mx_t[%c1, %bx, %c1] : partition_view<tile=(2x1x2), padding_value = zero, tensor_view<2x?x2x!T, strides=[?, 2, 1]>>, tile<i32> -> tile<2x1x2x!T>, token
    %r = reshape %x : tile<2x1x2x!T> -> tile<2x2x!T>
    %v1 = muli %h, %c : tile<i32>
    %sm_v = make_tensor_view %sm, shape = [2, %h, 2], strides = [%v1, 2, 1] : tile<i32> -> tensor_view<2x?x2x!T, strides=[?, 2, 1]>
    %sm_t = make_partition_view %sm_v : partition_view<tile=(2x1x2), padding_value = zero, tensor_view<2x?x2x!T, strides=[?, 2, 1]>>
    %x1, %k1 = load_view_tko weak %sm_t[%c1, %bx, %c1] : partition_view<tile=(2x1x2), padding_value = zero, tensor_view<2x?x2x!T, strides=[?, 2, 1]>>, tile<i32> -> tile<2x1x2x!T>, token
    %r1 = reshape %x1 : tile<2x1x2x!T> -> tile<2x2x!T>
    %c2 = constant <i32: 8> : tile<i32>
    %v2 = muli %h, %c2 : tile<i32>
    %o_v = make_tensor_view %o, shape = [2, %h, 2, 4], strides = [%v2, 8, 4, 1] : tile<i32> -> tensor_view<2x?x2x4x!T, strides=[?, 8, 4, 1]>
    %o_t = make_partition_view %o_v : partition_view<tile=(2x1x2x4), padding_value = zero, tensor_view<2x?x2x4x!T, strides=[?, 8, 4, 1]>>
    %x2, %k2 = load_view_tko weak %o_t[%c1, %bx, %c1, %c1] : partition_view<tile=(2x1x2x4), padding_value = zero, tensor_view<2x?x2x4x!T, strides=[?, 8, 4, 1]>>, tile<i32> -> tile<2x1x2x4x!T>, token
    %r2 = reshape %x2 : tile<2x1x2x4x!T> -> tile<2x2x4x!T>
    %s = reduce %r dim=0 identities=[0xFF800000 : !T] : tile<2x2x!T> -> tile<2x!T> (%acc: tile<!T>, %el: tile<!T>) {
      %u = maxf %acc, %el : tile<!T>
      yield %u : tile<!T>
    }
    %r3 = reshape %s : tile<2x!T> -> tile<1x2x!T>
    %b = broadcast %r3 : tile<1x2x!T> -> tile<2x2x!T>
    %v3 = subf %r, %b : tile<2x2x!T>
    %v4 = exp %v3 : tile<2x2x!T>
    %v5 = mulf %r1, %v4 : tile<2x2x!T>
    %s1 = reduce %v5 dim=0 identities=[0.0 : !T] : tile<2x2x!T> -> tile<2x!T> (%acc1: tile<!T>, %el1: tile<!T>) {
      %u1 = addf %acc1, %el1 : tile<!T>
      yield %u1 : tile<!T>
    }
    %r4 = reshape %v4 : tile<2x2x!T> -> tile<2x2x1x!T>
    %b1 = broadcast %r4 : tile<2x2x1x!T> -> tile<2x2x4x!T>
    %v6 = mulf %r2, %b1 : tile<2x2x4x!T>
    %s2 = reduce %v6 dim=0 identities=[0.0 : !T] : tile<2x2x4x!T> -> tile<2x4x!T> (%acc2: tile<!T>, %el2: tile<!T>) {
      %u2 = addf %acc2, %el2 : tile<!T>
      yield %u2 : tile<!T>
    }
    %r5 = reshape %s1 : tile<2x!T> -> tile<2x1x!T>
    %b2 = broadcast %r5 : tile<2x1x!T> -> tile<2x4x!T>
    %v7 = divf %s2, %b2 : tile<2x4x!T>
    %y_v = make_tensor_view %y, shape = [%h, 2, 4], strides = [8, 4, 1] : tile<i32> -> tensor_view<?x2x4x!T, strides=[8, 4, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x2x4), tensor_view<?x2x4x!T, strides=[8, 4, 1]>>
    %r6 = reshape %v7 : tile<2x4x!T> -> tile<1x2x4x!T>
    %k3 = store_view_tko weak %r6, %y_t[%bx, %c1, %c1] : tile<1x2x4x!T>, partition_view<tile=(1x2x4), tensor_view<?x2x4x!T, strides=[8, 4, 1]>>, tile<i32> -> token
  }
  // The same with keys and values in pages, which a table names; the first `t` count.
// CASE @paged grid=2 K=16: 2x2x4xf32=-0.875,-0.25,-0.75,-0.25,0.75,-0.375,-0.625,0.25,-0.875,-0.625,-1,-0.5,-0.625,0.375,-1,-0.75 4x2x4x4xf32=-0.625,0.25,0.125,0.875,-0.375,1,-1,-0.25,1,0.375,-0.5,-1,1,0.125,-0.75,0.125,-0.625,-0.125,0.875,-0.25,0.25,-0.25,0.875,-1,0.875,0.375,-0.75,-0.625,0.5,-0.25,0.875,-0.375,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-0.25,0.5,-0.5,0.125,0.375,0.375,0.875,-0.625,-0.625,0.875,0.75,0.875,0.875,0.125,-0.75,-0.5,-0.25,1,0.875,0.375,-1,-1,0.125,0.875,0.125,-0.25,0.375,0.75,0.375,0.375,-0.75,-0.125,1,0.375,-0.375,0.375,-0.125,1,0.25,-0.125,-0.25,-0.125,0.5,-0.125,0,0,0,0,0.625,0.25,-0.75,0.5,0.75,0.5,-0.75,-0.375,-0.375,-0.5,-1,-0.5,0,0,0,0 4x2x4x4xf32=-0.25,0.125,1,-0.125,0.25,0.125,0.625,-0.5,-0.875,0.375,0.75,1,0.625,1,-0.5,-0.5,0.25,1,1,-0.25,0.125,0.75,1,0.875,1,-0.125,1,0.125,-0.25,0.75,-0.5,0.625,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.75,-0.5,0.875,0.375,-0.5,-0.5,-1,-1,-0.625,1,-0.5,0.625,-0.25,-0.25,-1,0.125,0.25,1,1,0.875,-0.625,-0.875,-0.125,-0.25,0.125,-0.875,-0.625,1,0.75,-1,-0.75,0.75,1,1,-1,0.75,-0.375,-1,-0.5,-0.375,-0.5,0.875,-0.625,-0.875,0,0,0,0,-0.625,0.5,0.75,0.25,-0.75,-0.125,0.625,-0.75,-0.25,0.125,-0.625,-0.5,0,0,0,0 3xi32=2,0,3 out0 i32=2 i32=4 i32=11 -> 2x2x4xf32=-0.032734859889008025,0.1675897523795303,-0.029595063298191046,-0.06586341631230598,0.03953989353446949,0.28709941837656755,-0.22484349338627607,0.027921237664286055,-0.05731248912395268,-0.012044652813268305,0.09700635022555901,0.06430813036830371,0.0236800749879946,0.03606501930062442,0.2087886699932166,0.11373964482393167
  entry @paged(%q: tile<ptr<!T>>, %k: tile<ptr<!T>>, %v: tile<ptr<!T>>, %pages: tile<ptr<i32>>, %o: tile<ptr<!T>>, %h: tile<i32>, %p: tile<i32>, %t: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_v = make_tensor_view %q, shape = [%h, 2, 4], strides = [8, 4, 1] : tile<i32> -> tensor_view<?x2x4x!T, strides=[8, 4, 1]>
    %q_t = make_partition_view %q_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x2x4x!T, strides=[8, 4, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x, %k1 = load_view_tko weak %q_t[%bx, %c, %c] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x2x4x!T, strides=[8, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
    %r = reshape %x : tile<1x2x4x!T> -> tile<2x4x!T>
    %c1 = constant <i32: 16> : tile<i32>
    %v1 = muli %h, %c1 : tile<i32>
    %k_v = make_tensor_view %k, shape = [%p, %h, 4, 4], strides = [%v1, 16, 4, 1] : tile<i32> -> tensor_view<?x?x4x4x!T, strides=[?, 16, 4, 1]>
    %k_t = make_partition_view %k_v : partition_view<tile=(1x1x4x4), padding_value = zero, tensor_view<?x?x4x4x!T, strides=[?, 16, 4, 1]>>
    %v2 = muli %h, %c1 : tile<i32>
    %v_v = make_tensor_view %v, shape = [%p, %h, 4, 4], strides = [%v2, 16, 4, 1] : tile<i32> -> tensor_view<?x?x4x4x!T, strides=[?, 16, 4, 1]>
    %v_t = make_partition_view %v_v : partition_view<tile=(1x1x4x4), padding_value = zero, tensor_view<?x?x4x4x!T, strides=[?, 16, 4, 1]>>
    %c2 = constant <i32: 3> : tile<i32>
    %v3 = addi %t, %c2 : tile<i32>
    %c3 = constant <i32: 4> : tile<i32>
    %v4 = divi %v3, %c3 signed : tile<i32>
    %c4 = constant <f32: -1.0e+30> : tile<2xf32>
    %c5 = constant <f32: 0.0> : tile<2xf32>
    %c6 = constant <f32: 0.0> : tile<2x4xf32>
    %c7 = constant <i32: 1> : tile<i32>
    %l, %l1, %l2 = for %i in (%c to %v4, step %c7) : tile<i32> iter_values(%it = %c4, %it1 = %c5, %it2 = %c6) -> (tile<2xf32>, tile<2xf32>, tile<2x4xf32>) {
      %p1 = offset %pages, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %x1, %k2 = load_ptr_tko weak %p1 : tile<ptr<i32>> -> tile<i32>, token
      %x2, %k3 = load_view_tko weak %k_t[%x1, %bx, %c, %c] : partition_view<tile=(1x1x4x4), padding_value = zero, tensor_view<?x?x4x4x!T, strides=[?, 16, 4, 1]>>, tile<i32> -> tile<1x1x4x4x!T>, token
      %r1 = reshape %x2 : tile<1x1x4x4x!T> -> tile<4x4x!T>
      %x3, %k4 = load_view_tko weak %v_t[%x1, %bx, %c, %c] : partition_view<tile=(1x1x4x4), padding_value = zero, tensor_view<?x?x4x4x!T, strides=[?, 16, 4, 1]>>, tile<i32> -> tile<1x1x4x4x!T>, token
      %r2 = reshape %x3 : tile<1x1x4x4x!T> -> tile<4x4x!T>
      %io = iota : tile<4xi32>
      %v5 = muli %i, %c3 : tile<i32>
      %r3 = reshape %v5 : tile<i32> -> tile<1xi32>
      %b = broadcast %r3 : tile<1xi32> -> tile<4xi32>
      %v6 = addi %io, %b : tile<4xi32>
      %r4 = reshape %t : tile<i32> -> tile<1xi32>
      %b1 = broadcast %r4 : tile<1xi32> -> tile<4xi32>
      %p2 = cmpi less_than %v6, %b1, signed : tile<4xi32> -> tile<4xi1>
      %t1 = permute %r1 [1, 0] : tile<4x4x!T> -> tile<4x4x!T>
      %d = mmaf %r, %t1, %c6 : tile<2x4x!T>, tile<4x4x!T>, tile<2x4xf32>
      %c8 = constant <f32: 0.5> : tile<2x4xf32>
      %v7 = mulf %d, %c8 : tile<2x4xf32>
      %r5 = reshape %p2 : tile<4xi1> -> tile<1x4xi1>
      %c9 = constant <f32: -1.0e+30> : tile<2x4xf32>
      %b2 = broadcast %r5 : tile<1x4xi1> -> tile<2x4xi1>
      %w = select %b2, %v7, %c9 : tile<2x4xi1>, tile<2x4xf32>
      %s = reduce %w dim=1 identities=[0xFF800000 : f32] : tile<2x4xf32> -> tile<2xf32> (%acc: tile<f32>, %el: tile<f32>) {
        %u = maxf %acc, %el : tile<f32>
        yield %u : tile<f32>
      }
      %v8 = maxf %it, %s : tile<2xf32>
      %r6 = reshape %p2 : tile<4xi1> -> tile<1x4xi1>
      %r7 = reshape %v8 : tile<2xf32> -> tile<2x1xf32>
      %b3 = broadcast %r7 : tile<2x1xf32> -> tile<2x4xf32>
      %v9 = subf %w, %b3 : tile<2x4xf32>
      %v10 = exp %v9 : tile<2x4xf32>
      %b4 = broadcast %r6 : tile<1x4xi1> -> tile<2x4xi1>
      %w1 = select %b4, %v10, %c6 : tile<2x4xi1>, tile<2x4xf32>
      %v11 = subf %it, %v8 : tile<2xf32>
      %v12 = exp %v11 : tile<2xf32>
      %v13 = mulf %it1, %v12 : tile<2xf32>
      %s1 = reduce %w1 dim=1 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32> (%acc1: tile<f32>, %el1: tile<f32>) {
        %u1 = addf %acc1, %el1 : tile<f32>
        yield %u1 : tile<f32>
      }
      %v14 = addf %v13, %s1 : tile<2xf32>
      %r8 = reshape %v12 : tile<2xf32> -> tile<2x1xf32>
      %b5 = broadcast %r8 : tile<2x1xf32> -> tile<2x4xf32>
      %v15 = mulf %it2, %b5 : tile<2x4xf32>
      %d1 = mmaf %w1, %r2, %v15 : tile<2x4xf32>, tile<4x4x!T>, tile<2x4xf32>
      continue %v8, %v14, %d1 : tile<2xf32>, tile<2xf32>, tile<2x4xf32>
    }
    %o_v = make_tensor_view %o, shape = [%h, 2, 4], strides = [8, 4, 1] : tile<i32> -> tensor_view<?x2x4x!T, strides=[8, 4, 1]>
    %o_t = make_partition_view %o_v : partition_view<tile=(1x2x4), tensor_view<?x2x4x!T, strides=[8, 4, 1]>>
    %r9 = reshape %l1 : tile<2xf32> -> tile<2x1xf32>
    %b6 = broadcast %r9 : tile<2x1xf32> -> tile<2x4xf32>
    %v16 = divf %l2, %b6 : tile<2x4xf32>
    %r10 = reshape %v16 : tile<2x4xf32> -> tile<1x2x4xf32>
    %k5 = store_view_tko weak %r10, %o_t[%bx, %c, %c] : tile<1x2x4xf32>, partition_view<tile=(1x2x4), tensor_view<?x2x4x!T, strides=[8, 4, 1]>>, tile<i32> -> token
  }
  // The last `w` keys and the first; pieces without any are skipped.
// CASE @window grid=2 K=16: 2x2x4xf32=-0.875,-0.25,-0.75,-0.25,0.75,-0.375,-0.625,0.25,-0.875,-0.625,-1,-0.5,-0.625,0.375,-1,-0.75 2x11x4xf32=-0.25,0.5,-0.5,0.125,0.375,0.375,0.875,-0.625,-0.625,0.875,0.75,0.875,0.875,0.125,-0.75,-0.5,-0.625,0.25,0.125,0.875,-0.375,1,-1,-0.25,1,0.375,-0.5,-1,1,0.125,-0.75,0.125,1,0.375,-0.375,0.375,-0.125,1,0.25,-0.125,-0.25,-0.125,0.5,-0.125,-0.25,1,0.875,0.375,-1,-1,0.125,0.875,0.125,-0.25,0.375,0.75,0.375,0.375,-0.75,-0.125,-0.625,-0.125,0.875,-0.25,0.25,-0.25,0.875,-1,0.875,0.375,-0.75,-0.625,0.5,-0.25,0.875,-0.375,0.625,0.25,-0.75,0.5,0.75,0.5,-0.75,-0.375,-0.375,-0.5,-1,-0.5 2x11x4xf32=0.75,-0.5,0.875,0.375,-0.5,-0.5,-1,-1,-0.625,1,-0.5,0.625,-0.25,-0.25,-1,0.125,-0.25,0.125,1,-0.125,0.25,0.125,0.625,-0.5,-0.875,0.375,0.75,1,0.625,1,-0.5,-0.5,1,1,-1,0.75,-0.375,-1,-0.5,-0.375,-0.5,0.875,-0.625,-0.875,0.25,1,1,0.875,-0.625,-0.875,-0.125,-0.25,0.125,-0.875,-0.625,1,0.75,-1,-0.75,0.75,0.25,1,1,-0.25,0.125,0.75,1,0.875,1,-0.125,1,0.125,-0.25,0.75,-0.5,0.625,-0.625,0.5,0.75,0.25,-0.75,-0.125,0.625,-0.75,-0.25,0.125,-0.625,-0.5 out0 i32=2 i32=11 i32=5 -> 2x2x4xf32=0.10926627490996592,0.2167061923080323,-0.07359416372540342,0.0450287493581352,0.21746362162744887,0.46799875273639363,-0.19834958507971528,0.15010510451333142,-0.14398521290571328,0.22206917244590219,0.1347477039509431,-0.13134827808327793,-0.0973760617227535,0.2159276512742267,0.31836113070396144,-0.08715566933396944
  entry @window(%q: tile<ptr<!T>>, %k: tile<ptr<!T>>, %v: tile<ptr<!T>>, %o: tile<ptr<!T>>, %h: tile<i32>, %t: tile<i32>, %w: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %q_v = make_tensor_view %q, shape = [%h, 2, 4], strides = [8, 4, 1] : tile<i32> -> tensor_view<?x2x4x!T, strides=[8, 4, 1]>
    %q_t = make_partition_view %q_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x2x4x!T, strides=[8, 4, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x, %k1 = load_view_tko weak %q_t[%bx, %c, %c] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x2x4x!T, strides=[8, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
    %r = reshape %x : tile<1x2x4x!T> -> tile<2x4x!T>
    %c1 = constant <i32: 4> : tile<i32>
    %v1 = muli %t, %c1 : tile<i32>
    %k_v = make_tensor_view %k, shape = [%h, %t, 4], strides = [%v1, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %k_t = make_partition_view %k_v : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %v2 = muli %t, %c1 : tile<i32>
    %v_v = make_tensor_view %v, shape = [%h, %t, 4], strides = [%v2, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %v_t = make_partition_view %v_v : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %n, %n1, %n2 = get_index_space_shape %k_t : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>> -> tile<i32>
    %c2 = constant <f32: -1.0e+30> : tile<2xf32>
    %c3 = constant <f32: 0.0> : tile<2xf32>
    %c4 = constant <f32: 0.0> : tile<2x4xf32>
    %c5 = constant <i32: 1> : tile<i32>
    %l, %l1, %l2 = for %i in (%c to %n1, step %c5) : tile<i32> iter_values(%it = %c2, %it1 = %c3, %it2 = %c4) -> (tile<2xf32>, tile<2xf32>, tile<2x4xf32>) {
      %v3 = muli %i, %c1 : tile<i32>
      %p = cmpi greater_than %i, %c, signed : tile<i32> -> tile<i1>
      %v4 = addi %v3, %c1 : tile<i32>
      %v5 = subi %t, %w : tile<i32>
      %p1 = cmpi less_than_or_equal %v4, %v5, signed : tile<i32> -> tile<i1>
      %v6 = andi %p, %p1 : tile<i1>
      if %v6 {
        continue %it, %it1, %it2 : tile<2xf32>, tile<2xf32>, tile<2x4xf32>
      }
      %io = iota : tile<4xi32>
      %v7 = muli %i, %c1 : tile<i32>
      %r1 = reshape %v7 : tile<i32> -> tile<1xi32>
      %b = broadcast %r1 : tile<1xi32> -> tile<4xi32>
      %v8 = addi %io, %b : tile<4xi32>
      %r2 = reshape %t : tile<i32> -> tile<1xi32>
      %b1 = broadcast %r2 : tile<1xi32> -> tile<4xi32>
      %p2 = cmpi less_than %v8, %b1, signed : tile<4xi32> -> tile<4xi1>
      %v9 = subi %t, %w : tile<i32>
      %r3 = reshape %v9 : tile<i32> -> tile<1xi32>
      %b2 = broadcast %r3 : tile<1xi32> -> tile<4xi32>
      %p3 = cmpi greater_than_or_equal %v8, %b2, signed : tile<4xi32> -> tile<4xi1>
      %c6 = constant <i32: 0> : tile<4xi32>
      %p4 = cmpi equal %v8, %c6, signed : tile<4xi32> -> tile<4xi1>
      %v10 = ori %p3, %p4 : tile<4xi1>
      %v11 = andi %p2, %v10 : tile<4xi1>
      %x1, %k2 = load_view_tko weak %k_t[%bx, %i, %c] : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x4x4x!T>, token
      %r4 = reshape %x1 : tile<1x4x4x!T> -> tile<4x4x!T>
      %x2, %k3 = load_view_tko weak %v_t[%bx, %i, %c] : partition_view<tile=(1x4x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x4x4x!T>, token
      %r5 = reshape %x2 : tile<1x4x4x!T> -> tile<4x4x!T>
      %t1 = permute %r4 [1, 0] : tile<4x4x!T> -> tile<4x4x!T>
      %d = mmaf %r, %t1, %c4 : tile<2x4x!T>, tile<4x4x!T>, tile<2x4xf32>
      %c7 = constant <f32: 0.5> : tile<2x4xf32>
      %v12 = mulf %d, %c7 : tile<2x4xf32>
      %r6 = reshape %v11 : tile<4xi1> -> tile<1x4xi1>
      %c8 = constant <f32: -1.0e+30> : tile<2x4xf32>
      %b3 = broadcast %r6 : tile<1x4xi1> -> tile<2x4xi1>
      %w1 = select %b3, %v12, %c8 : tile<2x4xi1>, tile<2x4xf32>
      %s = reduce %w1 dim=1 identities=[0xFF800000 : f32] : tile<2x4xf32> -> tile<2xf32> (%acc: tile<f32>, %el: tile<f32>) {
        %u = maxf %acc, %el : tile<f32>
        yield %u : tile<f32>
      }
      %v13 = maxf %it, %s : tile<2xf32>
      %r7 = reshape %v11 : tile<4xi1> -> tile<1x4xi1>
      %r8 = reshape %v13 : tile<2xf32> -> tile<2x1xf32>
      %b4 = broadcast %r8 : tile<2x1xf32> -> tile<2x4xf32>
      %v14 = subf %w1, %b4 : tile<2x4xf32>
      %v15 = exp %v14 : tile<2x4xf32>
      %b5 = broadcast %r7 : tile<1x4xi1> -> tile<2x4xi1>
      %w2 = select %b5, %v15, %c4 : tile<2x4xi1>, tile<2x4xf32>
      %v16 = subf %it, %v13 : tile<2xf32>
      %v17 = exp %v16 : tile<2xf32>
      %v18 = mulf %it1, %v17 : tile<2xf32>
      %s1 = reduce %w2 dim=1 identities=[0.0 : f32] : tile<2x4xf32> -> tile<2xf32> (%acc1: tile<f32>, %el1: tile<f32>) {
        %u1 = addf %acc1, %el1 : tile<f32>
        yield %u1 : tile<f32>
      }
      %v19 = addf %v18, %s1 : tile<2xf32>
      %r9 = reshape %v17 : tile<2xf32> -> tile<2x1xf32>
      %b6 = broadcast %r9 : tile<2x1xf32> -> tile<2x4xf32>
      %v20 = mulf %it2, %b6 : tile<2x4xf32>
      %d1 = mmaf %w2, %r5, %v20 : tile<2x4xf32>, tile<4x4x!T>, tile<2x4xf32>
      continue %v13, %v19, %d1 : tile<2xf32>, tile<2xf32>, tile<2x4xf32>
    }
    %o_v = make_tensor_view %o, shape = [%h, 2, 4], strides = [8, 4, 1] : tile<i32> -> tensor_view<?x2x4x!T, strides=[8, 4, 1]>
    %o_t = make_partition_view %o_v : partition_view<tile=(1x2x4), tensor_view<?x2x4x!T, strides=[8, 4, 1]>>
    %r10 = reshape %l1 : tile<2xf32> -> tile<2x1xf32>
    %b7 = broadcast %r10 : tile<2x1xf32> -> tile<2x4xf32>
    %v21 = divf %l2, %b7 : tile<2x4xf32>
    %r11 = reshape %v21 : tile<2x4xf32> -> tile<1x2x4xf32>
    %k4 = store_view_tko weak %r11, %o_t[%bx, %c, %c] : tile<1x2x4xf32>, partition_view<tile=(1x2x4), tensor_view<?x2x4x!T, strides=[8, 4, 1]>>, tile<i32> -> token
  }
}
