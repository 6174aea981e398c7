
!X = !tile.view<?x?xbf16>
!W = !tile.view<?x?x?xbf16>
!M = !tile.view<?x?xbf16>
!I = !tile.view<?xi32>
tile.kernel @moe(%x: !X, %w: !W, %rows: !I, %expert: !I) outs(%y: !X) params {BM = 64 in [16, 32, 64, 128], BN = 64 in [32, 64, 128], BK = 64 in [32, 64]}
    grid [ceildiv(dim(%rows, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %et = tile.load %expert[%m] [1] : !I -> tensor<1xi32>
  %ei = tensor.extract %et[%c0] : tensor<1xi32>
  %e = arith.index_cast %ei : i32 to index
  %we = tile.select %w[%e] : !W -> !M
  %ids = tile.load %rows[%m] [BM] : !I -> tensor<?xi32>
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %xt = tile.gather %x[%k] at %ids axis 0 [BM, BK] : !X, tensor<?xi32> -> tensor<?x?xbf16>
    %wt = tile.load %we[%n, %k] [BN, BK] : !M -> tensor<?x?xbf16>
    %next = tile.dot %xt, %wt, %acc transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %y[%m, %n] : tensor<?x?xbf16>, !X
}
