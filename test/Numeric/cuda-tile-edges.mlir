// What CUDA Tile IR defines at its edges: masks of atomics, flags in memory, rows that do not exist, offsets of small types,
// unsigned bounds and counts.
// TYPES: i32 i64

cuda_tile.module @edges {
  // A compare-and-swap that the mask leaves out returns what it would compare with, and stores nothing.
// CASE @masked_cas [i32] grid=1: out0 out1 -> 4xi32=9,2,9,4|1,2,3,4 4xi32=1,7,3,7
  entry @masked_cas(%y: tile<ptr<i32>>, %old: tile<ptr<i32>>) {
    %io = iota : tile<4xi32>
    %r = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p = offset %b, %io : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %c = constant <i32: [1, 7, 3, 7]> : tile<4xi32>
    %c1 = constant <i32: 9> : tile<4xi32>
    %c2 = constant <i1: [true, false, true, false]> : tile<4xi1>
    %o, %ok = atomic_cas_tko relaxed device %p, %c, %c1, %c2 : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %old_v = make_tensor_view %old, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %old_t = make_partition_view %old_v : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %c3 = constant <i32: 0> : tile<i32>
    %k = store_view_tko weak %o, %old_t[%c3] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
  // Floats are compared by their bits: zeros differ, a NaN equals itself.
// CASE @cas_of_bits [i32] grid=1: out0 out1 -> 4xf32=-0,8,8,3|-0,0,nan,3 4xf32=-0,0,nan,3
  entry @cas_of_bits(%y: tile<ptr<f32>>, %old: tile<ptr<f32>>) {
    %io = iota : tile<4xi32>
    %r = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %b = broadcast %r : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %p = offset %b, %io : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %c = constant <f32: [0.0, 0.0, 0x7FC00000, 4.0]> : tile<4xf32>
    %c1 = constant <f32: 8.0> : tile<4xf32>
    %old1, %k = atomic_cas_tko acq_rel device %p, %c, %c1 : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
    %old_v = make_tensor_view %old, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %old_t = make_partition_view %old_v : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %c2 = constant <i32: 0> : tile<i32>
    %k1 = store_view_tko weak %old1, %old_t[%c2] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
  }
  // Each update of integers, every second one left out by its mask; the others return what was there.
// CASE @masked_updates grid=1: out0 out1 -> 9x2xT=8,12,15,12,6,12,9,12,3,-5,-5,-5,-5,-5,3,-5,2,1|12,12,12,12,12,12,12,12,-5,-5,-5,-5,-5,-5,-5,-5,1,1 9xT=12,12,12,12,-5,-5,-5,-5,1
  entry @masked_updates(%y: tile<ptr<!T>>, %old: tile<ptr<!T>>) {
    %c = constant <i1: [true, false]> : tile<2xi1>
    %io = iota : tile<2xi32>
    %c1 = constant <i32: 0> : tile<2xi32>
    %v = addi %io, %c1 : tile<2xi32>
    %r = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b = broadcast %r : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p = offset %b, %v : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %c2 = constant <!T: 10> : tile<2x!T>
    %old1, %k = atomic_rmw_tko relaxed device %p, and, %c2, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %c3 = constant <i32: 0> : tile<i32>
    %ex = extract %old1[%c3] : tile<2x!T> -> tile<1x!T>
    %r1 = reshape %ex : tile<1x!T> -> tile<!T>
    %p1 = offset %old, %c3 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k1 = store_ptr_tko weak %p1, %r1 : tile<ptr<!T>>, tile<!T> -> token
    %c4 = constant <i32: 2> : tile<2xi32>
    %v1 = addi %io, %c4 : tile<2xi32>
    %r2 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b1 = broadcast %r2 : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p2 = offset %b1, %v1 : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %c5 = constant <!T: 3> : tile<2x!T>
    %old2, %k2 = atomic_rmw_tko relaxed device %p2, or, %c5, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %ex1 = extract %old2[%c3] : tile<2x!T> -> tile<1x!T>
    %r3 = reshape %ex1 : tile<1x!T> -> tile<!T>
    %c6 = constant <i32: 1> : tile<i32>
    %p3 = offset %old, %c6 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k3 = store_ptr_tko weak %p3, %r3 : tile<ptr<!T>>, tile<!T> -> token
    %c7 = constant <i32: 4> : tile<2xi32>
    %v2 = addi %io, %c7 : tile<2xi32>
    %r4 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b2 = broadcast %r4 : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p4 = offset %b2, %v2 : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %old3, %k4 = atomic_rmw_tko relaxed device %p4, xor, %c2, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %ex2 = extract %old3[%c3] : tile<2x!T> -> tile<1x!T>
    %r5 = reshape %ex2 : tile<1x!T> -> tile<!T>
    %c8 = constant <i32: 2> : tile<i32>
    %p5 = offset %old, %c8 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k5 = store_ptr_tko weak %p5, %r5 : tile<ptr<!T>>, tile<!T> -> token
    %c9 = constant <i32: 6> : tile<2xi32>
    %v3 = addi %io, %c9 : tile<2xi32>
    %r6 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b3 = broadcast %r6 : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p6 = offset %b3, %v3 : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %c10 = constant <!T: -3> : tile<2x!T>
    %old4, %k6 = atomic_rmw_tko relaxed device %p6, add, %c10, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %ex3 = extract %old4[%c3] : tile<2x!T> -> tile<1x!T>
    %r7 = reshape %ex3 : tile<1x!T> -> tile<!T>
    %c11 = constant <i32: 3> : tile<i32>
    %p7 = offset %old, %c11 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k7 = store_ptr_tko weak %p7, %r7 : tile<ptr<!T>>, tile<!T> -> token
    %c12 = constant <i32: 8> : tile<2xi32>
    %v4 = addi %io, %c12 : tile<2xi32>
    %r8 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b4 = broadcast %r8 : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p8 = offset %b4, %v4 : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %old5, %k8 = atomic_rmw_tko relaxed device %p8, max, %c5, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %ex4 = extract %old5[%c3] : tile<2x!T> -> tile<1x!T>
    %r9 = reshape %ex4 : tile<1x!T> -> tile<!T>
    %c13 = constant <i32: 4> : tile<i32>
    %p9 = offset %old, %c13 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k9 = store_ptr_tko weak %p9, %r9 : tile<ptr<!T>>, tile<!T> -> token
    %c14 = constant <i32: 10> : tile<2xi32>
    %v5 = addi %io, %c14 : tile<2xi32>
    %r10 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b5 = broadcast %r10 : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p10 = offset %b5, %v5 : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %old6, %k10 = atomic_rmw_tko relaxed device %p10, min, %c5, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %ex5 = extract %old6[%c3] : tile<2x!T> -> tile<1x!T>
    %r11 = reshape %ex5 : tile<1x!T> -> tile<!T>
    %c15 = constant <i32: 5> : tile<i32>
    %p11 = offset %old, %c15 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k11 = store_ptr_tko weak %p11, %r11 : tile<ptr<!T>>, tile<!T> -> token
    %c16 = constant <i32: 12> : tile<2xi32>
    %v6 = addi %io, %c16 : tile<2xi32>
    %r12 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b6 = broadcast %r12 : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p12 = offset %b6, %v6 : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %old7, %k12 = atomic_rmw_tko relaxed device %p12, umax, %c5, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %ex6 = extract %old7[%c3] : tile<2x!T> -> tile<1x!T>
    %r13 = reshape %ex6 : tile<1x!T> -> tile<!T>
    %c17 = constant <i32: 6> : tile<i32>
    %p13 = offset %old, %c17 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k13 = store_ptr_tko weak %p13, %r13 : tile<ptr<!T>>, tile<!T> -> token
    %c18 = constant <i32: 14> : tile<2xi32>
    %v7 = addi %io, %c18 : tile<2xi32>
    %r14 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b7 = broadcast %r14 : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p14 = offset %b7, %v7 : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %old8, %k14 = atomic_rmw_tko relaxed device %p14, umin, %c5, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %ex7 = extract %old8[%c3] : tile<2x!T> -> tile<1x!T>
    %r15 = reshape %ex7 : tile<1x!T> -> tile<!T>
    %c19 = constant <i32: 7> : tile<i32>
    %p15 = offset %old, %c19 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k15 = store_ptr_tko weak %p15, %r15 : tile<ptr<!T>>, tile<!T> -> token
    %c20 = constant <i32: 16> : tile<2xi32>
    %v8 = addi %io, %c20 : tile<2xi32>
    %r16 = reshape %y : tile<ptr<!T>> -> tile<1xptr<!T>>
    %b8 = broadcast %r16 : tile<1xptr<!T>> -> tile<2xptr<!T>>
    %p16 = offset %b8, %v8 : tile<2xptr<!T>>, tile<2xi32> -> tile<2xptr<!T>>
    %c21 = constant <!T: 2> : tile<2x!T>
    %old9, %k16 = atomic_rmw_tko relaxed device %p16, xchg, %c21, %c : tile<2xptr<!T>>, tile<2x!T>, tile<2xi1> -> tile<2x!T>, token
    %ex8 = extract %old9[%c3] : tile<2x!T> -> tile<1x!T>
    %r17 = reshape %ex8 : tile<1x!T> -> tile<!T>
    %c22 = constant <i32: 8> : tile<i32>
    %p17 = offset %old, %c22 : tile<ptr<!T>>, tile<i32> -> tile<ptr<!T>>
    %k17 = store_ptr_tko weak %p17, %r17 : tile<ptr<!T>>, tile<!T> -> token
  }
  // Any byte but 0 is a true flag; true is stored as 1.
// CASE @bytes_as_flags [i32] grid=1: 4xi8=0,1,2,-128 out0 out1 -> 4xi32=0,1,1,1 4xi8=0,1,1,1
  entry @bytes_as_flags(%a: tile<ptr<i8>>, %y: tile<ptr<i32>>, %z: tile<ptr<i8>>) {
    %q = ptr_to_ptr %a : tile<ptr<i8>> -> tile<ptr<i1>>
    %r = ptr_to_ptr %z : tile<ptr<i8>> -> tile<ptr<i1>>
    %io = iota : tile<4xi32>
    %r1 = reshape %q : tile<ptr<i1>> -> tile<1xptr<i1>>
    %b = broadcast %r1 : tile<1xptr<i1>> -> tile<4xptr<i1>>
    %p = offset %b, %io : tile<4xptr<i1>>, tile<4xi32> -> tile<4xptr<i1>>
    %x, %k = load_ptr_tko weak %p : tile<4xptr<i1>> -> tile<4xi1>, token
    %y_v = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %x1 = exti %x unsigned : tile<4xi1> -> tile<4xi32>
    %c = constant <i32: 0> : tile<i32>
    %k1 = store_view_tko weak %x1, %y_t[%c] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    %io1 = iota : tile<4xi32>
    %r2 = reshape %r : tile<ptr<i1>> -> tile<1xptr<i1>>
    %b1 = broadcast %r2 : tile<1xptr<i1>> -> tile<4xptr<i1>>
    %p1 = offset %b1, %io1 : tile<4xptr<i1>>, tile<4xi32> -> tile<4xptr<i1>>
    %k2 = store_ptr_tko weak %p1, %x : tile<4xptr<i1>>, tile<4xi1> -> token
  }
  // Rows that do not exist, whose numbers are unsigned, read the padding and are not stored.
// CASE @rows_outside [i32] grid=1: 3x2xi32=1,2,3,4,5,6 out0 -> 3x2xi32=5,6,1,2,7,7|7
  entry @rows_outside(%a: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %a_v = make_tensor_view %a, shape = [3, 2], strides = [2, 1] : tensor_view<3x2xi32, strides=[2, 1]>
    %a_g = make_gather_scatter_view %a_v : gather_scatter_view<tile=(4x2), padding_value = zero, tensor_view<3x2xi32, strides=[2, 1]>, sparse_dim = 0>
    %c = constant <i32: [2, -1, 0, 3]> : tile<4xi32>
    %c1 = constant <i32: 0> : tile<i32>
    %x, %k = load_view_tko weak %a_g[%c, %c1] : gather_scatter_view<tile=(4x2), padding_value = zero, tensor_view<3x2xi32, strides=[2, 1]>, sparse_dim = 0>, tile<4xi32>, tile<i32> -> tile<4x2xi32>, token
    %y_v = make_tensor_view %y, shape = [3, 2], strides = [2, 1] : tensor_view<3x2xi32, strides=[2, 1]>
    %y_g = make_gather_scatter_view %y_v : gather_scatter_view<tile=(4x2), tensor_view<3x2xi32, strides=[2, 1]>, sparse_dim = 0>
    %c2 = constant <i32: [0, -2, 1, 100]> : tile<4xi32>
    %k1 = store_view_tko weak %x, %y_g[%c2, %c1] : tile<4x2xi32>, gather_scatter_view<tile=(4x2), tensor_view<3x2xi32, strides=[2, 1]>, sparse_dim = 0>, tile<4xi32>, tile<i32> -> token
  }
  // The padding of such rows, and of columns beyond the edge.
// CASE @padded_rows [i32] grid=1: 3x3xf32=1,2,3,4,5,6,7,8,9 out0 -> 4x4xf32=8,9,-inf,-inf,-inf,-inf,-inf,-inf,2,3,-inf,-inf,-inf,-inf,-inf,-inf
  entry @padded_rows(%a: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %a_v = make_tensor_view %a, shape = [3, 3], strides = [3, 1] : tensor_view<3x3xf32, strides=[3, 1]>
    %a_g = make_gather_scatter_view %a_v : gather_scatter_view<tile=(4x4), padding_value = neg_inf, tensor_view<3x3xf32, strides=[3, 1]>, sparse_dim = 0>
    %c = constant <i32: [2, -1, 0, 3]> : tile<4xi32>
    %c1 = constant <i32: 1> : tile<i32>
    %x, %k = load_view_tko weak %a_g[%c, %c1] : gather_scatter_view<tile=(4x4), padding_value = neg_inf, tensor_view<3x3xf32, strides=[3, 1]>, sparse_dim = 0>, tile<4xi32>, tile<i32> -> tile<4x4xf32>, token
    %y_v = make_tensor_view %y, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xf32, strides=[4, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4, 1]>>
    %c2 = constant <i32: 0> : tile<i32>
    %k1 = store_view_tko weak %x, %y_t[%c2, %c2] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4, 1]>>, tile<i32> -> token
  }
  // Offsets of i8 are signed.
// CASE @offsets_i8 [i32] grid=1: 4xi32=10,20,30,40 out0 -> 4xi32=20,10,30,40
  entry @offsets_i8(%a: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %c = constant <i32: 2> : tile<i32>
    %p = offset %a, %c : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %c1 = constant <i8: [-1, -2, 0, 1]> : tile<4xi8>
    %r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p1 = offset %b, %c1 : tile<4xptr<i32>>, tile<4xi8> -> tile<4xptr<i32>>
    %x, %k = load_ptr_tko weak %p1 : tile<4xptr<i32>> -> tile<4xi32>, token
    %y_v = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %c2 = constant <i32: 0> : tile<i32>
    %k1 = store_view_tko weak %x, %y_t[%c2] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
  // Offsets of i16 are signed.
// CASE @offsets_i16 [i32] grid=1: 4xi32=10,20,30,40 out0 -> 4xi32=40,10,20,30
  entry @offsets_i16(%a: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %c = constant <i32: 2> : tile<i32>
    %p = offset %a, %c : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %c1 = constant <i16: [1, -2, -1, 0]> : tile<4xi16>
    %r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p1 = offset %b, %c1 : tile<4xptr<i32>>, tile<4xi16> -> tile<4xptr<i32>>
    %x, %k = load_ptr_tko weak %p1 : tile<4xptr<i32>> -> tile<4xi32>, token
    %y_v = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %c2 = constant <i32: 0> : tile<i32>
    %k1 = store_view_tko weak %x, %y_t[%c2] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
  // Offsets of i64 are signed.
// CASE @offsets_i64 [i32] grid=1: 4xi32=10,20,30,40 out0 -> 4xi32=30,40,10,20
  entry @offsets_i64(%a: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %c = constant <i32: 2> : tile<i32>
    %p = offset %a, %c : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %c1 = constant <i64: [0, 1, -2, -1]> : tile<4xi64>
    %r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %b = broadcast %r : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %p1 = offset %b, %c1 : tile<4xptr<i32>>, tile<4xi64> -> tile<4xptr<i32>>
    %x, %k = load_ptr_tko weak %p1 : tile<4xptr<i32>> -> tile<4xi32>, token
    %y_v = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %c2 = constant <i32: 0> : tile<i32>
    %k1 = store_view_tko weak %x, %y_t[%c2] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
  }
  // As many numbers as a byte has; the index of the piece is unsigned.
// CASE @all_bytes [i32] grid=1: out0 -> 8xi32=120,121,122,123,-8,-7,-6,-5
  entry @all_bytes(%y: tile<ptr<i32>>) {
    %io = iota : tile<256xi8>
    %c = constant <i32: 30> : tile<i32>
    %ex = extract %io[%c] : tile<256xi8> -> tile<4xi8>
    %c1 = constant <i32: 62> : tile<i32>
    %ex1 = extract %io[%c1] : tile<256xi8> -> tile<4xi8>
    %y_v = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %cat = cat %ex, %ex1 dim = 0 : tile<4xi8>, tile<4xi8> -> tile<8xi8>
    %x = exti %cat signed : tile<8xi8> -> tile<8xi32>
    %c2 = constant <i32: 0> : tile<i32>
    %k = store_view_tko weak %x, %y_t[%c2] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
  }
  // Bounds compared without sign: from 2147483646 past the largest signed number.
// CASE @unsigned_bounds [i32] grid=1: out0 i32=-2147483645 -> 1xi32=5
// CASE @unsigned_bounds [i32] grid=1: out0 i32=5 -> 1xi32=0
  entry @unsigned_bounds(%y: tile<ptr<i32>>, %n: tile<i32>) {
    %c = constant <i32: 2147483646> : tile<i32>
    %c1 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 1> : tile<i32>
    %l = for unsigned %i in (%c to %n, step %c2) : tile<i32> iter_values(%it = %c1) -> (tile<i32>) {
      %v = addi %it, %c2 : tile<i32>
      continue %v : tile<i32>
    }
    %k = store_ptr_tko weak %y, %l : tile<ptr<i32>>, tile<i32> -> token
  }
  // How many tiles views have: rounded up, by the steps of strided ones, in the order of their axes.
// CASE @counts_of_tiles [i32] grid=1: out0 i32=5 i32=9 -> 6xi32=3,3,3,3,5,2
  entry @counts_of_tiles(%y: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>) {
    %y_v = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[?, 1]>
    %y_t = make_partition_view %y_v : partition_view<tile=(2x4), padding_value = zero, tensor_view<?x?xi32, strides=[?, 1]>>
    %y_t1 = make_partition_view %y_v : partition_view<tile=(4x2), padding_value = zero, tensor_view<?x?xi32, strides=[?, 1]>, dim_map=[1, 0]>
    %y_s = make_strided_view %y_v : strided_view<tile=(2x4), traversal_strides=[1,8], padding_value = zero, tensor_view<?x?xi32, strides=[?, 1]>>
    %n1, %n2 = get_index_space_shape %y_t : partition_view<tile=(2x4), padding_value = zero, tensor_view<?x?xi32, strides=[?, 1]>> -> tile<i32>
    %n3, %n4 = get_index_space_shape %y_t1 : partition_view<tile=(4x2), padding_value = zero, tensor_view<?x?xi32, strides=[?, 1]>, dim_map=[1, 0]> -> tile<i32>
    %n5, %n6 = get_index_space_shape %y_s : strided_view<tile=(2x4), traversal_strides=[1,8], padding_value = zero, tensor_view<?x?xi32, strides=[?, 1]>> -> tile<i32>
    %c = constant <i32: 0> : tile<i32>
    %p = offset %y, %c : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %k = store_ptr_tko weak %p, %n1 : tile<ptr<i32>>, tile<i32> -> token
    %c1 = constant <i32: 1> : tile<i32>
    %p1 = offset %y, %c1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %k1 = store_ptr_tko weak %p1, %n2 : tile<ptr<i32>>, tile<i32> -> token
    %c2 = constant <i32: 2> : tile<i32>
    %p2 = offset %y, %c2 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %k2 = store_ptr_tko weak %p2, %n3 : tile<ptr<i32>>, tile<i32> -> token
    %c3 = constant <i32: 3> : tile<i32>
    %p3 = offset %y, %c3 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %k3 = store_ptr_tko weak %p3, %n4 : tile<ptr<i32>>, tile<i32> -> token
    %c4 = constant <i32: 4> : tile<i32>
    %p4 = offset %y, %c4 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %k4 = store_ptr_tko weak %p4, %n5 : tile<ptr<i32>>, tile<i32> -> token
    %c5 = constant <i32: 5> : tile<i32>
    %p5 = offset %y, %c5 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %k5 = store_ptr_tko weak %p5, %n6 : tile<ptr<i32>>, tile<i32> -> token
  }
}
