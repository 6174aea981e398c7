// The sum over all ranks, of one rank: y = x. With several ranks the runtime exchanges what each has in place of this
// kernel.
//   x [N, C] → y [N, C]; a block makes BM × BN of y.
// A copy. Moves 2·N·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @all_reduce(%x: !X) outs(%y: !X)
    implements(gpt.all_reduce)
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] attributes {tile.collective = "all_reduce"} {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  tile.store %t, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
