// i4 in CUDA Tile IR, which only casts and byte packing support, and flags as bytes.
// TYPES: i8 i16 i32 i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<16x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(16), !cuda_tile.tensor_view<16x!T, strides=[1]>>
!X = !cuda_tile.tile<16x!T>
!B = !cuda_tile.tile<!cuda_tile.ptr<i8>>
!BS = !cuda_tile.tensor_view<8xi8, strides=[1]>
!BV = !cuda_tile.partition_view<tile=(8), !cuda_tile.tensor_view<8xi8, strides=[1]>>
!BX = !cuda_tile.tile<8xi8>

cuda_tile.module @i4 {
// CASE @signed grid=1: 8xi8=0x10,0x32,0x54,0x76,0x98,0xBA,0xDC,0xFE out0 -> 16xT=0,1,2,3,4,5,6,7,-8,-7,-6,-5,-4,-3,-2,-1
  entry @signed(%a: !B, %y: !P) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : !BS
    %av = make_partition_view %as : !BV
    %at, %ak = load_view_tko weak %av[%i] : !BV, tile<i32> -> !BX, token
    %u = unpack %at : !BX -> tile<16xi4>
    %r = exti %u signed : tile<16xi4> -> !X
    %ys = make_tensor_view %y, shape = [16], strides = [1] : !S
    %yv = make_partition_view %ys : !V
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @unsigned grid=1: 8xi8=0x10,0x32,0x54,0x76,0x98,0xBA,0xDC,0xFE out0 -> 16xT=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
  entry @unsigned(%a: !B, %y: !P) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [8], strides = [1] : !BS
    %av = make_partition_view %as : !BV
    %at, %ak = load_view_tko weak %av[%i] : !BV, tile<i32> -> !BX, token
    %u = unpack %at : !BX -> tile<16xi4>
    %r = exti %u unsigned : tile<16xi4> -> !X
    %ys = make_tensor_view %y, shape = [16], strides = [1] : !S
    %yv = make_partition_view %ys : !V
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @narrow grid=1: 16xT=0,1,-1,7,8,15,16,17,-8,-9,100,-100,2,3,4,5 out0 -> 8xi8=0x10,0x7F,0xF8,0x10,0x78,0xC4,0x32,0x54
  entry @narrow(%a: !P, %y: !B) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [16], strides = [1] : !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %n = trunci %at : !X -> tile<16xi4>
    %r = pack %n : tile<16xi4> -> !BX
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !BS
    %yv = make_partition_view %ys : !BV
    %k = store_view_tko weak %r, %yv[%i] : !BX, !BV, tile<i32> -> token
  }
  // From and to flags: true converts to -1 or 1; conversion to a flag keeps the lowest bit.
// CASE @flags [i8] grid=1: 2xi8=0x35,0x81 out0 -> 8xi8=0x01,0x01,0x11,0,0x0F,0,0,0xF0
  entry @flags(%a: !B, %y: !B) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [2], strides = [1] : tensor_view<2xi8, strides=[1]>
    %av = make_partition_view %as : partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>
    %at, %ak = load_view_tko weak %av[%i] : partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>, tile<i32> -> tile<2xi8>, token
    %f = unpack %at : tile<2xi8> -> tile<16xi1>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %first = extract %f[%zero] : tile<16xi1> -> tile<8xi1>
    %second = extract %f[%one] : tile<16xi1> -> tile<8xi1>
    %u = exti %first unsigned : tile<8xi1> -> tile<8xi4>
    %s = exti %second signed : tile<8xi1> -> tile<8xi4>
    %both = cat %u, %s dim = 0 : tile<8xi4>, tile<8xi4> -> tile<16xi4>
    %bytes = pack %both : tile<16xi4> -> !BX
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !BS
    %yv = make_partition_view %ys : !BV
    %k = store_view_tko weak %bytes, %yv[%i] : !BX, !BV, tile<i32> -> token
  }
// CASE @odd [i16] grid=1: 16xT=0,1,2,3,4,5,6,7,-1,-2,-3,-4,0x100,0x101,9,10 out0 -> 2xi8=0xAA,0x65
  entry @odd(%a: !P, %y: !B) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [16], strides = [1] : !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %n = trunci %at : !X -> tile<16xi4>
    %f = trunci %n : tile<16xi4> -> tile<16xi1>
    %r = pack %f : tile<16xi1> -> tile<2xi8>
    %ys = make_tensor_view %y, shape = [2], strides = [1] : tensor_view<2xi8, strides=[1]>
    %yv = make_partition_view %ys : partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>
    %k = store_view_tko weak %r, %yv[%i] : tile<2xi8>, partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>, tile<i32> -> token
  }
  // Reductions of flags: the sum is their parity; the maximum is 0 if any is false, because true is -1.
// CASE @reductions [i8] grid=1: 2xi8=0x35,0x81 out0 -> 8xi8=0,0,0,1,0,0,0,1
// CASE @reductions [i8] grid=1: 2xi8=-1,-1 out0 -> 8xi8=0,1,1,1,0,1,1,1
// CASE @reductions [i8] grid=1: 2xi8=1,0 out0 -> 8xi8=1,0,0,1,1,0,0,1
  entry @reductions(%a: !B, %y: !B) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [2], strides = [1] : tensor_view<2xi8, strides=[1]>
    %av = make_partition_view %as : partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>
    %at, %ak = load_view_tko weak %av[%i] : partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>, tile<i32> -> tile<2xi8>, token
    %f = unpack %at : tile<2xi8> -> tile<16xi1>
    %sum = reduce %f dim=0 identities=[0 : i1] : tile<16xi1> -> tile<i1> (%e: tile<i1>, %x: tile<i1>) {
      %w = addi %e, %x : tile<i1>
      yield %w : tile<i1>
    }
    %max = reduce %f dim=0 identities=[1 : i1] : tile<16xi1> -> tile<i1> (%e: tile<i1>, %x: tile<i1>) {
      %w = maxi %e, %x signed : tile<i1>
      yield %w : tile<i1>
    }
    %min = reduce %f dim=0 identities=[1 : i1] : tile<16xi1> -> tile<i1> (%e: tile<i1>, %x: tile<i1>) {
      %w = mini %e, %x unsigned : tile<i1>
      yield %w : tile<i1>
    }
    %any = reduce %f dim=0 identities=[0 : i1] : tile<16xi1> -> tile<i1> (%e: tile<i1>, %x: tile<i1>) {
      %w = maxi %e, %x unsigned : tile<i1>
      yield %w : tile<i1>
    }
    %s1 = reshape %sum : tile<i1> -> tile<1xi1>
    %m1 = reshape %max : tile<i1> -> tile<1xi1>
    %n1 = reshape %min : tile<i1> -> tile<1xi1>
    %o1 = reshape %any : tile<i1> -> tile<1xi1>
    %c0 = cat %s1, %m1 dim = 0 : tile<1xi1>, tile<1xi1> -> tile<2xi1>
    %c1 = cat %n1, %o1 dim = 0 : tile<1xi1>, tile<1xi1> -> tile<2xi1>
    %c = cat %c0, %c1 dim = 0 : tile<2xi1>, tile<2xi1> -> tile<4xi1>
    %r4 = exti %c unsigned : tile<4xi1> -> tile<4xi8>
    %r = cat %r4, %r4 dim = 0 : tile<4xi8>, tile<4xi8> -> !BX
    %ys = make_tensor_view %y, shape = [8], strides = [1] : !BS
    %yv = make_partition_view %ys : !BV
    %k = store_view_tko weak %r, %yv[%i] : !BX, !BV, tile<i32> -> token
  }
}
