// Integer arithmetic of CUDA Tile IR: sums and products wrap, quotients round as requested, shifts by the width or more
// shift everything out.
// TYPES: i8 i16 i32 i64
!P = !cuda_tile.tile<!cuda_tile.ptr<!T>>
!S = !cuda_tile.tensor_view<?x!T, strides=[1]>
!V = !cuda_tile.partition_view<tile=(8), padding_value = zero, !cuda_tile.tensor_view<?x!T, strides=[1]>>
!X = !cuda_tile.tile<8x!T>

cuda_tile.module @integers {
// CASE @addi grid=1: 4xT=1,2,-3,100 4xT=5,-2,-1,3 out0 i32=4 -> 4xT=6,0,-4,103
// CASE @addi [i8] grid=1: 2xT=127,-128 2xT=1,-1 out0 i32=2 -> 2xT=-128,127
// CASE @addi [i32] grid=1: 1xT=2147483647 1xT=1 out0 i32=1 -> 1xT=-2147483648
// CASE @addi grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @addi(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = addi %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @subi grid=1: 4xT=1,2,-3,100 4xT=5,-2,-1,3 out0 i32=4 -> 4xT=-4,4,-2,97
// CASE @subi [i8] grid=1: 1xT=-128 1xT=1 out0 i32=1 -> 1xT=127
// CASE @subi grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @subi(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = subi %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @muli grid=1: 4xT=1,2,-3,20 4xT=5,-2,-1,3 out0 i32=4 -> 4xT=5,-4,3,60
// CASE @muli [i16] grid=1: 1xT=256 1xT=256 out0 i32=1 -> 1xT=0
// CASE @muli grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @muli(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = muli %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @no_wrap grid=1: 3xT=1,2,3 3xT=5,2,1 out0 i32=3 -> 3xT=6,4,4
  entry @no_wrap(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = addi %at, %bt overflow<no_wrap> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @divi grid=1: 8xT=7,-7,7,-7,1,127,-8,8 8xT=2,2,-2,-2,2,1,3,-3 out0 i32=8 -> 8xT=3,-3,-3,3,0,127,-2,-2
  entry @divi(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = divi %at, %bt signed : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @divi_up grid=1: 8xT=7,-7,7,-7,1,127,-8,8 8xT=2,2,-2,-2,2,1,3,-3 out0 i32=8 -> 8xT=4,-3,-3,4,1,127,-2,-2
  entry @divi_up(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = divi %at, %bt signed rounding<positive_inf> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @divi_down grid=1: 8xT=7,-7,7,-7,1,127,-8,8 8xT=2,2,-2,-2,2,1,3,-3 out0 i32=8 -> 8xT=3,-4,-4,3,0,127,-3,-3
  entry @divi_down(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = divi %at, %bt signed rounding<negative_inf> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @divi_unsigned grid=1: 8xT=7,-1,-1,100,5,-2,1,9 8xT=2,-1,1,7,9,-1,1,2 out0 i32=8 -> 8xT=3,1,-1,14,0,0,1,4
  entry @divi_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = divi %at, %bt unsigned : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @divi_unsigned_up grid=1: 8xT=7,-1,-1,100,5,-2,1,9 8xT=2,-1,1,7,9,-1,1,2 out0 i32=8 -> 8xT=4,1,-1,15,1,1,1,5
  entry @divi_unsigned_up(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = divi %at, %bt unsigned rounding<positive_inf> : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @remi grid=1: 8xT=7,-7,7,-7,1,127,-8,8 8xT=2,2,-2,-2,2,1,3,-3 out0 i32=8 -> 8xT=1,-1,1,-1,1,0,-2,2
  entry @remi(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = remi %at, %bt signed : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @remi_unsigned grid=1: 8xT=7,-1,-1,100,5,-2,1,9 8xT=2,-1,1,7,9,-1,1,2 out0 i32=8 -> 8xT=1,0,0,2,5,-2,0,1
  entry @remi_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = remi %at, %bt unsigned : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @maxi grid=1: 3xT=1,-2,5 3xT=-1,3,5 out0 i32=3 -> 3xT=1,3,5
// CASE @maxi grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @maxi(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = maxi %at, %bt signed : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @maxi_unsigned grid=1: 3xT=1,-2,5 3xT=-1,3,5 out0 i32=3 -> 3xT=-1,-2,5
// CASE @maxi_unsigned grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @maxi_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = maxi %at, %bt unsigned : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @mini grid=1: 3xT=1,-2,5 3xT=-1,3,5 out0 i32=3 -> 3xT=-1,-2,5
// CASE @mini grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @mini(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = mini %at, %bt signed : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @mini_unsigned grid=1: 3xT=1,-2,5 3xT=-1,3,5 out0 i32=3 -> 3xT=1,3,5
// CASE @mini_unsigned grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @mini_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = mini %at, %bt unsigned : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @andi grid=1: 3xT=12,-1,7 3xT=10,5,-8 out0 i32=3 -> 3xT=8,5,0
// CASE @andi grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @andi(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = andi %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @ori grid=1: 3xT=12,-1,7 3xT=10,5,-8 out0 i32=3 -> 3xT=14,-1,-1
// CASE @ori grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @ori(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = ori %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @xori grid=1: 3xT=12,-1,7 3xT=10,5,-8 out0 i32=3 -> 3xT=6,-6,-1
// CASE @xori grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @xori(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = xori %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @mulhii grid=1: 4xT=-1,-1,3,100 4xT=-1,2,5,-1 out0 i32=4 -> 4xT=-2,1,0,99
// CASE @mulhii [i8] grid=1: 2xT=127,64 2xT=127,4 out0 i32=2 -> 2xT=63,1
// CASE @mulhii [i64] grid=1: 2xT=1099511627776,-9223372036854775808 2xT=1099511627776,6 out0 i32=2 -> 2xT=65536,3
// CASE @mulhii grid=2: 13xT=random:1 13xT=random:2 out0 i32=13 -> 13xT
  entry @mulhii(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = mulhii %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @shli [i8] grid=1: 8xT=1,3,-1,5,1,1,1,1 8xT=0,2,1,3,7,-1,64,100 out0 i32=8 -> 8xT=1,12,-2,40,-128,0,0,0
// CASE @shli [i16] grid=1: 8xT=1,3,-1,5,1,1,1,1 8xT=0,2,1,3,7,-1,64,100 out0 i32=8 -> 8xT=1,12,-2,40,128,0,0,0
// CASE @shli [i32] grid=1: 8xT=1,3,-1,5,1,1,1,1 8xT=0,2,1,3,7,-1,64,100 out0 i32=8 -> 8xT=1,12,-2,40,128,0,0,0
// CASE @shli [i64] grid=1: 8xT=1,3,-1,5,1,1,1,1 8xT=0,2,1,3,7,-1,64,100 out0 i32=8 -> 8xT=1,12,-2,40,128,0,0,0
  entry @shli(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = shli %at, %bt : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @shri grid=1: 8xT=-128,127,-1,5,-5,-7,7,100 8xT=1,2,7,1,-1,100,64,2 out0 i32=8 -> 8xT=-64,31,-1,2,-1,-1,0,25
  entry @shri(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = shri %at, %bt signed : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @shri_unsigned grid=1: 5xT=127,64,5,-1,-1 5xT=2,1,0,-1,100 out0 i32=5 -> 5xT=31,32,5,0,0
// CASE @shri_unsigned [i8] grid=1: 1xT=-1 1xT=4 out0 i32=1 -> 1xT=15
// CASE @shri_unsigned [i32] grid=1: 1xT=-1 1xT=24 out0 i32=1 -> 1xT=255
  entry @shri_unsigned(%a: !P, %b: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %bs = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !S
    %bv = make_partition_view %bs : !V
    %bt, %bk = load_view_tko weak %bv[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = shri %at, %bt unsigned : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @absi grid=1: 3xT=-5,0,7 out0 i32=3 -> 3xT=5,0,7
// CASE @absi [i8] grid=1: 1xT=-128 out0 i32=1 -> 1xT=-128
  entry @absi(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = absi %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @negi grid=1: 3xT=-5,0,7 out0 i32=3 -> 3xT=5,0,-7
// CASE @negi [i8] grid=1: 1xT=-128 out0 i32=1 -> 1xT=-128
  entry @negi(%a: !P, %y: !P, %n: tile<i32>) {
    %i, %i1, %i2 = get_tile_block_id : tile<i32>
    %as = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> !S
    %av = make_partition_view %as : !V
    %at, %ak = load_view_tko weak %av[%i] : !V, tile<i32> -> !X, token
    %ys = make_tensor_view %y, shape = [%n], strides = [1] : tile<i32> -> !S
    %yv = make_partition_view %ys : !V
    %r = negi %at : !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
// CASE @select grid=1: 3xT=-5,0,7 3xT=1,-1,7 out0 i32=3 -> 3xT=-5,-1,7
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
    %c = cmpi less_than %at, %bt, signed : !X -> tile<8xi1>
    %r = select %c, %at, %bt : tile<8xi1>, !X
    %k = store_view_tko weak %r, %yv[%i] : !X, !V, tile<i32> -> token
  }
}
