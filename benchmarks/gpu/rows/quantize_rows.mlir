// Rows in eight bits: s = max |x| / 127, y = round(x / s), to even.
//   x [R, C] → s [R], y [R, C]; a block makes BM rows. Moves R·C elements and R·C bytes.
!X = !tile.view<?x?x!tile.elt<X>>
!Q = !tile.view<?x?xi8>
!F = !tile.view<?xf32>
tile.kernel @quantize_rows(%x: !X) outs(%s: !F, %y: !Q)
    params {BM = 1 in [1, 2, 4], C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %most = arith.constant 127.0 : f32
  %least = arith.constant 1.0e-30 : f32
  %mosts = tile.splat %most [BM, 1] : f32 -> tensor<?x1xf32>
  %leasts = tile.splat %least [BM, 1] : f32 -> tensor<?x1xf32>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %size = math.absf %xf : tensor<?x?xf32>
  %max = tile.reduce max %size axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %some = arith.maximumf %max, %leasts : tensor<?x1xf32>
  %scale = arith.divf %some, %mosts : tensor<?x1xf32>
  %times = arith.divf %mosts, %some : tensor<?x1xf32>
  %all = tile.broadcast %times [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %p = arith.mulf %xf, %all : tensor<?x?xf32>
  %even = math.roundeven %p : tensor<?x?xf32>
  %q = arith.fptosi %even : tensor<?x?xf32> to tensor<?x?xi8>
  %flat = tile.reshape %scale [BM] : tensor<?x1xf32> -> tensor<?xf32>
  tile.store %flat, %s[%m] : tensor<?xf32>, !F
  tile.store %q, %y[%m, %c0] : tensor<?x?xi8>, !Q
}
