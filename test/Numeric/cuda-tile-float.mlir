// Floating-point arithmetic and functions of CUDA Tile IR: zeros are ordered, numbers win over NaN if requested, f32
// subnormals may be flushed.
// TYPES: f16 bf16 f32 f64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>

cuda_tile.module @floats {
// CASE @addf grid=1: 3xT=1,-2,0.5 3xT=2,5,0.25 out0 i32=3 -> 3xT=3,3,0.75
// CASE @addf grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @addf(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = addf %at, %bt rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @subf grid=1: 3xT=1,-2,0.5 3xT=2,5,0.25 out0 i32=3 -> 3xT=-1,-7,0.25
// CASE @subf grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @subf(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = subf %at, %bt rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @mulf grid=1: 3xT=1,-2,0.5 3xT=2,5,0.25 out0 i32=3 -> 3xT=2,-10,0.125
// CASE @mulf grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @mulf(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = mulf %at, %bt rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @divf grid=1: 4xT=1,-2,0.5,1 4xT=2,4,0.25,0 out0 i32=4 -> 4xT=0.5,-0.5,2,inf
  entry @divf(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = divf %at, %bt rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @remf grid=1: 6xT=7,-7,7,-7,1,5.5 6xT=2,2,-2,-2,inf,2 out0 i32=6 -> 6xT=1,-1,1,-1,1,1.5
  entry @remf(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = remf %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @maxf grid=1: 7xT=1,nan,-2,0,-0,nan,inf 7xT=2,1,nan,-0,0,nan,1 out0 i32=7 -> 7xT=2,1,-2,0,0,nan,inf
// CASE @maxf grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @maxf(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = maxf %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @minf grid=1: 7xT=1,nan,-2,0,-0,nan,-inf 7xT=2,1,nan,-0,0,nan,1 out0 i32=7 -> 7xT=1,1,-2,-0,-0,nan,-inf
// CASE @minf grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @minf(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = minf %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @maxf_nan grid=1: 5xT=1,nan,-2,0,-0 5xT=2,1,nan,-0,0 out0 i32=5 -> 5xT=2,nan,nan,0,0
// CASE @maxf_nan grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @maxf_nan(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = maxf %at, %bt propagate_nan : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @minf_nan grid=1: 5xT=1,nan,-2,0,-0 5xT=2,1,nan,-0,0 out0 i32=5 -> 5xT=1,nan,nan,-0,-0
// CASE @minf_nan grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @minf_nan(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = minf %at, %bt propagate_nan : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @atan2 [f32,f64] grid=1: 3xT=0,1,1 3xT=1,0,1 out0 i32=3 -> 3xT=0,1.5707963267948966,0.7853981633974483
// CASE @atan2 grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @atan2(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = atan2 %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @pow grid=1: 4xT=2,4,9,1 4xT=3,0.5,0.5,100 out0 i32=4 -> 4xT=8,2,3,1
  entry @pow(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = pow %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @fma grid=1: 3xT=1,2,3 3xT=4,5,6 3xT=0.5,-10,1 out0 i32=3 -> 3xT=4.5,0,19
// CASE @fma [f32,f64] grid=2: 13xT=random:1 13xT=random:2 13xT=random:3 out0 i32=13 -> 13xT
  entry @fma(%a: !P, %b: !P, %c: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %cs = make_tensor_view %c, shape = [%n], strides = [1] : tile<i32> -> !S
    %cv = make_partition_view %cs : !V
    %ct, %ck = load_view_tko weak %cv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = fma %at, %bt, %ct rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @absf grid=1: 4xT=-1,2,-0,-inf out0 i32=4 -> 4xT=1,2,0,inf
// CASE @absf grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @absf(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = absf %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @negf grid=1: 4xT=-1,2,0,-inf out0 i32=4 -> 4xT=1,-2,-0,inf
// CASE @negf grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @negf(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = negf %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @ceil grid=1: 4xT=1.5,-1.5,2,-0.5 out0 i32=4 -> 4xT=2,-1,2,-0
// CASE @ceil grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @ceil(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = ceil %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @floor grid=1: 4xT=1.5,-1.5,2,-0.5 out0 i32=4 -> 4xT=1,-2,2,-1
// CASE @floor grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @floor(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = floor %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @sqrt grid=1: 4xT=4,2.25,0,9 out0 i32=4 -> 4xT=2,1.5,0,3
// CASE @sqrt grid=2: 13xT=0.5,1,2,3,4,0.25,7,9,100,0.125,1.5,33,5 out0 i32=13 -> 13xT
  entry @sqrt(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = sqrt %at rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @exp grid=1: 2xT=0,-inf out0 i32=2 -> 2xT=1,0
// CASE @exp grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @exp(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = exp %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @exp2 grid=1: 4xT=0,3,-1,-inf out0 i32=4 -> 4xT=1,8,0.5,0
// CASE @exp2 grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @exp2(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = exp2 %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @log grid=1: 1xT=1 out0 i32=1 -> 1xT=0
// CASE @log grid=2: 13xT=0.5,1,2,3,4,0.25,7,9,100,0.125,1.5,33,5 out0 i32=13 -> 13xT
  entry @log(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = log %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @log2 grid=1: 3xT=1,8,0.5 out0 i32=3 -> 3xT=0,3,-1
// CASE @log2 grid=2: 13xT=0.5,1,2,3,4,0.25,7,9,100,0.125,1.5,33,5 out0 i32=13 -> 13xT
  entry @log2(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = log2 %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @sin grid=1: 1xT=0 out0 i32=1 -> 1xT=0
// CASE @sin grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @sin(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = sin %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @cos grid=1: 1xT=0 out0 i32=1 -> 1xT=1
// CASE @cos grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @cos(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = cos %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @tan grid=1: 1xT=0 out0 i32=1 -> 1xT=0
// CASE @tan grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @tan(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = tan %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @sinh grid=1: 1xT=0 out0 i32=1 -> 1xT=0
// CASE @sinh grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @sinh(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = sinh %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @cosh grid=1: 1xT=0 out0 i32=1 -> 1xT=1
// CASE @cosh grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @cosh(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = cosh %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @tanh grid=1: 1xT=0 out0 i32=1 -> 1xT=0
// CASE @tanh grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @tanh(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = tanh %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @rsqrt grid=1: 3xT=4,0.25,0 out0 i32=3 -> 3xT=0.5,2,inf
// CASE @rsqrt grid=2: 13xT=0.5,1,2,3,4,0.25,7,9,100,0.125,1.5,33,5 out0 i32=13 -> 13xT
  entry @rsqrt(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = rsqrt %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @fpowi grid=1: 8xT=2,4,9,-1,5,2,1,1 out0 i32=8 -> 8xT=4,0.25,1,-1,5,0.25,1,1
  entry @fpowi(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %e = constant <i32: [2, -1, 0, 3, 1, -2, 5, 7]> : tile<8xi32>
    %r = fpowi %at, %e : !X, tile<8xi32>
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @select grid=1: 3xT=-5,0,nan 3xT=1,-1,7 out0 i32=3 -> 3xT=-5,-1,7
// CASE @select grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @select(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
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
    %r = select %c, %at, %bt : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
}
