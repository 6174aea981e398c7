// Gated linear layer with SiLU for few rows: y = silu(x·w₁ᵀ)·(x·w₂ᵀ), w = [w₁; w₂].
//   x [N, K], w [2F, K] → y [N, F], N ≤ 16 (chosen for one row); a block makes BN columns of y and reads their rows of w once.
// Bound by the read of w: 2·F·K elements. K is a tile of its own, so the sums never leave the block.
!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?x!tile.elt<W>>
!WW = !tile.view<?x?x!tile.elt<W>, strides=[?, 1]>
tile.kernel @linear_silu_glu_decode(%x: !X, %w: !W) outs(%y: !X)
    implements(gpt.linear {activation = "silu", glu})
    where(dim(%x, 0) <= 1)
    params {BM = 16 in [1, 2, 4, 8, 16], BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %units = tile.dim %y, 1 : !X
  %depth = tile.param K
  %w1 = tile.subview %w[0, 0] [%units, %depth] : !W -> !WW
  %w2 = tile.subview %w[%units, 0] [%units, %depth] : !W -> !WW
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %xt = tile.load %x[%c0, %c0] [BM, K] : !X -> tensor<?x?x!tile.elt<X>>
  %w1t = tile.load %w1[%n, %c0] [BN, K] : !WW -> tensor<?x?x!tile.elt<W>>
  %w2t = tile.load %w2[%n, %c0] [BN, K] : !WW -> tensor<?x?x!tile.elt<W>>
  %gate = tile.dot %xt, %w1t, %init transpose_b
      : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %up = tile.dot %xt, %w2t, %init transpose_b
      : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %one = arith.constant 1.0 : f32
  %nlog2e = arith.constant -1.4426950408889634 : f32
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %nlog2es = tile.splat %nlog2e [BM, BN] : f32 -> tensor<?x?xf32>
  %sx = arith.mulf %gate, %nlog2es : tensor<?x?xf32>
  %se = math.exp2 %sx : tensor<?x?xf32>
  %sd = arith.addf %se, %ones : tensor<?x?xf32>
  %act = arith.divf %gate, %sd : tensor<?x?xf32>
  %r = arith.mulf %act, %up : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%c0, %n] : tensor<?x?x!tile.elt<X>>, !X
}
