// A launch of one kernel, and two of another that are the same.
func.func @product(%x: tensor<128x256xf32>, %w: tensor<256x256xf32>, %b: tensor<256xf32>, %y: tensor<128x256xf32>) {
  tile.launch @linear ins(%x, %w, %b) outs(%y)
      : (tensor<128x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<128x256xf32>) -> tensor<128x256xf32>
  return
}
func.func @add_twice(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) {
  %0 = tile.launch @add ins(%x, %x) outs(%y) {tile.keep} : (tensor<64x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  %1 = tile.launch @add ins(%x, %0) outs(%y) {tile.keep} : (tensor<64x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  return
}
