// One block a tile of four rows: y = 2 (a − b).
//   a, b, y [R, C]. Moves 3·R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @scaled_difference(%a: !X, %b: !X) outs(%y: !X)
    params {BM = 4, BN = 256, X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %at = tile.load %a[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %bt = tile.load %b[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %af = tile.cast %at : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %bf = tile.cast %bt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %d = arith.subf %af, %bf : tensor<?x?xf32>
  %r = arith.addf %d, %d : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
