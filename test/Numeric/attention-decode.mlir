// Few queries and many keys, as in decode attention: the queries of a group share loaded keys, and if there are few blocks
// for the device, clusters split the keys.
// TYPES: bf16 f16
!K = !tile.view<1024x64x!T>
!Q = !tile.view<4x64x!T>
!R = !tile.view<1x64x!T>

// Four queries of a group. Only the first 64 of each 256 keys are visible, so that most blocks of a cluster start with
// masked keys.
// CASE @group_of_four rounded K=256: 4x64xT=random:1 1024x64xT=random:2 1024x64xT=random:3 -> 4x64xf32 4x1xf32
tile.kernel @group_of_four(%q: !Q, %k: !K, %v: !K) outs(%y: !tile.view<4x64xf32>, %lse: !tile.view<4x1xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : i32
  %z0 = arith.constant 0 : i32
  %low = arith.constant dense<0xFF800000> : tensor<4x1xf32>
  %z1 = arith.constant dense<0.0> : tensor<4x1xf32>
  %zo = arith.constant dense<0.0> : tensor<4x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<4x64xf32>
  %sc = arith.constant dense<0.125> : tensor<4x64xf32>
  %sc1 = arith.constant dense<0.125> : tensor<4x1xf32>
  %in = tile.iota [64] : tensor<64xi32>
  %some = tile.splat %c192 [64] : i32 -> tensor<64xi32>
  %none = tile.splat %z0 [64] : i32 -> tensor<64xi32>
  %qt = tile.load %q[%c0, %c0] [4, 64] : !Q -> tensor<4x64x!T>
  %m, %l, %o = scf.for %j = %c0 to %c16 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo)
      -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !K -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !K -> tensor<64x64x!T>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64x!T>, tensor<64x64x!T>, tensor<4x64xf32> -> tensor<4x64xf32>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %bits = arith.andi %kp, %some : tensor<64xi32>
    %counts = arith.cmpi eq, %bits, %none : tensor<64xi32>
    %seen = tile.broadcast %counts [4, 64] : tensor<64xi1> -> tensor<4x64xi1>
    %s = arith.select %seen, %x, %hidden : tensor<4x64xi1>, tensor<4x64xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<4x64xf32> -> tensor<4x1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<4x1xf32>
    %mb = tile.broadcast %mn [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
    %sd = arith.subf %s, %mb : tensor<4x64xf32>
    %sx = arith.mulf %sd, %sc : tensor<4x64xf32>
    %e = math.exp %sx : tensor<4x64xf32>
    %md = arith.subf %mi, %mn : tensor<4x1xf32>
    %mx = arith.mulf %md, %sc1 : tensor<4x1xf32>
    %a = math.exp %mx : tensor<4x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<4x64xf32> -> tensor<4x1xf32>
    %la = arith.mulf %li, %a : tensor<4x1xf32>
    %ln = arith.addf %la, %lt : tensor<4x1xf32>
    %ab = tile.broadcast %a [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<4x64xf32>
    %w = tile.cast %e : tensor<4x64xf32> to tensor<4x64x!T>
    %on = tile.dot %w, %vt, %oa : tensor<4x64x!T>, tensor<64x64x!T>, tensor<4x64xf32> -> tensor<4x64xf32>
    scf.yield %mn, %ln, %on : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x64xf32>
  }
  %lb = tile.broadcast %l [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
  %r = arith.divf %o, %lb : tensor<4x64xf32>
  %ms = arith.mulf %m, %sc1 : tensor<4x1xf32>
  %ll = math.log %l : tensor<4x1xf32>
  %sum = arith.addf %ms, %ll : tensor<4x1xf32>
  tile.store %r, %y[%c0, %c0] : tensor<4x64xf32>, !tile.view<4x64xf32>
  tile.store %sum, %lse[%c0, %c0] : tensor<4x1xf32>, !tile.view<4x1xf32>
}

// Two groups with so many keys that several clusters split those of each; only the first 64 of each 1024 keys are visible.
// With few keys, one cluster takes all.
// CASE @two_groups rounded K=512: 8x64xT=random:1 2x8192x64xT=random:2 2x8192x64xT=random:3 i32=128 -> 8x64xf32 8x1xf32
// CASE @two_groups rounded K=128: 8x64xT=random:1 2x8192x64xT=random:2 2x8192x64xT=random:3 i32=20 -> 8x64xf32 8x1xf32
tile.kernel @two_groups(%q: !tile.view<8x64x!T>, %ks: !tile.view<2x8192x64x!T>, %vs: !tile.view<2x8192x64x!T>, %n: i32)
    outs(%y: !tile.view<8x64xf32>, %lse: !tile.view<8x1xf32>) grid [2] {
  %h = tile.block_id 0
  %k = tile.select %ks[%h] : !tile.view<2x8192x64x!T> -> !tile.view<8192x64x!T>
  %v = tile.select %vs[%h] : !tile.view<2x8192x64x!T> -> !tile.view<8192x64x!T>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tiles = arith.index_cast %n : i32 to index
  %c64 = arith.constant 64 : index
  %c960 = arith.constant 960 : i32
  %z0 = arith.constant 0 : i32
  %low = arith.constant dense<0xFF800000> : tensor<4x1xf32>
  %z1 = arith.constant dense<0.0> : tensor<4x1xf32>
  %zo = arith.constant dense<0.0> : tensor<4x64xf32>
  %hidden = arith.constant dense<0xFF800000> : tensor<4x64xf32>
  %sc = arith.constant dense<0.125> : tensor<4x64xf32>
  %sc1 = arith.constant dense<0.125> : tensor<4x1xf32>
  %in = tile.iota [64] : tensor<64xi32>
  %some = tile.splat %c960 [64] : i32 -> tensor<64xi32>
  %none = tile.splat %z0 [64] : i32 -> tensor<64xi32>
  %qt = tile.load %q[%h, %c0] [4, 64] : !tile.view<8x64x!T> -> tensor<4x64x!T>
  %m, %l, %o = scf.for %j = %c0 to %tiles step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo)
      -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x64xf32>) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !tile.view<8192x64x!T> -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !tile.view<8192x64x!T> -> tensor<64x64x!T>
    %x = tile.dot %qt, %kt, %zo transpose_b : tensor<4x64x!T>, tensor<64x64x!T>, tensor<4x64xf32> -> tensor<4x64xf32>
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %bits = arith.andi %kp, %some : tensor<64xi32>
    %counts = arith.cmpi eq, %bits, %none : tensor<64xi32>
    %seen = tile.broadcast %counts [4, 64] : tensor<64xi1> -> tensor<4x64xi1>
    %s = arith.select %seen, %x, %hidden : tensor<4x64xi1>, tensor<4x64xf32>
    %mt = tile.reduce max %s axis 1 keepdims : tensor<4x64xf32> -> tensor<4x1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<4x1xf32>
    %mb = tile.broadcast %mn [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
    %sd = arith.subf %s, %mb : tensor<4x64xf32>
    %sx = arith.mulf %sd, %sc : tensor<4x64xf32>
    %e = math.exp %sx : tensor<4x64xf32>
    %md = arith.subf %mi, %mn : tensor<4x1xf32>
    %mx = arith.mulf %md, %sc1 : tensor<4x1xf32>
    %a = math.exp %mx : tensor<4x1xf32>
    %lt = tile.reduce add %e axis 1 keepdims : tensor<4x64xf32> -> tensor<4x1xf32>
    %la = arith.mulf %li, %a : tensor<4x1xf32>
    %ln = arith.addf %la, %lt : tensor<4x1xf32>
    %ab = tile.broadcast %a [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<4x64xf32>
    %w = tile.cast %e : tensor<4x64xf32> to tensor<4x64x!T>
    %on = tile.dot %w, %vt, %oa : tensor<4x64x!T>, tensor<64x64x!T>, tensor<4x64xf32> -> tensor<4x64xf32>
    scf.yield %mn, %ln, %on : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x64xf32>
  }
  %lb = tile.broadcast %l [4, 64] : tensor<4x1xf32> -> tensor<4x64xf32>
  %r = arith.divf %o, %lb : tensor<4x64xf32>
  %ms = arith.mulf %m, %sc1 : tensor<4x1xf32>
  %ll = math.log %l : tensor<4x1xf32>
  %sum = arith.addf %ms, %ll : tensor<4x1xf32>
  tile.store %r, %y[%h, %c0] : tensor<4x64xf32>, !tile.view<8x64xf32>
  tile.store %sum, %lse[%h, %c0] : tensor<4x1xf32>, !tile.view<8x1xf32>
}

// One query, too few rows for a matrix instruction; rows are one-dimensional, and exponentials are powers of two.
// CASE @one_query rounded K=1024: 1x64xT=random:1 1024x64xT=random:2 1024x64xT=random:3 -> 1x64xf32
tile.kernel @one_query(%q: !R, %k: !K, %v: !K) outs(%y: !tile.view<1x64xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %low = arith.constant dense<0xFF800000> : tensor<1xf32>
  %z1 = arith.constant dense<0.0> : tensor<1xf32>
  %zs = arith.constant dense<0.0> : tensor<1x32xf32>
  %zo = arith.constant dense<0.0> : tensor<1x64xf32>
  %sc = arith.constant dense<0.18> : tensor<1x32xf32>
  %qt = tile.load %q[%c0, %c0] [1, 64] : !R -> tensor<1x64x!T>
  %m, %l, %o = scf.for %j = %c0 to %c32 step %c1 iter_args(%mi = %low, %li = %z1, %oi = %zo)
      -> (tensor<1xf32>, tensor<1xf32>, tensor<1x64xf32>) {
    %kt = tile.load %k[%j, %c0] [32, 64] : !K -> tensor<32x64x!T>
    %vt = tile.load %v[%j, %c0] [32, 64] : !K -> tensor<32x64x!T>
    %x = tile.dot %qt, %kt, %zs transpose_b : tensor<1x64x!T>, tensor<32x64x!T>, tensor<1x32xf32> -> tensor<1x32xf32>
    %s = arith.mulf %x, %sc : tensor<1x32xf32>
    %mt = tile.reduce max %s axis 1 : tensor<1x32xf32> -> tensor<1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<1xf32>
    %me = tile.expand_dims %mn, 1 : tensor<1xf32> -> tensor<1x1xf32>
    %mb = tile.broadcast %me [1, 32] : tensor<1x1xf32> -> tensor<1x32xf32>
    %sd = arith.subf %s, %mb : tensor<1x32xf32>
    %e = math.exp2 %sd : tensor<1x32xf32>
    %md = arith.subf %mi, %mn : tensor<1xf32>
    %a = math.exp2 %md : tensor<1xf32>
    %lt = tile.reduce add %e axis 1 : tensor<1x32xf32> -> tensor<1xf32>
    %la = arith.mulf %li, %a : tensor<1xf32>
    %ln = arith.addf %la, %lt : tensor<1xf32>
    %ae = tile.expand_dims %a, 1 : tensor<1xf32> -> tensor<1x1xf32>
    %ab = tile.broadcast %ae [1, 64] : tensor<1x1xf32> -> tensor<1x64xf32>
    %oa = arith.mulf %oi, %ab : tensor<1x64xf32>
    %w = tile.cast %e : tensor<1x32xf32> to tensor<1x32x!T>
    %on = tile.dot %w, %vt, %oa : tensor<1x32x!T>, tensor<32x64x!T>, tensor<1x64xf32> -> tensor<1x64xf32>
    scf.yield %mn, %ln, %on : tensor<1xf32>, tensor<1xf32>, tensor<1x64xf32>
  }
  %le = tile.expand_dims %l, 1 : tensor<1xf32> -> tensor<1x1xf32>
  %lb = tile.broadcast %le [1, 64] : tensor<1x1xf32> -> tensor<1x64xf32>
  %r = arith.divf %o, %lb : tensor<1x64xf32>
  tile.store %r, %y[%c0, %c0] : tensor<1x64xf32>, !tile.view<1x64xf32>
}
