// Programs of CUDA Tile IR whose forms are legal but rare.
// TYPES: i32
cuda_tile.module @forms {
  // A loop carries a token and a pointer.
// CASE @carried grid=1: out0 i32=4 -> 6xi32=0,1,2,3,4,9|9
// CASE @carried grid=1: out0 i32=0 -> 6xi32=9,9,9,9,9,9|9
  entry @carried(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %k0 = make_token : token
    %k, %q = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%t = %k0, %at = %p) -> (token, tile<ptr<i32>>) {
      %k1 = store_ptr_tko weak %at, %i token = %t : tile<ptr<i32>>, tile<i32> -> token
      %next = offset %at, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      continue %k1, %next : token, tile<ptr<i32>>
    }
    %v, %k2 = load_ptr_tko weak %p token = %k : tile<ptr<i32>> -> tile<i32>, token
    %w = addi %v, %n : tile<i32>
    %k3 = store_ptr_tko weak %q, %w token = %k2 : tile<ptr<i32>>, tile<i32> -> token
  }
  // A branch yields a pointer and a token; a loop only has a result.
// CASE @chosen grid=1: out0 out1 i32=4 -> 1xi32=4 1xi32=5
// CASE @chosen grid=1: out0 out1 i32=0 -> 1xi32=5 1xi32=9|9
  entry @chosen(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %c = cmpi greater_than %n, %zero, signed : tile<i32> -> tile<i1>
    %r, %k = if %c -> (tile<ptr<i32>>, token) {
      %k1 = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
      yield %q, %k1 : tile<ptr<i32>>, token
    } else {
      %k1 = make_token : token
      yield %p, %k1 : tile<ptr<i32>>, token
    }
    %five = constant <i32: 5> : tile<i32>
    %v = loop : tile<i32> {
      break %five : tile<i32>
    }
    %k2 = store_ptr_tko weak %r, %v token=%k : tile<ptr<i32>>, tile<i32> -> token
  }
  // An unsigned counter of 8 bits crosses 128.
// CASE @unsigned8 grid=1: out0 i8=-6 -> 1xi32=450
// CASE @unsigned8 grid=1: out0 i8=100 -> 1xi32=0
  entry @unsigned8(%p: tile<ptr<i32>>, %n: tile<i8>) {
    %zero = constant <i8: 100> : tile<i8>
    %step = constant <i8: 50> : tile<i8>
    %c0 = constant <i32: 0> : tile<i32>
    %s = for unsigned %i in (%zero to %n, step %step) : tile<i8> iter_values(%x = %c0) -> (tile<i32>) {
      %w = exti %i unsigned : tile<i8> -> tile<i32>
      %y = addi %x, %w : tile<i32>
      continue %y : tile<i32>
    }
    %k2 = store_ptr_tko weak %p, %s : tile<ptr<i32>>, tile<i32> -> token
  }
  // The region of a reduction reads a value from outside: maxima of at most that.
// CASE @captured grid=1: out0 i32=10 -> 4xi32=6,7,10,10
  entry @captured(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %i = iota : tile<16xi32>
    %t = reshape %i : tile<16xi32> -> tile<2x4x2xi32>
    %r = reduce %t dim=1 identities=[0 : i32] : tile<2x4x2xi32> -> tile<2x2xi32> (%a: tile<i32>, %b: tile<i32>) {
      %m = maxi %a, %b signed : tile<i32>
      %s = mini %m, %n signed : tile<i32>
      yield %s : tile<i32>
    }
    %f = reshape %r : tile<2x2xi32> -> tile<4xi32>
    %four = iota : tile<4xi32>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %q = offset %p4, %four : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %k2 = store_ptr_tko weak %q, %f : tile<4xptr<i32>>, tile<4xi32> -> token
  }
  // A reverse scan of three operands of two types.
// CASE @scan3 grid=1: out0 -> 4xi32=10,10,9,7
  entry @scan3(%p: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %f = itof %i signed : tile<4xi32> -> tile<4xf32>
    %a, %b, %c = scan %i, %one, %f dim=0 reverse=true identities=[0 : i32, 1 : i32, 0.0 : f32] : tile<4xi32>, tile<4xi32>, tile<4xf32> -> tile<4xi32>, tile<4xi32>, tile<4xf32> (%s0: tile<i32>, %e0: tile<i32>, %s1: tile<i32>, %e1: tile<i32>, %s2: tile<f32>, %e2: tile<f32>) {
      %0 = addi %s0, %e0 : tile<i32>
      %1 = muli %s1, %e1 : tile<i32>
      %2 = maxf %s2, %e2 : tile<f32>
      yield %0, %1, %2 : tile<i32>, tile<i32>, tile<f32>
    }
    %ci = ftoi %c signed : tile<4xf32> -> tile<4xi32>
    %x = addi %a, %b : tile<4xi32>
    %y = addi %x, %ci : tile<4xi32>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %q = offset %p4, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %k2 = store_ptr_tko weak %q, %y : tile<4xptr<i32>>, tile<4xi32> -> token
  }
  // Tiles of pointers into two memories are joined, transposed and cut.
// CASE @pointer_shapes grid=1: out0 out1 -> 4xi32=9,9,0,2|9 4xi32=9,9,1,3|9
  entry @pointer_shapes(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %ps = offset %p4, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %q1 = reshape %q : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q4 = broadcast %q1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %qs = offset %q4, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %c = cat %ps, %qs dim = 0 : tile<4xptr<i32>>, tile<4xptr<i32>> -> tile<8xptr<i32>>
    %m = reshape %c : tile<8xptr<i32>> -> tile<2x4xptr<i32>>
    %t = permute %m [1, 0] : tile<2x4xptr<i32>> -> tile<4x2xptr<i32>>
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %e = extract %t[%one, %zero] : tile<4x2xptr<i32>> -> tile<2x2xptr<i32>>
    %v8 = iota : tile<4xi32>
    %v = reshape %v8 : tile<4xi32> -> tile<2x2xi32>
    %k = store_ptr_tko weak %e, %v : tile<2x2xptr<i32>>, tile<2x2xi32> -> token
  }
  // Four axes in another order, an edge, NaN as padding, and indices of 8 bits.
// CASE @rank4 grid=1: 60xf32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59 out0 i8=1 -> 8xf32=59,nan,nan,nan,nan,nan,nan,nan
  entry @rank4(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %i: tile<i8>) {
    %v = make_tensor_view %p, shape = [2, 3, 2, 5], strides = [30, 10, 5, 1] : tensor_view<2x3x2x5xf32, strides=[30,10,5,1]>
    %w = make_partition_view %v : partition_view<tile=(4x2x1x1), padding_value = nan, tensor_view<2x3x2x5xf32, strides=[30,10,5,1]>, dim_map=[3,1,0,2]>
    %a:4 = get_index_space_shape %w : partition_view<tile=(4x2x1x1), padding_value = nan, tensor_view<2x3x2x5xf32, strides=[30,10,5,1]>, dim_map=[3,1,0,2]> -> tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %l = subi %a#0, %one : tile<i8>
    %t, %k = load_view_tko weak %w[%l, %i, %one, %one] : partition_view<tile=(4x2x1x1), padding_value = nan, tensor_view<2x3x2x5xf32, strides=[30,10,5,1]>, dim_map=[3,1,0,2]>, tile<i8> -> tile<4x2x1x1xf32>, token
    %f = reshape %t : tile<4x2x1x1xf32> -> tile<8xf32>
    %o = make_tensor_view %q, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %ov = make_partition_view %o : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %z = constant <i32: 0> : tile<i32>
    %k2 = store_view_tko weak %f, %ov[%z] : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
  }
  // Overlapping tiles in another order of axes, loaded and stored over an edge.
// CASE @strided grid=1: 20xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19 out0 i64=5 -> 9xi32=9,9,9,9,9,9,13,17,0|9
  entry @strided(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %n: tile<i64>) {
    %v = make_tensor_view %p, shape = [%n, 4], strides = [4, 1] : tile<i64> -> tensor_view<?x4xi32, strides=[4,1]>
    %w = make_strided_view %v : strided_view<tile=(2x4), traversal_strides=[1,3], padding_value = zero, tensor_view<?x4xi32, strides=[4,1]>, dim_map=[1,0]>
    %z = constant <i64: 0> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %t, %k = load_view_tko weak %w[%one, %one] : strided_view<tile=(2x4), traversal_strides=[1,3], padding_value = zero, tensor_view<?x4xi32, strides=[4,1]>, dim_map=[1,0]>, tile<i64> -> tile<2x4xi32>, token
    %o = make_tensor_view %q, shape = [3, 3], strides = [3, 1] : tensor_view<3x3xi32, strides=[3,1]>
    %ov = make_strided_view %o : strided_view<tile=(2x4), traversal_strides=[2,1], tensor_view<3x3xi32, strides=[3,1]>>
    %k2 = store_view_tko weak %t, %ov[%one, %z] : tile<2x4xi32>, strided_view<tile=(2x4), traversal_strides=[2,1], tensor_view<3x3xi32, strides=[3,1]>>, tile<i64> -> token
  }
  // Columns gathered by indices of 64 bits beside one of 16, rows scattered by indices of 8.
// CASE @gathered grid=1: 12xf32=0,1,2,3,4,5,6,7,8,9,10,11 out0 -> 16xf32=9,9,9,9,11,6,-inf,11,9,9,9,9,5,0,-inf,5|9
  entry @gathered(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [2, 6], strides = [6, 1] : tensor_view<2x6xf32, strides=[6,1]>
    %w = make_gather_scatter_view %v : gather_scatter_view<tile=(2x4), padding_value = neg_inf, tensor_view<2x6xf32, strides=[6,1]>, sparse_dim=1>
    %rows = constant <i64: [5, 0, 7, 5]> : tile<4xi64>
    %z = constant <i16: 0> : tile<i16>
    %t, %k = load_view_tko weak %w[%z, %rows] : gather_scatter_view<tile=(2x4), padding_value = neg_inf, tensor_view<2x6xf32, strides=[6,1]>, sparse_dim=1>, tile<i16>, tile<4xi64> -> tile<2x4xf32>, token
    %o = make_tensor_view %q, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xf32, strides=[4,1]>
    %ov = make_gather_scatter_view %o : gather_scatter_view<tile=(2x4), tensor_view<4x4xf32, strides=[4,1]>, sparse_dim=0>
    %r = constant <i8: [3, 1]> : tile<2xi8>
    %z8 = constant <i8: 0> : tile<i8>
    %k2 = store_view_tko weak %t, %ov[%r, %z8] : tile<2x4xf32>, gather_scatter_view<tile=(2x4), tensor_view<4x4xf32, strides=[4,1]>, sparse_dim=0>, tile<2xi8>, tile<i8> -> token
  }
  // Overlapping tiles added atomically over an edge.
// CASE @reduced grid=1: out0 -> 5xf32=2,3,5,10,3|1
  entry @reduced(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [5], strides = [1] : tensor_view<5xf32, strides=[1]>
    %w = make_strided_view %v : strided_view<tile=(4), traversal_strides=[3], tensor_view<5xf32, strides=[1]>>
    %one = constant <i32: 1> : tile<i32>
    %z = constant <i32: 0> : tile<i32>
    %c = constant <f32: [1.0, 2.0, 4.0, 8.0]> : tile<4xf32>
    %k = atomic_red_view_tko relaxed device %w[%one], addf, %c : tile<4xf32>, strided_view<tile=(4), traversal_strides=[3], tensor_view<5xf32, strides=[1]>>, tile<i32> -> token
    %k1 = atomic_red_view_tko relaxed tl_blk %w[%z], addf, %c token = %k : tile<4xf32>, strided_view<tile=(4), traversal_strides=[3], tensor_view<5xf32, strides=[1]>>, tile<i32> -> token
  }
  // A mask of bytes selects among f8.
// CASE @bits grid=1: 4xi1=1,0,1,0 4xf8E5M2=1,2,4,8 out0 -> 4xf32=1,-2,4,-2
  entry @bits(%p: tile<ptr<i1>>, %f: tile<ptr<f8E5M2>>, %q: tile<ptr<f32>>) {
    %i = iota : tile<4xi32>
    %p1 = reshape %p : tile<ptr<i1>> -> tile<1xptr<i1>>
    %p4 = broadcast %p1 : tile<1xptr<i1>> -> tile<4xptr<i1>>
    %ps = offset %p4, %i : tile<4xptr<i1>>, tile<4xi32> -> tile<4xptr<i1>>
    %m, %k = load_ptr_tko weak %ps : tile<4xptr<i1>> -> tile<4xi1>, token
    %f1 = reshape %f : tile<ptr<f8E5M2>> -> tile<1xptr<f8E5M2>>
    %f4 = broadcast %f1 : tile<1xptr<f8E5M2>> -> tile<4xptr<f8E5M2>>
    %fs = offset %f4, %i : tile<4xptr<f8E5M2>>, tile<4xi32> -> tile<4xptr<f8E5M2>>
    %pad = constant <f8E5M2: -2.0> : tile<4xf8E5M2>
    %x, %k1 = load_ptr_tko relaxed sys %fs, %m, %pad : tile<4xptr<f8E5M2>>, tile<4xi1>, tile<4xf8E5M2> -> tile<4xf8E5M2>, token
    %y = ftof %x : tile<4xf8E5M2> -> tile<4xf32>
    %q1 = reshape %q : tile<ptr<f32>> -> tile<1xptr<f32>>
    %q4 = broadcast %q1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %qs = offset %q4, %i : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %k2 = store_ptr_tko release device %qs, %y : tile<4xptr<f32>>, tile<4xf32> -> token
  }
  // A batch of products of single numbers.
// CASE @tiny grid=1: out0 -> 2xf64=11,22
  entry @tiny(%p: tile<ptr<f64>>) {
    %a = constant <f64: [[[2.0]], [[3.0]]]> : tile<2x1x1xf64>
    %b = constant <f64: [[[5.0]], [[7.0]]]> : tile<2x1x1xf64>
    %c = constant <f64: 1.0> : tile<2x1x1xf64>
    %d = mmaf %a, %b, %c : tile<2x1x1xf64>, tile<2x1x1xf64>, tile<2x1x1xf64>
    %f = reshape %d : tile<2x1x1xf64> -> tile<2xf64>
    %i = iota : tile<2xi16>
    %p1 = reshape %p : tile<ptr<f64>> -> tile<1xptr<f64>>
    %p4 = broadcast %p1 : tile<1xptr<f64>> -> tile<2xptr<f64>>
    %q = offset %p4, %i : tile<2xptr<f64>>, tile<2xi16> -> tile<2xptr<f64>>
    %k2 = store_ptr_tko weak %q, %f : tile<2xptr<f64>>, tile<2xf64> -> token
  }
  // A batch of products of unsigned by signed bytes.
// CASE @mixed grid=1: out0 -> 4xi32=-2393,-2393,-2393,-2393
  entry @mixed(%p: tile<ptr<i32>>) {
    %a = constant <i8: 200> : tile<2x2x4xi8>
    %b = constant <i8: -3> : tile<2x4x1xi8>
    %c = constant <i32: 7> : tile<2x2x1xi32>
    %d = mmai %a, %b, %c unsigned signed : tile<2x2x4xi8>, tile<2x4x1xi8>, tile<2x2x1xi32>
    %f = reshape %d : tile<2x2x1xi32> -> tile<4xi32>
    %i = iota : tile<4xi64>
    %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %q = offset %p4, %i : tile<4xptr<i32>>, tile<4xi64> -> tile<4xptr<i32>>
    %k2 = store_ptr_tko weak %q, %f : tile<4xptr<i32>>, tile<4xi32> -> token
  }
  // Products of f8 summed in f16.
// CASE @half grid=1: out0 -> 4xf16=24.5,24.5,24.5,24.5
  entry @half(%p: tile<ptr<f16>>) {
    %a = constant <f8E5M2: 1.5> : tile<2x8xf8E5M2>
    %b = constant <f8E5M2: 2.0> : tile<8x2xf8E5M2>
    %c = constant <f16: 0.5> : tile<2x2xf16>
    %d = mmaf %a, %b, %c : tile<2x8xf8E5M2>, tile<8x2xf8E5M2>, tile<2x2xf16>
    %f = reshape %d : tile<2x2xf16> -> tile<4xf16>
    %i = iota : tile<4xi32>
    %p1 = reshape %p : tile<ptr<f16>> -> tile<1xptr<f16>>
    %p4 = broadcast %p1 : tile<1xptr<f16>> -> tile<4xptr<f16>>
    %q = offset %p4, %i : tile<4xptr<f16>>, tile<4xi32> -> tile<4xptr<f16>>
    %k2 = store_ptr_tko weak %q, %f : tile<4xptr<f16>>, tile<4xf16> -> token
  }
  // Scalars of every width as arguments.
// CASE @scalars grid=1: out0 i1=1 i8=-100 i16=-1 f16=0.25 bf16=2 f64=0.125 f8E4M3FN=3 i64=-5000000000 -> 1xf64=-4999934558.625
  entry @scalars(%p: tile<ptr<f64>>, %a: tile<i1>, %b: tile<i8>, %c: tile<i16>, %d: tile<f16>, %e: tile<bf16>, %f: tile<f64>, %g: tile<f8E4M3FN>, %h: tile<i64>) {
    %0 = itof %a unsigned : tile<i1> -> tile<f64>
    %1 = itof %b signed : tile<i8> -> tile<f64>
    %2 = itof %c unsigned : tile<i16> -> tile<f64>
    %3 = ftof %d : tile<f16> -> tile<f64>
    %4 = ftof %e : tile<bf16> -> tile<f64>
    %5 = ftof %g : tile<f8E4M3FN> -> tile<f64>
    %6 = itof %h signed : tile<i64> -> tile<f64>
    %s0 = addf %0, %1 : tile<f64>
    %s1 = addf %s0, %2 : tile<f64>
    %s2 = addf %s1, %3 : tile<f64>
    %s3 = addf %s2, %4 : tile<f64>
    %s4 = addf %s3, %5 : tile<f64>
    %s5 = addf %s4, %6 : tile<f64>
    %s6 = addf %s5, %f : tile<f64>
    %k = store_ptr_tko weak %p, %s6 : tile<ptr<f64>>, tile<f64> -> token
  }
  // Memory of an iteration, and a return before the loop.
// CASE @scratch grid=1: out0 i32=7 -> 1xi32=12
// CASE @scratch grid=1: out0 i32=-7 -> 1xi32=-7
  entry @scratch(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %c = cmpi less_than %n, %zero, signed : tile<i32> -> tile<i1>
    if %c {
      %k = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
      return
    }
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%x = %zero) -> (tile<i32>) {
      %m = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
      %k0 = store_ptr_tko weak %m, %i : tile<ptr<i32>>, tile<i32> -> token
      %v, %k1 = load_ptr_tko weak %m token = %k0 : tile<ptr<i32>> -> tile<i32>, token
      %odd = andi %v, %one : tile<i32>
      %is = cmpi equal %odd, %one, unsigned : tile<i32> -> tile<i1>
      %y = if %is -> (tile<i32>) {
        continue %x : tile<i32>
      } else {
        %z = addi %x, %v : tile<i32>
        yield %z : tile<i32>
      }
      continue %y : tile<i32>
    }
    %k = store_ptr_tko weak %p, %s : tile<ptr<i32>>, tile<i32> -> token
  }
  // Loops left early within loops.
// CASE @nested grid=1: out0 i32=5 -> 1xi32=36
// CASE @nested grid=1: out0 i32=1 -> 1xi32=10
  entry @nested(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %r = loop iter_values(%a = %zero, %b = %zero) : tile<i32>, tile<i32> -> tile<i32> {
      %in = loop iter_values(%j = %zero) : tile<i32> -> tile<i32> {
        %stop = cmpi greater_than_or_equal %j, %three, signed : tile<i32> -> tile<i1>
        if %stop {
          break %j : tile<i32>
        } else {
          %same = cmpi equal %j, %a, signed : tile<i32> -> tile<i1>
          if %same {
            %ten = constant <i32: 10> : tile<i32>
            break %ten : tile<i32>
          }
        }
        %j1 = addi %j, %one : tile<i32>
        continue %j1 : tile<i32>
      }
      %b1 = addi %b, %in : tile<i32>
      %a1 = addi %a, %one : tile<i32>
      %done = cmpi equal %a1, %n, signed : tile<i32> -> tile<i1>
      if %done {
        break %b1 : tile<i32>
      }
      continue %a1, %b1 : tile<i32>, tile<i32>
    }
    %k = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  }
  // f4 scaled by f8.
// CASE @scaled grid=1: out0 -> 1xf32=-191
  entry @scaled(%p: tile<ptr<f32>>) {
    %a = constant <f4E2M1FN: 1.5> : tile<2x32xf4E2M1FN>
    %b = constant <f4E2M1FN: -2.0> : tile<32x2xf4E2M1FN>
    %sa = constant <f8E4M3FN: 0.5> : tile<2x2xf8E4M3FN>
    %sb = constant <f8E4M3FN: 4.0> : tile<2x2xf8E4M3FN>
    %c = constant <f32: 1.0> : tile<2x2xf32>
    %d = mmaf_scaled %a, %b, %c, %sa, %sb : tile<2x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<2x2xf32>, tile<2x2xf8E4M3FN>, tile<2x2xf8E4M3FN>
    %z = constant <i32: 0> : tile<i32>
    %e = extract %d[%z, %z] : tile<2x2xf32> -> tile<1x1xf32>
    %s = reshape %e : tile<1x1xf32> -> tile<f32>
    %k = store_ptr_tko weak %p, %s : tile<ptr<f32>>, tile<f32> -> token
  }
  // An identity of f16 stands for one of bf16.
// CASE @identities grid=1: 4xbf16=1,-2,3,0.5 out0 -> 2xbf16=-3,-3
  entry @identities(%p: tile<ptr<bf16>>, %q: tile<ptr<bf16>>) {
    %z = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xbf16, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<4xbf16, strides=[1]>>
    %t, %k = load_view_tko weak %w[%z] : partition_view<tile=(4), tensor_view<4xbf16, strides=[1]>>, tile<i32> -> tile<4xbf16>, token
    %one = constant <i32: 1> : tile<4xi32>
    %named = reduce %t dim=0 identities=[1.0 : f16] : tile<4xbf16> -> tile<bf16> (%a: tile<bf16>, %b: tile<bf16>) {
      %s = mulf %a, %b : tile<bf16>
      yield %s : tile<bf16>
    }
    %r, %count = reduce %t, %one dim=0 identities=[1.0 : f16, 0 : i32] : tile<4xbf16>, tile<4xi32> -> tile<bf16>, tile<i32> (%a: tile<bf16>, %b: tile<bf16>, %c: tile<i32>, %d: tile<i32>) {
      %s = mulf %a, %b : tile<bf16>
      %n = addi %c, %d : tile<i32>
      yield %s, %n : tile<bf16>, tile<i32>
    }
    %r1 = reshape %r : tile<bf16> -> tile<1xbf16>
    %n1 = reshape %named : tile<bf16> -> tile<1xbf16>
    %two = cat %n1, %r1 dim = 0 : tile<1xbf16>, tile<1xbf16> -> tile<2xbf16>
    %o = make_tensor_view %q, shape = [2], strides = [1] : tensor_view<2xbf16, strides=[1]>
    %ov = make_partition_view %o : partition_view<tile=(2), tensor_view<2xbf16, strides=[1]>>
    %k1 = store_view_tko weak %two, %ov[%z] : tile<2xbf16>, partition_view<tile=(2), tensor_view<2xbf16, strides=[1]>>, tile<i32> -> token
  }
  // Indices of an atomic update have different types.
// CASE @updated grid=1: out0 i64=1 -> 8xi32=9,9,9,9,9,9,12,12|9
  entry @updated(%p: tile<ptr<i32>>, %j: tile<i64>) {
    %i = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<1x2xi32>
    %v = make_tensor_view %p, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xi32, strides=[4,1]>
    %t = make_partition_view %v : partition_view<tile=(1x2), tensor_view<2x4xi32, strides=[4,1]>>
    %k = atomic_red_view_tko relaxed device %t[%i, %j], add, %three : tile<1x2xi32>, partition_view<tile=(1x2), tensor_view<2x4xi32, strides=[4,1]>>, tile<i32>, tile<i64> -> token
  }
}
