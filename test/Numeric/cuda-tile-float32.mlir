// Features that CUDA Tile IR only has for f32: approximate functions, and flushing subnormal numbers.
// TYPES: f32
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>

cuda_tile.module @floats {
// CASE @divf_approx grid=1: 3xT=1,-2,0.5 3xT=2,4,0.25 out0 i32=3 -> 3xT=0.5,-0.5,2
  entry @divf_approx(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = divf %at, %bt rounding<approx> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @divf_full grid=1: 3xT=1,-2,0.5 3xT=2,4,0.25 out0 i32=3 -> 3xT=0.5,-0.5,2
  entry @divf_full(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = divf %at, %bt rounding<full> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @maxf_flushed grid=1: 4xT=1e-40,-1e-40,1,1e-40 4xT=-1e-40,-1,2,nan out0 i32=4 -> 4xT=0,-0,2,0
  entry @maxf_flushed(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = maxf %at, %bt flush_to_zero : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @sqrt_approx grid=1: 4xT=4,2.25,0,9 out0 i32=4 -> 4xT=2,1.5,0,3
// CASE @sqrt_approx grid=2: 13xT=0.5,1,2,3,4,0.25,7,9,100,0.125,1.5,33,5 out0 i32=13 -> 13xT
  entry @sqrt_approx(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = sqrt %at rounding<approx> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @exp_approx grid=1: 2xT=0,-inf out0 i32=2 -> 2xT=1,0
// CASE @exp_approx grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @exp_approx(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = exp %at rounding<approx> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @exp2_flushed grid=1: 4xT=0,3,-140,-1 out0 i32=4 -> 4xT=1,8,0,0.5
// CASE @exp2_flushed grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @exp2_flushed(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = exp2 %at flush_to_zero : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @tanh_approx grid=1: 1xT=0 out0 i32=1 -> 1xT=0
// CASE @tanh_approx grid=2: 13xT=random:1 out0 i32=13 -> 13xT
  entry @tanh_approx(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = tanh %at rounding<approx> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @rsqrt_flushed grid=1: 4xT=4,0.25,1e-40,-1e-40 out0 i32=4 -> 4xT=0.5,2,inf,-inf
  entry @rsqrt_flushed(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = rsqrt %at flush_to_zero : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
}
