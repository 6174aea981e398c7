
!X = !tile.view<?x?xf32>
!L = !tile.view<?xi32>
!Y = !tile.view<?xf32>
tile.kernel @xent(%x: !X, %t: !L) outs(%y: !Y) params {BM = 4 in [1, 2, 4, 8], BN = 512 in [128, 512, 1024]} grid [ceildiv(dim(%x, 0), BM)] {
  %m = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bn = tile.param BN
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m0 = tile.splat %ninf [BM, 1] : f32 -> tensor<?x1xf32>
  %z0 = tile.splat %zero [BM, 1] : f32 -> tensor<?x1xf32>
  %lab = tile.load %t[%m] [BM] : !L -> tensor<?xi32>
  %labc = tile.expand_dims %lab, 1 : tensor<?xi32> -> tensor<?x1xi32>
  %labb = tile.broadcast %labc [BM, BN] : tensor<?x1xi32> -> tensor<?x?xi32>
  %in = tile.iota [BN] : tensor<?xi32>
  %zs = tile.splat %zero [BM, BN] : f32 -> tensor<?x?xf32>
  %steps = tile.num_tiles %x, 1 by [BN] : !X
  %mx, %sm, %pick = scf.for %j = %c0 to %steps step %c1 iter_args(%mi = %m0, %li = %z0, %pi = %z0) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) {
    %xt = tile.load %x[%m, %j] [BM, BN] pad(neg_inf) : !X -> tensor<?x?xf32>
    %j0 = arith.muli %j, %bn : index
    %ji = arith.index_cast %j0 : index to i32
    %js = tile.splat %ji [BN] : i32 -> tensor<?xi32>
    %pos = arith.addi %js, %in : tensor<?xi32>
    %posb = tile.broadcast %pos [BM, BN] : tensor<?xi32> -> tensor<?x?xi32>
    %eq = arith.cmpi eq, %posb, %labb : tensor<?x?xi32>
    %sel = arith.select %eq, %xt, %zs : tensor<?x?xi1>, tensor<?x?xf32>
    %ps = tile.reduce add %sel axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %pn = arith.addf %pi, %ps : tensor<?x1xf32>
    %mt = tile.reduce max %xt axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %mn = arith.maximumf %mi, %mt : tensor<?x1xf32>
    %mb = tile.broadcast %mn [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>
    %d = arith.subf %xt, %mb : tensor<?x?xf32>
    %e = math.exp %d : tensor<?x?xf32>
    %es = tile.reduce add %e axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
    %dm = arith.subf %mi, %mn : tensor<?x1xf32>
    %al = math.exp %dm : tensor<?x1xf32>
    %la = arith.mulf %li, %al : tensor<?x1xf32>
    %ln = arith.addf %la, %es : tensor<?x1xf32>
    scf.yield %mn, %ln, %pn : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>
  }
  %lg = math.log %sm : tensor<?x1xf32>
  %lse = arith.addf %lg, %mx : tensor<?x1xf32>
  %loss = arith.subf %lse, %pick : tensor<?x1xf32>
  %flat = tile.reshape %loss [BM] : tensor<?x1xf32> -> tensor<?xf32>
  tile.store %flat, %y[%m] : tensor<?xf32>, !Y
}
