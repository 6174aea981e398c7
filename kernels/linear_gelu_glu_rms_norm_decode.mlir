// RMS norm and gated linear layer with GELU by tanh for one row: y = gelu(n·w₁ᵀ)·(n·w₂ᵀ), w = [w₁; w₂],
// n = x/√(mean(x²) + ε)·(g + g₀).
//   x [N, K], w [2F, K], g [K], ε, g₀ → y [N, F], N = 1; a block makes BN columns of y, and every norm anew.
// The norm is that of @rms_norm, not rounded in between. Bound by the read of w: 2·F·K elements.
!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!W = !tile.view<?x?x!tile.elt<W>>
!WW = !tile.view<?x?x!tile.elt<W>, strides=[?, 1]>
!F = !tile.view<?xf32>
tile.kernel @linear_gelu_glu_rms_norm_decode(%x: !X, %w: !W, %g: !F, %eps: f32, %offset: f32) outs(%y: !Y)
    implements(gpt.linear {activation = "gelu_tanh", glu, rms_norm})
    where(dim(%x, 0) <= 1)
    params {BM = 1, BN = 8 in [2, 4, 8, 16], K = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %units = tile.dim %y, 1 : !Y
  %k = tile.param K
  %w1 = tile.subview %w[0, 0] [%units, %k] : !W -> !WW
  %w2 = tile.subview %w[%units, 0] [%units, %k] : !W -> !WW
  %w1t = tile.load %w1[%n, %c0] [BN, K] : !WW -> tensor<?x?x!tile.elt<W>>
  %w2t = tile.load %w2[%n, %c0] [BN, K] : !WW -> tensor<?x?x!tile.elt<W>>
  %gainst = tile.load %g[%c0] [K] : !F -> tensor<?xf32>

  %ki = arith.index_cast %k : index to i32
  %kf = arith.sitofp %ki : i32 to f32
  %inv = arith.divf %one, %kf : f32
  %invs = tile.splat %inv [BM, 1] : f32 -> tensor<?x1xf32>
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %offsets = tile.splat %offset [K] : f32 -> tensor<?xf32>
  %xt = tile.load %x[%c0, %c0] [BM, K] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %x2 = arith.mulf %xf, %xf : tensor<?x?xf32>
  %sum = tile.reduce add %x2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %mean = arith.mulf %sum, %invs : tensor<?x1xf32>
  %meane = arith.addf %mean, %epss : tensor<?x1xf32>
  %scale = math.rsqrt %meane : tensor<?x1xf32>
  %scales = tile.broadcast %scale [BM, K] : tensor<?x1xf32> -> tensor<?x?xf32>
  %go = arith.addf %gainst, %offsets : tensor<?xf32>
  %gain = tile.broadcast %go [BM, K] : tensor<?xf32> -> tensor<?x?xf32>
  %u = arith.mulf %xf, %scales : tensor<?x?xf32>
  %xn = arith.mulf %u, %gain : tensor<?x?xf32>

  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %gate = tile.dot %xn, %w1t, %init transpose_b
      : tensor<?x?xf32>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %up = tile.dot %xn, %w2t, %init transpose_b
      : tensor<?x?xf32>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %half = arith.constant 0.5 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608028654 : f32
  %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %cubics = tile.splat %cubic [BM, BN] : f32 -> tensor<?x?xf32>
  %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
  %g2 = arith.mulf %gate, %gate : tensor<?x?xf32>
  %g3 = arith.mulf %g2, %gate : tensor<?x?xf32>
  %gp = arith.mulf %g3, %cubics : tensor<?x?xf32>
  %gq = arith.addf %gate, %gp : tensor<?x?xf32>
  %gu = arith.mulf %gq, %roots : tensor<?x?xf32>
  %gt = math.tanh %gu : tensor<?x?xf32>
  %gs = arith.addf %gt, %ones : tensor<?x?xf32>
  %gh = arith.mulf %gate, %halves : tensor<?x?xf32>
  %act = arith.mulf %gh, %gs : tensor<?x?xf32>
  %r = arith.mulf %act, %up : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%c0, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
