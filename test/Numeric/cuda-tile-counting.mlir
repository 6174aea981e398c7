// Counting, sorting and searching in CUDA Tile IR: histograms with an unknown number of bins, prefix sums over blocks,
// compaction, bitonic sort, largest numbers, binary search, segmented sums.
// TYPES: i32 i64
!List = !cuda_tile.tensor_view<?x!T, strides=[1]>

cuda_tile.module @counting {
  // Counts numbers below `bins`, which only the launch knows; others are not counted.
// CASE @histogram grid=4: 15xi32=3,0,7,7,2,-1,9,3,3,0,5,6,8,7,1 out0 i32=15 i32=7 -> 7xT=2,1,1,3,0,1,1|0
  entry @histogram(%x: tile<ptr<i32>>, %h: tile<ptr<!T>>, %n: tile<i32>, %bins: tile<i32>) {
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
    %r2 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b2 = broadcast %r2 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p1 = offset %b2, %v1 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %c1 = constant <i32: -1> : tile<4xi32>
    %x1, %k = load_ptr_tko weak %p1, %p, %c1 : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    %r3 = reshape %bins : tile<i32> -> tile<1xi32>
    %b3 = broadcast %r3 : tile<1xi32> -> tile<4xi32>
    %p2 = cmpi less_than %x1, %b3, unsigned : tile<4xi32> -> tile<4xi1>
    %r4 = reshape %h : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b4 = broadcast %r4 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %p3 = offset %b4, %x1 : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %c2 = constant <!T: 1> : tile<4x!T>
    %old, %k1 = atomic_rmw_tko relaxed device %p3, add, %c2, %p2 : tile<4xptr<!T>>, tile<4x!T>, tile<4xi1> -> tile<4x!T>, token
  }
  // Each block counts its share, eight bins at a time, by comparison, and adds the sums once.
// CASE @histogram_private grid=3: 15xi32=3,0,7,7,2,-1,9,3,3,0,5,6,8,7,1 out0 i32=15 i32=7 -> 7xT=2,1,1,3,0,1,1|0
  entry @histogram_private(%x: tile<ptr<i32>>, %h: tile<ptr<!T>>, %n: tile<i32>, %bins: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %c = constant <i32: 4> : tile<i32>
    %v = muli %nx, %c : tile<i32>
    %v1 = muli %bx, %c : tile<i32>
    %c1 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 8> : tile<i32>
    for %i in (%c1 to %bins, step %c2) : tile<i32> {
      %io = iota : tile<8xi32>
      %r = reshape %i : tile<i32> -> tile<1xi32>
      %b = broadcast %r : tile<1xi32> -> tile<8xi32>
      %v2 = addi %io, %b : tile<8xi32>
      %c3 = constant <!T: 0> : tile<8x!T>
      %l = for %i1 in (%v1 to %n, step %v) : tile<i32> iter_values(%it = %c3) -> (tile<8x!T>) {
        %io1 = iota : tile<4xi32>
        %r1 = reshape %i1 : tile<i32> -> tile<1xi32>
        %b1 = broadcast %r1 : tile<1xi32> -> tile<4xi32>
        %v3 = addi %io1, %b1 : tile<4xi32>
        %r2 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
        %b2 = broadcast %r2 : tile<1xptr<i32>> -> tile<4xptr<i32>>
        %p = offset %b2, %v3 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
        %r3 = reshape %n : tile<i32> -> tile<1xi32>
        %b3 = broadcast %r3 : tile<1xi32> -> tile<4xi32>
        %p1 = cmpi less_than %v3, %b3, signed : tile<4xi32> -> tile<4xi1>
        %c4 = constant <i32: -1> : tile<4xi32>
        %x1, %k = load_ptr_tko weak %p, %p1, %c4 : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
        %r4 = reshape %x1 : tile<4xi32> -> tile<4x1xi32>
        %r5 = reshape %v2 : tile<8xi32> -> tile<1x8xi32>
        %b4 = broadcast %r4 : tile<4x1xi32> -> tile<4x8xi32>
        %b5 = broadcast %r5 : tile<1x8xi32> -> tile<4x8xi32>
        %p2 = cmpi equal %b4, %b5, signed : tile<4x8xi32> -> tile<4x8xi1>
        %c5 = constant <!T: 1> : tile<4x8x!T>
        %c6 = constant <!T: 0> : tile<4x8x!T>
        %w = select %p2, %c5, %c6 : tile<4x8xi1>, tile<4x8x!T>
        %s = reduce %w dim=0 identities=[0 : !T] : tile<4x8x!T> -> tile<8x!T> (%acc: tile<!T>, %el: tile<!T>) {
          %u = addi %acc, %el : tile<!T>
          yield %u : tile<!T>
        }
        %v4 = addi %it, %s : tile<8x!T>
        continue %v4 : tile<8x!T>
      }
      %r6 = reshape %h : tile<ptr<!T>> -> tile<1xptr<!T>>
      %b6 = broadcast %r6 : tile<1xptr<!T>> -> tile<8xptr<!T>>
      %p3 = offset %b6, %v2 : tile<8xptr<!T>>, tile<8xi32> -> tile<8xptr<!T>>
      %r7 = reshape %bins : tile<i32> -> tile<1xi32>
      %b7 = broadcast %r7 : tile<1xi32> -> tile<8xi32>
      %p4 = cmpi less_than %v2, %b7, signed : tile<8xi32> -> tile<8xi1>
      %old, %k1 = atomic_rmw_tko relaxed device %p3, add, %l, %p4 : tile<8xptr<!T>>, tile<8x!T>, tile<8xi1> -> tile<8x!T>, token
    }
  }
  // Prefix sums over all blocks: each block waits for the sum of those before it.
// CASE @prefix_sums grid=3: 22xT=0,-3,1,5,-5,-4,8,3,-4,0,4,-5,9,3,-2,-5,-4,1,1,-4,-2,-4 out0 out1 out2 i32=22 -> 22xT=0,-3,-2,3,-2,-6,2,5,1,1,5,0,9,12,10,5,1,2,3,-1,-3,-7 3xT=5,5,-7|0 3xi32=1,1,1|0
  entry @prefix_sums(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %sums: tile<ptr<!T>>, %ready: tile<ptr<i32>>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> !List
    %x_t = make_partition_view %x_v : partition_view<tile=(8), padding_value = zero, !List>
    %x1, %k = load_view_tko weak %x_t[%bx] : partition_view<tile=(8), padding_value = zero, !List>, tile<i32> -> tile<8x!T>, token
    %s = scan %x1 dim=0 reverse=false identities=[0 : !T] : tile<8x!T> -> tile<8x!T> (%acc: tile<!T>, %el: tile<!T>) {
      %u = addi %acc, %el : tile<!T>
      yield %u : tile<!T>
    }
    %s1 = reduce %x1 dim=0 identities=[0 : !T] : tile<8x!T> -> tile<!T> (%acc1: tile<!T>, %el1: tile<!T>) {
      %u1 = addi %acc1, %el1 : tile<!T>
      yield %u1 : tile<!T>
    }
    %c = constant <i32: 0> : tile<i32>
    %p = cmpi greater_than %bx, %c, signed : tile<i32> -> tile<i1>
    %q = if %p -> (tile<!T>) {
      %c1 = constant <i32: 1> : tile<i32>
      %v = subi %bx, %c1 : tile<i32>
      %p1 = offset %ready, %v : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %k1 = make_token : token
      %l = loop iter_values(%it = %k1) : token -> token {
        %x2, %k2 = load_ptr_tko acquire device %p1 token=%it : tile<ptr<i32>> -> tile<i32>, token
        %p2 = cmpi not_equal %x2, %c, signed : tile<i32> -> tile<i1>
        if %p2 {
          break %k2 : token
        }
        continue %k2 : token
      }
      %p3 = offset %sums, %v : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
      %x3, %k3 = load_ptr_tko weak %p3 token=%l : tile<ptr<!T>> -> tile<!T>, token
      yield %x3 : tile<!T>
    } else {
      %c2 = constant <!T: 0> : tile<!T>
      yield %c2 : tile<!T>
    }
    %v1 = addi %q, %s1 : tile<!T>
    %y_v = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !List
    %y_t = make_partition_view %y_v : partition_view<tile=(8), !List>
    %r = reshape %q : tile<!T> -> tile<1x!T>
    %b = broadcast %r : tile<1x!T> -> tile<8x!T>
    %v2 = addi %s, %b : tile<8x!T>
    %k4 = store_view_tko weak %v2, %y_t[%bx] : tile<8x!T>, partition_view<tile=(8), !List>, tile<i32> -> token
    %p4 = offset %sums, %bx : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k5 = store_ptr_tko weak %p4, %v1 : tile<ptr<!T>>, tile<!T> -> token
    %p5 = offset %ready, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %c3 = constant <i32: 1> : tile<i32>
    %k6 = store_ptr_tko release device %p5, %c3 token=%k5 : tile<ptr<i32>>, tile<i32> -> token
  }
  // Keeps the positive numbers, in order: one block, a scan of flags for each eight numbers.
// CASE @compact grid=1: 22xT=0,-3,1,5,-5,-4,8,3,-4,0,4,-5,9,3,-2,-5,-4,1,1,-4,-2,-4 out0 out1 i32=22 -> 22xT=1,5,8,3,4,9,3,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0|0 1xi32=9
  entry @compact(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %count: tile<ptr<i32>>, %n: tile<i32>) {
    %x_v = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> !List
    %x_t = make_partition_view %x_v : partition_view<tile=(8), padding_value = zero, !List>
    %n1 = get_index_space_shape %x_t : partition_view<tile=(8), padding_value = zero, !List> -> tile<i32>
    %c = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c to %n1, step %c1) : tile<i32> iter_values(%it = %c) -> (tile<i32>) {
      %x1, %k = load_view_tko weak %x_t[%i] : partition_view<tile=(8), padding_value = zero, !List>, tile<i32> -> tile<8x!T>, token
      %c2 = constant <!T: 0> : tile<8x!T>
      %p = cmpi greater_than %x1, %c2, signed : tile<8x!T> -> tile<8xi1>
      %x2 = exti %p unsigned : tile<8xi1> -> tile<8xi32>
      %s = scan %x2 dim=0 reverse=false identities=[0 : i32] : tile<8xi32> -> tile<8xi32> (%acc: tile<i32>, %el: tile<i32>) {
        %u = addi %acc, %el : tile<i32>
        yield %u : tile<i32>
      }
      %r = reshape %it : tile<i32> -> tile<1xi32>
      %b = broadcast %r : tile<1xi32> -> tile<8xi32>
      %v = addi %b, %s : tile<8xi32>
      %c3 = constant <i32: 1> : tile<8xi32>
      %v1 = subi %v, %c3 : tile<8xi32>
      %r1 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
      %b1 = broadcast %r1 : tile<1xptr<!T>> -> tile<8xptr<!T>>
      %p1 = offset %b1, %v1 : tile<8xptr<!T>>, tile<8xi32> -> tile<8xptr<!T>>
      %k1 = store_ptr_tko weak %p1, %x1, %p : tile<8xptr<!T>>, tile<8x!T>, tile<8xi1> -> token
      %s1 = reduce %x2 dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%acc1: tile<i32>, %el1: tile<i32>) {
        %u1 = addi %acc1, %el1 : tile<i32>
        yield %u1 : tile<i32>
      }
      %v2 = addi %it, %s1 : tile<i32>
      continue %v2 : tile<i32>
    }
    %k2 = store_ptr_tko weak %count, %l : tile<ptr<i32>>, tile<i32> -> token
  }
  // Sorts rows of 16: stages of comparisons, partners as the halves of a reshaped tile.
// CASE @sort grid=2: 2x16xT=20,4,-43,22,-35,-22,30,30,24,-43,23,24,0,-44,-22,-45,21,-33,-13,3,-32,19,-35,23,-11,21,37,-27,-37,24,23,31 out0 i32=2 -> 2x16xT=-45,-44,-43,-43,-35,-22,-22,0,4,20,22,23,24,24,30,30,-37,-35,-33,-32,-27,-13,-11,3,19,21,21,23,23,24,31,37
  entry @sort(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %m: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%m, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16x!T, strides=[16, 1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(1x16), padding_value = zero, tensor_view<?x16x!T, strides=[16, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %x_t[%bx, %c] : partition_view<tile=(1x16), padding_value = zero, tensor_view<?x16x!T, strides=[16, 1]>>, tile<i32> -> tile<1x16x!T>, token
    %r = reshape %x1 : tile<1x16x!T> -> tile<16x!T>
    %io = iota : tile<16xi32>
    %c1 = constant <i32: 2> : tile<16xi32>
    %v = andi %io, %c1 : tile<16xi32>
    %c2 = constant <i32: 0> : tile<16xi32>
    %p = cmpi equal %v, %c2, signed : tile<16xi32> -> tile<16xi1>
    %r1 = reshape %r : tile<16x!T> -> tile<8x2x1x!T>
    %ex = extract %r1[%c, %c, %c] : tile<8x2x1x!T> -> tile<8x1x1x!T>
    %c3 = constant <i32: 1> : tile<i32>
    %ex1 = extract %r1[%c, %c3, %c] : tile<8x2x1x!T> -> tile<8x1x1x!T>
    %v1 = mini %ex, %ex1 signed : tile<8x1x1x!T>
    %v2 = maxi %ex, %ex1 signed : tile<8x1x1x!T>
    %r2 = reshape %p : tile<16xi1> -> tile<8x2x1xi1>
    %ex2 = extract %r2[%c, %c, %c] : tile<8x2x1xi1> -> tile<8x1x1xi1>
    %w = select %ex2, %v1, %v2 : tile<8x1x1xi1>, tile<8x1x1x!T>
    %w1 = select %ex2, %v2, %v1 : tile<8x1x1xi1>, tile<8x1x1x!T>
    %cat = cat %w, %w1 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %r3 = reshape %cat : tile<8x2x1x!T> -> tile<16x!T>
    %c4 = constant <i32: 4> : tile<16xi32>
    %v3 = andi %io, %c4 : tile<16xi32>
    %p1 = cmpi equal %v3, %c2, signed : tile<16xi32> -> tile<16xi1>
    %r4 = reshape %r3 : tile<16x!T> -> tile<4x2x2x!T>
    %ex3 = extract %r4[%c, %c, %c] : tile<4x2x2x!T> -> tile<4x1x2x!T>
    %ex4 = extract %r4[%c, %c3, %c] : tile<4x2x2x!T> -> tile<4x1x2x!T>
    %v4 = mini %ex3, %ex4 signed : tile<4x1x2x!T>
    %v5 = maxi %ex3, %ex4 signed : tile<4x1x2x!T>
    %r5 = reshape %p1 : tile<16xi1> -> tile<4x2x2xi1>
    %ex5 = extract %r5[%c, %c, %c] : tile<4x2x2xi1> -> tile<4x1x2xi1>
    %w2 = select %ex5, %v4, %v5 : tile<4x1x2xi1>, tile<4x1x2x!T>
    %w3 = select %ex5, %v5, %v4 : tile<4x1x2xi1>, tile<4x1x2x!T>
    %cat1 = cat %w2, %w3 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %r6 = reshape %cat1 : tile<4x2x2x!T> -> tile<16x!T>
    %r7 = reshape %r6 : tile<16x!T> -> tile<8x2x1x!T>
    %ex6 = extract %r7[%c, %c, %c] : tile<8x2x1x!T> -> tile<8x1x1x!T>
    %ex7 = extract %r7[%c, %c3, %c] : tile<8x2x1x!T> -> tile<8x1x1x!T>
    %v6 = mini %ex6, %ex7 signed : tile<8x1x1x!T>
    %v7 = maxi %ex6, %ex7 signed : tile<8x1x1x!T>
    %r8 = reshape %p1 : tile<16xi1> -> tile<8x2x1xi1>
    %ex8 = extract %r8[%c, %c, %c] : tile<8x2x1xi1> -> tile<8x1x1xi1>
    %w4 = select %ex8, %v6, %v7 : tile<8x1x1xi1>, tile<8x1x1x!T>
    %w5 = select %ex8, %v7, %v6 : tile<8x1x1xi1>, tile<8x1x1x!T>
    %cat2 = cat %w4, %w5 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %r9 = reshape %cat2 : tile<8x2x1x!T> -> tile<16x!T>
    %c5 = constant <i32: 8> : tile<16xi32>
    %v8 = andi %io, %c5 : tile<16xi32>
    %p2 = cmpi equal %v8, %c2, signed : tile<16xi32> -> tile<16xi1>
    %r10 = reshape %r9 : tile<16x!T> -> tile<2x2x4x!T>
    %ex9 = extract %r10[%c, %c, %c] : tile<2x2x4x!T> -> tile<2x1x4x!T>
    %ex10 = extract %r10[%c, %c3, %c] : tile<2x2x4x!T> -> tile<2x1x4x!T>
    %v9 = mini %ex9, %ex10 signed : tile<2x1x4x!T>
    %v10 = maxi %ex9, %ex10 signed : tile<2x1x4x!T>
    %r11 = reshape %p2 : tile<16xi1> -> tile<2x2x4xi1>
    %ex11 = extract %r11[%c, %c, %c] : tile<2x2x4xi1> -> tile<2x1x4xi1>
    %w6 = select %ex11, %v9, %v10 : tile<2x1x4xi1>, tile<2x1x4x!T>
    %w7 = select %ex11, %v10, %v9 : tile<2x1x4xi1>, tile<2x1x4x!T>
    %cat3 = cat %w6, %w7 dim = 1 : tile<2x1x4x!T>, tile<2x1x4x!T> -> tile<2x2x4x!T>
    %r12 = reshape %cat3 : tile<2x2x4x!T> -> tile<16x!T>
    %r13 = reshape %r12 : tile<16x!T> -> tile<4x2x2x!T>
    %ex12 = extract %r13[%c, %c, %c] : tile<4x2x2x!T> -> tile<4x1x2x!T>
    %ex13 = extract %r13[%c, %c3, %c] : tile<4x2x2x!T> -> tile<4x1x2x!T>
    %v11 = mini %ex12, %ex13 signed : tile<4x1x2x!T>
    %v12 = maxi %ex12, %ex13 signed : tile<4x1x2x!T>
    %r14 = reshape %p2 : tile<16xi1> -> tile<4x2x2xi1>
    %ex14 = extract %r14[%c, %c, %c] : tile<4x2x2xi1> -> tile<4x1x2xi1>
    %w8 = select %ex14, %v11, %v12 : tile<4x1x2xi1>, tile<4x1x2x!T>
    %w9 = select %ex14, %v12, %v11 : tile<4x1x2xi1>, tile<4x1x2x!T>
    %cat4 = cat %w8, %w9 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %r15 = reshape %cat4 : tile<4x2x2x!T> -> tile<16x!T>
    %r16 = reshape %r15 : tile<16x!T> -> tile<8x2x1x!T>
    %ex15 = extract %r16[%c, %c, %c] : tile<8x2x1x!T> -> tile<8x1x1x!T>
    %ex16 = extract %r16[%c, %c3, %c] : tile<8x2x1x!T> -> tile<8x1x1x!T>
    %v13 = mini %ex15, %ex16 signed : tile<8x1x1x!T>
    %v14 = maxi %ex15, %ex16 signed : tile<8x1x1x!T>
    %r17 = reshape %p2 : tile<16xi1> -> tile<8x2x1xi1>
    %ex17 = extract %r17[%c, %c, %c] : tile<8x2x1xi1> -> tile<8x1x1xi1>
    %w10 = select %ex17, %v13, %v14 : tile<8x1x1xi1>, tile<8x1x1x!T>
    %w11 = select %ex17, %v14, %v13 : tile<8x1x1xi1>, tile<8x1x1x!T>
    %cat5 = cat %w10, %w11 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %r18 = reshape %cat5 : tile<8x2x1x!T> -> tile<16x!T>
    %r19 = reshape %r18 : tile<16x!T> -> tile<1x2x8x!T>
    %ex18 = extract %r19[%c, %c, %c] : tile<1x2x8x!T> -> tile<1x1x8x!T>
    %ex19 = extract %r19[%c, %c3, %c] : tile<1x2x8x!T> -> tile<1x1x8x!T>
    %v15 = mini %ex18, %ex19 signed : tile<1x1x8x!T>
    %v16 = maxi %ex18, %ex19 signed : tile<1x1x8x!T>
    %cat6 = cat %v15, %v16 dim = 1 : tile<1x1x8x!T>, tile<1x1x8x!T> -> tile<1x2x8x!T>
    %r20 = reshape %cat6 : tile<1x2x8x!T> -> tile<16x!T>
    %r21 = reshape %r20 : tile<16x!T> -> tile<2x2x4x!T>
    %ex20 = extract %r21[%c, %c, %c] : tile<2x2x4x!T> -> tile<2x1x4x!T>
    %ex21 = extract %r21[%c, %c3, %c] : tile<2x2x4x!T> -> tile<2x1x4x!T>
    %v17 = mini %ex20, %ex21 signed : tile<2x1x4x!T>
    %v18 = maxi %ex20, %ex21 signed : tile<2x1x4x!T>
    %cat7 = cat %v17, %v18 dim = 1 : tile<2x1x4x!T>, tile<2x1x4x!T> -> tile<2x2x4x!T>
    %r22 = reshape %cat7 : tile<2x2x4x!T> -> tile<16x!T>
    %r23 = reshape %r22 : tile<16x!T> -> tile<4x2x2x!T>
    %ex22 = extract %r23[%c, %c, %c] : tile<4x2x2x!T> -> tile<4x1x2x!T>
    %ex23 = extract %r23[%c, %c3, %c] : tile<4x2x2x!T> -> tile<4x1x2x!T>
    %v19 = mini %ex22, %ex23 signed : tile<4x1x2x!T>
    %v20 = maxi %ex22, %ex23 signed : tile<4x1x2x!T>
    %cat8 = cat %v19, %v20 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %r24 = reshape %cat8 : tile<4x2x2x!T> -> tile<16x!T>
    %r25 = reshape %r24 : tile<16x!T> -> tile<8x2x1x!T>
    %ex24 = extract %r25[%c, %c, %c] : tile<8x2x1x!T> -> tile<8x1x1x!T>
    %ex25 = extract %r25[%c, %c3, %c] : tile<8x2x1x!T> -> tile<8x1x1x!T>
    %v21 = mini %ex24, %ex25 signed : tile<8x1x1x!T>
    %v22 = maxi %ex24, %ex25 signed : tile<8x1x1x!T>
    %cat9 = cat %v21, %v22 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %r26 = reshape %cat9 : tile<8x2x1x!T> -> tile<16x!T>
    %y_v = make_tensor_view %y, shape = [%m, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16x!T, strides=[16, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x16), tensor_view<?x16x!T, strides=[16, 1]>>
    %r27 = reshape %r26 : tile<16x!T> -> tile<1x16x!T>
    %k1 = store_view_tko weak %r27, %y_t[%bx, %c] : tile<1x16x!T>, partition_view<tile=(1x16), tensor_view<?x16x!T, strides=[16, 1]>>, tile<i32> -> token
  }
  // The largest numbers of a row and where they are: reductions of pairs, one for each.
// CASE @top grid=2: 2x13xT=-26,-3,-38,20,41,-42,22,-43,29,-24,13,37,18,4,49,-10,9,24,8,-4,-12,-19,-27,39,49,-19 out0 out1 i32=2 i32=13 i32=3 -> 2x3xT=41,37,29,49,49,39 2x3xi32=4,11,8,1,11,10
  entry @top(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %at: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>, %count: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %io = iota : tile<16xi32>
    %c = constant <!T: -100> : tile<16x!T>
    %v = muli %bx, %n : tile<i32>
    %r = reshape %v : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<16xi32>
    %v1 = addi %io, %b : tile<16xi32>
    %r1 = reshape %x : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b1 = broadcast %r1 : tile<1xptr<!T>> -> tile<16xptr<!T>>
    %p = offset %b1, %v1 : tile<16xptr<!T>>, tile<16xi32> -> tile<16xptr<!T>>
    %r2 = reshape %n : tile<i32> -> tile<1xi32>
    %b2 = broadcast %r2 : tile<1xi32> -> tile<16xi32>
    %p1 = cmpi less_than %io, %b2, signed : tile<16xi32> -> tile<16xi1>
    %x1, %k = load_ptr_tko weak %p, %p1, %c : tile<16xptr<!T>>, tile<16xi1>, tile<16x!T> -> tile<16x!T>, token
    %c1 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c1 to %count, step %c2) : tile<i32> iter_values(%it = %x1) -> (tile<16x!T>) {
      %s, %s1 = reduce %it, %io dim=0 identities=[-100 : !T, 2147483647 : i32] : tile<16x!T>, tile<16xi32> -> tile<!T>, tile<i32> (%acc: tile<!T>, %el: tile<!T>, %acc1: tile<i32>, %el1: tile<i32>) {
        %p2 = cmpi greater_than %el, %acc, signed : tile<!T> -> tile<i1>
        %p3 = cmpi equal %el, %acc, signed : tile<!T> -> tile<i1>
        %p4 = cmpi less_than %el1, %acc1, signed : tile<i32> -> tile<i1>
        %v2 = andi %p3, %p4 : tile<i1>
        %v3 = ori %p2, %v2 : tile<i1>
        %w = select %v3, %el, %acc : tile<i1>, tile<!T>
        %w1 = select %v3, %el1, %acc1 : tile<i1>, tile<i32>
        yield %w, %w1 : tile<!T>, tile<i32>
      }
      %v4 = muli %bx, %count : tile<i32>
      %v5 = addi %v4, %i : tile<i32>
      %p5 = offset %y, %v5 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
      %k1 = store_ptr_tko weak %p5, %s : tile<ptr<!T>>, tile<!T> -> token
      %p6 = offset %at, %v5 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %k2 = store_ptr_tko weak %p6, %s1 : tile<ptr<i32>>, tile<i32> -> token
      %r3 = reshape %s1 : tile<i32> -> tile<1xi32>
      %b3 = broadcast %r3 : tile<1xi32> -> tile<16xi32>
      %p7 = cmpi equal %io, %b3, signed : tile<16xi32> -> tile<16xi1>
      %w2 = select %p7, %c, %it : tile<16xi1>, tile<16x!T>
      continue %w2 : tile<16x!T>
    }
  }
  // The first place of each number in a sorted list: a loop until all ranges are empty.
// CASE @search grid=1: 11xT=5,18,19,21,28,31,33,36,38,46,56 8xT=-3,0,17,33,60,61,28,29 out0 i32=11 -> 8xi32=0,0,1,6,11,11,4,5
  entry @search(%keys: tile<ptr<!T>>, %want: tile<ptr<!T>>, %at: tile<ptr<i32>>, %n: tile<i32>) {
    %want_v = make_tensor_view %want, shape = [8], strides = [1] : tensor_view<8x!T, strides=[1]>
    %want_t = make_partition_view %want_v : partition_view<tile=(8), padding_value = zero, tensor_view<8x!T, strides=[1]>>
    %c = constant <i32: 0> : tile<i32>
    %x, %k = load_view_tko weak %want_t[%c] : partition_view<tile=(8), padding_value = zero, tensor_view<8x!T, strides=[1]>>, tile<i32> -> tile<8x!T>, token
    %c1 = constant <i32: 0> : tile<8xi32>
    %r = reshape %n : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<8xi32>
    %l = loop iter_values(%it = %c1, %it1 = %b) : tile<8xi32>, tile<8xi32> -> tile<8xi32> {
      %p = cmpi less_than %it, %it1, signed : tile<8xi32> -> tile<8xi1>
      %x1 = exti %p unsigned : tile<8xi1> -> tile<8xi32>
      %s = reduce %x1 dim=0 identities=[-2147483648 : i32] : tile<8xi32> -> tile<i32> (%acc: tile<i32>, %el: tile<i32>) {
        %u = maxi %acc, %el signed : tile<i32>
        yield %u : tile<i32>
      }
      %p1 = cmpi equal %s, %c, signed : tile<i32> -> tile<i1>
      if %p1 {
        break %it : tile<8xi32>
      }
      %v = addi %it, %it1 : tile<8xi32>
      %c2 = constant <i32: 2> : tile<8xi32>
      %v1 = divi %v, %c2 signed : tile<8xi32>
      %p2 = cmpi less_than %it, %it1, signed : tile<8xi32> -> tile<8xi1>
      %r1 = reshape %keys : tile<ptr<!T>> -> tile<1xptr<!T>>
      %b1 = broadcast %r1 : tile<1xptr<!T>> -> tile<8xptr<!T>>
      %p3 = offset %b1, %v1 : tile<8xptr<!T>>, tile<8xi32> -> tile<8xptr<!T>>
      %c3 = constant <!T: 0> : tile<8x!T>
      %x2, %k1 = load_ptr_tko weak %p3, %p2, %c3 : tile<8xptr<!T>>, tile<8xi1>, tile<8x!T> -> tile<8x!T>, token
      %p4 = cmpi less_than %x2, %x, signed : tile<8x!T> -> tile<8xi1>
      %v2 = andi %p4, %p2 : tile<8xi1>
      %c4 = constant <i32: 1> : tile<8xi32>
      %v3 = addi %v1, %c4 : tile<8xi32>
      %w = select %v2, %v3, %it : tile<8xi1>, tile<8xi32>
      %c5 = constant <i1: 1> : tile<8xi1>
      %v4 = xori %v2, %c5 : tile<8xi1>
      %v5 = andi %p2, %v4 : tile<8xi1>
      %w1 = select %v5, %v1, %it1 : tile<8xi1>, tile<8xi32>
      continue %w, %w1 : tile<8xi32>, tile<8xi32>
    }
    %at_v = make_tensor_view %at, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %at_t = make_partition_view %at_v : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %k2 = store_view_tko weak %l, %at_t[%c] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
  }
  // Prefix sums that begin anew at flags: a scan of pairs.
// CASE @segmented_sums grid=1: 16xT=2,2,2,5,5,1,7,7,7,7,3,3,0,0,9,9 16xi32=1,0,0,1,0,1,1,0,0,0,1,0,1,0,1,0 out0 -> 16xT=2,4,6,5,10,1,7,14,21,28,3,6,0,0,9,18
  entry @segmented_sums(%x: tile<ptr<!T>>, %heads: tile<ptr<i32>>, %y: tile<ptr<!T>>) {
    %x_v = make_tensor_view %x, shape = [16], strides = [1] : tensor_view<16x!T, strides=[1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(16), padding_value = zero, tensor_view<16x!T, strides=[1]>>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %x_t[%c] : partition_view<tile=(16), padding_value = zero, tensor_view<16x!T, strides=[1]>>, tile<i32> -> tile<16x!T>, token
    %heads_v = make_tensor_view %heads, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %heads_t = make_partition_view %heads_v : partition_view<tile=(16), padding_value = zero, tensor_view<16xi32, strides=[1]>>
    %x2, %k1 = load_view_tko weak %heads_t[%c] : partition_view<tile=(16), padding_value = zero, tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
    %s, %s1 = scan %x1, %x2 dim=0 reverse=false identities=[0 : !T, 0 : i32] : tile<16x!T>, tile<16xi32> -> tile<16x!T>, tile<16xi32> (%acc: tile<!T>, %el: tile<!T>, %acc1: tile<i32>, %el1: tile<i32>) {
      %p = cmpi not_equal %el1, %c, signed : tile<i32> -> tile<i1>
      %v = addi %acc, %el : tile<!T>
      %w = select %p, %el, %v : tile<i1>, tile<!T>
      %v1 = ori %acc1, %el1 : tile<i32>
      yield %w, %v1 : tile<!T>, tile<i32>
    }
    %y_v = make_tensor_view %y, shape = [16], strides = [1] : tensor_view<16x!T, strides=[1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(16), tensor_view<16x!T, strides=[1]>>
    %k2 = store_view_tko weak %s, %y_t[%c] : tile<16x!T>, partition_view<tile=(16), tensor_view<16x!T, strides=[1]>>, tile<i32> -> token
  }
}
