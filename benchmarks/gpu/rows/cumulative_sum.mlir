// Cumulative sums along each row: y[r, c] = Σ x[r, i] for i ≤ c.
//   x [R, C] → y [R, C]; a block makes BM rows. Moves 2·R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @cumulative_sum(%x: !X) outs(%y: !X)
    params {BM = 1 in [1, 2, 4, 8], C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %s = tile.scan add %xf axis 1 : tensor<?x?xf32>
  %out = tile.cast %s : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %c0] : tensor<?x?x!tile.elt<X>>, !X
}
