// RMS norm of all queries and of all keys of a row: y = x/√(mean(x²) + ε)·g over the Q columns of queries and over the K
// columns of keys; copies values.
//   x [N, Q + 2K] (queries, keys, values), gains of queries [Q] and keys [K], ε → y like x; a block computes BM rows.
// Computes in f32: error ≤ (Q + 8)·2⁻²⁴ of |y|. Moves 2·N·(Q + 2K) elements.
!X = !tile.view<?x?x!tile.elt<X>>
!XW = !tile.view<?x?x!tile.elt<X>, strides=[?, 1]>
!G = !tile.view<?xf32>
tile.kernel @qk_norm(%x: !X, %gq: !G, %gk: !G, %eps: f32) outs(%y: !X)
    implements(gpt.qk_norm)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16], Q = dim(%gq, 0), K = dim(%gk, 0), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %rows = tile.dim %x, 0 : !X
  %qwidth = tile.param Q
  %kwidth = tile.param K
  %vcol = arith.addi %qwidth, %kwidth : index
  %qs = tile.subview %x[0, 0] [%rows, %qwidth] : !X -> !XW
  %qd = tile.subview %y[0, 0] [%rows, %qwidth] : !X -> !XW
  %ks = tile.subview %x[0, %qwidth] [%rows, %kwidth] : !X -> !XW
  %kd = tile.subview %y[0, %qwidth] [%rows, %kwidth] : !X -> !XW
  %vs = tile.subview %x[0, %vcol] [%rows, %kwidth] : !X -> !XW
  %vd = tile.subview %y[0, %vcol] [%rows, %kwidth] : !X -> !XW

  %qt = tile.load %qs[%m, %c0] [BM, Q] : !XW -> tensor<?x?x!tile.elt<X>>
  %qf = tile.cast %qt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %q2 = arith.mulf %qf, %qf : tensor<?x?xf32>
  %qsum = tile.reduce add %q2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %qn = tile.param Q
  %qni = arith.index_cast %qn : index to i32
  %qnf = arith.sitofp %qni : i32 to f32
  %qinv = arith.divf %one, %qnf : f32
  %qinvs = tile.splat %qinv [BM, 1] : f32 -> tensor<?x1xf32>
  %qmean = arith.mulf %qsum, %qinvs : tensor<?x1xf32>
  %qmeane = arith.addf %qmean, %epss : tensor<?x1xf32>
  %qscale = math.rsqrt %qmeane : tensor<?x1xf32>
  %qscales = tile.broadcast %qscale [BM, Q] : tensor<?x1xf32> -> tensor<?x?xf32>
  %qu = arith.mulf %qf, %qscales : tensor<?x?xf32>
  %qg = tile.load %gq[%c0] [Q] : !G -> tensor<?xf32>
  %qgain = tile.broadcast %qg [BM, Q] : tensor<?xf32> -> tensor<?x?xf32>
  %qr = arith.mulf %qu, %qgain : tensor<?x?xf32>
  %qout = tile.cast %qr : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %qout, %qd[%m, %c0] : tensor<?x?x!tile.elt<X>>, !XW

  %kt = tile.load %ks[%m, %c0] [BM, K] : !XW -> tensor<?x?x!tile.elt<X>>
  %kf = tile.cast %kt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %k2 = arith.mulf %kf, %kf : tensor<?x?xf32>
  %ksum = tile.reduce add %k2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %kn = tile.param K
  %kni = arith.index_cast %kn : index to i32
  %knf = arith.sitofp %kni : i32 to f32
  %kinv = arith.divf %one, %knf : f32
  %kinvs = tile.splat %kinv [BM, 1] : f32 -> tensor<?x1xf32>
  %kmean = arith.mulf %ksum, %kinvs : tensor<?x1xf32>
  %kmeane = arith.addf %kmean, %epss : tensor<?x1xf32>
  %kscale = math.rsqrt %kmeane : tensor<?x1xf32>
  %kscales = tile.broadcast %kscale [BM, K] : tensor<?x1xf32> -> tensor<?x?xf32>
  %ku = arith.mulf %kf, %kscales : tensor<?x?xf32>
  %kg = tile.load %gk[%c0] [K] : !G -> tensor<?xf32>
  %kgain = tile.broadcast %kg [BM, K] : tensor<?xf32> -> tensor<?x?xf32>
  %kr = arith.mulf %ku, %kgain : tensor<?x?xf32>
  %kout = tile.cast %kr : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %kout, %kd[%m, %c0] : tensor<?x?x!tile.elt<X>>, !XW

  %vt = tile.load %vs[%m, %c0] [BM, K] : !XW -> tensor<?x?x!tile.elt<X>>
  tile.store %vt, %vd[%m, %c0] : tensor<?x?x!tile.elt<X>>, !XW
}
