// Products of row-major matrices: y = x·w for each of B pairs.
//   x [B, M, K], w [B, K, N] → y [B, M, N]; a block computes BM × BN of one.
!X = !tile.view<?x?x?x!tile.elt<X>>
!Y = !tile.view<?x?x?x!tile.elt<Y>>
!XB = !tile.view<?x?x!tile.elt<X>>
!YB = !tile.view<?x?x!tile.elt<Y>>
tile.kernel @matmul_batched_nn(%x: !X, %w: !X) outs(%y: !Y)
    params {BM = 128 in [16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168,
                        176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BN = 96 in [8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144,
                        152, 160, 168, 176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BK = 256 in [32, 64, 128, 256, 512], X: type = f32 in [f32, bf16, f16, f8E4M3FN], Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 1), BM), ceildiv(dim(%y, 2), BN), dim(%y, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %b = tile.block_id 2
  %xb = tile.select %x[%b] : !X -> !XB
  %wb = tile.select %w[%b] : !X -> !XB
  %yb = tile.select %y[%b] : !Y -> !YB
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %xb, 1 by [BK] : !XB
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %xt = tile.load %xb[%m, %k] [BM, BK] : !XB -> tensor<?x?x!tile.elt<X>>
    %wt = tile.load %wb[%k, %n] [BK, BN] : !XB -> tensor<?x?x!tile.elt<X>>
    %next = tile.dot %xt, %wt, %acc
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<X>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %yb[%m, %n] : tensor<?x?x!tile.elt<Y>>, !YB
}
