// Logits by rank, as far as drawing a token needs it: dealt out to W columns, each sorted from the greatest down.
//   logits [B, V] → sorted [B, L·W], ids [B, L·W], L·W ≥ V; a block sorts one column of one row.
// Column c has the tokens c, c + W, c + 2W, …; entry r·W + c is that of them before which r others come, greater or
// equal with a smaller id, and its id. What a column lacks is −∞. L·V comparisons; moves 3·V elements.
!Y = !tile.view<?x?xf32>
!R = !tile.view<?xf32>
!J = !tile.view<?x?xi32>
!I = !tile.view<?xi32>
tile.kernel @sample_order(%logits: !Y) outs(%sorted: !Y, %ids: !J)
    implements(gpt.sample {part = "order"})
    params {W = 256 in [256], BR = 4 in [4, 8, 16], L = floordiv(dim(%sorted, 1), W)}
    grid [W, dim(%sorted, 0)] {
  %c = tile.block_id 0
  %b = tile.block_id 1
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %inf = arith.constant 0x7F800000 : f32
  %w = tile.param W
  %br = tile.param BR
  %l = tile.param L
  %wi = arith.index_cast %w : index to i32
  %ci = arith.index_cast %c : index to i32
  %row = tile.select %logits[%b] : !Y -> !R

  %r = tile.iota [L] : tensor<?xi32>
  %ws = tile.splat %wi [L] : i32 -> tensor<?xi32>
  %cs = tile.splat %ci [L] : i32 -> tensor<?xi32>
  %rw = arith.muli %r, %ws : tensor<?xi32>
  %id = arith.addi %rw, %cs : tensor<?xi32>
  %x = tile.gather %row[] at %id axis 0 [L] pad(neg_inf) : !R, tensor<?xi32> -> tensor<?xf32>
  %infs = tile.splat %inf [L] : f32 -> tensor<?xf32>
  %isnumber = arith.cmpf olt, %x, %infs : tensor<?xf32>
  tile.assert %isnumber, "expected logits that are numbers" : tensor<?xi1>
  %xb = tile.broadcast %x [BR, L] : tensor<?xf32> -> tensor<?x?xf32>
  %rb = tile.broadcast %r [BR, L] : tensor<?xi32> -> tensor<?x?xi32>

  // Which of the column come before, BR at a time.
  %wo = tile.splat %wi [BR] : i32 -> tensor<?xi32>
  %co = tile.splat %ci [BR] : i32 -> tensor<?xi32>
  %ro0 = tile.iota [BR] : tensor<?xi32>
  %nones = tile.splat %none [BR, L] : i32 -> tensor<?x?xi32>
  %lb = arith.addi %l, %br : index
  %lb1 = arith.subi %lb, %c1 : index
  %steps = arith.divui %lb1, %br : index
  %counts = scf.for %j = %c0 to %steps step %c1 iter_args(%sum = %nones) -> (tensor<?x?xi32>) {
    %j0 = arith.muli %j, %br : index
    %j0i = arith.index_cast %j0 : index to i32
    %j0s = tile.splat %j0i [BR] : i32 -> tensor<?xi32>
    %ro = arith.addi %ro0, %j0s : tensor<?xi32>
    %row0 = arith.muli %ro, %wo : tensor<?xi32>
    %ido = arith.addi %row0, %co : tensor<?xi32>
    %y = tile.gather %row[] at %ido axis 0 [BR] pad(neg_inf) : !R, tensor<?xi32> -> tensor<?xf32>
    %yc = tile.expand_dims %y, 1 : tensor<?xf32> -> tensor<?x1xf32>
    %rc = tile.expand_dims %ro, 1 : tensor<?xi32> -> tensor<?x1xi32>
    %yb = tile.broadcast %yc [BR, L] : tensor<?x1xf32> -> tensor<?x?xf32>
    %rob = tile.broadcast %rc [BR, L] : tensor<?x1xi32> -> tensor<?x?xi32>
    %greater = arith.cmpf ogt, %yb, %xb : tensor<?x?xf32>
    %equal = arith.cmpf oeq, %yb, %xb : tensor<?x?xf32>
    %earlier = arith.cmpi slt, %rob, %rb : tensor<?x?xi32>
    %wins = arith.andi %equal, %earlier : tensor<?x?xi1>
    %before = arith.ori %greater, %wins : tensor<?x?xi1>
    %one = arith.extui %before : tensor<?x?xi1> to tensor<?x?xi32>
    %next = arith.addi %sum, %one : tensor<?x?xi32>
    scf.yield %next : tensor<?x?xi32>
  }
  %rank = tile.reduce add %counts axis 0 : tensor<?x?xi32> -> tensor<?xi32>
  %rankw = arith.muli %rank, %ws : tensor<?xi32>
  %slot = arith.addi %rankw, %cs : tensor<?xi32>
  %srow = tile.select %sorted[%b] : !Y -> !R
  %irow = tile.select %ids[%b] : !J -> !I
  tile.scatter %x, %srow[] at %slot axis 0 : tensor<?xf32>, !R, tensor<?xi32>
  tile.scatter %id, %irow[] at %slot axis 0 : tensor<?xi32>, !I, tensor<?xi32>
}
