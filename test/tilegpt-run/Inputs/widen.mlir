// Unsigned bytes as i32.
tile.kernel @widen(%x: !tile.view<?xi8>) outs(%y: !tile.view<?xi32>) requires(dim(%x, 0) == dim(%y, 0)) grid [1] {
  %c0 = arith.constant 0 : index
  %b = tile.load %x[%c0] [4] : !tile.view<?xi8> -> tensor<4xi8>
  %w = arith.extui %b : tensor<4xi8> to tensor<4xi32>
  tile.store %w, %y[%c0] : tensor<4xi32>, !tile.view<?xi32>
}
