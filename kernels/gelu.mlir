// GELU with tanh approximation: y = ½·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))).
//   x [N, C] → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 4·2⁻²⁴ of |x|. Moves 2·N·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @gelu(%x: !X) outs(%y: !X)
    implements(gpt.gelu {approximate = "tanh"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %h = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608028654 : f32
  %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %cubics = tile.splat %cubic [BM, BN] : f32 -> tensor<?x?xf32>
  %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
  %h2 = arith.mulf %h, %h : tensor<?x?xf32>
  %h3 = arith.mulf %h2, %h : tensor<?x?xf32>
  %p = arith.mulf %h3, %cubics : tensor<?x?xf32>
  %q = arith.addf %h, %p : tensor<?x?xf32>
  %u = arith.mulf %q, %roots : tensor<?x?xf32>
  %t = math.tanh %u : tensor<?x?xf32>
  %s = arith.addf %t, %ones : tensor<?x?xf32>
  %hh = arith.mulf %h, %halves : tensor<?x?xf32>
  %r = arith.mulf %hh, %s : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
