
!X = !tile.view<?x?x?xbf16>
!M = !tile.view<?x?xbf16>
tile.kernel @bmm(%x: !X, %w: !X) outs(%y: !X) params {BM = 64 in [16, 32, 64, 128], BN = 64 in [32, 64, 128], BK = 64 in [32, 64]}
    grid [ceildiv(dim(%y, 1), BM), ceildiv(dim(%y, 2), BN), dim(%y, 0)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %b = tile.block_id 2
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xb = tile.select %x[%b] : !X -> !M
  %wb = tile.select %w[%b] : !X -> !M
  %yb = tile.select %y[%b] : !X -> !M
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %xb, 1 by [BK] : !M
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %xt = tile.load %xb[%m, %k] [BM, BK] : !M -> tensor<?x?xbf16>
    %wt = tile.load %wb[%k, %n] [BK, BN] : !M -> tensor<?x?xbf16>
    %next = tile.dot %xt, %wt, %acc : tensor<?x?xbf16>, tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %next : tensor<?x?xf32>
  }
  %out = tile.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  tile.store %out, %yb[%m, %n] : tensor<?x?xbf16>, !M
}
