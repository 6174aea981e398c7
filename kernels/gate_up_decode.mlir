// Both products of a gated layer for one row, in front of its gates: y = x·wᵀ, w = [w₁; w₂].
//   x [N, K], w [2F, K] → y [N, 2F], N ≤ 16 (chosen for one row); a block makes BN columns of y and reads their rows of
//   w once. See @gate_up.
// Bound by the read of w: 2·F·K elements. K is a tile of its own, so the sums never leave the block.
!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?x!tile.elt<W>>
tile.kernel @gate_up_decode(%x: !X, %w: !W) outs(%y: !X)
    implements(gpt.linear {activation = "none", glu})
    where(dim(%x, 0) <= 1)
    params {BM = 16 in [1, 2, 4, 8, 16], BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %xt = tile.load %x[%c0, %c0] [BM, K] : !X -> tensor<?x?x!tile.elt<X>>
  %wt = tile.load %w[%n, %c0] [BN, K] : !W -> tensor<?x?x!tile.elt<W>>
  %sum = tile.dot %xt, %wt, %init transpose_b
      : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%c0, %n] : tensor<?x?x!tile.elt<X>>, !X
}
