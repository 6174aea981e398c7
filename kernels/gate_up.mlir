// Both products of a gated layer, in front of its gates: y = x·wᵀ, w = [w₁; w₂].
//   x [N, K], w [2F, K] → y [N, 2F]; a block makes BM × BN of y. A gated unit that reads it (@silu_glu) is done by the
//   same blocks: they make a tile of each half then, and read x once for both.
// Products and sums are f32. Moves N·K + 2·F·K + 2·N·F elements.
!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?x!tile.elt<W>>
tile.kernel @gate_up(%x: !X, %w: !W) outs(%y: !X)
    implements(gpt.linear {activation = "none", glu})
    params {BM = 128 in [16, 32, 64, 128],
            BN = 96 in [8, 16, 32, 48, 64, 80, 96, 112, 128],
            BK = 256 in [32, 64, 128, 256],
            X: type = f32 in [f32, bf16, f16],
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
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
