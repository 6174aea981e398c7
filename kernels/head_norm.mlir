// RMS norm of each head of queries and keys: y = x/√(mean(x²) + ε)·(g + g₀) over the D features of a head; heads from
// H + K on are copied.
//   x [N, (H + 2K)·D], gains of queries and of keys [D], ε, g₀, H, H + K → y as x; a block makes BM rows of a head.
// f32 inside: error ≤ (D + 8)·2⁻²⁴ of |y|. Moves 2·N·(H + 2K)·D elements.
!X = !tile.view<?x?x!tile.elt<X>>
!F = !tile.view<?xf32>
tile.kernel @head_norm(%x: !X, %gq: !F, %gk: !F, %eps: f32, %offset: f32, %queries: i32, %normed: i32) outs(%y: !X)
    implements(gpt.head_norm)
    params {BM = 16 in [1, 4, 16], D = dim(%gq, 0), X: type = f32 in [f32, bf16, f16]}
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
  %hi = arith.index_cast %h : index to i32
  %head = tile.splat %hi [D] : i32 -> tensor<?xi32>
  %qs = tile.splat %queries [D] : i32 -> tensor<?xi32>
  %isquery = arith.cmpi slt, %head, %qs : tensor<?xi32>
  %gqt = tile.load %gq[%c0] [D] : !F -> tensor<?xf32>
  %gkt = tile.load %gk[%c0] [D] : !F -> tensor<?xf32>
  %gt = arith.select %isquery, %gqt, %gkt : tensor<?xi1>, tensor<?xf32>
  %offsets = tile.splat %offset [D] : f32 -> tensor<?xf32>
  %go = arith.addf %gt, %offsets : tensor<?xf32>
  %gain = tile.broadcast %go [BM, D] : tensor<?xf32> -> tensor<?x?xf32>

  %xt = tile.load %x[%m, %h] [BM, D] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %x2 = arith.mulf %xf, %xf : tensor<?x?xf32>
  %sum = tile.reduce add %x2 axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %mean = arith.mulf %sum, %invs : tensor<?x1xf32>
  %meane = arith.addf %mean, %epss : tensor<?x1xf32>
  %scale = math.rsqrt %meane : tensor<?x1xf32>
  %scales = tile.broadcast %scale [BM, D] : tensor<?x1xf32> -> tensor<?x?xf32>
  %n = arith.mulf %xf, %scales : tensor<?x?xf32>
  %ng = arith.mulf %n, %gain : tensor<?x?xf32>
  %hs = tile.splat %hi [BM, D] : i32 -> tensor<?x?xi32>
  %ns = tile.splat %normed [BM, D] : i32 -> tensor<?x?xi32>
  %isnormed = arith.cmpi slt, %hs, %ns : tensor<?x?xi32>
  %res = arith.select %isnormed, %ng, %xf : tensor<?x?xi1>, tensor<?x?xf32>
  %out = tile.cast %res : tensor<?x?xf32> to tensor<?x?x!tile.elt<X>>
  tile.store %out, %y[%m, %h] : tensor<?x?x!tile.elt<X>>, !X
}
