
!X = !tile.view<?xf32>
tile.kernel @dropout(%x: !X, %seed: i32) outs(%y: !X) params {B = 1024 in [256, 1024]} grid [ceildiv(dim(%x, 0), B)] {
  %m = tile.block_id 0
  %b = tile.param B
  %t = tile.load %x[%m] [B] : !X -> tensor<?xf32>
  %o = arith.muli %m, %b : index
  %oi = arith.index_cast %o : index to i32
  %os = tile.splat %oi [B] : i32 -> tensor<?xi32>
  %i = tile.iota [B] : tensor<?xi32>
  %p = arith.addi %os, %i : tensor<?xi32>
  %ss = tile.splat %seed [B] : i32 -> tensor<?xi32>
  %k = arith.constant 747796405 : i32
  %ks = tile.splat %k [B] : i32 -> tensor<?xi32>
  %a = arith.xori %p, %ss : tensor<?xi32>
  %h1 = arith.muli %a, %ks : tensor<?xi32>
  %c16 = arith.constant 16 : i32
  %s16 = tile.splat %c16 [B] : i32 -> tensor<?xi32>
  %h2 = arith.shrui %h1, %s16 : tensor<?xi32>
  %h3 = arith.xori %h1, %h2 : tensor<?xi32>
  %h4 = arith.muli %h3, %ks : tensor<?xi32>
  %lim = arith.constant -1717986918 : i32
  %ls = tile.splat %lim [B] : i32 -> tensor<?xi32>
  %keep = arith.cmpi ult, %h4, %ls : tensor<?xi32>
  %two = arith.constant 1.6666666 : f32
  %ts = tile.splat %two [B] : f32 -> tensor<?xf32>
  %sc = arith.mulf %t, %ts : tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %zs = tile.splat %zero [B] : f32 -> tensor<?xf32>
  %r = arith.select %keep, %sc, %zs : tensor<?xi1>, tensor<?xf32>
  tile.store %r, %y[%m] : tensor<?xf32>, !X
}
