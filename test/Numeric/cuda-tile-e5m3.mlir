// f8E5M3FNU in CUDA Tile IR: unsigned numbers of five exponent bits, three mantissa bits and NaN, scales of f4E2M1FN.
// TYPES: f32 f64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<8x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<8x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>
!E = !cuda_tile.tile<!cuda_tile.ptr<!cuda_tile.f8E5M3FNU>>
!ES = !cuda_tile.tensor_view<?x!cuda_tile.f8E5M3FNU, strides=[1]>
!EV = !cuda_tile.partition_view<tile=(8), padding_value = nan, !cuda_tile.tensor_view<?x!cuda_tile.f8E5M3FNU, strides=[1]>>
!EX = !cuda_tile.tile<8x!cuda_tile.f8E5M3FNU>

cuda_tile.module @e5m3 {
// CASE @decode grid=1: 8xi8=120,124,128,136,0,0xFE,0xFF,121 out0 i32=8 -> 8xT=1,1.5,2,4,0,114688,nan,1.125
// CASE @decode grid=1: 7xi8=1,2,7,8,9,15,16 out0 i32=7 -> 8xT=7.62939453125e-06,1.52587890625e-05,5.340576171875e-05,6.103515625e-05,6.866455078125e-05,0.00011444091796875,0.0001220703125,nan
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
  // Rounding to nearest even; the sign is dropped, and what is too large is NaN.
// CASE @encode grid=1: 8xT=1,1.5,1.0625,1.1875,2,-4,0,1.06249999 out0 i32=8 -> 8xi8=120,124,120,122,128,136,0,120
// CASE @encode grid=1: 8xT=114688,118784,122880,inf,nan,-inf,1e30,118785 out0 i32=8 -> 8xi8=0xFE,0xFE,0xFF,0xFF,0xFF,0xFF,0xFF,0xFF
// CASE @encode grid=1: 8xT=3.814697265625e-06,1.1444091796875e-05,5.7220458984375e-05,4e-06,1e-30,1e-45,6.103515625e-05,3.8146971e-06 out0 i32=8 -> 8xi8=0,2,8,1,0,0,8,0
// CASE @encode [f64] grid=1: 8xT=1.0625000000001,3.8146972656251e-06,1e-300,1e300,1.1874999999999,118783.9999999,118784.0000001,6.4849853515625e-05 out0 i32=8 -> 8xi8=121,1,0,0xFF,121,0xFE,0xFF,8
  entry @encode(%a: !P, %y: !E, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !ES
    %yv = make_partition_view %ys : !EV
    %r = ftof %at : !X -> !EX
    %k = store_view_tko weak %r, %yv[%i] : !EX, !EV, tile<i32> -> token
  }
  // From and to integers and other scales, by bits.
// CASE @moved [f32] grid=1: 8xi8=120,124,128,136,0,0xFE,140,121 out0 out1 -> 8xi8=127,128,128,129,0,144,130,128 8xi8=1,1,2,4,0,127,6,1
  entry @moved(%a: tile<ptr<i8>>, %y: tile<ptr<i8>>, %z: tile<ptr<i8>>) {
    %n = iota : tile<8xi32>
    %a1 = reshape %a : tile<ptr<i8>> -> tile<1xptr<i8>>
    %a8 = broadcast %a1 : tile<1xptr<i8>> -> tile<8xptr<i8>>
    %p = offset %a8, %n : tile<8xptr<i8>>, tile<8xi32> -> tile<8xptr<i8>>
    %x, %k = load_ptr_tko weak %p : tile<8xptr<i8>> -> tile<8xi8>, token
    %s = bitcast %x : tile<8xi8> -> !EX
    %up = ftof %s rounding<positive_inf> : !EX -> tile<8xf8E8M0FNU>
    %bits = bitcast %up : tile<8xf8E8M0FNU> -> tile<8xi8>
    %y1 = reshape %y : tile<ptr<i8>> -> tile<1xptr<i8>>
    %y8 = broadcast %y1 : tile<1xptr<i8>> -> tile<8xptr<i8>>
    %q = offset %y8, %n : tile<8xptr<i8>>, tile<8xi32> -> tile<8xptr<i8>>
    %k1 = store_ptr_tko weak %q, %bits : tile<8xptr<i8>>, tile<8xi8> -> token
    %i = ftoi %s signed saturating : !EX -> tile<8xi8>
    %f = itof %i signed : tile<8xi8> -> !EX
    %j = ftoi %f signed saturating : !EX -> tile<8xi8>
    %same = cmpi equal %i, %j, signed : tile<8xi8> -> tile<8xi1>
    %none = constant <i8: -1> : tile<8xi8>
    %big = constant <i8: 127> : tile<8xi8>
    %isBig = cmpi equal %i, %big, signed : tile<8xi8> -> tile<8xi1>
    %ok = ori %same, %isBig : tile<8xi1>
    %shown = select %ok, %i, %none : tile<8xi1>, tile<8xi8>
    %z1 = reshape %z : tile<ptr<i8>> -> tile<1xptr<i8>>
    %z8 = broadcast %z1 : tile<1xptr<i8>> -> tile<8xptr<i8>>
    %r = offset %z8, %n : tile<8xptr<i8>>, tile<8xi32> -> tile<8xptr<i8>>
    %k2 = store_ptr_tko weak %r, %shown : tile<8xptr<i8>>, tile<8xi8> -> token
  }
  // A product of f4E2M1FN, of 16 to a scale: all factors are 1, scales 2 and 1.5.
// CASE @product [f32] grid=1 K=16: out0 -> 4x4xf32=48,48,48,48,48,48,48,48,48,48,48,48,48,48,48,48
  entry @product(%y: tile<ptr<f32>>) {
    %a = constant <f4E2M1FN: 1.0> : tile<4x16xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<16x4xf4E2M1FN>
    %s0 = constant <i8: 128> : tile<4x1xi8>
    %s = bitcast %s0 : tile<4x1xi8> -> tile<4x1xf8E5M3FNU>
    %t0 = constant <i8: 124> : tile<1x4xi8>
    %t = bitcast %t0 : tile<1x4xi8> -> tile<1x4xf8E5M3FNU>
    %c = constant <f32: 0.0> : tile<4x4xf32>
    %d = mmaf_scaled %a, %b, %c, %s, %t : tile<4x16xf4E2M1FN>, tile<16x4xf4E2M1FN>, tile<4x4xf32>, tile<4x1xf8E5M3FNU>, tile<1x4xf8E5M3FNU>
    %v = make_tensor_view %y, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xf32, strides=[4, 1]>
    %p = make_partition_view %v : partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4, 1]>>
    %z = constant <i32: 0> : tile<i32>
    %k = store_view_tko weak %d, %p[%z, %z] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<4x4xf32, strides=[4, 1]>>, tile<i32> -> token
  }
}
