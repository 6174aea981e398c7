// The logarithm of the sum of the exponentials of each row: max x + log Σ exp(x − max x).
//   x [R, C] → y [R]; a block makes a row. Moves R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @log_sum_exp(%x: !X) outs(%y: !F)
    params {C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [dim(%y, 0)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %xt = tile.load %x[%m, %c0] [1, C] : !X -> tensor<1x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<1x?x!tile.elt<X>> to tensor<1x?xf32>
  %max = tile.reduce max %xf axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %maxs = tile.broadcast %max [1, C] : tensor<1x1xf32> -> tensor<1x?xf32>
  %d = arith.subf %xf, %maxs : tensor<1x?xf32>
  %e = math.exp %d : tensor<1x?xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<1x?xf32> -> tensor<1x1xf32>
  %log = math.log %sum : tensor<1x1xf32>
  %all = arith.addf %max, %log : tensor<1x1xf32>
  %flat = tile.reshape %all [1] : tensor<1x1xf32> -> tensor<1xf32>
  tile.store %flat, %y[%m] : tensor<1xf32>, !F
}
