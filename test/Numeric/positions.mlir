// Small blocks that compute the positions of their elements from the block id, which the GPU merges: loads and stores by
// offset from shifted, divided and reversed positions, with and without masks, in numbers of blocks that larger ones do not
// divide.
// TYPES: f32 i32 bf16
!V = !tile.view<?x!T>
!V2 = !tile.view<?x?x!T>

// CASE @shifted: 4501xT=random:1 -> 4501xT
tile.kernel @shifted(%x: !V) outs(%y: !V) requires(dim(%x, 0) == dim(%y, 0)) grid [ceildiv(dim(%y, 0), 8)] {
  %b = tile.block_id 0
  %size = arith.constant 8 : index
  %s = arith.muli %b, %size : index
  %si = arith.index_cast %s : index to i64
  %n = tile.dim %x, 0 : !V
  %ni = arith.index_cast %n : index to i64
  %ns = tile.splat %ni [8] : i64 -> tensor<8xi64>
  %i = tile.iota [8] : tensor<8xi64>
  %ss = tile.splat %si [8] : i64 -> tensor<8xi64>
  %place = arith.addi %i, %ss : tensor<8xi64>
  %three = arith.constant dense<3> : tensor<8xi64>
  %zero = arith.constant dense<0> : tensor<8xi64>
  %o = arith.subi %place, %three : tensor<8xi64>
  %first = arith.cmpi sge, %o, %zero : tensor<8xi64>
  %last = arith.cmpi slt, %o, %ns : tensor<8xi64>
  %ok = arith.andi %first, %last : tensor<8xi1>
  %p = tile.base %x : !V -> !tile.ptr<!T>
  %t = tile.load_at %p[%o] mask(%ok : tensor<8xi1>) : !tile.ptr<!T>, tensor<8xi64> -> tensor<8x!T>
  tile.store %t, %y[%b] : tensor<8x!T>, !V
}

// Without masks: 563 blocks of 8.
// CASE @halved: 2252xT=random:2 -> 4504xT
tile.kernel @halved(%x: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 8)] {
  %b = tile.block_id 0
  %bi = arith.index_cast %b : index to i32
  %size = arith.constant 8 : i32
  %s = arith.muli %bi, %size : i32
  %i = tile.iota [8] : tensor<8xi32>
  %ss = tile.splat %s [8] : i32 -> tensor<8xi32>
  %place = arith.addi %ss, %i : tensor<8xi32>
  %one = arith.constant dense<1> : tensor<8xi32>
  %o = arith.shrsi %place, %one : tensor<8xi32>
  %p = tile.base %x : !V -> !tile.ptr<!T>
  %q = tile.base %y : !V -> !tile.ptr<!T>
  %t = tile.load_at %p[%o] : !tile.ptr<!T>, tensor<8xi32> -> tensor<8x!T>
  tile.store_at %t, %q[%place] : tensor<8x!T>, !tile.ptr<!T>, tensor<8xi32>
}

// CASE @reversed: 4504xT=random:3 -> 4504xT
tile.kernel @reversed(%x: !V) outs(%y: !V) requires(dim(%x, 0) == dim(%y, 0)) grid [ceildiv(dim(%y, 0), 8)] {
  %b = tile.block_id 0
  %size = arith.constant 8 : index
  %s = arith.muli %b, %size : index
  %n = tile.dim %x, 0 : !V
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %from = arith.subi %last, %s : index
  %fi = arith.index_cast %from : index to i64
  %i = tile.iota [8] : tensor<8xi64>
  %fs = tile.splat %fi [8] : i64 -> tensor<8xi64>
  %o = arith.subi %fs, %i : tensor<8xi64>
  %q = tile.base %y : !V -> !tile.ptr<!T>
  %t = tile.load %x[%b] [8] : !V -> tensor<8x!T>
  tile.store_at %t, %q[%o] : tensor<8x!T>, !tile.ptr<!T>, tensor<8xi64>
}

// Both axes have the same indices; the start of a row is scaled by the pitch, and so is its index.
// CASE @mirrored: 77x97xT=random:4 -> 77x97xT
tile.kernel @mirrored(%x: !V2) outs(%y: !V2) requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    grid [ceildiv(dim(%y, 0), 3), ceildiv(dim(%y, 1), 3)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %size = arith.constant 3 : index
  %rs = arith.muli %m, %size : index
  %cs = arith.muli %n, %size : index
  %pitch = tile.dim %x, 1 : !V2
  %height = tile.dim %x, 0 : !V2
  %ro = arith.muli %rs, %pitch : index
  %roi = arith.index_cast %ro : index to i64
  %rsi = arith.index_cast %rs : index to i64
  %csi = arith.index_cast %cs : index to i64
  %pi = arith.index_cast %pitch : index to i64
  %hi = arith.index_cast %height : index to i64
  %one = arith.constant 1 : index
  %end = arith.subi %pitch, %one : index
  %ei = arith.index_cast %end : index to i64
  %i = tile.iota [3] : tensor<3xi64>
  %ps = tile.splat %pi [3] : i64 -> tensor<3xi64>
  %hs = tile.splat %hi [3] : i64 -> tensor<3xi64>
  %es = tile.splat %ei [3] : i64 -> tensor<3xi64>
  %ros = tile.splat %roi [3] : i64 -> tensor<3xi64>
  %rss = tile.splat %rsi [3] : i64 -> tensor<3xi64>
  %css = tile.splat %csi [3] : i64 -> tensor<3xi64>
  %ri = arith.muli %i, %ps : tensor<3xi64>
  %r = arith.addi %ri, %ros : tensor<3xi64>
  %row = arith.addi %i, %rss : tensor<3xi64>
  %c = arith.addi %i, %css : tensor<3xi64>
  %back = arith.subi %es, %c : tensor<3xi64>
  %rok = arith.cmpi slt, %row, %hs : tensor<3xi64>
  %cok = arith.cmpi slt, %c, %ps : tensor<3xi64>
  %re = tile.expand_dims %r, 1 : tensor<3xi64> -> tensor<3x1xi64>
  %rb = tile.broadcast %re [3, 3] : tensor<3x1xi64> -> tensor<3x3xi64>
  %cb = tile.broadcast %back [3, 3] : tensor<3xi64> -> tensor<3x3xi64>
  %o = arith.addi %rb, %cb : tensor<3x3xi64>
  %roke = tile.expand_dims %rok, 1 : tensor<3xi1> -> tensor<3x1xi1>
  %rokb = tile.broadcast %roke [3, 3] : tensor<3x1xi1> -> tensor<3x3xi1>
  %cokb = tile.broadcast %cok [3, 3] : tensor<3xi1> -> tensor<3x3xi1>
  %ok = arith.andi %rokb, %cokb : tensor<3x3xi1>
  %p = tile.base %x : !V2 -> !tile.ptr<!T>
  %t = tile.load_at %p[%o] mask(%ok : tensor<3x3xi1>) : !tile.ptr<!T>, tensor<3x3xi64> -> tensor<3x3x!T>
  tile.store %t, %y[%m, %n] : tensor<3x3x!T>, !V2
}
