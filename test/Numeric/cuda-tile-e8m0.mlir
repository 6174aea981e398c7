// f8E8M0FNU in CUDA Tile IR: powers of two from 2^-127 to 2^127, encoded by their exponents, and NaN.
// TYPES: f32 f64 bf16 f16
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<8x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<8x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!E = !cuda_tile.tile<!cuda_tile.ptr<f8E8M0FNU>>
!ES = !cuda_tile.tensor_view<?xf8E8M0FNU, strides=[1]>
!EV = !cuda_tile.partition_view<tile=(8), padding_value = nan, !cuda_tile.tensor_view<?xf8E8M0FNU, strides=[1]>>
!EX = !cuda_tile.tile<8xf8E8M0FNU>

cuda_tile.module @e8m0 {
// CASE @decode grid=1: 8xi8=127,128,126,0x8C,0xFF,130,120,127 out0 i32=8 -> 8xT=1,2,0.5,8192,nan,8,0.0078125,1
// CASE @decode [f32,f64] grid=1: 7xi8=0,1,2,0xFE,0xFD,0xFF,127 out0 i32=7 -> 8xT=5.877471754111438e-39,1.1754943508222875e-38,2.350988701644575e-38,1.7014118346046923e38,8.507059173023462e37,nan,1,nan
  entry @decode(%a: !E, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !ES
    %av = make_partition_view %as : !EV
    %at, %ak = load_view_tko weak %av[%i] : !EV, tile<i32> -> !EX, token
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !S
    %yv = make_partition_view %ys : !V
    %r = ftof %at : !EX -> !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
  // Rounding towards zero. The sign is dropped; 2^-127 is the smallest value.
// CASE @down grid=1: 8xT=1,1.5,2,0.75,-4,0,nan,3 out0 i32=8 -> 8xi8=127,127,128,126,129,0,0xFF,128
// CASE @down [f32,f64] grid=1: 8xT=1e38,3.4e38,1e-38,5.877471754111438e-39,1e-39,inf,1e-45,-1e38 out0 i32=8 -> 8xi8=0xFD,0xFE,0,0,0,0xFF,0,0xFD
// CASE @down [f64] grid=1: 8xT=1e300,1e-300,3.402823669209385e38,5.9e-39,1.9999999999,2.0000001,1e-38,-1e300 out0 i32=8 -> 8xi8=0xFF,0,0xFF,0,127,128,0,0xFF
  entry @down(%a: !P, %y: !E, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !ES
    %yv = make_partition_view %ys : !EV
    %r = ftof %at rounding<zero> : !X -> !EX
    %k = store_view_tko weak %r, %yv[%i] : !EX, !EV, tile<i32> -> token
  }
  // Rounding up.
// CASE @up grid=1: 8xT=1,1.5,2,0.75,-4,0,nan,3 out0 i32=8 -> 8xi8=127,128,128,127,129,0,0xFF,129
// CASE @up [f32,f64] grid=1: 8xT=1e38,1.7014118346046923e38,3.4e38,1e-38,5.877471754111438e-39,1e-39,inf,6e-39 out0 i32=8 -> 8xi8=0xFE,0xFE,0xFF,1,0,0,0xFF,1
// CASE @up [f64] grid=1: 8xT=1e300,1e-300,1.0000000001,0.9999999999,5.8774717542e-39,1.75e38,2,4.00000000001 out0 i32=8 -> 8xi8=0xFF,0,128,127,1,0xFF,128,130
  entry @up(%a: !P, %y: !E, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !ES
    %yv = make_partition_view %ys : !EV
    %r = ftof %at rounding<positive_inf> : !X -> !EX
    %k = store_view_tko weak %r, %yv[%i] : !EX, !EV, tile<i32> -> token
  }
  // Constants, bits, selects, and accesses through pointers.
// CASE @moved [f32] grid=1: 8xi8=1,2,3,4,5,6,7,8 out0 -> 8xi8=1,126,3,126,5,126,7,126
  entry @moved(%a: !E, %y: !E) {
    %half = constant <f8E8M0FNU: 0.5> : !EX
    %n = iota : tile<8xi32>
    %one = constant <i32: 1> : tile<8xi32>
    %odd = andi %n, %one : tile<8xi32>
    %isOdd = cmpi equal %odd, %one, signed : tile<8xi32> -> tile<8xi1>
    %a1 = reshape %a : !E -> tile<1xptr<f8E8M0FNU>>
    %a8 = broadcast %a1 : tile<1xptr<f8E8M0FNU>> -> tile<8xptr<f8E8M0FNU>>
    %as = offset %a8, %n : tile<8xptr<f8E8M0FNU>>, tile<8xi32> -> tile<8xptr<f8E8M0FNU>>
    %v, %k0 = load_ptr_tko weak %as : tile<8xptr<f8E8M0FNU>> -> !EX, token
    %bits = bitcast %v : !EX -> tile<8xi8>
    %back = bitcast %bits : tile<8xi8> -> !EX
    %r = select %isOdd, %half, %back : tile<8xi1>, !EX
    %y1 = reshape %y : !E -> tile<1xptr<f8E8M0FNU>>
    %y8 = broadcast %y1 : tile<1xptr<f8E8M0FNU>> -> tile<8xptr<f8E8M0FNU>>
    %ys = offset %y8, %n : tile<8xptr<f8E8M0FNU>>, tile<8xi32> -> tile<8xptr<f8E8M0FNU>>
    %k = store_ptr_tko weak %ys, %r : tile<8xptr<f8E8M0FNU>>, !EX -> token
  }
}
