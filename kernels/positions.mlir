// Sums of rows and what follows from their positions.

!X = !tile.view<?x?x!tile.elt<X>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!W = !tile.view<?x?x!tile.elt<W>>
!F = !tile.view<?xf32>
!I = !tile.view<?xi32>

// Adds a table's row for the position of every row: y[n] = x[n] + table[pos[b] + t], row n = b·T + t.
//   x [N, C], pos [B], table [S, C] → y [N, C]; a block computes BM × BN of y.
// One f32 addition. Moves 3·N·C elements.
tile.kernel @positions(%x: !X, %pos: !I, %table: !W) outs(%y: !Y)
    implements(gpt.positions)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1), dim(%table, 1) == dim(%y, 1))
    params {BM = 8 in [1, 2, 4, 8], BN = 256 in [64, 256, 1024], X: type = f32 in [f32, bf16, f16],
            W: type = f32 in [f32, bf16, f16], Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %rows = tile.dim %y, 0 : !Y
  %batch = tile.dim %pos, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %bm = tile.param BM
  %first = arith.muli %m, %bm : index
  %fi = arith.index_cast %first : index to i32
  %ti = arith.index_cast %tokens : index to i32
  %firsts = tile.splat %fi [BM] : i32 -> tensor<?xi32>
  %ts = tile.splat %ti [BM] : i32 -> tensor<?xi32>
  %i = tile.iota [BM] : tensor<?xi32>
  %row = arith.addi %firsts, %i : tensor<?xi32>
  %b = arith.divui %row, %ts : tensor<?xi32>
  %t = arith.remui %row, %ts : tensor<?xi32>
  %start = tile.gather %pos[] at %b axis 0 [BM] : !I, tensor<?xi32> -> tensor<?xi32>
  %p = arith.addi %start, %t : tensor<?xi32>
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %pt = tile.gather %table[%n] at %p axis 0 [BM, BN] : !W, tensor<?xi32> -> tensor<?x?x!tile.elt<W>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %pf = tile.cast %pt : tensor<?x?x!tile.elt<W>> to tensor<?x?xf32>
  %r = arith.addf %xf, %pf : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Adds sines and cosines of the position of every row: y[n, i] = x[n, i] + sin(a), y[n, i + C/2] = x[n, i + C/2] + cos(a)
// with a = (pos[b] + t + first)·f[i], row n = b·T + t, i < C/2.
//   x [N, C], pos [B], f [C/2], first → y [N, C]; a block computes BM × BN of y.
// Angles are f32: error ≤ 2⁻²³ of the angle. Moves 2·N·C elements.
tile.kernel @sinusoids(%x: !X, %pos: !I, %f: !F, %shift: i32) outs(%y: !Y)
    implements(gpt.sinusoids)
    requires(dim(%x, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BM = 8 in [1, 2, 4, 8], BN = 256 in [64, 256, 1024], X: type = f32 in [f32, bf16, f16],
            Y: type = !tile.elt<X> in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %rows = tile.dim %y, 0 : !Y
  %batch = tile.dim %pos, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %bm = tile.param BM
  %bn = tile.param BN
  %first = arith.muli %m, %bm : index
  %fi = arith.index_cast %first : index to i32
  %ti = arith.index_cast %tokens : index to i32
  %firsts = tile.splat %fi [BM] : i32 -> tensor<?xi32>
  %ts = tile.splat %ti [BM] : i32 -> tensor<?xi32>
  %i = tile.iota [BM] : tensor<?xi32>
  %row = arith.addi %firsts, %i : tensor<?xi32>
  %b = arith.divui %row, %ts : tensor<?xi32>
  %t = arith.remui %row, %ts : tensor<?xi32>
  %start = tile.gather %pos[] at %b axis 0 [BM] : !I, tensor<?xi32> -> tensor<?xi32>
  %counted = arith.addi %start, %t : tensor<?xi32>
  %shifts = tile.splat %shift [BM] : i32 -> tensor<?xi32>
  %p = arith.addi %counted, %shifts : tensor<?xi32>
  %pf = arith.sitofp %p : tensor<?xi32> to tensor<?xf32>
  %pc = tile.expand_dims %pf, 1 : tensor<?xf32> -> tensor<?x1xf32>
  %pb = tile.broadcast %pc [BM, BN] : tensor<?x1xf32> -> tensor<?x?xf32>

  // The columns' frequencies; the second half of the columns are cosines.
  %left = arith.muli %n, %bn : index
  %li = arith.index_cast %left : index to i32
  %half = tile.dim %f, 0 : !F
  %hi = arith.index_cast %half : index to i32
  %lefts = tile.splat %li [BN] : i32 -> tensor<?xi32>
  %halves = tile.splat %hi [BN] : i32 -> tensor<?xi32>
  %j = tile.iota [BN] : tensor<?xi32>
  %column = arith.addi %lefts, %j : tensor<?xi32>
  %pair = arith.remui %column, %halves : tensor<?xi32>
  %isSine = arith.cmpi slt, %column, %halves : tensor<?xi32>
  %fs = tile.gather %f[] at %pair axis 0 [BN] : !F, tensor<?xi32> -> tensor<?xf32>
  %fb = tile.broadcast %fs [BM, BN] : tensor<?xf32> -> tensor<?x?xf32>
  %sb = tile.broadcast %isSine [BM, BN] : tensor<?xi1> -> tensor<?x?xi1>
  %a = arith.mulf %pb, %fb : tensor<?x?xf32>
  %sine = math.sin %a : tensor<?x?xf32>
  %cosine = math.cos %a : tensor<?x?xf32>
  %wave = arith.select %sb, %sine, %cosine : tensor<?x?xi1>, tensor<?x?xf32>
  %xt = tile.load %x[%m, %n] [BM, BN] : !X -> tensor<?x?x!tile.elt<X>>
  %xf = tile.cast %xt : tensor<?x?x!tile.elt<X>> to tensor<?x?xf32>
  %r = arith.addf %xf, %wave : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}
