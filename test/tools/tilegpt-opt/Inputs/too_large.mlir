// A product whose operands have no smaller tiles.
tile.kernel @too_large(%x: !tile.view<512x512xf32>) outs(%y: !tile.view<512x512xf32>) grid [1] {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<512x512xf32>
  %t = tile.load %x[%c0, %c0] [512, 512] : !tile.view<512x512xf32> -> tensor<512x512xf32>
  %s = tile.dot %t, %t, %zero : tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32> -> tensor<512x512xf32>
  tile.store %s, %y[%c0, %c0] : tensor<512x512xf32>, !tile.view<512x512xf32>
}
