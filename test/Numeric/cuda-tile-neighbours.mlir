// Kernels on neighbours and sequences in CUDA Tile IR: convolutions, pooling, variance, recurrences, norms of groups,
// dropout, iterations until all have ended, lists of arrays.
// TYPES: f32
!Rows = !cuda_tile.tensor_view<?x?x!T, strides=[?, 1]>
!List = !cuda_tile.tensor_view<?x!T, strides=[1]>
!Heads = !cuda_tile.tensor_view<?x?x?x!T, strides=[?, ?, 1]>

cuda_tile.module @neighbours {
  // silu(b + Σ w·x) of each channel over itself and the two steps before: shifted rows through masked pointers.
// CASE @causal_convolution grid=2x2 K=16: 6x5xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875 3x5xf32=-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625 5xf32=0.875,0.375,-0.125,-0.625,-0.125 out0 i32=6 i32=5 -> 6x5xf32=1.558140547799224,-0.2517845120816721,0.2658526368018901,-0.12007528765312712,-0.1834524485766657,-0.27105564478917027,2.4991289607982146,-0.1773100642415264,5.238561735314364,-0.07857037320472567,-0.06871683514607645,-0.14784623325508833,2.0869817320175907,0.1025134034971151,-0.26444774600128423,0.3228452788833439,0.33456776018359463,-0.18465322740532264,-0.003203334691870087,-0.2778253397742801,2.052633186806203,-0.22416351525639552,-0.19119957618231495,-0.22067198722199866,0.41954193579261295,-0.19119957618231495,0.3228452788833439,-0.1849966115126293,6.064222944708072,-0.2591548339726514
  entry @causal_convolution(%x: tile<ptr<!T>>, %w: tile<ptr<!T>>, %b: tile<ptr<!T>>, %y: tile<ptr<!T>>, %t: tile<i32>, %c: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %io = iota : tile<4xi32>
    %c1 = constant <i32: 4> : tile<i32>
    %v = muli %bx, %c1 : tile<i32>
    %r = reshape %v : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r : tile<1xi32> -> tile<4xi32>
    %v1 = addi %io, %b1 : tile<4xi32>
    %io1 = iota : tile<4xi32>
    %v2 = muli %by, %c1 : tile<i32>
    %r1 = reshape %v2 : tile<i32> -> tile<1xi32>
    %b2 = broadcast %r1 : tile<1xi32> -> tile<4xi32>
    %v3 = addi %io1, %b2 : tile<4xi32>
    %r2 = reshape %c : tile<i32> -> tile<1xi32>
    %b3 = broadcast %r2 : tile<1xi32> -> tile<4xi32>
    %p = cmpi less_than %v3, %b3, signed : tile<4xi32> -> tile<4xi1>
    %r3 = reshape %b : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b4 = broadcast %r3 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %p1 = offset %b4, %v3 : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %c2 = constant <!T: 0.0> : tile<4x!T>
    %x1, %k = load_ptr_tko weak %p1, %p, %c2 : tile<4xptr<!T>>, tile<4xi1>, tile<4x!T> -> tile<4x!T>, token
    %r4 = reshape %x1 : tile<4x!T> -> tile<1x4x!T>
    %b5 = broadcast %r4 : tile<1x4x!T> -> tile<4x4x!T>
    %c3 = constant <i32: -2> : tile<4xi32>
    %v4 = addi %v1, %c3 : tile<4xi32>
    %c4 = constant <i32: 0> : tile<4xi32>
    %p2 = cmpi greater_than_or_equal %v4, %c4, signed : tile<4xi32> -> tile<4xi1>
    %r5 = reshape %t : tile<i32> -> tile<1xi32>
    %b6 = broadcast %r5 : tile<1xi32> -> tile<4xi32>
    %p3 = cmpi less_than %v4, %b6, signed : tile<4xi32> -> tile<4xi1>
    %v5 = andi %p2, %p3 : tile<4xi1>
    %r6 = reshape %v5 : tile<4xi1> -> tile<4x1xi1>
    %r7 = reshape %p : tile<4xi1> -> tile<1x4xi1>
    %b7 = broadcast %r6 : tile<4x1xi1> -> tile<4x4xi1>
    %b8 = broadcast %r7 : tile<1x4xi1> -> tile<4x4xi1>
    %v6 = andi %b7, %b8 : tile<4x4xi1>
    %r8 = reshape %c : tile<i32> -> tile<1xi32>
    %b9 = broadcast %r8 : tile<1xi32> -> tile<4xi32>
    %v7 = muli %v4, %b9 : tile<4xi32>
    %r9 = reshape %v7 : tile<4xi32> -> tile<4x1xi32>
    %r10 = reshape %v3 : tile<4xi32> -> tile<1x4xi32>
    %b10 = broadcast %r9 : tile<4x1xi32> -> tile<4x4xi32>
    %b11 = broadcast %r10 : tile<1x4xi32> -> tile<4x4xi32>
    %v8 = addi %b10, %b11 : tile<4x4xi32>
    %r11 = reshape %x : tile<ptr<!T>> -> tile<1x1xptr<!T>>
    %b12 = broadcast %r11 : tile<1x1xptr<!T>> -> tile<4x4xptr<!T>>
    %p4 = offset %b12, %v8 : tile<4x4xptr<!T>>, tile<4x4xi32> -> tile<4x4xptr<!T>>
    %c5 = constant <!T: 0.0> : tile<4x4x!T>
    %x2, %k1 = load_ptr_tko weak %p4, %v6, %c5 : tile<4x4xptr<!T>>, tile<4x4xi1>, tile<4x4x!T> -> tile<4x4x!T>, token
    %c6 = constant <i32: 0> : tile<i32>
    %v9 = muli %c, %c6 : tile<i32>
    %r12 = reshape %v9 : tile<i32> -> tile<1xi32>
    %b13 = broadcast %r12 : tile<1xi32> -> tile<4xi32>
    %v10 = addi %v3, %b13 : tile<4xi32>
    %r13 = reshape %w : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b14 = broadcast %r13 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %p5 = offset %b14, %v10 : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %x3, %k2 = load_ptr_tko weak %p5, %p, %c2 : tile<4xptr<!T>>, tile<4xi1>, tile<4x!T> -> tile<4x!T>, token
    %r14 = reshape %x3 : tile<4x!T> -> tile<1x4x!T>
    %b15 = broadcast %r14 : tile<1x4x!T> -> tile<4x4x!T>
    %v11 = fma %x2, %b15, %b5 : tile<4x4x!T>
    %c7 = constant <i32: -1> : tile<4xi32>
    %v12 = addi %v1, %c7 : tile<4xi32>
    %p6 = cmpi greater_than_or_equal %v12, %c4, signed : tile<4xi32> -> tile<4xi1>
    %r15 = reshape %t : tile<i32> -> tile<1xi32>
    %b16 = broadcast %r15 : tile<1xi32> -> tile<4xi32>
    %p7 = cmpi less_than %v12, %b16, signed : tile<4xi32> -> tile<4xi1>
    %v13 = andi %p6, %p7 : tile<4xi1>
    %r16 = reshape %v13 : tile<4xi1> -> tile<4x1xi1>
    %r17 = reshape %p : tile<4xi1> -> tile<1x4xi1>
    %b17 = broadcast %r16 : tile<4x1xi1> -> tile<4x4xi1>
    %b18 = broadcast %r17 : tile<1x4xi1> -> tile<4x4xi1>
    %v14 = andi %b17, %b18 : tile<4x4xi1>
    %r18 = reshape %c : tile<i32> -> tile<1xi32>
    %b19 = broadcast %r18 : tile<1xi32> -> tile<4xi32>
    %v15 = muli %v12, %b19 : tile<4xi32>
    %r19 = reshape %v15 : tile<4xi32> -> tile<4x1xi32>
    %r20 = reshape %v3 : tile<4xi32> -> tile<1x4xi32>
    %b20 = broadcast %r19 : tile<4x1xi32> -> tile<4x4xi32>
    %b21 = broadcast %r20 : tile<1x4xi32> -> tile<4x4xi32>
    %v16 = addi %b20, %b21 : tile<4x4xi32>
    %r21 = reshape %x : tile<ptr<!T>> -> tile<1x1xptr<!T>>
    %b22 = broadcast %r21 : tile<1x1xptr<!T>> -> tile<4x4xptr<!T>>
    %p8 = offset %b22, %v16 : tile<4x4xptr<!T>>, tile<4x4xi32> -> tile<4x4xptr<!T>>
    %x4, %k3 = load_ptr_tko weak %p8, %v14, %c5 : tile<4x4xptr<!T>>, tile<4x4xi1>, tile<4x4x!T> -> tile<4x4x!T>, token
    %c8 = constant <i32: 1> : tile<i32>
    %v17 = muli %c, %c8 : tile<i32>
    %r22 = reshape %v17 : tile<i32> -> tile<1xi32>
    %b23 = broadcast %r22 : tile<1xi32> -> tile<4xi32>
    %v18 = addi %v3, %b23 : tile<4xi32>
    %r23 = reshape %w : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b24 = broadcast %r23 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %p9 = offset %b24, %v18 : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %x5, %k4 = load_ptr_tko weak %p9, %p, %c2 : tile<4xptr<!T>>, tile<4xi1>, tile<4x!T> -> tile<4x!T>, token
    %r24 = reshape %x5 : tile<4x!T> -> tile<1x4x!T>
    %b25 = broadcast %r24 : tile<1x4x!T> -> tile<4x4x!T>
    %v19 = fma %x4, %b25, %v11 : tile<4x4x!T>
    %v20 = addi %v1, %c4 : tile<4xi32>
    %p10 = cmpi greater_than_or_equal %v20, %c4, signed : tile<4xi32> -> tile<4xi1>
    %r25 = reshape %t : tile<i32> -> tile<1xi32>
    %b26 = broadcast %r25 : tile<1xi32> -> tile<4xi32>
    %p11 = cmpi less_than %v20, %b26, signed : tile<4xi32> -> tile<4xi1>
    %v21 = andi %p10, %p11 : tile<4xi1>
    %r26 = reshape %v21 : tile<4xi1> -> tile<4x1xi1>
    %r27 = reshape %p : tile<4xi1> -> tile<1x4xi1>
    %b27 = broadcast %r26 : tile<4x1xi1> -> tile<4x4xi1>
    %b28 = broadcast %r27 : tile<1x4xi1> -> tile<4x4xi1>
    %v22 = andi %b27, %b28 : tile<4x4xi1>
    %r28 = reshape %c : tile<i32> -> tile<1xi32>
    %b29 = broadcast %r28 : tile<1xi32> -> tile<4xi32>
    %v23 = muli %v20, %b29 : tile<4xi32>
    %r29 = reshape %v23 : tile<4xi32> -> tile<4x1xi32>
    %r30 = reshape %v3 : tile<4xi32> -> tile<1x4xi32>
    %b30 = broadcast %r29 : tile<4x1xi32> -> tile<4x4xi32>
    %b31 = broadcast %r30 : tile<1x4xi32> -> tile<4x4xi32>
    %v24 = addi %b30, %b31 : tile<4x4xi32>
    %r31 = reshape %x : tile<ptr<!T>> -> tile<1x1xptr<!T>>
    %b32 = broadcast %r31 : tile<1x1xptr<!T>> -> tile<4x4xptr<!T>>
    %p12 = offset %b32, %v24 : tile<4x4xptr<!T>>, tile<4x4xi32> -> tile<4x4xptr<!T>>
    %x6, %k5 = load_ptr_tko weak %p12, %v22, %c5 : tile<4x4xptr<!T>>, tile<4x4xi1>, tile<4x4x!T> -> tile<4x4x!T>, token
    %c9 = constant <i32: 2> : tile<i32>
    %v25 = muli %c, %c9 : tile<i32>
    %r32 = reshape %v25 : tile<i32> -> tile<1xi32>
    %b33 = broadcast %r32 : tile<1xi32> -> tile<4xi32>
    %v26 = addi %v3, %b33 : tile<4xi32>
    %r33 = reshape %w : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b34 = broadcast %r33 : tile<1xptr<!T>> -> tile<4xptr<!T>>
    %p13 = offset %b34, %v26 : tile<4xptr<!T>>, tile<4xi32> -> tile<4xptr<!T>>
    %x7, %k6 = load_ptr_tko weak %p13, %p, %c2 : tile<4xptr<!T>>, tile<4xi1>, tile<4x!T> -> tile<4x!T>, token
    %r34 = reshape %x7 : tile<4x!T> -> tile<1x4x!T>
    %b35 = broadcast %r34 : tile<1x4x!T> -> tile<4x4x!T>
    %v27 = fma %x6, %b35, %v19 : tile<4x4x!T>
    %c10 = constant <f32: 1.0> : tile<4x4xf32>
    %y_v = make_tensor_view %y, shape = [%t, %c], strides = [%c, 1] : tile<i32> -> !Rows
    %y_t = make_partition_view %y_v : partition_view<tile=(4x4), !Rows>
    %v28 = negf %v27 : tile<4x4x!T>
    %v29 = exp %v28 : tile<4x4x!T>
    %v30 = addf %c10, %v29 : tile<4x4xf32>
    %v31 = divf %v27, %v30 : tile<4x4x!T>
    %k7 = store_view_tko weak %v31, %y_t[%bx, %by] : tile<4x4x!T>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
  }
  // A 3 × 3 convolution with steps of 2 and padding as a matmul: rows are output points, whose inputs are gathered.
// CASE @convolution grid=3 K=32: 5x5x3xf32=-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875,1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125,1.125,1.125,1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25,0.75,1,-0.25,-0.875,-1.375,-0.625,-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875,1.25,0.875,0.5 3x3x3x4xf32=-1,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0.125,0.75,0.875,1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0.125,1.75,-0.75,-1.875,-0.375,0.875,-0.875,-1.875,0.375,-1.375,0.125,0.875,-0.75,0.75,-0.25,2,0.625,-0.25,-0.5,-0.125,1.125,-0.25,-0.5,1.875,0.75,-1.875,-1.875,0.125,1.75,0.125,-0.5,0.75,1.5,0.75,0.875,-1.375,-0.25,-1.25,-0.25,1.75,-0.5,0.625,-0.375,1.75,-2,1.75,0.75,-1.375,-1.125,1,-0.5,1.75,-0.625,1.375,0.625,-1.375,1.125,1.625,1.125,-1.375,-0.75,-0.75,-1 out0 i32=5 i32=3 i32=3 i32=4 -> 3x3x4xf32=-3.84375,3.875,-3.859375,-2.109375,12.375,6.53125,0.109375,0.65625,0.8125,4.828125,5.875,5.328125,2.296875,4.25,-2.4375,-2.390625,-6.03125,-3.1875,3.21875,3.71875,4.875,-1.109375,-3,-1.578125,0.34375,0.015625,4.875,5.84375,-2.921875,-3.765625,2.375,0.921875,-3.25,6.03125,3.203125,5.875
  entry @convolution(%x: tile<ptr<!T>>, %w: tile<ptr<!T>>, %y: tile<ptr<!T>>, %h: tile<i32>, %ho: tile<i32>, %c: tile<i32>, %co: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %io = iota : tile<4xi32>
    %c1 = constant <i32: 4> : tile<i32>
    %v = muli %bx, %c1 : tile<i32>
    %r = reshape %v : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<4xi32>
    %v1 = addi %io, %b : tile<4xi32>
    %v2 = muli %ho, %ho : tile<i32>
    %r1 = reshape %v2 : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r1 : tile<1xi32> -> tile<4xi32>
    %p = cmpi less_than %v1, %b1, signed : tile<4xi32> -> tile<4xi1>
    %r2 = reshape %ho : tile<i32> -> tile<1xi32>
    %b2 = broadcast %r2 : tile<1xi32> -> tile<4xi32>
    %v3 = divi %v1, %b2 signed : tile<4xi32>
    %r3 = reshape %ho : tile<i32> -> tile<1xi32>
    %b3 = broadcast %r3 : tile<1xi32> -> tile<4xi32>
    %v4 = remi %v1, %b3 signed : tile<4xi32>
    %io1 = iota : tile<4xi32>
    %r4 = reshape %c : tile<i32> -> tile<1xi32>
    %b4 = broadcast %r4 : tile<1xi32> -> tile<4xi32>
    %p1 = cmpi less_than %io1, %b4, signed : tile<4xi32> -> tile<4xi1>
    %c2 = constant <i32: 9> : tile<i32>
    %v5 = muli %co, %c : tile<i32>
    %w_v = make_tensor_view %w, shape = [%c2, %c, %co], strides = [%v5, %co, 1] : tile<i32> -> !Heads
    %w_t = make_partition_view %w_v : partition_view<tile=(1x4x4), padding_value = zero, !Heads>
    %c3 = constant <f32: 0.0> : tile<4x4xf32>
    %c4 = constant <i32: 0> : tile<i32>
    %c5 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c4 to %c2, step %c5) : tile<i32> iter_values(%it = %c3) -> (tile<4x4xf32>) {
      %c6 = constant <i32: 3> : tile<i32>
      %v6 = divi %i, %c6 signed : tile<i32>
      %v7 = remi %i, %c6 signed : tile<i32>
      %c7 = constant <i32: 2> : tile<4xi32>
      %v8 = muli %v3, %c7 : tile<4xi32>
      %v9 = subi %v6, %c5 : tile<i32>
      %r5 = reshape %v9 : tile<i32> -> tile<1xi32>
      %b5 = broadcast %r5 : tile<1xi32> -> tile<4xi32>
      %v10 = addi %v8, %b5 : tile<4xi32>
      %v11 = muli %v4, %c7 : tile<4xi32>
      %v12 = subi %v7, %c5 : tile<i32>
      %r6 = reshape %v12 : tile<i32> -> tile<1xi32>
      %b6 = broadcast %r6 : tile<1xi32> -> tile<4xi32>
      %v13 = addi %v11, %b6 : tile<4xi32>
      %c8 = constant <i32: 0> : tile<4xi32>
      %p2 = cmpi greater_than_or_equal %v10, %c8, signed : tile<4xi32> -> tile<4xi1>
      %v14 = andi %p, %p2 : tile<4xi1>
      %r7 = reshape %h : tile<i32> -> tile<1xi32>
      %b7 = broadcast %r7 : tile<1xi32> -> tile<4xi32>
      %p3 = cmpi less_than %v10, %b7, signed : tile<4xi32> -> tile<4xi1>
      %v15 = andi %v14, %p3 : tile<4xi1>
      %p4 = cmpi greater_than_or_equal %v13, %c8, signed : tile<4xi32> -> tile<4xi1>
      %v16 = andi %v15, %p4 : tile<4xi1>
      %r8 = reshape %h : tile<i32> -> tile<1xi32>
      %b8 = broadcast %r8 : tile<1xi32> -> tile<4xi32>
      %p5 = cmpi less_than %v13, %b8, signed : tile<4xi32> -> tile<4xi1>
      %v17 = andi %v16, %p5 : tile<4xi1>
      %r9 = reshape %h : tile<i32> -> tile<1xi32>
      %b9 = broadcast %r9 : tile<1xi32> -> tile<4xi32>
      %v18 = muli %v10, %b9 : tile<4xi32>
      %v19 = addi %v18, %v13 : tile<4xi32>
      %r10 = reshape %c : tile<i32> -> tile<1xi32>
      %b10 = broadcast %r10 : tile<1xi32> -> tile<4xi32>
      %v20 = muli %v19, %b10 : tile<4xi32>
      %r11 = reshape %v20 : tile<4xi32> -> tile<4x1xi32>
      %r12 = reshape %io1 : tile<4xi32> -> tile<1x4xi32>
      %b11 = broadcast %r11 : tile<4x1xi32> -> tile<4x4xi32>
      %b12 = broadcast %r12 : tile<1x4xi32> -> tile<4x4xi32>
      %v21 = addi %b11, %b12 : tile<4x4xi32>
      %r13 = reshape %x : tile<ptr<!T>> -> tile<1x1xptr<!T>>
      %b13 = broadcast %r13 : tile<1x1xptr<!T>> -> tile<4x4xptr<!T>>
      %p6 = offset %b13, %v21 : tile<4x4xptr<!T>>, tile<4x4xi32> -> tile<4x4xptr<!T>>
      %r14 = reshape %v17 : tile<4xi1> -> tile<4x1xi1>
      %r15 = reshape %p1 : tile<4xi1> -> tile<1x4xi1>
      %b14 = broadcast %r14 : tile<4x1xi1> -> tile<4x4xi1>
      %b15 = broadcast %r15 : tile<1x4xi1> -> tile<4x4xi1>
      %v22 = andi %b14, %b15 : tile<4x4xi1>
      %c9 = constant <!T: 0.0> : tile<4x4x!T>
      %x1, %k = load_ptr_tko weak %p6, %v22, %c9 : tile<4x4xptr<!T>>, tile<4x4xi1>, tile<4x4x!T> -> tile<4x4x!T>, token
      %x2, %k1 = load_view_tko weak %w_t[%i, %c4, %c4] : partition_view<tile=(1x4x4), padding_value = zero, !Heads>, tile<i32> -> tile<1x4x4x!T>, token
      %r16 = reshape %x2 : tile<1x4x4x!T> -> tile<4x4x!T>
      %d = mmaf %x1, %r16, %it : tile<4x4x!T>, tile<4x4x!T>, tile<4x4xf32>
      continue %d : tile<4x4xf32>
    }
    %v23 = muli %ho, %ho : tile<i32>
    %y_v = make_tensor_view %y, shape = [%v23, %co], strides = [%co, 1] : tile<i32> -> !Rows
    %y_t = make_partition_view %y_v : partition_view<tile=(4x4), !Rows>
    %k2 = store_view_tko weak %l, %y_t[%bx, %c4] : tile<4x4xf32>, partition_view<tile=(4x4), !Rows>, tile<i32> -> token
  }
  // The largest of each four rows, in steps of two: overlapping tiles of a strided view.
// CASE @pooling grid=4x2: 7x5xf32=-1.875,-0.875,1.625,-0.875,1.75,0.75,-0.875,-1,-1.875,-2,-1.25,-1,1.375,-0.5,-0.375,-1.875,0.125,-0.375,0.25,2,-0.125,0.5,0.125,1.25,-1,-1.625,0.75,1.625,1.25,2,-1,-0.875,2,-1.875,1.5 out0 i32=7 i32=5 -> 4x5xf32=0.75,0.125,1.625,0.25,2,-0.125,0.75,1.625,1.25,2,-0.125,0.75,2,1.25,2,-1,-0.875,2,-1.875,1.5
  entry @pooling(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %t: tile<i32>, %c: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%t, %c], strides = [%c, 1] : tile<i32> -> !Rows
    %x_s = make_strided_view %x_v : strided_view<tile=(4x4), traversal_strides=[2,4], padding_value = neg_inf, !Rows>
    %x1, %k = load_view_tko weak %x_s[%bx, %by] : strided_view<tile=(4x4), traversal_strides=[2,4], padding_value = neg_inf, !Rows>, tile<i32> -> tile<4x4x!T>, token
    %s = reduce %x1 dim=0 identities=[0xFF800000 : !T] : tile<4x4x!T> -> tile<4x!T> (%acc: tile<!T>, %el: tile<!T>) {
      %u = maxf %acc, %el : tile<!T>
      yield %u : tile<!T>
    }
    %c1 = constant <i32: 1> : tile<i32>
    %v = addi %t, %c1 : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %v1 = divi %v, %c2 signed : tile<i32>
    %y_v = make_tensor_view %y, shape = [%v1, %c], strides = [%c, 1] : tile<i32> -> !Rows
    %y_t = make_partition_view %y_v : partition_view<tile=(1x4), !Rows>
    %r = reshape %s : tile<4x!T> -> tile<1x4x!T>
    %k1 = store_view_tko weak %r, %y_t[%bx, %by] : tile<1x4x!T>, partition_view<tile=(1x4), !Rows>, tile<i32> -> token
  }
  // Mean and variance by one reduction of counts, means and squares.
// CASE @variance grid=2 K=32: 2x11xf32=-0.625,-2,-0.875,-0.625,-0.875,1.75,-1.125,-1.625,0.5,1.75,-1.25,-1.625,-0.125,-0.5,0.125,-1.75,-1.25,2,1.5,-1.875,-1.5,1.5 out0 i32=2 i32=11 -> 2x2xf32=-0.45454545454545453,1.4439566115702478,-0.3181818181818182,1.881714876033058
  entry @variance(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %m: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %io = iota : tile<16xi32>
    %r = reshape %n : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<16xi32>
    %p = cmpi less_than %io, %b, signed : tile<16xi32> -> tile<16xi1>
    %v = muli %bx, %n : tile<i32>
    %r1 = reshape %v : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r1 : tile<1xi32> -> tile<16xi32>
    %v1 = addi %io, %b1 : tile<16xi32>
    %r2 = reshape %x : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b2 = broadcast %r2 : tile<1xptr<!T>> -> tile<16xptr<!T>>
    %p1 = offset %b2, %v1 : tile<16xptr<!T>>, tile<16xi32> -> tile<16xptr<!T>>
    %c = constant <!T: 0.0> : tile<16x!T>
    %x1, %k = load_ptr_tko weak %p1, %p, %c : tile<16xptr<!T>>, tile<16xi1>, tile<16x!T> -> tile<16x!T>, token
    %x2 = exti %p unsigned : tile<16xi1> -> tile<16xi32>
    %x3 = itof %x2 signed : tile<16xi32> -> tile<16xf32>
    %c1 = constant <f32: 0.0> : tile<16xf32>
    %s, %s1, %s2 = reduce %x3, %x1, %c1 dim=0 identities=[0.0 : f32, 0.0 : !T, 0.0 : f32] : tile<16xf32>, tile<16x!T>, tile<16xf32> -> tile<f32>, tile<!T>, tile<f32> (%acc: tile<f32>, %el: tile<f32>, %acc1: tile<!T>, %el1: tile<!T>, %acc2: tile<f32>, %el2: tile<f32>) {
      %v2 = addf %acc, %el : tile<f32>
      %c2 = constant <f32: 0.0> : tile<f32>
      %p2 = cmpf greater_than ordered %v2, %c2 : tile<f32> -> tile<i1>
      %c3 = constant <f32: 1.0> : tile<f32>
      %w = select %p2, %v2, %c3 : tile<i1>, tile<f32>
      %v3 = subf %el1, %acc1 : tile<!T>
      %v4 = divf %el, %w : tile<f32>
      %v5 = mulf %v3, %v4 : tile<!T>
      %v6 = addf %acc1, %v5 : tile<!T>
      %v7 = addf %acc2, %el2 : tile<f32>
      %v8 = mulf %v3, %v3 : tile<!T>
      %v9 = mulf %v8, %acc : tile<!T>
      %v10 = mulf %v9, %v4 : tile<!T>
      %v11 = addf %v7, %v10 : tile<f32>
      yield %v2, %v6, %v11 : tile<f32>, tile<!T>, tile<f32>
    }
    %y_v = make_tensor_view %y, shape = [%m, 2], strides = [2, 1] : tile<i32> -> tensor_view<?x2x!T, strides=[2, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x1), tensor_view<?x2x!T, strides=[2, 1]>>
    %r3 = reshape %s1 : tile<!T> -> tile<1x1x!T>
    %c4 = constant <i32: 0> : tile<i32>
    %k1 = store_view_tko weak %r3, %y_t[%bx, %c4] : tile<1x1x!T>, partition_view<tile=(1x1), tensor_view<?x2x!T, strides=[2, 1]>>, tile<i32> -> token
    %v12 = divf %s2, %s : tile<f32>
    %r4 = reshape %v12 : tile<f32> -> tile<1x1xf32>
    %c5 = constant <i32: 1> : tile<i32>
    %k2 = store_view_tko weak %r4, %y_t[%bx, %c5] : tile<1x1xf32>, partition_view<tile=(1x1), tensor_view<?x2x!T, strides=[2, 1]>>, tile<i32> -> token
  }
  // h = a·h + x along rows: scans of pairs over pieces of 8, the last state carried.
// CASE @recurrence grid=2 K=64: 2x13xf32=-0.25,0.25,0.125,0.25,0.125,-0.5,0.5,-0.375,0,0.125,0.125,0.625,0,0.125,-0.5,0.5,0.125,0.875,0.875,0.875,-0.375,0.875,0.125,0.875,-0.5,0.75 2x13xf32=1.5,-1,1.25,-1.125,1.125,1.5,0.5,-1.5,-0.125,1.375,-1.5,-0.375,0.375,-1.125,-0.875,0.875,-0.875,0.125,-1,1.625,-0.25,-1.25,1.125,1.875,-0.75,-0.25 out0 i32=2 i32=13 -> 2x13xf32=1.5,-0.625,1.171875,-0.83203125,1.02099609375,0.989501953125,0.9947509765625,-1.8730316162109375,-0.125,1.359375,-1.330078125,-1.206298828125,0.375,-1.125,-0.3125,0.71875,-0.78515625,-0.56201171875,-1.49176025390625,0.31970977783203125,-0.3698911666870117,-1.5736547708511353,0.9282931536436081,2.687256509438157,-2.0936282547190785,-1.820221191039309
  entry @recurrence(%a: tile<ptr<!T>>, %x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %m: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %a_t = make_partition_view %a_v : partition_view<tile=(1x8), padding_value = zero, !Rows>
    %x_v = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %x_t = make_partition_view %x_v : partition_view<tile=(1x8), padding_value = zero, !Rows>
    %y_v = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !Rows
    %y_t = make_partition_view %y_v : partition_view<tile=(1x8), !Rows>
    %n1, %n2 = get_index_space_shape %x_t : partition_view<tile=(1x8), padding_value = zero, !Rows> -> tile<i32>
    %c = constant <f32: 0.0> : tile<1xf32>
    %c1 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 1> : tile<i32>
    %l = for %i in (%c1 to %n2, step %c2) : tile<i32> iter_values(%it = %c) -> (tile<1xf32>) {
      %x1, %k = load_view_tko weak %a_t[%bx, %i] : partition_view<tile=(1x8), padding_value = zero, !Rows>, tile<i32> -> tile<1x8x!T>, token
      %x2, %k1 = load_view_tko weak %x_t[%bx, %i] : partition_view<tile=(1x8), padding_value = zero, !Rows>, tile<i32> -> tile<1x8x!T>, token
      %s, %s1 = scan %x2, %x1 dim=1 reverse=false identities=[0.0 : !T, 1.0 : !T] : tile<1x8x!T>, tile<1x8x!T> -> tile<1x8x!T>, tile<1x8x!T> (%acc: tile<!T>, %el: tile<!T>, %acc1: tile<!T>, %el1: tile<!T>) {
        %v = mulf %el1, %acc : tile<!T>
        %v1 = addf %v, %el : tile<!T>
        %v2 = mulf %acc1, %el1 : tile<!T>
        yield %v1, %v2 : tile<!T>, tile<!T>
      }
      %r = reshape %it : tile<1xf32> -> tile<1x1xf32>
      %b = broadcast %r : tile<1x1xf32> -> tile<1x8xf32>
      %v3 = mulf %s1, %b : tile<1x8x!T>
      %v4 = addf %s, %v3 : tile<1x8x!T>
      %k2 = store_view_tko weak %v4, %y_t[%bx, %i] : tile<1x8x!T>, partition_view<tile=(1x8), !Rows>, tile<i32> -> token
      %io = iota : tile<8xi32>
      %r1 = reshape %io : tile<8xi32> -> tile<1x8xi32>
      %c3 = constant <i32: 7> : tile<1x8xi32>
      %p = cmpi equal %r1, %c3, signed : tile<1x8xi32> -> tile<1x8xi1>
      %c4 = constant <f32: 0.0> : tile<1x8xf32>
      %w = select %p, %v4, %c4 : tile<1x8xi1>, tile<1x8x!T>
      %s2 = reduce %w dim=1 identities=[0.0 : !T] : tile<1x8x!T> -> tile<1x!T> (%acc2: tile<!T>, %el2: tile<!T>) {
        %u = addf %acc2, %el2 : tile<!T>
        yield %u : tile<!T>
      }
      continue %s2 : tile<1x!T>
    }
  }
  // Norms of groups of channels: views begin at the group.
// CASE @group_norm grid=2x2 K=32: 2x6x4xf32=-0.75,1.375,2,1.125,0.625,1.25,-0.5,0.75,0.5,-1.375,0.875,-1.875,0.625,1.625,1.5,-1.875,1,0.625,0.25,2,-1.5,-1.125,-0.25,-1.25,-1.375,0.125,0.125,-1.75,-0.625,0.125,-1,1.375,0.125,1.125,-0.875,2,1.875,0.5,-1.375,0.125,-1.625,-0.625,1.375,-1.5,0.125,-1.875,-1.375,0.125 6xf32=-1.375,-0.25,-1.5,0.125,-1.125,1.625 out0 i32=2 i32=3 -> 2x6x4xf32=1.307581520881298,-1.2572899239243251,-2.0116638782789202,-0.9555403421824871,-0.06400748703614746,-0.20116638782789203,0.1828785343889927,-0.09143926719449637,-0.2194542412667913,2.2494059729846105,-0.7132262841170718,2.9077686967849847,0.04841816829552551,0.14731485247362014,0.13495276695135833,-0.1988235421497111,-0.769539823760799,-0.4357635146597296,-0.10198720555866012,-1.6596099813636507,-2.1025847125780333,-1.6204633772098218,-0.49551359468399503,-1.7811704889992257,1.6665686338964556,-0.22308399036409252,-0.22308399036409252,2.138981789961593,0.1312258766847603,-0.04056072552074409,0.21711917778751247,-0.3268717291965847,-0.24336435312446456,-1.6176571707684992,1.1309284645195703,-2.8201633862070303,0.23566596988478905,0.09030191369417152,-0.10792179929303423,0.05065717109673036,1.209164649221955,0.2576908268833675,-1.645256817793808,1.0902304214296317,0.6585432242574947,-2.0901589291650917,-1.4029833908094451,0.6585432242574947
  entry @group_norm(%x: tile<ptr<!T>>, %g: tile<ptr<!T>>, %y: tile<ptr<!T>>, %b: tile<i32>, %c: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c1 = constant <i32: 2> : tile<i32>
    %v = muli %bx, %c1 : tile<i32>
    %v1 = addi %v, %by : tile<i32>
    %v2 = muli %v1, %c : tile<i32>
    %c2 = constant <i32: 4> : tile<i32>
    %v3 = muli %v2, %c2 : tile<i32>
    %p = offset %x, %v3 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %p_v = make_tensor_view %p, shape = [%c, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4x!T, strides=[4, 1]>
    %p_t = make_partition_view %p_v : partition_view<tile=(4x4), padding_value = zero, tensor_view<?x4x!T, strides=[4, 1]>>
    %c3 = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %p_t[%c3, %c3] : partition_view<tile=(4x4), padding_value = zero, tensor_view<?x4x!T, strides=[4, 1]>>, tile<i32> -> tile<4x4x!T>, token
    %v4 = muli %c, %c2 : tile<i32>
    %x2 = itof %v4 signed : tile<i32> -> tile<f32>
    %io = iota : tile<4xi32>
    %r = reshape %c : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r : tile<1xi32> -> tile<4xi32>
    %p1 = cmpi less_than %io, %b1, signed : tile<4xi32> -> tile<4xi1>
    %r1 = reshape %p1 : tile<4xi1> -> tile<4x1xi1>
    %s = reduce %x1 dim=1 identities=[0.0 : !T] : tile<4x4x!T> -> tile<4x!T> (%acc: tile<!T>, %el: tile<!T>) {
      %u = addf %acc, %el : tile<!T>
      yield %u : tile<!T>
    }
    %s1 = reduce %s dim=0 identities=[0.0 : !T] : tile<4x!T> -> tile<!T> (%acc1: tile<!T>, %el1: tile<!T>) {
      %u1 = addf %acc1, %el1 : tile<!T>
      yield %u1 : tile<!T>
    }
    %v5 = divf %s1, %x2 : tile<!T>
    %r2 = reshape %v5 : tile<!T> -> tile<1x1x!T>
    %b2 = broadcast %r2 : tile<1x1x!T> -> tile<4x4x!T>
    %v6 = subf %x1, %b2 : tile<4x4x!T>
    %c4 = constant <f32: 0.0> : tile<4x4xf32>
    %b3 = broadcast %r1 : tile<4x1xi1> -> tile<4x4xi1>
    %w = select %b3, %v6, %c4 : tile<4x4xi1>, tile<4x4x!T>
    %v7 = mulf %w, %w : tile<4x4x!T>
    %s2 = reduce %v7 dim=1 identities=[0.0 : !T] : tile<4x4x!T> -> tile<4x!T> (%acc2: tile<!T>, %el2: tile<!T>) {
      %u2 = addf %acc2, %el2 : tile<!T>
      yield %u2 : tile<!T>
    }
    %s3 = reduce %s2 dim=0 identities=[0.0 : !T] : tile<4x!T> -> tile<!T> (%acc3: tile<!T>, %el3: tile<!T>) {
      %u3 = addf %acc3, %el3 : tile<!T>
      yield %u3 : tile<!T>
    }
    %v8 = divf %s3, %x2 : tile<!T>
    %c5 = constant <!T: 1.0e-05> : tile<!T>
    %v9 = addf %v8, %c5 : tile<!T>
    %v10 = rsqrt %v9 : tile<!T>
    %v11 = muli %by, %c : tile<i32>
    %p2 = offset %g, %v11 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %p2_v = make_tensor_view %p2, shape = [%c], strides = [1] : tile<i32> -> !List
    %p2_t = make_partition_view %p2_v : partition_view<tile=(4), padding_value = zero, !List>
    %x3, %k1 = load_view_tko weak %p2_t[%c3] : partition_view<tile=(4), padding_value = zero, !List>, tile<i32> -> tile<4x!T>, token
    %p3 = offset %y, %v3 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %p3_v = make_tensor_view %p3, shape = [%c, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4x!T, strides=[4, 1]>
    %p3_t = make_partition_view %p3_v : partition_view<tile=(4x4), tensor_view<?x4x!T, strides=[4, 1]>>
    %r3 = reshape %v10 : tile<!T> -> tile<1x1x!T>
    %b4 = broadcast %r3 : tile<1x1x!T> -> tile<4x4x!T>
    %v12 = mulf %w, %b4 : tile<4x4x!T>
    %r4 = reshape %x3 : tile<4x!T> -> tile<4x1x!T>
    %b5 = broadcast %r4 : tile<4x1x!T> -> tile<4x4x!T>
    %v13 = mulf %v12, %b5 : tile<4x4x!T>
    %k2 = store_view_tko weak %v13, %p3_t[%c3, %c3] : tile<4x4x!T>, partition_view<tile=(4x4), tensor_view<?x4x!T, strides=[4, 1]>>, tile<i32> -> token
  }
  // Drops half of the numbers by Philox, whose rounds need the high halves of products.
// CASE @dropout grid=2: 13xf32=-2,0.625,1.25,0.125,-1,-1.75,-0.125,-1.125,-0.75,0.125,-1.625,-0.625,-0.5 out0 i32=13 i32=42 -> 13xf32=0,0,0,0,-2,-3.5,-0.25,-2.25,0,0.25,0,-1.25,-1
  entry @dropout(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %n: tile<i32>, %seed: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %io = iota : tile<8xi32>
    %c = constant <i32: 8> : tile<i32>
    %v = muli %bx, %c : tile<i32>
    %r = reshape %v : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<8xi32>
    %v1 = addi %io, %b : tile<8xi32>
    %c1 = constant <i32: 0> : tile<8xi32>
    %r1 = reshape %seed : tile<i32> -> tile<1xi32>
    %b1 = broadcast %r1 : tile<1xi32> -> tile<8xi32>
    %c2 = constant <i32: 0> : tile<i32>
    %c3 = constant <i32: 10> : tile<i32>
    %c4 = constant <i32: 1> : tile<i32>
    %l, %l1, %l2, %l3, %l4, %l5 = for %i in (%c2 to %c3, step %c4) : tile<i32> iter_values(%it = %v1, %it1 = %c1, %it2 = %c1, %it3 = %c1, %it4 = %b1, %it5 = %c1) -> (tile<8xi32>, tile<8xi32>, tile<8xi32>, tile<8xi32>, tile<8xi32>, tile<8xi32>) {
      %c5 = constant <i32: -766435501> : tile<8xi32>
      %c6 = constant <i32: -845247145> : tile<8xi32>
      %v2 = mulhii %c5, %it : tile<8xi32>
      %v3 = muli %c5, %it : tile<8xi32>
      %v4 = mulhii %c6, %it2 : tile<8xi32>
      %v5 = muli %c6, %it2 : tile<8xi32>
      %v6 = xori %v4, %it1 : tile<8xi32>
      %v7 = xori %v6, %it4 : tile<8xi32>
      %v8 = xori %v2, %it3 : tile<8xi32>
      %v9 = xori %v8, %it5 : tile<8xi32>
      %c7 = constant <i32: -1640531527> : tile<8xi32>
      %v10 = addi %it4, %c7 : tile<8xi32>
      %c8 = constant <i32: -1150833019> : tile<8xi32>
      %v11 = addi %it5, %c8 : tile<8xi32>
      continue %v7, %v5, %v9, %v3, %v10, %v11 : tile<8xi32>, tile<8xi32>, tile<8xi32>, tile<8xi32>, tile<8xi32>, tile<8xi32>
    }
    %c9 = constant <i32: 8> : tile<8xi32>
    %v12 = shri %l, %c9 unsigned : tile<8xi32>
    %x_v = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> !List
    %x_t = make_partition_view %x_v : partition_view<tile=(8), padding_value = zero, !List>
    %x1, %k = load_view_tko weak %x_t[%bx] : partition_view<tile=(8), padding_value = zero, !List>, tile<i32> -> tile<8x!T>, token
    %y_v = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !List
    %y_t = make_partition_view %y_v : partition_view<tile=(8), !List>
    %c10 = constant <i32: 8388608> : tile<8xi32>
    %p = cmpi less_than %v12, %c10, signed : tile<8xi32> -> tile<8xi1>
    %c11 = constant <!T: 2.0> : tile<8x!T>
    %v13 = mulf %x1, %c11 : tile<8x!T>
    %c12 = constant <f32: 0.0> : tile<8xf32>
    %w = select %p, %v13, %c12 : tile<8xi1>, tile<8x!T>
    %k1 = store_view_tko weak %w, %y_t[%bx] : tile<8x!T>, partition_view<tile=(8), !List>, tile<i32> -> token
  }
  // How many steps each point stays near: a loop until all have left.
// CASE @mandelbrot grid=2x2: out0 i32=6 i32=4 i32=12 -> 4x6xi32=1,2,3,4,12,2,1,3,5,12,12,5,12,12,12,12,12,5,1,3,5,12,12,5
  entry @mandelbrot(%y: tile<ptr<i32>>, %w: tile<i32>, %h: tile<i32>, %n: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %io = iota : tile<4xi32>
    %c = constant <i32: 4> : tile<i32>
    %v = muli %bx, %c : tile<i32>
    %r = reshape %v : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<4xi32>
    %v1 = addi %io, %b : tile<4xi32>
    %x = itof %v1 signed : tile<4xi32> -> tile<4xf32>
    %c1 = constant <f32: 0.5> : tile<4xf32>
    %v2 = mulf %x, %c1 : tile<4xf32>
    %c2 = constant <f32: 2.0> : tile<4xf32>
    %v3 = subf %v2, %c2 : tile<4xf32>
    %r1 = reshape %v3 : tile<4xf32> -> tile<1x4xf32>
    %b1 = broadcast %r1 : tile<1x4xf32> -> tile<2x4xf32>
    %io1 = iota : tile<2xi32>
    %c3 = constant <i32: 2> : tile<i32>
    %v4 = muli %by, %c3 : tile<i32>
    %r2 = reshape %v4 : tile<i32> -> tile<1xi32>
    %b2 = broadcast %r2 : tile<1xi32> -> tile<2xi32>
    %v5 = addi %io1, %b2 : tile<2xi32>
    %x1 = itof %v5 signed : tile<2xi32> -> tile<2xf32>
    %c4 = constant <f32: 0.5> : tile<2xf32>
    %v6 = mulf %x1, %c4 : tile<2xf32>
    %c5 = constant <f32: 1.0> : tile<2xf32>
    %v7 = subf %v6, %c5 : tile<2xf32>
    %r3 = reshape %v7 : tile<2xf32> -> tile<2x1xf32>
    %b3 = broadcast %r3 : tile<2x1xf32> -> tile<2x4xf32>
    %c6 = constant <f32: 0.0> : tile<2x4xf32>
    %c7 = constant <i32: 0> : tile<2x4xi32>
    %c8 = constant <i32: 0> : tile<i32>
    %l = loop iter_values(%it = %c6, %it1 = %c6, %it2 = %c7, %it3 = %c8) : tile<2x4xf32>, tile<2x4xf32>, tile<2x4xi32>, tile<i32> -> tile<2x4xi32> {
      %v8 = mulf %it, %it : tile<2x4xf32>
      %v9 = mulf %it1, %it1 : tile<2x4xf32>
      %v10 = addf %v8, %v9 : tile<2x4xf32>
      %c9 = constant <f32: 4.0> : tile<2x4xf32>
      %p = cmpf less_than_or_equal ordered %v10, %c9 : tile<2x4xf32> -> tile<2x4xi1>
      %s = reduce %p dim=0 identities=[0 : i1] : tile<2x4xi1> -> tile<4xi1> (%acc: tile<i1>, %el: tile<i1>) {
        %u = ori %acc, %el : tile<i1>
        yield %u : tile<i1>
      }
      %s1 = reduce %s dim=0 identities=[0 : i1] : tile<4xi1> -> tile<i1> (%acc1: tile<i1>, %el1: tile<i1>) {
        %u1 = ori %acc1, %el1 : tile<i1>
        yield %u1 : tile<i1>
      }
      %p1 = cmpi less_than %it3, %n, signed : tile<i32> -> tile<i1>
      %v11 = andi %s1, %p1 : tile<i1>
      %c10 = constant <i1: 1> : tile<i1>
      %v12 = xori %v11, %c10 : tile<i1>
      if %v12 {
        break %it2 : tile<2x4xi32>
      }
      %v13 = mulf %it, %it : tile<2x4xf32>
      %v14 = mulf %it1, %it1 : tile<2x4xf32>
      %v15 = subf %v13, %v14 : tile<2x4xf32>
      %v16 = addf %v15, %b1 : tile<2x4xf32>
      %w1 = select %p, %v16, %it : tile<2x4xi1>, tile<2x4xf32>
      %v17 = mulf %it, %it1 : tile<2x4xf32>
      %c11 = constant <f32: 2.0> : tile<2x4xf32>
      %v18 = mulf %v17, %c11 : tile<2x4xf32>
      %v19 = addf %v18, %b3 : tile<2x4xf32>
      %w2 = select %p, %v19, %it1 : tile<2x4xi1>, tile<2x4xf32>
      %x2 = exti %p unsigned : tile<2x4xi1> -> tile<2x4xi32>
      %v20 = addi %it2, %x2 : tile<2x4xi32>
      %c12 = constant <i32: 1> : tile<i32>
      %v21 = addi %it3, %c12 : tile<i32>
      continue %w1, %w2, %v20, %v21 : tile<2x4xf32>, tile<2x4xf32>, tile<2x4xi32>, tile<i32>
    }
    %y_v = make_tensor_view %y, shape = [%h, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(2x4), tensor_view<?x?xi32, strides=[?, 1]>>
    %k = store_view_tko weak %l, %y_t[%by, %bx] : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<?x?xi32, strides=[?, 1]>>, tile<i32> -> token
  }
  // Joins a list of arrays: addresses and lengths lie in memory, here written by the block itself.
// CASE @concatenate grid=1: 3xf32=0.375,0.375,-0.375 7xf32=0.25,1.5,2,-0.625,0.125,0.75,-1.875 1xf32=0.125 out0 i32=3 -> 11xf32=0.375,0.375,-0.375,0.25,1.5,2,-0.625,0.125,0.75,-1.875,0.125
  entry @concatenate(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %c: tile<ptr<!T>>, %y: tile<ptr<!T>>, %count: tile<i32>) {
    %list = alloca num_elem = 6, alignment = 16 : tile<ptr<i64>>
    %k = make_token : token
    %c1 = constant <i32: 0> : tile<i32>
    %p = offset %list, %c1 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %a1 = ptr_to_int %a : tile<ptr<!T>> -> tile<i64>
    %k1 = store_ptr_tko weak %p, %a1 token=%k : tile<ptr<i64>>, tile<i64> -> token
    %c2 = constant <i32: 1> : tile<i32>
    %p1 = offset %list, %c2 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %c3 = constant <i64: 3> : tile<i64>
    %k2 = store_ptr_tko weak %p1, %c3 token=%k1 : tile<ptr<i64>>, tile<i64> -> token
    %c4 = constant <i32: 2> : tile<i32>
    %p2 = offset %list, %c4 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %a2 = ptr_to_int %b : tile<ptr<!T>> -> tile<i64>
    %k3 = store_ptr_tko weak %p2, %a2 token=%k2 : tile<ptr<i64>>, tile<i64> -> token
    %c5 = constant <i32: 3> : tile<i32>
    %p3 = offset %list, %c5 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %c6 = constant <i64: 7> : tile<i64>
    %k4 = store_ptr_tko weak %p3, %c6 token=%k3 : tile<ptr<i64>>, tile<i64> -> token
    %c7 = constant <i32: 4> : tile<i32>
    %p4 = offset %list, %c7 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %a3 = ptr_to_int %c : tile<ptr<!T>> -> tile<i64>
    %k5 = store_ptr_tko weak %p4, %a3 token=%k4 : tile<ptr<i64>>, tile<i64> -> token
    %c8 = constant <i32: 5> : tile<i32>
    %p5 = offset %list, %c8 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
    %c9 = constant <i64: 1> : tile<i64>
    %k6 = store_ptr_tko weak %p5, %c9 token=%k5 : tile<ptr<i64>>, tile<i64> -> token
    %l = for %i in (%c1 to %count, step %c2) : tile<i32> iter_values(%it = %c1) -> (tile<i32>) {
      %v = muli %i, %c4 : tile<i32>
      %p6 = offset %list, %v : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
      %x, %k7 = load_ptr_tko weak %p6 token=%k6 : tile<ptr<i64>> -> tile<i64>, token
      %p7 = int_to_ptr %x : tile<i64> -> tile<ptr<!T>>
      %v1 = muli %i, %c4 : tile<i32>
      %v2 = addi %v1, %c2 : tile<i32>
      %p8 = offset %list, %v2 : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
      %x1, %k8 = load_ptr_tko weak %p8 token=%k6 : tile<ptr<i64>> -> tile<i64>, token
      %x2 = trunci %x1 : tile<i64> -> tile<i32>
      %p7_v = make_tensor_view %p7, shape = [%x2], strides = [1] : tile<i32> -> !List
      %p7_t = make_partition_view %p7_v : partition_view<tile=(4), padding_value = zero, !List>
      %p9 = offset %y, %it : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
      %p9_v = make_tensor_view %p9, shape = [%x2], strides = [1] : tile<i32> -> !List
      %p9_t = make_partition_view %p9_v : partition_view<tile=(4), !List>
      %n = get_index_space_shape %p7_t : partition_view<tile=(4), padding_value = zero, !List> -> tile<i32>
      for %i1 in (%c1 to %n, step %c2) : tile<i32> {
        %x3, %k9 = load_view_tko weak %p7_t[%i1] : partition_view<tile=(4), padding_value = zero, !List>, tile<i32> -> tile<4x!T>, token
        %k10 = store_view_tko weak %x3, %p9_t[%i1] : tile<4x!T>, partition_view<tile=(4), !List>, tile<i32> -> token
      }
      %v3 = addi %it, %x2 : tile<i32>
      continue %v3 : tile<i32>
    }
  }
}
