// Rounds rows to another type: y = x.
//   x [N, C] → y [N, C]; a block makes BM × BN of y.
// One rounding. Moves 2·N·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
tile.kernel @round(%x: !X) outs(%y: !Y)
    implements(arith.truncf)
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16], Y: type = bf16 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %r = tile.cast %t : tensor<?x?x!tile.elt<X>> to tensor<?x?x!tile.elt<Y>>
  tile.store %r, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
