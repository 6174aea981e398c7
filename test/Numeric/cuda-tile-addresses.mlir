// CUDA Tile IR pointers: as integers, of other types, into several buffers, and carried by loops and branches.
// TYPES: f32 f16 f64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!P8 = !cuda_tile.tile<8x!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<8x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<8x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>

cuda_tile.module @addresses {
  // To integers and back, one element further.
// CASE @there_and_back grid=1: 9xT=1,2,3,4,5,6,7,8,9 out0 -> 8xT=2,3,4,5,6,7,8,9
  entry @there_and_back(%a: !P, %y: !P) {
    %zero = constant <i32: 0> : tile<i32>
    %n = iota : tile<8xi32>
    %one = constant <i32: 1> : tile<i32>
    %next = offset %a, %one : !P, tile<i32> -> !P
    %i = ptr_to_int %next : !P -> tile<i64>
    %q = int_to_ptr %i : tile<i64> -> !P
    %q1 = reshape %q : !P -> !cuda_tile.tile<1x!cuda_tile.ptr<!T>>
    %q8 = broadcast %q1 : !cuda_tile.tile<1x!cuda_tile.ptr<!T>> -> !P8
    %ps = offset %q8, %n : !P8, tile<8xi32> -> !P8
    %is = ptr_to_int %ps : !P8 -> tile<8xi64>
    %qs = int_to_ptr %is : tile<8xi64> -> !P8
    %t, %k0 = load_ptr_tko weak %qs : !P8 -> !X, token
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !S
    %yv = make_partition_view %ys : !V
    %k = store_view_tko weak %t, %yv[%zero] : !X, !V, tile<i32> -> token
  }
  // Single masked elements: those of blocks beyond the bound stay.
// CASE @single grid=4: 3xT=1,2,3 i32=3 out0 -> 4xT=1,2,3,0
  entry @single(%a: !P, %n: tile<i32>, %y: !P) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %none = constant <!T: 0.0> : !cuda_tile.tile<!T>
    %inside = cmpi less_than %b, %n, unsigned : tile<i32> -> tile<i1>
    %all = cmpi less_than %b, %four, unsigned : tile<i32> -> tile<i1>
    %p = offset %a, %b : !P, tile<i32> -> !P
    %t, %k0 = load_ptr_tko weak %p, %inside, %none : !P, tile<i1>, tile<!T> -> tile<!T>, token
    %q = offset %y, %b : !P, tile<i32> -> !P
    %k = store_ptr_tko weak %q, %t, %all : !P, tile<!T>, tile<i1> -> token
  }
  // A view at an address, and one at either of two.
// CASE @views grid=1: 8xT=1,2,3,4,5,6,7,8 8xT=10,20,30,40,50,60,70,80 i32=0 out0 -> 8xT=2,4,6,8,10,12,14,16
// CASE @views grid=1: 8xT=1,2,3,4,5,6,7,8 8xT=10,20,30,40,50,60,70,80 i32=1 out0 -> 8xT=11,22,33,44,55,66,77,88
  entry @views(%a: !P, %b: !P, %which: tile<i32>, %y: !P) {
    %zero = constant <i32: 0> : tile<i32>
    %c = cmpi not_equal %which, %zero, signed : tile<i32> -> tile<i1>
    %p = select %c, %b, %a : tile<i1>, !P
    %i = ptr_to_int %a : !P -> tile<i64>
    %q = int_to_ptr %i : tile<i64> -> !P
    %ps = make_tensor_view %p, shape = [8], strides = [1] : !S
    %pv = make_partition_view %ps : !V
    %qs = make_tensor_view %q, shape = [8], strides = [1] : !S
    %qv = make_partition_view %qs : !V
    %s, %k0 = load_view_tko weak %pv[%zero] : !V, tile<i32> -> !X, token
    %t, %k1 = load_view_tko weak %qv[%zero] : !V, tile<i32> -> !X, token
    %r = addf %s, %t rounding<nearest_even> : !X
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !S
    %yv = make_partition_view %ys : !V
    %k = store_view_tko weak %r, %yv[%zero] : !X, !V, tile<i32> -> token
  }
  // Every second element from another buffer; both tiles concatenated.
// CASE @two grid=1: 8xT=1,2,3,4,5,6,7,8 8xT=10,20,30,40,50,60,70,80 out0 -> 16xT=1,20,3,40,5,60,7,80,10,20,30,40,50,60,70,80
  entry @two(%a: !P, %b: !P, %y: !P) {
    %n = iota : tile<8xi32>
    %m = iota : tile<16xi32>
    %one = constant <i32: 1> : tile<8xi32>
    %odd = andi %n, %one : tile<8xi32>
    %isOdd = cmpi equal %odd, %one, signed : tile<8xi32> -> tile<8xi1>
    %a1 = reshape %a : !P -> !cuda_tile.tile<1x!cuda_tile.ptr<!T>>
    %a8 = broadcast %a1 : !cuda_tile.tile<1x!cuda_tile.ptr<!T>> -> !P8
    %as = offset %a8, %n : !P8, tile<8xi32> -> !P8
    %b1 = reshape %b : !P -> !cuda_tile.tile<1x!cuda_tile.ptr<!T>>
    %b8 = broadcast %b1 : !cuda_tile.tile<1x!cuda_tile.ptr<!T>> -> !P8
    %bs = offset %b8, %n : !P8, tile<8xi32> -> !P8
    %mixed = select %isOdd, %bs, %as : tile<8xi1>, !P8
    %all = cat %mixed, %bs dim = 0 : !P8, !P8 -> !cuda_tile.tile<16x!cuda_tile.ptr<!T>>
    %t, %k0 = load_ptr_tko weak %all : !cuda_tile.tile<16x!cuda_tile.ptr<!T>> -> !cuda_tile.tile<16x!T>, token
    %y1 = reshape %y : !P -> !cuda_tile.tile<1x!cuda_tile.ptr<!T>>
    %y16 = broadcast %y1 : !cuda_tile.tile<1x!cuda_tile.ptr<!T>> -> !cuda_tile.tile<16x!cuda_tile.ptr<!T>>
    %ys = offset %y16, %m : !cuda_tile.tile<16x!cuda_tile.ptr<!T>>, tile<16xi32> -> !cuda_tile.tile<16x!cuda_tile.ptr<!T>>
    %k = store_ptr_tko weak %ys, %t : !cuda_tile.tile<16x!cuda_tile.ptr<!T>>, !cuda_tile.tile<16x!T> -> token
  }
  // A loop-carried pointer, and one selected by a branch.
// CASE @carried grid=1: 8xT=1,2,3,4,5,6,7,8 8xT=10,20,30,40,50,60,70,80 i32=3 out0 -> 1xT=60
// CASE @carried grid=1: 8xT=1,2,3,4,5,6,7,8 8xT=10,20,30,40,50,60,70,80 i32=-1 out0 -> 1xT=0
  entry @carried(%a: !P, %b: !P, %count: tile<i32>, %y: !P) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <!T: 0.0> : !cuda_tile.tile<!T>
    %c = cmpi greater_than %count, %zero, signed : tile<i32> -> tile<i1>
    %p = if %c -> (!P) {
      yield %b : !P
    } else {
      yield %a : !P
    }
    %sum, %end = for %i in (%zero to %count, step %one) : tile<i32> iter_values(%s = %none, %q = %p) -> (!cuda_tile.tile<!T>, !P) {
      %v, %k0 = load_ptr_tko weak %q : !P -> !cuda_tile.tile<!T>, token
      %s2 = addf %s, %v rounding<nearest_even> : !cuda_tile.tile<!T>
      %next = offset %q, %one : !P, tile<i32> -> !P
      continue %s2, %next : !cuda_tile.tile<!T>, !P
    }
    %k = store_ptr_tko weak %y, %sum : !P, !cuda_tile.tile<!T> -> token
  }
  // The bits of floats, through pointers to integers.
// CASE @bits [f32] grid=1: 8xT=1,-2,0.5,0,-0.0,3,4,5 out0 -> 8xi32=0x3F800000,-1073741824,0x3F000000,0,-2147483648,0x40400000,0x40800000,0x40A00000
  entry @bits(%a: !P, %y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %n = iota : tile<8xi32>
    %q = ptr_to_ptr %a : !P -> tile<ptr<i32>>
    %q1 = reshape %q : tile<ptr<i32>> -> tile<1xptr<i32>>
    %q8 = broadcast %q1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %qs = offset %q8, %n : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %t, %k0 = load_ptr_tko weak %qs : tile<8xptr<i32>> -> tile<8xi32>, token
    %ys = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %yv = make_partition_view %ys : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %k = store_view_tko weak %t, %yv[%zero] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
  }
  // A pointer yielded by a loop that exits early.
// CASE @found grid=1: 8xT=5,6,7,0,9,10,11,12 out0 -> 8xT=0,9,10,11,12,0,0,0
  entry @found(%a: !P, %y: !P) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <!T: 0.0> : !cuda_tile.tile<!T>
    %p, %at = loop iter_values(%q = %a, %i = %zero) : !P, tile<i32> -> !P, tile<i32> {
      %v, %k0 = load_ptr_tko weak %q : !P -> !cuda_tile.tile<!T>, token
      %c = cmpf equal ordered %v, %none : !cuda_tile.tile<!T> -> tile<i1>
      if %c {
        break %q, %i : !P, tile<i32>
      }
      %next = offset %q, %one : !P, tile<i32> -> !P
      %j = addi %i, %one : tile<i32>
      continue %next, %j : !P, tile<i32>
    }
    %eight = constant <i32: 8> : tile<i32>
    %left = subi %eight, %at : tile<i32>
    %ps = make_tensor_view %p, shape = [%left], strides = [1] : tile<i32> -> !cuda_tile.tensor_view<?x!T, strides=[1]>
    %pv = make_partition_view %ps : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
    %t, %k1 = load_view_tko weak %pv[%zero] : !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !S
    %yv = make_partition_view %ys : !V
    %k = store_view_tko weak %t, %yv[%zero] : !X, !V, tile<i32> -> token
  }
}
