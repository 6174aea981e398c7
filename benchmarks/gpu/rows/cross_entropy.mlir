// Cross entropy of each row: log Σ exp(x − max x) − (x[label] − max x).
//   x [R, C], labels [R] → y [R]; a block makes BM rows. Moves R·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!I = !tile.view<?xi32>
!F = !tile.view<?xf32>
tile.kernel @cross_entropy(%x: !X, %labels: !I) outs(%y: !F)
    params {BM = 1 in [1, 2, 4, 8, 16, 32, 64, 128], C = dim(%x, 1), X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %zeros = tile.splat %zero [BM, C] : f32 -> tensor<?x?xf32>
  %lt = tile.load %labels[%m] [BM] : !I -> tensor<?xi32>
  %xt = tile.load %x[%m, %c0] [BM, C] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %max = tile.reduce max %xf axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %maxs = tile.broadcast %max [BM, C] : tensor<?x1xf32> -> tensor<?x?xf32>
  %d = arith.subf %xf, %maxs : tensor<?x?xf32>
  %e = math.exp %d : tensor<?x?xf32>
  %sum = tile.reduce add %e axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %log = math.log %sum : tensor<?x1xf32>
  %numbers = tile.iota [C] : tensor<?xi32>
  %columns = tile.broadcast %numbers [BM, C] : tensor<?xi32> -> tensor<?x?xi32>
  %lc = tile.expand_dims %lt, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %lb = tile.broadcast %lc [BM, C] : tensor<?x1xi32> -> tensor<?x?xi32>
  %is = arith.cmpi eq, %columns, %lb : tensor<?x?xi32>
  %picked = arith.select %is, %d, %zeros : tensor<?x?xi1>, tensor<?x?xf32>
  %p = tile.reduce add %picked axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
  %loss = arith.subf %log, %p : tensor<?x1xf32>
  %flat = tile.reshape %loss [BM] : tensor<?x1xf32> -> tensor<?xf32>
  tile.store %flat, %y[%m] : tensor<?xf32>, !F
}
