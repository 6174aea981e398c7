// Product of a rectified matrix: y = relu(x)·w.
//   x [M, K], w [K, N] → y [M, N]; a block computes BM × BN of y.
!X = !tile.view<?x?x!tile.elt<X>>
tile.kernel @matmul_relu(%x: !X, %w: !X) outs(%y: !X)
    params {BM = 128 in [16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168,
                        176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BN = 96 in [8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144,
                        152, 160, 168, 176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BK = 256 in [32, 64, 128, 256, 512], X: type = bf16 in [bf16, f16]}
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
    %none = arith.constant 0.0 : f32
    %zf = tile.splat %none [BM, BK] : f32 -> tensor<?x?xf32>
    %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
    %af = arith.maximumf %xf, %zf : tensor<?x?xf32>
    %a = tile.cast %af : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
    %wt = tile.load %w[%k, %n] [BK, BN] : !X -> tensor<?x?x!tile.elt<X>>
    %next = tile.dot %a, %wt, %acc
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<X>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
