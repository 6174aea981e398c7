// The last row of each sequence: y[b] = x[b·T + T − 1].
//   x [N, C], pos [B] → y [B, C]; a block makes BN columns of one row. pos gives B only.
// A copy. Moves 2·B·C elements.
!X = !tile.view<?x?x!tile.elt<X>>
!I = !tile.view<?xi32>
tile.kernel @last_rows(%x: !X, %pos: !I) outs(%y: !X)
    implements(gpt.last_rows)
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
