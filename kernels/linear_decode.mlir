// Linear layer for few rows: y = x·wᵀ + b, rounded once to the type of y.
//   x [N, K], w [O, K], b [O], or [0]: none → y [N, O], N ≤ 16; a block makes BN columns of y and reads its rows of w once.
// Bound by the read of w: O·K elements. K is a tile of its own, so the sum never leaves the block.
!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!W = !tile.view<?x?x!tile.elt<W>>
!F = !tile.view<?xf32>
tile.kernel @linear_decode(%x: !X, %w: !W, %b: !F) outs(%y: !Y)
    implements(gpt.linear {activation = "none"})
    where(dim(%x, 0) <= 16)
    params {BM = 16 in [1, 2, 4, 8, 16], BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2], Y: type = !tile.elt<X> in [f32, bf16, f16],
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
  %bt = tile.load %b[%n] [BN] : !F -> tensor<?xf32>
  %bias = tile.broadcast %bt [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
  %r = arith.addf %sum, %bias : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%c0, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
