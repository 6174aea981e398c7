// Products whose sizes come from their arguments: adapters, distances, states, chains, complex numbers.
// TYPES: f32 bf16
!X = !tile.view<?x?x!T>
!B = !tile.view<?x?x?x!T>
!F = !tile.view<?x?xf32>
!I = !tile.view<?x?xi8>
!V = !tile.view<?xf32>
!N = !tile.view<?xi32>

// y = x·wᵀ + s·(x·aᵀ)·bᵀ: a layer with a low-rank adapter, x read once.
// CASE @lora K=200: 70x200xT=random:1 90x200xT=random:2 16x200xT=random:3 90x16xT=random:4 1xf32=random:5 -> 70x90xT
tile.kernel @lora(%x: !X, %w: !X, %a: !X, %b: !X, %s: !V) outs(%y: !X)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128], BK = 64 in [32, 64], R = dim(%a, 0)}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %acc0 = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %low0 = tile.splat %zero [BM, R] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %acc0, %low = %low0) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %xt = tile.load %x[%m, %k] [BM, BK] : !X -> tensor<?x?x!T>
    %wt = tile.load %w[%n, %k] [BN, BK] : !X -> tensor<?x?x!T>
    %at = tile.load %a[%c0, %k] [R, BK] : !X -> tensor<?x?x!T>
    %p = tile.dot %xt, %wt, %acc transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %q = tile.dot %xt, %at, %low transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %p, %q : tensor<?x?xf32>, tensor<?x?xf32>
  }
  %st = tile.load %s[%c0] [1] : !V -> tensor<1xf32>
  %s1 = tensor.extract %st[%c0] : tensor<1xf32>
  %ss = tile.splat %s1 [BM, R] : f32 -> tensor<?x?xf32>
  %scaled = arith.mulf %sum#1, %ss : tensor<?x?xf32>
  %lt = tile.cast %scaled : tensor<?x?xf32> to tensor<?x?x!T>
  %bt = tile.load %b[%n, %c0] [BN, R] : !X -> tensor<?x?x!T>
  %r = tile.dot %lt, %bt, %sum#0 transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
  %o = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %o, %y[%m, %n] : tensor<?x?x!T>, !X
}

// y[i, j] = |x_i − c_j|²: the norms are computed from the tiles of the product.
// CASE @distances K=100: 70x100xT=random:1 50x100xT=random:2 -> 70x50xf32
tile.kernel @distances(%x: !X, %c: !X) outs(%y: !F)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128], BK = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %acc0 = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %xs0 = tile.splat %zero [BM] : f32 -> tensor<?xf32>
  %cs0 = tile.splat %zero [BN] : f32 -> tensor<?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %r:3 = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %acc0, %xs = %xs0, %cs = %cs0) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
    %xt = tile.load %x[%m, %k] [BM, BK] : !X -> tensor<?x?x!T>
    %ct = tile.load %c[%n, %k] [BN, BK] : !X -> tensor<?x?x!T>
    %p = tile.dot %xt, %ct, %acc transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %xf = tile.cast %xt : tensor<?x?x!T> to tensor<?x?xf32>
    %x2 = arith.mulf %xf, %xf : tensor<?x?xf32>
    %xr = tile.reduce add %x2 axis 1 : tensor<?x?xf32> -> tensor<?xf32>
    %xn = arith.addf %xs, %xr : tensor<?xf32>
    %cf = tile.cast %ct : tensor<?x?x!T> to tensor<?x?xf32>
    %c2 = arith.mulf %cf, %cf : tensor<?x?xf32>
    %cr = tile.reduce add %c2 axis 1 : tensor<?x?xf32> -> tensor<?xf32>
    %cn = arith.addf %cs, %cr : tensor<?xf32>
    scf.yield %p, %xn, %cn : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  %xe = tile.expand_dims %r#1, 1 : tensor<?xf32> -> tensor<?x1xf32>
  %xb = tile.broadcast %xe [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
  %cb = tile.broadcast %r#2 [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
  %n2 = arith.addf %xb, %cb : tensor<?x?xf32>
  %twos = tile.splat %two [BM, BN] : f32 -> tensor<?x?xf32>
  %d2 = arith.mulf %r#0, %twos : tensor<?x?xf32>
  %o = arith.subf %n2, %d2 : tensor<?x?xf32>
  tile.store %o, %y[%m, %n] : tensor<?x?xf32>, !F
}

// A linear attention in chunks: o = q·S + (q·kᵀ below the diagonal)·v, S += kᵀ·v; each block iterates over one head.
// CASE @linear_attention K=100: 2x100x32xT=random:1 2x100x32xT=random:2 2x100x32xT=random:3 -> 2x100x32xT
tile.kernel @linear_attention(%q: !B, %k: !B, %v: !B) outs(%o: !B)
    params {BL = 64 in [64, 128], D = dim(%q, 2)} grid [dim(%q, 0)] {
  %h = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %s0 = tile.splat %zero [D, D] : f32 -> tensor<?x?xf32>
  %z = tile.splat %zero [BL, D] : f32 -> tensor<?x?xf32>
  %zz = tile.splat %zero [BL, BL] : f32 -> tensor<?x?xf32>
  %i = tile.iota [BL] : tensor<?xi32>
  %ie = tile.expand_dims %i, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %rows = tile.broadcast %ie [BL, BL] : tensor<?x1xi32> -> tensor<?x?xi32>
  %cols = tile.broadcast %i [BL, BL] : tensor<?xi32> -> tensor<?x?xi32>
  %seen = arith.cmpi sle, %cols, %rows : tensor<?x?xi32>
  %qh = tile.select %q[%h] : !B -> !X
  %kh = tile.select %k[%h] : !B -> !X
  %vh = tile.select %v[%h] : !B -> !X
  %oh = tile.select %o[%h] : !B -> !X
  %steps = tile.num_tiles %qh, 0 by [BL] : !X
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%s = %s0) -> (tensor<?x?xf32>) {
    %qt = tile.load %qh[%t, %c0] [BL, D] : !X -> tensor<?x?x!T>
    %kt = tile.load %kh[%t, %c0] [BL, D] : !X -> tensor<?x?x!T>
    %vt = tile.load %vh[%t, %c0] [BL, D] : !X -> tensor<?x?x!T>
    %sc = tile.cast %s : tensor<?x?xf32> to tensor<?x?x!T>
    %inter = tile.dot %qt, %sc, %z : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %a = tile.dot %qt, %kt, %zz transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %am = arith.select %seen, %a, %zz : tensor<?x?xi1>, tensor<?x?xf32>
    %ac = tile.cast %am : tensor<?x?xf32> to tensor<?x?x!T>
    %both = tile.dot %ac, %vt, %inter : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %ot = tile.cast %both : tensor<?x?xf32> to tensor<?x?x!T>
    tile.store %ot, %oh[%t, %c0] : tensor<?x?x!T>, !X
    %ktt = tile.permute %kt [1, 0] : tensor<?x?x!T> -> tensor<?x?x!T>
    %new = tile.dot %ktt, %vt, %s : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %new : tensor<?x?xf32>
  }
}

// y = relu(x·uᵀ)·dᵀ in one kernel: each block iterates over the hidden units.
// CASE @mlp K=200: 70x64xT=random:1 200x64xT=random:2 64x200xT=random:3 -> 70x64xT
tile.kernel @mlp(%x: !X, %u: !X, %d: !X) outs(%y: !X)
    params {BM = 64 in [64, 128], BH = 64 in [64, 128], W = dim(%x, 1)} grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %acc0 = tile.splat %zero [BM, W] : f32 -> tensor<?x?xf32>
  %h0 = tile.splat %zero [BM, BH] : f32 -> tensor<?x?xf32>
  %xt = tile.load %x[%m, %c0] [BM, W] : !X -> tensor<?x?x!T>
  %steps = tile.num_tiles %u, 0 by [BH] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %acc0) -> (tensor<?x?xf32>) {
    %ut = tile.load %u[%k, %c0] [BH, W] : !X -> tensor<?x?x!T>
    %dt = tile.load %d[%c0, %k] [W, BH] : !X -> tensor<?x?x!T>
    %h = tile.dot %xt, %ut, %h0 transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %r = arith.maximumf %h, %h0 : tensor<?x?xf32>
    %rc = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!T>
    %next = tile.dot %rc, %dt, %acc transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %o = tile.cast %sum : tensor<?x?xf32> to tensor<?x?x!T>
  tile.store %o, %y[%m, %c0] : tensor<?x?x!T>, !X
}

// (a + ib)·(c + id) as four real products in one loop.
// CASE @complex K=100: 70x100xT=random:1 70x100xT=random:2 100x50xT=random:3 100x50xT=random:4 -> 70x50xf32 70x50xf32
tile.kernel @complex(%a: !X, %b: !X, %c: !X, %d: !X) outs(%re: !F, %im: !F)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128], BK = 64 in [32, 64]}
    grid [ceildiv(dim(%re, 0), BM), ceildiv(dim(%re, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %z = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %a, 1 by [BK] : !X
  %r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%x = %z, %y = %z) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %at = tile.load %a[%m, %k] [BM, BK] : !X -> tensor<?x?x!T>
    %bt = tile.load %b[%m, %k] [BM, BK] : !X -> tensor<?x?x!T>
    %ct = tile.load %c[%k, %n] [BK, BN] : !X -> tensor<?x?x!T>
    %dt = tile.load %d[%k, %n] [BK, BN] : !X -> tensor<?x?x!T>
    %nb = arith.negf %bt : tensor<?x?x!T>
    %x1 = tile.dot %at, %ct, %x : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %x2 = tile.dot %nb, %dt, %x1 : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %y1 = tile.dot %at, %dt, %y : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %y2 = tile.dot %bt, %ct, %y1 : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %x2, %y2 : tensor<?x?xf32>, tensor<?x?xf32>
  }
  tile.store %r#0, %re[%m, %n] : tensor<?x?xf32>, !F
  tile.store %r#1, %im[%m, %n] : tensor<?x?xf32>, !F
}

// The index of the nearest of N centres: a product, given norms, the minimum of each row and its index.
// CASE @nearest K=64: 70x64xT=random:1 60x64xT=random:2 60xf32=random:3 -> 70xi32
tile.kernel @nearest(%x: !X, %c: !X, %norm: !V) outs(%y: !N)
    params {BM = 64 in [64, 128], BN = 64 in [64, 128], C = dim(%x, 1)} grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %no = arith.constant 0 : i32
  %bn = tile.param BN
  %z = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %hidden = tile.splat %inf [BN] : f32 -> tensor<?xf32>
  %best0 = tile.splat %inf [BM] : f32 -> tensor<?xf32>
  %at0 = tile.splat %no [BM] : i32 -> tensor<?xi32>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!T>
  %count = tile.dim %c, 0 : !X
  %count32 = arith.index_cast %count : index to i32
  %counts = tile.splat %count32 [BN] : i32 -> tensor<?xi32>
  %i = tile.iota [BN] : tensor<?xi32>
  %steps = tile.num_tiles %c, 0 by [BN] : !X
  %r:2 = scf.for %n = %c0 to %steps step %c1 iter_args(%best = %best0, %at = %at0) -> (tensor<?xf32>, tensor<?xi32>) {
    %ct = tile.load %c[%n, %c0] [BN, C] : !X -> tensor<?x?x!T>
    %nt = tile.load %norm[%n] [BN] : !V -> tensor<?xf32>
    %first = arith.muli %n, %bn : index
    %first32 = arith.index_cast %first : index to i32
    %firsts = tile.splat %first32 [BN] : i32 -> tensor<?xi32>
    %place = arith.addi %i, %firsts : tensor<?xi32>
    %is = arith.cmpi slt, %place, %counts : tensor<?xi32>
    %nm = arith.select %is, %nt, %hidden : tensor<?xi1>, tensor<?xf32>
    %p = tile.dot %xt, %ct, %z transpose_b : tensor<?x?x!T>, tensor<?x?x!T>, tensor<?x?xf32> -> tensor<?x?xf32>
    %nb = tile.broadcast %nm [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
    %p2 = arith.addf %p, %p : tensor<?x?xf32>
    %d = arith.subf %nb, %p2 : tensor<?x?xf32>
    %pl = tile.broadcast %place [BM, BN] : tensor<?xi32> -> tensor<?x?xi32>
    %least, %where = tile.reduce %d, %pl axis 1 identities [0x7F800000 : f32, 0 : i32] {
    ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
      %lt = arith.cmpf olt, %a, %b : f32
      %v = arith.select %lt, %a, %b : f32
      %w = arith.select %lt, %ai, %bi : i32
      tile.yield %v, %w : f32, i32
    } : tensor<?x?xf32>, tensor<?x?xi32> -> (tensor<?xf32>, tensor<?xi32>)
    %lt = arith.cmpf olt, %least, %best : tensor<?xf32>
    %nv = arith.select %lt, %least, %best : tensor<?xi1>, tensor<?xf32>
    %ni = arith.select %lt, %where, %at : tensor<?xi1>, tensor<?xi32>
    scf.yield %nv, %ni : tensor<?xf32>, tensor<?xi32>
  }
  tile.store %r#1, %y[%m] : tensor<?xi32>, !N
}
