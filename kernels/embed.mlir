// Gathers of rows by index.

!W = !tile.view<?x?x!tile.elt<W>>
!Y = !tile.view<?x?x!tile.elt<Y>>
!I = !tile.view<?xi32>
!X = !tile.view<?x?x!tile.elt<X>>

// Token and position embedding: y[n] = wte[ids[n] − v] + wpe[pos[b] + t − s], row n = b·T + t; rows outside a table are
// zero.
//   ids [N], pos [B], wte [V, C], wpe [S, C], v and s [1], or [0] for 0 → y [N, C]; a block computes BM × BN of y.
// One f32 addition. The runtime rejects ids outside the vocabulary before the launch; moves 3·N·C + N elements.
tile.kernel @embed(%ids: !I, %pos: !I, %wte: !W, %wpe: !W, %v: !I, %s: !I) outs(%y: !Y)
    implements(gpt.embed)
    requires(dim(%ids, 0) == dim(%y, 0), dim(%wte, 1) == dim(%y, 1), dim(%wpe, 1) == dim(%y, 1))
    params {BM = 8 in [1, 2, 4, 8], BN = 256 in [64, 256, 1024],
            W: type = f32 in [f32, bf16, f16], Y: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %rows = tile.dim %ids, 0 : !I
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
  %id = tile.load %ids[%m] [BM] : !I -> tensor<?xi32>

  %c0 = arith.constant 0 : index
  %v1 = tile.load %v[%c0] [1] : !I -> tensor<1xi32>
  %s1 = tile.load %s[%c0] [1] : !I -> tensor<1xi32>
  %vs = tile.broadcast %v1 [BM] : tensor<1xi32> -> tensor<?xi32>
  %ss = tile.broadcast %s1 [BM] : tensor<1xi32> -> tensor<?xi32>
  %word = arith.subi %id, %vs : tensor<?xi32>
  %place = arith.subi %p, %ss : tensor<?xi32>
  %te = tile.gather %wte[%n] at %word axis 0 [BM, BN] : !W, tensor<?xi32> -> tensor<?x?x!tile.elt<W>>
  %pe = tile.gather %wpe[%n] at %place axis 0 [BM, BN] : !W, tensor<?xi32> -> tensor<?x?x!tile.elt<W>>
  %tf = tile.cast %te : tensor<?x?x!tile.elt<W>> to tensor<?x?xf32>
  %pf = tile.cast %pe : tensor<?x?x!tile.elt<W>> to tensor<?x?xf32>
  %r = arith.addf %tf, %pf : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}

// Token embedding without positions: y[n] = wte[ids[n] − v]·s; rows outside the table are zero.
//   ids [N], wte [V, C], s, v [1], or [0] for 0 → y [N, C]; a block computes BM × BN of y.
// One f32 product. The runtime rejects ids outside the vocabulary before the launch; moves 2·N·C + N elements.
tile.kernel @embed_tokens(%ids: !I, %wte: !W, %s: f32, %v: !I) outs(%y: !Y)
    implements(gpt.embed {scale})
    requires(dim(%ids, 0) == dim(%y, 0), dim(%wte, 1) == dim(%y, 1))
    params {BM = 8 in [1, 2, 4, 8], BN = 256 in [64, 256, 1024],
            W: type = f32 in [f32, bf16, f16], Y: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 0), BM), ceildiv(dim(%y, 1), BN)] {
  %m = tile.block_id 0
  %n = tile.block_id 1
  %c0 = arith.constant 0 : index
  %id = tile.load %ids[%m] [BM] : !I -> tensor<?xi32>
  %v1 = tile.load %v[%c0] [1] : !I -> tensor<1xi32>
  %vs = tile.broadcast %v1 [BM] : tensor<1xi32> -> tensor<?xi32>
  %word = arith.subi %id, %vs : tensor<?xi32>
  %te = tile.gather %wte[%n] at %word axis 0 [BM, BN] : !W, tensor<?xi32> -> tensor<?x?x!tile.elt<W>>
  %tf = tile.cast %te : tensor<?x?x!tile.elt<W>> to tensor<?x?xf32>
  %ss = tile.splat %s [BM, BN] : f32 -> tensor<?x?xf32>
  %r = arith.mulf %tf, %ss : tensor<?x?xf32>
  %out = tile.cast %r : tensor<?x?xf32> to tensor<?x?x!tile.elt<Y>>
  tile.store %out, %y[%m, %n] : tensor<?x?x!tile.elt<Y>>, !Y
}

// The last row of each sequence: y[b] = x[b·T + T − 1].
//   x [N, C], pos [B] → y [B, C]; a block computes BN columns of one row. pos only determines B.
// A copy. Moves 2·B·C elements.
tile.kernel @last_rows(%x: !X, %pos: !I) outs(%y: !X)
    implements(gpt.last_rows)
    requires(dim(%pos, 0) == dim(%y, 0), dim(%x, 1) == dim(%y, 1))
    params {BN = 256 in [64, 256, 1024], X: type = f32 in [f32, bf16, f16]}
    grid [ceildiv(dim(%y, 1), BN), dim(%y, 0)] {
  %n = tile.block_id 0
  %b = tile.block_id 1
  %c1 = arith.constant 1 : index
  %rows = tile.dim %x, 0 : !X
  %batch = tile.dim %pos, 0 : !I
  %tokens = arith.divui %rows, %batch : index
  %next = arith.addi %b, %c1 : index
  %end = arith.muli %next, %tokens : index
  %last = arith.subi %end, %c1 : index
  %row = tile.load %x[%last, %n] [1, BN] : !X -> tensor<1x?x!tile.elt<X>>
  tile.store %row, %y[%b, %n] : tensor<1x?x!tile.elt<X>>, !X
}
