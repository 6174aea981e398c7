// Softmax over each row: y = exp(x − max x)/Σ exp(x − max x).
//   x [N, C] → y [N, C]; a block computes BM whole rows.
// Computes in f32: error ≤ C·2⁻²⁴. Moves 2·N·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @softmax(%x: !X) outs(%y: !X)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 1 in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512], C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %max = tile.reduce max %xf axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %maxs = tile.broadcast %max [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %d = arith.subf %xf, %maxs : tensor<?x?xf32>
  %e = math.exp %d : tensor<?x?xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %sums = tile.broadcast %sum [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %r = arith.divf %e, %sums : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %c0] : tensor<?x?x!tile.elt<X>>, !X
}
