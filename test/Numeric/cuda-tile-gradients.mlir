// Gradients as producers of CUDA Tile IR write them: softmax, layer norm, cross entropy, attention, activations; rotary
// positions.
// TYPES: f32
!Rows = !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
!List = !cuda_tile.tensor_view<?x!T, strides=[1]>

cuda_tile.module @gradients {
  // dx = y·(g − Σ g·y), rows of up to 8.
// CASE @softmax_backward grid=3 K=8: 3x5xf32=0.296875,0.078125,0.546875,0.03125,0.046875,0.03125,0.21875,0.015625,0.671875,0.0625,0.015625,0.03125,0.484375,0.4375,0.03125 3x5xf32=-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875 out0 i32=3 i32=5 -> 3x5xf32=-0.18670654296875,-0.14678955078125,0.47637939453125,-0.0665283203125,-0.07635498046875,0.03759765625,-0.03759765625,0.040283203125,-0.115478515625,0.0751953125,-0.03643798828125,-0.0494384765625,-0.16082763671875,0.292236328125,-0.0455322265625
  entry @softmax_backward(%y: tile<ptr<!T>>, %g: tile<ptr<!T>>, %dx: tile<ptr<!T>>, %m: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %y_v = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %y_t = make_partition_view %y_v : partition_view<tile=(1x8), padding_value = zero, !Rows>
    %c = constant <i32: 0> : tile<i32>
    %x, %k = load_view_tko weak %y_t[%bx, %c] : partition_view<tile=(1x8), padding_value = zero, !Rows>, tile<i32> -> tile<1x8x!T>, token
    %g_v = make_tensor_view %g, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %g_t = make_partition_view %g_v : partition_view<tile=(1x8), padding_value = zero, !Rows>
    %x1, %k1 = load_view_tko weak %g_t[%bx, %c] : partition_view<tile=(1x8), padding_value = zero, !Rows>, tile<i32> -> tile<1x8x!T>, token
    %v = mulf %x, %x1 : tile<1x8x!T>
    %s = reduce %v dim=1 identities=[0.0 : !T] : tile<1x8x!T> -> tile<1x!T> (%acc: tile<!T>, %el: tile<!T>) {
      %u = addf %acc, %el : tile<!T>
      yield %u : tile<!T>
    }
    %dx_v = make_tensor_view %dx, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %dx_t = make_partition_view %dx_v : partition_view<tile=(1x8), !Rows>
    %r = reshape %s : tile<1x!T> -> tile<1x1x!T>
    %b = broadcast %r : tile<1x1x!T> -> tile<1x8x!T>
    %v1 = subf %x1, %b : tile<1x8x!T>
    %v2 = mulf %x, %v1 : tile<1x8x!T>
    %k2 = store_view_tko weak %v2, %dx_t[%bx, %c] : tile<1x8x!T>, partition_view<tile=(1x8), !Rows>, tile<i32> -> token
  }
  // The gradient of a layer norm; those of weights and biases are summed over rows by atomics.
// CASE @layer_norm_backward grid=3 K=32: 3x5xf32=-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625 5xf32=0.875,0.375,-0.125,-0.625,-0.125 3x5xf32=-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25 out0 out1 out2 i32=3 i32=5 -> 3x5xf32=-0.9337990273230704,-0.11419538932357531,0.24433069857160883,0.6041487804903262,0.19951493758471078,-0.04010078338656701,-0.07950933652779285,0.7676066811970188,-0.6753052740421638,0.02730871275950491,-0.06212405985862825,1.1463577996026746,-0.26849297015121937,-1.4725112736489716,0.6567705040561449 5xf32=0.8895456268529034,1.3821179749031087,2.5248215889877006,-1.615498426224368,1.4510900361571744|0 5xf32=-1.875,-0.5,-0.125,4.5,4|0
  entry @layer_norm_backward(%x: tile<ptr<!T>>, %w: tile<ptr<!T>>, %g: tile<ptr<!T>>, %dx: tile<ptr<!T>>, %dw: tile<ptr<!T>>, %db: tile<ptr<!T>>, %m: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %x_t = make_partition_view %x_v : partition_view<tile=(1x8), padding_value = zero, !Rows>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %x_t[%bx, %c] : partition_view<tile=(1x8), padding_value = zero, !Rows>, tile<i32> -> tile<1x8x!T>, token
    %g_v = make_tensor_view %g, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %g_t = make_partition_view %g_v : partition_view<tile=(1x8), padding_value = zero, !Rows>
    %x2, %k1 = load_view_tko weak %g_t[%bx, %c] : partition_view<tile=(1x8), padding_value = zero, !Rows>, tile<i32> -> tile<1x8x!T>, token
    %w_v = make_tensor_view %w, shape = [%n], strides = [1] : tile<i32> -> !List
    %w_t = make_partition_view %w_v : partition_view<tile=(8), padding_value = zero, !List>
    %x3, %k2 = load_view_tko weak %w_t[%c] : partition_view<tile=(8), padding_value = zero, !List>, tile<i32> -> tile<8x!T>, token
    %r = reshape %x3 : tile<8x!T> -> tile<1x8x!T>
    %io = iota : tile<8xi32>
    %r1 = reshape %n : tile<i32> -> tile<1xi32>
    %b = broadcast %r1 : tile<1xi32> -> tile<8xi32>
    %p = cmpi less_than %io, %b, signed : tile<8xi32> -> tile<8xi1>
    %r2 = reshape %p : tile<8xi1> -> tile<1x8xi1>
    %x4 = itof %n unsigned : tile<i32> -> tile<!T>
    %s = reduce %x1 dim=1 identities=[0.0 : !T] : tile<1x8x!T> -> tile<1x!T> (%acc: tile<!T>, %el: tile<!T>) {
      %u = addf %acc, %el : tile<!T>
      yield %u : tile<!T>
    }
    %r3 = reshape %x4 : tile<!T> -> tile<1x!T>
    %v = divf %s, %r3 : tile<1x!T>
    %r4 = reshape %v : tile<1x!T> -> tile<1x1x!T>
    %b1 = broadcast %r4 : tile<1x1x!T> -> tile<1x8x!T>
    %v1 = subf %x1, %b1 : tile<1x8x!T>
    %c1 = constant <!T: 0.0> : tile<1x8x!T>
    %w1 = select %r2, %v1, %c1 : tile<1x8xi1>, tile<1x8x!T>
    %v2 = mulf %w1, %w1 : tile<1x8x!T>
    %s1 = reduce %v2 dim=1 identities=[0.0 : !T] : tile<1x8x!T> -> tile<1x!T> (%acc1: tile<!T>, %el1: tile<!T>) {
      %u1 = addf %acc1, %el1 : tile<!T>
      yield %u1 : tile<!T>
    }
    %r5 = reshape %x4 : tile<!T> -> tile<1x!T>
    %v3 = divf %s1, %r5 : tile<1x!T>
    %c2 = constant <!T: 1.0e-05> : tile<1x!T>
    %v4 = addf %v3, %c2 : tile<1x!T>
    %v5 = rsqrt %v4 : tile<1x!T>
    %r6 = reshape %v5 : tile<1x!T> -> tile<1x1x!T>
    %b2 = broadcast %r6 : tile<1x1x!T> -> tile<1x8x!T>
    %v6 = mulf %w1, %b2 : tile<1x8x!T>
    %v7 = mulf %r, %x2 : tile<1x8x!T>
    %v8 = mulf %v7, %v6 : tile<1x8x!T>
    %s2 = reduce %v8 dim=1 identities=[0.0 : !T] : tile<1x8x!T> -> tile<1x!T> (%acc2: tile<!T>, %el2: tile<!T>) {
      %u2 = addf %acc2, %el2 : tile<!T>
      yield %u2 : tile<!T>
    }
    %r7 = reshape %x4 : tile<!T> -> tile<1x!T>
    %v9 = divf %s2, %r7 : tile<1x!T>
    %r8 = reshape %v9 : tile<1x!T> -> tile<1x1x!T>
    %s3 = reduce %v7 dim=1 identities=[0.0 : !T] : tile<1x8x!T> -> tile<1x!T> (%acc3: tile<!T>, %el3: tile<!T>) {
      %u3 = addf %acc3, %el3 : tile<!T>
      yield %u3 : tile<!T>
    }
    %r9 = reshape %x4 : tile<!T> -> tile<1x!T>
    %v10 = divf %s3, %r9 : tile<1x!T>
    %r10 = reshape %v10 : tile<1x!T> -> tile<1x1x!T>
    %dx_v = make_tensor_view %dx, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %dx_t = make_partition_view %dx_v : partition_view<tile=(1x8), !Rows>
    %b3 = broadcast %r8 : tile<1x1x!T> -> tile<1x8x!T>
    %v11 = mulf %v6, %b3 : tile<1x8x!T>
    %v12 = subf %v7, %v11 : tile<1x8x!T>
    %b4 = broadcast %r10 : tile<1x1x!T> -> tile<1x8x!T>
    %v13 = subf %v12, %b4 : tile<1x8x!T>
    %b5 = broadcast %r6 : tile<1x1x!T> -> tile<1x8x!T>
    %v14 = mulf %v13, %b5 : tile<1x8x!T>
    %k3 = store_view_tko weak %v14, %dx_t[%bx, %c] : tile<1x8x!T>, partition_view<tile=(1x8), !Rows>, tile<i32> -> token
    %dw_v = make_tensor_view %dw, shape = [%n], strides = [1] : tile<i32> -> !List
    %dw_t = make_partition_view %dw_v : partition_view<tile=(8), !List>
    %v15 = mulf %x2, %v6 : tile<1x8x!T>
    %r11 = reshape %v15 : tile<1x8x!T> -> tile<8x!T>
    %k4 = atomic_red_view_tko relaxed device %dw_t[%c], addf, %r11 : tile<8x!T>, partition_view<tile=(8), !List>, tile<i32> -> token
    %db_v = make_tensor_view %db, shape = [%n], strides = [1] : tile<i32> -> !List
    %db_t = make_partition_view %db_v : partition_view<tile=(8), !List>
    %r12 = reshape %x2 : tile<1x8x!T> -> tile<8x!T>
    %k5 = atomic_red_view_tko relaxed device %db_t[%c], addf, %r12 : tile<8x!T>, partition_view<tile=(8), !List>, tile<i32> -> token
  }
  // Loss log Σ exp x − x[label] of each row in pieces of 4 columns, and the gradient of its mean.
// CASE @cross_entropy grid=3 K=8: 3x5xf32=-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5 3xi32=2,0,4 out0 out1 i32=3 i32=5 -> 3xf32=1.2968915025125738,0.7058496873660629,0.9941409649831452 3x5xf32=0.009604689682647827,0.012332665671918326,-0.24220657483417254,0.1032601454263183,0.1170090740532881,-0.16877036174731064,0.12816177113575183,0.005631035231449861,0.006380798861682208,0.02859675651842672,0.15838076284680688,0.006141088615168766,0.005419491681383958,0.04004492806143406,-0.20998627120479366
// CASE @cross_entropy grid=7 K=97: 7x97xf32=random:1 7xi32=1,96,0,5,8,44,31 out0 out1 i32=7 i32=97 -> 7xf32 7x97xf32
  entry @cross_entropy(%x: tile<ptr<!T>>, %labels: tile<ptr<i32>>, %loss: tile<ptr<!T>>, %dx: tile<ptr<!T>>, %m: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %x_t = make_partition_view %x_v : partition_view<tile=(1x4), padding_value = neg_inf, !Rows>
    %n1, %n2 = get_index_space_shape %x_t : partition_view<tile=(1x4), padding_value = neg_inf, !Rows> -> tile<i32>
    %p = offset %labels, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %x1, %k = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %c = constant <f32: 0xFF800000> : tile<1xf32>
    %c1 = constant <f32: 0.0> : tile<1xf32>
    %c2 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 1> : tile<i32>
    %l, %l1 = for %i in (%c2 to %n2, step %c3) : tile<i32> iter_values(%it = %c, %it1 = %c1) -> (tile<1xf32>, tile<1xf32>) {
      %x2, %k1 = load_view_tko weak %x_t[%bx, %i] : partition_view<tile=(1x4), padding_value = neg_inf, !Rows>, tile<i32> -> tile<1x4x!T>, token
      %s = reduce %x2 dim=1 identities=[0xFF800000 : !T] : tile<1x4x!T> -> tile<1x!T> (%acc: tile<!T>, %el: tile<!T>) {
        %u = maxf %acc, %el : tile<!T>
        yield %u : tile<!T>
      }
      %v = maxf %it, %s : tile<1xf32>
      %r = reshape %v : tile<1xf32> -> tile<1x1xf32>
      %b = broadcast %r : tile<1x1xf32> -> tile<1x4xf32>
      %v1 = subf %x2, %b : tile<1x4x!T>
      %v2 = exp %v1 : tile<1x4x!T>
      %v3 = subf %it, %v : tile<1xf32>
      %v4 = exp %v3 : tile<1xf32>
      %v5 = mulf %it1, %v4 : tile<1xf32>
      %s1 = reduce %v2 dim=1 identities=[0.0 : !T] : tile<1x4x!T> -> tile<1x!T> (%acc1: tile<!T>, %el1: tile<!T>) {
        %u1 = addf %acc1, %el1 : tile<!T>
        yield %u1 : tile<!T>
      }
      %v6 = addf %v5, %s1 : tile<1xf32>
      continue %v, %v6 : tile<1xf32>, tile<1xf32>
    }
    %v7 = log %l1 : tile<1xf32>
    %v8 = addf %v7, %l : tile<1xf32>
    %v9 = muli %bx, %n : tile<i32>
    %v10 = addi %v9, %x1 : tile<i32>
    %p1 = offset %x, %v10 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %x3, %k2 = load_ptr_tko weak %p1 : tile<ptr<!T>> -> tile<!T>, token
    %p2 = offset %loss, %bx : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %r1 = reshape %v8 : tile<1xf32> -> tile<f32>
    %v11 = subf %r1, %x3 : tile<f32>
    %k3 = store_ptr_tko weak %p2, %v11 : tile<ptr<!T>>, tile<f32> -> token
    %dx_v = make_tensor_view %dx, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %dx_t = make_partition_view %dx_v : partition_view<tile=(1x4), !Rows>
    %x4 = itof %m unsigned : tile<i32> -> tile<f32>
    for %i1 in (%c2 to %n2, step %c3) : tile<i32> {
      %x5, %k4 = load_view_tko weak %x_t[%bx, %i1] : partition_view<tile=(1x4), padding_value = neg_inf, !Rows>, tile<i32> -> tile<1x4x!T>, token
      %io = iota : tile<4xi32>
      %c4 = constant <i32: 4> : tile<i32>
      %v12 = muli %i1, %c4 : tile<i32>
      %r2 = reshape %v12 : tile<i32> -> tile<1xi32>
      %b1 = broadcast %r2 : tile<1xi32> -> tile<4xi32>
      %v13 = addi %io, %b1 : tile<4xi32>
      %r3 = reshape %x1 : tile<i32> -> tile<1xi32>
      %b2 = broadcast %r3 : tile<1xi32> -> tile<4xi32>
      %p3 = cmpi equal %v13, %b2, signed : tile<4xi32> -> tile<4xi1>
      %c5 = constant <f32: 1.0> : tile<4xf32>
      %c6 = constant <f32: 0.0> : tile<4xf32>
      %w = select %p3, %c5, %c6 : tile<4xi1>, tile<4xf32>
      %r4 = reshape %v8 : tile<1xf32> -> tile<1x1xf32>
      %b3 = broadcast %r4 : tile<1x1xf32> -> tile<1x4xf32>
      %v14 = subf %x5, %b3 : tile<1x4x!T>
      %v15 = exp %v14 : tile<1x4x!T>
      %r5 = reshape %w : tile<4xf32> -> tile<1x4xf32>
      %v16 = subf %v15, %r5 : tile<1x4x!T>
      %r6 = reshape %x4 : tile<f32> -> tile<1x1xf32>
      %b4 = broadcast %r6 : tile<1x1xf32> -> tile<1x4xf32>
      %v17 = divf %v16, %b4 : tile<1x4x!T>
      %k5 = store_view_tko weak %v17, %dx_t[%bx, %i1] : tile<1x4x!T>, partition_view<tile=(1x4), !Rows>, tile<i32> -> token
    }
  }
  // Causal attention of heads of 4, with the logarithms of the sums that its gradient needs.
// CASE @attention_statistics grid=3x2 K=8: 2x5x4xf32=0.125,0.5,0.375,-1,0.75,0.375,-0.375,-0.625,0.875,-0.875,-0.25,0.125,-0.5,-0.125,0.5,0.5,0.875,-0.75,-0.375,0.75,0.5,0.125,-0.5,0.625,0.125,0.625,0.375,0.5,-0.125,-0.5,-0.75,-0.375,-0.5,-0.125,-0.125,-1,0.875,-0.375,0.125,0.125 2x5x4xf32=-1,-0.5,0.625,0.375,0.25,-0.5,1,-0.875,0.75,0.5,0.5,0.5,0.5,-0.625,0.875,0.5,-0.875,-0.25,-0.75,-0.25,0.75,-0.375,-0.625,0.25,-0.875,-0.625,-1,-0.5,-0.625,0.375,-1,-0.75,-0.25,0.5,-0.5,0.125,0.375,0.375,0.875,-0.625 2x5x4xf32=-0.625,0.875,0.75,0.875,0.875,0.125,-0.75,-0.5,-0.625,0.25,0.125,0.875,-0.375,1,-1,-0.25,1,0.375,-0.5,-1,1,0.125,-0.75,0.125,1,0.375,-0.375,0.375,-0.125,1,0.25,-0.125,-0.25,-0.125,0.5,-0.125,-0.25,1,0.875,0.375 out0 out1 i32=2 i32=5 -> 2x5x4xf32=-0.625,0.875,0.75,0.875,0.4064449935722817,0.35927750321385915,-0.28144499357228164,-0.07049124410792484,-0.04538360253794857,0.3600826809827956,-0.054725517748230076,0.3436849689931195,-0.26224657811742785,0.6297040163376271,-0.12718288599294264,0.3118577176821755,-0.076862684637785,0.5739069338833217,-0.3516227628357521,0.04076004185595031,1,0.125,-0.75,0.125,1,0.2230842075417771,-0.6028736886873344,0.2230842075417771,0.6301519365746835,0.5149447941643922,-0.2678183819271107,0.14509673073907559,0.3905842915671637,0.4522720302640756,-0.057407407872600125,0.07797605363853988,0.33933959243392997,0.4456419006047075,0.038421386180746975,0.14524765658048172 2x5xf32=-0.2578125,0.460441882639513,1.099291386046629,1.6148028677293034,1.6601972241348353,0.3984375,0.3731345475143753,1.5733835327267296,1.6708039488493986,1.5479013288772523
  entry @attention_statistics(%q: tile<ptr<!T>>, %k: tile<ptr<!T>>, %v: tile<ptr<!T>>, %o: tile<ptr<!T>>, %lse: tile<ptr<!T>>, %b: tile<i32>, %t: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c = constant <i32: 4> : tile<i32>
    %v1 = muli %t, %c : tile<i32>
    %q_v = make_tensor_view %q, shape = [%b, %t, 4], strides = [%v1, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %q_t = make_partition_view %q_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %c1 = constant <i32: 0> : tile<i32>
    %x, %k1 = load_view_tko weak %q_t[%by, %bx, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
    %r = reshape %x : tile<1x2x4x!T> -> tile<2x4x!T>
    %v2 = muli %t, %c : tile<i32>
    %k_v = make_tensor_view %k, shape = [%b, %t, 4], strides = [%v2, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %k_t = make_partition_view %k_v : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>
    %v3 = muli %t, %c : tile<i32>
    %v_v = make_tensor_view %v, shape = [%b, %t, 4], strides = [%v3, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %v_t = make_partition_view %v_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %c2 = constant <f32: 0xFF800000> : tile<2xf32>
    %c3 = constant <f32: 0.0> : tile<2xf32>
    %c4 = constant <f32: 0.0> : tile<2x4xf32>
    %io = iota : tile<2xi32>
    %c5 = constant <i32: 2> : tile<i32>
    %v4 = muli %bx, %c5 : tile<i32>
    %r1 = reshape %v4 : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r1 : tile<1xi32> -> tile<2xi32>
    %v5 = addi %io, %b1 : tile<2xi32>
    %r2 = reshape %v5 : tile<2xi32> -> tile<2x1xi32>
    %c6 = constant <i32: 1> : tile<i32>
    %v6 = addi %bx, %c6 : tile<i32>
    %l, %l1, %l2 = for %i in (%c1 to %v6, step %c6) : tile<i32> iter_values(%it = %c2, %it1 = %c3, %it2 = %c4) -> (tile<2xf32>, tile<2xf32>, tile<2x4xf32>) {
      %x1, %k2 = load_view_tko weak %k_t[%by, %c1, %i] : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x4x2x!T>, token
      %r3 = reshape %x1 : tile<1x4x2x!T> -> tile<4x2x!T>
      %c7 = constant <f32: 0.0> : tile<2x2xf32>
      %d = mmaf %r, %r3, %c7 : tile<2x4x!T>, tile<4x2x!T>, tile<2x2xf32>
      %c8 = constant <f32: 0.5> : tile<2x2xf32>
      %v7 = mulf %d, %c8 : tile<2x2xf32>
      %io1 = iota : tile<2xi32>
      %v8 = muli %i, %c5 : tile<i32>
      %r4 = reshape %v8 : tile<i32> -> tile<1xi32>
      %b2 = broadcast %r4 : tile<1xi32> -> tile<2xi32>
      %v9 = addi %io1, %b2 : tile<2xi32>
      %r5 = reshape %v9 : tile<2xi32> -> tile<1x2xi32>
      %b3 = broadcast %r2 : tile<2x1xi32> -> tile<2x2xi32>
      %b4 = broadcast %r5 : tile<1x2xi32> -> tile<2x2xi32>
      %p = cmpi greater_than_or_equal %b3, %b4, signed : tile<2x2xi32> -> tile<2x2xi1>
      %c9 = constant <f32: -1.0e+30> : tile<2x2xf32>
      %w = select %p, %v7, %c9 : tile<2x2xi1>, tile<2x2xf32>
      %s = reduce %w dim=1 identities=[0xFF800000 : f32] : tile<2x2xf32> -> tile<2xf32> (%acc: tile<f32>, %el: tile<f32>) {
        %u = maxf %acc, %el : tile<f32>
        yield %u : tile<f32>
      }
      %v10 = maxf %it, %s : tile<2xf32>
      %r6 = reshape %v10 : tile<2xf32> -> tile<2x1xf32>
      %b5 = broadcast %r6 : tile<2x1xf32> -> tile<2x2xf32>
      %v11 = subf %w, %b5 : tile<2x2xf32>
      %v12 = exp %v11 : tile<2x2xf32>
      %v13 = subf %it, %v10 : tile<2xf32>
      %v14 = exp %v13 : tile<2xf32>
      %x2, %k3 = load_view_tko weak %v_t[%by, %i, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
      %r7 = reshape %x2 : tile<1x2x4x!T> -> tile<2x4x!T>
      %v15 = mulf %it1, %v14 : tile<2xf32>
      %s1 = reduce %v12 dim=1 identities=[0.0 : f32] : tile<2x2xf32> -> tile<2xf32> (%acc1: tile<f32>, %el1: tile<f32>) {
        %u1 = addf %acc1, %el1 : tile<f32>
        yield %u1 : tile<f32>
      }
      %v16 = addf %v15, %s1 : tile<2xf32>
      %r8 = reshape %v14 : tile<2xf32> -> tile<2x1xf32>
      %b6 = broadcast %r8 : tile<2x1xf32> -> tile<2x4xf32>
      %v17 = mulf %it2, %b6 : tile<2x4xf32>
      %d1 = mmaf %v12, %r7, %v17 : tile<2x2xf32>, tile<2x4x!T>, tile<2x4xf32>
      continue %v10, %v16, %d1 : tile<2xf32>, tile<2xf32>, tile<2x4xf32>
    }
    %v18 = muli %t, %c : tile<i32>
    %o_v = make_tensor_view %o, shape = [%b, %t, 4], strides = [%v18, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %o_t = make_partition_view %o_v : partition_view<tile=(1x2x4), tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %r9 = reshape %l1 : tile<2xf32> -> tile<2x1xf32>
    %b7 = broadcast %r9 : tile<2x1xf32> -> tile<2x4xf32>
    %v19 = divf %l2, %b7 : tile<2x4xf32>
    %r10 = reshape %v19 : tile<2x4xf32> -> tile<1x2x4xf32>
    %k4 = store_view_tko weak %r10, %o_t[%by, %bx, %c1] : tile<1x2x4xf32>, partition_view<tile=(1x2x4), tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> token
    %lse_v = make_tensor_view %lse, shape = [%b, %t], strides = [%t, 1] : tile<i32> -> !Rows
    %lse_t = make_partition_view %lse_v : partition_view<tile=(1x2), !Rows>
    %v20 = log %l1 : tile<2xf32>
    %v21 = addf %l, %v20 : tile<2xf32>
    %r11 = reshape %v21 : tile<2xf32> -> tile<1x2xf32>
    %k5 = store_view_tko weak %r11, %lse_t[%by, %bx] : tile<1x2xf32>, partition_view<tile=(1x2), !Rows>, tile<i32> -> token
  }
  // The gradient of the queries: a block for each pair of rows, a loop over keys.
// CASE @attention_query_gradient grid=3x2 K=8: 2x5x4xf32=0.125,0.5,0.375,-1,0.75,0.375,-0.375,-0.625,0.875,-0.875,-0.25,0.125,-0.5,-0.125,0.5,0.5,0.875,-0.75,-0.375,0.75,0.5,0.125,-0.5,0.625,0.125,0.625,0.375,0.5,-0.125,-0.5,-0.75,-0.375,-0.5,-0.125,-0.125,-1,0.875,-0.375,0.125,0.125 2x5x4xf32=-1,-0.5,0.625,0.375,0.25,-0.5,1,-0.875,0.75,0.5,0.5,0.5,0.5,-0.625,0.875,0.5,-0.875,-0.25,-0.75,-0.25,0.75,-0.375,-0.625,0.25,-0.875,-0.625,-1,-0.5,-0.625,0.375,-1,-0.75,-0.25,0.5,-0.5,0.125,0.375,0.375,0.875,-0.625 2x5x4xf32=-0.625,0.875,0.75,0.875,0.875,0.125,-0.75,-0.5,-0.625,0.25,0.125,0.875,-0.375,1,-1,-0.25,1,0.375,-0.5,-1,1,0.125,-0.75,0.125,1,0.375,-0.375,0.375,-0.125,1,0.25,-0.125,-0.25,-0.125,0.5,-0.125,-0.25,1,0.875,0.375 2x5x4xf32=-1,-1,0.125,0.875,0.125,-0.25,0.375,0.75,0.375,0.375,-0.75,-0.125,-0.625,-0.125,0.875,-0.25,0.25,-0.25,0.875,-1,0.875,0.375,-0.75,-0.625,0.5,-0.25,0.875,-0.375,0.625,0.25,-0.75,0.5,0.75,0.5,-0.75,-0.375,-0.375,-0.5,-1,-0.5 2x5x4xf32=-0.625,0.875,0.75,0.875,0.40625,0.359375,-0.28125,-0.0703125,-0.044921875,0.3603515625,-0.0546875,0.34375,-0.2626953125,0.6298828125,-0.126953125,0.3115234375,-0.0771484375,0.57421875,-0.3515625,0.041015625,1,0.125,-0.75,0.125,1,0.22265625,-0.6025390625,0.22265625,0.6298828125,0.5146484375,-0.267578125,0.1455078125,0.390625,0.4521484375,-0.0576171875,0.078125,0.3388671875,0.4453125,0.0380859375,0.1455078125 2x5xf32=-0.2578125,0.4599609375,1.099609375,1.615234375,1.66015625,0.3984375,0.373046875,1.5732421875,1.6708984375,1.5478515625 out0 i32=2 i32=5 -> 2x5x4xf32=0,0,0,0,-0.16368094298738894,3.9627123259722286e-05,-0.04917759307424717,0.16373047689146358,0.06851206102524111,-0.08276944691073441,0.07428258057444312,-0.22374184597511115,-0.1750526245555234,0.046041898721773944,-0.06090824627685569,0.11785169813878829,-0.1413341900641645,-0.025214962177861414,-0.12094902887361733,-0.1249693405546721,0,0,0,0,-0.03332781812882661,-0.004989970358741689,-0.007467445522484972,-0.015355131420031417,0.06738908629460198,-0.12782941610217463,0.023753372604172818,0.08358685538715288,0.018244140731198476,-0.14743273902492138,-0.03036897855613669,-0.010491696994865156,0.03585770387885176,-0.08702150351011499,-0.17516866638210066,0.11010090754156616
  entry @attention_query_gradient(%q: tile<ptr<!T>>, %k: tile<ptr<!T>>, %v: tile<ptr<!T>>, %g: tile<ptr<!T>>, %o: tile<ptr<!T>>, %lse: tile<ptr<!T>>, %dq: tile<ptr<!T>>, %b: tile<i32>, %t: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c = constant <i32: 4> : tile<i32>
    %v1 = muli %t, %c : tile<i32>
    %q_v = make_tensor_view %q, shape = [%b, %t, 4], strides = [%v1, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %q_t = make_partition_view %q_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %c1 = constant <i32: 0> : tile<i32>
    %x, %k1 = load_view_tko weak %q_t[%by, %bx, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
    %r = reshape %x : tile<1x2x4x!T> -> tile<2x4x!T>
    %v2 = muli %t, %c : tile<i32>
    %g_v = make_tensor_view %g, shape = [%b, %t, 4], strides = [%v2, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %g_t = make_partition_view %g_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %x1, %k2 = load_view_tko weak %g_t[%by, %bx, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
    %r1 = reshape %x1 : tile<1x2x4x!T> -> tile<2x4x!T>
    %v3 = muli %t, %c : tile<i32>
    %o_v = make_tensor_view %o, shape = [%b, %t, 4], strides = [%v3, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %o_t = make_partition_view %o_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %x2, %k3 = load_view_tko weak %o_t[%by, %bx, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
    %r2 = reshape %x2 : tile<1x2x4x!T> -> tile<2x4x!T>
    %lse_v = make_tensor_view %lse, shape = [%b, %t], strides = [%t, 1] : tile<i32> -> !Rows
    %lse_t = make_partition_view %lse_v : partition_view<tile=(1x2), padding_value = zero, !Rows>
    %x3, %k4 = load_view_tko weak %lse_t[%by, %bx] : partition_view<tile=(1x2), padding_value = zero, !Rows>, tile<i32> -> tile<1x2x!T>, token
    %r3 = reshape %x3 : tile<1x2x!T> -> tile<2x!T>
    %v4 = mulf %r2, %r1 : tile<2x4x!T>
    %s = reduce %v4 dim=1 identities=[0.0 : !T] : tile<2x4x!T> -> tile<2x!T> (%acc: tile<!T>, %el: tile<!T>) {
      %u = addf %acc, %el : tile<!T>
      yield %u : tile<!T>
    }
    %v5 = muli %t, %c : tile<i32>
    %k_v = make_tensor_view %k, shape = [%b, %t, 4], strides = [%v5, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %k_t = make_partition_view %k_v : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>
    %v6 = muli %t, %c : tile<i32>
    %v_v = make_tensor_view %v, shape = [%b, %t, 4], strides = [%v6, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %v_t = make_partition_view %v_v : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>
    %v7 = muli %t, %c : tile<i32>
    %k_v1 = make_tensor_view %k, shape = [%b, %t, 4], strides = [%v7, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %k__t = make_partition_view %k_v1 : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %io = iota : tile<2xi32>
    %c2 = constant <i32: 2> : tile<i32>
    %v8 = muli %bx, %c2 : tile<i32>
    %r4 = reshape %v8 : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r4 : tile<1xi32> -> tile<2xi32>
    %v9 = addi %io, %b1 : tile<2xi32>
    %r5 = reshape %v9 : tile<2xi32> -> tile<2x1xi32>
    %r6 = reshape %t : tile<i32> -> tile<1x1xi32>
    %b2 = broadcast %r6 : tile<1x1xi32> -> tile<2x1xi32>
    %p = cmpi less_than %r5, %b2, signed : tile<2x1xi32> -> tile<2x1xi1>
    %c3 = constant <i32: 1> : tile<i32>
    %v10 = addi %bx, %c3 : tile<i32>
    %c4 = constant <f32: 0.0> : tile<2x4xf32>
    %l = for %i in (%c1 to %v10, step %c3) : tile<i32> iter_values(%it = %c4) -> (tile<2x4xf32>) {
      %io1 = iota : tile<2xi32>
      %v11 = muli %i, %c2 : tile<i32>
      %r7 = reshape %v11 : tile<i32> -> tile<1xi32>
      %b3 = broadcast %r7 : tile<1xi32> -> tile<2xi32>
      %v12 = addi %io1, %b3 : tile<2xi32>
      %r8 = reshape %v12 : tile<2xi32> -> tile<1x2xi32>
      %x4, %k5 = load_view_tko weak %k_t[%by, %c1, %i] : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x4x2x!T>, token
      %r9 = reshape %x4 : tile<1x4x2x!T> -> tile<4x2x!T>
      %x5, %k6 = load_view_tko weak %v_t[%by, %c1, %i] : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x4x2x!T>, token
      %r10 = reshape %x5 : tile<1x4x2x!T> -> tile<4x2x!T>
      %c5 = constant <f32: 0.0> : tile<2x2xf32>
      %d = mmaf %r, %r9, %c5 : tile<2x4x!T>, tile<4x2x!T>, tile<2x2xf32>
      %c6 = constant <f32: 0.5> : tile<2x2xf32>
      %v13 = mulf %d, %c6 : tile<2x2xf32>
      %b4 = broadcast %r5 : tile<2x1xi32> -> tile<2x2xi32>
      %b5 = broadcast %r8 : tile<1x2xi32> -> tile<2x2xi32>
      %p1 = cmpi greater_than_or_equal %b4, %b5, signed : tile<2x2xi32> -> tile<2x2xi1>
      %r11 = reshape %r3 : tile<2x!T> -> tile<2x1x!T>
      %b6 = broadcast %r11 : tile<2x1x!T> -> tile<2x2x!T>
      %v14 = subf %v13, %b6 : tile<2x2xf32>
      %v15 = exp %v14 : tile<2x2xf32>
      %w = select %p1, %v15, %c5 : tile<2x2xi1>, tile<2x2xf32>
      %b7 = broadcast %p : tile<2x1xi1> -> tile<2x2xi1>
      %w1 = select %b7, %w, %c5 : tile<2x2xi1>, tile<2x2xf32>
      %d1 = mmaf %r1, %r10, %c5 : tile<2x4x!T>, tile<4x2x!T>, tile<2x2xf32>
      %r12 = reshape %s : tile<2x!T> -> tile<2x1x!T>
      %b8 = broadcast %r12 : tile<2x1x!T> -> tile<2x2x!T>
      %v16 = subf %d1, %b8 : tile<2x2xf32>
      %v17 = mulf %w1, %v16 : tile<2x2xf32>
      %v18 = mulf %v17, %c6 : tile<2x2xf32>
      %x6, %k7 = load_view_tko weak %k__t[%by, %i, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
      %r13 = reshape %x6 : tile<1x2x4x!T> -> tile<2x4x!T>
      %d2 = mmaf %v18, %r13, %it : tile<2x2xf32>, tile<2x4x!T>, tile<2x4xf32>
      continue %d2 : tile<2x4xf32>
    }
    %v19 = muli %t, %c : tile<i32>
    %dq_v = make_tensor_view %dq, shape = [%b, %t, 4], strides = [%v19, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %dq_t = make_partition_view %dq_v : partition_view<tile=(1x2x4), tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %r14 = reshape %l : tile<2x4xf32> -> tile<1x2x4xf32>
    %k8 = store_view_tko weak %r14, %dq_t[%by, %bx, %c1] : tile<1x2x4xf32>, partition_view<tile=(1x2x4), tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> token
  }
  // Those of keys and values: a block for each pair of keys, a loop over the queries from there on.
// CASE @attention_key_gradients grid=3x2 K=8: 2x5x4xf32=0.125,0.5,0.375,-1,0.75,0.375,-0.375,-0.625,0.875,-0.875,-0.25,0.125,-0.5,-0.125,0.5,0.5,0.875,-0.75,-0.375,0.75,0.5,0.125,-0.5,0.625,0.125,0.625,0.375,0.5,-0.125,-0.5,-0.75,-0.375,-0.5,-0.125,-0.125,-1,0.875,-0.375,0.125,0.125 2x5x4xf32=-1,-0.5,0.625,0.375,0.25,-0.5,1,-0.875,0.75,0.5,0.5,0.5,0.5,-0.625,0.875,0.5,-0.875,-0.25,-0.75,-0.25,0.75,-0.375,-0.625,0.25,-0.875,-0.625,-1,-0.5,-0.625,0.375,-1,-0.75,-0.25,0.5,-0.5,0.125,0.375,0.375,0.875,-0.625 2x5x4xf32=-0.625,0.875,0.75,0.875,0.875,0.125,-0.75,-0.5,-0.625,0.25,0.125,0.875,-0.375,1,-1,-0.25,1,0.375,-0.5,-1,1,0.125,-0.75,0.125,1,0.375,-0.375,0.375,-0.125,1,0.25,-0.125,-0.25,-0.125,0.5,-0.125,-0.25,1,0.875,0.375 2x5x4xf32=-1,-1,0.125,0.875,0.125,-0.25,0.375,0.75,0.375,0.375,-0.75,-0.125,-0.625,-0.125,0.875,-0.25,0.25,-0.25,0.875,-1,0.875,0.375,-0.75,-0.625,0.5,-0.25,0.875,-0.375,0.625,0.25,-0.75,0.5,0.75,0.5,-0.75,-0.375,-0.375,-0.5,-1,-0.5 2x5x4xf32=-0.625,0.875,0.75,0.875,0.40625,0.359375,-0.28125,-0.0703125,-0.044921875,0.3603515625,-0.0546875,0.34375,-0.2626953125,0.6298828125,-0.126953125,0.3115234375,-0.0771484375,0.57421875,-0.3515625,0.041015625,1,0.125,-0.75,0.125,1,0.22265625,-0.6025390625,0.22265625,0.6298828125,0.5146484375,-0.267578125,0.1455078125,0.390625,0.4521484375,-0.0576171875,0.078125,0.3388671875,0.4453125,0.0380859375,0.1455078125 2x5xf32=-0.2578125,0.4599609375,1.099609375,1.615234375,1.66015625,0.3984375,0.373046875,1.5732421875,1.6708984375,1.5478515625 out0 out1 i32=2 i32=5 -> 2x5x4xf32=-0.0537602055399716,0.1133610277939911,0.044762908698531015,-0.027970715215986867,0.13658102486847976,-0.21725169267897967,-0.058310943539961725,0.0850783064631172,-0.14032751340123367,0.11056019661560036,0.060147606033849915,-0.03484002462886771,-0.022679669751322844,0.06214594900046911,-0.012322067765218998,-0.09107597717743815,0.08031285680267754,-0.06883959154515218,-0.03441979577257609,0.06883959154515218,0.056556027479907726,-0.09324109869981545,-0.049006470677155974,-0.07868372670765264,-0.047252561043207915,-0.04105333659762152,-0.06300830644975505,-0.10975251923644548,0.029542168694431093,0.08195770483807238,0.11178912560175551,0.0968223931575104,0.06554690621978504,0.007358816092146025,0.014961267008188329,0.1063858469624326,-0.10466299215547878,0.044855568066633766,-0.014951856022211255,-0.014951856022211255 2x5x4xf32=-1.0394458829411979,-1.0633025782298413,0.48078145864397337,0.8415938539303073,0.14476486229129723,-0.09017694883688929,0.27592024697625184,0.26521647335847975,0.06688015891135979,0.049297863714604866,0.11974704292455524,-0.3366171614792773,-0.08428297451420805,-0.10870952615821078,0.4930623002793154,-0.3705072710753702,0.03730461956326563,-0.03730461956326563,0.1305661684714297,-0.14921847825306253,1.3364975493188016,0.2071025692399864,-0.8341946017021822,-0.9314922631047923,0.6457574402314888,0.09629906603726819,-0.36157284095833037,-0.14153927652379744,0.4043060710040927,0.1809365337020336,-0.6313104876879498,-0.027954976771908654,0.07746496553604718,0.009247614030463105,-0.3106412953340064,-0.1553206476670032,-0.08898336689717007,-0.11864448919622676,-0.23728897839245353,-0.11864448919622676
  entry @attention_key_gradients(%q: tile<ptr<!T>>, %k: tile<ptr<!T>>, %v: tile<ptr<!T>>, %g: tile<ptr<!T>>, %o: tile<ptr<!T>>, %lse: tile<ptr<!T>>, %dk: tile<ptr<!T>>, %dv: tile<ptr<!T>>, %b: tile<i32>, %t: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c = constant <i32: 4> : tile<i32>
    %v1 = muli %t, %c : tile<i32>
    %k_v = make_tensor_view %k, shape = [%b, %t, 4], strides = [%v1, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %k_t = make_partition_view %k_v : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>
    %c1 = constant <i32: 0> : tile<i32>
    %x, %k1 = load_view_tko weak %k_t[%by, %c1, %bx] : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x4x2x!T>, token
    %r = reshape %x : tile<1x4x2x!T> -> tile<4x2x!T>
    %v2 = muli %t, %c : tile<i32>
    %v_v = make_tensor_view %v, shape = [%b, %t, 4], strides = [%v2, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %v_t = make_partition_view %v_v : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>
    %x1, %k2 = load_view_tko weak %v_t[%by, %c1, %bx] : partition_view<tile=(1x4x2), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x4x2x!T>, token
    %r1 = reshape %x1 : tile<1x4x2x!T> -> tile<4x2x!T>
    %v3 = muli %t, %c : tile<i32>
    %q_v = make_tensor_view %q, shape = [%b, %t, 4], strides = [%v3, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %q_t = make_partition_view %q_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %v4 = muli %t, %c : tile<i32>
    %g_v = make_tensor_view %g, shape = [%b, %t, 4], strides = [%v4, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %g_t = make_partition_view %g_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %v5 = muli %t, %c : tile<i32>
    %o_v = make_tensor_view %o, shape = [%b, %t, 4], strides = [%v5, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %o_t = make_partition_view %o_v : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %lse_v = make_tensor_view %lse, shape = [%b, %t], strides = [%t, 1] : tile<i32> -> !Rows
    %lse_t = make_partition_view %lse_v : partition_view<tile=(1x2), padding_value = zero, !Rows>
    %io = iota : tile<2xi32>
    %c2 = constant <i32: 2> : tile<i32>
    %v6 = muli %bx, %c2 : tile<i32>
    %r2 = reshape %v6 : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r2 : tile<1xi32> -> tile<2xi32>
    %v7 = addi %io, %b1 : tile<2xi32>
    %r3 = reshape %v7 : tile<2xi32> -> tile<1x2xi32>
    %n, %n1, %n2 = get_index_space_shape %q_t : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>> -> tile<i32>
    %c3 = constant <f32: 0.0> : tile<2x4xf32>
    %c4 = constant <i32: 1> : tile<i32>
    %l, %l1 = for %i in (%bx to %n1, step %c4) : tile<i32> iter_values(%it = %c3, %it1 = %c3) -> (tile<2x4xf32>, tile<2x4xf32>) {
      %x2, %k3 = load_view_tko weak %q_t[%by, %i, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
      %r4 = reshape %x2 : tile<1x2x4x!T> -> tile<2x4x!T>
      %x3, %k4 = load_view_tko weak %g_t[%by, %i, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
      %r5 = reshape %x3 : tile<1x2x4x!T> -> tile<2x4x!T>
      %x4, %k5 = load_view_tko weak %o_t[%by, %i, %c1] : partition_view<tile=(1x2x4), padding_value = zero, tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> tile<1x2x4x!T>, token
      %r6 = reshape %x4 : tile<1x2x4x!T> -> tile<2x4x!T>
      %x5, %k6 = load_view_tko weak %lse_t[%by, %i] : partition_view<tile=(1x2), padding_value = zero, !Rows>, tile<i32> -> tile<1x2x!T>, token
      %r7 = reshape %x5 : tile<1x2x!T> -> tile<2x!T>
      %io1 = iota : tile<2xi32>
      %v8 = muli %i, %c2 : tile<i32>
      %r8 = reshape %v8 : tile<i32> -> tile<1xi32>
      %b2 = broadcast %r8 : tile<1xi32> -> tile<2xi32>
      %v9 = addi %io1, %b2 : tile<2xi32>
      %r9 = reshape %v9 : tile<2xi32> -> tile<2x1xi32>
      %v10 = mulf %r6, %r5 : tile<2x4x!T>
      %s = reduce %v10 dim=1 identities=[0.0 : !T] : tile<2x4x!T> -> tile<2x!T> (%acc: tile<!T>, %el: tile<!T>) {
        %u = addf %acc, %el : tile<!T>
        yield %u : tile<!T>
      }
      %r10 = reshape %t : tile<i32> -> tile<1x1xi32>
      %b3 = broadcast %r10 : tile<1x1xi32> -> tile<2x1xi32>
      %p = cmpi less_than %r9, %b3, signed : tile<2x1xi32> -> tile<2x1xi1>
      %c5 = constant <f32: 0.0> : tile<2x2xf32>
      %d = mmaf %r4, %r, %c5 : tile<2x4x!T>, tile<4x2x!T>, tile<2x2xf32>
      %c6 = constant <f32: 0.5> : tile<2x2xf32>
      %v11 = mulf %d, %c6 : tile<2x2xf32>
      %b4 = broadcast %r9 : tile<2x1xi32> -> tile<2x2xi32>
      %b5 = broadcast %r3 : tile<1x2xi32> -> tile<2x2xi32>
      %p1 = cmpi greater_than_or_equal %b4, %b5, signed : tile<2x2xi32> -> tile<2x2xi1>
      %r11 = reshape %r7 : tile<2x!T> -> tile<2x1x!T>
      %b6 = broadcast %r11 : tile<2x1x!T> -> tile<2x2x!T>
      %v12 = subf %v11, %b6 : tile<2x2xf32>
      %v13 = exp %v12 : tile<2x2xf32>
      %w = select %p1, %v13, %c5 : tile<2x2xi1>, tile<2x2xf32>
      %b7 = broadcast %p : tile<2x1xi1> -> tile<2x2xi1>
      %w1 = select %b7, %w, %c5 : tile<2x2xi1>, tile<2x2xf32>
      %d1 = mmaf %r5, %r1, %c5 : tile<2x4x!T>, tile<4x2x!T>, tile<2x2xf32>
      %r12 = reshape %s : tile<2x!T> -> tile<2x1x!T>
      %b8 = broadcast %r12 : tile<2x1x!T> -> tile<2x2x!T>
      %v14 = subf %d1, %b8 : tile<2x2xf32>
      %v15 = mulf %w1, %v14 : tile<2x2xf32>
      %v16 = mulf %v15, %c6 : tile<2x2xf32>
      %t1 = permute %v16 [1, 0] : tile<2x2xf32> -> tile<2x2xf32>
      %d2 = mmaf %t1, %r4, %it : tile<2x2xf32>, tile<2x4x!T>, tile<2x4xf32>
      %t2 = permute %w1 [1, 0] : tile<2x2xf32> -> tile<2x2xf32>
      %d3 = mmaf %t2, %r5, %it1 : tile<2x2xf32>, tile<2x4x!T>, tile<2x4xf32>
      continue %d2, %d3 : tile<2x4xf32>, tile<2x4xf32>
    }
    %v17 = muli %t, %c : tile<i32>
    %dk_v = make_tensor_view %dk, shape = [%b, %t, 4], strides = [%v17, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %dk_t = make_partition_view %dk_v : partition_view<tile=(1x2x4), tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %r13 = reshape %l : tile<2x4xf32> -> tile<1x2x4xf32>
    %k7 = store_view_tko weak %r13, %dk_t[%by, %bx, %c1] : tile<1x2x4xf32>, partition_view<tile=(1x2x4), tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> token
    %v18 = muli %t, %c : tile<i32>
    %dv_v = make_tensor_view %dv, shape = [%b, %t, 4], strides = [%v18, 4, 1] : tile<i32> -> tensor_view<?x?x4x!T, strides=[?, 4, 1]>
    %dv_t = make_partition_view %dv_v : partition_view<tile=(1x2x4), tensor_view<?x?x4x!T, strides=[?, 4, 1]>>
    %r14 = reshape %l1 : tile<2x4xf32> -> tile<1x2x4xf32>
    %k8 = store_view_tko weak %r14, %dv_t[%by, %bx, %c1] : tile<1x2x4xf32>, partition_view<tile=(1x2x4), tensor_view<?x?x4x!T, strides=[?, 4, 1]>>, tile<i32> -> token
  }
  // The gradients of silu(a)·b.
// CASE @silu_multiply_backward grid=4: 15xf32=1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125 15xf32=-0.375,0.25,2,-0.125,0.5,0.125,1.25,-1,-1.625,0.75,1.625,1.25,2,-1,-0.875 15xf32=2,-1.875,1.5,-0.625,-2,-0.875,-0.625,-0.875,1.75,-1.125,-1.625,0.5,1.75,-1.25,-1.625 out0 out1 i32=15 -> 15xf32=-0.7941308108578937,-0.052743288344359374,3.218036838134871,0.06582812066380887,-0.11251901513463332,-0.007911037764056137,0.06499583435683733,-0.07943621768678354,-0.01797009727208026,-0.061028005608433064,-2.692587655545964,0.16252425793584263,1.108812467266256,-0.10399333497093974,0.7995738037936208 15xf32=2.71532149558617,0.4826964387049034,2.236376105166815,-0.31836501523846544,0.5148762012852304,0.2353237436987457,0.15581746898183116,0.2086051135387057,-0.4871565536803631,0.3025590990412445,-1.783448581511966,-0.09438516719953635,-0.26731254378014174,0.3116349379636623,-0.10790190396654424
  entry @silu_multiply_backward(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %g: tile<ptr<!T>>, %da: tile<ptr<!T>>, %db: tile<ptr<!T>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !List
    %a_t = make_partition_view %a_v : partition_view<tile=(4), padding_value = zero, !List>
    %x, %k = load_view_tko weak %a_t[%bx] : partition_view<tile=(4), padding_value = zero, !List>, tile<i32> -> tile<4x!T>, token
    %b_v = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !List
    %b_t = make_partition_view %b_v : partition_view<tile=(4), padding_value = zero, !List>
    %x1, %k1 = load_view_tko weak %b_t[%bx] : partition_view<tile=(4), padding_value = zero, !List>, tile<i32> -> tile<4x!T>, token
    %g_v = make_tensor_view %g, shape = [%n], strides = [1] : tile<i32> -> !List
    %g_t = make_partition_view %g_v : partition_view<tile=(4), padding_value = zero, !List>
    %x2, %k2 = load_view_tko weak %g_t[%bx] : partition_view<tile=(4), padding_value = zero, !List>, tile<i32> -> tile<4x!T>, token
    %c = constant <f32: 1.0> : tile<4xf32>
    %v = negf %x : tile<4x!T>
    %v1 = exp %v : tile<4x!T>
    %v2 = addf %c, %v1 : tile<4xf32>
    %v3 = divf %c, %v2 : tile<4xf32>
    %v4 = mulf %x, %v3 : tile<4x!T>
    %da_v = make_tensor_view %da, shape = [%n], strides = [1] : tile<i32> -> !List
    %da_t = make_partition_view %da_v : partition_view<tile=(4), !List>
    %v5 = mulf %x2, %x1 : tile<4x!T>
    %v6 = subf %c, %v3 : tile<4xf32>
    %v7 = mulf %v4, %v6 : tile<4x!T>
    %v8 = addf %v3, %v7 : tile<4xf32>
    %v9 = mulf %v5, %v8 : tile<4x!T>
    %k3 = store_view_tko weak %v9, %da_t[%bx] : tile<4x!T>, partition_view<tile=(4), !List>, tile<i32> -> token
    %db_v = make_tensor_view %db, shape = [%n], strides = [1] : tile<i32> -> !List
    %db_t = make_partition_view %db_v : partition_view<tile=(4), !List>
    %v10 = mulf %x2, %v4 : tile<4x!T>
    %k4 = store_view_tko weak %v10, %db_t[%bx] : tile<4x!T>, partition_view<tile=(4), !List>, tile<i32> -> token
  }
  // The gradient of gelu with tanh.
// CASE @gelu_backward grid=4: 15xf32=1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125 15xf32=2,-1.875,1.5,-0.625,-2,-0.875,-0.625,-0.875,1.75,-1.125,-1.625,0.5,1.75,-1.25,-1.625 out0 i32=15 -> 15xf32=2.2430290043188172,0.08797104095054713,1.6673954701085543,-0.6243364156741565,0.09383577701391693,0.07259357936188882,0.06211734798861919,0.07533684764163885,-0.21436211282532788,0.09333460203671418,-1.8339646879801819,0.0663150439431813,0.3752775261814049,0.12423469597723838,-0.973725039541188
  entry @gelu_backward(%a: tile<ptr<!T>>, %g: tile<ptr<!T>>, %da: tile<ptr<!T>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !List
    %a_t = make_partition_view %a_v : partition_view<tile=(4), padding_value = zero, !List>
    %x, %k = load_view_tko weak %a_t[%bx] : partition_view<tile=(4), padding_value = zero, !List>, tile<i32> -> tile<4x!T>, token
    %g_v = make_tensor_view %g, shape = [%n], strides = [1] : tile<i32> -> !List
    %g_t = make_partition_view %g_v : partition_view<tile=(4), padding_value = zero, !List>
    %x1, %k1 = load_view_tko weak %g_t[%bx] : partition_view<tile=(4), padding_value = zero, !List>, tile<i32> -> tile<4x!T>, token
    %v = mulf %x, %x : tile<4x!T>
    %v1 = mulf %x, %v : tile<4x!T>
    %c = constant <!T: 0.044714998453855515> : tile<4x!T>
    %v2 = mulf %v1, %c : tile<4x!T>
    %v3 = addf %x, %v2 : tile<4x!T>
    %c1 = constant <!T: 0.7978845834732056> : tile<4x!T>
    %v4 = mulf %v3, %c1 : tile<4x!T>
    %v5 = tanh %v4 : tile<4x!T>
    %c2 = constant <f32: 1.0> : tile<4xf32>
    %v6 = addf %c2, %v5 : tile<4xf32>
    %c3 = constant <f32: 0.5> : tile<4xf32>
    %v7 = mulf %v6, %c3 : tile<4xf32>
    %c4 = constant <!T: 0.5> : tile<4x!T>
    %v8 = mulf %x, %c4 : tile<4x!T>
    %v9 = mulf %v5, %v5 : tile<4x!T>
    %v10 = subf %c2, %v9 : tile<4xf32>
    %v11 = mulf %v8, %v10 : tile<4x!T>
    %c5 = constant <!T: 0.13414500653743744> : tile<4x!T>
    %v12 = mulf %v, %c5 : tile<4x!T>
    %v13 = addf %c2, %v12 : tile<4xf32>
    %c6 = constant <f32: 0.7978845834732056> : tile<4xf32>
    %v14 = mulf %v13, %c6 : tile<4xf32>
    %v15 = mulf %v11, %v14 : tile<4x!T>
    %v16 = addf %v7, %v15 : tile<4xf32>
    %da_v = make_tensor_view %da, shape = [%n], strides = [1] : tile<i32> -> !List
    %da_t = make_partition_view %da_v : partition_view<tile=(4), !List>
    %v17 = mulf %x1, %v16 : tile<4x!T>
    %k2 = store_view_tko weak %v17, %da_t[%bx] : tile<4x!T>, partition_view<tile=(4), !List>, tile<i32> -> token
  }
  // Rotary positions: halves are extracted, rotated by angles that the kernel computes, and joined.
// CASE @rotate grid=3: 3x8xf32=-0.125,-0.5,0.125,-1.75,-1.25,2,1.5,-1.875,-1.5,1.5,0.5,2,2,-0.5,0.125,1.5,2,1.75,2,-0.125,0.125,-0.5,1.5,-1 out0 i32=3 i32=2 -> 3x8xf32=1.188640138100495,-0.8873719687216274,0.09497699785303776,-1.7462465019496434,0.40652136733071775,1.8607984816006014,1.5021998435224335,-1.8784962481806113,1.2027487287809338,1.5807648375238899,0.49602557893831645,1.9954910060935123,-2.191665005290692,-0.034387911365331925,0.13994150577619197,1.5059932418838746,-1.2126869298137328,1.8065659063346453,1.9384162058616559,-0.12099901008050674,-1.5953104432238079,0.2209516373989594,1.5787788359529344,-1.0004919987483845
  entry @rotate(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %t: tile<i32>, %from: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%t, 8], strides = [8, 1] : tile<i32> -> tensor_view<?x8x!T, strides=[8, 1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(1x8), padding_value = zero, tensor_view<?x8x!T, strides=[8, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %x_t[%bx, %c] : partition_view<tile=(1x8), padding_value = zero, tensor_view<?x8x!T, strides=[8, 1]>>, tile<i32> -> tile<1x8x!T>, token
    %ex = extract %x1[%c, %c] : tile<1x8x!T> -> tile<1x4x!T>
    %c1 = constant <i32: 1> : tile<i32>
    %ex1 = extract %x1[%c, %c1] : tile<1x8x!T> -> tile<1x4x!T>
    %io = iota : tile<4xi32>
    %x2 = itof %io signed : tile<4xi32> -> tile<4xf32>
    %c2 = constant <f32: -3.321928094887362> : tile<4xf32>
    %v = mulf %x2, %c2 : tile<4xf32>
    %v1 = exp2 %v : tile<4xf32>
    %v2 = addi %bx, %from : tile<i32>
    %x3 = itof %v2 signed : tile<i32> -> tile<f32>
    %r = reshape %x3 : tile<f32> -> tile<1xf32>
    %b = broadcast %r : tile<1xf32> -> tile<4xf32>
    %v3 = mulf %b, %v1 : tile<4xf32>
    %r1 = reshape %v3 : tile<4xf32> -> tile<1x4xf32>
    %v4 = cos %r1 : tile<1x4xf32>
    %v5 = sin %r1 : tile<1x4xf32>
    %y_v = make_tensor_view %y, shape = [%t, 8], strides = [8, 1] : tile<i32> -> tensor_view<?x8x!T, strides=[8, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x8), tensor_view<?x8x!T, strides=[8, 1]>>
    %v6 = mulf %ex, %v4 : tile<1x4x!T>
    %v7 = mulf %ex1, %v5 : tile<1x4x!T>
    %v8 = subf %v6, %v7 : tile<1x4x!T>
    %v9 = mulf %ex1, %v4 : tile<1x4x!T>
    %v10 = mulf %ex, %v5 : tile<1x4x!T>
    %v11 = addf %v9, %v10 : tile<1x4x!T>
    %cat = cat %v8, %v11 dim = 1 : tile<1x4x!T>, tile<1x4x!T> -> tile<1x8x!T>
    %k1 = store_view_tko weak %cat, %y_t[%bx, %c] : tile<1x8x!T>, partition_view<tile=(1x8), tensor_view<?x8x!T, strides=[8, 1]>>, tile<i32> -> token
  }
}
