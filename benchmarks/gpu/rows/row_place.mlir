// The first column that holds the greatest element of each row.
//   x [R, C] → y [R]; a block makes BM rows. Moves R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!I = !tile.view<?xi32>
tile.kernel @row_place(%x: !X) outs(%y: !I)
    params {BM = 1 in [1, 2, 4, 8, 16, 32, 64, 128], C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %p = tile.reduce argmax %xf axis 1 : tensor<?x?xf32> -> tensor<?xi32>
  tile.store %p, %y[%m] : tensor<?xi32>, !I
}
