// Gated linear layer with GELU by tanh: y = gelu(x·w₁ᵀ)·(x·w₂ᵀ), w = [w₁; w₂].
//   x [N, K], w [2F, K] → y [N, F]; a block makes BM × BN of y and reads x once for both products.
// Products and sums are f32. Moves N·K + 2·F·K + N·F elements.
!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?x!tile.elt<W>>
!WW = !tile.view<?x?x!tile.elt<W>, strides=[?, 1]>
tile.kernel @linear_gelu_glu(%x: !X, %w: !W) outs(%y: !X)
    implements(gpt.linear {activation = "gelu_tanh", glu})
    params {BM = 128 in [16, 32, 64, 128],
            BN = 96 in [8, 16, 32, 48, 64, 80, 96, 112, 128],
            BK = 256 in [32, 64, 128, 256],
            X: type = f32 in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %units = tile.dim %y, 1 : !X
  %depth = tile.dim %x, 1 : !X
  %w1 = tile.subview %w[0, 0] [%units, %depth] : !W -> !WW
  %w2 = tile.subview %w[%units, 0] [%units, %depth] : !W -> !WW
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BK] : !X
  %gate, %up = scf.for %k = %c0 to %steps step %c1 iter_args(%a1 = %init, %a2 = %init)
      -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %xt = tile.load %x[%m, %k] [BM, BK] : !X -> tensor<?x?x!tile.elt<X>>
    %w1t = tile.load %w1[%n, %k] [BN, BK] : !WW -> tensor<?x?x!tile.elt<W>>
    %w2t = tile.load %w2[%n, %k] [BN, BK] : !WW -> tensor<?x?x!tile.elt<W>>
    %n1 = tile.dot %xt, %w1t, %a1 transpose_b
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
    %n2 = tile.dot %xt, %w2t, %a2 transpose_b
        : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
    scf.yield %n1, %n2 : tensor<?x?xf32>, tensor<?x?xf32>
  }
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608028654 : f32
  %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %cubics = tile.splat %cubic [BM, BN] : f32 -> tensor<?x?xf32>
  %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
  %g2 = arith.mulf %gate, %gate : tensor<?x?xf32>
  %g3 = arith.mulf %g2, %gate : tensor<?x?xf32>
  %gp = arith.mulf %g3, %cubics : tensor<?x?xf32>
  %gq = arith.addf %gate, %gp : tensor<?x?xf32>
  %gu = arith.mulf %gq, %roots : tensor<?x?xf32>
  %gt = math.tanh %gu : tensor<?x?xf32>
  %gs = arith.addf %gt, %ones : tensor<?x?xf32>
  %gh = arith.mulf %gate, %halves : tensor<?x?xf32>
  %act = arith.mulf %gh, %gs : tensor<?x?xf32>
  %r = arith.mulf %act, %up : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<X>>, !X
}
