// Comparisons of floating-point numbers of CUDA Tile IR.
// TYPES: f16 bf16 f32 f64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>

cuda_tile.module @comparisons {
// CASE @equal_ordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=1,0,0,0,0
  entry @equal_ordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf equal ordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @equal_unordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=1,0,0,1,1
  entry @equal_unordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf equal unordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @not_equal_ordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=0,1,1,0,0
  entry @not_equal_ordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf not_equal ordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @not_equal_unordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=0,1,1,1,1
  entry @not_equal_unordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf not_equal unordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @less_than_ordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=0,1,0,0,0
  entry @less_than_ordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf less_than ordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @less_than_unordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=0,1,0,1,1
  entry @less_than_unordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf less_than unordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @less_than_or_equal_ordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=1,1,0,0,0
  entry @less_than_or_equal_ordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf less_than_or_equal ordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @less_than_or_equal_unordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=1,1,0,1,1
  entry @less_than_or_equal_unordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf less_than_or_equal unordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @greater_than_ordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=0,0,1,0,0
  entry @greater_than_ordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf greater_than ordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @greater_than_unordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=0,0,1,1,1
  entry @greater_than_unordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf greater_than unordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @greater_than_or_equal_ordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=1,0,1,0,0
  entry @greater_than_or_equal_ordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf greater_than_or_equal ordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @greater_than_or_equal_unordered grid=1: 5xT=1,-2,5,nan,3 5xT=1,3,-5,1,nan out0 i32=5 -> 5xT=1,0,1,1,1
  entry @greater_than_or_equal_unordered(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %c = cmpf greater_than_or_equal unordered %at, %bt : !X -> tile<8xi1>
    %one = constant <!T: 1.0> : !X
    %zero = constant <!T: 0.0> : !X
    %r = select %c, %one, %zero : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
}
