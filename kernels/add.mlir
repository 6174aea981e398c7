// Residual addition: y = a + b.
//   a [N, C], b [N, C] → y [N, C]; a block computes BM × BN of y.
// One f32 addition: correctly rounded for f32. Moves 3·N·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!B = !tile.view<?x?x!tile.elt<B>>
!Y = !tile.view<?x?x!tile.elt<Y>>
tile.kernel @add(%a: !X, %b: !B) outs(%y: !Y)
    implements(arith.addf)
    requires(dim(%a, 0) == dim(%y, 0), dim(%a, 1) == dim(%y, 1), dim(%b, 0) == dim(%y, 0), dim(%b, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16], B: type = !tile.elt<X> in [f32, bf16, f16],
            Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %at = tile.load %a[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %bt = tile.load %b[%m, %n] [BM, BN] : !B -> tensor<?x?x!tile.elt<B>>
  %af = tile.cast %at : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %bf = tile.cast %bt : tensor<?x?x!tile.elt<B>> to tensor<?x?xf32>
  %r = arith.addf %af, %bf : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
