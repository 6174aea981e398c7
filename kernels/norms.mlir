// Norms of rows whose gains are stored as differences from a constant g₀, and of heads.

!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!F = !tile.view<?xf32>
!G = !tile.view<?x?xf32>

// RMS norm: y = x/√(mean(x²) + ε)·(g + g₀) over each row; g₀ is 1 if gains are stored as g − 1, or if there are none, else 0.
//   x [N, C], g [C] ([0]: 0), ε, g₀ → y [N, C]; a block computes BM whole rows.
// Computes in f32: error ≤ (C + 8)·2⁻²⁴ of |y|. Moves 2·N·C + C elements.
tile.kernel @rms_norm(%x: !X, %g: !F, %eps: f32, %offset: f32) outs(%y: !Y)
    implements(gpt.rms_norm)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128], C = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %c = tile.param C
  %ci = arith.index_cast %c : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %inv = arith.divf %one, %cf : f32
  %invs = tile.splat %inv [BM, 1] : f32 -> tensor<?x1xf32>
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %offsets = tile.splat %offset [C] : f32 -> tensor<?xf32>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %x2 = arith.mulf %xf, %xf : tensor<?x?xf32>
  %sum = tile.reduce add %x2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %mean = arith.mulf %sum, %invs : tensor<?x1xf32>
  %meane = arith.addf %mean, %epss : tensor<?x1xf32>
  %scale = math.rsqrt %meane : tensor<?x1xf32>
  %scales = tile.broadcast %scale [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %n = arith.mulf %xf, %scales : tensor<?x?xf32>
  %gt = tile.load %g[%c0] [C] : !F -> tensor<?xf32>
  %go = arith.addf %gt, %offsets : tensor<?xf32>
  %gain = tile.broadcast %go [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
  %r = arith.mulf %n, %gain : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %c0] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Layer norm like @layer_norm, with weights stored as g − g₀, or without weights or a bias: y = (x − μ)/√(σ² + ε)·(g + g₀) + b
// over each row.
//   x [N, C], g [C] ([0]: 0), b [C] ([0]: none), ε, g₀ → y [N, C]; a block computes BM whole rows.
// Error ≤ C·2⁻²⁴ of σ·|g + g₀|. Moves 2·N·C + 2·C elements.
tile.kernel @layer_norm_offset(%x: !X, %g: !F, %b: !F, %eps: f32, %offset: f32) outs(%y: !Y)
    implements(gpt.layer_norm {offset})
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 4 in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512], C = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %c = tile.param C
  %ci = arith.index_cast %c : index to i32
  %cf = arith.sitofp %ci : i32 to f32
  %inv = arith.divf %one, %cf : f32
  %invs = tile.splat %inv [BM, 1] : f32 -> tensor<?x1xf32>
  %epss = tile.splat %eps [BM, 1] : f32 -> tensor<?x1xf32>
  %offsets = tile.splat %offset [C] : f32 -> tensor<?xf32>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %sum = tile.reduce add %xf axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %mean = arith.mulf %sum, %invs : tensor<?x1xf32>
  %means = tile.broadcast %mean [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %d = arith.subf %xf, %means : tensor<?x?xf32>
  %d2 = arith.mulf %d, %d : tensor<?x?xf32>
  %sum2 = tile.reduce add %d2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %var = arith.mulf %sum2, %invs : tensor<?x1xf32>
  %vare = arith.addf %var, %epss : tensor<?x1xf32>
  %scale = math.rsqrt %vare : tensor<?x1xf32>
  %scales = tile.broadcast %scale [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %n = arith.mulf %d, %scales : tensor<?x?xf32>
  %gt = tile.load %g[%c0] [C] : !F -> tensor<?xf32>
  %bt = tile.load %b[%c0] [C] : !F -> tensor<?xf32>
  %go = arith.addf %gt, %offsets : tensor<?xf32>
  %gain = tile.broadcast %go [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
  %bias = tile.broadcast %bt [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
  %ng = arith.mulf %n, %gain : tensor<?x?xf32>
  %r = arith.addf %ng, %bias : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %c0] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Layer norm of each query and key head: y = (x − μ)/√(σ² + ε)·g[h] + b[h] over the D features of head h; copies heads from
// H + K on.
//   x [N, (H + 2K)·D], gains and biases of heads [H + K, D] (biases [N, 0]: none), ε → y like x; a block computes BM rows
//   of a head.
// Computes in f32: error ≤ D·2⁻²⁴ of σ·|g|. Moves 2·N·(H + 2K)·D elements.
tile.kernel @head_layer_norm(%x: !X, %gh: !G, %bh: !G, %eps: f32) outs(%y: !X)
    implements(gpt.head_layer_norm)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 16 in [1, 4, 16], D = dim(%gh, 1), X: type = f32 in [f32, bf16, f16]}
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

  %gt = tile.load %gh[%h, %c0] [1, D] : !G -> tensor<1x?xf32>
  %bt = tile.load %bh[%h, %c0] [1, D] : !G -> tensor<1x?xf32>
  %gain = tile.broadcast %gt [BM, D] : tensor<1x?xf32> -> tensor<?x?xf32>
  %bias = tile.broadcast %bt [BM, D] : tensor<1x?xf32> -> tensor<?x?xf32>
  %ng = arith.mulf %n, %gain : tensor<?x?xf32>
  %nb = arith.addf %ng, %bias : tensor<?x?xf32>
  %heads = tile.dim %gh, 0 : !G
  %isnormed = arith.cmpi ult, %h, %heads : index
  %res = arith.select %isnormed, %nb, %xf : tensor<?x?xf32>
  %out = tile.cast %res : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %h] : tensor<?x?x!tile.elt<X>>, !X
}
