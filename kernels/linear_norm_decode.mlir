// Layer norm and linear layer for one row: y = norm(x)·wᵀ + b, norm(x) = (x − μ)/√(σ² + ε)·g + β.
//   x [N, K], w [O, K], b [O], g [K], β [K], ε → y [N, O], N = 1; a block makes BN columns of y, and every norm anew.
// The norm is that of @layer_norm, not rounded in between. Bound by the read of w: O·K elements.
// More rows pay for their norms in every block: 4 rows of 1600 → 4800 25 µs instead of 7 and a norm.
!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!W = !tile.view<?x?x!tile.elt<W>>
!F = !tile.view<?xf32>
tile.kernel @linear_norm_decode(%x: !X, %w: !W, %b: !F, %g: !F, %beta: !F, %eps: f32) outs(%y: !Y)
    implements(gpt.linear {activation = "none", norm})
    where(dim(%x, 0) <= 1)
    params {BM = 1, BN = 8 in [2, 4, 8, 16], K = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %wt = tile.load %w[%n, %c0] [BN, K] : !W -> tensor<?x?x!tile.elt<W>>
  %bt = tile.load %b[%n] [BN] : !F -> tensor<?xf32>
  %gt = tile.load %g[%c0] [K] : !F -> tensor<?xf32>
  %et = tile.load %beta[%c0] [K] : !F -> tensor<?xf32>

  %k = tile.param K
  %ki = arith.index_cast %k : index to i32
  %kf = arith.sitofp %ki : i32 to f32
  %inv = arith.divf %one, %kf : f32
  %invs = tile.splat %inv [BM, 1] : f32 -> tensor<?x1xf32>
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %xt = tile.load %x[%c0, %c0] [BM, K] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %sum = tile.reduce add %xf axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %mean = arith.mulf %sum, %invs : tensor<?x1xf32>
  %means = tile.broadcast %mean [BM, K] : tensor<?x1xf32> -> tensor<?x?xf32>
  %d = arith.subf %xf, %means : tensor<?x?xf32>
  %d2 = arith.mulf %d, %d : tensor<?x?xf32>
  %sum2 = tile.reduce add %d2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %var = arith.mulf %sum2, %invs : tensor<?x1xf32>
  %vare = arith.addf %var, %epss : tensor<?x1xf32>
  %scale = math.rsqrt %vare : tensor<?x1xf32>
  %scales = tile.broadcast %scale [BM, K] : tensor<?x1xf32> -> tensor<?x?xf32>
  %gain = tile.broadcast %gt [BM, K] : tensor<?xf32> -> tensor<?x?xf32>
  %shift = tile.broadcast %et [BM, K] : tensor<?xf32> -> tensor<?x?xf32>
  %u = arith.mulf %d, %scales : tensor<?x?xf32>
  %ug = arith.mulf %u, %gain : tensor<?x?xf32>
  %xn = arith.addf %ug, %shift : tensor<?x?xf32>

  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %prod = tile.dot %xn, %wt, %init transpose_b
      : tensor<?x?xf32>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %bias = tile.broadcast %bt [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
  %r = arith.addf %prod, %bias : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%c0, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
