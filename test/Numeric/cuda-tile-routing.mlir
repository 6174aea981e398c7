// Rows that numbers name, in CUDA Tile IR: experts of tokens, tables and their gradients, sparse matrices.
// TYPES: f32
!Rows = !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>

cuda_tile.module @routing {
  // The two experts of each token, their weights, and how many tokens each expert has.
// CASE @choose grid=2 K=8: 5x6xf32=0.5,-1,0.875,0.125,-0.625,-0.25,-0.25,0.125,-0.625,0.875,0.5,-1,-0.25,0.875,0.125,-1,-0.625,0.5,-0.25,0.875,0.5,-0.625,-1,0.125,-0.625,-0.25,0.125,0.875,0.5,-1 out0 out1 out2 i32=5 i32=6 -> 5x2xf32=0.5926665999540697,0.4073334000459302,0.5926665999540697,0.4073334000459302,0.5926665999540697,0.4073334000459302,0.5926665999540697,0.4073334000459302,0.5926665999540697,0.4073334000459302 5x2xi32=2,0,3,4,1,5,1,2,3,4 6xi32=1,2,2,2,2,1|0
  entry @choose(%x: tile<ptr<!T>>, %w: tile<ptr<!T>>, %ids: tile<ptr<i32>>, %counts: tile<ptr<i32>>, %t: tile<i32>, %e: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%t, %e], strides = [%e, 1] : tile<i32> -> !Rows
    %x_t = make_partition_view %x_v : partition_view<tile=(4x8), padding_value = neg_inf, !Rows>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %x_t[%bx, %c] : partition_view<tile=(4x8), padding_value = neg_inf, !Rows>, tile<i32> -> tile<4x8x!T>, token
    %io = iota : tile<8xi32>
    %r = reshape %io : tile<8xi32> -> tile<1x8xi32>
    %b = broadcast %r : tile<1x8xi32> -> tile<4x8xi32>
    %s, %s1 = reduce %x1, %b dim=1 identities=[0xFF800000 : !T, 0 : i32] : tile<4x8x!T>, tile<4x8xi32> -> tile<4x!T>, tile<4xi32> (%acc: tile<!T>, %el: tile<!T>, %acc1: tile<i32>, %el1: tile<i32>) {
      %p = cmpf greater_than ordered %el, %acc : tile<!T> -> tile<i1>
      %w1 = select %p, %el, %acc : tile<i1>, tile<!T>
      %w2 = select %p, %el1, %acc1 : tile<i1>, tile<i32>
      yield %w1, %w2 : tile<!T>, tile<i32>
    }
    %r1 = reshape %s1 : tile<4xi32> -> tile<4x1xi32>
    %b1 = broadcast %r1 : tile<4x1xi32> -> tile<4x8xi32>
    %p1 = cmpi equal %b, %b1, signed : tile<4x8xi32> -> tile<4x8xi1>
    %c1 = constant <f32: 0xFF800000> : tile<4x8xf32>
    %w3 = select %p1, %c1, %x1 : tile<4x8xi1>, tile<4x8xf32>
    %s2, %s3 = reduce %w3, %b dim=1 identities=[0xFF800000 : f32, 0 : i32] : tile<4x8xf32>, tile<4x8xi32> -> tile<4xf32>, tile<4xi32> (%acc2: tile<f32>, %el2: tile<f32>, %acc3: tile<i32>, %el3: tile<i32>) {
      %p2 = cmpf greater_than ordered %el2, %acc2 : tile<f32> -> tile<i1>
      %w4 = select %p2, %el2, %acc2 : tile<i1>, tile<f32>
      %w5 = select %p2, %el3, %acc3 : tile<i1>, tile<i32>
      yield %w4, %w5 : tile<f32>, tile<i32>
    }
    %v = subf %s2, %s : tile<4xf32>
    %v1 = exp %v : tile<4xf32>
    %c2 = constant <f32: 1.0> : tile<4xf32>
    %v2 = addf %c2, %v1 : tile<4xf32>
    %w_v = make_tensor_view %w, shape = [%t, 2], strides = [2, 1] : tile<i32> -> tensor_view<?x2x!T, strides=[2, 1]>
    %w_t = make_partition_view %w_v : partition_view<tile=(4x2), tensor_view<?x2x!T, strides=[2, 1]>>
    %v3 = divf %c2, %v2 : tile<4xf32>
    %r2 = reshape %v3 : tile<4xf32> -> tile<4x1xf32>
    %v4 = divf %v1, %v2 : tile<4xf32>
    %r3 = reshape %v4 : tile<4xf32> -> tile<4x1xf32>
    %cat = cat %r2, %r3 dim = 1 : tile<4x1xf32>, tile<4x1xf32> -> tile<4x2xf32>
    %k1 = store_view_tko weak %cat, %w_t[%bx, %c] : tile<4x2xf32>, partition_view<tile=(4x2), tensor_view<?x2x!T, strides=[2, 1]>>, tile<i32> -> token
    %r4 = reshape %s1 : tile<4xi32> -> tile<4x1xi32>
    %r5 = reshape %s3 : tile<4xi32> -> tile<4x1xi32>
    %cat1 = cat %r4, %r5 dim = 1 : tile<4x1xi32>, tile<4x1xi32> -> tile<4x2xi32>
    %ids_v = make_tensor_view %ids, shape = [%t, 2], strides = [2, 1] : tile<i32> -> tensor_view<?x2xi32, strides=[2, 1]>
    %ids_t = make_partition_view %ids_v : partition_view<tile=(4x2), tensor_view<?x2xi32, strides=[2, 1]>>
    %k2 = store_view_tko weak %cat1, %ids_t[%bx, %c] : tile<4x2xi32>, partition_view<tile=(4x2), tensor_view<?x2xi32, strides=[2, 1]>>, tile<i32> -> token
    %io1 = iota : tile<4xi32>
    %c3 = constant <i32: 4> : tile<i32>
    %v5 = muli %bx, %c3 : tile<i32>
    %r6 = reshape %v5 : tile<i32> -> tile<1xi32>
    %b2 = broadcast %r6 : tile<1xi32> -> tile<4xi32>
    %v6 = addi %io1, %b2 : tile<4xi32>
    %r7 = reshape %t : tile<i32> -> tile<1xi32>
    %b3 = broadcast %r7 : tile<1xi32> -> tile<4xi32>
    %p3 = cmpi less_than %v6, %b3, signed : tile<4xi32> -> tile<4xi1>
    %r8 = reshape %p3 : tile<4xi1> -> tile<4x1xi1>
    %b4 = broadcast %r8 : tile<4x1xi1> -> tile<4x2xi1>
    %r9 = reshape %counts : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %b5 = broadcast %r9 : tile<1x1xptr<i32>> -> tile<4x2xptr<i32>>
    %p4 = offset %b5, %cat1 : tile<4x2xptr<i32>>, tile<4x2xi32> -> tile<4x2xptr<i32>>
    %c4 = constant <i32: 1> : tile<4x2xi32>
    %old, %k3 = atomic_rmw_tko relaxed device %p4, add, %c4, %b4 : tile<4x2xptr<i32>>, tile<4x2xi32>, tile<4x2xi1> -> tile<4x2xi32>, token
  }
  // Where each choice goes when sorted by expert: one block, offsets by a scan, places by counting those before.
// CASE @arrange grid=1: 10xi32=2,0,3,4,1,5,1,2,3,4 6xi32=1,2,2,2,2,1 out0 out1 i32=10 i32=6 -> 6xi32=0,1,3,5,7,9 10xi32=1,4,6,0,7,2,8,3,9,5
  entry @arrange(%ids: tile<ptr<i32>>, %counts: tile<ptr<i32>>, %at: tile<ptr<i32>>, %rows: tile<ptr<i32>>, %n: tile<i32>, %e: tile<i32>) {
    %counts_v = make_tensor_view %counts, shape = [%e], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %counts_t = make_partition_view %counts_v : partition_view<tile=(8), padding_value = zero, tensor_view<?xi32, strides=[1]>>
    %c = constant <i32: 0> : tile<i32>
    %x, %k = load_view_tko weak %counts_t[%c] : partition_view<tile=(8), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %s = scan %x dim=0 reverse=false identities=[0 : i32] : tile<8xi32> -> tile<8xi32> (%acc: tile<i32>, %el: tile<i32>) {
      %u = addi %acc, %el : tile<i32>
      yield %u : tile<i32>
    }
    %v = subi %s, %x : tile<8xi32>
    %at_v = make_tensor_view %at, shape = [%e], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %at_t = make_partition_view %at_v : partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>
    %k1 = store_view_tko weak %v, %at_t[%c] : tile<8xi32>, partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
    %io = iota : tile<16xi32>
    %r = reshape %n : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<16xi32>
    %p = cmpi less_than %io, %b, signed : tile<16xi32> -> tile<16xi1>
    %r1 = reshape %ids : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b1 = broadcast %r1 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %p1 = offset %b1, %io : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %c1 = constant <i32: -1> : tile<16xi32>
    %x1, %k2 = load_ptr_tko weak %p1, %p, %c1 : tile<16xptr<i32>>, tile<16xi1>, tile<16xi32> -> tile<16xi32>, token
    %r2 = reshape %x1 : tile<16xi32> -> tile<16x1xi32>
    %r3 = reshape %x1 : tile<16xi32> -> tile<1x16xi32>
    %b2 = broadcast %r2 : tile<16x1xi32> -> tile<16x16xi32>
    %b3 = broadcast %r3 : tile<1x16xi32> -> tile<16x16xi32>
    %p2 = cmpi equal %b2, %b3, signed : tile<16x16xi32> -> tile<16x16xi1>
    %r4 = reshape %io : tile<16xi32> -> tile<1x16xi32>
    %r5 = reshape %io : tile<16xi32> -> tile<16x1xi32>
    %b4 = broadcast %r4 : tile<1x16xi32> -> tile<16x16xi32>
    %b5 = broadcast %r5 : tile<16x1xi32> -> tile<16x16xi32>
    %p3 = cmpi less_than %b4, %b5, signed : tile<16x16xi32> -> tile<16x16xi1>
    %v1 = andi %p2, %p3 : tile<16x16xi1>
    %x2 = exti %v1 unsigned : tile<16x16xi1> -> tile<16x16xi32>
    %s1 = reduce %x2 dim=1 identities=[0 : i32] : tile<16x16xi32> -> tile<16xi32> (%acc1: tile<i32>, %el1: tile<i32>) {
      %u1 = addi %acc1, %el1 : tile<i32>
      yield %u1 : tile<i32>
    }
    %r6 = reshape %x1 : tile<16xi32> -> tile<16x1xi32>
    %io1 = iota : tile<8xi32>
    %r7 = reshape %io1 : tile<8xi32> -> tile<1x8xi32>
    %b6 = broadcast %r6 : tile<16x1xi32> -> tile<16x8xi32>
    %b7 = broadcast %r7 : tile<1x8xi32> -> tile<16x8xi32>
    %p4 = cmpi equal %b6, %b7, signed : tile<16x8xi32> -> tile<16x8xi1>
    %r8 = reshape %v : tile<8xi32> -> tile<1x8xi32>
    %b8 = broadcast %r8 : tile<1x8xi32> -> tile<16x8xi32>
    %c2 = constant <i32: 0> : tile<16x8xi32>
    %w = select %p4, %b8, %c2 : tile<16x8xi1>, tile<16x8xi32>
    %s2 = reduce %w dim=1 identities=[0 : i32] : tile<16x8xi32> -> tile<16xi32> (%acc2: tile<i32>, %el2: tile<i32>) {
      %u2 = addi %acc2, %el2 : tile<i32>
      yield %u2 : tile<i32>
    }
    %v2 = addi %s2, %s1 : tile<16xi32>
    %r9 = reshape %rows : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b9 = broadcast %r9 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %p5 = offset %b9, %v2 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %k3 = store_ptr_tko weak %p5, %io, %p : tile<16xptr<i32>>, tile<16xi32>, tile<16xi1> -> token
  }
  // Adds the weighted rows of the experts to their tokens by atomics.
// CASE @combine grid=3 K=4: 10x4xf32=1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625 10xi32=1,4,6,0,7,2,8,3,9,5 10xf32=0.59375,0.40625,0.59375,0.40625,0.59375,0.40625,0.59375,0.40625,0.59375,0.40625 out0 i32=10 -> 5x4xf32=0.16015625,-0.140625,-0.84375,-1.6015625,-0.26171875,1.1171875,1.7265625,0.7734375,0.21875,0.65625,0.4375,-0.265625,-1.328125,0.0703125,0.390625,-0.18359375,0.83203125,0.02734375,-0.98046875,-0.53125|0
  entry @combine(%x: tile<ptr<!T>>, %rows: tile<ptr<i32>>, %w: tile<ptr<!T>>, %y: tile<ptr<!T>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %io = iota : tile<4xi32>
    %c = constant <i32: 4> : tile<i32>
    %v = muli %bx, %c : tile<i32>
    %r = reshape %v : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<4xi32>
    %v1 = addi %io, %b : tile<4xi32>
    %r1 = reshape %n : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r1 : tile<1xi32> -> tile<4xi32>
    %p = cmpi less_than %v1, %b1, signed : tile<4xi32> -> tile<4xi1>
    %r2 = reshape %rows : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b2 = broadcast %r2 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p1 = offset %b2, %v1 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %c1 = constant <i32: 0> : tile<4xi32>
    %x1, %k = load_ptr_tko weak %p1, %p, %c1 : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    %r3 = reshape %w : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b3 = broadcast %r3 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %p2 = offset %b3, %x1 : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %c2 = constant <!T: 0.0> : tile<4x!T>
    %x2, %k1 = load_ptr_tko weak %p2, %p, %c2 : tile<4xptr<!T>>, tile<4xi1>, tile<4x!T> -> tile<4x!T>, token
    %x_v = make_tensor_view %x, shape = [%n, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4x!T, strides=[4, 1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(4x4), padding_value = zero, tensor_view<?x4x!T, strides=[4, 1]>>
    %c3 = constant <i32: 0> : tile<i32>
    %x3, %k2 = load_view_tko weak %x_t[%bx, %c3] : partition_view<tile=(4x4), padding_value = zero, tensor_view<?x4x!T, strides=[4, 1]>>, tile<i32> -> tile<4x4x!T>, token
    %c4 = constant <i32: 2> : tile<4xi32>
    %v2 = divi %x1, %c4 signed : tile<4xi32>
    %c5 = constant <i32: 4> : tile<4xi32>
    %v3 = muli %v2, %c5 : tile<4xi32>
    %r4 = reshape %v3 : tile<4xi32> -> tile<4x1xi32>
    %io1 = iota : tile<4xi32>
    %r5 = reshape %io1 : tile<4xi32> -> tile<1x4xi32>
    %b4 = broadcast %r4 : tile<4x1xi32> -> tile<4x4xi32>
    %b5 = broadcast %r5 : tile<1x4xi32> -> tile<4x4xi32>
    %v4 = addi %b4, %b5 : tile<4x4xi32>
    %r6 = reshape %y : tile<ptr<!T>> -> tile<1x1xptr<!T>>
    %b6 = broadcast %r6 : tile<1x1xptr<!T>> -> tile<4x4xptr<!T>>
    %p3 = offset %b6, %v4 : tile<4x4xptr<!T>>, tile<4x4xi32> -> tile<4x4xptr<!T>>
    %r7 = reshape %x2 : tile<4x!T> -> tile<4x1x!T>
    %b7 = broadcast %r7 : tile<4x1x!T> -> tile<4x4x!T>
    %v5 = mulf %x3, %b7 : tile<4x4x!T>
    %r8 = reshape %p : tile<4xi1> -> tile<4x1xi1>
    %b8 = broadcast %r8 : tile<4x1xi1> -> tile<4x4xi1>
    %old, %k3 = atomic_rmw_tko relaxed device %p3, addf, %v5, %b8 : tile<4x4xptr<!T>>, tile<4x4x!T>, tile<4x4xi1> -> tile<4x4x!T>, token
  }
  // Sums of rows of a table: lists of any length, four rows at a time through a gather view.
// CASE @embedding_bag grid=3 K=8: 7x4xf32=-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625 8xi32=3,0,6,6,2,5,1,3 4xi32=0,3,3,8 out0 i32=3 i32=7 -> 3x4xf32=-1.5,2.5,1.625,-5,0,0,0,0,0.5,0.875,1.125,-3.125
  entry @embedding_bag(%table: tile<ptr<!T>>, %ids: tile<ptr<i32>>, %begins: tile<ptr<i32>>, %y: tile<ptr<!T>>, %b: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %p = offset %begins, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %x, %k = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %c = constant <i32: 1> : tile<i32>
    %v = addi %bx, %c : tile<i32>
    %p1 = offset %begins, %v : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %x1, %k1 = load_ptr_tko weak %p1 : tile<ptr<i32>> -> tile<i32>, token
    %table_v = make_tensor_view %table, shape = [%n, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4x!T, strides=[4, 1]>
    %table_g = make_gather_scatter_view %table_v : gather_scatter_view<tile=(4x4), padding_value = zero, tensor_view<?x4x!T, strides=[4, 1]>, sparse_dim = 0>
    %c1 = constant <f32: 0.0> : tile<4xf32>
    %c2 = constant <i32: 4> : tile<i32>
    %l = for %i in (%x to %x1, step %c2) : tile<i32> iter_values(%it = %c1) -> (tile<4xf32>) {
      %io = iota : tile<4xi32>
      %r = reshape %i : tile<i32> -> tile<1xi32>
      %b1 = broadcast %r : tile<1xi32> -> tile<4xi32>
      %v1 = addi %io, %b1 : tile<4xi32>
      %r1 = reshape %ids : tile<ptr<i32>> -> tile<1xptr<i32>>
      %b2 = broadcast %r1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
      %p2 = offset %b2, %v1 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
      %r2 = reshape %x1 : tile<i32> -> tile<1xi32>
      %b3 = broadcast %r2 : tile<1xi32> -> tile<4xi32>
      %p3 = cmpi less_than %v1, %b3, signed : tile<4xi32> -> tile<4xi1>
      %c3 = constant <i32: 1000> : tile<4xi32>
      %x2, %k2 = load_ptr_tko weak %p2, %p3, %c3 : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
      %c4 = constant <i32: 0> : tile<i32>
      %x3, %k3 = load_view_tko weak %table_g[%x2, %c4] : gather_scatter_view<tile=(4x4), padding_value = zero, tensor_view<?x4x!T, strides=[4, 1]>, sparse_dim = 0>, tile<4xi32>, tile<i32> -> tile<4x4x!T>, token
      %s = reduce %x3 dim=0 identities=[0.0 : !T] : tile<4x4x!T> -> tile<4x!T> (%acc: tile<!T>, %el: tile<!T>) {
        %u = addf %acc, %el : tile<!T>
        yield %u : tile<!T>
      }
      %v2 = addf %it, %s : tile<4xf32>
      continue %v2 : tile<4xf32>
    }
    %y_v = make_tensor_view %y, shape = [%b, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4x!T, strides=[4, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x4), tensor_view<?x4x!T, strides=[4, 1]>>
    %r3 = reshape %l : tile<4xf32> -> tile<1x4xf32>
    %c5 = constant <i32: 0> : tile<i32>
    %k4 = store_view_tko weak %r3, %y_t[%bx, %c5] : tile<1x4xf32>, partition_view<tile=(1x4), tensor_view<?x4x!T, strides=[4, 1]>>, tile<i32> -> token
  }
  // The gradient of a table: rows that several tokens name are added up by atomics.
// CASE @embedding_backward grid=2 K=8: 8x4xf32=-0.375,0.25,-1,-0.125,1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25,0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875 8xi32=3,0,6,6,2,5,1,3 out0 i32=8 -> 7x4xf32=1.125,1.125,1.875,-1.375,-0.25,-2,1.875,-0.625,0.75,1,-0.25,-0.875,-0.25,0.5,-3,-1,0,0,0,0,-1.375,-0.625,-0.875,-0.25,-1.75,2.875,1.25,1.375|0
  entry @embedding_backward(%g: tile<ptr<!T>>, %ids: tile<ptr<i32>>, %table: tile<ptr<!T>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %io = iota : tile<4xi32>
    %c = constant <i32: 4> : tile<i32>
    %v = muli %bx, %c : tile<i32>
    %r = reshape %v : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<4xi32>
    %v1 = addi %io, %b : tile<4xi32>
    %r1 = reshape %ids : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b1 = broadcast %r1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p = offset %b1, %v1 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r2 = reshape %n : tile<i32> -> tile<1xi32>
    %b2 = broadcast %r2 : tile<1xi32> -> tile<4xi32>
    %p1 = cmpi less_than %v1, %b2, signed : tile<4xi32> -> tile<4xi1>
    %c1 = constant <i32: 0> : tile<4xi32>
    %x, %k = load_ptr_tko weak %p, %p1, %c1 : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    %g_v = make_tensor_view %g, shape = [%n, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4x!T, strides=[4, 1]>
    %g_t = make_partition_view %g_v : partition_view<tile=(4x4), padding_value = zero, tensor_view<?x4x!T, strides=[4, 1]>>
    %c2 = constant <i32: 0> : tile<i32>
    %x1, %k1 = load_view_tko weak %g_t[%bx, %c2] : partition_view<tile=(4x4), padding_value = zero, tensor_view<?x4x!T, strides=[4, 1]>>, tile<i32> -> tile<4x4x!T>, token
    %c3 = constant <i32: 4> : tile<4xi32>
    %v2 = muli %x, %c3 : tile<4xi32>
    %r3 = reshape %v2 : tile<4xi32> -> tile<4x1xi32>
    %io1 = iota : tile<4xi32>
    %r4 = reshape %io1 : tile<4xi32> -> tile<1x4xi32>
    %b3 = broadcast %r3 : tile<4x1xi32> -> tile<4x4xi32>
    %b4 = broadcast %r4 : tile<1x4xi32> -> tile<4x4xi32>
    %v3 = addi %b3, %b4 : tile<4x4xi32>
    %r5 = reshape %table : tile<ptr<!T>> -> tile<1x1xptr<!T>>
    %b5 = broadcast %r5 : tile<1x1xptr<!T>> -> tile<4x4xptr<!T>>
    %p2 = offset %b5, %v3 : tile<4x4xptr<!T>>, tile<4x4xi32> -> tile<4x4xptr<!T>>
    %old, %k2 = atomic_rmw_tko relaxed device %p2, addf, %x1 : tile<4x4xptr<!T>>, tile<4x4x!T> -> tile<4x4x!T>, token
  }
  // A sparse matrix by rows times a vector: a loop as long as the row.
// CASE @sparse_rows grid=4 K=8: 5xi32=0,2,2,7,8 8xi32=1,4,0,2,3,5,1,5 8xf32=1.25,0.875,0.5,-1,2,-1.625,1.625,1.125 6xf32=1.125,1.125,1.125,-1.25,1.75,1.125 out0 -> 4xf32=2.9375,0,-3.0625,1.265625
  entry @sparse_rows(%begins: tile<ptr<i32>>, %columns: tile<ptr<i32>>, %values: tile<ptr<!T>>, %x: tile<ptr<!T>>, %y: tile<ptr<!T>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %p = offset %begins, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %x1, %k = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %c = constant <i32: 1> : tile<i32>
    %v = addi %bx, %c : tile<i32>
    %p1 = offset %begins, %v : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %x2, %k1 = load_ptr_tko weak %p1 : tile<ptr<i32>> -> tile<i32>, token
    %c1 = constant <f32: 0.0> : tile<4xf32>
    %c2 = constant <i32: 4> : tile<i32>
    %l = for %i in (%x1 to %x2, step %c2) : tile<i32> iter_values(%it = %c1) -> (tile<4xf32>) {
      %io = iota : tile<4xi32>
      %r = reshape %i : tile<i32> -> tile<1xi32>
      %b = broadcast %r : tile<1xi32> -> tile<4xi32>
      %v1 = addi %io, %b : tile<4xi32>
      %r1 = reshape %x2 : tile<i32> -> tile<1xi32>
      %b1 = broadcast %r1 : tile<1xi32> -> tile<4xi32>
      %p2 = cmpi less_than %v1, %b1, signed : tile<4xi32> -> tile<4xi1>
      %r2 = reshape %columns : tile<ptr<i32>> -> tile<1xptr<i32>>
      %b2 = broadcast %r2 : tile<1xptr<i32>> -> tile<4xptr<i32>>
      %p3 = offset %b2, %v1 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
      %c3 = constant <i32: 0> : tile<4xi32>
      %x3, %k2 = load_ptr_tko weak %p3, %p2, %c3 : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
      %r3 = reshape %values : tile<ptr<!T>> -> tile<1xptr<!T>>
      %b3 = broadcast %r3 : tile<1xptr<!T>> -> tile<4xptr<!T>>
      %p4 = offset %b3, %v1 : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
      %c4 = constant <!T: 0.0> : tile<4x!T>
      %x4, %k3 = load_ptr_tko weak %p4, %p2, %c4 : tile<4xptr<!T>>, tile<4xi1>, tile<4x!T> -> tile<4x!T>, token
      %r4 = reshape %x : tile<ptr<!T>> -> tile<1xptr<!T>>
      %b4 = broadcast %r4 : tile<1xptr<!T>> -> tile<4xptr<!T>>
      %p5 = offset %b4, %x3 : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
      %x5, %k4 = load_ptr_tko weak %p5, %p2, %c4 : tile<4xptr<!T>>, tile<4xi1>, tile<4x!T> -> tile<4x!T>, token
      %v2 = fma %x4, %x5, %it : tile<4x!T>
      continue %v2 : tile<4x!T>
    }
    %p6 = offset %y, %bx : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %s = reduce %l dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%acc: tile<f32>, %el: tile<f32>) {
      %u = addf %acc, %el : tile<f32>
      yield %u : tile<f32>
    }
    %k5 = store_ptr_tko weak %p6, %s : tile<ptr<!T>>, tile<f32> -> token
  }
}
