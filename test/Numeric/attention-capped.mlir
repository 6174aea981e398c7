// Capped scores c·tanh(x/c) outside of an online softmax: sums without a maximum, and gradients.
// TYPES: bf16 f16
!V = !tile.view<?x64x!T>
!Y = !tile.view<?x?xf32>
!P = tensor<64x64xf32>
!I = tensor<64x64xi32>
!I1 = tensor<64x64xi1>
!C = tensor<64x1xf32>

// CASE @weigh_by_caps rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 f32=2.0 -> 200x64xf32
tile.kernel @weigh_by_caps(%q: !V, %k: !V, %v: !V, %cap: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %z1 = arith.constant dense<0.0> : !C
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %l, %o = scf.for %j = %c0 to %end step %c1 iter_args(%li = %z1, %oi = %zs) -> (!C, !P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x = arith.mulf %d, %sc : !P
    %xc = arith.divf %x, %caps : !P
    %th = math.tanh %xc : !P
    %s = arith.mulf %th, %caps : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %e = math.exp %s : !P
    %w = arith.select %seen, %e, %zs : !I1, !P
    %lt = tile.reduce add %w axis 1 keepdims : !P -> !C
    %ln = arith.addf %li, %lt : !C
    %wr = tile.cast %w : !P to tensor<64x64x!T>
    %on = tile.dot %wr, %vt, %oi : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %ln, %on : !C, !P
  }
  %lb = tile.broadcast %l [64, 64] : !C -> !P
  %r = arith.divf %o, %lb : !P
  tile.store %r, %y[%m, %c0] : !P, !Y
}

// The gradient of queries: Σ p·(q'·v - t)·(1 - tanh²)·k/8, where p is normalized by a value per row.
// CASE @differentiate_caps rounded K=200: 200x64xT=random:1 200x64xT=random:2 200x64xT=random:3 200x64xT=random:4 200x1xf32=random:5 f32=2.0 -> 200x64xf32
tile.kernel @differentiate_caps(%q: !V, %k: !V, %v: !V, %g: !V, %lse: !Y, %cap: f32) outs(%y: !Y) grid [ceildiv(dim(%y, 0), 64)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zs = arith.constant dense<0.0> : !P
  %z1 = arith.constant dense<0.0> : !C
  %sc = arith.constant dense<0.125> : !P
  %first = arith.muli %m, %c64 : index
  %fi = arith.index_cast %first : index to i32
  %fs = tile.splat %fi [64] : i32 -> tensor<64xi32>
  %in = tile.iota [64] : tensor<64xi32>
  %qp = arith.addi %fs, %in : tensor<64xi32>
  %qc = tile.expand_dims %qp, 1 : tensor<64xi32> -> tensor<64x1xi32>
  %qpos = tile.broadcast %qc [64, 64] : tensor<64x1xi32> -> !I
  %end = tile.num_tiles %k, 0 by [64] : !V
  %ones = arith.constant dense<1.0> : !P
  %caps = tile.splat %cap [64, 64] : f32 -> !P
  %qt = tile.load %q[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %gt = tile.load %g[%m, %c0] [64, 64] : !V -> tensor<64x64x!T>
  %t = tile.load %lse[%m, %c0] [64, 1] : !Y -> !C
  %tb = tile.broadcast %t [64, 64] : !C -> !P
  %o = scf.for %j = %c0 to %end step %c1 iter_args(%oi = %zs) -> (!P) {
    %kt = tile.load %k[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %vt = tile.load %v[%j, %c0] [64, 64] : !V -> tensor<64x64x!T>
    %d = tile.dot %qt, %kt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %x = arith.mulf %d, %sc : !P
    %xc = arith.divf %x, %caps : !P
    %th = math.tanh %xc : !P
    %s = arith.mulf %th, %caps : !P
    %j0 = arith.muli %j, %c64 : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [64] : i32 -> tensor<64xi32>
    %kp = arith.addi %js, %in : tensor<64xi32>
    %kpos = tile.broadcast %kp [64, 64] : tensor<64xi32> -> !I
    %seen = arith.cmpi sle, %kpos, %qpos : !I
    %sd = arith.subf %s, %tb : !P
    %e = math.exp %sd : !P
    %w = arith.select %seen, %e, %zs : !I1, !P
    %dv = tile.dot %gt, %vt, %zs transpose_b : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    %dt = arith.subf %dv, %tb : !P
    %dp = arith.mulf %w, %dt : !P
    %sq = arith.mulf %th, %th : !P
    %rest = arith.subf %ones, %sq : !P
    %du = arith.mulf %dp, %rest : !P
    %ds = arith.mulf %du, %sc : !P
    %dr = tile.cast %ds : !P to tensor<64x64x!T>
    %on = tile.dot %dr, %kt, %oi : tensor<64x64x!T>, tensor<64x64x!T>, !P -> !P
    scf.yield %on : !P
  }
  tile.store %o, %y[%m, %c0] : !P, !Y
}
