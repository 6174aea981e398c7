// GELU, exact: y = ½·x·(1 + erf(x/√2)).
//   x [N, C] → y [N, C]; a block makes BM × BN of y.
// f32 inside: error ≤ 4·2⁻²⁴ of |x|. Moves 2·N·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @gelu_exact(%x: !X) outs(%y: !X)
    implements(gpt.gelu {approximate = "none"})
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %h = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.7071067811865476 : f32
  %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
  %u = arith.mulf %h, %roots : tensor<?x?xf32>
  %e = math.erf %u : tensor<?x?xf32>
  %s = arith.addf %e, %ones : tensor<?x?xf32>
  %hh = arith.mulf %h, %halves : tensor<?x?xf32>
  %r = arith.mulf %hh, %s : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
