// Sums along the rows.
//   x [R, C] → y [R]; a block makes a row. Moves R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @row_sum(%x: !X) outs(%y: !F)
    params {C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
  %sum = tile.reduce add %xf axis 1 : tensor<1x?xf32> -> tensor<1xf32>
  tile.store %sum, %y[%m] : tensor<1xf32>, !F
}
