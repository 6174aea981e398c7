// Linear layer with GELU for few rows: y = gelu(x·wᵀ + b), gelu by tanh.
//   x [N, K], w [O, K], b [O] → y [N, O], N ≤ 16; a block makes BN columns of y and reads its rows of w once.
// Bound by the read of w: O·K elements. K is a tile of its own, so the sum never leaves the block.
!X = !tile.view<?x?x!tile.elt<X>>
!W = !tile.view<?x?x!tile.elt<W>>
!F = !tile.view<?xf32>
tile.kernel @linear_gelu_decode(%x: !X, %w: !W, %b: !F) outs(%y: !X)
    implements(gpt.linear {activation = "gelu_tanh"})
    where(dim(%x, 0) <= 16)
    params {BM = 16 in [1, 2, 4, 8, 16], BN = 16 in [2, 4, 8, 16, 32, 64], K = dim(%x, 1),
            X: type = f32 in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16, f8E4M3FN, f8E5M2]}
    grid [ceildiv(dim(%y, 1), BN)] {
  %n = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %init = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %xt = tile.load %x[%c0, %c0] [BM, K] : !X -> tensor<?x?x!tile.elt<X>>
  %wt = tile.load %w[%n, %c0] [BN, K] : !W -> tensor<?x?x!tile.elt<W>>
  %sum = tile.dot %xt, %wt, %init transpose_b
      : tensor<?x?x!tile.elt<X>>, tensor<?x?x!tile.elt<W>>, tensor<?x?xf32> -> tensor<?x?xf32>
  %bt = tile.load %b[%n] [BN] : !F -> tensor<?xf32>
  %bias = tile.broadcast %bt [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
  %h = arith.addf %sum, %bias : tensor<?x?xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608028654 : f32
  %halves = tile.splat %half [BM, BN] : f32 -> tensor<?x?xf32>
  %ones = tile.splat %one [BM, BN] : f32 -> tensor<?x?xf32>
  %cubics = tile.splat %cubic [BM, BN] : f32 -> tensor<?x?xf32>
  %roots = tile.splat %root [BM, BN] : f32 -> tensor<?x?xf32>
  %h2 = arith.mulf %h, %h : tensor<?x?xf32>
  %h3 = arith.mulf %h2, %h : tensor<?x?xf32>
  %p = arith.mulf %h3, %cubics : tensor<?x?xf32>
  %q = arith.addf %h, %p : tensor<?x?xf32>
  %u = arith.mulf %q, %roots : tensor<?x?xf32>
  %t = math.tanh %u : tensor<?x?xf32>
  %s = arith.addf %t, %ones : tensor<?x?xf32>
  %hh = arith.mulf %h, %halves : tensor<?x?xf32>
  %r = arith.mulf %hh, %s : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%c0, %n] : tensor<?x?x!tile.elt<X>>, !X
}
