// y += x.
!V = !tile.view<?xf32>
tile.kernel @add_to(%x: !V) outs(%y: !V) grid [ceildiv(dim(%y, 0), 64)] {
  %b = tile.block_id 0
  %xt = tile.load %x[%b] [64] : !V -> tensor<64xf32>
  %yt = tile.load %y[%b] [64] : !V -> tensor<64xf32>
  %sum = arith.addf %xt, %yt : tensor<64xf32>
  tile.store %sum, %y[%b] : tensor<64xf32>, !V
}
