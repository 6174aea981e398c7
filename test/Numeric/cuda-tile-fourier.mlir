// Fourier and cosine transforms in CUDA Tile IR; complex numbers are neighbours in memory.
// TYPES: f32

cuda_tile.module @fourier {
  // Fourier transforms of 16 complex numbers as products: transforms of rows and columns of 4 × 4, factors in between.
// CASE @four_step grid=2 K=16: 2x16x2xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875 out0 i32=2 -> 2x16x2xf32=-2.125,-11,5.239972711133602,-4.305075513269083,-11.178299926689885,3.4644678276761454,3.6719648958234647,-2.045270427735771,-0.8749997213399068,3.4999998524740517,1.4185396081561144,-5.133650990003789,-1.3195458360796235,-7.937184537158771,-7.202493137509665,-2.639784849208458,5.625000688454346,2.749999398968308,2.8510168444725137,-5.578809307028339,-0.5716960298736105,10.535532583753533,2.808114023261501,6.111133372779664,0.8750004753615959,-1.749999098452688,3.490469833576473,-2.9824655058000746,2.5695459499624773,4.437183457176506,2.722414210545644,-1.4260769907790585,0.625,5.25,-4.488222626796475,-0.26229213637861015,-9.833630780851562,1.6302056231685937,0.13091142359955443,2.6071426323610627,0.12499983608230303,-2.9999998360822793,5.066964884045155,-8.964694915503323,1.633884168479348,0.7766496464414319,-4.899940898481,1.573018376175894,0.6249993224734126,-6.2500003715467525,-0.9416043788248691,-11.035804477637878,1.8336299392737654,-4.380205766595195,-0.004384484971108216,6.312274032707619,-4.874999836082326,-0.4999997049481497,10.362861214776917,2.2627878339107355,-0.133883160466169,-4.526651295448602,-5.226582887162583,-1.492432420856162
  entry @four_step(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %m: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%m, 16, 2], strides = [32, 2, 1] : tile<i32> -> tensor_view<?x16x2x!T, strides=[32, 2, 1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(1x16x2), padding_value = zero, tensor_view<?x16x2x!T, strides=[32, 2, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %x_t[%bx, %c, %c] : partition_view<tile=(1x16x2), padding_value = zero, tensor_view<?x16x2x!T, strides=[32, 2, 1]>>, tile<i32> -> tile<1x16x2x!T>, token
    %ex = extract %x1[%c, %c, %c] : tile<1x16x2x!T> -> tile<1x16x1x!T>
    %c1 = constant <i32: 1> : tile<i32>
    %ex1 = extract %x1[%c, %c, %c1] : tile<1x16x2x!T> -> tile<1x16x1x!T>
    %r = reshape %ex : tile<1x16x1x!T> -> tile<4x4x!T>
    %r1 = reshape %ex1 : tile<1x16x1x!T> -> tile<4x4x!T>
    %io = iota : tile<4xi32>
    %x2 = itof %io signed : tile<4xi32> -> tile<4xf32>
    %r2 = reshape %x2 : tile<4xf32> -> tile<4x1xf32>
    %io1 = iota : tile<4xi32>
    %x3 = itof %io1 signed : tile<4xi32> -> tile<4xf32>
    %r3 = reshape %x3 : tile<4xf32> -> tile<1x4xf32>
    %b = broadcast %r2 : tile<4x1xf32> -> tile<4x4xf32>
    %b1 = broadcast %r3 : tile<1x4xf32> -> tile<4x4xf32>
    %v = mulf %b, %b1 : tile<4x4xf32>
    %c2 = constant <f32: -1.5707963267948966> : tile<4x4xf32>
    %v1 = mulf %v, %c2 : tile<4x4xf32>
    %v2 = cos %v1 : tile<4x4xf32>
    %v3 = sin %v1 : tile<4x4xf32>
    %io2 = iota : tile<4xi32>
    %x4 = itof %io2 signed : tile<4xi32> -> tile<4xf32>
    %r4 = reshape %x4 : tile<4xf32> -> tile<4x1xf32>
    %io3 = iota : tile<4xi32>
    %x5 = itof %io3 signed : tile<4xi32> -> tile<4xf32>
    %r5 = reshape %x5 : tile<4xf32> -> tile<1x4xf32>
    %b2 = broadcast %r4 : tile<4x1xf32> -> tile<4x4xf32>
    %b3 = broadcast %r5 : tile<1x4xf32> -> tile<4x4xf32>
    %v4 = mulf %b2, %b3 : tile<4x4xf32>
    %c3 = constant <f32: -0.39269908169872414> : tile<4x4xf32>
    %v5 = mulf %v4, %c3 : tile<4x4xf32>
    %v6 = cos %v5 : tile<4x4xf32>
    %v7 = sin %v5 : tile<4x4xf32>
    %c4 = constant <f32: 0.0> : tile<4x4xf32>
    %d = mmaf %v3, %r1, %c4 : tile<4x4xf32>, tile<4x4x!T>, tile<4x4xf32>
    %v8 = negf %d : tile<4x4xf32>
    %d1 = mmaf %v2, %r, %v8 : tile<4x4xf32>, tile<4x4x!T>, tile<4x4xf32>
    %d2 = mmaf %v3, %r, %c4 : tile<4x4xf32>, tile<4x4x!T>, tile<4x4xf32>
    %d3 = mmaf %v2, %r1, %d2 : tile<4x4xf32>, tile<4x4x!T>, tile<4x4xf32>
    %v9 = mulf %d1, %v6 : tile<4x4xf32>
    %v10 = mulf %d3, %v7 : tile<4x4xf32>
    %v11 = subf %v9, %v10 : tile<4x4xf32>
    %v12 = mulf %d1, %v7 : tile<4x4xf32>
    %v13 = mulf %d3, %v6 : tile<4x4xf32>
    %v14 = addf %v12, %v13 : tile<4x4xf32>
    %d4 = mmaf %v14, %v3, %c4 : tile<4x4xf32>, tile<4x4xf32>, tile<4x4xf32>
    %v15 = negf %d4 : tile<4x4xf32>
    %d5 = mmaf %v11, %v2, %v15 : tile<4x4xf32>, tile<4x4xf32>, tile<4x4xf32>
    %d6 = mmaf %v14, %v2, %c4 : tile<4x4xf32>, tile<4x4xf32>, tile<4x4xf32>
    %d7 = mmaf %v11, %v3, %d6 : tile<4x4xf32>, tile<4x4xf32>, tile<4x4xf32>
    %t = permute %d5 [1, 0] : tile<4x4xf32> -> tile<4x4xf32>
    %t1 = permute %d7 [1, 0] : tile<4x4xf32> -> tile<4x4xf32>
    %y_v = make_tensor_view %y, shape = [%m, 16, 2], strides = [32, 2, 1] : tile<i32> -> tensor_view<?x16x2x!T, strides=[32, 2, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x16x2), tensor_view<?x16x2x!T, strides=[32, 2, 1]>>
    %r6 = reshape %t : tile<4x4xf32> -> tile<1x16x1xf32>
    %r7 = reshape %t1 : tile<4x4xf32> -> tile<1x16x1xf32>
    %cat = cat %r6, %r7 dim = 2 : tile<1x16x1xf32>, tile<1x16x1xf32> -> tile<1x16x2xf32>
    %k1 = store_view_tko weak %cat, %y_t[%bx, %c, %c] : tile<1x16x2xf32>, partition_view<tile=(1x16x2), tensor_view<?x16x2x!T, strides=[32, 2, 1]>>, tile<i32> -> token
  }
  // The same by stages of sums and differences of halves.
// CASE @radix_two grid=2 K=16: 2x16x2xf32=0.5,-0.875,1.125,-1.625,-1.5,-1.25,0.875,-1.625,2,-0.375,-1.75,-1.375,1.375,1.25,-1.5,-0.125,-1.375,1.375,-1.625,-1.125,-0.25,-1.625,1.125,-1.625,-0.25,-1.75,-1,0.25,1.25,-0.875,-1.125,0.375,-0.625,-1.25,-0.5,0.875,-1.25,-1.5,-1.625,-0.375,1.875,1.375,0.5,1.625,1.625,0.875,0.375,-0.125,-0.625,-0.125,-1.375,0.375,1.875,0.625,1.5,0.25,-1.5,-1.125,2,1.25,-0.75,0.625,-0.875,1.875 out0 i32=2 -> 2x16x2xf32=-2.125,-11,5.239972643040641,-4.305074887364675,-11.17830077970551,3.4644666031691433,3.6719659161554206,-2.0452697469970533,-0.8749998852576003,3.5000000382474634,1.4185399396027225,-5.133651280527549,-1.31954449630852,-7.937184384718407,-7.202491864803633,-2.63978537328743,5.625,2.75,2.8510172595211487,-5.5788088677314995,-0.5716988378198229,10.535533680954883,2.8081122249628865,6.111133360624496,0.8749998852576003,-1.7500000382474634,3.490469764432972,-2.9824652047889115,2.5695441138338513,4.437184100594381,2.7224141170878404,-1.4260779999273778,0.625,5.25,-4.488222938156102,-0.26229236224532304,-9.833630821817414,1.63020412089983,0.1309116672549301,2.6071418972775313,0.12499994536075976,-3.0000001092784734,5.066965564477632,-8.964694526166571,1.6338835698719303,0.7766503140442691,-4.8999415079861235,1.573016726788508,0.625,-6.25,-0.9416025918941193,-11.035804535855181,1.833630843673113,-4.380203913270728,-0.004387050193919939,6.312275205293835,-4.874999945360759,-0.4999998907215264,10.362859375468814,2.262790987153189,-0.13388359172762976,-4.526650521673371,-5.226582518971111,-1.4924333922459874
  entry @radix_two(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %m: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%m, 16, 2], strides = [32, 2, 1] : tile<i32> -> tensor_view<?x16x2x!T, strides=[32, 2, 1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(1x16x2), padding_value = zero, tensor_view<?x16x2x!T, strides=[32, 2, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %x_t[%bx, %c, %c] : partition_view<tile=(1x16x2), padding_value = zero, tensor_view<?x16x2x!T, strides=[32, 2, 1]>>, tile<i32> -> tile<1x16x2x!T>, token
    %ex = extract %x1[%c, %c, %c] : tile<1x16x2x!T> -> tile<1x16x1x!T>
    %c1 = constant <i32: 1> : tile<i32>
    %ex1 = extract %x1[%c, %c, %c1] : tile<1x16x2x!T> -> tile<1x16x1x!T>
    %r = reshape %ex : tile<1x16x1x!T> -> tile<1x16x!T>
    %r1 = reshape %ex1 : tile<1x16x1x!T> -> tile<1x16x!T>
    %r2 = reshape %r : tile<1x16x!T> -> tile<2x8x1x!T>
    %r3 = reshape %r1 : tile<1x16x!T> -> tile<2x8x1x!T>
    %ex2 = extract %r2[%c, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex3 = extract %r2[%c1, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex4 = extract %r3[%c, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex5 = extract %r3[%c1, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %io = iota : tile<8xi32>
    %x2 = itof %io signed : tile<8xi32> -> tile<8xf32>
    %c2 = constant <f32: -0.39269908169872414> : tile<8xf32>
    %v = mulf %x2, %c2 : tile<8xf32>
    %v1 = cos %v : tile<8xf32>
    %r4 = reshape %v1 : tile<8xf32> -> tile<1x8x1xf32>
    %v2 = sin %v : tile<8xf32>
    %r5 = reshape %v2 : tile<8xf32> -> tile<1x8x1xf32>
    %v3 = subf %ex2, %ex3 : tile<1x8x1x!T>
    %v4 = subf %ex4, %ex5 : tile<1x8x1x!T>
    %v5 = mulf %v3, %r4 : tile<1x8x1x!T>
    %v6 = mulf %v4, %r5 : tile<1x8x1x!T>
    %v7 = subf %v5, %v6 : tile<1x8x1x!T>
    %v8 = mulf %v3, %r5 : tile<1x8x1x!T>
    %v9 = mulf %v4, %r4 : tile<1x8x1x!T>
    %v10 = addf %v8, %v9 : tile<1x8x1x!T>
    %v11 = addf %ex2, %ex3 : tile<1x8x1x!T>
    %r6 = reshape %v11 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %r7 = reshape %v7 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %cat = cat %r6, %r7 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %v12 = addf %ex4, %ex5 : tile<1x8x1x!T>
    %r8 = reshape %v12 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %r9 = reshape %v10 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %cat1 = cat %r8, %r9 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %r10 = reshape %cat : tile<8x2x1x!T> -> tile<2x4x2x!T>
    %r11 = reshape %cat1 : tile<8x2x1x!T> -> tile<2x4x2x!T>
    %ex6 = extract %r10[%c, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex7 = extract %r10[%c1, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex8 = extract %r11[%c, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex9 = extract %r11[%c1, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %io1 = iota : tile<4xi32>
    %x3 = itof %io1 signed : tile<4xi32> -> tile<4xf32>
    %c3 = constant <f32: -0.7853981633974483> : tile<4xf32>
    %v13 = mulf %x3, %c3 : tile<4xf32>
    %v14 = cos %v13 : tile<4xf32>
    %r12 = reshape %v14 : tile<4xf32> -> tile<1x4x1xf32>
    %v15 = sin %v13 : tile<4xf32>
    %r13 = reshape %v15 : tile<4xf32> -> tile<1x4x1xf32>
    %v16 = subf %ex6, %ex7 : tile<1x4x2x!T>
    %v17 = subf %ex8, %ex9 : tile<1x4x2x!T>
    %b = broadcast %r12 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v18 = mulf %v16, %b : tile<1x4x2x!T>
    %b1 = broadcast %r13 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v19 = mulf %v17, %b1 : tile<1x4x2x!T>
    %v20 = subf %v18, %v19 : tile<1x4x2x!T>
    %b2 = broadcast %r13 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v21 = mulf %v16, %b2 : tile<1x4x2x!T>
    %b3 = broadcast %r12 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v22 = mulf %v17, %b3 : tile<1x4x2x!T>
    %v23 = addf %v21, %v22 : tile<1x4x2x!T>
    %v24 = addf %ex6, %ex7 : tile<1x4x2x!T>
    %r14 = reshape %v24 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %r15 = reshape %v20 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %cat2 = cat %r14, %r15 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %v25 = addf %ex8, %ex9 : tile<1x4x2x!T>
    %r16 = reshape %v25 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %r17 = reshape %v23 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %cat3 = cat %r16, %r17 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %r18 = reshape %cat2 : tile<4x2x2x!T> -> tile<2x2x4x!T>
    %r19 = reshape %cat3 : tile<4x2x2x!T> -> tile<2x2x4x!T>
    %ex10 = extract %r18[%c, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex11 = extract %r18[%c1, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex12 = extract %r19[%c, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex13 = extract %r19[%c1, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %io2 = iota : tile<2xi32>
    %x4 = itof %io2 signed : tile<2xi32> -> tile<2xf32>
    %c4 = constant <f32: -1.5707963267948966> : tile<2xf32>
    %v26 = mulf %x4, %c4 : tile<2xf32>
    %v27 = cos %v26 : tile<2xf32>
    %r20 = reshape %v27 : tile<2xf32> -> tile<1x2x1xf32>
    %v28 = sin %v26 : tile<2xf32>
    %r21 = reshape %v28 : tile<2xf32> -> tile<1x2x1xf32>
    %v29 = subf %ex10, %ex11 : tile<1x2x4x!T>
    %v30 = subf %ex12, %ex13 : tile<1x2x4x!T>
    %b4 = broadcast %r20 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v31 = mulf %v29, %b4 : tile<1x2x4x!T>
    %b5 = broadcast %r21 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v32 = mulf %v30, %b5 : tile<1x2x4x!T>
    %v33 = subf %v31, %v32 : tile<1x2x4x!T>
    %b6 = broadcast %r21 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v34 = mulf %v29, %b6 : tile<1x2x4x!T>
    %b7 = broadcast %r20 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v35 = mulf %v30, %b7 : tile<1x2x4x!T>
    %v36 = addf %v34, %v35 : tile<1x2x4x!T>
    %v37 = addf %ex10, %ex11 : tile<1x2x4x!T>
    %r22 = reshape %v37 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %r23 = reshape %v33 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %cat4 = cat %r22, %r23 dim = 1 : tile<2x1x4x!T>, tile<2x1x4x!T> -> tile<2x2x4x!T>
    %v38 = addf %ex12, %ex13 : tile<1x2x4x!T>
    %r24 = reshape %v38 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %r25 = reshape %v36 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %cat5 = cat %r24, %r25 dim = 1 : tile<2x1x4x!T>, tile<2x1x4x!T> -> tile<2x2x4x!T>
    %r26 = reshape %cat4 : tile<2x2x4x!T> -> tile<2x1x8x!T>
    %r27 = reshape %cat5 : tile<2x2x4x!T> -> tile<2x1x8x!T>
    %ex14 = extract %r26[%c, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex15 = extract %r26[%c1, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex16 = extract %r27[%c, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex17 = extract %r27[%c1, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %io3 = iota : tile<1xi32>
    %x5 = itof %io3 signed : tile<1xi32> -> tile<1xf32>
    %c5 = constant <f32: -3.141592653589793> : tile<1xf32>
    %v39 = mulf %x5, %c5 : tile<1xf32>
    %v40 = cos %v39 : tile<1xf32>
    %r28 = reshape %v40 : tile<1xf32> -> tile<1x1x1xf32>
    %v41 = sin %v39 : tile<1xf32>
    %r29 = reshape %v41 : tile<1xf32> -> tile<1x1x1xf32>
    %v42 = subf %ex14, %ex15 : tile<1x1x8x!T>
    %v43 = subf %ex16, %ex17 : tile<1x1x8x!T>
    %b8 = broadcast %r28 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v44 = mulf %v42, %b8 : tile<1x1x8x!T>
    %b9 = broadcast %r29 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v45 = mulf %v43, %b9 : tile<1x1x8x!T>
    %v46 = subf %v44, %v45 : tile<1x1x8x!T>
    %b10 = broadcast %r29 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v47 = mulf %v42, %b10 : tile<1x1x8x!T>
    %b11 = broadcast %r28 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v48 = mulf %v43, %b11 : tile<1x1x8x!T>
    %v49 = addf %v47, %v48 : tile<1x1x8x!T>
    %v50 = addf %ex14, %ex15 : tile<1x1x8x!T>
    %cat6 = cat %v50, %v46 dim = 1 : tile<1x1x8x!T>, tile<1x1x8x!T> -> tile<1x2x8x!T>
    %v51 = addf %ex16, %ex17 : tile<1x1x8x!T>
    %cat7 = cat %v51, %v49 dim = 1 : tile<1x1x8x!T>, tile<1x1x8x!T> -> tile<1x2x8x!T>
    %y_v = make_tensor_view %y, shape = [%m, 16, 2], strides = [32, 2, 1] : tile<i32> -> tensor_view<?x16x2x!T, strides=[32, 2, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x16x2), tensor_view<?x16x2x!T, strides=[32, 2, 1]>>
    %r30 = reshape %cat6 : tile<1x2x8x!T> -> tile<1x16x1x!T>
    %r31 = reshape %cat7 : tile<1x2x8x!T> -> tile<1x16x1x!T>
    %cat8 = cat %r30, %r31 dim = 2 : tile<1x16x1x!T>, tile<1x16x1x!T> -> tile<1x16x2x!T>
    %k1 = store_view_tko weak %cat8, %y_t[%bx, %c, %c] : tile<1x16x2x!T>, partition_view<tile=(1x16x2), tensor_view<?x16x2x!T, strides=[32, 2, 1]>>, tile<i32> -> token
  }
  // A circular convolution with a filter: two transforms, a product, the inverse.
// CASE @circular_convolution grid=2 K=64: 2x16xf32=1.25,-1.75,-1.5,0.5,0.625,0.75,1.875,1.625,-1.5,-1.375,0.125,1.75,-1.5,-1.625,0.375,1.5,0.25,1,0.75,-1.875,1.625,0.75,-0.75,-1.125,1.875,-1.625,-0.375,0.25,-1,-0.125,1.125,1.125 16xf32=1.875,-1.375,-0.75,1.5,1.125,0.125,-1,1.375,0.125,1.25,0.75,1,-0.25,-0.875,-1.375,-0.625 out0 i32=2 -> 2x16xf32=0.6406249039278076,-8.593750043369909,1.531249886716111,1.8593750000000129,-5.406250220633272,-7.265625068982015,2.5312500056317226,4.906250000000001,-5.249999901195846,1.5156250433698912,10.312500015274711,4.656249999999988,-12.999999782098612,-6.0937499310179675,11.781250092377377,9.109375,-6.468749816198497,2.390625182358478,0.7968753006756597,-5.656249999999998,5.046875350237509,2.6093750850322914,-5.078125050355142,-0.09374999999999978,12.687499861275846,1.2499998176415148,-2.812500370682189,6.374999999999998,-3.7187503953148715,-2.3593750850322843,-2.562499879638315,2.984374999999999
  entry @circular_convolution(%a: tile<ptr<!T>>, %b: tile<ptr<!T>>, %y: tile<ptr<!T>>, %m: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a, shape = [%m, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16x!T, strides=[16, 1]>
    %a_t = make_partition_view %a_v : partition_view<tile=(1x16), padding_value = zero, tensor_view<?x16x!T, strides=[16, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x, %k = load_view_tko weak %a_t[%bx, %c] : partition_view<tile=(1x16), padding_value = zero, tensor_view<?x16x!T, strides=[16, 1]>>, tile<i32> -> tile<1x16x!T>, token
    %b_v = make_tensor_view %b, shape = [16], strides = [1] : tensor_view<16x!T, strides=[1]>
    %b_t = make_partition_view %b_v : partition_view<tile=(16), padding_value = zero, tensor_view<16x!T, strides=[1]>>
    %x1, %k1 = load_view_tko weak %b_t[%c] : partition_view<tile=(16), padding_value = zero, tensor_view<16x!T, strides=[1]>>, tile<i32> -> tile<16x!T>, token
    %c1 = constant <f32: 0.0> : tile<1x16xf32>
    %r = reshape %x : tile<1x16x!T> -> tile<2x8x1x!T>
    %r1 = reshape %c1 : tile<1x16xf32> -> tile<2x8x1xf32>
    %ex = extract %r[%c, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %c2 = constant <i32: 1> : tile<i32>
    %ex1 = extract %r[%c2, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex2 = extract %r1[%c, %c, %c] : tile<2x8x1xf32> -> tile<1x8x1xf32>
    %ex3 = extract %r1[%c2, %c, %c] : tile<2x8x1xf32> -> tile<1x8x1xf32>
    %io = iota : tile<8xi32>
    %x2 = itof %io signed : tile<8xi32> -> tile<8xf32>
    %c3 = constant <f32: -0.39269908169872414> : tile<8xf32>
    %v = mulf %x2, %c3 : tile<8xf32>
    %v1 = cos %v : tile<8xf32>
    %r2 = reshape %v1 : tile<8xf32> -> tile<1x8x1xf32>
    %v2 = sin %v : tile<8xf32>
    %r3 = reshape %v2 : tile<8xf32> -> tile<1x8x1xf32>
    %v3 = subf %ex, %ex1 : tile<1x8x1x!T>
    %v4 = subf %ex2, %ex3 : tile<1x8x1xf32>
    %v5 = mulf %v3, %r2 : tile<1x8x1x!T>
    %v6 = mulf %v4, %r3 : tile<1x8x1xf32>
    %v7 = subf %v5, %v6 : tile<1x8x1x!T>
    %v8 = mulf %v3, %r3 : tile<1x8x1x!T>
    %v9 = mulf %v4, %r2 : tile<1x8x1xf32>
    %v10 = addf %v8, %v9 : tile<1x8x1x!T>
    %v11 = addf %ex, %ex1 : tile<1x8x1x!T>
    %r4 = reshape %v11 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %r5 = reshape %v7 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %cat = cat %r4, %r5 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %v12 = addf %ex2, %ex3 : tile<1x8x1xf32>
    %r6 = reshape %v12 : tile<1x8x1xf32> -> tile<8x1x1xf32>
    %r7 = reshape %v10 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %cat1 = cat %r6, %r7 dim = 1 : tile<8x1x1xf32>, tile<8x1x1x!T> -> tile<8x2x1xf32>
    %r8 = reshape %cat : tile<8x2x1x!T> -> tile<2x4x2x!T>
    %r9 = reshape %cat1 : tile<8x2x1xf32> -> tile<2x4x2xf32>
    %ex4 = extract %r8[%c, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex5 = extract %r8[%c2, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex6 = extract %r9[%c, %c, %c] : tile<2x4x2xf32> -> tile<1x4x2xf32>
    %ex7 = extract %r9[%c2, %c, %c] : tile<2x4x2xf32> -> tile<1x4x2xf32>
    %io1 = iota : tile<4xi32>
    %x3 = itof %io1 signed : tile<4xi32> -> tile<4xf32>
    %c4 = constant <f32: -0.7853981633974483> : tile<4xf32>
    %v13 = mulf %x3, %c4 : tile<4xf32>
    %v14 = cos %v13 : tile<4xf32>
    %r10 = reshape %v14 : tile<4xf32> -> tile<1x4x1xf32>
    %v15 = sin %v13 : tile<4xf32>
    %r11 = reshape %v15 : tile<4xf32> -> tile<1x4x1xf32>
    %v16 = subf %ex4, %ex5 : tile<1x4x2x!T>
    %v17 = subf %ex6, %ex7 : tile<1x4x2xf32>
    %b1 = broadcast %r10 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v18 = mulf %v16, %b1 : tile<1x4x2x!T>
    %b2 = broadcast %r11 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v19 = mulf %v17, %b2 : tile<1x4x2xf32>
    %v20 = subf %v18, %v19 : tile<1x4x2x!T>
    %b3 = broadcast %r11 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v21 = mulf %v16, %b3 : tile<1x4x2x!T>
    %b4 = broadcast %r10 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v22 = mulf %v17, %b4 : tile<1x4x2xf32>
    %v23 = addf %v21, %v22 : tile<1x4x2x!T>
    %v24 = addf %ex4, %ex5 : tile<1x4x2x!T>
    %r12 = reshape %v24 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %r13 = reshape %v20 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %cat2 = cat %r12, %r13 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %v25 = addf %ex6, %ex7 : tile<1x4x2xf32>
    %r14 = reshape %v25 : tile<1x4x2xf32> -> tile<4x1x2xf32>
    %r15 = reshape %v23 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %cat3 = cat %r14, %r15 dim = 1 : tile<4x1x2xf32>, tile<4x1x2x!T> -> tile<4x2x2xf32>
    %r16 = reshape %cat2 : tile<4x2x2x!T> -> tile<2x2x4x!T>
    %r17 = reshape %cat3 : tile<4x2x2xf32> -> tile<2x2x4xf32>
    %ex8 = extract %r16[%c, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex9 = extract %r16[%c2, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex10 = extract %r17[%c, %c, %c] : tile<2x2x4xf32> -> tile<1x2x4xf32>
    %ex11 = extract %r17[%c2, %c, %c] : tile<2x2x4xf32> -> tile<1x2x4xf32>
    %io2 = iota : tile<2xi32>
    %x4 = itof %io2 signed : tile<2xi32> -> tile<2xf32>
    %c5 = constant <f32: -1.5707963267948966> : tile<2xf32>
    %v26 = mulf %x4, %c5 : tile<2xf32>
    %v27 = cos %v26 : tile<2xf32>
    %r18 = reshape %v27 : tile<2xf32> -> tile<1x2x1xf32>
    %v28 = sin %v26 : tile<2xf32>
    %r19 = reshape %v28 : tile<2xf32> -> tile<1x2x1xf32>
    %v29 = subf %ex8, %ex9 : tile<1x2x4x!T>
    %v30 = subf %ex10, %ex11 : tile<1x2x4xf32>
    %b5 = broadcast %r18 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v31 = mulf %v29, %b5 : tile<1x2x4x!T>
    %b6 = broadcast %r19 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v32 = mulf %v30, %b6 : tile<1x2x4xf32>
    %v33 = subf %v31, %v32 : tile<1x2x4x!T>
    %b7 = broadcast %r19 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v34 = mulf %v29, %b7 : tile<1x2x4x!T>
    %b8 = broadcast %r18 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v35 = mulf %v30, %b8 : tile<1x2x4xf32>
    %v36 = addf %v34, %v35 : tile<1x2x4x!T>
    %v37 = addf %ex8, %ex9 : tile<1x2x4x!T>
    %r20 = reshape %v37 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %r21 = reshape %v33 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %cat4 = cat %r20, %r21 dim = 1 : tile<2x1x4x!T>, tile<2x1x4x!T> -> tile<2x2x4x!T>
    %v38 = addf %ex10, %ex11 : tile<1x2x4xf32>
    %r22 = reshape %v38 : tile<1x2x4xf32> -> tile<2x1x4xf32>
    %r23 = reshape %v36 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %cat5 = cat %r22, %r23 dim = 1 : tile<2x1x4xf32>, tile<2x1x4x!T> -> tile<2x2x4xf32>
    %r24 = reshape %cat4 : tile<2x2x4x!T> -> tile<2x1x8x!T>
    %r25 = reshape %cat5 : tile<2x2x4xf32> -> tile<2x1x8xf32>
    %ex12 = extract %r24[%c, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex13 = extract %r24[%c2, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex14 = extract %r25[%c, %c, %c] : tile<2x1x8xf32> -> tile<1x1x8xf32>
    %ex15 = extract %r25[%c2, %c, %c] : tile<2x1x8xf32> -> tile<1x1x8xf32>
    %io3 = iota : tile<1xi32>
    %x5 = itof %io3 signed : tile<1xi32> -> tile<1xf32>
    %c6 = constant <f32: -3.141592653589793> : tile<1xf32>
    %v39 = mulf %x5, %c6 : tile<1xf32>
    %v40 = cos %v39 : tile<1xf32>
    %r26 = reshape %v40 : tile<1xf32> -> tile<1x1x1xf32>
    %v41 = sin %v39 : tile<1xf32>
    %r27 = reshape %v41 : tile<1xf32> -> tile<1x1x1xf32>
    %v42 = subf %ex12, %ex13 : tile<1x1x8x!T>
    %v43 = subf %ex14, %ex15 : tile<1x1x8xf32>
    %b9 = broadcast %r26 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v44 = mulf %v42, %b9 : tile<1x1x8x!T>
    %b10 = broadcast %r27 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v45 = mulf %v43, %b10 : tile<1x1x8xf32>
    %v46 = subf %v44, %v45 : tile<1x1x8x!T>
    %b11 = broadcast %r27 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v47 = mulf %v42, %b11 : tile<1x1x8x!T>
    %b12 = broadcast %r26 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v48 = mulf %v43, %b12 : tile<1x1x8xf32>
    %v49 = addf %v47, %v48 : tile<1x1x8x!T>
    %v50 = addf %ex12, %ex13 : tile<1x1x8x!T>
    %cat6 = cat %v50, %v46 dim = 1 : tile<1x1x8x!T>, tile<1x1x8x!T> -> tile<1x2x8x!T>
    %v51 = addf %ex14, %ex15 : tile<1x1x8xf32>
    %cat7 = cat %v51, %v49 dim = 1 : tile<1x1x8xf32>, tile<1x1x8x!T> -> tile<1x2x8xf32>
    %r28 = reshape %x1 : tile<16x!T> -> tile<1x16x!T>
    %r29 = reshape %r28 : tile<1x16x!T> -> tile<2x8x1x!T>
    %r30 = reshape %c1 : tile<1x16xf32> -> tile<2x8x1xf32>
    %ex16 = extract %r29[%c, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex17 = extract %r29[%c2, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex18 = extract %r30[%c, %c, %c] : tile<2x8x1xf32> -> tile<1x8x1xf32>
    %ex19 = extract %r30[%c2, %c, %c] : tile<2x8x1xf32> -> tile<1x8x1xf32>
    %io4 = iota : tile<8xi32>
    %x6 = itof %io4 signed : tile<8xi32> -> tile<8xf32>
    %v52 = mulf %x6, %c3 : tile<8xf32>
    %v53 = cos %v52 : tile<8xf32>
    %r31 = reshape %v53 : tile<8xf32> -> tile<1x8x1xf32>
    %v54 = sin %v52 : tile<8xf32>
    %r32 = reshape %v54 : tile<8xf32> -> tile<1x8x1xf32>
    %v55 = subf %ex16, %ex17 : tile<1x8x1x!T>
    %v56 = subf %ex18, %ex19 : tile<1x8x1xf32>
    %v57 = mulf %v55, %r31 : tile<1x8x1x!T>
    %v58 = mulf %v56, %r32 : tile<1x8x1xf32>
    %v59 = subf %v57, %v58 : tile<1x8x1x!T>
    %v60 = mulf %v55, %r32 : tile<1x8x1x!T>
    %v61 = mulf %v56, %r31 : tile<1x8x1xf32>
    %v62 = addf %v60, %v61 : tile<1x8x1x!T>
    %v63 = addf %ex16, %ex17 : tile<1x8x1x!T>
    %r33 = reshape %v63 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %r34 = reshape %v59 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %cat8 = cat %r33, %r34 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %v64 = addf %ex18, %ex19 : tile<1x8x1xf32>
    %r35 = reshape %v64 : tile<1x8x1xf32> -> tile<8x1x1xf32>
    %r36 = reshape %v62 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %cat9 = cat %r35, %r36 dim = 1 : tile<8x1x1xf32>, tile<8x1x1x!T> -> tile<8x2x1xf32>
    %r37 = reshape %cat8 : tile<8x2x1x!T> -> tile<2x4x2x!T>
    %r38 = reshape %cat9 : tile<8x2x1xf32> -> tile<2x4x2xf32>
    %ex20 = extract %r37[%c, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex21 = extract %r37[%c2, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex22 = extract %r38[%c, %c, %c] : tile<2x4x2xf32> -> tile<1x4x2xf32>
    %ex23 = extract %r38[%c2, %c, %c] : tile<2x4x2xf32> -> tile<1x4x2xf32>
    %io5 = iota : tile<4xi32>
    %x7 = itof %io5 signed : tile<4xi32> -> tile<4xf32>
    %v65 = mulf %x7, %c4 : tile<4xf32>
    %v66 = cos %v65 : tile<4xf32>
    %r39 = reshape %v66 : tile<4xf32> -> tile<1x4x1xf32>
    %v67 = sin %v65 : tile<4xf32>
    %r40 = reshape %v67 : tile<4xf32> -> tile<1x4x1xf32>
    %v68 = subf %ex20, %ex21 : tile<1x4x2x!T>
    %v69 = subf %ex22, %ex23 : tile<1x4x2xf32>
    %b13 = broadcast %r39 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v70 = mulf %v68, %b13 : tile<1x4x2x!T>
    %b14 = broadcast %r40 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v71 = mulf %v69, %b14 : tile<1x4x2xf32>
    %v72 = subf %v70, %v71 : tile<1x4x2x!T>
    %b15 = broadcast %r40 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v73 = mulf %v68, %b15 : tile<1x4x2x!T>
    %b16 = broadcast %r39 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v74 = mulf %v69, %b16 : tile<1x4x2xf32>
    %v75 = addf %v73, %v74 : tile<1x4x2x!T>
    %v76 = addf %ex20, %ex21 : tile<1x4x2x!T>
    %r41 = reshape %v76 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %r42 = reshape %v72 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %cat10 = cat %r41, %r42 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %v77 = addf %ex22, %ex23 : tile<1x4x2xf32>
    %r43 = reshape %v77 : tile<1x4x2xf32> -> tile<4x1x2xf32>
    %r44 = reshape %v75 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %cat11 = cat %r43, %r44 dim = 1 : tile<4x1x2xf32>, tile<4x1x2x!T> -> tile<4x2x2xf32>
    %r45 = reshape %cat10 : tile<4x2x2x!T> -> tile<2x2x4x!T>
    %r46 = reshape %cat11 : tile<4x2x2xf32> -> tile<2x2x4xf32>
    %ex24 = extract %r45[%c, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex25 = extract %r45[%c2, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex26 = extract %r46[%c, %c, %c] : tile<2x2x4xf32> -> tile<1x2x4xf32>
    %ex27 = extract %r46[%c2, %c, %c] : tile<2x2x4xf32> -> tile<1x2x4xf32>
    %io6 = iota : tile<2xi32>
    %x8 = itof %io6 signed : tile<2xi32> -> tile<2xf32>
    %v78 = mulf %x8, %c5 : tile<2xf32>
    %v79 = cos %v78 : tile<2xf32>
    %r47 = reshape %v79 : tile<2xf32> -> tile<1x2x1xf32>
    %v80 = sin %v78 : tile<2xf32>
    %r48 = reshape %v80 : tile<2xf32> -> tile<1x2x1xf32>
    %v81 = subf %ex24, %ex25 : tile<1x2x4x!T>
    %v82 = subf %ex26, %ex27 : tile<1x2x4xf32>
    %b17 = broadcast %r47 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v83 = mulf %v81, %b17 : tile<1x2x4x!T>
    %b18 = broadcast %r48 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v84 = mulf %v82, %b18 : tile<1x2x4xf32>
    %v85 = subf %v83, %v84 : tile<1x2x4x!T>
    %b19 = broadcast %r48 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v86 = mulf %v81, %b19 : tile<1x2x4x!T>
    %b20 = broadcast %r47 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v87 = mulf %v82, %b20 : tile<1x2x4xf32>
    %v88 = addf %v86, %v87 : tile<1x2x4x!T>
    %v89 = addf %ex24, %ex25 : tile<1x2x4x!T>
    %r49 = reshape %v89 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %r50 = reshape %v85 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %cat12 = cat %r49, %r50 dim = 1 : tile<2x1x4x!T>, tile<2x1x4x!T> -> tile<2x2x4x!T>
    %v90 = addf %ex26, %ex27 : tile<1x2x4xf32>
    %r51 = reshape %v90 : tile<1x2x4xf32> -> tile<2x1x4xf32>
    %r52 = reshape %v88 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %cat13 = cat %r51, %r52 dim = 1 : tile<2x1x4xf32>, tile<2x1x4x!T> -> tile<2x2x4xf32>
    %r53 = reshape %cat12 : tile<2x2x4x!T> -> tile<2x1x8x!T>
    %r54 = reshape %cat13 : tile<2x2x4xf32> -> tile<2x1x8xf32>
    %ex28 = extract %r53[%c, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex29 = extract %r53[%c2, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex30 = extract %r54[%c, %c, %c] : tile<2x1x8xf32> -> tile<1x1x8xf32>
    %ex31 = extract %r54[%c2, %c, %c] : tile<2x1x8xf32> -> tile<1x1x8xf32>
    %io7 = iota : tile<1xi32>
    %x9 = itof %io7 signed : tile<1xi32> -> tile<1xf32>
    %v91 = mulf %x9, %c6 : tile<1xf32>
    %v92 = cos %v91 : tile<1xf32>
    %r55 = reshape %v92 : tile<1xf32> -> tile<1x1x1xf32>
    %v93 = sin %v91 : tile<1xf32>
    %r56 = reshape %v93 : tile<1xf32> -> tile<1x1x1xf32>
    %v94 = subf %ex28, %ex29 : tile<1x1x8x!T>
    %v95 = subf %ex30, %ex31 : tile<1x1x8xf32>
    %b21 = broadcast %r55 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v96 = mulf %v94, %b21 : tile<1x1x8x!T>
    %b22 = broadcast %r56 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v97 = mulf %v95, %b22 : tile<1x1x8xf32>
    %v98 = subf %v96, %v97 : tile<1x1x8x!T>
    %b23 = broadcast %r56 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v99 = mulf %v94, %b23 : tile<1x1x8x!T>
    %b24 = broadcast %r55 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v100 = mulf %v95, %b24 : tile<1x1x8xf32>
    %v101 = addf %v99, %v100 : tile<1x1x8x!T>
    %v102 = addf %ex28, %ex29 : tile<1x1x8x!T>
    %cat14 = cat %v102, %v98 dim = 1 : tile<1x1x8x!T>, tile<1x1x8x!T> -> tile<1x2x8x!T>
    %v103 = addf %ex30, %ex31 : tile<1x1x8xf32>
    %cat15 = cat %v103, %v101 dim = 1 : tile<1x1x8xf32>, tile<1x1x8x!T> -> tile<1x2x8xf32>
    %v104 = mulf %cat6, %cat14 : tile<1x2x8x!T>
    %v105 = mulf %cat7, %cat15 : tile<1x2x8xf32>
    %v106 = subf %v104, %v105 : tile<1x2x8x!T>
    %v107 = mulf %cat6, %cat15 : tile<1x2x8x!T>
    %v108 = mulf %cat7, %cat14 : tile<1x2x8xf32>
    %v109 = addf %v107, %v108 : tile<1x2x8x!T>
    %r57 = reshape %v106 : tile<1x2x8x!T> -> tile<1x16x!T>
    %r58 = reshape %v109 : tile<1x2x8x!T> -> tile<1x16x!T>
    %r59 = reshape %r57 : tile<1x16x!T> -> tile<2x8x1x!T>
    %r60 = reshape %r58 : tile<1x16x!T> -> tile<2x8x1x!T>
    %ex32 = extract %r59[%c, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex33 = extract %r59[%c2, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex34 = extract %r60[%c, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %ex35 = extract %r60[%c2, %c, %c] : tile<2x8x1x!T> -> tile<1x8x1x!T>
    %io8 = iota : tile<8xi32>
    %x10 = itof %io8 signed : tile<8xi32> -> tile<8xf32>
    %c7 = constant <f32: 0.39269908169872414> : tile<8xf32>
    %v110 = mulf %x10, %c7 : tile<8xf32>
    %v111 = cos %v110 : tile<8xf32>
    %r61 = reshape %v111 : tile<8xf32> -> tile<1x8x1xf32>
    %v112 = sin %v110 : tile<8xf32>
    %r62 = reshape %v112 : tile<8xf32> -> tile<1x8x1xf32>
    %v113 = subf %ex32, %ex33 : tile<1x8x1x!T>
    %v114 = subf %ex34, %ex35 : tile<1x8x1x!T>
    %v115 = mulf %v113, %r61 : tile<1x8x1x!T>
    %v116 = mulf %v114, %r62 : tile<1x8x1x!T>
    %v117 = subf %v115, %v116 : tile<1x8x1x!T>
    %v118 = mulf %v113, %r62 : tile<1x8x1x!T>
    %v119 = mulf %v114, %r61 : tile<1x8x1x!T>
    %v120 = addf %v118, %v119 : tile<1x8x1x!T>
    %v121 = addf %ex32, %ex33 : tile<1x8x1x!T>
    %r63 = reshape %v121 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %r64 = reshape %v117 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %cat16 = cat %r63, %r64 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %v122 = addf %ex34, %ex35 : tile<1x8x1x!T>
    %r65 = reshape %v122 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %r66 = reshape %v120 : tile<1x8x1x!T> -> tile<8x1x1x!T>
    %cat17 = cat %r65, %r66 dim = 1 : tile<8x1x1x!T>, tile<8x1x1x!T> -> tile<8x2x1x!T>
    %r67 = reshape %cat16 : tile<8x2x1x!T> -> tile<2x4x2x!T>
    %r68 = reshape %cat17 : tile<8x2x1x!T> -> tile<2x4x2x!T>
    %ex36 = extract %r67[%c, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex37 = extract %r67[%c2, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex38 = extract %r68[%c, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %ex39 = extract %r68[%c2, %c, %c] : tile<2x4x2x!T> -> tile<1x4x2x!T>
    %io9 = iota : tile<4xi32>
    %x11 = itof %io9 signed : tile<4xi32> -> tile<4xf32>
    %c8 = constant <f32: 0.7853981633974483> : tile<4xf32>
    %v123 = mulf %x11, %c8 : tile<4xf32>
    %v124 = cos %v123 : tile<4xf32>
    %r69 = reshape %v124 : tile<4xf32> -> tile<1x4x1xf32>
    %v125 = sin %v123 : tile<4xf32>
    %r70 = reshape %v125 : tile<4xf32> -> tile<1x4x1xf32>
    %v126 = subf %ex36, %ex37 : tile<1x4x2x!T>
    %v127 = subf %ex38, %ex39 : tile<1x4x2x!T>
    %b25 = broadcast %r69 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v128 = mulf %v126, %b25 : tile<1x4x2x!T>
    %b26 = broadcast %r70 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v129 = mulf %v127, %b26 : tile<1x4x2x!T>
    %v130 = subf %v128, %v129 : tile<1x4x2x!T>
    %b27 = broadcast %r70 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v131 = mulf %v126, %b27 : tile<1x4x2x!T>
    %b28 = broadcast %r69 : tile<1x4x1xf32> -> tile<1x4x2xf32>
    %v132 = mulf %v127, %b28 : tile<1x4x2x!T>
    %v133 = addf %v131, %v132 : tile<1x4x2x!T>
    %v134 = addf %ex36, %ex37 : tile<1x4x2x!T>
    %r71 = reshape %v134 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %r72 = reshape %v130 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %cat18 = cat %r71, %r72 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %v135 = addf %ex38, %ex39 : tile<1x4x2x!T>
    %r73 = reshape %v135 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %r74 = reshape %v133 : tile<1x4x2x!T> -> tile<4x1x2x!T>
    %cat19 = cat %r73, %r74 dim = 1 : tile<4x1x2x!T>, tile<4x1x2x!T> -> tile<4x2x2x!T>
    %r75 = reshape %cat18 : tile<4x2x2x!T> -> tile<2x2x4x!T>
    %r76 = reshape %cat19 : tile<4x2x2x!T> -> tile<2x2x4x!T>
    %ex40 = extract %r75[%c, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex41 = extract %r75[%c2, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex42 = extract %r76[%c, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %ex43 = extract %r76[%c2, %c, %c] : tile<2x2x4x!T> -> tile<1x2x4x!T>
    %io10 = iota : tile<2xi32>
    %x12 = itof %io10 signed : tile<2xi32> -> tile<2xf32>
    %c9 = constant <f32: 1.5707963267948966> : tile<2xf32>
    %v136 = mulf %x12, %c9 : tile<2xf32>
    %v137 = cos %v136 : tile<2xf32>
    %r77 = reshape %v137 : tile<2xf32> -> tile<1x2x1xf32>
    %v138 = sin %v136 : tile<2xf32>
    %r78 = reshape %v138 : tile<2xf32> -> tile<1x2x1xf32>
    %v139 = subf %ex40, %ex41 : tile<1x2x4x!T>
    %v140 = subf %ex42, %ex43 : tile<1x2x4x!T>
    %b29 = broadcast %r77 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v141 = mulf %v139, %b29 : tile<1x2x4x!T>
    %b30 = broadcast %r78 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v142 = mulf %v140, %b30 : tile<1x2x4x!T>
    %v143 = subf %v141, %v142 : tile<1x2x4x!T>
    %b31 = broadcast %r78 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v144 = mulf %v139, %b31 : tile<1x2x4x!T>
    %b32 = broadcast %r77 : tile<1x2x1xf32> -> tile<1x2x4xf32>
    %v145 = mulf %v140, %b32 : tile<1x2x4x!T>
    %v146 = addf %v144, %v145 : tile<1x2x4x!T>
    %v147 = addf %ex40, %ex41 : tile<1x2x4x!T>
    %r79 = reshape %v147 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %r80 = reshape %v143 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %cat20 = cat %r79, %r80 dim = 1 : tile<2x1x4x!T>, tile<2x1x4x!T> -> tile<2x2x4x!T>
    %v148 = addf %ex42, %ex43 : tile<1x2x4x!T>
    %r81 = reshape %v148 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %r82 = reshape %v146 : tile<1x2x4x!T> -> tile<2x1x4x!T>
    %cat21 = cat %r81, %r82 dim = 1 : tile<2x1x4x!T>, tile<2x1x4x!T> -> tile<2x2x4x!T>
    %r83 = reshape %cat20 : tile<2x2x4x!T> -> tile<2x1x8x!T>
    %r84 = reshape %cat21 : tile<2x2x4x!T> -> tile<2x1x8x!T>
    %ex44 = extract %r83[%c, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex45 = extract %r83[%c2, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex46 = extract %r84[%c, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %ex47 = extract %r84[%c2, %c, %c] : tile<2x1x8x!T> -> tile<1x1x8x!T>
    %io11 = iota : tile<1xi32>
    %x13 = itof %io11 signed : tile<1xi32> -> tile<1xf32>
    %c10 = constant <f32: 3.141592653589793> : tile<1xf32>
    %v149 = mulf %x13, %c10 : tile<1xf32>
    %v150 = cos %v149 : tile<1xf32>
    %r85 = reshape %v150 : tile<1xf32> -> tile<1x1x1xf32>
    %v151 = sin %v149 : tile<1xf32>
    %r86 = reshape %v151 : tile<1xf32> -> tile<1x1x1xf32>
    %v152 = subf %ex44, %ex45 : tile<1x1x8x!T>
    %v153 = subf %ex46, %ex47 : tile<1x1x8x!T>
    %b33 = broadcast %r85 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v154 = mulf %v152, %b33 : tile<1x1x8x!T>
    %b34 = broadcast %r86 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v155 = mulf %v153, %b34 : tile<1x1x8x!T>
    %v156 = subf %v154, %v155 : tile<1x1x8x!T>
    %b35 = broadcast %r86 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v157 = mulf %v152, %b35 : tile<1x1x8x!T>
    %b36 = broadcast %r85 : tile<1x1x1xf32> -> tile<1x1x8xf32>
    %v158 = mulf %v153, %b36 : tile<1x1x8x!T>
    %v159 = addf %v157, %v158 : tile<1x1x8x!T>
    %v160 = addf %ex44, %ex45 : tile<1x1x8x!T>
    %cat22 = cat %v160, %v156 dim = 1 : tile<1x1x8x!T>, tile<1x1x8x!T> -> tile<1x2x8x!T>
    %v161 = addf %ex46, %ex47 : tile<1x1x8x!T>
    %cat23 = cat %v161, %v159 dim = 1 : tile<1x1x8x!T>, tile<1x1x8x!T> -> tile<1x2x8x!T>
    %y_v = make_tensor_view %y, shape = [%m, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16x!T, strides=[16, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x16), tensor_view<?x16x!T, strides=[16, 1]>>
    %c11 = constant <!T: 0.0625> : tile<1x2x8x!T>
    %v162 = mulf %cat22, %c11 : tile<1x2x8x!T>
    %r87 = reshape %v162 : tile<1x2x8x!T> -> tile<1x16x!T>
    %k2 = store_view_tko weak %r87, %y_t[%bx, %c] : tile<1x16x!T>, partition_view<tile=(1x16), tensor_view<?x16x!T, strides=[16, 1]>>, tile<i32> -> token
  }
  // A cosine transform of blocks of 8 × 8, its matrix computed.
// CASE @cosine_transform grid=1 K=64: 1x8x8xf32=-0.875,-0.25,-0.25,-2,1.875,-0.625,0.125,0.25,-2,-0.875,1.25,0.875,0.5,-1,2,-1.625,1.625,1.125,1.125,1.125,1.125,-1.25,1.75,1.125,-1.625,-0.5,-1.5,-0.375,1.5,-0.75,-1.125,0.625,-1.625,-1.25,-2,-0.875,-1.25,0.875,-1.875,-1.5,-0.375,1,-0.875,0.125,0.75,0.875,1.75,-1.125,-1.125,1.875,1.625,1.75,1.75,0.375,-1.375,-0.875,-1.25,0.625,0.125,1.75,-0.75,-1.875,-0.375,0.875 out0 i32=1 -> 1x8x8xf32=-0.3593749876991178,-0.5637026010410631,-2.3979696130848724,-0.9566538805675182,-0.046875050080566805,-1.0029420988120148,-2.2369925533423007,0.706020825405323,-0.11751219754108452,-1.2694242064703145,0.7463819045967306,0.7391963425453936,0.013957361779742078,0.44814775986092426,-0.06961147662130625,2.7840009064058093,1.2786447241855634,0.5920573618870916,-0.3644117031303146,-2.019842339867534,-0.3388483179789673,0.19300853324707204,-0.522041161959872,1.1715772300621945,-1.5004662474079051,-0.6269772245302666,-0.6681540160776068,2.796241487103939,-1.6513886236611994,-0.9806301229659949,0.5908448331164261,-0.12522847479619242,-3.6093746161981093,-1.2794624769741658,0.9508018188879452,0.17191889388401727,1.3906251249872306,-1.683496033984262,1.1113668640084249,-0.8328252655412699,1.798444936502384,0.6356824831661422,-0.1633023798983826,0.12384321349215066,1.1998887213449438,-2.592275137862464,0.1467932700794619,0.743311588262,1.821188075762702,-0.1358867900964177,2.665459040807084,0.5909584583440399,0.5293407481287886,0.44950639763196903,-0.9168383567461647,0.465895143520083,0.2784590054669409,1.3259741547774608,0.4062529340997778,-0.005936221791622301,0.15302954069403776,-0.20875755059287882,1.231736389792762,-0.5595420600301196
  entry @cosine_transform(%x: tile<ptr<!T>>, %y: tile<ptr<!T>>, %m: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %x_v = make_tensor_view %x, shape = [%m, 8, 8], strides = [64, 8, 1] : tile<i32> -> tensor_view<?x8x8x!T, strides=[64, 8, 1]>
    %x_t = make_partition_view %x_v : partition_view<tile=(1x8x8), padding_value = zero, tensor_view<?x8x8x!T, strides=[64, 8, 1]>>
    %c = constant <i32: 0> : tile<i32>
    %x1, %k = load_view_tko weak %x_t[%bx, %c, %c] : partition_view<tile=(1x8x8), padding_value = zero, tensor_view<?x8x8x!T, strides=[64, 8, 1]>>, tile<i32> -> tile<1x8x8x!T>, token
    %r = reshape %x1 : tile<1x8x8x!T> -> tile<8x8x!T>
    %io = iota : tile<8xi32>
    %x2 = itof %io signed : tile<8xi32> -> tile<8xf32>
    %r1 = reshape %x2 : tile<8xf32> -> tile<8x1xf32>
    %c1 = constant <f32: 0.5> : tile<8xf32>
    %v = addf %x2, %c1 : tile<8xf32>
    %r2 = reshape %v : tile<8xf32> -> tile<1x8xf32>
    %b = broadcast %r1 : tile<8x1xf32> -> tile<8x8xf32>
    %b1 = broadcast %r2 : tile<1x8xf32> -> tile<8x8xf32>
    %v1 = mulf %b, %b1 : tile<8x8xf32>
    %c2 = constant <f32: 0.39269908169872414> : tile<8x8xf32>
    %v2 = mulf %v1, %c2 : tile<8x8xf32>
    %c3 = constant <f32: 0.0> : tile<8xf32>
    %p = cmpf equal ordered %x2, %c3 : tile<8xf32> -> tile<8xi1>
    %c4 = constant <f32: 0.3535533905932738> : tile<8xf32>
    %w = select %p, %c4, %c1 : tile<8xi1>, tile<8xf32>
    %v3 = cos %v2 : tile<8x8xf32>
    %r3 = reshape %w : tile<8xf32> -> tile<8x1xf32>
    %b2 = broadcast %r3 : tile<8x1xf32> -> tile<8x8xf32>
    %v4 = mulf %v3, %b2 : tile<8x8xf32>
    %c5 = constant <f32: 0.0> : tile<8x8xf32>
    %y_v = make_tensor_view %y, shape = [%m, 8, 8], strides = [64, 8, 1] : tile<i32> -> tensor_view<?x8x8x!T, strides=[64, 8, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(1x8x8), tensor_view<?x8x8x!T, strides=[64, 8, 1]>>
    %d = mmaf %v4, %r, %c5 : tile<8x8xf32>, tile<8x8x!T>, tile<8x8xf32>
    %t = permute %v4 [1, 0] : tile<8x8xf32> -> tile<8x8xf32>
    %d1 = mmaf %d, %t, %c5 : tile<8x8xf32>, tile<8x8xf32>, tile<8x8xf32>
    %r4 = reshape %d1 : tile<8x8xf32> -> tile<1x8x8xf32>
    %k1 = store_view_tko weak %r4, %y_t[%bx, %c, %c] : tile<1x8x8xf32>, partition_view<tile=(1x8x8), tensor_view<?x8x8x!T, strides=[64, 8, 1]>>, tile<i32> -> token
  }
}
