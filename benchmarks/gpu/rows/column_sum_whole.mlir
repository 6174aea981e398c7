// Sums down the columns, each column one tile.
//   x [R, C] → y [C]; a block makes BN columns. Moves R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @column_sum_whole(%x: !X) outs(%y: !F)
    params {BN = 32 in [8, 32, 128], R = dim(%x, 0), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%c0, %n] [R, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %sum = tile.reduce add %xf axis 0 : tensor<?x?xf32> -> tensor<?xf32>
  tile.store %sum, %y[%n] : tensor<?xf32>, !F
}
