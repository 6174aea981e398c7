// Integer product: y = x·wᵀ; sums wrap.
//   x [M, K], w [N, K] → y [M, N]; a block computes BM × BN of y.
!X = !tile.view<?x?xi8>
!Y = !tile.view<?x?xi32>
tile.kernel @matmul_i8(%x: !X, %w: !X) outs(%y: !Y)
    params {BM = 128 in [16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168,
                        176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BN = 96 in [8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144,
                        152, 160, 168, 176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256],
            BK = 256 in [32, 64, 128, 256, 512]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %init = tile.splat %zero [BM, BN] : i32 -> tensor<?x?xi32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xi32>) {
    %xt = tile.load %x[%m, %k] [BM, BK] : !X -> tensor<?x?xi8>
    %wt = tile.load %w[%n, %k] [BN, BK] : !X -> tensor<?x?xi8>
    %next = tile.dot %xt, %wt, %acc transpose_b
        : tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %next : tensor<?x?xi32>
  }
  tile.store %sum, %y[%m, %n] : tensor<?x?xi32>, !Y
}
