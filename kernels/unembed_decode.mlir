// Logits head for few rows: y = x·wᵀ, rounded once to the type of y, f32 unless asked otherwise.
//   x [N, C], w [V, C] → y [N, V], N ≤ 16; a block makes BN logits of every row.
// Bound by the read of w: V·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?x!tile.elt<W>>
!Y = !tile.view<?x?x!tile.elt<Y>>
tile.kernel @unembed_decode(%x: !X, %w: !W) outs(%y: !Y)
    implements(gpt.unembed)
    where(dim(%x, 0) <= 16)
    params {BM = 16 in [1, 2, 4, 8, 16], BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2], W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2],
            Y: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %xt = tile.load %x[%c0, %c0] [BM, K] : !X -> tensor<?x?x!tile.elt<X>>
  %wt = tile.load %w[%n, %c0] [BN, K] : !W -> tensor<?x?x!tile.elt<W>>
  %sum = tile.dot %xt, %wt, %init transpose_b
      : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%c0, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
