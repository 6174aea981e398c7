
!X = !tile.view<?x?xf32>
tile.kernel @transpose(%x: !X) outs(%y: !X) params {BM = 64 in [16, 32, 64], BN = 64 in [16, 32, 64]}
    grid [ceildiv(dim(%x, 0), BM), ceildiv(dim(%x, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %t = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?xf32>
  %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  tile.store %p, %y[%n, %m] : tensor<?x?xf32>, !X
}
