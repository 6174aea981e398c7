func.func @few(%x: tensor<7x64xf32>, %w: tensor<96x64xf32>, %b: tensor<96xf32>, %y: tensor<7x96xf32>) {
  tile.launch @linear_decode ins(%x, %w, %b) outs(%y)
      : (tensor<7x64xf32>, tensor<96x64xf32>, tensor<96xf32>, tensor<7x96xf32>) -> tensor<7x96xf32>
  return
}
