// xIELU, an activation with trained parameters.

!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>

// xIELU: y = a·x² + b·x for x > 0, else (exp(min(x, e)) − 1 − x)·(b + c) + b·x, with a = log(1 + exp(p)), c = log(1 + exp(n)).
//   x [N, C], p, n, b, e [1] → y [N, C]; a block computes BM × BN of y.
// Computes in f32: error ≤ 16·2⁻²⁴ of |x|·(a·|x| + 2·b + c). Moves 2·N·C elements.
tile.kernel @xielu(%x: !X, %p: !F, %n: !F, %b: !F, %e: !F) outs(%y: !X)
    implements(gpt.xielu)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256], BN = 256 in [8, 16, 32, 64, 128, 256, 1024],
            X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %row = tile.block_id 0
  %column = tile.block_id 1
  %c0 = arith.constant 0 : index
  %pt = tile.load %p[%c0] [1] : !F -> tensor<1xf32>
  %nt = tile.load %n[%c0] [1] : !F -> tensor<1xf32>
  %bt = tile.load %b[%c0] [1] : !F -> tensor<1xf32>
  %et = tile.load %e[%c0] [1] : !F -> tensor<1xf32>
  %pe = math.exp %pt : tensor<1xf32>
  %ne = math.exp %nt : tensor<1xf32>
  %a = math.log1p %pe : tensor<1xf32>
  %c = math.log1p %ne : tensor<1xf32>
  %bc = arith.addf %bt, %c : tensor<1xf32>
  %as = tile.broadcast %a [BM, BN] : tensor<1xf32> -> tensor<?x?xf32>
  %bs = tile.broadcast %bt [BM, BN] : tensor<1xf32> -> tensor<?x?xf32>
  %bcs = tile.broadcast %bc [BM, BN] : tensor<1xf32> -> tensor<?x?xf32>
  %es = tile.broadcast %et [BM, BN] : tensor<1xf32> -> tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>

  %xt = tile.load %x[%row, %column] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %linear = arith.mulf %xf, %bs : tensor<?x?xf32>
  %ax = arith.mulf %xf, %as : tensor<?x?xf32>
  %above = math.fma %ax, %xf, %linear : tensor<?x?xf32>
  %low = arith.minimumf %xf, %es : tensor<?x?xf32>
  %exp = math.expm1 %low : tensor<?x?xf32>
  %curve = arith.subf %exp, %xf : tensor<?x?xf32>
  %below = math.fma %curve, %bcs, %linear : tensor<?x?xf32>
  %is = arith.cmpf ogt, %xf, %zeros : tensor<?x?xf32>
  %r = arith.select %is, %above, %below : tensor<?x?xi1>, tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%row, %column] : tensor<?x?x!tile.elt<X>>, !X
}
