// Token embedding without positions: y[n] = wte[ids[n] − v]·s; what is outside of the table counts as zero.
//   ids [N], wte [V, C], s, v [1], or [0] for 0 → y [N, C]; a block makes BM × BN of y.
// One f32 product. An id outside the vocabulary is refused before the launch; moves 2·N·C + N elements.
!W = !tile.view<?x?x!tile.elt<W>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!I = !tile.view<?xi32>
tile.kernel @embed_tokens(%ids: !I, %wte: !W, %s: f32, %v: !I) outs(%y: !Y)
    implements(gpt.embed {scale})
    params {BM = 8 in [1, 2, 4, 8], BN = 256 in [64, 256, 1024],
            W: type = f32 in [f32, bf16, f16], Y: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %id = tile.load %ids[%m] [BM] : !I -> tensor<?xi32>
  %v1 = tile.load %v[%c0] [1] : !I -> tensor<1xi32>
  %vs = tile.broadcast %v1 [BM] : tensor<1xi32> -> tensor<?xi32>
  %word = arith.subi %id, %vs : tensor<?xi32>
  %te = tile.gather %wte[%n] at %word axis 0 [BM, BN] : !W, tensor<?xi32> -> tensor<?x?x!tile.elt<W>>
  %tf = tile.cast %te : tensor<?x?x!tile.elt<W>> to tensor<?x?xf32>
  %ss = tile.splat %s [BM, BN] : f32 -> tensor<?x?xf32>
  %r = arith.mulf %tf, %ss : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
