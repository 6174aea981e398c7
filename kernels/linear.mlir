// Linear layer: y = x·wᵀ + b, rounded once to the type of y.
//   x [N, K], w [O, K], b [O], or [0]: none → y [N, O]; a block computes BM × BN of y.
// Multiplies and accumulates in f32: error ≤ K·2⁻²⁴ of Σ|x·w|. Moves N·K + O·K + O + N·O elements.
!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!W = !tile.view<?x?x!tile.elt<W>>
!F = !tile.view<?xf32>
tile.kernel @linear(%x: !X, %w: !W, %b: !F) outs(%y: !Y)
    implements(gpt.linear {activation = "none"})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%w, 1), dim(%w, 0) == dim(%y, 1))
    params {BM = 128 in [16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168,
                        176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BN = 96 in [8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144,
                        152, 160, 168, 176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BK = 256 in [32, 64, 128, 256, 512],
            X: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2], Y: type = !tile.elt<X> in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %xt = tile.load %x[%m, %k] [BM, BK] : !X -> tensor<?x?x!tile.elt<X>>
    %wt = tile.load %w[%n, %k] [BN, BK] : !W -> tensor<?x?x!tile.elt<W>>
    %next = tile.dot %xt, %wt, %acc transpose_b
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %bt = tile.load %b[%n] [BN] : !F -> tensor<?xf32>
  %bias = tile.broadcast %bt [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
  %r = arith.addf %sum, %bias : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
