// Arithmetic of CUDA Tile IR with directed rounding, as the difference to round-to-nearest in units of 2^-23, and arithmetic
// that flushes subnormal numbers.
// TYPES: f32
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(4), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<4x!T>

cuda_tile.module @rounded {
// CASE @add_up grid=1: 4xT=1,1,-1,2 4xT=1e-20,-1e-20,1e-20,0 out0 i32=4 -> 4xT=1,0,0.5,0
  entry @add_up(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %x = addf %at, %bt rounding<positive_inf> : !X
    %d = subf %x, %at rounding<nearest_even> : !X
    %r = mulf %d, %steps rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @add_down grid=1: 4xT=1,1,-1,2 4xT=1e-20,-1e-20,1e-20,0 out0 i32=4 -> 4xT=0,-0.5,0,0
  entry @add_down(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %x = addf %at, %bt rounding<negative_inf> : !X
    %d = subf %x, %at rounding<nearest_even> : !X
    %r = mulf %d, %steps rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @add_zero grid=1: 4xT=1,1,-1,2 4xT=1e-20,-1e-20,1e-20,0 out0 i32=4 -> 4xT=0,-0.5,0.5,0
  entry @add_zero(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %x = addf %at, %bt rounding<zero> : !X
    %d = subf %x, %at rounding<nearest_even> : !X
    %r = mulf %d, %steps rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @sub_up grid=1: 4xT=1,1,-1,2 4xT=1e-20,-1e-20,1e-20,0 out0 i32=4 -> 4xT=0,1,0,0
  entry @sub_up(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %x = subf %at, %bt rounding<positive_inf> : !X
    %d = subf %x, %at rounding<nearest_even> : !X
    %r = mulf %d, %steps rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @multiply_add_zero grid=1: 4xT=1,1,-1,2 4xT=1e-20,-1e-20,1e-20,0 out0 i32=4 -> 4xT=0,-0.5,0.5,0
  entry @multiply_add_zero(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %one = constant <f32: 1.0> : !X
    %x = fma %bt, %one, %at rounding<zero> : !X
    %d = subf %x, %at rounding<nearest_even> : !X
    %r = mulf %d, %steps rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @divide_zero grid=1: 2xT=1,-1 2xT=3,3 out0 i32=2 -> 2xT=-0.25,0.25
  entry @divide_zero(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %q = constant <f32: [0.33333334, -0.33333334, 0.0, 0.0]> : !X
    %x = divf %at, %bt rounding<zero> : !X
    %d = subf %x, %q rounding<nearest_even> : !X
    %r = mulf %d, %steps rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @root_up grid=1: 2xT=2,4 2xT=0 out0 i32=2 -> 2xT=1,0
  entry @root_up(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %q = constant <f32: [1.4142135, 2.0, 0.0, 0.0]> : !X
    %x = sqrt %at rounding<positive_inf> : !X
    %d = subf %x, %q rounding<nearest_even> : !X
    %r = mulf %d, %steps rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @multiply_down grid=1: 2xT=3,-3 2xT=0.33333334 out0 i32=2 -> 2xT=0,-1
  entry @multiply_down(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %ones = constant <f32: [1.0, -1.0, 0.0, 0.0]> : !X
    %x = mulf %at, %bt rounding<negative_inf> : !X
    %d = subf %x, %ones rounding<nearest_even> : !X
    %r = mulf %d, %steps rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @multiply_flushed grid=1: 3xT=1e-30,1e-40,-1e-30 3xT=1e-10,1,1e-10 out0 i32=3 -> 3xT=0,0,-0
  entry @multiply_flushed(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %x = mulf %at, %bt rounding<nearest_even> flush_to_zero : !X
    %large = constant <f32: 1.0e+38> : !X
    %r = mulf %x, %large rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @multiply_kept grid=1: 2xT=1e-30,-1e-30 2xT=1e-10 out0 i32=2 -> 2xT=0.01,-0.01
  entry @multiply_kept(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %steps = constant <f32: 8388608.0> : !X
    %x = mulf %at, %bt rounding<nearest_even> : !X
    %large = constant <f32: 1.0e+38> : !X
    %r = mulf %x, %large rounding<nearest_even> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
}
