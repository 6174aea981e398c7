// Two launches of one kernel, a launch of another, and one that is there twice.
func.func @attend(%q: tensor<1x4x64x48xf32>, %k: tensor<1x4x64x48xf32>, %y: tensor<1x4x64x48xf32>) {
  tile.launch @attention_full ins(%q, %k, %k) outs(%y)
      : (tensor<1x4x64x48xf32>, tensor<1x4x64x48xf32>, tensor<1x4x64x48xf32>, tensor<1x4x64x48xf32>) -> tensor<1x4x64x48xf32>
  return
}
func.func @add_twice(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) {
  %0 = tile.launch @add ins(%x, %x) outs(%y) {tile.keep} : (tensor<64x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  %1 = tile.launch @add ins(%x, %0) outs(%y) {tile.keep} : (tensor<64x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  return
}
