
!X = !tile.view<?x?xf32>
!Y = !tile.view<?xi32>
tile.kernel @argmax(%x: !X) outs(%y: !Y) params {C = dim(%x, 1)} grid [dim(%x, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?xf32>
  %mx = tile.reduce max %t axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %mb = tile.broadcast %mx [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %eq = arith.cmpf oge, %t, %mb : tensor<1x?xf32>
  %i = tile.iota [C] : tensor<?xi32>
  %ib = tile.broadcast %i [1, C] : tensor<?xi32> -> tensor<1x?xi32>
  %big = arith.constant 2147483647 : i32
  %bs = tile.splat %big [1, C] : i32 -> tensor<1x?xi32>
  %c = arith.select %eq, %ib, %bs : tensor<1x?xi1>, tensor<1x?xi32>
  %r = tile.reduce min %c axis 1 : tensor<1x?xi32> -> tensor<1xi32>
  tile.store %r, %y[%m] : tensor<1xi32>, !Y
}
