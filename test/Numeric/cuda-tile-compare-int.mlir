// Comparisons of integers of CUDA Tile IR.
// TYPES: i8 i16 i32 i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>

cuda_tile.module @comparisons {
// CASE @equal_signed grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=1,0,0,1,1,0
  entry @equal_signed(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi equal %at, %bt, signed : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @equal_unsigned grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=1,0,0,1,1,0
  entry @equal_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi equal %at, %bt, unsigned : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @not_equal_signed grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=0,1,1,0,0,1
  entry @not_equal_signed(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi not_equal %at, %bt, signed : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @not_equal_unsigned grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=0,1,1,0,0,1
  entry @not_equal_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi not_equal %at, %bt, unsigned : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @less_than_signed grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=0,1,0,0,0,0
  entry @less_than_signed(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi less_than %at, %bt, signed : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @less_than_unsigned grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=0,0,1,0,0,1
  entry @less_than_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi less_than %at, %bt, unsigned : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @less_than_or_equal_signed grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=1,1,0,1,1,0
  entry @less_than_or_equal_signed(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi less_than_or_equal %at, %bt, signed : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @less_than_or_equal_unsigned grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=1,0,1,1,1,1
  entry @less_than_or_equal_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi less_than_or_equal %at, %bt, unsigned : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @greater_than_signed grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=0,0,1,0,0,1
  entry @greater_than_signed(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi greater_than %at, %bt, signed : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @greater_than_unsigned grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=0,1,0,0,0,0
  entry @greater_than_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi greater_than %at, %bt, unsigned : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @greater_than_or_equal_signed grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=1,0,1,1,1,1
  entry @greater_than_or_equal_signed(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi greater_than_or_equal %at, %bt, signed : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @greater_than_or_equal_unsigned grid=1: 6xT=1,-2,5,7,-1,3 6xT=1,3,-5,7,-1,-3 out0 i32=6 -> 6xT=1,1,0,1,1,0
  entry @greater_than_or_equal_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpi greater_than_or_equal %at, %bt, unsigned : !X -> tile<8xi1>
    %one = constant <!T: 1> : !X
    %zero = constant <!T: 0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
}
