// Layer norm of each head of queries and of keys.

!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?x?xf32>

// Layer norm of each query and key head: y = (x − μ)/√(σ² + ε)·g[h] + b[h] over the D features of head h; copies heads from
// H + K on.
//   x [N, (H + 2K)·D], gains and biases of heads [H + K, D] (biases [N, 0]: none), ε → y like x; a block computes BM rows
//   of a head.
// Computes in f32: error ≤ D·2⁻²⁴ of σ·|g|. Moves 2·N·(H + 2K)·D elements.
tile.kernel @head_layer_norm(%x: !X, %g: !F, %b: !F, %eps: f32) outs(%y: !X)
    implements(gpt.head_layer_norm)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 16 in [1, 4, 16], D = dim(%g, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), D)] {
  %m = tile.block_id 0
  %h = tile.block_id 1
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %d = tile.param D
  %di = arith.index_cast %d : index to i32
  %df = arith.sitofp %di : i32 to f32
  %inv = arith.divf %one, %df : f32
  %invs = tile.splat %inv [BM, 1] : f32 -> tensor<?x1xf32>
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>

  %xt = tile.load %x[%m, %h] [BM, D] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %sum = tile.reduce add %xf axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %mean = arith.mulf %sum, %invs : tensor<?x1xf32>
  %means = tile.broadcast %mean [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %e = arith.subf %xf, %means : tensor<?x?xf32>
  %e2 = arith.mulf %e, %e : tensor<?x?xf32>
  %sum2 = tile.reduce add %e2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %var = arith.mulf %sum2, %invs : tensor<?x1xf32>
  %vare = arith.addf %var, %epss : tensor<?x1xf32>
  %scale = math.rsqrt %vare : tensor<?x1xf32>
  %scales = tile.broadcast %scale [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %n = arith.mulf %e, %scales : tensor<?x?xf32>

  %gt = tile.load %g[%h, %c0] [1, D] : !F -> tensor<1x?xf32>
  %bt = tile.load %b[%h, %c0] [1, D] : !F -> tensor<1x?xf32>
  %gain = tile.broadcast %gt [BM, D] : tensor<1x?xf32> -> tensor<?x?xf32>
  %bias = tile.broadcast %bt [BM, D] : tensor<1x?xf32> -> tensor<?x?xf32>
  %ng = arith.mulf %n, %gain : tensor<?x?xf32>
  %nb = arith.addf %ng, %bias : tensor<?x?xf32>
  %heads = tile.dim %g, 0 : !F
  %isnormed = arith.cmpi ult, %h, %heads : index
  %res = arith.select %isnormed, %nb, %xf : tensor<?x?xf32>
  %out = tile.cast %res : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %h] : tensor<?x?x!tile.elt<X>>, !X
}
